"""Which powers of a book let somebody give which order, and the ruling that puts it on record.

An act (`void`, `reserve`) is the same at every table; the power behind it has each book's own name, role and clause.
Where several powers allow one act (a round may be void for a misdeal, for fraud, for a fire), the clause that is given
says which is meant; without a clause it is the first that the book has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pitboss.rulebooks import Rules
from pitboss.rulebooks.model.rules import Authority
from pitboss.table.authority import authorise
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages.commands import Order
from pitboss.table.messages.notation import words
from pitboss.table.orders import rulings as ru


class Act(NamedTuple):
    """What somebody may do, and the powers that allow it in one book or another."""

    powers: tuple[str, ...]
    silent: str = "refused"
    """Where a book has none of the powers: the act is refused, or somebody above the dealer decides (`above`), or it is
    a fact that anybody on the ladder may state (`fact`)."""
    reason: bool = False
    """A reason must be given, whether or not the book asks for one."""


VOID_ROUND = (
    "void-round", "void-unrecoverable", "void-for-disruption", "invalidate-game", "refund-invalidated",
    "void-for-fraud", "void-outcome-for-fraud", "void-for-device-failure", "void-device-failure",
    "end-round-device-failure",
    "void-foreign-card", "void-for-foreign-card", "void-wrong-cards", "order-shuffle-abnormal",
)  # fmt: skip
VOID_PERSON = ("void-for-breach", "void-wagers-of-offender", "void-wagers-of-device-user")
"""Powers over the wagers of somebody who broke the rules, and over nobody else's."""
VOID_PLAYER = (*VOID_PERSON, "void-for-fraud")
VOID_BOX = ("void-unrecoverable", "void-for-device-failure", "void-undealt-wager", "void-for-fraud", *VOID_PERSON)
"""Powers over single hands or wagers; all others are over the round as a whole."""

INVALIDATES = ("invalidate-game", "refund-invalidated")
"""Powers that leave no outcome of the round, not even one that was paid."""

FOREIGN_CARD = ("void-foreign-card", "void-for-foreign-card", "void-wrong-cards")
"""Powers by which a missing or foreign card makes the round void, and more than the round."""

