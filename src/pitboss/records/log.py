"""From the log of a live table to the record of its rounds.

The log of events is the truth and a record is one fold over it: wagers as they stood when betting closed, cards in the
order in which they were dealt, what somebody decided (not what followed from it), and how it ended. Replaying the
record settles every wager as the live table did.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.records.model import Action, Before, Choice, Record, Round
from pitboss.rulebooks import Rulebook, Rules
from pitboss.table import Refusal, attempt, results
from pitboss.table import commands as cmd
from pitboss.table import events as ev
from pitboss.table.evolve import evolve
from pitboss.table.notation import Result, parse_action
from pitboss.table.orders import asked as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.memory import prize_drawn
from pitboss.table.round.turns import can_split
from pitboss.table.state import Hand, Meter, Pending, Phase, Shoe, State

DEALER = "dealer"


class NothingSettled(PitbossError):
    """A record was asked for and no round is settled yet."""


def from_events(
    opening: State,
    events: Iterable[ev.Event],
    *,
    title: str = "",
    cites: tuple[str, ...] = (),
    own_books: Iterable[Rulebook] = (),
) -> Record:
    """The record of all rounds that `events` settle at a table that stood at `opening` before the first of them."""
    scribe = _Scribe(opening)
    for event in events:
        scribe.hear(event)
    scribe.close_round()
    if not scribe.rounds:
        raise NothingSettled("no round is settled yet: there is nothing to record")
    rules = opening.rules
    options, readings = _choices(rules, tuple(own_books))
    return Record(
        game=rules.game,
        rounds=tuple(scribe.rounds),
        title=title,
        cites=cites,
        options=options,
        readings=readings,
        side_wagers=tuple(side.id for side in rules.side_wagers),
        limits=opening.limits,
    )


def _choices(rules: Rules, own_books: tuple[Rulebook, ...]) -> tuple[dict[str, Choice], dict[str, str]]:
    """The choices a record has to name: the decks always, of the others those that differ from the book's defaults."""
    side_wagers = tuple(side.id for side in rules.side_wagers)
    bare = Record(game=rules.game, rounds=(), side_wagers=side_wagers, options={"decks": rules.decks})
    plain = bare.rules(own_books)
    readings = {name: value for name, value in rules.readings.items() if plain.readings.get(name) != value}
    options: dict[str, Choice] = {"decks": rules.decks}
    for name, value in rules.options.items():
        if value is not None and plain.options.get(name) != value:
            options[name] = value
    return options, readings


