"""What a tournament answers: which function decides which command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.floor.decided import Decided
from pitboss.floor.ledger import LedgerError, add_up_changes, find_overdraft
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments.course import conduct, entries, lodging, prize_money, seating, sessions
from pitboss.floor.tournaments.rounds import table_orders, table_play, undisclosed, wagering
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_events import TournamentEvent
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.money import MoneyError
from pitboss.table import Refusal
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import Asker

ANSWERS: dict[type[tc.TournamentCommand], Callable[[TournamentDraft, Any], None]] = {
    tc.LodgeTournament: lodging.lodge_terms,
    tc.NameManager: lodging.name_manager,
    tc.NameDeputy: lodging.name_deputy,
    tc.PublishTerms: lodging.publish_terms,
    tc.TellInspectorate: lodging.tell_inspectorate,
    tc.OpenEntries: lodging.open_entries,
    tc.TakeEntry: entries.take_entry,
    tc.RefuseEntry: entries.refuse_entry,
    tc.ApproveStaff: entries.approve_staff,
    tc.WithdrawEntry: entries.withdraw_entry,
    tc.NameSubstitute: entries.name_substitute,
    tc.GrantEntry: entries.grant_entry,
    tc.AddToPool: lodging.add_to_pool,
    tc.DesignateTables: lodging.designate_tables,
    tc.CloseEntries: entries.close_entries,
    tc.CancelTournament: lodging.cancel_tournament,
    tc.BriefPlayers: lodging.brief_players,
    tc.ShowPlay: lodging.show_play,
    tc.MoveStart: lodging.move_start,
    tc.DrawSeats: seating.draw_seats,
    tc.StartSession: seating.start_session,
    tc.LoadCards: table_play.load_cards,
    tc.SetWagerTime: lodging.set_wager_time,
    tc.ChangeTournamentLimits: wagering.apply_announced_limits,
    tc.CountStacks: sessions.count_stacks,
    tc.CountChips: sessions.count_chips,
    tc.ReportMissing: sessions.report_missing,
    tc.AnnounceResults: sessions.announce_results,
    tc.AgreeToEnd: sessions.agree_to_end,
    tc.EndEarly: sessions.end_early,
    tc.BuyBackIn: entries.buy_back_in,
    tc.PayPrizes: prize_money.pay_prizes,
    tc.StakeChips: wagering.stake_chips,
    tc.TakeBackWager: wagering.take_back_wager,
    tc.PlayPassCard: wagering.play_pass_card,
    tc.SitOut: wagering.sit_out,
    tc.WriteForm: undisclosed.write_form,
    tc.CheckForm: undisclosed.check_form,
    tc.InspectForm: undisclosed.inspect_form,
    tc.CallTime: wagering.call_time,
    tc.DealTable: table_play.deal_table,
    tc.ActAtTable: table_play.act_at_table,
    tc.CarryOn: table_play.carry_on,
    tc.BeginNextRound: table_play.begin_next_round,
    tc.GiveTableOrder: table_orders.give_table_order,
    tc.MarkAbsent: conduct.mark_absent,
    tc.MarkPresent: conduct.mark_present,
    tc.DisqualifyPlayer: conduct.disqualify_player,
    tc.RaiseDispute: conduct.raise_dispute,
    tc.DecideTournamentDispute: conduct.decide_dispute_finally,
}
"""Who answers what."""


def decide_tournament(
    state: TournamentState, command: tc.TournamentCommand, by: Asker, now: FloorNow
) -> Decided[TournamentEvent, TournamentState] | Refusal:
    """What follows from what is asked, or why not; nothing is changed."""
    draft = TournamentDraft(state, by, now)
    try:
        if state.phase is TournamentPhase.NEW and not isinstance(command, tc.LodgeTournament):
            raise draft.refuse("lodge the terms of this tournament first", "terms")
        ANSWERS[type(command)](draft, command)
        if account := find_overdraft(now.balances, add_up_changes(draft.transfers)):
            raise Refused(f"{account} does not hold what this takes")
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    except (MoneyError, LedgerError) as error:
        return Refusal(str(error), ())
    return Decided(tuple(draft.events), draft.state, tuple(draft.transfers))
