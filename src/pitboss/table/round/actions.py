"""What the controlling player of a box may do with a hand: hit, stand, double, split, switch, forfeit, walk away.

Each action finds its hand, refuses with the nearest reason, says what has happened and lets play go on.
"""

from __future__ import annotations

from pitboss.cards import RANK, SUITS, VALUE
from pitboss.money import ZERO, Money, show
from pitboss.play.bonuses import splits_suited_sevens
from pitboss.play.doubling import (
    aces_fixed,
    double_amount_fits,
    double_cards_fit,
    double_is_free,
    double_total_fits,
    doubled_must_draw,
    may_take_back,
)
from pitboss.play.drawing import has_its_one_card, may_stand
from pitboss.play.packed import DOUBLE, SPLIT, STAKE_UP_TO
from pitboss.play.splitting import cards_match, most_hands, own_stake_last, split_is_free
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.round.dealing import cite_trimmed, naturals, went_back
from pitboss.table.round.offers import close_offers
from pitboss.table.round.turns import (
    acting,
    advance,
    caller_is_on,
    can_split,
    can_switch,
    draw_to,
    end_hand,
    mark_ended,
    next_in_line,
    pass_pending,
)
from pitboss.table.shoe.devices import require_card
from pitboss.table.state import Box, Fate, Hand, HandStatus, Pending, Phase, Stake


def hit(draft: Draft, command: cmd.Hit) -> None:
    """Draw a card."""
    b, h = acting(draft, command.box, command.by, "hit")
    require_card(draft)
    hand = draft.state.boxes[b].hands[h]
    if has_its_one_card(draft.state.packed, hand.from_aces):
        raise draft.refuse("a split ace takes one card only", "split_aces")
    _decline_switch(draft, b)
    _decline_split(draft, b, h)
    draw_to(draft, draft.state.boxes[b], h, "hit", "hit")
    if len(hand.cards) == 1 and not hand.from_split:
        naturals(draft)
    if draft.state.prizes_due:
        # The second card of a box that was dealt one has won a prize that is drawn before play goes on.
        draft.emit(ev.PhaseBegan(phase=Phase.OFFERS))
    else:
        advance(draft)


def stand(draft: Draft, command: cmd.Stand) -> None:
    """Draw no more."""
    b, h = acting(draft, command.box, command.by, "stand")
    state = draft.state
    hand = state.boxes[b].hands[h]
    if not may_stand(state.packed, hand.hard, hand.aces, hand.from_aces):
        raise draft.refuse(
            f"a hand of {hand.points} must draw until it is {state.rules.forced_draw_below} or more",
            "forced_draw",
            "forced_draw_below",
        )
    _decline_switch(draft, b)
    _decline_split(draft, b, h)
    if has_its_one_card(state.packed, hand.from_aces):
        end_hand(draft, b, h)
    else:
        mark_ended(draft, state.boxes[b], h, HandStatus.STOOD, "stand")
    advance(draft)


def play_absent(draft: Draft, command: cmd.PlayAbsent) -> None:
    """Nobody acts for the box: the dealer plays it."""
    b, _ = acting(draft, command.box, None, "absent")
    _decline_switch(draft, b)
    draft.emit(ev.LeftToDealer(box=draft.state.boxes[b].number, clauses=draft.cite("absent")))
    advance(draft)


def leave_box(draft: Draft, command: cmd.LeaveBox) -> None:
    """A bettor walks away: if it was the controlling player, the next in line controls, or the dealer plays the box.

    Control is of the playing area: on two boxes it passes for both.
    """
    state = draft.state
    area = [box for box in state.boxes if command.box in (box.number, str(box.area))]
    pair = [box for box in state.boxes if area and box.area == area[0].area and box.hands]
    staked = any(box.bettor(command.player) is not None for box in area)
    if not pair or not staked or state.phase not in (Phase.OFFERS, Phase.TURNS):
        raise draft.refuse(f"{command.player} has no wager in play on box {command.box}", "controlling_player")
    if command.player != pair[0].controller:
        words = f"{command.player} does not call the decisions of box {command.box}: the wager simply stands"
        raise draft.refuse(words, "controlling_player")
    for box in pair:
        next_one = next_in_line(state, box, command.player)
        if next_one and state.rules.controller_leaves == "next-in-line":
            draft.emit(ev.ControlPassed(box=box.number, controller=next_one, clauses=draft.cite("controlling_player")))
        else:
            draft.emit(ev.LeftToDealer(box=box.number, clauses=draft.cite("absent")))
    after = draft.state
    if after.pending is Pending.SWITCH and after.turn is not None:
        asked = after.boxes[after.turn[0]].area
        if asked == pair[0].area and not can_switch(after, asked):
            pass_pending(draft)


