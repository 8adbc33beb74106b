"""Terms of a tournament: the document for its players, and the format by which it is played.

Both are one file and one struct, so that a tournament cannot open on a format whose terms leave something out. What the
format makes certain (a fee, a buy-back, secret wagers) the terms may not deny.
"""

from __future__ import annotations

from typing import Literal

from pitboss.floor.terms.terms_document import TermsDocument, check_document, read_document
from pitboss.floor.tournaments.format import StageKind, TournamentFormat, find_format_fault
from pitboss.table.draft import Refused

TOURNAMENT = "tournament"


class TournamentTerms(TermsDocument, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Terms of a tournament with the format that they describe."""

    tournament: Literal[1] = 1
    """The version of the form."""
    format: TournamentFormat


def find_circumstances(form: TournamentFormat) -> dict[str, bool]:
    """What the format decides of the circumstances that make an item of the terms necessary."""
    return {
        "entry-fee": form.entry_fee > 0,
        "signed-copies": form.signed_terms,
        "staff-may-take-part": form.staff_may_enter,
        "progression": len(form.stages) > 1,
        "buy-back": form.buy_back is not None,
        "repechage": any(stage.kind is StageKind.REPECHAGE for stage in form.stages),
        "compulsory-wager": form.compulsory_wager,
        "secret-wagers": form.undisclosed_wagers > 0,
        "chips-at-the-end": form.chips_to_cash > 0,
        "early-finish-in-cash": form.chips_to_cash > 0,
    }


def check_tournament_terms(terms: TournamentTerms) -> tuple[str, ...]:
    """The clauses that these terms meet, or a refusal: what is missing with its clause, or what cannot be played."""
    clauses = check_document(terms, TOURNAMENT, find_circumstances(terms.format))
    if fault := find_format_fault(terms.format):
        raise Refused(fault)
    return clauses


def read_tournament_terms(text: str, file: str = "tournament") -> TournamentTerms:
    """The terms of a tournament from their file, which begins with `tournament = 1`."""
    return read_document(text, file, TournamentTerms, TOURNAMENT)
