"""One more game than the books have, written as a TOML file: it is listed, dealt, priced, simulated and replayed like
every other, from Python and from the command line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss
from pitboss import cli
from pitboss.play.packed import pack
from pitboss.rulebooks import games, rules_for

GAME = "riverboat/doublejack"
BOOK = """\
[book]
id = "riverboat"
namespace = "riverboat"
name = "Rules of the Riverboat"
register = false

[roles]
ladder = [ { id = "dealer", name = "Dealer", clause = "1" } ]

[options.decks]
text = "Decks in the shoe."
default = 4
allowed = [2, 4]
clause = "2"

[options.generous]
text = "Equal totals stand off instead of losing."
default = false
allowed = [false, true]
clause = "9"

[rules]
deck_cards = { value = 52, clause = "2" }
actions = { value = ["hit", "stand", "double", "split"], clause = "4" }
natural_odds = { value = "2:1", clause = "3" }
natural_paid = { value = "final", clause = "3" }
double_totals = { value = "any-below-21", clause = "5" }
double_cards = { value = "two", clause = "5" }
double_stake = { value = "up-to-original", clause = "5" }
double_after_split = { value = false, clause = "5" }
split_match = { value = "rank", clause = "6" }
split_max_hands = { value = 3, clause = "6" }
split_aces_max_hands = { value = 2, clause = "6" }
split_aces_one_card = { value = true, clause = "6" }
split_stake = { value = "equal", clause = "6" }
dealer_stands_hard = { value = 17, clause = "7" }
dealer_hits_soft_17 = { value = false, clause = "7" }
dealer_natural_takes = { value = "all", clause = "8" }
tie = [
  { value = "lose", clause = "9", when = { generous = false } },
  { value = "stand-off", clause = "9", when = { generous = true } },
]
win_odds = { value = "1:1", clause = "9" }

[clauses]
win_higher = "9"
lose_lower = "9"
stand_off = "9"

[games.doublejack]
name = "Doublejack"
clause = "1"
summary = "A natural pays two to one, and equal totals lose."

[side_wagers.any-pair]
name = "Any Pair"
clause = "10"
judge = "pair"
hosts = { value = ["*"], clause = "10" }
placed_by = { value = "own-main-wager", clause = "10" }
[[side_wagers.any-pair.pays]]
clause = "10"
odds = { pair = "11:1" }
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "riverboat.toml"
    file.write_text(BOOK, "utf-8")
    return file


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main([*arguments]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(run(capsys, *arguments, "--json"))


def test_it_is_a_game_that_no_book_has(book: Path) -> None:
    rules = pitboss.rules(GAME, own_books=book)
    assert GAME not in games()
    assert pack(rules) not in {pack(rules_for(game)) for game in games()}
    with pytest.raises(pitboss.PitbossError, match=f"there is no game '{GAME}'"):
        pitboss.rules(GAME)


def test_its_rules_are_listed_with_their_clauses(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (listed,) = answer(capsys, "games", "--book", str(book))
    assert (listed["game"], listed["decks"]["allowed"]) == (GAME, [2, 4])
    printed = answer(capsys, "rules", GAME, "--book", str(book), "--option", "generous=true")
    rules = pitboss.rules(GAME, own_books=BOOK, generous=True)
    assert printed["digest"] == rules.digest
    assert (rules.tie, rules.cite("tie").clauses) == ("stand-off", ("9",))


def test_it_is_dealt_and_its_record_is_replayed(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = pitboss.rulebook(book)
    table = pitboss.Table(GAME, own_books=[own], side_wagers=["any-pair"], cards="Ah 8s 9h Ks 8d | 2c 7d | 8c")
    for bet in ("1 ann* 10", "2 bob* 20", "2 bob 5 any-pair"):
        table.bet(bet)
    table.deal()
    assert "there is no surrender in this game" in str(table.why_not("2 surrender"))
    for action in ("2 split", "2 stand", "2 stand"):
        table.do(action)
    paid = {("1", "ann", "main"): 20, ("2", "bob", "main"): -40, ("2", "bob", "any-pair"): 55}
    assert table.results() == paid

    file = tmp_path / "one.round.toml"
    file.write_text(table.record("Eights split"), "utf-8")
    replayed = pitboss.replay(pitboss.read(file, own_books=book), own_books=own)
    assert replayed.differences == ()
    assert replayed.rounds[0].results == paid
    assert "Blackjack is paid 2:1; ann wins 20 on 10. [3]" in replayed.explain()
    assert "all as recorded" in _err(capsys, "replay", str(file), "--book", str(book))


def _err(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main([*arguments]) == 0
    return capsys.readouterr().err


@pytest.mark.slow
def test_it_is_priced(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edge = pitboss.odds(pitboss.rules(GAME, own_books=book))
    printed = answer(capsys, "odds", GAME, "--book", str(book))
    assert printed["house_edge"] == edge.house_edge
    generous = pitboss.odds(pitboss.rules(GAME, own_books=book, generous=True))
    assert edge.house_edge > 0.05 > 0 > generous.house_edge, "what ties cost is more than naturals at 2 to 1 bring"

    pairs = pitboss.side_odds(pitboss.rules(GAME, own_books=book, side_wagers="any-pair"), "any-pair")
    assert pairs.house_edge == 1 - 12 * Fraction(15, 207)
    (side,) = answer(capsys, "odds", GAME, "--book", str(book), "--side", "all")["side_wagers"]
    assert side["house_edge_exact"] == str(pairs.house_edge)


@pytest.mark.slow
def test_it_is_simulated_as_it_is_priced(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = pitboss.rules(GAME, own_books=book, side_wagers="any-pair")
    found = pitboss.simulate(rules, rounds=400_000, seed=5, fresh_shoe=True)
    exact = -pitboss.odds(rules).chart_expectation
    assert abs(found.house_edge - exact) < 4 * found.standard_error
    edge, error = found.side_edge("any-pair")
    assert abs(edge - 3 / 23) < 4 * error

    run = ("simulate", GAME, "--book", str(book), "--rounds", "4e5", "--seed", "5", "--fresh", "--side", "any-pair")
    assert answer(capsys, *run)["sums"] == found.sums.totals


@pytest.mark.slow
def test_a_simulated_round_of_it_is_a_record_that_replays(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--book", str(book), "--rounds", "1000", "--strategy", "yardstick", "--record", "0:17")
    file = tmp_path / "simulated.round.toml"
    file.write_text(run(capsys, "simulate", GAME, *arguments), "utf-8")
    assert pitboss.replay(file, own_books=book).differences == ()
