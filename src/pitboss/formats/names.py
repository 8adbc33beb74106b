"""Names that somebody may have meant: a hint for every name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

MOST_LISTED = 24
MOST_MEANT = 6


def nearest(
    name: str,
    known: Iterable[str],
    else_: str = "`pitboss rules --schema` lists them",
    called: Mapping[str, str] = {},
) -> str:
    """A hint: the names that contain this one, or the closest one, or all if they are few, or else what lists them.

    `called` gives for a name how people call it, where that is something else.
    """
    names = sorted(known)
    meant = find_meant(name, names, called)
    if meant:
        shown = [f"'{one}'" for one in meant[:MOST_MEANT]]
        more = f" ({len(meant) - MOST_MEANT} more)" if len(meant) > MOST_MEANT else ""
        return f"did you mean {any_of(shown)}?{more}"
    if not names:
        return "there are none"
    return f"choose from: {', '.join(names)}" if len(names) <= MOST_LISTED else else_


def any_of(names: Iterable[str]) -> str:
    """The names as a choice: `a, b or c`."""
    *others, last = names
    return " or ".join(filter(None, (", ".join(others), last)))


def find_meant(name: str, names: Iterable[str], called: Mapping[str, str] = {}) -> list[str]:
    """The names that have `name` as a part, a whole part first; where there is none, those spelled most alike."""
    asked = name.lower().strip()
    known = list(names)
    if len(asked) > 1:
        parts = [one for one in known if asked in one.lower() or asked in called.get(one, "").lower()]
        if parts:
            return sorted(parts, key=lambda one: (asked not in one.lower().split("/"), len(one), one))
    whole = {one: one.lower() for one in known}
    ends = {one: one.rpartition("/")[2] for one in whole.values()}
    for spelled in (whole, ends):
        close = difflib.get_close_matches(asked, spelled.values(), n=1)
        if close:
            return [one for one, spelling in spelled.items() if spelling == close[0]]
    return []
