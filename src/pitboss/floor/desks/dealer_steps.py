"""The dealer's seat: what hands do next at a table that a person deals, and whether a card needs its suit.

It is read off the table as it stands, with no knowledge that the table does not have. Nothing here is for a table that
a machine deals: nobody has a seat there.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from pitboss.cards import Card, decks
from pitboss.floor.desks.chip_payouts import ChipPayment, list_payments
from pitboss.floor.live_table import LiveTable
from pitboss.money import ZERO, Money, show
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.records.narrate.settlements import hand_words, place_words, total_words
from pitboss.records.narrate.table_events import and_words
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Refusal, decide, legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import words
from pitboss.table.orders.roles import power_for
from pitboss.table.round.dealing import places_of_deal
from pitboss.table.round.turns import open_hand
from pitboss.table.shoe.devices import DEALER
from pitboss.table.state import CardSource, Pending, Phase, ShoeStage, State

SUITED_KEYS = ("suit", "colour")
"""What a judge tells cards apart by, where a rank alone does not do."""
RANKS = "A23456789TJQK"
DECISIONS = (cmd.Hit, cmd.Stand, cmd.Double, cmd.Split, cmd.Surrender, cmd.Switch, cmd.Forfeit)


class DealerStep(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the dealer does next, or sees done."""

    kind: str
    """`come-on`, `bring-shoe`, `wait`, `call`, `deal`, `card`, `offers`, `decide`, `settle`, `clear`, `closed`."""
    say: str
    """One sentence, as it is said at a table."""
    box: str = ""
    """The box that it is about, or `dealer`."""
    command: dict[str, Any] | None = None
    """What one key does, if there is one thing to do."""
    choices: tuple[dict[str, Any], ...] = ()
    """What a box may show by hand, for the dealer to key in."""
    clauses: tuple[str, ...] = ()


class DealerSeat(msgspec.Struct, frozen=True, kw_only=True):
    """What the dealer of a table sees beside the table itself."""

    dealer: str
    """Who deals; empty if nobody does."""
    step: DealerStep
    suited: bool
    """The card that is due is keyed in with its suit."""
    keys: dict[str, Card]
    """The card that a rank stands for where its suit does not matter: one of which the shoe holds most."""
    total: str
    """The dealer's total, in words."""
    payments: tuple[ChipPayment, ...]
    """What is to be paid and taken now: what the settlement will be."""
    settled: tuple[ChipPayment, ...]
    """What was decided in this round already, naturals that are paid at once among it."""
    staked: Money
    """All that lies on the layout."""


def describe_seat(live: LiveTable) -> DealerSeat:
    """What the dealer does next at a table."""
    state = live.table
    return DealerSeat(
        dealer=state.floor.dealer,
        step=find_next_step(state),
        suited=needs_suits(state),
        keys=choose_suits(state),
        total=total_words(state.dealer_hard, state.dealer_aces) if state.dealer else "",
        payments=work_out_payments(state),
        settled=list_payments(state, state.settlements),
        staked=sum(live.staked.chips.values(), ZERO),
    )


def needs_suits(state: State) -> bool:
    """Some wager on the layout, or a bonus of the game, tells cards apart by more than their rank."""
    rules = state.rules
    if rules.bonuses:
        return True
    staked = {side.wager for side in state.sides if side.state} | {bet.wager for bet in state.bets}
    staked |= {carried.wager for carried in state.carried}
    return any(_tells_suits(rules, wager) for wager in staked)


def _tells_suits(rules: Rules, wager: str) -> bool:
    side = rules.side_wager(wager)
    if side is None:
        return False
    judge = JUDGES[side.judge]
    return any(word in judge.key for word in SUITED_KEYS)


def choose_suits(state: State) -> dict[str, Card]:
    """For every rank that is in the shoe, the card of which most are left."""
    left = Counter(decks(state.rules.decks, state.rules.deck_cards))
    left.subtract(Counter(state.shoe.cards))
    found: dict[str, Card] = {}
    for card, count in sorted(left.items(), key=lambda item: (-item[1], item[0])):
        if count > 0:
            found.setdefault(card[0], card)
    return {rank: found[rank] for rank in RANKS if rank in found}


