"""What agents see and may do, as numbers: actions, stages and the fields of an observation, the same for every game.

One seat of a game is one box, or one area of two boxes at Switch. All environments use these numbers, so an agent that
plays one game can sit down at another: what differs is which actions are open, and that is what the mask says.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pitboss.play.round import row as r


class Action(enum.IntEnum):
    """What an agent may ask for. `PROCEED` takes nothing of what is offered, or goes on where nothing is."""

    PROCEED = r.PROCEED
    HIT = r.TAKE_CARD
    STAND = r.STAND
    DOUBLE = r.DOUBLE
    SPLIT = r.SPLIT
    SURRENDER = r.SURRENDER
    INSURE = r.INSURE
    EVEN_MONEY = r.TAKE_EVEN_MONEY
    FORFEIT = r.FORFEIT
    SWITCH = r.SWITCH


class Stage(enum.IntEnum):
    """What is being decided."""

    OVER = r.OVER
    """Nothing: the round is decided, or it is somebody else's turn. Only `PROCEED` is open."""
    OFFERS = r.OFFERS
    """Insurance, even money, or a surrender that is open to the whole table."""
    TURN = r.TURN
    """The hand that is shown acts."""
    SWITCH = r.SWITCH_OR_NOT
    """Nothing is left to decide in the area but whether to switch."""
    RESCUE = r.RESCUE
    """The double just made may be taken back."""
    BETS = r.RESCUE + 1
    """How much is staked on the round that comes."""


class Field(NamedTuple):
    """One number of an observation: its name and the range of its values."""

    name: str
    low: int
    high: int


USUAL_HANDS = 4
"""Hands that a box may have in the games of the books, at most."""
MOST_CARDS = 21
MOST_TOTAL = 31
MOST_OF_A_VALUE = 128
"""Tens, jacks, queens and kings of eight decks."""

FIELDS = (
    Field("stage", 0, r.RESCUE),
    Field("up_card", 1, 10),
    Field("total", 0, MOST_TOTAL),
    Field("soft", 0, 1),
    Field("cards", 0, MOST_CARDS),
    Field("first_card", 0, 10),
    Field("second_card", 0, 10),
    Field("suited", 0, 2),
    Field("doubled", 0, 1),
    Field("from_split", 0, 1),
    Field("hand", 1, USUAL_HANDS),
    Field("hands", 1, USUAL_HANDS),
    Field("box", 1, 2),
    Field("insured", 0, 1),
    Field("other_total", 0, MOST_TOTAL),
    Field("other_first_card", 0, 10),
    Field("other_second_card", 0, 10),
    *(Field(f"seen_{value}", 0, MOST_OF_A_VALUE) for value in ("A", *map(str, range(2, 10)), "T")),
)
"""An observation, number by number (docs/agents.md says what each means)."""

(
    STAGE, UP_CARD, TOTAL, SOFT, CARDS, FIRST_CARD, SECOND_CARD, SUITED, DOUBLED, FROM_SPLIT, HAND, HANDS, BOX, INSURED,
    OTHER_TOTAL, OTHER_FIRST_CARD, OTHER_SECOND_CARD, SEEN,
) = range(18)  # fmt: skip
"""Places of the fields; from `SEEN` on there is one for each value of a card."""
BET = SEEN + 10
"""The place of the bet, where it is chosen."""
BETS_STAGE = int(Stage.BETS)
MOST_BET = 1000
"""Wagers that one bet may be."""

DTYPE = np.int16
NAMES = tuple(field.name for field in FIELDS)


def bounds(hands: int, bets: Sequence[int] = ()) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The least and the greatest observation, where a box may have so many hands and choose one of these bets."""
    low, high = np.array([field.low for field in FIELDS], DTYPE), np.array([field.high for field in FIELDS], DTYPE)
    high[[HAND, HANDS]] = max(hands, USUAL_HANDS)
    if bets:
        low[[UP_CARD, HAND, HANDS, BOX]] = 0
        high[STAGE] = BETS_STAGE
        low, high = np.append(low, DTYPE(0)), np.append(high, DTYPE(max(bets)))
    return low, high


def count_fields(bets: Sequence[int]) -> int:
    """Numbers in an observation, where one of these bets is chosen."""
    return len(FIELDS) + bool(bets)


def name_fields(observation: Any) -> dict[str, int]:
    """An observation by the names of its fields."""
    names = NAMES if len(observation) == len(NAMES) else (*NAMES, "bet")
    return {name: int(value) for name, value in zip(names, observation, strict=True)}
