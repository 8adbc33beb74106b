"""What happens next at a table: something that nobody has to be asked about, or a question to the player.

`next_move` is asked again and again. It answers with a command that the dealer, the jackpot system or a robot gives,
or with an `Ask`: what the player may do now, each choice with its key and its command. Only what the table would
accept is offered.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from pitboss.money import ZERO, Money, show
from pitboss.table import Refusal, decide, legal
from pitboss.table.messages import commands as cmd
from pitboss.table.meters import PICK_ONE_IN
from pitboss.table.round.sides import button_wager
from pitboss.table.shoe.draws import draw_number, pick_one, pick_weighted
from pitboss.table.state import Box, Pending, Phase, State
from pitboss.tui.session import chance, robots
from pitboss.tui.session.choices import Choice, add_player, choices_of, sharers_on, with_sharers
from pitboss.tui.session.player_log import amount_text, cards_text
from pitboss.tui.session.robots import Advisor
from pitboss.tui.session.session import Session, belongs_to, price_of
from pitboss.tui.session.setup import Robot
from pitboss.tui.session.shoe_steps import CutQuestion, shoe_move

OFFERS: Mapping[type[cmd.Command], str] = {
    cmd.Insure: "insurance",
    cmd.TakeEvenMoney: "even money",
    cmd.Surrender: "surrender",
}
"""What may be taken before play, as people call it."""


class MoveKind(enum.StrEnum):
    """What the player is asked."""

    BETS = "bets"
    CUT = "cut"
    OFFERS = "offers"
    TURN = "turn"
    JOIN = "join"
    NEXT = "next"


class Ask(msgspec.Struct, frozen=True):
    """The table waits for the player."""

    kind: MoveKind
    prompt: str
    choices: tuple[Choice, ...] = ()
    box: str = ""
    cut: CutQuestion | None = None
    rebuy: Money | None = None
    """What the player may buy in for again, having less left than the minimum."""

    @property
    def resting_place(self) -> int:
        """The place of the choice that changes nothing, which Enter takes by default; -1 where there is none."""
        if len(self.choices) == 1:
            return 0
        harmless = "n" if self.kind is MoveKind.JOIN else "space"
        return next((at for at, choice in enumerate(self.choices) if choice.key == harmless), -1)


def next_move(session: Session, advisor: Advisor) -> cmd.Command | Ask:
    """What happens next."""
    state = session.state
    moved = shoe_move(session.setup, state)
    if isinstance(moved, CutQuestion):
        return Ask(MoveKind.CUT, "The cards are shuffled. Cut them?", cut=moved)
    if moved is not None:
        return moved
    if state.phase is Phase.BETTING:
        return _robot_bet(session) or _ask_bets(session)
    if state.phase is Phase.SETTLED:
        return Ask(MoveKind.NEXT, _verdict(session), (Choice("space", "next round", cmd.NextRound()),))
    picked = _system_pick(session)
    if picked is not None:
        return picked
    if state.phase is Phase.OFFERS:
        return _offers(session, advisor)
    return _turn(session, advisor)


def calls_deal(session: Session) -> tuple[cmd.Command, ...]:
    """What follows when the player has bet and the dealer calls: robots that share the player's box, then the deal."""
    return (*_sharers_bets(session), cmd.Deal())


# ---------------------------------------------------------------------- betting


def _least(session: Session) -> Money:
    return session.setup.limits.minimum or session.setup.limits.chip or Money(1)


def _bet(session: Session, robot: Robot) -> cmd.PlaceBet:
    setup = session.setup
    amount = robots.stake(setup, robot, session.state.round, _least(session), setup.limits.maximum)
    return cmd.PlaceBet(box=robot.box, player=robot.name, amount=amount, seated=not robot.sharer)


def _robot_bet(session: Session) -> cmd.Command | None:
    """The next wager of a robot with a box of its own."""
    for robot in session.setup.robots:
        placed = {bet.wager for bet in session.state.bets if bet.player == robot.name}
        if robot.sharer:
            continue
        if "main" not in placed:
            return _bet(session, robot)
        offered = [side.id for side in session.rules.side_wagers if _robot_may(side.placed_by)]
        wish = robots.side_wager(session.setup, robot, session.state.round, offered)
        if wish is not None and wish not in placed:
            return cmd.PlaceBet(box=robot.box, player=robot.name, amount=_least(session), wager=wish)
    return None


def _robot_may(placed_by: str) -> bool:
    return placed_by in ("own-main-wager", "box-has-main-wager", "controller")


def _sharers_bets(session: Session) -> tuple[cmd.PlaceBet, ...]:
    mine = {bet.box for bet in session.state.bets if bet.player == session.me and bet.wager == "main"}
    there = {bet.player for bet in session.state.bets}
    return tuple(
        _bet(session, robot)
        for robot in session.setup.robots
        if robot.sharer and robot.box in mine and robot.name not in there
    )


