"""Settling main wagers on single hands: which clause decides, and how much changes hands."""

from __future__ import annotations

from pitboss.cards import RANK, SUITS, Card
from pitboss.money import ZERO, Money, Odds, half, round_up
from pitboss.play.bonuses import bonus_paid, grade_of, pattern_of, win_odds, wins_super_bonus
from pitboss.play.hands import ACE, is_natural
from pitboss.play.insurance import odds_of_insurance
from pitboss.play.naturals import natural_odds
from pitboss.play.packed import BONUS_ORDER
from pitboss.play.settlement import (
    LOSE_BUST,
    LOSE_DEALER_NATURAL,
    LOSE_LOWER,
    LOSE_TIE,
    STAND_OFF,
    STAND_OFF_NATURALS,
    STAND_OFF_PUSH_TOTAL,
    WIN_21,
    WIN_DEALER_BUST,
    WIN_FIVE_CARDS,
    WIN_HIGHER,
    WIN_NATURAL,
    dealer_natural_loss,
    loses,
    wins,
)
from pitboss.play.surrender import surrender_costs
from pitboss.table.draft import Draft
from pitboss.table.state import Box, Fate, Hand, Stake

OUTCOMES: dict[int, tuple[str, str]] = {
    LOSE_BUST: ("bust", "bust"),
    LOSE_LOWER: ("lower", "lose_lower"),
    LOSE_DEALER_NATURAL: ("dealer-natural", "lose_dealer_natural"),
    LOSE_TIE: ("tie-loses", "tie"),
    STAND_OFF: ("stand-off", "stand_off"),
    STAND_OFF_NATURALS: ("both-naturals", "stand_off_naturals"),
    STAND_OFF_PUSH_TOTAL: ("push-total", "stand_off_push_total"),
    WIN_HIGHER: ("higher", "win_higher"),
    WIN_DEALER_BUST: ("dealer-bust", "win_dealer_bust"),
    WIN_NATURAL: ("natural", "win_natural"),
    WIN_21: ("twenty-one", "win_21"),
    WIN_FIVE_CARDS: ("five-cards", "win_five_cards"),
}
"""Each outcome: the word in settlements, and the matter whose clauses decide it."""


def lose_bust(draft: Draft, box: Box, h: int) -> None:
    """A hand over 21: everything real on it is lost at once."""
    clauses = draft.cite("bust")
    for stake in box.hands[h].stakes:
        if stake.fate is Fate.PLAYS:
            draft.settle(box.number, h + 1, stake.player, "main", stake.money, -stake.money, "bust", clauses)


def look_of(cards: tuple[Card, ...]) -> tuple[int, int]:
    """The pattern of a hand, and the grade of its suits."""
    ranks = suits = 0
    for card in cards:
        ranks |= 1 << RANK[card]
        suits |= 1 << SUITS.index(card[1])
    return pattern_of(len(cards), ranks), grade_of(suits)


def pay_hand(draft: Draft, box: Box, h: int, outcome: int, *, interim: bool = False) -> None:
    """Pay every stake still playing on a winning hand."""
    for stake in box.hands[h].stakes:
        if stake.fate is Fate.PLAYS:
            pay_stake(draft, box, h, stake, outcome, interim=interim)


def pay_stake(draft: Draft, box: Box, h: int, stake: Stake, outcome: int, *, interim: bool = False) -> None:
    """Pay one stake on a winning hand: natural odds, bonus odds or the ordinary ones; the Super Bonus on top."""
    rules, packed, chip = draft.state.rules, draft.state.packed, draft.state.payable
    hand = box.hands[h]
    word, matter = OUTCOMES[outcome]
    clauses = draft.cite(matter)
    if outcome == WIN_NATURAL:
        odds = Odds(*natural_odds(packed))
        clauses = draft.cite(matter, "natural_odds")
    else:
        code = 0
        if rules.bonuses:
            code = bonus_paid(packed, hand.points, len(hand.cards), *look_of(hand.cards), hand.doubled)
        if code:
            bonus = next(bonus for bonus in rules.bonuses if bonus.hand == BONUS_ORDER[code - 1])
            word, clauses = bonus.hand, bonus.clauses
        odds = Odds(*win_odds(packed, code))
        if is_natural(hand.hard, hand.aces, len(hand.cards)):
            clauses = _with(draft, clauses, "not_a_natural")
    if hand.doubled and stake.double:
        clauses = _with(draft, clauses, "double_settled")
    if stake.base_token or stake.double_token:
        clauses = _with(draft, clauses, "token_settled")
    net: Money = odds.pay(stake.winning, chip)
    if chip is not None and net != odds.pay(stake.winning):
        clauses = _with(draft, clauses, "rounding")
    draft.settle(box.number, h + 1, stake.player, "main", stake.money, net, word, clauses, interim=interim)
    if super_bonus_due(draft, box, hand):
        _pay_super_bonus(draft, box, h, stake, interim)


