"""Widgets that show a canvas and report what was clicked on it."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from textual import events
from textual.app import RenderResult
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.palette import Palette

Painter = Callable[[int, int], Canvas]
"""Draws the widget's content at a width and height."""


class Picture(Widget):
    """Shows what its painter draws, at whatever size it has."""

    DEFAULT_CSS = "Picture { width: 1fr; height: 1fr; }"

    class Clicked(Message):
        """A region of the canvas was clicked."""

        def __init__(self, kind: str, name: str, button: int) -> None:
            super().__init__()
            self.kind = kind
            self.name = name
            self.button = button

    class Wheel(Message):
        """The mouse wheel was turned: up is negative."""

        def __init__(self, rows: int) -> None:
            super().__init__()
            self.rows = rows

    def __init__(self, painter: Painter, palette: Callable[[], Palette], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.painter = painter
        self.palette = palette
        self._picture = Canvas(0, 0)
        self._painted_at = (-1, -1)

    def repaint(self) -> None:
        """The content has changed."""
        self._painted_at = (-1, -1)
        self.refresh()

    @property
    def canvas(self) -> Canvas:
        """The picture at the present size."""
        size = (self.size.width, self.size.height)
        if size != self._painted_at:
            self._picture = self.painter(*size)
            self._painted_at = size
        return self._picture

    def render(self) -> RenderResult:
        """The picture as text, for those who ask for it whole."""
        return self.canvas.text()

    def render_line(self, y: int) -> Strip:
        """One row of the picture."""
        styles = self.palette()
        segments = [Segment(run.text, styles[run.style]) for run in self.canvas.runs(y)]
        return Strip(segments, self.canvas.width)

    def on_click(self, event: events.Click) -> None:
        """Tell what was clicked."""
        what = self.canvas.at(event.x, event.y)
        if what is not None:
            self.post_message(self.Clicked(*what, event.button))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Forwards."""
        self.post_message(self.Wheel(1))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Backwards."""
        self.post_message(self.Wheel(-1))
