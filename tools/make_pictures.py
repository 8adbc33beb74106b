"""Draws the pictures of the README and the documentation from the product: `make pictures`, or `--check` to compare.

The table is `pitboss play` itself in a terminal of a fixed size: a few keys are pressed and Textual saves its screen.
The chart is what `pitboss odds --chart` writes. Fonts that would be fetched from elsewhere are taken out, so that a
picture looks the same everywhere.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PROGRAM = "import sys; from pitboss.cli import main; sys.argv[0] = 'pitboss'; main()"
COLUMNS, ROWS = 100, 30
SECONDS = 4
"""How long the keys have until the screen is saved."""
GAME = "melbourne/pontoon"
TABLE = (GAME, "--seed", "crown", "--robots", "3", "--side", "perfect-pairs", "--pace", "0", "--theme", "dark")
KEYS = ("enter", "enter", "space")
"""Two chips on the box, then the deal."""


def draw_table(folder: Path) -> str:
    """The terminal table after the deal, as Textual saves it."""
    environment = {
        **os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_DATA_HOME": str(folder),
        "TEXTUAL_PRESS": ",".join(KEYS), "TEXTUAL_SCREENSHOT": str(SECONDS),
        "TEXTUAL_SCREENSHOT_LOCATION": str(folder), "TEXTUAL_SCREENSHOT_FILENAME": "screen.svg",
    }  # fmt: skip
    environment.pop("NO_COLOR", None)
    screen, keyboard = pty.openpty()
    fcntl.ioctl(keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    command = [sys.executable, "-c", PROGRAM, "play", *TABLE, "--no-advice", "--records", str(folder / "records")]
    playing = subprocess.Popen(command, stdin=keyboard, stdout=keyboard, stderr=keyboard, env=environment)
    os.close(keyboard)
    printed = bytearray()
    while True:
        try:
            printed += os.read(screen, 65536)
        except OSError:  # the program has closed its end
            break
    saved = folder / "screen.svg"
    if playing.wait() or not saved.exists():
        raise SystemExit(f"pitboss play drew nothing: {printed.decode(errors='replace')[-2000:]}")
    return clean(saved.read_text("utf-8"))


def draw_chart(folder: Path) -> str:
    """The best chart of the game, as the command line draws it."""
    path = folder / "chart.svg"
    command = [sys.executable, "-c", PROGRAM, "odds", GAME, "--chart", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return clean(path.read_text("utf-8"))


def clean(picture: str) -> str:
    """Without fonts from elsewhere and without names that change from one drawing to the next."""
    picture = re.sub(r"<!--.*?-->\s*", "", picture, flags=re.DOTALL)
    picture = re.sub(r"@font-face\s*\{.*?\}\s*", "", picture, flags=re.DOTALL)
    picture = picture.replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono")
    return re.sub(r"terminal-\d+-", "terminal-", picture) + "\n" * (not picture.endswith("\n"))


def text_of(picture: str) -> str:
    """What can be read in a picture: how it is drawn may differ between versions of the libraries, words may not."""
    return " ".join(
        " ".join(re.findall(r">([^<>]+)<", re.sub(r"<style.*?</style>", "", picture, flags=re.DOTALL))).split()
    )


def draw_all() -> dict[str, str]:
    """Every picture by the name of its file."""
    with tempfile.TemporaryDirectory() as folder:
        return {"table.svg": draw_table(Path(folder)), "pontoon-chart.svg": draw_chart(Path(folder))}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="say which pictures differ, and write nothing")
    check = parser.parse_args().check
    stale = []
    for name, picture in draw_all().items():
        path = FOLDER / name
        if check and (not path.exists() or text_of(path.read_text("utf-8")) != text_of(picture)):
            stale.append(name)
        elif not check:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(picture, "utf-8")
    for name in stale:
        print(f"docs/pictures/{name} is not what the product draws: run make pictures", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
