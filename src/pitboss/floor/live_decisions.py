"""What a live table answers: who may ask for what, what follows from it, and what waits for a second person.

Whatever the server takes from a client passes `decide_live`. A player asks for what is a player's; whoever acts for the
house does so in a role of the book's ladder, and the book's powers say the rest. Voids and corrections above what the
floor allows one person to do are kept until somebody else who could give them agrees.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from pitboss.cards import DECK_52
from pitboss.floor.jackpots.bet_managers import check_jackpot_wager, hand_back_manager, load_manager, pay_manager
from pitboss.floor.jackpots.following import follow_meters
from pitboss.floor.jackpots.meter_links import find_link
from pitboss.floor.ledger import Unit, from_grains, to_grains
from pitboss.floor.live_table import (
    MANAGER_COMMANDS,
    PLAYERS_OWN,
    AlongSet,
    AnyTableCommand,
    AnyTableEvent,
    BringTokens,
    BuyIn,
    CallDispute,
    CallReady,
    ChipsBought,
    ChipsCashed,
    ClockRestarted,
    ConfirmOrder,
    ExpireOrder,
    FollowMeters,
    GoAlong,
    Granted,
    KeepTable,
    LeaveTable,
    LiveTable,
    LoadManager,
    OrderAsked,
    OrderConfirmed,
    OrderDropped,
    PayManager,
    PressForPrize,
    ReadyCalled,
    RestartClock,
    TableCommand,
    TableEvent,
    TableKept,
    TableKind,
    TokensBrought,
    WithdrawOrder,
    advance_live,
    fold_live,
)
from pitboss.floor.vouchers.promotional_tokens import find_bettor
from pitboss.money import ZERO, Money, parse_money, show
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.table import Refusal, decide, legal_words
from pitboss.table.authority import name_role
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import PLAYER, SYSTEM, Asker
from pitboss.table.round.betting import SPOKEN, TOKENS
from pitboss.table.round.sides import button_wager
from pitboss.table.shoe.draws import pick_weighted
from pitboss.table.shoe.shuffle import stream_words
from pitboss.table.state import CardSource, State


class Asking(msgspec.Struct, frozen=True):
    """Somebody asks for something at a moment; `entropy` is fresh chance for what a machine draws."""

    command: AnyTableCommand
    by: Asker
    at_ms: int
    entropy: bytes = b""
    second_above: int | None = None
    """What a void or a correction may move, in grains, before it needs a second person; none: whatever it is."""
    second_within_ms: int = 0
    robot: bool = False
    """Whoever asks is a robot of the house."""


def find_funds_unit(command: AnyTableCommand) -> Unit | None:
    """What of the asker's wallet a command rests on; none if it rests on nothing there."""
    if isinstance(command, BringTokens):
        return Unit.TOKEN
    return Unit.CHIP if isinstance(command, BuyIn) else None


def decide_live(live: LiveTable, asking: Asking, funds: int = 0) -> Granted | Refusal:
    """What follows from what is asked, or why not. `funds` is what the asker has in their wallet, in grains of
    the unit that `find_funds_unit` names."""
    try:
        if isinstance(asking.command, FollowMeters):
            return fold_live(live, follow_meters(live, asking.command, asking.by), asking.at_ms)
        if isinstance(asking.command, KeepTable):
            return fold_live(live, _keep_table(asking.command, asking.by), asking.at_ms)
        command = _admit(live, asking)
        if isinstance(command, TableCommand):
            if isinstance(command, ConfirmOrder):
                return _confirm_order(live, command, asking)
            return fold_live(live, _decide_own(live, command, asking, funds), asking.at_ms)
        answer = _carry_out(live, command, asking.by, asking.at_ms)
        if isinstance(answer, Granted) and asking.second_above is not None and _is_correction(command, asking.by):
            amount = _weigh(live, answer)
            if amount > asking.second_above:
                return fold_live(live, (_wait_for_second(live, command, asking, amount),), asking.at_ms)
        return answer
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses, legal_words(live.table))


def _carry_out(
    live: LiveTable, command: cmd.Command, by: Asker, at_ms: int, own: tuple[TableEvent, ...] = ()
) -> Granted | Refusal:
    """What the game makes of a command, after `own` events of the live table; or a refusal."""
    decision = decide(live.table, command, by)
    if isinstance(decision, Refusal):
        return decision
    granted = advance_live(live, (*own, *decision.events), decision.state, own, at_ms)
    _check_purses(live, granted.live)
    if decision.state.awaited is command and command is not live.table.awaited:
        _check_affordable(live, command, by, at_ms)
    return granted


