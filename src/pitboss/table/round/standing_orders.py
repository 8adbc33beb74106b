"""What standing orders of the floor leave of a wager: asked when a wager is placed, and when betting closes."""

from __future__ import annotations

from pitboss.money import ZERO, Money, show
from pitboss.play.control import find_controller
from pitboss.rulebooks.model.rules import Authority, SideWager
from pitboss.table.draft import Draft, Refused
from pitboss.table.floor_state import EVERYBODY, PersonalLimit, Restriction
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Bet, State


def area_of(box: str) -> int:
    """The number of a box without its part."""
    return int(box.rstrip("ab"))


def personal_limit(state: State, player: str) -> PersonalLimit | None:
    """The player's own limits, if they have any."""
    if not state.floor.personal:
        return None
    return next((item for item in state.floor.personal if item.player == player), None)


def minimum_for(state: State, player: str) -> Money | None:
    """The least that this player may stake."""
    own = personal_limit(state, player)
    if own is not None and own.minimum is not None:
        return own.minimum
    return next((item.minimum for item in state.floor.protected if item.player == player), state.limits.minimum)


def maximum_for(state: State, player: str) -> Money | None:
    """The most that this player may stake."""
    own = personal_limit(state, player)
    return own.maximum if own is not None and own.maximum is not None else state.limits.maximum


def capacity(state: State, players: list[str]) -> Money | None:
    """The most that a box takes: the sign's maximum, or what its players' own limits make of it.

    Where a book lets a player's own limit be the box's, that is so whether it lies above the sign's maximum or below.
    Elsewhere it is for this player alone, and sharers have what is left under the sign's.
    """
    if not state.floor.personal or owns_maximum_alone(state):
        return state.limits.maximum
    own = [limit.maximum for limit in (personal_limit(state, name) for name in players) if limit is not None]
    limits = [maximum for maximum in own if maximum is not None]
    if state.limits.maximum is not None and (not limits or state.rules.personal_limits != "marker-caps-box"):
        limits.append(state.limits.maximum)
    return max(limits) if limits else None


def caps_box(state: State, players: list[str]) -> bool:
    """One of these players has a limit of their own that is the box's too, whatever the sign's limits are for."""
    own = state.rules.personal_limits == "marker-caps-box"
    return own and any(personal_limit(state, player) is not None for player in players)


def owns_maximum_alone(state: State) -> bool:
    """A player's own maximum does not raise the box for others."""
    return state.rules.personal_limits == "sign-at-table"


def sharers_max(state: State) -> int:
    """How many players may share a box."""
    most = state.floor.sharers_max
    return state.rules.sharers_max if most is None else min(most, state.rules.sharers_max)


def places_of(state: State, side: SideWager) -> int:
    """How many wagers of a kind a box takes; 0 where nobody sets a number."""
    numbers = (state.floor.side_places.get(side.id, side.max_per_box), state.limits.of_side(side.id).places)
    return min((number for number in numbers if number), default=0)


def may_deal(state: State) -> None:
    """Refuse a round that comes after the last one announced, or at a closed table."""
    closing = state.floor.closing
    _check_sign(state)
    if state.floor.closed or (closing is not None and closing.rounds_left == 0 and not state.trouble.rebuilt):
        words = "the table is closed" if state.floor.closed else "the last round that was announced is dealt"
        raise Refused(words, closing.clauses if closing is not None else ())
    if not state.trouble.rebuilt:
        if state.floor.two_hands and state.rules.boxes_per_area == 1:
            _check_two_hands(state)
        _check_told(state)


def _check_two_hands(state: State) -> None:
    """Refuse a round in which somebody who is alone plays one hand and is required to play two."""
    mains = {(bet.player, area_of(bet.box)) for bet in state.bets if bet.wager == "main"}
    present = {player for player, _ in mains} | {item.player for item in state.arrivals}
    if len(present) == 1 and len(mains) == 1:
        raise Refused(f"{present.pop()} is alone at the table and plays two hands", state.floor.two_hands)


def _check_told(state: State) -> None:
    """Refuse a round while somebody is still to be told of a ruling, where that must be on record."""
    if state.floor.on_record and state.floor.to_tell:
        waiting = ", ".join(dict.fromkeys(item.body for item in state.floor.to_tell))
        raise Refused(f"{waiting} must be told first: !ROLE tell {waiting}", state.floor.to_tell[0].clauses)


def _check_sign(state: State) -> None:
    """Refuse what needs a sign with the limits, if there is none."""
    floor = state.floor
    if floor.sign == "down" or (floor.on_record and floor.sign != "up"):
        notice = state.rules.notices.get("limits")
        raise Refused("no sign with the limits is up", notice.clauses if notice is not None else ())


def needs_check(state: State, side: SideWager) -> bool:
    """The book has somebody check the equipment of this wager before it is taken."""
    return bool(side.meters) and "check-jackpot-equipment" in state.rules.authority


def absent_needs_order(state: State) -> Authority | None:
    """The power by which somebody above the dealer must direct, on record, how an absent player's hand is played."""
    power = state.rules.authority.get("direct-absent-hand")
    above = power is not None and state.rules.rank(power.role) > 0
    return power if above and state.floor.on_record else None


def boxes_most(state: State, player: str) -> int | None:
    """On how many boxes the player may wager, if somebody has set a number."""
    given = state.floor.boxes_most
    return given.get(player, given.get(EVERYBODY)) if given else None


