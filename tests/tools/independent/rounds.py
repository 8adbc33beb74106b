"""One playing area of any of the games, played from the first card to the last payment.

`play` is a generator: it yields the moves that are open, is sent the one that is made, and returns what everybody won.
A move is a tuple: a verb, a box, and whatever else belongs to it. Sent back, it may say more than what was offered: an
insurance or a double may carry amounts, a split, double or surrender the sharers who join.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from independent.games import TENS, Game

Move = tuple[Any, ...]
Moves = Generator[frozenset[Move], Move, None]

PROCEED: Move = ("proceed",)
SUPER_BONUS = ((25, 5000), (2, 1000))


class OutOfCards(Exception):
    """The shoe was too short for this round."""


@dataclass
class Stake:
    """What one player has on one hand: money of their own, and tokens that only win."""

    money: Fraction = Fraction(0)
    token: Fraction = Fraction(0)
    doubled: Fraction = Fraction(0)
    """The part of `money` that a double added."""
    surrendered: bool = False
    over: bool = False


@dataclass
class Hand:
    """One hand of a box."""

    cards: list[str]
    stakes: dict[str, Stake]
    split: bool = False
    doubled: bool = False
    ones: int = 0
    """Aces that count one for good."""
    stopped: bool = False

    @property
    def aces_split(self) -> bool:
        return self.split and self.cards[0][0] == "A"

    @property
    def total(self) -> int:
        return best(self.cards, self.ones)

    @property
    def soft(self) -> bool:
        return self.total != plain(self.cards)


@dataclass
class Box:
    """One box of the area."""

    name: str
    hands: list[Hand]
    insurance: dict[str, Fraction] = field(default_factory=dict)
    natural: bool = False
    split_declined: bool = False
    absent: bool = False
    tokens_used: dict[str, int] = field(default_factory=dict)


@dataclass
class Result:
    """What is known when the round is over."""

    net: dict[tuple[str, str, str], Fraction]
    dealer: list[str]
    cards_used: int


def points(card: str) -> int:
    return 1 if card[0] == "A" else 10 if card[0] in TENS else int(card[0])


def plain(cards: Sequence[str]) -> int:
    return sum(points(card) for card in cards)


def best(cards: Sequence[str], ones: int = 0) -> int:
    """The total with as many aces as eleven as fit, `ones` of them being bound to one."""
    free = sum(card[0] == "A" for card in cards) - ones
    return plain(cards) + (10 if free > 0 and plain(cards) <= 11 else 0)


def ace_and_ten(cards: Sequence[str]) -> bool:
    return len(cards) == 2 and sorted(points(card) for card in cards) == [1, 10]


class Round:
    """The state of a round in progress."""

    def __init__(self, game: Game, cards: Sequence[str], stakes: Mapping[str, Fraction]) -> None:
        self.game, self.shoe, self.used = game, list(cards), 0
        self.stakes = dict(stakes)
        self.caller = next(iter(stakes))
        names = game.boxes
        first = [self.card() for _ in names]
        self.dealer = [self.card()]
        second = [self.card() for _ in names]
        self.boxes = [
            Box(name, [Hand([one, two], {player: Stake(Fraction(stake)) for player, stake in stakes.items()})])
            for name, one, two in zip(names, first, second, strict=True)
        ]
        self.net = {(box.name, player, "main"): Fraction(0) for box in self.boxes for player in stakes}
        self.further_card = False
        self.may_switch = len(names) == 2

    def card(self) -> str:
        if self.used == len(self.shoe):
            raise OutOfCards
        self.used += 1
        return self.shoe[self.used - 1]

    @property
    def up(self) -> str:
        return self.dealer[0][0]

    def pay(self, box: Box, player: str, wager: str, amount: Fraction) -> None:
        self.net[box.name, player, wager] = self.net.get((box.name, player, wager), Fraction(0)) + amount

    # ------------------------------------------------------------------ before boxes act

    def naturals(self) -> None:
        """A natural is paid now against some up cards, else it waits."""
        for box in self.boxes:
            hand = box.hands[0]
            if not ace_and_ten(hand.cards):
                continue
            if self.up in self.game.natural_paid_against:
                for player, stake in hand.stakes.items():
                    self.pay(box, player, "main", stake.money * self.game.natural_pays)
                    stake.over = True
                hand.stopped, self.may_switch = True, False
            else:
                box.natural = hand.stopped = True

    def offers(self) -> Moves:
        """Insurance, even money, surrender to the whole table, until nothing is left or the dealer goes on.

        Insurance may be raised for as long as something else is open.
        """
        while opened := self.open_offers():
            move = yield frozenset(opened | self.raises() | {PROCEED})
            if move == PROCEED:
                return
            box = next(box for box in self.boxes if box.name == move[1])
            if move[0] == "insure":
                placed = box.insurance.get(move[2], Fraction(0))
                box.insurance[move[2]] = placed + move[3] if len(move) > 3 else self.stakes[move[2]] / 2
            elif move[0] == "even-money":
                self.even_money(box, move[2])
            else:
                self.surrender(box, move[2:])

    def open_offers(self) -> set[Move]:
        found: set[Move] = set()
        for box in self.boxes:
            hand = box.hands[0]
            for player, stake in hand.stakes.items():
                insurable = self.game.insure_naturals or not ace_and_ten(hand.cards)
                took_even_money = stake.over and box.natural
                if (
                    self.up in self.game.insure_against
                    and insurable
                    and player not in box.insurance
                    and not took_even_money
                ):
                    found.add(("insure", box.name, player))
                if self.game.even_money and self.up == "A" and box.natural and not stake.over:
                    found.add(("even-money", box.name, player))
            if not self.game.surrender_on_turn and self.surrender_fits(box):
                found.add(("surrender", box.name))
        return found

    def raises(self) -> set[Move]:
        return {
            ("insure", box.name, player)
            for box in self.boxes
            for player, amount in box.insurance.items()
            if amount < self.stakes[player] / 2 and not (box.hands[0].stakes[player].over and box.natural)
        }

    def even_money(self, box: Box, player: str) -> None:
        stake = box.hands[0].stakes[player]
        self.pay(box, player, "main", stake.money)
        stake.over = True
        if self.game.even_money_returns_insurance and player in box.insurance:
            del box.insurance[player]
            self.pay(box, player, "insurance", Fraction(0))

    def surrender_fits(self, box: Box) -> bool:
        hand = box.hands[0]
        return (
            self.up in self.game.surrender_against
            and len(box.hands) == 1
            and len(hand.cards) == 2
            and hand.total < 21
            and not hand.stopped
            and not self.further_card
        )

    def surrender(self, box: Box, joining: Sequence[str]) -> None:
        hand = box.hands[0]
        who = {self.caller, *joining} if self.game.surrender_alone else set(hand.stakes)
        for player in who:
            hand.stakes[player].surrendered = True
            if self.game.surrender_is_final:
                hand.stakes[player].over = True
                self.pay(box, player, "main", -hand.stakes[player].money / 2)
        hand.stopped = True

    # ------------------------------------------------------------------ boxes in turn

    def turns(self) -> Moves:
        """The first hand that is not finished goes on, until all are."""
        while True:
            spots = [(box, index) for box in self.boxes for index, hand in enumerate(box.hands) if not hand.stopped]
            if spots:
                yield from self.go_on(*spots[0])
                continue
            if not self.may_switch or not all(box.natural for box in self.boxes):
                return
            move = yield frozenset({("switch", "1"), PROCEED})
            if move == PROCEED:
                return
            self.switch()

    def switch(self) -> None:
        """Second cards change places; neither hand is a natural after that."""
        one, two = (box.hands[0] for box in self.boxes)
        one.cards[1], two.cards[1] = two.cards[1], one.cards[1]
        for box in self.boxes:
            box.natural = box.hands[0].stopped = False
        self.may_switch = False

    def go_on(self, box: Box, index: int) -> Moves:
        """The next thing that happens to a hand."""
        hand = box.hands[index]
        if len(hand.cards) == 1:
            self.draw(hand)
            return
        can_split = self.can_split(box, hand)
        full = hand.total >= 21 or hand.doubled or len(hand.cards) >= self.game.most_cards
        if full or (hand.aces_split and (box.absent or not can_split)):
            self.complete(box, hand)
        elif box.absent:
            line = self.game.absent_stands_on_soft if hand.soft else 12
            if hand.total < line:
                self.draw(hand)
            else:
                hand.stopped = True
        elif self.dealer_draws_for(hand, can_split):
            while hand.total < (17 if hand.soft else 12) and len(hand.cards) < self.game.most_cards:
                self.draw(hand)
        else:
            yield from self.decide(box, index, can_split)

    def dealer_draws_for(self, hand: Hand, can_split: bool) -> bool:
        if self.game.draws_for_player == "openings":
            return len(hand.cards) == 2 and hand.total < (17 if hand.soft else 12)
        if self.game.draws_for_player == "weak hands":
            return hand.total < 12 and not can_split and not self.can_double(hand)
        return False

    def decide(self, box: Box, index: int, can_split: bool) -> Moves:
        """One decision of the controlling player."""
        hand, name = box.hands[index], box.name
        moves: set[Move] = {("absent", name)}
        if not hand.aces_split:
            moves.add(("hit", name))
        if hand.aces_split or hand.total >= self.game.must_draw_below:
            moves.add(("stand", name))
        if self.can_double(hand):
            moves.add(("double", name))
        if can_split:
            moves.add(("split", name))
        if self.surrender_fits(box):
            moves.add(("surrender", name))
        if self.may_switch:
            moves.add(("switch", "1"))
        move = yield frozenset(moves)
        verb = move[0]
        if verb == "switch":
            self.switch()
            return
        self.may_switch = False
        if verb == "split":
            self.split(box, index, move[2:])
            return
        if can_split and verb in ("hit", "stand", "double"):
            box.split_declined = True
        if verb == "hit":
            self.draw(hand)
        elif verb == "stand":
            hand.stopped = True
        elif verb == "absent":
            box.absent = True
        elif verb == "surrender":
            self.surrender(box, move[2:])
        else:
            yield from self.double(box, hand, move[2] if len(move) > 2 else {})

    def draw(self, hand: Hand) -> None:
        hand.cards.append(self.card())
        self.further_card = True

    def can_double(self, hand: Hand) -> bool:
        least, most = self.game.double_on
        if hand.aces_split or hand.doubled or not least <= len(hand.cards) <= most or hand.total >= 21:
            return False
        has_ace = any(card[0] == "A" for card in hand.cards)
        match self.game.doubles:
            case "any":
                return True
            case "hard 9-11" | "9-11, no ace":
                return not has_ace and 9 <= hand.total <= 11
            case "9-11, ace one":
                return 9 <= plain(hand.cards) <= 11
        return False

    def double(self, box: Box, hand: Hand, amounts: Mapping[str, Fraction]) -> Moves:
        for player, amount in (amounts or {self.caller: self.stakes[self.caller]}).items():
            if self.game.double_free:
                hand.stakes[player].token += amount
                box.tokens_used[player] = box.tokens_used.get(player, 0) + 1
            else:
                hand.stakes[player].money += amount
                hand.stakes[player].doubled = Fraction(amount)
        hand.doubled = True
        if self.game.double_fixes_aces:
            hand.ones = sum(card[0] == "A" for card in hand.cards[:2])
        self.draw(hand)
        while self.game.double_may_be_taken_back and hand.total < 21:
            doublers = [player for player, stake in hand.stakes.items() if stake.doubled and not stake.over]
            if not doublers:
                break
            move = yield frozenset({("forfeit", box.name, player) for player in doublers} | {PROCEED})
            if move == PROCEED:
                break
            stake = hand.stakes[move[2]]
            self.pay(box, move[2], "main", -(stake.money - stake.doubled))
            stake.over = True

    def can_split(self, box: Box, hand: Hand) -> bool:
        if len(hand.cards) != 2 or points(hand.cards[0]) != points(hand.cards[1]):
            return False
        most = self.game.hands_of_aces if hand.aces_split else self.game.hands
        barred = self.game.declining_bars_splits and box.split_declined
        return len(box.hands) < most and not barred

    def split(self, box: Box, index: int, joining: Sequence[str]) -> None:
        hand = box.hands[index]
        free = self.game.split_free and points(hand.cards[0]) != 10
        added = {}
        for player in hand.stakes:
            if player in (self.caller, *joining):
                stake = self.stakes[player]
                added[player] = Stake(token=Fraction(stake)) if free else Stake(Fraction(stake))
                if free:
                    box.tokens_used[player] = box.tokens_used.get(player, 0) + 1
        second = Hand([hand.cards.pop()], added, split=True)
        hand.split = True
        box.hands.insert(index + 1, second)

    def complete(self, box: Box, hand: Hand) -> None:
        """The hand takes no more cards of itself: a bust is collected."""
        hand.stopped = True
        if hand.total > 21:
            for player, stake in hand.stakes.items():
                if not stake.over:
                    self.pay(box, player, "main", -stake.money)
                    stake.over = True

    # ------------------------------------------------------------------ the dealer and the end

    def wins_anyway(self, hand: Hand) -> bool:
        if hand.total > 21:
            return False
        return (self.game.all_21_win and hand.total == 21) or (self.game.five_cards_win and len(hand.cards) == 5)

    def finish(self) -> None:
        """The dealer's cards, as many as matter, and all payments."""
        waiting = any(box.insurance for box in self.boxes)
        live = False
        for box in self.boxes:
            for hand in box.hands:
                for stake in hand.stakes.values():
                    if stake.over:
                        continue
                    if stake.surrendered or (box.natural and not self.game.natural_always_wins):
                        waiting = True
                    elif not box.natural and not self.wins_anyway(hand) and stake.money + stake.token > 0:
                        live = True
        if live or self.game.dealer_always_draws:
            self.dealer.append(self.card())
            while self.dealer_hits():
                self.dealer.append(self.card())
        elif waiting and self.up in "A" + TENS:
            self.dealer.append(self.card())
        natural = ace_and_ten(self.dealer[:2])
        for box in self.boxes:
            for player, amount in box.insurance.items():
                odds = 2 if self.up == "A" else 10
                self.pay(box, player, "insurance", amount * odds if natural else -amount)
            for player in self.stakes:
                self.settle(box, player, natural)

    def dealer_hits(self) -> bool:
        total = best(self.dealer)
        soft = total != plain(self.dealer)
        return total < 17 or (total == 17 and soft and self.game.dealer_hits_soft_17)

    def settle(self, box: Box, player: str, natural: bool) -> None:
        """Everything of one player on one box that the dealer's hand decides."""
        to_natural = Fraction(0)
        for hand in box.hands:
            stake = hand.stakes.get(player)
            if stake is None or stake.over:
                continue
            if stake.surrendered:
                self.pay(box, player, "main", -stake.money if natural else -stake.money / 2)
            elif box.natural:
                if not natural or self.game.natural_always_wins:
                    self.pay(box, player, "main", stake.money * self.game.natural_pays)
            elif self.wins_anyway(hand):
                self.pay(
                    box, player, "main", (stake.money + stake.token) * self.odds(hand) + self.super_bonus(hand, player)
                )
            elif natural:
                to_natural += stake.money
            else:
                self.pay(box, player, "main", self.compared(hand, stake))
        if not self.game.natural_takes_everything:
            to_natural = min(to_natural, self.stakes[player])
        self.pay(box, player, "main", -to_natural)

    def compared(self, hand: Hand, stake: Stake) -> Fraction:
        dealer = best(self.dealer)
        if dealer == 22 and self.game.dealer_22_stands_off:
            return Fraction(0)
        if dealer > 21 or hand.total > dealer:
            return stake.money + stake.token
        return Fraction(0) if hand.total == dealer else -stake.money

    def odds(self, hand: Hand) -> Fraction:
        """What 21 is paid at: the pontoon games have odds for long hands, 6-7-8 and 7-7-7."""
        if not self.game.bonuses or hand.doubled or hand.total != 21:
            return Fraction(1)
        count = len(hand.cards)
        ranks = "".join(sorted(card[0] for card in hand.cards))
        suits = {card[1] for card in hand.cards}
        if count >= 7 or (ranks in ("678", "777") and suits == {"s"}):
            return Fraction(3)
        if count == 6 or (ranks in ("678", "777") and len(suits) == 1):
            return Fraction(2)
        if count == 5 or ranks in ("678", "777"):
            return Fraction(3, 2)
        return Fraction(1)

    def super_bonus(self, hand: Hand, player: str) -> Fraction:
        if not self.game.bonuses or hand.doubled or hand.split or self.up != "7":
            return Fraction(0)
        if len(hand.cards) != 3 or len(set(hand.cards)) != 1 or hand.cards[0][0] != "7":
            return Fraction(0)
        return next((Fraction(pays) for least, pays in SUPER_BONUS if self.stakes[player] >= least), Fraction(0))


def play(game: Game, cards: Sequence[str], stakes: Mapping[str, Fraction]) -> Generator[frozenset[Move], Move, Result]:
    """A round on one area. `stakes` are by player, the controlling player first."""
    table = Round(game, cards, stakes)
    table.naturals()
    yield from table.offers()
    yield from table.turns()
    table.finish()
    return Result(table.net, table.dealer, table.used)
