"""Wagers before the deal: who may place what, who controls a box, what limits leave of a wager.

Main wagers that cannot stand are refused when they are placed. Side wagers are weighed against each other when betting
closes, because a player with a better claim may still come.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec.structs import replace

from pitboss.money import ZERO, Money, show
from pitboss.play.control import find_controller, find_rivals
from pitboss.play.side_wagers.side_stakes import UNDER_AND_OVER, fault_of_under_and_over
from pitboss.rulebooks.model.rules import Rules, SideWager
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.round.notices import show_notices
from pitboss.table.round.sign import basis_of, check_main_limit, check_side_limit
from pitboss.table.round.standing_orders import (
    area_of,
    capacity,
    caps_box,
    check_wager,
    maximum_for,
    may_deal,
    minimum_for,
    owns_maximum_alone,
    personal_limit,
    places_of,
    sharers_max,
    side_fault,
)
from pitboss.table.state import Bet, Bettor, Box, Phase, SideBet, State

_BOX = re.compile(r"(0|[1-9][0-9]{0,2})([ab]?)")

CONTROLLER_ONLY = ("controller", "controller-or-sharer-by-leave")
"""Jackpot wagers: one on a box, the controlling player's by right."""

SPOKEN = "words"
SPOKEN_WITH_MONEY = tuple(f"{SPOKEN}-with-{money}" for money in ("chips", "cash", "vouchers", "tokens"))
"""A spoken wager, and the money that comes with it and is changed into chips on the layout before bets close."""
TOKENS = "promotional-tokens"
"""What a wager can be made of beside chips: nothing but words, and what vouchers are exchanged for."""

CLOCKWISE = ("main-bettors-then-clockwise", "carried-first")
"""Claims to a side wager's places that go round the table after those of the box's own players."""


class BettingPlace(NamedTuple):
    """A box number taken apart: area and part (`a`, `b` or nothing)."""

    area: int
    part: str


def parse_box(state: State, text: str) -> BettingPlace:
    """The place that `text` names, if the layout has it."""
    rules = state.rules
    match = _BOX.fullmatch(text)
    if match is None:
        raise Refused(f"'{text}' is not a box: write its number, such as {'1a' if rules.boxes_per_area == 2 else '1'}")
    place = BettingPlace(int(match[1]), match[2])
    if not 1 <= place.area <= state.places:
        raise Refused(
            f"there is no box {place.area}: they are numbered 1 to {state.places}", rules.clauses("boxes_max", "boxes")
        )
    if place.part and rules.boxes_per_area == 1:
        raise Refused(f"'{text}' is not a box: boxes have no parts in this game")
    return place


def place_bet(draft: Draft, command: cmd.PlaceBet) -> None:
    """Put a wager on the layout."""
    state, rules = draft.state, draft.state.rules
    if state.phase is not Phase.BETTING:
        raise draft.refuse("betting is closed for this round", "bets_close", "no_further_wager")
    if state.trouble.called and (rules.bets_close == "call" or _is_spoken(command)):
        raise draft.refuse("no more bets: the call was made", "bets_close")
    place = parse_box(state, command.box)
    if command.amount <= 0:
        raise Refused(f"a wager must be above zero, not {show(command.amount)}")
    _check_medium(draft, command)
    check_wager(draft, command, 2 if rules.boxes_per_area == 2 and not place.part else 1)
    clauses = draft.cite("bets_close")
    if command.wager == "main":
        check_main_limit(draft, command)
        _may_share(draft, place, command)
    else:
        clauses = tuple(dict.fromkeys((*_may_place_side(draft, command), *clauses)))
    show_notices(draft, command.player)
    tokens = command.amount if command.medium == TOKENS else ZERO
    bet = Bet(command.box, command.player, command.amount, command.wager, command.seated, tokens)
    draft.emit(ev.BetPlaced(bet=bet, clauses=clauses))


