"""Two kinds of numbers for one recursion: floats for compiled kernels, fractions for proofs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pitboss.odds.hand import recursions

Number = Any
"""A float, or a `Fraction` in exact mode."""

Array = Any
"""An array of such numbers."""


class Numbers(NamedTuple):
    """How to make numbers and arrays of one kind, and the kernels that take them."""

    name: str
    make: Callable[[Any], Number]
    dtype: type
    kernel: Callable[[str], Callable[..., None]]

    def array(self, values: Any) -> Array:
        """`values`, any nesting of numbers, as an array of this kind."""
        plain = np.asarray(values, dtype=object)
        made: Array = np.empty(plain.shape, dtype=self.dtype)
        made[...] = [] if plain.size == 0 else np.frompyfunc(self.make, 1, 1)(plain)
        return made

    def zeros(self, *shape: int) -> Array:
        """An array of nothing."""
        return np.zeros(shape, dtype=self.dtype)


@functools.cache
def _compiled(name: str) -> Callable[..., None]:
    from numba import njit

    made: Callable[..., None] = njit(cache=True, nogil=True, error_model="numpy")(getattr(recursions, name))
    return made


def _plain(name: str) -> Callable[..., None]:
    found: Callable[..., None] = getattr(recursions, name)
    return found


FLOATS = Numbers("float", float, float, _compiled)
EXACT = Numbers("exact", Fraction, object, _plain)
