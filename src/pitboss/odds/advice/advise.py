"""`advise`: for a hand at a table, what every legal action is worth, given exactly the cards that are left.

The expectation of an action is of what the hand, and hands split from it, still bring, in units of the original wager,
with best play after it. Other hands of the box count as far as a dealer's natural ties them to this one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.cards import RANK, VALUE, Card, add_up
from pitboss.errors import PitbossError
from pitboss.odds.advice.observed import SeenTable, see_table, see_view
from pitboss.odds.advice.outcome_shares import OutcomeShares, count_outcomes
from pitboss.odds.cards.composition import SUITED, Composition, of_cards
from pitboss.odds.cards.distributions import Distributions
from pitboss.odds.cards.numbers import FLOATS, Array
from pitboss.odds.cards.suits import THIRD, mean_premium, suits_matter
from pitboss.odds.hand.hand_tables import MAIN, Seat, natural_payments, one_card_payments, tables
from pitboss.odds.hand.player_hands import VALUES, all_hands, hands_with
from pitboss.odds.hand.recursions import DOUBLE, HIT, STAND
from pitboss.odds.hand.solver import (
    Decisions,
    Priced,
    count_naturals,
    find_distributions,
    play_seat,
    price_seat,
    refuse_surrender_after_own_cards,
    reprice_seat,
)
from pitboss.odds.splits.coupling import finish_from, is_coupled, only_live, price_of_a_live_hand
from pitboss.odds.splits.split_boxes import FEW, Waiting, split_worth, waiting_worth
from pitboss.odds.splits.split_values import seat_of, separate_value
from pitboss.play.bonuses import MIXED, bonus_code, win_odds, wins_super_bonus
from pitboss.play.dealer import dealer_looks
from pitboss.play.doubling import aces_fixed
from pitboss.play.hands import is_natural
from pitboss.play.insurance import insurance_halves, odds_of_insurance
from pitboss.play.naturals import may_become_natural
from pitboss.play.packed import Packed
from pitboss.play.settlement import busts_count_as_taken
from pitboss.play.splitting import most_hands, own_stake_last
from pitboss.play.surrender import surrender_before_turns, surrender_costs
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.round.paying import look_of
from pitboss.table.state import Box, Hand, HandStatus, Pending, Phase, State
from pitboss.table.views import View


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
    riding: dict[str, float] = {}
    """For one who shares the box and does not join: what their wager is worth if the box doubles, or splits.

    A wager that does not join a double takes its one card anyway, one that does not join a split stays on the
    first hand.
    """
    error_bound: float = 0.0
    """How far an expectation can be off: not at all, but where hands still to be played share what a natural takes."""

    shares: dict[str, OutcomeShares] = {}
    """How often standing, hitting and doubling win, push and lose, where that was asked for and is exact.

    It is left out for a hand that is tied to others of its box, and for one that is played with a token.
    """

    def price_part_double(self, share: float) -> float:
        """What a double for a share of the wager is worth: in proportion between a card drawn to it and a full one."""
        return self.riding["double"] + share * (self.actions["double"] - self.riding["double"])


def advise(
    table: State | View | SeenTable, left: Mapping[Card, int], box: str | None = None, *, rules: Rules | None = None,
    counted: bool = False,
) -> Advice:  # fmt: skip
    """Advise on the hand whose turn it is, or on `box` while offers are open.

    `left` are the cards nobody has seen, including a hole card. What is legal comes from the table, or from what an
    observer's view may do; a view goes with the `rules` of its table, unless it was seen already. With `counted` it is
    also said how often actions win.
    """
    if isinstance(table, State):
        seen = see_table(table)
    elif isinstance(table, SeenTable):
        seen = table
    elif rules is None or rules.digest != table.rules_digest:
        raise AdviceError("advice on a view needs the rules of its table: advise(view, left, rules=...)")
    else:
        seen = see_view(table, rules)
    index, h = _whose(seen, box)
    found = seen.boxes[index]
    verbs = seen.verbs(found)
    desk = _Desk(seen, left, counted)
    actions = desk.offers(found, verbs)
    played = desk.hand_actions(index, h, verbs)
    actions |= played.actions
    if "switch" in verbs:
        actions |= desk.switch(found.area)
    own = [name for name in actions if name not in ("insure", "switch", "leave")]
    best = max(own, key=lambda name: actions[name], default="")
    if actions.get("switch", 0.0) > actions.get("leave", 0.0):
        best = "switch"
    return Advice(found.number, h + 1, actions, best, desk.natural, played.riding, played.error, played.shares)


def _whose(seen: SeenTable, box: str | None) -> tuple[int, int]:
    """Index of box and hand to advise on."""
    if seen.phase not in (Phase.OFFERS, Phase.TURNS):
        raise AdviceError("there is no hand to advise on: no round is being played")
    if seen.turn is not None and box in (None, seen.boxes[seen.turn[0]].number):
        return seen.turn
    wanted = [place for place, found in enumerate(seen.boxes) if box in (None, found.number) and found.hands]
    if not wanted:
        raise AdviceError(f"box {box} is not in play")
    for place in wanted:
        for h, hand in enumerate(seen.boxes[place].hands):
            if hand.status in (HandStatus.OPEN, HandStatus.NATURAL):
                return place, h
    raise AdviceError(f"box {seen.boxes[wanted[0]].number} takes no more decisions this round")


class _Priced(NamedTuple):
    """What a hand can do now, for those who share it too, and how far off that can be."""

    actions: dict[str, float]
    riding: dict[str, float]
    error: float
    shares: dict[str, OutcomeShares]


class _SplitWorth(NamedTuple):
    """What a split is worth, what its first hand alone, and how far off the first of these can be."""

    box: float
    first: float
    error: float


Beside = Callable[[int, int, int], tuple[float, float]]
"""What a dealer's natural takes for a hand, and how far off that can be, by hand, layer and action."""

