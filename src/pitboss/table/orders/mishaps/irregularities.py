"""Cards that went astray and steps that were left out: what each book makes of them.

Where a book is silent on an irregularity, the order is refused and says so; what remains is to rebuild the round or to
declare it void.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.play.drawing import must_draw
from pitboss.play.insurance import insurance_offered
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.roles import rule
from pitboss.table.orders.voids import void_for_foreign_card
from pitboss.table.round.turns import acting, advance, can_switch
from pitboss.table.shoe.devices import require_card, require_cards
from pitboss.table.state import HandStatus, Phase

IN_ROUND = (Phase.OFFERS, Phase.TURNS)


def _require_rule(draft: Draft, said: str, what: str) -> None:
    """Refuse an order on an irregularity of which the book says nothing."""
    if said == "not-stated":
        raise draft.refuse(f"this book has no rule for {what}: rebuild the round, or declare it void", "void")


# ---------------------------------------------------------------------- single cards


def burn_faced(draft: Draft, command: od.BurnFaced) -> None:
    """The next card lies face up in the shoe: it is burnt and play goes on."""
    clauses = rule(draft, command, "burn-faced")
    if draft.state.phase is Phase.SETTLED:
        raise Refused("no card is drawn now: it will show when the next round is dealt", clauses)
    require_card(draft)
    shoe = draft.state.shoe
    if draft.state.trouble.stray:
        raise Refused("a card dealt in error is out of the shoe and comes first", clauses)
    if command.card != 1:
        _burn_in_deal(draft, command.card, clauses)
        return
    draft.emit(ev.CardsBurnt(cards=shoe.undealt[:1], shown=1, clauses=clauses))


def _burn_in_deal(draft: Draft, card: int, clauses: tuple[str, ...]) -> None:
    """A card further on is found face up in the course of the initial deal."""
    state = draft.state
    if state.phase is not Phase.BETTING or not 1 < card <= state.shoe.left:
        raise Refused("the number of a card is given before the deal in which it comes", clauses)
    faced = tuple(sorted({*state.trouble.faced, card}))
    draft.emit(ru.TroubleSet(trouble=replace(state.trouble, faced=faced, faced_clauses=clauses), clauses=clauses))


def stray(draft: Draft, command: od.Stray) -> None:
    """A card dealt in error is the next card, and everybody has seen it."""
    state = draft.state
    _require_rule(draft, state.rules.stray_card, "a card dealt in error")
    clauses = rule(draft, command, "stray")
    if state.phase not in IN_ROUND or state.trouble.halted:
        raise Refused("a card can be dealt in error only while a round is in play", clauses)
    if state.trouble.stray:
        raise Refused("a card dealt in error is out already: it comes first", clauses)
    if command.burnt:
        _take_back(draft, clauses)
    require_card(draft)
    draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, stray=True), clauses=clauses))


def _take_back(draft: Draft, clauses: tuple[str, ...]) -> None:
    """The last burnt card comes back, where the book does not let a burnt card stay burnt."""
    shoe, rules = draft.state.shoe, draft.state.rules
    if "use-stray-card" not in rules.authority:
        raise Refused("a burnt card stays burnt", rules.clauses("burn_shoe", "stray_card"))
    if not shoe.burnt or not shoe.position or shoe.cards[shoe.position - 1] != shoe.burnt[-1]:
        raise Refused("no card was burnt just now", clauses)
    draft.emit(ru.CardTakenBack(card=shoe.burnt[-1], clauses=clauses))


def refuse_card(draft: Draft, command: od.RefuseCard) -> None:
    """The hand that acts refuses a card dealt in error: it takes no more cards in this round."""
    state, rules = draft.state, draft.state.rules
    if not state.trouble.stray:
        raise draft.refuse("no card dealt in error is offered", "stray_card")
    if rules.stray_card == "next-card":
        raise draft.refuse("a card drawn in excess counts as unseen: it is the next card", "stray_card")
    b, h = acting(draft, command.box, command.by, "refuse")
    hand = draft.state.boxes[b].hands[h]
    forced = must_draw(state.packed, hand.hard, hand.aces)
    if forced and rules.stray_card == "next-card-refusable-unless-forced":
        raise draft.refuse(f"a hand of {hand.points} must draw and cannot refuse", "stray_card", "forced_draw")
    box = draft.state.boxes[b]
    if rules.switch and can_switch(draft.state, box.area):
        draft.emit(ev.SwitchDeclined(area=box.area, clauses=draft.cite("switch")))
    _refuse_cards(draft, box.number, h)
    if rules.stray_refused_by == "player":
        _refuse_for_player(draft, box.controller)
    advance(draft)


def _refuse_cards(draft: Draft, number: str, h: int) -> None:
    """A hand takes no more cards."""
    clauses = draft.cite("stray_card")
    draft.emit(ev.HandEnded(box=number, hand=h + 1, status=HandStatus.STOOD, matters=("stray_card",), clauses=clauses))


def _refuse_for_player(draft: Draft, player: str) -> None:
    """The player's other hands take no more cards either: the dealer deals them what the book makes them draw."""
    state, clauses = draft.state, draft.cite("stray_card")
    unless_forced = state.rules.stray_card == "next-card-refusable-unless-forced"
    for box in state.boxes:
        waiting = [h for h, hand in enumerate(box.hands) if hand.status is HandStatus.OPEN]
        if box.controller != player or not waiting:
            continue
        if unless_forced:
            draft.emit(ev.LeftToDealer(box=box.number, clauses=clauses))
            continue
        for h in waiting:
            if len(box.hands[h].cards) > 1:
                _refuse_cards(draft, box.number, h)


