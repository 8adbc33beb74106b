"""Cards, decks and compositions; exact amounts, odds, and rounding up to what can be paid."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pitboss.cards import (
    CARD_ID,
    CARDS,
    DECK_48,
    DECK_52,
    RANKS,
    SUITS,
    VALUE,
    CardError,
    colour,
    composition,
    deck,
    decks,
    parse_card,
    parse_cards,
)
from pitboss.money import (
    CENT,
    Money,
    MoneyError,
    Odds,
    exact_ratio,
    half,
    parse_money,
    parse_odds,
    round_up,
    round_up_fraction,
    show,
)

# Cards -----------------------------------------------------------------------------------------------------


def test_there_are_fifty_two_cards_and_each_has_its_number() -> None:
    assert len(CARDS) == len(set(CARDS)) == 52
    assert [CARD_ID[card] for card in CARDS] == list(range(52))
    for card, number in CARD_ID.items():
        assert card == RANKS[number // 4] + SUITS[number % 4]


def test_values_are_points_with_every_ace_as_one() -> None:
    assert [VALUE[f"{rank}s"] for rank in RANKS] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_the_pack_of_48_has_no_tens_but_all_pictures() -> None:
    assert len(DECK_48) == 48
    assert {card[0] for card in DECK_52} - {card[0] for card in DECK_48} == {"T"}
    assert sum(VALUE[card] == 10 for card in DECK_48) == 12


@pytest.mark.parametrize("size", [52, 48])
@pytest.mark.parametrize("count", [1, 4, 8])
def test_packs_hold_each_card_as_often_as_there_are_decks(size: int, count: int) -> None:
    counted = composition(decks(count, size))
    assert len(counted) == size
    assert set(counted.values()) == {count}
    assert counted.total() == size * count
    assert composition(deck(size)) == composition(decks(1, size))


@pytest.mark.parametrize("size", [0, 36, 53])
def test_other_packs_do_not_exist(size: int) -> None:
    with pytest.raises(CardError, match=str(size)):
        deck(size)


@given(st.lists(st.sampled_from(CARDS)), st.sampled_from([" ", " | ", "  ", "|"]))
def test_cards_read_back_as_they_were_written(cards: list[str], between: str) -> None:
    assert parse_cards(between.join(cards)) == tuple(cards)
    assert parse_cards(between.join(cards).swapcase()) == tuple(cards)


@given(st.text(max_size=4))
def test_a_text_is_a_card_or_is_refused_by_name(text: str) -> None:
    try:
        card = parse_card(text)
    except CardError as error:
        assert text in str(error)  # noqa: PT017
    else:
        assert card in CARD_ID
        assert card.lower() == text.lower()


def test_colours() -> None:
    assert {suit: colour(f"A{suit}") for suit in SUITS} == {"s": "black", "h": "red", "d": "red", "c": "black"}


# Money -----------------------------------------------------------------------------------------------------

amounts = st.decimals(min_value=0, max_value=10**9, places=2)
chips = st.sampled_from([Decimal(text) for text in ("0.01", "0.05", "0.5", "1", "2.5", "5", "100")])
odds = st.builds(Odds, st.integers(0, 20000), st.integers(1, 20))


@pytest.mark.parametrize(
    ("text", "expected"), [("3:2", (3, 2)), ("6 to 5", (6, 5)), (" 10:1 ", (10, 1)), ("0:1", (0, 1))]
)
def test_odds_are_read(text: str, expected: tuple[int, int]) -> None:
    assert parse_odds(text) == expected


@pytest.mark.parametrize("text", ["", "3", "3:0", "-3:2", "3:2:1", "1.5:1", "three to two", "3/2"])
def test_what_is_no_odds_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match="is not odds"):
        parse_odds(text)


@given(odds)
def test_odds_read_back_as_they_were_written(pair: Odds) -> None:
    assert parse_odds(str(pair)) == pair


@pytest.mark.parametrize(
    ("pair", "stake", "chip", "paid"),
    [
        ("3:2", "5", None, "7.5"),
        ("3:2", "5", "1", "8"),
        ("3:2", "10", "1", "15"),
        ("6:5", "25", None, "30"),
        ("6:5", "2.5", "0.5", "3"),
        ("6:5", "7", "0.5", "8.5"),
        ("10:1", "3", None, "30"),
        ("1:3", "10", None, "3.34"),
        ("1:3", "10", "0.5", "3.5"),
        ("1:1", "0", "5", "0"),
    ],
)
def test_a_win_is_paid_and_rounded_up_to_the_smallest_chip(pair: str, stake: str, chip: str | None, paid: str) -> None:
    assert parse_odds(pair).pay(Decimal(stake), None if chip is None else Decimal(chip)) == Decimal(paid)


@given(odds, amounts)
def test_a_payment_is_exact_or_the_next_cent_above(pair: Odds, stake: Money) -> None:
    paid, exact = Fraction(pair.pay(stake)), Fraction(stake) * pair.win / pair.stake
    assert exact <= paid < exact + Fraction(CENT)
    if paid != exact:
        assert (paid / Fraction(CENT)).denominator == 1


@given(odds, amounts, chips)
def test_a_payment_in_chips_is_the_smallest_that_is_enough(pair: Odds, stake: Money, chip: Money) -> None:
    paid, exact = pair.pay(stake, chip), Fraction(stake) * pair.win / pair.stake
    assert paid % chip == 0
    assert Fraction(paid) >= exact
    assert Fraction(paid - chip) < max(exact, Fraction(1, 10**9))


@given(amounts, chips)
def test_rounding_up_changes_nothing_that_can_be_paid(amount: Money, chip: Money) -> None:
    rounded = round_up(amount, chip)
    assert round_up(rounded, chip) == rounded
    assert round_up(amount, None) == amount
    assert round_up_fraction(Fraction(amount), chip) == rounded


@given(amounts, amounts, chips)
def test_rounding_up_keeps_order(one: Money, two: Money, chip: Money) -> None:
    assume(one <= two)
    assert round_up(one, chip) <= round_up(two, chip)


@given(amounts)
def test_two_halves_are_the_whole(amount: Money) -> None:
    assert half(amount) * 2 == amount


@given(amounts, st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_ratio_is_never_too_small(amount: Money, numerator: int, denominator: int) -> None:
    result = exact_ratio(amount, numerator, denominator)
    assert Fraction(result) >= Fraction(amount) * numerator / denominator
    assert exact_ratio(amount, numerator, numerator) == amount


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=4))
def test_amounts_read_back_as_they_are_shown(amount: Money) -> None:
    for sign in (False, True):
        text = show(amount, sign=sign)
        assert parse_money(text) == amount
        assert "E" not in text
        assert not text.startswith("-0") or text.startswith("-0.")
    assert show(amount, sign=True).startswith("+") == (amount > 0)


@pytest.mark.parametrize(
    ("amount", "text"), [("12.50", "12.5"), ("1E+3", "1000"), ("0.00", "0"), ("-0", "0"), ("-0.75", "-0.75")]
)
def test_amounts_are_shown_without_trailing_zeros(amount: str, text: str) -> None:
    assert show(Decimal(amount)) == text


@pytest.mark.parametrize("text", ["", "five", "1,5", "NaN", "Infinity", "-inf", "1e400", "1e-400", "0x10", None, 1.5j])
def test_what_is_no_amount_is_refused(text: object) -> None:
    with pytest.raises(MoneyError, match="is not an amount"):
        parse_money(text)  # type: ignore[arg-type]
