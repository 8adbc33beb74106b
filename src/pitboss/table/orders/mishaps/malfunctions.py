"""Machines that fail: shuffling devices, jackpot buttons and meters; and wagers that players may take back."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.cards import CARD_ID
from pitboss.money import ZERO, Money, show
from pitboss.play.side_wagers.side_payments import pay_drawn_prize
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.roles import rule
from pitboss.table.orders.voids import undo, void_round, withdraw_from_box
from pitboss.table.round import sides
from pitboss.table.round.sides.side_bets import settle_side
from pitboss.table.shoe.devices import stop_device
from pitboss.table.state import Box, Fate, HandStatus, Meter, Phase, State

IN_ROUND = (Phase.OFFERS, Phase.TURNS)
FAILURES = ("spare", "none", "harm")


# ---------------------------------------------------------------------- shuffling devices


def device_failed(draft: Draft, command: od.DeviceFailed) -> None:
    """The device failed in mid-round: its cards go into another, or players choose, or the round ends."""
    state, rules = draft.state, draft.state.rules
    if command.outcome not in FAILURES:
        raise Refused(f"'{command.outcome}' is not a possible outcome: name one of {', '.join(FAILURES)}")
    if rules.device_failure != "spare-or-withdraw":
        words = "this book has no rule for a spare device: a round that cannot be finished is declared void"
        raise draft.refuse(words, "device_failure", "void")
    clauses = rule(draft, command, f"device-{command.outcome}")
    if rules.card_source != "device":
        raise Refused("no shuffling device is in use at this table", clauses)
    if state.phase not in IN_ROUND:
        raise Refused("no card of a round is dealt: change the device between rounds", clauses)
    for card in command.damaged:
        if card not in CARD_ID:
            raise Refused(f"'{card}' is not a card", clauses)
    if command.damaged:
        draft.emit(
            ev.CardsReplaced(cards=command.damaged, role=command.role, reason="damaged by the device", clauses=clauses)
        )
    if command.outcome == "harm":
        void_round(draft, command, clauses)
    elif command.outcome == "none":
        offer_withdrawal(draft, command)
        stop_device(draft, clauses)


def offer_withdrawal(draft: Draft, command: od.DeviceFailed) -> None:
    """Each player may take each wager back, if there is no other device."""
    if command.outcome == "none":
        clauses = draft.cite("device_failure")
        draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, withdrawal=True), clauses=clauses))


# ---------------------------------------------------------------------- the jackpot button


def stray_press(draft: Draft, command: od.StrayPress) -> None:
    """The button was pressed by somebody else: during an offer the player keeps the prize or presses again.

    At any other time the press is void. Either way nothing is paid until the entitled player's prize is stated.
    """
    side = sides.button_wager(draft.state.rules)
    clauses = rule(draft, command, "stray-press", box=command.box, player=command.player)
    _a_prize(side, command.amount, clauses)


def press_button(draft: Draft, command: od.PressButton) -> None:
    """Nobody of the box presses: the house does, and the prize is the player's."""
    rule(draft, command, "press", box=command.box, player=command.player)
    sides.draw_prize(draft, cmd.DrawPrize(box=command.box, player=command.player, amount=command.amount))


def _a_prize(side: SideWager, amount: Money, clauses: tuple[str, ...]) -> None:
    if all(amount != prize for _, prize in side.prizes):
        known = ", ".join(show(Money(prize)) for _, prize in side.prizes)
        raise Refused(f"the button cannot draw {show(amount)}: its prizes are {known}", clauses)


def panel_prize(draft: Draft, command: od.PanelPrize) -> None:
    """Display and control panel disagree: the panel's amount is the prize."""
    state = draft.state
    side = sides.button_wager(state.rules)
    clauses = rule(draft, command, "panel-prize", box=command.box, player=command.player)
    _a_prize(side, command.amount, clauses)
    paid = [
        settled
        for settled in state.settlements
        if (settled.box, settled.player, settled.wager) == (command.box, command.player, side.id)
        and settled.outcome in ("prize", "panel-prize")
    ]
    if not paid:
        raise Refused(f"no prize of {command.player} on box {command.box} was drawn", clauses)
    index = next(
        at
        for at, bet in enumerate(state.sides)
        if (bet.box, bet.player, bet.wager) == (command.box, command.player, side.id)
    )
    undo(draft, paid[-1], clauses)
    net = pay_drawn_prize(side, command.amount, paid[-1].stake)
    settle_side(draft, index, net, "panel-prize", clauses, interim=True)


