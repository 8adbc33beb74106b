"""The log is the truth: state, record, settlement and narration come out of it again, byte for byte, without a book."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import from_log
import pytest
import shoe_play
import tidy
from record_tools import GAMES, RECORDS, play_at_random
from speeds import few

import pitboss
from pitboss.money import Money
from pitboss.records import from_events, read, replay, write
from pitboss.records import from_log as record_of
from pitboss.records.narrate.explanation import step_words
from pitboss.records.settlement_table import SettlementTable
from pitboss.rulebooks import Rulebook, parse_user_book
from pitboss.table import begin_log, codec, decide, evolve, fold_log, open_table
from pitboss.table.draft import Refusal
from pitboss.table.evolve import LogError
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import Asker
from pitboss.table.orders import rulings as ru
from pitboss.table.state import State

Log = tuple[ev.Event, ...]

# Without books ------------------------------------------------------------------------------------


def logs_of_records(paths: list[Path]) -> dict[str, Log]:
    return {path.stem: replay(read(path.read_text("utf-8"))).log for path in paths}


def opened_as(state: State) -> ev.TableOpened:
    return begin_log(state.rules, state.limits, state.meters, state.floor)


def logs_of_random_tables(seeds: range) -> dict[str, Log]:
    found: dict[str, Log] = {}
    for game in GAMES:
        for seed in seeds:
            opening, _, happened = play_at_random(game, seed, 2)
            found[f"{game.replace('/', '-')}-{seed}"] = (opened_as(opening), *happened)
    for game in ("star/blackjack", "perth/blackjack"):
        for source in ("shoe", "device"):
            table = shoe_play.Table(game, card_source=source)
            for _ in shoe_play.play_session(table, random.Random(7), rounds=3, boxes=3):
                pass
            found[f"{game.replace('/', '-')}-{source}"] = tuple(table.whole_log)
    return found


def rebuilt_without_books(logs: dict[str, Log], folder: Path) -> dict[str, dict[str, object]]:
    """What a program makes of the logs whose copy of the package has no rulebook and no register."""
    package = folder / "lib" / "pitboss"
    shutil.copytree(tidy.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "books", "clauses"))
    for name, log in logs.items():
        (folder / f"{name}.jsonl").write_bytes(codec.encode_events(log))
    bare = {**os.environ, "PYTHONPATH": str(package.parent)}
    probe = "from pitboss.rulebooks import load_book; load_book('star')"
    assert subprocess.run([sys.executable, "-c", probe], env=bare, capture_output=True, check=False).returncode
    subprocess.run([sys.executable, str(Path(from_log.__file__)), str(folder)], env=bare, check=True)
    return {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in logs}


def check_logs(logs: dict[str, Log], folder: Path) -> None:
    assert logs
    found = rebuilt_without_books(logs, folder)
    for name, log in logs.items():
        assert found[name] == from_log.rebuild(log), name


@pytest.mark.slow
def test_a_log_needs_no_book(tmp_path: Path) -> None:
    check_logs({**logs_of_records(RECORDS[::20]), **logs_of_random_tables(range(1))}, tmp_path)


@pytest.mark.slow
def test_no_log_needs_a_book(tmp_path: Path) -> None:
    check_logs({**logs_of_records(RECORDS), **logs_of_random_tables(range(6))}, tmp_path)


@pytest.mark.parametrize("path", few(RECORDS, 20), ids=lambda path: path.stem)
def test_the_log_of_a_record_tells_what_its_replay_does(path: Path) -> None:
    """The live side keeps states, steps and rules as they came from the book; the other has the log as text."""
    record = read(path.read_text("utf-8"))
    live = replay(record)
    found = from_log.rebuild(codec.decode_events(codec.encode_events(live.log)))
    state = live.rounds[-1].state
    assert found["state"] == codec.encode(state).decode()
    assert found["record"] == write(
        from_events(open_table(record.rules(), record.limits, places=record.places), live.events)
    )
    told = [
        f"  {said}" for played in live.rounds for step in played.steps if not step.refusal for said in step_words(step)
    ]
    assert [line for line in found["narration"] if line.startswith("  ")] == told  # type: ignore[attr-defined]
    settled = [
        str(SettlementTable([line for line in played.settlement if line.outcome != "turned-away"]))
        for played in live.rounds
    ]
    assert found["settlement"] == settled


def test_what_does_not_begin_with_an_opening_is_no_log() -> None:
    opening, _, happened = play_at_random("star/blackjack", 1)
    for nothing in ((), tuple(happened), (happened[0], opened_as(opening))):
        with pytest.raises(LogError):
            fold_log(nothing)
        with pytest.raises(LogError):
            record_of(nothing)


# Your own rulebooks ----------------------------------------------------------------------------------

PERMIT = "!gaming-manager permit resplit announced because asked-for"


def my_book() -> Rulebook:
    """The Star's book under another name: the game `mine/blackjack`."""
    text = (tidy.PACKAGE / "rulebooks" / "books" / "star.toml").read_text("utf-8")
    return parse_user_book(text.replace('namespace = "star"', 'namespace = "mine"'), "mine.toml")


