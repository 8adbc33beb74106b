"""`pitboss count GAME`: what a counter can win of a game, its insurance and its side wagers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pitboss.cli.game_options import BookFile, DealtDecks, Force, Options, Readings, Sides, read_choices
from pitboss.cli.progress import working
from pitboss.errors import PitbossError
from pitboss.files import check_place, read_text, write_bytes, write_marked
from pitboss.formats.typed_numbers import read_number, read_whole
from pitboss.money import Money
from pitboss.odds.removal.bet_ramps import RampWishes
from pitboss.odds.removal.count_systems import SYSTEMS, CountSystem, find_system
from pitboss.report.counting.count_answer import print_ranking, print_study, ranking_data, study_data
from pitboss.report.counting.exposure_page import exposure_page, ranking_page
from pitboss.rulebooks import Rules, games
from pitboss.rulebooks.house_choices import HouseChoices
from pitboss.sim.api import MOST_THREADS, count_threads
from pitboss.sim.counts.count_study import StudyWishes, rank_exposure, study_counting
from pitboss.sim.counts.exposure_study import study_exposure
from pitboss.sim.counts.true_counts import schedule_of, why_unsorted

MOST_ROUNDS = 10**9

EXAMPLES = (
    "pitboss count rws/blackjack --removal",
    "pitboss count star/blackjack --system hi-lo --penetration 0.75",
    "pitboss count rws/blackjack --side over-13 --system crush --decks 6",
    "pitboss count perth/vegas --plays --bankroll 20000 --max 500 --spread 12",
    "pitboss count melbourne/vegas --report exposure.html",
    "pitboss count --report all-games.html",
    "pitboss count",
)

CountedGame = Annotated[
    str | None, typer.Argument(metavar="GAME", help="Such as melbourne/pontoon; all games, ranked, if left out.")
]


def run(
    game: CountedGame = None,
    decks: DealtDecks = None,
    option: Options = None,
    side: Sides = None,
    reading: Readings = None,
    removal: Annotated[
        bool, typer.Option("--removal", help="Effects of removal and the best counts, exactly.")
    ] = False,
    system: Annotated[
        str | None, typer.Option("--system", metavar="COUNT", help=f"{', '.join(SYSTEMS)} or a JSON file. [hi-lo]")
    ] = None,
    penetration: Annotated[
        str | None, typer.Option("--penetration", metavar="P", help="Share of the shoe dealt. [0.75]")
    ] = None,
    plays: Annotated[bool, typer.Option("--plays", help="Index plays: where the count changes decisions.")] = False,
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", metavar="AMOUNT", help="Find the best bets for this bankroll.")
    ] = None,
    kelly: Annotated[str | None, typer.Option("--kelly", metavar="SHARE", help="Share of Kelly bets. [1]")] = None,
    risk: Annotated[
        str | None, typer.Option("--risk", metavar="R", help="Accept this risk of ruin, in place of Kelly bets.")
    ] = None,
    minimum: Annotated[str, typer.Option("--min", metavar="AMOUNT", help="Table minimum.")] = "25",
    maximum: Annotated[str, typer.Option("--max", metavar="AMOUNT", help="Table maximum.")] = "1000",
    unit: Annotated[str, typer.Option("--unit", metavar="AMOUNT", help="Bets are multiples of this.")] = "5",
    spread: Annotated[
        str | None, typer.Option("--spread", metavar="N", help="The highest bet is at most N times the lowest.")
    ] = None,
    sit_out_below: Annotated[
        str | None, typer.Option("--sit-out-below", metavar="COUNT", help="Watch rounds with a lower count.")
    ] = None,
    rounds_per_hour: Annotated[
        str, typer.Option("--rounds-per-hour", metavar="N", help="Rounds that are dealt in an hour.")
    ] = "70",
    play_rounds: Annotated[
        str | None, typer.Option("--play", metavar="N", help="Also play the bets for N rounds, and follow bankrolls.")
    ] = None,
    horizon: Annotated[
        str, typer.Option("--horizon", metavar="N", help="Rounds that each bankroll is followed.")
    ] = "10000",
    boxes: Annotated[str, typer.Option("--boxes", metavar="N", help="Boxes of the counter's.")] = "1",
    others: Annotated[str, typer.Option("--others", metavar="N", help="Boxes of other players.")] = "0",
    rounds: Annotated[str, typer.Option("--rounds", metavar="N", help="Rounds to sort by count.")] = "4e6",
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="The same seed plays the same rounds.")] = "1",
    threads: Annotated[
        str | None, typer.Option("--threads", metavar="N", help="Threads; all cores if left out.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write the exposure report as one HTML page.")
    ] = None,
    bets_file: Annotated[
        Path | None, typer.Option("--write-bets", metavar="FILE", help="Write bets and plays for simulate --bets.")
    ] = None,
    force: Force = False,
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what a counter can win: of one game, or of every wager of all games, ranked."""
    count = find_system(system or "hi-lo", lambda name: read_text(Path(name)))
    share = None if penetration is None else read_number("--penetration", penetration)
    if share is not None and not 0 < share < 1:
        raise PitbossError(f"--penetration {penetration}: it must lie between 0 and 1, such as 0.75")
    choices = read_choices(decks, option, side, reading, book, dealt=True)
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise PitbossError(f"--report {report}: a report is an HTML page: name a file that ends in .html")
    check_place("--report", report, force=force)
    check_place("--write-bets", bets_file, force=force, is_ours=lambda _: False)
    if game is None:
        of_one_game = (bankroll, play_rounds, kelly, risk, spread, sit_out_below, bets_file)
        if removal or plays or any(given is not None for given in of_one_game) or (boxes, others) != ("1", "0"):
            raise PitbossError("name a game for this; without one, the wagers of all games are ranked")
        _rank(choices, count, share, report, as_json)
        return
    wishes = StudyWishes(
        penetration=share,
        wagers=None if removal or not side else ("main", *choices.side_wagers),
        sort=system is not None or bankroll is not None or not (removal or plays),
        plays=plays,
        bets=None
        if bankroll is None
        else RampWishes(
            bankroll=_amount("--bankroll", bankroll),
            kelly=None if risk is not None else float(read_number("--kelly", kelly or "1")),
            risk=None if risk is None else float(read_number("--risk", risk)),
            minimum=_amount("--min", minimum),
            maximum=_amount("--max", maximum),
            step=_amount("--unit", unit),
            spread=None if spread is None else float(read_number("--spread", spread)),
            sit_out_below=None if sit_out_below is None else read_whole("--sit-out-below", sit_out_below, -60, 60),
            rounds_per_hour=_amount("--rounds-per-hour", rounds_per_hour),
        ),
        boxes=read_whole("--boxes", boxes, 1, 7),
        others=read_whole("--others", others, 0, 6),
        rounds=read_whole("--rounds", rounds, 1000, MOST_ROUNDS),
        path_rounds=0 if play_rounds is None else read_whole("--play", play_rounds, 1000, MOST_ROUNDS),
        horizon=read_whole("--horizon", horizon, 1, 10**9),
        seed=read_whole("--seed", seed, 0, (1 << 63) - 1),
        threads=count_threads(None if threads is None else read_whole("--threads", threads, 1, MOST_THREADS)),
    )
    if bankroll is None and any(
        given is not None for given in (play_rounds, kelly, risk, spread, sit_out_below, bets_file)
    ):
        raise PitbossError("bets need a bankroll: --bankroll AMOUNT")
    if kelly is not None and risk is not None:
        raise PitbossError("--kelly and --risk are two ways to choose bets: name one")
    _, rules = choices.resolve(game)
    if system is None and bankroll is None and (why := why_unsorted(rules)):
        typer.echo(f"no rounds are sorted by counts: {why}", err=True)
        wishes = msgspec.structs.replace(wishes, sort=False)
    _game(choices, rules, count, wishes, report, bets_file, as_json)


