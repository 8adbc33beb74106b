"""The wheel holds everything: installed into a fresh environment, the commands work away from the source tree."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import pitboss

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


def run(*command: object, cwd: Path) -> str:
    """What a command prints; it must end well, and nothing of the source tree is on its path."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of the sources."""
    tree, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    run(sys.executable, "-c", build, out, cwd=tree)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment that has the wheel; its dependencies are those installed here."""
    home = tmp_path_factory.mktemp("fresh")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=home)
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home / "bin"


def test_the_wheel_has_our_name_and_every_file_of_the_package(wheel: Path) -> None:
    assert wheel.name.startswith(f"pitboss_blackjack-{pitboss.__version__}-")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    sources = [path for path in (ROOT / "src" / "pitboss").rglob("*") if path.is_file()]
    kept = [path for path in sources if "__pycache__" not in path.parts]
    assert not {path.relative_to(ROOT / "src").as_posix() for path in kept} - packed


def test_the_wheel_offers_the_extras_that_the_messages_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert all(f"Provides-Extra: {extra}\n" in text for extra in extras)


def test_the_commands_work_away_from_the_source_tree(programs: Path, tmp_path: Path) -> None:
    program = programs / "pitboss"
    where = run(programs / "python", "-c", "import pitboss; print(pitboss.__file__)", cwd=tmp_path)
    assert where.startswith(str(programs.parent))
    assert run(program, "--version", cwd=tmp_path) == f"pitboss {pitboss.__version__}\n"
    assert run(programs / "python", "-m", "pitboss", "--version", cwd=tmp_path) == f"pitboss {pitboss.__version__}\n"
    assert len(json.loads(run(program, "games", "--json", cwd=tmp_path))) == 18
    assert "melbourne/pontoon" in run(program, "rules", "melbourne/pontoon", cwd=tmp_path)
    assert json.loads(run(program, "odds", "star/switch", "--side", "super-match", "--json", cwd=tmp_path))["outcomes"]
    assert json.loads(run(program, "trace", "--json", cwd=tmp_path))["problems"] == []
    record = next((ROOT / "tests" / "records" / "perth").glob("*.round.toml"))
    shutil.copy(record, tmp_path)
    run(program, "replay", record.name, cwd=tmp_path)
    run(
        programs / "python",
        "-c",
        "import pitboss; pitboss.Table('rws/blackjack', seed=7).bet('1 ann* 25')",
        cwd=tmp_path,
    )


def test_no_page_or_message_installs_the_other_project() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    wrong = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in pages
        for line in path.read_text("utf-8").splitlines()
        if any(f"install {quote}pitboss{end}" in f"{line} " for quote in ("", "'", '"') for end in " ['\"`")
    ]
    assert not wrong
