"""A rulebook with a mistake gets one line: the file, the key, what is wrong, what is allowed; never a traceback."""

from __future__ import annotations

import contextlib
import datetime
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sample_book import BOOK

from pitboss import cli
from pitboss.rulebooks import Rulebook, RulebookError, clause_exists
from pitboss.rulebooks.reading.loader import read_book

DECKS = 'allowed = [ { values = [6, 8], clause = "5" }, { values = [1], clause = "5.1", when = { layout = 2 } } ]'
ODDS = 'natural_odds = { value = "3:2", clause = "9" }'

BROKEN: list[tuple[str, str, str]] = [
    # the file and its head
    ("[book]", "[book", "not valid TOML: Expected ']' at the end of a table declaration"),
    ("[disputes]", "[dispute]", "file.dispute: unknown key; did you mean 'disputes'?"),
    ('[book]\nid = "sample"\nname = "Sample Rules"', "[book]", "book: lacks 'id'"),
    ('id = "sample"', 'id = "Sample Book"',
     "book.id: \"Sample Book\" is not a name: write small letters and digits, joined by '-'"),
    ('name = "Sample Rules"', "name = 7", "book.name: must be a text, not 7"),
    ('edition = "first"', "edition = 1.5", "book.edition: must be a text, not 1.5"),
    ('edition = "first"', 'editon = "first"', "book.editon: unknown key; did you mean 'edition'?"),
    ("register = false", 'register = "no"', 'book.register: must be true or false, not "no"'),
    ("register = false", "register = true",
     "book.register: there is no clause register for 'sample': say register = false"),
    # people
    ('{ id = "manager", name = "Manager", clause = "1" }', '"manager"',
     'roles.ladder[1]: must be a table, not "manager"'),
    ('{ id = "inspector"', '{ id = "dealer"',
     "roles.bodies[0].id: 'dealer' is listed twice: give each role and body an id of its own"),
    ('role = "manager"\nclause = "2"', 'role = "managr"\nclause = "2"',
     "authority.void-round.role: 'managr' is not a role or body of the book; did you mean 'manager'?"),
    ('scope = "table"', 'scope = "house"', 'authority.void-round.scope: must be table or floor, not "house"'),
    ('notify_after = ["inspector"]', 'notify_after = "inspector"',
     'authority.void-round.notify_after: must be a list of words, not "inspector"'),
    ("reading = false", "reading = 0", "authority.void-round.reading: must be true or false, not 0"),
    ("minutes = 20", "minutes = -5", "notices.raise-minimum.minutes: must be a whole number, not -5"),
    ('{ role = "manager", clause = "4"', '{ role = "manager", body = "inspector", clause = "4"',
     "disputes.chain[0]: needs a role or a body, one of the two"),
    # options and readings
    ("default = 8", "default = 7", "options.decks.default: 7 is not among the allowed values: 6, 8, 1"),
    (DECKS, "allowed = []", "options.decks.allowed: must be a list of the values that may be chosen, not []"),
    (DECKS, 'allowed = [6, "eight"]',
     'options.decks.allowed: must be numbers of decks, 1 to 100, not [6, "eight"]'),
    (DECKS, "allowed = [0, 8]", "options.decks.allowed: must be numbers of decks, 1 to 100, not [0, 8]"),
    ("when = { layout = 2 } } ]", "when = { layot = 2 } } ]",
     "options.decks.allowed[1].when.layot: no such option or reading; did you mean 'layout'?"),
    ("when = { layout = 2 } } ]", "when = { layout = 3 } } ]",
     "options.decks.allowed[1].when.layout: layout is never 3: it can be 1, 2"),
    ("default = 1\nallowed = [1, 2]", "default = 1", "options.layout: lacks 'allowed'"),
    ('default = "none"\nkind = "amount"', 'default = "some"\nkind = "amount"',
     'options.most.default: must be an amount above zero, not "some"'),
    ('kind = "amount"', 'kind = "sum"', 'options.most.kind: must be choice or amount, not "sum"'),
    ('games = ["pontoon"]', 'games = ["ponton"]',
     "options.lights.games: 'ponton' is not a game of the book; did you mean 'pontoon'?"),
    ('alternatives = ["lose"]', 'alternatives = ["stand-off"]',
     'readings.ties.alternatives: must name what else the clause could mean, besides "stand-off"'),
    ('"reading.ties" = "lose" } }', '"reading.ties" = "loses" } }',
     'rules.tie[1].when.reading.ties: reading.ties is never "loses": it can be "stand-off", "lose"'),
    # values
    (ODDS, 'natural_odds = "3:2"',
     'rules.natural_odds: write { value = "3:2", clause = "..." }: every value needs its clause'),
    (ODDS, 'natural_odds = { value = "3:2" }',
     'rules.natural_odds: lacks its clause: add clause = "...", or silent = true where the book says nothing'),
    (ODDS, 'natural_odds = { value = "3:2", clause = [] }', "rules.natural_odds.clause: names no clause"),
    (ODDS, 'natural_odds = { value = "3:2", clause = 9 }',
     "rules.natural_odds.clause: must be a clause or a list of clauses, not 9"),
    (ODDS, 'natural_odds = { value = 1.5, clause = "9" }', 'rules.natural_odds: must be odds such as "3:2", not 1.5'),
    (ODDS, 'natural_odds = { value = "3:0", clause = "9" }',
     'rules.natural_odds: must be odds such as "3:2", not "3:0"'),
    (ODDS, 'natural_odds = { value = "3:2", clause = "9", silent = true }',
     "rules.natural_odds: has a clause and is silent: keep one of the two"),
    (ODDS, "natural_odds = []",
     'rules.natural_odds: needs at least one case: write { value = ..., clause = "..." }'),
    (ODDS, "", "rules.natural_odds: every book must state this; add it with its clause"),
    (ODDS, ODDS + '\nnatural_ods = { value = "3:2", clause = "9" }',
     "rules.natural_ods: unknown parameter; did you mean 'natural_odds'?"),
    (ODDS, ODDS + '\ndecks = { value = 6, clause = "9" }',
     "rules.decks: is a choice of the house: write [options.decks]"),
    ("deck_cards = { value = 52", "deck_cards = { value = 36", "rules.deck_cards: must be one of 52, 48, not 36"),
    ("sharers_max = { value = 3", "sharers_max = { value = true",
     "rules.sharers_max: must be a whole number, not true"),
    ("sharers_max = { value = 3", "sharers_max = { vale = 3",
     "rules.sharers_max.vale: unknown key; did you mean 'value'?"),
    (ODDS, ODDS + '\nactions = { value = ["hit", "stand", "jump"], clause = "9" }',
     'rules.actions: "jump" is not one of hit, stand, double, split, surrender, switch'),
    (ODDS, ODDS + '\nsurrender_up_cards = { value = "A", clause = "9" }',
     'rules.surrender_up_cards: must be a list, not "A"'),
    ("when = { layout = [2] } }", "when = { layout = [1, 2] } }",
     "base: dealer_hits_soft_17: two cases hold at once, false (10(a)) and true (10(b)): "
     "their conditions must exclude each other"),
    # what cannot be together
    ("sharers_max = { value = 3", "sharers_max = { value = 0", "rules.sharers_max: must be from 1 to 99, not 0"),
    (ODDS, ODDS + '\nhole_card = { value = "peek", clause = "9" }',
     "games.blackjack: hole_card peek does not go with deal_order boxes-dealer-boxes"),
    (ODDS, ODDS + '\nactions = { value = ["hit", "stand", "double"], clause = "9" }',
     "games.blackjack: actions must have split: split_max_hands is 4"),
    (ODDS, ODDS + '\nsurrender_when = { value = "own-turn", clause = "9" }'
     + '\nsurrender_up_cards = { value = ["T"], clause = "9" }\nsurrender_settled = { value = "at-once", clause = "9" }'
     + '\nsurrender_vs_natural = { value = "whole-stake-lost", clause = "9" }'
     + '\nactions = { value = ["hit", "stand", "double", "split", "surrender"], clause = "9" }',
     "games.blackjack: surrender_settled is at-once: half is taken and the rest goes back before a dealer's natural is "
     "seen, so surrender_vs_natural must be half-stake-lost"),
    (ODDS, ODDS + '\nsurrender_when = { value = "own-turn", clause = "9" }',
     "games.blackjack: actions must have surrender: surrender_when is own-turn"),
    (ODDS, ODDS + '\ndealer_push_total = { value = 21, clause = "9" }',
     "rules.dealer_push_total: must be from 22 to 31, not 21"),
    (ODDS, ODDS + '\nswitch = { value = true, clause = "9" }',
     "games.blackjack: actions must have switch: switch is true"),
    ('[[games.pontoon.bonuses]]\nhand = "777-suited"\nodds = "2:1"\nclause = "20.2"\n', "",
     "games.pontoon: bonus_table has no rows: write [[games.NAME.bonuses]]"),
    # clauses of matters
    ('bust = "12"', 'burst = "12"', "clauses.burst: unknown matter; did you mean 'bust'?"),
    ('bust = "12"', "bust = 12", "clauses.bust: must be a clause or a list of clauses, not 12"),
    ('dealer_draw = [\n  { clause =', "dealer_draw = [\n  { value =",
     "clauses.dealer_draw[0].value: unknown key; choose from: clause, when"),
    # games
    ('extends = "blackjack"\nclause', 'extends = "blakjack"\nclause',
     "games.pontoon.extends: \"blakjack\" is not a game of the book; did you mean 'blackjack'?"),
    ('clause = "1"\nsummary', 'clause = "1"\nextends = "pontoon"\nsummary',
     "games.blackjack.extends: is circular: blackjack -> pontoon -> blackjack"),
    ("alias_of = true", "alias_of = 1", "games.twin.alias_of: must be true or false, not 1"),
    ("alias_of = true", 'alias_of = true\nrules = { tie = { value = "lose", clause = "1" } }',
     "games.twin.alias_of: the same game under another name extends it and has no rules of its own"),
    ("[games.twin]", '[games."Twin Game"]',
     "games.Twin Game: \"Twin Game\" is not a name: write small letters and digits, joined by '-'"),
    ('hand = "777-suited"', 'hand = "777-suit"',
     "games.pontoon.bonuses[0].hand: unknown hand; did you mean '777-suited'?"),
    ('hand = "777-suited"\nodds = "2:1"', 'hand = "777-suited"\nodds = "two"',
     'games.pontoon.bonuses[0].odds: must be odds such as "3:2", not "two"'),
    ("{ from = 5, pays = 1000 }", '{ from = 5, pays = "lots" }',
     'games.pontoon.super_bonus.tiers[0].pays: must be an amount above zero, not "lots"'),
    ("others = 50", "", "games.pontoon.super_bonus: lacks 'others'"),
    # side wagers
    ('judge = "pair"', 'judge = "pear"', "side_wagers.pairs.judge: there is no such judge; did you mean 'pair'?"),
    ('value = ["blackjack", "twin"]', 'value = ["blackjack", "triplet"]',
     "side_wagers.pairs.hosts: 'triplet' is not a game of the book; choose from: blackjack, pontoon, twin"),
    ('value = "own-main-wager"', 'value = "anybody"',
     'side_wagers.pairs.placed_by: must be one of "own-main-wager", "box-has-main-wager", "table-has-main-wager", '
     '"controller", "controller-or-sharer-by-leave", not "anybody"'),
    ('judge = "pair"', 'judge = "pair"\nsecond_win = { value = "ends", silent = true }',
     "side_wagers.pairs.second_win: is not a term of pair wagers, only of blackpot"),
    ('judge = "pair"', 'judge = "pair"\nsettled = { value = "final", silent = true }',
     'side_wagers.pairs.settled: must be interim for pair wagers, not "final"'),
    ('judge = "pair"', 'judge = "pair"\nsettled = { value = "whenever", silent = true }',
     'side_wagers.pairs.settled: must be one of "interim", "when-known", "interim-then-final", "final", '
     '"box-finished", not "whenever"'),
    ('judge = "pair"', 'judge = "pair"\nwindow = { value = "dealer-hand", silent = true }',
     'side_wagers.pairs.window: must be first-two-cards for pair wagers, not "dealer-hand"'),
    ('judge = "pair"', 'judge = "pair"\nkey = { value = "suit", silent = true }',
     'side_wagers.pairs.key: must be rank for pair wagers, not "suit"'),
    ('judge = "pair"', 'judge = "crown-suits"\nmeters = ["big"]',
     "side_wagers.pairs.meters: crown-suits wagers have none: they are not settled in one step on the initial deal"),
    ('max_payout_option = "most"', 'max_payout_option = "layout"',
     'side_wagers.pairs.max_payout_option: "layout" is not an option of kind amount'),
    ('decks = [8]\nclause = "30.4"', 'clause = "30.4"',
     "side_wagers.pairs.requires[0]: needs decks = [...], deck_cards = [...], not_with = [...], payout_posted "
     "or an option"),
    ('odds = { pair = "11:1" }', 'odds = { par = "11:1" }',
     "side_wagers.pairs.pays[0].odds.par: unknown key; did you mean 'pair'?"),
    ('odds = { pair = "11:1" }', "odds = {}", "side_wagers.pairs.pays[0].odds: lacks 'pair'"),
    ('major = "meter:big:100%"', 'major = "meter:huge:100%"',
     "side_wagers.nova.pays[0].odds.major: 'huge' is not among the meters of the wager; choose from: big"),
    ('major = "meter:big:100%"', 'major = "meter:big:all"',
     'side_wagers.nova.pays[0].odds.major: must be "meter:NAME:100%", not "meter:big:all"'),
    ("prizes = [[1, 100], [9, 5]]", "prizes = [[1, 100], [9]]",
     "side_wagers.button.pays[0].prizes: must be a list of [count, prize per unit staked]"),
    ("prizes = [[1, 100], [9, 5]]", 'odds = { win = "5:1" }',
     "side_wagers.button.pays[0].odds: unknown key; choose from: clause, prizes, when"),
]  # fmt: skip


