"""What `pitboss count` prints: a study of counting for people, and the same for programs."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from pitboss.formats.wording import percent
from pitboss.odds.removal.bet_ramps import BetRamp
from pitboss.odds.removal.effects import VALUES
from pitboss.odds.removal.exposure import Exposure
from pitboss.report.terminal_tables import print_facts, print_note, print_table
from pitboss.sim.counts.count_study import CountStudy, RankedExposure, WagerStudy

LEAST_SHARE = 5e-4
"""Counts that come less often are left out of tables; JSON has them all."""
MOST_PLAYS = 30
EXPOSURE_HEAD = ("wager", "decks", "edge", "varies", "worth betting", "gain", "by count")
"""Headings of a table of exposures."""


def study_data(study: CountStudy) -> dict[str, Any]:
    """A study for programs: the same keys whatever was asked for."""
    data: dict[str, Any] = msgspec.to_builtins(study)
    for wager, found in study.wagers.items():
        data["wagers"][wager]["effects"]["spread"] = found.effects.spread
    if study.ramp is not None and math.isinf(study.ramp.n_zero):
        data["ramp"]["n_zero"] = None
    return data


def ranking_data(found: RankedExposure) -> dict[str, Any]:
    """Ranked wagers for programs."""
    return {"exposures": found.rows(), "left_out": found.left_out}


def print_ranking(found: RankedExposure) -> None:
    """Wagers of all games, the most exposed first."""
    rows = [(one.game, *exposure_cells(one)) for one in found.exposures]
    title = "What counting can gain, in units for 100 rounds of one unit"
    print_table(title, ("game", *EXPOSURE_HEAD), rows, fixed=2, numbers=EXPOSURE_HEAD[1:])
    print_note(NOTE)


NOTE = (
    "Worth betting: share of rounds in which the wager favours a player who knows every card that has gone. Gain: what "
    "that player wins for 100 rounds, betting one unit then and nothing else; by count: who knows the count alone."
)


def exposure_cells(one: Exposure) -> tuple[str, ...]:
    """One exposure as a row of a table."""
    return (
        one.wager,
        str(one.decks),
        percent(-one.expectation, 3),
        percent(one.deviation, 3),
        percent(one.bet_share, 2),
        f"{100 * one.gain:.4f}",
        f"{100 * one.gain_by_count:.4f}" if one.count else "",
    )


def print_study(study: CountStudy) -> None:
    """A study for people."""
    print_facts(list(study_facts(study).items()))
    for wager, found in study.wagers.items():
        print_table(*effects_table(wager, found), numbers=VALUES)
    rows = [exposure_cells(found.exposure) for found in study.wagers.values()]
    title = "What counting can gain, in units for 100 rounds of one unit"
    print_table(title, EXPOSURE_HEAD, rows, numbers=EXPOSURE_HEAD[1:])
    if study.counted is not None:
        head, lines = counts_table(study)
        print_table("By count, rounded down: what each wager is worth to the player", head, lines, numbers=head)
    if study.plays is not None:
        print_table("Index plays, the most valuable first", *plays_table(study), numbers=("turns at", "index", "gain"))
        if len(study.plays.plays) > MOST_PLAYS:
            print_note(f"{len(study.plays.plays) - MOST_PLAYS} more plays gain less; --json has them all.")
    for wager, why in study.not_counted.items():
        print_note(f"{wager} is left out: {why}")


def study_facts(study: CountStudy) -> dict[str, str]:
    """The figures of a study by name; a text is empty where there is nothing to say."""
    system, counted, main = study.system, study.counted, study.wagers.get("main")
    dealt = "a continuous device" if study.device else f"{percent(study.penetration, 0)} dealt"
    facts = {"game": f"{study.game}, {study.decks} decks, {dealt}"}
    if system is not None:
        tags = " ".join(f"{value} {tag:+g}" for value, tag in system.tags.items() if tag)
        facts["count"] = f"{system.name}: {tags}"
        if main is not None and main.correlation is not None and main.worth_per_count is not None:
            facts["betting correlation"] = f"{main.correlation:.3f}"
            facts["one true count"] = f"{percent(main.worth_per_count, 3, sign=True)} for the player"
    if study.plays is not None:
        facts["playing efficiency"] = f"{study.plays.efficiency:.2f}"
        facts["index plays"] = f"{len(study.plays.plays)} plays add {percent(study.plays.gain, 4)} of a bet to a round"
    if study.plays_measured is not None:
        found = study.plays_measured
        facts["index plays, as played"] = f"{percent(found.found, 4)} ± {percent(found.standard_error, 4)}"
    if counted is not None:
        edge = (
            f"{percent(-counted.expectation / counted.boxes, 4)} ± {percent(counted.standard_error / counted.boxes, 4)}"
        )
        made = ", index plays made" if study.plays is not None else ""
        facts["house edge, flat bets"] = f"{edge}, {counted.rounds:,} rounds{made}"
    return facts | ramp_facts(study)


def ramp_facts(study: CountStudy) -> dict[str, str]:
    """What the bets of a study come to."""
    ramp, played = study.ramp, study.played
    if ramp is None:
        return {}
    won = f"{ramp.win_per_100:+.2f} ± {ramp.win_error_per_100:.2f} for 100 rounds"
    n_zero = "never" if math.isinf(ramp.n_zero) else f"{ramp.n_zero:,.0f}"
    facts = {
        "bets": ramp_words(ramp),
        "average bet": f"{ramp.average_bet:.2f}, {percent(ramp.played_share, 1)} of rounds played",
        "win": f"{won}, {ramp.win_per_hour:+.2f} an hour",
        "standard deviation": f"{ramp.deviation_per_100:.2f} for 100 rounds, {ramp.deviation_per_hour:.2f} an hour",
        "worth of the bets": f"SCORE {ramp.score:.2f}, N0 {n_zero}",
        "risk of ruin": f"{percent(ramp.risk_of_ruin, 2)} of {ramp.wishes.bankroll:,.0f}, ever",
    }
    if played is not None:
        won = f"{played.win_per_100:+.2f} ± {played.win_error_per_100:.2f} for 100 rounds"
        ruined = (
            "" if played.risk_of_ruin is None else f", {percent(played.risk_of_ruin, 2)} of {played.paths} paths ruined"
        )
        facts["as played"] = f"{won}, SCORE {played.score:.2f}{ruined} within {played.horizon_rounds:,} rounds"
    return facts


def ramp_words(ramp: BetRamp) -> str:
    """Bets by count, told from where each begins."""
    parts: list[str] = []
    before: float | None = None
    for step in ramp.steps:
        if step.bet != before:
            parts.append(f"{step.bet:g} from {step.count:+d}" if parts else f"{step.bet:g}")
        before = step.bet
    return ", ".join(parts)


def effects_table(wager: str, found: WagerStudy) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    """Title, heading and rows of the effects on a wager, with the best counts below."""
    title = f"Effects of removal on {wager}, in % of a unit"
    if found.pays_from is not None and found.worth_per_count is not None and found.worth_per_count > 0:
        title = f"{title}; favours the player from a true count of {found.pays_from:+.1f}"
    rows = [("one card less", "", *(f"{100 * found.effects.effects[value]:+.4f}" for value in VALUES))]
    rows += [
        (f"best tags, level {best.level}", f"{best.correlation:.3f}", *(f"{best.tags[value]:+d}" for value in VALUES))
        for best in found.best_tags
    ]
    return title, ("", "correlation", *VALUES), rows


COUNT_HEAD = ("count", "rounds", "main", "±", "variance", "bet")


def counts_table(study: CountStudy) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Heading and rows of what each count is worth to the player."""
    assert study.counted is not None
    boxes = study.counted.boxes
    others = {name: worth for name, worth in study.by_count.items() if len(set(worth.values())) > 1}
    bets = {} if study.ramp is None else {step.count: f"{step.bet:g}" for step in study.ramp.steps}
    rows = [
        (
            f"{row.count:+d}",
            percent(row.share, 2),
            percent(row.expectation / boxes, 3, sign=True),
            percent(row.standard_error / boxes, 3),
            f"{row.variance:.3f}",
            bets.get(row.count, ""),
            *(percent(worth[row.count], 2, sign=True) for worth in others.values()),
        )
        for row in study.counted.counts
        if row.share >= LEAST_SHARE
    ]
    return (*COUNT_HEAD, *others), rows


def plays_table(study: CountStudy, most: int = MOST_PLAYS) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Heading and rows of the index plays."""
    assert study.plays is not None
    head: tuple[str, ...] = ("hand", "against", "below", "from the index on", "turns at", "index", "gain")
    rows: list[tuple[str, ...]] = [
        (
            play.hand,
            play.up,
            play.below,
            play.from_it,
            f"{play.turns_at:+.2f}",
            f"{play.index:+d}",
            percent(play.gain, 4),
        )
        for play in study.plays.plays[:most]
    ]
    return head, rows
