"""Settling main wagers on single hands: which clause decides, and how much changes hands."""

from __future__ import annotations

from pitboss.cards import Card
from pitboss.money import ZERO, Money, Odds, half, round_up
from pitboss.play.hands import bonus_code
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
)
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


def hand_bonus(cards: tuple[Card, ...], points: int) -> int:
    """The bonus code of a hand of 21."""
    if points != 21:
        return 0
    ranks = sorted(card[0] for card in cards) if len(cards) == 3 else []
    suits = {card[1] for card in cards}
    return bonus_code(
        len(cards), points, ranks == ["6", "7", "8"], ranks == ["7", "7", "7"], len(suits) == 1, suits == {"s"}
    )


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
    net: Money
    if outcome == WIN_NATURAL:
        net = rules.natural_odds.pay(stake.winning, chip)
        clauses = draft.cite(matter, "natural_odds")
    else:
        code = hand_bonus(hand.cards, hand.points) if rules.bonuses and (not hand.doubled or rules.double_bonus) else 0
        if code:
            bonus = next(bonus for bonus in rules.bonuses if bonus.hand == BONUS_ORDER[code - 1])
            word, clauses = bonus.hand, bonus.clauses
        net = Odds(packed.bonus_win[code], packed.bonus_stake[code]).pay(stake.winning, chip)
    if hand.doubled and stake.double:
        clauses = (*clauses, *(clause for clause in draft.cite("double_settled") if clause not in clauses))
    draft.settle(box.number, h + 1, stake.player, "main", stake.money, net, word, clauses, interim=interim)
    if wins_super_bonus(draft, box, hand):
        _pay_super_bonus(draft, box, h, stake, interim)


def wins_super_bonus(draft: Draft, box: Box, hand: Hand) -> bool:
    """Suited 7-7-7 in three cards against a seven, neither doubled nor barred by a split."""
    rules = draft.state.rules
    if not rules.super_bonus or rules.super_bonus_sums is None or hand.doubled or len(hand.cards) != 3:
        return False
    if hand.from_split and (rules.super_bonus_after_split == "never" or box.suited_sevens_split):
        return False
    up = draft.state.up_card or "?"
    return up[0] == "7" and hand.cards[0][0] == "7" and len(set(hand.cards)) == 1


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
    if outcome > 20:
        pay_stake(draft, box, h, stake, outcome)
        return
    word, matter = OUTCOMES[outcome]
    if outcome == LOSE_DEALER_NATURAL:
        _lose_to_natural(draft, box, h, stake, taken)
        return
    net = -stake.money if outcome < 10 else ZERO
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
    loss: Money = dealer_natural_loss(
        draft.state.packed, original, busted, stake.money, stake.original, stake.base, before
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
    if dealer_natural and draft.state.rules.surrender_vs_natural == "whole-stake-lost":
        draft.settle(
            box.number, 1, stake.player, "main", stake.base, -stake.base, "surrender-lost", draft.cite("surrender_lost")
        )
    else:
        draft.settle(
            box.number,
            1,
            stake.player,
            "main",
            stake.base,
            -half(stake.base),
            "surrender",
            draft.cite("surrender_half"),
        )


def settle_insurance(draft: Draft, dealer_natural: bool, ten_up: bool) -> None:
    """Insurance is decided by the dealer's second card."""
    rules, chip = draft.state.rules, draft.state.payable
    odds = rules.insurance_odds_ten if ten_up else rules.insurance_odds_ace
    for box in draft.state.boxes:
        for bettor in box.bettors:
            if bettor.insurance is None:
                continue
            if dealer_natural and odds is not None:
                net, word = odds.pay(bettor.insurance, chip), "insurance-wins"
                clauses = draft.cite("insurance_odds_ten" if ten_up else "insurance_odds_ace", "insurance_wins")
            else:
                net, word, clauses = -bettor.insurance, "insurance-loses", draft.cite("insurance_loses")
            draft.settle(box.number, 0, bettor.player, "insurance", bettor.insurance, net, word, clauses)


def round_payment(draft: Draft, amount: Money) -> Money:
    """Up to what can be paid in chips at this table."""
    return round_up(amount, draft.state.payable)
