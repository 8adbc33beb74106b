"""`advise`: for a hand at a table, what every legal action is worth, given exactly the cards that are left.

The expectation of an action is of what the hand, and hands split from it, still bring, in units of the original wager,
with best play after it. Other hands of the box count as far as a dealer's natural ties them to this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec
import numpy as np

from pitboss.cards import SUITS, VALUE, Card
from pitboss.errors import PitbossError
from pitboss.odds.boxes import split_worth
from pitboss.odds.coupling import is_coupled, price_of_a_live_hand
from pitboss.odds.hands import VALUES, all_hands, hands_with
from pitboss.odds.kernels import DOUBLE, HIT, STAND
from pitboss.odds.model import MAIN, Seat, layer_of, natural_payments, tables
from pitboss.odds.numbers import FLOATS
from pitboss.odds.shoes import SUITED, Shoe, of_cards
from pitboss.odds.solver import Priced, dealer_law, play, priced, repriced
from pitboss.odds.splits import most_hands, seat_of
from pitboss.odds.suits import THIRD, mean_premium, suits_matter
from pitboss.play.hands import bonus_code, is_natural
from pitboss.play.packed import (
    HOLE_PEEK,
    INSURANCE_WHOLE,
    SURRENDER_OWN_TURN,
    SURRENDER_WHOLE,
    TAKES_BUSTED_PLUS_ONE,
    Packed,
)
from pitboss.table import commands as cmd
from pitboss.table.legal import legal
from pitboss.table.state import Box, Hand, HandStatus, Pending, Phase, State


class AdviceError(PitbossError):
    """There is nothing to advise on."""


class Advice(msgspec.Struct, frozen=True):
    """What the actions of one box are worth now."""

    box: str
    hand: int
    """1 for the first hand of the box."""
    actions: dict[str, float]
    """Expectation by action, as records write it: hit, stand, double, split, surrender, forfeit, even-money.

    `insure` is that of the largest insurance alone; `switch` and `leave` are of both boxes of the area together.
    """
    best: str
    """The best action of the hand; `switch` where that is better than leaving the cards."""
    natural: float
    """The chance of a dealer's natural."""


def advise(state: State, left: Mapping[Card, int], box: str | None = None) -> Advice:
    """Advise on the hand whose turn it is, or on `box` while offers are open.

    `left` are the cards nobody has seen, a hole card among them.
    """
    index, h = _whose(state, box)
    number = state.boxes[index].number
    legal_now = [command for command in legal(state) if getattr(command, "box", number) == number]
    desk = _Desk(state, left)
    actions = desk.offers(state.boxes[index], legal_now)
    actions |= desk.hand_actions(index, h, legal_now)
    if any(isinstance(command, cmd.Switch) for command in legal_now):
        actions |= desk.switch(state.boxes[index].area)
    own = [name for name in actions if name not in ("insure", "switch", "leave")]
    best = max(own, key=lambda name: actions[name], default="")
    if actions.get("switch", 0.0) > actions.get("leave", 0.0):
        best = "switch"
    return Advice(number, h + 1, actions, best, desk.natural)


def _whose(state: State, box: str | None) -> tuple[int, int]:
    """Index of box and hand to advise on."""
    if state.phase not in (Phase.OFFERS, Phase.TURNS):
        raise AdviceError("there is no hand to advise on: no round is being played")
    if state.turn is not None and box in (None, state.boxes[state.turn[0]].number):
        return state.turn
    wanted = [place for place, found in enumerate(state.boxes) if box in (None, found.number) and found.hands]
    if not wanted:
        raise AdviceError(f"box {box} is not in play")
    for place in wanted:
        for h, hand in enumerate(state.boxes[place].hands):
            if hand.status in (HandStatus.OPEN, HandStatus.NATURAL):
                return place, h
    raise AdviceError(f"box {state.boxes[wanted[0]].number} takes no more decisions this round")


