"""The traps of the books, each with what springs it: a record of a round or of a floor, or a test where no record can.

A trap is something that an implementer gets wrong by reading quickly. The table names all of them by book and number,
with the clauses they turn on (`_` stands for a space) and, after the bar, what holds them. A record is held to play as
recorded and to cite one of the clauses; a test is held to exist.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest
from record_tools import FLOOR_RECORDS, RECORDS, ROOT, load_floor_record, record_id
from shoe_play import Table
from speeds import few

from pitboss.cards import RANKS, VALUE
from pitboss.floor.records.replay import replay_floor
from pitboss.money import Money
from pitboss.play.doubling import double_total_fits
from pitboss.play.hands import total
from pitboss.play.packed import pack
from pitboss.records import read, replay
from pitboss.rulebooks import RulebookError, rules_for
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import NotationError, parse_action

TRAPS = """
perth 1: a soft hand is no hard 9, 10 or 11
  3.25 | perth/033
perth 2: a dealer's Blackjack takes doubles and splits in full
  3.29(b) 3.41(b)(iii) | perth/005
perth 3: three hands, and yet aces are re-split with one card each
  3.35 3.38(a) 3.38(b) | perth/013 audit/perth-03
perth 4: splits go by value, Perfect Pairs by rank
  3.31 3.18(b) | perth/007 perth/015
perth 5: soft 17 goes with the layout, in all three games
  4.22(a) 4.23(a) | perth/023 perth/047 perth/095 audit/perth-248
perth 6: insurance, surrender or a Blackjack keeps one dealer's card necessary, no more
  4.22(b) | perth/011 perth/003 perth/067
perth 7: insurance outlives the bust and is decided by the second card
  3.21(b) 4.18 | perth/011
perth 8: Vegas surrender: tens and aces, lost whole to Blackjack, shut by a third card
  5.2(c) 5.3(d)(ii) 5.2(a) | perth/055 perth/059
perth 9: a co-bettor who stays stands on two cards, below 12 too
  5.3(b) | perth/057
perth 10: who will not split rides whole on the first hand, on a re-split again
  3.32(b) 3.34(b) | perth/017 audit/perth-03
perth 11: the seated player controls; co-bettors start nothing
  3.3(a) 3.26 | perth/017 perth-extra/002
perth 12: a doubled hand of any total takes one card
  4.20 3.28 | perth/063 perth/021
perth 13: Plus: 21 beats Blackjack, five cards win at any total
  6.1(a)(i) 6.1(a)(ii) | perth/075 perth/081
perth 14: Plus: 22 pushes, 23 is a bust
  6.1(c)(ii) 3.13(a)(i) | perth/077 perth/079
perth 15: Plus: split wagers are settled like the others
  6.1(a)(i) 6.1(c)(ii) | perth/087 perth/089
perth 16: Plus: doubles on two or three cards of any total; no insurance on Blackjack
  6.4(b) 6.3 | perth/085 perth/083
perth 17: an absent hand is drawn to 12, not to 17, and nothing else
  7.5 | perth/025
perth 18: a void hand leaves Perfect Pairs alone, and outsiders may hold one
  7.7 3.15 | perth/043 perth/039
perth 19: above the maximum the maximum counts, below the minimum once
  8.5 | perth/029 perth/031
perth 20: doubles and splits are exact
  3.27 3.36 | perth/035 audit/perth-218
perth 21: decks go with the equipment
  2.2 | test_rulebooks.py::test_perth_has_fewer_decks_with_a_device_and_others_with_perfect_pairs
rws 1: Soft 21 is every 21 that is no Natural
  1:Soft_21 3.15 | rws/27 audit/rws-218
rws 2: surrender against a ten stays at half before a Blackjack
  3.10 | rws/11 rws/13
rws 3: the first further card shuts surrender for the whole table
  3.10 | audit/rws-02
rws 4: a dealer's Blackjack takes busted bets and one more
  3.13 3.14 | rws/15
rws 5: doubles on split hands are spared too
  3.13 3.14 | rws/17
rws 6: all wagers lose to a Blackjack, except a Blackjack, splits and doubles
  3.8.1 3.13 3.14 | rws/07 rws/19
