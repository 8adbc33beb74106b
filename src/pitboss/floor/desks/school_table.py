"""A school table: one person deals, and everything else at it is there for them to practise on.

Players of the school come with play money, bet in amounts that have to be worked out, and show by hand what they want.
The cards are keyed in from a real shoe, or drawn by the school from the cards that are left. The table is the same as
every other; whoever practises may give every order of the book at it. It is kept nowhere: a pure value, from a seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from pitboss.cards import Card, decks
from pitboss.floor.desks.dealer_steps import write_for_client
from pitboss.floor.desks.full_layout import choose_side_wagers
from pitboss.floor.documents import PublicTable, describe_public
from pitboss.floor.ledger import to_grains
from pitboss.floor.live_decisions import Asking, decide_live
from pitboss.floor.live_table import (
    BuyIn,
    Clocks,
    Granted,
    LiveTable,
    TableKind,
    TableSet,
    convert_command,
    open_live,
)
from pitboss.floor.telling.felt_words import find_felt
from pitboss.floor.telling.table_log import SaidLine, tell_table
from pitboss.money import Money
from pitboss.play.shoe import usual_cut_card
from pitboss.rulebooks import rules_for
from pitboss.table import Refusal, begin_log, legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import PLAYER, Asker
from pitboss.table.messages.notation import words
from pitboss.table.orders.rulings import CardCorrected
from pitboss.table.shoe.draws import draw_number, pick_one, pick_weighted
from pitboss.table.shoe.shuffle import stream_words
from pitboss.table.state import CardSource, HandStatus, Limits, Pending, Phase, ShoeStage, State

SCHOOL = ":school"
"""What a school table is called; the name has a sign in it that no table of a floor may have."""
PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gil")
LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))
BANK = Money(1_000_000)
PURSE = Money(100_000)
STEPS = (1, 1, 2, 3, 4, 5, 7, 10)
"""How many times the minimum somebody bets: what is paid on it should have to be thought about."""
STANDS_ON = 17
DOUBLES_ON = (9, 10, 11)
MOST_LINES = 200
CUT_CARD = "shuffle_cut_card_round"


class SchoolWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to practise."""

    game: str
    players: int = 3
    side_wagers: bool = False


class SchoolMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody does at their table: a command, or `draw` for the next card out of the school's own shoe."""

    kind: Literal["command", "draw"]
    command: dict[str, Any] = {}
    role: str = ""


