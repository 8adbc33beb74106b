"""How kernels are compiled: kept on disk, free of the interpreter's lock and of reference counts.

A kernel allocates nothing and holds no object, so there is nothing to count; counting the references of every array
that is handed from one kernel to another costs more than the round they are handed over for.

What is kept on disk is a kernel with everything it calls compiled into it. It is taken up again only while all modules
that kernels are written in are as they were, not only the one that the kernel stands in.
"""

from __future__ import annotations

import functools
import importlib.util
import pkgutil
from collections.abc import Callable
from importlib.abc import SourceLoader
from typing import Any

from numba import njit

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
ROOMS = ("pitboss.play", "pitboss.sim.kernels", "pitboss.sim.unfold")


@functools.cache
def sources_stamp(rooms: tuple[str, ...] = ROOMS) -> tuple[tuple[str, Any], ...]:
    """Name, time of change and size of every module that kernels are written in, as the import system knows them."""
    found = []
    for room in rooms:
        place = importlib.util.find_spec(room)
        folders = place.submodule_search_locations if place is not None else None
        for module in pkgutil.iter_modules(folders, f"{room}."):
            spec = importlib.util.find_spec(module.name)
            if spec is not None and isinstance(spec.loader, SourceLoader) and spec.origin is not None:
                found.append((module.name, tuple(spec.loader.path_stats(spec.origin).items())))
    return tuple(found)


def kernel(function: Callable[..., Any], rooms: tuple[str, ...] = ROOMS) -> Callable[..., Any]:
    """Compile a kernel on its first call with arguments of these types; `rooms` hold what it is written in."""
    compiled: Any = njit(**OPTIONS)(function)
    # Without this a kernel would be taken up although a function it calls has changed in another module.
    kept = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._source_stamp = (kept._source_stamp, sources_stamp(rooms))
    called: Callable[..., Any] = compiled
    return called


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is put into the kernels that call it, as if it were written there."""
    inlined: Callable[..., Any] = njit(inline="always", **OPTIONS)(function)
    return inlined
