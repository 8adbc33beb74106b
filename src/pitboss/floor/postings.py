"""What a table's decisions move in money: a pure function of the table before and after.

A stake goes from the player's purse to the layout. When a wager is decided, a loss goes from the layout into the float,
a win comes out of the float, and the stake goes back to the purse. What is taken back (a void, a rebuilt round) is a
new transfer the other way; no old one is erased. Free tokens move between the house's tray and the layout, promotional
tokens between their player, the layout and the tray; meters grow out of the float and pay back into it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from pitboss.floor.jackpots.meter_links import MeterLink, list_managed
from pitboss.floor.ledger import (
    CAGE,
    TRAY,
    Transfer,
    Unit,
    bet_manager,
    float_of,
    hold_for,
    jackpot_of,
    layout,
    meter,
    purse,
    to_grains,
)
from pitboss.floor.vouchers.promotional_tokens import LostTokens, count_promotional, find_bettor
from pitboss.money import ZERO, Money
from pitboss.table.round.held_money import amount_withheld, list_held_prizes
from pitboss.table.state import Fate, Phase, Settlement, State


class Staked(msgspec.Struct, frozen=True):
    """What lies on a layout and is not decided: chips by player, and free tokens; and winnings that are held back."""

    chips: dict[str, Money] = {}
    tokens: Money = ZERO
    held: dict[str, Money] = {}
    managed: dict[str, Money] = {}
    """How much of each player's chips there was staked from a Personal Bet Manager."""
    held_managed: dict[str, Money] = {}
    """How much of what is held back was won by such wagers."""
    promotional: dict[str, Money] = {}
    """Promotional tokens among the wagers, by what `name_wager` calls them: chips leaves them out."""


def count_staked(state: State, managed: frozenset[str] = frozenset()) -> Staked:
    """What lies on the layout of a table now, and what is held back; `managed` wagers are staked from managers."""
    chips: dict[str, Money] = {}
    tokens = _count_layout(state, chips)
    if state.waiting is not None:
        tokens += _count_layout(state.waiting, chips)
    promotional = count_promotional(state)
    for wager, amount in promotional.items():
        chips[find_bettor(wager)] -= amount
    if not managed:
        return Staked(chips, tokens, _count_held(state), promotional=promotional)
    held_managed = _count_held_managed(state, managed)
    return Staked(chips, tokens, _count_held(state), _count_managed(state, managed), held_managed, promotional)


def _count_managed(state: State, managed: frozenset[str]) -> dict[str, Money]:
    """What lies on the layout of wagers that are placed from Personal Bet Managers."""
    found: dict[str, Money] = {}
    for at in (state, state.waiting):
        if at is None or at.phase is Phase.SETTLED:
            continue
        lying = [side for side in at.sides if side.state] if at.boxes else at.bets
        for bet in lying:
            if bet.wager in managed:
                found[bet.player] = found.get(bet.player, ZERO) + bet.amount
    return found


def _count_layout(state: State, chips: dict[str, Money]) -> Money:
    """Add what lies there for the round of a state to `chips`; the free tokens beside it."""
    tokens = ZERO
    if state.phase is not Phase.SETTLED:
        if state.boxes:
            tokens = _count_boxes(state, chips)
            for side in state.sides:
                if side.state:
                    chips[side.player] = chips.get(side.player, ZERO) + side.amount
        else:
            pair = state.rules.boxes_per_area
            for bet in state.bets:
                both = pair if bet.wager == "main" and bet.box.isdigit() else 1
                chips[bet.player] = chips.get(bet.player, ZERO) + bet.amount * both
    if state.carried:
        active = {(side.box, side.player, side.wager) for side in state.sides if side.state}
        for kept in state.carried:
            if state.phase is Phase.SETTLED or (kept.box, kept.player, kept.wager) not in active:
                chips[kept.player] = chips.get(kept.player, ZERO) + kept.amount
    return tokens


def _count_held(state: State) -> dict[str, Money]:
    """What each player has won and not been paid; a prize of somebody whose winnings are withheld is among those."""
    floor = state.floor
    if not (floor.withheld or floor.prizes or floor.on_record or floor.holds_prizes):
        return {}
    found = {item.player: amount_withheld(state, item) for item in floor.withheld}
    for prize in list_held_prizes(state):
        if all(item.player != prize.player for item in floor.withheld):
            found[prize.player] = found.get(prize.player, ZERO) + prize.amount
    return {player: amount for player, amount in found.items() if amount}


def _count_held_managed(state: State, managed: frozenset[str]) -> dict[str, Money]:
    """Prizes of managed wagers that wait to be confirmed; withheld winnings are held back in chips."""
    floor = state.floor
    found: dict[str, Money] = {}
    for prize in list_held_prizes(state):
        if prize.wager in managed and all(item.player != prize.player for item in floor.withheld):
            found[prize.player] = found.get(prize.player, ZERO) + prize.amount
    return found


