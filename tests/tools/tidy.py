"""The house rules as functions: each takes a source or a document and gives back its complaints.

`test_tidy.py` applies them to the tree, and to small wrong samples so that a rule that no longer
bites is noticed. A complaint is a text that says where and what.
"""

from __future__ import annotations

import ast
import functools
import math
import re
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "pitboss"

# From the ground up, as in the design: a room imports only rooms that stand before it.
ROOMS = (
    "errors",
    "files",
    "cards",
    "money",
    "formats",
    "play.ground",
    "rulebooks",
    "play",
    "table",
    "records",
    "odds",
    "sim",
    "report",
    "floor",
    "server",
    "envs",
    "tui",
    "front_door",
    "cli",
)
GROUND_FLOORS: Mapping[str, str] = {
    "play._jit": "play.ground", "play.hands": "play.ground", "play.side_wagers.judges": "play.ground",
}  # fmt: skip
"""Modules that stand lower than the rest of their room: judges know cards and numbers, and books name them."""
EXACT_ROOMS = frozenset({"money", "rulebooks", "table", "floor"})
ROOMS_WITH_THE_WORLD = frozenset({"files", "server", "front_door", "cli"})
PACKAGE_DATA_ROOMS = frozenset({"rulebooks", "odds", "server"})
DOORS: Mapping[str, frozenset[str]] = {
    "__init__.py": frozenset({"pitboss.front_door", "pitboss.odds", "pitboss.server.client"}),
    "formats/notebook_view.py": frozenset({"pitboss.report.notebooks.notebook_html"}),
}
"""What a module may fetch from above, not at once but when it is asked for: what the package itself hands out, and what
a notebook shows of a result."""

FLOORS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "table": (
        (
            "messages", "floor_state", "state", "draft", "dispatch", "authority", "meters",
        ),
        ("shoe",),
        ("round",),
        ("orders",),
        ("evolve", "working", "legal", "decide", "views", "codec", "unattended", "shoe_proof", "__init__"),
    ),
}  # fmt: skip
"""The floors inside a room, from the ground up: its modules and folders, each of which imports from its own floor and
those below. The ordinary round does not know the orders of the floor; orders may call the round."""

LONGEST_MODULE_LINES = 600
LONGER_MODULES: Mapping[str, str] = {}
"""Path below src/pitboss of a module that may be longer, and why."""


class Module(NamedTuple):
    """One source file of the package, parsed."""

    room: str
    path: str
    tree: ast.Module
    lines: int


def parse(path: str, source: str) -> Module:
    """A module of the package, by its path below src/pitboss."""
    head = path.split("/", 1)[0].removesuffix(".py")
    room = {"__init__": "", "__main__": "cli"}.get(head) if head.startswith("__") else room_of(path[:-3].split("/"))
    return Module(room or "", path, ast.parse(source), source.count("\n"))


def room_of(names: Sequence[str]) -> str:
    """The room of a module or of a name in it, given by its dotted name below `pitboss`."""
    known = (GROUND_FLOORS.get(".".join(names[:depth])) for depth in (2, 3))
    return next((room for room in known if room is not None), names[0])


@functools.cache
def modules() -> list[Module]:
    """Every module of the package, parsed once."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return [parse(path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8")) for path in paths]


@functools.cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Everything in a module: a dozen rules look at it."""
    return tuple(ast.walk(tree))


# Imports ---------------------------------------------------------------------------------------


