"""Playing a plan while somebody waits: a progress bar, Ctrl-C, and the run kept as it goes."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from pitboss.sim.run import Run

KEEP_SECONDS = 30.0
"""How much work a run that is killed can lose, if it is kept on file."""


def play_with_progress(
    run: Run, threads: int, cluster: str | None, keep: Callable[[], None], *, gpu: bool = False
) -> None:
    """Play what is left, with a progress bar on a terminal; Ctrl-C stops after the blocks that are being played.

    `keep` is called now and then, and when the run ends, however it ends.
    """
    console = Console(stderr=True)
    began, before = time.monotonic(), run.seconds
    kept = began
    with _bar(console) as bar, _Interrupts(console) as stopped:
        task = bar.add_task("", total=run.prepared.plan.rounds, completed=run.sums.totals["rounds"])

        def progress(_: Any) -> bool:
            nonlocal kept
            now = time.monotonic()
            run.seconds = before + now - began
            if not bar.disable:
                bar.update(task, completed=run.sums.totals["rounds"], description=standing(run))
            if now - kept > KEEP_SECONDS:
                keep()
                kept = now
            return not stopped()

        try:
            if gpu:
                from pitboss.sim.gpu import on_gpu

                on_gpu(run, progress)
            elif cluster is None:
                run.on_threads(threads, progress)
            else:
                from pitboss.sim.cluster import on_cluster

                # What goes wrong on a cluster is told in one line, not in its own words on the way there.
                logging.getLogger("distributed").setLevel(logging.CRITICAL)
                on_cluster(run, cluster, progress)
        finally:
            run.seconds = before + time.monotonic() - began
            keep()


def standing(run: Run) -> str:
    """Where a run stands, in a few words."""
    result = run.result()
    edge = f"edge {100 * result.house_edge:.4f} % ± {100 * result.standard_error:.4f}"
    return f"{result.rounds_per_second / 1e6:.1f} M rounds/s  {edge}"


def _bar(console: Console) -> Progress:
    columns = (
        BarColumn(bar_width=16),
        TextColumn("{task.percentage:>5.1f}%"),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    return Progress(*columns, console=console, disable=not console.is_terminal)


class _Interrupts:
    """Turns the first Ctrl-C into a question that the run asks after each block; the second ends at once."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def __enter__(self) -> Callable[[], bool]:
        self.asked = False
        self.installed = threading.current_thread() is threading.main_thread()
        if self.installed:
            self.before = signal.signal(signal.SIGINT, self.note)
        return lambda: self.asked

    def note(self, *_: Any) -> None:
        """Ctrl-C was pressed."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self.console.print("stopping after the rounds that are being played; Ctrl-C again stops at once")

    def __exit__(self, *_: object) -> None:
        if self.installed:
            signal.signal(signal.SIGINT, self.before)