def malfunction(draft: Draft, command: od.Malfunction) -> None:
    """The equipment of a side wager fails: unsettled winners get the book's sum, and the wager is offered no more."""
    state = draft.state
    side = _on_offer(state, command.wager)
    if side.device == "none":
        raise Refused(f"{side.name} needs no equipment that could fail", side.cite("introduced"))
    button = bool(side.prizes)
    clauses = rule(draft, command, "malfunction-button" if button else "malfunction")
    if button and state.prizes_due:
        sides.pay_fallback(draft, side, state.prizes_due, clauses)
        draft.emit(ev.PrizesDue(due=(), clauses=clauses))
    checked = tuple(wager for wager in state.floor.checked if wager != side.id)
    floor = replace(state.floor, withdrawn={**state.floor.withdrawn, side.id: clauses}, checked=checked)
    draft.emit(ru.FloorSet(floor=floor, clauses=clauses))


def _on_offer(state: State, wager: str) -> SideWager:
    side = state.rules.side_wager(wager)
    if side is None:
        raise Refused(f"{wager} is not on offer at this table")
    return side


def offer_again(draft: Draft, command: od.Repaired) -> None:
    """The wager is offered again."""
    floor = draft.state.floor
    if command.wager not in floor.withdrawn:
        raise Refused(f"{command.wager} was not withdrawn")
    clauses = rule(draft, command, "repaired", cites=floor.withdrawn[command.wager])
    left = {wager: under for wager, under in floor.withdrawn.items() if wager != command.wager}
    checked = tuple(dict.fromkeys((*floor.checked, command.wager)))
    draft.emit(ru.FloorSet(floor=replace(floor, withdrawn=left, checked=checked), clauses=clauses))


def rule_unregistered(draft: Draft, command: od.Unregistered) -> None:
    """Wagers of this kind were not entered before the deal: their players may take them back, cards seen or not.

    By the other reading, the choice ends when cards are seen, and nothing can be taken back any more.
    """
    state = draft.state
    side = _on_offer(state, command.wager)
    if not side.meters:
        raise Refused(f"{side.name} is not entered into a jackpot system", side.cite("introduced"))
    if state.phase is Phase.BETTING or all(bet.wager != side.id for bet in state.sides):
        raise Refused(f"no {side.name} wager is in play")
    clauses = rule(draft, command, "unregistered")
    if side.unregistered_retractable == "before-cards-seen":
        raise Refused(f"{side.name} wagers may not be taken back once cards are seen", clauses)
    retractable = tuple(dict.fromkeys((*state.trouble.retractable, side.id)))
    draft.emit(ru.TroubleSet(trouble=replace(state.trouble, retractable=retractable), clauses=clauses))


# ---------------------------------------------------------------------- taking a wager back


def retract(draft: Draft, command: od.Retract) -> None:
    """A player takes a wager back, where something that went wrong gives them the choice."""
    if command.by is not None and command.by != command.player:
        raise Refused(f"this is {command.player}'s own choice, not {command.by}'s")
    draft.emit(ru.WagerRetracted(box=command.box, player=command.player, wager=command.wager))
    if command.wager not in ("main", "insurance"):
        _retract_side(draft, command)
        return
    for number in _boxes_backed(draft.state, command):
        _retract_main(draft, replace(command, box=number))


def _boxes_backed(state: State, command: od.Retract) -> list[str]:
    """The box that is named, or those of the area on which the player has a wager."""
    area = [box.number for box in state.boxes if str(box.area) == command.box and box.bettor(command.player)]
    return area or [command.box]


def _retract_main(draft: Draft, command: od.Retract) -> None:
    state, trouble = draft.state, draft.state.trouble
    index = state.box_index(command.box)
    box = state.boxes[index] if index >= 0 else None
    if box is None or box.bettor(command.player) is None:
        raise draft.refuse(f"{command.player} has no main wager on box {command.box}", "no_further_wager", "bets_close")
    if _may_rebuild_deal(state) and command.wager == "main":
        _retract_before_rebuilding(draft, command)
    elif trouble.withdrawal:
        _withdraw(draft, box, command, draft.cite("device_failure"))
    elif _half_dealt(state, box) and command.wager == "main":
        _withdraw(draft, box, command, draft.cite("undealt_box"))
        _return_waiting_sides(draft, command)
    else:
        raise draft.refuse("a wager may not be taken back now", "no_further_wager", "bets_close")


