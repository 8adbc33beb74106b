"""The sheet behind `?` and the summary of a session: what choices are worth, what decisions cost, what was to be
expected.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from shlex import quote

import msgspec

from pitboss.money import Money, show
from pitboss.tui.help.weighing import (
    WORTH_NAMING,
    about,
    cost_of,
    money_text,
    name_choice,
    price_choices,
    unit_of,
)
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.player_log import amount_text, write_suits
from pitboss.tui.session.session import PlayerDecision, Session, at_risk, is_settled

MOST_COSTLY = 5
"""Decisions that a summary lists."""


class Worth(msgspec.Struct, frozen=True):
    """One choice and its expectation, in units of the wager."""

    name: str
    value: float


class AdviceSheet(msgspec.Struct, frozen=True):
    """The answer to `?`."""

    about: str
    worths: tuple[Worth, ...]
    unit: Money
    last: str
    note: str = ""
    unpriced: tuple[str, ...] = ()
    """Choices that nobody can say the worth of."""

    def rows(self, width: int) -> list[tuple[str, str]]:
        """The choices, best first, with a bar each."""
        rows: list[tuple[str, str]] = [(self.about, "bar.gold"), ("", "bar")] if self.about else []
        if self.worths:
            rows += self._table(width)
        rows += [(row, "bar.faint") for row in textwrap.wrap(self.note, width)]
        return [*rows, ("", "bar"), *((row, "bar") for row in textwrap.wrap(self.last, width))]

    def _table(self, width: int) -> list[tuple[str, str]]:
        names = max(len(name) for name in (*(worth.name for worth in self.worths), *self.unpriced))
        best = self.worths[0].value
        room = max(0, width - names - 32)
        low = min(min(worth.value for worth in self.worths), -0.0001)
        high = max(best, 0.0001)
        rows = [(f"{'':<{names}}  {'units':>8}  {'money':>8}", "bar.faint")]
        for worth in self.worths:
            filled = round((worth.value - low) / (high - low) * room)
            behind = f"{worth.value - best:+8.4f}" if worth.value < best else "    best"
            figures = f"{worth.value:+8.4f}  {money_text(worth.value, self.unit):>8}  {behind}"
            text = f"{worth.name:<{names}}  {figures}  {'█' * filled}{'·' * (room - filled)}"
            rows.append((text, "bar.win" if worth is self.worths[0] else "bar"))
        rows += [(f"{name:<{names}}  not priced", "bar.faint") for name in self.unpriced]
        rows += [(row, "bar.faint") for row in textwrap.wrap(f"A unit is your wager of {show(self.unit)}.", width)]
        return rows

    def lines(self) -> list[str]:
        """The same as sentences."""
        found = [self.about] if self.about else []
        found += [
            f"{worth.name}: {worth.value:+.5f} units, or {money_text(worth.value, self.unit)}" for worth in self.worths
        ]
        found += [f"A unit is your wager of {show(self.unit)}."] if self.worths else []
        found += [f"{name}: not priced" for name in self.unpriced]
        return [*found, *([self.note] if self.note else []), self.last]


def make_advice_sheet(live: LiveSession, ask: Ask | None) -> AdviceSheet:
    """What the choices of a question are worth now."""
    session = live.session
    last = last_cost(live)
    if ask is None or ask.kind not in (MoveKind.TURN, MoveKind.OFFERS, MoveKind.JOIN):
        return AdviceSheet(
            "", (), Money(1), last, "There is nothing to decide now; ask again when the table waits for you."
        )
    choices = ask.choices
    values = price_choices(live, ask, None)
    unit = unit_of(session.state, ask.box, session.me)
    if not values:
        return AdviceSheet("", (), unit, last, "These choices cannot be priced.")
    worths = [Worth(name_choice(choices[place]), value) for place, value in values.items()]
    worths.sort(key=lambda worth: -worth.value)
    unpriced = tuple(name_choice(choice) for place, choice in enumerate(choices) if place not in values)
    return AdviceSheet(about(session.state, ask.box), tuple(worths), unit, last, "", unpriced)


def last_cost(live: LiveSession) -> str:
    """What the player's last decision cost, in a sentence; worked out now if it has not been."""
    session = live.session
    if not session.decisions:
        return "You have not decided anything yet."
    decision = session.decisions[-1]
    cost, best = decision.cost, decision.best
    if cost is None:
        waiting = next((item for item in session.unweighed if item.index == len(session.decisions) - 1), None)
        found = cost_of(live, waiting, None) if waiting is not None else None
        if found is None:
            return f"Your last decision, {decision.words}, cannot be priced."
        cost, best = found
    if cost <= WORTH_NAMING:
        return f"Your last decision, {decision.words}, was the best choice."
    return f"Your last decision, {decision.words}, cost {cost:.2f}; {best} was better."


