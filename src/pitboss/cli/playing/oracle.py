"""Somebody to ask what choices are worth: the odds, in processes of their own so that the table never waits.

One process answers about hands, one about whole tables, which takes longer; both start when they are first needed.
What is known about tables comes with the program or is kept in the user's cache folder. A hand is answered within a
blink once the process is warm; until then those who cannot wait are told that nothing is known yet.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pitboss import __version__
from pitboss.odds.charts.chart_choices import chart_choice
from pitboss.odds.known_tables import find_known
from pitboss.odds.table_worth import TableWorth, table_worth
from pitboss.rulebooks.model.rules import Rules
from pitboss.server.question_worker import QuestionWorker, serve_questions
from pitboss.table import codec
from pitboss.table.messages import commands as cmd
from pitboss.table.state import State
from pitboss.tui.help.worth import hand_values, usual_hand

BLINK_SECONDS = 2.0
"""How long those who are in a hurry wait for a process that is warm."""


def cache_folder(environment: Mapping[str, str], platform: str = sys.platform, home: Path | None = None) -> Path:
    """The folder for what can be worked out again, by the custom of the platform."""
    home = home or Path.home()
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pitboss" / "cache"
    if platform == "darwin":
        return home / "Library" / "Caches" / "pitboss"
    given = environment.get("XDG_CACHE_HOME", "")
    return (Path(given) if Path(given).is_absolute() else home / ".cache") / "pitboss"


def _about_hand(question: tuple[State, tuple[cmd.Command, ...], str] | Rules) -> dict[int, float]:
    return hand_values(*(usual_hand(question) if isinstance(question, Rules) else question))


ANSWERS: Mapping[str, Callable[[Any], Any]] = {"hands": _about_hand, "tables": table_worth}
"""What each kind of process answers."""


class Oracle:
    """The advisor of a table that has a machine to itself."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache / f"tables-{__version__}.json"
        self.hands, self.tables = (QuestionWorker((sys.executable, "-m", __name__, kind)) for kind in ANSWERS)
        self._charts: dict[str, Any] = {}
        self._kept = self._read()

    @property
    def patience(self) -> float:
        """A warm process is worth a moment."""
        return BLINK_SECONDS if self.hands.warm else 0.0

    def prepare(self, rules: Rules) -> None:
        """Have one hand of the game priced, so that what must be compiled is compiled; and the table, if need be."""
        self.hands.ask(rules.digest, rules, seconds=0)
        self.edges(rules)

    def values(
        self, state: State, options: Sequence[cmd.Command], seconds: float | None = 0, player: str = ""
    ) -> Mapping[int, float] | None:
        """Expectation of each option for the cards that are left."""
        key = (codec.encode(state), tuple(map(codec.encode, options)), player)
        found: Mapping[int, float] | None = self.hands.ask(key, (state, tuple(options), player), seconds=seconds)
        return found

    def by_chart(self, state: State, options: Sequence[cmd.Command]) -> int | None:
        """What the best chart of totals names."""
        digest = state.rules.digest
        if digest not in self._charts:
            worth = self.main(state.rules)
            if worth is None:
                return None
            self._charts[digest] = worth.strategy()
        return chart_choice(self._charts[digest], state, options)

    def edges(self, rules: Rules, seconds: float | None = 0) -> Mapping[str, float] | None:
        """The house's edge on each wager."""
        worth = self.worth(rules, seconds) if rules.side_wagers else self.main(rules, seconds)
        return worth.edges if worth is not None else None

    def edge_of(self, rules: Rules) -> float | None:
        """The house's edge on the main wager, however long it takes."""
        worth = self.main(rules, None)
        return worth.edges["main"] if worth is not None else None

    def main(self, rules: Rules, seconds: float | None = 0) -> TableWorth | None:
        """What is known about a table, its side wagers perhaps left out."""
        return find_known(rules) or self.worth(rules, seconds)

    def worth(self, rules: Rules, seconds: float | None = 0) -> TableWorth | None:
        """What is known about a table, its side wagers included."""
        digest = rules.digest
        if digest in self._kept:
            return self._kept[digest]
        found: TableWorth | None = self.tables.ask(digest, rules, seconds=seconds)
        if found is not None:
            self._keep(digest, found)
        return found

    def _read(self) -> dict[str, TableWorth]:
        try:
            return msgspec.json.decode(self.cache.read_bytes(), type=dict[str, TableWorth])
        except (OSError, msgspec.DecodeError):
            return {}

    def _keep(self, digest: str, worth: TableWorth) -> None:
        """Keep an answer; a cache that cannot be written is done without."""
        self._kept = {**self._read(), **self._kept, digest: worth}
        try:
            self.cache.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.cache.with_suffix(f".{os.getpid()}")
            fresh.write_bytes(msgspec.json.encode(self._kept))
            fresh.replace(self.cache)
        except OSError:
            return

    def close(self) -> None:
        """End both processes."""
        self.hands.close()
        self.tables.close()


if __name__ == "__main__":
    serve_questions(ANSWERS[sys.argv[1]])
