"""Terms of tournaments against what their book says they must contain: each item by its clause, none left out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from witnessing import shown

from pitboss.errors import PitbossError
from pitboss.floor.desks.draft_terms import draft_terms
from pitboss.floor.promotions.promotion_terms import check_promotion_terms, read_promotion_terms
from pitboss.floor.terms.checklist import (
    MOST_NAMED,
    check_terms,
    find_competition,
    find_term_gaps,
    load_checklist,
)
from pitboss.floor.terms.terms_document import (
    TermsDocument,
    check_document,
    digest_terms,
    read_document,
)
from pitboss.floor.terms.tournament_terms import check_tournament_terms, read_tournament_terms
from pitboss.rulebooks import load_book
from pitboss.rulebooks.registers import load_register
from pitboss.table.draft import Refused

ITEMS = {
    "star": {
        "entry-fee": "20.4.2(a)", "starting-chips": "20.4.2(b)", "compulsory-wager": "20.4.2(c)", "limits": "20.4.2(d)",
        "structure": "20.4.2(e)", "conditions-of-play": "20.4.2(f)", "buy-back": "20.4.2(g)",
        "eligible-persons": "20.4.2(h)(i)", "general-refusal": "20.4.2(h)(ii)", "selection-criteria": "20.4.2(h)(iii)",
        "terms-of-entry": "20.4.2(i)", "prizes": "20.4.2(j)", "rules-prevail": "20.4.2(k)",
    },
    "melbourne": {
        "dates": "31.4.1(a)(i)", "fees": "31.4.1(a)(ii)", "entrants": "31.4.1(a)(iii)", "location": "31.4.1(a)(iv)",
        "start-may-move": "31.4.1(b)", "regulator-told-of-changes": "31.4.1(c)",
        "taking-part-accepts-terms": "31.4.2(a)(i)", "eligible-persons": "31.4.2(a)(ii)",
        "general-refusal": "31.4.2(a)(iii)", "selection-criteria": "31.4.2(a)(iv)",
        "staff-may-take-part": "31.4.2(a)(v)", "breach-risks-disqualification": "31.4.2(b)(i)",
        "where-terms-are-found": "31.4.2(b)(ii)", "signed-copies": "31.4.2(b)(iii)", "method-of-entry": "31.4.2(c)",
        "terms-of-entry": "31.4.2(d)", "rounds": "31.4.3(a)(i)", "tables": "31.4.3(a)(ii)",
        "progression": "31.4.3(a)(iii)", "buy-back": "31.4.3(a)(iv)", "repechage": "31.4.3(a)(v)",
        "equal-starting-bank": "31.4.3(b)", "chips-at-the-end": "31.4.3(c)", "chip-type": "31.4.4(a)",
        "compulsory-wager": "31.4.4(b)", "secret-wagers": "31.4.4(c)", "elimination": "31.4.5(a)",
        "winners": "31.4.6(a)", "prize-pool": "31.4.7(a)", "prize-distribution": "31.4.7(b)",
        "penalties": "31.4.8(a)(i)", "disqualification": "31.4.8(a)(ii)", "substitutes": "31.4.8(a)(iii)",
        "refunds": "31.4.8(a)(iv)", "consequences-of-lateness": "31.4.8(b)(i)",
        "consequences-of-absence": "31.4.8(b)(ii)", "consequences-of-phones": "31.4.8(b)(iii)",
        "consequences-of-substitution": "31.4.8(b)(iv)", "consequences-of-disqualification": "31.4.8(b)(v)",
        "consequences-of-retirement": "31.4.8(b)(vi)", "rules-prevail": "31.4.8(c)",
        "early-finish": "31.4.8(d)(i)", "early-finish-in-cash": "31.4.8(d)(ii)", "privacy": "31.4.8(e)",
        "publicity": "31.4.8(f)", "conducted-by-director": "31.4.8(g)", "director-is-final": "31.4.8(h)",
        "liability": "31.4.8(i)", "complaints": "31.4.8(j)",
    },
}  # fmt: skip
"""What terms must state, by book: the item and its clause."""
LISTED = {"star": ("20.4.2", "20.4.2(h)"), "melbourne": ("31.4", "31.2.1")}
"""The clauses by which there is a list, or a part of one."""
CASES = [(book, item) for book, items in ITEMS.items() for item in items]


def write_terms(book: str, **changes: str | bool) -> TermsDocument:
    """Terms that state everything, but for what is changed."""
    stated: dict[str, str | bool] = {item: f"How it is with {item}." for item in ITEMS[book]}
    stated |= {name.replace("_", "-"): said for name, said in changes.items()}
    return TermsDocument(book=book, name="Autumn Classic", terms=stated)


@pytest.mark.parametrize("book", ITEMS)
def test_the_list_of_a_book_is_the_one_that_its_clauses_give(book: str) -> None:
    checklist = load_checklist(book, "tournament")
    assert {item.name: item.clauses[0] for item in checklist.items} == ITEMS[book]
    shown(load_book(book), checklist)
    rows = {row.clause for row in load_register(book) if row.clause.startswith(checklist.clauses[0])}
    assert rows - {checklist.clauses[0]} == {
        clause for clause in checklist.all_clauses if clause.startswith(checklist.clauses[0])
    } - {checklist.clauses[0]}


@pytest.mark.parametrize("book", ITEMS)
def test_terms_that_state_everything_are_taken(book: str) -> None:
    clauses = check_document(write_terms(book), "tournament")
    assert set(clauses) >= {*LISTED[book], *ITEMS[book].values()}


@pytest.mark.parametrize(("book", "item"), CASES, ids=[f"{book}/{item}" for book, item in CASES])
def test_terms_that_lack_an_item_are_refused_by_its_clause(book: str, item: str) -> None:
    """Left out, or empty: one gap, with the item's clause and what it asks for."""
    whole = write_terms(book)
    left_out = leave_out(whole, item)
    for lacking in (left_out, write_terms(book, **{item: "  \n"})):
        with pytest.raises(Refused, match=f"the terms do not state '{item}'") as refused:
            check_document(lacking, "tournament")
        assert refused.value.clauses[0] == ITEMS[book][item]
        (gap,) = find_term_gaps(load_checklist(book, "tournament"), lacking.terms)
        shown(load_book(book), gap.item)


