"""The shuffle itself: the order a seed gives, numbers without bias, and the compiled twin that the battery tests."""

from __future__ import annotations

import hashlib
import itertools
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import CARDS, decks
from pitboss.table.shoe import shuffle

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

from battery import judge, kernel  # noqa: E402

SEED = bytes(range(32))


@given(st.lists(st.sampled_from(CARDS), max_size=60), st.binary(min_size=32, max_size=32), st.integers(0, 2**40))
def test_a_shuffle_keeps_the_cards_and_forgets_the_order_they_came_in(
    cards: list[str], seed: bytes, stream: int
) -> None:
    order = shuffle.shuffle_cards(cards, seed, stream)
    assert Counter(order) == Counter(cards)
    assert shuffle.shuffle_cards(reversed(cards), seed, stream) == order


def test_seed_and_stream_decide_the_order() -> None:
    pack = decks(2)
    orders = {shuffle.shuffle_cards(pack, seed, stream) for seed in (SEED, bytes(32)) for stream in range(5)}
    assert len(orders) == 10


def test_words_are_sha_256_in_counter_mode() -> None:
    """Anybody can check this with a few lines: hash seed, stream and counter, and read two bytes at a time."""
    source = shuffle.stream_words(SEED, 3)
    found = [next(source) for _ in range(40)]
    stream = b"".join(
        hashlib.sha256(SEED + (3).to_bytes(8, "big") + counter.to_bytes(8, "big")).digest() for counter in range(3)
    )
    assert found == [int.from_bytes(stream[at : at + 2], "big") for at in range(0, 80, 2)]


def test_words_that_would_favour_small_numbers_are_thrown_away() -> None:
    # 65536 = 150 * 436 + 136: the last 136 words would give 0 to 135 one chance more.
    assert shuffle.draw_below(436, iter([65400, 65535, 65399])) == 65399 % 436
    assert shuffle.draw_below(65536, iter([65535])) == 65535
    assert shuffle.draw_below(1, iter([17])) == 0


@pytest.mark.parametrize("bound", [1, 2, 3, 52, 416])
def test_every_number_below_a_bound_is_equally_likely(bound: int) -> None:
    """Over all words that are taken, each number comes equally often."""
    limit = 65536 - 65536 % bound
    counts = Counter(shuffle.draw_below(bound, iter([word])) for word in range(limit))
    assert set(counts) == set(range(bound))
    assert len(set(counts.values())) == 1


@pytest.mark.parametrize("bound", [0, -1, 65537])
def test_a_bound_out_of_reach_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        shuffle.draw_below(bound, iter([0]))
    with pytest.raises(ValueError, match="ended"):
        shuffle.draw_below(3, iter([65535]))


def test_every_order_of_a_few_cards_comes_equally_often() -> None:
    cards = ("As", "2s", "3s", "4s")
    counts = Counter(shuffle.shuffle_cards(cards, kernel.seed_of(SEED, number)) for number in range(24_000))
    assert set(counts) == set(itertools.permutations(cards))
    statistic = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert judge.two_sided(statistic, 23) > 1e-6


def test_seed_and_salt_come_from_the_entropy_and_hide_each_other() -> None:
    seed, salt = shuffle.seed_and_salt(b"e" * 32)
    assert seed != salt
    assert len(seed) == len(salt) == 32
    assert shuffle.seed_and_salt(b"f" * 32)[0] != seed
    assert shuffle.commitment(seed, salt) == hashlib.sha256(seed + salt).hexdigest()
    with pytest.raises(shuffle.EntropyError, match="32 bytes"):
        shuffle.seed_and_salt(b"e" * 31)


# ---------------------------------------------------------------------- the compiled twin


@pytest.mark.slow
@pytest.mark.parametrize(("deck_count", "deck_cards"), [(1, 52), (3, 52), (8, 52), (4, 48), (8, 48)])
def test_the_compiled_twin_deals_the_same_orders(deck_count: int, deck_cards: int) -> None:
    pack = decks(deck_count, deck_cards)
    before = shuffle.canonical(pack)
    twin = kernel.pack_of(deck_count, deck_cards)
    for number in range(100):
        seed, stream = kernel.seed_of(SEED, number), number % 3
        order = kernel.shuffle_pack(twin, seed, stream)
        assert tuple(before[at] for at in order) == shuffle.shuffle_cards(pack, seed, stream)


