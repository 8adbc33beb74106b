"""`pitboss floor`: look after a floor: how it is doing."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

import typer

from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.errors import PitbossError

ACTS = ("status",)
WORDS = {
    "version": "version", "database": "database", "tables": "tables", "people": "people",
    "connections": "connections", "rounds": "rounds kept", "commits": "commits", "failed_commits": "failed commits",
    "ledger_imbalance": "ledger imbalance (grains)", "ready": "ready",
}  # fmt: skip

EXAMPLES = ("pitboss floor status", "pitboss floor status http://127.0.0.1:8021 --json")


def run(
    act: Annotated[str, typer.Argument(metavar="ACT", help="What to do: status.")],
    address: Annotated[str, typer.Argument(metavar="URL", help="The address of the floor.")] = "http://127.0.0.1:8021",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Ask a served floor how it is doing."""
    if act not in ACTS:
        raise PitbossError(f"'{act}' is nothing that can be done with a floor; what can: {', '.join(ACTS)}")
    with explain_missing_server():
        from pitboss.server.client import call
    status = asyncio.run(call(address, "GET", "/api/status"))[0]
    if as_json:
        print(json.dumps(status, indent=2))
        return
    for key, word in WORDS.items():
        print(f"{word:26} {status[key]}")