@pytest.mark.slow
def test_an_option_is_permitted_at_a_table_of_ones_own_book(tmp_path: Path) -> None:
    """The option holds from then on, the record replays, and the log needs neither the book nor those built in."""
    book = my_book()
    table = pitboss.Table("mine/blackjack", own_books=[book], cards="8s 6d 8h | 8d Tc 9c Td | 9s Th")
    assert not table.rules.options["resplit"]
    assert table.why_not(PERMIT) is None
    table.do(PERMIT)
    assert table.rules.options["resplit"]
    table.bet("1 ann* 10")
    table.deal()
    for action in ("1 split", "1 split", "1 stand", "1 stand", "1 stand"):
        table.do(action)
    again = replay(read(table.record(), own_books=[book]), [book])
    assert again.differences == ()
    assert again.settlements == table.state.settlements
    (permitted,) = [event for event in table.log if isinstance(event, ru.OptionPermitted)]
    assert permitted.rules == book.rules("blackjack", resplit=True)
    check_logs({"mine": table.log, "replayed": again.log}, tmp_path)
    assert fold_log(codec.decode_events(codec.encode_events(table.log))) == table.state


def test_a_book_that_is_not_at_hand_refuses_the_permission_in_one_line() -> None:
    state = open_table(my_book().rules("blackjack"))
    order = od.Permit(role="gaming-manager", reason="asked for", option="resplit", announced=True)
    answer = decide(state, order)
    assert isinstance(answer, Refusal)
    assert "no game 'mine/blackjack'" in answer.reason
    assert not isinstance(decide(state, order, own_books=[my_book()]), Refusal)


@pytest.mark.parametrize("game", GAMES)
def test_rules_know_what_was_chosen_beside_the_decks(game: str) -> None:
    """What a record names is enough to get the same rules from the book again."""
    _, _, happened = play_at_random(game, 3)
    opening, _, _ = play_at_random(game, 3)
    record = from_events(opening, happened)
    assert record.rules() == opening.rules
    assert record.rules().chosen == opening.rules.chosen


# Who asked ------------------------------------------------------------------------------------------


def asked_by(state: State, command: cmd.Command, by: Asker | None = None) -> Asker:
    answer = decide(state, command, by)
    assert not isinstance(answer, Refusal), answer
    first = answer.events[0]
    assert isinstance(first, ev.Asked)
    assert first.command == command
    assert sum(isinstance(event, ev.Asked) for event in answer.events) == 1
    state_again = state
    for event in answer.events:
        state_again = evolve(state_again, event)
    assert state_again == answer.state
    return first.by


