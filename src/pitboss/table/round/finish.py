"""The end of a round: the dealer's hand as far as it is needed, the final settlement, clearing."""

from __future__ import annotations

from pitboss.cards import RANK
from pitboss.money import ZERO, Money
from pitboss.play.dealer import (
    NO_CARD,
    ONE_CARD,
    bust_needs,
    completes_for_side_wagers,
    dealer_draws,
    dealer_looks,
    dealer_need,
    hand_needs,
    natural_needs,
    surrender_needs,
)
from pitboss.play.hands import total
from pitboss.play.naturals import makes_natural, may_become_natural
from pitboss.play.settlement import busted_double_returns, outcome
from pitboss.table.authority import name_role
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import events as ev
from pitboss.table.round import sides
from pitboss.table.round.dealing import deal_cards, hand_is_natural, offers_open
from pitboss.table.round.held_money import list_prizes_of_round
from pitboss.table.round.offers import close_offers
from pitboss.table.round.paying import settle_insurance, settle_stake, settle_surrendered
from pitboss.table.round.turns import advance, open_hand
from pitboss.table.shoe.devices import after_round, draw_card
from pitboss.table.state import Box, Fate, Hand, HandStatus, Pending, Phase, State

BONUS_OF_OTHERS = "super-bonus-others"
"""The outcome of what a Super Bonus pays to wagers on other boxes."""


def go_on(draft: Draft) -> None:
    """What happens without anybody asking: hands are served, the dealer draws, wagers are settled."""
    if draft.state.trouble.halted:
        return
    if draft.state.shoe.out:
        _end_without_a_card(draft)
        return
    if draft.state.phase is Phase.DEALING:
        deal_cards(draft)
    if draft.state.phase is Phase.OFFERS and not offers_open(draft.state):
        close_offers(draft)
    if draft.state.phase is not Phase.TURNS:
        return
    if draft.state.turn is None and looks_first(draft.state):
        look(draft)
    if draft.state.pending is Pending.NOTHING:
        advance(draft)
    finish_if_done(draft)


def _end_without_a_card(draft: Draft) -> None:
    """The cards have run out: the round ends if no hand is open and no wager is left that the dealer's hand decides."""
    state = draft.state
    if state.phase is Phase.TURNS and open_hand(state) is None and state.dealer and _find_need(state) == NO_CARD:
        finish_if_done(draft)


def finish_if_done(draft: Draft) -> None:
    """Play the dealer's hand and settle, once no player has anything to decide."""
    state = draft.state
    if state.phase is not Phase.TURNS or state.pending is not Pending.NOTHING or open_hand(state) is not None:
        return
    draft.mend_before_dealer()
    if draft.state.phase is not Phase.TURNS:
        return
    if state.sides:
        sides.judge_boxes_done(draft)
    _dealer(draft)
    draft.mend_before_settlement()
    if draft.state.house.settles_by_hand:
        draft.emit(ev.PhaseBegan(phase=Phase.SETTLING))
    else:
        settle_round(draft)


def settle_round(draft: Draft) -> None:
    """All wagers that are open are decided on the hands as they lie."""
    _final_settlement(draft)
    draft.emit(ev.RoundEnded())


# ---------------------------------------------------------------------- the dealer's hand


def _plays(hand: Hand) -> bool:
    return any(stake.fate is Fate.PLAYS and stake.winning > 0 for stake in hand.stakes)


def _find_need(state: State) -> int:
    """How much of the dealer's hand is needed: what every hand says it needs, insurance and side wagers."""
    packed, needs, ordinary = state.packed, NO_CARD, False
    for box in state.boxes:
        if box.void:
            continue
        if any(bettor.insurance is not None for bettor in box.bettors):
            needs |= ONE_CARD
        for hand in box.hands:
            if hand.status is HandStatus.NATURAL and _plays(hand):
                needs |= natural_needs(packed)
            elif hand.status is HandStatus.STOOD:
                if _plays(hand):
                    needs |= hand_needs(packed, hand.points, len(hand.cards), hand.from_split)
                if any(stake.fate is Fate.SURRENDERED for stake in hand.stakes):
                    needs |= surrender_needs(packed)
            elif hand.status is HandStatus.BUST:
                needs |= bust_needs(packed, hand.doubled)
            ordinary = ordinary or not (hand.status is HandStatus.BUST or hand_is_natural(box, hand))
    completes = sides.dealer_matters(state) and completes_for_side_wagers(packed, ordinary)
    return dealer_need(packed, needs, may_become_natural(state.up_rank), completes)


def _dealer(draft: Draft) -> None:
    """Draw what is needed; insurance is decided on the second card."""
    need = _find_need(draft.state)
    if need == NO_CARD:
        if len(draft.state.dealer) == 1 or draft.state.hole:
            draft.emit(ev.DealerStopped(why="moot", clauses=draft.cite("dealer_stops")))
        return
    if len(draft.state.dealer) == 1 or draft.state.hole:
        _dealer_card(draft)
    settle_insurance(draft, dealer_has_natural(draft.state))
    if need == ONE_CARD:
        draft.emit(ev.DealerStopped(why="moot", clauses=draft.cite("dealer_stops")))
        return
    while dealer_draws(draft.state.packed, draft.state.dealer_hard, draft.state.dealer_aces):
        _dealer_card(draft)
    over = total(draft.state.dealer_hard, draft.state.dealer_aces) > 21
    draft.emit(ev.DealerStopped(why="bust" if over else "total", clauses=draft.cite("dealer_draw")))


