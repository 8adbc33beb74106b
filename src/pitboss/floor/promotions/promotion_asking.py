"""Who asks something of a promotion, and what must hold before it is answered."""

from __future__ import annotations

import msgspec

from pitboss.floor.house_messages import PersonKind
from pitboss.floor.house_orders import check_role
from pitboss.floor.house_state import HouseState
from pitboss.floor.promotions.promotion_law import PromotionLaw
from pitboss.floor.promotions.promotion_state import PromotionPhase, PromotionState
from pitboss.floor.promotions.promotion_terms import PromotionTerms
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import HOUSE, PLAYER, SYSTEM, Asker


class PromotionAsking(msgspec.Struct, frozen=True, kw_only=True):
    """A promotion, who asks, when, and what is around."""

    state: PromotionState
    by: Asker
    at_ms: int
    house: HouseState
    entropy: bytes = b""

    @property
    def law(self) -> PromotionLaw:
        """The rules of the promotion's book."""
        return self.state.law

    @property
    def terms(self) -> PromotionTerms:
        """The terms that hold; refused before any are lodged."""
        self.check_lodged()
        assert self.state.terms is not None
        return self.state.terms

    def check_lodged(self) -> None:
        """Refuse what needs terms."""
        if self.state.terms is None:
            raise Refused("no terms are lodged", self.law.lodging_clauses)

    def authorise(self, power: str, reason: str = "") -> tuple[str, ...]:
        """The clauses by which the asker may do this, or a refusal."""
        clauses = self.law.authorise(self.by.role, power, reason)
        check_role(self.house, self.by, self.state.book)
        return clauses

    def find_player(self, named: str, clauses: tuple[str, ...]) -> str:
        """The player that is meant: whoever asks, or the one whom somebody of the house names. They are in the casino
        by right, and no robot."""
        if self.by.role == PLAYER:
            if named not in ("", self.by.name):
                raise Refused("a player asks for nobody else", clauses)
            named = self.by.name
        else:
            self.check_staff()
        person = self.house.people.get(named)
        if person is None:
            raise Refused(f"there is nobody called {named[:40]} here", clauses)
        if person.kind is PersonKind.ROBOT:
            raise Refused(f"{named} is a robot of the house", clauses)
        shut = next((item for item in person.exclusions if item.casino), None)
        if shut is not None:
            raise Refused(f"{named} is excluded from the casino", (*shut.clauses, *clauses))
        return named

    def check_staff(self) -> None:
        """Refuse whoever holds no role by this book; the machine may."""
        if self.by not in (SYSTEM, HOUSE):
            check_role(self.house, self.by, self.state.book)

    def check_running(self) -> None:
        """Refuse what cannot be done while the promotion is stopped, or once it is over."""
        phase = self.state.phase
        if phase in (PromotionPhase.POSTPONED, PromotionPhase.CANCELLED):
            raise Refused(f"the promotion is {phase}", self.law.rules.authority["stop-promotion"].clauses)
        if phase is PromotionPhase.ENDED:
            raise Refused("the promotion has ended", self.law.clauses)
