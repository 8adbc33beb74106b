"""What the program writes: its own files may be written again, nobody else's without --force."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss import cli
from pitboss.errors import PitbossError
from pitboss.files import check_place, is_as_written, write_marked

Capture = pytest.CaptureFixture[str]
QUICK = "melbourne/select"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "html", "txt"])
def test_a_chart_of_ours_can_be_written_again_and_another_file_cannot(
    kind: str, tmp_path: Path, capsys: Capture
) -> None:
    chart = tmp_path / f"chart.{kind}"
    asked = ["odds", QUICK, "--chart", str(chart)]
    assert cli.main(asked) == 0
    assert cli.main(asked) == 0
    capsys.readouterr()
    chart.write_bytes(chart.read_bytes().replace(b"S", b"H", 1))
    assert cli.main(asked) == 2, "somebody has changed it since"
    capsys.readouterr()
    chart.write_bytes(b"my own work")
    assert cli.main(asked) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "pitboss did not write" in err
    assert chart.read_bytes() == b"my own work"
    assert cli.main([*asked, "--force"]) == 0
    assert chart.read_bytes() != b"my own work"


@pytest.mark.parametrize(
    "arguments",
    [
        ["odds", QUICK, "--report"],
        ["trace", "--book", "rws", "--html"],
        ["simulate", QUICK, "--rounds", "1e3", "--save"],
        ["simulate", QUICK, "--rounds", "1e3", "--plot"],
    ],
)
def test_no_option_overwrites_a_file_that_is_not_ours(arguments: list[str], tmp_path: Path, capsys: Capture) -> None:
    own = tmp_path / ("own.json" if arguments[-1] == "--save" else "own.html")
    own.write_text('{"mine": true}', encoding="utf-8")
    assert cli.main([*arguments, str(own)]) == 2
    assert f"{arguments[-1]} {own}: there is a file of this name" in capsys.readouterr().err
    assert own.read_text("utf-8") == '{"mine": true}'


def test_a_report_is_a_page_and_nothing_else(tmp_path: Path, capsys: Capture) -> None:
    assert cli.main(["odds", QUICK, "--report", str(tmp_path / "x.pdf")]) == 2
    assert "name a file that ends in .html" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_picture_with_our_mark_is_still_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "chart.png"
    assert cli.main(["odds", QUICK, "--chart", str(file)]) == 0
    content = file.read_bytes()
    assert is_as_written(content)
    chunks, at = [], 8
    while at < len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        chunks.append(content[at + 4 : at + 8])
        at += 12 + length
    assert at == len(content)
    assert chunks[-2:] == [b"tEXt", b"IEND"]


def test_a_place_that_cannot_be_written_is_refused_first(tmp_path: Path) -> None:
    with pytest.raises(PitbossError, match="there is no folder"):
        check_place("--chart", tmp_path / "none" / "x.svg", force=True)
    with pytest.raises(PitbossError, match="cannot be written there"):
        check_place("--chart", tmp_path, force=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_with_the_file() -> None:
    with pytest.raises(PitbossError, match="/dev/full: cannot be written: No space left on device"):
        write_marked(Path("/dev/full"), b"<p>")
