"""What happens in a tournament, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.rounds.undisclosed import tell_form
from pitboss.floor.tournaments.tournament_state import CountedWager, TournamentState
from pitboss.money import show
from pitboss.records.narrate.table_events import Around, Said, tell_one
from pitboss.table import evolve

CURES = {
    "over": "is over the maximum and counts as {0}",
    "under": "is under the minimum and is made up to {0}",
    "unable": "is under the minimum and cannot be made up to it",
    "increment": "counts to its last full unit, {0}",
    "beyond": "is more than there was, and counts as {0}",
    "incomplete": "says too little to count",
}
"""What was wrong with a wager, and what became of it."""


def tell_tournament(state: TournamentState, event: te.TournamentEvent) -> Iterator[Said]:
    """An event in sentences; the tournament is the one before it."""
    if isinstance(event, te.TableHappened):
        table = state.in_play[event.table]
        game = table.table
        for inner in event.events:
            after = evolve(game, inner)
            for said in tell_one(Around(game, after), inner):
                yield Said(f"Table {event.table}: {said.sentence}", said.clauses)
            game = after
        if event.clauses:
            yield Said("In a tournament, what was paid in a void round goes back", event.clauses)
        return
    sentences = [*_tell_before(state, event), *_tell_session(state, event), *_tell_table(state, event)]
    for at, sentence in enumerate(sentences):
        yield Said(sentence, event.clauses if at == len(sentences) - 1 else ())


def _tell_before(state: TournamentState, event: te.TournamentEvent) -> Iterator[str]:
    match event:
        case te.TournamentLodged():
            yield f"The terms are lodged: {event.terms.format.game}, entry {show(event.terms.format.entry_fee)}"
        case te.ManagerNamed():
            yield f"{event.name} {'is a deputy of whoever is' if event.deputy else 'is'} in charge"
        case te.TermsPublished():
            yield "The terms are published"
        case te.InspectorateTold():
            yield f"The inspectorate is told{f': {event.text}' if event.text else ''}"
        case te.EntriesOpened():
            yield "Entries are open"
        case te.EntryAccepted():
            entry = event.entry
            paid = (
                f"pays {show(entry.fee)}"
                if entry.fee
                else f"has won the entry at {entry.won_by}"
                if entry.won_by
                else ""
            )
            yield f"{entry.holder} enters as {entry.key}, has a copy of the terms{f', {paid}' if paid else ''}"
        case te.EntryRefused():
            yield f"The application of {event.player} is refused: {event.reason}"
        case te.StaffApproved():
            yield f"{event.player} of the staff may take part, for no prize"
        case te.EntryWithdrawn():
            back = f"and {show(event.refund)} goes back" if event.refund else "without the fee"
            yield f"{event.key} withdraws, {back}"
        case te.SubstituteNamed():
            yield f"{event.substitute} plays the entry {event.key}"
        case te.PoolRaised():
            yield f"The prize pool grows by {event.goods or show(event.amount)} ({event.why})"
        case te.TablesDesignated():
            yield f"Tables {', '.join(event.tables)} serve the tournament, and nothing else"
        case te.EntriesClosed():
            yield f"Entries are closed; stages: {', '.join(stage.name for stage in event.stages)}"
        case te.SeatDrawCommitted():
            yield f"The next draw of seats is committed to: {event.draw.commitment}"
        case te.TournamentCancelled():
            yield f"The tournament is cancelled ({event.reason}); all entry fees go back"
        case te.PlayersBriefed():
            yield "The players are briefed on the terms, and have understood"
        case te.PlayShown():
            yield f"{event.hands} practice hands are played, for nothing" if event.hands else "The game is demonstrated"
        case te.StartMoved():
            yield f"{event.stage} begins at another time: {event.reason}"
        case te.BonusesPaid():
            yield f"Every entrant receives a bonus of {show(event.amount)}"


def _tell_session(state: TournamentState, event: te.TournamentEvent) -> Iterator[str]:
    match event:
        case te.SeatsDrawn():
            yield f"Seats of {state.stages[event.stage].name} are drawn from seed {event.seed.hex()}"
            for seated in event.tables:
                yield f"Heat {seated.heat + 1}, table {seated.table}: {', '.join(seated.seats)}"
        case te.SessionBegun():
            for key in event.unpaid:
                yield f"{key} cannot provide the buy-in, and is out"
            yield f"Heat {event.heat + 1} begins; everybody has {show(event.chips)} in tournament chips"
        case te.WagerTimeSet():
            yield f"From now on there are {event.seconds} seconds for each wager"
        case te.HeatEnded():
            for result in event.results:
                ranked = ", ".join(f"{key} {show(chips)}" for key, chips in result.ranking)
                yield f"Table {result.table}: {ranked}"
            for key, cash in event.cash.items():
                yield f"{key} receives {show(cash)} for chips"
            yield "All tournament chips go back to the inventory"
        case te.LevelFound():
            yield f"{', '.join(event.seated.seats)} are level for the last places that go on, and play for them"
        case te.StageEnded():
            yield f"These go on: {', '.join(event.advance) or 'nobody'}"
        case te.PlacesDecided():
            yield f"The places: {', '.join(f'{at}. {key}' for at, key in enumerate(event.places, 1))}"
        case te.BoughtBack():
            yield f"{event.key} buys back in for {show(event.price)}"
        case te.PrizePaid():
            won = " and ".join(filter(None, (show(event.amount) if event.amount else "", event.goods)))
            yield f"{event.key} is paid {won or 'nothing'} for place {event.place}"
        case te.PrizesDone():
            yield "All prizes are paid, and the tables are free"
        case te.PlayerDisqualified():
            kept = f"; {show(event.refund)} of the fee goes back" if event.refund else ""
            kept += f"; {show(event.kept)} is kept for chips" if event.kept else ""
            yield f"{event.key} is disqualified: {event.reason}{kept}"
        case te.DisputeRaised():
            yield f"{event.player} disputes: {event.matter}; play waits"
        case te.TournamentDisputeDecided():
            yield f"The dispute is {'upheld' if event.upheld else 'dismissed'}, finally: {event.ruling}"


def _tell_table(state: TournamentState, event: te.TournamentEvent) -> Iterator[str]:
    match event:
        case te.WagerMade():
            what = f"stakes {show(event.wager.amount)}{' (time is over)' if event.late else ''}"
            rest = "plays a pass card" if event.wager.passes else "sits out"
            yield f"{event.key} {what if event.wager.amount else rest}"
        case te.WagerTakenBack():
            yield (
                f"The wager of {event.key} is refused: {event.refused}"
                if event.refused
                else f"{event.key} takes the wager back"
            )
        case te.FormWritten():
            yield f"{event.form.key} hands the supervisor an undisclosed wager"
        case te.FormChecked():
            placed = "is examined, and an indicator placed" if event.good else "goes back to be written again"
            yield f"The form of {event.key} {placed}"
        case te.FormInspected():
            form = state.in_play[event.table].read_forms[event.key]
            yield f"{event.by} examines the form of {event.key}: {tell_form(form)}"
        case te.WagersCounted():
            yield f"Betting is closed at table {event.table}"
            for key, counted in event.open.items():
                if counted.cure:
                    yield _tell_cure(f"The wager of {key}, {show(counted.placed)},", counted)
            for key, names in event.sides_back.items():
                yield f"{key} has too few chips for {' and '.join(names)} beside it, which go back"
        case te.WagerVoided():
            yield f"The wager of {event.key} is void"
        case te.FormsRevealed():
            for key, form in state.in_play[event.table].forms.items():
                if form.counted is not None:
                    told = f"The undisclosed wager of {key} is announced: {tell_form(form)}"
                    yield told if not form.counted.cure else _tell_cure(f"{told}; it", form.counted)
            for key, amount in event.deducted.items():
                yield f"{show(amount)} is deducted from {key}"
        case te.AbsenceCharged():
            yield f"{event.key} is absent: {show(event.amount)} is deducted"
        case te.AbsenceMarked():
            yield f"{event.key} is {'absent' if event.absent else 'back'}"
        case te.TournamentLimitsChanged():
            yield f"Wagers at table {event.table} now go from {show(event.minimum)} to {show(event.maximum)}"
        case te.PlayerOut():
            yield f"{event.out.key} is out, with {show(event.out.residual)} left"
        case te.RoundBegun():
            yield f"Table {event.table}: the next round is round {event.round}"
        case te.LastRoundReopened():
            yield f"The round before is put right at table {event.table}; wagers for the next one go back"
        case te.PlayEnded():
            yield f"Play ends at table {event.table}: {event.why}"
        case te.StacksCounted() | te.ChipsCounted():
            found = ", ".join(f"{key} {show(chips)}" for key, chips in event.counts.items())
            yield f"Chips at table {event.table} are counted: {found}"
        case te.ChipsMissing():
            pieces = ", ".join(f"{number} of {value}" for value, number in event.pieces.items())
            yield f"Chips for {show(event.amount)} are missing at table {event.table}{f': {pieces}' if pieces else ''}"
        case te.PlayOffBegun():
            extent = "over one shoe" if event.one_shoe else "until they are not"
            yield f"{' and '.join(event.among)} are level, and play on {extent}"
            if event.chips:
                yield f"Each of them is given {show(event.chips)}"
        case te.EarlyEndAgreed():
            yield f"{event.key} agrees to an early end"


def _tell_cure(what: str, counted: CountedWager) -> str:
    return f"{what} {CURES[counted.cure].format(show(counted.amount))}"
