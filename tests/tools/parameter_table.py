"""The table of parameters in docs/rulebook-format.md, made from the code: what each may be, and what it means.

Run it to rewrite the table after a change: `python tests/tools/parameter_table.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

from pitboss.report.games.parameter_answer import silent_in_words, values_in_words
from pitboss.rulebooks.model.parameters import DESCRIBED

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rulebook-format.md"
BEGIN, END = "<!-- parameters: begin -->", "<!-- parameters: end -->"


def table() -> str:
    """Every parameter: its values, what holds where a book is silent, and what it means."""
    lines = ["| parameter | what it may be | if a book is silent | what it means |", "|---|---|---|---|"]
    for name, about in DESCRIBED.items():
        meaning = f"{about.text} (describes)" if about.describes else about.text
        lines.append(f"| `{name}` | {values_in_words(name)} | {silent_in_words(name)} | {meaning} |")
    return "\n".join(lines)


def on_page() -> str:
    """The table that stands in the page now."""
    found = re.search(f"{re.escape(BEGIN)}\n(.*?)\n{re.escape(END)}", PAGE.read_text("utf-8"), re.DOTALL)
    return found[1] if found else ""


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}", "utf-8")
