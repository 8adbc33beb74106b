"""Side wagers on the initial deal, and their prizes: at odds, from meters, drawn by a button, picked by a system.

A meter is a value in the state; wagers of the round are in it before it is read. Winners of one round are simultaneous:
each prize is read in turn from the meter as the one before left it, and all share the sum equally.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.money import ZERO, Money, exact_ratio, round_up, show
from pitboss.play.side_wagers.judges import BY_UP_CARD, DRAWS_PRIZE, JUDGES, OUTCOME, outcome_name
from pitboss.play.side_wagers.side_payments import keeps_stake, pay_drawn_prize, pay_meter
from pitboss.rulebooks.model.rules import MeterShare, Rules, SideWager
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.round.sides.side_bets import (
    ask,
    bets_of,
    boxes_of_area,
    cite_win,
    settle_answer,
    settle_side,
)
from pitboss.table.state import Meter, Phase, Settlement, SideBet, State

WENT_BACK = ("retracted", "void", "withdrawn")
"""Outcomes of wagers that have no result."""


def looks_at_up_card(side: SideWager) -> bool:
    """The dealer's first card decides the wager too."""
    return JUDGES[side.judge].looks_at == BY_UP_CARD


def judge_dealt(draft: Draft, side: SideWager, only: str = "") -> None:
    """All wagers of one kind on the initial deal, or those of one box; simultaneous winners of a meter share it.

    A wager on a box that was dealt a single card waits for the second.
    """
    due: list[tuple[str, str]] = []
    winners: dict[str, list[int]] = {}
    for index, bet in bets_of(draft, side):
        if any(box.void for box in boxes_of_area(draft.state, bet)):
            settle_side(draft, index, ZERO, "void", draft.cite("single_of_pair"), interim=True)
            continue
        if not _is_dealt(draft.state, bet) or only not in ("", bet.box):
            continue
        answer = ask(draft.state, side, bet, box_done=False)
        outcome = outcome_name(JUDGES[side.judge], answer)
        if answer & DRAWS_PRIZE:
            due.append((bet.box, bet.player))
        elif isinstance(side.odds.get(outcome), MeterShare):
            winners.setdefault(outcome, []).append(index)
        else:
            settle_answer(draft, side, index, answer, interim=True)
            if side.meters and answer & OUTCOME:
                _after_prize(draft, side, index)
    for outcome, indexes in winners.items():
        _share_meter(draft, side, outcome, indexes)
    if due and side.id in draft.state.floor.withdrawn:
        pay_fallback(draft, side, due, draft.state.floor.withdrawn[side.id])
    elif due:
        in_order = tuple(sorted(due, key=lambda item: _place_at_button(draft.state, *item)))
        draft.emit(ev.PrizesDue(due=in_order, clauses=side.cite("prize", "wins")))


def pay_fallback(draft: Draft, side: SideWager, due: Iterable[tuple[str, str]], clauses: tuple[str, ...]) -> None:
    """The button is out of order: winning wagers for which it has not drawn get the fixed sum for each unit staked."""
    sum_per_unit = Money(side.fallback.split("-")[1])
    for box, player in due:
        for index, bet in bets_of(draft, side):
            if (bet.box, bet.player) == (box, player):
                net = pay_drawn_prize(side, sum_per_unit, bet.amount)
                settle_side(draft, index, net, "malfunction", clauses, interim=True)


def _place_at_button(state: State, number: str, player: str) -> tuple[int, bool, int]:
    """Box by box; on each the controlling player presses first, then the others in the order of their wagers."""
    index = state.box_index(number)
    box = state.boxes[index]
    players = [bettor.player for bettor in box.bettors]
    return index, player != box.controller, players.index(player) if player in players else len(players)


def _is_dealt(state: State, bet: SideBet) -> bool:
    """The boxes of a wager have their two cards."""
    return all(len(box.hands) > 1 or len(box.hands[0].cards) > 1 for box in boxes_of_area(state, bet))


# ---------------------------------------------------------------------- meters


def _share_meter(draft: Draft, side: SideWager, outcome: str, indexes: list[int]) -> None:
    """Read the meter once for each winner, then share the sum."""
    share = side.odds[outcome]
    assert isinstance(share, MeterShare)
    pool = ZERO
    for _ in indexes:
        pool += _take(draft, side, share)
    exact = side.shares_rounded == "exact"
    each = round_up(exact_ratio(pool, 1, len(indexes)), None if exact else draft.state.payable)
    _reset(draft, side, share)
    together = side.cite("shared", "pays") if len(indexes) > 1 else ()
    clauses = tuple(dict.fromkeys((*cite_win(side, outcome), *together)))
    for index in indexes:
        settle_side(draft, index, each, outcome, clauses, interim=True)
        _after_prize(draft, side, index)


