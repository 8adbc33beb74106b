"""From the shuffle to the open shoe, as a session goes through it: who sits down, who cuts, where the cut card goes.

The table decides what is allowed and what follows; here only the dealer's next move is named, or the player is asked
to cut.
"""

from __future__ import annotations

import msgspec

from pitboss.play.shoe import cut_range, usual_cut_card
from pitboss.table.messages import commands as cmd
from pitboss.table.shoe.draws import draw_number
from pitboss.table.shoe.opening import is_cut
from pitboss.table.shoe.shoe_views import last_cutter
from pitboss.table.state import CardSource, Phase, ShoeStage, State
from pitboss.tui.session import chance
from pitboss.tui.session.setup import Setup


class CutQuestion(msgspec.Struct, frozen=True):
    """The player is asked to cut: so many cards, and from where to where the cut may lie."""

    cards: int
    least: int
    most: int


def shoe_move(setup: Setup, state: State) -> cmd.Command | CutQuestion | None:
    """The next thing to be done with people and cards before a round; none if the shoe is ready."""
    if state.phase is not Phase.BETTING:
        ran_out = state.shoe.out and state.shoe.stage is ShoeStage.OPEN and not state.shoe.left
        return cmd.Shuffle(entropy=_entropy(setup, state)) if ran_out else _opening(setup, state)
    if (arrival := _arrival(setup, state)) is not None:
        return arrival
    unshuffled = state.shoe.source is CardSource.STACKED and not state.shoe.left
    if unshuffled or state.shoe.due:
        return cmd.Shuffle(entropy=_entropy(setup, state))
    return _opening(setup, state)


def _arrival(setup: Setup, state: State) -> cmd.Arrive | None:
    """Everybody sits down before the first cards are shuffled, the player first."""
    there = {arrival.player for arrival in state.arrivals}
    people = [(setup.player, setup.box), *((robot.name, robot.box) for robot in setup.robots)]
    return next((cmd.Arrive(player=name, box=box) for name, box in people if name not in there), None)


def _opening(setup: Setup, state: State) -> cmd.Command | CutQuestion | None:
    shoe = state.shoe
    if shoe.stage is ShoeStage.OPEN or shoe.source is CardSource.STACKED:
        return None
    if shoe.stage is ShoeStage.STACK and is_cut(state):
        if shoe.offered:
            return _cut(setup, state)
        if state.rules.cut_order or state.rules.cut_mandatory:
            return cmd.OfferCut()
    return cmd.PlaceCutCard(from_back=usual_cut_card(state.rules, len(state.shoe.cards)))


def _cut(setup: Setup, state: State) -> cmd.Command | CutQuestion:
    least, most = cut_range(state.rules, len(state.shoe.cards))
    if state.shoe.asked and state.shoe.asked[0] == setup.player:
        return CutQuestion(len(state.shoe.cards), least, most)
    source = chance.seed_stream(setup.seed, "cut", state.shoe.origin.number, len(state.shoe.asked))
    at = least + draw_number(most - least + 1, source)
    if state.shoe.asked:
        return cmd.Cut(by=state.shoe.asked[0], at=at)
    return cmd.Cut(by=last_cutter(state), at=at)


def _entropy(setup: Setup, state: State) -> bytes:
    return chance.entropy(setup.seed, "shoe", state.shoe.origin.number + 1)
