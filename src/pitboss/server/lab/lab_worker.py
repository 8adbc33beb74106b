"""The process that answers the lab's questions; it is told how much it gives way to others on the machine."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from pitboss.errors import PitbossError
from pitboss.odds.advice.board_position import BoardPosition, count_left
from pitboss.odds.analysis import Outline, analyse, outline, price_edge
from pitboss.odds.charts.best_play import best_play_of
from pitboss.odds.edge import Edge
from pitboss.odds.sides import BestPlay
from pitboss.play.packed import Packed, pack
from pitboss.records import read, replay
from pitboss.report.lab.board_answer import answer_board
from pitboss.report.lab.lab_answers import SimulationShown
from pitboss.report.lab.run_answer import show_simulation
from pitboss.report.lab.side_list import answer_sides
from pitboss.report.lab.switch_list import list_rule_steps, list_switches
from pitboss.report.lab.worth_answer import answer_worth, outline_worth, pair_figures, recall_worth
from pitboss.rulebooks import Rules
from pitboss.server.lab.lab_questions import (
    AskBoard,
    AskCited,
    AskEdge,
    AskFigures,
    AskSides,
    AskSteps,
    AskSwitches,
    AskWorth,
    LabQuestion,
    LabRefusal,
    PlaySome,
)
from pitboss.server.question_worker import serve_questions

KEPT_EDGES = 64
KEPT_OUTLINES = 12
"""Each holds the solved game, some megabytes."""
KEPT_RUNS = 8
BLOCK_ROUNDS = 1 << 18

FAULTS = (ArithmeticError, AssertionError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
"""What goes wrong with a question nobody has thought of: it has no answer, and the next one has."""

_edges: OrderedDict[tuple[Packed, object], Edge] = OrderedDict()
_outlines: OrderedDict[tuple[Packed, object], Outline] = OrderedDict()
_runs: OrderedDict[str, Any] = OrderedDict()


def answer_lab_question(question: LabQuestion) -> Any:
    """The answer, or why there is none."""
    try:
        return _answer(question)
    except PitbossError as error:
        return LabRefusal(" ".join(str(error).split()))
    except FAULTS:
        return LabRefusal("this cannot be worked out")


def _answer(question: LabQuestion) -> Any:
    match question:
        case AskBoard(choice, position):
            return answer_board(choice.resolve_rules()[1], position)
        case AskWorth(choice, seen, first):
            rules = choice.resolve_rules()[1]
            left = count_left(rules, BoardPosition(seen=seen)) if seen.strip() else None
            if first:
                known = recall_worth(rules) if left is None else None
                return known or outline_worth(rules, _find_outline(rules), left)
            return answer_worth(rules, _find_edge(rules), left)
        case AskSides(choice, stake, meters):
            return answer_sides(choice, stake, dict(meters), _find_best_play)
        case AskSwitches(choice):
            return list_switches(choice)
        case AskSteps(choice, beyond):
            return list_rule_steps(choice, beyond=beyond)
        case AskFigures(choice):
            rules = choice.resolve_rules()[1]
            return pair_figures(rules, _find_edge(rules))
        case AskEdge(choice):
            return price_edge(choice.resolve_rules()[1])
        case PlaySome():
            return _play_some(question)
        case AskCited(records):
            return [_find_cited(text) for text in records]


def _find_cited(text: str) -> tuple[str, ...]:
    """The clauses that decided a round; none of one that cannot be played any more."""
    try:
        return tuple(replay(read(text, "round")).cited)
    except PitbossError:
        return ()


Found = TypeVar("Found")


def _find_edge(rules: Rules) -> Edge:
    """The worth of a game, worked out once for rules that are played alike."""
    return _find_kept(_edges, rules, analyse, KEPT_EDGES)


def _find_outline(rules: Rules) -> Outline:
    """What is soon known of a game, likewise."""
    return _find_kept(_outlines, rules, outline, KEPT_OUTLINES)


def _find_kept(
    kept: OrderedDict[tuple[Packed, object], Found], rules: Rules, work_out: Callable[[Rules], Found], most: int
) -> Found:
    key = (pack(rules), rules.super_bonus_sums if rules.super_bonus else None)
    if key not in kept:
        kept[key] = work_out(rules)
        while len(kept) > most:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]


def _find_best_play(rules: Rules) -> BestPlay:
    return best_play_of(_find_outline(rules))


class LabSimulation:
    """A simulation that is played block by block as it is asked for."""

    def __init__(self, question: PlaySome) -> None:
        from pitboss.sim.api import make_ready
        from pitboss.sim.plan import Plan
        from pitboss.sim.run import Run

        wish = question.wish
        plan = Plan(
            rounds=wish.rounds, seed=wish.seed, boxes=wish.boxes, fresh_shoe=wish.fresh_shoe, block_rounds=BLOCK_ROUNDS
        )
        ready = make_ready(question.choice.resolve_rules()[1], wish.strategy, plan)
        self.run = Run(ready.prepared)
        self.exact = functools.cache(ready.first_round_edge) if ready.first_round_edge and wish.fresh_shoe else None
        self.path: list[tuple[int, float]] = []

    def play(self, blocks: int) -> SimulationShown:
        """Play some more, and show what has been found."""
        from pitboss.sim.result import play_block

        for block in self.run.left()[:blocks]:
            self.run.add(block, play_block(self.run.prepared, block))
        result = self.run.result()
        self.path.append((result.rounds, result.house_edge))
        return show_simulation(result, self.path, self.exact() if self.exact is not None else None)


def _play_some(question: PlaySome) -> SimulationShown:
    if question.run not in _runs:
        _runs[question.run] = LabSimulation(question)
        while len(_runs) > KEPT_RUNS:
            _runs.popitem(last=False)
    _runs.move_to_end(question.run)
    found: SimulationShown = _runs[question.run].play(question.blocks)
    return found


if __name__ == "__main__":
    with contextlib.suppress(OSError, AttributeError):
        os.nice(int(sys.argv[1]))
    serve_questions(answer_lab_question)
