"""Money only moves."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.floor.ledger import (
    LedgerError,
    Transfer,
    Unit,
    add_up_changes,
    find_imbalance,
    find_overdraft,
    from_grains,
    to_grains,
)  # fmt: skip

ACCOUNTS = ("cage:", "wallet:ann", "purse:t/ann", "layout:t", "float:t")


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=6))
def test_grains_are_exact(amount: Decimal) -> None:
    assert from_grains(to_grains(amount)) == amount


def test_what_is_finer_than_a_grain_is_refused() -> None:
    with pytest.raises(LedgerError, match="finer than the ledger"):
        to_grains(Decimal("0.0000001"))


transfers = st.builds(
    Transfer, st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(1, 10**12), st.sampled_from(Unit)
)


@given(st.lists(transfers))
def test_every_account_together_comes_to_zero(moves: list[Transfer]) -> None:
    assert find_imbalance(add_up_changes(moves)) == 0


def test_an_imbalance_is_found_in_each_unit_by_itself() -> None:
    assert find_imbalance({("cage:", Unit.CHIP): -5, ("tray:", Unit.TOKEN): 5}) == 10


def test_what_players_have_is_never_below_zero_and_the_cage_may_be() -> None:
    assert find_overdraft({}, {("wallet:ann", Unit.CHIP): -1}) == "wallet:ann"
    assert find_overdraft({("wallet:ann", Unit.CHIP): 1}, {("wallet:ann", Unit.CHIP): -1}) == ""
    assert find_overdraft({}, {("cage:", Unit.CHIP): -1}) == ""
