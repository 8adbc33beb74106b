"""Before entries: terms, who is in charge, who is told, the pool, the tables, and a tournament that is called off."""

from __future__ import annotations

from typing import Any

from pitboss.floor.moments import is_moment
from pitboss.floor.terms.tournament_terms import TournamentTerms, check_tournament_terms
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.course.standings import list_winners
from pitboss.floor.tournaments.format import TournamentFormat, find_format_fault
from pitboss.floor.tournaments.tournament_clauses import SEVENS, cite_matters, read_competition
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.money import parse_money
from pitboss.rulebooks import RulebookError, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.draft import Refused
from pitboss.table.state import Phase

MINUTE_MS = 60_000
BEFORE_PLAY = (TournamentPhase.LODGED, TournamentPhase.ENTRIES, TournamentPhase.CLOSED, TournamentPhase.DRAWN)


def lodge_terms(draft: TournamentDraft, command: tc.LodgeTournament) -> None:
    """The terms are laid down, if they state everything and a tournament can be played by them."""
    draft.check_operator("terms")
    state, terms = draft.state, command.terms
    form = terms.format
    if state.phase is not TournamentPhase.NEW:
        raise draft.refuse("the terms of this tournament are lodged already", "terms")
    if terms.book != state.book:
        raise Refused(f"this tournament is held by the book {state.book}, and the terms are for {terms.book}")
    met = check_lodged_terms(terms)
    own = cite_matters(state.book, form.competition, "terms", "tournament")
    draft.emit(te.TournamentLodged(terms=terms, clauses=tuple(dict.fromkeys((*own, *met)))))


def check_lodged_terms(terms: TournamentTerms) -> tuple[str, ...]:
    """The clauses that these terms meet, or a refusal: they are incomplete, or nothing can be played by them."""
    book, form = terms.book, terms.format
    if not read_competition(book, form.competition):
        raise Refused(f"the book {book} has no rules for a competition {form.competition[:40]}")
    rules = find_rules_of(form)
    if rules.book != book:
        raise Refused(f"this tournament is held by the book {book}, not by that of {form.game}")
    _check_game(form, rules)
    if fault := find_format_fault(form):
        raise Refused(fault, cite_matters(book, form.competition, "structure"))
    return check_tournament_terms(terms)


def find_rules_of(form: TournamentFormat) -> Rules:
    """The rules of the game that a tournament plays."""
    choices: dict[str, Any] = {
        **form.options, "side_wagers": list(form.side_wagers), "readings": dict(form.readings),
    }  # fmt: skip
    try:
        return rules_for(form.game, **choices)
    except RulebookError as error:
        raise Refused(f"the game of the tournament: {error.reason}", error.clauses) from None
    except TypeError as error:
        raise Refused(f"the game of the tournament: {error}") from None


def _check_game(form: TournamentFormat, rules: Rules) -> None:
    """A book may keep tournaments from some tables, and a competition may need a side wager."""
    _refuse_barred(rules.book, form.competition, rules)
    if form.competition == SEVENS:
        needed = str(read_competition(rules.book, SEVENS)["side_wager"]["value"])
        if needed not in form.side_wagers:
            raise Refused(f"this tournament plays {needed}", cite_matters(rules.book, SEVENS, "tournament"))
        _check_schedule(form, rules.book)
    if rules.card_source == "device" and any(stage.shoes for stage in form.stages):
        raise Refused("a device has no shoes to count: let sessions last so many rounds, or minutes")
    if rules.boxes_per_area != 1:
        raise Refused("tournaments are played where each player has one box")


def _check_schedule(form: TournamentFormat, book: str) -> None:
    """Entries are free, and the book has the stages and the prizes: no format may say otherwise."""
    if form.entry_fee or form.buy_back is not None or any(stage.buy_in for stage in form.stages):
        words = "entries into this tournament are free: no fee and no buy-in"
        raise Refused(words, cite_matters(book, SEVENS, "grant"))
    if form.prizes or form.guarantee is not None:
        raise Refused("the schedule of the book has the prizes: leave them out", cite_matters(book, SEVENS, "prizes"))
    if len(form.stages) > 1:
        words = "the schedule of the book has the stages: give one, the final, for its chips and limits"
        raise Refused(words, cite_matters(book, SEVENS, "structure"))


