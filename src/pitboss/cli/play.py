"""`pitboss play`: sit down at a table in the terminal. Entropy, folders, streams and the terminal come from here."""

from __future__ import annotations

import enum
import os
import secrets
import shutil
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from pitboss.cli.game_options import BookFile, DealtDecks, Options, Readings, Sides, read_choices, read_stake
from pitboss.cli.playing.kept_sessions import (
    JOURNAL_FOLDERS,
    JOURNAL_SUFFIX,
    FileKeeper,
    data_folder,
    find_left,
    newest_journal,
    read_journal,
)
from pitboss.cli.playing.oracle import Oracle, cache_folder
from pitboss.errors import PitbossError
from pitboss.formats.names import any_of
from pitboss.formats.typed_numbers import read_number, read_whole
from pitboss.money import Money
from pitboss.odds.known_tables import find_known
from pitboss.rulebooks import Rulebook, Rules, find_game, rules_for
from pitboss.table.meters import default_meters
from pitboss.table.state import Limits
from pitboss.tui.help.advice_sheet import farewell_lines
from pitboss.tui.help.drills import Drill, DrillKind
from pitboss.tui.plain import LineDrill, LineTable
from pitboss.tui.screens.game_notes import headings, specials
from pitboss.tui.session.live_session import LiveSession, resume_session
from pitboss.tui.session.robots import Advisor, NoAdvisor
from pitboss.tui.session.session import begin_session
from pitboss.tui.session.setup import ME, Policy, Setup, seats

LEAST_COLUMNS, LEAST_ROWS = 60, 20
MOST_ROBOTS = 100
SLOWEST_SECONDS = 60
RESUME = "resume"
"""What is typed instead of a game to resume the session that was left."""

EXAMPLES = (
    "pitboss play   # choose a game from a list",
    "pitboss play melbourne/pontoon --robots 3 --bankroll 2,000",
    "pitboss play perth/blackjack --side perfect-pairs --seed rainy-sunday",
    "pitboss play --resume",
)


class Theme(enum.StrEnum):
    """Colours of the table."""

    AUTO = "auto"
    DARK = "dark"
    LIGHT = "light"


def _amount(what: str) -> Any:
    return typer.Option(metavar="AMOUNT", help=what)


Game = Annotated[
    str | None, typer.Argument(metavar="GAME", help="Such as melbourne/pontoon; choose from a list if left out.")
]
Seed = Annotated[str | None, typer.Option(metavar="TEXT", help="The same text deals the same cards again.")]
Robots = Annotated[str, typer.Option(metavar="N", help="Robots at the table.")]
Sharers = Annotated[str, typer.Option(metavar="N", help="How many of the robots share your box.")]
RobotPlay = Annotated[str, typer.Option(metavar="LIST", help="How robots play, in turn: chart, optimum, random.")]
Name = Annotated[str, typer.Option(metavar="NAME", help="Your name in records.")]
Box = Annotated[str | None, typer.Option(metavar="N", help="Your box; the middle one by default.")]
Minimum = Annotated[str, typer.Option("--min", metavar="AMOUNT", help="The table minimum.")]
Maximum = Annotated[str, typer.Option("--max", metavar="AMOUNT", help="The table maximum.")]
Records = Annotated[Path | None, typer.Option(metavar="DIR", help="Where to save rounds; your data folder by default.")]
Journal = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to save the session; as above by default.")]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the last session (or --journal).")]
Worth = Annotated[bool, typer.Option("--advice/--no-advice", help="Compute what choices are worth, in the background.")]
Trainer = Annotated[bool, typer.Option("--trainer", help="Ask before a mistake.")]
DrillIn = Annotated[
    str | None, typer.Option("--drill", metavar="KIND", help="Practise instead: hands, payouts or counting.")
]
Lines = Annotated[bool, typer.Option("--plain", help="Line by line, for scripts and screen readers.")]
Colours = Annotated[str, typer.Option(metavar="NAME", help="Colours of the table: auto, dark, light.")]
Pace = Annotated[str, typer.Option(metavar="SECONDS", help="How long each card is shown; 0 for no animation.")]


class Wanted(NamedTuple):
    """What was asked for, apart from the game and its choices."""

    seed: str | None
    robots: int
    sharers: int
    policies: tuple[Policy, ...]
    name: str
    box: int | None
    bankroll: Money
    limits: Limits
    records: Path
    journal: Path | None
    books: tuple[Rulebook, ...]
    advisor: Advisor
    trainer: bool