def list_counted_areas(state: State, player: str) -> list[int]:
    """The boxes that count against the number of a player's boxes, in the order in which they were taken."""
    areas = dict.fromkeys(area_of(bet.box) for bet in state.bets if bet.player == player and bet.wager == "main")
    return [area for area in areas if not _is_shared(state, area, player)]


def _is_shared(state: State, area: int, player: str) -> bool:
    """Somebody else calls the decisions of the box, and the book lets a player share any number of such boxes."""
    mains = [bet for bet in state.bets if bet.wager == "main" and area_of(bet.box) == area]
    if state.rules.several_boxes != "supervisor-decides-but-shared" or not mains:
        return False
    caller = mains[find_controller(state.rules, [bet.seated for bet in mains], [bet.amount for bet in mains])]
    return caller.player != player


def check_wager(draft: Draft, command: cmd.PlaceBet, parts: int) -> None:
    """Refuse a wager that a standing order forbids. `parts` is on how many boxes of the area it is staked."""
    state = draft.state
    floor = state.floor
    if floor.closed:
        raise Refused("the table is closed", floor.closing.clauses if floor.closing is not None else ())
    _check_sign(state)
    if command.player in floor.barred:
        raise Refused(f"{command.player} is barred from the game", floor.barred[command.player])
    for reserved in floor.reserved:
        if reserved.area == area_of(command.box) and reserved.player != command.player:
            raise Refused(f"box {reserved.area} is reserved for {reserved.player}", reserved.clauses)
    for restriction in floor.restrictions:
        if restriction.player == command.player:
            _check_restriction(state, restriction, command, parts)
    for given in floor.given_up:
        if (given.player, given.area) == (command.player, area_of(command.box)):
            raise Refused(f"{command.player} has given up box {given.area}", given.clauses)
    most = boxes_most(state, command.player)
    if most is not None:
        _check_boxes(state, command, most)
    if command.wager != "main":
        _check_side(state, command)


def _check_boxes(state: State, command: cmd.PlaceBet, most: int) -> None:
    """Refuse a further box to a player who has as many as they may."""
    area = area_of(command.box)
    areas = list_counted_areas(state, command.player)
    if not _is_shared(state, area, command.player) and len({*areas, area}) > max(most, len(areas)):
        words = f"{command.player} may wager on {most} box{'es' * (most != 1)}"
        raise Refused(words, state.floor.boxes_clauses)


def _check_restriction(state: State, restriction: Restriction, command: cmd.PlaceBet, parts: int) -> None:
    own = [bet for bet in state.bets if bet.player == command.player and bet.wager == "main"]
    if restriction.one_box:
        allowed = restriction.box or (own[0].box if own else command.box)
        if area_of(command.box) != area_of(allowed):
            raise Refused(f"{command.player} is held to box {area_of(allowed)}", restriction.clauses)
    if command.wager != "main":
        return
    least = minimum_for(state, command.player)
    on_box = sum((stake_on_area(state, bet) for bet in own if area_of(bet.box) == area_of(command.box)), ZERO)
    if least is not None and on_box + parts * command.amount > least:
        raise Refused(f"{command.player} is held to the minimum of {show(least)}", restriction.clauses)


def stake_on_area(state: State, bet: Bet) -> Money:
    """What a bet stakes on its area: on both boxes if it names none."""
    both = state.rules.boxes_per_area == 2 and bet.box.isdigit()
    return 2 * bet.amount if both else bet.amount


def _check_side(state: State, command: cmd.PlaceBet) -> None:
    floor = state.floor
    if command.wager in floor.withdrawn:
        raise Refused(f"{command.wager} is not offered until it works again", floor.withdrawn[command.wager])
    side = state.rules.side_wager(command.wager)
    if floor.on_record and side is not None and needs_check(state, side) and side.id not in floor.checked:
        power = state.rules.authority["check-jackpot-equipment"]
        raise Refused(f"nobody has checked the equipment of {side.name}", power.clauses)
    closing = floor.closing
    if closing is not None and closing.extra:
        carried = any(
            (item.box, item.player, item.wager) == (command.box, command.player, command.wager)
            for item in state.carried
        )
        kinds = {item.wager for item in state.carried}
        if command.wager in kinds and not carried:
            raise Refused(f"no new {command.wager} wager on the extra hand before closing", closing.clauses)


def side_fault(state: State, side: SideWager, bet: Bet, own: bool, controller: str) -> tuple[str, tuple[str, ...]]:
    """Why a standing order turns a side wager away when betting closes, and its clauses; nothing if none does."""
    main = any(other.player == bet.player and other.wager == "main" for other in state.bets)
    if not main and side.id in state.floor.main_bettors_only:
        return "it is reserved for players with a main wager", state.floor.main_bettors_only[side.id]
    if not state.floor.leave_required or has_leave(state, bet):
        return "", ()
    if side.placed_by == "controller-or-sharer-by-leave" and bet.player != controller:
        return "the player has no leave to place it in the controlling player's place", side.cite("placed_by")
    if own:
        return "", ()
    if side.outsiders == "by-leave":
        return "the player has no leave to place it without a main wager", side.cite("outsiders")
    return "", ()


def has_leave(state: State, bet: Bet) -> bool:
    """Somebody has permitted this player's side wager here."""
    return any(
        leave.player == bet.player and leave.wager == bet.wager and leave.box in ("", bet.box)
        for leave in state.floor.leave
    )
