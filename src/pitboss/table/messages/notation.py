"""The words of round records: text to command and back, exactly.

A bet is `BOX PLAYER AMOUNT [WAGER]`, an action `BOX VERB [ARGS]`; what somebody other than a player does begins with
`!` and names the role. `words` and the parsers are each other's inverse, and a text that cannot be read is answered
with what was expected in its place.

To add a verb after `!`, put a line into `SUPERVISED`: how its words become a command, and how a command becomes words.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pitboss.errors import PitbossError
from pitboss.money import Money, show
from pitboss.table.dispatch import merge_tables
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od

LONGEST_SHOWN = 60

_BOX = re.compile(r"[0-9]{1,3}[ab]?")
_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,8})?")
_NET = re.compile(r"[+-]?[0-9]{1,20}(\.[0-9]{1,12})?")
_NAME = re.compile(r'[^\s*=@|?!,"\\]{1,40}')
_WORD = re.compile(r"[a-z][a-z0-9-]{0,39}")


class NotationError(PitbossError):
    """A text that should be a bet, an action or a result is not."""


class Result(NamedTuple):
    """One line of results: what a player gained or lost on a box with one kind of wager."""

    box: str
    player: str
    wager: str
    net: Money

    def __str__(self) -> str:
        return f"{self.box} {self.player} {self.wager} {show(self.net, sign=True)}"


class Call(NamedTuple):
    """An action after `!`, taken apart."""

    role: str
    verb: str
    arguments: tuple[str, ...] = ()
    clause: str | None = None

    def __str__(self) -> str:
        cited = (f"@{self.clause}",) if self.clause else ()
        return " ".join((f"!{self.role}", self.verb, *self.arguments, *cited))


class Supervised(NamedTuple):
    """One verb after `!`: its form for messages, its command, and both directions of the translation."""

    form: str
    command: type[cmd.Command]
    parse: Callable[[Call], cmd.Command]
    call: Callable[[Any], Call]


# ---------------------------------------------------------------------- single words


def quote(text: str) -> str:
    """A user's text inside a message: on one line, and not longer than a message can bear."""
    shown = "".join(char if char.isprintable() else "?" for char in text[: LONGEST_SHOWN + 1])
    return f"'{shown[:LONGEST_SHOWN]}...'" if len(shown) > LONGEST_SHOWN else f"'{shown}'"


def box_number(text: str) -> str:
    """A box: its number, with `a` or `b` for one of the two boxes of an area."""
    if not _BOX.fullmatch(text):
        raise NotationError(f"expected the number of a box, such as 1 or 1a, not {quote(text)}")
    return text


def player_name(text: str) -> str:
    """A player's name: one word without the signs that mean something in a record."""
    if not _NAME.fullmatch(text) or not text.isprintable():
        raise NotationError(f"expected the name of a player, one word without signs, not {quote(text)}")
    return text


def amount(text: str) -> Money:
    """An exact amount above zero."""
    if not _AMOUNT.fullmatch(text) or not (found := Money(text)):
        raise NotationError(f"expected an amount above zero, such as 25 or 2.5, not {quote(text)}")
    return found


def wager_name(text: str) -> str:
    """`main`, `insurance` or the id of a side wager."""
    if not _WORD.fullmatch(text):
        raise NotationError(f"expected main or the id of a side wager, not {quote(text)}")
    return text


def _clause(words: list[str], text: str) -> tuple[list[str], str | None]:
    """Words before a clause, and the clause: everything after the first `@`, since clause ids may hold spaces."""
    at = next((place for place, word in enumerate(words) if word.startswith("@")), None)
    if at is None:
        return words, None
    clause = " ".join(words[at:])[1:].strip()
    if not clause or not clause.isprintable() or len(clause) > LONGEST_SHOWN:
        raise NotationError(f"expected the number of a clause after @ in {quote(text)}")
    return words[:at], clause


# ---------------------------------------------------------------------- bets and results


def parse_bet(text: str) -> cmd.PlaceBet:
    """`"1 ann* 100"`, `"1 bob 5 perfect-pairs"`, `"1 bob 5 in promotional-tokens"`."""
    words = text.split()
    medium = ""
    if len(words) > 4 and words[-2] == "in":
        medium = wager_name(words.pop())
        words.pop()
    if not 3 <= len(words) <= 4:
        raise NotationError(f"expected a bet BOX PLAYER AMOUNT [WAGER], such as '1 ann* 100', not {quote(text)}")
    return cmd.PlaceBet(
        box=box_number(words[0]),
        player=player_name(words[1].removesuffix("*")),
        amount=amount(words[2]),
        wager=wager_name(words[3]) if len(words) == 4 else "main",
        seated=words[1].endswith("*"),
        medium=medium,
    )


def parse_result(text: str) -> Result:
    """`"1 ann main -200"`."""
    words = text.split()
    if len(words) != 4:
        raise NotationError(f"expected a result BOX PLAYER WAGER NET, such as '1 ann main -20', not {quote(text)}")
    if not _NET.fullmatch(words[3]):
        raise NotationError(f"expected what was won or lost, such as +30, -7.5 or 0, not {quote(words[3])}")
    return Result(box_number(words[0]), player_name(words[1]), wager_name(words[2]), Money(words[3]))


