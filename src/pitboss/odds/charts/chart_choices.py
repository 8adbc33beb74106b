"""A decision read off a chart of totals: which of the choices that are open a chart names for the hand in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pitboss.cards import VALUE, Card
from pitboss.play.charts import WISHES
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Box, Hand

if TYPE_CHECKING:
    from pitboss.odds.charts.chart import Chart

COMMANDS: Mapping[str, type[cmd.Command]] = {
    "hit": cmd.Hit,
    "stand": cmd.Stand,
    "double": cmd.Double,
    "split": cmd.Split,
    "surrender": cmd.Surrender,
    "forfeit": cmd.Forfeit,
    "keep": cmd.Proceed,
}
"""What the wishes of a chart are at the table."""

NEVER_CHARTED = (cmd.Insure, cmd.TakeEvenMoney, cmd.Switch)
"""What charts of totals do not speak of: a player by chart leaves it alone."""


class Layout(Protocol):
    """What a chart is held against: a table's state, or what somebody sees of it."""

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards, the up card first."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes in play."""

    @property
    def turn(self) -> tuple[int, int] | None:
        """Index of box and hand that act."""


def chart_choice(chart: Chart, state: Layout, options: Sequence[cmd.Command]) -> int | None:
    """The place of the option that the chart names; none if it says nothing about this hand."""
    if any(isinstance(option, NEVER_CHARTED) for option in options):
        kept = [place for place, option in enumerate(options) if not isinstance(option, NEVER_CHARTED)]
        if all(isinstance(options[place], cmd.Proceed) for place in kept):
            return kept[0] if kept else None
    box = _box_of(state, options)
    if box is None or not state.dealer:
        return None
    hand = box.hands[state.turn[1] if state.turn is not None and state.boxes[state.turn[0]] is box else 0]
    wanted = _find_wish(chart, state, hand, options)
    for kind in wanted:
        for place, option in enumerate(options):
            if isinstance(option, kind):
                return place
    return None


def _box_of(state: Layout, options: Sequence[cmd.Command]) -> Box | None:
    """The box that the options are about."""
    number = next((str(option.box) for option in options if hasattr(option, "box")), "")
    return next((box for box in state.boxes if box.number == number), None)


def _find_wish(
    chart: Chart, state: Layout, hand: Hand, options: Sequence[cmd.Command]
) -> tuple[type[cmd.Command], ...]:
    up = VALUE[state.dealer[0]] - 1
    soft = hand.points != hand.hard
    free = any(stake.base_token for stake in hand.stakes)
    count = len(hand.cards)
    if any(isinstance(option, cmd.Forfeit) for option in options):
        return (*_commands(chart.code("rescue", hand.points, 0, up, free=free)), cmd.Proceed)
    codes = []
    if count == 2 and any(isinstance(option, cmd.Split) for option in options):
        codes.append(chart.code("pair", VALUE[hand.cards[0]], 2, up, free=free))
    codes.append(chart.code("soft" if soft else "hard", hand.points, count, up, free=free))
    code = next((code for code in codes if code), "")
    if any(isinstance(option, cmd.Proceed) for option in options) and not code.startswith("R"):
        return (cmd.Proceed,)
    return (*_commands(code), cmd.Hit, cmd.Stand) if code else ()


def _commands(code: str) -> tuple[type[cmd.Command], ...]:
    """What a code asks for, the first choice first."""
    return tuple(COMMANDS[action] for action in WISHES.get(code, ()))
