"""Does the shuffle favour anything? Millions of whole shuffles of every pack the games use, counted and judged.

Without arguments it takes a quick look. `make bench-shuffle` does the whole battery and writes the report; the same
command writes the same report to the letter, since every seed comes from one master seed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from battery.judge import Test, judge
from battery.kernel import Pack, count_shuffles, empty_counts, pack_of

MASTER = hashlib.sha256(b"pitboss shuffle battery").digest()
PACKS = (*((decks, 52) for decks in range(1, 9)), *((decks, 48) for decks in range(4, 9)))
"""Decks and cards in a deck: every pack of the games, and smaller ones that a device may hold."""
LEVEL = 0.01
FULL = 10_000_000
QUICK = 20_000
BLOCK = 100_000
FAMILIES = ("position and rank", "position and card", "position and origin", "pairs", "runs", "serial correlation")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options().parse_args(arguments)
    results: list[tuple[Pack, list[Test]]] = []
    for decks, deck_cards in options.packs:
        pack = pack_of(decks, deck_cards)
        results.append((pack, run(pack, options.shuffles)))
        if options.report is not None:
            options.report.write_text(report(results, options.shuffles), encoding="utf-8")
    print("\n".join(_table(results)))
    rejected = _rejected([test for _, tests in results for test in tests])
    return 1 if rejected else 0


def run(pack: Pack, shuffles: int) -> list[Test]:
    """Shuffle and judge one pack; progress goes to stderr."""
    counts = empty_counts(pack)
    start = time.perf_counter()
    while counts.shuffles < shuffles:
        block = min(BLOCK, shuffles - counts.shuffles)
        counts = count_shuffles(pack, MASTER, counts.shuffles, block, counts)
        each = (time.perf_counter() - start) / counts.shuffles
        print(f"\r{pack.name}: {counts.shuffles:,} of {shuffles:,}, {each * 1e6:.1f} us each", end="", file=sys.stderr)
    print(file=sys.stderr)
    return list(judge(pack, counts))


def report(results: list[tuple[Pack, list[Test]]], shuffles: int) -> str:
    """The report as Markdown: the same for the same counts."""
    tests = [test for _, found in results for test in found]
    rejected = _rejected(tests)
    verdict = "nothing was found" if not rejected else f"{len(rejected)} tests reject: the shuffle is not fair"
    lines = [
        "# The statistical battery of the shuffle",
        "",
        f"`make bench-shuffle` writes this report. {shuffles:,} whole shuffles of each pack, {len(tests):,} tests, "
        f"Holm's procedure at {LEVEL:.0%} over all of them together: **{verdict}**.",
        "",
        "Each shuffle is the table's own (`pitboss.table.shoe.shuffle`, here as its compiled twin, which "
        "`tests/table/test_shuffle.py` holds to the original), from a seed of its own: SHA-256 of the master seed "
        f"`{MASTER.hex()}` and the number of the shuffle. The pack lies in its canonical order before every shuffle. "
        "P-values are two-sided. *Smallest p* is the smallest of its row, *adjusted* what Holm's procedure makes of it "
        f"over the whole report: below {LEVEL} would reject.",
        "",
        *_table(results),
        "",
        "## What was tested",
        "",
        "| family | tests | smallest p | what it looks at |",
        "|---|---|---|---|",
        *(_family(tests, family) for family in FAMILIES),
        "",
        "## The smallest p-values",
        "",
        "| pack | family | test | statistic | freedom | p | adjusted |",
        "|---|---|---|---|---|---|---|",
        *_smallest(results, 10),
        "",
    ]
    return "\n".join(lines)


WHAT = {
    "position and rank": "chi-square of the ranks at each position, and of all positions together",
    "position and card": "the same for the 52 (48) cards",
    "position and origin": "where each single card of the pack goes: all places, and cards that stay where they were",
    "pairs": "chi-square of the ranks of two neighbours at each place, and of neighbours that stay neighbours",
    "runs": "runs of one colour against their exact distribution; mean and spread of ascents",
    "serial correlation": "products of ranks at a distance of one, two and three cards",
}


def _family(tests: list[Test], family: str) -> str:
    own = [test.p for test in tests if test.family == family]
    return f"| {family} | {len(own):,} | {min(own):.3g} | {WHAT[family]} |"


def _table(results: list[tuple[Pack, list[Test]]]) -> list[str]:
    adjusted = _adjusted([test for _, tests in results for test in tests])
    lines = ["| pack | cards | tests | p below 0.05 | smallest p | adjusted |", "|---|---|---|---|---|---|"]
    for pack, tests in results:
        worst = min(tests, key=lambda test: test.p)
        below = sum(test.p < 0.05 for test in tests) / len(tests)
        found = adjusted[id(worst)]
        lines.append(f"| {pack.name} | {len(pack.rank)} | {len(tests):,} | {below:.1%} | {worst.p:.3g} | {found:.3g} |")
    return lines


def _smallest(results: list[tuple[Pack, list[Test]]], count: int) -> list[str]:
    adjusted = _adjusted([test for _, tests in results for test in tests])
    ranked = sorted(((test, pack) for pack, tests in results for test in tests), key=lambda item: item[0].p)
    return [
        f"| {pack.name} | {test.family} | {test.name} | {test.statistic:.4g} | {test.freedom or 'normal'} "
        f"| {test.p:.3g} | {adjusted[id(test)]:.3g} |"
        for test, pack in ranked[:count]
    ]


def _adjusted(tests: list[Test]) -> dict[int, float]:
    """Holm's adjusted p-values, by identity of the test."""
    found, highest = {}, 0.0
    for place, test in enumerate(sorted(tests, key=lambda test: test.p)):
        highest = max(highest, min(1.0, test.p * (len(tests) - place)))
        found[id(test)] = highest
    return found


def _rejected(tests: list[Test]) -> list[Test]:
    adjusted = _adjusted(tests)
    return [test for test in tests if adjusted[id(test)] < LEVEL]


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shuffles", type=int, default=QUICK, help="shuffles of each pack")
    parser.add_argument("--full", dest="shuffles", action="store_const", const=FULL, help=f"{FULL:,} of each")
    parser.add_argument("--report", type=Path, help="write the report to this file")
    parser.add_argument(
        "--packs", nargs="+", type=_pack, default=PACKS, metavar="DECKSxCARDS", help="packs such as 8x52 (all)"
    )
    return parser


def _pack(text: str) -> tuple[int, int]:
    decks, _, cards = text.partition("x")
    if not decks.isdigit() or cards not in ("52", "48") or not 0 < int(decks) <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a pack such as 8x52 or 4x48")
    return int(decks), int(cards)


if __name__ == "__main__":
    sys.exit(main())