def imported(module: Module) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything imported, in functions too and relative or not.

    `from a import b` counts as `a.b`, since `b` may be a module.
    """
    package = ["pitboss", *module.path.split("/")[:-1]]
    for node in nodes(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, node.module] if node.module else above)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node) in {"import_module", "__import__"}:
            name = node.args[0] if node.args else None
            if isinstance(name, ast.Constant):
                yield node.lineno, str(name.value)
            elif module.room != "cli":
                yield node.lineno, "pitboss.(a name made at run time)"


def imports_upward(module: Module) -> Iterator[str]:
    allowed = ROOMS[: ROOMS.index(module.room) + 1] if module.room else ()
    at_once = {node.lineno for node in module.tree.body}
    for line, name in imported(module):
        top, _, rest = name.partition(".")
        room = room_of(rest.split("."))
        if top != "pitboss" or room in {"", "__version__"} or room in allowed:
            continue
        if line not in at_once and any(f"{name}.".startswith(f"{door}.") for door in DOORS.get(module.path, ())):
            continue
        yield f"{module.path}:{line}: {module.room or 'the package itself'} may not import {room}"


def imports_upstairs(module: Module) -> Iterator[str]:
    """Imports of a floor above, inside a room that says which floors it has."""
    floors = FLOORS.get(module.room)
    if floors is None:
        return
    own = module.path.split("/")[1].removesuffix(".py") if "/" in module.path else "__init__"
    known = {name: floor for floor, names in enumerate(floors) for name in names}
    if own not in known:
        yield f"{module.path}: stands on no floor of {module.room}"
        return
    for line, name in imported(module):
        parts = name.split(".")
        if parts[:2] != ["pitboss", module.room]:
            continue
        other = parts[2] if len(parts) > 2 and parts[2] in known else "__init__"
        if known[other] > known[own]:
            yield f"{module.path}:{line}: {own} may not import {other}, which stands above it"


def merged_tables(module: Module) -> Iterator[str]:
    """Tables of a module put together so that one entry may silently replace another."""
    for node in module.tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) else None
        if isinstance(value, ast.Dict) and any(_unpacks_a_table(value)):
            yield f"{module.path}:{node.lineno}: tables are put together with merge_tables, which finds keys that clash"
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "update":
            yield f"{module.path}:{node.lineno}: .update() may replace entries of a table: check that its keys are new"


def _unpacks_a_table(display: ast.Dict) -> Iterator[bool]:
    for key, value in zip(display.keys, display.values, strict=True):
        yield key is None and isinstance(value, ast.Name | ast.Attribute)


# Floats ----------------------------------------------------------------------------------------

WHOLE_NUMBER_MATH = frozenset({"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"})
FLOAT_MATH = frozenset(f"math.{name}" for name in vars(math) if name not in WHOLE_NUMBER_MATH)
FLOAT_MODULES = frozenset({"cmath", "numpy", "statistics"})


def floats(module: Module) -> Iterator[str]:
    if module.room not in EXACT_ROOMS:
        return
    refusing = {id(name) for name in _names_in_type_tests(module.tree)}
    for node in nodes(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"{module.path}:{node.lineno}: float literal {node.value!r}"
        elif isinstance(node, ast.Name) and node.id == "float" and id(node) not in refusing:
            yield f"{module.path}:{node.lineno}: float"
        elif isinstance(node, ast.Attribute) and _dotted(node) in FLOAT_MATH:
            yield f"{module.path}:{node.lineno}: {_dotted(node)} is float arithmetic"
    for line, name in imported(module):
        top = name.partition(".")[0]
        if top in FLOAT_MODULES or name in FLOAT_MATH:
            yield f"{module.path}:{line}: {name} is float arithmetic"


def _names_in_type_tests(tree: ast.AST) -> Iterator[ast.AST]:
    """To refuse a float one has to name it: `isinstance(x, float)` is no use of floats."""
    for node in nodes(tree):
        if isinstance(node, ast.Call) and _called(node) in {"isinstance", "issubclass"}:
            for argument in node.args[1:]:
                yield from ast.walk(argument)


# The world: clock, randomness, network, files -----------------------------------------------------

WORLD_MODULES: Mapping[str, str] = {
    **dict.fromkeys(("calendar", "sched", "time", "zoneinfo"), "the clock"),
    **dict.fromkeys(("random", "secrets", "uuid"), "the system's randomness"),
    **dict.fromkeys(("asyncio", "select", "selectors", "socket", "socketserver", "ssl"), "the network"),
    **dict.fromkeys(("ftplib", "http", "httpx", "requests", "smtplib", "urllib"), "the network"),
    **dict.fromkeys(
        ("fileinput", "glob", "mmap", "pathlib", "shelve", "shutil", "sqlite3", "tempfile"),
        "files",
    ),
    **dict.fromkeys(("getpass", "platform", "signal", "subprocess"), "the machine"),
}
HARMLESS_IN_OS = frozenset({"cpu_count", "process_cpu_count", "sched_getaffinity"})
CLOCK_METHODS = frozenset({"now", "today", "utcnow"})
FILE_METHODS = frozenset({"open", "read_bytes", "read_text", "write_bytes", "write_text"})
UNSEEDED_METHODS = frozenset({"default_rng", "SeedSequence", "seed"})


def the_world(module: Module) -> Iterator[str]:
    if module.room in ROOMS_WITH_THE_WORLD:
        return
    for line, name in imported(module):
        top, _, rest = name.partition(".")
        if top in WORLD_MODULES:
            yield f"{module.path}:{line}: {name} reads {WORLD_MODULES[top]}"
        elif f"{name}.".startswith("pitboss.files."):
            yield f"{module.path}:{line}: {name} reads files"
        elif top == "os" and rest and rest not in HARMLESS_IN_OS:
            yield f"{module.path}:{line}: {name} reads the machine"
        elif top == "io" and rest not in {"StringIO", "BytesIO", ""}:
            yield f"{module.path}:{line}: {name} reads files"
        elif name.startswith("importlib.resources") and module.room not in PACKAGE_DATA_ROOMS:
            yield f"{module.path}:{line}: package data belongs to {', '.join(PACKAGE_DATA_ROOMS)}"
    own_data = module.room in PACKAGE_DATA_ROOMS and any(
        name.startswith("importlib.resources") for _, name in imported(module)
    )
    for node in nodes(module.tree):
        if isinstance(node, ast.Attribute) and _dotted(node.value) == "os" and node.attr not in HARMLESS_IN_OS:
            yield f"{module.path}:{node.lineno}: os.{node.attr} reads the machine"
        if isinstance(node, ast.Call):
            yield from _worldly_call(module.path, node, own_data)


def _worldly_call(path: str, node: ast.Call, own_data: bool) -> Iterator[str]:
    called, method = _called(node), isinstance(node.func, ast.Attribute)
    if called in {"open", "input"} and not method:
        yield f"{path}:{node.lineno}: {called}() reads files"
    elif method and called in FILE_METHODS and not own_data:
        yield f"{path}:{node.lineno}: .{called}() reads or writes files"
    elif method and called in CLOCK_METHODS:
        yield f"{path}:{node.lineno}: .{called}() reads the clock"
    elif called in UNSEEDED_METHODS and not node.args and not node.keywords:
        yield f"{path}:{node.lineno}: {called}() without a seed takes the system's randomness"


# Documentation, length, leftovers -------------------------------------------------------------


def undocumented(module: Module) -> Iterator[str]:
    docstring = ast.get_docstring(module.tree)
    if not docstring:
        yield f"{module.path}: says nothing about what lives here"
    elif module.path in {f"{module.room}.py", f"{module.room}/__init__.py"} and "\n" not in docstring:
        yield f"{module.path}: a room says what belongs in it and what does not; one line is too little"


def too_long(module: Module) -> Iterator[str]:
    if module.lines > LONGEST_MODULE_LINES and module.path not in LONGER_MODULES:
        yield f"{module.path}: {module.lines} lines; {LONGEST_MODULE_LINES} is asking to be two"


MOST_MODULES_IN_A_FOLDER = 16
WIDER_FOLDERS: Mapping[str, str] = {}
"""Folder below src/pitboss that may be wider, and why."""


def wide_folders(paths: Collection[str], excused: Collection[str] = tuple(WIDER_FOLDERS)) -> Iterator[str]:
    """Folders, by the paths of all modules below src/pitboss, that hold more modules than one can take in."""
    counted = Counter(path.rpartition("/")[0] for path in paths if not path.endswith("__init__.py"))
    for folder, number in counted.items():
        if number > MOST_MODULES_IN_A_FOLDER and folder not in excused:
            yield f"{folder or 'src/pitboss'}: {number} modules; more than {MOST_MODULES_IN_A_FOLDER} ask for a floor"


# What things look like -------------------------------------------------------------------------

ROOMS_WITH_LOOKS = frozenset({"formats", "report", "server", "tui"})
LOOKS = frozenset({"altair", "html", "rich", "textual", "vl_convert"})
WAITING = ("rich.console.", "rich.progress.")
"""What the command line may show while somebody waits."""
MARKUP = re.compile(r"</?(?:b|div|h\d|li|p|span|style|table|td|th|tr|ul)\b[^<>]*>|#[0-9a-fA-F]{6}\b")


def presentation(module: Module) -> Iterator[str]:
    """Tables, colours, HTML and pictures are made in `report`; the other rooms hand it figures."""
    if module.room in ROOMS_WITH_LOOKS:
        return
    for line, name in imported(module):
        waiting = module.room == "cli" and f"{name}.".startswith(WAITING)
        if name.partition(".")[0] in LOOKS and not waiting:
            yield f"{module.path}:{line}: {name} is presentation, which belongs in report"
    for node in nodes(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (found := MARKUP.search(node.value)):
            yield f"{module.path}:{node.lineno}: {found[0]} is presentation, which belongs in report"


LEFTOVER = re.compile(r"\b(TO[D]O|FIX[M]E|XX[X])\b")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|root|home|farm|Users)/\w")
REGISTRY = re.compile(
    r"pypi\.(?:org|io)|pythonhosted\.org|anaconda\.org|npmjs\.(?:org|com)|unpkg\.com|jsdelivr\.net|cdnjs\."
    r"|(?:extra-)?index[-_]url|find[-_]links|trusted[-_]host",
    re.IGNORECASE,
)
SET_UP_FILES = re.compile(r"^(Makefile|pyproject\.toml|requirements/|tools/|\.ci/|.*\.lock$)")


def leftovers(path: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        if found := LEFTOVER.search(line):
            yield f"{path}:{number}: {found[0]}: do it, or open an issue"


# What nobody says ----------------------------------------------------------------------------------

BANNED_PHRASES: Mapping[str, str] = {
    "otherwise than": "differs from, differently from",
    "to be had": "available, allowed",
    "many-th": "number",
    "stands on the screen": "is on the screen",
    "gets cards and terms": "say which values are set",
    "cell of play": "say which functions are compiled",
    "deck without end": "infinite deck",
    "endless deck": "infinite deck",
    "doubtful clause": "ambiguous clause",
    "doubtful clauses": "ambiguous clauses",
    "a sitting": "a session",
    "the sitting": "the session",
    "this sitting": "this session",
    "taken up again": "resumed",
    "takes it up again": "resumes it",
    "the dealer's law": "the dealer's distribution",
    "the dealer's laws": "the dealer's distributions",
    "law of the dealer's": "distribution of the dealer's",
    "law as data": "rules as data",
    "what would do": "what is allowed",
    "at nothing": "at zero",
    "of so many": "of this many",
    "beside each other": "compared, side by side",
    "come out otherwise": "differ",
    "comes out otherwise": "differs",
    "made otherwise": "changed",
    "paid otherwise": "paid differently",
    "play otherwise": "play differently",
    "played otherwise": "played differently",
    "read otherwise": "another reading",
    "anew": "again, afresh",
    "unasked": "automatically, by default",
    "in the words of records": "in the notation of records",
    "that come of it": "that result",
    "what comes of": "the result of",
    "come of it": "result",
    "nobody but": "only",
    "no other than": "only",
    "is asked of": "comes from, is decided by",
    "asked of the": "comes from the",
    "stands beside": "is beside, has",
    "stands here twice": "is listed twice",
    "is there twice": "is listed twice",
    "stands in the register": "is in the register",
    "of one's own": "your own",
    "only for the eye": "only for readability",
    "reckoned": "computed",
    "reckon": "compute",
    "brought about": "caused",
    "are to be shuffled": "must be shuffled",
    "is to be offered": "must be offered",
    "a surrender that opens": "surrender added to the game",
    "falls wrongly": "goes wrong",
    "stand off;": "is a push;",
    "is no place": "is not a place",
    "is no limit": "is not a limit",
    "is no term": "is not a term",
    "is no card of": "is not a card of",
    "is no wager of": "is not a wager of",
    "cards that can be": "cards that the decks contain",
    "all the same": "anyway",
    "as it stands in": "as it is in",
    "pushing total": "push total",
    "mean prize": "average prize",
    "known are": "choose from",
    "or go on": "or continue",
    "void already": "already void",
    "closed already": "already closed",
    "offered already": "already been offered",
    "announced already": "already been announced",
    "withheld already": "already withheld",
    "deals already": "is already dealing",
    "counts no more": "no longer counts",
    "nothing any more": "no longer anything",
    "is no decision": "is not a decision",
    "must say it": "must state it",
    "takes up the saved": "continues the saved",
}
"""Phrases that no pit boss and no programmer would say, and what to say instead."""
_BANNED = re.compile(
    r"\b(?:" + "|".join(re.escape(phrase).replace(r"\ ", r"\s+(?:#\s+)?") for phrase in BANNED_PHRASES) + r")\b",
    re.IGNORECASE,
)


def stilted_phrases(path: str, text: str) -> Iterator[str]:
    """Phrases of `BANNED_PHRASES`, also where a line break or a comment sign parts their words."""
    for found in _BANNED.finditer(text):
        phrase = " ".join(found[0].replace("#", " ").split()).lower()
        line = text.count("\n", 0, found.start()) + 1
        yield f"{path}:{line}: nobody says '{phrase}': {BANNED_PHRASES[phrase]}"


def places(path: str, text: str) -> Iterator[str]:
    """Paths of one machine, and hosts that things are downloaded from."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := MACHINE_PATH.search(line):
            yield f"{path}:{number}: a path of one machine: {found[0]}"
        if found := REGISTRY.search(line):
            yield f"{path}:{number}: names where packages come from: {found[0]}"
        if SET_UP_FILES.match(path) and "://" in line:
            yield f"{path}:{number}: an address in a file that sets the project up"