rws 7: doubling for less is legal, splitting for less is not
  3.14 3.13 | rws/23 test_traps.py::test_a_split_has_no_amount_of_its_own
rws 8: any two cards double but 21, a split ten and ace included
  3.14 | rws/49 rws-extra/001
rws 9: four hands, but aces once
  3.13 | rws/17 rws/25
rws 10: a Blackjack against 2 to 9 is paid before anybody acts
  3.9 | rws/01
rws 11: for Under and Over an ace is one, and thirteen loses both
  3.7.2 | rws/53 audit/rws-04
rws 12: Player Pair by rank, split by value
  3.7.1 3.13 | rws/41 audit/rws-206
rws 13: side wagers are settled before insurance and surrender
  3.7 | rws/39
rws 14: closed betting does not bar insurance, splits and doubles
  3.8.2 3.13 | rws/43
rws 15: the dealer's ace: soft 17 stands
  3.18 | rws/33
rws 16: even money before any third card, and not against a ten
  3.8.1 | rws/45 rws-extra/001
rws 17: the round begins with the call for bets
  3.2 | test_traps.py::test_a_round_at_sentosa_covers_its_betting
rws 18: no cut, burn, limit, sharing or absence rule of another book
  5.1.2 | test_shoe.py::test_rws_says_nothing_of_a_cut_and_the_dealer_may_do_without
    test_traps.py::test_sentosa_borrows_no_rule_on_sharing
star 1: the ace of a doubled ace-eight stays one, a drawn ace does not
  11.1.2 | star/011 audit/star-10
star 2: no double on a natural or a two-card 21
  10.3 | star/041 star/009
star 3: split by value, pair wagers by rank
  12.1 15.6 | star/077
star 4: double for less, never split for less
  11.1 | star/013 test_traps.py::test_a_split_has_no_amount_of_its_own
star 5: dealer's blackjack: busted hands stay lost and one more goes
  12.7 10.5 | star/007 star/047
star 6: a doubled hand never busts
  11.1 | test_traps.py::test_a_double_of_nine_to_eleven_cannot_bust
star 7: 21 loses to a blackjack, a blackjack beats 21, split ace-ten is 21
  16.1.1 12.3.2 | star/029 star/065
star 8: insurance outlives its bust and forces the second card alone
  13.3 13.4 | star/023
star 9: only blackjacks left: one card, even on 12
  13.4 | star/061
star 10: even money against an ace only, and insurance comes back
  9.1.2 9.1.3 | star/003 star/057
star 11: insurance against a ten is optional and pays ten to one
  8.2 16.1.5 | star/085 star/005
star 12: a deferred blackjack does not survive a void round
  9.1.1 17.8 | irregular/star-028
star 13: a void returns busted wagers and leaves paid blackjacks paid
  17.8 | star/031
star 14: rounding goes up, for each wager
  5.9 | star/001 audit/star-04
star 15: who controls has the first claim on the maximum; the last is cut
  6.3.1 6.1.3 | star/017 star/015
star 16: sharers cannot double alone or hit on; a decliner rides the first hand
  11.3 12.6.2 | star/069 audit/star-268 star/051
star 17: an absent hand stops above 11, aces at 12
  17.10 | star/021
star 18: two ways to raise a minimum, none needed to lower it
  6.5 6.5.1 | irregular/star-035 irregular/star-036
star 19: held to the minimum: with a shoe, until the reshuffle, or by a Gaming Manager
  5.10 | test_powers.py::test_nobody_is_held_to_the_minimum_at_a_device
    test_powers.py::test_a_gaming_manager_holds_a_player_to_the_minimum_for_further_shoes
star 20: discards go back after the next initial deal
  7.2 | test_shoe.py::test_discards_go_into_the_device_after_the_next_initial_deal
star 21: cut card first: shuffle now; in a round: after it
  4.1.2 | test_shoe.py::test_cut_card_in_place_of_the_first_card_means_a_shuffle_at_once
    test_shoe.py::test_cut_card_in_a_round_means_a_shuffle_after_it
star 22: an unseen surplus card opens the next round and betting stays open
  17.6 | irregular/star-006
star 23: below 12 a card dealt in error cannot be refused; who refuses is frozen
  17.3 | irregular/star-002 irregular/star-003
