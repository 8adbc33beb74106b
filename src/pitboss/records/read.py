"""From the text of a record to a `Record`, strictly: what is unknown or malformed is refused with its line.

Everything that can be wrong with a text is found here: its form, its keys and types, names that the rulebook does not
have, choices that the book does not allow. What can be wrong with a round is found by replaying it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, NoReturn, TypeVar

from msgspec.structs import replace

from pitboss.cards import CARD_ID, RANKS, SUITS, Card, find_impossible
from pitboss.formats.names import nearest
from pitboss.formats.toml_places import Path, find_places, line_of
from pitboss.money import Money
from pitboss.records.model import FORMAT, Before, Choice, Record, RecordedAction, RecordError, Round
from pitboss.rulebooks import Rulebook, RulebookError, Rules, find_game
from pitboss.table.messages.commands import PlaceBet
from pitboss.table.messages.notation import (
    NotationError,
    Result,
    is_action,
    parse_action,
    parse_bet,
    parse_refused,
    parse_result,
    quote,
)
from pitboss.table.round.sign import find_layout_fault, find_sign_fault
from pitboss.table.state import Limits, Meter, SideLimit

TABLE_KEYS = ("record", "title", "cites", "game", "options", "side_wagers", "limits", "places")
ROUND_KEYS = ("meters", "bets", "cards", "actions", "results", "dealer", "meters_after", "void")
LIMITS = {"min": "minimum", "max": "maximum", "chip": "chip", "unit": "unit"}
SIGN = (*LIMITS, "per", "side")
"""What a record may say of the sign at the table."""

MOST = Money(10) ** 12
"""Amounts are below this and have few decimals, so that all arithmetic with them stays exact."""
DECIMALS = 6
METER_DECIMALS = 12
"""A meter takes a share of each wager, and so grows by finer steps than anybody stakes."""

TAKE_ANY = "--any-cards accepts them anyway"

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_GAME = re.compile(r"[a-z0-9-]{1,40}/[a-z0-9-]{1,40}")
_DIGITS = re.compile(r"[0-9_]+")
_TOML_COMPLAINT = re.compile(r"(.*) \(at (?:line (\d+), column \d+|(end of document))\)", re.DOTALL)

T = TypeVar("T")


def read(text: str, file: str = "record", own_books: Iterable[Rulebook] = (), *, any_cards: bool = False) -> Record:
    """The record that `text` is; `file` is the name shown in complaints.

    Cards that the table's packs do not have are refused, unless `any_cards` lets them pass.
    """
    data = parse_toml(text, file)
    reader = RecordReader(text, file)
    own = tuple(own_books)
    record = reader.record(data, own)
    rules = reader.check_names(record, own)
    if not any_cards:
        reader.check_cards(record, rules)
    return record


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """The text of a record as plain data, its numbers exact."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        match = _TOML_COMPLAINT.fullmatch(str(error))
        last = text.count("\n") + 1
        line = int(match[2]) if match and match[2] else last
        problem = match[1] if match else str(error)
        raise RecordError(file, line, f"expected TOML: {quote(problem)[1:-1]}") from None
    except RecursionError:
        raise RecordError(file, 1, "expected a record; this is nested too deeply") from None
    except (ValueError, ArithmeticError):
        longest = max(_DIGITS.finditer(text), key=lambda digits: len(digits[0]))
        raise RecordError(file, text.count("\n", 0, longest.start()) + 1, "expected a shorter number") from None


