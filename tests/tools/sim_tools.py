"""What the tests of the simulator share: plans that are ready to play, and every game with what it can offer."""

from __future__ import annotations

import zlib
from typing import Any

from pitboss.money import Money
from pitboss.play.packed import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from pitboss.rulebooks import RulebookError, find_game, games, rules_for
from pitboss.sim.plan import Plan, Prepared, prepare
from pitboss.sim.strategies import Question, SimpleStrategy, Strategy, Yardstick

GAMES = tuple(games())
METER = Money(50)
"""Where meters stand, per unit staked."""


def ready(
    game: str,
    *,
    strategy: Strategy | None = None,
    side_wagers: tuple[str, ...] = (),
    options: dict[str, Any] | None = None,
    readings: dict[str, str] | None = None,
    **plan: Any,
) -> Prepared:
    """A plan for a game, ready to be played."""
    rules = rules_for(game, side_wagers=list(side_wagers), readings=readings or {}, **(options or {}))
    meters = {name: METER for side in rules.side_wagers for name in side.meters}
    made = Plan(
        **{"rounds": 1 << 14, "seed": 7, "block_rounds": 1 << 14, "meters": meters, "wager": Money(100), **plan}
    )
    return prepare(rules, strategy or Yardstick(), made)


def side_wagers_of(game: str) -> list[str]:
    """The side wagers that a game can offer with its default options."""
    book, found = find_game(game)
    offered = []
    for wager in book.side_wagers_of(found):
        try:
            rules_for(game, side_wagers=[wager])
        except RulebookError:
            continue
        offered.append(wager)
    return offered


def wager_sets(game: str) -> list[tuple[str, ...]]:
    """Every side wager of a game once, as many together as may be offered together."""
    sets: list[tuple[str, ...]] = []
    for wager in side_wagers_of(game):
        for place, offered in enumerate(sets):
            try:
                rules_for(game, side_wagers=[*offered, wager])
            except RulebookError:
                continue
            sets[place] = (*offered, wager)
            break
        else:
            sets.append((wager,))
    return sets or [()]


HI_LO = {**dict.fromkeys("23456", 1), **dict.fromkeys("TJQKA", -1)}
"""Tags of a common count."""


class Erratic(SimpleStrategy):
    """Does anything that is legal, by a hash of the hand: reaches splits, doubles and draws that nobody sane makes."""

    def __init__(self, seed: int, composition: bool = False) -> None:
        self.name = f"erratic-{seed}"
        self.seed = seed
        self.composition = composition

    def _of(self, *what: object) -> int:
        return zlib.crc32(repr((self.seed, *what)).encode())

    def action(self, hand: Question) -> int:
        """The legal action that a hash of the hand puts first; on 17 and above mostly to stand."""
        cards = hand.values if self.composition else min(hand.cards, 3)
        seen = (hand.total, hand.soft, cards, hand.from_split, hand.other, hand.up)
        if hand.total >= 17 and hand.legal & STAND and self._of(*seen) % 5:
            return STAND
        bits = [bit for bit in (SPLIT, DOUBLE, SURRENDER, HIT, STAND) if bit & hand.legal]
        return max(bits, key=lambda bit: self._of(*seen, bit) // (1 if bit == SPLIT else 2))

    def rescues(self, total: int, up: int) -> bool:
        return self._of("rescue", total, up) % 2 == 0

    def switches(self, first: tuple[int, int], second: tuple[int, int], up: int) -> bool:
        return self._of("switch", first, second, up) % 2 == 0
