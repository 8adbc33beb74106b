"""An initial deal that did not fall as it should: put on record as it lies, ruled on, or played on unnoticed.

Nothing is settled on a misdeal until somebody plays on. Then what one book provides for holds: a hand on a box without
a wager is discarded, a dealer without a first card takes it late, a box without cards is out of the round and one with
a single card may have a second.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.money import ZERO
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.roles import power_for, rule
from pitboss.table.round import sides
from pitboss.table.round.betting import close_bets, parse_box
from pitboss.table.round.dealing import grow_meters, naturals, offers_open, places_of_deal, settle_interim
from pitboss.table.round.sides.side_bets import settle_side
from pitboss.table.shoe.devices import (
    DEALER,
    after_initial_deal,
    burn_before_deal,
    cut_card_among,
    draw_card,
    require_card,
    require_cards,
)
from pitboss.table.shoe.opening import ready_to_deal
from pitboss.table.state import Phase, SideBet, State


def misdeal(draft: Draft, command: od.Misdeal) -> None:
    """The cards fell where they fell; the table waits for a ruling, or for somebody who plays on."""
    state = draft.state
    if state.phase is not Phase.BETTING:
        raise draft.refuse("the cards of this round are already dealt", "initial_deal")
    if state.rules.hole_card != "none":
        raise Refused("with a hole card a misdeal is not put on record: deal, and declare the round void")
    rule(draft, command, "misdeal", cites=draft.cite("reconstruct_until"))
    let_fall(draft, command.fell)


def let_fall(draft: Draft, fell: tuple[str, ...]) -> None:
    """Close betting; the cards of the initial deal lie where they fell."""
    if not ready_to_deal(draft):
        return
    close_bets(draft)
    grow_meters(draft)
    burn_before_deal(draft)
    _check_places(draft, fell)
    require_cards(draft, len(fell))
    shoe = draft.state.shoe
    cards = shoe.undealt[: len(fell)]
    if len(cards) < len(fell):
        raise draft.refuse(f"the shoe has {len(cards)} cards and {len(fell)} fell", "out_of_cards")
    draft.emit(ru.Misdealt(cards=cards, fell=fell, clauses=draft.cite("reconstruct_until")))
    cut_card_among(draft, shoe, fell)
    after_initial_deal(draft)
    draft.emit(ev.PhaseBegan(phase=Phase.OFFERS))


def _check_places(draft: Draft, fell: tuple[str, ...]) -> None:
    state = draft.state
    for place in fell:
        if place != DEALER and state.box_index(place) < 0:
            parse_box(state, place)
    if fell == places_of_deal(state):
        raise draft.refuse("this is how the cards should fall: deal them", "initial_deal")


def find_misdeal(state: State) -> str:
    """What is wrong with the deal as it lies, so that nobody can play on; nothing if somebody can."""
    rules = state.rules
    for box in state.boxes:
        count = len(box.hands[0].cards)
        if count > 2 or (count < 2 and rules.undealt_box != "void-or-second-card"):
            return f"box {box.number} has {count} card{'s' * (count != 1)}"
    if len(state.dealer) > 1:
        return f"the dealer has {len(state.dealer)} cards"
    if not state.dealer and "deal-late-first-card" not in rules.authority:
        return "the dealer has no card"
    if state.trouble.retracted:
        return "a wager was taken back"
    return ""


def is_past_deal(state: State) -> bool:
    """It is too late to mend the initial deal: something was settled on it or, as most books say, a card was drawn."""
    until = state.rules.reconstruct_until
    by_dealer = len(state.dealer) > 1 and not state.trouble.halted
    drawn = state.further_card or by_dealer or state.phase is Phase.SETTLED
    settled = any(settlement.interim for settlement in state.settlements)
    return (until != "next-round" and settled) or (until == "interim-settlement-or-draw" and drawn)


def play_on(draft: Draft) -> None:
    """Nobody has ruled on the misdeal: the round goes on with the cards as they lie."""
    wrong = find_misdeal(draft.state)
    if wrong:
        raise draft.refuse(
            f"{wrong}: the deal must be rebuilt, or the round declared void", "reconstruct_until", "void"
        )
    settle_sides_as_fell(draft)
    draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, halted=False)))
    settle_interim(draft)


def settle_sides_as_fell(draft: Draft, *, acted_on: bool = False) -> None:
    """Side wagers on a deal that nothing was settled on: those on boxes without cards go back.

    Those on a box with one card wait for its second where the book gives it one, else they go back too. With
    `acted_on`, those that the book acts on even in a void round are settled.
    """
    if not draft.state.trouble.halted:
        return
    clauses = draft.cite("undealt_box", "reconstruct_until")
    for index, bet in enumerate(draft.state.sides):
        if bet.state and not _has_cards(draft.state, bet, waits=not acted_on):
            settle_side(draft, index, ZERO, "void", clauses, interim=True)
    if acted_on and draft.state.dealer:
        for side in draft.state.rules.side_wagers:
            if side.on_void == "acted-on" and side.settled in sides.ON_DEAL:
                sides.judge_dealt(draft, side)


def _has_cards(state: State, bet: SideBet, *, waits: bool) -> bool:
    """The boxes of a side wager have two cards, or one where it can wait for the second."""
    boxes = [box for box in state.boxes if bet.box in (box.number, str(box.area))]
    least = 1 if waits and state.rules.undealt_box == "void-or-second-card" else 2
    return all(len(box.hands[0].cards) >= least for box in boxes)


# ---------------------------------------------------------------------- what is ruled later


def discard_hand(draft: Draft, command: od.DiscardHand) -> None:
    """The cards on a box without a wager are discarded."""
    clauses = rule(draft, command, "discard-hand", box=command.box)
    if command.box not in dict(draft.state.trouble.elsewhere):
        raise Refused(f"box {command.box} has no cards without a wager", clauses)
    draft.emit(ru.HandDiscarded(box=command.box, clauses=clauses))


def first_card(draft: Draft, command: od.FirstCard) -> None:
    """The dealer's missing first card is taken now, or after the hand that acts."""
    state = draft.state
    if state.dealer or state.phase is not Phase.TURNS or state.turn is None:
        power = power_for(state.rules, "first-card", command.clause)
        clauses = (*(power.clauses if power is not None else ()), *draft.cite("initial_deal"))
        raise Refused("the dealer already has a first card, or no box is acting", clauses)
    b, h = state.turn
    number = state.boxes[b].number
    clauses = rule(draft, command, "first-card", box=number)
    if command.now:
        require_card(draft)
        take_first_card(draft, clauses)
    else:
        draft.emit(ru.TroubleSet(trouble=replace(state.trouble, first_card_after=(number, h)), clauses=clauses))


def first_card_due(state: State, at: tuple[int, int] | None) -> bool:
    """The hand after which the dealer takes the missing first card is finished; `at` acts next."""
    after = state.trouble.first_card_after
    return after is not None and (at is None or (state.boxes[at[0]].number, at[1]) != after)


def take_first_card_if_due(draft: Draft, at: tuple[int, int] | None) -> bool:
    """The dealer takes a missing first card after the hand it was put off to; False if it is not due."""
    if not first_card_due(draft.state, at):
        return False
    take_first_card(draft)
    return True


def take_first_card(draft: Draft, clauses: tuple[str, ...] = ()) -> None:
    """The dealer takes the first card late: naturals are paid and offers open as if it had come in time."""
    trouble = draft.state.trouble
    if trouble.first_card_after is not None:
        draft.emit(ru.TroubleSet(trouble=replace(trouble, first_card_after=None)))
    card = draw_card(draft)
    draft.emit(ev.DealerDrew(card=card, clauses=clauses or draft.cite("initial_deal")))
    sides.judge_up_card(draft)
    naturals(draft)
    if offers_open(draft.state):
        draft.emit(ev.PhaseBegan(phase=Phase.OFFERS))
