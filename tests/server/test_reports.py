"""Reports: every account closes with what it opened with and what moved."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import polars
import pytest
from floor_desk import KEY, Bench

from pitboss.cli import main
from pitboss.floor.ledger import from_grains
from pitboss.money import Money
from pitboss.server.storage.day_report import DAY_MS, KINDS, ReportBy, flatten_lines, report_day
from pitboss.table.messages.askers import Asker

FIRST_DAY = datetime.date(1970, 1, 1)


def play(address: str) -> Bench:
    """A floor that is played at on two days."""
    bench = Bench(address)
    bench.open("t", "perth/blackjack", ("ann", "bob"))
    for _ in range(60):
        bench.step("t")
        assert bench.desk.store_line()
    bench.now_ms = DAY_MS + 1
    for _ in range(60):
        bench.step("t")
        assert bench.desk.store_line()
    return bench


def test_opening_and_movements_make_the_closing(address: str) -> None:
    bench = play(address)
    first, second = (report_day(bench.store, FIRST_DAY + datetime.timedelta(days=n)) for n in (0, 1))
    for line in (*first, *second):
        assert line.opening + sum(line.came.values()) - sum(line.went.values()) == line.closing
        assert {*line.came, *line.went} <= set(KINDS)
    assert all(line.opening == 0 for line in first)
    closed = {(line.kind, line.owner, line.unit): line.closing for line in first}
    for line in second:
        assert line.opening == closed.get((line.kind, line.owner, line.unit), Money(0))
    now = {f"{line.kind}:{line.owner}": line.closing for line in second}
    for (account, _), balance in bench.desk.balances.items():
        assert now.get(account, Money(0)) == from_grains(balance)
    for lines in (first, second):
        assert sum(line.closing for line in lines) == 0
    bench.store.close()


def test_tables_and_players_close_with_what_they_opened_with_and_what_moved(address: str) -> None:
    bench = play(address)
    days = [FIRST_DAY, FIRST_DAY + datetime.timedelta(days=1)]
    for by, names in ((ReportBy.PLAYER, ["ann", "bob"]), (ReportBy.TABLE, ["t"])):
        first, second = (report_day(bench.store, day, by) for day in days)
        for line in (*first, *second):
            assert line.opening + sum(line.came.values()) - sum(line.went.values()) == line.closing
        assert [(line.kind, line.owner, line.unit) for line in second] == [(by.value, name, "chip") for name in names]
        assert [line.closing for line in first] == [line.opening for line in second]
        assert any(line.came and line.went for line in second)
    table, players = (report_day(bench.store, days[1], by) for by in (ReportBy.TABLE, ReportBy.PLAYER))
    live, accounts = bench.live("t"), report_day(bench.store, days[1])
    for line in players:
        own = sum(each.closing for each in accounts if each.owner in (line.owner, f"t/{line.owner}"))
        assert line.closing == own == from_grains(live.purses[line.owner]) + bench.desk.find_wallet(line.owner)
        assert {*line.came, *line.went} <= {"cage", "layout", "float", "meter"}, "what is moved within is not told"
    cage = next(line for line in accounts if line.kind == "cage")
    assert sum(line.closing for line in (*table, *players, cage)) == 0
    bench.store.close()


def test_a_report_is_written_as_csv_and_parquet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = play(f"sqlite:///{tmp_path}/floor.db")
    rows = flatten_lines(report_day(bench.store, FIRST_DAY))
    bench.store.close()
    database = str(tmp_path / "floor.db")
    assert main(["floor", "report", database, "--day", "1970-01-01"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == ",".join(rows[0])
    for name in ("day.csv", "day.parquet"):
        assert main(["floor", "report", database, "--day", "1970-01-01", "--to", str(tmp_path / name)]) == 0
    assert polars.read_parquet(tmp_path / "day.parquet").to_dicts() == rows
    assert len((tmp_path / "day.csv").read_text().splitlines()) == len(rows) + 1
    assert main(["floor", "report", database, "--day", "yesterday"]) == 2
    capsys.readouterr()
    assert main(["floor", "report", database, "--day", "1970-01-01", "--by", "player"]) == 0
    assert [line.split(",")[:3] for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["player", "ann", "chip"], ["player", "bob", "chip"],
    ]  # fmt: skip
    assert main(["floor", "report", database, "--by", "hour"]) == 2
    assert main(["floor", "report", str(tmp_path / "none.db")]) == 2


def test_what_staff_did_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/floor.db")
    bench.open("t", "perth/blackjack", ("ann",))
    order = {"type": "bar", "player": "ann", "reason": "signals"}
    bench.desk.ask("t", Asker("table-games-manager", "mia"), "1", order, lambda answer: None)
    assert bench.desk.store_line()
    bench.store.close()
    key = tmp_path / "floor.key"
    key.write_text(KEY.hex())
    database = str(tmp_path / "floor.db")
    assert main(["floor", "actions", database]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2, "at the table, and on the floor for all tables of the game"
    assert "t  mia (table-games-manager)  bar: !table-games-manager bar ann" in lines[1]
    assert "because signals  [8.8(b), 8.7, 4.7]" in lines[1]
    assert main(["floor", "actions", database, "--name", "dan", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert main(["floor", "actions", database, "--last", "0"]) == 2
