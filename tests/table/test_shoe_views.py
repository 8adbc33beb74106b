"""What observers see of the cards: the commitment and never the seed, dealt cards and never those still to come, and no
card that lies face down to them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from shoe_play import Table, entropy

from pitboss.cards import VALUE
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Phase
from pitboss.table.views import FACE_DOWN, Observer, View, Viewer, view

EVERYBODY = tuple(Observer(role, "ann" if role is Viewer.PLAYER else "") for role in Viewer)


def seen_by(table: Table, player: str = "ann") -> View:
    return view(table.state, Observer(Viewer.PLAYER, player))


def opened(game: str, **choices: Any) -> Table:
    table = Table(game, **choices)
    table.arrive(ann=1, bob=2)
    table.open()
    return table


def next_cards(table: Table, *cards: str) -> None:
    shoe = table.state.shoe
    head, rest = shoe.cards[: shoe.position], shoe.cards[shoe.position + len(cards) :]
    table.state = replace(table.state, shoe=replace(shoe, cards=(*head, *cards, *rest)))


# ---------------------------------------------------------------------- the shoe


@pytest.mark.parametrize("observer", EVERYBODY, ids=lambda observer: observer.role)
def test_no_view_holds_the_seed_or_the_salt_of_a_shoe_in_play(observer: Observer) -> None:
    table = opened("star/blackjack")
    table.bet()
    table.do(cmd.Deal())
    origin = table.state.shoe.origin
    shown = msgspec.json.encode(view(table.state, observer)).decode()
    assert origin.commitment in shown
    for secret in (origin.seed, origin.salt):
        assert secret.hex() not in shown
        assert msgspec.json.encode(secret).decode().strip('"') not in shown


@pytest.mark.parametrize("observer", EVERYBODY, ids=lambda observer: observer.role)
def test_no_view_tells_one_undealt_order_from_another(observer: Observer) -> None:
    """Two tables that differ only in the cards still to come look the same to everybody."""
    table = opened("star/blackjack")
    table.bet()
    table.do(cmd.Deal())
    shoe = table.state.shoe
    turned = (*shoe.cards[: shoe.position], *reversed(shoe.undealt))
    other = replace(table.state, shoe=replace(shoe, cards=turned))
    assert view(table.state, observer) == view(other, observer)


def test_a_retired_shoe_is_revealed_to_everybody() -> None:
    table = opened("star/blackjack")
    origin = table.state.shoe.origin
    table.do(cmd.RetireShoe())
    retired = seen_by(table).shoe.retired
    assert retired is not None
    assert (retired.commitment, retired.seed, retired.salt) == (origin.commitment, origin.seed.hex(), origin.salt.hex())


def test_a_view_tells_how_the_shoe_was_cut_and_what_is_due() -> None:
    table = Table("perth/blackjack")
    table.arrive(ann=1)
    table.do(cmd.Shuffle(entropy=entropy()))
    table.do(cmd.OfferCut())
    assert seen_by(table).shoe.asked == "ann"
    assert seen_by(table).actions == ("cut", "refuse-cut")
    assert seen_by(table, "bob").actions == ()
    table.do(cmd.Cut(by="ann", at=120))
    table.do(cmd.PlaceCutCard(from_back=90))
    shoe = seen_by(table).shoe
    assert (shoe.cut_by, shoe.cut_at, shoe.cut_card, shoe.number) == ("ann", 120, 90, 1)
    table.do(cmd.OrderShuffle(role="table-inspector"))
    assert seen_by(table).shoe.due == ("ordered",)


def test_a_burnt_card_is_seen_only_once_it_is_shown() -> None:
    table = opened("melbourne/blackjack")
    assert (seen_by(table).shoe.burnt, seen_by(table).shoe.shown) == (1, ())
    table.do(cmd.ShowBurntCard(player="bob"))
    assert seen_by(table).shoe.shown == table.state.shoe.burnt


# ---------------------------------------------------------------------- cards dealt face down


def face_down(game: str, *cards: str, **choices: Any) -> Table:
    """Cards are dealt face down by those who may have it so; ann is on box 1, bob on box 2."""
    table = opened(game, **choices)
    orders = {
        "perth": cmd.DealFaceDown(role="table-games-manager"),
        "star": cmd.DealFaceDown(role="casino-supervisor", approved=("inspector",)),
        "melbourne": cmd.DealFaceDown(role="area-manager", told=("inspector", "surveillance")),
    }
    table.do(orders[game.split("/")[0]])
    next_cards(table, *cards)
    table.bet("1", "ann")
    table.bet("2", "bob")
    return table


CARDS = ("9s", "Tc", "6d", "7h", "8d")
BEFORE_THIRD = {"readings": {"face_down_exposure": "before-third-card"}}
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("perth/blackjack", {}),
    ("star/blackjack", BEFORE_THIRD),
    ("melbourne/blackjack", {}),
]


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_face_down_cards_are_hidden_from_all_others(game: str, choices: dict[str, Any]) -> None:
    table = face_down(game, *CARDS, **choices)
    table.do(cmd.Deal())
    own, others = seen_by(table, "ann").boxes
    assert own.hands[0].cards == ("9s", "7h")
    assert own.hands[0].total == 16
    assert others.hands[0].cards == (FACE_DOWN, FACE_DOWN)
    assert others.hands[0].total is None
    for role in (Viewer.DEALER, Viewer.SUPERVISOR, Viewer.SPECTATOR):
        seen = view(table.state, Observer(role))
        assert [hand.cards for box in seen.boxes for hand in box.hands] == [(FACE_DOWN, FACE_DOWN)] * 2
        assert seen.dealer == ("6d",), "the dealer's card is face up"
        encoded = msgspec.json.encode(seen.boxes).decode()
        assert not any(card in encoded for card in ("9s", "Tc", "7h", "8d"))


@pytest.mark.parametrize(("game", "choices"), GAMES)
def test_face_down_cards_are_turned_with_the_third_card_and_when_all_is_settled(
    game: str, choices: dict[str, Any]
) -> None:
    table = face_down(game, *CARDS, "2c", **choices)
    table.do(cmd.Deal())
    table.do(cmd.Hit(box="1"))
    assert seen_by(table, "bob").boxes[0].hands[0].cards == ("9s", "7h", "2c")
    table.do(cmd.Stand(box="1"))
    table.do(cmd.ShowCards(box="2", by="bob"))
    assert seen_by(table, "ann").boxes[1].hands[0].cards == ("Tc", "8d")
    table = face_down(game, *CARDS, **choices)
    table.do(cmd.Deal())
    table.do(cmd.Stand(box="1"))
    assert seen_by(table, "bob").boxes[0].hands[0].cards == (FACE_DOWN, FACE_DOWN)
    table.do(cmd.Stand(box="2"))
    assert table.state.phase is Phase.SETTLED
    assert seen_by(table, "bob").boxes[0].hands[0].cards == ("9s", "7h")


def test_the_dealer_cannot_tell_a_pair_from_what_may_be_done() -> None:
    table = face_down("melbourne/blackjack", "8s", "Tc", "6d", "8h", "8d")
    table.do(cmd.Deal())
    dealer = view(table.state, Observer(Viewer.DEALER))
    assert "1 split" not in dealer.actions
    assert "1 hit" in dealer.actions
    assert "1 split" in seen_by(table, "ann").actions


def test_star_3_6_2_cards_are_shown_after_the_initial_deal_by_default() -> None:
    table = face_down("star/blackjack", *CARDS)
    events = table.do(cmd.Deal())
    assert [event.clauses[0] for event in events if type(event).__name__ == "CardsShown"] == ["3.6.2", "3.6.2"]
    assert seen_by(table, "ann").boxes[1].hands[0].cards == ("Tc", "8d")


def test_melbourne_a_side_wager_that_is_settled_turns_the_cards() -> None:
    table = opened("melbourne/blackjack", side_wagers=["perfect-pairs"])
    table.do(cmd.DealFaceDown(role="area-manager", told=("inspector", "surveillance")))
    next_cards(table, *CARDS)
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.do(cmd.PlaceBet(box="2", player="bob", amount=table.state.bets[0].amount, wager="perfect-pairs"))
    table.do(cmd.Deal())
    one, two = seen_by(table, "cid").boxes
    assert one.hands[0].cards == (FACE_DOWN, FACE_DOWN)
    assert two.hands[0].cards == ("Tc", "8d")


def test_perth_4_11_one_nominated_box_for_each_player() -> None:
    table = face_down("perth/blackjack", *["9s", "Tc", "4d", "6d", "7h", "8d", "5c"])
    table.bet("3", "ann")
    table.do(cmd.NominateBox(player="ann", box="3"))
    assert "no box 12" in table.no(cmd.NominateBox(player="ann", box="12")).reason
    table.do(cmd.Deal())
    boxes = seen_by(table, "cid").boxes
    assert [box.hands[0].cards[0] == FACE_DOWN for box in boxes] == [False, True, True]
    table = face_down("perth/blackjack", *["9s", "Tc", "4d", "6d", "7h", "8d", "5c"])
    table.bet("3", "ann")
    table.do(cmd.Deal())
    boxes = seen_by(table, "cid").boxes
    assert [box.hands[0].cards[0] == FACE_DOWN for box in boxes] == [True, True, False], "without a word, the first"


@pytest.mark.parametrize(
    ("game", "command", "clause"),
    [
        ("perth/blackjack", cmd.DealFaceDown(role="table-inspector"), "4.10"),
        ("star/blackjack", cmd.DealFaceDown(role="casino-supervisor"), "3.6.2"),
        ("star/blackjack", cmd.DealFaceDown(role="casino-supervisor", told=("inspector",)), "3.6.2"),
        ("star/blackjack", cmd.DealFaceDown(role="dealer", approved=("inspector",)), "3.6.2"),
        ("melbourne/blackjack", cmd.DealFaceDown(role="area-manager"), "7.1.2(b)"),
        ("melbourne/blackjack", cmd.DealFaceDown(role="area-manager", told=("inspector",)), "7.1.2(b)"),
        ("melbourne/blackjack", cmd.DealFaceDown(role="dealer", told=("inspector", "surveillance")), "7.1.2(b)"),
        ("star/switch", cmd.DealFaceDown(role="gaming-manager"), "3.6"),
        ("rws/blackjack", cmd.DealFaceDown(role="house"), "3.6"),
    ],
)
def test_cards_are_dealt_face_down_only_on_the_word_of_those_the_book_names(
    game: str, command: cmd.DealFaceDown, clause: str
) -> None:
    table = opened(game)
    assert clause in table.no(command).clauses


def test_cards_may_be_dealt_face_up_again_and_only_between_rounds() -> None:
    table = face_down("melbourne/blackjack", *CARDS)
    table.do(cmd.Deal())
    up = cmd.DealFaceDown(role="area-manager", on=False)
    assert "between rounds" in table.no(up).reason
    table.finish()
    table.do(cmd.NextRound())
    table.do(up)
    table.bet()
    table.do(cmd.Deal())
    assert seen_by(table, "cid").boxes[0].hands[0].total is not None
    assert "no card lies face down" in table.no(cmd.ShowCards(box="1")).reason
    assert "no box is to be named" in table.no(cmd.NominateBox(player="ann", box="1")).reason


def test_only_the_controlling_player_shows_cards() -> None:
    table = face_down("melbourne/blackjack", *CARDS)
    table.do(cmd.Deal())
    assert "ann calls the decisions" in table.no(cmd.ShowCards(box="1", by="bob")).reason


def test_a_natural_is_shown() -> None:
    table = face_down("melbourne/blackjack", "As", "Tc", "Td", "Kh", "8d")
    table.do(cmd.Deal())
    shown = seen_by(table, "bob").boxes[0].hands[0]
    assert sum(VALUE[card] for card in shown.cards) == 11
