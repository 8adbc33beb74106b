"""Index plays: the true count from which another decision is better, for the composition that the count expects.

At each true count the game is solved for the shoe that a counter expects then: every card's share moved in proportion
to its tag. Where the best decision changes lies the index. Decisions are those of two cards, by total or pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.formats.frames import Tabular
from pitboss.odds.analysis import solution
from pitboss.odds.cards.composition import Composition, fresh
from pitboss.odds.cards.numbers import FLOATS
from pitboss.odds.hand.openings import Cell
from pitboss.odds.hand.player_hands import VALUES as VALUE_COUNT
from pitboss.odds.removal.count_systems import CountError, CountSystem
from pitboss.odds.removal.effects import VALUES
from pitboss.play.hands import ACE, is_natural, is_soft, total
from pitboss.play.insurance import insurance_offered, odds_of_insurance
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks.model.rules import Rules

LOWEST, HIGHEST = -8, 10
DECKS_LEFT_SHARE = 0.5
"""Indices are worked out for a shoe half dealt, where true counts are what they mostly are when they matter."""
LEAST_CHANGE = 1e-6

Spot = tuple[str, int, int]
"""`hard`, `soft` or `pair`; the total or the value of the pair; index of the up card."""


class IndexPlay(msgspec.Struct, frozen=True, kw_only=True):
    """One decision that the count changes."""

    hand: str
    """`hard 16`, `soft 18`, `pair T`, or `insurance`."""
    up: str
    below: str
    """What is best below the index."""
    from_it: str
    """What is best from the index on."""
    turns_at: float
    """The true count at which both are worth the same."""
    index: int
    """The least true count, rounded down, from which the second is better on average."""
    basic: str
    """What basic strategy does."""
    gain: float
    """What the deviation adds to each round of one unit, in units."""


class IndexPlays(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The index plays of a game by a count, those that gain most first."""

    game: str
    system: str
    decks: int
    plays: tuple[IndexPlay, ...]
    gain_by_count: dict[int, float]
    """True count -> what all of them together add to a round at that count."""
    efficiency: float
    """Share of what is gained by somebody who knows the whole composition that this count gains: playing efficiency."""
    method: str

    def rows(self) -> list[dict[str, object]]:
        """A row for each play."""
        return [{"game": self.game, "system": self.system, **msgspec.structs.asdict(play)} for play in self.plays]


class _Solved(NamedTuple):
    """The decisions of one composition."""

    chances: dict[Spot, float]
    acts: dict[Spot, dict[str, float]]


def shoe_expected(rules: Packed, system: CountSystem, count: float) -> Composition:
    """The shoe that a counter expects at a true count, half of it being dealt."""
    whole = fresh(rules, FLOATS)
    shares = whole.values / whole.left
    tags = np.array([system.tags[value] for value in VALUES])
    centred = tags - shares @ tags
    moved = shares * (1 - count / 52 * centred / (shares @ centred**2))
    left = float(whole.left) * DECKS_LEFT_SHARE
    suits, tens = whole.suits * DECKS_LEFT_SHARE, whole.tens * (left * moved[-1] / whole.values[-1])
    return whole._replace(values=np.maximum(moved, 0.0) * left, left=left, suits=suits, tens=tens)


def index_plays(rules: Rules, system: CountSystem, shares: Mapping[int, float]) -> IndexPlays:
    """The index plays of a game, with what each gains where true counts come as often as `shares` says."""
    packed = pack(rules)
    if packed.switch:
        raise CountError(f"{rules.game}: index plays are not worked out where second cards are switched")
    if system.running:
        raise CountError(f"{system.name} is played by the running count: index plays are by true count")
    counts = range(LOWEST, HIGHEST + 1)
    solved = {count: _solve(packed, shoe_expected(packed, system, count)) for count in counts}
    base = solved[0]
    basics = {spot: _best(acts) for spot, acts in base.acts.items()}
    found = [play for spot in base.acts if (play := _play(spot, solved, basics[spot], shares)) is not None]
    insurance = _insurance(packed, system, shares)
    if insurance is not None:
        found.append(insurance)
    by_count = {count: _gain_at(solved, basics, count + 0.5) for count in range(LOWEST, HIGHEST)}
    if insurance is not None:
        for count in by_count:
            by_count[count] += max(_insurance_gain(packed, system, count + 0.5), 0.0)
    return IndexPlays(
        game=rules.game,
        system=system.id,
        decks=rules.decks,
        plays=tuple(sorted(found, key=lambda play: -play.gain)),
        gain_by_count=by_count,
        efficiency=_efficiency(packed, system, base, basics),
        method="the game solved for the expected composition at each true count, half the shoe dealt",
    )


def _solve(rules: Packed, shoe: Composition) -> _Solved:
    chances: dict[Spot, float] = {}
    sums: dict[Spot, dict[str, float]] = {}
    for cell in solution(rules, shoe).cells:
        spot = _spot(cell)
        if spot is None:
            continue
        chances[spot] = chances.get(spot, 0.0) + float(cell.chance)
        acts = sums.setdefault(spot, {})
        for name, worth in cell.acts.items():
            acts[name] = acts.get(name, 0.0) + float(cell.chance * worth)
    for spot, acts in sums.items():
        for name in acts:
            acts[name] /= chances[spot]
    return _Solved(chances, sums)


def _spot(cell: Cell) -> Spot | None:
    hard, aces = cell.first + cell.second, int(cell.first == 1) + int(cell.second == 1)
    if is_natural(hard, aces, 2) or len(cell.acts) < 2:
        return None
    if cell.first == cell.second and "split" in cell.acts:
        return "pair", cell.first, cell.up
    return "soft" if is_soft(hard, aces) else "hard", total(hard, aces), cell.up


