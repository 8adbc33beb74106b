"""Marks a function as usable inside compiled kernels without importing the compiler.

A function marked `@kernel` is plain Python for the table. `compiled` modules (the analyser's and the simulator's) call
`register_all` before they compile anything; only then is Numba imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_MARKED: list[Callable[..., Any]] = []
_registered: set[int] = set()


def kernel(function: F) -> F:
    """Mark `function` as part of the arithmetic that kernels inline."""
    _MARKED.append(function)
    return function


def register_all() -> None:
    """Make every marked function known to Numba (`register_jitable` with inlining left to the compiler)."""
    from numba.extending import register_jitable

    for function in _MARKED:
        if id(function) not in _registered:
            register_jitable(function)
            _registered.add(id(function))
