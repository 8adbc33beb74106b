"""Side wagers with prize meters: Blackjack Jackpots and Supernova.

A meter is a value in the state; wagers of the round are in it before it is read. Winners of one round are simultaneous:
each prize is read in turn from the meter as the one before left it, and all share the sum equally.
"""

from __future__ import annotations

from pitboss.cards import VALUE, Card
from pitboss.money import Money, exact_ratio, round_up
from pitboss.rulebooks.model.rules import MeterShare, SideWager
from pitboss.table import commands as cmd
from pitboss.table import events as ev
from pitboss.table.draft import Draft, Refused
from pitboss.table.round.sides.base import Judge, bets_of, box_of, lose, pay, settle_side
from pitboss.table.state import Meter, Phase, Settlement

WHOLE_DOLLAR = Money(1)


def jackpots_outcome(cards: tuple[Card, ...], up: Card) -> str:
    """Three aces with the up card, or a natural."""
    one, two = cards
    if one[0] == "A" == two[0] and up[0] == "A":
        if one == two == up:
            return "suited-aces-spades" if up[1] == "s" else "suited-aces"
        return "three-aces"
    if {VALUE[one], VALUE[two]} == {1, 10}:
        return "suited-natural" if one[1] == two[1] else "unsuited-natural"
    return ""


def supernova_outcome(cards: tuple[Card, ...], up: Card) -> str:
    """Ace and jack of spades, or any other natural of one suit."""
    one, two = cards
    if {VALUE[one], VALUE[two]} != {1, 10} or one[1] != two[1]:
        return ""
    return "major" if set(cards) == {"As", "Js"} else "minor"


class MeterJudge(Judge):
    """Decides by the first two cards and the up card; meter prizes are shared by simultaneous winners."""

    def __init__(self, whole_dollars: bool) -> None:
        self.whole_dollars = whole_dollars
        """The meter is rounded up to a dollar; else to what chips can pay."""

    def outcome(self, cards: tuple[Card, ...], up: Card) -> str:
        return jackpots_outcome(cards, up) if self.whole_dollars else supernova_outcome(cards, up)

    def after_deal(self, draft: Draft, side: SideWager) -> None:
        winners: dict[str, list[int]] = {}
        for index, bet in bets_of(draft, side):
            box = box_of(draft, bet)
            found = self.outcome(box.hands[0].cards, draft.state.dealer[0]) if box is not None else ""
            if not found:
                lose(draft, side, index, interim=True)
            elif isinstance(side.odds[found], MeterShare):
                winners.setdefault(found, []).append(index)
            else:
                pay(draft, side, index, found, interim=True)
                self.after_prize(draft, side, index)
        for outcome, indexes in winners.items():
            self.pay_meter(draft, side, outcome, indexes)

    def pay_meter(self, draft: Draft, side: SideWager, outcome: str, indexes: list[int]) -> None:
        """Read the meter once for each winner, then share the sum."""
        share = side.odds[outcome]
        assert isinstance(share, MeterShare)
        pool = Money(0)
        for _ in indexes:
            pool += self.take(draft, side, share)
        exact = side.shares_rounded == "exact"
        each = round_up(exact_ratio(pool, 1, len(indexes)), None if exact else draft.state.payable)
        self.reset(draft, share)
        clauses = tuple(dict.fromkeys((*side.cite(outcome, "wins"), *side.cite("pays"))))
        for index in indexes:
            settle_side(draft, index, each, outcome, clauses, interim=True)
            self.after_prize(draft, side, index)

    def after_prize(self, draft: Draft, side: SideWager, index: int) -> None:
        """What a book may make of a prize: the stake is kept, prizes at fixed odds come off the meter."""
        settled = draft.state.settlements[-1]
        bet = draft.state.sides[index]
        if side.winning_stake == "kept":
            settle_side(draft, index, -bet.amount, "stake-kept", side.cite("pays"), interim=True)
        prize = side.odds[settled.outcome]
        if not isinstance(prize, MeterShare) and side.fixed_prizes_off_meter:
            for name in side.meters:
                meter = draft.state.meters.get(name)
                if meter is not None:
                    left = max(meter.value - settled.net, meter.seed)
                    draft.emit(ev.MetersGrew(meters={name: Meter(meter.seed, meter.rate, left)}))

    def take(self, draft: Draft, side: SideWager, share: MeterShare) -> Money:
        """One prize from a meter, which is reset to its seed if it would fall below it."""
        meter = draft.state.meters.get(share.meter)
        if meter is None:
            raise Refused(f"the meter {share.meter} has no value: state it before the bets")
        unit = WHOLE_DOLLAR if self.whole_dollars else draft.state.payable
        prize = exact_ratio(round_up(meter.value, unit), share.percent, 100)
        left = max(meter.value - prize, Money(0))
        if side.second_prize_read == "after-reset":
            left = max(left, meter.seed)
        draft.emit(ev.MetersGrew(meters={share.meter: Meter(meter.seed, meter.rate, left)}))
        return prize

    def reset(self, draft: Draft, share: MeterShare) -> None:
        """Once all winners of a round are paid, no meter stays under its seed."""
        meter = draft.state.meters[share.meter]
        if meter.value < meter.seed:
            draft.emit(ev.MetersGrew(meters={share.meter: Meter(meter.seed, meter.rate, meter.seed)}))


METERED: dict[str, Judge] = {"blackjack-jackpots": MeterJudge(True), "supernova": MeterJudge(False)}


def system_pick(draft: Draft, command: cmd.SystemPick) -> None:
    """The jackpot system has picked a box: a prize on top of whatever the cards gave, the stake being safe."""
    state = draft.state
    if state.phase is Phase.BETTING or state.void:
        raise Refused("the jackpot system picks after the deal")
    side = next((side for side in state.rules.side_wagers if command.pick in side.odds), None)
    if side is None:
        raise Refused(f"no side wager at this table has a {command.pick} prize")
    for index, bet in enumerate(state.sides):
        if bet.wager == side.id and bet.box == command.box:
            _pay_pick(draft, side, command.pick, index)
            return
    raise Refused(f"there is no {side.name} wager on box {command.box}", side.cite(command.pick, "wins"))


def _pay_pick(draft: Draft, side: SideWager, pick: str, index: int) -> None:
    bet = draft.state.sides[index]
    before = [
        settled
        for settled in draft.state.settlements
        if (settled.box, settled.player, settled.wager) == (bet.box, bet.player, bet.wager)
    ]
    if any(settled.outcome == pick for settled in before):
        raise Refused(f"box {bet.box} has been picked already")
    prize = side.odds[pick]
    if isinstance(prize, MeterShare):
        judge = METERED[side.judge]
        assert isinstance(judge, MeterJudge)
        net = judge.take(draft, side, prize)
        judge.reset(draft, prize)
    else:
        net = prize.pay(bet.amount, draft.state.payable)
    lost = sum((-settled.net for settled in before if settled.outcome == "loses"), Money(0))
    clauses = tuple(dict.fromkeys((*side.cite(pick, "wins"), *side.cite("pays"))))
    settlement = Settlement(bet.box, 0, bet.player, bet.wager, bet.amount, net + lost, pick, clauses, True)
    draft.emit(ev.SideSettled(settlement=settlement, index=index, state="", clauses=clauses))
