"""What can be asked of a jackpot system, and what happens on it."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitboss.money import Money
from pitboss.table.messages.askers import Asker

SignAbout = Literal["join", "leave", "move", "close"]
"""What a sign at a table announces."""
Part = Literal["bet-manager", "meter", "times", "reading"]
"""What must work for the equipment to count as working: the devices of players, the recording of amounts and of
settlement times, the reading of earlier values."""


class MeterTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a meter starts from, and what share of each wager it takes."""

    seed: Money
    rate: Money


class MoneyMoved(msgspec.Struct, frozen=True):
    """What a closed system's meter hands to a meter of another."""

    meter: str
    to: str
    amount: Money


class MeterChange(msgspec.Struct, frozen=True):
    """What one decision at a table took and gave: wagers' shares, prizes, and what a meter was topped up with."""

    contributed: Money
    prizes: Money
    topped_up: Money


# ---------------------------------------------------------------------- what is asked


class MeterCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the commands for a jackpot system."""


class OpenSystem(MeterCommand, frozen=True, tag="open-system"):
    """Begin a prize meter system: its wager, what that costs, and what each of its meters starts from and takes."""

    system: str
    wager: str
    price: Money
    meters: dict[str, MeterTerms]
    one_in: dict[str, int] = {}
    """For each prize that goes to a box at random: one draw in how many wins."""


class PutSign(MeterCommand, frozen=True, tag="put-sign"):
    """Put up a sign at a table: it is to join, leave or move, or the system is to close."""

    table: str
    about: SignAbout
    system: str
    to: str = ""
    """The system that a table moves to."""


class TakeSign(MeterCommand, frozen=True, tag="take-sign"):
    """Take a sign down: what it announced does not come."""

    table: str
    system: str


class JoinTable(MeterCommand, frozen=True, tag="join-table"):
    """A table becomes a member, its sign having stood long enough."""

    table: str
    system: str


class RemoveTable(MeterCommand, frozen=True, tag="remove-table"):
    """A table leaves, its sign having stood long enough."""

    table: str
    system: str


class MoveTable(MeterCommand, frozen=True, tag="move-table"):
    """A table goes from one system to another, its sign having stood long enough."""

    table: str
    system: str
    to: str


class CloseSystem(MeterCommand, frozen=True, tag="close-system"):
    """Close a system; what its meters show above their seeds goes to others, by these parts."""

    system: str
    to: dict[str, int] = {}


class MoveOwed(MeterCommand, frozen=True, tag="move-owed"):
    """What a closed system still owes goes to another one."""

    system: str
    to: str


class SetPrice(MeterCommand, frozen=True, tag="set-price"):
    """Wagers cost this from now on; those that are placed stay what they are."""

    system: str
    price: Money


class ResetMeter(MeterCommand, frozen=True, tag="reset-meter"):
    """Let a meter show more than it does."""

    system: str
    meter: str
    value: Money
    reason: str = ""


class ReportFault(MeterCommand, frozen=True, tag="report-fault"):
    """Something of the equipment does not work: the wager is offered at no table of the system."""

    system: str
    part: Part
    reason: str = ""


class MendFault(MeterCommand, frozen=True, tag="mend-fault"):
    """The equipment works again."""

    system: str
    reason: str = ""


class ReadMeter(MeterCommand, frozen=True, tag="read-meter"):
    """Read what the meters showed when a round at a table was settled, or when a box was awarded the prize `pick`."""

    system: str
    table: str
    round: int
    pick: str = ""


class RevealDraws(MeterCommand, frozen=True, tag="reveal-draws"):
    """Show the seed of the draws so far, so that everybody can check them; the next ones have another."""

    system: str


class HearOutcome(MeterCommand, frozen=True, tag="hear-outcome"):
    """What a decision at a member table took and gave: only tables themselves report it."""

    system: str
    table: str
    round: int
    changes: dict[str, MeterChange] = {}
    dealt: bool = False
    """The outcome of the round's initial deal is recorded: the meters are read."""
    credited: dict[str, Money] = {}
    """What players have won on their Personal Bet Managers."""
    boxes: tuple[str, ...] = ()
    """The boxes with a wager in the draw of a round that is over."""
    over: bool = False
    done: tuple[str, ...] = ()
    """Prizes of picked boxes that are paid, or can no longer be."""
    awarded: str = ""
    """The prize that a picked box is awarded: a settlement of its own, at which the meters are read."""


