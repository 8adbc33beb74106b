"""The house rules hold in the whole tree, and each of them still bites on a sample that breaks it."""

from __future__ import annotations

import csv
import functools
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import tidy

from pitboss import rulebooks
from pitboss.rulebooks import load_book
from pitboss.rulebooks.model.parameters import DESCRIBED
from pitboss.rulebooks.model.side_terms import SIDE_TERMS
from pitboss.table.dispatch import merge_tables

BOOKS = sorted((tidy.PACKAGE / "rulebooks" / "books").glob("*.toml"))
REGISTERS = sorted((tidy.PACKAGE / "rulebooks" / "clauses").glob("*.csv"))
RECORDS = [path for path in tidy.tree_files() if path.name.endswith((".round.toml", ".floor.toml"))]

SourceRule = Callable[[tidy.Module], Iterator[str]]
TextRule = Callable[[str, str], Iterator[str]]

TIDY_FILES = frozenset({"tidy.py", "test_tidy.py"})
"""They quote what they forbid."""


def complaints(rule: SourceRule) -> str:
    return "\n".join(line for module in tidy.modules() for line in rule(module))


def text_complaints(rule: TextRule, paths: list[Path]) -> str:
    found = []
    for path in paths:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += rule(path.relative_to(tidy.ROOT).as_posix(), text)
    return "\n".join(found)


@functools.cache
def register(book: str) -> frozenset[str]:
    path = tidy.PACKAGE / "rulebooks" / "clauses" / f"{book}.csv"
    assert path.exists(), f"{book} cites clauses and has no register {path.name}"
    with path.open(encoding="utf-8", newline="") as rows:
        return frozenset(row["clause"] for row in csv.DictReader(rows))


# The tree -----------------------------------------------------------------------------------------


def test_every_file_of_the_package_lies_in_a_room() -> None:
    strays = [module.path for module in tidy.modules() if module.room and module.room not in tidy.ROOMS]
    assert not strays, f"not in a room of the design: {', '.join(strays)}"


def test_a_room_imports_only_rooms_below_it() -> None:
    assert not complaints(tidy.imports_upward)


def test_a_floor_of_a_room_imports_only_floors_below_it() -> None:
    assert not complaints(tidy.imports_upstairs)
    for room, floors in tidy.FLOORS.items():
        there = {path.stem for path in (tidy.PACKAGE / room).iterdir() if path.suffix == ".py" or path.is_dir()}
        gone = {name for names in floors for name in names} - there
        assert not gone, f"floors of {room} name what is not there: {gone}"


def test_no_table_loses_an_entry_when_it_is_put_together() -> None:
    assert not complaints(tidy.merged_tables)


def test_rooms_that_count_money_hold_no_float() -> None:
    assert not complaints(tidy.floats)


def test_only_server_and_cli_touch_clock_randomness_network_and_files() -> None:
    assert not complaints(tidy.the_world)


def test_every_module_says_what_lives_in_it() -> None:
    assert not complaints(tidy.undocumented)


def test_no_module_is_too_long() -> None:
    assert not complaints(tidy.too_long)
    gone = [path for path in tidy.LONGER_MODULES if not (tidy.PACKAGE / path).exists()]
    assert not gone, f"excused and not there: {gone}"


def test_no_folder_is_too_wide() -> None:
    paths = [module.path for module in tidy.modules()]
    assert not list(tidy.wide_folders(paths))
    narrow = set(tidy.WIDER_FOLDERS) - {line.partition(":")[0] for line in tidy.wide_folders(paths, excused=())}
    assert not narrow, f"excused and not wide: {narrow}"


def test_what_things_look_like_is_decided_in_report() -> None:
    assert not complaints(tidy.presentation)


def test_no_unfinished_business_in_the_source() -> None:
    sources = [path for path in tidy.tree_files() if path.is_relative_to(tidy.PACKAGE)]
    assert not text_complaints(tidy.leftovers, sources)


@pytest.mark.slow
def test_texts_are_written_as_people_speak() -> None:
    texts = [path for path in tidy.tree_files() if path.suffix in {".md", ".py", ".toml"}]
    assert not text_complaints(tidy.stilted_phrases, [path for path in texts if path.name not in TIDY_FILES])


@pytest.mark.slow
def test_no_file_names_a_machine_path_or_a_download_host() -> None:
    assert not text_complaints(tidy.places, tidy.tree_files())


# Clauses ------------------------------------------------------------------------------------------


def test_code_takes_its_clauses_from_the_rules() -> None:
    assert not complaints(tidy.clauses_in_code)


