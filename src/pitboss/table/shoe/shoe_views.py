"""What everybody may know of the cards, and what may be done with them now.

A view names the commitment, the cut, where the cut card was placed, how many cards are burnt and which of them were
shown; never the seed of a shoe in play, nor a card that is still to come.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from pitboss.cards import Card
from pitboss.play.shoe import cut_range, usual_cut_card
from pitboss.table.messages import commands as cmd
from pitboss.table.shoe.opening import is_cut, must_be_cut
from pitboss.table.state import CardSource, ShoeStage, State


class RevealView(msgspec.Struct, frozen=True):
    """Seed and salt of the shoe before this one, in hexadecimal."""

    number: int
    commitment: str
    seed: str
    salt: str


class ShoeView(msgspec.Struct, frozen=True):
    """The shoe as everybody sees it."""

    number: int
    source: CardSource
    stage: ShoeStage
    commitment: str
    cut_by: str
    cut_at: int | None
    cut_card: int | None
    """Cards behind the cut card when it was placed."""
    cut_card_out: bool
    asked: str
    """Who is offered the cut."""
    burnt: int
    shown: tuple[Card, ...]
    """Burnt cards that everybody saw."""
    racked: int
    due: tuple[str, ...]
    """Why the cards must be shuffled before the next round."""
    ran_out: bool
    rounds: int
    retired: RevealView | None


def shoe_view(state: State) -> ShoeView:
    """What everybody sees of the shoe."""
    shoe, origin, reveal = state.shoe, state.shoe.origin, state.revealed
    retired = None
    if reveal is not None:
        retired = RevealView(reveal.number, reveal.commitment, reveal.seed.hex(), reveal.salt.hex())
    return ShoeView(
        number=origin.number,
        source=shoe.source,
        stage=shoe.stage,
        commitment=origin.commitment,
        cut_by=origin.cutter,
        cut_at=origin.cut,
        cut_card=None if shoe.cut_card is None else len(shoe.cards) - shoe.cut_card,
        cut_card_out=bool(shoe.fell),
        asked=shoe.asked[0] if shoe.asked else "",
        burnt=len(shoe.burnt),
        shown=shoe.shown,
        racked=len(shoe.burnt) + len(shoe.discards),
        due=shoe.due,
        ran_out=shoe.out,
        rounds=shoe.rounds,
        retired=retired,
    )


def count_unseen(state: State) -> Counter[Card]:
    """The cards a player who has watched has not seen: those to come, burnt ones lying face down, a hole card."""
    shoe = state.shoe
    left = Counter(shoe.undealt)
    left.update(shoe.burnt)
    left.subtract(shoe.shown)
    if state.hole:
        left.update(state.dealer[1:2])
    return +left


def ready(state: State) -> bool:
    """The cards are in the shoe and no shuffle is due: a round may be dealt."""
    shoe = state.shoe
    return shoe.stage is ShoeStage.OPEN and not shoe.due and not shoe.dropped


def shoe_actions(state: State) -> tuple[cmd.Command, ...]:
    """What may be done with a shuffled stack: cuts in the middle, cut cards in a usual place. A shuffle is not among
    them, because it needs entropy."""
    shoe = state.shoe
    if shoe.stage is ShoeStage.OPEN or shoe.dropped:
        return ()
    found: list[cmd.Command] = []
    middle = sum(cut_range(state.rules, len(shoe.cards))) // 2
    if shoe.stage is ShoeStage.STACK and is_cut(state):
        if not shoe.offered:
            found.append(cmd.OfferCut())
        elif shoe.asked:
            found.append(cmd.Cut(by=shoe.asked[0], at=middle))
            found.append(cmd.RefuseCut(player=shoe.asked[0]))
        else:
            found.append(cmd.Cut(by=last_cutter(state), at=middle))
    skips = not is_cut(state) or (not shoe.offered and not must_be_cut(state))
    if shoe.source is not CardSource.DEVICE and (shoe.stage is ShoeStage.CUT or skips):
        found.append(cmd.PlaceCutCard(from_back=usual_cut_card(state.rules, len(shoe.cards))))
    return tuple(found)


def last_cutter(state: State) -> str:
    """The role that cuts when no player does."""
    rules = state.rules
    if rules.cut_order and rules.rank(rules.cut_order[-1]) >= 0:
        return rules.cut_order[-1]
    return rules.ladder[min(1, len(rules.ladder) - 1)].id if rules.ladder else "dealer"
