"""A promotion played from its terms to its end without a server: everybody does what they have to, at the time.

It shows what terms come to: who may win what, when, and by which clauses. Chance comes from a seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import HouseState, Person
from pitboss.floor.ledger import Unit, add_up_changes, from_grains
from pitboss.floor.moments import HOUR_MS, MINUTE_MS
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.promotion_decisions import decide_promotion
from pitboss.floor.promotions.promotion_law import load_promotion_law
from pitboss.floor.promotions.promotion_state import AwardStatus, PromotionState
from pitboss.floor.promotions.promotion_terms import PromotionTerms, needs_scrutineer
from pitboss.floor.promotions.promotion_words import tell_promotion
from pitboss.floor.records.kind import FloorNow
from pitboss.money import Money
from pitboss.table import Refusal
from pitboss.table.messages.askers import PLAYER, SYSTEM, Asker

OPERATOR = "operator"
"""The name of whoever acts for the casino operator in such a run."""


class RunLine(msgspec.Struct, frozen=True):
    """One thing that happened, and when."""

    at_ms: int
    by: str
    sentence: str
    clauses: tuple[str, ...]


class PromotionRun(msgspec.Struct, frozen=True):
    """A promotion after its last step."""

    state: PromotionState
    lines: tuple[RunLine, ...]
    balances: dict[tuple[str, Unit], int]

    def list_winners(self) -> list[dict[str, Any]]:
        """Each prize with its winner, as plain data."""
        prizes = self.state.terms.list_prizes() if self.state.terms else []
        return [
            {
                "prize": won.number, "name": prize.name, "value": prize.value, "player": won.player,
                "entry": won.entry, "status": str(won.status),
            }
            for won, prize in zip(self.state.won, prizes, strict=False)
        ]  # fmt: skip

    def list_paid(self) -> dict[str, Money]:
        """What each account holds in the end, by its name and unit."""
        return {
            f"{account} {unit}".removesuffix(" chip"): from_grains(grains)
            for (account, unit), grains in sorted(self.balances.items())
            if grains
        }


def run_promotion(name: str, terms: PromotionTerms, entrants: Sequence[str], seed: int) -> PromotionRun:
    """Lodge the terms, take the entries in their order, draw, notify, pay and end; each by whoever does it."""
    return _Runner(name, terms, entrants, seed).run()


class _Runner:
    def __init__(self, name: str, terms: PromotionTerms, entrants: Sequence[str], seed: int) -> None:
        law = load_promotion_law(terms.book)
        powers = law.rules.authority
        self.terms, self.entrants, self.seed, self.law = terms, entrants, seed, law
        self.operator = Asker(powers["offer-promotion"].role, OPERATOR)
        self.scrutineer = Asker(powers["oversee-draw"].role, terms.scrutineer)
        self.at_ms = terms.opens - law.lodging_ms
        self.state = PromotionState(name=name, book=terms.book)
        self.balances: dict[tuple[str, Unit], int] = {}
        self.lines: list[RunLine] = []
        people = {player: Person(player, hm.PersonKind.MEMBER) for player in entrants}
        for by in (self.operator, self.scrutineer):
            if by.name in people:
                raise PitbossError(f"an entrant is called {by.name}, as somebody is who runs the promotion")
            people[by.name] = Person(by.name, hm.PersonKind.MEMBER, roles=frozenset({(by.role, terms.book)}))
        self.house = HouseState(people=people)

    def ask(self, command: Any, by: Asker) -> None:
        entropy = hashlib.sha256(f"{self.seed}:{len(self.lines)}".encode()).digest()
        now = FloorNow(
            book=self.terms.book, at_ms=self.at_ms, house=self.house, tables={}, streams={}, balances=self.balances,
            entropy=entropy,
        )  # fmt: skip
        before = self.state
        answer = decide_promotion(before, command, by, now)
        if isinstance(answer, Refusal):
            raise PitbossError(answer.why)
        for event in answer.events:
            for said in tell_promotion(before, event):
                self.lines.append(RunLine(self.at_ms, by.name or by.role, said.sentence, said.clauses))
        self.state = answer.state
        for account, change in add_up_changes(answer.transfers).items():
            self.balances[account] = self.balances.get(account, 0) + change

    def run(self) -> PromotionRun:
        self.ask(pm.LodgePromotion(terms=self.terms), self.operator)
        self.at_ms = self.terms.opens
        for player in self.entrants:
            if self.terms.minimum_wager:
                wager = pm.NoteWager(player=player, amount=self.terms.minimum_wager, table="table")
                self.ask(wager, SYSTEM)
            self.ask(pm.EnterPromotion(), Asker(PLAYER, player))
        self.at_ms = self.terms.draws
        if self.terms.must_be_present:
            for player in dict.fromkeys(self.entrants):
                self.ask(pm.RecordPresence(), Asker(PLAYER, player))
        if needs_scrutineer(self.terms, self.law):
            self.ask(pm.OverseeDraw(), self.scrutineer)
        self.ask(pm.HoldDraw(), self.operator)
        self.award()
        self.at_ms += HOUR_MS
        self.ask(pm.PublishResults(where="as the terms say"), self.operator)
        self.ask(pm.EndPromotion(), self.operator)
        return PromotionRun(self.state, tuple(self.lines), self.balances)

    def award(self) -> None:
        """Winners are notified, if they need be, and get what they have won."""
        ways = tuple(self.law.notification_ways)
        for number, prize in self.list_won():
            self.at_ms += MINUTE_MS
            if prize.notify_by_ms:
                self.ask(pm.NotifyWinner(prize=prize.number, way=ways[number % len(ways)]), self.operator)
            self.ask(pm.ClaimPrize(prize=prize.number), Asker(PLAYER, prize.player))
            self.ask(pm.AwardPrize(claim=len(self.state.claims)), self.operator)

    def list_won(self) -> Iterator[tuple[int, Any]]:
        for number, prize in enumerate(self.state.won):
            if prize.status is AwardStatus.WON:
                yield number, prize