# ---------------------------------------------------------------------- actions of players


def _alone(command: Callable[..., cmd.Command]) -> Callable[[str, list[str]], cmd.Command]:
    def parse(box: str, arguments: list[str]) -> cmd.Command:
        _count(arguments, 0)
        return command(box=box)

    return parse


def _with_players(command: Callable[..., cmd.Command]) -> Callable[[str, list[str]], cmd.Command]:
    def parse(box: str, arguments: list[str]) -> cmd.Command:
        players = tuple(player_name(name) for name in arguments)
        if len(set(players)) < len(players):
            raise NotationError("expected each player once")
        return command(box=box, players=players)

    return parse


def _with_player(command: Callable[..., cmd.Command]) -> Callable[[str, list[str]], cmd.Command]:
    def parse(box: str, arguments: list[str]) -> cmd.Command:
        _count(arguments, 1)
        return command(box=box, player=player_name(arguments[0]))

    return parse


def _with_amount(command: Callable[..., cmd.Command]) -> Callable[[str, list[str]], cmd.Command]:
    def parse(box: str, arguments: list[str]) -> cmd.Command:
        _count(arguments, 2)
        return command(box=box, player=player_name(arguments[0]), amount=amount(arguments[1]))

    return parse


def _prize(box: str, arguments: list[str]) -> cmd.Command:
    nominee = None
    if len(arguments) == 4 and arguments[2] == "by":
        nominee = player_name(arguments.pop())
        arguments.pop()
    _count(arguments, 2)
    player, drawn = player_name(arguments[0]), amount(arguments[1])
    return cmd.DrawPrize(box=box, player=player, amount=drawn, nominee=nominee)


def _double(box: str, arguments: list[str]) -> cmd.Command:
    amounts: dict[str, Money] = {}
    for argument in arguments:
        name, sign, value = argument.partition("=")
        if not sign:
            raise NotationError(f"expected PLAYER=AMOUNT, such as ann=50, not {quote(argument)}")
        if name in amounts:
            raise NotationError(f"expected each player once, not {quote(name)} twice")
        amounts[player_name(name)] = amount(value)
    return cmd.Double(box=box, amounts=tuple(amounts.items()))


def _retract(box: str, arguments: list[str]) -> cmd.Command:
    if not 1 <= len(arguments) <= 2:
        raise NotationError(
            f"expected a player, and a wager that is not the main one, not {quote(' '.join(arguments))}"
        )
    wager = wager_name(arguments[1]) if len(arguments) == 2 else "main"
    return od.Retract(box=box, player=player_name(arguments[0]), wager=wager)


def _switch(box: str, arguments: list[str]) -> cmd.Command:
    _count(arguments, 0)
    if not box.isdigit():
        raise NotationError(f"expected the number of an area, such as 1, not {quote(box)}: both boxes switch together")
    return cmd.Switch(area=box)


def _count(arguments: list[str], wanted: int) -> None:
    if len(arguments) != wanted:
        words = f"{wanted} word{'s' * (wanted != 1)}" if wanted else "nothing"
        raise NotationError(f"expected {words} after the verb, not {quote(' '.join(arguments))}")


class _Verb(NamedTuple):
    form: str
    parse: Callable[[str, list[str]], cmd.Command]


VERBS: Mapping[str, _Verb] = {
    "hit": _Verb("BOX hit", _alone(cmd.Hit)),
    "stand": _Verb("BOX stand", _alone(cmd.Stand)),
    "double": _Verb("BOX double [PLAYER=AMOUNT ...]", _double),
    "split": _Verb("BOX split [PLAYER ...]", _with_players(cmd.Split)),
    "switch": _Verb("AREA switch", _switch),
    "surrender": _Verb("BOX surrender [PLAYER ...]", _with_players(cmd.Surrender)),
    "insure": _Verb("BOX insure PLAYER AMOUNT", _with_amount(cmd.Insure)),
    "even-money": _Verb("BOX even-money PLAYER", _with_player(cmd.TakeEvenMoney)),
    "forfeit": _Verb("BOX forfeit PLAYER", _with_player(cmd.Forfeit)),
    "prize": _Verb("BOX prize PLAYER AMOUNT [by NOMINEE]", _prize),
    "absent": _Verb("BOX absent", _alone(cmd.PlayAbsent)),
    "leave": _Verb("BOX leave PLAYER", _with_player(cmd.LeaveBox)),
    "refuse": _Verb("BOX refuse", _alone(od.RefuseCard)),
    "retract": _Verb("BOX retract PLAYER [WAGER]", _retract),
}
"""What may be done for a box, with its form for messages."""


# ---------------------------------------------------------------------- actions of others


def _pick(call: Call) -> cmd.Command:
    if call.role != "system":
        raise NotationError(f"expected !system {call.verb}: the jackpot system picks, not {quote(call.role)}")
    _count(list(call.arguments), 1)
    if call.clause:
        raise NotationError("expected no clause: what the jackpot system picks is nobody's decision")
    return cmd.SystemPick(pick=call.verb, box=box_number(call.arguments[0]))


