"""A record played through the table, and what differs from what it says.

Every line of a record becomes a command, which the table is given in the order of the record; when the actions end, the
dealer continues until the round is settled. A difference is a sentence; a record without one is correct.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from pitboss.cards import DECK_52, find_impossible
from pitboss.formats.notebook_view import NotebookView
from pitboss.money import ZERO, Money, show
from pitboss.records.model import Record, RecordedAction, Round
from pitboss.rulebooks import Rulebook
from pitboss.table import Decision, Refusal, begin_log, decide, legal_words, results
from pitboss.table.evolve import evolve, open_from, read_opening
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import Result, words
from pitboss.table.orders import rulings as ru
from pitboss.table.state import CardSource, HandStatus, Meter, Phase, Settlement, State

INSTEAD_OF_DEAL = (od.Misdeal, od.NoWagerRound)
"""First actions of a round in which the cards were not dealt as they should be."""

NOTHING_RECORDED = Round(bets=(), deals=())
"""Takes the place of the recorded round where there is none: at a live table, in a log."""

PART_MARKS = ("/", "(", ".", ":")
"""What follows a clause's number where one of its parts is named; a refusal by a part is one by the clause."""

Admit = Callable[[cmd.PlaceBet, tuple[ev.Event, ...]], Refusal | None]
"""Why a wager is not taken for a reason that the table does not know of, after what has happened in the round."""

Key = tuple[str, str, str]
"""Box, player and wager: what a line of results is about."""


class ReplayStep(msgspec.Struct, frozen=True):
    """One command and its answer; without a command, something the record states. `before` and `after` are the table
    around it."""

    command: cmd.Command | None
    before: State
    after: State
    events: tuple[ev.Event, ...] = ()
    refusal: Refusal | None = None
    tried: bool = False
    """It was only asked because the table must refuse it."""

    def __repr__(self) -> str:
        asked = "as recorded" if self.command is None else words(self.command)
        return f"<ReplayStep {asked}: {self.refusal or f'{len(self.events)} events'}>"


class PlayedRound(msgspec.Struct, frozen=True):
    """One round as it was played: the steps, the table after them, and what differs from the record."""

    number: int
    recorded: Round
    steps: tuple[ReplayStep, ...]
    state: State
    differences: tuple[str, ...]
    """What differs on the way and, if it was settled, at its end."""
    on_the_way: tuple[str, ...] = ()
    """The first of these."""

    def __repr__(self) -> str:
        found = "; ".join(self.differences) or ("settled" if self.settled else "not settled")
        return f"<PlayedRound {self.number}: {len(self.steps)} steps, {found}>"

    @property
    def settled(self) -> bool:
        """The round came to its end."""
        return self.state.phase is Phase.SETTLED

    @property
    def results(self) -> dict[Key, Money]:
        """What each player gained or lost: a line for every wager placed, those turned away included."""
        return {**{key: ZERO for key, _ in find_turned_away(self.steps)}, **results(self.state)}

    @property
    def settlement(self) -> tuple[Settlement, ...]:
        """Every wager decided, hand by hand; a wager that never was in play stands at the end with a net of 0."""
        return (*self.state.settlements, *_never_in_play(self.steps, self.state))

    @property
    def as_recorded(self) -> Round:
        """What this round adds to its record: results and dealer's hand where it has no results, and what they need."""
        recorded, state = self.recorded, self.state
        after = {name: meter.value for name, meter in state.meters.items()} if recorded.meters else {}
        return Round(
            bets=(),
            deals=(),
            results=tuple(Result(*key, net) for key, net in self.results.items()),
            dealer=state.dealer if recorded.dealer is None else None,
            meters_after={} if recorded.meters_after else after,
            void=state.void and not recorded.void,
        )


