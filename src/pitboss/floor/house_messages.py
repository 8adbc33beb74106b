"""The commands of the floor itself, what happens there, and both as text: the messages of `house`."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, Union

import msgspec

from pitboss.floor.live_table import LiveTable, StreamError, TableKind
from pitboss.floor.telling.table_news import SpanningOrder, TableNews
from pitboss.money import Money
from pitboss.table.floor_state import Dispute
from pitboss.table.messages.askers import Asker
from pitboss.table.messages.wellformed import find_value_fault
from pitboss.table.state import Meter


class PersonKind(enum.StrEnum):
    """How somebody came in."""

    GUEST = "guest"
    """Without an account, with play chips."""
    MEMBER = "member"
    """With a password."""
    ROBOT = "robot"
    """A program of the house that fills a seat."""


class RobotPolicy(enum.StrEnum):
    """How a robot plays."""

    OPTIMUM = "optimum"
    """Best play for the cards on the table."""
    CHART = "chart"
    """By the best chart of totals."""
    RANDOM = "random"
    THUMB = "thumb"
    """Draws to 17 and takes nothing that costs."""


class TableFacts(msgspec.Struct, frozen=True):
    """What the floor must know of a table to decide what names it."""

    name: str
    game: str
    book: str
    kind: TableKind
    disputes: tuple[Dispute, ...]


def list_facts(live: LiveTable) -> TableFacts:
    """What the floor must know of a table as it stands."""
    rules = live.table.rules
    return TableFacts(live.name, rules.game, rules.book, live.kind, live.table.floor.disputes)


# ---------------------------------------------------------------------- what is asked


class HouseCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the commands for the floor itself."""


class StaffCommand(HouseCommand, frozen=True, kw_only=True):
    """Base of what staff do: whoever does it says why."""

    reason: str = ""


class AddPerson(StaffCommand, frozen=True, tag="add-person"):
    """Somebody comes in. The password is hashed already; a guest has none."""

    name: str
    kind: PersonKind
    password_hash: str = ""


class SetPassword(HouseCommand, frozen=True, tag="set-password"):
    """Somebody changes their password, or the administrator does and says why."""

    name: str
    password_hash: str
    reason: str = ""


class OfferFactor(HouseCommand, frozen=True, tag="offer-factor"):
    """A member is given the secret of a second factor; it counts once they have shown a code of it."""

    name: str
    secret: bytes


class ConfirmFactor(HouseCommand, frozen=True, tag="confirm-factor"):
    """The member shows a code of the secret; `recovery` are the hashes of codes for the day the telephone is lost."""

    name: str
    code: str
    recovery: tuple[str, ...]


class UseFactor(HouseCommand, frozen=True, tag="use-factor"):
    """Somebody signs in with a code of their second factor."""

    name: str
    code: str


class UseRecovery(HouseCommand, frozen=True, tag="use-recovery"):
    """Somebody signs in with a recovery code, which is good once."""

    name: str
    code_hash: str


class EndSessions(HouseCommand, frozen=True, tag="end-sessions"):
    """End every session of somebody: one's own, or the administrator somebody else's, and says why; empty: all."""

    name: str
    reason: str = ""


class EndFactor(StaffCommand, frozen=True, tag="end-factor"):
    """Somebody has lost their second factor, and gets another."""

    name: str


class GiveRole(StaffCommand, frozen=True, tag="give-role"):
    """Give somebody a role of a book; of no book for roles of the whole floor."""

    name: str
    role: str
    book: str = ""


class EndRole(StaffCommand, frozen=True, tag="end-role"):
    """Take a role away from somebody."""

    name: str
    role: str
    book: str = ""


class IssueChips(StaffCommand, frozen=True, tag="issue-chips"):
    """The cage hands out chips."""

    name: str
    amount: Money


class RedeemChips(StaffCommand, frozen=True, tag="redeem-chips"):
    """The cage takes chips back."""

    name: str
    amount: Money


class FillFloat(StaffCommand, frozen=True, tag="fill-float"):
    """Chips go from the cage to a table; a negative amount is a credit, from the table to the cage."""

    table: str
    amount: Money


class Exclude(StaffCommand, frozen=True, tag="exclude"):
    """Shut somebody out of a game, as far as its book says: at the one table, or at all; or out of the casino."""

    name: str
    game: str
    """The game under whose book the power is used."""
    table: str = ""
    """The table, where the book excludes from one table."""
    casino: bool = False


class Readmit(StaffCommand, frozen=True, tag="readmit"):
    """End what shuts somebody out by the book of a game."""

    name: str
    game: str


class RequireSecondPerson(StaffCommand, frozen=True, tag="require-second-person"):
    """Voids and corrections that move more than this need a second person, within so many minutes; none: no more."""

    above: Money | None
    minutes: int = 10


class SendNotice(StaffCommand, frozen=True, tag="send-notice"):
    """Tell the inspector or surveillance of something at a table before it is done; the reason is what they read."""

    body: str
    table: str


