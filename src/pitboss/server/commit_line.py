"""The line to the disk: what is decided waits here to be stored, and callers wait for it.

What is decided joins the line with `_append`; `take_group` hands out everything that waits, whoever drives the desk
stores it in one transaction, and `confirm` sends the answers and tells the observers. If the store fails, `go_back`
puts every stream back to what is on the disk and says "not done" to everybody whose answer is still out. An answer
waits longer where something binds others too: until the floor has heard the news of a table, and every process what
the floor has decided.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.floor import house_messages as hm
from pitboss.floor import house_state as hs
from pitboss.floor import live_table as lt
from pitboss.floor.ledger import Transfer, Unit, add_up_changes, find_overdraft
from pitboss.floor.served.kind_stream import is_of_kind, is_table_name
from pitboss.floor.telling.table_news import TableNews
from pitboss.floor.visibility import holds_secret
from pitboss.server.live_stream import (
    Answer,
    Backing,
    Deadlines,
    Done,
    LiveStream,
    NotDone,
    Reply,
    Step,
    is_between_rounds,
    list_accounts,
)
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR, LogEntry, LogRow, chain_digest
from pitboss.server.storage.store import CommandDone, LeaseLost, Overdrawn
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import StreamPosition, can_be_kept, encode_snapshot, fold_row, follow_round
from pitboss.table.messages.askers import HOUSE, Asker

IDS_KEPT = 5_000
"""Commands of each stream that are remembered; an older one is found in the log."""
SNAPSHOT_EVERY = 1_000
"""Rows after which a table's state is kept, so that it opens quickly and old rows are read from near by."""
ELSEWHERE = "another process serves this table now: ask again"
NO_STORE = "the store does not answer"
QUIET = (
    hm.PersonAdded, hm.ChipsIssued, hm.ChipsRedeemed, hm.FloatFilled, hm.FactorOffered, hm.FactorUsed,
    hm.RecoveryUsed,
)  # fmt: skip
"""What happens on the floor and changes nothing for those who decide elsewhere; everything else is heard by every
process before it is acknowledged."""


