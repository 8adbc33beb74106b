"""Entries: taken, refused, withdrawn, played by substitutes, granted by hands at tables; closed, and bought back."""

from __future__ import annotations

from pitboss.floor.house_orders import check_role
from pitboss.floor.ledger import from_grains, to_grains, wallet
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.course.sevens_tournament import (
    check_calendar,
    cite_whole_schedule,
    find_grant,
    find_pool,
    name_hand,
    plan_sevens,
)
from pitboss.floor.tournaments.tournament_clauses import SEVENS
from pitboss.floor.tournaments.tournament_draft import TournamentDraft, read_ladder
from pitboss.floor.tournaments.tournament_folds import list_in
from pitboss.floor.tournaments.tournament_state import EntryStatus, SeatDraw, TournamentEntry, TournamentPhase
from pitboss.money import ZERO, parse_money, show
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import HOUSE, SYSTEM
from pitboss.table.shoe.shuffle import commitment, seed_and_salt

HOUR_MS = 60 * 60_000
REFUSAL_TERMS = ("general-refusal", "selection-criteria")
"""Items of terms on which an application may be refused."""


def take_entry(draft: TournamentDraft, command: tc.TakeEntry) -> None:
    """The form is filled in, the terms are accepted, a copy is handed over, and the fee goes into the pool."""
    player = draft.name_player(command.player)
    state, form = draft.state, draft.state.format
    if state.phase is not TournamentPhase.ENTRIES or form is None:
        early = state.phase in (TournamentPhase.NEW, TournamentPhase.LODGED)
        raise draft.refuse(f"entries are {'not open yet' if early else 'closed'}", "entrants", "terms")
    if form.competition == SEVENS:
        raise draft.refuse("entries into this tournament are won at tables, not bought", "grant")
    draft.check_may_enter(player)
    if player in state.refused:
        raise draft.refuse(f"the application of {player} was refused", "refuse_entry")
    if not command.accepts:
        raise draft.refuse("whoever enters accepts the terms", "accept", "terms")
    if form.signed_terms and not command.signed:
        raise draft.refuse("the terms are to be signed before an entry is taken", "signed")
    if len(list_in(state)) >= form.most_entrants:
        raise draft.refuse(f"there are {form.most_entrants} entrants, and no more are taken", "entrants")
    own = [entry for entry in list_in(state) if entry.holder == player]
    if len(own) >= form.entries_each:
        raise draft.refuse(f"{player} has entered already", "entrants")
    played = next((entry.key for entry in list_in(state) if entry.player == player and entry.holder != player), "")
    if played:
        raise draft.refuse(f"{player} plays the entry {played} already, as a substitute", "substitute", "entrants")
    staff = _check_staff_entry(draft, player)
    fee = parse_money(form.entry_fee)
    if to_grains(fee) > draft.funds(wallet(player)):
        has = show(from_grains(draft.funds(wallet(player))))
        raise draft.refuse(f"the entry fee is {show(fee)}, and {player} has {has}", "fee")
    entry = TournamentEntry(
        key=_name_key(draft, player), holder=player, player=player, fee=fee, at_ms=draft.now.at_ms, staff=staff,
        signed=command.signed, publicity=command.publicity,
    )  # fmt: skip
    draft.emit(te.EntryAccepted(entry=entry, clauses=draft.cite("fee", "terms", "entrants")))


def _check_staff_entry(draft: TournamentDraft, player: str) -> bool:
    """Whether somebody is of the staff, who take part only in events that allow it, and with leave."""
    if not draft.now.house.people[player].roles:
        return False
    if not draft.state.form.staff_may_enter:
        raise draft.refuse(f"{player} is of the staff, and this is not a charity or media event", "staff", "eligible")
    if player not in draft.state.staff_approved:
        raise draft.refuse(f"{player} is of the staff: the chief executive must approve first", "staff")
    return True


def _name_key(draft: TournamentDraft, player: str) -> str:
    own = sum(entry.holder == player for entry in draft.state.entries.values())
    return f"{player}.{own + 1}" if own else player