class _Scribe:
    """Hears the events of a table one by one and keeps what a record writes."""

    def __init__(self, opening: State) -> None:
        self.state = opening
        self.rounds: list[Round] = []
        self.begin_round()

    def begin_round(self) -> None:
        self.bets: list[cmd.PlaceBet] = []
        self.orders: list[Before] = []
        self.meters: dict[str, Meter] | None = None
        self.actions: list[Action] = []
        self.deals: list[list[Card]] = []
        self.served = ""
        """Whose cards the last group of `deals` holds: a box, the dealer, or the whole table."""
        self.declined = ""
        """The box that has just declined to split, until a card follows."""
        self.following: list[ev.Event] = []
        """What the last command still brings about by itself, as far as the log has not told it yet."""
        self.out = 0
        """How many cards the round has dealt, less those that went back into the shoe."""
        self.known = 0
        """How many cards, in their order, the record has."""

    def hear(self, event: ev.Event) -> None:
        if isinstance(event, ev.RoundBegan):
            self.close_round()
            self.state = evolve(self.state, event)
            return
        follows = bool(self.following) and self.following.pop(0) == event
        if not follows:
            self.following = []
        self.note_bets(event, follows)
        if not follows and (command := self.decided(event)) is not None:
            self.act(command, event)
        before, self.state = self.state, evolve(self.state, event)
        self.note_cards(before.shoe, event, follows)

    def close_round(self) -> None:
        """Keep the round if it is settled."""
        state = self.state
        if state.phase is not Phase.SETTLED:
            return
        self.rounds.append(
            Round(
                bets=tuple(self.bets),
                orders=tuple(self.orders),
                deals=tuple(tuple(group) for group in self.deals),
                actions=tuple(self.actions),
                results=tuple(Result(*key, net) for key, net in results(state).items()),
                dealer=state.dealer or None,
                meters=state.meters if self.meters is None else self.meters,
                meters_after={name: meter.value for name, meter in state.meters.items()},
                void=state.void,
            )
        )
        self.begin_round()

    # ------------------------------------------------------------------ wagers

    def note_bets(self, event: ev.Event, follows: bool) -> None:
        """Wagers in the order in which they were placed; one that its player took off again is as if never placed."""
        match event:
            case ev.BetPlaced(bet=bet):
                self.bets.append(
                    cmd.PlaceBet(box=bet.box, player=bet.player, amount=bet.amount, wager=bet.wager, seated=bet.seated)
                )
            case ev.BetRemoved() if not follows:
                gone = (event.box, event.player, event.wager)
                kept = [bet for bet in self.bets if (bet.box, bet.player, bet.wager) != gone]
                self.orders = [
                    Before(sum(bet in kept for bet in self.bets[: order.at]), order.action) for order in self.orders
                ]
                self.bets = kept
            case ev.BetsClosed() if self.meters is None:
                self.meters = self.state.meters

    # ------------------------------------------------------------------ cards

    def note_cards(self, before: Shoe, event: ev.Event, follows: bool) -> None:
        """Cards that left the shoe, in their order. What is burnt between rounds is not written, unless by an order."""
        after = self.state.shoe
        if isinstance(event, ru.RoundRewound):
            self.out = 0
        elif isinstance(event, ru.CardTakenBack):
            self.out -= 1
        elif after.cards == before.cards and not self.unwritten(event, follows):
            to = DEALER if isinstance(event, ev.DealerDrew) else getattr(event, "box", "")
            for card in before.cards[before.position : after.position]:
                self.declined = ""
                self.out += 1
                if self.out > self.known:
                    self.write_card(to, card)
        aside = isinstance(event, ru.CardHeldOver) or (isinstance(event, ru.TroubleSet) and event.trouble.stray)
        if aside and self.out == self.known and after.left:
            # The card lies outside the shoe and is not dealt yet, but the record must have it.
            self.write_card("", after.undealt[0])

    def unwritten(self, event: ev.Event, follows: bool) -> bool:
        """A burn as the house has it between rounds, or cards put into the shoe."""
        between = self.state.phase in (Phase.BETTING, Phase.DEALING)
        return isinstance(event, ev.ShoeLoaded) or (isinstance(event, ev.CardsBurnt) and between and not follows)

    def write_card(self, to: str, card: Card) -> None:
        if self.served != to or not self.deals:
            self.deals.append([])
            self.served = to
        self.deals[-1].append(card)
        self.known += 1

    # ------------------------------------------------------------------ decisions

    def act(self, command: cmd.Command, event: ev.Event) -> None:
        """An action, or an order that stands among the bets; and what follows from it by itself."""
        if self.state.phase is Phase.BETTING and not isinstance(command, od.Misdeal | od.NoWagerRound):
            self.orders.append(Before(len(self.bets), Action(command)))
        else:
            self.actions.append(Action(command))
        answer = attempt(self.state, command)
        if not isinstance(answer, Refusal) and event in answer.events:
            self.following = answer.events[answer.events.index(event) + 1 :]

    def decided(self, event: ev.Event) -> cmd.Command | None:
        """The command that somebody must have given for this to happen; none for what followed by itself."""
        match event:
            case ev.CardDrawn(why="hit"):
                return cmd.Hit(box=event.box)
            case ev.HandEnded() if "stray_card" in event.matters:
                return od.RefuseCard(box=event.box)
            case ev.HandEnded() if self.stood(event):
                return cmd.Stand(box=event.box)
            case ev.Doubled():
                return self.doubled(event)
            case ev.HandSplit():
                controller = self.controller(event.box)
                matching = (stake.player for stake in event.second if stake.player != controller)
                return cmd.Split(box=event.box, players=tuple(matching))
            case ev.Switched():
                return cmd.Switch(area=str(event.area))
            case ev.SurrenderTaken():
                return self.surrendered(event)
            case ev.InsurancePlaced():
                return cmd.Insure(box=event.box, player=event.player, amount=event.amount)
            case ev.EvenMoneyTaken():
                return cmd.TakeEvenMoney(box=event.box, player=event.player)
            case ev.Forfeited():
                return cmd.Forfeit(box=event.box, player=event.player)
            case ev.ControlPassed():
                return cmd.LeaveBox(box=event.box, player=self.controller(event.box))
            case ev.LeftToDealer():
                return self.left(event)
            case ev.SideSettled():
                return self.drawn_by_machine(event)
            case ru.Ruled():
                return parse_action(event.words)
            case ru.WagerRetracted():
                return od.Retract(box=event.box, player=event.player, wager=event.wager)
        return None

    def controller(self, box: str) -> str:
        return self.state.boxes[self.state.box_index(box)].controller

    def hand(self, box: str, hand: int) -> Hand:
        return self.state.boxes[self.state.box_index(box)].hands[hand - 1]

    def stood(self, event: ev.HandEnded) -> bool:
        """A player stood. A split ace ends by itself, unless it could have been split again and that was declined."""
        if "stand" in event.matters:
            return True
        box = self.state.boxes[self.state.box_index(event.box)]
        hand = box.hands[event.hand - 1]
        if "split_aces" not in event.matters or hand.doubled or box.absent:
            return False
        return self.declined == event.box or can_split(self.state, box, hand)

    def doubled(self, event: ev.Doubled) -> cmd.Double:
        """The double with its amounts; left out where the hand has one player and the amount is the full one."""
        before = {stake.player: stake for stake in self.hand(event.box, event.hand).stakes}
        amounts = tuple(
            (stake.player, stake.double + stake.double_token) for stake in event.stakes if stake != before[stake.player]
        )
        bettor = self.state.boxes[self.state.box_index(event.box)].bettor(self.controller(event.box))
        alone = len(before) == 1 and bettor is not None and amounts == ((bettor.player, bettor.stake),)
        return cmd.Double(box=event.box, amounts=() if alone else amounts)

    def surrendered(self, event: ev.SurrenderTaken) -> cmd.Surrender:
        chosen: tuple[str, ...] = ()
        if self.state.rules.surrender_sharers == "each-chooses":
            chosen = tuple(player for player in event.players if player != self.controller(event.box))
        return cmd.Surrender(box=event.box, players=chosen)

    def left(self, event: ev.LeftToDealer) -> cmd.Command:
        """In the box's own turn nobody acts for it; at any other time its controlling player has walked away."""
        state = self.state
        own_turn = (
            state.phase is Phase.TURNS
            and state.pending is Pending.NOTHING
            and state.turn is not None
            and state.boxes[state.turn[0]].number == event.box
        )
        if own_turn:
            return cmd.PlayAbsent(box=event.box)
        return cmd.LeaveBox(box=event.box, player=self.controller(event.box))

    def drawn_by_machine(self, event: ev.SideSettled) -> cmd.Command | None:
        """The prize of a jackpot button, or a box that the jackpot system picked."""
        settled = event.settlement
        if settled.outcome == "prize":
            prize = prize_drawn(self.state.rules, settled)
            return cmd.DrawPrize(box=settled.box, player=settled.player, amount=prize)
        if settled.outcome in ("lucky", "mystery"):
            return cmd.SystemPick(pick=settled.outcome, box=settled.box)
        return None
