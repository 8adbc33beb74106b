"""The desk: every stream of a floor in memory, one writer each, and what is decided on its way to the disk.

`ask` decides at once on the newest state, which may be ahead of the disk. What is granted waits in line; `take_group`
hands out everything that waits, whoever drives the desk stores it in one transaction, and `confirm` sends the answers
and tells the observers. If the store fails, `go_back` puts every stream back to what is on the disk and says "not done"
to everybody whose answer is still out. The desk knows neither sockets nor threads; clock, chance and store are handed
in, so that a test can drive it by a seed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house as ho
from pitboss.floor import house_messages as hm
from pitboss.floor import house_state as hs
from pitboss.floor import live_decisions as ld
from pitboss.floor import live_table as lt
from pitboss.floor.dealing_machine import find_deadline, find_next_moment, list_machine_moves
from pitboss.floor.house_orders import check_dealer, check_told
from pitboss.floor.ledger import Transfer, Unit, add_up_changes, find_overdraft, from_grains, purse, wallet
from pitboss.floor.passing_on import list_unheard, mark_told, pass_on
from pitboss.floor.table_news import TableNews
from pitboss.floor.visibility import holds_secret
from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.server.live_stream import Backing, Done, LiveStream, NotDone, Reply, Step, read_stream
from pitboss.server.storage.rows import FIRST_DIGEST, LogEntry, LogRow, chain_digest
from pitboss.server.storage.store import CommandDone, LeaseLost, StoreError
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import (
    FLOOR,
    StreamPosition,
    encode_snapshot,
    fold_row,
    follow_round,
)  # fmt: skip
from pitboss.table import Limits, Refusal, begin_log
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker
from pitboss.table.state import Meter

IDS_KEPT = 5_000
"""Commands of each stream that are remembered; an older one is found in the log."""
SNAPSHOT_EVERY = 2_000
"""Rows after which a table's state is kept, so that it opens quickly."""
LONGEST_NAME = 64
RETRY_MS = 250
"""How long a table waits that cannot do what its clock asks for."""
LEASE_MS = 3_000
"""How long a process serves a stream after it was last heard of."""


