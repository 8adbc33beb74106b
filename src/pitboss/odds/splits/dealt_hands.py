"""One hand of a split against one up card: how it can end, how often, and what the dealer has then.

What does not depend on the up card, or on how the hand is played, is worked out once for all boxes of a position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import FLOATS, Array
from pitboss.odds.hand.hand_tables import HandTables, Seat, tables
from pitboss.odds.hand.player_hands import VALUES, Bools, Ints, hands_with
from pitboss.odds.hand.solver import Decisions, deal_without, find_distributions
from pitboss.odds.splits.coupling import count_draws, is_coupled
from pitboss.odds.splits.dealer_slopes import DealerSlopes
from pitboss.odds.splits.hand_ends import EndClasses, HandEnds, classify_ends, end_hands
from pitboss.odds.splits.split_boxes import SplitWorth
from pitboss.odds.splits.split_values import HandOfSplit, pair_cards, pair_chances, place_of, seat_of
from pitboss.play.dealer import dealer_looks
from pitboss.play.packed import Packed
from pitboss.play.splitting import most_hands, own_stake_last

RARE = 1e-7
"""Orders of a hand that are less likely than this are left out, and bounded."""
MOST_DRAWN = 44
"""More cards than two hands can draw together."""
MOST_EXTRA = 2
"""Further cards of the pair for which joint chances are counted afresh: for more of them, as for so many."""


Key = tuple[bool, int]
"""What the ends of a hand depend on: whether it holds the original wager, if that matters, and how it is played."""


class DealtHand(NamedTuple):
    """One hand of a split box, by its ends, when some further cards of the pair are out."""

    ends: HandEnds
    weight: Array
    """`weight[hand, class]`: orders; where only tens of one rank are a pair, the others count as none."""
    chance: Array
    """Of each hand in one order."""
    rows: Array
    """`rows[hand, result]`: the dealer's chances."""
    alone: Array
    """`alone[class, result]`: how often the hand ends in each class."""
    drawn: Array
    """`drawn[class, value]`: the cards with which it does."""

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The means of its cards and of their square: as it comes, and times what it wins or loses."""
        ends, weights = self.ends, np.abs(self.weight)
        moved = np.abs(ends.net).max(axis=1)
        return tuple(  # type: ignore[return-value]
            (float((mass * ends.sizes).sum()), float((mass * ends.sizes**2).sum()))
            for mass in (weights.sum(axis=1) * self.chance, weights @ moved * self.chance)
        )


class SharedParts:
    """What all boxes of one position have in common."""

    def __init__(self, rules: Packed, shoe: Composition, slopes: DealerSlopes | None) -> None:
        self.rules, self.shoe, self.slopes = rules, shoe, slopes
        self.is_exact = shoe.numbers is not FLOATS
        self._classes: dict[tuple[Seat, bool, bool], EndClasses] = {}
        self._alike: dict[tuple[int, bool, bool], bool] = {}
        self._bases: dict[tuple[int, int], Array] = {}
        self._rows: dict[int, Array] = {}

    def classes_of(self, seat: Seat, coupled: bool, looked: bool) -> EndClasses:
        """What the hands of a seat can come to."""
        key = (seat, coupled, looked)
        if key not in self._classes:
            self._classes[key] = classify_ends(self.rules, self.shoe, *key)
        return self._classes[key]

    def are_alike(self, value: int, coupled: bool, looked: bool) -> bool:
        """It makes no difference to a hand of a split whether it holds the original wager."""
        key = (value, coupled, looked)
        if key not in self._alike:
            seats = [seat_of(self.rules, value, own) for own in (True, False)]
            rights = [_rights(tables(self.rules, seat)) for seat in seats]
            ends = [self.classes_of(seat, coupled, looked) for seat in seats]
            pairs = zip((*rights[0], *ends[0]), (*rights[1], *ends[1]), strict=True)
            self._alike[key] = seats[0] == seats[1] or all(np.array_equal(*pair) for pair in pairs)
        return self._alike[key]

    def deal_base(self, value: int, extra: int) -> Array:
        """`[up, result]`: the dealer's chances once a pair and some more of its cards are out."""
        if (value, extra) not in self._bases:
            out = np.zeros((1, VALUES), dtype=np.int64)
            out[0, value - 1] = 2 + extra
            self._bases[value, extra] = deal_without(self.rules, self.shoe, out)[0]
        return self._bases[value, extra]

    def deal_rows(self, value: int) -> Array:
        """`[hand, up, result]`: the same with one card of the pair and those of a hand that holds another out."""
        if value not in self._rows:
            self._rows[value] = find_distributions(self.rules, self.shoe.without(value), hands_with((value,)))
        return self._rows[value]


def _rights(table: HandTables) -> tuple[Bools | Ints, ...]:
    """What a seat's hands may do once they are played by given decisions, and which kind they end as."""
    return (
        table.complete, table.draws, table.goes_on, table.redraws, table.rescues, table.kind, table.kind_doubled
    )  # fmt: skip


