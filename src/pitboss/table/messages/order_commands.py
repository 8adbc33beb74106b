"""What somebody on the floor can ask of a table: irregularities put right, and powers used.

An order names the role of whoever gives it and may name the person, the reason, who was told beforehand and the clause
it is given under. `roles` says who may give which; `docs/floor-actions.md` lists them all. What players themselves
choose when something went wrong (to refuse a card, to take a wager back) is at the end.
"""

from __future__ import annotations

from typing import Literal

from pitboss.cards import Card
from pitboss.money import Money
from pitboss.table.messages.commands import Command, Order, kinds_of

# ---------------------------------------------------------------------- cards that went astray


class BurnFaced(Order, frozen=True, tag="burn-faced"):
    """The next card lies face up in the shoe: it is burnt. Before the deal `card` may be one further on."""

    card: int = 1


class Stray(Order, frozen=True, tag="stray"):
    """The next card was dealt in error; `burnt`: the last card burnt was burnt in error."""

    burnt: bool = False


class Surplus(Order, frozen=True, tag="surplus"):
    """A card too many was dealt to the dealer's finished hand."""

    exposed: bool


class NoWagerRound(Order, frozen=True, tag="no-wager"):
    """So many cards were dealt although no wager is placed."""

    cards: int


class CheckDevice(Order, frozen=True, tag="check-device"):
    """Have all cards taken out of the device and checked, because more of them may be turned the wrong way."""


class ForeignCard(Order, frozen=True, tag="foreign-card"):
    """A card is missing from the pack, or one does not belong to it."""

    missing: bool = False


# ---------------------------------------------------------------------- steps that were left out


class MissedBurn(Order, frozen=True, tag="missed-burn"):
    """The card that should have been burnt was not."""


class RestartShoe(Order, frozen=True, tag="restart-shoe"):
    """Rebuild the first round of a shoe with the burn that was left out."""


class MissedCut(Order, frozen=True, tag="missed-cut"):
    """The cards were not cut."""


class MissedShuffle(Order, frozen=True, tag="missed-shuffle"):
    """The cards were not shuffled although the cut card had come."""


class LateInsurance(Order, frozen=True, tag="late-insurance"):
    """Insurance was not offered: offer it now, to all or to `players`."""

    players: tuple[str, ...] = ()


# ---------------------------------------------------------------------- misdeals


class Misdeal(Order, frozen=True, tag="misdeal"):
    """The initial deal went wrong: where each card fell, a box or `dealer`."""

    fell: tuple[str, ...]


class Reconstruct(Order, frozen=True, tag="reconstruct"):
    """Rebuild the round: the deal as it should have fallen, or with the decision that was carried out wrongly.

    `box` names the box (or the area, for a switch) whose `number`-th deed was wrong (0: its last), `should` what it
    should have been: hit, stand, double, split, switch, no-switch, or `ask` if the player was never asked.
    """

    box: str | None = None
    number: int = 0
    should: str = "ask"


class CorrectCard(Order, frozen=True, tag="correct-card"):
    """A card was keyed in wrongly: the card of this number in the round, from 1, is another."""

    number: int
    card: Card


class DiscardHand(Order, frozen=True, tag="discard-hand"):
    """Discard the cards that were dealt to a box without a wager."""

    box: str


class FirstCard(Order, frozen=True, tag="first-card"):
    """The dealer has no first card: the acting player has it taken now, or after their own hand."""

    now: bool


# ---------------------------------------------------------------------- machines


class DeviceFailed(Order, frozen=True, tag="device-failed"):
    """The shuffling device failed: there is a `spare`, or `none`, or it did `harm` to somebody's chances."""

    outcome: str
    damaged: tuple[Card, ...] = ()


class StrayPress(Order, frozen=True, tag="stray-press"):
    """The jackpot button was pressed by nobody entitled to, or at the wrong time."""

    box: str
    player: str
    amount: Money


