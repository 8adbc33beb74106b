"""The rulebooks as data: every game value for value, their choices, and `Rules` that cannot change."""

from __future__ import annotations

import copy
import pickle
import re
import tomllib
import typing
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import parameter_table
import pytest
from sample_book import BOOK

from pitboss.money import Odds, parse_odds
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.rulebooks import (
    BOOKS,
    Rulebook,
    RulebookError,
    Rules,
    clause_exists,
    difference,
    find_game,
    games,
    load_book,
    parse_user_book,
    rules_for,
)
from pitboss.rulebooks.differences import compare_rules, turns_on
from pitboss.rulebooks.glance import at_a_glance
from pitboss.rulebooks.model.book import SideModule
from pitboss.rulebooks.model.engine_defaults import ENGINE_DEFAULTS, REQUIRED
from pitboss.rulebooks.model.parameters import DESCRIBED, FIELDS, TYPES, WORDS
from pitboss.rulebooks.model.side_terms import SIDE_DEFAULTS, SIDE_TERMS, SIDE_TYPES, words_of
from pitboss.rulebooks.reading.loader import TOP_TABLES, read_book

# Every game as a row -----------------------------------------------------------------------------------

CARDS_AND_NATURALS = """
game                           deck  decks    natural  paid     v natural  insured  even money  sharers
perth/blackjack                52    8        3:2      final    stand-off  yes      yes         3 seated
perth/vegas                    52    8        3:2      final    stand-off  yes      yes         3 seated
perth/plus                     52    8        3:2      final    win        no       moot        3 seated
rws/blackjack                  52    4-8      3:2      2-9      stand-off  yes      yes         -
star/blackjack                 52    3,4,6,8  3:2      2-9      stand-off  yes      yes         3 seated
melbourne/blackjack            52    4-8      3:2      2-9      stand-off  yes      yes         5 nearest
melbourne/pontoon              48    4-8      3:2      at-once  win        no       moot        5 nearest
melbourne/vegas                52    4        3:2      2-9      stand-off  yes      yes         5 nearest
melbourne/crown                52    4-8      3:2      2-9      stand-off  yes      yes         5 nearest
melbourne/premier              52    4-8      3:2      2-9      stand-off  yes      yes         5 nearest
melbourne/premium-doubling     52    4-8      3:2      2-9      stand-off  yes      yes         5 nearest
melbourne/sports               52    4-8      6:5      2-9      stand-off  yes      no          5 nearest
melbourne/six-to-five-pontoon  48    4-8      6:5      at-once  win        no       moot        5 nearest
melbourne/plus                 52    4-8      3:2      at-once  win        no       moot        5 nearest
melbourne/spanish              48    4-8      3:2      at-once  win        no       moot        5 nearest
melbourne/select               52    4-8      3:2      2-9      stand-off  yes      yes         5 nearest
melbourne/free-bet             52    4-8      3:2      2-9      stand-off  yes      yes         5 nearest
star/switch                    52    6        1:1      2-9      stand-off  yes      no          3 seated
"""

PLAY_AND_SETTLEMENT = """
game                           double     cards  stake  hands  aces  surrender   17     22    wins      takes     absent
perth/blackjack                hard-9-11  2      equal  3      yes   no          stand  bust  -         all       12
perth/vegas                    any        2      equal  3      yes   TJQKA-late  stand  bust  -         all       12
perth/plus                     any        2-3    equal  3      yes   no          stand  push  21,5<=21  all       12
rws/blackjack                  any        2      up-to  4      no    2-K-early   stand  bust  -         busted+1  -
star/blackjack                 ace-one    2      up-to  2      no    no          stand  bust  -         busted+1  12
melbourne/blackjack            hard-9-11  2      up-to  3      no    no          stand  bust  -         busted+1  12/17
melbourne/pontoon              any        2+     up-to  3      no    JQKA-late   hit    bust  21,bonus  busted+1  12/18
melbourne/vegas                any        2      up-to  3      no    TJQKA-late  stand  bust  -         busted+1  12/17
melbourne/crown                hard-9-11  2      up-to  3      no    no          hit    bust  -         busted+1  12/18
melbourne/premier              any        2      up-to  3      no    no          hit    bust  -         busted+1  12/18
melbourne/premium-doubling     any        2+     up-to  3      no    no          hit    bust  -         busted+1  12/18
melbourne/sports               hard-9-11  2      up-to  3      no    no          hit    bust  -         busted+1  12/18
melbourne/six-to-five-pontoon  any        2+     up-to  3      no    JQKA-late   hit    bust  21,bonus  busted+1  12/18
melbourne/plus                 any        2-3    up-to  3      no    no          stand  push  21,5<21   busted+1  12/17
melbourne/spanish              any        2+     up-to  3      no    JQKA-late   hit    bust  21,bonus  busted+1  12/18
melbourne/select               none       -      -      1      no    no          hit    bust  -         original  12/17
melbourne/free-bet             hard-9-11  2      token  3      no    no          hit    push  -         busted+1  12/18
star/switch                    no-ace     2      equal  2      no    no          hit    push  -         busted+1  12
"""


