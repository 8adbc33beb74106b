"""Splits of an infinite deck, where only the dealer's natural ties hands together: the best play with memory.

No card that was dealt changes the chance of another, so a player needs to remember only how many hands there are and
whether an earlier one is still live or is over 21. What the rest of the box is worth enters each hand as a constant.
"""

from __future__ import annotations

import functools

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.player_hands import VALUES, hands_with
from pitboss.odds.hand.solver import Priced, play_seat, reprice_seat
from pitboss.play.doubling import aces_fixed
from pitboss.play.packed import Packed
from pitboss.play.settlement import busts_count_as_taken
from pitboss.play.splitting import most_hands


def split_with_memory(rules: Packed, shoe: Composition, value: int, up: int, seat: Priced, rows: Array) -> Number:
    """The value of splitting two cards of `value` against `up`, from an infinite deck."""
    hands = hands_with((value,))
    single = hands.of(value)
    natural: Number = rows[single, up, -1]
    most = most_hands(rules, value == 1)
    bars = bool(rules.split_declined_bars)

    @functools.cache
    def hand(boxed: int, waiting: int, live: bool, gone: bool, barred: bool) -> Array:
        """The value of the next hand and all after it by its second card, which is not split."""
        after = (
            rest(boxed, waiting - 1, True, gone, barred),
            rest(boxed, waiting - 1, live, True, barred),
            rest(boxed, waiting - 1, live, gone, barred),
        )
        found = play_seat(rules, shoe, hands, reprice_seat(seat, 0 * natural, after), rows, (up,))
        layer = [aces_fixed(rules, int(value == 1) + int(card == 0)) for card in range(VALUES)]
        return found.value[layer, hands.after[single], up]

    @functools.cache
    def rest(boxed: int, waiting: int, live: bool, gone: bool, barred: bool) -> Number:
        """What the waiting hands are worth: of `boxed` in all, one is live, one is gone, splits are barred."""
        if waiting == 0:
            taken = live and not (gone and busts_count_as_taken(rules))
            return -natural if taken else 0 * natural
        worth = hand(boxed, waiting, live, gone, barred).copy()
        if boxed < most and not barred:
            declined = hand(boxed, waiting, live, gone, bars)[value - 1]
            worth[value - 1] = max(declined, rest(boxed + 1, waiting + 1, live, gone, False))
        mean: Number = sum((shoe.values[card] * worth[card] for card in range(VALUES)), start=0 * natural) / shoe.left
        return mean

    return rest(2, 2, False, False, False)
