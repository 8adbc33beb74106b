"""A side wager in play: what it has seen of the cards, and settling it, at once or step by step."""

from __future__ import annotations

from pitboss.cards import CODE
from pitboss.money import Money
from pitboss.play.hands import total
from pitboss.play.side_wagers.judges import (
    BY_DEALER_HAND,
    BY_TOKENS,
    CARRIES,
    INTERIM_THEN_FINAL,
    JUDGES,
    LOSES,
    NO_CARD_CODE,
    NOT_DEALT,
    UNDECIDED,
    SeenCards,
    outcome_name,
)
from pitboss.play.side_wagers.side_payments import judge_terms, pay_line
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import events as ev
from pitboss.table.state import Box, Carried, Settlement, SideBet, State

CARRIED = "carried"
"""How the state of a wager begins that was carried over from the round before."""
ARMED = "armed"
"""How the state of a wager ends whose first step was settled in the interim."""


def wager_of(draft: Draft, bet: SideBet) -> SideWager:
    """What the book says about a wager in play."""
    side = draft.state.rules.side_wager(bet.wager)
    if side is None:
        raise Refused(f"{bet.wager} is not on offer at this table")
    return side


def bets_of(draft: Draft, side: SideWager) -> list[tuple[int, SideBet]]:
    """The live wagers of one kind, with their index."""
    return [(index, bet) for index, bet in enumerate(draft.state.sides) if bet.wager == side.id and bet.state]


def boxes_of_area(state: State, bet: SideBet) -> list[Box]:
    """The boxes of the area a wager lies on, its own first; none for a wager not tied to a box in play."""
    area = int(bet.box.rstrip("ab"))
    return sorted((box for box in state.boxes if box.area == area), key=lambda box: box.number != bet.box)


# ---------------------------------------------------------------------- what it has seen


def ask(state: State, side: SideWager, bet: SideBet, *, box_done: bool) -> int:
    """What the judge of a wager says to the cards as they lie; `box_done`: its box takes no more of them."""
    judge = JUDGES[side.judge]
    if judge.looks_at == BY_DEALER_HAND:
        seen = SeenCards(dealer_total=total(state.dealer_hard, state.dealer_aces), dealer_cards=len(state.dealer))
    else:
        seen = _see(state, side, bet, box_done)
    return judge.judge(seen, judge_terms(side))


def _see(state: State, side: SideWager, bet: SideBet, box_done: bool) -> SeenCards:
    boxes = boxes_of_area(state, bet)
    if not boxes:
        return SeenCards()
    if JUDGES[side.judge].looks_at == BY_TOKENS:
        return SeenCards(tokens=_tokens(side, bet, boxes[0]))
    first, second, third = _first_three(boxes[0], box_done)
    others = _first_three(boxes[1], box_done) if len(boxes) > 1 else (NO_CARD_CODE, NO_CARD_CODE, NO_CARD_CODE)
    carried = int(bet.state.startswith(CARRIED))
    return SeenCards(
        first,
        second,
        *others[:2],
        up=CODE[state.dealer[0]] if state.dealer else NO_CARD_CODE,
        third=third,
        carried=carried,
    )


def _first_three(box: Box, box_done: bool) -> tuple[int, int, int]:
    """The first two cards of a box and the next one dealt to it, which after a split is the first hand's second."""
    cards = box.hands[0].cards
    none = NO_CARD_CODE if box_done else NOT_DEALT
    if len(box.hands) > 1:
        return CODE[cards[0]], CODE[box.hands[1].cards[0]], CODE[cards[1]] if len(cards) > 1 else none
    return CODE[cards[0]], CODE[cards[1]], CODE[cards[2]] if len(cards) > 2 else none


def _tokens(side: SideWager, bet: SideBet, box: Box) -> int:
    """Tokens of the player, or of the controlling player for one who has no wager on the hand."""
    counts = dict(box.tokens)
    if side.tokens_counted == "whole-box":
        return sum(counts.values())
    return counts.get(bet.player if box.bettor(bet.player) is not None else box.controller, 0)


# ---------------------------------------------------------------------- settling


def settle_answer(draft: Draft, side: SideWager, index: int, answer: int, *, interim: bool) -> None:
    """Settle a wager as its judge has answered, as far as it is decided and not settled yet."""
    judge, terms = JUDGES[side.judge], judge_terms(side)
    bet, outcome = draft.state.sides[index], outcome_name(judge, answer)
    if answer & UNDECIDED and side.settled != INTERIM_THEN_FINAL:
        draft.emit(ev.SideAdvanced(index=index, state=outcome))
        return
    steps = judge.steps(answer, terms)
    if bet.state.endswith(ARMED):
        steps = steps[1:] or (LOSES,)
    after = ""
    if answer & UNDECIDED:
        after = f"{CARRIED}-{ARMED}" if bet.state.startswith(CARRIED) else ARMED
    for place in steps:
        if place == LOSES:
            lose(draft, side, index, interim=interim)
        else:
            pay(draft, side, index, judge.outcomes[place - 1], state=after, interim=interim)
    if answer & CARRIES:
        carried = Carried(bet.box, bet.player, bet.wager, bet.amount, draft.state.sides[index].paid)
        draft.emit(ev.WagerCarried(carried=carried, clauses=side.cite("carried", outcome, "wins")))


def settle_side(
    draft: Draft,
    index: int,
    net: Money,
    outcome: str,
    clauses: tuple[str, ...],
    *,
    state: str = "",
    interim: bool = False,
) -> None:
    """Settle a side wager, or one step of it if it goes on in `state`."""
    bet = draft.state.sides[index]
    settlement = Settlement(bet.box, 0, bet.player, bet.wager, bet.amount, net, outcome, clauses, interim)
    draft.emit(ev.SideSettled(settlement=settlement, index=index, state=state, clauses=clauses))


def cite_win(side: SideWager, outcome: str) -> tuple[str, ...]:
    """The clauses of a winning outcome and of what it pays."""
    return tuple(dict.fromkeys((*side.cite(outcome, "wins"), *side.cite("pays"))))


def pay(draft: Draft, side: SideWager, index: int, outcome: str, *, state: str = "", interim: bool = False) -> None:
    """Pay a winning wager the odds of `outcome`, up to the posted maximum."""
    bet, chip = draft.state.sides[index], draft.state.payable
    net = pay_line(side, outcome, bet.paid, lambda odds: odds.pay(bet.amount, chip))
    clauses = cite_win(side, outcome)
    if any(len(box.hands) > 1 for box in boxes_of_area(draft.state, bet)):
        clauses = tuple(dict.fromkeys((*clauses, *side.clauses.get("split", ()))))
    settle_side(draft, index, net, outcome, clauses, state=state, interim=interim)


def lose(draft: Draft, side: SideWager, index: int, *, interim: bool = False) -> None:
    """Take a losing wager."""
    settle_side(draft, index, -draft.state.sides[index].amount, "loses", side.cite("loses"), interim=interim)
