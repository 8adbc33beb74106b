"""A session at one table: what was decided, what it led to, and what the player has left.

A session is a value. `perform` answers a command with the session after it, or with the table's refusal; `next_move`
in `moves` says what happens next by itself or whom it waits for. Every step (a command and its events) can be written
down the moment it is taken, and a session folded from its steps is the session that took them.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from pitboss.cards import VALUE
from pitboss.money import ZERO, Money, show
from pitboss.play.doubling import double_is_free
from pitboss.play.splitting import split_is_free
from pitboss.records.narrate.table_events import Around
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Refusal, decide, evolve, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.notation import name_of
from pitboss.table.state import Fate, Phase, State
from pitboss.tui.session.player_log import Line, amount_text, tell_player
from pitboss.tui.session.setup import Setup, check_setup

DECISIONS = (
    cmd.Hit, cmd.Stand, cmd.Double, cmd.Split, cmd.Surrender, cmd.Insure, cmd.TakeEvenMoney, cmd.Switch, cmd.Forfeit,
    cmd.PlayAbsent,
)  # fmt: skip
"""What a player can only decide once there are cards."""

LOG_LINES = 400
"""Lines of the log that are kept; the journal keeps everything."""


class SessionStep(msgspec.Struct, frozen=True):
    """A decision of the table's: that something was asked, and what followed from it."""

    events: tuple[ev.Event, ...]

    @property
    def command(self) -> cmd.Command:
        """What was asked."""
        first = self.events[0]
        assert isinstance(first, ev.Asked)
        return first.command


class SessionRound(msgspec.Struct, frozen=True):
    """A round from the moment betting opened: the state then, and every step since."""

    opened: State
    steps: tuple[SessionStep, ...] = ()


class PlayerDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of the player's. Its cost is unknown until it has been weighed."""

    round: int
    words: str
    about: str
    """The hand it was about, in words."""
    cost: float | None = None
    best: str = ""


class Unweighed(msgspec.Struct, frozen=True):
    """A decision whose cost is still to be worked out: where it stands, the table before it, and the command."""

    index: int
    state: State
    command: cmd.Command


class SessionTally(msgspec.Struct, frozen=True):
    """What the rounds played so far come to."""

    rounds: int = 0
    net: Money = ZERO
    staked: tuple[tuple[str, Money], ...] = ()
    """Original wagers by kind: `main` and side wagers."""

    def with_round(self, state: State, player: str) -> SessionTally:
        """The tally after a settled round in which the player may or may not have had a wager."""
        mine = dict(self.staked)
        for wager, amount in original_wagers(state, player):
            mine[wager] = mine.get(wager, ZERO) + amount
        if not any(bet.player == player for bet in state.bets):
            return self
        return SessionTally(self.rounds + 1, self.net + round_net(state, player), tuple(mine.items()))


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A table with its player, between two commands."""

    setup: Setup
    state: State
    round: SessionRound
    last: SessionRound | None = None
    chain: tuple[SessionRound, ...] = ()
    """Settled rounds before this one that a wager carried over ties to it."""
    lines: tuple[Line, ...] = ()
    tally: SessionTally = SessionTally()
    decisions: tuple[PlayerDecision, ...] = ()
    unweighed: tuple[Unweighed, ...] = ()
    rebought: Money = ZERO
    """What the player has bought in for since the first buy-in."""

    @property
    def me(self) -> str:
        """The player's name."""
        return self.setup.player

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self.state.rules

    @property
    def bought_in(self) -> Money:
        """What the player has brought to the table, rebuys included."""
        return self.setup.bankroll + self.rebought

    @property
    def bankroll(self) -> Money:
        """What the player has, wagers that are not decided yet included."""
        return self.bought_in + self.tally.net + self._this_round()

    @property
    def available(self) -> Money:
        """What the player can still put on the table."""
        return self.bankroll - at_risk(self.state, self.me)

    def _this_round(self) -> Money:
        return ZERO if self.state.phase is Phase.SETTLED else round_net(self.state, self.me)


def round_net(state: State, player: str) -> Money:
    """What a player has won or lost in this round so far."""
    return sum((settled.net for settled in state.settlements if settled.player == player), ZERO)


def is_settled(session: Session, number: int) -> bool:
    """A round of the session is over."""
    return number < session.state.round or session.state.phase is Phase.SETTLED


def original_wagers(state: State, player: str) -> list[tuple[str, Money]]:
    """The wagers of a player that were in play when betting closed, by kind."""
    found = [("main", bettor.stake) for box in state.boxes for bettor in box.bettors if bettor.player == player]
    found += [(side.wager, side.amount) for side in state.sides if side.player == player]
    return found


def at_risk(state: State, player: str) -> Money:
    """Money of a player's that lies on the layout and is not decided yet."""
    if state.phase is Phase.SETTLED:
        return ZERO
    if not state.boxes:
        pair = state.rules.boxes_per_area
        return sum(
            (
                bet.amount * (pair if bet.wager == "main" and bet.box.isdigit() else 1)
                for bet in state.bets
                if bet.player == player
            ),
            ZERO,
        )
    whole = ZERO
    for box in state.boxes:
        bettor = box.bettor(player)
        if bettor is not None and bettor.insurance is not None:
            whole += bettor.insurance
        for hand in box.hands:
            whole += sum((s.money for s in hand.stakes if s.player == player and s.fate is not Fate.SETTLED), ZERO)
    return whole + sum((side.amount for side in state.sides if side.player == player and side.state), ZERO)


