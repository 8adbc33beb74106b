"""The log that people at a table read: what happened in sentences, as everybody may know it, each with its clauses.

The words are those of records. What lies face down to everybody is not told: a sentence about such a hand waits until
its cards are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.floor.live_table import TableEvent
from pitboss.floor.visibility import visible
from pitboss.money import Money
from pitboss.records.narrate.table_events import Around, tell_one
from pitboss.table import evolve
from pitboss.table.messages import events as ev
from pitboss.table.orders.rulings import Ruled
from pitboss.table.shoe.face_down import hidden
from pitboss.table.state import State
from pitboss.table.views import FACE_DOWN, Observer, Viewer

SPECTATOR = Observer(Viewer.SPECTATOR)
NOT_TOLD = (ev.Asked, ev.NoticeShown, ev.CardAwaited)
"""What is asked shows in what follows from it; notices are for one player."""

SAID_BY_WHAT_FOLLOWS = ("no-more-bets",)
"""Orders whose effect is told in a line of its own."""


class SaidLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the log."""

    text: str
    clauses: tuple[str, ...] = ()
    box: str = ""
    player: str = ""
    net: Money | None = None
    """What a player has won or lost by it, where a wager is decided."""
    kind: str = ""
    """The event that it tells."""


def tell_table(before: State | None, events: tuple[Any, ...]) -> list[SaidLine]:
    """What happened in one decision; `before` is the table before the first of its events."""
    said: list[SaidLine] = []
    state = before
    for event in events:
        if isinstance(event, TableEvent | ev.TableOpened) or state is None:
            continue
        after = evolve(state, event)
        if not isinstance(event, NOT_TOLD):
            said += _tell_event(Around(state, after), event)
        state = after
    return said


def _tell_event(around: Around, event: Any) -> Iterator[SaidLine]:
    shown: Any = visible(event, around.before, SPECTATOR)
    if shown is None:
        return
    if isinstance(event, Ruled) and event.words.split()[1] in SAID_BY_WHAT_FOLLOWS:
        return
    kind = str(type(event).__struct_config__.tag)
    box = str(getattr(event, "box", ""))
    if isinstance(event, ev.InitialDeal) and FACE_DOWN in shown.cards[: 2 * len(around.after.boxes) + 1]:
        yield SaidLine("The cards are dealt face down.", event.clauses, kind=kind)
        return
    if box and _lies_hidden(around.after, box):
        return
    settlement = getattr(event, "settlement", None)
    names = {arrival.player for arrival in around.after.arrivals} | {bet.player for bet in around.after.bets}
    for sentence, clauses in tell_one(around, shown if isinstance(event, Ruled) else event):
        first = sentence.partition(" ")[0].rstrip(",")
        opening = sentence if first in names else f"{sentence[:1].upper()}{sentence[1:]}"
        yield SaidLine(
            text=f"{write_signs(opening)}.",
            clauses=clauses,
            box=box or ("" if settlement is None else settlement.box),
            player=str(getattr(event, "player", "") if settlement is None else settlement.player),
            net=None if settlement is None else settlement.net,
            kind=kind,
        )


def _lies_hidden(state: State, number: str) -> bool:
    index = state.box_index(number)
    return index >= 0 and any(hidden(state, state.boxes[index], hand, "") for hand in state.boxes[index].hands)


SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_CARD = re.compile(r"(?<![\w-])([A23456789TJQK])([shdc])(?![\w-])")


def write_signs(text: str) -> str:
    """A sentence with the cards of records written with their signs: `Th` becomes `10♥`."""
    return _CARD.sub(lambda found: f"{'10' if found[1] == 'T' else found[1]}{SIGNS[found[2]]}", text)
