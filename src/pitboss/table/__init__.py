"""One table, sans-IO: commands in, events out, an immutable state between them.

`decide(state, command)` answers with a `Decision` (events, and the state after them) or a `Refusal`;
`evolve(state, event)` folds an event into the state, `fold_log(log)` a whole log; `legal(state)` lists what may be
done. All of them are pure. What belongs here: bets and boxes, the deal, offers, turns,
the dealer's hand, settlement, side wagers, irregularities, what each observer may see. What does not: clocks, sockets,
files, other tables, and the arithmetic of hands, which is `play`.
"""

from __future__ import annotations

from pitboss.errors import PitbossError
from pitboss.money import ZERO, Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.decide import Decision, decide
from pitboss.table.draft import Refusal
from pitboss.table.evolve import evolve, fold_log, open_from
from pitboss.table.floor_state import FloorState
from pitboss.table.legal import legal, legal_words
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import Asker
from pitboss.table.messages.notation import words
from pitboss.table.orders import order_words as order_words
from pitboss.table.round.sign import find_layout_fault, find_sign_fault
from pitboss.table.state import Limits, Meter, Phase, Settlement, SideLimit, State

__all__ = [
    "Asker", "Decision", "FloorState", "Limits", "Meter", "OpeningError", "Phase", "Refusal", "Settlement", "SideLimit",
    "State", "begin_log", "decide", "evolve", "fold_log", "legal", "legal_words", "open_table", "results", "words",
]  # fmt: skip


class OpeningError(PitbossError):
    """A table cannot open with this sign, or on this layout."""


def begin_log(
    rules: Rules,
    limits: Limits | None = None,
    meters: dict[str, Meter] | None = None,
    floor: FloorState | None = None,
    places: int = 0,
) -> ev.TableOpened:
    """The first event of a table's log: it opens with these rules; `floor` holds standing orders from before.

    `places` is the number of boxes on the layout, if it has fewer than the book allows.
    """
    limits = limits or Limits()
    if fault := find_sign_fault(rules, limits) or find_layout_fault(rules, places):
        raise OpeningError(f"the table cannot open: {fault}")
    return ev.TableOpened(
        rules=rules, limits=limits, meters=meters or {}, floor=floor or _open_floor(rules), places=places
    )


def _open_floor(rules: Rules) -> FloorState:
    """The standing orders that the house's choices stand for."""
    return FloorState(leave_required=bool(rules.options.get("leave_required", False)))


def open_table(
    rules: Rules,
    limits: Limits | None = None,
    meters: dict[str, Meter] | None = None,
    floor: FloorState | None = None,
    places: int = 0,
) -> State:
    """A table with these rules, before the first wager; `floor` and `places` are as for `begin_log`."""
    return open_from(begin_log(rules, limits, meters, floor, places))


def results(state: State) -> dict[tuple[str, str, str], Money]:
    """What each player gained or lost, by box, player and wager: a line for every wager placed."""
    pair = state.rules.boxes_per_area == 2
    found: dict[tuple[str, str, str], Money] = {}
    placed = [(bet.box, bet.player, bet.wager) for bet in state.bets]
    for number, player, wager in (*placed, *state.trouble.turned_away):
        boxes: tuple[str, ...] = (number,)
        if pair and wager == "main" and number.isdigit():
            boxes = (f"{number}a", f"{number}b")
        for box in boxes:
            found[box, player, wager] = ZERO
    for settled in state.settlements:
        key = (settled.box, settled.player, settled.wager)
        found[key] = found.get(key, ZERO) + settled.net
    return found
