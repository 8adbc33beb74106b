"""What side wagers and insurance are worth: every value known beforehand, and the ways they were counted."""

from __future__ import annotations

import contextlib
import functools
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import pitboss
from pitboss.cards import VALUE, Card, deck
from pitboss.odds.sides import (
    SideEdge,
    SideWagerError,
    dealer_busts,
    insurance_odds,
    pack_of,
    side_odds,
    super_bonus_odds,
)
from pitboss.odds.sides.counting import BY_VALUE, Pack, classes, list_draws
from pitboss.odds.sides.free_tokens import for_tokens, legal_tokens
from pitboss.odds.sides.meter_prizes import MeterError
from pitboss.play.packed import pack
from pitboss.play.side_wagers.judges import KEYS
from pitboss.rulebooks import BOOKS, RulebookError, load_book, rules_for
from pitboss.table.state import Phase

F = Fraction
ASKED = ("meter", "stake", "picks", "entry", "best_play")


def worth(game: str, wager: str, **choices: Any) -> SideEdge:
    """The side wager at a table of the game with these options; `ASKED` go to the question, not to the table."""
    asked = {name: choices.pop(name) for name in ASKED if name in choices}
    return side_odds(rules_for(game, side_wagers=[wager], **choices), wager, **asked)


def percent(edge: SideEdge) -> float:
    return round(float(edge.house_edge) * 100, 3)


# ---------------------------------------------------------------------- decided by the deal


@pytest.mark.parametrize(
    ("decks", "column", "edge"),
    [
        (4, 1, F(14, 207)), (6, 2, F(31, 311)), (6, 3, F(6, 311)), (6, 4, F(18, 311)), (6, 5, F(19, 311)),
        (8, 6, F(33, 415)), (8, 7, F(17, 415)),
    ],
)  # fmt: skip
def test_perth_perfect_pairs_by_column(decks: int, column: int, edge: Fraction) -> None:
    for game in ("perth/blackjack", "perth/vegas", "perth/plus"):
        assert worth(game, "perfect-pairs", decks=decks, perfect_pairs_table=column).house_edge == edge


@pytest.mark.parametrize(
    ("game", "decks", "table", "edge"),
    [
        ("blackjack", 4, "A", F(1, 23)), ("blackjack", 4, "B", F(14, 207)), ("blackjack", 5, "A", F(10, 259)),
        ("crown", 6, "A", F(13, 311)), ("sports", 6, "B", F(18, 311)), ("select", 7, "A", F(6, 121)),
        ("free-bet", 8, "A", F(17, 415)), ("pontoon", 6, None, F(19, 287)), ("spanish", 8, None, F(17, 383)),
    ],
)  # fmt: skip
def test_melbourne_perfect_pairs(game: str, decks: int, table: str | None, edge: Fraction) -> None:
    options = {} if table is None else {"perfect_pairs_table": table}
    assert worth(f"melbourne/{game}", "perfect-pairs", decks=decks, **options).house_edge == edge


@pytest.mark.parametrize(
    ("wager", "decks", "edge"),
    [
        ("perfect-pairs", 8, F(14, 415)), ("perfect-pairs", 6, F(18, 311)),
        ("any-pairs", 8, F(43, 415)), ("any-pairs", 6, F(35, 311)),
    ],
)  # fmt: skip
def test_star_pairs(wager: str, decks: int, edge: Fraction) -> None:
    assert worth("star/blackjack", wager, decks=decks).house_edge == edge


@pytest.mark.parametrize(
    ("wager", "edges"),
    [
        ("player-pair", (F(3, 23), F(31, 259), F(35, 311), F(13, 121), F(43, 415))),
        ("under-13", (F(271, 2691), F(339, 3367), F(407, 4043), F(475, 4719), F(543, 5395))),
        ("over-13", (F(59, 897), F(17, 259), F(265, 4043), F(103, 1573), F(353, 5395))),
    ],
)
def test_sentosa_side_wagers_from_four_to_eight_decks(wager: str, edges: tuple[Fraction, ...]) -> None:
    assert tuple(worth("rws/blackjack", wager, decks=decks).house_edge for decks in range(4, 9)) == edges