def _with(draft: Draft, clauses: tuple[str, ...], matter: str) -> tuple[str, ...]:
    """Clauses, and those of one more matter."""
    return (*clauses, *(clause for clause in draft.cite(matter) if clause not in clauses))


def super_bonus_due(draft: Draft, box: Box, hand: Hand) -> bool:
    """The hand is paid the Super Bonus."""
    state = draft.state
    return state.rules.super_bonus and wins_super_bonus(
        state.packed, state.up_rank, *look_of(hand.cards), hand.doubled, hand.from_split, box.suited_sevens_split
    )


def _pay_super_bonus(draft: Draft, box: Box, h: int, stake: Stake, interim: bool) -> None:
    sums = draft.state.rules.super_bonus_sums
    bettor = box.bettor(stake.player)
    if sums is not None and bettor is not None and (extra := sums.pays(bettor.stake)):
        clauses = draft.cite("super_bonus") or sums.clauses
        draft.settle(box.number, h + 1, stake.player, "main", ZERO, extra, "super-bonus", clauses, interim=interim)


def settle_stake(draft: Draft, box: Box, h: int, stake: Stake, outcome: int, taken: dict[str, Money]) -> None:
    """Settle one stake against the dealer's finished hand.

    `taken` is what a dealer's natural has cost each player of the box.
    """
    if wins(outcome):
        pay_stake(draft, box, h, stake, outcome)
        return
    word, matter = OUTCOMES[outcome]
    if outcome == LOSE_DEALER_NATURAL:
        _lose_to_natural(draft, box, h, stake, taken)
        return
    net = -stake.money if loses(outcome) else ZERO
    draft.settle(box.number, h + 1, stake.player, "main", stake.money, net, word, draft.cite(matter))


def _lose_to_natural(draft: Draft, box: Box, h: int, stake: Stake, taken: dict[str, Money]) -> None:
    bettor = box.bettor(stake.player)
    original = ZERO if bettor is None else bettor.stake
    busted = -sum(
        (
            settled.net
            for settled in draft.state.settlements
            if settled.outcome == "bust" and settled.box == box.number and settled.player == stake.player
        ),
        ZERO,
    )
    before = taken.get(stake.player, ZERO)
    loss = Money(
        dealer_natural_loss(draft.state.packed, original, busted, stake.money, stake.original, stake.base, before)
    )
    taken[stake.player] = before + loss
    clauses = draft.cite("lose_dealer_natural")
    if len(box.hands) > 1 or box.hands[h].doubled:
        clauses = draft.cite("dealer_natural_takes", "lose_dealer_natural")
        if loss < stake.money:
            clauses = draft.cite("dealer_natural_returns", "dealer_natural_takes")
    draft.settle(box.number, h + 1, stake.player, "main", stake.money, -loss, "dealer-natural", clauses)


def settle_surrendered(draft: Draft, box: Box, stake: Stake, dealer_natural: bool) -> None:
    """A surrendered wager at the end: half, or all of it against a dealer's natural where the book says so."""
    halves = surrender_costs(draft.state.packed, dealer_natural)
    word, matter = ("surrender", "surrender_half") if halves == 1 else ("surrender-lost", "surrender_lost")
    net = -half(stake.base) * halves
    draft.settle(box.number, 1, stake.player, "main", stake.base, net, word, draft.cite(matter))


def settle_insurance(draft: Draft, dealer_natural: bool) -> None:
    """Insurance is decided by the dealer's second card."""
    chip, up = draft.state.payable, draft.state.up_rank
    odds, matter = (
        odds_of_insurance(draft.state.packed, up),
        "insurance_odds_ace" if up == ACE else "insurance_odds_ten",
    )
    for box in draft.state.boxes:
        for bettor in box.bettors:
            if bettor.insurance is None:
                continue
            if dealer_natural:
                net, word = Odds(*odds).pay(bettor.insurance, chip), "insurance-wins"
                clauses = draft.cite(matter, "insurance_wins")
            else:
                net, word, clauses = -bettor.insurance, "insurance-loses", draft.cite("insurance_loses")
            draft.settle(box.number, 0, bettor.player, "insurance", bettor.insurance, net, word, clauses)


def round_payment(draft: Draft, amount: Money) -> Money:
    """Up to what can be paid in chips at this table."""
    return round_up(amount, draft.state.payable)
