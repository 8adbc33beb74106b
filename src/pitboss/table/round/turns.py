"""Boxes in turn: whose turn it is, what a hand may do, and what the dealer does for a hand automatically.

The hand whose turn it is is always the first open one. `advance` deals and ends hands until somebody has to decide.
What players then ask for is in `actions`.
"""

from __future__ import annotations

from pitboss.cards import RANK, VALUE
from pitboss.play.control import find_heir
from pitboss.play.doubling import may_double
from pitboss.play.drawing import has_its_one_card
from pitboss.play.round.next_step import (
    ABSENT_CARD,
    ABSENT_STANDS,
    ASKED,
    AUTOMATIC_CARD,
    BUSTS,
    COMPLETE,
    FORCED_CARD,
    IS_PAID,
    SPLIT_CARD,
    STANDS_AT_LINE,
    ending_of_hand,
    next_of_hand,
)
from pitboss.play.settlement import always_wins
from pitboss.play.splitting import may_split
from pitboss.play.switching import hand_may_switch
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import events as ev
from pitboss.table.round import sides
from pitboss.table.round.offers import close_offers
from pitboss.table.round.paying import lose_bust, pay_hand
from pitboss.table.shoe.devices import draw_card
from pitboss.table.state import Box, Fate, Hand, HandStatus, Pending, Phase, State

AIMS = {"double": ("double_totals", "double"), "split": ("split_match", "split"), "hit": ("hit",), "stand": ("stand",)}
"""What a player asked for who may decide nothing more: the clauses that say for which hands it is meant."""

# ---------------------------------------------------------------------- whose turn


def open_hand(state: State) -> tuple[int, int] | None:
    """Index of box and hand of the first open hand."""
    for b, box in enumerate(state.boxes):
        for h, hand in enumerate(box.hands):
            if hand.status is HandStatus.OPEN:
                return b, h
    return None


def can_double(state: State, hand: Hand) -> bool:
    """The hand may double."""
    return may_double(state.packed, hand.hard, hand.aces, len(hand.cards), hand.from_split, hand.from_aces)


def can_split(state: State, box: Box, hand: Hand) -> bool:
    """The hand may split."""
    if len(hand.cards) != 2:
        return False
    one, two = hand.cards
    return may_split(
        state.packed,
        VALUE[one],
        VALUE[two],
        RANK[one],
        RANK[two],
        2,
        len(box.hands),
        hand.from_aces,
        box.split_declined,
    )


def next_in_line(state: State, box: Box, leaving: str) -> str:
    """Who calls the decisions of a box that its controlling player leaves: nobody whose wager went back."""
    rest = [bettor for bettor in box.bettors if bettor.player != leaving and bettor.player in box.staked]
    return rest[find_heir(state.rules, [bettor.placed for bettor in rest])].player if rest else ""


def caller_is_on(box: Box, hand: Hand) -> bool:
    """The controlling player has a wager in play on the hand: not after control has passed on, nor if it goes back."""
    return any(
        stake.player == box.controller and stake.winning > 0 and stake.fate is Fate.PLAYS for stake in hand.stakes
    )


def can_switch(state: State, area: int) -> bool:
    """The area may switch: both hands as dealt, nothing paid, nothing decided."""
    if not state.rules.switch:
        return False
    return all(
        not box.switch_closed
        and not box.void
        and not box.absent
        and len(box.hands) == 1
        and len(box.hands[0].cards) == 2
        and box.hands[0].status in (HandStatus.OPEN, HandStatus.NATURAL)
        and hand_may_switch(state.packed, box.hands[0].status is HandStatus.NATURAL, False)
        for box in state.boxes
        if box.area == area
    )


