"""What the names in results mean, in words: how a hand ends, where an expectation comes from, by which method."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.rulebooks import Rules

ENDS: Mapping[str, str] = {
    "bust": "the player busts",
    "lower": "lower than the dealer",
    "tie-loses": "equal to the dealer, and ties lose",
    "dealer-natural": "lost to a dealer's natural",
    "stand-off": "equal to the dealer: a push",
    "both-naturals": "both have a natural",
    "push-total": "the dealer's {push_total}: a push",
    "higher": "higher than the dealer",
    "dealer-bust": "the dealer busts",
    "natural": "natural",
    "twenty-one": "21 of other cards",
    "five-cards": "five cards that win",
    "five-cards-21": "21 in five cards",
    "six-cards-21": "21 in six cards",
    "seven-cards-21": "21 in seven cards or more",
    "678": "6-7-8",
    "777": "7-7-7",
    "forfeit": "the double is taken back",
    "surrender": "surrendered",
}
"""How a hand ends, in words, with a place for the total on which the dealer pushes."""

PART_NAMES: Mapping[str, str] = {
    "naturals": "naturals",
    "single hands": "hands played with one stake",
    "doubles": "doubled hands",
    "splits": "split hands",
    "surrenders": "surrendered hands",
    "bonuses": "what bonus odds add to ordinary ones",
}
"""Where an expectation comes from, in words."""

METHODS: Mapping[str, str] = {
    "optimal": "best play with full memory, from an infinite deck",
    "CDZ-": "best play by the cards of each hand and the up card; a split hand is played like the same cards unsplit",
    "CDP1": "best play by the cards of each hand and the up card; a split hand knows one more card of the pair gone",
    "CDP": "best play by the cards of each hand and the up card; a split hand knows how many of the pair are gone",
}
"""The methods in words; docs/methods.md says more."""


def end_in_words(name: str, rules: Rules) -> str:
    """How a hand ends at a table with these rules."""
    return ENDS.get(name, name.replace("-", " ")).format(push_total=rules.dealer_push_total)