def _count_boxes(state: State, chips: dict[str, Money]) -> Money:
    """Add what lies on the boxes in play to `chips`; the free tokens among it."""
    tokens = ZERO
    for box in state.boxes:
        for bettor in box.bettors:
            if bettor.insurance is not None:
                chips[bettor.player] = chips.get(bettor.player, ZERO) + bettor.insurance
            if not box.hands:
                chips[bettor.player] = chips.get(bettor.player, ZERO) + bettor.stake
        for hand in box.hands:
            for stake in hand.stakes:
                if stake.fate is not Fate.SETTLED:
                    chips[stake.player] = chips.get(stake.player, ZERO) + stake.base + stake.double
                    if stake.base_token or stake.double_token:
                        tokens += stake.base_token + stake.double_token
    return tokens


class MoneyPlaces(msgspec.Struct, frozen=True):
    """Where the money of a table lies: which wagers come out of which accounts, and where its meters are kept."""

    table: str
    managed: frozenset[str] = frozenset()
    systems: dict[str, str] = {}
    """The prize meter system of each meter that the table shares."""
    withheld: frozenset[str] = frozenset()
    """Players whose winnings are held back: they win in chips."""

    def find_pocket(self, player: str, wager: str, *, won: bool = False) -> str:
        """The account that stakes a wager, or the one that what it `won` goes to."""
        if wager not in self.managed or (won and player in self.withheld):
            return purse(self.table, player)
        return bet_manager(self.table, player)

    def find_meter(self, name: str) -> str:
        """The account of a meter that the table shows."""
        return jackpot_of(self.systems[name], name) if name in self.systems else meter(self.table, name)


def find_money_places(table: str, links: Collection[MeterLink], state: State) -> MoneyPlaces:
    """Where the money of a table lies that belongs to these meter systems."""
    if not links:
        return MoneyPlaces(table)
    systems = {name: link.system for link in links for name in link.meters}
    return MoneyPlaces(table, list_managed(links), systems, frozenset(item.player for item in state.floor.withheld))


def post_decision(
    places: MoneyPlaces | str,
    before: State,
    staked: Staked,
    after: State,
    now_staked: Staked,
    forfeited: Collection[str] = (),
) -> tuple[Transfer, ...]:
    """The transfers that lead from one state of a table to the next; `staked` and `now_staked` are what lies there.

    `places` may be the name of a table that shares nothing; `forfeited` names players whose withheld winnings the house
    has taken.
    """
    places = MoneyPlaces(places) if isinstance(places, str) else places
    table = places.table
    transfers: list[Transfer] = []
    rest: dict[str, Money] = {}
    for player in {**staked.chips, **now_staked.chips}:
        change = now_staked.chips.get(player, ZERO) - staked.chips.get(player, ZERO)
        if places.managed:
            managed = now_staked.managed.get(player, ZERO) - staked.managed.get(player, ZERO)
            change -= managed
            rest[bet_manager(table, player)] = managed
        rest[purse(table, player)] = change
    lost = LostTokens(table, staked.promotional, now_staked.promotional)
    for settled, sign in _list_settled(before, after):
        net = settled.net * sign
        if lost.concerned and settled.net < 0:
            net += lost.take(before if sign > 0 else after, settled, sign) * sign
        _post_settlement(places, settled, net, transfers, rest)
    for pocket, change in rest.items():
        _post_between(pocket, layout(table), change, transfers)
    transfers += lost.list_transfers()
    if staked.held or now_staked.held:
        _post_held(table, before, staked, now_staked, forfeited, transfers)
    _post_between(TRAY + table, layout(table), now_staked.tokens - staked.tokens, transfers, Unit.TOKEN)
    if before.meters is not after.meters:
        for name, now in after.meters.items():
            was = before.meters[name].value if name in before.meters else ZERO
            _post_between(float_of(table), places.find_meter(name), now.value - was, transfers)
    return tuple(transfers)


def _post_held(
    table: str, before: State, staked: Staked, now_staked: Staked, forfeited: Collection[str], transfers: list[Transfer]
) -> None:
    """Winnings are held back, handed out, or forfeit; what a round on the table has won is taken by its settlements."""
    changes = {
        player: now_staked.held.get(player, ZERO) - staked.held.get(player, ZERO)
        for player in {**staked.held, **now_staked.held}
    }
    for item in before.floor.withheld:
        if item.player in forfeited:
            _post_between(hold_for(table, item.player), float_of(table), item.kept, transfers)
            changes[item.player] = changes.get(item.player, ZERO) + item.kept
    for player, change in changes.items():
        managed = now_staked.held_managed.get(player, ZERO) - staked.held_managed.get(player, ZERO)
        _post_between(purse(table, player), hold_for(table, player), change - managed, transfers)
        _post_between(bet_manager(table, player), hold_for(table, player), managed, transfers)


