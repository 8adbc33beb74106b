"""Pictures of counting as inline SVG: columns up and down from a line, and lines over a share of the shoe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 240, 60, 40, 16
GOOD, BAD, LINE = "var(--player)", "var(--house)", "var(--quiet)"
PALETTE = ("#1f77b4", "#b3541e", "#1d7a5a", "#8c564b", "#9467bd", "#d62728", "#7f7f7f", "#bcbd22", "#17becf", "#e377c2")


class Column(NamedTuple):
    """One column of a picture."""

    name: str
    value: float
    error: float = 0.0
    weight: float = 1.0
    """How wide it is, as a share of the room it has."""


def columns_picture(columns: Sequence[Column], title: str, unit: str = "%") -> str:
    """Columns above and below a line, each with its error."""
    if not columns:
        return ""
    low = min(0.0, *(column.value - column.error for column in columns))
    high = max(0.0, *(column.value + column.error for column in columns))
    scale = (HEIGHT - BOTTOM - TOP) / ((high - low) or 1.0)
    room = (WIDTH - LEFT) / len(columns)

    def at(value: float) -> float:
        return TOP + (high - value) * scale

    parts = [_text(4, at(edge) + 4, f"{edge:+.3g} {unit}") for edge in (low, high) if edge]
    parts.append(_text(4, at(0) + 4, "0"))
    for place, column in enumerate(columns):
        middle, width = LEFT + room * (place + 0.5), room * (0.15 + 0.7 * column.weight)
        top, height = at(max(column.value, 0.0)), abs(column.value) * scale
        colour = GOOD if column.value > 0 else BAD
        parts.append(
            f'<rect x="{middle - width / 2:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{colour}">'
            f"<title>{escape(f'{column.name}: {column.value:+.4f} {unit}')}</title></rect>"
        )
        if column.error:
            ends = at(column.value + column.error), at(column.value - column.error)
            parts.append(_line(middle, ends[0], middle, ends[1]))
        parts.append(_text(middle, HEIGHT - BOTTOM + 18, column.name, "middle"))
    parts.append(_line(LEFT, at(0), WIDTH, at(0)))
    return _picture(parts, title)


def lines_picture(lines: Mapping[str, Mapping[float, float]], title: str, across: str) -> str:
    """Lines over shares of the shoe, each named at its end."""
    points = [(x, y) for line in lines.values() for x, y in line.items()]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    high = max(y for _, y in points) or 1.0
    room = WIDTH - LEFT - 150

    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + room * (x - left) / ((right - left) or 1.0), TOP + (HEIGHT - BOTTOM - TOP) * (1 - y / high)

    parts = [_text(4, TOP + 8, f"{high:.3g}"), _text(4, HEIGHT - BOTTOM + 4, "0")]
    for number, (name, line) in enumerate(lines.items()):
        colour = PALETTE[number % len(PALETTE)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in sorted(line.items())))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        height = TOP + 14 * number + 8
        parts.append(f'<rect x="{WIDTH - 140}" y="{height - 8}" width="9" height="9" fill="{colour}"/>')
        parts.append(_text(WIDTH - 126, height, name))
    for x in sorted({x for x, _ in points}):
        parts.append(_text(place(x, 0)[0], HEIGHT - BOTTOM + 18, f"{100 * x:.0f} %", "middle"))
    parts.append(_text(LEFT, HEIGHT - 4, across))
    parts.append(_line(LEFT, HEIGHT - BOTTOM, LEFT + room, HEIGHT - BOTTOM))
    return _picture(parts, title)


def _picture(parts: Sequence[str], title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="{escape(title)}" '
        f'style="max-width:100%;height:auto"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="11" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{LINE}"/>'