def run(
    game: Game = None,
    decks: DealtDecks = None,
    option: Options = None,
    side: Sides = None,
    reading: Readings = None,
    book: BookFile = None,
    seed: Seed = None,
    robots: Robots = "2",
    sharers: Sharers = "0",
    robot_play: RobotPlay = "chart,optimum,random",
    name: Name = ME,
    box: Box = None,
    bankroll: Annotated[str, _amount("Your buy-in.")] = "1000",
    minimum: Minimum = "5",
    maximum: Maximum = "500",
    chip: Annotated[str, _amount("The smallest amount that can be paid out.")] = "0.5",
    records: Records = None,
    journal: Journal = None,
    resume: Resume = False,
    advice: Worth = True,
    trainer: Trainer = False,
    drill: DrillIn = None,
    plain: Lines = False,
    theme: Colours = "auto",
    pace: Pace = "0.12",
) -> None:
    """Sit down at a table of any game. Without a terminal, or with --plain, you play line by line."""
    choices = read_choices(decks, option, side, reading, book, dealt=True)
    limits = Limits(read_stake("--min", minimum), read_stake("--max", maximum), read_stake("--chip", chip))
    kept = records or data_folder(os.environ) / "records"
    oracle = Oracle(cache_folder(os.environ)) if advice else None
    wanted = Wanted(
        seed=seed,
        robots=read_whole("--robots", robots, most=MOST_ROBOTS),
        sharers=read_whole("--sharers", sharers, most=MOST_ROBOTS),
        policies=_policies(robot_play),
        name=name,
        box=None if box is None else read_whole("--box", box, 1),
        bankroll=read_stake("--bankroll", bankroll),
        limits=limits,
        records=kept,
        journal=journal,
        books=choices.own_books,
        advisor=oracle or NoAdvisor(),
        trainer=trainer,
    )
    light, seconds = _light(_read_theme(theme)), _read_pace(pace)
    plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty())
    if not plain:
        _large_enough()
    if resume and game is not None:
        raise PitbossError(f"--resume continues the saved session: leave out {game}")
    if drill is not None:
        _hold_drill(game, choices.keywords(), _read_drill(drill), wanted, oracle, plain=plain, light=light)
        return
    if game is None and plain and not resume:
        game = _choose_game(wanted)
        resume = game == RESUME
    live = (
        _resume_session(wanted) if resume else None if game is None else open_session(game, choices.keywords(), wanted)
    )
    try:
        if not plain:
            _full_screen(live, choices.keywords(), wanted, oracle, light=light, pace=seconds)
        elif live is not None:
            LineTable(live, _hear, typer.echo, trainer=trainer).play()
    finally:
        if oracle is not None:
            oracle.close()


def _read_theme(text: str) -> Theme:
    if text not in tuple(Theme):
        raise PitbossError(f"--theme {text}: write {any_of(Theme)}")
    return Theme(text)


def _read_pace(text: str) -> float:
    seconds = read_number("--pace", text)
    if not 0 <= seconds <= SLOWEST_SECONDS:
        raise PitbossError(f"--pace {text}: write seconds from 0 to {SLOWEST_SECONDS}")
    return float(seconds)


def _read_drill(text: str) -> DrillKind:
    if text not in tuple(DrillKind):
        raise PitbossError(f"--drill {text}: write {any_of(DrillKind)}")
    return DrillKind(text)