class ConfirmReceipt(HouseCommand, frozen=True, tag="confirm-receipt"):
    """The inspector, or surveillance, has read a notice; `approved`: and approves of what it says."""

    number: int
    approved: bool = False


class TakeDisputeFurther(HouseCommand, frozen=True, tag="take-dispute-further"):
    """A player takes a dispute that was decided at a table to whoever the book names next."""

    table: str


class RuleOnTakenDispute(StaffCommand, frozen=True, tag="rule-on-dispute"):
    """Whoever a dispute was taken to decides it, for the player or against."""

    number: int
    upheld: bool


class OpenTable(StaffCommand, frozen=True, tag="open-table"):
    """Put a table into service. It takes no wager before somebody says that its sign is up."""

    name: str
    game: str
    minimum: Money
    maximum: Money
    bank: Money
    chip: Money = Money("0.5")
    """The smallest chip."""
    kind: TableKind = TableKind.MACHINE
    side_wagers: tuple[str, ...] = ()
    meters: dict[str, Money] = {}
    """What prize meters of its side wagers start from, by name; others start as usual."""


class SeatRobot(StaffCommand, frozen=True, tag="seat-robot"):
    """Have a robot fill a seat at a table that a machine deals."""

    table: str
    policy: RobotPolicy = RobotPolicy.CHART


class RemoveRobot(StaffCommand, frozen=True, tag="remove-robot"):
    """Have a robot leave as soon as its wagers are decided."""

    name: str


class HearTable(HouseCommand, frozen=True, tag="hear-table"):
    """A table tells the floor what follows for it from a decision there."""

    news: TableNews


class ReportFiles(HouseCommand, frozen=True, tag="report-files"):
    """A server has compared its files with those it began with."""

    digest: str
    """Of the files with which it began."""
    changes: tuple[str, ...] = ()


RECEPTION_COMMANDS = (AddPerson, SetPassword, OfferFactor, ConfirmFactor, UseFactor, UseRecovery, ReportFiles)
"""What only the server itself asks for, which has checked who somebody is and what its files are."""
FLOOR_COMMANDS = (
    EndFactor, EndSessions, GiveRole, EndRole, IssueChips, RedeemChips, FillFloat, Exclude, Readmit,
    RequireSecondPerson, SendNotice, ConfirmReceipt, TakeDisputeFurther, RuleOnTakenDispute, OpenTable, SeatRobot,
    RemoveRobot,
)  # fmt: skip
"""What people ask for themselves."""


# ---------------------------------------------------------------------- what has happened


class HouseEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of what happens on the floor."""


class PersonAdded(HouseEvent, frozen=True, tag="person-added"):
    name: str
    kind: PersonKind
    password_hash: str = ""
    reason: str = ""
    first: bool = False
    """Somebody else has chosen the password: its owner chooses another."""


class PasswordChanged(HouseEvent, frozen=True, tag="password-changed"):
    name: str
    password_hash: str
    reason: str = ""
    first: bool = False


class SessionsEnded(HouseEvent, frozen=True, tag="sessions-ended"):
    """Whoever was signed in under this name is not any more; empty: everybody."""

    name: str
    reason: str = ""


class FactorOffered(HouseEvent, frozen=True, tag="factor-offered"):
    name: str
    secret: bytes


class FactorConfirmed(HouseEvent, frozen=True, tag="factor-confirmed"):
    name: str
    step: int
    """The half minute whose code was shown."""
    recovery: tuple[str, ...]


class FactorUsed(HouseEvent, frozen=True, tag="factor-used"):
    name: str
    step: int


class RecoveryUsed(HouseEvent, frozen=True, tag="recovery-used"):
    name: str
    code_hash: str


class FactorEnded(HouseEvent, frozen=True, tag="factor-ended"):
    name: str
    reason: str


class RoleGiven(HouseEvent, frozen=True, tag="role-given"):
    name: str
    role: str
    book: str
    reason: str = ""


class RoleEnded(HouseEvent, frozen=True, tag="role-ended"):
    name: str
    role: str
    book: str
    reason: str = ""


class ChipsIssued(HouseEvent, frozen=True, tag="chips-issued"):
    name: str
    amount: Money
    reason: str = ""


class ChipsRedeemed(HouseEvent, frozen=True, tag="chips-redeemed"):
    name: str
    amount: Money
    reason: str = ""


class FloatFilled(HouseEvent, frozen=True, tag="float-filled"):
    table: str
    amount: Money
    reason: str


class PersonExcluded(HouseEvent, frozen=True, tag="person-excluded"):
    name: str
    game: str
    book: str
    table: str
    casino: bool
    reason: str
    clauses: tuple[str, ...]


class PersonReadmitted(HouseEvent, frozen=True, tag="person-readmitted"):
    """What shut somebody out by a book ends."""

    name: str
    book: str
    reason: str
    clauses: tuple[str, ...]


class OrderGiven(HouseEvent, frozen=True, tag="order-given"):
    """An order that tables are given, also those that open later: one table, those of a game, or all."""

    number: int
    order: SpanningOrder
    by: Asker
    game: str
    """Empty: of every game."""
    table: str
    """Empty: at every table."""
    origin: str = ""
    """The table where it was given and carried out already, if there was one."""


class NoticeSent(HouseEvent, frozen=True, tag="notice-sent"):
    """The inspector or surveillance is told of something at a table."""

    number: int
    body: str
    table: str
    book: str
    text: str
    act: str
    """What was ruled at the table; empty for what they are told before it is done."""
    clauses: tuple[str, ...]
    by: Asker


class NoticeReceived(HouseEvent, frozen=True, tag="notice-received"):
    number: int
    by: Asker
    approved: bool


class DealerNamed(HouseEvent, frozen=True, tag="dealer-named"):
    """Who deals at a table; empty: nobody by name."""

    table: str
    name: str


class TableHeard(HouseEvent, frozen=True, tag="table-heard"):
    """The floor has heard the news of a table up to this number."""

    table: str
    number: int


class EntryWon(HouseEvent, frozen=True, tag="entry-won"):
    """A hand at a table has won its player an entry, which waits for a tournament that takes entries."""

    number: int
    player: str
    table: str
    round: int
    box: str
    book: str
    clauses: tuple[str, ...]


class FilesChecked(HouseEvent, frozen=True, tag="files-checked"):
    """A server has compared its files with those it began with, whose digest this is; nothing has changed, or what."""

    digest: str
    changes: tuple[str, ...]
    by: Asker


class SecondPersonRequired(HouseEvent, frozen=True, tag="second-person-required"):
    above: Money | None
    minutes: int
    reason: str


class DisputeTaken(HouseEvent, frozen=True, tag="dispute-taken"):
    """A player has taken a dispute further than the table: to whom, by which step of the book's chain."""

    number: int
    player: str
    table: str
    book: str
    matter: str
    who: str
    step: int
    clauses: tuple[str, ...]


