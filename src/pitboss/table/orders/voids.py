"""Void rounds, boxes and wagers: what goes back, what stands, and what is forfeit for fraud.

A void undoes what was settled unless the book lets it stand: interim settlements in one, side wagers acted on in
another, nothing in a third. Which of them holds can hang on the clause under which the void is declared.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pitboss.money import ZERO, Money
from pitboss.rulebooks.model.rules import Authority
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.mishaps.misdeals import is_past_deal, settle_sides_as_fell
from pitboss.table.orders.roles import (
    FOREIGN_CARD,
    INVALIDATES,
    VOID_BOX,
    VOID_PERSON,
    VOID_PLAYER,
    VOID_ROUND,
    power_for,
    rule,
)
from pitboss.table.round import sides
from pitboss.table.round.finish import BONUS_OF_OTHERS, find_super_bonus
from pitboss.table.round.held_money import UNDONE
from pitboss.table.round.turns import next_in_line
from pitboss.table.state import Bet, Box, Carried, Fate, HandStatus, Phase, Settlement, State

Clauses = tuple[str, ...]


def void(draft: Draft, command: cmd.Void) -> None:
    """Declare the round, one box or one player's wagers void: stakes go back, except what the book lets stand."""
    state, cites = draft.state, _cite_asked(draft, command)
    if state.phase is Phase.BETTING:
        raise Refused("no card of this round is dealt: there is nothing to declare void", cites)
    if state.void:
        raise Refused("the round is already void", cites)
    if _is_part_of_round(command) and any(not box.hands for box in state.boxes):
        words = "the initial deal is not complete: declare the whole round void, or wait until its cards are dealt"
        raise Refused(words, cites)
    if command.player is not None and command.box is not None:
        _void_wagers(draft, command, command.player)
    elif command.player is not None:
        _void_player(draft, command, command.player)
    elif command.box is not None:
        for number in _boxes_of(state, command.box):
            _void_one_box(draft, command, number)
    else:
        only = _only_player(state)
        powers = (*VOID_ROUND, *VOID_PLAYER) if only else VOID_ROUND
        power = power_for(state.rules, "void", command.clause, powers)
        offender = only if power is not None and power.id not in VOID_ROUND else ""
        clauses = rule(draft, command, "void", player=offender, powers=powers)
        _ground(draft, power, None)
        if power is not None and power.id in FOREIGN_CARD:
            void_for_foreign_card(draft, command, clauses)
        elif power is not None and power.id in INVALIDATES:
            void_round(draft, command, _cite_void(state, command, clauses), invalid=True)
        else:
            void_round(draft, command, _cite_void(state, command, clauses), keeps=_lets_stand(state, power))


def _is_part_of_round(command: cmd.Void) -> bool:
    """One box, one player or one wager is to be void, and not the round."""
    return command.box is not None or command.player is not None


def _cite_asked(draft: Draft, command: cmd.Void) -> Clauses:
    """The clause that is named, or all that the book says of void rounds."""
    return (command.clause,) if command.clause else draft.cite("void")


def _only_player(state: State) -> str:
    """The player whose wagers are all the wagers of the round: to void them is to void the round."""
    players = {bettor.player for box in state.boxes for bettor in box.bettors} | {bet.player for bet in state.sides}
    return players.pop() if len(players) == 1 else ""


def _ground(draft: Draft, power: Authority | None, box: Box | None) -> None:
    """Some powers are for one case only."""
    if power is None:
        return
    if power.id == "void-undealt-wager" and (box is None or box.hands[0].cards):
        raise Refused("this voids a wager whose box has no cards", power.clauses)
    if power.id in FOREIGN_CARD and draft.state.phase is Phase.SETTLED:
        raise Refused(
            "the round is over and stands: a foreign card makes void the round in which it is found", power.clauses
        )
    allowed = draft.state.rules.abnormal_sequence == "void-then-shuffle"
    if power.id == "order-shuffle-abnormal" and not allowed:
        raise Refused("an abnormal sequence is a reason to shuffle, not to declare a round void", power.clauses)
    if is_too_late_for_void(draft.state, power):
        raise Refused("a misdeal makes a round void only before an interim settlement or a further card", power.clauses)


def is_too_late_for_void(state: State, power: Authority) -> bool:
    """The power is for misdeals, and the book gives no more time to void one than to rebuild it."""
    for_misdeals = bool(set(power.clauses) & set(state.rules.clauses("reconstruct_until")))
    return for_misdeals and is_past_deal(state)