def refuse_entry(draft: TournamentDraft, command: tc.RefuseEntry) -> None:
    """An application is refused, as the terms reserve."""
    draft.check_operator("refuse_entry")
    if draft.state.phase is not TournamentPhase.ENTRIES:
        raise draft.refuse("no entries are taken now", "refuse_entry")
    if not command.reason:
        raise Refused("whoever refuses an entry gives a reason")
    if draft.state.find_key(command.player):
        raise draft.refuse(f"{command.player} has entered: the entry is taken", "refuse_entry")
    terms = draft.state.terms
    if terms is not None and not any(terms.terms.get(item) for item in REFUSAL_TERMS):
        raise draft.refuse("the terms reserve no right to refuse anybody, and name no criteria", "refuse_entry")
    draft.emit(te.EntryRefused(player=command.player, reason=command.reason, clauses=draft.cite("refuse_entry")))


def approve_staff(draft: TournamentDraft, command: tc.ApproveStaff) -> None:
    """Whoever may approve does: the operator's highest."""
    power = read_ladder(draft.state.book).authority.get("approve-staff-in-tournament")
    if power is not None and draft.by != HOUSE:
        if draft.by.role != power.role:
            raise Refused(f"the {power.role.replace('-', ' ')} approves this", power.clauses)
        check_role(draft.now.house, draft.by, draft.state.book)
    if draft.state.format is None or not draft.state.form.staff_may_enter:
        raise draft.refuse("the terms do not let staff take part", "staff")
    draft.emit(te.StaffApproved(player=command.player, clauses=draft.cite("staff")))


def withdraw_entry(draft: TournamentDraft, command: tc.WithdrawEntry) -> None:
    """Somebody withdraws: in time with the fee, later without."""
    player = draft.name_player(command.player)
    state = draft.state
    entry = draft.find_entry(player, command.entry)
    if entry.status is not EntryStatus.IN or state.phase not in (
        TournamentPhase.ENTRIES, TournamentPhase.CLOSED, TournamentPhase.DRAWN
    ):  # fmt: skip
        raise draft.refuse("nobody withdraws now", "withdraw")
    if any(entry.key in seated.seats for seated in state.drawn):
        raise draft.refuse("seats are drawn: nobody withdraws until this stage is over", "withdraw")
    hours = state.form.withdraw_hours
    until = entry.at_ms + hours * HOUR_MS
    free = state.phase is TournamentPhase.ENTRIES and hours > 0 and draft.now.at_ms <= until
    draft.emit(
        te.EntryWithdrawn(
            key=entry.key, refund=entry.fee if free else ZERO, clauses=draft.cite("withdraw" if free else "no_refund")
        )
    )


def name_substitute(draft: TournamentDraft, command: tc.NameSubstitute) -> None:
    """Somebody else plays an entry, where the terms allow it."""
    player = draft.name_player(command.player)
    state = draft.state
    if state.format is None or not state.form.substitutes:
        raise draft.refuse("the terms allow no substitutes", "substitute", "terms")
    entry = draft.find_entry(player, command.entry)
    if entry.holder != player or entry.status is not EntryStatus.IN or state.find_table(entry.key) is not None:
        raise draft.refuse("a substitute is named by whoever has entered, before they play", "substitute")
    if state.form.competition == SEVENS and not _has_several(draft, player):
        raise draft.refuse(f"{player} has one entry: substitutes are for the others of several", "substitute")
    draft.check_may_enter(command.substitute)
    if any(other.player == command.substitute for other in list_in(state)):
        raise draft.refuse(f"{command.substitute} plays an entry already", "substitute", "entrants")
    draft.emit(te.SubstituteNamed(key=entry.key, substitute=command.substitute, clauses=draft.cite("substitute")))


def _has_several(draft: TournamentDraft, player: str) -> bool:
    return sum(entry.holder == player for entry in list_in(draft.state)) > 1


