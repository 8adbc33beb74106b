"""Turning a simulated round into a round at the table: the same cards, the same strategy, decided and settled by the
engine.

The kernel leaves the cards of a round in the order in which they were dealt, in the shoe or noted down. Here they are
dealt again at a real table, the strategy is asked for every decision in words the table understands, and the money must
come out the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss.cards import CARD_OF_CODE, VALUE, Card
from pitboss.money import Money
from pitboss.play.drawing import action_set
from pitboss.play.insurance import insurance_halves
from pitboss.play.packed import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from pitboss.play.splitting import holds_own_stake, split_is_free
from pitboss.records.live import Table
from pitboss.records.replay import with_cards_to_spare
from pitboss.rulebooks import Rulebook
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.any_round import play_rounds
from pitboss.sim.kernels.compiling import UINT64
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.kernels.streams import open_stream
from pitboss.sim.plan import Plan, Prepared, SimError
from pitboss.sim.strategies import Question, Strategy
from pitboss.table.legal import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import words
from pitboss.table.round.turns import can_double, can_split
from pitboss.table.state import Box, Hand, Pending, Phase, State

BITS: dict[type[cmd.Command], int] = {
    cmd.Hit: HIT,
    cmd.Stand: STAND,
    cmd.Double: DOUBLE,
    cmd.Split: SPLIT,
    cmd.Surrender: SURRENDER,
}


class Witnessed(NamedTuple):
    """A simulated round as the kernel and as the table have it: money of each box by wager.

    One unit at the table is the plan's wager.
    """

    cards: tuple[Card, ...]
    kernel_net: Money
    """What the kernel says the main wagers won, insurance with them."""
    kernel_sides: dict[tuple[str, str], Money]
    """(box, side wager) -> what the kernel says it won."""
    table: Table

    @property
    def table_net(self) -> Money:
        """What the table says the main wagers won, insurance with them."""
        found = self.table.results().items()
        return sum((net for (_, _, wager), net in found if wager in ("main", "insurance")), Money(0))

    @property
    def table_sides(self) -> dict[tuple[str, str], Money]:
        """(box, side wager) -> what the table says it won."""
        found = self.table.results()
        return {(box, wager): net for (box, _, wager), net in found.items() if wager not in ("main", "insurance")}

    @property
    def agrees(self) -> bool:
        """Kernel and table have the same money, to the cent."""
        return self.kernel_net == self.table_net and self.kernel_sides == self.table_sides


class Simulated(NamedTuple):
    """One round as the kernel played it."""

    cards: tuple[Card, ...]
    net: int
    """What the main wagers and insurance won, in parts."""
    bet: int
    """Units on each box."""
    insures: bool
    sides: tuple[tuple[int, ...], ...]
    """[box][side wager] -> number of the outcome."""
    carried: tuple[tuple[bool, ...], ...]
    """[box][side wager] -> it had been carried from the round before."""
    running: int
    """The running count before the round, where one is kept."""
    before: int
    """Cards that had left the shoe."""


def simulate_round(prepared: Prepared, block: int, number: int) -> Simulated:
    """Play the strand of one round of a block up to that round."""
    plan: Plan = prepared.plan
    if not 0 <= block < plan.blocks or not 0 <= number < plan.rounds_of(block):
        raise SimError(
            f"there is no round {block}:{number}: blocks go from 0 to {plan.blocks - 1}, "
            f"rounds from 0 to {plan.rounds_of(min(max(block, 0), plan.blocks - 1)) - 1}"
        )
    given = prepared.given
    kept, scratch = k.make_kept(given.shape), k.make_scratch(given.shape, given.rules)
    shoe = given.fresh.copy()
    strand, before = divmod(number, plan.per_strand)
    ctr, gamma = open_stream(plan.seed, block * LANES + strand)
    pos, count = 0 if given.shape.returns_late else shoe.size, 0
    start, step = UINT64(ctr), UINT64(gamma)
    pos, count, start = play_rounds(given, kept, scratch, shoe, pos, 0, count, start, step, 0, before)
    carried = tuple(tuple(bool(flag) for flag in row) for row in scratch.carried)
    play_rounds(given, kept, scratch, shoe, pos, 0, count, UINT64(start), step, 0, 1)
    dealt = scratch.drawn if given.form.fed else shoe
    cards = tuple(CARD_OF_CODE[int(code)] for code in dealt[kept.last[k.BEGIN] : kept.last[k.END]])
    sides = tuple(tuple(int(outcome) for outcome in row) for row in kept.last_sides)
    last = kept.last
    running, before = int(scratch.counted[0]), int(last[k.BEGIN])
    return Simulated(cards, int(last[k.WON]), int(last[k.BET]), bool(last[k.INSURES]), sides, carried, running, before)


def witness(prepared: Prepared, block: int, number: int, own_books: Iterable[Rulebook] = ()) -> Witnessed:
    """Deal a simulated round again at the table, with the same strategy; a game of the user's needs its book.

    If a side wager was carried to the round, the rounds that it comes from are dealt first.
    """
    rounds = [simulate_round(prepared, block, number)]
    if not rounds[0].bet:
        raise SimError(f"round {block}:{number} has no record: its schedule bets nothing there")
    while any(any(flags) for flags in rounds[0].carried):
        rounds.insert(0, simulate_round(prepared, block, number - len(rounds)))
    rules = prepared.rules
    options: dict[str, Any] = {name: value for name, value in rules.options.items() if value is not None}
    table = Table(
        rules.game,
        cards=" ".join(card for seen in rounds for card in seen.cards),
        side_wagers=[side.id for side in rules.side_wagers],
        readings=rules.readings,
        meters=_meters(prepared),
        own_books=own_books,
        **options,
    )
    sides: dict[tuple[str, str], Money] = {}
    for seen in rounds:
        if seen.bet:
            sides = _deal_again(prepared, seen, table)
    return Witnessed(rounds[-1].cards, prepared.plan.wager * rounds[-1].net / prepared.tables.unit, sides, table)


def _deal_again(prepared: Prepared, seen: Simulated, table: Table) -> dict[tuple[str, str], Money]:
    """Play a simulated round at the table; what the kernel says its side wagers won."""
    rules, wager = prepared.rules, prepared.plan.wager
    sides: dict[tuple[str, str], Money] = {}
    prizes: list[str] = []
    for box in range(1, prepared.plan.boxes + 1):
        table.bet(f"{box} box{box} {wager * seen.bet}")
        place = (box - 1) * rules.boxes_per_area
        for side, names, outcome in zip(rules.side_wagers, prepared.side_names, seen.sides[place], strict=False):
            table.bet(f"{box} box{box} {wager} {side.id}")
            sides[str(box), side.id] = wager * names.pays[outcome] / names.parts
            if side.prizes and outcome:
                prizes.append(f"{box} prize box{box} {side.prizes[outcome - 1][1]}")
    table.deal()
    for prize in prizes:
        table.do(prize)
    while table.state.phase is not Phase.SETTLED:
        strategy = prepared.strategy_at(_count_now(prepared, seen, table.state))
        table.do(_insurance(seen, wager, table.state) or _decision(strategy, table.state))
    return sides


def _count_now(prepared: Prepared, seen: Simulated, state: State) -> int:
    """The count as everybody at the table can keep it: of all cards but the one that the dealer hides."""
    schedule = prepared.plan.schedule
    if schedule is None or not schedule.plays:
        return 0
    shown = [card for box in state.boxes for hand in box.hands for card in hand.cards] + [state.dealer[0]]
    count = seen.running + sum(schedule.tags.get(card[0], 0) for card in shown)
    left = len(prepared.given.fresh) - seen.before - len(shown)
    return (count if schedule.running else count * 52 // left) // schedule.multiple


def _insurance(seen: Simulated, wager: Money, state: State) -> str:
    """The insurance that the schedule takes and that is not placed yet, box by box."""
    if seen.insures and state.phase is Phase.OFFERS:
        insured = {box.number for box in state.boxes for bettor in box.bettors if bettor.insurance is not None}
        for item in legal(state):
            if isinstance(item, cmd.Insure) and item.box not in insured:
                return words(replace(item, amount=wager * seen.bet / 2 * insurance_halves(state.packed)))
    return ""


def _meters(prepared: Prepared) -> dict[str, dict[str, Any]]:
    """Prize meters at the values the plan holds them at; they stand still, as in the kernel."""
    plan, names = prepared.plan, [name for side in prepared.rules.side_wagers for name in side.meters]
    return {name: {"seed": 0, "rate": 0, "value": plan.meters.get(name, Money(0)) * plan.wager} for name in names}


def _decision(strategy: Strategy, state: State) -> str:
    """What the strategy does now, in the notation of records; `proceed` where it takes nothing.

    The shoe ends with the last card that the simulator dealt, and a strategy that takes no card has had the choice.
    """
    found = legal(with_cards_to_spare(state))
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
            doubles, splits = can_double(state, hand), can_split(state, box, hand)
            legal_bits = action_set(state.packed, hand.hard, hand.aces, False, doubles, splits, True)
            if strategy.action(_question(state, box, hand, legal_bits)) == SURRENDER:
                return words(item)
    return "proceed"


def _question(state: State, box: Box, hand: Hand, legal_bits: int) -> Question:
    split = VALUE[hand.cards[0]] if hand.from_split else 0
    place = next(place for place, other in enumerate(box.hands) if other is hand)
    other = hand.from_split and not holds_own_stake(state.packed, split, place, len(box.hands))
    return Question(
        values=tuple(sorted(VALUE[card] for card in hand.cards)),
        total=hand.points,
        soft=hand.points != hand.hard,
        cards=len(hand.cards),
        from_split=hand.from_split,
        up=VALUE[state.dealer[0]],
        legal=legal_bits,
        other=other,
        free=other and split_is_free(state.packed, split),
        split_value=split,
        early_aces=sum(card[0] == "A" for card in hand.cards[:2]),
    )


def _acting(state: State, found: tuple[cmd.Command, ...]) -> tuple[str, Question, dict[int, cmd.Command]] | None:
    decisions = [item for item in found if isinstance(item, cmd.Hit | cmd.Stand | cmd.Split)]
    if not decisions:
        return None
    number = decisions[0].box
    box = state.boxes[state.box_index(number)]
    hand = next(hand for hand in box.hands if hand.status.value == "open")
    by_bit = {BITS[type(item)]: item for item in found if type(item) in BITS and getattr(item, "box", None) == number}
    return number, _question(state, box, hand, sum(by_bit)), by_bit


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
