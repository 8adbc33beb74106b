"""What can be asked of a table. A command is a wish; `decide` answers it with events or a refusal.

`by` is the person who asks, where that is known: only the controlling player calls a box's decisions, and each bettor
makes their own choices (insurance, even money, forfeit). Left out, the dealer is taken to have checked.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.cards import Card
from pitboss.money import Money


class Command(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of all commands."""


def kinds_of(base: type[Any]) -> tuple[type[Any], ...]:
    """The kinds of `base` that are not bases themselves: all commands, all events."""
    kinds: list[type[Any]] = []
    for kind in base.__subclasses__():
        kinds.extend(kinds_of(kind) if kind.__subclasses__() else (kind,))
    return tuple(kinds)


class LoadShoe(Command, frozen=True, tag="load-shoe"):
    """Put cards into the shoe, first card first."""

    cards: tuple[Card, ...]


class BringShoe(Command, frozen=True, tag="bring-shoe"):
    """A real shoe, shuffled and cut by hand, comes into play: its cards are keyed in as they are dealt."""

    role: str = "dealer"


class KeyCard(Command, frozen=True, tag="key-card"):
    """The dealer keys in the card that has just left the real shoe."""

    card: Card
    role: str = "dealer"


class KeyCutCard(Command, frozen=True, tag="key-cut-card"):
    """The dealer keys in that the cut card has come out of the real shoe, before the next card."""

    role: str = "dealer"


class Arrive(Command, frozen=True, tag="arrive"):
    """A player comes to the table, by this box: the order of arrival decides who may cut first."""

    player: str
    box: str


class Leave(Command, frozen=True, tag="leave"):
    """A player leaves the table between rounds."""

    player: str


class Shuffle(Command, frozen=True, tag="shuffle"):
    """Shuffle the cards: at the start, when a shuffle is due, and the discards when no card is left in mid-round."""

    entropy: bytes
    """At least 32 bytes that nobody else knows."""
    role: str = "dealer"


class OrderShuffle(Command, frozen=True, tag="order-shuffle"):
    """A supervisor has the cards shuffled: after the round, or because they come in an abnormal sequence."""

    role: str
    reason: str = ""
    abnormal: bool = False


class Riffle(Command, frozen=True, tag="riffle"):
    """Mix pre-shuffled cards once more before the cut, at a player's request and with a supervisor's approval."""

    role: str
    player: str


class OfferCut(Command, frozen=True, tag="offer-cut"):
    """Offer the stack to the player whom the book names first."""

    role: str = "dealer"


class RefuseCut(Command, frozen=True, tag="refuse-cut"):
    """The player to whom the stack is offered does not cut."""

    player: str


class Cut(Command, frozen=True, tag="cut"):
    """Put the cut card into the stack, this many cards from its front. `by` is the player, or the role that cuts."""

    by: str
    at: int


class PlaceCutCard(Command, frozen=True, tag="place-cut-card"):
    """The dealer places the cut card, this many cards from the back, and fills the shoe."""

    from_back: int
    role: str = "dealer"


class ShowBurntCard(Command, frozen=True, tag="show-burnt-card"):
    """A player asks to see the card that was burnt."""

    player: str


class BurnEachRound(Command, frozen=True, tag="burn-each-round"):
    """Decide, before the table opens, whether the first card of each round is burnt."""

    role: str
    on: bool = True


class DealFaceDown(Command, frozen=True, tag="deal-face-down"):
    """Have players' first two cards dealt face down, or up again; `told` and `approved` name the bodies."""

    role: str
    on: bool = True
    told: tuple[str, ...] = ()
    approved: tuple[str, ...] = ()


class NominateBox(Command, frozen=True, tag="nominate-box"):
    """A player with several boxes names the one whose cards are dealt face down."""

    player: str
    box: str


class ShowCards(Command, frozen=True, tag="show-cards"):
    """A player turns over the two cards that lie face down on a box."""

    box: str
    by: str | None = None


class SettleByHand(Command, frozen=True, tag="settle-by-hand"):
    """A person deals at this table: the final settlement is a step of its own, or follows by itself again."""

    on: bool = True


class ReplaceCards(Command, frozen=True, tag="replace-cards"):
    """Bring new cards: a whole pack, or `cards` for worn ones. `found_by` is the role that judged them unfit."""

    role: str
    reason: str = ""
    cards: tuple[Card, ...] = ()
    found_by: str = ""
    backs: str = ""
    """The colour of the new pack's backs."""


