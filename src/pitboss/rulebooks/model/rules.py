"""`Rules`: everything a rulebook says about one game at one table, resolved.

Nothing is left to default and every value can be traced: `cite` gives the clauses of a value and the layer it came
from, `clauses` gives those of a matter or a parameter for events and refusals, `digest` names the whole.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import msgspec

from pitboss.formats.notebook_view import NotebookView
from pitboss.money import Money, Odds
from pitboss.rulebooks.model.matters import MATTERS
from pitboss.rulebooks.model.parameters import FIELDS, Parameters
from pitboss.rulebooks.model.side_terms import SideTerms

Value = bool | int | str


class Source(msgspec.Struct, frozen=True):
    """Where a value comes from: its clauses, the deciding one first, and the layer that set it."""

    clauses: tuple[str, ...]
    layer: str

    def __str__(self) -> str:
        return f"{', '.join(self.clauses)} ({self.layer})" if self.clauses else f"({self.layer})"


class Bonus(msgspec.Struct, frozen=True):
    """Odds for a named hand of 21."""

    hand: str
    odds: Odds
    clauses: tuple[str, ...]


class SuperBonus(msgspec.Struct, frozen=True):
    """Fixed sums for suited 7-7-7 against a seven: by original wager, and to all other original wagers."""

    tiers: tuple[tuple[Money, Money], ...]
    others: Money
    clauses: tuple[str, ...]

    def pays(self, stake: Money) -> Money:
        """The sum for an original wager of `stake`; nothing below the lowest tier."""
        return max((sum_ for floor, sum_ in self.tiers if stake >= floor), default=Money(0))


class MeterShare(msgspec.Struct, frozen=True):
    """A prize that is a share of a meter's rounded value."""

    meter: str
    percent: int

    def __str__(self) -> str:
        return f"{self.percent}% of the {self.meter} meter"


class SideWager(SideTerms, frozen=True, kw_only=True):
    """One side wager as offered at a table: a module of the rulebook with its terms and its pay table chosen."""

    id: str
    name: str
    judge: str
    max_payout: Money | None
    meters: tuple[str, ...]
    odds: dict[str, Odds | MeterShare]
    prizes: tuple[tuple[int, int], ...]
    clauses: dict[str, tuple[str, ...]]
    """Clauses by matter: `introduced`, `pays`, the terms, `placing`, `wins`, `loses`, `preference`,
    `refused`, and single outcomes."""

    def __repr__(self) -> str:
        return f"<SideWager {self.id}: {self.name}>"

    def cite(self, *matters: str) -> tuple[str, ...]:
        """The clauses of the first of `matters` that has any."""
        for matter in matters:
            if found := self.clauses.get(matter):
                return found
        return self.clauses.get("introduced", ())


class Role(msgspec.Struct, frozen=True):
    """One rung of a book's ladder, or a body outside it (inspector, surveillance)."""

    id: str
    name: str
    clauses: tuple[str, ...]
    level: str
    """The role on whose rung it stands: its own, or one before it that is of the same rank."""


