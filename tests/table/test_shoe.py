"""Shuffle, cut, cut card, burn, devices, new cards, running out: clause by clause, book by book."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shoe_play import Table, all_cards, entropy, pack_of, play_session

from pitboss.cards import VALUE, decks
from pitboss.play.shoe import cut_card_range, cut_range
from pitboss.table import Decision, State, decide, evolve, legal
from pitboss.table.codec import decode_command, decode_event, decode_state, encode
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.shoe.opening import first_cutter
from pitboss.table.shoe.shuffle import commitment, shuffle_cards
from pitboss.table.state import CardSource, Phase, ShoeStage
from pitboss.table.unattended import SessionError, needs_shuffle, open_shoe


class Book(NamedTuple):
    """A game with the clauses that a test expects to be cited."""

    game: str
    start: str = ""
    cut_card_first: str = ""
    cut_card_round: str = ""
    arrival: str = ""
    box: str = ""
    dealer_hand: str = ""
    first_card: str = ""
    replaced: str = ""
    refused: str = ""
    last: str = ""
    last_role: str = ""
    margin: str = ""
    turned: str = ""
    place: str = ""
    order: str = ""
    order_role: str = ""
    out: str = ""


PERTH = Book(
    "perth/blackjack", "4.1", "4.26", "4.25", "4.4(a)", "4.4(b)", "4.4(c)", "", "4.4(d)", "4.4(e)", "4.4(f)",
    "table-inspector", "4.5", "4.6(a)", "4.6(b)", "4.2", "table-inspector", "7.4",
)  # fmt: skip
STAR = Book(
    "star/blackjack", "4.1.1", "4.1.2", "4.1.3", "4.3.1", "4.3.2", "4.3.3", "4.3.4", "4.3.5", "4.4", "4.4",
    "casino-supervisor", "4.5", "4.6", "4.6", "4.1.4", "casino-supervisor", "17.9",
)  # fmt: skip
SWITCH = Book(
    "star/switch", "4.1.1", "4.1.2", "4.1.3", "4.2.1", "4.2.2", "4.2.3", "4.2.4", "4.2.5", "4.4", "4.4",
    "casino-supervisor", "4.5", "4.6", "4.6", "4.1.4", "casino-supervisor", "17.9",
)  # fmt: skip
MELBOURNE = Book(
    "melbourne/blackjack", "4.1.1(a)", "4.1.1(b)", "4.1.1(c)", "4.2.2(a)", "4.2.2(b)", "4.2.2(c)", "", "4.2.2(d)",
    "4.2.3", "4.2.3", "higher-duties-dealer", "4.2.4", "4.2.5(a)", "4.2.5(b)", "4.1.1(e)", "higher-duties-dealer",
    "9.11",
)  # fmt: skip
RWS = Book("rws/blackjack")
FOUR = (PERTH, STAR, SWITCH, MELBOURNE)
FIVE = (*FOUR, RWS)
STARS = (STAR, SWITCH)

four_books = pytest.mark.parametrize("book", FOUR, ids=lambda book: book.game)
five_books = pytest.mark.parametrize("book", FIVE, ids=lambda book: book.game)
two_star_books = pytest.mark.parametrize("book", STARS, ids=lambda book: book.game)


def opened(book: Book, *, from_back: int | None = None, **choices: Any) -> Table:
    """A table with cards in play and three players: ann came first to box 3, bob to 1, cid to 5."""
    table = Table(book.game, **choices)
    table.arrive(ann=3, bob=1, cid=5)
    table.open(from_back=from_back)
    return table


def put_cut_card(table: Table, ahead: int) -> None:
    """The cut card lies so many cards ahead."""
    shoe = table.state.shoe
    table.state = replace(table.state, shoe=replace(shoe, cut_card=shoe.position + ahead))


def stack(table: Table, *cards: str) -> None:
    """These cards come next, whatever was there."""
    shoe = table.state.shoe
    rest = shoe.cards[shoe.position + len(cards) :]
    table.state = replace(table.state, shoe=replace(shoe, cards=(*shoe.cards[: shoe.position], *cards, *rest)))


# ---------------------------------------------------------------------- when cards are shuffled


@five_books
def test_cards_are_shuffled_before_play(book: Book) -> None:
    table = Table(book.game)
    table.bet()
    table.no(cmd.Deal())
    (event,) = table.do(cmd.Shuffle(entropy=entropy()))
    assert isinstance(event, ev.Shuffled)
    assert set(event.clauses) == ({book.start} if book.start else set())
    assert pack_of(table.state) == all_cards(table.state)
    assert event.cards == shuffle_cards(decks(table.state.rules.decks, table.state.rules.deck_cards), event.origin.seed)


@five_books
def test_no_shuffle_without_an_occasion(book: Book) -> None:
    table = opened(book)
    refusal = table.no(cmd.Shuffle(entropy=entropy(2)))
    assert "no shuffle is due" in refusal.reason
    assert set(refusal.clauses) == set(table.state.rules.clauses("shuffle_triggers"))
    table.bet()
    table.do(cmd.Deal())
    assert "have not run out" in table.no(cmd.Shuffle(entropy=entropy(2))).reason


@five_books
def test_cut_card_in_place_of_the_first_card_means_a_shuffle_at_once(book: Book) -> None:
    table = opened(book)
    table.bet()
    put_cut_card(table, 0)
    (event,) = table.do(cmd.Deal())
    assert event == ev.CutCardDrawn(fell="first", clauses=(book.cut_card_first,) if book.cut_card_first else ())
    assert table.state.phase is Phase.BETTING, "the round has not begun: wagers may stay or go"
    refusal = table.no(cmd.Deal())
    assert "shuffled first" in refusal.reason
    assert set(refusal.clauses) == ({book.cut_card_first} if book.cut_card_first else set())
    table.do(cmd.RemoveBet(box="1", player="ann"))
    table.open(2)
    table.bet()
    table.do(cmd.Deal())
    assert table.state.phase is not Phase.BETTING


@five_books
def test_cut_card_in_a_round_means_a_shuffle_after_it(book: Book) -> None:
    table = opened(book)
    table.bet()
    put_cut_card(table, 1)
    drawn = [event for event in table.do(cmd.Deal()) if isinstance(event, ev.CutCardDrawn)]
    assert [event.clauses for event in drawn] == [(book.cut_card_round,) if book.cut_card_round else ()]
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    assert set(table.no(cmd.Deal()).clauses) == ({book.cut_card_round} if book.cut_card_round else set())
    retired, shuffle = table.do(cmd.Shuffle(entropy=entropy(2)))
    assert isinstance(retired, ev.ShoeRetired)
    assert set(shuffle.clauses) == ({book.cut_card_round} if book.cut_card_round else set())


@four_books
def test_a_supervisor_may_order_a_shuffle(book: Book) -> None:
    table = opened(book)
    wrong = table.no(cmd.OrderShuffle(role="dealer", reason="clumping"))
    assert book.order in wrong.clauses
    table.bet()
    table.do(cmd.Deal())
    (event,) = table.do(cmd.OrderShuffle(role=book.order_role, reason="clumping"))
    assert book.order in event.clauses
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    refusal = table.no(cmd.Deal())
    assert "supervisor ordered it" in refusal.reason
    assert book.order in refusal.clauses
    table.open(2)
    table.do(cmd.Deal())


def test_the_star_books_want_a_reason_for_an_ordered_shuffle() -> None:
    for book in STARS:
        assert "reason" in opened(book).no(cmd.OrderShuffle(role="casino-supervisor")).reason


def test_perth_4_27_the_manager_may_have_a_device_shuffled_by_hand() -> None:
    table = opened(PERTH, card_source="device")
    (event,) = table.do(cmd.OrderShuffle(role="table-games-manager"))
    assert event.clauses[0] == "4.27"
    table = opened(PERTH, card_source="device")
    (event,) = table.do(cmd.OrderShuffle(role="table-inspector"))
    assert event.clauses[0] == "4.2"
    table = opened(PERTH, card_source="device", readings={"hand_shuffle_of_device": "manager-alone"})
    assert "4.27" in table.no(cmd.OrderShuffle(role="table-inspector")).clauses
    (event,) = table.do(cmd.OrderShuffle(role="table-games-manager"))
    assert event.clauses[0] == "4.27"


def test_melbourne_4_1_1_d_abnormal_sequence() -> None:
    table = opened(MELBOURNE)
    table.bet()
    table.do(cmd.Deal())
    assert "4.1.1(d)" in table.no(cmd.OrderShuffle(role="dealer", reason="four aces", abnormal=True)).clauses
    (event,) = table.do(cmd.OrderShuffle(role="higher-duties-dealer", reason="four aces", abnormal=True))
    assert event.clauses == ("4.1.1(d)",)
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    assert table.no(cmd.Deal()).clauses == ("4.1.1(d)",)


def test_melbourne_4_1_1_d_read_as_void_at_once() -> None:
    table = opened(MELBOURNE, readings={"abnormal_sequence_in_mid_round": "void-then-shuffle"})
    table.bet()
    table.do(cmd.Deal())
    table.do(cmd.OrderShuffle(role="area-manager", reason="four aces", abnormal=True))
    assert table.state.void
    table.do(cmd.NextRound())
    assert needs_shuffle(table.state)


def test_only_melbourne_knows_an_abnormal_sequence() -> None:
    for book in (PERTH, STAR, SWITCH):
        refusal = opened(book).no(cmd.OrderShuffle(role=book.order_role, reason="x", abnormal=True))
        assert set(refusal.clauses) == set(opened(book).state.rules.clauses("shuffle_triggers"))


def test_a_shuffle_needs_enough_entropy_and_new_entropy() -> None:
    table = Table("star/blackjack")
    assert "32 bytes" in table.no(cmd.Shuffle(entropy=b"short")).reason
    table.open(1)
    table.do(cmd.RetireShoe())
    assert "use new entropy" in table.no(cmd.Shuffle(entropy=entropy(1))).reason
    assert "not a role" in table.no(cmd.Shuffle(entropy=entropy(2), role="pirate")).reason


@pytest.mark.parametrize("book", [PERTH, *STARS], ids=lambda book: book.game)
def test_a_shuffling_machine_may_fill_the_shoe(book: Book) -> None:
    """Perth 4.1(b), Star and Switch 4.1: a machine that only shuffles; then cut and cut card as with a hand shuffle."""
    table = opened(book, card_source="shuffler-and-shoe")
    assert table.state.shoe.source is CardSource.SHUFFLER
    assert table.state.shoe.cut_card is not None
    assert table.state.shoe.origin.cut is not None


def test_switch_multishuffler_read_as_a_shuffling_device_is_not_cut() -> None:
    table = Table("star/switch", card_source="shuffler-and-shoe", readings={"multishuffler": "yes"})
    table.do(cmd.Shuffle(entropy=entropy()))
    assert table.no(cmd.OfferCut()).clauses == ("4.7",)
    table.do(cmd.PlaceCutCard(from_back=52))
    assert table.state.shoe.stage is ShoeStage.OPEN


# ---------------------------------------------------------------------- who cuts


def stacked_table(book: Book, **choices: Any) -> Table:
    """Three players, and a shuffled stack that waits for the first cut of the game."""
    table = Table(book.game, **choices)
    table.arrive(ann=3, bob=1, cid=5)
    table.do(cmd.Shuffle(entropy=entropy()))
    return table


def next_shoe(book: Book, before: tuple[cmd.Command, ...] = (), **shoe: Any) -> Table:
    """The second shoe of a game is shuffled, after a first one that ended like this."""
    table = opened(book)
    for command in before:
        table.do(command)
    if shoe:
        table.state = replace(table.state, shoe=replace(table.state.shoe, due=("cut-card",), **shoe))
    table.do(cmd.Shuffle(entropy=entropy(2)))
    return table


@four_books
def test_first_to_arrive_is_offered_the_cut_of_a_new_game(book: Book) -> None:
    table = stacked_table(book)
    (event,) = table.do(cmd.OfferCut())
    assert isinstance(event, ev.CutOffered)
    assert event.players[0] == "ann"
    assert event.clauses[0] == book.arrival


@four_books
def test_player_whose_box_got_the_cut_card_is_offered_the_cut(book: Book) -> None:
    table = next_shoe(book, fell="3", fell_to="ann")
    (event,) = table.do(cmd.OfferCut())
    assert (event.players[0], event.clauses[0]) == ("ann", book.box)


@four_books
def test_controlling_player_of_the_box_is_meant(book: Book) -> None:
    table = opened(book)
    table.bet("1", "cid", 10)
    table.bet("3", "bob", 10)
    table.bet("3", "ann", 20)
    put_cut_card(table, 2 if book is SWITCH else 1)
    fell = next(event for event in table.do(cmd.Deal()) if isinstance(event, ev.CutCardDrawn))
    controller = "bob" if book is MELBOURNE else "ann"
    assert (fell.fell, fell.player) == ("3a" if book is SWITCH else "3", controller)


@two_star_books
@pytest.mark.parametrize("sharer", [False, True])
def test_who_cuts_for_a_shared_box_may_be_read_as_not_stated(book: Book, sharer: bool) -> None:
    table = opened(book, readings={"cutter_on_shared_box": "not-stated"})
    table.bet("3", "ann", 20)
    if sharer:
        table.bet("3", "cid", 10)
    put_cut_card(table, 1 if book is SWITCH else 2)
    table.do(cmd.Deal())
    table.finish()
    table.do(cmd.NextRound())
    table.do(cmd.Shuffle(entropy=entropy(2)))
    table.do(cmd.OfferCut())
    assert table.state.shoe.asked[0] == ("bob" if sharer else "ann"), "from the first box on, or the one on the box"


@four_books
def test_far_right_is_offered_the_cut_when_the_cut_card_came_to_the_dealer(book: Book) -> None:
    table = next_shoe(book, fell="dealer")
    (event,) = table.do(cmd.OfferCut())
    assert (event.players[0], event.clauses[0]) == ("cid", book.dealer_hand)


@four_books
def test_far_right_is_offered_the_cut_when_the_cut_card_came_first(book: Book) -> None:
    table = next_shoe(book, fell="first")
    (event,) = table.do(cmd.OfferCut())
    assert event.players[0] == "cid"
    if book.first_card:
        assert event.clauses[0] == book.first_card


@four_books
def test_far_right_is_offered_the_cut_of_new_cards(book: Book) -> None:
    table = opened(book)
    table.state = replace(table.state, shoe=replace(table.state.shoe, fell="3", fell_to="ann", due=("cut-card",)))
    table.do(cmd.ReplaceCards(role=table.state.rules.ladder[-1].id, reason="worn"))
    table.do(cmd.Shuffle(entropy=entropy(2)))
    (event,) = table.do(cmd.OfferCut())
    assert (event.players[0], event.clauses[0]) == ("cid", book.replaced)


@two_star_books
def test_far_right_is_offered_the_cut_after_an_ordered_shuffle(book: Book) -> None:
    table = next_shoe(book, (cmd.OrderShuffle(role="casino-supervisor", reason="clumps"),))
    (event,) = table.do(cmd.OfferCut())
    assert event.players[0] == "cid"


@two_star_books
def test_after_an_ordered_shuffle_the_first_box_where_the_cutter_is_read_as_not_stated(book: Book) -> None:
    table = opened(book, readings={"cutter_of_ordered_shuffle": "not-stated"})
    table.do(cmd.OrderShuffle(role="casino-supervisor", reason="clumps"))
    table.do(cmd.Shuffle(entropy=entropy(2)))
    table.do(cmd.OfferCut())
    assert table.state.shoe.asked == ("bob", "ann", "cid")


@four_books
def test_a_refused_cut_goes_clockwise_and_round_again(book: Book) -> None:
    table = stacked_table(book)
    table.do(cmd.OfferCut())
    assert table.state.shoe.asked == ("ann", "cid", "bob"), "boxes 3, 5, then from the dealer's left again: 1"
    assert "ann is asked" in table.no(cmd.RefuseCut(player="bob")).reason
    assert table.no(cmd.Cut(by="bob", at=100)).clauses == table.state.rules.clauses("cut_order")
    (event,) = table.do(cmd.RefuseCut(player="ann"))
    assert event.clauses[0] == book.refused
    table.do(cmd.Cut(by="cid", at=100))
    assert table.state.shoe.origin.cutter == "cid"


@four_books
def test_the_named_role_cuts_when_no_player_does(book: Book) -> None:
    table = stacked_table(book)
    table.do(cmd.OfferCut())
    for player in ("ann", "cid", "bob"):
        table.do(cmd.RefuseCut(player=player))
    assert book.last in table.no(cmd.Cut(by="ann", at=100)).clauses
    assert book.last in table.no(cmd.Cut(by="dealer", at=100)).clauses
    (event,) = table.do(cmd.Cut(by=book.last_role, at=100))
    assert book.last in event.clauses


@pytest.mark.parametrize("book", [PERTH, *STARS], ids=lambda book: book.game)
def test_players_are_asked_before_the_house_cuts(book: Book) -> None:
    table = stacked_table(book)
    assert "offered to the players first" in table.no(cmd.Cut(by=book.last_role, at=100)).reason
    table.do(cmd.OfferCut())
    assert "offered to ann" in table.no(cmd.Cut(by=book.last_role, at=100)).reason


def test_melbourne_4_2_1_b_the_house_may_cut_at_once() -> None:
    table = stacked_table(MELBOURNE)
    assert "4.2.3" in table.no(cmd.Cut(by="dealer", at=100)).clauses
    (event,) = table.do(cmd.Cut(by="area-manager", at=100))
    assert "4.2.1(b)" in event.clauses


@four_books
def test_the_cut_is_offered_once_and_for_a_stack_only(book: Book) -> None:
    table = stacked_table(book)
    assert "not offered yet" in table.no(cmd.Cut(by="ann", at=100)).reason
    table.do(cmd.OfferCut())
    assert "already been offered" in table.no(cmd.OfferCut()).reason
    table.do(cmd.Cut(by="ann", at=100))
    assert "no shuffled stack" in table.no(cmd.OfferCut()).reason
    assert "no shuffled stack" in table.no(cmd.Cut(by="ann", at=100)).reason


@two_star_books
def test_the_star_books_want_every_shoe_cut(book: Book) -> None:
    table = stacked_table(book)
    refusal = table.no(cmd.PlaceCutCard(from_back=52))
    assert "must be cut" in refusal.reason
    assert refusal.clauses == table.state.rules.clauses("cut_mandatory")


@pytest.mark.parametrize("book", [PERTH, MELBOURNE], ids=lambda book: book.game)
def test_a_cut_that_may_be_offered_may_be_left_out_but_not_once_it_is_offered(book: Book) -> None:
    table = stacked_table(book)
    table.do(cmd.PlaceCutCard(from_back=80))
    assert table.state.shoe.origin.cut is None
    table = stacked_table(book)
    table.do(cmd.OfferCut())
    refusal = table.no(cmd.PlaceCutCard(from_back=80))
    assert "somebody must cut" in refusal.reason
    assert book.last in refusal.clauses


def test_rws_says_nothing_of_a_cut_and_the_dealer_may_do_without() -> None:
    table = stacked_table(RWS)
    table.do(cmd.PlaceCutCard(from_back=52))
    assert table.state.shoe.burnt == (), "nor of a burn"
    table = stacked_table(RWS)
    table.do(cmd.OfferCut())
    table.do(cmd.Cut(by="ann", at=100))


def test_nobody_at_the_table_leaves_the_cut_to_the_house() -> None:
    table = Table("star/blackjack")
    table.do(cmd.Shuffle(entropy=entropy()))
    table.do(cmd.OfferCut())
    assert table.state.shoe.asked == ()
    table.do(cmd.Cut(by="casino-supervisor", at=52))
    assert first_cutter(table.state) == ("", "cut_last")


def test_a_player_who_has_left_is_not_asked() -> None:
    table = opened(STAR)
    table.do(cmd.Leave(player="cid"))
    assert "not at the table" in table.no(cmd.Leave(player="cid")).reason
    table.state = replace(table.state, shoe=replace(table.state.shoe, due=("cut-card",), fell="5", fell_to="cid"))
    table.do(cmd.Shuffle(entropy=entropy(2)))
    table.do(cmd.OfferCut())
    assert table.state.shoe.asked == ("ann", "bob")
    table.bet("1", "bob")
    assert "wager on the layout" in table.no(cmd.Leave(player="bob")).reason


def test_whoever_wagers_has_arrived() -> None:
    table = Table("star/blackjack")
    table.bet("7", "eve")
    table.do(cmd.Arrive(player="ann", box="2"))
    table.do(cmd.Arrive(player="eve", box="4"))
    assert [(arrival.player, arrival.area) for arrival in table.state.arrivals] == [("eve", 4), ("ann", 2)]
    assert "no box 12" in table.no(cmd.Arrive(player="bob", box="12")).reason


# ---------------------------------------------------------------------- where the cut is and where the cut card goes


@four_books
def test_the_cut_is_at_least_a_deck_from_either_end(book: Book) -> None:
    table = stacked_table(book)
    table.do(cmd.OfferCut())
    count = len(table.state.shoe.cards)
    for at in (0, 51, count - 51, count, -1):
        assert table.no(cmd.Cut(by="ann", at=at)).clauses == (book.margin,)
    for at in (52, count - 52):
        assert isinstance(decide(table.state, cmd.Cut(by="ann", at=at)), Decision)


def test_a_deck_of_the_pontoon_pack_has_48_cards() -> None:
    table = Table("melbourne/pontoon")
    table.arrive(ann=1)
    table.do(cmd.Shuffle(entropy=entropy()))
    assert cut_range(table.state.rules, len(table.state.shoe.cards)) == (48, 8 * 48 - 48)
    assert cut_card_range(table.state.rules, len(table.state.shoe.cards)) == (72, 4 * 48)


@four_books
def test_the_front_part_goes_to_the_back(book: Book) -> None:
    table = stacked_table(book)
    before = table.state.shoe.cards
    table.do(cmd.OfferCut())
    (event,) = table.do(cmd.Cut(by="ann", at=60))
    assert table.state.shoe.cards == before[60:] + before[:60]
    assert book.turned in event.clauses


@pytest.mark.parametrize(
    ("game", "choices", "least", "most", "clause"),
    [
        ("perth/blackjack", {}, 52, 208, "4.6(b)"),
        ("perth/blackjack", {"decks": 4, "side_wagers": ["perfect-pairs"]}, 52, 207, "4.6(b)"),
        ("star/blackjack", {}, 0, 208, "4.6"),
        ("star/blackjack", {"decks": 3}, 0, 78, "4.6"),
        ("star/switch", {}, 0, 156, "4.6"),
        ("melbourne/blackjack", {}, 78, 208, "4.2.5(b)"),
        ("melbourne/blackjack", {"decks": 4}, 78, 104, "4.2.5(b)"),
        ("melbourne/pontoon", {"decks": 4}, 72, 96, "4.2.5(b)"),
    ],
)
def test_the_cut_card_goes_where_the_book_says(
    game: str, choices: dict[str, Any], least: int, most: int, clause: str
) -> None:
    table = Table(game, **choices)
    table.do(cmd.Shuffle(entropy=entropy()))
    table.do(cmd.OfferCut())
    table.do(cmd.Cut(by=table.state.rules.cut_order[-1], at=100))
    for wrong in (least - 1, most + 1):
        assert clause in table.no(cmd.PlaceCutCard(from_back=wrong)).clauses
    for right in (least, most):
        assert isinstance(decide(table.state, cmd.PlaceCutCard(from_back=right)), Decision)
    placed = table.do(cmd.PlaceCutCard(from_back=most))[0]
    assert clause in placed.clauses
    shoe = table.state.shoe
    assert shoe.stage is ShoeStage.OPEN
    assert shoe.cut_card == len(shoe.cards) - most


@two_star_books
def test_a_cut_card_at_the_very_back_lets_the_shoe_be_dealt_out(book: Book) -> None:
    table = opened(book, from_back=0)
    table.bet()
    shoe = table.state.shoe
    table.state = replace(table.state, shoe=replace(shoe, position=len(shoe.cards), discards=shoe.undealt))
    (event,) = table.do(cmd.Deal())
    assert isinstance(event, ev.CutCardDrawn)
    assert event.fell == "first"


@four_books
def test_cards_go_into_the_shoe_before_they_are_dealt(book: Book) -> None:
    table = stacked_table(book)
    table.bet("3")
    assert "first" in table.no(cmd.Deal()).reason
    table.do(cmd.OfferCut())
    table.do(cmd.Cut(by="ann", at=100))
    assert "put into the shoe" in table.no(cmd.Deal()).reason
    table.do(cmd.PlaceCutCard(from_back=100))
    table.do(cmd.Deal())


# ---------------------------------------------------------------------- burning


@two_star_books
@pytest.mark.parametrize("source", ["shoe", "shuffler-and-shoe", "device"])
def test_the_first_card_is_burnt_unseen(book: Book, source: str) -> None:
    table = opened(book, card_source=source)
    assert len(table.state.shoe.burnt) == 1
    assert table.state.shoe.shown == ()
    burn = next(event for event in table.log if isinstance(event, ev.CardsBurnt))
    assert burn.clauses == ("4.9", "17.17", "1.1:burn/ed")
    assert "4.9" in table.no(cmd.ShowBurntCard(player="ann")).clauses


@two_star_books
def test_a_device_may_be_read_to_burn_a_card_each_round(book: Book) -> None:
    table = opened(book, card_source="device", readings={"device_burn": "each-round"})
    assert table.state.shoe.burnt == ()
    for _ in range(3):
        table.bet()
        events = table.do(cmd.Deal())
        assert sum(isinstance(event, ev.CardsBurnt) for event in events) == 1
        table.finish()
        table.do(cmd.NextRound())


@two_star_books
def test_4_9_the_burn_may_be_read_to_open_the_round(book: Book) -> None:
    table = opened(book, readings={"burn_opens_round": "yes"})
    assert table.state.shoe.burnt == ()
    table.bet()
    kinds = [type(event).__name__ for event in table.do(cmd.Deal())]
    assert kinds.index("BetsClosed") < kinds.index("CardsBurnt") < kinds.index("InitialDeal")
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    assert not any(isinstance(event, ev.CardsBurnt) for event in table.do(cmd.Deal())), "once for a shoe"


def test_melbourne_4_3_1_the_burnt_card_is_shown_on_request() -> None:
    table = opened(MELBOURNE)
    (card,) = table.state.shoe.burnt
    assert table.state.shoe.shown == ()
    (event,) = table.do(cmd.ShowBurntCard(player="bob"))
    assert event == ev.BurntCardShown(player="bob", card=card, clauses=("4.3.1", "9.1"))
    assert table.state.shoe.shown == (card,)
    assert "was shown" in table.no(cmd.ShowBurntCard(player="ann")).reason
    table = opened(MELBOURNE)
    table.bet()
    table.round()
    assert "before the first round" in table.no(cmd.ShowBurntCard(player="ann")).reason


def test_melbourne_4_3_1_read_as_left_out() -> None:
    table = opened(MELBOURNE, readings={"burn_before_play": "not-burned"})
    assert table.state.shoe.burnt == ()


def test_perth_4_9_the_manager_may_have_each_rounds_first_card_burnt() -> None:
    table = Table("perth/blackjack")
    assert table.no(cmd.BurnEachRound(role="table-inspector")).clauses == ("4.9",)
    table.do(cmd.BurnEachRound(role="table-games-manager"))
    table.open()
    for number in (1, 2, 3):
        table.bet()
        table.do(cmd.Deal())
        assert len(table.state.shoe.burnt) == number
        table.finish()
        table.do(cmd.NextRound())
    refusal = table.no(cmd.BurnEachRound(role="table-games-manager", on=False))
    assert "before the table opens" in refusal.reason
    plain = opened(PERTH)
    plain.bet()
    plain.do(cmd.Deal())
    assert plain.state.shoe.burnt == ()


@pytest.mark.parametrize("book", [*STARS, MELBOURNE, RWS], ids=lambda book: book.game)
def test_no_other_book_burns_each_rounds_first_card(book: Book) -> None:
    table = Table(book.game)
    top = table.state.rules.ladder[-1].id
    assert set(table.no(cmd.BurnEachRound(role=top)).clauses) == set(table.state.rules.clauses("burn_shoe"))


@pytest.mark.parametrize("card", ["As", "2d", "7h", "Tc", "Kd"])
def test_perth_4_13_a_device_burns_the_value_of_its_first_card(card: str) -> None:
    table = opened(PERTH, card_source="device")
    assert table.state.shoe.burnt == (), "the burn comes after the call of no more bets"
    stack(table, card)
    table.bet()
    events = table.do(cmd.Deal())
    kinds = [type(event).__name__ for event in events]
    assert kinds.index("BetsClosed") < kinds.index("CardsBurnt") < kinds.index("InitialDeal")
    burns = [event for event in events if isinstance(event, ev.CardsBurnt)]
    assert len(burns) == 1 + VALUE[card]
    assert burns[0].clauses == ("4.13", "4.13(a)", "4.13(b)")
    assert table.state.shoe.shown == (card,), "the first is turned, the others are not"
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    assert not any(isinstance(event, ev.CardsBurnt) for event in table.do(cmd.Deal())), "only after a loading"


# ---------------------------------------------------------------------- devices


@pytest.mark.parametrize(
    ("book", "clauses"),
    [(PERTH, {"4.1", "4.1(c)", "4.3"}), (STAR, {"4.1.1", "4.7"}), (SWITCH, {"4.1.1", "4.7"}),
     (MELBOURNE, {"4.1.1(a)", "4.1.1(f)"})],
    ids=lambda value: value.game if isinstance(value, Book) else "",
)  # fmt: skip
def test_cards_go_into_a_device_uncut_and_without_a_cut_card(book: Book, clauses: set[str]) -> None:
    table = Table(book.game, card_source="device")
    table.arrive(ann=1)
    shuffle = table.do(cmd.Shuffle(entropy=entropy()))[0]
    assert set(shuffle.clauses) == clauses
    assert table.state.shoe.stage is ShoeStage.OPEN
    assert table.state.shoe.cut_card is None
    refusal = table.no(cmd.OfferCut())
    assert refusal.clauses == table.state.rules.clauses("cut_order")
    none = table.state.rules.clauses("cut_none")
    assert none
    assert set(none) <= set(table.no(cmd.PlaceCutCard(from_back=52)).clauses)


@two_star_books
def test_discards_go_into_the_device_after_the_next_initial_deal(book: Book) -> None:
    table = opened(book, card_source="device")
    table.bet()
    table.round()
    rack = len(table.state.shoe.discards)
    assert rack >= 4
    left = table.state.shoe.left
    table.bet()
    events = table.do(cmd.Deal())
    kinds = [type(event).__name__ for event in events]
    assert kinds.index("DiscardsFed") == kinds.index("InitialDeal") + 1
    fed = next(event for event in events if isinstance(event, ev.DiscardsFed))
    assert len(fed.cards) == rack
    assert fed.clauses[0] == "7.2"
    dealt = len(next(event for event in events if isinstance(event, ev.InitialDeal)).cards)
    assert len(fed.order) == left - dealt + rack


@two_star_books
def test_discards_that_were_not_fed_wait_for_the_next_initial_deal(book: Book) -> None:
    table = opened(book, card_source="device")
    table.bet()
    table.round()
    (event,) = table.do(cmd.MissFeed())
    assert event.clauses == (("17.15",) if book is STAR else ("17.16",))
    first = table.state.shoe.discards
    table.bet()
    assert not any(isinstance(event, ev.DiscardsFed) for event in table.do(cmd.Deal()))
    assert table.state.shoe.discards[: len(first)] == first
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    fed = next(event for event in table.do(cmd.Deal()) if isinstance(event, ev.DiscardsFed))
    assert len(fed.cards) > len(first)


def test_only_a_device_that_waits_can_miss_a_feed() -> None:
    assert opened(STAR).no(cmd.MissFeed()).clauses[0] == "7.2"
    table = opened(PERTH, card_source="device")
    assert table.no(cmd.MissFeed()).clauses == table.state.rules.clauses("discards_return")


@pytest.mark.parametrize("book", [PERTH, MELBOURNE], ids=lambda book: book.game)
def test_discards_go_into_the_device_after_the_round(book: Book) -> None:
    table = opened(book, card_source="device")
    table.bet()
    table.do(cmd.Deal())
    table.finish()
    assert table.state.shoe.left < len(pack_of(table.state)) * table.state.rules.decks
    _, fed = table.do(cmd.NextRound())
    assert isinstance(fed, ev.DiscardsFed)
    assert fed.clauses == table.state.rules.clauses("discards_return")
    assert table.state.shoe.left == sum(pack_of(table.state).values())


def test_perth_busted_hands_may_be_read_to_go_back_at_once() -> None:
    table = opened(PERTH, card_source="device", readings={"csm_recirculation": "mid-round"})
    table.bet("1")
    table.bet("2", "bob")
    table.do(cmd.Deal())
    stack(table, *["Ts"] * 20)
    if table.state.phase is Phase.OFFERS:
        table.do(cmd.Proceed())
    bust = table.state.boxes[0].hands[0].cards
    fed: list[ev.Event] = []
    while table.state.phase is Phase.TURNS and not fed:
        hits = [item for item in legal(table.state) if isinstance(item, cmd.Hit)]
        fed += [event for event in table.do(hits[0]) if isinstance(event, ev.DiscardsFed)]
    assert set(bust) <= set(fed[0].cards)


def test_a_device_deals_from_the_seed_it_was_loaded_with() -> None:
    table = opened(STAR, card_source="device")
    table.bet()
    table.round()
    table.bet()
    rest = table.state.shoe
    fed = next(event for event in table.do(cmd.Deal()) if isinstance(event, ev.DiscardsFed))
    origin = table.state.shoe.origin
    assert origin.mixes == 2, "the burnt card of the first round, and the first round's cards"
    assert fed.order == shuffle_cards((*rest.undealt[3:], *fed.cards), origin.seed, 2)


# ---------------------------------------------------------------------- new cards, dropped cards, riffles


def test_perth_2_6_unfit_cards_are_replaced_between_rounds() -> None:
    table = opened(PERTH)
    assert "reason" in table.no(cmd.ReplaceCards(role="table-inspector")).reason
    assert table.no(cmd.ReplaceCards(role="dealer", reason="bent")).clauses[0] == "2.6/1"
    (event,) = table.do(cmd.ReplaceCards(role="table-inspector", reason="bent", cards=("As",)))
    assert event.clauses[0] == "2.6/1"
    table.bet()
    table.do(cmd.Deal())
    assert "between rounds" in table.no(cmd.ReplaceCards(role="table-inspector", reason="bent")).reason
    table.finish()
    table.do(cmd.NextRound())
    table.do(cmd.ReplaceCards(role="table-inspector", reason="bent"))
    table.bet()
    assert "2.6/2" in table.no(cmd.Deal()).clauses, "a whole new pack is shuffled and cut first"
    assert "not a card" in table.no(cmd.ReplaceCards(role="table-inspector", reason="x", cards=("Zz",))).reason
    table.do(cmd.Shuffle(entropy=entropy(2)))
    assert all_cards(table.state) == pack_of(table.state)


@two_star_books
def test_the_star_books_replace_cards_of_a_shoe_after_the_cut_card_only(book: Book) -> None:
    clause = {"star/blackjack": "3.5.1", "star/switch": "3.4.1"}[book.game]
    table = opened(book)
    assert clause in table.no(cmd.ReplaceCards(role="casino-supervisor")).clauses
    table.bet()
    put_cut_card(table, 1)
    table.round()
    assert clause in table.no(cmd.ReplaceCards(role="dealer")).clauses
    (event,) = table.do(cmd.ReplaceCards(role="casino-supervisor"))
    assert clause in event.clauses
    table.open(2)
    assert all_cards(table.state) == pack_of(table.state)


@two_star_books
def test_the_star_books_replace_cards_of_a_device_after_any_round(book: Book) -> None:
    clause = {"star/blackjack": "3.5.2", "star/switch": "3.4.2"}[book.game]
    table = opened(book, card_source="device")
    table.bet()
    table.round()
    (event,) = table.do(cmd.ReplaceCards(role="casino-supervisor"))
    assert clause in event.clauses
    assert needs_shuffle(table.state)


def test_melbourne_4_4_cards_are_replaced_before_a_shuffle_or_when_unfit() -> None:
    table = opened(MELBOURNE)
    assert "4.4.1" in table.no(cmd.ReplaceCards(role="higher-duties-dealer")).clauses
    unfit = cmd.ReplaceCards(role="area-manager", reason="marked", found_by="higher-duties-dealer")
    assert "4.4.2" in table.no(replace(unfit, found_by="dealer")).clauses
    assert "4.4.2" in table.no(replace(unfit, role="higher-duties-dealer")).clauses
    (event,) = table.do(unfit)
    assert event.clauses == ("4.4.2", "4.4.3")
    table.bet()
    assert "4.4.3" in table.no(cmd.Deal()).clauses
    table = opened(MELBOURNE)
    table.bet()
    put_cut_card(table, 1)
    table.round()
    (event,) = table.do(cmd.ReplaceCards(role="higher-duties-dealer"))
    assert event.clauses == ("4.4.1",)
    table.open(2)
    assert len(table.state.shoe.burnt) == 1, "new cards are shuffled, cut and burnt"


@pytest.mark.parametrize("read", ["as-other-cards", "required"])
def test_melbourne_4_4_3_replaced_cards_may_be_read_to_need_a_cut(read: str) -> None:
    table = opened(MELBOURNE, readings={"cut_of_new_cards": read})
    table.do(cmd.ReplaceCards(role="area-manager", reason="marked", found_by="higher-duties-dealer"))
    table.do(cmd.Shuffle(entropy=entropy(2)))
    if read == "required":
        assert table.no(cmd.PlaceCutCard(from_back=80)).clauses[:2] == ("4.4.3", "9.11")
        table.do(cmd.Cut(by="higher-duties-dealer", at=100))
    table.do(cmd.PlaceCutCard(from_back=80))
    assert table.state.shoe.stage is ShoeStage.OPEN


def test_rws_leaves_new_cards_to_the_house() -> None:
    table = opened(RWS)
    assert "silent" in table.no(cmd.ReplaceCards(role="dealer")).reason
    table.do(cmd.ReplaceCards(role="supervisor"))
    assert "nobody else's opinion" in table.no(cmd.ReplaceCards(role="supervisor", found_by="house")).reason


@two_star_books
def test_4_6_1_dropped_cards_are_verified_before_anything_else(book: Book) -> None:
    table = stacked_table(book)
    table.do(cmd.ReportDroppedCards())
    for command in (cmd.OfferCut(), cmd.PlaceCutCard(from_back=52), cmd.Shuffle(entropy=entropy(2)), cmd.Deal()):
        assert table.no(command).clauses == ("4.6.1",)
    assert table.no(cmd.VerifyDroppedCards(role="dealer")).clauses == ("4.6.1",)
    (event,) = table.do(cmd.VerifyDroppedCards(role="casino-supervisor"))
    assert event.count == sum(pack_of(table.state).values())
    table.do(cmd.OfferCut())
    assert "nobody has said" in table.no(cmd.VerifyDroppedCards(role="casino-supervisor")).reason


@two_star_books
def test_new_cards_are_riffled_at_a_players_request(book: Book) -> None:
    clauses = {"star/blackjack": ("4.2", "4.2.1"), "star/switch": ("4.3", "4.3.1")}[book.game]
    table = stacked_table(book)
    before = table.state.shoe
    assert table.no(cmd.Riffle(role="dealer", player="ann")).clauses == clauses
    assert "not at the table" in table.no(cmd.Riffle(role="casino-supervisor", player="eve")).reason
    (event,) = table.do(cmd.Riffle(role="casino-supervisor", player="ann"))
    assert event.clauses == clauses
    assert event.cards == shuffle_cards(before.cards, before.origin.seed, 1)
    table.do(cmd.OfferCut())
    table.do(cmd.Cut(by="ann", at=100))
    assert "before they are cut" in table.no(cmd.Riffle(role="casino-supervisor", player="ann")).reason
    later = next_shoe(book, fell="dealer")
    assert "new cards" in later.no(cmd.Riffle(role="casino-supervisor", player="ann")).reason


def test_other_books_know_no_riffle() -> None:
    for book in (PERTH, MELBOURNE):
        assert "no riffle" in stacked_table(book).no(cmd.Riffle(role=book.order_role, player="ann")).reason


# ---------------------------------------------------------------------- running out of cards


def nearly_empty(book: Book, left: int, **choices: Any) -> Table:
    """So many cards are left in the shoe, all others are in the rack; the cut card has not come."""
    table = opened(book, **choices)
    shoe = table.state.shoe
    gone = shoe.cards[len(shoe.burnt) : len(shoe.cards) - left]
    table.state = replace(
        table.state,
        shoe=replace(shoe, position=len(shoe.cards) - left, discards=gone, cut_card=len(shoe.cards)),
    )
    assert all_cards(table.state) == pack_of(table.state)
    return table


@four_books
def test_cards_that_run_out_in_the_initial_deal(book: Book) -> None:
    table = nearly_empty(book, 2)
    table.bet()
    events = table.do(cmd.Deal())
    kinds = [type(event).__name__ for event in events]
    assert kinds[-4:] == ["PartDealt", "CutCardDrawn", "PhaseBegan", "CardsRanOut"]
    assert events[-1].clauses == (book.out,)
    assert table.state.phase is Phase.DEALING
    dealt = table.state.part
    assert len(dealt) == 2
    assert "rack" not in table.no(cmd.PlaceBet(box="2", player="bob", amount=table.state.bets[0].amount)).reason
    assert needs_shuffle(table.state)
    _, shuffle = table.do(cmd.Shuffle(entropy=entropy(2)))
    assert shuffle.clauses == (book.out,)
    assert all_cards(table.state) == pack_of(table.state), "cards on the layout stay out of the shuffle"
    assert table.no(cmd.Deal()).reason
    table.do(cmd.OfferCut())
    table.do(cmd.Cut(by=table.state.shoe.asked[0], at=100))
    events = table.do(cmd.PlaceCutCard(from_back=100))
    deal = next(event for event in events if isinstance(event, ev.InitialDeal))
    assert deal.cards[:2] == dealt
    assert all_cards(table.state) == pack_of(table.state)
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    assert "shuffled first" in table.no(cmd.Deal()).reason, "after the round all cards are shuffled"
    table.open(3)
    assert all_cards(table.state) == pack_of(table.state)


def test_cards_that_run_out_are_not_shuffled_where_the_book_has_no_rule() -> None:
    table = nearly_empty(STAR, 2)
    table.state = replace(table.state, rules=replace(table.state.rules, out_of_cards="not-stated"))
    table.bet()
    table.do(cmd.Deal())
    assert "no rule for cards that run out" in table.no(cmd.Shuffle(entropy=entropy(2))).reason


@four_books
def test_cards_that_run_out_when_a_player_draws(book: Book) -> None:
    table = nearly_empty(book, 3 if book.game != "star/switch" else 5)
    cards = ["5s", "5d", "6d", "2c", "3h"]
    stack(table, *(cards[:2] + cards[3:4] if book.game != "star/switch" else cards))
    table.bet()
    table.do(cmd.Deal())
    box = table.state.boxes[0].number
    if table.state.phase is Phase.OFFERS:
        table.do(cmd.Proceed())
    refusal = table.no(cmd.Hit(box=box))
    assert "no card is left" in refusal.reason
    assert refusal.clauses == (book.out,)
    assert cmd.Hit(box=box) not in legal(table.state)
    before = table.state.boxes[0].hands[0].cards
    table.open(2)
    table.do(cmd.Hit(box=box))
    assert table.state.boxes[0].hands[0].cards[:2] == before
    assert len(table.state.boxes[0].hands[0].cards) > 2


@four_books
def test_cards_that_run_out_on_the_dealers_hand(book: Book) -> None:
    table = nearly_empty(book, 4 if book.game != "star/switch" else 6)
    cards = ["Ts", "Td", "6d", "9c", "8h", "2c"]
    stack(table, *(["Ts", "6d", "9c", "2c"] if book.game != "star/switch" else cards))
    table.bet()
    table.do(cmd.Deal())
    if table.state.phase is Phase.OFFERS:
        table.do(cmd.Proceed())
    while not table.state.shoe.out:
        stands = [item for item in legal(table.state) if isinstance(item, cmd.Stand | cmd.Proceed)]
        table.do(stands[0])
    assert len(table.state.dealer) == 2
    assert "discards must be shuffled" in table.no(cmd.Proceed()).reason
    assert legal(table.state) == ()
    table.open(2)
    assert table.state.phase is Phase.SETTLED, "the dealer's hand goes on by itself"
    assert len(table.state.dealer) > 2
    assert len(table.state.shoe.burnt) == 0, "no card is burnt in mid-round"


@two_star_books
def test_a_device_that_runs_out_takes_the_rack_without_a_cut(book: Book) -> None:
    table = opened(book, card_source="device")
    shoe = table.state.shoe
    gone = shoe.undealt[:-2]
    table.state = replace(table.state, shoe=replace(shoe, position=len(shoe.cards) - 2, discards=gone))
    table.bet()
    events = table.do(cmd.Deal())
    fed = next(event for event in events if isinstance(event, ev.DiscardsFed))
    assert fed.clauses[:2] == ("17.9", "4.7")
    assert all_cards(table.state) == pack_of(table.state)


@two_star_books
def test_a_device_that_runs_out_may_be_read_to_want_a_cut(book: Book) -> None:
    table = opened(book, card_source="device", readings={"out_of_cards_device": "cut"})
    shoe = table.state.shoe
    table.state = replace(table.state, shoe=replace(shoe, position=len(shoe.cards) - 2, discards=shoe.undealt[:-2]))
    table.bet()
    table.do(cmd.Deal())
    assert table.state.shoe.out
    table.do(cmd.Shuffle(entropy=entropy(2)))
    table.do(cmd.OfferCut())
    events = table.do(cmd.Cut(by=table.state.shoe.asked[0], at=100))
    assert any(isinstance(event, ev.DeviceLoaded) for event in events)
    assert table.state.phase is not Phase.DEALING
    assert all_cards(table.state) == pack_of(table.state)


@two_star_books
def test_18_5_without_a_spare_device_the_round_is_finished_from_a_shoe(book: Book) -> None:
    table = opened(book, card_source="device")
    table.bet()
    table.round()
    stack(table, *(["Ts", "9d", "6d", "3c", "4h"] if book is SWITCH else ["Ts", "6d", "3c"]))
    whole = all_cards(table.state)
    table.bet()
    table.do(cmd.Deal())
    racked = table.state.shoe.discards
    table.do(od.DeviceFailed(role="casino-supervisor", reason="jammed", outcome="none"))
    box = table.state.boxes[0].number
    assert "device has failed" in table.no(cmd.Hit(box=box)).reason
    held = sorted(table.state.shoe.undealt)
    shuffle = table.do(cmd.Shuffle(entropy=entropy(2)))[-1]
    assert "18.5" in shuffle.clauses
    assert sorted(table.state.shoe.cards) == held
    assert table.state.shoe.discards == racked, "the rack is not part of it"
    assert "18.5" in table.no(cmd.PlaceCutCard(from_back=60)).clauses
    table.do(cmd.OfferCut())
    table.do(cmd.Cut(by=table.state.shoe.asked[0], at=100))
    table.do(cmd.PlaceCutCard(from_back=60))
    assert table.state.shoe.source is CardSource.SHOE
    assert all_cards(table.state) == whole
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    assert "the device failed" in table.no(cmd.Deal()).reason
    table.open(3)
    assert table.state.shoe.source is CardSource.DEVICE
    assert all_cards(table.state) == whole


def test_a_rack_that_is_empty_cannot_be_shuffled() -> None:
    table = opened(STAR)
    shoe = table.state.shoe
    table.state = replace(table.state, shoe=replace(shoe, cards=shoe.cards[:3], position=1, burnt=(), cut_card=3))
    table.bet()
    table.do(cmd.Deal())
    assert "rack is empty" in table.no(cmd.Shuffle(entropy=entropy(2))).reason
    with pytest.raises(SessionError, match="rack is empty"):
        open_shoe(table.state, entropy(2))


@four_books
def test_a_round_that_ran_out_of_cards_may_be_declared_void(book: Book) -> None:
    table = nearly_empty(book, 2)
    table.bet()
    table.do(cmd.Deal())
    assert table.state.phase is Phase.DEALING
    table.do(cmd.Void(role=table.state.rules.ladder[-1].id, reason="no card is left"))
    table.do(cmd.NextRound())
    assert all_cards(table.state) == pack_of(table.state)
    assert needs_shuffle(table.state)
    table.open(2)
    table.bet()
    table.round()


def test_a_short_stack_is_cut_in_the_middle() -> None:
    table = nearly_empty(STAR, 2, decks=3)
    shoe = table.state.shoe
    table.state = replace(table.state, shoe=replace(shoe, discards=shoe.discards[:60], burnt=()))
    table.bet()
    table.do(cmd.Deal())
    table.do(cmd.Shuffle(entropy=entropy(2)))
    assert cut_range(table.state.rules, len(table.state.shoe.cards)) == (30, 30)
    assert cut_card_range(table.state.rules, len(table.state.shoe.cards)) == (0, 30)


# ---------------------------------------------------------------------- what restrictions ask of the shoe


@five_books
def test_the_shoe_knows_who_has_skipped_rounds(book: Book) -> None:
    table = opened(book)
    table.bet("1", "ann")
    table.round()
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.round()
    shoe = table.state.shoe
    assert (shoe.rounds, shoe.count_skipped("ann"), shoe.count_skipped("bob"), shoe.count_skipped("cid")) == (
        2,
        0,
        1,
        2,
    )
    table.state = replace(table.state, shoe=replace(shoe, due=("cut-card",)))
    table.open(2)
    assert table.state.shoe.count_skipped("cid") == 0, "a new shoe starts from zero"


# ---------------------------------------------------------------------- the shoe as a value


def test_the_same_seed_deals_the_same_shoe() -> None:
    one, two, other = opened(STAR), opened(STAR), Table("star/blackjack")
    other.open(7)
    assert one.state.shoe == two.state.shoe
    assert one.state.shoe.cards != other.state.shoe.cards


def test_the_seed_is_revealed_when_the_shoe_is_retired_and_not_before() -> None:
    table = opened(STAR)
    origin = table.state.shoe.origin
    assert origin.commitment == commitment(origin.seed, origin.salt)
    assert table.state.revealed is None
    table.do(cmd.RetireShoe())
    reveal = table.state.revealed
    assert reveal is not None
    assert (reveal.seed, reveal.salt, reveal.commitment) == (origin.seed, origin.salt, origin.commitment)
    table.bet()
    assert "put away" in table.no(cmd.Deal()).reason
    assert "no shuffled shoe" in table.no(cmd.RetireShoe()).reason
    table.open(2)
    table.do(cmd.Deal())
    assert "between rounds" in table.no(cmd.RetireShoe()).reason


def test_an_infinite_deck_cannot_be_shuffled() -> None:
    table = Table("star/blackjack")
    table.state = replace(table.state, rules=replace(table.state.rules, decks=0))
    assert "infinite" in table.no(cmd.Shuffle(entropy=entropy())).reason


def test_a_stacked_shoe_is_dealt_as_it_is() -> None:
    table = Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("Ts", "6d", "9c", "Kd", "5h")))
    table.bet()
    table.round()
    assert table.state.shoe.source is CardSource.STACKED
    assert table.state.shoe.discards == ("Ts", "9c", "6d", "Kd", "5h")
    assert table.state.shoe.burnt == ()


def test_a_shuffled_shoe_is_not_exchanged_for_a_stacked_one() -> None:
    table = opened(STAR)
    assert "put it away first" in table.no(cmd.LoadShoe(cards=("As",))).reason
    table.do(cmd.RetireShoe())
    table.do(cmd.LoadShoe(cards=("As",)))


def test_commands_events_and_states_of_the_shoe_read_back() -> None:
    table = opened(MELBOURNE)
    table.bet()
    table.round()
    for event in table.log:
        assert decode_event(encode(event)) == event
    for command in (cmd.Shuffle(entropy=entropy(3)), cmd.Cut(by="ann", at=60), cmd.ReplaceCards(role="area-manager")):
        assert decode_command(encode(command)) == command
    assert decode_state(encode(table.state)).shoe == table.state.shoe


# ---------------------------------------------------------------------- whole sessions

SOURCES: list[tuple[str, dict[str, Any]]] = [
    *(("perth/vegas", {"card_source": source}) for source in ("shoe", "shuffler-and-shoe", "device")),
    ("perth/blackjack", {"card_source": "device", "decks": 1, "readings": {"csm_recirculation": "mid-round"}}),
    *(("star/blackjack", {"card_source": source, "decks": 4}) for source in ("shoe", "shuffler-and-shoe", "device")),
    ("star/blackjack", {"decks": 3}),
    *(("star/switch", {"card_source": source}) for source in ("shoe", "shuffler-and-shoe", "device")),
    *(("melbourne/pontoon", {"card_source": source, "decks": 4}) for source in ("shoe", "device")),
    ("melbourne/free-bet", {"decks": 4}),
    ("rws/blackjack", {"decks": 4}),
]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(choice=st.sampled_from(SOURCES), seed=st.integers(0, 2**32), boxes=st.integers(1, 5), deep=st.booleans())
def test_cards_are_conserved_through_whole_sessions(
    choice: tuple[str, dict[str, Any]], seed: int, boxes: int, deep: bool
) -> None:
    """Every card of the pack is in one place after every event, whatever is dealt, shuffled, fed and burnt."""
    game, options = choice
    table = Table(game, **options)
    pack = pack_of(table.state)
    from_back = 0 if deep and game.startswith("star") and options.get("card_source") != "device" else None
    for state in play_session(table, Random(seed), 12, boxes, from_back):
        assert all_cards(state) == pack
    _folds_again(table)


def _folds_again(table: Table) -> None:
    state: State = table.start
    for event in table.log:
        state = evolve(state, event)
    assert state == table.state
