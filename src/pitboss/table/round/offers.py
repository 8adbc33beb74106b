"""What players may take before boxes act: insurance, even money, surrender, the prize of a jackpot button."""

from __future__ import annotations

from pitboss.money import ZERO, half, show
from pitboss.play.insurance import (
    decides_on_insurance,
    even_money_offered,
    even_money_returns_insurance,
    hand_may_insure,
    insurance_offered,
)
from pitboss.play.packed import EVEN_MONEY_ON_REQUEST, SURRENDER_NEVER
from pitboss.play.surrender import surrender_costs, surrender_waits
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.round import sides
from pitboss.table.round.dealing import (
    cite_trimmed,
    hand_is_natural,
    hand_may_surrender,
    has_live_stake,
    insurance_is_late,
    insurance_most,
    insurance_unit,
    insures_lost_hands,
    may_take_even_money,
    surrender_window,
    went_back,
)
from pitboss.table.round.paying import round_payment
from pitboss.table.state import Bettor, Box, Fate, HandStatus, Phase


def _box(draft: Draft, number: str) -> Box:
    index = draft.state.box_index(number)
    if index < 0 or not draft.state.boxes[index].hands:
        raise draft.refuse(f"box {number} is not in play", "initial_deal", "turns")
    return draft.state.boxes[index]


def _bettor(draft: Draft, box: Box, player: str, by: str | None, offer: str) -> Bettor:
    bettor = box.bettor(player)
    if not decides_on_insurance(draft.state.packed, player == box.controller):
        raise draft.refuse(
            f"{box.controller} decides on insurance and even money for box {box.number}", "insurance_offer"
        )
    if bettor is None:
        went = went_back(draft.state, box, player)
        raise draft.refuse(f"{player} has no wager in play on box {box.number}", offer, *went)
    if by is not None and by != player:
        raise Refused(f"this is {player}'s own choice, not {by}'s")
    return bettor


def insure(draft: Draft, command: cmd.Insure) -> None:
    """Place insurance."""
    box = _box(draft, command.box)
    bettor = _bettor(draft, box, command.player, command.by, "insurance_offer")
    state, rules = draft.state, draft.state.rules
    if not insurance_offered(state.packed, state.up_rank):
        against = state.up_card or "no card"
        raise draft.refuse(
            f"insurance is not offered against {against}", "insurance_offer", "insurance_on_ace", "insurance_on_ten"
        )
    if bettor.even_money:
        raise draft.refuse(f"{command.player} has taken even money", "even_money")
    late = insurance_is_late(state, box, bettor)
    if state.phase is not Phase.OFFERS and not late:
        raise draft.refuse("insurance is closed", "insurance_window", "insurance_offer")
    if not has_live_stake(box, bettor.player) and not (late and insures_lost_hands(state)):
        raise draft.refuse(
            f"{command.player} has nothing left to insure on box {box.number}", "insurance_offer", *box.hands[0].ended
        )
    if not hand_may_insure(state.packed, hand_is_natural(box, box.hands[0])):
        raise draft.refuse(f"a player with {rules.natural_name} may not insure", "insurance_with_natural")
    most = insurance_most(state, bettor)
    if not ZERO < command.amount + (bettor.insurance or ZERO) <= most:
        raise draft.refuse(
            f"insurance may be up to {show(most)}, not {show(command.amount)}",
            "insurance_amount",
            "insurance_max",
            "insurance_offer",
            *cite_trimmed(bettor),
        )
    if (unit := insurance_unit(state)) is not None and command.amount % unit:
        raise draft.refuse(f"{show(command.amount)} insured could not be paid in chips", "insurance_payable")
    draft.emit(
        ev.InsurancePlaced(
            box=box.number,
            player=bettor.player,
            amount=command.amount,
            clauses=draft.cite("insurance_late_until" if late else "insurance_offer"),
        )
    )


def take_even_money(draft: Draft, command: cmd.TakeEvenMoney) -> None:
    """Pay a natural even money on request."""
    box = _box(draft, command.box)
    bettor = _bettor(draft, box, command.player, command.by, "even_money")
    state, rules = draft.state, draft.state.rules
    hand = box.hands[0]
    if state.packed.even_money != EVEN_MONEY_ON_REQUEST:
        raise draft.refuse("there is no even money in this game", "even_money_refused", "even_money")
    if not hand_is_natural(box, hand):
        raise draft.refuse(f"even money is for {rules.natural_name} only", "even_money")
    if not even_money_offered(state.packed, state.up_rank, True):
        raise draft.refuse("even money is only offered against an ace", "even_money_refused", "even_money")
    if bettor.even_money:
        raise draft.refuse(f"{command.player} has already taken even money", "even_money")
    if state.phase is not Phase.OFFERS or hand.status is not HandStatus.NATURAL:
        raise draft.refuse("even money must be taken before any further card", "even_money", "even_money_refused")
    if not may_take_even_money(state, box, bettor):
        raise draft.refuse(f"{command.player} has nothing in play on box {box.number}", "even_money")
    draft.emit(ev.EvenMoneyTaken(box=box.number, player=bettor.player, clauses=draft.cite("even_money")))
    if bettor.insurance is not None and even_money_returns_insurance(state.packed):
        draft.settle(
            box.number, 0, bettor.player, "insurance", bettor.insurance, ZERO, "returned",
            draft.cite("even_money", "even_money_insurance"), interim=True,
        )  # fmt: skip
    draft.settle(
        box.number,
        1,
        bettor.player,
        "main",
        bettor.stake,
        round_payment(draft, bettor.stake),
        "even-money",
        draft.cite("even_money"),
        interim=True,
    )
    _out_if_done(draft, box.number, "even_money")


