"""The desk: every stream of a floor in memory, one writer each, and what people, machine and clock ask of them.

`ask` decides at once on the newest state, which may be ahead of the disk; what is granted joins the line to the disk.
Where several processes serve a floor, a desk has some of its streams: the floor itself is then known as it was last
read, orders of the floor are passed on to the tables here, and news of the tables are brought to the floor. The desk
knows neither sockets nor threads; clock, chance and store are handed in, so that a test can drive it by a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pitboss.errors import PitbossError
from pitboss.floor import house as ho
from pitboss.floor import house_messages as hm
from pitboss.floor import live_decisions as ld
from pitboss.floor import live_table as lt
from pitboss.floor.dealing_machine import find_deadline, list_machine_moves
from pitboss.floor.house_orders import check_with_floor
from pitboss.floor.jackpots.meter_links import find_link
from pitboss.floor.ledger import Unit, bet_manager, from_grains, purse, wallet
from pitboss.floor.served.kind_stream import is_table_name
from pitboss.floor.telling.passing_on import list_unheard, mark_told, pass_on
from pitboss.floor.telling.table_news import TableNews
from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.server.commit_line import ELSEWHERE, IDS_KEPT, NO_STORE, binds, tell_failure
from pitboss.server.kinds.kind_line import LONGEST_NAME, KindLine
from pitboss.server.live_stream import (
    Answer,
    Backing,
    Done,
    LiveStream,
    NotDone,
    Reply,
    is_between_rounds,
    read_stream,
)  # fmt: skip
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR, LogRow
from pitboss.server.storage.store import LeaseLost
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import StreamPosition, fold_row
from pitboss.table import Limits, Refusal, begin_log
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker
from pitboss.table.state import Meter

RETRY_MS = 250
"""How long a table waits that cannot do what its clock asks for."""


class Desk(KindLine):
    """The streams of a floor that this process serves: all of them, unless the floor is `shared` with others."""

    def __init__(
        self, store: Backing, vault: Vault, *, clock: Callable[[], int], entropy: Callable[[], bytes], owner: str,
        code_digest: str = "", shared: bool = False, steady: Callable[[], int] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            store, vault, clock=clock, entropy=entropy, owner=owner, code_digest=code_digest, shared=shared,
            steady=steady,
        )  # fmt: skip
        self.set_clock: Callable[[int], None] = lambda not_before: None
        """Told the time of a stream that opens: what is in its log already is not to come again."""
        self.floor_followed: Callable[[list[hm.HouseEvent]], None] = lambda events: None
        """Told what was read in the log of the floor itself, which another process serves."""

    # ------------------------------------------------------------------ opening

    def load(self) -> None:
        """Read every stream, and become the one who serves them."""
        streams = sorted({*self.store.list_streams(), FLOOR})
        tokens = self.store.take(streams, self.owner)
        if len(tokens) < len(streams):
            raise LeaseLost(stream for stream in streams if stream not in tokens)
        self.balances = self.store.read_balances()
        for stream in sorted(tokens, key=lambda name: name != FLOOR):
            self.adopt(self.read(stream), tokens[stream], {})

    def read(self, stream: str) -> LiveStream:
        """A stream as it is stored, with the commands that it remembers."""
        slot = read_stream(self.store, self.vault, stream, self.floor_at if stream == FLOOR else None)
        slot.ids = self.store.read_recent_ids(stream, IDS_KEPT)
        return slot

    def adopt(self, slot: LiveStream, token: int, balances: Mapping[tuple[str, Unit], int]) -> None:
        """Serve a stream from now on; `balances` are those of its accounts, if they are not known."""
        slot.token = token
        self.balances.update(balances)
        self.slots[slot.name] = slot
        self.elsewhere -= {slot.name}
        if slot.name == FLOOR:
            self.binding_seq = slot.durable.seq
        self.set_clock(slot.now.state.at_ms)
        self._check_purses(slot)
        self.deadlines.set(slot)
        if self.shared and slot.name != FLOOR:
            self.deadlines.put_off(slot, self.clock())

    def follow_floor(self, rows: Iterable[LogRow]) -> None:
        """Read on in the log of the floor itself, which another process serves; known rows are left out."""
        at = self.floor_at
        heard: list[hm.HouseEvent] = []
        for row in rows:
            if row.seq > at.seq:
                folded = fold_row(at, row, self.vault)
                at = folded.after
                heard += folded.events
                if binds(folded.events):
                    self.binding_seq = row.seq
        self.floor_at = at
        ordered = {event.name for event in heard if isinstance(event, hm.TableOrdered)}
        self.elsewhere |= ordered - self.slots.keys()
        self.pass_on_everywhere()
        self.floor_followed(heard)

    def _check_purses(self, slot: LiveStream) -> None:
        """Where ledger and log disagree the table stops: nothing is repaired by itself."""
        live = slot.now.state
        if isinstance(live, lt.LiveTable):
            for player, chips in live.purses.items():
                if self.balances.get((purse(live.name, player), live.unit), 0) != chips:
                    slot.stopped = f"the table is stopped: ledger and log disagree about the chips of {player}"
            for player, tokens in live.tokens.items():
                if self.balances.get((purse(live.name, player), Unit.TOKEN), 0) != tokens:
                    slot.stopped = f"the table is stopped: ledger and log disagree about the tokens of {player}"
            for player, balance in live.managers.items():
                if self.balances.get((bet_manager(live.name, player), live.unit), 0) != balance:
                    slot.stopped = f"the table is stopped: ledger and log disagree about the device of {player}"

    @property
    def tables(self) -> list[LiveStream]:
        """Every table that is served here."""
        return [slot for name, slot in self.slots.items() if is_table_name(name)]

    def is_table(self, name: str) -> bool:
        """There is such a table, here or elsewhere."""
        return is_table_name(name) and (name in self.slots or name in self.elsewhere)

    def open_table(
        self, name: str, rules: Rules, *, kind: lt.TableKind, limits: Limits, clocks: lt.Clocks, bank: Money,
        meters: dict[str, Meter] | None = None,
    ) -> None:  # fmt: skip
        """Put a table into service."""
        token = self._take_table(name)
        opening = lt.TableSet(name=name, kind=kind, clocks=clocks, bank=bank)
        self._begin_table(lt.open_live(opening, begin_log(rules, limits, meters or {}), self.clock()), HOUSE, token)

    def _take_table(self, name: str) -> int:
        """Become the one who serves a table that is to open; the token of its lease."""
        odd = not name.isprintable() or not 0 < len(name) <= LONGEST_NAME or bool(set("/: ") & set(name))
        if odd or name in self.slots or name in self.elsewhere:
            raise PitbossError(
                f"'{name[:LONGEST_NAME]}' cannot be the name of a table: it is taken, or has a sign in it"
            )
        tokens = self.store.take([name], self.owner)
        if not tokens:
            raise LeaseLost([name])
        return tokens[name]

    def _begin_table(self, granted: lt.Granted, by: Asker, token: int) -> None:
        """The first row of a table, and what the floor has ordered before it opened."""
        live = granted.live
        slot = LiveStream(live.name, StreamPosition(None, 0, FIRST_DIGEST))
        slot.token = token
        self.slots[live.name] = slot
        self._append(slot, granted.events, live, granted.transfers, by, None, live.at_ms)
        self._pass_on(slot)

    # ------------------------------------------------------------------ asking a table

    def ask(self, stream: str, by: Asker, command_id: str, asked: object, reply: Reply) -> None:
        """Somebody asks something of a table; the reply comes at once if it is a refusal, else when it is stored."""
        slot = self.slots.get(stream)
        if slot is None and self.is_table(stream):
            reply(NotDone(ELSEWHERE))
            return
        if slot is None or not is_table_name(stream):
            reply(Refusal(f"there is no table {stream[:40]}", ()))
            return
        full_id = f"{by.name}:{command_id}"
        if not self._is_open(slot, full_id, reply):
            return
        if slot.stopped:
            reply(Refusal(slot.stopped, ()))
            return
        if stream in self.leaving and (self.gathers or is_between_rounds(slot)):
            reply(NotDone(ELSEWHERE))
            return
        try:
            command = lt.convert_command(asked, by)
        except lt.StreamError as error:
            reply(Refusal(str(error), ()))
            return
        floor = self.slots.get(FLOOR)
        if (floor is not None and not self._is_certain(floor)) or not self._are_followers_certain():
            reply(NotDone(NO_STORE))
            return
        self._pass_on(slot)
        for follower, _ in self._list_followers() if slot.now.state.links else ():
            self._ask_tables(follower)
        self._make_room(slot, command, by)
        try:
            answer = self._decide(slot, command, by, self.clock())
        except StoreError as error:
            reply(NotDone(tell_failure(error)))
            return
        if isinstance(answer, Refusal):
            reply(answer)
            return
        known = len(self.house.orders)
        self._grant(slot, answer, by, full_id, reply)
        if len(self.house.orders) > known:
            self.pass_on_everywhere()
        self._run_machine(slot)

    def _decide(self, slot: LiveStream, command: lt.AnyTableCommand, by: Asker, now: int) -> lt.Granted | Refusal:
        live: lt.LiveTable = slot.now.state
        if isinstance(command, cmd.PlaceBet) and FLOOR not in self.slots and find_link(live.links, command.wager):
            return Refusal("the jackpot system is not served where the table is: this wager is not offered now", ())
        try:
            check_with_floor(self.house, live, command, by, now)
        except Refused as refused:
            return Refusal(refused.reason, refused.clauses)
        unit = ld.find_funds_unit(command)
        funds = 0 if unit is None else self._find_balance((wallet(by.name), unit))
        entropy = self.entropy() if isinstance(command, lt.PressForPrize) else b""
        second = self.house.second_person
        above, within = (None, 0) if second is None else (second.above, second.within_ms)
        robot = by.role == PLAYER and self._is_robot(by.name)
        return ld.decide_live(live, ld.Asking(command, by, now, entropy, above, within, robot), funds)

    def find_wallet(self, name: str) -> Money:
        """What somebody has on the floor and not at a table."""
        return from_grains(self._find_funds(name))

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

    def _grant(
        self, slot: LiveStream, answer: lt.Granted, by: Asker, full_id: str | None = None, reply: Reply | None = None
    ) -> None:
        """A table's decision joins the line, behind what follows from it on the floor, if that is served here."""
        if answer.live.news and self._tell_here(answer.live.news):
            answer = mark_told(answer)
        if reply is not None:
            slot.waiting.setdefault(slot.now.seq + 1, []).append(reply)
        answer = lt.note_code(answer, self.code_digest)
        before = slot.now.state
        self._append(slot, answer.events, answer.live, answer.transfers, by, full_id, answer.live.at_ms)
        self._let_hear(slot, before, answer.events)

    def _ask_tables(self, slot: LiveStream) -> None:
        """Tables follow a stream: what they decide joins the line behind it, in the same transaction.

        A table that cannot be asked now is asked when somebody next asks something of it.
        """
        for name, command, by in self._list_follow_ups(slot):
            table = self.slots.get(name)
            if table is None or table.stopped or not self._is_certain(table):
                continue
            answer = self._decide(table, command, by, self.clock())
            if not isinstance(answer, Refusal) and answer.events:
                self._grant(table, answer, by)

    # ------------------------------------------------------------------ between tables and the floor

    def _tell_here(self, news: tuple[TableNews, ...]) -> bool:
        """Let the floor hear the news of a table, if it is served here and it is certain where it stands."""
        floor = self.slots.get(FLOOR)
        if floor is None or not self._is_certain(floor):
            return False
        for item in news:
            if item.number > self.house.heard.get(item.table, 0):
                answer = ho.decide_house(self.house, hm.HearTable(news=item), item.by, self.clock())
                assert not isinstance(answer, Refusal), answer.reason
                self._append(floor, answer.events, answer.house, (), item.by, _name_news(item), answer.house.at_ms)
                if item.entries:
                    self._take_up_everywhere()
        return True

    def _pass_on(self, slot: LiveStream) -> None:
        """Let the floor hear what it has not heard of a table, and the table the orders of the floor."""
        live = slot.now.state
        if live.news and self._tell_here(live.news):
            told = mark_told(lt.Granted((), live, ()))
            held, slot.held = slot.held, []
            for _, seq, reply in held:
                slot.waiting.setdefault(slot.now.seq + 1, []).append(_answer_for(seq, reply))
            self._append(slot, told.events, told.live, (), HOUSE, None, live.at_ms)
        for given in list_unheard(slot.now.state, self.house.orders):
            answer = pass_on(slot.now.state, given, self.clock())
            self._grant(slot, answer, given.by if len(answer.events) > 1 else HOUSE)

    def pass_on_everywhere(self) -> None:
        """Let every table here hear the orders of the floor, in the order of their names, and the floor their news.

        Where the floor is served here too, all of it is stored in one transaction.
        """
        if self.frozen:
            return
        self._take_up_everywhere()
        given = len(self.house.orders)
        for slot in sorted(self.tables, key=lambda table: table.name):
            behind = slot.now.state.passed_on < given or slot.now.state.news
            if behind and not slot.stopped and self._is_certain(slot) and self._are_followers_certain():
                self._pass_on(slot)
                self._run_machine(slot)
                self._tell_elsewhere(slot)

    # ------------------------------------------------------------------ asking the floor

    def ask_house(
        self, by: Asker, command_id: str, command: hm.HouseCommand, reply: Reply, table: hm.TableFacts | None = None
    ) -> None:
        """Somebody asks something of the floor; `table` is what is known of a table elsewhere that is named."""
        slot = self.slots.get(FLOOR)
        if slot is None:
            reply(NotDone(ELSEWHERE))
            return
        full_id = _name_news(command.news) if isinstance(command, hm.HearTable) else f"{by.name}:{command_id}"
        if not self._is_open(slot, full_id, reply):
            return
        if isinstance(command, hm.HearTable) and command.news.number <= self.house.heard.get(command.news.table, 0):
            self._acknowledge(slot, slot.durable.seq, reply)
            return
        named = self.slots.get(getattr(command, "table", ""))
        if named is not None and is_table_name(named.name):
            table = hm.list_facts(named.now.state)
        try:
            funds = self._find_funds(command.name) if isinstance(command, hm.RedeemChips) else 0
            answer = ho.decide_house(slot.now.state, command, by, self.clock(), funds, table)
            if isinstance(answer, Refusal):
                reply(answer)
                return
            token = self._take_table(command.name) if isinstance(command, hm.OpenTable) else 0
        except StoreError as error:
            reply(NotDone(tell_failure(error)))
            return
        except PitbossError as error:
            reply(Refusal(str(error), ()))
            return
        slot.waiting.setdefault(slot.now.seq + 1, []).append(reply)
        self._append(slot, answer.events, answer.house, answer.transfers, by, full_id, answer.house.at_ms)
        for event in answer.events:
            if isinstance(event, hm.TableOrdered):
                self._begin_table(ho.open_ordered(event, self.clock()), by, token)
        self.pass_on_everywhere()

    # ------------------------------------------------------------------ the machine and the clock

    def _run_machine(self, slot: LiveStream) -> None:
        """Let the machine do what it need not wait for; where it is not known how the table stands, a little later."""
        while not slot.stopped:
            if not self._is_certain(slot) or not self._are_followers_certain():
                self.deadlines.put_off(slot, self.clock() + RETRY_MS)
                return
            for move in list_machine_moves(slot.now.state, self.clock(), self.entropy):
                answer = ld.decide_live(slot.now.state, move)
                if not isinstance(answer, Refusal):
                    break
            else:
                return
            self._grant(slot, answer, move.by)

    def find_next_deadline(self) -> int | None:
        """When a clock runs out next."""
        return self.deadlines.find_next()

    def run_clocks(self) -> None:
        """Go on at every table whose clock has run out; none does while this process is frozen."""
        if self.frozen:
            return
        now = self.clock()
        late: list[LiveStream] = []
        while (deadline := self.deadlines.find_next()) is not None and deadline <= now:
            slot = self.deadlines.take()
            if is_table_name(slot.name):
                self._run_machine(slot)
            else:
                self._run_kind_clock(slot)
            late.append(slot)
        for slot in late:
            if slot.deadline_ms is None:
                self.deadlines.set(slot)
            if slot.deadline_ms is not None and slot.deadline_ms <= now:
                self.deadlines.put_off(slot, now + RETRY_MS)

    # ------------------------------------------------------------------ standing still

    def freeze(self, reason: str) -> None:
        """The store takes nothing: no clock runs, and nothing is decided that could not be kept."""
        self.frozen = reason

    def thaw(self) -> None:
        """The store takes everything again: tables go on at the same card, with the same time as before it."""
        self.frozen = ""
        self.restart_clocks()
        self.pass_on_everywhere()

    def restart_clocks(self) -> None:
        """Whoever a table waits for has their time once more."""
        for slot in self.tables:
            if slot.stopped or not self._is_certain(slot) or not self._are_followers_certain():
                continue
            if find_deadline(slot.now.state) is None:
                continue
            answer = ld.decide_live(slot.now.state, ld.Asking(lt.RestartClock(), ld.MACHINE, self.clock()))
            assert isinstance(answer, lt.Granted)
            self._grant(slot, answer, ld.MACHINE)


def _name_news(news: TableNews) -> str:
    """The id of news: no person's command can have it."""
    return f"/{news.table}/{news.number}"


def _answer_for(seq: int, reply: Reply) -> Reply:
    """The reply to a command of which an earlier row tells."""

    def answer_with(answer: Answer) -> None:
        reply(Done(seq) if isinstance(answer, Done) else answer)

    return answer_with
