"""Many games analysed at once: those that are played alike only once, and as many at a time as there are cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed

import msgspec

from pitboss.odds.analysis import analyse
from pitboss.odds.edge import Edge
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks.model.rules import Rules


class ManyGames:
    """What each of a number of games is worth."""

    def __init__(
        self,
        wanted: Iterable[Rules],
        method: str = "CDZ-",
        progress: Callable[[int, int], None] = lambda done, of: None,
    ) -> None:
        """Analyse them; `progress` is told how many are done, and of how many."""
        games = {pack(rules): rules for rules in wanted}
        longest_first = sorted(games.items(), key=lambda item: (not item[1].switch, item[1].deck_cards))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            running = {pool.submit(analyse, rules, method=method): key for key, rules in longest_first}
            self._known: dict[Packed, Edge] = {}
            for done in as_completed(running):
                self._known[running[done]] = done.result()
                progress(len(self._known), len(running))

    def edge(self, rules: Rules) -> Edge:
        """The worth of one of them."""
        return msgspec.structs.replace(self._known[pack(rules)], game=rules.game, name=rules.name)