def _dealer_card(draft: Draft) -> None:
    card = draft.state.dealer[1] if draft.state.hole else draw_card(draft)
    draft.emit(ev.DealerDrew(card=card, clauses=draft.cite("dealer_draw")))


def dealer_has_natural(state: State) -> bool:
    """The dealer's first two cards, both seen, are an ace and a ten."""
    return len(state.dealer) > 1 and not state.hole and makes_natural(state.up_rank, RANK[state.dealer[1]])


def looks_first(state: State) -> bool:
    """The dealer finds out about a natural now: before boxes act, with a second card that nobody has seen."""
    unseen = state.hole or len(state.dealer) == 1
    return unseen and not state.further_card and dealer_looks(state.packed, state.up_rank)


def look(draft: Draft) -> None:
    """Insurance is decided before anybody acts, and a natural of the dealer's ends the round."""
    second = draft.state.dealer[1] if draft.state.hole else draw_card(draft)
    natural = makes_natural(draft.state.up_rank, RANK[second])
    if natural or not draft.state.hole:
        draft.emit(ev.DealerDrew(card=second, clauses=draft.cite("dealer_draw")))
    settle_insurance(draft, natural)
    if not natural:
        return
    for box in draft.state.boxes:
        if box.hands[0].status is HandStatus.OPEN:
            draft.emit(
                ev.HandEnded(
                    box=box.number,
                    hand=1,
                    status=HandStatus.STOOD,
                    matters=("lose_dealer_natural",),
                    clauses=draft.cite("lose_dealer_natural"),
                )
            )


# ---------------------------------------------------------------------- settlement


def _final_settlement(draft: Draft) -> None:
    state = draft.state
    points = total(state.dealer_hard, state.dealer_aces)
    natural = dealer_has_natural(state)
    for box in state.boxes:
        if not box.void:
            _settle_box(draft, box, points, natural)
    _super_bonus_to_others(draft)
    if draft.state.sides:
        sides.judge_end(draft)


def _settle_box(draft: Draft, box: Box, dealer_points: int, dealer_natural: bool) -> None:
    taken: dict[str, Money] = {}
    packed = draft.state.packed
    for h, hand in enumerate(box.hands):
        if hand.status is HandStatus.BUST and busted_double_returns(packed, dealer_natural):
            _return_busted_double(draft, box, h)
        if hand.status not in (HandStatus.STOOD, HandStatus.NATURAL):
            continue
        natural = hand.status is HandStatus.NATURAL
        result = outcome(packed, hand.points, len(hand.cards), natural, hand.from_split, dealer_points, dealer_natural)
        for stake in hand.stakes:
            if stake.fate is Fate.PLAYS:
                settle_stake(draft, box, h, stake, result, taken)
            elif stake.fate is Fate.SURRENDERED:
                settle_surrendered(draft, box, stake, dealer_natural)


def _return_busted_double(draft: Draft, box: Box, h: int) -> None:
    """A dealer's natural gives back the double of a busted hand."""
    clauses = draft.cite("busted_double_lost")
    for stake in box.hands[h].stakes:
        if stake.double:
            draft.settle(box.number, h + 1, stake.player, "main", ZERO, stake.double, "double-returned", clauses)


def find_super_bonus(state: State) -> set[str]:
    """The boxes with a Super Bonus winner whose wager was not declared void since."""
    main = [settled for settled in state.settlements if settled.wager == "main"]
    void = {(settled.box, settled.player) for settled in main if settled.outcome == "void"}
    return {
        settled.box
        for settled in main
        if settled.outcome == "super-bonus" and (settled.box, settled.player) not in void
    }


def _super_bonus_to_others(draft: Draft) -> None:
    """A Super Bonus is followed by a fixed sum to every original wager on other boxes."""
    winners = find_super_bonus(draft.state)
    sums = draft.state.rules.super_bonus_sums
    if not winners or sums is None:
        return
    clauses = draft.cite("super_bonus_others") or sums.clauses
    for box in draft.state.boxes:
        if box.number in winners or box.void:
            continue
        for bettor in box.bettors:
            if bettor.stake > 0:
                draft.settle(box.number, 0, bettor.player, "main", ZERO, sums.others, BONUS_OF_OTHERS, clauses)


# ---------------------------------------------------------------------- clearing


def next_round(draft: Draft) -> None:
    """Clear the table and open betting."""
    if draft.state.phase is not Phase.SETTLED:
        raise draft.refuse("the round is not settled yet", "cards_away")
    if draft.state.floor.on_record and (waiting := list_prizes_of_round(draft.state)):
        power = draft.state.rules.authority[waiting[0].power]
        words = f"the {waiting[0].outcome} prize on box {waiting[0].box} waits for {name_role(power.role)} or above"
        raise Refused(words, power.clauses)
    draft.emit(ev.RoundBegan(clauses=draft.cite("cards_away")))
    after_round(draft)
