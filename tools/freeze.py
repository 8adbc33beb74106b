#!/usr/bin/env python3
"""Write down what the project answers today, and say what it answers otherwise tomorrow.

    tools/freeze.py dump FILE            everything: every game, every option and reading, one at a time
    tools/freeze.py dump FILE --quick    a sample of it in a few seconds; tests/frozen.json is one
    tools/freeze.py compare OLD NEW      what differs; exits 1 if anything does

Both take `--sections rules edges ...`, for a part of the whole.

For code that is to be moved about without changing a single answer: dump before, dump after, compare. Only entry points
are asked, and all of them are named in the adapter below, so that a moved module is one line to mend. After a change
that is meant to change answers, read the comparison and dump tests/frozen.json again.

A dump is one JSON object, its keys sorted: `section/game/variant` and what was answered, as a text or as a record of
fields. A record that only repeats another is written `{"like": key, "but": {...}}`, a field that the other has and it
has not as `null`. Long answers are written as the first digits of their SHA-256.

Fields and keys that only the new dump has are told apart as added: they are no difference. A digest of rules that
changed although the rules changed in nothing but added fields is told apart too.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import math
import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

# The adapter, from here to `What is asked`: all of pitboss that is asked, and nothing of it is imported elsewhere.
from pitboss import Table
from pitboss.cli import main as command_line
from pitboss.envs import BoxEnv, BoxesEnv, VectorBoxEnv
from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.odds import (
    alternatives,
    analyse,
    best_play_of,
    insurance_odds,
    price_chart,
    side_odds,
    super_bonus_odds,
    vary,
)
from pitboss.odds.advice.advise import advise
from pitboss.play.packed import pack
from pitboss.records import explain, read, replay, write
from pitboss.records.settlement_table import SettlementTable
from pitboss.rulebooks import find_game, games, rules_for
from pitboss.sim.plan import BetSchedule, Plan, prepare
from pitboss.sim.result import play_block
from pitboss.sim.strategy_choice import choose_strategy
from pitboss.table import Meter, Refusal, decide, legal, open_table, words
from pitboss.table.codec import encode_events
from pitboss.table.messages.commands import Deal, NextRound
from pitboss.table.messages.notation import parse_bet
from pitboss.table.unattended import needs_shuffle, open_shoe


def choices_of(game: str) -> tuple[dict[str, tuple[Any, ...]], dict[str, tuple[str, ...]], tuple[str, ...]]:
    """What a game leaves open: values by option (none for an amount of money), alternatives by reading, wagers."""
    book, found = find_game(game)
    options = {name: tuple(option.choices) for name, option in book.options_of(found).items()}
    readings = {name: tuple(reading.alternatives) for name, reading in book.readings_of(found).items()}
    return options, readings, tuple(book.side_wagers_of(found))


def book_of(game: str) -> str:
    """The id of a game's book."""
    return games()[game][0]


def rules_as_data(rules: Any) -> dict[str, Any]:
    """Everything that a digest of rules is made of."""
    data: dict[str, Any] = json.loads(rules.canonical())
    return data


def packed_fields(rules: Any) -> dict[str, Any]:
    """The rules of play as integers, by field."""
    fields: dict[str, Any] = pack(rules)._asdict()
    return fields


def strategy_of(name: str, rules: Any, chart: Any) -> Any:
    """A strategy of the simulator; `chart` is the best chart of the game, which `chart` plays."""
    return choose_strategy(chart if name == "chart" and chart is not None else name, rules, WAGER).strategy


def replayed_record(text: str, name: str) -> dict[str, Any]:
    """What is said of a round record: how it is written, told and settled, its events, and what is not as recorded."""
    record = read(text, name)
    found = replay(record)
    return {
        "written": write(record),
        "told": "\n".join(explain(found)),
        "settlement": as_text([list(SettlementTable(one.settlement).rows()) for one in found.rounds]),
        "events": encode_events(found.events).decode(),
        "differences": "; ".join(found.differences),
        "notes": "; ".join(found.notes),
    }


def is_settled(table: Any) -> bool:
    """The round of a table, or of its state, is over."""
    return bool(getattr(table, "state", table).phase.value == "settled")


def prize_words(table: Any) -> list[str]:
    """The prizes that may be drawn now, in the notation of records; they are not listed as legal."""
    prizes = [prize for side in table.rules.side_wagers for _, prize in side.prizes]
    return [f"{box} prize {player} {prize}" for box, player in table.state.prizes_due for prize in prizes]


def meters_of(found: Any) -> dict[str, dict[str, str]]:
    """The prize meters of a table, standing somewhere."""
    names = [name for side in found.side_wagers for name in side.meters]
    return {name: {"seed": "100", "rate": "0.05", "value": str(5000 + place)} for place, name in enumerate(names)}


