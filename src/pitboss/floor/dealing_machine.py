"""The house machine: what the dealer does next at a table that no person deals, and until when it waits.

The machine knows no rules. It looks at what is legal, at who has still something to choose, and at the clock, and asks
the table like anybody else. `find_deadline` is derived from the log alone, so it is the same after a restart. Where
no person has chips at the table, or none has a wager before the deal, the machine waits: robots do not play alone. What
a sign has announced comes at its time, in the name of whoever announced it, whoever deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitboss.floor.jackpots.meter_links import find_link
from pitboss.floor.live_decisions import MACHINE, MINUTE_MS, Asking
from pitboss.floor.live_table import ExpireOrder, LiveTable, PressForPrize, TableKind
from pitboss.play.shoe import cut_range, usual_cut_card
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.table import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.meters import PICK_ONE_IN
from pitboss.table.round.standing_orders import absent_needs_order
from pitboss.table.shoe.opening import is_cut
from pitboss.table.shoe.shoe_views import last_cutter
from pitboss.table.shoe.shuffle import draw_below, stream_words
from pitboss.table.state import CardSource, Pending, Phase, ShoeStage, State
from pitboss.table.unattended import needs_shuffle
from pitboss.table.views import Observer, Viewer, choose_actions


def list_machine_moves(live: LiveTable, now_ms: int, entropy: Callable[[], bytes]) -> Iterator[Asking]:
    """What the machine asks of the table now, the likeliest first: it does the first that is granted, or waits.

    `entropy` gives fresh chance, at least 32 bytes.
    """
    for due in _list_due(live, now_ms):
        yield Asking(due, MACHINE, now_ms)
    if live.kind is TableKind.PERSON or _is_nobody_there(live) or live.table.floor.closed:
        return
    for command in _list_moves(live, now_ms, entropy):
        yield Asking(command, MACHINE, now_ms, entropy() if isinstance(command, PressForPrize) else b"")


def _list_due(live: LiveTable, now_ms: int) -> Iterator[od.ChangeLimits | od.CloseTable | ExpireOrder]:
    """What the clock brings whoever deals: orders that nobody has confirmed, and signs whose time has come."""
    for asked in live.asked_orders:
        if now_ms >= asked.until_ms:
            yield ExpireOrder(number=asked.number)
    state, floor = live.table, live.table.floor
    if floor.closed or state.phase not in (Phase.BETTING, Phase.SETTLED):
        return
    sign, by = floor.limit_sign, live.announced_by.get("limits")
    if sign is not None and by is not None and now_ms >= _find_sign_ms(live):
        all_players = sign.wager == "main" and sign.minimum == state.limits.minimum and floor.protected
        yield od.ChangeLimits(
            role=by.role, person=by.name, reason="as announced", minimum=sign.minimum, maximum=sign.maximum,
            wager=sign.wager, how="all" if all_players else "",
        )  # fmt: skip
    closing, by = floor.closing, live.announced_by.get("closing")
    due = closing is not None and (closing.rounds_left == 0 or now_ms >= (_find_closing_ms(live) or now_ms + 1))
    if due and by is not None:
        yield od.CloseTable(role=by.role, person=by.name, reason="as announced")


def _find_sign_ms(live: LiveTable) -> int:
    """When the limits that a sign announces may come into force."""
    sign = live.table.floor.limit_sign
    assert sign is not None
    return (sign.minute + live.table.rules.minimum_raise_notice_minutes) * MINUTE_MS


def _find_closing_ms(live: LiveTable) -> int | None:
    """When the table may close after its sign; none where rounds are counted."""
    closing = live.table.floor.closing
    if closing is None or closing.minute is None:
        return None
    return (closing.minute + (live.table.rules.close_notice_minutes or 0)) * MINUTE_MS


def find_next_moment(live: LiveTable) -> int | None:
    """When a clock of the table runs out next: a player's, a sign's, or that of an order for a second person."""
    state, floor = live.table, live.table.floor
    if not live.asked_orders and floor.limit_sign is None and floor.closing is None:
        return find_deadline(live)
    moments = [find_deadline(live), *(asked.until_ms for asked in live.asked_orders)]
    if not floor.closed and state.phase in (Phase.BETTING, Phase.SETTLED):
        if floor.limit_sign is not None:
            moments.append(_find_sign_ms(live))
        moments.append(_find_closing_ms(live))
    return min((moment for moment in moments if moment is not None), default=None)


def find_deadline(live: LiveTable) -> int | None:
    """When the machine goes on without those it waits for, in milliseconds; none if there is no such moment."""
    if live.kind is TableKind.PERSON or _is_nobody_there(live):
        return None
    clocks, state = live.clocks, live.table
    match state.phase:
        case Phase.BETTING:
            if state.shoe.asked:
                return live.waits_since_ms + clocks.decision_ms
            return live.waits_since_ms + clocks.betting_ms if _has_wager_of_person(live) else None
        case Phase.OFFERS:
            return live.waits_since_ms + clocks.offers_ms
        case Phase.TURNS:
            return live.waits_since_ms + clocks.decision_ms
        case Phase.SETTLED:
            return live.waits_since_ms + clocks.pause_ms
    return None


def _is_nobody_there(live: LiveTable) -> bool:
    """No person has chips at the table; a round with robots in it is finished nevertheless."""
    if live.robots and live.table.phase not in (Phase.BETTING, Phase.SETTLED):
        return False
    return not live.purses.keys() - live.robots


def _has_wager_of_person(live: LiveTable) -> bool:
    return any(bet.player not in live.robots for bet in live.table.bets)


def _list_moves(live: LiveTable, now_ms: int, entropy: Callable[[], bytes]) -> Iterator[cmd.Command | PressForPrize]:
    """What the machine might do, the likeliest first; the table says what it grants."""
    state = live.table
    deadline = find_deadline(live)
    late = deadline is not None and now_ms >= deadline
    if needs_shuffle(state):
        yield cmd.Shuffle(entropy=entropy())
    elif state.shoe.stage is not ShoeStage.OPEN and state.shoe.source is not CardSource.STACKED:
        yield from _prepare_shoe(live, late, entropy)
    elif state.phase is Phase.BETTING:
        if _has_wager_of_person(live) and (late or live.ready >= live.purses.keys()):
            yield cmd.Deal()
    elif state.phase is Phase.OFFERS:
        yield from _close_offers(live, late)
    elif state.phase is Phase.TURNS:
        yield from _move_turn(live, late)
    elif state.phase is Phase.SETTLED and (late or live.ready >= live.purses.keys()):
        yield from _pick_boxes(live, entropy)
        yield cmd.NextRound()


def _pick_boxes(live: LiveTable, entropy: Callable[[], bytes]) -> Iterator[cmd.SystemPick]:
    """Before the next round the jackpot system draws once for each prize that it gives to a box at random.

    Where tables share meters, their system draws.
    """
    state = live.table
    for side in state.rules.side_wagers:
        if find_link(live.links, side.id) is not None:
            continue
        for pick in JUDGES[side.judge].picks:
            boxes = [bet.box for bet in state.sides if bet.wager == side.id]
            if not boxes or any(settled.outcome == pick for settled in state.settlements):
                continue
            words = stream_words(entropy(), 2)
            if draw_below(PICK_ONE_IN[pick], words) == 0:
                yield cmd.SystemPick(pick=pick, box=boxes[draw_below(len(boxes), words)])


def _prepare_shoe(live: LiveTable, late: bool, entropy: Callable[[], bytes]) -> Iterator[cmd.Command]:
    state = live.table
    shoe = state.shoe
    if shoe.stage is ShoeStage.STACK and is_cut(state):
        if not shoe.offered and (state.rules.cut_order or state.rules.cut_mandatory):
            yield cmd.OfferCut()
            return
        if shoe.asked:
            if late or shoe.asked[0] not in live.purses or shoe.asked[0] in live.ready:
                yield cmd.RefuseCut(player=shoe.asked[0])
            return
        if shoe.offered:
            yield cmd.Cut(by=last_cutter(state), at=_draw_cut(state, entropy()))
            return
    yield cmd.PlaceCutCard(from_back=usual_cut_card(state.rules, len(shoe.cards)))


def _draw_cut(state: State, entropy: bytes) -> int:
    least, most = cut_range(state.rules, len(state.shoe.cards))
    return least + draw_below(most - least + 1, stream_words(entropy, 1))


def _close_offers(live: LiveTable, late: bool) -> Iterator[cmd.Command | PressForPrize]:
    state = live.table
    for box, player in state.prizes_due:
        if late or player in live.ready or player not in live.purses:
            yield PressForPrize(player=player, box=box)
    if state.prizes_due:
        return
    if late or not any(_has_choice(state, player) for player in live.purses if player not in live.ready):
        yield cmd.Proceed()


def _has_choice(state: State, player: str) -> bool:
    """The player may take something that is on offer and passes when play goes on."""
    return any(
        isinstance(action, cmd.Insure | cmd.TakeEvenMoney | cmd.Surrender | cmd.Forfeit | cmd.Switch)
        for action in choose_actions(state, Observer(Viewer.PLAYER, player), legal(state))
    )


def _move_turn(live: LiveTable, late: bool) -> Iterator[cmd.Command]:
    """Whoever calls the box has time; then what is open passes, and the book's rule for an absent player holds."""
    state = live.table
    if state.turn is None:
        return
    caller = state.boxes[state.turn[0]].controller
    gone = caller not in live.purses
    if state.pending is not Pending.NOTHING:
        waiting = [player for player in live.purses if player not in live.ready and _has_choice(state, player)]
        if late or not waiting:
            yield cmd.Proceed()
    elif late or gone or caller in live.ready:
        number = state.boxes[state.turn[0]].number
        yield cmd.PlayAbsent(box=number)
        if (power := absent_needs_order(state)) is not None:
            yield od.DirectAbsent(role=power.role, box=number, reason="the clock ran out")
        yield cmd.Stand(box=number)
