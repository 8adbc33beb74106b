"""How kernels are compiled: kept on disk, free of the interpreter's lock and of reference counts.

A kernel allocates nothing and holds no object, so there is nothing to count; counting the references of every array
that is handed from one kernel to another costs more than the round they are handed over for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel on its first call with arguments of these types."""
    compiled: Callable[..., Any] = njit(**OPTIONS)(function)
    return compiled
