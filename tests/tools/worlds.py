"""Random tables for property tests: any game with options, readings, side wagers, limits, meters and a shoe.

Choices that a book does not allow together are left out one by one until it does, so that every draw is a table.
"""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from pitboss.cards import Card, deck
from pitboss.rulebooks import Rulebook, RulebookError, Rules, find_game
from pitboss.table import Limits, Meter

PLAYERS = ("ann", "bob", "cat", "dan", "eve", "fay")
AMOUNTS = tuple(Decimal(text) for text in ("1", "2.5", "5", "10", "24", "25", "33.35", "100", "250"))
METERS = ("blackjack-jackpots", "supernova-major", "supernova-minor", "supernova-mystery")


@st.composite
def tables(draw: st.DrawFn, name: str) -> Rules:
    """The rules of a game at a random table."""
    book, game = find_game(name)
    options = [option for option in (*book.options.values(), *game.options.values()) if option.allowed]
    choices: dict[str, Any] = {}
    for option in draw(st.lists(st.sampled_from(options), max_size=4, unique_by=lambda option: option.id)):
        if option.games is None or game.id in option.games:
            choices[option.id] = draw(st.sampled_from([value for case in option.allowed for value in case.value]))
    known = [reading for reading in book.readings.values() if reading.games is None or game.id in reading.games]
    known = [reading for reading in known if reading.alternatives]
    readings = draw(st.lists(st.sampled_from(known), max_size=6, unique_by=lambda reading: reading.id))
    choices["readings"] = {reading.id: draw(st.sampled_from(reading.alternatives)) for reading in readings}
    choices["side_wagers"] = draw(st.lists(st.sampled_from(list(book.side_wagers)), max_size=5, unique=True))
    return _allowed(book, game.id, choices)


def _allowed(book: Rulebook, game: str, choices: dict[str, Any]) -> Rules:
    """The rules of these choices, without those that the book refuses beside the others."""
    kept: dict[str, Any] = {"readings": choices["readings"], "side_wagers": []}
    for wager in choices["side_wagers"]:
        if _fits(book, game, {**kept, "side_wagers": [*kept["side_wagers"], wager]}):
            kept["side_wagers"].append(wager)
    for option, value in choices.items():
        if option not in kept and _fits(book, game, {**kept, option: value}):
            kept[option] = value
    return book.rules(game, **kept)


def _fits(book: Rulebook, game: str, choices: dict[str, Any]) -> bool:
    try:
        book.rules(game, **choices)
    except RulebookError:
        return False
    return True


@st.composite
def signs(draw: st.DrawFn) -> Limits:
    """A sign: no limits, or some."""
    least = draw(st.sampled_from((None, Decimal(5), Decimal(10))))
    most = draw(st.sampled_from((None, Decimal(50), Decimal(120), Decimal(1000))))
    chip = draw(st.sampled_from((None, Decimal("0.5"), Decimal(1), Decimal("2.5"))))
    return Limits(least, most, chip)


@st.composite
def meters(draw: st.DrawFn) -> dict[str, Meter]:
    """Values for every meter there is."""
    found = {}
    for name in METERS:
        seed = draw(st.sampled_from((Decimal(100), Decimal(5000))))
        rate = draw(st.sampled_from((Decimal("0.05"), Decimal("0.125"), Decimal(0))))
        found[name] = Meter(seed, rate, seed + draw(st.sampled_from((Decimal(0), Decimal("310.2"), Decimal("77.77")))))
    return found


@st.composite
def shoes(draw: st.DrawFn, rules: Rules) -> tuple[Card, ...]:
    """Cards in which pairs, aces, tens and sevens are common; now and then too few of them."""
    whole = deck(rules.deck_cards)
    rich = draw(st.sampled_from(("", "A8K", "A2367J", "7", "AJ", "67895")))
    pack = [card for card in whole if card[0] in rich] or list(whole)
    if draw(st.booleans()):
        pack = [card for card in pack if card[1] == "s"] * 2 + pack
    length = draw(st.sampled_from((200, 200, 200, 200, 12, 30)))
    return tuple(random.Random(draw(st.integers(0, 2**32))).choices(pack, k=length))
