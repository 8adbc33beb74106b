"""Orders by the rules of the game at a tournament's table: mishaps, voids, cards and equipment.

A book may switch rules of the game off for tournaments. Others concern what a tournament has rules of its own for:
whoever gives such an order is told what the tournament does instead. Everything else the table engine answers.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.rounds.table_engine import TableEngine, find_open
from pitboss.floor.tournaments.rounds.table_play import leave_round
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import PlayTable
from pitboss.formats.names import nearest
from pitboss.table import evolve
from pitboss.table.authority import authorise
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import Asker
from pitboss.table.orders.past_round import is_about_past
from pitboss.table.orders.roles import ACTS
from pitboss.table.state import Phase, State

GIVEN: tuple[type[cmd.Command], ...] = (
    cmd.Void, od.Reconstruct, od.NoWagerRound, od.ForfeitWagers, od.Misdeal, od.BurnFaced, od.Stray, od.Surplus,
    od.MissedBurn, od.RestartShoe, od.MissedCut, od.MissedShuffle, od.LateInsurance, od.DiscardHand, od.FirstCard,
    od.CheckDevice, od.ForeignCard, od.DeviceFailed, od.Malfunction, od.Repaired, od.CheckEquipment, od.DirectAbsent,
    od.Permit, od.DeferNaturals, od.CheckCards, od.TellBodies, cmd.OrderShuffle, cmd.ReplaceCards,
    cmd.ReportDroppedCards, cmd.VerifyDroppedCards, cmd.BurnEachRound, cmd.MissFeed,
)  # fmt: skip
"""What the engine answers as at any table."""

SWITCHED_OFF: tuple[type[cmd.Command], ...] = (
    od.VacateSeat, od.PersonalLimits, od.AnnounceLimits, od.ChangeLimits, od.LimitSharers, od.LimitBoxes, od.GiveUpBox,
    cmd.MissFeed,
)  # fmt: skip
"""What rests on rules that a book may switch off for tournaments."""

REPLACED: dict[type[cmd.Command], tuple[str, str]] = {
    **dict.fromkeys(
        (od.AnnounceLimits, od.ChangeLimits, od.PersonalLimits),
        ("limits of a tournament change as its terms have announced: change-limits", "limit_change"),
    ),
    **dict.fromkeys(
        (od.HoldToMinimum, od.OneBox, od.Lift),
        ("in a tournament everybody wagers from the minimum to the maximum, at one place", "wager"),
    ),
    **dict.fromkeys(
        (
            od.Reserve, od.Release, od.LimitSharers, od.LimitSidePlaces, od.LimitBoxes, od.TwoHands, od.GiveUpBox,
            od.VacateSeat, od.PermitGuest, od.RequireLeave, od.MainBettorsOnly,
        ),
        ("in a tournament everybody wagers at the place that was drawn for them, and nobody else does", "own_place"),
    ),
    **dict.fromkeys(
        (od.Bar, od.Withhold, od.ReleaseWinnings, od.ForfeitWinnings),
        ("whoever is in charge puts players out of a tournament: disqualify", "disqualify_breach"),
    ),
    **dict.fromkeys(
        (od.ReferDispute, od.RuleOnDispute), ("disputes are raised and decided in the tournament: dispute", "dispute")
    ),
    **dict.fromkeys(
        (od.AnnounceClosing, od.CloseTable),
        ("the table serves the tournament until it is over: end-early ends a session", "exclusive"),
    ),
}  # fmt: skip
"""What a tournament has rules of its own for: what it does, and the matter on which it rests."""

_ALL: tuple[type[cmd.Command], ...] = (*GIVEN, *SWITCHED_OFF, *REPLACED, od.RefuseWager)
_ORDERS: dict[str, type[cmd.Command]] = {str(kind.__struct_config__.tag): kind for kind in _ALL}


NAMED = "docs/tournaments.md lists them"


def give_table_order(draft: TournamentDraft, command: tc.GiveTableOrder) -> None:
    """An order by the rules of the game, unless the tournament switches them off or has its own."""
    table = find_open(draft, command.table)
    order, role = _read_order(draft, table, command.order)
    kind = type(order)
    if kind in SWITCHED_OFF and draft.read("off", ()):
        raise draft.refuse(f"tournaments switch this rule off: {command.order['type']}", "off")
    if kind in REPLACED:
        raise draft.refuse(*REPLACED[kind])
    if isinstance(order, od.RefuseWager):
        _refuse_wager(draft, table, order, role)
        return
    past = is_about_past(table.table, order)
    if past:
        table = _reopen_last(draft, table)
    engine = TableEngine(draft, table)
    engine.ask(order, Asker(role, draft.by.name))
    settled = _find_settled(table.table, engine.events)
    engine.keep(draft.cite("void") if settled.void and not table.table.void else ())
    if past and engine.game.phase is Phase.BETTING:
        leave_round(draft, draft.state.in_play[table.name], settled)


def _read_order(draft: TournamentDraft, table: PlayTable, plain: dict[str, Any]) -> tuple[cmd.Command, str]:
    """The order with the role and the name of whoever gives it; the house gives it as the highest of the book."""
    by = draft.by
    role = by.role if by.name else table.table.rules.ladder[-1].id
    tag = str(plain.get("type", ""))
    kind = _ORDERS.get(tag)
    if kind is None:
        raise Refused(f"'{tag[:40]}' is no order at a table of a tournament; {nearest(tag, _ORDERS, NAMED)}")
    own = {"role": role, "person": by.name}
    filled = {**plain, **{name: value for name, value in own.items() if name in kind.__struct_fields__}}
    try:
        return msgspec.convert(filled, kind), role
    except msgspec.ValidationError as error:
        raise Refused(f"this is not an order at a table: {error}".replace("\n", " ")) from None


def _refuse_wager(draft: TournamentDraft, table: PlayTable, order: od.RefuseWager, role: str) -> None:
    """A wager goes back before the first card, on grounds that are stated; its player wagers again."""
    clauses = authorise(table.table.rules, role, *ACTS["refuse-wager"].powers, reason=order.reason, given=("player",))
    if not order.reason:
        raise Refused("whoever refuses a wager gives a reason", clauses)
    key = draft.state.find_key(order.player)
    made = table.wagers.get(key)
    if table.table.phase is not Phase.BETTING or made is None or not made.amount:
        raise Refused(f"{order.player} has no open wager before the deal at table {table.name}", clauses)
    if order.box != str(table.seats.index(key) + 1) or order.wager not in ("main", *made.sides):
        raise Refused(f"{order.player} has no such wager on box {order.box}", clauses)
    draft.emit(te.WagerTakenBack(table=table.name, key=key, refused=order.reason, clauses=clauses))


def _reopen_last(draft: TournamentDraft, table: PlayTable) -> PlayTable:
    """The table with its last round reopened, which the book lets be put right until the next first card."""
    if table.last is None or table.counted:
        raise draft.refuse(f"the round before stands at table {table.name}: its session is counted", "count")
    clauses = table.table.rules.clauses("reconstruct_until")
    draft.emit(te.LastRoundReopened(table=table.name, clauses=clauses))
    return draft.state.in_play[table.name]


def _find_settled(before: State, events: list[ev.Event]) -> State:
    """The last state in which the round was settled, or the one after all of it."""
    settled, game = None, before
    for event in events:
        game = evolve(game, event)
        settled = game if game.phase is Phase.SETTLED else settled
    return game if settled is None else settled
