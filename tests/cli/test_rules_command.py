"""`pitboss games` and `pitboss rules`: what they print, in a pipe and on terminals of two widths, and as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sample_book import BOOK
from terminals import on_a_terminal

from pitboss import cli
from pitboss.odds.known_tables import find_known
from pitboss.rulebooks import difference, games, rules_for
from pitboss.rulebooks.model.parameters import FIELDS

Captured = pytest.CaptureFixture[str]


def printed(capsys: Captured, *arguments: str) -> str:
    assert cli.main(list(arguments)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def data(capsys: Captured, *arguments: str) -> Any:
    return json.loads(printed(capsys, *arguments, "--json"))


@pytest.fixture
def sample(tmp_path: Path) -> str:
    file = tmp_path / "book.toml"
    file.write_text(BOOK, encoding="utf-8")
    return str(file)


# pitboss games ----------------------------------------------------------------------------------------------


def test_every_game_is_listed_with_its_cost_its_book_and_main_rules(capsys: Captured) -> None:
    text = printed(capsys, "games")
    for game in games():
        (row,) = cells(text, game)
        worth = find_known(rules_for(game))
        if worth is not None:
            edge = worth.edges["main"]
            assert row[1:3] == [f"{100 * edge:.3f} %", f"{edge * 25 * 60:.2f}"]
        assert rules_for(game).name in row
    assert "25 a round and 60 rounds an hour" in text
    (row,) = cells(text, "melbourne/pontoon")
    expected = ("3:2", "8 (4-8) x 48", "hit", "Crown Pontoon", "J-A, late", "3 hands")
    assert row[3:9] == list(expected)
    assert row[10] == "any below 21, 2 or more cards, up to the stake"
    assert cells(text, "perth/blackjack")[0][5] == "stand (by layout)"


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 100, 160])
def test_games_are_one_line_each_on_any_terminal(columns: int) -> None:
    lines = on_a_terminal(columns, "games")
    assert max(map(len, lines)) <= columns
    rows = [line for line in lines if re.match(r"  [a-z-]+/", line)]
    assert [row.split()[0] for row in rows] == list(games())
    assert len({row.index(" %") for row in rows if " %" in row}) == 1, "the edges do not line up"
    assert len(lines) <= 23


def test_games_as_json_have_one_shape(capsys: Captured) -> None:
    found = data(capsys, "games")
    assert [item["game"] for item in found] == list(games())
    assert {tuple(item) for item in found} == {
        (
            "game",
            "name",
            "book",
            "extends",
            "clauses",
            "summary",
            "house_edge",
            "per_hour",
            "decks",
            "at_a_glance",
            "side_wagers",
            "options",
            "digest",
        )
    }
    switch = next(item for item in found if item["game"] == "star/switch")
    assert switch["decks"] == {"default": 6, "allowed": [6], "cards": 52}
    assert switch["per_hour"] == {"cost": switch["house_edge"] * 1500, "stake": 25.0, "rounds": 60}
    assert switch["digest"] == rules_for("star/switch").digest


def test_games_of_ones_own_book(capsys: Captured, sample: str) -> None:
    text = printed(capsys, "games", "--book", sample)
    assert "Pontoon" in cells(text, "sample/pontoon")[0]
    assert "star/" not in text


# pitboss rules ----------------------------------------------------------------------------------------------


def cells(text: str, first: str) -> list[list[str]]:
    """The rows of a piped table whose first cell is `first`."""
    return [re.split(r" {2,}", line.strip()) for line in text.splitlines() if line.split()[:1] == [first]]


@pytest.mark.slow
@pytest.mark.parametrize("game", list(games()))
def test_every_parameter_is_printed_with_its_value_clause_and_layer(capsys: Captured, game: str) -> None:
    text = printed(capsys, "rules", game)
    assert [name for name in FIELDS if not re.search(rf"^  {name} ", text, re.MULTILINE)] == []
    rules = rules_for(game)
    assert ["natural_odds", str(rules.natural_odds), ", ".join(rules.cite("natural_odds").clauses)] in [
        row[:3] for row in cells(text, "natural_odds")
    ]
    assert rules.digest in text


def test_rules_show_the_layer_and_what_a_value_turns_on(capsys: Captured) -> None:
    text = printed(capsys, "rules", "perth/vegas", "--option", "layout=7")
    assert ["dealer_hits_soft_17", "yes", "4.23(a)", "base", "layout"] in cells(text, "dealer_hits_soft_17")
    assert ["double_totals", "any-below-21", "5.1(a), 5.1(b), 5.1", "vegas"] in cells(text, "double_totals")
    assert ["layout", "7", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"] in [row[:3] for row in cells(text, "layout")]
    assert cells(text, "layout")[0][4] == "2.1, 2.1:Layouts 1-10"


@pytest.mark.slow
@pytest.mark.parametrize("game", list(games()))
def test_no_option_value_or_side_wager_is_listed_and_then_refused(capsys: Captured, game: str) -> None:
    text = printed(capsys, "rules", game)
    for name in rules_for(game).options:
        allowed = next(row[2] for row in cells(text, name) if len(row) > 3)
        values = allowed.split("; ")[0].split(", ") if " with " not in allowed.split("; ")[0] else []
        for value in values if "amount" not in allowed else ["100", "none"]:
            printed(capsys, "rules", game, "--option", f"{name}={value}")
    offered = text.split("side wagers that can be offered with --side\n")[-1].split("\n\n")[0]
    for line in offered.splitlines()[1:] if "can be offered" in text else []:
        printed(capsys, "rules", game, "--side", line.split()[0])


def test_a_value_that_needs_another_choice_says_which(capsys: Captured) -> None:
    (row,) = [row for row in cells(printed(capsys, "rules", "perth/blackjack"), "decks") if len(row) > 4]
    assert row[2] == "8; 1, 2, 3, 4, 5, 6, 7 with card_source device; 4, 6 with side_wagers perfect-pairs"


def test_rules_show_side_wagers_on_offer_with_their_pay_tables(capsys: Captured) -> None:
    text = printed(capsys, "rules", "perth/blackjack", "--side", "perfect-pairs", "--decks", "6")
    assert "side wager perfect-pairs: Perfect Pairs (1.1:Perfect Pairs Wager, 3.15)" in text
    assert [row[:2] for row in cells(text, "coloured")] == [["coloured", "12:1"]]
    without = printed(capsys, "rules", "melbourne/pontoon")
    assert ["pontoon-pandemonium", "Pontoon Pandemonium", "11.1"] in cells(without, "pontoon-pandemonium")
    assert cells(without, "supernova")[0][-1] == (
        "Supernova cannot be offered with deck_cards 48 (clause 24.4.1): it needs 52"
    )


def test_what_only_describes_is_shown_apart(capsys: Captured) -> None:
    asked = ("rules", "melbourne/blackjack", "--side", "blackpot")
    text, found = printed(capsys, *asked), data(capsys, *asked)
    heading = "what the book says, for information only"
    tables = dict(table.split("\n", 1) for table in text.strip().split("\n\n") if "\n" in table)
    shown = [
        [line.split()[0] for line in tables[title].splitlines()[1:]] for title in (heading, f"blackpot: {heading}")
    ]
    assert shown[0] == [item["name"] for item in found["parameters"] if item["describes"]]
    assert shown[1] == found["side_wagers"][0]["describes"]
    assert "natural_excludes" in shown[0]
    assert "window" in shown[1]


def test_readings_are_listed_with_text_value_alternatives_and_clauses(capsys: Captured) -> None:
    text = printed(capsys, "rules", "star/blackjack", "--readings", "--reading", "ace_in_double=eligibility-only")
    row = cells(text, "ace_in_double")[0]
    assert row[:3] == ["ace_in_double", "eligibility-only", "stays-one"]
    assert "doubled A-8" in row[3]
    assert row[4] == "11.1.2, 3.2.1"
    assert "natural_odds" not in text


def test_powers_are_listed_with_role_clause_and_who_is_told(capsys: Captured) -> None:
    text = printed(capsys, "rules", "perth/blackjack", "--authority")
    row = cells(text, "grant-special-limit")[0]
    assert row[:2] == ["grant-special-limit", "table-games-manager (our reading)"]
    assert row[3] == "surveillance before"
    assert row[-2:] == ["floor", "3.10"]
    assert cells(text, "casino-operator")[0] == ["casino-operator", "Casino Operator", "1.1:Casino Operator"]
    assert ["close-table", "10 minutes", "8.6(b)"] in [[*row[:2], row[-1]] for row in cells(text, "close-table")]
    assert ["1", "Table Games Manager", "final decision, for the Casino Operator", "8.9"] in cells(text, "1")


def test_a_difference_shows_both_sides_and_the_clause(capsys: Captured) -> None:
    text = printed(capsys, "rules", "melbourne/pontoon", "--diff", "melbourne/blackjack")
    changes = text.split("\n\n")[0].splitlines()
    pontoon, blackjack = rules_for("melbourne/pontoon"), rules_for("melbourne/blackjack")
    assert [line.split()[0] for line in changes[3:]] == list(difference(pontoon, blackjack))
    assert ["dealer_hits_soft_17", "no", "yes", "10.5.6(a)", "7.5.7(a), 3.2.1(b)"] in cells(text, "dealer_hits_soft_17")
    assert ["777-spades", "none", "3:1"] in cells(text, "777-spades")
    assert ["auto_draw", "false", "(no such option)"] in cells(text, "auto_draw")


def test_choices_go_to_the_other_game_where_it_has_them(capsys: Captured) -> None:
    choices = ("--decks", "6", "--option", "auto_draw=true", "--side", "buster")
    found = data(capsys, "rules", "melbourne/blackjack", *choices, "--diff", "melbourne/pontoon")
    changed = {item["name"] for item in found["parameters"]}
    assert "decks" not in changed
    assert "dealer_completes_for_side_wagers" not in changed
    assert "auto_draw" in changed


@pytest.mark.slow
def test_rules_as_json_have_one_shape(capsys: Captured) -> None:
    shapes = set()
    for game in games():
        found = data(capsys, "rules", game)
        shapes.add(
            (tuple(found), tuple(found["parameters"][0]), tuple(found["options"][0]), tuple(found["readings"][0]))
        )
        assert [item["name"] for item in found["parameters"]] == list(FIELDS)
        assert found["digest"] == rules_for(game).digest
    assert len(shapes) == 1
    assert shapes == {
        (
            ("game", "name", "book", "extends", "alias", "clauses", "summary", "digest", "at_a_glance", "options",
             "parameters", "bonuses", "super_bonus", "side_wagers", "side_wagers_available", "readings", "matters",
             "roles", "bodies", "authority", "notices", "disputes"),
            ("name", "number", "group", "text", "describes", "value", "clauses", "layer", "turns_on"),
            ("name", "value", "allowed", "text", "clauses"),
            ("name", "value", "default", "alternatives", "text", "clauses"),
        )
    }  # fmt: skip


def test_rules_as_json_are_the_same_whatever_else_is_asked(capsys: Captured) -> None:
    plain = data(capsys, "rules", "rws/blackjack")
    assert (
        plain
        == data(capsys, "rules", "rws/blackjack", "--readings")
        == data(capsys, "rules", "rws/blackjack", "--authority")
    )


def test_a_difference_as_json(capsys: Captured) -> None:
    found = data(capsys, "rules", "melbourne/crown", "--diff", "melbourne/blackjack")
    assert list(found) == [
        "game", "other", "digests", "parameters", "restated", "options", "bonuses", "super_bonus", "side_wagers",
    ]  # fmt: skip
    soft_17 = next(item for item in found["parameters"] if item["name"] == "dealer_hits_soft_17")
    assert soft_17["game"] == {"value": True, "clauses": ["14.2.2(a)"], "layer": "crown"}
    assert soft_17["other"]["value"] is False
    assert found["bonuses"] == []
    assert found["super_bonus"] is None


def test_side_wagers_as_json(capsys: Captured) -> None:
    found = data(capsys, "rules", "melbourne/blackjack", "--side", "supernova", "--decks", "6")
    side = found["side_wagers"][0]
    assert side["odds"]["major"].endswith("of the supernova-major meter")
    assert side["clauses"]["introduced"] == ["24.1"]
    assert "supernova" not in [item["id"] for item in found["side_wagers_available"]]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 140])
@pytest.mark.parametrize("more", [[], ["--readings"], ["--authority"], ["--diff", "melbourne/blackjack"]])
def test_rules_fit_the_terminal(columns: int, more: list[str]) -> None:
    lines = on_a_terminal(columns, "rules", "melbourne/pontoon", *more)
    assert len(lines) > 20
    assert max(map(len, lines)) <= columns


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--option", "decks"], "--option decks: write --option NAME=VALUE"),
        (["--option", "=6"], "--option =6: write --option NAME=VALUE"),
        (["--reading", "ace_in_double"], "--reading ace_in_double: write --reading NAME=VALUE"),
        (["--option", "decks=6", "--decks", "8"], "decks are given twice: --decks N is short for --option decks=N"),
        (["--option", "resplit=true", "--option", "resplit=false"], "--option resplit is given twice: true and false"),
        (["--option", "side_wagers=any-pairs"], "--option side_wagers: write --side WAGER"),
        (["--option", "readings=x"], "--option readings: write --reading NAME=VALUE"),
        (
            ["--readings", "--authority"],
            "--readings, --authority, --diff, --explain, --check and --schema are six questions: ask one at a time",
        ),
        (["--diff", "star/swich"], "there is no game 'star/swich'; did you mean 'star/switch'?"),
        (["--book", "missing.toml"], "missing.toml: cannot be read: No such file or directory"),
        (
            ["--reading", "colour=red"],
            "star/blackjack has no reading 'colour'; `pitboss rules star/blackjack --readings` lists them",
        ),
    ],
)
def test_what_is_asked_wrongly_gets_one_line(capsys: Captured, arguments: list[str], line: str) -> None:
    assert cli.main(["rules", "star/blackjack", *arguments]) == 2
    assert capsys.readouterr() == ("", f"pitboss: {line}\n")
