"""Real processes and one PostgreSQL: tables are shared out, a process is killed, another sleeps and wakes up late."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_processes import LONGEST_S, TABLES, Party, Process, audit, compare, count_served, read_status, wait_until
from postgres import Cluster
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pitboss.cli import main
from pitboss.server.client import AskRefused, Client, ClientError, call
from pitboss.server.serving import read_address
from pitboss.server.storage.store import Store

pytestmark = pytest.mark.slow

PASSWORD = "correct horse battery"
GAMES = dict(TABLES)
STAFF = {"perth": "table-games-manager", "star": "gaming-manager", "melbourne": "assistant-casino-manager"}
"""Somebody's role by each book."""


class House:
    """Some processes on a database of their own."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self.database, self.key = cluster.make_database(), folder / "key"
        self.processes: list[Process] = []

    async def open(self, count: int) -> list[str]:
        """Start so many processes at once; wait until each has its share of the tables."""
        started = [Process(self.database, self.key) for _ in range(count)]
        self.processes += started
        addresses = [await asyncio.to_thread(process.open) for process in started]
        await self.wait_for_shares(addresses[0], count)
        return addresses

    async def wait_for_shares(self, address: str, count: int) -> None:
        low, more = divmod(len(TABLES), count)
        wanted = sorted([low] * (count - more) + [low + 1] * more)

        async def even() -> bool:
            return await count_served(address) == wanted

        await wait_until(even)

    async def find_process(self, table: str) -> Process:
        """The process that serves a table."""
        status = await read_status(self.processes[0].address)
        owner = next(row for row in status["processes"] if table in row["tables"])
        return next(process for process in self.processes if process.address == owner["address"])

    async def find_floor(self) -> Process:
        """The process that serves the floor itself."""
        status = await read_status(self.processes[0].address)
        owner = next(row for row in status["processes"] if row["floor"])
        return next(process for process in self.processes if process.address == owner["address"])

    def list_ids(self, stream: str, command_id: str) -> list[int]:
        """The rows of a stream with this command."""
        store = Store(read_address(self.database))
        try:
            return [row.seq for row in store.read_log(stream) if row.command_id == command_id]
        finally:
            store.close()


def tell(cluster: Cluster, folder: Path, story: Callable[[House], Awaitable[None]]) -> None:
    house = House(cluster, folder)
    try:
        asyncio.run(story(house))
        audit(house.database, house.key)
    except BaseException:
        for number, process in enumerate(house.processes, 1):
            print(f"process {number} said:", *process.said, sep="\n  ")
        raise
    finally:
        for process in house.processes:
            process.end()


@contextlib.asynccontextmanager
async def play(addresses: list[str], robots: int) -> AsyncIterator[Party]:
    party = Party(addresses)
    try:
        await party.sit_down(robots)
        await party.go_on()
        yield party
    finally:
        await party.leave()


def check_news(party: Party) -> None:
    """Every robot has heard of every decision once, in order."""
    for robot in party.robots:
        heard = [item["seq"] for item in robot.table.news]
        assert heard == list(range(heard[0], heard[-1] + 1)), "events were lost or came twice"


def test_robots_play_through_three_processes(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(3)
        async with play(addresses, 12) as party:
            await party.go_on(20)
        check_news(party)
        assert compare(house.database, party.robots) > 12 * 20
        for address in addresses:
            status = await read_status(address)
            assert status["ledger_imbalance"] == 0
            assert sum(row["floor"] for row in status["processes"]) == 1
            served = sorted(name for row in status["processes"] for name in row["tables"])
            assert served == sorted(name for name, _ in TABLES)

    tell(cluster, tmp_path, story)


def test_a_killed_process_is_replaced_within_five_seconds(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(2)
        async with play(addresses, 8) as party:
            victim = await house.find_process("a")
            (other,) = (address for address in addresses if address != victim.address)
            victim.signal(signal.SIGKILL)

            async def replaced() -> bool:
                lines = (await call(other, "GET", "/api/tables"))[0]
                ready = (await call(other, "GET", "/readyz"))[0]
                return "4 of 4 tables and the floor itself" in ready and not any(line["stopped"] for line in lines)

            await wait_until(replaced)
            await party.go_on(10)
        check_news(party)
        assert compare(house.database, party.robots) > 8 * 10

    tell(cluster, tmp_path, story)


def test_a_process_that_wakes_up_late_writes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(3)
        async with play(addresses, 12) as party:
            sleeper = await house.find_process("a")
            awake = [address for address in addresses if address != sleeper.address]
            at_sleeper = [robot for robot in party.robots if robot.table.client.address == sleeper.address]
            assert at_sleeper
            sleeper.signal(signal.SIGSTOP)

            async def replaced() -> bool:
                return await count_served(awake[0]) == [2, 2]

            await wait_until(replaced)
            connections = sum(robot.table.client.connections for robot in at_sleeper)
            sleeper.signal(signal.SIGCONT)
            await asyncio.to_thread(sleeper.hear, "another process serves")
            await party.go_on(10)
            assert sum(robot.table.client.connections for robot in at_sleeper) > connections, "nobody had to reconnect"
            await house.wait_for_shares(sleeper.address, 3)
            await party.go_on(10)
        assert compare(house.database, party.robots) > 12 * 20

    tell(cluster, tmp_path, story)


def test_a_process_that_stops_lets_the_others_go_on_at_once(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(2)
        async with play(addresses, 8) as party:
            leaver = await house.find_process("a")
            leaver.signal(signal.SIGTERM)
            assert await asyncio.to_thread(leaver.process.wait) == 0
            await party.go_on(10)
            (other,) = (process for process in house.processes if process is not leaver)
            assert await count_served(other.address) == [4]
        check_news(party)

    tell(cluster, tmp_path, story)


def test_tables_move_to_a_process_that_joins(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        first = await house.open(1)
        async with play(first, 4) as party:
            house.processes.append(Process(house.database, house.key))
            second = await asyncio.to_thread(house.processes[-1].open)
            await house.wait_for_shares(second, 2)
            await party.go_on(10)
        check_news(party)

    tell(cluster, tmp_path, story)


async def listen(address: str, token: str, table: str) -> AsyncIterator[dict[str, Any]]:
    """What a process sends to somebody who watches a table."""
    cookie = {"Cookie": f"pitboss_session={token}"}
    async with connect(address.replace("http", "ws") + "/ws", additional_headers=cookie, proxy=None) as socket:
        await socket.send(msgspec.json.encode({"type": "watch", "table": table}).decode())
        async for frame in socket:
            for message in msgspec.json.decode(frame):
                yield message


def test_observers_at_every_process_get_the_same_messages(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(2)
        heard: dict[str, dict[int, dict[str, Any]]] = {address: {} for address in addresses}
        began = [asyncio.Event() for _ in addresses]

        async def follow(address: str, token: str, ready: asyncio.Event) -> None:
            async for message in listen(address, token, "b"):
                ready.set()
                if message["type"] == "patch":
                    heard[address][message["seq"]] = message

        async with await Client.enter(addresses[0], "ann") as ann:
            tasks = [
                asyncio.create_task(follow(address, ann.token, ready))
                for address, ready in zip(addresses, began, strict=True)
            ]
            for ready in began:
                await ready.wait()
            table = await ann.watch("b")
            await table.ask({"type": "buy-in", "amount": "50"})
            for _ in range(20):
                last = await table.ask({"type": "ready"})

            async def caught_up() -> bool:
                return all(last in seen for seen in heard.values())

            await wait_until(caught_up)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        one, two = heard.values()
        assert len(one) > 10
        assert one == two

    tell(cluster, tmp_path, story)


def test_one_session_is_good_at_every_process_and_ends_at_every_process(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(2)
        _, token = await call(addresses[0], "POST", "/api/guests", {"name": "ann"})
        for address in addresses:
            me = (await call(address, "GET", "/api/me", token=token))[0]
            assert me == {
                "name": "ann",
                "chips": "1000",
                "roles": [],
                "needs_second_factor": False,
                "needs_new_password": False,
            }

            async def lists_all(address: str = address) -> bool:
                return [line["name"] for line in (await call(address, "GET", "/api/tables"))[0]] == ["a", "b", "c", "d"]

            await wait_until(lists_all)
        for number, (table, _) in enumerate(TABLES):
            address = addresses[number % 2]
            asked = {"id": "1", "table": table, "command": {"type": "buy-in", "amount": "100"}}
            path = f"/api/tables/{table}"
            answer = (await call(address, "POST", f"{path}/commands", asked, token))[0]
            assert answer["type"] == "acknowledged"
            assert (await call(addresses[1 - number % 2], "POST", f"{path}/commands", asked, token))[0] == answer
            shown = [(await call(address, "GET", path))[0] for address in addresses]
            assert shown[0] == shown[1]
            assert shown[0]["public"]["players"] == ["ann"]
        await call(addresses[1], "DELETE", "/api/sessions", token=token)
        for address in addresses:
            with pytest.raises(ClientError, match="session is over"):
                await call(address, "GET", "/api/me", token=token)

    tell(cluster, tmp_path, story)


def test_nobody_spends_the_same_chips_at_two_processes(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(2)
        async with await Client.enter(addresses[0], "ann") as ann:
            twin = Client(addresses[1], ann.token, "ann")
            await twin.open()
            first = await house.find_process("a")
            (here, there), *_ = [("a", name) for name, _ in TABLES if await house.find_process(name) is not first]
            for number in range(12):
                asked = [(ann, here), (twin, there)]
                bought = await asyncio.gather(*(buy_in(client, table) for client, table in asked))
                assert sum(bought) == 1, f"round {number}: {bought}"
                for client, table in asked:
                    if bought[asked.index((client, table))]:
                        await client.ask(table, {"type": "leave-table"})
                assert (await ann.get("/api/me"))["chips"] == "1000"
            await twin.close()

    async def buy_in(client: Client, table: str) -> bool:
        try:
            await client.ask(table, {"type": "buy-in", "amount": "1000"})
        except AskRefused as refusal:
            if "has 0" not in str(refusal):
                raise
            return False
        return True

    tell(cluster, tmp_path, story)


async def take_office(address: str, link: str) -> None:
    reader, writer = await asyncio.open_connection(*address.removeprefix("http://").split(":"))
    form = f"token={link.strip()}&name=boss&password={PASSWORD.replace(' ', '+')}"
    head = f"POST /administrator HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(form)}\r\n"
    writer.write(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}".encode())
    assert b"You are the administrator" in await reader.read()
    writer.close()


async def ask_floor(address: str, command_id: str, command: dict[str, Any], token: str, role: str) -> None:
    asked = {"id": command_id, "command": command, "role": role}
    answer = (await call(address, "POST", "/api/floor/commands", asked, token))[0]
    assert answer["type"] == "acknowledged", answer


async def give_order(address: str, table: str, command_id: str, command: dict[str, Any], token: str) -> dict[str, Any]:
    asked = {"id": command_id, "table": table, "command": command, "role": STAFF[GAMES[table].split("/")[0]]}
    answer: dict[str, Any] = (await call(address, "POST", f"/api/tables/{table}/commands", asked, token))[0]
    return answer


async def hire(house: House) -> str:
    """An administrator, an inspector, and somebody with a high role by every book, who is signed in."""
    first, last = house.processes[0].address, house.processes[-1].address
    await take_office(first, house.processes[0].hear("token=").split("token=")[1])
    _, boss = await call(last, "POST", "/api/sessions", {"name": "boss", "password": PASSWORD})
    for name in ("max", "ivy"):
        await call(last, "POST", "/api/people", {"name": name, "password": PASSWORD, "reason": "new"}, boss)
    roles = [("max", role, book) for book, role in STAFF.items()]
    for name, role, book in [*roles, ("ivy", "inspector", "")]:
        command = {"type": "give-role", "name": name, "role": role, "book": book, "reason": "new"}
        await ask_floor(first, f"{name} {book}", command, boss, "administrator")
    return (await call(last, "POST", "/api/sessions", {"name": "max", "password": PASSWORD}))[1]


async def is_shut_out(client: Client, table: str) -> bool:
    try:
        await client.ask(table, {"type": "buy-in", "amount": "1"})
    except AskRefused as refusal:
        return "may not play here" in str(refusal)
    return False


def test_what_the_floor_decides_holds_at_every_process_once_it_is_acknowledged(
    cluster: Cluster, tmp_path: Path
) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(3)
        staff = await hire(house)
        game, role = "star/blackjack", STAFF["star"]
        async with await Client.enter(addresses[0], "ann") as ann:
            for number in range(8):
                shut = {"type": "exclude", "name": "ann", "game": game, "reason": "a test", "casino": True}
                await ask_floor(addresses[number % 3], f"shut {number}", shut, staff, role)
                for table in GAMES:
                    assert await is_shut_out(ann, table), f"ann may still play at {table}"
                back = {"type": "readmit", "name": "ann", "game": game, "reason": "over"}
                await ask_floor(addresses[(number + 1) % 3], f"back {number}", back, staff, role)
                for table in GAMES:
                    await ann.ask(table, {"type": "buy-in", "amount": "1"})

    tell(cluster, tmp_path, story)


def test_staff_act_through_a_process_that_serves_neither_the_floor_nor_the_table(
    cluster: Cluster, tmp_path: Path
) -> None:
    async def story(house: House) -> None:
        await house.open(3)
        staff = await hire(house)
        async with await Client.enter(house.processes[0].address, "ann") as ann:
            for table, game in GAMES.items():
                floor, owner = await house.find_floor(), await house.find_process(table)
                third = next(each for each in house.processes if each not in (floor, owner)).address
                notice = {"type": "send-notice", "body": "inspector", "table": table, "reason": "to come"}
                await ask_floor(third, f"tell {table}", notice, staff, STAFF[game.split("/")[0]])
                bar = {"type": "bar", "player": "ann", "reason": "signals"}
                answer = await give_order(third, table, "bar", bar, staff)
                assert answer["type"] == "acknowledged", answer
                assert await give_order(third, table, "bar", bar, staff) == answer
                same_game = [name for name, other in GAMES.items() if other == game]
                if not game.startswith("melbourne/"):
                    for name in same_game:
                        assert await is_shut_out(ann, name)
                lift = {"type": "lift", "player": "ann", "reason": "a mistake"}
                assert (await give_order(third, same_game[-1], f"lift {table}", lift, staff))["type"] == "acknowledged"
                await ann.ask(table, {"type": "buy-in", "amount": "1"})
            for process in house.processes:
                _, ivy = await call(process.address, "POST", "/api/sessions", {"name": "ivy", "password": PASSWORD})
                inbox = (await call(process.address, "GET", "/api/inbox", token=ivy))[0]
                assert {item["table"] for item in inbox if not item["act"]} == set(GAMES)
                actions = (await call(process.address, "GET", "/api/actions?person=max", token=ivy))[0]
                assert {"bar", "lift", "notice-sent"} <= {action["act"] for action in actions}

    tell(cluster, tmp_path, story)


def test_a_process_that_dies_before_the_floor_has_heard_of_an_order_leaves_it_to_the_next(
    cluster: Cluster, tmp_path: Path
) -> None:
    """The floor's process sleeps while the order is stored; then the one with the table is killed."""

    async def story(house: House) -> None:
        await house.open(3)
        staff = await hire(house)
        floor = await house.find_floor()
        owners = {table: await house.find_process(table) for table in ("a", "d", "b")}
        table, owner = next((name, each) for name, each in owners.items() if each is not floor)
        third = next(each for each in house.processes if each not in (floor, owner))
        async with await Client.enter(third.address, "ann") as ann:
            floor.signal(signal.SIGSTOP)
            bar = {"type": "bar", "player": "ann", "reason": "signals"}
            asking = asyncio.create_task(give_order(owner.address, table, "bar", bar, staff))

            async def stored() -> bool:
                return bool(await asyncio.to_thread(house.list_ids, table, "max:bar"))

            await wait_until(stored)
            assert not asking.done(), "the order was acknowledged, and the floor does not know of it"
            owner.signal(signal.SIGKILL)
            with pytest.raises((ClientError, OSError)):
                await asking
            assert not await asyncio.to_thread(house.list_ids, "floor", f"/{table}/1"), "the floor was asleep"
            floor.signal(signal.SIGKILL)

            async def answered() -> bool:
                try:
                    return (await give_order(third.address, table, "bar", bar, staff))["type"] == "acknowledged"
                except (ClientError, OSError):
                    return False

            await wait_until(answered)
            for name, game in GAMES.items():
                if game == GAMES[table]:
                    assert await is_shut_out(ann, name)
        assert len(house.list_ids("floor", f"/{table}/1")) == 1
        assert len(house.list_ids(table, "max:bar")) == 1

    tell(cluster, tmp_path, story)


