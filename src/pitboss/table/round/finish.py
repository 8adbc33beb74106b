"""The end of a round: the dealer's hand as far as it is needed, the final settlement, clearing."""

from __future__ import annotations

from pitboss.cards import VALUE
from pitboss.money import ZERO, Money
from pitboss.play.dealer import NO_CARD, ONE_CARD, WHOLE_HAND, dealer_draws, dealer_need
from pitboss.play.hands import total
from pitboss.play.settlement import always_wins, outcome
from pitboss.table import events as ev
from pitboss.table.draft import Draft, Refused
from pitboss.table.orders.mishaps.misdeals import take_first_card
from pitboss.table.round import sides
from pitboss.table.round.dealing import deal_cards, offers_open
from pitboss.table.round.offers import close_offers
from pitboss.table.round.paying import settle_insurance, settle_stake, settle_surrendered
from pitboss.table.round.turns import advance, open_hand
from pitboss.table.shoe.devices import after_round, draw
from pitboss.table.state import Box, Fate, Hand, HandStatus, Pending, Phase, State


def go_on(draft: Draft) -> None:
    """What happens without anybody asking: hands are served, the dealer draws, wagers are settled."""
    if draft.state.shoe.out or draft.state.trouble.halted:
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


def finish_if_done(draft: Draft) -> None:
    """Play the dealer's hand and settle, once no player has anything to decide."""
    state = draft.state
    if state.phase is not Phase.TURNS or state.pending is not Pending.NOTHING or open_hand(state) is not None:
        return
    if not state.dealer:
        take_first_card(draft)
        if draft.state.phase is not Phase.TURNS:
            return
    if state.sides:
        sides.boxes_done(draft)
    _dealer(draft)
    _burn_stray(draft)
    _final_settlement(draft)
    draft.emit(ev.RoundEnded())


# ---------------------------------------------------------------------- the dealer's hand


def _plays(hand: Hand) -> bool:
    return any(stake.fate is Fate.PLAYS and stake.winning > 0 for stake in hand.stakes)


def _natural_may_fail(state: State) -> bool:
    """A player's natural can do worse than win even if the dealer has none."""
    rules = state.rules
    return not rules.natural_beats_drawn_21 or rules.natural_vs_push_total == "stand-off"


def _needed(state: State) -> int:
    live = waits = False
    for box in state.boxes:
        if box.void:
            continue
        for bettor in box.bettors:
            waits = waits or bettor.insurance is not None
        for hand in box.hands:
            if hand.status is HandStatus.NATURAL and _plays(hand):
                sure = always_wins(state.packed, 21, 2, True, False) != 0
                waits = waits or not sure
                live = live or (not sure and _natural_may_fail(state))
            elif hand.status is HandStatus.STOOD:
                sure = always_wins(state.packed, hand.points, len(hand.cards), False, hand.from_split) != 0
                live = live or (_plays(hand) and not sure)
                waits = waits or any(stake.fate is Fate.SURRENDERED for stake in hand.stakes)
            elif hand.status is HandStatus.BUST and hand.doubled:
                waits = waits or not state.rules.busted_double_lost
    up = VALUE[state.dealer[0]]
    return dealer_need(state.packed, live, waits, up in (1, 10), sides.dealer_matters(state) and _completes(state))


def _completes(state: State) -> bool:
    """The dealer completes the hand for side wagers: always, or only when all hands are bust or naturals."""
    if state.rules.dealer_completes_for_side_wagers != "listed-cases":
        return True
    hands = [hand for box in state.boxes for hand in box.hands if not box.void]
    return all(
        hand.status is HandStatus.BUST or (len(hand.cards) == 2 and hand.points == 21 and not hand.from_split)
        for hand in hands
    )


