"""A table as advice needs it: from a table's state, or from what one observer sees of it.

A view says which cards lie where and what its observer may do; what it does not say and a hand's worth hangs on (which
hand came from a split, whose wager is the original) follows from the layout; what does not follow from it, whether the
cards that were split were sevens of one suit, is taken to be so.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pitboss.cards import VALUE, Card
from pitboss.money import ZERO
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.legal import legal
from pitboss.table.messages.notation import words
from pitboss.table.state import Bettor, Box, Hand, HandStatus, Pending, Phase, Stake, State
from pitboss.table.views import BoxView, HandView, View


class SeenTable(NamedTuple):
    """A table in the middle of a round."""

    rules: Rules
    packed: Packed
    phase: Phase
    pending: Pending
    turn: tuple[int, int] | None
    dealer: tuple[Card, ...]
    boxes: tuple[Box, ...]
    may: tuple[str, ...]
    """What may be done now, as records write it."""

    def verbs(self, box: Box) -> set[str]:
        """What may be done with a box now."""
        named = (said.split() for said in self.may)
        found = {said[1] for said in named if len(said) > 1 and said[0] in (box.number, str(box.area))}
        return found | ({"proceed"} if "proceed" in self.may else set())


def see_table(state: State) -> SeenTable:
    """Everything that lies on the table."""
    may = tuple(words(command) for command in legal(state))
    return SeenTable(state.rules, state.packed, state.phase, state.pending, state.turn, state.dealer, state.boxes, may)


def see_view(view: View, rules: Rules) -> SeenTable:
    """What a view shows; `rules` are those of its table."""
    return see_layout(rules, view.phase, view.pending, view.boxes, view.turn, view.dealer, view.actions)


def see_layout(
    rules: Rules, phase: Phase, pending: Pending, shown: tuple[BoxView, ...], whose: tuple[str, int] | None,
    dealer: tuple[Card, ...], may: tuple[str, ...],
) -> SeenTable:  # fmt: skip
    """The parts of a view, for somebody who was sent them one by one."""
    boxes = tuple(_box(box) for box in shown)
    turn = None
    if whose is not None:
        turn = ([box.number for box in boxes].index(whose[0]), whose[1] - 1)
    return SeenTable(rules, pack(rules), phase, pending, turn, dealer, boxes, may)


def _box(box: BoxView) -> Box:
    area = re.match(r"\d+", box.number)
    split = len(box.hands) > 1
    stakes = {stake.player: stake.money for hand in box.hands[:1] for stake in hand.stakes}
    return Box(
        number=box.number,
        area=int(area[0]) if area else 0,
        bettors=tuple(Bettor(player, stakes.get(player, ZERO), stakes.get(player, ZERO)) for player in box.players),
        controller=box.controller,
        hands=tuple(_hand(hand, place, split) for place, hand in enumerate(box.hands)),
        suited_sevens_split=split,
    )


def _hand(hand: HandView, place: int, split: bool) -> Hand:
    aces = sum(card[0] == "A" for card in hand.cards)
    return Hand(
        cards=hand.cards,
        stakes=tuple(Stake(stake.player, stake.money, place == 0, stake.tokens) for stake in hand.stakes),
        hard=sum(VALUE.get(card, 0) for card in hand.cards),
        aces=aces,
        status=HandStatus(hand.status),
        from_split=split,
        from_aces=split and hand.cards[0][0] == "A",
    )