def rows(table: str) -> dict[str, dict[str, str]]:
    """A table in which two blanks or more keep the columns apart, by game and heading."""
    head, *lines = (re.split(r" {2,}", line) for line in table.strip().splitlines())
    return {game: dict(zip(head[1:], cells, strict=True)) for game, *cells in lines}


def test_the_two_tables_name_every_game() -> None:
    assert set(rows(CARDS_AND_NATURALS)) == set(rows(PLAY_AND_SETTLEMENT)) == set(games())


def test_every_file_is_a_book_and_every_game_of_it_is_listed() -> None:
    files = (resources.files("pitboss.rulebooks") / "books").iterdir()
    written = {Path(file.name).stem: tomllib.loads(file.read_text("utf-8")) for file in files}
    assert set(written) == set(BOOKS)
    assert sorted(games().values()) == sorted((book, game) for book, data in written.items() for game in data["games"])


def decks_allowed(game: str, **choices: Any) -> set[int]:
    found = set()
    for decks in range(1, 10):
        try:
            found.add(rules_for(game, decks=decks, **choices).decks)
        except RulebookError:
            continue
    return found


@pytest.mark.parametrize(("game", "row"), rows(CARDS_AND_NATURALS).items())
def test_cards_and_naturals_are_as_the_books_say(game: str, row: dict[str, str]) -> None:
    rules = rules_for(game)
    assert rules.deck_cards == int(row["deck"])
    decks = {"4-8": {4, 5, 6, 7, 8}}.get(row["decks"]) or {int(number) for number in row["decks"].split(",")}
    assert decks_allowed(game) == decks
    assert rules.decks == max(decks)
    assert rules.natural_odds == parse_odds(row["natural"])
    assert rules.natural_paid == {"2-9": "at-once-unless-ten-or-ace"}.get(row["paid"], row["paid"])
    assert rules.natural_vs_natural == row["v natural"]
    assert rules.insurance_on_ace
    assert not rules.insurance_on_ten
    assert (rules.insurance_max, rules.insurance_odds_ace) == ("half", Odds(2, 1))
    assert rules.insurance_with_natural == (row["insured"] == "yes")
    assert rules.insurance_per == ("hand" if game == "star/switch" else "wager")
    assert rules.even_money == {"yes": "on-request-against-ace"}.get(row["even money"], row["even money"])
    if row["sharers"] == "-":
        assert rules.cite("sharers_max").clauses == ()
    else:
        most, control = row["sharers"].split()
        assert rules.sharers_max == int(most)
        assert rules.control_rule == {"seated": "seated-highest-nearest", "nearest": "nearest-dealer"}[control]