class _Desk:
    """A table's cards as the recursions need them, against its one up card."""

    def __init__(self, state: State, left: Mapping[Card, int]) -> None:
        self.state = state
        self.rules: Packed = state.packed
        self.up = VALUE[state.dealer[0]] - 1
        self.left = dict(left)
        unseen = of_cards(self.left, FLOATS)
        self.natural = float(unseen.values[9 - self.up] / unseen.left) if self.up in (0, 9) else 0.0
        peeked = self.rules.hole_card == HOLE_PEEK and state.phase is Phase.TURNS
        self.scale = 1.0 / (1.0 - self.natural) if peeked else 1.0
        """Where the dealer has looked, values are given that there is no natural."""

    def shoe(self, cards: tuple[Card, ...]) -> Shoe:
        """The cards left, with those of a hand and the up card put back: what the recursions start from."""
        whole = dict(self.left)
        for card in (*cards, self.state.dealer[0]):
            whole[card] = whole.get(card, 0) + 1
        return of_cards(whole, FLOATS)

    # ------------------------------------------------------------------ offers

    def offers(self, box: Box, legal_now: list[cmd.Command]) -> dict[str, float]:
        """Insurance and even money."""
        found: dict[str, float] = {}
        for command in legal_now:
            if isinstance(command, cmd.Insure):
                ten = self.up == 9
                rules = self.rules
                odds = (
                    Fraction(rules.insurance_odds_ten_win, rules.insurance_odds_ten_stake)
                    if ten
                    else Fraction(rules.insurance_odds_ace_win, rules.insurance_odds_ace_stake)
                )
                share = 1.0 if rules.insurance_max == INSURANCE_WHOLE else 0.5
                found["insure"] = share * (self.natural * float(odds) - (1 - self.natural))
            elif isinstance(command, cmd.TakeEvenMoney):
                found["even-money"] = 1.0
        hand = box.hands[0]
        if hand.status is HandStatus.NATURAL:
            found["stand"] = self.natural_hand(hand)
        return found

    def natural_hand(self, hand: Hand) -> float:
        """A player's natural that waits."""
        shoe, hands = self.shoe(hand.cards), hands_with((1, 10))
        rows = dealer_law(self.rules, shoe, hands, ups=(self.up,))[hands.of(1, 10), self.up]
        return float((rows * FLOATS.array(natural_payments(self.rules))).sum())

    # ------------------------------------------------------------------ a hand

    def hand_actions(self, index: int, h: int, legal_now: list[cmd.Command]) -> dict[str, float]:
        """What the hand can do, and what each is worth."""
        box = self.state.boxes[index]
        hand = box.hands[h]
        names = {type(command): str(type(command).__struct_config__.tag) for command in legal_now}
        if self.state.pending is Pending.RESCUE:
            return self.rescue(box, hand, h)
        if hand.status is HandStatus.NATURAL:
            return {}
        values = self.acts(box, hand, h)
        found = {}
        for kind, name in names.items():
            if kind is cmd.Surrender:
                found[name] = self.surrender(hand, values)
            elif name in values:
                found[name] = values[name]
        return found

    def acts(self, box: Box, hand: Hand, h: int) -> dict[str, float]:
        """The value of standing, hitting, doubling, splitting a hand, allowed or not."""
        rules, up = self.rules, self.up
        cards = tuple(sorted(VALUE[card] for card in hand.cards))
        shoe, hands = self.shoe(hand.cards), hands_with(cards)
        seat = self.seat(box, hand, h, shoe, cards)
        rows = dealer_law(rules, shoe, hands, ups=(up,))
        found = play(rules, shoe, hands, seat, rows, (up,))
        layer = layer_of(rules, sum(card[0] == "A" for card in hand.cards[:2]))
        acts = found.acts[layer, hands.of(*cards), up]
        values = {"stand": float(acts[STAND]), "hit": float(acts[HIT]), "double": float(acts[DOUBLE])}
        values["hit"] += self.suits(hand, shoe)
        if len(cards) == 2 and cards[0] == cards[1] and most_hands(rules, cards[0]) > len(box.hands):
            values["split"] = self.split(box, hand, shoe, cards[0], max(values.values()))
        return {name: worth * self.scale for name, worth in values.items()}

    def seat(self, box: Box, hand: Hand, h: int, shoe: Shoe, cards: tuple[int, ...]) -> Priced:
        """The seat of a hand, with what a live hand costs beside the other hands of its box."""
        rules = self.rules
        if not hand.from_split:
            return priced(rules, MAIN, shoe, cards)
        value = VALUE[hand.cards[0]]
        token = all(stake.base == 0 for stake in hand.stakes)
        original = any(stake.original for stake in hand.stakes)
        seat = priced(rules, Seat(True, hand.from_aces, token, original), shoe, cards)
        if self.up not in (0, 9) or token or not is_coupled(rules, value):
            return seat
        others = [other for place, other in enumerate(box.hands) if place != h]
        return repriced(seat, self.price(others, shoe, value, seat))

    def price(self, others: list[Hand], shoe: Shoe, value: int, seat: Priced) -> float:
        """What a dealer's natural takes for this hand being live, the other hands of the box being as they are."""
        plus_one = self.rules.dealer_natural_takes == TAKES_BUSTED_PLUS_ONE
        settled_by = [other for other in others if other.status is not HandStatus.OPEN]
        if plus_one and any(other.status is HandStatus.STOOD for other in settled_by):
            return 0.0
        if not plus_one and any(other.status is HandStatus.BUST for other in settled_by):
            return 0.0
        waiting = len(others) - len(settled_by)
        if not waiting:
            return 1.0
        hands = hands_with((value,))
        rows = dealer_law(self.rules, shoe, hands, ups=(self.up,))
        whole = priced(self.rules, seat_of(self.rules, value, True), shoe, (value,))
        by = play(self.rules, shoe, hands, whole, rows, (self.up,)).by
        return float(price_of_a_live_hand(self.rules, shoe, value, whole, by, rows, self.up)) ** waiting

    def split(self, box: Box, hand: Hand, shoe: Shoe, value: int, otherwise: float) -> float:
        """The value of parting two cards, as far as the box may still have more hands."""
        more = most_hands(self.rules, value) - len(box.hands) + 1
        rules = self.rules._replace(split_max_hands=more, split_aces_max_hands=more)
        hands, up = hands_with((value,)), (self.up,)
        rows = dealer_law(rules, shoe, hands, ups=up)
        main = play(rules, shoe, hands, priced(rules, MAIN, shoe, (value,)), rows, up).by
        array = np.full(VALUES, otherwise)
        return float(split_worth(rules, shoe, value, rows, main, array, ups=up).value[self.up])

    def suits(self, hand: Hand, shoe: Shoe) -> float:
        """What hitting is worth above the mean over suits, the suits of the hand and of all cards left being known."""
        rules = self.rules
        pair = tuple(sorted(VALUE[card] for card in hand.cards))
        if len(pair) != 2 or pair not in THIRD or not suits_matter(rules):
            return 0.0
        third = THIRD[pair[0], pair[1]]
        sevens = pair == (7, 7)
        total = 0.0
        whole = sum(self.left.values())
        for card, many in self.left.items():
            if VALUE[card] == third and card[0] in SUITED:
                suits = {card[1], *(held[1] for held in hand.cards)}
                code = bonus_code(3, 21, not sevens, sevens, len(suits) == 1, suits == {SUITS[0]})
                odds = rules.bonus_win[code] / rules.bonus_stake[code]
                mixed = bonus_code(3, 21, not sevens, sevens, False, False)
                total += many / whole * (odds - rules.bonus_win[mixed] / rules.bonus_stake[mixed])
                if self.pays_super_bonus(hand, card):
                    total += many / whole * self.super_bonus()
        mean = float(mean_premium(rules, shoe, *pair))
        chance = sum(many for card, many in self.left.items() if VALUE[card] == third) / whole
        return total - chance * mean

    def pays_super_bonus(self, hand: Hand, card: Card) -> bool:
        """The third card makes the Super Bonus."""
        rules = self.state.rules
        if not rules.super_bonus or hand.from_split or self.state.dealer[0][0] != "7":
            return False
        return card[0] == "7" and len({card, *hand.cards}) == 1

    def super_bonus(self) -> float:
        """What the Super Bonus pays the first bettor of the box, in units of the wager."""
        sums = self.state.rules.super_bonus_sums
        stakes = [bettor.stake for box in self.state.boxes for bettor in box.bettors if bettor.stake > 0]
        return float(sums.pays(stakes[0]) / stakes[0]) if sums is not None and stakes else 0.0

    # ------------------------------------------------------------------ the rest

    def surrender(self, hand: Hand, values: dict[str, float]) -> float:
        """Half of the wager, or all of it to a dealer's natural where the book says so."""
        rules = self.rules
        if rules.hole_card == HOLE_PEEK and rules.surrender_when == SURRENDER_OWN_TURN:
            return -0.5
        return -0.5 * (1 + self.natural) if rules.surrender_vs_natural == SURRENDER_WHOLE else -0.5

    def rescue(self, box: Box, hand: Hand, h: int) -> dict[str, float]:
        """A double that may be taken back: keep it, or forfeit the original wager."""
        rules = self.rules
        cards = tuple(sorted(VALUE[card] for card in hand.cards))
        shoe, some = self.shoe(hand.cards), hands_with(cards)
        seat = self.seat(box, hand, h, shoe, cards)
        layer = layer_of(rules, sum(card[0] == "A" for card in hand.cards[:2]))
        place = some.of(*cards)
        rows = dealer_law(rules, shoe, some, ups=(self.up,))[place, self.up]
        kind = seat.tables.kind_doubled[layer, place]
        return {"stand": float((seat.pay_doubled[kind] * rows).sum()) * self.scale, "forfeit": float(seat.forfeit[0])}

    def switch(self, area: int) -> dict[str, float]:
        """Both boxes of an area together: as they lie, and with their second cards exchanged."""
        pair = [box for box in self.state.boxes if box.area == area]
        one, other = (box.hands[0] for box in pair)
        crossed = ((one.cards[0], other.cards[1]), (other.cards[0], one.cards[1]))
        leave = sum(self.best(box, box.hands[0].cards, box.hands[0].status is HandStatus.NATURAL) for box in pair)
        switched = sum(self.best(box, cards, False) for box, cards in zip(pair, crossed, strict=True))
        return {"leave": leave, "switch": switched}

    def best(self, box: Box, cards: tuple[Card, ...], natural: bool) -> float:
        """The best value of two cards of a box."""
        hard, aces = sum(VALUE[card] for card in cards), sum(card[0] == "A" for card in cards)
        hand = msgspec.structs.replace(box.hands[0], cards=cards, hard=hard, aces=aces)
        if natural and is_natural(hard, aces, 2):
            return self.natural_hand(hand)
        values = self.acts(box, hand, 0)
        table = tables(self.rules)
        place = all_hands().of(*(VALUE[card] for card in cards))
        allowed = {
            "stand": table.complete[place] or table.may_stand[place],
            "hit": not table.complete[place],
            "double": table.may_double[layer_of(self.rules, aces), place],
            "split": True,
        }
        return max(worth for name, worth in values.items() if allowed[name])
