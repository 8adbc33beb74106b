"""What observers of a live table hold: one document for everybody, a small one of their own, and how both change.

The public document is what a spectator sees. After a decision everybody gets the same patch of it (JSON Merge Patch:
the members that changed, whole), with the events as everybody may see them. Beside it a player gets what only they may
know: what they may do now, the chips before them, cards that lie face down to others. A client applies patches and
draws the document; it needs to know no rule.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.floor.dealing_machine import find_deadline
from pitboss.floor.jackpots.bet_managers import list_balances
from pitboss.floor.ledger import from_grains
from pitboss.floor.live_table import AnyTableEvent, Clocks, LiveTable, TableEvent, TableKind
from pitboss.floor.telling.felt_words import Felt, find_felt
from pitboss.floor.telling.table_calls import OfferedChoice, ask_player, ask_sharer, call_table, offer_choices
from pitboss.floor.visibility import visible
from pitboss.money import Money
from pitboss.table import evolve
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.notation import words
from pitboss.table.messages.order_commands import COMMANDS
from pitboss.table.round.dealing import hand_is_natural
from pitboss.table.shoe.face_down import hidden
from pitboss.table.shoe.shoe_views import ShoeView
from pitboss.table.state import Bet, CardSource, Meter, Pending, Phase, Settlement, SideBet, State
from pitboss.table.views import BoxView, Observer, ShownNotice, Viewer, choose_actions, view

SPECTATOR = Observer(Viewer.SPECTATOR)


class PublicTable(msgspec.Struct, frozen=True, kw_only=True):
    """A live table as everybody sees it."""

    name: str
    kind: TableKind
    game: str
    rules_digest: str
    clocks: Clocks
    side_wagers: tuple[str, ...]
    """Side wagers on offer."""
    boxes_max: int
    boxes_per_area: int
    players: tuple[str, ...]
    """Who has chips at the table."""
    robots: tuple[str, ...]
    """Who of them is a robot of the house."""
    ready: tuple[str, ...]
    deadline_ms: int | None
    """When the dealer goes on without those who have not acted, in milliseconds since 1970."""
    round: int
    phase: Phase
    pending: Pending
    bets: tuple[Bet, ...]
    boxes: tuple[BoxView, ...]
    turn: tuple[str, int] | None
    dealer: tuple[Card, ...]
    dealer_total: int | None
    sides: tuple[SideBet, ...]
    meters: dict[str, Meter]
    prices: dict[str, Money]
    """What each wager costs that belongs to a prize meter system."""
    settlements: tuple[Settlement, ...]
    shoe: ShoeView
    """`ran_out`: a card is due, and where a person deals it is to be keyed in."""
    awaited: str
    """What waits for that card, as records write it."""
    part: tuple[Card, ...]
    """Cards of an initial deal that is not complete, where they lie open."""
    void: bool
    stray: Card | None
    elsewhere: tuple[tuple[str, tuple[Card, ...]], ...]
    notice: ShownNotice
    felt: Felt
    """What is printed on the layout."""
    call: str
    """What the dealer says now."""
    naturals: tuple[str, ...]
    """Boxes that were dealt a natural, where everybody sees it."""


class PrivateTable(msgspec.Struct, frozen=True, kw_only=True):
    """What one player alone may know of a live table, or the person who deals there."""

    chips: Money
    """Before the player, apart from what is staked."""
    promotional_tokens: Money
    """Before the player, beside the chips."""
    bet_manager: Money | None
    """What their Personal Bet Manager shows, if they have one."""
    actions: tuple[msgspec.Raw, ...]
    """Commands of play that would be granted now; amounts stand at their largest."""
    face_down: dict[str, tuple[Card, ...]]
    """Own cards that lie face down to others, by box."""
    going_along: bool
    question: str
    """What the dealer says to this player now."""
    choices: tuple[OfferedChoice, ...]
    """What they may answer."""
    last_bets: tuple[Bet, ...]
    """What they had staked in the round that is played or was played last."""


def describe_public(live: LiveTable, options: tuple[cmd.Command, ...] | None = None) -> PublicTable:
    """The public document; `options` is what is legal, for a caller who has asked already."""
    seen = view(live.table, SPECTATOR, () if options is None else options)
    rules = live.table.rules
    return PublicTable(
        name=live.name,
        kind=live.kind,
        game=seen.game,
        rules_digest=seen.rules_digest,
        clocks=live.clocks,
        side_wagers=tuple([side.id for side in rules.side_wagers]),
        boxes_max=rules.boxes_max,
        boxes_per_area=rules.boxes_per_area,
        players=tuple(live.purses),
        robots=tuple(sorted(live.robots)),
        ready=tuple(sorted(live.ready)),
        deadline_ms=find_deadline(live),
        round=seen.round,
        phase=seen.phase,
        pending=seen.pending,
        bets=seen.bets,
        boxes=seen.boxes,
        turn=seen.turn,
        dealer=seen.dealer,
        dealer_total=seen.dealer_total,
        sides=seen.sides,
        meters=seen.meters,
        prices={link.wager: link.price for link in live.links},
        settlements=seen.settlements,
        shoe=seen.shoe,
        awaited="" if live.table.awaited is None else words(live.table.awaited),
        part=live.table.part if live.table.shoe.source is CardSource.KEYED else (),
        void=seen.void,
        stray=seen.stray,
        elsewhere=seen.elsewhere,
        notice=replace(seen.notice, closed=True) if live.kept.stream else seen.notice,
        felt=find_felt(rules, live.table.limits),
        call=call_table(live),
        naturals=_list_naturals(live.table),
    )


def _list_naturals(state: State) -> tuple[str, ...]:
    return tuple(
        [
            box.number
            for box in state.boxes
            if any(not hidden(state, box, hand, "") and hand_is_natural(box, hand) for hand in box.hands)
        ]
    )


def describe_private(live: LiveTable, player: str, options: tuple[cmd.Command, ...]) -> PrivateTable:
    """A player's own document."""
    state = live.table
    deals = live.kind is TableKind.PERSON and player == state.floor.dealer
    observer = Observer(Viewer.DEALER if deals else Viewer.PLAYER, player)
    actions = choose_actions(state, observer, options)
    chips = from_grains(live.purses.get(player, 0))
    along = {name: from_grains(live.purses.get(name, 0)) for name in live.along}
    if live.kind is TableKind.PERSON:
        # The button is a real one there: whoever deals keys in what it has drawn.
        actions = tuple([action for action in actions if deals or not isinstance(action, cmd.DrawPrize)])
    choices = () if deals else offer_choices(state, player, actions, chips, along)
    if not deals:
        choices += ask_sharer(state, player, options, chips, player in live.along)
    opening = state.opening if state.past is None else state.past.opening
    return PrivateTable(
        chips=chips,
        promotional_tokens=from_grains(live.tokens.get(player, 0)),
        bet_manager=list_balances(live).get(player),
        actions=tuple([_encode_action(action) for action in actions]),
        face_down=_find_face_down(state, player),
        going_along=player in live.along,
        question=ask_player(live, player, choices),
        choices=choices,
        last_bets=() if opening is None else tuple([bet for bet in opening.bets if bet.player == player]),
    )


