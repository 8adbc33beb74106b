"""Records: all of the project's replay as they say; text, table and log give the same one; every step has a clause."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shoe_play
from hypothesis import given, settings
from hypothesis import strategies as st
from record_tools import GAMES, RECORDS, ROOT, play_at_random, record_id
from speeds import few

from pitboss.cards import parse_cards
from pitboss.formats.toml_places import find_places
from pitboss.money import show
from pitboss.records import Record, RecordError, add_outcomes, explain, from_events, read, replay, write
from pitboss.records.log import NothingSettled
from pitboss.records.narrate.table_events import TELLERS
from pitboss.rulebooks import parse_user_book
from pitboss.table import open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.notation import words
from pitboss.table.round.held_money import UNDONE
from pitboss.table.state import Limits

OUTCOME_LINES = re.compile(
    r"^(results *= *\[.*?\]|dealer *=.*?|meters_after *=.*?|void *=.*?)\n", re.MULTILINE | re.DOTALL
)


def load(path: Path) -> Record:
    return read(path.read_text("utf-8"), path.name)


SHORT = """
record  = 1
game    = "star/blackjack"
bets    = ["1 ann* 10"]
cards   = "Tc 7d 9s | Th"
actions = ["1 stand"]
"""


def played(text: str, **changes: str) -> tuple[str, ...]:
    """The differences of a short record with some of its lines changed, added or (`None`) left out."""
    lines = dict(line.split("=", 1) for line in text.strip().splitlines())
    lines = {key.strip(): value.strip() for key, value in lines.items()} | changes
    return replay(read("\n".join(f"{key} = {value}" for key, value in lines.items()))).differences


# The conformance suite ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", few(RECORDS, 3), ids=record_id)
def test_a_record_replays_as_it_says(path: Path) -> None:
    replayed = replay(load(path))
    assert replayed.differences == ()
    assert replayed.notes == ()
    assert all(round_.settled for round_ in replayed.rounds)
    assert all(settled.clauses for settled in replayed.settlements)


def test_there_are_records_of_every_game() -> None:
    assert {load(path).game for path in RECORDS} == set(GAMES)


@pytest.mark.parametrize("path", few(RECORDS, 20), ids=record_id)
def test_a_record_is_read_back_as_it_was_written(path: Path) -> None:
    record = load(path)
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text
    assert max(map(len, text.splitlines())) <= 112 or any(
        re.match(r"(title|meters|cards) ", line) for line in text.splitlines() if len(line) > 112
    )


@pytest.mark.parametrize("path", few(RECORDS, 20), ids=record_id)
def test_every_line_of_a_record_is_written_back_unchanged(path: Path) -> None:
    ours, theirs = (tomllib.loads(text) for text in (write(load(path)), path.read_text("utf-8")))
    for written, line in zip(ours.get("round", [ours]), theirs.get("round", [theirs]), strict=True):
        for key in ("bets", "actions", "results"):
            assert written.get(key) == line.get(key)


@pytest.mark.parametrize("path", few(RECORDS, 20), ids=record_id)
def test_the_log_of_a_round_becomes_a_record_that_settles_the_same(path: Path) -> None:
    record = load(path)
    live = replay(record)
    written = from_events(
        open_table(record.rules(), record.limits, places=record.places),
        live.events,
        title=record.title,
        cites=record.cites,
    )
    again = replay(read(write(written)))
    assert again.differences == ()
    at_the_door = [settled for settled in live.settlements if settled.outcome == "turned-away"]  # refused: not in a log
    assert list(again.settlements) == [settled for settled in live.settlements if settled not in at_the_door]
    assert [round_.cards for round_ in written.rounds] == [round_.cards for round_ in record.rounds]


@pytest.mark.parametrize("path", few(RECORDS, 20), ids=record_id)
def test_a_round_is_told_with_a_clause_at_every_step(path: Path) -> None:
    replayed = replay(load(path))
    steps = [line for line in explain(replayed) if line.startswith("  ")]
    assert len(steps) > 3
    assert not [line for line in steps if not re.search(r"\. \[.+\]$", line)]
    told = "\n".join(steps)
    for round_ in replayed.rounds:
        for settled in round_.state.settlements:
            won, lost = ("gets {} back", "gives {} back") if settled.outcome in UNDONE else ("wins {}", "loses {}")
            amount = (won if settled.net > 0 else lost).format(show(abs(settled.net)))
            assert not settled.net or amount in told


@pytest.mark.parametrize("path", few(RECORDS, 20), ids=record_id)
def test_results_can_be_left_out_and_written_back(path: Path) -> None:
    """What `--write` adds to a text without results is what was recorded, and nothing else changes."""
    full = path.read_text("utf-8")
    bare = OUTCOME_LINES.sub("", full)
    replayed = replay(read(bare))
    missing = {number: round_.as_recorded for number, round_ in enumerate(replayed.rounds)}
    filled = add_outcomes(bare, missing)
    assert OUTCOME_LINES.sub("", filled) == bare
    again = read(filled)
    assert replay(again).differences == ()
    for ours, theirs in zip(again.rounds, read(full).rounds, strict=True):
        assert set(ours.results or ()) == set(theirs.results or ())
        assert theirs.dealer in (None, ours.dealer)
        assert ours.void == theirs.void


def test_a_round_whose_boxes_are_all_void_may_be_recorded_as_void() -> None:
    name = "perth-252-every-box-void-by-itself.round.toml"
    text = (ROOT / "tests" / "records" / "audit" / name).read_text("utf-8")
    assert replay(read(text)).differences == replay(read(text + "void = true\n")).differences == ()
    one_void = text.replace(', "!table-games-manager void 2 @7.6"', ', "2 hit"').replace('6h"', '6h 9c"')
    assert "the round does not end void" in replay(read(one_void + "void = true\n")).differences[-1]


# Any round ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", few(GAMES, 6))
@given(seed=st.integers(0, 2**32), rounds=st.integers(1, 3))
@settings(max_examples=12, deadline=None)
def test_a_round_played_at_random_becomes_a_record_that_settles_the_same(game: str, seed: int, rounds: int) -> None:
    opening, _, happened = play_at_random(game, seed, rounds)
    record = from_events(opening, happened)
    assert len(record.rounds) == rounds
    text = write(record)
    again = replay(read(text))
    assert again.differences == (), text
    live = [event.settlement for event in happened if isinstance(event, ev.WagerSettled | ev.SideSettled)]
    assert [settled for round_ in again.rounds for settled in round_.state.settlements] == live
    steps = [line for line in explain(again) if line.startswith("  ")]
    assert not [line for line in steps if not line.endswith("]")]


@pytest.mark.parametrize("source", ["shoe", "device"])
@pytest.mark.parametrize("game", ["star/blackjack", "star/switch", "perth/blackjack", "melbourne/pontoon"])
def test_rounds_from_a_shuffled_shoe_or_a_device_become_records(game: str, source: str) -> None:
    """What the house burns, cuts and feeds between rounds is not in the record, and the round is the same without."""
    table = shoe_play.Table(game, **({} if source == "shoe" else {"card_source": source}))
    for _ in shoe_play.play_session(table, random.Random(4), rounds=8, boxes=3):
        pass
    record = from_events(table.start, table.log)
    assert len(record.rounds) == 8
    again = replay(read(write(record)))
    assert again.differences == ()
    live = [event.settlement for event in table.log if isinstance(event, ev.WagerSettled | ev.SideSettled)]
    assert [settled for round_ in again.rounds for settled in round_.state.settlements] == live


@pytest.mark.slow
def test_every_event_of_play_has_its_own_words() -> None:
    """Events that only a record can cause must not be told by their bare name."""
    for path in RECORDS:
        for event in replay(load(path)).events:
            assert type(event) in TELLERS


# Options, readings, user rulebooks ------------------------------------------------------------------


def test_a_log_names_only_the_choices_that_differ_from_the_book() -> None:
    text = """record = 1
