"""What tests of mishaps share: who rules on them, and deals that go wrong."""

from __future__ import annotations

import random

from pitboss.table import Refusal, State, decide
from pitboss.table.messages import commands as cmd
from pitboss.table.round.dealing import places_of_deal

BOSS = {"perth": "casino-operator", "rws": "house", "star": "gaming-manager", "melbourne": "assistant-casino-manager"}
"""Somebody at the top of each book's ladder."""


def boss(game: str) -> str:
    return BOSS[game.split("/")[0]]


def dealt_wrongly(state: State, chance: random.Random) -> tuple[str, ...]:
    """Where the cards of an initial deal may fall if somebody is careless: exchanged, left out, too many, elsewhere."""
    trial = decide(state, cmd.Deal())
    assert not isinstance(trial, Refusal)
    places = list(places_of_deal(trial.state))
    right = tuple(places)
    for _ in range(chance.randint(1, 3)):
        kind = chance.randrange(4)
        at = chance.randrange(len(places))
        if kind == 0:
            other = chance.randrange(len(places))
            places[at], places[other] = places[other], places[at]
        elif kind == 1 and len(places) > 1:
            places.pop(at)
        elif kind == 2:
            places.insert(at, places[at])
        else:
            elsewhere = "5a" if state.rules.boxes_per_area == 2 else "5"
            places.insert(at, elsewhere)
    return tuple(places) if tuple(places) != right else (*right, "dealer")
