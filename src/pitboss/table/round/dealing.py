"""The initial deal, the interim settlement, and the offers that come before boxes act."""

from __future__ import annotations

from pitboss.cards import Card
from pitboss.money import ZERO, Money, Odds, half
from pitboss.play.insurance import (
    decides_on_insurance,
    even_money_offered,
    hand_may_insure,
    insurance_halves,
    insurance_offered,
    odds_of_insurance,
)
from pitboss.play.naturals import counts_as_natural, may_become_natural, natural_odds, natural_paid_now
from pitboss.play.surrender import surrender_before_turns, surrender_fits, surrender_open
from pitboss.table.draft import Draft
from pitboss.table.messages import events as ev
from pitboss.table.round import sides
from pitboss.table.round.betting import close_bets
from pitboss.table.round.standing_orders import area_of
from pitboss.table.shoe.devices import (
    DEALER,
    ShoeEmpty,
    after_initial_deal,
    burn_before_deal,
    cut_card_among,
    refill_device,
)
from pitboss.table.shoe.face_down import face_down_boxes, show_exposed
from pitboss.table.shoe.opening import ready_to_deal
from pitboss.table.state import Bettor, Box, CardSource, Fate, Hand, HandStatus, Meter, Phase, Stake, State


def deal(draft: Draft) -> None:
    """Close betting and deal; nothing is dealt if the cut card comes out in place of the first card."""
    if draft.state.phase is not Phase.BETTING:
        raise draft.refuse("the cards of this round are already dealt", "initial_deal")
    if not ready_to_deal(draft):
        return
    close_bets(draft)
    grow_meters(draft)
    burn_before_deal(draft)
    deal_cards(draft)


def deal_cards(draft: Draft) -> None:
    """The initial deal, or what is left of one for which the cards had run out; then what follows from it."""
    refill_device(draft)
    _burn_faced(draft)
    state, shoe = draft.state, draft.state.shoe
    places = places_of_deal(state)[len(state.part) :]
    at_hand = shoe.cards[shoe.position : shoe.position + len(places)]
    if len(at_hand) < len(places):
        _run_out(draft, at_hand, places)
        return
    cards = (*draft.state.part, *at_hand)
    draft.emit(ev.InitialDeal(cards=cards, face_down=face_down_boxes(state), clauses=draft.cite("initial_deal")))
    cut_card_among(draft, shoe, places)
    after_initial_deal(draft)
    show_exposed(draft)
    settle_interim(draft)


def _burn_faced(draft: Draft) -> None:
    """Cards that lie face up among those of the deal are burnt as they come, and the deal goes on with the next."""
    for burnt, number in enumerate(draft.state.trouble.faced):
        state = draft.state
        places = places_of_deal(state)[len(state.part) :]
        before = number - 1 - burnt - len(state.part)
        if before >= len(places):
            return
        draft.emit(ev.PartDealt(cards=state.shoe.undealt[:before], clauses=draft.cite("initial_deal")))
        cut_card_among(draft, state.shoe, places[:before])
        faced = draft.state.shoe.undealt[:1]
        draft.emit(ev.CardsBurnt(cards=faced, shown=1, clauses=state.trouble.faced_clauses))


def settle_interim(draft: Draft) -> None:
    """What is settled on the initial deal, and then what is on offer."""
    _void_single_wagers(draft)
    if draft.state.sides:
        sides.judge_deal(draft, before_naturals=True)
    naturals(draft)
    if draft.state.sides:
        sides.judge_deal(draft, before_naturals=False)
    draft.emit(ev.PhaseBegan(phase=Phase.OFFERS if offers_open(draft.state) else Phase.TURNS))


def places_of_deal(state: State) -> tuple[str, ...]:
    """Who gets each card of the initial deal, in order."""
    boxes = tuple(box.number for box in state.boxes)
    hole = (DEALER,) if state.rules.deal_order == "boxes-dealer-boxes-dealer" else ()
    return (*boxes, DEALER, *boxes, *hole)


