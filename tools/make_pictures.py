"""Draws the pictures of the README and the documentation from the product: `make pictures`, or `--check` to compare.

The table is the full screen of `pitboss play` in a terminal of a fixed size that nobody sees: a few keys are pressed,
each when the screen has done with the one before, and Textual saves what is shown. The chart is what
`pitboss odds --chart` writes. Fonts that would be fetched from elsewhere are taken out, so that a picture looks the
same everywhere. The pages are photographed in Chromium, where there is one; `--check` leaves these pictures as they
are.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

from pitboss.cli.play import Wanted, open_session
from pitboss.table.state import Limits
from pitboss.tui.screens.app import PlayApp
from pitboss.tui.session.robots import NoAdvisor
from pitboss.tui.session.setup import ME, Policy

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PROGRAM = "import sys; from pitboss.cli import main; sys.argv[0] = 'pitboss'; main()"
SIZE = (100, 30)
GAME = "melbourne/pontoon"
KEYS = ("enter", "enter", "space")
"""Two chips on the box, then the deal."""


def draw_table(folder: Path) -> str:
    """The terminal table after the deal, as Textual saves it."""
    wanted = Wanted(
        seed="crown", robots=3, sharers=0, policies=tuple(Policy), name=ME, box=None, bankroll=Decimal(1000),
        limits=Limits(Decimal(5), Decimal(500), Decimal("0.5")), records=folder / "records",
        journal=folder / "journal", books=(), advisor=NoAdvisor(), trainer=False,
    )  # fmt: skip
    os.environ.pop("NO_COLOR", None)
    live = open_session(GAME, {"side_wagers": ["perfect-pairs"]}, wanted)
    app = PlayApp(live, lambda table: live, lambda rules: None, pace=0)

    async def press_keys() -> str:
        async with app.run_test(size=SIZE) as pilot:
            for key in ("", *KEYS):
                await pilot.press(*([key] if key else []))
                await app.workers.wait_for_complete()
                await pilot.pause()
            return app.export_screenshot()

    return clean(asyncio.run(press_keys()))


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


def photograph_pages(folder: Path) -> None:
    """The lobby and a table of the pages, as Chromium shows them; their cards are always the same."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tools"))
    from browser_floor import ThreadedFloor, Visitors, open_browser, why_no_browser
    from browser_play import bet, call_deal, sit_down

    from pitboss.floor.live_table import Clocks, TableKind
    from pitboss.server.serving import TableWish

    if reason := why_no_browser():
        print(f"no pictures of the pages: {reason}", file=sys.stderr)
        return
    calm = Clocks(betting_ms=3_600_000, decision_ms=3_600_000, offers_ms=3_600_000, pause_ms=3_600_000)
    tables = (TableWish("pontoon", GAME, TableKind.PRACTICE), TableWish("switch", "star/switch"))
    with (
        tempfile.TemporaryDirectory() as home,
        ThreadedFloor(Path(home), tables=tables, clocks=calm) as floor,
        open_browser() as browser,
    ):
        floor.served.floor.desk.entropy = lambda: bytes(range(32))
        visitors = Visitors(browser)
        page = visitors.come(floor.address, token=floor.enter("ann"))
        sit_down(page, "pontoon")
        bet(page, "3", "3", "5", "5", "5")
        call_deal(page)
        page.keyboard.press("?")
        page.wait_for_selector(".worth")
        page.screenshot(path=folder / "table-page.png")
        phone = visitors.come(floor.address, token=floor.enter("bob"), size=(390, 844), theme="pale")
        sit_down(phone, "switch")
        bet(phone, "2a", "2a")
        call_deal(phone)
        phone.screenshot(path=folder / "telephone.png")
        visitors.close()


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
    if not check:
        photograph_pages(FOLDER)
    for name in stale:
        print(f"docs/pictures/{name} is not what the product draws: run make pictures", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
