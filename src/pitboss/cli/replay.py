"""`pitboss replay`: play round records through the table, and say what is not as recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from pitboss.cli.files import read_exactly, read_text
from pitboss.errors import PitbossError
from pitboss.records import SUFFIX, PlayedRound, RecordError, Replay, add_outcomes, explain, read, replay
from pitboss.records.settlement_table import SettlementTable, plain
from pitboss.rulebooks import Rulebook, parse_user_book

OK, DIFFERS, MALFORMED = 0, 1, 2


class Outcome(NamedTuple):
    """What became of one file: its replay, or why it cannot be read."""

    path: Path
    replayed: Replay | None = None
    error: PitbossError | None = None

    @property
    def code(self) -> int:
        """The exit code this file alone would have."""
        if self.replayed is None:
            return MALFORMED
        return DIFFERS if self.replayed.differences else OK


def run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=f"Records, or folders of *{SUFFIX} files.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the settlement hand by hand as JSON.")] = False,
    in_words: Annotated[bool, typer.Option("--explain", help="Tell each round in words, with its clauses.")] = False,
    fill_in: Annotated[bool, typer.Option("--write", help="Add the results to records that have none.")] = False,
    book: Annotated[list[Path] | None, typer.Option(help="A rulebook of your own; may be given several times.")] = None,
) -> None:
    """Play round records through the table, and say what is not as recorded.

    Exits 0 if every result is as recorded, 1 if one differs, 2 if a record cannot be read.
    """
    own_books = tuple(parse_user_book(read_text(path), str(path)) for path in book or ())
    outcomes = []
    for path in _records(files):
        outcome = _replayed(path, own_books, fill_in=fill_in)
        outcomes.append(outcome)
        _complain(outcome)
        if not as_json:
            _print(outcome, in_words=in_words)
    if as_json:
        encoded = msgspec.json.Encoder(decimal_format="number").encode(as_data(outcomes, in_words=in_words))
        print(msgspec.json.format(encoded, indent=2).decode())
    if len(outcomes) > 1 or outcomes[0].code != MALFORMED:  # a record that cannot be read has had its one line
        typer.echo(_summary(outcomes), err=True)
    raise typer.Exit(max(outcome.code for outcome in outcomes))


def _records(files: list[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named, in the order of their names."""
    for path in files:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob(f"*{SUFFIX}"))
        if not found:
            raise PitbossError(f"{path}: there is no *{SUFFIX} file in this folder")
        yield from found


def _replayed(path: Path, own_books: tuple[Rulebook, ...], *, fill_in: bool) -> Outcome:
    try:
        text = read_exactly(path)
        replayed = replay(read(text, str(path), own_books), own_books)
        if fill_in and not replayed.differences:
            _write_results(path, text, replayed)
        return Outcome(path, replayed)
    except PitbossError as error:
        return Outcome(path, error=error)


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


# ---------------------------------------------------------------------- for people


def _complain(outcome: Outcome) -> None:
    if outcome.error is not None:
        typer.echo(_one_line(str(outcome.error)), err=True)
    elif outcome.replayed is not None:
        for note in outcome.replayed.notes:
            typer.echo(_one_line(f"{outcome.path}: note: {note}"), err=True)


def _print(outcome: Outcome, *, in_words: bool) -> None:
    if outcome.replayed is None:
        return
    if in_words:
        print("\n".join([f"{outcome.path}:", *explain(outcome.replayed), ""]))
    else:
        for played in outcome.replayed.rounds:
            if played.recorded.results is None and played.settled:
                several = f", round {played.number}" if len(outcome.replayed.record.rounds) > 1 else ""
                print(f"{outcome.path}{several}:\n{SettlementTable(played.settlement)}")
    for difference in outcome.replayed.differences:
        print(_one_line(f"{outcome.path}: {difference}"))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _summary(outcomes: list[Outcome]) -> str:
    codes = [outcome.code for outcome in outcomes]
    records = f"{len(codes)} record{'s' * (len(codes) != 1)}"
    faults = [
        f"{codes.count(code)} {word}" for code, word in ((DIFFERS, "differ"), (MALFORMED, "malformed")) if code in codes
    ]
    return f"{records}: {', '.join(faults) or 'all as recorded'}"


# ---------------------------------------------------------------------- for programs


def as_data(outcomes: list[Outcome], *, in_words: bool) -> dict[str, Any]:
    """The answer for programs: the same keys for every record."""
    return {"records": [_record_data(outcome, in_words=in_words) for outcome in outcomes]}


def _record_data(outcome: Outcome, *, in_words: bool) -> dict[str, Any]:
    replayed, error = outcome.replayed, outcome.error
    return {
        "file": str(outcome.path),
        "game": replayed.record.game if replayed is not None else None,
        "title": replayed.record.title if replayed is not None else None,
        "as_recorded": outcome.code == OK,
        "error": None if error is None else _one_line(str(error)),
        "line": error.line if isinstance(error, RecordError) else None,
        "differences": list(replayed.differences) if replayed is not None else [],
        "rounds": [_round_data(played) for played in replayed.rounds] if replayed is not None else [],
        "explanation": explain(replayed) if in_words and replayed is not None else [],
    }


def _round_data(played: PlayedRound) -> dict[str, Any]:
    return {
        "round": played.number,
        "settled": played.settled,
        "void": played.state.void,
        "dealer": " ".join(played.state.dealer),
        "settlement": list(SettlementTable(played.settlement).rows()),
        "meters": {name: plain(meter.value) for name, meter in played.state.meters.items()},
    }
