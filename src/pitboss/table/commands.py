"""What can be asked of a table. A command is a wish; `decide` answers it with events or a refusal.

`by` is the person who asks, where that is known: only the controlling player calls a box's decisions, and each bettor
makes their own choices (insurance, even money, forfeit). Left out, the dealer is taken to have checked.
"""

from __future__ import annotations

import msgspec

from pitboss.cards import Card
from pitboss.money import Money


class Command(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of all commands."""


class LoadShoe(Command, frozen=True, tag="load-shoe"):
    """Put cards into the shoe, first card first."""

    cards: tuple[Card, ...]


class PlaceBet(Command, frozen=True, tag="place-bet"):
    """Put a wager on a box (on Switch: on both boxes of an area, or on one of them)."""

    box: str
    player: str
    amount: Money
    wager: str = "main"
    seated: bool = False


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
    """A bettor walks away in mid-round: control passes on, or the dealer plays the box."""

    box: str
    player: str


class SystemPick(Command, frozen=True, tag="system-pick"):
    """The jackpot system has picked a box at random: `lucky` or `mystery`."""

    pick: str
    box: str


class Void(Command, frozen=True, tag="void"):
    """Declare the round, or one box, void. The role and the clause under which it is done are recorded."""

    role: str
    clause: str | None = None
    box: str | None = None
    reason: str = ""


class NextRound(Command, frozen=True, tag="next-round"):
    """Clear the table and open betting."""


PlayerAction = Hit | Stand | Double | Split | Switch | Forfeit | PlayAbsent | Surrender
