"""Marks a function as usable inside compiled kernels without importing the compiler.

A function marked `@kernel` is plain Python for the table. `compiled` modules (the analyser's and the simulator's) call
`register_all` before they compile anything; only then is Numba imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_waiting: list[Callable[..., object]] = []
"""Marked functions of which the compiler does not know yet."""


def kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Mark `function` as part of the arithmetic that kernels inline."""
    _waiting.append(function)
    return function


def register_all() -> None:
    """Make every marked function known to Numba (`register_jitable` with inlining left to the compiler)."""
    from numba.extending import register_jitable

    while _waiting:
        register_jitable(_waiting.pop())


def forget_what_is_stale(compiled: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let a kernel whose code on disk names modules or types that are gone be recompiled instead of failing."""
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is not None:
        load = file._load_index

        def load_what_is_known() -> object:
            try:
                return load()
            except (ImportError, AttributeError):
                return {}

        file._load_index = load_what_is_known
    return compiled