star 24: wagers under the minimum stand; in tournaments they do not
  6.2 20.6.14 | star/033 floor/tournaments/star-15 floor/tournaments/star-17
star 25: tournament wagers go by units of the minimum
  20.6.14 | floor/tournaments/star-16
star 26: an incomplete secret wager costs the minimum
  20.8.3 | floor/tournaments/star-33 floor/tournaments/star-34
star 27: play-offs are for ties above zero
  20.10.3 | floor/tournaments/star-47 floor/tournaments/star-62
star 28: deductions for absence end after three rounds
  20.5.6 | floor/tournaments/star-61
star 29: bettors on the side only give way to main bettors
  14.6 14.5 | star/037 star/073
star 30: three decks exclude the multishuffler, three and four the side wagers
  3.1 | test_traps.py::test_few_decks_exclude_the_multishuffler_and_the_side_wagers
switch 1: the dealer draws on hard 16 and soft 17
  14.2 | star/115 audit/switch-239
switch 2: a blackjack wins against 22, everything else stands off
  16.1.1.1 16.1.4 | audit/switch-04
switch 3: a switched ace-ten is 21
  11.3 16.1.10.2 16.1.10.1 | star/097 star/099
switch 4: both hands of a switched area lose their blackjacks
  11.3 | audit/switch-237 star/111
switch 5: no switch after a paid blackjack
  9.2.1 | star/093
switch 6: a waiting blackjack may be switched away
  9.2.2 11.1 | star/137 star/101
switch 7: no hole card: originals only go to a blackjack
  16.1.7 | star/099 star/095
switch 8: a bust is not refunded before a blackjack
  13.7 10.5 | star/103
switch 9: Super Match: as dealt, by rank, two pair above three
  15.6 15.7 | star/137 star/135 star/133 star/109
switch 10: Super Match needs a main wager of somebody
  15.4 | star/139
switch 11: no double for less, none with an ace
  12.1 12.1.2 | star/147 star/123
switch 12: with ace doubling the ace is one, a drawn ace is not
  12.2.2 | star/121 audit/switch-222
switch 13: splits by value, pairs made by a switch included
  13.1 | star/129
switch 14: unequal wagers count the lower, a single one voids the area only
  6.2.2 6.2.1 | star/105 star/107
switch 15: insurance for each hand and player, before the switch
  8.1 | audit/switch-01 audit/switch-220
switch 16: no even money, no insurance against a ten
  8.1 9.2.2 | star/145
switch 17: a lone 21 needs the whole dealer's hand, blackjacks one card
  14.4 | star/151 star/125
switch 18: the deal serves box after box, twice round
  7.1 | star/159
switch 19: a blackjack beats a dealer's three-card 21
  16.1.1 | audit/switch-270
switch 20: sharers have no hit and no switch of their own
  11.2 12.4 | star/111 star/161
melbourne-games 1: no hole card: a last card decides what waits
  7.4.1(a) 5.7.1 | melbourne/003 melbourne/007
melbourne-games 2: exactly one more card where only naturals, insurance or surrenders wait
  7.5.7(c) | melbourne/003 melbourne/035
melbourne-games 3: neither ten nor ace: a natural waits against a ten, even money is for an ace
  7.4.1(a) 7.4.1(b) | melbourne/003 melbourne/065
melbourne-games 4: soft 17: the base stands, Pontoon and Crown hit, Vegas stands
  7.5.7(a) 14.2.2(a) 10.5.6(a) | melbourne/183 melbourne/067 melbourne/261
    test_rulebooks.py::test_play_and_settlement_are_as_the_books_say
melbourne-games 5: a drawn 21 against a Blackjack is a matter of reading
  5.6.4 | melbourne/019 test_traps.py::test_a_drawn_21_may_be_read_to_stand_off
melbourne-games 6: one original wager in all goes to a Blackjack, and what is bust
  7.5.6(h) 7.5.5(b) | melbourne/011 melbourne/073
melbourne-games 7: split by value, Perfect Pairs by rank
  15.2 7.5.6(a) | melbourne/043 melbourne/155
melbourne-games 8: three hands, aces two with one card each
  7.5.6(d) 7.5.6(c)(iv) | melbourne/013 melbourne/209
melbourne-games 9: a split declined bars later ones
  7.5.6(e) | melbourne/015
