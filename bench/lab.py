"""How soon the lab and the library answer a browser: over HTTP, from a floor on loopback, cold once and then warm.

Cold is the first question of a floor that has just opened: a process is started and its kernels are loaded. Warm
questions are all different, so that none comes out of the lab's memory; the median and the slowest are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pitboss.server.client import call
from pitboss.server.serving import Floor, Settings, listen

RANKS = "A23456789TJQK"
GAMES = ("melbourne/blackjack", "melbourne/pontoon", "star/switch")


def list_positions(game: str, count: int) -> list[dict[str, Any]]:
    """Positions that nobody has asked about before."""
    two = game == "star/switch"
    found: list[dict[str, Any]] = []
    for first in RANKS:
        for up in RANKS:
            hands = [f"{first}s 6h", "7d 8c"] if two else [f"{first}s 6h"]
            if "T" not in (first, up):
                found.append({"boxes": hands, "up": f"{up}d", "stake": "10"})
    return found[:count]


async def measure(ask: Callable[[Any], Awaitable[Any]], questions: list[Any]) -> list[float]:
    """Seconds of each question, one after another."""
    taken = []
    for question in questions:
        begun = time.perf_counter()
        await ask(question)
        taken.append(time.perf_counter() - begun)
    return taken


def tell(what: str, taken: list[float]) -> None:
    """A line of the table."""
    print(
        f"| {what} | {statistics.median(taken) * 1000:.0f} ms | {max(taken) * 1000:.0f} ms | {len(taken)} |", flush=True
    )


async def run(count: int) -> None:
    """Open a floor, ask, and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        listener = listen("127.0.0.1", 0)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        opened = asyncio.Event()
        floor = Floor(
            Settings(database=f"sqlite:///{folder}/floor.db", key=Path(folder) / "floor.key"), lambda line: opened.set()
        )
        served = asyncio.create_task(floor.serve(listener))
        await opened.wait()
        print("| question | median | slowest | asked |\n|---|--:|--:|--:|")

        async def post(path: str, body: dict[str, Any]) -> None:
            await call(address, "POST", path, body)

        async def get(path: str) -> None:
            await call(address, "GET", path)

        for place, game in enumerate(GAMES):
            choice = {"game": game}
            positions = list_positions(game, count)
            boards = [{"choice": choice, "position": position} for position in positions]
            first = await measure(lambda body: post("/api/lab/board", body), boards[:1])
            if not place:
                tell("first position of a floor, cold", first)
            tell(f"a position, {game}", await measure(lambda body: post("/api/lab/board", body), boards[1:]))
            changes = [{"dealer_bust_pays": "true"}, *({"decks": str(decks)} for decks in (2, 3, 4, 5))]
            games = [
                {"choice": {**choice, "changes": change}} for change in changes[: 3 if game == "star/switch" else 5]
            ]
            for what, part in (("first answer", {"first": True}), ("all of it", {})):
                asked = [{**body, **part} for body in games]
                taken = await measure(lambda body: post("/api/lab/worth", body), asked)
                tell(f"a rule switched, {what}, {game}", taken)
        tell("side wagers, melbourne/blackjack", await measure(lambda body: post("/api/lab/side-wagers", body), [
            {"choice": {"game": GAMES[0]}, "stake": str(stake)} for stake in range(1, 6)]))  # fmt: skip
        tell("the first page of the library", await measure(get, ["/api/library/books"] * 10))
        clauses = [f"/api/library/clause?book=melbourne&clause=7.5.5({part})" for part in "abc"]
        tell("a clause", await measure(get, clauses))
        tell(
            "a search",
            await measure(get, [f"/api/library/search?q={word}" for word in ("split", "ace", "void", "push")]),
        )
        floor.stop()
        await served


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="positions of each game")
    asyncio.run(run(parser.parse_args().count))


if __name__ == "__main__":
    main()
