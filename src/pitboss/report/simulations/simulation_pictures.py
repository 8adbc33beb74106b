"""The distributions of a simulation as a picture: what a round wins, and where bankrolls end."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

from pitboss.report.picture_files import FONT, check_kind, drawing_tools, picture_file
from pitboss.sim.result import SimResult

WIDTH, HEIGHT = 640, 320
MOST_BARS = 80
LEAST_SHARE = 0.0002
WIN, LOSS, STAND_OFF = "#1d7a5a", "#b3541e", "#777777"


def bars(result: SimResult) -> list[dict[str, Any]]:
    """Results of a round in units with their share of rounds; half units and finer stay apart."""
    rounds = max(result.rounds, 1)
    rows = []
    for net, times in sorted(result.sums.histogram.items()):
        colour = WIN if net > 0 else LOSS if net < 0 else STAND_OFF
        rows.append({"at": net / result.unit, "share": times / rounds, "fill": colour})
    return rows


def ends(result: SimResult) -> list[dict[str, Any]]:
    """Bankrolls at the end of their paths, in `MOST_BARS` steps at most, with their share of paths."""
    finals = result.sums.finals
    if not finals:
        return []
    step = -(-(max(finals) + 1) // MOST_BARS)
    counted: Counter[int] = Counter()
    for units, times in finals.items():
        counted[units // step * step] += times
    ruined = {"at": 0, "share": result.risk_of_ruin, "fill": LOSS}
    counted[0] -= result.sums.ruined
    rows = [{"at": at, "share": times / result.sums.paths, "fill": WIN} for at, times in sorted(counted.items())]
    return [ruined, *(row for row in rows if row["share"])]


def distribution_picture(result: SimResult, kind: str) -> bytes:
    """The distribution as a file of one of `KINDS`."""
    check_kind("a distribution", kind)
    altair, _ = drawing_tools()
    return picture_file(_drawing(altair, result), kind)


def _drawing(altair: Any, result: SimResult) -> Any:
    low, high = result.interval_95
    words = [
        f"{result.rounds:,} rounds, strategy {result.strategy}, seed {result.seed}",
        f"house edge {100 * result.house_edge:.4f} % (95 %: {100 * low:.4f} % to {100 * high:.4f} %)",
    ]
    drawn = _bars(altair, bars(result), "net result of a round, in units of the original wager", "share of rounds")
    drawn = drawn.properties(title=_title(altair, f"{result.game}: what a round wins", words))
    if result.sums.paths:
        words = [f"{result.sums.paths:,} paths, {100 * (result.risk_of_ruin or 0):.3f} % of them ruined (left, brown)"]
        below = _bars(altair, ends(result), "bankroll at the end, in units", "share of paths")
        drawn = altair.vconcat(drawn, below.properties(title=_title(altair, "Where bankrolls end", words)))
    return drawn.configure(font=FONT)


def _title(altair: Any, text: str, words: list[str]) -> Any:
    return altair.TitleParams(text, subtitle=words, anchor="start", font=FONT, subtitleFont=FONT)


def _bars(altair: Any, rows: list[dict[str, Any]], across: str, up: str) -> Any:
    """Bars as wide as the places between them allow; what is too rare to be seen does not stretch the picture."""
    seen = [row["at"] for row in rows if row["share"] >= LEAST_SHARE]
    gaps = [after - before for before, after in itertools.pairwise(seen) if after > before]
    room = min(gaps, default=1)
    low, high = min(seen, default=0) - room, max(seen, default=0) + room
    size = min(max(0.8 * WIDTH * room / (high - low), 1), 24)
    chart = altair.Chart(altair.Data(values=rows), width=WIDTH, height=HEIGHT)
    return chart.mark_bar(size=size, clip=True).encode(
        x=altair.X("at:Q", title=across, scale=altair.Scale(domain=[low, high], nice=False)),
        y=altair.Y("share:Q", title=up, axis=altair.Axis(format="%")),
        color=altair.Color("fill:N", scale=None),
    )