class Dealt:
    """A table whose cards are shuffled, cut and burnt as its rules say, and what has happened at it."""

    def __init__(self, found: Any) -> None:
        meters = {name: Meter(*map(Money, meter.values())) for name, meter in meters_of(found).items()}
        self.state = open_table(found, meters=meters)
        self.events: list[Any] = []
        self.shoes = 0

    def shuffle(self) -> None:
        """Bring new cards into play if they are due."""
        if needs_shuffle(self.state):
            self.shoes += 1
            opened = open_shoe(self.state, self.shoes.to_bytes(32, "big"))
            self.events += opened.events
            self.state = opened.state

    def ask(self, command: Any) -> str:
        """Do what is asked; why it is refused, if it is."""
        answer = decide(self.state, command)
        if isinstance(answer, Refusal):
            return str(answer)
        self.events += answer.events
        self.state = answer.state
        return ""

    def bet(self, text: str) -> str:
        """Place a wager, written as in records."""
        return self.ask(parse_bet(text))

    def deal(self) -> str:
        """No more bets: deal."""
        return self.ask(Deal())

    def next_round(self) -> str:
        """Clear the table."""
        return self.ask(NextRound())

    def legal(self) -> dict[str, Any]:
        """What may be done now, by its words."""
        return {words(command): command for command in legal(self.state)}


def advice_at(table: Any) -> dict[str, float]:
    """What the actions of the hand whose turn it is are worth, and the best of them."""
    found = advise(table.state, Counter(table.state.shoe.undealt))
    riding = {f"riding {name}": worth for name, worth in found.riding.items()}
    return {f"best is {found.best}": 1.0, "natural": found.natural, **found.actions, **riding}


# What is asked ----------------------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "tests" / "records"
SAMPLE_GAMES = ("perth/vegas", "rws/blackjack", "star/switch", "melbourne/pontoon", "melbourne/free-bet")
SAMPLE_EDGES = ("rws/blackjack",)
SAMPLE_WHOLE = ("star/switch", "melbourne/pontoon")
"""Games of a sample that are analysed, and whose rules are written down whole."""
SAMPLE_EVERY = {"variants": 15, "records": 12}
VARIED_GAMES = ("melbourne/blackjack", "melbourne/pontoon", "melbourne/free-bet")
"""Games whose every parameter of play is also set to what no book says; the first of them is analysed with it."""
OPTIMUM_GAMES = ("rws/blackjack", "star/switch", "melbourne/select", "melbourne/free-bet")
"""Games that are also simulated by the best play of every hand, which takes long to prepare."""
METHODS = ("CDP1", "CDP")
METHOD_GAMES = ("perth/blackjack", "rws/blackjack", "melbourne/pontoon", "melbourne/free-bet")
"""How split hands may be played besides the usual way, and the games that are also analysed so."""
DEFAULT = "default"
WAGER = Money(100)
AMOUNT = 200
"""The value tried for an option that is an amount of money."""
HI_LO = {**dict.fromkeys("23456", 1), **dict.fromkeys("TJQKA", -1)}
ROUNDS, FEW_ROUNDS, BLOCK_ROUNDS = 20_000, 2_000, 1 << 14
"""A whole block and one that is not are played by different kernels; few rounds are one that is not."""
MOST_STEPS = 400
VERBS = ("hit", "stand", "double", "split", "surrender")

Record = dict[str, Any]
Found = Iterator[tuple[str, Any]]


def sha(text: str | bytes) -> str:
    """The first digits of a SHA-256."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:20]


def as_text(value: Any) -> str:
    """Any value as one text; equal values give equal texts."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str, separators=(",", ":"))


