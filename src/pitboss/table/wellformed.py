"""Whether a command is one at all: amounts that are numbers, cards that exist, texts that fit on a line.

A command may come from anywhere. What is asked here is the same for all of them and has nothing to do with rules, so
that the rest of the table need not ask it again.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pitboss.cards import CARD_ID
from pitboss.money import MoneyError, parse_money
from pitboss.table.commands import Command

LONGEST_TEXT = 200
CARD_FIELDS = frozenset({"card", "cards"})


def fault(command: Command) -> str:
    """What is wrong with the form of a command; nothing if it can be answered."""
    for name in command.__struct_fields__:
        value = getattr(command, name)
        if name in CARD_FIELDS and (problem := _cards(value)):
            return problem
        if problem := _value(name, value):
            return problem
    return ""


def _cards(value: Any) -> str:
    cards = value if isinstance(value, tuple) else (value,) if isinstance(value, str) else ()
    unknown = next((card for card in cards if card not in CARD_ID), None)
    return "" if unknown is None else f"{unknown!r} is not a card: write a rank and a suit, such as Td"


def _value(name: str, value: Any) -> str:
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT or not value.isprintable():
            return f"{name} must be a text of one line and no more than {LONGEST_TEXT} characters"
    elif isinstance(value, Decimal):
        try:
            parse_money(value)
        except MoneyError as error:
            return str(error)
    elif isinstance(value, tuple):
        return next((problem for item in value if (problem := _value(name, item))), "")
    return ""