class PressButton(Order, frozen=True, tag="press"):
    """The players of a box cannot agree who presses the jackpot button: somebody of the house has pressed it."""

    box: str
    player: str
    amount: Money


class PanelPrize(Order, frozen=True, tag="panel-prize"):
    """The control panel shows another prize than the display did: the panel counts."""

    box: str
    player: str
    amount: Money


class Malfunction(Order, frozen=True, tag="malfunction"):
    """The equipment of a side wager is out of order: the book says what is due now, and it is offered no more."""

    wager: str


class Repaired(Order, frozen=True, tag="repaired"):
    """The equipment works again: the side wager is offered once more."""

    wager: str


class Unregistered(Order, frozen=True, tag="unregistered"):
    """The wagers of this kind were not entered before the deal: players may take them back."""

    wager: str


# ---------------------------------------------------------------------- powers over wagers


class ForfeitWagers(Order, frozen=True, tag="forfeit-wagers"):
    """The wagers of somebody whose fraud made the round void are lost."""

    player: str


class RefuseWager(Order, frozen=True, tag="refuse-wager"):
    """Refuse a wager and take it off the layout."""

    box: str
    player: str
    wager: str = "main"


class HoldToMinimum(Order, frozen=True, tag="hold-to-minimum"):
    """Hold a player to the minimum: until the reshuffle, or for all further shoes."""

    player: str
    further: bool = False


class OneBox(Order, frozen=True, tag="one-box"):
    """Hold a player to one box and to its minimum."""

    player: str
    box: str = ""


class Lift(Order, frozen=True, tag="lift"):
    """Lift what a player is held to, and any limits of their own."""

    player: str


class Bar(Order, frozen=True, tag="bar"):
    """Bar a player from the game."""

    player: str


class Withhold(Order, frozen=True, tag="withhold"):
    """Hold back a player's winnings until the inquiry is over."""

    player: str


class ReleaseWinnings(Order, frozen=True, tag="release-winnings"):
    """The inquiry is over: pay out the winnings that were held back."""

    player: str


class ForfeitWinnings(Order, frozen=True, tag="forfeit-winnings"):
    """The inquiry is over: the winnings that were held back are forfeit."""

    player: str


class Reserve(Order, frozen=True, tag="reserve"):
    """Reserve boxes for one player."""

    player: str
    boxes: tuple[str, ...]


class Release(Order, frozen=True, tag="release"):
    """Boxes are no longer reserved."""

    boxes: tuple[str, ...]


class LimitSharers(Order, frozen=True, tag="sharers"):
    """Allow only so many players on a box."""

    number: int


class LimitSidePlaces(Order, frozen=True, tag="side-places"):
    """Allow only so many wagers of one kind on a box."""

    wager: str
    number: int


class PersonalLimits(Order, frozen=True, tag="personal-limits"):
    """Give a player a minimum and a maximum of their own; `shown`: the sign or marker stands."""

    player: str
    minimum: Money
    maximum: Money
    shown: bool = False


class AnnounceLimits(Order, frozen=True, tag="announce-limits"):
    """Announce new limits for the table or for one wager; the sign goes up at this minute."""

    minimum: Money
    maximum: Money
    minute: int = 0
    wager: str = "main"


class ChangeLimits(Order, frozen=True, tag="limits"):
    """Change the table's limits, at this minute: as announced, or at once where the book lets it be.

    `now`: a minimum is raised at once and players at the table keep theirs; `all`: those who kept an old one have the
    table's too; `agreed`: all players agree; `shown`: markers stand and the signs show both limits. The sign may also
    name a unit above the minimum, say whether limits are per box or per player, and have limits for one side wager.
    """

    minimum: Money
    maximum: Money
    minute: int = 0
    how: Literal["", "now", "all", "agreed"] = ""
    shown: bool = False
    unit: Money | None = None
    per: Literal["", "box", "player"] = ""
    wager: str = "main"


class ReferDispute(Order, frozen=True, tag="dispute"):
    """A player disputes something: it is referred to whoever the book names first."""

    player: str


