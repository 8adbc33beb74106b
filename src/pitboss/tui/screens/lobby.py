"""The lobby: the session that was left, then every game with what makes it special and what it costs.

Games, sides and decks come from the rulebooks; a combination that a book refuses is answered with the book's own
line. What a table and its side wagers cost may have to be worked out: that happens in the background, the table under
the cursor first.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.screen import Screen

from pitboss.errors import PitbossError
from pitboss.rulebooks import find_game, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import open_table
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.draw import draw_table
from pitboss.tui.felt.palette import Palette
from pitboss.tui.felt.scene import scene_of
from pitboss.tui.felt.widgets import Picture
from pitboss.tui.screens.game_notes import Books, headings, specials
from pitboss.tui.screens.panels import BarText, Button, draw_bar, fold_prompt, rows_of_buttons
from pitboss.tui.screens.typed_keys import INTERRUPT, read_key
from pitboss.tui.session.setup import DEFAULT_LIMITS

EdgeOf = Callable[[Rules], float | None]
"""The house edge on the main wager, however long that takes to compute; none where it cannot be."""

MakeDrill = Callable[[Rules], Screen[None]]
"""The sheet on which drills about a table are held."""

SideEdgeOf = Callable[[Rules, str], float | None]
"""The house's edge on a side wager of a table; none where it cannot be worked out."""

NARROW_LIST, WIDE_LIST = 38, 70
"""Columns of the list, at least and at most: in between it is as wide as its longest name."""

EDGE_COLUMNS = 8
"""Columns of an edge in the list."""

RESUME = "resume"
"""The row of the session that was left."""

MOST_ROBOTS = 4
"""Robots that the lobby seats; the command line seats more."""


class OfferedTable(msgspec.Struct, frozen=True):
    """A table as it was chosen."""

    game: str
    decks: int | None = None
    side_wagers: tuple[str, ...] = ()
    robots: int = 2

    @property
    def choices(self) -> dict[str, Any]:
        """The choices as the rulebooks take them."""
        found: dict[str, Any] = {"side_wagers": list(self.side_wagers)}
        if self.decks is not None:
            found["decks"] = self.decks
        return found

    def rules(self, books: Books = ()) -> Rules:
        """The rules of this table."""
        return rules_for(self.game, books, **self.choices)

    def without_sides(self) -> OfferedTable:
        """The table as far as the main wager goes."""
        return OfferedTable(self.game, self.decks)


class LeftSession(msgspec.Struct, frozen=True):
    """A session that can be resumed: its game, and when it was left."""

    game: str
    name: str
    when: str


class TableOffer(msgspec.Struct, frozen=True):
    """What a book lets the house choose for a game: numbers of decks, and side wagers by id and name."""

    decks: tuple[int, ...]
    side_wagers: tuple[tuple[str, str], ...]


def offer_of(game: str, books: Books = ()) -> TableOffer:
    """What can be chosen for a game."""
    book, _ = find_game(game, books)
    decks = tuple(count for count in range(1, 9) if _is_allowed(game, books, decks=count))
    sides = tuple(
        (name, module.name) for name, module in book.side_wagers.items() if _is_allowed(game, books, side_wagers=[name])
    )
    return TableOffer(decks, sides)


def _is_allowed(game: str, books: Books, **choices: Any) -> bool:
    try:
        rules_for(game, books, **choices)
    except PitbossError:
        return False
    return True