def grant_entry(draft: TournamentDraft, command: tc.GrantEntry) -> None:
    """A hand at a table has won an entry: once, and for good."""
    if draft.by not in (SYSTEM, HOUSE):
        raise draft.refuse("the hand grants the entry, nobody in person", "grant")
    state = draft.state
    if state.phase is not TournamentPhase.ENTRIES or state.form.competition != SEVENS:
        raise draft.refuse("no entries are granted now", "grant")
    hand = name_hand(command.table, command.round, command.box)
    own = {f"tournament {state.name}": state}
    if granted := find_grant({**draft.now.streams, **own}, command.player, hand):
        raise draft.refuse(f"this hand has won {command.player} an entry already, into {granted}", "grant")
    if len(list_in(state)) >= state.form.most_entrants:
        raise draft.refuse(f"there are {state.form.most_entrants} entrants: the entry waits for the next one", "grant")
    entry = TournamentEntry(
        key=_name_key(draft, command.player), holder=command.player, player=command.player, at_ms=draft.now.at_ms,
        won_by=hand,
    )  # fmt: skip
    draft.emit(te.EntryAccepted(entry=entry, clauses=draft.cite("grant")))


def close_entries(draft: TournamentDraft, command: tc.CloseEntries) -> None:
    """No more entries: what is promised is paid into the pool, the stages are fixed, the draw is committed to."""
    if draft.by.name not in draft.state.managers:
        draft.check_operator("entrants")
    state = draft.state
    if state.phase is not TournamentPhase.ENTRIES:
        raise draft.refuse("entries are not open", "entrants")
    form, number = state.form, len(list_in(state))
    if form.competition == SEVENS:
        check_calendar(draft, number)
        for amount, clauses in find_pool(draft, number):
            draft.emit(te.PoolRaised(amount=amount, why="schedule", clauses=clauses))
        stages = plan_sevens(draft, number)
    else:
        _check_number(draft, number)
        guarantee = form.guarantee
        if guarantee is not None and number >= guarantee.entrants:
            lacks = parse_money(guarantee.pool) - from_grains(state.pool)
            if lacks > 0:
                draft.emit(te.PoolRaised(amount=lacks, why="guarantee", clauses=draft.cite("guarantee")))
        stages = form.stages
    cited = cite_whole_schedule(state.book, number) if form.competition == SEVENS else ()
    clauses = tuple(dict.fromkeys((*draft.cite("entrants", "advance", "elimination"), *cited)))
    draft.emit(te.EntriesClosed(stages=stages, clauses=clauses))
    commit_draw(draft)


def _check_number(draft: TournamentDraft, number: int) -> None:
    form = draft.state.form
    if number < form.least_entrants:
        raise draft.refuse(
            f"{number} have entered, and at least {form.least_entrants} are needed: go on or cancel",
            "guarantee", "entrants", "cancel",
        )  # fmt: skip


def commit_draw(draft: TournamentDraft) -> None:
    """The seed of the next draw of seats is fixed and its hash shown, before anybody knows the seats."""
    seed, salt = seed_and_salt(draft.now.entropy)
    drawn = SeatDraw(commitment(seed, salt), seed, salt)
    draft.emit(te.SeatDrawCommitted(draw=drawn, clauses=draft.cite("allocation")))


def buy_back_in(draft: TournamentDraft, command: tc.BuyBackIn) -> None:
    """Somebody who is out pays to be in again, as often and as long as the terms allow."""
    player = draft.name_player(command.player)
    state = draft.state
    back = state.format.buy_back if state.format is not None else None
    if back is None:
        raise draft.refuse("the terms allow nobody to buy back in", "buy_back")
    entry = draft.find_entry(player)
    if entry.status is not EntryStatus.OUT:
        raise draft.refuse(f"{player} is {entry.status}: only who is out buys back in", "buy_back")
    names = [stage.name for stage in state.stages]
    if state.phase is not TournamentPhase.CLOSED or state.stage + 1 > names.index(back.until):
        raise draft.refuse(f"buying back is possible between sessions, until the draw of {back.until}", "buy_back")
    if entry.bought_back >= back.times:
        raise draft.refuse(f"{player} has bought back {entry.bought_back} times, and no more is allowed", "buy_back")
    price = parse_money(back.price)
    if to_grains(price) > draft.funds(wallet(entry.holder)):
        raise draft.refuse(f"buying back costs {show(price)}, and {entry.holder} has less", "buy_back")
    draft.emit(te.BoughtBack(key=entry.key, price=price, clauses=draft.cite("buy_back")))
