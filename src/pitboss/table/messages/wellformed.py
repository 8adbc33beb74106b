"""Whether a command is one at all: amounts that are numbers, cards that exist, texts that fit on a line.

A command may come from anywhere. What is asked here is the same for all of them and has nothing to do with rules, so
that the rest of the table need not ask it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from msgspec.structs import astuple

from pitboss.cards import CARD_ID
from pitboss.money import MoneyError, parse_money
from pitboss.table.messages.commands import Command

LONGEST_TEXT = 200


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
