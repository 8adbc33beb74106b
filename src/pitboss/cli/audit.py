"""`pitboss audit`: check what a table has published or a floor has stored, without a table and without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.floors.floor_auditing import audit_databases
from pitboss.errors import PitbossError
from pitboss.files import read_text
from pitboss.table.shoe_proof import ShoeFile, pack_shoe, parse_shoe_file, problems
from pitboss.table.state import CardSource

CHECK_FAILED = 1
SUBJECTS = ("shoe", "floor")

EXAMPLES = (
    "pitboss audit shoe shoe-001.json",
    "pitboss audit shoe shoe-001.json --commitment 3f9a...   # as published",
    "pitboss audit floor floor.db                            # a whole floor",
)


def run(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What to audit: shoe, or floor.")],
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files that the table wrote, or the database of a floor.")
    ],
    commitment: Annotated[
        str | None, typer.Option(metavar="HASH", help="The commitment as it was published before play.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="The file with the key of a floor; default: beside it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check that a retired shoe came from its committed seed, or that all a floor has stored follows from its log."""
    if what not in SUBJECTS:
        raise PitbossError(f"'{what}' cannot be audited; what can: {', '.join(SUBJECTS)}")
    if what == "floor":
        audit_databases(files, key, as_json)
        return
    if commitment is not None and len(files) > 1:
        raise PitbossError("--commitment is for one shoe: name one file")
    found = [(path, parse_shoe_file(read_text(path), str(path))) for path in map(Path, files)]
    faults = [(path, file, problems(file, commitment)) for path, file in found]
    if as_json:
        print(json.dumps([_as_data(path, file, lines) for path, file, lines in faults], indent=2))
    for path, file, lines in faults:
        for line in lines:
            typer.echo(f"{path}: {line}", err=as_json)
        if not lines and not as_json:
            print(f"{path}: {_summary(file)}")
    if any(lines for _, _, lines in faults):
        raise typer.Exit(CHECK_FAILED)


def _summary(file: ShoeFile) -> str:
    rounds = len({step.round for step in file.steps if step.step == "deal"})
    drawn = sum(len(step.cards.split()) for step in file.steps if step.step in ("deal", "burn"))
    cards = f"{drawn} from a device of" if file.source is CardSource.DEVICE else f"{drawn} of"
    dealt = f"{cards} {len(pack_shoe(file))} cards in {rounds} round{'s' * (rounds != 1)}"
    return f"shoe {file.number} of {file.game}: {dealt}, as committed"


def _as_data(path: Path, file: ShoeFile, lines: list[str]) -> dict[str, object]:
    return {
        "file": str(path),
        "game": file.game,
        "shoe": file.number,
        "commitment": file.commitment,
        "ok": not lines,
        "problems": lines,
    }