def double(draft: Draft, command: cmd.Double) -> None:
    """Double: more money, one card."""
    b, h = acting(draft, command.box, command.by, "double")
    require_card(draft)
    state, packed = draft.state, draft.state.packed
    box = state.boxes[b]
    hand = box.hands[h]
    _double_fits(draft, hand)
    if not caller_is_on(box, hand):
        raise _nothing_to_match(draft, box, "double")
    amounts = dict(command.amounts) or {box.controller: _full(box, box.controller)}
    if len(amounts) < len(command.amounts):
        raise Refused("a player is named twice")
    if box.controller not in amounts:
        raise draft.refuse(
            f"others may double only if {box.controller} doubles", "double_sharers", "double", "controlling_player"
        )
    if len(amounts) > 1 and state.rules.double_sharers != "each-chooses":
        raise draft.refuse(f"only {box.controller} may double on box {box.number}", "double_sharers", "double")
    stakes = tuple(_double_stake(draft, box, stake, amounts.pop(stake.player, None)) for stake in hand.stakes)
    if amounts:
        went = (matter for player in amounts for matter in went_back(state, box, player))
        raise draft.refuse(f"{', '.join(amounts)} has no wager on this hand", "double_sharers", "double", *went)
    _decline_switch(draft, b)
    _decline_split(draft, b, h)
    tokens, free = box.tokens, double_is_free(packed)
    if free:
        tokens = _count_tokens(tokens, tuple(stake.player for stake in stakes if stake.double_token))
    fixed = aces_fixed(packed, sum(card[0] == "A" for card in hand.cards[:2]))
    clauses = draft.cite(*_double_matters(hand, free, fixed))
    draft.emit(ev.Doubled(box=box.number, hand=h + 1, stakes=stakes, tokens=tokens, fixed_aces=fixed, clauses=clauses))
    draw_to(draft, draft.state.boxes[b], h, "double", "double_one_card")
    while doubled_must_draw(packed, draft.state.boxes[b].hands[h].points):
        draw_to(draft, draft.state.boxes[b], h, "forced", "forced_draw")
    _after_double(draft, b, h)


def _double_matters(hand: Hand, free: bool, fixed_aces: int) -> tuple[str, ...]:
    """What a double rests on: on what it may be made, with what stake, after a split, and with an ace that is one."""
    matters = ("free_double", "double") if free else ("double", "double_totals", "double_amount")
    split = ("double_after_split",) if hand.from_split else ()
    return (*matters, *split, *(("double_ace",) if fixed_aces else ()))


def _after_double(draft: Draft, b: int, h: int) -> None:
    """End the doubled hand, or wait for players who may take the double back."""
    hand = draft.state.boxes[b].hands[h]
    if may_take_back(draft.state.packed, hand.points, len(hand.cards), hand.from_split):
        number = draft.state.boxes[b].number
        draft.emit(ev.TurnBegan(box=number, hand=h + 1, pending=Pending.RESCUE, clauses=draft.cite("double_rescue")))
        return
    end_hand(draft, b, h)
    advance(draft)


def _full(box: Box, player: str) -> Money:
    bettor = box.bettor(player)
    return ZERO if bettor is None else bettor.stake


DOUBLE_TOTALS = {
    "none": "no hand does",
    "hard-9-11": "only hard 9, 10 and 11 do",
    "9-11-ace-as-one": "only 9, 10 and 11 do, an ace counting one",
    "9-11-no-ace": "only 9, 10 and 11 without an ace do",
    "any-below-21": "only a hand below 21 does",
}
"""Which hands may double, for a refusal."""


def _double_fits(draft: Draft, hand: Hand) -> None:
    """Refuse a double for the reason that is nearest."""
    rules, packed = draft.state.rules, draft.state.packed
    if not packed.actions & DOUBLE:
        raise draft.refuse("there is no doubling in this game", "no_such_action", "actions")
    if has_its_one_card(packed, hand.from_aces):
        raise draft.refuse("split aces may not double", "split_aces", "double")
    if hand.from_split and not rules.double_after_split:
        raise draft.refuse("split hands may not double", "double_after_split", "double")
    if not double_cards_fit(packed, len(hand.cards)):
        raise draft.refuse(
            f"a hand of {len(hand.cards)} cards may not double", "double_cards", "double", "double_totals"
        )
    if not double_total_fits(packed, hand.hard, hand.aces):
        raise draft.refuse(
            f"a hand of {hand.points} may not double: {DOUBLE_TOTALS[rules.double_totals]}",
            "double_totals",
            "double",
            "double_ace",
        )


