"""How a wager was settled, in words: why it won or lost, and what changed hands."""

from __future__ import annotations

from pitboss.money import Odds, show
from pitboss.play.hands import is_soft, total
from pitboss.table.round.held_money import UNDONE
from pitboss.table.state import Hand, Settlement, State

MAIN = {
    "higher": "{hand} beats the dealer's {dealer}",
    "lower": "{hand} is below the dealer's {dealer}",
    "dealer-bust": "the dealer busts with {dealer}",
    "bust": "{hand} is a bust",
    "stand-off": "{hand} against the dealer's {dealer} is a push",
    "both-naturals": "{natural} against the dealer's {natural}",
    "push-total": "the dealer's {dealer} pushes against every hand that has not bust",
    "tie-loses": "{hand} does not beat the dealer's {dealer}, and ties lose",
    "natural": "{natural} is paid {natural_odds}",
    "twenty-one": "21 wins whatever the dealer has",
    "five-cards": "five cards without a bust win",
    "dealer-natural": "the dealer has {natural}",
    "double-returned": "the dealer has {natural}, and the double is returned",
    "even-money": "{natural} is paid even money",
    "surrender": "a surrendered wager loses half",
    "surrender-lost": "the dealer's {natural} takes all of a surrendered wager",
    "forfeit": "the double is taken back and the original wager forfeited",
    "super-bonus": "the Super Bonus for suited sevens against a seven",
    "super-bonus-others": "the Super Bonus of another box pays all other wagers",
    "insurance-wins": "the dealer has {natural}, insurance wins",
    "insurance-loses": "the dealer has no {natural}, insurance loses",
    "five-cards-21": "21 in five cards is paid its bonus",
    "six-cards-21": "21 in six cards is paid its bonus",
    "seven-cards-21": "21 in seven cards or more is paid its bonus",
    "678-mixed": "6-7-8 of mixed suits is paid its bonus",
    "678-suited": "6-7-8 of one suit is paid its bonus",
    "678-spades": "6-7-8 of spades is paid its bonus",
    "777-mixed": "7-7-7 of mixed suits is paid its bonus",
    "777-suited": "7-7-7 of one suit is paid its bonus",
    "777-spades": "7-7-7 of spades is paid its bonus",
    "returned": "the wager is returned",
    "turned-away": "the wager was not accepted",
    "void": "the wager is void",
}
"""Why a main wager or insurance was decided as it was, by outcome."""


def total_words(hard: int, aces: int) -> str:
    """`17`, `soft 17`."""
    return f"soft {total(hard, aces)}" if is_soft(hard, aces) else str(hard)


def hand_words(hand: Hand) -> str:
    """The total of a hand."""
    return total_words(hand.hard, hand.aces)


def place_words(state: State, box: str, hand: int) -> str:
    """`box 1`, or `hand 2 of box 1` where the box was split."""
    index = state.box_index(box)
    several = index >= 0 and len(state.boxes[index].hands) > 1
    return f"hand {hand} of box {box}" if several and hand else f"box {box}"


def outcome_words(name: str) -> str:
    """The outcome of a side wager or a bonus: `5 cards` for `cards-5`, `6-7-8 mixed` for `678-mixed`."""
    head, *rest = name.split("-")
    if rest == ["1"]:
        return f"1 {head.removesuffix('s')}"
    if rest and all(part.isdigit() for part in rest):
        return f"{' to '.join(rest)} {head}" if head != "sum" else f"sum of {' to '.join(rest)}"
    return " ".join(["-".join(head) if head.isdigit() else head, *rest])


def tell_settlement(state: State, settled: Settlement) -> str:
    """One settlement as a sentence without its clauses."""
    where = place_words(state, settled.box, settled.hand)
    why, money = (
        _undoing(state, settled)
        if settled.net and settled.outcome in UNDONE
        else (_why(state, settled), _money(settled))
    )
    return f"{where[:1].upper()}{where[1:]}: {why}; {money}"


def _undoing(state: State, settled: Settlement) -> tuple[str, str]:
    side = state.rules.side_wager(settled.wager)
    of = f" of {side.name}" if side is not None else " of the insurance" if settled.wager == "insurance" else ""
    back = "gets {} back" if settled.net > 0 else "gives {} back"
    return f"the settlement{of} is undone", f"{settled.player} {back.format(show(abs(settled.net)))}"


def _why(state: State, settled: Settlement) -> str:
    rules = state.rules
    side = rules.side_wager(settled.wager)
    if side is not None:
        odds = side.odds.get(settled.outcome)
        paid = f", {odds}" if isinstance(odds, Odds) else f", {odds}" if odds is not None else ""
        return f"{side.name}: {outcome_words(settled.outcome)}{paid}"
    form = MAIN.get(settled.outcome, settled.outcome.replace("-", " "))
    index = state.box_index(settled.box)
    hand = state.boxes[index].hands[settled.hand - 1] if index >= 0 and settled.hand else None
    return form.format(
        hand=hand_words(hand) if hand is not None else "the hand",
        dealer=total(state.dealer_hard, state.dealer_aces),
        natural=rules.natural_name,
        natural_odds=rules.natural_odds,
    )


def _money(settled: Settlement) -> str:
    player, stake = settled.player, show(settled.stake)
    if settled.net > 0:
        return (
            f"{player} wins {show(settled.net)} on {stake}" if settled.stake else f"{player} wins {show(settled.net)}"
        )
    if settled.net < 0:
        return f"{player} loses {show(-settled.net)}"
    return f"{player} keeps the stake of {stake}" if settled.stake else f"nothing changes hands for {player}"
