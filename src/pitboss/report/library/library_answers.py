"""The pages of the library, as data: what a clause becomes in software, what a game is, what a lesson tells."""

from __future__ import annotations

import msgspec


class ShelvedGame(msgspec.Struct, frozen=True):
    """A game on its book's shelf."""

    id: str
    name: str
    summary: str
    edge: str
    """The house edge with the book's defaults, as it is shown; empty where it is not known."""


class ShelvedBook(msgspec.Struct, frozen=True):
    """A book."""

    id: str
    name: str
    edition: str
    jurisdiction: str
    clauses: int
    statuses: dict[str, int]
    games: list[ShelvedGame]


class ClauseLine(msgspec.Struct, frozen=True):
    """A clause in a list."""

    clause: str
    kind: str
    status: str
    summary: str


class BookSection(msgspec.Struct, frozen=True):
    """The clauses under one number."""

    section: str
    clauses: list[ClauseLine]


class BookPage(msgspec.Struct, frozen=True):
    """A book, section by section."""

    book: ShelvedBook
    sections: list[BookSection]


class ClauseValue(msgspec.Struct, frozen=True):
    """A value of a game that stands on a clause."""

    game: str
    name: str
    value: str
    text: str


class ClauseLesson(msgspec.Struct, frozen=True):
    """A lesson that turns on a clause."""

    id: str
    title: str


class ClausePage(msgspec.Struct, frozen=True, kw_only=True):
    """A clause: our summary, what it becomes in software, what watches it."""

    book: str
    book_name: str
    clause: str
    kind: str
    status: str
    status_words: str
    summary: str
    note: str
    reason: str
    code: list[str]
    """Places that enforce it."""
    tests: list[str]
    witness: str
    """The record or test that was seen to cite it; empty where there is none."""
    values: list[ClauseValue]
    lessons: list[ClauseLesson]
    before: str
    after: str


class ClauseUse(msgspec.Struct, frozen=True):
    """A round of this floor that a clause decided."""

    table: str
    number: int


class ClauseUses(msgspec.Struct, frozen=True):
    """Where a clause was last used at this floor."""

    uses: list[ClauseUse]
    searched: int
    """How many rounds were looked at."""
    pending: int
    """How many more are being looked at: ask again."""


class FoundItem(msgspec.Struct, frozen=True):
    """Something that a search has found."""

    kind: str
    """`clause`, `game`, `rule`, `side-wager` or `lesson`."""
    title: str
    text: str
    book: str
    key: str
    """The clause, the game, or the lesson."""


class SearchPage(msgspec.Struct, frozen=True):
    """What a search has found, the best first."""

    query: str
    found: list[FoundItem]
    more: int
    """How many more there are."""


class ShownRule(msgspec.Struct, frozen=True):
    """A rule of a game: its value with its clauses."""

    name: str
    text: str
    value: str
    choices: list[str]
    """What it may be; for options and readings."""
    clauses: list[str]
    describes: bool
    """It is for information: nothing at the table is decided by it."""


class RuleGroup(msgspec.Struct, frozen=True):
    """Rules about one thing."""

    title: str
    rules: list[ShownRule]


class GameSide(msgspec.Struct, frozen=True):
    """A side wager of a game."""

    id: str
    name: str
    refused: str
    """Why it is not offered as the game stands; empty if it is."""
    clauses: list[str]
    pays: list[str]


class GameSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A game."""

    id: str
    name: str
    book: str
    book_name: str
    summary: str
    clauses: list[str]
    glance: dict[str, str]
    """Its main rules in few words, by heading."""
    felt: list[str]
    """What its layout says."""
    options: list[ShownRule]
    readings: list[ShownRule]
    groups: list[RuleGroup]
    bonuses: list[ShownRule]
    side_wagers: list[GameSide]
    edge: str
    chart: list[ChartPart]
    legend: dict[str, str]
    lessons: list[ClauseLesson]


class ChartPart(msgspec.Struct, frozen=True):
    """One block of a chart: rows of a hand and its codes."""

    title: str
    columns: list[str]
    rows: list[list[str]]


class LessonLine(msgspec.Struct, frozen=True):
    """A lesson in the list."""

    id: str
    title: str
    topic: str
    game: str
    game_name: str
    clauses: list[str]


class LessonList(msgspec.Struct, frozen=True):
    """The lessons, topic by topic."""

    topics: list[str]
    lessons: list[LessonLine]


class ToldLine(msgspec.Struct, frozen=True):
    """One thing that happened, and the clauses that decided it."""

    text: str
    clauses: list[str]


class LessonHand(msgspec.Struct, frozen=True):
    """A hand as it lies after a step."""

    cards: list[str]
    words: str
    state: str


class LessonBox(msgspec.Struct, frozen=True):
    """A box as it lies after a step."""

    number: str
    players: list[str]
    stakes: str
    hands: list[LessonHand]


class LessonStep(msgspec.Struct, frozen=True):
    """A step of a lesson: what was asked, what came of it, and the table after it."""

    asked: str
    refused: bool
    told: list[ToldLine]
    boxes: list[LessonBox]
    dealer: list[str]
    dealer_words: str


class LessonPage(msgspec.Struct, frozen=True):
    """A lesson, step by step."""

    line: LessonLine
    book: str
    table: str
    steps: list[LessonStep]
    summary: list[str]
    """What it cost whom, a line for each round."""
    record: str
