"""Everything that is asked about counting at one table, together: what `pitboss.count` answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.frames import Tabular
from pitboss.money import Money
from pitboss.odds.analysis import basic_strategy
from pitboss.odds.removal.bet_ramps import BetRamp, RampWishes, best_ramp, check_wishes
from pitboss.odds.removal.count_systems import (
    BestTags,
    CountError,
    CountSystem,
    best_tags,
    correlation,
    worth_per_count,
)
from pitboss.odds.removal.effects import MAIN, RemovalEffects, full_shoe, insurance_name, removal_effects, shares_of
from pitboss.odds.removal.exposure import (
    Exposure,
    count_shares,
    wager_exposure,
)
from pitboss.odds.removal.index_plays import IndexPlays, index_plays, refuse_plays
from pitboss.play.hands import ACE, TEN
from pitboss.play.insurance import insurance_offered
from pitboss.play.packed import pack
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.counts.true_counts import CountedGame, plan_to_sort, play_ramp, sort_rounds
from pitboss.sim.plan import cut_position

LEVELS = (1, 2, 3)
DEFAULT_PENETRATION = Money("0.75")
CARDS_OUT_OF_DEVICE = 22.0
"""About what a full table of seven boxes has before it: no more is ever out of a continuous device."""


class WagerStudy(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to count for one wager."""

    effects: RemovalEffects
    correlation: float | None
    """Of the count that was named; for the main wager the betting correlation."""
    worth_per_count: float | None
    """What one more of the true count adds to the player's expectation."""
    pays_from: float | None
    """The true count from which the wager favours the player, to first order."""
    best_tags: tuple[BestTags, ...]
    exposure: Exposure


class PlayedRamp(msgspec.Struct, frozen=True, kw_only=True):
    """A ramp played in rounds, against what was worked out for it."""

    rounds: int
    win_per_100: float
    win_error_per_100: float
    raw_win_per_100: float
    raw_error_per_100: float
    deviation_per_100: float
    score: float
    horizon_rounds: int
    paths: int
    risk_of_ruin: float | None
    """Share of the paths that were ruined within the horizon."""


class PlaysMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """What index plays add to a round of one unit: worked out, and found in rounds played with them and without."""

    rounds: int
    worked_out: float
    found: float
    standard_error: float