def burn_stray(draft: Draft) -> None:
    """A card dealt in error that nobody took, and that the dealer did not need, is an exposed surplus card."""
    if draft.state.trouble.stray:
        clauses = draft.cite("dealer_surplus_card") or draft.cite("stray_card")
        draft.emit(ev.CardsBurnt(cards=draft.state.shoe.undealt[:1], shown=1, clauses=clauses))


def surplus(draft: Draft, command: od.Surplus) -> None:
    """A card too many on the dealer's finished hand: burnt if it was seen, else it opens the next round."""
    state = draft.state
    _require_rule(draft, state.rules.dealer_surplus_card, "a surplus card on the dealer's hand")
    if state.phase is not Phase.SETTLED:
        raise draft.refuse("the dealer's hand is not finished: a card dealt in error is stray", "stray_card")
    clauses = rule(draft, command, "surplus" if command.exposed else "surplus-unexposed")
    require_card(draft)
    if command.exposed:
        draft.emit(ev.CardsBurnt(cards=state.shoe.undealt[:1], shown=1, clauses=clauses))
    else:
        draft.emit(ru.CardHeldOver(clauses=clauses))


def no_wager_round(draft: Draft, command: od.NoWagerRound) -> None:
    """Cards were dealt although no wager is placed: the round is void and the cards are burnt."""
    state = draft.state
    _require_rule(draft, state.rules.no_wager_round, "a round without wagers")
    if state.phase is not Phase.BETTING or any(bet.wager == "main" for bet in state.bets):
        raise draft.refuse("a main wager is placed: this is not a round without wagers", "no_wager_round")
    clauses = rule(draft, command, "no-wager")
    require_cards(draft, command.cards)
    cards = state.shoe.undealt[: command.cards]
    if command.cards < 1 or len(cards) < command.cards:
        raise Refused(f"{command.cards} cards cannot have been dealt: the shoe has {state.shoe.left}", clauses)
    draft.emit(ev.RoundVoided(role=command.role, reason=command.reason, clauses=clauses))
    draft.emit(ev.CardsBurnt(cards=cards, shown=len(cards), clauses=clauses))
    draft.emit(ru.TroubleSet(trouble=replace(state.trouble, void_under=clauses)))
    draft.emit(ev.RoundEnded())