def _dealer(draft: Draft) -> None:
    """Draw what is needed; insurance is decided on the second card."""
    need = _needed(draft.state)
    if need == NO_CARD:
        if len(draft.state.dealer) == 1 or draft.state.hole:
            draft.emit(ev.DealerStopped(why="moot", clauses=draft.cite("dealer_stops")))
        return
    if len(draft.state.dealer) == 1 or draft.state.hole:
        _dealer_card(draft)
    settle_insurance(draft, dealer_has_natural(draft.state), VALUE[draft.state.dealer[0]] == 10)
    if need == ONE_CARD:
        draft.emit(ev.DealerStopped(why="moot", clauses=draft.cite("dealer_stops")))
        return
    while need == WHOLE_HAND and dealer_draws(draft.state.packed, draft.state.dealer_hard, draft.state.dealer_aces):
        _dealer_card(draft)
    over = total(draft.state.dealer_hard, draft.state.dealer_aces) > 21
    draft.emit(ev.DealerStopped(why="bust" if over else "total", clauses=draft.cite("dealer_draw")))


def _burn_stray(draft: Draft) -> None:
    """A card dealt in error that nobody took, and that the dealer did not need, is an exposed surplus card."""
    if draft.state.trouble.stray:
        clauses = draft.cite("dealer_surplus_card") or draft.cite("stray_card")
        draft.emit(ev.CardsBurnt(cards=draft.state.shoe.undealt[:1], shown=1, clauses=clauses))


def _dealer_card(draft: Draft) -> None:
    card = draft.state.dealer[1] if draft.state.hole else draw(draft)
    draft.emit(ev.DealerDrew(card=card, clauses=draft.cite("dealer_draw")))


def dealer_has_natural(state: State) -> bool:
    """The dealer's first two cards, both seen, are an ace and a ten."""
    if len(state.dealer) < 2 or state.hole:
        return False
    one, two = state.dealer[:2]
    return (one[0] == "A" and VALUE[two] == 10) or (two[0] == "A" and VALUE[one] == 10)


def looks_first(state: State) -> bool:
    """The dealer finds out about a natural before boxes act: by a look under the up card, or by drawing to an ace."""
    if not state.dealer or state.further_card:
        return False
    up = VALUE[state.dealer[0]]
    if state.hole:
        return state.rules.hole_card == "peek" and up in (1, 10)
    return state.rules.insurance_settled == "before-play" and up == 1 and len(state.dealer) == 1


def look(draft: Draft) -> None:
    """Insurance is decided before anybody acts, and a natural of the dealer's ends the round."""
    up, second = draft.state.dealer[0], draft.state.dealer[1] if draft.state.hole else draw(draft)
    natural = {VALUE[up], VALUE[second]} == {1, 10}
    if natural or not draft.state.hole:
        draft.emit(ev.DealerDrew(card=second, clauses=draft.cite("dealer_draw")))
    settle_insurance(draft, natural, VALUE[up] == 10)
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
        sides.at_end(draft)


def _settle_box(draft: Draft, box: Box, dealer_points: int, dealer_natural: bool) -> None:
    taken: dict[str, Money] = {}
    packed = draft.state.packed
    for h, hand in enumerate(box.hands):
        if hand.status is HandStatus.BUST and hand.doubled and dealer_natural:
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
    """Where a clause is read so, a dealer's natural gives back the double of a busted hand."""
    if draft.state.rules.busted_double_lost:
        return
    clauses = draft.cite("busted_double_lost")
    for stake in box.hands[h].stakes:
        if stake.double:
            draft.settle(box.number, h + 1, stake.player, "main", ZERO, stake.double, "double-returned", clauses)


def _super_bonus_to_others(draft: Draft) -> None:
    """A Super Bonus is followed by a fixed sum to every original wager on other boxes."""
    winners = {settled.box for settled in draft.state.settlements if settled.outcome == "super-bonus"}
    sums = draft.state.rules.super_bonus_sums
    if not winners or sums is None:
        return
    clauses = draft.cite("super_bonus_others") or sums.clauses
    for box in draft.state.boxes:
        if box.number in winners or box.void:
            continue
        for bettor in box.bettors:
            if bettor.stake > 0:
                draft.settle(box.number, 0, bettor.player, "main", ZERO, sums.others, "super-bonus-others", clauses)


# ---------------------------------------------------------------------- clearing


def next_round(draft: Draft) -> None:
    """Clear the table and open betting."""
    if draft.state.phase is not Phase.SETTLED:
        raise Refused("the round is not settled yet")
    draft.emit(ev.RoundBegan())
    after_round(draft)
