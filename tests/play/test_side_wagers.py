"""Side wagers: one registry, and what it says is what table, odds and simulator do."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from sample_book import BOOK
from side_rounds import METER, Case, Rounds, after, cases, of_cards, opened, rounds_by_table
from sim_tools import Erratic
from speeds import few

from pitboss.cards import CODE, VALUE, Card
from pitboss.money import Money, Odds
from pitboss.odds.sides import SideEdge, side_odds
from pitboss.odds.sides.counting import Pack
from pitboss.odds.sides.free_tokens import for_tokens, legal_tokens
from pitboss.play._jit import register_all
from pitboss.play.side_wagers.judges import (
    BY_DEALER_HAND,
    BY_FOUR_CARDS,
    BY_THIRD_CARD,
    BY_TOKENS,
    BY_UP_CARD,
    CARRIES,
    DRAWS_PRIZE,
    JUDGES,
    NO_CARD_CODE,
    NOT_DEALT,
    OUTCOME,
    UNDECIDED,
    Judge,
    JudgeTerms,
    SeenCards,
    alike,
    outcome_name,
)
from pitboss.play.side_wagers.side_payments import judge_terms, sum_earlier_wins
from pitboss.play.side_wagers.side_tables import build_side_tables, look_up, look_up_four, pair_of, rounds_carried_then
from pitboss.rulebooks import RulebookError, parse_user_book, rules_for
from pitboss.sim.plan import Plan, Prepared, SimError, prepare
from pitboss.sim.witness import simulate_round, witness
from pitboss.table import Phase, Refusal, State, decide
from pitboss.table.messages import commands as cmd

F = Fraction
CASES = list(cases())
TERMS = [JudgeTerms(*bits) for bits in itertools.product((0, 1), repeat=3)]
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "rulebook-format.md"


# ---------------------------------------------------------------------- the registry


def everything_seen(judge: Judge, cards: list[int]) -> list[SeenCards]:
    """All that a judge can be shown, of these cards."""
    if judge.looks_at == BY_DEALER_HAND:
        return [SeenCards(dealer_total=points, dealer_cards=many) for points in range(17, 27) for many in range(3, 12)]
    if judge.looks_at == BY_TOKENS:
        return [SeenCards(tokens=tokens) for tokens in range(9)]
    if judge.looks_at == BY_FOUR_CARDS:
        return [SeenCards(*four) for four in itertools.product(cards, repeat=4)]
    pairs = list(itertools.product(cards, repeat=2))
    if judge.looks_at == BY_UP_CARD:
        return [SeenCards(one, two, up=up) for one, two in pairs for up in cards]
    if judge.looks_at == BY_THIRD_CARD:
        thirds = (*cards, NO_CARD_CODE, NOT_DEALT)
        return [SeenCards(one, two, third=third, carried=c) for one, two in pairs for third in thirds for c in (0, 1)]
    return [SeenCards(one, two) for one, two in pairs]


def sample_cards(key: str) -> list[int]:
    """A card of every class that a key tells apart, thinned out where there are many."""
    found = sorted(set(alike(key).values()))
    return (
        found if len(found) <= 13 else [CODE[card] for card in ("As", "Ah", "Ad", "7s", "7h", "7c", "Ks", "Kd", "2c")]
    )


@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_answers_every_outcome_of_its_list_and_no_other(name: str) -> None:
    judge = JUDGES[name]
    seen = everything_seen(judge, sample_cards(judge.key))
    answers = {judge.judge(one, terms) for one in seen for terms in TERMS}
    assert all(0 <= answer & OUTCOME <= len(judge.outcomes) for answer in answers)
    found = {outcome_name(judge, answer) for answer in answers}
    assert found == {"", *judge.outcomes} - set(judge.picks)
    assert any(answer & DRAWS_PRIZE for answer in answers) == (not judge.outcomes)


@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_does_not_tell_apart_what_its_key_does_not(name: str) -> None:
    judge, same = JUDGES[name], alike(JUDGES[name].key)
    chance = random.Random(name)
    for _ in range(3000):
        codes = [chance.choice(list(same)) for _ in range(6)]
        third = chance.choice((codes[5], NO_CARD_CODE, NOT_DEALT))
        seen = SeenCards(*codes[:5], third=third, carried=chance.randrange(2))
        other = SeenCards(*(same[code] for code in codes[:5]), third=same.get(third, third), carried=seen.carried)
        terms = chance.choice(TERMS)
        assert judge.judge(seen, terms) == judge.judge(other, terms), (seen, terms)


@pytest.mark.slow
@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_compiled_says_what_it_says_in_python(name: str) -> None:
    from numba import njit

    register_all()
    judge = JUDGES[name]
    compiled: Callable[[SeenCards, JudgeTerms], int] = njit(judge.judge)
    chance = random.Random(name)
    known = everything_seen(judge, sample_cards(judge.key))
    for seen in chance.sample(known, min(400, len(known))):
        terms = chance.choice(TERMS)
        assert compiled(seen, terms) == judge.judge(seen, terms)


def test_the_form_of_a_rulebook_lists_every_judge() -> None:
    def words(*said: str) -> str:
        return " ".join(f"`{word}`" for word in said)

    listed = [
        f"| {words(name)} | {words(*judge.outcomes) or 'none: `prizes`'} "
        f"| {words(judge.window)} | {words(judge.key)} | {words(*judge.settled)} |"
        for name, judge in JUDGES.items()
    ]
    lines = DOCUMENT.read_text("utf-8").splitlines()
    start = lines.index("| judge | outcomes | `window` | `key` | `settled` |") + 2
    assert lines[start : lines.index("", start)] == listed


def test_every_judge_has_a_wager_in_some_book() -> None:
    assert {rules.judge for case in CASES if (rules := case.rules.side_wager(case.wager)) is not None} == set(JUDGES)


# ---------------------------------------------------------------------- what the book says of a wager


def settled_in_order(choices: dict[str, Any], cards: str, *, before: bool | None = None) -> list[str]:
    """The wagers of a pontoon that is paid at once, in the order in which they are settled on the initial deal."""
    rules = rules_for("melbourne/pontoon", **choices)
    if before is not None:
        sides = [replace(side, before_naturals=before) for side in rules.side_wagers]
        rules = replace(rules, side_wagers=tuple(sides))
    state = opened(rules)
    for wager in ("main", *(side.id for side in rules.side_wagers)):
        state = after(state, cmd.PlaceBet(box="1", player="ann", amount=STAKE, wager=wager))
    state = after(after(state, cmd.LoadShoe(cards=of_cards(cards))), cmd.Deal())
    return [settled.wager for settled in state.settlements]


def test_side_wagers_are_settled_before_naturals_or_after_as_the_book_says() -> None:
    choices = {"side_wagers": ["perfect-pairs", "spread-bet"]}
    assert settled_in_order(choices, "As 5h Kd 9c 9d") == ["perfect-pairs", "spread-bet", "main"]
    assert settled_in_order(choices, "As 5h Kd 9c 9d", before=False) == ["main", "perfect-pairs", "spread-bet"]


def test_a_wager_on_two_boxes_needs_an_area_of_two() -> None:
    text = BOOK.replace('judge = "pair"', 'judge = "super-match"').replace(
        '{ pair = "11:1" }', '{ four-of-a-kind = "40:1", two-pair = "8:1", three-of-a-kind = "5:1", pair = "1:1" }'
    )
    book = parse_user_book(text, "sample.toml")
    with pytest.raises(RulebookError, match=r"games\.blackjack: Pairs looks at the cards of two boxes"):
        rules_for("sample/blackjack", own_books=[book], side_wagers=["pairs"])


def test_the_simulator_refuses_a_wager_on_two_cards_where_they_are_switched() -> None:
    rules = rules_for("star/switch", side_wagers=["super-match"])
    pair = replace(rules.side_wagers[0], name="Pair", judge="pair", odds={"pair": Odds(11, 1)})
    rules = replace(rules, side_wagers=(pair,))
    with pytest.raises(SimError, match="has no Pair where second cards are switched"):
        prepare(rules, Erratic(1), Plan(rounds=1))


def test_the_jackpot_system_picks_no_prize_that_the_cards_give() -> None:
    rules = rules_for("melbourne/blackjack", side_wagers=["blackjack-jackpots"])
    state = opened(rules)
    for wager in ("main", "blackjack-jackpots"):
        state = after(state, cmd.PlaceBet(box="1", player="ann", amount=STAKE, wager=wager, seated=True))
    state = after(after(state, cmd.LoadShoe(cards=of_cards("2s 5h Kd 9c 9d"))), cmd.Deal())
    answer = decide(state, cmd.SystemPick(pick="suited-natural", box="1"))
    assert isinstance(answer, Refusal)
    assert "no side wager at this table has a suited-natural prize" in answer.reason


# ---------------------------------------------------------------------- table = odds

PACKS = {
    "perfect-pairs": "As*2 Ah Ac Kd 9s",
    "pair": "As*2 Ah Kc Kd 9s",
    "under-13": "As 2s 6h 7d 9c Ks",
    "over-13": "As 4s 6h 7d 9c Ks",
    "super-match": "2s*4 5h*2 9c Kd",
    "crown-suits": "2s 5s Ks 9h Ah 3d",
    "pandemonium": "As Ah Kc Jd 5d",
    "magnificent-sevens": "7s*3 7h 7d 5s 5c Ks",
    "blackjack-jackpots": "As*3 Ah*3 Kd Ks 5c",
    "blackpot": "6s*2 7h*2 8d*2 Kc*6",
    "supernova": "As Js Ah Kh Qs 5c",
    "buster": "2s*6 9h*2 Kd*4",
    "spread-bet": "As 2h 3d 4s 5c 9h",
    "pot-of-gold": "5s*7 6h*6",
}
"""Cards that bring most outcomes of a judge about."""

STAKE = Money(25)


def goes_on(state: State, legal_now: tuple[cmd.Command, ...], wish: type[cmd.Command]) -> cmd.Command:
    if state.phase is Phase.OFFERS:
        return cmd.Proceed()
    return next((item for item in legal_now if isinstance(item, wish)), cmd.Stand(box="1"))


def plays(
    best_play: Callable[[Card, Card, Card], str] | None,
) -> Callable[[State, tuple[cmd.Command, ...]], cmd.Command]:
    """Takes a third card, or as `best_play` says, and stands on it."""

    def policy(state: State, legal_now: tuple[cmd.Command, ...]) -> cmd.Command:
        cards = state.boxes[0].hands[0].cards
        hits = len(cards) == 2 and (best_play is None or best_play(*cards, state.dealer[0]) == "hit")
        return goes_on(state, legal_now, cmd.Hit if hits else cmd.Stand)

    return policy


def plays_for_tokens(state: State, legal_now: tuple[cmd.Command, ...]) -> cmd.Command:
    """Does what the odds count for one who plays for tokens."""
    if state.phase is Phase.OFFERS:
        return cmd.Proceed()
    assert state.turn is not None
    hands = state.boxes[0].hands
    cards = hands[state.turn[1]].cards
    if len(cards) != 2:
        return cmd.Stand(box="1")
    action = for_tokens(*cards, "", len(hands), legal_tokens(state.packed, *cards, len(hands)))
    wish = {"split": cmd.Split, "double": cmd.Double, "stand": cmd.Stand}[action]
    return goes_on(state, legal_now, wish)


def by_odds(edge: SideEdge) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for outcome in edge.outcomes:
        found[outcome.net] = found.get(outcome.net, F(0)) + outcome.probability
    return found


def odds_of(case: Case, pack: tuple[Card, ...], **asked: Any) -> SideEdge:
    rules = case.rules
    side = rules.side_wager(case.wager)
    assert side is not None
    meter = dict.fromkeys(side.meters, METER) or None
    return side_odds(rules, case.wager, pack=Pack(1, pack), stake=STAKE, meter=meter, **asked)


@pytest.mark.parametrize("case", few([case for case in CASES if case.wager != "blackpot"], 30), ids=str)
def test_odds_of_a_small_pack_are_what_the_table_does_with_it(case: Case) -> None:
    rules = case.rules
    side = rules.side_wager(case.wager)
    assert side is not None
    pack = of_cards(PACKS[side.judge])
    ways: list[tuple[Any, Any]] = [(None, plays(None))]
    if side.judge == "pot-of-gold":
        ways = [(None, plays_for_tokens)]
    elif side.judge == "buster":
        ways = [(None, plays(lambda one, two, up: "stand"))]
    elif JUDGES[side.judge].looks_at == BY_THIRD_CARD:

        def by_up_card(one: Card, two: Card, up: Card) -> str:
            return "hit" if VALUE[up] < 7 else "stand"

        ways.append((by_up_card, plays(by_up_card)))
    for best_play, policy in ways:
        found = rounds_by_table(opened(rules), case.wager, pack, policy, STAKE)
        assert not any(carried for _, carried in found)
        edge = odds_of(case, pack, best_play=best_play)
        assert {net: chance for (net, _), chance in found.items()} == by_odds(edge)


# ---------------------------------------------------------------------- a wager that is carried over

CAPS: list[dict[str, Any]] = [
    {},
    {"blackpot_max": 500},
    {"blackpot_max": 500, "readings": {"blackpot_cap": "each-wager"}},
    {"blackpot_max": 60_000, "readings": {"blackpot_cap": "each-wager"}},
    {"readings": {"blackpot_after_second_win": "carries-again"}},
    {"blackpot_max": 60_000, "readings": {"blackpot_after_second_win": "carries-again"}},
    {"blackpot_max": 60_000, "readings": {"blackpot_after_second_win": "carries-again", "blackpot_cap": "each-wager"}},
]
POT = [Case("melbourne/blackjack", "blackpot", choices) for choices in CAPS]


def carried_over(rules: Any, rounds: int) -> State:
    """A table at which a Blackpot wager has been carried for that many rounds."""
    state = opened(rules)
    for _ in range(rounds):
        state = after(state, cmd.PlaceBet(box="1", player="ann", amount=STAKE, seated=True))
        state = after(state, cmd.PlaceBet(box="1", player="ann", amount=STAKE, wager="blackpot"))
        state = after(state, cmd.LoadShoe(cards=of_cards("6h Tc 7s 8d 9h")))
        state = after(after(state, cmd.Deal()), cmd.Hit(box="1"))
        state = after(state, cmd.NextRound())
    assert len(state.carried) == min(rounds, 1)
    return state


def mean(rounds: Rounds) -> Fraction:
    return sum((net * chance for (net, _), chance in rounds.items()), F(0))


def carried_share(rounds: Rounds) -> Fraction:
    return sum((chance for (_, carried), chance in rounds.items() if carried), F(0))


@pytest.mark.slow
@pytest.mark.parametrize("case", POT, ids=str)
def test_a_carried_wager_is_worth_what_its_rounds_at_the_table_bring(case: Case) -> None:
    rules, pack = case.rules, of_cards(PACKS["blackpot"])
    edge = odds_of(case, pack)
    first, second, third = (
        rounds_by_table(carried_over(rules, rounds), "blackpot", pack, plays(None), STAKE)
        if rounds < 2 or rules.side_wagers[0].second_win == "carries-again"
        else {}
        for rounds in range(3)
    )
    total: dict[Fraction, Fraction] = {}
    for (net, carried), chance in first.items():
        for (then, _), share in second.items() if carried else [((F(0), False), F(1))]:
            total[net + then] = total.get(net + then, F(0)) + chance * share
    assert total == by_odds(edge)
    value = mean(first) + carried_share(first) * mean(second)
    if third:
        # From here on all rounds are alike: the maximum is used up, or there is none.
        value += carried_share(first) * carried_share(second) * mean(third) / (1 - carried_share(third))
    assert edge.expectation == value


def from_rich_shoe(case: Case, text: str, **plan: Any) -> Prepared:
    """A simulation of a case from a shoe of few cards, so that what is rare is met."""
    rules = case.rules
    meters = {name: Money(METER) / STAKE for side in rules.side_wagers for name in side.meters}
    made = prepare(
        rules,
        Erratic(5),
        Plan(**{"rounds": 1 << 12, "block_rounds": 1 << 12, "seed": 11, "wager": STAKE, "meters": meters, **plan}),
    )
    cards = of_cards(text) * 12
    fresh = np.array([CODE[card] for card in cards], np.uint8)
    shape = made.given.shape._replace(cut=len(cards) // 2)
    return made._replace(given=made.given._replace(fresh=fresh, shape=shape))


RICH = {
    **PACKS,
    "blackpot": "6s*3 7h*3 8d*3 Kc 2d",
    "buster": "2s*3 6h*3 9h Kd*2",
    "magnificent-sevens": "7s*4 7h*3 2s 3d",
}


@pytest.mark.parametrize("case", few([*CASES, *POT[1:]], 40), ids=str)
def test_rounds_of_the_simulator_are_rounds_of_the_table(case: Case) -> None:
    side = case.rules.side_wager(case.wager)
    assert side is not None
    prepared = from_rich_shoe(case, RICH[side.judge])
    met = set()
    for number in range(0, 200, 8):
        seen = witness(prepared, 0, number)
        assert seen.agrees, f"round {number}: {' '.join(seen.cards)}"
        met.update(seen.kernel_sides.values())
    assert len(met) > 1


@pytest.mark.slow
@pytest.mark.parametrize("case", POT, ids=str)
def test_carried_rounds_of_the_simulator_are_rounds_of_the_table(case: Case) -> None:
    prepared = from_rich_shoe(case, "6s*3 7h*3 8d*3 2d")
    carried = [number for number in range(1 << 10) if any(map(any, simulate_round(prepared, 0, number).carried))][:25]
    assert len(carried) > 10
    for number in carried:
        seen = witness(prepared, 0, number)
        assert seen.agrees, f"round {number}: {' '.join(seen.cards)}"


def test_a_posted_maximum_over_all_rounds_is_held_by_table_odds_and_simulator_alike() -> None:
    """The stake is 25 and the maximum 500: two cards use half of it up, three cards all, and nothing is left after."""
    free, held = (Case("melbourne/blackjack", "blackpot", choices) for choices in CAPS[1:3])
    edges = [side_odds(case.rules, "blackpot", stake=STAKE).house_edge for case in (free, held)]
    assert [round(float(edge), 4) for edge in edges] == [0.5870, 0.6166]
    each, whole = (simulated_nets(case) for case in (free, held))
    assert (each["three-cards"], whole["three-cards"]) == (10 + 20, 20)
    assert (each["carried-two-cards"], whole["carried-two-cards"]) == (20 - 1, -1)
    assert (each["carried-three-cards"], whole["carried-three-cards"]) == (20 + 20, 0)
    rounds = rounds_by_table(carried_over(held.rules, 1), "blackpot", of_cards("6s 7h 8d 9c Kc"), plays(None), STAKE)
    assert {net for net, _ in rounds} == {net for name, net in whole.items() if name.startswith("carried-")}


def simulated_nets(case: Case) -> dict[str, Fraction]:
    """What the simulator pays each outcome, per unit."""
    (names,) = prepare(case.rules, Erratic(1), Plan(rounds=1, wager=STAKE)).side_names
    return {name: F(pay, names.parts) for name, pay in zip(names.names, names.pays, strict=True)}


def test_what_was_won_before_stops_to_matter_once_the_maximum_is_paid() -> None:
    def before(**choices: Any) -> tuple[Fraction, ...]:
        (side,) = Case("melbourne/blackjack", "blackpot", choices).rules.side_wagers
        return sum_earlier_wins(side, F(25))

    again = {"blackpot_after_second_win": "carries-again"}
    assert before() == (0, 2750)
    assert before(readings=again) == (0, 2750)
    assert before(blackpot_max=60_000, readings={**again, "blackpot_cap": "each-wager"}) == (0, 2750, 60_000)


# ---------------------------------------------------------------------- tables for kernels


@pytest.mark.parametrize("case", few(CASES, 20), ids=str)
def test_a_table_gives_what_the_judge_says_and_the_round_pays(case: Case) -> None:
    rules = case.rules
    (side,) = rules.side_wagers
    judge, terms = JUDGES[side.judge], judge_terms(side)
    tables, (names,) = build_side_tables(rules, 4, dict.fromkeys(side.meters, Money(METER)), {side.id: STAKE})
    chance = random.Random(str(case))
    for seen in chance.sample(found := everything_seen(judge, sample_cards(judge.key)), min(300, len(found))):
        further = {BY_UP_CARD: seen.up, BY_THIRD_CARD: seen.third, BY_TOKENS: seen.tokens}.get(judge.looks_at, 0)
        if judge.looks_at == BY_DEALER_HAND:
            further = seen.dealer_cards if seen.dealer_total > 21 else 0
        carried = seen.carried if tables.answers.shape[1] > 1 else 0
        seen = seen._replace(carried=carried)
        answer = judge.judge(seen, terms)
        if judge.looks_at == BY_FOUR_CARDS:
            number = look_up_four(tables, 0, seen.first, seen.second, seen.other_first, seen.other_second)
        else:
            first, second = (code if code != NO_CARD_CODE else 0 for code in seen[:2])
            number = look_up(tables, 0, carried, pair_of(first, second), further)
        assert number & ~OUTCOME == answer & ~OUTCOME & (UNDECIDED | DRAWS_PRIZE | CARRIES)
        if not answer & DRAWS_PRIZE:
            name = outcome_name(judge, answer) or "loses"
            assert names.names[number & OUTCOME] == (f"carried-{name}" if carried and name == "loses" else name)
            assert tables.nets[0, number & OUTCOME] == names.pays[number & OUTCOME]
        assert rounds_carried_then(tables, carried, number) == (
            min(carried + 1, tables.answers.shape[1] - 1) if answer & CARRIES else 0
        )
    assert tables.parts[0] == names.parts
    assert names.parts % 4 == 0


def test_payments_that_do_not_divide_a_wager_evenly_are_counted_in_finer_parts() -> None:
    """A maximum of 333 on 25, and a meter of 1,250.25 that is paid as 1,251."""
    (pot,) = prepare(
        Case("melbourne/blackjack", "blackpot", {"blackpot_max": 333}).rules, Erratic(1), Plan(rounds=1, wager=STAKE)
    ).side_names
    assert F(pot.pays[pot.names.index("three-cards")], pot.parts) == 10 + F(333, 25)
    (jackpots,) = prepare(
        rules_for("melbourne/blackjack", side_wagers=["blackjack-jackpots"]),
        Erratic(1),
        Plan(rounds=1, wager=STAKE, meters={"blackjack-jackpots": Money("50.01")}),
    ).side_names
    assert F(jackpots.pays[jackpots.names.index("suited-aces")], jackpots.parts) == F(1251, 10 * 25)
