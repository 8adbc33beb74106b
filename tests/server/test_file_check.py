"""A server checks its own files daily and on demand, and the inspector is told when they change."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from floor_desk import KEY, Bench
from floor_server import PASSWORD, Served, hire, serve, take_office

from pitboss.cli import main
from pitboss.floor import house_messages as hm
from pitboss.server.client import Client, ClientError, call
from pitboss.server.inspection.file_check import DAY_MS, FileCheck, digest_rules
from pitboss.server.inspection.program_files import digest_files, list_changes, read_program_files
from pitboss.server.live_stream import Answer
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.table.messages.askers import HOUSE, Asker


class Disk:
    """Files that a test can change."""

    def __init__(self) -> None:
        self.files = {"a.py": "11" * 32, "books/b.toml": "22" * 32}
        self.rules = {"perth/blackjack": "33" * 32}


def make_check(bench: Bench, disk: Disk) -> FileCheck:
    async def ask_house(by: Asker, command_id: str, command: hm.HouseCommand) -> Answer:
        answers: list[Answer] = []
        bench.desk.ask_house(by, command_id, command, answers.append)
        bench.desk.store_line()
        return answers[0]

    return FileCheck(ask_house, lambda: bench.now_ms, lambda: disk.files, lambda: disk.rules)


def list_inbox(bench: Bench) -> list[str]:
    return [notice.text for notice in bench.desk.house.notices.values() if notice.body == "inspector"]


def work(check: FileCheck, bench: Bench, minutes: int) -> None:
    """Let so many minutes pass."""
    left = [minutes]

    async def sleep(seconds: float) -> None:
        bench.now_ms += int(seconds * 1000)
        left[0] -= 1
        if left[0] < 0:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(check.work(sleep))


def test_files_are_checked_at_the_start_and_every_day(address: str) -> None:
    bench, disk = Bench(address), Disk()
    check = make_check(bench, disk)
    before = bench.desk.slots["floor"].now.seq
    work(check, bench, 3 * 24 * 60)
    checked = [row for row in bench.store.read_log("floor") if row.seq > before]
    assert len(checked) == 4
    assert [row.at_ms - checked[0].at_ms for row in checked] == [0, DAY_MS, 2 * DAY_MS, 3 * DAY_MS]
    assert list_inbox(bench) == []
    assert check.digest == digest_files(disk.files)
    assert audit_floor(address, KEY).found == []
    bench.store.close()


def test_the_inspector_is_told_once_of_each_change(tmp_path: Path) -> None:
    bench, disk = Bench(f"sqlite:///{tmp_path}/floor.db"), Disk()
    check = make_check(bench, disk)
    work(check, bench, 1)
    disk.files = {"a.py": "44" * 32, "c.py": "55" * 32}
    disk.rules = {"perth/blackjack": "66" * 32}
    work(check, bench, 2 * 24 * 60)
    told = f"the files of the program have changed since it began ({check.digest[:12]})"
    changes = "a.py is another; books/b.toml is gone; c.py is new; the rules of perth/blackjack are others"
    assert list_inbox(bench) == [f"{told}: {changes}"]
    assert check.last is not None
    assert check.last.found != check.last.digest
    assert bench.desk.house.files == hm.FilesChecked(digest=check.digest, changes=check.last.changes, by=HOUSE)
    work(make_check(bench, disk), bench, 1)
    assert list_inbox(bench)[1:] == [
        f"another program decides now: its files have the digest {digest_files(disk.files)[:12]}, "
        f"before {check.digest[:12]}"
    ]
    assert audit_floor(bench.address, KEY).found == []
    bench.store.close()


def test_a_check_that_could_not_be_stored_is_made_again(tmp_path: Path) -> None:
    bench, disk = Bench(f"sqlite:///{tmp_path}/floor.db"), Disk()
    check = make_check(bench, disk)
    bench.desk.freeze("no disk")
    work(check, bench, 5)
    assert check.last is None
    bench.desk.thaw()
    work(check, bench, 1)
    assert check.last is not None
    bench.store.close()


def test_the_programs_own_files_are_found_and_a_change_to_one_is_named(tmp_path: Path) -> None:
    files = read_program_files()
    assert {"rulebooks/books/perth.toml", "table/decide.py", "rulebooks/clauses/perth.csv"} <= files.keys()
    assert read_program_files() == files
    assert digest_rules() == digest_rules()
    for name in ("a.py", "b.toml", "notes.txt"):
        (tmp_path / name).write_text(name)
    before = read_program_files(tmp_path)
    assert list(before) == ["a.py", "b.toml"]
    (tmp_path / "a.py").write_text("other")
    after = read_program_files(tmp_path)
    assert list_changes(before, after) == ["a.py is another"]
    assert digest_files(before) != digest_files(after)


def test_staff_of_the_floor_has_files_checked_over_http(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        ivy = await hire(root, "ivy", ("inspector", ""))
        while served.floor.files.last is None:
            await asyncio.sleep(0.01)
        first = await ivy.get("/api/files")
        assert first["changes"] == []
        assert first["digest"] == first["found"] == served.floor.desk.code_digest
        disk = {**served.floor.files.files, "table/decide.py": "00" * 32}
        served.floor.files.read_files = lambda: disk
        second = await ivy.post("/api/files")
        assert second["changes"] == ["table/decide.py is another"]
        assert await ivy.get("/api/files") == second
        (notice,) = await ivy.get("/api/inbox")
        assert "table/decide.py is another" in notice["text"]
        assert notice["by"] == {"role": "inspector", "name": "ivy"}
        await ivy.ask_floor({"type": "confirm-receipt", "number": notice["number"]}, role="inspector")
        numbers = str((await call(served.address, "GET", "/metrics"))[0])
        assert "pitboss_files_changed 1" in numbers
        assert "pitboss_files_checked_seconds" in numbers
        ann = await Client.enter(served.address, "ann")
        for method in ("GET", "POST"):
            with pytest.raises(ClientError, match="this is for administrator, inspector, surveillance"):
                await call(served.address, method, "/api/files", {} if method == "POST" else None, ann.token)
            with pytest.raises(ClientError, match="not signed in"):
                await call(served.address, method, "/api/files", {} if method == "POST" else None)
        for client in (root, ivy, ann):
            await client.close()

    serve(tmp_path, story)


def test_files_are_checked_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("typer.prompt", lambda *words, **how: PASSWORD)

    async def story(served: Served) -> None:
        root = await take_office(served)
        await root.close()
        ask = ["floor", "check", served.address, "--name", "root"]
        assert await asyncio.to_thread(main, ask) == 0
        assert "are those with which the server began" in capsys.readouterr().out
        served.floor.files.read_files = lambda: {"a.py": "00" * 32}
        assert await asyncio.to_thread(main, ask) == 1
        assert "a.py is new" in capsys.readouterr().err

    serve(tmp_path, story)
