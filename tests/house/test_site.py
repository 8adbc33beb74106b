"""Pages and pictures that come from the product are fresh, and the site built from them is whole and offline."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"


def run_tool(name: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / name), *options],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["make_pages.py", "run_notebook.py", "make_pictures.py"])
def test_what_comes_from_the_product_is_what_the_product_gives_now(tool: str) -> None:
    done = run_tool(tool, "--check")
    assert done.returncode == 0, done.stderr


def test_the_notebook_was_run_from_top_to_bottom() -> None:
    cells = json.loads((ROOT / "examples" / "first-hour.ipynb").read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(cell["outputs"] for cell in code)
    shown = [output["data"] for cell in code for output in cell["outputs"] if "data" in output]
    assert len([data for data in shown if "text/html" in data]) >= 6


def test_pictures_show_the_same_everywhere() -> None:
    pictures = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
    assert len(pictures) >= 3
    for path in pictures:
        text = path.read_text("utf-8")
        assert not outside(text), path.name


def test_the_citation_names_this_version() -> None:
    import pitboss

    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version: {pitboss.__version__}\n" in text
    assert f"version = {{{pitboss.__version__}}}" in (ROOT / "README.md").read_text("utf-8")


# The site ---------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The places that a page has, points to, and loads things from."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in {"canonical", "prev", "next"}:
            self.loads.append(given.get("href", ""))
        if "src" in given:
            self.loads.append(given["src"])


def outside(text: str) -> list[str]:
    """What a style or a picture would fetch from another place; the names of XML vocabularies are no places."""
    fetched = re.findall(r"(?:url\(|@import|href=|src=)\s*[\"']?\s*((?:https?:)?//[^\"')\s>]+)", text)
    return [address for address in fetched if "www.w3.org" not in address]


@pytest.fixture(scope="module")
def pages() -> dict[Path, Page]:
    done = run_tool("build_site.py")
    assert done.returncode == 0, done.stdout + done.stderr
    found = {}
    for path in sorted(SITE.rglob("*.html")):
        found[path] = Page()
        found[path].feed(path.read_text("utf-8"))
    return found


@pytest.mark.slow
def test_the_site_has_a_page_for_every_document(pages: dict[Path, Page]) -> None:
    built = {path.name for path in pages}
    assert {"index.html", "api.html", "notebook.html", "record-index.html", "glossary.html"} <= built
    assert {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md") if path.stem != "README"} <= built


@pytest.mark.slow
def test_no_page_of_the_site_needs_anything_from_outside(pages: dict[Path, Page]) -> None:
    loads = {f"{path.name}: {place}" for path, page in pages.items() for place in page.loads if urlsplit(place).netloc}
    assert not loads
    styles = {
        f"{path.relative_to(SITE)}: {place}"
        for path in SITE.rglob("*")
        if path.suffix in {".css", ".svg"}
        for place in outside(path.read_text("utf-8"))
    }
    assert not styles


@pytest.mark.slow
def test_no_link_of_the_site_is_broken(pages: dict[Path, Page]) -> None:
    broken = []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are from the root of a server
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                broken.append(f"{path.name}: {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                broken.append(f"{path.name}: {link} has no such place")
    assert not broken, "\n".join(broken[:20])


@pytest.mark.slow
def test_the_site_can_be_searched_without_a_server(pages: dict[Path, Page]) -> None:
    index = (SITE / "search" / "search_index.js").read_text("utf-8")
    assert "Crown Pontoon" in index
    assert "assets/iframe-worker.js" in pages[SITE / "index.html"].loads
    assert (SITE / "assets" / "iframe-worker.js").exists()
