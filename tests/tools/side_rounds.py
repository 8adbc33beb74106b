"""Side wagers at the table on packs of a few cards: every round that can be dealt, and what it brings the wager.

A card that a command has used and that is not yet chosen is a branch, as in `enumeration`; a round is followed until
the side wager is settled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss.cards import Card, parse_cards
from pitboss.money import Money
from pitboss.rulebooks import BOOKS, RulebookError, load_book, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Phase, Refusal, State, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.round.sides import button_wager
from pitboss.table.state import Meter

METER = 1000
"""Where prize meters stand, in money."""

Policy = Callable[[State, tuple[cmd.Command, ...]], cmd.Command]
Rounds = dict[tuple[Fraction, bool], Fraction]
"""What the round brings the wager per unit staked, and whether it is carried on -> how likely that is."""


class Case(NamedTuple):
    """A side wager of a game with one choice changed."""

    game: str
    wager: str
    choices: dict[str, Any]

    @property
    def rules(self) -> Rules:
        return rules_for(self.game, side_wagers=[self.wager], **self.choices)

    def __str__(self) -> str:
        said = {**self.choices, **self.choices.get("readings", {})}
        chosen = " ".join(f"{name}={value}" for name, value in said.items() if name != "readings")
        return f"{self.game} {self.wager} {chosen}".strip()


def cases() -> Iterator[Case]:
    """Each side wager of each book at the first game that offers it, with every option and reading that changes it."""
    for name in BOOKS:
        book = load_book(name)
        found: dict[str, str] = {}
        for game in book.games.values():
            for wager in book.side_wagers_of(game):
                if wager not in found and _rules(f"{book.namespace}/{game.id}", wager, {}) is not None:
                    found[wager] = f"{book.namespace}/{game.id}"
        for wager, game_name in found.items():
            yield Case(game_name, wager, {})
            plain, game = _rules(game_name, wager, {}), book.game(game_name)
            options = [(option, value) for option, item in book.options_of(game).items() for value in item.choices]
            tried = [{option: value} for option, value in options]
            tried += [
                {"readings": {reading: value}}
                for reading, item in book.readings_of(game).items()
                for value in item.alternatives
            ]
            for choices in tried:
                rules = _rules(game_name, wager, choices)
                if rules is not None and plain is not None and _terms(rules, wager) != _terms(plain, wager):
                    yield Case(game_name, wager, choices)


def _rules(game: str, wager: str, choices: dict[str, Any]) -> Rules | None:
    try:
        return rules_for(game, side_wagers=[wager], **choices)
    except RulebookError:
        return None


def _terms(rules: Rules, wager: str) -> tuple[object, ...]:
    side = rules.side_wager(wager)
    assert side is not None
    return replace(side, clauses={}), rules.dealer_completes_for_side_wagers


def of_cards(text: str) -> tuple[Card, ...]:
    """A small pack: `"6s*2 Kc*5"`."""
    found: list[Card] = []
    for word in text.split():
        card, _, times = word.partition("*")
        found.extend(parse_cards(card) * int(times or 1))
    return tuple(found)


# ---------------------------------------------------------------------- every round


def opened(rules: Rules) -> State:
    """A table with its meters standing still at `METER`."""
    names = [name for side in rules.side_wagers for name in side.meters]
    return open_table(rules, meters={name: Meter(Money(0), Money(0), Money(METER)) for name in names})


def rounds_by_table(state: State, wager: str, pack: tuple[Card, ...], policy: Policy, stake: Money) -> Rounds:
    """All rounds that the pack can deal to one player with this wager."""
    state = after(state, cmd.PlaceBet(box="1", player="ann", amount=stake, seated=True))
    state = after(state, cmd.PlaceBet(box="1", player="ann", amount=stake, wager=wager))
    state = after(state, cmd.LoadShoe(cards=pack))
    return _rounds(state, cmd.Deal(), 0, Counter(pack), policy)


def after(state: State, command: cmd.Command) -> State:
    """The state after a command that must be accepted."""
    answer = decide(state, command)
    assert not isinstance(answer, Refusal), f"{command}: {answer}"
    return answer.state


def _rounds(state: State, command: cmd.Command, known: int, left: Counter[Card], policy: Policy) -> Rounds:
    then = after(state, command)
    if then.shoe.position > known:
        whole, found = sum(left.values()), []
        for card, many in left.items():
            rest = left - Counter([card])
            chosen = (*state.shoe.cards[:known], card, *rest.elements())
            dealt = replace(state, shoe=replace(state.shoe, cards=chosen))
            found.append((Fraction(many, whole), _rounds(dealt, command, known + 1, rest, policy)))
        return _mixed(found)
    if then.prizes_due:
        box, player = then.prizes_due[0]
        prizes = button_wager(then.rules).prizes
        tickets = sum(times for times, _ in prizes)
        return _mixed(
            [
                (
                    Fraction(times, tickets),
                    _rounds(then, cmd.DrawPrize(box=box, player=player, amount=Money(prize)), known, left, policy),
                )
                for times, prize in prizes
            ]
        )
    if not any(bet.state for bet in then.sides):
        (bet,) = then.sides
        net = sum((Fraction(settled.net) for settled in then.settlements if settled.wager == bet.wager), Fraction(0))
        return {(net / Fraction(bet.amount), bool(then.carried)): Fraction(1)}
    assert then.phase is not Phase.SETTLED, "the round is over and the wager is not settled"
    return _rounds(then, policy(then, legal(then)), known, left, policy)


def _mixed(found: list[tuple[Fraction, Rounds]]) -> Rounds:
    mixed: Rounds = {}
    for chance, rounds in found:
        for outcome, share in rounds.items():
            mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance * share
    return mixed
