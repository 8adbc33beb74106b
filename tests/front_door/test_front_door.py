"""The front door: what `import pitboss` offers, how little it loads, and what it says to a mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss
import pitboss.odds as room
from pitboss import cli
from pitboss.odds import analyse, parse_chart
from pitboss.odds.edge import Edge
from pitboss.rulebooks import games, rules_for

ROOT = Path(__file__).resolve().parents[2]
QUICK = "melbourne/select"
"""A game that is worked out in no time: no double, no split."""
RECORD = ROOT / "tests" / "records" / "star" / "031-void-keeps-paid-blackjack.round.toml"
VEGAS = ROOT / "examples" / "las-vegas.toml"


def in_a_new_process(source: str) -> str:
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_the_package_loads_one_file() -> None:
    source = "import sys; before = set(sys.modules); import pitboss; print(*sorted(set(sys.modules) - before))"
    loaded = in_a_new_process(source).split()
    assert set(loaded) <= {"pitboss", "__future__"}


@pytest.mark.parametrize(
    ("asked", "unused"),
    [
        ("pitboss.rules('star/blackjack')", {"numba", "numpy", "rich", "typer"}),
        ("pitboss.Table('star/blackjack', seed=1)", {"numba", "numpy", "rich", "typer"}),
        ("pitboss.odds", {"msgspec", "numba", "numpy", "rich"}),
        ("pitboss.odds.parse_chart", {"rich", "typer"}),
    ],
)
def test_what_is_asked_for_loads_no_more_than_it_needs(asked: str, unused: set[str]) -> None:
    source = f"import sys, pitboss; {asked}; print(*sorted({unused} & set(sys.modules)))"
    assert in_a_new_process(source) == ""


def test_what_is_offered_is_shown_and_is_there() -> None:
    offered = set(pitboss.__all__)
    assert offered >= {"Refusal", "Table", "odds", "read", "replay", "rules", "side_odds", "simulate"}
    assert offered == {name for name in dir(pitboss) if not name.startswith("__")} | {"__version__"}
    for name in offered:
        assert getattr(pitboss, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        pitboss.simulat  # noqa: B018


def test_the_room_of_odds_is_a_room_and_a_question() -> None:
    assert pitboss.odds is room is sys.modules["pitboss.odds"]
    assert room.analyse is analyse
    assert {*room.__all__, "sides"} <= set(dir(room))
    for name in room.__all__:
        assert getattr(room, name).__module__.startswith("pitboss.odds.")
    with pytest.raises(AttributeError, match="no attribute 'analise'"):
        room.analise  # noqa: B018
    edge = pitboss.odds(QUICK)
    assert isinstance(edge, Edge)
    assert edge.house_edge == pitboss.odds(pitboss.rules(QUICK)).house_edge == analyse(rules_for(QUICK)).house_edge


@pytest.mark.parametrize("first", ["import pitboss.odds", "from pitboss.odds import analyse", "pass"])
def test_the_question_is_answered_whatever_was_imported_before(first: str) -> None:
    source = f"import pitboss; {first}; print(callable(pitboss.odds), callable(pitboss.odds.analyse))"
    assert in_a_new_process(source) == "True True"


# ---------------------------------------------------------------------- rules


@pytest.mark.parametrize("game", games())
def test_rules_are_those_of_the_books(game: str) -> None:
    assert pitboss.rules(game).digest == rules_for(game).digest
    assert game in repr(pitboss.rules(game))
    assert len(repr(pitboss.rules(game))) < 120


def test_options_readings_and_side_wagers_are_keywords() -> None:
    rules = pitboss.rules("star/blackjack", decks=6, insurance_on_ten=True, side_wagers=["any-pairs"])
    assert (rules.decks, rules.insurance_on_ten, rules.side_wagers[0].id) == (6, True, "any-pairs")
    name, value = next(iter(rules.readings.items()))
    assert pitboss.rules("star/blackjack", readings={name: value}).readings[name] == value
    assert pitboss.rules("star/blackjack", side_wagers="any-pairs").side_wagers[0].id == "any-pairs"


@pytest.mark.parametrize("own", [VEGAS, str(VEGAS), VEGAS.read_text("utf-8"), [VEGAS], [pitboss.rulebook(VEGAS)]])
def test_a_rulebook_of_ones_own_is_a_file_its_text_or_the_book(own: Any) -> None:
    assert pitboss.rules("las-vegas/blackjack", own_books=own, soft_17="hit").dealer_hits_soft_17


# ---------------------------------------------------------------------- odds and simulations


def test_a_side_wager_is_priced_by_the_name_of_its_game_or_by_rules() -> None:
    pairs = pitboss.side_odds("star/blackjack", "perfect-pairs")
    assert pairs.house_edge == Fraction(14, 415)
    assert pairs == pitboss.side_odds(pitboss.rules("star/blackjack", side_wagers="perfect-pairs"), "perfect-pairs")
    assert repr(pairs) == "<SideEdge perfect-pairs at star/blackjack: house edge 3.3735 % = 14/415>"


def test_meters_and_picks_are_plain_numbers() -> None:
    poor, rich = (pitboss.side_odds(QUICK, "blackjack-jackpots", stake=5, meter=value) for value in (0, "2.5e5"))
    assert rich.expectation - poor.expectation == rich.meters[0].share * 250_000
    lucky = pitboss.side_odds(QUICK, "blackjack-jackpots", picks={"lucky": "1/50"})
    assert lucky.expectation > pitboss.side_odds(QUICK, "blackjack-jackpots").expectation


@pytest.mark.slow
def test_a_simulation_is_one_line_and_has_the_sums_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    found = pitboss.simulate("rws/blackjack", rounds=5e4, strategy="yardstick", side_wagers="under-13", boxes=2, seed=9)
    line = "simulate rws/blackjack --rounds 5e4 --strategy yardstick --side under-13 --boxes 2 --seed 9 --json"
    assert cli.main(line.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sums"] == found.sums.totals
    assert told["side_wagers"]["under-13"]["sums"] == found.sums.sides["under-13"]
    assert "rws/blackjack: 50,000 rounds by yardstick" in repr(found)
    assert found.rounds_per_second > 0


@pytest.mark.slow
def test_strategies_and_bets_come_as_names_charts_data_and_files(tmp_path: Path) -> None:
    edge = pitboss.odds(QUICK)
    file = tmp_path / "chart.txt"
    file.write_text(str(edge.strategy), "utf-8")
    chart = parse_chart(str(edge.strategy))
    sums = [
        pitboss.simulate(QUICK, rounds=2e4, strategy=strategy).sums for strategy in ("chart", chart, file, str(file))
    ]
    assert all(others == sums[0] for others in sums)

    bets = ROOT / "examples" / "hi-lo.json"
    counted = [
        pitboss.simulate(
            "star/blackjack", rounds=2e4, strategy="yardstick", bets=given, penetration=0.8, threads=2
        ).sums
        for given in (bets, str(bets), bets.read_text("utf-8"), json.loads(bets.read_text("utf-8")))
    ]
    assert all(others == counted[0] for others in counted)
    assert counted[0].totals["bets"] > counted[0].totals["rounds"]


@pytest.mark.slow
def test_a_simulation_shows_in_notebooks_and_turns_into_frames() -> None:
    found = pitboss.simulate("rws/blackjack", rounds=5e4, strategy="yardstick", side_wagers="under-13")
    page = found._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 2
    assert "under-13" in page
    frame = found.to_pandas()
    assert frame["rounds"].sum() == 50_000
    assert (frame["net"] * frame["share"]).sum() == pytest.approx(-found.raw.house_edge)


# ---------------------------------------------------------------------- tables and records


def test_a_table_takes_rules_or_the_name_of_a_game() -> None:
    rules = pitboss.rules("star/blackjack", decks=6, side_wagers="any-pairs")
    tables = [pitboss.Table(rules, seed=3), pitboss.Table("star/blackjack", decks=6, side_wagers="any-pairs", seed=3)]
    for table in tables:
        table.bet("1 ann* 10")
        table.bet("1 ann 5 any-pairs")
        table.deal()
        while table.legal() and table.state.phase.value != "settled":
            table.do("1 stand" if "1 stand" in table.legal() else "proceed")
    first, second = (table.record() for table in tables)
    assert first == second
    assert pitboss.replay(first).differences == ()


def test_a_record_is_read_replayed_and_told(tmp_path: Path) -> None:
    record = pitboss.read(RECORD)
    replayed = pitboss.replay(record)
    assert replayed.differences == ()
    assert "as recorded" in repr(replayed)
    assert pitboss.replay(RECORD).explain() == replayed.explain() != ""
    wrong = tmp_path / "wrong.round.toml"
    wrong.write_text(RECORD.read_text("utf-8").replace("main +", "main +1", 1), "utf-8")
    (difference,) = pitboss.replay(wrong).differences
    assert "recorded +1" in difference


# ---------------------------------------------------------------------- mistakes

RULES = pitboss.rules(QUICK)

MISTAKES: list[tuple[str, Any, str]] = [
    ("a game", lambda: pitboss.rules("melbourne/pontoons"), "did you mean 'melbourne/pontoon'"),
    ("no game", lambda: pitboss.rules(7), "7 is not the name of a game"),
    ("an option", lambda: pitboss.rules(QUICK, deck=8), "did you mean 'decks'"),
    ("a value", lambda: pitboss.rules(QUICK, decks=9), "decks cannot be 9"),
    ("a reading", lambda: pitboss.rules(QUICK, readings={"x": "y"}), "no reading 'x'"),
    ("readings", lambda: pitboss.rules(QUICK, readings=["x"]), "readings are names with values"),
    ("a side wager", lambda: pitboss.rules(QUICK, side_wagers=["bustre"]), "did you mean 'buster'"),
    ("a book", lambda: pitboss.rules(QUICK, own_books="nowhere.toml"), "nowhere.toml: cannot be read"),
    ("no book", lambda: pitboss.rules(QUICK, own_books=[7]), "7 is not a rulebook"),
    ("a book's text", lambda: pitboss.rulebook("[book]\nid = 1\n"), "rulebook:1: "),
    ("no rules", lambda: pitboss.odds(7), "7 is neither rules nor the name of a game"),
    ("a method", lambda: pitboss.odds(RULES, method="CDX"), "there is no method 'CDX'"),
    ("a stake", lambda: pitboss.odds(RULES, stake=0), "a stake must be above zero"),
    ("a wager not on offer", lambda: pitboss.side_odds(RULES, "buster"), "buster is not on offer"),
    ("a meter", lambda: pitboss.side_odds(QUICK, "supernova", meter="full"), "meter must be a number"),
    ("a pick", lambda: pitboss.side_odds(QUICK, "supernova", picks={"mystery": "often"}), "is not a chance"),
    ("no rounds", lambda: pitboss.simulate(RULES, rounds=0), "rounds must be a whole number from 1"),
    ("half a round", lambda: pitboss.simulate(RULES, rounds=1.5), "rounds must be a whole number from 1"),
    ("rounds in words", lambda: pitboss.simulate(RULES, rounds="many"), "rounds must be a number"),
    ("half a box", lambda: pitboss.simulate(RULES, boxes=1.5), "boxes must be a whole number"),
    ("boxes", lambda: pitboss.simulate(RULES, boxes=99), "boxes must be from 1 to"),
    ("threads", lambda: pitboss.simulate(RULES, threads=0), "threads must be from 1 to"),
    ("a strategy", lambda: pitboss.simulate(RULES, strategy="clever"), "it is not one of optimum, basic, chart"),
    ("penetration", lambda: pitboss.simulate(RULES, strategy="yardstick", penetration=3), "penetration must be from"),
    ("bets", lambda: pitboss.simulate(RULES, bets={"units": []}), "this is not a bet schedule"),
    (
        "side wagers twice",
        lambda: pitboss.simulate(RULES, side_wagers="buster"),
        "these rules already have side wagers",
    ),
    ("a table", lambda: pitboss.Table(7), "7 is neither rules nor the name of a game"),
    ("rules with options", lambda: pitboss.Table(RULES, decks=6), "these rules are already resolved"),
    ("no side wagers", lambda: pitboss.rules(QUICK, side_wagers=5), "side_wagers are names"),
    ("no strategy", lambda: pitboss.simulate(RULES, strategy=5), "5 is not a strategy"),
    ("a list of cards", lambda: pitboss.Table(QUICK, cards=["As"]), "cards must be a text"),
    ("no bet", lambda: pitboss.Table(QUICK).bet(5), "a bet must be a text"),
    ("no action", lambda: pitboss.Table(QUICK).why_not(5), "an action must be a text"),
    ("a limit as a float", lambda: pitboss.Table(QUICK, limits={"min": 0.1}), "0.1 is a float"),
    ("a meter's value alone", lambda: pitboss.Table(QUICK, meters={"x": 1}), "meter x: write {'seed'"),
    ("a record", lambda: pitboss.read("nowhere.round.toml"), "nowhere.round.toml: cannot be read"),
    ("no record", lambda: pitboss.replay(7), "7 is not a record"),
    ("a record's text", lambda: pitboss.read("record = 2\n"), "record:1: "),
]


@pytest.mark.parametrize(("ask", "answer"), [pytest.param(*rest, id=name) for name, *rest in MISTAKES])
def test_a_mistake_gets_one_line_that_says_what_would_do(ask: Any, answer: str) -> None:
    with pytest.raises(pitboss.PitbossError) as caught:
        ask()
    assert answer in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("choices", "line"),
    [
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"seed": 1.5}, "seed must be a whole number, not 1.5"),
        ({"seed": 7, "cards": "8s 8d"}, "cards fix the order and a seed shuffles: give one or the other"),
    ],
)
def test_a_seed_is_a_whole_number_and_goes_with_no_cards(choices: dict[str, Any], line: str) -> None:
    with pytest.raises(pitboss.PitbossError) as refused:
        pitboss.Table("rws/blackjack", **choices)
    assert str(refused.value) == line


def test_a_settlement_before_the_deal_says_that_nothing_is_dealt() -> None:
    table = pitboss.Table("rws/blackjack", seed=7)
    for _ in range(2):
        with pytest.raises(pitboss.PitbossError, match="nothing has been dealt yet"):
            table.settlement()
        table.bet("1 ann* 25")
    table.deal()
    assert [line.outcome for line in table.settlement()] == []
