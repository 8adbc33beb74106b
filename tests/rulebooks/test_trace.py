"""The registers answer for every clause, `check` notices when an answer is not true, and `pitboss trace` says so."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flips import document, flipped, values_of
from speeds import few
from trace_bite import Flip, unnoticed
from witnessing import is_typed, shown, watching

from pitboss import cli
from pitboss.cli import trace
from pitboss.money import Money, Odds
from pitboss.report.clauses.clause_matrix import list_in_full
from pitboss.rulebooks import BOOKS, RulebookError, difference, registers, rules_for
from pitboss.rulebooks.registers import ClauseRow, RegisterError, check, find, load_register, parse_register, select
from pitboss.rulebooks.witnesses import NO_VALUES, Witness, digests, find_unwitnessed, load_witnesses, write_witnesses
from pitboss.table import decide, open_table
from pitboss.table.messages import commands as cmd

ROOT = Path(__file__).resolve().parents[2]
RWS = load_register("rws")
HEAD = "clause,kind,summary,note,status,where,tests,reason\n"


def row(**changes: object) -> ClauseRow:
    """A row without fault, changed."""
    sound = ClauseRow("1", "play", "Says.", "", "enforced", ("pitboss.money:round_up",), (), "")
    return msgspec.structs.replace(sound, **changes)


def problems_of(changed: ClauseRow, root: Path | None = ROOT) -> list[str]:
    """What is wrong with one row, apart from its not being a book's register."""
    found = check({"rws": [changed]}, root)
    return [line.partition(": ")[2] for line in found if line.startswith("rws 1: ") and "the book" not in line]


# The registers of the project -----------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_register_tells_the_truth(book: str) -> None:
    assert check({book: load_register(book)}, ROOT) == []


@pytest.mark.parametrize("book", BOOKS)
def test_register_holds_the_clauses_of_its_book(book: str) -> None:
    listed = (ROOT / "tests" / "clauses" / f"{book}.txt").read_text("utf-8")
    assert registers.clause_list(load_register(book)) == listed
    assert registers.CLAUSE_LISTS[book] == hashlib.sha256(listed.encode()).hexdigest()


def test_the_registers_hold_clauses_of_known_kinds() -> None:
    rows = [row for rows in registers.load_registers().values() for row in rows]
    assert {row.kind for row in rows} == set(registers.KINDS)
    assert tuple(registers.CLAUSE_LISTS) == BOOKS


@pytest.mark.parametrize("book", BOOKS)
def test_only_what_later_work_builds_is_planned(book: str) -> None:
    """Shoes, irregularities and floor powers at a table; jackpots, tournaments and promotions across tables."""
    rooms = {"pitboss.table", "pitboss.floor", "pitboss.server"}
    strays = [row.clause for row in load_register(book) if row.status == "planned" and not rooms.issuperset(row.where)]
    assert not strays


# What check notices ---------------------------------------------------------------------------------


