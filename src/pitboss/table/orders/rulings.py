"""What has happened by order of the floor: the events beside those of play."""

from __future__ import annotations

from pitboss.cards import Card
from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.floor_state import FloorState, Prize, Trouble
from pitboss.table.messages.askers import Asker
from pitboss.table.messages.commands import kinds_of
from pitboss.table.messages.events import AnyCommand, Event
from pitboss.table.state import Limits, Shoe


class Ruled(Event, frozen=True, tag="ruled"):
    """Somebody used a power of the book: who, why, who was told, and who is still to be told."""

    act: str
    words: str
    """The order as records write it."""
    power: str
    """Name of the power in the rulebook; empty where the book is silent."""
    role: str
    person: str = ""
    reason: str = ""
    told: tuple[str, ...] = ()
    to_tell: tuple[str, ...] = ()
    box: str = ""
    player: str = ""


class FloorSet(Event, frozen=True, tag="floor-set"):
    """Standing orders from now on."""

    floor: FloorState


class TroubleSet(Event, frozen=True, tag="trouble-set"):
    """What is wrong with the round, and what may be done about it."""

    trouble: Trouble


class Misdealt(Event, frozen=True, tag="misdealt"):
    """The cards of the initial deal in the order in which they left the shoe, and the place on which each fell."""

    cards: tuple[Card, ...]
    fell: tuple[str, ...]


class HandDiscarded(Event, frozen=True, tag="hand-discarded"):
    """The cards on a box without a wager go into the rack."""

    box: str


class CardCorrected(Event, frozen=True, tag="card-corrected"):
    """A card of the round had been keyed in wrongly."""

    number: int
    was: Card
    card: Card


class CardTakenBack(Event, frozen=True, tag="card-taken-back"):
    """The last burnt card was burnt in error: it is the next card again."""

    card: Card


class CardHeldOver(Event, frozen=True, tag="card-held-over"):
    """A card that nobody has seen is kept under the shoe and is the first of the next round; it counts as not drawn."""


class BetTurnedAway(Event, frozen=True, tag="bet-turned-away"):
    """A wager, or the part of it that an order does not allow, is refused or taken back before it was in play."""

    box: str
    player: str
    wager: str
    amount: Money


class WagerRetracted(Event, frozen=True, tag="wager-retracted"):
    """A player takes a wager back, because something that went wrong gives them the choice."""

    box: str
    player: str
    wager: str


class RoundReopened(Event, frozen=True, tag="round-reopened"):
    """The round before is reopened to be put right; wagers already placed for the next one wait."""


class RoundRewound(Event, frozen=True, tag="round-rewound"):
    """The round goes back to the close of betting; its cards lie in the shoe again in the order in which they came."""

    shoe: Shoe
    reached: int
    """How many cards of the shoe have been out."""


class DecidedAgain(Event, frozen=True, tag="decided-again"):
    """Something that was asked in the round is carried out once more in the rebuilt one; `by` asked for it then."""

    command: AnyCommand
    by: Asker


class RoundRebuilt(Event, frozen=True, tag="round-rebuilt"):
    """The round stands as it should have been; what came since the rewinding was not decided again."""


class LimitsChanged(Event, frozen=True, tag="limits-changed"):
    """The sign at the table shows other limits from now on."""

    limits: Limits


class OptionPermitted(Event, frozen=True, tag="option-permitted"):
    """A choice that the book leaves to somebody's leave is changed for this table: the rules from now on."""

    option: str
    value: bool
    rules: Rules


class PrizeConfirmed(Event, frozen=True, tag="prize-confirmed"):
    """Whoever must confirm a prize has done so: it is paid."""

    prize: Prize


class WinningsDecided(Event, frozen=True, tag="winnings-decided"):
    """The house has decided on winnings that it held back: they are paid out, or forfeit."""

    player: str
    amount: Money
    released: bool


EVENTS = kinds_of(Event)
"""Every kind of event: those of play, and those of the floor above."""