def _ask_bets(session: Session) -> Ask:
    placed = [bet for bet in session.state.bets if bet.player == session.me and bet.wager == "main"]
    choices = [Choice("space", "deal", cmd.Deal())] if placed else []
    if not placed and last_bets(session):
        total = sum((price_of(session.state, bet, session.me) for bet in last_bets(session)), ZERO)
        if total <= session.available:
            choices.append(Choice("n", "same again", last_bets(session)[0], show(total)))
    if not placed and any(bet.wager == "main" for bet in session.state.bets):
        choices.append(Choice("o", "sit out", cmd.Deal()))
    wish_to_see = cmd.ShowBurntCard(player=session.me)
    if not isinstance(decide(session.state, wish_to_see), Refusal):
        choices.append(Choice("u", "see burnt card", wish_to_see))
    if not placed and session.available < _least(session):
        left, least = amount_text(session.available), show(_least(session))
        prompt = f"You have {left} left, and the minimum is {least}. Buy in again?"
        return Ask(MoveKind.BETS, prompt, tuple(choices), rebuy=session.setup.bankroll)
    prompt = "No more bets when you are ready." if placed else "Place your bets."
    return Ask(MoveKind.BETS, prompt, tuple(choices))


def last_bets(session: Session) -> tuple[cmd.PlaceBet, ...]:
    """The player's wagers of the last round in which there were any, as commands to place them again."""
    if session.last is None:
        return ()
    found: dict[tuple[str, str], cmd.PlaceBet] = {}
    for step in session.last.steps:
        command = step.command
        if isinstance(command, cmd.PlaceBet) and command.player == session.me:
            before = found.get((command.box, command.wager))
            amount = command.amount + (before.amount if before is not None else ZERO)
            found[command.box, command.wager] = replace(command, amount=amount)
        elif isinstance(command, cmd.RemoveBet) and command.player == session.me:
            found.pop((command.box, command.wager), None)
    offered = {"main", *(side.id for side in session.rules.side_wagers)}
    return tuple(bet for bet in found.values() if bet.wager in offered)


# ---------------------------------------------------------------------- the jackpot system


def _system_pick(session: Session) -> cmd.Command | None:
    """Now and then the jackpot system picks a box that has its wager."""
    state = session.state
    for side in session.rules.side_wagers:
        for pick, one_in in PICK_ONE_IN.items():
            boxes = [bet.box for bet in state.sides if bet.wager == side.id] if pick in side.odds else []
            if not boxes or any(settled.outcome == pick for settled in state.settlements):
                continue
            source = chance.seed_stream(session.setup.seed, "pick", pick, state.round)
            if draw_number(one_in, source) == 0:
                return cmd.SystemPick(pick=pick, box=pick_one(boxes, source))
    return None


def draw_machine_prize(session: Session, box: str, player: str) -> cmd.DrawPrize:
    """What the jackpot button draws when it is pressed for this wager."""
    side = button_wager(session.rules)
    source = chance.seed_stream(session.setup.seed, "prize", session.state.round, box, player)
    return cmd.DrawPrize(box=box, player=player, amount=Money(pick_weighted(side.prizes, source)))


# ---------------------------------------------------------------------- offers


def _offers(session: Session, advisor: Advisor) -> cmd.Command | Ask:
    state, me = session.state, session.me
    for box, player in state.prizes_due:
        if player != me:
            return draw_machine_prize(session, box, player)
    if state.prizes_due:
        box, _ = state.prizes_due[0]
        press = Choice("b", "press the button", draw_machine_prize(session, box, me))
        return Ask(MoveKind.OFFERS, "Your natural wins a prize: press the button.", (press,), box)
    options = legal(state)
    taken = _robots_offers(session, options, advisor)
    if taken is not None:
        return taken
    mine = [command for command in options if belongs_to(state, command, me)]
    if not any(isinstance(command, tuple(OFFERS)) for command in mine):
        return cmd.Proceed()
    choices = [*choices_of(session, mine, advisor), Choice("space", "continue", cmd.Proceed())]
    prompt = f"{name_offers(mine).capitalize()}? Take it, or continue."
    return Ask(MoveKind.OFFERS, prompt, tuple(choices), _first_box(choices))


def _first_box(choices: list[Choice]) -> str:
    return next((str(getattr(choice.command, "box", "")) for choice in choices), "")


def name_offers(commands: Iterable[cmd.Command]) -> str:
    """What may be taken before play: `insurance or surrender`."""
    kinds = {type(command) for command in commands}
    return " or ".join(name for kind, name in OFFERS.items() if kind in kinds)


