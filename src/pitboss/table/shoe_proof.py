"""The proof of a shoe: what a retired shoe dealt, with the seed that decided it, as a file that anybody can check.

A file names the commitment that was published before the shoe opened, the seed and salt that were revealed when it was
retired, the players' cut, the cut card, and every card that left the shoe, in order. `problems` deals the shoe again
from the seed and says where the file and the shoe differ. `shoe_files` makes the files from a table's log of events.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from pitboss.cards import CARD_ID, Card, decks
from pitboss.errors import PitbossError
from pitboss.formats.json_faults import tell_fault
from pitboss.table.evolve import evolve, read_opening
from pitboss.table.messages import events as ev
from pitboss.table.shoe.shuffle import canonical, commitment, cut_cards, shuffle_cards
from pitboss.table.state import CardSource, State

VERSION = 1
MOST_CARDS = 16 * 52


class ShoeFileError(PitbossError):
    """A text that should be a shoe file is not."""


class ProofStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that happened to the shoe's cards, in the order in which it happened."""

    step: Literal["burn", "deal", "feed", "back"]
    """Burnt; dealt in a round; fed from the rack into a device; put back into the mouth of the shoe."""
    cards: str
    round: int = 0


class ShoeFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One retired shoe."""

    shoe_file: int
    """Version of this form."""
    game: str
    number: int
    source: CardSource
    commitment: str
    seed: str
    salt: str
    decks: int = 0
    deck_cards: Literal[52, 48] = 52
    cards: str = ""
    """The cards that were shuffled, where they were not whole decks: the discards of a round that ran out of cards."""
    riffles: int = 0
    cut_by: str = ""
    cut_at: int | None = None
    """Cards that the cut sent to the back."""
    cut_card: int | None = None
    """Cards behind the cut card when it was placed."""
    steps: tuple[ProofStep, ...] = ()


# ---------------------------------------------------------------------- as text


def encode_shoe_file(file: ShoeFile) -> str:
    """The file's text."""
    return msgspec.json.format(msgspec.json.encode(file), indent=1).decode() + "\n"


