"""From the log of a live table to the record of its rounds.

The log of events is the truth and a record is one fold over it: wagers as they stood when betting closed, cards in the
order in which they were dealt, what was asked (not what followed from it), and how it ended. Replaying the record
settles every wager as the live table did.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.money import ZERO, Money
from pitboss.records.model import Before, Choice, Record, RecordedAction, Round
from pitboss.rulebooks import Rules
from pitboss.table import results
from pitboss.table.evolve import evolve, read_opening
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import Result
from pitboss.table.orders import rulings as ru
from pitboss.table.state import Box, Hand, HandStatus, Meter, Pending, Phase, State

DEALER = "dealer"

WRITTEN = (
    *typing.get_args(cmd.PlayerAction), cmd.Insure, cmd.TakeEvenMoney, cmd.DrawPrize, cmd.LeaveBox, cmd.SystemPick,
    od.RefuseCard, od.Retract, cmd.Order,
)  # fmt: skip
"""What a record writes of what was asked. The dealer's own part, and the way of the cards into play, follow from it."""

BURNING = (od.BurnFaced, od.NoWagerRound, od.RestartShoe)
"""Orders that burn cards which a record has."""


class NothingSettled(PitbossError):
    """A record was asked for and no round is settled yet."""


def from_log(log: Iterable[ev.Event], *, title: str = "", cites: tuple[str, ...] = ()) -> Record:
    """The record of all rounds that a whole log settles, from the opening of its table on."""
    opening, events = read_opening(log)
    return from_events(opening, events, title=title, cites=cites)


def from_events(opening: State, events: Iterable[ev.Event], *, title: str = "", cites: tuple[str, ...] = ()) -> Record:
    """The record of all rounds that `events` settle at a table that stood at `opening` before the first of them."""
    scribe = _Scribe(opening)
    for event in events:
        scribe.hear(event)
    scribe.close_round()
    if not scribe.rounds:
        raise NothingSettled("no round is settled yet: there is nothing to record")
    rules = opening.rules
    return Record(
        game=rules.game,
        rounds=tuple(scribe.rounds),
        title=title,
        cites=cites,
        options=_options(rules),
        readings=dict(sorted(rules.chosen_readings.items())),
        side_wagers=tuple(side.id for side in rules.side_wagers),
        limits=opening.limits,
        places=0 if opening.places == rules.boxes_max else opening.places,
    )


def _options(rules: Rules) -> dict[str, Choice]:
    """The options a record has to name: the decks always, of the others those that differ from the book's defaults."""
    return {"decks": rules.decks, **{name: value for name, value in sorted(rules.chosen.items()) if name != "decks"}}


class _Page:
    """What a record writes of one round."""

    def __init__(self) -> None:
        self.bets: list[cmd.PlaceBet] = []
        self.orders: list[Before] = []
        self.meters: dict[str, Meter] | None = None
        self.elsewhere: dict[str, Money] = {}
        """By how much shared meters have changed through other tables since one of this round's prizes was read."""
        self.actions: list[RecordedAction] = []
        self.deals: list[list[Card]] = []
        self.served = ""
        """Whose cards the last group of `deals` holds: a box, the dealer, or the whole table."""
        self.out = 0
        """How many cards the round has dealt, less those that went back into the shoe."""
        self.burnt = 0
        """How many of these were burnt for good: they do not come again when the round is rebuilt."""
        self.known = 0
        """How many cards, in their order, the record has."""