class Replay(NotebookView, msgspec.Struct, frozen=True):
    """A record and how it played."""

    record: Record
    opening: ev.TableOpened
    rounds: tuple[PlayedRound, ...]

    @property
    def differences(self) -> tuple[str, ...]:
        """What is not as recorded, a sentence each; the round is named where there are several."""
        several = len(self.record.rounds) > 1
        return tuple(
            f"round {played.number}: {difference}" if several else difference
            for played in self.rounds
            for difference in played.differences
        )

    @property
    def events(self) -> tuple[ev.Event, ...]:
        """All that happened once the table was open."""
        return tuple(event for played in self.rounds for step in played.steps for event in step.events)

    @property
    def log(self) -> tuple[ev.Event, ...]:
        """The log of the table, from its opening on."""
        return (self.opening, *self.events)

    @property
    def settlements(self) -> tuple[Settlement, ...]:
        """All wagers decided."""
        return tuple(settled for played in self.rounds for settled in played.settlement)

    def explain(self) -> str:
        """The rounds in words, each step with its clauses."""
        from pitboss.records.narrate.explanation import explain

        return "\n".join(explain(self))

    def __repr__(self) -> str:
        found = "; ".join(self.differences) or "as recorded"
        return f"<Replay {self.record.game}, {len(self.rounds)} round{'s' * (len(self.rounds) != 1)}: {found}>"

    @property
    def cited(self) -> frozenset[str]:
        """Every clause that an event, a settlement or a refusal names."""
        named = [event.clauses for event in self.events] + [settled.clauses for settled in self.settlements]
        for played in self.rounds:
            named += [step.refusal.clauses for step in played.steps if step.refusal is not None]
        return frozenset().union(*named)

    @property
    def notes(self) -> tuple[str, ...]:
        """Cards that the shoe of this game cannot hold: no difference, since a foreign card may be the point."""
        return tuple(_foreign_cards(self.rounds))


def replay(record: Record, own_books: Iterable[Rulebook] = ()) -> Replay:
    """Play a record through the table."""
    books = tuple(own_books)
    opening = begin_log(record.rules(books), record.limits, places=record.places)
    state = open_from(opening)
    rounds: list[PlayedRound] = []
    for number, recorded in enumerate(record.rounds, 1):
        if rounds and not rounds[-1].settled:
            break
        player = _Player(state, books)
        played = player.play(recorded, number)
        if player.corrected is not None:
            rounds[-1] = _correct(rounds[-1], player.corrected)
        rounds.append(played)
        state = player.state
    return Replay(record, opening, tuple(rounds))


def play_round(
    state: State, recorded: Round, number: int = 1, own_books: Iterable[Rulebook] = (), admit: Admit | None = None
) -> PlayedRound:
    """One recorded round at a table that takes wagers, or has settled the round before."""
    return _Player(state, tuple(own_books), admit).play(recorded, number)


def split_log(log: Iterable[ev.Event]) -> tuple[PlayedRound, ...]:
    """The rounds that a log tells of, the last perhaps not settled yet, each with what was asked in it."""
    state, events = read_opening(log)
    rounds: list[list[ReplayStep]] = [[]]
    ends: list[State] = []
    for decision in _split_decisions(events):
        asked = decision[0].command if isinstance(decision[0], ev.Asked) else None
        if isinstance(asked, cmd.NextRound) and state.waiting is None:
            rounds.append([])
            ends.append(state)
        after = functools.reduce(evolve, decision, state)
        rounds[-1].append(ReplayStep(asked, state, after, tuple(decision)))
        state = after
        if state.past is not None:
            ends[-1] = state.past
    return tuple(
        PlayedRound(number, NOTHING_RECORDED, tuple(steps), end, ())
        for number, (steps, end) in enumerate(zip(rounds, (*ends, state), strict=True), 1)
    )


def _split_decisions(events: Iterable[ev.Event]) -> Iterator[list[ev.Event]]:
    """The events of each decision; what was stated before the first one stands by itself."""
    decision: list[ev.Event] = []
    for event in events:
        if isinstance(event, ev.Asked) and decision:
            yield decision
            decision = []
        decision.append(event)
    if decision:
        yield decision


def _correct(played: PlayedRound, state: State) -> PlayedRound:
    """A round that was put right later: what is recorded of its end is the end that counts."""
    at_its_end = tuple(_compare_round(played.recorded, state, list(played.steps)))
    differences = (*played.on_the_way, *at_its_end)
    return msgspec.structs.replace(played, state=state, differences=differences)


