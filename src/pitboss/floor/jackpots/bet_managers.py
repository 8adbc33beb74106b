"""Personal Bet Managers: the account of a player at a table that jackpot wagers come out of and prizes go to.

A player tenders chips, cash, vouchers or tokens; the first tender brings the device, which only goes to somebody with a
main wager. Prizes are credited exactly. The balance is paid in chips, on request or at the latest on leaving; what
chips cannot pay goes up to what they can. What a wager costs at a table of a prize meter system is checked here too.
"""

from __future__ import annotations

from pitboss.floor.jackpots.meter_links import MeterLink, find_link
from pitboss.floor.ledger import from_grains
from pitboss.floor.live_table import LiveTable, LoadManager, ManagerLoaded, ManagerPaid, PayManager
from pitboss.money import ZERO, Money, parse_money, round_up, show
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table.authority import authorise
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.askers import PLAYER, Asker
from pitboss.table.state import State

CENT = Money("0.01")
LOADS, PAYS = "credit-bet-manager", "cash-out-bet-manager"
"""The powers of a book by which a dealer takes money for a device, and pays it out."""


def load_manager(live: LiveTable, command: LoadManager, by: Asker) -> ManagerLoaded:
    """A tender is credited, as far as the device accepts it; the rest is handed back."""
    side = _find_managed(live)
    player, tendered = command.player, parse_money(command.amount)
    clauses = _authorise(live, by, LOADS, player, command.medium)
    if tendered <= 0:
        raise Refused(f"a tender must be above zero, not {show(tendered)}", clauses)
    if player not in live.purses:
        raise Refused(f"{player} is not at this table", clauses)
    if player not in live.managers and not _has_main_wager(live.table, player):
        words = f"{player} has no main wager: a Personal Bet Manager goes to somebody who has"
        raise Refused(words, (*side.cite("own_main"), *clauses))
    unit = live.table.payable or CENT
    credited = tendered - tendered % unit
    if not credited:
        raise Refused(f"{side.name} wagers are credited in units of {show(unit)}: {show(tendered)} is less", clauses)
    has = from_grains(live.purses[player])
    if command.medium == "chips" and credited > has:
        raise Refused(f"{player} has {show(has)} in chips at the table, and this takes {show(credited)}", clauses)
    back = tendered - credited
    return ManagerLoaded(player=player, amount=credited, medium=command.medium, handed_back=back, clauses=clauses)


def pay_manager(live: LiveTable, command: PayManager, by: Asker) -> ManagerPaid:
    """The balance is paid in chips, or the part of it that is asked for."""
    player = command.player
    clauses = _authorise(live, by, PAYS, player, "chips")
    if player not in live.managers:
        raise Refused(f"{player} has no Personal Bet Manager", clauses)
    balance, unit = from_grains(live.managers[player]), live.table.payable or CENT
    if command.amount is None:
        if not balance:
            raise Refused(f"the Personal Bet Manager of {player} shows nothing to pay", clauses)
        return ManagerPaid(player=player, amount=balance, chips=round_up(balance, unit), clauses=clauses)
    part = parse_money(command.amount)
    if not 0 < part <= balance:
        raise Refused(f"the Personal Bet Manager of {player} shows {show(balance)}, not {show(part)}", clauses)
    if part % unit:
        raise Refused(f"a part is paid in chips: a multiple of {show(unit)}, not {show(part)}", clauses)
    return ManagerPaid(player=player, amount=part, chips=part, clauses=clauses)


def hand_back_manager(live: LiveTable, player: str) -> tuple[ManagerPaid, ...]:
    """Whoever leaves is paid the whole balance in chips, and hands the device back."""
    if player not in live.managers:
        return ()
    balance = from_grains(live.managers[player])
    power = live.table.rules.authority.get(PAYS)
    clauses = power.clauses if power is not None else ()
    chips = round_up(balance, live.table.payable or CENT)
    return (ManagerPaid(player=player, amount=balance, chips=chips, ends=True, clauses=clauses),)