def test_every_decision_says_who_asked() -> None:
    table = shoe_play.Table("star/blackjack")
    steps: list[tuple[cmd.Command, Asker]] = [
        (cmd.LoadShoe(cards=("Th", "9d", "7c", "6s", "8h", "Kd", "Tc")), Asker("house")),
        (cmd.Arrive(player="cat", box="5"), Asker("player", "cat")),
        (cmd.PlaceBet(box="1", player="ann", amount=Money(10)), Asker("player", "ann")),
        (cmd.PlaceBet(box="2", player="bob", amount=Money(10)), Asker("player", "bob")),
        (cmd.Deal(), Asker("dealer")),
        (cmd.Stand(box="1", by="ann"), Asker("player", "ann")),
        (cmd.Stand(box="2"), Asker("dealer")),
        (cmd.Void(role="casino-supervisor", person="lee", reason="a fire"), Asker("casino-supervisor", "lee")),
        (cmd.NextRound(), Asker("dealer")),
        (cmd.OrderShuffle(role="casino-supervisor", reason="clumps"), Asker("casino-supervisor")),
    ]
    for command, by in steps:
        assert asked_by(table.state, command) == by, command
        table.do(command)
    assert asked_by(table.state, cmd.Leave(player="cat"), Asker("dealer", "kim")) == Asker("dealer", "kim")


def test_an_order_that_entails_another_puts_both_on_record() -> None:
    """In one reading an abnormal sequence voids the round: the record has the void, and replays."""
    table = shoe_play.Table("melbourne/blackjack", readings={"abnormal_sequence_in_mid_round": "void-then-shuffle"})
    table.do(cmd.LoadShoe(cards=("Th", "9d", "7c", "6s", "8h", "Kd", "Tc")))
    table.bet()
    table.do(cmd.Deal())
    table.do(cmd.OrderShuffle(role="assistant-casino-manager", abnormal=True, reason="four kings"))
    asked = [event.command for event in table.log if isinstance(event, ev.Asked)]
    assert [type(command) for command in asked[-2:]] == [cmd.OrderShuffle, cmd.Void]
    record = from_events(table.start, table.log)
    assert record.rounds[0].void
    assert [type(action.command) for action in record.rounds[0].actions] == [cmd.Void]


# The story of a round ---------------------------------------------------------------------------------


def test_a_decision_before_its_turn_is_about_the_hand_as_it_is_then() -> None:
    """Insurance is open when the box stands: its turn comes by that."""
    table = shoe_play.Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("9s", "Ad", "7h", "8h", "2c", "5d", "Tc")))
    table.bet("1", "ann")
    table.do(cmd.Deal())
    table.do(cmd.Insure(box="1", player="ann", amount=Money(5)))
    table.do(cmd.Stand(box="1", by="ann"))
    insured, stood = table.state.deeds
    assert (insured.command, insured.cards) == (cmd.Insure(box="1", player="ann", amount=Money(5)), ("9s", "7h"))
    assert (stood.hand, stood.cards, stood.up) == (0, ("9s", "7h"), "Ad")
    assert (stood.command, stood.by) == (cmd.Stand(box="1"), Asker("player", "ann"))


def test_a_rebuilt_round_tells_its_story_again() -> None:
    """Who asked stays on record, what was carried out wrongly is put right, and the record has it all in order."""
    table = shoe_play.Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "9d", "7c", "6s", "8h", "Kd")))
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.do(cmd.Deal())
    table.do(cmd.Hit(box="1", by="ann"))
    happened = table.do(od.Reconstruct(role="casino-supervisor", box="1", should="stand"))
    (again,) = [event for event in happened if isinstance(event, ru.DecidedAgain)]
    assert (again.command, again.by) == (cmd.Stand(box="1"), Asker("player", "ann"))
    assert [deed.command for deed in table.state.deeds] == [cmd.Stand(box="1")]
    table.do(cmd.Stand(box="2"))
    record = from_events(table.start, table.log)
    written = [str(action) for action in record.rounds[0].actions]
    assert written == ["1 hit", "!casino-supervisor reconstruct 1 stand", "2 stand"]
    assert replay(read(write(record))).settlements == table.state.settlements