class CountStudy(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What counting comes to at a table; what was not asked for is none."""

    game: str
    name: str
    decks: int
    penetration: float
    device: bool
    system: CountSystem | None
    wagers: dict[str, WagerStudy]
    """Main wager, insurance and side wagers on offer."""
    not_counted: dict[str, str]
    """Wagers that are left out, and why."""
    counted: CountedGame | None = None
    by_count: dict[str, dict[int, float]] = {}
    """Wager beside the main one -> count -> what it is worth to the player, to first order."""
    plays: IndexPlays | None = None
    plays_measured: PlaysMeasured | None = None
    ramp: BetRamp | None = None
    played: PlayedRamp | None = None

    def rows(self) -> list[dict[str, object]]:
        """A row for each count where rounds were played, else one for each wager and card."""
        if self.counted is not None:
            return self.counted.rows()
        return [row for wager in self.wagers.values() for row in wager.effects.rows()]

    def __repr__(self) -> str:
        system = "" if self.system is None else f" by {self.system.name}"
        return f"<CountStudy {self.game}{system}: {', '.join(self.wagers)}>"


class StudyWishes(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked about counting."""

    penetration: Money | None = None
    wagers: tuple[str, ...] | None = None
    """None: all that are on offer."""
    sort: bool = False
    """Play rounds and sort them by the count."""
    plays: bool = False
    bets: RampWishes | None = None
    boxes: int = 1
    others: int = 0
    rounds: int = 1 << 20
    path_rounds: int = 0
    """Rounds that the ramp is played for; 0: it is not played."""
    horizon: int = 10_000
    seed: int = 1
    threads: int = 1


def study_counting(
    rules: Rules, system: CountSystem | None, wishes: StudyWishes, told: Callable[[str], None] = lambda _: None
) -> CountStudy:
    """Answer what is asked about counting at a table; `told` hears what is being worked out."""
    device = rules.card_source == "device"
    counts = system is not None and (wishes.sort or wishes.bets is not None)
    if system is not None and counts:
        plan_to_sort(
            rules, system, wishes.penetration, wishes.boxes, wishes.others, wishes.rounds, wishes.seed
        )  # fmt: skip
    if wishes.bets is not None:
        check_wishes(wishes.bets)
    if wishes.path_rounds and wishes.others:
        raise CountError("bets are played with no other players at the table: leave others out")
    if system is not None and wishes.plays:
        refuse_plays(rules, system)
    depth = depth_of(rules, wishes.penetration)
    wagers, not_counted = {}, {}
    for wager in wishes.wagers if wishes.wagers is not None else wagers_of(rules):
        told(f"effects of removal: {wager}")
        try:
            wagers[wager] = study_wager(rules, wager, system, depth)
        except PitbossError as error:
            if wishes.wagers is not None:
                raise
            not_counted[wager] = str(error)
    counted = plays = measured = ramp = played = None
    if system is not None and wishes.plays:
        told("index plays")
        cards = full_shoe(rules)
        plays = index_plays(
            rules, system, count_shares(system, shares_of(cards), len(cards), depth), basic_strategy(rules)
        )
    if system is not None and counts:

        def sort(made: IndexPlays | None) -> CountedGame:
            return sort_rounds(
                rules, system, penetration=wishes.penetration, boxes=wishes.boxes, others=wishes.others,
                rounds=wishes.rounds, seed=wishes.seed, threads=wishes.threads, plays=made,
                progress=lambda share: told(f"playing rounds: {share:.0%}"),
            )  # fmt: skip

        counted = sort(plays)
        if plays is not None:
            measured = _measure(plays, counted, sort(None))
    if counted is not None and wishes.bets is not None:
        ramp = best_ramp(counted.counts, wishes.bets, wishes.boxes)
        ramp = msgspec.structs.replace(ramp, win_error_per_100=ramp.win_error_per_100 * counted.alike)
        if wishes.path_rounds and system is not None:
            told("playing the ramp")
            played = _play(rules, ramp, system, counted, wishes, plays)
    return CountStudy(
        game=rules.game, name=rules.name, decks=rules.decks, penetration=depth, device=device, system=system,
        wagers=wagers, not_counted=not_counted, counted=counted, plays=plays, plays_measured=measured, ramp=ramp,
        played=played,
        by_count={} if counted is None else worth_by_count(counted, wagers),
    )  # fmt: skip


def depth_of(rules: Rules, wanted: Money | None) -> float:
    """The share of the shoe that is dealt: what is wanted, or three quarters, or the nearest that the book allows."""
    if rules.card_source == "device":
        return float(DEFAULT_PENETRATION)
    size = len(full_shoe(rules))
    return cut_position(rules, wanted, size) / size if size else float(DEFAULT_PENETRATION)


def worth_by_count(counted: CountedGame, wagers: Mapping[str, WagerStudy]) -> dict[str, dict[int, float]]:
    """What the wagers beside the main one are worth at each count."""
    return {name: counted.worth_of(wager.effects) for name, wager in wagers.items() if name != MAIN}


def wagers_of(rules: Rules) -> Iterator[str]:
    """Everything that can be bet on at a table."""
    yield MAIN
    for up in (ACE, TEN):
        if insurance_offered(pack(rules), up):
            yield insurance_name(up)
    yield from (side.id for side in rules.side_wagers)


def study_wager(rules: Rules, wager: str, system: CountSystem | None, depth: float) -> WagerStudy:
    """What there is to count for one wager."""
    effects = removal_effects(rules, wager)
    out = CARDS_OUT_OF_DEVICE if rules.card_source == "device" else 0.0
    found = wager_exposure(rules, effects, depth, system, out)
    tells = slope = start = None
    if system is not None:
        tells, slope = correlation(system, effects), worth_per_count(system, effects)
        neutral = system.neutral(effects.shares)
        start = neutral - effects.expectation / slope if abs(slope) > 1e-9 else None
    return WagerStudy(
        effects=effects,
        correlation=tells,
        worth_per_count=slope,
        pays_from=start,
        best_tags=tuple(best_tags(effects, level) for level in LEVELS) if effects.spread > 1e-9 else (),
        exposure=found,
    )


def _measure(plays: IndexPlays, made: CountedGame, without: CountedGame) -> PlaysMeasured:
    """What plays have added to the rounds they were made in."""
    return PlaysMeasured(
        rounds=made.rounds,
        worked_out=plays.gain,
        found=(made.expectation - without.expectation) / made.boxes,
        standard_error=math.hypot(made.standard_error, without.standard_error) / made.boxes,
    )


def _play(
    rules: Rules, ramp: BetRamp, system: CountSystem, counted: CountedGame, wishes: StudyWishes,
    plays: IndexPlays | None,
) -> PlayedRamp:  # fmt: skip
    found = play_ramp(
        rules, ramp, system, counted, rounds=wishes.path_rounds, horizon=wishes.horizon, seed=wishes.seed + 1,
        threads=wishes.threads, plays=plays,
    )  # fmt: skip
    unit = 100 * ramp.wishes.step
    bet = found.bet_per_round
    return PlayedRamp(
        rounds=found.rounds,
        win_per_100=unit * found.mean,
        win_error_per_100=unit * found.mean_error,
        raw_win_per_100=-unit * found.raw.house_edge * bet,
        raw_error_per_100=unit * found.raw.standard_error * bet,
        deviation_per_100=10 * ramp.wishes.step * found.variance**0.5,
        score=found.score,
        horizon_rounds=wishes.horizon,
        paths=found.sums.paths,
        risk_of_ruin=found.risk_of_ruin,
    )


class RankedExposure(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """Wagers of many games, those that offer a counter most first."""

    exposures: tuple[Exposure, ...]
    left_out: dict[str, str]

    def rows(self) -> list[dict[str, object]]:
        """A row for each wager."""
        return [row for one in self.exposures for row in one.rows()]


def rank_exposure(
    tables: Iterable[Rules],
    system: CountSystem | None,
    depth: float | None,
    told: Callable[[str], None] = lambda _: None,
) -> RankedExposure:
    """What every wager of some tables offers, each with its cards, the greatest gain first."""
    found, left_out = [], {}
    done: set[tuple[str, str]] = set()
    for rules in tables:
        for wager in wagers_of(rules):
            if (rules.game, wager) in done:
                continue
            done.add((rules.game, wager))
            told(f"{rules.game}, {wager}")
            try:
                share = depth_of(rules, None) if depth is None else depth
                found.append(study_wager(rules, wager, system, share).exposure)
            except PitbossError as error:
                left_out[f"{rules.game} {wager}"] = str(error)
    return RankedExposure(exposures=tuple(sorted(found, key=lambda one: -one.gain)), left_out=left_out)