def advance(draft: Draft) -> None:
    """Deal and end hands until somebody has to decide, or nobody is left to."""
    while True:
        if draft.state.sides:
            sides.judge_boxes_done(draft)
        state = draft.state
        at = open_hand(state)
        if draft.mend_before_hand(at):
            if draft.state.phase is not Phase.TURNS:
                return
            continue
        waiting = _area_that_may_switch(state, at) if state.rules.switch else None
        if waiting is not None:
            first = next(index for index, box in enumerate(state.boxes) if box.area == waiting)
            if state.pending is not Pending.SWITCH or state.turn != (first, 0):
                draft.emit(
                    ev.TurnBegan(
                        box=state.boxes[first].number, hand=1, pending=Pending.SWITCH, clauses=draft.cite("switch")
                    )
                )
            return
        if at is None:
            return
        if not _serve(draft, *at):
            if draft.state.turn != at or draft.state.pending is not Pending.NOTHING:
                box = draft.state.boxes[at[0]]
                draft.emit(ev.TurnBegan(box=box.number, hand=at[1] + 1, clauses=draft.cite("turns")))
            return


def _area_that_may_switch(state: State, at: tuple[int, int] | None) -> int | None:
    """An area that comes before the first open hand, has nothing to decide but may switch."""
    limit = state.boxes[at[0]].area if at is not None else None
    for box in state.boxes:
        if limit is not None and box.area >= limit:
            return None
        if can_switch(state, box.area):
            return box.area
    return None


def _serve(draft: Draft, b: int, h: int) -> bool:
    """Do the next thing that happens to this hand by itself; False if a player has to decide."""
    state = draft.state
    packed = state.packed
    box = state.boxes[b]
    hand = box.hands[h]
    if len(hand.cards) == 1 and not hand.from_split and not box.absent:
        return False
    step = next_of_hand(
        packed, hand.hard, hand.aces, len(hand.cards), hand.from_split, hand.from_aces, hand.doubled, hand.drawing,
        box.absent, can_split(state, box, hand),
    )  # fmt: skip
    if step == ASKED:
        return False
    if step == COMPLETE:
        end_hand(draft, b, h)
    elif step in UNASKED_STANDS:
        mark_ended(draft, box, h, HandStatus.STOOD, UNASKED_STANDS[step])
    elif step == SPLIT_CARD and not hand.from_split:
        draw_to(draft, box, h, "absent", "absent")
    else:
        why, matter = UNASKED_CARDS[step]
        draw_to(draft, box, h, why, "split_aces" if step == SPLIT_CARD and hand.from_aces else matter)
    return True


UNASKED_CARDS = {
    SPLIT_CARD: ("split", "split_order"),
    FORCED_CARD: ("forced", "forced_draw"),
    ABSENT_CARD: ("absent", "absent"),
    AUTOMATIC_CARD: ("automatic", "auto_draw"),
}
"""Cards that a hand is dealt automatically: why, and the matter that is cited."""

UNASKED_STANDS = {ABSENT_STANDS: "absent", STANDS_AT_LINE: "auto_draw"}


def end_hand(draft: Draft, b: int, h: int) -> None:
    """The hand takes no more cards: collect it, pay it, or leave it for the dealer's hand."""
    state = draft.state
    box = state.boxes[b]
    hand = box.hands[h]
    ending = ending_of_hand(state.packed, hand.hard, hand.aces, len(hand.cards), hand.from_split)
    if ending == BUSTS:
        lose_bust(draft, box, h)
        mark_ended(draft, box, h, HandStatus.BUST, "bust")
        return
    reason = _why_complete(state, hand)
    if ending == IS_PAID:
        won = always_wins(state.packed, hand.points, len(hand.cards), False, hand.from_split)
        pay_hand(draft, box, h, won, interim=True)
        mark_ended(draft, box, h, HandStatus.PAID, *reason)
    else:
        mark_ended(draft, box, h, HandStatus.STOOD, *reason)


def _why_complete(state: State, hand: Hand) -> tuple[str, ...]:
    """The matters that end a hand: every one that holds, so that a refusal can name them all."""
    reasons = []
    if hand.doubled:
        reasons.append("double_one_card")
        if not all(stake.double or stake.double_token for stake in hand.stakes):
            reasons.append("double_sharers")
    if has_its_one_card(state.packed, hand.from_aces):
        reasons.append("split_aces")
    if hand.points == 21:
        reasons.append("no_card_on_21")
    if state.rules.max_cards is not None and len(hand.cards) >= state.rules.max_cards:
        reasons.append("max_cards")
    return tuple(reasons) or ("stand",)


