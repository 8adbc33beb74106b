"""Many games analysed at once: those that are played alike only once, and as many at a time as there are cores."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import msgspec

from pitboss.odds.analysis import analyse
from pitboss.odds.edge import Edge
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks.model.rules import Rules


class ManyGames:
    """What each of a number of games is worth."""

    def __init__(self, wanted: Iterable[Rules], method: str = "CDZ-") -> None:
        games = {pack(rules): rules for rules in wanted}
        longest_first = sorted(games.items(), key=lambda item: (not item[1].switch, item[1].deck_cards))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            done = pool.map(lambda item: (item[0], analyse(item[1], method=method)), longest_first)
            self._known: dict[Packed, Edge] = dict(done)

    def edge(self, rules: Rules) -> Edge:
        """The worth of one of them."""
        return msgspec.structs.replace(self._known[pack(rules)], game=rules.game, name=rules.name)
