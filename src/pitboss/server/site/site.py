"""The site: answers requests for pages and for the files of which they are made, from memory.

The document of a page holds no script and no style of its own: it names files, tells the navigation which pages there
are, and has one element that draws everything else.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

import msgspec

from pitboss.server.site.site_files import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    PageEntry,
    SiteFile,
    digest_site,
    find_modules,
    localize,
    pack_file,
    read_site_files,
)

PREFIX = "/site/"
FOREVER = b"public, max-age=31536000, immutable"
ASK_AGAIN = b"no-cache"
FIRST_STYLES = ("base/tokens.css", "base/base.css", "base/pieces.css")
FIRST_SCRIPT = "base/first.js"
"""Runs before anything is drawn: it sets the theme that somebody has chosen."""
Header = tuple[bytes, bytes]


class SiteAnswer(msgspec.Struct, frozen=True):
    """What a request is answered with."""

    status: int
    headers: list[Header]
    body: bytes


class Site:
    """All pages and files, ready to be sent."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        plain = read_site_files() if files is None else files
        self.files: dict[str, SiteFile] = {name: pack_file(name, text) for name, text in plain.items()}
        self.digest = digest_site(plain)
        self.entries: dict[str, PageEntry] = {
            name.split("/")[0]: msgspec.json.decode(text, type=PageEntry)
            for name, text in plain.items()
            if name.endswith("/page.json")
        }
        self._plain = plain
        self._documents = {
            (name, language): pack_file("page.json", self._write_document(name, language).encode())
            for name in self.entries
            for language in LANGUAGES
        }
        self._exact = {path: name for name, entry in self.entries.items() for path in entry.paths}

    def find_page(self, path: str) -> str | None:
        """The page at a path, by its folder."""
        if path in self._exact:
            return self._exact[path]
        head = path.rpartition("/")[0]
        while head:
            found = self._exact.get(f"{head}/*")
            if found is not None:
                return found
            head = head.rpartition("/")[0]
        return None

    def list_parts(self, page: str, language: str = DEFAULT_LANGUAGE) -> tuple[str, ...]:
        """Every file that a page loads at first."""
        return (*self._list_styles(page), FIRST_SCRIPT, *find_modules(self._plain, f"{page}/page.js", language))

    def weigh_page(self, page: str, language: str = DEFAULT_LANGUAGE) -> int:
        """The bytes that travel for a page at first sight, compressed."""
        parts = (self.files[localize(name, language, self.files)] for name in self.list_parts(page, language))
        return len(self._documents[page, language].packed) + sum(len(part.packed) for part in parts)

    def answer(self, path: str, read: Callable[[bytes], str | None]) -> SiteAnswer | None:
        """What stands at a path; None where it is no page and no file. `read` gives a header of the request."""
        packs = "gzip" in (read(b"accept-encoding") or "")
        if path.startswith(PREFIX):
            return self._answer_file(path.removeprefix(PREFIX), packs)
        page = self.find_page(path)
        if page is None:
            return None
        document = self._documents[page, choose_language(read(b"accept-language") or "")]
        tag = f'"{hashlib.sha256(document.plain).hexdigest()[:16]}{"-gz" if packs else ""}"'
        headers: list[Header] = [(b"etag", tag.encode()), (b"cache-control", ASK_AGAIN),
                                 (b"vary", b"accept-encoding, accept-language")]  # fmt: skip
        if read(b"if-none-match") == tag:
            return SiteAnswer(304, headers, b"")
        return _send(document, "text/html; charset=utf-8", headers, packs)

    def _answer_file(self, rest: str, packs: bool) -> SiteAnswer:
        digest, _, rest = rest.partition("/")
        language, _, name = rest.partition("/")
        file = self.files.get(localize(name, language, self.files))
        if digest != self.digest or language not in LANGUAGES or file is None:
            body = b'{"reason":"there is no such file: load the page again"}'
            return SiteAnswer(
                404, [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))], body
            )
        return _send(file, file.kind, [(b"cache-control", FOREVER), (b"vary", b"accept-encoding")], packs)

    def _list_styles(self, page: str) -> tuple[str, ...]:
        own = f"{page}/page.css"
        return (*FIRST_STYLES, *self.entries[page].styles, *((own,) if own in self.files else ()))

    def list_style_addresses(self) -> tuple[str, ...]:
        """Where the styles of plain pages lie, the forms of people who come in."""
        return tuple(self._locate(name, DEFAULT_LANGUAGE) for name in (*FIRST_STYLES, "base/office.css"))

    def _locate(self, name: str, language: str) -> str:
        return f"{PREFIX}{self.digest}/{language}/{name}"

    def _write_document(self, page: str, language: str) -> str:
        entry = self.entries[page]
        styles = "".join(
            f'<link rel="stylesheet" href="{self._locate(name, language)}">' for name in self._list_styles(page)
        )
        modules = find_modules(self._plain, f"{page}/page.js", language)
        ahead = "".join(f'<link rel="modulepreload" href="{self._locate(name, language)}">' for name in modules)
        return (
            f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="dark light"><title>{escape(_title(entry, language))} · pitboss</title>'
            f'<link rel="icon" href="{self._locate("base/mark.svg", language)}" type="image/svg+xml">'
            f'<script src="{self._locate(FIRST_SCRIPT, language)}"></script>{styles}{ahead}'
            f'<script type="module" src="{self._locate(f"{page}/page.js", language)}"></script></head>'
            f'<body class="page-{page}{" wide" if entry.wide else ""}">'
            f'<pb-shell page="{page}" pages="{escape(self._list_navigation(language), quote=True)}"></pb-shell>'
            f'<main id="main" tabindex="-1"><{entry.element}></{entry.element}></main>'
            "<noscript><p>These pages need JavaScript. Without it, join from a terminal: pitboss join.</p></noscript>"
            "</body></html>"
        )

    def _list_navigation(self, language: str) -> str:
        shown = sorted((entry.order, name, entry) for name, entry in self.entries.items() if entry.order)
        lines: list[dict[str, Any]] = [
            {"name": name, "path": entry.paths[0], "title": _title(entry, language), "roles": entry.roles}
            for _, name, entry in shown
        ]
        return msgspec.json.encode(lines).decode()


def _title(entry: PageEntry, language: str) -> str:
    return entry.title.get(language, entry.title[DEFAULT_LANGUAGE])


def _send(file: SiteFile, kind: str, headers: Iterable[Header], packs: bool) -> SiteAnswer:
    body = file.packed if packs else file.plain
    more = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    if body is not file.plain:
        more.append((b"content-encoding", b"gzip"))
    return SiteAnswer(200, [*headers, *more], body)


def choose_language(accepted: str) -> str:
    """The first language of a browser that there are texts in."""
    for wanted in re.findall(r"([a-zA-Z]{2,3})(?:-[\w-]+)?(?:;[^,]*)?", accepted):
        if wanted.lower() in LANGUAGES:
            return str(wanted.lower())
    return DEFAULT_LANGUAGE


@functools.cache
def find_site() -> Site:
    """The pages of this program, read once."""
    return Site()