LOW = 12
"""A hand below this can grow in too many ways to be counted out with others beside it."""

MOST_BESIDE = FEW
"""Combinations of hands that are counted one by one while somebody waits for advice."""


PUT_BACK = 22
"""More cards of a value than are ever put back to those that are left."""


class _Cost(NamedTuple):
    """What a dealer's natural takes for a hand being live, the other hands of its box being as they are."""

    price: float
    known: bool
    """It holds whatever happens to the hands still to be played."""


def build_undoubled_seat(rules: Packed, seat: Seat, money: Priced) -> Priced:
    """The seat of a wager that does not join a double: one card is drawn to it, and its stake stays as it is."""
    pay = FLOATS.array(one_card_payments(rules, seat))
    safe = money.tables.safe_doubled
    pay[~safe, -1] = np.where(pay[~safe, -1] < 0, money.pay_doubled[~safe, -1].clip(-1), pay[~safe, -1])
    gone = money.gone.copy()
    gone[2] = gone[1]
    return money._replace(pay_doubled=pay, gone=gone)


class _Desk:
    """A table's cards as the recursions need them, against its one up card."""

    def __init__(self, seen: SeenTable, left: Mapping[Card, int], counted: bool = False) -> None:
        self.seen = seen
        self.counted = counted
        self.rules: Packed = seen.packed
        refuse_surrender_after_own_cards(self.rules)
        self.up = VALUE[seen.dealer[0]] - 1
        self.left = dict(left)
        unseen = of_cards(self.left, FLOATS)
        self.natural = float(unseen.values[9 - self.up] / unseen.left) if may_become_natural(self.up) else 0.0
        peeked = seen.phase is Phase.TURNS and dealer_looks(self.rules, self.up)
        self.scale = 1.0 / (1.0 - self.natural) if peeked else 1.0
        """Where the dealer has looked, values are given that there is no natural."""
        self.distributions = Distributions(unseen.values + PUT_BACK, (self.up,))

    def shoe(self, cards: tuple[Card, ...]) -> Composition:
        """The cards left, with those of a hand and the up card put back: what the recursions start from."""
        whole = dict(self.left)
        for card in (*cards, self.seen.dealer[0]):
            whole[card] = whole.get(card, 0) + 1
        return of_cards(whole, FLOATS)._replace(distributions=self.distributions)

    # ------------------------------------------------------------------ offers

    def offers(self, box: Box, verbs: set[str]) -> dict[str, float]:
        """Insurance and even money."""
        found: dict[str, float] = {}
        rules = self.rules
        if "insure" in verbs:
            win, stake = odds_of_insurance(rules, self.up)
            share = insurance_halves(rules) / 2
            found["insure"] = share * (self.natural * win / stake - (1 - self.natural))
        if "even-money" in verbs:
            found["even-money"] = 1.0
        hand = box.hands[0]
        if hand.status is HandStatus.NATURAL:
            found["stand"] = self.natural_hand(hand)
        return found

    def natural_hand(self, hand: Hand) -> float:
        """A player's natural that waits."""
        shoe, hands = self.shoe(hand.cards), hands_with((1, 10))
        rows = find_distributions(self.rules, shoe, hands, ups=(self.up,))[hands.of(1, 10), self.up]
        return float((rows * FLOATS.array(natural_payments(self.rules))).sum())

    # ------------------------------------------------------------------ a hand

    def hand_actions(self, index: int, h: int, verbs: set[str]) -> _Priced:
        """What the hand can do, and what each is worth."""
        box = self.seen.boxes[index]
        hand = box.hands[h]
        if self.seen.pending is Pending.RESCUE:
            return _Priced(self.rescue(box, hand, h), {}, 0.0, {})
        if hand.status is HandStatus.NATURAL:
            return _Priced({}, {}, 0.0, {})
        values = self.acts(box, hand, h)
        found = {name: worth for name, worth in values.actions.items() if name in verbs}
        if "surrender" in verbs:
            found["surrender"] = self.surrender(hand)
        riding = {name: worth for name, worth in values.riding.items() if name in verbs}
        shares = {name: share for name, share in values.shares.items() if name in verbs}
        return _Priced(found, riding, values.error, shares)

    def acts(self, box: Box, hand: Hand, h: int, *, riders: bool = True) -> _Priced:
        """The value of standing, hitting, doubling, splitting a hand, allowed or not."""
        rules, up = self.rules, self.up
        cards = tuple(sorted(VALUE[card] for card in hand.cards))
        cost = self.cost(box, hand, h)
        shoe, hands = self.shoe(hand.cards), hands_with(cards)
        seat = self.seat(hand, shoe, cards, cost)
        rows = find_distributions(rules, shoe, hands, ups=(up,))
        place = (aces_fixed(rules, sum(card[0] == "A" for card in hand.cards[:2])), hands.of(*cards), up)
        found = play_seat(rules, shoe, hands, seat, rows, (up,))
        beside = None if cost.known else self.beside(box, hand, h, found.by)
        if beside is not None:
            found = play_seat(rules, shoe, hands, reprice_seat(seat, 0.0), rows, (up,), found.by)
        shares: dict[str, OutcomeShares] = {}
        if self.counted and riders and not self.is_tied(hand) and not self.kind_of_seat(hand).token:
            shares = count_outcomes(rules, shoe, hands, seat, rows, place, found.by, self.scale)
        names = (("stand", STAND), ("hit", HIT), ("double", DOUBLE))
        values = {name: float(found.acts[place][action]) for name, action in names}
        error = 0.0
        if beside is not None:
            for name, action in names:
                taken, wrong = beside(place[1], place[0], action)
                values[name], error = values[name] - taken, max(error, wrong)
        values["hit"] += self.suits(box, hand, shoe)
        riding: dict[str, float] = {}
        if riders:
            one_card = play_seat(
                rules, shoe, hands, build_undoubled_seat(rules, self.kind_of_seat(hand), seat), rows, (up,)
            )
            riding["double"] = float(one_card.acts[place][DOUBLE])
        if len(cards) == 2 and cards[0] == cards[1] and most_hands(rules, cards[0] == 1) > len(box.hands):
            worth = self.split(box, hand, h, shoe, cost, riders=riders)
            values["split"], riding["split"], error = worth.box, worth.first, max(error, worth.error)
        if not (cost.known or beside is not None):
            error = max(error, self.natural)
        scaled = ({name: worth * self.scale for name, worth in table.items()} for table in (values, riding))
        return _Priced(next(scaled), next(scaled), error * self.scale, shares)

    def beside(self, box: Box, hand: Hand, h: int, by: Decisions) -> Beside | None:
        """What a natural takes for the hand, with the hands still to be played counted beside it, by its action.

        Nothing is said where busted hands count towards the one wager.
        """
        rules, up, value = self.rules, self.up, VALUE[hand.cards[0]]
        if busts_count_as_taken(rules):
            return None
        shoe, hands = self.shoe((hand.cards[0], hand.cards[0])), hands_with((value,))
        rows = find_distributions(rules, shoe, hands, ups=(up,))
        others = price_seat(rules, seat_of(rules, value, True), shoe, (value,))
        price = price_of_a_live_hand(rules, shoe, value, others, self.first_thought(value, shoe, rows), rows, up)
        plays = dict.fromkeys(
            range(2, most_hands(rules, value == 1) + 1),
            play_seat(rules, shoe, hands, reprice_seat(others, price), rows, (up,)).by,
        )
        waiting = self.waiting(box, h)

        room = (len(box.hands), waiting)

        def take(place: int, layer: int, action: int) -> tuple[float, float]:
            if action == HIT and hand.hard < LOW:
                live = self.live(hand, by)
                chance, wrong = only_live(rules, shoe, value, plays, up, room, None, MOST_BESIDE)
                cards, drawn = 21 - hand.hard, waiting * (22 - value)
                apart = min(1.0, cards * drawn / (shoe.left - cards - drawn)) if self.natural else 0.0
                return live * float(chance) / self.natural, float(wrong) + apart * live
            own = finish_from(rules, self.kind_of_seat(hand), place, layer, action, by, up)
            if not len(own):
                return 0.0, 0.0
            chance, wrong = only_live(rules, shoe, value, plays, up, room, own, MOST_BESIDE)
            return float(chance), float(wrong)

        return take

    def live(self, hand: Hand, by: Decisions) -> float:
        """The chance that the hand, having hit, is found live by a dealer's natural."""
        rules, up = self.rules, self.up
        cards = tuple(sorted(VALUE[card] for card in hand.cards))
        shoe, hands = self.shoe(hand.cards), hands_with(cards)
        seat = count_naturals(price_seat(rules, self.kind_of_seat(hand), shoe, cards))
        rows = find_distributions(rules, shoe, hands, ups=(up,))
        layer = aces_fixed(rules, sum(card[0] == "A" for card in hand.cards[:2]))
        return float(play_seat(rules, shoe, hands, seat, rows, (up,), by).acts[layer, hands.of(*cards), up, HIT])

    def kind_of_seat(self, hand: Hand) -> Seat:
        """The seat of a hand."""
        if not hand.from_split:
            return MAIN
        token = all(stake.base == 0 for stake in hand.stakes)
        return Seat(True, hand.from_aces, token, any(stake.original for stake in hand.stakes))

    def seat(self, hand: Hand, shoe: Composition, cards: tuple[int, ...], cost: _Cost) -> Priced:
        """The seat of a hand in numbers, with what a live hand costs beside the other hands of its box."""
        seat = price_seat(self.rules, self.kind_of_seat(hand), shoe, cards)
        return reprice_seat(seat, cost.price) if self.is_tied(hand) else seat

    def is_tied(self, hand: Hand) -> bool:
        """A dealer's natural takes one wager from this hand and others together."""
        if not hand.from_split or self.kind_of_seat(hand).token:
            return False
        return is_coupled(self.rules, VALUE[hand.cards[0]], self.up)

    def cost(self, box: Box, hand: Hand, h: int) -> _Cost:
        """What a dealer's natural takes for this hand being live."""
        if not self.is_tied(hand):
            return _Cost(1.0, True)
        others = [other for place, other in enumerate(box.hands) if place != h]
        over = [other for other in others if other.status is not HandStatus.OPEN]
        spared = HandStatus.BUST if busts_count_as_taken(self.rules) else HandStatus.STOOD
        if any(other.status is spared and not self.safe(other) for other in over):
            return _Cost(0.0, True)
        waiting = len(others) - len(over)
        if not waiting:
            return _Cost(1.0, True)
        value = VALUE[hand.cards[0]]
        shoe, hands = self.shoe(hand.cards), hands_with((value,))
        rows = find_distributions(self.rules, shoe, hands, ups=(self.up,))
        whole = price_seat(self.rules, seat_of(self.rules, value, True), shoe, (value,))
        by = self.first_thought(value, shoe, rows)
        price = float(price_of_a_live_hand(self.rules, shoe, value, whole, by, rows, self.up))
        return _Cost(price**waiting, False)

    def first_thought(self, value: int, shoe: Composition, rows: Array) -> Decisions:
        """How a split hand is played that costs a whole wager when it is live."""
        seat = price_seat(self.rules, seat_of(self.rules, value, True), shoe, (value,))
        return play_seat(self.rules, shoe, hands_with((value,)), seat, rows, (self.up,)).by

    def safe(self, hand: Hand) -> bool:
        """A finished hand that a dealer's natural does not take."""
        table = tables(self.rules, self.kind_of_seat(hand))
        cards = tuple(VALUE[card] for card in hand.cards)
        return hand.points <= 21 and bool(table.safe[table.kind[all_hands().of(*cards)]])

    def split(self, box: Box, hand: Hand, h: int, shoe: Composition, cost: _Cost, *, riders: bool) -> _SplitWorth:
        """What parting two cards is worth to the box, beyond what its other hands are worth; and its first hand alone.

        A split uses up room: the hands still to be played may then split less often.
        """
        rules, value, up = self.rules, VALUE[hand.cards[0]], (self.up,)
        some = hands_with((value,))
        rows = find_distributions(rules, shoe, some, ups=up)
        main = play_seat(rules, shoe, some, price_seat(rules, MAIN, shoe, (value,)), rows, up).by
        found = split_worth(rules, shoe, value, rows, main, np.full(VALUES, -np.inf), ups=up, most=MOST_BESIDE)
        plays = found.plays.get(self.up, found.plays[-1])
        first = 0.0
        if riders:
            seat = price_seat(rules, seat_of(rules, value, h == 0), shoe, (value,))
            first = separate_value(rules, shoe, value, (seat, seat), plays, up, only_first=True)[self.up]
        if not hand.from_split:
            return _SplitWorth(float(found.value[self.up]), float(first), float(found.error[self.up]))
        many, waiting = len(box.hands), self.waiting(box, h)
        spared = cost.known and cost.price == 0.0
        own_last = own_stake_last(rules, value)
        after = Waiting(many + 1, waiting + 2, own_last or h == 0, spared)
        before = Waiting(many, waiting, own_last and waiting > 0, spared)
        (worth, wrong), (others, wrong_too) = (
            waiting_worth(rules, shoe, value, self.up, plays, state, MOST_BESIDE) for state in (after, before)
        )
        return _SplitWorth(float(worth - others), float(first), float(wrong + wrong_too))

    def waiting(self, box: Box, h: int) -> int:
        """Hands of a box that are still to be played, but for one."""
        return sum(other.status is HandStatus.OPEN for place, other in enumerate(box.hands) if place != h)

    def suits(self, box: Box, hand: Hand, shoe: Composition) -> float:
        """What hitting is worth above the mean over suits, the suits of the hand and of all cards left being known."""
        rules = self.rules
        pair = tuple(sorted(VALUE[card] for card in hand.cards))
        if len(pair) != 2 or pair not in THIRD or not suits_matter(rules):
            return 0.0
        third = THIRD[pair[0], pair[1]]
        total, up, sevens = 0.0, RANK[self.seen.dealer[0]], box.suited_sevens_split
        whole = sum(self.left.values())
        for card, many in self.left.items():
            if VALUE[card] == third and card[0] in SUITED:
                pattern, grade = look_of((*hand.cards, card))
                odds, mixed = (
                    Fraction(*win_odds(rules, bonus_code(21, 3, pattern, suits))) for suits in (grade, MIXED)
                )
                total += many / whole * float(odds - mixed)
                if wins_super_bonus(rules, up, pattern, grade, False, hand.from_split, sevens):
                    total += many / whole * self.super_bonus()
        mean = float(mean_premium(rules, shoe, *pair))
        chance = sum(many for card, many in self.left.items() if VALUE[card] == third) / whole
        return total - chance * mean

    def super_bonus(self) -> float:
        """What the Super Bonus pays the first bettor of the box, in units of the wager."""
        sums = self.seen.rules.super_bonus_sums
        stakes = [bettor.stake for box in self.seen.boxes for bettor in box.bettors if bettor.stake > 0]
        return float(sums.pays(stakes[0]) / stakes[0]) if sums is not None and stakes else 0.0

    # ------------------------------------------------------------------ the rest

    def surrender(self, hand: Hand) -> float:
        """What a surrendered wager is worth; where the dealer has looked before, there is no natural."""
        rules = self.rules
        natural = self.natural
        if dealer_looks(rules, self.up) and not surrender_before_turns(rules):
            natural = 0.0
        plain, to_natural = (surrender_costs(rules, against) / 2 for against in (False, True))
        return -plain * (1 - natural) - to_natural * natural

    def rescue(self, box: Box, hand: Hand, h: int) -> dict[str, float]:
        """A double that may be taken back: keep it, or forfeit the original wager."""
        rules = self.rules
        cards = tuple(sorted(VALUE[card] for card in hand.cards))
        shoe, some = self.shoe(hand.cards), hands_with(cards)
        seat = self.seat(hand, shoe, cards, self.cost(box, hand, h))
        layer = aces_fixed(rules, sum(card[0] == "A" for card in hand.cards[:2]))
        place = some.of(*cards)
        rows = find_distributions(rules, shoe, some, ups=(self.up,))[place, self.up]
        kind = seat.tables.kind_doubled[layer, place]
        return {"stand": float((seat.pay_doubled[kind] * rows).sum()) * self.scale, "forfeit": float(seat.forfeit[0])}

    def switch(self, area: int) -> dict[str, float]:
        """Both boxes of an area together: as dealt, and with their second cards exchanged."""
        pair = [box for box in self.seen.boxes if box.area == area]
        one, other = (box.hands[0] for box in pair)
        crossed = ((one.cards[0], other.cards[1]), (other.cards[0], one.cards[1]))
        leave = sum(self.best(box, box.hands[0].cards, box.hands[0].status is HandStatus.NATURAL) for box in pair)
        switched = sum(self.best(box, cards, False) for box, cards in zip(pair, crossed, strict=True))
        return {"leave": leave, "switch": switched}

    def best(self, box: Box, cards: tuple[Card, ...], natural: bool) -> float:
        """The best value of two cards of a box."""
        hard, aces = add_up(cards)
        hand = msgspec.structs.replace(box.hands[0], cards=cards, hard=hard, aces=aces)
        if natural and is_natural(hard, aces, 2):
            return self.natural_hand(hand)
        values = self.acts(box, hand, 0, riders=False).actions
        table = tables(self.rules)
        place = all_hands().of(*(VALUE[card] for card in cards))
        allowed = {
            "stand": table.complete[place] or table.may_stand[place],
            "hit": not table.complete[place],
            "double": table.may_double[aces_fixed(self.rules, aces), place],
            "split": True,
        }
        return max(worth for name, worth in values.items() if allowed[name])
