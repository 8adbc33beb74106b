"""What the choices of a hand are worth for the cards that are left.

The odds and what compiles them are loaded only where they are put to work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pitboss.cards import Card, decks, parse_cards
from pitboss.errors import PitbossError
from pitboss.money import ZERO, Money
from pitboss.play.drawing import absent_draws
from pitboss.play.insurance import insurance_halves
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Refusal, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import name_of
from pitboss.table.meters import PICK_ONE_IN, default_meters
from pitboss.table.shoe.shoe_views import count_unseen
from pitboss.table.state import HandStatus, Pending, Phase, State
from pitboss.tui.session.setup import DEFAULT_LIMITS

NO_HAND = ("insure", "even-money", "surrender", "switch", "leave", "forfeit")
"""Actions that are not the play of a hand: the rest is what going on with it is worth."""


# ---------------------------------------------------------------------- hands


def usual_hand(rules: Rules) -> tuple[State, tuple[cmd.Command, ...]]:
    """A hand of a game as it might be dealt from a whole shoe, 16 against a 7, and what can be done with it."""
    cards = list(decks(rules.decks, rules.deck_cards))
    first = parse_cards("Ks Kh 7d 6s 6h" if rules.boxes_per_area == 2 else "Ks 7d 6s")
    for card in first:
        cards.remove(card)
    state = open_table(rules)
    bet = cmd.PlaceBet(box="1", player="somebody", amount=Money(1), seated=True)
    for command in (cmd.LoadShoe(cards=(*first, *cards)), bet, cmd.Deal()):
        answer = decide(state, command)
        if isinstance(answer, Refusal):
            raise PitbossError(answer.reason)
        state = answer.state
    return state, legal(state)


def hand_values(state: State, options: Sequence[cmd.Command], player: str = "") -> dict[int, float]:
    """What options are worth for the cards that are left, by their place, in units of the wager of their box.

    They are so to who calls the box, unless a player is named who shares it. All are on one scale: the play of the hand
    that the first is about. An offer counts as that play and what the offer adds to it; so do a switch and what is
    offered to another box. Options nobody can price are left out.
    """
    from pitboss.odds.advice.advise import advise

    left = count_unseen(state)
    known: dict[str | None, ChoiceWorths] = {}
    first: str | None = next((str(option.box) for option in options if hasattr(option, "box")), None)
    if first is None and state.turn is not None:
        first = state.boxes[state.turn[0]].number
    found = {}
    for place, option in enumerate(options):
        box = str(getattr(option, "box", "")) or first
        if box not in known:
            advice = advise(state, left, box)
            known[box] = ChoiceWorths({**_open_turn(state, left, box), **advice.actions}, advice.riding)
        worth = _worth(state, option, known[box], player)
        if worth is not None:
            own = 0.0 if box == first else _going_on(state, known[first]) - _going_on(state, known[box])
            found[place] = worth + own
    return found


class ChoiceWorths(NamedTuple):
    """What the actions of a box are worth to who calls it, and to one who shares it and does not go along."""

    actions: Mapping[str, float]
    riding: Mapping[str, float]


def _going_on(state: State, worths: ChoiceWorths) -> float:
    """What a hand is worth if nothing is taken that is offered now; after the offers a switch is still to come."""
    actions = worths.actions
    played = _play_choice(actions)
    return played + max(0.0, _price_switch(actions)) if state.phase is Phase.OFFERS else played


def _play_choice(actions: Mapping[str, float]) -> float:
    return max((worth for name, worth in actions.items() if name not in NO_HAND), default=0.0)


def _price_switch(actions: Mapping[str, float]) -> float:
    """What a switch changes."""
    return actions.get("switch", 0.0) - actions.get("leave", 0.0)


def _open_turn(state: State, left: Mapping[Card, int], box: str | None) -> Mapping[str, float]:
    """What the hand of a box will be able to do once the offers are over, where they come before its turn.

    Where the dealer looks at a hole card in between, that is another matter.
    """
    from pitboss.odds.advice.advise import advise

    index = state.box_index(box or "")
    if state.phase is not Phase.OFFERS or index < 0 or state.hole:
        return {}
    if state.boxes[index].hands[0].status is not HandStatus.OPEN:
        return {}
    return advise(replace(state, phase=Phase.TURNS, turn=(index, 0)), left, box).actions


def _worth(state: State, option: cmd.Command, worths: ChoiceWorths, player: str) -> float | None:
    """One option on the scale of its hand."""
    actions = worths.actions
    going_on = _going_on(state, worths)
    match option:
        case cmd.Proceed():
            return actions.get("stand") if state.pending is Pending.RESCUE else going_on
        case cmd.Insure():
            return going_on + actions["insure"] * _share(state, option) if "insure" in actions else None
        case cmd.Switch():
            return _play_choice(actions) + _price_switch(actions) if "switch" in actions else None
        case cmd.Double():
            return _double(state, option, worths, player)
        case cmd.Split():
            along = player in ("", state.boxes[state.box_index(option.box)].controller, *option.players)
            return (actions if along else worths.riding).get("split")
        case cmd.PlayAbsent():
            return _price_absent(state, option, actions)
    return actions.get(name_of(option))


def _price_absent(state: State, option: cmd.PlayAbsent, actions: Mapping[str, float]) -> float | None:
    """A hand that the dealer plays for the box: where no card is drawn to it, it stands."""
    box = state.boxes[state.box_index(option.box)]
    hand = box.hands[0]
    if len(box.hands) > 1 or absent_draws(state.packed, hand.hard, hand.aces):
        return None
    return actions.get("stand")


def _share(state: State, option: cmd.Insure) -> float:
    """Insurance as a share of the largest there is."""
    bettor = state.boxes[state.box_index(option.box)].bettor(option.player)
    most = (float(bettor.stake) if bettor is not None else 1.0) * insurance_halves(state.packed) / 2
    return float(option.amount) / most if most else 0.0


def _double(state: State, option: cmd.Double, worths: ChoiceWorths, player: str) -> float | None:
    """A double in full, for less, or by others while the player's own wager only takes the card."""
    box = state.boxes[state.box_index(option.box)]
    player = player or box.controller
    bettor = box.bettor(player)
    full, riding = worths.actions.get("double"), worths.riding.get("double")
    if bettor is None or full is None:
        return full
    amount = (dict(option.amounts) or {box.controller: bettor.stake}).get(player, ZERO)
    if amount == bettor.stake:
        return full
    return None if riding is None else riding + float(amount) / float(bettor.stake) * (full - riding)


# ---------------------------------------------------------------------- side wagers


def price_offered_side(rules: Rules, wager: str) -> float | None:
    """The house's edge on a side wager at the minimum, for who plays for it, with the meters where they start."""
    from pitboss.odds.sides import side_odds

    side = rules.side_wager(wager)
    if side is None:
        return None
    meters = {name: meter.value for name, meter in default_meters(rules).items() if name in side.meters}
    picks = {name: Fraction(1, one_in) for name, one_in in PICK_ONE_IN.items() if name in JUDGES[side.judge].picks}
    stake = DEFAULT_LIMITS.minimum or Money(1)
    return float(side_odds(rules, wager, meter=meters or None, picks=picks or None, stake=stake).house_edge)
