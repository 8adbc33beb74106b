"""Two kinds of numbers for one recursion: floats for compiled kernels, fractions for proofs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pitboss.play._jit import forget_what_is_stale

Number = float
"""A number of a calculation: a float, or a `Fraction` that stands in for it where a proof is asked for."""

Array = NDArray[np.float64]
"""An array of such numbers; of objects where they are fractions."""


class Numbers(NamedTuple):
    """How to make numbers and arrays of one kind, and the kernels that take them."""

    name: str
    make: Callable[[int | float | Fraction], Number]
    dtype: type
    kernel: Callable[[str], Callable[..., None]]

    def array(self, values: object) -> Array:
        """`values`, any nesting of numbers, as an array of this kind."""
        if self.dtype is float:
            return np.array(values, dtype=float)
        plain = np.asarray(values, dtype=object)
        made: Array = np.empty(plain.shape, dtype=self.dtype)
        made[...] = [] if plain.size == 0 else np.frompyfunc(self.make, 1, 1)(plain)
        return made

    def zeros(self, *shape: int) -> Array:
        """An array of nothing."""
        return np.zeros(shape, dtype=self.dtype)


@functools.cache
def _compile(name: str) -> Callable[..., None]:
    from numba import njit

    made: Callable[..., None] = njit(cache=True, nogil=True, error_model="numpy")(_plain(name))
    return forget_what_is_stale(made)


def _plain(name: str) -> Callable[..., None]:
    # The recursions are written in the types above, so that they come after them.
    from pitboss.odds.hand import recursions
    from pitboss.odds.splits import joint_kernels

    found: Callable[..., None] = getattr(recursions, name, None) or getattr(joint_kernels, name)
    return found


FLOATS = Numbers("float", float, float, _compile)
EXACT = Numbers("exact", cast("Callable[[int | float | Fraction], Number]", Fraction), object, _plain)
