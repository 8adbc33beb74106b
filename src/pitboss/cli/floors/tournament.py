"""`pitboss tournament`: check terms, play a tournament of robots to its end, or see to one on a served floor."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from pitboss.cli.floors.served_streams import fetch_stream, lodge_at_floor, print_streams
from pitboss.cli.game_options import Force
from pitboss.errors import PitbossError
from pitboss.files import check_place, read_text, write_marked
from pitboss.floor.moments import tell_time
from pitboss.floor.terms.tournament_terms import TournamentTerms, read_tournament_terms
from pitboss.floor.tournaments.course.lodging import check_lodged_terms
from pitboss.floor.tournaments.course.sevens_tournament import tell_schedule
from pitboss.floor.tournaments.tournament_clauses import SEVENS
from pitboss.floor.tournaments.tournament_kind import TOURNAMENT
from pitboss.floor.tournaments.tournament_run import RoundStanding, TournamentRun
from pitboss.formats.typed_numbers import read_whole
from pitboss.money import show
from pitboss.report.tournament_answer import print_prizes, print_stacks, tell_standings, write_standings
from pitboss.table import Refusal
from pitboss.table.draft import Refused

ACTS = ("check", "run", "open", "show", "export")
OPERATOR_ROLE = "casino-operator"

EXAMPLES = (
    "pitboss tournament check examples/spring.tournament.toml",
    "pitboss tournament run examples/spring.tournament.toml --seed 1",
    "pitboss tournament run examples/spring.tournament.toml --players 14 --json",
    "pitboss tournament export examples/spring.tournament.toml --to standings.csv",
    "pitboss tournament open spring.tournament.toml --floor URL --name olga",
    "pitboss tournament show spring --floor http://127.0.0.1:8021",
    "pitboss tournament export spring --floor URL --name olga --to spring.csv",
)


def run(
    act: Annotated[str, typer.Argument(metavar="ACT", help=f"What to do: {', '.join(ACTS)}.")],
    where: Annotated[str, typer.Argument(metavar="FILE|NAME", help="The terms, or the name of a tournament.")] = "",
    players: Annotated[str, typer.Option(help="run, export: how many robots enter; else as many as may.")] = "",
    seed: Annotated[str, typer.Option(help="run, export: where cards and draws take their chance from.")] = "1",
    floor: Annotated[str, typer.Option(metavar="URL", help="The address of a served floor.")] = "",
    name: Annotated[str, typer.Option(help="Who you are at a served floor.")] = "",
    role: Annotated[str, typer.Option(help="The role in which you ask there.")] = OPERATOR_ROLE,
    stream: Annotated[str, typer.Option(help="open: the name of the tournament; else that of the file.")] = "",
    to: Annotated[Path | None, typer.Option(help="export: the file to write, .csv or .json.")] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check the terms of a tournament against its book, play it to its end with robots and without a server, lodge it
    on a served floor, show what happens there, or write it out."""
    if act == "check":
        _check(where, as_json)
    elif act == "run":
        _run(where, players, seed, as_json)
    elif act == "open":
        lodged = _name_stream(where, stream)
        asyncio.run(lodge_at_floor(TOURNAMENT, lodged, _read_terms(where), _find_floor(floor), name, role))
    elif act == "show":
        _show(where, floor, name, role, as_json)
    elif act == "export":
        _export(where, players, seed, floor, name, role, to, force=force)
    else:
        raise PitbossError(f"'{act}' is nothing that can be done with a tournament; what can: {', '.join(ACTS)}")


def _read_terms(where: str) -> TournamentTerms:
    if not where:
        raise PitbossError("name the file with the terms of the tournament")
    return read_tournament_terms(read_text(Path(where)), where)


def _name_stream(where: str, stream: str) -> str:
    return stream or Path(where).name.partition(".")[0].lower()


def _check(where: str, as_json: bool) -> None:
    terms = _read_terms(where)
    try:
        clauses = check_lodged_terms(terms)
    except Refused as refused:
        raise PitbossError(f"{where}: {Refusal(refused.reason, refused.clauses).why}") from None
    form = terms.format
    if as_json:
        print(_to_json({"name": terms.name, "book": terms.book, "meets": list(clauses)}))
        return
    print(f"{terms.name}: the terms state everything that the book {terms.book} asks for")
    print(f"game     {form.game}, {form.least_entrants} to {form.most_entrants} entrants, fee {show(form.entry_fee)}")
    for stage in form.stages:
        length = f"{stage.rounds} rounds" if stage.rounds else f"{stage.minutes} minutes"
        length = f"{stage.shoes} shoes" if stage.shoes else length
        go_on = "" if form.competition == SEVENS else f", {stage.advance} of each table go on"
        limits = f"{show(stage.minimum)} to {show(stage.maximum)}"
        print(f"{stage.name:8} {length}, {show(stage.stack)} in chips, {limits}{go_on}")
    for line in tell_schedule(terms.book) if form.competition == SEVENS else ():
        print(line)


