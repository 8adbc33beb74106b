"""Powers at the table: what somebody on the floor may forbid, permit or require, as far as the book lets them.

Each handler asks `roles.rule` first, so that the wrong role, a missing reason or a body that was not told is refused
with the clause, and then sets the standing order. `standing` and the phases of the round honour it.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pitboss.money import Odds, show
from pitboss.rulebooks import RulebookError, Rules, rules_for
from pitboss.table.authority import name_role
from pitboss.table.draft import Draft, Refused
from pitboss.table.floor_state import Closing, Permission, PersonalLimit, Reserved, Restriction
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.roles import power_for, rule
from pitboss.table.orders.voids import turn_away
from pitboss.table.round.betting import parse_box
from pitboss.table.state import Bet, Phase

Clauses = tuple[str, ...]


def set_floor(draft: Draft, clauses: Clauses, **changes: Any) -> None:
    """Standing orders change."""
    draft.emit(ru.FloorSet(floor=replace(draft.state.floor, **changes), clauses=clauses))


# ---------------------------------------------------------------------- single wagers and players


def refuse_wager(draft: Draft, command: od.RefuseWager) -> None:
    """A wager is refused before the first card and taken off the layout."""
    state = draft.state
    key = (command.box, command.player, command.wager)
    clauses = rule(draft, command, "refuse-wager", box=command.box, player=command.player)
    if state.phase is not Phase.BETTING:
        raise Refused("a wager can be refused only before the first card of the round", clauses)
    bet = next((bet for bet in state.bets if (bet.box, bet.player, bet.wager) == key), None)
    if bet is None:
        raise Refused(f"{command.player} has no {command.wager} wager on box {command.box}", clauses)
    if "refuse-wager" not in state.rules.authority and _payable(draft, bet):
        raise Refused("this wager can be paid exactly in chips: the book lets nobody refuse it", clauses)
    turn_away(draft, bet, clauses)


def _payable(draft: Draft, bet: Bet) -> bool:
    """Whatever the wager can win, it can be paid out in chips."""
    chip = draft.state.limits.chip
    return chip is None or all(odds.pay(bet.amount) % chip == 0 for odds in _odds_of(draft.state.rules, bet.wager))


def _odds_of(rules: Rules, wager: str) -> list[Odds]:
    """Every odds that a wager can be paid at; prizes that a button draws are for each unit staked."""
    side = rules.side_wager(wager)
    if side is None:
        return [rules.win_odds, rules.natural_odds, *(bonus.odds for bonus in rules.bonuses)]
    lines = [odds for odds in side.odds.values() if isinstance(odds, Odds)]
    return lines + [Odds(prize, 1) for _, prize in side.prizes]


def hold_to_minimum(draft: Draft, command: od.HoldToMinimum) -> None:
    """A player who skipped rounds of the shoe is held to the minimum."""
    state, rules = draft.state, draft.state.rules
    if rules.midshoe_minimum_only == "no":
        raise draft.refuse("nobody is held to the minimum at this table", "midshoe_minimum_only")
    clauses = rule(
        draft, command, "hold-to-minimum-further" if command.further else "hold-to-minimum", player=command.player
    )
    if rules.card_source == "device":
        raise Refused("this is for tables with a shoe", clauses)
    one_box = rules.authority.get("restrict-to-one-box-minimum")
    if rules.midshoe_minimum_only == "shoe-only-told" and one_box is not None:
        unknowing = [body for body in one_box.notify_before if body not in command.told]
        if unknowing:
            raise draft.refuse(f"{', '.join(unknowing)} must be told first", "midshoe_minimum_only")
    _needs_minimum(draft, clauses)
    if not state.shoe.count_skipped(command.player):
        raise Refused(f"{command.player} has wagered on every round of this shoe", clauses)
    _restrict(draft, command, command.player, clauses, until_reshuffle=not command.further)


def one_box(draft: Draft, command: od.OneBox) -> None:
    """A player is held to one box and to its minimum."""
    if not draft.state.rules.one_box_minimum_only:
        raise draft.refuse("nobody is held to one box by this book", "one_box_minimum_only", "several_boxes")
    box = str(parse_box(draft.state, command.box).area) if command.box else ""
    clauses = rule(draft, command, "one-box", box=box, player=command.player, given=("box",))
    _needs_minimum(draft, clauses)
    _restrict(draft, command, command.player, clauses, until_reshuffle=False, one_box=True, box=box)


def _needs_minimum(draft: Draft, clauses: Clauses) -> None:
    if draft.state.limits.minimum is None:
        raise Refused("the sign at this table shows no minimum", clauses)


def _restrict(draft: Draft, command: cmd.Order, player: str, clauses: Clauses, **fields: Any) -> None:
    kept = tuple(item for item in draft.state.floor.restrictions if item.player != player)
    rank = draft.state.rules.rank(command.role)
    new = Restriction(player=player, clauses=clauses, rank=rank, **fields)
    set_floor(draft, clauses, restrictions=(*kept, new))


def lift(draft: Draft, command: od.Lift) -> None:
    """What a player is held to ends, and so do limits of their own; nobody lifts what was ordered above them."""
    floor, rules = draft.state.floor, draft.state.rules
    held = [item for item in floor.restrictions if item.player == command.player]
    own = [item for item in floor.personal if item.player == command.player]
    given = [item for item in floor.given_up if item.player == command.player]
    barred = floor.barred.get(command.player)
    if not held and not own and not given and barred is None:
        raise Refused(f"there is no order about {command.player}", draft.cite("limits"))
    cites = [item.clauses for item in held] + [item.clauses for item in own] + [item.clauses for item in given]
    cites.append(barred or ())
    clauses = rule(draft, command, "lift", player=command.player, cites=tuple(clause for c in cites for clause in c))
    if any(item.rank > rules.rank(command.role) for item in held):
        raise Refused(f"somebody above {name_role(command.role)} ordered this", clauses)
    granted = power_for(rules, "personal-limits", None)
    if own and granted is not None and rules.rank(command.role) < rules.rank(granted.role):
        words = f"{name_role(command.role)} may not do this: {granted.role} or above lifts limits of a player's own"
        raise Refused(words, granted.clauses)
    if barred is not None:
        rule(draft, command, "bar", player=command.player)
    set_floor(
        draft,
        clauses,
        restrictions=tuple(item for item in floor.restrictions if item.player != command.player),
        personal=tuple(item for item in floor.personal if item.player != command.player),
        given_up=tuple(item for item in floor.given_up if item.player != command.player),
        barred={player: under for player, under in floor.barred.items() if player != command.player},
    )


def bar(draft: Draft, command: od.Bar) -> None:
    """A player may take no part in the game any more; wagers already in play are not touched."""
    clauses = rule(draft, command, "bar", player=command.player)
    set_floor(draft, clauses, barred={**draft.state.floor.barred, command.player: clauses})


# ---------------------------------------------------------------------- boxes and seats


def reserve(draft: Draft, command: od.Reserve) -> None:
    """Boxes are reserved for one player."""
    state = draft.state
    areas = {parse_box(state, box).area for box in command.boxes}
    if not areas:
        raise Refused("name the boxes to be reserved")
    clauses = rule(draft, command, "reserve", box=command.boxes[0], player=command.player)
    kept = tuple(item for item in state.floor.reserved if item.area not in areas)
    new = tuple(Reserved(area, command.player, clauses) for area in sorted(areas))
    set_floor(draft, clauses, reserved=(*kept, *new))


def release(draft: Draft, command: od.Release) -> None:
    """Boxes are open to everybody again."""
    state = draft.state
    areas = {parse_box(state, box).area for box in command.boxes}
    known = {item.area for item in state.floor.reserved}
    if not areas or not areas <= known:
        power = power_for(state.rules, "release", None)
        raise Refused("these boxes are not reserved", power.clauses if power is not None else ())
    player = next(item.player for item in state.floor.reserved if item.area in areas)
    clauses = rule(draft, command, "release", box=command.boxes[0], player=player)
    set_floor(draft, clauses, reserved=tuple(item for item in state.floor.reserved if item.area not in areas))


def limit_sharers(draft: Draft, command: od.LimitSharers) -> None:
    """Fewer players than the book allows may share a box."""
    rules = draft.state.rules
    clauses = rule(draft, command, "sharers", given=("number",))
    if not 1 <= command.number <= rules.sharers_max:
        raise Refused(f"a box takes 1 to {rules.sharers_max} players, not {command.number}", clauses)
    set_floor(draft, clauses, sharers_max=command.number, sharers_clauses=clauses)


def limit_side_places(draft: Draft, command: od.LimitSidePlaces) -> None:
    """Fewer wagers of a kind than the book allows are taken on a box."""
    side = draft.state.rules.side_wager(command.wager)
    if side is None:
        raise Refused(f"{command.wager} is not on offer at this table")
    power = draft.state.rules.authority.get("restrict-blackpot-places")
    if power is None or side.judge != "blackpot":
        raise Refused(
            f"this book lets nobody lower the number of {side.name} wagers on a box", side.cite("max_per_box")
        )
    clauses = rule(draft, command, "side-places", given=("number",))
    if not 1 <= command.number <= side.max_per_box:
        raise Refused(f"a box takes 1 to {side.max_per_box} {side.name} wagers, not {command.number}", clauses)
    set_floor(draft, clauses, side_places={**draft.state.floor.side_places, side.id: command.number})


def personal_limits(draft: Draft, command: od.PersonalLimits) -> None:
    """A player has a minimum and a maximum of their own."""
    rules = draft.state.rules
    if rules.personal_limits == "no":
        raise draft.refuse("this book has no personal limits", "limits")
    given = ("sign", "marker") if command.shown else ()
    clauses = rule(draft, command, "personal-limits", player=command.player, given=given)
    if command.minimum > command.maximum:
        words = f"a minimum of {show(command.minimum)} is above a maximum of {show(command.maximum)}"
        raise Refused(words, clauses)
    kept = tuple(item for item in draft.state.floor.personal if item.player != command.player)
    new = PersonalLimit(command.player, clauses, command.minimum, command.maximum)
    set_floor(draft, clauses, personal=(*kept, new))


def vacate(draft: Draft, command: od.VacateSeat) -> None:
    """A player who sat out the rounds that the book names gives up the place."""
    state, rules = draft.state, draft.state.rules
    arrival = next((item for item in state.arrivals if item.player == command.player), None)
    if rules.idle_rounds is None:
        raise Refused("this book lets nobody take a seat away")
    clauses = rule(draft, command, "vacate", player=command.player)
    if arrival is None:
        raise Refused(f"{command.player} is not at the table", clauses)
    idle = state.floor.idle.get(command.player, 0)
    if idle < rules.idle_rounds:
        raise Refused(f"{command.player} has sat out {idle} rounds, not {rules.idle_rounds}", clauses)
    if rules.idle_only_when_full:
        taken = {item.area for item in state.arrivals if item.player != command.player}
        free = [area for area in range(1, state.places + 1) if area not in taken | {arrival.area}]
        if free:
            raise Refused(f"box {free[0]} is free: a player loses a seat only when all others are taken", clauses)
    draft.emit(ev.PlayerLeft(player=command.player, clauses=clauses))


# ---------------------------------------------------------------------- the game


def defer_naturals(draft: Draft, command: od.DeferNaturals) -> None:
    """Naturals that would be paid at once are paid at the final settlement, from the next round on."""
    if draft.state.rules.natural_paid != "at-once-unless-ten-or-ace":
        raise draft.refuse("naturals are not paid at once in this game", "natural_paid")
    clauses = rule(draft, command, "defer-naturals")
    require_between_rounds(draft, clauses)
    set_floor(draft, clauses, naturals_deferred=clauses if command.on else ())


def require_between_rounds(draft: Draft, clauses: Clauses) -> None:
    """Refuse what is ordered while a round is in play."""
    if draft.state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise Refused("this is for the next round: order it between rounds", clauses)


def permit(draft: Draft, command: od.Permit) -> None:
    """What the book leaves to somebody's leave is permitted from the next round on, once the players are told."""
    rules = draft.state.rules
    act = f"permit-{command.option}"
    if command.option not in PERMITS or command.option not in rules.options:
        known = ", ".join(option for option in PERMITS if option in rules.options) or "nothing"
        raise Refused(f"'{command.option}' does not need permission at this table: {known}")
    given = ("notice", "sign") if command.announced else ()
    clauses = rule(draft, command, act, given=given)
    require_between_rounds(draft, clauses)
    if draft.state.rules.options[command.option] == command.on:
        raise Refused(f"{command.option} is already {'on' if command.on else 'off'}", clauses)
    try:
        changed = _with_option(draft, command.option, command.on)
    except RulebookError as error:
        raise Refused(str(error), clauses) from None
    draft.emit(ru.OptionPermitted(option=command.option, value=command.on, rules=changed, clauses=clauses))


