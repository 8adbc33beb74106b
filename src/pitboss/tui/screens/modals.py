"""The sheets that lie over the table for a moment: clauses, advice, amounts, the cut, the last round, keys, the
summary.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TypeVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.screen import ModalScreen

from pitboss.errors import PitbossError
from pitboss.money import Money, parse_money, show
from pitboss.rulebooks.registers import CLAUSE_LISTS, find, load_register
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.draw import draw_table
from pitboss.tui.felt.palette import Palette
from pitboss.tui.felt.scene import scene_of
from pitboss.tui.felt.widgets import Picture
from pitboss.tui.help.advice_sheet import AdviceSheet, make_advice_sheet, summary_lines
from pitboss.tui.screens.panels import key_sign
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask
from pitboss.tui.session.session import Session, list_moments
from pitboss.tui.session.shoe_steps import CutQuestion

T = TypeVar("T")

Row = tuple[str, str]
"""Text and style of a row on a sheet."""


class ModalSheet(ModalScreen[T]):
    """A framed sheet of rows over the table."""

    DEFAULT_CSS = """
    Sheet { align: center middle; background: $background 40%; }
    Sheet > Picture { width: 90%; max-width: 84; height: 80%; max-height: 30; }
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
            width = min(84, self.app.size.width * 9 // 10) - 4
            rows = len(list(self.rows(width))) + 3
            self.query_one(Picture).styles.height = max(6, min(rows, self.app.size.height - 4))

    def repaint(self) -> None:
        """The content has changed."""
        self.fit()
        self.query_one(Picture).repaint()

    def close(self) -> None:
        """Put the sheet away without an answer."""
        self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Escape closes; the arrows move; the rest is the sheet's own."""
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.close()
        elif not self.press(event.key):
            if event.key in ("down", "pagedown"):
                self.offset_rows += 1 if event.key == "down" else 8
            elif event.key in ("up", "pageup"):
                self.offset_rows -= 1 if event.key == "up" else 8
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


# ---------------------------------------------------------------------- clauses


def clause_rows(book: str, clause: str, width: int) -> list[Row]:
    """What the register says of a clause."""
    if book not in CLAUSE_LISTS:
        return [(f"{clause}: the register of this book is not part of the program", "bar.faint")]
    found = find(load_register(book), clause)
    rows: list[Row] = []
    for entry in found[:6]:
        rows += wrap(f"{entry.clause}  ({entry.kind})", width, "bar.gold")
        rows += wrap(entry.summary, width, "bar", "  ")
        if entry.note:
            rows += wrap(entry.note, width, "bar.faint", "  ")
    return rows or [(f"{clause}: not in the register", "bar.faint")]


class ClauseScreen(ModalSheet[None]):
    """A line of the log and what its clauses say."""

    title_text = "clauses"
    keys = "← → earlier and later lines   ↑ ↓ move   esc closes"

    def __init__(self, session: Session, palette: Palette, index: int | None = None) -> None:
        super().__init__(palette)
        self.session = session
        with_clauses = [at for at, line in enumerate(session.lines) if line.clauses]
        self.places = with_clauses or [-1]
        near = [at for at, place in enumerate(self.places) if index is None or place <= index]
        self.at = near[-1] if near else 0

    def rows(self, width: int) -> Iterable[Row]:
        """The line, then its clauses."""
        place = self.places[self.at]
        if place < 0:
            return [("No clause has come up yet.", "bar")]
        line = self.session.lines[place]
        found = [*wrap(line.text, width, "bar.gold"), ("", "bar")]
        for clause in line.clauses:
            found += clause_rows(self.session.rules.book, clause, width)
        return found

    def press(self, key: str) -> bool:
        """Left and right go through the log; the key that opened the sheet closes it."""
        if key in ("left", "right"):
            self.at = max(0, min(len(self.places) - 1, self.at + (1 if key == "right" else -1)))
            self.offset_rows = 0
            return True
        if key == "c":
            self.close()
        return key == "c"


# ---------------------------------------------------------------------- advice


class HelpScreen(ModalSheet[None]):
    """The exact expectation of every choice for the cards that are left, and what the last decision cost."""

    title_text = "what is it worth?"

    def __init__(self, live: LiveSession, ask: Ask | None, palette: Palette) -> None:
        super().__init__(palette)
        self.live = live
        self.ask = ask
        self.advice: AdviceSheet | None = None

    def on_mount(self) -> None:
        """Work it out in the background."""
        super().on_mount()
        self.work_out()

    @work(thread=True)
    def work_out(self) -> None:
        """Ask the advisor, away from the screen."""
        advice = make_advice_sheet(self.live, self.ask)
        self.app.call_from_thread(self.show_advice, advice)

    def show_advice(self, advice: AdviceSheet) -> None:
        """The answer is there."""
        self.advice = advice
        if self.is_attached:
            self.repaint()

    def rows(self, width: int) -> Iterable[Row]:
        """The choices, best first, as numbers and as bars."""
        if self.advice is None:
            return [
                ("Working it out. The very first time this takes up to half a minute.", "bar.faint"),
                ("You can close this sheet and keep playing.", "bar.faint"),
            ]
        return self.advice.rows(width)

    def press(self, key: str) -> bool:
        """The key that opened the sheet closes it."""
        if key == "question_mark":
            self.close()
        return key == "question_mark"


# ---------------------------------------------------------------------- amounts and the cut


class AmountScreen(ModalSheet[Money]):
    """Asks for an amount of money."""

    DEFAULT_CSS = "AmountScreen > Picture { height: 7; max-width: 60; }"
    keys = "⏎ accepts   esc closes"

    def __init__(self, question: str, most: Money, palette: Palette) -> None:
        super().__init__(palette)
        self.title_text = question
        self.most = most
        self.typed = ""
        self.fault = ""

    def rows(self, width: int) -> Iterable[Row]:
        """The limit, what is typed, what is wrong with it."""
        return [(f"up to {show(self.most)}", "bar.faint"), (f"> {self.typed}█", "bar.gold"), (self.fault, "bar.lose")]

    def press(self, key: str) -> bool:
        """Digits and a point, and the keys that correct and accept."""
        char = {"full_stop": ".", "comma": "."}.get(key, key)
        if len(char) == 1 and char in "0123456789." and len(self.typed) < 10:
            self.typed += char
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            self.accept()
        else:
            return False
        return True

    def accept(self) -> None:
        """Answer with the amount if it is one."""
        try:
            amount = parse_money(self.typed or "0")
        except PitbossError as error:
            self.fault = str(error)
            return
        if not Money(0) < amount <= self.most:
            self.fault = f"more than 0 and up to {show(self.most)}"
            return
        self.dismiss(amount)


class CutScreen(ModalSheet[int]):
    """Asks the player where to cut."""

    DEFAULT_CSS = "CutScreen > Picture { height: 9; max-width: 70; }"
    title_text = "cut the cards"
    keys = "← → move the cut card   ⏎ cuts   n declines"

    def __init__(self, question: CutQuestion, palette: Palette) -> None:
        super().__init__(palette)
        self.question = question
        self.at = (question.least + question.most) // 2

    def rows(self, width: int) -> Iterable[Row]:
        """The stack from the side with the cut card in it."""
        room = max(10, width - 2)
        place = self.at * room // max(1, self.question.cards)
        stack = "".join("┃" if x == place else "▒" for x in range(room))
        return [
            (f"The cut card goes in {self.at} cards from the front of {self.question.cards}.", "bar"),
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


# ---------------------------------------------------------------------- the last round, step by step


class StepScreen(ModalSheet[None]):
    """The last settled round, forwards and backwards."""

    DEFAULT_CSS = "StepScreen > Picture { width: 100%; max-width: 300; height: 100%; max-height: 200; }"
    grows = False

    def __init__(self, session: Session, palette: Palette, *, mono: bool) -> None:
        super().__init__(palette)
        settled = session.round if session.state.phase == "settled" else session.last
        assert settled is not None
        self.me = session.me
        self.mono = mono
        self.moments = list_moments(settled, session.me)
        self.at = len(self.moments) - 1
        self.number = settled.opened.round

    def paint(self, width: int, height: int) -> Canvas:
        """The table at one moment, what happened then, and where in the round it is."""
        state, said = self.moments[self.at]
        foot = 4
        canvas = draw_table(scene_of(state, self.me), width, height - foot, mono=self.mono)
        whole = Canvas(width, height, "bar")
        whole.paste(canvas, 0, 0)
        text = "  ".join(line.text for line in said) or "Betting opens."
        clauses = ", ".join(dict.fromkeys(clause for line in said for clause in line.clauses))
        for y, row in enumerate(textwrap.wrap(text, width - 2)[:2]):
            whole.put(1, height - foot + y, row, "bar.gold")
        whole.put(1, height - 2, f"[{clauses}]"[: width - 2] if clauses else "", "bar.faint")
        where = f"round {self.number}, step {self.at + 1} of {len(self.moments)}   ← → step   home end   esc closes"
        whole.put(1, height - 1, where[: width - 2], "bar.faint")
        return whole

    def press(self, key: str) -> bool:
        """Back and forth."""
        last = len(self.moments) - 1
        places = {"left": self.at - 1, "right": self.at + 1, "home": 0, "end": last, "space": self.at + 1}
        if key in places:
            self.at = max(0, min(last, places[key]))
        elif key == "v":
            self.close()
        else:
            return False
        return True


# ---------------------------------------------------------------------- keys and the summary

KEYS_HELP = (
    ("h s d p", "hit, stand, double, split"),
    ("r i e w", "surrender, insure, even money, switch"),
    ("t a b", "take a double back, leave the hand to the dealer, press the button"),
    ("f", "double or insure for less"),
    ("y n", "follow the controlling player, or not"),
    ("space", "deal, continue, next round"),
    ("← → ⏎", "choose among the buttons and press one"),
    ("← →", "while betting: choose a box"),
    ("↑ ↓ ⏎ ⌫", "while betting: choose a chip, put it down, take a wager off"),
    ("tab m n", "while betting: choose main or side wager, type an amount, bet as before"),
    ("o u", "while betting: sit the round out, ask to see the burnt card"),
    ("?", "what every choice is worth given the cards left"),
    ("c", "the clauses behind a line of the log, summarised"),
    ("v", "step through the last round"),
    ("pgup pgdn", "move the log"),
    ("q", "leave: the session is saved and --resume picks it up again"),
)


class KeysScreen(ModalSheet[None]):
    """What the keys do."""

    title_text = "keys"

    def rows(self, width: int) -> Iterable[Row]:
        """A row for each key."""
        return [(f"{keys:<11}{text}", "bar") for keys, text in KEYS_HELP]

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
