"""Wagers before the deal: by whom and when, in which order, in what; and what each counts as when betting closes.

What is over the maximum counts as the maximum, what is under the minimum is made up to it, and a part of a unit does
not count. Whoever cannot make up the minimum has no wager and is out of the session.
"""

from __future__ import annotations

from pitboss.floor.ledger import from_grains, to_grains
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.format import TournamentStage, WageringOrder
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import CountedWager, PlacedWager, PlayTable, TournamentState
from pitboss.money import ZERO, Money, parse_money, show
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import PLAYER
from pitboss.table.state import Phase

MINUTE_MS = 60_000
TOURNAMENT_CHIPS = "tournament-chips"


def find_marker(table: PlayTable) -> int:
    """Where the marker stands, from 0: at box one in round one, and so on round the table, past places without a
    player."""
    places = len(table.seats)
    for step in range(places):
        at = (table.round - 1 + step) % places
        if table.seats[at] in table.active:
            return at
    return 0


def list_order(table: PlayTable) -> tuple[str, ...]:
    """The players in the order in which they wager: from the marker on, clockwise."""
    start, active = find_marker(table), table.active
    turned = (*table.seats[start:], *table.seats[:start])
    return tuple([key for key in turned if key and key in active])


def has_acted(table: PlayTable, key: str) -> bool:
    """Somebody has made a wager, laid down a pass card, or written a form; or is not there to do so."""
    return key in table.wagers or key in table.forms or key in table.absent


def list_still_to_wager(table: PlayTable) -> tuple[str, ...]:
    """For whose wagers the table waits, in their order."""
    return tuple([key for key in list_order(table) if not has_acted(table, key)])


def find_limits(stage: TournamentStage, table: PlayTable, at_ms: int) -> tuple[Money, Money]:
    """The limits at a table at a moment, by what the terms have announced."""
    low, high = stage.minimum, stage.maximum
    minutes = (at_ms - table.started_ms) // MINUTE_MS
    for step in stage.steps:
        if (step.from_round and table.round >= step.from_round) or (
            step.after_minutes and minutes >= step.after_minutes
        ):
            low, high = step.minimum, step.maximum
    return parse_money(low), parse_money(high)


def find_wager_deadline(state: TournamentState, table: PlayTable) -> int | None:
    """When the time to wager is over for whom the table waits; none if it is not limited."""
    if not state.wager_seconds or state.at_ms < state.wager_time_from_ms:
        return None
    return max(table.waits_since_ms, state.wager_time_from_ms) + state.wager_seconds * 1000


# ---------------------------------------------------------------------- making wagers


def stake_chips(draft: TournamentDraft, command: tc.StakeChips) -> None:
    """A wager in tournament chips, on one's own place, in turn."""
    player = draft.name_player(command.player)
    table, key = draft.find_seat(player)
    if command.medium != TOURNAMENT_CHIPS:
        raise draft.refuse(f"wagers are made in tournament chips, not in {command.medium[:40]}", "chips_only")
    if command.seat and table.seats[command.seat - 1 : command.seat] != (key,):
        raise draft.refuse(f"{player} wagers at place {table.seats.index(key) + 1}, and nowhere else", "own_place")
    amount = parse_money(command.amount)
    if amount <= 0:
        raise draft.refuse(f"a wager must be above zero, not {show(amount)}", "wager")
    _check_chip(draft, amount)
    sides = _read_sides(draft, table, command.sides)
    check_turn(draft, table, key)
    form = table.forms.get(key)
    together = amount + sum(sides.values(), ZERO) + ((form.amount or ZERO) if form is not None else ZERO)
    _check_stack(draft, key, together, "form_with_wager" if form is not None else "wager")
    wager = PlacedWager(amount=amount, sides=sides)
    draft.emit(te.WagerMade(table=table.name, key=key, wager=wager, clauses=draft.cite("wager")))


def _check_chip(draft: TournamentDraft, amount: Money) -> None:
    chip = draft.state.form.chip
    if amount % chip:
        raise draft.refuse(
            f"the smallest tournament chip is {show(chip)}: {show(amount)} cannot be staked", "chips_only"
        )


