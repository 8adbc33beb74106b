"""A whole tournament without a server: robots enter, play and are paid, on a floor that holds nothing else.

Everything goes through the commands that people would give, and every decision is posted: what an account may not hold
is noticed at once. Chance comes from a seed, so that the same terms and the same seed give the same tournament.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import HouseState, Person
from pitboss.floor.ledger import (
    CAGE,
    Transfer,
    Unit,
    add_up_changes,
    find_imbalance,
    find_overdraft,
    from_grains,
    to_grains,
    wallet,
)
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.terms.tournament_terms import TournamentTerms
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.course.sevens_tournament import DAY_MS
from pitboss.floor.tournaments.tournament_clauses import SEVENS, read_term
from pitboss.floor.tournaments.tournament_decide import decide_tournament
from pitboss.floor.tournaments.tournament_robots import find_robot_step
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.money import ZERO, Money, parse_money
from pitboss.table import Refusal
from pitboss.table.messages.askers import HOUSE, PLAYER, SYSTEM, Asker

BEGIN_MS = 1_773_165_600_000
"""When the run begins: a moment like any other, the same every time."""
ROUND_MS = 60_000
"""How long a round takes with robots."""
DIRECTOR = "director"
ROBOT = "robot"
POCKET = Money(1000)
"""What a robot has beside the fees and buy-ins."""
MOST_TABLES = 28


class PlayerChips(msgspec.Struct, frozen=True):
    """What somebody has at a table."""

    player: str
    table: str
    chips: Money


class RoundStanding(msgspec.Struct, frozen=True):
    """Who has what after a round, most first."""

    stage: str
    heat: int
    round: int
    standings: tuple[PlayerChips, ...]


class PaidPlace(msgspec.Struct, frozen=True):
    """What a place was paid."""

    place: int
    player: str
    amount: Money
    goods: str = ""


class TournamentRun:
    """One tournament, its ledger and its clock."""

    def __init__(self, terms: TournamentTerms, seed: int = 1, name: str = "tournament") -> None:
        self.terms = terms
        self.seed = seed
        self.state = TournamentState(name=name, book=terms.book)
        self.balances: dict[tuple[str, Unit], int] = {}
        self.people: dict[str, Person] = {}
        self.at_ms = BEGIN_MS
        self.decided = 0
        self.prizes: list[PaidPlace] = []

    def find_refusal(self, command: tc.TournamentCommand, by: Asker) -> Refusal | None:
        """Ask the tournament; what it refuses changes nothing."""
        entropy = hashlib.sha256(f"{self.seed}:{self.decided}".encode()).digest()
        now = FloorNow(
            book=self.state.book, at_ms=self.at_ms, house=HouseState(people=self.people), tables={}, streams={},
            balances=self.balances, entropy=entropy,
        )  # fmt: skip
        answer = decide_tournament(self.state, command, by, now)
        if isinstance(answer, Refusal):
            return answer
        self.move(answer.transfers)
        self.state = answer.state
        self.decided += 1
        for event in answer.events:
            if isinstance(event, te.PrizePaid):
                self.prizes.append(PaidPlace(event.place, event.key, event.amount, event.goods))
        return None

    def must(self, command: tc.TournamentCommand, by: Asker = HOUSE) -> None:
        """Ask for what has to be granted."""
        refusal = self.find_refusal(command, by)
        if refusal is not None:
            raise PitbossError(refusal.why)

    def move(self, transfers: Iterable[Transfer]) -> None:
        """Money moves; accounts of a unit come to zero together, always."""
        changes = add_up_changes(transfers)
        if account := find_overdraft(self.balances, changes):
            raise PitbossError(f"{account} would be below zero")
        for account_and_unit, change in changes.items():
            self.balances[account_and_unit] = self.balances.get(account_and_unit, 0) + change
        if find_imbalance(self.balances):
            raise PitbossError("the accounts of a unit do not come to zero together")

    @property
    def pool(self) -> Money:
        """What the prize pool holds."""
        return from_grains(self.state.pool)

    # ------------------------------------------------------------------ entries

    def admit(self, players: Iterable[str], chips: Money) -> None:
        """People come in with chips."""
        for player in players:
            self.people[player] = Person(player, hm.PersonKind.GUEST)
            if chips:
                self.move((Transfer(CAGE, wallet(player), to_grains(chips)),))

    def open(self) -> None:
        """The terms are lodged and published, everybody is told, entries open."""
        role = (("dealer", self.terms.book),)
        self.people[DIRECTOR] = Person(DIRECTOR, hm.PersonKind.MEMBER, roles=frozenset(role))
        for command in (
            tc.LodgeTournament(terms=self.terms), tc.NameManager(name=DIRECTOR), tc.PublishTerms(),
            tc.TellInspectorate(), tc.OpenEntries(),
        ):  # fmt: skip
            self.must(command)

    def enter_robots(self, number: int) -> None:
        """So many robots enter, or win their entries where these are won."""
        form = self.terms.format
        back = form.buy_back.price if form.buy_back is not None else ZERO
        needs = sum((parse_money(stage.buy_in) for stage in form.stages), parse_money(form.entry_fee) + back)
        names = [f"{ROBOT}{at}" for at in range(1, number + 1)]
        self.admit(names, needs + POCKET)
        for at, player in enumerate(names):
            if form.competition == SEVENS:
                self.must(tc.GrantEntry(player=player, table="won", round=at + 1, box="1"), SYSTEM)
            else:
                self.must(tc.TakeEntry(signed=True), Asker(PLAYER, player))

    def close(self) -> None:
        """Tables are designated and entries close, on the day that the book has for it."""
        form = self.terms.format
        if form.competition == SEVENS:
            self.at_ms += int(read_term(self.terms.book, SEVENS, "about_every_days", 0)) * DAY_MS
        entrants = len(self.state.entries)
        needed = max(-(-entrants // stage.seats) for stage in form.stages)
        tables = min(needed, 7 if form.competition == SEVENS else MOST_TABLES)
        self.must(tc.DesignateTables(tables=tuple(f"t{at}" for at in range(1, tables + 1))))
        self.must(tc.BriefPlayers())
        self.must(tc.CloseEntries())

    # ------------------------------------------------------------------ play

    def play(self) -> Iterator[RoundStanding]:
        """Play to the end, with the standings after every round."""
        while (step := find_robot_step(self.state, self.seed)) is not None:
            command, by = step
            if isinstance(command, tc.StartSession):
                stage = self.state.now_playing
                self.at_ms = max(self.at_ms, self.state.starts.get(stage.name, stage.start_ms))
            before = self.find_round()
            self.must(command, by)
            if isinstance(command, tc.BeginNextRound):
                self.at_ms += ROUND_MS // max(len(self.state.in_play), 1)
            after = self.find_round()
            if before is not None and before != after and self.state.phase is TournamentPhase.PLAYING:
                yield self.list_standings(before)

    def find_round(self) -> int | None:
        """The round that the slowest table is in; none where nothing is played."""
        rounds = [table.round for table in self.state.in_play.values() if not table.over]
        return min(rounds) if rounds else max((item.round for item in self.state.in_play.values()), default=None)

    def list_standings(self, number: int) -> RoundStanding:
        """Everybody with chips, most first."""
        state = self.state
        found = [
            PlayerChips(key, table.name, from_grains(state.stacks.get(key, 0)))
            for table in state.in_play.values()
            for key in table.seats
            if key
        ]
        found.sort(key=lambda item: (-item.chips, item.player))
        return RoundStanding(state.now_playing.name, state.heat + 1, number, tuple(found))