def _game(
    choices: HouseChoices, rules: Rules, count: CountSystem, wishes: StudyWishes, report: Path | None,
    bets_file: Path | None, as_json: bool,
) -> None:  # fmt: skip
    game = rules.game
    if report is not None:
        refused = choices.each_side_wager(game)[1]
        with working(f"what a counter can win of {rules.game}") as say:
            found = study_exposure(rules, _with_each_side(choices, game), count, wishes, choices, say, refused=refused)
            write_marked(report, exposure_page(found).encode())
        typer.echo(f"wrote {report}", err=True)
        if not as_json:
            return
        study = found.study
    else:
        with working(f"counting {rules.game}") as say:
            study = study_counting(rules, count, wishes, say)
    if bets_file is not None and study.ramp is not None:
        bets = schedule_of(study.ramp, rules, count, study.ramp.wishes.step, study.plays)
        write_bytes(bets_file, msgspec.json.format(msgspec.json.encode(bets), indent=1) + b"\n")
        typer.echo(f"wrote {bets_file}: units of {study.ramp.wishes.step:g}", err=True)
    if as_json:
        print(json.dumps(study_data(study), indent=2, ensure_ascii=False))
    else:
        print_study(study)


def _with_each_side(choices: HouseChoices, game: str) -> list[Rules]:
    """The table with each of the side wagers that it can offer, one by one."""
    offered, _ = choices.each_side_wager(game)
    return [choices.with_only(wager).resolve(game)[1] for wager in offered]


def _rank(choices: HouseChoices, count: CountSystem, share: Money | None, report: Path | None, as_json: bool) -> None:
    own = [f"{book.namespace}/{name}" for book in choices.own_books for name in book.games]
    with working("ranking all wagers") as say:
        tables = [
            table
            for game in [*own, *games()]
            for known in (choices.applying_to(game),)
            for table in (known.resolve(game)[1], *_with_each_side(known, game))
        ]
        found = rank_exposure(tables, count, None if share is None else float(share), say)
    if report is not None:
        write_marked(report, ranking_page(found, count).encode())
        typer.echo(f"wrote {report}", err=True)
    if as_json:
        print(json.dumps(ranking_data(found), indent=2, ensure_ascii=False))
    elif report is None:
        print_ranking(found)


def _amount(flag: str, text: str) -> float:
    amount = float(read_number(flag, text))
    if amount <= 0:
        raise PitbossError(f"{flag} {text}: the amount must be above zero")
    return amount
