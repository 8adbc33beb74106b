"""How kernels are compiled: kept on disk, free of the interpreter's lock and of reference counts.

A kernel allocates nothing and holds no object, so there is nothing to count; counting the references of every array
that is handed from one kernel to another costs more than the round they are handed over for.

What is kept on disk is a kernel with everything it calls compiled into it. It is reused only while all modules
that kernels are written in are as they were, not only the one that the kernel stands in.
"""

from __future__ import annotations

import functools
import importlib.util
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.abc import SourceLoader
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numba import config, njit, typeof
from numba.core import event
from numpy.typing import NDArray

from pitboss.play._jit import forget_what_is_stale
from pitboss.sim.kernels.sharing import SharingCompiler

SETTINGS: Any = config
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
ROOMS = ("pitboss.play", "pitboss.sim.kernels", "pitboss.sim.unfold")

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

Codes = NDArray[np.uint8]
"""Cards by code: the rank in the low four bits, the suit in the next two."""
Ints = NDArray[np.int64]

INT64 = cast("Callable[[object], int]", np.int64)
UINT64 = cast("Callable[[object], int]", np.uint64)
"""A whole number of this width: kernels are particular about it, and to the reader it is a whole number."""


@functools.cache
def sources_stamp(rooms: tuple[str, ...] = ROOMS) -> tuple[tuple[str, tuple[tuple[str, object], ...]], ...]:
    """Name, time of change and size of every module that kernels are written in, as the import system knows them."""
    return tuple(stamp for room in rooms for stamp in _stamps_below(room))


def _stamps_below(package: str) -> Iterator[tuple[str, tuple[tuple[str, object], ...]]]:
    place = importlib.util.find_spec(package)
    folders = place.submodule_search_locations if place is not None else None
    for module in pkgutil.iter_modules(folders, f"{package}."):
        if module.ispkg:
            yield from _stamps_below(module.name)
            continue
        spec = importlib.util.find_spec(module.name)
        if spec is not None and isinstance(spec.loader, SourceLoader) and spec.origin is not None:
            yield module.name, tuple(spec.loader.path_stats(spec.origin).items())


def compile_kernel(
    function: Callable[Arguments, Result], rooms: tuple[str, ...] = ROOMS
) -> Callable[Arguments, Result]:
    """Compile a kernel on its first call with arguments of these types; `rooms` hold what it is written in."""
    compiled: Callable[Arguments, Result] = njit(pipeline_class=SharingCompiler, **OPTIONS)(function)
    # Without this a kernel would be taken up although a function it calls has changed in another module.
    kept = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._source_stamp = (kept._source_stamp, sources_stamp(rooms))
    return forget_what_is_stale(compiled)


def compile_short_loops(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a kernel whose loops of a few fixed steps are to be vector work; Numba leaves that pass out by itself."""
    compiled = compile_kernel(function)
    compile_one = getattr(compiled, "compile", None)
    if compile_one is not None:

        def compile_with_pass(signature: object) -> object:
            before, SETTINGS.SLP_VECTORIZE = SETTINGS.SLP_VECTORIZE, 1
            try:
                return compile_one(signature)
            finally:
                SETTINGS.SLP_VECTORIZE = before

        vars(compiled)["compile"] = compile_with_pass
    return compiled


def compile_for(
    kernel: Callable[Arguments, Result], *given: Arguments.args, **named: Arguments.kwargs
) -> Callable[Arguments, Result]:
    """The kernel for arguments of the types of these alone: a call of it does not look at the types once more."""
    dispatcher: Any = kernel
    if not hasattr(dispatcher, "overloads"):
        return kernel  # nothing is compiled
    types = tuple(typeof(argument) for argument in given)  # type: ignore[no-untyped-call]
    dispatcher.compile(types)
    entry: Callable[Arguments, Result] = dispatcher.overloads[types].entry_point
    return entry


@contextmanager
def watch_compiling(told: Callable[[], None]) -> Iterator[None]:
    """Call `told` whenever something is really compiled inside, and not taken from disk."""

    class Watcher(event.Listener):
        def on_start(self, _: object) -> None:
            told()

        def on_end(self, _: object) -> None:
            """What comes after is no news."""

    with event.install_listener("numba:compile", Watcher()):
        yield


def compile_apart(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a function that only kernels call, by itself and not in each place that calls it.

    Nothing is made for callers from outside, which takes long.
    """
    without_wrappers: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "cache": False}
    made: Callable[Arguments, Result] = njit(**{**OPTIONS, **without_wrappers})(function)
    return made


def part(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A function that is put into the kernels that call it, as if it were written there."""
    inlined: Callable[Arguments, Result] = njit(inline="always", **OPTIONS)(function)
    return inlined
