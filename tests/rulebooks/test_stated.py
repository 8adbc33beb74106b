"""What the books state, typed from them a second time, is what the rules say, each value with its clauses."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from floor_table import rules_of
from witnessing import shown, shown_of

from pitboss.cards import VALUE
from pitboss.play.hands import total
from pitboss.rulebooks import BOOKS, RulebookError, Rules, load_book, readable
from pitboss.table import Refusal, decide, open_table
from pitboss.table.authority import authorise
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from stated import Line, table


def lines(name: str) -> Any:
    """A case for each line of a table."""
    return pytest.mark.parametrize("line", [pytest.param(line, id=line.key) for line in table(name)])


def choice(text: str) -> Any:
    """A choice as the tables write it."""
    return {"yes": True, "no": False}.get(text, int(text) if text.isdecimal() else text)


def choices(text: str) -> dict[str, Any]:
    """`decks=4 side_wagers=buster reading.x=y` as `rules_for` takes them."""
    found: dict[str, Any] = {}
    for name, _, value in (item.partition("=") for item in text.split() if item != "-"):
        if name.startswith("reading."):
            found.setdefault("readings", {})[name.removeprefix("reading.")] = value
        else:
            found[name] = value.split("+") if name == "side_wagers" else choice(value)
    return found


# People ------------------------------------------------------------------------------------------------


TWO_AT_THE_TOP = ("rws",)
"""Books whose last two roles are one rank: House means the Casino Operator."""


@pytest.mark.parametrize("book", BOOKS)
def test_the_roles_of_a_house_stand_above_each_other_as_the_book_names_them(book: str) -> None:
    rules = rules_of(book)
    stated = [(line.cells["role"], line.clauses) for line in table("roles") if line.book == book]
    assert [(role.id, shown(rules, role)[1]) for role in rules.ladder] == stated
    ranks = [rules.rank(role) for role, _ in stated]
    assert ranks == [*range(len(stated) - 1), len(stated) - 1 - (book in TWO_AT_THE_TOP)]


@pytest.mark.parametrize("book", BOOKS)
def test_the_bodies_outside_a_house_are_those_that_the_book_names(book: str) -> None:
    rules = rules_of(book)
    stated = [(line.cells["body"], line.clauses) for line in table("bodies") if line.book == book]
    assert [(body.id, shown(rules, body)[1]) for body in rules.bodies] == stated
    assert all(rules.rank(body) < 0 for body, _ in stated)


@lines("powers")
def test_a_power_is_for_the_role_that_its_clause_names_and_those_above(line: Line) -> None:
    rules, power, role = rules_of(line.book), line.cells["power"], line.cells["role"]
    needs, told = line.words("needs"), line.words("told before")
    full: dict[str, Any] = {
        "reason": "a reason" if "reason" in needs else "",
        "told": told,
        "given": [need for need in needs if need != "reason"],
    }
    roles = [rung.id for rung in rules.ladder]
    at = roles.index(role) if role in roles else len(roles)
    for above in roles[at:] or [role]:
        assert authorise(rules, above, power, **full) == line.clauses
    for below in roles[:at]:
        with pytest.raises(Refused) as refused:
            authorise(rules, below, power, **full)
        assert refused.value.clauses == line.clauses
    for need in needs:
        less = {**full, "reason": ""} if need == "reason" else {**full, "given": set(full["given"]) - {need}}
        with pytest.raises(Refused, match=need):
            authorise(rules, role, power, **less)
    for body in told:
        with pytest.raises(Refused, match="told first"):
            authorise(rules, role, power, **{**full, "told": set(told) - {body}})
    one_of = " or ".join(rules.authority[power].notify_one_of)
    assert (*rules.authority[power].notify_after, *((one_of,) if one_of else ())) == line.words("told after")


@lines("notices")
def test_a_notice_stands_as_long_as_its_clause_says(line: Line) -> None:
    rules = rules_of(line.book)
    notice, clauses = shown(rules, rules.notices[line.cells["notice"]])
    length, unit = line.cells["ahead"].split()
    assert getattr(notice, unit) == int(length)
    assert clauses == line.clauses


@pytest.mark.parametrize("book", BOOKS)
def test_a_dispute_goes_the_way_that_the_book_says(book: str) -> None:
    rules = rules_of(book)
    stated = [(line.cells["who"], line.clauses) for line in table("disputes") if line.book == book]
    assert [(step.who, shown(rules, step)[1]) for step in rules.disputes] == stated


# Choices of the house ----------------------------------------------------------------------------------


@lines("choices")
def test_a_house_chooses_among_what_its_clause_allows(line: Line) -> None:
    book, game, option = load_book(line.book), line.cells["game"], line.cells["option"]
    given = choices(line.cells["with"])
    default = None if line.cells["default"] == "none" else choice(line.cells["default"])
    assert book.rules(game, **given).options[option] == default
    written = book.options_of(book.game(game))[option].default
    if not given and not any(case.when for case in written):
        assert [case.value for case in written] == [choice(line.cells["default"])]
    for word in line.words("allowed"):
        assert book.rules(game, **given, **{option: choice(word)}).options[option] == choice(word)
    if line.cells["refused"] == "-":
        chosen = book.options_of(book.game(game))[option]
        assert shown(book, chosen)[1] == line.clauses
        return
    with pytest.raises(RulebookError) as refused:
        book.rules(game, **given, **{option: choice(line.cells["refused"])})
    assert f"(clause {', '.join(line.clauses)})" in str(refused.value)


# Games and side wagers ---------------------------------------------------------------------------------


@lines("variations")
def test_a_variation_is_the_game_it_extends_and_what_its_section_changes(line: Line) -> None:
    book = load_book(line.book)
    game, clauses = shown(book, book.game(line.cells["game"]))
    assert (game.extends or "-", clauses) == (line.cells["extends"], line.clauses)
    rules = book.rules(game.id)
    layers = {rules.cite(name).layer for name in rules.values()}
    family = {"engine", "base", "option", *(one.id for one in book.lineage(game))}
    assert layers <= family
    assert "base" in layers
    assert (game.id in layers) == bool(game.layer.parameters)


@lines("hosts")
def test_a_side_wager_is_offered_at_the_games_that_its_section_names(line: Line) -> None:
    book = load_book(line.book)
    hosts = set(book.games) if line.cells["games"] == "*" else set(line.words("games"))
    found = set()
    for game in book.games:
        rules = _offering(line, game)
        if rules is None:
            continue
        found.add(game)
        side = rules.side_wagers[0]
        cited = dict.fromkeys((*shown_of(rules, side, "introduced"), *shown_of(rules, side, "hosts", "introduced")))
        assert tuple(cited) == line.clauses
    assert found == hosts


def _offering(line: Line, game: str) -> Rules | None:
    """The rules of a game with a side wager, with the number of decks that it needs; none if it cannot have it."""
    given = {"side_wagers": [line.cells["wager"]], **choices(line.cells["with"])}
    for decks in ({}, {"decks": 8}, {"decks": 6}, {"decks": 4}):
        with contextlib.suppress(RulebookError):
            return load_book(line.book).rules(game, **given, **decks)
    return None


# Single values -----------------------------------------------------------------------------------------


@lines("values")
def test_a_value_is_what_its_clause_says(line: Line) -> None:
    rules = load_book(line.book).rules(line.cells["game"], **choices(line.cells["with"]))
    value, clauses = shown(rules, line.cells["parameter"])
    assert readable(value) == line.cells["value"]
    assert clauses == line.clauses


@lines("terms")
def test_a_term_of_a_side_wager_is_what_its_clause_says(line: Line) -> None:
    rules = load_book(line.book).rules(line.cells["game"], **choices(line.cells["with"]))
    side = rules.side_wager(line.cells["wager"])
    assert side is not None
    assert readable(getattr(side, line.cells["term"])) == line.cells["value"]
    assert shown_of(rules, side, line.cells["term"]) == line.clauses


@lines("pays")
def test_a_side_wager_pays_the_odds_of_its_table(line: Line) -> None:
    rules = load_book(line.book).rules(line.cells["game"], **choices(line.cells["with"]))
    side = rules.side_wager(line.cells["wager"])
    assert side is not None
    assert tuple(f"{outcome} {odds}" for outcome, odds in side.odds.items()) == line.words("odds")
    assert shown_of(rules, side, "pays") == line.clauses


@lines("readings")
def test_a_doubtful_clause_is_read_as_we_say(line: Line) -> None:
    book = load_book(line.book)
    reading, clauses = shown(book, book.readings[line.cells["reading"]])
    assert (reading.default, reading.alternatives) == (line.cells["read as"], line.words("could be"))
    assert clauses == line.clauses


# What cards count --------------------------------------------------------------------------------------

CARD_VALUES = {
    "perth": ("2.4(a)", "2.4(b)", "2.4(c)", "1.1:Total Point Count", "1.1:Point Value", "1.1:Soft Total"),
    "rws": ("3.5.1", "3.5.2", "3.5.3", "1:Picture card", "1:Point count", "1:Hard Total", "1:Soft Total"),
    "star": ("3.2", "3.2.1", "3.2.2", "3.2.3", "1.1:point total", "1.1:hard total", "1.1:soft total"),
    "star-switch": ("3.2", "3.2.1", "3.2.2", "3.2.3", "1.1:point total", "1.1:hard total", "1.1:soft total"),
    "melbourne": ("3.2.1", "3.2.2", "3.2.3", "3.2", "1.1:Hard Total", "1.1:Soft Total"),
}
COUNTS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}


@pytest.mark.parametrize("book", BOOKS)
def test_cards_count_their_number_pictures_ten_and_an_ace_one_or_eleven(book: str) -> None:
    rules = rules_of(book)
    assert shown(rules, "card_values")[1] == CARD_VALUES[book]
    for rank, points in COUNTS.items():
        assert _points(rules, f"{rank}h", "8d") == (points + 8, points + 8), rank
        assert VALUE[f"{rank}s"] == points
    assert _points(rules, "Ah", "6d") == (7, 17)
    assert _points(rules, "Ah", "Ad") == (2, 12)
    assert total(16, 1) == 16


def _points(rules: Rules, one: str, two: str) -> tuple[int, int]:
    """A hand of two cards dealt at a table: its hard total, and its best."""
    area = "1" if rules.boxes_per_area == 1 else "1a"
    cards = (one, "9s", two) if area == "1" else (one, one, "9s", two, two)
    state = open_table(rules)
    for command in (
        cmd.LoadShoe(cards=(*cards, *("9c",) * 20)),
        cmd.PlaceBet(box="1", player="ann", amount=10, seated=True),
        cmd.Deal(),
    ):
        answer = decide(state, command)
        assert not isinstance(answer, Refusal)
        state = answer.state
    hand = state.boxes[0].hands[0]
    return hand.hard, total(hand.hard, hand.aces)
