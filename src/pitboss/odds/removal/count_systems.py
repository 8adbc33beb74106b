"""Counts: their tags, how well they tell what a wager is worth, and the best tags that whole numbers allow.

The tags of published systems are facts about them; docs/count.md names where each is from.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping

import msgspec
import numpy as np

from pitboss.cards import RANKS
from pitboss.errors import PitbossError
from pitboss.formats.frames import Tabular
from pitboss.formats.json_faults import tell_fault
from pitboss.formats.names import nearest
from pitboss.odds.removal.effects import INSURANCE, VALUES, RemovalEffects

MOST_TAG = 9


class CountError(PitbossError):
    """A count that there is not, or that cannot be one."""


class CountSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A count: what each card adds as it is seen."""

    id: str
    name: str
    tags: dict[str, float]
    """By value: `A`, `2` to `9`, and `T` for ten, jack, queen and king; halves are allowed."""
    running: bool = False
    """Played by the running count from a start that makes the true count needless."""
    start_per_deck: float = 0.0
    """What the count of a new shoe is less for each deck after the first; for unbalanced counts."""
    start: float = 0.0
    """The count of a new shoe of one deck."""
    wager: str = "main"
    """What it was made for."""

    @property
    def multiple(self) -> int:
        """What tags are multiplied by to be whole."""
        return 1 if all(float(tag).is_integer() for tag in self.tags.values()) else 2

    def starts_at(self, decks: int, deck_cards: int = 52) -> float:
        """The count of a new shoe.

        A true count of a deck that the tags do not balance, such as one without tens, begins where that deck takes it,
        so that a shoe in its usual proportions has the same true count however deep it is dealt.
        """
        if self.running:
            return self.start - self.start_per_deck * (decks - 1)
        return -self.balance(deck_cards) * decks

    def neutral(self, shares: Mapping[str, float]) -> float:
        """The true count of a shoe in its usual proportions: nothing, but for decks that the tags do not balance."""
        return 0.0 if self.running else -52 * sum(shares[value] * self.tags[value] for value in VALUES)

    def balance(self, deck_cards: int = 52) -> float:
        """What a whole deck adds up to; a balanced count ends where it began."""
        tens = (deck_cards - 36) * self.tags["T"]
        return tens + 4 * sum(tag for value, tag in self.tags.items() if value != "T")

    def whole_tags(self) -> dict[str, int]:
        """The tags by rank, times `multiple`."""
        return {rank: int(self.multiple * self.tags["T" if rank in "TJQK" else rank]) for rank in RANKS}


def _system(name: str, words: str, tags: str, **more: object) -> CountSystem:
    values = dict(zip(VALUES, (float(tag) for tag in tags.split()), strict=True))
    return CountSystem(id=name, name=words, tags=values, **more)  # type: ignore[arg-type]


SYSTEMS: Mapping[str, CountSystem] = {
    system.id: system
    for system in (
        _system("hi-lo", "Hi-Lo", "-1 1 1 1 1 1 0 0 0 -1"),
        _system("hi-opt-1", "Hi-Opt I", "0 0 1 1 1 1 0 0 0 -1"),
        _system("hi-opt-2", "Hi-Opt II", "0 1 1 2 2 1 1 0 0 -2"),
        _system("ko", "Knock-Out", "-1 1 1 1 1 1 1 0 0 -1", running=True, start_per_deck=4.0),
        _system("omega-2", "Omega II", "0 1 1 2 2 2 1 0 -1 -2"),
        _system("zen", "Zen", "-1 1 1 2 2 2 1 0 0 -2"),
        _system("halves", "Wong Halves", "-1 0.5 1 1 1.5 1 0.5 0 -0.5 -1"),
        _system("crush", "Crush", "2 2 1 0 0 0 0 0 -1 -1", wager="over-13"),
        _system("over-under", "Over/Under", "1 1 1 1 0 0 0 0 0 -1", wager="over-13"),
        _system("tens", "Tens", "4 4 4 4 4 4 4 4 4 -9", wager=INSURANCE),
    )
}


class OwnSystem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A count in a file of the user's."""

    tags: dict[str, float]
    name: str = "own count"
    running: bool = False
    start: float = 0.0
    start_per_deck: float = 0.0


