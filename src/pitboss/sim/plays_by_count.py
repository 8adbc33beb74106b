"""Plays that follow the count: from a count on, or below one, a hand does something else than its strategy says.

A strategy with such plays is several strategies, one for each stretch of counts in which nothing changes. The tables of
a plan hold what each of them does, and a kernel looks up the one that goes with the count of the moment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.play.packed import ACTION_BITS, SPLIT
from pitboss.sim.strategies import Question, Strategy

UPS = "A23456789T"
ACTIONS = ("stand", "hit", "double", "split", "surrender")
_HAND = re.compile(r"(hard|soft|pair) (\d{1,2}|[AT])( x(\d{1,2})(\+?))?")
LEAST_POINTS = {"hard": 4, "soft": 12, "pair": 1}
MOST_POINTS = {"hard": 21, "soft": 21, "pair": 10}
TWO_CARDS = 2


class PlayError(PitbossError):
    """A play by the count that cannot be made."""


class CountPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a hand does from a count on, or below a count, wherever it may."""

    hand: str
    """As in charts: `hard 16` and `soft 18` are hands of two cards, `hard 16 x3+` of three and more, `pair T`."""
    up: str
    action: str
    from_count: int | None = None
    below: int | None = None


class HandName(NamedTuple):
    """The hands that a play is about."""

    kind: str
    points: int
    """The total; for a pair the value of its card."""
    cards: int
    more: bool


def read_hand(text: str) -> HandName:
    """A hand by its name."""
    found = _HAND.fullmatch(text)
    if found is None:
        raise PlayError(f"'{text}' is no hand: write 'hard 16', 'hard 16 x3+', 'soft 18' or 'pair T'")
    kind, value, _, cards, more = found.groups()
    points = {"A": 1, "T": 10}.get(value, 0) or int(value)
    fits = LEAST_POINTS[kind] <= points <= MOST_POINTS[kind] and (kind == "pair" or value.isdecimal())
    if not fits or (kind == "pair" and cards) or (cards and int(cards) < TWO_CARDS):
        raise PlayError(f"there is no {text}")
    return HandName(kind, points, int(cards or TWO_CARDS), bool(more))


def hand_text(hand: HandName) -> str:
    """The name of some hands, as plays and charts write it."""
    points = {1: "A", 10: "T"}.get(hand.points, str(hand.points)) if hand.kind == "pair" else str(hand.points)
    cards = f" x{hand.cards}{'+' if hand.more else ''}" if hand.more or hand.cards != TWO_CARDS else ""
    return f"{hand.kind} {points}{cards}"


class PlaysAtCount:
    """A strategy as it is played at one count."""

    def __init__(self, basic: Strategy, plays: dict[tuple[HandName, int], int]) -> None:
        self.basic, self.plays = basic, plays
        self.name, self.composition = basic.name, basic.composition

    def action(self, hand: Question) -> int:
        """What the count says, if it says something that may be done, and else what the strategy says."""
        for name in _names_of(hand):
            wanted = self.plays.get((name, hand.up), 0)
            if wanted & hand.legal:
                return wanted
        return self.basic.action(hand)

    def rescues(self, total: int, up: int) -> bool:
        """As the strategy does."""
        return self.basic.rescues(total, up)

    def switches(self, first: tuple[int, int], second: tuple[int, int], up: int) -> bool:
        """As the strategy does."""
        return self.basic.switches(first, second, up)


def _names_of(hand: Question) -> list[HandName]:
    """The names by which plays can speak of a hand, the narrowest first."""
    if hand.cards == TWO_CARDS and hand.legal & SPLIT:
        return [HandName("pair", hand.values[0], TWO_CARDS, False)]
    kind = "soft" if hand.soft else "hard"
    wider = [HandName(kind, hand.total, least, True) for least in range(hand.cards, 1, -1)]
    return [HandName(kind, hand.total, hand.cards, False), *wider]


def play_by_count(
    basic: Strategy, plays: Sequence[CountPlay], lowest: int, highest: int
) -> tuple[tuple[Strategy, ...], tuple[int, ...]]:
    """The strategies that plays make of one, and for each count from the lowest to the highest which of them it is."""
    read = [_check(play) for play in plays]
    found: dict[tuple[tuple[tuple[HandName, int], int], ...], int] = {}
    places = []
    for count in range(lowest, highest + 1):
        says: dict[tuple[HandName, int], tuple[int, int]] = {}
        for play, spot, bit in read:
            edge = play.from_count if play.from_count is not None else play.below
            assert edge is not None
            applies = count >= edge if play.from_count is not None else count < edge
            # Of two plays that both hold, the one whose count lies nearer goes.
            if applies and (spot not in says or abs(count - edge) < says[spot][0]):
                says[spot] = (abs(count - edge), bit)
        key = tuple(sorted((spot, bit) for spot, (_, bit) in says.items()))
        places.append(found.setdefault(key, len(found)))
    return tuple(PlaysAtCount(basic, dict(key)) for key in found), tuple(places)


def _check(play: CountPlay) -> tuple[CountPlay, tuple[HandName, int], int]:
    """A play with the hand it is about, and the bit of its action."""
    hand = read_hand(play.hand)
    if play.up not in UPS or len(play.up) != 1:
        raise PlayError(f"'{play.up}' is no up card: write one of {', '.join(UPS)}")
    if play.action not in ACTIONS:
        raise PlayError(f"there is no action '{play.action}'; {nearest(play.action, ACTIONS)}")
    if (play.from_count is None) == (play.below is None):
        raise PlayError(f"{play.hand} against {play.up}: a play has either 'from_count' or 'below'")
    return play, (hand, UPS.index(play.up) + 1), ACTION_BITS[play.action]
