"""`pitboss simulate GAME`: play rounds by the million, watch the edge settle, and keep what was found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from pitboss.cli import INTERRUPTED
from pitboss.cli.game_options import (
    BookFile,
    DealtDecks,
    Force,
    Options,
    Readings,
    Sides,
    pairs,
    read_choices,
    read_stake,
)
from pitboss.cli.progress import working
from pitboss.cli.simulation.kept_runs import (
    KeptRun,
    RunRequest,
    check_same_run,
    is_kept_run,
    read_kept,
    resume_run,
    write_kept,
)
from pitboss.cli.simulation.running import play_with_progress
from pitboss.errors import PitbossError
from pitboss.files import check_place, read_text, write_marked
from pitboss.formats.json_faults import tell_fault
from pitboss.formats.names import any_of
from pitboss.formats.typed_numbers import read_number, read_whole
from pitboss.report.picture_files import KINDS, drawing_tools
from pitboss.report.simulations.simulation_answer import print_result, result_data
from pitboss.rulebooks import Rulebook, Rules
from pitboss.rulebooks.house_choices import HouseChoices
from pitboss.sim.api import MOST_ROUNDS, MOST_THREADS, count_threads, make_ready
from pitboss.sim.kernels.compiling import watch_compiling
from pitboss.sim.plan import BetSchedule, Plan, Prepared
from pitboss.sim.run import Run
from pitboss.sim.witness import witness

COMPILING = "compiling for the first time, which takes up to half a minute"

FirstRound = Callable[[], float] | None
"""What the house wins of the first round of a full shoe, where the analyser knows it."""

GameOrNone = Annotated[
    str | None, typer.Argument(metavar="GAME", help="Such as melbourne/pontoon; left out with --resume.")
]
Rounds = Annotated[str | None, typer.Option("--rounds", metavar="N", help="Rounds to play, such as 1e9. [1e7]")]
Boxes = Annotated[str | None, typer.Option("--boxes", metavar="N", help="Boxes in play; areas for Switch. [1]")]
StrategyName = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="S",
        help="basic or chart, optimum, mimic-the-dealer, never-bust, yardstick or a file. [chart]",
    ),
]
Penetration = Annotated[
    str | None, typer.Option("--penetration", metavar="P", help="Share of the shoe dealt, such as 0.75.")
]
Burn = Annotated[str | None, typer.Option("--burn", metavar="N", help="Cards burnt from a new shoe.")]
BurnEachRound = Annotated[
    bool | None, typer.Option("--burn-each-round", help="Burn a card before every round, where the book allows it.")
]
Fresh = Annotated[bool | None, typer.Option("--fresh", help="Deal every round from a full shoe, as in pitboss odds.")]
Seed = Annotated[str | None, typer.Option("--seed", metavar="N", help="The same seed plays the same rounds. [1]")]
Threads = Annotated[str | None, typer.Option("--threads", metavar="N", help="Threads; all cores if left out.")]
Bets = Annotated[Path | None, typer.Option("--bets", metavar="FILE", help="A bet schedule by true count (JSON).")]
Bankroll = Annotated[
    str | None, typer.Option("--bankroll", metavar="UNITS", help="Follow bankrolls of this many units.")
]
Horizon = Annotated[str | None, typer.Option("--horizon", metavar="N", help="Rounds to follow a bankroll for. [1,000]")]
MeterValues = Annotated[
    list[str] | None, typer.Option("--meter", metavar="NAME=VALUE", help="The value of a prize meter, per unit staked.")
]
Stake = Annotated[
    str | None, typer.Option("--stake", metavar="AMOUNT", help="One unit in money, for fixed prizes. [25]")
]
Detail = Annotated[bool | None, typer.Option("--detail", help="Also show results by opening hand and up card.")]
Raw = Annotated[
    bool | None,
    typer.Option("--raw", help="Leave the luck of the cards in: several times as many rounds a second."),
]
RecordPlace = Annotated[
    str | None, typer.Option("--record", metavar="BLOCK:ROUND", help="Print one simulated round as a record instead.")
]
ClusterAddress = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="Run on the Dask cluster at this address.")
]
Gpu = Annotated[bool, typer.Option("--gpu", help="Play on a GPU; the luck of the cards stays in, as with --raw.")]
Save = Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Save the run to this file.")]
Resume = Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Resume a saved run.")]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the distribution (.svg, .png, .html, .pdf).")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

WHOLE_NUMBERS = {
    "boxes": (1, None),
    "burn": (0, None),
    "seed": (0, (1 << 63) - 1),
    "bankroll": (1, 10**12),
    "horizon": (1, 10**12),
}
"""Options that are whole numbers, with the least and the most of each; the rules limit boxes and burnt cards."""

EXAMPLES = (
    "pitboss simulate melbourne/pontoon --rounds 1e8",
    "pitboss simulate star/blackjack --side any-pairs --penetration 0.75",
    "pitboss simulate rws/blackjack --bets hi-lo.json --bankroll 1,000",
    "pitboss simulate rws/blackjack --rounds 1e10 --save run.json",
    "pitboss simulate star/blackjack --rounds 1e12 --gpu",
    "pitboss simulate --resume run.json",
)


def run(
    game: GameOrNone = None,
    rounds: Rounds = None,
    boxes: Boxes = None,
    decks: DealtDecks = None,
    option: Options = None,
    side: Sides = None,
    reading: Readings = None,
    strategy: StrategyName = None,
    penetration: Penetration = None,
    burn: Burn = None,
    burn_each_round: BurnEachRound = None,
    fresh: Fresh = None,
    seed: Seed = None,
    threads: Threads = None,
    bets: Bets = None,
    bankroll: Bankroll = None,
    horizon: Horizon = None,
    meter: MeterValues = None,
    stake: Stake = None,
    detail: Detail = None,
    raw: Raw = None,
    record: RecordPlace = None,
    cluster: ClusterAddress = None,
    gpu: Gpu = False,
    save: Save = None,
    resume: Resume = None,
    plot: Plot = None,
    force: Force = False,
    book: BookFile = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a game: house edge, standard error, variance, side wagers, bankrolls. Same seed, same results."""
    given = {
        name: value for name, value in locals().items() if name in RunRequest.__struct_fields__ and value is not None
    }
    if gpu:
        _check_gpu(given, threads, cluster)
    for name, (least, most) in WHOLE_NUMBERS.items():
        if name in given:
            given[name] = read_whole(f"--{name}", given[name], least, most)
    if plot is not None:
        _check_plot(plot, force)
    place, count = save or resume, _threads(threads)
    kept = None if resume is None else read_kept(resume)
    check_place("--save" if save is not None else "--resume", place, force=force, is_ours=is_kept_run)
    if record is not None:
        _place(record)
    request = _settle_request(given, None if kept is None else kept.asked)
    check_same_run(save, request, force=force)
    choices, plan = _choices(request), _plan(request)
    _, rules = choices.resolve(request.game)
    with working(f"preparing {request.game}") as say, watch_compiling(lambda: say(COMPILING)):
        started, first_round = _start(request, rules, plan, kept, resume, compiles=not gpu or record is not None)
        text = _record(started.prepared, record, choices.own_books) if record is not None else None
    if text is not None:
        print(text, end="")
        return
    play_with_progress(
        started,
        count,
        cluster,
        gpu=gpu,
        keep=lambda: None if place is None else write_kept(place, request, started),
    )
    _tell(started, first_round, place, plot, as_json)


