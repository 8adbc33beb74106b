"""The review of a round: every decision of the player's, what it was worth, and what else could have been done.

The trainer's question before a mistake is worded here too, so that both speak of the same figures in the same way.
"""

from __future__ import annotations

import msgspec

from pitboss.table import evolve
from pitboss.table.state import Phase
from pitboss.tui.help.weighing import (
    WORTH_NAMING,
    PricedOptions,
    about,
    money_text,
    name_choice,
    name_option,
    price_choices,
    price_options,
    unit_of,
)
from pitboss.tui.session.choices import Choice
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.player_log import write_suits
from pitboss.tui.session.session import PlayerDecision, Session, SessionRound, Unweighed, decision_of


class ReviewedDecision(msgspec.Struct, frozen=True):
    """One decision and its rows: the hand, then each option with its worth, best first."""

    title: str
    rows: tuple[str, ...]
    cost: float | None
    """In money; none where nobody can say."""


def find_settled_round(session: Session) -> SessionRound | None:
    """The last round that is settled; none if there is none yet."""
    return session.round if session.state.phase is Phase.SETTLED else session.last


def review_round(live: LiveSession, seconds: float | None) -> list[ReviewedDecision]:
    """Every decision of the last settled round."""
    played = find_settled_round(live.session)
    if played is None:
        return []
    found = []
    for decision, taken in _list_decisions(live.session, played):
        title = write_suits(f"{decision.about}: you chose {decision.words}")
        priced = price_options(live, taken.state, taken.command, seconds)
        if priced is None:
            found.append(ReviewedDecision(title, ("cannot be priced",), None))
        else:
            found.append(ReviewedDecision(title, _rows(priced), priced.cost * float(priced.unit)))
    return found


def _list_decisions(session: Session, played: SessionRound) -> list[tuple[PlayerDecision, Unweighed]]:
    """The player's decisions in a round, with the table before each."""
    counted = [(at, decision) for at, decision in enumerate(session.decisions) if decision.round == played.opened.round]
    found: list[tuple[PlayerDecision, Unweighed]] = []
    state = played.opened
    for step in played.steps:
        decision = decision_of(state, step.command, session.me)
        if decision is not None and len(found) < len(counted):
            at, known = counted[len(found)]
            if (known.words, known.about) == (decision.words, decision.about):
                found.append((known, Unweighed(at, state, step.command)))
        for event in step.events:
            state = evolve(state, event)
    return found


def _rows(priced: PricedOptions) -> tuple[str, ...]:
    order = sorted(priced.values, key=lambda place: (-priced.values[place], place != priced.best))
    names = {place: name_option(priced.options[place]) for place in order}
    width = max(map(len, names.values()))
    rows = []
    for place in order:
        value = priced.values[place]
        notes = ["best"] if place == priced.best else []
        if place == priced.taken:
            notes.append("yours")
            if priced.cost > WORTH_NAMING:
                notes.append(f"cost {priced.cost * float(priced.unit):.2f}")
        money = money_text(value, priced.unit)
        rows.append(f"{names[place]:<{width}}  {value:+.4f}  {money:>8}  {', '.join(notes)}".rstrip())
    return tuple(rows)


def sum_up_review(reviewed: list[ReviewedDecision]) -> str:
    """The review in one sentence."""
    if not reviewed:
        return "You had nothing to decide in the last round."
    costs = [decision.cost for decision in reviewed if decision.cost is not None]
    many = f"{len(reviewed)} decision{'s' * (len(reviewed) != 1)}"
    mistakes = [cost for cost in costs if cost > WORTH_NAMING]
    if not costs:
        return f"{many}; nobody can price them."
    if not mistakes:
        return f"{many}, {'each of them' if len(reviewed) > 1 else 'and it was'} the best choice."
    found = "a mistake" if len(reviewed) == 1 else f"{len(mistakes)} of them a mistake"
    return f"{many}, {found}: {sum(mistakes):.2f} given away."


def review_lines(live: LiveSession, seconds: float | None) -> list[str]:
    """The review as lines."""
    if find_settled_round(live.session) is None:
        return ["No round is settled yet: there is nothing to review."]
    reviewed = review_round(live, seconds)
    lines = [sum_up_review(reviewed)]
    for decision in reviewed:
        lines += [f"{decision.title}.", *(f"  {row}" for row in decision.rows)]
    return lines


# ---------------------------------------------------------------------- the trainer


class TrainerWarning(msgspec.Struct, frozen=True):
    """What the trainer says before a mistake."""

    about: str
    chosen: str
    better: str


def find_mistake(live: LiveSession, ask: Ask, choice: Choice, seconds: float | None) -> TrainerWarning | None:
    """What the trainer has to say about a choice; nothing if it is the best one, or nobody can price it."""
    if ask.kind not in (MoveKind.TURN, MoveKind.OFFERS, MoveKind.JOIN):
        return None
    values = price_choices(live, ask, seconds)
    taken = ask.choices.index(choice)
    if not values or taken not in values:
        return None
    best = max(values, key=lambda place: values[place])
    if values[best] - values[taken] <= WORTH_NAMING:
        return None
    unit = unit_of(live.session.state, ask.box, live.session.me)
    behind = (values[best] - values[taken]) * float(unit)
    return TrainerWarning(
        about(live.session.state, ask.box),
        f"{name_choice(choice)} is worth {values[taken]:+.4f} units, or {money_text(values[taken], unit)}.",
        f"{name_choice(ask.choices[best])} is worth {values[best]:+.4f} units, or {money_text(values[best], unit)}: "
        f"{behind:.2f} more.",
    )