def short(value: Any) -> Any:
    """A value as a dump holds it: whole numbers as they are, a text that is too long as its digest."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = value if isinstance(value, str) else as_text(value)
    return text if len(text) <= 100 else f"sha {sha(text)}"


def attempted(ask: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """An answer, or why there is none; a crash is an answer too, until somebody mends it."""
    try:
        return ask(*given, **named)
    except PitbossError as error:
        return f"refused: {error}"
    except Exception as error:
        return f"crashes: {type(error).__name__}"


class Variant(NamedTuple):
    """A game with one choice changed."""

    game: str
    name: str
    choices: dict[str, Any]
    """As `rules_for` takes them."""

    @property
    def key(self) -> str:
        return f"{self.game}/{self.name}"

    def rules(self, wagers: Iterable[str] = ()) -> Any:
        sides = dict.fromkeys((*self.choices.get("side_wagers", ()), *wagers))
        return rules_for(self.game, **{**self.choices, "side_wagers": list(sides)})

    @property
    def table(self) -> dict[str, Any]:
        """The choices as a table and an environment take them."""
        return {name: value for name, value in self.choices.items() if name != "side_wagers"}


def variants(game: str) -> tuple[list[Variant], dict[str, str]]:
    """The game as it is and with each choice changed; and why some choices cannot be made by themselves.

    A choice that is refused by itself is tried together with one other, the first that lets it pass.
    """
    options, readings, wagers = choices_of(game)
    plain = rules_for(game)
    singles: list[tuple[str, dict[str, Any]]] = []
    for name, values in options.items():
        tried = (*values, "inf") if name == "decks" else values or (AMOUNT,)
        singles += [(f"{name}={value}", {name: value}) for value in tried if value != plain.options[name]]
    beside = [*singles, *((f"side_wagers={wager}", {"side_wagers": [wager]}) for wager in wagers)]
    for name, alternative in readings.items():
        singles += [(f"reading.{name}={value}", {"readings": {name: value}}) for value in alternative]
    found, refused = [Variant(game, DEFAULT, {})], {}
    for name, choices in singles:
        answer = attempted(rules_for, game, **choices)
        if not isinstance(answer, str):
            found.append(Variant(game, name, choices))
            continue
        refused[name] = answer
        for other, more in beside:
            both = {**more, **choices}
            if len(both) > 1 and not isinstance(attempted(rules_for, game, **both), str):
                found.append(Variant(game, f"{name} with {other}", both))
                break
    return found, refused


def wager_sets(variant: Variant) -> list[tuple[str, ...]]:
    """The side wagers that can be offered, as many together as can be."""
    sets: list[tuple[str, ...]] = []
    for wager in choices_of(variant.game)[2]:
        for place, offered in enumerate(sets):
            if not isinstance(attempted(variant.rules, (*offered, wager)), str):
                sets[place] = (*offered, wager)
                break
        else:
            if not isinstance(attempted(variant.rules, (wager,)), str):
                sets.append((wager,))
    return sets


class Dump:
    """A dump in the making."""

    def __init__(self, quick: bool) -> None:
        self.quick = quick
        self.found: dict[str, Any] = {}
        self.edges: dict[str, Any] = {}
        self.seen: dict[Any, str] = {}
        self.games = SAMPLE_GAMES if quick else tuple(games())
        self.variants: dict[str, list[Variant]] = {}
        self.refused: dict[str, dict[str, str]] = {}
        for game in self.games:
            self.variants[game], self.refused[game] = variants(game)

    def add(self, section: Callable[[Dump], Found]) -> None:
        """Ask what a section asks."""
        for key, value in section(self):
            full = f"{section.__name__}/{key}"
            assert full not in self.found, full
            self.found[full] = value

    def each(self) -> Iterator[Variant]:
        """Every game as it is and with every choice; of a sample, a few."""
        for game in self.games:
            for place, variant in enumerate(self.variants[game]):
                if not self.quick or place % SAMPLE_EVERY["variants"] == 0:
                    yield variant

    def edge(self, rules: Any) -> Any:
        """The worth of a game, worked out once for rules that are played alike."""
        key = as_text([packed_fields(rules), rules.game])
        if key not in self.edges:
            self.edges[key] = analyse(rules)
        return self.edges[key]

    def like(self, section: str, alike: Any, key: str, ask: Callable[..., Any], *given: Any) -> Any:
        """An answer, or that it is that of the first key that was asked alike."""
        first = self.seen.setdefault((section, alike), key)
        return ask(*given) if first == key else {"like": f"{section}/{first}", "but": {}}


def beside(base_key: str, base: Record, own: Record) -> Record:
    """A record by how it differs from another."""
    but = {name: value for name, value in own.items() if base.get(name) != value or name not in base}
    return {"like": base_key, "but": {**but, **dict.fromkeys(set(base) - set(own))}}


# The sections -----------------------------------------------------------------------------------------------


def rules(dump: Dump) -> Found:
    """The rules of every variant: digest, everything the digest is made of, and the integers of play."""
    for game in dump.games:
        yield from ((f"refused/{game}/{name}", why) for name, why in dump.refused[game].items())
    bases: dict[str, tuple[Record, Record]] = {}
    for variant in dump.each():
        found = variant.rules()
        own, ints = _flat(rules_as_data(found)), {name: short(value) for name, value in packed_fields(found).items()}
        if variant.name == DEFAULT:
            bases[variant.game] = own, ints
        else:
            base = f"{variant.game}/{DEFAULT}"
            own = beside(f"rules/whole/{base}", bases[variant.game][0], own)
            ints = beside(f"rules/packed/{base}", bases[variant.game][1], ints)
        yield f"packed/{variant.key}", ints
        if not dump.quick or variant.game in SAMPLE_WHOLE:
            yield f"digest/{variant.key}", found.digest
            yield f"whole/{variant.key}", own


def _flat(data: Mapping[str, Any]) -> Record:
    found: Record = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            found |= {f"{name}.{inner}": short(item) for inner, item in value.items()}
        else:
            found[name] = short(value)
    return found


def edges(dump: Dump) -> Found:
    """What every game is worth with best play, to the last digit, and with every choice that changes play."""
    for variant in dump.each():
        if dump.quick and variant.game not in SAMPLE_EDGES:
            continue
        found = variant.rules()
        alike = (variant.game, as_text(packed_fields(found)))
        yield variant.key, dump.like("edges", alike, variant.key, _best, dump, found)
        if variant.name != DEFAULT:
            continue
        edge = dump.edge(found)
        yield f"{variant.key}, by its chart", _figures(price_chart(found, edge.strategy))
        yield f"{variant.key}, Super Bonus", short(msgspec.to_builtins(super_bonus_odds(found), enc_hook=str))
        for method in METHODS if variant.game in METHOD_GAMES and not dump.quick else ():
            yield f"{variant.key}, {method}", _worth(analyse(found, method=method))


def _best(dump: Dump, found: Any) -> Record:
    return _worth(dump.edge(found))


def _worth(edge: Any) -> Record:
    openings = [
        [one.cards, one.up, one.action, *_rounded([one.chance, one.value]), sorted(_rounded_by(one.actions).items())]
        for one in edge.openings
    ]
    departures = sorted([one.cards, one.up, one.action, one.chart] for one in edge.departures)
    return {
        **_figures(edge, ("strategy", "openings", "departures", "seconds")),
        "house_edge": repr(edge.house_edge),
        "strategy": sha(str(edge.strategy)),
        "openings": sha(as_text(openings)),
        "departures": short(departures),
    }


def _figures(found: Any, but: tuple[str, ...] = ()) -> Record:
    """The fields of a result; floats to the last digit."""
    fields: Record = {}
    for name in type(found).__struct_fields__:
        value = getattr(found, name)
        if name in but:
            continue
        if isinstance(value, dict):
            fields |= {f"{name}.{inner}": _exactly(item) for inner, item in value.items()}
        elif isinstance(value, msgspec.Struct):
            fields |= {f"{name}.{inner}": item for inner, item in _figures(value).items()}
        else:
            fields[name] = _exactly(value)
    return fields


def _exactly(value: Any) -> Any:
    return repr(value) if isinstance(value, float) else short(value)


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, 10) + 0.0 for value in values]


def _rounded_by(values: Mapping[str, float]) -> dict[str, float]:
    return dict(zip(values, _rounded(values.values()), strict=True))


def sides(dump: Dump) -> Found:
    """The side wagers and insurance of every game as exact fractions, and with every choice.

    A choice that leaves play as it is is taken to do the same to a side wager at all games of a book, if its pay table
    and the decks are the same there.
    """
    for variant in dump.each():
        same_play = packed_fields(variant.rules()) == packed_fields(rules_for(variant.game))
        for wager in choices_of(variant.game)[2]:
            found = attempted(variant.rules, (wager,))
            key = f"{variant.key}/{wager}"
            if isinstance(found, str):
                yield key, found
                continue
            offer = as_text(msgspec.to_builtins(found.side_wager(wager), enc_hook=str))
            where = book_of(variant.game) if same_play and variant.name != DEFAULT else variant.game
            alike = (where, variant.name, offer, found.decks, found.deck_cards)
            yield key, dump.like("sides", alike, key, _side_worth, dump, found, wager)
        insured = insurance_odds(variant.rules())
        yield f"{variant.key}/insurance", _exact(insured)


def _side_worth(dump: Dump, found: Any, wager: str) -> Record:
    side = found.side_wager(wager)
    told = {"meter": dict.fromkeys(side.meters, 5000)} if side.meters else {}
    worth = side_odds(found, wager, stake=5, **told)
    record = _exact(worth)
    if worth.player == "wager" and not dump.quick:
        best = best_play_of(dump.edge(found))
        record |= {f"game.{name}": value for name, value in _exact(side_odds(found, wager, best_play=best)).items()}
    return record


def _exact(found: Any) -> Record:
    fields: Record = {}
    for name, value in msgspec.structs.asdict(found).items():
        if name == "outcomes":
            fields |= {
                f"outcome.{place} {one.id}": f"{one.probability} net {one.net} {one.prize} {' '.join(one.clauses)}"
                for place, one in enumerate(value)
            }
        else:
            fields[name] = short(msgspec.to_builtins(value, enc_hook=str))
    return fields


def simulated(dump: Dump) -> Found:
    """Whole-number sums of simulated rounds with fixed seeds.

    Of the games of one book, the first that can offer a side wager plays it with each choice.
    """
    few = {"rounds": FEW_ROUNDS, "boxes": 3}
    for variant in dump.each():
        sets = wager_sets(variant)
        if variant.name == DEFAULT:
            yield from _simulated_at_length(dump, variant, sets)
        yield f"{variant.key}/few, 3 boxes", attempted(_sums, variant, (), "yardstick", few)
        wagers = tuple(
            wager
            for wager in next(iter(sets), ())
            if dump.seen.setdefault(("simulated", book_of(variant.game), variant.name, wager), variant.key)
            == variant.key
        )
        if wagers and not dump.quick:
            found = attempted(_sums, variant, wagers, "yardstick", few)
            yield f"{variant.key}/few, 3 boxes, {', '.join(wagers)}", found


def _simulated_at_length(dump: Dump, variant: Variant, sets: list[tuple[str, ...]]) -> Found:
    found = variant.rules()
    if dump.quick:
        yield f"{variant.key}/yardstick, 1 box", _sums(variant, (), "yardstick", {"rounds": FEW_ROUNDS})
        few = {"rounds": FEW_ROUNDS, "boxes": 3, "seed": 11}
        yield f"{variant.key}/never-bust, 3 boxes, side wagers", _sums(variant, sets[0][-2:], "never-bust", few)
        return
    chart = dump.edge(found).strategy
    for name in ("yardstick", "chart", *(("optimum",) if variant.game in OPTIMUM_GAMES else ())):
        yield f"{variant.key}/{name}, 1 box", attempted(_sums, variant, (), name, {"rounds": ROUNDS}, chart)
    for name in ("yardstick", "chart"):
        for place, wagers in enumerate(sets):
            plan = {"rounds": ROUNDS, "boxes": 3, "seed": 11}
            yield f"{variant.key}/{name}, 3 boxes, side wagers {place}", _sums(variant, wagers, name, plan, chart)
    schedule = BetSchedule(
        tags=HI_LO, units=((-3, 0), (0, 1), (1, 4), (3, 12)), mid_shoe_entry=False,
        insure_from=2 if found.insurance_on_ace else None, insure_ten_from=3 if found.insurance_on_ten else None,
    )  # fmt: skip
    counted = {"rounds": ROUNDS, "schedule": schedule, "detail": True, "bankroll_units": 200, "horizon_rounds": 100}
    yield f"{variant.key}/counted", _sums(variant, (), "yardstick", counted)
    yield f"{variant.key}/fresh shoes", _sums(variant, (), "yardstick", {"rounds": ROUNDS, "fresh_shoe": True})


def _sums(variant: Variant, wagers: tuple[str, ...], strategy: str, plan: dict[str, Any], chart: Any = None) -> Record:
    return _played(variant.rules(wagers), strategy, plan, chart)


def _played(found: Any, strategy: str, plan: dict[str, Any], chart: Any = None) -> Record:
    meters = {name: Money(50) for side in found.side_wagers for name in side.meters}
    made = Plan(**{"seed": 7, "block_rounds": BLOCK_ROUNDS, "wager": WAGER, "meters": meters, **plan})
    prepared = prepare(found, strategy_of(strategy, found, chart), made)
    total = play_block(prepared, 0)
    for block in range(1, made.blocks):
        total = total + play_block(prepared, block)
    fields: Record = {}
    for name, value in msgspec.to_builtins(total, str_keys=True).items():
        if name == "totals":
            fields |= {f"total.{inner}": item for inner, item in value.items()}
        elif name == "sides":
            fields |= {f"side.{inner}": as_text(item) for inner, item in value.items()}
        else:
            fields[name] = short(value)
    return fields


def varied(dump: Dump) -> Found:
    """Games with one parameter of play set to what no book says: hole cards, odds, draws that none of the books has."""
    plan = {"rounds": FEW_ROUNDS, "boxes": 3}
    for game in () if dump.quick else VARIED_GAMES:
        plain = rules_for(game)
        for parameter in rules_as_data(plain)["parameters"]:
            values = attempted(alternatives, plain, parameter)
            for value in () if isinstance(values, str) else values:
                found = attempted(vary, plain, parameter, value)
                if isinstance(found, str):
                    continue
                yield f"{game}/{parameter}={value}", attempted(_played, found, "yardstick", plan)
                if game == VARIED_GAMES[0]:
                    yield f"{game}/{parameter}={value}, worth", attempted(_house_edge, found)


def _house_edge(found: Any) -> str:
    return repr(analyse(found).house_edge)


def live(dump: Dump) -> Found:
    """Rounds at a live table, played at random by the words of records: with sharers, side wagers and refusals.

    The cards come once from a shoe that lies ready, and once as the rules have them shuffled, cut and burnt.
    """
    for variant in dump.each():
        if variant.choices.get("decks") == "inf":
            continue
        wagers = next(iter(wager_sets(variant)), ())
        rounds = 3 if dump.quick else 8
        for number in range(1 if dump.quick or variant.name != DEFAULT else 4):
            found = attempted(_from_a_ready_shoe, variant, wagers, number, rounds)
            yield f"{variant.key}/ready shoe {number}", found
        yield f"{variant.key}/shuffled", attempted(_from_shuffled_cards, variant, wagers, rounds)


def _from_a_ready_shoe(variant: Variant, wagers: tuple[str, ...], number: int, rounds: int) -> Record:
    chance = random.Random(f"{variant.game} {number}")
    found = variant.rules(wagers)
    table = Table(variant.game, seed=number, side_wagers=wagers, meters=meters_of(found), **variant.table)
    refusals: list[str] = []
    steps = 0
    for _ in range(rounds):
        bets = list(_bets(found, chance))
        for text in bets:
            _try(table.bet, text, refusals)
        if not _try(table.do, "deal", refusals):
            for text in _more_bets(bets):
                _try(table.bet, text, refusals)
            if not _try(table.do, "deal", refusals):
                break
        while not is_settled(table) and steps < MOST_STEPS * rounds:
            steps += 1
            open_ = sorted({*table.legal(), *prize_words(table)})
            for box in sorted({text.split()[0] for text in open_ if text[0].isdigit()}):
                refusals.append(str(table.why_not(f"{box} {chance.choice(VERBS)}")))
            _try(table.do, _choice(open_, chance), refusals)
    return {
        "record": attempted(lambda: sha(table.record())),
        "told": sha(table.explain()),
        "events": sha(encode_events(table.log)),
        "refusals": sha("\n".join(refusals)),
        "steps": steps,
        "results": short(sorted(f"{' '.join(key)} {net.normalize():f}" for key, net in table.results().items())),
    }


def _from_shuffled_cards(variant: Variant, wagers: tuple[str, ...], rounds: int) -> Record:
    chance = random.Random(f"{variant.game} shuffled")
    table = Dealt(variant.rules(wagers))
    refusals: list[str] = []
    steps = 0
    for _ in range(rounds):
        table.shuffle()
        bets = list(_bets(table.state.rules, chance))
        refusals += [table.bet(text) for text in bets]
        if refusal := table.deal():
            refusals += [refusal, *(table.bet(text) for text in _more_bets(bets))]
            if refusal := table.deal():
                refusals.append(refusal)
                break
        while not is_settled(table) and steps < MOST_STEPS * rounds:
            steps += 1
            open_ = table.legal()
            if not open_:
                table.shuffle()
                continue
            refusals.append(table.ask(open_[_choice(sorted(open_), chance)]))
        refusals.append(table.next_round())
    events = encode_events(table.events)
    return {"events": sha(events), "refusals": sha("\n".join(refusals)), "steps": steps, "shoes": table.shoes}


def _bets(found: Any, chance: random.Random) -> Iterator[str]:
    for area in sorted(chance.sample(range(1, found.boxes_max + 1), chance.randint(1, 3))):
        players = chance.sample(("ann", "bob", "cat", "dan"), chance.randint(1, 3))
        for place, player in enumerate(players):
            star = "*" if place == 0 and chance.random() < 0.6 else ""
            yield f"{area} {player}{star} {chance.choice((5, 10, 25, 100))}"
            for side in found.side_wagers:
                if chance.random() < 0.4:
                    yield f"{area} {player} 5 {side.id}"


def _more_bets(bets: Iterable[str]) -> list[str]:
    """Somebody with the highest wager on every box: the deal may have waited for one who calls."""
    return [f"{area} eve 500" for area in dict.fromkeys(text.split()[0] for text in bets)]


def _choice(open_: list[str], chance: random.Random) -> str:
    """Anything that may be done, though seldom to be away."""
    present = [text for text in open_ if not text.endswith("absent")]
    return chance.choice(present if present and chance.random() < 0.95 else open_)


def _try(do: Callable[[str], Any], text: str, refusals: list[str]) -> bool:
    try:
        do(text)
    except PitbossError as error:
        refusals.append(str(error))
        return False
    return True


def advised(dump: Dump) -> Found:
    """What every action is worth at the decisions of a few hands, with the cards that are left."""
    for game in dump.games:
        chance = random.Random(game)
        table = Table(game, seed=3)
        for number in range(2 if dump.quick else 10):
            table.bet("1 ann* 25")
            table.deal()
            step = 0
            while not is_settled(table):
                step += 1
                found = attempted(advice_at, table)
                key = f"{game}/round {number}, step {step}"
                yield key, found if isinstance(found, str) else {name: repr(worth) for name, worth in found.items()}
                open_ = sorted(table.legal())
                table.do(_choice([text for text in open_ if text.endswith("split")] or open_, chance))


def stepped(dump: Dump) -> Found:
    """Environments with fixed seeds, played at random by what their masks allow."""
    for variant in dump.each():
        plain = variant.name == DEFAULT
        yield f"{variant.key}/vector", attempted(_vector, variant, 200 if plain else 50, None)
        if plain and not dump.quick:
            yield f"{variant.key}/vector from a shoe", attempted(_vector, variant, 200, 0.6)
        if plain:
            yield f"{variant.key}/single", attempted(_single, variant, 100)
            yield f"{variant.key}/several", attempted(_several, variant, 5 if dump.quick else 30)


def _vector(variant: Variant, steps: int, penetration: float | None) -> Record:
    env = VectorBoxEnv(variant.game, 16, threads=1, penetration=penetration, **variant.table)
    chance = np.random.default_rng(5)
    seen, info = env.reset(seed=9)
    kept: dict[str, list[Any]] = {"observations": [seen], "masks": [info["action_mask"]], "rewards": [], "finals": []}
    for _ in range(steps):
        mask = info["action_mask"]
        seen, rewards, _, _, info = env.step((mask * chance.random(mask.shape)).argmax(axis=1))
        for name, array in (
            ("observations", seen), ("masks", info["action_mask"]), ("rewards", rewards), ("finals", info["final_obs"])
        ):  # fmt: skip
            kept[name].append(array.copy())
    env.close()
    total = float(sum(array.sum() for array in kept["rewards"]))
    return {"reward": repr(total), **{name: _arrays(arrays) for name, arrays in kept.items()}}


def _single(variant: Variant, steps: int) -> Record:
    env = BoxEnv(variant.game, **variant.table)
    chance = np.random.default_rng(5)
    seen, info = env.reset(seed=9)
    observations, masks, rewards = [seen], [info["action_mask"]], []
    for _ in range(steps):
        mask = info["action_mask"]
        seen, reward, over, _, info = env.step((mask * chance.random(mask.shape)).argmax())
        rewards.append(reward)
        if over:
            observations.append(seen)
            seen, info = env.reset()
        observations.append(seen)
        masks.append(info["action_mask"])
    return {"observations": _arrays(observations), "masks": _arrays(masks), "rewards": _arrays([np.array(rewards)])}


def _several(variant: Variant, rounds: int) -> Record:
    env = BoxesEnv(variant.game, 3, **variant.table)
    chance = np.random.default_rng(5)
    told = []
    for number in range(rounds):
        env.reset(seed=9 if number == 0 else None)
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            told.append([agent, _arrays([seen["observation"], seen["action_mask"]]), float(reward), bool(over)])
            mask = seen["action_mask"]
            env.step(None if over else int((mask * chance.random(mask.shape)).argmax()))
    return {"steps": len(told), "told": sha(as_text(told))}


def _arrays(arrays: Iterable[Any]) -> str:
    """The digest of arrays: their shapes, kinds and numbers."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.shape}{array.dtype.str}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:20]


