"""A round told in words: for each kind of event, the sentence a dealer would use.

A teller is given the table before and after the event. What is said elsewhere, or is of no interest to somebody at the
table, is not told. To tell a new kind of event, write a function and put it into `TELLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pitboss.money import show
from pitboss.play.hands import is_natural, total
from pitboss.play.insurance import insurance_offered
from pitboss.records.narrate.floor_events import RULING_TELLERS
from pitboss.records.narrate.settlements import hand_words, place_words, tell_settlement, total_words
from pitboss.records.narrate.shoe_events import SHOE_TELLERS
from pitboss.table.dispatch import merge_tables
from pitboss.table.evolve import evolve
from pitboss.table.messages import events as ev
from pitboss.table.round.dealing import may_insure
from pitboss.table.round.finish import dealer_has_natural
from pitboss.table.round.held_money import confirming_power
from pitboss.table.state import Bet, Box, HandStatus, Pending, Phase, State


class Said(NamedTuple):
    """A sentence and the clauses it rests on."""

    sentence: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        cited = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{self.sentence}.{cited}"


class Around(NamedTuple):
    """The table before and after an event."""

    before: State
    after: State

    def box(self, number: str) -> Box:
        """A box in play, as it is after the event."""
        return self.after.boxes[self.after.box_index(number)]


def tell(state: State, events: tuple[ev.Event, ...]) -> Iterator[Said]:
    """What happened, in sentences; `state` is the table before the first event."""
    for event in events:
        around = Around(state, evolve(state, event))
        yield from tell_one(around, event)
        state = around.after


def tell_one(around: Around, event: ev.Event) -> Iterator[Said]:
    """What one event is in sentences, with the table before and after it."""
    for sentence in _tell_all(around, event):
        yield Said(sentence, event.clauses or _clauses(around.before, event))


def _tell_all(around: Around, event: ev.Event) -> Iterator[str]:
    teller = TELLERS.get(type(event))
    if teller is None:
        name = str(type(event).__struct_config__.tag).replace("-", " ")
        box = getattr(event, "box", "")
        yield tell_opening(f"{name}, box {box}" if box else name)
    else:
        yield from teller(around, event)


def _clauses(state: State, event: ev.Event) -> tuple[str, ...]:
    """Clauses for an event that has none of its own: those of the matter it belongs to."""
    rules = state.rules
    if type(event) in SHOE_TELLERS:
        return ()
    if isinstance(event, ev.MetersGrew | ev.MetersFollowed):
        sides = [side for side in rules.side_wagers if set(side.meters) & set(event.meters)]
        return tuple(dict.fromkeys(clause for side in sides for clause in side.cite("meters", "pays")))
    if isinstance(event, ev.SideAdvanced):
        side = rules.side_wager(state.sides[event.index].wager)
        return side.cite("wins") if side is not None else ()
    matters = {
        ev.PhaseBegan: ("insurance_offer",), ev.BetRemoved: ("bets_close",), ev.RoundBegan: ("initial_deal",),
    }.get(type(event), ("turns",))  # fmt: skip
    return rules.clauses(*matters)


def and_words(parts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


# ---------------------------------------------------------------------- before the deal


def bet_words(state: State, bet: Bet) -> str:
    """`ann, seated, stakes 20 on box 1`; `bob stakes 5 on Perfect Pairs, box 1`."""
    side = state.rules.side_wager(bet.wager)
    where = area_words(state, bet.box)
    if side is not None:
        where = f"{side.name}, {where}"
    elif where.startswith("area"):
        where = f"each box of {where}"
    return f"{bet.player}{', seated,' if bet.seated else ''} stakes {show(bet.amount)} on {where}"


def area_words(state: State, number: str) -> str:
    """`box 1`, or `area 1` where an area has two boxes."""
    return f"{'area' if state.rules.boxes_per_area == 2 and number.isdigit() else 'box'} {number}"


def tell_opening(words: str) -> str:
    """The same words at the beginning of a sentence; not for names, which stay as they are."""
    return words[:1].upper() + words[1:]


def _bet_placed(around: Around, event: ev.BetPlaced) -> Iterator[str]:
    yield bet_words(around.before, event.bet)


def _bet_removed(around: Around, event: ev.BetRemoved) -> Iterator[str]:
    yield f"{event.player} takes the {event.wager} wager off box {event.box}"


def _wager_returned(around: Around, event: ev.WagerReturned) -> Iterator[str]:
    side = around.before.rules.side_wager(event.wager)
    name = side.name if side is not None else "main"
    where = area_words(around.before, event.box)
    yield f"{show(event.amount)} of {event.player}'s {name} wager on {where} is not in play: {event.why}"


def _tell_warned(around: Around, event: ev.PlayerWarned) -> Iterator[str]:
    yield f"{event.player} is told that another wager under the minimum will be returned"


def _bets_closed(around: Around, event: ev.BetsClosed) -> Iterator[str]:
    boxes: dict[str, list[str]] = {}
    for box in event.boxes:
        boxes.setdefault(box.controller, []).append(box.number)
    calls = [f"{player} controls box {and_words(numbers)}" for player, numbers in boxes.items()]
    yield f"No more bets; {and_words(calls)}"


def _meters(around: Around, event: ev.MetersGrew) -> Iterator[str]:
    shows = [f"{name} {show(meter.value)}" for name, meter in event.meters.items()]
    yield f"The meter{'s show' if len(shows) > 1 else ' shows'} {and_words(shows)}"


def _tell_shared(around: Around, event: ev.MetersFollowed) -> Iterator[str]:
    shows = [f"{name} {show(meter.value)}" for name, meter in event.meters.items()]
    if shows:
        yield f"The table shows what the meter system does: {and_words(shows)}"
    if event.gone:
        yield f"The table no longer has {and_words(list(event.gone))}"


# ---------------------------------------------------------------------- deal and offers


def _initial_deal(around: Around, event: ev.InitialDeal) -> Iterator[str]:
    state = around.after
    for box in state.boxes:
        hand = box.hands[0]
        natural = is_natural(hand.hard, hand.aces, len(hand.cards))
        words = state.rules.natural_name if natural else hand_words(hand)
        yield f"Box {box.number} is dealt {' '.join(hand.cards)}: {words}"
    hidden = " and has a second card face down" if state.hole else ""
    yield f"The dealer shows {state.dealer[0]}{hidden}"


def _phase(around: Around, event: ev.PhaseBegan) -> Iterator[str]:
    state = around.after
    if event.phase is Phase.OFFERS and insurance_offered(state.packed, state.up_rank):
        asked = [box.number for box in state.boxes if any(may_insure(state, box, bettor) for bettor in box.bettors)]
        if asked:
            yield f"Insurance is open to box {and_words(asked)}"


def _natural_stands(around: Around, event: ev.NaturalStands) -> Iterator[str]:
    yield f"The {around.before.rules.natural_name} of box {event.box} waits for the dealer's hand"


def _tell_insured(around: Around, event: ev.InsurancePlaced) -> Iterator[str]:
    yield f"{event.player} insures box {event.box} for {show(event.amount)}"


def _even_money(around: Around, event: ev.EvenMoneyTaken) -> Iterator[str]:
    yield f"{event.player} takes even money on box {event.box}"


def _prizes(around: Around, event: ev.PrizesDue) -> Iterator[str]:
    if len(event.due) > len(around.before.prizes_due):
        due = [f"{player} on box {box}" for box, player in event.due]
        yield f"The jackpot button draws a prize for {and_words(due)}"


# ---------------------------------------------------------------------- turns


def _turn(around: Around, event: ev.TurnBegan) -> Iterator[str]:
    box = around.box(event.box)
    where = place_words(around.after, event.box, event.hand)
    if event.pending is Pending.SWITCH:
        yield f"Area {box.area} may switch; otherwise play continues"
    elif event.pending is Pending.RESCUE:
        yield f"The double on {where} may be taken back; otherwise play continues"
    else:
        has = hand_words(box.hands[event.hand - 1])
        yield f"{box.controller} acts for {where}: {has} against {around.after.up_card or 'no card'}"


DRAWN = {
    "hit": "{Where} draws {card}: {total}",
    "double": "{Where} gets {card} on the double: {total}",
    "split": "{Where} gets {card} on the split card: {total}",
    "forced": "{Where} is too low to stand and draws {card}: {total}",
    "automatic": "The dealer draws {card} to {where} automatically: {total}",
    "absent": "Nobody acts for {where}: the dealer draws {card}: {total}",
}
"""Why a card was dealt to a player's hand."""


