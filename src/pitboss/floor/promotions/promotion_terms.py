"""The terms of a promotion: what is won, by whom, when; and whether the book allows them."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitboss.floor.moments import HOUR_MS, is_moment, tell_time
from pitboss.floor.promotions.promotion_law import CASH, LIQUOR, PROMOTION, PromotionLaw, load_promotion_law
from pitboss.floor.terms.checklist import check_amounts, check_line, check_stated, find_term_gaps, refuse_gaps
from pitboss.floor.terms.terms_document import TermsDocument, read_document
from pitboss.formats.names import nearest
from pitboss.money import ZERO, Money, show
from pitboss.table.draft import Refused

MOST_PRIZES = 1000
MOST_RESERVES = 1000
MOST_CLAIM_DAYS = 3650


class PromotionPrize(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prize, or several alike."""

    name: str
    kind: str = "goods"
    value: Money
    """Of one of them, in dollars."""
    number: int = 1
    includes: tuple[str, ...] = ()
    """Other kinds that are part of it."""
    litres: Money = ZERO
    """How much liquor it is, or includes."""
    cash_alternative: Money = ZERO
    """What a winner may take instead; zero: nothing."""
    particulars: dict[str, str | bool] = {}
    """What the terms add about a prize of this kind."""

    @property
    def is_cash(self) -> bool:
        """It is money, not a thing."""
        return self.kind == CASH


