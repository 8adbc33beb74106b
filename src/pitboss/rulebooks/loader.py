"""From a rulebook file to a `Rulebook`: the file is read and checked once, whole, before anything uses it.

A file with a mistake anywhere is refused with one line that says where, what is wrong and what would do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from pitboss.money import Money, Odds, parse_money
from pitboss.rulebooks.book import (
    BONUS_HANDS,
    JUDGES,
    SIDE_CHOICES,
    SIDE_FIELDS,
    DisputeStep,
    Game,
    Layer,
    Notice,
    Option,
    Reading,
    Rulebook,
    SideModule,
)
from pitboss.rulebooks.forms import Case, Reader, RulebookError, coerce, nearest, plain
from pitboss.rulebooks.matters import MATTERS
from pitboss.rulebooks.parameters import TYPES
from pitboss.rulebooks.rules import Authority, Bonus, MeterShare, Role, SuperBonus

TOP_TABLES = (
    "book", "roles", "authority", "notices", "disputes", "options", "readings", "rules", "clauses", "games",
    "side_wagers", "competitions",
)  # fmt: skip


def parse_book(text: str, file: str, register: Callable[[str], Callable[[str], bool] | None]) -> Rulebook:
    """Read a rulebook from its text. `register` gives, for a book's id, the test of whether a clause exists in it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{file}: not valid TOML: {error}") from None
    reader = Reader(file)
    reader.table(data, "file", known=TOP_TABLES, needed=("book", "games"))
    book = reader.table(
        data["book"], "book",
        known=("id", "namespace", "name", "edition", "jurisdiction", "register", "summary"), needed=("id", "name"),
    )  # fmt: skip
    book_id = reader.text(book["id"], "book.id")
    if book.get("register", False) not in (True, False):
        reader.fail("book.register", "must be true or false")
    if book.get("register", False):
        reader.clause_ok = register(book_id)
        if reader.clause_ok is None:
            reader.fail("book.register", f"there is no clause register for '{book_id}': say register = false")
    return _Parts(reader, data, book_id).book()