def _check_purses(live: LiveTable, after: LiveTable) -> None:
    for player, left in after.tokens.items():
        if left < 0:
            has, takes = live.tokens.get(player, 0), live.tokens.get(player, 0) - left
            raise Refused(
                f"{player} has {show(from_grains(has))} in promotional tokens at the table, and this takes "
                f"{show(from_grains(takes))}",
                live.table.rules.cite("media").clauses,
            )
    for player, left in after.purses.items():
        if left < 0:
            raise _too_dear(live, player, left)
    for player, left in after.managers.items():
        if left < 0:
            raise Refused(f"the Personal Bet Manager of {player} does not reach for this")


def _check_affordable(live: LiveTable, command: cmd.Command, by: Asker, at_ms: int) -> None:
    """What waits for a card is paid for when it comes: refuse it now if somebody's chips do not reach."""
    shoe = live.table.shoe
    decision = decide(replace(live.table, shoe=replace(shoe, cards=(*shoe.cards, *DECK_52))), command, by)
    if not isinstance(decision, Refusal):
        _check_purses(live, advance_live(live, decision.events, decision.state, (), at_ms).live)


def _too_dear(live: LiveTable, player: str, left: int) -> Refused:
    has = live.purses.get(player, 0)
    takes = from_grains(has - left)
    return Refused(f"{player} has {show(from_grains(has))} at the table, and this takes {show(takes)}")


# ---------------------------------------------------------------------- who may ask for what

PLAYER_KINDS = frozenset(
    (
        cmd.Arrive, cmd.RefuseCut, cmd.Cut, cmd.ShowBurntCard, cmd.NominateBox, cmd.ShowCards, cmd.PlaceBet,
        cmd.RemoveBet, cmd.Insure, cmd.TakeEvenMoney, cmd.Surrender, cmd.Hit, cmd.Stand, cmd.Double, cmd.Split,
        cmd.Switch, cmd.Forfeit, cmd.LeaveBox, od.RefuseCard, od.Retract, *PLAYERS_OWN,
    )
)  # fmt: skip
"""What a player may ask for; whether it is granted is for the table to say."""

MACHINE_KINDS = frozenset(
    (
        cmd.Shuffle, cmd.DrawPrize, cmd.SystemPick, cmd.LoadShoe, cmd.Deal, cmd.Proceed, cmd.NextRound, cmd.PlayAbsent,
        cmd.BringShoe, cmd.KeyCard, cmd.KeyCutCard, od.CorrectCard,
        cmd.OfferCut, cmd.PlaceCutCard, cmd.SettleByHand, cmd.MissFeed, cmd.Leave, od.Misdeal, od.BurnFaced, od.Stray,
        od.Surplus, od.NoWagerRound, od.MissedBurn, od.MissedCut, od.MissedShuffle, od.FirstCard, od.DiscardHand,
        od.PressButton, od.StrayPress, od.PanelPrize,
    )
)  # fmt: skip
"""What chance decides at a table that a machine deals, the dealer's own steps, and mishaps that only hands cause:
nobody may ask for it in person."""

HANDS = frozenset(
    (
        cmd.BringShoe, cmd.KeyCard, cmd.KeyCutCard, cmd.Deal, cmd.Proceed, cmd.NextRound, cmd.PlayAbsent,
        cmd.DrawPrize, cmd.SystemPick, cmd.MissFeed, cmd.Leave,
    )
)  # fmt: skip
"""What only the person does who deals."""

NOT_BY_HAND = frozenset(
    (
        cmd.Shuffle, cmd.LoadShoe, cmd.SettleByHand, cmd.OfferCut, cmd.RefuseCut, cmd.Cut, cmd.PlaceCutCard, cmd.Riffle,
        cmd.RetireShoe, cmd.DealFaceDown,
    )
)  # fmt: skip
"""What is done with a shoe of which the server knows the order, and means nothing at a real one."""

CORRECTIONS = (
    cmd.Void, od.CorrectCard,
    od.Reconstruct, od.RestartShoe, od.NoWagerRound, od.ForeignCard, od.DeviceFailed, od.Malfunction,
    od.PanelPrize, od.StrayPress, od.ForfeitWagers, od.ForfeitWinnings, od.MissedShuffle, od.MissedCut,
)  # fmt: skip
"""Voids, and what puts a round or a payment right."""

