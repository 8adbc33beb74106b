"""A document of terms: what it is for, by which book, what it states; read from TOML, and its digest.

The digest is what is published, handed out and agreed to: a document that changes has another.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor.moments import make_plain
from pitboss.floor.terms.checklist import check_terms, load_checklist
from pitboss.records.read import parse_toml
from pitboss.rulebooks import BOOKS
from pitboss.table.messages.wellformed import find_value_fault

T = TypeVar("T")

_MOMENT = re.compile(r"`\$\.(.*\bstart_ms|opens|closes|draws)`$")
"""Where a message about a file says that one of its days and times is none."""
_ENCODER = msgspec.json.Encoder(order="deterministic")


class TermsError(PitbossError):
    """A file of terms that cannot be read."""


class TermsDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Terms as they are written: for people to read, and to be checked against the list of the book."""

    book: str
    name: str
    terms: dict[str, str | bool]
    """By item its text, or false where it does not apply."""


def check_document(
    document: TermsDocument, competition: str, applies: Mapping[str, bool] | None = None
) -> tuple[str, ...]:
    """The clauses that a document meets, or a refusal with the clause of everything that it leaves out.

    `competition` is what the book calls it: `tournament`. `applies` says of items whether their circumstance is there,
    where that is known from elsewhere.
    """
    return check_terms(load_checklist(document.book, competition), document.terms, applies)


def digest_terms(document: msgspec.Struct) -> str:
    """SHA-256 of a document, in hexadecimal: equal documents have equal digests."""
    return hashlib.sha256(_ENCODER.encode(document)).hexdigest()


def read_document(text: str, file: str, kind: type[T], head: str) -> T:
    """A document from its text. `head = 1` in its first lines says what it is; `file` is the name in complaints."""
    data = parse_toml(text, file)
    if type(data.get(head)) is not int or data[head] != 1:
        raise TermsError(f"{file}: expected {head} = 1, the version of the format, in its first lines")
    if data.get("book") not in BOOKS:
        raise TermsError(f"{file}: expected book = one of {', '.join(BOOKS)}, not {str(data.get('book'))[:40]!r}")
    return convert_document(data, file, kind)


def convert_document(data: Mapping[str, Any], file: str, kind: type[T]) -> T:
    """A document out of plain data, or one line that says what is wrong with it."""
    try:
        document = msgspec.convert(make_plain(data), kind)
    except msgspec.ValidationError as error:
        if moment := _MOMENT.search(str(error)):
            raise TermsError(f"{file}: {moment[1]} is a day and time such as 2026-03-05T10:00:00") from None
        raise TermsError(f"{file}: {error}".replace("\n", " ")) from None
    if isinstance(document, msgspec.Struct) and (fault := find_value_fault(document)):
        raise TermsError(f"{file}: {fault}")
    return document