def _with_option(draft: Draft, option: str, value: bool) -> Rules:
    """The rules of the table with one option changed, as its book has them."""
    rules = draft.state.rules
    choices: dict[str, Any] = {**rules.options, option: value}
    side_wagers = [side.id for side in rules.side_wagers]
    return rules_for(rules.game, draft.own_books, side_wagers=side_wagers, readings=dict(rules.readings), **choices)


PERMITS = ("resplit", "insurance_on_ten", "double_with_ace", "auto_draw")
"""Options that somebody on the floor may turn on at a table in play."""


def permit_guest(draft: Draft, command: od.PermitGuest) -> None:
    """A player may place a side wager without a main wager of their own, or in the controlling player's place."""
    side = draft.state.rules.side_wager(command.wager)
    if side is None:
        raise Refused(f"{command.wager} is not on offer at this table")
    sharer = side.placed_by == "controller-or-sharer-by-leave"
    if side.outsiders != "by-leave" and not sharer:
        raise Refused(f"{side.name} needs no permission, or nobody can give it", side.cite("outsiders", "placed_by"))
    box = command.box or "any"
    act = "permit-guest-sharer" if sharer else "permit-guest"
    clauses = rule(draft, command, act, box=box, player=command.player)
    new = Permission(command.player, command.wager, command.box)
    set_floor(draft, clauses, leave=tuple(dict.fromkeys((*draft.state.floor.leave, new))))


