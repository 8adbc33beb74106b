"""A card that was keyed in wrongly: it becomes another, and what was decided on it is decided again."""

from __future__ import annotations

from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.rebuild import rebuild
from pitboss.table.orders.roles import rule
from pitboss.table.shoe.keying import check_card, check_keyed
from pitboss.table.state import Phase


def correct_card(draft: Draft, command: od.CorrectCard) -> None:
    """The round is told again with the right card; where a hand is different now, its player is asked again."""
    state = draft.state
    check_keyed(state)
    clauses = rule(draft, command, "correct-card")
    if state.phase is Phase.BETTING or state.opening is None:
        raise Refused("no card of a round lies on the table", clauses)
    if state.void or state.trouble.halted:
        raise Refused("the round is void, or its deal is to be ruled on first", clauses)
    cards = state.shoe.cards[state.opening.shoe.position :]
    if not 0 < command.number <= len(cards):
        raise Refused(f"{len(cards)} cards of this round are keyed in: there is no card {command.number}", clauses)
    was = cards[command.number - 1]
    if was == command.card:
        raise Refused(f"card {command.number} is keyed in as {was}", clauses)
    check_card(state, command.card)
    draft.emit(ru.CardCorrected(number=command.number, was=was, card=command.card, clauses=clauses))
    dealt = state.shoe.position - state.opening.shoe.position
    if state.phase is not Phase.DEALING and command.number <= dealt:
        rebuild(draft, state.deeds, clauses, as_it_fell=bool(state.trouble.misdealt))