game = "melbourne/blackjack"
options.decks = 6
options.auto_draw = true
options.perfect_pairs_table = "B"
options.readings = { drawn_21_against_dealer_natural = "stand-off" }
side_wagers = ["perfect-pairs"]
limits = { min = 5, chip = 0.5 }
bets = ["1 ann* 10"]
cards = "Tc 7d 9s | Th"
actions = ["1 stand"]
"""
    record = read(text)
    live = replay(record)
    written = from_events(open_table(record.rules(), record.limits), live.events)
    assert written.options == record.options
    assert written.readings == record.readings
    assert written.limits == Limits(minimum=record.limits.minimum, chip=record.limits.chip)
    assert written.rules() == record.rules()
    assert read(write(written)) == written


def test_a_wager_taken_off_again_is_not_in_the_record() -> None:
    table = shoe_play.Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=parse_cards("Tc 7d 9s Th")))
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.do(cmd.RemoveBet(box="1", player="ann"))
    table.bet("1", "cat")
    table.do(cmd.RemoveBet(box="1", player="cat"))
    table.do(cmd.Deal())
    table.finish()
    (round_,) = from_events(table.start, table.log).rounds
    assert [words(bet) for bet in round_.bets] == ["2 bob 10"]


def test_who_walks_away_is_in_the_record() -> None:
    """The next in line calls the decisions from then on, and matches no split of somebody who is gone."""
    table = shoe_play.Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=parse_cards("8c 7d 8s 9c Th Kd")))
    table.bet("1", "ann", 20)
    table.bet("1", "bob", 10)
    table.do(cmd.Deal())
    table.do(cmd.LeaveBox(box="1", player="ann"))
    table.do(cmd.Split(box="1"))
    table.finish()
    record = from_events(table.start, table.log)
    assert [str(action) for action in record.rounds[0].actions] == ["1 leave ann", "1 split", "1 stand", "1 stand"]
    assert replay(read(write(record))).settlements == table.state.settlements


def test_a_record_of_a_users_own_game_replays() -> None:
    book = parse_user_book((ROOT / "examples" / "las-vegas.toml").read_text("utf-8"), "las-vegas.toml")
    game = f"{book.namespace}/{next(iter(book.games))}"
    text = f'record = 1\ngame = "{game}"\nbets = ["1 ann* 10"]\ncards = "Tc 7d 9s Th"\nactions = ["1 stand"]\n'
    record = read(text, own_books=[book])
    replayed = replay(record, [book])
    assert replayed.differences == ()
    assert replayed.rounds[0].results == {("1", "ann", "main"): 10}
    assert replayed.rounds[0].state.dealer == ("7d", "Th")
    written = from_events(open_table(record.rules([book]), record.limits), replayed.events)
    assert replay(read(write(written), own_books=[book]), [book]).settlements == replayed.settlements


def test_nothing_is_recorded_before_a_round_is_settled() -> None:
    opening, _, happened = play_at_random("star/blackjack", 1)
    with pytest.raises(NothingSettled):
        from_events(opening, happened[:3])


# What differs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"results": '["1 ann main +10"]'}, None),
        ({"results": '["1 ann main +10"]', "dealer": '"7d Th"'}, None),
        ({"results": '["1 ann main +15"]'}, "1 ann main: recorded +15, settled +10 (higher, 16.1.3)"),
        ({"results": '["1 ann main -10"]'}, "1 ann main: recorded -10, settled +10 (higher, 16.1.3)"),
        ({"results": "[]"}, "1 ann main: not recorded, settled +10"),
        ({"results": '["1 ann main +10", "1 bob main 0"]'}, "1 bob main: recorded 0, but there is no such wager"),
        ({"dealer": '"7d Tc"'}, "dealer: recorded 7d Tc, dealt 7d Th"),
        ({"dealer": '"7d"'}, "dealer: recorded 7d, dealt 7d Th"),
        ({"cards": '"Tc 7d 9s | Th 2c"'}, "cards are left: 2c"),
        ({"cards": '"Tc 7d 9s"'}, "no card is left"),
        ({"cards": '"Tc 7d"'}, "the deal is refused"),
        ({"actions": "[]"}, "the actions end and the round does not; legal now: 1 hit, 1 stand"),
        ({"actions": '["1 stand", "1 stand"]'}, "'1 stand' is refused"),
        ({"actions": '["2 stand", "1 stand"]'}, "'2 stand' is refused: box 2 is not in play"),
        ({"actions": '["?1 stand", "1 stand"]'}, "'?1 stand' is accepted, and should be refused"),
        ({"actions": '["?1 split", "1 stand"]'}, None),
        ({"actions": '["?1 split @12.1", "1 stand"]'}, None),
        ({"actions": '["?1 split @16.1.4", "1 stand"]'}, "is refused, but the refusal names"),
        ({"meters_after": "{ }"}, None),
        ({"void": "true"}, "the round does not end void"),
        ({"void": "true", "results": '["1 ann main +10"]'}, "the round does not end void"),
        ({"actions": '["!casino-supervisor void @17.8"]', "cards": '"Tc 7d 9s"', "void": "true"}, None),
        (
            {"actions": '["!casino-supervisor void @17.8"]', "cards": '"Tc 7d 9s"', "results": '["1 ann main 0"]'},
            "the round ends void, and is not recorded so",
        ),
        ({"bets": '["1 bob 5 perfect-pairs"]'}, "the deal is refused: no wager has been placed"),
    ],
)
def test_what_differs_is_said_in_a_line(changes: dict[str, str], difference: str | None) -> None:
    found = played(SHORT, **changes)
    if difference is None:
        assert found == ()
    else:
        assert any(difference in line for line in found), found
        assert not any("\n" in line for line in found)


def test_an_action_must_not_be_refused_for_want_of_cards_alone() -> None:
    """With no card left a hit is still legal: `?1 hit` does not hold."""
    found = played(SHORT, cards='"2c 7d 3s"', actions='["?1 hit"]')
    assert "'?1 hit' is accepted, and should be refused" in found


def test_a_wager_that_the_table_turns_away_has_the_result_0() -> None:
    bets = '["1 ann* 10", "1 bob 10", "1 cat 10", "1 dan 10", "12 eve 10"]'
    results = '["1 ann main +10", "1 bob main +10", "1 cat main +10", "1 dan main 0", "12 eve main 0"]'
    assert played(SHORT, bets=bets, results=results) == ()
    assert "1 dan main: not recorded, settled 0 (not in play)" in played(SHORT, bets=bets, results="[]")
    replayed = replay(read(SHORT.replace('["1 ann* 10"]', bets)))
    turned_away = [settled for settled in replayed.settlements if settled.outcome == "turned-away"]
    assert [(settled.box, settled.player) for settled in turned_away] == [("1", "dan"), ("12", "eve")]
    assert all(settled.clauses for settled in turned_away)


def test_a_side_wager_displaced_by_a_better_claim_is_in_the_settlement() -> None:
    path = next(path for path in RECORDS if "carried-without-main" in path.name)
    returned = [settled for settled in replay(load(path)).settlements if settled.outcome == "returned"]
    assert [(settled.player, settled.wager, settled.net) for settled in returned] == [("ann", "blackpot", 0)]
    assert returned[0].clauses


def test_rounds_after_one_that_does_not_end_are_not_played() -> None:
    text = """record = 1
