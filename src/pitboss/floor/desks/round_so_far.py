"""A round as whoever has it put right needs it: what was decided in it, which card was keyed when, how a deal falls.

An error is pointed at instead of being counted out: a decision by its box and number, a card by its number, the places
of the initial deal in their order.
"""

from __future__ import annotations

import msgspec

from pitboss.cards import Card, add_up
from pitboss.floor.desks.dealer_steps import name_card
from pitboss.records.narrate.settlements import place_words, total_words
from pitboss.table import Refusal, decide
from pitboss.table.floor_state import Deed
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import words
from pitboss.table.orders.rebuild import ASK, SHOULD, find_decisions
from pitboss.table.round.dealing import places_of_deal
from pitboss.table.state import CardSource, Phase, State


class PastDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of this round, as an order names it."""

    box: str
    """The box; for a switch the area."""
    number: int
    """Which decision of that box it was, from 1."""
    say: str


class RoundSoFar(msgspec.Struct, frozen=True, kw_only=True):
    """What orders about this round can point at."""

    decisions: tuple[PastDecision, ...]
    should: tuple[str, ...]
    """What a decision can have been meant to be; `ask` if the player was never asked."""
    places: tuple[str, ...]
    """Where the cards of the initial deal fall, in order."""
    cards: tuple[Card, ...]
    """The cards of this round that were keyed in, in order; none where a machine deals."""


def describe_round(state: State) -> RoundSoFar:
    """What orders about the round on the table can point at."""
    boxes = dict.fromkeys(deed.box for deed in state.deeds if deed.box)
    decisions = [
        PastDecision(box=box, number=number, say=_tell_decision(state, state.deeds[place]))
        for box in boxes
        for number, place in enumerate(find_decisions(state, state.deeds, box), 1)
    ]
    keyed = state.shoe.source is CardSource.KEYED and state.opening is not None
    cards = state.shoe.cards[state.opening.shoe.position :] if keyed and state.opening is not None else ()
    return RoundSoFar(decisions=tuple(decisions), should=(ASK, *SHOULD), places=_list_places(state), cards=tuple(cards))


def _list_places(state: State) -> tuple[str, ...]:
    if state.phase is not Phase.BETTING:
        return places_of_deal(state)
    dealt = decide(state, cmd.Deal())
    return () if isinstance(dealt, Refusal) else places_of_deal(dealt.state)


def _tell_decision(state: State, deed: Deed) -> str:
    did = "no switch" if isinstance(deed.command, cmd.Proceed) else words(deed.command).split()[1]
    against = f" against {name_card(deed.up)}" if deed.up else ""
    if isinstance(deed.command, cmd.Switch | cmd.Proceed):
        where, has = f"boxes {deed.box}a and {deed.box}b", ""
    else:
        where, has = place_words(state, deed.box, deed.hand + 1), f", {total_words(*add_up(deed.cards))}"
    return f"{where[:1].upper()}{where[1:]}{has}{against}: {did}."
