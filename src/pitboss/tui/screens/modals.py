"""The sheets that lie over the table for a moment: what they have in common, amounts, the cut, keys, the summary."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.screen import ModalScreen

from pitboss.money import Money, parse_money, show
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.palette import Palette
from pitboss.tui.felt.widgets import Picture
from pitboss.tui.help.advice_sheet import summary_lines
from pitboss.tui.screens.panels import key_sign
from pitboss.tui.screens.typed_keys import INTERRUPT, read_key
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.shoe_steps import CutQuestion

T = TypeVar("T")

AMOUNT = re.compile(r"(?:0|[1-9]\d{0,6})?(?:\.\d{0,2})?")
"""What can be typed on the way to an amount of money."""

Row = tuple[str, str]
"""Text and style of a row on a sheet."""

WIDEST = 84
"""Columns of a sheet where the window has more."""
HOW_TO_CLOSE = "esc closes this sheet; Q at the table leaves"


class ModalSheet(ModalScreen[T]):
    """A framed sheet of rows over the table."""

    DEFAULT_CSS = """
    ModalSheet { align: center middle; background: $background 40%; }
    ModalSheet > Picture { width: 92%; max-width: 84; }
    """
    title_text = ""
    keys = "esc closes"
    grows = True
    """The sheet is as high as its content."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._bindings = BindingsMap()
        self.sheet_palette = palette
        self.offset_rows = 0

    def compose(self) -> ComposeResult:
        """One picture."""
        yield Picture(self.paint, lambda: self.sheet_palette)

    def rows(self, width: int) -> Iterable[Row]:
        """What stands on the sheet; nothing on a bare one."""
        return ()

    def paint(self, width: int, height: int) -> Canvas:
        """The frame, as many rows as fit, and the keys at the bottom."""
        canvas = Canvas(width, height, "bar")
        canvas.frame(0, 0, width, height, "bar.faint", self.title_text[: max(0, width - 6)])
        rows = list(self.rows(width - 4))
        room = height - 3
        self.offset_rows = max(0, min(self.offset_rows, len(rows) - room))
        for y, (text, style) in enumerate(rows[self.offset_rows : self.offset_rows + room], 1):
            canvas.put(2, y, text[: width - 4], style)
        more = "↓ more  " if len(rows) - self.offset_rows > room else ""
        canvas.put(2, height - 2, f"{more}{self.keys}"[: width - 4], "bar.faint")
        canvas.region(0, height - 2, width, 1, "close", "")
        return canvas

    def on_mount(self) -> None:
        """Take the size that the content asks for."""
        self.fit()

    def on_resize(self) -> None:
        """The window has changed."""
        self.fit()

    def fit(self) -> None:
        """As many rows as there is content, as far as the window goes."""
        if self.grows:
            rows = len(list(self.rows(self.sheet_width - 4))) + 3
            for picture in self.query(Picture):
                picture.styles.height = max(6, min(rows, self.app.size.height - 2))

    @property
    def sheet_width(self) -> int:
        """The columns of the sheet, its frame included."""
        return min(WIDEST, self.app.size.width * 92 // 100)

    def repaint(self) -> None:
        """The content has changed; it may do so while the sheet is put away."""
        self.fit()
        for picture in self.query(Picture):
            picture.repaint()

    def close(self) -> None:
        """Put the sheet away without an answer."""
        self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Escape closes; the arrows move; the rest is the sheet's own."""
        key = read_key(event)
        if key == "escape":
            self.close()
        elif key == INTERRUPT:
            self.keys = HOW_TO_CLOSE
        elif not self.press(key):
            if key in ("down", "pagedown"):
                self.offset_rows += 1 if key == "down" else 8
            elif key in ("up", "pageup"):
                self.offset_rows -= 1 if key == "up" else 8
        if self.is_attached and self.is_current:
            self.repaint()

    def press(self, key: str) -> bool:
        """A key of the sheet's own; True if it was one."""
        return False

    def on_picture_clicked(self, message: Picture.Clicked) -> None:
        """A click on the foot of the sheet closes it."""
        if message.kind == "close":
            self.close()

    def on_picture_wheel(self, message: Picture.Wheel) -> None:
        """The wheel moves the rows."""
        self.offset_rows += message.rows
        self.repaint()


def wrap(text: str, width: int, style: str, indent: str = "") -> list[Row]:
    """A paragraph as rows."""
    return [(row, style) for row in textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)] or [
        ("", style)
    ]


# ---------------------------------------------------------------------- amounts and the cut


class AllowedAmounts(NamedTuple):
    """What an amount may be, for the player to read and for the sheet to check."""

    most: Money
    """What the sign and the player's money leave room for."""
    says: str
    """The limits in words."""
    chip: Money | None = None
    """The smallest chip: an amount is a multiple of it."""


Refuses = Callable[[Money], str]
"""Why the table would not take an amount; nothing if it would."""