class CommitLine:
    """The streams that this process serves, what is decided on them, and what of it is on the disk."""

    def __init__(
        self, store: Backing, vault: Vault, *, clock: Callable[[], int], owner: str, code_digest: str = "",
        steady: Callable[[], int] | None = None,
    ) -> None:  # fmt: skip
        self.store = store
        self.vault = vault
        self.clock = clock
        self.steady = steady or clock
        """Milliseconds that nobody can change, by which the time of leases is measured."""
        self.owner = owner
        self.code_digest = code_digest
        self.slots: dict[str, LiveStream] = {}
        self.elsewhere: frozenset[str] = frozenset()
        """Streams that other processes serve, or nobody does."""
        self.leaving: frozenset[str] = frozenset()
        """Tables that are to move to another process: they begin no further round here."""
        self.gathers = False
        """One process serves everything, because there are streams that hear what is decided at tables."""
        self.good_until_ms: int | None = None
        """Until when the others take it that this process lives, by `steady`; none where there are no others."""
        self.floor_at = StreamPosition(hs.HouseState(), 0, FIRST_DIGEST)
        """The floor itself as it was last read, while another process serves it."""
        self.binding_seq = 0
        """The last row of the floor itself that every process must hear."""
        self.balances: dict[tuple[str, Unit], int] = {}
        self.line: list[Step] = []
        """What is decided and not handed out to be stored yet."""
        self.away: list[Step] = []
        """What is being stored now."""
        self.frozen = ""
        """Why nothing is taken on now, as long as the store does not take anything."""
        self.deadlines = Deadlines(self.slots)
        self.watch: Callable[[list[Step]], None] = lambda steps: None
        """Told of every group once it is stored, before its callers are."""
        self.catch_up: Callable[[LiveStream, StreamPosition], None] = lambda slot, before: None
        """Told of a stream that was found further on than it was thought to be, and where it stood."""
        self.wake: Callable[[], None] = lambda: None
        """Told when there is something to store."""
        self.ready_to_move: Callable[[], None] = lambda: None
        """Told when a table that is to move has come to the end of its round."""
        self.gone: Callable[[str], None] = lambda stream: None
        """Told of a stream that this process serves no longer."""
        self.tell_floor: Callable[[TableNews, Reply], None] = lambda news, reply: None
        """Brings the news of a table to the process that serves the floor itself."""
        self.spread: Callable[[int, Done, Reply], None] = lambda seq, answer, reply: reply(answer)
        """Answers once every process has read the floor's log as far as this row."""

    @property
    def house(self) -> hs.HouseState:
        """The floor itself, as decided; as it was last read where another process serves it."""
        slot = self.slots.get(FLOOR)
        state: hs.HouseState = (self.floor_at if slot is None else slot.now).state
        return state

    @property
    def stored_house(self) -> hs.HouseState:
        """The floor itself, as it is stored."""
        slot = self.slots.get(FLOOR)
        state: hs.HouseState = (self.floor_at if slot is None else slot.durable).state
        return state

    @property
    def floor_seq(self) -> int:
        """How far the log of the floor itself is known here."""
        slot = self.slots.get(FLOOR)
        return (self.floor_at if slot is None else slot.durable).seq

    @property
    def is_good(self) -> bool:
        """The others take it that this process lives, if there are others."""
        return self.good_until_ms is None or self.steady() < self.good_until_ms

    def is_idle(self, slot: LiveStream) -> bool:
        """Between two rounds, with nothing on its way to the disk: a table that may move to another process."""
        waits = slot.waiting or slot.held or slot.doubtful
        return is_between_rounds(slot) and slot.now is slot.durable and not waits

    def can_go(self, slot: LiveStream) -> bool:
        """A stream that leaves may move to another process now: between two rounds, or, where one process is to serve
        everything, whenever nothing of it is on its way to the disk."""
        if not self.gathers:
            return self.is_idle(slot)
        return slot.now is slot.durable and not (slot.waiting or slot.held or slot.doubtful)

    # ------------------------------------------------------------------ deciding

    def _append(
        self, slot: LiveStream, events: tuple[Any, ...], state: Any, transfers: tuple[Transfer, ...], by: Asker,
        full_id: str | None, at_ms: int,
    ) -> None:  # fmt: skip
        """A decision joins the line; from now on everything is decided on the state after it."""
        before = slot.now
        seq = before.seq + 1
        transfers = tuple(transfers)
        changes = add_up_changes(transfers)
        overdrawn = find_overdraft(self.balances, changes)
        assert not overdrawn, f"a decision of {slot.name} overdraws {overdrawn}"
        body = (hm.encode_house_row if slot.name == FLOOR else lt.encode_row)(events)
        sealed = is_of_kind(slot.name) or holds_secret(events)
        if sealed:
            body = self.vault.seal(body, f"{slot.name}/{seq}")
        digest = chain_digest(slot.name, seq, at_ms, by.role, by.name, full_id, sealed, body, before.digest)
        row = LogRow(
            stream=slot.name, seq=seq, at_ms=at_ms, role=by.role, actor=by.name, command_id=full_id, sealed=sealed,
            body=body, previous=before.digest, digest=digest,
        )  # fmt: skip
        after, finished = follow_round(before, events, state, seq, digest, slot.name)
        for account, change in changes.items():
            self.balances[account] = self.balances.get(account, 0) + change
        slot.now = after
        if full_id is not None:
            slot.ids[full_id] = seq
            if len(slot.ids) > 2 * IDS_KEPT:
                slot.ids = dict(list(slot.ids.items())[-IDS_KEPT:])
        self.deadlines.set(slot)
        self.line.append(Step(slot, before, after, LogEntry(row, transfers, finished), events, changes))
        self.wake()

    def _is_open(self, slot: LiveStream, full_id: str, reply: Reply) -> bool:
        """Something new may be decided; else the reply is given: the floor is frozen, or it was decided before."""
        if self.frozen:
            if slot.doubtful or not self._is_known(slot, full_id, reply):
                reply(NotDone(self.frozen))
            return False
        if not self._is_certain(slot):
            reply(NotDone(NO_STORE))
            return False
        return not self._is_known(slot, full_id, reply)

    def _is_known(self, slot: LiveStream, full_id: str, reply: Reply) -> bool:
        """A command that was granted before has the same answer again; one that is on its way, when it is stored."""
        seq = slot.ids.get(full_id)
        if seq is None:
            return False
        if seq > slot.durable.seq:
            slot.waiting.setdefault(seq, []).append(reply)
        else:
            self._acknowledge(slot, seq, reply)
        return True

    # ------------------------------------------------------------------ storing

    def take_group(self) -> list[LogEntry]:
        """Everything that waits to be stored; one group is out at a time."""
        assert not self.away, "a group is being stored"
        self.away, self.line = self.line, []
        return [step.entry for step in self.away]

    def confirm(self) -> None:
        """The group is on the disk: tell observers and callers."""
        steps, self.away = self.away, []
        for step in steps:
            step.slot.durable = step.after
            if step.slot.name == FLOOR and binds(step.events):
                self.binding_seq = step.after.seq
        self.watch(steps)
        for step in steps:
            for reply in step.slot.waiting.pop(step.after.seq, ()):
                if _is_heard_by_others(step):
                    self._acknowledge(step.slot, step.after.seq, reply)
                else:
                    reply(Done(step.after.seq))
        for step in steps:
            self._tell_elsewhere(step.slot)
        if any(step.slot.name in self.leaving and self.can_go(step.slot) for step in steps):
            self.ready_to_move()

    def _acknowledge(self, slot: LiveStream, seq: int, reply: Reply) -> None:
        """Say that something is done, once everybody has heard of it who has to."""
        live = slot.durable.state
        if slot.name == FLOOR:
            self.spread(self.binding_seq, Done(seq), reply)
        elif is_of_kind(slot.name) or live.news_counted <= slot.told:
            reply(Done(seq))
        elif self.slots.get(slot.name) is not slot:
            reply(NotDone(ELSEWHERE))
        elif live.news and self._is_told_soon(slot, seq, reply):
            return
        elif live.news:
            slot.held.append((live.news_counted, seq, reply))
        elif live.news_counted > self.house.heard.get(slot.name, 0):
            reply(NotDone(ELSEWHERE))
        else:
            self.spread(self.binding_seq, Done(seq), reply)

    def _is_told_soon(self, slot: LiveStream, seq: int, reply: Reply) -> bool:
        """The floor hears the news of a table by a decision that is on its way to the disk: the answer waits for it."""
        if any(item.number <= slot.durable.state.news_counted for item in slot.now.state.news):
            return False

        def go_on(answer: Answer) -> None:
            if isinstance(answer, Done):
                self._acknowledge(slot, seq, reply)
            else:
                reply(answer)

        slot.waiting.setdefault(slot.now.seq, []).append(go_on)
        return True

    def _tell_elsewhere(self, slot: LiveStream) -> None:
        """Bring the news of a table, one after another, to the floor that another process serves."""
        if not is_table_name(slot.name) or FLOOR in self.slots or slot.telling or not slot.durable.state.news:
            return
        number = slot.telling = slot.durable.state.news[0].number

        def hear(answer: Answer) -> None:
            slot.telling = 0
            if isinstance(answer, Done) and self.slots.get(slot.name) is slot:
                self._note_told(slot, number)

        self.tell_floor(slot.durable.state.news[0], hear)

    def _note_told(self, slot: LiveStream, number: int) -> None:
        """The floor has heard the news of a table up to this number."""
        slot.told = number
        held, slot.held = slot.held, []
        for waits_for, seq, reply in held:
            if waits_for <= number:
                reply(Done(seq))
            else:
                slot.held.append((waits_for, seq, reply))
        live = slot.now.state
        if live.news and live.news[0].number <= number and not self.frozen and self._is_certain(slot):
            told = lt.fold_live(slot.now.state, (lt.FloorTold(number=number),), self.clock())
            self._append(slot, told.events, told.live, (), HOUSE, None, told.live.at_ms)

    def write_group(self, entries: list[LogEntry]) -> None:
        """Store a group that was handed out; for whoever drives the desk, in a thread of its own if it likes."""
        self.store.write(entries, self.owner, self.list_tokens())

    def list_tokens(self) -> dict[str, int]:
        """The tokens of the leases without which the group that was handed out may not be stored."""
        return {step.slot.name: step.slot.token for step in self.away}

    def store_line(self) -> bool:
        """Store everything that waits, here and now; False if it could not be."""
        entries = self.take_group()
        if not entries:
            return True
        try:
            self.write_group(entries)
        except StoreError as error:
            self.go_back(error)
            return False
        self.confirm()
        return True

    def find_snapshot(self) -> tuple[LiveStream, int, bytes] | None:
        """A stream whose state should be kept, and what to keep."""
        for name, slot in self.slots.items():
            at = slot.durable
            if at.seq - slot.snapshot_seq >= SNAPSHOT_EVERY and can_be_kept(name):
                slot.snapshot_seq = at.seq
                return slot, at.seq, encode_snapshot(self.vault, slot.name, at)
        return None

    # ------------------------------------------------------------------ when it fails

    def go_back(self, error: StoreError) -> None:
        """The group could not be stored: every stream goes back to what is on the disk.

        Where chips were spent elsewhere meanwhile, only the streams that spent them here go back; the rest waits to be
        stored again.
        """
        steps = [*self.away, *self.line]
        self.away, self.line = [], []
        if isinstance(error, Overdrawn):
            undone, self.line = _part_dependent(steps, error.streams)
            self._undo(undone, NotDone(tell_failure(error)))
            return
        for step in steps:
            step.slot.doubtful = True
        self._undo(steps, NotDone(tell_failure(error)))
        if isinstance(error, CommandDone):
            for (stream, full_id), seq in error.known.items():
                if stream in self.slots:
                    self.slots[stream].ids[full_id] = seq
        if isinstance(error, LeaseLost):
            for stream in error.streams:
                self.forget(stream)

    def forget(self, stream: str) -> None:
        """Serve a stream no longer: what is not stored of it is not done, and whoever watches it has to come again."""
        slot = self.slots.pop(stream, None)
        if slot is None:
            return
        self.elsewhere |= {stream}
        undone, self.line = _part_dependent(self.line, (stream,))
        self._undo(undone, NotDone(ELSEWHERE))
        for _, _, reply in slot.held:
            reply(NotDone(ELSEWHERE))
        if stream == FLOOR:
            self.floor_at = slot.durable
            if any(is_of_kind(name) for name in self.slots):
                for name in list(self.slots):
                    self.forget(name)
        elif slot.durable.state is not None:
            for name in list_accounts(slot.durable.state):
                for unit in Unit:
                    self.balances.pop((name, unit), None)
        self.gone(stream)

    def _undo(self, steps: list[Step], answer: NotDone) -> None:
        """These decisions are not done; their streams stand where they stood before the first of them."""
        for step in reversed(steps):
            for account, change in step.changes.items():
                self.balances[account] = self.balances.get(account, 0) - change
            slot, row = step.slot, step.entry.row
            slot.now = step.before
            if row.command_id is not None:
                slot.ids.pop(row.command_id, None)
            for reply in slot.waiting.pop(row.seq, ()):
                reply(answer)
        for step in steps:
            if step.slot.now.seq == 0 and step.slot.name != FLOOR:
                self.slots.pop(step.slot.name, None)
            else:
                self.deadlines.set(step.slot)

    def _is_certain(self, slot: LiveStream) -> bool:
        """It is known where the stream stands on the disk; where that is in doubt, the store is asked.

        A commit that failed may have been stored nevertheless: the answer was lost, not the rows. A process that was
        asleep for longer than its lease decides nothing until it knows what it still serves.
        """
        if not self.is_good:
            return False
        if not slot.doubtful:
            return True
        try:
            head = self.store.find_head(slot.name)
            if head is not None and head[0] > slot.durable.seq:
                before, after = slot.durable, slot.durable
                for row in self.store.read_log(slot.name, slot.durable.seq):
                    folded = fold_row(after, row, self.vault)
                    after = folded.after
                    for account, change in add_up_changes(folded.transfers).items():
                        self.balances[account] = self.balances.get(account, 0) + change
                    if row.command_id is not None:
                        slot.ids[row.command_id] = row.seq
                    if slot.name == FLOOR and binds(folded.events):
                        self.binding_seq = row.seq
                slot.now = slot.durable = after
                self.catch_up(slot, before)
        except StoreError:
            return False
        slot.doubtful = False
        self.deadlines.set(slot)
        return True

    def clear_doubts(self) -> None:
        """Find out where the streams stand whose last group failed, though nobody asks them for anything."""
        for slot in [slot for slot in self.slots.values() if slot.doubtful]:
            self._is_certain(slot)


