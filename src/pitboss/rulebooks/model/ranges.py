"""The least and the most that the numbers of a rulebook can be."""

from __future__ import annotations

MOST_DECKS = 100
"""More decks than any shoe or device holds."""

RANGES: dict[str, tuple[int, int]] = {
    "decks": (0, MOST_DECKS),
    "boxes_min": (1, 99),
    "boxes_max": (1, 99),
    "cut_min_decks_from_end": (0, MOST_DECKS),
    "cut_card_min_half_decks": (0, 2 * MOST_DECKS),
    "cut_card_max_half_decks": (0, 2 * MOST_DECKS),
    "sharers_max": (1, 99),
    "minimum_raise_notice_minutes": (0, 10_080),
    "close_notice_minutes": (0, 10_080),
    "close_notice_rounds": (0, 999),
    "idle_rounds": (0, 999),
    "surrender_below": (0, 22),
    "forced_draw_below": (0, 22),
    "auto_draw_hard": (0, 22),
    "auto_draw_soft": (0, 22),
    "max_cards": (2, 22),
    "absent_hard": (0, 22),
    "absent_soft": (0, 22),
    "split_max_hands": (1, 16),
    "split_aces_max_hands": (1, 16),
    "dealer_stands_hard": (12, 21),
    "dealer_stands_soft": (12, 21),
    "dealer_push_total": (22, 31),
}
"""The least and the most that a number can be: beyond it nothing could be meant, and nothing could be dealt."""


def complain_of_range(parameter: str, value: object) -> str:
    """What is wrong with a number that is out of its range; nothing if it is within, or no number."""
    if type(value) is not int or parameter not in RANGES:
        return ""
    least, most = RANGES[parameter]
    return "" if least <= value <= most else f"must be from {least:,} to {most:,}, not {value}"