# ---------------------------------------------------------------------- beginning and going on


def begin_session(setup: Setup, rules: Rules) -> Session:
    """Sit down at a table that has not dealt yet."""
    check_setup(setup, rules)
    return at_table(setup, open_table(rules, setup.limits, setup.meters))


def at_table(setup: Setup, state: State) -> Session:
    """A session at a table as it stands."""
    return Session(setup=setup, state=state, round=SessionRound(state))


def perform(session: Session, command: cmd.Command) -> tuple[Session, SessionStep] | Refusal:
    """The session after a command and the step to write down; or why the table refuses, and nothing has changed."""
    barred = _too_early(session, command) or _too_dear(session, command)
    if barred is not None:
        return barred
    answer = decide(session.state, command)
    if isinstance(answer, Refusal):
        return answer
    step = SessionStep(answer.events)
    return take_step(session, step), step


def take_step(session: Session, step: SessionStep) -> Session:
    """Fold a step that has happened into the session."""
    decision = decision_of(session.state, step.command, session.me) if _is_asked(session, step.command) else None
    decisions, unweighed = session.decisions, session.unweighed
    if decision is not None:
        unweighed = (*unweighed, Unweighed(len(decisions), session.state, step.command))
        decisions = (*decisions, decision)
    state = session.state
    lines = list(session.lines)
    for event in step.events:
        around = Around(state, evolve(state, event))
        lines.extend(tell_player(around, event, session.me))
        state = around.after
    tally, last, chain, current = session.tally, session.last, session.chain, session.round
    current = SessionRound(current.opened, (*current.steps, step))
    if state.phase is Phase.SETTLED and session.state.phase is not Phase.SETTLED:
        tally = tally.with_round(state, session.me)
    if state.round != session.state.round:
        chain = (*chain, current) if state.carried else ()
        last, current = current, SessionRound(state)
    return replace(
        session, state=state, round=current, last=last, chain=chain, lines=tuple(lines[-LOG_LINES:]), tally=tally,
        decisions=decisions, unweighed=unweighed,
    )  # fmt: skip


def _too_early(session: Session, command: cmd.Command) -> Refusal | None:
    """A decision about cards that nobody has yet."""
    if session.state.phase is not Phase.BETTING or not isinstance(command, DECISIONS):
        return None
    return Refusal("no cards are dealt yet: decisions come after the deal", session.rules.clauses("initial_deal"))


def _too_dear(session: Session, command: cmd.Command) -> Refusal | None:
    """The player's own money is not enough."""
    price = price_of(session.state, command, session.me)
    if price <= session.available or not price:
        return None
    return Refusal(f"you have {show(max(session.available, ZERO))} left, and this takes {show(price)}", ())


def price_of(state: State, command: cmd.Command, player: str) -> Money:
    """What a command makes a player put on the table."""
    match command:
        case cmd.PlaceBet(player=who, amount=amount) if who == player:
            pair = command.wager == "main" and command.box.isdigit()
            return amount * state.rules.boxes_per_area if pair else amount
        case cmd.Insure(player=who, amount=amount) if who == player:
            return amount
        case cmd.Double(amounts=amounts) if not double_is_free(state.packed):
            return dict(amounts).get(player, ZERO)
        case cmd.Split(box=number):
            return _split_price(state, number, player, command.players)
    return ZERO


def _split_price(state: State, number: str, player: str, matching: tuple[str, ...]) -> Money:
    index = state.box_index(number)
    if index < 0:
        return ZERO
    box = state.boxes[index]
    bettor = box.bettor(player)
    if bettor is None or (player != box.controller and player not in matching):
        return ZERO
    return ZERO if split_is_free(state.packed, split_value(state, number)) else bettor.stake


def split_value(state: State, number: str) -> int:
    """The value of the cards that a split of the box would part."""
    index = state.box_index(number)
    at = state.turn[1] if state.turn is not None and state.turn[0] == index else 0
    return VALUE[state.boxes[index].hands[at].cards[0]]


# ---------------------------------------------------------------------- decisions


def belongs_to(state: State, command: cmd.Command, player: str) -> bool:
    """The command is this player's to give."""
    match command:
        case cmd.Insure() | cmd.TakeEvenMoney() | cmd.Forfeit() | cmd.DrawPrize():
            return command.player == player
        case cmd.Hit() | cmd.Stand() | cmd.Double() | cmd.Split() | cmd.Surrender() | cmd.PlayAbsent():
            return _controls(state, command.box, player)
        case cmd.Switch():
            return _controls(state, f"{command.area}a", player)
    return False


def _controls(state: State, number: str, player: str) -> bool:
    index = state.box_index(number)
    return index >= 0 and state.boxes[index].controller == player


