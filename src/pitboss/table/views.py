"""What one observer may see of a table: no undealt card, and no card that lies face down to them, is ever in a view.

Everybody sees the layout: wagers, open cards, limits, meters. What differs is what the observer may do: a player who
controls a box has its decisions, a sharer their own choices, the dealer the running of the round, a supervisor the
same; a spectator has nothing to do. Clients draw a view and know no rules.
"""

from __future__ import annotations

import enum

import msgspec

from pitboss.cards import Card
from pitboss.money import ZERO, Money
from pitboss.play.hands import total
from pitboss.table.floor_state import LimitSign, Prize
from pitboss.table.legal import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import words
from pitboss.table.round.held_money import amount_withheld, list_prizes
from pitboss.table.shoe.face_down import hidden
from pitboss.table.shoe.shoe_views import ShoeView, shoe_view
from pitboss.table.state import Bet, Box, Hand, Limits, Meter, Pending, Phase, Settlement, SideBet, State

FACE_DOWN: Card = "??"
"""A card that the observer may not see."""


class Viewer(enum.StrEnum):
    """Who looks."""

    PLAYER = "player"
    SPECTATOR = "spectator"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"


class Observer(msgspec.Struct, frozen=True):
    """Somebody who looks at a table; a player by name, on whatever boxes they have wagers."""

    role: Viewer
    name: str = ""


class StakeView(msgspec.Struct, frozen=True):
    """What lies on a hand for one player."""

    player: str
    money: Money
    tokens: Money
    doubled: bool
    fate: str


class HandView(msgspec.Struct, frozen=True):
    """A hand as it lies on the layout."""

    cards: tuple[Card, ...]
    total: int | None
    """None while a card of it lies face down to the observer."""
    soft: bool
    status: str
    stakes: tuple[StakeView, ...]


class BoxView(msgspec.Struct, frozen=True):
    """A box as it lies on the layout."""

    number: str
    controller: str
    players: tuple[str, ...]
    hands: tuple[HandView, ...]
    insurance: tuple[tuple[str, Money], ...]
    mine: bool
    """The observer has a wager on it."""
    controlled: bool
    """The observer calls its decisions."""


class View(msgspec.Struct, frozen=True):
    """A table as one observer sees it."""

    game: str
    rules_digest: str
    observer: Observer
    round: int
    phase: Phase
    pending: Pending
    bets: tuple[Bet, ...]
    boxes: tuple[BoxView, ...]
    turn: tuple[str, int] | None
    """Box and hand (from 1) that act."""
    dealer: tuple[Card, ...]
    dealer_total: int | None
    sides: tuple[SideBet, ...]
    meters: dict[str, Meter]
    settlements: tuple[Settlement, ...]
    net: Money
    """What the observer has won or lost in this round so far."""
    actions: tuple[str, ...]
    """What the observer may do now, as records write it."""
    shoe: ShoeView
    cards_left: int | None
    """For dealer and supervisor only."""
    void: bool
    stray: Card | None
    """A card dealt in error that lies open and is the next card."""
    elsewhere: tuple[tuple[str, tuple[Card, ...]], ...]
    """Cards that were dealt to boxes without a wager."""
    withheld: tuple[tuple[str, Money], ...]
    """Winnings that are held back, by player: one's own, or for dealer and supervisor everybody's."""
    prizes: tuple[Prize, ...]
    """Prizes that wait for somebody to confirm them."""
    places: int
    """How many boxes the layout has."""
    notice: ShownNotice


class ShownNotice(msgspec.Struct, frozen=True):
    """What the floor has put up for everybody to see."""

    reserved: tuple[tuple[int, str], ...]
    """Boxes that are kept for one player."""
    not_offered: tuple[str, ...]
    """Side wagers that are out of order."""
    limits: Limits
    coming_limits: LimitSign | None
    """Limits that are announced and not in force yet."""
    old_minimums: tuple[tuple[int, str, Money], ...]
    """Boxes with a marker, whose they are, and the minimum that this player keeps."""
    sign_up: bool
    """The sign with the limits is there; nobody has said otherwise."""
    closing_minute: int | None
    rounds_left: int | None
    closed: bool