game = "star/blackjack"
[[round]]
bets = ["1 ann* 10"]
cards = "Tc 7d 9s"
[[round]]
bets = ["1 ann* 10"]
cards = "Tc 7d 9s"
"""
    replayed = replay(read(text))
    assert len(replayed.rounds) == 1
    assert replayed.differences[0].startswith("round 1: the actions end")


def test_cards_that_the_shoe_cannot_hold_are_refused_unless_told_otherwise() -> None:
    text = SHORT.replace("star/blackjack", "melbourne/pontoon")
    with pytest.raises(
        RecordError, match=r"record:\d: expected cards that the decks in play contain: Tc is not in a deck of 48 cards"
    ):
        read(text)
    assert replay(read(text, any_cards=True)).notes == (
        "Tc is not in a deck of 48 cards",
        "Th is not in a deck of 48 cards",
    )
    many = SHORT.replace("Tc 7d 9s | Th", "2c 7d 2c | 2c 2c 2c | Th").replace(
        '["1 stand"]', '["1 hit", "1 hit", "1 hit", "1 stand"]'
    )
    many = many.replace("bets", "options = { decks = 4 }\nbets")
    with pytest.raises(RecordError, match="2c is dealt 5 times from 4 decks"):
        read(many)
    assert replay(read(many, any_cards=True)).notes == ("2c is dealt 5 times from 4 decks",)
    assert read(many.replace("decks = 4", "decks = 6")).options == {"decks": 6}


def test_a_meter_that_shows_something_else_is_told() -> None:
    path = next(path for path in RECORDS if "supernova-minor-twice" in path.name)
    text = path.read_text("utf-8")
    found = replay(read(text.replace("supernova-mystery = 140.1 }", "supernova-mystery = 140.2 }"))).differences
    assert found == ("round 2: meter supernova-mystery: recorded 140.2, shows 140.1",)
    lines = [line for line in text.splitlines() if not line.startswith("meters ")]
    unstated = replay(read("\n".join(lines))).differences
    assert any("the meter supernova-minor has no value" in line for line in unstated)


def test_meters_may_stand_above_the_rounds() -> None:
    path = next(path for path in RECORDS if "supernova-minor-twice" in path.name)
    text = path.read_text("utf-8")
    head, first, second = text.split("[[round]]\n")
    meters = next(line for line in first.splitlines() if line.startswith("meters "))
    after = next(line for line in second.splitlines() if line.startswith("meters_after "))
    above = "".join(
        [head.rstrip(), "\n", meters, "\n", after, "\n\n[[round]]\n", first.replace(meters + "\n", ""), "[[round]]\n"]
    ) + second.replace(after + "\n", "")
    assert read(above) == read(text)


# Places in a text ---------------------------------------------------------------------------------


def paths_in(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from paths_in(inner, (*path, key))


AWKWARD = '''# a comment with "quotes" and = signs
"quoted key" = 'a # b'
dotted . key = [ 1, # one
  [2, 3], { a = "x]", 'b' = """
