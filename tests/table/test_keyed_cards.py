"""A real shoe: cards are keyed in one by one, and the round is the same as from a shoe whose order is known."""

from __future__ import annotations

import random

import pytest

from pitboss.cards import decks
from pitboss.money import Money
from pitboss.records import from_events, read, replay, write
from pitboss.rulebooks import games, rules_for
from pitboss.table import Limits, Refusal, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.state import CardSource, Phase, State
from pitboss.table.views import Observer, Viewer, choose_actions

LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))


BY_HAND = (cmd.KeyCard, cmd.KeyCutCard, cmd.BringShoe, cmd.SettleByHand)


class KeyedTable:
    """A table of a game, a real shoe beside it, and everything that happened."""

    def __init__(self, game: str, cards: tuple[str, ...] = (), seed: int = 1) -> None:
        self.chance = random.Random(seed)
        rules = rules_for(game)
        self.opening = self.state = open_table(rules, LIMITS)
        self.events: list[ev.Event] = []
        self.wrong: list[tuple[int, str]] = []
        if not cards:
            pack = list(decks(rules.decks, rules.deck_cards))
            self.chance.shuffle(pack)
            cards = tuple(pack)
        self.cards = cards
        self.ask(cmd.BringShoe())
        self.ask(cmd.SettleByHand(on=True))

    def ask(self, command: cmd.Command) -> None:
        answer = decide(self.state, command)
        assert not isinstance(answer, Refusal), (command, answer)
        self.events += answer.events
        self.state = answer.state

    def refuse(self, command: cmd.Command) -> str:
        answer = decide(self.state, command)
        assert isinstance(answer, Refusal), command
        return answer.reason

    def key(self, card: str = "") -> None:
        """The next card of the real shoe is keyed in; another one in its place if somebody errs."""
        self.ask(cmd.KeyCard(card=card or self.cards[len(self.state.shoe.cards)]))

    def key_all(self) -> None:
        while self.state.shoe.out:
            self.key()

    def bet(self, boxes: int = 2) -> None:
        for number in range(1, boxes + 1):
            self.ask(cmd.PlaceBet(box=str(number), player=f"p{number}", amount=Money(10)))

    def step(self) -> bool:
        """Somebody does something; False when the round is over."""
        if self.state.shoe.out:
            self.key()
            return True
        if self.state.phase is Phase.SETTLED:
            return False
        options = [
            action for player in ("p1", "p2") for action in choose_actions(self.state, Observer(Viewer.PLAYER, player))
        ] or list(legal(self.state))
        self.ask(self.chance.choice(options))
        return True


def replay_stacked(table: KeyedTable) -> State:
    """What the same questions come to at a shoe whose cards are all known."""
    state = open_table(table.opening.rules, LIMITS)
    asked: list[cmd.Command] = [cmd.LoadShoe(cards=table.cards), cmd.SettleByHand(on=True)]
    asked += [
        event.command
        for event in table.events[2:]
        if isinstance(event, ev.Asked) and not isinstance(event.command, BY_HAND)
    ]
    for command in asked:
        answer = decide(state, command)
        assert not isinstance(answer, Refusal), (command, answer)
        state = answer.state
    return state


@pytest.mark.parametrize("game", list(games()))
@pytest.mark.parametrize("seed", range(4))
def test_a_keyed_round_is_the_round_of_the_same_cards(game: str, seed: int) -> None:
    table = KeyedTable(game, seed=seed)
    table.bet()
    table.ask(cmd.Deal())
    while table.step():
        pass
    stacked = replay_stacked(table)
    assert (stacked.boxes, stacked.dealer, stacked.settlements) == (
        table.state.boxes, table.state.dealer, table.state.settlements,
    )  # fmt: skip
    assert not table.state.shoe.left
    record = from_events(table.opening, table.events)
    assert not replay(read(write(record))).differences