def _map_settlements(state: State) -> dict[int, tuple[Settlement, ...]]:
    """What was settled in the round of a state, in the last one while it can be put right, and in one that waits."""
    found = {state.round: state.settlements}
    for other in (state.past, state.waiting):
        if other is not None:
            found.setdefault(other.round, other.settlements)
    return found


def _list_settled(before: State, after: State) -> list[tuple[Settlement, int]]:
    """What was settled in between, with 1; what was settled before and no longer is, with -1."""
    if before.settlements is after.settlements and before.past is after.past and before.waiting is after.waiting:
        return []
    found: list[tuple[Settlement, int]] = []
    known = _map_settlements(before)
    for number, new in _map_settlements(after).items():
        old = known.get(number, ())
        if old is new:
            continue
        same = 0
        while same < min(len(old), len(new)) and old[same] == new[same]:
            same += 1
        found += [(settled, -1) for settled in old[same:]]
        found += [(settled, 1) for settled in new[same:]]
    return found


def _post_settlement(
    places: MoneyPlaces, settled: Settlement, net: Money, transfers: list[Transfer], rest: dict[str, Money]
) -> None:
    """A win comes out of the float; a loss goes from the layout into it, and is not to be moved once more."""
    table = places.table
    pocket = places.find_pocket(settled.player, settled.wager, won=settled.net > 0)
    if net > 0:
        transfers.append(Transfer(float_of(table), pocket, to_grains(net), clauses=settled.clauses))
    elif net < 0:
        transfers.append(Transfer(layout(table), float_of(table), to_grains(-net), clauses=settled.clauses))
        rest[pocket] = rest.get(pocket, ZERO) - net


def _post_between(giver: str, taker: str, change: Money, transfers: list[Transfer], unit: Unit = Unit.CHIP) -> None:
    """A change of the taker's: it receives, or gives back."""
    if change > 0:
        transfers.append(Transfer(giver, taker, to_grains(change), unit))
    elif change < 0:
        transfers.append(Transfer(taker, giver, to_grains(-change), unit))


def count_as_play(transfers: Iterable[Transfer]) -> tuple[Transfer, ...]:
    """What moves at a practice table are play chips."""
    return tuple([replace(moved, unit=Unit.PLAY) if moved.unit is Unit.CHIP else moved for moved in transfers])


def post_manager(
    table: str, player: str, amount: Money, chips: Money, clauses: tuple[str, ...]
) -> tuple[Transfer, ...]:
    """Chips for a balance of a Personal Bet Manager; what chips cannot pay exactly goes up, out of the float."""
    pocket, before_player = bet_manager(table, player), purse(table, player)
    moved = [Transfer(pocket, before_player, to_grains(amount), clauses=clauses)] if amount else []
    if chips > amount:
        moved.append(Transfer(float_of(table), before_player, to_grains(chips - amount), clauses=clauses))
    return tuple(moved)


def post_opening(table: str, state: State, bank: Money) -> tuple[Transfer, ...]:
    """What a table opens with: its float out of the cage, and the seeds of its meters out of the float."""
    transfers = [Transfer(CAGE, float_of(table), to_grains(bank))] if bank else []
    for name, shown in state.meters.items():
        _post_between(float_of(table), meter(table, name), shown.value, transfers)
    return tuple(transfers)


def purses_after(purses: Mapping[str, int], head: str, transfers: tuple[Transfer, ...]) -> dict[str, int]:
    """Accounts of chips that begin alike once these transfers are made, in grains by the player who ends their name."""
    return _balances_after(purses, head, [moved for moved in transfers if moved.unit is not Unit.TOKEN])


def tokens_after(tokens: Mapping[str, int], head: str, transfers: tuple[Transfer, ...]) -> dict[str, int]:
    """The same for promotional tokens; whoever has none left is not named."""
    after = _balances_after(tokens, head, [moved for moved in transfers if moved.unit is Unit.TOKEN])
    return {player: amount for player, amount in after.items() if amount}


def _balances_after(balances: Mapping[str, int], head: str, transfers: Iterable[Transfer]) -> dict[str, int]:
    found = dict(balances)
    for moved in transfers:
        if moved.credit.startswith(head):
            found[moved.credit[len(head) :]] = found.get(moved.credit[len(head) :], 0) + moved.amount
        if moved.debit.startswith(head):
            found[moved.debit[len(head) :]] = found.get(moved.debit[len(head) :], 0) - moved.amount
    return found