class _Player:
    """Plays one round; keeps the steps and the differences found on the way."""

    def __init__(self, state: State, own_books: tuple[Rulebook, ...], admit: Admit | None = None) -> None:
        self.state = state
        self.own_books = own_books
        self.admit = admit
        self.steps: list[ReplayStep] = []
        self.differences: list[str] = []
        self.corrected: State | None = None
        """The round before, if it was put right while this one had no card."""

    def ask(self, command: cmd.Command, *, cut_short: bool = False) -> Refusal | None:
        """Ask the table; what it does is kept, and so is a refusal.

        A round that is `cut_short` next, by a void or a correction, may stop where its cards do, the dealer's hand
        unfinished.
        """
        answer = self.find_bar(command) or decide(self.state, command, own_books=self.own_books)
        if cut_short and isinstance(answer, Refusal):
            stopped = decide(_that_runs_out(self.state), command, own_books=self.own_books)
            if not isinstance(stopped, Refusal):
                answer = Decision(stopped.events, functools.reduce(evolve, stopped.events, self.state))
        if isinstance(answer, Refusal):
            self.steps.append(ReplayStep(command, self.state, self.state, refusal=answer))
            return answer
        self.steps.append(ReplayStep(command, self.state, answer.state, answer.events))
        if any(isinstance(event, ru.RoundReopened) for event in answer.events):
            self.corrected = answer.state.past
        self.state = answer.state
        return None

    def find_bar(self, command: cmd.Command) -> Refusal | None:
        """Why the table is not even asked for a wager."""
        if self.admit is None or not isinstance(command, cmd.PlaceBet):
            return None
        return self.admit(command, tuple(event for step in self.steps for event in step.events))

    def play(self, recorded: Round, number: int) -> PlayedRound:
        if self.state.phase is Phase.SETTLED and (refusal := self.ask(cmd.NextRound())):
            why = (f"the next round is refused: {refusal.why}",)
            return PlayedRound(number, recorded, tuple(self.steps), self.state, why, why)
        self.state_meters(recorded.meters)
        self.ask(cmd.LoadShoe(cards=recorded.cards))
        self.place(recorded)
        first = next((action.command for action in recorded.actions if not action.refused), None)
        void_first = _makes_void(first)
        if not isinstance(first, INSTEAD_OF_DEAL) and (refusal := self.ask(cmd.Deal(), cut_short=void_first)):
            self.differences.append(f"the deal is refused: {refusal.why}")
            self.differences.extend(_list_refused_bets(self.steps))
        else:
            for index, action in enumerate(recorded.actions):
                later = recorded.actions[index + 1 :]
                corrected = _correction_comes_next(self.state, later)
                with self.settling_by_hand(corrected):
                    self.act(action, cut_short=corrected or _void_comes_next(later))
            self.finish()
        at_its_end: tuple[str, ...] = ()
        if self.state.phase is Phase.SETTLED:
            self.differences.extend(_list_cards_left(self.state))
            at_its_end = tuple(_compare_round(recorded, self.state, self.steps))
            if self.admit is not None and (at_its_end or recorded.results is None):
                self.differences.extend(_list_refused_bets(self.steps))
        on_the_way = tuple(self.differences)
        return PlayedRound(number, recorded, tuple(self.steps), self.state, (*on_the_way, *at_its_end), on_the_way)

    @contextlib.contextmanager
    def settling_by_hand(self, holds: bool) -> Iterator[None]:
        """Wagers wait to be settled, so that what was decided last can still be corrected."""
        if holds:
            self.ask(cmd.SettleByHand(on=True))
        yield
        if holds:
            self.ask(cmd.SettleByHand(on=False))

    def place(self, recorded: Round) -> None:
        """Bets, and what was ordered among them."""
        for at in range(len(recorded.bets) + 1):
            for order in recorded.orders:
                if order.at == at:
                    self.act(order.action)
            self.close_reopened()
            for bet in recorded.bets[at : at + 1]:
                # A record has what lay on the layout when the first card came, noticed or not.
                self.ask(msgspec.structs.replace(bet, checked=False))

    def close_reopened(self) -> None:
        """The round before, which an order has reopened, goes on to its end when its players have answered."""
        if self.state.waiting is not None:
            self.finish()
            self.ask(cmd.NextRound())
            self.corrected = self.state.past

    def state_meters(self, meters: Mapping[str, Meter]) -> None:
        """Prize meters as the record states them before the bets."""
        if meters:
            event = ev.MetersGrew(meters=dict(meters))
            after = evolve(self.state, event)
            self.steps.append(ReplayStep(None, self.state, after, (event,)))
            self.state = after

    def act(self, action: RecordedAction, *, cut_short: bool = False) -> None:
        if action.refused:
            self.try_refused(action)
        elif isinstance(action.command, cmd.PlayAbsent) and _passes_anyway(self.state, action.command.box):
            return
        else:
            if self.comes_later(action.command):
                self.ask(cmd.Proceed())
            if refusal := self.ask(action.command, cut_short=cut_short):
                self.differences.append(f"'{action}' is refused: {refusal.why}")

    def comes_later(self, command: cmd.Command) -> bool:
        """An order is for the time after the round, and the round only waits for the dealer to go on.

        That is so if it is refused now, or if it would leave cards of the record that the dealer takes. A late offer of
        insurance is for the time after all other offers.
        """
        if not isinstance(command, cmd.Order) or self.state.phase in (Phase.BETTING, Phase.SETTLED):
            return False
        now = decide(self.state, command, own_books=self.own_books)
        if not isinstance(now, Refusal) and not (now.state.phase is Phase.SETTLED and now.state.shoe.left):
            return False
        ahead = decide(self.state, cmd.Proceed())
        if isinstance(ahead, Refusal):
            return False
        if ahead.state.phase is not Phase.SETTLED and not isinstance(command, od.LateInsurance):
            return False
        return not isinstance(decide(ahead.state, command, own_books=self.own_books), Refusal)

    def try_refused(self, action: RecordedAction) -> None:
        """An action that must be refused. That no card is left is no refusal by a rule, so the shoe is filled up."""
        answer = self.find_bar(action.command) or decide(
            with_cards_to_spare(self.state), action.command, own_books=self.own_books
        )
        if not isinstance(answer, Refusal):
            self.differences.append(f"'{action}' is accepted, and should be refused")
            return
        self.steps.append(ReplayStep(action.command, self.state, self.state, refusal=answer, tried=True))
        if action.clause is not None and not names_clause(answer.clauses, action.clause):
            cited = f"names {', '.join(answer.clauses)}" if answer.clauses else "names no clause"
            self.differences.append(f"'{action}' is refused, but the refusal {cited}: {answer.reason}")

    def finish(self) -> None:
        """The dealer continues until the round is settled."""
        while self.state.phase is not Phase.SETTLED:
            if refusal := self.ask(cmd.Proceed()):
                open_now = legal_words(self.state)
                waits = f"the actions end and the round does not; legal now: {', '.join(open_now)}"
                self.differences.append(waits if open_now else f"the round cannot continue: {refusal.why}")
                return