def draw_to(draft: Draft, box: Box, h: int, why: str, *matters: str) -> None:
    """A card to a hand."""
    card = draw_card(draft, box.number)
    draft.emit(ev.CardDrawn(box=box.number, hand=h + 1, card=card, why=why, clauses=draft.cite(*matters)))
    if draft.state.sides:
        if len(box.hands[h].cards) == 1 and not box.hands[h].from_split:
            sides.judge_second_card(draft, box.number)
        sides.judge_card(draft, box.number)


def mark_ended(draft: Draft, box: Box, h: int, status: HandStatus, *matters: str) -> None:
    """The hand takes no more cards, because of `matters`."""
    draft.emit(ev.HandEnded(box=box.number, hand=h + 1, status=status, matters=matters, clauses=draft.cite(*matters)))


# ---------------------------------------------------------------------- finding the hand a command is about


def pass_pending(draft: Draft) -> None:
    """Play goes on: what was open passes, and hands after it are served."""
    state = draft.state
    if state.pending is Pending.SWITCH and state.turn is not None:
        draft.emit(ev.SwitchDeclined(area=state.boxes[state.turn[0]].area, clauses=draft.cite("switch")))
    elif state.pending is Pending.RESCUE and state.turn is not None:
        b, h = state.turn
        draft.emit(ev.PendingPassed())
        end_hand(draft, b, h)
    advance(draft)


def let_pass(draft: Draft, number: str) -> None:
    """A decision of box `number` lets everything pass that is open before it."""
    if draft.state.phase is Phase.OFFERS:
        close_offers(draft)
        advance(draft)
    while draft.state.pending is not Pending.NOTHING and _would_pass(draft.state, number):
        pass_pending(draft)


def acting(draft: Draft, number: str, by: str | None, verb: str) -> tuple[int, int]:
    """The hand of box `number` whose turn it is; refuses if there is none."""
    let_pass(draft, number)
    state = draft.state
    index = state.box_index(number)
    if index < 0 or not state.boxes[index].hands:
        raise draft.refuse(f"box {number} is not in play", "turns", "initial_deal")
    if state.phase is not Phase.TURNS or state.turn is None or open_hand(state) is None or state.turn[0] != index:
        raise _not_its_turn(draft, state.boxes[index], verb)
    if state.pending is Pending.SWITCH:
        raise _not_its_turn(draft, state.boxes[index], verb)
    box = state.boxes[index]
    if by is not None and by != box.controller:
        raise draft.refuse(f"{box.controller} calls the decisions of box {number}", "controlling_player")
    if len(box.hands[state.turn[1]].cards) < 2 and verb not in ("hit", "absent"):
        raise draft.refuse(f"box {number} has one card: it may have a second, or be taken back", "undealt_box")
    return state.turn


def _would_pass(state: State, number: str) -> bool:
    """An action on `number` lets the pending choice pass."""
    if state.turn is None:
        return False
    box = state.boxes[state.turn[0]]
    if state.pending is Pending.RESCUE:
        return True
    return number.rstrip("ab") != str(box.area)


def _not_its_turn(draft: Draft, box: Box, verb: str) -> Refused:
    ended = [hand for hand in box.hands if hand.status is not HandStatus.OPEN]
    if len(ended) == len(box.hands):
        matters = dict.fromkeys(matter for hand in reversed(ended) for matter in hand.ended)
        exists = verb in draft.state.rules.actions or verb not in ("double", "split")
        extra = AIMS.get(verb, ()) if exists else ("no_such_action",)
        if verb == "split" and len(box.hands) > 1:
            extra += ("split_hands",)
        return draft.refuse(f"box {box.number} takes no more decisions this round", *matters, *extra, "turns")
    return draft.refuse(f"it is not the turn of box {box.number}", "turns")
