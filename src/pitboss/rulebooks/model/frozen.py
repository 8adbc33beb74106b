"""A table that nobody can change: what `Rules` and the books behind it hand out."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dict that is finished. It stays a dict, so that it encodes, compares and prints like one."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("rules are frozen: ask the rulebook for other ones")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return FrozenDict, (dict(self),)