def decision_of(state: State, command: cmd.Command, player: str) -> PlayerDecision | None:
    """The decision that a command is, if the player makes it; going on declines what was on offer to the player."""
    if state.phase not in (Phase.OFFERS, Phase.TURNS) or isinstance(command, cmd.DrawPrize):
        return None
    along = goes_along(state, command, player)
    if along:
        words = f"to {name_of(command)} along" if command == along[0] else f"to stay behind a {name_of(command)}"
        return PlayerDecision(
            round=state.round, words=f"{words} on box {along[0].box}", about=_about(state, command, player)
        )
    mine = belongs_to(state, command, player)
    if isinstance(command, cmd.Proceed):
        mine = any(belongs_to(state, other, player) and not isinstance(other, cmd.DrawPrize) for other in legal(state))
    if not mine:
        return None
    return PlayerDecision(
        round=state.round, words=_name_decision(state, command, player), about=_about(state, command, player)
    )


def _is_asked(session: Session, command: cmd.Command) -> bool:
    """Nobody is asked to go along with what they cannot pay."""
    along = goes_along(session.state, command, session.me)
    return not along or price_of(session.state, along[0], session.me) <= session.available


def goes_along(state: State, command: cmd.Command, player: str) -> tuple[cmd.Double | cmd.Split, ...]:
    """Where another calls a box that the player shares: the double or split with the player in it, and without.

    Nothing where the player is not asked.
    """
    if not isinstance(command, cmd.Double | cmd.Split) or state.turn is None:
        return ()
    box = state.boxes[state.turn[0]]
    on = next((stake for stake in box.hands[state.turn[1]].stakes if stake.player == player), None)
    bettor = box.bettor(player)
    if player == box.controller or on is None or bettor is None or on.fate is not Fate.PLAYS or on.winning <= 0:
        return ()
    if isinstance(command, cmd.Double):
        others = tuple((name, amount) for name, amount in command.amounts if name != player)
        along = replace(command, amounts=(*others, (player, dict(command.amounts).get(player, bettor.stake))))
        return along, replace(command, amounts=others)
    without = tuple(name for name in command.players if name != player)
    return replace(command, players=(*without, player)), replace(command, players=without)


def _name_decision(state: State, command: cmd.Command, player: str) -> str:
    """A decision as the player would call it: `to stand on box 5`, `to double for 10 on box 5`."""
    if isinstance(command, cmd.Proceed):
        return "to continue"
    place = getattr(command, "box", "") or getattr(command, "area", "")
    verb = {
        "even-money": "take even money",
        "absent": "leave the hand to the dealer",
        "forfeit": "take the double back",
    }
    less = ""
    if isinstance(command, cmd.Double):
        bettor = state.boxes[state.box_index(command.box)].bettor(player)
        amount = dict(command.amounts).get(player)
        less = f" for {show(amount)}" if bettor is not None and amount is not None and amount < bettor.stake else ""
    return f"to {verb.get(name_of(command), name_of(command))}{less} on box {place}"


def find_box(state: State, command: cmd.Command, player: str) -> str:
    """The box that a decision is about; for going on, the box in turn or the first with an offer to the player."""
    number = str(getattr(command, "box", ""))
    if number:
        return number
    if state.turn is not None:
        return state.boxes[state.turn[0]].number
    offered = (str(getattr(other, "box", "")) for other in legal(state) if belongs_to(state, other, player))
    return next(filter(None, offered), "")


def _about(state: State, command: cmd.Command, player: str) -> str:
    number = find_box(state, command, player) if isinstance(command, cmd.Proceed) else getattr(command, "box", "")
    index = state.box_index(number)
    if index < 0:
        return f"against {state.dealer[0]}" if state.dealer else ""
    hands = state.boxes[index].hands
    at = state.turn[1] if state.turn is not None and state.turn[0] == index else 0
    return f"{' '.join(hands[at].cards)} against {state.dealer[0]}"


def buy_in(session: Session, amount: Money) -> Session:
    """The session after the player has bought in once more."""
    line = Line(f"You buy in again for {amount_text(amount)}.", tone="note", mine=True)
    return replace(session, rebought=session.rebought + amount, lines=(*session.lines, line)[-LOG_LINES:])


def weigh(session: Session, index: int, cost: float, best: str) -> Session:
    """The session with one decision's cost known."""
    decision = replace(session.decisions[index], cost=cost, best=best)
    decisions = (*session.decisions[:index], decision, *session.decisions[index + 1 :])
    rest = tuple(item for item in session.unweighed if item.index != index)
    return replace(session, decisions=decisions, unweighed=rest)


def list_moments(played: SessionRound, me: str) -> list[tuple[State, tuple[Line, ...]]]:
    """A round as the states it went through, each with what was said of it; what is not spoken of comes with that."""
    found: list[tuple[State, tuple[Line, ...]]] = [(played.opened, ())]
    state = played.opened
    for step in played.steps:
        for event in step.events:
            around = Around(state, evolve(state, event))
            said = tuple(tell_player(around, event, me))
            state = around.after
            if said:
                found.append((state, said))
            else:
                found[-1] = (state, found[-1][1])
    return found