def complaint(book: str, arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What `pitboss rules` says about a book, which must be one line and exit 2."""
    file = folder / "book.toml"
    file.write_text(book, encoding="utf-8")
    code = cli.main(["rules", *arguments, "--book", str(file)])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("pitboss: ")
    assert err.count("\n") == 1
    return re.sub(rf"^{re.escape(str(file))}:\d+: ", "FILE: ", err.removeprefix("pitboss: ").rstrip("\n"))


def test_the_sample_book_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "book.toml"
    file.write_text(BOOK, encoding="utf-8")
    for game in ("blackjack", "pontoon", "twin"):
        assert cli.main(["rules", f"sample/{game}", "--book", str(file)]) == 0
    assert "sample/blackjack" in capsys.readouterr().out


@pytest.mark.parametrize(("good", "bad", "line"), BROKEN, ids=[line.split(":")[0] for *_, line in BROKEN])
def test_a_broken_rulebook_gets_one_line(
    good: str, bad: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert BOOK.count(good) >= 1
    assert complaint(BOOK.replace(good, bad, 1), ["sample/blackjack"], tmp_path, capsys) == f"FILE: {line}"


def test_there_are_more_than_fifty_and_no_two_alike() -> None:
    assert len({(good, bad) for good, bad, _ in BROKEN}) == len(BROKEN) > 50


WRONG_CHOICES: list[tuple[list[str], str]] = [
    (["sample/blackjak"], "there is no game 'sample/blackjak'; did you mean 'sample/blackjack'?"),
    (["sample/blackjack", "--decks", "7"], "sample/blackjack: decks cannot be 7 (clause 5): allowed: 6, 8"),
    (
        ["sample/blackjack", "--decks", "1"],
        "sample/blackjack: decks cannot be 1 (clause 5, 5.1): allowed: 6, 8; 1 needs layout 2",
    ),
    (["sample/pontoon", "--decks", "8"], "sample/pontoon: decks cannot be 8 (clause 20.4): allowed: 4"),
    (
        ["sample/blackjack", "--option", "lights=true"],
        "sample/blackjack has no option 'lights': that is for pontoon (clause 7.1); here there are decks, layout, most",
    ),
    (["sample/blackjack", "--option", "most=-3"], "option most must be an amount above zero, or none"),
    (
        ["sample/blackjack", "--option", "most=much"],
        "option most: 'much' is not an amount: write an exact decimal such as 12.5",
    ),
    (["sample/blackjack", "--reading", "ties=win"], 'reading ties cannot be "win": stand-off, lose (8)'),
    (["sample/blackjack", "--reading", "tie=lose"], "sample/blackjack has no reading 'tie'; did you mean 'ties'?"),
    (["sample/blackjack", "--side", "pear"], "Sample Rules has no side wager 'pear'; did you mean 'pairs'?"),
    (
        ["sample/pontoon", "--side", "pairs"],
        "Pairs cannot be offered at Pontoon (clause 30.1): its games are blackjack, twin",
    ),
    (
        ["sample/blackjack", "--side", "pairs", "--decks", "6"],
        "Pairs cannot be offered with decks 6 (clause 30.4): it needs 8",
    ),
    (
        ["sample/blackjack", "--side", "pairs", "--side", "nova"],
        "side wagers pairs and nova cannot be offered together: "
        "dealer_skips_moot_cards is false by 30.6 and true by 31.2",
    ),
    (["sample/blackjack", "--side", "pairs", "--side", "pairs"], "a side wager is named twice: pairs, pairs"),
]


@pytest.mark.parametrize(("arguments", "line"), WRONG_CHOICES, ids=[" ".join(case[0][1:]) for case in WRONG_CHOICES])
def test_a_wrong_choice_gets_one_line_that_names_the_clause(
    arguments: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complaint(BOOK, arguments, tmp_path, capsys) == line


def test_a_clause_that_the_register_lacks_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = BOOK.replace('id = "sample"', 'id = "star"').replace("register = false", "register = true")
    line = complaint(book, ["star/blackjack"], tmp_path, capsys)
    assert line == "FILE: rules.dealer_hits_soft_17[0].clause: clause '10(a)' is not in the book's register"


def mutants(data: Any) -> Iterator[tuple[str, Any]]:
    """The document with one value in it replaced, or gone: where, and the document (the same one each time)."""
    junk = (-1, 1.5, "x", True, [], ["x"], {"x": 1}, datetime.date(2020, 1, 1))
    for path in list(paths(data)):
        holder = data
        for step in path[:-1]:
            holder = holder[step]
        kept = holder[path[-1]]
        for value in junk:
            holder[path[-1]] = value
            yield f"{path} = {value!r}", data
        if isinstance(holder, dict):
            del holder[path[-1]]
            yield f"without {path}", data
        holder[path[-1]] = kept


def paths(data: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, inner in steps:
        yield (*before, step)
        yield from paths(inner, (*before, step))


def attempts(book: Rulebook) -> Iterator[dict[str, Any]]:
    """What a reader of the book could ask for: each game plain, and with each side wager."""
    for game in book.games:
        yield {"game": game}
        yield from ({"game": game, "side_wagers": [side]} for side in book.side_wagers)


def refusal(data: Any) -> str | None:
    """How a document is refused; nothing if it is read, whatever its games then say."""
    try:
        book = read_book(data, "FILE", clause_exists)
    except RulebookError as error:
        return str(error)
    for asked in attempts(book):
        with contextlib.suppress(RulebookError):
            book.rules(**asked)
    return None


@pytest.mark.slow
def test_whatever_stands_in_a_file_it_is_read_or_refused_in_one_line() -> None:
    answers = {where: refusal(data) for where, data in mutants(tomllib.loads(BOOK))}
    refused = [line for line in answers.values() if line is not None]
    assert [line for line in refused if not line.startswith("FILE: ") or "\n" in line] == []
    assert len(refused) > 1800
    assert len(answers) - len(refused) > 100
