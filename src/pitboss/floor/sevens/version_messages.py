"""What can be asked about the version of a side wager that all tables share, what happens, and what is known of it."""

from __future__ import annotations

import msgspec


class VersionCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the commands."""


class DeclareVersion(VersionCommand, frozen=True, tag="declare"):
    """Say which version is in play, before any other was."""

    version: int


class AnnounceVersion(VersionCommand, frozen=True, tag="announce"):
    """Display the notice that another version will come."""

    version: int
    start: int = 0
    """When games close for it, where the book wants a date and time to be named; 0: none is."""
    notice_minutes: int = 60
    """How long the notice stands before games close."""
    closed_minutes: int = 30
    """How long they stay closed."""


class CloseGames(VersionCommand, frozen=True, tag="close-games"):
    """Close all games of the old version."""


class OpenVersion(VersionCommand, frozen=True, tag="open-version"):
    """Let games open with the new version."""


VERSION_COMMANDS = (DeclareVersion, AnnounceVersion, CloseGames, OpenVersion)


class VersionEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the events."""

    clauses: tuple[str, ...] = ()


class VersionDeclared(VersionEvent, frozen=True, tag="version-declared"):
    version: int


class VersionAnnounced(VersionEvent, frozen=True, tag="version-announced"):
    version: int
    start: int
    notice_minutes: int
    closed_minutes: int


class GamesClosed(VersionEvent, frozen=True, tag="games-closed"):
    pass


class VersionOpened(VersionEvent, frozen=True, tag="version-opened"):
    version: int


VERSION_EVENTS: tuple[type[VersionEvent], ...] = (VersionDeclared, VersionAnnounced, GamesClosed, VersionOpened)


class VersionState(msgspec.Struct, frozen=True, kw_only=True):
    """Which version is in play, and how far a change of it has come."""

    name: str
    book: str
    version: int = 0
    """0: nobody has said yet."""
    coming: int = 0
    """The version that is announced; 0: none is."""
    announced_ms: int = 0
    start_ms: int = 0
    notice_ms: int = 0
    closed_for_ms: int = 0
    closed_ms: int = 0
    """Since when all games are closed for the change; 0: they are not."""
