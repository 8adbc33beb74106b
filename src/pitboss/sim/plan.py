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
from pitboss.play.packed import pack
from pitboss.play.settlement import always_wins
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.kernels.any_round import ALWAYS, IF_NOTHING_ELSE, MOST_COUNT
from pitboss.sim.kernels.arguments import MOST_HANDS, ONE_BOX, Form, Given, Shape
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.strategies import Strategy
from pitboss.sim.unfold.automaton import Automaton, unfold
from pitboss.sim.unfold.side_tables import SideNames, code, side_names, side_tables
from pitboss.sim.unfold.tables import Tables, build

BLOCK_ROUNDS = 1 << 20
COUNTS = 2 * MOST_COUNT + 1


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
    mid_shoe_entry: bool = True
    """One who has sat out a round (0 units) may come back before the next shoe."""


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

    @property
    def blocks(self) -> int:
        """How many blocks the rounds fill."""
        return -(-self.rounds // self.block_rounds)

    @property
    def per_strand(self) -> int:
        """Rounds that share a random stream: round n of a block belongs to strand n // per_strand."""
        return max(self.block_rounds // LANES, 1)

    def rounds_of(self, block: int) -> int:
        """Rounds in one block: the last may be shorter."""
        return min(self.block_rounds, self.rounds - block * self.block_rounds)


class Schedule(NamedTuple):
    """Bets, insurance and switches as a kernel looks them up."""

    bets: np.ndarray[Any, Any]
    insures_ace: np.ndarray[Any, Any]
    insures_ten: np.ndarray[Any, Any]
    tags: np.ndarray[Any, Any]
    """By code of the card."""
    switches: np.ndarray[Any, Any]
    mid_shoe_entry: int


class Prepared(NamedTuple):
    """A plan ready to be played."""

    plan: Plan
    rules: Rules
    strategy: Strategy
    tables: Tables
    given: Given
    side_names: tuple[SideNames, ...]
    automaton: Automaton | None
    """Where the rounds are those of an automaton."""


def prepare(rules: Rules, strategy: Strategy, plan: Plan) -> Prepared:
    """Turn rules, strategy and plan into what a kernel takes."""
    _check(rules, plan)
    tables = build(rules, strategy)
    arrays: dict[str, Any] = {
        name: value.reshape(-1) for name, value in tables._asdict().items() if isinstance(value, np.ndarray)
    }
    flat = tables._replace(**arrays)
    fresh = np.array([code(card) for card in decks(rules.decks, rules.deck_cards)], np.uint8)
    shape, packed = _shape(rules, plan, tables.unit, len(fresh)), pack(rules)
    beside = shape.sides or shape.counting or shape.detail or shape.hole or shape.burn_round
    form = Form((1,) if shape.boxes > 1 else (), (1,) if beside else ())
    given = Given(form, packed, flat, shape, fresh, _schedule(rules, strategy, plan), side_tables(rules))
    names = tuple(side_names(rules, side, tables.unit, plan.meters, plan.wager) for side in rules.side_wagers)
    automaton = None
    if form == ONE_BOX and not shape.returns_late and not plan.bankroll_units:
        automaton = unfold(packed, flat, shape)
    return Prepared(plan, rules, strategy, flat, given, names, automaton)


def _check(rules: Rules, plan: Plan) -> None:
    if rules.decks == 0:
        raise SimError("an infinite deck cannot be dealt from: name a number of decks")
    if rules.card_source == "device" and rules.discards_return == "mid-round":
        raise SimError("the simulator returns discards after a round: it has no device that is fed in mid-round")
    if max(rules.split_max_hands, rules.split_aces_max_hands) > MOST_HANDS:
        raise SimError(f"the simulator has room for {MOST_HANDS} hands in a box, and {rules.game} may split into more")
    if plan.burn_each_round and rules.burn_shoe != "optional-each-round":
        raise SimError(f"a card before every round is not burnt at {rules.game}")
    if plan.rounds < 1:
        raise SimError("rounds must be 1 or more")
    if not 1 <= plan.boxes <= rules.boxes_max:
        raise SimError(f"boxes must be from 1 to {rules.boxes_max}, not {plan.boxes}")
    if plan.burn is not None and (plan.burn < 0 or (plan.burn and rules.card_source == "device") or plan.burn > 52):
        raise SimError("burnt cards must be from 0 to 52, and none from a continuous device")
    if plan.bankroll_units is not None and (plan.bankroll_units < 1 or plan.horizon_rounds < 1):
        raise SimError("a bankroll is a whole number of units from 1, followed for 1 round or more")
    known = {name for side in rules.side_wagers for name in side.meters}
    for name in plan.meters:
        if name not in known:
            raise SimError(f"there is no meter '{name}' here; known are: {', '.join(sorted(known)) or 'none'}")
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
    if plan.fresh_shoe:
        if plan.penetration is not None or burns:
            raise SimError("a fresh shoe for every round has no cutting card and burns nothing")
        cut = burns = 0
    if burns is None:
        from_shoe = rules.burn_shoe in ("first-card-unseen", "optional-shown-on-request")
        burns = int(from_shoe and rules.card_source != "device")
    reserve = 24 * plan.boxes * rules.boxes_per_area
    most = max(size - reserve, size // 2)
    if plan.penetration is not None and cut > most:
        raise SimError(f"penetration {plan.penetration} does not leave the {reserve} cards that a round can take")
    bonus = rules.super_bonus_sums if rules.super_bonus else None
    always = bool(always_wins(pack(rules), 21, 2, True, False))
    return Shape(
        boxes=plan.boxes * rules.boxes_per_area,
        sides=len(rules.side_wagers),
        counting=int(plan.schedule is not None),
        detail=int(plan.detail),
        switch=int(rules.switch),
        tokens=int(rules.double_stake == "token"),
        cut=min(cut, most),
        burn=burns,
        burn_round=int(not plan.fresh_shoe and _burns_each_round(rules, plan)),
        returns_late=int(
            rules.card_source == "device" and rules.discards_return == "after-next-initial-deal" and not plan.fresh_shoe
        ),
        hole=int(rules.hole_card != "none"),
        peek=int(rules.hole_card == "peek"),
        early_surrender=int(rules.surrender_when != "own-turn"),
        split_max_hands=rules.split_max_hands,
        split_aces_max_hands=rules.split_aces_max_hands,
        declined_bars=int(rules.split_declined_bars),
        surrender_whole=int(rules.surrender_vs_natural == "whole-stake-lost" and rules.surrender_settled != "at-once"),
        surrender_waits=int(rules.surrender_settled != "at-once"),
        naturals_win=int(always),
        natural_fails=int(not rules.natural_beats_drawn_21 or rules.natural_vs_push_total == "stand-off"),
        completes=_completes(rules),
        super_bonus=0 if bonus is None else int(bonus.pays(plan.wager) * unit / plan.wager),
        super_bonus_others=0 if bonus is None else int(bonus.others * unit / plan.wager),
        insurance_on_ace=_insurance(rules.insurance_odds_ace, unit) if rules.insurance_on_ace else 0,
        insurance_on_ten=_insurance(rules.insurance_odds_ten, unit) if rules.insurance_on_ten else 0,
    )


def _burns_each_round(rules: Rules, plan: Plan) -> bool:
    device = rules.card_source == "device" and rules.burn_device == "first-card-unseen"
    return plan.burn_each_round or (device and rules.burn_device_when == "each-round")


def _completes(rules: Rules) -> int:
    """When the dealer draws on for a side wager on his hand."""
    if not any(side.judge == "buster" for side in rules.side_wagers):
        return 0
    return IF_NOTHING_ELSE if rules.dealer_completes_for_side_wagers == "listed-cases" else ALWAYS


def _insurance(odds: Odds | None, unit: int) -> int:
    """What insurance of half a wager wins, in parts."""
    return 0 if odds is None else unit // 2 * odds.win // odds.stake


def _schedule(rules: Rules, strategy: Strategy, plan: Plan) -> Schedule:
    bets, on_ace, on_ten = np.ones(COUNTS, np.int64), np.zeros(COUNTS, np.int64), np.zeros(COUNTS, np.int64)
    tags = np.zeros(64, np.int64)
    bet = plan.schedule
    if bet is not None:
        for place in range(COUNTS):
            bets[place] = _units(bet, place - MOST_COUNT)
            on_ace[place] = int(bet.insure_from is not None and place - MOST_COUNT >= bet.insure_from)
            on_ten[place] = int(bet.insure_ten_from is not None and place - MOST_COUNT >= bet.insure_ten_from)
        if bet.insure_from is not None and not rules.insurance_on_ace:
            raise SimError(f"{rules.game} has no insurance against an ace")
        if bet.insure_ten_from is not None and not rules.insurance_on_ten:
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
    return Schedule(bets, on_ace, on_ten, tags, switches, int(bet is None or bet.mid_shoe_entry))


def _units(schedule: BetSchedule, count: int) -> int:
    if not schedule.units or any(not 0 <= amount <= 1000 for _, amount in schedule.units):
        raise SimError("a bet schedule needs units from 0 to 1000: write [[true count, units], ...]")
    units = schedule.units[0][1]
    for start, amount in schedule.units:
        if count >= start:
            units = amount
    return units