def with_cards_to_spare(state: State) -> State:
    """The table with more cards in the shoe than any action needs."""
    shoe = msgspec.structs.replace(state.shoe, cards=(*state.shoe.cards, *DECK_52))
    return msgspec.structs.replace(state, shoe=shoe)


def _that_runs_out(state: State) -> State:
    """The table with the cards in a shoe that can run out in the middle of a round."""
    return msgspec.structs.replace(state, shoe=msgspec.structs.replace(state.shoe, source=CardSource.SHOE))


def _void_comes_next(actions: Iterable[RecordedAction]) -> bool:
    """The next thing that happens, what is refused left aside, is that somebody declares a void."""
    return _makes_void(next((action.command for action in actions if not action.refused), None))


def _makes_void(command: cmd.Command | None) -> bool:
    """The order declares a void, or ends the round without a result."""
    harm = isinstance(command, od.DeviceFailed) and command.outcome == "harm"
    return harm or isinstance(command, cmd.Void | od.ForeignCard)


def _correction_comes_next(state: State, actions: Iterable[RecordedAction]) -> bool:
    """The next thing that happens is that a decision is corrected, in a book that has no time for it after settling."""
    following = next((action.command for action in actions if not action.refused), None)
    corrects = isinstance(following, od.Reconstruct) and following.box is not None
    return corrects and "rectify-missed-decision" in state.rules.authority


def _passes_anyway(state: State, number: str) -> bool:
    """The box asks nobody: it holds a natural or is the dealer's to play already. That nobody acts changes nothing."""
    index = state.box_index(number)
    if index < 0 or not state.boxes[index].hands:
        return False
    box = state.boxes[index]
    natural = box.hands[0].status in (HandStatus.NATURAL, HandStatus.PAID)
    return (natural or box.absent) and all(hand.status is not HandStatus.OPEN for hand in box.hands)


def names_clause(clauses: tuple[str, ...], wanted: str) -> bool:
    """A refusal by these clauses is one by the clause that is wanted, or by a part of it."""
    parts = tuple(wanted + mark for mark in PART_MARKS)
    return any(clause == wanted or clause.startswith(parts) for clause in clauses)


# ---------------------------------------------------------------------- what differs


def _list_refused_bets(steps: Iterable[ReplayStep]) -> Iterator[str]:
    for step in steps:
        if isinstance(step.command, cmd.PlaceBet) and step.refusal is not None and not step.tried:
            yield f"'{words(step.command)}' is refused: {step.refusal.why}"