def _run_out(draft: Draft, at_hand: tuple[Card, ...], places: tuple[str, ...]) -> None:
    """Deal what there is; a device takes the rack and goes on, a shoe waits for the discards to be shuffled."""
    shoe = draft.state.shoe
    if shoe.source is CardSource.STACKED:
        found = f"the shoe has {len(at_hand)} cards and the initial deal needs {len(places)}"
        raise draft.refuse(found, "out_of_cards")
    draft.emit(ev.PartDealt(cards=at_hand, clauses=draft.cite("initial_deal")))
    cut_card_among(draft, shoe, places[: len(at_hand) + 1])
    if shoe.source is CardSource.DEVICE and (shoe.discards or shoe.burnt):
        refill_device(draft)
        if draft.state.shoe.left:
            deal_cards(draft)
            return
    draft.emit(ev.PhaseBegan(phase=Phase.DEALING))
    raise ShoeEmpty("no card is left in the shoe", draft.cite("out_of_cards"))


def grow_meters(draft: Draft) -> None:
    """A share of each jackpot wager goes to its meters before anything is read from them."""
    state = draft.state
    if not state.meters:
        return
    grown: dict[str, Meter] = {}
    clauses: dict[str, None] = {}
    for side in state.rules.side_wagers:
        staked = sum((bet.amount for bet in state.sides if bet.wager == side.id), ZERO)
        for name in side.meters:
            if name in state.meters and staked:
                meter = state.meters[name]
                grown[name] = Meter(meter.seed, meter.rate, meter.value + meter.rate * staked)
                clauses.update(dict.fromkeys(side.cite("meter", "pays")))
    if grown:
        draft.emit(ev.MetersGrew(meters=grown, clauses=tuple(clauses)))


def _void_single_wagers(draft: Draft) -> None:
    """On an area of two boxes, a wager on one of them only is no wager: its cards are void."""
    if draft.state.rules.boxes_per_area == 1:
        return
    by_area: dict[int, list[Box]] = {}
    for box in draft.state.boxes:
        by_area.setdefault(box.area, []).append(box)
    clauses = draft.cite("single_of_pair")
    for boxes in by_area.values():
        on_both = set.intersection(*({bettor.player for bettor in box.bettors} for box in boxes))
        for box in boxes:
            for bettor in box.bettors:
                if bettor.player not in on_both:
                    draft.settle(
                        box.number, 1, bettor.player, "main", bettor.stake, ZERO, "void", clauses, interim=True
                    )
        if not on_both:
            for box in boxes:
                draft.emit(ev.BoxVoided(box=box.number, reason="a wager on one box of the area only", clauses=clauses))
                draft.emit(
                    ev.HandEnded(
                        box=box.number, hand=1, status=HandStatus.OUT, matters=("single_of_pair",), clauses=clauses
                    )
                )


# ---------------------------------------------------------------------- naturals


def hand_is_natural(box: Box, hand: Hand) -> bool:
    """The hand of a box is a natural."""
    return counts_as_natural(hand.hard, hand.aces, len(hand.cards), hand.from_split, box.switched)


def naturals(draft: Draft) -> None:
    """Pay the naturals that are paid now; let the others wait for the dealer's hand."""
    state = draft.state
    # Whoever has naturals deferred treats every up card as one that may become a natural.
    unknown = not state.dealer or bool(state.floor.naturals_deferred)
    at_once = natural_paid_now(state.packed, unknown or may_become_natural(state.up_rank))
    for box in draft.state.boxes:
        hand = box.hands[0]
        waiting = hand.status is HandStatus.OPEN or (hand.status is HandStatus.NATURAL and at_once)
        if box.void or not waiting or not hand_is_natural(box, hand):
            continue
        if not at_once:
            clauses = draft.state.floor.naturals_deferred or draft.cite("natural", "natural_paid")
            draft.emit(ev.NaturalStands(box=box.number, clauses=clauses))
            continue
        for stake in hand.stakes:
            if stake.fate is Fate.PLAYS:
                pay_natural(draft, box, stake)
        draft.emit(
            ev.HandEnded(
                box=box.number,
                hand=1,
                status=HandStatus.PAID,
                matters=("no_card_on_21", "natural_paid"),
                clauses=draft.cite("natural_paid"),
            )
        )


def pay_natural(draft: Draft, box: Box, stake: Stake) -> None:
    """A natural wins and is paid in the interim settlement."""
    net = Odds(*natural_odds(draft.state.packed)).pay(stake.base, draft.state.payable)
    clauses = draft.cite("natural_paid", "win_natural", "natural_odds")
    draft.settle(box.number, 1, stake.player, "main", stake.base, net, "natural", clauses, interim=True)


# ---------------------------------------------------------------------- what is on offer