def _check_stack(draft: TournamentDraft, key: str, amount: Money, *matters: str) -> None:
    has = draft.state.stacks.get(key, 0)
    if to_grains(amount) > has:
        raise draft.refuse(f"{key} has {show(from_grains(has))}, and this takes {show(amount)}", *matters)


def _read_sides(draft: TournamentDraft, table: PlayTable, sides: dict[str, Money]) -> dict[str, Money]:
    offered = [side.id for side in table.table.rules.side_wagers]
    found: dict[str, Money] = {}
    for name, amount in sides.items():
        if name not in offered:
            raise Refused(f"{name[:40]} is not on offer; side wagers here: {', '.join(offered) or 'none'}")
        found[name] = parse_money(amount)
        if found[name] <= 0:
            raise Refused(f"a wager must be above zero, not {show(found[name])}")
        _check_chip(draft, found[name])
    return found


def check_turn(draft: TournamentDraft, table: PlayTable, key: str, *, form: bool = False) -> None:
    """Refuse a wager that comes too late, out of turn, or in place of one that stands."""
    if table.over or table.table.phase is not Phase.BETTING:
        raise Refused("betting is closed", table.table.rules.clauses("bets_close"))
    _check_halt(draft)
    draft.check_may_enter(draft.state.entries[key].player)
    if key in table.wagers and table.wagers[key].passes:
        raise draft.refuse("a pass card that is laid down stays there, in place of a wager", "pass_card")
    if key in table.absent and draft.by.role == PLAYER:
        raise draft.refuse(f"{key} is marked absent: whoever is in charge takes that back first", "absent")
    ordered = draft.state.form.order is WageringOrder.MARKER
    own = key in (table.forms if form else table.wagers)
    if own and ordered:
        raise draft.refuse(f"{key} has wagered in turn: wagers are neither altered nor removed", "frozen")
    if not ordered:
        return
    order = list_order(table)
    waiting = list_still_to_wager(table)
    if has_acted(table, key):
        later = order[order.index(key) + 1 :]
        if any(has_acted(table, other) and other not in table.absent for other in later):
            raise draft.refuse(f"{key} has wagered in turn: wagers are neither altered nor removed", "frozen")
    elif waiting[0] != key:
        raise draft.refuse(f"{waiting[0]} wagers next: {key} takes the wager back and waits", "out_of_turn")


def _check_halt(draft: TournamentDraft) -> None:
    if draft.state.dispute is not None:
        raise draft.refuse("a dispute is open: play waits until it is decided", "dispute")


def take_back_wager(draft: TournamentDraft, command: tc.TakeBackWager) -> None:
    """A wager is taken off the layout, where no order of wagering keeps it there."""
    player = draft.name_player(command.player)
    table, key = draft.find_seat(player)
    if key not in table.wagers:
        raise Refused(f"{player} has no wager there")
    if table.table.phase is not Phase.BETTING:
        raise Refused("betting is closed", table.table.rules.clauses("no_further_wager"))
    _check_halt(draft)
    if draft.state.form.order is WageringOrder.MARKER:
        raise draft.refuse(f"{key} has wagered in turn: wagers are neither altered nor removed", "frozen")
    if table.wagers[key].passes:
        raise draft.refuse("a pass card that is laid down stays there", "pass_card")
    draft.emit(te.WagerTakenBack(table=table.name, key=key))


def play_pass_card(draft: TournamentDraft, command: tc.PlayPassCard) -> None:
    """A pass card in place of a wager."""
    player = draft.name_player(command.player)
    table, key = draft.find_seat(player)
    if not draft.state.form.pass_cards:
        raise draft.refuse("the terms provide no pass cards", "pass_card")
    check_turn(draft, table, key)
    if key in table.wagers or key in table.forms:
        raise draft.refuse("a pass card is played in place of a wager, not with one", "pass_card")
    if not table.pass_cards.get(key, 0):
        raise draft.refuse(f"{player} has no pass card left", "pass_card")
    passed = PlacedWager(passes=True)
    draft.emit(te.WagerMade(table=table.name, key=key, wager=passed, clauses=draft.cite("pass_card")))


