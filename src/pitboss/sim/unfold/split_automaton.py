"""A round of one box as a finite automaton that goes on where a hand splits.

A split hand is one more hand of its box: it ends in a result, as the box's only hand does, and a result with the
dealer's final hand is the place where it is counted. What one hand cannot know of the others fits in a few numbers
that whoever plays keeps beside the state, all zero to begin with: hands of the box that are `over`, halves `waiting`
on a stack, whether a split was `declined`, whether two cards to be remembered were `marked`, what results leave
`open`, and the `losses` that a dealer's natural would bring. Everything that follows from them is looked up, so no
rule is left for a kernel to know: suits, the Super Bonus and a dealer's natural included.

How a round is played:

- A card moves `move[state][rank]`, beginning at `start`, until the state is `ends_from` or more. There it is a stop of
  a hand, and `kinds[state - ends_from]` says of which kind.
- `HAND_OVER`: the hand has come to the result `values[stop]`. If the box has not split, the dealer begins at
  `then[stop]`.
- `BY_SUIT`: the same with the result `by_suit[values[stop]][variant][grade]`; the variant is 0 for a box that has not
  split, else 1, or 2 if it is marked, and the grade that of the suits of the hand's three cards.
- `SPLITS`: the hand's second card waits on the stack, its first is a half. Two cards of one suit mark the box if
  `marks[rank]` says so. The split counts at `split_places[box has split already][rank]`.
- `DECLINES`: the hand could have split; the box notes it and goes on in state `then[stop]`.
- A half goes on in state `halves[declined][over][waiting][up card][rank]`.
- When no half waits, `starts[open][up card]` is where the dealer begins. A hole card is taken at once, if that state
  draws. States from `finals_from` on are final.
- A round counts one place for each result: result times `finals` plus the final hand, and `results` times `finals`
  more if the box has split. Against a final natural a box that has split counts `loss_places[losses]` too, where
  `losses` has gone through `losses[losses][charges[result]]` hand after hand; and `super_place` if a result left a
  Super Bonus open.
- `rows[place]` is what a place adds to the sums of a block, `nets[place]` its net. Rounds and the dealer's own hands
  are counted by themselves, as in rounds of several boxes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.bonuses import MIXED, SPADES, splits_suited_sevens, wins_super_bonus
from pitboss.play.dealer import NO_CARD, WHOLE_HAND, dealer_looks, has_hole_card, surrender_needs
from pitboss.play.doubling import double_is_free
from pitboss.play.naturals import makes_natural
from pitboss.play.packed import Packed
from pitboss.play.settlement import dealer_natural_loss
from pitboss.play.splitting import has_room_to_split, holds_own_stake, most_hands, split_is_free
from pitboss.play.surrender import surrender_costs
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.boxes import ORDINARY, SUPER
from pitboss.sim.unfold.automaton import (
    FIRST_END,
    RANK_COUNT,
    UNSEEN,
    Automaton,
    HandStake,
    Key,
    Settle,
    TurnResult,
    merge_states,
    unfold,
)
from pitboss.sim.unfold.box_automaton import OPEN_SETS, BoxUnfolding, unfold_dealer
from pitboss.sim.unfold.luck_tables import SUIT_SHARES, Floats, LuckTables
from pitboss.sim.unfold.tables import DO_SPLIT, POINTS, WIDTH, PlayTables

HAND_OVER, BY_SUIT, SPLITS, DECLINES = range(4)
"""Why a hand draws no card."""
ALONE, SPLIT, MARKED, VARIANTS = range(4)
"""Boxes that a bonus by suit tells apart: not split, split, split by two cards of one suit that are remembered."""
GRADES = SPADES - MIXED + 1
MOST_SPLIT_HANDS = 4
"""A box of more hands than this is left to the kernel for every form of round."""
OWN, ADDED, FREE = UNSEEN, 0, 1
"""What lies on a hand: the original wager, a stake that a split has added, a token of the house's."""
MOST_STATES = 1 << 16

Sums = tuple[int, ...]
Charge = tuple[int, ...]
"""A hand as a dealer's natural sees it: bust, all its money, the part of it that is no double, original wager."""


