"""`pitboss promotion`: check the terms of a promotion, run it to its end without a server, or see to one on a floor."""

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
from pitboss.floor.promotions.promotion_law import PROMOTION
from pitboss.floor.promotions.promotion_run import PromotionRun, run_promotion
from pitboss.floor.promotions.promotion_terms import PromotionTerms, check_promotion_terms, read_promotion_terms
from pitboss.formats.typed_numbers import read_whole
from pitboss.money import show
from pitboss.table.draft import Refusal, Refused

ACTS = ("check", "run", "open", "show", "export")
OPERATOR_ROLE = "casino-operator"
MOST_ENTRANTS = 100_000

EXAMPLES = (
    "pitboss promotion check examples/autumn.promotion.toml",
    "pitboss promotion run examples/autumn.promotion.toml --entrants 20 --seed 1",
    "pitboss promotion run autumn.promotion.toml --entries members.txt --json",
    "pitboss promotion open autumn.promotion.toml --floor URL --name olga",
    "pitboss promotion show autumn --floor http://127.0.0.1:8021",
    "pitboss promotion export autumn --floor URL --name olga --to autumn.csv",
)


def run(
    act: Annotated[str, typer.Argument(metavar="ACT", help=f"What to do: {', '.join(ACTS)}.")],
    where: Annotated[str, typer.Argument(metavar="FILE|NAME", help="The terms, or the name of a promotion.")] = "",
    entrants: Annotated[str, typer.Option(help="run: how many people enter, once each.")] = "20",
    entries: Annotated[Path | None, typer.Option(help="run: a file with the name of an entrant on each line.")] = None,
    seed: Annotated[str, typer.Option(help="run: where the draw takes its chance from.")] = "1",
    floor: Annotated[str, typer.Option(metavar="URL", help="The address of a served floor.")] = "",
    name: Annotated[str, typer.Option(help="Who you are at a served floor.")] = "",
    role: Annotated[str, typer.Option(help="The role in which you ask there.")] = OPERATOR_ROLE,
    stream: Annotated[str, typer.Option(help="open: the name of the promotion; else that of the file.")] = "",
    to: Annotated[Path | None, typer.Option(help="export: the file to write, .csv or .json.")] = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check the terms of a promotion against its book, run it to its end without a server, lodge it on a served floor,
    show what happens there, or write it out."""
    if act == "check":
        _check(where, as_json)
    elif act == "run":
        terms = _read_terms(where)
        players = _read_entrants(entrants, entries)
        _print_run(run_promotion(_name_stream(where, stream), terms, players, read_whole("--seed", seed)), as_json)
    elif act == "open":
        lodged = _name_stream(where, stream)
        asyncio.run(lodge_at_floor(PROMOTION, lodged, _read_terms(where), _find_floor(floor), name, role))
    elif act == "show":
        _show(where, asyncio.run(fetch_stream(PROMOTION, where, _find_floor(floor), name, role)), as_json)
    elif act == "export":
        _export(where, _find_floor(floor), name, role, to, force=force)
    else:
        raise PitbossError(f"'{act}' is nothing that can be done with a promotion; what can: {', '.join(ACTS)}")


def _read_terms(where: str) -> PromotionTerms:
    if not where:
        raise PitbossError("name the file with the terms of the promotion")
    return read_promotion_terms(read_text(Path(where)), where)


def _name_stream(where: str, stream: str) -> str:
    return stream or Path(where).name.partition(".")[0].lower()


def _find_floor(floor: str) -> str:
    if not floor:
        raise PitbossError("say which floor: --floor URL")
    return floor


# ---------------------------------------------------------------------- without a server


def _check(where: str, as_json: bool) -> None:
    terms = _read_terms(where)
    try:
        clauses = check_promotion_terms(terms)
    except Refused as refused:
        raise PitbossError(f"{where}: {Refusal(refused.reason, refused.clauses).why}") from None
    if as_json:
        print(_to_json({"name": terms.name, "book": terms.book, "meets": list(clauses)}))
        return
    print(f"{terms.name}: the terms state everything that the book {terms.book} asks for")
    print(f"entries  {tell_time(terms.opens)} to {tell_time(terms.closes)}")
    print(f"draw     {tell_time(terms.draws)}, {terms.place}")
    for number, prize in enumerate(terms.list_prizes(), 1):
        print(f"prize {number:2} {prize.name}, {show(prize.value)}")


def _read_entrants(entrants: str, entries: Path | None) -> list[str]:
    if entries is not None:
        found = [line.strip() for line in read_text(entries).splitlines() if line.strip()]
        if not found:
            raise PitbossError(f"{entries}: there is no name in this file")
    else:
        number = read_whole("--entrants", entrants)
        found = [f"player-{each}" for each in range(1, number + 1)] if 0 < number <= MOST_ENTRANTS else []
    if not 0 < len(found) <= MOST_ENTRANTS:
        raise PitbossError(f"1 to {MOST_ENTRANTS} people enter")
    return found


def _print_run(ran: PromotionRun, as_json: bool) -> None:
    if as_json:
        steps = [
            {"at": tell_time(line.at_ms), "by": line.by, "said": line.sentence, "clauses": list(line.clauses)}
            for line in ran.lines
        ]
        print(_to_json({"winners": ran.list_winners(), "balances": ran.list_paid(), "steps": steps}))
        return
    for line in ran.lines:
        print(f"{tell_time(line.at_ms)} {line.by}: {line.sentence}. [{', '.join(line.clauses)}]")
    for won in ran.list_winners():
        print(f"prize {won['prize']:2} {won['name']}, {show(won['value'])}: {won['player'] or won['status']}")


# ---------------------------------------------------------------------- on a served floor


def _show(stream: str, found: Any, as_json: bool) -> None:
    if not stream:
        found = [line for line in found if line["kind"] == PROMOTION]
    if as_json:
        print(_to_json(found))
    elif not stream:
        print_streams(found, PROMOTION)
    else:
        _print_shown(found["shown"])


def _print_shown(shown: dict[str, Any]) -> None:
    times = shown.get("times", {})
    print(f"{(shown['terms'] or {}).get('name', 'no terms are lodged')}: {shown['phase']}")
    if times:
        print(f"entries  {times['opens']} to {times['closes']}, {shown['entries']} so far")
        print(f"draw     {times['draws']}, committed to as {shown['commitment']}")
    if own := shown["own_entries"]:
        print(f"yours    {', '.join(map(str, own))}")
    for prize in shown["prizes"]:
        print(f"prize {prize['number']:2} {prize['name']}: {prize['status']} {prize['player']}".rstrip())
    for claim in shown["claims"]:
        print(f"claim {claim['number']:2} of {claim['player']} to prize {claim['prize']}: {claim['status']}")


def _export(stream: str, address: str, name: str, role: str, to: Path | None, *, force: bool) -> None:
    if not stream:
        raise PitbossError("name the promotion: pitboss promotion export NAME --floor URL --to FILE")
    if to is None or to.suffix.lower() not in (".csv", ".json"):
        raise PitbossError("say where to write: --to FILE.csv or --to FILE.json")
    check_place("--to", to, force=force)
    rows = asyncio.run(fetch_stream(PROMOTION, stream, address, name, role, history=True))
    lines = [
        {"at": tell_time(row["at_ms"]), "by": row["by"], "said": said["sentence"], "clauses": said["clauses"]}
        for row in rows
        for said in row["said"]
    ]
    text = _to_json(lines) + "\n" if to.suffix.lower() == ".json" else _write_lines(lines)
    write_marked(to, text.encode())
    typer.echo(f"wrote {to}: {len(lines)} lines", err=True)


def _write_lines(lines: list[dict[str, Any]]) -> str:
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("at", "by", "said", "clauses"))
    table.writerows((line["at"], line["by"], line["said"], " ".join(line["clauses"])) for line in lines)
    return out.getvalue()


def _to_json(value: Any) -> str:
    return json.dumps(json.loads(msgspec.json.Encoder(decimal_format="number").encode(value)), indent=2)