def _after_prize(draft: Draft, side: SideWager, index: int) -> None:
    """What a book may make of a prize: the stake is kept, prizes at fixed odds come off the meter."""
    settled = draft.state.settlements[-1]
    if keeps_stake(side):
        settle_side(draft, index, -draft.state.sides[index].amount, "stake-kept", side.cite("pays"), interim=True)
    if not isinstance(side.odds[settled.outcome], MeterShare) and side.fixed_prizes_off_meter:
        for name in side.meters:
            meter = draft.state.meters.get(name)
            if meter is not None:
                left = max(meter.value - settled.net, meter.seed)
                _set_meter(draft, side, name, Meter(meter.seed, meter.rate, left))


def _take(draft: Draft, side: SideWager, share: MeterShare) -> Money:
    """One prize from a meter, which is reset to its seed if it would fall below it."""
    meter = draft.state.meters.get(share.meter)
    if meter is None:
        raise Refused(f"the meter {share.meter} has no value: state it before the bets")
    prize = pay_meter(side, share, meter.value, draft.state.payable)
    left = max(meter.value - prize, ZERO)
    if side.second_prize_read == "after-reset":
        left = max(left, meter.seed)
    _set_meter(draft, side, share.meter, Meter(meter.seed, meter.rate, left))
    return prize


def _reset(draft: Draft, side: SideWager, share: MeterShare) -> None:
    """Once all winners of a round are paid, no meter stays under its seed."""
    meter = draft.state.meters[share.meter]
    if meter.value < meter.seed:
        _set_meter(draft, side, share.meter, Meter(meter.seed, meter.rate, meter.seed))


def _set_meter(draft: Draft, side: SideWager, name: str, meter: Meter) -> None:
    draft.emit(ev.MetersGrew(meters={name: meter}, clauses=side.cite("meter", "pays")))


def refill_meters(draft: Draft) -> None:
    """A prize that was taken back is not paid: its meter shows what it would without it, and never less than now."""
    state = draft.state
    for side in state.rules.side_wagers:
        back = {(bet.box, bet.player) for bet in state.sides if bet.wager == side.id and has_gone_back(state, bet)}
        for name in side.meters:
            prizes = list_prizes_off_meter(state, side, name)
            if any(key in back for key, _ in prizes):
                paid = sum((prize for key, prize in prizes if key not in back), ZERO)
                _refill_meter(draft, side, name, paid)


def _refill_meter(draft: Draft, side: SideWager, name: str, paid: Money) -> None:
    """What the meter opened with and the wagers of the round add to it, less the prizes that are paid."""
    state = draft.state
    assert state.opening is not None, "a prize came off a meter before the round began"
    meter, opened = state.meters[name], state.opening.meters[name]
    bets = [bet for bet in state.sides if bet.wager == side.id and not has_gone_back(state, bet, ("retracted",))]
    value = opened.value + opened.rate * sum((bet.amount for bet in bets), ZERO) - paid
    if value > meter.value:
        _set_meter(draft, side, name, Meter(meter.seed, meter.rate, value))


def list_prizes_off_meter(state: State, side: SideWager, name: str) -> list[tuple[tuple[str, str], Money]]:
    """The prizes of this round that came off a meter, each with its box and player and without a stake given back."""
    found: list[tuple[tuple[str, str], Money]] = []
    lost: dict[tuple[str, str], Money] = {}
    for settled in state.settlements if name in state.meters else ():
        key, share = (settled.box, settled.player), side.odds.get(settled.outcome)
        if settled.wager != side.id:
            continue
        if settled.outcome == "loses":
            lost[key] = -settled.net
        elif (
            share.meter == name if isinstance(share, MeterShare) else share is not None and side.fixed_prizes_off_meter
        ):
            found.append((key, settled.net - lost.pop(key, ZERO)))
    return found


# ---------------------------------------------------------------------- prizes that are drawn or picked


def button_wager(rules: Rules) -> SideWager:
    """The side wager whose prizes a jackpot button draws."""
    for side in rules.side_wagers:
        if side.prizes:
            return side
    raise Refused("no wager at this table has a jackpot button")