def _double_stake(draft: Draft, box: Box, stake: Stake, amount: Money | None) -> Stake:
    """The stake of one player after the controlling player has doubled."""
    if amount is None:
        return stake
    if stake.fate is not Fate.PLAYS:
        raise _refuse_decided(draft, stake.player, "double")
    packed, full = draft.state.packed, _full(box, stake.player)
    if not double_amount_fits(packed, amount, full):
        words = f"up to {show(full)}" if packed.double_stake == STAKE_UP_TO else f"exactly {show(full)}"
        raise draft.refuse(
            f"{stake.player} may double for {words}, not {show(amount)}",
            "double_amount",
            "double_stake",
            "double",
            *(("double_sharers",) if stake.player != box.controller else ()),
            *(matter for bettor in box.bettors if bettor.player == stake.player for matter in cite_trimmed(bettor)),
        )
    if double_is_free(packed):
        return Stake(stake.player, stake.base, stake.original, stake.base_token, ZERO, amount, stake.fate)
    return Stake(stake.player, stake.base, stake.original, stake.base_token, amount, ZERO, stake.fate)


def _nothing_to_match(draft: Draft, box: Box, action: str) -> Refused:
    """Who calls the decisions has no money on the hand: a wager that is to be returned is not in play."""
    bettor = box.bettor(box.controller)
    returned = ("under_minimum",) if bettor is not None and not bettor.stake else ()
    why = f"{box.controller} has no wager in play on this hand"
    return draft.refuse(why, *returned, f"{action}_amount", action)


def _refuse_decided(draft: Draft, player: str, action: str) -> Refused:
    return draft.refuse(f"the wager of {player} on this hand is decided", f"{action}_sharers", action)


