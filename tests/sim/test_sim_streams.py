"""Random streams: every order of a shoe equally likely, strands that share nothing."""

from __future__ import annotations

import numpy as np

from pitboss.sim.kernels.streams import below, draw_from_shoe, mix, open_stream


def numbers(seed: int, strand: int, count: int) -> list[int]:
    ctr, gamma = open_stream(seed, strand)
    found = []
    for _ in range(count):
        ctr = np.uint64((int(ctr) + int(gamma)) % 2**64)
        found.append(int(mix(ctr)))
    return found


def test_the_finaliser_is_that_of_splitmix64() -> None:
    """The first three numbers of the reference generator for seed 1234567."""
    gamma, state, found = 0x9E3779B97F4A7C15, 1234567, []
    for _ in range(3):
        state = (state + gamma) % 2**64
        found.append(int(mix(np.uint64(state))))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_strands_and_seeds_begin_and_step_differently() -> None:
    streams = {tuple(map(int, open_stream(seed, strand))) for seed in range(20) for strand in range(500)}
    assert len({start for start, _ in streams}) == len({gamma for _, gamma in streams}) == 10_000
    assert all(gamma % 2 for _, gamma in streams)


def test_neighbouring_strands_are_not_correlated() -> None:
    """Correlation of 4,000 numbers between strands and between seeds stays within five standard errors of nothing."""
    rows = np.array([[n / 2**64 for n in numbers(1, strand, 4000)] for strand in range(12)])
    rows = np.vstack([rows, [[n / 2**64 for n in numbers(2, strand, 4000)] for strand in range(4)]])
    table = np.corrcoef(rows)
    apart = np.abs(table[~np.eye(len(table), dtype=bool)])
    assert apart.max() < 5 / np.sqrt(4000)


def test_bits_of_a_strand_are_fair() -> None:
    found = np.array(numbers(3, 5, 8000), dtype=np.uint64)
    for bit in range(64):
        ones = int((found >> np.uint64(bit) & np.uint64(1)).sum())
        assert abs(ones - 4000) < 5 * np.sqrt(2000)


def test_below_is_even_over_its_range() -> None:
    ctr, gamma = (np.uint64(part) for part in open_stream(11, 0))
    counts = np.zeros(13, np.int64)
    for _ in range(26_000):
        number, ctr = below(13, np.uint64(ctr), gamma)
        counts[number] += 1
    assert (((counts - 2000) ** 2 / 2000).sum()) < 40  # chi-square with 12 degrees of freedom


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    ctr, gamma = (np.uint64(part) for part in open_stream(5, 9))
    counts: dict[tuple[int, ...], int] = {}
    shoe = np.arange(4, dtype=np.uint8)
    for _ in range(12_000):
        for pos in range(4):
            _, ctr = draw_from_shoe(shoe, pos, np.uint64(ctr), gamma)
        order = tuple(int(card) for card in shoe)
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert sum((times - 500) ** 2 / 500 for times in counts.values()) < 60  # 23 degrees of freedom
