"""`pitboss odds` and `pitboss compare`: what they print, draw and write, and how they refuse."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pitboss import cli
from pitboss.formats.frames import FrameError
from pitboss.formats.wording import one_in, percent, write_signed
from pitboss.odds import analyse, best_play_of, evaluate, parse_chart, side_odds
from pitboss.odds.what_if.comparison import compare
from pitboss.report.charts import terminal_charts as terminal
from pitboss.report.charts.chart_html import chart_html
from pitboss.report.charts.sheets import WORDS, Sheet, colour_of_letter, lay_out, two_columns
from pitboss.report.words import ENDS, end_in_words
from pitboss.rulebooks import rules_for
from pitboss.table.round.paying import OUTCOMES

ROOT = Path(__file__).resolve().parents[2]
QUICK = "melbourne/select"
"""A game that is worked out in no time: no double, no split."""

KNOWN = json.loads((ROOT / "src" / "pitboss" / "odds" / "known_tables.json").read_text("utf-8"))

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, *arguments: str) -> Any:
    """What a command prints as JSON."""
    assert cli.main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def printed(capsys: Capture, *arguments: str) -> str:
    assert cli.main([*arguments]) == 0
    return capsys.readouterr().out


def refusal(capsys: Capture, *arguments: str) -> str:
    """The one line with which a command is refused."""
    assert cli.main([*arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("pitboss: ")]
    assert len(lines) == 1
    assert "Traceback" not in err
    return lines[0]


# ---------------------------------------------------------------------- pitboss odds GAME


def test_the_answer_for_programs_has_the_promised_keys(capsys: Capture) -> None:
    data = answer(capsys, "odds", QUICK)
    edge = analyse(rules_for(QUICK))
    assert data["house_edge"] == edge.house_edge > 0
    assert data["variance"] == edge.variance
    assert {"house_edge_exact", "method", "error_bound", "strategy"} <= set(data)
    assert data["decks"] == 8
    assert sum(opening["chance"] for opening in data["best_play"]["openings"]) == pytest.approx(1)
    weighted = sum(opening["chance"] * opening["expectation"] for opening in data["best_play"]["openings"])
    assert weighted == pytest.approx(-data["house_edge"])
    assert sum(data["best_play"]["parts"].values()) == pytest.approx(-data["house_edge"])
    assert data["insurance"]["on_ace"]["house_edge_exact"] == "31/415"


def test_an_infinite_deck_says_so(capsys: Capture) -> None:
    data = answer(capsys, "odds", QUICK, "--decks", "inf")
    assert data["decks"] == "inf"
    assert data["house_edge"] == pytest.approx(0.0264271, abs=2e-7)


@pytest.mark.slow
def test_the_text_has_edge_chart_method_and_units(capsys: Capture) -> None:
    text = printed(capsys, "odds", "melbourne/blackjack")
    assert "0.5415 % of the original wager, in the house's favour" in text
    assert "CDZ-" in text
    for title in ("Hard totals", "Soft totals", "Pairs"):
        assert title in text
    assert "16           S  S  S  S  S  H  H  H  H  H" in text
    assert "\x1b" not in text
    assert "perfect-pairs" in text


def test_a_written_chart_can_be_read_again_and_is_worth_what_it_says(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "chart.txt"
    assert cli.main(["odds", QUICK, "--chart", str(file)]) == 0
    capsys.readouterr()
    data = answer(capsys, "odds", QUICK, "--strategy", str(file))
    assert data["house_edge"] == pytest.approx(data["best_chart"]["house_edge"])
    assert file.read_text("utf-8").split("\n", 1)[1] == data["strategy"]["text"]
    assert data["best_play"]["house_edge"] <= data["house_edge"]


def test_a_chart_of_ones_own_costs_what_it_costs(capsys: Capture, tmp_path: Path) -> None:
    lines = [f"hard {total} {' '.join(['S' if total >= 12 else 'H'] * 10)}" for total in range(4, 22)]
    lines += [f"soft {total} {' '.join(['S' if total >= 18 else 'H'] * 10)}" for total in range(12, 22)]
    file = tmp_path / "never-bust.txt"
    file.write_text("\n".join(lines), "utf-8")
    data = answer(capsys, "odds", QUICK, "--strategy", str(file))
    expected = evaluate(rules_for(QUICK), parse_chart(file.read_text("utf-8")))
    assert data["house_edge"] == pytest.approx(-float(expected))
    assert data["house_edge"] > data["best_play"]["house_edge"] + 0.005
    assert "by your chart" in printed(capsys, "odds", QUICK, "--strategy", str(file))


@pytest.mark.slow
def test_a_rulebook_of_ones_own_is_priced_too(capsys: Capture) -> None:
    book = str(ROOT / "examples" / "las-vegas.toml")
    data = answer(capsys, "odds", "las-vegas/blackjack", "--book", book)
    assert data["book"] == "las-vegas"
    assert 0.002 < data["house_edge"] < 0.007


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["odds", "melbourne/pontoons"], "did you mean 'melbourne/pontoon'"),
        (["odds", QUICK, "--decks", "9"], "decks cannot be 9"),
        (["odds", QUICK, "--option", "decks"], "NAME=VALUE"),
        (["odds", QUICK, "--reading", "no_such=x"], "no reading"),
        (["odds", QUICK, "--method", "CDX"], "no method"),
        (["odds", QUICK, "--strategy", "nowhere.txt"], "nowhere.txt"),
        (["odds", QUICK, "--chart", "chart.gif"], "a chart is written as"),
        (["odds", QUICK, "--chart", "no/such/folder/chart.svg"], "there is no folder"),
        (["odds", QUICK, "--meter", "5"], "--side"),
        (["odds", QUICK, "--stake", "0"], "above zero"),
        (["odds", QUICK, "--side", "bustre"], "did you mean 'buster'"),
        (["odds", QUICK, "--side", "pot-of-gold"], "30.1"),
        (["odds", QUICK, "--side", "buster", "--meter", "5"], "no meter"),
        (["odds", QUICK, "--side", "buster", "--report", "x.html"], "for the game"),
        (["odds", QUICK, "--side", "supernova", "--meter", "supernova-mayor=5"], "supernova-major"),
        (["odds", QUICK, "--side", "supernova", "--pick", "mystery=often"], "not a chance"),
        (["compare", QUICK, "--what-if", "dealer_hits_soft_71"], "did you mean"),
        (["compare", QUICK, "star/swich"], "there is no game 'star/swich'; did you mean 'star/switch'?"),
        (["compare", QUICK, "--what-if", "split_max_hands=many"], "whole number"),
        (["compare", "nowhere/blackjack"], "there is no game"),
    ],
)
def test_a_mistake_is_refused_in_one_line(capsys: Capture, arguments: list[str], complaint: str) -> None:
    assert complaint in refusal(capsys, *arguments)


def test_a_chart_that_is_none_is_refused_with_its_line(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "chart.txt"
    file.write_text("hard 16 S S S\n", "utf-8")
    assert f"{file}, line 1" in refusal(capsys, "odds", QUICK, "--strategy", str(file))


# ---------------------------------------------------------------------- --side


def test_a_side_wager_is_answered_as_a_fraction(capsys: Capture) -> None:
    data = answer(capsys, "odds", "star/switch", "--side", "super-match")
    assert data["house_edge_exact"] == "126536/4965115"
    assert data["house_edge"] == 126536 / 4965115
    assert data["error_bound"] == 0
    assert sum(Fraction(outcome["probability_exact"]) for outcome in data["outcomes"]) == 1
    assert data["outcomes"][0]["clauses"]


def test_options_choose_the_pay_table(capsys: Capture) -> None:
    found = answer(
        capsys,
        "odds",
        "perth/blackjack",
        "--side",
        "perfect-pairs",
        "--decks",
        "6",
        "--option",
        "perfect_pairs_table=3",
    )
    assert found["house_edge_exact"] == "6/311"


def test_a_wager_that_play_decides_is_counted_for_both_players(capsys: Capture) -> None:
    data = answer(capsys, "odds", QUICK, "--side", "blackpot")
    assert set(data["players"]) == {"wager", "game"}
    assert data["house_edge"] == data["players"]["wager"]["house_edge"] < data["players"]["game"]["house_edge"]
    text = printed(capsys, "odds", QUICK, "--side", "blackpot")
    assert "a player who plays for the side wager" in text
    assert "the game's best player" in text


@pytest.mark.slow
def test_where_a_wager_favours_the_player_it_is_said(capsys: Capture) -> None:
    text = printed(capsys, "odds", "melbourne/pontoon", "--side", "spread-bet", "--decks", "6")
    assert "in the player's favour" in text
    assert answer(capsys, "odds", "melbourne/pontoon", "--side", "spread-bet", "--decks", "6")["favours_player"] is True


def test_all_side_wagers_of_a_game_at_once(capsys: Capture) -> None:
    data = answer(capsys, "odds", "rws/blackjack", "--side", "all")
    assert [wager["wager"] for wager in data["side_wagers"]] == ["player-pair", "under-13", "over-13"]


@pytest.mark.slow
def test_meters_picks_and_entries_are_told_on_the_command_line(capsys: Capture) -> None:
    jackpots = answer(capsys, "odds", QUICK, "--side", "blackjack-jackpots", "--stake", "5", "--meter", "250000")
    assert jackpots["decks"] == 6
    assert jackpots["meters"][0]["break_even"] == pytest.approx(5 * 1437288 / 13)
    lucky = answer(capsys, "odds", QUICK, "--side", "blackjack-jackpots", "--pick", "lucky=1/50")
    assert lucky["house_edge"] < jackpots["fixed_part"]["house_edge"]
    assert "break-even" in printed(capsys, "odds", QUICK, "--side", "supernova", "--meter", "supernova-major=700")
    entry = answer(capsys, "odds", "melbourne/crown", "--side", "magnificent-sevens", "--entry", "8321")
    assert entry["tournament_entry"]["probability"] > 0


def test_insurance_is_priced_like_a_side_wager(capsys: Capture) -> None:
    data = answer(capsys, "odds", "star/blackjack", "--side", "insurance", "--option", "insurance_on_ten=true")
    assert (data["house_edge_exact"], data["on_ten"]["house_edge_exact"]) == ("31/415", "63/415")
    text = printed(capsys, "odds", "star/blackjack", "--side", "insurance")
    assert "no ten-value cards" in text
    assert "even money" in text


def test_the_best_player_of_select_takes_the_third_card_only_where_the_game_says_so() -> None:
    rules = rules_for(QUICK, side_wagers=["blackpot", "magnificent-sevens"])
    best = best_play_of(analyse(rules))
    assert best("7s", "6d", "Tc") == "hit"
    assert best("6d", "7s", "5c") == "stand"
    assert side_odds(rules, "blackpot", best_play=best).expectation < side_odds(rules, "blackpot").expectation


# ---------------------------------------------------------------------- charts


SAMPLE = """
hard 20 x2   S  S  S  S  S  S  S  S  S  S
hard 17 x2   S  S  S  S  S  S  S  S  S  H
hard 17 x3+  S  S  S  S  S  S  H  H  H  H
hard 13 x2   H  H  H  H  H  H  H  H  H  H
hard 13 x3   H  H  H  H  S  H  H  H  H  H
hard 13 x4+  H  H  H  H  H  H  H  H  H  H
hard 8       H  H  H  H  H  H  H  H  H  H
hard 7       H  H  H  H  H  H  H  H  H  H
soft 18      S  Ds Ds Ds Ds S  S  H  H  H
soft 12      H  H  H  H  H  H  H  H  H  H
pair A       P  P  P  P  P  P  P  P  P  Rp
rescue 13    K  K  K  K  K  K  F  F  F  F
rescue 12    K  K  K  K  K  K  F  F  F  F
"""


def sample() -> Sheet:
    return lay_out(parse_chart(SAMPLE), "A game", "somewhere")


def test_a_sheet_tells_the_number_of_cards_in_its_cells() -> None:
    hard, soft, pairs, doubled = sample().grids
    assert dict(hard.rows)["17"] == ("S", "S", "S", "S", "S", "S", "S3", "S3", "S3", "H")
    assert dict(hard.rows)["13"] == ("H", "H", "H", "H", "H*", "H", "H", "H", "H", "H")
    assert sample().notes == ("13 against 6: hit, from 3 cards stand, from 4 cards hit",)
    assert [hand for hand, _ in hard.rows] == ["20", "17", "13", "7-8"]
    assert [hand for hand, _ in soft.rows] == ["A,7"]
    assert [hand for hand, _ in pairs.rows] == ["A,A"]
    assert [hand for hand, _ in doubled.rows] == ["12-13"]


def test_the_legend_explains_every_letter_used() -> None:
    legend = sample().legend
    assert legend["S3"] == "stand; with 3 cards or more, hit"
    used = {code.rstrip("*0123456789") for grid in sample().grids for _, _, code in grid.cells()}
    assert used <= set(legend)
    assert len({colour_of_letter(code) for code in ("H", "S", "D", "P", "R")}) == 5
    assert set(WORDS) >= used


def test_grids_fill_two_columns_evenly() -> None:
    left, right = two_columns(sample().grids)
    assert [grid.title for grid in left] == ["Hard totals", "Doubled totals"]
    assert [grid.title for grid in right] == ["Soft totals", "Pairs"]


@pytest.mark.parametrize("no_color", [False, True])
def test_the_terminal_chart_has_colours_unless_told_not_to(monkeypatch: pytest.MonkeyPatch, no_color: bool) -> None:
    out = StringIO()
    monkeypatch.setattr(
        terminal,
        "Console",
        lambda **_: Console(file=out, force_terminal=True, color_system="truecolor", no_color=no_color, width=120),
    )
    terminal.print_sheet(sample())
    text = out.getvalue()
    assert ("48;2;246;198;103" in text) is not no_color
    assert "S3" in text
    assert "stand" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>")]
)
def test_a_chart_is_drawn_as_a_picture(capsys: Capture, tmp_path: Path, kind: str, start: bytes) -> None:
    file = tmp_path / f"chart.{kind}"
    assert cli.main(["odds", QUICK, "--chart", str(file)]) == 0
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1]) == ("", f"wrote {file}")
    content = file.read_bytes()
    assert content.lstrip().startswith(start)
    if kind == "svg":
        assert b"Blackjack Select" in content
    if kind == "html":
        assert b"<script src=" not in content


@pytest.mark.slow
def test_the_report_holds_everything_and_loads_nothing(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("pitboss.cli.odds.working", lambda on: nullcontext(said.append))
    file = tmp_path / "report.html"
    assert cli.main(["odds", QUICK, "--report", str(file)]) == 0
    assert said[0].startswith(f"1 of {len(said)}, ")
    assert said[-1].startswith(f"{len(said)} of {len(said)}, ")
    assert capsys.readouterr().out == ""
    page = file.read_text("utf-8")
    for part in ("How to play", "What each choice of the house is worth", "Side wagers and insurance", "27.2.5(a)"):
        assert part in page
    for wager in ("Buster Blackjack", "Blackpot", "Insurance against an ace", "Supernova"):
        assert wager in page
    assert page.count('">decks</td>') == 4  # four to eight, less the number in play
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page


# ---------------------------------------------------------------------- compare


@pytest.mark.slow
def test_games_are_ranked_by_house_edge(capsys: Capture) -> None:
    data = answer(capsys, "compare", "melbourne/select", "perth/blackjack", "melbourne/sports")
    edges = [game["house_edge"] for game in data["games"]]
    assert edges == sorted(edges)
    assert [game["game"] for game in data["games"]] == ["perth/blackjack", "melbourne/sports", "melbourne/select"]
    assert {"house_edge", "variance", "method", "error_bound"} <= set(data["games"][0])


def test_what_if_prices_a_parameter(capsys: Capture) -> None:
    data = answer(capsys, "compare", QUICK, "--what-if", "dealer_hits_soft_17")
    (change,) = data["what_if"]
    assert (change["before"], change["after"]) == ("yes", "no")
    assert change["difference"] == pytest.approx(change["house_edge"] - data["games"][0]["house_edge"])
    assert change["difference"] < -0.001


@pytest.mark.slow
def test_what_if_prices_options_readings_and_values_no_book_has(capsys: Capture) -> None:
    layout = answer(capsys, "compare", "perth/blackjack", "--what-if", "layout=7")["what_if"]
    soft = answer(capsys, "compare", "perth/blackjack", "--what-if", "dealer_hits_soft_17=true")["what_if"]
    assert layout[0]["difference"] == pytest.approx(soft[0]["difference"])
    single = answer(capsys, "compare", QUICK, "--what-if", "decks=1")["what_if"]
    assert single[0]["difference"] < 0
    naturals = answer(capsys, "compare", QUICK, "--what-if", "natural_odds")["what_if"]
    assert [change["after"] for change in naturals] == ["2:1", "6:5", "1:1"]


@pytest.mark.slow
def test_a_rule_that_only_some_games_have_is_priced_in_those(capsys: Capture) -> None:
    data = answer(capsys, "compare", QUICK, "perth/blackjack", "--what-if", "layout=7")
    assert {change["game"] for change in data["what_if"]} == {"perth/blackjack"}


def test_games_that_cannot_be_played_so_are_left_out(capsys: Capture) -> None:
    data = answer(capsys, "compare", QUICK, "melbourne/vegas", "--decks", "6")
    assert [game["game"] for game in data["games"]] == [QUICK]
    assert "12.3.1" in data["left_out"]["melbourne/vegas"]
    assert "decks cannot be 6" in refusal(capsys, "compare", "melbourne/vegas", "--decks", "6")


# ---------------------------------------------------------------------- notebooks and frames


def results() -> dict[str, Any]:
    edge = analyse(rules_for(QUICK))
    side = side_odds(rules_for("star/blackjack", side_wagers=["perfect-pairs"]), "perfect-pairs")
    return {"game": edge, "side wager": side, "comparison": compare([edge])}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game", "side wager", "comparison"])
def test_results_turn_into_frames_and_render_in_notebooks(name: str) -> None:
    result = results()[name]
    rows = result.rows()
    polars, pandas, arrow = result.to_polars(), result.to_pandas(), result.to_arrow()
    assert polars.height == len(pandas) == arrow.num_rows == len(rows)
    assert list(polars.columns) == list(pandas.columns) == arrow.column_names == list(rows[0])
    assert polars.to_dicts()[0]["game"] == rows[0]["game"]
    page = result._repr_html_()
    assert "<table" in page
    assert page.count("<table") == page.count("</table>")


@pytest.mark.parametrize(
    ("library", "method"), [("polars", "to_polars"), ("pandas", "to_pandas"), ("pyarrow", "to_arrow")]
)
def test_a_frame_without_its_library_names_it(monkeypatch: pytest.MonkeyPatch, library: str, method: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(FrameError, match=f"pip install {library}"):
        getattr(results()["side wager"], method)()


def test_a_notebook_escapes_what_it_is_given() -> None:
    page = chart_html(lay_out(parse_chart(SAMPLE), "<b>", "a & b"))
    assert "<h3>&lt;b&gt;</h3>" in page
    assert "a &amp; b" in page


def test_figures_read_as_people_write_them() -> None:
    assert [percent(0.00541528), percent(-1e-9, sign=True), percent(0.1, 1, sign=True)] == [
        "0.542 %",
        "+0.000 %",
        "+10.0 %",
    ]
    assert [one_in(Fraction(1, 84)), one_in(Fraction(1, 250666)), one_in(0), one_in(1)] == [
        "1 in 84.0", "1 in 250,666", "never", "always",
    ]  # fmt: skip
    assert [write_signed(Fraction(25)), write_signed(Fraction(3, 2)), write_signed(Fraction(-1))] == [
        "+25",
        "+3/2",
        "-1",
    ]


def test_every_end_of_a_hand_has_words() -> None:
    assert {word for word, _ in OUTCOMES.values()} <= set(ENDS)
    assert end_in_words("some-new-end", rules_for(QUICK)) == "some new end"
    assert end_in_words("push-total", rules_for("melbourne/free-bet")) == "the dealer's 22: a push"


@pytest.mark.parametrize("table", KNOWN, ids=lambda table: table["game"])
def test_every_code_of_a_chart_is_in_its_legend(table: dict[str, Any]) -> None:
    sheet = lay_out(parse_chart(table["worth"]["chart"]), table["game"], "")
    used = {code for grid in sheet.grids for _, _, code in grid.cells()}
    assert set(sheet.legend) == used
    assert all(sheet.legend.values())


@pytest.mark.slow
def test_a_pair_that_cannot_surrender_is_split_where_that_is_next_best() -> None:
    edge = analyse(rules_for("melbourne/vegas"))
    assert edge.strategy.code("pair", 8, 2, 9) == "Rp"
    assert edge.strategy.code("pair", 8, 2, 0) == "R"
