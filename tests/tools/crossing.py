"""One table, played by two executors: each function here deals the same cards to the table engine and to one of the
others, and returns what differs, in a line that says how to deal the round again. Empty: they agree.

What an executor cannot play it refuses with a `PitbossError`, which passes through.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from enumeration import NotTheGame, OutOfCards, by_odds_and_by_table
from sim_tools import METER, Erratic
from variants import Variant

from pitboss.cards import Card
from pitboss.envs.fields import Action, name_fields
from pitboss.envs.table_env import TableBoxEnv
from pitboss.envs.vector import VectorBoxEnv
from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.odds.charts.chart import Chart, parse_chart
from pitboss.rulebooks import Rules
from pitboss.sim.plan import BetSchedule, Plan, Prepared, prepare
from pitboss.sim.result import play_block
from pitboss.sim.witness import simulate_round, witness

# ---------------------------------------------------------------------- odds

RESTLESS = parse_chart("""
hard 5   D D D D D D D D D D
hard 6   D D D D D D D D D D
hard 7   D D D D D D D D D D
hard 8   D D D D D D D D D D
hard 9   D D D D D D D D D D
hard 10  D D D D D D D D D D
hard 11  D D D D D D D D D D
hard 12  D D D D D D D D D D
hard 13  D D D D D D D D D D
hard 14  Ds Ds Ds Ds Rs Rs Ds Rs Rs Rs
hard 15  Ds Ds Ds Ds Rs Rs Ds Rs Rs Rs
hard 16  Ds S S Ds Rs Rs Ds Rs Rs Rs
hard 17  S S S S Ds Rs S S Rs Rs
hard 18  S S S S S S S S S Rs
hard 19  S S S S Ds S S S Rs S
soft 13  D D D D D D D D D D
soft 16  D D D D D D D D D D
soft 17  D D D D D D D D D D
soft 18  Ds Ds Ds Ds Ds Ds Ds Ds Ds Ds
soft 19  S S S S Ds S S S S S
pair 8   P P P P P P P P P P
pair A   P P P P P P P P P P
pair 6   P P P P P P P P P P
rescue 12  F F F F F F F F F F
rescue 13  F F F F F F F F F F
rescue 14  F F F F F F F F F F
rescue 15  F F F F F F F F F F
""")
"""A player who doubles, splits, surrenders and takes doubles back wherever that is open."""

PATIENT = parse_chart("""
hard 9   D D D D D D D D D D
hard 10  D D D D D D D D D D
hard 11  D D D D D D D D D D
hard 12  S S S S S S S S S S
hard 13  S S S S S S S S S S
hard 14  S S S S S S S S S S
hard 15  S S S S S S S S S S
hard 16  S S S S S S S S S S
""")
"""A player who draws to nine, ten and eleven, and doubles them then."""


class Player(NamedTuple):
    """Somebody who plays tiny shoes: by a chart or, without one, as well as can be."""

    name: str
    chart: Chart | None
    shoes: tuple[str, ...]
    """The first that has cards enough for a game is played, since smaller ones are faster."""
    many_hands: tuple[str, ...]
    """The same where a box may have four hands."""
    two_boxes: tuple[str, ...]
    """The same for areas of two boxes."""


ENOUGH = ("As As 8s 8s 8s 6s 6s 6s 5s 9s 9s Ts Ts Ts Ts Ts Ts",)
PLAYERS = (
    Player(
        "best play",
        None,
        ("As As 8s 8s 8s Ts Ts Ts Ts Ts", "As As 8s 8s 8s 8s Ts Ts Ts Ts 9s 9s 9s"),
        ("As As 8s 8s 8s 8s Ts Ts Ts Ts Ts", "As As 8s 8s 8s 8s Ts Ts Ts Ts 9s 9s 9s"),
        ("As 8s 8s 8s Ts Ts Ts Ts Ts Ts Ts Ts",),
    ),
    Player(
        "a restless player",
        RESTLESS,
        ("As As 8s 8s 8s Ts Ts Ts Ts Ts", "As As 8s 8s 6s 6s Ts Ts Ts Ts Ts"),
        ("As As 8s 8s 6s 6s Ts Ts Ts Ts Ts", "As As 8s 8s 6s 6s 5s 9s Ts Ts Ts Ts Ts Ts"),
        ("As As 8s 8s 8s Ts Ts Ts Ts Ts Ts Ts", "As 8s 8s 8s Ts Ts Ts Ts Ts Ts 9s 9s 9s"),
    ),
    Player(
        "a patient player",
        PATIENT,
        ("As 2s 2s 3s 6s Ts Ts Ts Ts Ts", "As 2s 2s 3s 3s 4s 9s Ts Ts Ts Ts Ts"),
        ("As 2s 2s 3s 6s Ts Ts Ts Ts Ts", "As 2s 2s 3s 3s 4s 9s Ts Ts Ts Ts Ts"),
        ("5s 4s As Ts Ts Ts Ts Ts Ts Ts Ts 8s",),
    ),
)


def table_against_odds(variant: Variant, thorough: bool) -> str:
    """The worth of tiny shoes in fractions: by the recursions, and by all orders of the cards at the table.

    All players play them if it is to be thorough, else one, whose turn depends on the variant.
    """
    turn = zlib.crc32(str(variant).encode()) % len(PLAYERS)
    players = PLAYERS if thorough else (PLAYERS[turn],)
    return next((wrong for player in players if (wrong := _wrong_fraction(variant.rules, player))), "")


def _wrong_fraction(rules: Rules, player: Player) -> str:
    if rules.switch and rules.split_max_hands > 2 and player.chart is None:
        return ""  # eight hands of best play need more cards than can be dealt in all orders
    shoes = player.two_boxes if rules.switch else player.many_hands if rules.split_max_hands > 3 else player.shoes
    for cards in (*shoes, *ENOUGH):
        held = cards if rules.deck_cards == 52 else cards.replace("T", "K")
        try:
            odds, table = by_odds_and_by_table(rules, held, chart=player.chart)
        except OutOfCards:
            continue
        except NotTheGame as problem:
            return f"{player.name}, {held}: {problem}"
        return "" if odds == table else f"{player.name}, {held}: odds {odds}, table {table}"
    return f"{player.name}: no shoe has cards enough"


# ---------------------------------------------------------------------- simulator

ROUNDS = 1 << 11
LOOKED_AT = 400
"""Simulated rounds, of which those are kept that ended differently from the ones before; without side wagers."""
DEALT_AGAIN = 25
"""Rounds that differ in the money of main wagers; those in which side wagers differ are added."""


def table_against_simulator(variant: Variant, thorough: bool) -> str:
    """Simulated rounds of one box dealt again: the same money to the cent, and tables in step come to the same sums."""
    prepared = _prepared(variant, 1, None)
    wrong = next(_wrong_money(prepared, variant), "")
    if (
        not wrong
        and prepared.automaton is not None
        and play_block(prepared, 0) != play_block(prepared._replace(automaton=None), 0)
    ):
        return "tables in step come to other sums than one after the other"
    return wrong


def side_wagers_against_simulator(variant: Variant, thorough: bool) -> str:
    """Simulated rounds of two boxes with side wagers and insurance dealt again: every wager the same to the cent."""
    return next(_wrong_money(_prepared(variant, 2, _insured(variant.rules)), variant), "")


def _prepared(variant: Variant, boxes: int, schedule: BetSchedule | None) -> Prepared:
    rules = variant.rules
    plan = Plan(
        rounds=ROUNDS,
        block_rounds=ROUNDS,
        seed=7,
        boxes=boxes,
        schedule=schedule,
        meters={name: METER for side in rules.side_wagers for name in side.meters},
        wager=Money(100),
    )
    return prepare(rules, Erratic(7), plan)


def _insured(rules: Rules) -> BetSchedule | None:
    """One unit, and insurance wherever it is offered."""
    on_ace, on_ten = (0 if offered else None for offered in (rules.insurance_on_ace, rules.insurance_on_ten))
    return BetSchedule(tags={}, units=((0, 1),), insure_from=on_ace, insure_ten_from=on_ten)


def _wrong_money(prepared: Prepared, variant: Variant) -> Iterator[str]:
    for number in _unlike(prepared):
        try:
            seen = witness(prepared, 0, number, variant.books)
        except PitbossError as problem:
            cards = " ".join(simulate_round(prepared, 0, number).cards)
            yield f"{prepared.plan.boxes} boxes, {cards}: {problem}"
            continue
        if not seen.agrees:
            sides = {wager for wager, net in seen.kernel_sides.items() if seen.table_sides.get(wager) != net}
            kernel, table = (
                {wager: nets.get(wager) for wager in sides} for nets in (seen.kernel_sides, seen.table_sides)
            )
            yield (
                f"{prepared.plan.boxes} boxes, {' '.join(seen.cards)}: simulator {seen.kernel_net} {kernel or ''}, "
                f"table {seen.table_net} {table or ''}"
            )


def _unlike(prepared: Prepared) -> list[int]:
    """Rounds each of which has something that none before had: money, number of cards, an outcome of a side wager."""
    known: set[object] = set()
    found: list[int] = []
    for number in range(ROUNDS if prepared.rules.side_wagers else LOOKED_AT):
        seen = simulate_round(prepared, 0, number)
        new = {("net", seen.net, len(seen.cards))} if len(found) < DEALT_AGAIN else set()
        for outcomes, carried in zip(seen.sides, seen.carried, strict=True):
            new |= {*enumerate(zip(outcomes, carried, strict=True))}
        if new - known:
            known |= new
            found.append(number)
    return found


# ---------------------------------------------------------------------- environments

LIKED = ("AK", "7", "8", "678", "A2", "9TJ", "A7", "AT6", "234")


def table_against_environment(variant: Variant, thorough: bool) -> str:
    """The same cards and actions at tables in step and at the table: every observation, mask and reward."""
    rounds = 40 if thorough else 16
    meters = {name: METER for side in variant.rules.side_wagers for name in side.meters}
    choices = {**variant.choices, "own_books": variant.books, "meters": meters}
    many = VectorBoxEnv(variant.game, rounds, threads=1, **choices)
    return next(_wrong_steps(many, [TableBoxEnv(variant.game, **choices) for _ in range(rounds)]), "")


def _wrong_steps(many: VectorBoxEnv, ones: list[TableBoxEnv]) -> Iterator[str]:
    dealt = _shoes(many.chosen.fresh, len(ones))
    seen, info = many.reset(seed=5, options={"cards": dealt})
    for number, one in enumerate(ones):
        own, own_info = one.reset(seed=5, options={"cards": dealt[number]})
        yield from _unequal(own, seen[number], own_info, info["action_mask"][number], dealt[number], "the deal")
    chance = np.random.default_rng(5)
    done: list[list[str]] = [[] for _ in ones]
    # Prizes that are drawn differ for each: the tests of environments look at them.
    drawn = [side.id for side in many.chosen.rules.side_wagers if side.prizes]
    playing = set(range(len(ones)))
    while playing:
        weights = info["action_mask"] * chance.random(info["action_mask"].shape)
        weights[:, Action.SPLIT] *= 3
        actions = weights.argmax(axis=1)
        seen, rewards, ended, _, info = many.step(actions)
        for number in sorted(playing):
            done[number].append(Action(actions[number]).name)
            words = ", ".join(done[number])
            own, reward, over, _, own_info = ones[number].step(actions[number])
            for wager in drawn:
                if over:
                    reward -= own_info["side_wagers"][wager]["net"]
                    rewards[number] -= info["side_wagers"][wager]["net"][number]
            if over != ended[number] or abs(reward - rewards[number]) > 1e-9:
                yield (
                    f"{' '.join(dealt[number][:14])}, {words}: environment {rewards[number]} "
                    f"{'over' if ended[number] else ''}, table {reward} {'over' if over else ''}"
                )
            shown, mask = (info["final_obs"][number], None) if over else (seen[number], info["action_mask"][number])
            yield from _unequal(own, shown, own_info, mask, dealt[number], words)
            if over:
                playing.remove(number)


def _unequal(own: Any, shown: Any, own_info: Any, mask: Any, cards: Sequence[Card], after: str) -> Iterator[str]:
    if (own != shown).any():
        table, environment = name_fields(own), name_fields(shown)
        wrong = {name: (environment[name], table[name]) for name in table if environment[name] != table[name]}
        yield f"{' '.join(cards[:14])}, {after}: environment and table see {wrong}"
    if mask is not None and (own_info["action_mask"] != mask).any():
        table, environment = (
            [Action(n).name for n in np.flatnonzero(open_)] for open_ in (own_info["action_mask"], mask)
        )
        yield f"{' '.join(cards[:14])}, {after}: the environment offers {environment}, the table {table}"


def _shoes(fresh: Sequence[Card], count: int) -> list[list[Card]]:
    """Shoes in random order; three of four begin with cards that make pairs, naturals, bonuses and soft hands."""
    chance = np.random.default_rng(5)
    found = []
    for number in range(count):
        cards = [fresh[place] for place in chance.permutation(len(fresh))]
        if number % 4:
            ranks = LIKED[chance.integers(len(LIKED))]
            rich = [place for place, card in enumerate(cards) if card[0] in ranks][:10]
            rest = [card for place, card in enumerate(cards) if place not in set(rich)]
            front = [*(cards[place] for place in rich), *rest[:4]]
            cards = [*(front[place] for place in chance.permutation(len(front))), *rest[4:]]
        found.append(cards)
    return found
