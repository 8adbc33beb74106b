"""The clause registers as one HTML page that needs nothing beside itself: totals, every clause, and a filter.

The page is for people who check the project against a book and may not have the project; so it loads no script,
style or font from anywhere, and reads well when printed or with scripts turned off.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape

from pitboss.rulebooks.registers import KINDS, STATUSES, ClauseRow, by_status

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --quiet: #777; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0 2rem; width: 100%; }
table.totals { width: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; background: Canvas; }
.totals td { text-align: right; font-variant-numeric: tabular-nums; }
.totals tfoot * { font-weight: bold; }
.clause { white-space: nowrap; font-weight: 600; }
.note, .tests { color: var(--quiet); font-size: .9em; }
code { font-size: .88em; overflow-wrap: anywhere; }
.status { border-radius: .6rem; padding: 0 .5rem; white-space: nowrap; background: #8883; }
.enforced { background: #2a84; } .operator { background: #28c4; } .planned { background: #c824; }
.problems { border: 2px solid #c33; padding: .5rem 1rem; }
form { display: flex; flex-wrap: wrap; gap: 1rem; }
[hidden] { display: none; }
@media print { form { display: none; } thead th { position: static; } }
"""

_SCRIPT = """
const form = document.querySelector("form");
const rows = [...document.querySelectorAll("tr[data-book]")];
form.hidden = false;
form.addEventListener("input", () => {
  const { book, kind, status, text } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\\s+/);
  for (const row of rows) {
    const { dataset, textContent } = row;
    const found = textContent.toLowerCase();
    row.hidden = !((!book || dataset.book === book) && (!kind || dataset.kind === kind)
      && (!status || dataset.status === status) && words.every((word) => found.includes(word)));
  }
  document.querySelector("output").value = rows.filter((row) => !row.hidden).length;
});
"""


def page(
    registers: Mapping[str, Sequence[ClauseRow]], problems: Sequence[str], silent: Collection[tuple[str, str]]
) -> str:
    """The whole page. `registers` holds the rows to show, which may be fewer than the registers have, `silent` names
    the enforced clauses that have no witness."""
    count = sum(map(len, registers.values()))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Clause by clause</title><style>{_STYLE}</style></head><body>",
            "<h1>Clause by clause</h1>",
            "<p>What each clause of the rulebooks says, in our own words, and how pitboss meets it.</p>",
            *_problems(problems),
            *_totals(registers, silent),
            *_filter(registers, count),
            "<table><thead><tr><th>Book<th>Clause<th>Kind<th>Status<th>What it says<th>How it is met</tr></thead>",
            "<tbody>",
            *(_row(book, row) for book, rows in registers.items() for row in rows),
            f"</tbody></table><script>{_SCRIPT}</script></body></html>",
            "",
        ]
    )


def _problems(problems: Sequence[str]) -> Iterator[str]:
    if problems:
        items = "".join(f"<li>{escape(problem)}</li>" for problem in problems)
        yield f'<section class="problems"><h2>What does not hold</h2><ul>{items}</ul></section>'


def _totals(registers: Mapping[str, Sequence[ClauseRow]], silent: Collection[tuple[str, str]]) -> Iterator[str]:
    def line(name: str, rows: Sequence[ClauseRow], missing: int) -> str:
        enforced, *others = by_status(rows).values()
        cells = "".join(f"<td>{count}</td>" for count in (len(rows), enforced, enforced - missing, *others))
        return f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'

    heads = "".join(f"<th>{status}" for status in (STATUSES[0], "witnessed", *STATUSES[1:]))
    missing = {book: sum((book, row.clause) in silent for row in rows) for book, rows in registers.items()}
    everything = [row for rows in registers.values() for row in rows]
    yield f'<table class="totals"><thead><tr><th>Book<th>clauses{heads}</tr></thead><tbody>'
    yield from (line(book, rows, missing[book]) for book, rows in registers.items())
    yield f"</tbody><tfoot>{line('all', everything, sum(missing.values()))}</tfoot></table>"


def _filter(registers: Mapping[str, Sequence[ClauseRow]], count: int) -> Iterator[str]:
    yield "<form hidden>"
    yield _choice("book", registers)
    yield _choice("kind", KINDS)
    yield _choice("status", STATUSES)
    yield '<label>words <input name="text" type="search"></label>'
    yield f"<span><output>{count}</output> clauses</span></form>"


def _choice(name: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{escape(value)}" for value in values)
    return f'<label>{name} <select name="{name}"><option value="">all{options}</select></label>'


def _row(book: str, row: ClauseRow) -> str:
    kind, status = escape(row.kind), escape(row.status)
    note = f'<div class="note">{escape(row.note)}</div>' if row.note else ""
    met = [f"<div>{escape(row.reason)}</div>"] if row.reason else []
    met += [f"<div><code>{escape(place)}</code></div>" for place in row.where]
    met += [f'<div class="tests"><code>{escape(test)}</code></div>' for test in row.tests]
    return (
        f'<tr data-book="{escape(book)}" data-kind="{kind}" data-status="{status}"><td>{escape(book)}</td>'
        f'<td class="clause">{escape(row.clause)}</td><td>{kind}</td>'
        f'<td><span class="status {status}">{status}</span></td>'
        f"<td>{escape(row.summary)}{note}</td><td>{''.join(met)}</td></tr>"
    )
