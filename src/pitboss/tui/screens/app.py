"""The Textual application: a lobby to choose a game in, and the table.

Everything of the world is handed in: how a game is opened (`Opener`), the session to begin with if one was asked for,
and what is to be ended when the player leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.theme import Theme

from pitboss.errors import PitbossError
from pitboss.rulebooks.model.rules import Rules
from pitboss.tui.felt.palette import Palette, palette
from pitboss.tui.help.drills import DrillKind
from pitboss.tui.help.worth import price_offered_side
from pitboss.tui.screens.drill_sheet import DrillScreen
from pitboss.tui.screens.game_notes import Books
from pitboss.tui.screens.lobby import EdgeOf, LeftSession, LobbyScreen, OfferedTable, SideEdgeOf
from pitboss.tui.screens.table_screen import TableScreen
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.robots import Advisor, NoAdvisor

Opener = Callable[[OfferedTable], LiveSession]
"""Sits the player down at a table of their choice."""

TERMINAL_SECONDS = 1.0
"""How often it is checked that the terminal is still there."""

_DARK = Theme(name="felt-dark", primary="#3f8a66", background="#0a1f17", surface="#20130c", dark=True)
_LIGHT = Theme(name="felt-light", primary="#5f9c78", background="#f4f1e8", surface="#e9dcc6", dark=False)


class PlayApp(App[None]):
    """The terminal table."""

    TITLE = "pitboss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        live: LiveSession | None,
        open_table: Opener,
        edge_of: EdgeOf,
        side_edge_of: SideEdgeOf = price_offered_side,
        *,
        left: LeftSession | None = None,
        resume: Callable[[], LiveSession] | None = None,
        books: Books = (),
        leaving: Callable[[], None] = lambda: None,
        has_terminal: Callable[[], bool] = lambda: True,
        light: bool = False,
        pace: float = 0.12,
        colour: bool = True,
        trainer: bool = False,
        advisor: Advisor | None = None,
        seed: str = "",
        drill: tuple[Rules, DrillKind] | None = None,
    ) -> None:
        super().__init__(ansi_color=None if colour else True)
        self.register_theme(_DARK)
        self.register_theme(_LIGHT)
        self.theme = "felt-light" if light else "felt-dark"
        self.live = live
        self.open_table = open_table
        self.edge_of = edge_of
        self.side_edge_of = side_edge_of
        self.left = left
        self.resume = resume
        self.books = books
        self.leaving = leaving
        self.has_terminal = has_terminal
        self.pace = pace
        self.trainer = trainer
        self.advisor = advisor or NoAdvisor()
        self.seed = seed
        """What drills are drawn from."""
        self.drill = drill

    @property
    def felt_palette(self) -> Palette:
        """How the styles of the pictures look here."""
        return palette(dark=self.current_theme.dark, colour=not self.no_color)

    def exit(self, *args: Any, **settings: Any) -> None:
        """Leave at once: threads that wait for an answer are released first."""
        self.leaving()
        super().exit(*args, **settings)

    def on_mount(self) -> None:
        """To the drill or the table that was asked for, or to the lobby."""
        self.set_interval(TERMINAL_SECONDS, self.check_terminal)
        if self.drill is not None:
            self.push_screen(self.make_drill(*self.drill), lambda _: self.exit())
        elif self.live is not None:
            self.push_screen(TableScreen(self.live, pace=self.pace, trainer=self.trainer))
        else:
            self.enter_lobby()

    def check_terminal(self) -> None:
        """Leave if the terminal is gone: nobody sees the table any more, and there is nothing to read."""
        if not self.has_terminal():
            self.exit()

    def make_drill(self, rules: Rules, kind: DrillKind = DrillKind.HANDS) -> DrillScreen:
        """The sheet for a drill at a table."""
        advisor = self.live.advisor if self.live is not None else self.advisor
        return DrillScreen(rules, advisor, self.seed, kind, self.felt_palette)

    def enter_lobby(self, complaint: str = "") -> None:
        """Choose a table; a complaint is about the last choice."""
        lobby = LobbyScreen(
            self.felt_palette,
            self.edge_of,
            self.side_edge_of,
            books=self.books,
            left=self.left,
            complaint=complaint,
            make_drill=self.make_drill,
        )
        self.push_screen(lobby, self.sit_down)

    def sit_down(self, chosen: OfferedTable | LeftSession | None) -> None:
        """A game was chosen in the lobby, or the session that was left; or none."""
        if chosen is None:
            self.exit()
            return
        try:
            if isinstance(chosen, LeftSession):
                assert self.resume is not None
                self.live = self.resume()
            else:
                self.live = self.open_table(chosen)
        except PitbossError as error:
            self.enter_lobby(str(error))
            return
        self.push_screen(TableScreen(self.live, pace=self.pace, trainer=self.trainer))
