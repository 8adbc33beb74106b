"""What an observer may see of an event: the one place that decides it.

`visible` gives the event as this observer may see it, or nothing. A kind of event that is not listed here is not shown
at all. What is hidden: how a shoe was shuffled while it is in play, cards that were burnt unseen, cards that lie face
down to the observer, and what only the people who keep the floor may read (passwords, reasons given to the inspector).
`SECRET` lists the kinds that hold cards to come or another secret; a store encrypts the rows that contain them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.orders import rulings as ru
from pitboss.table.state import CardSource, Origin, Shoe, State
from pitboss.table.views import FACE_DOWN, Observer, Viewer

STAFF = (Viewer.DEALER, Viewer.SUPERVISOR)
AnyEvent = lt.AnyTableEvent | hm.HouseEvent
Rule = Callable[[Any, State, Observer], AnyEvent | None]


def visible(event: AnyEvent, before: State | None, observer: Observer) -> AnyEvent | None:
    """The event as the observer may see it; none if they may not. `before` is the table when it happened."""
    rule = RULES.get(type(event))
    if rule is None:
        return None
    if rule is _show_all:
        return event
    assert before is not None, "an event of a table is looked at without its table"
    return rule(event, before, observer)


def _show_all(event: Any, before: State, observer: Observer) -> AnyEvent | None:
    """Everybody sees it as it is."""
    seen: AnyEvent = event
    return seen


def _show_asked(event: ev.Asked | ev.CardAwaited, before: State, observer: Observer) -> AnyEvent | None:
    """Everybody hears what is asked, but for what decides cards to come."""
    if isinstance(event.command, cmd.Shuffle):
        return replace(event, command=replace(event.command, entropy=b""))
    if isinstance(event.command, cmd.LoadShoe):
        return None
    if isinstance(event.command, cmd.Order) and observer.role not in STAFF:
        return replace(event, command=replace(event.command, person="", reason=""))
    return event


def _show_part(event: ev.PartDealt, before: State, observer: Observer) -> AnyEvent | None:
    """The cards of a deal that is not complete lie open where a person deals."""
    return event if before.shoe.source is CardSource.KEYED else _hide_cards(event, before, observer)


def _show_shuffle(event: ev.Shuffled, before: State, observer: Observer) -> AnyEvent | None:
    origin = event.origin
    public = Origin(number=origin.number, commitment=origin.commitment, occasion=origin.occasion)
    return replace(event, origin=public, cards=())


def _hide_cards(event: Any, before: State, observer: Observer) -> AnyEvent | None:
    seen: AnyEvent = replace(event, cards=())
    return seen


def _show_feed(event: ev.DiscardsFed, before: State, observer: Observer) -> AnyEvent | None:
    return replace(event, cards=(), order=())


def _show_burn(event: ev.CardsBurnt, before: State, observer: Observer) -> AnyEvent | None:
    down = len(event.cards) - event.shown
    return replace(event, cards=(*event.cards[: event.shown], *((FACE_DOWN,) * down)))


def _show_deal(event: ev.InitialDeal, before: State, observer: Observer) -> AnyEvent | None:
    """Cards that lie face down are seen by those with a wager on the box, a hole card by nobody."""
    count = len(before.boxes)
    cards = list(event.cards)
    player = observer.name if observer.role is Viewer.PLAYER else ""
    for index, box in enumerate(before.boxes):
        if box.number in event.face_down and box.bettor(player) is None:
            cards[index] = cards[count + 1 + index] = FACE_DOWN
    for index in range(2 * count + 1, len(cards)):
        cards[index] = FACE_DOWN
    return replace(event, cards=tuple(cards))


def _show_rewinding(event: ru.RoundRewound, before: State, observer: Observer) -> AnyEvent | None:
    """The cards that went back into the shoe are known; those behind them are not."""
    return replace(event, shoe=Shoe())


def _show_ruling(event: ru.Ruled, before: State, observer: Observer) -> AnyEvent | None:
    """Players hear what was ruled and by which role; names, reasons and reports are for the house."""
    if observer.role in STAFF:
        return event
    return replace(event, person="", reason="", told=(), to_tell=())


def _show_staff(event: Any, before: State, observer: Observer) -> AnyEvent | None:
    if observer.role not in STAFF:
        return None
    seen: AnyEvent = event
    return seen


def _show_own(event: Any, before: State, observer: Observer) -> AnyEvent | None:
    """What is between a player and the house."""
    if observer.role in STAFF or observer.name == event.player:
        seen: AnyEvent = event
        return seen
    return None


EVERYBODY = (
    ev.TableOpened, ev.PlayerArrived, ev.PlayerLeft, ev.ShuffleDue, ev.ShoeRetired, ev.CutOffered, ev.CutRefused,
    ev.CardsCut, ev.CutCardPlaced, ev.DeviceLoaded, ev.CutCardDrawn, ev.CardsRanOut, ev.DeviceStopped, ev.FeedMissed,
    ev.ShoeBrought, ev.CardKeyed, ev.CutCardKeyed, ru.CardCorrected,
    ev.CardsReplaced, ev.CardsDropped, ev.CardsVerified, ev.HouseSet, ev.CardsShown, ev.BetPlaced,
    ev.BetRemoved, ev.WagerReturned, ev.PlayerWarned, ev.BetsClosed, ev.MetersGrew, ev.MetersFollowed,
    ev.PhaseBegan, ev.NaturalStands,
    ev.InsurancePlaced, ev.EvenMoneyTaken, ev.PrizesDue, ev.TurnBegan, ev.CardDrawn, ev.BurntCardShown, ev.Doubled,
    ev.HandSplit, ev.SplitDeclined, ev.Switched, ev.SwitchDeclined, ev.PendingPassed, ev.SurrenderTaken, ev.Forfeited,
    ev.ControlPassed, ev.LeftToDealer, ev.HandEnded, ev.DealerDrew, ev.DealerStopped, ev.WagerSettled, ev.SideSettled,
    ev.SideAdvanced, ev.WagerCarried, ev.BoxVoided, ev.RoundVoided, ev.RoundEnded, ev.RoundBegan, ru.Misdealt,
    ru.HandDiscarded, ru.CardTakenBack, ru.CardHeldOver, ru.BetTurnedAway, ru.WagerRetracted, ru.DecidedAgain,
    ru.RoundRebuilt, ru.RoundReopened, ru.LimitsChanged, ru.OptionPermitted, ru.PrizeConfirmed,
    lt.TableSet, lt.MeterLinked, lt.TableKept, lt.ReadyCalled, lt.ClockRestarted, lt.CodeNoted,
)  # fmt: skip
"""What everybody at a table sees as it is."""

RULES: dict[type[Any], Rule] = {
    **dict.fromkeys(EVERYBODY, _show_all),
    ev.Asked: _show_asked,
    ev.Shuffled: _show_shuffle,
    ev.Riffled: _hide_cards,
    ev.ShoeLoaded: _hide_cards,
    ev.CardAwaited: _show_asked,
    ev.PartDealt: _show_part,
    ev.DiscardsFed: _show_feed,
    ev.CardsBurnt: _show_burn,
    ev.InitialDeal: _show_deal,
    ru.RoundRewound: _show_rewinding,
    ru.Ruled: _show_ruling,
    ru.FloorSet: _show_staff,
    ru.TroubleSet: _show_staff,
    ru.WinningsDecided: _show_own,
    ev.NoticeShown: _show_own,
    lt.ChipsBought: _show_own,
    lt.ChipsCashed: _show_own,
    lt.TokensBrought: _show_own,
    lt.AlongSet: _show_own,
    lt.ManagerLoaded: _show_own,
    lt.ManagerPaid: _show_own,
    **dict.fromkeys((lt.OrderPassedOn, lt.FloorTold, lt.OrderAsked, lt.OrderConfirmed, lt.OrderDropped), _show_staff),
}
"""How each kind of event is seen. What the floor's own log holds is not shown at tables."""

SECRET: frozenset[type[Any]] = frozenset(
    (
        ev.Shuffled, ev.Riffled, ev.ShoeLoaded, ev.DiscardsFed, ev.CardsBurnt, ev.PartDealt, ru.RoundRewound,
        hm.PersonAdded, hm.PasswordChanged, hm.FactorOffered, hm.FactorConfirmed,
    )
)  # fmt: skip
"""Kinds that hold cards to come, cards that nobody has seen, or what only the server may know."""


def holds_secret(events: Iterable[AnyEvent]) -> bool:
    """Whoever reads the store may not read the row of these events."""
    for event in events:
        if type(event) in SECRET:
            return True
        if type(event) is ev.InitialDeal and (event.face_down or len(event.cards) % 2 == 0):
            return True  # cards that lie face down; an even number means that there is a hole card
    return False
