"""The front door: what `import pitboss` offers.

`pitboss.rules` resolves the rules of a game, and the same rules are priced by `pitboss.odds` and `pitboss.side_odds`,
played by `pitboss.simulate` and dealt by `pitboss.Table`. `pitboss.read` and `pitboss.replay` are for recorded rounds.

What belongs here: reading the user's files, turning plain values into what the rooms take, and one line for every
mistake. What does not: anything that a room can answer itself.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.files import read_text
from pitboss.formats.json_faults import tell_fault
from pitboss.money import Money, parse_stake
from pitboss.records import Record, Replay
from pitboss.records import read as read_record
from pitboss.records import replay as replay_record
from pitboss.records.live import Table
from pitboss.rulebooks import Rulebook, Rules, load_book, parse_user_book
from pitboss.rulebooks import games as built_in_games
from pitboss.rulebooks.house_choices import HouseChoices, as_rules
from pitboss.table import Refusal

if TYPE_CHECKING:
    from pitboss.odds.charts.chart import Chart
    from pitboss.odds.removal.bet_ramps import RampWishes
    from pitboss.odds.removal.count_systems import CountSystem
    from pitboss.odds.session_cost import SessionCost
    from pitboss.odds.sides import BestPlay, SideEdge
    from pitboss.sim.counts.count_study import CountStudy
    from pitboss.sim.plan import BetSchedule
    from pitboss.sim.result import SimResult
    from pitboss.sim.strategies import Strategy

__all__ = [
    "PitbossError", "Refusal", "Table",
    "cost", "count", "games", "read", "replay", "rulebook", "rules", "side_odds", "simulate",
]  # fmt: skip

Source = str | PathLike[str]
"""The path of a file, or its text: anything with more than one line is a text."""
OwnBook = Rulebook | Source
Number = int | float | str | Decimal


# Rules --------------------------------------------------------------------------------------------------


def games() -> dict[str, str]:
    """Every game of the built-in books: its id, such as `melbourne/pontoon`, and its name at the casino."""
    return {game: load_book(book).game(game).name for game, (book, _) in built_in_games().items()}


def rules(
    game: str,
    *,
    side_wagers: str | Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    own_books: OwnBook | Iterable[OwnBook] = (),
    **options: Any,
) -> Rules:
    """The rules of a game, resolved: `pitboss.rules("star/blackjack", decks=6, side_wagers=["any-pairs"])`.

    `options` are the house's choices by name (`decks="inf"`: an infinite deck), `readings` other readings of ambiguous
    clauses. `own_books` are your own rulebooks, which take precedence over the built-in ones: a file, its text, or what
    `pitboss.rulebook` returns.
    """
    if not isinstance(game, str):
        raise PitbossError(f"{game!r} is not the name of a game such as 'melbourne/pontoon'")
    if not isinstance(readings, Mapping | None):
        raise PitbossError(f"readings are names with values, {{'name': 'value'}}, not {readings!r}")
    choices = HouseChoices(options, readings or {}, _names(side_wagers), _books(own_books))
    return choices.resolve(game)[1]


def rulebook(source: Source) -> Rulebook:
    """Your own rulebook from a file or its text, with all its games checked."""
    text, name = _read(source, "rulebook")
    return parse_user_book(text, name)


def _books(own_books: OwnBook | Iterable[OwnBook]) -> tuple[Rulebook, ...]:
    several = own_books if isinstance(own_books, Iterable) and not isinstance(own_books, str) else [own_books]
    return tuple(book if isinstance(book, Rulebook) else rulebook(book) for book in several)


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    if not isinstance(names, Iterable):
        raise PitbossError(f"side_wagers are names such as ['perfect-pairs'], not {names!r}")
    return (names,) if isinstance(names, str) else tuple(names)


def _read(source: Source, what: str) -> tuple[str, str]:
    """The text of a file, and its name for error messages."""
    if isinstance(source, str) and "\n" in source:
        return source, what
    if not isinstance(source, (str, PathLike)):
        raise PitbossError(f"{source!r} is not a {what}: name a file, or pass its text")
    return read_text(Path(source)), str(source)


# Odds ---------------------------------------------------------------------------------------------------


def side_odds(
    rules: Rules | str,
    wager: str,
    *,
    best_play: BestPlay | None = None,
    meter: Number | Fraction | Mapping[str, Number] | None = None,
    picks: Mapping[str, Fraction | str] | None = None,
    stake: Money | int | str = 1,
    entry: Money | int | str = 0,
) -> SideEdge:
    """What a side wager is worth, exactly. If you pass the id of a game, the wager is taken to be on offer there.

    Some wagers depend on how the hand is played: with `best_play` (see `pitboss.odds.best_play_of`) the figures are
    those of a player who follows the game's best strategy. `meter` is the current value of the prize meters, `picks`
    how likely the jackpot system's own prizes are, `stake` the wager in money, `entry` what a tournament entry is
    worth.
    """
    from pitboss.odds.sides import side_odds as price

    table = HouseChoices(side_wagers=(wager,)).resolve(rules)[1] if isinstance(rules, str) else as_rules(rules)
    meters: Any = meter
    if isinstance(meter, Mapping):
        meters = {name: _number(f"meter {name}", value) for name, value in meter.items()}
    elif meter is not None and not isinstance(meter, Fraction):
        meters = _number("meter", meter)
    chances = {name: _chance(name, value) for name, value in (picks or {}).items()}
    worth = _number("entry", entry)
    return price(table, wager, best_play=best_play, meter=meters, picks=chances, stake=parse_stake(stake), entry=worth)


def _chance(name: str, value: Fraction | str) -> Fraction:
    try:
        return Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise PitbossError(f"pick {name}: {value!r} is not a chance: write it as '1/50' or '0.02'") from None


# Simulations --------------------------------------------------------------------------------------------


def simulate(
    rules: Rules | str,
    *,
    rounds: Number = 1_000_000,
    strategy: str | PathLike[str] | Chart | Strategy = "chart",
    side_wagers: str | Iterable[str] = (),
    seed: int = 1,
    threads: int | None = None,
    boxes: int = 1,
    penetration: Number | None = None,
    burn: int | None = None,
    burn_each_round: bool = False,
    fresh_shoe: bool = False,
    bets: BetSchedule | Mapping[str, Any] | Source | None = None,
    meters: Mapping[str, Number] | None = None,
    stake: Money | int | str = 25,
    detail: bool = False,
    bankroll: int | None = None,
    horizon: int = 1000,
    raw: bool = False,
    cluster: str | None = None,
    gpu: bool = False,
) -> SimResult:
    """Simulate rounds of a game. The same seed plays the same rounds on any number of threads.

    The luck of the cards is subtracted, which says as much as some hundred times the rounds; `raw` leaves it in, and
    plays several times as many rounds a second.

    `strategy` is `basic` or `chart`, `optimum`, `mimic-the-dealer`, `never-bust`, `yardstick`, a `Chart` or a
    chart file.
    `side_wagers` go with the id of a game; rules already include theirs. `bets` are units by true count, as data or as
    the JSON file of `pitboss simulate --bets`. `meters` are prize meters per unit staked. `bankroll` follows bankrolls
    of that many units for `horizon` rounds, `stake` is one unit in money, and `cluster` is the address of a Dask
    cluster to play on. `gpu` plays on a GPU of this machine, raw rounds of one box.
    """
    from pitboss.sim.api import MOST_ROUNDS
    from pitboss.sim.api import simulate as play
    from pitboss.sim.plan import Plan

    table = _with_side_wagers(rules, _names(side_wagers))
    amount = _number("rounds", rounds)
    if amount != amount.to_integral_value() or not 1 <= amount <= MOST_ROUNDS:
        raise PitbossError(f"rounds must be a whole number from 1 to 1e13, not {rounds}")
    plan = Plan(
        rounds=int(amount),
        seed=_whole("seed", seed),
        boxes=_whole("boxes", boxes),
        penetration=None if penetration is None else _number("penetration", penetration),
        burn=None if burn is None else _whole("burn", burn),
        burn_each_round=burn_each_round,
        fresh_shoe=fresh_shoe,
        schedule=None if bets is None else _schedule(bets),
        meters={name: _number(f"meter {name}", value) for name, value in (meters or {}).items()},
        detail=detail,
        bankroll_units=None if bankroll is None else _whole("bankroll", bankroll),
        horizon_rounds=_whole("horizon", horizon),
        wager=parse_stake(stake),
        corrected=not (raw or gpu),
    )
    return play(
        table,
        plan,
        str(strategy) if isinstance(strategy, PathLike) else strategy,
        threads=None if threads is None else _whole("threads", threads),
        cluster=cluster,
        gpu=gpu,
        read=lambda name: read_text(Path(name)),
        clock=time.perf_counter,
    )


def _with_side_wagers(rules: Rules | str, side_wagers: tuple[str, ...]) -> Rules:
    if isinstance(rules, str):
        return HouseChoices(side_wagers=side_wagers).resolve(rules)[1]
    if side_wagers:
        raise PitbossError("these rules already have side wagers: name them in pitboss.rules(game, side_wagers=[...])")
    return as_rules(rules)


def _schedule(bets: BetSchedule | Mapping[str, Any] | Source) -> BetSchedule:
    from pitboss.sim.plan import BetSchedule

    if isinstance(bets, BetSchedule):
        return bets
    try:
        if isinstance(bets, Mapping):
            return msgspec.convert(bets, BetSchedule)
        return msgspec.json.decode(_read(bets, "bet schedule")[0], type=BetSchedule)
    except msgspec.MsgspecError as error:
        raise PitbossError(f"this is not a bet schedule: {tell_fault(error)}") from None


def _whole(name: str, value: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise PitbossError(f"{name} must be a whole number, not {value!r}") from None


def _number(name: str, value: Number) -> Money:
    try:
        amount = Money(str(value))
    except InvalidOperation:
        amount = Money("NaN")
    if not amount.is_finite():
        raise PitbossError(f"{name} must be a number, not {value!r}")
    return amount


# Counting, and what playing costs -------------------------------------------------------------------------


def count(
    rules: Rules | str,
    system: str | CountSystem | None = "hi-lo",
    *,
    side_wagers: str | Iterable[str] = (),
    penetration: Number | None = None,
    sort: bool = True,
    plays: bool = False,
    bets: RampWishes | None = None,
    boxes: int = 1,
    others: int = 0,
    rounds: Number = 1_000_000,
    path_rounds: Number = 0,
    seed: int = 1,
    threads: int | None = None,
) -> CountStudy:
    """What a counter can win: effects of removal on every wager, and what each count of a system is worth.

    `system` is the name of a count, a JSON file with tags, or a `CountSystem`. `sort` plays rounds and sorts them by
    the count; `plays` works out index plays; `bets` finds the best bets for a bankroll, which `path_rounds` plays. With
    `system=None` only the effects of removal and the best counts are worked out.
    """
    from pitboss.odds.removal.count_systems import find_system
    from pitboss.sim.api import count_threads
    from pitboss.sim.counts.count_study import StudyWishes, study_counting

    table = _with_side_wagers(rules, _names(side_wagers))
    tags = find_system(system, lambda name: read_text(Path(name))) if isinstance(system, str) else system
    wishes = StudyWishes(
        penetration=None if penetration is None else _number("penetration", penetration), sort=sort, plays=plays,
        bets=bets, boxes=_whole("boxes", boxes), others=_whole("others", others), rounds=int(_number("rounds", rounds)),
        path_rounds=int(_number("path_rounds", path_rounds)), seed=_whole("seed", seed), threads=count_threads(threads),
    )  # fmt: skip
    return study_counting(table, tags, wishes)


def cost(
    rules: Rules | str,
    *,
    bet: Number = 25,
    hours: Number = 1,
    players: int = 5,
    rounds_per_hour: Number | None = None,
    side_wagers: str | Iterable[str] = (),
    side_bet: Number = 5,
) -> SessionCost:
    """What some hours at a table cost: expected loss with best play, basic strategy and common errors, and the luck."""
    from pitboss.odds.session_cost import session_cost

    table = _with_side_wagers(rules, _names(side_wagers))
    pace = None if rounds_per_hour is None else float(_number("rounds_per_hour", rounds_per_hour))
    return session_cost(
        table, bet=float(_number("bet", bet)), hours=float(_number("hours", hours)), players=_whole("players", players),
        rounds_per_hour=pace, side_bet=float(_number("side_bet", side_bet)),
    )  # fmt: skip


# Records ------------------------------------------------------------------------------------------------


def read(source: Source, *, own_books: OwnBook | Iterable[OwnBook] = (), any_cards: bool = False) -> Record:
    """A round record from a file or its text. An error names the line that is wrong.

    Cards that the decks in play do not have are refused, unless `any_cards` lets them pass.
    """
    text, name = _read(source, "record")
    return read_record(text, name, _books(own_books), any_cards=any_cards)


def replay(record: Record | Source, *, own_books: OwnBook | Iterable[OwnBook] = (), any_cards: bool = False) -> Replay:
    """Replay a record: `differences` lists what is not as recorded, `explain()` retells the round in words."""
    books = _books(own_books)
    played = record if isinstance(record, Record) else read(record, own_books=books, any_cards=any_cards)
    return replay_record(played, books)
