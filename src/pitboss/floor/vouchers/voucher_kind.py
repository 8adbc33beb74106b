"""An issue of vouchers as a stream: decided, folded, told and shown.

A voucher leaves the store for its player's wallet, and goes back there when it is exchanged; then the tray gives tokens
of the same value, which the player may bring to a table. What they win there is paid in chips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.floor.decided import Decided
from pitboss.floor.house_orders import check_role
from pitboss.floor.ledger import STORE, TRAY, Transfer, Unit, to_grains, wallet
from pitboss.floor.live_table import LiveTable, TableKind
from pitboss.floor.moments import is_moment, tell_time
from pitboss.floor.records.kind import FloorNow, Kind, map_tags
from pitboss.floor.terms.checklist import check_amounts, find_competition, list_clauses_beside
from pitboss.floor.vouchers import voucher_messages as vm
from pitboss.money import Money, show
from pitboss.records.narrate.table_events import Said
from pitboss.rulebooks import load_book
from pitboss.table import Refusal
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import PLAYER, Asker

VOUCHERS = "vouchers"
VOUCHER = "voucher"
"""What books call it among their competitions."""
MOST_VOUCHERS = 100_000
OPERATOR = "offer-promotion"
"""The power of a book whose holder issues vouchers."""


class HeldVoucher(msgspec.Struct, frozen=True):
    """A voucher that was handed out."""

    player: str
    exchanged: bool = False


class VoucherIssue(msgspec.Struct, frozen=True, kw_only=True):
    """An issue of vouchers between two decisions."""

    name: str
    book: str
    terms: vm.VoucherTerms | None = None
    held: tuple[HeldVoucher, ...] = ()
    """By number from 1."""


def _find_clauses(book: str) -> tuple[str, ...]:
    return list_clauses_beside(find_competition(book, VOUCHER))


# ---------------------------------------------------------------------- deciding


def decide_vouchers(
    state: VoucherIssue, command: vm.VoucherCommand, by: Asker, now: FloorNow
) -> Decided[vm.VoucherEvent, VoucherIssue] | Refusal:
    """What follows from what is asked, or why not."""
    try:
        event = _answer(state, command, by, now)
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    return Decided((event,), fold_vouchers(state, event, now.at_ms), tuple(_post(event)))


def _answer(state: VoucherIssue, command: vm.VoucherCommand, by: Asker, now: FloorNow) -> vm.VoucherEvent:
    clauses = _find_clauses(state.book)
    match command:
        case vm.IssueVouchers():
            return _issue(state, command.terms, by, now, clauses)
        case vm.HandOutVoucher():
            return _hand_out(state, command.player, by, now, clauses)
        case vm.ExchangeVoucher():
            return _exchange(state, command, by, now, clauses)
    raise AssertionError(f"{type(command).__name__} has no answer")


def _issue(
    state: VoucherIssue, terms: vm.VoucherTerms, by: Asker, now: FloorNow, clauses: tuple[str, ...]
) -> vm.VouchersIssued:
    book = load_book(state.book)
    operator = book.authority[OPERATOR].role
    if by.role != operator:
        raise Refused(f"the {operator.replace('-', ' ')} issues vouchers, not a {by.role}", clauses)
    check_role(now.house, by, state.book)
    if state.terms is not None:
        raise Refused("these vouchers are issued: their conditions stay as they are", clauses)
    check_amounts(terms.value)
    if not (is_moment(terms.valid_from) and is_moment(terms.valid_until)):
        raise Refused("vouchers are valid before the year 2100")
    if terms.value <= 0:
        raise Refused(f"a voucher names a value above zero, not {show(terms.value)}", clauses)
    if not 0 < terms.number <= MOST_VOUCHERS or terms.each < 0:
        raise Refused(f"an issue has 1 to {MOST_VOUCHERS} vouchers")
    if terms.valid_until and terms.valid_until <= max(terms.valid_from, now.at_ms):
        raise Refused("a voucher is valid for some time from now on")
    for game in terms.games:
        if game.removeprefix(f"{book.namespace}/") not in book.games:
            raise Refused(f"'{game[:40]}' is not a game of the book {state.book}: {', '.join(book.games)}")
    return vm.VouchersIssued(terms=terms, by=by, clauses=clauses)


def _find_terms(state: VoucherIssue, clauses: tuple[str, ...]) -> vm.VoucherTerms:
    if state.terms is None:
        raise Refused("no vouchers of this name are issued", clauses)
    return state.terms


def _hand_out(
    state: VoucherIssue, player: str, by: Asker, now: FloorNow, clauses: tuple[str, ...]
) -> vm.VoucherHandedOut:
    terms = _find_terms(state, clauses)
    if by.role == PLAYER:
        raise Refused("vouchers are handed out by the house", clauses)
    check_role(now.house, by, state.book)
    if player not in now.house.people:
        raise Refused(f"there is nobody called {player[:40]} here")
    if len(state.held) >= terms.number:
        raise Refused(f"all {terms.number} vouchers of this issue are handed out", clauses)
    return vm.VoucherHandedOut(number=len(state.held) + 1, player=player, value=terms.value, clauses=clauses)


def _exchange(
    state: VoucherIssue, command: vm.ExchangeVoucher, by: Asker, now: FloorNow, clauses: tuple[str, ...]
) -> vm.VoucherExchanged:
    terms = _find_terms(state, clauses)
    live = now.tables.get(command.table)
    if live is None:
        raise Refused(f"there is no table {command.table[:40]}")
    if not 1 <= command.voucher <= len(state.held):
        raise Refused(f"there is no voucher {command.voucher} of this issue", clauses)
    held = state.held[command.voucher - 1]
    _check_who_exchanges(state, live, held, by, now, clauses)
    if held.exchanged:
        raise Refused(f"voucher {command.voucher} has been exchanged", clauses)
    _check_conditions(state, terms, live, held.player, now.at_ms, clauses)
    if command.tokens is not None:
        check_amounts(command.tokens)
    if command.tokens is not None and command.tokens != terms.value:
        raise Refused(
            f"a voucher of {show(terms.value)} is exchanged for tokens of the same value, not {show(command.tokens)}",
            clauses,
        )
    return vm.VoucherExchanged(
        number=command.voucher, player=held.player, table=command.table, value=terms.value, clauses=clauses
    )  # fmt: skip


def _check_who_exchanges(
    state: VoucherIssue, live: LiveTable, held: HeldVoucher, by: Asker, now: FloorNow, clauses: tuple[str, ...]
) -> None:
    rules = live.table.rules
    if rules.book != state.book:
        raise Refused(f"vouchers by the book {state.book} are not exchanged at a table of {rules.book}", clauses)
    if by.role == PLAYER:
        if by.name != held.player:
            raise Refused(f"this voucher is {held.player}'s", clauses)
        if live.kind is TableKind.PERSON:
            raise Refused("hand the voucher to the dealer, who exchanges it", clauses)
        return
    if rules.rank(by.role) < 0:
        raise Refused(f"a dealer exchanges vouchers, not a {by.role}", clauses)
    check_role(now.house, by, state.book)
    dealer = live.table.floor.dealer
    if dealer and by.name != dealer and rules.rank(by.role) == 0:
        raise Refused(f"{dealer} deals at this table", clauses)


def _check_conditions(
    state: VoucherIssue, terms: vm.VoucherTerms, live: LiveTable, player: str, at_ms: int, clauses: tuple[str, ...]
) -> None:
    """What stands on the voucher."""
    namespace = load_book(state.book).namespace
    games = {game.removeprefix(f"{namespace}/") for game in terms.games}
    if games and live.table.rules.game.rpartition("/")[2] not in games:
        raise Refused(f"these vouchers are exchanged at tables of {', '.join(terms.games)}", clauses)
    if terms.tables and live.name not in terms.tables:
        raise Refused(f"these vouchers are exchanged at {', '.join(terms.tables)}, not at {live.name}", clauses)
    if at_ms < terms.valid_from:
        raise Refused(f"these vouchers are valid from {tell_time(terms.valid_from)}", clauses)
    if terms.valid_until and at_ms >= terms.valid_until:
        raise Refused(f"these vouchers were valid until {tell_time(terms.valid_until)}", clauses)
    used = sum(held.exchanged and held.player == player for held in state.held)
    if terms.each and used >= terms.each:
        raise Refused(
            f"{player} has exchanged {used} of these vouchers, and they say no more than {terms.each}", clauses
        )


# ---------------------------------------------------------------------- folding and money


def fold_vouchers(state: VoucherIssue, event: vm.VoucherEvent, at_ms: int) -> VoucherIssue:
    """The issue after one event."""
    match event:
        case vm.VouchersIssued():
            return replace(state, terms=event.terms)
        case vm.VoucherHandedOut():
            return replace(state, held=(*state.held, HeldVoucher(event.player)))
        case vm.VoucherExchanged():
            at = event.number - 1
            used = replace(state.held[at], exchanged=True)
            return replace(state, held=(*state.held[:at], used, *state.held[at + 1 :]))
    return state


def _post(event: vm.VoucherEvent) -> Iterator[Transfer]:
    match event:
        case vm.VoucherHandedOut():
            yield Transfer(STORE, wallet(event.player), to_grains(event.value), Unit.VOUCHER, event.clauses)
        case vm.VoucherExchanged():
            worth = to_grains(event.value)
            yield Transfer(wallet(event.player), STORE, worth, Unit.VOUCHER, event.clauses)
            yield Transfer(TRAY + event.table, wallet(event.player), worth, Unit.TOKEN, event.clauses)


# ---------------------------------------------------------------------- telling


def tell_vouchers(state: VoucherIssue, event: vm.VoucherEvent) -> Iterator[Said]:
    """An event in a sentence."""
    match event:
        case vm.VouchersIssued():
            yield Said(f"{event.terms.number} vouchers of {show(event.terms.value)} are issued", event.clauses)
        case vm.VoucherHandedOut():
            yield Said(f"{event.player} gets voucher {event.number} of {show(event.value)}", event.clauses)
        case vm.VoucherExchanged():
            words = f"voucher {event.number} for {show(event.value)} in promotional tokens at {event.table}"
            yield Said(f"{event.player} exchanges {words}", event.clauses)


def _describe(state: VoucherIssue) -> Mapping[str, Any]:
    worth = Money(0) if state.terms is None else state.terms.value
    return {
        "value": worth,
        "handed_out": len(state.held),
        "exchanged": [number for number, held in enumerate(state.held, 1) if held.exchanged],
        "holders": {str(number): held.player for number, held in enumerate(state.held, 1)},
    }


def _show(state: VoucherIssue, by: Asker) -> Mapping[str, Any]:
    """The conditions are public; a voucher is its holder's, and staff see all."""
    staff = by.role not in ("", PLAYER, "spectator")
    return {
        "terms": None if state.terms is None else msgspec.to_builtins(state.terms, builtin_types=(Money,)),
        "vouchers": [
            {"number": number, "player": held.player, "exchanged": held.exchanged}
            for number, held in enumerate(state.held, 1)
            if staff or held.player == by.name
        ],
    }


def _is_told(state: VoucherIssue, event: vm.VoucherEvent, by: Asker) -> bool:
    return by.role != PLAYER or getattr(event, "player", by.name) == by.name


VOUCHERS_KIND = Kind(
    word=VOUCHERS,
    commands=map_tags(vm.VOUCHER_COMMANDS),
    begin=lambda name, book: VoucherIssue(name=name, book=book),
    decide=decide_vouchers,
    evolve=fold_vouchers,
    narrate=tell_vouchers,
    describe=_describe,
    events=vm.VOUCHER_EVENTS,
    state=VoucherIssue,
    show=_show,
    is_told=_is_told,
)