class _Parts:
    """Reads the tables of one file in the order in which they need each other."""

    def __init__(self, reader: Reader, data: Mapping[str, Any], book_id: str) -> None:
        self.reader = reader
        self.data = data
        self.book_id = book_id
        self.game_names = tuple(reader.table(data["games"], "games"))
        if not self.game_names:
            reader.fail("games", "a book needs at least one game")
        self.side_names = tuple(reader.table(data.get("side_wagers", {}), "side_wagers"))

    def book(self) -> Rulebook:
        reader, data = self.reader, self.data
        head = data["book"]
        options_table = reader.table(data.get("options", {}), "options")
        readings = self.readings()
        game_options = {
            name for game in data["games"].values() if isinstance(game, dict) for name in game.get("options", {})
        }
        reader.conditions = (
            set(options_table) | game_options | {f"reading.{name}" for name in readings}
            | {"side_wagers", "decks", "card_source", "game"}
        )  # fmt: skip
        options = {name: self.option(name, table, "options") for name, table in options_table.items()}
        ladder, bodies = self.roles()
        games = {name: self.game(name) for name in self.game_names}
        self.check_extends(games)
        return Rulebook(
            id=self.book_id,
            namespace=reader.text(head.get("namespace", self.book_id), "book.namespace"),
            name=reader.text(head["name"], "book.name"),
            edition=str(head.get("edition", "")),
            jurisdiction=str(head.get("jurisdiction", "")),
            file=reader.file,
            ladder=ladder,
            bodies=bodies,
            authority=self.authority(ladder, bodies),
            notices=self.notices(),
            disputes=self.disputes(),
            options=options,
            readings=readings,
            base=self.layer("base", data.get("rules", {}), data.get("clauses", {}), ""),
            games=games,
            side_wagers={name: self.side_wager(name) for name in self.side_names},
            competitions=reader.table(data.get("competitions", {}), "competitions"),
        )

    # ------------------------------------------------------------------ people

    def roles(self) -> tuple[tuple[Role, ...], tuple[Role, ...]]:
        table = self.reader.table(self.data.get("roles", {}), "roles", known=("ladder", "bodies"))
        return self.role_list(table.get("ladder", []), "roles.ladder"), self.role_list(
            table.get("bodies", []), "roles.bodies"
        )

    def role_list(self, value: Any, key: str) -> tuple[Role, ...]:
        if not isinstance(value, list):
            self.reader.fail(key, "must be a list of { id, name, clause }")
        roles = []
        for number, item in enumerate(value):
            where = f"{key}[{number}]"
            table = self.reader.table(item, where, known=("id", "name", "clause", "text"), needed=("id", "name"))
            clauses = self.reader.clauses(table.get("clause", []), f"{where}.clause")
            roles.append(Role(self.reader.text(table["id"], where), self.reader.text(table["name"], where), clauses))
        return tuple(roles)

    def authority(self, ladder: tuple[Role, ...], bodies: tuple[Role, ...]) -> dict[str, Authority]:
        roles = {role.id for role in ladder}
        outside = {body.id for body in bodies}
        found = {}
        for name, item in self.reader.table(self.data.get("authority", {}), "authority").items():
            key = f"authority.{name}"
            table = self.reader.table(
                item, key,
                known=("summary", "role", "clause", "scope", "notify_before", "notify_after", "needs", "reading"),
                needed=("summary", "role", "clause"),
            )  # fmt: skip
            role = self.reader.text(table["role"], f"{key}.role")
            if role not in roles | outside:
                self.reader.fail(f"{key}.role", f"'{role}' is not a role of the book; {nearest(role, roles | outside)}")
            told = {}
            for when in ("notify_before", "notify_after"):
                told[when] = self.reader.texts(table.get(when, []), f"{key}.{when}")
                for body in told[when]:
                    if body not in outside | roles:
                        self.reader.fail(
                            f"{key}.{when}", f"'{body}' is not a body of the book; {nearest(body, outside)}"
                        )
            scope = table.get("scope", "table")
            if scope not in ("table", "floor"):
                self.reader.fail(f"{key}.scope", f"must be table or floor, not {plain(scope)}")
            found[name] = Authority(
                id=name,
                summary=self.reader.text(table["summary"], f"{key}.summary"),
                role=role,
                clauses=self.reader.clauses(table["clause"], f"{key}.clause"),
                scope=scope,
                needs=self.reader.texts(table.get("needs", []), f"{key}.needs"),
                reading=bool(table.get("reading", False)),
                **told,
            )
        return found

    def notices(self) -> dict[str, Notice]:
        found = {}
        for name, item in self.reader.table(self.data.get("notices", {}), "notices").items():
            key = f"notices.{name}"
            spans = ("minutes", "rounds", "hours", "days")
            table = self.reader.table(item, key, known=(*spans, "clause", "text"), needed=("clause", "text"))
            for span in spans:
                if span in table and (
                    not isinstance(table[span], int) or isinstance(table[span], bool) or table[span] < 0
                ):
                    self.reader.fail(f"{key}.{span}", f"must be a whole number, not {plain(table[span])}")
            found[name] = Notice(
                id=name,
                text=self.reader.text(table["text"], f"{key}.text"),
                clauses=self.reader.clauses(table["clause"], f"{key}.clause"),
                **{span: table.get(span) for span in spans},
            )
        return found

    def disputes(self) -> tuple[DisputeStep, ...]:
        table = self.reader.table(self.data.get("disputes", {}), "disputes", known=("chain",))
        steps = []
        for number, item in enumerate(table.get("chain", [])):
            key = f"disputes.chain[{number}]"
            step = self.reader.table(item, key, known=("role", "body", "clause", "text"), needed=("clause", "text"))
            if ("role" in step) == ("body" in step):
                self.reader.fail(key, "needs a role or a body, one of the two")
            who = self.reader.text(step.get("role", step.get("body")), key)
            steps.append(
                DisputeStep(
                    who, self.reader.text(step["text"], key), self.reader.clauses(step["clause"], f"{key}.clause")
                )
            )
        return tuple(steps)

    # ------------------------------------------------------------------ choices

    def games_of(self, table: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
        if "games" not in table:
            return None
        names = self.reader.texts(table["games"], f"{key}.games")
        for name in names:
            if name not in self.game_names:
                self.reader.fail(
                    f"{key}.games", f"'{name}' is not a game of the book; {nearest(name, self.game_names)}"
                )
        return names

    def readings(self) -> dict[str, Reading]:
        found = {}
        for name, item in self.reader.table(self.data.get("readings", {}), "readings").items():
            key = f"readings.{name}"
            table = self.reader.table(
                item, key, known=("text", "default", "alternatives", "clauses", "games"),
                needed=("text", "default", "alternatives", "clauses"),
            )  # fmt: skip
            found[name] = Reading(
                id=name,
                text=self.reader.text(table["text"], f"{key}.text"),
                default=self.reader.text(table["default"], f"{key}.default"),
                alternatives=self.reader.texts(table["alternatives"], f"{key}.alternatives"),
                clauses=self.reader.clauses(table["clauses"], f"{key}.clauses"),
                games=self.games_of(table, key),
            )
        return found

    def option(self, name: str, item: Any, prefix: str) -> Option:
        key = f"{prefix}.{name}"
        table = self.reader.table(
            item, key, known=("text", "default", "allowed", "clause", "games", "kind"), needed=("default",)
        )
        kind = table.get("kind", "choice")
        if kind not in ("choice", "amount"):
            self.reader.fail(f"{key}.kind", f"must be choice or amount, not {plain(kind)}")
        clauses = self.reader.clauses(table.get("clause", []), f"{key}.clause")
        allowed: tuple[Case, ...] = ()
        if kind == "choice":
            if "allowed" not in table:
                self.reader.fail(key, "lacks 'allowed'")
            allowed = self.allowed(table["allowed"], f"{key}.allowed", clauses)
        default_value = table["default"]
        if not isinstance(default_value, list):
            default_value = [{"value": default_value}]
        default = self.reader.cases(default_value, f"{key}.default", lambda value, _: value, clause_needed=False)
        values = {repr(value) for case in allowed for value in case.value}
        for case in default:
            if kind == "choice" and repr(case.value) not in values:
                self.reader.fail(f"{key}.default", f"{plain(case.value)} is not among the allowed values")
        return Option(
            id=name, text=str(table.get("text", "")), default=default, allowed=allowed, clauses=clauses,
            games=self.games_of(table, key),
        )  # fmt: skip

    def allowed(self, value: Any, key: str, clauses: tuple[str, ...]) -> tuple[Case, ...]:
        if not isinstance(value, list) or not value:
            self.reader.fail(key, f"must be a list of the values that may be chosen, not {plain(value)}")
        if not any(isinstance(item, dict) for item in value):
            return (Case(tuple(value), clauses, {}),)
        cases = []
        for number, item in enumerate(value):
            where = f"{key}[{number}]"
            table = self.reader.table(item, where, known=("values", "clause", "when"), needed=("values",))
            if not isinstance(table["values"], list) or not table["values"]:
                self.reader.fail(f"{where}.values", "must be a list of values")
            cases.append(
                Case(
                    tuple(table["values"]),
                    self.reader.clauses(table.get("clause", list(clauses)), f"{where}.clause"),
                    self.reader.when(table.get("when", {}), f"{where}.when"),
                )
            )
        return tuple(cases)

    # ------------------------------------------------------------------ layers

    def layer(self, name: str, rules: Any, clauses: Any, prefix: str) -> Layer:
        parameters = {}
        for parameter, item in self.reader.table(rules, f"{prefix}rules").items():
            key = f"{prefix}rules.{parameter}"
            if parameter not in TYPES:
                self.reader.fail(key, f"unknown parameter; {nearest(parameter, TYPES)}")
            parameters[parameter] = self.reader.cases(item, key, self.value_check(parameter))
        matters = {}
        for matter, item in self.reader.table(clauses, f"{prefix}clauses").items():
            key = f"{prefix}clauses.{matter}"
            if matter not in MATTERS:
                self.reader.fail(key, f"unknown matter; {nearest(matter, MATTERS)}")
            matters[matter] = self.reader.clauses(item, key)
        return Layer(name=name, parameters=parameters, matters=matters)

    def value_check(self, parameter: str) -> Callable[[Any, str], Any]:
        def check(value: Any, key: str) -> Any:
            try:
                return coerce(TYPES[parameter], value)
            except ValueError as error:
                self.reader.fail(key, str(error))

        return check

    def game(self, name: str) -> Game:
        key = f"games.{name}"
        table = self.reader.table(
            self.data["games"][name], key,
            known=(
                "name", "summary", "extends", "alias_of", "clause", "rules", "clauses", "options", "bonuses",
                "super_bonus",
            ),
            needed=("name",),
        )  # fmt: skip
        extends = table.get("extends")
        if extends is not None and extends not in self.game_names:
            self.reader.fail(
                f"{key}.extends",
                f"{plain(extends)} is not a game of the book; {nearest(str(extends), self.game_names)}",
            )
        overrides = self.reader.table(table.get("options", {}), f"{key}.options")
        return Game(
            id=name,
            name=self.reader.text(table["name"], f"{key}.name"),
            summary=str(table.get("summary", "")),
            extends=extends,
            alias_of=table.get("alias_of") is True,
            clauses=self.reader.clauses(table.get("clause", []), f"{key}.clause"),
            layer=self.layer(name, table.get("rules", {}), table.get("clauses", {}), f"{key}."),
            options={option: self.option(option, item, f"{key}.options") for option, item in overrides.items()},
            bonuses=self.bonuses(table.get("bonuses", []), f"{key}.bonuses"),
            super_bonus=self.super_bonus(table["super_bonus"], f"{key}.super_bonus")
            if "super_bonus" in table
            else None,
        )

    def check_extends(self, games: Mapping[str, Game]) -> None:
        for name in games:
            seen = [name]
            while (parent := games[seen[-1]].extends) is not None:
                if parent in seen:
                    self.reader.fail(f"games.{name}.extends", f"goes in a circle: {' -> '.join([*seen, parent])}")
                seen.append(parent)

    def bonuses(self, value: Any, key: str) -> tuple[Bonus, ...]:
        if not isinstance(value, list):
            self.reader.fail(key, "must be a list: write [[games.NAME.bonuses]]")
        found = []
        for number, item in enumerate(value):
            where = f"{key}[{number}]"
            table = self.reader.table(item, where, known=("hand", "odds", "clause"), needed=("hand", "odds", "clause"))
            hand = self.reader.text(table["hand"], f"{where}.hand")
            if hand not in BONUS_HANDS:
                self.reader.fail(f"{where}.hand", f"unknown hand; {nearest(hand, BONUS_HANDS)}")
            found.append(
                Bonus(
                    hand,
                    self.odds(table["odds"], f"{where}.odds"),
                    self.reader.clauses(table["clause"], f"{where}.clause"),
                )
            )
        return tuple(found)

    def odds(self, value: Any, key: str) -> Odds:
        try:
            odds: Odds = coerce(Odds, value)
        except ValueError as error:
            self.reader.fail(key, str(error))
        return odds

    def amount(self, value: Any, key: str) -> Money:
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            self.reader.fail(key, f"must be an amount, not {plain(value)}")
        return parse_money(value)

    def super_bonus(self, value: Any, key: str) -> SuperBonus:
        table = self.reader.table(value, key, known=("clause", "tiers", "others"), needed=("clause", "tiers", "others"))
        if not isinstance(table["tiers"], list) or not table["tiers"]:
            self.reader.fail(f"{key}.tiers", "must be a list of { from, pays }")
        tiers = []
        for number, item in enumerate(table["tiers"]):
            where = f"{key}.tiers[{number}]"
            tier = self.reader.table(item, where, known=("from", "pays"), needed=("from", "pays"))
            tiers.append((self.amount(tier["from"], where), self.amount(tier["pays"], where)))
        clauses = self.reader.clauses(table["clause"], f"{key}.clause")
        return SuperBonus(tuple(tiers), self.amount(table["others"], f"{key}.others"), clauses)

    # ------------------------------------------------------------------ side wagers

    def side_wager(self, name: str) -> SideModule:
        key = f"side_wagers.{name}"
        known = (
            "name", "clause", "judge", *SIDE_FIELDS, "requires", "pays", "rules", "clauses", "max_payout_option",
            "meters", "text",
        )  # fmt: skip
        table = self.reader.table(
            self.data["side_wagers"][name], key, known=known, needed=("name", "clause", "judge", "pays")
        )
        judge = self.reader.text(table["judge"], f"{key}.judge")
        if judge not in JUDGES:
            self.reader.fail(f"{key}.judge", f"there is no such judge; {nearest(judge, JUDGES)}")
        fields = {
            field: self.reader.cases(table[field], f"{key}.{field}", self.side_check(field), clause_needed=False)
            for field in SIDE_FIELDS
            if field in table
        }
        clauses = {
            matter: self.reader.clauses(item, f"{key}.clauses.{matter}")
            for matter, item in self.reader.table(table.get("clauses", {}), f"{key}.clauses").items()
        }
        clauses["introduced"] = self.reader.clauses(table["clause"], f"{key}.clause")
        option = table.get("max_payout_option")
        if option is not None and option not in self.data.get("options", {}):
            self.reader.fail(f"{key}.max_payout_option", f"{plain(option)} is not an option of the book")
        return SideModule(
            id=name,
            name=self.reader.text(table["name"], f"{key}.name"),
            judge=judge,
            clauses=clauses,
            fields=fields,
            requires=self.requires(table.get("requires", []), f"{key}.requires"),
            pays=self.pays(table["pays"], f"{key}.pays", judge),
            max_payout_option=option,
            meters=self.reader.texts(table.get("meters", []), f"{key}.meters"),
            layer=self.layer(f"side wager {name}", table.get("rules", {}), {}, f"{key}."),
        )

    def side_check(self, field: str) -> Callable[[Any, str], Any]:
        def check(value: Any, key: str) -> Any:
            try:
                checked = coerce(SIDE_FIELDS[field], value)
            except ValueError as error:
                self.reader.fail(key, str(error))
            if field in SIDE_CHOICES and checked not in SIDE_CHOICES[field]:
                self.reader.fail(key, f"must be one of {', '.join(SIDE_CHOICES[field])}, not {plain(value)}")
            if field == "hosts":
                for host in checked:
                    if host != "*" and host not in self.game_names:
                        self.reader.fail(key, f"'{host}' is not a game of the book; {nearest(host, self.game_names)}")
            return checked

        return check

    def requires(self, value: Any, key: str) -> tuple[Case, ...]:
        cases = []
        for number, item in enumerate(self.list_of_tables(value, key)):
            where = f"{key}[{number}]"
            table = self.reader.table(item, where, known=("decks", "deck_cards", "clause", "when"), needed=("clause",))
            needs = {name: tuple(table[name]) for name in ("decks", "deck_cards") if isinstance(table.get(name), list)}
            if not needs:
                self.reader.fail(where, "needs decks = [...] or deck_cards = [...]")
            cases.append(
                Case(
                    needs,
                    self.reader.clauses(table["clause"], f"{where}.clause"),
                    self.reader.when(table.get("when", {}), f"{where}.when", extra=("deck_cards", "game")),
                )
            )
        return tuple(cases)

    def pays(self, value: Any, key: str, judge: str) -> tuple[Case, ...]:
        cases = []
        for number, item in enumerate(self.list_of_tables(value, key)):
            where = f"{key}[{number}]"
            table = self.reader.table(item, where, known=("when", "clause", "odds", "prizes"), needed=("clause",))
            odds = {
                outcome: self.prize(text, f"{where}.odds.{outcome}")
                for outcome, text in self.reader.table(
                    table.get("odds", {}), f"{where}.odds", known=JUDGES[judge] if "odds" in table else ()
                ).items()
            }
            for outcome in JUDGES[judge]:
                if outcome not in odds:
                    self.reader.fail(f"{where}.odds", f"lacks '{outcome}'")
            prizes = self.prizes(table.get("prizes", []), f"{where}.prizes")
            if judge == "pandemonium" and not prizes:
                self.reader.fail(where, "lacks 'prizes': a list of [count, prize per unit staked]")
            cases.append(
                Case(
                    (odds, prizes),
                    self.reader.clauses(table["clause"], f"{where}.clause"),
                    self.reader.when(table.get("when", {}), f"{where}.when", extra=("deck_cards", "game")),
                )
            )
        if not cases:
            self.reader.fail(key, "needs at least one pay table")
        return tuple(cases)

    def list_of_tables(self, value: Any, key: str) -> list[Any]:
        if not isinstance(value, list):
            self.reader.fail(key, f"must be a list of tables: write [[{key}]]")
        return value

    def prize(self, value: Any, key: str) -> Odds | MeterShare:
        if isinstance(value, str) and value.startswith("meter:"):
            parts = value.split(":")
            if len(parts) != 3 or not parts[2].endswith("%") or not parts[2][:-1].isdigit():
                self.reader.fail(key, f'must be "meter:NAME:100%", not {plain(value)}')
            return MeterShare(parts[1], int(parts[2][:-1]))
        return self.odds(value, key)

    def prizes(self, value: Any, key: str) -> tuple[tuple[int, int], ...]:
        good = isinstance(value, list) and all(
            isinstance(row, list) and len(row) == 2 and all(isinstance(n, int) and n > 0 for n in row) for row in value
        )
        if not good:
            self.reader.fail(key, "must be a list of [count, prize per unit staked]")
        return tuple((row[0], row[1]) for row in value)