def _check_medium(draft: Draft, command: cmd.PlaceBet) -> None:
    """Refuse what the book does not take as a wager. What is not said is taken to be right."""
    rules, medium = draft.state.rules, command.medium
    if not medium:
        return
    spoken = _is_spoken(command)
    if spoken and rules.oral_bets == "no" and draft.cite("oral_bets"):
        raise draft.refuse("a wager is placed on the layout, not spoken", "oral_bets")
    if medium == SPOKEN and rules.oral_bets == "with-money":
        raise draft.refuse("a spoken wager counts with money that is changed into chips at once", "oral_bets")
    if not spoken and medium not in rules.media and draft.cite("media"):
        taken = " or ".join(word.replace("-", " ") for word in rules.media)
        raise draft.refuse(f"wagers are made in {taken}, not in {medium.replace('-', ' ')}", "media")


def _is_spoken(command: cmd.PlaceBet) -> bool:
    return command.medium == SPOKEN or command.medium in SPOKEN_WITH_MONEY


def remove_bet(draft: Draft, command: cmd.RemoveBet) -> None:
    """Take a wager off the layout."""
    state = draft.state
    called = state.trouble.called and state.rules.bets_close == "call"
    if state.phase is not Phase.BETTING or called:
        raise draft.refuse("wagers may not be withdrawn once betting is closed", "no_further_wager", "bets_close")
    if not any((bet.box, bet.player, bet.wager) == (command.box, command.player, command.wager) for bet in state.bets):
        raise Refused(f"{command.player} has no {command.wager} wager on box {command.box}")
    draft.emit(ev.BetRemoved(box=command.box, player=command.player, wager=command.wager))


def _may_share(draft: Draft, place: BettingPlace, command: cmd.PlaceBet) -> None:
    state = draft.state
    mains = [bet for bet in state.bets if bet.wager == "main" and area_of(bet.box) == place.area]
    players = {bet.player for bet in mains}
    most = sharers_max(state)
    if command.player not in players and len(players) >= most:
        lowered = state.floor.sharers_clauses if most < state.rules.sharers_max else ()
        raise Refused(
            f"box {place.area} is full: {most} player{'s' * (most > 1)} may wager on it",
            lowered or draft.cite("box_sharing", "sharers_max"),
        )
    if command.seated and any(bet.seated and bet.player != command.player for bet in mains):
        raise Refused(f"somebody else is seated at box {place.area}")


def _may_place_side(draft: Draft, command: cmd.PlaceBet) -> tuple[str, ...]:
    """The clauses under which a side wager may be placed, or a refusal."""
    side = draft.state.rules.side_wager(command.wager)
    if side is None:
        offered = ", ".join(other.id for other in draft.state.rules.side_wagers) or "none"
        raise Refused(f"{command.wager} is not on offer at this table; side wagers here: {offered}")
    check_side_limit(draft.state, side, command)
    for carried in draft.state.carried:
        if (carried.box, carried.player, carried.wager) == (command.box, command.player, command.wager):
            on_box = sum(
                (
                    bet.amount
                    for bet in draft.state.bets
                    if (bet.box, bet.player, bet.wager) == (command.box, command.player, command.wager)
                ),
                ZERO,
            )
            if command.amount + on_box > carried.amount:
                raise Refused(
                    f"a wager carried over may not be raised above {show(carried.amount)}",
                    side.cite("carried", "placing"),
                )
    return side.cite("placing", "placed_by")


# ---------------------------------------------------------------------- closing


def close_bets(draft: Draft) -> None:
    """No more bets: work out the boxes and side wagers in play."""
    state = draft.state
    may_deal(state)
    if not any(bet.wager == "main" for bet in state.bets):
        raise draft.refuse("no wager has been placed, so there is nothing to deal", "initial_deal")
    boxes: list[Box] = []
    for area in sorted({area_of(bet.box) for bet in state.bets if bet.wager == "main"}):
        boxes.extend(_boxes_of_area(draft, area))
    sides = _sides_in_play(draft, boxes)
    draft.emit(ev.BetsClosed(boxes=tuple(boxes), sides=sides, clauses=draft.cite("bets_close")))