def test_super_match_of_six_decks() -> None:
    edge = worth("star/switch", "super-match")
    assert edge.house_edge == F(126536, 4965115)
    sets = 387_278_970
    counted = {"four-of-a-kind": 138_138, "two-pair": 5_941_728, "three-of-a-kind": 7_577_856, "pair": 136_401_408}
    assert {name: edge.probability(name) * sets for name in counted} == counted
    assert edge.probability("loses") * sets == 237_219_840


@pytest.mark.parametrize(("decks", "cards_52", "cards_48"), [(4, 8.147, 8.305), (6, 7.514, 7.619), (8, 7.197, 7.277)])
def test_crown_suits(decks: int, cards_52: float, cards_48: float) -> None:
    assert percent(worth("melbourne/blackjack", "crown-suits", decks=decks)) == cards_52
    assert percent(worth("melbourne/pontoon", "crown-suits", decks=decks)) == cards_48


def test_crown_suits_favours_the_player_where_both_tiers_are_paid() -> None:
    edge = worth("melbourne/blackjack", "crown-suits", decks=6, readings={"crown_suits_tiers": "both"})
    assert edge.favours_player
    assert round(float(edge.expectation), 3) == 0.046


@pytest.mark.parametrize(
    ("decks", "edges"), [(4, (7.358, 6.392, 5.277)), (6, (7.272, 6.233, 5.095)), (8, (7.229, 6.154, 5.005))]
)
def test_spread_bet_by_option(decks: int, edges: tuple[float, ...]) -> None:
    found = [worth("melbourne/blackjack", "spread-bet", decks=decks, spread_bet_option=option) for option in (1, 2, 3)]
    assert tuple(map(percent, found)) == edges


def test_spread_bet_favours_the_player_in_the_pontoon_pack() -> None:
    found = [worth("melbourne/pontoon", "spread-bet", decks=6, spread_bet_option=option) for option in (1, 2, 3)]
    assert tuple(map(percent, found)) == (-8.856, -10.075, -11.411)
    assert all(edge.favours_player for edge in found)


PRIZES = {
    1: (112501, 2292400), 2: (51566, 1051500), 3: (49531, 1010000), 4: (37501, 764700), 5: (35826, 730500),
    6: (10029, 204490), 7: (20437, 416700), 8: (37633, 767340), 9: (100, 2039), 10: (100, 2040),
}  # fmt: skip
NATURALS = {4: F(8, 191), 5: F(10, 239), 6: F(12, 287), 7: F(14, 335), 8: F(16, 383)}


@pytest.mark.parametrize("table", PRIZES)
@pytest.mark.parametrize("decks", NATURALS)
def test_pandemonium_pays_the_mean_prize_of_the_table_in_force(table: int, decks: int) -> None:
    edge = worth("melbourne/pontoon", "pontoon-pandemonium", decks=decks, pandemonium_table=table)
    tickets, sum_of_prizes = PRIZES[table]
    assert edge.win_probability == NATURALS[decks]
    assert edge.expectation == NATURALS[decks] * F(sum_of_prizes, tickets) - (1 - NATURALS[decks])


def test_pandemonium_returns_with_the_stake_back_and_without() -> None:
    for table in PRIZES:
        back = worth("melbourne/six-to-five-pontoon", "pontoon-pandemonium", pandemonium_table=table)
        kept = worth(
            "melbourne/pontoon", "pontoon-pandemonium", pandemonium_table=table, readings={"pandemonium_stake": "kept"}
        )
        assert 0.8930 <= float(1 + back.expectation) < 0.8945
        assert 0.8512 <= float(1 + kept.expectation) < 0.8525


# ---------------------------------------------------------------------- jackpots


def test_blackjack_jackpots_of_six_decks() -> None:
    edge = worth("melbourne/blackjack", "blackjack-jackpots")
    one_in = {name: round(float(1 / edge.probability(name)), 3) for name in (
        "suited-aces-spades", "suited-aces", "three-aces", "suited-natural", "unsuited-natural")}  # fmt: skip
    assert one_in == {
        "suited-aces-spades": 250_666, "suited-aces": 83_555.333, "three-aces": 2_578.868,
        "suited-natural": 84.229, "unsuited-natural": 28.076,
    }  # fmt: skip
    assert percent(edge) == 57.339
    assert edge.fixed_part == edge.expectation