def test_a_new_password_ends_the_connections_at_every_process(cluster: Cluster, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(2)
        staff = await hire(house)
        ended: asyncio.Queue[str] = asyncio.Queue()
        began: asyncio.Queue[str] = asyncio.Queue()

        async def watch(address: str) -> None:
            with contextlib.suppress(ConnectionClosed):
                async for _ in listen(address, staff, "a"):
                    began.put_nowait(address)
            ended.put_nowait(address)

        tasks = [asyncio.create_task(watch(address)) for address in addresses]
        for _ in tasks:
            await began.get()
        change = {"name": "max", "password": f"{PASSWORD} 2", "current": PASSWORD}
        await call(addresses[0], "POST", "/api/password", change, staff)
        for address in addresses:
            with pytest.raises(ClientError, match="session is over"):
                await call(address, "GET", "/api/me", token=staff)
        async with asyncio.timeout(LONGEST_S):
            assert {await ended.get(), await ended.get()} == set(addresses)
        await asyncio.gather(*tasks)

    tell(cluster, tmp_path, story)


def test_everybody_who_watches_the_server_is_told_who_serves_what(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story(house: House) -> None:
        addresses = await house.open(2)
        ready = [(await call(address, "GET", "/readyz"))[0] for address in addresses]
        assert sorted(ready) == ["ready: serves 2 of 4 tables\n", "ready: serves 2 of 4 tables and the floor itself\n"]
        metrics = [(await call(address, "GET", "/metrics"))[0] for address in addresses]
        for name, _ in TABLES:
            assert sum(f'pitboss_lease_token{{table="{name}"}}' in text for text in metrics) == 1
        assert sum("pitboss_serves_floor 1" in text for text in metrics) == 1
        assert all("pitboss_processes 2" in text for text in metrics)
        assert await asyncio.to_thread(main, ["floor", "status", addresses[0]]) == 0

    tell(cluster, tmp_path, story)
    said = capsys.readouterr().out
    assert "this process" in said
    assert said.count("the floor itself") == 1