def _refuse_barred(book: str, competition: str, rules: Rules) -> None:
    """Refuse a table at which the book holds no tournaments."""
    barred = read_competition(book, competition).get("not_with", {})
    clauses = barred.get("clause", "")
    for option, value in barred.items():
        if option != "clause" and rules.book == book and rules.options.get(option) == value:
            cited = (clauses,) if clauses else ()
            raise Refused(f"no tournament is held at tables with {option.replace('_', ' ')} gaming", cited)


def name_manager(draft: TournamentDraft, command: tc.NameManager) -> None:
    """The operator names who is in charge."""
    draft.check_operator("manager")
    _check_open(draft)
    _check_member(draft, command.name)
    draft.emit(te.ManagerNamed(name=command.name, clauses=draft.cite("manager")))


def name_deputy(draft: TournamentDraft, command: tc.NameDeputy) -> None:
    """Whoever is in charge names somebody who acts in their place."""
    draft.check_manager("deputy")
    _check_member(draft, command.name)
    draft.emit(te.ManagerNamed(name=command.name, deputy=True, clauses=draft.cite("deputy", "manager")))


def _check_member(draft: TournamentDraft, name: str) -> None:
    person = draft.now.house.people.get(name)
    if person is None or all(book != draft.state.book for _, book in person.roles):
        raise draft.refuse(f"{name[:40]} is not a licensed member of the staff", "manager")
    if name in draft.state.managers:
        raise Refused(f"{name} is in charge already")


def publish_terms(draft: TournamentDraft, command: tc.PublishTerms) -> None:
    """Everybody can have the terms."""
    draft.check_operator("publish", "terms")
    _check_open(draft)
    draft.emit(te.TermsPublished(clauses=draft.cite("publish", "terms")))


def tell_inspectorate(draft: TournamentDraft, command: tc.TellInspectorate) -> None:
    """The inspectorate hears of the tournament, or of a change to it."""
    draft.check_staff()
    _check_open(draft)
    draft.emit(te.InspectorateTold(text=command.text, clauses=draft.cite("inspector")))


def _check_open(draft: TournamentDraft) -> None:
    """The terms are lodged, and the tournament is neither over nor cancelled."""
    phase = draft.state.phase
    if phase is TournamentPhase.NEW:
        raise draft.refuse("lodge the terms of this tournament first", "terms")
    if phase in (TournamentPhase.CANCELLED, TournamentPhase.PAID):
        raise draft.refuse(
            f"this tournament is {'cancelled' if phase is TournamentPhase.CANCELLED else 'over'}", "terms"
        )


def open_entries(draft: TournamentDraft, command: tc.OpenEntries) -> None:
    """No entry before the terms are there for everybody, and before whoever must be told is told."""
    draft.check_operator("fee")
    state = draft.state
    _check_open(draft)
    if state.phase is not TournamentPhase.LODGED:
        raise draft.refuse("entries have been opened before", "terms")
    if not state.published:
        raise draft.refuse("publish the terms before entries are taken", "publish", "terms")
    if draft.cite("inspector") and not state.inspector_told:
        raise draft.refuse("tell the inspectorate before entries are taken", "inspector")
    if not state.managers:
        raise draft.refuse("name who is in charge of the tournament first", "manager")
    draft.emit(te.EntriesOpened(clauses=draft.cite("fee")))


def add_to_pool(draft: TournamentDraft, command: tc.AddToPool) -> None:
    """The operator adds money, goods or services."""
    draft.check_operator("addition")
    _check_open(draft)
    amount = parse_money(command.amount)
    if amount < 0 or not (amount or command.goods):
        raise draft.refuse("money above zero, goods or services are added to a prize pool", "addition")
    if draft.state.phase is TournamentPhase.DECIDED:
        raise draft.refuse("the places are decided: nothing is added to the pool any longer", "addition")
    draft.emit(te.PoolRaised(amount=amount, goods=command.goods, clauses=draft.cite("addition")))


