"""What comes next without people: the dealer's own steps by the clock, and whole tournaments played by robots.

Robots ask like everybody else, through the same commands. They stake a few units and draw to a middling total: enough
to play a tournament to its end, and no advice to anybody.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from pitboss.floor.ledger import from_grains
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments.course.standings import list_winners
from pitboss.floor.tournaments.rounds.wagering import find_wager_deadline, list_still_to_wager
from pitboss.floor.tournaments.tournament_state import PlayTable, TournamentPhase, TournamentState
from pitboss.floor.tournaments.tournament_views import find_table_moment
from pitboss.money import Money, parse_money
from pitboss.table.messages.askers import DEALER, HOUSE, PLAYER, Asker
from pitboss.table.state import Pending, Phase

ROBOT_UNITS = 5
"""A robot stakes one to so many units."""
HARD_STAND = 15
SOFT_STAND = 18

Step = tuple[tc.TournamentCommand, Asker]


def list_due(state: TournamentState, at_ms: int) -> Iterator[Step]:
    """What the clock has the tables do at a moment."""
    if state.phase is not TournamentPhase.PLAYING or state.dispute is not None:
        return
    for table in state.in_play.values():
        moment = find_table_moment(state, table)
        if moment is None or at_ms < moment:
            continue
        command = _find_dealer_step(table)
        if command is None and find_wager_deadline(state, table) is not None:
            command = tc.CallTime(table=table.name)
        if command is not None:
            yield command, DEALER


def _find_dealer_step(table: PlayTable) -> tc.TournamentCommand | None:
    """What the dealer does when nobody has to be waited for."""
    if table.over:
        return None if table.counted else tc.CountStacks(table=table.name)
    match table.table.phase:
        case Phase.BETTING:
            return None if list_still_to_wager(table) else tc.DealTable(table=table.name)
        case Phase.SETTLED:
            return tc.BeginNextRound(table=table.name)
    return tc.CarryOn(table=table.name)


def find_robot_step(state: TournamentState, seed: int = 0) -> Step | None:
    """The next thing on the way to the end of a tournament, with everybody in it played by a robot; none at its end."""
    match state.phase:
        case TournamentPhase.CLOSED:
            if not state.briefed:
                return tc.BriefPlayers(), HOUSE
            return tc.DrawSeats(), HOUSE
        case TournamentPhase.DRAWN:
            return tc.StartSession(), HOUSE
        case TournamentPhase.DECIDED:
            return tc.PayPrizes() if list_winners(state) else tc.CancelTournament(reason="nobody is left"), HOUSE
        case TournamentPhase.PLAYING:
            playing = [table for table in state.in_play.values() if not table.counted]
            if playing:
                return _find_table_step(state, min(playing, key=lambda table: table.round), seed)
            return tc.AnnounceResults(), HOUSE
    return None


def _find_table_step(state: TournamentState, table: PlayTable, seed: int) -> Step:
    if not table.over:
        if table.table.phase is Phase.BETTING and (waiting := list_still_to_wager(table)):
            return tc.StakeChips(amount=_choose_wager(state, table, waiting[0], seed)), _find_player(state, waiting[0])
        for key, form in table.forms.items():
            if table.table.phase is Phase.BETTING and not form.checked:
                return tc.CheckForm(player=state.entries[key].player), HOUSE
        if table.table.phase is Phase.TURNS and table.table.pending is Pending.NOTHING:
            return _choose_move(state, table)
    return _find_dealer_step(table) or tc.CountStacks(table=table.name), HOUSE


def _find_player(state: TournamentState, key: str) -> Asker:
    return Asker(PLAYER, state.entries[key].player)


def _choose_wager(state: TournamentState, table: PlayTable, key: str, seed: int) -> Money:
    drawn = hashlib.sha256(f"{seed}/{state.name}/{state.stage}/{table.name}/{table.round}/{key}".encode()).digest()
    has = from_grains(state.stacks.get(key, 0))
    low = parse_money(table.minimum)
    units = min(1 + drawn[0] % ROBOT_UNITS, int(has // low))
    return min(low * max(units, 1), table.maximum, has)


def _choose_move(state: TournamentState, table: PlayTable) -> Step:
    game = table.table
    assert game.turn is not None, "nobody's turn"
    box = game.boxes[game.turn[0]]
    hand = box.hands[game.turn[1]]
    key = box.controller
    soft = hand.points != hand.hard
    stands = hand.points >= (SOFT_STAND if soft else HARD_STAND) and len(hand.cards) > 1
    return tc.ActAtTable(move="stand" if stands else "hit"), _find_player(state, key)
