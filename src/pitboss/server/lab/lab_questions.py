"""What the lab may be asked, as it goes to the process that answers."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from pitboss.money import Money
from pitboss.odds.advice.board_position import BoardPosition
from pitboss.odds.what_if.table_choice import TableChoice


class AskBoard(NamedTuple):
    """What the actions of a position are worth."""

    choice: TableChoice
    position: BoardPosition


class AskWorth(NamedTuple):
    """What a game is worth; `seen` are cards that have left the shoe."""

    choice: TableChoice
    seen: str
    first: bool = False
    """What is soon known is enough."""


class AskSides(NamedTuple):
    """What side wagers are worth."""

    choice: TableChoice
    stake: Money
    meters: tuple[tuple[str, Money], ...]


class AskSwitches(NamedTuple):
    """What can be switched."""

    choice: TableChoice


class AskSteps(NamedTuple):
    """Every single change of the rules."""

    choice: TableChoice
    beyond: bool


class AskFigures(NamedTuple):
    """The worth of a game in few numbers."""

    choice: TableChoice


class SimulationWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A simulation that somebody asks for."""

    rounds: int = 5_000_000
    seed: int = 1
    strategy: str = "chart"
    boxes: int = 1
    fresh_shoe: bool = False


class AskEdge(NamedTuple):
    """The house edge of a game by itself."""

    choice: TableChoice


class PlaySome(NamedTuple):
    """The next blocks of a simulation; `run` names it."""

    run: str
    choice: TableChoice
    wish: SimulationWish
    blocks: int


class AskCited(NamedTuple):
    """Which clauses decided rounds, given as records."""

    records: tuple[str, ...]


LabQuestion = AskCited | AskBoard | AskWorth | AskSides | AskSwitches | AskSteps | AskFigures | AskEdge | PlaySome


class LabRefusal(NamedTuple):
    """Why there is no answer, in one line."""

    reason: str