# ---------------------------------------------------------------------- the pack


def check_device(draft: Draft, command: od.CheckDevice) -> None:
    """After the round the cards of the device are taken out and looked through."""
    state = draft.state
    clauses = rule(draft, command, "check-device")
    if state.rules.card_source != "device":
        raise Refused("no shuffling device is in use", clauses)
    if state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise Refused("the device is emptied after the round", clauses)
    draft.emit(ev.ShuffleDue(why="checked", role=command.role, reason=command.reason, clauses=clauses))


def foreign_card(draft: Draft, command: od.ForeignCard) -> None:
    """A card is missing or foreign: this round is void, rounds before it stand, the shoe goes where the book says."""
    state = draft.state
    value = state.rules.foreign_card
    _require_rule(draft, value, "a missing or foreign card")
    if value == "void-round" and command.missing:
        raise draft.refuse("the book speaks of a foreign card, not of a missing one", "foreign_card")
    clauses = rule(draft, command, "foreign-card")
    if state.phase is Phase.SETTLED:
        raise Refused("the round is over and stands: say so once it is cleared", clauses)
    if state.phase not in (*IN_ROUND, Phase.SETTLING) and value == "void-round":
        raise Refused("no round is being played, and earlier rounds stand", clauses)
    void_for_foreign_card(draft, command, clauses)


# ---------------------------------------------------------------------- steps left out


def rule_missed_burn(draft: Draft, command: od.MissedBurn) -> None:
    """The burn was forgotten: the card stays in play, and what was played stands."""
    _require_rule(draft, draft.state.rules.missed_burn, "a burn that was forgotten")
    rule(draft, command, "missed-burn", cites=draft.cite("missed_burn"))


def rule_missed_cut(draft: Draft, command: od.MissedCut) -> None:
    """The cut was forgotten: the round is finished, then the cards are shuffled and cut."""
    _require_rule(draft, draft.state.rules.missed_cut, "a cut that was forgotten")
    clauses = rule(draft, command, "missed-cut")
    draft.emit(ev.ShuffleDue(why="missed-cut", role=command.role, reason=command.reason, clauses=clauses))


def rule_missed_shuffle(draft: Draft, command: od.MissedShuffle) -> None:
    """The shuffle was forgotten: the round is finished, then the cards are shuffled."""
    _require_rule(draft, draft.state.rules.missed_shuffle, "a shuffle that was forgotten")
    clauses = rule(draft, command, "missed-shuffle")
    draft.emit(ev.ShuffleDue(why="missed-shuffle", role=command.role, reason=command.reason, clauses=clauses))


def late_insurance(draft: Draft, command: od.LateInsurance) -> None:
    """Insurance was not offered: it may still be placed as long as the book lets it."""
    state, rules = draft.state, draft.state.rules
    if rules.insurance_late_until == "never":
        raise Refused("this book has no rule for a late offer of insurance", rules.clauses("insurance_window"))
    named = command.players or ("*",)
    if rules.insurance_late_until == "own-third-card" and not command.players:
        raise draft.refuse("name the players who may insure late", "insurance_late_until")
    for player in command.players:
        if all(box.bettor(player) is None for box in state.boxes):
            raise draft.refuse(f"{player} has no main wager in this round", "insurance_late_until")
    clauses = rule(draft, command, "late-insurance", player=command.players[0] if command.players else "")
    if not insurance_offered(state.packed, state.up_rank):
        raise Refused("insurance is not offered against this card", clauses)
    if state.phase is Phase.OFFERS:
        raise Refused("insurance is open", clauses)
    if state.phase is not Phase.TURNS or len(state.dealer) > 1:
        raise Refused("the dealer has taken a second card: it is too late", clauses)
    players = tuple(dict.fromkeys((*state.trouble.late_insurance, *named)))
    draft.emit(ru.TroubleSet(trouble=replace(state.trouble, late_insurance=players), clauses=clauses))
