"""The tables of docs/floor-actions.md, made from the code: verbs with their arguments, and per book who may give which.

Run it to rewrite the tables after a change: `python tests/tools/floor_table.py`.
"""

from __future__ import annotations

from generated_pages import GeneratedPart

from pitboss.rulebooks import BOOKS, Rules, load_book
from pitboss.table.orders.order_words import ACTS_OF_VERB, ORDER_VERBS
from pitboss.table.orders.roles import ACTS

PART = GeneratedPart("floor-actions.md", "tables")


def acts_of(verb: str) -> tuple[str, ...]:
    """The acts behind a verb."""
    return ACTS_OF_VERB.get(verb, (verb,))


def verbs() -> str:
    """Every verb with its arguments, what it says, and whether a reason must be given."""
    lines = ["| verb | arguments | what it orders | reason |", "|---|---|---|---|"]
    for verb, words in ORDER_VERBS.items():
        meaning = " ".join((words.command.__doc__ or "").split()).split(". ")[0].rstrip(".")
        needing = [act for act in acts_of(verb) if ACTS[act].reason]
        reason = "must be given" if needing else ""
        if 0 < len(needing) < len(acts_of(verb)):
            reason = f"must be given ({', '.join(needing)})"
        arguments = f"`{words.arguments}`".replace("|", "\\|") if words.arguments else ""
        lines.append(f"| `{verb}` | {arguments} | {meaning.replace('|', chr(92) + '|')} | {reason} |")
    return "\n".join(lines)


def rules_of(book: str) -> Rules:
    """Rules of the first game of a book: powers are the book's, not the game's."""
    loaded = load_book(book)
    return loaded.rules(next(iter(loaded.games)))


def powers(book: str) -> str:
    """Who may give which order by one book, and who is told."""
    rules = rules_of(book)
    lines = ["| verb | as | role (or above) | clauses | told before | to be told |", "|---|---|---|---|---|---|"]
    for verb in ORDER_VERBS:
        names = dict.fromkeys(name for act in acts_of(verb) for name in ACTS[act].powers)
        for power in (rules.authority[name] for name in names if name in rules.authority):
            told = (", ".join(power.notify_before), ", ".join(power.notify_after))
            clauses = ", ".join(power.clauses)
            lines.append(f"| `{verb}` | {power.id} | {power.role} | {clauses} | {told[0]} | {told[1]} |")
    return "\n".join(lines)


def tables() -> str:
    """All tables, as the page has them."""
    parts = ["## The verbs", verbs()]
    for book in BOOKS:
        parts += [f"## {load_book(book).name}", powers(book)]
    return "\n\n".join(parts)


if __name__ == "__main__":
    PART.write(tables())
