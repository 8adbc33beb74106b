"""`pitboss serve`: open a floor for people and programs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.errors import PitbossError

if TYPE_CHECKING:
    from pitboss.server.serving import TableWish

EXAMPLES = (
    "pitboss serve                                # in floor.db",
    "pitboss serve --table high=perth/blackjack   # one table",
    "pitboss serve --table pit1=star/blackjack:person --table two=rws/blackjack",
    "pitboss serve --robots 2                     # two robots at each table",
    "pitboss serve --database postgresql://user@host/floor",
    "pitboss serve --host 0.0.0.0 --tls-certificate our.pem --tls-key our-key.pem",
)


def run(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes a free one.")] = 8021,
    database: Annotated[
        str,
        typer.Option(
            envvar="PITBOSS_DATABASE", help="A file for SQLite, or an address such as postgresql://user@host/name."
        ),
    ] = "floor.db",
    key: Annotated[Path | None, typer.Option(help="The file with the floor's key; made at the first start.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            help="A table to open in a new database, as NAME=GAME or NAME=GAME:KIND (machine, person or practice); "
            "default: one of each game."
        ),
    ] = None,
    second_factor: Annotated[
        bool | None,
        typer.Option(
            "--second-factor/--no-second-factor",
            help="Staff sign in with a second factor; default: unless only this machine can reach the floor.",
        ),
    ] = None,
    tls_certificate: Annotated[
        Path | None, typer.Option(help="A certificate (PEM): the floor itself speaks HTTPS. Else a proxy ends TLS.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The key of the certificate, if it lies elsewhere.")] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(help="A name under which the floor is reached, with its port; requests for others are refused."),
    ] = None,
    stolen_passwords: Annotated[
        Path | None, typer.Option(help="A file with the SHA-1 of passwords that are known, in order: they are refused.")
    ] = None,
    robots: Annotated[
        int, typer.Option(min=0, max=5, help="Robots that fill seats at every table that a machine deals.")
    ] = 0,
    log: Annotated[
        str,
        typer.Option(
            envvar="PITBOSS_LOG", help="A file for the logbook, one JSON object on each line; - is standard output."
        ),
    ] = "",
    log_level: Annotated[str, typer.Option(help="What goes into the logbook: info, warning or error.")] = "info",
    link: Annotated[
        str,
        typer.Option(help="Where other processes of a floor on PostgreSQL reach this one: HOST or HOST:PORT."),
    ] = "",
    no_lab: Annotated[
        bool, typer.Option("--no-lab", help="Leave out the lab, which computes odds in processes of its own.")
    ] = False,
    quick: Annotated[bool, typer.Option("--quick", help="No pause between rounds, for programs that play.")] = False,
) -> None:
    """Open the floor: a table of each game, for guests with play chips."""
    with explain_missing_server():
        from pitboss.floor.live_table import Clocks
        from pitboss.server.logbook import Level, Logbook
        from pitboss.server.serving import Settings, find_key_file, read_address, run_floor
        from pitboss.server.web.bounds import Bounds
    address = read_address(database)
    settings = Settings(
        database=address, key=key or find_key_file(database), host=host, port=port,
        clocks=Clocks(pause_ms=0) if quick else Clocks(), tables=_read_tables(table),
        second_factor=second_factor, robots=robots, lab=not no_lab, link=_read_link(link),
        tls_certificate=tls_certificate, tls_key=tls_key,
        stolen_passwords=stolen_passwords, bounds=Bounds(host_names=tuple(host_name or ())),
    )  # fmt: skip
    if log_level.upper() not in Level.__members__:
        raise PitbossError(f"'{log_level}' is no level of the logbook: write info, warning or error")
    with _open_logbook(log) as write:
        run_floor(
            settings,
            lambda line: typer.echo(f"pitboss: {line}", err=True),
            Logbook(write, level=Level[log_level.upper()]),
        )


@contextlib.contextmanager
def _open_logbook(log: str) -> Iterator[Callable[[str], None]]:
    """Where lines of the logbook go: a file, standard output, or nowhere."""
    if log in ("", "-"):
        yield (lambda line: print(line, flush=True)) if log else (lambda line: None)
        return
    try:
        handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError as error:
        raise PitbossError(f"{log}: the logbook cannot be written: {error.strerror}") from None
    with os.fdopen(handle, "a", encoding="utf-8") as file:
        yield lambda line: print(line, file=file, flush=True)


def _read_link(given: str) -> str:
    _, _, port = given.partition(":")
    if port and not port.isdigit():
        raise PitbossError(f"'{given}' is not a place to be reached at: write HOST or HOST:PORT")
    return given


def _read_tables(given: list[str] | None) -> tuple[TableWish, ...] | None:
    from pitboss.floor.live_table import TableKind
    from pitboss.server.serving import TableWish

    if not given:
        return None
    wishes = []
    for text in given:
        name, _, rest = text.partition("=")
        game, _, kind = rest.partition(":")
        if not name or not game or kind not in ("", *TableKind):
            kinds = ", ".join(TableKind)
            raise PitbossError(
                f"'{text}' is no table: write NAME=GAME or NAME=GAME:KIND, such as high=perth/blackjack:person; "
                f"kinds are {kinds}"
            )
        wishes.append(TableWish(name, game, TableKind(kind or TableKind.MACHINE)))
    return tuple(wishes)
