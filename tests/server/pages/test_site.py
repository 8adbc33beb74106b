"""What holds for every page: its weight, its policy, its texts, and that it opens without an error."""

from __future__ import annotations

import json
import re

import pytest
from browser_floor import ThreadedFloor, Visitors

from pitboss.server.site.site import Site, choose_language, find_site
from pitboss.server.site.site_files import FOLDER, read_site_files
from pitboss.server.web.web_app import SECURITY_HEADERS

MOST_BYTES = 300_000
FILES = read_site_files()
PAGES = sorted(find_site().entries)
SCRIPTS = sorted(name for name in FILES if name.endswith(".js"))


def no_header(name: bytes) -> str | None:
    return None


@pytest.mark.parametrize("page", PAGES)
def test_a_page_weighs_little_and_names_nothing_from_elsewhere(page: str) -> None:
    site = find_site()
    assert site.weigh_page(page) < MOST_BYTES
    assert f"{page}/page.js" in site.list_parts(page)
    for path in site.entries[page].paths:
        shown = site.answer(path.replace("*", "x"), no_header)
        assert shown is not None
        text = shown.body.decode()
        assert not re.search(r"<script(?! (?:src|type=\"module\" src)=\"/site/)", text)
        assert " style=" not in text
        assert "<style" not in text
        assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", text)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_loads_nothing_from_elsewhere_and_imports_what_is_there(name: str) -> None:
    text = FILES[name].decode()
    assert not re.search(r"""["'`](?:https?:)?//(?!www\.w3\.org/)""", text)
    assert not re.search(r"\b(?:eval|Function)\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write", text)
    folder = FOLDER / name.rpartition("/")[0]
    for part in re.findall(r"""(?:from|import)\s+["'](\.[^"']+)["']""", text):
        place = (folder / part).resolve().relative_to(FOLDER.resolve()).as_posix()
        assert place in FILES or place.replace("texts/", "texts/en/") in FILES or place.startswith("texts/en/"), part


KEY = re.compile(r"""(?:^|[{,])\s*(?:"([\w. -]+)"|([A-Za-z_]\w*)):""", re.MULTILINE)


def read_texts() -> dict[str, set[str]]:
    """The keys of each part of the catalogue."""
    found = {}
    for name in SCRIPTS:
        if name.startswith("texts/en/"):
            keys = KEY.findall(FILES[name].decode())
            found[name.rpartition("/")[2].removesuffix(".js")] = {one or other for one, other in keys}
    return found


def test_every_text_that_is_said_is_in_the_catalogue() -> None:
    texts = read_texts()
    for name in SCRIPTS:
        for page, key in re.findall(r"\bsay\(\"(\w+)\.([\w.]+)\"", FILES[name].decode()):
            assert page in texts, f"{name}: no texts of {page}"
            assert key in texts[page], f"{name}: no text {page}.{key}"


def test_files_lie_under_their_digest_and_are_kept_for_good() -> None:
    site = Site({**FILES, "base/extra.css": b"a" * 1000})
    assert site.digest != find_site().digest
    address = f"/site/{site.digest}/en/base/extra.css"
    plain, packed = site.answer(address, no_header), site.answer(address, lambda name: "gzip, br")
    assert plain is not None
    assert packed is not None
    assert dict(plain.headers)[b"cache-control"].endswith(b"immutable")
    assert len(packed.body) < len(plain.body) == 1000
    for wrong in (
        address.replace(site.digest, "0" * 16),
        f"/site/{site.digest}/en/../site.py",
        f"/site/{site.digest}/xx/base/extra.css",
    ):
        shown = site.answer(wrong, no_header)
        assert shown is not None
        assert shown.status == 404
        assert json.loads(shown.body)["reason"]


def test_a_page_that_has_not_changed_is_not_sent_again() -> None:
    site = find_site()
    first = site.answer("/", no_header)
    assert first is not None
    tag = dict(first.headers)[b"etag"].decode()
    again = site.answer("/", lambda name: tag if name == b"if-none-match" else None)
    assert again is not None
    assert (again.status, again.body) == (304, b"")
    assert site.answer("/nowhere", no_header) is None


def test_a_language_without_texts_gets_english() -> None:
    assert choose_language("xx-YY,xx;q=0.9,en;q=0.8") == "en"
    assert choose_language("") == "en"


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("page", [name for name in PAGES if find_site().entries[name].order])
def test_a_page_opens_without_an_error(page: str, quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    shown = visitors.come(quick_floor.address, token=quick_floor.enter(f"guest-{page}"))
    answer = shown.goto(find_site().entries[page].paths[0])
    assert answer is not None
    assert answer.status == 200
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    shown.wait_for_selector("pb-shell nav a")
    shown.wait_for_selector("h1")