def _policies(text: str) -> tuple[Policy, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in tuple(Policy):
            raise PitbossError(f"robots cannot play by '{name}': --robot-play takes {', '.join(Policy)}")
    return tuple(Policy(name) for name in names) or (Policy.CHART,)


# ---------------------------------------------------------------------- sessions


def open_session(game: str, choices: dict[str, Any], wanted: Wanted) -> LiveSession:
    """A new session."""
    rules = rules_for(game, wanted.books, **choices)
    own, robots = seats(rules, wanted.robots, wanted.sharers, wanted.policies, wanted.box)
    setup = Setup(
        game=rules.game,
        choices=choices,
        limits=wanted.limits,
        bankroll=wanted.bankroll,
        seed=wanted.seed or secrets.token_hex(32),
        robots=robots,
        player=wanted.name,
        box=own,
        meters=default_meters(rules),
    )
    session = begin_session(setup, rules)
    file = f"{rules.game.replace('/', '-')}-{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}{JOURNAL_SUFFIX}"
    journal = wanted.journal or data_folder(os.environ) / JOURNAL_FOLDERS[0] / file
    return LiveSession(session, wanted.advisor, FileKeeper(journal, wanted.records, fresh=True))


def _find_left(wanted: Wanted) -> tuple[Setup, datetime] | None:
    """The session that the lobby offers to resume; none if there is none whose game is known."""
    try:
        found = find_left(wanted.journal or newest_journal(data_folder(os.environ)))
        if found is not None:
            find_game(found[0].game, wanted.books)
    except PitbossError:
        return None
    return found


def _resume_session(wanted: Wanted) -> LiveSession:
    """A session where it was left."""
    journal = wanted.journal or newest_journal(data_folder(os.environ))
    keeper = FileKeeper(journal, wanted.records, fresh=False)
    try:
        restored = read_journal(journal)
        keeper.check_whole(restored)
        find_game(restored.session.setup.game, wanted.books)
    except PitbossError:
        keeper.close()
        raise
    return resume_session(restored, wanted.advisor, keeper)


# ---------------------------------------------------------------------- the two faces


def _hear() -> str | None:
    """The next line of the standard input; none at its end."""
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


def _choose_game(wanted: Wanted) -> str | None:
    """A game from a list, by its number or its id, or `resume` for what was left; none if the input ends."""
    books = wanted.books
    if (left := _find_left(wanted)) is not None:
        setup, when = left
        typer.echo(f"{RESUME}: {setup.game}, left {when:%d %B, %H:%M}.")
    names = tuple(name for _, listed in headings(books) for name in listed)
    for number, name in enumerate(names, 1):
        book, found = find_game(name, books)
        rules = rules_for(name, books)
        edge = _find_known_edge(rules)
        kept = f" House edge {edge:.3%} with best play." if edge is not None else ""
        special = "; ".join(special.text for special in specials(rules))
        typer.echo(f"{number}. {name}: {found.name}, {book.name}. Special: {special}.{kept}")
    typer.echo(f"Which game? Type its number or its id{f', or {RESUME}' if left is not None else ''}.")
    line = (_hear() or "").strip()
    return names[int(line) - 1] if line.isdigit() and 1 <= int(line) <= len(names) else line or None


def _find_known_edge(rules: Rules) -> float | None:
    """The house's edge on the main wager, where it comes with the program."""
    worth = find_known(rules)
    return worth.edges["main"] if worth is not None else None


def _large_enough() -> None:
    columns, rows = shutil.get_terminal_size()
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        raise PitbossError(
            f"the terminal has {columns} columns and {rows} rows; the table needs {LEAST_COLUMNS} and {LEAST_ROWS}: "
            "make it larger, or play with --plain"
        )


def _light(theme: Theme) -> bool:
    """The terminal has a light background, if it says so."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return theme is Theme.LIGHT or (theme is Theme.AUTO and background in ("7", "15"))


def _hold_drill(
    game: str | None,
    made: dict[str, Any],
    kind: DrillKind,
    wanted: Wanted,
    oracle: Oracle | None,
    *,
    plain: bool,
    light: bool,
) -> None:
    """Practise at a table without playing there."""
    if game is None:
        raise PitbossError(f"--drill needs a game: pitboss play melbourne/pontoon --drill {kind}")
    rules = rules_for(game, wanted.books, **made)
    try:
        if plain:
            LineDrill(
                Drill(kind, rules, wanted.advisor, wanted.seed or secrets.token_hex(32)), _hear, typer.echo
            ).hold()
        else:
            _full_screen(None, made, wanted, oracle, light=light, pace=0, drill=(rules, kind))
    finally:
        if oracle is not None:
            oracle.close()


def _has_terminal() -> bool:
    """The terminal is still there; one that was closed cannot even tell its size."""
    try:
        os.get_terminal_size(sys.stdin.fileno())
    except OSError:
        return False
    return True


def _full_screen(
    live: LiveSession | None,
    made: dict[str, Any],
    wanted: Wanted,
    oracle: Oracle | None,
    *,
    light: bool,
    pace: float,
    drill: tuple[Rules, DrillKind] | None = None,
) -> None:
    try:
        from pitboss.tui.screens.app import PlayApp
        from pitboss.tui.screens.lobby import LeftSession, OfferedTable
    except ImportError as error:
        raise PitbossError(f"the full screen needs the extra 'tui' ({error.name}); --plain works without it") from error

    def open_table(table: OfferedTable) -> LiveSession:
        sharers = min(wanted.sharers, table.robots)
        return open_session(
            table.game, {**made, **table.choices}, wanted._replace(robots=table.robots, sharers=sharers)
        )

    def edge_of(rules: Rules) -> float | None:
        return oracle.edge_of(rules) if oracle is not None else _find_known_edge(rules)

    left = None
    if live is None and (found := _find_left(wanted)) is not None:
        setup, when = found
        left = LeftSession(setup.game, find_game(setup.game, wanted.books)[1].name, f"{when:%d %B, %H:%M}")
    colour = "NO_COLOR" not in os.environ
    leaving = oracle.close if oracle is not None else lambda: None
    app = PlayApp(
        live,
        open_table,
        edge_of,
        advisor=wanted.advisor,
        seed=wanted.seed or secrets.token_hex(32),
        drill=drill,
        left=left,
        resume=lambda: _resume_session(wanted),
        books=wanted.books,
        leaving=leaving,
        has_terminal=_has_terminal,
        light=light,
        pace=pace,
        colour=colour,
        trainer=wanted.trainer,
    )
    app.run()
    if app.live is not None and _has_terminal():
        for line in farewell_lines(app.live):
            typer.echo(line)
