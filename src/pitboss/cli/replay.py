"""`pitboss replay`: play records of rounds and of whole floors, and say what is not as recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pitboss.errors import PitbossError
from pitboss.files import read_exactly, read_text
from pitboss.floor.records.floor_record import FLOOR_SUFFIX
from pitboss.floor.records.read import read_floor_record
from pitboss.floor.records.replay import replay_floor
from pitboss.records import SUFFIX, Replay, add_outcomes, read, replay
from pitboss.report.replay_answer import (
    MALFORMED,
    ReplayedFile,
    complaint_lines,
    list_outcome_lines,
    replay_data,
    summary_line,
)
from pitboss.rulebooks import Rulebook, parse_user_book

EXAMPLES = (
    "pitboss replay ann.round.toml",
    "pitboss replay records/   # every record in a folder",
    "pitboss replay ann.round.toml --explain",
    "pitboss replay ann.round.toml --write   # adds results that are missing",
    "pitboss replay draw.floor.toml --explain   # what spans tables, step by step",
)


def run(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help=f"Records, or folders of *{SUFFIX} and *{FLOOR_SUFFIX}.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the settlement hand by hand as JSON.")] = False,
    in_words: Annotated[bool, typer.Option("--explain", help="Retell each round in words, with its clauses.")] = False,
    fill_in: Annotated[bool, typer.Option("--write", help="Add the results to records that have none.")] = False,
    any_cards: Annotated[
        bool, typer.Option("--any-cards", help="Accept cards that the decks in play do not contain.")
    ] = False,
    book: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="Your own rulebook; may be repeated.")] = None,
) -> None:
    """Replay records of rounds and of whole floors, and report what differs.

    Exits 0 if every result is as recorded, 1 if one differs, 2 if a record cannot be read.
    """
    own_books = tuple(parse_user_book(read_text(path), str(path)) for path in book or ())
    outcomes = []
    for path in _records(files):
        outcome = _replay_file(path, own_books, fill_in=fill_in, any_cards=any_cards)
        outcomes.append(outcome)
        for line in complaint_lines(outcome):
            typer.echo(line, err=True)
        if not as_json:
            print("".join(f"{line}\n" for line in list_outcome_lines(outcome, in_words=in_words)), end="")
    if as_json:
        encoded = msgspec.json.Encoder(decimal_format="number").encode(replay_data(outcomes, in_words=in_words))
        print(msgspec.json.format(encoded, indent=2).decode())
    if len(outcomes) > 1 or outcomes[0].code != MALFORMED:  # a record that cannot be read has had its one line
        typer.echo(summary_line(outcomes), err=True)
    raise typer.Exit(max(outcome.code for outcome in outcomes))


def _records(files: list[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named, in the order of their names."""
    for path in files:
        if not path.is_dir():
            yield path
            continue
        found = sorted((*path.rglob(f"*{SUFFIX}"), *path.rglob(f"*{FLOOR_SUFFIX}")))
        if not found:
            raise PitbossError(f"{path}: there is no *{SUFFIX} or *{FLOOR_SUFFIX} file in this folder")
        yield from found


def _replay_file(path: Path, own_books: tuple[Rulebook, ...], *, fill_in: bool, any_cards: bool) -> ReplayedFile:
    try:
        text = read_exactly(path)
        if path.name.endswith(FLOOR_SUFFIX):
            record = read_floor_record(text, str(path), own_books, lambda name: read_text(path.parent / name))
            return ReplayedFile(str(path), replay_floor(record, own_books))
        replayed = replay(read(text, str(path), own_books, any_cards=any_cards), own_books)
        if fill_in and not replayed.differences:
            _write_results(path, text, replayed)
        return ReplayedFile(str(path), replayed)
    except PitbossError as error:
        return ReplayedFile(str(path), error=error)


def _write_results(path: Path, text: str, replayed: Replay) -> None:
    """Put the results of rounds that have none into the file; all else in it stays as it is."""
    missing = {
        number: played.as_recorded
        for number, played in enumerate(replayed.rounds)
        if played.recorded.results is None and played.settled
    }
    if missing:
        filled = add_outcomes(text, missing, str(path))
        path.write_bytes(filled.encode())
        typer.echo(f"{path}: results written", err=True)
