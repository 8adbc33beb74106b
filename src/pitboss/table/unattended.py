"""Whole sessions: bring the cards into play and deal round after round, for those who run a table without people.

Everything goes through `decide`, like the commands of people; there is no second way to the cards.
"""

from __future__ import annotations

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.play.shoe import usual_cut_card
from pitboss.table.decide import decide
from pitboss.table.draft import Refusal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.shoe.devices import card_at_hand
from pitboss.table.shoe.shoe_views import shoe_actions
from pitboss.table.state import CardSource, Phase, ShoeStage, State


class SessionError(PitbossError):
    """The cards cannot be brought into play as asked."""


class Opened(Struct, frozen=True):
    """A table whose cards are in play again, and the events that brought them there."""

    state: State
    events: tuple[ev.Event, ...]


def needs_shuffle(state: State) -> bool:
    """The cards must be shuffled before anything else is dealt."""
    shoe = state.shoe
    if shoe.stage is not ShoeStage.OPEN:
        return False
    if state.phase is Phase.BETTING:
        return bool(shoe.due) or (shoe.source is CardSource.STACKED and not shoe.left)
    stuck = state.phase is Phase.TURNS and state.turn is not None and not card_at_hand(state)
    return shoe.out or (stuck and shoe.source is not CardSource.STACKED)


def open_shoe(state: State, entropy: bytes, cut_at: int | None = None, from_back: int | None = None) -> Opened:
    """Shuffle, have the cards cut and fill the shoe.

    With `cut_at` the first player who is asked cuts there; without, everybody declines and the role that must cut does
    so in the middle. The cut card goes `from_back` cards from the back, or to a usual place.
    """
    log: list[ev.Event] = []
    state = _do(state, cmd.Shuffle(entropy=entropy), log)
    while state.shoe.stage is not ShoeStage.OPEN:
        command = _next(state, cut_at, from_back)
        state = _do(state, command, log)
    return Opened(state, tuple(log))


def _next(state: State, cut_at: int | None, from_back: int | None) -> cmd.Command:
    actions = shoe_actions(state)
    offers = [action for action in actions if isinstance(action, cmd.OfferCut)]
    if offers:
        return offers[0]
    for action in actions:
        if isinstance(action, cmd.Cut):
            if cut_at is not None:
                return cmd.Cut(by=action.by, at=cut_at)
            if state.shoe.asked:
                return cmd.RefuseCut(player=action.by)
            return action
    usual = usual_cut_card(state.rules, len(state.shoe.cards))
    return cmd.PlaceCutCard(from_back=usual if from_back is None else from_back)


def _do(state: State, command: cmd.Command, log: list[ev.Event]) -> State:
    answer = decide(state, command)
    if isinstance(answer, Refusal):
        raise SessionError(answer.why)
    log.extend(answer.events)
    return answer.state