def work_out_payments(state: State) -> tuple[ChipPayment, ...]:
    """What the settlement pays and takes, before it is made."""
    answer = decide(state, cmd.Proceed()) if state.phase is Phase.SETTLING else None
    if answer is None or isinstance(answer, Refusal):
        return ()
    new = answer.state.settlements[len(state.settlements) :]
    return list_payments(answer.state, new)


# ---------------------------------------------------------------------- what comes next


def find_next_step(state: State) -> DealerStep:
    """The next thing to do."""
    if state.floor.closed:
        return DealerStep(kind="closed", say="The table is closed.")
    if not state.floor.dealer:
        return DealerStep(kind="come-on", say="Nobody deals here: come on.")
    if state.trouble.halted:
        say = "The deal went wrong: call a supervisor, who has it rebuilt or declares it void."
        return DealerStep(kind="wait", say=say, clauses=state.rules.clauses("initial_deal"))
    if state.shoe.out:
        return _await_card(state)
    match state.phase:
        case Phase.BETTING:
            return _await_deal(state)
        case Phase.OFFERS:
            return _find_offer(state)
        case Phase.TURNS:
            return _find_turn(state)
        case Phase.SETTLING:
            return _find_settlement(state)
        case Phase.SETTLED:
            return DealerStep(kind="clear", say="Clear the table.", command=write_for_client(cmd.NextRound()))
    return DealerStep(kind="wait", say="Wait.")


def _await_deal(state: State) -> DealerStep:
    shoe = state.shoe
    if shoe.source is not CardSource.KEYED or shoe.stage is not ShoeStage.OPEN or shoe.due:
        why = "A shuffle is due: bring" if shoe.due else "Bring"
        role = state.rules.ladder[0].id
        say = f"{why} a shoe that was shuffled and cut."
        return DealerStep(kind="bring-shoe", say=say, command=write_for_client(cmd.BringShoe(role=role)))
    if not state.bets:
        return DealerStep(kind="wait", say="Wait for wagers.")
    call = power_for(state.rules, "no-more-bets", None)
    if call is not None and not state.trouble.called:
        order = od.CallBets(role=state.rules.ladder[0].id)
        return DealerStep(kind="call", say="Call no more bets.", command=write_for_client(order), clauses=call.clauses)
    clauses = state.rules.clauses("initial_deal")
    return DealerStep(kind="deal", say="Deal.", command=write_for_client(cmd.Deal()), clauses=clauses)


def _await_card(state: State) -> DealerStep:
    if state.phase is Phase.DEALING:
        places = places_of_deal(state)
        place = places[len(state.part)] if len(state.part) < len(places) else DEALER
        to = "the dealer" if place == DEALER else f"box {place}"
        return DealerStep(kind="card", say=f"Card to {to}.", box=place, clauses=state.rules.clauses("initial_deal"))
    at = open_hand(state) if state.phase is Phase.TURNS else None
    if at is not None:
        box, hand = state.boxes[at[0]], state.boxes[at[0]].hands[at[1]]
        asked = f": {words(state.awaited).split()[1]}" if state.awaited is not None else ""
        say = f"Card to {place_words(state, box.number, at[1] + 1)}, which has {hand_words(hand)}{asked}."
        return DealerStep(kind="card", say=say, box=box.number)
    has = total_words(state.dealer_hard, state.dealer_aces) if state.dealer else "no card"
    say = f"The dealer has {has}: draw."
    return DealerStep(kind="card", say=say, box=DEALER, clauses=state.rules.clauses("dealer_draw"))


