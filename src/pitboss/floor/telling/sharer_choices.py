"""What those who share a box choose while somebody else calls it: to go along with a double, a split or a surrender."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from pitboss.cards import VALUE
from pitboss.money import ZERO, Money
from pitboss.play.doubling import double_is_free
from pitboss.play.splitting import split_is_free
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Box, Fate, Pending, Phase, Stake, State

JOINED = {cmd.Double: "a double", cmd.Split: "a split", cmd.Surrender: "a surrender"}


def join_sharers(state: State, option: cmd.Command, purses: Mapping[str, Money]) -> cmd.Command:
    """The same command with those who go along: `purses` are their chips, by name."""
    if not purses or not isinstance(option, cmd.Double | cmd.Split | cmd.Surrender):
        return option
    box = state.boxes[state.box_index(option.box)]
    if not _sharers_choose(state, option):
        return option
    names = [
        stake.player
        for stake in _find_hand_stakes(state, box)
        if stake.player in purses and stake.player != box.controller and stake.fate is Fate.PLAYS
        and purses[stake.player] >= price_of_joining(state, box, stake.player, option)
    ]  # fmt: skip
    if isinstance(option, cmd.Double):
        joined = tuple((name, _find_stake_of(box, name)) for name in names)
        return replace(option, amounts=(*option.amounts, *joined))
    return replace(option, players=(*option.players, *names))


def list_joinable(state: State, player: str, options: Iterable[cmd.Command]) -> tuple[cmd.Command, ...]:
    """What the caller of the box in turn may do in which a sharer may join, while it is open."""
    if state.phase is not Phase.TURNS or state.turn is None or state.pending is not Pending.NOTHING:
        return ()
    box = state.boxes[state.turn[0]]
    plays = any(item.player == player and item.fate is Fate.PLAYS for item in _find_hand_stakes(state, box))
    if not plays or box.controller == player:
        return ()
    return tuple(
        option
        for option in options
        if isinstance(option, cmd.Double | cmd.Split | cmd.Surrender)
        and option.box == box.number
        and _sharers_choose(state, option)
    )


def price_of_joining(state: State, box: Box, player: str, option: cmd.Command) -> Money:
    """What a sharer puts down who joins."""
    if isinstance(option, cmd.Surrender) or (isinstance(option, cmd.Double) and double_is_free(state.packed)):
        return ZERO
    if isinstance(option, cmd.Split):
        h = state.turn[1] if state.turn is not None else 0
        if split_is_free(state.packed, VALUE[box.hands[h].cards[0]]):
            return ZERO
    return _find_stake_of(box, player)


def _sharers_choose(state: State, option: cmd.Command) -> bool:
    rules = state.rules
    if isinstance(option, cmd.Double):
        return rules.double_sharers == "each-chooses"
    if isinstance(option, cmd.Split):
        return rules.split_sharers == "match-or-ride-first"
    return rules.surrender_sharers == "each-chooses"


def _find_hand_stakes(state: State, box: Box) -> tuple[Stake, ...]:
    h = state.turn[1] if state.turn is not None and state.boxes[state.turn[0]].number == box.number else 0
    return box.hands[h].stakes


def _find_stake_of(box: Box, player: str) -> Money:
    bettor = box.bettor(player)
    return ZERO if bettor is None else bettor.stake
