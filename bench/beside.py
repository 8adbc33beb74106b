"""Our simulator beside another: boxes a second of processor time on one core, and precision a second, in one run.

The other is hhoppe/blackjack, of which the user has a checkout: `python bench/beside.py CHECKOUT`. What it imports must
be installed beside what we need; nothing of it is kept here. Its definitions are run as they stand in its
`blackjack.py`, but not its experiments, and it plays on one core as we do. Both play Game A: six decks, the dealer
stands on soft 17 and has looked at the hole card, doubles on any two cards and after splits, four hands, split aces
once, cut at three quarters.

Short runs of the two take turns, and the best of each counts: other work on the machine can only slow a run down.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pitboss
from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.rulebooks import games, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.plan import Plan, Prepared, prepare
from pitboss.sim.result import empty, play_block
from pitboss.sim.run import Run
from pitboss.sim.strategy_choice import choose_strategy

HOUSE_RULES = Path(__file__).resolve().parents[1] / "examples" / "las-vegas.toml"
LAST_DEFINITION = "monte_carlo_house_edge_cpu"
"""What follows it in their module is of no use here."""
THREE_QUARTERS = Money("0.75")
CORRECTED_ROUNDS = 1 << 21
FEW_ROUNDS, LANES = 1 << 10, 32

Precision = tuple[float, float]
"""Boxes, and 1 / (standard error)^2, each per second of processor time."""


class Case(NamedTuple):
    """What we play beside their Game A."""

    name: str
    rules: Rules
    boxes: int = 1
    least: float = 4.0
    """How many times their speed is wanted."""
    corrected: bool = False


def load_definitions(checkout: Path) -> dict[str, Any]:
    """What their module defines, without what it would run on import."""
    place = checkout / "blackjack.py"
    if not place.is_file():
        raise PitbossError(f"there is no blackjack.py in {checkout}: give the path of a checkout of hhoppe/blackjack")
    sys.path.insert(0, str(checkout))
    kept: list[ast.stmt] = []
    for node in ast.parse(place.read_text("utf-8")).body:
        if not (isinstance(node, ast.Expr) or (isinstance(node, ast.If) and isinstance(node.test, ast.Constant))):
            kept.append(node)
        if isinstance(node, ast.FunctionDef) and node.name == LAST_DEFINITION:
            break
    module = types.ModuleType("their_blackjack")
    sys.modules[module.__name__] = module
    try:
        exec(compile(ast.Module(kept, []), str(place), "exec"), module.__dict__)
    except ImportError as missing:
        raise PitbossError(f"hhoppe/blackjack needs what is not installed: {missing}") from missing
    # Compiled as for a long run; their charts as for a short one, which takes seconds instead of minutes.
    module.__dict__["EFFORT"] = 1
    return vars(module)


def their_run(theirs: dict[str, Any], hands: int) -> Callable[[], Precision]:
    """Game A as they play it."""
    rules = theirs["Rules"](
        num_decks=6, hit_soft17=False, obo=True, late_surrender=False, split_to_num_hands=4, cut_card=6 * 52 * 3 // 4
    )
    strategy = theirs["Strategy"]()
    play = theirs[LAST_DEFINITION]
    play(rules, strategy, 1000, parallel=False, quiet=True)

    def run() -> Precision:
        begun = time.process_time()
        _, played, deviation = play(rules, strategy, hands, parallel=False, quiet=True)
        seconds = time.process_time() - begun
        return played / seconds, played / (deviation**2 * seconds)

    return run


def make_ready(case: Case, block_rounds: int, blocks: int) -> Prepared:
    chosen = choose_strategy("basic", case.rules, Money(25)).strategy
    meters = {name: Money(50) for side in case.rules.side_wagers for name in side.meters}
    plan = Plan(
        rounds=block_rounds * blocks, boxes=case.boxes, block_rounds=block_rounds, meters=meters, wager=Money(25),
        penetration=THREE_QUARTERS if case.corrected else None, corrected=case.corrected,
    )  # fmt: skip
    return prepare(case.rules, chosen, plan)


def our_run(case: Case, seconds: float) -> Callable[[], Precision]:
    """One case as we play it, for about so long."""
    play_block(make_ready(case, FEW_ROUNDS, 1), 0)
    if case.corrected:
        prepared = make_ready(case, 1 << 18, CORRECTED_ROUNDS >> 18)
    else:
        trial = make_ready(case, 1 << 16, 1)
        begun = time.process_time()
        play_block(trial, 0)
        many = int(65536 * seconds / (time.process_time() - begun))
        prepared = make_ready(case, max(many // LANES * LANES, FEW_ROUNDS), 1)
    boxes = prepared.given.shape.boxes

    def run() -> Precision:
        made = Run(prepared)
        begun = time.process_time()
        total = empty(prepared)
        for block in range(prepared.plan.blocks):
            total = total + play_block(prepared, block)
        took = time.process_time() - begun
        made.add_together(range(prepared.plan.blocks), total)
        error = made.result().standard_error
        return prepared.plan.rounds * boxes / took, 1 / (error**2 * took)

    return run


def wagers_that_fit(game: str, wagers: list[str]) -> list[str]:
    """As many of these side wagers as the house may offer together."""
    fitting: list[str] = []
    for wager in wagers:
        try:
            rules_for(game, side_wagers=[*fitting, wager])
        except PitbossError:
            continue
        fitting.append(wager)
    return fitting


def all_cases(every_game: bool) -> list[Case]:
    house = pitboss.rules("las-vegas/blackjack", own_books=HOUSE_RULES)
    cases = [Case("Game A", house, least=6.0)]
    if every_game:
        cases += [Case(game, rules_for(game)) for game in games()]
    else:
        cases += [Case(game, rules_for(game)) for game in ("star/blackjack", "star/switch")]
    sides = wagers_that_fit("melbourne/blackjack", ["perfect-pairs", "buster"])
    cases += [
        Case("Game A, seven boxes", house, 7, 3.0),
        Case("star/blackjack, seven boxes", rules_for("star/blackjack"), 7, 3.0),
        Case("the same with perfect-pairs", rules_for("star/blackjack", side_wagers=["perfect-pairs"]), 7, 3.0),
        Case(
            f"melbourne/blackjack, seven boxes, {' and '.join(sides)}",
            rules_for("melbourne/blackjack", side_wagers=sides), 7, 3.0,
        ),
        Case("the same, on a third card", rules_for("melbourne/blackjack", side_wagers=["magnificent-sevens"]), 7, 3.0),
        Case("the same, carried", rules_for("melbourne/blackjack", side_wagers=["blackpot"]), 7, 3.0),
        Case(
            "melbourne/free-bet, seven boxes, pot-of-gold",
            rules_for("melbourne/free-bet", side_wagers=["pot-of-gold"]), 7, 3.0,
        ),
        Case("Game A, corrected", house, least=200.0, corrected=True),
    ]  # fmt: skip
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, nargs="?", help="a checkout of hhoppe/blackjack")
    parser.add_argument("--every-game", action="store_true", help="all games of the books, one box each")
    parser.add_argument("--turns", type=int, default=5, help="runs of each, in turns (5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="about how long a run takes (0.5)")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    asked = parser.parse_args()
    if asked.checkout is None:
        print("nothing to compare with: give the path of a checkout of hhoppe/blackjack")
        return 0
    try:
        theirs = load_definitions(asked.checkout)
    except PitbossError as fault:
        print(fault, file=sys.stderr)
        return 2
    first = their_run(theirs, 200_000)
    they = their_run(theirs, int(first()[0] * asked.seconds))
    print(f"{'':58}{'ours':>9}{'theirs':>9}{'times':>8}{'wanted':>8}")
    short = 0
    for case in all_cases(asked.every_game):
        if asked.only not in case.name:
            continue
        what = int(case.corrected)
        ours, own, other = our_run(case, asked.seconds), 0.0, 0.0
        for _ in range(asked.turns):
            own, other = max(own, ours()[what]), max(other, they()[what])
        short += own < case.least * other
        print(f"{case.name:58}{own / 1e6:9.2f}{other / 1e6:9.2f}{own / other:8.2f}{case.least:8.0f}", flush=True)
    print("millions of boxes a second of processor time on one core; corrected: 10^6 / (standard error^2 x seconds)")
    return int(short > 0)


if __name__ == "__main__":
    sys.exit(main())
