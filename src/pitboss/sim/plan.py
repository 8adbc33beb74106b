"""What is to be simulated, cut into blocks that any worker can play: the plan and what a kernel needs of it.

A plan with a seed fixes every card of every round. A block is a whole number of rounds with a random stream of its
own; its sums depend on the plan and its number alone, so blocks may be played in any order, anywhere, and merged.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np

from pitboss.cards import RANKS, decks
from pitboss.errors import PitbossError
from pitboss.money import Money, Odds
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks.rules import MeterShare, Rules, SideWager
from pitboss.sim.judges import BLACKPOT, JUDGE_NUMBERS, code
from pitboss.sim.kernel import MOST_OUTCOMES, Form, Shape
from pitboss.sim.strategies import Strategy
from pitboss.sim.tables import Tables, build

BLOCK_ROUNDS = 1 << 16
COUNTS = 41
"""True counts from -20 to +20."""


class SimError(PitbossError):
    """A simulation that cannot be run as asked."""


class BetSchedule(msgspec.Struct, frozen=True):
    """Bets by true count: a tag for each rank (`A23456789TJQK`), units from a count on, insurance from a count on."""

    tags: dict[str, int]
    units: tuple[tuple[int, int], ...]
    """(true count from which, units), in ascending order; below the first, the first units are bet."""
    insure_from: int | None = None


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One simulation, apart from the rules and the strategy."""

    rounds: int
    seed: int = 1
    boxes: int = 1
    penetration: Money | None = None
    """Share of the shoe dealt before the cutting card comes; none: three quarters, or the nearest the book allows."""
    burn: int | None = None
    """Cards burnt from a new shoe; none: what the book says."""
    schedule: BetSchedule | None = None
    meters: dict[str, Money] = {}
    """Prize meters, per unit staked on the side wager."""
    detail: bool = False
    bankroll_units: int | None = None
    horizon_rounds: int = 1000
    wager: Money = Money(25)
    """The size of one unit in money: the Super Bonus depends on it."""
    block_rounds: int = BLOCK_ROUNDS

    @property
    def blocks(self) -> int:
        """How many blocks the rounds fill."""
        return -(-self.rounds // self.block_rounds)

    def rounds_of(self, block: int) -> int:
        """Rounds in one block: the last may be shorter."""
        return min(self.block_rounds, self.rounds - block * self.block_rounds)


class Schedule(NamedTuple):
    """Bets, insurance and switches as a kernel looks them up."""

    bets: np.ndarray[Any, Any]
    insures: np.ndarray[Any, Any]
    tags: np.ndarray[Any, Any]
    switches: np.ndarray[Any, Any]


class Sides(NamedTuple):
    """Side wagers as a kernel looks them up."""

    judge: np.ndarray[Any, Any]
    pays: np.ndarray[Any, Any]
    prizes: np.ndarray[Any, Any]
    prize_ends: np.ndarray[Any, Any]
    prize_total: int


class Prepared(NamedTuple):
    """A plan ready to be played."""

    plan: Plan
    rules: Rules
    strategy: Strategy
    packed: Packed
    tables: Tables
    form: Form
    shape: Shape
    fresh: np.ndarray[Any, Any]
    schedule: Schedule
    sides: Sides


def prepare(rules: Rules, strategy: Strategy, plan: Plan) -> Prepared:
    """Turn rules, strategy and plan into what a kernel takes."""
    _check(rules, plan)
    tables = build(rules, strategy)
    arrays: dict[str, Any] = {
        name: value.reshape(-1) for name, value in tables._asdict().items() if isinstance(value, np.ndarray)
    }
    flat = tables._replace(**arrays)
    boxes = plan.boxes * rules.boxes_per_area
    form = Form(
        boxes=boxes,
        switch=int(rules.switch),
        tokens=int(rules.double_stake == "token"),
        sides=len(rules.side_wagers),
        counting=int(plan.schedule is not None),
        suits=int(rules.bonus_table != "none"),
        detail=int(plan.detail),
    )
    fresh = np.array([code(card) for card in decks(rules.decks, rules.deck_cards)], np.uint16)
    return Prepared(
        plan, rules, strategy, pack(rules), flat, form, _shape(rules, plan, tables.unit, len(fresh)), fresh,
        _schedule(rules, strategy, plan), _sides(rules, plan, tables.unit),
    )  # fmt: skip


def _check(rules: Rules, plan: Plan) -> None:
    if rules.decks == 0:
        raise SimError("an infinite deck cannot be dealt from: name a number of decks")
    if rules.hole_card != "none":
        raise SimError("the simulator plays games without a hole card; use the analyser for hole-card games")
    if plan.rounds < 1:
        raise SimError("rounds must be 1 or more")
    if not 1 <= plan.boxes <= rules.boxes_max:
        raise SimError(f"boxes must be from 1 to {rules.boxes_max}, not {plan.boxes}")
    if not 0 <= plan.seed < 1 << 63:
        raise SimError("the seed must be a whole number from 0 to 2^63 - 1")


def cut_position(rules: Rules, penetration: Money | None, size: int) -> int:
    """Cards before the cutting card, inside what the book allows; 0 for a continuous device."""
    if rules.card_source == "device":
        if penetration is not None:
            raise SimError("a continuous device has no cutting card: leave penetration out")
        return 0
    half_deck = rules.deck_cards // 2
    deepest = size - rules.cut_card_min_half_decks * half_deck
    furthest = size // 2 if rules.cut_card_max_half_decks is None else rules.cut_card_max_half_decks * half_deck
    shallowest = size - furthest
    if penetration is None:
        return min(max(size * 3 // 4, shallowest), deepest)
    cut = int(penetration * size)
    if not shallowest <= cut <= deepest or not 0 < penetration <= 1:
        clauses = ", ".join(rules.cite("cut_card_min_half_decks").clauses)
        low, high = Money(shallowest) / size, Money(deepest) / size
        raise SimError(f"penetration must be from {low:.2f} to {high:.2f} (clause {clauses}), not {penetration}")
    return cut


def _shape(rules: Rules, plan: Plan, unit: int, size: int) -> Shape:
    cut = cut_position(rules, plan.penetration, size)
    burns = plan.burn
    if burns is None:
        burns = int(rules.burn_shoe == "first-card-unseen" and rules.card_source != "device")
    reserve = 24 * plan.boxes * rules.boxes_per_area
    bonus = 0
    if rules.super_bonus and rules.super_bonus_sums is not None:
        bonus = int(rules.super_bonus_sums.pays(plan.wager) * unit / plan.wager)
    return Shape(
        cut=min(cut, max(size - reserve, size // 2)) if cut else 0,
        burn=burns,
        returns_late=int(rules.card_source == "device" and rules.discards_return == "after-next-initial-deal"),
        split_max_hands=rules.split_max_hands,
        split_aces_max_hands=rules.split_aces_max_hands,
        declined_bars=int(rules.split_declined_bars),
        surrender_whole=int(rules.surrender_vs_natural == "whole-stake-lost"),
        naturals_win=int(rules.natural_vs_natural == "win"),
        completes=int(any(side.judge == "buster" for side in rules.side_wagers)),
        super_bonus=bonus,
    )


def _schedule(rules: Rules, strategy: Strategy, plan: Plan) -> Schedule:
    bets, insures = np.ones(COUNTS, np.int64), np.zeros(COUNTS, np.int64)
    tags = np.zeros(len(RANKS), np.int64)
    if plan.schedule is not None:
        for place in range(COUNTS):
            bets[place] = _units(plan.schedule, place - 20)
            insures[place] = int(plan.schedule.insure_from is not None and place - 20 >= plan.schedule.insure_from)
        for rank, tag in plan.schedule.tags.items():
            if rank not in RANKS or len(rank) != 1:
                raise SimError(f"'{rank}' is not a rank: count tags are for {', '.join(RANKS)}")
            tags[RANKS.index(rank)] = tag
    switches = np.zeros(11**5 if rules.switch else 1, np.uint8)
    if rules.switch:
        for place in range(11**5):
            up, b_two, b_one, a_two, a_one = (place // 11**power % 11 for power in range(5))
            if min(up, a_one, a_two, b_one, b_two) > 0:
                switches[place] = int(strategy.switches((a_one, a_two), (b_one, b_two), up))
    return Schedule(bets, insures, tags, switches)


def _units(schedule: BetSchedule, count: int) -> int:
    if not schedule.units:
        raise SimError("a bet schedule needs units: write [[true count, units], ...]")
    units = schedule.units[0][1]
    for start, amount in schedule.units:
        if count >= start:
            units = amount
    return units


def _sides(rules: Rules, plan: Plan, unit: int) -> Sides:
    count = max(len(rules.side_wagers), 1)
    judge = np.zeros(count, np.int64)
    pays = np.full((count, MOST_OUTCOMES), -unit, np.int64)
    prizes, ends = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for number, side in enumerate(rules.side_wagers):
        judge[number] = JUDGE_NUMBERS[side.judge]
        for place, outcome in enumerate(side.odds, start=1):
            pays[number, place] = _parts(plan, side, outcome, unit)
        if judge[number] == BLACKPOT:
            pays[number, :6] = _blackpot(pays[number, 1:5], unit)
        if side.prizes:
            prizes = np.array([prize for _, prize in side.prizes], np.int64)
            ends = np.cumsum([times for times, _ in side.prizes])
    return Sides(judge, pays, prizes, ends, int(ends[-1]) or 1)


def _parts(plan: Plan, side: SideWager, outcome: str, unit: int) -> int:
    """What an outcome pays one unit, in parts."""
    odds = side.odds[outcome]
    if isinstance(odds, Odds):
        return unit * odds.win // odds.stake
    assert isinstance(odds, MeterShare)
    meter = plan.meters.get(odds.meter, Money(0))
    return int(meter * odds.percent * unit / 100)


def _blackpot(pays: np.ndarray[Any, Any], unit: int) -> list[int]:
    """Net of a whole round for each way it can go: fresh, then carried."""
    two, three, carried_two, carried_three = (int(pay) for pay in pays)
    return [-unit, two - unit, two + three, -unit, carried_two - unit, carried_two + carried_three]
