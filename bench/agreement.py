"""Simulator against analyser for every game and every side wager, as one table.

First rounds are played without the luck of their cards until the error of a figure is 0.0003 % (`--error`), or until
`--rounds` are played: a thousand million by `make bench-agreement`, ten million by this script itself. It ends with
status 1 if any figure is more than four standard errors from the exact one.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from pitboss.money import Money
from pitboss.play.side_wagers.judges import look_at_dealer_hand
from pitboss.rulebooks import RulebookError, find_game, games, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.agreement import Agreement, Effort, main_wager, side_wagers, strategy_of
from pitboss.sim.plan import Prepared
from pitboss.sim.result import SimResult
from pitboss.sim.run import Run

MOST_APART = 4.0
NEAR_ENOUGH = 3e-6
HEAD = ("game", "wager", "rounds", "odds", "simulated", "standard error", "apart")


def play(prepared: Prepared) -> SimResult:
    run = Run(prepared)
    run.on_threads(os.cpu_count() or 1, lambda _: True)
    return run.result()


def with_side_wagers(game: str) -> list[Rules]:
    """The game with all its side wagers: at as few tables as the book lets them be offered at together.

    A wager on the dealer's hand takes many more rounds than the others, and has a table of its own.
    """
    book, found = find_game(game)
    tables: list[Rules] = []
    for wager, module in book.side_wagers_of(found).items():
        alone = look_at_dealer_hand([module.judge])
        for place, rules in enumerate([*tables, None]):
            offered = [] if rules is None else [side.id for side in rules.side_wagers]
            if rules is not None and (alone or look_at_dealer_hand(side.judge for side in rules.side_wagers)):
                continue
            with contextlib.suppress(RulebookError):
                tables[place : place + 1] = [rules_for(game, side_wagers=[*offered, wager])]
                break
    return tables


def figures(asked: list[str], strategies: list[str], effort: Effort) -> Iterator[Agreement]:
    for game in asked:
        for name in strategies:
            yield main_wager(rules_for(game), name, effort, play)
        for rules in with_side_wagers(game):
            strategy, _ = strategy_of(rules, strategies[0])
            yield from side_wagers(rules, strategy, effort._replace(seed=effort.seed + 1), play)


def cells(row: Agreement) -> tuple[str, ...]:
    exact, simulated, error = (f"{100 * value:.5f} %" for value in (row.exact, row.simulated, row.standard_error))
    return row.game, row.wager, f"{Money(row.rounds):,}", exact, simulated, error, f"{row.errors_apart:+.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games; all of them if left out")
    parser.add_argument("--rounds", type=float, default=1e7, help="rounds for each figure, at most")
    parser.add_argument("--error", type=float, default=NEAR_ENOUGH, help="standard error that is near enough (3e-6)")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--strategy", action="append", choices=["chart", "optimum"], help="chart if left out")
    parser.add_argument("--report", type=Path, help="write the table there as Markdown")
    asked = parser.parse_args()
    effort = Effort(int(asked.rounds), asked.error, asked.seed)
    lines = [f"| {' | '.join(HEAD)} |", "|---|---|--:|--:|--:|--:|--:|"]
    print("\n".join(lines), flush=True)
    began, found = time.monotonic(), []
    for row in figures(asked.games or list(games()), asked.strategy or ["chart"], effort):
        found.append(row)
        lines.append(f"| {' | '.join(cells(row))} |")
        print(lines[-1], flush=True)
    worst = max(found, key=lambda row: abs(row.errors_apart))
    ending = (
        f"{len(found)} figures, house edges per unit of original stake, seed {asked.seed}. "
        f"Furthest apart: {worst.game}, {worst.wager}, {worst.errors_apart:+.2f} standard errors."
    )
    print(f"\n{ending} {time.monotonic() - began:.0f} s.")
    if asked.report is not None:
        title = "# Simulator and analyser, first rounds of full shoes\n\n`make bench-agreement` writes this.\n\n"
        asked.report.write_text(title + "\n".join(lines) + f"\n\n{ending}\n", "utf-8")
    return int(abs(worst.errors_apart) > MOST_APART)


if __name__ == "__main__":
    sys.exit(main())