ACTS: dict[str, Act] = {
    # irregularities
    "burn-faced": Act(("burn-faced-card", "burn-exposed-card", "discard-face-up-card")),
    "stray": Act(("place-stray-card", "use-stray-card", "rule-surplus-card")),
    "surplus": Act(("burn-surplus-card", "rule-surplus-card")),
    "surplus-unexposed": Act(("hold-over-card", "rule-surplus-card")),
    "no-wager": Act(("void-no-wager-round",), silent="above"),
    "check-device": Act(("check-device",)),
    "foreign-card": Act(FOREIGN_CARD),
    "missed-burn": Act((), silent="fact"),
    "restart-shoe": Act(("restart-unburned-shoe",)),
    "missed-cut": Act(("shuffle-after-missed-step",)),
    "missed-shuffle": Act(("shuffle-after-missed-step", "shuffle-after-missed-shuffle")),
    "late-insurance": Act(("offer-late-insurance", "permit-late-insurance")),
    "misdeal": Act((), silent="fact"),
    "reconstruct": Act(("reconstruct", "reconstruct-round", "reconstruct-deal")),
    "reconstruct-decision": Act(("rectify-missed-decision", "reconstruct", "reconstruct-round")),
    "discard-hand": Act(("discard-wagerless-hand",)),
    "first-card": Act(("deal-late-first-card",)),
    "device-spare": Act(("transfer-to-spare-device",)),
    "device-none": Act(("offer-withdrawal",)),
    "device-harm": Act(("end-round-device-failure",)),
    "stray-press": Act(("void-button-press",)),
    "press": Act(("press-jackpot-button",)),
    "panel-prize": Act(("declare-pandemonium-malfunction",)),
    "malfunction": Act(("withdraw-jackpot",)),
    "malfunction-button": Act(("declare-pandemonium-malfunction",)),
    "repaired": Act(("check-jackpot-equipment",), silent="fact"),
    "unregistered": Act(("offer-jackpot-retraction",)),
    # voids
    "void": Act(VOID_ROUND, silent="above"),
    "void-box": Act(VOID_BOX, silent="above"),
    "void-player": Act(VOID_PLAYER, reason=True),
    "void-wager": Act(("void-for-fraud", *VOID_PERSON), reason=True),
    "forfeit-wagers": Act(("forfeit-for-fraud",), reason=True),
    # powers
    "refuse-wager": Act(("refuse-wager", "refuse-unpayable-wager"), reason=True),
    "hold-to-minimum": Act(("hold-to-minimum", "restrict-to-minimum", "restrict-mid-shoe"), reason=True),
    "hold-to-minimum-further": Act(("hold-to-minimum-further-shoes",), reason=True),
    "one-box": Act(("hold-to-one-box", "restrict-to-one-box-minimum"), reason=True),
    "lift": Act((), silent="fact", reason=True),
    "bar": Act(("bar-from-game", "exclude-player"), reason=True),
    "withhold": Act(("withhold-winnings",), reason=True),
    "release-winnings": Act(("withhold-winnings",), reason=True),
    "forfeit-winnings": Act(("withhold-winnings",), reason=True),
    "reserve": Act(("reserve-boxes",), reason=True),
    "release": Act(("reserve-boxes",), reason=True),
    "sharers": Act(("restrict-sharers", "restrict-box-sharing", "permit-sharing"), reason=True),
    "side-places": Act(("restrict-blackpot-places",), reason=True),
    "personal-limits": Act(("personal-limits", "grant-personal-limits", "grant-special-limit"), reason=True),
    "announce-limits": Act(("change-limits", "raise-minimum"), silent="above", reason=True),
    "limits": Act(("change-limits",), silent="above", reason=True),
    "limits-raised": Act(("raise-minimum", "change-limits"), silent="above", reason=True),
    "limits-now": Act(("raise-minimum-now",), reason=True),
    "limits-all": Act(("raise-protected-minimum",), reason=True),
    "dispute": Act((), silent="fact", reason=True),
    "ruling": Act(("decide-dispute",), silent="above", reason=True),
    "ruling-review": Act(("review-dispute",), reason=True),
    "vacate": Act(("vacate-idle-seat", "vacate-seat", "request-seat"), reason=True),
    "defer-naturals": Act(("defer-natural-payment",), reason=True),
    "permit-resplit": Act(("permit-resplit",), reason=True),
    "permit-insurance_on_ten": Act(("offer-ten-insurance",), reason=True),
    "permit-double_with_ace": Act(("permit-ace-double",), reason=True),
    "permit-auto_draw": Act(("apply-automatic-draw",), reason=True),
    "permit-guest": Act(("permit-side-wager",), reason=True),
    "permit-guest-sharer": Act(("admit-supernova-sharer",), reason=True),
    "require-leave": Act(("admit-supernova-sharer", "permit-side-wager"), reason=True),
    "main-bettors-only": Act(("restrict-perfect-pairs", "restrict-any-pairs", "restrict-super-match"), reason=True),
    "boxes": Act(("set-boxes-per-player", "permit-several-boxes"), reason=True),
    "two-hands": Act(("require-two-hands",), reason=True),
    "give-up": Act(("relinquish-box", "release-boxes"), reason=True),
    "check-cards": Act(("check-cards",)),
    "no-more-bets": Act(("close-betting", "close-bets", "call-no-more-bets")),
    "correct-card": Act((), silent="above", reason=True),
    "dealer": Act((), silent="fact"),
    "tell": Act((), silent="fact"),
    "direct-absent": Act(("direct-absent-hand", "play-absent-hand")),
    # what somebody has to see to
    "on-record": Act((), silent="above", reason=True),
    "sign": Act(("display-limits", "set-limits"), silent="fact"),
    "check-equipment": Act(("check-jackpot-equipment",)),
    "confirm-prize": Act(("verify-mystery-jackpot", "determine-suited-aces", "determine-supernova-prize")),
    # the end
    "announce-closing": Act(("close-table",), reason=True),
    "close-table": Act(("close-table",), reason=True),
}
"""Every act at a table."""