def _list_cards_left(state: State) -> Iterator[str]:
    if len(state.shoe.cards) > max(state.shoe.position, state.trouble.reached):
        left = state.shoe.cards[state.shoe.position :]
        yield f"the round is over and cards are left: {' '.join(left)}"


def _compare_round(recorded: Round, state: State, steps: list[ReplayStep]) -> Iterator[str]:
    if recorded.results is not None:
        yield from _compare_results(recorded.results, state, steps)
        if state.void and not recorded.void:
            yield "the round ends void, and is not recorded so"
    if recorded.void and not (state.void or all(box.void for box in state.boxes)):
        yield "the round does not end void"
    if recorded.dealer is not None and recorded.dealer != state.dealer:
        yield f"dealer: recorded {' '.join(recorded.dealer)}, dealt {' '.join(state.dealer)}"
    for name, value in recorded.meters_after.items():
        if name not in state.meters:
            yield f"meter {name}: recorded {show(value)}, but it is not stated before the bets"
        elif state.meters[name].value != value:
            yield f"meter {name}: recorded {show(value)}, shows {show(state.meters[name].value)}"


def _compare_results(recorded: Iterable[Result], state: State, steps: list[ReplayStep]) -> Iterator[str]:
    found: dict[Key, Money] = {**{key: ZERO for key, _ in find_turned_away(steps)}, **results(state)}
    for line in recorded:
        key = (line.box, line.player, line.wager)
        net = found.pop(key, None)
        if net is None:
            yield f"{' '.join(key)}: recorded {show(line.net, sign=True)}, but there is no such wager"
        elif net != line.net:
            yield f"{' '.join(key)}: recorded {show(line.net, sign=True)}, settled {_settle_words(key, net, state)}"
    for key, net in found.items():
        yield f"{' '.join(key)}: not recorded, settled {_settle_words(key, net, state)}"


def _settle_words(key: Key, net: Money, state: State) -> str:
    """The net of a wager, with the outcome and clauses of each hand it was decided on."""
    decided = [
        f"{settled.outcome}, {', '.join(settled.clauses)}" if settled.clauses else settled.outcome
        for settled in state.settlements
        if (settled.box, settled.player, settled.wager) == key
    ]
    return f"{show(net, sign=True)} ({'; '.join(dict.fromkeys(decided)) or 'not in play'})"


# ---------------------------------------------------------------------- wagers that never were in play


def find_turned_away(steps: Iterable[ReplayStep]) -> Iterator[tuple[Key, ReplayStep]]:
    """The wagers that the table refused when they were placed: their result is 0."""
    for step in steps:
        bet = step.command
        if not isinstance(bet, cmd.PlaceBet) or step.refusal is None or step.tried:
            continue
        pair = step.before.rules.boxes_per_area == 2 and bet.wager == "main" and bet.box.isdigit()
        for box in (f"{bet.box}a", f"{bet.box}b") if pair else (bet.box,):
            yield (box, bet.player, bet.wager), step


def _never_in_play(steps: Iterable[ReplayStep], state: State) -> Iterator[Settlement]:
    steps = tuple(steps)
    decided = {(settled.box, settled.player, settled.wager) for settled in state.settlements}
    for key in results(state):
        if key not in decided:
            yield _list_returned(key, steps)
            decided.add(key)
    for key, step in find_turned_away(steps):
        if key not in decided and isinstance(step.command, cmd.PlaceBet) and step.refusal is not None:
            yield Settlement(key[0], 0, *key[1:], step.command.amount, ZERO, "turned-away", step.refusal.clauses)
            decided.add(key)


def _list_returned(key: Key, steps: tuple[ReplayStep, ...]) -> Settlement:
    box, player, wager = key
    for step in steps:
        for event in step.events:
            if not isinstance(event, ev.WagerReturned | ru.BetTurnedAway) or event.box not in (box, box.rstrip("ab")):
                continue
            if (event.player, event.wager) == (player, wager):
                return Settlement(box, 0, player, wager, event.amount, ZERO, "returned", event.clauses)
    return Settlement(box, 0, player, wager, ZERO, ZERO, "returned", ())


def _foreign_cards(rounds: Iterable[PlayedRound]) -> Iterator[str]:
    for played in rounds:
        rules = played.state.rules
        yield from find_impossible(played.recorded.cards, rules.decks, rules.deck_cards)
