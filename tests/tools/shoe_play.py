"""Tables for tests about cards: commands that must be accepted or refused, whole sessions, and where every card is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from pitboss.cards import Card, decks
from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.table import Refusal, State, begin_log, decide, evolve, fold_log, legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.shoe.shoe_folds import on_layout
from pitboss.table.state import Phase
from pitboss.table.unattended import needs_shuffle, open_shoe


def entropy(number: int = 0) -> bytes:
    """Thirty-two bytes that are different for every number."""
    return number.to_bytes(32, "big")


class Table:
    """A table that remembers its log."""

    def __init__(self, game: str, **choices: Any) -> None:
        self.opening = begin_log(rules_for(game, **choices))
        self.start = self.state = fold_log([self.opening])
        self.log: list[ev.Event] = []

    @property
    def whole_log(self) -> list[ev.Event]:
        """The log from the opening of the table on."""
        return [self.opening, *self.log]

    def do(self, command: cmd.Command) -> tuple[ev.Event, ...]:
        """The command is accepted: what follows from its having been asked."""
        answer = decide(self.state, command)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"
        self.log.extend(answer.events)
        self.state = answer.state
        return answer.events[1:]

    def no(self, command: cmd.Command) -> Refusal:
        """The command is refused."""
        answer = decide(self.state, command)
        assert isinstance(answer, Refusal), f"{command} was accepted: {answer}"
        return answer

    def bet(self, box: str = "1", player: str = "ann", amount: int = 10) -> None:
        self.do(cmd.PlaceBet(box=box, player=player, amount=Money(amount)))

    def arrive(self, **boxes: int) -> None:
        """Players come, in this order, to these boxes."""
        for player, box in boxes.items():
            self.do(cmd.Arrive(player=player, box=str(box)))

    def open(self, number: int = 1, cut_at: int | None = None, from_back: int | None = None) -> None:
        """Cards come into play."""
        opened = open_shoe(self.state, entropy(number), cut_at, from_back)
        self.log.extend(opened.events)
        self.state = opened.state

    def finish(self) -> None:
        """Everybody stands and the round is settled."""
        while self.state.phase is not Phase.SETTLED:
            stands = [item for item in legal(self.state) if isinstance(item, cmd.Stand | cmd.Proceed)]
            hits = [item for item in legal(self.state) if isinstance(item, cmd.Hit)]
            self.do((stands or hits)[0])

    def round(self) -> None:
        """One round with what is on the layout, and the table is cleared."""
        self.do(cmd.Deal())
        if self.state.phase is not Phase.BETTING:
            self.finish()
            self.do(cmd.NextRound())

    def run_down_to(self, left: int) -> None:
        """Rounds of one box until at most so many cards are left in front of the cut card."""
        while self.before_cut_card() > left:
            self.bet()
            self.round()

    def before_cut_card(self) -> int:
        shoe = self.state.shoe
        assert shoe.cut_card is not None
        return shoe.cut_card - shoe.position


def all_cards(state: State) -> Counter[Card]:
    """Every card of the table, wherever it is."""
    shoe = state.shoe
    return Counter((*shoe.undealt, *shoe.burnt, *shoe.discards, *on_layout(state)))


def pack_of(state: State) -> Counter[Card]:
    """The cards that a table has by its rules."""
    return Counter(decks(state.rules.decks, state.rules.deck_cards))


def play_session(table: Table, dice: Random, rounds: int, boxes: int, from_back: int | None = None) -> Iterator[State]:
    """Rounds with random decisions; gives the state after every event."""
    shuffles = 0
    seen = 0
    while seen < rounds:
        state = table.state
        if needs_shuffle(state):
            shuffles += 1
            if state.phase is not Phase.BETTING and not (state.shoe.discards or state.shoe.burnt):
                # Nothing is left anywhere: only a void ends such a round.
                yield from _step(table, cmd.Void(role=state.rules.ladder[-1].id, reason="no card is left"))
                continue
            table.open(shuffles + 1000 * dice.randrange(1000), from_back=from_back)
            yield table.state
        elif state.phase is Phase.BETTING and not state.bets:
            for box in dice.sample(range(1, boxes + 1), dice.randint(1, boxes)):
                table.bet(str(box), f"p{box}", 10)
        elif state.phase is Phase.SETTLED:
            seen += 1
            yield from _step(table, cmd.NextRound())
        else:
            choices = [item for item in legal(state) if not isinstance(item, cmd.PlayAbsent)]
            yield from _step(table, dice.choice(choices))


def _step(table: Table, command: cmd.Command) -> Iterator[State]:
    state, begin = table.state, len(table.log)
    table.do(command)
    for event in table.log[begin:]:
        state = evolve(state, event)
        yield state
