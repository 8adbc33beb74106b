"""What can be asked of the floor itself, what happens there, and both as text: the messages of `house`."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, Union

import msgspec

from pitboss.floor.live_table import StreamError
from pitboss.money import Money


class PersonKind(enum.StrEnum):
    """How somebody came in."""

    GUEST = "guest"
    """Without an account, with play chips."""
    MEMBER = "member"
    """With a password."""


# ---------------------------------------------------------------------- what is asked


class HouseCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the commands for the floor itself."""


class AddPerson(HouseCommand, frozen=True, tag="add-person"):
    """Somebody comes in. The password is hashed already; a guest has none."""

    name: str
    kind: PersonKind
    password_hash: str = ""


class SetPassword(HouseCommand, frozen=True, tag="set-password"):
    name: str
    password_hash: str


class GiveRole(HouseCommand, frozen=True, tag="give-role"):
    """Give somebody a role of a book; of no book for roles of the whole floor."""

    name: str
    role: str
    book: str = ""


class EndRole(HouseCommand, frozen=True, tag="end-role"):
    name: str
    role: str
    book: str = ""


class IssueChips(HouseCommand, frozen=True, tag="issue-chips"):
    """The cage hands out chips."""

    name: str
    amount: Money


class RedeemChips(HouseCommand, frozen=True, tag="redeem-chips"):
    """The cage takes chips back."""

    name: str
    amount: Money


class FillFloat(HouseCommand, frozen=True, tag="fill-float"):
    """Chips go from the cage to a table; a negative amount is a credit, from the table to the cage."""

    table: str
    amount: Money
    reason: str


class Exclude(HouseCommand, frozen=True, tag="exclude"):
    """Shut somebody out: of one table, of a game at all tables, or of the casino (neither is named)."""

    name: str
    game: str
    """The game under whose book the power is used."""
    reason: str
    table: str = ""
    casino: bool = False


class Readmit(HouseCommand, frozen=True, tag="readmit"):
    """End everything that shuts somebody out."""

    name: str
    game: str
    reason: str


HOUSE_COMMANDS = (AddPerson, SetPassword, GiveRole, EndRole, IssueChips, RedeemChips, FillFloat, Exclude, Readmit)


# ---------------------------------------------------------------------- what has happened


class HouseEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of what happens on the floor."""


class PersonAdded(HouseEvent, frozen=True, tag="person-added"):
    name: str
    kind: PersonKind
    password_hash: str = ""


class PasswordChanged(HouseEvent, frozen=True, tag="password-changed"):
    name: str
    password_hash: str


class RoleGiven(HouseEvent, frozen=True, tag="role-given"):
    name: str
    role: str
    book: str


class RoleEnded(HouseEvent, frozen=True, tag="role-ended"):
    name: str
    role: str
    book: str


class ChipsIssued(HouseEvent, frozen=True, tag="chips-issued"):
    name: str
    amount: Money


class ChipsRedeemed(HouseEvent, frozen=True, tag="chips-redeemed"):
    name: str
    amount: Money


class FloatFilled(HouseEvent, frozen=True, tag="float-filled"):
    table: str
    amount: Money
    reason: str


class PersonExcluded(HouseEvent, frozen=True, tag="person-excluded"):
    name: str
    game: str
    table: str
    casino: bool
    reason: str
    clauses: tuple[str, ...]


class PersonReadmitted(HouseEvent, frozen=True, tag="person-readmitted"):
    name: str
    reason: str


HOUSE_EVENTS = (
    PersonAdded, PasswordChanged, RoleGiven, RoleEnded, ChipsIssued, ChipsRedeemed, FloatFilled, PersonExcluded,
    PersonReadmitted,
)  # fmt: skip

_EVENT = msgspec.json.Decoder(Union[HOUSE_EVENTS])  # noqa: UP007 - a union made of a list
_COMMAND: Any = Union[HOUSE_COMMANDS]  # noqa: UP007 - a union made of a list
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


def convert_house_command(asked: object) -> HouseCommand:
    """A command of the floor out of plain data."""
    try:
        command: HouseCommand = msgspec.convert(asked, _COMMAND, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise StreamError(f"this is not a command of the floor: {error}".replace("\n", " ")) from None
    return command