def view(state: State, observer: Observer, options: tuple[cmd.Command, ...] | None = None) -> View:
    """What `observer` sees. `options` is what is legal, for a caller who has asked already."""
    house = observer.role in (Viewer.DEALER, Viewer.SUPERVISOR)
    dealer = (state.dealer[0], FACE_DOWN) if state.hole else state.dealer
    turn = None
    if state.turn is not None:
        turn = (state.boxes[state.turn[0]].number, state.turn[1] + 1)
    return View(
        game=state.rules.game,
        rules_digest=state.rules.digest,
        observer=observer,
        round=state.round,
        phase=state.phase,
        pending=state.pending,
        bets=state.bets,
        boxes=tuple(_box(state, box, observer) for box in state.boxes),
        turn=turn,
        dealer=dealer,
        dealer_total=_dealer_total(state),
        sides=state.sides,
        meters=state.meters,
        settlements=state.settlements,
        net=sum((settled.net for settled in state.settlements if settled.player == observer.name), ZERO),
        actions=tuple(words(command) for command in choose_actions(state, observer, options)),
        shoe=shoe_view(state),
        cards_left=state.shoe.left if house else None,
        void=state.void,
        stray=state.shoe.undealt[0] if state.trouble.stray else None,
        elsewhere=state.trouble.elsewhere,
        withheld=tuple(
            (held.player, amount_withheld(state, held))
            for held in state.floor.withheld
            if house or held.player == _player(observer)
        ),
        prizes=list_prizes(state),
        places=state.places,
        notice=_notice(state),
    )


def choose_actions(
    state: State, observer: Observer, options: tuple[cmd.Command, ...] | None = None
) -> tuple[cmd.Command, ...]:
    """What `observer` may do now, out of everything that is legal."""
    everything = legal(state) if options is None else options
    return tuple([command for command in everything if _may(state, command, observer)])


def _notice(state: State) -> ShownNotice:
    floor = state.floor
    return ShownNotice(
        reserved=tuple((item.area, item.player) for item in floor.reserved),
        not_offered=tuple(floor.withdrawn),
        limits=state.limits,
        coming_limits=floor.limit_sign,
        old_minimums=tuple((item.area, item.player, item.minimum) for item in floor.protected),
        sign_up=floor.sign == "up" or (not floor.on_record and not floor.sign),
        closing_minute=floor.closing.minute if floor.closing is not None else None,
        rounds_left=floor.closing.rounds_left if floor.closing is not None else None,
        closed=floor.closed,
    )


def _dealer_total(state: State) -> int | None:
    if not state.dealer:
        return None
    return total(state.dealer_hard, state.dealer_aces)


def _box(state: State, box: Box, observer: Observer) -> BoxView:
    return BoxView(
        number=box.number,
        controller=box.controller,
        players=tuple(bettor.player for bettor in box.bettors),
        hands=tuple(_hand(hand, hidden(state, box, hand, _player(observer))) for hand in box.hands),
        insurance=tuple((bettor.player, bettor.insurance) for bettor in box.bettors if bettor.insurance is not None),
        mine=observer.role is Viewer.PLAYER and box.bettor(observer.name) is not None,
        controlled=observer.role is Viewer.PLAYER and box.controller == observer.name,
    )


def _player(observer: Observer) -> str:
    return observer.name if observer.role is Viewer.PLAYER else ""


def _hand(hand: Hand, down: bool) -> HandView:
    return HandView(
        cards=(FACE_DOWN, FACE_DOWN) if down else hand.cards,
        total=None if down else hand.points,
        soft=not down and hand.points != hand.hard,
        status=hand.status,
        stakes=tuple(
            StakeView(
                player=stake.player,
                money=stake.money,
                tokens=stake.base_token + stake.double_token,
                doubled=bool(stake.double or stake.double_token),
                fate=stake.fate,
            )
            for stake in hand.stakes
        ),
    )


def _may(state: State, command: cmd.Command, observer: Observer) -> bool:
    """The command is this observer's to give."""
    if observer.role in (Viewer.DEALER, Viewer.SUPERVISOR):
        return not (isinstance(command, TELLING) and _lies_face_down(state, command.box, observer))
    if observer.role is not Viewer.PLAYER:
        return False
    match command:
        case cmd.Insure() | cmd.TakeEvenMoney() | cmd.Forfeit() | cmd.DrawPrize() | od.Retract():
            return command.player == observer.name
        case cmd.Hit() | cmd.Stand() | cmd.Double() | cmd.Split() | cmd.Surrender() | od.RefuseCard():
            return _controls(state, command.box, observer)
        case cmd.Switch():
            return _controls(state, f"{command.area}a", observer)
        case cmd.Cut():
            return command.by == observer.name
        case cmd.RefuseCut():
            return command.player == observer.name
    return False


def _controls(state: State, number: str, observer: Observer) -> bool:
    index = state.box_index(number)
    return index >= 0 and state.boxes[index].controller == observer.name


TELLING = (cmd.Double, cmd.Split, cmd.Surrender)
"""Decisions from which one could tell what cards lie face down."""


def _lies_face_down(state: State, number: str, observer: Observer) -> bool:
    box = state.boxes[state.box_index(number)]
    return any(hidden(state, box, hand, _player(observer)) for hand in box.hands)
