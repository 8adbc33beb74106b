"""A hand at a served table wins its entry by itself: once, whatever breaks, and when a tournament takes entries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_desk import KEY, LIMITS, Bench

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.terms.tournament_terms import read_tournament_terms
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments.tournament_state import TournamentState
from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.table.messages.askers import HOUSE, Asker

TERMS = read_tournament_terms(
    (Path(__file__).parents[1] / "records" / "floor" / "tournaments" / "sevens.tournament.toml").read_text("utf-8")
)
MIA, TOM, DAN = (
    Asker(role, name)
    for role, name in (("assistant-casino-manager", "mia"), ("tournament-director", "tom"), ("dealer", "dan"))
)


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    for by in (MIA, TOM, DAN):
        add = hm.AddPerson(name=by.name, kind=hm.PersonKind.MEMBER, password_hash="#")
        made.desk.ask_house(HOUSE, f"add {by.name}", add, lambda answer: None)
        given = hm.GiveRole(name=by.name, role=by.role, book="melbourne")
        made.desk.ask_house(HOUSE, f"role {by.name}", given, lambda answer: None)
    rules = rules_for("melbourne/blackjack", side_wagers=["magnificent-sevens"])
    made.desk.open_table("m1", rules, kind=lt.TableKind.PERSON, limits=LIMITS, clocks=lt.Clocks(), bank=Money(100_000))
    made.admit("ann")
    assert made.desk.store_line()
    yield made
    made.desk.store_line()
    assert audit_floor(address, KEY).found == []
    made.store.close()


def must(bench: Bench, stream: str, by: Asker, asked: dict[str, Any]) -> None:
    heard: list[Answer] = []
    bench.asked += 1
    if " " in stream:
        bench.desk.ask_stream(stream, by, f"s{bench.asked}", asked, heard.append, "melbourne")
    else:
        bench.desk.ask(stream, by, f"s{bench.asked}", asked, heard.append)
    bench.desk.store_line()
    assert isinstance(heard[0], Done), (asked, heard)


def deal_to_settlement(bench: Bench) -> None:
    """Three sevens of hearts, up to the decision that settles the round."""
    ann = Asker("player", "ann")
    for by, asked in (
        (DAN, {"type": "dealer", "name": "dan"}),
        (DAN, {"type": "bring-shoe"}),
        (ann, {"type": "buy-in", "amount": "200"}),
        (ann, {"type": "place-bet", "box": "1", "amount": "20"}),
        (ann, {"type": "place-bet", "box": "1", "amount": "5", "wager": "magnificent-sevens"}),
        (DAN, {"type": "deal"}),
        *((DAN, {"type": "key-card", "card": card}) for card in ("7h", "9d", "7h")),
        (ann, {"type": "hit", "box": "1"}),
        *((DAN, {"type": "key-card", "card": card}) for card in ("7h", "8c")),
    ):
        must(bench, "m1", by, asked)


def settle(bench: Bench) -> None:
    must(bench, "m1", DAN, {"type": "proceed"})


def open_tournament(bench: Bench, name: str = "sevens") -> None:
    stream = f"tournament {name}"
    for command in (
        tc.LodgeTournament(terms=TERMS), tc.NameManager(name="tom"), tc.PublishTerms(), tc.TellInspectorate(),
        tc.OpenEntries(),
    ):  # fmt: skip
        must(bench, stream, MIA, msgspec.to_builtins(command))


def list_entries(bench: Bench, name: str = "sevens") -> list[str]:
    state = bench.desk.slots[f"tournament {name}"].now.state.state
    assert isinstance(state, TournamentState)
    return sorted(state.entries)


def count_won(bench: Bench) -> int:
    return len(bench.desk.house.entries_won)


def test_an_entry_is_granted_with_the_settlement_and_not_again_after_a_crash(bench: Bench) -> None:
    open_tournament(bench)
    deal_to_settlement(bench)
    assert (count_won(bench), list_entries(bench)) == (0, [])
    bench.asked += 1
    bench.desk.ask("m1", DAN, f"s{bench.asked}", {"type": "proceed"}, lambda answer: None)
    assert list_entries(bench) == ["ann"]
    bench.start()
    assert (count_won(bench), list_entries(bench)) == (0, []), "nothing of the settlement was stored"
    settle(bench)
    for _ in range(2):
        assert (count_won(bench), list_entries(bench)) == (1, ["ann"])
        bench.start()
    must(bench, "m1", DAN, {"type": "next-round"})
    assert (count_won(bench), list_entries(bench)) == (1, ["ann"])


def test_an_entry_waits_on_the_floor_for_the_next_tournament_and_goes_to_one_only(bench: Bench) -> None:
    deal_to_settlement(bench)
    settle(bench)
    bench.start()
    assert count_won(bench) == 1
    bench.now_ms += 1_000
    open_tournament(bench)
    assert list_entries(bench) == ["ann"]
    bench.now_ms += 1_000
    open_tournament(bench, "later")
    assert list_entries(bench, "later") == []
    must(bench, "tournament sevens", MIA, {"type": "cancel", "reason": "the room is needed"})
    assert list_entries(bench, "later") == ["ann"], "what was called off has granted nothing"