class _Wager(NamedTuple):
    """A player's main wager on an area: what is placed on each part, and what counts."""

    player: str
    placed: tuple[Money, ...]
    seated: bool

    @property
    def whole(self) -> Money:
        return sum(self.placed, ZERO)


def _boxes_of_area(draft: Draft, area: int) -> list[Box]:
    rules = draft.state.rules
    parts = ("",) if rules.boxes_per_area == 1 else ("a", "b")
    wagers = _wagers(draft.state, area, parts)
    on_both = [wager for wager in wagers if all(wager.placed)]
    in_play = [
        wager
        for wager in on_both
        if not (_is_under_minimum(draft.state, wager.player, wager.whole) and _goes_back(draft, wager.player))
    ]
    controller = _controller(rules, in_play or on_both or wagers)
    counted = _count_wagers(draft, area, wagers, controller)
    boxes = []
    for index, part in enumerate(parts):
        bettors = tuple(
            Bettor(wager.player, wager.placed[index], counted[wager.player][index])
            for wager in wagers
            if wager.player in counted and wager.placed[index] > 0
        )
        boxes.append(Box(f"{area}{part}", area, bettors, controller))
    return boxes


def _wagers(state: State, area: int, parts: tuple[str, ...]) -> list[_Wager]:
    placed: dict[str, list[Money]] = {}
    seated: set[str] = set()
    for bet in state.bets:
        if bet.wager != "main" or area_of(bet.box) != area:
            continue
        amounts = placed.setdefault(bet.player, [ZERO] * len(parts))
        part = bet.box[len(str(area)) :]
        for index, name in enumerate(parts):
            if part in ("", name):
                amounts[index] += bet.amount
        if bet.seated:
            seated.add(bet.player)
    return [_Wager(player, tuple(amounts), player in seated) for player, amounts in placed.items()]


def _controller(rules: Rules, wagers: list[_Wager]) -> str:
    """Who calls the decisions. `wagers` are those in play, if any is, in order from the dealer outward."""
    seated, placed = [wager.seated for wager in wagers], [wager.whole for wager in wagers]
    tied = find_rivals(rules, seated, placed)
    if tied and rules.control_tie == "undefined":
        names = " and ".join(wagers[place].player for place in tied)
        raise Refused(
            f"the book does not say which of {names} calls the decisions", rules.clauses("controlling_player")
        )
    return wagers[find_controller(rules, seated, placed)].player


def _count_wagers(draft: Draft, area: int, wagers: list[_Wager], controller: str) -> dict[str, tuple[Money, ...]]:
    """What counts of each player's wager, part by part; players whose wager is turned away are left out."""
    state, rules = draft.state, draft.state.rules
    counted: dict[str, tuple[Money, ...]] = {}
    room = capacity(state, [wager.player for wager in wagers])
    per_player = basis_of(rules, state.limits) == "player" and not caps_box(state, [wager.player for wager in wagers])
    first = controller if rules.limit_fill_order == "controller-then-placed" else ""
    order = sorted(wagers, key=lambda wager: wager.player != first)
    for wager in order:
        amounts = wager.placed
        if rules.unequal_pair == "lower-counts" and min(amounts) > 0 and min(amounts) != max(amounts):
            lower = min(amounts)
            _give_back(
                draft,
                area,
                wager.player,
                wager.whole - 2 * lower,
                "the lower of two unequal wagers counts",
                "unequal_pair",
            )
            amounts = (lower, lower)
        if _is_under_minimum(state, wager.player, sum(amounts, ZERO)):
            amounts = _under_minimum(draft, area, wager.player, amounts)
        alone = owns_maximum_alone(state) and personal_limit(state, wager.player) is not None
        most = _most(maximum_for(state, wager.player), None if per_player or alone else room)
        if most is not None and sum(amounts, ZERO) > most and rules.over_maximum == "capped":
            if rules.under_minimum == "stands" and _is_under_minimum(state, wager.player, most):
                # Before the first card nobody may stake less than the minimum, and more does not fit.
                most = ZERO
            fits = most / sum(amount > 0 for amount in amounts)
            surplus = sum(amounts, ZERO) - most
            _give_back(draft, area, wager.player, surplus, "over the maximum of the box", "over_maximum", "limit_fill")
            amounts = tuple(fits if amount else ZERO for amount in amounts)
            if fits == 0:
                continue
        counted[wager.player] = amounts
        if room is not None and not per_player and all(amounts):
            room = max(room - sum(amounts, ZERO), ZERO)
    return counted


