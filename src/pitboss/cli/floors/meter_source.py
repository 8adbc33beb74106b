"""Where commands find meter systems: in a floor record, as it stands after its last step, or on a served floor."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.errors import PitbossError
from pitboss.files import read_text
from pitboss.floor.jackpots.meter_words import show_meters
from pitboss.floor.jackpots.shown_systems import ShownSystem, read_shown
from pitboss.floor.jackpots.table_outcomes import WORD
from pitboss.floor.records.floor_record import FLOOR_SUFFIX, FloorRecord
from pitboss.floor.records.read import read_floor_record
from pitboss.floor.records.replay import FloorPlayer, follow_record
from pitboss.table.messages.askers import PLAYER, Asker


def is_address(where: str) -> bool:
    """The address of a served floor rather than a file."""
    return where.startswith(("http://", "https://"))


def read_record(where: str) -> FloorRecord:
    """A floor record."""
    if not where.endswith(FLOOR_SUFFIX):
        raise PitbossError(f"'{where}' is neither the address of a floor nor a floor record (*{FLOOR_SUFFIX})")
    path = Path(where)
    return read_floor_record(read_text(path), where, (), lambda name: read_text(path.parent / name))


def follow(where: str) -> FloorPlayer:
    """The floor of a record after its last step."""
    return follow_record(read_record(where))


def show_record(floor: FloorPlayer, by: Asker) -> dict[str, Mapping[str, Any]]:
    """What every jackpot system of a record shows somebody."""
    return {
        stream: show_meters(state, by) for stream, state in floor.streams.items() if stream.partition(" ")[0] == WORD
    }


def show_served(address: str, name: str = "", role: str = PLAYER) -> dict[str, Mapping[str, Any]]:
    """What every jackpot system of a served floor shows: anybody, or somebody who signs in for a role."""
    with explain_missing_server():
        from pitboss.server.client import Client, call

    async def read() -> dict[str, Mapping[str, Any]]:
        if not name:
            lines = (await call(address, "GET", "/api/streams"))[0]
            names = [line["name"] for line in lines if line["kind"] == WORD]
            found = {item: (await call(address, "GET", f"/api/streams/{WORD}/{item}"))[0] for item in names}
            return {f"{WORD} {item}": answer["shown"] for item, answer in found.items()}
        async with await Client.enter(address, name, await ask_password()) as client:
            lines = await client.get("/api/streams")
            names = [line["name"] for line in lines if line["kind"] == WORD]
            shown = {item: await client.show_stream(WORD, item, role=role) for item in names}
            return {f"{WORD} {item}": answer["shown"] for item, answer in shown.items()}

    return asyncio.run(read())


async def ask_password() -> str:
    """The password of whoever signs in."""
    password: str = await asyncio.to_thread(typer.prompt, "password", hide_input=True, err=True)
    return password


def list_systems(where: str) -> list[ShownSystem]:
    """Every meter system of a floor record or a served floor."""
    shown = show_served(where) if is_address(where) else show_record(follow(where), Asker(PLAYER))
    return [system for stream, seen in shown.items() for system in read_shown(stream, seen)]
