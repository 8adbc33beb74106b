"""Side wagers at the table: one judge for each kind, called at the moments of a round.

A judge is a small class with the moments it cares about: `after_deal`, `after_card`, `box_done`, `at_end`. What a wager
pays and who may place it is data in the rulebook; a judge only says which outcome the cards are. To add one, write a
class, put it into `JUDGES`, and name its outcomes in the rulebooks' list of the same name.
"""

from __future__ import annotations

from pitboss.money import ZERO
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table.dispatch import merge_tables
from pitboss.table.draft import Draft, Refused
from pitboss.table.round.sides.base import Judge, settle_side
from pitboss.table.round.sides.dealt import DEALT
from pitboss.table.round.sides.drawn import DRAWN, draw_prize
from pitboss.table.round.sides.meters import METERED, system_pick
from pitboss.table.state import HandStatus, State

__all__ = [
    "JUDGES", "after_card", "after_deal", "at_end", "boxes_done", "dealer_matters", "draw_prize", "return_wager",
    "system_pick",
]  # fmt: skip

JUDGES: dict[str, Judge] = merge_tables(DEALT, DRAWN, METERED)
"""Every judge by the name rulebooks use."""


def _side(draft: Draft, wager: str) -> SideWager:
    side = draft.state.rules.side_wager(wager)
    if side is None:
        raise Refused(f"{wager} is not on offer at this table")
    return side


def after_deal(draft: Draft) -> None:
    """The initial deal is done: settle what is settled in the interim settlement."""
    for side in draft.state.rules.side_wagers:
        JUDGES[side.judge].after_deal(draft, side)


def after_card(draft: Draft, box: str) -> None:
    """A card was dealt to a hand of `box`."""
    for index, bet in enumerate(draft.state.sides):
        if bet.state and bet.box == box:
            side = _side(draft, bet.wager)
            JUDGES[side.judge].after_card(draft, side, index)


def boxes_done(draft: Draft) -> None:
    """Wagers on boxes that have nothing more to decide."""
    done = {box.number for box in draft.state.boxes if all(hand.status is not HandStatus.OPEN for hand in box.hands)}
    for index, bet in enumerate(draft.state.sides):
        if bet.state and bet.box in done:
            side = _side(draft, bet.wager)
            JUDGES[side.judge].box_done(draft, side, index)


def at_end(draft: Draft) -> None:
    """The dealer's hand is complete."""
    for index, bet in enumerate(draft.state.sides):
        if bet.state:
            side = _side(draft, bet.wager)
            JUDGES[side.judge].at_end(draft, side, index)


def dealer_matters(state: State) -> bool:
    """A side wager is alive that the dealer's hand decides."""
    return any(
        bet.state and (side := state.rules.side_wager(bet.wager)) is not None and JUDGES[side.judge].needs_dealer
        for bet in state.sides
    )


def return_wager(draft: Draft, index: int, why: str, clauses: tuple[str, ...]) -> None:
    """A side wager that is not settled yet goes back."""
    settle_side(draft, index, ZERO, why, clauses)
