"""What each executor refuses: the list that the documentation prints and that tests hold to what happens.

A row says which rules are refused, the words of the refusal, and one table that meets it. Whatever else an executor
refuses, or stops refusing, is a failure of the tests that cross rules with executors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from variants import Variant

from pitboss.play.side_wagers.judges import BY_DEALER_HAND, BY_FOUR_CARDS, BY_THIRD_CARD, BY_TOKENS, JUDGES
from pitboss.rulebooks import Rules


class Refusal(NamedTuple):
    """Rules that an executor does not play."""

    executor: str
    what: str
    words: str
    """Some of the line that it answers with."""
    holds: Callable[[Rules], bool]
    example: Variant


def _looks(rules: Rules) -> set[int]:
    return {JUDGES[side.judge].looks_at for side in rules.side_wagers}


def _clash(rules: Rules) -> bool:
    return len(rules.side_wagers) > 1 and any(side.under_with_over != "both" for side in rules.side_wagers)


def _acts_before_switch(rules: Rules) -> bool:
    return rules.switch and (rules.auto_draw != "off" or rules.surrender_when not in ("never", "own-turn"))


BEFORE_SWITCH = "automatic draws, or a surrender before boxes act, where second cards are switched"
INFINITE = "an infinite deck (`decks=inf`)"
UNDER_AND_OVER = "a unit on Under 13 and one on Over 13, where the reading `under_over_both` does not take both"
SWITCHED = (("boxes_per_area", 2), ("switch", True), ("actions", ("hit", "stand", "double", "split", "switch")))
REFUSALS = (
    Refusal(
        "odds",
        "surrender that stays open after a third card on the same hand (Perth's reading `surrender_window`)",
        "surrender after one's own third card",
        lambda rules: rules.surrender_when == "after-own-cards",
        Variant("perth/vegas", readings=(("surrender_window", "even-after-own-third-card"),)),
    ),
    Refusal(
        "odds",
        BEFORE_SWITCH,
        "before second cards are switched",
        _acts_before_switch,
        Variant("star/switch", changes=(("surrender_when", "table-pass"),)),
    ),
    Refusal(
        "simulator",
        INFINITE,
        "an infinite deck cannot be dealt from",
        lambda rules: rules.decks == 0,
        Variant("star/blackjack", options=(("decks", "inf"),)),
    ),
    Refusal(
        "simulator",
        BEFORE_SWITCH,
        "before second cards are switched",
        _acts_before_switch,
        Variant("star/switch", changes=(("surrender_when", "table-pass"),)),
    ),
    Refusal(
        "simulator",
        "bonus hands where a 21 does not win whatever the dealer has (`bonus_table`, `player_21_wins`)",
        "pays bonus hands only where a 21 wins",
        lambda rules: rules.bonus_table != "none" and not (rules.player_21_wins and rules.winning_hands_first),
        Variant("melbourne/pontoon", changes=(("player_21_wins", False),)),
    ),
    Refusal(
        "simulator",
        UNDER_AND_OVER,
        "Under 13 and Over 13",
        _clash,
        Variant("rws/blackjack", readings=(("under_over_both", "one-only"),), side_wagers=("under-13", "over-13")),
    ),
    Refusal(
        "simulator",
        "side wagers on the cards of one box, where second cards are switched",
        "where second cards are switched",
        lambda rules: rules.switch and bool(_looks(rules) - {BY_FOUR_CARDS, BY_DEALER_HAND}),
        Variant("melbourne/blackjack", side_wagers=("perfect-pairs",), changes=SWITCHED),
    ),
    Refusal(
        "environments",
        INFINITE,
        "an infinite deck cannot be dealt from",
        lambda rules: rules.decks == 0,
        Variant("star/blackjack", options=(("decks", "inf"),)),
    ),
    Refusal(
        "environments",
        UNDER_AND_OVER,
        "Under 13 and Over 13",
        _clash,
        Variant("rws/blackjack", readings=(("under_over_both", "one-only"),), side_wagers=("under-13", "over-13")),
    ),
    Refusal(
        "environments",
        "side wagers on the third card or on tokens of one box, where second cards are switched",
        "where second cards are switched",
        lambda rules: rules.switch and bool(_looks(rules) & {BY_THIRD_CARD, BY_TOKENS}),
        Variant("melbourne/blackjack", side_wagers=("magnificent-sevens",), changes=SWITCHED),
    ),
)  # fmt: skip


def refusal_of(executor: str, rules: Rules) -> Refusal | None:
    """The row of the list that these rules meet."""
    return next((row for row in REFUSALS if row.executor == executor and row.holds(rules)), None)
