"""The draft that decisions work with: how every event folds, and what mishaps make due while a round is played.

The ordinary round asks its draft at three places whether a mishap comes first; here the orders of the floor answer.
"""

from __future__ import annotations

from pitboss.table.draft import Draft
from pitboss.table.evolve import FOLDS
from pitboss.table.orders.mishaps.irregularities import burn_stray
from pitboss.table.orders.mishaps.misdeals import take_first_card, take_first_card_if_due
from pitboss.table.orders.voids import void_if_undealt


class WorkingDraft(Draft):
    """A draft of a table at which things can go wrong."""

    __slots__ = ()

    folds = FOLDS

    def mend_before_hand(self, at: tuple[int, int] | None) -> bool:
        if at is None or not self.state.boxes[at[0]].hands[at[1]].cards:
            return take_first_card_if_due(self, at) or void_if_undealt(self, at)
        return self.state.trouble.first_card_after is not None and take_first_card_if_due(self, at)

    def mend_before_dealer(self) -> None:
        if not self.state.dealer:
            take_first_card(self)

    def mend_before_settlement(self) -> None:
        burn_stray(self)