def check_jackpot_wager(live: LiveTable, command: cmd.PlaceBet) -> None:
    """Refuse a jackpot wager at another price than its system's, without a balance for it, or where no meter is."""
    side = live.table.rules.side_wager(command.wager)
    if side is None or not side.meters:
        return
    link = find_link(live.links, side.id)
    if link is None:
        if any(name not in live.table.meters for name in side.meters):
            raise Refused(f"the table is in no prize meter system for {side.name}", side.cite("system", "refused"))
        return
    if side.id in live.table.floor.withdrawn:
        return  # the table says so itself
    _check_price(live.table, side, link, command)
    _check_main_wager(live.table, side, command)
    if link.managed:
        _check_balance(live, side, command)


def _check_price(state: State, side: SideWager, link: MeterLink, command: cmd.PlaceBet) -> None:
    key = (command.box, command.player, side.id)
    if any((bet.box, bet.player, bet.wager) == key for bet in state.bets):
        raise Refused(f"{command.player} has a {side.name} wager on box {command.box} already", side.cite("price"))
    if command.amount != link.price:
        words = f"a {side.name} wager costs {show(link.price)} at every table of {link.system}"
        raise Refused(f"{words}, not {show(command.amount)}", side.cite("price"))


def _check_main_wager(state: State, side: SideWager, command: cmd.PlaceBet) -> None:
    """Refuse a jackpot wager on a box where its player has no main wager yet."""
    if any((bet.box, bet.player, bet.wager) == (command.box, command.player, "main") for bet in state.bets):
        return
    words = f"{command.player} has no main wager on box {command.box}: {side.name} comes after it"
    raise Refused(words, side.cite("own_main", "refused"))


def _check_balance(live: LiveTable, side: SideWager, command: cmd.PlaceBet) -> None:
    player, amount = command.player, parse_money(command.amount)
    if player not in live.managers:
        raise Refused(f"{player} has no Personal Bet Manager: tender money for one first", side.cite("balance"))
    balance = from_grains(live.managers[player])
    if balance < amount:
        words = f"the Personal Bet Manager of {player} shows {show(balance)}, and this takes {show(amount)}"
        raise Refused(words, side.cite("balance"))


def _find_managed(live: LiveTable) -> SideWager:
    """The jackpot wager of a table that is placed from Personal Bet Managers."""
    for link in live.links:
        side = live.table.rules.side_wager(link.wager)
        if link.managed and side is not None:
            return side
    power = live.table.rules.authority.get(LOADS)
    words = "the table is in no prize meter system with Personal Bet Managers"
    raise Refused(words, power.clauses if power is not None else ())


def _authorise(live: LiveTable, by: Asker, power: str, player: str, medium: str) -> tuple[str, ...]:
    """The clauses by which a dealer does this; where a machine deals, players do it themselves with their chips."""
    rules = live.table.rules
    if by.role != PLAYER:
        return authorise(rules, by.role, power, given=("player", "amount"))
    clauses = rules.authority[power].clauses if power in rules.authority else ()
    if by.name != player:
        raise Refused("this is the player's own to ask for", clauses)
    if medium != "chips":
        verb = "is" if medium == "cash" else "are"
        raise Refused(f"{medium} {verb} handed to a member of staff for credit", clauses)
    return clauses


def _has_main_wager(state: State, player: str) -> bool:
    """The player has a main wager on the layout, before the deal or in play."""
    if any(bet.player == player and bet.wager == "main" for bet in state.bets):
        return True
    return any(bettor.player == player for box in state.boxes for bettor in box.bettors)


def list_balances(live: LiveTable) -> dict[str, Money]:
    """Whoever has a Personal Bet Manager at a table, with its balance."""
    return {player: from_grains(balance) or ZERO for player, balance in live.managers.items()}
