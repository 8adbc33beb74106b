"""What the author of a rulebook is told: the line at fault, the bounds of numbers, all parameters, the schema."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from sample_book import BOOK

from pitboss import cli
from pitboss.report.games.parameter_answer import silent_in_words, values_in_words
from pitboss.rulebooks import BOOKS, games, rules_for
from pitboss.rulebooks.model.parameters import FIELDS, TYPES
from pitboss.rulebooks.model.ranges import RANGES
from pitboss.rulebooks.schema import rulebook_schema

ROOT = Path(__file__).resolve().parents[2]
Capture = pytest.CaptureFixture[str]


# ---------------------------------------------------------------------- pitboss rules --check


def check(text: str, folder: Path, capsys: Capture) -> tuple[int, str]:
    """The exit code and the line of a check, the file called FILE."""
    file = folder / "book.toml"
    file.write_text(text, encoding="utf-8")
    code = cli.main(["rules", "--check", str(file)])
    out, err = capsys.readouterr()
    assert (out + err).count("\n") == 1
    return code, (out + err).removeprefix("pitboss: ").rstrip("\n").replace(str(file), "FILE")


def test_a_good_book_is_told_with_its_games(tmp_path: Path, capsys: Capture) -> None:
    code, line = check(BOOK, tmp_path, capsys)
    assert (code, line) == (0, "FILE: no mistake found; it has sample/blackjack, sample/pontoon, sample/twin")


@pytest.mark.parametrize(
    ("good", "bad", "at", "problem"),
    [
        (
            "sharers_max = { value = 3",
            "sharers_max = { value = true",
            "sharers_max",
            "must be a whole number, not true",
        ),
        ("sharers_max = { value = 3", "sharers_mux = { value = 3", "sharers_mux", "unknown parameter"),
        ('games = ["pontoon"]', 'games = ["ponton"]', 'games = ["ponton"]', "is not a game of the book"),
        ("[book]", "[book", "[book", "not valid TOML"),
    ],
)
def test_a_mistake_is_told_with_its_line(
    good: str, bad: str, at: str, problem: str, tmp_path: Path, capsys: Capture
) -> None:
    text = BOOK.replace(good, bad, 1)
    expected = text[: text.index(at)].count("\n") + 1
    code, line = check(text, tmp_path, capsys)
    assert code == 1
    assert line.startswith(f"FILE:{expected}: ")
    assert problem in line


# ---------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        (
            "sharers_max = { value = 3",
            "sharers_max = { value = 400000",
            "sharers_max: must be from 1 to 99, not 400000",
        ),
        ("values = [6, 8]", "values = [6, 1000000]", "must be numbers of decks, 1 to 100, not [6, 1000000]"),
    ],
)
def test_a_number_beyond_all_bounds_is_refused(
    good: str, bad: str, problem: str, tmp_path: Path, capsys: Capture
) -> None:
    code, line = check(BOOK.replace(good, bad, 1), tmp_path, capsys)
    assert code == 1
    assert line.endswith(problem)


def test_no_price_is_worked_out_for_hundreds_of_thousands_of_split_hands(capsys: Capture) -> None:
    assert cli.main(["compare", "rws/blackjack", "--what-if", "split_max_hands=400000"]) == 2
    assert capsys.readouterr().err == "pitboss: split_max_hands must be from 1 to 16, not 400000\n"


def test_every_number_has_its_range_and_every_game_is_within() -> None:
    numbers = {name for name, kind in TYPES.items() if kind is int or str(kind) == "int | None"}
    assert set(RANGES) == numbers
    for game in games():
        rules = rules_for(game)
        for name, (least, most) in RANGES.items():
            value = getattr(rules, name)
            assert value is None or least <= value <= most


# ---------------------------------------------------------------------- pitboss rules --explain


def test_a_parameter_is_explained_with_its_value_in_every_game(capsys: Capture) -> None:
    assert cli.main(["rules", "--explain", "dealer_hits_soft_17"]) == 0
    text = capsys.readouterr().out
    assert "the dealer draws on soft 17" in text
    assert "true, false" in text
    for game in games():
        assert any(line.split()[:1] == [game] for line in text.splitlines())
    assert cli.main(["rules", "star/switch", "--explain", "dealer_hits_soft_17", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["games"]) == ["star/switch"]
    assert cli.main(["rules", "--explain", "soft_17"]) == 2
    assert "did you mean 'dealer_hits_soft_17'?" in capsys.readouterr().err


def test_every_parameter_says_what_it_may_be_and_what_holds_without_it() -> None:
    assert all(values_in_words(name) and silent_in_words(name) for name in FIELDS)


# ---------------------------------------------------------------------- pitboss rules --schema


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema.Draft202012Validator.check_schema(rulebook_schema())
    return jsonschema.Draft202012Validator(rulebook_schema())


def test_the_schema_on_file_is_fresh(capsys: Capture) -> None:
    assert cli.main(["rules", "--schema"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "rulebook.schema.json").read_text("utf-8"), "make reference"


@pytest.mark.parametrize("book", [*BOOKS, "las-vegas", "sample"])
def test_every_good_book_fits_the_schema(book: str, validator: Any) -> None:
    own = {"las-vegas": (ROOT / "examples" / "las-vegas.toml"), "sample": None}
    file = own.get(book, ROOT / "src" / "pitboss" / "rulebooks" / "books" / f"{book}.toml")
    text = BOOK if file is None else file.read_text("utf-8")
    assert [error.message for error in validator.iter_errors(tomllib.loads(text))] == []


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("sharers_max = { value = 3", "sharers_mux = { value = 3"),
        ("sharers_max = { value = 3", "sharers_max = { value = 400000"),
        ("sharers_max = { value = 3", "sharers_max = { vale = 3"),
        ('kind = "amount"', 'kind = "sum"'),
        ('name = "Sample Rules"', "nam = 3"),
    ],
)
def test_a_bad_book_does_not_fit_the_schema(good: str, bad: str, validator: Any) -> None:
    assert good in BOOK
    assert not validator.is_valid(tomllib.loads(BOOK.replace(good, bad, 1)))
