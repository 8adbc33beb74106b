"""Disputes at the table: referred, decided by whoever the book names, and reviewed by somebody senior where it says so.

A ruling changes no wager; where one should change, it is the ground for another order. What is kept is who decided
what and why, and where the player may go from there: the steps of the book's chain.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.rulebooks import Rules
from pitboss.rulebooks.model.rules import DisputeStep
from pitboss.table.draft import Draft, Refused
from pitboss.table.floor_state import Dispute, DisputeRuling
from pitboss.table.messages import order_commands as od
from pitboss.table.orders.powers import set_floor
from pitboss.table.orders.roles import rule


def refer(draft: Draft, command: od.ReferDispute) -> None:
    """A dispute is put before whoever decides in the first instance."""
    first = _step(draft.state.rules, 0)
    cites = first.clauses if first is not None else ()
    clauses = rule(draft, command, "dispute", player=command.player, cites=cites)
    if any(dispute.player == command.player and not dispute.rulings for dispute in draft.state.floor.disputes):
        raise Refused(f"a dispute of {command.player} is already waiting for a decision", clauses)
    new = Dispute(command.player, command.reason, next_step=_words(first))
    set_floor(draft, clauses, disputes=(*draft.state.floor.disputes, new))


def decide_dispute(draft: Draft, command: od.RuleOnDispute) -> None:
    """The player's latest dispute is decided, or the decision reviewed."""
    rules, disputes = draft.state.rules, draft.state.floor.disputes
    at = max((n for n, item in enumerate(disputes) if item.player == command.player), default=-1)
    if at < 0:
        first = _step(rules, 0)
        raise Refused(f"{command.player} has no open dispute: refer it first", first.clauses if first else ())
    dispute = disputes[at]
    if len(dispute.rulings) > ("review-dispute" in rules.authority):
        step = _step(rules, len(dispute.rulings))
        after = f"; {_words(step)}" if step is not None else ""
        raise Refused(f"the dispute of {command.player} is decided at this table{after}", step.clauses if step else ())
    clauses = rule(draft, command, "ruling-review" if dispute.rulings else "ruling", player=command.player)
    if dispute.rulings and command.person and command.person == dispute.rulings[0].person:
        raise Refused(f"{command.person} decided this: somebody else must review it", clauses)
    senior = rules.dispute_reviewer == "senior"
    if dispute.rulings and senior and rules.rank(command.role) <= rules.rank(dispute.rulings[0].role):
        raise Refused(f"somebody senior to the {dispute.rulings[0].role} who decided must review it", clauses)
    ruling = DisputeRuling(command.role, command.person, command.upheld, command.reason, clauses)
    rulings = (*dispute.rulings, ruling)
    decided = replace(dispute, rulings=rulings, next_step=_words(_step(rules, len(rulings))))
    set_floor(draft, clauses, disputes=(*disputes[:at], decided, *disputes[at + 1 :]))


def _step(rules: Rules, number: int) -> DisputeStep | None:
    return rules.disputes[number] if number < len(rules.disputes) else None


def _words(step: DisputeStep | None) -> str:
    return "" if step is None else f"{step.who.replace('-', ' ')}, {step.text}"
