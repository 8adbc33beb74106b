"""First two cards dealt face down, where the book allows it: to whom, when they are turned, and who may see them."""

from __future__ import annotations

from pitboss.table.draft import Draft
from pitboss.table.messages import events as ev
from pitboss.table.state import Box, Hand, HandStatus, Phase, State


def face_down_boxes(state: State) -> tuple[str, ...]:
    """The boxes whose first two cards are dealt face down: all, or one for each player where the book says so."""
    if not state.house.face_down:
        return ()
    if state.rules.face_down_first_two != "manager-approval":
        return tuple(box.number for box in state.boxes)
    chosen: dict[str, str] = {}
    nominated = dict(state.house.nominated)
    for box in state.boxes:
        if box.controller not in chosen or nominated.get(box.controller) == box.number:
            chosen[box.controller] = box.number
    return tuple(box.number for box in state.boxes if chosen[box.controller] == box.number)


def show_exposed(draft: Draft) -> None:
    """Cards that must be seen at once are turned: all of them in one reading, else those with a side wager on them."""
    state = draft.state
    everything = state.rules.face_down_exposure == "after-initial-deal"
    wagered = {side.box.rstrip("ab") for side in state.sides}
    for box in state.boxes:
        if box.hands[0].face_down and (everything or str(box.area) in wagered):
            draft.emit(ev.CardsShown(box=box.number, clauses=draft.cite("face_down_first_two")))


def hidden(state: State, box: Box, hand: Hand, player: str) -> bool:
    """The hand's two cards lie face down to this player (or to the dealer and everybody else: an empty name).

    Whoever has a wager on the box sees them. They are turned over when a third card is asked for, when a natural is
    called, and when wagers are settled.
    """
    return (
        hand.face_down
        and len(hand.cards) == 2
        and not hand.doubled
        and not hand.from_split
        and hand.status in (HandStatus.OPEN, HandStatus.STOOD)
        and state.phase is not Phase.SETTLED
        and box.bettor(player) is None
    )
