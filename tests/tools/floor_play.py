"""A live table that plays by itself: people who bet, decide and leave at random, with the books kept beside it."""

from __future__ import annotations

import hashlib
import random

from pitboss.cards import decks
from pitboss.floor import ledger as le
from pitboss.floor import live_decisions as ld
from pitboss.floor import live_table as lt
from pitboss.floor.dealing_machine import list_machine_moves
from pitboss.money import Money
from pitboss.rulebooks import find_game, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Limits, Phase, Refusal, begin_log, legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import Asker
from pitboss.table.state import Meter, Pending
from pitboss.table.views import Observer, Viewer, choose_actions

PLAYERS = ("ann", "bob", "cyd")
LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))
IN_WALLET = 1000


def rules_with_sides(game: str) -> Rules:
    """The rules of a game with every side wager that can stand beside the others."""
    book, found = find_game(game)
    chosen: list[str] = []
    for side in book.side_wagers:
        try:
            book.rules(found.id, side_wagers=[*chosen, side])
        except Exception:  # a wager that this game does not have, or not beside those
            continue
        chosen.append(side)
    return rules_for(game, side_wagers=chosen)


def meters_of(rules: Rules) -> dict[str, Meter]:
    return {
        name: Meter(Money(500), Money("0.05"), Money(500)) for side in rules.side_wagers for name in side.meters
    }  # fmt: skip


class RandomTable:
    """A table, those around it, and the ledger, checked after every decision."""

    def __init__(self, rules: Rules, seed: int, kind: lt.TableKind = lt.TableKind.MACHINE) -> None:
        self.chance = random.Random(seed)
        self.now_ms = 1_000
        self.balances: dict[tuple[str, le.Unit], int] = {}
        self.rows: list[tuple[bytes, int]] = []
        self.granted: list[lt.Granted] = []
        self.refusals: list[Refusal] = []
        for player in PLAYERS:
            self.move(le.Transfer(le.CAGE, le.wallet(player), le.to_grains(Money(IN_WALLET))))
        opening = lt.TableSet(name="t", kind=kind, clocks=lt.Clocks(), bank=Money(10_000))
        self.keep(lt.open_live(opening, begin_log(rules, LIMITS, meters_of(rules)), self.now_ms))
        for player in PLAYERS:
            self.ask(lt.BuyIn(player=player, amount=Money(500)), player)
            self.ask(lt.GoAlong(player=player), player)

    def move(self, *transfers: le.Transfer) -> None:
        changes = le.add_up_changes(transfers)
        assert not le.find_overdraft(self.balances, changes)
        for account, change in changes.items():
            self.balances[account] = self.balances.get(account, 0) + change

    def keep(self, granted: lt.Granted) -> None:
        self.move(*granted.transfers)
        self.live = granted.live
        self.granted.append(granted)
        self.rows.append((lt.encode_row(granted.events), granted.live.at_ms))
        self.check()

    def check(self) -> None:
        """Everything in the ledger is somewhere on the table."""
        live, chip, token = self.live, self.live.unit, le.Unit.TOKEN
        assert le.find_imbalance(self.balances) == 0
        for player, chips in live.purses.items():
            assert self.balances.get((le.purse("t", player), chip), 0) == chips
        staked = sum(le.to_grains(chips) for chips in live.staked.chips.values())
        assert self.balances.get((le.layout("t"), chip), 0) == staked
        assert self.balances.get((le.layout("t"), token), 0) == le.to_grains(live.staked.tokens)
        for player in PLAYERS:
            held = le.to_grains(live.staked.held.get(player, Money(0)))
            assert self.balances.get((le.hold_for("t", player), chip), 0) == held
        for name, meter in live.table.meters.items():
            assert self.balances.get((le.meter("t", name), chip), 0) == le.to_grains(meter.value)

    def entropy(self) -> bytes:
        return hashlib.sha256(self.chance.randbytes(32)).digest()

    def ask(self, command: lt.AnyTableCommand, player: str) -> bool:
        return self.ask_by(command, Asker("player", player))

    def ask_by(self, command: lt.AnyTableCommand, by: Asker) -> bool:
        funds = self.balances.get((le.wallet(by.name), le.Unit.CHIP), 0)
        answer = ld.decide_live(self.live, ld.Asking(command, by, self.now_ms, self.entropy()), funds)
        if isinstance(answer, Refusal):
            self.refusals.append(answer)
            return False
        self.keep(answer)
        return True

    def let_machine_deal(self) -> None:
        while True:
            answers = [ld.decide_live(self.live, move) for move in self.list_moves()]
            granted = [answer for answer in answers if not isinstance(answer, Refusal)]
            if not granted:
                return
            self.keep(granted[0])

    def list_moves(self) -> list[ld.Asking]:
        return list(list_machine_moves(self.live, self.now_ms, self.entropy))

    def step(self) -> None:
        """The machine deals as far as it can, then somebody does something, or time passes."""
        self.let_machine_deal()
        state, player = self.live.table, self.chance.choice(PLAYERS)
        if player not in self.live.purses:
            self.ask(lt.BuyIn(player=player, amount=Money(100)), player)
        elif state.phase is Phase.BETTING and not state.shoe.asked:
            self.bet(player)
        elif state.prizes_due and self.chance.random() < 0.5:
            box, winner = state.prizes_due[0]
            self.ask(lt.PressForPrize(player=winner, box=box), winner)
        else:
            self.decide()

    def bet(self, player: str) -> None:
        rules = self.live.table.rules
        wager = self.chance.choice(["main", "main", *(side.id for side in rules.side_wagers)])
        amount = Money(self.chance.choice((5, 10, 20)))
        box = str(self.chance.randint(1, 3))
        self.ask(cmd.PlaceBet(box=box, player=player, amount=amount, wager=wager), player)
        if self.chance.random() < 0.3:
            self.ask(lt.CallReady(player=player), player)
        if self.chance.random() < 0.05:
            self.ask(lt.LeaveTable(player=player), player)

    def decide(self) -> None:
        state = self.live.table
        actions = [
            (player, action)
            for player in self.live.purses
            for action in choose_actions(state, Observer(Viewer.PLAYER, player))
            if not isinstance(action, cmd.DrawPrize)
        ]
        if actions and self.chance.random() < 0.8:
            player, action = self.chance.choice(actions)
            self.ask(action, player)
        else:
            self.now_ms += self.chance.choice((100, 30_000))


