"""A seat at the table: what one box (an area at Switch) sees of the table's state, and what it may do now.

Nothing is decided here: what may be done is what `table.legal` lists, put into the numbers of `fields`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pitboss.cards import VALUE, Card
from pitboss.envs.fields import (
    BOX,
    CARDS,
    DOUBLED,
    DTYPE,
    FIELDS,
    FIRST_CARD,
    FROM_SPLIT,
    HAND,
    HANDS,
    INSURED,
    OTHER_FIRST_CARD,
    OTHER_SECOND_CARD,
    OTHER_TOTAL,
    SECOND_CARD,
    SEEN,
    SOFT,
    STAGE,
    SUITED,
    TOTAL,
    UP_CARD,
    Action,
    Stage,
)
from pitboss.table.legal import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.round.dealing import may_surrender_now
from pitboss.table.shoe.shoe_folds import on_layout
from pitboss.table.state import Box, CardSource, Hand, Pending, Phase, State

ACTIONS: dict[type[cmd.Command], Action] = {
    cmd.Proceed: Action.PROCEED,
    cmd.Hit: Action.HIT,
    cmd.Stand: Action.STAND,
    cmd.Double: Action.DOUBLE,
    cmd.Split: Action.SPLIT,
    cmd.Surrender: Action.SURRENDER,
    cmd.Insure: Action.INSURE,
    cmd.TakeEvenMoney: Action.EVEN_MONEY,
    cmd.Forfeit: Action.FORFEIT,
    cmd.Switch: Action.SWITCH,
}
OPEN_AT: dict[Stage, frozenset[Action]] = {
    Stage.OFFERS: frozenset((Action.PROCEED, Action.INSURE, Action.EVEN_MONEY, Action.SURRENDER)),
    Stage.TURN: frozenset((Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER, Action.SWITCH)),
    Stage.SWITCH: frozenset((Action.PROCEED, Action.SWITCH)),
    Stage.RESCUE: frozenset((Action.PROCEED, Action.FORFEIT)),
}
"""What a stage asks about. The table also lists what could be done after an offer has passed; one thing at a time."""


def stage_of(state: State, area: int) -> Stage:
    """What this seat has to decide."""
    if state.phase is Phase.OFFERS:
        return Stage.OFFERS if any(True for _ in _offers(state, area)) else Stage.OVER
    if state.phase is not Phase.TURNS or state.turn is None or state.boxes[state.turn[0]].area != area:
        return Stage.OVER
    if state.pending is Pending.SWITCH:
        return Stage.SWITCH
    return Stage.RESCUE if state.pending is Pending.RESCUE else Stage.TURN


def moves(state: State, area: int) -> dict[Action, cmd.Command]:
    """What this seat may do now, and the command for it. Empty if it has nothing to decide."""
    stage = stage_of(state, area)
    if stage is Stage.OVER:
        return {}
    if stage is Stage.OFFERS:
        found: Iterator[cmd.Command] = iter((cmd.Proceed(), *_offers(state, area)))
    else:
        found = (command for command in legal(state) if _is_of(command, area) and _is_of_turn(state, command))
    allowed: dict[Action, cmd.Command] = {}
    for command in found:
        action = ACTIONS.get(type(command))
        if action is not None and action in OPEN_AT[stage]:
            allowed.setdefault(action, command)
    return allowed


def _offers(state: State, area: int) -> Iterator[cmd.Command]:
    """What is on offer to this seat; a surrender that waits for its turn is not."""
    for command in legal(state):
        if isinstance(command, cmd.Surrender) and not may_surrender_now(
            state, state.boxes[state.box_index(command.box)]
        ):
            continue
        if isinstance(command, cmd.Insure | cmd.TakeEvenMoney | cmd.Surrender) and _is_of(command, area):
            yield command


def _is_of(command: cmd.Command, area: int) -> bool:
    place = getattr(command, "box", None) or getattr(command, "area", None)
    return place is None or str(place).rstrip("ab") == str(area)


def _is_of_turn(state: State, command: cmd.Command) -> bool:
    """The command is about the box whose turn it is, or about no box: the other box of an area is asked on its own."""
    assert state.turn is not None
    return getattr(command, "box", None) in (None, state.boxes[state.turn[0]].number)


# Seeing -------------------------------------------------------------------------------------------------


def observe(state: State, area: int) -> np.ndarray[Any, Any]:
    """The table as this seat sees it."""
    seen = np.zeros(len(FIELDS), DTYPE)
    stage = stage_of(state, area)
    boxes = [box for box in state.boxes if box.area == area]
    at, place = 0, 0
    if stage in (Stage.TURN, Stage.RESCUE) and state.turn is not None:
        at, place = boxes.index(state.boxes[state.turn[0]]), state.turn[1]
    box = boxes[at]
    seen[STAGE] = stage
    seen[UP_CARD] = VALUE[state.dealer[0]]
    _show_hand(seen, box.hands[place])
    seen[HAND], seen[HANDS], seen[BOX] = place + 1, len(box.hands), at + 1
    seen[INSURED] = int(any(bettor.insurance is not None for bettor in box.bettors))
    if len(boxes) == 2:
        _show_other(seen, boxes[1 - at])
    for card in _cards_out(state):
        seen[SEEN + VALUE[card] - 1] += 1
    if state.hole:
        seen[SEEN + VALUE[state.dealer[1]] - 1] -= 1
    return seen


def observe_shoe(state: State) -> np.ndarray[Any, Any]:
    """What is seen before a deal: the cards that have been dealt from the shoe."""
    seen = np.zeros(len(FIELDS), DTYPE)
    seen[STAGE] = Stage.BETS
    for card in _cards_out(state):
        seen[SEEN + VALUE[card] - 1] += 1
    return seen


def _cards_out(state: State) -> tuple[Card, ...]:
    """The cards that are out of the shoe since the shuffle, or out of the device; not those burnt unseen."""
    shoe = state.shoe
    if shoe.source is CardSource.DEVICE:
        return (*on_layout(state), *shoe.discards, *shoe.shown)
    return shoe.cards[: shoe.position]


def _show_hand(seen: np.ndarray[Any, Any], hand: Hand) -> None:
    seen[TOTAL], seen[SOFT], seen[CARDS] = hand.points, int(hand.points != hand.hard), len(hand.cards)
    seen[FIRST_CARD], seen[SECOND_CARD] = (VALUE[card] for card in hand.cards[:2])
    seen[SUITED] = grade_suits(hand.cards)
    seen[DOUBLED], seen[FROM_SPLIT] = int(hand.doubled), int(hand.from_split)


def _show_other(seen: np.ndarray[Any, Any], box: Box) -> None:
    """The first hand of the area's other box."""
    hand = box.hands[0]
    seen[OTHER_TOTAL] = hand.points
    for place, card in zip((OTHER_FIRST_CARD, OTHER_SECOND_CARD), hand.cards, strict=False):
        seen[place] = VALUE[card]


def grade_suits(cards: tuple[Card, ...]) -> int:
    """0 for mixed suits, 1 for one suit, 2 for spades."""
    suits = {card[1] for card in cards}
    return 0 if len(suits) > 1 else 2 if suits == {"s"} else 1
