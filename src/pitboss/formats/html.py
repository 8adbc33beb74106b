"""Tables as plain HTML, for notebooks and pages: no script, no style, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    """A plain table; `numbers` are the columns that are aligned to the right."""

    def cell(tag: str, place: int, text: str) -> str:
        right = ' class="number"' if place in numbers else ""
        return f"<{tag}{right}>{escape(text)}</{tag}>"

    heading = "".join(cell("th", place, text) for place, text in enumerate(head))
    lines = ["".join(cell("td", place, text) for place, text in enumerate(row)) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{body}</tbody></table>"
