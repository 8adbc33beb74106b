"""Writes the pages that come from the product: `make pages`, or `--check` to say which are out of date.

The numbers at the top of the README, the Python reference, and the index of the round records.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from api_reference import write_reference
from record_index import write_index

from pitboss.formats.wording import percent
from pitboss.odds.known_tables import find_known
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.registers import load_registers

ROOT = Path(__file__).resolve().parents[1]
GAME = "melbourne/pontoon"
SPEED = re.compile(r"^\| Pontoon, one box \| (?P<rounds>\d+) million \|", re.MULTILINE)
"""The line of the benchmarks that says how fast the game is simulated."""
BLOCK = re.compile(r"(?<=<!-- numbers: written by make pages -->\n).*?(?=<!-- end of numbers -->)", re.DOTALL)


def write_numbers() -> str:
    """Three numbers worth knowing, as a table."""
    known = find_known(rules_for(GAME))
    assert known is not None, f"{GAME} is not among the known tables: run make known-tables"
    edge = known.edges["main"]
    speed = SPEED.search((ROOT / "bench" / "README.md").read_text("utf-8"))
    assert speed is not None, "bench/README.md does not say how fast Pontoon is simulated"
    met = Counter(row.status for register in load_registers().values() for row in register)
    rest = ", ".join(f"{met[status]:,} {words}" for status, words in OTHERS.items() if met[status])
    return "\n".join(
        [
            "| three numbers worth knowing | |",
            "|---|---|",
            f"| **{percent(edge, 2)}** | what Crown Pontoon costs with perfect play: "
            f"{edge * 100:.2f} for every 100 staked, exact and not simulated |",
            f"| **{speed['rounds']} million rounds a second** | how fast it is simulated, on one core of a "
            "server ([benchmarks](bench/README.md)) |",
            f"| **{met['enforced']:,} of {met.total():,} clauses** | enforced by the program, each with the test that "
            f"shows it; not enforced: {rest} |",
            "",
        ]
    )  # fmt: skip


OTHERS = {
    "planned": "planned",
    "operator": "left to the operator",
    "physical": "about hands and equipment",
    "legal": "legal terms",
}
"""What the clauses are that no program enforces, by their status in the register."""


def write_all() -> dict[str, str]:
    """Every page that is written here, by its path."""
    readme = (ROOT / "README.md").read_text("utf-8")
    assert BLOCK.search(readme), "README.md has no place for its numbers"
    return {
        "README.md": BLOCK.sub(lambda _: write_numbers(), readme),
        "docs/api.md": write_reference(),
        "docs/record-index.md": write_index(),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="say which pages are out of date, and write nothing")
    check = parser.parse_args().check
    stale = 0
    for name, text in write_all().items():
        path = ROOT / name
        if path.exists() and path.read_text("utf-8") == text:
            continue
        if check:
            stale += 1
            print(f"{name} is out of date: run make pages", file=sys.stderr)
        else:
            path.write_text(text, "utf-8")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
