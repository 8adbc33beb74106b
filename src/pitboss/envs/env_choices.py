"""What is chosen when an environment is made: the game with its options, the shoe, and the wagers in money."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from pitboss.cards import CODE, Card, decks, parse_cards
from pitboss.envs.brief_tables import BRIEF_SIZE, fill_tables
from pitboss.envs.compiled_rows import Dealing, EnvGame, TablePlay
from pitboss.envs.fields import MOST_BET, USUAL_HANDS
from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.money import Money, parse_money
from pitboss.play.insurance import insurance_halves
from pitboss.play.packed import Packed, pack
from pitboss.play.round.row import MOST_HANDS, Area, new_row
from pitboss.play.settlement import parts_of_a_wager
from pitboss.play.shoe import returns_after_next_deal, returns_within_round
from pitboss.play.side_wagers.judges import BY_DEALER_HAND, BY_FOUR_CARDS, INTERIM, JUDGES, look_at_dealer_hand
from pitboss.play.side_wagers.side_stakes import fault_of_stakes
from pitboss.play.side_wagers.side_tables import MOST_OUTCOMES, SideNames, build_side_tables
from pitboss.rulebooks import Rulebook, Rules, rules_for
from pitboss.sim.plan import CARDS_PER_BOX, cut_position

SideWagers = Iterable[str] | Mapping[str, Any]
"""Side wagers by name, each for as much as the main wager; or each with its stake."""


MOST_BETS = 20
"""Bets among which an agent may choose."""


class EnvError(PitbossError):
    """An environment that cannot be made as asked, or is used out of order."""


class Chosen(NamedTuple):
    """A game, resolved, with its shoe and its wagers."""

    rules: Rules
    stake: Money
    bets: tuple[int, ...]
    """How many such wagers may be staked on a round, chosen before each; empty if it is always one."""
    side_stakes: dict[str, Money]
    """What is staked on each side wager, every round."""
    meters: dict[str, Money]
    """What each prize meter shows, whenever it is read."""
    cut: int
    """A new shoe is begun when so many cards are dealt at the start of a round; 0: for every round."""
    fresh: tuple[Card, ...]
    """All cards of the shoe, unshuffled."""

    @property
    def from_device(self) -> bool:
        """Cards come from a device that holds some of them back: a fresh shoe for every round would be wrong."""
        return self.feeds_device or self.feeds_late

    @property
    def feeds_device(self) -> bool:
        """Collected cards go back into the device within the round."""
        return returns_within_round(self.rules, device=self.rules.card_source == "device")

    @property
    def feeds_late(self) -> bool:
        """The cards of a round go back when the next one is dealt."""
        return returns_after_next_deal(self.rules, device=self.rules.card_source == "device")

    @property
    def hands(self) -> int:
        """Hands for which a box has room: as many as may be split, and as there are cards of one value to split."""
        return min(self.rules.split_max_hands, 16 * self.rules.decks, MOST_HANDS)


def choose(
    game: str,
    stake: Any,
    penetration: float | None,
    seats: int,
    side_wagers: SideWagers,
    meters: Mapping[str, Any] | None,
    readings: Mapping[str, str] | None,
    own_books: Iterable[Rulebook],
    options: Mapping[str, Any],
    bets: Iterable[int] = (),
) -> Chosen:
    """Resolve what was chosen; what the book does not allow is refused with its clause."""
    named = [side_wagers] if isinstance(side_wagers, str) else list(side_wagers)
    rules = rules_for(game, tuple(own_books), readings=dict(readings or {}), side_wagers=named, **options)
    if rules.decks == 0:
        raise EnvError("an infinite deck cannot be dealt from: name a number of decks")
    if not 1 <= seats <= rules.boxes_max:
        raise EnvError(f"boxes must be from 1 to {rules.boxes_max}, not {seats}")
    money = _stake(stake, "the stake")
    fresh = decks(rules.decks, rules.deck_cards)
    cut = 0
    if penetration is not None:
        most = len(fresh) - CARDS_PER_BOX * seats * rules.boxes_per_area
        if rules.split_max_hands > USUAL_HANDS:
            most = min(most, len(fresh) // 2)
        cut = min(cut_position(rules, Money(str(penetration)), len(fresh)), most)
    given = side_wagers if isinstance(side_wagers, Mapping) else {}
    stakes = {side.id: _stake(given.get(side.id, money), side.name) for side in rules.side_wagers}
    if fault := fault_of_stakes(rules, stakes, money):
        raise EnvError(f"these stakes on side wagers are too much: {fault}")
    return Chosen(rules, money, _bets(bets), stakes, _meters(rules, meters or {}), cut, fresh)


def _bets(given: Iterable[int]) -> tuple[int, ...]:
    bets = tuple(given)
    if any(isinstance(bet, bool) or not isinstance(bet, int | np.integer) or not 1 <= bet <= MOST_BET for bet in bets):
        raise EnvError(f"bets must be whole numbers of wagers from 1 to {MOST_BET}, not {bets}")
    if len(set(bets)) != len(bets) or len(bets) > MOST_BETS:
        raise EnvError(f"bets must be different, and {MOST_BETS} at most")
    return tuple(int(bet) for bet in bets)


def _stake(amount: Any, what: str) -> Money:
    money = parse_money(amount)
    if money <= 0:
        raise EnvError(f"{what} must be above zero, not {amount}")
    return money


def _meters(rules: Rules, given: Mapping[str, Any]) -> dict[str, Money]:
    """What the meters of the side wagers show; one that is not told shows nothing."""
    known = [name for side in rules.side_wagers for name in side.meters]
    for name in given:
        if name not in known:
            raise EnvError(f"there is no meter '{name}' here; {nearest(name, known)}")
    return {name: parse_money(given.get(name, 0)) for name in known}


def shoe_from(fresh: Sequence[Card], cards: Any) -> tuple[Card, ...]:
    """A whole shoe that begins with these cards, given as a text of records or one by one."""
    begun = parse_cards(cards) if isinstance(cards, str) else parse_cards(" ".join(cards))
    left = list(fresh)
    for card in begun:
        if card not in left:
            raise EnvError(f"the shoe has no further {card}")
        left.remove(card)
    return (*begun, *left)


# ---------------------------------------------------------------------- for kernels


def areas_in(picked: Chosen) -> list[Area]:
    """What is fixed about the area of a seat with each bet, as the engine of rounds takes it."""
    bonuses = [_super_bonus_of(picked, bet) for bet in picked.bets or (1,)]
    parts = math.lcm(*((bonus * parts_of_a_wager(pack(picked.rules))).denominator for bonus in bonuses))
    return [_area_with(picked, bonus, parts) for bonus in bonuses]


def _super_bonus_of(picked: Chosen, bet: int) -> Fraction:
    """What the Super Bonus pays of a bet, in units of it."""
    rules = picked.rules
    if not rules.super_bonus or rules.super_bonus_sums is None:
        return Fraction(0)
    return Fraction(rules.super_bonus_sums.pays(bet * picked.stake)) / Fraction(bet * picked.stake)


def _area_with(picked: Chosen, bonus: Fraction, parts: int) -> Area:
    """The area, where the Super Bonus pays so much and a wager has so many times its usual parts."""
    rules, packed = picked.rules, pack(picked.rules)
    unit = parts_of_a_wager(packed) * parts
    return Area(
        boxes=rules.boxes_per_area,
        hands=picked.hands,
        unit=unit,
        insurance=unit // 2 * insurance_halves(packed),
        super_bonus=int(bonus * unit),
        side_wagers=len(rules.side_wagers),
        dealer_side=int(look_at_dealer_hand(side.judge for side in rules.side_wagers)),
        feeds=len(picked.fresh) if picked.feeds_device else 0,
    )


def game_of(picked: Chosen, *, waits: bool = False) -> tuple[EnvGame, tuple[SideNames, ...]]:
    """Everything that is the same at tables in step, and what the outcomes of side wagers are called.

    With `waits` a table does not go on to its next round by itself, and whoever has it deal brings the shoe.
    """
    rules, areas = picked.rules, areas_in(picked)
    area = areas[0]
    for side in rules.side_wagers:
        judge = JUDGES[side.judge]
        if rules.switch and judge.looks_at not in (BY_FOUR_CARDS, BY_DEALER_HAND) and judge.settled != (INTERIM,):
            raise EnvError(f"tables in step have no {side.name} where second cards are switched")
    sides, names = build_side_tables(rules, area.unit, picked.meters, picked.side_stakes)
    pays = np.zeros((len(sides.source), MOST_OUTCOMES))
    for wager, (side, outcomes) in enumerate(zip(rules.side_wagers, names, strict=True)):
        units = Fraction(picked.side_stakes[side.id]) / Fraction(picked.stake)
        pays[wager, : len(outcomes.pays)] = [float(units * net / outcomes.parts) for net in outcomes.pays]
    is_brief = area.boxes == 1 and not picked.from_device and not rules.side_wagers
    cut = len(picked.fresh) + 1 if waits else picked.cut
    dealing = Dealing(cut, int(picked.feeds_late), int(waits), int(is_brief), int(bool(picked.bets)))
    play = TablePlay(
        rules=as_record(pack(rules)), areas=as_records(areas), bets=np.array(picked.bets or (1,), np.int64),
        dealing=as_record(dealing), brief=np.zeros(BRIEF_SIZE, np.int32),
    )  # fmt: skip
    if is_brief:
        row = np.array(new_row(area), np.int32)
        shoe = np.array([CODE[card] for card in picked.fresh], np.uint8)
        fill_tables(play, row, shoe, np.ones(2, np.uint64))
    return EnvGame(play, sides, pays), names


Numbers = TypeVar("Numbers", Packed, Area, Dealing)


def as_record(numbers: Numbers) -> Numbers:
    """A named tuple of whole numbers as one record: kernels hand it on by its place, and compile in half the time."""
    return cast("Numbers", as_records([numbers])[0])


def as_records(several: Sequence[Numbers]) -> np.ndarray[Any, Any]:
    """Named tuples of whole numbers of one kind as an array of such records."""
    fields = [(name, np.int64, np.shape(value)) for name, value in several[0]._asdict().items()]
    records = np.zeros(len(several), np.dtype(fields))
    for place, numbers in enumerate(several):
        for name, value in numbers._asdict().items():
            records[name][place] = value
    return records
