"""The table of parameters in docs/rulebook-format.md, made from the code: what each may be, and what it means.

Run it to rewrite the table after a change: `python tests/tools/parameter_table.py`.
"""

from __future__ import annotations

from generated_pages import GeneratedPart

from pitboss.report.games.parameter_answer import silent_in_words, values_in_words
from pitboss.rulebooks.model.parameters import DESCRIBED

PART = GeneratedPart("rulebook-format.md", "parameters")


def table() -> str:
    """Every parameter: its values, what holds where a book is silent, and what it means."""
    lines = ["| parameter | what it may be | if a book is silent | what it means |", "|---|---|---|---|"]
    for name, about in DESCRIBED.items():
        meaning = f"{about.text} (describes)" if about.describes else about.text
        lines.append(f"| `{name}` | {values_in_words(name)} | {silent_in_words(name)} | {meaning} |")
    return "\n".join(lines)


if __name__ == "__main__":
    PART.write(table())
