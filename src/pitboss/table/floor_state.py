"""What the floor has ruled: standing orders that outlast a round, and what went wrong in one.

`FloorState` is kept from round to round until somebody lifts it or the shoe ends; `Trouble` and the `Deed`s, the story
of the round, are gone with it. Betting, dealing and turns ask them; only events change them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from pitboss.cards import Card
from pitboss.money import ZERO, Money
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import Asker

Clauses = tuple[str, ...]


class Restriction(msgspec.Struct, frozen=True):
    """One player is held to the minimum, on one box or on any, until the reshuffle or until it is lifted."""

    player: str
    clauses: Clauses
    one_box: bool = False
    box: str = ""
    """The one box; empty: the first that the player takes."""
    until_reshuffle: bool = True
    rank: int = 0
    """How high on the ladder the role stands that imposed it: nobody below may lift it."""


class PersonalLimit(msgspec.Struct, frozen=True):
    """One player's own minimum and maximum in place of the sign's."""

    player: str
    clauses: Clauses
    minimum: Money | None = None
    maximum: Money | None = None


class Reserved(msgspec.Struct, frozen=True):
    """A box that one player alone may use."""

    area: int
    player: str
    clauses: Clauses


class LimitSign(msgspec.Struct, frozen=True):
    """A sign that announces new limits, and the minute at which it went up."""

    minimum: Money
    maximum: Money
    minute: int
    clauses: Clauses
    wager: str = "main"


class Protected(msgspec.Struct, frozen=True):
    """A player who was at the table when its minimum was raised at once, and keeps the old one until they leave."""

    player: str
    minimum: Money
    area: int
    """Where the marker stands: the one box at which the player is, whatever others they play."""
    clauses: Clauses


class DisputeRuling(msgspec.Struct, frozen=True):
    """Who decided a dispute, for the player or against, and why."""

    role: str
    person: str
    upheld: bool
    reason: str
    clauses: Clauses


class Dispute(msgspec.Struct, frozen=True):
    """What a player disputes, and what was decided on it so far."""

    player: str
    matter: str
    rulings: tuple[DisputeRuling, ...] = ()
    next_step: str = ""
    """Where the player may take it from here, as the book's chain of steps has it."""


class Closing(msgspec.Struct, frozen=True):
    """The table is to close: since which minute the sign stands, or how many rounds are still to come."""

    clauses: Clauses
    minute: int | None = None
    rounds_left: int | None = None
    extra: bool = False
    """The round now due is the extra one for a carried wager: no new wager of that kind."""


class Permission(msgspec.Struct, frozen=True):
    """A player without a main wager of their own may place a side wager; on any box where none is named."""

    player: str
    wager: str
    box: str = ""


class Withheld(msgspec.Struct, frozen=True):
    """A player whose winnings are held back until the house has finished its inquiry."""

    player: str
    clauses: Clauses
    kept: Money = ZERO
    """What was won since, in rounds that are cleared away."""


class Prize(msgspec.Struct, frozen=True):
    """A prize that is worked out and waits for somebody to confirm it."""

    box: str
    player: str
    wager: str
    outcome: str
    amount: Money
    power: str
    """The power of the book by which it is confirmed."""
    held: bool = False
    """It is held back until then; else it is taken to be confirmed, and is paid."""


EVERYBODY = "*"
"""In place of a player's name: whoever has nothing ordered for themselves."""


class GivenUp(msgspec.Struct, frozen=True):
    """A box that a player on several had to leave to others."""

    player: str
    area: int
    clauses: Clauses


class ToTell(msgspec.Struct, frozen=True):
    """A body that must be told of something that was ordered."""

    body: str
    act: str
    clauses: Clauses


