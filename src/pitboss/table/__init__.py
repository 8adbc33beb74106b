"""One table, sans-IO: commands in, events out, an immutable state between them.

`decide(state, command)` answers with events or a `Refusal`; `evolve(state, event)` folds an event into the state;
`legal(state)` lists what may be done. All three are pure. What belongs here: bets and boxes, the deal, offers, turns,
the dealer's hand, settlement, side wagers, irregularities, what each observer may see. What does not: clocks, sockets,
files, other tables, and the arithmetic of hands, which is `play`.
"""

from __future__ import annotations

from pitboss.money import ZERO, Money
from pitboss.play.packed import pack
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.decide import attempt, decide
from pitboss.table.draft import Refusal
from pitboss.table.evolve import evolve
from pitboss.table.legal import legal, legal_words
from pitboss.table.notation import words
from pitboss.table.orders import order_words as order_words
from pitboss.table.orders.floor_state import FloorState
from pitboss.table.state import Limits, Meter, Phase, Settlement, State

__all__ = [
    "FloorState", "Limits", "Meter", "Phase", "Refusal", "Settlement", "State",
    "attempt", "decide", "evolve", "legal", "legal_words", "open_table", "results", "words",
]  # fmt: skip


def open_table(
    rules: Rules,
    limits: Limits | None = None,
    meters: dict[str, Meter] | None = None,
    floor: FloorState | None = None,
) -> State:
    """A table with these rules, before the first wager; `floor` holds standing orders from before."""
    return State(
        rules=rules, packed=pack(rules), limits=limits or Limits(), meters=meters or {}, floor=floor or FloorState()
    )


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
