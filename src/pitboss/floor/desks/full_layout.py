"""A layout with everything on it that a game may offer at once."""

from __future__ import annotations

import contextlib
import functools

from pitboss.errors import PitbossError
from pitboss.rulebooks import find_game, rules_for
from pitboss.rulebooks.model.rules import Rules


@functools.lru_cache(64)
def choose_side_wagers(game: str) -> Rules:
    """The rules of a game with the side wagers that can be offered together."""
    book = find_game(game)[0]
    chosen: list[str] = []
    for name in book.side_wagers:
        with contextlib.suppress(PitbossError):
            rules_for(game, side_wagers=[*chosen, name])
            chosen.append(name)
    return rules_for(game, side_wagers=chosen)
