"""The sheet on which drills are held: look, answer, hear what was right, go on."""

from __future__ import annotations

from collections.abc import Iterable

from textual import work

from pitboss.errors import PitbossError
from pitboss.rulebooks.model.rules import Rules
from pitboss.tui.felt.palette import Palette
from pitboss.tui.help.drills import Drill, DrillKind, DrillQuestion
from pitboss.tui.screens.modals import ModalSheet, Row, wrap
from pitboss.tui.screens.panels import key_sign
from pitboss.tui.session.robots import Advisor

LONGEST_ANSWER = 8


class DrillScreen(ModalSheet[None]):
    """One drill after another about a table."""

    def __init__(self, rules: Rules, advisor: Advisor, seed: str, kind: DrillKind, palette: Palette) -> None:
        super().__init__(palette)
        self.drills = {each: Drill(each, rules, advisor, seed) for each in DrillKind}
        self.kind = kind
        self.question: DrillQuestion | None = None
        self.step = 0
        """How many of the things to look at were turned over."""
        self.typed = ""
        self.verdict = ""

    @property
    def drill(self) -> Drill:
        """The drill that is held."""
        return self.drills[self.kind]

    def on_mount(self) -> None:
        """Ask the first question."""
        super().on_mount()
        self.ask()

    def ask(self) -> None:
        """Ask the next question."""
        self.title_text = f"drill: {self.kind}, {self.drill.rules.name}"
        self.question, self.step, self.typed, self.verdict = None, 0, "", ""
        self.find_question(self.drill)

    @work(thread=True, exclusive=True)
    def find_question(self, drill: Drill) -> None:
        """Deal until there is something to ask, away from the screen."""
        try:
            found: DrillQuestion | str = drill.ask()
        except PitbossError as error:
            found = str(error)
        self.app.call_from_thread(self.show_question, drill, found)

    def show_question(self, drill: Drill, found: DrillQuestion | str) -> None:
        """The question is there, or why there is none."""
        if drill is not self.drill or not self.is_attached:
            return
        if isinstance(found, str):
            self.verdict = f"{found[:1].upper()}{found[1:]}."
        else:
            self.question = found
        self.repaint()

    @property
    def is_shown(self) -> bool:
        """Everything there is to look at was turned over; cards to be counted are shown one group at a time."""
        counting = self.kind is DrillKind.COUNTING
        return self.question is not None and (not counting or self.step >= len(self.question.shown))

    def rows(self, width: int) -> Iterable[Row]:
        """What there is to look at, the question, the answer and the verdict."""
        self.keys = self._name_keys()
        if self.question is None:
            return wrap(self.verdict or "Shuffling...", width, "bar")
        found: list[Row] = []
        if self.is_shown or self.verdict:
            if self.kind is not DrillKind.COUNTING or self.verdict:
                found += [row for text in self.question.shown for row in wrap(text, width, "bar.gold")]
            found += wrap(self.question.asks, width, "bar")
        else:
            shown = self.question.shown[self.step]
            found += [(f"cards {self.step + 1} of {len(self.question.shown)}", "bar.faint"), (shown, "bar.gold")]
        if self.is_shown and not self.verdict:
            answers = "   ".join(f"{key_sign(key)} {name}" for key, name in self.question.answers)
            found += wrap(answers, width, "bar") if answers else [(f"> {self.typed}█", "bar.gold")]
        if self.verdict:
            style = "bar.win" if self.verdict.startswith("Right") else "bar.lose"
            found += [("", "bar"), *wrap(self.verdict, width, style)]
        return found

    def _name_keys(self) -> str:
        go_on = "⏎ next   " if self.verdict or not self.is_shown else "" if self._has_keys else "⏎ answers   "
        return f"{go_on}tab another drill   esc closes"

    @property
    def _has_keys(self) -> bool:
        return self.question is not None and bool(self.question.answers)

    def press(self, key: str) -> bool:
        """Turn over, answer, go on; tab changes the drill."""
        if key == "tab":
            kinds = list(DrillKind)
            self.kind = kinds[(kinds.index(self.kind) + 1) % len(kinds)]
            self.ask()
        elif key in ("enter", "space") and (self.verdict or not self.is_shown):
            self._go_on()
        elif self.is_shown and not self.verdict and self.question is not None:
            self._press_answer(self.question, key)
        return True

    def _go_on(self) -> None:
        if self.verdict:
            self.ask()
        elif self.question is not None:
            self.step += 1

    def _press_answer(self, question: DrillQuestion, key: str) -> None:
        if question.answers:
            if key in dict(question.answers):
                self.verdict = self.drill.answer(question, key)
            return
        char = {"full_stop": ".", "comma": ".", "minus": "-", "plus": "+"}.get(key, key)
        if key == "enter" and self.typed:
            self.verdict = self.drill.answer(question, self.typed)
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif len(char) == 1 and char in "0123456789.+-" and len(self.typed) < LONGEST_ANSWER:
            self.typed += char
