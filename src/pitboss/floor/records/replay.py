"""A floor record played: every step asked of its stream, all money kept in one ledger, and what differs.

The floor passes its orders on to tables, and tables report to the floor, as a served floor does. After every step all
accounts of each unit must come to zero. A difference is a sentence; a record without one is correct.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.decided import Decided
from pitboss.floor.house import open_ordered
from pitboss.floor.house_orders import check_admitted
from pitboss.floor.house_state import HouseState
from pitboss.floor.jackpots.bet_managers import check_jackpot_wager
from pitboss.floor.ledger import Transfer, Unit, add_up_changes, find_imbalance, find_overdraft, from_grains
from pitboss.floor.records.expectations import compare_expected
from pitboss.floor.records.floor_record import ROBOTS, FloorRecord, FloorStep, RecordedTable
from pitboss.floor.records.house_kind import FLOOR
from pitboss.floor.records.kind import FloorNow, TableDecision
from pitboss.floor.records.read import describe_rules
from pitboss.floor.records.registry import find_kind
from pitboss.floor.records.table_kind import TABLE
from pitboss.floor.telling.passing_on import list_unheard, mark_told, pass_on
from pitboss.money import ZERO, show
from pitboss.records.replay import PlayedRound, names_clause, play_round
from pitboss.rulebooks import Rulebook
from pitboss.table import Refusal, begin_log, decide
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker

MOST_ROBOT_STEPS = 500_000
"""What robots do in one step of a record at most."""


class Happened(msgspec.Struct, frozen=True):
    """A decision of a stream: its state before, and the events."""

    stream: str
    before: Any
    events: tuple[Any, ...]
    at_ms: int


class PlayedStep(msgspec.Struct, frozen=True):
    """What became of a step: what happened on which streams, or why it was refused."""

    step: FloorStep
    happened: tuple[Happened, ...] = ()
    refusal: Refusal | None = None
    rounds: tuple[PlayedRound, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    differences: tuple[str, ...] = ()


class FloorReplay(msgspec.Struct, frozen=True):
    """A floor record and how it played."""

    record: FloorRecord
    opening: tuple[Happened, ...]
    steps: tuple[PlayedStep, ...]
    now: FloorNow
    at_its_end: tuple[str, ...]
    """What is not as expected after the last step."""

    @property
    def differences(self) -> tuple[str, ...]:
        """What is not as recorded, a sentence each."""
        found = [
            f"step {number} (line {played.step.line}): {difference}"
            for number, played in enumerate(self.steps, 1)
            for difference in played.differences
        ]
        return (*found, *self.at_its_end)

    @property
    def title(self) -> str:
        """What the record is about."""
        return self.record.title

    def explain(self) -> list[str]:
        """The record in words, step by step with its clauses."""
        from pitboss.floor.records.floor_explanation import explain_floor

        return explain_floor(self)

    def to_data(self) -> dict[str, Any]:
        """The record for programs."""
        from pitboss.floor.records.floor_explanation import floor_data

        return floor_data(self)

    @property
    def cited(self) -> frozenset[tuple[str, str]]:
        """Book and clause of everything that an event, a settlement or a refusal names.

        A refusal counts where the stream is of the record's own book: elsewhere it may rest on a clause of another.
        """
        found: set[tuple[str, str]] = set()
        for played in self.steps:
            for happened in played.happened:
                book = self._find_book(happened.stream)
                for event in happened.events:
                    found.update((getattr(event, "book", "") or book, clause) for clause in _list_clauses(event))
            if self._find_book(played.step.stream) == self.record.book:
                refusals = [played.refusal, *(item.refusal for game in played.rounds for item in game.steps)]
                found.update((self.record.book, clause) for item in refusals if item for clause in item.clauses)
        return frozenset(found)

    def _find_book(self, stream: str) -> str:
        word, _, name = stream.partition(" ")
        table = self.now.tables.get(name) if word == TABLE else None
        return self.record.book if table is None else table.table.rules.book


def _list_clauses(event: Any) -> tuple[str, ...]:
    """The clauses of an event, and of what happened in a game that it tells of."""
    settled = getattr(event, "settlement", None)
    inner = [clause for item in getattr(event, "events", ()) for clause in _list_clauses(item)]
    return (*getattr(event, "clauses", ()), *(settled.clauses if settled is not None else ()), *inner)


def replay_floor(record: FloorRecord, own_books: Iterable[Rulebook] = ()) -> FloorReplay:
    """Play a floor record from its opening to its last step."""
    floor = FloorPlayer(record, tuple(own_books))
    opening = floor.begin()
    steps = tuple(floor.play(step) for step in record.steps)
    now = floor.look()
    return FloorReplay(record, opening, steps, now, tuple(compare_expected(record.expect, now)))


def follow_record(record: FloorRecord, own_books: Iterable[Rulebook] = ()) -> FloorPlayer:
    """The floor of a record after its last step, to go on from there; a record that does not hold is refused."""
    replayed = replay_floor(record, own_books)
    if replayed.differences:
        raise PitbossError(f"{record.file}: {replayed.differences[0]}")
    floor = FloorPlayer(record, tuple(own_books))
    floor.begin()
    for step in record.steps:
        floor.play(step)
    return floor


class _Broken(Exception):
    """The ledger would not hold: what was decided is not taken over."""


class FloorPlayer:
    """The floor of one record between two steps."""

    def __init__(self, record: FloorRecord, own_books: tuple[Rulebook, ...]) -> None:
        self.record = record
        self.own_books = own_books
        self.at_ms = record.start_ms
        self.decided = 0
        self.hearing = False
        """Streams are hearing what was decided at a table: they tell tables when all have heard it."""
        self.house = HouseState()
        self.tables: dict[str, lt.LiveTable] = {}
        self.streams: dict[str, Any] = {}
        self.balances: dict[tuple[str, Unit], int] = {}
        self.happened: list[Happened] = []
        self.transfers: list[Transfer] = []
        self.rounds: list[PlayedRound] = []
        self.differences: list[str] = []

    def look(self) -> FloorNow:
        """Everything as it is now."""
        return FloorNow(
            book=self.record.book, at_ms=self.at_ms, house=self.house, tables=self.tables, streams=self.streams,
            balances=self.balances, entropy=self.draw_entropy(),
        )  # fmt: skip

    def draw_entropy(self) -> bytes:
        """Chance for the next decision, from the seed of the record and how many decisions came before it."""
        return hashlib.sha256(f"{self.record.seed}:{self.decided}".encode()).digest()

    # ------------------------------------------------------------------ the opening

    def begin(self) -> tuple[Happened, ...]:
        """People come in with their roles and chips, and tables open."""
        for person in self.record.people.values():
            kind = hm.PersonKind.MEMBER if person.roles else hm.PersonKind.GUEST
            self.must(FLOOR, hm.AddPerson(name=person.name, kind=kind, password_hash="#" * bool(person.roles)), HOUSE)
            for role, book in person.roles:
                self.must(FLOOR, hm.GiveRole(name=person.name, role=role, book=book), HOUSE)
            if person.chips:
                self.must(FLOOR, hm.IssueChips(name=person.name, amount=person.chips), HOUSE)
        for table in self.record.tables.values():
            self.open_table(table)
        opening = tuple(self.happened)
        self.happened.clear()
        self.transfers.clear()
        return opening

    def open_table(self, table: RecordedTable) -> None:
        rules = describe_rules(table).rules(self.own_books)
        opening = lt.TableSet(name=table.name, kind=table.dealt_by, clocks=lt.Clocks(), bank=table.bank)
        self.begin_table(lt.open_live(opening, begin_log(rules, table.sign), self.at_ms))
        for player, chips in table.players.items():
            self.must(FLOOR, hm.IssueChips(name=player, amount=chips), HOUSE)
            self.must(f"{TABLE} {table.name}", lt.BuyIn(player=player, amount=chips), Asker(PLAYER, player))

    def begin_table(self, granted: lt.Granted) -> None:
        self.move(granted.transfers)
        self.tables[granted.live.name] = granted.live
        self.pass_on_everywhere()

    def must(self, stream: str, command: Any, by: Asker) -> None:
        """Ask for what belongs to the record's opening."""
        if refusal := self.ask(stream, command, by):
            raise PitbossError(f"{self.record.file}: the record cannot begin: {refusal.why}")

    # ------------------------------------------------------------------ steps

    def play(self, step: FloorStep) -> PlayedStep:
        self.at_ms = step.at_ms
        refusal = None
        try:
            if step.rounds:
                self.play_rounds(step)
            elif step.do == ROBOTS:
                self.let_robots_play(step)
            else:
                refusal = self.ask(step.stream, step.command, step.by, tried=step.refused)
                self.compare_answer(step, refusal)
        except _Broken as error:
            self.differences.append(str(error))
        if find_imbalance(self.balances):
            self.differences.append("the accounts of a unit do not come to zero together")
        self.differences += self.list_disagreements()
        self.differences += compare_expected(step.expect, self.look())
        played = PlayedStep(
            step, tuple(self.happened), refusal, tuple(self.rounds), tuple(self.transfers), tuple(self.differences)
        )
        for kept in (self.happened, self.rounds, self.transfers, self.differences):
            kept.clear()
        return played

    def list_disagreements(self) -> Iterator[str]:
        """Where the ledger holds something else than a stream says."""
        for stream, state in self.streams.items():
            for account, unit, grains in find_kind(stream).list_holdings(state):
                found = self.balances.get((account, unit), 0)
                if found != grains:
                    says, holds = show(from_grains(grains)), show(from_grains(found))
                    yield f"{stream} says that {account} holds {says}, and the ledger {holds}"

    def compare_answer(self, step: FloorStep, refusal: Refusal | None) -> None:
        if not step.refused:
            if refusal is not None:
                self.differences.append(f"'{step.do}' is refused: {refusal.why}")
        elif refusal is None:
            self.differences.append(f"'{step.do}' is granted, and should be refused")
        elif step.clause and not names_clause(refusal.clauses, step.clause):
            cited = f"names {', '.join(refusal.clauses)}" if refusal.clauses else "names no clause"
            self.differences.append(f"'{step.do}' is refused, but the refusal {cited}: {refusal.reason}")
        elif step.says and step.says not in refusal.reason:
            self.differences.append(f"'{step.do}' is refused, but in other words: {refusal.reason}")

    # ------------------------------------------------------------------ asking

    def ask(self, stream: str, command: Any, by: Asker, *, tried: bool = False) -> Refusal | None:
        """Ask a stream; what was only `tried`, because it must be refused, is not taken over if it is granted."""
        kind, state = find_kind(stream), self.find_state(stream)
        answer = kind.decide(state, command, by, self.look())
        if isinstance(answer, Refusal):
            return answer
        if not tried:
            self.take(stream, state, answer)
        return None

    def find_state(self, stream: str) -> Any:
        word, _, name = stream.partition(" ")
        if word == FLOOR:
            return self.house
        if word == TABLE:
            return self.tables.get(name)
        if stream not in self.streams:
            return find_kind(stream).begin(name, self.record.book)
        return self.streams[stream]

    def take(self, stream: str, before: Any, answer: Decided[Any, Any]) -> None:
        """What was decided comes about, and what follows from it elsewhere."""
        self.decided += 1
        word = stream.partition(" ")[0]
        if word == TABLE:
            self.take_at_table(before, lt.Granted(answer.events, answer.state, answer.transfers))
            return
        kind = find_kind(stream)
        folded = functools.reduce(lambda state, event: kind.evolve(state, event, self.at_ms), answer.events, before)
        if folded != answer.state:
            self.differences.append(f"{stream}: its events do not lead to the state that was decided")
        self.move(answer.transfers)
        self.happened.append(Happened(stream, before, answer.events, self.at_ms))
        if word != FLOOR:
            self.streams[stream] = answer.state
            if not self.hearing:
                self.take_up()
                self.ask_tables(stream)
            return
        self.house = answer.state
        for event in answer.events:
            if isinstance(event, hm.TableOrdered):
                self.begin_table(open_ordered(event, self.at_ms))
        self.pass_on_everywhere()
        if answer.state.entries_won is not before.entries_won:
            self.take_up()

    def take_up(self) -> None:
        """Streams take up what the floor has heard; what they refuse waits."""
        for stream in tuple(self.streams):
            for command, asker in tuple(find_kind(stream).take_up(self.streams[stream], self.look())):
                self.ask(stream, command, asker)

    def ask_tables(self, stream: str) -> None:
        """What follows at tables from what a stream is now."""
        following = tuple(find_kind(stream).ask_tables(self.streams[stream], self.look()))
        for name, command, asker in following:
            self.ask(f"{TABLE} {name}", command, asker)

    def take_at_table(self, before: lt.LiveTable, granted: lt.Granted) -> None:
        """A decision of a table, what follows from it on the floor, and what other streams make of it."""
        news = granted.live.news
        if news:
            granted = mark_told(granted)
        self.move(granted.transfers)
        self.tables[before.name] = granted.live
        self.happened.append(Happened(f"{TABLE} {before.name}", before, granted.events, self.at_ms))
        for item in news:
            if refusal := self.ask(FLOOR, hm.HearTable(news=item), item.by):
                self.differences.append(f"the floor does not hear table {before.name}: {refusal.why}")
        decision = TableDecision(before, granted.live, granted.events)
        outermost, self.hearing = not self.hearing, True
        for stream in tuple(self.streams):
            for command, asker in find_kind(stream).hear_table(self.streams[stream], decision, self.look()):
                if refusal := self.ask(stream, command, asker):
                    self.differences.append(f"{stream} refuses what follows from table {before.name}: {refusal.why}")
        if outermost:
            self.hearing = False
            for stream in tuple(self.streams):
                self.ask_tables(stream)

    def pass_on_everywhere(self) -> None:
        for name in sorted(self.tables):
            for given in list_unheard(self.tables[name], self.house.orders):
                self.take_at_table(self.tables[name], pass_on(self.tables[name], given, self.at_ms))

    def move(self, transfers: tuple[Transfer, ...]) -> None:
        """Money moves, or nothing does."""
        for moved in transfers:
            if moved.amount <= 0:
                raise _Broken(f"a transfer from {moved.debit} to {moved.credit} moves nothing, or less")
        changes = add_up_changes(transfers)
        if account := find_overdraft(self.balances, changes):
            raise _Broken(f"{account} would be below zero")
        for account_and_unit, change in changes.items():
            self.balances[account_and_unit] = self.balances.get(account_and_unit, 0) + change
        self.transfers += transfers

    def let_robots_play(self, step: FloorStep) -> None:
        """Robots ask what comes next on a stream, to its end or until they come to a command, which is left."""
        kind = find_kind(step.stream)
        for done in range(MOST_ROBOT_STEPS):
            asked = kind.find_robot_step(self.find_state(step.stream), self.record.seed)
            if asked is None:
                break
            if done and asked[0].__struct_config__.tag == step.until:
                return
            if refusal := self.ask(step.stream, *asked):
                raise _Broken(f"a robot is refused: {refusal.why}")
        if step.until:
            raise _Broken(f"robots have nothing more to do, and have not come to '{step.until}'")

    # ------------------------------------------------------------------ rounds

    def play_rounds(self, step: FloorStep) -> None:
        """Whole rounds at a table, with the chips that players have there."""
        name = step.stream.partition(" ")[2]
        for recorded in step.rounds:
            live = self.tables[name]
            if shared := [name for link in live.links for name in link.meters if name in recorded.meters]:
                raise _Broken(f"table {name} shares {', '.join(shared)}: leave 'meters' out, its system has them")
            admit = functools.partial(self.find_bar, live)
            played = play_round(live.table, recorded, own_books=self.own_books, admit=admit)
            self.rounds.append(played)
            self.differences += played.differences
            for item in played.steps:
                if item.events:
                    self.play_decision(name, item.events)

    def find_bar(self, live: lt.LiveTable, command: cmd.PlaceBet, events: tuple[ev.Event, ...]) -> Refusal | None:
        """Why the floor takes no such wager at a table where this has happened in the round."""
        live = lt.fold_live(live, events, self.at_ms).live if events else live
        try:
            check_admitted(self.house, live, command.player)
            check_jackpot_wager(live, command)
        except Refused as refused:
            return Refusal(refused.reason, refused.clauses)
        answer = decide(live.table, command)
        if isinstance(answer, Refusal):
            return None  # the table says so itself
        too_dear = find_too_dear(live, lt.fold_live(live, answer.events, self.at_ms).live)
        return Refusal(too_dear, ()) if too_dear else None

    def play_decision(self, name: str, events: tuple[Any, ...]) -> None:
        live = self.tables[name]
        granted = lt.fold_live(live, events, self.at_ms)
        if too_dear := find_too_dear(live, granted.live):
            raise _Broken(too_dear)
        self.take_at_table(live, granted)


def find_too_dear(before: lt.LiveTable, after: lt.LiveTable) -> str:
    """Who has fewer chips at the table than a decision takes, if somebody has."""
    for player, left in after.purses.items():
        if left < 0:
            has = from_grains(before.purses.get(player, 0))
            takes = show(has - from_grains(left))
            return f"{player} has {show(has or ZERO)} at table {before.name}, and this takes {takes}"
    return ""
