"""What stands around the picture of the table: the line at the top, the log, and the bar with prompt, chips and
keys.

Pure like the picture itself: content and a size in, a canvas out, with regions for the mouse.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from pitboss.money import Money, show
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.card_faces import CHIPS
from pitboss.tui.session.player_log import Line, amount_text
from pitboss.tui.session.session import Session

TONES = {"win": "bar.win", "lose": "bar.lose", "even": "bar", "card": "bar", "plain": "bar", "note": "bar.faint"}

TRAY = tuple(sorted(CHIPS))[:-1]
"""The chips a player can pick up, by value."""


class Button(NamedTuple):
    """Something that a key or a click does."""

    key: str
    """The key as Textual names it: `h`, `space`."""
    label: str
    detail: str = ""


KEY_SIGNS = {
    "space": "space",
    "enter": "⏎",
    "backspace": "⌫",
    "left": "←→",
    "up": "↑↓",
    "tab": "tab",
    "question_mark": "?",
    "escape": "esc",
}


def key_sign(key: str) -> str:
    """A key as it is printed on a key cap."""
    return KEY_SIGNS.get(key, key.upper())


# ---------------------------------------------------------------------- the line at the top


def top_line(session: Session, width: int) -> Canvas:
    """Game, round, limits and money, the least important left out where there is no room."""
    canvas = Canvas(width, 1, "bar")
    limits = session.setup.limits
    sign = "-".join(show(amount) for amount in (limits.minimum, limits.maximum) if amount is not None)
    net = session.tally.net
    change = f" ({show(net, sign=True)})" if net else ""
    style = "bar.win" if net > 0 else "bar.lose" if net < 0 else "bar"
    money = f"bankroll {amount_text(session.bankroll)}{change} "
    left = [
        f" {session.rules.name}",
        session.rules.game,
        f"round {session.state.round}",
        f"limits {sign}" if sign else "",
    ]
    while sum(len(part) + 3 for part in left) + len(money) > width and len(left) > 1:
        left.pop(1 if len(left) > 3 else -1)
    canvas.put(0, 0, " ♠" + left[0], "bar.gold")
    canvas.put(len(left[0]) + 2, 0, "".join(f" · {part}" for part in left[1:] if part), "bar")
    canvas.put(width - len(money), 0, money, style)
    return canvas


# ---------------------------------------------------------------------- the log


def log_rows(lines: Sequence[Line], width: int) -> list[tuple[str, str, int]]:
    """The log folded to a width, each line with the clause that decides it: text, style, the place of its line."""
    rows = []
    for index, line in enumerate(lines):
        cited = f" [{line.clauses[0]}]" if line.clauses else ""
        style = TONES[line.tone] if line.mine or line.tone not in ("win", "lose") else "bar"
        for part in textwrap.wrap(line.text + cited.replace(" ", "\xa0").replace("\xa0[", " ["), max(width - 4, 10)):
            rows.append((part.replace("\xa0", " "), style, index))
    return rows


def log_panel(lines: Sequence[Line], width: int, height: int, back: int = 0) -> Canvas:
    """The end of the log, `back` rows before the last; a click on a line opens its clauses."""
    canvas = Canvas(width, height, "bar")
    rows = log_rows(lines[-(height + back) - 40 :], width)
    first = max(0, len(lines) - (height + back) - 40)
    back = max(0, min(back, len(rows) - height))
    shown = rows[max(0, len(rows) - height - back) : len(rows) - back]
    before = -1
    for y, (text, style, index) in enumerate(shown):
        canvas.put(1, y, "·" if index != before else " ", "bar.faint")
        canvas.put(3, y, text, style)
        at = text.rfind("[")
        if at >= 0 and text.endswith("]"):
            canvas.put(3 + at, y, text[at:], "bar.faint")
        canvas.region(0, y, width, 1, "line", str(first + index))
        before = index
    return canvas


# ---------------------------------------------------------------------- the bar


class BarText(NamedTuple):
    """The first row of the bar: a prompt, or a refusal."""

    text: str
    tone: str = "bar.gold"


def draw_bar(
    text: BarText, buttons: Sequence[Button], chosen: int, width: int, height: int, chip: Money | None = None
) -> Canvas:
    """Prompt, chips while bets are placed, and a button for each thing that can be done."""
    canvas = Canvas(width, height, "bar")
    room = width - 2 - _tray_width(chip)
    for y, part in enumerate(fold_prompt(text, width, chip)[: max(1, height - 1)]):
        canvas.put(1, y, part[:room] if y == 0 else part, text.tone)
    if chip is not None:
        _tray(canvas, chip, width - _tray_width(chip))
    _buttons(canvas, buttons, chosen, width, height, 1 if text.text or chip is not None else 0)
    return canvas


def fold_prompt(text: BarText, width: int, chip: Money | None = None) -> list[str]:
    """The prompt folded to the width that the chips leave."""
    return textwrap.wrap(text.text, max(width - 2 - _tray_width(chip), 10)) or [""]


def _tray_width(chip: Money | None) -> int:
    return 0 if chip is None else sum(len(str(value)) + 3 for value in TRAY) + 1


def _tray(canvas: Canvas, chip: Money, x: int) -> None:
    for value in TRAY:
        text = str(value)
        canvas.put(x, 0, " ●", f"tray.{value}")
        canvas.put(x + 2, 0, text, "key" if Money(value) == chip else "bar")
        canvas.region(x, 0, len(text) + 2, 1, "chip", text)
        x += len(text) + 3


def _fold(buttons: Sequence[Button], width: int) -> list[list[tuple[int, Button, str]]]:
    """Buttons in rows, each with the text on it."""
    rows: list[list[tuple[int, Button, str]]] = [[]]
    x = 1
    for index, button in enumerate(buttons):
        text = f" {button.label}{' ' + button.detail if button.detail else ''} "
        wide = len(key_sign(button.key)) + 2 + len(text) + 1
        if x + wide > width and rows[-1]:
            rows.append([])
            x = 1
        rows[-1].append((index, button, text))
        x += wide
    return rows


def rows_of_buttons(buttons: Sequence[Button], width: int) -> int:
    """How many rows the buttons take."""
    return len(_fold(buttons, width))


def _buttons(canvas: Canvas, buttons: Sequence[Button], chosen: int, width: int, height: int, above: int) -> None:
    """The buttons at the foot of the bar, below as many rows as are taken."""
    rows = _fold(buttons, width)
    for y, row in enumerate(rows, height - min(len(rows), max(height - above, 1))):
        x = 1
        for index, button, text in row:
            on = index == chosen
            sign = f" {key_sign(button.key)} "
            canvas.put(x, y, sign, "key.on" if on else "key")
            canvas.put(x + len(sign), y, text, "action.on" if on else "action")
            canvas.region(x, y, len(sign) + len(text), 1, "key", button.key)
            x += len(sign) + len(text) + 1