class AmountScreen(ModalSheet[Money]):
    """Asks for an amount of money, and takes only what the table would."""

    DEFAULT_CSS = "AmountScreen > Picture { max-width: 60; }"
    keys = "⏎ accepts   esc closes"

    def __init__(self, question: str, allowed: AllowedAmounts, refuses: Refuses, palette: Palette) -> None:
        super().__init__(palette)
        self.title_text = question
        self.allowed = allowed
        self.refuses = refuses
        self.typed = ""
        self.fault = ""

    @property
    def sheet_width(self) -> int:
        """An amount takes little room."""
        return min(60, super().sheet_width)

    def rows(self, width: int) -> Iterable[Row]:
        """The limits, what is typed, what is wrong with it."""
        return [
            *wrap(self.allowed.says, width, "bar.faint"),
            (f"> {self.typed}█", "bar.gold"),
            *wrap(self.fault, width, "bar.lose"),
        ]

    def press(self, key: str) -> bool:
        """Digits and a point, as far as they make an amount, and the keys that correct and accept."""
        char = {"full_stop": ".", "comma": "."}.get(key, key)
        if len(char) == 1 and char in "0123456789.":
            if AMOUNT.fullmatch(self.typed + char):
                self.typed += char
                self.fault = ""
        elif key == "backspace":
            self.typed = self.typed[:-1]
            self.fault = ""
        elif key == "enter":
            self.accept()
        else:
            return False
        return True

    def accept(self) -> None:
        """Answer with the amount if the table would take it."""
        if self.typed.strip(".0") == "":
            self.fault = "Type an amount above 0."
            return
        amount = parse_money(self.typed.removesuffix("."))
        self.fault = self._find_fault(amount)
        if not self.fault:
            self.dismiss(amount)

    def _find_fault(self, amount: Money) -> str:
        chip = self.allowed.chip
        if amount > self.allowed.most:
            return f"{show(amount)} is too much: {show(self.allowed.most)} is the most."
        if chip is not None and amount % chip:
            return f"{show(amount)} cannot be staked: the smallest chip is {show(chip)}."
        return self.refuses(amount)


class CutScreen(ModalSheet[int]):
    """Asks the player where to cut."""

    DEFAULT_CSS = "CutScreen > Picture { max-width: 70; }"
    title_text = "cut the cards"
    keys = "← → move the cut card   ⏎ cuts   N declines"

    def __init__(self, question: CutQuestion, palette: Palette) -> None:
        super().__init__(palette)
        self.question = question
        self.at = (question.least + question.most) // 2

    @property
    def sheet_width(self) -> int:
        """As wide as the stack is drawn."""
        return min(70, super().sheet_width)

    def rows(self, width: int) -> Iterable[Row]:
        """The stack from the side with the cut card in it."""
        room = max(10, width - 2)
        place = self.at * room // max(1, self.question.cards)
        stack = "".join("┃" if x == place else "▒" for x in range(room))
        return [
            *wrap(f"The cut card goes in {self.at} cards from the front of {self.question.cards}.", width, "bar"),
            ("", "bar"),
            (stack, "bar.gold"),
            (stack, "bar.gold"),
            (f"between {self.question.least} and {self.question.most}", "bar.faint"),
        ]

    def press(self, key: str) -> bool:
        """Move, cut, decline."""
        steps = {"left": -1, "right": 1, "up": 13, "down": -13, "pageup": 52, "pagedown": -52}
        if key in steps:
            self.at = max(
                self.question.least, min(self.question.most, self.at + steps[key] * (4 if len(key) > 4 else 1))
            )
        elif key in ("enter", "space"):
            self.dismiss(self.at)
        elif key == "n":
            self.close()
        else:
            return False
        return True


# ---------------------------------------------------------------------- keys and the summary

KEYS_HELP = (
    ("H S D P", "hit, stand, double, split"),
    ("R I E W", "surrender, insure, even money, switch"),
    ("T A F", "take back, dealer plays, for less"),
    ("Y N B", "join in or not, jackpot button"),
    ("space", "deal, continue, next round"),
    ("← → ⏎", "choose a button and press it"),
    ("← → ↑ ↓", "betting: choose a box, a chip"),
    ("⏎ ⌫ M", "betting: chip down, wager off, amount"),
    ("tab N O", "betting: side wager, same again, sit out"),
    ("U B", "betting: see the burnt card, buy in again"),
    ("? G J", "worth of choices, trainer, drills"),
    ("X V", "review of the round, step through it"),
    ("C Z", "clauses, the shoe and its seal"),
    ("pgup pgdn", "move the log"),
    ("Q", "leave: the session is saved"),
)


class KeysScreen(ModalSheet[None]):
    """What the keys do."""

    title_text = "keys"

    def rows(self, width: int) -> Iterable[Row]:
        """A row for each group of keys."""
        return [(f"{keys:<10}{text}", "bar") for keys, text in KEYS_HELP]

    def press(self, key: str) -> bool:
        """The key that opened the sheet closes it."""
        if key == "k":
            self.close()
        return key == "k"


class SummaryScreen(ModalSheet[bool]):
    """What the session came to, before leaving."""

    title_text = "so far"
    keys = f"{key_sign('enter')} leaves   esc stays"

    def __init__(self, live: LiveSession, palette: Palette) -> None:
        super().__init__(palette)
        self.live = live

    def on_mount(self) -> None:
        """Figures may still come in."""
        super().on_mount()
        self.set_interval(1, self.repaint)

    def rows(self, width: int) -> Iterable[Row]:
        """The figures."""
        return [row for text in summary_lines(self.live) for row in wrap(text, width, "bar")]

    def press(self, key: str) -> bool:
        """Leave."""
        if key in ("enter", "q"):
            self.dismiss(True)
        return key in ("enter", "q")
