"""Builds the documentation as a static site that needs no network: `make docs`.

The pages are those of the README, `docs/`, and the other documents at the root. Here they are laid out as MkDocs wants
them: links between them are adapted, and files that they point to (records, examples) are copied beside them as text.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "build" / "site-source"
SITE = ROOT / "build" / "site"

PAGES = {
    "README.md": "index.md",
    "GLOSSARY.md": "glossary.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "docs/README.md": "guide.md",
    "bench/README.md": "benchmarks.md",
    "bench/reports/shuffle.md": "benchmarks-shuffle.md",
    "bench/reports/agreement.md": "benchmarks-agreement.md",
    "examples/first-hour.ipynb": "notebook.md",
}
"""Documents that get another name on the site; a page of docs/ keeps its own."""

SEARCHED_LAST = frozenset({"docs/record-index.md", "CHANGELOG.md"})
"""Pages that mention everything, and so come last in the results of a search."""

LINK = re.compile(r"(?P<before>\]\(|src=\")(?P<target>[^)\s\"#:]+)(?P<anchor>#[^)\s\"]*)?(?P<after>[)\"])")
FENCE = re.compile(r"^(\s*```\w+) no-run\s*$", re.MULTILINE)
CODE = re.compile(r"(^\s*```.*?^\s*```\s*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


class BuildError(Exception):
    """The site cannot be built as the documents are."""


def lay_out(folder: Path = SOURCE) -> None:
    """Write every page of the site, and copy what the pages point to."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in sorted((ROOT / "docs").rglob("*")):
        if path.is_file() and path.suffix != ".md":
            _copy(path, folder / path.relative_to(ROOT / "docs"))
    documents = [*PAGES, *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
    for name in dict.fromkeys(documents):
        text = (ROOT / name).read_text("utf-8")
        if name.endswith(".ipynb"):
            text = notebook_page(text)
        heading = "---\nsearch:\n  boost: 0.3\n---\n\n" if name in SEARCHED_LAST else ""
        (folder / page_of(name)).write_text(heading + adapt(name, text, folder), "utf-8")


def page_of(name: str) -> str:
    """Where a file of the project is on the site."""
    if name in PAGES:
        return PAGES[name]
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    return f"files/{name}.txt"


def adapt(name: str, text: str, folder: Path) -> str:
    """The text of a document with its links pointing where things are on the site."""

    def point(found: re.Match[str]) -> str:
        target = _resolve(PurePosixPath(name).parent / found["target"])
        if not (ROOT / target).is_file():
            raise BuildError(f"{name} points to {found['target']}, which is not a file")
        page = page_of(target)
        if page.startswith("files/"):
            _copy(ROOT / target, folder / page)
        return f"{found['before']}{page}{found['anchor'] or ''}{found['after']}"

    parts = CODE.split(FENCE.sub(r"\1", text))
    return "".join(part if place % 2 else LINK.sub(point, part) for place, part in enumerate(parts))


def _resolve(path: PurePosixPath) -> str:
    kept: list[str] = []
    for part in path.parts:
        if part == "..":
            kept.pop()
        elif part != ".":
            kept.append(part)
    return "/".join(kept)


def _copy(path: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, place)


def notebook_page(text: str) -> str:
    """A notebook as Markdown: its words, its code, and below each cell what came out."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "text/html" in data:
                shown = re.sub(r"\n\s*\n", "\n", "".join(data["text/html"]))
                parts.append(f'<div class="notebook">{shown}</div>')
            else:
                printed = "".join(output.get("text") or data["text/plain"]).rstrip()
                parts.append(f'<pre class="notebook">{escape(printed)}</pre>')
    return "\n\n".join(parts) + "\n"


def build() -> None:
    """Lay the pages out and let MkDocs build them; a warning is an error."""
    lay_out()
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "--quiet",
        "build",
        "--strict",
        "--clean",
        "-f",
        str(ROOT / "mkdocs.yml"),
    ]
    subprocess.run(command, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})


if __name__ == "__main__":
    try:
        build()
    except (BuildError, subprocess.CalledProcessError) as error:
        sys.exit(f"build_site: {error}")
    print(f"The site is in {SITE.relative_to(ROOT)}: open {SITE.relative_to(ROOT)}/index.html")
