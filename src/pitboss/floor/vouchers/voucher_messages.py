"""What can be asked of an issue of vouchers, and what happens to it."""

from __future__ import annotations

import msgspec

from pitboss.money import Money
from pitboss.table.messages.askers import Asker


class VoucherTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a voucher of this issue says on it. Times are in milliseconds since 1970."""

    value: Money
    """In dollars: what is exchanged is the same value in tokens."""
    number: int
    """How many vouchers there are at most."""
    games: tuple[str, ...] = ()
    """Games at whose tables it is exchanged, `star/blackjack`; any of the book, if empty."""
    tables: tuple[str, ...] = ()
    """Tables at which it is exchanged; any, if empty."""
    valid_from: int = 0
    valid_until: int = 0
    """Until when; zero: without limit."""
    each: int = 0
    """How many one person may exchange; zero: any number."""


class VoucherCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the commands for an issue of vouchers."""


class IssueVouchers(VoucherCommand, frozen=True, tag="issue"):
    """The operator issues vouchers on these conditions."""

    terms: VoucherTerms


class HandOutVoucher(VoucherCommand, frozen=True, tag="hand-out"):
    """Somebody of the house gives a voucher to a player."""

    player: str


class ExchangeVoucher(VoucherCommand, frozen=True, tag="exchange"):
    """A dealer takes a voucher at a table and gives tokens of the same value; at a machine's table the player asks."""

    voucher: int
    table: str
    tokens: Money | None = None
    """What the dealer counts out; none: what the voucher says."""


VOUCHER_COMMANDS = (IssueVouchers, HandOutVoucher, ExchangeVoucher)


class VoucherEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of what happens to an issue of vouchers."""

    clauses: tuple[str, ...] = ()


class VouchersIssued(VoucherEvent, frozen=True, tag="vouchers-issued"):
    terms: VoucherTerms
    by: Asker


class VoucherHandedOut(VoucherEvent, frozen=True, tag="voucher-handed-out"):
    number: int
    player: str
    value: Money


class VoucherExchanged(VoucherEvent, frozen=True, tag="voucher-exchanged"):
    """A voucher is taken in, and its player has tokens for it."""

    number: int
    player: str
    table: str
    value: Money


VOUCHER_EVENTS = (VouchersIssued, VoucherHandedOut, VoucherExchanged)