class SchoolTable(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody's table as it stands."""

    person: str
    wish: SchoolWish
    seed: bytes
    live: LiveTable
    seq: int = 1
    said: tuple[SaidLine, ...] = ()
    """What has happened, the newest last."""
    cards: tuple[Card, ...] = ()
    """The cards of the round, in the order in which they were dealt: a correction names them by number."""


class SchoolAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A school table, as its page draws it."""

    game: str
    seq: int
    public: PublicTable
    said: tuple[SaidLine, ...]
    cards: tuple[Card, ...]
    shows: dict[str, Any] | None
    """What the player whose turn it is shows by hand."""
    shown: str
    """The same in words, as the dealer calls it."""


def open_school(person: str, wish: SchoolWish, seed: bytes, at_ms: int) -> SchoolTable:
    """A table that nobody has dealt at."""
    rules = choose_side_wagers(wish.game) if wish.side_wagers else rules_for(wish.game)
    opening = TableSet(name=SCHOOL, kind=TableKind.PERSON, clocks=Clocks(), bank=BANK)
    opened = open_live(opening, begin_log(rules, LIMITS, {}), at_ms)
    return SchoolTable(person=person, wish=wish, seed=seed, live=opened.live)


def describe_school(table: SchoolTable) -> SchoolAnswer:
    """What the page of a school table shows."""
    shows = find_shown(table)
    return SchoolAnswer(
        game=table.wish.game, seq=table.seq, public=describe_public(table.live), said=table.said, cards=table.cards,
        shows=None if shows is None else write_for_client(shows), shown="" if shows is None else words(shows),
    )  # fmt: skip


def make_move(table: SchoolTable, move: SchoolMove, at_ms: int) -> SchoolTable | Refusal:
    """The table after a move, with the wagers of the next round where one can begin; or why it cannot be."""
    by = Asker(move.role or table.live.table.rules.ladder[0].id, table.person)
    moves = list(_draw(table)) if move.kind == "draw" else [convert_command(move.command, by)]
    for command in moves:
        answer = decide_live(table.live, Asking(command, by, at_ms))
        if isinstance(answer, Refusal):
            return answer
        table = _go_on(table, answer)
    return _lay_wagers(_change_shoe(table, at_ms), at_ms)


def _go_on(table: SchoolTable, granted: Granted) -> SchoolTable:
    cards = table.cards
    for event in granted.events:
        match event:
            case ev.RoundBegan() | ev.BetsClosed():
                cards = ()
            case ev.CardKeyed():
                cards = (*cards, event.card)
            case CardCorrected():
                at = event.number - 1
                cards = (*cards[:at], event.card, *cards[at + 1 :])
    said = (*table.said, *tell_table(table.live.table, granted.events))[-MOST_LINES:]
    return replace(table, live=granted.live, seq=table.seq + 1, said=said, cards=cards)


# ---------------------------------------------------------------------- the school's shoe


def _draw(table: SchoolTable) -> Iterator[cmd.Command]:
    """The next card, each that is left as likely as the other; before it the cut card, once it is due."""
    state = table.live.table
    rules, shoe = state.rules, state.shoe
    role = rules.ladder[0].id
    left = Counter(decks(rules.decks, rules.deck_cards))
    left.subtract(Counter(shoe.cards))
    first = state.phase is Phase.DEALING and not state.part
    if _is_behind_cut(state) and shoe.cut_card is None and not first and rules.clauses(CUT_CARD):
        yield cmd.KeyCutCard(role=role)
    weights = [(count, card) for card, count in sorted(left.items()) if count > 0]
    yield cmd.KeyCard(card=pick_weighted(weights, stream_words(table.seed, table.seq)), role=role)


def _is_behind_cut(state: State) -> bool:
    cards = state.rules.decks * state.rules.deck_cards
    return cards - len(state.shoe.cards) <= usual_cut_card(state.rules, cards)


def _change_shoe(table: SchoolTable, at_ms: int) -> SchoolTable:
    """Where the book knows no cut card, the school brings the next shoe in time."""
    state = table.live.table
    if state.phase is not Phase.BETTING or state.rules.clauses(CUT_CARD) or not _is_behind_cut(state):
        return table
    role = state.rules.ladder[0].id
    answer = decide_live(table.live, Asking(cmd.BringShoe(role=role), Asker(role, table.person), at_ms))
    return table if isinstance(answer, Refusal) else _go_on(table, answer)


# ---------------------------------------------------------------------- its players


def _lay_wagers(table: SchoolTable, at_ms: int) -> SchoolTable:
    """The players bet as soon as a round may begin."""
    state = table.live.table
    ready = state.phase is Phase.BETTING and state.shoe.source is CardSource.KEYED and state.floor.dealer
    if not ready or state.bets or state.shoe.stage is not ShoeStage.OPEN or state.shoe.due or state.shoe.out:
        return table
    source = stream_words(table.seed, table.seq)
    felt = find_felt(state.rules, state.limits)
    areas = list(dict.fromkeys(box.area for box in felt.boxes))
    for player in PLAYERS[: min(table.wish.players, len(areas))]:
        area = areas.pop(draw_number(len(areas), source))
        if table.live.purses.get(player, 0) < to_grains(PURSE) // 2:
            table = _try(table, BuyIn(player=player, amount=PURSE), player, at_ms)
        bet = Money(5 * pick_one(STEPS, source))
        table = _try(table, cmd.PlaceBet(box=area, player=player, amount=bet, seated=True), player, at_ms)
        for spot in felt.spots if table.wish.side_wagers else ():
            if draw_number(2, source):
                side = cmd.PlaceBet(box=area, player=player, amount=Money(5), wager=spot.wager)
                table = _try(table, side, player, at_ms)
    return table


def _try(table: SchoolTable, command: cmd.Command | BuyIn, player: str, at_ms: int) -> SchoolTable:
    """What a player of the school asks for, where the book grants it."""
    answer = decide_live(table.live, Asking(command, Asker(PLAYER, player), at_ms), to_grains(PURSE))
    return table if isinstance(answer, Refusal) else _go_on(table, answer)


def find_shown(table: SchoolTable) -> cmd.Command | None:
    """What the player whose turn it is shows: a careful beginner, who likes to double and to split."""
    state = table.live.table
    if state.phase is not Phase.TURNS or state.turn is None or state.pending is not Pending.NOTHING or state.shoe.out:
        return None
    hand = state.boxes[state.turn[0]].hands[state.turn[1]]
    if hand.status is not HandStatus.OPEN:
        return None
    options: dict[type[cmd.Command], cmd.Command] = {}
    for option in legal(state):
        options.setdefault(type(option), option)
    for kind in _list_wishes(state, stream_words(table.seed, table.seq)):
        if kind in options:
            return options[kind]
    return None


def _list_wishes(state: State, source: Iterator[int]) -> Iterator[type[cmd.Command]]:
    assert state.turn is not None
    hand = state.boxes[state.turn[0]].hands[state.turn[1]]
    total = hand.points
    if draw_number(3, source):
        yield cmd.Split
    if total in DOUBLES_ON:
        yield cmd.Double
    if total == STANDS_ON - 1 and not draw_number(3, source):
        yield cmd.Surrender
    yield from (cmd.Stand, cmd.Hit) if total >= STANDS_ON else (cmd.Hit, cmd.Stand)
