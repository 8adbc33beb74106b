"""What a table waits for, as far as clocks and people who are ready are concerned."""

from __future__ import annotations

from pitboss.table.state import Phase, State


def name_wait(state: State) -> tuple[object, ...]:
    """What a table waits for: when it changes, clocks start again and nobody is ready any more."""
    if state.phase is Phase.BETTING:
        shoe = state.shoe
        return state.round, state.phase, bool(state.bets), shoe.stage, shoe.asked, bool(shoe.due)
    return state.round, state.phase, state.turn, state.pending, state.shoe.position