class _Scribe:
    """Hears the events of a table one by one and keeps what a record writes.

    A round that is put right while the next one has no card is written as if that had been ordered at its end.
    """

    def __init__(self, opening: State) -> None:
        self.state = opening
        self.rounds: list[Round] = []
        self.asked: cmd.Command | None = None
        """What was asked last."""
        self.page = _Page()
        self.last_page = _Page()
        """The page of the last round that was kept."""
        self.waiting: _Page | None = None
        """The page of the next round, while the last one is reopened."""

    def hear(self, event: ev.Event) -> None:
        if isinstance(event, ev.Asked):
            self.note_asked(event.command)
        elif isinstance(event, ev.RoundBegan):
            self.close_round()
        elif isinstance(event, ru.RoundReopened):
            self.turn_back()
        elif isinstance(event, ru.CardCorrected):
            self.correct_card(event)
        elif isinstance(event, ru.DecidedAgain) and isinstance(self.asked, od.CorrectCard):
            self.note_action(event.command)
        elif isinstance(event, ev.BetsClosed) and self.page.meters is None:
            self.page.meters = self.state.meters
        before, self.state = self.state, evolve(self.state, event)
        if isinstance(event, ev.MetersFollowed):
            self.follow_meters(before)
        if not isinstance(event, ev.RoundBegan):
            self.note_cards(before, event)

    def close_round(self) -> None:
        """Keep the round if it is settled."""
        state, page = self.state, self.page
        if state.phase is not Phase.SETTLED:
            return
        self.rounds.append(
            Round(
                bets=tuple(page.bets),
                orders=tuple(page.orders),
                deals=tuple(tuple(group) for group in page.deals),
                actions=tuple(page.actions),
                results=tuple(Result(*key, net) for key, net in results(state).items()),
                dealer=state.dealer or None,
                meters=state.meters if page.meters is None else page.meters,
                meters_after={
                    name: meter.value - page.elsewhere.get(name, ZERO) for name, meter in state.meters.items()
                },
                void=state.void,
            )
        )
        self.last_page = page
        self.page, self.waiting = self.waiting or _Page(), None

    def follow_meters(self, before: State) -> None:
        """Other tables have moved shared meters: a record has that as if it had come before the round, or after."""
        page, now = self.page, self.state.meters
        if page.meters is None:
            return
        moved = {name: now[name].value - before.meters[name].value for name in now if name in before.meters}
        if any(settled.interim for settled in self.state.settlements):
            page.elsewhere = {name: page.elsewhere.get(name, ZERO) + change for name, change in moved.items()}
        else:
            page.meters = {
                name: replace(meter, value=meter.value + moved.get(name, ZERO)) for name, meter in page.meters.items()
            }

    def turn_back(self) -> None:
        """The last round goes on, with the order that reopens it as its next action."""
        order = self.page.orders.pop()
        self.rounds.pop()
        self.waiting, self.page = self.page, self.last_page
        self.page.actions.append(order.action)

    def correct_card(self, event: ru.CardCorrected) -> None:
        """A record has the cards as they were, whatever was keyed in first: the round is written again."""
        opening = self.state.opening
        dealt = self.state.shoe.position - (opening.shoe.position if opening is not None else 0)
        if self.state.phase is not Phase.DEALING and event.number <= dealt:
            self.page.actions, self.page.deals = [], []
            self.page.out = self.page.burnt = self.page.known = 0
        elif self.page.known >= event.number:
            self.page.deals[0][event.number - 1] = event.card

    # ------------------------------------------------------------------ what was asked

    def note_asked(self, command: cmd.Command) -> None:
        """A wager, an action, or an order that stands among the wagers."""
        self.asked = command
        if isinstance(command, cmd.PlaceBet):
            self.page.bets.append(replace(command, checked=True))
        elif isinstance(command, cmd.RemoveBet):
            self.take_off(command)
        else:
            self.note_action(command)

    def note_action(self, command: cmd.Command) -> None:
        """What somebody decides or orders, as far as a record writes it."""
        if isinstance(command, WRITTEN) and not isinstance(command, od.CorrectCard):
            action = RecordedAction(in_full(self.state, command))
            if self.state.phase is Phase.BETTING and not isinstance(command, od.Misdeal | od.NoWagerRound):
                self.page.orders.append(Before(len(self.page.bets), action))
            else:
                self.page.actions.append(action)

    def take_off(self, command: cmd.RemoveBet) -> None:
        """A wager that its player takes off again is as if never placed."""
        gone = (command.box, command.player, command.wager)
        kept = [bet for bet in self.page.bets if (bet.box, bet.player, bet.wager) != gone]
        self.page.orders = [
            Before(sum(bet in kept for bet in self.page.bets[: order.at]), order.action) for order in self.page.orders
        ]
        self.page.bets = kept

    # ------------------------------------------------------------------ cards

    def note_cards(self, table: State, event: ev.Event) -> None:
        """Cards that left the shoe, in their order. What is burnt between rounds is not written, unless by an order."""
        before, after = table.shoe, self.state.shoe
        if isinstance(event, ru.RoundRewound):
            self.page.out = self.page.burnt
        elif isinstance(event, ru.CardTakenBack):
            self.page.out -= 1
            self.page.burnt -= 1
        elif after.cards == before.cards and not self.unwritten(event):
            if isinstance(event, ev.CardsBurnt) and self.state.drawn == table.drawn:
                self.page.burnt += len(event.cards)
            to = DEALER if isinstance(event, ev.DealerDrew) else getattr(event, "box", "")
            for card in before.cards[before.position : after.position]:
                self.page.out += 1
                if self.page.out > self.page.known:
                    self.write_card(to, card)
        aside = isinstance(event, ru.CardHeldOver) or (isinstance(event, ru.TroubleSet) and event.trouble.stray)
        if aside and self.page.out == self.page.known and after.left:
            # The card lies outside the shoe and is not dealt yet, but the record must have it.
            self.write_card("", after.undealt[0])

    def unwritten(self, event: ev.Event) -> bool:
        """A burn as the house has it between rounds, or cards put into the shoe."""
        between = self.state.phase in (Phase.BETTING, Phase.DEALING)
        in_deal = self.state.phase is Phase.BETTING and bool(self.state.part)
        burnt = isinstance(event, ev.CardsBurnt) and between and not in_deal and not isinstance(self.asked, BURNING)
        return burnt or isinstance(event, ev.ShoeLoaded)

    def write_card(self, to: str, card: Card) -> None:
        if self.page.served != to or not self.page.deals:
            self.page.deals.append([])
            self.page.served = to
        self.page.deals[-1].append(card)
        self.page.known += 1