def test_a_card_is_keyed_only_where_one_is_due() -> None:
    table = KeyedTable("perth/blackjack", ("Th", "9d", "7c", "6s", "8h", "Kd", "5c", "9s"))
    assert "no card is due" in table.refuse(cmd.KeyCard(card="Th"))
    table.bet()
    assert table.state.phase is Phase.BETTING
    table.ask(cmd.Deal())
    assert "keyed in first" in table.refuse(cmd.Stand(box="1"))
    table.key_all()
    assert table.state.turn == (0, 0)
    assert "no card is due" in table.refuse(cmd.KeyCard(card="Th"))
    table.ask(cmd.Hit(box="1"))
    assert table.state.awaited == cmd.Hit(box="1")
    assert table.state.boxes[0].hands[0].cards == ("Th", "6s")
    assert "keyed in first" in table.refuse(cmd.Stand(box="1"))
    table.key()
    assert table.state.boxes[0].hands[0].cards == ("Th", "6s", "Kd")


def test_a_decision_that_no_card_could_make_good_is_refused_at_once() -> None:
    """At Perth a hand of 16 may not double: the dealer is not asked for a card first."""
    table = KeyedTable("perth/blackjack", ("Th", "9d", "7c", "6s", "8h"))
    table.bet()
    table.ask(cmd.Deal())
    table.key_all()
    assert table.state.turn is not None
    assert table.refuse(cmd.Double(box="1"))
    assert not table.state.shoe.out


def test_the_shoe_holds_no_more_cards_than_its_decks() -> None:
    table = KeyedTable("perth/blackjack", ("Ah",) * 9)
    table.bet(7)
    table.ask(cmd.Deal())
    decks_of_game = table.state.rules.decks
    for _ in range(decks_of_game):
        table.key("Ah")
    assert "have left the shoe" in table.refuse(cmd.KeyCard(card="Ah"))
    assert "is not a card" in table.refuse(cmd.KeyCard(card="Zz"))


def test_a_shuffled_shoe_takes_no_keyed_cards() -> None:
    state = open_table(rules_for("perth/blackjack"), LIMITS)
    answer = decide(state, cmd.KeyCard(card="Ah"))
    assert isinstance(answer, Refusal)
    assert "not keyed in" in answer.reason
    shuffled = decide(state, cmd.Shuffle(entropy=b"e" * 32))
    assert not isinstance(shuffled, Refusal)
    answer = decide(shuffled.state, cmd.BringShoe())
    assert isinstance(answer, Refusal)
    assert shuffled.state.shoe.source is not CardSource.KEYED


CORRECT = {"role": "casino-supervisor", "reason": "the nine was an eight"}


@pytest.mark.parametrize("wrong", range(1, 7))
def test_a_card_that_was_keyed_wrongly_is_corrected_whenever_it_is_noticed(wrong: int) -> None:
    """The round comes to what it would have come to, and its record has the right cards."""
    cards = ("Th", "9d", "7c", "6s", "8h", "Kd", "Ac")
    table = KeyedTable("star/blackjack", cards)
    table.bet()
    table.ask(cmd.Deal())
    for number in range(1, 6):
        table.key("7s" if number == wrong else "")
    table.ask(cmd.Stand(box="1"))
    table.ask(cmd.Stand(box="2"))
    table.key("7s" if wrong == 6 else "")
    table.ask(od.CorrectCard(number=wrong, card=cards[wrong - 1], **CORRECT))
    assert table.state.shoe.cards[wrong - 1] == cards[wrong - 1]
    for _ in range(6):
        if table.state.phase is Phase.SETTLED:
            break
        if table.state.shoe.out:
            table.key()
        elif table.state.turn is not None:
            table.ask(cmd.Stand(box=table.state.boxes[table.state.turn[0]].number))
        else:
            table.ask(cmd.Proceed())
    right = KeyedTable("star/blackjack", cards)
    right.bet()
    right.ask(cmd.Deal())
    right.key_all()
    right.ask(cmd.Stand(box="1"))
    right.ask(cmd.Stand(box="2"))
    right.key_all()
    right.ask(cmd.Proceed())
    assert table.state.settlements == right.state.settlements
    assert table.state.dealer == right.state.dealer
    record = from_events(table.opening, table.events)
    assert not replay(read(write(record))).differences
    keyed = [event.card for event in table.events if isinstance(event, ev.CardKeyed)]
    corrected = [event for event in table.events if isinstance(event, ru.CardCorrected)]
    assert (keyed[wrong - 1], corrected[0].was, corrected[0].card) == ("7s", "7s", cards[wrong - 1])
    ruled = [event for event in table.events if isinstance(event, ru.Ruled)]
    assert (ruled[0].role, ruled[0].reason) == ("casino-supervisor", CORRECT["reason"])


