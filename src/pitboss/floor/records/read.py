"""From the text of a floor record to a `FloorRecord`, strictly: what is unknown or malformed is refused with its line.

Files are not opened here: a round that stands in a file of its own is asked for by its name.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor.house import HOUSE_ROLES, list_roles
from pitboss.floor.ledger import Unit
from pitboss.floor.live_decisions import MACHINE
from pitboss.floor.live_table import StreamError, TableKind, convert_command
from pitboss.floor.moments import DAY_MS, EPOCH, HOUR_MS, MINUTE_MS, is_moment, make_plain, read_moment
from pitboss.floor.records.floor_record import (
    FLOOR_FORMAT,
    ROBOTS,
    ROUND,
    Expected,
    FloorRecord,
    FloorStep,
    RecordedPerson,
    RecordedTable,
)
from pitboss.floor.records.house_kind import FLOOR
from pitboss.floor.records.kind import Kind
from pitboss.floor.records.registry import KIND_BY_WORD
from pitboss.floor.records.table_kind import TABLE
from pitboss.formats.names import nearest
from pitboss.formats.toml_places import Path, line_of
from pitboss.money import ZERO, Money, MoneyError, parse_money
from pitboss.records.model import Record, Round
from pitboss.records.read import ROUND_KEYS, RecordReader, parse_toml, read, show_short
from pitboss.rulebooks import BOOKS, Rulebook, RulebookError, find_game
from pitboss.table.messages.askers import HOUSE, PLAYER, SYSTEM, Asker
from pitboss.table.messages.notation import quote
from pitboss.table.messages.wellformed import find_value_fault

TOP_KEYS = ("floor", "title", "cites", "book", "start", "seed", "people", "tables", "step", "expect")
STEP_KEYS = ("at", "by", "on", "do", "with", "refused", "says", "expect")
TABLE_KEYS = ("game", "options", "side_wagers", "sign", "bank", "dealt_by", "players")
EXPECT_KEYS = ("balances", "open")
PERSON_KEYS = ("roles", "chips")
NOBODY = {"house": HOUSE, "machine": MACHINE, "system": SYSTEM}
"""Who asks when nobody does in person."""
UNIT_MS = {"d": DAY_MS, "h": HOUR_MS, "m": MINUTE_MS, "s": 1000}
FILE = "file"
"""The key of a table in a step that takes the rest of its tables from a file beside the record."""

_LATER = re.compile(r"\+(?:(\d{1,5})d)?(?:(\d{1,6})h)?(?:(\d{1,7})m)?(?:(\d{1,8})s)?")
INCLUDE = "include"
"""What a step does that stands for the steps of a file beside the record."""
_ALIKE = re.compile(r"([a-z-]+)\*(\d{1,4})")
MOST_ALIKE = 500
_WORD = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")

Fetch = Callable[[str], str]
"""Gives the text of a file that a record names."""


def refuse_files(name: str) -> str:
    """For a record that comes without a folder: there is no file beside it."""
    raise PitbossError(f"{name}: cannot be read: this record is not in a folder")


def read_floor_record(
    text: str, file: str = "record", own_books: Iterable[Rulebook] = (), fetch: Fetch = refuse_files
) -> FloorRecord:
    """The floor record that `text` is; `file` is the name shown in complaints."""
    return _FloorReader(text, file, tuple(own_books), fetch).read(parse_toml(text, file))


class _FloorReader(RecordReader):
    """Walks one floor record."""

    def __init__(self, text: str, file: str, own_books: tuple[Rulebook, ...], fetch: Fetch) -> None:
        super().__init__(text, file)
        self.own_books = own_books
        self.fetch = fetch
        self.at_ms = 0
        self.day: datetime.date | None = None
        self.people: dict[str, RecordedPerson] = {}
        self.alike: dict[str, int] = {}
        """How many people alike there are under one name."""
        self.tables: dict[str, RecordedTable] = {}

    def read(self, data: dict[str, Any]) -> FloorRecord:
        self.check_keys(data, (), TOP_KEYS)
        if type(data.get("floor")) is not int or data["floor"] != FLOOR_FORMAT:
            self.fail(("floor",), f"expected floor = {FLOOR_FORMAT}, the version of the format, in its first lines")
        book = data.get("book")
        if book not in BOOKS:
            self.fail(("book",), f"expected book = one of {', '.join(BOOKS)}, not {show_short(book)}")
        start = data.get("start")
        if not isinstance(start, datetime.datetime):
            self.fail(("start",), "expected start = 2026-03-02T18:00:00, the day and time at which the record begins")
        start_ms = self.at_ms = read_moment(start)
        if not is_moment(start_ms):
            self.fail(("start",), "expected a time between the years 1970 and 2100")
        self.day = start.date()
        seed = data.get("seed", 1)
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            self.fail(("seed",), "expected a whole number such as seed = 7, from which draws take their chance")
        for name, value in self.table(data.get("people", {}), ("people",)).items():
            self.read_people(name, value, book)
        for name, value in self.table(data.get("tables", {}), ("tables",)).items():
            self.tables[name] = self.read_table(name, value)
        steps = data.get("step", [])
        if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
            self.fail(("step",), "expected [[step]] tables, each with do")
        return FloorRecord(
            file=self.file,
            book=book,
            title=self.text(data.get("title", ""), ("title",)),
            cites=self.items(data.get("cites", []), ("cites",), lambda cited: cited),
            start_ms=start_ms,
            seed=seed,
            people=self.people,
            tables=self.tables,
            steps=tuple(read for number, step in enumerate(steps) for read in self.read_steps(step, ("step", number))),
            expect=self.read_expected(data.get("expect", {}), ("expect",)),
        )

    def check_keys(self, data: dict[str, Any], path: Path, known: Iterable[str]) -> None:
        for name in data:
            if name not in known:
                self.fail((*path, name), f"expected one of {', '.join(known)}, not the unknown key {quote(name)}")

    # ------------------------------------------------------------------ people and tables

    def read_people(self, name: str, value: Any, book: str) -> None:
        """One person, or with `"player*49"` so many people alike: `p1` to `p49` under the name `p`."""
        words = value.get("roles", PLAYER) if isinstance(value, dict) else value
        alike = _ALIKE.fullmatch(words) if isinstance(words, str) else None
        if alike is None:
            self.people[name] = self.read_person(name, value, book)
            return
        role, number = alike[1], int(alike[2])
        if not 1 <= number <= MOST_ALIKE:
            self.fail(("people", name), f"expected 1 to {MOST_ALIKE} people alike, not {number}")
        self.alike[name] = number
        one = {**value, "roles": role} if isinstance(value, dict) else role
        person = self.read_person(name, one, book)
        for own in (f"{name}{at}" for at in range(1, number + 1)):
            self.people[own] = RecordedPerson(own, person.roles, person.chips)

    def read_person(self, name: str, value: Any, book: str) -> RecordedPerson:
        """`"player"`, `"gaming-manager"`, `["dealer", "pit-boss@perth"]`, or a table with roles and chips."""
        path: Path = ("people", name)
        chips = ZERO
        if isinstance(value, dict):
            self.check_keys(value, path, PERSON_KEYS)
            chips = self.amount(value.get("chips", 0), (*path, "chips"))
            value = value.get("roles", PLAYER)
        words = [value] if isinstance(value, str) else value
        if not isinstance(words, list) or not words:
            self.fail(path, 'expected a role such as "player", or a list of roles')
        roles = []
        for word in words:
            role, _, of = self.text(word, path).partition("@")
            if role in HOUSE_ROLES and not of:
                roles.append((role, ""))
            elif role != PLAYER:
                known = list_roles(of or book) if (of or book) in BOOKS else ()
                if role not in known:
                    self.fail(path, f"expected player, {', '.join((*HOUSE_ROLES, *known))}, not {quote(word)}")
                roles.append((role, of or book))
        return RecordedPerson(name, tuple(roles), chips)

    def read_table(self, name: str, value: Any) -> RecordedTable:
        path: Path = ("tables", name)
        data = self.table(value, path)
        self.check_keys(data, path, TABLE_KEYS)
        if "game" not in data:
            self.fail(path, 'expected game = "RULEBOOK/GAME", such as "star/blackjack"')
        game = self.game(data["game"], self.own_books, (*path, "game"))
        options = dict(self.table(data.get("options", {}), (*path, "options")))
        readings = self.table(options.pop("readings", {}), (*path, "options", "readings"))
        dealt_by = data.get("dealt_by", TableKind.MACHINE)
        if dealt_by not in list(TableKind):
            self.fail((*path, "dealt_by"), f"expected {', '.join(TableKind)}, not {show_short(dealt_by)}")
        table = RecordedTable(
            name=name,
            game=game,
            options={key: self.choice(item, (*path, "options", key)) for key, item in options.items()},
            readings={key: self.text(item, (*path, "options", "readings", key)) for key, item in readings.items()},
            side_wagers=self.items(data.get("side_wagers", []), (*path, "side_wagers"), lambda word: word),
            sign=self.limits(data.get("sign", {}), (*path, "sign")),
            bank=self.amount(data.get("bank", 0), (*path, "bank")),
            dealt_by=TableKind(dealt_by),
            players={
                player: self.amount(chips, (*path, "players", player), above_zero=True)
                for player, chips in self.table(data.get("players", {}), (*path, "players")).items()
            },
        )
        for player in table.players:
            if player not in self.people:
                self.fail((*path, "players", player), f"expected somebody among the people, not {quote(player)}")
        try:
            describe_rules(table).rules(self.own_books)
        except RulebookError as error:
            self.fail(path, f"expected choices that the rulebook allows: {error}")
        return table

    # ------------------------------------------------------------------ steps

    def read_steps(self, data: dict[str, Any], path: Path) -> Iterable[FloorStep]:
        """A step; where it names people alike with a star, `p*`, one for each of them."""
        if data.get("do") == INCLUDE:
            return self.include_steps(data, path)
        starred = [str(value) for value in data.values() if isinstance(value, str) and value.endswith("*")]
        group = next((text[:-1] for text in starred if text[:-1] in self.alike), None)
        if group is None:
            return [self.read_step(data, path)]
        return [
            self.read_step(
                {
                    name: f"{group}{at}" if value == f"{group}*" else value
                    for name, value in data.items()
                    if name != "at" or at == 1
                },
                path,
            )
            for at in range(1, self.alike[group] + 1)
        ]

    def include_steps(self, data: dict[str, Any], path: Path) -> list[FloorStep]:
        """The steps of a file beside the record; `change` says by command what is other in them."""
        self.check_keys(data, path, ("do", "at", "file", "change"))
        name = self.text(data.get("file", ""), (*path, "file"))
        found = parse_toml(self.fetch(name), name).get("step")
        if not isinstance(found, list) or not all(isinstance(step, dict) for step in found):
            self.fail((*path, "file"), f"expected [[step]] tables in {quote(name)}")
        changes = self.table(data.get("change", {}), (*path, "change"))
        unknown = changes.keys() - {step.get("do") for step in found}
        if unknown:
            self.fail((*path, "change"), f"expected a command of {quote(name)}, not {quote(min(unknown))}")
        first = {"at": data["at"]} if "at" in data else {}
        steps: list[FloorStep] = []
        for number, step in enumerate(found):
            whole = overlay(step, changes.get(step.get("do"), {}))
            steps += self.read_steps({**whole, **(first if number == 0 else {})}, path)
        return steps

    def read_step(self, data: dict[str, Any], path: Path) -> FloorStep:
        if "at" in data:
            self.at_ms = self.read_time(data["at"], (*path, "at"))
        do = self.text(data.get("do", ""), (*path, "do"))
        tag = do.removeprefix("?")
        if not _WORD.fullmatch(tag):
            self.fail(path, 'expected do = "COMMAND", or "?COMMAND" for what must be refused')
        refused = do.startswith("?")
        for name in ("refused", "says"):
            if name in data and not refused:
                self.fail((*path, name), f'expected do = "?{tag}" beside {name}')
        stream = self.text(data.get("on", FLOOR), (*path, "on"))
        kind = self.find_stream(stream, (*path, "on"))
        by = self.find_asker(self.text(data.get("by", "house"), (*path, "by")), (*path, "by"))
        step = FloorStep(
            line=line_of(self.places, path),
            at_ms=self.at_ms,
            by=by,
            stream=stream,
            do=tag,
            refused=refused,
            clause=self.text(data.get("refused", ""), (*path, "refused")),
            says=self.text(data.get("says", ""), (*path, "says")),
            expect=self.read_expected(data.get("expect", {}), (*path, "expect")),
        )
        if tag == ROUND and kind.word == TABLE:
            return msgspec.structs.replace(step, rounds=self.read_rounds(data, path, stream))
        if tag == ROBOTS:
            self.check_keys(data, path, (*STEP_KEYS, "until"))
            until = self.text(data.get("until", ""), (*path, "until"))
            if until and until not in kind.commands:
                self.fail((*path, "until"), f"expected a command; {nearest(until, kind.commands)}")
            return msgspec.structs.replace(step, until=until)
        fields = {name: value for name, value in data.items() if name not in STEP_KEYS}
        fields |= self.table(data.get("with", {}), (*path, "with"))
        return msgspec.structs.replace(step, command=self.convert(kind, tag, fields, by, path))

    def find_stream(self, stream: str, path: Path) -> Kind:
        word, _, name = stream.partition(" ")
        kind = KIND_BY_WORD.get(word)
        if kind is None or (word == FLOOR) != (not name) or (name and not _WORD.fullmatch(name)):
            known = ", ".join(word if word == FLOOR else f'"{word} NAME"' for word in KIND_BY_WORD)
            self.fail(path, f"expected a stream: {known}; not {quote(stream)}")
        return kind

    def find_asker(self, text: str, path: Path) -> Asker:
        """`ann`, `mia`, `mia as gaming-manager`; `house`, `machine` and `system` for nobody in person."""
        name, _, role = text.partition(" as ")
        if not role and name in NOBODY:
            return NOBODY[name]
        person = self.people.get(name)
        if person is None:
            self.fail(path, f"expected somebody among the people; {nearest(name, [*self.people, *NOBODY])}")
        if role:
            return Asker(role, name)
        held = dict.fromkeys(held for held, _ in person.roles)
        if len(held) > 1:
            self.fail(path, f'expected "{name} as ROLE": {name} is {" and ".join(held)}')
        return Asker(next(iter(held), PLAYER), name)

    def convert(self, kind: Kind, tag: str, fields: dict[str, Any], by: Asker, path: Path) -> Any:
        """The command of a step out of its plain fields."""
        wanted = kind.commands.get(tag)
        if wanted is None:
            self.fail((*path, "do"), f"expected something that can be asked there; {nearest(tag, kind.commands)}")
        for name in fields:
            if name not in wanted.__struct_fields__:
                known = ", ".join(wanted.__struct_fields__) or "nothing"
                self.fail((*path, name), f"expected for {tag}: {known}; not {quote(name)}")
        plain = {
            "type": tag,
            **{name: make_plain(self.fill_in(value, (*path, name))) for name, value in fields.items()},
        }
        try:
            command = convert_command(plain, by) if kind.word == TABLE else msgspec.convert(plain, wanted)
        except (msgspec.ValidationError, StreamError) as error:
            self.fail(path, f"expected the fields of {tag}: {error}".replace("\n", " "))
        if fault := find_value_fault(command):
            self.fail(path, f"expected the fields of {tag}: {fault}")
        return command

    def fill_in(self, value: Any, path: Path) -> Any:
        """A value of a step: a table with `file` is what stands in that file, and what the table changes in it."""
        if not isinstance(value, dict) or FILE not in value:
            return value
        name = self.text(value[FILE], (*path, FILE))
        changes = {key: item for key, item in value.items() if key != FILE}
        return overlay(parse_toml(self.fetch(name), name), changes)

    def read_rounds(self, data: dict[str, Any], path: Path, stream: str) -> tuple[Round, ...]:
        """A round in the words of a round record, or the file of one."""
        table = self.tables.get(stream.partition(" ")[2])
        if table is None:
            self.fail((*path, "on"), f"expected a table of this record for a round, not {quote(stream)}")
        if "record" in data:
            self.check_keys(data, path, (*STEP_KEYS, "record"))
            name = self.text(data["record"], (*path, "record"))
            found = read(self.fetch(name), name, self.own_books)
            if found.game != table.game:
                self.fail((*path, "record"), f"expected a round of {table.game}, not of {found.game}")
            return found.rounds
        self.check_keys(data, path, (*STEP_KEYS, *ROUND_KEYS, "record"))
        played = self.round({name: value for name, value in data.items() if name in ROUND_KEYS}, path)
        book, _ = find_game(table.game, self.own_books)
        meters = {meter for module in book.side_wagers.values() for meter in module.meters}
        self.check_round(played, path, frozenset(book.side_wagers), meters)
        return (played,)

    # ------------------------------------------------------------------ time

    def read_time(self, value: Any, path: Path) -> int:
        """`18:05:00` of the same day, a day and time, or `"+1h30m"` after the step before; never earlier than that."""
        if isinstance(value, datetime.time) and self.day is not None:
            value = datetime.datetime.combine(self.day, value)
        if isinstance(value, datetime.datetime):
            self.day = value.date()
            at_ms = read_moment(value)
        else:
            match = _LATER.fullmatch(value) if isinstance(value, str) else None
            if match is None or not any(match.groups()):
                self.fail(path, f'expected a time such as 18:05:00, a day and time, or "+5m", not {show_short(value)}')
            parts = zip(UNIT_MS.values(), match.groups(), strict=True)
            at_ms = self.at_ms + sum(unit * int(number) for unit, number in parts if number)
            if is_moment(at_ms):
                self.day = (EPOCH + datetime.timedelta(milliseconds=at_ms)).date()
        if not is_moment(at_ms):
            self.fail(path, "expected a time between the years 1970 and 2100")
        if at_ms < self.at_ms:
            self.fail(path, "expected a time that is not before the step above")
        return at_ms

    # ------------------------------------------------------------------ what is expected

    def read_expected(self, value: Any, path: Path) -> Expected:
        if not isinstance(value, dict):
            self.fail(path, f"expected a table {{ ... }}, not {show_short(value)}")
        streams: dict[str, dict[str, Any]] = {}
        for name, wanted in value.items():
            if name in EXPECT_KEYS:
                continue
            self.find_stream(name, (*path, name))
            if not isinstance(wanted, dict):
                self.fail((*path, name), f"expected a table of results by name, not {show_short(wanted)}")
            streams[name] = make_plain(wanted)
        balances = value.get("balances", {})
        if not isinstance(balances, dict):
            self.fail((*path, "balances"), "expected a table of accounts and amounts")
        return Expected(
            streams=streams,
            balances={
                name: self.read_balance(name, item, (*path, "balances", name)) for name, item in balances.items()
            },
            open=self.items(value["open"], (*path, "open"), lambda line: line) if "open" in value else None,
        )

    def read_balance(self, account: str, value: Any, path: Path) -> Money:
        """What is in an account; it may be below zero, as the cage is."""
        name, _, unit = account.partition(" ")
        if ":" not in name or (unit and unit not in list(Unit)):
            self.fail(path, f"expected an account such as wallet:ann, and a unit of {', '.join(Unit)} where not chips")
        if isinstance(value, bool) or not isinstance(value, int | Money):
            self.fail(path, f"expected an amount such as 25 or 2.5, not {show_short(value)}")
        try:
            return parse_money(value)
        except MoneyError:
            self.fail(path, f"expected an amount such as 25 or 2.5, not {show_short(value)}")


def overlay(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Tables with other values in them: tables are gone into, everything else is replaced."""
    changed = dict(below)
    for name, value in above.items():
        old = below.get(name)
        changed[name] = overlay(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return changed


def describe_rules(table: RecordedTable) -> Record:
    """The table of a floor record as a round record has it: it knows how to resolve its rules."""
    return Record(
        game=table.game, rounds=(), options=table.options, readings=table.readings, side_wagers=table.side_wagers,
        limits=table.sign,
    )  # fmt: skip