def recorded(dump: Dump) -> Found:
    """Every round record of the tests: read, written, replayed, told and settled."""
    for place, path in enumerate(sorted(RECORDS.rglob("*.round.toml"))):
        if dump.quick and place % SAMPLE_EVERY["records"]:
            continue
        name = path.relative_to(RECORDS).as_posix()
        text = path.read_bytes().decode()
        found = attempted(replayed_record, text, name)
        yield name, found if isinstance(found, str) else {part: short(said) for part, said in found.items()}


def commanded(dump: Dump) -> Found:
    """What commands print; digests of rules are masked, and commands that take long are left out of a sample."""
    commands = [["games"], ["--help"]]
    if not dump.quick:
        commands += [["games", "--json"], ["trace", "--json"]]
        commands.append(["rules", "melbourne/pontoon", "--diff", "melbourne/blackjack"])
    for game in dump.games:
        commands += [["rules", game, "--readings"], ["rules", game, "--authority"]]
        commands.append(["odds", game, "--side", "insurance"])
        if not dump.quick:
            commands += [["rules", game], ["rules", game, "--json"]]
            commands += [["odds", game, "--hands"], ["odds", game, "--side", "all", "--json"]]
    for arguments in commands:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = command_line(arguments)
        printed = re.sub(r"\b[0-9a-f]{64}\b", "(digest)", out.getvalue())
        yield " ".join(arguments), {"code": code, "out": sha(printed)}


