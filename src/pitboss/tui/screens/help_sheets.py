"""The sheets that explain: the clauses of a line, what choices are worth, the last round step by step, the shoe."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from textual import work

from pitboss.rulebooks.registers import CLAUSE_LISTS, find, load_register
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.draw import draw_table
from pitboss.tui.felt.palette import Palette
from pitboss.tui.felt.scene import scene_of
from pitboss.tui.help.advice_sheet import AdviceSheet, make_advice_sheet
from pitboss.tui.help.review import TrainerWarning, find_settled_round, review_lines
from pitboss.tui.help.shoe_sheet import shoe_lines
from pitboss.tui.screens.modals import ModalSheet, Row, wrap
from pitboss.tui.screens.panels import key_sign
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask
from pitboss.tui.session.session import Session, list_moments

SEAL_DIGITS = 64


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
    """A line of the log, the clause that decides it, and below it what else is cited."""

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
        found += clause_rows(self.session.rules.book, line.clauses[0], width)
        if line.clauses[1:]:
            found += [("", "bar"), ("Cited as well:", "bar.faint")]
        for clause in line.clauses[1:]:
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


# ---------------------------------------------------------------------- the last round, step by step


class StepScreen(ModalSheet[None]):
    """The last settled round, forwards and backwards."""

    DEFAULT_CSS = "StepScreen > Picture { width: 100%; max-width: 300; height: 100%; max-height: 200; }"
    grows = False

    def __init__(self, session: Session, palette: Palette, *, mono: bool) -> None:
        super().__init__(palette)
        settled = find_settled_round(session)
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
        clauses = ", ".join(dict.fromkeys(line.clauses[0] for line in said if line.clauses))
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


# ---------------------------------------------------------------------- the shoe


class ShoeScreen(ModalSheet[bool]):
    """The shoe and its whole seal; answers True where the shoe is to be put away."""

    title_text = "the shoe"
    keys = "P puts the shoe away   ↑ ↓ move   esc closes"

    def __init__(self, live: LiveSession, palette: Palette) -> None:
        super().__init__(palette)
        self.live = live

    def rows(self, width: int) -> Iterable[Row]:
        """What a player may know of it; seals are never shortened."""
        found: list[Row] = []
        for text in shoe_lines(self.live):
            seal = len(text) == SEAL_DIGITS and " " not in text
            found += wrap(text, width, "bar.gold" if seal else "bar")
        return found

    def press(self, key: str) -> bool:
        """Put the shoe away; the key that opened the sheet closes it."""
        if key == "p":
            self.dismiss(True)
        elif key == "z":
            self.close()
        return key in ("p", "z")


# ---------------------------------------------------------------------- review and trainer


class ReviewScreen(ModalSheet[None]):
    """Every decision of the last round and what it was worth."""

    title_text = "review of the last round"
    keys = "↑ ↓ move   esc closes"

    def __init__(self, live: LiveSession, palette: Palette) -> None:
        super().__init__(palette)
        self.live = live
        self.lines: list[str] | None = None

    def on_mount(self) -> None:
        """Work it out in the background."""
        super().on_mount()
        self.work_out()

    @work(thread=True)
    def work_out(self) -> None:
        """Ask the advisor, away from the screen."""
        self.app.call_from_thread(self.show_review, review_lines(self.live, None))

    def show_review(self, lines: list[str]) -> None:
        """The answer is there."""
        self.lines = lines
        if self.is_attached:
            self.repaint()

    def rows(self, width: int) -> Iterable[Row]:
        """The sum, then a paragraph for each decision."""
        if self.lines is None:
            return [("Working it out. The very first time this takes up to half a minute.", "bar.faint")]
        found: list[Row] = wrap(self.lines[0], width, "bar.gold")
        for line in self.lines[1:]:
            if line.startswith("  "):
                found.append((line, "bar.lose" if "cost" in line else "bar.win" if "best" in line else "bar"))
            else:
                found += [("", "bar"), *wrap(line, width, "bar")]
        return found

    def press(self, key: str) -> bool:
        """The key that opened the sheet closes it."""
        if key == "x":
            self.close()
        return key == "x"


class TrainerScreen(ModalSheet[bool]):
    """Asks before a mistake; answers True where the player wants to make it anyway."""

    title_text = "the trainer asks: are you sure?"

    def __init__(self, warning: TrainerWarning, key: str, palette: Palette) -> None:
        super().__init__(palette)
        self.warning = warning
        self.key = key
        self.keys = f"⏎ think again   {key_sign(key)} do it anyway"

    def rows(self, width: int) -> Iterable[Row]:
        """The hand, the choice, and the better one."""
        return [
            *wrap(self.warning.about, width, "bar.gold"),
            *wrap(self.warning.chosen, width, "bar.lose"),
            *wrap(self.warning.better, width, "bar.win"),
        ]

    def press(self, key: str) -> bool:
        """Enter takes the choice back; its own key once more makes it."""
        if key == self.key:
            self.dismiss(True)
        elif key == "enter":
            self.close()
        return key in (self.key, "enter")