class FloorState(msgspec.Struct, frozen=True):
    """Standing orders at one table."""

    restrictions: tuple[Restriction, ...] = ()
    personal: tuple[PersonalLimit, ...] = ()
    reserved: tuple[Reserved, ...] = ()
    sharers_max: int | None = None
    sharers_clauses: Clauses = ()
    side_places: dict[str, int] = {}
    """Side wagers of which fewer are taken on a box than the book allows."""
    barred: dict[str, Clauses] = {}
    """Players who may not take part any more, and the clause for each."""
    withheld: tuple[Withheld, ...] = ()
    prizes: tuple[Prize, ...] = ()
    """Prizes of rounds before that nobody has confirmed yet."""
    holds_prizes: bool = False
    """Those of this round are held back, although nothing need be on record any more: it had to when they were won."""
    on_record: bool = False
    """What the book makes somebody see to must be on record; else it is taken to be done."""
    sign: Literal["", "up", "down"] = ""
    """Whether the sign with the limits is up; empty: nobody has said."""
    boxes_most: dict[str, int] = {}
    """On how many boxes players may wager, by name or for everybody."""
    boxes_clauses: Clauses = ()
    two_hands: Clauses = ()
    """Whoever is alone at the table plays two hands, by these clauses."""
    given_up: tuple[GivenUp, ...] = ()
    cards_checked: bool = False
    """Somebody has checked the cards that are in use, or will be next."""
    dealer: str = ""
    """Who deals, if somebody has said so."""
    to_tell: tuple[ToTell, ...] = ()
    """Who is still to be told of what was ordered."""
    checked: tuple[str, ...] = ()
    """Side wagers whose equipment somebody has seen to work."""
    leave: tuple[Permission, ...] = ()
    leave_required: bool = False
    """Side wagers that need leave are turned away without it; else leave is taken to have been given."""
    main_bettors_only: dict[str, Clauses] = {}
    """Side wagers reserved for players with a main wager."""
    withdrawn: dict[str, Clauses] = {}
    """Side wagers that are not offered because their equipment is out of order."""
    naturals_deferred: Clauses = ()
    """Naturals that would be paid at once are paid at the final settlement, by these clauses."""
    idle: dict[str, int] = {}
    """Rounds in a row in which a player at the table had no wager."""
    limit_sign: LimitSign | None = None
    """Limits that are announced and not in force yet."""
    protected: tuple[Protected, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    closing: Closing | None = None
    closed: bool = False


RoundCommand = (
    cmd.Hit | cmd.Stand | cmd.Double | cmd.Split | cmd.Switch | cmd.Forfeit | cmd.PlayAbsent | cmd.Surrender
    | cmd.Insure | cmd.TakeEvenMoney | cmd.DrawPrize | cmd.LeaveBox | cmd.SystemPick | cmd.Proceed
)  # fmt: skip
"""What is done in a round by players, dealer and machines, apart from supervisors."""

RulingCommand = (
    cmd.Void | od.Retract | od.Malfunction | od.PanelPrize | od.Unregistered | od.LateInsurance | od.DiscardHand
    | od.FirstCard | od.DeviceFailed
)  # fmt: skip
"""What is ruled on a round while it is played, or taken back because of a ruling: it stands when the round is rebuilt.

Standing orders are not among them: they are kept beside the round and outlast it.
"""

AT_ITS_TURN = -1
"""In place of a hand: the decision was given before the turn of its box, which has not come yet."""

AFTER_THE_ROUND = -2
"""In place of a hand: this was ruled when the round was settled."""

BEFORE_PLAY = -3
"""In place of a hand: this was ruled while the deal lay as it had fallen, before it was played on."""

AFTER_OFFERS = -4
"""In place of a hand: this was insured late, by leave, when the time for offers was over."""


WaitingCommand = RoundCommand | od.Stray | od.Surplus | od.BurnFaced | od.NoWagerRound | od.Misdeal | od.FirstCard
"""What needs a card at once: at a shoe whose cards are keyed in it waits for it."""


class Deed(msgspec.Struct, frozen=True):
    """Something that was asked in the round and granted, and what whoever asked had before them."""

    box: str
    """The box, or the number of an area for a switch."""
    hand: int
    """Index of the hand of the box."""
    cards: tuple[Card, ...]
    up: Card
    """The dealer's first card; empty if there was none."""
    command: RoundCommand | RulingCommand
    by: Asker


class Trouble(msgspec.Struct, frozen=True):
    """What went wrong in the round and is not over yet, and whether the call that ends betting was made."""

    called: bool = False
    """Somebody has called that no more bets may be placed."""
    misdealt: tuple[str, ...] = ()
    """Where the cards of the initial deal fell, in order, if not where they should have."""
    halted: bool = False
    """The deal fell wrongly and nothing was settled on it yet."""
    elsewhere: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    """Cards that were dealt to boxes without a wager."""
    faced: tuple[int, ...] = ()
    """Which cards of the coming deal, counted from the next one, lie face up and are burnt when they come."""
    faced_clauses: Clauses = ()
    stray: bool = False
    """The next card is out of the shoe and everybody has seen it."""
    late_insurance: tuple[str, ...] = ()
    """Players who may still insure after the window was missed; `*` for all."""
    first_card_after: tuple[str, int] | None = None
    """Box and hand after which the dealer takes the first card that was missed."""
    withdrawal: bool = False
    """Each player may take each wager back, because the device failed and there is no other."""
    retractable: tuple[str, ...] = ()
    """Side wagers that may be taken back because they were not registered."""
    retracted: tuple[tuple[str, str, str], ...] = ()
    """Box, player and wager of wagers taken back before a misdeal is rebuilt."""
    turned_away: tuple[tuple[str, str, str], ...] = ()
    """Box, player and wager of wagers refused or taken back before they were in play."""
    rebuilt: int = 0
    """How often the round was rebuilt."""
    ended: bool = False
    """The round had ended before it was rebuilt: what goes by rounds has counted it."""
    confirmed: tuple[Prize, ...] = ()
    """Prizes of the round that somebody has confirmed."""
    void_under: Clauses = ()
    """The clauses under which the round was declared void."""
    reached: int = 0
    """How many cards of the shoe had been out when the round was rebuilt: those beyond its position were seen."""