def test_code_asks_for_values_and_never_for_readings() -> None:
    assert not complaints(tidy.readings_in_code)


@pytest.mark.parametrize(
    ("owners", "values"),
    [(tidy.RULES, {name: item.describes for name, item in DESCRIBED.items()}),
     (tidy.SIDE, {name: item.describes for name, item in SIDE_TERMS.items()})],
    ids=["parameters", "terms of side wagers"],
)  # fmt: skip
def test_every_value_of_a_book_is_read_by_code_or_said_to_describe(
    owners: tuple[str, ...], values: dict[str, bool]
) -> None:
    read = {name for module in tidy.modules() for name in tidy.values_read(module, owners)}
    unread = [name for name, describes in values.items() if not describes and name not in read]
    assert not unread, f"no code reads {', '.join(unread)}: build it, or say that it describes"
    decides = [name for name, describes in values.items() if describes and name in read]
    assert not decides, f"said to describe, and code reads it: {', '.join(decides)}"


def test_a_value_is_read_where_code_asks_the_rules_for_it() -> None:
    def read(path: str, source: str) -> set[str]:
        return tidy.values_read(tidy.parse(path, source), tidy.RULES)

    assert read("table/round/turns.py", "if state.rules.tie == 'lose': pass") == {"tie"}
    assert read("play/settlement.py", "def f(rules): return rules.tie") == {"tie"}
    assert not read("table/round/turns.py", "irregularities.tie")
    assert not read("table/round/turns.py", "draft.cite('tie')")
    assert not read("cli/rules.py", "print(rules.tie)")


