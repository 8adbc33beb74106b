"""The log a player reads: events told as in records, addressed to the player, each line with its clauses.

The words come from `records`. Here cards get their signs, the player is addressed ("you draw", not "you draws"), and
a line gets a tone for its colour. `spoken` spells cards out for those who listen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from pitboss.cards import RANKS
from pitboss.money import Money, show
from pitboss.records.narrate.table_events import Around, tell_one
from pitboss.table.messages import events as ev
from pitboss.tui.felt.card_faces import SIGNS
from pitboss.tui.felt.card_faces import name as card_name


class Line(msgspec.Struct, frozen=True):
    """One line of the log."""

    text: str
    clauses: tuple[str, ...] = ()
    """The clause that decides comes first."""
    tone: str = "plain"
    """plain, card, win, lose, even or note."""
    box: str = ""
    mine: bool = False
    """It is about the player."""


CARD_EVENTS = (ev.InitialDeal, ev.CardDrawn, ev.DealerDrew, ev.DealerStopped, ev.Switched, ev.NaturalStands)


def tell_player(around: Around, event: ev.Event, me: str) -> list[Line]:
    """The lines that an event adds to the log."""
    tone, box = _tone(event), str(getattr(event, "box", ""))
    found = []
    for said in tell_one(around, event):
        text = address(said.sentence, me)
        found.append(Line(f"{text[:1].upper()}{text[1:]}.", said.clauses, tone, box, me in said.sentence.split()))
    return found


def _tone(event: ev.Event) -> str:
    if isinstance(event, ev.WagerSettled | ev.SideSettled):
        net = event.settlement.net
        return "win" if net > 0 else "lose" if net < 0 else "even"
    if isinstance(event, CARD_EVENTS):
        return "card"
    return "plain" if hasattr(event, "box") or isinstance(event, ev.BetPlaced) else "note"


# ---------------------------------------------------------------------- words

_CARD_CODE = re.compile(r"(?<![\w-])([A23456789TJQK])([shdc])(?![\w-])")
_VERBS = {"is": "are", "has": "have", "does": "do", "was": "were"}


def write_suits(text: str) -> str:
    """A sentence with the cards of records written with their signs: `Th` becomes `10♥`."""
    return _CARD_CODE.sub(lambda found: card_name(found[0]), text)


def address(text: str, me: str) -> str:
    """A sentence about a player as it is said to that player."""
    name = re.escape(me)
    text = re.sub(rf"(?<![\w-]){name}'s(?![\w-])", "your", text)

    def second_person(found: re.Match[str]) -> str:
        verb = found["verb"]
        plain = _VERBS.get(verb) or re.sub(r"(?<=[cs]h|ss)es$|s$", "", verb)
        return f"you{found['between']}{plain}"

    text = re.sub(rf"(?<![\w-]){name}(?P<between>(?:, seated,)? )(?P<verb>[a-z]+s)(?![\w-])", second_person, text)
    return write_suits(re.sub(rf"(?<![\w-]){name}(?![\w-])", "you", text))


RANK_WORDS = dict(
    zip(
        (*RANKS, "10"),
        ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ten"),
        strict=True,
    )
)
SUIT_WORDS = dict(zip(SIGNS.values(), ("spades", "hearts", "diamonds", "clubs"), strict=True))
_CARDS = re.compile(r"(?:10|[A23456789TJQK])[♠♥♦♣](?: (?:10|[A23456789TJQK])[♠♥♦♣])*")


def spoken(text: str) -> str:
    """A line with its cards spelled out: `10♥ 6♣` becomes `ten of hearts, six of clubs`."""

    def spell(found: re.Match[str]) -> str:
        return ", ".join(f"{RANK_WORDS[card[:-1]]} of {SUIT_WORDS[card[-1]]}" for card in found[0].split())

    return _CARDS.sub(spell, text)


def cards_text(cards: Iterable[str]) -> str:
    """Cards in a row: `10♥ 6♣`."""
    return " ".join(card_name(card) for card in cards)


def amount_text(amount: Money) -> str:
    """An amount of money with thousands apart: `1,250.5`."""
    whole, _, rest = show(abs(amount)).partition(".")
    sign = "-" if amount < 0 else ""
    return f"{sign}{int(whole):,}{'.' + rest if rest else ''}"
