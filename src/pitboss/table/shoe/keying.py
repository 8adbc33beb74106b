"""A real shoe: it is brought into play by hand, and each card is keyed in as it is dealt.

Nobody knows the order of such a shoe, so it has no commitment; what is known is how many cards of each
kind it can hold.
"""

from __future__ import annotations

from collections import Counter

from pitboss.cards import CARD_ID, Card, decks
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.shoe.devices import FIRST, meet_cut_card
from pitboss.table.shoe.opening import between_rounds, by_dealer
from pitboss.table.state import CardSource, Phase, State


def bring_shoe(draft: Draft, command: cmd.BringShoe) -> None:
    """A shoe that was shuffled and cut by hand comes into play."""
    state = draft.state
    by_dealer(draft, command.role)
    between_rounds(draft, "a shoe is brought")
    if state.shoe.origin.seed:
        raise Refused("a shuffled shoe is in play: put it away first")
    if state.rules.hole_card != "none" or state.house.face_down:
        raise Refused("cards that lie face down cannot be keyed in as they are dealt")
    draft.emit(ev.ShoeBrought())


def key_card(draft: Draft, command: cmd.KeyCard) -> None:
    """The card that is due has left the shoe."""
    by_dealer(draft, command.role)
    check_keyed(draft.state)
    if not draft.state.shoe.out:
        raise Refused("no card is due: deal, or let somebody decide first")
    check_card(draft.state, command.card)
    draft.emit(ev.CardKeyed(card=command.card))


def key_cut_card(draft: Draft, command: cmd.KeyCutCard) -> None:
    """The cut card lies before the card that is due, or in place of the first card of a round."""
    by_dealer(draft, command.role)
    check_keyed(draft.state)
    state, shoe = draft.state, draft.state.shoe
    if not draft.cite("shuffle_cut_card_round"):
        raise Refused("no cut card ends a shoe by this book")
    if shoe.cut_card is not None:
        raise Refused("the cut card of this shoe has come out already")
    first = state.phase is Phase.BETTING
    if not first and not shoe.out:
        raise Refused("no card is due: deal, or let somebody decide first")
    if state.phase is Phase.DEALING and not state.part:
        raise Refused("the cut card in place of the first card comes before the deal: have the round called off first")
    draft.emit(ev.CutCardKeyed())
    if first:
        meet_cut_card(draft, FIRST)


def check_keyed(state: State) -> None:
    """Refuse at a table whose cards are not keyed in."""
    if state.shoe.source is not CardSource.KEYED:
        raise Refused("the cards of this table are not keyed in")


def check_card(state: State, card: Card) -> None:
    """Refuse a card that the shoe cannot hold, or holds no more."""
    if card not in CARD_ID:
        raise Refused(f"{card[:10]!r} is not a card: write a rank and a suit, such as Td")
    has = Counter(decks(state.rules.decks, state.rules.deck_cards))[card]
    if Counter(state.shoe.cards)[card] >= has:
        raise Refused(f"all {has} of {card} have left the shoe: look again, or have a card corrected")