def void_for_foreign_card(draft: Draft, command: cmd.Order, clauses: Clauses) -> None:
    """The round is void, with what the book says of interim settlements in this case, and the shoe with it."""
    rules = draft.state.rules
    if draft.state.phase not in (Phase.BETTING, Phase.DEALING):
        stands = bool(set(rules.clauses("foreign_card")) & set(rules.clauses("void_keeps")))
        void_round(draft, command, clauses, keeps=stands)
    if rules.foreign_card == "void-round-and-shoe":
        power = power_for(rules, "foreign-card", command.clause)
        why = "replaced" if power is not None and power.id == "void-wrong-cards" else "checked"
        draft.emit(ev.ShuffleDue(why=why, role=command.role, reason=command.reason, clauses=clauses))


def _lets_stand(state: State, power: Authority | None) -> bool:
    """Interim settlements stand under this power: under any or, in one reading, under those whose clause says so."""
    if state.rules.void_keeps != "interim-settlements-by-clause":
        return True
    return power is not None and bool(set(power.clauses) & set(state.rules.clauses("void_keeps")))


def _cite_void(state: State, command: cmd.Order, clauses: Clauses) -> Clauses:
    """What a void cites: its clause, or all that the book says of void rounds."""
    if command.clause is not None:
        return (command.clause,)
    return tuple(dict.fromkeys((*clauses, *state.rules.clauses("void", "void_keeps"))))


def void_round(
    draft: Draft, command: cmd.Order, clauses: Clauses, *, keeps: bool = True, invalid: bool = False
) -> None:  # fmt: skip
    """The round has no result. With `keeps` false nothing stands but what a side wager's own clause lets stand.

    Of an `invalid` round nothing stands at all.
    """
    state = draft.state
    settle_sides_as_fell(draft, acted_on=True)
    draft.emit(ev.RoundVoided(role=command.role, reason=command.reason, clauses=clauses))
    draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, halted=False, stray=False, void_under=clauses)))
    _carry_on(draft, state.boxes, clauses)
    for box in state.boxes:
        void_box(draft, box, clauses, keeps=keeps, invalid=invalid)
    for index, bet in enumerate(draft.state.sides):
        if bet.state:
            sides.return_wager(draft, index, "void", clauses)
    draft.emit(ev.RoundEnded())


def _boxes_of(state: State, named: str) -> tuple[str, ...]:
    """The box that is named, or the boxes of the playing area that is."""
    area = tuple(box.number for box in state.boxes if str(box.area) == named and not box.void)
    return area or (named,)


def _void_one_box(draft: Draft, command: cmd.Void, number: str) -> None:
    state = draft.state
    index = state.box_index(number)
    if index < 0:
        raise Refused(f"box {number} is not in play", _cite_asked(draft, command))
    box = state.boxes[index]
    if box.void:
        _confirm_undealt(draft, command, box)
        return
    powers = tuple(name for name in VOID_BOX if name != "void-undealt-wager" or not box.hands[0].cards)
    power = power_for(state.rules, "void-box", command.clause, (*VOID_BOX, *VOID_ROUND) if command.clause else powers)
    if power is None or power.id not in VOID_BOX:
        whole = power or power_for(state.rules, "void", None)
        raise Refused("a round is declared void as a whole, not a box of it", whole.clauses if whole else ())
    clauses = rule(draft, command, "void-box", box=number, player=box.controller, powers=(power.id,))
    _ground(draft, power, box)
    if power.id in VOID_PERSON:
        _take_out(draft, box.controller, power.clauses, box=number)
        return
    clauses = _cite_void(state, command, clauses)
    draft.emit(ev.BoxVoided(box=number, role=command.role, reason=command.reason, clauses=clauses))
    _carry_on(draft, (box,), clauses)
    void_box(draft, box, clauses, keeps=power.id != "void-for-fraud" and _lets_stand(state, power))
    after_box_left(draft, number)


def _confirm_undealt(draft: Draft, command: cmd.Void, box: Box) -> None:
    """A box without cards is out as soon as its turn comes: who declares it void then says what is so."""
    power = power_for(draft.state.rules, "void-box", command.clause, VOID_BOX) if command.clause else None
    if box.hands[0].cards or power is None or power.id != "void-undealt-wager" or draft.state.phase is Phase.SETTLED:
        raise Refused(f"box {box.number} is already void", _cite_asked(draft, command))
    rule(draft, command, "void-box", box=box.number, player=box.controller, powers=(power.id,))


