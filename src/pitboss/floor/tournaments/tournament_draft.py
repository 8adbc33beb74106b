"""What a decision of a tournament is worked out with: a state that grows by events, the money, and who may do what."""

from __future__ import annotations

import functools
from typing import Any

from pitboss.floor.house_orders import check_role
from pitboss.floor.house_state import find_exclusion
from pitboss.floor.ledger import Transfer
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.tournament_clauses import cite_matters, read_term
from pitboss.floor.tournaments.tournament_folds import fold_tournament
from pitboss.floor.tournaments.tournament_state import EntryStatus, PlayTable, TournamentEntry, TournamentState
from pitboss.rulebooks import load_book
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.authority import name_role
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import HOUSE, PLAYER, SYSTEM, Asker

ADMINISTRATOR = "administrator"
BY_HAND = frozenset(("casino-operator", ADMINISTRATOR))
"""Who acts for the operator beside the highest role of the book."""


class TournamentDraft:
    """The events so far, the tournament after them, and what they move."""

    __slots__ = ("by", "events", "now", "state", "transfers")

    def __init__(self, state: TournamentState, by: Asker, now: FloorNow) -> None:
        self.state = state
        self.by = by
        self.now = now
        self.events: list[te.TournamentEvent] = []
        self.transfers: list[Transfer] = []

    def emit(self, event: te.TournamentEvent) -> None:
        """Something happens."""
        folded = fold_tournament(self.state, event, self.now.at_ms)
        self.state = folded.state
        self.events.append(event)
        self.transfers += folded.transfers

    def cite(self, *matters: str) -> tuple[str, ...]:
        """The clauses of these matters in the book of the tournament."""
        name = self.state.format.competition if self.state.format is not None else "tournament"
        return cite_matters(self.state.book, name, *matters)

    def read(self, term: str, default: Any) -> Any:
        """A value that the book sets for the competition."""
        return read_term(self.state.book, self.state.form.competition, term, default)

    def refuse(self, reason: str, *matters: str) -> Refused:
        """A refusal that cites the clauses of `matters`."""
        return Refused(reason, self.cite(*matters))

    def funds(self, account: str) -> int:
        """What is in an account now, in grains."""
        moved = sum((item.credit == account) * item.amount - (item.debit == account) * item.amount
                    for item in self.transfers)  # fmt: skip
        return self.now.funds(account) + moved

    # ------------------------------------------------------------------ who asks

    def check_operator(self, *matters: str) -> None:
        """Refuse whoever does not act for the operator, by the clauses of what they ask for."""
        by = self.by
        if by == HOUSE:
            return
        if by.role in BY_HAND:
            check_role(self.now.house, by, "" if by.role == ADMINISTRATOR else self.state.book)
            return
        ladder = read_ladder(self.state.book)
        power = ladder.authority.get("conduct-tournament")
        least = ladder.rank(power.role) if power is not None else len(ladder.ladder) - 1
        if ladder.rank(by.role) < least:
            raise self.refuse(f"{name_role(by.role)} does not act for the operator in this", *matters, "tournament")
        check_role(self.now.house, by, self.state.book)

    def check_manager(self, *matters: str) -> None:
        """Refuse whoever is not in charge of the tournament, by the clauses of what they ask for."""
        if self.by == HOUSE or (self.by.role != PLAYER and self.by.name and self.by.name in self.state.managers):
            return
        who = " or ".join(self.state.managers) or "nobody yet"
        raise self.refuse(f"whoever is in charge of the tournament does this: {who}", *matters, "manager")

    def check_staff(self, *powers: str) -> None:
        """Refuse whoever is not of the staff, or below the role that the first of `powers` in the book asks for."""
        by = self.by
        if by in (HOUSE, SYSTEM) or not by.name or by.name in self.state.managers:
            if by.role == PLAYER:
                raise Refused("this is not a player's to ask for")
            return
        ladder = read_ladder(self.state.book)
        if by.role == PLAYER or ladder.rank(by.role) < 0:
            raise Refused(f"{name_role(by.role)} does not run a table of this tournament")
        for name in powers:
            power = ladder.authority.get(name)
            if power is not None and ladder.rank(by.role) < ladder.rank(power.role):
                raise Refused(f"{name_role(by.role)} may not do this: {power.role} or above", power.clauses)
        check_role(self.now.house, by, self.state.book)

    def name_player(self, named: str) -> str:
        """Who a command of a player's is about: the asker, or whom the staff names."""
        if self.by.role == PLAYER:
            return self.by.name
        if not named:
            raise Refused("say which player")
        self.check_staff()
        return named

    # ------------------------------------------------------------------ what is asked about

    def find_entry(self, player: str, key: str = "") -> TournamentEntry:
        """The entry of somebody, who is in the tournament."""
        held = next((entry.key for entry in self.state.entries.values() if entry.holder == player), "")
        key = key or self.state.find_key(player) or held
        entry = self.state.entries.get(key)
        if entry is None or player not in (entry.player, entry.holder):
            raise self.refuse(f"{player} has no such entry in this tournament", "tournament")
        return entry

    def find_in(self, player: str) -> TournamentEntry:
        """The entry of somebody who is still in."""
        entry = self.find_entry(player)
        if entry.status is not EntryStatus.IN:
            raise self.refuse(f"{player} is no longer in the tournament: {entry.status}", "tournament")
        return entry

    def find_seat(self, player: str) -> tuple[PlayTable, str]:
        """Where somebody plays now, and their entry."""
        key = self.state.find_key(player)
        table = self.state.find_table(key) if key else None
        if table is None:
            raise self.refuse(f"{player} has no seat at a table of this tournament", "own_place")
        if key not in table.active:
            raise self.refuse(f"{player} is out of this session", "tournament")
        return table, key

    def find_play_table(self, name: str) -> PlayTable:
        """A table in play."""
        table = self.state.in_play.get(name)
        if table is None:
            known = ", ".join(self.state.in_play) or "none"
            raise Refused(f"no session is played at a table {name[:40]}; tables in play: {known}")
        return table

    def check_may_enter(self, player: str) -> None:
        """Refuse whoever may not enter the casino or play, and whom nobody knows."""
        if player not in self.now.house.people:
            raise self.refuse(f"there is nobody called {player[:40]} here", "eligible")
        shut = find_exclusion(self.now.house, player, self.state.form.game, "")
        if shut is not None:
            raise self.refuse(f"{player} may not enter and gamble here", "eligible")


@functools.cache
def read_ladder(book: str) -> Rules:
    """The rules of a book's first game, for its roles and powers."""
    loaded = load_book(book)
    return loaded.rules(next(iter(loaded.games)))