def test_a_sound_row_has_no_problem() -> None:
    assert problems_of(row()) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"status": "done"}, "has no answer: its status must be one of enforced, operator"),
        ({"status": ""}, "has no answer"),
        ({"where": ()}, "is enforced, and the register does not say where"),
        ({"where": ("pitboss.nowhere:f",)}, "there is no module pitboss.nowhere (pitboss.nowhere:f)"),
        ({"where": ("json:loads",)}, "there is no module json"),
        ({"where": ("pitboss.money:no_such",)}, "pitboss.money has no no_such"),
        ({"where": ("pitboss.money:Odds.lose",)}, "pitboss.money has no Odds.lose"),
        ({"where": ("pitboss.money",)}, "'pitboss.money' is not a place"),
        ({"where": ("pitboss.money:",)}, "'pitboss.money:' is not a place"),
        ({"where": ("nowhere.toml:rules",)}, "there is no rulebook nowhere.toml"),
        ({"where": ("rws.toml:rules.no_such",)}, "rws.toml has no rules.no_such"),
        ({"where": ("rws.toml:rules.natural_odds.value.more",)}, "rws.toml has no rules.natural_odds.value.more"),
        ({"tests": ("tests/test_nowhere.py::test_x",)}, "there is no tests/test_nowhere.py"),
        (
            {"tests": ("tests/rulebooks/test_trace.py::test_nothing",)},
            "tests/rulebooks/test_trace.py has no test_nothing",
        ),
        ({"tests": ("tests/records/rws/none.round.toml",)}, "there is no tests/records/rws/none.round.toml"),
        ({"tests": ("pyproject.toml",)}, "there is no pyproject.toml"),
        ({"status": "operator", "where": ()}, "is operator, and the register gives no reason"),
        ({"status": "physical", "where": ()}, "is physical, and the register gives no reason"),
        ({"status": "legal", "where": ()}, "is legal, and the register gives no reason"),
        ({"status": "planned", "where": ("pitboss.floor",)}, "is planned, and the register gives no reason"),
        ({"status": "planned", "where": (), "reason": "Later."}, "is planned, and the register does not say for which"),
        ({"status": "planned", "where": ("pitboss.attic",), "reason": "x"}, "is planned for 'pitboss.attic'"),
    ],
)
def test_an_answer_that_is_not_true_is_found(changes: dict[str, object], problem: str) -> None:
    found = problems_of(row(**changes))
    assert len(found) == 1
    assert found[0].startswith(problem)


@pytest.mark.parametrize(
    "place",
    [
        "pitboss.money:Odds.pay",
        "pitboss.money:CENT",
        "pitboss.rulebooks:load_book",
        "pitboss.rulebooks.registers:ClauseRow.where",
        "rws.toml:book.id",
        "rws.toml:roles.ladder.name",
    ],
)
def test_functions_methods_fields_constants_and_keys_are_places(place: str) -> None:
    assert problems_of(row(where=(place,))) == []


@pytest.mark.parametrize(
    "test",
    [
        "tests/rulebooks/test_trace.py",
        "tests/rulebooks/test_trace.py::test_a_sound_row_has_no_problem",
        "tests/rulebooks/test_trace.py::test_register_tells_the_truth[rws]",
        "tests/rulebooks/test_trace.py::Outline::handle_starttag",
    ],
)
def test_files_functions_cases_and_methods_are_tests(test: str) -> None:
    assert problems_of(row(tests=(test,))) == []


