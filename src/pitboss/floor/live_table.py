"""A live table: the table engine with its people, the chips before them and its clock, as one stream.

`decide_live` answers what somebody asks at a moment; `fold_live` folds what is in the log. Both give the table after it
and the money it moves, and both go through the same few lines, so that what is read back is what was decided. Who asks
is said by whoever runs the floor: the names in a command are replaced by the asker's own.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, TypeVar, Union

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor.ledger import Transfer, from_grains, purse, to_grains, wallet
from pitboss.floor.postings import Staked, count_staked, post_decision, post_opening, purses_after
from pitboss.money import ZERO, Money, parse_money, show
from pitboss.table import Refusal, decide, evolve, legal_words
from pitboss.table.draft import Refused
from pitboss.table.evolve import open_from
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import PLAYER, Asker
from pitboss.table.orders.rulings import EVENTS, WinningsDecided
from pitboss.table.round.sides import button_wager
from pitboss.table.shoe.shuffle import draw_below, stream_words
from pitboss.table.state import Phase, State

T = TypeVar("T")


class TableKind(enum.StrEnum):
    """Who deals."""

    MACHINE = "machine"
    """The house machine, from a committed shoe."""
    PERSON = "person"
    """A dealer, who keys in the cards of a real shoe."""
    PRACTICE = "practice"
    """The house machine, and advice is allowed."""


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


OWN_COMMANDS = (BuyIn, LeaveTable, CallReady, GoAlong, PressForPrize)
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


class ChipsCashed(TableEvent, frozen=True, tag="chips-cashed"):
    """The player has gone, with these chips."""

    player: str
    amount: Money


class ReadyCalled(TableEvent, frozen=True, tag="ready-called"):
    player: str


class AlongSet(TableEvent, frozen=True, tag="along-set"):
    player: str
    on: bool


OWN_EVENTS = (TableSet, ChipsBought, ChipsCashed, ReadyCalled, AlongSet)
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
    fields = dict(asked)
    tag = fields.get("type")
    kind = KINDS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise StreamError(f"there is no command {str(tag)[:40]!r}")
    names = kind.__struct_fields__
    if by.role == PLAYER:
        for name in ("player", "by"):
            if name in names:
                fields[name] = by.name
    else:
        if "role" in names:
            fields["role"] = by.role
        if "person" in names:
            fields["person"] = by.name
    try:
        command: AnyTableCommand = msgspec.convert(fields, kind, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise StreamError(f"this is not a command: {error}".replace("\n", " ")) from None
    return command


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


class Asking(msgspec.Struct, frozen=True):
    """Somebody asks for something at a moment; `entropy` is fresh chance for what a machine draws."""

    command: AnyTableCommand
    by: Asker
    at_ms: int
    entropy: bytes = b""


class Granted(msgspec.Struct, frozen=True):
    """What was asked is done: the events, the table after them, and the money they move."""

    events: tuple[AnyTableEvent, ...]
    live: LiveTable
    transfers: tuple[Transfer, ...]


def open_live(opening: TableSet, table: ev.TableOpened, at_ms: int) -> Granted:
    """A table is put into service."""
    state = open_from(table)
    live = LiveTable(
        name=opening.name,
        kind=opening.kind,
        clocks=opening.clocks,
        table=state,
        at_ms=at_ms,
        waits_since_ms=at_ms,
    )
    return Granted((opening, table), live, post_opening(opening.name, state, opening.bank))


def decide_live(live: LiveTable, asking: Asking, funds: int = 0) -> Granted | Refusal:
    """What follows from what is asked, or why not. `funds` is what the asker has in their wallet, in grains."""
    try:
        command = _admit(live, asking)
        if isinstance(command, TableCommand):
            return fold_live(live, _decide_own(live, command, funds), asking.at_ms)
        decision = decide(live.table, command, asking.by)
        if isinstance(decision, Refusal):
            return decision
        granted = _go_on(live, decision.events, decision.state, (), asking.at_ms)
        for player, left in granted.live.purses.items():
            if left < 0:
                raise _too_dear(live, player, left)
        return granted
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses, legal_words(live.table))


def _too_dear(live: LiveTable, player: str, left: int) -> Refused:
    has = live.purses.get(player, 0)
    takes = from_grains(has - left)
    return Refused(f"{player} has {show(from_grains(has))} at the table, and this takes {show(takes)}")


def fold_live(live: LiveTable, events: tuple[AnyTableEvent, ...], at_ms: int) -> Granted:
    """The table after a row of its log."""
    state = live.table
    own: list[TableEvent] = []
    for event in events:
        if isinstance(event, TableEvent):
            own.append(event)
        else:
            state = evolve(state, event)
    return _go_on(live, events, state, own, at_ms)


def fold_opening(events: tuple[AnyTableEvent, ...], at_ms: int) -> Granted:
    """The table that a log begins with."""
    if len(events) == 2 and isinstance(events[0], TableSet) and isinstance(events[1], ev.TableOpened):
        return open_live(events[0], events[1], at_ms)
    raise StreamError("the log of a live table begins with its opening")


def _go_on(
    live: LiveTable, events: tuple[AnyTableEvent, ...], state: State, own: Iterable[TableEvent], at_ms: int
) -> Granted:
    """The one place where a live table changes."""
    at_ms = max(at_ms, live.at_ms)
    staked, ready, along = live.staked, live.ready, live.along
    transfers: tuple[Transfer, ...] = ()
    if state is not live.table:
        staked = count_staked(state)
        forfeited = [e.player for e in events if type(e) is WinningsDecided and not e.released]
        transfers = post_decision(live.name, live.table, live.staked, state, staked, forfeited)
    moved: list[Transfer] = []
    gone: set[str] = set()
    for event in own:
        match event:
            case ChipsBought():
                amount = to_grains(event.amount)
                moved.append(Transfer(wallet(event.player), purse(live.name, event.player), amount))
            case ChipsCashed():
                gone.add(event.player)
                if event.amount:
                    amount = to_grains(event.amount)
                    moved.append(Transfer(purse(live.name, event.player), wallet(event.player), amount))
            case ReadyCalled():
                ready = ready | {event.player}
            case AlongSet():
                along = along | {event.player} if event.on else along - {event.player}
    transfers = (*transfers, *moved)
    purses = live.purses
    if transfers:
        purses = purses_after(purses, live.name, transfers)
    if gone:
        purses = {player: chips for player, chips in purses.items() if player not in gone}
        ready, along = ready - gone, along - gone
    since = live.waits_since_ms
    if name_wait(state) != name_wait(live.table):
        since, ready = at_ms, frozenset()
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
    )
    return Granted(tuple(events), after, transfers)


def name_wait(state: State) -> tuple[object, ...]:
    """What a table waits for: when it changes, clocks start again and nobody is ready any more."""
    if state.phase is Phase.BETTING:
        shoe = state.shoe
        return state.round, state.phase, bool(state.bets), shoe.stage, shoe.asked, bool(shoe.due)
    return state.round, state.phase, state.turn, state.pending, state.shoe.position


# ---------------------------------------------------------------------- who may ask for what

PLAYER_KINDS = frozenset(
    (
        cmd.Arrive, cmd.RefuseCut, cmd.Cut, cmd.ShowBurntCard, cmd.NominateBox, cmd.ShowCards, cmd.PlaceBet,
        cmd.RemoveBet, cmd.Insure, cmd.TakeEvenMoney, cmd.Surrender, cmd.Hit, cmd.Stand, cmd.Double, cmd.Split,
        cmd.Switch, cmd.Forfeit, cmd.LeaveBox, od.RefuseCard, od.Retract, *OWN_COMMANDS,
    )
)  # fmt: skip
"""What a player may ask for; whether it is granted is for the table to say."""

MACHINE_KINDS = frozenset((cmd.Shuffle, cmd.DrawPrize, cmd.SystemPick, cmd.LoadShoe))
"""What chance decides at a table that a machine deals: nobody may ask for it in person."""

MACHINE = Asker("dealer")
"""The house machine, which deals."""


def _admit(live: LiveTable, asking: Asking) -> AnyTableCommand:
    """The command, if the asker may ask for its kind; a press of the button becomes the prize that is drawn."""
    command, by = asking.command, asking.by
    kind = type(command)
    if by.role == PLAYER:
        if kind not in PLAYER_KINDS:
            raise Refused("this is not a player's to ask for")
        if by.name not in live.purses and kind is not BuyIn:
            raise Refused("buy in first: you have no chips at this table")
    elif by != MACHINE and live.kind is not TableKind.PERSON:
        if kind in MACHINE_KINDS:
            raise Refused("a machine deals at this table: nobody may choose its cards or prizes")
        if kind in PLAYER_KINDS:
            raise Refused("this is the player's own to ask for")
    if isinstance(command, PressForPrize):
        return _draw_prize(live.table, command, asking.entropy)
    if isinstance(command, cmd.Double | cmd.Split | cmd.Surrender) and by.role == PLAYER:
        _check_along(live, command, by.name)
    if isinstance(command, cmd.PlaceBet | cmd.Insure):
        _check_chips(live.table, command.amount)
    if isinstance(command, cmd.PlaceBet) and (command.medium not in ("", "chips") or not command.checked):
        raise Refused("wagers at a served table are made in chips, and compared with the sign at once")
    return command


def _check_along(live: LiveTable, command: cmd.Double | cmd.Split | cmd.Surrender, caller: str) -> None:
    """Nobody's chips are put down by somebody else without their leave."""
    named = [name for name, _ in command.amounts] if isinstance(command, cmd.Double) else list(command.players)
    for name in named:
        if name != caller and name not in live.along:
            raise Refused(f"{name} has not said that they go along")


