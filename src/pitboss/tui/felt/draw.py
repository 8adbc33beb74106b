"""The picture of the table: dealer, shoe and rack at the top, the line with its lettering, boxes along the curve.

Pure: a scene and a size in, a canvas out. Larger terminals get larger cards and more of what lies on the layout;
every size shows the same game. Nothing is decided here and no card is known that the view does not show.
"""

from __future__ import annotations

from typing import NamedTuple

from pitboss.money import show
from pitboss.rulebooks.model.rules import Rules
from pitboss.tui.felt import card_faces as art
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.felt_boxes import paint_box, paint_pairs
from pitboss.tui.felt.felt_layout import FeltLayout, plan_for, slots
from pitboss.tui.felt.scene import Scene

LEAST_WIDTH, LEAST_HEIGHT = 60, 13
"""The smallest picture in which every box can be told from the next."""

ROWS_OF_PRINT = 2
"""Rows that the print on the cloth takes where the curve leaves room for them."""

METERS = 20
"""Columns of the meters beside the dealer where there is little room."""


def draw_table(scene: Scene, width: int, height: int, *, mono: bool = False) -> Canvas:
    """The table as a picture of `width` by `height` cells."""
    canvas = Canvas(width, height)
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        canvas.centre(0, width, height // 2, "Make the window larger, please.", "gold")
        return canvas
    plan = plan_for(scene, width, height, mono=mono)
    _line(canvas, scene, plan)
    _corners(canvas, scene, plan)
    _dealer(canvas, scene, plan)
    found = slots(scene, plan)
    for slot in found:
        paint_box(canvas, scene, plan, slot)
    if scene.rules.boxes_per_area == 2:
        paint_pairs(canvas, scene, plan, found)
    return canvas


# ---------------------------------------------------------------------- the dealer's side


def _dealer(canvas: Canvas, scene: Scene, plan: FeltLayout) -> None:
    cards = scene.view.dealer
    size = plan.size if plan.size != art.SMALL else art.MEDIUM
    y = 1 if plan.roomy else 0
    left = right = 26 if plan.roomy else 17
    if scene.view.meters and not plan.roomy:
        left += METERS
    room = plan.width - left - right
    across = size.width + 1
    while len(cards) > 1 and across > 2 and across * (len(cards) - 1) + size.width > room:
        across -= 1
    x = left + (room - across * (len(cards) - 1) - size.width) // 2
    for index, card in enumerate(cards):
        under = across <= size.width and (len(cards) - 1 - index) % 2 == 1
        art.paint(canvas, x + across * index, y, card, size, mono=plan.mono, under=under)
    label, style = _dealer_label(scene)
    canvas.centre(left, room, y + size.height, label, style)


def _dealer_label(scene: Scene) -> tuple[str, str]:
    total = scene.view.dealer_total
    if total is None or len(scene.view.dealer) == 1:
        return "dealer" if scene.view.dealer else "", "faint"
    if total > 21:
        push = total == scene.rules.dealer_push_total
        return (f"dealer {total}: push", "even") if push else (f"dealer busts with {total}", "win")
    if scene.dealer_natural:
        return f"dealer has {scene.rules.natural_name}", "lose"
    return f"dealer {total}", "text.bold"


def _corners(canvas: Canvas, scene: Scene, plan: FeltLayout) -> None:
    """Discard rack and limits on the left, shoe and meters on the right."""
    rack, shoe = (18, 24) if plan.roomy else (13, 15)
    y = 1 if plan.roomy else 0
    _rack(canvas, scene, 1, y, rack)
    _shoe(canvas, scene, plan.width - shoe - 1, y, shoe)
    if plan.roomy:
        _sign(canvas, scene, 1, y + 3)
        _meters(canvas, scene, plan.width - shoe - 1, y + 3, shoe)
    else:
        _meters(canvas, scene, rack + 2, 0, METERS)


def _rack(canvas: Canvas, scene: Scene, x: int, y: int, width: int) -> None:
    """The discard rack, as full as cards are out of play."""
    canvas.frame(x, y, width, 3, "rack", "discards")
    lying = sum(len(hand.cards) for box in scene.view.boxes for hand in box.hands) + len(scene.view.dealer)
    gone = max(0, scene.shoe.dealt - lying)
    room = width - 2
    filled = -(-gone * room // scene.shoe.cards) if scene.shoe.cards else 0
    canvas.put(x + 1, y + 1, "▒" * min(filled, room), "shoe.cards")


def _shoe(canvas: Canvas, scene: Scene, x: int, y: int, width: int) -> None:
    """The shoe from the side: cards leave at its left end, and the cut card lies where it was placed."""
    canvas.frame(x, y, width, 3, "shoe", "shoe")
    room = width - 2
    total = scene.shoe.cards
    if not total:
        canvas.centre(x + 1, room, y + 1, "empty", "faint")
        return
    gone = scene.shoe.dealt * room // total
    canvas.put(x + 1, y + 1, "·" * gone, "shoe.gone")
    canvas.put(x + 1 + gone, y + 1, "▓" * (room - gone), "shoe.cards")
    if scene.shoe.cut:
        at = min(room - 1, scene.shoe.cut * room // total)
        canvas.put(x + 1 + (max(at, gone) if scene.shoe.dealt < scene.shoe.cut else at), y + 1, "┃", "shoe.cut")


def _sign(canvas: Canvas, scene: Scene, x: int, y: int) -> None:
    """The limits, on their placard."""
    rows = [("min", scene.limits.minimum), ("max", scene.limits.maximum)]
    shown = [(name, show(amount)) for name, amount in rows if amount is not None]
    width = max((len(amount) for _, amount in shown), default=0)
    for index, (name, amount) in enumerate(shown):
        canvas.put(x, y + index, f" {name} {amount.rjust(width)} ", "sign")


def _meters(canvas: Canvas, scene: Scene, x: int, y: int, width: int) -> None:
    """Prize meters, a row each; by the last word of their names where one of them is too long."""
    rows = [(name, f"{meter.value:,.2f}") for name, meter in scene.view.meters.items()]
    if any(len(name) + len(value) + 3 > width for name, value in rows):
        rows = [(name.rpartition("-")[2], value) for name, value in rows]
    for index, (name, value) in enumerate(rows):
        room = width - len(value) - 3
        canvas.put(x, y + index, f" {name[:room].ljust(room)} {value} ", "meter")


# ---------------------------------------------------------------------- the line and the lettering


class Lettering(NamedTuple):
    """What is printed on the cloth, in the words of real layouts."""

    natural: str
    dealer: str
    dealer_short: str
    insurance: str


def letter_cloth(rules: Rules) -> Lettering:
    """What a natural pays, how the dealer must play, what insurance pays."""
    odds = rules.insurance_odds_ace
    push = f", {rules.dealer_push_total} pushes" if rules.dealer_push_total else ""
    soft = rules.dealer_hits_soft_17
    return Lettering(
        f"{rules.natural_name} pays {rules.natural_odds.win} to {rules.natural_odds.stake}".upper(),
        f"Dealer must draw to 16 and {'hit soft 17' if soft else 'stand on all 17s'}{push}",
        f"dealer {'hits soft 17' if soft else 'stands on all 17s'}",
        f"INSURANCE PAYS {odds.win} TO {odds.stake}" if rules.insurance_on_ace else "NO INSURANCE",
    )


def _line(canvas: Canvas, scene: Scene, plan: FeltLayout) -> None:
    """The printed line along the curve; where there is room, a band for insurance between two of them."""
    cloth = letter_cloth(scene.rules)
    _curve(canvas, plan, 0)
    top = plan.low - plan.lift
    if plan.roomy:
        _curve(canvas, plan, 2)
        canvas.centre(0, plan.width, plan.low - 2, cloth.natural, "print.bold")
        canvas.centre(0, plan.width, plan.low - 1, f" {cloth.dealer} ", "print")
        canvas.centre(0, plan.width, plan.low + 1, cloth.insurance, "print")
    elif plan.lift >= ROWS_OF_PRINT:
        canvas.centre(0, plan.width, top, f" {cloth.natural} · {cloth.insurance} ", "print.bold")
        canvas.centre(0, plan.width, top + 1, f" {cloth.dealer} ", "print")
    else:
        parts = [cloth.natural, cloth.dealer_short, cloth.insurance]
        while len(" · ".join(parts)) + 2 > plan.width:
            parts.pop()
        canvas.centre(0, plan.width, top, f" {' · '.join(parts)} ", "print")


def _curve(canvas: Canvas, plan: FeltLayout, below: int) -> None:
    for x in range(plan.width):
        y = plan.curve(x) + below
        part = y - int(y)
        canvas.put(x, int(y), "▔" if part < 0.3 else "─" if part < 0.7 else "▁", "line")
