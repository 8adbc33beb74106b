"""The answers of the lab, as a page shows them: every number is a text, with the value for programs beside it."""

from __future__ import annotations

import msgspec


class ShownNumber(msgspec.Struct, frozen=True):
    """A number as it is shown, and as it is."""

    text: str
    value: float


class BoardHand(msgspec.Struct, frozen=True):
    """A hand on the board."""

    cards: list[str]
    words: str
    """What it counts, in words."""
    turn: bool
    """It is this hand that is decided on."""


class BoardBox(msgspec.Struct, frozen=True):
    """A box on the board with its hands."""

    number: str
    hands: list[BoardHand]


class BoardAction(msgspec.Struct, frozen=True):
    """An action and what it is worth."""

    action: str
    """`hit`, `stand`, `double`, `split`, `surrender`, `insure`, `even-money`, `forfeit`, `switch`, `leave`."""
    about: str
    """What it is about: `area`, both boxes together; `hand`; `insurance`; `play`, which goes on."""
    command: str
    """The action as a record writes it; empty where it is worth something and is no command of its own."""
    worth: ShownNumber | None
    """Of the stake."""
    money: ShownNumber | None
    """At the stake of the board."""
    behind: ShownNumber | None
    """What it costs against the best action, in money."""
    best: bool


class BoardRefusal(msgspec.Struct, frozen=True):
    """An action that is not open, and why."""

    action: str
    reason: str
    clauses: list[str]


class BoardAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A position, and what may be done in it."""

    sentence: str
    """Where play stands, as a dealer would say it."""
    due: str
    """Whose card is due before anything else: a box, or `dealer`; empty when somebody decides."""
    boxes: list[BoardBox]
    dealer: list[str]
    actions: list[BoardAction]
    refused: list[BoardRefusal]
    natural: ShownNumber | None
    """The chance of a dealer's natural."""
    left: int
    """Cards that nobody has seen."""
    error: str
    """How far a value can be off, in words; empty where it is exact."""
    record: str
    """The position played to its end, as a round record; empty where there is none yet."""


class LabFigure(msgspec.Struct, frozen=True):
    """One figure of a game."""

    id: str
    number: ShownNumber
    note: str


class ChartCell(msgspec.Struct, frozen=True):
    """A cell of a chart."""

    code: str
    was: str
    """The code in the chart of the game as its book has it, where it is another; else empty."""


class ChartRow(msgspec.Struct, frozen=True):
    """The cells of one hand."""

    hand: str
    cells: list[ChartCell]


class ChartBlock(msgspec.Struct, frozen=True):
    """One block of a chart: hard totals, soft totals, pairs."""

    title: str
    columns: list[str]
    rows: list[ChartRow]


class CodeMeaning(msgspec.Struct, frozen=True):
    """What a code of a chart says."""

    code: str
    words: str


class WorthAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a game with chosen rules is worth, and how to play it."""

    game: str
    name: str
    cards: str
    figures: list[LabFigure]
    chart: list[ChartBlock]
    legend: list[CodeMeaning]
    notes: list[str]
    by_up_card: list[LabFigure]
    ends: list[LabFigure]
    """How hands end, in words, with how often."""
    text: str
    """The chart as a file that every command reads."""
    whole: bool = True
    """Everything is there; else what is soon known."""


class SwitchChoice(msgspec.Struct, frozen=True):
    """A value that a rule can be switched to."""

    value: str
    words: str
    refused: str
    """Why it cannot be chosen beside the rest; empty if it can."""


class RuleSwitch(msgspec.Struct, frozen=True):
    """A rule that can be switched."""

    kind: str
    """`option`, `reading` or `change`: one of the house's, a reading of the book, or beyond the book."""
    name: str
    text: str
    value: str
    book_value: str
    decides_play: bool
    """One of its values changes how the main wager is played or paid."""
    choices: list[SwitchChoice]
    clauses: list[str]


class MeterName(msgspec.Struct, frozen=True):
    """A meter of a side wager."""

    wager: str
    meter: str


class SwitchesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A game and everything about it that can be switched."""

    game: str
    name: str
    book: str
    book_name: str
    boxes: int
    """Boxes of a position: two where second cards are switched."""
    deck: list[str]
    """The cards of one pack."""
    decks: int
    """0 where the deck is infinite."""
    switches: list[RuleSwitch]
    side_wagers: list[str]
    meters: list[MeterName]


class SideOutcomeShown(msgspec.Struct, frozen=True):
    """One outcome of a side wager."""

    outcome: str
    net: str
    chance: ShownNumber
    often: str
    clauses: list[str]


class MeterShown(msgspec.Struct, frozen=True):
    """A meter: where it stands, what it adds, and from where the wager is fair."""

    meter: str
    stands: str
    adds: ShownNumber
    """House edge taken off by each thousand on the meter."""
    break_even: ShownNumber | None


class SideShown(msgspec.Struct, frozen=True, kw_only=True):
    """A side wager."""

    id: str
    name: str
    player: str
    edge: ShownNumber
    exact: str
    deviation: ShownNumber
    favours_player: bool
    outcomes: list[SideOutcomeShown]
    meters: list[MeterShown]
    notes: list[str]
    clauses: list[str]


class SidesAnswer(msgspec.Struct, frozen=True):
    """The side wagers of a game."""

    wagers: list[SideShown]
    refused: dict[str, str]
    """Wagers that cannot be priced as the rules stand, and why."""


class RuleWorthRow(msgspec.Struct, frozen=True):
    """What one change of the rules is worth."""

    kind: str
    rule: str
    before: str
    after: str
    edge: ShownNumber
    difference: ShownNumber
    """What the change gives the house."""
    clauses: list[str]
    text: str


class ComparedRow(msgspec.Struct, frozen=True):
    """A game among others."""

    game: str
    name: str
    edge: ShownNumber
    by_chart: ShownNumber
    deviation: ShownNumber
    cards: str


class PictureBar(msgspec.Struct, frozen=True):
    """One bar of a picture: where, how high, and both in words."""

    at: float
    share: float
    words: str


class SimulationShown(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation so far."""

    rounds: ShownNumber
    edge: ShownNumber
    low: ShownNumber
    high: ShownNumber
    deviation: ShownNumber
    exact: ShownNumber | None
    """The house edge of the same play as it was computed, where the run is comparable with it."""
    bars: list[PictureBar]
    """What a round wins, in units of the wager."""
    path: list[PictureBar]
    """The house edge as it came about: after how many rounds, and what it was."""


class FigurePair(msgspec.Struct, frozen=True):
    """The worth of a game in two numbers, for comparisons."""

    game: str
    name: str
    cards: str
    edge: float
    by_chart: float
    deviation: float


class RuleStep(msgspec.Struct, frozen=True):
    """One change that is to be priced."""

    kind: str
    rule: str
    before: str
    after: str
    clauses: tuple[str, ...]
    text: str
