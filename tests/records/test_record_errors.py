"""Records that are wrong: a mistake has one line with the file, the line and what was expected; nothing ever breaks."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_tools import RECORDS

from pitboss import cli
from pitboss.records import RecordError, read, replay

GOOD = """record  = 1
title   = "Two players, one pair"
cites   = ["13.1"]
game    = "melbourne/blackjack"
options = { decks = 6, perfect_pairs_table = "A" }
side_wagers = ["perfect-pairs", "supernova"]
limits  = { min = 5, max = 1000, chip = 0.5 }

meters  = { supernova-major = { seed = 5000, rate = 0.05, value = 7310.2 } }
bets    = [
  "1 ann* 100",
  "1 bob 50",
  "1 bob 5 perfect-pairs",
]
cards   = "8s 6d 8h | Th Tc | Td 9c"
actions = ["1 split bob", "1 stand", "?1 insure ann 10",
           "1 stand"]
results = ["1 ann main +200", "1 bob main +100",
           "1 bob perfect-pairs +30"]
dealer  = "6d Td 9c"
"""

SEVERAL = """record = 1
game   = "star/blackjack"

[[round]]
bets    = ["1 ann* 10"]
cards   = "Tc 7d 9s | Th"
actions = ["1 stand"]

[[round]]
bets    = ["1 ann* 10"]
cards   = "Tc 7d 9s | Th"
actions = ["1 stand"]
"""


def test_the_records_that_the_mistakes_are_made_in_are_good() -> None:
    for text in (GOOD, SEVERAL):
        assert replay(read(text)).differences == ()


# old text, new text, line of the mistake, what its message must hold
IN_GOOD = [
    # TOML itself
    ("record  = 1", "record  = ", 1, "TOML"),
    ('title   = "Two', "title   = Two", 2, "TOML"),
    ('cites   = ["13.1"]', 'cites   = ["13.1"', 4, "TOML"),
    ('pair"', "pair", 2, "TOML"),
    ('[\n  "1 ann* 100"', '[\n  "1 ann* 100', 11, "TOML"),
    ("game    =", "game =\ngame    =", 4, "TOML"),
    ('dealer  = "6d', 'cards   = "6d', 20, "TOML"),
    ("decks = 6", f"decks = {'9' * 5000}", 5, "a shorter number"),
    # keys
    ("record  = 1", "record  = 2", 1, "record = 1"),
    ("record  = 1", 'record  = "1"', 1, "record = 1"),
    ("record  = 1", "record  = 1.0", 1, "record = 1"),
    ("record  = 1", "record  = true", 1, "record = 1"),
    ("record  = 1\n", "", 1, "record = 1"),
    ("title   =", "titel   =", 2, "unknown key 'titel'"),
    ("dealer  =", "Dealer  =", 20, "unknown key 'Dealer'"),
    ("dealer  =", "croupier =", 20, "unknown key 'croupier'"),
    ('game    = "melbourne/blackjack"\n', "", 1, 'game = "RULEBOOK/GAME"'),
    # types
    ('"Two players, one pair"', "7", 2, "a text in quotes"),
    ('"Two players, one pair"', "1979-05-27", 2, "a text in quotes"),
    ('["13.1"]', '"13.1"', 3, "a list"),
    ('["13.1"]', "[13.1]", 3, "a text in quotes"),
    ('"melbourne/blackjack"', "7", 4, "a game RULEBOOK/GAME"),
    ('{ decks = 6, perfect_pairs_table = "A" }', "6", 5, "a table"),
    ('["perfect-pairs", "supernova"]', '"perfect-pairs"', 6, "a list"),
    ("{ min = 5, max = 1000, chip = 0.5 }", "5", 7, "a table"),
    ("{ seed = 5000, rate = 0.05, value = 7310.2 }", "7310.2", 9, "a table"),
    ('"8s 6d 8h | Th Tc | Td 9c"', '["8s"]', 15, "a text in quotes"),
    ('["1 split bob", "1 stand", "?1 insure ann 10",\n           "1 stand"]', '"1 stand"', 16, "a list"),
    ('"1 stand"]\nresults', "7]\nresults", 17, "a text in quotes"),
    ('"6d Td 9c"', '["6d", "Td"]', 20, "a text in quotes"),
    ('dealer  = "6d Td 9c"', "void    = 1", 20, "true or false"),
    ("decks = 6", "decks = [6]", 5, "a number, a text, true or false"),
    ("decks = 6", "decks = { six = 6 }", 5, "a number, a text, true or false"),
    # names of the rulebook
    ("melbourne/blackjack", "melbourne/blakjack", 4, "did you mean 'melbourne/blackjack'?"),
    ("melbourne/blackjack", "macau/blackjack", 4, "a known game"),
    ("melbourne/blackjack", "blackjack", 4, "RULEBOOK/GAME"),
    ('"supernova"]', '"super-nova"]', 6, "a side wager of the book, not 'super-nova'"),
    ('"supernova"]', '"any-pairs"]', 6, "a side wager of the book, not 'any-pairs'"),
    ('"supernova"]', '"perfect-pairs"]', 6, "named twice"),
    ('"supernova"]', '"pot-of-gold"]', 6, "cannot be offered"),
    ("decks = 6", "deks = 6", 5, "has no option 'deks'"),
    ("decks = 6", "decks = 3", 5, "decks cannot be 3"),
    ("decks = 6", "decks = 6.5", 5, "one of the values the book allows"),
    ("decks = 6", "decks = 0", 5, "an infinite deck"),
    ("decks = 6", 'decks = "inf"', 5, "an infinite deck"),
    ("decks = 6", "decks = true", 5, "decks cannot be true"),
    ("decks = 6", "decks = -6", 5, "decks cannot be -6"),
    ("decks = 6", "blackpot_max = -1", 5, "above zero"),
    ("decks = 6", "decks = 6, readings = 7", 5, "a table"),
    ("decks = 6", 'decks = 6, readings = { no-such = "x" }', 5, "has no reading 'no-such'"),
    ("decks = 6", 'decks = 6, readings = { drawn_21_against_dealer_natural = "wins" }', 5, "cannot be"),
    ("decks = 6", "decks = 6, layout = 1", 5, "has no option 'layout'"),
    ('table = "A"', 'table = "Z"', 5, "perfect_pairs_table cannot be"),
    ("supernova-major =", "supernova-mayor =", 9, "a meter of the book"),
    # limits and meters
    ("min = 5", "min = -5", 7, "an amount such as 25"),
    ("min = 5", "min = 0", 7, "above 0"),
    ("min = 5", "min = 2000", 7, "not above the maximum"),
    ("min = 5", 'min = "5"', 7, "an amount such as 25"),
    ("min = 5", "min = nan", 7, "an amount such as 25"),
    ("min = 5", "min = inf", 7, "an amount such as 25"),
    ("min = 5", "min = 1e400", 7, "an amount such as 25"),
    ("min = 5", "min = 0.0000001", 7, "no more than 6 decimals"),
    ("chip = 0.5", "chips = 0.5", 7, "one of min, max, chip"),
    (", value = 7310.2", "", 9, "a meter { seed"),
    ("value = 7310.2", "value = 7310.2, floor = 1", 9, "a meter { seed"),
    ("rate = 0.05", "rate = -0.05", 9, "an amount such as 25"),
    ('dealer  = "6d Td 9c"', "meters_after = { supernova-major = nan }", 20, "an amount such as 25"),
    ('dealer  = "6d Td 9c"', "meters_after = { jackpot = 5 }", 20, "a meter of the book"),
    # bets
    ("1 bob 50", "bob 50", 12, "a bet BOX PLAYER AMOUNT"),
    ("1 bob 50", "", 12, "a bet BOX PLAYER AMOUNT"),
    ("1 bob 50", "1 bob fifty", 12, "an amount above zero"),
    ("1 bob 50", "1 bob -50", 12, "an amount above zero"),
    ("1 bob 50", "1 bob 0", 12, "an amount above zero"),
    ("1 bob 50", "1 bob NaN", 12, "an amount above zero"),
    ("1 bob 50", "1 bob 5e1", 12, "an amount above zero"),
    ("1 bob 50", "1 bob 9999999999999", 12, "an amount above zero"),
    ("1 bob 50", "one bob 50", 12, "the number of a box"),
    ("1 bob 50", "1c bob 50", 12, "the number of a box"),
    ("1 bob 50", "-1 bob 50", 12, "the number of a box"),
    ("1 bob 50", "1 b=b 50", 12, "the name of a player"),
    ("1 bob 50", "1 * 50", 12, "the name of a player"),
    ("1 bob 50", f"1 {'b' * 50} 50", 12, "the name of a player"),
    ("1 bob 5 perfect-pairs", "1 bob 5 perfect-pears", 13, "a side wager of the book, not 'perfect-pears'"),
    ("1 bob 5 perfect-pairs", "1 bob 5 insurance", 13, "a side wager of the book, not 'insurance'"),
    ("1 bob 5 perfect-pairs", "1 bob 5 Main", 13, "the id of a side wager"),
    # cards
    ("8s 6d", "8x 6d", 15, "a card, a rank of A23456789TJQK and a suit of shdc such as Td, not '8x'"),
    ("8s 6d", "10s 6d", 15, "not '10s'"),
    ("8s 6d", "8s, 6d", 15, "not '8s,'"),
    ("8s 6d", "8♠ 6d", 15, "not '8♠'"),
    ('"6d Td 9c"', '"6d Td nine"', 20, "not 'nine'"),
    # actions
    ('"1 split bob"', '"1 splt bob"', 16, "one of hit, stand"),
    ('"1 split bob"', '"split 1 bob"', 16, "the number of a box"),
    ('"1 split bob"', '""', 16, "an action BOX VERB"),
    ('"1 split bob"', '"?"', 16, "an action BOX VERB"),
    ('"1 split bob"', '"??1 split"', 16, "the number of a box"),
    ('"1 split bob"', '"1 split bob @7.5"', 16, "only refused"),
    ('"1 split bob"', '"?1 split bob @"', 16, "the number of a clause after @"),
    ('"1 split bob"', '"!void"', 16, "!ROLE VERB"),
    ('"1 split bob"', '"!inspector sing"', 16, "after the role, not 'sing'"),
    ('"?1 insure ann 10"', '"?1 insure ann ten"', 16, "an amount above zero"),
    ('"1 stand"]\nresults', '"1 stand now"]\nresults', 17, "nothing after the verb"),
    # results
    ("1 bob perfect-pairs +30", "1 bob +30", 19, "a result BOX PLAYER WAGER NET"),
    ("1 bob perfect-pairs +30", "1 bob perfect-pairs 30-", 19, "what was won or lost"),
    ("1 bob perfect-pairs +30", "1 bob perfect-pairs nan", 19, "what was won or lost"),
    ("1 bob perfect-pairs +30", "1 bob side +30", 19, "main, insurance or a side wager of the book"),
    ("1 bob perfect-pairs +30", "1 bob main +100", 19, "one line for 1 bob main, not two"),
    # what must be there
    ('cards   = "8s 6d 8h | Th Tc | Td 9c"\n', "", 1, 'cards = "8s 8d | Ac"'),
]

IN_SEVERAL = [
    ('cards   = "Tc 7d 9s | Th"\nactions = ["1 stand"]\n\n[[', "[[", 4, "cards = "),
    ("record = 1", 'record = 1\nbets = ["1 ann 5"]', 2, "bets inside each [[round]]"),
    ("record = 1", "record = 1\nvoid = true", 2, "void inside each [[round]]"),
    ("[[round]]\nbets", "[[round]]\nlimits = { min = 5 }\nbets", 5, "limits above the first [[round]]"),
    ("[[round]]\nbets", "[[round]]\nseed = 5\nbets", 5, "unknown key 'seed'"),
    ("record = 1", "record = 1\nround = 7", 5, "TOML"),
    (
        '"1 ann* 10"]\ncards   = "Tc 7d 9s | Th"\nactions = ["1 stand"]\n\n',
        '"1 ann* ten"]\ncards = "Tc"\n\n',
        5,
        "an amount",
    ),
]


@pytest.mark.parametrize(("old", "new", "line", "expected"), IN_GOOD)
def test_a_mistake_in_a_record_is_told_with_its_line(old: str, new: str, line: int, expected: str) -> None:
    complain(GOOD, old, new, line, expected)


@pytest.mark.parametrize(("old", "new", "line", "expected"), IN_SEVERAL)
def test_a_mistake_in_one_of_several_rounds_is_told_with_its_line(old: str, new: str, line: int, expected: str) -> None:
    complain(SEVERAL, old, new, line, expected)


def complain(text: str, old: str, new: str, line: int, expected: str) -> None:
    assert old in text
    with pytest.raises(RecordError) as caught:
        read(text.replace(old, new, 1), "some.round.toml")
    message = str(caught.value)
    assert message.startswith(f"some.round.toml:{line}: expected "), message
    assert expected in message
    assert message.isprintable()
    assert len(message) < 400


@pytest.mark.parametrize("round_", ["7", '["a"]', "[]", "{}"])
def test_rounds_that_are_no_tables_are_refused(round_: str) -> None:
    with pytest.raises(RecordError, match=r"r:3: expected \[\[round\]\] tables"):
        read(f'record = 1\ngame = "star/blackjack"\nround = {round_}\n', "r")


def test_a_text_nested_without_end_is_refused() -> None:
    with pytest.raises(RecordError, match="nested too deeply"):
        read("x = " + "[" * 100_000, "r")
    with pytest.raises(RecordError, match="r:1: expected"):
        read("x = " + "[" * 150 + "]" * 150, "r")


# Fuzz ---------------------------------------------------------------------------------------------

TEXTS = [path.read_bytes() for path in RECORDS]
TOKEN = re.compile(rb'[^\s",=\[\]]+')
NUMBER = re.compile(rb"\d+(\.\d+)?")
ODD_NUMBERS = [
    b"-1",
    b"0",
    b"1e400",
    b"nan",
    b"-inf",
    b"9" * 30,
    b"9" * 5000,
    b"0.00000001",
    b"1_000",
    b"0x10",
    b"2024-01-01",
]
ODD_SIGNS = [
    "é",
    "日",
    "\u2028",
    "\0",
    "\u202e",
    "\ufeff",
    "\U0001f0a1",
    '"',
    "\\",
    "'",
    "[[",
    "{",
    "}",
    "|",
    "@",
    "?",
    "!",
    "=",
]
WORDS = (
    b"hit stand double split switch surrender insure even-money forfeit prize absent leave void lucky !system "
    b"!dealer !casino-supervisor 1 2 1a 1b 99 ann bob main insurance buster ann=5 0 true [] {} ? @7.5 As [[round]]"
).split()


def broken(text: bytes, chance: random.Random) -> bytes:
    """A record with one to four things done to it that no author would do."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text)) if text else 0
        tokens, lines = list(TOKEN.finditer(text)), text.split(b"\n")
        kind = chance.randrange(8)
        if kind == 0:
            text = text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + chance.choice(ODD_SIGNS).encode() + text[at:]
        elif kind == 2:
            del lines[chance.randrange(len(lines))]
            text = b"\n".join(lines)
        elif kind == 3:
            lines.insert(chance.randrange(len(lines)), chance.choice(chance.choice(TEXTS).split(b"\n")))
            text = b"\n".join(lines)
        elif kind == 4 and (numbers := list(NUMBER.finditer(text))):
            text = put(text, chance.choice(numbers), chance.choice(ODD_NUMBERS))
        elif kind == 5 and len(tokens) > 1:
            first, second = sorted(chance.sample(tokens, 2), key=lambda token: token.start())
            text = put(put(text, second, first[0]), first, second[0])
        elif tokens:
            text = put(text, chance.choice(tokens), chance.choice(WORDS) if kind == 6 else b"")
    return text