@pytest.mark.parametrize(("game", "row"), rows(PLAY_AND_SETTLEMENT).items())
def test_play_and_settlement_are_as_the_books_say(game: str, row: dict[str, str]) -> None:
    rules = rules_for(game)
    totals = {"any": "any-below-21", "ace-one": "9-11-ace-as-one", "no-ace": "9-11-no-ace"}
    assert rules.double_totals == totals.get(row["double"], row["double"])
    if row["double"] != "none":
        assert rules.double_cards == {"2": "two", "2-3": "two-or-three", "2+": "two-or-more"}[row["cards"]]
        assert rules.double_stake == {"up-to": "up-to-original"}.get(row["stake"], row["stake"])
    assert ("double" in rules.actions) == (row["double"] != "none")
    assert rules.split_max_hands == int(row["hands"])
    assert ("split" in rules.actions) == (row["hands"] != "1")
    assert (rules.split_aces_max_hands > 2) == (row["aces"] == "yes")
    assert rules.split_stake == {"melbourne/free-bet": "token-except-tens", "melbourne/select": "not-applicable"}.get(
        game, "equal"
    )
    assert surrender(rules) == row["surrender"]
    assert rules.dealer_hits_soft_17 == (row["17"] == "hit")
    assert rules.dealer_stands_soft == (18 if row["17"] == "hit" else 17)
    assert rules.dealer_push_total == (22 if row["22"] == "push" else None)
    assert rules.natural_vs_push_total == ("win" if row["22"] == "push" else "not-applicable")
    assert winners(rules) == row["wins"]
    assert rules.double_rescue == ("bonus" in row["wins"])
    assert rules.dealer_natural_takes == {"busted+1": "busted-plus-one"}.get(row["takes"], row["takes"])
    if row["absent"] == "-":
        assert rules.cite("absent_hard").clauses == rules.cite("absent_soft").clauses == ()
    else:
        hard, _, soft = row["absent"].partition("/")
        assert (rules.absent_hard, rules.absent_soft) == (int(hard), int(soft or hard))


def surrender(rules: Rules) -> str:
    if rules.surrender_when == "never":
        return "no"
    cards = "".join(rules.surrender_up_cards).replace("23456789TJQK", "2-K")
    return f"{cards}-{'early' if rules.surrender_vs_natural == 'half-stake-lost' else 'late'}"


def winners(rules: Rules) -> str:
    found = ["21"] if rules.player_21_wins else []
    found += {"at-most-21": ["5<=21"], "below-21": ["5<21"], "none": []}[rules.five_card_win]
    found += ["bonus"] if rules.bonus_table == "pontoon" else []
    return ",".join(found) or "-"


def test_perth_has_fewer_decks_with_a_device_and_others_with_perfect_pairs() -> None:
    for game in ("perth/blackjack", "perth/vegas", "perth/plus"):
        assert decks_allowed(game, card_source="device") == set(range(1, 9))
        assert decks_allowed(game, side_wagers=["perfect-pairs"]) == {4, 6, 8}


@pytest.mark.parametrize("game", ["perth/blackjack", "perth/vegas", "perth/plus"])
def test_perth_draws_on_soft_17_by_layout_and_cites_the_clause_of_the_layout(game: str) -> None:
    for layout in range(1, 11):
        rules = rules_for(game, layout=layout)
        clause = "4.22" if layout <= 6 else "4.23"
        assert rules.dealer_hits_soft_17 == (layout > 6)
        assert rules.cite("dealer_hits_soft_17").clauses == (f"{clause}(a)",)
        assert rules.clauses("dealer_draw") == (f"{clause}(a)", "4.21")
        assert rules.clauses("dealer_stops") == (f"{clause}(b)",)


def test_what_the_star_leaves_to_the_house() -> None:
    plain, again = rules_for("star/blackjack"), rules_for("star/blackjack", resplit=True)
    assert (plain.split_max_hands, plain.split_aces_max_hands) == (2, 2)
    assert (again.split_max_hands, again.split_aces_max_hands) == (3, 3)
    ten = rules_for("star/blackjack", insurance_on_ten=True)
    assert ten.insurance_on_ten
    assert ten.insurance_odds_ten == Odds(10, 1)
    assert ten.clauses("insurance_wins") == ("16.1.4", "16.1.5")
    assert plain.clauses("insurance_wins") == ("16.1.4",)
    assert rules_for("star/blackjack", naturals_deferred=True).natural_paid == "final"
    switch = rules_for("star/switch")
    assert (switch.boxes_per_area, switch.switch, switch.unequal_pair) == (2, True, "lower-counts")
    assert rules_for("star/switch", double_with_ace=True).double_totals == "9-11-ace-as-one"
    assert rules_for("star/switch", resplit=True).split_max_hands == 3