def test_names_under_a_condition_count(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text(
        "try:\n    a, b = 1, 2\nexcept OSError:\n    pass\nif a:\n    def f(): ...\n"
    )
    named = tuple(f"tests/test_x.py::{name}" for name in ("a", "b", "f"))
    assert problems_of(row(tests=named), tmp_path) == []


def test_a_test_file_that_is_not_python_is_named(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text("def :\n")
    with pytest.raises(RegisterError, match=r"tests/test_x\.py: line 1: "):
        problems_of(row(tests=("tests/test_x.py::test_y",)), tmp_path)


def test_without_the_source_tree_tests_are_not_checked_and_the_rest_is() -> None:
    assert problems_of(row(tests=("tests/gone.py",)), None) == []
    assert problems_of(row(tests=("tests/gone.py",), where=("pitboss.money:gone",)), None)


# Witnesses ------------------------------------------------------------------------------------------

TEST = "tests/rulebooks/test_trace.py::test_register_tells_the_truth"
RECORD = "tests/records/rws/01-blackjack-paid-against-seven.round.toml"
CITED = row(clause="3.9/1", tests=(RECORD,))
VALUES = digests("rws")["3.9/1"]


def why_silent(changed: ClauseRow, by: str = RECORD, values: str = VALUES, root: Path | None = ROOT) -> str:
    """Why a row has no witness, when this one is kept for it; nothing if it counts."""
    kept = {("rws", changed.clause): Witness(by, values)} if by else {}
    return "".join(find_unwitnessed({"rws": [changed]}, kept, root and trace.replays(root)).values())


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_every_enforced_clause_has_a_witness(book: str) -> None:
    assert find_unwitnessed({book: load_register(book)}, load_witnesses(), trace.replays(ROOT)) == {}


def test_the_witnesses_are_those_of_enforced_clauses_and_are_written_as_they_are_read() -> None:
    kept = load_witnesses()
    enforced = [(book, row.clause) for book in BOOKS for row in load_register(book) if row.status == "enforced"]
    assert list(kept) == enforced
    assert write_witnesses(kept) == (ROOT / "src/pitboss/rulebooks/witnesses.csv").read_text("utf-8")


def test_a_witness_that_was_run_counts() -> None:
    assert why_silent(CITED) == ""
    assert why_silent(CITED, root=None) == ""
    case = f"{TEST}[rws]"
    assert why_silent(row(tests=(TEST,)), case, NO_VALUES) == why_silent(row(tests=(case,)), case, NO_VALUES) == ""


@pytest.mark.parametrize(
    ("row", "by", "values", "why"),
    [
        (CITED, "", VALUES, "is enforced, and nothing that it cites was seen to cite it"),
        (row(), RECORD, NO_VALUES, f"has the witness {RECORD}, which the register does not name"),
        (CITED, RECORD, "000000000000", f"has other values than when {RECORD} was run: run make witnesses"),
        (row(tests=(RECORD,)), RECORD, NO_VALUES, f"has the witness {RECORD}, which does not cite it"),
        (
            row(tests=("tests/no.toml",)),
            "tests/no.toml",
            NO_VALUES,
            "has the witness tests/no.toml, which does not play",
        ),
    ],
)
def test_a_clause_without_a_witness_that_counts_is_named(row: ClauseRow, by: str, values: str, why: str) -> None:
    assert why_silent(row, by, values).startswith(why)


def test_a_record_that_plays_otherwise_is_no_witness(tmp_path: Path) -> None:
    text = (ROOT / RECORD).read_text("utf-8")
    (tmp_path / RECORD).parent.mkdir(parents=True)
    (tmp_path / RECORD).write_text(text.replace("main +", "main +1"), "utf-8")
    assert "does not play as recorded: 1 " in why_silent(CITED, root=tmp_path)


def test_a_value_that_changes_unseats_the_witnesses_of_its_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    read = tomllib.loads

    def with_other_odds(text: str) -> dict[str, Any]:
        data = read(text)
        data["rules"]["natural_odds"]["value"] = "6:5"
        return data

    before = digests("rws")
    monkeypatch.setattr(tomllib, "loads", with_other_odds)
    after = digests("rws")
    changed = {clause for clause in before if before[clause] != after[clause]}
    assert changed == {"4.1:Blackjack wins", "2.1.1(b)(i)"}


def test_a_clause_that_is_not_witnessed_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = load_witnesses()
    del kept["rws", "3.9/1"]
    monkeypatch.setattr(trace, "load_witnesses", lambda: kept)
    assert cli.main(["trace", "--book", "rws", "--clause", "3.9/1", "--json"]) == 1
    out, err = capsys.readouterr()
    assert err == "rws 3.9/1 is enforced, and nothing that it cites was seen to cite it\n"
    answer = json.loads(out)
    assert (answer["total"]["statuses"]["enforced"], answer["total"]["witnessed"]) == (1, 0)
    assert answer["clauses"][0]["witness"] is None


def test_cited_is_what_a_test_makes_a_table_say() -> None:
    with watching() as cited:
        assert cited == set()
        rules = rules_for("rws/blackjack")
        state = open_table(rules)
        decide(state, cmd.Deal())
        assert ("rws", "3.6/1") in cited
        assert rules.cite("natural_odds").clauses == ("4.1:Blackjack wins", "2.1.1(b)(i)")
        assert ("rws", "2.1.1(b)(i)") not in cited
        assert shown(rules, "natural_odds") == (Odds(3, 2), ("4.1:Blackjack wins", "2.1.1(b)(i)"))
        assert ("rws", "2.1.1(b)(i)") in cited
        with pytest.raises(RulebookError):
            rules_for("rws/blackjack", decks=3)
        assert ("rws", "2.2.1") in cited
    before = set(cited)
    decide(state, cmd.PlaceBet(box="1", player="ann", amount=Money(5)))
    assert cited == before


def test_a_clause_is_typed_if_it_stands_there_by_its_whole_number() -> None:
    assert all(is_typed("3.5", text) for text in ('"3.5"', "3.5, 3.6", "clause 3.5."))
    assert not any(is_typed("3.5", text) for text in ("13.5", "3.5.1", "3.5(a)", "3.50", "3.5:Ace", "4.3.5"))


# Flipped values -------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
def test_every_value_can_be_found_and_changed_by_its_path(book: str) -> None:
    for value in values_of(book):
        holder: Any = document(book)
        for key in value.path:
            holder = holder[key]
        assert value.others
        assert holder not in value.others


def test_a_flipped_book_differs_in_its_one_value() -> None:
    value = next(value for value in values_of("rws") if value.place == "rules.natural_odds")
    book = flipped(value)
    assert book is not None
    assert set(difference(rules_for("rws/blackjack"), book.rules("blackjack"))) == {"natural_odds"}


@pytest.mark.slow
def test_every_value_of_one_book_is_noticed_when_it_is_flipped() -> None:
    """`make trace-bite` flips those of all books; in a process of its own, since tests are run inside."""
    command = [sys.executable, str(ROOT / "tests" / "tools" / "trace_bite.py"), "rws"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].endswith(" values flipped, 0 not noticed")


def test_a_value_that_nothing_holds_is_listed() -> None:
    value = next(value for value in values_of("rws") if value.place == "rules.natural_odds")
    unmoved = "tests/records/rws/33-dealer-stands-on-soft-17.round.toml"
    assert unnoticed([Flip(value, {"4.1:Blackjack wins": (unmoved,)})]) == [(value, "4.1:Blackjack wins")]
    assert unnoticed([Flip(value, {"4.1:Blackjack wins": (unmoved, RECORD)})]) == []


# Lost, added, renamed, moved, doubled ---------------------------------------------------------------

RENAMED = (msgspec.structs.replace(RWS[0], clause="other"), *RWS[1:])
OTHER_KIND = (msgspec.structs.replace(RWS[0], kind="floor"), *RWS[1:])


@pytest.mark.parametrize("root", [ROOT, None], ids=["in the tree", "installed"])
@pytest.mark.parametrize(
    "rows",
    [RWS[1:], (), RENAMED, OTHER_KIND, (*RWS, row()), (RWS[1], RWS[0], *RWS[2:])],
    ids=["lost", "empty", "renamed", "other kind", "added", "moved"],
)
def test_a_register_that_is_not_the_clause_list_is_found(rows: tuple[ClauseRow, ...], root: Path | None) -> None:
    assert any("clause list" in line or "the book " in line for line in check({"rws": rows}, root))


def test_in_the_tree_the_rows_that_differ_are_named() -> None:
    assert check({"rws": RENAMED}, ROOT) == [
        f"rws {RWS[0].clause}: the book has this clause ({RWS[0].kind}), the register does not",
        f"rws other: the register has this clause ({RWS[0].kind}), the book does not",
    ]


def test_a_clause_that_stands_twice_is_named() -> None:
    assert f"rws {RWS[0].clause}: is in the register more than once" in check({"rws": (*RWS, RWS[0])}, ROOT)


def test_a_clause_list_that_was_changed_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "tests" / "clauses").mkdir(parents=True)
    (tmp_path / "tests" / "clauses" / "rws.txt").write_text("1\tplay\n")
    rows = tuple(msgspec.structs.replace(row, tests=()) for row in RWS)
    assert check({"rws": rows}, tmp_path) == ["rws: tests/clauses/rws.txt is not the clause list that is pinned"]


def test_a_book_without_a_pinned_list_is_noticed() -> None:
    assert check({"mine": [row()]}, ROOT) == ["mine: no clause list is pinned for this book"]


# Reading --------------------------------------------------------------------------------------------


def test_places_and_tests_are_separated_by_spaces() -> None:
    (read,) = parse_register(HEAD + '1,play,"One, two",,enforced,a:b  c:d,t1 t2,\r\n', "x.csv")
    assert read == ClauseRow("1", "play", "One, two", "", "enforced", ("a:b", "c:d"), ("t1", "t2"), "")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", r"x\.csv: line 1: the columns must be clause, kind"),
        ("clause,kind\n1,play\n", r"x\.csv: line 1: the columns must be clause, kind"),
        (HEAD + "1,play\n", r"x\.csv: line 2: 2 cells instead of 8"),
        (HEAD + '1,"play"x,,,,,,\n', r"x\.csv: line 2: "),
    ],
)
def test_what_is_no_register_is_refused_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(RegisterError, match=complaint):
        parse_register(text, "x.csv")


