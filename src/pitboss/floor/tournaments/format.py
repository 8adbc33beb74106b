"""What of a tournament's terms its play needs: the format, as plain frozen data.

The terms themselves say more, and are checked item by item elsewhere; they contain a format. `find_format_fault` says
what cannot be played, in one line.
"""

from __future__ import annotations

import enum

import msgspec

from pitboss.floor.moments import is_moment
from pitboss.money import ZERO, Money
from pitboss.rulebooks.model.rules import Value


class StageKind(enum.StrEnum):
    """Whom a stage takes, and what becomes of those who do best there."""

    HEAT = "heat"
    """Everybody who is still in; the best of each table go on."""
    REPECHAGE = "repechage"
    """Those who went out in the stage before; the best of each table are in again."""
    FINAL = "final"
    """Everybody who is still in; their order gives the places."""


class WageringOrder(enum.StrEnum):
    """In which order wagers are made."""

    FREE = "free"
    MARKER = "marker"
    """The holder of the marker first, then clockwise."""


class AbsenceRule(enum.StrEnum):
    """What the terms let the manager do about somebody who is not there."""

    DEDUCT = "deduct"
    DISQUALIFY = "disqualify"
    BOTH = "deduct-then-disqualify"


class LimitStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Other limits from a round, or from a minute, of a session on, announced with the terms."""

    minimum: Money
    maximum: Money
    from_round: int = 0
    """Counted from 1; 0: by the clock."""
    after_minutes: int = 0


class TournamentStage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of the tournament: sessions at one or more tables, and how many of each go on."""

    name: str
    kind: StageKind = StageKind.HEAT
    seats: int = 7
    """Players at a table at most."""
    tables: int = 0
    """Tables in all heats together; 0: as many as the players need."""
    heats: int = 0
    """In how many heats the tables are played; 0: in as many as the designated tables make necessary."""
    rounds: int = 0
    """How long a session lasts: rounds, or minutes, or shoes; exactly one of them is above zero."""
    minutes: int = 0
    shoes: int = 0
    stack: Money = ZERO
    """Tournament chips for everybody at the start of each session."""
    buy_in: Money = ZERO
    """What a player pays for them, apart from the entry fee."""
    minimum: Money
    maximum: Money
    steps: tuple[LimitStep, ...] = ()
    advance: int = 1
    """How many of each table go on; in a final, for how many places prizes are played."""
    next_best: int = 0
    """How many others go on by their chips, over all tables of the stage."""
    start_ms: int = 0
    """When it begins, in milliseconds since 1970; 0: when the manager starts it."""


class BuyBack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How somebody who is out may buy back into the tournament."""

    price: Money
    times: int = 1
    """How often each player may."""
    until: str
    """The stage by whose draw of seats it must be done."""


class PlacePrize(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one place wins: an amount, or a share of the pool, or goods; an amount and goods may go together."""

    place: int
    amount: Money = ZERO
    percent: Money = ZERO
    goods: str = ""


