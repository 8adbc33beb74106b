"""Pictures by Altair and vl-convert: SVG, PNG, PDF, or a page by itself, drawn on this machine without a network.

Both libraries are the extra `charts` and are imported when a picture is asked for. What is drawn is decided by whoever
asks; here a drawing becomes a file.
"""

from __future__ import annotations

from html import escape
from typing import Any

from pitboss.errors import PitbossError

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
PNG_SCALE = 3
KINDS = ("svg", "png", "html", "pdf")


class PictureError(PitbossError):
    """A picture that cannot be drawn."""


def check_kind(what: str, kind: str) -> None:
    """Refuse a kind of file that nothing is drawn as."""
    if kind not in KINDS:
        raise PictureError(f"{what} cannot be drawn as .{kind}: name a file that ends in {', '.join(KINDS)}")


def drawing_tools() -> tuple[Any, Any]:
    """Altair and vl-convert, if they are installed: a picture needs both."""
    try:
        import altair
        import vl_convert
    except ImportError:
        raise PictureError("pictures need the extra 'charts': pip install 'pitboss-blackjack[charts]'") from None
    return altair, vl_convert


def picture_file(drawn: Any, kind: str, title: str = "") -> bytes:
    """An Altair drawing as a file of one of `KINDS`; a page has everything in it that is needed to show it."""
    _, vl_convert = drawing_tools()
    if kind == "html":
        page: str = drawn.to_html(inline=True, embed_options={"actions": False})
        if title:
            page = page.replace("<head>", f"<head>\n<title>{escape(title, quote=False)}</title>", 1)
        return page.encode()
    spec = drawn.to_json()
    if kind == "svg":
        return str(vl_convert.vegalite_to_svg(spec)).encode()
    if kind == "png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=PNG_SCALE))
    return bytes(vl_convert.vegalite_to_pdf(spec))
