"""Practice: who may be advised, and on what. At a table in service nobody is."""

from __future__ import annotations

from collections import Counter

import msgspec

from pitboss.cards import Card
from pitboss.floor.live_table import LiveTable, TableKind
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.draft import Refused
from pitboss.table.shoe.shoe_views import count_unseen
from pitboss.table.state import Phase
from pitboss.table.views import Observer, View, Viewer, view


class AdviceQuestion(msgspec.Struct, frozen=True):
    """What somebody may be advised on: what they see, and the cards that nobody has seen, in no order."""

    seen: View
    left: dict[Card, int]
    rules: Rules
    box: str | None


def check_advice(live: LiveTable, player: str) -> None:
    """Refuse advice to whoever does not practise."""
    if live.kind is not TableKind.PRACTICE:
        raise Refused("nobody is advised at a table in service", live.table.rules.clauses("advice"))
    if player not in live.purses:
        raise Refused("buy in first: you have no chips at this table")


def ask_advice(live: LiveTable, player: str, box: str | None = None) -> AdviceQuestion:
    """The question about a decision that a player has before them; `box` while several could be meant."""
    check_advice(live, player)
    state = live.table
    if state.phase not in (Phase.OFFERS, Phase.TURNS):
        raise Refused("there is no hand to advise on: no round is being played")
    turn = state.boxes[state.turn[0]] if state.turn is not None else None
    own = [item for item in state.boxes if item.bettor(player) is not None]
    if box is None and turn is not None and turn.bettor(player) is not None:
        box = turn.number
    chosen = next((item for item in own if box in (None, item.number)), None)
    if chosen is None:
        raise Refused("you have no wager there to be advised on")
    left: Counter[Card] = count_unseen(state)
    return AdviceQuestion(view(state, Observer(Viewer.PLAYER, player)), dict(left), state.rules, chosen.number)