@pytest.mark.parametrize("path", REGISTERS, ids=lambda path: path.stem)
def test_register_names_each_clause_once(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as rows:
        clauses = [row["clause"] for row in csv.DictReader(rows)]
    assert clauses
    assert len(set(clauses)) == len(clauses)
    assert all(clause and clause == clause.strip() for clause in clauses)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_rulebook_cites_clauses_of_its_register(path: Path) -> None:
    clauses = register(path.stem)
    cited = list(tidy.citations(tomllib.loads(path.read_text("utf-8"))))
    assert cited, "a rulebook without a single clause"
    unknown = [f"{where}: {citation}" for where, citation in cited if not tidy.in_register(citation, clauses)]
    assert not unknown, "\n".join(unknown)


def test_records_cite_clauses_of_the_registers() -> None:
    if not REGISTERS:
        pytest.skip("no clause registers yet")
    unknown = []
    for path in RECORDS:
        record = tomllib.loads(path.read_text("utf-8"))
        book, _, game = str(record.get("book", record.get("game", ""))).partition("/")
        name = f"{book}-{game}" if f"{book}-{game}" in {path.stem for path in REGISTERS} else book
        if name not in {path.stem for path in REGISTERS}:
            continue  # a rulebook of somebody's own, or a record that is malformed on purpose
        clauses = register(name)
        unknown += [
            f"{path.relative_to(tidy.ROOT)}: {where}: {citation}"
            for where, citation in tidy.record_citations(record)
            if not tidy.in_register(citation, clauses)
        ]
    assert not unknown, "\n".join(unknown)


def test_no_count_of_what_the_books_hold_is_typed_unless_it_is_true() -> None:
    books = [load_book(book) for book in rulebooks.BOOKS]
    counts = {
        "games": len(rulebooks.games()),
        "side wagers": len({wager for book in books for wager in book.side_wagers}),
        "books": len(books),
        "rulebooks": len(books),
        "clauses": sum(len(register(path.stem)) for path in REGISTERS),
    }
    paths = [path for path in tidy.tree_files() if path.suffix in {".md", ".py"} and path.name != "test_tidy.py"]
    assert not text_complaints(lambda path, text: tidy.typed_counts(path, text, counts), paths)


# The rules bite -----------------------------------------------------------------------------------

BREACHES: list[tuple[SourceRule, str, str]] = [
    (tidy.imports_upward, "money.py", "from pitboss.rulebooks import rules"),
    (tidy.imports_upward, "money.py", "from pitboss import table"),
    (tidy.imports_upward, "table/shoe/opening.py", "from ...floor import ledger"),
    (tidy.imports_upward, "table/shoe/opening.py", "def f():\n    import pitboss.server.store"),
    (tidy.imports_upward, "errors.py", "from pitboss.cards import Card"),
    (tidy.imports_upward, "play/side_wagers/judges.py", "from pitboss.rulebooks.model.rules import Rules"),
    (tidy.imports_upward, "play/side_wagers/judges.py", "from pitboss.play.packed import Packed"),
    (tidy.imports_upward, "rulebooks/reading/side_wagers.py", "from pitboss.play.side_wagers import side_payments"),
    (tidy.imports_upward, "__init__.py", "from pitboss.cards import Card"),
    (tidy.imports_upward, "__init__.py", "from pitboss.records import replay"),
    (tidy.imports_upward, "__init__.py", "from pitboss.front_door import rules"),
    (tidy.imports_upward, "__init__.py", "def __getattr__(name):\n    from pitboss.records.live import Table"),
    (tidy.imports_upward, "formats/notebook_view.py", "from pitboss.report.notebooks import notebook_html"),
    (tidy.imports_upward, "formats/html.py", "def f():\n    from pitboss.report.notebooks import notebook_html"),
    (tidy.imports_upward, "play/hand.py", "import importlib\nimportlib.import_module('pitboss.odds')"),
    (tidy.imports_upward, "play/hand.py", "from importlib import import_module\nimport_module(name)"),
    (tidy.imports_upstairs, "table/round/turns.py", "from pitboss.table.orders.voids import void_box"),
    (tidy.imports_upstairs, "table/round/turns.py", "def f():\n    from pitboss.table import decide"),
    (tidy.imports_upstairs, "table/shoe/opening.py", "from ..round import betting"),
    (tidy.imports_upstairs, "table/state.py", "import pitboss.table.shoe.devices"),
    (tidy.imports_upstairs, "table/orders/voids.py", "from pitboss.table import open_table"),
    (tidy.imports_upstairs, "table/cupboard.py", "x = 1"),
    (tidy.merged_tables, "table/decide.py", "ALL = {**SOME, 'key': 1}"),
    (tidy.merged_tables, "table/decide.py", "ALL: dict[str, int] = {'key': 1, **SOME}"),
    (tidy.merged_tables, "table/decide.py", "ALL.update(SOME)"),
    (tidy.floats, "money.py", "RATE = 0.5"),
    (tidy.floats, "floor/ledger.py", "def f(x):\n    return float(x)"),
    (tidy.floats, "table/shoe/opening.py", "def f(x: float) -> None: ..."),
    (tidy.floats, "table/shoe/opening.py", "import math\nx = math.sqrt(4)"),
    (tidy.floats, "rulebooks/load.py", "from math import floor"),
    (tidy.floats, "rulebooks/load.py", "import numpy as np"),
    (tidy.the_world, "table/shoe/opening.py", "import time"),
    (tidy.the_world, "table/shoe/opening.py", "from random import shuffle"),
    (tidy.the_world, "floor/notices.py", "import datetime\nt = datetime.datetime.now()"),
    (tidy.the_world, "floor/notices.py", "from datetime import date\nt = date.today()"),
    (tidy.the_world, "sim/seeds.py", "import os\nseed = os.urandom(8)"),
    (tidy.the_world, "sim/seeds.py", "from os import urandom"),
    (tidy.the_world, "sim/seeds.py", "import numpy as np\nr = np.random.default_rng()"),
    (tidy.the_world, "sim/cluster.py", "import socket"),
    (tidy.the_world, "sim/cluster.py", "import urllib.request"),
    (tidy.the_world, "records.py", "from pathlib import Path"),
    (tidy.the_world, "records.py", "text = open('round.toml').read()"),
    (tidy.the_world, "records.py", "def f(path):\n    return path.read_text()"),
    (tidy.the_world, "records.py", "from pitboss.files import read_text"),
    (tidy.the_world, "play/hand.py", "from importlib.resources import files"),
    (tidy.undocumented, "play/hand.py", "x = 1"),
    (tidy.undocumented, "play/__init__.py", '"""Play."""'),
    (tidy.too_long, "play/hand.py", "\n" * 601),
    (tidy.presentation, "odds/edge.py", "from html import escape"),
    (tidy.presentation, "odds/edge.py", "page = f'<td>{edge}</td>'"),
    (tidy.presentation, "odds/charts/chart.py", "COLOURS = {'H': '#f4efe6'}"),
    (tidy.presentation, "sim/result.py", "def f():\n    import altair"),
    (tidy.presentation, "cli/games.py", "from rich.table import Table"),
    (tidy.presentation, "cli/games.py", "from rich import table"),
    (tidy.clauses_in_code, "table/round/turns.py", "refuse(clause='9.1')"),
    (tidy.clauses_in_code, "table/round/turns.py", "refuse(clauses=('9.1', '9.2'))"),
    (tidy.clauses_in_code, "table/round/turns.py", "where = '@star:9.1'"),
    (tidy.readings_in_code, "table/round/turns.py", "if rules.readings['insurance_by'] == 'each-player': pass"),
    (tidy.readings_in_code, "odds/sides/edge.py", "kept = rules.readings.get('jackpot_stake') == 'kept'"),
    (tidy.readings_in_code, "sim/plan.py", "kept = state.rules.reads('jackpot_stake', 'kept')"),
    (tidy.readings_in_code, "sim/plan.py", "if 'jackpot_stake' in rules.readings: pass"),
]

HARMLESS: list[tuple[SourceRule, str, str]] = [
    (tidy.imports_upward, "table/shoe/opening.py", "from pitboss.cards import Card\nfrom . import state"),
    (tidy.imports_upward, "cli/__init__.py", "from pitboss import __version__"),
    (tidy.imports_upward, "__init__.py", "def __getattr__(name):\n    from pitboss import front_door"),
    (
        tidy.imports_upward,
        "formats/notebook_view.py",
        "def f():\n    from pitboss.report.notebooks import notebook_html",
    ),
    (tidy.floats, "money.py", '"""No 0.5 and no float()."""\ndef f(x):\n    return isinstance(x, float)'),
    (
        tidy.imports_upstairs,
        "table/orders/voids.py",
        "from pitboss.table.round import sides\nfrom pitboss.table import state",
    ),
    (
        tidy.imports_upstairs,
        "table/decide.py",
        "from pitboss.table.orders.voids import void\nfrom pitboss.cards import Card",
    ),
    (tidy.imports_upstairs, "records/log.py", "from pitboss.table import decide"),
    (tidy.merged_tables, "table/decide.py", "ALL = merge_tables(SOME, MORE)\ndef f(x):\n    return {**x, 'key': 1}"),
    (tidy.floats, "odds/dealer.py", "x = 0.5"),
    (tidy.floats, "table/shoe/opening.py", "import math\nx = math.gcd(4, 6)"),
    (tidy.the_world, "floor/notices.py", "from datetime import datetime\ndef f(at: datetime) -> None: ..."),
    (tidy.the_world, "sim/plan.py", "import os\nworkers = os.cpu_count()"),
    (tidy.the_world, "sim/plan.py", "import numpy as np\nr = np.random.default_rng(seed)"),
    (tidy.the_world, "server/store.py", "import time, sqlite3"),
    (tidy.the_world, "front_door.py", "from pitboss.files import read_text"),
    (tidy.the_world, "rulebooks/books.py", "from importlib.resources import files\nt = files('x').read_text()"),
    (tidy.clauses_in_code, "table/round/turns.py", "refuse(clause=rules.cite('double'))"),
    (tidy.presentation, "report/games/game_list.py", "from rich.table import Table"),
    (tidy.presentation, "tui/felt/palette.py", "GOLD = '#f6c667'"),
    (tidy.presentation, "cli/progress.py", "from rich.console import Console"),
    (tidy.presentation, "table/state.py", "less = 'a < b'; number = '#12'"),
    (tidy.readings_in_code, "cli/rules.py", "for name in names:\n    print(rules.readings[name])"),
]


@pytest.mark.parametrize(("rule", "path", "source"), BREACHES)
def test_a_breach_is_found(rule: SourceRule, path: str, source: str) -> None:
    assert list(rule(tidy.parse(path, source)))


@pytest.mark.parametrize(("rule", "path", "source"), HARMLESS)
def test_what_is_allowed_is_left_alone(rule: SourceRule, path: str, source: str) -> None:
    assert not list(rule(tidy.parse(path, source)))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("README.md", "cd " + "/".join(["", "home", "ann", "pitboss"])),
        ("docs/x.md", "see " + "/".join(["", "root", "x"])),
        ("requirements/test.txt", "--" + "index" + "-url somewhere"),
        ("README.md", "from " + "pypi" + ".org"),
        ("Makefile", "curl https:" + "//example.com"),
    ],
)
def test_a_place_is_found(path: str, line: str) -> None:
    assert list(tidy.places(path, line))