def test_a_jackpot_grows_with_its_meter_and_breaks_even_where_it_says() -> None:
    (meter,) = worth("melbourne/blackjack", "blackjack-jackpots", stake=2).meters
    assert meter.break_even is not None
    below = worth("melbourne/blackjack", "blackjack-jackpots", stake=2, meter=meter.break_even // 1)
    fair = worth("melbourne/blackjack", "blackjack-jackpots", stake=2, meter=meter.break_even)
    above = worth("melbourne/blackjack", "blackjack-jackpots", stake=2, meter=meter.break_even // 1 + 1)
    assert below.expectation < 0 < fair.expectation == above.expectation, "the meter is paid in whole dollars"
    low = worth("melbourne/blackjack", "blackjack-jackpots", stake=2, meter=50_000)
    high = worth("melbourne/blackjack", "blackjack-jackpots", stake=2, meter=60_000)
    assert high.expectation - low.expectation == 10_000 * meter.share
    assert high.fixed_part == low.fixed_part == fair.fixed_part


def test_lucky_player_pays_on_top_and_saves_a_lost_stake() -> None:
    plain = worth("melbourne/blackjack", "blackjack-jackpots")
    lucky = worth("melbourne/blackjack", "blackjack-jackpots", picks={"lucky": F(1, 50)})
    assert lucky.expectation == plain.expectation + F(1, 50) * (6 + plain.probability("loses"))


def test_supernova_of_six_decks() -> None:
    edge = worth("melbourne/crown", "supernova")
    assert round(float(1 / edge.probability("major")), 2) == 1347.67
    assert round(float(1 / edge.probability("minor")), 3) == 89.844
    meters = {"supernova-major": Decimal("700"), "supernova-minor": Decimal("20.5")}
    paid = worth("melbourne/crown", "supernova", meter=meters)
    expected = edge.probability("major") * 700 + edge.probability("minor") * F("20.5") - edge.probability("loses")
    assert paid.expectation == expected
    major = next(meter for meter in paid.meters if meter.meter == "supernova-major")
    assert major.break_even is not None
    at_par = worth("melbourne/crown", "supernova", meter={**meters, "supernova-major": major.break_even})
    assert at_par.expectation == 0


def test_the_mystery_meter_counts_only_with_a_chance() -> None:
    silent = worth("melbourne/crown", "supernova", meter={"supernova-mystery": 1000})
    assert silent.expectation == silent.fixed_part
    assert silent.meters[2].break_even is None
    drawn = worth("melbourne/crown", "supernova", meter={"supernova-mystery": 1000}, picks={"mystery": F(1, 2000)})
    assert drawn.expectation - silent.expectation == F(1, 2000) * (1000 + silent.probability("loses"))


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"meter": {"supernova-mayor": 5}}, "supernova-major"),
        ({"meter": 5}, "say which"),
        ({"meter": {"supernova-major": -5}}, "cannot be -5"),
        ({"picks": {"lucky": F(1, 2)}}, "no prize 'lucky'"),
        ({"picks": {"mystery": F(3, 2)}}, "from 0 to 1"),
        ({"stake": 0}, "above zero"),
    ],
)
def test_a_meter_question_that_makes_no_sense_is_refused(asked: dict[str, Any], complaint: str) -> None:
    with pytest.raises((MeterError, SideWagerError), match=complaint):
        worth("melbourne/crown", "supernova", **asked)


def test_a_wager_without_meters_takes_none() -> None:
    with pytest.raises(SideWagerError, match="no meter"):
        worth("star/blackjack", "any-pairs", meter=100)
    with pytest.raises(SideWagerError, match="not on offer"):
        side_odds(rules_for("star/blackjack"), "any-pairs")


# ---------------------------------------------------------------------- decided by play


