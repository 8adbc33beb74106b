"""How a table belongs to a prize meter system: what it has to know of it to take wagers and pay prizes."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pitboss.money import Money
from pitboss.rulebooks.model.rules import SideWager

DEVICE_WITH_MANAGER = "meter-keypad-and-bet-manager"
"""The equipment of a jackpot wager that is placed from a Personal Bet Manager."""


class MeterLink(msgspec.Struct, frozen=True, kw_only=True):
    """The membership of a table in one prize meter system, as the table knows it."""

    stream: str
    """The jackpot system that runs it: `meters melbourne`."""
    system: str
    wager: str
    price: Money
    """What a jackpot wager costs that is placed from now on."""
    meters: tuple[str, ...]
    managed: bool
    """Wagers are placed from Personal Bet Managers, and their prizes are credited there."""
    faulty: bool = False
    """The equipment does not work: the wager is not offered."""


def needs_manager(side: SideWager) -> bool:
    """Whether the book has players place this wager from a Personal Bet Manager."""
    return side.device == DEVICE_WITH_MANAGER


def find_link(links: Iterable[MeterLink], wager: str) -> MeterLink | None:
    """The membership through which a table offers a wager."""
    return next((link for link in links if link.wager == wager), None)


def change_link(links: tuple[MeterLink, ...], system: str, link: MeterLink | None) -> tuple[MeterLink, ...]:
    """The memberships of a table with other terms for one system, or without it."""
    kept = tuple(other for other in links if other.system != system)
    return kept if link is None else (*kept, link)


def list_managed(links: Iterable[MeterLink]) -> frozenset[str]:
    """The wagers of a table that are placed from Personal Bet Managers."""
    return frozenset(link.wager for link in links if link.managed)