class SplitHands:
    """The hands of one box that splits, against one up card."""

    def __init__(self, shared: SharedParts, value: int, up: int, split: SplitWorth) -> None:
        self.shared, self.rules, self.shoe, self.slopes = shared, shared.rules, shared.shoe, shared.slopes
        self.is_exact = shared.is_exact
        self.value, self.up = value, up
        self.most = most_hands(self.rules, value == 1)
        self.coupled = is_coupled(self.rules, value, up)
        self.looked = dealer_looks(self.rules, up)
        self.own_last = own_stake_last(self.rules, value)
        self.met: list[Decisions] = []
        self.keys = self._find_keys(split)
        self.ends: dict[Key, HandEnds] = {}
        self.dealt: dict[tuple[Key, int], DealtHand] = {}
        self.pair_chances = [chance[up] for chance in pair_chances(self.rules, self.shoe, value, self.most)]
        self.error = 0.0
        extras = range(2 * self.most) if self.is_exact else range(MOST_EXTRA + 1)
        self.draws = [
            count_draws(self.shoe.without(*(value,) * extra), value, up, MOST_DRAWN)
            for extra in extras
            if extra <= self.shoe.values[value - 1] or self.shoe.step == 0
        ]

    def _find_keys(self, split: SplitWorth) -> dict[tuple[bool, int], Key]:
        """The key of a hand by whether it holds the original wager, and by hands known when it is played."""
        plays = split.plays.get(self.up, split.plays[-1])
        alike = self.shared.are_alike(self.value, self.coupled, self.looked)
        return {
            (own, known): (own or alike, place_of(by, self.met))
            for own, play in ((True, plays.own), (False, plays.others))
            for known, by in play.items()
        }

    def key(self, hand: HandOfSplit) -> Key:
        """What a hand's ends depend on."""
        return self.keys[hand.own, hand.known]

    def ends_of(self, key: Key) -> HandEnds:
        """The ends of a hand."""
        if key not in self.ends:
            own, play = key
            seat = seat_of(self.rules, self.value, own)
            found = end_hands(
                self.rules, self.shoe, self.value, tables(self.rules, seat, (self.value,)),
                self.shared.classes_of(seat, self.coupled, self.looked), self.met[play], self.up, self.most > 2,
            )  # fmt: skip
            self.ends[key] = self._without_rare(found)
        return self.ends[key]

    def _without_rare(self, ends: HandEnds) -> HandEnds:
        """Without the hands that hardly ever come, which go into the error."""
        chance = self._chances(ends, 0)
        often = np.abs(ends.weight).sum(axis=1) * chance
        if self.is_exact:
            kept = often > 0
        else:
            kept = often > RARE
            self.error += 8.0 * float(often[~kept].sum()) * float(np.abs(ends.net).max()) ** 2
        return ends._replace(hands=ends.hands[kept], counts=ends.counts[kept], weight=ends.weight[kept])

    def _chances(self, ends: HandEnds, extra: int) -> Array:
        """The chance of each hand in one order."""
        draws = self.draws[extra]
        product = self.shoe.numbers.zeros(len(ends.counts)) + draws.taken[0]
        for value in range(VALUES):
            product = product * draws.falling[value, ends.counts[:, value]]
        taken = draws.taken[ends.sizes]
        found: Array = np.where(product > 0, product / np.where(taken > 0, taken, taken + draws.taken[0]), 0 * product)
        return found

    def deal(self, key: Key, extra: int) -> DealtHand:
        """A hand with so many further cards of the pair out."""
        if (key, extra) not in self.dealt:
            ends = self.ends_of(key)
            weight, chance, rows = self._weights(ends, extra), self._chances(ends, extra), self.dealer_with(ends, extra)
            mass = (weight * chance[:, None]).T
            self.dealt[key, extra] = DealtHand(ends, weight, chance, rows, mass @ rows, mass @ ends.counts)
        return self.dealt[key, extra]

    def dealer_after(self, counts: Ints, extra: int) -> Array:
        """The dealer's chances with the pair, these cards and some more of the pair out, by result."""
        out = counts.copy()
        out[:, self.value - 1] += 2 + extra
        rows: Array = deal_without(self.rules, self.shoe, out, (self.up,))[:, self.up]
        return self._as_played(rows)

    def base(self, extra: int) -> Array:
        """The same with no cards but those of the pair out."""
        found: Array = self._as_played(self.shared.deal_base(self.value, extra)[None, self.up])[0]
        return found

    def _as_played(self, rows: Array) -> Array:
        """Without the naturals that end the round before it is played."""
        if self.looked:
            rows = rows.copy()
            rows[:, -1] = 0 * rows[:, -1]
        return rows

    def dealer_with(self, ends: HandEnds, extra: int) -> Array:
        """The dealer's chances with the cards of each hand out."""
        if self.is_exact or self.shoe.step == 0:
            return self.dealer_after(ends.counts, extra)
        rows: Array = self.shared.deal_rows(self.value)[ends.hands, self.up]
        if extra:
            assert self.slopes is not None
            fewer, more = (self.shared.deal_base(self.value, out)[self.up] for out in (0, extra))
            rows = rows + (more - fewer) + extra * (ends.counts @ self.slopes.second[self.value - 1, :, self.up])
        return self._as_played(rows)

    def _weights(self, ends: HandEnds, extra: int) -> Array:
        """Orders by class; where only tens of one rank are a pair, the others count as none."""
        draws = self.draws[extra]
        have = draws.rest.values[self.value - 1]
        pairs = pair_cards(self.rules, self.shoe, self.value)[self.up] - self.shoe.step * (2 + extra)
        if self.value != 10 or pairs == have or have <= 0:
            return ends.weight
        half = ends.weight.shape[1] // 2
        share = max(pairs, 0 * pairs) / have
        plain, paired = ends.weight[:, :half], ends.weight[:, half:]
        return np.concatenate((plain + (1 - share) * paired, share * paired), axis=1)
