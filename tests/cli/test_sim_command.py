"""`pitboss simulate`: its answers, its file, and what it refuses in one line."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from pitboss.cli import INTERRUPTED, main
from pitboss.cli.simulation.kept_runs import RunRequest
from pitboss.sim.plan import BLOCK_ROUNDS

QUICK = ["--strategy", "yardstick", "--rounds", "20000", "--threads", "2"]
PROGRAM = "import sys; from pitboss.cli import main; sys.exit(main())"
KEYS = {"house_edge", "standard_error", "rounds", "rounds_per_second", "variance", "seed"}


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "star/blackjack", *QUICK, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data.keys() >= KEYS
    assert data["rounds"] == 20000
    assert sum(data["distribution"].values()) == 20000


def test_people_get_the_edge_with_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "melbourne/blackjack", *QUICK, "--side", "perfect-pairs", "--bankroll", "50"]) == 0
    out = capsys.readouterr().out
    assert "house edge" in out
    assert "perfect-pairs" in out
    assert "risk of ruin" in out


def test_the_same_seed_gives_the_same_sums(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for threads in ("1", "2"):
        assert main(["simulate", "rws/blackjack", *QUICK[:4], "--threads", threads, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["sums"])
    assert found[0] == found[1]


def test_a_run_kept_on_file_is_complete_when_taken_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "run.json")
    assert main(["simulate", "star/blackjack", *QUICK, "--save", file, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(["simulate", "--resume", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sums"] == first["sums"]


@pytest.mark.slow
def test_a_run_is_not_taken_up_for_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.json"
    assert main(["simulate", "star/blackjack", *QUICK, "--save", str(file)]) == 0
    for other, words in (
        (["perth/blackjack"], "another game"),
        (["--seed", "2"], "another plan"),
        (["--rounds", "30000"], "another plan"),
        (["--strategy", "never-bust"], "the strategy or the bets"),
        (["--decks", "6"], "another set of rules: resume it as it was saved"),
    ):
        assert main(["simulate", *other, "--resume", str(file)]) == 2
        assert words in capsys.readouterr().err
    file.write_text(file.read_text("utf-8").replace('"version": "', '"version": "99.'), "utf-8")
    assert main(["simulate", "--resume", str(file)]) == 2
    assert "saved by pitboss 99." in capsys.readouterr().err
    file.write_text("{}", "utf-8")
    assert main(["simulate", "--resume", str(file)]) == 2
    assert "not a run" in capsys.readouterr().err


def test_another_run_is_not_saved_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.json"
    words = ["simulate", "star/blackjack", *QUICK, "--save", str(file)]
    assert main(words) == 0
    kept = file.read_bytes()
    capsys.readouterr()
    assert main([*words, "--seed", "7"]) == 2
    told = capsys.readouterr().err
    assert "another run of star/blackjack is kept there (not the same: seed)" in told
    assert told.count("\n") == 1
    assert file.read_bytes() == kept
    assert main([*words, "--rounds", "30000"]) == 0
    assert main([*words, "--seed", "7", "--force"]) == 0


@pytest.mark.slow
def test_basic_is_the_best_chart_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    sums = []
    for name in ("basic", "chart"):
        assert main(["simulate", "star/blackjack", "--strategy", name, "--rounds", "20000", "--json"]) == 0
        sums.append(json.loads(capsys.readouterr().out)["sums"])
    assert sums[0] == sums[1]


@pytest.mark.slow
def test_ctrl_c_ends_with_the_result_so_far_and_the_run_goes_on_as_if_unbroken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.json"
    words = ["simulate", "star/blackjack", "--strategy", "yardstick", "--rounds", "1e12", "--json", "--save", str(file)]
    theirs, ours = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", PROGRAM, *words], stdout=subprocess.PIPE, stderr=ours) as running:
        os.close(ours)
        seen = ""
        while not re.search(r"M rounds/s +edge .* left", seen):
            seen += os.read(theirs, 4096).decode()
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate()
    os.close(theirs)
    assert running.returncode == INTERRUPTED
    stopped = json.loads(out)
    assert stopped["rounds"] > 0
    assert not stopped["complete"]
    last = max(last for _, last in json.loads(file.read_text("utf-8"))["run"]["done"])
    rounds = str((last + 2) * BLOCK_ROUNDS)
    assert main(["simulate", "--resume", str(file), "--rounds", rounds, "--json"]) == 0
    resumed = json.loads(capsys.readouterr().out)
    assert main([*words[:4], "--rounds", rounds, "--json"]) == 0
    unbroken = json.loads(capsys.readouterr().out)
    assert resumed["complete"]
    for name in ("sums", "distribution", "house_edge", "standard_error", "variance", "rounds"):
        assert resumed[name] == unbroken[name]


def test_a_pipe_sees_no_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "star/blackjack", *QUICK]) == 0
    assert "rounds/s" not in capsys.readouterr().err


def test_a_round_is_written_as_a_record_that_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "star/switch", *QUICK, "--record", "0:17"]) == 0
    file = tmp_path / "one.round.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert main(["replay", str(file)]) == 0


@pytest.mark.slow
def test_the_distribution_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "edge.svg"
    assert main(["simulate", "star/blackjack", *QUICK, "--plot", str(file), "--json"]) == 0
    assert file.read_text("utf-8").startswith("<svg")


def test_a_chart_of_ones_own_is_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = tmp_path / "stand.txt"
    lines = [f"hard {total}  " + " ".join(("H" if total < 12 else "S",) * 10) for total in range(4, 22)]
    chart.write_text("\n".join(lines) + "\n", "utf-8")
    run = ["simulate", "star/blackjack", "--rounds", "20000", "--strategy", str(chart), "--json"]
    assert main(run) == 0
    assert json.loads(capsys.readouterr().out)["sums"]["doubles"] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rounds", "many"], "--rounds many"),
        (["--rounds", "1.5"], "--rounds 1.5"),
        (["--threads", "0"], "--threads"),
        (["--strategy", "no-such-file.txt"], "not one of optimum, basic, chart"),
        (["--penetration", "deep"], "--penetration deep"),
        (["--penetration", "0.1"], "penetration must be from"),
        (["--plot", "edge.gif"], "--plot edge.gif: name a file that ends in .svg, .png, .html or .pdf"),
        (["--record", "seven"], "--record seven"),
        (["--record", "99:9"], "there is no round 99:9"),
        (["--bets", "no-such-file.json"], "no-such-file.json"),
        (["--resume", "no-such-file.json"], "no-such-file.json"),
        (["--meter", "x=1"], "no meter"),
        (["--stake", "0"], "--stake 0"),
        (["--boxes", "99"], "boxes must be"),
        (["--boxes", "0"], "--boxes 0: write a whole number of 1 or more"),
        (["--seed", "-1"], "--seed -1: write a whole number"),
        (["--save", "no-such-folder/run.json"], "--save no-such-folder/run.json"),
        (["--plot", "no-such-folder/edge.png"], "--plot no-such-folder/edge.png"),
        (["--side", "lightning"], "lightning"),
        (["--option", "colour=red"], "colour"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    base = [] if "--strategy" in arguments else ["--strategy", "yardstick"]
    assert main(["simulate", "star/blackjack", *base, *arguments]) == 2
    out, err = capsys.readouterr()
    *before, last = err.splitlines()
    assert last.startswith("pitboss: ")
    assert words in last
    assert all(line.startswith("preparing") for line in before)
    assert out == ""


def test_a_limit_without_a_clause_cites_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "rws/blackjack", "--strategy", "yardstick", "--penetration", "2"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "pitboss: penetration must be from 0.50 to 0.88, not 2"


def test_help_says_what_is_taken_where_nothing_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--help"]) == 0
    told = dict(re.findall(r"--(\w+) [A-Z]+ (?:(?!--)[^\[])*?\[([^\]]+)\]", capsys.readouterr().out))
    taken = msgspec.structs.asdict(RunRequest(game="rws/blackjack"))
    assert {name: value.replace(",", "") for name, value in told.items()} == {name: str(taken[name]) for name in told}
    assert {"rounds", "boxes", "strategy", "seed", "horizon", "stake"} <= set(told)
