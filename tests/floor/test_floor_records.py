"""Floor records: all of the project's replay as they say, what is wrong with one is found and told in one line."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_tools import FLOOR_RECORDS, ROOT, load_floor_record, record_id
from speeds import few
from witnessing import cited_by_record

from pitboss import cli
from pitboss.cli.trace import replays
from pitboss.errors import PitbossError
from pitboss.floor.house_messages import HOUSE_EVENTS, TableHeard
from pitboss.floor.records.house_words import TELLERS
from pitboss.floor.records.read import read_floor_record
from pitboss.floor.records.registry import ALL_KINDS
from pitboss.floor.records.replay import replay_floor

SHORT = """floor = 1
title = "A player buys in, wins and leaves"
book = "star"
cites = ["16.1.6"]
start = 2026-03-02T18:00:00
[people]
ann = { chips = 500 }
sam = "casino-supervisor"
pat = ["dealer", "casino-supervisor"]
[tables.s1]
game = "star/blackjack"
sign = { min = 5, max = 500, chip = 0.5 }
bank = 1000
[[step]]
at = "+5m"
by = "ann"
on = "table s1"
do = "buy-in"
amount = 100
[[step]]
at = 18:06:00
on = "table s1"
do = "round"
bets = ["1 ann* 20"]
cards = "Tc 6s 9d | Th 9c"
actions = ["1 stand"]
results = ["1 ann main +20"]
[[step]]
by = "sam"
do = "?exclude"
name = "ann"
game = "star/blackjack"
reason = ""
says = "must give a reason"
[[step]]
by = "ann"
on = "table s1"
do = "leave-table"
[expect]
balances = { "wallet:ann" = 520, "float:s1" = 980, "cage:" = -1500 }
open = []
[expect."table s1"]
results = { "1 ann main" = 20 }
chips = {}
"""


def find_differences(text: str) -> tuple[str, ...]:
    return replay_floor(read_floor_record(text)).differences


def change(old: str, new: str) -> str:
    assert old in SHORT
    return SHORT.replace(old, new, 1)


@pytest.mark.parametrize("path", few(FLOOR_RECORDS, 7), ids=record_id)
def test_a_floor_record_replays_as_it_says_and_cites_what_it_turns_on(path: Path) -> None:
    replayed = replay_floor(load_floor_record(path))
    assert replayed.differences == ()
    cited = {clause for _, clause in replayed.cited}
    assert not set(replayed.record.cites) - cited
    told = replayed.explain()
    assert len([line for line in told if not line.startswith(" ")]) > len(replayed.steps)


def test_everything_that_happens_on_the_floor_is_told() -> None:
    assert set(TELLERS) == set(HOUSE_EVENTS) - {TableHeard}
    assert len({kind.word for kind in ALL_KINDS}) == len(ALL_KINDS)


def test_a_record_of_ones_own_replays() -> None:
    assert find_differences(SHORT) == ()


def test_what_a_round_refuses_is_told_where_it_was_asked() -> None:
    text = change('bets = ["1 ann* 20"]', 'bets = ["?1 ann 200", "1 ann* 20", "?2 ann 90"]')
    told = replay_floor(read_floor_record(text, "record")).explain()
    staked = next(at for at, line in enumerate(told) if "ann, seated, stakes 20 on box 1" in line)
    assert told[staked - 1].startswith("  ann stakes 200 on box 1: not accepted, ann has 100 at table s1")
    assert told[staked + 1].startswith("  ann stakes 90 on box 2: not accepted, ann has 80 at table s1")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"wallet:ann" = 520', '"wallet:ann" = 500', "wallet:ann: expected 500, holds 520"),
        ("open = []", 'open = ["floor: tea"]', "expected to be open, and is not: floor: tea"),
        ('"1 ann main" = 20', '"1 ann main" = 30', "table s1, results, 1 ann main: expected 30, found 20"),
        ("chips = {}", "hats = 3", "table s1, hats: expected 3, but there is none; there is: round, phase"),
        ("chips = {}", 'phase = ["x"]', "table s1, phase: expected [x], found settled"),
        ("ann main +20", "ann main +25", "step 2 (line 20): 1 ann main: recorded +25, settled +20"),
        ('"?exclude"', '"exclude"', "SAYS"),
        ('reason = ""', 'reason = "a device"', "'exclude' is granted, and should be refused"),
        (
            "must give a reason",
            "nothing of the kind",
            "'exclude' is refused, but in other words: the casino-supervisor must give",
        ),
        ('says = "must give a reason"', 'refused = "19.3"', "'exclude' is refused, but the refusal names no clause"),
        ("1 ann* 20", "1 ann* 200", "ann has 100 at table s1, and this takes 200"),
        ("amount = 100", "amount = 1000", "step 1 (line 14): 'buy-in' is refused: ann has 500, and this takes 1000"),
        ('[expect."table s1"]\n', '[expect."table s2"]\n', "table s2: expected, but there is no such stream"),
    ],
)
def test_what_differs_is_a_sentence(old: str, new: str, words: str) -> None:
    if words == "SAYS":
        with pytest.raises(PitbossError, match=r'record:\d+: expected do = "\?exclude" beside says'):
            find_differences(change(old, new))
        return
    found = find_differences(change(old, new))
    assert any(words in line for line in found), found


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("floor = 1", "floor = 2", "1: expected floor = 1"),
        ('book = "star"', 'book = "vegas"', "3: expected book = one of perth"),
        ("start = 2026-03-02T18:00:00", 'start = "six"', "5: expected start = 2026"),
        ('sam = "casino-supervisor"', 'sam = "area-manager"', "8: expected player, administrator"),
        ('sam = "casino-supervisor"', "sam = []", "8: expected a role such as"),
        ("chips = 500 }", "hats = 5 }", "7: expected one of roles, chips"),
        ('"star/blackjack"', '"star/whist"', "11: expected a known game"),
        ("bank = 1000", "bank = 1000\nplayers = { bob = 5 }", "14: expected somebody among the people"),
        ("bank = 1000", "bank = 1000\noptions = { decks = 99 }", "expected choices that the rulebook allows"),
        ("bank = 1000", 'bank = 1000\ndealt_by = "ghost"', "14: expected machine, person, practice"),
        ('at = "+5m"', 'at = "soon"', "15: expected a time such as"),
        ('at = "+5m"', "at = 17:00:00", "15: expected a time that is not before"),
        ('at = "+5m"', 'at = "+99999d99999d"', "15: expected a time such as"),
        ('by = "ann"', 'by = "anna"', "16: expected somebody among the people"),
        ('by = "sam"', 'by = "pat"', 'expected "pat as ROLE": pat is dealer and casino-supervisor'),
        ('on = "table s1"', 'on = "tabel s1"', "17: expected a stream: floor"),
        ('on = "table s1"', 'on = "table"', "17: expected a stream: floor"),
        ('do = "buy-in"', 'do = "buyin"', "18: expected something that can be asked there"),
        ('do = "buy-in"', "do = 7", "18: expected a text in quotes"),
        ("amount = 100", "amonut = 100", "19: expected for buy-in: player, amount; not 'amonut'"),
        ("amount = 100", "amount = true", "14: expected the fields of buy-in"),
        ("amount = 100", "amount = nan", "14: expected the fields of buy-in: amount is not an amount but NaN"),
        ("amount = 100", "amount = -inf", "14: expected the fields of buy-in: amount is not an amount but -Infinity"),
        ("amount = 100", "amount = 1e400", "14: expected the fields of buy-in: amount is too large an amount"),
        ("amount = 100", "amount = 0.0000001", "14: expected the fields of buy-in: amount is too fine an amount"),
        ('reason = ""', 'reason = "a\\nb"', "expected the fields of exclude: reason is one printable line"),
        ('"wallet:ann" = 520', '"wallet:ann" = nan', "expected an amount such as 25 or 2.5, not NaN"),
        ("start = 2026-", "start = 0001-", "5: expected a time between the years 1970 and 2100"),
        ('at = "+5m"', 'at = "+99999d"', "15: expected a time between the years 1970 and 2100"),
        ("Tc 6s", "Tx 6s", "expected a card"),
        ('"1 ann* 20"', '"1 ann* 20 hats"', "expected main or a side wager of the book"),
        ('"wallet:ann" = 520', '"wallet" = 520', "expected an account such as wallet:ann"),
        ('"wallet:ann" = 520', '"wallet:ann" = "x"', "expected an amount such as"),
        ('[expect."table s1"]', '[expect."hat s1"]', "expected a stream: floor"),
        ("[[step]]", "[step]", "expected TOML"),
        ('title = "A', "titel = 3\ntitle = \"A", "expected one of floor, title"),
        ('ann = { chips = 500 }', 'ann = { chips = 500 }\ndealer = "player"', "the record cannot begin"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_one_line_with_its_place(old: str, new: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(PitbossError) as caught:
        find_differences(change(old, new))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("record:")


@given(st.data())
def test_no_text_breaks_the_reader(data: st.DataObject) -> None:
    """A line cut out, doubled or swapped for another gives a replay or one complaint."""
    lines = SHORT.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.sampled_from(lines))
    lines[at : at + 1] = data.draw(st.sampled_from([[], [lines[at], lines[at]], [other], [other, lines[at]]]))
    with contextlib.suppress(PitbossError):
        assert all("\n" not in line for line in find_differences("\n".join(lines)))


def test_a_refused_step_changes_nothing() -> None:
    record = read_floor_record(change('reason = ""', 'reason = "a device"'))
    assert replay_floor(record).now.house.people["ann"].exclusions == ()


def test_a_round_may_stand_in_a_file_beside_the_record(tmp_path: Path) -> None:
    round_keys = re.compile(r"^(bets|cards|actions|results) = (?:\[|\").*\n", re.MULTILINE)
    text = round_keys.sub("", SHORT).replace('do = "round"', 'do = "round"\nrecord = "won.round.toml"')
    game = 'record = 1\ngame = "star/blackjack"\n' + "".join(match[0] for match in round_keys.finditer(SHORT))
    path = tmp_path / "one.floor.toml"
    path.write_text(text, encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 2
    path.with_name("won.round.toml").write_text(game, encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 0
    path.with_name("won.round.toml").write_text(game.replace("star/", "perth/"), encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 2
    with pytest.raises(PitbossError, match="not in a folder"):
        read_floor_record(text)


def test_the_command_line_tells_explains_and_exits_as_for_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.floor.toml"
    path.write_text(SHORT, encoding="utf-8")
    assert cli.main(["replay", str(tmp_path), "--explain"]) == 0
    out, err = capsys.readouterr()
    assert err == "1 record: all as recorded\n"
    assert "2026-03-02 18:05 ann (player), table s1: buy in\n  ann buys in for 100.\n" in out
    assert "  Refused, as it must be: the casino-supervisor must give a reason.\n" in out
    path.write_text(change("= 520", "= 521"), encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 1
    assert capsys.readouterr().out == f"{path}: wallet:ann: expected 521, holds 520\n"
    path.write_text("floor = 1", encoding="utf-8")
    assert cli.main(["replay", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_json_has_steps_balances_streams_and_what_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.floor.toml"
    path.write_text(SHORT, encoding="utf-8")
    assert cli.main(["replay", str(path), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)["records"]
    assert (record["as_recorded"], record["rounds"], record["title"]) == (True, [], "A player buys in, wins and leaves")
    floor = record["floor"]
    assert floor["balances"]["wallet:ann"] == 520
    assert floor["streams"]["table s1"]["results"] == {"1 ann main": 20}
    assert [step["do"] for step in floor["steps"]] == ["buy-in", "round", "exclude", "leave-table"]
    assert floor["steps"][0]["transfers"] == [
        {"from": "wallet:ann", "to": "purse:s1/ann", "amount": 100, "unit": "chip", "clauses": []}
    ]
    assert floor["steps"][2]["refused"]["reason"] == "the casino-supervisor must give a reason"
    assert floor["open"] == []


def test_a_floor_record_is_a_witness_of_what_it_cites() -> None:
    found = cited_by_record("tests/records/floor/house/star-01-excluded-from-the-casino.floor.toml")
    assert isinstance(found, set)
    assert ("star", "19.3.3") in found
    assert not any(book == "melbourne" for book, _ in found)
    assert replays(ROOT)("tests/records/floor/house/star-01-excluded-from-the-casino.floor.toml") == found
    path = FLOOR_RECORDS[0].relative_to(ROOT).as_posix().replace("01-", "99-")
    with pytest.raises(FileNotFoundError):
        cited_by_record(path)