SECTIONS: dict[str, Callable[[Dump], Found]] = {
    section.__name__: section
    for section in (rules, edges, sides, simulated, varied, live, advised, stepped, recorded, commanded)
}


# Comparing --------------------------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """How a new dump differs from an old one: a line for each key or field."""

    differ: dict[str, tuple[Any, Any]]
    gone: dict[str, Any]
    rounding: dict[str, tuple[Any, Any]]
    """Floats that differ, but not in the digits that were asked for."""
    moved: dict[str, tuple[Any, Any]]
    """Digests of rules that have changed in nothing but added fields."""
    added: dict[str, Any]

    @property
    def same(self) -> bool:
        """Nothing that was answered before is answered otherwise."""
        return not self.differ and not self.gone

    def __str__(self) -> str:
        lines = []
        for name, found in self._asdict().items():
            counts = Counter(key.split("/", 1)[0] for key in found)
            lines.append(f"{name}: {len(found)}" + "".join(f", {times} of {part}" for part, times in counts.items()))
            for key, value in found.items():
                both = isinstance(value, tuple)
                lines.append(f"  {key}: {_cut(value[0])} -> {_cut(value[1])}" if both else f"  {key}: {_cut(value)}")
        return "\n".join(lines)


def _cut(value: Any) -> str:
    text = as_text(value)
    return text if len(text) <= 110 else f"{text[:107]}..."