def leave_out(document: TermsDocument, item: str) -> TermsDocument:
    kept = {name: said for name, said in document.terms.items() if name != item}
    return TermsDocument(book=document.book, name=document.name, terms=kept)


@pytest.mark.parametrize(("book", "item"), CASES, ids=[f"{book}/{item}" for book, item in CASES])
def test_only_what_depends_on_a_circumstance_may_be_denied(book: str, item: str) -> None:
    denied = write_terms(book, **{item: False})
    circumstance = load_checklist(book, "tournament")[item].circumstance
    if not circumstance:
        with pytest.raises(Refused, match="it is always needed"):
            check_document(denied, "tournament")
        return
    check_document(denied, "tournament")
    with pytest.raises(Refused, match=f"and it is so that {circumstance}") as refused:
        check_document(denied, "tournament", {item: True})
    assert refused.value.clauses[0] == ITEMS[book][item]


def test_everything_that_is_missing_is_cited_and_the_line_stays_short() -> None:
    with pytest.raises(Refused) as refused:
        check_document(TermsDocument(book="star", name="Empty", terms={}), "tournament")
    assert refused.value.reason.endswith(f"; and {len(ITEMS['star']) - MOST_NAMED} more")
    assert set(refused.value.clauses) == {*ITEMS["star"].values(), "20.4.2(h)"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"prize": "A car."}, "'prize' is not a term of a tournament; did you mean 'prizes'"),
        ({"prizes": True}, "the term 'prizes' is a text, or false"),
        ({"prizes": "a\x07b"}, "the term 'prizes' is a printable text"),
        ({"prizes": "x" * 5000}, "no more than 4000 characters"),
    ],
)
def test_a_term_that_is_none_is_refused(changes: dict[str, str | bool], words: str) -> None:
    with pytest.raises(Refused, match=words):
        check_terms(load_checklist("star", "tournament"), write_terms("star", **changes).terms)


def test_a_book_without_such_a_competition_says_so() -> None:
    with pytest.raises(Refused, match="the book perth has no tournament"):
        find_competition("perth", "tournament")


GOOD = 'document = 1\nbook = "star"\nname = "Autumn"\nterms = { prizes = "A cup." }\n'


def test_a_document_is_read_from_its_file_and_has_a_digest() -> None:
    read = read_document(GOOD, "autumn.toml", Versioned, "document")
    again = read_document(GOOD, "other.toml", Versioned, "document")
    changed = read_document(GOOD.replace("cup", "car"), "autumn.toml", Versioned, "document")
    assert read.terms == {"prizes": "A cup."}
    assert digest_terms(read) == digest_terms(again) != digest_terms(changed)


class Versioned(TermsDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document with the version of its format."""

    document: int = 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("terms = [", "autumn.toml:1: expected TOML"),
        ('book = "star"', "autumn.toml: expected document = 1, the version of the format"),
        ("document = 1", "autumn.toml: expected book = one of perth, rws"),
        (GOOD + "hats = 3\n", "autumn.toml: Object contains unknown field `hats`"),
        (GOOD.replace("A cup.", "A \\u0007 cup."), "autumn.toml: terms.prizes is a printable text of no more than"),
        (GOOD.replace("Autumn", "Au\\ntumn"), "autumn.toml: name is one printable line of no more than 200"),
        (GOOD.replace('"A cup."', "[1]"), "autumn.toml: Expected `bool | str`, got `array`"),
    ],
)
def test_a_file_that_is_no_document_gets_one_line(text: str, words: str) -> None:
    with pytest.raises(PitbossError, match=re.escape(words)):
        read_document(text, "autumn.toml", Versioned, "document")


@pytest.mark.parametrize(
    ("competition", "book"),
    [("tournament", "star"), ("tournament", "melbourne"), ("promotion", "star"), ("promotion", "star-switch")],
)
def test_a_draft_has_all_that_the_book_asks_for_and_must_be_written(competition: str, book: str) -> None:
    draft = draft_terms(competition, book, "Winter")
    check: Callable[[str], tuple[str, ...]] = {
        "tournament": lambda text: check_tournament_terms(read_tournament_terms(text)),
        "promotion": lambda text: check_promotion_terms(read_promotion_terms(text)),
    }[competition]
    with pytest.raises(Refused, match="do not state") as refused:
        check(draft)
    assert refused.value.clauses
    assert set(check(draft.replace(' = ""\n', ' = "as it is"\n'))) >= set(load_checklist(book, competition).all_clauses)


def test_no_draft_of_what_a_book_does_not_know() -> None:
    with pytest.raises(Refused, match="has no tournament"):
        draft_terms("tournament", "perth", "x")
    with pytest.raises(Refused, match="no terms"):
        draft_terms("meters", "star", "x")
