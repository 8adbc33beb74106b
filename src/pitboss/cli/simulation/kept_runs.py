"""A simulation on file: what was asked for, by which tables it is played, which blocks are done and what they came to.

The file is enough to go on with: what is not asked for again is taken from it. Whatever would make the rest another
simulation (other rules, another strategy, another version of the program) is refused, so that a run in pieces is the
run in one piece. More rounds are no other simulation: the blocks that are done stay as they are.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pitboss import __version__
from pitboss.errors import PitbossError
from pitboss.files import read_text, write_bytes
from pitboss.formats.json_faults import tell_fault
from pitboss.sim.plan import Prepared
from pitboss.sim.run import Run, Saved


class RunRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What decides a simulation, as it is written on the command line."""

    game: str
    rounds: str = "1e7"
    boxes: int = 1
    decks: str | None = None
    option: tuple[str, ...] = ()
    side: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    strategy: str = "chart"
    penetration: str | None = None
    burn: int | None = None
    burn_each_round: bool = False
    fresh: bool = False
    seed: int = 1
    bets: str | None = None
    bankroll: int | None = None
    horizon: int = 1000
    meter: tuple[str, ...] = ()
    stake: str = "25"
    detail: bool = False
    raw: bool = False
    book: str | None = None


class KeptRun(msgspec.Struct, frozen=True, kw_only=True):
    """A saved run."""

    version: str
    asked: RunRequest
    tables_digest: str
    run: Saved


def read_kept(file: Path) -> KeptRun:
    """A run from its file."""
    try:
        return msgspec.json.decode(read_text(file), type=KeptRun)
    except (msgspec.MsgspecError, ValueError) as error:
        raise PitbossError(f"{file}: not a run saved by simulate --save: {tell_fault(error)}") from None


def write_kept(file: Path, asked: RunRequest, run: Run) -> None:
    """Keep a run; the file holds the old or the new state, never half of one."""
    kept = KeptRun(version=__version__, asked=asked, tables_digest=tables_digest(run.prepared), run=run.save())
    content = msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n"
    if file.exists() and not file.is_file():  # a device, which cannot be replaced
        write_bytes(file, content)
        return
    beside = file.with_name(f"{file.name}.new")
    write_bytes(beside, content)
    os.replace(beside, file)


def is_kept_run(content: bytes) -> bool:
    """What a file holds is a run that was saved."""
    try:
        msgspec.json.decode(content, type=KeptRun)
    except (msgspec.MsgspecError, ValueError):
        return False
    return True


def check_same_run(file: Path | None, asked: RunRequest, *, force: bool) -> None:
    """A file that holds another run is not saved over; the same run may be saved again, with more rounds or fewer."""
    if file is None or force or not file.is_file():
        return
    there = read_kept(file).asked
    if msgspec.structs.replace(there, rounds=asked.rounds) == asked:
        return
    differ = [name for name in asked.__struct_fields__ if getattr(there, name) != getattr(asked, name)]
    raise PitbossError(
        f"--save {file}: another run of {there.game} is kept there (not the same: {', '.join(differ)}); "
        f"use another name, go on with it by --resume {file}, or add --force"
    )


def resume_run(prepared: Prepared, kept: KeptRun, file: Path) -> Run:
    """The run of a file, ready for what is left of it."""
    if kept.version != __version__:
        raise PitbossError(
            f"{file}: saved by pitboss {kept.version}, and this is {__version__}, which may play differently"
        )
    saved, plan = kept.run, prepared.plan
    if saved.rules_digest == prepared.rules.digest and kept.tables_digest != tables_digest(prepared):
        raise PitbossError(f"{file}: the strategy or the bets of this run have changed since it was saved")
    longer = msgspec.structs.replace(saved.plan, rounds=plan.rounds)
    if all(
        saved.plan.rounds_of(block) == longer.rounds_of(block) for first, last in saved.done for block in (first, last)
    ):
        saved = msgspec.structs.replace(saved, plan=longer)
    try:
        return Run(prepared, saved)
    except PitbossError as error:
        raise PitbossError(f"{file}: {error}") from None


def tables_digest(prepared: Prepared) -> str:
    """A digest of everything that decides how rounds are played: rules, strategy, cards, bets, side wagers."""
    digest = hashlib.sha256()
    _feed(digest, prepared.given)
    return digest.hexdigest()


def _feed(digest: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype.str}{value.shape}".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple):
        for item in value:
            _feed(digest, item)
    else:
        digest.update(f"{value!r};".encode())