# ---------------------------------------------------------------------- the summary


def summary_lines(live: LiveSession, seconds: float = 0) -> list[str]:
    """Rounds, result, what was to be expected if that is known in so many seconds, and what cost most."""
    session = live.session
    tally = session.tally
    had, has = amount_text(session.bought_in), amount_text(session.bankroll)
    bought = (
        f"you bought in for {had} in all and have {has}" if session.rebought else f"a bankroll of {had} is now {has}"
    )
    lines = [
        f"{session.rules.name} ({session.rules.game})",
        f"{tally.rounds} round{'s' * (tally.rounds != 1)} played",
        f"result {show(session.bankroll - session.bought_in, sign=True)}: {bought}",
    ]
    if lying := at_risk(session.state, session.me):
        lines.append(f"round {session.state.round} is not finished: {show(lying)} of that is still on the table")
    lines += _show_expected(live, session, seconds)
    lines += _costs(session.decisions)
    return lines


def farewell_lines(live: LiveSession, seconds: float = 0) -> list[str]:
    """The summary, and how to come back."""
    kept = [f"the last round is saved in {live.recorded}"] if live.recorded else []
    if live.shoes:
        shoe = live.shoes[-1]
        kept.append(
            f"shoe {shoe.number} can be checked: pitboss audit shoe {quote(shoe.path)} --commitment {shoe.seal}"
        )
    resume = f"to resume this session: pitboss play --resume --journal {quote(live.keeper.place)}"
    return [*summary_lines(live, seconds), *kept, resume]


def _show_expected(live: LiveSession, session: Session, seconds: float) -> list[str]:
    staked = dict(session.tally.staked)
    if not staked:
        return []
    wagered = f"wagered {', '.join(f'{show(amount)} {wager}' for wager, amount in staked.items())}"
    edges = live.advisor.edges(session.rules, seconds)
    if edges is None or any(wager not in edges for wager in staked):
        return [wagered]
    best = -sum(float(amount) * edges[wager] for wager, amount in staked.items())
    cost = sum(decision.cost or 0.0 for decision in session.decisions if is_settled(session, decision.round))
    return [wagered, f"expected with best play {best:+.2f}, as you played {best - cost:+.2f}"]


def _costs(decisions: Sequence[PlayerDecision]) -> list[str]:
    weighed = [decision for decision in decisions if decision.cost is not None]
    if not weighed:
        return [f"{len(decisions)} decision{'s' * (len(decisions) != 1)}, not priced"] if decisions else []
    total = sum(decision.cost or 0.0 for decision in weighed)
    waiting = len(decisions) - len(weighed)
    costly = sorted((d for d in weighed if (d.cost or 0) > WORTH_NAMING), key=lambda d: -(d.cost or 0.0))
    many = f"{len(weighed)} decision{'s' * (len(weighed) != 1)} priced"
    rest = f", {waiting} not" if waiting else ""
    best = "each of them the best choice" if len(weighed) > 1 else "the best choice"
    mistakes = f"{len(costly)} mistake{'s' * (len(costly) != 1)}, which cost {total:.2f}"
    lines = [f"{many}{rest}: {mistakes if costly else best}"]
    for decision in costly[:MOST_COSTLY]:
        lines.append(
            f"  round {decision.round}, {write_suits(decision.about)}: {decision.words} cost {decision.cost:.2f}, "
            f"{decision.best} was best"
        )
    return lines
