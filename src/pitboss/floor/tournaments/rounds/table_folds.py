"""What happens at one table of a tournament: sessions, wagers, forms, rounds, and who is out."""

from __future__ import annotations

import functools

from msgspec.structs import replace

from pitboss.floor.ledger import CAGE, Transfer, prize_pool, to_grains, wallet
from pitboss.floor.postings import count_staked
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.rounds.chip_moves import move_stack, post_table
from pitboss.floor.tournaments.tournament_state import (
    EntryStatus,
    LastRound,
    PlayTable,
    SealedForm,
    TournamentPhase,
    TournamentState,
)
from pitboss.table import begin_log, evolve
from pitboss.table.evolve import open_from
from pitboss.table.state import Limits

Posted = tuple[TournamentState, tuple[Transfer, ...]]


def fold_at_table(state: TournamentState, event: te.TournamentEvent) -> Posted:
    """The tournament after something at a table."""
    if isinstance(event, te.SessionBegun):
        return _begin_session(state, event)
    name = getattr(event, "table", "")
    if name not in state.in_play:
        return state, ()
    table = state.in_play[name]
    match event:
        case te.TableHappened():
            return _play_on(state, table, event)
        case te.FormsRevealed():
            return _reveal(state, table, event)
        case te.AbsenceCharged():
            charged = replace(table, absent={**table.absent, event.key: table.absent[event.key] + 1})
            return put_table(state, charged), move_stack(state.name, event.key, -event.amount, event.clauses)
        case te.PlayOffBegun():
            return _begin_play_off(state, table, event)
        case te.WagersCounted():
            table = replace(table, opening={key: state.stacks.get(key, 0) for key in table.active})
    if isinstance(event, te.WagerMade | te.FormChecked):
        table = replace(table, waits_since_ms=state.at_ms)
    return put_table(state, _fold_wagering(table, event) or _fold_session(state, table, event) or table), ()


def put_table(state: TournamentState, table: PlayTable) -> TournamentState:
    """The tournament with one table changed."""
    return replace(state, in_play={**state.in_play, table.name: table})


def _begin_session(state: TournamentState, event: te.SessionBegun) -> Posted:
    """Tables open, and everybody who has paid gets the same chips."""
    stage, form = state.now_playing, state.form
    moved: list[Transfer] = []
    tables: dict[str, PlayTable] = {}
    opened = open_from(begin_log(event.rules, Limits(chip=form.chip)))
    pool = state.pool
    entries = dict(state.entries)
    for key in event.unpaid:
        entries[key] = replace(entries[key], status=EntryStatus.OUT, out_in=state.stage)
    for seated in state.drawn:
        if seated.heat != event.heat:
            continue
        seats = tuple(["" if key in event.unpaid else key for key in seated.seats])
        keys = [key for key in seats if key and entries[key].status in (EntryStatus.IN, EntryStatus.OUT)]
        for key in keys:
            if stage.buy_in and not event.play_off:
                paid = to_grains(stage.buy_in)
                taker = prize_pool(state.name) if form.buy_in_to_pool else CAGE
                pool += paid if form.buy_in_to_pool else 0
                moved.append(Transfer(wallet(entries[key].player), taker, paid, clauses=event.clauses))
            moved += move_stack(state.name, key, event.chips, event.clauses)
        tables[seated.table] = PlayTable(
            name=seated.table, table=opened, seats=tuple([key if key in keys else "" for key in seats]),
            pass_cards=dict.fromkeys(keys, form.pass_cards) if form.pass_cards else {},
            started_ms=state.at_ms, waits_since_ms=state.at_ms, minimum=stage.minimum, maximum=stage.maximum,
            play_off=tuple(keys) if event.play_off else (),
            ranking=(tuple(keys),) if event.play_off else (),
        )  # fmt: skip
    after = replace(state, in_play=tables, heat=event.heat, phase=TournamentPhase.PLAYING, entries=entries, pool=pool)
    return after, tuple(moved)


def _play_on(state: TournamentState, table: PlayTable, event: te.TableHappened) -> Posted:
    """What the game does; chips move as it says."""
    game = functools.reduce(evolve, event.events, table.table)
    staked = count_staked(game)
    moved = post_table(state.name, table.name, table.table, table.staked, game, staked)
    waits = (
        state.at_ms if game.phase is not table.table.phase or game.turn != table.table.turn else table.waits_since_ms
    )
    return put_table(state, replace(table, table=game, staked=staked, waits_since_ms=waits)), moved


