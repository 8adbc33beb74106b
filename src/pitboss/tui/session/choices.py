"""What the player may choose: each decision with its key, its name, its price, and the robots that go along.

Choices are made of what the table says is legal. `wish` makes a command of a key that is not on offer, for the table to
refuse in its own words.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from pitboss.money import ZERO, Money, half, show
from pitboss.play.doubling import double_is_free
from pitboss.play.insurance import insurance_halves
from pitboss.play.packed import STAKE_UP_TO
from pitboss.play.splitting import split_is_free
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Box, Fate, Phase
from pitboss.tui.session import robots
from pitboss.tui.session.robots import Advisor
from pitboss.tui.session.session import Session, price_of, split_value


class Choice(msgspec.Struct, frozen=True):
    """One thing the player may do: its key, what it is called, the command it gives."""

    key: str
    name: str
    command: cmd.Command
    detail: str = ""
    most: Money | None = None
    """The amount may be anything up to this; none: it is fixed or there is none."""


KEYS: dict[type[cmd.Command], tuple[str, str]] = {
    cmd.Hit: ("h", "hit"),
    cmd.Stand: ("s", "stand"),
    cmd.Double: ("d", "double"),
    cmd.Split: ("p", "split"),
    cmd.Surrender: ("r", "surrender"),
    cmd.Insure: ("i", "insure"),
    cmd.TakeEvenMoney: ("e", "even money"),
    cmd.Switch: ("w", "switch"),
    cmd.Forfeit: ("t", "take back"),
    cmd.PlayAbsent: ("a", "dealer plays"),
}
"""Key and name of each kind of decision."""
_ORDER: list[type[cmd.Command]] = list(KEYS)


def choices_of(session: Session, options: list[cmd.Command], advisor: Advisor) -> list[Choice]:
    """What the player may choose, in the order of the keys; what the bankroll does not reach is left out or smaller."""
    found = []
    known = (option for option in options if type(option) in KEYS)
    for command in sorted(known, key=lambda option: _ORDER.index(type(option))):
        choice = _choice(session, command, advisor)
        if choice is not None:
            found.append(choice)
    return found


def _choice(session: Session, command: cmd.Command, advisor: Advisor) -> Choice | None:
    key, name = KEYS[type(command)]
    most = most_of(session, command)
    if most is not None:
        if most <= 0:
            return None
        command = with_amount(session, command, most)
    elif price_of(session.state, command, session.me) > session.available:
        return None
    command = _for_player(session, command, advisor)
    price = price_of(session.state, command, session.me)
    several = len([box for box in session.state.boxes if box.bettor(session.me) is not None]) > 1
    place = (
        f"box {getattr(command, 'box', '')}"
        if several and isinstance(command, cmd.Insure | cmd.TakeEvenMoney | cmd.Surrender)
        else ""
    )
    detail = " ".join(part for part in (place, show(price) if price else _free(session, command)) if part)
    return Choice(key, name, command, detail, most)


def _free(session: Session, command: cmd.Command) -> str:
    state = session.state
    doubled = isinstance(command, cmd.Double) and double_is_free(state.packed)
    split = isinstance(command, cmd.Split) and split_is_free(state.packed, split_value(state, command.box))
    return "free" if doubled or split else ""


def _for_player(session: Session, command: cmd.Command, advisor: Advisor) -> cmd.Command:
    """The command in the player's name, with the robots that go along."""
    if isinstance(command, cmd.Double | cmd.Split | cmd.Surrender):
        box = session.state.boxes[session.state.box_index(command.box)]
        if session.state.phase is Phase.TURNS:
            command = with_sharers(session, box, command, advisor)
    return replace(command, by=session.me) if hasattr(command, "by") else command


def most_of(session: Session, command: cmd.Command) -> Money | None:
    """The largest amount of a choice whose amount is free; none where it is fixed."""
    state = session.state
    if isinstance(command, cmd.Insure):
        return min(command.amount, session.available)
    if isinstance(command, cmd.Double) and state.packed.double_stake == STAKE_UP_TO:
        return min(dict(command.amounts).get(session.me, ZERO), session.available)
    return None


def with_amount(session: Session, command: cmd.Command, amount: Money) -> cmd.Command:
    """The same command for another amount."""
    if isinstance(command, cmd.Insure):
        return replace(command, amount=amount)
    if isinstance(command, cmd.Double):
        amounts = tuple((name, amount if name == session.me else value) for name, value in command.amounts)
        return replace(command, amounts=amounts)
    return command


# ---------------------------------------------------------------------- sharers


def sharers_on(session: Session, box: Box) -> list[str]:
    """Other players with a live stake on the hand whose turn it is."""
    hand = box.hands[session.state.turn[1] if session.state.turn is not None else 0]
    return [s.player for s in hand.stakes if s.player != box.controller and s.fate is Fate.PLAYS and s.winning > 0]


def with_sharers(session: Session, box: Box, command: cmd.Command, advisor: Advisor, but: str = "") -> cmd.Command:
    """A double, split or surrender with the robots that go along with it."""
    if not isinstance(command, cmd.Double | cmd.Split | cmd.Surrender):
        return command
    by_name = {robot.name: robot for robot in session.setup.robots}
    going = [
        name
        for name in sharers_on(session, box)
        if name != but
        and name in by_name
        and robots.joins(session.setup, by_name[name], session.state, command, advisor)
    ]
    for name in going:
        command = add_player(session, box, command, name)
    return command


def add_player(
    session: Session, box: Box, command: cmd.Command, player: str, amount: Money | None = None
) -> cmd.Command:
    """The command with one more player going along."""
    bettor = box.bettor(player)
    if isinstance(command, cmd.Double) and bettor is not None:
        return replace(command, amounts=(*command.amounts, (player, bettor.stake if amount is None else amount)))
    if isinstance(command, cmd.Split) or (
        isinstance(command, cmd.Surrender) and session.rules.surrender_sharers == "each-chooses"
    ):
        return replace(command, players=(*command.players, player))
    return command


# ---------------------------------------------------------------------- wishes that may be refused


def wish(session: Session, key: str, box: str) -> cmd.Command | None:
    """The command that a key stands for, legal or not: the table says why it is refused."""
    state, me = session.state, session.me
    if state.turn is not None:
        box = state.boxes[state.turn[0]].number
    elif state.boxes:
        own = [each.number for each in state.boxes if each.bettor(me) is not None]
        box = own[0] if own else state.boxes[0].number
    index = state.box_index(box)
    bettor = state.boxes[index].bettor(me) if index >= 0 else None
    stake = bettor.stake if bettor is not None else Money(1)
    wishes: dict[str, cmd.Command] = {
        "h": cmd.Hit(box=box, by=me),
        "s": cmd.Stand(box=box, by=me),
        "d": cmd.Double(box=box, amounts=((me, stake),), by=me),
        "p": cmd.Split(box=box, by=me),
        "r": cmd.Surrender(box=box, by=me),
        "i": cmd.Insure(box=box, player=me, amount=half(stake) * insurance_halves(state.packed), by=me),
        "e": cmd.TakeEvenMoney(box=box, player=me, by=me),
        "w": cmd.Switch(area=box.rstrip("ab"), by=me),
        "t": cmd.Forfeit(box=box, player=me, by=me),
        "a": cmd.PlayAbsent(box=box),
    }
    return wishes.get(key)