melbourne-games 10: double for less, never split for less
  7.5.5(a)(i) | melbourne/063 test_traps.py::test_a_split_has_no_amount_of_its_own
melbourne-games 11: the automatic draw begins below 12 and ends at hard 12 or soft 17
  7.5.2 | melbourne/075 audit/melbourne-209
melbourne-games 12: absent: soft 17 in the base, soft 18 in Crown and Pontoon
  7.5.4 14.2.1 10.5.5 | melbourne/017 melbourne/021 melbourne/261
melbourne-games 13: the Pontoon pack has no pip tens
  10.3.1 | test_shoe.py::test_a_deck_of_the_pontoon_pack_has_48_cards
melbourne-games 14: a Pontoon 21 is paid when made and never looked at again
  10.5.1(c) | melbourne/153 audit/melbourne-09
melbourne-games 15: doubling: aces of the first two cards are one, later ones are not
  10.5.2(b) | melbourne/139 melbourne/031
melbourne-games 16: doubles on any number of cards, once, not on split aces
  10.5.2(a)(iii) 10.5.2(a) 7.5.6(c)(iv) | melbourne/195 melbourne/157
melbourne-games 17: rescue gives up the whole original, each sharer alone
  10.5.2(e) 10.5.2(e)(i) | melbourne/143 melbourne/033
melbourne-games 18: a double ends the bonus for all, a split does not
  10.5.2(d) 10.6 | melbourne/029 melbourne/039
melbourne-games 19: Super Bonus: any seven, on top, by tier, 50 to each other wager
  10.6 | melbourne/037 audit/melbourne-10
melbourne-games 20: Pontoon insurance is 2 to 1, and not for a Pontoon
  8.1 10.5.1(b)(i) | melbourne/041 melbourne/025
melbourne-games 21: surrender by turn in Pontoon, in one pass in Vegas
  10.5.4(a) 12.4.1(a) | melbourne/147 melbourne/091
melbourne-games 22: declining a surrender binds the box, a rescue does not
  12.4.1(e) 10.5.2(e)(i) | audit/melbourne-33 melbourne/187
melbourne-games 23: Perfect Pairs come first, and then the deal cannot be rebuilt
  15.4.2 9.5.1 | irregular/melbourne-002 melbourne/043
melbourne-games 24: guests at Perfect Pairs, none at Pandemonium and Sevens
  15.3.2 11.4.2 13.4.2 | irregular/melbourne-024
    test_traps.py::test_pandemonium_and_sevens_need_a_main_wager_of_ones_own
melbourne-games 25: Sevens after a split: the next card, once, even on a bust
  13.5.1(a) 13.7.1 | melbourne/115 melbourne/119 audit/melbourne-06
melbourne-games 26: two sevens: the suits of the two alone
  13.7.1 | melbourne/049
melbourne-games 27: Pandemonium pays beside a dealer's Pontoon; a malfunction pays 20
  11.4.4(b) 11.6.4(b) 11.4.4 | melbourne/121 irregular/melbourne-019
melbourne-games 28: cards without wagers are burnt, surplus cards come again
  9.4 9.3 | irregular/melbourne-007 irregular/melbourne-005
melbourne-games 29: a failing machine keeps interim payments, wrong cards do not
  9.12.1 9.15 | irregular/melbourne-015 irregular/melbourne-016
melbourne-games 30: a sign for a higher minimum, none for anything else
  6.4 | irregular/melbourne-036
melbourne-games 31: references printed twice mean one clause
  7.5.7(c) | melbourne/211
melbourne-more 1: Plus stands on soft 17
  7.5.7(a) | test_rulebooks.py::test_play_and_settlement_are_as_the_books_say
melbourne-more 2: the dealer's exception is about moot cards
  7.5.7(c) | melbourne/219
melbourne-more 3: ace-eight is no nine in Sports and Free Bet
  7.5.5(a) | melbourne/275 melbourne/351
melbourne-more 4: Sports has no even money and keeps insurance
  19.2.1(a) 7.3.2 | melbourne/221
melbourne-more 5: 6 to 5 Pontoon keeps bonuses and Super Bonus
  20.1 10.6 | melbourne/233 melbourne/235