def _return_waiting_sides(draft: Draft, command: od.Retract) -> None:
    """Side wagers that wait for a second card go back with the main wager, all of them if no card will come."""
    box = draft.state.boxes[draft.state.box_index(command.box)]
    over = all(hand.status is not HandStatus.OPEN for hand in box.hands)
    for index, bet in enumerate(draft.state.sides):
        if bet.state and bet.box == command.box and (over or bet.player == command.player):
            sides.return_wager(draft, index, "withdrawn", draft.cite("undealt_box"))


def _half_dealt(state: State, box: Box) -> bool:
    return (
        state.rules.undealt_box == "void-or-second-card"
        and len(box.hands) == 1
        and len(box.hands[0].cards) == 1
        and not state.trouble.halted
    )


def _may_rebuild_deal(state: State) -> bool:
    """The deal fell wrongly and may be rebuilt, with a choice for players first."""
    return state.trouble.halted and "reconstruct-deal" in state.rules.authority


def _retract_before_rebuilding(draft: Draft, command: od.Retract) -> None:
    """Players may take wagers back before a misdeal is rebuilt: the rebuilt deal passes them over."""
    clauses = draft.cite("reconstruct_until")
    key = (command.box, command.player, command.wager)
    if key in draft.state.trouble.retracted:
        raise Refused(f"{command.player} has already taken back the wager on box {command.box}", clauses)
    trouble = replace(draft.state.trouble, retracted=(*draft.state.trouble.retracted, key))
    draft.emit(ru.TroubleSet(trouble=trouble, clauses=clauses))


def _withdraw(draft: Draft, box: Box, command: od.Retract, clauses: tuple[str, ...]) -> None:
    if command.wager == "insurance":
        bettor = box.bettor(command.player)
        if bettor is None or bettor.insurance is None:
            raise Refused(f"{command.player} has no insurance on box {command.box}", clauses)
        draft.settle(box.number, 0, command.player, "insurance", bettor.insurance, ZERO, "withdrawn", clauses)
        return
    live = any(
        stake.player == command.player and stake.fate is not Fate.SETTLED for hand in box.hands for stake in hand.stakes
    )
    if not live:
        raise Refused(f"the wager of {command.player} on box {command.box} is settled", clauses)
    withdraw_from_box(draft, box.number, command.player, clauses)


def _retract_side(draft: Draft, command: od.Retract) -> None:
    state, trouble = draft.state, draft.state.trouble
    side = _on_offer(state, command.wager)
    for index, bet in enumerate(state.sides):
        if (bet.box, bet.player, bet.wager) != (command.box, command.player, command.wager):
            continue
        if command.wager in trouble.retractable:
            _retract_jackpot(draft, side, index)
        elif _may_rebuild_deal(state):
            _retract_before_rebuilding(draft, command)
        elif trouble.withdrawal and bet.state:
            sides.return_wager(draft, index, "withdrawn", draft.cite("device_failure"))
        else:
            raise draft.refuse("a wager may not be taken back now", "no_further_wager", "bets_close")
        return
    raise Refused(f"{command.player} has no {side.name} wager on box {command.box}")


def _retract_jackpot(draft: Draft, side: SideWager, index: int) -> None:
    """A jackpot wager that was not registered goes back whatever it has become; the meters lose its share."""
    bet = draft.state.sides[index]
    power = draft.state.rules.authority.get("offer-jackpot-retraction")
    clauses = power.clauses if power is not None else side.cite("introduced")
    own = [
        settled
        for settled in draft.state.settlements
        if (settled.box, settled.player, settled.wager) == (bet.box, bet.player, bet.wager)
    ]
    if any(settled.outcome == "retracted" for settled in own):
        raise Refused(f"{bet.player} has already taken the wager back", clauses)
    if any(settled.net > 0 for settled in own):
        raise Refused(f"the wager of {bet.player} has won: it is kept", clauses)
    for settled in own:
        undo(draft, settled, clauses)
    settle_side(draft, index, ZERO, "retracted", clauses)
    shrunk = {}
    for name in side.meters:
        meter = draft.state.meters.get(name)
        if meter is not None:
            shrunk[name] = Meter(meter.seed, meter.rate, max(meter.value - meter.rate * bet.amount, meter.seed))
    if shrunk:
        draft.emit(ev.MetersGrew(meters=shrunk, clauses=side.cite("meter", "pays")))
