"""Numbers as people type them: `1000`, `1,000`, `1_000`, `1e3`, `0.75`."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from pitboss.errors import PitbossError

GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
LARGEST_EXPONENT = 18
"""Nothing that is asked for has more digits than this."""


def read_number(name: str, text: str) -> Decimal:
    """The number; `name` says in a complaint what it is for."""
    plain = text.strip()
    try:
        number = Decimal(plain.replace(",", "") if GROUPED.fullmatch(plain) else plain)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or abs(number.adjusted()) > LARGEST_EXPONENT:
        raise PitbossError(f"{name} {text}: write a number such as 1000, 1,000 or 1e3")
    return number


def read_whole(name: str, text: str, least: int = 0, most: int | None = None) -> int:
    """A whole number from `least` to `most`."""
    number = read_number(name, text)
    if number != number.to_integral_value() or number < least or (most is not None and number > most):
        span = f"from {least:,} to {most:,}" if most is not None else f"of {least:,} or more"
        raise PitbossError(f"{name} {text}: write a whole number {span}")
    return int(number)
