"""Prizes: what each place wins, worked out from the pool, and paid once."""

from __future__ import annotations

from decimal import ROUND_FLOOR

from pitboss.floor.ledger import from_grains
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.course.sevens_tournament import count_entrants, list_sevens_prizes
from pitboss.floor.tournaments.course.standings import list_winners
from pitboss.floor.tournaments.format import PlacePrize
from pitboss.floor.tournaments.tournament_clauses import SEVENS
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import TournamentPhase
from pitboss.money import CENT, ZERO, Money, parse_money


def share_pool(prizes: tuple[PlacePrize, ...], pool: Money, winners: int) -> tuple[Money, ...]:
    """What each place is paid, down to the cent; what is left of the pool, and of places nobody has, goes to the first.

    Amounts come before shares: shares are of what the amounts leave.
    """
    paid = prizes[:winners]
    fixed = sum((parse_money(prize.amount) for prize in paid), ZERO)
    left = max(pool - fixed, ZERO)
    shares = [
        parse_money(prize.amount) + (left * prize.percent / 100).quantize(CENT, rounding=ROUND_FLOOR) for prize in paid
    ]
    rest = pool - sum(shares, ZERO)
    if shares and rest > 0:
        shares[0] += rest
    return tuple(shares)


def pay_prizes(draft: TournamentDraft, command: tc.PayPrizes) -> None:
    """Every place is paid what it has won: once."""
    draft.check_operator("prizes") if draft.by.name not in draft.state.managers else None
    state = draft.state
    if state.phase is TournamentPhase.PAID:
        raise draft.refuse("the prizes are paid", "prizes")
    if state.phase is not TournamentPhase.DECIDED:
        raise draft.refuse("the places are not decided yet", "prizes")
    if state.dispute is not None:
        raise draft.refuse("a dispute is open: prizes wait until it is decided", "dispute")
    winners = list_winners(state)
    if not winners:
        raise draft.refuse("nobody is left who could win: cancel, and the fees go back", "cancel", "prizes")
    prizes = list_prizes_with_clauses(draft)
    kinds = tuple([prize for prize, _ in prizes])
    owed = sum((parse_money(prize.amount) for prize in kinds[: len(winners)]), ZERO)
    lacks = owed - from_grains(state.pool)
    if lacks > 0:
        draft.emit(te.PoolRaised(amount=lacks, why="prizes", clauses=draft.cite("prizes")))
    amounts = share_pool(kinds, from_grains(draft.state.pool), len(winners))
    for (prize, clauses), key, amount in zip(prizes, winners, amounts, strict=False):
        if prize.place in state.paid:
            continue
        draft.emit(te.PrizePaid(place=prize.place, key=key, amount=amount, goods=prize.goods, clauses=clauses))
    draft.emit(te.PrizesDone(clauses=draft.cite("prizes")))


def list_prizes_with_clauses(draft: TournamentDraft) -> tuple[tuple[PlacePrize, tuple[str, ...]], ...]:
    """The prizes of a tournament by place, each with its clauses."""
    state = draft.state
    if state.form.competition == SEVENS:
        return list_sevens_prizes(state.book, count_entrants(state))
    cited = draft.cite("prizes")
    ordered = sorted(state.form.prizes, key=lambda prize: prize.place)
    return tuple([(prize, cited) for prize in ordered])