def compare(old: dict[str, Any], new: dict[str, Any], digits: int | None = None) -> Comparison:
    """What differs; with `digits`, floats that agree in so many digits are told apart."""
    found = Comparison({}, {}, {}, {}, {})
    for key in sorted({*old, *new}):
        if key not in new:
            found.gone[key] = old[key]
        elif key not in old:
            found.added[key] = new[key]
        elif old[key] != new[key]:
            _compare(key, _whole(old, key), _whole(new, key), digits, found)
    for key in [key for key in found.differ if key.startswith("rules/digest/")]:
        rules = key.replace("/digest/", "/whole/", 1)
        if rules in old and rules in new and _only_added(_whole(old, rules), _whole(new, rules)):
            found.moved[key] = found.differ.pop(key)
    return found


def _whole(dump: Mapping[str, Any], key: str) -> Any:
    """A record with what it has like another."""
    value = dump[key]
    if not isinstance(value, dict) or "like" not in value:
        return value
    like = _whole(dump, value["like"]) if value["like"] in dump else {}
    if not isinstance(like, dict):
        return like
    return {name: item for name, item in {**like, **value["but"]}.items() if item is not None}


def _only_added(old: Any, new: Any) -> bool:
    both = isinstance(old, dict) and isinstance(new, dict)
    return both and all(name in new and new[name] == value for name, value in old.items()) and len(new) > len(old)


