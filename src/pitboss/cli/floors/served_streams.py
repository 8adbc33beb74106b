"""Competitions on a served floor, as the commands of tournaments and promotions ask for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import typer

from pitboss.cli.floors.meter_source import ask_password
from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.errors import PitbossError
from pitboss.table import Refusal


async def lodge_at_floor(kind: str, stream: str, terms: Any, address: str, name: str, role: str) -> None:
    """Lodge terms, which open the stream."""
    if not name:
        raise PitbossError("say who you are: --name NAME, of the casino operator")
    with explain_missing_server():
        from pitboss.server.client import AskRefused, Client
    command = {"type": "lodge", "terms": msgspec.to_builtins(terms)}
    async with await Client.enter(address, name, await ask_password()) as client:
        try:
            await client.ask_stream(kind, stream, command, role=role, book=terms.book)
        except AskRefused as refused:
            raise PitbossError(Refusal(str(refused), refused.clauses).why) from None
    typer.echo(f"{address}: the terms of {terms.name} are lodged as {kind} {stream}", err=True)


async def fetch_stream(kind: str, stream: str, address: str, name: str, role: str, history: bool = False) -> Any:
    """What a stream shows, or all streams that there are; or what happened on one, in sentences."""
    with explain_missing_server():
        from pitboss.server.client import Client, call
    path = f"/api/streams/{kind}/{stream}" if stream else "/api/streams"
    if history:
        path += "/history?limit=500"
    if not set("/?#% ").isdisjoint(stream):
        raise PitbossError(f"'{stream[:40]}' is no name of a {kind}")
    if not name:
        return (await call(address, "GET", path))[0]
    if stream:
        path += f"{'&' if history else '?'}role={role}"
    async with await Client.enter(address, name, await ask_password()) as client:
        return await client.get(path)


def print_streams(found: Collection[Mapping[str, Any]], kind: str) -> None:
    """A line for each stream of a kind."""
    if not found:
        typer.echo(f"no {kind} is open", err=True)
    for line in found:
        stopped = f", {line['stopped']}" if line["stopped"] else ""
        print(f"{line['name']:20} {line['book']:12} {line['seq']} decisions{stopped}")