def tree_files() -> list[Path]:
    """What git tracks or would add; without git, everything that is no build product."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout.decode()
        paths = [ROOT / name for name in listing.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not _built(path.relative_to(ROOT))]
    return sorted(path for path in paths if path.is_file())


def _built(path: Path) -> bool:
    return any(
        (part.startswith(".") and part != ".ci") or part == "__pycache__" or part.endswith(".egg-info")
        for part in path.parts
    )


# Clauses ------------------------------------------------------------------------------------------

STEP_BELOW = "/(.:"


def in_register(citation: str, register: Collection[str]) -> bool:
    """A clause of the register, or one that the register only has in its parts."""
    return citation in register or any(
        clause.startswith(citation) and clause[len(citation)] in STEP_BELOW for clause in register if clause != citation
    )


def citations(document: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Where and what, for everything below `clause`, `clauses` or `cites` in a document."""
    if isinstance(document, Mapping):
        for name, value in document.items():
            where = f"{key}.{name}" if key else name
            if name in {"clause", "clauses", "cites"}:
                yield from ((where, citation) for citation in _texts(value))
            else:
                yield from citations(value, where)
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from citations(value, f"{key}[{index}]")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name != "when":  # conditions of a case hold values, not clauses
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    else:
        yield str(value)


CITED_IN_ACTION = re.compile(r"\s@(\S+)$")


