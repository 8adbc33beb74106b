"""Runs a notebook and writes its outputs into it, as Jupyter would: `make pages`, or `--check` to compare.

Every cell of code runs in order in one namespace. What it prints and what its last line is worth become its outputs, as
text and, for objects that have a view, as HTML. Jupyter itself is not needed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "examples" / "first-hour.ipynb"
SPEED = re.compile(r"in [\d.,]+ s, [\d.,]+ (?:\w+ )?a second")
"""What differs from one run to the next."""

Output = dict[str, Any]


def run_cells(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The cells with their outputs as they come out now."""
    space: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in cells:
        if cell["cell_type"] != "code":
            yield cell
            continue
        count += 1
        yield {**cell, "execution_count": count, "outputs": list(_run("".join(cell["source"]), space, count))}


def _run(source: str, space: dict[str, Any], count: int) -> Iterator[Output]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), space)
        shown = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space) if last is not None else None
    if printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
    if shown is not None:
        data = {"text/plain": _lines(repr(shown))}
        if hasattr(shown, "_repr_html_"):
            data = {"text/html": _lines(shown._repr_html_()), **data}
        yield {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def write_notebook(path: Path = NOTEBOOK) -> str:
    """The notebook with its outputs, as the text of its file."""
    notebook = json.loads(path.read_text("utf-8"))
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        notebook["cells"] = list(run_cells(notebook["cells"]))
    finally:
        os.chdir(before)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def compare_outputs(kept: str, now: str) -> str:
    """The first thing that differs between two texts of a notebook, speeds aside; empty if nothing does."""
    for one, other in zip(SPEED.sub("", kept).splitlines(), SPEED.sub("", now).splitlines(), strict=False):
        if one != other:
            return f"kept {one.strip()[:200]}, now {other.strip()[:200]}"
    return "" if kept.count("\n") == now.count("\n") else "one is longer than the other"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="say what differs, and write nothing")
    check = parser.parse_args().check
    now = write_notebook()
    differs = compare_outputs(NOTEBOOK.read_text("utf-8"), now)
    if differs and check:
        print(f"{NOTEBOOK.name}: {differs}; run make pages", file=sys.stderr)
        return 1
    if differs:
        NOTEBOOK.write_text(now, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