class Desk:
    """All streams of a floor."""

    def __init__(
        self, store: Backing, vault: Vault, *, clock: Callable[[], int], entropy: Callable[[], bytes], owner: str,
        code_digest: str = "",
    ) -> None:  # fmt: skip
        self.store = store
        self.vault = vault
        self.clock = clock
        self.entropy = entropy
        self.owner = owner
        self.code_digest = code_digest
        self.slots: dict[str, LiveStream] = {}
        self.balances: dict[tuple[str, Unit], int] = {}
        self.line: list[Step] = []
        """What is decided and not handed out to be stored yet."""
        self.away: list[Step] = []
        """What is being stored now."""
        self.watch: Callable[[list[Step]], None] = lambda steps: None
        """Told of every group once it is stored, before its callers are."""
        self.catch_up: Callable[[LiveStream, StreamPosition], None] = lambda slot, before: None
        """Told of a stream that was found further on than it was thought to be, and where it stood."""
        self.wake: Callable[[], None] = lambda: None
        """Told when there is something to store."""
        self.frozen = ""
        """Why nothing is taken on now, as long as the store does not take anything."""
        self._deadlines: list[tuple[int, str]] = []

    # ------------------------------------------------------------------ opening

    def load(self) -> None:
        """Read every stream, and become the one who serves them."""
        streams = self.store.list_streams()
        now = self.clock()
        self.store.take(sorted({*streams, FLOOR}), self.owner, now, now + LEASE_MS)
        self.balances = self.store.read_balances()
        self.slots = {FLOOR: LiveStream(FLOOR, StreamPosition(hs.HouseState(), 0, FIRST_DIGEST))}
        for stream in streams:
            slot = read_stream(self.store, self.vault, stream)
            slot.ids = self.store.read_recent_ids(stream, IDS_KEPT)
            self.slots[stream] = slot
            self._check_purses(slot)
            self._set_deadline(slot)

    def _check_purses(self, slot: LiveStream) -> None:
        """Where ledger and log disagree the table stops: nothing is repaired by itself."""
        live = slot.now.state
        if isinstance(live, lt.LiveTable):
            for player, chips in live.purses.items():
                if self.balances.get((purse(live.name, player), live.unit), 0) != chips:
                    slot.stopped = f"the table is stopped: ledger and log disagree about the chips of {player}"

    @property
    def house(self) -> hs.HouseState:
        """The floor itself, as decided."""
        state: hs.HouseState = self.slots[FLOOR].now.state
        return state

    @property
    def tables(self) -> list[LiveStream]:
        """Every table."""
        return [slot for name, slot in self.slots.items() if name != FLOOR]

    def open_table(
        self, name: str, rules: Rules, *, kind: lt.TableKind, limits: Limits, clocks: lt.Clocks, bank: Money,
        meters: dict[str, Meter] | None = None,
    ) -> None:  # fmt: skip
        """Put a table into service."""
        self._take_table(name)
        opening = lt.TableSet(name=name, kind=kind, clocks=clocks, bank=bank)
        self._begin_table(lt.open_live(opening, begin_log(rules, limits, meters or {}), self.clock()), HOUSE)

    def _take_table(self, name: str) -> None:
        """Become the one who serves a table that is to open."""
        if name in self.slots or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME or set("/: ") & set(name):
            raise PitbossError(
                f"'{name[:LONGEST_NAME]}' cannot be the name of a table: it is taken, or has a sign in it"
            )
        now = self.clock()
        self.store.take([name], self.owner, now, now + LEASE_MS)

    def _begin_table(self, granted: lt.Granted, by: Asker) -> None:
        """The first row of a table, and what the floor has ordered before it opened."""
        live = granted.live
        slot = LiveStream(live.name, StreamPosition(None, 0, FIRST_DIGEST))
        self.slots[live.name] = slot
        self._append(slot, granted.events, live, granted.transfers, by, None, live.at_ms)
        self._pass_on(slot)

    # ------------------------------------------------------------------ asking

    def ask(self, stream: str, by: Asker, command_id: str, asked: object, reply: Reply) -> None:
        """Somebody asks something of a table; the reply comes at once if it is a refusal, else when it is stored."""
        slot = self.slots.get(stream)
        if slot is None or stream == FLOOR:
            reply(Refusal(f"there is no table {stream[:40]}", ()))
            return
        full_id = f"{by.name}:{command_id}"
        if not self._is_open(slot, full_id, reply):
            return
        if slot.stopped:
            reply(Refusal(slot.stopped, ()))
            return
        try:
            command = lt.convert_command(asked, by)
        except lt.StreamError as error:
            reply(Refusal(str(error), ()))
            return
        if not self._is_certain(self.slots[FLOOR]):
            reply(NotDone("the store does not answer"))
            return
        self._pass_on(slot)
        self._make_room(slot, command, by)
        answer = self._decide(slot, command, by, self.clock())
        if isinstance(answer, Refusal):
            reply(answer)
            return
        known = len(self.house.orders)
        self._grant(slot, answer, by, full_id, reply)
        if len(self.house.orders) > known:
            self._pass_on_everywhere()
        self._run_machine(slot)

    def _grant(
        self, slot: LiveStream, answer: lt.Granted, by: Asker, full_id: str | None = None, reply: Reply | None = None
    ) -> None:
        """A table's decision joins the line, behind what follows from it on the floor."""
        if answer.live.news and self._tell_floor(answer.live.news):
            answer = mark_told(answer)
        if reply is not None:
            slot.waiting.setdefault(slot.now.seq + 1, []).append(reply)
        self._append(slot, answer.events, answer.live, answer.transfers, by, full_id, answer.live.at_ms)

    def _tell_floor(self, news: tuple[TableNews, ...]) -> bool:
        """Let the floor hear the news of a table; False if it cannot be said where the floor stands."""
        floor = self.slots[FLOOR]
        if not self._is_certain(floor):
            return False
        for item in news:
            if item.number > self.house.heard.get(item.table, 0):
                answer = ho.decide_house(self.house, hm.HearTable(news=item), item.by, self.clock())
                assert not isinstance(answer, Refusal), answer.reason
                full_id = f"/{item.table}/{item.number}"
                self._append(floor, answer.events, answer.house, (), item.by, full_id, answer.house.at_ms)
        return True

    def _pass_on(self, slot: LiveStream) -> None:
        """Let the floor hear what it has not heard of a table, and the table the orders of the floor."""
        live = slot.now.state
        if live.news and self._tell_floor(live.news):
            told = mark_told(lt.Granted((), live, ()))
            self._append(slot, told.events, told.live, (), HOUSE, None, live.at_ms)
        for given in list_unheard(slot.now.state, self.house.orders):
            answer = pass_on(slot.now.state, given, self.clock())
            self._grant(slot, answer, given.by if len(answer.events) > 1 else HOUSE)

    def _pass_on_everywhere(self) -> None:
        """Let every table hear them, in the order of their names; all of it is stored in one transaction."""
        for slot in sorted(self.tables, key=lambda table: table.name):
            if slot.now.state.passed_on < len(self.house.orders) and not slot.stopped and self._is_certain(slot):
                self._pass_on(slot)
                self._run_machine(slot)

    def _decide(self, slot: LiveStream, command: lt.AnyTableCommand, by: Asker, now: int) -> lt.Granted | Refusal:
        live: lt.LiveTable = slot.now.state
        if by.role == PLAYER and isinstance(command, lt.BuyIn | cmd.PlaceBet):
            shut = hs.find_exclusion(self.house, by.name, live.table.rules.game, live.name)
            if shut is not None:
                return Refusal(f"{by.name} may not play here", shut.clauses)
        try:
            self._check_staff(slot, command, by, now)
        except Refused as refused:
            return Refusal(refused.reason, refused.clauses)
        funds = self.balances.get((wallet(by.name), Unit.CHIP), 0)
        entropy = self.entropy() if isinstance(command, lt.PressForPrize) else b""
        second = self.house.second_person
        above, within = (None, 0) if second is None else (second.above, second.within_ms)
        robot = by.role == PLAYER and self._is_robot(by.name)
        return ld.decide_live(live, ld.Asking(command, by, now, entropy, above, within, robot), funds)

    def find_wallet(self, name: str) -> Money:
        """What somebody has on the floor and not at a table."""
        return from_grains(self.balances.get((wallet(name), Unit.CHIP), 0))

    def _is_robot(self, name: str) -> bool:
        person = self.house.people.get(name)
        return person is not None and person.kind is hm.PersonKind.ROBOT

    def _make_room(self, slot: LiveStream, command: lt.AnyTableCommand, by: Asker) -> None:
        """Robots on a box that a person wants take their wagers off it."""
        live: lt.LiveTable = slot.now.state
        if not live.robots or by.role != PLAYER or by.name in live.robots or not isinstance(command, cmd.PlaceBet):
            return
        wanted = command.box.rstrip("ab")
        for bet in live.table.bets:
            if bet.player in live.robots and bet.box.rstrip("ab") == wanted:
                taken_off = cmd.RemoveBet(box=bet.box, player=bet.player, wager=bet.wager)
                robot = Asker(PLAYER, bet.player)
                answer = self._decide(slot, taken_off, robot, self.clock())
                if not isinstance(answer, Refusal):
                    self._grant(slot, answer, robot)

    def _check_staff(self, slot: LiveStream, command: lt.AnyTableCommand, by: Asker, now: int) -> None:
        """Refuse what the floor knows better than one table: who was told, and who deals where."""
        if by.role == PLAYER:
            return
        check_told(self.house, slot.name, command, now)
        if isinstance(command, od.ChangeDealer):
            check_dealer(self.house, slot.now.state.table.rules, command.name, slot.name)

    def ask_house(self, by: Asker, command_id: str, command: hm.HouseCommand, reply: Reply) -> None:
        """Somebody asks something of the floor."""
        slot = self.slots[FLOOR]
        full_id = f"{by.name}:{command_id}"
        if not self._is_open(slot, full_id, reply):
            return
        funds = 0
        if isinstance(command, hm.RedeemChips):
            funds = self.balances.get((wallet(command.name), Unit.CHIP), 0)
        named = self.slots.get(getattr(command, "table", ""))
        table = None if named is None or named.name == FLOOR else hm.list_facts(named.now.state)
        answer = ho.decide_house(slot.now.state, command, by, self.clock(), funds, table)
        if isinstance(answer, Refusal):
            reply(answer)
            return
        if isinstance(command, hm.OpenTable):
            try:
                self._take_table(command.name)
            except StoreError as error:
                reply(NotDone(_tell_failure(error)))
                return
            except PitbossError as error:
                reply(Refusal(str(error), ()))
                return
        slot.waiting.setdefault(slot.now.seq + 1, []).append(reply)
        self._append(slot, answer.events, answer.house, answer.transfers, by, full_id, answer.house.at_ms)
        for event in answer.events:
            if isinstance(event, hm.TableOrdered):
                self._open_ordered(event, by)
        self._pass_on_everywhere()

    def _open_ordered(self, ordered: hm.TableOrdered, by: Asker) -> None:
        """A table that somebody has ordered opens; its sign is not up yet."""
        rules = rules_for(ordered.game, side_wagers=list(ordered.side_wagers))
        limits = Limits(minimum=ordered.minimum, maximum=ordered.maximum, chip=ordered.chip)
        table = begin_log(rules, limits)
        table = msgspec.structs.replace(table, floor=msgspec.structs.replace(table.floor, sign="down"))
        opening = lt.TableSet(name=ordered.name, kind=ordered.kind, clocks=lt.Clocks(), bank=ordered.bank)
        self._begin_table(lt.open_live(opening, table, self.clock()), by)

    def _is_open(self, slot: LiveStream, full_id: str, reply: Reply) -> bool:
        """Something new may be decided; else the reply is given: the floor is frozen, or it was decided before."""
        if self.frozen:
            if slot.doubtful or not self._is_known(slot, full_id, reply):
                reply(NotDone(self.frozen))
            return False
        if not self._is_certain(slot):
            reply(NotDone("the store does not answer"))
            return False
        return not self._is_known(slot, full_id, reply)

    def _is_known(self, slot: LiveStream, full_id: str, reply: Reply) -> bool:
        """A command that was granted before has the same answer again; one that is on its way, when it is stored."""
        seq = slot.ids.get(full_id)
        if seq is None:
            return False
        if seq <= slot.durable.seq:
            reply(Done(seq))
        else:
            slot.waiting.setdefault(seq, []).append(reply)
        return True

    # ------------------------------------------------------------------ the machine and the clock

    def _run_machine(self, slot: LiveStream) -> None:
        """Let the machine do what it need not wait for."""
        while not slot.stopped and self._is_certain(slot):
            for move in list_machine_moves(slot.now.state, self.clock(), self.entropy):
                answer = ld.decide_live(slot.now.state, move)
                if not isinstance(answer, Refusal):
                    break
            else:
                return
            self._grant(slot, answer, move.by)

    def _set_deadline(self, slot: LiveStream) -> None:
        live = slot.now.state
        deadline = find_next_moment(live) if isinstance(live, lt.LiveTable) else None
        if deadline != slot.deadline_ms:
            slot.deadline_ms = deadline
            if deadline is not None:
                heapq.heappush(self._deadlines, (deadline, slot.name))

    def find_next_deadline(self) -> int | None:
        """When a clock runs out next."""
        while self._deadlines:
            deadline, name = self._deadlines[0]
            if self.slots[name].deadline_ms == deadline:
                return deadline
            heapq.heappop(self._deadlines)
        return None

    def run_clocks(self) -> None:
        """Go on at every table whose clock has run out; none does while the floor is frozen."""
        if self.frozen:
            return
        now = self.clock()
        late: list[LiveStream] = []
        while (deadline := self.find_next_deadline()) is not None and deadline <= now:
            slot = self.slots[heapq.heappop(self._deadlines)[1]]
            slot.deadline_ms = None
            self._run_machine(slot)
            late.append(slot)
        for slot in late:
            self._set_deadline(slot)
            if slot.deadline_ms is not None and slot.deadline_ms <= now:
                slot.deadline_ms = now + RETRY_MS
                heapq.heappush(self._deadlines, (slot.deadline_ms, slot.name))

    # ------------------------------------------------------------------ standing still

    def freeze(self, reason: str) -> None:
        """The store takes nothing: no clock runs, and nothing is decided that could not be kept."""
        self.frozen = reason

    def thaw(self) -> None:
        """The store takes everything again: tables go on at the same card, with the same time as before it."""
        self.frozen = ""
        self.restart_clocks()

    def restart_clocks(self) -> None:
        """Whoever a table waits for has their time once more."""
        for slot in self.tables:
            if slot.stopped or not self._is_certain(slot) or find_deadline(slot.now.state) is None:
                continue
            answer = ld.decide_live(slot.now.state, ld.Asking(lt.RestartClock(), ld.MACHINE, self.clock()))
            assert isinstance(answer, lt.Granted)
            self._grant(slot, answer, ld.MACHINE)

    # ------------------------------------------------------------------ the way to the disk

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
        sealed = holds_secret(events)
        if sealed:
            body = self.vault.seal(body, f"{slot.name}/{seq}")
        digest = chain_digest(slot.name, seq, at_ms, by.role, by.name, full_id, sealed, body, before.digest)
        row = LogRow(
            stream=slot.name, seq=seq, at_ms=at_ms, role=by.role, actor=by.name, command_id=full_id, sealed=sealed,
            body=body, previous=before.digest, digest=digest,
        )  # fmt: skip
        after, finished = follow_round(before, events, state, seq, digest, slot.name, self.code_digest)
        for account, change in changes.items():
            self.balances[account] = self.balances.get(account, 0) + change
        slot.now = after
        if full_id is not None:
            slot.ids[full_id] = seq
            if len(slot.ids) > 2 * IDS_KEPT:
                slot.ids = dict(list(slot.ids.items())[-IDS_KEPT:])
        self._set_deadline(slot)
        self.line.append(Step(slot, before, after, LogEntry(row, transfers, finished), events, changes))
        self.wake()

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
        self.watch(steps)
        for step in steps:
            for reply in step.slot.waiting.pop(step.after.seq, ()):
                reply(Done(step.after.seq))

    def go_back(self, error: StoreError) -> None:
        """The group could not be stored: every stream goes back to what is on the disk."""
        steps = [*self.away, *self.line]
        self.away, self.line = [], []
        for step in reversed(steps):
            for account, change in step.changes.items():
                self.balances[account] -= change
            slot, row = step.slot, step.entry.row
            slot.now = slot.durable
            if row.command_id is not None:
                slot.ids.pop(row.command_id, None)
            for reply in slot.waiting.pop(row.seq, ()):
                reply(NotDone(_tell_failure(error)))
        if isinstance(error, CommandDone):
            for (stream, full_id), seq in error.known.items():
                self.slots[stream].ids[full_id] = seq
        for step in steps:
            if step.slot.durable.seq == 0 and step.slot.name != FLOOR:
                self.slots.pop(step.slot.name, None)
                continue
            step.slot.doubtful = True
            self._set_deadline(step.slot)
        if isinstance(error, LeaseLost):
            for stream in error.streams:
                if stream in self.slots:
                    self.slots[stream].stopped = "another process serves this table now: connect again"

    def _is_certain(self, slot: LiveStream) -> bool:
        """It is known where the stream stands on the disk; where that is in doubt, the store is asked.

        A commit that failed may have been stored nevertheless: the answer was lost, not the rows.
        """
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
                slot.now = slot.durable = after
                self.catch_up(slot, before)
        except StoreError:
            return False
        slot.doubtful = False
        self._set_deadline(slot)
        return True

    def write_group(self, entries: list[LogEntry]) -> None:
        """Store a group that was handed out; for whoever drives the desk, in a thread of its own if it likes."""
        self.store.write(entries, self.owner, self.clock() + LEASE_MS)

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

    def list_heads(self) -> dict[str, tuple[int, bytes]]:
        """Where every stream stands on the disk."""
        return {name: (slot.durable.seq, slot.durable.digest) for name, slot in self.slots.items() if slot.durable.seq}

    def find_snapshot(self) -> tuple[LiveStream, int, bytes] | None:
        """A table whose state should be kept, and what to keep."""
        for slot in self.tables:
            at = slot.durable
            if at.seq - slot.snapshot_seq >= SNAPSHOT_EVERY:
                slot.snapshot_seq = at.seq
                return slot, at.seq, encode_snapshot(self.vault, slot.name, at)
        return None


def _tell_failure(error: StoreError) -> str:
    """What people are told of it: what the database itself says is for whoever runs the floor."""
    return str(error) if isinstance(error, CommandDone | LeaseLost) else "it could not be stored"