def _most(own: Money | None, room: Money | None) -> Money | None:
    """The lower of a player's maximum and what is left of the box's."""
    if own is None or room is None:
        return room if own is None else own
    return min(own, room)


def _goes_back(draft: Draft, player: str) -> bool:
    """Wagers of this player under the minimum are returned whatever happens: a warning was given in a round before."""
    if draft.state.rules.under_minimum == "stands" or player not in draft.state.warned:
        return False
    return not any(isinstance(event, ev.PlayerWarned) and event.player == player for event in draft.events)


def _is_under_minimum(state: State, player: str, whole: Money) -> bool:
    least = minimum_for(state, player)
    return least is not None and whole < least


def _under_minimum(draft: Draft, area: int, player: str, amounts: tuple[Money, ...]) -> tuple[Money, ...]:
    """Under the minimum: it stands, or stands with a warning and is returned from the next round on."""
    if draft.state.rules.under_minimum == "stands":
        return amounts
    if _goes_back(draft, player):
        _give_back(draft, area, player, sum(amounts, ZERO), "under the minimum, after a warning", "under_minimum")
        return tuple(ZERO for _ in amounts)
    _warn(draft, player)
    return amounts


def _warn(draft: Draft, player: str) -> None:
    if player not in draft.state.warned:
        draft.emit(ev.PlayerWarned(player=player, clauses=draft.cite("under_minimum")))


def _give_back(draft: Draft, area: int, player: str, amount: Money, why: str, *matters: str) -> None:
    draft.emit(
        ev.WagerReturned(
            box=str(area), player=player, wager="main", amount=amount, why=why, clauses=draft.cite(*matters)
        )
    )


# ---------------------------------------------------------------------- side wagers


def _sides_in_play(draft: Draft, boxes: list[Box]) -> tuple[SideBet, ...]:
    found: list[SideBet] = []
    for side in draft.state.rules.side_wagers:
        places: dict[str, list[Bet]] = {}
        for bet in draft.state.bets:
            if bet.wager == side.id:
                places.setdefault(bet.box, []).append(bet)
        for place in sorted(places, key=area_of):
            found.extend(_sides_of_box(draft, side, places[place], boxes))
    return tuple(found)


def _sides_of_box(draft: Draft, side: SideWager, bets: list[Bet], boxes: list[Box]) -> list[SideBet]:
    area = area_of(bets[0].box)
    here = [box for box in boxes if box.area == area]
    mains = {bettor.player: bettor.stake for box in here for bettor in box.bettors}
    controller = here[0].controller if here else ""
    carried = {(item.box, item.player): item.paid for item in draft.state.carried if item.wager == side.id}
    standing = []
    for bet in bets:
        why = _side_fault(side, bet, mains, controller, bool(here), {other.player for other in bets})
        why = why or _under_and_over_fault(draft, side, bet, mains)
        ordered, under = side_fault(draft.state, side, bet, bet.player in mains, controller)
        if why or ordered:
            _turn_away(draft, side, bet, why or ordered, under if not why else ())
        else:
            standing.append(bet)
    # Sorting is stable: within one claim the order in which wagers were placed decides.
    if side.preference in CLOCKWISE:
        standing.sort(key=lambda bet: _steps_clockwise(boxes, area, bet.player))
    standing.sort(key=lambda bet: ((bet.box, bet.player) not in carried, bet.player not in mains))
    room = 1 if side.placed_by in CONTROLLER_ONLY else places_of(draft.state, side) or len(standing)
    if room == 1 < side.max_per_box:
        standing.sort(key=lambda bet: ((bet.box, bet.player) not in carried, bet.player != controller))
    for bet in standing[room:]:
        words = f"no more than {room} on a box, and others have a better claim"
        _turn_away(draft, side, bet, words, side.cite("preference", "refused", "placing", "placed_by"))
    return [
        SideBet(bet.box, bet.player, bet.wager, bet.amount, "carried", carried[bet.box, bet.player])
        if (bet.box, bet.player) in carried
        else SideBet(bet.box, bet.player, bet.wager, amount)
        for bet in sorted(standing[:room], key=bets.index)
        if (amount := _count_side(draft, side, bet)) > 0
    ]


