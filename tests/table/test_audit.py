"""The proof of a shoe: files written from a table's log hold, and every lie in one is found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shoe_play import Table, all_cards, pack_of, play_session

from pitboss.cards import CARDS
from pitboss.cli import main
from pitboss.table import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.shoe.shuffle import commitment
from pitboss.table.shoe_proof import (
    ProofStep,
    ShoeFile,
    ShoeFileError,
    encode_shoe_file,
    pack_shoe,
    parse_shoe_file,
    problems,
    shoe_files,
)
from pitboss.table.state import Phase


def session(game: str, rounds: int = 10, seed: int = 1, boxes: int = 4, deep: bool = False, **choices: Any) -> Table:
    """A table after so many rounds, its last shoe retired."""
    table = Table(game, **choices)
    for _ in play_session(table, Random(seed), rounds, boxes, 0 if deep else None):
        pass
    if table.state.phase is Phase.BETTING and table.state.shoe.origin.seed:
        table.do(cmd.RetireShoe())
    return table


def proofs(game: str, **choices: Any) -> list[ShoeFile]:
    table = session(game, **choices)
    return shoe_files(table.whole_log)


@pytest.fixture(scope="module")
def shoe() -> ShoeFile:
    return proofs("star/blackjack", decks=4)[0]


@pytest.fixture(scope="module")
def device() -> ShoeFile:
    return proofs("star/blackjack", card_source="device", decks=4)[0]


# ---------------------------------------------------------------------- files of real sessions

EVERY: list[tuple[str, dict[str, Any]]] = [
    ("perth/blackjack", {}),
    ("perth/blackjack", {"card_source": "device"}),
    ("perth/plus", {"card_source": "device", "decks": 2, "readings": {"csm_recirculation": "mid-round"}}),
    ("star/blackjack", {"decks": 3, "deep": True, "boxes": 9, "rounds": 20}),
    ("star/blackjack", {"card_source": "shuffler-and-shoe"}),
    ("star/switch", {"card_source": "device"}),
    ("melbourne/blackjack", {"decks": 4}),
    ("melbourne/pontoon", {"card_source": "device"}),
    ("rws/blackjack", {}),
]


@pytest.mark.parametrize(("game", "choices"), EVERY)
def test_every_shoe_of_a_session_is_as_committed(game: str, choices: dict[str, Any]) -> None:
    table = session(game, **choices)
    files = shoe_files(table.whole_log)
    shuffles = [event for event in table.log if type(event).__name__ == "Shuffled"]
    assert len(files) == len(shuffles)
    for file, event in zip(files, shuffles, strict=True):
        assert problems(file, event.origin.commitment) == []
        assert parse_shoe_file(encode_shoe_file(file), "f") == file


def test_a_shoe_that_ran_out_leaves_the_discards_to_the_next_file() -> None:
    files = proofs("star/blackjack", decks=3, deep=True, boxes=9, rounds=20)
    refills = [file for file in files if file.cards]
    assert refills, "the session has run out of cards at least once"
    assert all(file.decks == 0 and problems(file) == [] for file in refills)


def test_a_shoe_in_play_has_no_file() -> None:
    table = Table("star/blackjack")
    table.open()
    table.bet()
    table.do(cmd.Deal())
    assert shoe_files(table.whole_log) == []


def test_a_file_holds_what_is_needed_and_the_players_cut() -> None:
    table = Table("perth/blackjack")
    table.arrive(ann=1)
    table.do(cmd.BurnEachRound(role="table-games-manager"))
    table.open(cut_at=123, from_back=99)
    table.bet()
    table.round()
    table.do(cmd.RetireShoe())
    (file,) = shoe_files(table.whole_log)
    assert (file.cut_by, file.cut_at, file.cut_card, file.decks) == ("ann", 123, 99, 8)
    assert [step.step for step in file.steps] == ["burn", "deal"]
    assert problems(replace(file, cut_at=124)) != [], "without the players' cut the proof does not hold"


def test_a_riffle_is_part_of_the_proof() -> None:
    table = Table("star/blackjack")
    table.arrive(ann=1)
    table.do(cmd.Shuffle(entropy=bytes(32)))
    table.do(cmd.Riffle(role="casino-supervisor", player="ann"))
    table.do(cmd.OfferCut())
    table.do(cmd.Cut(by="ann", at=60))
    table.do(cmd.PlaceCutCard(from_back=60))
    table.do(cmd.RetireShoe())
    (file,) = shoe_files(table.whole_log)
    assert file.riffles == 1
    assert problems(file) == []
    assert problems(replace(file, riffles=0)) != []


# ---------------------------------------------------------------------- lies


def test_a_seed_that_was_not_committed_is_found(shoe: ShoeFile) -> None:
    other = replace(shoe, seed="00" * 32)
    assert "the commitment is not the hash of seed and salt" in problems(other)
    forged = replace(other, commitment=commitment(bytes(32), bytes.fromhex(shoe.salt)))
    found = problems(forged, shoe.commitment)
    assert found[0] == "the commitment is not the one that was published"
    assert len(found) == 2, "and the cards are not those of the forged seed"


def test_the_published_commitment_may_be_in_capitals(shoe: ShoeFile) -> None:
    assert problems(shoe, shoe.commitment.upper()) == []


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_card_exchanged_left_out_or_put_in_is_found(shoe: ShoeFile, device: ShoeFile, data: st.DataObject) -> None:
    file = data.draw(st.sampled_from([shoe, device]))
    at = data.draw(st.sampled_from([n for n, step in enumerate(file.steps) if step.step in ("deal", "burn")]))
    cards = file.steps[at].cards.split()
    place = data.draw(st.integers(0, len(cards) - 1))
    lie = data.draw(st.sampled_from(["exchange", "swap", "drop", "add"]))
    wrong = list(cards)
    if lie == "exchange":
        wrong[place] = data.draw(st.sampled_from([card for card in CARDS if card != cards[place]]))
    elif lie == "swap":
        wrong[place], wrong[place - 1] = wrong[place - 1], wrong[place]
    elif lie == "drop":
        del wrong[place]
    else:
        wrong.insert(place, data.draw(st.sampled_from(CARDS)))
    if wrong == cards:
        return
    told = replace(file.steps[at], cards=" ".join(wrong))
    lied = replace(file, steps=(*file.steps[:at], told, *file.steps[at + 1 :]))
    assert problems(lied) or _harmless(file, lied)


def _harmless(file: ShoeFile, lied: ShoeFile) -> bool:
    """A card left out at the very end, or put in where the same card comes: the shoe deals it so."""
    true = " ".join(step.cards for step in file.steps if step.step in ("deal", "burn")).split()
    told = " ".join(step.cards for step in lied.steps if step.step in ("deal", "burn")).split()
    return true[: len(told)] == told or told[: len(true)] == true


def test_what_is_wrong_is_said_in_one_line(shoe: ShoeFile) -> None:
    first = next(n for n, step in enumerate(shoe.steps) if step.step == "deal")
    cards = shoe.steps[first].cards.split()
    other = next(card for card in CARDS if card != cards[2])
    cards[2] = other
    told = ProofStep("deal", " ".join(cards), 1)
    lied = replace(shoe, steps=(*shoe.steps[:first], told, *shoe.steps[first + 1 :]))
    due = shoe.steps[first].cards.split()[2]
    assert problems(lied) == [f"round 1: card 4 of the shoe is {due}, and {other} was dealt"]


def test_more_cards_than_the_shoe_holds(shoe: ShoeFile) -> None:
    whole = replace(shoe, steps=(ProofStep("deal", " ".join([shoe.steps[0].cards.split()[0]] * 3), 1),))
    assert len(problems(whole)) == 1
    short = replace(shoe, decks=0, cards="As", cut_at=None, cut_card=None, steps=(ProofStep("deal", "As As", 1),))
    assert problems(short) == ["round 1: As is dealt after the last of 1 cards"]


def test_a_round_after_the_cut_card_is_found(shoe: ShoeFile) -> None:
    rounds = [step for step in shoe.steps if step.step == "deal"]
    assert len(rounds) >= 3
    count = len(pack_shoe(shoe))
    early = replace(shoe, cut_card=count - 2)
    assert problems(early) == [f"round {step.round} was dealt after the cut card had come out" for step in rounds[1:]]


def test_cards_fed_into_a_device_must_have_come_out_of_it(device: ShoeFile) -> None:
    at = next(n for n, step in enumerate(device.steps) if step.step == "feed")
    never = next(card for card in CARDS if card not in " ".join(step.cards for step in device.steps[:at]))
    lied = replace(device, steps=(*device.steps[:at], ProofStep("feed", never), *device.steps[at + 1 :]))
    assert problems(lied)[0] == f"feed: {never} had not come out of the device"


def test_a_shoe_takes_no_cards_back_and_a_device_has_no_cut_card(shoe: ShoeFile, device: ShoeFile) -> None:
    fed = replace(shoe, steps=(*shoe.steps, ProofStep("feed", shoe.steps[0].cards)))
    assert problems(fed) == ["feed: cards go back into devices only"]
    assert problems(replace(device, cut_card=20)) == ["a device has no cut card"]


def test_cards_put_back_into_the_mouth_of_the_shoe_come_again(shoe: ShoeFile) -> None:
    burn, first, *_ = shoe.steps
    cards = first.cards.split()
    back = replace(
        shoe, steps=(burn, first, ProofStep("back", " ".join(cards[-2:])), ProofStep("deal", " ".join(cards[-2:]), 1))
    )
    assert problems(back) == []
    fewer = (burn, first, ProofStep("back", " ".join(cards[:2] + cards[3:])), ProofStep("deal", " ".join(cards[:2]), 1))
    assert problems(replace(shoe, steps=fewer)) == [], "a card that was burnt in the round stays out"
    wrong = replace(shoe, steps=(burn, first, ProofStep("back", f"{cards[1]} {cards[0]} {cards[1]}")))
    assert problems(wrong) == [f"back: {cards[1]} {cards[0]} {cards[1]} did not come out in this order in the round"]


# ---------------------------------------------------------------------- the command line


def write(path: Path, file: ShoeFile) -> Path:
    path.write_text(encode_shoe_file(file), encoding="utf-8")
    return path


def test_audit_says_that_a_shoe_holds(tmp_path: Path, shoe: ShoeFile, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "shoe.json", shoe)
    assert main(["audit", "shoe", str(path), "--commitment", shoe.commitment]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"{path}: shoe 1 of star/blackjack: ")
    assert out.endswith("as committed\n")
    assert err == ""


def test_audit_fails_with_a_line_for_each_problem(
    tmp_path: Path, shoe: ShoeFile, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "shoe.json", replace(shoe, seed="11" * 32))
    good = write(tmp_path / "good.json", shoe)
    assert main(["audit", "shoe", str(good), str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"{path}: ") for line in lines[1:])
    assert main(["audit", "shoe", "--json", str(path)]) == 1
    out, err = capsys.readouterr()
    (answer,) = json.loads(out)
    assert (answer["ok"], len(answer["problems"])) == (False, 2)
    assert len(err.splitlines()) == 2
    assert main(["audit", "shoe", "--json", str(good)]) == 0
    assert json.loads(capsys.readouterr().out)[0]["problems"] == []


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"shoe_file": 2}, "version 2"),
    ({"seed": "00"}, "seed must be 64"),
    ({"salt": "zz" * 32}, "salt must be 64"),
    ({"commitment": ""}, "commitment must be 64"),
    ({"decks": 0}, "the pack must be"),
    ({"decks": -1}, "the pack must be"),
    ({"decks": 99}, "the pack must be"),
    ({"decks": 4, "cards": "As"}, "the pack must be"),
    ({"decks": 0, "cards": "As " * 1000}, "at most"),
    ({"deck_cards": 50}, "deck_cards"),
    ({"source": "stacked"}, "proves nothing"),
    ({"source": "hat"}, "source"),
    ({"riffles": -1}, "riffles"),
    ({"cut_at": 4000}, "cut_at must be"),
    ({"cut_card": -1}, "cut_card must be"),
    ({"steps": [{"step": "deal", "cards": "Xx"}]}, "'Xx' is not a card"),
    ({"steps": [{"step": "eat", "cards": "As"}]}, "'eat' is not one of its values"),
    ({"steps": [{"step": "deal", "cards": "As", "round": "one"}]}, "round"),
    ({"surprise": 1}, "'surprise' is not known here"),
]


@pytest.mark.parametrize(("change", "words"), MALFORMED, ids=lambda value: str(value)[:30])
def test_a_file_that_is_no_shoe_file_is_refused_in_one_line(
    tmp_path: Path, shoe: ShoeFile, capsys: pytest.CaptureFixture[str], change: dict[str, Any], words: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**json.loads(encode_shoe_file(shoe)), **change}), encoding="utf-8")
    assert main(["audit", "shoe", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert str(path) in err
    assert words in err


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"shoe_file": 1}'])
def test_garbage_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text)
    assert main(["audit", "shoe", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert not re.search("Input data|Expected `|Object ", err)


def test_audit_of_nothing_of_something_else_and_of_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["audit", "ledger", str(tmp_path)]) == 2
    assert "cannot be audited" in capsys.readouterr().err
    assert main(["audit", "shoe"]) == 2
    assert main(["audit", "shoe", str(tmp_path / "none.json")]) == 2
    assert main(["audit", "shoe", "--commitment", "00", "a", "b"]) == 2


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_parsing_raises_nothing_but_its_own_error(text: bytes) -> None:
    with pytest.raises(ShoeFileError):
        parse_shoe_file(text, "f")


# ---------------------------------------------------------------------- rounds that went wrong


@pytest.mark.parametrize("source", ["shoe", "device"])
@pytest.mark.parametrize("faced", [False, True], ids=["", "a card face up"])
def test_a_round_that_was_rebuilt_is_proved_too(source: str, faced: bool) -> None:
    for seed in range(6):
        table = Table("star/blackjack", card_source=source)
        table.open(seed + 1)
        for box, player in (("1", "ann"), ("2", "bob")):
            table.bet(box, player)
        table.do(cmd.Deal())
        if table.state.phase is Phase.OFFERS:
            table.do(cmd.Proceed())
        if faced:
            table.do(od.BurnFaced(role="dealer"))
        if cmd.Hit(box="1") not in legal(table.state):
            continue
        table.do(cmd.Hit(box="1"))
        if table.state.phase is Phase.SETTLED:
            continue
        table.do(od.Reconstruct(role="casino-supervisor", reason="no card was asked for", box="1", should="ask"))
        table.finish()
        table.do(cmd.NextRound())
        assert all_cards(table.state) == pack_of(table.state)
        table.do(cmd.RetireShoe())
        (file,) = shoe_files(table.whole_log)
        assert any(step.step == "back" for step in file.steps)
        assert problems(file) == []
        return
    pytest.fail("no round came to a hit")