class Guarantee(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prize pool that is promised if enough people enter."""

    pool: Money
    entrants: int = 0
    """How many must have entered for it to hold."""


class TournamentFormat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that the play of a tournament needs to know of its terms."""

    game: str
    """`star/blackjack`."""
    options: dict[str, Value] = {}
    readings: dict[str, str] = {}
    side_wagers: tuple[str, ...] = ()
    competition: str = "tournament"
    """Which competition of the book: `tournament`, or `magnificent-sevens-tournament`."""
    entry_fee: Money = ZERO
    least_entrants: int = 2
    most_entrants: int
    entries_each: int = 1
    """How many entries one person may hold."""
    substitutes: bool = False
    signed_terms: bool = False
    """Whether players sign the terms before an entry is taken."""
    staff_may_enter: bool = False
    """A charity or media event: staff may take part with prior approval, and win nothing."""
    withdraw_hours: int = 0
    """For how many hours after entering somebody may withdraw and have the fee back, while entries are open."""
    guarantee: Guarantee | None = None
    stages: tuple[TournamentStage, ...] = ()
    chip: Money = Money(1)
    """The smallest tournament chip: payments go up to the next one."""
    order: WageringOrder = WageringOrder.FREE
    deal_from_marker: bool = False
    compulsory_wager: bool = True
    """Whether everybody must wager in every round."""
    pass_cards: int = 0
    """For each player at the start of every heat."""
    undisclosed_wagers: int = 0
    """How many each player may make in a session."""
    wager_seconds: int = 0
    """How long each player has to wager; 0: no limit."""
    decision_seconds: int = 20
    pause_seconds: int = 3
    notice_minutes: int = 15
    """How long players must know of another starting time, or of a limit on time: what the terms call reasonable."""
    absence: AbsenceRule = AbsenceRule.BOTH
    chips_to_cash: Money = ZERO
    """What a tournament chip is worth in cash at the end of a session; 0: nothing."""
    buy_in_to_pool: bool = False
    buy_back: BuyBack | None = None
    prizes: tuple[PlacePrize, ...] = ()


MOST_SEATS = 9
MOST_ENTRANTS = 2000
LONGEST_SESSION = 10_000
"""Rounds, minutes or shoes."""


def find_format_fault(form: TournamentFormat) -> str:
    """What cannot be played as it stands, in one line; nothing if all can."""
    if not 1 <= form.least_entrants <= form.most_entrants <= MOST_ENTRANTS:
        return f"entrants go from a least to a most number, up to {MOST_ENTRANTS}"
    if not form.stages:
        return "a tournament has at least one stage, and its last is the final"
    if form.stages[-1].kind is not StageKind.FINAL or any(s.kind is StageKind.FINAL for s in form.stages[:-1]):
        return "the last stage is the final, and no other"
    if form.stages[0].kind is StageKind.REPECHAGE:
        return "a repechage follows another stage"
    if len({stage.name for stage in form.stages if stage.name}) < len(form.stages):
        return "every stage has a name of its own"
    if form.entry_fee < 0 or form.chip <= 0 or form.chips_to_cash < 0:
        return "fees are not below zero, and the smallest chip is above it"
    for stage in form.stages:
        if fault := _find_stage_fault(stage, form):
            return f"stage {stage.name}: {fault}"
    if form.buy_back is not None and form.buy_back.until not in {stage.name for stage in form.stages[1:]}:
        return "a buy-back goes until the draw of a stage after the first"
    return _find_prize_fault(form)


def _find_stage_fault(stage: TournamentStage, form: TournamentFormat) -> str:
    if [stage.rounds > 0, stage.minutes > 0, stage.shoes > 0].count(True) != 1:
        return "a session lasts so many rounds, or minutes, or shoes"
    if max(stage.rounds, stage.minutes, stage.shoes) > LONGEST_SESSION:
        return f"a session lasts no more than {LONGEST_SESSION} rounds, minutes or shoes"
    if not is_moment(stage.start_ms):
        return "a stage starts before the year 2100"
    if not 1 <= stage.seats <= MOST_SEATS:
        return f"a table has 1 to {MOST_SEATS} seats"
    if stage.stack <= 0 or stage.buy_in < 0:
        return "everybody gets tournament chips"
    if stage.advance < 1 or stage.next_best < 0:
        return "at least one player of each table goes on"
    for low, high in ((stage.minimum, stage.maximum), *((step.minimum, step.maximum) for step in stage.steps)):
        if not 0 < low <= high or low % form.chip:
            return "wagers go from a minimum above zero, in tournament chips, to a maximum"
    if stage.minimum > stage.stack:
        return "the chips at the start are enough for the minimum"
    if any((step.from_round > 0) == (step.after_minutes > 0) for step in stage.steps):
        return "other limits come with a round, or after so many minutes"
    return ""


def _find_prize_fault(form: TournamentFormat) -> str:
    places = [prize.place for prize in form.prizes]
    if sorted(set(places)) != list(range(1, len(places) + 1)):
        return "prizes go from the first place on, one for each"
    if any(prize.amount < 0 or prize.percent < 0 for prize in form.prizes):
        return "a prize is not below zero"
    if sum((prize.percent for prize in form.prizes), ZERO) > 100:
        return "shares of the pool are no more than all of it"
    return ""