class Authority(msgspec.Struct, frozen=True, kw_only=True):
    """Who may take an action, under which clause, and who is told."""

    id: str
    summary: str
    role: str
    clauses: tuple[str, ...]
    scope: str
    notify_before: tuple[str, ...] = ()
    notify_after: tuple[str, ...] = ()
    notify_one_of: tuple[str, ...] = ()
    """Bodies of which any one must be told."""
    needs: tuple[str, ...] = ()
    reading: bool = False
    prizes: tuple[str, ...] = ()
    """Outcomes of side wagers, `WAGER/OUTCOME`, that are paid once they are confirmed by this power."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """How long something must be announced before it is done."""

    id: str
    text: str
    clauses: tuple[str, ...]
    option: str = ""
    """The option of which players are told when they sit down, if it is on."""
    minutes: int | None = None
    rounds: int | None = None
    hours: int | None = None
    days: int | None = None


class DisputeStep(msgspec.Struct, frozen=True):
    """One step of the way a dispute takes: a role of the house or a body outside it."""

    who: str
    text: str
    clauses: tuple[str, ...]


class Rules(NotebookView, Parameters, frozen=True, kw_only=True, eq=False, dict=True):
    """The resolved rules of one game at one table. Parameters are attributes: `rules.dealer_hits_soft_17`."""

    book: str
    game: str
    """`namespace/game`, as records write it."""
    name: str
    options: dict[str, Value | None]
    readings: dict[str, str]
    chosen: dict[str, Value]
    """The options that have to be named beside the number of decks to get these rules from their book."""
    chosen_readings: dict[str, str]
    """The readings that are not the book's defaults."""
    side_wagers: tuple[SideWager, ...]
    bonuses: tuple[Bonus, ...]
    super_bonus_sums: SuperBonus | None
    sources: dict[str, Source]
    matters: dict[str, tuple[str, ...]]
    ladder: tuple[Role, ...]
    """Roles of the house from the lowest to the highest."""
    bodies: tuple[Role, ...]
    authority: dict[str, Authority]
    """What somebody may do, by name."""
    notices: dict[str, Notice]
    disputes: tuple[DisputeStep, ...]

    def __repr__(self) -> str:
        decks = f"{self.decks or 'infinite'} deck{'s' * (self.decks > 1)} of {self.deck_cards} cards"
        sides = "".join(f", {side.id}" for side in self.side_wagers)
        return f"<Rules {self.game}, {decks}{sides}>"

    def rank(self, role: str) -> int:
        """How high a role stands on the ladder; -1 if it is not on it."""
        level = next((rung.level for rung in self.ladder if rung.id == role), "")
        return next((rank for rank, rung in enumerate(self.ladder) if rung.id == level), -1)

    def cite(self, parameter: str) -> Source:
        """Clauses and layer of a parameter's value."""
        return self.sources[parameter]

    def clauses(self, *names: str) -> tuple[str, ...]:
        """The clauses of the given matters or parameters, together, without repeats."""
        cited = self._cited.get(names)
        if cited is None:
            cited = self._cited[names] = self._cite(names)
        return cited

    @functools.cached_property
    def _cited(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """What `clauses` has been asked so far: every event cites, and always the same few matters."""
        return {}

    def _cite(self, names: tuple[str, ...]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for name in names:
            if name in self.matters:
                found.update(dict.fromkeys(self.matters[name]))
            elif name in self.sources:
                found.update(dict.fromkeys(self.sources[name].clauses))
            elif name not in MATTERS:
                raise KeyError(name)
        return tuple(found)

    def side_wager(self, wager: str) -> SideWager | None:
        """The side wager with this id, if it is on offer."""
        return next((side for side in self.side_wagers if side.id == wager), None)

    def values(self) -> dict[str, Any]:
        """Every parameter with its value, in the order of the model."""
        return {name: getattr(self, name) for name in FIELDS}

    def canonical(self) -> bytes:
        """The canonical form: sorted JSON of identity, values, clauses, options, readings, side wagers and powers."""
        return msgspec.json.encode(
            {
                "book": self.book,
                "game": self.game,
                "name": self.name,
                "parameters": self.values(),
                "sources": self.sources,
                "matters": self.matters,
                "options": self.options,
                "readings": self.readings,
                "side_wagers": self.side_wagers,
                "bonuses": self.bonuses,
                "super_bonus": self.super_bonus_sums,
                "ladder": self.ladder,
                "bodies": self.bodies,
                "authority": self.authority,
                "notices": self.notices,
                "disputes": self.disputes,
            },
            order="sorted",
        )

    @functools.cached_property
    def confirming_powers(self) -> dict[str, Authority]:
        """By which power prizes are confirmed before they are paid, by wager and outcome: `supernova/minor`."""
        return {prize: power for power in reversed(self.authority.values()) for prize in power.prizes}

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 over the canonical form."""
        return hashlib.sha256(self.canonical()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rules) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)


def difference(left: Rules, right: Rules) -> dict[str, tuple[Any, Any]]:
    """The parameters in which two games differ: name to (left, right)."""
    ours, theirs = left.values(), right.values()
    return {name: (ours[name], theirs[name]) for name in FIELDS if ours[name] != theirs[name]}


def readable(value: object) -> str:
    """A value as people write it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Odds):
        return str(value)
    if isinstance(value, tuple):
        return ", ".join(readable(item) for item in value) or "none"
    return str(value)
