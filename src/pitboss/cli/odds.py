"""`pitboss odds GAME`: what a game or a side wager is worth, exactly, and how to play it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from pitboss.cli.game_options import (
    BookFile,
    Decks,
    Force,
    GameName,
    Options,
    Readings,
    pairs,
    read_amount,
    read_choices,
    read_stake,
)
from pitboss.cli.progress import working
from pitboss.errors import PitbossError
from pitboss.files import check_place, read_text, write_marked
from pitboss.money import Money, show
from pitboss.odds.sides import BestPlay, insurance_odds
from pitboss.odds.sides.both_players import Conditions, SideWorth, price_side_wager
from pitboss.report.games.side_answer import INSURANCE, insurance_data, print_insurance, print_side_wager, side_data
from pitboss.rulebooks import Rules
from pitboss.rulebooks.house_choices import HouseChoices

ALL = "all"

EXAMPLES = (
    "pitboss odds melbourne/pontoon",
    "pitboss odds star/blackjack --decks 6 --option resplit=true",
    "pitboss odds perth/blackjack --side perfect-pairs",
    "pitboss odds melbourne/blackjack --side supernova --meters a.floor.toml",
    "pitboss odds rws/blackjack --chart chart.svg   # or .png, .pdf, .html, .txt",
    "pitboss odds rws/blackjack --report report.html",
)


def run(
    game: GameName,
    decks: Decks = None,
    option: Options = None,
    reading: Readings = None,
    side: Annotated[
        str | None,
        typer.Option("--side", metavar="WAGER", help="Price this side wager; `insurance` and `all` work too."),
    ] = None,
    strategy: Annotated[
        Path | None, typer.Option("--strategy", metavar="FILE", help="Price this strategy chart instead of best play.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help="How split hands are played: CDZ-, CDP1 or CDP.")
    ] = "CDZ-",
    stake: Annotated[
        str | None,
        typer.Option("--stake", metavar="AMOUNT", help="The wager in money, for fixed prizes, caps and meters."),
    ] = None,
    meter: Annotated[
        list[str] | None,
        typer.Option("--meter", metavar="[NAME=]AMOUNT", help="The value of a prize meter; may be repeated."),
    ] = None,
    pick: Annotated[
        list[str] | None,
        typer.Option("--pick", metavar="NAME=CHANCE", help="The chance that the jackpot system picks the wager."),
    ] = None,
    meters: Annotated[
        str,
        typer.Option(
            "--meters", metavar="FILE|URL", help="Take meters, price and draws from a floor record or a served floor."
        ),
    ] = "",
    system: Annotated[str, typer.Option("--system", metavar="NAME", help="Which of its meter systems.")] = "",
    entry: Annotated[
        str, typer.Option("--entry", metavar="AMOUNT", help="What a tournament entry is worth in money.")
    ] = "0",
    chart: Annotated[
        Path | None,
        typer.Option("--chart", metavar="FILE", help="Write the chart: .svg, .png, .html, .pdf or .txt."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a report of the game as one HTML page.")
    ] = None,
    force: Force = False,
    hands: Annotated[bool, typer.Option("--hands", help="Also print what every opening hand is worth.")] = False,
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Give the house edge of a game and how to play it, or the house edge of a side wager."""
    choices = read_choices(decks, option, None, reading, book)
    money = None if stake is None else read_stake("--stake", stake)
    if side is not None:
        if strategy or chart or report:
            raise PitbossError("--side prices a side wager: --strategy, --chart and --report are for the game")
        if system and not meters:
            raise PitbossError("--system chooses among those of --meters FILE or --meters URL")
        if meters and (meter or side in (ALL, INSURANCE)):
            raise PitbossError("--meters reads the meters of one jackpot wager: name it with --side, without --meter")
        conditions = read_conditions(meter, pick, stake or "1", entry)
        if meters:
            conditions = _read_running(meters, system, side, conditions, stake)
        _side(choices, game, side, conditions, as_json)
        return
    if meter or pick or meters or system or entry != "0":
        raise PitbossError("--meter, --meters, --pick and --entry are for a side wager: name it with --side")
    kind = chart_kind(chart)
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise PitbossError(f"--report {report}: a report is an HTML page: name a file that ends in .html")
    check_place("--chart", chart, force=force)
    check_place("--report", report, force=force)
    _game(choices, game, strategy, method, money, chart, kind, report, as_json, hands)


# ---------------------------------------------------------------------- the game


