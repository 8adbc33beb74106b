"""Cards and chips as characters, in three sizes.

With colour a card is a white field; without, it has a frame and its red suits are hollow. Cards of a hand lie over
each other from top to bottom, the last one whole.
"""

from __future__ import annotations

from typing import NamedTuple

from pitboss.cards import Card, colour
from pitboss.money import Money, show
from pitboss.tui.felt.canvas import Canvas

SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
HOLLOW = {"s": "♠", "h": "♡", "d": "♢", "c": "♣"}

CHIPS = (1000, 500, 100, 25, 5, 1)
"""Face values that are drawn, from the largest."""


PIPS: dict[str, tuple[tuple[int, int], ...]] = {
    "A": ((4, 3),),
    "2": ((4, 1), (4, 5)),
    "3": ((4, 1), (4, 3), (4, 5)),
    "4": ((3, 1), (5, 1), (3, 5), (5, 5)),
    "5": ((3, 1), (5, 1), (4, 3), (3, 5), (5, 5)),
    "6": ((3, 1), (5, 1), (3, 3), (5, 3), (3, 5), (5, 5)),
    "7": ((3, 1), (5, 1), (4, 2), (3, 3), (5, 3), (3, 5), (5, 5)),
    "8": ((3, 1), (5, 1), (4, 2), (3, 3), (5, 3), (4, 4), (3, 5), (5, 5)),
    "9": ((3, 1), (5, 1), (3, 2), (5, 2), (4, 3), (3, 4), (5, 4), (3, 5), (5, 5)),
    "T": ((3, 1), (5, 1), (4, 1), (3, 2), (5, 2), (3, 4), (5, 4), (4, 5), (3, 5), (5, 5)),
}
"""Where the signs of a number stand on the largest card, by column and row."""
FIGURES = {"J": "♞", "Q": "♛", "K": "♚"}


class Size(NamedTuple):
    """A card's cells, and how far the next card of a hand lies below it."""

    width: int
    height: int
    step: int


HUGE = Size(9, 7, 2)
LARGE = Size(7, 5, 2)
MEDIUM = Size(5, 3, 1)
SMALL = Size(3, 1, 1)


def rank(card: Card) -> str:
    """The rank as people write it: `10` for T."""
    return "10" if card[0] == "T" else card[0]


def name(card: Card, *, mono: bool = False) -> str:
    """A card in short: `10♥`."""
    if card[1:] not in SIGNS:
        return "??"
    return rank(card) + (HOLLOW if mono else SIGNS)[card[1]]


def paint(canvas: Canvas, x: int, y: int, card: Card, size: Size, *, mono: bool = False, under: bool = False) -> None:
    """One card with its upper left corner at a cell."""
    if card[1:] not in SIGNS:
        _back(canvas, x, y, size)
        return
    style = "card.under" if under else "card"
    if colour(card) == "red":
        style += ".red"
    if mono and size != SMALL:
        _frame(canvas, x, y, card, size, style)
        return
    canvas.fill(x, y, size.width, size.height, style)
    sign = (HOLLOW if mono else SIGNS)[card[1]]
    if size == HUGE:
        _pips(canvas, x, y, card, sign, style)
    elif size == LARGE:
        canvas.put(x + 1, y, rank(card), style)
        canvas.put(x + 1, y + 1, sign, style)
        canvas.put(x + 3, y + 2, sign, style)
        canvas.put(x + 5, y + 3, sign, style)
        canvas.put(x + 6 - len(rank(card)), y + 4, rank(card), style)
    elif size == MEDIUM:
        canvas.put(x, y, name(card), style)
        canvas.put(x + 2, y + 1, sign, style)
        canvas.put(x + 5 - len(name(card)), y + 2, sign + rank(card), style)
    else:
        canvas.put(x, y, name(card, mono=mono).ljust(3), style)