@pytest.mark.slow
def test_the_twin_counts_what_it_deals() -> None:
    pack = kernel.pack_of(1, 52)
    counts = kernel.count_shuffles(pack, SEED, 5, 20, kernel.empty_counts(pack))
    orders = [kernel.shuffle_pack(pack, kernel.seed_of(SEED, number)) for number in range(5, 25)]
    ranks = [pack.rank[order] for order in orders]
    reds = [pack.red[order] for order in orders]
    assert all(counts.places[at, order[at]] > 0 for order in orders for at in range(52))
    assert counts.places.sum() == 20 * 52
    assert counts.runs.tolist() == np.bincount([1 + int((r[1:] != r[:-1]).sum()) for r in reds], minlength=53).tolist()
    assert counts.kept.tolist() == np.bincount([int((np.diff(o) == 1).sum()) for o in orders], minlength=53).tolist()
    assert counts.ascents.tolist() == np.bincount([int((np.diff(o) > 0).sum()) for o in orders], minlength=53).tolist()
    assert counts.fixed.tolist() == np.bincount([int((o == range(52)).sum()) for o in orders], minlength=53).tolist()
    for lag in (1, 2, 3):
        assert counts.serial[lag - 1] == sum(int((r * np.roll(r, -lag)).sum()) for r in ranks)
    assert counts.pairs[7, ranks[0][7], ranks[0][8]] > 0
    assert counts.pairs.sum() == 20 * 51


# ---------------------------------------------------------------------- the battery's own arithmetic


def _shuffles(count: int, biased: bool) -> kernel.Counts:
    """Counts of shuffles that are fair, or whose cards never stay where they are (a famous slip in Fisher-Yates)."""
    pack = kernel.pack_of(1, 52)
    counts = kernel.empty_counts(pack)
    dice = np.random.default_rng(1)
    for _ in range(count):
        order = np.arange(52)
        for last in range(51, 0, -1):
            chosen = int(dice.integers(0, last if biased else last + 1))
            order[last], order[chosen] = order[chosen], order[last]
        counts.places[np.arange(52), order] += 1
        counts.fixed[int((order == range(52)).sum())] += 1
    return counts._replace(shuffles=count)


@pytest.mark.slow
def test_the_battery_finds_a_biased_shuffle_and_passes_a_fair_one() -> None:
    pack = kernel.pack_of(1, 52)
    biased = {test.name: test.p for test in judge._positions(pack, _shuffles(3000, True)) if "origin" in test.family}
    fair = {test.name: test.p for test in judge._positions(pack, _shuffles(3000, False)) if "origin" in test.family}
    assert max(biased.values()) < 1e-6
    assert min(fair.values()) > 1e-4


def test_exact_distributions_agree_with_counting_all_orders() -> None:
    orders = list(itertools.permutations(range(6)))
    kept = Counter(sum(b == a + 1 for a, b in itertools.pairwise(order)) for order in orders)
    fixed = Counter(sum(at == card for at, card in enumerate(order)) for order in orders)
    red = Counter(1 + sum((a < 3) != (b < 3) for a, b in itertools.pairwise(order)) for order in orders)
    assert [int(chance * 720) for chance in judge.chances_of_kept(6)] == [kept[k] for k in range(6)]
    assert [int(chance * 720) for chance in judge.chances_of_fixed(6)] == [fixed[k] for k in range(7)]
    assert [int(chance * 720) for chance in judge.chances_of_runs(3, 3)] == [red[k] for k in range(7)]
    values = [0, 0, 1, 2, 3, 5]
    for lag in (1, 2):
        sums = [sum(values[o[at]] * values[o[(at + lag) % 6]] for at in range(6)) for o in orders]
        mean, variance = judge.serial_moments(values)
        assert mean * 720 == sum(sums)
        assert variance * 720 == sum((found - mean) ** 2 for found in sums)


@pytest.mark.parametrize(
    ("statistic", "freedom", "above"),
    [(3.841, 1, 0.05), (18.307, 10, 0.05), (29.588, 10, 0.001), (124.342, 100, 0.05), (2.558, 10, 0.99)],
)
def test_chi_square_tails_agree_with_the_tables(statistic: float, freedom: int, above: float) -> None:
    below, over = judge.chi_square_tails(statistic, freedom)
    assert over == pytest.approx(above, rel=1e-3)
    assert below + over == pytest.approx(1)
    assert judge.two_sided(1.96, 0) == pytest.approx(0.05, rel=1e-3)


@pytest.mark.slow
def test_the_battery_runs_and_its_report_says_how() -> None:
    command = [sys.executable, str(BENCH / "shuffle.py"), "--shuffles", "300", "--packs", "1x52", "4x48"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "| 1 x 52 | 52 | 166 |" in result.stdout
    wrong = subprocess.run([*command[:-1], "9x50"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "not a pack" in wrong.stderr


def test_the_report_that_is_kept_was_made_by_the_whole_battery() -> None:
    text = (BENCH / "reports" / "shuffle.md").read_text("utf-8")
    assert "10,000,000 whole shuffles of each pack" in text
    assert "**nothing was found**" in text
    for pack in (*(f"{count} x 52" for count in range(1, 9)), *(f"{count} x 48" for count in range(4, 9))):
        assert f"| {pack} |" in text