def _card(around: Around, event: ev.CardDrawn) -> Iterator[str]:
    hand = around.box(event.box).hands[event.hand - 1]
    where = place_words(around.after, event.box, event.hand)
    yield DRAWN[event.why].format(where=where, Where=tell_opening(where), card=event.card, total=hand_words(hand))


def _tell_doubled(around: Around, event: ev.Doubled) -> Iterator[str]:
    index = around.before.box_index(event.box)
    before = around.before.boxes[index].hands[event.hand - 1].stakes
    doubling = [
        f"{new.player} doubles for {show(new.double + new.double_token)}{' with a free token' * bool(new.double_token)}"
        for new, old in zip(event.stakes, before, strict=True)
        if new != old
    ]
    yield f"{and_words(doubling)} on {place_words(around.after, event.box, event.hand)}"


def _split(around: Around, event: ev.HandSplit) -> Iterator[str]:
    box = around.before.boxes[around.before.box_index(event.box)]
    cards = box.hands[event.hand - 1].cards
    stakes = [
        f"{stake.player} puts {'a free token of ' * bool(stake.base_token)}{show(stake.base + stake.base_token)}"
        for stake in event.second
    ]
    matching = {stake.player for stake in event.second}
    riding = [stake.player for stake in event.first if stake.player not in matching]
    rides = f"; {and_words(riding)} stays on the first" if riding else ""
    yield f"Box {event.box} splits {' '.join(cards)}: {and_words(stakes)} on the second hand{rides}"


