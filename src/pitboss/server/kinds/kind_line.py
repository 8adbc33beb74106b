"""How streams of any kind are asked: by people, by their clocks, and by what is decided at tables.

They are served where the floor itself is. What follows on them from a decision of a table is stored in one transaction
with it, under an id that is made of the table and the number of its row: so it happens once, whatever breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pitboss.errors import PitbossError
from pitboss.floor.ledger import Unit, add_up_changes, find_overdraft, wallet
from pitboss.floor.live_table import AnyTableCommand, LiveTable, StreamError
from pitboss.floor.records.kind import Kind, TableDecision, ask_no_table, ignore_tables, take_nothing_up
from pitboss.floor.served.kind_stream import (
    KindGranted,
    KindStream,
    begin_kind,
    convert_kind_command,
    decide_kind,
    find_served_kind,
    get_kind,
    is_of_kind,
    list_served_kinds,
)
from pitboss.floor.served.surroundings import Surroundings
from pitboss.rulebooks import BOOKS
from pitboss.server.commit_line import ELSEWHERE, NO_STORE, CommitLine, tell_failure
from pitboss.server.live_stream import Backing, LiveStream, NotDone, Reply
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR
from pitboss.server.storage.store import LeaseLost
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import StreamPosition
from pitboss.table import Refusal
from pitboss.table.messages.askers import Asker

LONGEST_NAME = 64
MOST_IN_A_ROW = 100
"""How often a clock may run out at one moment before it has to wait."""


class KindLine(CommitLine):
    """The streams that are neither tables nor the floor itself."""

    def __init__(
        self, store: Backing, vault: Vault, *, clock: Callable[[], int], entropy: Callable[[], bytes], owner: str,
        code_digest: str = "", shared: bool = False, steady: Callable[[], int] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(store, vault, clock=clock, owner=owner, code_digest=code_digest, steady=steady)
        self.entropy = entropy
        self.shared = shared
        self.warn: Callable[[str], None] = lambda line: None
        """Told of a stream that does not do what follows by itself."""

    @property
    def kinds(self) -> list[LiveStream]:
        """Every stream that is served here and is neither a table nor the floor itself."""
        return [slot for name, slot in self.slots.items() if is_of_kind(name)]

    # ------------------------------------------------------------------ asking

    def ask_stream(
        self, stream: str, by: Asker, command_id: str, asked: object, reply: Reply, book: str = ""
    ) -> None:  # fmt: skip
        """Somebody asks something of a stream; the first who does opens it by a book."""
        floor = self.slots.get(FLOOR)
        if floor is None:
            reply(NotDone(ELSEWHERE))
            return
        kind = find_served_kind(stream)
        if kind is None:
            known = ", ".join(each.word for each in list_served_kinds()) or "none"
            reply(Refusal(f"there is no kind of stream for '{stream[:40]}'; there is: {known}", ()))
            return
        slot = self.slots.get(stream)
        full_id = f"{by.name}:{command_id}"
        if not self._is_open(floor if slot is None else slot, full_id if slot is not None else "", reply):
            return
        if not self._is_certain(floor):
            reply(NotDone(NO_STORE))
            return
        if slot is not None and slot.stopped:
            reply(Refusal(slot.stopped, ()))
            return
        try:
            before = self._find_or_begin(stream, slot, book)
            command = convert_kind_command(kind, asked, by)
            answer = self._decide_kind(before, command, by)
            if isinstance(answer, Refusal):
                reply(answer)
                return
            slot = slot or self._open_kind(stream)
        except StoreError as error:
            reply(NotDone(tell_failure(error)))
        except PitbossError as error:
            reply(Refusal(str(error), ()))
        else:
            slot.waiting.setdefault(slot.now.seq + 1, []).append(reply)
            self._take_over(slot, answer, by, full_id)
            self._take_up_everywhere()
            self._ask_tables(slot)
            self._run_kind_clock(slot)

    def _find_or_begin(self, stream: str, slot: LiveStream | None, book: str) -> KindStream:
        """A stream as it stands, or before its first command."""
        if slot is not None:
            known: KindStream = slot.now.state
            if book not in ("", known.book):
                raise StreamError(f"{stream} was opened by the book {known.book}")
            return known
        name = stream.partition(" ")[2]
        if not name.isprintable() or len(name) > LONGEST_NAME or set("/: ") & set(name):
            raise StreamError(f"'{name[:LONGEST_NAME]}' cannot be a name: use letters, digits and hyphens")
        if book not in BOOKS:
            raise StreamError(f"there is no {stream} yet: whoever opens it names its book ({', '.join(BOOKS)})")
        return begin_kind(stream, book)

    def _open_kind(self, stream: str) -> LiveStream:
        """Become the one who serves a new stream."""
        tokens = self.store.take([stream], self.owner)
        if not tokens:
            raise LeaseLost([stream])
        slot = self.slots[stream] = LiveStream(stream, StreamPosition(None, 0, FIRST_DIGEST))
        slot.token = tokens[stream]
        return slot

    # ------------------------------------------------------------------ deciding

    def _decide_kind(self, before: KindStream, command: Any, by: Asker) -> KindGranted | Refusal:
        """The answer to a command; what would bring an account below zero is refused."""
        around = self._look_around()
        now = around.look(before.book, max(self.clock(), before.at_ms), self.entropy())
        answer = decide_kind(before, command, by, now, around.rests_on, around.funds)
        if isinstance(answer, Refusal):
            return answer
        changes = add_up_changes(answer.transfers)
        for account in changes:
            self._find_balance(account)
        short = find_overdraft(self.balances, changes)
        return Refusal(f"there is not enough in {short}", ()) if short else answer

    def _look_around(self) -> Surroundings:
        """What a decision may see: every stream that is served here, and every account."""

        def find(name: str) -> tuple[int, Any]:
            slot = self.slots.get(name)
            return (0, None) if slot is None else (slot.now.seq, slot.now.state)

        return Surroundings(find, lambda: self.slots, self._find_balance, self._list_accounts)

    def _find_balance(self, account: tuple[str, Unit]) -> int:
        """What is in an account, in grains.

        On a shared floor other processes move accounts too, so the store is asked, unless some of it is on its way to
        the disk from here. Should it be spent elsewhere meanwhile, the store refuses the second decision.
        """
        if self.shared and not any(account in step.changes for step in (*self.away, *self.line)):
            self.balances[account] = self.store.read_some_balances([account[0]]).get(account, 0)
        return self.balances.get(account, 0)

    def _list_accounts(self) -> Iterable[tuple[str, Unit]]:
        return self.store.read_balances() if self.shared else self.balances

    def _find_funds(self, name: str) -> int:
        """What somebody has in their wallet, in grains."""
        return self._find_balance((wallet(name), Unit.CHIP))

    def _take_over(self, slot: LiveStream, answer: KindGranted, by: Asker, full_id: str | None) -> None:
        """A decision joins the line."""
        self._append(slot, answer.events, answer.stream, answer.transfers, by, full_id, answer.stream.at_ms)

    # ------------------------------------------------------------------ clocks and tables

    def _run_kind_clock(self, slot: LiveStream) -> None:
        """Ask for what is due because a clock of the stream has run out."""
        kind = get_kind(slot.name)
        for _ in range(MOST_IN_A_ROW):
            now = max(self.clock(), slot.now.state.at_ms)
            moment = kind.find_next_moment(slot.now.state.state)
            if moment is None or moment > now or slot.stopped or not self._is_certain(slot):
                return
            moved, refused = False, ""
            for command, by in list(kind.ask_at(slot.now.state.state, now)):
                answer = self._follow_on(slot, command, by, None)
                moved, refused = moved or answer is None, refused or (answer.why if answer is not None else "")
            if not moved:
                self._warn_once(slot, refused)
                return
            self._ask_tables(slot)

    def _warn_once(self, slot: LiveStream, refused: str) -> None:
        """A clock has run out and nothing can follow: whoever runs the floor is told once for each row."""
        if slot.warned < slot.now.seq:
            slot.warned = slot.now.seq
            self.warn(f"the clock of {slot.name} has run out, and nothing follows: {refused or 'nothing is due'}")

    def _follow_on(self, slot: LiveStream, command: Any, by: Asker, full_id: str | None) -> Refusal | None:
        """Ask a stream for what follows by itself; why not, if it is refused."""
        answer = self._decide_kind(slot.now.state, command, by)
        if isinstance(answer, Refusal):
            return answer
        self._take_over(slot, answer, by, full_id)
        return None

    def _list_followers(self) -> list[tuple[LiveStream, Kind]]:
        """The streams that hear what is decided at tables, in the order of their names."""
        found = []
        for slot in sorted(self.kinds, key=lambda each: each.name):
            kind = get_kind(slot.name)
            if kind.hear_table is not ignore_tables and not slot.stopped:
                found.append((slot, kind))
        return found

    def _are_followers_certain(self) -> bool:
        """It is known where every stream stands that has to hear what is decided at tables."""
        return all(self._is_certain(slot) for slot, _ in self._list_followers())

    def _let_hear(self, table: LiveStream, before: Any, events: tuple[Any, ...]) -> None:
        """Streams hear a decision of a table that has just joined the line, and join it with what follows.

        A stream that refuses what must follow is stopped: nothing is repaired by itself.
        """
        if not isinstance(before, LiveTable):
            return
        decision, seq = TableDecision(before, table.now.state, events), table.now.seq
        followers = self._list_followers()
        for slot, kind in followers:
            try:
                now = self._look_around().look(slot.now.state.book, max(self.clock(), slot.now.state.at_ms), b"")
                for number, (command, by) in enumerate(kind.hear_table(slot.now.state.state, decision, now)):
                    refused = self._follow_on(slot, command, by, f"/{table.name}/{seq}/{number}")
                    if refused is not None:
                        raise StreamError(refused.why)
            except Exception as error:  # whatever goes wrong on a stream, the table has decided
                slot.stopped = (
                    f"{slot.name} is stopped: it does not follow row {seq} of table {table.name}: "
                    f"{' '.join(str(error).split()) or type(error).__name__}"
                )
                self.warn(slot.stopped)
        for slot, _ in followers:
            self._ask_tables(slot)

    def _take_up(self, slot: LiveStream) -> None:
        """A stream takes up what the floor has heard; what it refuses waits, and is asked again later."""
        kind = get_kind(slot.name)
        if kind.take_up is take_nothing_up or slot.stopped or not self._is_certain(slot):
            return
        now = self._look_around().look(slot.now.state.book, max(self.clock(), slot.now.state.at_ms), b"")
        for command, by in list(kind.take_up(slot.now.state.state, now)):
            self._follow_on(slot, command, by, None)

    def _take_up_everywhere(self) -> None:
        """Every stream takes up what the floor has heard, in the order of their names."""
        for slot in sorted(self.kinds, key=lambda each: each.name):
            self._take_up(slot)

    def _list_follow_ups(self, slot: LiveStream) -> list[tuple[str, AnyTableCommand, Asker]]:
        """What tables are to be asked because of what a stream is now."""
        kind = get_kind(slot.name)
        if kind.ask_tables is ask_no_table or slot.stopped:
            return []
        now = self._look_around().look(slot.now.state.book, max(self.clock(), slot.now.state.at_ms), b"")
        return list(kind.ask_tables(slot.now.state.state, now))

    def _ask_tables(self, slot: LiveStream) -> None:
        """Tables follow a stream, whatever serves them."""
