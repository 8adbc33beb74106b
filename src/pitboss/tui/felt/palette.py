"""What the styles of the picture look like: on a dark terminal, on a light one, and without colour.

Contrast is at least what WCAG asks for at level AA: 4.5 to 1 for text, 3 to 1 for what is only drawn.
Without colour nothing may depend on it: cards get frames, red suits are hollow, and what matters is bold or reversed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rich.style import Style

Palette = Mapping[str, Style]


class _Tones(NamedTuple):
    """The colours in which a light and a dark table differ."""

    felt: str
    lettering: str
    line: str
    text: str
    faint: str
    mine: str
    gold: str
    win: str
    lose: str
    wood: str
    spot: str


_DARK = _Tones(
    felt="#0b4a33", lettering="#c9a94e", line="#57a882", text="#eef5ee", faint="#8fb8a3", mine="#ffe08a",
    gold="#ffd75e", win="#9df59d", lose="#ff9d8a", wood="#20130c", spot="#0f5c40",
)  # fmt: skip
_LIGHT = _Tones(
    felt="#cfe6d4", lettering="#7a5a00", line="#4a8563", text="#10281c", faint="#3f614f", mine="#7a3b00",
    gold="#775400", win="#0b6b1f", lose="#a81808", wood="#e9dcc6", spot="#bcdcc4",
)  # fmt: skip

_CARD, _CARD_UNDER, _INK, _RED = "#fdfdf8", "#e2e4de", "#15181c", "#c8102e"

DRAWN = frozenset({"line", "card.edge", "card.back", "shoe.cards", "shoe.gone", "shoe.cut"})
"""Styles in which nothing is written; nor is it in those of chips, whose value is beside them."""

CHIP_COLOURS: Mapping[str, tuple[str, str]] = {
    "1": ("#f4f4f0", "#4a4f55"),
    "5": ("#ff5a52", "#b3121c"),
    "25": ("#4fe08a", "#0a7a3a"),
    "100": ("#1b1b1f", "#1b1b1f"),
    "500": ("#c79bff", "#6a1fb0"),
    "1000": ("#ffb02e", "#b85c00"),
}
"""Each chip's colour on the dark and on the light felt."""


def _colour(tones: _Tones, *, dark: bool) -> dict[str, Style]:
    def on_felt(colour: str, *, bold: bool = False) -> Style:
        return Style(color=colour, bgcolor=tones.felt, bold=bold)

    styles = {
        "felt": on_felt(tones.text),
        "print": on_felt(tones.lettering),
        "print.bold": on_felt(tones.lettering, bold=True),
        "line": on_felt(tones.line),
        "text": on_felt(tones.text),
        "text.bold": on_felt(tones.text, bold=True),
        "faint": on_felt(tones.faint),
        "mine": on_felt(tones.mine, bold=True),
        "gold": on_felt(tones.gold, bold=True),
        "win": on_felt(tones.win, bold=True),
        "lose": on_felt(tones.lose, bold=True),
        "even": on_felt(tones.text, bold=True),
        "cursor": Style(color=tones.felt, bgcolor=tones.gold, bold=True),
        "turn": on_felt(tones.gold, bold=True),
        "token": on_felt("#7fd4ff" if dark else "#005a8c", bold=True),
        "card": Style(color=_INK, bgcolor=_CARD, bold=True),
        "card.red": Style(color=_RED, bgcolor=_CARD, bold=True),
        "card.under": Style(color=_INK, bgcolor=_CARD_UNDER, bold=True),
        "card.under.red": Style(color=_RED, bgcolor=_CARD_UNDER, bold=True),
        "card.edge": Style(color="#868c86", bgcolor=_CARD),
        "card.back": Style(color="#7f93c9", bgcolor="#27408b"),
        "rack": on_felt("#c9cfd6" if dark else "#4c545c"),
        "shoe": on_felt("#c9cfd6" if dark else "#4c545c"),
        "shoe.cards": on_felt("#8aa0e0" if dark else "#27408b"),
        "shoe.gone": on_felt(tones.line),
        "shoe.cut": on_felt("#ffe14d" if dark else "#8a6508", bold=True),
        "sign": Style(color="#1b1b1f", bgcolor="#f2d16b", bold=True),
        "meter": Style(color="#ff6b4a", bgcolor="#1a1010", bold=True),
        "tray": Style(color=tones.text, bgcolor=tones.wood),
        "bar": Style(color=tones.text, bgcolor=tones.wood),
        "bar.faint": Style(color=tones.faint, bgcolor=tones.wood),
        "bar.gold": Style(color=tones.gold, bgcolor=tones.wood, bold=True),
        "bar.lose": Style(color=tones.lose, bgcolor=tones.wood, bold=True),
        "bar.win": Style(color=tones.win, bgcolor=tones.wood, bold=True),
        "key": Style(color="#15181c", bgcolor="#f2d16b", bold=True),
        "key.on": Style(color="#15181c", bgcolor="#ffffff", bold=True),
        "action": Style(color=tones.text, bgcolor="#1c6b4b" if dark else "#9ccbb0"),
        "action.on": Style(color="#15181c", bgcolor="#ffffff", bold=True),
    }
    for name, colours in CHIP_COLOURS.items():
        styles[f"chip.{name}"] = on_felt(colours[0 if dark else 1], bold=True)
        styles[f"tray.{name}"] = Style(color=colours[0 if dark else 1], bgcolor=tones.wood, bold=True)
    styles["chip.100"] = Style(color="#9aa3ad" if dark else "#1b1b1f", bgcolor=tones.felt, bold=True)
    styles["tray.100"] = Style(color="#8d8d95" if dark else "#1b1b1f", bgcolor=tones.wood, bold=True)
    return styles


def _mono() -> dict[str, Style]:
    plain, bold, dim, reverse = Style(), Style(bold=True), Style(dim=True), Style(reverse=True, bold=True)
    styles = dict.fromkeys(_colour(_DARK, dark=True), plain)
    for name in ("text.bold", "mine", "gold", "win", "lose", "even", "turn", "print.bold", "card", "card.red", "token"):
        styles[name] = bold
    for name in ("faint", "line", "card.edge", "shoe.gone", "bar.faint"):
        styles[name] = dim
    for name in ("cursor", "sign", "meter", "key", "key.on", "action.on", "bar.gold", "bar.lose"):
        styles[name] = reverse
    return styles


DARK: Palette = _colour(_DARK, dark=True)
LIGHT: Palette = _colour(_LIGHT, dark=False)
MONO: Palette = _mono()


def palette(*, dark: bool, colour: bool) -> Palette:
    """The palette for a terminal."""
    if not colour:
        return MONO
    return DARK if dark else LIGHT
