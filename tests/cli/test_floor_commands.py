"""The commands around a served floor, with a server of their own on loopback."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.cli.floors.join import describe, read_dealer_line, read_line
from pitboss.errors import PitbossError
from pitboss.server.client import Client


@pytest.mark.slow
def test_a_floor_is_served_joined_asked_and_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "floor.db")
    command = [sys.executable, "-c", "from pitboss.cli import main; main()", "serve", "--quick", "--port", "0"]
    command += ["--database", database, "--table", "one=perth/blackjack"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        address = server.stderr.readline().split()[-1]
        assert "/administrator?token=" in server.stderr.readline()
        assert main(["join", address, "--robot", "thumb", "--rounds", "2"]) == 0
        assert "2 rounds played" in capsys.readouterr().out
        assert main(["floor", "status", address, "--json"]) == 0
        status = json.loads(capsys.readouterr().out)
        assert (status["rounds"], status["ledger_imbalance"]) == (2, 0)
        assert main(["join", address, "--table", "two", "--robot", "thumb"]) == 2
        assert "there is no table two; open are one" in capsys.readouterr().err
        assert main(["serve", "--database", database, "--port", "0"]) == 2
        assert "another process serves this database" in capsys.readouterr().err
    finally:
        server.terminate()
        server.wait()
    assert main(["audit", "floor", database]) == 0
    assert "all in order" in capsys.readouterr().out
    assert main(["audit", "floor", database, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["seals"] >= 1, "a floor that is closed is sealed"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["floor", "burn"], "what can: status, check, backup, restore, report, actions, enrol, password, new-key"),
        (["floor", "status", "http://127.0.0.1:1"], "does not answer"),
        (["floor", "status", "ftp://x"], "is not the address of a floor"),
        (["floor", "actions", "nowhere.db"], "there is no such database"),
        (["floor", "enrol", "http://127.0.0.1:1"], "say who you are"),
        (["floor", "check", "http://127.0.0.1:1"], "say who you are"),
        (["floor", "restore", "copy.db"], "name the copy and the new database"),
        (["join", "--robot", "genius"], "optimum, chart, random, thumb"),
        (["serve", "--table", "x"], "NAME=GAME"),
        (["audit", "floor", "nowhere.db"], "there is no such database"),
        (["audit", "nothing", "x"], "what can: shoe, floor"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_what_a_person_types_is_a_command() -> None:
    assert read_line("ready") == {"type": "ready"}
    assert read_line("leave") == {"type": "leave-table"}
    bet = read_line("bet 1 5 perfect-pairs")
    assert (bet["type"], bet["box"], bet["amount"], bet["wager"]) == ("place-bet", "1", "5", "perfect-pairs")
    assert read_line("2 hit")["type"] == "hit"
    for wrong in ("bet", "bet 1", "dance", "1 dance"):
        with pytest.raises(PitbossError):
            read_line(wrong)


def test_the_table_is_told_in_a_few_lines() -> None:
    public = {
        "round": 3, "phase": "turns", "dealer": ["5s"], "bets": [], "settlements": [],
        "boxes": [{"number": "1", "controller": "zoe", "hands": [{"cards": ["Ts", "Jc"], "total": 20}]}],
    }  # fmt: skip
    private = {"chips": "490", "actions": [{"type": "hit", "box": "1"}]}
    assert describe(public, private).splitlines() == [
        "round 3, turns; dealer 5s; you have 490",
        "  box 1 (zoe): Ts Jc (20)",
        "  you may: 1 hit",
    ]


def test_the_package_offers_the_client() -> None:
    import pitboss

    assert pitboss.Client is Client
    assert asyncio.iscoroutinefunction(pitboss.Client.watch)


def test_a_dealer_types_cards_steps_decisions_and_orders() -> None:
    def read(line: str) -> dict[str, Any]:
        return read_dealer_line(line, "dan", "dealer")

    assert read("Td") == {"type": "key-card", "card": "Td"}
    assert read("shoe") == {"type": "bring-shoe"}
    assert read("cut-card") == {"type": "key-cut-card"}
    assert read("on") == {"type": "dealer", "name": "dan"}
    assert read("1 stand")["type"] == "stand"
    order = read("!correct-card 3 Td because misread")
    assert (order["type"], order["number"], order["card"], order["reason"]) == ("correct-card", 3, "Td", "misread")
    for wrong in ("Zz", "!nonsense", "deal it"):
        with pytest.raises(PitbossError):
            read(wrong)
