"""What has happened at a table. Events are the truth: the state is their fold, and each one of consequence names
its clauses.

A log begins with `TableOpened`. Every decision begins with `Asked`, and what follows until the next one is what it
caused. A log holds what the house alone may know (seeds, cards to come): it is not for players to read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

import msgspec

from pitboss.cards import Card
from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.floor_state import FloorState
from pitboss.table.messages.askers import Asker
from pitboss.table.messages.commands import Command
from pitboss.table.messages.order_commands import COMMANDS
from pitboss.table.state import (
    Bet,
    Box,
    CardSource,
    Carried,
    HandStatus,
    House,
    Limits,
    Meter,
    Origin,
    Pending,
    Phase,
    Reveal,
    Settlement,
    ShoeStage,
    SideBet,
    Stake,
)

Clauses = tuple[str, ...]

if TYPE_CHECKING:
    AnyCommand = Command
else:
    AnyCommand = Union[COMMANDS]  # noqa: UP007 - a union made of a list


class Event(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of all events. `clauses`: those that decide, the first one first."""

    clauses: Clauses = ()


class TableOpened(Event, frozen=True, tag="table-opened"):
    """The first event of a log: everything that a table opens with. No rulebook is needed to read on."""

    rules: Rules
    limits: Limits
    meters: dict[str, Meter]
    floor: FloorState
    places: int = 0
    """Boxes (playing areas) on the layout; 0: as many as the book allows."""

    def __repr__(self) -> str:
        return f"<TableOpened {self.rules.game}>"


class Asked(Event, frozen=True, tag="asked"):
    """Somebody has asked for something and it was granted: the first event of every decision."""

    command: AnyCommand
    by: Asker


class ShoeLoaded(Event, frozen=True, tag="shoe-loaded"):
    cards: tuple[Card, ...]


class ShoeBrought(Event, frozen=True, tag="shoe-brought"):
    """A real shoe is in play; nobody knows the order of its cards."""


class CardAwaited(Event, frozen=True, tag="card-awaited"):
    """The next card is to be keyed in; `command` is what waits for it, if it was not begun."""

    command: AnyCommand | None = None


class CardKeyed(Event, frozen=True, tag="card-keyed"):
    """A card has left the real shoe."""

    card: Card


class CutCardKeyed(Event, frozen=True, tag="cut-card-keyed"):
    """The cut card has left the real shoe, before the next card."""


class NoticeShown(Event, frozen=True, tag="notice-shown"):
    """A player who sits down is told of a choice of the house, as the book wants it."""

    player: str
    notice: str
    """Its name in the rulebook."""
    text: str


class PlayerArrived(Event, frozen=True, tag="player-arrived"):
    """Somebody comes to the table, by the box of that number."""

    player: str
    area: int


class PlayerLeft(Event, frozen=True, tag="player-left"):
    player: str


class ShuffleDue(Event, frozen=True, tag="shuffle-due"):
    """The cards must be shuffled before the next round; `why` is one word: ordered, abnormal, replaced, missed."""

    why: str
    role: str = ""
    reason: str = ""


class Shuffled(Event, frozen=True, tag="shuffled"):
    """The cards have a new order, and the hash of its seed and salt is published. The rest of the event is the house's
    secret until the shoe is retired. In mid-round only the rack was shuffled."""

    source: CardSource
    origin: Origin
    cards: tuple[Card, ...]
    stage: ShoeStage = ShoeStage.STACK
    mid_round: bool = False
    rack_stays: bool = False
    """The cards in the rack were not shuffled."""


class ShoeRetired(Event, frozen=True, tag="shoe-retired"):
    """No card of the shoe will be dealt any more: seed and salt are revealed."""

    reveal: Reveal


class Riffled(Event, frozen=True, tag="riffled"):
    """The stack was mixed once more at a player's request."""

    player: str
    cards: tuple[Card, ...]
    role: str


class CutOffered(Event, frozen=True, tag="cut-offered"):
    """The stack is offered to the first of `players`; if nobody is left, the role that must cut does."""

    players: tuple[str, ...]


class CutRefused(Event, frozen=True, tag="cut-refused"):
    player: str


