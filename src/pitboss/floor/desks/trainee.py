"""A trainee at the dealer's seat decides first, and the answer is marked: draw or stand, who is paid what, whose order.

Questions are read off the table; what is right is worked out only when an answer comes.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor.desks.dealer_steps import work_out_payments
from pitboss.floor.desks.order_forms import GROUPS, list_powers
from pitboss.floor.live_table import LiveTable
from pitboss.money import MoneyError, parse_money, show
from pitboss.records.narrate.settlements import total_words
from pitboss.table.messages import commands as cmd
from pitboss.table.round.turns import open_hand
from pitboss.table.state import Phase, State

TraineeKind = Literal["draw", "pay", "order"]


class AnswerError(PitbossError):
    """An answer that answers nothing."""


class PayLine(msgspec.Struct, frozen=True):
    """A wager whose payment a trainee works out."""

    box: str
    hand: int
    player: str
    wager: str
    stake: str


class TraineeQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What a trainee decides before the table goes on."""

    kind: TraineeKind
    ask: str
    choices: tuple[str, ...] = ()
    wagers: tuple[PayLine, ...] = ()


class MarkedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, what is right, and the clauses that say so."""

    about: str
    given: str
    right: str
    correct: bool
    clauses: tuple[str, ...]


def list_trainee_questions(live: LiveTable) -> tuple[TraineeQuestion, ...]:
    """What a trainee is asked as the table stands, in order."""
    state = live.table
    found: list[TraineeQuestion] = []
    if _may_draw(state) or (state.phase is Phase.SETTLING and state.dealer):
        has = total_words(state.dealer_hard, state.dealer_aces)
        found.append(TraineeQuestion(kind="draw", ask=f"The dealer has {has}.", choices=("draw", "stand")))
    if state.phase is Phase.SETTLING:
        wagers = tuple([_describe_line(payment) for payment in work_out_payments(state)])
        if wagers:
            ask = "Who is paid what?"
            found.append(TraineeQuestion(kind="pay", ask=ask, wagers=wagers))
    return tuple(found)


def _describe_line(payment: Any) -> PayLine:
    return PayLine(payment.box, payment.hand, payment.player, payment.wager, show(payment.stake))


def _may_draw(state: State) -> bool:
    """A card is due, and it is the dealer's."""
    if not state.shoe.out or not state.dealer or state.phase is not Phase.TURNS:
        return False
    return open_hand(state) is None


def mark_draw(live: LiveTable, given: str) -> tuple[MarkedAnswer, ...]:
    """Whether the dealer draws or stands, by the book."""
    state = live.table
    if given not in ("draw", "stand"):
        raise AnswerError("a dealer draws or stands")
    if not (_may_draw(state) or state.phase is Phase.SETTLING):
        raise AnswerError("the dealer's hand is not being played")
    right = "draw" if _may_draw(state) else "stand"
    clauses = state.rules.clauses("dealer_draw")
    has = total_words(state.dealer_hard, state.dealer_aces)
    return (
        MarkedAnswer(
            about=f"the dealer has {has}", given=given, right=right, correct=given == right, clauses=clauses
        ),
    )  # fmt: skip


def mark_payments(live: LiveTable, given: tuple[str, ...]) -> tuple[MarkedAnswer, ...]:
    """What each wager gains or loses, line by line."""
    state = live.table
    if state.phase is not Phase.SETTLING:
        raise AnswerError("nothing is being settled")
    payments = work_out_payments(state)
    if len(given) != len(payments):
        raise AnswerError(f"{len(payments)} wagers are decided, and {len(given)} answers were given")
    return tuple(
        [
            MarkedAnswer(
                about=payment.words, given=text, right=show(payment.net), correct=is_amount(text, payment.net),
                clauses=payment.clauses,
            )
            for payment, text in zip(payments, given, strict=True)
        ]
    )  # fmt: skip


def mark_order(live: LiveTable, order: str, role: str) -> tuple[MarkedAnswer, ...]:
    """Whose order it is by the book of the table: the lowest role that may give it, or nobody's."""
    kind = _ORDERS.get(order)
    rules = live.table.rules
    if kind is None:
        raise AnswerError(f"there is no order '{order[:40]}'")
    if role != NOBODY and rules.rank(role) < 0:
        raise AnswerError(f"this book knows {', '.join(rung.id for rung in rules.ladder)}, and {NOBODY}")
    powers = list_powers(rules, kind)
    right = powers[0].role if powers else NOBODY
    clauses = powers[0].clauses if powers else ()
    return (MarkedAnswer(about=order, given=role, right=right, correct=role == right, clauses=clauses),)


def is_amount(text: str, right: Any) -> bool:
    """A text says this amount of money, with a plus or not."""
    try:
        return bool(parse_money(text.strip().replace("−", "-").removeprefix("+") or "0") == right)
    except MoneyError:
        return False


NOBODY = "nobody"
_ORDERS: dict[str, type[cmd.Order]] = {
    str(kind.__struct_config__.tag): kind for _, kinds in GROUPS for kind in kinds
}  # fmt: skip
