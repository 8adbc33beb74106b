"""What players may choose because something went wrong: to refuse a card, to take a wager back, to insure late."""

from __future__ import annotations

from pitboss.play.drawing import must_draw
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders.mishaps.malfunctions import retract
from pitboss.table.state import Pending, Phase, State


def choices(draft: Draft) -> list[cmd.Command]:
    """Every choice that trouble of the round leaves to players now, late insurance apart."""
    state = draft.state
    found: list[cmd.Command] = []
    if may_refuse_card(state) and state.turn is not None:
        found.append(od.RefuseCard(box=state.boxes[state.turn[0]].number))
    found.extend(command for command in _wagers(state) if _accepts(draft, command))
    return found


def may_refuse_card(state: State) -> bool:
    """The hand that acts may refuse the card dealt in error."""
    if not state.trouble.stray or state.turn is None or state.phase is not Phase.TURNS:
        return False
    hand = state.boxes[state.turn[0]].hands[state.turn[1]]
    kind = state.rules.stray_card
    if state.pending is not Pending.NOTHING or len(hand.cards) < 2 or kind == "next-card":
        return False
    return kind == "next-card-refusable" or not must_draw(state.packed, hand.hard, hand.aces)


def _wagers(state: State) -> list[od.Retract]:
    """Wagers that somebody might take back, as far as there is any reason to ask."""
    trouble = state.trouble
    half_dealt = any(len(box.hands) == 1 and len(box.hands[0].cards) == 1 for box in state.boxes)
    if state.phase is Phase.SETTLED or not (trouble.halted or trouble.withdrawal or trouble.retractable or half_dealt):
        return []
    mains = [
        od.Retract(box=box.number, player=bettor.player, wager=wager)
        for box in state.boxes
        for bettor in box.bettors
        for wager in ("main", *(("insurance",) if bettor.insurance is not None else ()))
    ]
    sides = [od.Retract(box=bet.box, player=bet.player, wager=bet.wager) for bet in state.sides]
    return mains + sides


def _accepts(draft: Draft, command: od.Retract) -> bool:
    try:
        retract(draft.try_out(), command)
    except Refused:
        return False
    return True