def _check_chips(state: State, amount: Money) -> None:
    """Wagers are made of chips that the table has."""
    chip = state.limits.chip
    if chip is not None and parse_money(amount) % chip:
        raise Refused(f"the smallest chip at this table is {show(chip)}: {show(amount)} cannot be staked")


def _draw_prize(state: State, command: PressForPrize, entropy: bytes) -> cmd.DrawPrize:
    if not any((command.box, command.player) == due for due in state.prizes_due):
        raise Refused(f"no prize of {command.player} on box {command.box} is due")
    prizes = button_wager(state.rules).prizes
    at = draw_below(sum(weight for weight, _ in prizes), stream_words(entropy, 0))
    for weight, prize in prizes:
        if at < weight:
            return cmd.DrawPrize(box=command.box, player=command.player, amount=Money(prize))
        at -= weight
    raise AssertionError("a draw fell beyond the last prize")


def _decide_own(live: LiveTable, command: TableCommand, funds: int) -> tuple[AnyTableEvent, ...]:
    match command:
        case BuyIn():
            return _buy_in(live, command, funds)
        case LeaveTable():
            return _leave(live, command.player)
        case CallReady():
            return (ReadyCalled(player=command.player),)
        case GoAlong():
            return (AlongSet(player=command.player, on=command.on),)
    raise AssertionError(f"{type(command).__name__} has no answer")