def put(text: bytes, match: re.Match[bytes], new: bytes) -> bytes:
    return text[: match.start()] + new + text[match.end() :]


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), option=st.sampled_from(["--explain", "--json", "--write"]))
@settings(max_examples=250, deadline=None)
def test_no_record_however_broken_breaks_the_program(
    tmp_path_factory: pytest.TempPathFactory, seed: int, option: str
) -> None:
    """One line on stderr for a record that cannot be read; a defect would raise out of `main`."""
    chance = random.Random(seed)
    path = tmp_path_factory.mktemp("fuzz") / "broken.round.toml"
    path.write_bytes(broken(chance.choice(TEXTS), chance))
    assert cli.main(["replay", str(path), option]) in (0, 1, 2)


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@settings(max_examples=100, deadline=None)
def test_no_bytes_break_the_program(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "bytes.round.toml"
    path.write_bytes(content)
    assert cli.main(["replay", str(path)]) == 2


def test_a_broken_record_gets_exactly_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.round.toml"
    chance = random.Random(20)
    codes: set[int] = set()
    for tries in range(600):
        if tries >= 60 and codes == {0, 1, 2}:
            break
        path.write_bytes(broken(chance.choice(TEXTS), chance))
        codes.add(code := cli.main(["replay", str(path)]))
        out, err = capsys.readouterr()
        if code == 2:
            assert out == ""
            assert len(err.splitlines()) == 1
            assert err.startswith(f"pitboss: {path}:")
        elif code == 1:
            assert all(line.startswith(f"{path}: ") for line in out.splitlines())
    assert codes == {0, 1, 2}
