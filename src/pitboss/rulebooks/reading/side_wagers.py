"""The side wagers of a rulebook file: who may place them, on what, what they pay, what they set on their game."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from pitboss.formats.names import nearest
from pitboss.money import Odds
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.rulebooks.model.book import Layer, SideModule
from pitboss.rulebooks.model.frozen import FrozenDict
from pitboss.rulebooks.model.rules import MeterShare
from pitboss.rulebooks.model.side_terms import SIDE_TERMS, SIDE_TYPES, words_of
from pitboss.rulebooks.reading.values import Case, Reader, coerce, read_plain

KNOWN = (
    "name", "clause", "judge", *SIDE_TERMS, "requires", "pays", "rules", "clauses", "max_payout_option", "meters",
    "text",
)  # fmt: skip

NEEDS = {"decks": range(1, 100), "deck_cards": (48, 52)}
"""What a game may be required to be, and the numbers that make sense."""


NOT_WITH = "not_with"
"""The key of side wagers that may not be on offer too."""

POSTED = "payout_posted"
"""The key of a wager that needs its greatest payout on a notice."""


def read_side_wager(
    reader: Reader,
    name: str,
    item: Any,
    games: Collection[str],
    amounts: Collection[str],
    layer: Callable[[str, Any, Any, str], Layer],
) -> SideModule:
    """One side wager. `amounts` are the options that hold a sum of money, `layer` reads the parameters it sets."""
    key = f"side_wagers.{name}"
    table = reader.table(item, key, known=KNOWN, needed=("name", "clause", "judge", "pays"))
    judge = reader.text(table["judge"], f"{key}.judge")
    if judge not in JUDGES:
        reader.fail(f"{key}.judge", f"there is no such judge; {nearest(judge, JUDGES)}")
    terms = {
        term: reader.cases(table[term], f"{key}.{term}", _term_check(reader, term, judge, games), clause_needed=False)
        for term in SIDE_TERMS
        if term in table
    }
    matters = reader.table(table.get("clauses", {}), f"{key}.clauses")
    option = table.get("max_payout_option")
    if option is not None and (not isinstance(option, str) or option not in amounts):
        reader.fail(f"{key}.max_payout_option", f"{read_plain(option)} is not an option of kind amount")
    meters = reader.texts(table.get("meters", []), f"{key}.meters")
    if meters and not JUDGES[judge].may_have_meters:
        reader.fail(f"{key}.meters", f"{judge} wagers have none: they are not settled in one step on the initial deal")
    return SideModule(
        id=reader.name(name, key),
        name=reader.text(table["name"], f"{key}.name"),
        judge=judge,
        clauses=reader.clauses(table["clause"], f"{key}.clause"),
        matters={matter: reader.matter(value, f"{key}.clauses.{matter}") for matter, value in matters.items()},
        terms=terms,
        requires=_requires(reader, table.get("requires", []), f"{key}.requires"),
        pays=_pays(reader, table["pays"], f"{key}.pays", judge, meters),
        max_payout_option=option,
        meters=meters,
        layer=layer(f"side wager {name}", table.get("rules", {}), {}, f"{key}."),
    )


def _term_check(reader: Reader, term: str, judge: str, games: Collection[str]) -> Callable[[Any, str], Any]:
    judges, words = SIDE_TERMS[term].judges, words_of(judge).get(term)

    def check(value: Any, key: str) -> Any:
        if judges and judge not in judges:
            reader.fail(key, f"is not a term of {judge} wagers, only of {', '.join(judges)}")
        try:
            checked = coerce(SIDE_TYPES[term], value)
        except ValueError as error:
            reader.fail(key, str(error))
        if words is not None and checked not in words:
            reader.fail(key, f"must be {' or '.join(words)} for {judge} wagers, not {read_plain(value)}")
        if term == "hosts":
            for host in checked:
                if host != "*" and host not in games:
                    reader.fail(key, f"'{host}' is not a game of the book; {nearest(host, games)}")
        return checked

    return check


def _requires(reader: Reader, value: Any, key: str) -> tuple[Case, ...]:
    cases = []
    for where, item in reader.rows(value, key, f"tables: write [[{key}]]"):
        options = [name for name in reader.conditions if name not in NEEDS and not name.startswith("reading.")]
        known = (*NEEDS, *options, NOT_WITH, POSTED, "clause", "when")
        table = reader.table(item, where, known=known, needed=("clause",))
        needs: dict[str, tuple[Any, ...]] = {}
        for name, sensible in NEEDS.items():
            numbers = table.get(name, [])
            if not isinstance(numbers, list) or not all(type(one) is int and one in sensible for one in numbers):
                reader.fail(f"{where}.{name}", f"must be a list of allowed numbers, not {read_plain(numbers)}")
            if numbers:
                needs[name] = tuple(numbers)
        needs.update(reader.when({name: table[name] for name in options if name in table}, where))
        if NOT_WITH in table:
            needs[NOT_WITH] = reader.when({"side_wagers": table[NOT_WITH]}, where)["side_wagers"]
        if POSTED in table:
            if table[POSTED] is not True:
                reader.fail(f"{where}.{POSTED}", f"must be true or left out, not {read_plain(table[POSTED])}")
            needs[POSTED] = (True,)
        if not needs:
            reader.fail(where, "needs decks = [...], deck_cards = [...], not_with = [...], payout_posted or an option")
        clauses = reader.clauses(table["clause"], f"{where}.clause")
        cases.append(Case(needs, clauses, _when(reader, table, where)))
    return tuple(cases)


def _pays(reader: Reader, value: Any, key: str, judge: str, meters: Collection[str]) -> tuple[Case, ...]:
    cases, outcomes = [], JUDGES[judge].outcomes
    for where, item in reader.rows(value, key, f"tables: write [[{key}]]"):
        known = ("when", "clause", "odds") if outcomes else ("when", "clause", "prizes")
        table = reader.table(item, where, known=known, needed=("clause", known[-1]))
        prices = reader.table(table.get("odds", {}), f"{where}.odds", known=outcomes, needed=outcomes)
        odds = {outcome: _prize(reader, text, f"{where}.odds.{outcome}", meters) for outcome, text in prices.items()}
        prizes = _prizes(reader, table["prizes"], f"{where}.prizes") if "prizes" in table else ()
        clauses = reader.clauses(table["clause"], f"{where}.clause")
        cases.append(Case((FrozenDict(odds), prizes), clauses, _when(reader, table, where)))
    if not cases:
        reader.fail(key, "needs at least one pay table")
    return tuple(cases)


def _when(reader: Reader, table: dict[str, Any], key: str) -> dict[str, tuple[Any, ...]]:
    return reader.when(table.get("when", {}), f"{key}.when", extra=("deck_cards", "game"))


def _prize(reader: Reader, value: Any, key: str, meters: Collection[str]) -> Odds | MeterShare:
    if not isinstance(value, str) or not value.startswith("meter:"):
        return reader.odds(value, key)
    parts = value.split(":")
    if len(parts) != 3 or not parts[2].endswith("%") or not parts[2][:-1].isdecimal():
        reader.fail(key, f'must be "meter:NAME:100%", not {read_plain(value)}')
    if parts[1] not in meters:
        reader.fail(key, f"'{parts[1]}' is not among the meters of the wager; {nearest(parts[1], meters)}")
    return MeterShare(parts[1], int(parts[2][:-1]))


def _prizes(reader: Reader, value: Any, key: str) -> tuple[tuple[int, int], ...]:
    good = (
        isinstance(value, list)
        and value
        and all(isinstance(row, list) and len(row) == 2 and all(type(n) is int and n > 0 for n in row) for row in value)
    )
    if not good:
        reader.fail(key, "must be a list of [count, prize per unit staked]")
    return tuple((row[0], row[1]) for row in value)
