"""Figures as people read them: per cent with a sign and a unit, chances as one in so many, decks in words."""

from __future__ import annotations

from fractions import Fraction

Number = float | Fraction

LONGEST_FRACTION = 24
"""A fraction longer than this is left to those who ask for JSON."""


def percent(number: Number, digits: int = 3, *, sign: bool = False) -> str:
    """`0.0054` as `0.540 %`."""
    rounded = round(float(number) * 100, digits) or 0.0  # a rounded minus zero is zero
    return f"{rounded:{'+' if sign else ''}.{digits}f} %"


def one_in(chance: Number) -> str:
    """A chance as `1 in 84.2`, `1 in 250,666`."""
    if chance == 0:
        return "never"
    if chance == 1:
        return "always"
    times = float(1 / Fraction(chance))
    return f"1 in {times:,.0f}" if times >= 1000 else f"1 in {times:.1f}" if times >= 10 else f"1 in {times:.2f}"


def decks_in_words(decks: int, cards: int) -> str:
    """`8 decks of 52 cards`, `an infinite deck of 48 cards`."""
    if decks == 0:
        return f"an infinite deck of {cards} cards"
    return f"{decks} deck{'' if decks == 1 else 's'} of {cards} cards"


def short_fraction(number: Fraction) -> str:
    """`31/415`, or nothing where the fraction is too long to be read."""
    text = str(number)
    return text if len(text) <= LONGEST_FRACTION else ""


def write_signed(net: Fraction) -> str:
    """What a player is up or down: `+25`, `+3/2`, `-1`."""
    return f"{net.numerator:+,}" if net.denominator == 1 else f"{'+' if net > 0 else ''}{net}"


def of_the_house(edge: Number) -> str:
    """Whom a figure favours."""
    if edge == 0:
        return "fair"
    return "in the house's favour" if edge > 0 else "in the player's favour"
