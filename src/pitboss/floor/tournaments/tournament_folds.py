"""How what happens changes a tournament, and what it moves in money: the one place where a tournament changes."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss.floor.ledger import CAGE, Transfer, prize_pool, to_grains, wallet
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.rounds.chip_moves import move_stack, stacks_after
from pitboss.floor.tournaments.rounds.table_folds import fold_at_table, put_table
from pitboss.floor.tournaments.tournament_state import (
    EntryStatus,
    OpenDispute,
    Shortage,
    TournamentEntry,
    TournamentPhase,
    TournamentState,
)
from pitboss.money import Money


class TournamentFolded(NamedTuple):
    """A tournament after an event, and the money that it moves."""

    state: TournamentState
    transfers: tuple[Transfer, ...] = ()


def fold_tournament(state: TournamentState, event: te.TournamentEvent, at_ms: int) -> TournamentFolded:
    """The tournament after an event."""
    state = replace(state, at_ms=max(at_ms, state.at_ms))
    folded = _fold_before(state, event) or _fold_entries(state, event) or _fold_course(state, event)
    if folded is None:
        after, moved = fold_at_table(state, event)
        folded = TournamentFolded(after, moved)
    if not folded.transfers:
        return folded
    stacks = stacks_after(state.name, folded.state.stacks, folded.transfers)
    return TournamentFolded(replace(folded.state, stacks=stacks), folded.transfers)


def _fold_before(state: TournamentState, event: te.TournamentEvent) -> TournamentFolded | None:
    """What is done before the first session."""
    match event:
        case te.TournamentLodged():
            return TournamentFolded(
                replace(
                    state,
                    phase=TournamentPhase.LODGED,
                    terms=event.terms,
                    wager_seconds=event.terms.format.wager_seconds,
                )
            )
        case te.ManagerNamed():
            return TournamentFolded(replace(state, managers=(*state.managers, event.name)))
        case te.TermsPublished():
            return TournamentFolded(replace(state, published=True))
        case te.InspectorateTold():
            return TournamentFolded(replace(state, inspector_told=state.inspector_told + 1, inspector_due=False))
        case te.EntriesOpened():
            return TournamentFolded(replace(state, phase=TournamentPhase.ENTRIES, entries_opened_ms=state.at_ms))
        case te.TablesDesignated():
            return TournamentFolded(replace(state, tables=event.tables))
        case te.EntriesClosed():
            return TournamentFolded(
                replace(
                    state, phase=TournamentPhase.CLOSED, stages=event.stages, entries_closed_ms=state.at_ms,
                    waiting=tuple([key for key, entry in state.entries.items() if entry.status is EntryStatus.IN]),
                )
            )  # fmt: skip
        case te.SeatDrawCommitted():
            return TournamentFolded(replace(state, draw=event.draw))
        case te.PlayersBriefed():
            return TournamentFolded(replace(state, briefed=True))
        case te.PlayShown():
            return TournamentFolded(replace(state, practice_hands=state.practice_hands + event.hands))
        case te.StartMoved():
            moved = {**state.starts, event.stage: event.to}
            return TournamentFolded(replace(state, starts=moved, inspector_due=state.stage < 0))
        case te.PoolRaised():
            return _raise_pool(state, event)
    return None


def _raise_pool(state: TournamentState, event: te.PoolRaised) -> TournamentFolded:
    grains = to_grains(event.amount)
    goods = (*state.goods, event.goods) if event.goods else state.goods
    moved = (Transfer(CAGE, prize_pool(state.name), grains, clauses=event.clauses),) if grains else ()
    return TournamentFolded(replace(state, pool=state.pool + grains, goods=goods), moved)


def _fold_entries(state: TournamentState, event: te.TournamentEvent) -> TournamentFolded | None:
    """What happens to entries, and to the money in them."""
    match event:
        case te.EntryAccepted():
            entry = event.entry
            fee = to_grains(entry.fee)
            moved = (Transfer(wallet(entry.holder), prize_pool(state.name), fee, clauses=event.clauses),) if fee else ()
            return TournamentFolded(
                replace(state, entries={**state.entries, entry.key: entry}, pool=state.pool + fee), moved
            )  # fmt: skip
        case te.EntryRefused():
            return TournamentFolded(replace(state, refused=(*state.refused, event.player)))
        case te.StaffApproved():
            return TournamentFolded(replace(state, staff_approved=(*state.staff_approved, event.player)))
        case te.EntryWithdrawn():
            withdrawn = change_entry(state, event.key, status=EntryStatus.WITHDRAWN)
            withdrawn = replace(withdrawn, waiting=tuple([key for key in state.waiting if key != event.key]))
            return _refund(withdrawn, event.key, event.refund, event.clauses)
        case te.SubstituteNamed():
            return TournamentFolded(change_entry(state, event.key, player=event.substitute))
        case te.TournamentCancelled():
            return _cancel(state, event)
        case te.BonusesPaid():
            grains = to_grains(event.amount)
            paid = tuple(
                [Transfer(CAGE, wallet(entry.holder), grains, clauses=event.clauses) for entry in list_in(state)]
            )
            return TournamentFolded(replace(state, bonuses_paid=True), paid)
        case te.BoughtBack():
            entry = state.entries[event.key]
            grains = to_grains(event.price)
            back = change_entry(
                state, event.key, status=EntryStatus.IN, out_in=-1, bought_back=entry.bought_back + 1,
                fee=entry.fee + event.price,
            )  # fmt: skip
            back = replace(back, waiting=(*back.waiting, event.key), pool=back.pool + grains)
            return TournamentFolded(
                back, (Transfer(wallet(entry.holder), prize_pool(state.name), grains, clauses=event.clauses),)
            )
    return None


def list_in(state: TournamentState) -> list[TournamentEntry]:
    """The entries that are in the tournament."""
    return [entry for entry in state.entries.values() if entry.status is EntryStatus.IN]


def change_entry(state: TournamentState, key: str, **changes: Any) -> TournamentState:
    """The tournament with one entry changed."""
    return replace(state, entries={**state.entries, key: replace(state.entries[key], **changes)})


def _refund(state: TournamentState, key: str, amount: Money, clauses: tuple[str, ...]) -> TournamentFolded:
    grains = to_grains(amount)
    if not grains:
        return TournamentFolded(state)
    entry = state.entries[key]
    state = replace(change_entry(state, key, fee=entry.fee - amount), pool=state.pool - grains)
    return TournamentFolded(state, (Transfer(prize_pool(state.name), wallet(entry.holder), grains, clauses=clauses),))


def _cancel(state: TournamentState, event: te.TournamentCancelled) -> TournamentFolded:
    """All fees go back to those who paid them, and what the operator has added goes back to the operator."""
    moved: list[Transfer] = []
    for key in state.entries:
        folded = _refund(state, key, state.entries[key].fee, event.clauses)
        state, moved = folded.state, [*moved, *folded.transfers]
    if state.pool:
        moved.append(Transfer(prize_pool(state.name), CAGE, state.pool, clauses=event.clauses))
    for key, chips in state.stacks.items():
        moved += move_stack(state.name, key, -chips)
    return TournamentFolded(replace(state, phase=TournamentPhase.CANCELLED, pool=0, in_play={}, goods=()), tuple(moved))


def _fold_course(state: TournamentState, event: te.TournamentEvent) -> TournamentFolded | None:
    """How stages follow one another, and how it all ends."""
    match event:
        case te.SeatsDrawn():
            return TournamentFolded(
                replace(
                    state, phase=TournamentPhase.DRAWN, stage=event.stage, heat=0, drawn=event.tables, draw=None,
                    results=(), level=(),
                    waiting=tuple([key for key in state.waiting if not _is_drawn(event, key)]),
                )
            )  # fmt: skip
        case te.HeatEnded():
            return _end_heat(state, event)
        case te.LevelFound():
            seated = event.seated
            return TournamentFolded(replace(state, drawn=(*state.drawn, seated), level=seated.seats))
        case te.StageEnded():
            for key in event.out:
                if state.entries[key].status is EntryStatus.IN:
                    state = change_entry(state, key, status=EntryStatus.OUT, out_in=event.stage)
            for key in event.advance:
                state = change_entry(state, key, status=EntryStatus.IN, out_in=-1)
            waiting = (*state.waiting, *event.advance)
            return TournamentFolded(replace(state, phase=TournamentPhase.CLOSED, waiting=waiting, drawn=()))
        case te.PlacesDecided():
            return TournamentFolded(replace(state, phase=TournamentPhase.DECIDED, places=event.places, drawn=()))
        case te.PrizePaid():
            grains = to_grains(event.amount)
            holder = state.entries[event.key].holder
            moved = (Transfer(prize_pool(state.name), wallet(holder), grains, clauses=event.clauses),) if grains else ()
            return TournamentFolded(replace(state, paid=(*state.paid, event.place), pool=state.pool - grains), moved)
        case te.PrizesDone():
            return TournamentFolded(replace(state, phase=TournamentPhase.PAID, tables=()))
        case te.WagerTimeSet():
            return TournamentFolded(replace(state, wager_seconds=event.seconds, wager_time_from_ms=event.start))
        case te.ChipsMissing():
            short = Shortage(event.table, event.amount, event.pieces, event.reported)
            kept = tuple([item for item in state.shortages if not (event.reported and item.table == event.table)])
            return TournamentFolded(replace(state, shortages=(*kept, short)))
        case te.PlayerDisqualified():
            return _disqualify(state, event)
        case te.DisputeRaised():
            return TournamentFolded(replace(state, dispute=OpenDispute(event.player, event.matter)))
        case te.TournamentDisputeDecided():
            return TournamentFolded(replace(state, dispute=None))
    return None


def _is_drawn(event: te.SeatsDrawn, key: str) -> bool:
    return any(key in seated.seats for seated in event.tables)


def _end_heat(state: TournamentState, event: te.HeatEnded) -> TournamentFolded:
    moved: list[Transfer] = []
    for key, cash in event.cash.items():
        if cash:
            moved.append(Transfer(CAGE, wallet(state.entries[key].player), to_grains(cash), clauses=event.clauses))
    for key, chips in state.stacks.items():
        moved += move_stack(state.name, key, -chips, event.clauses)
    return TournamentFolded(
        replace(
            state, results=(*state.results, *event.results), in_play={}, heat=state.heat + 1,
            phase=TournamentPhase.DRAWN,
        ),
        tuple(moved),
    )  # fmt: skip


def _disqualify(state: TournamentState, event: te.PlayerDisqualified) -> TournamentFolded:
    entry = state.entries[event.key]
    moved: list[Transfer] = list(move_stack(state.name, event.key, -state.stacks.get(event.key, 0), event.clauses))
    if event.kept:
        moved.append(Transfer(CAGE, wallet(entry.player), to_grains(event.kept), clauses=event.clauses))
    state = change_entry(state, event.key, status=EntryStatus.DISQUALIFIED, out_in=state.stage)
    table = state.find_table(event.key)
    if table is not None:
        left = replace(
            table, seats=tuple(["" if key == event.key else key for key in table.seats]),
            wagers={key: made for key, made in table.wagers.items() if key != event.key},
            forms={key: form for key, form in table.forms.items() if key != event.key},
            ranking=tuple([tuple([key for key in group if key != event.key]) for group in table.ranking]),
        )  # fmt: skip
        state = put_table(state, left)
    state = replace(state, waiting=tuple([key for key in state.waiting if key != event.key]))
    folded = _refund(state, event.key, event.refund, event.clauses)
    return TournamentFolded(folded.state, (*moved, *folded.transfers))