COMMANDS: tuple[type[MeterCommand], ...] = (
    OpenSystem, PutSign, TakeSign, JoinTable, RemoveTable, MoveTable, CloseSystem, MoveOwed, SetPrice, ResetMeter,
    ReportFault, MendFault, ReadMeter, RevealDraws, HearOutcome,
)  # fmt: skip


# ---------------------------------------------------------------------- what happens


class MeterEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of what happens on a jackpot system. `clauses`: those that decide, the first one first."""

    system: str
    clauses: tuple[str, ...] = ()


class SystemOpened(MeterEvent, frozen=True, tag="system-opened"):
    wager: str
    price: Money
    meters: dict[str, MeterTerms]
    one_in: dict[str, int]
    managed: bool


class SignPut(MeterEvent, frozen=True, tag="sign-put"):
    table: str
    about: SignAbout
    to: str


class SignTaken(MeterEvent, frozen=True, tag="sign-taken"):
    table: str


class TableJoined(MeterEvent, frozen=True, tag="table-joined"):
    """A table is a member. A meter of its own ends: its seed goes into the float, the rest into the system."""

    table: str
    brings: dict[str, Money] = {}
    seeds: dict[str, Money] = {}


class TableRemoved(MeterEvent, frozen=True, tag="table-removed"):
    table: str
    to: str = ""


class SystemClosed(MeterEvent, frozen=True, tag="system-closed"):
    moved: tuple[MoneyMoved, ...]
    owed: dict[str, Money]


class OwedMoved(MeterEvent, frozen=True, tag="owed-moved"):
    to: str
    amounts: dict[str, Money]


class PriceSet(MeterEvent, frozen=True, tag="price-set"):
    price: Money


class MeterRaised(MeterEvent, frozen=True, tag="meter-raised"):
    meter: str
    amount: Money
    reason: str


class FaultReported(MeterEvent, frozen=True, tag="fault-reported"):
    part: Part
    reason: str
    by: Asker


class FaultMended(MeterEvent, frozen=True, tag="fault-mended"):
    reason: str
    by: Asker


class OutcomeHeard(MeterEvent, frozen=True, tag="outcome-heard"):
    """An outcome, in the order in which dealers record them; `reading` is its number if the meters were read."""

    table: str
    round: int
    changes: dict[str, MeterChange]
    credited: dict[str, Money]
    reading: int = 0
    done: tuple[str, ...] = ()
    awarded: str = ""


class EarlierRead(MeterEvent, frozen=True, tag="earlier-read"):
    """Somebody who may has read what the meters showed at an earlier settlement."""

    reading: int
    by: Asker


class DrawsSealed(MeterEvent, frozen=True, tag="draws-sealed"):
    """The draws to come are fixed: the commitment is published, seed and salt are not."""

    series: int
    commitment: str
    seed: bytes
    salt: bytes


class BoxDrawn(MeterEvent, frozen=True, tag="box-drawn"):
    """One draw for one prize after one round: a box among those that took part, or none."""

    series: int
    number: int
    table: str
    round: int
    pick: str
    one_in: int
    boxes: tuple[str, ...]
    box: str


class DrawsRevealed(MeterEvent, frozen=True, tag="draws-revealed"):
    series: int
    seed: bytes
    salt: bytes


EVENTS: tuple[type[MeterEvent], ...] = (
    SystemOpened, SignPut, SignTaken, TableJoined, TableRemoved, SystemClosed, OwedMoved, PriceSet, MeterRaised,
    FaultReported, FaultMended, OutcomeHeard, EarlierRead, DrawsSealed, BoxDrawn, DrawsRevealed,
)  # fmt: skip
