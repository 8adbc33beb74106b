"""Whether a command is one at all: amounts that are numbers, cards that exist, texts that fit on a line.

A command may come from anywhere. What is asked here is the same for all of them and has nothing to do with rules, so
that the rest of the table need not ask it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import msgspec
from msgspec.structs import asdict, astuple

from pitboss.cards import CARD_ID
from pitboss.money import MoneyError, parse_money
from pitboss.table.messages.commands import Command

LONGEST_TEXT = 200
LONGEST_TERM = 4000
"""A text of a document, which may have several lines."""
LARGEST_NUMBER = 2**53 - 1
"""What every program that reads JSON keeps exactly."""
FINEST_PLACES = 6
"""Decimal places of an amount, and of a share of one: the ledger keeps no more."""
LARGEST_AMOUNT = Decimal(10**12)


def find_fault(command: Command) -> str:
    """What is wrong with the form of a command; nothing if it can be answered."""
    problem = _fault_in(astuple(command))
    if not problem and "cards" in command.__struct_fields__:
        cards: tuple[object, ...] = getattr(command, "cards")  # noqa: B009 - only some commands have cards
        unknown = next((card for card in cards if card not in CARD_ID), None) if isinstance(cards, tuple) else None
        problem = "" if unknown is None else f"{unknown!r} is not a card: write a rank and a suit, such as Td"
    return problem


def _fault_in(values: Iterable[Any]) -> str:
    for value in values:
        kind = value.__class__
        if kind is str:
            if len(value) > LONGEST_TEXT or not value.isprintable():
                return f"a name or reason is one line of no more than {LONGEST_TEXT} characters"
        elif kind is Decimal:
            try:
                parse_money(value)
            except MoneyError as error:
                return str(error)
        elif kind is tuple and value and (problem := _fault_in(value)):
            return problem
    return ""


def find_value_fault(message: msgspec.Struct) -> str:
    """What no field of a message may hold, whatever it is for: an amount that is no number, a text of many lines.

    The field is named as it is written: `format.stages[0].stack`. What a document holds by name (the texts of its
    terms) may have several lines.
    """
    return _search(message, "")


def _search(value: Any, where: str, in_terms: bool = False) -> str:
    match value:
        case Decimal():
            return _tell(where, _amount_fault(value))
        case str():
            return _tell(where, _text_fault(value, in_terms))
        case bool():
            return ""
        case int():
            return _tell(where, "is too large a number" if abs(value) > LARGEST_NUMBER else "")
        case msgspec.Struct():
            fields = ((f"{where}.{name}" if where else name, item) for name, item in asdict(value).items())
            return _first(_search(item, at) for at, item in fields)
        case dict():
            names = _first(_tell(where, _text_fault(name, False)) for name in value if isinstance(name, str))
            return names or _first(_search(item, f"{where}.{name}", True) for name, item in value.items())
        case tuple() | list():
            return _first(_search(item, f"{where}[{at}]") for at, item in enumerate(value))
    return ""


def _first(problems: Iterable[str]) -> str:
    return next((problem for problem in problems if problem), "")


def _tell(where: str, problem: str) -> str:
    return f"{where} {problem}" if problem else ""


def _amount_fault(amount: Decimal) -> str:
    if not amount.is_finite():
        return f"is not an amount but {amount}: write an exact decimal such as 12.5"
    if amount and amount.adjusted() >= LARGEST_AMOUNT.adjusted():
        return f"is too large an amount: less than {LARGEST_AMOUNT:,}"
    exponent = amount.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -FINEST_PLACES and amount != round(amount, FINEST_PLACES):
        return f"is too fine an amount: {FINEST_PLACES} decimal places are kept"
    return ""


def _text_fault(text: str, in_terms: bool) -> str:
    if in_terms:
        good = len(text) <= LONGEST_TERM and text.replace("\n", " ").isprintable()
        return "" if good else f"is a printable text of no more than {LONGEST_TERM} characters"
    good = len(text) <= LONGEST_TEXT and text.isprintable()
    return "" if good else f"is one printable line of no more than {LONGEST_TEXT} characters"