def _count_tokens(tokens: tuple[tuple[str, int], ...], players: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    counts = dict(tokens)
    for player in players:
        counts[player] = counts.get(player, 0) + 1
    return tuple(counts.items())


def split(draft: Draft, command: cmd.Split) -> None:
    """Part the two cards of a hand."""
    b, h = acting(draft, command.box, command.by, "split")
    state = draft.state
    box = state.boxes[b]
    hand = box.hands[h]
    if not can_split(state, box, hand):
        raise _split_fault(draft, box, hand)
    if not caller_is_on(box, hand):
        raise _nothing_to_match(draft, box, "split")
    for player in command.players:
        if all(stake.player != player for stake in hand.stakes):
            went = went_back(state, box, player)
            raise draft.refuse(f"{player} has no wager on this hand", "split_sharers", "split", *went)
    if set(command.players) - {box.controller} and state.rules.split_sharers != "match-or-ride-first":
        raise draft.refuse(f"only {box.controller} may split on box {box.number}", "split_sharers", "split")
    one, two = hand.cards
    token = split_is_free(state.packed, VALUE[one])
    matching = {box.controller, *command.players}
    second = []
    for stake in hand.stakes:
        if stake.player in matching:
            if stake.fate is not Fate.PLAYS:
                raise _refuse_decided(draft, stake.player, "split")
            amount = _full(box, stake.player)
            added = Stake(stake.player, ZERO, False, amount) if token else Stake(stake.player, amount, False)
            second.append(added)
    tokens = _count_tokens(box.tokens, tuple(stake.player for stake in second)) if token else box.tokens
    first = hand.stakes
    if own_stake_last(state.packed, VALUE[one]):
        first, second = _tokens_first(hand.stakes, second)
    _decline_switch(draft, b)
    draft.emit(
        ev.HandSplit(
            box=box.number,
            hand=h + 1,
            first=first,
            second=tuple(second),
            tokens=tokens,
            suited_sevens=splits_suited_sevens(RANK[one], RANK[two], SUITS.index(one[1]), SUITS.index(two[1])),
            clauses=draft.cite(*_split_matters(hand, token)),
        )
    )
    advance(draft)


def _split_matters(hand: Hand, token: bool) -> tuple[str, ...]:
    """What a split rests on: what may part, with what stake, who may match it, and aces that part again."""
    matters = ("free_split", "split") if token else ("split", "split_match", "split_amount")
    sharers = ("split_sharers",) if len(hand.stakes) > 1 else ()
    return (*matters, *sharers, *(("split_aces_again",) if hand.from_aces else ()))


def _tokens_first(own: tuple[Stake, ...], added: list[Stake]) -> tuple[tuple[Stake, ...], list[Stake]]:
    """The player's own stake moves to the new hand and the token lies on the first, where a clause is read so."""
    tokens = {stake.player: stake for stake in added}
    first = tuple(tokens.get(stake.player, stake) for stake in own)
    return first, [stake for stake in own if stake.player in tokens]


def _split_fault(draft: Draft, box: Box, hand: Hand) -> Refused:
    """Why a hand may not split: the nearest reason."""
    state, rules = draft.state, draft.state.rules
    if not state.packed.actions & SPLIT:
        return draft.refuse("there is no splitting in this game", "no_such_action", "actions")
    again = ("split_hands",) if len(box.hands) > 1 else ()
    if len(hand.cards) != 2:
        return draft.refuse(
            "only the first two cards of a hand may split", "split_match", "split", "split_declined", *again
        )
    one, two = hand.cards
    if not cards_match(state.packed, VALUE[one], VALUE[two], RANK[one], RANK[two]):
        return draft.refuse(
            f"{one} and {two} are not alike: cards of equal {rules.split_match} may split",
            "split_match",
            "split",
            *again,
        )
    if box.split_declined and rules.split_declined_bars and len(box.hands) < rules.split_max_hands:
        return draft.refuse("a split was declined on this box", "split_declined", "split")
    if hand.from_aces and len(box.hands) >= most_hands(state.packed, True):
        return draft.refuse("aces may not be split again", "split_aces_again", "split_aces", "split_hands")
    return draft.refuse(f"a box may have no more than {rules.split_max_hands} hands", "split_hands", "split_max_hands")


def switch(draft: Draft, command: cmd.Switch) -> None:
    """Exchange the second cards of an area's two boxes."""
    state = draft.state
    if not state.rules.switch:
        raise draft.refuse("there is no switching in this game", "no_such_action")
    pair = [box for box in state.boxes if str(box.area) == command.area and box.hands]
    if len(pair) != 2:
        raise draft.refuse(f"area {command.area} is not in play", "initial_deal", "turns")
    area = pair[0].area
    if any(
        box.hands[0].status is HandStatus.PAID and len(box.hands) == 1 and len(box.hands[0].cards) == 2 for box in pair
    ):
        raise draft.refuse(
            "a natural in this area has been paid, so there is nothing to switch", "switch_paid_natural", "switch"
        )
    if not can_switch(state, area):
        ended = (matter for box in pair for matter in box.hands[0].ended if box.void)
        raise draft.refuse("an area may switch once, before any other decision", "switch_once", "switch", *ended)
    if state.phase is Phase.OFFERS:
        close_offers(draft)
        advance(draft)
    while draft.state.pending is Pending.SWITCH and draft.state.turn is not None:
        if draft.state.boxes[draft.state.turn[0]].area == area:
            break
        pass_pending(draft)
    state = draft.state
    if state.turn is None or state.boxes[state.turn[0]].area != area:
        raise draft.refuse(f"it is not the turn of area {area}", "turns", "switch")
    if command.by is not None and command.by != pair[0].controller:
        raise draft.refuse(
            f"{pair[0].controller} calls the decisions of area {area}", "controlling_player", "switch_binds"
        )
    draft.emit(ev.Switched(area=area, clauses=draft.cite("switch")))
    advance(draft)


def forfeit(draft: Draft, command: cmd.Forfeit) -> None:
    """Take the double back and give up the original wager."""
    state = draft.state
    if not state.rules.double_rescue:
        raise draft.refuse("a double may not be taken back in this game", "double_rescue", "double")
    if command.by is not None and command.by != command.player:
        raise Refused(f"this is {command.player}'s own choice, not {command.by}'s")
    b, h = state.turn if state.turn is not None else (-1, -1)
    if state.pending is not Pending.RESCUE or state.boxes[b].number != command.box:
        raise draft.refuse("only a double just made may be taken back, and only if it is not bust", "double_rescue")
    box = state.boxes[b]
    stake = next((stake for stake in box.hands[h].stakes if stake.player == command.player), None)
    if stake is None or not stake.double or stake.fate is not Fate.PLAYS:
        raise draft.refuse(f"{command.player} has not doubled on this hand", "double_rescue")
    draft.emit(ev.Forfeited(box=box.number, hand=h + 1, player=command.player, clauses=draft.cite("double_rescue")))
    draft.settle(
        box.number,
        h + 1,
        command.player,
        "main",
        stake.base,
        -stake.base,
        "forfeit",
        draft.cite("forfeit", "double_rescue"),
    )
    hand = draft.state.boxes[b].hands[h]
    if all(not other.double or other.fate is not Fate.PLAYS for other in hand.stakes):
        draft.emit(ev.PendingPassed())
        if all(other.fate is not Fate.PLAYS for other in hand.stakes):
            mark_ended(draft, box, h, HandStatus.OUT, "double_rescue", "double_one_card")
        else:
            end_hand(draft, b, h)
        advance(draft)


def _decline_switch(draft: Draft, b: int) -> None:
    """Any other action of an area that could switch declines the switch."""
    if draft.state.rules.switch and can_switch(draft.state, draft.state.boxes[b].area):
        draft.emit(ev.SwitchDeclined(area=draft.state.boxes[b].area, clauses=draft.cite("switch")))


def _decline_split(draft: Draft, b: int, h: int) -> None:
    state = draft.state
    if state.rules.split_declined_bars and can_split(state, state.boxes[b], state.boxes[b].hands[h]):
        draft.emit(ev.SplitDeclined(box=state.boxes[b].number, clauses=draft.cite("split_declined")))