def _pick_call(command: cmd.SystemPick) -> Call:
    return Call("system", command.pick, (command.box,))


SUPERVISED: dict[str, Supervised] = {
    "lucky": Supervised("!system lucky BOX", cmd.SystemPick, _pick, _pick_call),
    "mystery": Supervised("!system mystery BOX", cmd.SystemPick, _pick, _pick_call),
}
"""What may stand after `!` and a role; `order_words` adds the orders of the floor."""


def add_verbs(verbs: Mapping[str, Supervised]) -> None:
    """More verbs after `!`; none of them may be there already."""
    whole = merge_tables(SUPERVISED, verbs)
    SUPERVISED.update(whole)


# ---------------------------------------------------------------------- the two directions


def is_action(text: str) -> bool:
    """This is no bet: an order, or a verb after the box and no amount after the verb."""
    words = text.split()
    if words and words[0].startswith("!"):
        return True
    return len(words) > 1 and words[1] in VERBS and not (len(words) > 2 and _AMOUNT.fullmatch(words[2]))


def parse_action(text: str) -> cmd.Command:
    """`"1 hit"`, `"1 double ann=50"`, `"!casino-supervisor void 2 @17.8"`."""
    words = text.split()
    if words and words[0].startswith("!"):
        return _parse_supervised(words, text)
    if len(words) < 2:
        raise NotationError(f"expected an action BOX VERB [ARGS], such as '1 hit', not {quote(text)}")
    box, verb, *arguments = words
    box_number(box)
    if verb not in VERBS:
        raise NotationError(f"expected one of {', '.join(VERBS)} after the box, not {quote(verb)}")
    if any(argument.startswith("@") for argument in arguments):
        raise NotationError(f"expected {VERBS[verb].form}: only refused (?) and supervisors' (!) actions name a clause")
    try:
        return VERBS[verb].parse(box, arguments)
    except NotationError as error:
        raise NotationError(f"{error} ({VERBS[verb].form})") from None


def _parse_supervised(words: list[str], text: str) -> cmd.Command:
    words, clause = _clause(words, text)
    role, *rest = words
    if not _WORD.fullmatch(role[1:]) or not rest:
        raise NotationError(f"expected !ROLE VERB [ARGS] [@CLAUSE], such as '!inspector void 2', not {quote(text)}")
    verb, *arguments = rest
    if verb not in SUPERVISED:
        near = difflib.get_close_matches(verb, SUPERVISED, n=3, cutoff=0)
        raise NotationError(f"expected a verb such as {', '.join(near)} after the role, not {quote(verb)}")
    try:
        return SUPERVISED[verb].parse(Call(role[1:], verb, tuple(arguments), clause))
    except NotationError as error:
        raise NotationError(f"{error} ({SUPERVISED[verb].form})") from None


def parse_refused(text: str) -> tuple[cmd.Command, str | None]:
    """What stands after `?`: an action that is to be refused, and the clause that refuses it, if it is named."""
    words, clause = _clause(text.split(), text)
    if words and words[0].startswith("!"):
        return parse_action(text), clause
    return parse_action(" ".join(words)), clause


def words(command: cmd.Command) -> str:
    """A command as records write it; one that no record writes, by its own name."""
    match command:
        case cmd.Hit() | cmd.Stand() | cmd.PlayAbsent() | od.RefuseCard():
            return f"{command.box} {name_of(command)}"
        case cmd.Insure():
            return f"{command.box} insure {command.player} {show(command.amount)}"
        case cmd.DrawPrize():
            by = "" if command.nominee is None else f" by {command.nominee}"
            return f"{command.box} prize {command.player} {show(command.amount)}{by}"
        case cmd.TakeEvenMoney() | cmd.Forfeit():
            return f"{command.box} {name_of(command)} {command.player}"
        case cmd.Surrender() | cmd.Split():
            return " ".join((command.box, name_of(command), *command.players))
        case cmd.Double():
            amounts = (f"{player}={show(value)}" for player, value in command.amounts)
            return " ".join((command.box, "double", *amounts))
        case cmd.Switch():
            return f"{command.area} switch"
        case od.Retract():
            wager = "" if command.wager == "main" else f" {command.wager}"
            return f"{command.box} retract {command.player}{wager}"
        case cmd.LeaveBox():
            return f"{command.box} leave {command.player}"
        case cmd.PlaceBet():
            wager = "" if command.wager == "main" else f" {command.wager}"
            medium = f" in {command.medium}" if command.medium else ""
            return f"{command.box} {command.player}{'*' * command.seated} {show(command.amount)}{wager}{medium}"
    for supervised in SUPERVISED.values():
        if type(command) is supervised.command:
            return str(supervised.call(command))
    return name_of(command)


def name_of(command: cmd.Command) -> str:
    """The name of a kind of command: the verb of most, and the tag under which all are stored."""
    return str(type(command).__struct_config__.tag)
