"""People in the course of a tournament: absent, back, disqualified, in dispute."""

from __future__ import annotations

from pitboss.floor.ledger import from_grains
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.format import AbsenceRule
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import EntryStatus, TournamentPhase
from pitboss.money import ZERO
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import PLAYER
from pitboss.table.state import Phase

GROUNDS = {
    "breach": "disqualify_breach",
    "no-wager": "disqualify_no_wager",
    "stack": "disqualify_stack",
    "hidden-chips": "disqualify_hidden",
    "absence": "disqualify_absent",
}
"""Why somebody may be disqualified, and the matter on which clauses are cited for it."""


def mark_absent(draft: TournamentDraft, command: tc.MarkAbsent) -> None:
    """Whoever is in charge has the minimum deducted for each round that somebody misses."""
    draft.check_manager("absent")
    table, key = draft.find_seat(command.player)
    if key in table.absent:
        raise draft.refuse(f"{command.player} is marked absent already", "absent")
    if key in table.wagers or key in table.forms:
        raise draft.refuse(f"{command.player} has wagered in this round", "absent")
    draft.emit(te.AbsenceMarked(table=table.name, key=key, absent=True, clauses=draft.cite("absent")))


def mark_present(draft: TournamentDraft, command: tc.MarkPresent) -> None:
    """Somebody is back and plays again."""
    draft.check_manager("absent")
    table, key = draft.find_seat(command.player)
    if key not in table.absent:
        raise draft.refuse(f"{command.player} is not marked absent", "absent")
    draft.emit(te.AbsenceMarked(table=table.name, key=key, absent=False, clauses=draft.cite("absent")))


def disqualify_player(draft: TournamentDraft, command: tc.DisqualifyPlayer) -> None:
    """Somebody is put out; the fee comes back to the absent only, and only if whoever is in charge says so."""
    matter = GROUNDS[command.ground]
    draft.check_manager(matter)
    if not command.reason:
        raise draft.refuse("whoever disqualifies a player gives a reason", matter)
    state = draft.state
    if state.phase is TournamentPhase.NEW:
        raise draft.refuse("there is no tournament yet", "terms")
    entry = draft.find_entry(command.player)
    if entry.status not in (EntryStatus.IN, EntryStatus.OUT) or state.phase in (
        TournamentPhase.PAID, TournamentPhase.CANCELLED
    ):  # fmt: skip
        raise draft.refuse(f"{command.player} is {entry.status}", matter)
    absent = command.ground == "absence"
    if absent and state.form.absence is AbsenceRule.DEDUCT:
        raise draft.refuse("the terms do not disqualify the absent", matter)
    table = state.find_table(entry.key)
    if absent and (table is None or entry.key not in table.absent):
        raise draft.refuse(f"{command.player} is not marked absent", matter)
    if table is not None and table.table.phase not in (Phase.BETTING, Phase.SETTLED):
        raise draft.refuse("a round is being played: disqualify when it is settled", matter)
    if command.refund and not absent:
        raise draft.refuse("no entry fee goes back to whoever is disqualified for this", matter)
    chips = from_grains(state.stacks.get(entry.key, 0)) if table is not None else ZERO
    draft.emit(
        te.PlayerDisqualified(
            key=entry.key, ground=command.ground, reason=command.reason, refund=entry.fee if command.refund else ZERO,
            kept=chips * state.form.chips_to_cash if absent else ZERO, clauses=draft.cite(matter),
        )
    )  # fmt: skip


def raise_dispute(draft: TournamentDraft, command: tc.RaiseDispute) -> None:
    """A player disputes something, or an applicant that their entry was refused, and play waits."""
    player = draft.by.name if draft.by.role == PLAYER else draft.name_player(command.player)
    if player not in draft.state.refused:
        draft.find_entry(player)
    if draft.state.dispute is not None:
        raise draft.refuse("a dispute is open already", "dispute")
    if draft.state.phase in (TournamentPhase.PAID, TournamentPhase.CANCELLED):
        raise draft.refuse("the tournament is over", "dispute")
    if not command.matter:
        raise Refused("say what is disputed")
    draft.emit(te.DisputeRaised(player=player, matter=command.matter, clauses=draft.cite("dispute")))


def decide_dispute_finally(draft: TournamentDraft, command: tc.DecideTournamentDispute) -> None:
    """Whoever is in charge decides, and nobody after them; play goes on."""
    draft.check_manager("dispute")
    if draft.state.dispute is None:
        raise draft.refuse("no dispute is open", "dispute")
    if not command.ruling:
        raise draft.refuse("a decision says what is decided", "dispute")
    decided = te.TournamentDisputeDecided(
        ruling=command.ruling, upheld=command.upheld, by=draft.by.name, clauses=draft.cite("dispute")
    )
    draft.emit(decided)
