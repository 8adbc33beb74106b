"""The boxes in the picture: cards and totals, stakes and players, side-wager spots, the tie between paired boxes."""

from __future__ import annotations

from pitboss.money import Money, show
from pitboss.table.state import Phase
from pitboss.table.views import BoxView, HandView
from pitboss.tui.felt import card_faces as art
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.felt_layout import FeltLayout, Slot
from pitboss.tui.felt.scene import Scene, area_of_box, list_carried, list_stakes, short_names, side_staked


def paint_box(canvas: Canvas, scene: Scene, plan: FeltLayout, slot: Slot) -> None:
    """One box with everything that lies on it."""
    box = next((box for box in scene.view.boxes if box.number == slot.box), None)
    bottom = plan.height - slot.rise
    top = plan.low - slot.rise + plan.band
    canvas.region(slot.x, top, slot.width, bottom - top, "box", area_of_box(slot.box))
    foot = bottom - plan.foot
    if box is not None and box.hands:
        _draw_insurance(canvas, slot, box, top - 1)
        _hands(canvas, scene, plan, slot, box, top, foot)
    if plan.roomy:
        _roomy_foot(canvas, scene, slot, box, foot)
    else:
        _small_foot(canvas, scene, slot, box, foot)
    if plan.sides:
        _side_row(canvas, scene, slot, bottom - 1)


def _draw_insurance(canvas: Canvas, slot: Slot, box: BoxView, y: int) -> None:
    """Insurance lies on the line."""
    whole = sum((amount for _, amount in box.insurance), Money(0))
    if whole:
        canvas.centre(slot.x, slot.width, y, f" ●{show(whole)} ", "gold")


# ---------------------------------------------------------------------- hands


