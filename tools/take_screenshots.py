"""Writes pictures of every page, and of a table of every game, at three sizes: `make screenshots`.

A floor is opened on loopback with a table of each game that waits for its player; Chromium opens the pages as a guest,
bets, plays and takes pictures. They go into build/screenshots, which git ignores. `--only WORDS` takes those whose name
contains one of the words, `--theme pale` the other theme.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "tools"))

from browser_floor import LAPTOP, PHONE, WALL, ThreadedFloor, Visitors, open_browser, why_no_browser  # noqa: E402
from browser_play import answer, bet, call_deal, play_out, read_public, sit_down, wait_for_phase  # noqa: E402
from playwright.sync_api import Page  # noqa: E402

from pitboss.floor.live_table import Clocks, TableKind  # noqa: E402
from pitboss.rulebooks import games  # noqa: E402
from pitboss.server.serving import TableWish  # noqa: E402
from pitboss.server.site.site import find_site  # noqa: E402

FOLDER = ROOT / "build" / "screenshots"
SIZES = {"390": PHONE, "1366": LAPTOP, "3840": WALL}
CALM = Clocks(betting_ms=3_600_000, decision_ms=3_600_000, offers_ms=3_600_000, pause_ms=3_600_000)


def take(page: Page, name: str, theme: str) -> None:
    """One picture."""
    page.wait_for_timeout(250)
    page.screenshot(path=FOLDER / f"{name}-{theme}.png")
    print(FOLDER / f"{name}-{theme}.png")


def take_pages(floor: ThreadedFloor, visitors: Visitors, theme: str, only: list[str]) -> None:
    """Every page that is found in the navigation."""
    for name, entry in find_site().entries.items():
        if not entry.order or (only and not any(word in name for word in only)):
            continue
        for width, size in SIZES.items():
            page = visitors.come(floor.address, token=floor.enter(f"{name}-{width}"), size=size, theme=theme)
            page.goto(entry.paths[0])
            page.wait_for_selector("h1")
            page.wait_for_timeout(700)
            take(page, f"{name}-{width}", theme)
            visitors.close()


def take_table(floor: ThreadedFloor, visitors: Visitors, game: str, theme: str, width: str) -> None:
    """A table of a game before the deal, in a hand and settled; and the round that was played."""
    table = f"{game.replace('/', '-')}-{width}"
    page = visitors.come(floor.address, token=floor.enter(f"ann-{table}"), size=SIZES[width], theme=theme)
    sit_down(page, table)
    boxes = [box["number"] for box in read_public(page, "felt.boxes")]
    bet(page, boxes[1], boxes[1], boxes[2], boxes[len(boxes) // 2])
    take(page, f"table-{table}-bets", theme)
    call_deal(page)
    take(page, f"table-{table}-hand", theme)
    play_out(page, "p", "d")
    take(page, f"table-{table}-settled", theme)
    number = read_public(page, "round")
    answer(page, "Space")
    wait_for_phase(page, "betting")
    page.goto(f"/round/{table}/{number}")
    page.wait_for_selector(".steps li")
    page.click("[data-act=last]")
    take(page, f"round-{table}", theme)
    visitors.close()


def main() -> None:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--theme", choices=("night", "pale"), default="night")
    wanted = parser.parse_args()
    if reason := why_no_browser():
        raise SystemExit(reason)
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = [game for game in games() if not wanted.only or any(word in f"table {game}" for word in wanted.only)]
    wishes = [
        TableWish(f"{game.replace('/', '-')}-{width}", game, TableKind.PRACTICE) for game in games() for width in SIZES
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadedFloor(Path(folder), tables=tuple(wishes), clocks=CALM) as floor,
        open_browser() as browser,
    ):
        visitors = Visitors(browser)
        take_pages(floor, visitors, wanted.theme, wanted.only)
        for game in chosen:
            for width in SIZES:
                take_table(floor, visitors, game, wanted.theme, width)
        for line in visitors.list_wrong():
            print(line, file=sys.stderr)


if __name__ == "__main__":
    main()