class RuleOnDispute(Order, frozen=True, tag="ruling"):
    """Decide a player's dispute, for the player or against; a second time on review."""

    player: str
    upheld: bool


class VacateSeat(Order, frozen=True, tag="vacate"):
    """Have an idle player give up the place."""

    player: str


# ---------------------------------------------------------------------- powers over the game


class DeferNaturals(Order, frozen=True, tag="defer-naturals"):
    """Have naturals that are paid at once paid at the final settlement, or at once again."""

    on: bool = True


class Permit(Order, frozen=True, tag="permit"):
    """Permit what the book leaves to somebody's leave, from the next round on; `announced`: the players were told."""

    option: str
    on: bool = True
    announced: bool = False


class PermitGuest(Order, frozen=True, tag="permit-guest"):
    """Let a player place a side wager where they have no main wager."""

    player: str
    wager: str
    box: str = ""


class RequireLeave(Order, frozen=True, tag="require-leave"):
    """Side wagers that need somebody's leave are turned away without it, or leave is taken to be given again."""

    on: bool = True


class MainBettorsOnly(Order, frozen=True, tag="main-bettors-only"):
    """Reserve a side wager for players with a main wager, or open it again; `shown`: the sign stands."""

    wager: str
    on: bool = True
    shown: bool = False


class LimitBoxes(Order, frozen=True, tag="boxes"):
    """Let players wager on so many boxes: those named, or everybody."""

    number: int
    players: tuple[str, ...] = ()


class TwoHands(Order, frozen=True, tag="two-hands"):
    """Require a player who is alone at the table to play two hands, or no longer."""

    on: bool = True


class GiveUpBox(Order, frozen=True, tag="give-up"):
    """Have a player on several boxes give one up to others."""

    player: str
    box: str


class DirectAbsent(Order, frozen=True, tag="direct-absent"):
    """Direct that the dealer plays the hand of somebody who does not act."""

    box: str


class AnnounceClosing(Order, frozen=True, tag="announce-closing"):
    """Announce that the table closes; the sign goes up at this minute."""

    minute: int = 0


class CloseTable(Order, frozen=True, tag="close-table"):
    """Close the table, at this minute."""

    minute: int = 0


# ---------------------------------------------------------------------- what somebody has to see to


class RequireRecord(Order, frozen=True, tag="on-record"):
    """Sign, checks and confirmations must be on record: without them the table waits; or they are taken to be done."""

    on: bool = True


class DisplaySign(Order, frozen=True, tag="sign"):
    """The sign with the limits is up, or no longer there."""

    up: bool


class CheckEquipment(Order, frozen=True, tag="check-equipment"):
    """The equipment of a side wager was checked and works."""

    wager: str


class ConfirmPrize(Order, frozen=True, tag="confirm-prize"):
    """Confirm a prize that the table has worked out, so that it is paid."""

    box: str
    outcome: str


class CheckCards(Order, frozen=True, tag="check-cards"):
    """The cards were checked before use."""


class CallBets(Order, frozen=True, tag="no-more-bets"):
    """It was called that no more bets may be placed; the first card is still to come."""


class ChangeDealer(Order, frozen=True, tag="dealer"):
    """Somebody else deals from now on."""

    name: str


class TellBodies(Order, frozen=True, tag="tell"):
    """Those who had to be told of a ruling were told."""

    bodies: tuple[str, ...]


# ---------------------------------------------------------------------- what players choose


class RefuseCard(Command, frozen=True, tag="refuse"):
    """Refuse the card that was dealt in error: the hand takes no more cards."""

    box: str
    by: str | None = None


class Retract(Command, frozen=True, tag="retract"):
    """Take a wager back where the book lets players do so because something went wrong."""

    box: str
    player: str
    wager: str = "main"
    by: str | None = None


COMMANDS = kinds_of(Command)
"""Every kind of command: those of play, and those of the floor above."""
