"""The exposure report: one HTML page that says what a counter could win of a table, and of every wager on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from pitboss.formats.html import table_html
from pitboss.formats.wording import percent
from pitboss.odds.removal.count_systems import CountSystem
from pitboss.odds.removal.effects import VALUES
from pitboss.report.counting.count_answer import (
    EXPOSURE_HEAD,
    LEAST_SHARE,
    NOTE,
    counts_table,
    effects_table,
    exposure_cells,
    plays_table,
    ramp_facts,
    study_facts,
)
from pitboss.report.counting.count_pictures import Column, columns_picture, lines_picture
from pitboss.report.games.game_page import STYLE
from pitboss.sim.counts.count_study import CARDS_OUT_OF_DEVICE, RankedExposure
from pitboss.sim.counts.exposure_study import ExposureStudy

MOST_COLUMNS = 30


def exposure_page(found: ExposureStudy) -> str:
    """The page, which loads nothing from anywhere."""
    study = found.study
    body = "".join(part for section in SECTIONS for part in section(found))
    return _page(f"Exposure to counting: {study.name}", f"{study.game}, {study.decks} decks", body)


def ranking_page(found: RankedExposure, system: CountSystem) -> str:
    """One page on every wager of all games, those that offer a counter most first."""
    most = [one for one in found.exposures if one.gain > 0][:MOST_COLUMNS]
    columns = [Column(str(place), 100 * one.gain) for place, one in enumerate(most, 1)]
    rows = [(str(place), one.game, *exposure_cells(one)) for place, one in enumerate(found.exposures, 1)]
    head = ("", "game", *EXPOSURE_HEAD)
    body = (
        "<h2>The most exposed wagers</h2>"
        + columns_picture(columns, "Gain of a perfect counter for 100 rounds, in units, by place in the table", "")
        + "<p>Units for 100 rounds of one unit.</p>"
        + table_html(head, rows, numbers=(0, *range(3, len(head))))
        + f"<p class='note'>{escape(NOTE)}</p>"
        + "".join(_left_out(found.left_out))
    )
    return _page("Exposure to counting: all games", f"each as its book offers it, by the {system.name} count", body)


def _page(title: str, lead: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1><p class='lead'>{escape(lead)}</p>"
        f"{body}</main></body></html>\n"
    )


def _summary(found: ExposureStudy) -> Iterator[str]:
    yield table_html(("", ""), [item for item in study_facts(found.study).items() if item[1]])
    if found.no_rounds:
        yield f"<p class='note'>No rounds were sorted by counts: {escape(found.no_rounds)}.</p>"


def _wagers(found: ExposureStudy) -> Iterator[str]:
    study = found.study
    wagers = sorted(study.wagers.values(), key=lambda wager: -wager.exposure.gain)
    yield "<h2>Every wager</h2><p>Units for 100 rounds of one unit.</p>"
    numbers = range(1, len(EXPOSURE_HEAD))
    yield table_html(EXPOSURE_HEAD, [exposure_cells(wager.exposure) for wager in wagers], numbers=tuple(numbers))
    yield f"<p class='note'>{escape(NOTE)}</p>"
    yield from _left_out(study.not_counted)


def _left_out(why: Mapping[str, str]) -> Iterator[str]:
    for wager, reason in why.items():
        yield f"<p class='note'>{escape(wager)} is left out: {escape(reason)}</p>"


def _decks(found: ExposureStudy) -> Iterator[str]:
    numbers = sorted({decks for line in found.by_decks.values() for decks in line})
    if len(numbers) == 1:
        return
    yield "<h2>By the number of decks</h2>"
    lines = {name: {decks: 100 * one.gain for decks, one in line.items()} for name, line in found.by_decks.items()}
    head = ("wager", *(f"{decks} decks" if decks > 1 else "1 deck" for decks in numbers))
    rows = [(name, *(f"{line[at]:.4f}" if at in line else "" for at in numbers)) for name, line in lines.items()]
    yield table_html(head, rows, numbers=tuple(range(1, len(head))))
    yield "<p class='note'>Gain of a perfect counter for 100 rounds, in units, the same share of the shoe dealt.</p>"


def _cuts(found: ExposureStudy) -> Iterator[str]:
    yield "<h2>By the share of the shoe that is dealt</h2>"
    lines = {
        name: {cut: 100 * gain for cut, gain in line.items()}
        for name, line in found.by_cut.items()
        if max(line.values()) > 0
    }
    yield lines_picture(lines, "Gain of a perfect counter for 100 rounds, in units", "share of the shoe dealt")
    cuts = sorted({cut for line in found.by_cut.values() for cut in line})
    head = ("wager", *(percent(cut, 0) for cut in cuts), f"device, {CARDS_OUT_OF_DEVICE:.0f} cards out")
    rows = [
        (name, *(f"{100 * line[cut]:.4f}" for cut in cuts), f"{100 * found.by_device[name].gain:.6f}")
        for name, line in found.by_cut.items()
    ]
    yield table_html(head, rows, numbers=tuple(range(1, len(head))))
    yield (
        "<p class='note'>Units for 100 rounds. A continuous device has no more out "
        "of it than the cards of a full table, and what is left of the gain is in the last column.</p>"
    )


def _counts(found: ExposureStudy) -> Iterator[str]:
    study = found.study
    if study.counted is None:
        return
    yield "<h2>By count</h2>"
    shown = [row for row in study.counted.counts if row.share >= LEAST_SHARE]
    most, boxes = max(row.share for row in shown), study.counted.boxes
    columns = [
        Column(f"{row.count:+d}", 100 * row.expectation / boxes, 100 * row.standard_error / boxes, row.share / most)
        for row in shown
    ]
    yield columns_picture(columns, "What each count is worth to the player; wide columns come often")
    head, lines = counts_table(study)
    yield table_html(head, lines, numbers=tuple(range(len(head))))
    plays = "index plays made" if study.plays is not None else "by basic strategy"
    yield f"<p class='note'>Corrected estimates of {study.counted.rounds:,} rounds, {plays}.</p>"


def _plays(found: ExposureStudy) -> Iterator[str]:
    if found.study.plays is None:
        return
    yield "<h2>Decisions that the count changes</h2>"
    yield table_html(*plays_table(found.study), numbers=(4, 5, 6))


def _bets(found: ExposureStudy) -> Iterator[str]:
    study = found.study
    if study.ramp is None:
        return
    yield "<h2>Bets</h2>"
    steps = [step for step in study.ramp.steps if step.share >= LEAST_SHARE]
    highest = max(step.bet for step in steps) or 1.0
    columns = [Column(f"{step.count:+d}", step.win_per_100, weight=0.1 + 0.9 * step.bet / highest) for step in steps]
    yield columns_picture(columns, "What each count brings to 100 rounds, in money; wide columns are high bets", "")
    yield table_html(("", ""), [item for item in ramp_facts(study).items() if item[1]])


def _removal(found: ExposureStudy) -> Iterator[str]:
    yield "<h2>Effects of removal</h2>"
    main = found.study.wagers.get("main")
    if main is not None:
        columns = [Column(value, 100 * main.effects.effects[value]) for value in VALUES]
        yield columns_picture(columns, "What taking one card out of the full shoe adds for the player")
    for wager, study in found.study.wagers.items():
        title, head, rows = effects_table(wager, study)
        yield f"<h3>{escape(title)}</h3>{table_html(head, rows, numbers=tuple(range(1, len(head))))}"
        yield f"<p class='note'>{escape(study.effects.method)}; {escape(study.exposure.method)}.</p>"


def _others(found: ExposureStudy) -> Iterator[str]:
    if not found.others:
        return
    yield "<h2>What other choices of the house would do to the main wager</h2>"
    here = found.study.wagers["main"].exposure.gain
    rows = [
        (
            other.choice,
            percent(-other.expectation, 4),
            f"{100 * other.exposure.gain:.4f}",
            f"{100 * (other.exposure.gain - here):+.4f}",
        )
        for other in sorted(found.others, key=lambda other: other.exposure.gain)
    ]
    yield table_html(("choice", "house edge, by the chart", "gain for 100 rounds", "change"), rows, numbers=(1, 2, 3))


SECTIONS = (_summary, _wagers, _cuts, _decks, _counts, _bets, _plays, _others, _removal)