def test_a_card_of_a_deal_that_is_not_complete_is_corrected_in_its_place() -> None:
    table = KeyedTable("star/blackjack", ("Th", "9d", "7c", "6s", "8h"))
    table.bet()
    table.ask(cmd.Deal())
    table.key("2c")
    table.key()
    table.ask(od.CorrectCard(number=1, card="Th", **CORRECT))
    assert table.state.part == ("Th", "9d")
    assert table.state.shoe.out
    table.key_all()
    assert table.state.boxes[0].hands[0].cards == ("Th", "6s")


def test_a_hit_that_waits_still_waits_when_another_card_is_corrected() -> None:
    table = KeyedTable("star/blackjack", ("Th", "9d", "7c", "6s", "8h", "4d"))
    table.bet()
    table.ask(cmd.Deal())
    for number in range(1, 6):
        table.key("2c" if number == 5 else "")
    table.ask(cmd.Hit(box="1"))
    table.ask(od.CorrectCard(number=5, card="8h", **CORRECT))
    assert table.state.awaited == cmd.Hit(box="1")
    table.key()
    assert table.state.boxes[0].hands[0].cards == ("Th", "6s", "4d")
    assert table.state.boxes[1].hands[0].cards == ("9d", "8h")


def test_only_somebody_above_the_dealer_corrects_a_card_and_says_why() -> None:
    table = KeyedTable("star/blackjack", ("Th", "9d", "7c", "6s", "8h"))
    table.bet()
    table.ask(cmd.Deal())
    table.key("2c")
    assert "may not do this" in table.refuse(od.CorrectCard(role="dealer", reason="x", number=1, card="Th"))
    assert "must give a reason" in table.refuse(od.CorrectCard(role="casino-supervisor", number=1, card="Th"))
    assert "there is no card 2" in table.refuse(od.CorrectCard(number=2, card="Th", **CORRECT))
    assert "keyed in as 2c" in table.refuse(od.CorrectCard(number=1, card="2c", **CORRECT))


def test_a_round_that_waits_for_a_card_can_be_void() -> None:
    table = KeyedTable("star/blackjack", ("Th", "9d", "7c", "6s", "8h"))
    table.bet()
    table.ask(cmd.Deal())
    table.key()
    table.ask(cmd.Void(role="casino-supervisor", reason="a fire"))
    assert table.state.phase is Phase.SETTLED
    assert not table.state.shoe.out
    table.ask(cmd.NextRound())
    table.ask(cmd.BringShoe())
    assert table.state.shoe.origin.number == 2


def test_a_stray_card_waits_to_be_keyed_and_comes_first() -> None:
    table = KeyedTable("star/blackjack", ("Th", "9d", "7c", "6s", "8h", "4d"))
    table.bet()
    table.ask(cmd.Deal())
    table.key_all()
    table.ask(od.Stray(role="casino-supervisor", reason="two stuck together"))
    assert table.state.shoe.out
    table.key()
    assert table.state.trouble.stray
    table.ask(cmd.Hit(box="1"))
    assert table.state.boxes[0].hands[0].cards == ("Th", "6s", "4d")


# ---------------------------------------------------------------------- the cut card

CUT_CARD_GAMES = ("perth/blackjack", "star/blackjack", "star/switch", "melbourne/blackjack", "melbourne/pontoon")
CLAUSES = {"perth": ("4.26", "4.25"), "star": ("4.1.2", "4.1.3"), "star-switch": ("4.1.2", "4.1.3"),
           "melbourne": ("4.1.1(b)", "4.1.1(c)")}  # fmt: skip


