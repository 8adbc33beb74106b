"""What a player is told on sitting down: choices of the house that the book wants every player to know of."""

from __future__ import annotations

from pitboss.table.draft import Draft
from pitboss.table.messages import events as ev


def show_notices(draft: Draft, player: str) -> None:
    """Show a player who is new at the table the notices of the options that are on."""
    rules = draft.state.rules
    shown = [notice for notice in rules.notices.values() if notice.option and rules.options.get(notice.option)]
    if not shown or any(arrival.player == player for arrival in draft.state.arrivals):
        return
    for notice in shown:
        draft.emit(ev.NoticeShown(player=player, notice=notice.id, text=notice.text, clauses=notice.clauses))
