"""Index plays: the true count from which another decision is better, for the composition that the count expects.

At each true count the game is solved for a shoe half dealt whose cards stand in the proportions that the count expects.
The count of a decision is that of its moment, the cards on the table seen: a hand's own cards have moved it, and of the
others that are gone they have left the full shoe like any. Hands of two cards are told apart by total and pair, hands
of more by total, and where the basic chart tells numbers of cards apart, by these too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.formats.frames import Tabular
from pitboss.odds.analysis import Solution, solution
from pitboss.odds.cards.composition import Composition, fresh
from pitboss.odds.cards.numbers import FLOATS, Array
from pitboss.odds.charts.by_chart import judge_of, opening_action
from pitboss.odds.charts.chart import Chart
from pitboss.odds.hand.hand_tables import MAIN, tables
from pitboss.odds.hand.openings import ACTIONS, OPENINGS
from pitboss.odds.hand.player_hands import VALUES as VALUE_COUNT
from pitboss.odds.hand.player_hands import Bools, all_hands
from pitboss.odds.hand.walks import unsplit
from pitboss.odds.removal.count_systems import CountError, CountSystem
from pitboss.odds.removal.effects import VALUES, insurance_name
from pitboss.play.charts import pick, unsaid
from pitboss.play.hands import ACE, TEN, is_natural, is_soft, total
from pitboss.play.insurance import insurance_halves, insurance_offered, odds_of_insurance
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks.model.rules import Rules

LOWEST, HIGHEST = -9, 11
"""True counts for which the game is solved."""
FIRST, LAST = -8, 10
"""True counts between which decisions are looked at."""
STEPS = 4
"""So many looks are taken between two counts."""
DECKS_LEFT_SHARE = 0.5
"""Indices are worked out for a shoe half dealt, where true counts are what they mostly are when they matter."""
NEVER = "none"
"""What basic strategy does about insurance."""
LEAST_CHANGE = 1e-6
LEAST_LEAD = 1e-7
"""What a decision must be worth more than another to count as the better one."""


TWO_CARDS, MORE_CARDS = 2, 3
TWO_WAYS = 2
"""A decision has as many ways to go, or more."""
SOFT_UP_TO = 11
"""The most that cards add up to, an ace among them counted as one, if it can count as eleven."""


class Spot(NamedTuple):
    """Hands that play alike, against an up card."""

    kind: str
    """`hard`, `soft` or `pair`."""
    points: int
    """The total; the value of the pair."""
    cards: int
    more: bool
    up: int

    def __str__(self) -> str:
        points = VALUES[self.points - 1] if self.kind == "pair" else str(self.points)
        cards = f" x{self.cards}{'+' if self.more else ''}" if self.cards > TWO_CARDS or self.more else ""
        return f"{self.kind} {points}{cards}"


class IndexPlay(msgspec.Struct, frozen=True, kw_only=True):
    """One decision that the count changes."""

    hand: str
    """`hard 16` and `soft 18` of two cards, `hard 16 x3+` of three and more, `pair T`, or `insurance`."""
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
    rises: bool
    """The deviation is made from the index on; else it is made below it."""
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
    gain: float
    """What all of them together add to each round, as often as counts come."""
    efficiency: float
    """Share of what is gained by somebody who knows the whole composition that this count gains: playing efficiency."""
    method: str

    def rows(self) -> list[dict[str, object]]:
        """A row for each play."""
        return [{"game": self.game, "system": self.system, **msgspec.structs.asdict(play)} for play in self.plays]


class _Worth(NamedTuple):
    """What the hands of a spot are worth, hand by hand."""

    chances: Array
    """[true count solved for, hand]."""
    acts: dict[str, Array]
    """Action -> the same."""
    tags: Array
    """[hand] -> what its cards and the up card have added to the count."""
    cards: Array
    """[hand] -> how many cards that are."""


def shoe_expected(rules: Packed, system: CountSystem, count: float) -> Composition:
    """The shoe that a counter expects at a true count, half of it being dealt."""
    whole = fresh(rules, FLOATS)
    shares = shares_at_count(whole.values, system, count)
    left = float(whole.left) * DECKS_LEFT_SHARE
    suits, tens = whole.suits * DECKS_LEFT_SHARE, whole.tens * (left * shares[-1] / whole.values[-1])
    return whole._replace(values=shares * left, left=left, suits=suits, tens=tens)


def shares_at_count(cards: Array, system: CountSystem, count: float) -> Array:
    """The shares of the cards left of these at a true count: those of all, moved in proportion to the tags."""
    shares = cards / cards.sum()
    tags = np.array([system.tags[value] for value in VALUES])
    centred = tags - shares @ tags
    moved: Array = shares * (1 - (count / 52 + shares @ tags) * centred / (shares @ centred**2))
    kept: Array = np.maximum(moved, 0.0)
    kept /= kept.sum()
    return kept


def index_plays(rules: Rules, system: CountSystem, shares: Mapping[int, float], chart: Chart) -> IndexPlays:
    """The index plays beside a basic chart, with what each gains where true counts come as often as `shares` says."""
    refuse_plays(rules, system)
    packed = pack(rules)
    spots = _Spots(packed, system, chart)
    found: list[IndexPlay] = []
    by_count = dict.fromkeys(range(FIRST, LAST), 0.0)
    for spot in spots.basics:
        for play, gains in spots.plays_of(spot):
            for count, gain in gains.items():
                by_count[count] += gain
            found.append(msgspec.structs.replace(play, gain=sum(shares.get(at, 0.0) * gains[at] for at in gains)))
    for up in (ACE, TEN):
        insured = _insurance(rules, packed, system, up)
        if insured is not None:
            play, gains = insured
            for count in by_count:
                by_count[count] += gains.get(count, 0.0)
            gain = sum(share * gains.get(count, 0.0) for count, share in shares.items())
            found.append(msgspec.structs.replace(play, gain=gain))
    return IndexPlays(
        game=rules.game,
        system=system.id,
        decks=rules.decks,
        plays=tuple(sorted(found, key=lambda play: -play.gain)),
        gain_by_count=by_count,
        gain=sum(play.gain for play in found),
        efficiency=spots.efficiency(),
        method="the game solved for the expected composition at each true count, half the shoe dealt",
    )


def refuse_plays(rules: Rules, system: CountSystem) -> None:
    """Refuse games and counts that have no index plays."""
    if rules.switch:
        raise CountError(f"{rules.game}: index plays are not worked out where second cards are switched")
    if system.running:
        raise CountError(f"{system.name} is played by the running count: index plays are by true count")
    if rules.decks == 0:
        raise CountError("an infinite deck has no counts: name a number of decks")


class _Spots:
    """The decisions of a game, and what each action is worth at each true count."""

    def __init__(self, rules: Packed, system: CountSystem, chart: Chart) -> None:
        self.rules, self.system, self.chart = rules, system, chart
        shoes = [shoe_expected(rules, system, count) for count in range(LOWEST, HIGHEST + 1)]
        self.left = float(shoes[0].left)
        self.share = self.left / float(fresh(rules, FLOATS).left)
        """Of the cards of the full shoe, and so of those of a hand, that are among the cards left."""
        self.tags = np.array([system.tags[value] for value in VALUES])
        solved = [_Solved(rules, shoe) for shoe in shoes]
        middle = solved[-LOWEST]
        less = [_Solved(rules, middle.shoe.without(value)) for value in range(1, VALUE_COUNT + 1)]
        reached = [_reach(rules, one, chart) for one in solved]
        self.basics: dict[Spot, str] = {}
        self.worths: dict[Spot, _Worth] = {}
        self.pulls: dict[Spot, tuple[dict[str, Array], Array]] = {}
        self._add_openings(solved, less)
        self._add_more_cards(solved, less, reached)

    # ------------------------------------------------------------------ hands

    def _add_openings(self, solved: list[_Solved], less: list[_Solved]) -> None:
        """Hands of two cards."""
        members: dict[Spot, list[int]] = {}
        places = {pair: place for place, pair in enumerate(OPENINGS)}
        middle = solved[-LOWEST]
        for (first, second), place in places.items():
            hard, aces = first + second, int(first == 1) + int(second == 1)
            if is_natural(hard, aces, TWO_CARDS):
                continue
            for up in range(VALUE_COUNT):
                open_ = [name for name in ACTIONS if (first, second, up) in middle.opening[name]]
                if len(open_) < TWO_WAYS:
                    continue
                if "split" in open_:
                    spot = Spot("pair", first, TWO_CARDS, False, up)
                else:
                    spot = Spot("soft" if is_soft(hard, aces) else "hard", total(hard, aces), TWO_CARDS, False, up)
                said = opening_action(self.chart, first, second, up, open_.__contains__)
                self.basics.setdefault(spot, said)
                members.setdefault(spot, []).append(place)
        for spot, hands in members.items():
            keys = [(*OPENINGS[place], spot.up) for place in hands]
            names = [name for name in ACTIONS if all(key in middle.opening[name] for key in keys)]
            if self.basics[spot] not in names:
                del self.basics[spot]
                continue
            held = np.array([[key[:2].count(value) for value in range(1, VALUE_COUNT + 1)] for key in keys], float)
            self._add(
                spot, held,
                np.array([[one.chance.get(key, 0.0) for key in keys] for one in solved]),
                {name: np.array([[one.opening[name][key] for key in keys] for one in solved]) for name in names},
                {name: np.array([[one.opening[name][key] for key in keys] for one in less]) for name in names},
            )  # fmt: skip

    def _add_more_cards(self, solved: list[_Solved], less: list[_Solved], reached: list[Array]) -> None:
        """Hands of three cards and more, where the chart decides."""
        hands, table = all_hands(), tables(self.rules)
        told = sorted({line.cards for line in self.chart.rows if line.cards > TWO_CARDS})
        layers = reached[0].shape[0]
        decides = (hands.cards >= MORE_CARDS) & ~table.complete
        for layer, hard, soft in itertools.product(range(layers), range(MORE_CARDS, 22), (False, True)):
            held = hands.aces > (layer if layers > 1 else 0)
            alike = decides & ~table.draws[layer] & (hands.hard == hard) & ((held & (hard <= SOFT_UP_TO)) == soft)
            for cards, more in _card_groups(told):
                some = alike & ((hands.cards >= cards) if more else (hands.cards == cards))
                spot = Spot("soft" if soft else "hard", hard + 10 if soft else hard, cards, more, 0)
                self._add_alike(spot, layer, some, solved, less, reached)

    def _add_alike(
        self, alike: Spot, layer: int, some: Bools, solved: list[_Solved], less: list[_Solved], reached: list[Array]
    ) -> None:
        """Hands of one total against each up card."""
        hands, table = all_hands(), tables(self.rules)
        if alike in self.basics or not some.any():
            return
        names = {"hit": 1}
        if table.may_stand[some].all():
            names["stand"] = 0
        if table.may_double[layer][some].all():
            names["double"] = 2
        if len(names) < TWO_WAYS:
            return
        for up in range(VALUE_COUNT):
            spot = alike._replace(up=up)
            members = np.flatnonzero(some & (reached[-LOWEST][layer, :, up] > 0))
            if spot in self.basics or not len(members):
                continue
            code = self.chart.code(spot.kind, spot.points, spot.cards, up)
            said = pick((code,), names.__contains__) or unsaid(spot.points, spot.kind == "soft")
            if said not in names:
                continue
            self.basics[spot] = said
            self._add(
                spot, hands.held[members].astype(float),
                np.array([one[layer, members, up] for one in reached]),
                {name: np.array([one.acts[layer, members, up, at] for one in solved]) for name, at in names.items()},
                {name: np.array([one.acts[layer, members, up, at] for one in less]) for name, at in names.items()},
            )  # fmt: skip

    def _add(self, spot: Spot, held: Array, chances: Array, acts: dict[str, Array], less: dict[str, Array]) -> None:
        """Note the hands of a spot: a hand's own cards have gone from the full shoe, not from the half that is left."""
        seen = held.copy()
        seen[:, spot.up] += 1
        at_nothing = {name: worth[-LOWEST] for name, worth in acts.items()}
        pulls = {name: (worth - at_nothing[name]).T for name, worth in less.items()}
        back = (1 - self.share) * seen
        acts = {name: worth - (back * pulls[name]).sum(axis=1) for name, worth in acts.items()}
        self.worths[spot] = _Worth(chances, acts, seen @ self.tags, seen.sum(axis=1))
        self.pulls[spot] = pulls, chances[-LOWEST]

    # ------------------------------------------------------------------ what actions are worth

    def _at(self, spot: Spot, counts: Array, moment: bool) -> tuple[Array, dict[str, Array]]:
        """Chance and worth of each hand of a spot, [count, hand], at true counts of the moment or before the round."""
        worth = self.worths[spot]
        before = np.broadcast_to(counts[:, None], (len(counts), len(worth.tags)))
        if moment:
            left = self.left - self.share * worth.cards
            before = (counts[:, None] * left - 52 * self.share * worth.tags) / self.left
        low = np.clip(np.floor(before).astype(int), LOWEST, HIGHEST - 1)
        part = np.clip(before, LOWEST, HIGHEST) - low
        hands = np.arange(len(worth.tags))

        def between(rows: Array) -> Array:
            mixed: Array = (1 - part) * rows[low - LOWEST, hands] + part * rows[low - LOWEST + 1, hands]
            return mixed

        return between(worth.chances), {name: between(rows) for name, rows in worth.acts.items()}

    def moment_of(self, spot: Spot, before: Array) -> Array:
        """The true counts of the moment, [count, hand], that follow from those before the round."""
        worth = self.worths[spot]
        moment: Array = (before[:, None] * self.left + 52 * self.share * worth.tags) / (
            self.left - self.share * worth.cards
        )
        return moment

    def plays_of(self, spot: Spot) -> Iterator[tuple[IndexPlay, dict[int, float]]]:
        """Every change of a decision with the count, and what the deviation gains at each count before the round."""
        basic = self.basics[spot]
        looks = np.linspace(FIRST, LAST, STEPS * (LAST - FIRST) + 1)
        chances, acts = self._at(spot, looks, moment=True)
        whole = chances.sum(axis=1)
        if not (whole > 0).all():
            return
        means = {name: (chances * rows).sum(axis=1) / whole for name, rows in acts.items()}
        best = [max(means, key=lambda name: means[name][at] + LEAST_LEAD * (name == basic)) for at in range(len(looks))]
        if basic not in best or len(set(best)) == 1:
            return
        home = min((at for at, name in enumerate(best) if name == basic), key=lambda at: abs(looks[at]))
        turns = [(at, 1) for at in range(home + 1, len(best)) if best[at] != best[at - 1]]
        turns += [(at, -1) for at in range(home - 1, -1, -1) if best[at] != best[at + 1]]
        edges: list[tuple[float, int, str, str, int]] = []
        for at, way in turns:
            other, before = best[at], best[at - way]
            near, far = (means[other][place] - means[before][place] for place in (at - way, at))
            turn = float(looks[at - way] + (looks[at] - looks[at - way]) * (0 - near) / (far - near))
            below, from_it = (before, other) if way > 0 else (other, before)
            edges.append((turn, int(np.ceil(turn - 0.5)), below, from_it, way))
        for place, (turn, index, below, from_it, way) in enumerate(edges):
            made = from_it if way > 0 else below
            if made == basic:
                continue
            further = next(
                (edge[1] for edge in edges[place + 1 :] if edge[4] == way), LAST + 1 if way > 0 else FIRST - 1
            )
            gains = self._gains(spot, made, basic, (index, further) if way > 0 else (further, index))
            yield IndexPlay(
                hand=str(spot), up=VALUES[spot.up], below=below, from_it=from_it, turns_at=turn, index=index,
                basic=basic, rises=way > 0, gain=0.0,
            ), gains  # fmt: skip

    def _gains(self, spot: Spot, made: str, basic: str, between: tuple[int, int]) -> dict[int, float]:
        """Count before the round -> what a deviation adds that is made at counts of the moment from one to another."""
        parts = (np.arange(STEPS) + 0.5) / STEPS
        before = np.concatenate([count + parts for count in range(FIRST, LAST)])
        chances, acts = self._at(spot, before, moment=False)
        moment = np.floor(self.moment_of(spot, before))
        made_here = (moment >= between[0]) & (moment < between[1])
        gains = (chances * made_here * (acts[made] - acts[basic])).sum(axis=1).reshape(-1, STEPS).mean(axis=1)
        return dict(zip(range(FIRST, LAST), gains.tolist(), strict=True))

    def efficiency(self) -> float:
        """What the count gains by playing, over what the whole composition would gain: both to first order."""
        from pitboss.odds.removal.exposure import depths, spread_of_normal

        whole = fresh(self.rules, FLOATS)
        shares = np.array(whole.values / whole.left, float)
        tags = self.tags - shares @ self.tags
        cards = float(whole.left)
        by_count = by_all = 0.0
        for spot, basic in self.basics.items():
            pulls, chances = self.pulls[spot]
            means = {name: chances @ rows[-LOWEST] / chances.sum() for name, rows in self.worths[spot].acts.items()}
            others = [name for name in means if name != basic]
            if not others:
                continue
            other = max(others, key=lambda name: means[name])
            lead = means[other] - means[basic]
            effects = chances @ (pulls[other] - pulls[basic]) / chances.sum()
            effects = (effects - shares @ effects) * (self.left - 1)
            spread = float(np.sqrt(shares @ effects**2))
            if spread <= LEAST_CHANGE:
                continue
            tells = abs(float(shares @ (effects * tags))) / (spread * float(np.sqrt(shares @ tags**2)))
            for left in depths(int(cards), 0.75):
                deviation = spread * float(np.sqrt((cards - left) / (left * (cards - 1))))
                by_count += chances.sum() * spread_of_normal(lead, tells * deviation)[1]
                by_all += chances.sum() * spread_of_normal(lead, deviation)[1]
        return float(by_count / by_all) if by_all > 0 else 0.0


