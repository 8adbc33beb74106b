"""The clause registers: for every clause of a book, how the project meets it.

A register is `clauses/BOOK.csv`: what the clause says in our own words, and beside it whether software enforces it
(where, tested by what), a person acts on it, or it is beyond software, with the reason. `check` says where a register
and the project have drifted apart: it reads source, tests and rulebooks as text and imports nothing. Which clauses a
register must hold is pinned here by a digest, so that a row cannot get lost in silence.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from io import StringIO

import msgspec

from pitboss.errors import PitbossError

STATUSES = ("enforced", "operator", "physical", "legal", "planned")
"""How a clause can be met, as the registers say it."""

KINDS = (
    "definition", "equipment", "floor", "insurance", "irregularity", "jackpot", "legal", "play", "promotion", "shuffle",
    "side-wager", "tournament", "wager",
)  # fmt: skip
"""What a clause can be about."""

COLUMNS = ("clause", "kind", "summary", "note", "status", "where", "tests", "reason")

CLAUSE_LISTS: Mapping[str, str] = {
    "perth": "6506d6f53b1e1718e20d8f0d15867bcc3d76b019f6a6739025a0238ac62bb4a8",
    "rws": "d071a1b1bbcf5536a150db9b5667f51283d1b3092d8fcf8fc881a004e1cdf3d8",
    "star": "80b388295bf4425c33e5732ccffb7bc88a9aabede6230bc7b6ad9443694275c4",
    "star-switch": "a18bd05872c3026ad96f933cb619d135bc9b5f198ddd46610307b281235a4eed",
    "melbourne": "1341cdd36b1b7863d7663e388b2f02591619244815d79e14cbc2e35e7714bbea",
}
"""SHA-256 of each book's clause list: `clause<TAB>kind` a line, in the book's order (`tests/clauses/BOOK.txt`)."""


class RegisterError(PitbossError):
    """A register that is not there, or is not a register."""


class ClauseRow(msgspec.Struct, frozen=True):
    """One clause and how it is met."""

    clause: str
    kind: str
    summary: str
    note: str
    status: str
    where: tuple[str, ...]
    """Places that enforce it, `pitboss.module:name` or `BOOK.toml:path`; the room where it is planned."""
    tests: tuple[str, ...]
    """Tests and round records that hold it, by their path from the root of the source tree."""
    reason: str


Registers = Mapping[str, Sequence[ClauseRow]]


def load_register(book_id: str) -> tuple[ClauseRow, ...]:
    """The register of one of the books, in the book's order."""
    if book_id not in CLAUSE_LISTS:
        raise RegisterError(f"there is no register of '{book_id}'; the registers are {', '.join(CLAUSE_LISTS)}")
    file = resources.files(__package__) / "clauses" / f"{book_id}.csv"
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise RegisterError(f"the register {book_id}.csv is missing from the package") from error
    return parse_register(text, f"{book_id}.csv")


def load_registers(books: Iterable[str] = CLAUSE_LISTS) -> dict[str, tuple[ClauseRow, ...]]:
    """The registers of several books, all of them if none is named."""
    return {book: load_register(book) for book in books}


def parse_register(text: str, file: str) -> tuple[ClauseRow, ...]:
    """A register from its text; `file` is the name shown in complaints."""
    lines = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        if tuple(next(lines, ())) != COLUMNS:
            raise RegisterError(f"{file}: line 1: the columns must be {', '.join(COLUMNS)}")
        rows = []
        for cells in lines:
            if len(cells) != len(COLUMNS):
                raise RegisterError(f"{file}: line {lines.line_num}: {len(cells)} cells instead of {len(COLUMNS)}")
            clause, kind, summary, note, status, where, tests, reason = cells
            places, held_by = tuple(where.split()), tuple(tests.split())
            rows.append(ClauseRow(clause, kind, summary, note, status, places, held_by, reason))
    except csv.Error as error:
        raise RegisterError(f"{file}: line {lines.line_num}: {error}") from error
    return tuple(rows)


def select(rows: Iterable[ClauseRow], kind: str | None = None, status: str | None = None) -> tuple[ClauseRow, ...]:
    """The rows of that kind and of that status."""
    return tuple(row for row in rows if kind in (None, row.kind) and status in (None, row.status))