def after_box_left(draft: Draft, number: str) -> None:
    """Play passes on if it was the turn of a box that is out of the round."""
    state = draft.state
    if state.turn is not None and state.boxes[state.turn[0]].number == number:
        draft.emit(ev.PhaseBegan(phase=state.phase))


def _carry_on(draft: Draft, boxes: tuple[Box, ...], clauses: Clauses) -> None:
    """In one reading a wager that was carried into the void round stays active."""
    staying = {side.id for side in draft.state.rules.side_wagers if side.carried_into_void == "carried-on"}
    for bet in draft.state.sides:
        if bet.wager in staying and bet.state.startswith("carried") and any(bet.box == box.number for box in boxes):
            carried = Carried(bet.box, bet.player, bet.wager, bet.amount, bet.paid)
            draft.emit(ev.WagerCarried(carried=carried, clauses=clauses))


# ---------------------------------------------------------------------- wagers that are not in play yet


def turn_away(draft: Draft, bet: Bet, clauses: tuple[str, ...]) -> None:
    """A wager on the layout goes back before it is in play."""
    event = ru.BetTurnedAway(box=bet.box, player=bet.player, wager=bet.wager, amount=bet.amount, clauses=clauses)
    draft.emit(event)


# ---------------------------------------------------------------------- one box


def void_box(draft: Draft, box: Box, clauses: Clauses, *, keeps: bool = True, invalid: bool = False) -> None:
    """Everything on a box goes back that does not stand; nothing does if the round is `invalid`."""
    area = str(box.area)
    for settled in list_standing(draft.state):
        if settled.box in (box.number, area) and (invalid or not _stands(draft.state, settled, keeps)):
            undo(draft, settled, clauses)
    sides.refill_meters(draft)
    for bettor in box.bettors:
        return_stakes(draft, box.number, bettor.player, clauses)
    for h, hand in enumerate(box.hands):
        if hand.status is HandStatus.OPEN:
            draft.emit(
                ev.HandEnded(box=box.number, hand=h + 1, status=HandStatus.OUT, matters=("void",), clauses=clauses)
            )
    for index, bet in enumerate(draft.state.sides):
        if bet.state and bet.box in (box.number, area):
            sides.return_wager(draft, index, "void", clauses)
    _no_bonus(draft, clauses)
    _no_prize(draft, lambda place, player: place == box.number)


def return_stakes(draft: Draft, number: str, player: str, clauses: Clauses) -> None:
    """What one player has on a box and is not decided goes back, insurance with it."""
    box = draft.state.boxes[draft.state.box_index(number)]
    bettor = box.bettor(player)
    if bettor is not None and bettor.insurance is not None:
        draft.settle(number, 0, player, "insurance", bettor.insurance, ZERO, "void", clauses)
    for h, hand in enumerate(box.hands):
        for stake in hand.stakes:
            if stake.player == player and stake.fate is not Fate.SETTLED:
                draft.settle(number, h + 1, player, "main", stake.money, ZERO, "void", clauses)


def undo(draft: Draft, settled: Settlement, clauses: Clauses) -> None:
    """A settlement is taken back."""
    if settled.net:
        undone = replace(settled, net=-settled.net, outcome="void", clauses=clauses, interim=False)
        draft.emit(ev.WagerSettled(settlement=undone, clauses=clauses))


def list_standing(state: State) -> list[Settlement]:
    """The settlements that nothing has taken back since, no ruling on their wager and no other prize in their place."""
    standing: list[Settlement] = []
    for settled in state.settlements:
        undone = settled.outcome in UNDONE and settled.net
        place = next((at for at in range(len(standing)) if undone and _takes_back(settled, standing[at])), None)
        if place is None:
            standing.append(settled)
        else:
            del standing[place]
    return standing


def _takes_back(settled: Settlement, before: Settlement) -> bool:
    """What is settled is what was settled before, the other way round."""
    return replace(before, net=-before.net, outcome=settled.outcome, clauses=settled.clauses, interim=False) == settled


