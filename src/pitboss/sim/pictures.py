"""The distribution of a simulation as a picture: SVG, PNG, PDF, or a page by itself, drawn without a network.

Altair and vl-convert are the extra `charts` and are imported when a picture is asked for.
"""

from __future__ import annotations

from typing import Any

from pitboss.errors import PitbossError
from pitboss.sim.result import SimResult

KINDS = ("svg", "png", "html", "pdf")
PNG_SCALE = 3
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
WIDTH, HEIGHT = 640, 320
WIN, LOSS, STAND_OFF = "#1d7a5a", "#b3541e", "#777777"


class PictureError(PitbossError):
    """A picture that cannot be drawn."""


def bars(result: SimResult) -> list[dict[str, Any]]:
    """Results of a round in units with their share of rounds; half units and finer stay apart."""
    rounds = max(result.rounds, 1)
    rows = []
    for net, times in sorted(result.sums.histogram.items()):
        colour = WIN if net > 0 else LOSS if net < 0 else STAND_OFF
        rows.append({"net": net / result.unit, "share": times / rounds, "fill": colour})
    return rows


def drawing_tools() -> tuple[Any, Any]:
    """Altair and vl-convert, if they are installed."""
    try:
        import altair
        import vl_convert
    except ImportError:
        raise PictureError("pictures need the extra 'charts': pip install 'pitboss[charts]'") from None
    return altair, vl_convert


def picture(result: SimResult, kind: str) -> bytes:
    """The distribution as a file of one of `KINDS`."""
    if kind not in KINDS:
        raise PictureError(f"a distribution cannot be drawn as .{kind}: name a file that ends in {', '.join(KINDS)}")
    altair, vl_convert = drawing_tools()
    drawn = _drawing(altair, result)
    if kind == "html":
        page: str = drawn.to_html(inline=True, embed_options={"actions": False})
        return page.encode()
    spec = drawn.to_json()
    if kind == "svg":
        return str(vl_convert.vegalite_to_svg(spec)).encode()
    if kind == "png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=PNG_SCALE))
    return bytes(vl_convert.vegalite_to_pdf(spec))


def _drawing(altair: Any, result: SimResult) -> Any:
    low, high = result.interval_95
    title = altair.TitleParams(
        f"{result.game}: what a round wins",
        subtitle=[
            f"{result.rounds:,} rounds, strategy {result.strategy}, seed {result.seed}",
            f"house edge {100 * result.house_edge:.4f} % (95 %: {100 * low:.4f} % to {100 * high:.4f} %)",
        ],
        anchor="start",
        font=FONT,
        subtitleFont=FONT,
    )
    chart = altair.Chart(altair.Data(values=bars(result)), title=title, width=WIDTH, height=HEIGHT)
    return (
        chart.mark_bar(size=8)
        .encode(
            x=altair.X("net:Q", title="net result of a round, in units of the initial wager"),
            y=altair.Y("share:Q", title="share of rounds", axis=altair.Axis(format="%")),
            color=altair.Color("fill:N", scale=None),
        )
        .configure(font=FONT)
    )