def _compare(key: str, old: Any, new: Any, digits: int | None, found: Comparison) -> None:
    if not isinstance(old, dict) or not isinstance(new, dict):
        if old != new:
            where = found.rounding if digits is not None and _near(old, new, digits) else found.differ
            where[key] = (old, new)
        return
    for name in sorted({*old, *new}):
        if name not in new:
            found.gone[f"{key}: {name}"] = old[name]
        elif name not in old:
            found.added[f"{key}: {name}"] = new[name]
        else:
            _compare(f"{key}: {name}", old[name], new[name], digits, found)


def _near(old: Any, new: Any, digits: int) -> bool:
    try:
        return math.isclose(float(old), float(new), rel_tol=10.0**-digits, abs_tol=10.0**-digits)
    except (TypeError, ValueError):
        return False


# The command line -------------------------------------------------------------------------------------------


def dump(quick: bool = False, sections: Iterable[str] = SECTIONS, say: Callable[[str], None] | None = None) -> Record:
    """What the project answers now; `say` is told how long each section took."""
    os.environ["COLUMNS"] = "100"
    made = Dump(quick)
    for name in sections:
        begun = time.process_time()
        made.add(SECTIONS[name])
        if say is not None:
            say(f"{name:10}{time.process_time() - begun:7.1f} s of processor time")
    return dict(sorted(made.found.items()))


