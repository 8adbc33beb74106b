"""The shoe: where it may be cut, where the cut card may lie, and what is burnt before anybody is dealt to."""

from __future__ import annotations

from pitboss.rulebooks.model.rules import Rules


def cut_range(rules: Rules, cards: int) -> tuple[int, int]:
    """From where to where a stack may be cut, counted from the front; the middle of one too short for the rule."""
    margin = min(rules.cut_min_decks_from_end * rules.deck_cards, cards // 2)
    return margin, cards - margin


def cut_card_range(rules: Rules, cards: int) -> tuple[int, int]:
    """From where to where the cut card may lie in a stack, counted from the back."""
    half_deck, middle = rules.deck_cards // 2, cards // 2
    most = middle if rules.cut_card_max_half_decks is None else rules.cut_card_max_half_decks * half_deck
    return min(rules.cut_card_min_half_decks * half_deck, middle), min(most, cards - 1)


def usual_cut_card(rules: Rules, cards: int) -> int:
    """A deck and a half from the back, or as near to it as the book allows."""
    least, most = cut_card_range(rules, cards)
    return max(least, min(most, rules.deck_cards * 3 // 2))


def burns_unseen(rules: Rules, *, device: bool) -> bool:
    """One card is burnt unseen when the cards have come into play."""
    rule = rules.burn_device if device else rules.burn_shoe
    return rule in ("first-card-unseen", "optional-shown-on-request")


def returns_within_round(rules: Rules, *, device: bool) -> bool:
    """The cards of a collected hand go back into the device before the next card is drawn."""
    return device and rules.discards_return == "mid-round"


def returns_after_next_deal(rules: Rules, *, device: bool) -> bool:
    """The cards of a round go back into the device only when the next round is dealt."""
    return device and rules.discards_return == "after-next-initial-deal"


def burns_every_round(rules: Rules, *, device: bool) -> bool:
    """The first card of a device is burnt before every round, not once when it is loaded."""
    return device and rules.burn_device == "first-card-unseen" and rules.burn_device_when == "each-round"
