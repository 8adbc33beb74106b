"""Money that is decided and not handed over: winnings withheld for an inquiry, prizes that somebody has to confirm.

Results say what a player has won; whether it was paid out is said here. Within a round both follow from its
settlements, so that a rebuilt or void round needs no mending; what is left when the round is cleared is kept with the
standing orders.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.money import ZERO, Money
from pitboss.rulebooks.model.rules import Authority, Rules
from pitboss.table.floor_state import Prize, Withheld
from pitboss.table.state import Settlement, State

UNDONE = ("void", "retracted", "withdrawn")
"""Outcomes of settlements that take back what was won before."""


def list_winnings(state: State, player: str) -> dict[tuple[str, str], Money]:
    """What each wager of a player has won in this round, by box and wager; those that won nothing are left out."""
    found: dict[tuple[str, str], Money] = {}
    for settled in state.settlements:
        if settled.player == player:
            key = (settled.box, settled.wager)
            found[key] = found.get(key, ZERO) + settled.net
    return {key: net for key, net in found.items() if net > 0}


def amount_withheld(state: State, held: Withheld) -> Money:
    """All that is kept from a player: from rounds before, and from this one."""
    return held.kept + sum(list_winnings(state, held.player).values(), ZERO)


def keep_winnings(state: State) -> tuple[Withheld, ...]:
    """What is withheld once the round is cleared away."""
    return tuple(Withheld(held.player, held.clauses, amount_withheld(state, held)) for held in state.floor.withheld)


def confirming_power(rules: Rules, settled: Settlement) -> Authority | None:
    """The power by which a prize is confirmed before it is paid; none if it needs no confirming."""
    return rules.confirming_powers.get(f"{settled.wager}/{settled.outcome}")


def list_prizes(state: State) -> tuple[Prize, ...]:
    """The prizes that nobody has confirmed: of rounds before, and of this one."""
    return (*state.floor.prizes, *list_prizes_of_round(state))


def list_held_prizes(state: State) -> tuple[Prize, ...]:
    """Those of them that are not paid: what need not be on record is taken to be confirmed, and is paid at once."""
    return tuple([prize for prize in list_prizes(state) if prize.held])


def list_prizes_of_round(state: State) -> tuple[Prize, ...]:
    """The prizes of this round that wait to be confirmed; a stake that had been lost comes back beside its prize."""
    powers = state.rules.confirming_powers
    if not powers or not any(f"{settled.wager}/{settled.outcome}" in powers for settled in state.settlements):
        return ()
    held = state.floor.on_record or state.floor.holds_prizes
    found: list[Prize] = []
    lost: dict[tuple[str, str, str], Money] = {}
    for settled in state.settlements:
        key = (settled.box, settled.player, settled.wager)
        if settled.outcome in UNDONE:
            found = [prize for prize in found if (prize.box, prize.player, prize.wager) != key]
        elif settled.net > 0 and (power := confirming_power(state.rules, settled)) is not None:
            found.append(Prize(*key, settled.outcome, settled.net - lost.pop(key, ZERO), power.id, held))
        elif settled.net < 0:
            lost[key] = lost.get(key, ZERO) - settled.net
    confirmed = {replace(prize, held=held) for prize in state.trouble.confirmed}
    return tuple([prize for prize in found if prize not in confirmed])