def sit_out(draft: TournamentDraft, command: tc.SitOut) -> None:
    """No wager in this round, where the terms ask for none."""
    player = draft.name_player(command.player)
    table, key = draft.find_seat(player)
    if draft.state.form.compulsory_wager:
        raise draft.refuse("everybody wagers in every round, or plays a pass card", "wager", "disqualify_no_wager")
    check_turn(draft, table, key)
    draft.emit(te.WagerMade(table=table.name, key=key, wager=PlacedWager(sits_out=True), clauses=draft.cite("wager")))


def call_time(draft: TournamentDraft, command: tc.CallTime) -> None:
    """The time of those who have not wagered is over: they have the minimum, as far as the order goes."""
    draft.check_staff()
    table = draft.find_play_table(command.table)
    _check_halt(draft)
    deadline = find_wager_deadline(draft.state, table)
    waiting = list_still_to_wager(table)
    if deadline is None:
        raise draft.refuse("no limit on the time for wagers is in force", "wager_time")
    if not waiting or table.over or table.table.phase is not Phase.BETTING:
        raise Refused("nobody's wager is waited for")
    if draft.now.at_ms < deadline:
        raise draft.refuse(f"{waiting[0]} still has time to wager", "wager_time")
    ordered = draft.state.form.order is WageringOrder.MARKER
    for key in waiting[:1] if ordered else waiting:
        wager = PlacedWager(amount=min(table.minimum, from_grains(draft.state.stacks.get(key, 0))))
        draft.emit(te.WagerMade(table=table.name, key=key, wager=wager, late=True, clauses=draft.cite("late")))


# ---------------------------------------------------------------------- what wagers count as


def count_wager(draft: TournamentDraft, table: PlayTable, key: str, placed: Money) -> CountedWager:
    """What an open wager counts as when betting closes."""
    low, high = table.minimum, table.maximum
    has = from_grains(draft.state.stacks.get(key, 0))
    if placed > high:
        return CountedWager(high, placed, "over", draft.cite("over"))
    if placed < low:
        if has < low:
            return CountedWager(ZERO, placed, "unable", draft.cite("unable", "under"))
        return CountedWager(low, placed, "under", draft.cite("under"))
    if placed % low:
        return CountedWager(placed - placed % low, placed, "increment", draft.cite("increment"))
    return CountedWager(placed, placed, "", draft.cite("wager"))


def keep_sides(draft: TournamentDraft, key: str, placed: PlacedWager, main: Money) -> dict[str, Money]:
    """The side wagers that stand once the main wager counts: those whose chips made it up to the minimum go back."""
    left = from_grains(draft.state.stacks.get(key, 0)) - main
    kept: dict[str, Money] = {}
    for name, amount in placed.sides.items():
        if amount <= left:
            kept[name] = amount
            left -= amount
    return kept


def apply_announced_limits(draft: TournamentDraft, command: tc.ChangeTournamentLimits) -> None:
    """Limits change as the terms have announced, and in no other way."""
    draft.check_manager("limit_change")
    low, high = parse_money(command.minimum), parse_money(command.maximum)
    state = draft.state
    if not state.in_play:
        raise draft.refuse("no session is being played", "limit_change")
    if not any((step.minimum, step.maximum) == (low, high) for step in state.now_playing.steps):
        raise draft.refuse(
            f"players were not told of {show(low)} to {show(high)} before the tournament began", "limit_change"
        )
    for table in state.in_play.values():
        if table.table.phase is not Phase.BETTING or table.wagers or table.forms:
            raise draft.refuse("limits change before the first wager of a round", "limit_change")
    for name in state.in_play:
        draft.emit(
            te.TournamentLimitsChanged(table=name, minimum=low, maximum=high, clauses=draft.cite("limit_change"))
        )


def update_limits(draft: TournamentDraft, name: str) -> None:
    """Limits that the terms have announced for this round or minute come into force."""
    table = draft.state.in_play[name]
    stage = draft.state.now_playing
    low, high = find_limits(stage, table, draft.now.at_ms)
    was_low, was_high = table.minimum, table.maximum
    announced = (low, high) != (parse_money(stage.minimum), parse_money(stage.maximum))
    if announced and (low, high) != (was_low, was_high):
        draft.emit(
            te.TournamentLimitsChanged(table=name, minimum=low, maximum=high, clauses=draft.cite("limit_change"))
        )