def _buy_in(live: LiveTable, command: BuyIn, funds: int) -> tuple[AnyTableEvent, ...]:
    amount = parse_money(command.amount)
    if amount <= 0:
        raise Refused(f"a buy-in must be above zero, not {show(amount)}")
    _check_chips(live.table, amount)
    if to_grains(amount) > funds:
        raise Refused(f"{command.player} has {show(from_grains(funds))}, and this takes {show(amount)}")
    if command.player in live.table.floor.barred:
        clauses = live.table.floor.barred[command.player]
        raise Refused(f"{command.player} may not take part in this game", clauses)
    if live.table.floor.closed:
        raise Refused("the table is closed")
    return (ChipsBought(player=command.player, amount=amount),)


def _leave(live: LiveTable, player: str) -> tuple[AnyTableEvent, ...]:
    if live.staked.chips.get(player, ZERO):
        raise Refused("you have a wager on the layout: take it off, or wait until it is decided")
    chips = from_grains(live.purses[player])
    cashed = ChipsCashed(player=player, amount=chips)
    if any(arrival.player == player for arrival in live.table.arrivals):
        decision = decide(live.table, cmd.Leave(player=player), Asker(PLAYER, player))
        if isinstance(decision, Refusal):
            raise Refused(decision.reason, decision.clauses)
        return (*decision.events, cashed)
    return (cashed,)
