"""A tournament on a served floor: played by its players' commands, killed in mid-round, resumed, and audited."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_desk import KEY, Bench
from floor_server import PASSWORD, Served, hire, serve, take_office

from pitboss import cli
from pitboss.floor import house_messages as hm
from pitboss.floor.documents import describe_public
from pitboss.floor.ledger import Unit, from_grains, prize_pool, stack_of, wallet
from pitboss.floor.terms.tournament_terms import read_tournament_terms
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments.tournament_kind import TOURNAMENT_KIND
from pitboss.floor.tournaments.tournament_robots import find_robot_step
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.floor.tournaments.tournament_views import show_tournament
from pitboss.money import Money
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.table import Phase, Refusal
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker

SPRING = "tournament spring"
TERMS = read_tournament_terms(
    (Path(__file__).parents[1] / "records" / "floor" / "tournaments" / "star.tournament.toml").read_text("utf-8")
)
STAFF = {"olga": "casino-operator", "tom": "tournament-manager", "sue": "gaming-supervisor"}
OLGA, TOM, SUE = (Asker(role, name) for name, role in STAFF.items())
PLAYERS = ("ann", "bob", "cat")


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    for name, role in STAFF.items():
        add = hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#")
        made.desk.ask_house(HOUSE, f"add {name}", add, lambda answer: None)
        given = hm.GiveRole(name=name, role=role, book="star")
        made.desk.ask_house(HOUSE, f"role {name}", given, lambda answer: None)
    for player in PLAYERS:
        made.admit(player)
    made.open("b1", "star/blackjack")
    assert made.desk.store_line()
    yield made
    made.desk.store_line()
    assert audit_floor(address, KEY).found == []
    made.store.close()


def ask(bench: Bench, by: Asker, command: tc.TournamentCommand) -> Answer:
    heard: list[Answer] = []
    bench.asked += 1
    asked = msgspec.to_builtins(command)
    bench.desk.ask_stream(SPRING, by, f"s{bench.asked}", asked, heard.append, "star")
    assert bench.desk.store_line()
    return heard[0]


def must(bench: Bench, by: Asker, command: tc.TournamentCommand) -> None:
    answer = ask(bench, by, command)
    assert isinstance(answer, Done), answer


def find_tournament(bench: Bench) -> TournamentState:
    state = bench.desk.slots[SPRING].now.state.state
    assert isinstance(state, TournamentState)
    return state


def look_up(bench: Bench, account: str, unit: Unit = Unit.CHIP) -> Money:
    return from_grains(bench.desk.balances.get((account, unit), 0))


def begin(bench: Bench, **format_changes: Any) -> None:
    form = msgspec.structs.replace(TERMS.format, **format_changes)
    must(bench, OLGA, tc.LodgeTournament(terms=msgspec.structs.replace(TERMS, format=form)))
    must(bench, OLGA, tc.NameManager(name="tom"))
    must(bench, OLGA, tc.PublishTerms())
    must(bench, OLGA, tc.OpenEntries())
    for player in PLAYERS:
        must(bench, Asker(PLAYER, player), tc.TakeEntry())
    must(bench, TOM, tc.DesignateTables(tables=("b1",)))
    for command in (tc.CloseEntries(), tc.DrawSeats(), tc.StartSession()):
        must(bench, TOM, command)


def play_on(bench: Bench, stop: Callable[[TournamentState], bool]) -> None:
    """Players ask in their own names, and everything else comes by the clock, or from whoever is in charge."""
    for _ in range(500):
        state = find_tournament(bench)
        if stop(state):
            return
        step = find_robot_step(state)
        assert step is not None
        command, by = step
        if by.role == PLAYER:
            must(bench, by, command)
        elif isinstance(command, tc.AnnounceResults):
            must(bench, TOM, command)
        elif isinstance(command, tc.PayPrizes):
            must(bench, OLGA, command)
        else:
            bench.now_ms += 21_000
            bench.desk.run_clocks()
            assert bench.desk.store_line()
    raise AssertionError("the tournament does not come so far")


def is_in_mid_round(state: TournamentState) -> bool:
    return any(table.table.phase is Phase.TURNS and table.round == 2 for table in state.in_play.values())


def test_a_tournament_killed_in_mid_round_goes_on_at_the_same_card_and_is_paid_once(bench: Bench) -> None:
    begin(bench)
    assert look_up(bench, prize_pool("spring")) == 300
    play_on(bench, is_in_mid_round)
    before = find_tournament(bench)
    chips = {key: look_up(bench, stack_of("spring", key), Unit.TOURNAMENT) for key in PLAYERS}
    bench.start()
    assert find_tournament(bench) == before
    assert {key: look_up(bench, stack_of("spring", key), Unit.TOURNAMENT) for key in PLAYERS} == chips
    play_on(bench, lambda state: state.phase is TournamentPhase.PAID)
    paid = [look_up(bench, wallet(player)) for player in PLAYERS]
    assert sorted(paid, reverse=True)[:2] == [900 + 180, 900 + 120]
    assert sum(paid) == 3000
    bench.start()
    again = ask(bench, OLGA, tc.PayPrizes())
    assert isinstance(again, Refusal)
    assert "20.3.2" in again.clauses
    assert [look_up(bench, wallet(player)) for player in PLAYERS] == paid


def test_a_designated_table_serves_nothing_else_until_the_tournament_is_over(bench: Bench) -> None:
    begin(bench)
    bench.start()
    assert bench.live("b1").kept.stream == "tournament spring"
    assert describe_public(bench.live("b1")).notice.closed
    refusal = bench.do("b1", "ann", {"type": "buy-in", "amount": "100"})
    assert isinstance(refusal, Refusal)
    assert "20.5.2" in refusal.clauses
    must(bench, OLGA, tc.CancelTournament(reason="a storm"))
    bench.start()
    assert not bench.live("b1").kept.stream
    assert not isinstance(bench.do("b1", "ann", {"type": "buy-in", "amount": "100"}), Refusal)


def test_who_wagers_out_of_turn_or_for_somebody_else_is_refused_and_nothing_changes(bench: Bench) -> None:
    begin(bench, order="marker")
    first, second, _ = find_tournament(bench).in_play["b1"].seats
    before = find_tournament(bench)
    early = ask(bench, Asker(PLAYER, second), tc.StakeChips(amount=Money(100)))
    assert isinstance(early, Refusal)
    assert "20.9.5" in early.clauses
    assert find_tournament(bench) == before
    must(bench, Asker(PLAYER, first), tc.StakeChips(amount=Money(100), player=second))
    assert list(find_tournament(bench).in_play["b1"].wagers) == [first]
    assert isinstance(ask(bench, Asker(PLAYER, first), tc.LoadCards(table="b1", cards=("Ah",))), Refusal)


def test_a_sealed_wager_is_shown_to_nobody_else_before_it_is_announced(bench: Bench) -> None:
    begin(bench, undisclosed_wagers=1)
    writer, *others = find_tournament(bench).in_play["b1"].seats
    must(bench, Asker(PLAYER, writer), tc.WriteForm(wager="main", amount=Money(375)))
    must(bench, SUE, tc.CheckForm(player=writer))
    for player in others:
        must(bench, Asker(PLAYER, player), tc.StakeChips(amount=Money(100)))
    for _ in range(3):
        bench.now_ms += 1
        bench.desk.run_clocks()
    assert bench.desk.store_line()
    state = find_tournament(bench)
    assert state.in_play["b1"].table.phase is not Phase.BETTING
    assert state.in_play["b1"].forms
    for by in (Asker(PLAYER), *(Asker(PLAYER, player) for player in others)):
        text = msgspec.json.encode(show_tournament(state, by)).decode()
        assert "375" not in text
        shown = show_tournament(state, by)
        assert shown["stacks"][writer] == 1000
        assert shown["tables"]["b1"]["forms"] == {writer: "indicator"}
    own = show_tournament(state, Asker(PLAYER, writer))
    assert own["tables"]["b1"]["forms"] == {writer: "main 375"}
    asked = bench.desk.slots[SPRING].now.state
    assert TOURNAMENT_KIND.state is type(asked.state)


def test_the_seed_of_a_draw_and_undealt_cards_are_never_shown(bench: Bench) -> None:
    must(bench, OLGA, tc.LodgeTournament(terms=TERMS))
    must(bench, OLGA, tc.NameManager(name="tom"))
    must(bench, OLGA, tc.PublishTerms())
    must(bench, OLGA, tc.OpenEntries())
    for player in PLAYERS:
        must(bench, Asker(PLAYER, player), tc.TakeEntry())
    must(bench, TOM, tc.DesignateTables(tables=("b1",)))
    must(bench, TOM, tc.CloseEntries())
    draw = find_tournament(bench).draw
    assert draw is not None
    for by in (Asker(PLAYER, "ann"), TOM, SUE):
        text = msgspec.json.encode(show_tournament(find_tournament(bench), by)).decode()
        assert draw.commitment in text
        assert draw.seed.hex() not in text
        assert msgspec.json.encode(draw.seed).decode().strip('"') not in text


def test_the_command_lodges_shows_and_exports_a_tournament_of_a_served_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def know_password() -> str:
        return PASSWORD

    monkeypatch.setattr("pitboss.cli.floors.served_streams.ask_password", know_password)
    terms = str(Path(__file__).parents[2] / "examples" / "spring.tournament.toml")

    async def story(served: Served) -> None:
        async def run(*words: str) -> int:
            return await asyncio.to_thread(cli.main, ["tournament", *words, "--floor", served.address])

        async with await take_office(served) as root, await hire(root, "olga", ("casino-operator", "star")):
            assert await run("show") == 0
            assert capsys.readouterr().err == "no tournament is open\n"
            assert await run("show", "a b") == 2
            assert capsys.readouterr().err == "pitboss: 'a b' is no name of a tournament\n"
            assert await run("open", terms) == 2
            assert await run("open", terms, "--name", "olga") == 0
            assert await run("open", terms, "--name", "olga") == 2
            assert "20.4.1" in capsys.readouterr().err
            assert await run("show") == 0
            assert capsys.readouterr().out.startswith("spring")
            assert await run("show", "spring") == 0
            assert capsys.readouterr().out.startswith("Spring tournament: lodged")
            assert await run("show", "autumn") == 2
            file = tmp_path / "spring.csv"
            assert await run("export", "spring", "--name", "olga", "--to", str(file)) == 0
            lines = list(csv.DictReader(file.read_text("utf-8").splitlines()))
            assert lines[0]["said"] == "The terms are lodged: star/blackjack, entry 100"
            assert "20.4.2(k)" in lines[0]["clauses"].split()

    serve(tmp_path, story)
