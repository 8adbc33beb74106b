"""The command line as a frame: exit codes, one line for every mistake, and a help that comes at once."""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path

import pytest
from terminals import on_a_terminal

import pitboss
from pitboss import cli
from pitboss.errors import CheckFailed, PitbossError
from pitboss.files import read_text

Install = Callable[[Callable[..., None]], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a function on the command line as `pitboss sample`, beside a command that cannot be imported."""

    def put(run: Callable[..., None]) -> None:
        module = types.ModuleType("pitboss.cli.sample")
        module.run = run  # type: ignore[attr-defined]
        module.EXAMPLES = ("pitboss sample ann",)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "pitboss.cli.sample", module)
        entries = (cli.Entry("sample", "sample", "A sample."), cli.Entry("absent", "absent", "Not there."))
        monkeypatch.setattr(cli, "COMMANDS", entries)

    return put


def raising(error: BaseException) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


def test_a_command_that_ends_well_exits_0(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    def run(name: str, loud: bool = False) -> None:
        """Greet."""
        print(f"{name}{'!' if loud else ''}")

    install(run)
    assert cli.main(["sample", "ann", "--loud"]) == 0
    assert capsys.readouterr().out == "ann!\n"


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (PitbossError("no game 'x'; try star/blackjack"), 2, "pitboss: no game 'x'; try star/blackjack"),
        (PitbossError("in\ntwo lines"), 2, "pitboss: in two lines"),
        (CheckFailed("2 of 3 records differ"), 1, "pitboss: 2 of 3 records differ"),
        (FileNotFoundError(2, "No such file or directory", "a.toml"), 2, "pitboss: a.toml: No such file or directory"),
        (EOFError(), 2, "pitboss: the input ended before an answer was given"),
    ],
)
def test_a_mistake_gets_one_line_and_its_code(
    install: Install, capsys: pytest.CaptureFixture[str], error: Exception, code: int, line: str
) -> None:
    install(raising(error))
    assert cli.main(["sample"]) == code
    assert capsys.readouterr() == ("", f"{line}\n")


def test_a_defect_shows_itself(install: Install) -> None:
    install(raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        cli.main(["sample"])


def test_an_interrupt_gets_one_line_and_exits_130(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(raising(KeyboardInterrupt()))
    assert cli.main(["sample"]) == 130
    assert capsys.readouterr() == ("", "pitboss: stopped\n")


@pytest.mark.slow
def test_ctrl_c_answers_at_once() -> None:
    source = "from pitboss.cli import main; import sys; sys.argv[1:] = ['compare']; sys.exit(main())"
    process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - asked < 10
    assert process.returncode == 130
    assert out == b""
    assert err.decode().splitlines()[-1] == "pitboss: stopped"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_gets_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pitboss", "games", "--json"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode() == "pitboss: the answer cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["smaple"], "there is no command 'smaple'; did you mean 'sample'?"),
        (["help", "smaple"], "there is no command 'smaple'; did you mean 'sample'?"),
        (["--colour"], "there is no option --colour; try pitboss --help"),
        (["sample", "--tims", "3"], "there is no option --tims (did you mean --times?); try pitboss sample --help"),
        (["sample", "ann", "bob"], "'bob' is one argument too many; try pitboss sample --help"),
        (["sample"], "pitboss sample needs NAME; try pitboss sample --help"),
        (["sample", "ann", "--times"], "--times needs a value; try pitboss sample --help"),
        (["sample", "ann", "--loud=1"], "--loud takes no value; try pitboss sample --help"),
    ],
)
def test_bad_usage_gets_one_line_and_exits_2(
    install: Install, capsys: pytest.CaptureFixture[str], arguments: list[str], hint: str
) -> None:
    def run(name: str, times: str = "1", loud: bool = False) -> None:
        raise AssertionError("not to be reached")

    install(run)
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"pitboss: {hint}\n"


def test_help_lists_commands_without_importing_them(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(raising(AssertionError("not to be reached")))
    for arguments in ([], ["--help"], ["-h"], ["help"]):
        assert cli.main(arguments) == 0
        assert "Not there." in capsys.readouterr().out


def test_every_command_on_the_list_can_be_imported_and_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for entry in cli.COMMANDS:
        texts = []
        for arguments in ([entry.name, "--help"], [entry.name, "-h"], ["help", entry.name]):
            assert cli.main(arguments) == 0
            texts.append(capsys.readouterr().out)
        assert len(set(texts)) == 1
        assert f"Usage: pitboss {entry.name}" in texts[0]
        assert "-h, --help" in texts[0]
        assert not re.search(r"<\w+>|\[required\]|\[default", texts[0]), "the library's own words show"
        assert max(map(len, texts[0].splitlines())) <= 80
        examples = texts[0].split("Examples:\n")[1].splitlines()
        assert examples
        assert all(f"pitboss {entry.name}" in line for line in examples)


@pytest.mark.parametrize("entry", cli.COMMANDS, ids=lambda entry: entry.name)
def test_every_example_is_a_command_line_that_can_be_read(entry: cli.Entry) -> None:
    command = cli.load_command(entry)
    for line in cli.load_module(entry).EXAMPLES:
        words = shlex.split(line.split("   #")[0].replace('eval "$(', "").replace(')"', "").split(" > ")[0])
        assert words[:2] == ["pitboss", entry.name]
        with command.make_context(entry.name, words[2:]):
            pass


OPTIONS_WITH_NUMBERS = (
    ("games", "--stake", "1_000"),
    ("games", "--rounds-per-hour", "1e2"),
    ("rules rws/blackjack", "--decks", "6.0"),
    ("odds melbourne/select --json", "--stake", "1,000"),
    ("odds melbourne/blackjack --side blackjack-jackpots --json --stake 1e1", "--meter", "1,000,000"),
    ("odds melbourne/blackjack --side spread-bet --json", "--entry", "1e3"),
)


@pytest.mark.parametrize(("command", "option", "number"), OPTIONS_WITH_NUMBERS)
def test_numbers_can_be_typed_as_people_do(
    capsys: pytest.CaptureFixture[str], command: str, option: str, number: str
) -> None:
    assert cli.main([*command.split(), option, number]) == 0
    capsys.readouterr()
    for wrong in ("many", "1,00", "1e999", "nan", "-inf"):
        assert cli.main([*command.split(), option, wrong]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith(f"pitboss: {option} {wrong}: write a ")


@pytest.mark.parametrize(
    "command",
    [
        "odds rws/blackjack --decks 0", "rules rws/blackjack --option decks=0", "odds rws/blackjack --decks 1e6",
        "simulate rws/blackjack --boxes x", "simulate rws/blackjack --seed 1.5", "simulate rws/blackjack --rounds 1e14",
        "simulate rws/blackjack --threads 0", "play rws/blackjack --robots -1", "play rws/blackjack --pace slow",
        "play rws/blackjack --theme pink", "play rws/blackjack --box one", "games --stake 0",
    ],
)  # fmt: skip
def test_a_number_that_cannot_be_is_refused_in_our_words(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert cli.main(command.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert re.match(r"pitboss: --\w+ \S+: (write|the amount must)", err)


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_an_infinite_deck_is_offered_only_where_nothing_is_dealt(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert cli.main([command, "rws/blackjack", "--decks", "inf"]) == 2
    assert capsys.readouterr().err.startswith("pitboss: --decks inf: an infinite deck can be analysed but not dealt")
    assert cli.main([command, "rws/blackjack", "--decks", "0"]) == 2
    assert "inf" not in capsys.readouterr().err
    assert cli.main(["odds", "rws/blackjack", "--decks", "0"]) == 2
    assert "or inf for an infinite deck" in capsys.readouterr().err


@pytest.mark.slow
def test_a_word_that_cannot_be_is_answered_with_those_that_can(capsys: pytest.CaptureFixture[str]) -> None:
    for command, words in {
        "play --theme daylight": "--theme daylight: write auto, dark or light",
        "play --drill splits": "--drill splits: write hands, payouts or counting",
        "trace --clause zzz": "nearest are 1.1:promotional prize(s), 13.8.6",
    }.items():
        assert cli.main(command.split()) == 2
        assert words in capsys.readouterr().err


def test_a_name_is_found_by_a_part_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    for command, meant in {
        "odds pontoon": "did you mean 'melbourne/pontoon' or 'melbourne/six-to-five-pontoon'?",
        "odds crown pontoon": "'pontoon' is one argument too many",
        "rules Star/Switch": "did you mean 'star/switch'?",
        "rules vegsa": "did you mean 'melbourne/vegas' or 'perth/vegas'?",
        "rules star/blackjack --reading double=x": "did you mean 'ace_in_double' or 'double_on_ace_ten'?",
        "rules star/blackjack --side pairs": "did you mean 'any-pairs' or 'perfect-pairs'?",
        "compare rws/blackjack --what-if soft_17": "did you mean 'dealer_hits_soft_17'?",
        "rules star/blackjack --option insurance=true": "did you mean 'insurance_on_ten'?",
    }.items():
        assert cli.main(command.split()) == 2
        assert meant in capsys.readouterr().err


def test_bash_completes_commands_options_games_and_wagers(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for typed, expected in {
        "od": ["odds"],
        "odds melbourne/pon": ["melbourne/pontoon"],
        "odds rws/blackjack --cha": ["--chart"],
        "play --side any": ["any-pairs"],
        "help aud": ["audit"],
        "completion z": ["zsh"],
    }.items():
        words = ["pitboss", *typed.split()]
        quoted = " ".join(map(shlex.quote, words))
        ask = f'{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _pitboss; echo "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
        assert done.stdout.split() == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_learn_every_command_and_option(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in (*(entry.name for entry in cli.COMMANDS), "what-if", "melbourne/pontoon", "perfect-pairs"):
        assert word in script
    if shutil.which(shell):
        subprocess.run([shell, "-n", "-c", script], check=True)


@pytest.mark.slow
def test_a_long_answer_goes_through_the_pager_on_a_terminal(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {seen}\n", encoding="utf-8")
    pager.chmod(0o755)
    for arguments, paged in ((["rules", "rws/blackjack"], True), (["--version"], False)):
        seen.unlink(missing_ok=True)
        lines = on_a_terminal(80, *arguments, rows=24, keys=True, PITBOSS_PAGER=str(pager))
        assert seen.exists() is paged
        assert bool([line for line in lines if line]) is not paged
    assert on_a_terminal(80, "--no-pager", "rules", "rws/blackjack", rows=24, keys=True, PITBOSS_PAGER=str(pager))
    assert not seen.exists()


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"pitboss {pitboss.__version__}\n"


def test_a_reader_that_goes_away_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from pitboss.cli import main; sys.exit(main(['--help']))"],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (cli.PIPE_CLOSED, b"")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    for name in ("latin", "missing", "."):
        with pytest.raises(PitbossError, match=name):
            read_text(tmp_path / name)


def test_help_loads_nothing_heavy_and_comes_at_once() -> None:
    heavy = "{'numpy', 'numba', 'msgspec', 'pydantic', 'textual', 'altair'}"
    source = f"import sys; from pitboss.cli import main; main(['--help']); sys.exit(str({heavy} & set(sys.modules)))"
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.stderr.strip() == "set()"
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.3, f"--help takes {min(spent):.2f} s of processor time"