def _no_bonus(draft: Draft, clauses: Clauses) -> None:
    """A Super Bonus that nobody has won pays nothing to the wagers on other boxes."""
    if find_super_bonus(draft.state):
        return
    for settled in list_standing(draft.state):
        if settled.outcome == BONUS_OF_OTHERS:
            undo(draft, settled, clauses)


def _no_prize(draft: Draft, is_gone: Callable[[str, str], bool]) -> None:
    """The button draws nothing for wagers that are void."""
    due = tuple(item for item in draft.state.prizes_due if not is_gone(*item))
    if due != draft.state.prizes_due:
        draft.emit(ev.PrizesDue(due=due))


def _stands(state: State, settled: Settlement, keeps: bool) -> bool:
    """What a void leaves alone."""
    side = state.rules.side_wager(settled.wager)
    if side is None:
        return keeps and settled.interim and state.rules.void_keeps.startswith("interim-settlements")
    if side.on_void == "returned" or not (keeps or "void" in side.clauses):
        return False
    if side.on_void == "paid-stands":
        return settled.net > 0
    return settled.interim


# ---------------------------------------------------------------------- one player


def _void_player(draft: Draft, command: cmd.Void, player: str) -> None:
    """All wagers of somebody who broke the rules are void, those that were settled too."""
    if all(bet.player != player for bet in draft.state.bets):
        raise Refused(f"{player} has no wager in this round", _cite_asked(draft, command))
    rule(draft, command, "void-player", player=player)
    _take_out(draft, player, _cite_asked(draft, command))


def _void_wagers(draft: Draft, command: cmd.Void, player: str) -> None:
    """One player's wagers on one box are void, or a single one of them."""
    power = power_for(draft.state.rules, "void-wager", command.clause)
    rule(draft, command, "void-wager", box=command.box or "", player=player)
    if not _has_wager(draft.state, command.box or "", player, command.wager):
        what = f"{command.wager} wager" if command.wager else "wager"
        raise Refused(f"{player} has no {what} on box {command.box}", power.clauses if power is not None else ())
    _take_out(draft, player, _cite_asked(draft, command), box=command.box, wager=command.wager)


def _has_wager(state: State, named: str, player: str, wager: str | None) -> bool:
    """The player has placed such a wager on the box in this round; insurance was placed after the deal."""
    if wager == "insurance":
        insured = any(_lies_on(box.number, named) and _insurance_of(box, player) is not None for box in state.boxes)
        return insured or any(
            _lies_on(settled.box, named) and (settled.player, settled.wager) == (player, wager)
            for settled in state.settlements
        )
    return any(bet.player == player and _lies_on(bet.box, named) and wager in (None, bet.wager) for bet in state.bets)


def _insurance_of(box: Box, player: str) -> Money | None:
    bettor = box.bettor(player)
    return bettor.insurance if bettor is not None else None


def _lies_on(place: str, named: str) -> bool:
    """A wager that was placed on an area lies on each box of it."""
    return place == named or place.rstrip("ab") == named or place == named.rstrip("ab")


def _take_out(
    draft: Draft, player: str, clauses: Clauses, *, box: str | None = None, wager: str | None = None
) -> None:  # fmt: skip
    """A player's wagers go back whatever has become of them: all, those on one box, or a single one.

    In one reading side wagers stay valid unless they are named.
    """
    spared = wager is None and draft.state.rules.breach_voids == "main-wagers"

    def is_gone(place: str, kind: str) -> bool:
        main = "main" if kind == "insurance" and wager != "insurance" else kind
        if spared and kind not in ("main", "insurance"):
            return False
        return (box is None or _lies_on(place, box)) and wager in (None, main)

    if _is_void_already(draft.state, player, is_gone):
        raise Refused(f"what {player} has staked is already void", clauses)
    for settled in list_standing(draft.state):
        if settled.player == player and is_gone(settled.box, settled.wager):
            undo(draft, settled, clauses)
    sides.refill_meters(draft)
    for other in draft.state.boxes:
        if other.bettor(player) is not None and is_gone(other.number, "main"):
            withdraw_from_box(draft, other.number, player, clauses)
        elif (insured := _insurance_of(other, player)) is not None and is_gone(other.number, "insurance"):
            draft.settle(other.number, 0, player, "insurance", insured, ZERO, "void", clauses)
    for index, bet in enumerate(draft.state.sides):
        if bet.state and bet.player == player and is_gone(bet.box, bet.wager):
            sides.return_wager(draft, index, "void", clauses)
    _no_bonus(draft, clauses)
    _no_prize(draft, lambda place, name: name == player and is_gone(place, sides.button_wager(draft.state.rules).id))