def tell_failure(error: StoreError) -> str:
    """What people are told of it: what the database itself says is for whoever runs the floor."""
    return str(error) if isinstance(error, CommandDone | LeaseLost | Overdrawn) else "it could not be stored"


def binds(events: tuple[Any, ...]) -> bool:
    """Something has happened on the floor that every process must know before it decides anything further."""
    return not all(isinstance(event, QUIET) for event in events)


def _is_heard_by_others(step: Step) -> bool:
    """Somebody else has to hear of a decision: every process of one that binds, the floor of the news of a table."""
    if step.slot.name == FLOOR:
        return binds(step.events)
    if is_of_kind(step.slot.name):
        return False
    before, after = step.before.state, step.after.state
    return before is not None and (after.news_counted, after.news) != (before.news_counted, before.news)


def _part_dependent(steps: list[Step], streams: tuple[str, ...]) -> tuple[list[Step], list[Step]]:
    """The decisions that cannot stand without those of some streams, and the others.

    Floor, tables and other streams rest on each other where one has heard what the other has decided, or has looked at
    it; so all go where the floor or such a stream is among them.
    """
    if not all(is_table_name(step.slot.name) for step in steps):
        return steps, []
    own = [step for step in steps if step.slot.name in streams]
    return own, [step for step in steps if step.slot.name not in streams]
