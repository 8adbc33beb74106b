"""A position on an analysis board: set up card by card at a real table, so that it is one that play can reach.

The cards of a box are named in the order in which they come to it, and so is what its player does; where cards are
left over and nothing is said, the hand draws. The table deals them as from a real shoe, and what may be done, what is
refused and by which clause is what the table says. A position ends where somebody decides, or where a card is due
that was not named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from pitboss.cards import RANKS, SUITS, Card, decks, parse_card
from pitboss.errors import PitbossError
from pitboss.money import Money, show
from pitboss.records.log import from_log
from pitboss.records.write import write
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Refusal, begin_log, decide, legal_words
from pitboss.table.evolve import open_from
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.notation import parse_action
from pitboss.table.state import Phase, State

PLAYER = "ann"
DEALER = "dealer"
MOST_ACTIONS = 60
MOST_CARDS = 60
MOST_SEEN = 500


class BoardError(PitbossError):
    """A position that cannot be set up; it says where and why."""


class BoardPosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies on the board."""

    boxes: tuple[str, ...] = ()
    """The cards of each box, in the order in which they come to it: `"8s 8h 3c"`; two where cards are switched."""
    up: str = ""
    """The dealer's card."""
    actions: tuple[str, ...] = ()
    """What is done, as records write it: `"1 split"`."""
    seen: str = ""
    """Other cards that have left the shoe: cards such as `Td`, or ranks such as `5` where the suit does not matter."""
    stake: str = "10"


class Laid(msgspec.Struct, frozen=True):
    """A position laid out: the table as it stands, and the cards that nobody has seen."""

    state: State
    log: tuple[ev.Event, ...]
    left: dict[Card, int]
    due: str = ""
    """Whose card is due before anything else happens: the number of a box, or `dealer`."""

    @property
    def waits_for_player(self) -> bool:
        """Somebody has something to decide."""
        return not self.due and self.state.phase in (Phase.OFFERS, Phase.TURNS)