class _Solved:
    """The decisions of one composition."""

    def __init__(self, rules: Packed, shoe: Composition) -> None:
        found: Solution = solution(rules, shoe.keeping_distributions())
        self.shoe = shoe
        self.cells, self.by = found.cells, found.position.main.by
        self.chance = {(cell.first, cell.second, cell.up): float(cell.chance) for cell in found.cells}
        self.opening: dict[str, dict[tuple[int, int, int], float]] = {name: {} for name in ACTIONS}
        for cell in found.cells:
            for name, worth in cell.acts.items():
                if name in self.opening:
                    self.opening[name][cell.first, cell.second, cell.up] = float(worth)
        self.acts: Array = np.asarray(found.position.main.acts, float)


def _card_groups(told: Sequence[int]) -> list[tuple[int, bool]]:
    """Numbers of cards that decide alike: all from three on, or as a chart tells them apart."""
    least = sorted({MORE_CARDS, *told})
    return [*((cards, False) for cards in least[:-1]), (least[-1], True)]


def _reach(rules: Packed, solved: _Solved, chart: Chart) -> Array:
    """How often each hand has to decide where the chart is played, by layer, hand and up card."""
    played = []
    for cell in solved.cells:
        if not is_natural(cell.first + cell.second, int(cell.first == 1), TWO_CARDS):
            said = opening_action(chart, cell.first, cell.second, cell.up, cell.acts.__contains__)
            played.append(cell._replace(action=said))
    return np.asarray(unsplit(rules, solved.shoe, judge_of(rules, chart)(MAIN), played).acted, float)