melbourne-more 6: 22: a drawn 21 wins in Plus and pushes in Free Bet, naturals win
  22.3.1(a) 29.3.3(b) 29.3.1(b) | melbourne/245 melbourne/281 melbourne/279
melbourne-more 7: who busts before a 22 has lost
  22.3.2(a) 29.3.2(a) | melbourne/249 melbourne/281
melbourne-more 8: Free Bet has no paid double, and tens split for cash
  29.7.1 29.8.1(b) | melbourne/287 melbourne/285
melbourne-more 9: a token wins one stake and costs nothing
  29.9.1 29.9.2 | melbourne/275 audit/melbourne-221
melbourne-more 10: tokens of bust hands count for Pot of Gold
  30.4.1 | melbourne/357
melbourne-more 11: Pot of Gold pays though every hand loses
  30.4.1 30.5.1 | melbourne/363
melbourne-more 12: after 10 to 1 the Blackpot stake is still at risk
  23.3.5(b)(iii) 23.3.5(b)(ii) | melbourne/323 melbourne/313
melbourne-more 13: only 6-7-8 carries over, for one round
  23.3.5(c) | melbourne/319 melbourne/323
melbourne-more 14: carried: lowered, never raised, back without a main wager
  23.3.5(c)(iii) 23.5.1 23.3.5(c)(iv) | melbourne/317 melbourne/315
    test_traps.py::test_a_carried_blackpot_may_not_be_raised
melbourne-more 15: 100 and 20,000 to 1 at the end, 10 and 1,000 before, each capped
  23.4.1 23.4.4 | melbourne/311 audit/melbourne-240
melbourne-more 16: three rounds' notice may become four hands
  23.5.3 32.8 | irregular/melbourne-023
melbourne-more 17: the round's jackpot bets are in the meter
  21.5.2(a) | melbourne/301
melbourne-more 18: ten per cent of the rounded meter
  21.10.2(a) | melbourne/303
melbourne-more 19: simultaneous winners share both values
  21.10.3 | melbourne/301
melbourne-more 20: a dollar in section 21, a payable amount in section 24
  21.10.2(a) 24.9.2(a) | melbourne/303 melbourne/325
melbourne-more 21: Major is the jack of spades alone
  24.9.1 | audit/melbourne-16
melbourne-more 22: who decides which jackpot
  21.9.1 24.8.3 | test_traps.py::test_who_decides_which_jackpot
melbourne-more 23: jackpots need six decks of 52
  21.4.1 24.4.1 | test_traps.py::test_jackpots_need_six_decks_of_52
melbourne-more 24: Blackpot and Spread Bet favour the player in 48 cards
  28.4.1 | test_odds_sides.py::test_spread_bet_favours_the_player_in_the_pontoon_pack
melbourne-more 25: Buster makes the dealer finish, whoever is out, on any box
  26.4.3 26.3.2 26.4.3(a) | melbourne/335 melbourne/339 melbourne/341
melbourne-more 26: Spread Bet: an ace is one, so ace-nine loses
  28.3.4(b) | melbourne/351
melbourne-more 27: absent at soft 18 or 17, the automatic draw at soft 17
  19.2.2(d) 7.5.2 7.5.4 | melbourne/223 melbourne/227 audit/melbourne-222
melbourne-more 28: void after interim settlement: what was settled stands
  24.10.2 9.12 | melbourne/327 melbourne/085
melbourne-more 29: Crown Suits: nobody from outside, one tier only
  16.3.2 16.4.1 | melbourne/293 audit/melbourne-211
melbourne-more 30: closing a meter moves meter less seed
  21.5.1(g) | floor/meters/melbourne-12
""".strip()

COUNTS = {"perth": 21, "rws": 18, "star": 30, "switch": 20, "melbourne-games": 31, "melbourne-more": 30}
"""How many traps each sheet lists; Melbourne's two are about sections 1 to 15 and 16 to 33."""

MARKS = ("(", ".", "/", ":")
"""What follows a clause's number where one of its parts is named."""


class Trap(NamedTuple):
    """Where it is listed, what is easily got wrong, the clauses it turns on, and what springs it."""

    sheet: str
    number: int
    meaning: str
    clauses: tuple[str, ...]
    held_by: tuple[str, ...]