def _out_if_done(draft: Draft, number: str, *matters: str) -> None:
    hand = draft.state.boxes[draft.state.box_index(number)].hands[0]
    if all(stake.fate is Fate.SETTLED for stake in hand.stakes):
        draft.emit(
            ev.HandEnded(box=number, hand=1, status=HandStatus.OUT, matters=matters, clauses=draft.cite(*matters))
        )


def surrender(draft: Draft, command: cmd.Surrender) -> None:
    """Give up half of the wager."""
    box = _box(draft, command.box)
    state, packed = draft.state, draft.state.packed
    hand = box.hands[0]
    if packed.surrender_when == SURRENDER_NEVER:
        raise draft.refuse("there is no surrender in this game", "no_such_action", "surrender_when")
    if command.by is not None and command.by != box.controller:
        raise draft.refuse(
            f"{box.controller} calls the decisions of box {box.number}", "surrender_sharers", "controlling_player"
        )
    if not state.dealer:
        raise draft.refuse("the dealer has no card yet", "surrender_offer", "surrender_window")
    if len(box.hands) > 1:
        raise draft.refuse("a split hand cannot surrender", "surrender_offer", "surrender_window")
    if not hand_may_surrender(state, hand):
        raise draft.refuse(_surrender_fault(draft, box), "surrender_offer", "surrender_up_cards", "surrender_window")
    own_turn = state.phase is Phase.TURNS and state.turn is not None and state.boxes[state.turn[0]].number == box.number
    if state.phase not in (Phase.OFFERS, Phase.TURNS) or not surrender_window(state, box, own_turn):
        raise draft.refuse(
            "surrender is not available to this box now", "surrender_window", "surrender_offer", "surrender_sharers"
        )
    if hand.status not in (HandStatus.OPEN, HandStatus.NATURAL):
        raise draft.refuse(f"box {box.number} has acted", "surrender_window", "surrender_offer", "surrender_sharers")
    players = _surrendering(draft, box, command.players)
    draft.emit(ev.SurrenderTaken(box=box.number, players=players, clauses=draft.cite("surrender_offer")))
    at_once = not surrender_waits(packed)
    if at_once:
        for stake in hand.stakes:
            if stake.player in players:
                draft.settle(
                    box.number,
                    1,
                    stake.player,
                    "main",
                    stake.base,
                    -half(stake.base) * surrender_costs(packed, False),
                    "surrender",
                    draft.cite("surrender_half"),
                )
    everybody = all(stake.player in players for stake in hand.stakes)
    status = HandStatus.OUT if everybody and at_once else HandStatus.STOOD
    matters = ("surrender_offer", "surrender_sharers")
    draft.emit(
        ev.HandEnded(box=box.number, hand=1, status=status, matters=matters, clauses=draft.cite("surrender_offer"))
    )


def _surrender_fault(draft: Draft, box: Box) -> str:
    rules = draft.state.rules
    if draft.state.dealer[0][0] not in rules.surrender_up_cards:
        return f"surrender is not offered against {draft.state.dealer[0]}"
    if len(box.hands[0].cards) > 2:
        return "surrender is for the first two cards"
    return f"only hands below {rules.surrender_below} may surrender"


def _surrendering(draft: Draft, box: Box, named: tuple[str, ...]) -> tuple[str, ...]:
    """The players who surrender: the whole box, or the controlling player with those who choose to."""
    for player in named:
        if box.bettor(player) is None:
            raise draft.refuse(f"{player} has no wager on box {box.number}", "surrender_sharers", "surrender_offer")
    if draft.state.rules.surrender_sharers == "each-chooses":
        return (box.controller, *(player for player in named if player != box.controller))
    return tuple(bettor.player for bettor in box.bettors)


def close_offers(draft: Draft) -> None:
    """Boxes begin to act."""
    state = draft.state
    if state.prizes_due:
        box, player = state.prizes_due[0]
        clauses = sides.button_wager(state.rules).cite("prize", "wins")
        raise Refused(f"the prize of {player} on box {box} is still to be drawn", clauses)
    draft.emit(ev.PhaseBegan(phase=Phase.TURNS, clauses=draft.cite("turns")))