CLOCKED = (od.AnnounceLimits, od.ChangeLimits, od.AnnounceClosing, od.CloseTable)
"""Orders that name a minute: the clock of whoever runs the floor says which."""
MINUTE_MS = 60_000

MOST_PLAY_CHIPS = Money(10_000)
"""What somebody may have before them at a practice table; the house lends it."""

MACHINE = Asker("dealer")
"""The house machine, which deals."""


def _admit(live: LiveTable, asking: Asking) -> AnyTableCommand:
    """The command, if the asker may ask for its kind; a press of the button becomes the prize that is drawn."""
    command, by = asking.command, asking.by
    kind = type(command)
    if kind in MANAGER_COMMANDS:
        _admit_to_manager(live, by)
    elif by.role == PLAYER:
        if kind not in PLAYER_KINDS:
            raise Refused("this is not a player's to ask for")
        if by.name not in live.purses and kind is not BuyIn:
            raise Refused("buy in first: you have no chips at this table")
    elif by != MACHINE and live.table.rules.rank(by.role) < 0:
        raise Refused(f"{name_role(by.role)} gives no orders at this table")
    elif by != MACHINE and kind in (ExpireOrder, RestartClock):
        raise Refused("the clock does this")
    elif by != MACHINE and live.kind is not TableKind.PERSON:
        if kind in MACHINE_KINDS:
            raise Refused("a machine deals at this table: nobody may choose its cards or prizes")
        if kind in PLAYER_KINDS:
            raise Refused("this is the player's own to ask for")
    elif by != MACHINE:
        _admit_at_real_shoe(live, kind, by)
    if isinstance(command, cmd.SystemPick) and by != MACHINE:
        _check_pick(live, command)
    if isinstance(command, PressForPrize):
        if live.kind is TableKind.PERSON:
            raise Refused("the dealer keys in what the button has drawn")
        return _draw_prize(live.table, command, asking.entropy)
    if isinstance(command, CallDispute):
        dealer = live.table.rules.ladder[0].id
        return od.ReferDispute(role=dealer, player=command.player, reason=command.matter)
    if isinstance(command, CLOCKED):
        return _read_clock(command, max(asking.at_ms, live.at_ms))
    if isinstance(command, cmd.Double | cmd.Split | cmd.Surrender) and by.role == PLAYER:
        _check_along(live, command, by.name)
    if isinstance(command, cmd.PlaceBet | cmd.Insure):
        _check_chips(live.table, command.amount)
    if isinstance(command, cmd.PlaceBet):
        check_jackpot_wager(live, command)
    if isinstance(command, cmd.PlaceBet) and (command.medium not in ("", "chips", TOKENS) or not command.checked):
        matter = "oral_bets" if command.medium.startswith(SPOKEN) else "media"
        words = "wagers at a served table are made in chips or tokens, and compared with the sign at once"
        raise Refused(words, live.table.rules.clauses(matter))
    return command


def _admit_to_manager(live: LiveTable, by: Asker) -> None:
    """Money for a Personal Bet Manager passes through the dealer; where a machine deals, players see to their own."""
    if by.role == PLAYER:
        if by.name not in live.purses:
            raise Refused("buy in first: you have no chips at this table")
        if live.kind is TableKind.PERSON:
            raise Refused("hand it to the dealer, who credits it and pays it out")
    elif live.table.rules.rank(by.role) < 0:
        raise Refused(f"{name_role(by.role)} gives no orders at this table")


def _check_pick(live: LiveTable, command: cmd.SystemPick) -> None:
    """Where a prize meter system draws, nobody says whom it has picked."""
    for side in live.table.rules.side_wagers:
        if command.pick in JUDGES[side.judge].picks and find_link(live.links, side.id) is not None:
            raise Refused(f"the jackpot system picks boxes for {side.name}, not the dealer", side.cite(command.pick))


def _admit_at_real_shoe(live: LiveTable, kind: type[AnyTableCommand], by: Asker) -> None:
    """Where a person deals, what hands do is done by whoever is on, who also keys in what players show by hand."""
    dealer = live.table.floor.dealer
    if kind in NOT_BY_HAND:
        raise Refused("the cards of this table come out of a real shoe")
    if kind in PLAYERS_OWN:
        raise Refused("this is the player's own to ask for")
    if kind in HANDS or kind in PLAYER_KINDS:
        if not dealer:
            raise Refused("nobody deals at this table: a dealer comes on first")
        if by.name != dealer:
            raise Refused(f"{dealer} deals at this table")
        if kind is cmd.Deal and live.table.shoe.source is not CardSource.KEYED:
            raise Refused("no shoe is in play: bring one first")
    elif dealer and by.name != dealer and by.role == live.table.rules.ladder[0].id:
        raise Refused(f"{dealer} deals at this table")


