"""What the choices of a question are worth, and what decisions have cost, by the session's advisor.

Expectations are in units of the wager of the box. A decision costs what the best choice was worth above the one that
was taken, for exactly the cards that were left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pitboss.money import Money
from pitboss.table import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.state import State
from pitboss.tui.session.choices import Choice
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.player_log import write_suits
from pitboss.tui.session.session import Unweighed, belongs_to, find_box, goes_along

WORTH_NAMING = 0.00005
"""A cost below this, in units of the wager, is none."""


class PricedOptions(NamedTuple):
    """The options of a decision that was taken, with the worth of those that have one."""

    options: Sequence[cmd.Command]
    values: Mapping[int, float]
    """By the place of the option."""
    taken: int
    best: int
    unit: Money
    """The wager that the values are shares of."""

    @property
    def cost(self) -> float:
        """What the decision cost, in units."""
        return max(0.0, self.values[self.best] - self.values[self.taken])


def about(state: State, box: str) -> str:
    """The hand that is decided about, in words."""
    index = state.box_index(box)
    if index < 0 or not state.dealer:
        return ""
    hands = state.boxes[index].hands
    at = state.turn[1] if state.turn is not None and state.turn[0] == index else 0
    return write_suits(f"Box {box}: {' '.join(hands[at].cards)} against {state.dealer[0]}")


def unit_of(state: State, box: str, player: str) -> Money:
    """The wager of a player on a box."""
    index = state.box_index(box)
    bettor = state.boxes[index].bettor(player) if index >= 0 else None
    return bettor.stake if bettor is not None else Money(1)


def money_text(value: float, unit: Money) -> str:
    """A worth in units as money: `-5.40`."""
    return f"{value * float(unit):+.2f}"


def name_choice(choice: Choice) -> str:
    """A choice with its price: `double 10`."""
    return f"{choice.name} {choice.detail}".strip()


def price_choices(live: LiveSession, ask: Ask, seconds: float | None) -> Mapping[int, float] | None:
    """What the choices of a question are worth, by their places; none if nobody can say in that time."""
    player = live.session.me if ask.kind is MoveKind.JOIN else ""
    return live.advisor.values(live.session.state, [choice.command for choice in ask.choices], seconds, player)


# ---------------------------------------------------------------------- weighing


def weigh_next(live: LiveSession, seconds: float | None = 0) -> bool:
    """Weigh one decision that has not been weighed yet; False if none is left or nobody can in that time."""
    for unweighed in live.session.unweighed:
        found = cost_of(live, unweighed, seconds)
        if found is not None:
            live.weigh(unweighed.index, *found)
            return True
    return False


def cost_of(live: LiveSession, unweighed: Unweighed, seconds: float | None) -> tuple[float, str] | None:
    """What a decision cost in money, and what would have been best; none if nobody can say."""
    priced = price_options(live, unweighed.state, unweighed.command, seconds)
    if priced is None:
        return None
    return priced.cost * float(priced.unit), _name_best(priced, unweighed, live.session.me)


def price_options(live: LiveSession, state: State, command: cmd.Command, seconds: float | None) -> PricedOptions | None:
    """What could have been done instead of a command, and what each was worth; none if nobody can say."""
    me = live.session.me
    along = goes_along(state, command, me)
    options: list[cmd.Command] = [*along] or [
        command for command in legal(state) if belongs_to(state, command, me) or isinstance(command, cmd.Proceed)
    ]
    options = [command for command in options if not isinstance(command, cmd.DrawPrize | cmd.PlayAbsent)]
    taken = next((at for at, option in enumerate(options) if _same(option, command)), None)
    if taken is None:
        options.append(command)
        taken = len(options) - 1
    values = live.advisor.values(state, options, seconds, me if along else "")
    if not values or taken not in values:
        return None
    best = max(values, key=lambda place: (values[place], not isinstance(options[place], cmd.Proceed)))
    unit = unit_of(state, find_box(state, command, me), me)
    return PricedOptions(options, values, taken, best, unit)


def _name_best(priced: PricedOptions, unweighed: Unweighed, me: str) -> str:
    """What would have been best, as it is told after the decision."""
    along = goes_along(unweighed.state, unweighed.command, me)
    best = priced.options[priced.best]
    if along:
        return f"to {name_option(best)} along" if best == along[0] else "to stay behind"
    if priced.best != priced.taken and type(best) is type(unweighed.command):
        return f"{name_option(best)} for more"
    return name_option(best)


def _same(option: cmd.Command, taken: cmd.Command) -> bool:
    """The same choice, whoever goes along with it."""
    if type(option) is not type(taken) or getattr(option, "box", "") != getattr(taken, "box", ""):
        return False
    if isinstance(option, cmd.Double) and isinstance(taken, cmd.Double):
        return set(option.amounts) <= set(taken.amounts)
    return getattr(option, "amount", None) == getattr(taken, "amount", None)


def name_option(command: cmd.Command) -> str:
    """An option as a word: `hit`, `continuing`."""
    name = str(type(command).__struct_config__.tag)
    return {"proceed": "continuing", "even-money": "even money", "forfeit": "take back"}.get(name, name)