def _robots_offers(session: Session, options: tuple[cmd.Command, ...], advisor: Advisor) -> cmd.Command | None:
    """Something that a robot wants of what is on offer."""
    state = session.state
    for robot in session.setup.robots:
        for command in options:
            if not isinstance(command, tuple(OFFERS)):
                continue
            if not belongs_to(state, command, robot.name):
                continue
            wanted = robots.decide_for(session.setup, robot, state, (cmd.Proceed(), command), advisor)
            if wanted == command:
                return replace(command, by=robot.name)
    return None


# ---------------------------------------------------------------------- turns


def _turn(session: Session, advisor: Advisor) -> cmd.Command | Ask:
    state = session.state
    if state.turn is None:
        raise AssertionError("boxes are in turn, and none acts")
    box = state.boxes[state.turn[0]]
    options = legal(state)
    if state.pending is Pending.RESCUE:
        return _rescue(session, box, options, advisor)
    if box.controller == session.me:
        mine = [command for command in options if belongs_to(state, command, session.me)]
        choices = choices_of(session, mine, advisor)
        if state.pending is Pending.SWITCH:
            choices.append(Choice("space", "keep the cards", cmd.Proceed()))
        return Ask(MoveKind.TURN, _turn_prompt(state, box), tuple(choices), box.number)
    return _robots_turn(session, box, options, advisor)


def _turn_prompt(state: State, box: Box) -> str:
    hand = box.hands[state.turn[1] if state.turn is not None else 0]
    soft = "soft " if hand.points != hand.hard else ""
    which = f", hand {state.turn[1] + 1} of {len(box.hands)}" if state.turn is not None and len(box.hands) > 1 else ""
    if state.pending is Pending.SWITCH:
        return f"Area {box.area}: exchange the second cards?"
    cards = f"{cards_text(hand.cards)} is {soft}{hand.points} against {cards_text(state.dealer[:1])}"
    return f"Box {box.number}{which}: {cards}. What will you do?"


def _rescue(session: Session, box: Box, options: tuple[cmd.Command, ...], advisor: Advisor) -> cmd.Command | Ask:
    """Everybody who doubled may take it back: robots first, then the player."""
    back = [command for command in options if isinstance(command, cmd.Forfeit)]
    for robot in session.setup.robots:
        for command in back:
            if command.player == robot.name:
                wanted = robots.decide_for(session.setup, robot, session.state, (cmd.Proceed(), command), advisor)
                if wanted == command:
                    return command
    mine = [command for command in back if command.player == session.me]
    if not mine:
        return cmd.Proceed()
    hand = box.hands[session.state.turn[1] if session.state.turn is not None else 0]
    choices = [*choices_of(session, list(mine), advisor), Choice("space", "let it stand", cmd.Proceed())]
    return Ask(MoveKind.TURN, f"Your double came to {hand.points}. Take it back?", tuple(choices), box.number)


def _robots_turn(session: Session, box: Box, options: tuple[cmd.Command, ...], advisor: Advisor) -> cmd.Command | Ask:
    state = session.state
    robot = next(robot for robot in session.setup.robots if robot.name == box.controller)
    own = tuple(c for c in options if belongs_to(state, c, robot.name) and not isinstance(c, cmd.PlayAbsent))
    if state.pending is Pending.SWITCH:
        own = (cmd.Proceed(), *own)
    wanted = robots.decide_for(session.setup, robot, state, _modest_first(own), advisor)
    wanted = with_sharers(session, box, wanted, advisor, but=session.me)
    return _ask_to_join(session, box, wanted)


def _modest_first(options: tuple[cmd.Command, ...]) -> tuple[cmd.Command, ...]:
    """Standing before drawing, and both before anything that costs money."""
    order = (cmd.Proceed, cmd.Stand, cmd.Hit)
    return tuple(sorted(options, key=lambda o: order.index(type(o)) if type(o) in order else len(order)))


def _ask_to_join(session: Session, box: Box, command: cmd.Command) -> cmd.Command | Ask:
    """A robot calls for a box that the player shares: does the player go along?"""
    if session.me not in sharers_on(session, box):
        return command
    with_me = add_player(session, box, command, session.me)
    if with_me == command:
        return command
    price = price_of(session.state, with_me, session.me)
    if price > session.available:
        return command
    verb = {cmd.Double: "double", cmd.Split: "split", cmd.Surrender: "surrender"}[type(command)]
    detail = show(price) if price else ""
    return Ask(
        MoveKind.JOIN,
        f"{box.controller.capitalize()} wants to {verb} box {box.number}, where you have a wager. Will you, too?",
        (Choice("y", f"{verb} too", with_me, detail), Choice("n", "leave it", command)),
        box.number,
    )


def _verdict(session: Session) -> str:
    net = sum((s.net for s in session.state.settlements if s.player == session.me), ZERO)
    if not any(bet.player == session.me for bet in session.state.bets):
        return "The round is over."
    if not net:
        return "The round is over: you are even."
    return f"The round is over: you {'win' if net > 0 else 'lose'} {show(abs(net))}."
