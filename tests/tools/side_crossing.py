"""Side wagers and insurance at the table against the odds: every deal that a wager can tell apart is settled once.

Cards that are alike to a wager are one class, and a deal of classes is as likely as a count of a fresh shoe says. What
the table pays for them all is a distribution in fractions, and must be that of the odds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from variants import Variant

from pitboss.cards import VALUE, Card, decks
from pitboss.money import Money
from pitboss.odds.sides import Insurance, insurance_odds, side_odds
from pitboss.rulebooks import Rules
from pitboss.table import Meter, Phase, Refusal, State, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import parse_action

STAKE = Money(100)
METER = Money(70_000)
PLAYER = "ann"
UP = "9c"
REST = ("9d",) * 12
"""What follows the cards that a wager looks at: a dealer's eighteen, and cards for hands that must draw."""

Key = Callable[[Card], str]
Distribution = dict[Fraction, Fraction]
"""Net per unit staked -> how likely."""


class Look(NamedTuple):
    """What a wager looks at: the player's cards, the up card, the player's third card; by what cards are told apart."""

    cards: tuple[Key, ...]
    up: Key | None = None
    third: Key | None = None


def _all(card: Card) -> str:
    return ""


def _card(card: Card) -> str:
    return card


def _rank(card: Card) -> str:
    return card[0]


def _suit(card: Card) -> str:
    return card[1]


def _points(card: Card) -> str:
    return str(VALUE[card])


def _faces(card: Card) -> str:
    return card if card[0] in "ATJQK" else ""


def _aces_and_tens(card: Card) -> str:
    return f"{VALUE[card]}{card[1]}" if VALUE[card] in (1, 10) else ""


def _sevens(card: Card) -> str:
    return card if card[0] == "7" else ""


def _sevens_and_suits(card: Card) -> str:
    return card if card[0] == "7" else card[1]


def _six_seven_eight(card: Card) -> str:
    return card[0] if card[0] in "678" else ""


LOOKS: dict[str, Look] = {
    "perfect-pairs": Look((_rank, _card)),
    "pair": Look((_rank, _rank)),
    "under-13": Look((_points, _points)),
    "over-13": Look((_points, _points)),
    "spread-bet": Look((_points, _points)),
    "super-match": Look((_all, _rank, _rank, _rank)),
    "crown-suits": Look((_suit, _suit), up=_suit),
    "blackjack-jackpots": Look((_aces_and_tens, _aces_and_tens), up=_aces_and_tens),
    "supernova": Look((_faces, _faces)),
    "pandemonium": Look((_points, _points)),
    "magnificent-sevens": Look((_sevens, _sevens), third=_sevens_and_suits),
    "blackpot": Look((_six_seven_eight, _six_seven_eight), third=_six_seven_eight),
}
"""By judge. Wagers on tokens and on the dealer's finished hand are not decided by a few cards."""


def side_wager_against_odds(variant: Variant, wager: str) -> str:
    """What the table pays a side wager over all deals, and what the odds say it is paid; empty if that is the same."""
    rules = variant.rules
    side = rules.side_wager(wager)
    assert side is not None
    if side.judge not in LOOKS or (side.judge == "blackpot" and side.second_win == "carries-again"):
        return ""
    meters = {"meter": dict.fromkeys(side.meters, METER)} if side.meters else {}
    odds: Distribution = {}
    for outcome in side_odds(rules, wager, stake=STAKE, **meters).outcomes:  # type: ignore[arg-type]
        odds[outcome.net] = odds.get(outcome.net, Fraction(0)) + outcome.probability
    table = _by_table(rules, wager)
    wrong = sorted(net for net in odds.keys() | table.keys() if odds.get(net) != table.get(net))
    return "; ".join(f"net {net}: odds {odds.get(net)}, table {table.get(net)}" for net in wrong)


def _by_table(rules: Rules, wager: str) -> Distribution:
    found: Distribution = {}
    for chance, net, carried in _rounds(rules, wager, _open(rules)):
        if carried is None:
            found[net] = found.get(net, Fraction(0)) + chance
            continue
        for again, more, _ in _rounds(rules, wager, carried):
            found[net + more] = found.get(net + more, Fraction(0)) + chance * again
    return found


def _open(rules: Rules) -> State:
    meters = {name: Meter(METER, Money(0), METER) for side in rules.side_wagers for name in side.meters}
    return open_table(rules, meters=meters)


def _rounds(rules: Rules, wager: str, start: State) -> Iterator[tuple[Fraction, Fraction, State | None]]:
    """Every deal: how likely it is, what it brings per unit, and the next round if the wager is carried to it."""
    side = rules.side_wager(wager)
    assert side is not None
    look = LOOKS[side.judge]
    keys = (*look.cards, *(key for key in (look.up, look.third) if key is not None))
    for cards, chance in _deals(list(decks(rules.decks, rules.deck_cards)), keys):
        own, more = cards[: len(look.cards)], cards[len(look.cards) :]
        up = more[0] if look.up is not None else UP
        half = len(own) // 2
        shoe = (*own[:half], up, *own[half:], *(more if look.third is not None else ()), *REST)
        for share, prize in _prizes(side.prizes, own):
            end = _play(start, shoe, wager, prize, hits=look.third is not None)
            net = sum((row.net for row in end.settlements if row.wager == wager), Money(0))
            following = _do(end, cmd.NextRound())
            carried = any(item.wager == wager for item in following.carried)
            yield chance * share, Fraction(net) / Fraction(STAKE), following if carried else None


