"""From a rulebook file to a `Rulebook`: the file is read and checked once, whole, before anything uses it.

A file with a mistake anywhere is refused with one line that says where, what is wrong and what is allowed. People and
side wagers have modules of their own; choices, layers and games are read here.
"""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Callable, Mapping
from typing import Any

from pitboss.formats.names import nearest
from pitboss.money import Money, MoneyError, parse_money
from pitboss.rulebooks.model.book import BONUS_HANDS, Game, Layer, Option, Reading, Rulebook
from pitboss.rulebooks.model.frozen import FrozenDict
from pitboss.rulebooks.model.matters import MATTERS
from pitboss.rulebooks.model.parameters import TYPES, WORDS
from pitboss.rulebooks.model.ranges import MOST_DECKS, complain_of_range
from pitboss.rulebooks.model.rules import Bonus, SuperBonus
from pitboss.rulebooks.reading.people import read_authority, read_disputes, read_notices, read_roles
from pitboss.rulebooks.reading.side_wagers import read_side_wager
from pitboss.rulebooks.reading.values import Case, Reader, RulebookError, coerce, read_plain

TOP_TABLES = (
    "book", "roles", "authority", "notices", "disputes", "options", "readings", "rules", "clauses", "games",
    "side_wagers", "competitions",
)  # fmt: skip

GAME_KEYS = (
    "name", "summary", "extends", "alias_of", "clause", "rules", "clauses", "options", "bonuses", "super_bonus",
)  # fmt: skip

NOT_TOML = "not valid TOML"

Register = Callable[[str], Callable[[str], bool] | None]
"""For a book's id, the test of whether a clause exists in it; none if there is no register."""


