"""`pitboss meters` on floor records, and odds that take their meters from one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from record_tools import ROOT

from pitboss import cli

METERS = ROOT / "tests/records/floor/meters"
RECORD = METERS / "melbourne-14-every-table-shows-the-meter.floor.toml"
TWO = METERS / "melbourne-15-several-systems-at-once.floor.toml"
DESERTED = METERS / "melbourne-40-what-is-paid-stays-paid.floor.toml"
ON_RECORD = METERS / "melbourne-57-the-mystery-jackpot.floor.toml"
OPENING = (
    "--system", "bj9", "--wager", "blackjack-jackpots", "--price", "5", "--meter", "blackjack-jackpots=900:0.05",
)  # fmt: skip


def test_what_meters_show_is_printed_and_given_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["meters", "show", str(RECORD)]) == 0
    assert "bj1     blackjack-jackpots  10000.5  10000   0.05      5  m1, m2  works" in capsys.readouterr().out
    assert cli.main(["meters", "show", str(RECORD), "--json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)
    assert system["values"] == {"blackjack-jackpots": 10000.5}
    assert len(system["commitment"]) == 64


CLOSING = """
[[step]]
by = "dan"
on = "meters main"
do = "put-sign"
table = "TABLE"
about = "close"
system = "bj1"
"""
CLOSE = """
[[step]]
at = "+20m"
by = "acm"
on = "meters main"
do = "close-system"
system = "bj1"
"""


def test_what_a_closed_system_owes_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    closed = tmp_path / "closed.floor.toml"
    signs = "".join(CLOSING.replace("TABLE", table) for table in ("m1", "m2"))
    closed.write_text(RECORD.read_text().split("[expect]")[0] + signs + CLOSE)
    assert cli.main(["meters", "show", str(closed)]) == 0
    assert "closed, owes 0.5" in capsys.readouterr().out
    assert cli.main(["meters", "show", str(closed), "--json"]) == 0
    (system,) = json.loads(capsys.readouterr().out)
    assert system["owed"] == {"blackjack-jackpots": 0.5}


def test_robots_play_on_the_same_way_from_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    outs = []
    for seed in ("1", "1", "2"):
        assert cli.main(["meters", "run", str(RECORD), "--rounds", "2", "--seed", seed, "--json"]) == 0
        outs.append(json.loads(capsys.readouterr().out))
    assert outs[0] == outs[1]
    assert [(line["number"], line["table"]) for line in outs[0]] == [(1, "m1"), (1, "m2"), (2, "m1"), (2, "m2")]
    values = [line["values"]["bj1"]["blackjack-jackpots"] for line in outs[0]]
    assert values == [10001, 10001.25, 10001.75, 10002], "two players at m1 and one at m2, 25 cents each"


def test_every_settlement_is_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, plain = tmp_path / "r.csv", tmp_path / "r.json"
    for file in (table, table, plain, plain):
        assert cli.main(["meters", "export", str(RECORD), "--to", str(file)]) == 0
    assert table.read_text().splitlines()[2] == "2,1772475600000,bj1,m2,1,blackjack-jackpots,10000.5,0,"
    assert json.loads(plain.read_text())[1]["value"] == 10000.5
    plain.write_text("mine")
    assert cli.main(["meters", "export", str(RECORD), "--to", str(plain)]) == 2
    assert plain.read_text() == "mine"


def test_a_system_opens_in_a_record_or_the_record_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "group.floor.toml"
    before = RECORD.read_text()
    path.write_text(before)
    for order, words in (
        ((*OPENING, "--by", "dan"), "a dealer may not do this"),
        ((*OPENING, "--by", "nobody"), "expected somebody among the people"),
        ((*OPENING[:-1], "blackjack-jackpots=0:0.05", "--by", "acm"), "chips above zero, not 0 (clause 21.5.2"),
        ((*OPENING[:-1], "blackjack-jackpots=10", "--by", "acm"), "SEED:SHARE"),
        ((*OPENING[:4], "--by", "acm"), "a system opens with --system, --wager"),
    ):
        assert cli.main(["meters", "open", str(path), *order]) == 2
        assert words in capsys.readouterr().err
        assert path.read_text() == before
    assert cli.main(["meters", "open", str(path), *OPENING, "--by", "acm", "--one-in", "lucky=50"]) == 0
    capsys.readouterr()
    assert cli.main(["meters", "show", str(path), "--json"]) == 0
    found = {system["name"]: system for system in json.loads(capsys.readouterr().out)}
    assert found["bj9"]["values"] == {"blackjack-jackpots": 900}
    assert found["bj9"]["one_in"] == {"lucky": 50}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("meters", "shuffle", str(RECORD)), "nothing that can be done with meters"),
        (("meters", "show", "group.toml"), "neither the address of a floor nor a floor record"),
        (("meters", "run", str(RECORD), "--rounds", "0"), "at least one round"),
        (("meters", "run", str(DESERTED)), "nobody is at m1"),
        (("meters", "run", str(ON_RECORD)), "waits for an assistant-casino-manager"),
        (("meters", "run", "http://127.0.0.1:1"), "robots play on from a floor record"),
        (("meters", "export", str(RECORD)), "say where to write"),
        (("meters", "export", "http://127.0.0.1:1", "--to", "x.csv"), "say who you are"),
        (("odds", "melbourne/blackjack", "--side", "supernova", "--meters", str(RECORD)), "no meter system for"),
        (("odds", "melbourne/blackjack", "--side", "blackjack-jackpots", "--meters", str(TWO)), "name one of bj1, bj2"),
        (("odds", "melbourne/blackjack", "--meters", str(RECORD)), "name it with --side"),
        (("odds", "melbourne/blackjack", "--side", "supernova", "--system", "bj1"), "among those of --meters"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_line(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    assert cli.main(list(arguments)) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--system", 'bj"9', "'bj\"9' cannot be the name of a meter system"),
        ("--system", "readings", "'readings' cannot be the name of a meter system"),
        ("--price", "nan", "--price nan: write a number"),
        ("--price", "-5", "is chips above zero, not -5 (clause 21.5.1(d))"),
        ("--meter", "blackjack-jackpots=inf:0.05", "blackjack-jackpots inf: write a number"),
        ("--meter", 'black"jack=1000:0.05', "pays from blackjack-jackpots"),
        ("--by", 'acm"', "expected somebody among the people"),
    ],
)
def test_a_system_that_cannot_open_leaves_the_record_as_it_is(
    option: str, value: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "group.floor.toml"
    copy.write_bytes(RECORD.read_bytes())
    asked = {
        "--by": "acm", "--system": "bj9", "--wager": "blackjack-jackpots", "--price": "5",
        "--meter": "blackjack-jackpots=900:0.05", option: value,
    }  # fmt: skip
    assert cli.main(["meters", "open", str(copy), *(f"{name}={item}" for name, item in asked.items())]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1
    assert copy.read_bytes() == RECORD.read_bytes()


def test_odds_take_meters_price_and_draws_from_a_running_system(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["odds", "melbourne/blackjack", "--decks", "6", "--side", "blackjack-jackpots", "--json"]
    assert cli.main([*asked, "--meters", str(TWO), "--system", "bj2"]) == 0
    running = json.loads(capsys.readouterr().out)
    by_hand = ["--meter", "4001", "--stake", "10", "--pick", "lucky=1/60000"]
    assert cli.main([*asked, *by_hand]) == 0
    assert running == json.loads(capsys.readouterr().out), "4000 and a tenth of the wager of 10"
