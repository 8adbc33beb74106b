"""The round before, put right while the next one has no card yet.

Where the book gives that much time, an order that rebuilds a round or declares it void reaches the round that has just
ended. Wagers already placed for the next round wait, and lie there again once it is over.
"""

from __future__ import annotations

from pitboss.table.draft import Draft
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.round.finish import next_round
from pitboss.table.state import Phase, State

MENDING = (cmd.Void, od.Reconstruct, od.ForfeitWagers)
"""Orders that can be about the round before."""


def is_about_past(state: State, command: cmd.Command) -> bool:
    """An order between two rounds that puts the last one right, in time."""
    in_time = state.rules.reconstruct_until == "next-round"
    return isinstance(command, MENDING) and state.phase is Phase.BETTING and state.past is not None and in_time


def reopen(draft: Draft) -> None:
    """Reopen the round before."""
    draft.emit(ru.RoundReopened(clauses=draft.cite("reconstruct_until")))


def close_again(draft: Draft) -> None:
    """Betting goes on at once if the round that was put right asks nobody anything."""
    if draft.state.waiting is not None and draft.state.phase is Phase.SETTLED:
        next_round(draft)