def _split_declined(around: Around, event: ev.SplitDeclined) -> Iterator[str]:
    yield f"Box {event.box} declines to split and will not be offered it again"


def _tell_switched(around: Around, event: ev.Switched) -> Iterator[str]:
    hands = [
        f"box {box.number} has {' '.join(box.hands[0].cards)}" for box in around.after.boxes if box.area == event.area
    ]
    yield f"Area {event.area} switches its second cards: {and_words(hands)}"


def _switch_declined(around: Around, event: ev.SwitchDeclined) -> Iterator[str]:
    yield f"Area {event.area} does not switch"


def _tell_surrendered(around: Around, event: ev.SurrenderTaken) -> Iterator[str]:
    yield f"{and_words(list(event.players))} surrender{'s' * (len(event.players) == 1)} on box {event.box}"


def _tell_forfeited(around: Around, event: ev.Forfeited) -> Iterator[str]:
    yield f"{event.player} takes back the double on box {event.box}"


def _control(around: Around, event: ev.ControlPassed) -> Iterator[str]:
    yield f"The controlling player of box {event.box} has left: {event.controller} now makes its decisions"


def _tell_left(around: Around, event: ev.LeftToDealer) -> Iterator[str]:
    yield f"Nobody acts for box {event.box}: the dealer plays it"


ENDED = {
    "stand": "{Where} stands on {total}",
    "absent": "The dealer lets {where} stand on {total}",
    "double_one_card": "{Where} has doubled and takes no more cards: {total}",
    "split_aces": "{Where} is a split ace and takes only one card: {total}",
    "max_cards": "{Where} has as many cards as a hand may have: {total}",
    "no_card_on_21": "{Where} has 21 and takes no more cards",
    "lose_dealer_natural": "The dealer has a natural: {where} does not act",
}
"""Why a hand takes no more cards: the first of its matters that is listed here."""


def _tell_ended(around: Around, event: ev.HandEnded) -> Iterator[str]:
    if event.status is not HandStatus.STOOD:
        return
    where = place_words(around.after, event.box, event.hand)
    hand = around.box(event.box).hands[event.hand - 1]
    for matter in event.matters:
        if matter in ENDED:
            yield ENDED[matter].format(where=where, Where=tell_opening(where), total=hand_words(hand))
            return


# ---------------------------------------------------------------------- the dealer, settlement


def _dealer_drew(around: Around, event: ev.DealerDrew) -> Iterator[str]:
    before, after = around.before, around.after
    total_now = total_words(after.dealer_hard, after.dealer_aces)
    if dealer_has_natural(after):
        total_now = after.rules.natural_name
    if before.hole:
        yield f"The dealer turns over {event.card}: {total_now}"
    elif len(before.dealer) == 1:
        yield f"The dealer draws {event.card} as the second card: {total_now}"
    else:
        had = total_words(before.dealer_hard, before.dealer_aces)
        yield f"The dealer must draw to {had}: {event.card}, {total_now}"


