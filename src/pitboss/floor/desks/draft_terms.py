"""A draft of terms for whoever opens a tournament or a promotion: every item that the book asks for, to be written.

An item stands there with its clause and what that clause asks for; the rest is a plain format that can be played, to be
changed. Nothing is announced with a draft: what is left empty is refused with its clause.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from pitboss.floor.promotions.promotion_law import PROMOTION
from pitboss.floor.promotions.promotion_terms import list_stated, read_promotion_terms
from pitboss.floor.terms.checklist import Checklist, TermItem, describe_term, load_checklist
from pitboss.floor.terms.tournament_terms import TOURNAMENT, find_circumstances, read_tournament_terms
from pitboss.rulebooks import load_book
from pitboss.table.draft import Refused

FORMAT = """
[format]
game = {game}
entry_fee = 100
least_entrants = 7
most_entrants = 49
chip = 5
prizes = [{{ place = 1, percent = 60 }}, {{ place = 2, percent = 40 }}]

[[format.stages]]
name = "heat"
rounds = 15
stack = 2000
minimum = 50
maximum = 500

[[format.stages]]
name = "final"
kind = "final"
rounds = 20
stack = 2000
minimum = 50
maximum = 500
"""

DRAW = """opens = 2030-01-01T10:00:00
closes = 2030-01-08T18:00:00
draws = 2030-01-08T20:00:00
place = "Main gaming floor"
available = ["casino", "website"]
marketing_refers = true
scrutineer = ""
reserves = 1
claim_days = 28
"""

PRIZES = """
[[prizes]]
name = "Grand prize"
kind = "cash"
value = 1000
"""


def draft_terms(competition: str, book: str, name: str) -> str:
    """The file of terms to begin with; a refusal where the book has no such competition."""
    if competition not in (TOURNAMENT, PROMOTION):
        raise Refused(f"a {competition[:40]} has no terms to draft")
    checklist = load_checklist(book, competition)
    head = f"{competition} = 1\nbook = {json.dumps(book)}\nname = {json.dumps(name, ensure_ascii=False)}\n"
    if competition == TOURNAMENT:
        game = json.dumps(f"{book}/{next(iter(load_book(book).games))}")
        form = FORMAT.format(game=game)
        there = find_circumstances(read_tournament_terms(f"{head}[terms]\n{form}").format)
        return f"{head}\n[terms]\n{_write_items(checklist, there)}{form}"
    told = list_stated(read_promotion_terms(f"{head}{DRAW}[terms]\n{PRIZES}"))
    return f"{head}{DRAW}\n[terms]\n{_write_items(checklist, {}, told)}{PRIZES}"


def _write_items(checklist: Checklist, there: Mapping[str, bool], told: Collection[str] = ()) -> str:
    """Every item that is not told elsewhere; `there` says which circumstances the rest of the file makes certain."""
    items = (item for item in checklist.items if item.name not in told)
    return "".join(_write_item(checklist.book, item, there.get(item.name, False)) for item in items)


def _write_item(book: str, item: TermItem, there: bool) -> str:
    """An item with its clause; what is needed under a circumstance that is not there is denied until it is written."""
    asked = describe_term(book, item.clauses[0]) if item.clauses else ""
    cited = f"{', '.join(item.clauses)}: " if item.clauses else ""
    unless = f" (false, unless {item.circumstance})" if item.circumstance else ""
    value = "false" if item.circumstance and not there else json.dumps("")
    return f"# {cited}{asked}{unless}\n{item.name} = {value}\n"