def require_leave(draft: Draft, command: od.RequireLeave) -> None:
    """Side wagers that the book leaves to somebody's leave are taken only with it."""
    clauses = rule(draft, command, "require-leave", given=("box", "player"))
    require_between_rounds(draft, clauses)
    set_floor(draft, clauses, leave_required=command.on)


def main_bettors_only(draft: Draft, command: od.MainBettorsOnly) -> None:
    """A side wager is reserved for players with a main wager, or open again."""
    side = draft.state.rules.side_wager(command.wager)
    if side is None:
        raise Refused(f"{command.wager} is not on offer at this table")
    if not side.restrictable_to_main:
        words = f"this book lets nobody reserve {side.name} for players with a main wager"
        raise Refused(words, side.cite("restrictable_to_main", "outsiders"))
    given = ("sign",) if command.shown else ()
    clauses = rule(draft, command, "main-bettors-only", given=given, powers=(f"restrict-{command.wager}",))
    require_between_rounds(draft, clauses)
    only = {wager: under for wager, under in draft.state.floor.main_bettors_only.items() if wager != command.wager}
    if command.on:
        only[command.wager] = clauses
    set_floor(draft, clauses, main_bettors_only=only)


# ---------------------------------------------------------------------- closing the table


def announce_closing(draft: Draft, command: od.AnnounceClosing) -> None:
    """The sign goes up, or the last rounds are announced."""
    state, rules = draft.state, draft.state.rules
    clauses = rule(draft, command, "announce-closing", given=("sign", "notice"))
    if state.floor.closed or state.floor.closing is not None:
        raise Refused("the closing of this table has already been announced", clauses)
    rounds = rules.close_notice_rounds
    if rounds is not None and state.phase is not Phase.BETTING:
        rounds += state.phase is not Phase.SETTLED
    closing = Closing(clauses, minute=None if rounds is not None else command.minute, rounds_left=rounds)
    set_floor(draft, clauses, closing=closing)


