"""What the book makes somebody see to: the sign, equipment and cards, large prizes, absent players, who is told.

Unless somebody orders otherwise these are taken to be done. Once they must be on record, the table takes no wager
without its sign, no jackpot wager before its equipment was checked, shuffles no new cards unchecked, begins no round
while a prize waits or somebody is to be told, and plays nobody's hand unless whoever may direct it has given a reason.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.table.authority import name_role
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.powers import set_floor
from pitboss.table.orders.roles import power_for, rule
from pitboss.table.round.actions import play_absent
from pitboss.table.round.held_money import list_prizes, list_prizes_of_round
from pitboss.table.round.standing_orders import absent_needs_order, needs_check
from pitboss.table.state import Phase


def require_record(draft: Draft, command: od.RequireRecord) -> None:
    """Duties must be on record from now on, or are taken to be done again."""
    clauses = rule(draft, command, "on-record")
    prizes, floor = list_prizes_of_round(draft.state), draft.state.floor
    if command.on and prizes and not floor.on_record and not floor.holds_prizes:
        confirmed = (*draft.state.trouble.confirmed, *prizes)  # they were taken to be, and are paid
        draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, confirmed=confirmed), clauses=clauses))
    holds = not command.on and bool(prizes) and (floor.on_record or floor.holds_prizes)
    set_floor(draft, clauses, on_record=command.on, holds_prizes=holds)


def display_sign(draft: Draft, command: od.DisplaySign) -> None:
    """The sign with the limits is put up, or is no longer there."""
    limits = draft.state.limits
    clauses = rule(draft, command, "sign", given=("sign",))
    if command.up and (limits.minimum is None or limits.maximum is None):
        raise Refused("the sign shows a minimum and a maximum: set the limits first", clauses)
    set_floor(draft, clauses, sign="up" if command.up else "down")


def check_equipment(draft: Draft, command: od.CheckEquipment) -> None:
    """Somebody has seen that the equipment of a side wager works."""
    state = draft.state
    side = state.rules.side_wager(command.wager)
    clauses = rule(draft, command, "check-equipment")
    if side is None or not needs_check(state, side):
        raise Refused(f"{command.wager} is not a wager of this table with equipment to check", clauses)
    if side.id in state.floor.withdrawn:
        raise Refused(f"{side.name} is out of order: say that it is repaired", clauses)
    set_floor(draft, clauses, checked=tuple(dict.fromkeys((*state.floor.checked, side.id))))


def confirm_prize(draft: Draft, command: od.ConfirmPrize) -> None:
    """A prize is what the table has worked out, and is paid."""
    state = draft.state
    named = [prize for prize in list_prizes(state) if (prize.box, prize.outcome) == (command.box, command.outcome)]
    if not named:
        waiting = ", ".join(f"{prize.outcome} on box {prize.box}" for prize in list_prizes(state)) or "none"
        powers = [power for power in state.rules.authority.values() if power.prizes]
        clauses = tuple(dict.fromkeys(clause for power in powers for clause in power.clauses))
        raise Refused(f"no {command.outcome} prize on box {command.box} waits to be confirmed: {waiting}", clauses)
    prize = named[0]
    clauses = rule(
        draft, command, "confirm-prize", box=prize.box, player=prize.player, given=("box",), powers=(prize.power,)
    )
    if prize in state.floor.prizes:
        at = state.floor.prizes.index(prize)
        set_floor(draft, clauses, prizes=state.floor.prizes[:at] + state.floor.prizes[at + 1 :])
    else:
        trouble = replace(state.trouble, confirmed=(*state.trouble.confirmed, prize))
        draft.emit(ru.TroubleSet(trouble=trouble, clauses=clauses))
    draft.emit(ru.PrizeConfirmed(prize=prize, clauses=clauses))


def direct_absent(draft: Draft, command: od.DirectAbsent) -> None:
    """The dealer plays the hand of somebody who does not act; the order or its clause says why."""
    power = power_for(draft.state.rules, "direct-absent", command.clause)
    if power is not None and "reason" in power.needs and not (command.reason or command.clause):
        raise Refused("a reason must be given: the player refuses or fails to act, or is away", power.clauses)
    rule(draft, command, "direct-absent", box=command.box)
    play_absent(draft, cmd.PlayAbsent(box=command.box))


def leave_to_dealer(draft: Draft, command: cmd.PlayAbsent) -> None:
    """Nobody acts for a box, and who directs the dealer is not said."""
    if (power := absent_needs_order(draft.state)) is not None:
        order = f"!{power.role} absent {command.box} because ..."
        raise Refused(f"{name_role(power.role)} or above directs this and says why: {order}", power.clauses)
    play_absent(draft, command)


# ---------------------------------------------------------------------- cards, dealers, and who was told


def call_bets(draft: Draft, command: od.CallBets) -> None:
    """Betting ends with the call or with the first card, as the book says; spoken wagers end with the call."""
    clauses = rule(draft, command, "no-more-bets", cites=draft.cite("bets_close"))
    if draft.state.phase is not Phase.BETTING or draft.state.trouble.called:
        raise Refused("the call was made already, or betting is closed", clauses)
    draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, called=True), clauses=clauses))


def check_cards(draft: Draft, command: od.CheckCards) -> None:
    """Somebody has seen, by hand or by a machine, that every deck holds the right cards."""
    clauses = rule(draft, command, "check-cards")
    if draft.state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise Refused("cards are checked before they are used, not during a round", clauses)
    set_floor(draft, clauses, cards_checked=True)


def change_dealer(draft: Draft, command: od.ChangeDealer) -> None:
    """Somebody else deals."""
    state = draft.state
    clauses = rule(draft, command, "dealer", cites=draft.cite("dealer_change"))
    if draft.cite("dealer_change") and state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise draft.refuse("a new dealer cannot take over in the middle of a round", "dealer_change")
    if command.name == state.floor.dealer:
        raise Refused(f"{command.name} is already dealing", clauses)
    set_floor(draft, clauses, dealer=command.name)


def tell_bodies(draft: Draft, command: od.TellBodies) -> None:
    """Those who had to be told of a ruling have been told."""
    floor = draft.state.floor
    known = {item.body: item.clauses for item in floor.to_tell}
    for body in command.bodies:
        if body not in known:
            waiting = ", ".join(known) or "nobody"
            raise Refused(f"{body} is not waiting to be told of anything: {waiting}", draft.cite("foreign_card"))
    cites = tuple(dict.fromkeys(clause for body in command.bodies for clause in known[body]))
    clauses = rule(draft, command, "tell", cites=cites)
    left = tuple(item for item in floor.to_tell if item.body not in command.bodies)
    set_floor(draft, clauses, to_tell=left)