def test_a_void_round_leaves_the_stars_side_wagers_as_the_reading_says() -> None:
    for game, wager in (("blackjack", "perfect-pairs"), ("blackjack", "any-pairs"), ("switch", "super-match")):
        assert rules_for(f"star/{game}", side_wagers=[wager]).side_wagers[0].on_void == "paid-stands"
        other = rules_for(f"star/{game}", side_wagers=[wager], readings={"void_side_wagers": "settled-stand"})
        assert other.side_wagers[0].on_void == "stands-if-settled"


# The model -------------------------------------------------------------------------------------------------

ELSEWHERE = {
    "P18": "options", "P24": "boxes_per_area", "P32": "authority", "P33": "authority", "P63": "surrender",
    "P102": "authority", "P103": "authority", "P104": "disputes",
}  # fmt: skip
"""Numbers of the model that are no single value, or follow from another: what a house may choose, areas of two boxes,
who may act, who is told, the way of a dispute; that no split hand surrenders, as in every book."""


def test_every_number_of_the_model_has_its_parameter_or_its_place() -> None:
    described = {item.number for item in DESCRIBED.values()}
    assert described | set(ELSEWHERE) == {f"P{number}" for number in range(1, 105)}
    assert not described & set(ELSEWHERE)
    assert [game for game in games() if not rules_for(game).authority] == []
    assert [game for game in games() if not rules_for(game).disputes] == [
        "rws/blackjack"
    ]  # whose book has no such clause
    powers = [power for book in BOOKS for power in load_book(book).authority.values()]
    assert any(power.notify_before for power in powers)
    assert any(power.notify_after for power in powers)


SIDE_ELSEWHERE = {"S9": "pays", "S12": "requires", "S13": "max_payout_option"}
"""Numbers of the model that are tables of a side wager, not terms."""


def test_every_number_of_a_side_wager_has_its_term_or_its_place() -> None:
    numbers = {term.number for term in SIDE_TERMS.values()} | set(SIDE_ELSEWHERE)
    assert numbers == {f"S{number}" for number in range(1, 17)}
    assert set(SIDE_ELSEWHERE.values()) <= set(SideModule.__struct_fields__)


def test_the_form_of_a_rulebook_lists_every_term() -> None:
    document = (Path(__file__).resolve().parents[2] / "docs" / "rulebook-format.md").read_text("utf-8")
    for name, term in SIDE_TERMS.items():
        line = next(line for line in document.splitlines() if re.match(rf"(\| `)?{name}\b", line))
        if term.judges:
            assert re.findall(r"`([\w-]+)`", line.split("|")[2]) == list(term.judges)
            assert re.findall(r"`([\w-]+)`", line.split("|")[3]) == list(typing.get_args(SIDE_TYPES[name]))
        else:
            assert ("describes" in line) == term.describes, line


def test_the_form_of_a_rulebook_lists_every_word_of_a_term_and_every_table() -> None:
    document = parameter_table.PART.page.read_text("utf-8")
    for name in SIDE_TERMS:
        if typing.get_origin(SIDE_TYPES[name]) is typing.Literal:
            missing = [word for word in typing.get_args(SIDE_TYPES[name]) if not re.search(rf"\b{word}\b", document)]
            assert not missing, f"{name} may be {', '.join(missing)}"
    assert all(f"`{table}`" in document for table in TOP_TABLES)


def test_the_form_of_a_rulebook_lists_every_parameter() -> None:
    assert parameter_table.PART.read() == parameter_table.table(), "run python tests/tools/parameter_table.py"


def test_every_term_of_a_side_wager_has_a_default_and_is_for_judges_there_are() -> None:
    for judge in JUDGES:
        assert sorted((*SIDE_DEFAULTS, *words_of(judge))) == sorted(SIDE_TERMS)
    assert {judge for term in SIDE_TERMS.values() for judge in term.judges} <= set(JUDGES)


def test_every_parameter_has_a_default_or_must_be_said() -> None:
    derived = {"dealer_stands_soft"}
    assert set(FIELDS) == {*ENGINE_DEFAULTS, *REQUIRED, *derived}
    assert set(WORDS) <= set(FIELDS)


def pays(game: str, wager: str, **choices: Any) -> str:
    side = rules_for(game, side_wagers=[wager], **choices).side_wagers[0]
    return "/".join(str(odds).removesuffix(":1") for odds in side.odds.values())


