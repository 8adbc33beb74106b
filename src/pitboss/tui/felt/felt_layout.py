"""How a picture of the table is laid out: the card size that fits, the run of the curve, the columns of each box."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.table.views import BoxView
from pitboss.tui.felt import card_faces as art
from pitboss.tui.felt.scene import Scene, list_places


class FeltLayout(NamedTuple):
    """Measures that hold for the whole picture."""

    width: int
    height: int
    size: art.Size
    mono: bool
    head: int
    """Rows of the dealer's part."""
    lift: int
    """How many rows the ends of the curve lie above its middle."""
    foot: int
    """Rows of a box below its cards."""
    sides: bool
    """Side wagers are on offer."""

    @property
    def roomy(self) -> bool:
        """There is room for more than the bare game."""
        return self.size in (art.HUGE, art.LARGE)

    @property
    def low(self) -> int:
        """The row of the curve's lowest point."""
        return self.head + self.lift

    @property
    def band(self) -> int:
        """Rows between the line and the first card: the insurance band where there is room for one."""
        return 3 if self.roomy else 1

    def curve(self, x: int) -> float:
        """The height of the line at a column, in rows from the top."""
        middle = (self.width - 1) / 2 or 1
        return self.low + 0.5 - self.lift * ((x - middle) / middle) ** 2

    def rise(self, x: int) -> int:
        """How many rows a box at this column is lifted by the curve."""
        return self.low - int(self.curve(x))


class Slot(NamedTuple):
    """The columns of one box."""

    box: str
    x: int
    width: int
    rise: int
    """How many rows the curve lifts it; the two boxes of an area are lifted alike."""


def plan_for(scene: Scene, width: int, height: int, *, mono: bool) -> FeltLayout:
    """The largest cards that leave room for a hand of three, and a curve as deep as the rest allows."""
    count = len(list_places(scene.rules))
    sides = bool(scene.rules.side_wagers)
    for size in (art.HUGE, art.LARGE):
        foot, head = 5 + sides, size.height + 2
        spare = height - head - 3 - (size.height + 2 * size.step) - 1 - foot
        if width // count >= size.width + 2 and spare >= 2:
            return FeltLayout(width, height, size, mono, head, min(spare, 9), foot, sides)
    size = art.MEDIUM if width // count >= 6 else art.SMALL
    lift = min(6, 2 + (height - 16) // 3) if height >= 16 else max(0, height - 14)
    return FeltLayout(width, height, size, mono, 4, lift, 3 + sides, sides)


def slots(scene: Scene, plan: FeltLayout) -> list[Slot]:
    """The columns of each box: an even share, more for boxes that have split, less for empty ones if there must be."""
    order = list_places(scene.rules)
    in_play = {box.number: box for box in scene.view.boxes}
    needs = [_need(in_play.get(name), plan) for name in order]
    share = plan.width // len(order)
    widths = [max(need, share) for need in needs]
    if sum(widths) > plan.width:
        widths = [need if in_play.get(name) else 4 for name, need in zip(order, needs, strict=True)]
        spare = max(0, plan.width - sum(widths)) // len(order)
        widths = [each + spare for each in widths]
    x = (plan.width - sum(widths)) // 2
    found = []
    together = scene.rules.boxes_per_area
    for first in range(0, len(order), together):
        middle = x + sum(widths[first : first + together]) // 2
        for name, each in zip(order[first : first + together], widths[first : first + together], strict=True):
            found.append(Slot(name, x, each, plan.rise(middle)))
            x += each
    return found


def _need(box: BoxView | None, plan: FeltLayout) -> int:
    hands = len(box.hands) if box is not None else 0
    return max(1, hands) * (plan.size.width + 1)