def main() -> int:
    """Dump or compare."""
    parser = argparse.ArgumentParser(description="Freeze what the project answers, and compare.")
    commands = parser.add_subparsers(dest="command", required=True)
    dumping = commands.add_parser("dump", help="write down what the project answers now")
    dumping.add_argument("file", type=Path)
    dumping.add_argument("--quick", action="store_true", help="a sample, in a few seconds")
    comparing = commands.add_parser("compare", help="say how a new dump differs from an old one")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--digits", type=int, help="let floats pass that agree in so many digits")
    comparing.add_argument("--strict", action="store_true", help="fail for what is added, too")
    for command in (dumping, comparing):
        command.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION")
    asked = parser.parse_args()
    if asked.command == "dump":
        begun = time.perf_counter()
        found = dump(asked.quick, asked.sections, lambda line: print(line, file=sys.stderr, flush=True))
        asked.file.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
        crashes = sum(isinstance(value, str) and value.startswith("crashes") for value in found.values())
        print(f"{len(found)} keys in {time.perf_counter() - begun:.1f} s, {crashes} of them crashes", file=sys.stderr)
        return 0
    both = (json.loads(path.read_text(encoding="utf-8")) for path in (asked.old, asked.new))
    old, new = ({key: dump[key] for key in dump if key.split("/", 1)[0] in asked.sections} for dump in both)
    compared = compare(old, new, asked.digits)
    print(compared)
    return 0 if compared.same and not (asked.strict and (compared.added or compared.moved)) else 1


if __name__ == "__main__":
    sys.exit(main())
