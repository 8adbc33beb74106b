"""`pitboss promotion` without a server: terms are checked in one line, and a promotion runs to its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss import cli

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "autumn.promotion.toml"


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.main(["promotion", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_terms_that_state_everything_are_told_in_short(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer(capsys, "check", EXAMPLE)
    assert code == 0
    assert out.startswith("Autumn draw: the terms state everything that the book star asks for\n")
    assert "prize  2 Car, 32000\n" in out
    code, out, _ = answer(capsys, "check", EXAMPLE, "--json")
    assert code == 0
    assert {"21.7.1", "21.7.11.2(iv)", "21.6"} <= set(json.loads(out)["meets"])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('manner = "', 'manners = "', "'manners' is not a term of a promotion; did you mean 'manner'?"),
        ("Winners are drawn from all entries by", "", ""),
        ('model = "Tourer 2"', "", "prize 'Car': the terms do not state 'model'"),
        ('kind = "goods"', 'kind = "tobacco"', "tobacco may not be a prize or part of one (clause 21.5.1, 21.5)"),
        ('scrutineer = "sue"', "", "needs a scrutineer: the terms name none (clause 21.2)"),
        ("closes = 2026-03-12T18:00:00", "", "the terms do not state 'closing'"),
        ("promotion = 1", "promotion = 2", "expected promotion = 1, the version of the format"),
        ('book = "star"', 'book = "perth"', "the book perth has no promotion"),
        ("opens = 2026-03-05T10:00:00", 'opens = "soon"', "opens is a day and time such as 2026-03-05T10:00:00"),
        ("opens = 2026-03-05T10:00:00", "opens = 9999-12-31T00:00:00", "before the year 2100"),
        ("value = 20000", "value = nan", "prizes[0].value is not an amount but NaN"),
        ("cash_alternative = 30000", "cash_alternative = inf", "prizes[1].cash_alternative is not an amount"),
        ("value = 90", "value = -90", "prize 'Dinner for two': its value is above zero"),
        ('kind = "goods"', 'kind = "goods"\nlitres = 20.5', "liquor above 20 litres may not be a prize"),
        ('kind = "goods"', 'kind = "goods"\nincludes = ["ammunition"]', "ammunition may not be a prize"),
        ("number = 2", 'number = "two"', "Expected `int`, got `str`"),
        ("[terms]", "[terms", "expected TOML"),
    ],
)
def test_terms_with_a_mistake_get_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, words: str
) -> None:
    text = EXAMPLE.read_text("utf-8")
    assert old in text
    (tmp_path / "wrong.toml").write_text(text.replace(old, new, 1))
    code, out, err = answer(capsys, "check", tmp_path / "wrong.toml")
    if not words:
        assert code == 0
        return
    assert (code, out) == (2, "")
    assert err.startswith("pitboss: ")
    assert words in err
    assert err.count("\n") == 1


def test_a_run_gives_every_prize_and_the_same_seed_the_same_winners(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [
        json.loads(answer(capsys, "run", EXAMPLE, "--entrants", 30, "--seed", seed, "--json")[1]) for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]
    for ran in runs:
        assert [won["status"] for won in ran["winners"]] == ["awarded"] * 4
        assert len({won["player"] for won in ran["winners"]}) == 4
        assert ran["balances"]["cage:"] == -20000
        assert not any(account.startswith("promotion:") for account in ran["balances"])
        assert sum(step["said"].count("enters: entry") for step in ran["steps"]) == 30
    code, out, _ = answer(capsys, "run", EXAMPLE, "--entrants", 3)
    assert code == 0
    assert "prize  4 Dinner for two, 90: not won" in out


def test_entrants_come_from_a_file_as_often_as_they_stand_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("ann\nbob\n\nann\n")
    ran = json.loads(answer(capsys, "run", EXAMPLE, "--entries", names, "--json")[1])
    assert sorted(won["player"] for won in ran["winners"]) == ["", "", "ann", "bob"]
    names.write_text("ann\nsue\n")
    code, _, err = answer(capsys, "run", EXAMPLE, "--entries", names)
    assert (code, err) == (2, "pitboss: an entrant is called sue, as somebody is who runs the promotion\n")
    names.write_text("\n")
    assert answer(capsys, "run", EXAMPLE, "--entries", names)[0] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("dance", EXAMPLE), "'dance' is nothing that can be done with a promotion; what can: check, run, open"),
        (("check",), "name the file with the terms of the promotion"),
        (("check", "nowhere.toml"), "nowhere.toml"),
        (("run", EXAMPLE, "--entrants", "0"), "1 to 100000 people enter"),
        (("run", EXAMPLE, "--seed", "x"), "--seed"),
        (("open", EXAMPLE), "say which floor: --floor URL"),
        (("open", EXAMPLE, "--floor", "http://127.0.0.1:1"), "say who you are: --name NAME, of the casino operator"),
        (("show", "autumn"), "say which floor: --floor URL"),
        (("export", "autumn", "--floor", "http://127.0.0.1:1"), "say where to write: --to FILE.csv"),
    ],
)
def test_what_cannot_be_done_gets_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[object, ...], words: str
) -> None:
    code, out, err = answer(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_run_with_wagers_and_presence_goes_to_its_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8").replace("minimum-wager = false", 'minimum-wager = "A wager of 25."')
    text = text.replace('place = "', 'must_be_present = true\nminimum_wager = 25\nplace = "', 1)
    (tmp_path / "wagers.toml").write_text(text)
    code, out, err = answer(capsys, "run", tmp_path / "wagers.toml", "--entrants", 6)
    assert (code, err) == (0, "")
    assert "player-6 is at the draw" in out
    assert "is notified" not in out
