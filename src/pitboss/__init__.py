"""pitboss: approved casino rulebooks as running, provable blackjack tables.

    rules = pitboss.rules("melbourne/pontoon", decks=8)   # options, readings, side wagers, rulebooks of your own
    pitboss.odds(rules)                                   # what the game is worth, exactly, and how to play it
    pitboss.side_odds("star/switch", "super-match")       # what a side wager is worth
    pitboss.simulate(rules, rounds=1e6)                   # what comes of playing it
    pitboss.Table(rules, seed=7)                          # a live table, played in the words of records
    pitboss.replay("ann.round.toml").differences          # a round on file, played again and checked

Importing the package loads nothing but this file; each of these is fetched when it is first asked for. The rooms below
have more: `pitboss.rulebooks` for the rules, `pitboss.table` for the engine, `pitboss.records`, `pitboss.odds` and
`pitboss.sim`.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""Type checkers know the name and take it for true; importing it would take longer than all else here."""

if TYPE_CHECKING:
    from pitboss.front_door import PitbossError, Refusal, Table, read, replay, rulebook, rules, side_odds, simulate
    from pitboss.odds import OddsRoom

    odds: OddsRoom

__version__ = "0.1.0"

__all__ = [
    "PitbossError", "Refusal", "Table", "__version__",
    "odds", "read", "replay", "rulebook", "rules", "side_odds", "simulate",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'pitboss' has no attribute '{name}'")
    if name == "odds":
        import pitboss.odds as room

        return room
    from pitboss import front_door

    return getattr(front_door, name)


def __dir__() -> list[str]:
    return sorted({name for name in globals() if name.startswith("__")} | set(__all__))