def _dealer_stopped(around: Around, event: ev.DealerStopped) -> Iterator[str]:
    state = around.after
    points = total_words(state.dealer_hard, state.dealer_aces)
    if event.why == "moot":
        yield "The dealer takes no further card: it would not change anything"
    elif total(state.dealer_hard, state.dealer_aces) > 21:
        yield f"The dealer busts with {points}"
    else:
        yield f"The dealer stands on {points}"


def _wager_settled(around: Around, event: ev.WagerSettled | ev.SideSettled) -> Iterator[str]:
    settled, state = event.settlement, around.before
    told = tell_settlement(state, settled)
    holds = state.floor.on_record or state.floor.holds_prizes
    if holds and settled.net > 0 and (power := confirming_power(state.rules, settled)) is not None:
        told += f"; the prize waits for the {power.role.replace('-', ' ')} or above"
    if settled.net > 0 and any(held.player == settled.player for held in state.floor.withheld):
        told += "; it is withheld"
    yield told


def _side_advanced(around: Around, event: ev.SideAdvanced) -> Iterator[str]:
    bet = around.before.sides[event.index]
    side = around.before.rules.side_wager(bet.wager)
    name = side.name if side is not None else bet.wager
    yield f"{bet.player}'s {name} on box {bet.box} stays in play: {event.state.replace('-', ' ')}"


def _tell_carried(around: Around, event: ev.WagerCarried) -> Iterator[str]:
    bet = event.carried
    yield f"{bet.player}'s {bet.wager} of {show(bet.amount)} on box {bet.box} stays for the next round"


def _box_voided(around: Around, event: ev.BoxVoided) -> Iterator[str]:
    yield f"Box {event.box} is void{_by(event.role, event.reason)}"


def _round_voided(around: Around, event: ev.RoundVoided) -> Iterator[str]:
    yield f"The round is void{_by(event.role, event.reason)}"


def _by(role: str, reason: str) -> str:
    who = f", declared by the {role.replace('-', ' ')}" if role else ""
    return f"{who}: {reason}" if reason else who


def _nothing(around: Around, event: ev.Event) -> Iterator[str]:
    yield from ()


ROUND_TELLERS: dict[type[ev.Event], Callable[[Around, Any], Iterator[str]]] = {
    ev.TableOpened: _nothing,
    ev.Asked: _nothing,
    ev.ShoeLoaded: _nothing,
    ev.BetPlaced: _bet_placed,
    ev.BetRemoved: _bet_removed,
    ev.WagerReturned: _wager_returned,
    ev.PlayerWarned: _tell_warned,
    ev.BetsClosed: _bets_closed,
    ev.MetersGrew: _meters,
    ev.MetersFollowed: _tell_shared,
    ev.InitialDeal: _initial_deal,
    ev.PhaseBegan: _phase,
    ev.NaturalStands: _natural_stands,
    ev.InsurancePlaced: _tell_insured,
    ev.EvenMoneyTaken: _even_money,
    ev.PrizesDue: _prizes,
    ev.TurnBegan: _turn,
    ev.CardDrawn: _card,
    ev.Doubled: _tell_doubled,
    ev.HandSplit: _split,
    ev.SplitDeclined: _split_declined,
    ev.Switched: _tell_switched,
    ev.SwitchDeclined: _switch_declined,
    ev.PendingPassed: _nothing,
    ev.SurrenderTaken: _tell_surrendered,
    ev.Forfeited: _tell_forfeited,
    ev.ControlPassed: _control,
    ev.LeftToDealer: _tell_left,
    ev.HandEnded: _tell_ended,
    ev.DealerDrew: _dealer_drew,
    ev.DealerStopped: _dealer_stopped,
    ev.WagerSettled: _wager_settled,
    ev.SideSettled: _wager_settled,
    ev.SideAdvanced: _side_advanced,
    ev.WagerCarried: _tell_carried,
    ev.BoxVoided: _box_voided,
    ev.RoundVoided: _round_voided,
    ev.RoundEnded: _nothing,
    ev.RoundBegan: _nothing,
}
"""Who tells what of a round."""

TELLERS = merge_tables(RULING_TELLERS, SHOE_TELLERS, ROUND_TELLERS)
"""Who tells what; a kind of event that is not here is told by its name."""