class CardsCut(Event, frozen=True, tag="cards-cut"):
    """The first `at` cards go to the back; `by` is a player or a role."""

    by: str
    at: int


class CutCardPlaced(Event, frozen=True, tag="cut-card-placed"):
    """The cut card lies this many cards from the back, and the cards are in the shoe."""

    from_back: int


class DeviceLoaded(Event, frozen=True, tag="device-loaded"):
    """Cards that were shuffled and cut on the table go into the device."""


class CutCardDrawn(Event, frozen=True, tag="cut-card-drawn"):
    """The cut card came out: `fell` is the box whose card it preceded, `dealer`, `first` or `burn`."""

    fell: str
    player: str = ""
    """The controlling player of the box."""


class CardsBurnt(Event, frozen=True, tag="cards-burnt"):
    """Cards go from the shoe into the rack; the first `shown` of them were seen by everybody."""

    cards: tuple[Card, ...]
    shown: int = 0


class BurntCardShown(Event, frozen=True, tag="burnt-card-shown"):
    """A player asked to see the burnt card."""

    player: str
    card: Card


class CardsRanOut(Event, frozen=True, tag="cards-ran-out"):
    """A card is needed and none is left: the round waits until the discards are shuffled."""


class DiscardsFed(Event, frozen=True, tag="discards-fed"):
    """The rack goes into the device, which mixes it with what it holds; `order` is how it will deal from now on."""

    cards: tuple[Card, ...]
    order: tuple[Card, ...]


class DeviceStopped(Event, frozen=True, tag="device-stopped"):
    """The device has failed in mid-round: the round waits until its cards are shuffled and cut and lie in a shoe."""


class FeedMissed(Event, frozen=True, tag="feed-missed"):
    """The discards were not fed into the device: they stay in the rack until the next initial deal is complete."""


class CardsReplaced(Event, frozen=True, tag="cards-replaced"):
    """New cards for worn ones. `cards` are single cards exchanged for their like; empty: a whole new pack."""

    cards: tuple[Card, ...]
    role: str
    reason: str = ""
    backs: str = ""


class CardsDropped(Event, frozen=True, tag="cards-dropped"):
    """Cards were dropped or mishandled: play waits until somebody has verified that all are there."""


class CardsVerified(Event, frozen=True, tag="cards-verified"):
    role: str
    count: int


class HouseSet(Event, frozen=True, tag="house-set"):
    """Somebody with the power to do so has changed how cards are dealt at this table."""

    house: House
    role: str
    told: tuple[str, ...] = ()
    reason: str = ""


class PartDealt(Event, frozen=True, tag="part-dealt"):
    """The first cards of an initial deal for which the shoe had not enough."""

    cards: tuple[Card, ...]


class CardsShown(Event, frozen=True, tag="cards-shown"):
    """Cards that lay face down are turned over."""

    box: str


class BetPlaced(Event, frozen=True, tag="bet-placed"):
    bet: Bet


class BetRemoved(Event, frozen=True, tag="bet-removed"):
    box: str
    player: str
    wager: str


class WagerReturned(Event, frozen=True, tag="wager-returned"):
    """A wager, or the part of it over what counts, goes back to the player before the deal."""

    box: str
    player: str
    wager: str
    amount: Money
    why: str


class PlayerWarned(Event, frozen=True, tag="player-warned"):
    """The player is told that the next wager under the minimum goes back."""

    player: str


class BetsClosed(Event, frozen=True, tag="bets-closed"):
    """No more bets: the boxes and side wagers in play."""

    boxes: tuple[Box, ...]
    sides: tuple[SideBet, ...]


class MetersGrew(Event, frozen=True, tag="meters-grew"):
    """Prize meters after this round's wagers were added, or after a prize was paid."""

    meters: dict[str, Meter]


class MetersFollowed(Event, frozen=True, tag="meters-followed"):
    """Prize meters that the table shares show what happened elsewhere; those that are `gone` it has left."""

    meters: dict[str, Meter]
    gone: tuple[str, ...] = ()


class InitialDeal(Event, frozen=True, tag="initial-deal"):
    """The cards of the initial deal, in the order in which they left the shoe."""

    cards: tuple[Card, ...]
    face_down: tuple[str, ...] = ()
    """Boxes whose two cards lie face down."""