def _prizes(prizes: tuple[tuple[int, int], ...], cards: tuple[Card, ...]) -> Iterator[tuple[Fraction, int]]:
    """The prizes that these cards may draw, each with its share; one that is none where they draw nothing."""
    if not prizes or {VALUE[card] for card in cards} != {1, 10}:
        yield Fraction(1), 0
        return
    tickets = sum(count for count, _ in prizes)
    for count, prize in prizes:
        yield Fraction(count, tickets), prize


def _deals(shoe: list[Card], keys: tuple[Key, ...]) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """One deal for each sequence of classes of cards, and how likely it is."""
    if not keys:
        yield (), Fraction(1)
        return
    classes: dict[str, list[Card]] = {}
    for card in shoe:
        classes.setdefault(keys[0](card), []).append(card)
    for alike in classes.values():
        rest = list(shoe)
        rest.remove(alike[0])
        for others, chance in _deals(rest, keys[1:]):
            yield (alike[0], *others), chance * len(alike) / len(shoe)


# ---------------------------------------------------------------------- at the table


def _do(state: State, command: cmd.Command) -> State:
    answer = decide(state, command)
    assert not isinstance(answer, Refusal), str(answer)
    return answer.state


def _play(state: State, shoe: tuple[Card, ...], wager: str, prize: int, *, hits: bool) -> State:
    """A round of one box whose player takes a third card, if the wager asks for one, and no more than must be."""
    state = _do(state, cmd.LoadShoe(cards=shoe))
    state = _do(state, cmd.PlaceBet(box="1", player=PLAYER, amount=STAKE, seated=True))
    state = _do(state, cmd.PlaceBet(box="1", player=PLAYER, amount=STAKE, wager=wager))
    state = _do(state, cmd.Deal())
    if prize:
        state = _do(state, parse_action(f"1 prize {PLAYER} {prize}"))
    while state.phase is not Phase.SETTLED:
        open_now = {type(command): command for command in legal(state)}
        wish = cmd.Hit if hits and cmd.Hit in open_now else cmd.Stand
        hits = hits and wish is not cmd.Hit
        state = _do(state, open_now.get(wish) or open_now.get(cmd.Hit) or cmd.Proceed())
    return state


# ---------------------------------------------------------------------- insurance

HANDS = (("Ts", "9s"), ("8s", "8h"), ("As", "8s"), ("As", "Ks"))
"""Hands that can stand, so that the next card is the dealer's."""


def insurance_against_odds(variant: Variant) -> str:
    """What the table pays insurance with some hands, over all second cards of the dealer; empty if as the odds say."""
    rules = variant.rules
    told = insurance_odds(rules)
    offers = (("Ad", told.on_ace), ("Kd", told.on_ten))
    found = (_wrong_insurance(rules, up, hand, offer) for up, offer in offers if offer is not None for hand in HANDS)
    return "; ".join(filter(None, found))


def _wrong_insurance(rules: Rules, up: Card, hand: tuple[Card, Card], offer: Insurance) -> str:
    left = list(decks(rules.decks, rules.deck_cards))
    if any(card not in left for card in hand):
        return ""
    for card in (up, *hand):
        left.remove(card)
    said = offer.hand("".join(card[0].replace("K", "T") for card in hand))
    nets = [(chance, _insure(rules, hand, up, second)) for (second,), chance in _deals(left, (_points,))]
    if any((net is not None) != said.allowed for _, net in nets):
        return (
            f"{' '.join(hand)} against {up}: odds {'allow' if said.allowed else 'refuse'} insurance, the table does not"
        )
    table = sum((chance * net for chance, net in nets if net is not None), Fraction(0))
    right = not said.allowed or table == said.expectation
    return "" if right else f"{' '.join(hand)} against {up}: odds {said.expectation}, table {table}"


def _insure(rules: Rules, hand: tuple[Card, Card], up: Card, second: Card) -> Fraction | None:
    """What one unit of insurance brings; none where it is not offered."""
    boxes = rules.boxes_per_area
    state = _do(open_table(rules), cmd.LoadShoe(cards=(*hand[:1] * boxes, up, *hand[1:] * boxes, second, *REST)))
    state = _do(state, cmd.PlaceBet(box="1", player=PLAYER, amount=STAKE, seated=True))
    state = _do(state, cmd.Deal())
    offer = next((command for command in legal(state) if isinstance(command, cmd.Insure)), None)
    if offer is None:
        return None
    state = _do(state, offer)
    while state.phase is not Phase.SETTLED:
        open_now = {type(command): command for command in legal(state)}
        state = _do(state, open_now.get(cmd.Stand) or cmd.Proceed())
    net = sum((row.net for row in state.settlements if row.wager == "insurance"), Money(0))
    return Fraction(net) / Fraction(offer.amount)