class LobbyScreen(Screen[OfferedTable | LeftSession | None]):
    """Choose a game."""

    DEFAULT_CSS = """
    LobbyScreen { layout: vertical; }
    #lobby { height: 1fr; }
    #lobby-bar { height: 1; }
    """

    def __init__(
        self,
        palette: Palette,
        edge_of: EdgeOf,
        side_edge_of: SideEdgeOf,
        *,
        robots: int = 2,
        books: Books = (),
        left: LeftSession | None = None,
        complaint: str = "",
        make_drill: MakeDrill,
    ) -> None:
        super().__init__()
        self._bindings = BindingsMap()
        self.lobby_palette = palette
        self.edge_of = edge_of
        self.side_edge_of = side_edge_of
        self.books = books
        self.make_drill = make_drill
        self.left = left
        self.resumes = left is not None
        """The cursor is on the session that was left."""
        self.names: tuple[str, ...] = tuple(name for _, names in headings(books) for name in names)
        self.tables = {name: OfferedTable(name, robots=robots) for name in self.names}
        self.offers: dict[str, TableOffer] = {}
        self.edges: dict[OfferedTable, float | None] = {}
        self.side_edges: dict[tuple[OfferedTable, str], float | None] = {}
        self.working = False
        self.at = 0
        self.text = BarText(complaint, "bar.lose")

    def compose(self) -> ComposeResult:
        """List and description, then the keys."""
        yield Picture(self.paint, lambda: self.lobby_palette, id="lobby")
        yield Picture(self.paint_bar, lambda: self.lobby_palette, id="lobby-bar")

    def on_mount(self) -> None:
        """Find out what the games cost."""
        self._work_on()

    def _work_on(self) -> None:
        if not self.working and (self._next_side() or self._next_edge()) is not None:
            self.working = True
            self._work_out_edges()

    @work(thread=True)
    def _work_out_edges(self) -> None:
        """Find out what tables and side wagers cost one by one, those under the cursor first."""
        while self.is_attached:
            if (side := self._next_side()) is not None:
                self._tell(self._side_known, side, self._price_side(*side))
            elif (next_table := self._next_edge()) is not None:
                self._tell(self._edge_known, next_table, self._price_table(next_table))
            else:
                break
        self.working = False

    def _price_table(self, table: OfferedTable) -> float | None:
        try:
            return self.edge_of(table.rules(self.books))
        except PitbossError:
            return None

    def _price_side(self, table: OfferedTable, wager: str) -> float | None:
        try:
            return self.side_edge_of(replace(table, side_wagers=(wager,)).rules(self.books), wager)
        except PitbossError:
            return None

    def _tell(self, hear: Callable[[Any, float | None], None], what: object, edge: float | None) -> None:
        """Pass a figure to the screen, unless the lobby is left."""
        if self.is_attached:
            self.app.call_from_thread(hear, what, edge)

    def _next_edge(self) -> OfferedTable | None:
        order = (*self.names[self.at :], *self.names[: self.at])
        tables = (self.tables[name].without_sides() for name in order)
        return next((table for table in tables if table not in self.edges), None)

    def _next_side(self) -> tuple[OfferedTable, str] | None:
        table = self.table.without_sides()
        sides = ((table, wager) for wager, _ in self.offer.side_wagers)
        return next((side for side in sides if side not in self.side_edges), None)

    def _edge_known(self, table: OfferedTable, edge: float | None) -> None:
        self.edges[table] = edge
        if self.is_attached:
            self.repaint()

    def _side_known(self, side: tuple[OfferedTable, str], edge: float | None) -> None:
        self.side_edges[side] = edge
        if self.is_attached:
            self.repaint()

    # ------------------------------------------------------------------ painting

    @property
    def table(self) -> OfferedTable:
        """The table under the cursor, as it is chosen so far."""
        return self.tables[self.names[self.at]]

    @property
    def offer(self) -> TableOffer:
        """What can be chosen for it."""
        name = self.names[self.at]
        if name not in self.offers:
            self.offers[name] = offer_of(name, self.books)
        return self.offers[name]

    def paint(self, width: int, height: int) -> Canvas:
        """The list on the left, the game under the cursor on the right."""
        canvas = Canvas(width, height, "felt")
        left = self._list_width(width)
        self._paint_list(canvas, left, height)
        for y in range(height):
            canvas.put(left, y, "│", "line")
        if self.resumes and self.left is not None:
            self._paint_left(canvas, self.left, left + 2, width - left - 3)
        else:
            self._paint_game(canvas, left + 2, width - left - 3, height)
        return canvas

    def _list_width(self, width: int) -> int:
        """As wide as the longest name, if there is room for it."""
        titles = [len(book.name) + 3 for book, _ in headings(self.books)]
        games = [len(find_game(name, self.books)[1].name) + EDGE_COLUMNS + 5 for name in self.names]
        most = min(WIDE_LIST, max(NARROW_LIST, width * 2 // 5))
        return min(max(NARROW_LIST, *titles, *games), most) if width >= 78 else max(20, width // 2)

    def _paint_list(self, canvas: Canvas, width: int, height: int) -> None:
        rows = self._list_rows(width, whole_titles=True)
        if len(rows) > height >= len(short := self._list_rows(width, whole_titles=False)):
            rows = short
        at = next(y for y, row in enumerate(rows) if row[2] == (RESUME if self.resumes else self.names[self.at]))
        first = max(0, min(at - height // 2, len(rows) - height))
        for y, (text, style, name) in enumerate(rows[first : first + height]):
            canvas.put(3 if name else 1, y, text[: width - 3], style)
            if name:
                canvas.region(0, y, width, 1, "game", name)

    def _list_rows(self, width: int, *, whole_titles: bool) -> list[tuple[str, str, str]]:
        """The rows of the list, each with its style and its game; titles of books are whole, or one row each."""
        rows: list[tuple[str, str, str]] = []
        if self.left is not None:
            style = "cursor" if self.resumes else "gold"
            parts = textwrap.wrap(f"Resume {self.left.name}", width - 4)
            rows += [(part.ljust(width - 4), style, RESUME) for part in parts]
        for book, names in headings(self.books):
            first, *others = textwrap.wrap(book.name, width - 3)
            title = [first, *others] if whole_titles or not others else [f"{book.name[: width - 4].rstrip()}…"]
            rows += [(part, "print.bold", "") for part in title]
            for name in names:
                style = "cursor" if self._is_chosen(name) else "text"
                rows += [(text, style, name) for text in self._game_rows(name, width - 4)]
        return rows

    def _is_chosen(self, name: str) -> bool:
        return name == self.names[self.at] and not self.resumes

    def _paint_left(self, canvas: Canvas, left: LeftSession, x: int, width: int) -> None:
        rows = [
            (f"{left.name}  {left.game}", "gold"),
            (f"left {left.when}", "print"),
            ("", "text"),
            ("Same shoe, same bankroll, same round: press ⏎ to resume.", "text"),
            ("↓ chooses a new table.", "faint"),
        ]
        y = 0
        for text, style in rows:
            for part in textwrap.wrap(text, width) or [""]:
                canvas.put(x, y, part, style)
                y += 1

    def _game_rows(self, name: str, width: int) -> list[str]:
        """A game with its edge; a name that is too long for one row goes on two."""
        edge = self._edge_text(self.tables[name])
        *first, last = textwrap.wrap(find_game(name, self.books)[1].name, width - EDGE_COLUMNS)
        return [*(text.ljust(width) for text in first), f"{last:<{width - len(edge)}}{edge}"]

    def _side_text(self, wager: str, *, short: bool) -> str:
        """What a side wager costs."""
        side = (self.table.without_sides(), wager)
        if side not in self.side_edges:
            return "..."
        edge = self.side_edges[side]
        return "-" if edge is None else f"{edge * 100:.0f}%" if short else f"{edge * 100:.1f} %"

    def _edge_text(self, table: OfferedTable) -> str:
        if table.without_sides() not in self.edges:
            return "..."
        edge = self.edges[table.without_sides()]
        return "-" if edge is None else f"{edge * 100:.3f} %"

    def _paint_game(self, canvas: Canvas, x: int, width: int, height: int) -> None:
        table = self.table
        rules = rules_for(table.game, self.books)
        title = f"{rules.name}  {table.game}"
        named = [title] if len(title) <= width else [rules.name, table.game]
        rows: list[tuple[str, str]] = [(text, "gold") for text in named]
        rows.append((f"house edge {self._edge_text(table)} with best play", "print"))
        decks = f"decks {table.rules(self.books).decks} (of {', '.join(map(str, self.offer.decks))})"
        rows.append((f"{decks}   robots {table.robots}", "mine"))
        y = 0
        for text, style in rows:
            for part in textwrap.wrap(text, width):
                canvas.put(x, y, part, style)
                y += 1
        y = self._paint_sides(canvas, x, y, width) + 1
        for row in self._special_rows(rules, width, height - y):
            canvas.put(x, y, row, "text")
            y += 1
        if width >= 80 and height - y >= 22:
            preview = draw_table(scene_of(open_table(rules, DEFAULT_LIMITS), ""), width, height - y - 1)
            canvas.paste(preview, x, y + 1)

    def _special_rows(self, rules: Rules, width: int, room: int) -> list[str]:
        """What makes the game special, as far as there is room."""
        rows = []
        for special in specials(rules):
            rows += textwrap.wrap(special.text, width, initial_indent="· ", subsequent_indent="  ")
        if len(rows) <= room:
            return rows
        more = f"… pitboss rules {rules.game}"
        return [*rows[: room - 1], more if len(more) <= width else "… pitboss rules GAME"]

    def _paint_sides(self, canvas: Canvas, x: int, y: int, width: int) -> int:
        """The side wagers with their numbers, as many to a row as fit; returns the row after them."""
        at = 0
        for number, (wager, name) in enumerate(self.offer.side_wagers, 1):
            on = wager in self.table.side_wagers
            text = f"{number} {'☒' if on else '☐'} {name}"
            text += f" {self._side_text(wager, short=len(text) > width - EDGE_COLUMNS)}"
            if at and at + len(text) > width:
                y, at = y + 1, 0
            canvas.put(x + at, y, text, "mine" if on else "faint")
            canvas.region(x + at, y, len(text), 1, "side", str(number))
            at += len(text) + 2
        return y + 1

    def paint_bar(self, width: int, height: int) -> Canvas:
        """The keys."""
        return draw_bar(self.text, self.buttons, 0, width, height)

    @property
    def buttons(self) -> Sequence[Button]:
        """What can be done here."""
        if self.resumes:
            return [Button("enter", "resume"), Button("up", "choose"), Button("q", "leave")]
        found = [Button("enter", "sit down"), Button("up", "choose"), Button("d", "decks"), Button("r", "robots")]
        if self.offer.side_wagers:
            many = len(self.offer.side_wagers)
            found.append(Button(f"1-{many}" if many > 1 else "1", "sides"))
        found += [Button("t", "train"), Button("q", "leave")]
        if rows_of_buttons(found, max(self.size.width, 20)) > 1:
            found = [button for button in found if button.key != "up"]
        return found

    def repaint(self) -> None:
        """Show everything as it is now, as far as it is still there: figures may come in while the lobby is left."""
        width = max(self.size.width, 20)
        bar_height = (len(fold_prompt(self.text, width)) if self.text.text else 0) + rows_of_buttons(
            self.buttons, width
        )
        for bar in self.query("#lobby-bar"):
            bar.styles.height = bar_height
        for picture in self.query(Picture):
            picture.repaint()

    # ------------------------------------------------------------------ keys and mouse

    def on_key(self, event: events.Key) -> None:
        """Choose, change, sit down."""
        self.press(read_key(event))
        if self.is_attached:
            self.repaint()

    def press(self, key: str) -> None:
        """What a key does."""
        self.text = BarText("")
        steps = {"up": -1, "down": 1, "pageup": -5, "pagedown": 5}
        if key in steps:
            self._move(steps[key])
        elif key == "enter":
            self.dismiss(self.left if self.resumes else self.table)
        elif key in ("q", "escape"):
            self.dismiss(None)
        elif key == INTERRUPT:
            self.text = BarText("Press Q to leave.", "bar.lose")
        elif not self.resumes:
            self._press_table(key)

    def _move(self, step: int) -> None:
        """Move the cursor; above the first game is the session that was left."""
        if self.resumes:
            self.resumes, step = step < 0, step - 1
        elif self.at + step < 0 and self.left is not None and self.at == 0:
            self.resumes = True
        if not self.resumes:
            self.at = max(0, min(len(self.names) - 1, self.at + step))
            self._work_on()

    def _press_table(self, key: str) -> None:
        """Change the table under the cursor."""
        table = self.table
        if key == "d":
            self._step_decks(table)
        elif key == "t":
            self.app.push_screen(self.make_drill(table.rules(self.books)))
        elif key == "r":
            self._choose(replace(table, robots=(table.robots + 1) % (MOST_ROBOTS + 1)))
        elif key.isdigit() and 1 <= int(key) <= len(self.offer.side_wagers):
            wager = self.offer.side_wagers[int(key) - 1][0]
            on = table.side_wagers
            changed = tuple(w for w in on if w != wager) if wager in on else (*on, wager)
            self._choose(replace(table, side_wagers=changed))

    def _step_decks(self, table: OfferedTable) -> None:
        """The next number of decks that the book allows with what is chosen; if there is no other, say why."""
        decks = self.offer.decks
        now = decks.index(table.rules(self.books).decks)
        others = [replace(table, decks=count) for count in (*decks[now + 1 :], *decks[:now])]
        allowed = (other for other in others if _is_allowed(table.game, self.books, **other.choices))
        wanted = next(allowed, others[0] if others else None)
        if wanted is None:
            self.text = BarText(f"This game is dealt from {decks[0]} decks only.", "bar.lose")
        else:
            self._choose(wanted)

    def _choose(self, table: OfferedTable) -> None:
        """Take a choice over, if the book allows it."""
        try:
            table.rules(self.books)
        except PitbossError as error:
            self.text = BarText(str(error), "bar.lose")
            return
        self.tables[table.game] = table
        self._work_on()

    def on_picture_clicked(self, message: Picture.Clicked) -> None:
        """A click chooses; a second one on the same game sits down."""
        if message.kind == "game":
            if message.name == RESUME or self._is_chosen(message.name):
                self.dismiss(self.left if message.name == RESUME else self.table)
                return
            self.resumes = False
            self.at = self.names.index(message.name)
            self._work_on()
        elif message.kind in ("side", "key"):
            self.press(message.name)
        if self.is_attached:
            self.repaint()

    def on_picture_wheel(self, message: Picture.Wheel) -> None:
        """The wheel moves the cursor."""
        self.press("down" if message.rows > 0 else "up")
        self.repaint()