def _best(acts: Mapping[str, float]) -> str:
    return max(acts, key=lambda name: acts[name])


def _lead(solved: Mapping[int, _Solved], spot: Spot, count: float, action: str, other: str) -> float:
    """What an action is worth more than another at a true count between those that are solved."""
    low = min(max(int(np.floor(count)), LOWEST), HIGHEST - 1)
    share = count - low
    leads = [solved[at].acts[spot][action] - solved[at].acts[spot][other] for at in (low, low + 1)]
    return (1 - share) * leads[0] + share * leads[1]


def _play(spot: Spot, solved: Mapping[int, _Solved], basic: str, shares: Mapping[int, float]) -> IndexPlay | None:
    """Where the decision turns first, away from basic strategy at a count of nothing."""
    places = [
        (abs(count), count, _best(solved[count].acts[spot]))
        for count in range(LOWEST, HIGHEST + 1)
        if _best(solved[count].acts[spot]) != basic
    ]
    if not places:
        return None
    _, first, other = min(places)
    before = first - 1 if first > 0 else first + 1
    near, far = (_lead(solved, spot, float(at), other, basic) for at in (before, first))
    if far - near == 0:
        return None
    turns_at = before + (first - before) * (0 - near) / (far - near)
    rising = first > 0
    gain = sum(
        share * solved[0].chances[spot] * max(_lead(solved, spot, count + 0.5, other, basic), 0.0)
        for count, share in shares.items()
        if LOWEST <= count < HIGHEST and (count + 0.5 > turns_at) == rising
    )
    kind, points, up = spot
    return IndexPlay(
        hand=f"{kind} {VALUES[points - 1] if kind == 'pair' else points}",
        up=VALUES[up],
        below=basic if rising else other,
        from_it=other if rising else basic,
        turns_at=turns_at,
        index=int(np.ceil(turns_at - 0.5)),
        basic=basic,
        gain=gain,
    )


def _gain_at(solved: Mapping[int, _Solved], basics: Mapping[Spot, str], count: float) -> float:
    gained = 0.0
    for spot, basic in basics.items():
        others = (_lead(solved, spot, count, name, basic) for name in solved[0].acts[spot])
        gained += solved[0].chances[spot] * max(*others, 0.0)
    return gained


# Insurance -------------------------------------------------------------------------------------------


def _insurance_gain(rules: Packed, system: CountSystem, count: float) -> float:
    """What half a unit of insurance against an ace adds to each round at a true count."""
    shoe = shoe_expected(rules, system, count)
    win, stake = odds_of_insurance(rules, ACE)
    tens = float(shoe.values[-1] / (shoe.left - 1))
    return float(shoe.values[0] / shoe.left) * 0.5 * (tens * (1 + win / stake) - 1)


def _insurance(rules: Packed, system: CountSystem, shares: Mapping[int, float]) -> IndexPlay | None:
    if not insurance_offered(rules, ACE):
        return None
    gains = {count: _insurance_gain(rules, system, float(count)) for count in range(LOWEST, HIGHEST + 1)}
    turn = next((count for count in gains if count > LOWEST and gains[count] > 0 >= gains[count - 1]), None)
    if turn is None:
        return None
    turns_at = turn - gains[turn] / (gains[turn] - gains[turn - 1])
    gain = sum(share * max(_insurance_gain(rules, system, count + 0.5), 0.0) for count, share in shares.items())
    return IndexPlay(
        hand="insurance", up="A", below="none", from_it="insure", turns_at=turns_at,
        index=int(np.ceil(turns_at - 0.5)), basic="none", gain=gain,
    )  # fmt: skip


# Playing efficiency ------------------------------------------------------------------------------------


def _efficiency(rules: Packed, system: CountSystem, base: _Solved, basics: Mapping[Spot, str]) -> float:
    """What the count gains by playing, over what the whole composition would gain: both to first order."""
    from pitboss.odds.removal.exposure import depths, spread_of_normal

    shoe = fresh(rules, FLOATS)
    half = shoe._replace(
        values=shoe.values * DECKS_LEFT_SHARE, left=shoe.left * DECKS_LEFT_SHARE, suits=shoe.suits * DECKS_LEFT_SHARE,
        tens=shoe.tens * DECKS_LEFT_SHARE,
    )  # fmt: skip
    removed = [_solve(rules, half.without(value)) for value in range(1, VALUE_COUNT + 1)]
    shares = np.array(half.values / half.left, float)
    tags = np.array([system.tags[value] for value in VALUES])
    tags = tags - shares @ tags
    cards = float(shoe.left)
    by_count = by_all = 0.0
    for spot, basic in basics.items():
        if not all(spot in one.acts for one in removed):
            continue
        other = max((name for name in base.acts[spot] if name != basic), key=lambda name: base.acts[spot][name])
        lead = base.acts[spot][other] - base.acts[spot][basic]
        effects = np.array([one.acts[spot][other] - one.acts[spot][basic] - lead for one in removed])
        effects = (effects - shares @ effects) * (float(half.left) - 1)
        spread = float(np.sqrt(shares @ effects**2))
        if spread <= LEAST_CHANGE:
            continue
        tells = abs(float(shares @ (effects * tags))) / (spread * float(np.sqrt(shares @ tags**2)))
        for left in depths(int(cards), 0.75):
            deviation = spread * float(np.sqrt((cards - left) / (left * (cards - 1))))
            by_count += base.chances[spot] * spread_of_normal(lead, tells * deviation)[1]
            by_all += base.chances[spot] * spread_of_normal(lead, deviation)[1]
    return by_count / by_all if by_all > 0 else 0.0
