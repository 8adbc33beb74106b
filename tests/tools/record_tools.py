"""What tests of records share: the records of the project, and tables played at random.

`play_at_random` plays whole rounds of any game with random wagers, sharers and legal choices, so that what must hold
for every round can be tried on rounds that nobody thought of.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path

from pitboss.cards import decks
from pitboss.floor.records.floor_record import FloorRecord
from pitboss.floor.records.read import read_floor_record
from pitboss.rulebooks import Rules, games, load_book, rules_for
from pitboss.rulebooks.reading.values import RulebookError
from pitboss.table import Refusal, State, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.state import Meter, Phase

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "tests" / "records").rglob("*.round.toml"))
FLOOR_RECORDS = sorted((ROOT / "tests" / "records" / "floor").rglob("*.floor.toml"))
GAMES = tuple(games())
NAMES = ("ann", "bob", "cat", "dan", "eve")
MOST_STEPS = 400


def record_id(path: Path) -> str:
    return path.relative_to(ROOT / "tests" / "records").as_posix().removesuffix(".toml").rpartition(".")[0]


def load_floor_record(path: Path) -> FloorRecord:
    """A floor record, with the rounds in files beside it."""
    return read_floor_record(
        path.read_text("utf-8"), path.name, (), lambda name: (path.parent / name).read_text("utf-8")
    )


def random_rules(game: str, chance: random.Random) -> Rules:
    """The rules of a game with some of the side wagers it may offer."""
    book_id, _ = games()[game]
    offered: list[str] = []
    for wager in load_book(book_id).side_wagers:
        if chance.random() < 0.4:
            try:
                rules_for(game, side_wagers=[*offered, wager])
            except RulebookError:
                continue
            offered.append(wager)
    return rules_for(game, side_wagers=offered)


def open_shuffled(game: str, chance: random.Random) -> State:
    """A table of a game with some side wagers, meters and a shuffled shoe, and no wager yet."""
    rules = random_rules(game, chance)
    pack = list(decks(rules.decks, rules.deck_cards))
    chance.shuffle(pack)
    return give_all(_open_with_meters(rules), [cmd.LoadShoe(cards=tuple(pack))])


def _open_with_meters(rules: Rules) -> State:
    meter = Meter(Decimal(100), Decimal("0.05"), Decimal(500))
    return open_table(rules, meters={name: meter for side in rules.side_wagers for name in side.meters})


def give_all(state: State, commands: Iterable[cmd.Command]) -> State:
    """The table after commands of which some may be refused."""
    for command in commands:
        answer = decide(state, command)
        state = state if isinstance(answer, Refusal) else answer.state
    return state


def play_at_random(game: str, seed: int, rounds: int = 1) -> tuple[State, State, list[ev.Event]]:
    """A table before and after some rounds, and all that happened between."""
    chance = random.Random(seed)
    rules = random_rules(game, chance)
    opening = state = _open_with_meters(rules)
    happened: list[ev.Event] = []
    for number in range(rounds):
        for command in _round(rules, state, chance, number):
            state = _ask(state, command, happened)
        for _ in range(MOST_STEPS):
            if state.phase is Phase.SETTLED:
                break
            state = _ask(state, _choice(state, chance), happened)
        assert state.phase is Phase.SETTLED, f"{game}, seed {seed}: the round does not end"
    return opening, state, happened


def _ask(state: State, command: cmd.Command, happened: list[ev.Event]) -> State:
    answer = decide(state, command)
    if isinstance(answer, Refusal):
        return state
    happened.extend(answer.events)
    return answer.state


def _round(rules: Rules, state: State, chance: random.Random, number: int) -> Iterator[cmd.Command]:
    """Open a round: a shuffled shoe, wagers by several players on several boxes, the deal."""
    if number:
        yield cmd.NextRound()
    shoe = list(decks(rules.decks, rules.deck_cards))
    chance.shuffle(shoe)
    yield cmd.LoadShoe(cards=tuple(shoe))
    carried = {(item.box, item.player): item for item in state.carried}
    for area in sorted(chance.sample(range(1, rules.boxes_max + 1), chance.randint(1, 3))):
        players = chance.sample(NAMES, chance.randint(1, min(3, rules.sharers_max)))
        for place, player in enumerate(players):
            seated = place == 0 and chance.random() < 0.6
            stake = Decimal(chance.choice((5, 10, 25, 100)))
            yield cmd.PlaceBet(box=str(area), player=player, amount=stake, seated=seated)
            for side in rules.side_wagers:
                if chance.random() < 0.5:
                    held = carried.get((str(area), player))
                    amount = held.amount if held is not None and held.wager == side.id else Decimal(5)
                    yield cmd.PlaceBet(box=str(area), player=player, amount=amount, wager=side.id)
    yield cmd.Deal()


def _choice(state: State, chance: random.Random) -> cmd.Command:
    """A legal command; sharers sometimes join a double, match a split, take less insurance."""
    choices = [command for command in legal(state) if not isinstance(command, cmd.PlayAbsent) or chance.random() < 0.1]
    command = chance.choice(choices)
    if isinstance(command, cmd.Split | cmd.Surrender | cmd.Double) and chance.random() < 0.6:
        box = state.boxes[state.box_index(command.box)]
        others = [bettor for bettor in box.bettors if bettor.player != box.controller and chance.random() < 0.7]
        if isinstance(command, cmd.Double):
            wider: cmd.Command = cmd.Double(
                box=command.box, amounts=(*command.amounts, *((other.player, other.stake) for other in others))
            )
        else:
            wider = type(command)(box=command.box, players=tuple(other.player for other in others))
        if not isinstance(decide(state, wider), Refusal):
            return wider
    return command
