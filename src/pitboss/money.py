"""Exact money: amounts, odds, and rounding up to what can be paid in chips.

Amounts are decimals in the currency of the table and are never floats. Odds are a ratio of whole numbers. A payment
that has no exact decimal value is rounded up to the next cent, in the player's favour like every rounding in the
books; where a smallest payable chip is set, payments go up to the next multiple of it.
"""

from __future__ import annotations

import functools
import re
from decimal import ROUND_CEILING, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import NamedTuple

from pitboss.errors import PitbossError

Money = Decimal

ZERO = Decimal(0)
CENT = Decimal("0.01")


class MoneyError(PitbossError):
    """A text that should be an amount or odds is not."""


class Odds(NamedTuple):
    """`Odds(3, 2)` pays three for each two staked, the stake itself staying the player's."""

    win: int
    stake: int

    def pay(self, stake: Money, chip: Money | None = None) -> Money:
        """What a winning `stake` is paid, on top of the stake."""
        return round_up(exact_ratio(stake, self.win, self.stake), chip)

    def __str__(self) -> str:
        return f"{self.win}:{self.stake}"


def parse_odds(text: str) -> Odds:
    """`"3:2"`, `"3 to 2"`."""
    match = re.fullmatch(r"\s*(\d+)\s*(?::|to)\s*(\d+)\s*", text)
    if match is None or int(match[2]) == 0:
        raise MoneyError(f"'{text}' is not odds: write them as \"3:2\"")
    return Odds(int(match[1]), int(match[2]))


def parse_money(text: str | int | Decimal) -> Money:
    """An exact, finite amount; a sign is allowed."""
    if isinstance(text, float):
        raise MoneyError(f"{text} is a float, which is not an exact amount: write it as a text, '{text}'")
    try:
        amount = Decimal(text)
    except (InvalidOperation, ValueError, TypeError):
        raise MoneyError(f"'{text}' is not an amount: write an exact decimal such as 12.5") from None
    if not amount.is_finite() or abs(amount.adjusted()) > 15:
        raise MoneyError(f"'{text}' is not an amount: write an exact decimal such as 12.5")
    return amount


def parse_stake(amount: str | int | Decimal) -> Money:
    """An amount that can be staked: above zero."""
    stake = parse_money(amount)
    if stake <= 0:
        raise MoneyError(f"a stake must be above zero, not {amount}")
    return stake


def exact_ratio(amount: Money, numerator: int, denominator: int) -> Money:
    """`amount * numerator / denominator`, rounded up to a cent only where no decimal is exact."""
    product = amount * numerator
    if denominator == 1:
        return product
    rest = _without_twos_and_fives(denominator)
    if rest > 1 and Fraction(product).numerator % rest:
        return round_up_fraction(Fraction(product) / denominator, CENT)
    return product / denominator


@functools.cache
def _without_twos_and_fives(number: int) -> int:
    """What is left of a divisor once the factors are gone by which every decimal can be divided exactly."""
    for factor in (2, 5):
        while number % factor == 0:
            number //= factor
    return number


def round_up(amount: Money, chip: Money | None) -> Money:
    """`amount`, or the next multiple of `chip` above it."""
    if chip is None:
        return amount
    with localcontext() as context:
        context.rounding = ROUND_CEILING
        return (amount / chip).to_integral_value() * chip


def round_up_fraction(amount: Fraction, chip: Money) -> Money:
    """The smallest multiple of `chip` that is not below `amount`."""
    multiples = -(-amount // Fraction(chip))
    return Decimal(int(multiples)) * chip


def half(amount: Money) -> Money:
    """Half of an amount, exactly."""
    return amount / 2


def show(amount: Money, *, sign: bool = False) -> str:
    """Plain decimal text without trailing zeros: `12.5`, `+30`, `-0.75`, `0`."""
    text = format(amount.normalize(), "f") if amount else "0"
    if text == "-0":
        text = "0"
    return f"+{text}" if sign and amount > 0 else text
