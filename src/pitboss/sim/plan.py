"""What is to be simulated, cut into blocks that any worker can play: the plan and what a kernel needs of it.

A plan with a seed fixes every card of every round. A block is a whole number of rounds with a random stream of its
own; its sums depend on the plan and its number alone, so blocks may be played in any order, anywhere, and merged.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.cards import CODE, RANKS, deck, decks
from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.money import Money
from pitboss.play.dealer import dealer_looks, has_hole_card
from pitboss.play.hands import ACE, TEN
from pitboss.play.insurance import insurance_offered
from pitboss.play.packed import Packed, pack
from pitboss.play.settlement import parts_of_a_wager
from pitboss.play.shoe import (
    burns_every_round,
    burns_unseen,
    cut_card_range,
    returns_after_next_deal,
    returns_within_round,
)
from pitboss.play.side_wagers.judges import (
    BY_DEALER_HAND,
    BY_FOUR_CARDS,
    BY_THIRD_CARD,
    BY_TOKENS,
    JUDGES,
    look_at_dealer_hand,
)
from pitboss.play.side_wagers.side_stakes import fault_of_stakes
from pitboss.play.side_wagers.side_tables import SideNames, build_side_tables
from pitboss.play.switching import is_played_before_switch
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.kernels.arguments import CORRECTED_ROUND, MOST_COUNT, Form, Given, Schedule, Shape
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.plays_by_count import CountPlay, play_by_count
from pitboss.sim.strategies import Strategy
from pitboss.sim.unfold.box_automaton import BoxAutomaton, unfold_boxes
from pitboss.sim.unfold.later_rounds import know_later_rounds, no_later_rounds, value_shares
from pitboss.sim.unfold.luck_tables import NO_TAGS, CountTags, no_luck, value_states
from pitboss.sim.unfold.side_values import no_side_luck, value_sides
from pitboss.sim.unfold.split_automaton import LaneAutomaton, unfold_lanes
from pitboss.sim.unfold.tables import WIDTH, PlayTables, build

BLOCK_ROUNDS = 1 << 20
COUNTS = 2 * MOST_COUNT + 1
MOST_MULTIPLE, MOST_TAG = 60, 1_000_000
CARDS_PER_BOX = 24
"""What a round can take of a shoe for each box of a few hands, and more than it ever does."""


class SimError(PitbossError):
    """A simulation that cannot be run as asked."""


class BetSchedule(msgspec.Struct, frozen=True):
    """Bets by true count: a tag for each rank (`A23456789TJQK`), units from a count on, insurance from a count on."""

    tags: dict[str, int]
    units: tuple[tuple[int, int], ...]
    """(true count from which, units), in ascending order; below the first, the first units are bet."""
    insure_from: int | None = None
    """Insure against an ace from this true count on."""
    insure_ten_from: int | None = None
    """The same against a ten, where the house offers it."""
    plays: tuple[CountPlay, ...] = ()
    """Decisions that follow the count of their moment, with all cards seen; insurance then does so, too."""
    multiple: int = 1
    """What tags and start are multiplied by to be whole."""
    start: int = 0
    """The count of a new shoe, times `multiple`."""
    running: bool = False
    """Bets and plays go by the running count."""
    mid_shoe_entry: bool = True
    """One who has sat out a round (0 units) may come back before the next shoe."""


class CountKept(msgspec.Struct, frozen=True):
    """A count that is kept beside the game: the rounds are sorted by it, and nobody's bets follow it."""

    tags: dict[str, int]
    """By rank, times `multiple`."""
    multiple: int = 1
    running: bool = False
    """Rounds are sorted by the running count, and not by the true count."""
    start: int = 0
    """The count of a new shoe, times `multiple`."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One simulation, apart from the rules and the strategy."""

    rounds: int
    seed: int = 1
    boxes: int = 1
    penetration: Money | None = None
    """Share of the shoe dealt before the cutting card comes; none: three quarters, or the nearest the book allows."""
    burn: int | None = None
    """Cards burnt from a new shoe; none: what the book says."""
    burn_each_round: bool = False
    """One card is burnt before every round, where the house may choose that."""
    fresh_shoe: bool = False
    """Every round is the first of a full shoe: what the analyser's figures are about."""
    schedule: BetSchedule | None = None
    meters: dict[str, Money] = {}
    """Prize meters, per unit staked on the side wager."""
    detail: bool = False
    bankroll_units: int | None = None
    horizon_rounds: int = 1000
    wager: Money = Money(25)
    """The size of one unit in money: the Super Bonus depends on it."""
    block_rounds: int = BLOCK_ROUNDS
    corrected: bool = False
    """Also sum the luck of the cards, and subtract it: slower rounds, of which far fewer are needed."""
    count: CountKept | None = None
    """Corrected rounds are also sorted by this count."""

    @property
    def blocks(self) -> int:
        """How many blocks the rounds fill."""
        return -(-self.rounds // self.block_rounds)

    @property
    def per_strand(self) -> int:
        """Rounds that share a random stream: round n of a block belongs to strand n // per_strand.

        A block has no more strands than there are lanes: the streams after them are those of the next block.
        """
        return -(-self.block_rounds // LANES)

    def rounds_of(self, block: int) -> int:
        """Rounds in one block: the last may be shorter."""
        return min(self.block_rounds, self.rounds - block * self.block_rounds)


class Prepared(NamedTuple):
    """A plan ready to be played."""

    plan: Plan
    rules: Rules
    strategy: Strategy
    tables: PlayTables
    given: Given
    side_names: tuple[SideNames, ...]
    automaton: LaneAutomaton | BoxAutomaton | None
    """Where the rounds are those of an automaton, as a whole or box by box."""
    by_count: tuple[Strategy, ...] = ()
    """What the strategy becomes with the count, where plays follow it."""

    def strategy_at(self, count: int) -> Strategy:
        """How a hand is played at a count."""
        if not self.by_count:
            return self.strategy
        place = min(max(count, -MOST_COUNT), MOST_COUNT) + MOST_COUNT
        states = len(self.tables.act) // WIDTH
        return self.by_count[int(self.given.schedule.plays[place]) // states]


def check_plan(rules: Rules, plan: Plan) -> None:
    """Refuse what cannot be simulated, before anything is worked out for it."""
    _check(rules, plan)
    _shape(rules, plan, parts_of_a_wager(pack(rules)), rules.decks * len(deck(rules.deck_cards)))


def prepare(rules: Rules, strategy: Strategy, plan: Plan) -> Prepared:
    """Turn rules, strategy and plan into what a kernel takes."""
    _check(rules, plan)
    by_count, places = _strategies(strategy, plan)
    tables = build(rules, strategy, by_count)
    fresh = np.array([CODE[card] for card in decks(rules.decks, rules.deck_cards)], np.uint8)
    shape, packed = _shape(rules, plan, tables.unit, len(fresh)), pack(rules)
    beside = shape.sides or shape.counting or shape.detail or shape.burn_round
    second_card = has_hole_card(packed) or dealer_looks(packed, ACE)
    fed = returns_within_round(rules, device=rules.card_source == "device") and not plan.fresh_shoe
    form = Form((1,) if shape.boxes > 1 else (), (1,) if beside or second_card else (), (1,) if fed else ())
    form = CORRECTED_ROUND._replace(fed=form.fed) if plan.corrected else form
    meters = {name: value * plan.wager for name, value in plan.meters.items()}
    stakes = {side.id: plan.wager for side in rules.side_wagers}
    sides, names = build_side_tables(rules, tables.unit, meters, stakes)
    schedule = _schedule(rules, packed, strategy, plan)
    luck, side_luck, later = no_luck(), no_side_luck(), no_later_rounds()
    if plan.corrected:
        luck = value_states(packed, tables, fresh, _count_tags(plan.count), schedule.switches)
        if shape.cut > 0 and plan.count is None:
            gain = value_shares(packed, tables, fresh, schedule.switches, plan.boxes)
            later = know_later_rounds(gain, fresh.size, shape.cut, shape.boxes)
        side_luck = value_sides(packed, tables, sides, shape.sides, plan.boxes, fresh) if shape.sides else side_luck
    schedule = schedule._replace(plays=np.array(places, np.int64) * (len(tables.act) // WIDTH))
    given = Given(form, packed, tables, shape, fresh, schedule, sides, luck, side_luck, later)
    return Prepared(plan, rules, strategy, tables, given, names, _automaton(plan, given), by_count)


def _strategies(strategy: Strategy, plan: Plan) -> tuple[tuple[Strategy, ...], tuple[int, ...]]:
    """What a strategy becomes with the count, and which of them it is at each."""
    if plan.schedule is None or not plan.schedule.plays:
        return (), (0,) * COUNTS
    return play_by_count(strategy, plan.schedule.plays, -MOST_COUNT, MOST_COUNT)


def _automaton(plan: Plan, given: Given) -> LaneAutomaton | BoxAutomaton | None:
    """The automaton of the rounds, where nothing in them reaches beyond it."""
    rules, shape, form = given.rules, given.shape, given.form
    if form.fed or plan.count is not None or shape.returns_late or shape.counting or shape.detail or shape.burn_round:
        return None
    if plan.bankroll_units or (dealer_looks(rules, ACE) and not has_hole_card(rules)):
        return None
    if shape.boxes == 1 and not shape.sides:
        return unfold_lanes(rules, given.tables, shape.super_bonus, given.luck if form.valued else None)
    if form.valued:
        return None
    looks_on = bool(shape.sides) and not set(given.sides.source.tolist()).isdisjoint({BY_THIRD_CARD, BY_TOKENS})
    return unfold_boxes(
        rules, given.tables, given.schedule.switches, dealer_side=bool(shape.dealer_side), looks_on=looks_on
    )


def _count_tags(count: CountKept | None) -> CountTags:
    if count is None:
        return NO_TAGS
    tags = np.zeros(64, np.int64)
    for rank, tag in count.tags.items():
        tags[[RANKS.index(rank) | suit << 4 for suit in range(4)]] = tag
    return CountTags(tags, count.multiple, int(count.running), count.start)


def _check(rules: Rules, plan: Plan) -> None:
    if rules.decks == 0:
        raise SimError("an infinite deck cannot be dealt from: name a number of decks")
    if is_played_before_switch(pack(rules)):
        raise SimError("the simulator plays no automatic draws and no surrender before second cards are switched")
    if plan.burn_each_round and rules.burn_shoe != "optional-each-round":
        raise SimError(f"{rules.game} does not burn a card before every round")
    if plan.schedule is not None:
        _check_schedule(rules, plan.schedule)
    if plan.rounds < 1:
        raise SimError("rounds must be 1 or more")
    if not 1 <= plan.boxes <= rules.boxes_max:
        raise SimError(f"boxes must be from 1 to {rules.boxes_max}, not {plan.boxes}")
    if plan.burn is not None and (plan.burn < 0 or (plan.burn and rules.card_source == "device") or plan.burn > 52):
        raise SimError("burnt cards must be from 0 to 52, and none from a continuous device")
    if plan.bankroll_units is not None and (plan.bankroll_units < 1 or plan.horizon_rounds < 1):
        raise SimError("a bankroll must be 1 unit or more in whole units, followed for 1 round or more")
    for side in rules.side_wagers:
        if rules.switch and JUDGES[side.judge].looks_at not in (BY_FOUR_CARDS, BY_DEALER_HAND):
            raise SimError(f"the simulator has no {side.name} where second cards are switched")
    units = {side.id: plan.wager for side in rules.side_wagers}
    if fault := fault_of_stakes(rules, units, plan.wager):
        raise SimError(f"a unit on each side wager is too much: {fault}")
    known = {name for side in rules.side_wagers for name in side.meters}
    for name in plan.meters:
        if name not in known:
            raise SimError(f"there is no meter '{name}' here; {nearest(name, known)}")
    if not 0 <= plan.seed < 1 << 63:
        raise SimError("the seed must be a whole number from 0 to 2^63 - 1")


def _check_schedule(rules: Rules, schedule: BetSchedule) -> None:
    if not 1 <= schedule.multiple <= MOST_MULTIPLE:
        raise SimError(f"tags are multiplied by 1 to {MOST_MULTIPLE}, not {schedule.multiple}")
    if any(abs(number) > MOST_TAG for number in (*schedule.tags.values(), schedule.start)):
        raise SimError(f"tags and the count of a new shoe must be from -{MOST_TAG:,} to {MOST_TAG:,}")
    if schedule.plays and rules.switch:
        raise SimError("no plays follow the count where second cards are switched")
    if schedule.plays and rules.card_source == "device":
        raise SimError("a device takes its cards back: no plays follow a count there")


def cut_position(rules: Rules, penetration: Money | None, size: int) -> int:
    """Cards before the cutting card, inside what the book allows; 0 for a continuous device."""
    if rules.card_source == "device":
        if penetration is not None:
            raise SimError("a continuous device has no cut card: leave penetration out")
        return 0
    least, most = cut_card_range(rules, size)
    deepest, shallowest = size - least, size - most
    if penetration is None:
        return min(max(size * 3 // 4, shallowest), deepest)
    cut = int(penetration * size)
    if not shallowest <= cut <= deepest or not 0 < penetration <= 1:
        clauses = rules.cite("cut_card_min_half_decks").clauses
        cited = f" (clause {', '.join(clauses)})" if clauses else ""
        low, high = Money(shallowest) / size, Money(deepest) / size
        raise SimError(f"penetration must be from {low:.2f} to {high:.2f}{cited}, not {penetration}")
    return cut


def _shape(rules: Rules, plan: Plan, unit: int, size: int) -> Shape:
    cut = cut_position(rules, plan.penetration, size)
    burns = plan.burn
    if plan.fresh_shoe:
        if plan.penetration is not None or burns:
            raise SimError("a fresh shoe for every round has no cut card and burns nothing")
        cut = burns = 0
    device = rules.card_source == "device"
    if burns is None:
        burns = int(not device and burns_unseen(rules, device=False))
    reserve = CARDS_PER_BOX * plan.boxes * rules.boxes_per_area
    most = max(size - reserve, size // 2)
    if plan.penetration is not None and cut > most:
        raise SimError(f"penetration {plan.penetration} does not leave the {reserve} cards that a round can take")
    bonus = rules.super_bonus_sums if rules.super_bonus else None
    return Shape(
        boxes=plan.boxes * rules.boxes_per_area,
        sides=len(rules.side_wagers),
        dealer_side=int(look_at_dealer_hand(side.judge for side in rules.side_wagers)),
        counting=int(plan.schedule is not None),
        plays=int(plan.schedule is not None and bool(plan.schedule.plays)),
        detail=int(plan.detail),
        cut=min(cut, most),
        burn=burns,
        burn_round=int(not plan.fresh_shoe and (plan.burn_each_round or burns_every_round(rules, device=device))),
        returns_late=int(returns_after_next_deal(rules, device=device) and not plan.fresh_shoe),
        super_bonus=0 if bonus is None else int(bonus.pays(plan.wager) * unit / plan.wager),
        super_bonus_others=0 if bonus is None else int(bonus.others * unit / plan.wager),
    )


def _schedule(rules: Rules, packed: Packed, strategy: Strategy, plan: Plan) -> Schedule:
    bets, on_ace, on_ten = np.ones(COUNTS, np.int64), np.zeros(COUNTS, np.int64), np.zeros(COUNTS, np.int64)
    tags = np.zeros(64, np.int64)
    bet = plan.schedule
    if bet is not None:
        for place in range(COUNTS):
            bets[place] = _units(bet, place - MOST_COUNT)
            on_ace[place] = int(bet.insure_from is not None and place - MOST_COUNT >= bet.insure_from)
            on_ten[place] = int(bet.insure_ten_from is not None and place - MOST_COUNT >= bet.insure_ten_from)
        if bet.insure_from is not None and not insurance_offered(packed, ACE):
            raise SimError(f"{rules.game} has no insurance against an ace")
        if bet.insure_ten_from is not None and not insurance_offered(packed, TEN):
            raise SimError(f"{rules.game} has no insurance against a ten as its options are set")
        for rank, tag in bet.tags.items():
            if rank not in RANKS or len(rank) != 1:
                raise SimError(f"'{rank}' is not a rank: count tags are for {', '.join(RANKS)}")
            tags[[RANKS.index(rank) | suit << 4 for suit in range(4)]] = tag
    switches = np.zeros(10**5 if rules.switch else 1, np.uint8)
    if rules.switch:
        for place in range(10**5):
            up, b_two, b_one, a_two, a_one = (place // 10**power % 10 + 1 for power in range(5))
            switches[place] = int(strategy.switches((a_one, a_two), (b_one, b_two), up))
    kept = bet or BetSchedule({}, ())
    return Schedule(
        bets, on_ace, on_ten, tags, switches, int(kept.mid_shoe_entry), np.zeros(COUNTS, np.int64), kept.start,
        kept.multiple, int(kept.running),
    )  # fmt: skip


def _units(schedule: BetSchedule, count: int) -> int:
    if not schedule.units or any(not 0 <= amount <= 1000 for _, amount in schedule.units):
        raise SimError("a bet schedule needs units from 0 to 1000: write [[true count, units], ...]")
    units = schedule.units[0][1]
    for start, amount in schedule.units:
        if count >= start:
            units = amount
    return units
