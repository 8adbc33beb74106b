"""Advice on a live hand: the same as the analysis where both can be asked, the same from a view as from the table, and
true to what comes next.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from pitboss.cards import VALUE, Card, decks, parse_cards
from pitboss.money import Money
from pitboss.odds.advice import advise as advice
from pitboss.odds.advice.advise import Advice, AdviceError, advise
from pitboss.odds.analysis import letters, solution
from pitboss.odds.cards.composition import fresh, of_cards
from pitboss.odds.cards.dealer_hands import ALL_UPS
from pitboss.odds.cards.numbers import FLOATS
from pitboss.odds.hand.hand_tables import MAIN
from pitboss.odds.hand.player_hands import hands_with
from pitboss.odds.hand.solver import find_distributions, play_seat, price_seat
from pitboss.odds.splits.split_boxes import Waiting, split_worth, waiting_worth
from pitboss.play.packed import pack
from pitboss.rulebooks import games, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Phase, Refusal, State, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.views import Observer, Viewer, view


def after(state: State, *commands: cmd.Command) -> State:
    for command in commands:
        answer = decide(state, command)
        assert not isinstance(answer, Refusal), str(answer)
        state = answer.state
    return state


def dealt(rules: Rules, cards: str, *bets: cmd.PlaceBet) -> State:
    """A round dealt from a full shoe that begins with these cards."""
    first = parse_cards(cards)
    rest = Counter(decks(rules.decks, rules.deck_cards))
    rest.subtract(first)
    shoe = cmd.LoadShoe(cards=(*first, *rest.elements()))
    wagers = bets or (cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True),)
    return after(open_table(rules), *wagers, shoe, cmd.Deal())


def left(state: State) -> Counter[Card]:
    return Counter(state.shoe.undealt) + Counter(state.dealer[1:] if state.hole else ())


def asked(state: State) -> Advice:
    return advise(state, left(state))


SOME = ["star/blackjack", "star/switch", "melbourne/free-bet"]


def quick_and_slow(quick: list[str], slow: list[str]) -> list[Any]:
    return [*quick, *(pytest.param(game, marks=pytest.mark.slow) for game in slow)]


RANKED = {1: "A", 10: "K"}
OPENINGS = [(2, 3), (8, 8), (1, 1), (1, 7), (5, 6)]


@pytest.mark.slow
@pytest.mark.parametrize("game", quick_and_slow(["star/blackjack"], ["rws/blackjack", "melbourne/plus"]))
def test_opening_hands_are_worth_what_the_analysis_says(game: str) -> None:
    rules = rules_for(game)
    packed = pack(rules)
    shoe = fresh(packed, FLOATS).keeping_distributions()
    cells = {(letters(cell), cell.up): cell for cell in solution(packed, shoe).cells}
    for one, other in OPENINGS:
        for up in (1, 6, 10):
            ranks = [RANKED.get(value, str(value)) for value in (one, up, other)]
            state = dealt(rules, f"{ranks[0]}s {ranks[1]}h {ranks[2]}d")
            while state.phase is Phase.OFFERS and "surrender" not in asked(state).actions:
                state = after(state, cmd.Proceed())
            found, cell = asked(state), cells["".join(sorted_letters(one, other)), up - 1]
            assert found.actions
            for name, worth in found.actions.items():
                if name in cell.acts:
                    assert abs(worth - cell.acts[name]) <= 1e-9 + (1e-4 if found.error_bound else 0)


def sorted_letters(one: int, other: int) -> list[str]:
    return ["A23456789T"[value - 1] for value in sorted((one, other))]


@pytest.mark.parametrize("game", quick_and_slow(SOME, [game for game in games() if game not in SOME]))
def test_a_view_is_advised_on_as_the_table_is(game: str) -> None:
    """Random play, splits preferred: what the table and the player's view say is the same, and is complete."""
    rules, deal = rules_for(game), random.Random(game)
    observer = Observer(Viewer.PLAYER, "ann")
    for _ in range(3):
        cards = [card for card in decks(rules.decks, rules.deck_cards) if card[0] in "A8K3"]
        deal.shuffle(cards)
        state = after(
            open_table(rules),
            cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True),
            cmd.LoadShoe(cards=tuple(cards)),
            cmd.Deal(),
        )
        while state.phase is not Phase.SETTLED:
            found = asked(state)
            assert found == advise(view(state, observer), left(state), rules=rules)
            options = [option for option in legal(state) if not isinstance(option, cmd.PlayAbsent | cmd.DrawPrize)]
            assert {name for name in map(verb, options) if name in PRICED} <= set(found.actions)
            splits = [option for option in options if isinstance(option, cmd.Split)]
            state = after(state, deal.choice(splits or options))


PRICED = {"hit", "stand", "double", "split", "surrender", "forfeit", "even-money", "insure", "switch"}


def verb(command: cmd.Command) -> str:
    return str(type(command).__struct_config__.tag)


