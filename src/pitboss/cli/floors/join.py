"""`pitboss join`: sit down at a served table, as a person in the terminal or as a robot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from pitboss.cards import CARD_ID
from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.errors import PitbossError
from pitboss.table.messages.askers import PLAYER
from pitboss.table.messages.notation import parse_action, parse_bet

if TYPE_CHECKING:
    from pitboss.server.client import Client, WatchedTable

HELP = "bet 1 10 [wager]: a wager; ready: nothing more to do; 1 hit, 1 stand, ...: as listed; leave: go with your chips"
POLICIES = ("optimum", "chart", "random", "thumb")
OWN_WORDS = {"ready": "ready", "leave": "leave-table"}
DEALER_HELP = (
    "on: come on to deal; shoe: a shoe is brought; deal, Td: a card as it is dealt, proceed, next; "
    "1 hit, 1 stand, ...: as players show it; !correct-card 3 Td because misread: an order; quit"
)
DEALER_WORDS = {
    "shoe": "bring-shoe", "deal": "deal", "cut-card": "key-cut-card", "proceed": "proceed", "next": "next-round"
}  # fmt: skip

EXAMPLES = (
    "pitboss join                                 # the first table",
    "pitboss join --table melbourne-pontoon --robot chart --rounds 20",
    "pitboss join --table pit1 --role dealer --name dan   # deal there",
)


def run(
    address: Annotated[str, typer.Argument(metavar="URL", help="The address of the floor.")] = "http://127.0.0.1:8021",
    table: Annotated[str, typer.Option(help="The table; default: the first.")] = "",
    name: Annotated[str, typer.Option(help="Your name; default: the floor gives you one.")] = "",
    box: Annotated[str, typer.Option(help="The box on which a robot plays.")] = "1",
    chips: Annotated[str, typer.Option(help="What to bring to the table.")] = "500",
    robot: Annotated[str, typer.Option(help=f"Let a robot play: {', '.join(POLICIES)}.")] = "",
    rounds: Annotated[int, typer.Option(help="Rounds that a robot plays.")] = 10,
    role: Annotated[
        str, typer.Option(help="Act in a role of the table's book, such as dealer; asks for a password.")
    ] = "",
) -> None:
    """Play at a served table, as a guest with play chips; or deal there."""
    if robot not in ("", *POLICIES):
        raise PitbossError(f"'{robot}' is no robot: {', '.join(POLICIES)}")
    with explain_missing_server():
        from pitboss.server.client import Client
    if role:
        asyncio.run(_deal(Client, address, table, name, role))
    else:
        asyncio.run(_join(Client, address, table, name, box, chips, robot, rounds))


async def _join(
    maker: type[Client], address: str, table: str, name: str, box: str, chips: str, robot: str, rounds: int
) -> None:
    async with await maker.enter(address, name) as client:
        watched = await _watch(client, table)
        await watched.ask({"type": "buy-in", "amount": chips})
        typer.echo(f"{client.name} sits down at {watched.name} with {chips}", err=True)
        if robot:
            await _play_robot(watched, box, robot, rounds)
        else:
            await _talk(watched, HELP, read_line)


async def _deal(maker: type[Client], address: str, table: str, name: str, role: str) -> None:
    """Act for the house at a table, in a role that one holds."""
    if not name:
        raise PitbossError("say who you are: --name NAME")
    password = await asyncio.to_thread(typer.prompt, "password", hide_input=True, err=True)
    code = await asyncio.to_thread(typer.prompt, "code of your second factor, if you have one", default="", err=True)
    async with await maker.enter(address, name, password, code) as client:
        watched = await _watch(client, table)
        await _talk(watched, DEALER_HELP, lambda line: read_dealer_line(line, name, role), role)


async def _watch(client: Client, table: str) -> WatchedTable:
    names = [line["name"] for line in await client.get("/api/tables")]
    wanted = table or names[0]
    if wanted not in names:
        raise PitbossError(f"there is no table {wanted}; open are {', '.join(names)}")
    return await client.watch(wanted)


async def _play_robot(watched: WatchedTable, box: str, policy: str, rounds: int) -> None:
    from pitboss.server.robots.table_robot import TableRobot

    player = TableRobot(watched, box, policy=policy)
    await player.play(rounds)
    print(f"{rounds} rounds played, {watched.private['chips']} left before the robot")


async def _talk(
    watched: WatchedTable, usage: str, read: Callable[[str], dict[str, Any]], role: str = PLAYER
) -> None:  # fmt: skip
    """Take what somebody types for commands, until they go."""
    from pitboss.server.client import AskRefused

    typer.echo(usage, err=True)
    show = asyncio.create_task(_show(watched))
    try:
        while True:
            try:
                line = (await asyncio.to_thread(input)).strip()
            except EOFError:
                return
            if not line:
                continue
            if line == "quit":
                return
            try:
                command = read(line)
                await watched.ask(command, role=role)
            except PitbossError as error:
                clauses = f" [{', '.join(error.clauses)}]" if isinstance(error, AskRefused) and error.clauses else ""
                typer.echo(f"  no: {error}{clauses}", err=True)
                continue
            if command["type"] == "leave-table":
                return
    finally:
        show.cancel()


def read_line(line: str) -> dict[str, Any]:
    """What a person types, as a command."""
    words = line.split()
    if line in OWN_WORDS:
        return {"type": OWN_WORDS[line]}
    if words[0] == "bet":
        if len(words) not in (3, 4):
            raise PitbossError("write a wager as: bet 1 10, or bet 1 5 perfect-pairs")
        bet = parse_bet(" ".join([words[1], "me", *words[2:]]))
        found: dict[str, Any] = msgspec.to_builtins(bet)
        return found
    command: dict[str, Any] = msgspec.to_builtins(parse_action(line))
    return command


def read_dealer_line(line: str, name: str, role: str) -> dict[str, Any]:
    """What whoever deals types, as a command; an order is written as in a record, without the role."""
    if line in CARD_ID:
        return {"type": "key-card", "card": line}
    if line in DEALER_WORDS:
        return {"type": DEALER_WORDS[line]}
    if line == "on":
        return {"type": "dealer", "name": name}
    command: dict[str, Any] = msgspec.to_builtins(parse_action(f"!{role} {line[1:]}" if line[0] == "!" else line))
    return command


async def _show(watched: WatchedTable) -> None:
    """Print the table whenever it has changed."""
    last = ""
    while True:
        text = describe(watched.public, watched.private)
        if watched.client.notice:
            text += f"\n  {watched.client.notice}"
        if text != last:
            print(text, flush=True)
            last = text
        await watched.wait_for_change()


def describe(public: dict[str, Any], private: dict[str, Any]) -> str:
    """The table in a few lines."""
    dealer = " ".join(public.get("dealer", ())) or "-"
    lines = [f"round {public['round']}, {public['phase']}; dealer {dealer}; you have {private.get('chips', '0')}"]
    for bet in public["bets"] if not public["boxes"] else ():
        lines.append(f"  box {bet['box']}: {bet['player']} {bet['amount']} {bet['wager']}")
    for box in public["boxes"]:
        hands = ", ".join(f"{' '.join(hand['cards'])} ({hand.get('total', '?')})" for hand in box["hands"])
        lines.append(f"  box {box['number']} ({box['controller']}): {hands}")
    for settled in public["settlements"]:
        lines.append(f"  {settled['player']} {settled['wager']} {settled['outcome']}: {settled['net']}")
    actions = sorted({f"{action.get('box', '')} {action['type']}".strip() for action in private.get("actions", ())})
    if actions:
        lines.append(f"  you may: {', '.join(actions)}")
    return "\n".join(lines)
