"""Tables stay tables: at 80 columns whole columns are left out and named, and numbers line up on the point."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from terminals import on_a_terminal

from pitboss.report import terminal_tables
from pitboss.report.terminal_tables import line_up, print_table

HEAD = ("game", "edge", "about", "clause")
ROWS = (
    ("star/switch", "0.593 %", "two boxes whose cards may be exchanged", "7.6"),
    ("perth/plus", "12.8 %", "", "6.4"),
)


def drawn(monkeypatch: pytest.MonkeyPatch, width: int, **choices: object) -> list[str]:
    out = io.StringIO()
    monkeypatch.setattr(
        terminal_tables, "Console", lambda **_: Console(file=out, force_terminal=True, no_color=True, width=width)
    )
    monkeypatch.setattr("builtins.print", lambda *parts: out.write(" ".join(map(str, parts)) + "\n"))
    print_table("Title", HEAD, ROWS, numbers=("edge",), **choices)  # type: ignore[arg-type]
    text = out.getvalue().replace("\x1b[2m", "").replace("\x1b[1m", "").replace("\x1b[0m", "")
    return [line.rstrip() for line in text.splitlines()]


def test_numbers_line_up_on_the_point() -> None:
    assert line_up(["+1.5 %", "-12.25 %", "7", "never"]) == ["   +1.5 % ", "  -12.25 %", "    7     ", "never     "]
    assert line_up(["1 in 5.35", "1 in 16.4", "1 in 1,204"]) == ["    1 in 5.35", "   1 in 16.4 ", "1 in 1,204   "]


def test_a_wide_terminal_shows_every_column(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = drawn(monkeypatch, 100)
    assert lines == [
        "",
        "Title",
        "  game             edge  about                                   clause",
        "  star/switch   0.593 %  two boxes whose cards may be exchanged  7.6",
        "  perth/plus   12.8 %                                            6.4",
    ]


def test_columns_that_do_not_fit_are_left_out_whole_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = drawn(monkeypatch, 60)
    assert lines[2].split() == ["game", "edge"]
    assert " ".join(lines[5:]) == "Left out at 60 columns: about, clause. See --json, or widen the terminal to 71."


def test_words_are_wrapped_before_a_column_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = drawn(monkeypatch, 60, wide=("about",))
    assert lines[2].split() == list(HEAD)
    assert max(map(len, lines)) <= 60
    assert not any("Left out" in line for line in lines)


def test_columns_that_must_be_shown_move_closer(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = drawn(monkeypatch, 68, fixed=4)
    assert lines[2].split() == list(HEAD)
    assert max(map(len, lines)) <= 68


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "rules melbourne/pontoon",
        "rules melbourne/pontoon --readings",
        "rules star/switch --authority",
        "rules perth/plus --diff perth/vegas",
        "odds melbourne/pontoon --hands",
        "odds star/switch --side super-match",
        "odds rws/blackjack --side insurance",
        "compare perth/vegas melbourne/six-to-five-pontoon",
        "compare rws/blackjack --what-if dealer_natural_takes",
        "trace --book rws",
    ],
)
def test_answers_fit_eighty_columns(question: str) -> None:
    lines = [line for line in on_a_terminal(80, *question.split()) if line]
    assert max(map(len, lines)) <= 80
    assert not any("; house edge" in line or "; clause" in line for line in lines), "a table has become prose"