def power_for(rules: Rules, act: str, clause: str | None, powers: tuple[str, ...] = ()) -> Authority | None:
    """The power under which an act is done: the one that the clause names, or the first that the book has."""
    names = dict.fromkeys(powers or ACTS[act].powers)
    known = [rules.authority[name] for name in names if name in rules.authority]
    if clause is None:
        return known[0] if known else None
    for power in known:
        if clause in power.clauses:
            return power
    for power in known:
        if any(_within(clause, own) or _within(own, clause) for own in power.clauses):
            return power
    if known:
        under = "; ".join(f"{power.clauses[0]} ({power.role})" for power in known)
        cites = tuple(dict.fromkeys((*_cite_asked(rules, clause), *(power.clauses[0] for power in known))))
        raise Refused(f"clause {clause} does not let anybody do this; it is done under {under}", cites)
    return None


def _cite_asked(rules: Rules, clause: str | None) -> tuple[str, ...]:
    """The clause that an order names, if the book has a power under it, though not this one."""
    asked = (clause for power in rules.authority.values() if clause in power.clauses)
    return tuple(own for own in dict.fromkeys(asked) if own is not None)


def _within(part: str, whole: str) -> bool:
    return part.startswith(whole) and part[len(whole) : len(whole) + 1] in ("(", ".", "/")


def rule(
    draft: Draft, order: Order, act: str, *, given: Iterable[str] = (), box: str = "", player: str = "",
    cites: tuple[str, ...] = (), powers: tuple[str, ...] = (),
) -> tuple[str, ...]:  # fmt: skip
    """Put an order on record if its giver may give it; the clauses it rests on, the deciding one first.

    `given` names what was stated of what the power needs, `powers` those of the act that come into question; `cites` is
    what a fact rests on that nobody has a power over.
    """
    rules = draft.state.rules
    power = power_for(rules, act, order.clause, powers)
    if power is None and ACTS[act].silent == "refused":
        why = f"this book has no rule by which a {order.role} or anybody else could do this"
        raise Refused(why, _cite_asked(rules, order.clause))
    if ACTS[act].reason and not order.reason:
        raise Refused(f"the {order.role} must give a reason", _put_first(order, power.clauses if power else cites))
    reason = order.reason or (power.summary if power else "")
    stated = {*given, *(("box",) if box else ()), *(("player",) if player else ())}
    try:
        clauses = _put_first(order, _is_allowed(rules, order, act, power, reason, stated) or cites)
    except Refused as refused:
        raise Refused(refused.reason, _put_first(order, refused.clauses) if refused.clauses else ()) from None
    draft.emit(
        ru.Ruled(
            act=act,
            words=words(order),
            power="" if power is None else power.id,
            role=order.role,
            person=order.person,
            reason=reason,
            told=order.told,
            to_tell=() if power is None else tuple(body for body in power.notify_after if body not in order.told),
            box=box,
            player=player,
            clauses=clauses,
        )
    )
    return clauses


def _put_first(order: Order, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """Clauses of a power, with the one under which the order is given before the others."""
    if order.clause is None:
        return clauses
    return (order.clause, *(clause for clause in clauses if clause != order.clause))


def _is_allowed(
    rules: Rules, order: Order, act: str, power: Authority | None, reason: str, stated: set[str]
) -> tuple[str, ...]:
    if power is not None:
        return authorise(rules, order.role, power.id, reason=reason, told=order.told, given=stated)
    if ACTS[act].silent == "above":
        return authorise(rules, order.role, act, reason=reason, told=order.told, given=stated)
    if rules.ladder and rules.rank(order.role) < 0:
        raise Refused(f"'{order.role}' is not a role of this book: {', '.join(rung.id for rung in rules.ladder)}")
    return ()
