"""What a dealer says at a live table: the one sentence about what is waited for, and the question to a player.

A question comes with its choices: each with its key, its name, what it puts on the table, and the complete command.
Clients show them and know no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from pitboss.cards import RANK, VALUE
from pitboss.floor.live_table import GoAlong, LiveTable, PressForPrize
from pitboss.floor.telling.sharer_choices import JOINED, join_sharers, list_joinable, price_of_joining
from pitboss.money import ZERO, Money, show
from pitboss.play.doubling import double_is_free
from pitboss.play.packed import STAKE_UP_TO
from pitboss.play.splitting import split_is_free
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.round.dealing import may_insure
from pitboss.table.state import Box, Hand, Pending, Phase, ShoeStage, State

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "twenty-one",
    "twenty-two", "twenty-three", "twenty-four", "twenty-five", "twenty-six", "twenty-seven", "twenty-eight",
    "twenty-nine", "thirty", "thirty-one",
)  # fmt: skip
UP_CARDS = ("an ace", "a two", "a three", "a four", "a five", "a six", "a seven", "an eight", "a nine", "a ten",
            "a jack", "a queen", "a king")  # fmt: skip
"""By rank."""
PAIRS = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens",
         "kings")  # fmt: skip
"""By rank; cards of ten points of different ranks are a pair of tens."""


class OfferedChoice(msgspec.Struct, frozen=True):
    """One thing a player may do now."""

    key: str
    name: str
    command: msgspec.Raw
    box: str = ""
    price: Money | None = None
    """What it puts on the table."""
    free: bool = False
    """A token of the house is laid instead."""
    up_to: bool = False
    """The amount may be smaller."""


CHOICES: dict[type, tuple[str, str]] = {
    cmd.Hit: ("h", "Hit"),
    cmd.Stand: ("s", "Stand"),
    cmd.Double: ("d", "Double"),
    cmd.Split: ("p", "Split"),
    cmd.Surrender: ("r", "Surrender"),
    cmd.Insure: ("i", "Insurance"),
    cmd.TakeEvenMoney: ("e", "Even money"),
    cmd.Switch: ("w", "Switch"),
    cmd.Forfeit: ("t", "Take the double back"),
    cmd.DrawPrize: ("b", "Press the button"),
    cmd.Cut: ("c", "Cut"),
    cmd.RefuseCut: ("n", "No cut"),
    od.RefuseCard: ("f", "Refuse the card"),
    od.Retract: ("k", "Take the wager back"),
}
"""Key and name of each kind of choice, in the order in which they are shown."""
_ORDER = list(CHOICES)
_ENCODER = msgspec.json.Encoder(order="deterministic")


# ---------------------------------------------------------------------- to everybody


def call_table(live: LiveTable) -> str:
    """What the dealer says now, to everybody."""
    state = live.table
    if state.floor.closed:
        return "This table is closed."
    if state.void and state.phase is Phase.SETTLED:
        return "The round is void."
    calls = {
        Phase.BETTING: _call_bets, Phase.DEALING: _call_cards, Phase.OFFERS: _call_offers, Phase.TURNS: _call_turn,
        Phase.SETTLING: _call_dealer, Phase.SETTLED: _call_dealer,
    }  # fmt: skip
    return calls[state.phase](state)


def _call_bets(state: State) -> str:
    if state.shoe.asked:
        return f"{state.shoe.asked[0]}, will you cut the cards?"
    if state.shoe.stage is not ShoeStage.OPEN or state.shoe.due:
        return "The cards are shuffled. Place your bets."
    return "Place your bets."


def _call_cards(state: State) -> str:
    return "The cards have run out: the discards are shuffled."


def _call_offers(state: State) -> str:
    offers = []
    if any(may_insure(state, box, replace(bettor, insurance=None)) for box in state.boxes for bettor in box.bettors):
        offers.append("Insurance is open")
    if state.prizes_due:
        offers.append("a prize is to be drawn" if offers else "A prize is to be drawn")
    what = f" {' and '.join(offers)}." if offers else ""
    return f"The dealer has {UP_CARDS[state.up_rank]}.{what}"


def _call_turn(state: State) -> str:
    if state.turn is None:
        return "The dealer plays."
    box = state.boxes[state.turn[0]]
    hand = box.hands[state.turn[1]]
    against = f" against {UP_CARDS[state.up_rank]}" if state.dealer else ""
    if state.pending is Pending.SWITCH:
        return f"Area {box.area}{against}: switch the second cards?"
    which = f", hand {state.turn[1] + 1}" if len(box.hands) > 1 else ""
    told = f"Box {box.number}{which}, {_say_hand(state, box, hand)}{against}."
    return f"{told} Take the double back?" if state.pending is Pending.RESCUE else told


def _say_hand(state: State, box: Box, hand: Hand) -> str:
    if hand.face_down:
        return "cards face down"
    if len(hand.cards) == 2 and VALUE[hand.cards[0]] == VALUE[hand.cards[1]]:
        ranks = {RANK[card] for card in hand.cards}
        return f"a pair of {PAIRS[ranks.pop() if len(ranks) == 1 else VALUE[hand.cards[0]] - 1]}"
    number = NUMBERS[min(hand.points, len(NUMBERS) - 1)]
    return f"soft {number}" if hand.points != hand.hard else number


def _call_dealer(state: State) -> str:
    if not state.dealer or state.hole:
        return "The round is over."
    points = state.dealer_hard + (10 if state.dealer_aces and state.dealer_hard <= 11 else 0)
    if points > 21:
        push = state.rules.dealer_push_total == points
        return f"The dealer has {NUMBERS[points]}{': a push' if push else ', too many'}."
    if points == 21 and len(state.dealer) == 2:
        return f"The dealer has {state.rules.natural_name}."
    return f"The dealer has {NUMBERS[points]}."


# ---------------------------------------------------------------------- to one player


def offer_choices(
    state: State, player: str, options: Iterable[cmd.Command], chips: Money, along: Mapping[str, Money] | None = None
) -> tuple[OfferedChoice, ...]:
    """What a player may choose, out of what is theirs to do; what their chips do not reach is left out or smaller.

    `along` are those who go along with whoever calls a box that they share, with the chips they have.
    """
    known = [option for option in options if type(option) in CHOICES]
    found: dict[bytes, OfferedChoice] = {}
    for option in sorted(known, key=lambda item: _ORDER.index(type(item))):
        for choice in _offer(state, player, join_sharers(state, option, along or {}), chips):
            found.setdefault(bytes(choice.command), choice)
    return tuple(found.values())


def ask_sharer(
    state: State, player: str, options: Iterable[cmd.Command], chips: Money, along: bool
) -> tuple[OfferedChoice, ...]:
    """What one who shares the box in turn may choose, while somebody else calls it: to go along, or no longer."""
    open_now = list_joinable(state, player, options)
    if not open_now or state.turn is None:
        return ()
    box = state.boxes[state.turn[0]]
    price = max(price_of_joining(state, box, player, option) for option in open_now)
    if price > chips and not along:
        return ()
    what = " or ".join(dict.fromkeys(JOINED[type(option)] for option in open_now))
    name = f"No longer go along with {what}" if along else f"Go along with {what}"
    command = msgspec.Raw(_ENCODER.encode(GoAlong(player=player, on=not along)))
    return (OfferedChoice("g", name, command, box.number, None if along or not price else price),)


def _offer(state: State, player: str, option: cmd.Command, chips: Money) -> Iterator[OfferedChoice]:
    key, name = CHOICES[type(option)]
    box = str(getattr(option, "box", "") or getattr(option, "area", ""))
    price: Money | None = None
    free = up_to = False
    match option:
        case cmd.DrawPrize():
            press = PressForPrize(player=player, box=option.box)
            yield OfferedChoice(key, name, msgspec.Raw(_ENCODER.encode(press)), box)
            return
        case cmd.Insure():
            price, up_to = min(option.amount, chips), True
            option = replace(option, amount=price)
        case cmd.Double():
            free = double_is_free(state.packed)
            if not free:
                amounts = dict(option.amounts)
                price = amounts.get(player, ZERO)
                up_to = state.packed.double_stake == STAKE_UP_TO
                if up_to and price > chips:
                    price = chips
                    option = replace(option, amounts=tuple({**amounts, player: price}.items()))
        case cmd.Split():
            index = state.box_index(option.box)
            h = state.turn[1] if state.turn is not None and state.turn[0] == index else 0
            free = split_is_free(state.packed, VALUE[state.boxes[index].hands[h].cards[0]])
            bettor = state.boxes[index].bettor(player)
            price = None if free or bettor is None else bettor.stake
    if price is not None and (price > chips or price <= 0):
        return
    yield OfferedChoice(key, name, msgspec.Raw(_ENCODER.encode(option)), box, price, free, up_to)


def ask_player(live: LiveTable, player: str, choices: tuple[OfferedChoice, ...]) -> str:
    """What the dealer says to one player: the question, or how the round went for them."""
    state = live.table
    if state.phase is Phase.SETTLED:
        return _tell_result(state, player) or call_table(live)
    if not choices:
        return call_table(live)
    if state.phase is Phase.BETTING:
        return f"{call_table(live)}"
    call = call_table(live)
    keys = [choice.key for choice in choices]
    if keys == ["t"] or (state.pending is Pending.SWITCH and keys == ["w"]):
        return call
    told = call.removesuffix(" Take the double back?")
    box = next((choice.box for choice in choices if choice.key in HAND_KEYS), "")
    if not box or not {"i", "e"} & set(keys):
        told = told.replace(" Insurance is open.", "")
    if state.phase is not Phase.OFFERS or not box:
        return f"{told} {_list_names(choices).capitalize()}?"
    index = state.box_index(box)
    hand = _say_hand(state, state.boxes[index], state.boxes[index].hands[0])
    own = [choice for choice in choices if choice.box == box and choice.key not in ("i", "e")]
    return f"{told} Box {box}, {hand}: {_list_names(own)}?"


HAND_KEYS = ("h", "s")
"""Where one of these is offered, the hand of that box is asked."""


def _list_names(choices: Iterable[OfferedChoice]) -> str:
    names = list(dict.fromkeys(choice.name.lower() for choice in choices))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _tell_result(state: State, player: str) -> str:
    own = [settled for settled in state.settlements if settled.player == player]
    if not own:
        return ""
    net = sum((settled.net for settled in own), ZERO)
    if net > 0:
        return f"{_call_dealer(state)} You win {show(net)}."
    return f"{_call_dealer(state)} You lose {show(-net)}." if net < 0 else f"{_call_dealer(state)} You are even."