def test_a_count_that_is_typed_is_found() -> None:
    counts = {"games": 18, "clauses": 2019}
    assert list(tidy.typed_counts("sim/plan.py", "all eighteen games", counts))
    assert list(tidy.typed_counts("README.md", "all seventeen\ngames", counts))
    assert list(tidy.typed_counts("README.md", "the 2,018 clauses", counts))
    assert not list(tidy.typed_counts("README.md", "the 2,019 clauses of eighteen games, and two games", counts))


def test_tables_that_answer_twice_for_a_key_cannot_be_put_together() -> None:
    assert merge_tables({"hit": 1}, {"stand": 2}, {}) == {"hit": 1, "stand": 2}
    with pytest.raises(ValueError, match="stand"):
        merge_tables({"hit": 1, "stand": 1}, {"stand": 2})


def test_a_folder_that_is_too_wide_is_found_and_floors_are_counted_by_themselves() -> None:
    packages = ["odds/__init__.py", "odds/sides/__init__.py"]
    most = [f"odds/module_{number}.py" for number in range(tidy.MOST_MODULES_IN_A_FOLDER)]
    assert not list(tidy.wide_folders([*packages, *most, "odds/sides/counting.py"]))
    assert list(tidy.wide_folders([*packages, *most, "odds/one_more.py"]))


