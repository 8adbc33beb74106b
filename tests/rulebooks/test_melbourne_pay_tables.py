"""Every line of the Melbourne book's pay tables, as its register tells it, is what the rules pay.

The register's summaries were written from the book apart from its rulebook file, so each is a check on the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from pitboss.money import Odds
from pitboss.rulebooks import SideWager, rules_for
from pitboss.rulebooks.model.rules import MeterShare
from pitboss.rulebooks.registers import load_register

SUMMARIES = {row.clause: row.summary for row in load_register("melbourne")}


def lines(pattern: str) -> list[tuple[str, ...]]:
    """The clauses whose id matches, each as the groups of the pattern and then its summary."""
    found = [(*match.groups(), said) for clause, said in SUMMARIES.items() if (match := re.fullmatch(pattern, clause))]
    assert found
    return found


def module(game: str, wager: str, **choices: Any) -> SideWager:
    (found,) = rules_for(f"melbourne/{game}", side_wagers=[wager], **choices).side_wagers
    return found


def paid(game: str, wager: str, outcome: str, **choices: Any) -> Fraction:
    odds = module(game, wager, **choices).odds[outcome]
    assert isinstance(odds, Odds)
    return Fraction(odds.win, odds.stake)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def to_1(said: str) -> int:
    """The odds that a summary ends with."""
    found = re.search(r"([\d,]+) to 1\b", said)
    assert found, said
    return number(found[1])


@pytest.mark.parametrize(("letter", "said"), lines(r"11\.5\.4\(([a-j])\)"))
def test_pandemonium_table(letter: str, said: str) -> None:
    table, outcomes, levels = re.findall(r"[\d,]+", said)[:3]
    prizes = module("pontoon", "pontoon-pandemonium", pandemonium_table=number(table)).prizes
    assert number(table) == "abcdefghij".index(letter) + 1
    assert (sum(count for count, _ in prizes), len(prizes)) == (number(outcomes), number(levels))


@pytest.mark.parametrize(("letter", "prize", "said"), lines(r"11\.5\.4\(([a-j])\):\$([\d,]+)"))
def test_pandemonium_prize(letter: str, prize: str, said: str) -> None:
    table, count, _, amount, _ = map(number, re.findall(r"\d[\d,]*", said))
    prizes = module("pontoon", "pontoon-pandemonium", pandemonium_table=table).prizes
    assert table == "abcdefghij".index(letter) + 1
    assert (count, number(prize)) in prizes
    assert amount == number(prize)


@pytest.mark.parametrize(("table", "cards", "said"), lines(r"26\.4\.2:([A-E]):(\d)\+?"))
def test_buster(table: str, cards: str, said: str) -> None:
    assert paid("blackjack", "buster", f"cards-{cards}", buster_table=table) == to_1(said)


@pytest.mark.parametrize(("option", "sums", "said"), lines(r"28\.4\.1:(\d):(.*)"))
@pytest.mark.parametrize("decks", [4, 6, 8])
def test_spread_bet(option: str, sums: str, said: str, decks: int) -> None:
    odds = paid("blackjack", "spread-bet", f"sum-{sums}", spread_bet_option=int(option), decks=decks)
    assert odds == to_1(said)


@pytest.mark.parametrize(("version", "tokens", "said"), lines(r"30\.5\.1:V(\d):(\d)"))
@pytest.mark.parametrize("decks", [6, 8])
def test_pot_of_gold(version: str, tokens: str, said: str, decks: int) -> None:
    odds = paid("free-bet", "pot-of-gold", f"tokens-{tokens}", pot_of_gold_version=int(version), decks=decks)
    assert odds == to_1(said)


@pytest.mark.parametrize(("decks", "suits", "said"), lines(r"16\.4\.1:(\d):(.*)"))
def test_crown_suits(decks: str, suits: str, said: str) -> None:
    outcome = suits.lower().replace(" ", "-")
    assert paid("blackjack", "crown-suits", outcome, decks=int(decks)) == to_1(said)


@pytest.mark.parametrize(
    ("stage", "outcome"),
    [
        ("Initial deal", "two-cards"),
        ("Subsequent deal", "three-cards"),
        ("Ensuing initial deal", "carried-two-cards"),
        ("Ensuing subsequent deal", "carried-three-cards"),
    ],
)
def test_blackpot(stage: str, outcome: str) -> None:
    assert paid("blackjack", "blackpot", outcome) == to_1(SUMMARIES[f"23.4.1:{stage}"])


@pytest.mark.parametrize(("version", "hand", "said"), lines(r"13\.7\.1 Table (\d):(.*)"))
def test_magnificent_sevens(version: str, hand: str, said: str) -> None:
    count, suits = re.fullmatch(r"(Three|Two) sevens (same|mixed) suits?", hand).groups()  # type: ignore[union-attr]
    outcome = f"{count.lower()}-{'suited' if suits == 'same' else 'mixed'}"
    by_decks = {int(decks): number(odds) for odds, decks in re.findall(r"(\d+) \((\d)(?: decks)?\)", said)}
    for decks in range(4, 9):
        odds = paid("blackjack", "magnificent-sevens", outcome, magnificent_sevens_version=int(version), decks=decks)
        assert odds == (by_decks[decks] if by_decks else _sevens_odds(said))


def _sevens_odds(said: str) -> int:
    found = re.search(r"pay ([\d,]+) to 1", said)
    assert found, said
    return number(found[1])


@pytest.mark.parametrize(
    ("prize", "outcome"),
    [
        ("Three Aces, not suited", "three-aces"),
        ("Suited Blackjack", "suited-natural"),
        ("Unsuited Blackjack", "unsuited-natural"),
        ("Lucky Player", "lucky"),
    ],
)
def test_blackjack_jackpots(prize: str, outcome: str) -> None:
    assert paid("blackjack", "blackjack-jackpots", outcome, decks=6) == to_1(SUMMARIES[f"21.10.1:{prize}"])


@pytest.mark.parametrize(
    ("clause", "wager", "outcome", "meter"),
    [
        ("21.10.1:Suited Aces - Spades", "blackjack-jackpots", "suited-aces-spades", "blackjack-jackpots"),
        ("21.10.1:Suited Aces - Not Spades", "blackjack-jackpots", "suited-aces", "blackjack-jackpots"),
        ("24.9.1:Major Jackpot", "supernova", "major", "supernova-major"),
        ("24.9.1:Minor Jackpot", "supernova", "minor", "supernova-minor"),
        ("24.9.1:Mystery Jackpot", "supernova", "mystery", "supernova-mystery"),
    ],
)
def test_meter_prize(clause: str, wager: str, outcome: str, meter: str) -> None:
    share = re.search(r"(\d+)%", SUMMARIES[clause])
    assert share
    assert module("blackjack", wager, decks=6).odds[outcome] == MeterShare(meter, int(share[1]))


PAIRS: Sequence[tuple[str, str, dict[str, Any], int]] = [
    # one line for each column of 15.4.1: perfect, coloured and mixed pairs as their summaries list them
    ("Perfect", "perfect", {"decks": 4, "perfect_pairs_table": "A"}, 25),
    ("Perfect", "perfect", {"decks": 4, "perfect_pairs_table": "B"}, 30),
    ("Perfect", "perfect", {"decks": 5}, 25),
    ("Perfect", "perfect", {"decks": 6, "perfect_pairs_table": "A"}, 25),
    ("Perfect", "perfect", {"decks": 6, "perfect_pairs_table": "B"}, 30),
    ("Perfect", "perfect", {"decks": 7}, 25),
    ("Perfect", "perfect", {"decks": 8}, 25),
    ("Coloured", "coloured", {"decks": 4, "perfect_pairs_table": "A"}, 15),
    ("Coloured", "coloured", {"decks": 4, "perfect_pairs_table": "B"}, 12),
    ("Coloured", "coloured", {"decks": 5}, 14),
    ("Coloured", "coloured", {"decks": 6, "perfect_pairs_table": "A"}, 13),
    ("Coloured", "coloured", {"decks": 6, "perfect_pairs_table": "B"}, 10),
    ("Coloured", "coloured", {"decks": 7}, 12),
    ("Coloured", "coloured", {"decks": 8}, 12),
    ("Mixed", "mixed", {"decks": 4, "perfect_pairs_table": "A"}, 6),
    ("Mixed", "mixed", {"decks": 4, "perfect_pairs_table": "B"}, 5),
    ("Mixed", "mixed", {"decks": 5}, 6),
    ("Mixed", "mixed", {"decks": 6, "perfect_pairs_table": "A"}, 6),
    ("Mixed", "mixed", {"decks": 6, "perfect_pairs_table": "B"}, 5),
    ("Mixed", "mixed", {"decks": 7}, 6),
    ("Mixed", "mixed", {"decks": 8}, 6),
]


@pytest.mark.parametrize(("pair", "outcome", "choices", "odds"), PAIRS)
def test_perfect_pairs(pair: str, outcome: str, choices: dict[str, Any], odds: int) -> None:
    assert paid("blackjack", "perfect-pairs", outcome, **choices) == odds
    assert f"{odds}:1" in SUMMARIES[f"15.4.1:{pair} Pair"]


@pytest.mark.parametrize("decks", [6, 8])
def test_perfect_pairs_at_pontoon(decks: int) -> None:
    found = [paid("pontoon", "perfect-pairs", outcome, decks=decks) for outcome in ("perfect", "coloured", "mixed")]
    assert found == [25, 10, 5]
