"""The figures of an exposure report: a table as it is offered, and what other cuts, devices and rules would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from pitboss.errors import PitbossError
from pitboss.odds.removal.bet_ramps import RampError, RampWishes
from pitboss.odds.removal.count_systems import CountSystem
from pitboss.odds.removal.effects import MAIN, removal_effects
from pitboss.odds.removal.exposure import Exposure, device_exposure, exposure
from pitboss.rulebooks.house_choices import HouseChoices
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.counts.count_study import (
    CARDS_OUT_OF_DEVICE,
    CountStudy,
    StudyWishes,
    WagerStudy,
    study_counting,
    study_wager,
    worth_by_count,
)
from pitboss.sim.counts.true_counts import CountedError

CUTS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85)
BANKROLL = 10_000.0
"""Of the ramp that a report shows where no other is asked for: with a full Kelly bet, what SCORE is defined by."""
SPREAD = 12.0


class OtherTable(msgspec.Struct, frozen=True):
    """The main wager at a table with one choice of the house changed."""

    choice: str
    expectation: float
    exposure: Exposure


class ExposureStudy(msgspec.Struct, frozen=True, kw_only=True):
    """All that an exposure report shows."""

    study: CountStudy
    by_cut: dict[str, dict[float, float]]
    """Wager -> share of the shoe dealt -> what a perfect counter wins of each round, in units."""
    by_device: dict[str, Exposure]
    """Wager -> what a continuous device would leave."""
    others: tuple[OtherTable, ...]
    no_rounds: str = ""
    """Why no rounds were sorted by counts."""


def study_exposure(
    rules: Rules,
    with_sides: Sequence[Rules],
    system: CountSystem,
    wishes: StudyWishes,
    choices: HouseChoices,
    told: Callable[[str], None] = lambda _: None,
) -> ExposureStudy:
    """Work out a report. `with_sides` are the same table with each side wager that it can offer."""
    wanted = msgspec.structs.replace(wishes, sort=True, plays=not system.running and not rules.switch, wagers=None)
    if wanted.bets is None:
        bets = RampWishes(bankroll=BANKROLL, minimum=10, maximum=10 * SPREAD, step=5)
        wanted = msgspec.structs.replace(wanted, bets=bets)
    why = ""
    try:
        study = study_counting(rules, system, wanted, told)
    except (CountedError, RampError) as error:
        why = str(error)
        study = study_counting(rules, system, msgspec.structs.replace(wanted, sort=False, bets=None), told)
    depth = study.penetration
    wagers: dict[str, WagerStudy] = dict(study.wagers)
    for table in with_sides:
        for side in table.side_wagers:
            told(f"effects of removal: {side.id}")
            if side.id not in wagers:
                wagers[side.id] = study_wager(table, side.id, system, depth)
    counted = study.counted
    by_count = {} if counted is None else worth_by_count(counted, wagers)
    study = msgspec.structs.replace(study, wagers=wagers, by_count=by_count)
    return ExposureStudy(
        study=study,
        by_cut={
            name: {cut: exposure(wager.effects, cut, system).gain for cut in CUTS} for name, wager in wagers.items()
        },
        by_device={name: device_exposure(wager.effects, CARDS_OUT_OF_DEVICE, system) for name, wager in wagers.items()},
        others=tuple(_other_tables(rules, system, depth, choices, told)),
        no_rounds=why,
    )


def _other_tables(
    rules: Rules, system: CountSystem, depth: float, choices: HouseChoices, told: Callable[[str], None]
) -> list[OtherTable]:
    """The game with each other value of its options that changes what it is worth."""
    found: list[OtherTable] = []
    for name in rules.options:
        if name in ("card_source", "side_wagers"):
            continue
        for value in sorted(choices.possible(rules.game, name), key=str):
            if str(value) in ("inf", "0") and name == "decks":
                continue
            told(f"{name} {value}")
            try:
                changed = choices._replace(options={**choices.options, name: value}).resolve(rules.game)[1]
                if changed.digest == rules.digest or changed.decks == 0:
                    continue
                effects = removal_effects(changed, MAIN)
            except PitbossError:
                continue
            shown = exposure(effects, depth, system)
            found.append(OtherTable(f"{name} = {value}", effects.expectation, shown))
    return found
