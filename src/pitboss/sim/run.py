"""Running a plan on the cores of one machine: blocks on threads, progress, stopping early, going on later.

Kernels let go of the interpreter, so threads use the cores. A run that is stopped keeps the blocks that are done; the
rest can be played later, elsewhere or never, and the sums are the same whoever played them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import msgspec

from pitboss.play.side_wagers.judges import look_at_dealer_hand
from pitboss.sim.plan import Plan, Prepared, SimError
from pitboss.sim.result import SimResult, Sums, empty, play_block

Progress = Callable[[Sums], bool]
"""Called after blocks are done; answers False to stop the run."""
SAVED_WITH = {"game": "game", "rules_digest": "set of rules", "strategy": "strategy", "plan": "plan"}
"""What must be as it was saved, and how people call it."""


class Saved(msgspec.Struct, kw_only=True):
    """A run on file: what it was, which blocks are done, and their sums."""

    game: str
    rules_digest: str
    strategy: str
    plan: Plan
    done: list[tuple[int, int]]
    """Blocks done, as ranges from-to (both included)."""
    sums: Sums
    seconds: float = 0.0


def ranges(blocks: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as ranges."""
    found: list[tuple[int, int]] = []
    for block in sorted(blocks):
        if found and found[-1][1] == block - 1:
            found[-1] = (found[-1][0], block)
        else:
            found.append((block, block))
    return found


def list_numbers(spans: Iterable[tuple[int, int]]) -> set[int]:
    """Ranges as numbers."""
    return {block for first, last in spans for block in range(first, last + 1)}


class Run:
    """One plan being played: which blocks are done and what they came to."""

    def __init__(self, prepared: Prepared, saved: Saved | None = None) -> None:
        self.prepared = prepared
        self.done: set[int] = set()
        self.sums = empty(prepared)
        self.seconds = 0.0
        if saved is not None:
            self._take_up(saved)

    def _take_up(self, saved: Saved) -> None:
        ours = self.save()
        for field, word in SAVED_WITH.items():
            if getattr(saved, field) != getattr(ours, field):
                raise SimError(f"the saved run has another {word}: resume it as it was saved, or start a new run")
        self.done = list_numbers(saved.done)
        self.sums = saved.sums
        self.seconds = saved.seconds

    def save(self) -> Saved:
        """The run as it can be kept on file."""
        rules = self.prepared.rules
        return Saved(
            game=rules.game,
            rules_digest=rules.digest,
            strategy=self.prepared.strategy.name,
            plan=self.prepared.plan,
            done=ranges(self.done),
            sums=self.sums,
            seconds=self.seconds,
        )

    def left(self) -> list[int]:
        """Blocks still to be played."""
        return [block for block in range(self.prepared.plan.blocks) if block not in self.done]

    def add(self, block: int, sums: Sums) -> None:
        """A block is done."""
        if block not in self.done:
            self.add_together([block], sums)

    def add_together(self, blocks: Iterable[int], sums: Sums) -> None:
        """Blocks that were left are done, and came to these sums together."""
        self.done.update(blocks)
        self.sums = self.sums + sums

    def on_threads(self, threads: int, progress: Progress) -> None:
        """Play what is left on `threads` threads until done or until `progress` says stop."""
        left = iter(self.left())
        with ThreadPoolExecutor(max_workers=threads) as pool:
            running: dict[Future[Sums], int] = {}
            going = True
            while going or running:
                while going and len(running) < 2 * threads:
                    block = next(left, None)
                    if block is None:
                        going = False
                        break
                    running[pool.submit(play_block, self.prepared, block)] = block
                if not running:
                    break
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    self.add(running.pop(future), future.result())
                if not progress(self.sums):
                    going = False

    def result(self) -> SimResult:
        """What has been found so far."""
        prepared = self.prepared
        return SimResult(
            game=prepared.rules.game,
            decks=prepared.rules.decks,
            rules_digest=prepared.rules.digest,
            strategy=prepared.strategy.name,
            boxes=prepared.plan.boxes,
            seed=prepared.plan.seed,
            unit=prepared.tables.unit,
            side_parts={
                side.id: names.parts
                for side, names in zip(prepared.rules.side_wagers, prepared.side_names, strict=True)
            },
            shared_sides=tuple(side.id for side in prepared.rules.side_wagers if look_at_dealer_hand([side.judge])),
            sums=self.sums,
            seconds=self.seconds,
        )