def _find_offer(state: State) -> DealerStep:
    options = legal(state)
    kinds = {type(option) for option in options}
    if state.prizes_due:
        box, player = state.prizes_due[0]
        drawn = [option for option in options if isinstance(option, cmd.DrawPrize)]
        due = tuple(write_for_client(option) for option in drawn if (option.box, option.player) == (box, player))
        say = f"A prize of {player} on box {box} is due: key in what was drawn."
        return DealerStep(kind="wait", say=say, box=box, choices=due)
    offers = [
        word
        for kind, word in (
            (cmd.Insure, "insurance"), (cmd.TakeEvenMoney, "even money"), (cmd.Surrender, "surrender"),
        )
        if kind in kinds
    ]  # fmt: skip
    call = f"Call {and_words(offers)}, then go on." if offers else "Go on."
    clauses = state.rules.clauses("insurance_offer") if cmd.Insure in kinds else ()
    return DealerStep(
        kind="offers",
        say=call,
        command=write_for_client(cmd.Proceed()),
        choices=_list_choices(options),
        clauses=clauses,
    )


def _find_turn(state: State) -> DealerStep:
    assert state.turn is not None
    box = state.boxes[state.turn[0]]
    hand = box.hands[state.turn[1]]
    options = legal(state)
    names = list(dict.fromkeys(words(option).split()[1] for option in options if isinstance(option, DECISIONS)))
    against = f" against {name_card(state.dealer[0])}" if state.dealer else ""
    asked = f": {_or_words(names)}?" if names else "."
    which = f"hand {state.turn[1] + 1} of box {box.number}" if len(box.hands) > 1 else f"box {box.number}"
    goes_on = state.pending is not Pending.NOTHING
    return DealerStep(
        kind="decide",
        say=f"{which[:1].upper()}{which[1:]}, {hand_words(hand)}{against}{asked}",
        box=box.number,
        choices=_list_choices(options),
        command=write_for_client(cmd.Proceed()) if goes_on else None,
    )


def _find_settlement(state: State) -> DealerStep:
    """The first thing to pay, in chips; what is lost is taken before."""
    due = work_out_payments(state)
    lost = [payment for payment in due if payment.net < 0]
    won = [payment for payment in due if payment.net > 0]
    parts = []
    if lost:
        parts.append(f"take {_list_boxes(lost)}")
    parts += [_pay_words(payment) for payment in won]
    say = "; ".join(parts) or "nothing is paid or taken"
    return DealerStep(
        kind="settle",
        say=f"{say[:1].upper()}{say[1:]}.",
        box=won[0].box if won else "",
        command=write_for_client(cmd.Proceed()),
        clauses=tuple(dict.fromkeys(clause for payment in won for clause in payment.clauses)),
    )


def _pay_words(payment: ChipPayment) -> str:
    chips = ", ".join(show(chip) for chip in payment.chips)
    broken = f" ({chips})" if len(payment.chips) > 1 else ""
    return f"pay box {payment.box}: {show(payment.net)}{broken}"


def _list_boxes(payments: list[ChipPayment]) -> str:
    boxes = list(dict.fromkeys(payment.box for payment in payments))
    return f"box{'es' if len(boxes) > 1 else ''} {and_words(boxes)}"


def _list_choices(options: tuple[cmd.Command, ...]) -> tuple[dict[str, Any], ...]:
    kinds = (*DECISIONS, cmd.Insure, cmd.TakeEvenMoney)
    return tuple([write_for_client(option) for option in options if isinstance(option, kinds)])


def name_card(card: Card) -> str:
    """A card by its rank, as a dealer says it."""
    names = {"A": "an ace", "K": "a king", "Q": "a queen", "J": "a jack", "T": "a ten", "8": "an eight"}
    return names.get(card[0], f"a {card[0]}")


def _or_words(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def write_for_client(command: cmd.Command) -> dict[str, Any]:
    """A command as a client sends it."""
    written: dict[str, Any] = msgspec.to_builtins(command)
    return {name: value for name, value in written.items() if value is not None and name not in SET_ELSEWHERE}


SET_ELSEWHERE = frozenset({"by", "role", "person"})
"""Who asks: the server says it."""
