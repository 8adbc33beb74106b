"""The command line as a frame: exit codes, one line for every mistake, and a help that comes at once."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

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


def test_an_interrupt_exits_130(install: Install) -> None:
    install(raising(KeyboardInterrupt()))
    assert cli.main(["sample"]) == 130


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["smaple"], "try pitboss --help"),
        (["--colour"], "try pitboss --help"),
        (["sample", "--colour"], "try pitboss sample --help"),
        (["sample", "ann", "bob"], "try pitboss sample --help"),
        (["sample"], "try pitboss sample --help"),
        (["sample", "ann", "--times", "many"], "try pitboss sample --help"),
    ],
)
def test_bad_usage_gets_one_line_and_exits_2(
    install: Install, capsys: pytest.CaptureFixture[str], arguments: list[str], hint: str
) -> None:
    def run(name: str, times: int = 1) -> None:
        raise AssertionError("not to be reached")

    install(run)
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pitboss: ")
    assert err.endswith(f"; {hint}\n")
    assert err.count("\n") == 1


def test_help_lists_commands_without_importing_them(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(raising(AssertionError("not to be reached")))
    for arguments in ([], ["--help"]):
        assert cli.main(arguments) == 0
        assert "Not there." in capsys.readouterr().out


def test_every_command_on_the_list_can_be_imported_and_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for entry in cli.COMMANDS:
        assert cli.main([entry.name, "--help"]) == 0
        assert f"pitboss {entry.name}" in capsys.readouterr().out


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
