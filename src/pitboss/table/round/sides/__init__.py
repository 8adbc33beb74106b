"""Side wagers at the table: asked about at the moments of a round, and settled when the book says so.

Which outcome the cards are, and what that is paid, is judged in `play.side_wagers`; here are the people, the chips, the
clauses and the events around it. When a wager is settled is the term `settled` of its book.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.money import ZERO
from pitboss.play.side_wagers.judges import (
    BOX_FINISHED,
    FINAL,
    INTERIM,
    INTERIM_THEN_FINAL,
    WHEN_KNOWN,
    look_at_dealer_hand,
)
from pitboss.table.draft import Draft
from pitboss.table.round.sides.prizes import (
    button_wager,
    draw_prize,
    judge_dealt,
    looks_at_up_card,
    pay_fallback,
    refill_meters,
    system_pick,
)
from pitboss.table.round.sides.side_bets import ask, settle_answer, settle_side, wager_of
from pitboss.table.state import HandStatus, State

__all__ = [
    "button_wager", "dealer_matters", "draw_prize", "judge_boxes_done", "judge_card", "judge_deal", "judge_dealt",
    "judge_end", "judge_second_card", "judge_up_card", "pay_fallback", "refill_meters", "return_wager", "system_pick",
]  # fmt: skip

ON_DEAL = frozenset({INTERIM, WHEN_KNOWN, INTERIM_THEN_FINAL})
ON_CARD = frozenset({WHEN_KNOWN})
ON_BOX_DONE = frozenset({WHEN_KNOWN, BOX_FINISHED})
ON_END = frozenset({INTERIM_THEN_FINAL, FINAL})
"""The wagers that are asked about at a moment, by the word of their book."""


def judge_deal(draft: Draft, *, before_naturals: bool) -> None:
    """The initial deal is done: settle what is settled on it, before the naturals are paid or after."""
    for side in draft.state.rules.side_wagers:
        waits = not draft.state.dealer and looks_at_up_card(side)
        if side.settled in ON_DEAL and side.before_naturals is before_naturals and not waits:
            judge_dealt(draft, side)


def judge_up_card(draft: Draft) -> None:
    """The dealer has taken a first card that was missing: settle what waited for it."""
    for side in draft.state.rules.side_wagers:
        if side.settled in ON_DEAL and looks_at_up_card(side):
            judge_dealt(draft, side)


def judge_second_card(draft: Draft, box: str) -> None:
    """A box that was dealt one card has its second: settle what is settled on the first two."""
    for side in draft.state.rules.side_wagers:
        waits = not draft.state.dealer and looks_at_up_card(side)
        if side.settled in ON_DEAL and not waits:
            judge_dealt(draft, side, box)


def judge_card(draft: Draft, box: str) -> None:
    """A card was dealt to a hand of `box`."""
    _judge(draft, ON_CARD, {box}, box_done=False)


def judge_boxes_done(draft: Draft) -> None:
    """Wagers on boxes that have nothing more to decide."""
    done = {box.number for box in draft.state.boxes if all(hand.status is not HandStatus.OPEN for hand in box.hands)}
    _return_undealt(draft, done)
    _judge(draft, ON_BOX_DONE, done, box_done=True)


def _return_undealt(draft: Draft, done: set[str]) -> None:
    """Wagers on a box that has one card and gets no other: there is nothing to decide them on."""
    undealt = {box.number for box in draft.state.boxes if box.number in done and len(box.hands[0].cards) < 2}
    for index, bet in enumerate(draft.state.sides) if undealt else ():
        if bet.state and bet.box in undealt and not look_at_dealer_hand([wager_of(draft, bet).judge]):
            return_wager(draft, index, "void", draft.cite("undealt_box"))


def judge_end(draft: Draft) -> None:
    """The dealer's hand is complete."""
    _judge(draft, ON_END, {bet.box for bet in draft.state.sides}, box_done=True)


def _judge(draft: Draft, when: frozenset[str], boxes: Iterable[str], *, box_done: bool) -> None:
    for index, bet in enumerate(draft.state.sides):
        if bet.state and bet.box in boxes:
            side = wager_of(draft, bet)
            if side.settled in when:
                answer = ask(draft.state, side, bet, box_done=box_done)
                settle_answer(draft, side, index, answer, interim=when is not ON_END)


def dealer_matters(state: State) -> bool:
    """A side wager is alive that the dealer's hand decides."""
    return look_at_dealer_hand(
        side.judge for bet in state.sides if bet.state and (side := state.rules.side_wager(bet.wager)) is not None
    )


def return_wager(draft: Draft, index: int, why: str, clauses: tuple[str, ...]) -> None:
    """A side wager that is not settled yet goes back."""
    settle_side(draft, index, ZERO, why, clauses)
