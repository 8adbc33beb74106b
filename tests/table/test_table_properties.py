"""What holds at every table, whatever the game, the options, the wagers and the order of things.

A Hypothesis machine places wagers, deals, decides and goes on for several rounds at random tables of each game, and
after every command checks: chips and cards are conserved, what is listed as legal is accepted and nothing else is,
`decide` is pure, a refusal changes nothing, the events folded again give the same state, everything goes through JSON
and back, and nobody's view changes when the cards still in the shoe are exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import msgspec
import pytest
from accounts import Account
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from speeds import few
from worlds import AMOUNTS, PLAYERS, meters, shoes, signs, tables

from pitboss.cards import Card
from pitboss.rulebooks import clause_exists, games
from pitboss.table import Decision, Phase, Refusal, State, decide, evolve, legal, open_table, results
from pitboss.table.codec import decode_command, decode_events, decode_state, encode, encode_events
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.shoe.shoe_folds import on_layout
from pitboss.table.state import Fate
from pitboss.table.views import Observer, Viewer, view

QUICK = {"max_examples": 4, "stateful_step_count": 25}
FULL = {"max_examples": 30, "stateful_step_count": 50}

IN_PLAY = (Phase.OFFERS, Phase.TURNS)
OBSERVERS = (
    Observer(Viewer.SPECTATOR),
    Observer(Viewer.DEALER),
    Observer(Viewer.SUPERVISOR),
    *(Observer(Viewer.PLAYER, player) for player in PLAYERS[:3]),
)
OUT_OF_CARDS = ("no card is left", "the initial deal needs")


class Table(RuleBasedStateMachine):
    """A table and those around it."""

    game: str

    @initialize(data=st.data())
    def open(self, data: st.DataObject) -> None:
        rules = data.draw(tables(self.game))
        note(f"{self.game} options {rules.options} readings {rules.readings}")
        self.start = open_table(rules, data.draw(signs()), data.draw(meters()))
        self.state, self.log = self.start, []
        self.account = Account()
        self.clause_exists = clause_exists(rules.book)
        self.load(data)

    def load(self, data: st.DataObject) -> None:
        self.cards = data.draw(shoes(self.start.rules))
        self.do(cmd.LoadShoe(cards=self.cards))

    # -------------------------------------------------------------- what is done at the table

    @precondition(lambda self: self.state.phase is Phase.BETTING)
    @rule(data=st.data())
    def bet_and_deal(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, 7))):
            self.ask(self.wager(data))
        if self.state.bets and data.draw(st.integers(0, 5)) == 0:
            bet = data.draw(st.sampled_from(self.state.bets))
            self.do(cmd.RemoveBet(box=bet.box, player=bet.player, wager=bet.wager))
        self.ask(cmd.Deal())

    def wager(self, data: st.DataObject) -> cmd.PlaceBet:
        """A main or side wager on one of the first boxes; now and then one that cannot be placed."""
        rules = self.state.rules
        wager = data.draw(st.sampled_from(("main", "main", *(side.id for side in rules.side_wagers))))
        parts = ("", "", "", "a", "b") if rules.boxes_per_area == 2 and wager == "main" else ("",)
        return cmd.PlaceBet(
            box=f"{data.draw(st.integers(1, 3))}{data.draw(st.sampled_from(parts))}",
            player=data.draw(st.sampled_from(PLAYERS)),
            amount=data.draw(st.sampled_from(AMOUNTS)),
            wager=wager,
            seated=data.draw(st.integers(0, 3)) == 0,
        )

    @precondition(lambda self: self.state.phase in IN_PLAY)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        command = data.draw(st.sampled_from(legal(self.state)))
        self.ask(self.varied(command, data))

    @precondition(lambda self: self.state.phase in IN_PLAY and _chance(self, 20))
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        box = data.draw(st.sampled_from(self.state.boxes))
        self.ask(cmd.LeaveBox(box=box.number, player=box.controller))

    @precondition(lambda self: self.state.phase is not Phase.BETTING and self.state.sides)
    @rule(data=st.data())
    def system_picks(self, data: st.DataObject) -> None:
        pick = data.draw(st.sampled_from(("lucky", "mystery")))
        self.ask(cmd.SystemPick(pick=pick, box=data.draw(st.sampled_from(self.state.sides)).box))

    @precondition(lambda self: self.state.phase is not Phase.BETTING and _chance(self, 12))
    @rule(data=st.data())
    def declare_void(self, data: st.DataObject) -> None:
        boxes = [None, *(box.number for box in self.state.boxes)]
        role = self.state.rules.ladder[-1].id
        self.ask(cmd.Void(role=role, box=data.draw(st.sampled_from(boxes)), reason="a test"))

    @precondition(lambda self: self.state.phase is Phase.SETTLED)
    @rule(data=st.data())
    def next_round(self, data: st.DataObject) -> None:
        self.do(cmd.NextRound())
        self.account = Account()
        if self.state.shoe.left < 40:
            self.load(data)

    def varied(self, command: cmd.Command, data: st.DataObject) -> cmd.Command:
        """A legal command, sometimes with a smaller amount, with sharers, or said by its player."""
        if isinstance(command, cmd.Insure) and data.draw(st.booleans()):
            return msgspec.structs.replace(command, amount=command.amount / 2, by=command.player)
        if isinstance(command, cmd.Split | cmd.Surrender | cmd.Double):
            box = self.state.boxes[self.state.box_index(command.box)]
            names = st.lists(st.sampled_from([bettor.player for bettor in box.bettors]), unique=True)
            if isinstance(command, cmd.Double):
                amounts = dict(command.amounts) | {p: box.bettor(p).stake for p in data.draw(names)}
                return msgspec.structs.replace(command, amounts=tuple(amounts.items()))
            return msgspec.structs.replace(command, players=tuple(data.draw(names)), by=box.controller)
        return command

    # -------------------------------------------------------------- asking, with everything that must hold

    def do(self, command: cmd.Command) -> None:
        """A command that must be accepted."""
        assert not isinstance(self.ask(command), Refusal)

    def ask(self, command: cmd.Command) -> Decision | Refusal:
        note(str(command))
        assert decode_command(encode(command)) == command
        before, written = self.state, encode(self.state)
        answer = decide(before, command)
        assert encode(before) == written, "decide changed the state"
        assert answer == decide(before, command), "decide is not a function"
        if isinstance(answer, Refusal):
            self.check_refusal(answer)
            return answer
        assert isinstance(answer.events[0], ev.Asked)
        assert answer.events[0].command == command
        for event in decode_events(encode_events(answer.events)):
            self.account.follow(self.state, event)
            self.state = evolve(self.state, event)
        self.log.extend(answer.events)
        self.check_events(answer)
        return answer

    def check_refusal(self, refusal: Refusal) -> None:
        assert refusal.reason
        assert "\n" not in str(refusal)
        if self.clause_exists is not None:
            assert all(self.clause_exists(clause) for clause in refusal.clauses), refusal

    def check_events(self, decision: Decision) -> None:
        assert decode_events(encode_events(decision.events)) == decision.events
        assert decision.state == self.state, "decide went on with another state than the fold of its events"
        self.check_cards()
        if self.state.phase is Phase.SETTLED:
            self.check_settled()
        self.check_legal()
        self.check_views()

    # -------------------------------------------------------------- what must hold

    def check_cards(self) -> None:
        shoe = self.state.shoe
        assert shoe.cards == self.cards
        places = Counter(shoe.undealt) + Counter(shoe.burnt) + Counter(shoe.discards) + Counter(on_layout(self.state))
        assert places == Counter(self.cards)
        assert tuple(_dealt(self.log)) == self.cards[: shoe.position]

    def check_settled(self) -> None:
        state = self.state
        self.account.check_settled()
        lines = results(state)
        assert sum(lines.values(), Decimal(0)) == sum((settled.net for settled in state.settlements), Decimal(0))
        placed = {(bet.player, bet.wager) for bet in state.bets}
        assert placed <= {(player, wager) for _, player, wager in lines}
        assert all(settled.clauses for settled in state.settlements if settled.wager == "main"), state.settlements
        assert all(not bet.state for bet in state.sides)
        for box in state.boxes:
            assert all(bettor.insurance is None for bettor in box.bettors)
            assert all(stake.fate is Fate.SETTLED for hand in box.hands for stake in hand.stakes)

    def check_legal(self) -> None:
        """What is listed is accepted, whatever else somebody could think of is refused."""
        listed = {_kind(command): command for command in legal(self.state)}
        for command in listed.values():
            answer = decide(self.state, command)
            assert not isinstance(answer, Refusal) or any(words in answer.reason for words in OUT_OF_CARDS), (
                command,
                answer,
            )
        for command in _universe(self.state):
            if _kind(command) not in listed:
                answer = decide(self.state, command)
                if isinstance(answer, Refusal):
                    self.check_refusal(answer)
                else:
                    assert self.follows_a_card(command, answer.state), f"{command} is accepted, not listed: {listed}"

    def follows_a_card(self, command: cmd.Command, after: State) -> bool:
        """Not listed because a card comes before it: it must be the same as to go on first."""
        gone_on = decide(self.state, cmd.Proceed())
        if isinstance(gone_on, Refusal) or gone_on.state.shoe.position == self.state.shoe.position:
            return False
        second = decide(gone_on.state, command)
        return not isinstance(second, Refusal) and second.state == after

    def check_views(self) -> None:
        """No view depends on the cards still in the shoe."""
        shoe = self.state.shoe
        others = tuple(card for card in reversed(shoe.undealt))
        exchanged = msgspec.structs.replace(shoe, cards=(*shoe.cards[: shoe.position], *others))
        other = msgspec.structs.replace(self.state, shoe=exchanged)
        for observer in OBSERVERS[len(self.log) % 3 :: 3]:
            assert view(self.state, observer) == view(other, observer)

    def teardown(self) -> None:
        if not hasattr(self, "log"):
            return
        state = self.start  # the whole log, through JSON
        for event in decode_events(encode_events(self.log)):
            state = evolve(state, event)
        assert state == self.state, "folded again, the events give another state"
        assert decode_state(encode(state)) == state


def _chance(table: Table, one_in: int) -> bool:
    """Rules that end things are open only now and then."""
    return len(table.log) % one_in == 0


def _dealt(log: list[ev.Event]) -> Iterator[Card]:
    """The cards since the shoe was loaded, in the order in which events dealt them."""
    last = max(n for n, event in enumerate(log) if isinstance(event, ev.ShoeLoaded))
    for event in log[last:]:
        match event:
            case ev.InitialDeal():
                yield from event.cards
            case ev.CardDrawn() | ev.DealerDrew():
                yield event.card


def _kind(command: cmd.Command) -> tuple[str, ...]:
    """A command without its amounts and sharers."""
    fields = (getattr(command, name, "") for name in ("box", "area", "player"))
    return (str(type(command).__struct_config__.tag), *fields)


def _universe(state: State) -> Iterator[cmd.Command]:
    """Every command of the round that somebody could give, on every box in play and one that is not."""
    yield from (cmd.Deal(), cmd.Proceed(), cmd.NextRound())
    for area in ("1", "2", "9", "x"):
        yield cmd.Switch(area=area)
    for number, players in [*((box.number, box.bettors) for box in state.boxes), ("9b", ())]:
        for kind in (cmd.Hit, cmd.Stand, cmd.Double, cmd.Split, cmd.Surrender, cmd.PlayAbsent):
            yield kind(box=number)
        for player in (*(bettor.player for bettor in players), "nobody"):
            yield cmd.TakeEvenMoney(box=number, player=player)
            yield cmd.Forfeit(box=number, player=player)
            yield cmd.Insure(box=number, player=player, amount=Decimal("0.5"))
            yield cmd.DrawPrize(box=number, player=player, amount=Decimal(20))


def _run(name: str, **how_much: int) -> None:
    machine = type("Table", (Table,), {"game": name})
    quiet = list(HealthCheck)
    run_state_machine_as_test(machine, settings=settings(suppress_health_check=quiet, **how_much))


@pytest.mark.parametrize("name", few(games(), 9))
def test_a_table_keeps_its_laws_in_a_few_rounds(name: str) -> None:
    _run(name, **QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_a_table_keeps_its_laws_in_many_rounds(name: str) -> None:
    _run(name, **FULL)