def find(rows: Sequence[ClauseRow], clause: str) -> tuple[ClauseRow, ...]:
    """The row of a clause; if it has none of its own, the rows of everything under it: `8.1` has `8.1:Insurance`."""
    own = tuple(row for row in rows if row.clause == clause)
    return own or tuple(row for row in rows if row.clause.startswith(clause) and row.clause[len(clause)] in "/(.: ")


def by_status(rows: Iterable[ClauseRow]) -> dict[str, int]:
    """How many clauses have each status; one that is not known is not counted."""
    found = [row.status for row in rows]
    return {status: found.count(status) for status in STATUSES}


def by_kind(rows: Iterable[ClauseRow]) -> dict[str, int]:
    """How many clauses there are of each kind that occurs."""
    found = [row.kind for row in rows]
    return {kind: found.count(kind) for kind in KINDS if kind in found}


def clause_list(rows: Iterable[ClauseRow]) -> str:
    """The clauses and their kinds, as they are pinned."""
    return "".join(f"{row.clause}\t{row.kind}\n" for row in rows)


# What must hold --------------------------------------------------------------------------------------


def check(registers: Registers, root: Traversable | None) -> list[str]:
    """Everything in the registers that is not so, a line each.

    `root` is the root of the source tree, where the tests are; without it what a register says about tests is
    left unchecked, and all the rest is checked.
    """
    tree = _Tree(root)
    problems: list[str] = []
    for book, rows in registers.items():
        problems += _list_problems(book, rows, root)
        for row in rows:
            problems += [f"{book} {row.clause}: {problem}" for problem in _row_problems(row, tree)]
    return problems


def _list_problems(book: str, rows: Sequence[ClauseRow], root: Traversable | None) -> Iterator[str]:
    """A register holds each clause of its book once, in order, with its kind."""
    seen = set()
    for row in rows:
        if row.clause in seen:
            yield f"{book} {row.clause}: is in the register more than once"
        seen.add(row.clause)
    held, pinned = clause_list(rows), CLAUSE_LISTS.get(book)
    if pinned is None:
        yield f"{book}: no clause list is pinned for this book"
        return
    named = []
    listed = _text(root, f"tests/clauses/{book}.txt") if root is not None else None
    if listed is not None:
        if _digest(listed) != pinned:
            yield f"{book}: tests/clauses/{book}.txt is not the clause list that is pinned"
        else:
            named = list(_differences(book, listed.splitlines(), held.splitlines()))
            yield from named
    if _digest(held) != pinned and not named:
        yield f"{book}: the register differs from the book's clause list: a row is lost, added, renamed or moved"


def _differences(book: str, listed: Sequence[str], held: Sequence[str]) -> Iterator[str]:
    wanted, found = set(listed), set(held)
    for line in listed:
        if line not in found:
            clause, _, kind = line.partition("\t")
            yield f"{book} {clause}: the book has this clause ({kind}), the register does not"
    for line in held:
        if line not in wanted:
            clause, _, kind = line.partition("\t")
            yield f"{book} {clause}: the register has this clause ({kind}), the book does not"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _row_problems(row: ClauseRow, tree: _Tree) -> Iterator[str]:
    if row.status not in STATUSES:
        known = ", ".join(STATUSES)
        yield f"has no answer: its status must be one of {known}, not '{row.status}'"
        return
    if row.status == "enforced":
        if not row.where:
            yield "is enforced, and the register does not say where"
        for place in row.where:
            yield from tree.place_problems(place)
    elif not row.reason:
        yield f"is {row.status}, and the register gives no reason"
    if row.status == "planned":
        if not row.where:
            yield "is planned, and the register does not say for which room"
        for room in row.where:
            if not tree.is_module(room):
                yield f"is planned for '{room}', and there is no such room: write pitboss.ROOM"
    for test in row.tests:
        yield from tree.test_problems(test)


# Places ---------------------------------------------------------------------------------------------