def close_table(draft: Draft, command: od.CloseTable) -> None:
    """The table closes: at once if nobody is there, else when the notice has run."""
    state, floor = draft.state, draft.state.floor
    clauses = rule(draft, command, "close-table", given=("sign", "notice"))
    if floor.closed:
        raise Refused("the table is already closed", clauses)
    if state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise Refused("the round must be finished first", clauses)
    if state.arrivals or any(bet.wager == "main" for bet in state.bets):
        _notice_has_run(draft, command.minute, clauses)
    closing = floor.closing or Closing(clauses)
    if state.phase is Phase.BETTING:
        for bet in state.bets:
            turn_away(draft, bet, clauses)
    set_floor(draft, clauses, closed=True, closing=closing)


def _notice_has_run(draft: Draft, minute: int, clauses: Clauses) -> None:
    rules, closing = draft.state.rules, draft.state.floor.closing
    if closing is None:
        notice = (
            f"{rules.close_notice_rounds} rounds"
            if rules.close_notice_rounds
            else f"{rules.close_notice_minutes} minutes"
        )
        raise Refused(f"players are at the table: announce the closing first, {notice} before", clauses)
    if closing.rounds_left is not None:
        if closing.rounds_left:
            extra = ", one of them for a wager carried over" if closing.extra else ""
            raise Refused(f"{closing.rounds_left} more rounds must be dealt{extra}", clauses)
        return
    needed = rules.close_notice_minutes or 0
    stood = minute - (closing.minute or 0)
    if stood < needed:
        raise Refused(f"the sign has been up for {stood} minutes, not {needed}", clauses)