@pytest.mark.slow
def test_a_hit_is_worth_the_mean_of_what_comes_after_it() -> None:
    rules = rules_for("melbourne/blackjack")
    state = dealt(rules, "2s Kh 3d")
    while state.phase is Phase.OFFERS:
        state = after(state, cmd.Proceed())
    cards = left(state)
    total = 0.0
    for card, many in Counter({f"{card[0]}s": many for card, many in by_rank(cards).items()}).items():
        rest = cards - Counter([card])
        drawn = after(
            _with_next(state, card, rest), cmd.Hit(box="1")
        )  # the card as a spade: no suit matters in this game
        total += many / cards.total() * max(asked(drawn).actions.values())
    assert asked(state).actions["hit"] == pytest.approx(total, abs=1e-12)


def by_rank(cards: Counter[Card]) -> Counter[Card]:
    found: Counter[Card] = Counter()
    for card, many in cards.items():
        found[card[0] + "s"] += many
    return found


def _with_next(state: State, card: Card, rest: Counter[Card]) -> State:
    from msgspec.structs import replace

    seen = state.shoe.cards[: state.shoe.position]
    return replace(state, shoe=replace(state.shoe, cards=(*seen, card, *rest.elements())))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "up"), [("star/blackjack", "A"), ("perth/blackjack", "6")])
def test_a_split_is_worth_about_the_mean_of_its_hands_as_they_come(game: str, up: str) -> None:
    """The hands of a split know nothing of each other; who is advised at each of them does a little better."""
    rules = rules_for(game)
    packed = pack(rules)
    state = dealt(rules, f"8s {up}h 8d")
    while state.phase is Phase.OFFERS:
        state = after(state, cmd.Proceed())
    cards = left(state)
    total = 0.0
    for card, many in by_rank(cards).items():
        rest = cards - Counter([card])
        drawn = after(_with_next(state, card, rest), cmd.Split(box="1"))
        assert drawn.turn is not None
        total += many / cards.total() * (max(asked(drawn).actions.values()) + others(packed, drawn))
    gain = total - asked(state).actions["split"]
    assert -1e-6 < gain < 0.002


def others(packed: Any, state: State) -> float:
    """What the second hand of a split is worth, its first being about to be played."""
    up, value = VALUE[state.dealer[0]] - 1, 8
    shoe = of_cards(left(state) + Counter(["8s", "8s", state.dealer[0]]), FLOATS)
    rows = find_distributions(packed, shoe, hands_with((value,)))
    main = play_seat(packed, shoe, hands_with((value,)), price_seat(packed, MAIN, shoe, (value,)), rows, ALL_UPS).by
    plays = split_worth(packed, shoe, value, rows, main, FLOATS.zeros(10) - 9).plays
    return float(
        waiting_worth(packed, shoe, value, up, plays.get(up, plays[-1]), Waiting(2, 1, False, False), 10**6)[0]
    )


def test_the_bound_holds_where_hands_are_not_counted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_for("melbourne/pontoon")
    state = dealt(rules, "8s Ah 8d")
    while state.phase is Phase.OFFERS:
        state = after(state, cmd.Proceed())
    quick = asked(state)
    monkeypatch.setattr(advice, "MOST_BESIDE", 10**9)
    counted = asked(state)
    assert 0 < quick.error_bound < 0.02
    assert counted.error_bound == 0
    assert 0 < abs(quick.actions["split"] - counted.actions["split"]) <= quick.error_bound


def test_a_double_for_less_lies_between_one_card_and_a_full_double() -> None:
    state = dealt(rules_for("rws/blackjack"), "6s Kh 5d")
    while state.phase is Phase.OFFERS:
        state = after(state, cmd.Proceed())
    found = asked(state)
    assert found.price_part_double(1) == pytest.approx(found.actions["double"])
    assert found.price_part_double(0) == found.riding["double"] < found.actions["hit"]


def test_who_does_not_join_a_double_has_the_worth_of_one_card() -> None:
    """Against a six nothing parts the stakes: a full double is worth twice its one card."""
    state = dealt(rules_for("star/blackjack"), "6s 6h 5d")
    found = asked(state)
    assert found.actions["double"] == pytest.approx(2 * found.riding["double"])


def test_who_does_not_join_a_split_has_the_worth_of_one_hand() -> None:
    found = asked(dealt(rules_for("star/blackjack"), "8s 6h 8d"))
    assert found.actions["split"] == pytest.approx(2 * found.riding["split"])


def test_there_is_nothing_to_advise_on_before_the_deal_and_with_other_rules() -> None:
    rules = rules_for("star/blackjack")
    with pytest.raises(AdviceError, match="no round"):
        advise(open_table(rules), Counter(decks(1, 52)))
    state = dealt(rules, "8s 6h 8d")
    seen = view(state, Observer(Viewer.PLAYER, "ann"))
    with pytest.raises(AdviceError, match="rules of its table"):
        advise(seen, left(state), rules=rules_for("perth/blackjack"))
    with pytest.raises(AdviceError, match="rules of its table"):
        advise(seen, left(state))
