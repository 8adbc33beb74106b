"""What is paid and taken when wagers are decided, and an amount as the chips that a dealer puts down."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pitboss.money import ZERO, Money
from pitboss.records.narrate.settlements import tell_settlement
from pitboss.table.state import Settlement, State

CHIPS = tuple(Money(text) for text in ("5000", "1000", "500", "100", "25", "10", "5", "2.5", "1", "0.5"))
"""The chips of a float, the largest first."""


class ChipPayment(msgspec.Struct, frozen=True, kw_only=True):
    """One wager decided: who is paid or loses what, in which chips, by which clause."""

    box: str
    hand: int
    player: str
    wager: str
    stake: Money
    net: Money
    outcome: str
    chips: tuple[Money, ...]
    """What is paid, or taken, the largest chip first."""
    rest: Money
    """What no chip pays."""
    words: str
    clauses: tuple[str, ...]


def break_into_chips(amount: Money, smallest: Money | None = None) -> tuple[tuple[Money, ...], Money]:
    """The fewest chips that make an amount, and what is left that none pays; no chip below the table's smallest."""
    found: list[Money] = []
    left = abs(amount)
    for chip in CHIPS:
        if smallest is not None and (chip < smallest or chip % smallest):
            continue
        count = int(left // chip)
        found += [chip] * count
        left -= chip * count
    return tuple(found), left


def list_payments(state: State, settlements: Iterable[Settlement]) -> tuple[ChipPayment, ...]:
    """Settlements as a dealer pays them, in their order; `state` is the table that they are read at."""
    return tuple([_describe_payment(state, settled) for settled in settlements])


def _describe_payment(state: State, settled: Settlement) -> ChipPayment:
    chips, rest = break_into_chips(settled.net, state.limits.chip) if settled.net else ((), ZERO)
    return ChipPayment(
        box=settled.box, hand=settled.hand, player=settled.player, wager=settled.wager, stake=settled.stake,
        net=settled.net, outcome=settled.outcome, chips=chips, rest=rest, words=tell_settlement(state, settled),
        clauses=settled.clauses,
    )  # fmt: skip