_ACTION = msgspec.json.Encoder(order="deterministic")


def _encode_action(command: cmd.Command) -> msgspec.Raw:
    assert isinstance(command, COMMANDS)
    return msgspec.Raw(_ACTION.encode(command))


def _find_face_down(state: State, player: str) -> dict[str, tuple[Card, ...]]:
    found: dict[str, tuple[Card, ...]] = {}
    for box in state.boxes:
        for hand in box.hands:
            if hand.face_down and hidden(state, box, hand, "") and not hidden(state, box, hand, player):
                found[box.number] = hand.cards
    return found


_FIELDS = PublicTable.__struct_fields__


def find_changes(before: PublicTable, after: PublicTable) -> dict[str, Any]:
    """The merge patch that leads from one public document to the next."""
    changes: dict[str, Any] = {}
    for name in _FIELDS:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            changes[name] = new
    return changes


def list_visible(before: State | None, events: tuple[AnyTableEvent, ...], observer: Observer) -> list[Any]:
    """The events of one decision as an observer may see them; `before` is the table before the first of them."""
    state, seen = before, []
    follow = any(type(event) is ev.InitialDeal for event in events)
    for event in events:
        shown = visible(event, state, observer)
        if shown is not None:
            seen.append(shown)
        if follow and state is not None and not isinstance(event, TableEvent | ev.TableOpened):
            state = evolve(state, event)
    return seen
