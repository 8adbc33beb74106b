"""Commands of the floor's streams out of plain data: what is no amount, no number and no line of text is none."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pitboss.floor.house_messages import convert_house_command
from pitboss.floor.live_table import StreamError
from pitboss.floor.records.registry import KIND_BY_WORD
from pitboss.floor.served.kind_stream import convert_kind_command
from pitboss.table.messages.askers import Asker

MIA = Asker("assistant-casino-manager", "mia")
OPEN = {"type": "open-system", "system": "bj1", "wager": "blackjack-jackpots", "price": "5"}


@pytest.mark.parametrize(
    ("word", "asked", "words"),
    [
        ("tournament", {"type": "wager", "amount": "NaN"}, "amount is not an amount but NaN"),
        ("tournament", {"type": "wager", "amount": "10", "sides": {"pairs": "-Infinity"}}, "sides.pairs is not an"),
        ("tournament", {"type": "add-to-pool", "amount": "1e13"}, "amount is too large an amount"),
        ("tournament", {"type": "act", "move": "double", "amount": "sNaN"}, "amount is not an amount but sNaN"),
        (
            "tournament",
            {"type": "move-start", "stage": "final", "to": 2**63, "reason": "r"},
            "to is too large a number",
        ),
        ("tournament", {"type": "cancel", "reason": "fire\n"}, "reason is one printable line"),
        ("tournament", {"type": "designate-tables", "tables": ["t1", "x" * 201]}, "tables[1] is one printable line"),
        ("meters", {**OPEN, "meters": {"m": {"seed": "NaN", "rate": "0.05"}}}, "meters.m.seed is not an amount"),
        ("meters", {**OPEN, "meters": {"m": {"seed": "1", "rate": "0.0000001"}}}, "meters.m.rate is too fine"),
        ("meters", {**OPEN, "meters": {"m": {"seed": "1", "rat": "0.05"}}}, "unknown field `rat`"),
        ("promotion", {"type": "claim", "prize": 1, "payment": {"cash": "Infinity"}}, "payment.cash is not an amount"),
        ("vouchers", {"type": "exchange", "voucher": 1, "table": "t1", "tokens": "NaN"}, "tokens is not an amount"),
    ],
)
def test_what_cannot_be_a_command_is_refused_with_its_field(word: str, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(StreamError) as caught:
        convert_kind_command(KIND_BY_WORD[word], asked, MIA)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("amount", ["NaN", "-Infinity", "1e400", "0.0000001"])
def test_chips_are_moved_by_exact_amounts(amount: str) -> None:
    with pytest.raises(StreamError, match="amount is "):
        convert_house_command({"type": "fill-float", "table": "m1", "amount": amount})


def test_what_can_be_one_is_taken_as_it_is() -> None:
    asked = {**OPEN, "meters": {"m": {"seed": "10000", "rate": "0.050000"}}}
    assert convert_kind_command(KIND_BY_WORD["meters"], asked, MIA).meters["m"].seed == Decimal(10000)
