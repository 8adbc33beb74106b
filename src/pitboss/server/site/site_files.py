"""The files of the pages, read once and kept as they are sent: with their kind, their digest, and compressed.

All files lie under one address that holds the digest of all of them, so that browsers keep them for good and never mix
two versions. `texts/` in such an address stands for the folder of the language that the address names.
"""

from __future__ import annotations

import gzip
import hashlib
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent / "files"
LANGUAGES = tuple(sorted(path.name for path in (FOLDER / "texts").iterdir()))
DEFAULT_LANGUAGE = "en"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
SMALLEST_COMPRESSED = 256
_IMPORT = re.compile(r"^\s*(?:import|export)\b[^;\"']*[\"'](\.[^\"']+)[\"']", re.MULTILINE)


class SiteFile(msgspec.Struct, frozen=True):
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    """Compressed with gzip; the same as `plain` where that is no shorter."""


class PageEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a folder says about its page, in `page.json`."""

    title: dict[str, str]
    """By language."""
    element: str
    paths: tuple[str, ...]
    """Where the page is found; `/*` at the end stands for anything below."""
    order: int = 0
    """The place in the navigation; 0: it is not there."""
    roles: tuple[str, ...] = ()
    """Who finds it in the navigation, by roles; none: everybody."""
    styles: tuple[str, ...] = ()
    """Further style sheets, before its own."""
    wide: bool = False
    """The page uses the whole window."""


def read_site_files(folder: Path = FOLDER) -> dict[str, bytes]:
    """The files by their path, as they lie there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS
    }


def pack_file(name: str, plain: bytes) -> SiteFile:
    """A file ready to be sent."""
    packed = gzip.compress(plain, 9, mtime=0) if len(plain) >= SMALLEST_COMPRESSED else plain
    return SiteFile(KINDS[Path(name).suffix], plain, packed if len(packed) < len(plain) else plain)


def digest_site(files: Mapping[str, bytes]) -> str:
    """One short digest of all files, for their address."""
    whole = hashlib.sha256()
    for name, plain in sorted(files.items()):
        whole.update(f"{name}\0{len(plain)}\0".encode())
        whole.update(plain)
    return whole.hexdigest()[:16]


def find_modules(files: Mapping[str, bytes], first: str, language: str) -> tuple[str, ...]:
    """What a module imports, and what that imports, in the order in which it is met: the first one included."""
    met: dict[str, None] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop(0)
        real = localize(name, language, files)
        if name in met or real not in files:
            continue
        met[name] = None
        text = files[real].decode()
        waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(name), part)) for part in _IMPORT.findall(text)]
    return tuple(met)


def localize(name: str, language: str, files: Mapping[str, object]) -> str:
    """The file behind a name in a language; what is not translated is told in English."""
    head, _, rest = name.partition("/")
    if head != "texts":
        return name
    translated = f"texts/{language}/{rest}"
    return translated if translated in files else f"texts/{DEFAULT_LANGUAGE}/{rest}"
