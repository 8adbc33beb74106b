"""What a kernel is handed has one name in it, and a kernel compiled so does what its Python does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from pitboss.sim.kernels import sharing
from pitboss.sim.kernels.compiling import compile_kernel, part


class Inner(NamedTuple):
    """Something handed on inside something else."""

    prices: NDArray[np.int64]
    form: tuple[int, ...]


class Outer(NamedTuple):
    """What a kernel is handed."""

    inner: Inner
    extra: int


@part
def look_up(given: Outer, place: int) -> int:
    """A part that gives things names of its own, and assigns to what it was called with."""
    inner = given.inner
    place = place + given.extra if len(inner.form) > 0 else place
    return inner.prices[place % inner.prices.size]


def add_prices(given: Outer, start: int, many: int) -> int:
    """A kernel that assigns to one of its arguments, and puts the part in twice."""
    total = 0
    for place in range(many):
        start = start + look_up(given, place)
        given.inner.prices[0] += 1
        total += start * look_up(given, start)
    return total


@pytest.mark.parametrize("form", [(), (1,)])
def test_a_kernel_of_parts_does_what_its_python_does(form: tuple[int, ...]) -> None:
    def hand_out() -> Outer:
        return Outer(Inner(np.array([3, 1, 4, 1, 5]), form), 2)

    assert compile_kernel(add_prices)(hand_out(), 7, 40) == add_prices(hand_out(), 7, 40)


def test_what_is_handed_has_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Any, ...]] = []
    give = sharing._give_one_name

    def watch(blocks: dict[int, Any], paths: dict[str, tuple[str, ...]]) -> None:
        give(blocks, paths)
        assigned = [one.value for block in blocks.values() for one in block.find_insts(sharing.IR.Assign)]
        found = [(value.value.name, value.attr) for value in assigned if getattr(value, "op", "") == "getattr"]
        seen.extend(pair for pair in found if pair[1] in ("inner", "prices", "extra"))

    monkeypatch.setattr(sharing, "_give_one_name", watch)
    kernel: Any = njit(pipeline_class=sharing.SharingCompiler)(add_prices)
    kernel(Outer(Inner(np.array([3, 1]), (1,)), 2), 7, 4)
    assert sorted(attribute for _, attribute in seen) == ["extra", "inner", "prices"]
