"""`Table`: a live table that is played in the notation of records, for scripts, notebooks and lessons.

Everything a record can say can be typed here, line by line, and what was played can be saved as a record. The rules and
the table are the same as everywhere; this only keeps the log and speaks in words.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.cards import Card, decks, parse_cards
from pitboss.errors import PitbossError
from pitboss.formats.notebook_view import NotebookView
from pitboss.money import Money, parse_money
from pitboss.records.log import from_log
from pitboss.records.narrate.explanation import step_words, table_words, tell_rounds
from pitboss.records.narrate.settlements import hand_words
from pitboss.records.replay import NOTHING_RECORDED, PlayedRound, ReplayStep, with_cards_to_spare
from pitboss.records.settlement_table import SettlementTable
from pitboss.records.write import write
from pitboss.rulebooks import Rulebook, Rules
from pitboss.rulebooks.house_choices import HouseChoices, as_rules
from pitboss.table import Refusal, begin_log, decide, legal_words
from pitboss.table.evolve import open_from
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.notation import parse_action, parse_bet, words
from pitboss.table.shoe.shuffle import shuffle_cards
from pitboss.table.state import Limits, Meter, Phase, SideLimit, State

LIMITS = {"min": "minimum", "max": "maximum", "chip": "chip", "unit": "unit"}
SIGN = (*LIMITS, "per", "side")
DEALER_WORDS: Mapping[str, cmd.Command] = {
    "deal": cmd.Deal(),
    "proceed": cmd.Proceed(),
    "next-round": cmd.NextRound(),
}
"""What the dealer does and no record contains, because it follows from the rest."""


class ActionRefused(PitbossError):
    """The table has refused an action: `refusal` has the reason, the clauses and what is legal. Nothing has changed."""

    def __init__(self, asked: str, refusal: Refusal) -> None:
        super().__init__(f"'{asked}' is refused: {refusal}")
        self.refusal = refusal


class Table(NotebookView):
    """A live table: bet, deal, play and settle rounds in the notation of records."""

    def __init__(
        self,
        game: str | Rules,
        *,
        cards: str | None = None,
        seed: int | None = None,
        side_wagers: str | Iterable[str] = (),
        limits: Mapping[str, Any] | Limits | None = None,
        places: int = 0,
        meters: Mapping[str, Mapping[str, Any]] | None = None,
        readings: Mapping[str, str] | None = None,
        own_books: Rulebook | Iterable[Rulebook] = (),
        **options: Any,
    ) -> None:
        """Open a table, for the id of a game or for resolved rules.

        `cards` are dealt in the order given, in the notation of records; `seed` gives you a shuffled shoe instead,
        always the same one for the same number. `limits` is the sign: `{"min": 5, "max": 500, "per": "player"}`, with
        limits of side wagers under `"side"`; `places` is the number of boxes on the layout. `options` are the house's
        choices: `decks=6`.
        """
        self._own_books = (own_books,) if isinstance(own_books, Rulebook) else tuple(own_books)
        wagers = (side_wagers,) if isinstance(side_wagers, str) else tuple(side_wagers)
        choices = HouseChoices(options, readings or {}, wagers, self._own_books)
        rules = choices.resolve(game)[1] if isinstance(game, str) else _as_they_are(game, choices)
        opening = begin_log(rules, _limits(limits), _meters(meters or {}), places=places)
        self._state = open_from(opening)
        self._log: list[ev.Event] = [opening]
        self._rounds: list[list[ReplayStep]] = [[]]
        self._closed: list[State] = []
        self._seed = _check_seed(seed, cards)
        self._shoes = 0
        if cards is not None:
            self.load(cards)
        elif self._seed is not None:
            self._shuffle(self._seed)

    # ------------------------------------------------------------------ doing

    def load(self, cards: str) -> None:
        """Put these cards into the shoe, first card first; between rounds only."""
        self._ask(cmd.LoadShoe(cards=parse_cards(_text(cards, "cards"))))

    def bet(self, text: str) -> None:
        """Place a wager: `"1 ann* 100"`, `"1 ann 5 perfect-pairs"`. After a settled round this starts the next one."""
        if self._state.phase is Phase.SETTLED:
            self.next_round()
        self._ask(parse_bet(_text(text, "a bet")))

    def deal(self) -> list[str]:
        """Close betting and deal. Returns what happened, in words."""
        return self.do("deal")

    def do(self, text: str) -> list[str]:
        """Carry out an action such as `"1 double"` or `"!system lucky 2"`. Returns what happened, in words.

        Raises `ActionRefused` if the rules do not allow it.
        """
        return [str(said) for said in step_words(self._ask(_command(text)))]

    def proceed(self) -> list[str]:
        """Let the dealer continue, which closes an open offer: insurance, a switch, a double that can be taken back."""
        return self.do("proceed")

    def next_round(self) -> None:
        """Clear the table and open betting. A seeded shoe is replaced once half of it has been dealt."""
        self._ask(cmd.NextRound())
        if self._seed is not None and 2 * self._state.shoe.left < len(self._state.shoe.cards):
            self._shuffle(self._seed)

    def _shuffle(self, seed: int) -> None:
        rules = self._state.rules
        order = shuffle_cards(
            decks(rules.decks, rules.deck_cards), hashlib.sha256(str(seed).encode()).digest(), self._shoes
        )
        self._shoes += 1
        self._ask(cmd.LoadShoe(cards=order))

    def _ask(self, command: cmd.Command) -> ReplayStep:
        answer = decide(self._state, command, own_books=self._own_books)
        if isinstance(answer, Refusal):
            step = ReplayStep(command, self._state, self._state, refusal=answer)
            self._rounds[-1].append(step)
            raise ActionRefused(words(command), answer)
        before, self._state = self._state, answer.state
        if isinstance(command, cmd.NextRound) and before.waiting is None:
            self._closed.append(before)
            self._rounds.append([])
        if self._state.past is not None:
            self._closed[-1] = self._state.past
        self._log.extend(answer.events)
        step = ReplayStep(command, before, answer.state, answer.events)
        self._rounds[-1].append(step)
        return step

    # ------------------------------------------------------------------ asking

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._state.rules

    @property
    def state(self) -> State:
        """The current state of the table, which is immutable."""
        return self._state

    @property
    def log(self) -> tuple[ev.Event, ...]:
        """Everything that has happened since the table opened. It is enough to restore the table anywhere."""
        return tuple(self._log)

    def legal(self) -> tuple[str, ...]:
        """The actions that are legal now."""
        return legal_words(self._state)

    def why_not(self, text: str) -> Refusal | None:
        """Why the rules do not allow this action now: a `Refusal` with reason and clauses. `None` if they do."""
        answer = decide(with_cards_to_spare(self._state), _command(text), own_books=self._own_books)
        return answer if isinstance(answer, Refusal) else None

    def settlement(self) -> SettlementTable:
        """The wagers of this round that have been decided, hand by hand."""
        if self._state.phase is Phase.BETTING:
            raise PitbossError("nothing has been dealt yet, so there is nothing to settle: bet, then deal")
        lines = self._find_played()[-1].settlement
        if self._state.phase is not Phase.SETTLED:  # a wager that is still open is on no line yet
            lines = tuple(line for line in lines if line.stake or line.outcome != "returned")
        return SettlementTable(lines)

    def results(self) -> dict[tuple[str, str, str], Money]:
        """What each player won or lost in this round, by box, player and wager."""
        return self._find_played()[-1].results

    def record(self, title: str = "") -> str:
        """The rounds settled so far as a record, which `pitboss replay` replays and checks."""
        return write(from_log(self._log, title=title))

    def explain(self) -> str:
        """What has been played, in words, each step with its clauses."""
        return "\n".join((table_words(self.rules), *tell_rounds(self._find_played())))

    def _find_played(self) -> list[PlayedRound]:
        ends = [*self._closed, self._state]
        return [
            PlayedRound(number, NOTHING_RECORDED, tuple(steps), state, ())
            for number, (steps, state) in enumerate(zip(self._rounds, ends, strict=True), 1)
        ]

    def __str__(self) -> str:
        state = self._state
        lines = [f"{table_words(state.rules)}: {state.phase.value}"]
        if state.dealer:
            lines.append(f"dealer  {_cards(state.dealer[:1] if state.hole else state.dealer)}")
        for box in state.boxes:
            for number, hand in enumerate(box.hands, 1):
                name = box.number if len(box.hands) == 1 else f"{box.number}/{number}"
                lines.append(f"box {name:<4}{_cards(hand.cards)}: {hand_words(hand)}, {hand.status.value}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        state = self._state
        return f"<Table {state.rules.game}, round {state.round}: {state.phase.value}; print it to see the layout>"


def _check_seed(seed: int | None, cards: str | None) -> int | None:
    if seed is None:
        return None
    if cards is not None:
        raise PitbossError("cards fix the order and a seed shuffles: give one or the other")
    try:
        return operator.index(seed)
    except TypeError:
        raise PitbossError(f"seed must be a whole number, not {seed!r}") from None


def _as_they_are(rules: Rules, choices: HouseChoices) -> Rules:
    if choices.options or choices.readings or choices.side_wagers:
        raise PitbossError(
            "these rules are already resolved: pass options, readings and side wagers with the id of a game"
        )
    return as_rules(rules)


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(cards)


def _command(text: str) -> cmd.Command:
    return DEALER_WORDS.get(_text(text, "an action").strip()) or parse_action(text)


def _text(given: str, what: str) -> str:
    if not isinstance(given, str):
        raise PitbossError(f"{what} must be a text in the notation of records, not {given!r}")
    return given


def _limits(limits: Mapping[str, Any] | Limits | None) -> Limits:
    if limits is None or isinstance(limits, Limits):
        return limits or Limits()
    side = {wager: _side_limit(item) for wager, item in limits.get("side", {}).items()}
    per = limits.get("per", "")
    if per not in ("", "box", "player"):
        raise PitbossError(f"limits are per box or per player, not per '{per}'")
    amounts = {name: item for name, item in limits.items() if name not in ("per", "side")}
    return Limits(**_amounts(amounts, SIGN), per=per, side=side)


def _side_limit(given: Mapping[str, Any]) -> SideLimit:
    amounts = {name: item for name, item in given.items() if name != "places"}
    return SideLimit(**_amounts(amounts, ("min", "max", "places")), places=given.get("places", 0))


def _amounts(given: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Amounts by the name of their field."""
    unknown = [name for name in given if name not in known]
    if unknown:
        raise PitbossError(f"'{unknown[0]}' is not a limit: use {', '.join(known)}")
    return {LIMITS[name]: parse_money(item) for name, item in given.items()}


def _meters(meters: Mapping[str, Mapping[str, Any]]) -> dict[str, Meter]:
    for name, meter in meters.items():
        if not isinstance(meter, Mapping):
            raise PitbossError(f"meter {name}: write {{'seed': 500, 'rate': '0.05', 'value': 777}}, not {meter!r}")
    return {
        name: Meter(*(parse_money(meter.get(key, 0)) for key in ("seed", "rate", "value")))
        for name, meter in meters.items()
    }
