"""How many rounds a second the table plays on one core: every command through `decide`.

The caller goes on with the state of each decision, as a server does that stores its events.
Players follow a fixed plan: they take no insurance, split aces and eights, double eleven, and hit below 17.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from decimal import Decimal

from pitboss.cards import decks
from pitboss.rulebooks import rules_for
from pitboss.table import Phase, Refusal, State, decide, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.round.turns import can_double, can_split

WARM_UP_ROUNDS = 500
BATCHES = 7
SIDE_WAGERS = ("perfect-pairs", "crown-suits", "magnificent-sevens", "blackpot", "buster", "spread-bet")
STAKE = Decimal(25)


def do(state: State, command: cmd.Command) -> State:
    """Ask, and go on from the answer."""
    answer = decide(state, command)
    if isinstance(answer, Refusal):
        raise SystemExit(f"{command}: {answer}")
    return answer.state


def decision(state: State) -> cmd.Command:
    """What the players do, or that the dealer goes on."""
    if state.phase is Phase.OFFERS or state.pending or state.turn is None:
        return cmd.Proceed()
    box = state.boxes[state.turn[0]]
    hand = box.hands[state.turn[1]]
    if hand.cards[0][0] in "A8" and can_split(state, box, hand):
        return cmd.Split(box=box.number)
    if hand.points == 11 and can_double(state, hand):
        return cmd.Double(box=box.number)
    return cmd.Hit(box=box.number) if hand.points < 17 else cmd.Stand(box=box.number)


def play(state: State, wagers: tuple[cmd.PlaceBet, ...]) -> State:
    """One round, from the first wager until the table is clear."""
    for wager in wagers:
        state = do(state, wager)
    state = do(state, cmd.Deal())
    while state.phase is not Phase.SETTLED:
        state = do(state, decision(state))
    return do(state, cmd.NextRound())


def one_box() -> tuple[State, tuple[cmd.PlaceBet, ...]]:
    return open_table(rules_for("star/blackjack")), (cmd.PlaceBet(box="1", player="p1", amount=STAKE, seated=True),)


def seven_boxes() -> tuple[State, tuple[cmd.PlaceBet, ...]]:
    wagers = [
        cmd.PlaceBet(box=str(box), player=f"p{box}", amount=STAKE if wager == "main" else Decimal(5), wager=wager)
        for box in range(1, 8)
        for wager in ("main", *SIDE_WAGERS)
    ]
    return open_table(rules_for("melbourne/blackjack", side_wagers=SIDE_WAGERS)), tuple(wagers)


def rounds_per_second(table: Callable[[], tuple[State, tuple[cmd.PlaceBet, ...]]], rounds: int) -> list[float]:
    """The speed of each batch of `rounds` rounds, after a warm-up, by processor time; shuffling is not counted."""
    chance = random.Random(20180920)
    state, wagers = table()
    speeds = []
    for batch in range(BATCHES + 1):
        spent, left = 0.0, WARM_UP_ROUNDS if batch == 0 else rounds
        while left:
            cards = list(decks(8))
            chance.shuffle(cards)
            state = do(state, cmd.LoadShoe(cards=tuple(cards)))
            start = time.process_time()
            while left and state.shoe.left > 104:
                state = play(state, wagers)
                left -= 1
            spent += time.process_time() - start
        if batch:
            speeds.append(rounds / spent)
    return speeds


def report(title: str, speeds: list[float]) -> None:
    print(f"{title:55}{statistics.median(speeds):8,.0f} rounds/s  ({min(speeds):,.0f} to {max(speeds):,.0f})")


if __name__ == "__main__":
    report("one box, star/blackjack", rounds_per_second(one_box, 2_000))
    sides = f"{len(SIDE_WAGERS)} side wagers each"
    report(f"seven boxes, {sides}, melbourne/blackjack", rounds_per_second(seven_boxes, 150))