@pytest.mark.parametrize(
    ("version", "edges"),
    [(1, (19.705, 22.913, 23.912, 25.792, 26.252)), (2, (10.798, 11.544, 10.779, 11.339, 10.777))],
)
def test_magnificent_sevens_when_the_third_card_is_always_taken(version: int, edges: tuple[float, ...]) -> None:
    found = [
        worth("melbourne/blackjack", "magnificent-sevens", decks=decks, magnificent_sevens_version=version)
        for decks in range(4, 9)
    ]
    assert [100 * float(edge.house_edge) for edge in found] == pytest.approx(edges, abs=0.0006)


def test_an_entry_to_the_tournament_is_valued_apart() -> None:
    without = worth("melbourne/crown", "magnificent-sevens", decks=8)
    entry = F(370_000, 49) + 770
    valued = worth("melbourne/crown", "magnificent-sevens", decks=8, entry=entry)
    assert without.entry_probability is not None
    assert valued.expectation - without.expectation == without.entry_probability * entry
    assert (
        worth("melbourne/crown", "magnificent-sevens", magnificent_sevens_version=2, entry=entry).entry_probability
        is None
    )


def test_sevens_of_a_player_who_never_draws_are_two_sevens() -> None:
    edge = worth("melbourne/blackjack", "magnificent-sevens", decks=8, best_play=lambda one, two, up: "stand")
    assert edge.player == "game"
    assert edge.probability("two-suited") == F(4 * 8 * 7, 416 * 415)
    assert edge.probability("two-mixed") == F(32 * 24, 416 * 415)
    assert {outcome.id for outcome in edge.outcomes} == {"two-suited", "two-mixed", "loses"}


def test_sevens_drawn_to_against_some_up_cards_only() -> None:
    def opening(one: Card, two: Card, up: Card) -> str:
        return "split" if up[0] == "7" else "stand"

    edge = worth("melbourne/blackjack", "magnificent-sevens", decks=4, best_play=opening)
    sevens = F(16 * 15 * 14 * 13, 208 * 207 * 206 * 205)
    assert edge.probability("three-suited") + edge.probability("three-mixed") == sevens


@pytest.mark.parametrize(
    ("decks", "cards_52", "cards_48"), [(4, 11.377, -16.812), (6, 11.779, -16.192), (8, 11.979, -15.884)]
)
def test_blackpot_when_the_third_card_is_always_taken(decks: int, cards_52: float, cards_48: float) -> None:
    assert percent(worth("melbourne/blackjack", "blackpot", decks=decks)) == cards_52
    pontoon = worth("melbourne/pontoon", "blackpot", decks=decks)
    assert percent(pontoon) == cards_48
    assert pontoon.favours_player


def test_blackpot_of_a_player_who_never_draws_wins_ten_and_loses_the_stake() -> None:
    edge = worth("melbourne/blackjack", "blackpot", best_play=lambda one, two, up: "surrender")
    two = F(3 * 2 * 32 * 32, 416 * 415)
    assert edge.expectation == two * 9 - (1 - two)


def test_a_posted_maximum_caps_each_payout_of_blackpot() -> None:
    free = worth("melbourne/blackjack", "blackpot")
    capped = worth("melbourne/blackjack", "blackpot", blackpot_max=5000, stake=10)
    assert max(outcome.net for outcome in capped.outcomes) == 10 + 100 + 500 + 500
    whole = worth(
        "melbourne/blackjack", "blackpot", blackpot_max=5000, stake=10, readings={"blackpot_cap": "each-wager"}
    )
    assert max(outcome.net for outcome in whole.outcomes) == 500
    assert whole.expectation < capped.expectation < free.expectation


def test_a_blackpot_carried_for_ever_is_the_limit_of_carrying_it_once_more() -> None:
    once = worth("melbourne/blackjack", "blackpot")
    again = worth("melbourne/blackjack", "blackpot", readings={"blackpot_after_second_win": "carries-again"})
    two = 1 - once.probability("loses")
    three = two - once.probability("two-cards")
    value, third = F(0), F(0)
    for _ in range(12):
        armed = two - three
        third = (1 - two) * -1 + armed * 999 + three * (21_000 + value)
        value = third
    limit = once.expectation + once.probability("carried-three-cards") * value
    assert abs(limit - again.expectation) < F(1, 10**30)
    assert again.variance > once.variance


