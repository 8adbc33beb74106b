"""A player at a table, as both faces use it: give a command, ask what comes next, and have everything kept.

Here is the one place that changes: the current session. What has been decided is handed to the keeper before anybody
sees what it led to; a settled round is handed over as a record, a shoe that is put away as a shoe file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pitboss.money import ZERO, Money, show
from pitboss.records import write
from pitboss.records.log import from_events
from pitboss.table import Refusal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.shoe_proof import encode_shoe_file, shoe_files
from pitboss.table.state import Phase
from pitboss.tui.session import journal
from pitboss.tui.session.moves import Ask, calls_deal, last_bets, next_move
from pitboss.tui.session.robots import Advisor
from pitboss.tui.session.session import Session, SessionStep, buy_in, perform, weigh
from pitboss.tui.session.setup import Policy


class Keeper(Protocol):
    """Where a session is kept."""

    def line(self, text: str) -> None:
        """Append a line to the journal and see that it is on the disk."""

    def record(self, number: int, text: str) -> str:
        """Keep the record of a round; returns where it is, for the player to read."""

    def shoe(self, number: int, text: str) -> str:
        """Keep the file of a shoe that was put away; returns where it is, for the player to read."""

    @property
    def place(self) -> str:
        """Where the journal is, for the player to read."""


class SavedShoe(NamedTuple):
    """A shoe that was put away: its number, its seal, and where its file is."""

    number: int
    seal: str
    path: str


class LiveSession:
    """The current session, and what goes on around it."""

    def __init__(
        self,
        session: Session,
        advisor: Advisor,
        keeper: Keeper,
        *,
        log: Sequence[ev.Event] = (),
        check: str | None = "",
    ) -> None:
        """A session that begins here; or one that is resumed, with the log and the last check of its journal."""
        self.session = session
        self.advisor = advisor
        self.keeper = keeper
        self.recorded = ""
        """Where the last record was put."""
        self.log = [*log] or [journal.open_log(session)]
        self.shoes: list[SavedShoe] = []
        """The shoes that were put away."""
        self._check = check
        advisor.prepare(session.rules)
        if not log:
            self._write(journal.head_line(session))
        self._save_shoes()

    def _write(self, line: str) -> None:
        """Append a line to the journal, with its check unless the journal has none."""
        if self._check is not None:
            line, self._check = journal.add_check(line, self._check)
        self.keeper.line(line)

    def _save_shoes(self) -> None:
        """Save the files of the shoes that were put away since the last time."""
        for file in shoe_files(self.log)[len(self.shoes) :]:
            place = self.keeper.shoe(file.number, encode_shoe_file(file))
            self.shoes.append(SavedShoe(file.number, file.commitment, place))

    @property
    def may_take_long(self) -> bool:
        """A robot that plays by values may be next, and have to have them worked out."""
        deciding = self.session.state.phase in (Phase.OFFERS, Phase.TURNS)
        return deciding and any(robot.policy is not Policy.RANDOM for robot in self.session.setup.robots)

    def move(self) -> cmd.Command | Ask:
        """What happens next by itself, or the question to the player."""
        return next_move(self.session, self.advisor)

    def do(self, command: cmd.Command) -> Refusal | None:
        """Give a command to the table; the refusal, if it is one."""
        answer = perform(self.session, command)
        if isinstance(answer, Refusal):
            return answer
        before = self.session.state.phase
        self.session, step = answer
        self._keep(step, settled=before is not Phase.SETTLED and self.session.state.phase is Phase.SETTLED)
        return None

    def _keep(self, step: SessionStep, *, settled: bool) -> None:
        self._write(journal.step_line(step))
        self.log.extend(step.events)
        if any(isinstance(event, ev.ShoeRetired) for event in step.events):
            self._save_shoes()
        if settled:
            played = self.session.round
            rounds = (*self.session.chain, played)
            events = [event for each in rounds for kept in each.steps for event in kept.events]
            title = f"Round {played.opened.round} of a session"
            record = from_events(rounds[0].opened, events, title=title)
            self.recorded = self.keeper.record(played.opened.round, write(record))

    def go_on(self) -> Ask:
        """Let everything happen that needs no answer of the player's."""
        while True:
            move = self.move()
            if isinstance(move, Ask):
                return move
            refusal = self.do(move)
            if refusal is not None:
                raise AssertionError(f"the table refuses its own move {move}: {refusal}")

    # ------------------------------------------------------------------ betting

    def bet(self, box: str, amount: Money, wager: str = "main") -> Refusal | None:
        """Put the player's money on a box."""
        session = self.session
        return self.do(
            cmd.PlaceBet(
                box=box,
                player=session.me,
                amount=amount,
                wager=wager,
                seated=wager == "main" and box == session.setup.box,
                checked=False,
            )
        )

    def take_off(self, box: str, wager: str = "main") -> Refusal | None:
        """Take the player's money off a box; with the main wager go the side wagers that lean on it."""
        refusal = self.do(cmd.RemoveBet(box=box, player=self.session.me, wager=wager))
        if refusal is None and wager == "main":
            for bet in self.session.state.bets:
                if (bet.player, bet.box) == (self.session.me, box):
                    self.do(cmd.RemoveBet(box=box, player=self.session.me, wager=bet.wager))
        return refusal

    def bet_again(self) -> Refusal | None:
        """The wagers of the last round once more."""
        for bet in last_bets(self.session):
            refusal = self.do(bet)
            if refusal is not None:
                return refusal
        return None

    def rebuy(self, amount: Money) -> None:
        """Buy in once more."""
        self.session = buy_in(self.session, amount)
        self._write(journal.rebuy_line(amount))

    def deal(self, *, sit_out: bool = False) -> Refusal | None:
        """The player is ready, or sits this round out: others bet, and the cards are dealt."""
        mine = any(bet.player == self.session.me and bet.wager == "main" for bet in self.session.state.bets)
        if not mine and not sit_out:
            return Refusal("you have no wager on a box yet", self.session.rules.clauses("initial_deal"))
        refusal = self._under_minimum()
        if refusal is not None:
            return refusal
        for command in calls_deal(self.session):
            refusal = self.do(command)
            if refusal is not None and isinstance(command, cmd.Deal):
                return refusal
        return None

    def _under_minimum(self) -> Refusal | None:
        """The dealer points at the sign before a card is dealt."""
        session = self.session
        least = session.setup.limits.minimum
        totals: dict[str, Money] = {}
        for bet in session.state.bets:
            if bet.player == session.me and bet.wager == "main":
                both = session.rules.boxes_per_area if bet.box.isdigit() else 1
                area = bet.box.rstrip("ab")
                totals[area] = totals.get(area, ZERO) + bet.amount * both
        for box, amount in totals.items():
            if least is not None and amount < least:
                clauses = session.rules.clauses("limits", "under_minimum")
                return Refusal(f"the minimum is {show(least)}, and box {box} has {show(amount)}", clauses)
        return None

    # ------------------------------------------------------------------ weighing

    def weigh(self, index: int, cost: float, best: str) -> None:
        """A decision has been weighed."""
        self.session = weigh(self.session, index, cost, best)
        self._write(journal.write_weighed(index, cost, best))


def resume_session(restored: journal.Restored, advisor: Advisor, keeper: Keeper) -> LiveSession:
    """The session of a journal, where it was left."""
    return LiveSession(restored.session, advisor, keeper, log=restored.log, check=restored.check)