class PromotionTerms(TermsDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms as they are lodged. Times are in milliseconds since 1970; a file has days and times."""

    promotion: Literal[1] = 1
    """The version of the form."""
    opens: int = 0
    """When the promotion begins."""
    closes: int = 0
    """When the last entry is taken."""
    draws: int = 0
    """When the draw is held."""
    place: str = ""
    available: tuple[str, ...] = ()
    """Where patrons find the terms: `casino`, `website`, `brochure`."""
    marketing_refers: bool = False
    """The marketing material refers to them."""
    scrutineer: str = ""
    """Who oversees the draw."""
    must_be_present: bool = False
    """Only entrants who are at the draw can win."""
    minimum_wager: Money = ZERO
    """One entry for each main wager of at least so much; zero: entries are free."""
    entries_each: int = 0
    """The most entries of one person; zero: any number."""
    wins_each: int = 1
    """The most prizes of one person."""
    reserves: int = 0
    """How many more entries are drawn, to whom prizes go that are not won after all."""
    claim_days: int = 0
    """How long after the draw a prize can be claimed; zero: without limit."""
    prizes: tuple[PromotionPrize, ...] = ()

    def list_prizes(self) -> list[PromotionPrize]:
        """Every single prize, in the order in which they are drawn."""
        return [prize for prize in self.prizes for _ in range(prize.number)]


def read_promotion_terms(text: str, file: str = "promotion") -> PromotionTerms:
    """The terms of a promotion from their file, which begins with `promotion = 1`."""
    return read_document(text, file, PromotionTerms, PROMOTION)


def list_stated(terms: PromotionTerms) -> dict[str, str | bool]:
    """What the terms state: their texts, and what follows from their dates, place, prizes and wager."""
    stated = dict(terms.terms)
    if terms.closes:
        stated["closing"] = tell_time(terms.closes)
    if terms.place.strip() and terms.opens and terms.draws:
        stated["place-and-time"] = f"{terms.place}, from {tell_time(terms.opens)}, draw {tell_time(terms.draws)}"
    if terms.prizes:
        stated["prizes"] = ", ".join(f"{prize.name} ({show(prize.value)})" for prize in terms.prizes)
    if terms.minimum_wager:
        stated["minimum-wager"] = show(terms.minimum_wager)
    return stated


def check_promotion_terms(terms: PromotionTerms) -> tuple[str, ...]:
    """The clauses that these terms meet, or a refusal by the clause that they do not."""
    law = load_promotion_law(terms.book)
    _check_form(terms)
    stated = list_stated(terms)
    check_stated(law.checklist, stated)
    if terms.minimum_wager and terms.terms.get("minimum-wager") is False:
        raise Refused(
            f"minimum_wager is {show(terms.minimum_wager)}, and the terms deny it: minimum-wager = false",
            law.cite("minimum-wager"),
        )
    gaps = find_term_gaps(law.checklist, stated, {"minimum-wager": terms.minimum_wager > 0})
    if gaps:
        refuse_gaps(gaps)
    _check_numbers(terms, law)
    _check_publication(terms, law)
    met = dict.fromkeys((*law.checklist.all_clauses, *law.publication_clauses, *law.forbidden_clauses))
    for prize in terms.prizes:
        met |= dict.fromkeys(check_prize(prize, law))
    if needs_scrutineer(terms, law):
        met |= dict.fromkeys(law.scrutineer_clauses)
        if not terms.scrutineer.strip():
            raise Refused(
                f"a prize above {show(law.scrutineer_above)} needs a scrutineer: the terms name none",
                law.scrutineer_clauses,
            )
    return tuple(met)


def _check_form(terms: PromotionTerms) -> None:
    """Refuse what is no name, no amount or no time at all."""
    check_line(terms.name, "the name of a promotion")
    for prize in terms.prizes:
        check_line(prize.name, "the name of a prize")
        check_amounts(prize.value, prize.cash_alternative, prize.litres)
    check_amounts(terms.minimum_wager)
    if not all(is_moment(at_ms) for at_ms in (terms.opens, terms.closes, terms.draws)):
        raise Refused("a promotion opens, closes and is drawn before the year 2100")
    if terms.claim_days > MOST_CLAIM_DAYS:
        raise Refused(f"claim_days is no more than {MOST_CLAIM_DAYS}")


def needs_scrutineer(terms: PromotionTerms, law: PromotionLaw) -> bool:
    """Whether a single prize is worth so much that somebody must oversee the draw."""
    return any(prize.value > law.scrutineer_above for prize in terms.prizes)


def _check_numbers(terms: PromotionTerms, law: PromotionLaw) -> None:
    if not terms.opens < terms.closes <= terms.draws:
        raise Refused(
            "a promotion opens, then its entries close, then its draw is held: "
            f"{tell_time(terms.opens)}, {tell_time(terms.closes)}, {tell_time(terms.draws)}",
            (*law.cite("closing"), *law.cite("place-and-time")),
        )
    if not 0 < sum(prize.number for prize in terms.prizes) <= MOST_PRIZES:
        raise Refused(f"a promotion has 1 to {MOST_PRIZES} prizes", law.cite("prizes"))
    for name, value, least in (
        ("minimum_wager", terms.minimum_wager, 0), ("entries_each", terms.entries_each, 0),
        ("wins_each", terms.wins_each, 1), ("reserves", terms.reserves, 0), ("claim_days", terms.claim_days, 0),
    ):  # fmt: skip
        if value < least:
            raise Refused(f"{name} is {least} or more, not {value}")
    if terms.reserves > MOST_RESERVES:
        raise Refused(f"reserves are no more than {MOST_RESERVES}")


def _check_publication(terms: PromotionTerms, law: PromotionLaw) -> None:
    if not any(where.strip() for where in terms.available):
        raise Refused('say where patrons find the terms: available = ["casino"]', law.publication_clauses)
    if law.marketing_refers and not terms.marketing_refers:
        raise Refused(
            "the marketing material must refer to the terms: marketing_refers = true", law.publication_clauses
        )


def check_prize(prize: PromotionPrize, law: PromotionLaw) -> tuple[str, ...]:
    """The clauses that a prize meets, or a refusal: it is forbidden, or something about it is not stated."""
    named = (prize.kind, *prize.includes)
    for kind in dict.fromkeys((*named, *((LIQUOR,) if prize.litres else ()))):
        _check_kind(prize, kind, law)
    if prize.value <= 0 or prize.number < 1:
        raise Refused(f"prize '{prize.name}': its value is above zero, and there is at least one", law.cite("prizes"))
    clauses: tuple[str, ...] = ()
    for kind in named:
        if kind in law.particulars:
            clauses = (*clauses, *_check_particulars(prize, kind, law))
    if prize.cash_alternative:
        clauses = (*clauses, *_check_alternative(prize, law))
    return clauses


def _check_kind(prize: PromotionPrize, kind: str, law: PromotionLaw) -> None:
    forbidden = law.forbidden.get(kind)
    if kind == LIQUOR and prize.litres <= 0:
        raise Refused(f"prize '{prize.name}': say how many litres of liquor it has", law.cite("prizes"))
    if forbidden is not None and not (forbidden.above_litres and prize.litres <= forbidden.above_litres):
        above = f" above {forbidden.above_litres} litres" if forbidden.above_litres else ""
        raise Refused(
            f"prize '{prize.name}': {kind.replace('-', ' ')}{above} may not be a prize or part of one",
            (*forbidden.clauses, *law.forbidden_clauses),
        )
    if forbidden is None and kind not in law.prize_kinds:
        raise Refused(
            f"prize '{prize.name}': '{kind[:40]}' is not a kind of prize; {nearest(kind, law.prize_kinds)}",
            law.cite("prizes"),
        )


def _check_particulars(prize: PromotionPrize, kind: str, law: PromotionLaw) -> tuple[str, ...]:
    checklist = law.particulars[kind]
    gaps = find_term_gaps(checklist, prize.particulars)
    if gaps:
        gap = gaps[0]
        raise Refused(
            f"prize '{prize.name}': {gap.problem}",
            tuple(dict.fromkeys((*(clause for gap in gaps for clause in gap.item.clauses), *checklist.clauses))),
        )
    return checklist.all_clauses


def _check_alternative(prize: PromotionPrize, law: PromotionLaw) -> tuple[str, ...]:
    if prize.is_cash or prize.kind in law.no_alternative:
        raise Refused(
            f"prize '{prize.name}': there is no cash alternative to {prize.kind.replace('-', ' ')}",
            law.alternative_clauses,
        )
    if prize.cash_alternative < 0:
        raise Refused(f"prize '{prize.name}': a cash alternative is above zero", law.alternative_clauses)
    return law.alternative_clauses


def check_lodging(terms: PromotionTerms, at_ms: int) -> tuple[str, ...]:
    """The clauses of lodging in time, or a refusal: the Authority has the terms so long before the start."""
    law = load_promotion_law(terms.book)
    if terms.opens - at_ms < law.lodging_ms:
        latest = tell_time(terms.opens - law.lodging_ms)
        raise Refused(
            f"terms are lodged at least {law.lodging_ms // HOUR_MS} hours before the promotion starts: for a start at "
            f"{tell_time(terms.opens)} by {latest}, not at {tell_time(at_ms)}",
            law.lodging_clauses,
        )
    return law.lodging_clauses