def record_citations(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The clauses of a record: what it turns on, and what its refusals and powers name."""
    yield from citations(record)
    yield from (
        (f"step {at}", step["refused"]) for at, step in enumerate(record.get("step", ()), 1) if "refused" in step
    )
    for part in (record, *record.get("round", ())):
        for action in part.get("actions", ()):
            if found := CITED_IN_ACTION.search(action):
                yield f"actions, {action!r}", found[1]


def clauses_in_code(module: Module) -> Iterator[str]:
    """Code takes its clauses from the rules it is given; a clause typed into it would be a second source."""
    for node in nodes(module.tree):
        if isinstance(node, ast.keyword) and node.arg in {"clause", "clauses"}:
            values = node.value.elts if isinstance(node.value, ast.Tuple | ast.List | ast.Set) else [node.value]
            for inner in values:
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value:
                    yield f"{module.path}:{inner.lineno}: clause {inner.value!r} written into code"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.match(r"@[a-z-]+:\d", node.value):
            yield f"{module.path}:{node.lineno}: clause {node.value!r} written into code"


# Counts ---------------------------------------------------------------------------------------------

NUMBER_WORDS = (
    "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
    "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
COUNTED = re.compile(
    rf"\b((?i:{'|'.join(NUMBER_WORDS)})|[0-9]+(?:,[0-9]{{3}})*)\s+(games|side\s+wagers|books|rulebooks|clauses)\b"
)


def typed_counts(path: str, text: str, counts: Mapping[str, int]) -> Iterator[str]:
    """How much the books hold is counted, not typed: code says nothing of it, and what a document says must be true."""
    for found in COUNTED.finditer(text):
        number, noun = found[1].lower(), " ".join(found[2].lower().split())
        said = NUMBER_WORDS.index(number) + 5 if number in NUMBER_WORDS else int(number.replace(",", ""))
        line = text.count("\n", 0, found.start()) + 1
        if path.endswith(".py"):
            yield f"{path}:{line}: {' '.join(found[0].split())}: count them"
        elif said != counts[noun]:
            yield f"{path}:{line}: {' '.join(found[0].split())}: there are {counts[noun]}"


# Readings ------------------------------------------------------------------------------------------


def readings_in_code(module: Module) -> Iterator[str]:
    """The rulebook settles how an ambiguous clause is read: code asks a parameter or a term, never a reading."""
    for node in nodes(module.tree):
        asked: ast.AST | None = None
        if isinstance(node, ast.Subscript) and _dotted(node.value).endswith(".readings"):
            asked = node.slice
        elif isinstance(node, ast.Call) and node.args and _dotted(node.func).endswith((".readings.get", ".reads")):
            asked = node.args[0]
        elif isinstance(node, ast.Compare) and _dotted(node.comparators[0]).endswith(".readings"):
            asked = node.left
        if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
            yield f"{module.path}:{asked.lineno}: asks for the reading {asked.value!r}: make it a parameter"


# Parameters ----------------------------------------------------------------------------------------

ONLY_SHOW = ("cli/", "rulebooks/glance.py", "rulebooks/reading/contradictions.py")
"""Code that shows values to people, or holds them against each other, and decides nothing by them."""

RULES, SIDE = ("rules", "packed"), ("side", "module", "item")
"""What code calls the rules of a game and a side wager."""


def values_read(module: Module, owners: Collection[str]) -> set[str]:
    """The attributes that a module reads of what it calls by one of these names: `state.rules.tie` reads `tie`."""
    if module.path.startswith(ONLY_SHOW):
        return set()
    return {
        node.attr
        for node in nodes(module.tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and _dotted(node.value).rpartition(".")[2] in owners
    }


# Names in the syntax tree ------------------------------------------------------------------------


def _called(node: ast.Call) -> str:
    """The last name of what is called: `open` for `open(...)` and for `path.open(...)`."""
    return _dotted(node.func).rpartition(".")[2]


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


# Names -----------------------------------------------------------------------------------------

SHARED_NAMES: Mapping[str, str] = {
    "run": "every command of the command line is a function of this name in a module of its own",
    "api": "the module of a room that says what the room offers",
    "rules": "`pitboss rules` prints what `rulebooks.model.rules` defines",
    "replay": "`pitboss.replay` and `pitboss replay` are `records.replay`, opened to users",
    "read": "`pitboss.read` is `records.read`, opened to users",
    "simulate": "`pitboss.simulate` is `sim.api.simulate`, opened to users",
    "games": "`pitboss.games` is `rulebooks.games` with the casinos' names, opened to users",
    "side_odds": "`pitboss.side_odds` is `odds.side_odds`, opened to users",
}
"""Names that stand for one thing in more than one module, and why."""


def shared_names(modules: Collection[Module]) -> Iterator[str]:
    """Public functions, classes and modules of one name in two places: one word means one thing."""
    places: dict[str, list[str]] = {}
    for module in modules:
        own = module.path.rsplit("/", 1)[-1].removesuffix(".py")
        if own != "__init__":
            places.setdefault(f"module {own}", []).append(module.path)
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                kind = "class" if isinstance(node, ast.ClassDef) else "function"
                places.setdefault(f"{kind} {node.name}", []).append(module.path)
    for name, paths in places.items():
        if len(paths) > 1 and name.split()[1] not in SHARED_NAMES:
            yield f"{name} stands in {', '.join(paths)}: one word, one thing"


PARTICIPLES = frozenset(
    [
        "told",
        "dealt",
        "drawn",
        "shown",
        "known",
        "chosen",
        "taken",
        "given",
        "written",
        "paid",
        "lost",
        "kept",
        "laid",
        "made",
        "held",
        "found",
        "spent",
        "meant",
        "said",
        "done",
        "gone",
        "grown",
        "seen",
        "built",
        "begun",
        "met",
        "sent",
        "brought",
        "fed",
    ]
)
VERBS_IN_ED = frozenset({"feed", "need", "proceed", "seed", "exceed", "embed"})
ABOUT_A_STATE = frozenset({"busted_double_returns", "doubled_must_draw", "seed_and_salt", "carried_sides"})
"""Names whose first word is what the sentence is about, not what the function does."""


def participles(module: Module) -> Iterator[str]:
    """Functions named by what has been done instead of what they do."""
    for node in nodes(module.tree):
        if not isinstance(node, ast.FunctionDef) or node.name in ABOUT_A_STATE:
            continue
        if any(getattr(mark, "id", getattr(mark, "attr", "")) in PROPERTIES for mark in node.decorator_list):
            continue
        first = node.name.strip("_").split("_")[0]
        if first in PARTICIPLES or (first.endswith("ed") and len(first) > 3 and first not in VERBS_IN_ED):
            yield f"{module.path}:{node.lineno}: {node.name}: a function is named by a verb"


PROPERTIES = frozenset({"property", "cached_property"})