class DealtByHand(RandomTable):
    """The same people at a table with a real shoe, and a dealer who keys in its cards and errs now and then."""

    dan = Asker("dealer", "dan")

    def __init__(self, rules: Rules, seed: int, cards: tuple[str, ...] = ()) -> None:
        super().__init__(rules, seed, lt.TableKind.PERSON)
        self.given = cards
        self.corrected = 0
        role = rules.ladder[0].id
        self.dan = Asker(role, "dan")
        self.mia = Asker(rules.ladder[-1].id, "mia")
        assert self.ask_by(od.ChangeDealer(role=role, person="dan", name="dan"), self.dan)
        self.bring_shoe()

    def bring_shoe(self) -> None:
        rules = self.live.table.rules
        pack = list(decks(rules.decks, rules.deck_cards))
        self.chance.shuffle(pack)
        self.pack = self.given or tuple(pack)
        assert self.ask_by(cmd.BringShoe(role=self.dan.role), self.dan)

    def key(self) -> None:
        """The next card of the shoe; now and then another is keyed in, and somebody has it corrected."""
        shoe = self.live.table.shoe
        right = self.pack[len(shoe.cards)]
        wrong = self.chance.choice(self.pack)
        errs = not self.given and wrong != right and self.chance.random() < 0.05
        card = wrong if errs else right
        if not self.ask_by(cmd.KeyCard(card=card, role=self.dan.role), self.dan):
            assert errs, self.refusals[-1]
            return
        state = self.live.table
        if errs and state.opening is not None:
            number = len(state.shoe.cards) - state.opening.shoe.position
            order = od.CorrectCard(role=self.mia.role, person="mia", reason="misread", number=number, card=right)
            if not self.ask_by(order, self.mia):
                assert state.phase is Phase.BETTING or state.void or state.trouble.halted, self.refusals[-1]
                self.pack = (*self.pack[: len(shoe.cards)], card, *self.pack[len(shoe.cards) + 1 :])
            else:
                self.corrected += 1

    def let_machine_deal(self) -> None:
        """What hands do, as far as nobody else has something to choose."""
        while True:
            state = self.live.table
            if state.shoe.out:
                self.key()
            elif (
                state.phase in (Phase.SETTLED, Phase.SETTLING)
                or state.prizes_due
                or state.pending is not Pending.NOTHING
            ):
                if not self.go_on():
                    return
            elif state.phase is Phase.BETTING and (state.shoe.due or len(self.pack) - len(state.shoe.cards) < 120):
                self.bring_shoe()
            else:
                return

    def go_on(self) -> bool:
        state = self.live.table
        if state.prizes_due:
            options = [option for option in legal(state) if isinstance(option, cmd.DrawPrize)]
            return self.ask_by(self.chance.choice(options), self.dan)
        return self.ask_by(cmd.NextRound() if state.phase is Phase.SETTLED else cmd.Proceed(), self.dan)

    def bet(self, player: str) -> None:
        super().bet(player)
        if self.live.table.bets and self.chance.random() < 0.3:
            self.ask_by(cmd.Deal(), self.dan)

    def decide(self) -> None:
        if self.live.table.phase is Phase.OFFERS and self.chance.random() < 0.3:
            self.go_on()
        super().decide()
