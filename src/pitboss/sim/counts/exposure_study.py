"""The figures of an exposure report: a table as it is offered, and what other cuts, devices and rules would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from pitboss.errors import PitbossError
from pitboss.odds.removal.bet_ramps import RampError, RampWishes
from pitboss.odds.removal.count_systems import CountSystem
from pitboss.odds.removal.effects import INSURANCE, INSURANCE_ON_TENS, MAIN, removal_effects
from pitboss.odds.removal.exposure import Exposure, exposure, wager_exposure
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
    by_decks: dict[str, dict[int, Exposure]]
    """Wager -> number of decks that the house may choose -> what the wager offers there."""
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
    *,
    refused: Mapping[str, str],
) -> ExposureStudy:
    """Work out a report. `with_sides` are the same table with each side wager that it can offer, `refused` why not.

    A count played by its running count has no index plays, and neither has a game without counted rounds.
    """
    plays = not system.running and not rules.switch and rules.card_source != "device"
    wanted = msgspec.structs.replace(wishes, sort=True, plays=plays, wagers=None)
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
    study.not_counted.update(refused)
    tables = dict.fromkeys(study.wagers, rules)
    for table in with_sides:
        for side in table.side_wagers:
            if side.id in wagers or side.id in study.not_counted:
                continue
            told(f"effects of removal: {side.id}")
            try:
                wagers[side.id], tables[side.id] = study_wager(table, side.id, system, depth), table
            except PitbossError as error:
                study.not_counted[side.id] = str(error)
    counted = study.counted
    by_count = {} if counted is None else worth_by_count(counted, wagers)
    study = msgspec.structs.replace(study, wagers=wagers, by_count=by_count)
    return ExposureStudy(
        study=study,
        by_cut={
            name: {cut: wager_exposure(tables[name], wager.effects, cut, system).gain for cut in CUTS}
            for name, wager in wagers.items()
        },
        by_decks=_by_decks(rules, wagers, system, depth, choices, told),
        by_device={
            name: wager_exposure(tables[name], wager.effects, depth, system, CARDS_OUT_OF_DEVICE)
            for name, wager in wagers.items()
        },
        others=tuple(_other_tables(rules, system, depth, choices, told)),
        no_rounds=why,
    )


def _by_decks(
    rules: Rules, wagers: Mapping[str, WagerStudy], system: CountSystem, depth: float, choices: HouseChoices,
    told: Callable[[str], None],
) -> dict[str, dict[int, Exposure]]:  # fmt: skip
    """Every wager by the numbers of decks that the house may choose."""
    found = {name: {rules.decks: wager.exposure} for name, wager in wagers.items()}
    numbers = choices.possible(rules.game, "decks") if "decks" in rules.options else ()
    for decks in sorted(value for value in numbers if isinstance(value, int) and value not in (0, rules.decks)):
        for name in wagers:
            told(f"{name}, {decks} decks")
            chosen = choices._replace(options={**choices.options, "decks": decks})
            try:
                table = (chosen if name in _WITHOUT_SIDES else chosen.with_only(name)).resolve(rules.game)[1]
                found[name][decks] = study_wager(table, name, system, depth).exposure
            except PitbossError:
                continue
    return found


_WITHOUT_SIDES = (MAIN, INSURANCE, INSURANCE_ON_TENS)


def _other_tables(
    rules: Rules, system: CountSystem, depth: float, choices: HouseChoices, told: Callable[[str], None]
) -> list[OtherTable]:
    """The game with each other value of its options that changes what it is worth."""
    found: list[OtherTable] = []
    for name in rules.options:
        if name in ("card_source", "side_wagers", "decks"):
            continue
        for value in sorted(choices.possible(rules.game, name), key=str):
            told(f"{name} {value}")
            try:
                changed = choices._replace(options={**choices.options, name: value}).resolve(rules.game)[1]
                if changed.digest == rules.digest:
                    continue
                effects = removal_effects(changed, MAIN)
            except PitbossError:
                continue
            shown = exposure(effects, depth, system)
            found.append(OtherTable(f"{name} = {value}", effects.expectation, shown))
    return found
