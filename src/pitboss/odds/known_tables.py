"""What the odds say about every game with its book's defaults, computed beforehand.

`known_tables.json` is made by `make known-tables` and held to the odds by a test. A table is looked up by what its
play depends on, so an answer can never be given for other rules than it was worked out for.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from importlib import resources

import msgspec

from pitboss.odds.table_worth import TableWorth, table_worth
from pitboss.play.packed import pack
from pitboss.rulebooks import games, rules_for
from pitboss.rulebooks.model.rules import Rules


class KnownTable(msgspec.Struct, frozen=True):
    """A game, the key of its rules, and what it is worth."""

    game: str
    key: str
    worth: TableWorth


def key_of(rules: Rules) -> str:
    """Names everything that the main wager's worth depends on."""
    bonus = rules.super_bonus_sums if rules.super_bonus else None
    return hashlib.sha256(msgspec.json.encode((tuple(pack(rules)), bonus))).hexdigest()


def find_known(rules: Rules) -> TableWorth | None:
    """What is known about the main wager of a table; none where it has to be computed."""
    return _load_known().get(key_of(rules))


@functools.cache
def _load_known() -> dict[str, TableWorth]:
    text = (resources.files(__package__) / "known_tables.json").read_bytes()
    return {table.key: table.worth for table in msgspec.json.decode(text, type=list[KnownTable])}


def work_out() -> bytes:
    """The whole file, recomputed."""
    found = []
    for game in games():
        rules = rules_for(game)
        found.append(KnownTable(game, key_of(rules), table_worth(rules)))
        print(f"{game}  {found[-1].worth.edges['main']:.6%}", file=sys.stderr)
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(work_out())