def test_only_the_books_have_registers() -> None:
    with pytest.raises(RegisterError, match="no register of 'monaco'; the registers are perth, rws, star"):
        load_register("monaco")


def test_rows_are_chosen_by_kind_and_status() -> None:
    rows = (row(), row(kind="floor"), row(status="legal"))
    assert select(rows) == rows
    assert select(rows, kind="play") == (rows[0], rows[2])
    assert select(rows, kind="play", status="legal") == (rows[2],)


def test_a_clause_is_found_by_its_id_and_else_by_what_stands_under_it() -> None:
    rows = tuple(row(clause=clause) for clause in ("8.1", "8.1:Insurance", "9(a)", "9(b)", "90", "9/1"))
    assert find(rows, "8.1") == (rows[0],)
    assert find(rows, "9") == (rows[2], rows[3], rows[5])
    assert find(rows, "7") == ()


# The command ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_matrix_ends_with_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["trace"]) == 0
    out, err = capsys.readouterr()
    rows, totals = out.split("\n\n")
    clauses = sum(len(rows) for rows in registers.load_registers().values())
    assert len(rows.splitlines()) == clauses
    assert all(line.count("\t") == 7 for line in rows.splitlines())
    head, *books, everything = [line.split() for line in totals.splitlines()]
    assert head == ["book", "clauses", "enforced", "witnessed", *registers.STATUSES[1:]]
    assert [book[0] for book in books] == list(BOOKS)
    assert everything == ["all", *(str(sum(int(book[n]) for book in books)) for n in range(1, 8))]
    assert all(enforced == seen for _, _, enforced, seen, *_ in books)
    assert everything[1] == str(clauses) == str(sum(map(int, [everything[2], *everything[4:]])))
    assert err == ""