def find_system(wanted: str, read: Callable[[str], str] | None = None) -> CountSystem:
    """A count by its name, or by a JSON file that `read` gives the text of."""
    if wanted in SYSTEMS:
        return SYSTEMS[wanted]
    if read is None or not wanted.endswith(".json"):
        raise CountError(f"there is no count '{wanted}'; {nearest(wanted, SYSTEMS)}, or name a file that ends in .json")
    try:
        own = msgspec.json.decode(read(wanted), type=OwnSystem)
    except msgspec.MsgspecError as error:
        raise CountError(f"{wanted}: {tell_fault(error)}") from None
    for value, tag in own.tags.items():
        if value not in VALUES or len(value) != 1:
            raise CountError(f"{wanted}: '{value}' is no value: tags are for {', '.join(VALUES)}")
        if not -MOST_TAG <= tag <= MOST_TAG or not float(2 * tag).is_integer():
            raise CountError(f"{wanted}: the tag of {value} is {tag:g}: tags are from -9 to 9, in halves")
    missing = [value for value in VALUES if value not in own.tags]
    if missing:
        raise CountError(f"{wanted}: there is no tag for {', '.join(missing)}")
    if len(set(own.tags.values())) == 1:
        raise CountError(f"{wanted}: all tags are the same, which counts nothing")
    return CountSystem(
        id=wanted, name=own.name, tags=dict(own.tags), running=own.running, start=own.start,
        start_per_deck=own.start_per_deck,
    )  # fmt: skip


def correlation(system: CountSystem, effects: RemovalEffects) -> float:
    """How well a count tells what a wager is worth: its tags against the effects, every card weighing the same.

    For the main wager this is the betting correlation, for insurance the insurance correlation.
    """
    return _correlate(system.tags, effects)


def _correlate(tags: Mapping[str, float], effects: RemovalEffects) -> float:
    shares, centred = effects.shares, effects.centred
    mean = sum(shares[value] * tags[value] for value in VALUES)
    both = sum(shares[value] * (tags[value] - mean) * centred[value] for value in VALUES)
    spread = math.sqrt(sum(shares[value] * (tags[value] - mean) ** 2 for value in VALUES))
    return both / (spread * effects.spread) if spread * effects.spread > 0 else 0.0


def worth_per_count(system: CountSystem, effects: RemovalEffects) -> float:
    """What one more of the true count adds to the player's expectation, to first order."""
    shares, centred = effects.shares, effects.centred
    mean = sum(shares[value] * system.tags[value] for value in VALUES)
    square = sum(shares[value] * (system.tags[value] - mean) ** 2 for value in VALUES)
    both = sum(shares[value] * (system.tags[value] - mean) * centred[value] for value in VALUES)
    return (effects.cards - 1) / 52 * both / square


class BestTags(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The whole numbers that follow the effects of removal best."""

    wager: str
    level: int
    """The greatest tag, signs apart."""
    tags: dict[str, int]
    correlation: float

    def rows(self) -> list[dict[str, object]]:
        """A row for each value."""
        return [{"wager": self.wager, "level": self.level, "card": card, "tag": tag} for card, tag in self.tags.items()]


def best_tags(effects: RemovalEffects, level: int) -> BestTags:
    """The best tags of a level.

    Cards with greater effects have no smaller tags in the best count, so it is enough to cut the cards, in the order
    of their effects, in every way into as many steps as there are tags.
    """
    if effects.spread == 0 or effects.spread < 1e-12:
        raise CountError(f"no card tells anything of {effects.wager} to first order: there is nothing to count")
    centred = effects.centred
    order = sorted(VALUES, key=lambda value: centred[value])
    cuts = np.array(list(itertools.combinations_with_replacement(range(len(order) + 1), 2 * level)))
    tags = (cuts[:, :, None] <= np.arange(len(order))).sum(axis=1) - level
    tags = tags[tags.min(axis=1) < tags.max(axis=1)]
    shares = np.array([effects.shares[value] for value in order])
    off = tags @ shares
    spread = np.sqrt((tags - off[:, None]) ** 2 @ shares) * effects.spread
    told = np.round(tags @ (shares * np.array([centred[value] for value in order])) / spread, 12)
    best = np.lexsort((np.arange(len(tags)), np.round(np.abs(off), 12), -told))[0]
    chosen = dict(zip(order, tags[best].tolist(), strict=True))
    return BestTags(
        wager=effects.wager, level=level, tags={value: chosen[value] for value in VALUES}, correlation=float(told[best])
    )
