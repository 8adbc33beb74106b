"""pitboss: approved casino rulebooks as running, provable blackjack tables.

    pitboss.games()                                       # every game of the books, by name
    rules = pitboss.rules("melbourne/pontoon", decks=8)   # options, readings, side wagers, your own rulebooks
    pitboss.odds(rules)                                   # house edge and basic strategy, exactly
    pitboss.side_odds("star/switch", "super-match")       # what a side wager is worth
    pitboss.compare(["rws/blackjack", "star/blackjack"])  # games ranked by house edge
    pitboss.simulate(rules, rounds=1e6)                   # the result of playing a million rounds
    pitboss.count(rules, "hi-lo")                         # what a counter can win
    pitboss.cost(rules, bet=25, hours=3)                  # what playing costs
    pitboss.Table(rules, seed=7)                          # a live table that you play in the notation of records
    pitboss.replay("ann.round.toml").differences          # a recorded round, replayed and checked

Importing the package loads only this file; everything else is loaded on first use. The packages below have more:
`pitboss.rulebooks` for the rules, `pitboss.table` for the engine, `pitboss.records`, `pitboss.odds`, `pitboss.sim` and
`pitboss.envs`.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""Type checkers know the name and treat it as true; importing it would take longer than everything else here."""

if TYPE_CHECKING:
    from pitboss.front_door import (
        PitbossError,
        Refusal,
        Table,
        cost,
        count,
        games,
        read,
        replay,
        rulebook,
        rules,
        side_odds,
        simulate,
    )
    from pitboss.odds import OddsRoom, compare
    from pitboss.server.client import Client

    odds: OddsRoom

__version__ = "0.1.0"

__all__ = [
    "Client", "PitbossError", "Refusal", "Table", "__version__",
    "compare", "cost", "count", "games", "odds", "read", "replay", "rulebook", "rules", "side_odds", "simulate",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'pitboss' has no attribute '{name}'")
    if name in ("odds", "compare"):
        import pitboss.odds as room

        return room if name == "odds" else room.compare
    if name == "Client":
        from pitboss.server.client import Client

        return Client
    from pitboss import front_door

    return getattr(front_door, name)


def __dir__() -> list[str]:
    return sorted({name for name in globals() if name.startswith("__")} | set(__all__))