def _read_clock(command: cmd.Command, at_ms: int) -> cmd.Command:
    """The order with the minute of now: a sign goes up with the next one, so that it never stands too short."""
    announces = isinstance(command, od.AnnounceLimits | od.AnnounceClosing)
    minute = -(-at_ms // MINUTE_MS) if announces else at_ms // MINUTE_MS
    return replace(command, minute=minute)


def _check_along(live: LiveTable, command: cmd.Double | cmd.Split | cmd.Surrender, caller: str) -> None:
    """Nobody's chips are put down by somebody else without their leave."""
    named = [name for name, _ in command.amounts] if isinstance(command, cmd.Double) else list(command.players)
    for name in named:
        if name != caller and name not in live.along:
            raise Refused(f"{name} has not said that they go along")


def _check_chips(state: State, amount: Money) -> None:
    """Wagers are made of chips that the table has."""
    chip = state.limits.chip
    if chip is not None and parse_money(amount) % chip:
        raise Refused(f"the smallest chip at this table is {show(chip)}: {show(amount)} cannot be staked")


def _draw_prize(state: State, command: PressForPrize, entropy: bytes) -> cmd.DrawPrize:
    if not any((command.box, command.player) == due for due in state.prizes_due):
        raise Refused(f"no prize of {command.player} on box {command.box} is due")
    prizes = button_wager(state.rules).prizes
    amount = Money(pick_weighted(prizes, stream_words(entropy, 0)))
    return cmd.DrawPrize(box=command.box, player=command.player, amount=amount)


def _decide_own(live: LiveTable, command: TableCommand, asking: Asking, funds: int) -> tuple[AnyTableEvent, ...]:
    match command:
        case WithdrawOrder() | ExpireOrder():
            return (_drop_order(live, command, asking),)
        case RestartClock():
            return (ClockRestarted(),)
        case BuyIn():
            return _buy_in(live, command, funds, asking.robot)
        case BringTokens():
            return (_bring_tokens(live, command, funds),)
        case LeaveTable():
            return _leave(live, command.player)
        case LoadManager():
            return (load_manager(live, command, asking.by),)
        case PayManager():
            return (pay_manager(live, command, asking.by),)
        case CallReady():
            return (ReadyCalled(player=command.player),)
        case GoAlong():
            return (AlongSet(player=command.player, on=command.on),)
    raise AssertionError(f"{type(command).__name__} has no answer")


def _buy_in(live: LiveTable, command: BuyIn, funds: int, robot: bool) -> tuple[AnyTableEvent, ...]:
    amount = parse_money(command.amount)
    if amount <= 0:
        raise Refused(f"a buy-in must be above zero, not {show(amount)}")
    _check_chips(live.table, amount)
    if live.kind is TableKind.PRACTICE:
        if to_grains(amount) + live.purses.get(command.player, 0) > to_grains(MOST_PLAY_CHIPS):
            raise Refused(f"nobody practises with more than {show(MOST_PLAY_CHIPS)}")
    elif to_grains(amount) > funds:
        raise Refused(f"{command.player} has {show(from_grains(funds))}, and this takes {show(amount)}")
    if command.player in live.table.floor.barred:
        clauses = live.table.floor.barred[command.player]
        raise Refused(f"{command.player} may not take part in this game", clauses)
    if live.kept.stream:
        raise Refused(f"the table is closed: it serves {live.kept.stream} alone", live.kept.clauses)
    if live.table.floor.closed:
        raise Refused("the table is closed")
    return (ChipsBought(player=command.player, amount=amount, robot=robot),)


def _keep_table(command: KeepTable, by: Asker) -> tuple[AnyTableEvent, ...]:
    """What a table is kept for says so itself."""
    if by != SYSTEM:
        raise Refused("what a table is kept for says so itself")
    return (TableKept(stream=command.stream, clauses=command.clauses),)


def _bring_tokens(live: LiveTable, command: BringTokens, funds: int) -> TokensBrought:
    """Promotional tokens come to a table of a game that takes them."""
    rules, amount = live.table.rules, parse_money(command.amount)
    clauses = rules.cite("media").clauses
    if TOKENS not in rules.media:
        taken = " or ".join(word.replace("-", " ") for word in rules.media)
        raise Refused(f"wagers are made in {taken} in this game, not in promotional tokens", clauses)
    if live.kind is TableKind.PRACTICE:
        raise Refused("at a practice table there are only play chips", clauses)
    if amount <= 0:
        raise Refused(f"tokens are brought above zero, not {show(amount)}", clauses)
    if to_grains(amount) > funds:
        raise Refused(
            f"{command.player} has {show(from_grains(funds))} in promotional tokens, and this takes {show(amount)}",
            clauses,
        )
    return TokensBrought(player=command.player, amount=amount, clauses=clauses)


def _leave(live: LiveTable, player: str) -> tuple[AnyTableEvent, ...]:
    in_tokens = any(find_bettor(wager) == player for wager in live.staked.promotional)
    if live.staked.chips.get(player, ZERO) or in_tokens:
        raise Refused("you have a wager on the layout: take it off, or wait until it is decided")
    paid = hand_back_manager(live, player)
    chips = from_grains(live.purses[player]) + sum((event.chips for event in paid), ZERO)
    cashed = ChipsCashed(player=player, amount=chips)
    if any(arrival.player == player for arrival in live.table.arrivals):
        decision = decide(live.table, cmd.Leave(player=player), Asker(PLAYER, player))
        if isinstance(decision, Refusal):
            raise Refused(decision.reason, decision.clauses)
        return (*decision.events, *paid, cashed)
    return (*paid, cashed)


# ---------------------------------------------------------------------- the second person


def _is_correction(command: cmd.Command, by: Asker) -> bool:
    """A person voids something or puts it right; what the machine does follows from an order that was given."""
    return bool(by.name) and isinstance(command, CORRECTIONS)


def _weigh(live: LiveTable, granted: Granted) -> int:
    """What a correction is about, in grains: the chips that it moves, and those that lie on the layout."""
    moved = sum(moved.amount for moved in granted.transfers if moved.unit is not Unit.TOKEN)
    before, after = (sum(to_grains(chips) for chips in at.staked.chips.values()) for at in (live, granted.live))
    return max(moved, before, after)


def _wait_for_second(live: LiveTable, command: cmd.Command, asking: Asking, amount: int) -> OrderAsked:
    until = max(asking.at_ms, live.at_ms) + asking.second_within_ms
    return OrderAsked(
        number=live.orders_counted + 1, order=command, by=asking.by, amount=from_grains(amount), until_ms=until
    )


def _find_asked(live: LiveTable, number: int) -> OrderAsked:
    asked = next((item for item in live.asked_orders if item.number == number), None)
    if asked is None:
        raise Refused(f"no order {number} waits for a second person")
    return asked


def _confirm_order(live: LiveTable, command: ConfirmOrder, asking: Asking) -> Granted | Refusal:
    """Somebody else, who could give the order themselves, agrees: it is carried out as it was asked."""
    asked = _find_asked(live, command.number)
    by, order = asking.by, asked.order
    if by.name == asked.by.name:
        raise Refused(f"{by.name} has asked for this: somebody else confirms it")
    if max(asking.at_ms, live.at_ms) >= asked.until_ms:
        raise Refused(f"order {command.number} was to be confirmed sooner: give it again")
    assert isinstance(order, cmd.Order)
    own = _carry_out(live, replace(order, role=by.role, person=by.name), by, asking.at_ms)
    if isinstance(own, Refusal):
        return own
    confirmed = OrderConfirmed(number=command.number, by=by)
    return _carry_out(live, order, asked.by, asking.at_ms, (confirmed,))


def _drop_order(live: LiveTable, command: WithdrawOrder | ExpireOrder, asking: Asking) -> OrderDropped:
    asked = _find_asked(live, command.number)
    if isinstance(command, ExpireOrder):
        if asking.at_ms < asked.until_ms:
            raise Refused(f"order {command.number} has time until {asked.until_ms}")
        return OrderDropped(number=command.number, why="expired")
    rules = live.table.rules
    if asking.by.name != asked.by.name and rules.rank(asking.by.role) < rules.rank(asked.by.role):
        raise Refused(f"{asked.by.name} withdraws this, or somebody of the same rank or above")
    if not command.reason:
        raise Refused(f"the {asking.by.role} must give a reason")
    return OrderDropped(number=command.number, why="withdrawn", reason=command.reason)