# Insurance -------------------------------------------------------------------------------------------


def worth_of_insurance(rules: Packed, system: CountSystem, count: float, up: int) -> float:
    """What a unit of insurance is worth at a true count of the moment, the up card seen."""
    cards = np.array(fresh(rules, FLOATS).values, float)
    cards[min(up, TEN)] -= 1
    win, stake = odds_of_insurance(rules, up)
    partner = TEN if up == ACE else ACE
    return float(shares_at_count(cards, system, count)[partner]) * (1 + win / stake) - 1


def _insurance(rules: Rules, packed: Packed, system: CountSystem, up: int) -> tuple[IndexPlay, dict[int, float]] | None:
    """Insurance against an up card: from which count, and what it gains at each count before the round."""
    if not insurance_offered(packed, up):
        return None
    worths = {count: worth_of_insurance(packed, system, count, up) for count in range(FIRST, LAST + 1)}
    turn = next((count for count in worths if count > FIRST and worths[count] > 0 >= worths[count - 1]), None)
    if turn is None:
        return None
    turns_at = turn - worths[turn] / (worths[turn] - worths[turn - 1])
    index = int(np.ceil(turns_at - 0.5))
    gains = {}
    for count in range(FIRST, LAST):
        shoe = shoe_expected(packed, system, count + 0.5)
        worth = worth_of_insurance(packed, system, count + 0.5, up) if count >= index else 0.0
        gains[count] = float(shoe.values[min(up, TEN)] / shoe.left) * insurance_halves(packed) / 2 * worth
    play = IndexPlay(
        hand=insurance_name(up), up=VALUES[min(up, TEN)], below=NEVER, from_it="insure", turns_at=turns_at,
        index=index, basic=NEVER, rises=True, gain=0.0,
    )  # fmt: skip
    return play, gains
