"""What the documents show is what happens: their Python runs, their commands succeed and print what is shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`\n]*)\n(?P<body>.*?)^(?P=indent)```\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")


class Snippet(NamedTuple):
    line: int
    language: str
    text: str


class Step(NamedTuple):
    command: str
    shown: list[str]


def snippets(document: str) -> list[Snippet]:
    """The fenced blocks of a document that are to be run."""
    found = []
    for match in FENCE.finditer(document):
        language, *marks = match["info"].split() or [""]
        if language in {"python", "console", "sh"} and "no-run" not in marks:
            body = re.sub(f"^{match['indent']}", "", match["body"], flags=re.MULTILINE)
            found.append(Snippet(document.count("\n", 0, match.start()) + 1, language, body))
    return found


def steps(snippet: Snippet) -> Iterator[Step]:
    """A console block line by line: `$ ` and a command, then what it prints; an sh block holds commands only."""
    lines = snippet.text.replace("\\\n", "").splitlines()
    if snippet.language == "sh":
        yield from (Step(line, []) for line in lines if line.strip() and not line.lstrip().startswith("#"))
        return
    step: Step | None = None
    for line in lines:
        if line.startswith("$ "):
            if step:
                yield step
            step = Step(line[2:], [])
        elif step:
            step.shown.append(line.rstrip())
    if step:
        yield step


def matches(shown: list[str], printed: list[str]) -> bool:
    """Line for line, where a shown `...` stands for any number of lines."""
    pattern = "".join("(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def run(step: Step, folder: Path) -> str:
    """Run one command as a user would; the complaint, or nothing."""
    if not step.command.startswith("pitboss "):
        return f"$ {step.command}\nis not a pitboss command; mark the block no-run if it should not be run"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        step.command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        return f"$ {step.command}\nexits {done.returncode}: {done.stderr}"
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    if any(step.shown) and not matches(step.shown, printed):
        return "\n".join([f"$ {step.command}", "shows", *step.shown, "but prints", *printed])
    return ""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the project's files in reach, where an example may leave files of its own."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_snippets_do_what_they_show(path: Path, checkout: Path) -> None:
    names: dict[str, object] = {"__name__": "__snippet__"}
    for snippet in snippets(path.read_text("utf-8")):
        where = f"{path.name}:{snippet.line}"
        if snippet.language == "python":
            try:
                exec(compile(snippet.text, where, "exec"), names)
            except Exception:
                pytest.fail(f"{where}\n{traceback.format_exc()}", pytrace=False)
            continue
        for step in steps(snippet):
            complaint = run(step, checkout)
            assert not complaint, f"{where}\n{complaint}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    dead = [target for target in LINK.findall(path.read_text("utf-8")) if not (path.parent / target).exists()]
    assert not dead, f"{path.name}: {', '.join(dead)}"


def test_blocks_are_found_and_no_run_is_left_out() -> None:
    document = (
        "```python\nx = 1\n```\n\n```toml\nx = 1\n```\n\n```sh no-run\nmake\n```\n\n- a\n  ```sh\n  pitboss -h\n  ```\n"
    )
    assert snippets(document) == [Snippet(1, "python", "x = 1\n"), Snippet(14, "sh", "pitboss -h\n")]


def test_a_console_block_is_commands_and_what_they_print() -> None:
    snippet = Snippet(1, "console", "$ pitboss \\\n--version\npitboss 0\n$ pitboss --help\n")
    assert list(steps(snippet)) == [Step("pitboss --version", ["pitboss 0"]), Step("pitboss --help", [])]


def test_what_is_shown_is_compared() -> None:
    assert matches(["a", "...", "c"], ["a", "b1", "b2", "c"])
    assert matches(["a"], ["a"])
    assert not matches(["a"], ["a", "b"])
    assert not matches(["a", "...", "c"], ["a", "b"])


def test_a_failing_or_untrue_example_is_found(tmp_path: Path) -> None:
    assert "exits 2" in run(Step("pitboss --no-such-option", []), tmp_path)
    assert "but prints" in run(Step("pitboss --version", ["pitboss 99"]), tmp_path)
    assert "not a pitboss command" in run(Step("rm -r x", []), tmp_path)
