"""`pitboss meters`: prize meter systems on a floor record or a served floor: open, show, play on, export."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from pitboss.cli.floors.meter_source import (
    ask_password,
    follow,
    is_address,
    list_systems,
    read_record,
    show_record,
    show_served,
)
from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.cli.game_options import Force, pairs, read_amount
from pitboss.errors import PitbossError
from pitboss.files import check_place, read_text, write_bytes
from pitboss.floor.jackpots.meter_messages import MeterTerms, OpenSystem
from pitboss.floor.jackpots.robot_rounds import play_robot_rounds
from pitboss.floor.jackpots.table_outcomes import WORD
from pitboss.floor.records.read import read_floor_record
from pitboss.floor.records.replay import replay_floor
from pitboss.formats.typed_numbers import read_whole
from pitboss.money import show
from pitboss.report.meter_answer import is_export, list_reading_lines, print_systems, write_readings
from pitboss.table.messages.askers import HOUSE

ACTS = ("show", "run", "export", "open")
READER = "higher-duties-dealer"
"""Who reads earlier values at a served floor, where no other role is named."""

EXAMPLES = (
    "pitboss meters show group.floor.toml",
    "pitboss meters show http://127.0.0.1:8021   # a served floor",
    "pitboss meters run group.floor.toml --rounds 100   # robots play on",
    "pitboss meters export group.floor.toml --to readings.csv",
    "pitboss meters open a.floor.toml --system bj1   # and what it needs",
)


def run(
    act: Annotated[str, typer.Argument(metavar="ACT", help=f"What to do: {', '.join(ACTS)}.")],
    where: Annotated[str, typer.Argument(metavar="FILE|URL", help="A floor record, or the address of a served floor.")],
    rounds: Annotated[str, typer.Option(help="run: rounds at each table.")] = "20",
    seed: Annotated[str, typer.Option(help="run: where the cards take their chance from.")] = "1",
    to: Annotated[Path | None, typer.Option(help="export: the file to write, .csv or .json.")] = None,
    force: Force = False,
    system: Annotated[str, typer.Option(help="open: the name of the system.")] = "",
    wager: Annotated[str, typer.Option(help="open: its jackpot wager.")] = "",
    price: Annotated[str, typer.Option(help="open: what the wager costs.")] = "",
    meter: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SEED:SHARE", help="open: what a meter starts from and takes; may be repeated."),
    ] = None,
    one_in: Annotated[
        list[str] | None, typer.Option(metavar="PRIZE=N", help="open: one draw in N wins; may be repeated.")
    ] = None,
    stream: Annotated[str, typer.Option(help="open: the jackpot system that runs it.")] = "main",
    book: Annotated[str, typer.Option(help="open: the rulebook, where the first system opens.")] = "melbourne",
    by: Annotated[str, typer.Option(help="open: who asks, among the people of the record.")] = "",
    name: Annotated[str, typer.Option(help="Who you are at a served floor, for open and export.")] = "",
    role: Annotated[str, typer.Option(help="The role in which you ask there.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what meters of several tables stand at, let robots play on, write out every settlement, or open a system."""
    if act == "show":
        _show(where, as_json)
    elif act == "run":
        _run(where, read_whole("--rounds", rounds), read_whole("--seed", seed), as_json)
    elif act == "export":
        _export(where, to, name, role or READER, force=force)
    elif act == "open":
        order = _read_order(system, wager, price, meter, one_in)
        if is_address(where):
            asyncio.run(_open_served(where, stream, book, order, name, role or "assistant-casino-manager"))
        else:
            _open_in_record(where, stream, order, by)
    else:
        raise PitbossError(f"'{act}' is nothing that can be done with meters; what can: {', '.join(ACTS)}")


def _show(where: str, as_json: bool) -> None:
    systems = list_systems(where)
    if as_json:
        print(_to_json([msgspec.structs.asdict(system) for system in systems]))
    elif systems:
        print_systems(msgspec.structs.asdict(system) for system in systems)
    else:
        typer.echo(f"{where}: no meter system is open", err=True)


def _run(where: str, rounds: int, seed: int, as_json: bool) -> None:
    if is_address(where):
        raise PitbossError("robots play on from a floor record; at a served floor they sit down with pitboss join")
    if rounds < 1:
        raise PitbossError(f"--rounds {rounds}: at least one round is played")
    played = list(play_robot_rounds(follow(where), rounds, seed))
    if as_json:
        print(_to_json([msgspec.structs.asdict(item) for item in played]))
        return
    for item in played:
        shown = "; ".join(
            f"{system} {', '.join(f'{name} {show(value)}' for name, value in values.items())}"
            for system, values in item.values.items()
        )
        won = "".join(f"; {show(prize)} won from {name}" for name, prize in item.prizes.items())
        print(f"round {item.number} at {item.table}: {shown}{won}")