class DisputeRuled(HouseEvent, frozen=True, tag="dispute-ruled"):
    number: int
    upheld: bool
    reason: str
    by: Asker
    clauses: tuple[str, ...]


class TableOrdered(HouseEvent, frozen=True, tag="table-ordered"):
    """A table is put into service, and waits for its sign."""

    name: str
    game: str
    minimum: Money
    maximum: Money
    bank: Money
    chip: Money
    kind: TableKind
    side_wagers: tuple[str, ...]
    reason: str
    meters: dict[str, Meter] = {}
    """The prize meters of its side wagers, as they start."""


class RobotSeated(HouseEvent, frozen=True, tag="robot-seated"):
    name: str
    table: str
    policy: RobotPolicy
    reason: str


class RobotRemoved(HouseEvent, frozen=True, tag="robot-removed"):
    name: str
    reason: str


HOUSE_EVENTS = (
    PersonAdded, PasswordChanged, SessionsEnded, FactorOffered, FactorConfirmed, FactorUsed, RecoveryUsed,
    FactorEnded, RoleGiven, RoleEnded, ChipsIssued, ChipsRedeemed, FloatFilled, PersonExcluded, PersonReadmitted,
    OrderGiven, NoticeSent, NoticeReceived, DealerNamed, TableHeard, EntryWon, SecondPersonRequired, DisputeTaken,
    DisputeRuled, TableOrdered, RobotSeated, RobotRemoved, FilesChecked,
)  # fmt: skip

_EVENT = msgspec.json.Decoder(Union[HOUSE_EVENTS])  # noqa: UP007 - a union made of a list
_COMMAND: Any = Union[FLOOR_COMMANDS]  # noqa: UP007 - a union made of a list
_ANY_COMMAND = msgspec.json.Decoder(Union[(*RECEPTION_COMMANDS, *FLOOR_COMMANDS, HearTable)])
_ENCODER = msgspec.json.Encoder(order="deterministic")


def encode_house_row(events: Iterable[HouseEvent]) -> bytes:
    """The events of one decision as JSON, one on each line."""
    return _ENCODER.encode_lines(list(events))


def decode_house_row(text: bytes) -> tuple[HouseEvent, ...]:
    """The events of one decision."""
    try:
        return tuple(_EVENT.decode_lines(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StreamError(f"this is not a row of the floor's log: {error}".replace("\n", " ")) from None


def encode_house_command(command: HouseCommand) -> bytes:
    """A command on its way to the process that serves the floor itself."""
    return _ENCODER.encode(command)


def decode_house_command(text: bytes) -> HouseCommand:
    """A command of any kind, from a process that has checked who asks for it."""
    try:
        command: HouseCommand = _ANY_COMMAND.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise StreamError(f"this is not a command of the floor: {error}".replace("\n", " ")) from None
    return command


def convert_house_command(asked: object) -> HouseCommand:
    """A command of the floor out of plain data: one that people ask for themselves."""
    try:
        command: HouseCommand = msgspec.convert(asked, _COMMAND, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise StreamError(f"this is not a command of the floor: {error}".replace("\n", " ")) from None
    if fault := find_value_fault(command):
        raise StreamError(f"this is not a command of the floor: {fault}")
    return command