def _count_side(draft: Draft, side: SideWager, bet: Bet) -> Money:
    """What counts of a side wager under the limits that the sign has for it."""
    state, limit = draft.state, draft.state.limits.of_side(side.id)
    if state.rules.under_minimum == "stands":
        return bet.amount
    if limit.minimum is not None and bet.amount < limit.minimum:
        if _goes_back(draft, bet.player):
            _turn_away(draft, side, bet, "under the minimum, after a warning", draft.cite("under_minimum"))
            return ZERO
        _warn(draft, bet.player)
    if limit.maximum is not None and bet.amount > limit.maximum:
        surplus = replace(bet, amount=bet.amount - limit.maximum)
        _turn_away(draft, side, surplus, "over the maximum of the wager", draft.cite("over_maximum"))
        return limit.maximum
    return bet.amount


def _steps_clockwise(boxes: list[Box], area: int, player: str) -> tuple[int, int]:
    """How far round the table from `area` the player's nearest main wager lies; nobody without one comes before."""
    own = [box.area for box in boxes if box.bettor(player) is not None]
    return min(((int(at < area), at) for at in own), default=(2, 0))


def _side_fault(
    side: SideWager, bet: Bet, mains: dict[str, Money], controller: str, box_in_play: bool, players: set[str]
) -> str:
    """Why a side wager cannot stand; nothing if it can."""
    own = bet.player in mains
    if side.placed_by == "table-has-main-wager":
        return ""
    if not box_in_play:
        return "there is no main wager on the box"
    if side.placed_by == "own-main-wager" and not own:
        return "the player has no main wager on the box"
    if side.placed_by == "box-has-main-wager" and not own and side.outsiders == "no":
        return "the player has no main wager on the box"
    if side.placed_by in CONTROLLER_ONLY:
        if not own:
            return "the player has no main wager on the box"
        if bet.player != controller and (side.placed_by == "controller" or controller in players):
            return "the controlling player alone may place it"
    if side.stake == "at-most-main-wager" and bet.amount > mains.get(bet.player, ZERO):
        return "it may not exceed the main wager"
    return ""


def _under_and_over_fault(draft: Draft, side: SideWager, bet: Bet, mains: dict[str, Money]) -> str:
    """Under 13 and Over 13 on one box, where a clause is read as allowing one of them, or both up to the main wager."""
    if bet.wager not in UNDER_AND_OVER:
        return ""
    both = [
        other
        for other in draft.state.bets
        if other.wager in UNDER_AND_OVER and (other.box, other.player) == (bet.box, bet.player)
    ]
    together = sum((other.amount for other in both), ZERO)
    return fault_of_under_and_over(side, bet is not both[0], together, mains.get(bet.player, ZERO))


def _turn_away(draft: Draft, side: SideWager, bet: Bet, why: str, under: tuple[str, ...] = ()) -> None:
    clauses = under or side.cite("refused", "placing", "placed_by")
    draft.emit(
        ev.WagerReturned(box=bet.box, player=bet.player, wager=bet.wager, amount=bet.amount, why=why, clauses=clauses)
    )