def parse_book(text: str, file: str, register: Register) -> Rulebook:
    """Read a rulebook from its text; `file` is the name shown in complaints."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{file}: {NOT_TOML}: {error}") from None
    return read_book(data, file, register)


def read_book(data: Mapping[str, Any], file: str, register: Register) -> Rulebook:
    """Read a rulebook from the tables of its file."""
    reader = Reader(file)
    reader.table(data, "file", known=TOP_TABLES, needed=("book", "games"))
    book = reader.table(
        data["book"], "book",
        known=("id", "namespace", "name", "edition", "jurisdiction", "register", "summary"), needed=("id", "name"),
    )  # fmt: skip
    book_id = reader.name(book["id"], "book.id")
    if reader.flag(book.get("register", False), "book.register"):
        reader.clause_ok = register(book_id)
        if reader.clause_ok is None:
            reader.fail("book.register", f"there is no clause register for '{book_id}': say register = false")
    return _Parts(reader, data, book_id).book()


def _list_outcomes(book: Rulebook) -> set[str]:
    """Every outcome that a side wager of the book pays, `WAGER/OUTCOME`."""
    return {
        f"{module.id}/{outcome}"
        for module in book.side_wagers.values()
        for case in module.pays
        for outcome in case.value[0]
    }


class _Parts:
    """Reads the tables of one file in the order in which they need each other."""

    def __init__(self, reader: Reader, data: Mapping[str, Any], book_id: str) -> None:
        self.reader = reader
        self.data = data
        self.book_id = book_id
        self.game_tables = reader.table(data["games"], "games")
        if not self.game_tables:
            reader.fail("games", "a book needs at least one game")
        self.side_tables = reader.table(data.get("side_wagers", {}), "side_wagers")
        self.option_tables = reader.table(data.get("options", {}), "options")

    def book(self) -> Rulebook:
        reader, data = self.reader, self.data
        head = data["book"]
        readings = self.readings()
        reader.conditions = self.condition_names(readings)
        options = {name: self.option(name, table, "options") for name, table in self.option_tables.items()}
        amounts = {name for name, option in options.items() if not option.allowed}
        ladder, bodies = read_roles(reader, data)
        roles = [role.id for role in (*ladder, *bodies)]
        games = {name: self.game(name, table) for name, table in self.game_tables.items()}
        self.check_extends(games)
        book = Rulebook(
            id=self.book_id,
            namespace=reader.name(head.get("namespace", self.book_id), "book.namespace"),
            name=reader.text(head["name"], "book.name"),
            edition=self.note(head, "edition", "book"),
            jurisdiction=self.note(head, "jurisdiction", "book"),
            file=reader.file,
            ladder=ladder,
            bodies=bodies,
            authority=FrozenDict(read_authority(reader, data, roles)),
            notices=FrozenDict(read_notices(reader, data)),
            disputes=read_disputes(reader, data, roles),
            options=options,
            readings=readings,
            base=self.layer("base", data.get("rules", {}), data.get("clauses", {}), ""),
            games=games,
            side_wagers={
                name: read_side_wager(reader, name, table, games, amounts, self.layer)
                for name, table in self.side_tables.items()
            },
            competitions=reader.table(data.get("competitions", {}), "competitions"),
        )
        reader.check_conditions(_possible(book))
        for power in book.authority.values():
            for prize in power.prizes:
                if prize not in _list_outcomes(book):
                    reader.fail(
                        f"authority.{power.id}.prizes", f"'{prize}' is not an outcome of a side wager of the book"
                    )
        return book

    def condition_names(self, readings: Mapping[str, Reading]) -> set[str]:
        """What a `when` may ask for."""
        names = set(self.option_tables) | {"side_wagers", "decks", "card_source", "game"}
        for name, item in self.game_tables.items():
            table = self.reader.table(item, f"games.{name}")
            names.update(self.reader.table(table.get("options", {}), f"games.{name}.options"))
        return names | {f"reading.{name}" for name in readings}

    def note(self, table: Mapping[str, Any], name: str, key: str) -> str:
        """A text that may be left out."""
        return self.reader.text(table[name], f"{key}.{name}") if name in table else ""

    # ------------------------------------------------------------------ choices

    def games_of(self, table: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
        if "games" not in table:
            return None
        names = self.reader.texts(table["games"], f"{key}.games")
        for name in names:
            if name not in self.game_tables:
                problem = f"'{name}' is not a game of the book; {nearest(name, self.game_tables)}"
                self.reader.fail(f"{key}.games", problem)
        return names

    def readings(self) -> dict[str, Reading]:
        found = {}
        for name, item in self.reader.table(self.data.get("readings", {}), "readings").items():
            key = f"readings.{name}"
            table = self.reader.table(
                item, key, known=("text", "default", "alternatives", "clauses", "games"),
                needed=("text", "default", "alternatives", "clauses"),
            )  # fmt: skip
            default = self.reader.text(table["default"], f"{key}.default")
            alternatives = self.reader.texts(table["alternatives"], f"{key}.alternatives")
            if default in alternatives:
                problem = f"must name what else the clause could mean, besides {read_plain(default)}"
                self.reader.fail(f"{key}.alternatives", problem)
            found[name] = Reading(
                id=self.reader.name(name, key),
                text=self.reader.text(table["text"], f"{key}.text"),
                default=default,
                alternatives=alternatives,
                clauses=self.reader.clauses(table["clauses"], f"{key}.clauses"),
                games=self.games_of(table, key),
            )
        return found

    def option(self, name: str, item: Any, prefix: str) -> Option:
        key = f"{prefix}.{self.reader.name(name, prefix)}"
        known = ("text", "default", "allowed", "clause", "kind", *(("games",) if prefix == "options" else ()))
        table = self.reader.table(item, key, known=known, needed=("default",))
        kind = table.get("kind", "choice")
        if kind not in ("choice", "amount"):
            self.reader.fail(f"{key}.kind", f"must be choice or amount, not {read_plain(kind)}")
        if (kind == "choice") != ("allowed" in table):
            self.reader.fail(key, "lacks 'allowed'" if kind == "choice" else "an amount has no 'allowed'")
        clauses = self.reader.clauses(table.get("clause", []), f"{key}.clause")
        allowed = self.check_allowed(name, table["allowed"], f"{key}.allowed", clauses) if kind == "choice" else ()
        return Option(
            id=name,
            text=self.note(table, "text", key),
            default=self.default(table["default"], f"{key}.default", allowed),
            allowed=allowed,
            clauses=clauses,
            games=self.games_of(table, key),
        )

    def default(self, value: Any, key: str, allowed: tuple[Case, ...]) -> tuple[Case, ...]:
        """The default: one value, or cases; for an amount (nothing allowed by name) a sum or none."""
        cases = value if isinstance(value, list) else [{"value": value}]
        default = self.reader.cases(cases, key, lambda value, _: value, clause_needed=False)
        choices = [choice for case in allowed for choice in case.value]
        for case in default:
            if not allowed and case.value != "none":
                self.amount(case.value, key)
            elif allowed and not any(case.value == one and type(case.value) is type(one) for one in choices):
                would_do = ", ".join(map(read_plain, choices))
                self.reader.fail(key, f"{read_plain(case.value)} is not among the allowed values: {would_do}")
        return default

    def check_allowed(self, name: str, value: Any, key: str, clauses: tuple[str, ...]) -> tuple[Case, ...]:
        if not isinstance(value, list) or not value:
            self.reader.fail(key, f"must be a list of the values that may be chosen, not {read_plain(value)}")
        if not any(isinstance(item, dict) for item in value):
            return (Case(self.choices(name, value, key), clauses, {}),)
        cases = []
        for where, item in self.reader.rows(value, key, "{ values, clause, when }"):
            table = self.reader.table(item, where, known=("values", "clause", "when"), needed=("values",))
            cited = self.reader.clauses(table.get("clause", list(clauses)), f"{where}.clause")
            when = self.reader.when(table.get("when", {}), f"{where}.when")
            cases.append(Case(self.choices(name, table["values"], f"{where}.values"), cited, when))
        return tuple(cases)

    def choices(self, option: str, value: Any, key: str) -> tuple[Any, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(item, (bool, int, str)) for item in value):
            self.reader.fail(key, f"must be a list of values, not {read_plain(value)}")
        if option == "decks" and not all(type(item) is int and 0 < item <= MOST_DECKS for item in value):
            self.reader.fail(key, f"must be numbers of decks, 1 to {MOST_DECKS}, not {read_plain(value)}")
        if option == "card_source":
            for item in value:
                self.value_check("card_source")(item, key)
        return tuple(value)

    # ------------------------------------------------------------------ layers

    def layer(self, name: str, rules: Any, clauses: Any, prefix: str) -> Layer:
        parameters = {}
        for parameter, item in self.reader.table(rules, f"{prefix}rules").items():
            key = f"{prefix}rules.{parameter}"
            if parameter == "decks":
                self.reader.fail(key, f"is a choice of the house: write [{prefix}options.decks]")
            if parameter not in TYPES:
                self.reader.fail(key, f"unknown parameter; {nearest(parameter, TYPES)}")
            parameters[parameter] = self.reader.cases(item, key, self.value_check(parameter))
        matters = {}
        for matter, item in self.reader.table(clauses, f"{prefix}clauses").items():
            key = f"{prefix}clauses.{matter}"
            if matter not in MATTERS:
                self.reader.fail(key, f"unknown matter; {nearest(matter, MATTERS)}")
            matters[matter] = self.reader.matter(item, key)
        return Layer(name=name, parameters=parameters, matters=matters)

    def value_check(self, parameter: str) -> Callable[[Any, str], Any]:
        """Reads a value of a parameter; lists with words of their own are put into the order of those words."""

        def check(value: Any, key: str) -> Any:
            try:
                checked = coerce(TYPES[parameter], value)
            except ValueError as error:
                self.reader.fail(key, str(error))
            if problem := complain_of_range(parameter, checked):
                self.reader.fail(key, problem)
            if parameter not in WORDS:
                return checked
            for word in checked:
                if word not in WORDS[parameter]:
                    self.reader.fail(key, f"{read_plain(word)} is not one of {', '.join(WORDS[parameter])}")
            return tuple(word for word in WORDS[parameter] if word in checked)

        return check

    # ------------------------------------------------------------------ games

    def game(self, name: str, item: Any) -> Game:
        key = f"games.{name}"
        table = self.reader.table(item, key, known=GAME_KEYS, needed=("name",))
        extends = table.get("extends")
        if extends is not None and extends not in tuple(self.game_tables):
            problem = f"{read_plain(extends)} is not a game of the book; {nearest(str(extends), self.game_tables)}"
            self.reader.fail(f"{key}.extends", problem)
        alias = self.reader.flag(table.get("alias_of", False), f"{key}.alias_of")
        if alias and (extends is None or table.get("rules")):
            problem = "the same game under another name extends it and has no rules of its own"
            self.reader.fail(f"{key}.alias_of", problem)
        overrides = self.reader.table(table.get("options", {}), f"{key}.options")
        sums = table.get("super_bonus")
        return Game(
            id=self.reader.name(name, key),
            name=self.reader.text(table["name"], f"{key}.name"),
            summary=self.note(table, "summary", key),
            extends=extends,
            alias_of=alias,
            clauses=self.reader.clauses(table.get("clause", []), f"{key}.clause"),
            layer=self.layer(name, table.get("rules", {}), table.get("clauses", {}), f"{key}."),
            options={option: self.option(option, part, f"{key}.options") for option, part in overrides.items()},
            bonuses=self.bonuses(table.get("bonuses", []), f"{key}.bonuses"),
            super_bonus=None if sums is None else self.super_bonus(sums, f"{key}.super_bonus"),
        )

    def check_extends(self, games: Mapping[str, Game]) -> None:
        for name in games:
            seen = [name]
            while (parent := games[seen[-1]].extends) is not None:
                if parent in seen:
                    self.reader.fail(f"games.{name}.extends", f"is circular: {' -> '.join([*seen, parent])}")
                seen.append(parent)

    def bonuses(self, value: Any, key: str) -> tuple[Bonus, ...]:
        found: dict[str, Bonus] = {}
        for where, item in self.reader.rows(value, key, f"tables: write [[{key}]]"):
            table = self.reader.table(item, where, known=("hand", "odds", "clause"), needed=("hand", "odds", "clause"))
            hand = self.reader.text(table["hand"], f"{where}.hand")
            if hand not in BONUS_HANDS:
                self.reader.fail(f"{where}.hand", f"unknown hand; {nearest(hand, BONUS_HANDS)}")
            if hand in found:
                self.reader.fail(f"{where}.hand", f"'{hand}' is listed twice")
            clauses = self.reader.clauses(table["clause"], f"{where}.clause")
            found[hand] = Bonus(hand, self.reader.odds(table["odds"], f"{where}.odds"), clauses)
        return tuple(found.values())

    def amount(self, value: Any, key: str) -> Money:
        try:
            amount = parse_money(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else None
        except MoneyError:
            amount = None
        if amount is None or amount <= 0:
            self.reader.fail(key, f"must be an amount above zero, not {read_plain(value)}")
        return amount

    def super_bonus(self, value: Any, key: str) -> SuperBonus:
        table = self.reader.table(value, key, known=("clause", "tiers", "others"), needed=("clause", "tiers", "others"))
        tiers = []
        for where, item in self.reader.rows(table["tiers"], f"{key}.tiers", "{ from, pays }"):
            tier = self.reader.table(item, where, known=("from", "pays"), needed=("from", "pays"))
            tiers.append((self.amount(tier["from"], f"{where}.from"), self.amount(tier["pays"], f"{where}.pays")))
        if not tiers:
            self.reader.fail(f"{key}.tiers", "must have at least one { from, pays }")
        clauses = self.reader.clauses(table["clause"], f"{key}.clause")
        return SuperBonus(tuple(tiers), self.amount(table["others"], f"{key}.others"), clauses)


def _possible(book: Rulebook) -> dict[str, tuple[Any, ...] | None]:
    """The values that each condition of a book can meet; `None` for one that can be anything."""
    found: dict[str, tuple[Any, ...] | None] = {
        "card_source": typing.get_args(TYPES["card_source"]),
        "deck_cards": typing.get_args(TYPES["deck_cards"]),
        "game": tuple(book.games),
        "side_wagers": tuple(book.side_wagers),
    }
    found.update({f"reading.{name}": (item.default, *item.alternatives) for name, item in book.readings.items()})
    options: dict[str, list[Option]] = {}
    for table in (book.options, *(game.options for game in book.games.values())):
        for name, option in table.items():
            options.setdefault(name, []).append(option)
    for name, versions in options.items():
        choices = tuple(choice for option in versions for choice in option.choices)
        found[name] = choices if all(option.allowed for option in versions) else None
    return found
