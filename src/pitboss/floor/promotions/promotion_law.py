"""What a book says of promotions, out of its data: amounts, ways, forbidden prizes, and the clauses of each."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import msgspec

from pitboss.floor.moments import DAY_MS, HOUR_MS
from pitboss.floor.terms.checklist import (
    Checklist,
    find_competition,
    list_clauses_beside,
    load_checklist,
    read_checklist,
)
from pitboss.money import Money
from pitboss.rulebooks import load_book
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.authority import authorise

PROMOTION = "promotion"

CASH = "cash"
LIQUOR = "liquor"
GOODS = ("goods", "promotional-voucher")
"""Kinds of prizes of which the books say nothing in particular."""


class ForbiddenPrize(msgspec.Struct, frozen=True):
    """What a prize may neither be nor include; liquor only above so many litres."""

    kind: str
    clauses: tuple[str, ...]
    above_litres: int = 0


class PromotionLaw(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of one book for promotions."""

    rules: Rules
    """Of any game of the book: who holds which power."""
    clauses: tuple[str, ...]
    checklist: Checklist
    particulars: dict[str, Checklist]
    """By kind of prize, what the terms must add."""
    forbidden: dict[str, ForbiddenPrize]
    forbidden_clauses: tuple[str, ...]
    scrutineer_above: Money
    scrutineer_clauses: tuple[str, ...]
    no_alternative: tuple[str, ...]
    alternative_clauses: tuple[str, ...]
    choice_above: Money
    choice_ways: tuple[str, ...]
    choice_clauses: tuple[str, ...]
    marketing_refers: bool
    publication_clauses: tuple[str, ...]
    notification_ways: dict[str, tuple[str, ...]]
    notification_clauses: tuple[str, ...]
    notification_ms: int
    kept_above: Money
    denied_clauses: tuple[str, ...]
    dispute_clauses: tuple[str, ...]
    complaints_to: str
    lodging_ms: int
    lodging_clauses: tuple[str, ...]

    @property
    def prize_kinds(self) -> tuple[str, ...]:
        """Kinds that a prize may have, the forbidden ones apart."""
        return tuple(dict.fromkeys((CASH, *GOODS, LIQUOR, *self.no_alternative, *self.particulars)))

    def cite(self, item: str) -> tuple[str, ...]:
        """The clauses of an item of the terms."""
        return self.checklist[item].clauses

    def authorise(self, role: str, power: str, reason: str = "") -> tuple[str, ...]:
        """The clauses by which a role may do this, or a refusal. What the power needs besides is seen to elsewhere."""
        held = self.rules.authority[power]
        given = [need for need in held.needs if need != "reason"]
        return authorise(self.rules, role, power, reason=reason, told=held.notify_before, given=given)


@functools.cache
def load_promotion_law(book: str) -> PromotionLaw:
    """What a book says of promotions; refused for a book that says nothing of them."""
    data = find_competition(book, PROMOTION)
    loaded = load_book(book)
    lodging, winner = loaded.notices["promotion-terms"], loaded.notices["promotion-winner"]

    def clauses(name: str) -> tuple[str, ...]:
        return list_clauses_beside(data[name])

    return PromotionLaw(
        rules=loaded.rules(next(iter(loaded.games))),
        clauses=list_clauses_beside(data),
        checklist=load_checklist(book, PROMOTION),
        particulars={kind: read_checklist(book, kind, table) for kind, table in data["particulars"].items()},
        forbidden={row["kind"]: _read_forbidden(row) for row in data["forbidden"]["kinds"]},
        forbidden_clauses=clauses("forbidden"),
        scrutineer_above=Money(data["scrutineer"]["above"]),
        scrutineer_clauses=clauses("scrutineer"),
        no_alternative=tuple(data["cash_alternative"]["not_for"]),
        alternative_clauses=clauses("cash_alternative"),
        choice_above=Money(data["payment_choice"]["above"]),
        choice_ways=tuple(data["payment_choice"]["ways"]),
        choice_clauses=clauses("payment_choice"),
        marketing_refers=data["publication"]["marketing_refers"],
        publication_clauses=clauses("publication"),
        notification_ways={way: (clause,) for way, clause in data["notification"]["ways"].items()},
        notification_clauses=clauses("notification"),
        notification_ms=(winner.days or 0) * DAY_MS,
        kept_above=Money(data["denied_claims"]["kept_above"]),
        denied_clauses=clauses("denied_claims"),
        dispute_clauses=clauses("disputes"),
        complaints_to=data["disputes"]["further"],
        lodging_ms=(lodging.hours or 0) * HOUR_MS,
        lodging_clauses=lodging.clauses,
    )


def _read_forbidden(row: Mapping[str, Any]) -> ForbiddenPrize:
    return ForbiddenPrize(row["kind"], list_clauses_beside(row), row.get("above_litres", 0))
