"""The end of a session: stacks counted and recorded, results announced, play-offs, who goes on, and an early end."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.floor.ledger import from_grains
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.course.entries import commit_draw
from pitboss.floor.tournaments.course.sevens_tournament import cite_schedule
from pitboss.floor.tournaments.course.standings import (
    choose_advancing,
    find_level,
    list_ranking,
    rank_after_play,
    rank_final,
)
from pitboss.floor.tournaments.format import MOST_SEATS, StageKind
from pitboss.floor.tournaments.tournament_clauses import SEVENS
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import (
    EntryStatus,
    PlayTable,
    SeatedTable,
    TableResult,
    TournamentPhase,
)
from pitboss.money import ZERO, Money, parse_money, show
from pitboss.table.draft import Refused
from pitboss.table.state import Phase


def count_stacks(draft: TournamentDraft, command: tc.CountStacks) -> None:
    """The chips before each player are counted and recorded, and the players ranked by them."""
    draft.check_staff("tournament-count-stacks")
    table = draft.find_play_table(command.table)
    if not table.over or table.counted:
        why = "counted already" if table.counted else "still being played"
        raise draft.refuse(f"the session at table {table.name} is {why}", "count")
    counts = _compare_counts(draft, table, command.counts)
    ranking = rank_after_play(table, draft.state.stacks)
    draft.emit(te.StacksCounted(table=table.name, counts=counts, ranking=ranking, clauses=draft.cite("count")))


def _compare_counts(draft: TournamentDraft, table: PlayTable, given: dict[str, Money]) -> dict[str, Money]:
    """What was counted; chips that are not there are put on record."""
    own = {key: from_grains(draft.state.stacks.get(key, 0)) for key in table.seats if key}
    unknown = [key for key in given if key not in own]
    if unknown:
        raise Refused(f"{unknown[0][:40]} does not sit at table {table.name}")
    counted = {key: parse_money(given.get(key, chips)) for key, chips in own.items()}
    short = sum((own[key] - counted[key] for key in own), ZERO)
    if any(counted[key] > own[key] for key in own):
        key = next(key for key in own if counted[key] > own[key])
        raise draft.refuse(
            f"{key} has {show(counted[key])} and has won {show(own[key])}: chips come only from the dealer",
            "disqualify_stack",
        )  # fmt: skip
    if short:
        draft.emit(te.ChipsMissing(table=table.name, amount=short, clauses=draft.cite("missing_chips")))
    return counted


def count_chips(draft: TournamentDraft, command: tc.CountChips) -> None:
    """The manager has all chips at a table counted, at any time between rounds."""
    draft.check_manager("chip_count")
    table = draft.find_play_table(command.table)
    if table.table.phase is not Phase.BETTING:
        raise draft.refuse("chips are counted between rounds", "chip_count")
    counts = _compare_counts(draft, table, command.counts)
    draft.emit(te.ChipsCounted(table=table.name, counts=counts, clauses=draft.cite("chip_count")))


def report_missing(draft: TournamentDraft, command: tc.ReportMissing) -> None:
    """The manager is told of chips that have not come back: how many of which value."""
    draft.check_staff()
    if not any(short.table == command.table for short in draft.state.shortages):
        raise draft.refuse(f"no chips are missing at table {command.table[:40]}", "missing_chips")
    try:
        amount = sum((parse_money(value) * number for value, number in command.pieces.items()), ZERO)
    except ValueError as error:
        raise Refused(str(error)) from None
    short = next(item for item in draft.state.shortages if item.table == command.table)
    if amount != short.amount:
        raise draft.refuse(f"{show(short.amount)} is missing, and the pieces come to {show(amount)}", "missing_chips")
    draft.emit(
        te.ChipsMissing(
            table=command.table, amount=amount, pieces=command.pieces, reported=True,
            clauses=draft.cite("missing_chips"),
        )
    )  # fmt: skip


def announce_results(draft: TournamentDraft, command: tc.AnnounceResults) -> None:
    """Whoever is in charge determines who goes on; whoever is level where it matters plays on first."""
    draft.check_manager("announce")
    state = draft.state
    if not state.in_play:
        raise draft.refuse("no session is being played", "announce")
    for table in state.in_play.values():
        if not table.counted:
            raise draft.refuse(f"the chips at table {table.name} are not counted yet", "announce", "count")
    if state.dispute is not None:
        raise draft.refuse("a dispute is open: play waits until it is decided", "dispute")
    if _begin_play_offs(draft):
        return
    _end_heat(draft)
    if any(seated.heat == draft.state.heat for seated in draft.state.drawn):
        return
    _end_stage(draft)


def _begin_play_offs(draft: TournamentDraft) -> bool:
    """Those who are level at a table, for a place that matters, play on among themselves."""
    state, stage = draft.state, draft.state.now_playing
    sevens = state.form.competition == SEVENS
    begun = False
    final = stage.kind is StageKind.FINAL
    for table in state.in_play.values():
        if state.plays_for_level:
            place, group = _find_level_of_level(table)
        elif final and len(state.drawn) > 1:
            continue  # places are decided over all tables of the final
        else:
            place, group = find_level(table.ranking, stage, _count_prizes(draft))
        if not group:
            continue
        one_shoe = sevens and final and place == 1 and not (table.one_shoe and set(group) <= set(table.play_off))
        matter = "play_off"
        if sevens and final:
            matter = "play_off_first" if place == 1 else "play_off_other"
        short = any(from_grains(state.stacks.get(key, 0)) < table.minimum for key in group)
        draft.emit(
            te.PlayOffBegun(
                table=table.name, among=group, one_shoe=one_shoe, chips=parse_money(stage.stack) if short else ZERO,
                clauses=draft.cite(matter),
            )
        )  # fmt: skip
        begun = True
    return begun


def _count_prizes(draft: TournamentDraft) -> int:
    """For how many places a final is played."""
    state = draft.state
    return max(len(state.form.prizes), state.now_playing.advance if state.form.competition == SEVENS else 1)


def _find_level_of_level(table: PlayTable) -> tuple[int, tuple[str, ...]]:
    """At a table of those who are level for the last places: whoever is still level plays on."""
    return next(((0, group) for group in table.ranking if len(group) > 1), (0, ()))


def _end_heat(draft: TournamentDraft) -> None:
    state = draft.state
    stacks = {key: from_grains(grains) for key, grains in state.stacks.items()}
    results = tuple(
        [TableResult(state.heat, table.name, list_ranking(table, stacks)) for table in state.in_play.values()]
    )  # fmt: skip
    rate = ZERO if state.plays_for_level else state.form.chips_to_cash
    cash = {key: chips * rate for result in results for key, chips in result.ranking if chips} if rate else {}
    cited = draft.cite("announce", "winners", "chips_return", *(("early_end_cash",) if cash else ()))
    draft.emit(te.HeatEnded(results=results, cash=cash, clauses=cited))


def _end_stage(draft: TournamentDraft) -> None:
    state, stage = draft.state, draft.state.now_playing
    if stage.kind is StageKind.FINAL:
        _decide_places(draft)
        return
    level = bool(state.level)
    results = state.results[:-1] if level else state.results
    order = [key for key, _ in state.results[-1].ranking] if level else ()
    through, tied, places = choose_advancing(results, stage, order)
    if tied and places and len(tied) <= stage.seats:
        draft.emit(
            te.LevelFound(seated=SeatedTable(state.heat, state.tables[0], tied), clauses=draft.cite("play_off"))
        )  # fmt: skip
        return
    if tied:
        through = (*through, *tied[:places])
    played = [key for result in results for key, _ in result.ranking]
    alive = tuple([key for key in through if state.entries[key].status is not EntryStatus.DISQUALIFIED])
    out = tuple([key for key in played if key not in alive and state.entries[key].status is EntryStatus.IN])
    cited = dict.fromkeys((*draft.cite("advance"), *cite_schedule(state)))
    draft.emit(te.StageEnded(stage=state.stage, advance=alive, out=out, clauses=tuple(cited)))
    commit_draw(draft)


def _decide_places(draft: TournamentDraft) -> None:
    """The order of a final: of its one table, or over all of them by chips, whoever is level having played for it."""
    state = draft.state
    gone = [key for key, entry in state.entries.items() if entry.status is EntryStatus.DISQUALIFIED]
    results = [
        replace(result, ranking=tuple([item for item in result.ranking if item[0] not in gone]))
        for result in state.results
    ]  # fmt: skip
    places, tied = rank_final(results, _count_prizes(draft))
    if 1 < len(tied) <= MOST_SEATS:
        seated = SeatedTable(state.heat, state.tables[0], tied)
        draft.emit(te.LevelFound(seated=seated, clauses=draft.cite("play_off")))
        return
    cited = dict.fromkeys((*draft.cite("winners", "announce"), *cite_schedule(state)))
    draft.emit(te.PlacesDecided(places=places, clauses=tuple(cited)))


# ---------------------------------------------------------------------- an early end


def agree_to_end(draft: TournamentDraft, command: tc.AgreeToEnd) -> None:
    """A player agrees that chips are turned into cash and the session ends."""
    player = draft.name_player(command.player)
    table, key = draft.find_seat(player)
    if not draft.state.form.chips_to_cash:
        raise draft.refuse("the terms do not turn chips into cash", "early_end_cash")
    if key in table.agreed:
        raise Refused(f"{player} has agreed already")
    draft.emit(te.EarlyEndAgreed(table=table.name, key=key, clauses=draft.cite("early_end_cash")))


def end_early(draft: TournamentDraft, command: tc.EndEarly) -> None:
    """A session ends early once those who go on are known, and where chips turn into cash, all agree.

    By one book each of the two is enough.
    """
    draft.check_manager("early_end")
    table = draft.find_play_table(command.table)
    if table.over or table.table.phase is not Phase.BETTING:
        raise draft.refuse("a session ends between rounds", "early_end")
    if draft.state.dispute is not None:
        raise draft.refuse("a dispute is open: play waits until it is decided", "dispute")
    stage = draft.state.now_playing
    known = not stage.next_best and len(table.active) <= stage.advance
    in_cash = bool(draft.state.form.chips_to_cash)
    silent = [key for key in table.active if key not in table.agreed] if in_cash else []
    agreed = in_cash and not silent
    either = draft.read("early_end_needs", "both") == "either"
    if draft.state.phase is not TournamentPhase.PLAYING:
        raise draft.refuse("no session is being played", "early_end")
    if not known and not (either and agreed):
        raise draft.refuse(
            f"{len(table.active)} players are in, and {stage.advance} go on: who goes on is not known", "early_end",
            *(("early_end_cash",) if either and in_cash else ()),
        )  # fmt: skip
    if silent and not either:
        raise draft.refuse(f"chips turn into cash, and {', '.join(silent)} has not agreed", "early_end_cash")
    why = "those who go on are known" if known else "all players agree"
    matters = (*(("early_end",) if known else ()), *(("early_end_cash",) if agreed else ()))
    draft.emit(te.PlayEnded(table=table.name, why=why, clauses=draft.cite(*matters)))