def _start(
    asked: RunRequest, rules: Rules, plan: Plan, kept: KeptRun | None, file: Path | None, *, compiles: bool
) -> tuple[Run, FirstRound]:
    """The run that is asked for, new or resumed, with its kernels compiled if this machine's processors play it."""
    ready = make_ready(rules, asked.strategy, plan, lambda name: read_text(Path(name)), compiles=compiles)
    started = Run(ready.prepared) if kept is None or file is None else resume_run(ready.prepared, kept, file)
    return started, ready.first_round_edge


def _check_gpu(given: dict[str, Any], threads: str | None, cluster: str | None) -> None:
    """What is played on a GPU is raw, and that is known before anything is prepared."""
    from pitboss.sim.gpu import find_cupy

    for name, other in (("--threads", threads), ("--cluster", cluster)):
        if other is not None:
            raise PitbossError(f"--gpu and {name}: choose one of them")
    find_cupy()
    if not given.get("raw"):
        typer.echo("pitboss: a GPU plays raw rounds: the luck of the cards stays in", err=True)
        given["raw"] = True


# Reading ------------------------------------------------------------------------------------------------


def _settle_request(given: dict[str, Any], before: RunRequest | None) -> RunRequest:
    """What is asked for now, and where nothing is said what was asked for before."""
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    plain |= {name: str(value.resolve()) for name, value in given.items() if isinstance(value, Path)}
    if before is not None:
        return msgspec.structs.replace(before, **plain)
    if "game" not in plain:
        raise PitbossError("name a game, such as melbourne/pontoon, or a run to resume: --resume FILE")
    return RunRequest(**plain)


