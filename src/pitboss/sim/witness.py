"""Turning a simulated round into a round at the table: the same cards, the same strategy, decided and settled by the
engine.

The kernel leaves the cards of a round in the shoe in the order in which they were dealt. Here they are dealt again at
a real table, the strategy is asked for every decision in words the table understands, and the money must come out the
same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import VALUE, Card
from pitboss.money import Money
from pitboss.play.packed import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from pitboss.play.turns import action_set
from pitboss.records.live import Table
from pitboss.sim import kernel as k
from pitboss.sim.judges import card_of
from pitboss.sim.plan import Plan, Prepared, SimError
from pitboss.sim.strategies import Question, Strategy
from pitboss.table import commands as cmd
from pitboss.table.legal import legal
from pitboss.table.notation import words
from pitboss.table.state import Hand, Pending, Phase, State
from pitboss.table.turns import can_double, can_split

BITS: dict[type[cmd.Command], int] = {
    cmd.Hit: HIT,
    cmd.Stand: STAND,
    cmd.Double: DOUBLE,
    cmd.Split: SPLIT,
    cmd.Surrender: SURRENDER,
}
WAGER = Money(100)
"""What each box stakes at the table that witnesses a simulated round."""


class Witnessed(NamedTuple):
    """A simulated round as the kernel and as the table have it."""

    cards: tuple[Card, ...]
    kernel_net: Money
    """What the kernel says the main wagers won, for a wager of `WAGER` a box."""
    table: Table

    @property
    def table_net(self) -> Money:
        """What the table says the main wagers won."""
        return sum((net for (_, _, wager), net in self.table.results().items() if wager == "main"), Money(0))


def simulated_cards(prepared: Prepared, block: int, number: int) -> tuple[tuple[Card, ...], int]:
    """The cards of one round of a block, and what it won in parts of the wager."""
    plan: Plan = prepared.plan
    if not 0 <= block < plan.blocks or not 0 <= number < plan.rounds_of(block):
        raise SimError(
            f"there is no round {block}:{number}: blocks go from 0 to {plan.blocks - 1}, "
            f"rounds from 0 to {plan.block_rounds - 1}"
        )
    sides = max(len(prepared.rules.side_wagers), 1)
    last = np.zeros(3 + prepared.fresh.size, np.int64)
    k.kernel(prepared.form)(
        prepared.packed, prepared.tables, prepared.shape, prepared.fresh, prepared.schedule, prepared.sides,
        plan.seed, block, number + 1, np.zeros(k.SUMS, np.int64), np.zeros(2 * k.HALF_HISTOGRAM, np.int64),
        np.zeros((2, 11**3 if plan.detail else 0), np.int64), np.zeros((sides, k.SIDE_SUMS), np.int64),
        np.zeros((sides, k.MOST_OUTCOMES), np.int64), last, np.zeros(0, np.int64),
    )  # fmt: skip
    begin, end, net = (int(value) for value in last[:3])
    return tuple(card_of(int(number)) for number in last[3 + begin : 3 + end]), net


def witness(prepared: Prepared, block: int, number: int) -> Witnessed:
    """Deal a simulated round again at the table, with the same strategy."""
    cards, parts = simulated_cards(prepared, block, number)
    rules = prepared.rules
    options: dict[str, Any] = {name: value for name, value in rules.options.items() if value is not None}
    table = Table(
        rules.game,
        cards=" ".join(cards),
        side_wagers=[side.id for side in rules.side_wagers if side.judge != "pandemonium"],
        readings=rules.readings,
        **options,
    )
    for box in range(1, prepared.plan.boxes + 1):
        table.bet(f"{box} box{box} {WAGER}")
    table.deal()
    while table.state.phase is not Phase.SETTLED:
        table.do(_decision(prepared.strategy, table.state))
    return Witnessed(cards, WAGER * parts / prepared.tables.unit, table)


def _decision(strategy: Strategy, state: State) -> str:
    """What the strategy does now, in the words of records; `proceed` where nothing is taken."""
    found = legal(state)
    if state.pending is Pending.SWITCH or any(isinstance(item, cmd.Switch) for item in found):
        choice = _switch(strategy, state, found)
        if choice:
            return choice
    if state.phase is Phase.OFFERS:
        return _surrender_pass(strategy, state, found)
    if state.pending is not Pending.NOTHING:
        return _rescue(strategy, state, found)
    ahead = _acting(state, found)
    if ahead is None:
        return "proceed"
    number, question, by_bit = ahead
    chosen = strategy.action(question) if question.legal & (question.legal - 1) else question.legal
    return words(by_bit[chosen]) if chosen in by_bit else f"{number} stand"


def _surrender_pass(strategy: Strategy, state: State, found: tuple[cmd.Command, ...]) -> str:
    """Surrender is open to the whole table before any further card: every box is asked in turn."""
    for item in found:
        if isinstance(item, cmd.Surrender):
            box = state.boxes[state.box_index(item.box)]
            hand = box.hands[0]
            legal_bits = action_set(
                state.packed, hand.hard, hand.aces, can_double(state, hand), can_split(state, box, hand), True
            )
            if strategy.action(_question(state, hand, legal_bits)) == SURRENDER:
                return words(item)
    return "proceed"


def _question(state: State, hand: Hand, legal_bits: int) -> Question:
    return Question(
        values=tuple(sorted(VALUE[card] for card in hand.cards)),
        total=hand.points,
        soft=hand.points != hand.hard,
        cards=len(hand.cards),
        from_split=hand.from_split,
        up=VALUE[state.dealer[0]],
        legal=legal_bits,
    )


def _acting(state: State, found: tuple[cmd.Command, ...]) -> tuple[str, Question, dict[int, cmd.Command]] | None:
    decisions = [item for item in found if isinstance(item, cmd.Hit | cmd.Stand | cmd.Split)]
    if not decisions:
        return None
    number = decisions[0].box
    box = state.boxes[state.box_index(number)]
    hand = next(hand for hand in box.hands if hand.status.value == "open")
    by_bit = {BITS[type(item)]: item for item in found if type(item) in BITS and getattr(item, "box", None) == number}
    return number, _question(state, hand, sum(by_bit)), by_bit


def _switch(strategy: Strategy, state: State, found: tuple[cmd.Command, ...]) -> str:
    area = next(item.area for item in found if isinstance(item, cmd.Switch))
    left, right = (box.hands[0].cards for box in state.boxes if str(box.area) == area)
    first = (VALUE[left[0]], VALUE[left[1]])
    second = (VALUE[right[0]], VALUE[right[1]])
    if strategy.switches(first, second, VALUE[state.dealer[0]]):
        return f"{area} switch"
    return "proceed" if state.pending is Pending.SWITCH else ""


def _rescue(strategy: Strategy, state: State, found: tuple[cmd.Command, ...]) -> str:
    forfeit = next((item for item in found if isinstance(item, cmd.Forfeit)), None)
    if forfeit is not None and state.turn is not None:
        hand = state.boxes[state.turn[0]].hands[state.turn[1]]
        if strategy.rescues(hand.points, VALUE[state.dealer[0]]):
            return words(forfeit)
    return "proceed"
