"""How long exact answers take: each game with its strategy, all of them together, and advice on live hands.

Times are of a warm process; the first line is of a fresh one with an empty cache of compiled code, where the limit is a
minute. Memory is the most the process ever held.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter

from pitboss.cards import decks
from pitboss.money import Money
from pitboss.odds import analyse
from pitboss.odds.advice.advise import advise
from pitboss.rulebooks import games, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Phase, Refusal, State, decide, legal, open_table
from pitboss.table.messages import commands as cmd

LIMITS = {
    "star/switch": 10.0,
    "melbourne/pontoon": 10.0,
    "melbourne/spanish": 10.0,
    "melbourne/six-to-five-pontoon": 10.0,
}
BASE_GAMES = ("perth/blackjack", "rws/blackjack", "star/blackjack", "melbourne/blackjack")
BASE_LIMIT = 0.5
USUAL_LIMIT = 1.5
ALL_LIMIT = 20.0
ROUNDS = 40
"""Rounds of each game in which advice is asked for at every decision."""


def first_use() -> float:
    """Seconds of the first question ever, compiling included."""
    with tempfile.TemporaryDirectory() as cache:
        began = time.perf_counter()
        code = (
            f"from {analyse.__module__} import *; from pitboss.rulebooks import *; analyse(rules_for('star/blackjack'))"
        )
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "NUMBA_CACHE_DIR": cache})
        return time.perf_counter() - began


def every_game() -> float:
    """Seconds of all games one after the other, as `pitboss compare` asks for them."""
    total = 0.0
    for game in games():
        began = time.perf_counter()
        edge = analyse(rules_for(game))
        took = time.perf_counter() - began
        total += took
        limit = BASE_LIMIT if game in BASE_GAMES else LIMITS.get(game, USUAL_LIMIT)
        print(f"  {game:<30} {100 * edge.house_edge:8.4f} %  {took:6.2f} s of {limit:g}")
    return total


def settled(state: State, *commands: cmd.Command) -> State:
    """The state after commands that are legal."""
    for command in commands:
        answer = decide(state, command)
        if isinstance(answer, Refusal):
            raise SystemExit(f"{command}: {answer}")
        state = answer.state
    return state


def advice(rules: Rules, deal: random.Random) -> list[float]:
    """Seconds of each piece of advice in rounds at random, every pair split."""
    times = []
    for place in range(ROUNDS):
        cards = list(decks(rules.decks, rules.deck_cards))
        deal.shuffle(cards)
        if place % 2:
            cards = [card for card in cards if card[0] in "A8K32"]
        bet = cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True)
        state = settled(open_table(rules), bet, cmd.LoadShoe(cards=tuple(cards)), cmd.Deal())
        while state.phase is not Phase.SETTLED:
            began = time.perf_counter()
            advise(state, Counter(state.shoe.undealt))
            times.append(time.perf_counter() - began)
            options = [option for option in legal(state) if not isinstance(option, cmd.PlayAbsent | cmd.DrawPrize)]
            splits = [option for option in options if isinstance(option, cmd.Split)]
            state = settled(state, deal.choice(splits or options))
    return times[1:]


def main() -> None:
    print(f"first use ever, compiling: {first_use():.1f} s of 60")
    analyse(rules_for("melbourne/blackjack"))
    print("a game with its strategy, warm:")
    total = every_game()
    print(f"all {len(games())}: {total:.1f} s of {ALL_LIMIT:g}")
    print("advice on live hands, warm:")
    for game in games():
        times = sorted(advice(rules_for(game), random.Random(5)))
        usual, rare = times[len(times) // 2], times[int(0.99 * len(times))]
        print(f"  {game:<30} usually {1000 * usual:5.1f} ms, 99 of 100 below {1000 * rare:5.1f} ms, at most "
              f"{1000 * times[-1]:5.1f} ms, of 50")  # fmt: skip
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB of 1024")


if __name__ == "__main__":
    main()