@pytest.mark.parametrize(
    "text",
    [
        "star/switch has otherwise than star/blackjack: 3 values",
        "every other key stands on the screen",
        "Every cell\nof play comes from the table",
        "# the how many-th shoe\n",
        "    # even money is not\n    # to be had",
        "raise PitbossError('This sitting is over')",
    ],
)
def test_a_phrase_that_nobody_says_is_found(text: str) -> None:
    assert list(tidy.stilted_phrases("docs/play.md", text))


def test_plain_words_are_left_alone() -> None:
    text = "Ties push. The session is saved, unless you say otherwise. Three law books; sitting: Sitting"
    assert not list(tidy.stilted_phrases("docs/play.md", text))


def test_a_leftover_is_found() -> None:
    assert list(tidy.leftovers("play/hand.py", "x = 1  # " + "TO" + "DO: soft hands"))


def test_a_clause_or_the_whole_of_its_parts_is_in_the_register() -> None:
    clauses = {"3.13/1", "3.13/2", "5.9.1", "3.20(c)", "1.1:Box", "7.1"}
    for citation in ("3.13", "5.9", "3.20", "1.1", "7.1", "5"):
        assert tidy.in_register(citation, clauses), citation
    for citation in ("3.1", "5.9.2", "7.10", "7.1(a)", ""):
        assert not tidy.in_register(citation, clauses), citation


def test_citations_are_found_wherever_they_stand() -> None:
    document = {
        "rules": {"x": {"value": True, "clause": "1.1"}, "y": [{"value": 1, "clause": ["1.2", "1.3"]}]},
        "clauses": {"split": ["2.1"], "double": "2.2", "bust": [{"clause": "2.3", "when": {"layout": [7]}}]},
    }
    assert [citation for _, citation in tidy.citations(document)] == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]
    record = {"cites": ["1.1"], "actions": ["?1 hit @1.2", "1 stand"], "round": [{"actions": ["!x void @1.3"]}]}
    assert [citation for _, citation in tidy.record_citations(record)] == ["1.1", "1.2", "1.3"]
    floor = {"cites": ["1.1"], "step": [{"do": "?x", "refused": "1.4"}, {"do": "y"}]}
    assert [citation for _, citation in tidy.record_citations(floor)] == ["1.1", "1.4"]


# Names ----------------------------------------------------------------------------------------------


def test_one_word_means_one_thing_in_the_whole_package() -> None:
    assert not list(tidy.shared_names(tidy.modules()))


def test_functions_are_named_by_verbs() -> None:
    assert not complaints(tidy.participles)


def test_a_word_for_two_things_is_found() -> None:
    one, two = tidy.parse("odds/boxes.py", "def price(): ..."), tidy.parse("sim/boxes.py", "class Price: ...")
    assert [line.split(" stands")[0] for line in tidy.shared_names([one, two])] == ["module boxes"]
    twice = tidy.parse("sim/lanes.py", "def price(): ...")
    assert [line.split(" stands")[0] for line in tidy.shared_names([one, twice])] == ["function price"]
    assert not list(
        tidy.shared_names([tidy.parse("cli/odds.py", "def run(): ..."), tidy.parse("cli/play.py", "def run(): ...")])
    )


def test_a_function_that_is_no_verb_is_found() -> None:
    for name in ("priced", "told", "_shuffled_again"):
        assert list(tidy.participles(tidy.parse("odds/worth.py", f"def {name}(): ...")))
    for name in ("price", "feed_device", "need_card"):
        assert not list(tidy.participles(tidy.parse("odds/worth.py", f"def {name}(): ...")))