DEALER_ALONE = {
    "hit-soft-17": (0.0, 13.3459, 14.1205, 13.5682, 18.1531, 7.4874 + 4.7489, 7.3536, 21.2224),
    "literal-14-2": (12.7752, 13.5401, 12.9451, 12.3871, 16.9709, 6.3038 + 4.7489, 6.2878, 14.0410),
    "s17": (0.0, 14.5245, 13.9258, 13.3685, 17.9527, 7.2874 + 4.7489, 7.2591, 20.9331),
}
"""Chances in per cent of 16 to 22 and of more, six decks, no card removed."""


@pytest.mark.parametrize("reading", DEALER_ALONE)
def test_the_dealer_alone_on_a_fresh_shoe_of_switch(reading: str) -> None:
    rules = rules_for("star/switch", readings={"dealer_drawing_rule": reading})
    busts, totals = dealer_busts(pack(rules), pack_of(rules))
    assert sum(totals.values()) == 1
    assert sum(busts.values()) == sum(chance for points, chance in totals.items() if points > 21)
    more = sum(chance for points, chance in totals.items() if points > 22)
    found = [float(100 * totals.get(points, F(0))) for points in range(16, 23)] + [float(100 * more)]
    assert found == pytest.approx(DEALER_ALONE[reading], abs=1.1e-4)


def test_buster_by_hand_on_three_cards() -> None:
    """Three cards of an infinite deck: any sixteen or less, soft seventeens apart, then a card that is too many."""
    rules = rules_for("melbourne/blackjack", decks="inf")
    busts, _ = dealer_busts(pack(rules), pack_of(rules))
    chance = {value: F(4, 13) if value == 10 else F(1, 13) for value in range(1, 11)}
    three = F(0)
    for one in range(1, 11):
        for two in range(1, 11):
            hard, soft = one + two, 1 in (one, two)
            if soft or hard > 16:
                continue
            three += chance[one] * chance[two] * sum(chance[three] for three in range(1, 11) if hard + three > 21)
    assert busts[3] == three


@pytest.mark.parametrize("table", "ABCDE")
def test_buster_pays_its_table(table: str) -> None:
    rules = rules_for("melbourne/free-bet", side_wagers=["buster"], buster_table=table)
    edge = side_odds(rules, "buster")
    busts, _ = dealer_busts(pack(rules), pack_of(rules))
    odds = {
        "A": (2, 2, 4, 15, 50, 250), "B": (2, 2, 4, 15, 50, 200), "C": (2, 2, 4, 12, 50, 250),
        "D": (2, 2, 4, 12, 50, 200), "E": (2, 2, 3, 12, 50, 250),
    }[table]  # fmt: skip
    paid = sum(chance * odds[min(count, 8) - 3] for count, chance in busts.items())
    assert edge.expectation == paid - (1 - sum(busts.values()))
    assert edge.error_bound == 0


def test_buster_says_so_where_the_dealer_may_not_finish() -> None:
    reading = {"buster_dealer_finishes": "listed-cases"}
    assert worth("melbourne/pontoon", "buster", readings=reading).error_bound > 0
    assert worth("melbourne/blackjack", "buster", readings=reading).error_bound == 0


# ---------------------------------------------------------------------- Pot of Gold


def best_tokens(decks: int, pays: tuple[int, ...]) -> Fraction:
    """The most that any way to play can expect, by looking at every legal choice with all cards seen so far."""
    rules = pack(rules_for("melbourne/free-bet", decks=decks))
    cards = Pack(decks, deck(52))
    values = classes(cards, BY_VALUE)

    @functools.cache
    def best(start: Card, waiting: int, hands: int, tokens: int, seen: tuple[Card, ...]) -> Fraction:
        if waiting == 0:
            return F(pays[tokens])
        total = F(0)
        for card, per_deck in values:
            ways = cards.left(per_deck, seen.count(card))
            if ways == 0:
                continue
            now = tuple(sorted((*seen, card)))
            legal = legal_tokens(rules, start, card, hands)
            options = [best(start, waiting - 1, hands, tokens, now)]
            if "double" in legal:
                options.append(best(start, waiting - 1, hands, tokens + 1, now))
            if "split" in legal:
                options.append(best(start, waiting + 1, hands + 1, tokens + (VALUE[start] != 10), now))
            total += F(ways, cards.left(cards.size, len(seen))) * max(options)
        return total

    return sum(
        (F(weight, cards.orders(1)) * best(card, 1, 1, 0, (card,)) for (card,), weight in list_draws(cards, values)),
        F(0),
    )