def test_pay_tables_outside_melbourne() -> None:
    columns = {1: (4, "30/12/5"), 2: (6, "25/12/5"), 3: (6, "30/12/5"), 4: (6, "30/10/5"), 5: (6, "25/12/6"),
               6: (8, "25/12/5"), 7: (8, "25/12/6")}  # fmt: skip
    for column, (decks, odds) in columns.items():
        assert pays("perth/blackjack", "perfect-pairs", decks=decks, perfect_pairs_table=column) == odds
    assert pays("star/blackjack", "perfect-pairs") == "30/10/5"
    assert pays("star/blackjack", "any-pairs") == pays("rws/blackjack", "player-pair") == "11"
    assert pays("rws/blackjack", "under-13") == pays("rws/blackjack", "over-13") == "1"
    assert pays("star/switch", "super-match") == "40/8/5/1"


# Choices ---------------------------------------------------------------------------------------------------


def all_games() -> list[tuple[Rulebook, str]]:
    return [(load_book(book), game) for book in BOOKS for game in load_book(book).games]


GAMES = pytest.mark.parametrize(
    ("book", "game"), all_games(), ids=[f"{book.namespace}/{game}" for book, game in all_games()]
)


@GAMES
def test_every_value_of_every_option_can_be_chosen_under_some_circumstances(book: Rulebook, game: str) -> None:
    options = book.options_of(book.games[game])
    for name, option in options.items():
        others = [{other: value} for other, o in options.items() if other != name for value in o.choices]
        sides = [{"side_wagers": [side]} for side in book.side_wagers_of(book.games[game])]
        readings = book.readings_of(book.games[game]).values()
        read = [{"readings": {item.id: word}} for item in readings for word in item.alternatives]
        circumstances = [{}, *others, *sides, *({**other, **side} for other in others for side in sides), *read]
        circumstances += [{**one, **side} for one in read for side in sides]
        for value in option.choices:
            for beside in circumstances:
                try:
                    chosen = book.rules(game, **{name: value}, **beside)
                except RulebookError:
                    continue
                assert chosen.options[name] == value
                break
            else:
                pytest.fail(f"{name} = {value} can never be chosen")


@GAMES
def test_every_reading_can_be_taken_otherwise(book: Rulebook, game: str) -> None:
    plain = book.rules(game)
    for name, reading in book.readings_of(book.games[game]).items():
        assert plain.readings[name] == reading.default
        for value in reading.alternatives:
            other = book.rules(game, readings={name: value})
            assert other.readings[name] == value
            assert other.digest != plain.digest


def refused(book: Rulebook, game: str, **choices: Any) -> str:
    try:
        book.rules(game, **choices)
    except RulebookError as error:
        return str(error)
    return ""


@GAMES
def test_every_side_wager_is_offered_or_refused_with_a_clause(book: Rulebook, game: str) -> None:
    for name in book.side_wagers:
        if refusal := refused(book, game, side_wagers=[name]):
            assert "(clause " in refusal
            continue
        side = book.rules(game, side_wagers=[name]).side_wager(name)
        assert side is not None
        assert side.odds or side.prizes
        assert side.cite("wins")


