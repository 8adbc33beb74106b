"""Every round that a small shoe can deal, played through the table engine by a strategy of `odds`, in exact fractions.

The engine is given whole shoes. A card that a round has used and that is not yet chosen is a branch: the round goes
back to the command that used it, once for every card that could have come. So the mean over all orders of the cards is
taken without playing orders that differ only in cards nobody saw.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

from msgspec.structs import replace

from pitboss.cards import SUITS, VALUE, Card, parse_cards
from pitboss.money import Money
from pitboss.odds.analysis import exact_second_moment, price_by_chart, solution
from pitboss.odds.cards.composition import SUITED, Composition, of_cards
from pitboss.odds.cards.numbers import EXACT
from pitboss.odds.cards.suits import THIRD
from pitboss.odds.charts.by_chart import cells_by_chart, judge_of, splits_of
from pitboss.odds.charts.chart import Chart
from pitboss.odds.hand.openings import Cell, Position, cells
from pitboss.odds.hand.solver import Decisions
from pitboss.odds.switch.area_values import NUMBER, Areas, Pairs, areas, at_best, solve_pairs
from pitboss.odds.switch.switch_analysis import price_switch_chart as worth_by_chart
from pitboss.play.bonuses import MIXED, ONE_SUIT, SPADES
from pitboss.play.doubling import aces_fixed
from pitboss.play.packed import Packed, pack
from pitboss.play.splitting import holds_own_stake
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Phase, Refusal, State, decide, legal, open_table, results
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Box, Pending

Policy = Callable[[State, tuple[cmd.Command, ...]], cmd.Command]
"""What is done in a state, of what is legal."""


class NotTheGame(Exception):
    """A strategy asks for what the table does not do."""


class OutOfCards(NotTheGame):
    """The shoe is too small for the game."""


def value_by_table(
    rules: Rules, shoe: Counter[Card], policy: Policy, stake: int = 1, worth: Callable[[Fraction], Fraction] = Fraction
) -> Fraction:
    """The mean net result of a round per unit staked, or of `worth` of it, over all orders of the shoe."""
    state = open_table(rules)
    state = _after(state, cmd.PlaceBet(box="1", player="ann", amount=Money(stake), seated=True))
    state = _after(state, cmd.LoadShoe(cards=tuple(shoe.elements())))
    wagers = 2 if rules.boxes_per_area == 2 else 1
    return _value(state, cmd.Deal(), 0, shoe, policy, lambda net: worth(net / (wagers * stake)))


def _after(state: State, command: cmd.Command) -> State:
    answer = decide(state, command)
    if isinstance(answer, Refusal):
        raise (OutOfCards if "no card is left" in answer.reason else NotTheGame)(str(answer))
    return answer.state


def _value(
    state: State,
    command: cmd.Command,
    known: int,
    left: Counter[Card],
    policy: Policy,
    worth: Callable[[Fraction], Fraction],
) -> Fraction:
    """The mean of what the result is worth after `command`; `known` cards are chosen, `left` are the others."""
    after = _after(state, command)
    if after.shoe.position > known:
        total = Fraction(0)
        whole = sum(left.values())
        for card, many in left.items():
            rest = left - Counter([card])
            chosen = (*state.shoe.cards[:known], card, *rest.elements())
            dealt = replace(state, shoe=replace(state.shoe, cards=chosen))
            total += Fraction(many, whole) * _value(dealt, command, known + 1, rest, policy, worth)
        return total
    if after.phase is Phase.SETTLED:
        return worth(sum((Fraction(net) for net in results(after).values()), start=Fraction(0)))
    return _value(after, policy(after, legal(after)), known, left, policy, worth)


# ---------------------------------------------------------------------- the strategies of odds


def _values(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(sorted(VALUE[card] for card in cards))


def _of(legal_now: tuple[cmd.Command, ...], kind: type[cmd.Command]) -> cmd.Command | None:
    return next((command for command in legal_now if isinstance(command, kind)), None)


COMMANDS: dict[str, type[cmd.Command]] = {
    "stand": cmd.Stand, "hit": cmd.Hit, "double": cmd.Double, "split": cmd.Split, "surrender": cmd.Surrender,
    "even-money": cmd.TakeEvenMoney,
}  # fmt: skip


def _named(state: State, legal_now: tuple[cmd.Command, ...], action: str) -> cmd.Command:
    found = _of(legal_now, COMMANDS[action])
    if found is None:
        raise (NotTheGame if state.shoe.left else OutOfCards)(f"{action} is not one of {legal_now}")
    return found


class ByPosition:
    """Play as a solved position has it, opening hands as its cells say; with `suits`, as they say by suits."""

    def __init__(self, position: Position, cells: Iterable[Cell], *, suits: bool = False) -> None:
        self.position = position
        self.cells = {(cell.first, cell.second, cell.up): cell for cell in cells}
        self.suits = suits

    def __call__(self, state: State, legal_now: tuple[cmd.Command, ...]) -> cmd.Command:
        up = VALUE[state.dealer[0]] - 1
        if state.phase is Phase.OFFERS:
            return self._offer(state, legal_now)
        assert state.turn is not None
        box = state.boxes[state.turn[0]]
        hand = box.hands[state.turn[1]]
        if state.pending is Pending.RESCUE:
            by = self._by(box, state.turn[1], up)
            taken = bool(by.given_up[(*self._place(by, hand.cards), up)])
            return (_of(legal_now, cmd.Forfeit) if taken else None) or cmd.Proceed()
        if not hand.from_split and len(hand.cards) == 2:
            action = self.opening(hand.cards, state.dealer[0])
            # A natural does not act: an ace and a ten on their turn are 21 that a switch has made.
            return _named(state, legal_now, "stand" if action in ("natural", "even-money") else action)
        if split := _of(legal_now, cmd.Split):
            return split
        if hand.from_aces and state.rules.split_aces_one_card:
            return cmd.Stand(box=box.number)
        by = self._by(box, state.turn[1], up)
        decision = int(by.decision[(*self._place(by, hand.cards), up)])
        return _named(state, legal_now, ("stand", "hit", "double")[decision])

    def _offer(self, state: State, legal_now: tuple[cmd.Command, ...]) -> cmd.Command:
        action = self.opening(state.boxes[0].hands[0].cards, state.dealer[0])
        wish = COMMANDS.get(action) if action in ("surrender", "even-money") else None
        return (wish and _of(legal_now, wish)) or cmd.Proceed()

    def opening(self, cards: tuple[Card, ...], up: Card) -> str:
        """What is done with two cards as they were dealt."""
        cell = self.cells[(*_values(cards), VALUE[up] - 1)]  # type: ignore[index]
        if not (self.suits and cell.suited):
            return cell.action
        grade, third = MIXED, Fraction(0)
        if cards[0][1] == cards[1][1]:
            grade = SPADES if cards[0][1] == "s" else ONE_SUIT
            wanted = f"{THIRD[cell.first, cell.second]}{cards[0][1]}"
            have = self.position.shoe.suits[SUITED.index(wanted[0]), SUITS.index(wanted[1])]
            third = Fraction(have - (*cards, up).count(wanted)) / (self.position.shoe.left - 3)
        return next(action for seen, action, _ in cell.suited if (seen.grade, seen.third) == (grade, third))

    def _by(self, box: Box, h: int, up: int) -> Decisions:
        if len(box.hands) == 1:
            return self.position.main.by
        value = VALUE[box.hands[h].cards[0]]
        plays = self.position.splits[value].plays
        split = plays.get(up, plays[-1])
        own = holds_own_stake(self.position.rules, value, h, len(box.hands))
        by = (split.own if own else split.others).get(len(box.hands))
        if by is None:
            raise NotTheGame(f"{len(box.hands)} hands are more than the strategy knows")
        return by

    def _place(self, by: Decisions, cards: tuple[Card, ...]) -> tuple[int, int]:
        aces = sum(card[0] == "A" for card in cards[:2])
        return aces_fixed(self.position.rules, aces), by.hands.of(*_values(cards))


class BySwitch:
    """Play of Blackjack Switch: the choice over four cards, then each box by the other's two cards."""

    def __init__(self, pairs: Pairs, areas: Areas, cells: Callable[[Position], Iterable[Cell]]) -> None:
        self.pairs = pairs
        self.areas = areas
        self.cells = cells
        self.boxes: dict[int, ByPosition] = {}

    def __call__(self, state: State, legal_now: tuple[cmd.Command, ...]) -> cmd.Command:
        if state.phase is Phase.OFFERS:
            even = _of(legal_now, cmd.TakeEvenMoney)
            return even if isinstance(even, cmd.TakeEvenMoney) and self._takes(state, even) else cmd.Proceed()
        if switch := _of(legal_now, cmd.Switch):
            if self._switches(state):
                return switch
            if state.pending is Pending.SWITCH:
                return cmd.Proceed()
        assert state.turn is not None
        return self._box(state, state.turn[0])(state, legal_now)

    def _takes(self, state: State, even: cmd.TakeEvenMoney) -> bool:
        b = state.box_index(even.box)
        wish = self._box(state, b).opening(state.boxes[b].hands[0].cards, state.dealer[0])
        return wish == "even-money" and not self._switches(state)

    def _box(self, state: State, b: int) -> ByPosition:
        """How a box is played, by the cards of the other one."""
        other = state.boxes[1 - b]
        cards = other.hands[0].cards[:2] if len(other.hands) == 1 else (other.hands[0].cards[0],) * 2
        place = int(NUMBER[tuple(VALUE[card] - 1 for card in cards)])
        if place not in self.boxes:
            position = self.pairs.positions[place]
            self.boxes[place] = ByPosition(position, self.cells(position))
        return self.boxes[place]

    def _switches(self, state: State) -> bool:
        one, other = state.boxes[0].hands[0], state.boxes[1].hands[0]
        cards = [VALUE[card] - 1 for card in (*one.cards, *other.cards, state.dealer[0])]
        at = tuple(int(list(self.areas.cards).index(card)) for card in cards)
        return bool(self.areas.may_switch[at] and self.areas.switched[at] > self.areas.left[at])