# ---------------------------------------------------------------------- one way to write a command


def in_full(state: State, command: cmd.Command) -> cmd.Command:
    """A command as a record writes it: by nobody in person, sharers in their order on the hand, no amount that is plain
    anyway."""
    given: Any = command
    if getattr(given, "by", None) is not None:
        given = replace(given, by=None)
    if isinstance(given, cmd.Double | cmd.Split):
        return _with_sharers(state, given)
    if isinstance(given, cmd.Surrender):
        each = state.rules.surrender_sharers == "each-chooses"
        caller = state.boxes[state.box_index(given.box)].controller
        return replace(given, players=tuple(player for player in given.players if each and player != caller))
    written: cmd.Command = given
    return written


def _with_sharers(state: State, command: cmd.Double | cmd.Split) -> cmd.Command:
    box = state.boxes[state.box_index(command.box)]
    players = [stake.player for stake in _hand_to_act(state, box).stakes]
    if isinstance(command, cmd.Split):
        matching = (player for player in players if player in command.players and player != box.controller)
        return replace(command, players=tuple(matching))
    bettor = box.bettor(box.controller)
    amounts = dict(command.amounts)
    if not amounts and bettor is not None:
        amounts = {bettor.player: bettor.stake}
    alone = len(players) == 1 and bettor is not None and amounts == {bettor.player: bettor.stake}
    in_order = tuple((player, amounts[player]) for player in players if player in amounts)
    return replace(command, amounts=() if alone else in_order)


def _hand_to_act(state: State, box: Box) -> Hand:
    """The hand of a box that acts when what is open before it has passed."""
    waits = state.boxes[state.turn[0]].hands[state.turn[1]] if state.turn is not None else None
    taken_back = waits if state.pending is Pending.RESCUE else None
    for hand in box.hands:
        if hand.status is HandStatus.OPEN and hand is not taken_back:
            return hand
    return box.hands[0]
