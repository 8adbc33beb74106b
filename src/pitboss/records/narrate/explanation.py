"""A replayed record told from the first wager to the last payment, each step with its clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss.money import ZERO, Money, show
from pitboss.records.narrate.table_events import Said, and_words, bet_words, tell
from pitboss.records.replay import PlayedRound, Replay, ReplayStep
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import words
from pitboss.table.state import Bet

INDENT = "  "


def explain(replayed: Replay) -> list[str]:
    """The rounds in words: a line for the table, then the steps of each round, indented, and what it cost whom."""
    title = " ".join(replayed.record.title.split())
    lines = [title] if title.isprintable() and title else []
    if replayed.rounds:
        lines.append(table_words(replayed.rounds[0].state.rules))
    for played in replayed.rounds:
        lines.extend(_tell_round(played, several=len(replayed.record.rounds) > 1))
        lines.append(money_words(played))
        lines.extend(f"Not as recorded: {difference}" for difference in played.differences)
    return lines


def tell_rounds(rounds: Sequence[PlayedRound]) -> Iterator[str]:
    """Rounds as they were played, in words; the last may not be settled yet."""
    for played in rounds:
        yield from _tell_round(played, several=len(rounds) > 1)
        if played.settled:
            yield money_words(played)


def _tell_round(played: PlayedRound, *, several: bool) -> Iterator[str]:
    if several:
        yield f"Round {played.number}"
    yield from (f"{INDENT}{said}" for step in played.steps for said in step_words(step))


def table_words(rules: Rules) -> str:
    """`Crown Pontoon (melbourne/pontoon), 8 decks of 48 cards; side wagers: Perfect Pairs`."""
    sides = f"; side wagers: {and_words([side.name for side in rules.side_wagers])}" if rules.side_wagers else ""
    return f"{rules.name} ({rules.game}), {rules.decks} decks of {rules.deck_cards} cards{sides}"


def step_words(step: ReplayStep) -> Iterator[Said]:
    """What one command caused, or why it was refused."""
    if step.refusal is None:
        yield from tell(step.before, step.events)
        return
    asked = f"'{words(step.command)}'" if step.command is not None else "this"
    if isinstance(step.command, cmd.PlaceBet):
        bet = step.command
        asked = bet_words(step.before, Bet(bet.box, bet.player, bet.amount, bet.wager, bet.seated))
        yield Said(f"{asked}: not accepted, {step.refusal.reason}", step.refusal.clauses)
    elif not isinstance(step.command, cmd.Proceed):
        yield Said(f"{asked} is refused: {step.refusal.reason}", step.refusal.clauses)


def money_words(played: PlayedRound) -> str:
    """What each player gained or lost in the round, and the house with them."""
    if not played.settled:
        return "The round is not settled."
    nets: dict[str, Money] = {}
    for (_, player, _), net in played.results.items():
        nets[player] = nets.get(player, ZERO) + net
    players = ", ".join(f"{player} {show(net, sign=True)}" for player, net in nets.items())
    return f"In all: {players}; the house {show(-sum(nets.values(), ZERO), sign=True)}."
