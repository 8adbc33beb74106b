"""A live table: the table engine with its people, the chips before them and its clock, as one stream.

`live_decisions` answers what somebody asks at a moment; `fold_live` folds what is in the log. Both give the table after
it and the money it moves, and both go through `advance_live`, so that what is read back is what was decided. Who asks
is said by whoever runs the floor: the names in a command are replaced by the asker's own.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Union

import msgspec
from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.floor.jackpots.meter_links import MeterLink, change_link, list_managed
from pitboss.floor.ledger import CAGE, Transfer, Unit, bet_manager, purse, to_grains, wallet
from pitboss.floor.postings import (
    Staked,
    count_as_play,
    count_staked,
    find_money_places,
    post_decision,
    post_manager,
    post_opening,
    purses_after,
    tokens_after,
)
from pitboss.floor.telling.announcers import find_announcers
from pitboss.floor.telling.table_news import TableNews, find_news
from pitboss.floor.telling.table_waits import name_wait
from pitboss.floor.telling.won_entries import list_won_entries
from pitboss.money import Money
from pitboss.table import evolve
from pitboss.table.evolve import open_from
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import PLAYER, Asker
from pitboss.table.orders.rulings import EVENTS, WinningsDecided
from pitboss.table.state import House, Meter, State


class TableKind(enum.StrEnum):
    """Who deals."""

    MACHINE = "machine"
    """The house machine, from a committed shoe."""
    PERSON = "person"
    """A dealer, who keys in the cards of a real shoe."""
    PRACTICE = "practice"
    """The house machine, with play chips; advice is allowed."""


class Clocks(msgspec.Struct, frozen=True):
    """How long people have, as the sign says."""

    betting_ms: int = 15_000
    """From the first wager on."""
    decision_ms: int = 20_000
    offers_ms: int = 10_000
    pause_ms: int = 3_000
    """Between the settlement and the next round."""


# ---------------------------------------------------------------------- what is asked beside the game itself


class TableCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the commands for a live table that are not commands of the game."""


class BuyIn(TableCommand, frozen=True, tag="buy-in"):
    """Bring chips from the wallet to the table."""

    player: str
    amount: Money


class LeaveTable(TableCommand, frozen=True, tag="leave-table"):
    """Take all chips back into the wallet and go."""

    player: str


class CallReady(TableCommand, frozen=True, tag="ready"):
    """Say that one has nothing more to do: no further wager, no insurance, nothing of what is open."""

    player: str


class GoAlong(TableCommand, frozen=True, tag="go-along"):
    """Agree to go along, or no longer, when whoever calls a shared box doubles, splits or surrenders for all."""

    player: str
    on: bool = True


class PressForPrize(TableCommand, frozen=True, tag="press-button"):
    """Press the jackpot button for a prize that is due: the machine draws it."""

    player: str
    box: str


class CallDispute(TableCommand, frozen=True, tag="call-dispute"):
    """Dispute something: it is put before whoever the book names first."""

    player: str
    matter: str


class ConfirmOrder(TableCommand, frozen=True, tag="confirm-order"):
    """The second person agrees to an order that needs one."""

    number: int


class WithdrawOrder(TableCommand, frozen=True, tag="withdraw-order"):
    """An order that waits for a second person is not given after all."""

    number: int
    reason: str


class ExpireOrder(TableCommand, frozen=True, tag="expire-order"):
    """Nobody has confirmed an order in time."""

    number: int


class RestartClock(TableCommand, frozen=True, tag="restart-clock"):
    """Nobody could act for a while, or the clock was put forward: everybody has their time once more."""


class LoadManager(TableCommand, frozen=True, tag="load-manager"):
    """Take what a player tenders and credit it to their Personal Bet Manager, which they get with the first tender."""

    player: str
    amount: Money
    medium: Literal["chips", "cash", "vouchers", "tokens"] = "chips"


class PayManager(TableCommand, frozen=True, tag="pay-manager"):
    """Pay the balance of a Personal Bet Manager in chips, or this part of it."""

    player: str
    amount: Money | None = None


