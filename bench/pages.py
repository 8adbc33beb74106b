"""Pages: how soon a table is there, how soon a change is drawn, and what pages weigh.

    python bench/pages.py [--views 20] [--changes 60]

A floor is opened on loopback and Chromium beside it. First view is the time from asking for a table until its felt is
drawn, with nothing kept from before and with everything kept; latency is the time from when the page hears of a change
until the browser has drawn it, and from a click until then. Weight is what travels, compressed. One JSON line.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "tools"))

from browser_floor import ThreadedFloor, Visitors, open_browser, why_no_browser
from browser_play import SEQ, find_spot, read_seq, sit_down, wait_for_news

from pitboss.floor.live_table import Clocks
from pitboss.server.serving import TableWish
from pitboss.server.site.site import find_site

WATCH = """() => {
  const page = document.querySelector("pb-table-page");
  window.drawn = [];
  page.watched.addEventListener("change", () => {
    const heard = performance.now();
    requestAnimationFrame(() => {
      const port = new MessageChannel();
      port.port1.onmessage = () => window.drawn.push(performance.now() - heard);
      port.port2.postMessage(0);
    });
  });
}"""


def find_quantiles(times: list[float]) -> dict[str, float]:
    """The middle and the slow end, in milliseconds."""
    ordered = sorted(times)
    return {
        "median_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "max_ms": round(ordered[-1], 1),
    }


def measure_views(floor: ThreadedFloor, visitors: Visitors, views: int, kept: bool) -> dict[str, float]:
    """From asking for a table until its felt is drawn."""
    times = []
    page = visitors.come(floor.address, token=floor.enter(f"view-{kept}"))
    for number in range(views + kept):
        if not kept:
            visitors.close()
            page = visitors.come(floor.address, token=floor.enter(f"view-{number}"))
        began = time.perf_counter()
        page.goto("/table/t", wait_until="commit")
        page.wait_for_selector("pb-felt .cloth")
        page.wait_for_selector("[data-act=sit]")
        if number or not kept:
            times.append(1000 * (time.perf_counter() - began))
    visitors.close()
    return find_quantiles(times)


def measure_changes(floor: ThreadedFloor, visitors: Visitors, changes: int) -> dict[str, dict[str, float]]:
    """From a click, and from hearing of what it changes, until that is drawn."""
    page = visitors.come(floor.address, token=floor.enter("changes"))
    sit_down(page, "t", "1000")
    page.wait_for_selector(".spot:not([disabled])")
    page.evaluate(WATCH)
    clicks = []
    for _ in range(changes):
        seq = read_seq(page)
        began = time.perf_counter()
        page.click(find_spot(page, "2"))
        wait_for_news(page, seq)
        clicks.append(1000 * (time.perf_counter() - began))
    drawn: list[float] = page.evaluate("window.drawn")
    assert page.evaluate(SEQ)
    return {"heard_to_drawn": find_quantiles(drawn), "click_to_heard_by_the_driver": find_quantiles(clicks)}


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--views", type=int, default=20)
    parser.add_argument("--changes", type=int, default=60)
    wanted = parser.parse_args()
    if reason := why_no_browser():
        print(json.dumps({"benchmark": "pages", "skipped": reason}))
        return
    site = find_site()
    clocks = Clocks(betting_ms=3_600_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadedFloor(Path(folder), tables=(TableWish("t", "melbourne/free-bet"),), clocks=clocks) as floor,
        open_browser() as browser,
    ):
        visitors = Visitors(browser)
        found = {
            "benchmark": "pages",
            "first_view_of_a_table": measure_views(floor, visitors, wanted.views, kept=False),
            "again_with_files_kept": measure_views(floor, visitors, wanted.views, kept=True),
            **measure_changes(floor, visitors, wanted.changes),
            "kilobytes": {name: round(site.weigh_page(name) / 1000, 1) for name in sorted(site.entries)},
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