def find_cut_card(table: KeyedTable) -> list[ev.CutCardDrawn]:
    return [event for event in table.events if isinstance(event, ev.CutCardDrawn)]


@pytest.mark.parametrize("game", CUT_CARD_GAMES)
def test_the_cut_card_in_place_of_the_first_card_ends_the_shoe_before_the_deal(game: str) -> None:
    table = KeyedTable(game)
    table.bet()
    table.ask(cmd.KeyCutCard())
    [drawn] = find_cut_card(table)
    assert (drawn.fell, drawn.clauses) == ("first", (CLAUSES[table.state.rules.book][0],))
    assert len(table.state.bets) >= 2, "wagers stay where they are"
    assert "the cards must be shuffled first" in table.refuse(cmd.Deal())
    assert "come out already" in table.refuse(cmd.KeyCutCard())
    table.ask(cmd.BringShoe())
    table.ask(cmd.Deal())


@pytest.mark.parametrize("game", CUT_CARD_GAMES)
@pytest.mark.parametrize("after", range(1, 9))
def test_the_cut_card_in_a_round_ends_the_shoe_after_it(game: str, after: int) -> None:
    table = KeyedTable(game, seed=after)
    table.bet()
    table.ask(cmd.Deal())
    met = False
    while True:
        if table.state.shoe.out and len(table.state.shoe.cards) == after and not met:
            table.ask(cmd.KeyCutCard())
            assert table.state.shoe.out, "the card is still due"
            assert "come out already" in table.refuse(cmd.KeyCutCard())
            met = True
        if not table.step():
            break
    if not met:
        return
    [drawn] = find_cut_card(table)
    assert drawn.clauses == (CLAUSES[table.state.rules.book][1],)
    places = [*(box.number for box in table.state.boxes), "dealer"]
    assert drawn.fell in places
    if after < len(places):
        assert drawn.fell == places[after], "the place of the card that it lay before"
    record = from_events(table.opening, table.events)
    assert not replay(read(write(record))).differences
    table.ask(cmd.NextRound())
    table.bet()
    assert "the cards must be shuffled first" in table.refuse(cmd.Deal())
    table.ask(cmd.BringShoe())
    table.ask(cmd.Deal())


def test_a_cut_card_is_keyed_only_where_it_can_come() -> None:
    rws = KeyedTable("rws/blackjack")
    table = KeyedTable("perth/blackjack", ("Th", "9d", "7c", "6s", "8h", "Kd", "5c", "9s"))
    assert "no cut card ends a shoe by this book" in rws.refuse(cmd.KeyCutCard())
    table.bet()
    table.ask(cmd.Deal())
    assert "before the deal" in table.refuse(cmd.KeyCutCard())
    table.key_all()
    assert "no card is due" in table.refuse(cmd.KeyCutCard())
    shuffled = open_table(rules_for("perth/blackjack"), LIMITS)
    answer = decide(shuffled, cmd.KeyCutCard())
    assert isinstance(answer, Refusal)
    assert "not keyed in" in answer.reason
    assert "is not a role of this book" in table.refuse(cmd.KeyCutCard(role="inspector"))


def test_a_card_that_is_corrected_leaves_the_cut_card_where_it_came() -> None:
    table = KeyedTable("perth/blackjack", ("Th", "9d", "7c", "6s", "8h", "Kd", "5c", "9s"))
    table.bet()
    table.ask(cmd.Deal())
    table.key()
    table.ask(cmd.KeyCutCard())
    table.key_all()
    assert [drawn.fell for drawn in find_cut_card(table)] == ["2"]
    order = od.CorrectCard(role="table-games-manager", person="mia", reason="misread", number=2, card="8d")
    table.ask(order)
    assert table.state.boxes[1].hands[0].cards[0] == "8d"
    assert (table.state.shoe.fell, table.state.shoe.due) == ("2", ("cut-card",))
