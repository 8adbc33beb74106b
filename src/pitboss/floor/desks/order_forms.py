"""The orders that somebody may give at a table: each with its powers by the book, the role they need, and who is told.

A form for an order is made from the schema of its command; here is what a schema does not say.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from pitboss.floor.live_decisions import CORRECTIONS, MACHINE_KINDS, NOT_BY_HAND
from pitboss.floor.live_table import LiveTable, TableKind
from pitboss.rulebooks.model.rules import Authority, Rules
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders.order_words import ACTS_OF_VERB, ORDER_VERBS
from pitboss.table.orders.roles import ACTS

GROUPS: tuple[tuple[str, tuple[type[cmd.Order], ...]], ...] = (
    ("void", (cmd.Void, od.Reconstruct, od.CorrectCard, od.NoWagerRound, od.ForfeitWagers)),
    (
        "irregularity",
        (
            od.Misdeal, od.BurnFaced, od.Stray, od.Surplus, od.MissedBurn, od.RestartShoe, od.MissedCut,
            od.MissedShuffle, od.LateInsurance, od.DiscardHand, od.FirstCard, od.CheckDevice, od.ForeignCard,
            od.DeviceFailed,
        ),
    ),
    (
        "equipment",
        (
            od.Malfunction, od.Repaired, od.Unregistered, od.CheckEquipment, od.ConfirmPrize, od.StrayPress,
            od.PressButton, od.PanelPrize,
        ),
    ),
    (
        "player",
        (
            od.Bar, od.Lift, od.HoldToMinimum, od.OneBox, od.PersonalLimits, od.RefuseWager, od.Withhold,
            od.ReleaseWinnings, od.ForfeitWinnings, od.VacateSeat, od.DirectAbsent,
        ),
    ),
    ("dispute", (od.ReferDispute, od.RuleOnDispute)),
    ("limits", (od.AnnounceLimits, od.ChangeLimits, od.DisplaySign, od.AnnounceClosing, od.CloseTable)),
    (
        "layout",
        (
            od.Reserve, od.Release, od.LimitSharers, od.LimitSidePlaces, od.LimitBoxes, od.TwoHands, od.GiveUpBox,
            od.Permit, od.PermitGuest, od.RequireLeave, od.MainBettorsOnly, od.DeferNaturals,
        ),
    ),
    ("duty", (od.ChangeDealer, od.CallBets, od.CheckCards, od.TellBodies, od.RequireRecord)),
)  # fmt: skip
"""Orders by what they are about, as a desk lists them."""


class OrderPower(msgspec.Struct, frozen=True, kw_only=True):
    """One power by which an order may be given."""

    act: str
    id: str
    """Its name in the rulebook; empty where the book has none and is silent."""
    summary: str
    role: str
    """The lowest role that has it."""
    clauses: tuple[str, ...]
    told_before: tuple[str, ...]
    to_be_told: tuple[str, ...]
    needs: tuple[str, ...]
    reason: bool
    mine: bool
    """Whoever asks holds a role that has it."""


class OrderForm(msgspec.Struct, frozen=True, kw_only=True):
    """An order that may be given at a table, and by whom."""

    type: str
    """The type of the command; its fields are in the published schemas."""
    schema: str
    """The name of its schema."""
    group: str
    says: str
    powers: tuple[OrderPower, ...]
    role: str
    """The role in which whoever asks would give it: the lowest of theirs that may; empty if none does."""
    correction: bool
    """It moves what is settled or staked, and may need a second person."""


def list_order_forms(live: LiveTable, roles: Collection[str]) -> tuple[OrderForm, ...]:
    """Every order that the book of a table knows; `roles` are those that whoever asks holds by that book."""
    rules = live.table.rules
    closed = NOT_BY_HAND if live.kind is TableKind.PERSON else MACHINE_KINDS
    found = []
    for group, kinds in GROUPS:
        for kind in kinds:
            if kind not in closed:
                form = _describe_order(rules, group, kind, roles)
                if form.powers:
                    found.append(form)
    return tuple(found)


def list_powers(rules: Rules, kind: type[cmd.Order], roles: Collection[str] = ()) -> tuple[OrderPower, ...]:
    """The powers by which an order may be given under a book, or who decides where the book is silent."""
    verb = _VERBS.get(kind, str(kind.__struct_config__.tag))
    found: list[OrderPower] = []
    for act in ACTS_OF_VERB.get(verb, (verb,)):
        known = [rules.authority[name] for name in ACTS[act].powers if name in rules.authority]
        found += [_describe_power(rules, act, power, roles) for power in known]
        if not known and ACTS[act].silent != "refused":
            found.append(_describe_silence(rules, act, roles))
    return tuple(found)


def _describe_order(rules: Rules, group: str, kind: type[cmd.Order], roles: Collection[str]) -> OrderForm:
    powers = list_powers(rules, kind, roles)
    own = sorted((role for role in roles if rules.rank(role) >= 0), key=rules.rank)
    mine = [power for power in powers if power.mine]
    lowest = min((rules.rank(power.role) for power in mine), default=-1)
    role = next((role for role in own if mine and rules.rank(role) >= lowest), "")
    return OrderForm(
        type=str(kind.__struct_config__.tag), schema=kind.__name__, group=group,
        says=" ".join((kind.__doc__ or "").split()), powers=powers, role=role, correction=kind in CORRECTIONS,
    )  # fmt: skip


def _describe_power(rules: Rules, act: str, power: Authority, roles: Collection[str]) -> OrderPower:
    return OrderPower(
        act=act, id=power.id, summary=power.summary, role=power.role, clauses=power.clauses,
        told_before=power.notify_before, to_be_told=power.notify_after, needs=power.needs,
        reason=ACTS[act].reason or "reason" in power.needs,
        mine=any(role == power.role or 0 <= rules.rank(power.role) <= rules.rank(role) for role in roles),
    )  # fmt: skip


def _describe_silence(rules: Rules, act: str, roles: Collection[str]) -> OrderPower:
    """The book has no such power: somebody above the dealer decides, or anybody on the ladder states a fact."""
    least = min(1, len(rules.ladder) - 1) if ACTS[act].silent == "above" else 0
    role = rules.ladder[least].id if rules.ladder else ""
    return OrderPower(
        act=act, id="", summary="", role=role, clauses=(), told_before=(), to_be_told=(), needs=(),
        reason=ACTS[act].reason, mine=any(rules.rank(own) >= least for own in roles),
    )  # fmt: skip


_VERBS: dict[type[cmd.Order], str] = {words.command: verb for verb, words in ORDER_VERBS.items()}