def parsed(entry: str) -> Trap:
    name, rest = entry.split(": ", 1)
    meaning, found = rest.split("\n", 1)
    clauses, held_by = found.split("|")
    sheet, number = name.split()
    named = tuple(clause.replace("_", " ") for clause in clauses.split())
    return Trap(sheet, int(number), meaning, named, tuple(held_by.split()))


ALL = [parsed(entry) for entry in re.split(r"\n(?=\S)", TRAPS)]
HELD = [pytest.param(trap, item, id=f"{trap.sheet}-{trap.number}-{item}") for trap in ALL for item in trap.held_by]


@cache
def cited_in(start: str) -> frozenset[str]:
    """Every clause that a record cites, or that an event or a refusal of its replay names."""
    own = re.compile(rf"{re.escape(start)}(-|$)")
    (path,) = [path for path in (*RECORDS, *FLOOR_RECORDS) if own.match(record_id(path))]
    if path in FLOOR_RECORDS:
        floor = replay_floor(load_floor_record(path))
        assert floor.differences == ()
        return frozenset(clause for _, clause in floor.cited)
    record = read(path.read_text("utf-8"), path.name)
    played = replay(record)
    assert played.differences == ()
    return played.cited.union(record.cites)


def turns_on(cited: frozenset[str], clause: str) -> bool:
    return any(
        other == clause or other.startswith(tuple(clause + mark for mark in MARKS)) or clause.startswith(f"{other}/")
        for other in cited
    )


def test_every_trap_of_every_sheet_is_named() -> None:
    assert Counter(trap.sheet for trap in ALL) == COUNTS
    for sheet, count in COUNTS.items():
        assert [trap.number for trap in ALL if trap.sheet == sheet] == list(range(1, count + 1))


@pytest.mark.slow
@pytest.mark.parametrize(("trap", "item"), HELD)
def test_a_trap_is_sprung_by_what_is_named_for_it(trap: Trap, item: str) -> None:
    if "::" in item:
        file, name = item.split("::")
        (found,) = (ROOT / "tests").rglob(file)
        assert re.search(rf"^def {name}\(", found.read_text("utf-8"), re.MULTILINE)
    else:
        assert any(turns_on(cited_in(item), clause) for clause in trap.clauses), sorted(cited_in(item))


@pytest.mark.parametrize("trap", few([trap for trap in ALL if all("::" not in item for item in trap.held_by)], 5))
def test_the_records_of_a_trap_turn_on_each_of_its_clauses(trap: Trap) -> None:
    records = [item for item in trap.held_by if ":" not in item]
    cited = frozenset[str]().union(*(cited_in(item) for item in records))
    if records:
        assert [clause for clause in trap.clauses if not turns_on(cited, clause)] == []


# ---------------------------------------------------------------------- traps that no record can express


@pytest.mark.parametrize("game", ["rws/blackjack", "star/blackjack", "melbourne/blackjack", "perth/blackjack"])
def test_a_split_has_no_amount_of_its_own(game: str) -> None:
    with pytest.raises(NotationError):
        parse_action("1 split ann=5")
    table = Table(game)
    table.do(cmd.LoadShoe(cards=("8h", "6d", "8s", "Td", "9c", "Kd", "5s", "2d")))
    table.bet("1", "ann", 10)
    table.do(cmd.Deal())
    table.do(cmd.Split(box="1"))
    assert [[stake.base for stake in hand.stakes] for hand in table.state.boxes[0].hands] == [[10], [10]]


def test_a_round_at_sentosa_covers_its_betting() -> None:
    assert rules_for("rws/blackjack").bets_close == "call"
    assert rules_for("perth/blackjack").bets_close == "first-card"
    table = Table("rws/blackjack")
    table.open()
    table.bet()
    table.do(cmd.Deal())
    refusal = table.no(cmd.PlaceBet(box="2", player="bob", amount=Money(10)))
    assert {"3.2", "5.2"} <= set(refusal.clauses)


def test_sentosa_borrows_no_rule_on_sharing() -> None:
    table = Table("rws/blackjack")
    rules = table.state.rules
    assert [rules.clauses(matter) for matter in ("limits", "under_minimum", "over_maximum")] == [(), (), ()]
    table.bet("1", "ann", 10)
    assert "full" in table.no(cmd.PlaceBet(box="1", player="bob", amount=Money(10))).reason


