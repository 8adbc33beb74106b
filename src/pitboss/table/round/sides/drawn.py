"""Side wagers that play goes on to decide: Magnificent Sevens, Blackpot, Buster, Pot of Gold, Pontoon Pandemonium."""

from __future__ import annotations

from pitboss.money import show
from pitboss.play.hands import is_natural, total
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table import commands as cmd
from pitboss.table import events as ev
from pitboss.table.draft import Draft, Refused
from pitboss.table.round.sides.base import Judge, bets_of, box_of, lose, pay, settle_side
from pitboss.table.state import Box, Carried


class MagnificentSevens(Judge):
    """First two cards sevens, then the next card dealt to the box, also into a split hand."""

    def after_deal(self, draft: Draft, side: SideWager) -> None:
        for index, bet in bets_of(draft, side):
            box = box_of(draft, bet)
            one, two = box.hands[0].cards if box is not None else ("", "")
            if one[:1] == "7" == two[:1]:
                draft.emit(ev.SideAdvanced(index=index, state=f"two-{'suited' if one == two else 'mixed'}"))
            else:
                lose(draft, side, index, interim=True)

    def after_card(self, draft: Draft, side: SideWager, index: int) -> None:
        box = box_of(draft, draft.state.sides[index])
        if box is None:
            return
        third = _third_card(box)
        so_far = draft.state.sides[index].state
        first = box.hands[0].cards[0]
        if third[0] != "7":
            if side.two_sevens_suits == "three-cards" and third[1] != first[1]:
                so_far = "two-mixed"
            pay(draft, side, index, so_far, interim=True)
            return
        suited = so_far == "two-suited" and third[1] == first[1]
        pay(draft, side, index, "three-suited" if suited else "three-mixed", interim=True)

    def box_done(self, draft: Draft, side: SideWager, index: int) -> None:
        pay(draft, side, index, draft.state.sides[index].state, interim=True)


def _third_card(box: Box) -> str:
    """The card dealt to the box after its first two: the last card of the hand that has just grown."""
    first = box.hands[0]
    return first.cards[1] if len(box.hands) > 1 else first.cards[2]


class Blackpot(Judge):
    """Two of 6-7-8, then the third, then the same again in the next round."""

    def after_deal(self, draft: Draft, side: SideWager) -> None:
        for index, bet in bets_of(draft, side):
            box = box_of(draft, bet)
            ranks = {card[0] for card in box.hands[0].cards} if box is not None else set()
            if len(ranks) == 2 and ranks <= {"6", "7", "8"}:
                prefix = "carried-" if bet.state == "carried" else ""
                pay(draft, side, index, f"{prefix}two-cards", state=f"{prefix}armed", interim=True)
            else:
                lose(draft, side, index, interim=True)

    def at_end(self, draft: Draft, side: SideWager, index: int) -> None:
        bet = draft.state.sides[index]
        box = box_of(draft, bet)
        cards = box.hands[0].cards if box is not None and len(box.hands) == 1 else ()
        if sorted(card[0] for card in cards) != ["6", "7", "8"]:
            lose(draft, side, index)
            return
        second = bet.state == "carried-armed"
        pay(draft, side, index, "carried-three-cards" if second else "three-cards")
        if not second or side.second_win == "carries-again":
            paid = draft.state.sides[index].paid
            carried = Carried(bet.box, bet.player, bet.wager, bet.amount, paid)
            draft.emit(ev.WagerCarried(carried=carried, clauses=side.cite("carried", "three-cards", "wins")))


class Buster(Judge):
    """The dealer's finished hand is over 21; its number of cards sets the odds."""

    needs_dealer = True

    def at_end(self, draft: Draft, side: SideWager, index: int) -> None:
        state = draft.state
        if total(state.dealer_hard, state.dealer_aces) > 21:
            pay(draft, side, index, f"cards-{min(len(state.dealer), 8)}")
        else:
            lose(draft, side, index)


class PotOfGold(Judge):
    """How many free tokens the player used on the box; for a player without a wager there, the controlling player."""

    def box_done(self, draft: Draft, side: SideWager, index: int) -> None:
        if side.settled == "box-finished":
            self.settle(draft, side, index, interim=True)

    def at_end(self, draft: Draft, side: SideWager, index: int) -> None:
        self.settle(draft, side, index, interim=False)

    def settle(self, draft: Draft, side: SideWager, index: int, *, interim: bool) -> None:
        """Pay by the number of tokens."""
        bet = draft.state.sides[index]
        box = box_of(draft, bet)
        tokens = 0
        if box is not None:
            counts = dict(box.tokens)
            who = bet.player if box.bettor(bet.player) is not None else box.controller
            tokens = counts.get(who, 0)
            if side.tokens_counted == "whole-box":
                tokens = sum(counts.values())
        if tokens:
            pay(draft, side, index, f"tokens-{min(tokens, 5)}", interim=interim)
        else:
            lose(draft, side, index, interim=interim)


class Pandemonium(Judge):
    """A natural entitles to a prize that the jackpot button draws."""

    def after_deal(self, draft: Draft, side: SideWager) -> None:
        due: list[tuple[str, str]] = []
        for index, bet in bets_of(draft, side):
            box = box_of(draft, bet)
            if box is not None and is_natural(box.hands[0].hard, box.hands[0].aces, 2):
                due.append((bet.box, bet.player))
            else:
                lose(draft, side, index, interim=True)
        if due:
            draft.emit(ev.PrizesDue(due=tuple(due), clauses=side.cite("prize", "wins")))


def draw_prize(draft: Draft, command: cmd.DrawPrize) -> None:
    """The jackpot button has drawn a prize for one winning wager."""
    state = draft.state
    side = next((side for side in state.rules.side_wagers if side.judge == "pandemonium"), None)
    if side is None:
        raise Refused("no wager at this table has a jackpot button")
    if (command.box, command.player) not in state.prizes_due:
        raise Refused(
            f"{command.player} has no winning {side.name} wager on box {command.box}: the button is not offered",
            side.cite("press_without_wager", "refused", "prize"),
        )
    if all(command.amount != prize for _, prize in side.prizes):
        prizes = ", ".join(str(prize) for _, prize in side.prizes)
        raise Refused(
            f"the table in force has no prize of {show(command.amount)}: they are {prizes}",
            tuple(dict.fromkeys((*side.cite("pays"), *side.cite("not_a_prize", "prize")))),
        )
    for index, bet in bets_of(draft, side):
        if (bet.box, bet.player) == (command.box, command.player):
            due = tuple(item for item in state.prizes_due if item != (command.box, command.player))
            draft.emit(ev.PrizesDue(due=due, clauses=side.cite("prize", "wins")))
            net = command.amount * bet.amount
            if side.winning_stake == "kept":
                net -= bet.amount
            settle_side(draft, index, net, "prize", side.cite("prize", "wins"), interim=True)
            return


DRAWN: dict[str, Judge] = {
    "magnificent-sevens": MagnificentSevens(),
    "blackpot": Blackpot(),
    "buster": Buster(),
    "pot-of-gold": PotOfGold(),
    "pandemonium": Pandemonium(),
}
