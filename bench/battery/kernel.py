"""The shuffle of `pitboss.table.shoe.shuffle`, compiled, and counts of what millions of shuffles give.

`order_of` deals the same order from the same seed as the Python original, word by word and swap by swap; a test holds
the two together. `tally` shuffles a pack many times, each time whole and from a seed of its own, and counts. All
counts are integers, so that blocks can be added up in any order.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LAGS = 3


def _roots(power: int, count: int) -> list[int]:
    """The first 32 bits of the fractions of the roots of the first primes: the constants of SHA-256."""
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % divisor for divisor in range(2, int(candidate**0.5) + 1)):
            scaled = candidate << (32 * power)
            root = round(scaled ** (1 / power))
            while root**power > scaled:
                root -= 1
            while (root + 1) ** power <= scaled:
                root += 1
            found.append(root & 0xFFFFFFFF)
        candidate += 1
    return found


START = np.array(_roots(2, 8), dtype=np.uint32)
ROUNDS = np.array(_roots(3, 64), dtype=np.uint32)


@numba.njit(inline="always", cache=True)
def _turn(word: Any, by: int) -> Any:
    return np.uint32((word >> np.uint32(by)) | (word << np.uint32(32 - by)))


@numba.njit(cache=True)
def compress(w: Array, digest: Array) -> None:
    """SHA-256 of one padded block of sixteen words, into `digest`; `w` has room for 64 words."""
    for t in range(16, 64):
        x, y = w[t - 15], w[t - 2]
        s0 = _turn(x, 7) ^ _turn(x, 18) ^ np.uint32(x >> np.uint32(3))
        s1 = _turn(y, 17) ^ _turn(y, 19) ^ np.uint32(y >> np.uint32(10))
        w[t] = np.uint32(w[t - 16] + s0 + w[t - 7] + s1)
    a, b, c, d = START[0], START[1], START[2], START[3]
    e, f, g, h = START[4], START[5], START[6], START[7]
    for t in range(64):
        s1 = _turn(e, 6) ^ _turn(e, 11) ^ _turn(e, 25)
        one = np.uint32(h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[t] + w[t])
        s0 = _turn(a, 2) ^ _turn(a, 13) ^ _turn(a, 22)
        two = np.uint32(s0 + ((a & b) ^ (a & c) ^ (b & c)))
        h, g, f, e = g, f, e, np.uint32(d + one)
        d, c, b, a = c, b, a, np.uint32(one + two)
    digest[0], digest[1], digest[2], digest[3] = START[0] + a, START[1] + b, START[2] + c, START[3] + d
    digest[4], digest[5], digest[6], digest[7] = START[4] + e, START[5] + f, START[6] + g, START[7] + h


@numba.njit(cache=True)
def _seed_of(master: Array, number: int, w: Array, digest: Array) -> None:
    """Seed number `number` of the battery: SHA-256 of the master seed and the number."""
    for t in range(8):
        w[t] = master[t]
    w[8] = np.uint32(number >> 32)
    w[9] = np.uint32(number & 0xFFFFFFFF)
    w[10] = np.uint32(0x80000000)
    for t in range(11, 15):
        w[t] = np.uint32(0)
    w[15] = np.uint32(40 * 8)
    compress(w, digest)


@numba.njit(cache=True)
def order_of(seed: Array, stream: int, order: Array, limits: Array, w: Array, digest: Array) -> None:
    """Shuffle `order`, which begins as 0, 1, 2...: the same words, thrown away alike, and the same swaps."""
    count = len(order)
    counter = 0
    half = 16
    for last in range(count - 1, 0, -1):
        bound = last + 1
        while True:
            if half == 16:
                for t in range(8):
                    w[t] = seed[t]
                w[8] = np.uint32(stream >> 32)
                w[9] = np.uint32(stream & 0xFFFFFFFF)
                w[10] = np.uint32(counter >> 32)
                w[11] = np.uint32(counter & 0xFFFFFFFF)
                w[12] = np.uint32(0x80000000)
                w[13] = np.uint32(0)
                w[14] = np.uint32(0)
                w[15] = np.uint32(48 * 8)
                compress(w, digest)
                counter += 1
                half = 0
            word = digest[half >> 1] >> np.uint32(16 - 16 * (half & 1)) & np.uint32(0xFFFF)
            half += 1
            if word < limits[bound]:
                break
        chosen = np.uint32(word) % np.uint32(bound)
        moved = order[last]
        order[last] = order[chosen]
        order[chosen] = moved


@numba.njit(nogil=True, cache=True)
def tally(
    master: Array, first: int, shuffles: int, rank: Array, red: Array, limits: Array, places: Array, pairs: Array,
    runs: Array, kept: Array, ascents: Array, fixed: Array, serial: Array,
) -> None:  # fmt: skip
    """Shuffle `shuffles` times from seed number `first` on, and count into the arrays that are handed in."""
    count = len(rank)
    order = np.empty(count, dtype=np.int32)
    held = np.empty(count + LAGS, dtype=np.int64)
    w = np.empty(64, dtype=np.uint32)
    digest = np.empty(8, dtype=np.uint32)
    seed = np.empty(8, dtype=np.uint32)
    for number in range(first, first + shuffles):
        _seed_of(master, number, w, seed)
        for at in range(count):
            order[at] = at
        order_of(seed, 0, order, limits, w, digest)
        before = order[0]
        held[0] = rank[before]
        places[0, before] += 1
        run, rises, neighbours, home = 1, 0, 0, int(before == 0)
        for at in range(1, count):
            card = order[at]
            held[at] = rank[card]
            places[at, card] += 1
            pairs[at - 1, held[at - 1], held[at]] += 1
            run += red[before] != red[card]
            rises += card > before
            neighbours += card == before + 1
            home += card == at
            before = card
        runs[run] += 1
        ascents[rises] += 1
        kept[neighbours] += 1
        fixed[home] += 1
        for lag in range(1, LAGS + 1):
            held[count + lag - 1] = held[lag - 1]
            total = 0
            for at in range(count):
                total += held[at] * held[at + lag]
            serial[lag - 1] += total


class Counts(NamedTuple):
    """What was counted over many shuffles of one pack."""

    shuffles: int
    places: Array
    """How often each card of the pack (by its place before the shuffle) came to each position."""
    pairs: Array
    """How often each pair of ranks came at each two neighbouring positions."""
    runs: Array
    """How often there were so many runs of one colour."""
    kept: Array
    """How often so many neighbours of the old order were neighbours in the new one."""
    ascents: Array
    """How often so many cards were followed by one that lay behind them before."""
    fixed: Array
    """How often so many cards were where they had been."""
    serial: Array
    """Sum over all shuffles of the products of ranks at a distance, round the pack."""


class Pack(NamedTuple):
    """Cards in their order before the shuffle: the rank (from 0) and colour of each."""

    decks: int
    deck_cards: int
    rank: Array
    red: Array

    @property
    def name(self) -> str:
        return f"{self.decks} x {self.deck_cards}"


def pack_of(deck_count: int, deck_cards: int) -> Pack:
    """A pack as the table has it before a shuffle."""
    from pitboss.cards import RANKS, RED, decks
    from pitboss.table.shoe.shuffle import canonical

    cards = canonical(decks(deck_count, deck_cards))
    ranks = [name for name in RANKS if any(card[0] == name for card in cards)]
    rank = np.array([ranks.index(card[0]) for card in cards], dtype=np.int64)
    return Pack(deck_count, deck_cards, rank, np.array([card[1] in RED for card in cards]))


def words_of(seed: bytes) -> Array:
    """A seed as eight words."""
    return np.frombuffer(seed, dtype=">u4").astype(np.uint32)


def limits_for(count: int) -> Array:
    """The words below which a number below each bound is taken."""
    return np.array([0] + [65536 - 65536 % bound for bound in range(1, count + 1)], dtype=np.uint32)


def seed_of(master: bytes, number: int) -> bytes:
    """The seed of one shuffle of the battery."""
    return hashlib.sha256(master + number.to_bytes(8, "big")).digest()


def shuffle_pack(pack: Pack, seed: bytes, stream: int = 0) -> Array:
    """Where each card of the new order lay before."""
    order = np.arange(len(pack.rank), dtype=np.int32)
    room, digest = np.empty(64, dtype=np.uint32), np.empty(8, dtype=np.uint32)
    order_of(words_of(seed), stream, order, limits_for(len(order)), room, digest)
    return order


def empty_counts(pack: Pack) -> Counts:
    """Nothing counted yet."""
    count, ranks = len(pack.rank), int(pack.rank.max()) + 1
    zeros = [np.zeros(count + 1, dtype=np.int64) for _ in range(4)]
    places = np.zeros((count, count), dtype=np.uint32)
    pairs = np.zeros((count - 1, ranks, ranks), dtype=np.uint32)
    return Counts(0, places, pairs, *zeros, np.zeros(LAGS, dtype=np.int64))


def count_shuffles(pack: Pack, master: bytes, first: int, shuffles: int, counts: Counts) -> Counts:
    """The counts with so many shuffles more, seeds from number `first` on."""
    _, places, pairs, runs, kept, ascents, fixed, serial = counts
    tally(
        words_of(master), first, shuffles, pack.rank, pack.red, limits_for(len(pack.rank)), places, pairs, runs, kept,
        ascents, fixed, serial,
    )  # fmt: skip
    return counts._replace(shuffles=counts.shuffles + shuffles)