# ---------------------------------------------------------------------- both


def shoe_of(cards: str) -> tuple[Composition, Counter[Card]]:
    """The cards as the recursions and as the table take them."""
    counted = Counter(parse_cards(cards))
    return of_cards(counted, EXACT), counted


def by_odds_and_by_table(
    rules: Rules, cards: str, packed: Packed | None = None, chart: Chart | None = None, method: str = "CDZ-"
) -> tuple[Fraction, Fraction]:
    """What the recursions say of a shoe, and what the table pays a player who plays as they say."""
    shoe, counted = shoe_of(cards)
    packed = packed or pack(rules)
    if packed.switch:
        return _by_odds_and_by_table_switching(rules, packed, shoe, counted, chart)
    found = solution(packed, shoe, method) if chart is None else price_by_chart(packed, shoe, chart)
    return found.expectation, value_by_table(rules, counted, ByPosition(*found))


def squares_by_odds_and_by_table(rules: Rules, cards: str, chart: Chart | None = None) -> tuple[Fraction, Fraction]:
    """The second moment of a round's net by the recursions, and by the table."""
    shoe, counted = shoe_of(cards)
    packed = pack(rules)
    found = solution(packed, shoe) if chart is None else price_by_chart(packed, shoe, chart)
    by_odds = exact_second_moment(packed, shoe, found)
    return by_odds, value_by_table(rules, counted, ByPosition(*found), worth=lambda net: net * net)


def _by_odds_and_by_table_switching(
    rules: Rules, packed: Packed, shoe: Composition, counted: Counter[Card], chart: Chart | None
) -> tuple[Fraction, Fraction]:
    if chart is None:
        pairs, of_position = solve_pairs(packed, shoe, worth=at_best), cells
    else:
        judge, wanted = judge_of(packed, chart), functools.partial(splits_of, chart)
        pairs = solve_pairs(packed, shoe, judge=judge, worth=worth_by_chart(chart), wanted=wanted)
        of_position = functools.partial(cells_by_chart, chart=chart)
    found = areas(packed, shoe, pairs)
    value = (found.chance * found.value).sum() / 2
    return value, value_by_table(rules, counted, BySwitch(pairs, found, of_position))