class SplitAutomaton(NamedTuple):
    """The tables of a round of one box, splits included; the docstring of the module says how they are used."""

    move: NDArray[np.uint16]
    start: int
    dealers_from: int
    """States from here to `ends_from` are the dealer's."""
    ends_from: int
    finals_from: int
    finals: int
    """How many finals there are; the last one is a dealer who shows nothing that matters."""
    kinds: NDArray[np.uint8]
    values: NDArray[np.uint16]
    then: NDArray[np.uint16]
    by_suit: NDArray[np.uint16]
    halves: NDArray[np.uint16]
    marks: NDArray[np.uint8]
    holes: int
    """1 if a card is dealt under the dealer's, after the player's second."""
    results: int
    opens: NDArray[np.uint8]
    """[result] -> bits of what the hand leaves open."""
    charges: NDArray[np.uint8]
    losses: NDArray[np.uint16]
    charge_count: int
    starts: NDArray[np.uint16]
    split_places: NDArray[np.int64]
    loss_places: NDArray[np.int64]
    super_place: int
    busts: NDArray[np.int64]
    naturals: NDArray[np.int64]
    """[final] -> 1 if it is over 21, if it is a natural."""
    nets: NDArray[np.int64]
    rows: NDArray[np.int64]


class SplitHandValues(NamedTuple):
    """What hands of a box that splits are worth in a full shoe, in parts; empty where no luck is subtracted."""

    hands: Floats
    """[state of a hand, or stop][context, as in `luck_tables`]; of a pair that splits again nothing."""
    again: Floats
    """[state of a half][context]: the two halves if its second card makes it a pair that splits again."""
    contexts: int
    ends: Floats
    """[state of the dealer, or final][final] -> chance."""


class LaneAutomaton(NamedTuple):
    """The tables of a round of one box: those of whole rounds, and those of a round that leaves them."""

    whole: Automaton
    apart: SplitAutomaton
    worth: SplitHandValues
    valued: tuple[int, ...]
    """`(1,)` if the luck of the cards is subtracted, else `()`: a kernel is compiled for either."""


