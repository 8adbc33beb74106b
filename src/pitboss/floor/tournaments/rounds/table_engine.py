"""The game of one table of a tournament: the table engine, asked within one decision of the tournament."""

from __future__ import annotations

from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.rounds.undisclosed import reveal_forms
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import PlayTable
from pitboss.table import Refusal, decide
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import DEALER, Asker
from pitboss.table.state import Phase, State
from pitboss.table.unattended import needs_shuffle, open_shoe

MOST_SHUFFLES = 3
"""How often the cards can have to be shuffled before a deal: once, and once more if the cut card comes first."""


class TableEngine:
    """The game of one table within one decision."""

    def __init__(self, draft: TournamentDraft, table: PlayTable) -> None:
        self.draft = draft
        self.name = table.name
        self.game: State = table.table
        self.events: list[ev.Event] = []
        self.shuffles = 0

    def ask(self, command: cmd.Command, by: Asker = DEALER) -> None:
        """Have the engine do something, or refuse what was asked."""
        self.shuffle_if_due()
        answer = decide(self.game, command, by)
        if isinstance(answer, Refusal):
            raise Refused(answer.reason, answer.clauses)
        self.game = answer.state
        self.events += answer.events
        if self.game.phase is not Phase.BETTING:
            self.shuffle_if_due()

    def try_out(self, command: cmd.Command, by: Asker = DEALER) -> bool:
        """Have the engine do something, if it grants it."""
        answer = decide(self.game, command, by)
        if isinstance(answer, Refusal):
            return False
        self.game = answer.state
        self.events += answer.events
        return True

    def shuffle_if_due(self) -> None:
        """The cards are shuffled where they must be, from the chance of this decision."""
        while needs_shuffle(self.game):
            if self.shuffles >= MOST_SHUFFLES:
                raise Refused("there are not enough cards for this table")
            entropy = bytes([self.shuffles]) + self.name.encode() + self.draft.now.entropy
            opened = open_shoe(self.game, entropy)
            self.game, self.shuffles = opened.state, self.shuffles + 1
            self.events += opened.events

    def keep(self, clauses: tuple[str, ...] = ()) -> None:
        """What the engine did happens; nobody can have staked more than they have."""
        if self.events:
            self.draft.emit(te.TableHappened(table=self.name, events=tuple(self.events), clauses=clauses))
            self.events = []
        for key, chips in self.draft.state.stacks.items():
            if chips < 0:
                raise Refused(f"{key} has fewer tournament chips than this takes")
        if self.game.phase is Phase.SETTLED:
            reveal_forms(self.draft, self.name)


def find_open(draft: TournamentDraft, name: str, *powers: str) -> PlayTable:
    """A table in play for whoever runs it, while nothing holds play up."""
    draft.check_staff(*powers)
    table = draft.find_play_table(name)
    if draft.state.dispute is not None:
        raise draft.refuse("a dispute is open: play waits until it is decided", "dispute")
    return table