def _reveal(state: TournamentState, table: PlayTable, event: te.FormsRevealed) -> Posted:
    read = replace(table, read_forms=table.forms, forms={})
    moved: list[Transfer] = []
    for key, amount in event.corrected.items():
        moved += move_stack(state.name, key, amount, event.clauses)
    for key, amount in event.deducted.items():
        moved += move_stack(state.name, key, -amount, event.clauses)
    return put_table(state, read), tuple(moved)


def _begin_play_off(state: TournamentState, table: PlayTable, event: te.PlayOffBegun) -> Posted:
    """Those who are level play on, with their chips or, where those are too few, with the same chips once more."""
    again = replace(
        table, play_off=event.among, one_shoe=event.one_shoe, over=False, counted=False, shoes=0, wagers={},
        waits_since_ms=state.at_ms, last=None,
    )  # fmt: skip
    moved: list[Transfer] = []
    if event.chips:
        for key in event.among:
            moved += move_stack(state.name, key, event.chips, event.clauses)
    return put_table(state, again), tuple(moved)


def _fold_wagering(table: PlayTable, event: te.TournamentEvent) -> PlayTable | None:
    """What is put before the deal."""
    match event:
        case te.WagerMade():
            made = {**table.wagers, event.key: event.wager}
            left = table.pass_cards
            if event.wager.passes:
                left = {**left, event.key: left[event.key] - 1}
            return replace(table, wagers=made, pass_cards=left)
        case te.WagerTakenBack():
            kept = {key: wager for key, wager in table.wagers.items() if key != event.key}
            return replace(table, wagers=kept)
        case te.FormWritten():
            key = event.form.key
            used = table.forms_used.get(key, 0) + (key not in table.forms)
            return replace(
                table, forms={**table.forms, key: event.form}, forms_used={**table.forms_used, key: used}
            )  # fmt: skip
        case te.FormChecked():
            return _check_form(table, event)
        case te.WagersCounted():
            return replace(
                table, boxes=event.boxes, read_forms={}, last=None,
                forms={key: replace(form, counted=event.sealed.get(key)) for key, form in table.forms.items()},
            )  # fmt: skip
        case te.WagerVoided():
            return replace(table, boxes=tuple([item for item in table.boxes if item[0] != event.key]))
    return None


def _check_form(table: PlayTable, event: te.FormChecked) -> PlayTable:
    if event.good:
        checked: SealedForm = replace(table.forms[event.key], checked=True)
        return replace(table, forms={**table.forms, event.key: checked})
    back = {key: form for key, form in table.forms.items() if key != event.key}
    used = {**table.forms_used, event.key: table.forms_used[event.key] - 1}
    return replace(table, forms=back, forms_used=used)


def _keep_round(table: PlayTable) -> LastRound:
    return LastRound(
        round=table.round, boxes=table.boxes, wagers=table.wagers, pass_cards=table.pass_cards, opening=table.opening,
        out=table.out, shoes=table.shoes, minimum=table.minimum, maximum=table.maximum,
    )  # fmt: skip


def _reopen_round(table: PlayTable) -> PlayTable:
    """The table as it was when its last round was settled; forms for the next round go back and are not used up."""
    last = table.last
    assert last is not None, f"table {table.name} has no round before"
    used = {key: number - (key in table.forms) for key, number in table.forms_used.items()}
    return replace(
        table, round=last.round, boxes=last.boxes, wagers=last.wagers, pass_cards=last.pass_cards,
        opening=last.opening, out=last.out, shoes=last.shoes, minimum=last.minimum, maximum=last.maximum,
        forms={}, forms_used=used, over=False, agreed=frozenset(), last=None,
    )  # fmt: skip


def _fold_session(state: TournamentState, table: PlayTable, event: te.TournamentEvent) -> PlayTable | None:
    """How a session goes on from round to round and ends."""
    match event:
        case te.PlayerOut():
            return replace(table, out=(*table.out, event.out))
        case te.RoundBegun():
            return replace(
                table, round=event.round, shoes=event.shoes, wagers={}, boxes=(), opening={},
                waits_since_ms=state.at_ms, last=_keep_round(table) if event.dealt else None,
            )  # fmt: skip
        case te.LastRoundReopened():
            return _reopen_round(table)
        case te.TournamentLimitsChanged():
            return replace(table, minimum=event.minimum, maximum=event.maximum)
        case te.PlayEnded():
            return replace(table, over=True, waits_since_ms=state.at_ms)
        case te.StacksCounted():
            return replace(table, counted=True, ranking=event.ranking, waits_since_ms=state.at_ms)
        case te.EarlyEndAgreed():
            return replace(table, agreed=table.agreed | {event.key})
        case te.AbsenceMarked():
            away = {key: rounds for key, rounds in table.absent.items() if key != event.key}
            return replace(table, absent={**away, event.key: 0} if event.absent else away)
    return None