def designate_tables(draft: TournamentDraft, command: tc.DesignateTables) -> None:
    """Tables are kept for the tournament; nobody may be playing at them."""
    state = draft.state
    if draft.by.name not in state.managers:
        draft.check_operator("tables")
    _check_open(draft)
    if not command.tables or len(set(command.tables)) < len(command.tables):
        raise draft.refuse("name the tables, each once", "tables")
    if state.in_play:
        raise draft.refuse("a session is being played", "tables")
    for name in command.tables:
        live = draft.now.tables.get(name)
        if live is not None and (live.purses or live.table.phase is not Phase.BETTING):
            raise draft.refuse(
                f"people play at table {name}: it serves the tournament alone, or not at all", "exclusive"
            )
        if live is not None:
            _refuse_barred(state.book, state.form.competition, live.table.rules)
        for stream, other in draft.now.streams.items():
            mine = stream == f"tournament {state.name}"
            if not mine and isinstance(other, TournamentState) and name in other.tables:
                raise draft.refuse(f"table {name} is kept for {stream}", "exclusive")
    draft.emit(te.TablesDesignated(tables=command.tables, clauses=draft.cite("tables")))


def cancel_tournament(draft: TournamentDraft, command: tc.CancelTournament) -> None:
    """The operator calls it off, and every fee goes back."""
    draft.check_operator("cancel")
    _check_open(draft)
    if not command.reason:
        raise Refused("whoever cancels a tournament gives a reason")
    if draft.state.phase is TournamentPhase.DECIDED and list_winners(draft.state):
        raise draft.refuse("the places are decided: pay the prizes", "cancel")
    if any(table.table.phase is not Phase.BETTING for table in draft.state.in_play.values()):
        raise draft.refuse("a round is being played: cancel when it is settled", "cancel")
    draft.emit(te.TournamentCancelled(reason=command.reason, clauses=draft.cite("cancel")))


def brief_players(draft: TournamentDraft, command: tc.BriefPlayers) -> None:
    """Whoever is in charge has told the players the terms, and they have understood."""
    draft.check_manager("brief")
    _check_open(draft)
    if not command.understood:
        raise draft.refuse("the players must have understood the terms", "brief")
    draft.emit(te.PlayersBriefed(clauses=draft.cite("brief")))


def show_play(draft: TournamentDraft, command: tc.ShowPlay) -> None:
    """A demonstration, or practice hands: nothing is staked."""
    draft.check_staff()
    _check_open(draft)
    if _has_begun(draft.state):
        raise draft.refuse("players are shown how to play before the tournament begins", "practice")
    if command.hands < 0:
        raise Refused("practice hands are counted from zero")
    draft.emit(te.PlayShown(hands=command.hands, clauses=draft.cite("practice")))


def _has_begun(state: TournamentState) -> bool:
    """A session of the first stage has begun: to draw its seats is not to play yet."""
    return state.stage > 0 or state.heat > 0 or state.phase not in BEFORE_PLAY


def move_start(draft: TournamentDraft, command: tc.MoveStart) -> None:
    """A stage begins at another time, of which players hear early enough."""
    draft.check_manager("move_start")
    _check_open(draft)
    form = draft.state.form
    if command.stage not in {stage.name for stage in draft.state.stages or form.stages}:
        raise Refused(f"there is no stage {command.stage[:40]}")
    if not is_moment(command.to):
        raise draft.refuse("a stage starts before the year 2100", "move_start")
    if command.to < draft.now.at_ms + form.notice_minutes * MINUTE_MS:
        raise draft.refuse(
            f"players hear of another starting time {form.notice_minutes} minutes before it", "move_start"
        )
    draft.emit(
        te.StartMoved(stage=command.stage, to=command.to, reason=command.reason, clauses=draft.cite("move_start"))
    )


def set_wager_time(draft: TournamentDraft, command: tc.SetWagerTime) -> None:
    """The time for each wager is limited, after notice."""
    draft.check_manager("wager_time")
    _check_open(draft)
    notice = draft.state.form.notice_minutes
    if command.seconds <= 0:
        raise Refused("a time limit is a number of seconds above zero")
    if not is_moment(command.start):
        raise draft.refuse("a limit on time begins before the year 2100", "wager_time")
    if command.start < draft.now.at_ms + notice * MINUTE_MS:
        raise draft.refuse(f"players hear of a time limit {notice} minutes before it", "wager_time")
    draft.emit(te.WagerTimeSet(seconds=command.seconds, start=command.start, clauses=draft.cite("wager_time")))