# ---------------------------------------------------------------------- without a server


def _begin(where: str, players: str, seed: str) -> TournamentRun:
    """A tournament whose robots have entered, and whose entries are closed."""
    terms = _read_terms(where)
    number = read_whole("--players", players) if players else terms.format.most_entrants
    if not 1 <= number <= terms.format.most_entrants:
        raise PitbossError(f"--players {number}: the terms let {terms.format.most_entrants} enter at most")
    run_of = TournamentRun(terms, read_whole("--seed", seed), _name_stream(where, ""))
    run_of.open()
    run_of.enter_robots(number)
    run_of.close()
    return run_of


def _run(where: str, players: str, seed: str, as_json: bool) -> None:
    ran = _begin(where, players, seed)
    if as_json:
        print(_to_json(_gather(ran)))
        return
    print(f"{ran.terms.name}: {len(ran.state.entries)} robots, {show(ran.pool)} in the pool")
    for item in ran.play():
        print(_tell(item))
    print(f"places: {', '.join(f'{at}. {key}' for at, key in enumerate(ran.state.places[:7], 1))}")
    print_prizes(msgspec.structs.asdict(prize) for prize in ran.prizes)


def _tell(item: RoundStanding) -> str:
    ranked = ((line.player, line.chips) for line in item.standings)
    return tell_standings(item.stage, item.heat, item.round, ranked)


def _gather(ran: TournamentRun) -> dict[str, Any]:
    """The whole tournament for programs."""
    pool = ran.pool
    rounds = [msgspec.to_builtins(item, builtin_types=(type(pool),)) for item in ran.play()]
    return {
        "name": ran.terms.name,
        "book": ran.terms.book,
        "entrants": len(ran.state.entries),
        "pool": pool,
        "rounds": rounds,
        "places": list(ran.state.places),
        "prizes": [msgspec.structs.asdict(prize) for prize in ran.prizes],
        "decisions": ran.decided,
    }


# ---------------------------------------------------------------------- on a served floor


def _find_floor(floor: str) -> str:
    if not floor:
        raise PitbossError("say which floor: --floor URL")
    return floor


def _show(where: str, floor: str, name: str, role: str, as_json: bool) -> None:
    found = asyncio.run(fetch_stream(TOURNAMENT, where, _find_floor(floor), name, role))
    if not where:
        found = [line for line in found if line["kind"] == TOURNAMENT]
    if as_json:
        print(_to_json(found))
    elif not where:
        print_streams(found, TOURNAMENT)
    else:
        _print_shown(found["shown"])


def _print_shown(shown: dict[str, Any]) -> None:
    print(f"{shown['terms'].get('name', 'no terms are lodged')}: {shown['phase']}")
    print(f"entrants {shown['entrants']}, prize pool {shown['pool']}")
    if shown["commitment"]:
        print(f"draw     committed to as {shown['commitment']}")
    if shown["tables"]:
        print(f"playing  {shown['stage']}, heat {shown['heat']} of {shown['heats']}")
        print_stacks(shown["tables"], shown["stacks"])
    for at, key in enumerate(shown["places"], 1):
        print(f"place {at:2} {key}{', paid' if at in shown['paid'] else ''}")


def _export(
    where: str, players: str, seed: str, floor: str, name: str, role: str, to: Path | None, *, force: bool
) -> None:
    if to is None or to.suffix.lower() not in (".csv", ".json"):
        raise PitbossError("say where to write: --to FILE.csv or --to FILE.json")
    check_place("--to", to, force=force)
    as_json = to.suffix.lower() == ".json"
    if floor:
        if not where:
            raise PitbossError("name the tournament: pitboss tournament export NAME --floor URL --to FILE")
        rows = asyncio.run(fetch_stream(TOURNAMENT, where, floor, name, role, history=True))
        text = _to_json(rows) + "\n" if as_json else _write_history(rows)
    else:
        whole = _gather(_begin(where, players, seed))
        text = _to_json(whole) + "\n" if as_json else write_standings(whole["rounds"])
    write_marked(to, text.encode())
    typer.echo(f"wrote {to}", err=True)


def _write_history(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("at", "by", "said", "clauses"))
    for row in rows:
        for said in row["said"]:
            table.writerow((tell_time(row["at_ms"]), row["by"], said["sentence"], " ".join(said["clauses"])))
    return out.getvalue()


def _to_json(value: Any) -> str:
    return json.dumps(json.loads(msgspec.json.Encoder(decimal_format="number").encode(value)), indent=2)