def test_a_double_of_nine_to_eleven_cannot_bust() -> None:
    packed = pack(rules_for("star/blackjack"))
    values = [VALUE[f"{rank}s"] for rank in RANKS]
    doubled = 0
    for one in values:
        for two in values:
            hard, aces = one + two, (one == 1) + (two == 1)
            if double_total_fits(packed, hard, aces):
                doubled += 1
                assert max(total(hard + card, int(card == 1)) for card in values) <= 21
    assert doubled


def test_few_decks_exclude_the_multishuffler_and_the_side_wagers() -> None:
    with pytest.raises(RulebookError, match="multishuffler"):
        rules_for("star/blackjack", decks=3, card_source="shuffler-and-shoe")
    rules_for("star/blackjack", decks=4, card_source="shuffler-and-shoe")
    for decks in (3, 4):
        for wager in ("perfect-pairs", "any-pairs"):
            with pytest.raises(RulebookError, match=r"clause 3\.1"):
                rules_for("star/blackjack", decks=decks, side_wagers=[wager])


@pytest.mark.parametrize(("reading", "net"), [("loses", -10), ("stand-off", 0)])
def test_a_drawn_21_may_be_read_to_stand_off(reading: str, net: int) -> None:
    record = read(
        f"""record = 1
game = "melbourne/blackjack"
options = {{ readings = {{ drawn_21_against_dealer_natural = "{reading}" }} }}
bets = ["1 ann* 10"]
cards = "7h Kd 7d | 7c | As"
actions = ["1 hit"]
results = ["1 ann main {net}"]
"""
    )
    assert replay(record).differences == ()


@pytest.mark.parametrize(
    ("game", "wager"), [("melbourne/pontoon", "pontoon-pandemonium"), ("melbourne/blackjack", "magnificent-sevens")]
)
def test_pandemonium_and_sevens_need_a_main_wager_of_ones_own(game: str, wager: str) -> None:
    table = Table(game, side_wagers=[wager])
    table.do(cmd.LoadShoe(cards=("9h", "6d", "8s", "Jd", "9c", "Kd", "5s", "2d")))
    table.bet("1", "ann", 10)
    table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(1), wager=wager))
    table.do(cmd.PlaceBet(box="1", player="bob", amount=Money(1), wager=wager))
    table.do(cmd.Deal())
    assert [bet.player for bet in table.state.sides] == ["ann"]


def test_a_carried_blackpot_may_not_be_raised() -> None:
    table = Table("melbourne/blackjack", side_wagers=["blackpot"])
    table.do(cmd.LoadShoe(cards=("6h", "Td", "7c", "8s", "9c", "Kd", "5s", "2d")))
    table.bet("1", "ann", 10)
    table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(5), wager="blackpot"))
    for command in (cmd.Deal(), cmd.Hit(box="1"), cmd.NextRound()):
        table.do(command)
    refusal = table.no(cmd.PlaceBet(box="1", player="ann", amount=Money(6), wager="blackpot"))
    assert any(clause.startswith("23.3.5(c)") for clause in refusal.clauses)
    table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(3), wager="blackpot"))
    table.no(cmd.PlaceBet(box="1", player="ann", amount=Money(3), wager="blackpot"))


def test_who_decides_which_jackpot() -> None:
    powers = rules_for("melbourne/blackjack").authority
    names = ("determine-suited-aces", "determine-supernova-prize", "verify-mystery-jackpot", "determine-jackpot-prize")
    roles = {name: powers[name].role for name in names}
    assert roles == dict(zip(names, ("area-manager", "dealer", "assistant-casino-manager", "dealer"), strict=True))


@pytest.mark.parametrize("wager", ["blackjack-jackpots", "supernova"])
def test_jackpots_need_six_decks_of_52(wager: str) -> None:
    assert rules_for("melbourne/premier", side_wagers=[wager]).decks == 6
    for game, choices in (("vegas", {}), ("pontoon", {}), ("spanish", {"decks": 6}), ("blackjack", {"decks": 8})):
        with pytest.raises(RulebookError, match=r"clause 2[14]\.4\.1"):
            rules_for(f"melbourne/{game}", side_wagers=[wager], **choices)