def show_short(value: Any) -> str:
    """A value as the record has it, short enough for a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, dict) else quote(str(value))[1:-1]


class RecordReader:
    """Walks one record; knows its file and the places in it, so that every complaint can say where."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.places = find_places(text)

    def fail(self, path: Path, expected: str) -> NoReturn:
        raise RecordError(self.file, line_of(self.places, path), expected)

    # ------------------------------------------------------------------ the table

    def record(self, data: dict[str, Any], own_books: tuple[Rulebook, ...]) -> Record:
        several = "round" in data
        self.keys(data, (), (*TABLE_KEYS, "round", "meters", "meters_after") if several else (*TABLE_KEYS, *ROUND_KEYS))
        if type(data.get("record")) is not int or data["record"] != FORMAT:
            self.fail(("record",), f"expected record = {FORMAT}, the version of the format, in its first lines")
        if "game" not in data:
            self.fail((), 'expected game = "RULEBOOK/GAME", such as "star/blackjack"')
        options = dict(self.table(data.get("options", {}), ("options",)))
        readings = self.table(options.pop("readings", {}), ("options", "readings"))
        return Record(
            game=self.game(data["game"], own_books),
            rounds=self.rounds(data) if several else (self.round(data, ()),),
            title=self.text(data.get("title", ""), ("title",)),
            cites=self.items(data.get("cites", []), ("cites",), lambda text: text),
            options={name: self.choice(value, ("options", name)) for name, value in options.items()},
            readings={name: self.text(value, ("options", "readings", name)) for name, value in readings.items()},
            side_wagers=self.items(data.get("side_wagers", []), ("side_wagers",), lambda text: text),
            limits=self.limits(data.get("limits", {})),
            places=self.number(data.get("places", 0), ("places",)),
        )

    def keys(self, data: dict[str, Any], path: Path, known: tuple[str, ...]) -> None:
        for name in data:
            if name in known:
                continue
            if name in ROUND_KEYS and not path:
                self.fail((name,), f"expected {name} inside each [[round]], not beside them")
            if name in TABLE_KEYS and path:
                self.fail((*path, name), f"expected {name} above the first [[round]]: it holds for the whole table")
            self.fail((*path, name), f"expected one of {', '.join(known)}, not the unknown key {quote(name)}")

    def game(self, value: Any, own_books: tuple[Rulebook, ...], path: Path = ("game",)) -> str:
        if not isinstance(value, str) or not _GAME.fullmatch(value):
            self.fail(path, f'expected a game RULEBOOK/GAME, such as "star/blackjack", not {show_short(value)}')
        try:
            find_game(value, own_books)
        except RulebookError as error:
            self.fail(path, f"expected a known game: {error}")
        return value

    def choice(self, value: Any, path: Path) -> Choice:
        if isinstance(value, Decimal):
            return self.amount(value, path)
        if not isinstance(value, bool | int | str):
            self.fail(path, f"expected a number, a text, true or false, not {show_short(value)}")
        return value

    def limits(self, value: Any, path: Path = ("limits",)) -> Limits:
        """The sign: amounts, `per = "player"`, and limits of side wagers in a table of their own."""
        table = dict(self.table(value, path))
        for name in table:
            if name not in SIGN:
                self.fail((*path, name), f"expected one of {', '.join(SIGN)}, not {quote(name)}")
        per = table.pop("per", "")
        if per not in ("", "box", "player"):
            self.fail((*path, "per"), f"expected box or player, not {show_short(per)}")
        sides = self.table(table.pop("side", {}), (*path, "side"))
        limits = Limits(
            per=per,
            side={name: self.side_limit(item, (*path, "side", name)) for name, item in sides.items()},
            **{LIMITS[name]: self.amount(item, (*path, name), above_zero=True) for name, item in table.items()},
        )
        self.in_order(limits, path)
        return limits

    def side_limit(self, value: Any, path: Path) -> SideLimit:
        table = self.table(value, path)
        for name in table:
            if name not in ("min", "max", "places"):
                self.fail((*path, name), f"expected min, max or places, not {quote(name)}")
        places = self.number(table.get("places", 0), (*path, "places"))
        amounts = {name: item for name, item in table.items() if name != "places"}
        found = {LIMITS[name]: self.amount(item, (*path, name), above_zero=True) for name, item in amounts.items()}
        limit = SideLimit(**found, places=places)
        self.in_order(limit, path)
        return limit

    def in_order(self, limits: Limits | SideLimit, path: Path) -> None:
        if limits.minimum is not None and limits.maximum is not None and limits.minimum > limits.maximum:
            self.fail(path, "expected a minimum that is not above the maximum")

    def number(self, value: Any, path: Path) -> int:
        if type(value) is not int or value < 0:
            self.fail(path, f"expected a whole number, not {show_short(value)}")
        return value

    # ------------------------------------------------------------------ its rounds

    def rounds(self, data: dict[str, Any]) -> tuple[Round, ...]:
        """The `[[round]]` tables; meters stated above them are those before the first and after the last."""
        tables = data["round"]
        if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
            self.fail(("round",), "expected [[round]] tables, each with its bets and cards")
        merged = [dict(table) for table in tables]
        for index, table in enumerate(merged):
            self.keys(table, ("round", index), ROUND_KEYS)
        for name, at in (("meters", 0), ("meters_after", -1)):
            if name in data and name in merged[at]:
                self.fail((name,), f"expected {name} once: above the rounds or in the round")
        found = [self.round(table, ("round", index)) for index, table in enumerate(merged)]
        if "meters" in data:
            found[0] = replace(found[0], meters=self.meters(data["meters"], ("meters",)))
        if "meters_after" in data:
            found[-1] = replace(found[-1], meters_after=self.amounts(data["meters_after"], ("meters_after",)))
        return tuple(found)

    def round(self, data: dict[str, Any], path: Path) -> Round:
        for name, form in (("bets", '["1 ann* 100"]'), ("cards", '"8s 8d | Ac"')):
            if name not in data:
                self.fail(path, f"expected {name} = {form}")
        results = None
        if "results" in data:
            results = self.items(data["results"], (*path, "results"), parse_result)
            self.once(results, (*path, "results"))
        void = data.get("void", False)
        if not isinstance(void, bool):
            self.fail((*path, "void"), f"expected true or false, not {show_short(void)}")
        bets, orders = _part_bets(self.items(data["bets"], (*path, "bets"), _bet))
        return Round(
            bets=bets,
            orders=orders,
            deals=self.deals(data["cards"], (*path, "cards")),
            actions=self.items(data.get("actions", []), (*path, "actions"), _action),
            results=results,
            dealer=self.dealer(data["dealer"], (*path, "dealer")) if "dealer" in data else None,
            meters=self.meters(data.get("meters", {}), (*path, "meters")),
            meters_after=self.amounts(data.get("meters_after", {}), (*path, "meters_after")),
            void=void,
        )

    def once(self, results: tuple[Result, ...], path: Path) -> None:
        seen: set[tuple[str, str, str]] = set()
        for index, result in enumerate(results):
            key = (result.box, result.player, result.wager)
            if key in seen:
                self.fail((*path, index), f"expected one line for {' '.join(key)}, not two")
            seen.add(key)

    def deals(self, value: Any, path: Path) -> tuple[tuple[Card, ...], ...]:
        groups = (tuple(self.card(word, path) for word in group.split()) for group in self.text(value, path).split("|"))
        return tuple(group for group in groups if group)

    def dealer(self, value: Any, path: Path) -> tuple[Card, ...]:
        return tuple(self.card(word, path) for word in self.text(value, path).split())

    def card(self, word: str, path: Path) -> Card:
        card = word[:1].upper() + word[1:].lower()
        if card not in CARD_ID:
            self.fail(path, f"expected a card, a rank of {RANKS} and a suit of {SUITS} such as Td, not {quote(word)}")
        return card

    def meters(self, value: Any, path: Path) -> dict[str, Meter]:
        found = {}
        for name, item in self.table(value, path).items():
            table = self.table(item, (*path, name))
            if set(table) != {"seed", "rate", "value"}:
                self.fail((*path, name), "expected a meter { seed = 5000, rate = 0.05, value = 7310.2 }")
            seed, rate = (self.amount(table[key], (*path, name, key)) for key in ("seed", "rate"))
            shows = self.amount(table["value"], (*path, name, "value"), decimals=METER_DECIMALS)
            found[name] = Meter(seed, rate, shows)
        return found

    # ------------------------------------------------------------------ single values

    def table(self, value: Any, path: Path) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.fail(path, f"expected a table {{ ... }}, not {show_short(value)}")
        for name in value:
            if not _NAME.fullmatch(name):
                self.fail((*path, name), f"expected a name of small letters, digits, - and _, not {quote(name)}")
        return value

    def text(self, value: Any, path: Path) -> str:
        if not isinstance(value, str):
            self.fail(path, f"expected a text in quotes, not {show_short(value)}")
        return value

    def items(self, value: Any, path: Path, parse: Callable[[str], T]) -> tuple[T, ...]:
        if not isinstance(value, list):
            self.fail(path, f'expected a list ["...", "..."], not {show_short(value)}')
        found = []
        for index, item in enumerate(value):
            text = self.text(item, (*path, index))
            try:
                found.append(parse(text))
            except NotationError as error:
                self.fail((*path, index), str(error))
        return tuple(found)

    def amounts(self, value: Any, path: Path) -> dict[str, Money]:
        return {
            name: self.amount(amount, (*path, name), decimals=METER_DECIMALS)
            for name, amount in self.table(value, path).items()
        }

    def amount(self, value: Any, path: Path, *, above_zero: bool = False, decimals: int = DECIMALS) -> Money:
        """An exact amount, not below zero."""
        number = Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None
        if number is None or not number.is_finite() or not 0 <= number < MOST:
            self.fail(path, f"expected an amount such as 25 or 2.5, not {show_short(value)}")
        if number != number.quantize(Decimal(1).scaleb(-decimals)):
            self.fail(path, f"expected an amount with no more than {decimals} decimals, not {show_short(value)}")
        if above_zero and not number:
            self.fail(path, "expected an amount above 0")
        return number

    # ------------------------------------------------------------------ names that the rulebook must have

    def check_names(self, record: Record, own_books: tuple[Rulebook, ...]) -> Rules:
        """Options, side wagers, meters and readings are the book's; the choices together are allowed by it."""
        book, _ = find_game(record.game, own_books)
        for index, name in enumerate(record.side_wagers):
            if name not in book.side_wagers:
                self.fail(("side_wagers", index), f"expected a side wager of the book, not {quote(name)}")
        for name, value in record.options.items():
            if name in book.options and book.options[name].allowed and isinstance(value, Decimal):
                self.fail(("options", name), f"expected one of the values the book allows, not {show_short(value)}")
        try:
            rules = record.rules(own_books)
        except RulebookError as error:
            self.fail(self.find_blamed(str(error), record), f"expected choices that the rulebook allows: {error}")
        if fault := find_sign_fault(rules, record.limits):
            self.fail(("limits",), f"expected a sign that the rulebook allows: {fault}")
        if fault := find_layout_fault(rules, record.places):
            self.fail(("places",), f"expected a number of boxes that the rulebook allows: {fault}")
        if rules.decks < 1:
            self.fail(("options", "decks"), "expected a number of decks: an infinite deck cannot be dealt from")
        meters = {meter for module in book.side_wagers.values() for meter in module.meters}
        for number, played in enumerate(record.rounds):
            self.check_round(played, self.path_of(number), frozenset(book.side_wagers), meters)
        return rules

    def path_of(self, number: int) -> Path:
        """Where a round stands: in a table of its own, or at the top."""
        return ("round", number) if ("round", number) in self.places else ()

    def check_cards(self, record: Record, rules: Rules) -> None:
        """The cards of each round are in the packs of the table, no card more often than it is in all of them.

        Where the floor has stepped in, a foreign card may be the point, and cards may have been shuffled in mid-round;
        a device may deal again what has been fed back to it.
        """
        for number, played in enumerate(record.rounds):
            if any(str(action).lstrip("?").startswith("!") for action in played.actions):
                continue
            fed_back = rules.discards_return == "mid-round"
            for problem in find_impossible(played.cards, None if fed_back else rules.decks, rules.deck_cards):
                self.fail(
                    (*self.path_of(number), "cards"),
                    f"expected cards that the decks in play contain: {problem} ({TAKE_ANY})",
                )

    def check_round(self, played: Round, path: Path, side_wagers: frozenset[str], meters: set[str]) -> None:
        for index, bet in enumerate(played.bets):
            if bet.wager != "main" and bet.wager not in side_wagers:
                line = index + sum(order.at <= index for order in played.orders)
                self.fail((*path, "bets", line), f"expected main or a side wager of the book, not {quote(bet.wager)}")
        for index, result in enumerate(played.results or ()):
            if result.wager not in ("main", "insurance") and result.wager not in side_wagers:
                self.fail(
                    (*path, "results", index),
                    f"expected main, insurance or a side wager of the book, not {quote(result.wager)}",
                )
        for key, named in (("meters", played.meters), ("meters_after", played.meters_after)):
            for name in named:
                if name not in meters:
                    at = (*path, key, name) if (*path, key) in self.places else (key, name)
                    self.fail(at, f"expected a meter of the book; {nearest(name, meters)}")

    def find_blamed(self, problem: str, record: Record) -> Path:
        """The key that a complaint about the choices is about: the first whose name it holds."""
        for name in record.options:
            if name in problem:
                return ("options", name)
        for name in record.readings:
            if name in problem:
                return ("options", "readings", name)
        return ("side_wagers",) if ("side_wagers",) in self.places else ("game",)


def _bet(text: str) -> PlaceBet | RecordedAction:
    """A bet; or among the bets an order of the floor (`!`), an answer to it, or what must be refused (`?`)."""
    stripped = text.lstrip()
    if is_action(stripped.removeprefix("?")):
        return _action(text)
    if not stripped.startswith("?"):
        return parse_bet(text)
    words, _, clause = stripped[1:].partition("@")
    return RecordedAction(parse_bet(words), True, clause.strip() or None)


def _part_bets(lines: tuple[PlaceBet | RecordedAction, ...]) -> tuple[tuple[PlaceBet, ...], tuple[Before, ...]]:
    """Bets, and what stands among them."""
    bets: list[PlaceBet] = []
    orders: list[Before] = []
    for line in lines:
        if isinstance(line, RecordedAction):
            orders.append(Before(len(bets), line))
        else:
            bets.append(line)
    return tuple(bets), tuple(orders)


def _action(text: str) -> RecordedAction:
    if not text.lstrip().startswith("?"):
        return RecordedAction(parse_action(text))
    command, clause = parse_refused(text.lstrip()[1:])
    return RecordedAction(command, True, clause)