@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize(("version", "pays"), [(1, (-1, 3, 10, 30, 60, 100)), (2, (-1, 3, 10, 25, 50, 100))])
def test_no_play_expects_more_of_pot_of_gold(decks: int, version: int, pays: tuple[int, ...]) -> None:
    edge = worth("melbourne/free-bet", "pot-of-gold", decks=decks, pot_of_gold_version=version)
    assert edge.player == "wager"
    assert edge.expectation == best_tokens(decks, pays)


DOUBLES = {2: 3, 3: 3, 4: 3, 5: 2, 6: 3, 7: 3, 8: 2, 9: 1}
"""How many second cards make a free double of a split hand, another pair left out."""


def test_five_tokens_are_two_splits_and_three_doubles() -> None:
    """An infinite deck: the pair comes again on the first split hand, or on the second after the first was doubled."""
    five = F(0)
    for start, doubles in DOUBLES.items():
        one, double = F(1, 13), F(doubles, 13)
        at_three_hands = double + one if start == 5 else double
        five += one**2 * (one * at_three_hands**3 + double * one * at_three_hands**2)
    edge = worth("melbourne/free-bet", "pot-of-gold", decks="inf")
    assert edge.probability("tokens-5") == five
    assert edge.probability("loses") == 1 - _openings()


def _openings() -> Fraction:
    """Openings that use a token: pairs up to nines and aces, hard nine to eleven without a pair."""
    pairs = 9 * F(1, 13) ** 2
    totals = sum(F(1, 13) ** 2 for one in range(2, 10) for two in range(2, 10) if one != two and 9 <= one + two <= 11)
    return pairs + totals


def test_a_player_who_doubles_but_never_splits_uses_one_token_at_most() -> None:
    def opening(one: Card, two: Card, up: Card) -> str:
        return "double" if 9 <= VALUE[one] + VALUE[two] <= 11 and "A" not in one + two else "hit"

    edge = worth("melbourne/free-bet", "pot-of-gold", decks="inf", best_play=opening)
    assert edge.player == "game"
    assert edge.probability("tokens-1") == _openings() - 9 * F(1, 13) ** 2 + F(1, 13) ** 2
    assert edge.probability("tokens-2") == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_the_table_lets_a_token_player_do_what_is_counted(seed: int) -> None:
    """Rounds at a table by the counted player: what may be doubled and split, and what the tokens are then paid."""
    table = pitboss.Table("melbourne/free-bet", decks=6, side_wagers=["pot-of-gold"], seed=seed)
    table.bet("1 ann* 10")
    table.bet("1 ann 1 pot-of-gold")
    table.deal()
    if table.state.phase is Phase.OFFERS:
        table.proceed()  # no insurance
    tokens = 0
    while table.state.phase is Phase.TURNS:
        hands = table.state.boxes[0].hands
        assert table.state.turn is not None
        hand = hands[table.state.turn[1]]
        legal = legal_tokens(table.state.packed, *hand.cards, len(hands)) if len(hand.cards) == 2 else frozenset()
        assert legal == {action for action in ("double", "split") if f"1 {action}" in " ".join(table.legal())}
        action = for_tokens(*hand.cards, "", len(hands), legal) if len(hand.cards) == 2 else "stand"
        tokens += action != "stand"
        table.do(f"1 {action}")
    odds = worth("melbourne/free-bet", "pot-of-gold", decks=6)
    paid = next((outcome.net for outcome in odds.outcomes if outcome.id == f"tokens-{tokens}"), F(-1))
    assert table.results()["1", "ann", "pot-of-gold"] == paid