class SplitUnfolding(BoxUnfolding):
    """Unfolds the hands of a box: what it is dealt, and the halves of what it splits.

    Where an unfolding of whole rounds remembers the card under the dealer's, this one remembers what lies on the hand.
    """

    def __init__(self, rules: Packed, tables: PlayTables, starts: NDArray[np.uint16], super_bonus: int) -> None:
        super().__init__(rules, tables)
        self.starts, self.super_bonus = starts, super_bonus
        self.stops: dict[tuple[int, int, int], int] = {}
        self.sets: dict[tuple[int, ...], int] = {}
        self.known: dict[tuple[int, int, int], TurnResult] = {}
        self.own_matters = any(
            dealer_natural_loss(rules, 2, busted, live, True, base, taken)
            != dealer_natural_loss(rules, 2, busted, live, False, base, taken)
            for busted, live, base, taken in np.ndindex(5, 5, 5, 5)
        )

    # ------------------------------------------------------------------ stops

    def stop(self, kind: int, value: int = 0, then: int = 0) -> int:
        """A state in which a hand draws no card."""
        return FIRST_END - self.stops.setdefault((kind, value, then), len(self.stops))

    def end_turn(self, up: int, hole: int, result: TurnResult) -> int:
        """The hand is over."""
        return self.stop(HAND_OVER, self.number(result), int(self.starts[result.need, up]))

    def result(self, needs: int, up: int, settle: Settle) -> TurnResult:
        """What a box comes to that cannot be a split one."""
        return self.hand_result(needs, settle, lambda *_: (0,) * k.SUMS, ())

    def hand_result(self, needs: int, alone: Settle, of_split: Settle, charge: Charge) -> TurnResult:
        """What a hand comes to as the only one of its box, then as one of several."""
        only = super().result(needs, 0, alone)
        others = tuple(of_split(*final) for final in self.finals)
        return TurnResult(only.need, (*only.by_final, *others), charge)

    # ------------------------------------------------------------------ moves

    def move(self, key: Key, rank: int) -> int:
        """Where a card of this rank leads."""
        if key[0] == "half":
            first, up, role, room = (int(number) for number in key[1:])
            return self.open_half(first, up, role, room, rank)
        return super().move(key, rank)

    def turn_hole(self, hand: int, up: int, rank: int) -> int:
        """The hole card is dealt before anybody acts; a natural that the dealer looks for ends the round."""
        if hand < 0:
            return self.natural(up, OWN)
        return self.play(hand, up, OWN, ended=bool(dealer_looks(self.rules, up) and makes_natural(up, rank)))

    def half(self, declined: int, over: int, waiting: int, up: int, rank: int) -> int:
        """The state of a half that waits for its second card."""
        value, hands = POINTS[rank], over + 1 + waiting
        role = OWN
        if not holds_own_stake(self.rules, value, over, hands):
            role = FREE if split_is_free(self.rules, value) else ADDED
        room = has_room_to_split(self.rules, hands, value == 1, bool(declined))
        return self.state("half", rank, self.ups[up], role, int(room))

    def open_half(self, first: int, up: int, role: int, room: int, rank: int) -> int:
        """A half has its second card."""
        t = self.t
        opening = t.split_opening if role == OWN else t.other_opening
        hand = int(opening.reshape(-1, WIDTH)[first, rank])
        if not room:
            hand = int(t.unsplit[hand])
        then = self.play(hand, up, role)
        bars = not has_room_to_split(self.rules, 1, False, True)
        if bars and t.splits[hand] and then != self.stop(SPLITS):
            return self.stop(DECLINES, 0, then)
        return then

    def play(self, hand: int, up: int, hole: int, *, ended: bool = False) -> int:
        """A hand acts, unless the round has ended."""
        if self.t.act.reshape(-1, WIDTH)[hand, up] == DO_SPLIT and not ended:
            return self.stop(SPLITS)
        return super().play(hand, up, hole, ended=ended)

    def surrender(self, up: int, hole: int) -> int:
        """Half is lost, or all of it to a dealer's natural."""

        def settle_as(part: str) -> Settle:
            def settle(_: int, natural: bool) -> Sums:
                net = -(self.t.unit // 2) * surrender_costs(self.rules, natural)
                return self.sums(net=net, hands=1, surrenders=1, losses=1, **{part: net})

            return settle

        needs = surrender_needs(self.rules)
        return self.end_turn(
            up, hole, self.hand_result(needs, settle_as("net_surrenders"), settle_as("net_splits"), ())
        )

    def double(self, kind: int, up: int, hole: int) -> int:
        """A double has its card; it may have to take another."""
        if self.t.redraws[kind]:
            return self.state("redraw", kind, up, hole)
        if not self.t.rescue.reshape(-1, WIDTH)[kind, up]:
            return self.finish(kind, up, hole, 2, 1)

        def settle_as(part: str) -> Settle:
            lost = 0 if hole == FREE else self.t.unit
            return lambda *_: self.sums(net=-lost, hands=1, doubles=1, rescues=1, **{part: -lost})

        return self.end_turn(up, hole, self.hand_result(NO_CARD, settle_as("net_doubles"), settle_as("net_splits"), ()))

    def finish(self, kind: int, up: int, hole: int, times: int, doubles: int) -> int:
        """The hand is over: bust, won whatever comes, or for the dealer to decide."""
        if self.t.suits[kind] and not self.t.live[kind]:
            return self.stop(BY_SUIT, self.by_suit(kind, up, times, doubles), int(self.starts[ORDINARY, up]))
        known = (kind, times, hole)
        if known not in self.known:
            self.known[known] = self.conclude_hand(kind, times, doubles, hole)
        return self.end_turn(up, hole, self.known[known])

    def conclude_hand(self, kind: int, times: int, doubles: int, role: int) -> TurnResult:
        """What a finished hand of a class leads to."""
        unit = self.t.unit
        stake = HandStake(0 if role == FREE else unit, role == OWN, True)
        needs, of_split = self.judge(kind, times, doubles, stake)
        _, alone = self.judge(kind, times, doubles, HandStake(unit))
        money = stake.money if doubles and double_is_free(self.rules) else stake.money + unit * (times - 1)
        charge: Charge = ()
        if kind == 0:
            charge = (1, money, 0, 0)
        elif needs == WHOLE_HAND and self.t.pays.reshape(len(self.t.live), -1)[kind, self.natural_final] < 0:
            charge = (0, money, stake.money, int(stake.holds_original or not self.own_matters))
        return self.hand_result(needs, alone, of_split, charge)

    def by_suit(self, kind: int, up: int, times: int, doubles: int) -> int:
        """The number of a set of results that the suits of three cards tell apart."""
        t, pattern, found = self.t, int(self.t.suits[kind]), []
        tokens = int(bool(doubles and double_is_free(self.rules)))
        for variant, grade in np.ndindex(VARIANTS, GRADES):
            pay = int(t.suited.reshape(-1, GRADES)[pattern, grade]) * times
            wins = self.super_bonus and wins_super_bonus(
                self.rules, up, pattern, grade, times == 2, variant != ALONE, variant == MARKED
            )
            more = {"hands": 1, "doubles": doubles, "tokens": tokens, "super_bonuses": int(bool(wins))}

            def settle_as(part: str, pay: int = pay, more: dict[str, int] = more) -> Settle:
                return lambda *_: self.sure_win(pay, part, more)

            result = self.hand_result(
                NO_CARD, settle_as("net_doubles" if doubles else "net_singles"), settle_as("net_splits"), ()
            )
            found.append(self.number(result._replace(need=result.need | SUPER * more["super_bonuses"])))
        return self.sets.setdefault(tuple(found), len(self.sets))


def unfold_lanes(rules: Packed, tables: PlayTables, super_bonus: int, luck: LuckTables | None) -> LaneAutomaton | None:
    """The tables of the rounds of one box; none if they are too large."""
    apart = unfold_splits(rules, tables, super_bonus)
    if apart is None:
        return None
    whole = unfold(rules, tables, luck)
    if luck is None:
        return LaneAutomaton(whole, apart, SplitHandValues(np.zeros(0), np.zeros(0), 0, np.zeros((0, 0))), ())
    return LaneAutomaton(whole, apart, _value_splits(rules, apart, luck), (1,))


def unfold_splits(rules: Packed, tables: PlayTables, super_bonus: int) -> SplitAutomaton | None:
    """The automaton of the rounds of one box, splits included; none if it is too large."""
    if max(most_hands(rules, False), most_hands(rules, True)) > MOST_SPLIT_HANDS:
        return None
    dealer, dealer_starts, dealer_finals = unfold_dealer(rules, tables, dealer_side=False)
    starts = np.zeros((2 * OPEN_SETS, WIDTH), np.uint16)
    starts[:] = np.vstack([dealer_starts, dealer_starts])
    made = SplitUnfolding(rules, tables, starts, super_bonus)
    made.state("start")
    shape = (2, MOST_SPLIT_HANDS, MOST_SPLIT_HANDS, RANK_COUNT, RANK_COUNT)
    places = [place for place in np.ndindex(shape) if 0 < place[1] + place[2] < MOST_SPLIT_HANDS]
    halves = {place: made.half(*place) for place in places if most_hands(rules, POINTS[place[4]] == 1) > 1}
    moves: list[list[int]] = []
    while len(moves) < len(made.queue):
        moves.append([made.move(made.queue[len(moves)], rank) for rank in range(RANK_COUNT)])
    moves, merged = merge_states(moves)
    drawn, stops = len(moves), list(made.stops)
    ends_from = drawn + dealer_finals
    finals_from = ends_from + len(stops)
    finals = len(tables.final_total) + 1
    if finals_from + finals > MOST_STATES:
        return None

    def number(to: int) -> int:
        return merged[to] if to >= 0 else ends_from + FIRST_END - to

    def of_dealer(state: int) -> int:
        return drawn + state if state < dealer_finals else finals_from + state - dealer_finals

    move = np.zeros((ends_from, WIDTH), np.uint16)
    for state, row in enumerate(moves):
        move[state, :RANK_COUNT] = [to if to >= 0 else ends_from + FIRST_END - to for to in row]
    place_dealer = np.vectorize(of_dealer, otypes=[np.uint16])
    move[drawn:, :RANK_COUNT] = place_dealer(dealer[:, :RANK_COUNT])
    half_states = np.zeros((2, MOST_SPLIT_HANDS, MOST_SPLIT_HANDS, WIDTH, WIDTH), np.uint16)
    for place, state in halves.items():
        half_states[place] = number(state)
    losses, corrections, charges = _losses(rules, tables.unit, [result.charge for result in made.order])
    rows, split_places, loss_places, super_place = _rows(rules, made, corrections)
    totals = np.append(tables.final_total, 0)
    return SplitAutomaton(
        move=move.reshape(-1),
        start=merged[0],
        dealers_from=drawn,
        ends_from=ends_from,
        finals_from=finals_from,
        finals=finals,
        kinds=np.array([kind for kind, _, _ in stops], np.uint8),
        values=np.array([value for _, value, _ in stops], np.uint16),
        then=np.array([number(then) if kind == DECLINES else of_dealer(then) for kind, _, then in stops], np.uint16),
        by_suit=np.array(list(made.sets), np.uint16).reshape(-1),
        halves=half_states.reshape(-1),
        marks=_marks(),
        holes=int(has_hole_card(rules)),
        results=len(made.order),
        opens=np.array([result.need for result in made.order], np.uint8),
        charges=charges,
        losses=losses.reshape(-1),
        charge_count=losses.shape[1],
        starts=place_dealer(starts).reshape(-1),
        split_places=split_places.reshape(-1),
        loss_places=loss_places,
        super_place=super_place,
        busts=(totals % 100 > 21).astype(np.int64),
        naturals=(totals >= 100).astype(np.int64),
        nets=rows[:, k.NET].copy(),
        rows=rows,
    )


def _marks() -> NDArray[np.uint8]:
    """[rank] -> 1 if splitting two of them of one suit is remembered."""
    marks = np.zeros(WIDTH, np.uint8)
    for rank in range(RANK_COUNT):
        marks[rank] = splits_suited_sevens(rank, rank, 0, 0) and not splits_suited_sevens(rank, rank, 0, 1)
    return marks


def _rows(
    rules: Packed, made: SplitUnfolding, corrections: list[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
    """What each place adds to the sums; the places of splits, of losses, and of the Super Bonus."""
    finals = len(made.finals)
    rows = [row for result in made.order for row in result.by_final[:finals]]
    for result in made.order:
        rows += [_without_bet(row) for row in result.by_final[finals:]]
    split_places = np.zeros((2, WIDTH), np.int64)
    for again, rank in np.ndindex(2, RANK_COUNT):
        row = made.sums(splits=1, tokens=int(split_is_free(rules, POINTS[rank])))
        rows.append(_without_bet(row) if again else row)
        split_places[again, rank] = len(rows) - 1
    loss_places = np.arange(len(corrections)) + len(rows)
    rows += [_without_bet(made.sums(net=net, net_splits=net)) for net in corrections]
    rows.append(_without_bet(made.sums(net=made.super_bonus, net_super_bonus=made.super_bonus)))
    return np.array(rows, np.int64), split_places, loss_places, len(rows) - 1


def _without_bet(row: Sums) -> Sums:
    return (*row[: k.BETS], 0, *row[k.BETS + 1 :])


def _losses(rules: Packed, unit: int, charged: list[Charge]) -> tuple[NDArray[np.uint16], list[int], NDArray[np.uint8]]:
    """[losses][charge] -> losses; what hands together lose less to a dealer's natural than each by itself; [result] ->
    charge. Sequences of hands that can no longer be told apart are one."""
    kinds = [(), *sorted({charge for charge in charged if charge})]
    sequences: list[tuple[Charge, ...]] = [()]
    for sequence in sequences:
        if len(sequence) < MOST_SPLIT_HANDS:
            sequences += [(*sequence, charge) for charge in kinds[1:]]
    numbers = {sequence: number for number, sequence in enumerate(sequences)}
    spared = [_sum_spared(rules, unit, sequence) for sequence in sequences]
    # What comes after the last hand is of no matter: the sequence stays as it is.
    moves = [
        [number if not kind else numbers.get((*sequence, kind), number) for kind in kinds]
        for number, sequence in enumerate(sequences)
    ]
    names = spared
    while True:
        seen: dict[tuple[int, ...], int] = {}
        finer = [
            seen.setdefault((names[number], spared[number], *(names[to] for to in row)), len(seen))
            for number, row in enumerate(moves)
        ]
        if len(set(finer)) == len(set(names)):
            break
        names = finer
    first = {name: number for number, name in reversed(list(enumerate(finer)))}
    losses = np.array([[finer[to] for to in moves[first[name]]] for name in range(len(first))], np.uint16)
    corrections = [spared[first[name]] for name in range(len(first))]
    return losses, corrections, np.array([kinds.index(charge) for charge in charged], np.uint8)


def _sum_spared(rules: Packed, unit: int, sequence: tuple[Charge, ...]) -> int:
    """How much less a dealer's natural takes of these hands together than of each by itself."""
    busted = sum(money for bust, money, _, _ in sequence if bust)
    taken = alone = 0
    for bust, money, base, own in sequence:
        if not bust:
            taken += dealer_natural_loss(rules, unit, busted, money, bool(own), base, taken)
            alone += dealer_natural_loss(rules, unit, 0, money, bool(own), base, 0)
    return alone - taken


def _value_splits(rules: Packed, auto: SplitAutomaton, luck: LuckTables) -> SplitHandValues:
    """What hands are worth in a box that has split: by themselves, and each as if it could always split again."""
    shares = luck.whole / luck.whole.sum()
    moves = auto.move.reshape(-1, WIDTH)[:, :RANK_COUNT].astype(np.int64)
    ends = np.zeros((auto.finals_from + auto.finals, auto.finals))
    ends[auto.finals_from :] = np.eye(auto.finals)
    dealers = slice(auto.dealers_from, auto.ends_from)
    while True:
        after = np.tensordot(ends[moves[dealers]], shares, (1, 0))
        if np.array_equal(after, ends[dealers]):
            break
        ends[dealers] = after
    chances = luck.contexts_ends
    nets = auto.nets[auto.results * auto.finals : 2 * auto.results * auto.finals].reshape(auto.results, auto.finals)
    results = nets[:, : chances.shape[1]] @ chances.T
    by_suit = auto.by_suit.reshape(-1, VARIANTS, GRADES)[:, SPLIT]
    suited = np.tensordot(results[by_suit], [SUIT_SHARES[grade] for grade in range(MIXED, SPADES + 1)], (1, 0))
    hands = np.zeros((auto.finals_from, len(chances)))
    stops = hands[auto.ends_from :]
    stops[auto.kinds == HAND_OVER] = results[auto.values[auto.kinds == HAND_OVER]]
    stops[auto.kinds == BY_SUIT] = suited[auto.values[auto.kinds == BY_SUIT]]
    declines = auto.kinds == DECLINES
    splits = auto.ends_from + np.flatnonzero(auto.kinds == SPLITS)
    again = np.isin(moves[: auto.dealers_from], splits) @ shares
    # What is worth w with a chance p of being two of its kind: w = others + 2 p w; or, where the hand that a split adds
    # is another one, worth v: w = others + p (w + v). More than half are first deals.
    added = _find_added(rules, auto)
    alike = added == np.arange(auto.dealers_from)
    often = np.where(again < 0.5, again, 0.0)
    more = (np.where(again < 0.5, 1 / (1 - often * np.where(alike, 2, 1)), 0))[:, None]
    other = np.where(alike, 0.0, often)[:, None]
    while True:
        stops[declines] = hands[auto.then[declines]]
        after = sum(shares[rank] * hands[moves[: auto.dealers_from, rank]] for rank in range(RANK_COUNT))
        after = (after + other * hands[added]) * more
        if np.array_equal(after, hands[: auto.dealers_from]):
            both = after + after[added]
            return SplitHandValues(hands.reshape(-1), both.reshape(-1), len(chances), ends)
        hands[: auto.dealers_from] = after


def _find_added(rules: Packed, auto: SplitAutomaton) -> NDArray[np.int64]:
    """By state of a hand: the half that is added if it splits again; it is alike, unless that one alone is free."""
    added = np.arange(auto.dealers_from)
    halves = auto.halves.reshape(2, MOST_SPLIT_HANDS, MOST_SPLIT_HANDS, WIDTH, WIDTH)[0]
    for rank in range(RANK_COUNT):
        value = POINTS[rank]
        if split_is_free(rules, value):
            first = 1 if holds_own_stake(rules, value, 0, 2) else 0  # of two hands, the one on a token
            for over, waiting in np.ndindex(halves.shape[:2]):
                if holds_own_stake(rules, value, over, over + 1 + waiting):
                    added[halves[over, waiting, :, rank]] = halves[first, 1 - first, :, rank]
    return added