class ReportDroppedCards(Command, frozen=True, tag="report-dropped-cards"):
    """The dealer says that cards were dropped or mishandled."""

    role: str = "dealer"


class VerifyDroppedCards(Command, frozen=True, tag="verify-dropped-cards"):
    """A supervisor has counted: all cards are there."""

    role: str


class MissFeed(Command, frozen=True, tag="miss-feed"):
    """The discards were not put into the device when the initial deal was complete."""

    role: str = "dealer"


class RetireShoe(Command, frozen=True, tag="retire-shoe"):
    """Put the cards away for good: the table closes, or they are no longer wanted."""

    role: str = "dealer"


class PlaceBet(Command, frozen=True, tag="place-bet"):
    """Put a wager on a box (on Switch: on both boxes of an area, or on one of them)."""

    box: str
    player: str
    amount: Money
    wager: str = "main"
    seated: bool = False
    medium: str = ""
    """What it is made of, if somebody has said so: `chips`, `promotional-tokens`, `cash`; `words` if only spoken."""
    checked: bool = True
    """Somebody compares it with the sign. Not so if more chips are to come, or if it was overlooked until the deal."""


class RemoveBet(Command, frozen=True, tag="remove-bet"):
    """Take a wager off the layout before the deal."""

    box: str
    player: str
    wager: str = "main"


class Deal(Command, frozen=True, tag="deal"):
    """No more bets: the initial deal and what follows from it."""


class Insure(Command, frozen=True, tag="insure"):
    """Place insurance."""

    box: str
    player: str
    amount: Money
    by: str | None = None


class TakeEvenMoney(Command, frozen=True, tag="even-money"):
    """Ask for even money on a natural."""

    box: str
    player: str
    by: str | None = None


class Surrender(Command, frozen=True, tag="surrender"):
    """Give up half of the wager; `players` are the sharers who do so too, where they may choose."""

    box: str
    players: tuple[str, ...] = ()
    by: str | None = None


class DrawPrize(Command, frozen=True, tag="prize"):
    """The jackpot button has drawn a prize, per unit staked."""

    box: str
    player: str
    amount: Money
    nominee: str | None = None
    """Who pressed the button in the player's place."""


class Proceed(Command, frozen=True, tag="proceed"):
    """The dealer goes on: closes what is open (insurance, a switch, a double that could be taken back)."""


class Hit(Command, frozen=True, tag="hit"):
    """Draw a card."""

    box: str
    by: str | None = None


class Stand(Command, frozen=True, tag="stand"):
    """Draw no more."""

    box: str
    by: str | None = None


class Double(Command, frozen=True, tag="double"):
    """Double. `amounts` by player; left out: the one player on the hand, in full."""

    box: str
    amounts: tuple[tuple[str, Money], ...] = ()
    by: str | None = None


class Split(Command, frozen=True, tag="split"):
    """Split. `players` are the sharers who match it; the others ride on the first hand."""

    box: str
    players: tuple[str, ...] = ()
    by: str | None = None


class Switch(Command, frozen=True, tag="switch"):
    """Exchange the second cards of an area's two boxes."""

    area: str
    by: str | None = None


class Forfeit(Command, frozen=True, tag="forfeit"):
    """Take a double back and give up the original wager."""

    box: str
    player: str
    by: str | None = None


class PlayAbsent(Command, frozen=True, tag="absent"):
    """Nobody acts for the box: the dealer plays it by the book's rule."""

    box: str


class LeaveBox(Command, frozen=True, tag="leave-box"):
    """A bettor walks away in mid-round: control of the playing area passes on, or the dealer plays it."""

    box: str
    player: str


class SystemPick(Command, frozen=True, tag="system-pick"):
    """The jackpot system has picked a box at random: `lucky` or `mystery`."""

    pick: str
    box: str


class Order(Command, frozen=True, kw_only=True):
    """What somebody on the floor orders: who, why, who was told before, and the clause it is done under."""

    role: str
    person: str = ""
    reason: str = ""
    told: tuple[str, ...] = ()
    """Bodies that were told before: `inspector`, `surveillance`."""
    clause: str | None = None


class Void(Order, frozen=True, tag="void"):
    """Declare the round, one box, wagers of one player, or a single wager void."""

    box: str | None = None
    player: str | None = None
    wager: str | None = None
    """Of this player on this box; none: all of them."""


class NextRound(Command, frozen=True, tag="next-round"):
    """Clear the table and open betting."""


PlayerAction = Hit | Stand | Double | Split | Switch | Forfeit | PlayAbsent | Surrender