def _export(where: str, to: Path | None, name: str, role: str, *, force: bool) -> None:
    if to is None or to.suffix.lower() not in (".csv", ".json"):
        raise PitbossError("say where to write: --to FILE.csv or --to FILE.json")
    check_place("--to", to, force=force, is_ours=is_export)
    if is_address(where):
        if not name:
            raise PitbossError("say who you are: --name NAME; earlier values are for the role that may read them")
        shown = show_served(where, name, role)
        if any("readings" not in seen for seen in shown.values()):
            raise PitbossError(f"a {role} may not read earlier values here: {READER} or above")
    else:
        shown = {stream: {"readings": _read_all(where, stream)} for stream in show_record(follow(where), HOUSE)}
    lines = [line for seen in shown.values() for line in list_reading_lines(seen.get("readings", ()))]
    write_bytes(to, (write_readings(lines) if to.suffix.lower() == ".csv" else _to_json(lines) + "\n").encode())
    typer.echo(f"wrote {to}: {len(lines)} lines", err=True)


def _read_all(where: str, stream: str) -> list[dict[str, Any]]:
    """Every reading of a jackpot system in a record, which is whoever's who has the file."""
    state = follow(where).streams[stream]
    return [{**msgspec.structs.asdict(reading), "at": reading.at_ms} for reading in state.readings]


def _read_order(
    system: str, wager: str, price: str, meter: list[str] | None, one_in: list[str] | None
) -> OpenSystem:  # fmt: skip
    if not (system and wager and price and meter):
        raise PitbossError("a system opens with --system, --wager, --price and --meter NAME=SEED:SHARE for each meter")
    terms = {}
    for name, text in pairs("--meter", meter).items():
        seed, colon, share = text.partition(":")
        if not colon:
            raise PitbossError(f"--meter {name}={text}: write --meter {name}=SEED:SHARE, such as 10000:0.05")
        terms[name] = MeterTerms(read_amount(f"--meter {name}", seed), read_amount(f"--meter {name}", share))
    draws = {name: read_whole(f"--one-in {name}", text) for name, text in pairs("--one-in", one_in or ()).items()}
    return OpenSystem(system=system, wager=wager, price=read_amount("--price", price), meters=terms, one_in=draws)


def _open_in_record(where: str, stream: str, order: OpenSystem, by: str) -> None:
    """Add the step to a record, if it is granted there."""
    record = read_record(where)
    who = by or "house"
    quoted = json.dumps
    meters = ", ".join(
        f"{quoted(name)} = {{ seed = {show(terms.seed)}, rate = {show(terms.rate)} }}"
        for name, terms in order.meters.items()
    )
    lines = [
        "[[step]]", f"by     = {quoted(who)}", f"on     = {quoted(f'{WORD} {stream}')}", 'do     = "open-system"',
        f"system = {quoted(order.system)}", f"wager  = {quoted(order.wager)}", f"price  = {show(order.price)}",
        f"meters = {{ {meters} }}",
    ]  # fmt: skip
    if order.one_in:
        lines.append(
            f"one_in = {{ {', '.join(f'{quoted(name)} = {number}' for name, number in order.one_in.items())} }}"
        )
    path = Path(where)
    text = f"{read_text(path).rstrip()}\n\n" + "\n".join(lines) + "\n"
    added = read_floor_record(text, where, (), lambda other: read_text(path.parent / other))
    refusal = replay_floor(added).steps[len(record.steps)].refusal
    if refusal is not None:
        raise PitbossError(refusal.why)
    write_bytes(path, text.encode())
    typer.echo(f"{where}: step {len(added.steps)} opens {order.system}", err=True)


async def _open_served(address: str, stream: str, book: str, order: OpenSystem, name: str, role: str) -> None:
    if not name:
        raise PitbossError("say who you are: --name NAME, of the role that opens meter systems")
    with explain_missing_server():
        from pitboss.server.client import Client
    command = msgspec.to_builtins(order, str_keys=True)
    async with await Client.enter(address, name, await ask_password()) as client:
        number = await client.ask_stream(WORD, stream, command, role=role, book=book)
    typer.echo(f"{address}: {order.system} is open (row {number} of {WORD} {stream})", err=True)


def _to_json(value: Any) -> str:
    encoded = msgspec.json.Encoder(decimal_format="number").encode(value)
    return json.dumps(json.loads(encoded), indent=2)
