"""The clock of a floor: the machine's, but it never goes back, and it notices when somebody changes the time.

Where the machine's clock is put back, the floor's goes on at half its speed until the two agree: times in the log never
go back, and nobody waits an hour for a clock that was put back an hour. Where it is put forward, the floor goes on as
if nothing had happened until somebody has taken note of it with `take_jump`, and can give everybody at the tables their
time once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable

JUMP_MS = 1_000
"""By how much the machine's clock must be off at a stroke for it to be called a jump."""


def read_wall_ms() -> int:
    """The machine's time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def read_steady_ms() -> int:
    """Milliseconds that nobody can change."""
    return time.monotonic_ns() // 1_000_000


class SteadyClock:
    """Gives the time of a floor, in milliseconds since 1970."""

    def __init__(
        self, wall: Callable[[], int] = read_wall_ms, steady: Callable[[], int] = read_steady_ms, not_before: int = 0
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._last_wall = wall()
        self._last_steady = steady()
        self._now_halves = 2 * max(self._last_wall, not_before)
        self._jump_ms = 0
        self._held_ms = 0
        """How far the machine's clock was put forward without anybody having taken note of it."""

    def __call__(self) -> int:
        """The time now; never less than it was."""
        wall, steady = self._wall(), self._steady()
        passed = max(0, steady - self._last_steady)
        jump = wall - self._last_wall - passed
        if abs(jump) >= JUMP_MS:
            self._jump_ms += jump
            self._held_ms = max(0, self._held_ms + jump)
        self._last_wall, self._last_steady = wall, steady
        self._now_halves = max(2 * (wall - self._held_ms), self._now_halves + passed)
        return self._now_halves // 2

    def start_at(self, not_before: int) -> None:
        """Go on from here if the clock is behind: what is in the log already is not to come again."""
        self._now_halves = max(self._now_halves, 2 * not_before)

    def take_jump(self) -> int:
        """By how much the machine's clock was changed since this was last asked, in milliseconds; now it counts."""
        self()
        jump, self._jump_ms, self._held_ms = self._jump_ms, 0, 0
        return jump