def count_left(rules: Rules, position: BoardPosition) -> dict[Card, int]:
    """The cards of the shoe without those that lie on the board or were seen."""
    if not rules.decks:
        raise BoardError("an infinite deck has no cards to count: choose a number of decks for the board")
    left = Counter(decks(rules.decks, rules.deck_cards))
    lying = [card for text in (*position.boxes, position.up) for card in read_cards(text)]
    if len(lying) > MOST_CARDS:
        raise BoardError(f"a board holds {MOST_CARDS} cards at most, not {len(lying)}")
    for card in lying:
        _take(left, card)
    seen = position.seen.split()
    if len(seen) > MOST_SEEN:
        raise BoardError(f"at most {MOST_SEEN} cards can have been seen, not {len(seen)}")
    for text in seen:
        _take(left, _find_rank(left, text) if len(text) == 1 else parse_card(text))
    return {card: many for card, many in left.items() if many}


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards in a row."""
    return tuple(parse_card(word) for word in text.split())


def _find_rank(left: Counter[Card], text: str) -> Card:
    """The card of a rank of which most are left."""
    rank = text.upper()
    if rank not in RANKS:
        raise BoardError(f"'{text}' is neither a card such as Td nor one of the ranks {RANKS}")
    return max((rank + suit for suit in SUITS), key=lambda card: left[card])


def _take(left: Counter[Card], card: Card) -> None:
    if left[card] < 1:
        raise BoardError(f"the shoe has no {card} left: take it off the board, or choose more decks")
    left[card] -= 1


def lay_position(rules: Rules, position: BoardPosition) -> Laid:
    """Play the position at a table."""
    return _Board(rules, position).lay()


class _Board:
    """A table on which a position is being set up."""

    def __init__(self, rules: Rules, position: BoardPosition) -> None:
        self.rules, self.position = rules, position
        self.left = count_left(rules, position)
        opening = begin_log(rules)
        self.state = open_from(opening)
        self.log: list[ev.Event] = [opening]
        self.cards = {DEALER: list(read_cards(position.up))}
        self.first_boxes = ("1",) if rules.boxes_per_area == 1 else ("1a", "1b")
        if len(position.boxes) != len(self.first_boxes):
            many = {1: "one box", 2: "two boxes"}[len(self.first_boxes)]
            raise BoardError(f"{rules.game} is set up with {many}, not {len(position.boxes)}")
        for box, text in zip(self.first_boxes, position.boxes, strict=True):
            self.cards[box] = list(read_cards(text))

    def ask(self, command: cmd.Command) -> None:
        """Have the table do something, or say why it does not."""
        answer = decide(self.state, command)
        if isinstance(answer, Refusal):
            raise BoardError(f"{answer.reason}{_cite(answer.clauses)}")
        self.state = answer.state
        self.log.extend(answer.events)

    def lay(self) -> Laid:
        self.ask(cmd.BringShoe())
        self.ask(cmd.PlaceBet(box="1", player=PLAYER, amount=Money(self.position.stake), seated=True))
        self.ask(cmd.Deal())
        for place in self.find_deal_order():
            if not self.cards[place]:
                return self.finish(place)
            self.key(place)
        due = self.play()
        return self.finish(due)

    def finish(self, due: str) -> Laid:
        unused = [box for box in self.first_boxes if self.cards[box]]
        if unused and due in ("", DEALER) and self.state.phase is not Phase.DEALING:
            raise BoardError(f"box {unused[0]} takes no more cards: {self.cards[unused[0]][0]} is one too many")
        return Laid(self.state, tuple(self.log), self.left, due)

    def key(self, place: str) -> None:
        """The next card of a place is dealt."""
        self.ask(cmd.KeyCard(card=self.cards[place].pop(0)))

    def find_deal_order(self) -> Iterator[str]:
        """Where the cards of the initial deal go, in turn: tried out with low cards, no two alike."""
        spare = [card for card in dict.fromkeys(decks(1, self.rules.deck_cards)) if card[0] in "23456"]
        dealt: list[Card] = []
        tried = self.state
        while tried.phase in (Phase.BETTING, Phase.DEALING) and len(dealt) < len(spare):
            answer = decide(tried, cmd.KeyCard(card=spare[len(dealt)]))
            assert not isinstance(answer, Refusal), answer.reason
            dealt.append(spare[len(dealt)])
            tried = answer.state
        places = dict.fromkeys(tried.dealer, DEALER)
        places |= {card: box.number for box in tried.boxes for hand in box.hands for card in hand.cards}
        return iter([places[card] for card in dealt])

    # ------------------------------------------------------------------ what is done

    def play(self) -> str:
        """Everything that was done, and the cards that came; whose card is due at the end, if one is."""
        actions = list(self.position.actions)
        if len(actions) > MOST_ACTIONS:
            raise BoardError(f"at most {MOST_ACTIONS} actions can be set up, not {len(actions)}")
        while True:
            if self.state.shoe.out:
                place = self.find_recipient()
                if not self.cards[place] or place == DEALER:
                    return place
                self.key(place)
            elif actions:
                self.act(actions.pop(0))
            elif not self.draw():
                return ""

    def find_recipient(self) -> str:
        """Who gets the card that is due: tried out with a card that is left."""
        spare = min(self.left, key=lambda card: RANKS.index(card[0]))
        answer = decide(self.state, cmd.KeyCard(card=spare))
        if isinstance(answer, Refusal):
            raise BoardError(answer.reason)
        for event in answer.events:
            if isinstance(event, ev.CardDrawn):
                return event.box
        return DEALER

    def act(self, text: str) -> None:
        """One action."""
        command = cmd.Proceed() if text.strip() == "proceed" else parse_action(text)
        if isinstance(command, cmd.Order | cmd.SystemPick | cmd.Void):
            raise BoardError(f"'{text[:40]}' is for the floor, not for the board")
        answer = decide(self.state, command)
        if isinstance(answer, Refusal):
            raise BoardError(f"'{text[:40]}' is refused: {answer.reason}{_cite(answer.clauses)}")
        self.state = answer.state
        self.log.extend(answer.events)

    def draw(self) -> bool:
        """A hand whose cards are not all dealt draws; false if there is none."""
        box = next((box for box in self.first_boxes if self.cards[box]), "")
        if not box or self.state.phase not in (Phase.OFFERS, Phase.TURNS):
            return False
        may = legal_words(self.state)
        if f"{box} hit" in may and self.state.phase is Phase.TURNS:
            self.act(f"{box} hit")
        elif "proceed" in may:
            self.act("proceed")
        else:
            turn = self.state.turn
            now = self.state.boxes[turn[0]].number if turn is not None else box
            why = decide(self.state, cmd.Hit(box=box))
            reason = f"{why.reason}{_cite(why.clauses)}" if isinstance(why, Refusal) else "something comes first"
            raise BoardError(f"box {box} cannot take {self.cards[box][0]} while it is the turn of box {now}: {reason}")
        return True


def _cite(clauses: tuple[str, ...]) -> str:
    return f" ({', '.join(clauses)})" if clauses else ""


def write_board_record(laid: Laid, title: str) -> str:
    """The position played to its end as a round record: hands stand, and high cards come first out of the shoe."""
    board_log, state, left = list(laid.log), laid.state, Counter(laid.left)
    for _ in range(MOST_ACTIONS * 2):
        if state.phase is Phase.SETTLED:
            break
        command = _find_next(state, left)
        answer = decide(state, command)
        if isinstance(answer, Refusal):
            raise BoardError(f"this cannot be written as a record: {answer.reason}")
        state = answer.state
        board_log.extend(answer.events)
    return write(from_log(board_log, title=title))


def _find_next(state: State, left: Counter[Card]) -> cmd.Command:
    """What comes next when everybody is content."""
    if state.shoe.out:
        card = next(card for card in sorted(left, key=lambda item: (-RANKS.index(item[0]), item)) if left[card] > 0)
        left[card] -= 1
        return cmd.KeyCard(card=card)
    may = legal_words(state)
    found = next((word for verb in ("stand", "hit") for word in may if word.split()[1:2] == [verb]), "")
    return parse_action(found) if found and "proceed" not in may else cmd.Proceed()


def show_stake(position: BoardPosition) -> str:
    """The stake as money."""
    return show(Money(position.stake))