def _pips(canvas: Canvas, x: int, y: int, card: Card, sign: str, style: str) -> None:
    """The largest card: numbers with all their signs, pictures with a figure."""
    canvas.put(x + 1, y, rank(card) + sign, style)
    canvas.put(x + 7 - len(rank(card)), y + 6, sign + rank(card), style)
    for column, row in PIPS.get(card[0], ()):
        canvas.put(x + column, y + row, sign, style)
    if card[0] in FIGURES:
        canvas.put(x + 3, y + 2, f"{sign} {sign}", style)
        canvas.put(x + 4, y + 3, FIGURES[card[0]], style)
        canvas.put(x + 3, y + 4, f"{sign} {sign}", style)


def _frame(canvas: Canvas, x: int, y: int, card: Card, size: Size, style: str) -> None:
    canvas.fill(x, y, size.width, size.height, "card.edge")
    canvas.frame(x, y, size.width, size.height, "card.edge")
    canvas.put(x + 1, y + (0 if size == MEDIUM else 1), name(card, mono=True), style)
    if size != MEDIUM:
        canvas.put(x + size.width // 2, y + size.height // 2, HOLLOW[card[1]], style)
        canvas.put(x + size.width - 1 - len(name(card)), y + size.height - 2, HOLLOW[card[1]] + rank(card), style)


def _back(canvas: Canvas, x: int, y: int, size: Size) -> None:
    canvas.fill(x, y, size.width, size.height, "card.back", "░")


def fan(
    canvas: Canvas, x: int, bottom: int, room: int, cards: tuple[Card, ...], size: Size, *, mono: bool = False
) -> int:
    """A hand whose lowest row is above `bottom`, in at most `room` rows; returns its highest row."""
    count = len(cards)
    step = size.step
    while step > 1 and size.height + step * (count - 1) > room:
        step -= 1
    if size.height + step * (count - 1) > room and size != SMALL:
        return _pack_cards(canvas, x, bottom, room, cards, size, mono=mono)
    top = bottom - size.height - step * (count - 1)
    for index, card in enumerate(cards):
        under = (count - 1 - index) % 2 == 1
        paint(canvas, x, top + step * index, card, size, mono=mono, under=under)
    return top


def _pack_cards(
    canvas: Canvas, x: int, bottom: int, room: int, cards: tuple[Card, ...], size: Size, *, mono: bool
) -> int:
    """Too many cards for their size: one to a row, or two to a row if they must."""
    each = 1 if len(cards) <= room else 2
    rows = [cards[start : start + each] for start in range(0, len(cards), each)]
    top = bottom - len(rows)
    for index, row in enumerate(rows):
        canvas.fill(x, top + index, size.width, 1, "card.under" if index % 2 else "card")
        at = x
        for card in row:
            style = ("card.under" if index % 2 else "card") + (".red" if colour(card) == "red" else "")
            canvas.put(
                at, top + index, (card[0] if each == 2 else rank(card)) + (HOLLOW if mono else SIGNS)[card[1]], style
            )
            at += 3 if size.width > 5 else 2
    return top


def chips(amount: Money) -> tuple[int, ...]:
    """The chips that make an amount, largest first; what is less than the smallest chip is not drawn."""
    found = []
    left = int(amount)
    for value in CHIPS:
        found.extend([value] * (left // value))
        left %= value
    return tuple(found)


def paint_stake(
    canvas: Canvas, x: int, width: int, y: int, amount: Money, tokens: Money, style: str, *, right: bool = False
) -> None:
    """Chips and their sum, centred or at the right; free tokens are hollow."""
    text = show(amount) if amount or not tokens else ""
    free = f"◇{show(tokens)}" if tokens else ""
    pile = chips(amount)[: max(0, min(3, width - len(text) - len(free)))] if amount else ()
    whole = len(pile) + len(text) + len(free)
    at = x + max(0, width - whole if right else (width - whole) // 2)
    for value in pile:
        canvas.put(at, y, "●", f"chip.{value}")
        at += 1
    canvas.put(at, y, text[: max(0, x + width - at)], style)
    canvas.put(at + len(text), y, free[: max(0, x + width - at - len(text))], "token")