def _is_void_already(state: State, player: str, is_gone: Callable[[str, str], bool]) -> bool:
    """Every wager of the player that would go back has gone back, and nothing was settled on it since."""
    last = {(settled.box, settled.wager): settled for settled in state.settlements if settled.player == player}
    staked = [bet for bet in state.bets if bet.player == player and is_gone(bet.box, bet.wager)]
    return bool(staked) and all(
        any(
            settled.outcome in UNDONE and wager == bet.wager and _lies_on(box, bet.box)
            for (box, wager), settled in last.items()
        )
        for bet in staked
    )


def withdraw_from_box(draft: Draft, number: str, player: str, clauses: Clauses) -> None:
    """One player's wagers leave a box: a hand on which nobody has anything is out, and another takes control."""
    return_stakes(draft, number, player, clauses)
    box = draft.state.boxes[draft.state.box_index(number)]
    _pass_control(draft, box.area, player)
    if box.void or not any(hand.status is HandStatus.OPEN for hand in box.hands):
        return
    for h, hand in enumerate(box.hands):
        if hand.status is HandStatus.OPEN and all(stake.fate is Fate.SETTLED for stake in hand.stakes):
            draft.emit(ev.HandEnded(box=number, hand=h + 1, status=HandStatus.OUT, matters=("void",), clauses=clauses))
    if not box.staked:
        after_box_left(draft, number)
        return
    turn = draft.state.turn
    if turn is not None and draft.state.boxes[turn[0]].hands[turn[1]].status is HandStatus.OUT:
        draft.emit(ev.PhaseBegan(phase=draft.state.phase))


def _pass_control(draft: Draft, area: int, player: str) -> None:
    """Who has nothing in the area any more calls its decisions no longer: the next of those who have does."""
    boxes = [box for box in draft.state.boxes if box.area == area]
    if any(player in box.staked for box in boxes):
        return
    for box in boxes:
        next_one = next_in_line(draft.state, box, player)
        if box.controller == player and next_one and any(hand.status is HandStatus.OPEN for hand in box.hands):
            clauses = draft.cite("controlling_player")
            draft.emit(ev.ControlPassed(box=box.number, controller=next_one, left=False, clauses=clauses))


def forfeit_wagers(draft: Draft, command: od.ForfeitWagers) -> None:
    """The wagers of somebody whose fraud made the round void are lost instead of going back."""
    state = draft.state
    rule(draft, command, "forfeit-wagers", player=command.player)
    power = state.rules.authority["forfeit-for-fraud"]
    if not state.void or not set(state.trouble.void_under) & set(power.clauses):
        raise Refused("wagers are forfeit when the round was invalidated for fraud: declare that first", power.clauses)
    if any(settled.player == command.player and settled.outcome == "forfeited" for settled in state.settlements):
        raise Refused(f"the wagers of {command.player} are already forfeit", power.clauses)
    staked = _list_stakes(state, command.player)
    if not staked:
        raise Refused(f"{command.player} has no wager that went back", power.clauses)
    for (box, hand, wager), stake in staked.items():
        lost = Settlement(box, hand, command.player, wager, stake, -stake, "forfeited", power.clauses)
        draft.emit(ev.WagerSettled(settlement=lost, clauses=power.clauses))


def _list_stakes(state: State, player: str) -> dict[tuple[str, int, str], Money]:
    """What a player had on each hand and side wager of a round that is void, whatever had become of it before."""
    found: dict[tuple[str, int, str], Money] = {}
    for settled in state.settlements:
        if settled.player == player and settled.stake:
            found[settled.box, settled.hand, settled.wager] = settled.stake
    return found


# ---------------------------------------------------------------------- boxes without cards


def void_if_undealt(draft: Draft, at: tuple[int, int] | None) -> bool:
    """A box with a wager and without cards is out of the round when its turn comes; False if the hand has cards."""
    if at is None or draft.state.boxes[at[0]].hands[at[1]].cards:
        return False
    box = draft.state.boxes[at[0]]
    clauses = draft.cite("undealt_box")
    draft.emit(ev.BoxVoided(box=box.number, reason="no card was dealt to it", clauses=clauses))
    void_box(draft, box, clauses)
    return True
