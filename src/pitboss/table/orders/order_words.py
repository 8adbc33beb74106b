"""Orders of the floor as records write them: `!ROLE VERB ARGS [by PERSON] [told BODY ...] [because WORDS] [@CLAUSE]`.

Each verb says how its arguments become fields of the command and back. The verbs are put into the table of notation
when the package is imported; `docs/floor-actions.md` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pitboss.cards import CARD_ID
from pitboss.money import show
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import (
    Call,
    NotationError,
    Supervised,
    add_verbs,
    amount,
    box_number,
    player_name,
    quote,
    wager_name,
)

Fields = dict[str, Any]
Words = tuple[str, ...]


class OrderVerb(NamedTuple):
    """One verb: the form of its arguments, its command, and both directions."""

    arguments: str
    command: type[cmd.Order]
    read: Callable[[list[str]], Fields]
    write: Callable[[Any], Words]


# ---------------------------------------------------------------------- arguments


def _count(arguments: list[str], least: int, most: int) -> None:
    if not least <= len(arguments) <= most:
        raise NotationError(f"expected other words after the verb, not {quote(' '.join(arguments))}")


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise NotationError(f"expected a whole number, not {quote(text)}")
    return int(text)


def _place(text: str) -> str:
    return text if text == "dealer" else box_number(text)


def _card(text: str) -> str:
    if text not in CARD_ID:
        raise NotationError(f"expected a card such as Ks, not {quote(text)}")
    return text


def _one_of(text: str, words: Words) -> str:
    if text not in words:
        raise NotationError(f"expected {' or '.join(words)}, not {quote(text)}")
    return text


def _plain(command: type[cmd.Order]) -> OrderVerb:
    def read(arguments: list[str]) -> Fields:
        _count(arguments, 0, 0)
        return {}

    return OrderVerb("", command, read, lambda order: ())


def _one(word: str, command: type[cmd.Order], field: str, reader: Callable[[str], Any]) -> OrderVerb:
    def read(arguments: list[str]) -> Fields:
        _count(arguments, 1, 1)
        return {field: reader(arguments[0])}

    return OrderVerb(word, command, read, lambda order: (str(getattr(order, field)),))


def _flags(arguments: list[str], known: Words) -> set[str]:
    """Words at the end that stand for themselves."""
    found: set[str] = set()
    while arguments and arguments[-1] in known:
        found.add(arguments.pop())
    return found


def _write_words(*pairs: tuple[str, bool]) -> Words:
    return tuple(word for word, holds in pairs if holds)


# ---------------------------------------------------------------------- verbs with arguments of their own


def _void(arguments: list[str]) -> Fields:
    _count(arguments, 0, 3)
    if arguments[:1] == ["player"]:
        _count(arguments, 2, 2)
        return {"player": player_name(arguments[1])}
    fields: Fields = {"box": box_number(arguments[0])} if arguments else {}
    if len(arguments) > 1:
        fields["player"] = player_name(arguments[1])
    if len(arguments) > 2:
        fields["wager"] = wager_name(arguments[2])
    return fields


def _void_words(order: cmd.Void) -> Words:
    if order.box is None:
        return ("player", order.player) if order.player is not None else ()
    return tuple(word for word in (order.box, order.player, order.wager) if word is not None)


def _late_insurance(arguments: list[str]) -> Fields:
    return {"players": tuple(player_name(name) for name in arguments)}


def _misdeal(arguments: list[str]) -> Fields:
    _count(arguments, 1, 99)
    return {"fell": tuple(_place(place) for place in arguments)}


def _reconstruct(arguments: list[str]) -> Fields:
    _count(arguments, 0, 3)
    if not arguments:
        return {}
    box, *rest = arguments
    if not rest:
        raise NotationError("expected what the decision of the box should have been, or ask")
    number = _number(rest.pop(0)) if len(rest) == 2 else 0
    return {"box": box_number(box), "number": number, "should": wager_name(rest[0])}


def _reconstruct_words(order: od.Reconstruct) -> Words:
    if order.box is None:
        return ()
    return (order.box, *((str(order.number),) if order.number else ()), order.should)


def _device_failed(arguments: list[str]) -> Fields:
    _count(arguments, 1, 420)
    outcome = _one_of(arguments[0], ("spare", "none", "harm"))
    return {"outcome": outcome, "damaged": tuple(_card(card) for card in arguments[1:])}


def _prize(arguments: list[str]) -> Fields:
    _count(arguments, 3, 3)
    return {
        "box": box_number(arguments[0]),
        "player": player_name(arguments[1]),
        "amount": amount(arguments[2]),
    }


def _prize_words(order: od.StrayPress | od.PressButton | od.PanelPrize) -> Words:
    return (order.box, order.player, show(order.amount))


def _refuse_wager(arguments: list[str]) -> Fields:
    _count(arguments, 2, 3)
    fields: Fields = {"box": box_number(arguments[0]), "player": player_name(arguments[1])}
    if len(arguments) == 3:
        fields["wager"] = wager_name(arguments[2])
    return fields


def _refuse_wager_words(order: od.RefuseWager) -> Words:
    return (order.box, order.player, *(() if order.wager == "main" else (order.wager,)))


def _hold(arguments: list[str]) -> Fields:
    further = "further" in _flags(arguments[1:], ("further",))
    _count(arguments, 1, 2 if further else 1)
    return {"player": player_name(arguments[0]), "further": further}


def _one_box(arguments: list[str]) -> Fields:
    _count(arguments, 1, 2)
    box = box_number(arguments[1]) if len(arguments) == 2 else ""
    return {"player": player_name(arguments[0]), "box": box}


def _reserve(arguments: list[str]) -> Fields:
    _count(arguments, 2, 99)
    return {"player": player_name(arguments[0]), "boxes": tuple(box_number(box) for box in arguments[1:])}


def _release(arguments: list[str]) -> Fields:
    _count(arguments, 1, 99)
    return {"boxes": tuple(box_number(box) for box in arguments)}


def _side_places(arguments: list[str]) -> Fields:
    _count(arguments, 2, 2)
    return {"wager": wager_name(arguments[0]), "number": _number(arguments[1])}


def _personal(arguments: list[str]) -> Fields:
    shown = "shown" in _flags(arguments, ("shown",))
    _count(arguments, 3, 3)
    player, least, most = arguments
    return {"player": player_name(player), "minimum": amount(least), "maximum": amount(most), "shown": shown}


def _personal_words(order: od.PersonalLimits) -> Words:
    return (order.player, show(order.minimum), show(order.maximum), *_write_words(("shown", order.shown)))


def _new_limits(arguments: list[str]) -> Fields:
    fields: Fields = {}
    if wager := _take_marked(arguments, "for"):
        fields["wager"] = wager_name(wager)
    _count(arguments, 2, 3)
    fields |= {"minimum": amount(arguments[0]), "maximum": amount(arguments[1])}
    return {**fields, "minute": _number(arguments[2])} if len(arguments) == 3 else fields


def _take_marked(arguments: list[str], mark: str) -> str:
    """The word after a mark, both of which are taken off; nothing if the mark is not there."""
    if mark not in arguments:
        return ""
    at = arguments.index(mark)
    if at + 1 == len(arguments):
        raise NotationError(f"expected something after {mark}")
    word = arguments[at + 1]
    del arguments[at : at + 2]
    return word


def _new_limits_words(order: od.AnnounceLimits | od.ChangeLimits) -> Words:
    minute = (str(order.minute),) if order.minute else ()
    wager = ("for", order.wager) if order.wager != "main" else ()
    return (show(order.minimum), show(order.maximum), *minute, *wager)


def _limits(arguments: list[str]) -> Fields:
    sign: Fields = {}
    if unit := _take_marked(arguments, "unit"):
        sign["unit"] = amount(unit)
    if per := _take_marked(arguments, "per"):
        sign["per"] = _one_of(per, ("box", "player"))
    flags = _flags(arguments, ("now", "all", "agreed", "shown"))
    how = flags - {"shown"}
    if len(how) > 1:
        raise NotationError(f"expected one of now, all and agreed, not {' and '.join(sorted(how))}")
    return {**_new_limits(arguments), **sign, "how": how.pop() if how else "", "shown": "shown" in flags}


def _limits_words(order: od.ChangeLimits) -> Words:
    unit = ("unit", show(order.unit)) if order.unit is not None else ()
    per = ("per", order.per) if order.per else ()
    how = (order.how,) if order.how else ()
    return (*_new_limits_words(order), *unit, *per, *how, *_write_words(("shown", order.shown)))


def _ruling(arguments: list[str]) -> Fields:
    _count(arguments, 2, 2)
    return {"player": player_name(arguments[0]), "upheld": _one_of(arguments[1], ("for", "against")) == "for"}


def _option(text: str) -> str:
    return wager_name(text.replace("_", "-")).replace("-", "_")


def _permit(arguments: list[str]) -> Fields:
    flags = _flags(arguments, ("off", "announced"))
    _count(arguments, 1, 1)
    return {"option": _option(arguments[0]), "on": "off" not in flags, "announced": "announced" in flags}


def _permit_words(order: od.Permit) -> Words:
    return (order.option, *_write_words(("off", not order.on), ("announced", order.announced)))


def _guest(arguments: list[str]) -> Fields:
    _count(arguments, 2, 3)
    box = box_number(arguments[2]) if len(arguments) == 3 else ""
    return {"player": player_name(arguments[0]), "wager": wager_name(arguments[1]), "box": box}


def _guest_words(order: od.PermitGuest) -> Words:
    return (order.player, order.wager, *((order.box,) if order.box else ()))


def _main_only(arguments: list[str]) -> Fields:
    flags = _flags(arguments, ("off", "shown"))
    _count(arguments, 1, 1)
    return {"wager": wager_name(arguments[0]), "on": "off" not in flags, "shown": "shown" in flags}


def _main_only_words(order: od.MainBettorsOnly) -> Words:
    return (order.wager, *_write_words(("off", not order.on), ("shown", order.shown)))


def _confirm_prize(arguments: list[str]) -> Fields:
    _count(arguments, 2, 2)
    return {"box": box_number(arguments[0]), "outcome": wager_name(arguments[1])}


def _boxes(arguments: list[str]) -> Fields:
    _count(arguments, 1, 99)
    return {"number": _number(arguments[0]), "players": tuple(player_name(name) for name in arguments[1:])}


def _give_up(arguments: list[str]) -> Fields:
    _count(arguments, 2, 2)
    return {"player": player_name(arguments[0]), "box": box_number(arguments[1])}


def _tell(arguments: list[str]) -> Fields:
    _count(arguments, 1, 9)
    return {"bodies": tuple(wager_name(body) for body in arguments)}


def _correct_card(arguments: list[str]) -> Fields:
    _count(arguments, 2, 2)
    return {"number": _number(arguments[0]), "card": _card(arguments[1])}


def _burn_faced(arguments: list[str]) -> Fields:
    _count(arguments, 0, 1)
    return {"card": _number(arguments[0])} if arguments else {}


def _minute(arguments: list[str]) -> Fields:
    _count(arguments, 0, 1)
    return {"minute": _number(arguments[0])} if arguments else {}


def _minute_words(order: od.AnnounceClosing | od.CloseTable) -> Words:
    return (str(order.minute),) if order.minute else ()


def _read_switch(field: str, yes: str, no: str) -> tuple[Callable[[list[str]], Fields], Callable[[Any], Words]]:
    """One of two words for a field that is true or false."""

    def read(arguments: list[str]) -> Fields:
        _count(arguments, 1, 1)
        return {field: _one_of(arguments[0], (yes, no)) == yes}

    return read, lambda order: (yes if getattr(order, field) else no,)


def _optional(field: str, word: str) -> tuple[Callable[[list[str]], Fields], Callable[[Any], Words]]:
    """A word that is allowed there."""

    def read(arguments: list[str]) -> Fields:
        found = bool(_flags(arguments, (word,)))
        _count(arguments, 0, 0)
        return {field: found}

    return read, lambda order: _write_words((word, getattr(order, field)))


ORDER_VERBS: dict[str, OrderVerb] = {
    "void": OrderVerb("[BOX [PLAYER [WAGER]] | player PLAYER]", cmd.Void, _void, _void_words),
    "burn-faced": OrderVerb(
        "[NUMBER]", od.BurnFaced, _burn_faced, lambda order: (str(order.card),) if order.card > 1 else ()
    ),
    "stray": OrderVerb("[burnt]", od.Stray, *_optional("burnt", "burnt")),
    "surplus": OrderVerb("exposed | unexposed", od.Surplus, *_read_switch("exposed", "exposed", "unexposed")),
    "no-wager": _one("NUMBER", od.NoWagerRound, "cards", _number),
    "check-device": _plain(od.CheckDevice),
    "foreign-card": OrderVerb("[missing]", od.ForeignCard, *_optional("missing", "missing")),
    "missed-burn": _plain(od.MissedBurn),
    "restart-shoe": _plain(od.RestartShoe),
    "missed-cut": _plain(od.MissedCut),
    "missed-shuffle": _plain(od.MissedShuffle),
    "late-insurance": OrderVerb("[PLAYER ...]", od.LateInsurance, _late_insurance, lambda order: order.players),
    "misdeal": OrderVerb("(BOX | dealer) ...", od.Misdeal, _misdeal, lambda order: order.fell),
    "reconstruct": OrderVerb("[BOX [NUMBER] DECISION]", od.Reconstruct, _reconstruct, _reconstruct_words),
    "discard-hand": _one("BOX", od.DiscardHand, "box", box_number),
    "first-card": OrderVerb("now | after", od.FirstCard, *_read_switch("now", "now", "after")),
    "device-failed": OrderVerb(
        "spare | none | harm [CARD ...]", od.DeviceFailed, _device_failed,
        lambda order: (order.outcome, *order.damaged),
    ),
    "stray-press": OrderVerb("BOX PLAYER AMOUNT", od.StrayPress, _prize, _prize_words),
    "press": OrderVerb("BOX PLAYER AMOUNT", od.PressButton, _prize, _prize_words),
    "panel-prize": OrderVerb("BOX PLAYER AMOUNT", od.PanelPrize, _prize, _prize_words),
    "malfunction": _one("WAGER", od.Malfunction, "wager", wager_name),
    "repaired": _one("WAGER", od.Repaired, "wager", wager_name),
    "unregistered": _one("WAGER", od.Unregistered, "wager", wager_name),
    "forfeit-wagers": _one("PLAYER", od.ForfeitWagers, "player", player_name),
    "refuse-wager": OrderVerb("BOX PLAYER [WAGER]", od.RefuseWager, _refuse_wager, _refuse_wager_words),
    "hold-to-minimum": OrderVerb(
        "PLAYER [further]",
        od.HoldToMinimum,
        _hold,
        lambda order: (order.player, *_write_words(("further", order.further))),
    ),
    "one-box": OrderVerb(
        "PLAYER [BOX]", od.OneBox, _one_box, lambda order: (order.player, *((order.box,) if order.box else ()))
    ),
    "lift": _one("PLAYER", od.Lift, "player", player_name),
    "bar": _one("PLAYER", od.Bar, "player", player_name),
    "withhold": _one("PLAYER", od.Withhold, "player", player_name),
    "release-winnings": _one("PLAYER", od.ReleaseWinnings, "player", player_name),
    "forfeit-winnings": _one("PLAYER", od.ForfeitWinnings, "player", player_name),
    "reserve": OrderVerb("PLAYER BOX ...", od.Reserve, _reserve, lambda order: (order.player, *order.boxes)),
    "release": OrderVerb("BOX ...", od.Release, _release, lambda order: order.boxes),
    "sharers": _one("NUMBER", od.LimitSharers, "number", _number),
    "side-places": OrderVerb(
        "WAGER NUMBER", od.LimitSidePlaces, _side_places, lambda order: (order.wager, str(order.number))
    ),
    "personal-limits": OrderVerb("PLAYER MINIMUM MAXIMUM [shown]", od.PersonalLimits, _personal, _personal_words),
    "announce-limits": OrderVerb(
        "MINIMUM MAXIMUM [MINUTE] [for WAGER]", od.AnnounceLimits, _new_limits, _new_limits_words
    ),
    "limits": OrderVerb(
        "MINIMUM MAXIMUM [MINUTE] [for WAGER] [unit AMOUNT] [per box | player] [now | all | agreed] [shown]",
        od.ChangeLimits, _limits, _limits_words,
    ),
    "dispute": _one("PLAYER", od.ReferDispute, "player", player_name),
    "ruling": OrderVerb(
        "PLAYER for | against", od.RuleOnDispute, _ruling,
        lambda order: (order.player, "for" if order.upheld else "against"),
    ),
    "vacate": _one("PLAYER", od.VacateSeat, "player", player_name),
    "require-leave": OrderVerb("on | off", od.RequireLeave, *_read_switch("on", "on", "off")),
    "defer-naturals": OrderVerb("on | off", od.DeferNaturals, *_read_switch("on", "on", "off")),
    "permit": OrderVerb("OPTION [off] [announced]", od.Permit, _permit, _permit_words),
    "permit-guest": OrderVerb("PLAYER WAGER [BOX]", od.PermitGuest, _guest, _guest_words),
    "main-bettors-only": OrderVerb("WAGER [off] [shown]", od.MainBettorsOnly, _main_only, _main_only_words),
    "boxes": OrderVerb(
        "NUMBER [PLAYER ...]", od.LimitBoxes, _boxes, lambda order: (str(order.number), *order.players)
    ),
    "two-hands": OrderVerb("on | off", od.TwoHands, *_read_switch("on", "on", "off")),
    "give-up": OrderVerb("PLAYER BOX", od.GiveUpBox, _give_up, lambda order: (order.player, order.box)),
    "check-cards": _plain(od.CheckCards),
    "no-more-bets": _plain(od.CallBets),
    "correct-card": OrderVerb(
        "NUMBER CARD", od.CorrectCard, _correct_card, lambda order: (str(order.number), order.card)
    ),
    "dealer": _one("NAME", od.ChangeDealer, "name", player_name),
    "tell": OrderVerb("BODY ...", od.TellBodies, _tell, lambda order: order.bodies),
    "absent": _one("BOX", od.DirectAbsent, "box", box_number),
    "on-record": OrderVerb("on | off", od.RequireRecord, *_read_switch("on", "on", "off")),
    "sign": OrderVerb("up | down", od.DisplaySign, *_read_switch("up", "up", "down")),
    "check-equipment": _one("WAGER", od.CheckEquipment, "wager", wager_name),
    "confirm-prize": OrderVerb(
        "BOX OUTCOME", od.ConfirmPrize, _confirm_prize, lambda order: (order.box, order.outcome)
    ),
    "announce-closing": OrderVerb("[MINUTE]", od.AnnounceClosing, _minute, _minute_words),
    "close-table": OrderVerb("[MINUTE]", od.CloseTable, _minute, _minute_words),
}  # fmt: skip
"""Every verb of the floor."""

ACTS_OF_VERB: dict[str, tuple[str, ...]] = {
    "void": ("void", "void-box", "void-player"),
    "surplus": ("surplus", "surplus-unexposed"),
    "reconstruct": ("reconstruct", "reconstruct-decision"),
    "device-failed": ("device-spare", "device-none", "device-harm"),
    "malfunction": ("malfunction", "malfunction-button"),
    "hold-to-minimum": ("hold-to-minimum", "hold-to-minimum-further"),
    "permit": ("permit-resplit", "permit-insurance_on_ten", "permit-double_with_ace", "permit-auto_draw"),
    "permit-guest": ("permit-guest", "permit-guest-sharer"),
    "limits": ("limits", "limits-raised", "limits-now", "limits-all"),
    "ruling": ("ruling", "ruling-review"),
    "absent": ("direct-absent",),
}
"""The acts of `roles` behind a verb, where they are not simply called like it."""


# ---------------------------------------------------------------------- whole orders


def _parse(verb: OrderVerb) -> Callable[[Call], cmd.Command]:
    def parse(call: Call) -> cmd.Command:
        words = list(call.arguments)
        reason = _cut(words, "because")
        told = _cut(words, "told")
        person = _cut(words, "by")
        if len(person) > 1:
            raise NotationError(f"expected one name after by, not {quote(' '.join(person))}")
        return verb.command(
            role=call.role,
            person=player_name(person[0]) if person else "",
            reason=" ".join(reason),
            told=tuple(wager_name(body) for body in told),
            clause=call.clause,
            **verb.read(words),
        )

    return parse


def _cut(words: list[str], mark: str) -> list[str]:
    """The words after a mark, which are taken off."""
    if mark not in words:
        return []
    at = words.index(mark)
    rest = words[at + 1 :]
    del words[at:]
    if not rest:
        raise NotationError(f"expected something after {mark}")
    return rest


def _call(name: str, verb: OrderVerb) -> Callable[[Any], Call]:
    def call(order: Any) -> Call:
        words = [*verb.write(order)]
        for mark, more in (("by", order.person), ("told", " ".join(order.told)), ("because", order.reason)):
            if more:
                words.extend((mark, *more.split()))
        return Call(order.role, name, tuple(words), order.clause)

    return call


add_verbs(
    {
        name: Supervised(f"!ROLE {name} {verb.arguments} [@CLAUSE]".replace("  ", " "), verb.command, _parse(verb),
                         _call(name, verb))
        for name, verb in ORDER_VERBS.items()
    }
)  # fmt: skip