def _choices(asked: RunRequest) -> HouseChoices:
    book = None if asked.book is None else Path(asked.book)
    return read_choices(asked.decks, asked.option, asked.side, asked.reading, book, dealt=True)


def _plan(asked: RunRequest) -> Plan:
    meters = {name: read_number(f"--meter {name}", value) for name, value in pairs("--meter", asked.meter).items()}
    return Plan(
        rounds=read_whole("--rounds", asked.rounds, 1, MOST_ROUNDS),
        seed=asked.seed,
        boxes=asked.boxes,
        penetration=None if asked.penetration is None else read_number("--penetration", asked.penetration),
        burn=asked.burn,
        burn_each_round=asked.burn_each_round,
        fresh_shoe=asked.fresh,
        schedule=None if asked.bets is None else _read(Path(asked.bets), BetSchedule),
        meters=meters,
        detail=asked.detail,
        bankroll_units=asked.bankroll,
        horizon_rounds=asked.horizon,
        wager=read_stake("--stake", asked.stake),
        corrected=not asked.raw,
    )


def _threads(asked: str | None) -> int:
    return count_threads(None if asked is None else read_whole("--threads", asked, 1, MOST_THREADS))


def _place(text: str) -> tuple[int, int]:
    block, colon, number = text.partition(":")
    if not (colon and block.isdecimal() and number.isdecimal()):
        raise PitbossError(f"--record {text}: write BLOCK:ROUND, such as 0:17")
    return int(block), int(number)


def _read(file: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(read_text(file), type=kind)
    except msgspec.MsgspecError as error:
        raise PitbossError(f"{file}: {tell_fault(error)}") from None


def _check_plot(file: Path, force: bool) -> None:
    """That a picture can be drawn is known before the rounds are played."""
    check_place("--plot", file, force=force)
    if file.suffix[1:] not in KINDS:
        raise PitbossError(f"--plot {file}: name a file that ends in {any_of(f'.{kind}' for kind in KINDS)}")
    drawing_tools()


# Telling ------------------------------------------------------------------------------------------------


def _record(prepared: Prepared, text: str, books: tuple[Rulebook, ...]) -> str:
    """One simulated round as a record."""
    seen = witness(prepared, *_place(text), books)
    return seen.table.record(f"Simulated round {text}, seed {prepared.plan.seed}")


def _tell(run: Run, first_round: FirstRound, place: Path | None, plot: Path | None, as_json: bool) -> None:
    """Print and draw what was found; a run that was stopped says so, and how to resume it."""
    left = len(run.left())
    if run.done:
        result = run.result()
        exact = None if first_round is None else first_round()
        if as_json:
            print(json.dumps({**result_data(result, run.prepared.plan, exact), "complete": not left}, indent=2))
        else:
            print_result(result, exact)
        if plot is not None:
            from pitboss.report.simulations.simulation_pictures import distribution_picture

            write_marked(plot, distribution_picture(result, plot.suffix[1:]))
    if left:
        more = f"; resume with: pitboss simulate --resume {place}" if place is not None else ""
        typer.echo(f"pitboss: stopped with {left:,} of {run.prepared.plan.blocks:,} blocks left{more}", err=True)
        raise typer.Exit(INTERRUPTED)