# ---------------------------------------------------------------------- insurance and the Super Bonus


@pytest.mark.parametrize(("decks", "edge"), [(8, F(31, 415)), (6, F(23, 311)), (4, F(15, 207)), (3, F(11, 155))])
def test_insurance_against_an_ace(decks: int, edge: Fraction) -> None:
    found = insurance_odds(rules_for("star/blackjack", decks=decks))
    assert found.on_ace is not None
    assert found.on_ace.house_edge == edge
    assert found.on_ten is None


@pytest.mark.parametrize(("decks", "edge"), [(8, F(63, 415)), (6, F(47, 311))])
def test_insurance_against_a_ten(decks: int, edge: Fraction) -> None:
    found = insurance_odds(rules_for("star/blackjack", decks=decks, insurance_on_ten=True)).on_ten
    assert found is not None
    assert found.house_edge == edge
    assert found.hand("AA").wins == F(4 * decks - 2, 52 * decks - 3)


def test_insurance_is_worse_for_a_hand_of_tens_and_better_without() -> None:
    found = insurance_odds(rules_for("melbourne/blackjack")).on_ace
    assert found is not None
    assert found.hand("TT").expectation < found.expectation < found.hand("95").expectation
    assert found.hand("9T") == found.hand("T9")
    assert found.hand("T9").wins == F(127, 413)


def test_a_pontoon_may_not_be_insured() -> None:
    found = insurance_odds(rules_for("melbourne/pontoon"))
    assert found.on_ace is not None
    assert not found.on_ace.hand("TA").allowed
    assert found.on_ace.hand("TT").allowed
    assert found.even_money is None


def test_even_money_gives_up_a_little_of_the_natural() -> None:
    found = insurance_odds(rules_for("star/blackjack", decks=8)).even_money
    assert found is not None
    assert (found.taken, found.left) == (1, F(3, 2) * (1 - F(127, 413)))


def test_the_super_bonus_needs_four_sevens_three_of_one_suit() -> None:
    found = super_bonus_odds(rules_for("melbourne/pontoon", decks=8))
    assert found is not None
    assert found.probability == F(4 * 8 * 7 * 6 * 29, 384 * 383 * 382 * 381)
    assert [worth_ for _, _, worth_ in found.tiers] == [found.probability * 500, found.probability * 200]
    assert super_bonus_odds(rules_for("melbourne/blackjack")) is None


# ---------------------------------------------------------------------- every wager, and the counting itself


def offered() -> list[tuple[str, str]]:
    """Every game with every side wager that its book lets it have."""
    found = []
    for book in map(load_book, BOOKS):
        for game in book.games:
            for wager in book.side_wagers:
                with contextlib.suppress(RulebookError):
                    found.append((book.rules(game, side_wagers=[wager]).game, wager))
    return found


def test_every_wager_is_offered_somewhere() -> None:
    assert {wager for _, wager in offered()} == {wager for book in BOOKS for wager in load_book(book).side_wagers}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "wager"), offered())
def test_every_wager_of_every_game_is_counted_whole(game: str, wager: str) -> None:
    rules = rules_for(game, side_wagers=[wager])
    edge = side_odds(rules, wager)
    assert sum(outcome.probability for outcome in edge.outcomes) == 1
    assert edge.house_edge == -sum(outcome.probability * outcome.net for outcome in edge.outcomes)
    assert edge.variance > 0
    assert edge.error_bound == 0
    infinite = side_odds(rules_for(game, side_wagers=[wager], decks="inf"), wager)
    assert sum(outcome.probability for outcome in infinite.outcomes) == 1
    assert len(edge.rows()) == len(edge.outcomes)


@pytest.mark.parametrize("size", [52, 48])
@pytest.mark.parametrize("decks", [1, 6, 0])
def test_the_ways_to_draw_add_up(size: int, decks: int) -> None:
    cards = Pack(decks, deck(size))
    for key in KEYS:
        sorts = classes(cards, key)
        assert sum(per_deck for _, per_deck in sorts) == size
        assert sum(weight for _, weight in list_draws(cards, sorts, sorts, sorts)) == cards.orders(3)