two "" lines""" } ,
]
[ table . "sub table" ]
x = \'\'\'it''s\'\'\'
when = 1979-05-27T07:32:00Z # a date
[[list]]
y = { z = [] }
[[list]]
[list.inner]
deep = -1.5e3
'''


def test_every_key_and_item_has_a_place() -> None:
    found = find_places(AWKWARD)
    missing = [path for path in paths_in(tomllib.loads(AWKWARD)) if path not in found]
    assert missing == [("dotted",), ("table",), ("list",)]
    lines = AWKWARD.splitlines()
    assert {
        path: found[path].line for path in [("quoted key",), ("dotted", "key", 1, 0), ("dotted", "key", 2, "b")]
    } == {
        ("quoted key",): 2,
        ("dotted", "key", 1, 0): 4,
        ("dotted", "key", 2, "b"): 4,
    }
    assert lines[found["list", 1, "inner", "deep"].line - 1] == "deep = -1.5e3"
    assert AWKWARD[found["table", "sub table", "when"].start : found["table", "sub table", "when"].end].endswith("00Z")


@pytest.mark.parametrize("path", RECORDS[::7], ids=record_id)
def test_the_places_of_a_record_hold_what_they_should(path: Path) -> None:
    text = path.read_text("utf-8")
    found = find_places(text)
    for where in paths_in(tomllib.loads(text)):
        if where == ("round",):
            continue
        piece = text[found[where].start : found[where].end]
        assert text.count("\n", 0, found[where].start) + 1 == found[where].line
        if where[-1] == "cards":
            assert piece.startswith("cards")
            assert piece.endswith('"')