@pytest.mark.parametrize(
    ("game", "choices", "words"),
    [
        ("melbourne/blackjack", {"side_wagers": ["pot-of-gold"]}, ["Pot of Gold", "Blackjack", "30.1", "free-bet"]),
        ("melbourne/blackjack", {"side_wagers": ["pontoon-pandemonium"]}, ["Pontoon Pandemonium", "11.1", "pontoon"]),
        ("melbourne/blackjack", {"side_wagers": ["supernova"], "decks": 8}, ["Supernova", "decks 8", "24.4.1", "6"]),
        ("melbourne/pontoon", {"side_wagers": ["blackjack-jackpots"]}, ["deck_cards 48", "21.4.1", "52"]),
        ("star/blackjack", {"side_wagers": ["any-pairs"], "decks": 4}, ["Any Pairs", "decks 4", "3.1", "6 or 8"]),
        ("melbourne/vegas", {"decks": 6}, ["decks cannot be 6", "12.3.1", "4"]),
        ("perth/blackjack", {"decks": 5}, ["decks cannot be 5", "2.2(a)", "8", 'card_source "device"']),
        ("perth/blackjack", {"surrender": True}, ["surrender", "vegas", "1.1:Surrender"]),
        ("star/switch", {"insurance_on_ten": True}, ["star/switch", "no option", "insurance_on_ten"]),
    ],
)
def test_what_a_book_does_not_allow_is_refused_naming_the_clause(
    game: str, choices: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(RulebookError) as refusal:
        rules_for(game, **choices)
    assert [word for word in words if word not in str(refusal.value)] == []


@pytest.mark.parametrize(
    "choices",
    [
        {"side_wagers": "any-pairs"},
        {"side_wagers": [["any-pairs"]]},
        {"readings": ["ace_in_double"]},
        {"decks": None},
        {"decks": [6]},
        {"decks": True},
        {"decks": "six"},
        {"decks": 6.5},
        {"resplit": 1},
        {"resplit": "yes"},
    ],
)
def test_choices_of_the_wrong_type_are_refused(choices: dict[str, Any]) -> None:
    with pytest.raises(RulebookError):
        rules_for("star/blackjack", **choices)


def test_choices_may_be_written_as_text() -> None:
    assert rules_for("star/blackjack", decks="6", resplit="true") == rules_for("star/blackjack", decks=6, resplit=True)


@GAMES
def test_any_game_can_be_had_with_an_infinite_deck(book: Rulebook, game: str) -> None:
    assert book.rules(game, decks="inf").decks == 0
    for none in (0, "0"):
        with pytest.raises(RulebookError, match="or inf for an infinite deck"):
            book.rules(game, decks=none)


# Rules -----------------------------------------------------------------------------------------------------


def test_a_value_cites_its_clause_and_its_layer() -> None:
    rules = rules_for("melbourne/six-to-five-pontoon")
    assert str(rules.cite("natural_odds")) == "20.2.1(a), 20.3.1:Pontoon, 20.3.1 (six-to-five-pontoon)"
    assert rules.cite("natural_odds").layer == "six-to-five-pontoon"
    assert rules.cite("natural_vs_natural").layer == "pontoon"
    assert rules.cite("sharers_max").layer == "base"
    assert rules.cite("decks").layer == "option"
    assert rules.cite("switch") == rules.cite("switch_after_paid_natural")
    assert rules.cite("switch").layer == "engine"
    buster = rules_for("melbourne/blackjack", side_wagers=["buster"])
    assert buster.dealer_completes_for_side_wagers == "whenever-live"
    assert buster.cite("dealer_completes_for_side_wagers").layer == "side wager buster"
    with pytest.raises(KeyError):
        rules.clauses("no_such_matter")


@GAMES
def test_every_value_that_a_book_states_carries_clauses_of_its_register(book: Rulebook, game: str) -> None:
    exists = clause_exists(book.id)
    assert exists is not None
    rules = book.rules(game, side_wagers=[])
    cited = [clause for name in FIELDS for clause in rules.cite(name).clauses]
    cited += [clause for clauses in rules.matters.values() for clause in clauses]
    assert [clause for clause in cited if not exists(clause)] == []
    silent = {name for name in FIELDS if not rules.cite(name).clauses}
    assert {rules.cite(name).layer for name in silent} <= {"engine", "base", *book.games}
    assert not silent & {"natural_odds", "natural_paid", "dealer_hits_soft_17", "deck_cards", "decks"}


def test_rules_cannot_be_changed() -> None:
    rules = rules_for("melbourne/pontoon", side_wagers=["pontoon-pandemonium"])
    digest = rules.digest
    with pytest.raises(AttributeError):
        rules.natural_odds = Odds(2, 1)  # type: ignore[misc]
    for table in (rules.options, rules.readings, rules.sources, rules.matters, rules.authority, rules.notices):
        changeable = typing.cast(dict[str, Any], table)
        with pytest.raises(TypeError, match="frozen"):
            changeable["decks"] = 1
        with pytest.raises(TypeError, match="frozen"):
            changeable.update(decks=1)
        with pytest.raises(TypeError, match="frozen"):
            changeable.clear()
    with pytest.raises(TypeError, match="frozen"):
        rules.side_wagers[0].clauses["wins"] = ()
    assert rules.digest == digest


def test_rules_are_values() -> None:
    rules = rules_for("star/blackjack", decks=6)
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert len({rules, again, rules_for("star/blackjack")}) == 2
    assert rules != "star/blackjack"


def test_digests_name_the_whole_and_do_not_vary() -> None:
    digests = {game: rules_for(game).digest for game in games()}
    assert len(set(digests.values())) == len(games())
    assert all(len(digest) == 64 for digest in digests.values())
    load_book.cache_clear()
    assert digests == {game: rules_for(game).digest for game in games()}


# One value changed ------------------------------------------------------------------------------------------


def data_of(book: str) -> dict[str, Any]:
    text = (resources.files("pitboss.rulebooks") / "books" / f"{book}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def other_values(parameter: str, value: Any) -> list[Any]:
    """Values as a rulebook writes them, other than `value`."""
    kind = TYPES[parameter]
    if typing.get_origin(kind) is Literal:
        return [choice for choice in typing.get_args(kind) if choice != value]
    if parameter in WORDS:
        return [
            [word for word in WORDS[parameter] if word not in value],
            list(value[:-1]),
            [*value, WORDS[parameter][-1]],
        ]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, list):
        return [[*value, "another"]]
    if kind is Odds:
        return ["7:5"]
    return [23] if value == "none" else [f"{value} otherwise"]


TIED = {"actions", "deal_order", "hole_card", "insurance_on_ten", "surrender_when"}
"""Values that others must go with: changed alone they are refused, as they should be."""


def changed(data: dict[str, Any], parameter: str, rules: Rules) -> list[dict[str, Any]]:
    """Copies of a book's document with the value in force of a base parameter replaced."""
    entry = data["rules"][parameter]
    cases = entry if isinstance(entry, list) else [entry]
    number = next(
        i for i, case in enumerate(cases) if tuple(_list(case.get("clause", []))) == rules.cite(parameter).clauses
    )
    copies = []
    for value in other_values(parameter, cases[number]["value"]):
        document = copy.deepcopy(data)
        target = document["rules"][parameter]
        (target[number] if isinstance(target, list) else target)["value"] = value
        copies.append(document)
    return copies


def _list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else value


@pytest.mark.slow
@pytest.mark.parametrize("parameter", data_of("perth")["rules"])
def test_changing_one_value_of_a_copied_book_changes_the_rules_and_nothing_else(parameter: str) -> None:
    data = data_of("perth")
    plain = read_book(data, "perth.toml", clause_exists).rules("blackjack")
    copies = [read_book(document, "copy.toml", clause_exists) for document in changed(data, parameter, plain)]
    runnable = [book.rules("blackjack") for book in copies if not refused(book, "blackjack")]
    assert bool(runnable) != (parameter in TIED)
    derived = {"dealer_hits_soft_17": {"dealer_stands_soft"}}.get(parameter, set())
    for other in runnable:
        assert set(difference(plain, other)) == {parameter} | derived
        assert other.digest != plain.digest
        assert [name for name in ("options", "readings", "sources", "matters", "authority", "notices", "bonuses")
                if getattr(plain, name) != getattr(other, name)] == []  # fmt: skip


@pytest.mark.parametrize(
    ("book", "game", "parameter", "value"),
    [
        ("perth", "plus", "insurance_odds_ace", "3:1"),
        ("rws", "blackjack", "split_max_hands", 3),
        ("star", "blackjack", "absent_hard", 13),
        ("star-switch", "switch", "natural_odds", "3:2"),
        ("melbourne", "free-bet", "sharers_max", 6),
    ],
)
def test_a_base_value_reaches_every_game_that_does_not_say_otherwise(
    book: str, game: str, parameter: str, value: Any
) -> None:
    data = data_of(book)
    plain = read_book(data, f"{book}.toml", clause_exists)
    data["rules"][parameter]["value"] = value
    copied = read_book(data, "copy.toml", clause_exists)
    assert set(difference(plain.rules(game), copied.rules(game))) == {parameter}
    for name in plain.games:
        before, after = plain.rules(name), copied.rules(name)
        touched = before.cite(parameter).layer == "base"
        assert (before.digest != after.digest) == touched
        assert set(difference(before, after)) == ({parameter} if touched else set())


def test_changing_the_text_of_a_copied_book_does_the_same() -> None:
    text = (resources.files("pitboss.rulebooks") / "books" / "rws.toml").read_text(encoding="utf-8")
    copied = parse_user_book(
        text.replace('natural_odds = { value = "3:2"', 'natural_odds = { value = "6:5"'), "copy.toml"
    )
    plain, other = rules_for("rws/blackjack"), rules_for("rws/blackjack", [copied])
    assert difference(plain, other) == {"natural_odds": (Odds(3, 2), Odds(6, 5))}
    assert plain.digest != other.digest


# Your own book ----------------------------------------------------------------------------------------------


def test_a_users_book_is_looked_at_first_and_beside_the_five() -> None:
    own = parse_user_book(BOOK, "sample.toml")
    assert find_game("sample/pontoon", [own])[1].name == "Pontoon"
    assert find_game("star/switch", [own])[0].id == "star-switch"
    with pytest.raises(RulebookError, match="no game 'sample/pontoon'"):
        find_game("sample/pontoon")
    mine = parse_user_book(BOOK.replace('id = "sample"', 'id = "own"\nnamespace = "star"'), "mine.toml")
    assert rules_for("star/blackjack", [mine]).name == "Blackjack"
    assert rules_for("star/blackjack", [mine]).book == "own"


def test_the_example_covers_hole_cards_and_late_surrender() -> None:
    file = Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml"
    book = parse_user_book(file.read_text(encoding="utf-8"), "las-vegas.toml")
    rules = book.rules("blackjack", surrender=True, soft_17="hit")
    assert (rules.hole_card, rules.dealer_natural_takes) == ("peek", "original")
    assert (rules.surrender_when, rules.dealer_hits_soft_17) == ("own-turn", True)


def test_clauses_of_a_matter_follow_the_choice_made() -> None:
    book = parse_user_book(BOOK, "sample.toml")
    assert book.rules("blackjack").clauses("dealer_draw") == ("10(a)",)
    assert book.rules("twin", layout=2).clauses("dealer_draw", "bust") == ("10(b)", "10", "12")


def test_two_sets_of_clauses_that_hold_at_once_are_a_contradiction() -> None:
    text = BOOK.replace('{ clause = "10(a)", when = { layout = 1 } },\n  { clause', '{ clause = "10(a)" },\n  { clause')
    book = parse_user_book(text, "sample.toml")
    with pytest.raises(RulebookError, match="dealer_draw: two cases hold at once"):
        book.rules("blackjack", layout=2)


# Comparing --------------------------------------------------------------------------------------------------


def test_a_comparison_holds_exactly_what_the_variation_changes() -> None:
    book = load_book("melbourne")
    base = (book, book.rules("blackjack"))
    crown = compare_rules((book, book.rules("crown")), base)
    assert set(crown.values) == {"absent_soft", "dealer_hits_soft_17", "dealer_stands_soft"}
    assert crown.values["dealer_hits_soft_17"] == (True, False)
    assert (crown.bonuses, crown.super_bonus) == ({}, None)
    spanish = compare_rules((book, book.rules("spanish")), (book, book.rules("pontoon")))
    assert (spanish.values, spanish.bonuses) == ({}, {})
    assert spanish.options == {"auto_draw": (False, "(no such option)")}
    pontoon = compare_rules((book, book.rules("pontoon")), base)
    assert len(pontoon.bonuses) == 9
    assert pontoon.side_wagers == (("pontoon-pandemonium",), ())


def test_what_a_value_turns_on_is_found() -> None:
    book = load_book("perth")
    hinges = turns_on(book, book.rules("vegas"), {})
    assert hinges["dealer_hits_soft_17"] == ("layout",)
    assert hinges["surrender_up_cards"] == ("surrender",)
    assert hinges["split_max_hands"] == ("reading.max_hands_per_box",)
    assert "natural_odds" not in hinges
    melbourne = load_book("melbourne")
    assert turns_on(melbourne, melbourne.rules("plus"), {})["dealer_completes_for_side_wagers"] == (
        "side_wagers.buster",
    )


@GAMES
def test_a_glance_has_a_word_for_everything(book: Rulebook, game: str) -> None:
    for choices in ({}, {"decks": "inf"}):
        cells = at_a_glance(book.rules(game, **choices)).cells()
        assert all(cells.values())