def test_filters_leave_the_rows_that_match_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["trace", "--book", "rws", "--kind", "side-wager", "--status", "enforced", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expected = select(RWS, "side-wager", "enforced")
    assert expected
    assert [found["clause"] for found in answer["clauses"]] == [row.clause for row in expected]
    assert answer["total"] == answer["books"]["rws"]
    assert answer["total"]["kinds"] == {"side-wager": len(expected)}


def test_the_json_keeps_its_shape_when_nothing_matches(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["trace", "--book", "rws", "--kind", "jackpot", "--json"]) == 0
    nothing = {"clauses": 0, "statuses": dict.fromkeys(registers.STATUSES, 0), "witnessed": 0, "kinds": {}}
    assert json.loads(capsys.readouterr().out) == {
        "clauses": [],
        "books": {"rws": nothing},
        "total": nothing,
        "tests_checked": True,
        "problems": [],
    }


@pytest.mark.slow
def test_a_clause_is_told_in_full_for_every_book_that_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["trace", "--clause", "5.1"]) == 0
    told = capsys.readouterr().out.split("\n\n")
    having = [book for book in BOOKS if find(load_register(book), "5.1")]
    assert len(having) > 1
    assert list(dict.fromkeys(text.split()[0] for text in told)) == having
    assert cli.main(["trace", "--clause", "5.1", "--book", "star"]) == 0
    assert capsys.readouterr().out.startswith("star 5.1")