def has_live_stake(box: Box, player: str) -> bool:
    """The player has a main wager on the box that is not decided."""
    return any(stake.player == player and stake.fate is not Fate.SETTLED for hand in box.hands for stake in hand.stakes)


def insurance_is_late(state: State, box: Box, bettor: Bettor) -> bool:
    """The window was missed, somebody has opened it again, and for this player it is not too late."""
    named = state.trouble.late_insurance
    if state.phase is not Phase.TURNS or len(state.dealer) != 1 or not (bettor.player in named or "*" in named):
        return False
    own_card = state.rules.insurance_late_until == "own-third-card" and box.third_card
    return insures_lost_hands(state) or (has_live_stake(box, bettor.player) and not own_card)


def insures_lost_hands(state: State) -> bool:
    """A forgotten insurance may be made good by players whose hands are decided too, where a clause is read so."""
    return state.rules.insurance_late_for == "any-player"


def insurance_unit(state: State) -> Money | None:
    """The steps in which insurance goes where what it wins must be payable in chips."""
    odds, chip = Odds(*odds_of_insurance(state.packed, state.up_rank)), state.limits.chip
    return chip * odds.stake / odds.win if state.rules.insurance_payable and chip is not None else None


def insurance_most(state: State, bettor: Bettor) -> Money:
    """The largest insurance of a bettor, in steps that can be paid."""
    most = half(bettor.stake) * insurance_halves(state.packed)
    unit = insurance_unit(state)
    return most if unit is None else most // unit * unit


def cite_trimmed(bettor: Bettor) -> tuple[str, ...]:
    """What to cite besides where less than the placed wager counts."""
    return ("over_maximum", "limit_fill", "unequal_pair") if bettor.stake < bettor.placed else ()


def went_back(state: State, box: Box, player: str) -> tuple[str, ...]:
    """What to cite besides where a player has no wager on the box: it was turned away, or nothing of it counts."""
    if box.bettor(player) is not None:
        return ()
    placed = any(bet.wager == "main" and bet.player == player and area_of(bet.box) == box.area for bet in state.bets)
    return ("over_maximum", "limit_fill", "single_of_pair") if placed else ("box_sharing",)


def may_insure(state: State, box: Box, bettor: Bettor) -> bool:
    """This bettor may insure now, as far as hand and up card go."""
    if (
        box.void
        or not insurance_offered(state.packed, state.up_rank)
        or bettor.stake == 0
        or bettor.even_money
        or bettor.insurance is not None
        or not has_live_stake(box, bettor.player)
    ):
        return False
    if not decides_on_insurance(state.packed, bettor.player == box.controller):
        return False
    return hand_may_insure(state.packed, hand_is_natural(box, box.hands[0]))


def may_take_even_money(state: State, box: Box, bettor: Bettor) -> bool:
    """This bettor may have even money now."""
    hand = box.hands[0]
    return (
        even_money_offered(state.packed, state.up_rank, hand.status is HandStatus.NATURAL)
        and not bettor.even_money
        and bettor.stake > 0
        and has_live_stake(box, bettor.player)
        and decides_on_insurance(state.packed, bettor.player == box.controller)
    )


def surrender_window(state: State, box: Box, own_turn: bool) -> bool:
    """The box may still surrender, as far as the cards of the table go."""
    of_another = any(other.third_card and other.controller != box.controller for other in state.boxes)
    return surrender_open(state.packed, own_turn, state.further_card, of_another)


def hand_may_surrender(state: State, hand: Hand) -> bool:
    """The hand is one that may surrender against the up card."""
    return bool(state.dealer) and surrender_fits(
        state.packed, state.up_rank, hand.hard, hand.aces, len(hand.cards), hand.from_split
    )


def may_surrender_now(state: State, box: Box) -> bool:
    """The box may surrender outside its turn: the game opens surrender to the whole table."""
    hand = box.hands[0]
    return (
        surrender_before_turns(state.packed)
        and not box.void
        and len(box.hands) == 1
        and hand.status in (HandStatus.OPEN, HandStatus.NATURAL)
        and surrender_window(state, box, False)
        and hand_may_surrender(state, hand)
    )


def offers_open(state: State) -> bool:
    """Somebody has something to take or refuse before boxes act."""
    if state.prizes_due:
        return True
    for box in state.boxes:
        if box.void:
            continue
        if may_surrender_now(state, box):
            return True
        for bettor in box.bettors:
            if may_insure(state, box, bettor) or may_take_even_money(state, box, bettor):
                return True
    return False