def parse_shoe_file(text: str | bytes, name: str) -> ShoeFile:
    """A shoe file from its text; `name` is shown in complaints."""
    try:
        file = msgspec.json.decode(text, type=ShoeFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ShoeFileError(f"{name}: not a shoe file: {tell_fault(error)}") from None
    if file.shoe_file != VERSION:
        raise ShoeFileError(f"{name}: version {file.shoe_file} of the shoe file is not known; this is {VERSION}")
    for key, length in (("commitment", 64), ("seed", 64), ("salt", 64)):
        value = getattr(file, key)
        if len(value) != length or set(value) - set(string.hexdigits):
            raise ShoeFileError(f"{name}: {key} must be {length} hexadecimal digits")
    if file.source is CardSource.STACKED:
        raise ShoeFileError(f"{name}: a stacked shoe proves nothing")
    if not 0 <= file.decks <= MOST_CARDS // 52 or bool(file.decks) == bool(file.cards):
        raise ShoeFileError(f"{name}: the pack must be 1 to {MOST_CARDS // 52} decks, or a list of cards instead")
    for where, line in (("cards", file.cards), *((f"steps[{n}]", step.cards) for n, step in enumerate(file.steps))):
        for word in line.split():
            if word not in CARD_ID:
                raise ShoeFileError(f"{name}: {where}: '{word[:20]}' is not a card such as Td")
    count = len(pack_shoe(file))
    if count > MOST_CARDS or not 0 <= file.riffles <= 100:
        raise ShoeFileError(f"{name}: a shoe has at most {MOST_CARDS} cards and 100 riffles")
    for key in ("cut_at", "cut_card"):
        value = getattr(file, key)
        if value is not None and not 0 <= value <= count:
            raise ShoeFileError(f"{name}: {key} must be 0 to {count}")
    return file


def pack_shoe(file: ShoeFile) -> tuple[Card, ...]:
    """The cards that were shuffled."""
    return tuple(file.cards.split()) if file.cards else decks(file.decks, file.deck_cards)


# ---------------------------------------------------------------------- checking


def problems(file: ShoeFile, published: str | None = None) -> list[str]:
    """Where the file is not what the seed says, a line each; `published` is the commitment as players saw it."""
    found = []
    seed, salt = bytes.fromhex(file.seed), bytes.fromhex(file.salt)
    if published is not None and published.lower() != file.commitment.lower():
        found.append("the commitment is not the one that was published")
    if commitment(seed, salt) != file.commitment.lower():
        found.append("the commitment is not the hash of seed and salt")
    if file.source is CardSource.DEVICE and file.cut_card is not None:
        found.append("a device has no cut card")
    found.extend(_Dealer(file, seed).walk())
    return found


class _Dealer:
    """Deals the shoe again and compares it, step by step, with what the file says was dealt."""

    def __init__(self, file: ShoeFile, seed: bytes) -> None:
        self.file = file
        self.seed = seed
        self.mixes = file.riffles
        order = shuffle_cards(pack_shoe(file), seed, file.riffles)
        self.order = order if file.cut_at is None else cut_cards(order, file.cut_at)
        self.position = 0
        self.gone: Counter[Card] = Counter()
        self.rounds: set[int] = set()
        self.recent: list[Card] = []
        """What came out in the round, in order, from what was burnt before its first card on."""
        self.latest: list[Card] = []
        """What came out since the last card that was dealt."""
        self.left_at_close = len(self.order)
        """Cards that were left when the last round ended; what is burnt before a round belongs to the round."""

    def walk(self) -> Iterator[str]:
        for step in self.file.steps:
            cards = tuple(step.cards.split())
            where = f"round {step.round}" if step.step == "deal" else step.step
            if step.step == "feed":
                yield from self._feed(cards)
                continue
            if step.step == "back":
                yield from self._back(cards)
                continue
            if step.step == "deal" and step.round not in self.rounds:
                yield from self._opens(step.round)
            if fault := self._draw(cards, where):
                yield fault
                return
            if step.step == "deal":
                self.left_at_close = len(self.order) - self.position
                self.recent += self.latest
                self.latest = []

    def _opens(self, number: int) -> Iterator[str]:
        """A round may not open once the cut card is out."""
        behind = self.file.cut_card
        if behind is not None and self.rounds and self.left_at_close <= behind:
            yield f"round {number} was dealt after the cut card had come out"
        self.rounds.add(number)
        self.recent = []

    def _draw(self, cards: tuple[Card, ...], where: str) -> str:
        for card in cards:
            if self.position >= len(self.order):
                return f"{where}: {card} is dealt after the last of {len(self.order)} cards"
            due = self.order[self.position]
            if due != card:
                return f"{where}: card {self.position + 1} of the shoe is {due}, and {card} was dealt"
            self.position += 1
            self.gone[card] += 1
            self.latest.append(card)
        return ""

    def _feed(self, cards: tuple[Card, ...]) -> Iterator[str]:
        if self.file.source is not CardSource.DEVICE:
            yield "feed: cards go back into devices only"
            return
        fed = Counter(cards)
        if fed - self.gone:
            yield f"feed: {' '.join(canonical((fed - self.gone).elements()))} had not come out of the device"
        self.gone -= fed
        self.mixes += 1
        self.order = shuffle_cards((*self.order[self.position :], *cards), self.seed, self.mixes)
        self.position = 0

    def _back(self, cards: tuple[Card, ...]) -> Iterator[str]:
        """A round is dealt again: cards of it lie in the mouth of the shoe, in the order in which they came."""
        came = iter(self.recent + self.latest)
        if not all(card in came for card in cards):
            yield f"back: {' '.join(cards)} did not come out in this order in the round"
            return
        self.order = (*cards, *self.order[self.position :])
        self.position = 0
        self.recent, self.latest = [], []
        self.gone -= Counter(cards)


# ---------------------------------------------------------------------- from a table's log


def shoe_files(log: Iterable[ev.Event]) -> list[ShoeFile]:
    """The files of all shoes that were retired in the log of a table, from its opening on.

    A shoe that is still in play has none: its seed is nobody's business yet.
    """
    files: list[ShoeFile] = []
    state, events = read_opening(log)
    watcher = ShoeWatcher()
    for event in events:
        before, state = state, evolve(state, event)
        file = watcher.hear(before, state, event)
        if file is not None:
            files.append(file)
    return files


class ShoeWatcher:
    """Follows a table event by event, and has the file of each shoe when it is retired."""

    def __init__(self) -> None:
        self.cards: tuple[Card, ...] = ()
        self.steps: list[ProofStep] = []

    def hear(self, before: State, after: State, event: ev.Event) -> ShoeFile | None:
        """Note what the event did to the cards; the file, if it retires the shoe."""
        if isinstance(event, ev.ShoeRetired):
            return _file(before, self.cards, self.steps)
        if isinstance(event, ev.Shuffled):
            self.cards, self.steps = event.cards, []
        elif after.shoe.source is not CardSource.KEYED:
            _note(self.steps, before, after, event)
        return None


def _note(steps: list[ProofStep], before: State, after: State, event: ev.Event) -> None:
    """What the event did to the cards of the shoe."""
    if isinstance(event, ev.DiscardsFed):
        steps.append(ProofStep("feed", " ".join(event.cards)))
        return
    drawn = before.shoe.left - after.shoe.left
    if drawn < 0:
        steps.append(ProofStep("back", " ".join(after.shoe.undealt[:-drawn])))
    elif drawn > 0:
        cards = " ".join(before.shoe.undealt[:drawn])
        if isinstance(event, ev.CardsBurnt):
            steps.append(ProofStep("burn", cards))
        elif steps and steps[-1].step == "deal" and steps[-1].round == after.round:
            steps[-1] = ProofStep("deal", f"{steps[-1].cards} {cards}", after.round)
        else:
            steps.append(ProofStep("deal", cards, after.round))


def _file(state: State, cards: tuple[Card, ...], steps: list[ProofStep]) -> ShoeFile:
    """The file of the shoe of `state`, which was made by shuffling `cards`."""
    rules, shoe, origin = state.rules, state.shoe, state.shoe.origin
    whole = Counter(cards) == Counter(decks(rules.decks, rules.deck_cards))
    device = shoe.source is CardSource.DEVICE
    return ShoeFile(
        shoe_file=VERSION,
        game=rules.game,
        number=origin.number,
        source=shoe.source,
        commitment=origin.commitment,
        seed=origin.seed.hex(),
        salt=origin.salt.hex(),
        decks=rules.decks if whole else 0,
        deck_cards=rules.deck_cards,
        cards="" if whole else " ".join(canonical(cards)),
        riffles=0 if device else origin.mixes,
        cut_by=origin.cutter,
        cut_at=origin.cut,
        cut_card=None if shoe.cut_card is None else len(shoe.cards) - shoe.cut_card,
        steps=tuple(steps),
    )