class PhaseBegan(Event, frozen=True, tag="phase-began"):
    phase: Phase


class NaturalStands(Event, frozen=True, tag="natural-stands"):
    """A natural waits for the dealer's hand."""

    box: str


class InsurancePlaced(Event, frozen=True, tag="insurance-placed"):
    box: str
    player: str
    amount: Money


class EvenMoneyTaken(Event, frozen=True, tag="even-money-taken"):
    box: str
    player: str


class PrizesDue(Event, frozen=True, tag="prizes-due"):
    """Box and player of each prize that the button has still to draw."""

    due: tuple[tuple[str, str], ...]


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """A hand acts. `pending` names a choice that passes by itself."""

    box: str
    hand: int
    pending: Pending = Pending.NOTHING


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """A card to a player's hand; `why` is hit, double, split, forced, automatic or absent."""

    box: str
    hand: int
    card: Card
    why: str


class Doubled(Event, frozen=True, tag="doubled"):
    """Who doubled, with which stakes; aces among the first two cards may be fixed at one."""

    box: str
    hand: int
    stakes: tuple[Stake, ...]
    tokens: tuple[tuple[str, int], ...]
    fixed_aces: int = 0


class HandSplit(Event, frozen=True, tag="hand-split"):
    """A hand becomes two: the stakes of both."""

    box: str
    hand: int
    first: tuple[Stake, ...]
    second: tuple[Stake, ...]
    tokens: tuple[tuple[str, int], ...]
    suited_sevens: bool = False


class SplitDeclined(Event, frozen=True, tag="split-declined"):
    box: str


class Switched(Event, frozen=True, tag="switched"):
    area: int


class SwitchDeclined(Event, frozen=True, tag="switch-declined"):
    area: int


class PendingPassed(Event, frozen=True, tag="pending-passed"):
    """Play goes on: a choice that was open is over."""


class SurrenderTaken(Event, frozen=True, tag="surrender-taken"):
    """These players have surrendered; the hand takes no more cards."""

    box: str
    players: tuple[str, ...]


class Forfeited(Event, frozen=True, tag="forfeited"):
    """The double is taken back and the original wager given up."""

    box: str
    hand: int
    player: str


class ControlPassed(Event, frozen=True, tag="control-passed"):
    """Another player calls the decisions of the box from now on: the one who did has left, or has no wager any more."""

    box: str
    controller: str
    left: bool = True


class LeftToDealer(Event, frozen=True, tag="left-to-dealer"):
    """Nobody acts for the box."""

    box: str


class HandEnded(Event, frozen=True, tag="hand-ended"):
    """The hand takes no more cards; `matters` say why."""

    box: str
    hand: int
    status: HandStatus
    matters: tuple[str, ...]


class DealerDrew(Event, frozen=True, tag="dealer-drew"):
    card: Card


class DealerStopped(Event, frozen=True, tag="dealer-stopped"):
    """The dealer takes no further card; `why` is total, moot or bust."""

    why: str


class WagerSettled(Event, frozen=True, tag="wager-settled"):
    """A main wager or insurance is decided on one hand."""

    settlement: Settlement


class SideSettled(Event, frozen=True, tag="side-settled"):
    """A side wager is decided, or paid for one stage; `state` is what it goes on as, empty when it is over."""

    settlement: Settlement
    index: int
    state: str = ""


class SideAdvanced(Event, frozen=True, tag="side-advanced"):
    """A side wager goes on in another state without payment."""

    index: int
    state: str


class WagerCarried(Event, frozen=True, tag="wager-carried"):
    """A side wager stays active for the next round."""

    carried: Carried


class BoxVoided(Event, frozen=True, tag="box-voided"):
    box: str
    role: str = ""
    reason: str = ""


class RoundVoided(Event, frozen=True, tag="round-voided"):
    role: str
    reason: str = ""


class RoundEnded(Event, frozen=True, tag="round-ended"):
    """All wagers are decided."""


class RoundBegan(Event, frozen=True, tag="round-began"):
    """Cards and settled wagers are cleared; betting is open."""