def _hands(canvas: Canvas, scene: Scene, plan: FeltLayout, slot: Slot, box: BoxView, top: int, foot: int) -> None:
    count = len(box.hands)
    size = plan.size
    if count * (size.width + 1) - 1 > slot.width:
        size = art.SMALL
    each = slot.width // count
    for index, hand in enumerate(box.hands):
        x = slot.x + each * index
        label, style = _hand_label(scene, box, index, hand, each)
        art.fan(canvas, x + (each - size.width) // 2, foot - 1, foot - 1 - top, hand.cards, size, mono=plan.mono)
        canvas.centre(x, each, foot - 1, label, style)


def _hand_label(scene: Scene, box: BoxView, index: int, hand: HandView, width: int) -> tuple[str, str]:
    """The total of a hand and how it stands, as far as there is room."""
    name = scene.rules.natural_name
    if scene.view.turn == (box.number, index + 1) and scene.view.phase is Phase.TURNS:
        return f"▸{_total(hand, width - 2)}{_own_stake(box, hand, width - 6)}", "turn"
    if hand.status == "bust":
        return (f"bust {hand.total}" if width >= 7 else f"{hand.total}✗"), "lose"
    if box.number in scene.naturals and hand.status in ("natural", "paid"):
        return (name if len(name) <= width else "natural" if width >= 7 else "nat"), "gold"
    if any(stake.fate == "surrendered" for stake in hand.stakes):
        return ("surrender" if width >= 9 else "surr"), "lose"
    return f"{_total(hand, width)}{_own_stake(box, hand, width - 4)}", "text.bold"


def _total(hand: HandView, width: int) -> str:
    if hand.total is None:
        return ""
    if not hand.soft:
        return str(hand.total)
    return f"soft {hand.total}" if width >= 7 else f"s{hand.total}"


def _own_stake(box: BoxView, hand: HandView, room: int) -> str:
    """What lies on one of several hands."""
    stake = next(iter(hand.stakes), None)
    if len(box.hands) < 2 or stake is None:
        return ""
    text = f"·{show(stake.money)}" if stake.money else f"·◇{show(stake.tokens)}"
    return text if len(text) <= room else ""


# ---------------------------------------------------------------------- stakes and players


def _stakes(scene: Scene, slot: Slot, box: BoxView | None) -> list[tuple[str, Money, Money]]:
    """Player, money and tokens on a box over all its hands, the player who looks first."""
    found: dict[str, tuple[Money, Money]] = {}
    if box is None:
        found = {player: (amount, Money(0)) for player, amount in list_stakes(scene, slot.box)}
    for hand in box.hands if box is not None else ():
        for stake in hand.stakes:
            money, tokens = found.get(stake.player, (Money(0), Money(0)))
            found[stake.player] = (money + stake.money, tokens + stake.tokens)
    rows = [(player, money, tokens) for player, (money, tokens) in found.items()]
    return sorted(rows, key=lambda row: row[0] != scene.me)


def nets(scene: Scene, box: str) -> dict[str, Money]:
    """What each player has won or lost so far on a box; what was won with a whole area counts to its first box."""
    found: dict[str, Money] = {}
    for settled in scene.view.settlements:
        if settled.box == box or (box.endswith("a") and settled.box == area_of_box(box)):
            found[settled.player] = found.get(settled.player, Money(0)) + settled.net
    return found


def _result(net: Money) -> tuple[str, str]:
    return show(net, sign=True) if net else "±0", "win" if net > 0 else "lose" if net < 0 else "even"


def _is_chosen(scene: Scene, slot: Slot) -> bool:
    """The box that acts, or to which the next chip goes."""
    if scene.view.phase is Phase.BETTING:
        return bool(scene.cursor) and area_of_box(slot.box) == scene.cursor
    return scene.view.turn is not None and scene.view.turn[0] == slot.box and scene.view.phase is Phase.TURNS


def _name(scene: Scene, player: str) -> str:
    return "you" if player == scene.me else player


def _name_style(scene: Scene, player: str) -> str:
    return "mine" if player == scene.me else "faint"


def _small_foot(canvas: Canvas, scene: Scene, slot: Slot, box: BoxView | None, y: int) -> None:
    """Three rows: the name, the stake, the number."""
    stakes = _stakes(scene, slot, box)
    width = max(3, min(slot.width - (slot.width > 5), 9 if box is None or len(box.hands) < 2 else 24))
    x = slot.x + (slot.width - width) // 2
    chosen = _is_chosen(scene, slot)
    canvas.frame(x, y, width, 3, "gold" if chosen else "line")
    canvas.centre(x, width, y + 2, slot.box, "cursor" if chosen else "faint" if not stakes else "text")
    if not stakes:
        return
    player, money, tokens = stakes[0]
    others = f"+{len(stakes) - 1}" if len(stakes) > 1 else ""
    name = _name(scene, player)[: max(1, width - 2 - len(others))]
    canvas.centre(x, width, y, f"{name}{others}", _name_style(scene, player))
    gained = nets(scene, slot.box).get(player)
    if scene.view.phase is Phase.SETTLED and gained is not None:
        canvas.centre(x + 1, width - 2, y + 1, *_result(gained))
    else:
        art.paint_stake(canvas, x + 1, width - 2, y + 1, money, tokens, _name_style(scene, player))


def _roomy_foot(canvas: Canvas, scene: Scene, slot: Slot, box: BoxView | None, y: int) -> None:
    """A framed box with a line for each of three players."""
    width = min(slot.width - 1, 15 if box is None or len(box.hands) < 2 else 40)
    x = slot.x + (slot.width - width) // 2
    chosen = _is_chosen(scene, slot)
    canvas.frame(x, y, width, 5, "gold" if chosen else "line")
    canvas.centre(x, width, y + 4, f" {slot.box} ", "cursor" if chosen else "text")
    stakes = _stakes(scene, slot, box)
    gained = nets(scene, slot.box)
    for index, (player, money, tokens) in enumerate(stakes[:3]):
        row = y + 1 + index
        name = _name(scene, player)[: max(3, width - 5 - len(show(money or tokens)))]
        canvas.put(x + 1, row, name, _name_style(scene, player))
        room = width - 3 - len(name)
        if scene.view.phase is Phase.SETTLED and player in gained:
            text, style = _result(gained[player])
            canvas.put(x + width - 1 - len(text), row, text, style)
        else:
            art.paint_stake(canvas, x + width - 1 - room, room, row, money, tokens, "text", right=True)
    if len(stakes) > 3:
        canvas.put(x + 2, y + 4, f" +{len(stakes) - 3} ", "faint")


# ---------------------------------------------------------------------- side wagers and pairs


def _side_row(canvas: Canvas, scene: Scene, slot: Slot, y: int) -> None:
    """Side-wager spots: what lies on them, or their letters while they are empty."""
    shorts = short_names(scene.rules)
    betting = scene.view.phase is Phase.BETTING
    parts = [
        (shorts.get(wager, wager), show(amount), "mine" if player == scene.me else "faint", wager)
        for player, wager, amount in side_staked(scene, slot.box)
    ]
    lying = {wager for *_, wager in parts}
    if betting and (slot.box == area_of_box(slot.box) or slot.box.endswith("a")):
        parts += [(shorts[w], f"{show(a)}*", "gold", w) for w, a in list_carried(scene, slot.box) if w not in lying]
        here = area_of_box(slot.box) == scene.cursor
        if here and scene.spot in shorts and scene.spot not in lying:
            parts.insert(0, (shorts[scene.spot], "", "faint", scene.spot))
        if not parts:
            parts = [(short, "", "faint", wager) for wager, short in shorts.items()]
    room = slot.width
    x = slot.x + max(0, (room - sum(len(a) + len(b) + 1 for a, b, *_ in parts) + 1) // 2)
    for index, (short, amount, style, wager) in enumerate(parts):
        text = short + amount
        left = slot.x + room - x
        if len(text) > left - (2 if index < len(parts) - 1 else 0):
            canvas.put(x, y, "…"[:left], style)
            return
        chosen = betting and area_of_box(slot.box) == scene.cursor and scene.spot == wager
        canvas.put(x, y, text, "cursor" if chosen else style)
        canvas.region(x, y, len(text), 1, "spot", f"{area_of_box(slot.box)} {wager}")
        x += len(text) + 1


def paint_pairs(canvas: Canvas, scene: Scene, plan: FeltLayout, found: list[Slot]) -> None:
    """Tie the two boxes of an area together; an open switch is an arrow between their second cards."""
    for left, right in zip(found[::2], found[1::2], strict=True):
        foot = plan.height - right.rise - plan.foot
        canvas.put(right.x - 1, foot + (2 if plan.roomy else 1), "══", "line")
        if f"{area_of_box(left.box)} switch" in scene.view.actions:
            canvas.put(right.x - 1, foot - 2, "⇄", "turn")
        elif left.box in scene.switched:
            canvas.put(right.x - 1, foot - 2, "⇄", "faint")