def draw_prize(draft: Draft, command: cmd.DrawPrize) -> None:
    """The jackpot button has drawn a prize for one winning wager."""
    state = draft.state
    side = button_wager(state.rules)
    if (command.box, command.player) not in state.prizes_due:
        raise Refused(
            f"{command.player} has no winning {side.name} wager on box {command.box}: the button is not offered",
            side.cite("press_without_wager", "refused", "prize"),
        )
    if all(command.amount != prize for _, prize in side.prizes):
        prizes = ", ".join(str(prize) for _, prize in side.prizes)
        raise Refused(
            f"the table in force has no prize of {show(command.amount)}: they are {prizes}",
            tuple(dict.fromkeys((*side.cite("pays"), *side.cite("not_a_prize", "prize")))),
        )
    _may_press(draft, side, command)
    for index, bet in bets_of(draft, side):
        if (bet.box, bet.player) == (command.box, command.player):
            due = tuple(item for item in state.prizes_due if item != (command.box, command.player))
            draft.emit(ev.PrizesDue(due=due, clauses=side.cite("prize", "wins")))
            net = pay_drawn_prize(side, command.amount, bet.amount)
            settle_side(draft, index, net, "prize", side.cite("prize", "wins"), interim=True)
            return


def _may_press(draft: Draft, side: SideWager, command: cmd.DrawPrize) -> None:
    """The button goes round a box in its order, and who presses for somebody else has won nothing."""
    state = draft.state
    first = next(player for box, player in state.prizes_due if box == command.box)
    if command.player != first:
        raise Refused(
            f"{first} presses the button on box {command.box} before {command.player}, and is paid first",
            side.cite("button_order", "preference", "prize"),
        )
    if command.nominee != command.player and _has_won(state, side, command.nominee):
        raise Refused(
            f"{command.nominee} has a winning {side.name} wager and may press for nobody else",
            side.cite("nominee", "prize"),
        )


def _has_won(state: State, side: SideWager, player: str | None) -> bool:
    """The player has a winning wager of this kind, paid or still to be drawn for."""
    if any(player == name for _, name in state.prizes_due):
        return True
    nets: dict[str, Money] = {}
    for settled in state.settlements:
        if settled.wager == side.id and settled.player == player:
            nets[settled.box] = nets.get(settled.box, ZERO) + settled.net
    return any(net > 0 for net in nets.values())


def system_pick(draft: Draft, command: cmd.SystemPick) -> None:
    """The jackpot system has picked a box: a prize on top of whatever the cards gave, the stake being safe."""
    state = draft.state
    if state.phase is Phase.BETTING or state.void or state.trouble.halted:
        raise Refused("the jackpot system picks after the deal")
    side = next((side for side in state.rules.side_wagers if command.pick in JUDGES[side.judge].picks), None)
    if side is None:
        raise Refused(f"no side wager at this table has a {command.pick} prize")
    for index, bet in enumerate(state.sides):
        if bet.wager == side.id and bet.box == command.box and not has_gone_back(state, bet):
            _pay_pick(draft, side, command.pick, index)
            return
    raise Refused(f"there is no {side.name} wager on box {command.box}", side.cite(command.pick, "wins"))


def has_gone_back(state: State, bet: SideBet, outcomes: tuple[str, ...] = WENT_BACK) -> bool:
    """The wager was taken back or declared void: it is no longer in the draw."""
    return any(
        settled.outcome in outcomes and (settled.box, settled.player, settled.wager) == (bet.box, bet.player, bet.wager)
        for settled in state.settlements
    )


def _pay_pick(draft: Draft, side: SideWager, pick: str, index: int) -> None:
    bet = draft.state.sides[index]
    before = [
        settled
        for settled in draft.state.settlements
        if (settled.box, settled.player, settled.wager) == (bet.box, bet.player, bet.wager)
    ]
    if any(settled.outcome == pick for settled in before):
        raise Refused(f"box {bet.box} has already been picked")
    prize = side.odds[pick]
    if isinstance(prize, MeterShare):
        net = _take(draft, side, prize)
        _reset(draft, side, prize)
    else:
        net = prize.pay(bet.amount, draft.state.payable)
    lost = sum((-settled.net for settled in before if settled.outcome == "loses"), Money(0))
    clauses = cite_win(side, pick)
    settlement = Settlement(bet.box, 0, bet.player, bet.wager, bet.amount, net + lost, pick, clauses, True)
    draft.emit(ev.SideSettled(settlement=settlement, index=index, state="", clauses=clauses))