def _game(
    choices: HouseChoices,
    game: str,
    strategy: Path | None,
    method: str,
    stake: Money | None,
    chart: Path | None,
    kind: str,
    report: Path | None,
    as_json: bool,
    hands: bool,
) -> None:
    from pitboss.odds.analysis import DEFAULT_STAKE, analyse, price_chart
    from pitboss.odds.charts.chart import parse_chart
    from pitboss.report.games.game_answer import GameWorth, game_data, print_game

    found, rules = choices.resolve(game)
    own = None if strategy is None else parse_chart(read_text(strategy), str(strategy))
    with working(f"working out {rules.game}"):
        edge = analyse(rules, method=method, stake=stake or DEFAULT_STAKE)
        own_worth = None if own is None else price_chart(rules, own)
        worth = GameWorth(found, rules, edge, own, own_worth, wagers_to_price(choices, rules))
    if chart is not None:
        if kind == "txt":
            write_marked(chart, str(own or edge.strategy).encode())
        else:
            from pitboss.report.charts.chart_pictures import chart_picture

            with working(f"drawing {chart}"):
                write_marked(chart, chart_picture(worth.sheet, kind))
        typer.echo(f"wrote {chart}", err=True)
    if report is not None:
        from pitboss.report.games.game_page import page_html
        from pitboss.report.games.game_page_data import fill_page

        with working(f"pricing the choices and side wagers of {rules.game}") as say:
            page = page_html(fill_page(choices, worth, analyse, say))
        write_marked(report, page.encode())
        typer.echo(f"wrote {report}", err=True)
    if as_json:
        print(json.dumps(game_data(worth), indent=2, ensure_ascii=False))
    elif chart is None and report is None:
        print_game(worth, hands=hands)


def chart_kind(chart: Path | None) -> str:
    """What the name of a chart's file asks for, refused before anything is worked out."""
    if chart is None:
        return ""
    kind = chart.suffix.lower().removeprefix(".")
    kinds = ("svg", "png", "html", "pdf", "txt")
    if kind not in kinds:
        raise PitbossError(f"--chart {chart}: a chart is written as .{', .'.join(kinds)}")
    return kind


# ---------------------------------------------------------------------- side wagers


def wagers_to_price(choices: HouseChoices, rules: Rules) -> tuple[str, ...]:
    """What --side takes at a game with these choices."""
    offered, _ = choices.each_side_wager(rules.game)
    return (*offered, *((INSURANCE,) if rules.insurance_on_ace or rules.insurance_on_ten else ()))


def read_conditions(meter: list[str] | None, pick: list[str] | None, stake: str, entry: str) -> Conditions:
    """Meters as `AMOUNT` or `NAME=AMOUNT`, picks as `NAME=CHANCE`, amounts of money."""
    texts = meter or []
    meters: Money | dict[str, Money] | None = None
    if len(texts) == 1 and "=" not in texts[0]:
        meters = read_amount("--meter", texts[0])
    elif texts:
        meters = {name: read_amount(f"--meter {name}", value) for name, value in pairs("--meter", texts).items()}
    chances = {name: _chance(value) for name, value in pairs("--pick", pick or ()).items()}
    return Conditions(meters, chances, read_stake("--stake", stake), read_amount("--entry", entry))


def _read_running(where: str, system: str, side: str, conditions: Conditions, stake: str | None) -> Conditions:
    """Meters, price and chances of a running meter system, this wager's own share already in the meters."""
    from pitboss.cli.floors.meter_source import list_systems
    from pitboss.floor.jackpots.shown_systems import choose_system, list_chances

    found = choose_system(list_systems(where), side, system, where)
    price = found.price if stake is None else conditions.stake
    values = {name: value + found.rates[name] * price for name, value in found.values.items()}
    shares = ", ".join(f"{name} {show(values[name])} with {show(found.rates[name])} of it" for name in values)
    typer.echo(f"{found.name} at {where}: a wager costs {show(found.price)} and is in the meters: {shares}", err=True)
    return conditions._replace(meters=values, picks={**list_chances(found), **conditions.picks}, stake=price)


def _chance(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise PitbossError(f"'{text}' is not a chance: write it as 1/50 or 0.02") from None


def _side(choices: HouseChoices, game: str, side: str, conditions: Conditions, as_json: bool) -> None:
    if side == INSURANCE:
        _, rules = choices.resolve(game)
        if as_json:
            print(json.dumps(insurance_data(insurance_odds(rules)), indent=2, ensure_ascii=False))
        else:
            print_insurance(rules)
        return
    wagers: list[str] = [side]
    refused: dict[str, str] = {}
    if side == ALL:
        wagers, refused = choices.each_side_wager(game)
        conditions = Conditions(stake=conditions.stake, entry=conditions.entry)
    tables = {wager: choices.with_only(wager).resolve(game)[1] for wager in wagers}
    found = []
    with working(f"pricing side wagers of {game}") as say:
        for number, (wager, rules) in enumerate(tables.items(), 1):
            say(f"{wager}, {number} of {len(tables)}")
            found.append(price_side_wager(rules, wager, conditions, best_play))
    if as_json:
        print(json.dumps(_data(found, refused, side == ALL), indent=2, ensure_ascii=False))
        return
    for place, priced in enumerate(found):
        if place:
            print("\n" + "-" * 60 + "\n")
        print_side_wager(priced)
    for name, why in refused.items():
        typer.echo(f"{name}: {why}", err=True)


def _data(found: list[SideWorth], refused: dict[str, str], all_of_them: bool) -> Any:
    if not all_of_them:
        return side_data(found[0])
    return {"side_wagers": [side_data(wager) for wager in found], "not_offered": refused}


def best_play(rules: Rules) -> BestPlay:
    """What the game's best player does with two cards."""
    from pitboss.odds.analysis import analyse
    from pitboss.odds.charts.best_play import best_play_of

    return best_play_of(analyse(rules))