class _Tree:
    """The project as text: what a register may point to. Each file is read once."""

    def __init__(self, root: Traversable | None) -> None:
        self._root = root
        self._package = resources.files("pitboss")
        self._names: dict[str, frozenset[str]] = {}
        self._books: dict[str, object] = {}
        self._answers: dict[str, tuple[str, ...]] = {}

    def place_problems(self, place: str) -> tuple[str, ...]:
        """What is wrong with a place such as `pitboss.money:round_up` or `star.toml:rules.decks`."""
        if place not in self._answers:
            self._answers[place] = tuple(self._place_problems(place))
        return self._answers[place]

    def test_problems(self, test: str) -> tuple[str, ...]:
        """What is wrong with a test such as `tests/test_money.py::test_round_up`, or a round record."""
        if self._root is None:
            return ()
        if test not in self._answers:
            self._answers[test] = tuple(self._test_problems(self._root, test))
        return self._answers[test]

    def is_module(self, module: str) -> bool:
        return _module_file(self._package, module) is not None

    def _place_problems(self, place: str) -> Iterator[str]:
        holder, colon, name = place.partition(":")
        if not colon or not name:
            yield f"'{place}' is not a place: write pitboss.module:name or BOOK.toml:path"
        elif holder.endswith(".toml"):
            yield from self._book_problems(holder, name)
        else:
            file = _module_file(self._package, holder)
            if file is None:
                yield f"there is no module {holder} ({place})"
            elif name not in self._names_in(holder, file):
                yield f"{holder} has no {name}"

    def _book_problems(self, holder: str, path: str) -> Iterator[str]:
        if holder not in self._books:
            text = _text(self._package, f"rulebooks/books/{holder}")
            self._books[holder] = None if text is None else _toml(text, holder)
        book = self._books[holder]
        if book is None:
            yield f"there is no rulebook {holder}"
        elif not _has(book, path.split(".")):
            yield f"{holder} has no {path}"

    def _test_problems(self, root: Traversable, test: str) -> Iterator[str]:
        path, *names = test.split("::")
        text = _text(root, path) if path.startswith("tests/") else None
        if text is None:
            yield f"there is no {path}"
        elif names and ".".join(names).partition("[")[0] not in self._names_in(path, root.joinpath(*path.split("/"))):
            yield f"{path} has no {'::'.join(names)}"

    def _names_in(self, key: str, file: Traversable) -> frozenset[str]:
        """Every function, class and assignment of a module, and those of its classes, dotted."""
        if key not in self._names:
            try:
                module = ast.parse(file.read_text(encoding="utf-8"))
            except SyntaxError as error:
                raise RegisterError(f"{key}: line {error.lineno}: {error.msg}") from error
            self._names[key] = frozenset(_find_defined(module.body, ""))
        return self._names[key]


def _module_file(package: Traversable, module: str) -> Traversable | None:
    top, *parts = module.split(".")
    if top != package.name or not all(part.isidentifier() for part in parts):
        return None
    for path in ([*parts[:-1], f"{parts[-1]}.py"] if parts else [], [*parts, "__init__.py"]):
        file = package.joinpath(*path)
        if file.is_file():
            return file
    return None


def _find_defined(body: Iterable[ast.AST], prefix: str) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield prefix + node.name
            case ast.ClassDef():
                yield prefix + node.name
                yield from _find_defined(node.body, f"{prefix}{node.name}.")
            case ast.Assign():
                targets = (name for target in node.targets for name in ast.walk(target))
                yield from (prefix + name.id for name in targets if isinstance(name, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield prefix + name
            case ast.If() | ast.Try() | ast.With():
                yield from _find_defined(ast.iter_child_nodes(node), prefix)


def _has(value: object, path: Sequence[str]) -> bool:
    """A table has the key; a list of tables has it if one of them does."""
    if not path:
        return True
    if isinstance(value, list):
        return any(_has(item, path) for item in value)
    return isinstance(value, dict) and path[0] in value and _has(value[path[0]], path[1:])


def _toml(text: str, file: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RegisterError(f"{file}: {error}") from error


def _text(root: Traversable, path: str) -> str | None:
    file = root.joinpath(*path.split("/"))
    return file.read_text(encoding="utf-8") if file.is_file() else None