class BringTokens(TableCommand, frozen=True, tag="bring-tokens"):
    """Bring promotional tokens from the wallet to the table."""

    player: str
    amount: Money


class FollowMeters(TableCommand, frozen=True, tag="follow-meters"):
    """What a prize meter system tells a table of its membership and its meters; no link: the table has left it.

    Only the system itself says so, never a client.
    """

    system: str
    link: MeterLink | None = None
    meters: dict[str, Meter] = {}
    reason: str = ""
    """Why the equipment does not work."""
    by: Asker = Asker("house")
    """Who has said that it does not, or that it does again."""


class KeepTable(TableCommand, frozen=True, tag="keep-table"):
    """A table serves a stream alone, or is free again. Only that stream says so, never a client."""

    stream: str = ""
    clauses: tuple[str, ...] = ()


MANAGER_COMMANDS = (LoadManager, PayManager)
PLAYERS_OWN = (BuyIn, BringTokens, LeaveTable, CallReady, GoAlong, PressForPrize, CallDispute)
OWN_COMMANDS = (*PLAYERS_OWN, *MANAGER_COMMANDS, ConfirmOrder, WithdrawOrder, ExpireOrder, RestartClock)
AnyTableCommand = cmd.Command | TableCommand


class TableEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of what happens at a live table beside the game."""


class TableSet(TableEvent, frozen=True, tag="table-set"):
    """The first event of a live table: its name, who deals, its clocks, and the float it opens with."""

    name: str
    kind: TableKind
    clocks: Clocks
    bank: Money


class ChipsBought(TableEvent, frozen=True, tag="chips-bought"):
    player: str
    amount: Money
    robot: bool = False
    """The player is a robot of the house."""


class ChipsCashed(TableEvent, frozen=True, tag="chips-cashed"):
    """The player has gone, with these chips."""

    player: str
    amount: Money


class ReadyCalled(TableEvent, frozen=True, tag="ready-called"):
    player: str


class AlongSet(TableEvent, frozen=True, tag="along-set"):
    player: str
    on: bool


class OrderPassedOn(TableEvent, frozen=True, tag="order-passed-on"):
    """The table has heard an order of the floor; `refused` says why it changes nothing here, if it does not."""

    number: int
    refused: str = ""


class FloorTold(TableEvent, frozen=True, tag="floor-told"):
    """The floor has heard the news of the table up to this number."""

    number: int


class OrderAsked(TableEvent, frozen=True, tag="order-asked"):
    """An order waits for a second person, because of what it moves."""

    number: int
    order: ev.AnyCommand
    by: Asker
    amount: Money
    until_ms: int


class OrderConfirmed(TableEvent, frozen=True, tag="order-confirmed"):
    """The second person has agreed, and the order is carried out."""

    number: int
    by: Asker


class OrderDropped(TableEvent, frozen=True, tag="order-dropped"):
    """An order that waited is withdrawn, or nobody has confirmed it in time."""

    number: int
    why: Literal["withdrawn", "expired"]
    reason: str = ""


class ClockRestarted(TableEvent, frozen=True, tag="clock-restarted"):
    """Whoever the table waits for has their time once more, from now on."""


class CodeNoted(TableEvent, frozen=True, tag="code-noted"):
    """The program that decides here from this row on, by the digest of its files: its rounds are kept with it."""

    digest: str


class ManagerLoaded(TableEvent, frozen=True, tag="manager-loaded"):
    """A tender is credited to a Personal Bet Manager."""

    player: str
    amount: Money
    medium: str
    handed_back: Money
    """What is no whole number of units that the device accepts."""
    clauses: tuple[str, ...] = ()


class ManagerPaid(TableEvent, frozen=True, tag="manager-paid"):
    """A Personal Bet Manager is paid out: so much of its balance, in so many chips; at the end it is handed back."""

    player: str
    amount: Money
    chips: Money
    ends: bool = False
    clauses: tuple[str, ...] = ()


class TokensBrought(TableEvent, frozen=True, tag="tokens-brought"):
    player: str
    amount: Money
    clauses: tuple[str, ...] = ()


class MeterLinked(TableEvent, frozen=True, tag="meter-linked"):
    """The table is in a prize meter system on these terms from now on; without a link it is no longer in it."""

    system: str
    link: MeterLink | None = None


class TableKept(TableEvent, frozen=True, tag="table-kept"):
    """The table serves a stream alone, or is free again."""

    stream: str = ""
    clauses: tuple[str, ...] = ()


OWN_EVENTS = (
    TableSet, ChipsBought, ChipsCashed, ReadyCalled, AlongSet, OrderPassedOn, FloorTold, OrderAsked, OrderConfirmed,
    OrderDropped, ClockRestarted, CodeNoted, ManagerLoaded, ManagerPaid, MeterLinked, TokensBrought, TableKept,
)  # fmt: skip
AnyTableEvent = ev.Event | TableEvent


# ---------------------------------------------------------------------- as text

_EVENT = msgspec.json.Decoder(Union[(*EVENTS, *OWN_EVENTS)])
_ENCODER = msgspec.json.Encoder(order="deterministic")


class StreamError(PitbossError):
    """What should be the log of a stream, or a command for it, is not."""


def encode_row(events: Iterable[AnyTableEvent]) -> bytes:
    """The events of one decision as JSON, one on each line; equal events give equal bytes."""
    return _ENCODER.encode_lines(list(events))


def decode_row(text: bytes) -> tuple[AnyTableEvent, ...]:
    """The events of one decision."""
    try:
        return tuple(_EVENT.decode_lines(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StreamError(f"this is not a row of a table's log: {error}".replace("\n", " ")) from None


def convert_command(asked: object, by: Asker) -> AnyTableCommand:
    """A command out of plain data, with the asker's own name and role wherever it names somebody who asks."""
    if not isinstance(asked, dict):
        raise StreamError("a command is an object with a type")
    tag = asked.get("type")
    kind = KINDS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise StreamError(f"there is no command {str(tag)[:40]!r}")
    try:
        command: AnyTableCommand = msgspec.convert(fill_in_asker(asked, kind, by), kind, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise StreamError(f"this is not a command: {error}".replace("\n", " ")) from None
    return command


def fill_in_asker(asked: dict[str, Any], kind: type[Any], by: Asker) -> dict[str, Any]:
    """The fields of a command, with the asker's own name and role wherever they name somebody who asks."""
    fields, names = dict(asked), kind.__struct_fields__
    if by.role == PLAYER:
        fields.update(dict.fromkeys((name for name in ("player", "by") if name in names), by.name))
    else:
        fields.update({"role": by.role} if "role" in names else {})
        fields.update({"person": by.name} if "person" in names else {})
    return fields


_KINDS: tuple[type[Any], ...] = (*od.COMMANDS, *OWN_COMMANDS)
KINDS: dict[str, type[Any]] = {kind.__struct_config__.tag: kind for kind in _KINDS}
"""Every kind of command, by its tag."""


# ---------------------------------------------------------------------- the stream


class LiveTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table in service between two decisions."""

    name: str
    kind: TableKind
    clocks: Clocks
    table: State
    staked: Staked = Staked()
    purses: dict[str, int] = {}
    """Everybody at the table and the chips before them, in grains."""
    ready: frozenset[str] = frozenset()
    """Who has nothing more to do before the dealer goes on."""
    along: frozenset[str] = frozenset()
    """Who goes along when a shared box is doubled or split."""
    at_ms: int = 0
    """When the last decision was made."""
    waits_since_ms: int = 0
    """Since when the table waits for what it waits for now."""
    passed_on: int = 0
    """The number of the last order of the floor that the table has heard."""
    asked_orders: tuple[OrderAsked, ...] = ()
    """Orders that wait for a second person."""
    orders_counted: int = 0
    """How many orders have waited for one so far."""
    robots: frozenset[str] = frozenset()
    """Who of them is a robot."""
    announced_by: dict[str, Asker] = {}
    """Who has announced what is to come, `limits` or `closing`."""
    news: tuple[TableNews, ...] = ()
    """What the floor is to hear of the table and has not heard."""
    news_counted: int = 0
    """How many news there were so far."""
    code: str = ""
    """The digest of the program that has decided last."""
    links: tuple[MeterLink, ...] = ()
    """The prize meter systems that the table is in."""
    managers: dict[str, int] = {}
    """Who has a Personal Bet Manager, and its balance in grains."""
    tokens: dict[str, int] = {}
    """Promotional tokens before their players, in grains."""
    kept: TableKept = TableKept()
    """What the table serves alone, such as a tournament, if anything."""

    @property
    def unit(self) -> Unit:
        """What lies on this table."""
        return Unit.PLAY if self.kind is TableKind.PRACTICE else Unit.CHIP


class Granted(msgspec.Struct, frozen=True):
    """What was asked is done: the events, the table after them, and the money they move."""

    events: tuple[AnyTableEvent, ...]
    live: LiveTable
    transfers: tuple[Transfer, ...]


def open_live(opening: TableSet, table: ev.TableOpened, at_ms: int) -> Granted:
    """A table is put into service."""
    state = open_from(table)
    events: tuple[AnyTableEvent, ...] = (opening, table)
    if opening.kind is TableKind.PERSON:
        by_hand = ev.HouseSet(house=House(settles_by_hand=True), role=table.rules.ladder[0].id)
        state, events = evolve(state, by_hand), (*events, by_hand)
    live = LiveTable(
        name=opening.name, kind=opening.kind, clocks=opening.clocks, table=state, at_ms=at_ms, waits_since_ms=at_ms
    )  # fmt: skip
    paid = post_opening(opening.name, state, opening.bank)
    return Granted(events, live, count_as_play(paid) if live.kind is TableKind.PRACTICE else tuple(paid))


def fold_live(live: LiveTable, events: tuple[AnyTableEvent, ...], at_ms: int) -> Granted:
    """The table after a row of its log."""
    own = [event for event in events if isinstance(event, TableEvent)]
    return advance_live(live, events, fold_table(live.table, events), own, at_ms)


def fold_table(state: State | None, events: tuple[AnyTableEvent, ...]) -> State:
    """The game at a table after a row of its log, which may be the first."""
    if state is None:
        return fold_opening(events, 0).live.table
    for event in events:
        if not isinstance(event, TableEvent):
            state = evolve(state, event)
    return state


def fold_opening(events: tuple[AnyTableEvent, ...], at_ms: int) -> Granted:
    """The table that a log begins with."""
    if len(events) >= 2 and isinstance(events[0], TableSet) and isinstance(events[1], ev.TableOpened):
        opened = open_live(events[0], events[1], at_ms)
        if opened.events == events:
            return opened
    raise StreamError("the log of a live table begins with its opening")


def advance_live(
    live: LiveTable, events: tuple[AnyTableEvent, ...], state: State, own: Sequence[TableEvent], at_ms: int
) -> Granted:
    """The one place where a live table changes."""
    at_ms = max(at_ms, live.at_ms)
    staked, ready, along, robots = live.staked, live.ready, live.along, live.robots
    passed_on, asked_orders, counted = live.passed_on, live.asked_orders, live.orders_counted
    news, news_counted = live.news, live.news_counted
    links = live.links
    for event in own:
        if isinstance(event, MeterLinked):
            links = change_link(links, event.system, event.link)
    transfers: tuple[Transfer, ...] = ()
    if state is not live.table:
        staked = count_staked(state, list_managed(links))
        forfeited = [e.player for e in events if type(e) is WinningsDecided and not e.released]
        before = live.table
        if any(type(event) is ev.MetersFollowed for event in events):
            before = replace(before, meters=state.meters)  # what moved has moved elsewhere
        places = find_money_places(live.name, links, state)
        transfers = post_decision(places, before, live.staked, state, staked, forfeited)
        heard = any(type(event) is OrderPassedOn for event in own)
        entries = () if live.kind is TableKind.PRACTICE else list_won_entries(live.table, state)
        found = find_news(
            live.name, live.table, state, events, number=news_counted + 1, heard=passed_on, passed_on=heard,
            entries=tuple([won for won in entries if won.player not in live.robots]),
        )  # fmt: skip
        if found is not None:
            news, news_counted = (*news, found), found.number
    moved: list[Transfer] = []
    gone: set[str] = set()
    lends = live.kind is TableKind.PRACTICE
    restarted, code, kept = False, live.code, live.kept
    for event in own:
        match event:
            case ChipsBought():
                amount = to_grains(event.amount)
                giver = CAGE if lends else wallet(event.player)
                moved.append(Transfer(giver, purse(live.name, event.player), amount))
                if event.robot:
                    robots = robots | {event.player}
            case ChipsCashed():
                gone.add(event.player)
                if event.amount:
                    amount = to_grains(event.amount)
                    taker = CAGE if lends else wallet(event.player)
                    moved.append(Transfer(purse(live.name, event.player), taker, amount))
                if unused := live.tokens.get(event.player, 0):
                    moved.append(Transfer(purse(live.name, event.player), wallet(event.player), unused, Unit.TOKEN))
            case TokensBrought():
                own_purse, brought = purse(live.name, event.player), to_grains(event.amount)
                moved.append(Transfer(wallet(event.player), own_purse, brought, Unit.TOKEN, event.clauses))
            case ManagerLoaded():
                giver = purse(live.name, event.player) if event.medium == "chips" else CAGE
                pocket = bet_manager(live.name, event.player)
                moved.append(Transfer(giver, pocket, to_grains(event.amount), clauses=event.clauses))
            case ManagerPaid():
                moved += post_manager(live.name, event.player, event.amount, event.chips, event.clauses)
            case ReadyCalled():
                ready = ready | {event.player}
            case AlongSet():
                along = along | {event.player} if event.on else along - {event.player}
            case OrderPassedOn():
                passed_on = event.number
            case FloorTold():
                news = tuple([item for item in news if item.number > event.number])
            case OrderAsked():
                asked_orders, counted = (*asked_orders, event), event.number
            case ClockRestarted():
                restarted = True
            case CodeNoted():
                code = event.digest
            case TableKept():
                kept = event
            case OrderConfirmed() | OrderDropped():
                asked_orders = tuple([item for item in asked_orders if item.number != event.number])
    transfers = count_as_play((*transfers, *moved)) if lends else (*transfers, *moved)
    purses, tokens = live.purses, live.tokens
    if transfers:
        purses = purses_after(purses, purse(live.name, ""), transfers)
        tokens = tokens_after(tokens, purse(live.name, ""), transfers)
    managers = live.managers
    if links or managers:
        managers = purses_after(managers, bet_manager(live.name, ""), transfers)
        ended = {event.player for event in own if type(event) is ManagerPaid and event.ends}
        managers = {player: balance for player, balance in managers.items() if player not in ended}
    if gone:
        purses = {player: chips for player, chips in purses.items() if player not in gone}
        ready, along, robots = ready - gone, along - gone, robots - gone
    since = live.waits_since_ms
    if name_wait(state) != name_wait(live.table):
        since, ready = at_ms, frozenset()
    elif restarted:
        since = at_ms
    after = LiveTable(
        name=live.name,
        kind=live.kind,
        clocks=live.clocks,
        table=state,
        staked=staked,
        purses=purses,
        ready=ready,
        along=along,
        at_ms=at_ms,
        waits_since_ms=since,
        passed_on=passed_on,
        asked_orders=asked_orders,
        orders_counted=counted,
        robots=robots,
        announced_by=find_announcers(live.announced_by, live.table, state, events),
        news=news,
        news_counted=news_counted,
        code=code,
        links=links,
        managers=managers,
        tokens=tokens,
        kept=kept,
    )
    return Granted(tuple(events), after, transfers)


def note_code(granted: Granted, digest: str) -> Granted:
    """What was decided, with a note of the program that did if the one before was another."""
    if granted.live.code == digest:
        return granted
    return Granted((*granted.events, CodeNoted(digest=digest)), replace(granted.live, code=digest), granted.transfers)
