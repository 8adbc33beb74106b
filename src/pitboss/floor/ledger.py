"""The ledger: money only moves, from one account to another, in whole grains of one unit.

An account is a text, its kind before the first colon and its owner after it. A balance is what came in less what went
out. The cage is where chips come from and go back to, so it is below zero by what is out on the floor, and all accounts
of a unit always come to zero together. What players have, and what lies on a layout, is never below zero.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

import msgspec

from pitboss.errors import PitbossError
from pitboss.money import Money

GRAIN_PLACES = 6
"""A grain is a millionth of a chip: small enough for half a cent of a half chip, and for a meter's share of one."""


class LedgerError(PitbossError):
    """Money that cannot be moved as asked."""


class Unit(enum.StrEnum):
    """What is counted. One unit never becomes another."""

    CHIP = "chip"
    PLAY = "play"
    """A play chip: lent by the house at a practice table, and worth nothing elsewhere."""
    TOKEN = "token"
    """A free token of a game: it wins like a chip, costs nothing and goes back to the house. Or a promotional token,
    which a player has in exchange for a voucher."""
    VOUCHER = "voucher"
    """A promotional voucher, at the value that it names."""
    PRIZE = "prize"
    """A prize that is not money, at its value."""
    TOURNAMENT = "tournament-chip"
    """A chip of one tournament: it is wagered and counted there, and worth nothing elsewhere."""


CAGE = "cage:"
"""Where chips are bought and redeemed."""
TRAY = "tray:"
"""Where the house keeps free tokens that are not on a layout."""
WALLET = "wallet:"
"""What people have on the floor and not at a table."""
JACKPOT = "jackpot:"
"""What the meters of prize meter systems show."""
OWED = "owed:"
"""What closed meter systems owe to others."""
STORE = "store:"
"""Where vouchers, and prizes that are not money, come from and go back to."""
PROMOTION_FUND = "promotion:"
"""What promotions have set aside for their prizes."""
HELD_BY_GAMES = ("manager:", JACKPOT, OWED, "stack:", "prize-pool:", PROMOTION_FUND)
"""What devices of players, jackpots, tournaments and promotions hold."""
NEVER_NEGATIVE = (WALLET, "purse:", "layout:", "held:", *HELD_BY_GAMES)
"""What players own, what lies on a layout, what is decided and held back, and what is held for what is to come."""


def wallet(player: str) -> str:
    """What a player has on the floor and not at a table."""
    return f"{WALLET}{player}"


def purse(table: str, player: str) -> str:
    """The chips before a player at one table, apart from those that are staked."""
    return f"purse:{table}/{player}"


def layout(table: str) -> str:
    """Everything that is staked at one table and not decided yet."""
    return f"layout:{table}"


def hold_for(table: str, player: str) -> str:
    """What a player has won and is held back: for an inquiry, or until a prize is confirmed."""
    return f"held:{table}/{player}"


def float_of(table: str) -> str:
    """The chips in the tray before the dealer."""
    return f"float:{table}"


def meter(table: str, name: str) -> str:
    """What a prize meter shows."""
    return f"meter:{table}/{name}"


def jackpot_of(system: str, name: str) -> str:
    """What a meter of a prize meter system shows."""
    return f"{JACKPOT}{system}/{name}"


def name_debt(system: str, name: str) -> str:
    """What a closed meter system held above its seed, and no other system was there to take."""
    return f"{OWED}{system}/{name}"


def bet_manager(table: str, player: str) -> str:
    """The balance of a player's Personal Bet Manager at a table."""
    return f"manager:{table}/{player}"


def stack_of(tournament: str, entry: str) -> str:
    """The tournament chips before a player."""
    return f"stack:{tournament}/{entry}"


def tournament_layout(tournament: str, table: str) -> str:
    """The tournament chips that are staked at one table of a tournament."""
    return f"layout:{tournament}/{table}"


def chip_inventory(tournament: str) -> str:
    """Where a tournament's chips come from and go back to; like the cage it is below zero by what is out."""
    return f"inventory:{tournament}"


def prize_pool(tournament: str) -> str:
    """What the places of a tournament are paid from."""
    return f"prize-pool:{tournament}"


class Transfer(msgspec.Struct, frozen=True):
    """So many grains leave one account for another."""

    debit: str
    """The account that gives."""
    credit: str
    """The account that receives."""
    amount: int
    unit: Unit = Unit.CHIP
    clauses: tuple[str, ...] = ()


def to_grains(amount: Money) -> int:
    """An amount in grains."""
    scaled = amount.scaleb(GRAIN_PLACES)
    grains = int(scaled)
    if grains != scaled:
        raise LedgerError(f"{amount} is finer than the ledger: {GRAIN_PLACES} decimal places are kept")
    return grains


def from_grains(grains: int) -> Money:
    """Grains as an amount."""
    return Money(grains).scaleb(-GRAIN_PLACES).normalize() + 0


Balances = Mapping[tuple[str, Unit], int]
"""Account and unit to grains; an account that is not there has none."""


def add_up_changes(transfers: Iterable[Transfer]) -> dict[tuple[str, Unit], int]:
    """What each account gains or loses by these transfers."""
    changes: dict[tuple[str, Unit], int] = {}
    for moved in transfers:
        out, into = (moved.debit, moved.unit), (moved.credit, moved.unit)
        changes[out] = changes.get(out, 0) - moved.amount
        changes[into] = changes.get(into, 0) + moved.amount
    return changes


def find_overdraft(balances: Balances, changes: Mapping[tuple[str, Unit], int]) -> str:
    """The first account that these changes would bring below zero although it may not be; empty if there is none."""
    for (account, unit), change in changes.items():
        if change < 0 and account.startswith(NEVER_NEGATIVE) and balances.get((account, unit), 0) + change < 0:
            return account
    return ""


def find_imbalance(balances: Balances) -> int:
    """By how much all accounts together miss zero, over all units; anything but 0 means that the ledger is broken."""
    sums: dict[Unit, int] = {}
    for (_, unit), balance in balances.items():
        sums[unit] = sums.get(unit, 0) + balance
    return sum(abs(total) for total in sums.values())
