"""`pitboss replay` from the outside: exit codes, what goes where, and that writing results loses nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from record_tools import FLOOR_RECORDS, RECORDS, ROOT
from speeds import few

from pitboss import cli

BARE = """# a lesson: insurance   (this comment stays)
record  = 1
title   = "Insured — and lost"   # this one too
game    = "star/blackjack"

bets    = ["1 ann* 100"]
cards   = "Ts Ac 9d | 7c"
actions = ["1 insure ann 50", "1 stand"]  # and this

# end
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.round.toml"
    path.write_text(BARE, encoding="utf-8")
    return path


@pytest.mark.slow
def test_records_that_are_as_recorded_exit_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(ROOT / "tests" / "records")]) == 0
    assert capsys.readouterr() == ("", f"{len(RECORDS) + len(FLOOR_RECORDS)} records: all as recorded\n")


@pytest.mark.parametrize("path", few(RECORDS[::9], 4), ids=lambda path: path.stem)
def test_a_single_record_exits_0(path: Path) -> None:
    assert cli.main(["replay", str(path)]) == 0


def test_each_difference_is_a_line_that_begins_with_the_path(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(BARE + 'results = ["1 ann main +100", "1 bob main 0"]\ndealer = "Ac 8c"\n', encoding="utf-8")
    assert cli.main(["replay", str(record)]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{record}: 1 bob main: recorded 0, but there is no such wager",
        f"{record}: 1 ann insurance: not recorded, settled -50 (insurance-loses, 13.3, 8.1)",
        f"{record}: dealer: recorded Ac 8c, dealt Ac 7c",
    ]
    assert err == "1 record: 1 differs\n"


def test_all_files_are_reported_and_the_worst_decides(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, wrong, latin = (record.with_name(f"{name}.round.toml") for name in ("broken", "wrong", "latin"))
    broken.write_text(BARE.replace("bets ", "bts "), encoding="utf-8")
    wrong.write_text(BARE + 'dealer = "As"\n', encoding="utf-8")
    latin.write_bytes(b"title = 'caf\xe9'")
    missing = record.with_name("missing.round.toml")
    assert cli.main(["replay", *map(str, (broken, wrong, latin, missing, RECORDS[0]))]) == 2
    out, err = capsys.readouterr()
    assert f"{wrong}: dealer: recorded As, dealt Ac 7c" in out
    assert err.splitlines() == [
        err.splitlines()[0],
        f"pitboss: {latin}: not UTF-8 text (byte 12)",
        f"pitboss: {missing}: cannot be read: No such file or directory",
        "5 records: 1 differs, 3 malformed",
    ]
    assert err.startswith(f"pitboss: {broken}:6: expected one of record, title,")
    assert cli.main(["replay", str(wrong), str(RECORDS[0])]) == 1


def test_a_record_without_results_is_played_and_its_settlement_printed(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(record)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{record}:"
    assert [line.split()[:4] for line in lines[2:]] == [
        ["1", "ann", "insurance", "50"],
        ["1", "1", "ann", "main"],
    ]
    assert record.read_text("utf-8") == BARE


def test_json_has_the_settlement_hand_by_hand(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "--json", str(record)]) == 0
    (data,) = json.loads(capsys.readouterr().out)["records"]
    assert (data["file"], data["game"], data["as_recorded"], data["error"]) == (
        str(record),
        "star/blackjack",
        True,
        None,
    )
    (played,) = data["rounds"]
    assert played["dealer"] == "Ac 7c"
    lines = [{key: line[key] for key in list(line)[:8]} for line in played["settlement"]]
    assert lines == [
        {"box": "1", "hand": 0, "player": "ann", "wager": "insurance", "stake": 50, "net": -50,
         "outcome": "insurance-loses", "clause": "13.3"},
        {"box": "1", "hand": 1, "player": "ann", "wager": "main", "stake": 100, "net": 100,
         "outcome": "higher", "clause": "16.1.3"},
    ]  # fmt: skip


def test_json_has_the_same_shape_for_every_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.round.toml").write_text("record = 1\nx = 1\n", encoding="utf-8")
    assert cli.main(["replay", "--json", str(tmp_path), *map(str, RECORDS[::30])]) == 2
    records = json.loads(capsys.readouterr().out)["records"]
    assert len({tuple(data) for data in records}) == 1
    assert (records[0]["line"], records[0]["rounds"]) == (2, [])
    assert len({tuple(played) for data in records for played in data["rounds"]}) == 1
    assert len({tuple(line) for data in records for played in data["rounds"] for line in played["settlement"]}) == 1
    assert all(line["clause"] for data in records for played in data["rounds"] for line in played["settlement"])


def test_json_keeps_amounts_exact(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(BARE.replace("ann* 100", "ann* 100.10").replace("ann 50", "ann 0.1"), encoding="utf-8")
    assert cli.main(["replay", "--json", str(record)]) == 0
    out = capsys.readouterr().out
    assert '"stake": 100.1,' in out
    assert '"net": -0.1,' in out


def test_explain_tells_the_round_with_clauses(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "--explain", str(record)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [f"{record}:", "Insured — and lost", "Blackjack (star/blackjack), 8 decks of 52 cards"]
    steps = [line for line in lines if line.startswith("  ")]
    assert all(line.endswith("]") for line in steps)
    assert any("ann insures box 1 for 50" in line for line in steps)
    assert "In all: ann +50; the house -50." in lines


def test_write_adds_the_results_and_changes_nothing_else(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "--write", str(record)]) == 0
    added = 'results = ["1 ann main +100", "1 ann insurance -50"]\ndealer  = "Ac 7c"\n'
    head, tail = BARE.split("# and this\n")
    written = record.read_text("utf-8")
    assert written == f"{head}# and this\n{added}{tail}"
    assert cli.main(["replay", "--write", str(record)]) == 0
    assert record.read_text("utf-8") == written
    assert capsys.readouterr().err.count("results written") == 1


def test_write_keeps_line_ends_and_a_missing_last_newline(record: Path) -> None:
    record.write_bytes(BARE.replace("\n# end\n", "").rstrip().replace("\n", "\r\n").encode())
    before = record.read_bytes()
    assert cli.main(["replay", "--write", str(record)]) == 0
    after = record.read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == after.count(b"\r\n") == before.count(b"\n") + 3
    assert cli.main(["replay", str(record)]) == 0


def test_write_leaves_records_with_results_and_wrong_ones_alone(record: Path) -> None:
    record.write_text(BARE.replace("| 7c", "|"), encoding="utf-8")
    before = record.read_text("utf-8")
    assert cli.main(["replay", "--write", str(record)]) == 1
    assert record.read_text("utf-8") == before
    copy = shutil.copy(RECORDS[0], record)
    assert cli.main(["replay", "--write", str(copy)]) == 0
    assert Path(copy).read_bytes() == RECORDS[0].read_bytes()


def test_write_fills_in_single_rounds_of_several(tmp_path: Path) -> None:
    path = tmp_path / "two.round.toml"
    lines = ['bets = ["1 ann* 10"]', 'cards = "Tc 7d 9s | Th"', 'actions = ["1 stand"]']
    first = [*lines, 'results = ["1 ann main +10"]']
    path.write_text("\n".join(["record = 1", 'game = "star/blackjack"', "[[round]]", *first, "[[round]]", *lines, ""]))
    assert cli.main(["replay", "--write", str(path)]) == 0
    expected = ["[[round]]", *first, "[[round]]", *lines, 'results = ["1 ann main +10"]', 'dealer  = "7d Th"']
    assert path.read_text().splitlines()[2:] == expected


def test_write_says_so_where_it_cannot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "inline.round.toml"
    text = 'record = 1\ngame = "star/blackjack"\nround = [{ bets = ["1 ann* 10"], cards = "Ac 7d Ks" }]\n'
    path.write_text(text)
    assert cli.main(["replay", "--write", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"pitboss: {path}:3: expected [[round]] tables")
    assert path.read_text() == text


def test_a_card_that_the_shoe_cannot_hold_is_refused_unless_told_otherwise(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record.write_text(
        BARE.replace("star/blackjack", "melbourne/pontoon").replace("Ac", "Kh").replace('"1 insure ann 50", ', "")
    )
    assert cli.main(["replay", str(record)]) == 2
    line = record.read_text().split("cards")[0].count("\n") + 1
    foreign = "expected cards that the decks in play contain: Ts is not in a deck of 48 cards"
    refused = f"{foreign} (--any-cards accepts them anyway)"
    assert capsys.readouterr().err == f"pitboss: {record}:{line}: {refused}\n"
    assert cli.main(["replay", "--any-cards", str(record)]) == 0
    assert capsys.readouterr().err.startswith(f"{record}: note: Ts is not in a deck of 48 cards\n")


def test_a_void_round_without_results_is_written_as_void(record: Path) -> None:
    text = BARE.replace('"1 insure ann 50", "1 stand"', '"!casino-supervisor void @17.8"').replace(" | 7c", "")
    record.write_text(text, encoding="utf-8")
    assert cli.main(["replay", "--write", str(record)]) == 0
    assert 'results = ["1 ann main 0"]\ndealer  = "Ac"\nvoid    = true\n' in record.read_text("utf-8")
    assert cli.main(["replay", str(record)]) == 0


def test_a_game_of_a_book_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "vegas.round.toml"
    book = ROOT / "examples" / "las-vegas.toml"
    game = next(
        line.split("namespace")[1].split('"')[1] for line in book.read_text().splitlines() if "namespace" in line
    )
    name = next(line[7:-1] for line in book.read_text().splitlines() if line.startswith("[games."))
    path.write_text(
        f'record = 1\ngame = "{game}/{name}"\nbets = ["1 ann* 10"]\ncards = "Tc 7d 9s Th"\nactions = ["1 stand"]\n'
    )
    assert cli.main(["replay", str(path)]) == 2
    assert f"pitboss: {path}:2: expected a known game" in capsys.readouterr().err
    assert cli.main(["replay", "--book", str(book), str(path)]) == 0
    assert "+10" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "pitboss replay needs FILE"),
        (["."], "there is no *.round.toml or *.floor.toml file"),
        (["--book", "none.toml", "x"], "none.toml: cannot be read"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["replay", *arguments]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


def test_what_a_terminal_cannot_show_is_shown_escaped(record: Path) -> None:
    source = "import sys; from pitboss.cli import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", source, "replay", "--explain", str(record)],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"1 record: all as recorded\n")
    assert b"Insured \\u2014 and lost" in done.stdout
