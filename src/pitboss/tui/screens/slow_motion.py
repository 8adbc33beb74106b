"""What the eye sees of a table: states that wait to be shown one after another, at a pace it can follow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from pitboss.table import evolve
from pitboss.table.messages import events as ev
from pitboss.table.state import State
from pitboss.tui.session.session import SessionRound

SHOWN_EVENTS = (
    ev.InitialDeal, ev.CardDrawn, ev.DealerDrew, ev.HandSplit, ev.Switched, ev.Doubled, ev.WagerSettled, ev.SideSettled,
    ev.BetPlaced, ev.CutCardPlaced, ev.CardsBurnt, ev.InsurancePlaced,
)  # fmt: skip
"""Events after which the eye gets a moment."""


class SlowMotion:
    """The state on show, and those that wait."""

    def __init__(self, state: State, *, pace: float) -> None:
        self.shown = state
        self.pending: deque[State] = deque()
        self.pace = pace

    def show(self, state: State) -> None:
        """Show the table as it stands; nothing waits any more."""
        self.pending.clear()
        self.shown = state

    def queue(self, before: State, happened: Iterable[ev.Event], after: State) -> None:
        """Let what happened be seen step by step; at no pace, only what it led to."""
        if not self.pace:
            self.shown = after
            return
        for event in happened:
            before = evolve(before, event)
            if isinstance(event, SHOWN_EVENTS):
                self.pending.append(before)
        self.pending.append(after)

    def queue_deal(self, played: SessionRound, after: State) -> None:
        """Show a round from the close of betting on."""
        happened = [event for step in played.steps for event in step.events]
        closed = next((at for at, event in enumerate(happened) if isinstance(event, ev.BetsClosed)), 0)
        before = played.opened
        for event in happened[:closed]:
            before = evolve(before, event)
        self.queue(before, happened[closed:], after)

    def step(self) -> bool:
        """Show the next state that waits; False if none waits after it."""
        if self.pending:
            self.shown = self.pending.popleft()
        return bool(self.pending)