def test_everything_a_register_says_is_told() -> None:
    full = row(note="Doubt.", tests=("tests/rulebooks/test_trace.py",), reason="Because.")
    seen = {("rws", "1"): Witness("tests/rulebooks/test_trace.py", NO_VALUES)}
    assert list_in_full("rws", full, seen).splitlines() == [
        "rws 1: play, enforced",
        "  says  Says.",
        "  note  Doubt.",
        "  how   Because.",
        "  where pitboss.money:round_up",
        "  test  tests/rulebooks/test_trace.py",
        "  seen  tests/rulebooks/test_trace.py",
    ]
    assert list_in_full("rws", row(note="In two words."), {}, 16).splitlines()[1:4] == [
        "  says  Says.",
        "  note  In two",
        "        words.",
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--book", "monaco"], "there is no book 'monaco'; choose from: melbourne, perth, rws, star, star-switch"),
        (
            ["--status", "done"],
            "there is no status 'done'; choose from: enforced, legal, operator, physical, planned",
        ),
        (["--kind", "x"], f"there is no kind 'x'; choose from: {', '.join(sorted(registers.KINDS))}"),
        (["--book", "rws", "--clause", "99"], "there is no clause '99' in rws; nearest are "),
        (["--book", "rws", "--kind", "jackpot", "--clause", "1"], "there is no clause '1' in rws; the other filters"),
        (["--html", "no/such/folder/x.html"], "--html no/such/folder/x.html: there is no folder no/such/folder"),
    ],
)
def test_a_filter_that_cannot_match_is_refused_in_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["trace", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"pitboss: {line}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("flags", few([[], ["--json"], ["--clause", RWS[1].clause]], 3))
def test_problems_come_after_the_answer_a_line_each(
    flags: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trace, "load_registers", lambda books: {"rws": RWS[1:]})
    assert cli.main(["trace", "--book", "rws", *flags]) == 1
    out, err = capsys.readouterr()
    assert RWS[1].clause in out
    assert err == f"rws {RWS[0].clause}: the book has this clause ({RWS[0].kind}), the register does not\n"
    if flags == ["--json"]:
        assert json.loads(out)["problems"] == err.splitlines()


def test_an_installed_package_says_that_tests_are_not_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trace, "source_tree", lambda: None)
    assert cli.main(["trace", "--book", "rws", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["tests_checked"] is False
    assert err == "the tests are not installed with the package: what the registers say about them is not checked\n"


def test_the_source_tree_is_found_from_the_package() -> None:
    assert trace.source_tree() == ROOT


@pytest.mark.slow
def test_a_terminal_gets_tables() -> None:
    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-c",
        "import sys; from pitboss.cli import main; sys.exit(main())",
        "trace",
        "--book",
        "rws",
    ]
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=theirs, cwd=ROOT, env=environment) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # how a closed terminal ends on Linux
                break
            if not chunk:
                break
            shown += chunk
    os.close(ours)
    assert running.returncode == 0
    assert "\x1b[2m  clause" in shown.decode()


# The page -------------------------------------------------------------------------------------------


class Outline(HTMLParser):
    """Which elements a page opens and closes, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = 0
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.rows += tag == "tr" and any(name == "data-book" for name, _ in attrs)
        self.loads += [value or "" for name, value in attrs if name in {"src", "href", "srcset", "action"}]


@pytest.mark.slow
def test_the_page_needs_nothing_beside_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "trace.html"
    assert cli.main(["trace", "--book", "star", "--html", str(file)]) == 0
    out, err = capsys.readouterr()
    text = file.read_text("utf-8")
    outline = Outline()
    outline.feed(text)
    assert outline.rows == len(load_register("star"))
    assert outline.loads == []
    assert "url(" not in text
    assert "@import" not in text
    assert out.splitlines()[0].split()[:2] == ["book", "clauses"]
    assert err == f"wrote {file}\n"


def test_the_page_shows_problems_and_escapes_what_it_shows() -> None:
    text = trace.page({"rws": [row(summary="a < b & c", note="<i>")]}, ["rws 1: <gone>"], {("rws", "1")})
    assert "a &lt; b &amp; c" in text
    assert "&lt;i&gt;" in text
    assert "<i>" not in text
    assert "rws 1: &lt;gone&gt;" in text
