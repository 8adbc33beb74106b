"""Drills for dealers and players: decisions by basic strategy, payouts, and counting cards.

Questions about hands and payouts are dealt at a table of the game, so that what is legal and what is paid is what the
table says; basic strategy is the best chart that the advisor knows. A drill draws everything from its seed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence

import msgspec

from pitboss.cards import VALUE, Card, decks
from pitboss.errors import PitbossError
from pitboss.money import Money, MoneyError, parse_money, show
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Refusal
from pitboss.table.messages import commands as cmd
from pitboss.table.meters import default_meters
from pitboss.table.shoe.draws import pick_one
from pitboss.table.shoe.shuffle import shuffle_cards
from pitboss.table.state import Settlement
from pitboss.tui.help.weighing import about
from pitboss.tui.session import chance
from pitboss.tui.session.choices import Choice
from pitboss.tui.session.moves import OFFERS, Ask, MoveKind, name_offers, next_move
from pitboss.tui.session.player_log import cards_text
from pitboss.tui.session.robots import Advisor, NoAdvisor
from pitboss.tui.session.session import Session, begin_session, perform
from pitboss.tui.session.setup import Setup, seats

TRIES = 400
"""Deals after which a drill gives up looking for a question."""
STAKES = tuple(Money(text) for text in ("5", "7.5", "10", "12.5", "15", "20", "25", "35", "40", "55", "75", "110"))
"""Wagers of the drill in payouts."""
CARDS_COUNTED = (12, 16, 20, 24)
CARDS_AT_A_TIME = 4


class DrillKind(enum.StrEnum):
    """What is practised."""

    HANDS = "hands"
    PAYOUTS = "payouts"
    COUNTING = "counting"


class DrillQuestion(msgspec.Struct, frozen=True):
    """One question and its answer."""

    shown: tuple[str, ...]
    """What there is to look at, one step after another."""
    asks: str
    right: str
    """The key of an answer, or a number."""
    why: str
    answers: tuple[tuple[str, str], ...] = ()
    """Keys and what they stand for; nothing where a number is to be typed."""

    def is_right(self, given: str) -> bool:
        """The answer is the right one."""
        if self.answers:
            return given == self.right
        try:
            return parse_money(given.lstrip("+")) == parse_money(self.right)
        except MoneyError:
            return False


class Drill:
    """Asks one question after another and keeps the score."""

    def __init__(self, kind: DrillKind, rules: Rules, advisor: Advisor, seed: str) -> None:
        self.kind = kind
        self.rules = rules
        self.advisor = advisor
        self.seed = seed
        self.asked = 0
        self.right = 0

    def ask(self) -> DrillQuestion:
        """The next question; says why if there can be none."""
        seed = f"{self.seed} {self.kind} {self.asked}"
        if self.kind is DrillKind.HANDS:
            return ask_hand(self.rules, self.advisor, seed)
        return ask_payout(self.rules, seed) if self.kind is DrillKind.PAYOUTS else ask_count(self.rules, seed)

    def answer(self, question: DrillQuestion, given: str) -> str:
        """Take an answer and say whether it was right."""
        right = question.is_right(given)
        self.asked += 1
        self.right += right
        return f"{'Right' if right else 'Wrong'}. {question.why} {self.right} of {self.asked} right."


# ---------------------------------------------------------------------- hands


def ask_hand(rules: Rules, advisor: Advisor, seed: str) -> DrillQuestion:
    """A decision by basic strategy: a hand in turn, or insurance, even money or surrender where they are offered."""
    for number, session in enumerate(_deal_rounds(rules, seed, side_wagers=False)):
        decisions = [(ask, now) for ask, now in _play_on(session) if len(_list_answers(ask)) > 1]
        if decisions:
            return _ask_decision(*pick_one(decisions, chance.seed_stream(seed, "decision", number)), advisor)
    raise PitbossError("no hand of this game leaves a choice")


def _list_answers(ask: Ask) -> list[Choice]:
    """What basic strategy chooses from: nothing at a question of another kind."""
    if ask.kind is MoveKind.OFFERS:
        return [choice for choice in ask.choices if isinstance(choice.command, (*OFFERS, cmd.Proceed))]
    in_turn = ask.choices if ask.kind is MoveKind.TURN else ()
    return [choice for choice in in_turn if not isinstance(choice.command, cmd.PlayAbsent | cmd.Proceed)]


def _ask_decision(ask: Ask, now: Session, advisor: Advisor) -> DrillQuestion:
    choices = _list_answers(ask)
    place = advisor.by_chart(now.state, [choice.command for choice in choices])
    if place is None:
        raise PitbossError("the basic strategy of this table is not known yet: try again in a moment")
    best, hand = choices[place], about(now.state, ask.box)
    declined = f"no {name_offers(choice.command for choice in choices)}"
    told = declined if isinstance(best.command, cmd.Proceed) else best.name
    answers = tuple((choice.key, choice.name) for choice in choices)
    return DrillQuestion((hand,), "What does basic strategy do?", best.key, f"{hand}: {told}.", answers)


# ---------------------------------------------------------------------- payouts


def ask_payout(rules: Rules, seed: str) -> DrillQuestion:
    """A winning wager that does not simply pay its stake."""
    for session in _deal_rounds(rules, seed, side_wagers=True):
        _, after = list(_play_on(session))[-1]
        odd = [settled for settled in after.state.settlements if _is_odd(rules, settled)]
        if odd:
            settled = pick_one(odd, chance.seed_stream(seed, "wager"))
            hands = [f"Dealer {cards_text(after.state.dealer)}"]
            hands += [f"Box {box.number}: {cards_text(hand.cards)}" for box in after.state.boxes for hand in box.hands]
            won = f"{show(settled.net)} on {show(settled.stake)}"
            told = next(line.text for line in reversed(after.lines) if won in line.text)
            cited = f" [{settled.clauses[0]}]" if settled.clauses else ""
            asks = f"{_name_wager(rules, settled)}, on a wager of {show(settled.stake)}. How much is paid?"
            return DrillQuestion(tuple(hands), asks, show(settled.net), f"{told}{cited}")
    raise PitbossError("no wager of this game pays anything but its stake")


def _is_odd(rules: Rules, settled: Settlement) -> bool:
    """A payment worth asking for: not even money, and neither a meter nor a prize that is drawn."""
    side = rules.side_wager(settled.wager)
    known = side is None or not (side.meters or side.prizes)
    return known and settled.stake > 0 and settled.net > 0 and settled.net != settled.stake


def _name_wager(rules: Rules, settled: Settlement) -> str:
    side = rules.side_wager(settled.wager)
    if side is not None:
        return f"{side.name}: {settled.outcome.replace('-', ' ')}"
    if settled.wager == "insurance":
        return "Insurance wins"
    return rules.natural_name if settled.outcome == "natural" else f"The hand wins: {settled.outcome.replace('-', ' ')}"


# ---------------------------------------------------------------------- counting


def count_hi_lo(cards: Sequence[Card]) -> int:
    """The running count of Hi-Lo: 2 to 6 count one up, tens and aces one down."""
    return sum(1 if 2 <= VALUE[card] <= 6 else -1 if VALUE[card] in (1, 10) else 0 for card in cards)


def ask_count(rules: Rules, seed: str) -> DrillQuestion:
    """Cards to be counted as they are dealt."""
    source = chance.seed_stream(seed, "cards")
    pack = shuffle_cards(decks(rules.decks, rules.deck_cards), chance.entropy(seed, "shoe"))
    cards = pack[: pick_one(CARDS_COUNTED, source)]
    groups = tuple(
        cards_text(cards[start : start + CARDS_AT_A_TIME]) for start in range(0, len(cards), CARDS_AT_A_TIME)
    )
    count = count_hi_lo(cards)
    left = (len(pack) - len(cards)) / rules.deck_cards
    why = f"The running count is {count:+d}; with {left:.1f} decks left the true count is {count / left:+.1f}."
    return DrillQuestion(groups, "What is the running count (Hi-Lo)?", str(count), why)


# ---------------------------------------------------------------------- dealing


def _deal_rounds(rules: Rules, seed: str, *, side_wagers: bool) -> Iterator[Session]:
    """Rounds of the game that were just dealt, each from a shoe of its own."""
    own, _ = seats(rules, 0, 0, ())
    setup = Setup(game=rules.game, choices={}, seed=seed, box=own, bankroll=Money(100000), meters=default_meters(rules))
    for number in range(TRIES):
        cards = shuffle_cards(decks(rules.decks, rules.deck_cards), chance.entropy(seed, "shoe", number))
        session = _give(begin_session(setup, rules), cmd.LoadShoe(cards=cards))
        while isinstance(move := next_move(session, NoAdvisor()), cmd.Command):
            session = _give(session, move)
        stakes = chance.seed_stream(seed, "stakes", number)
        wagers = ["main", *(side.id for side in rules.side_wagers if side_wagers)]
        for wager in wagers:
            amount = pick_one(STAKES, stakes)
            bet = cmd.PlaceBet(box=own, player=session.me, amount=amount, wager=wager, seated=wager == "main")
            session = _try(session, bet)
        yield _give(session, cmd.Deal())


def _play_on(session: Session) -> Iterator[tuple[Ask, Session]]:
    """The questions of a round in their order, each with the table then; insured, and stood where that is possible."""
    while True:
        move = next_move(session, NoAdvisor())
        if not isinstance(move, Ask):
            session = _give(session, move)
            continue
        yield move, session
        if move.kind is MoveKind.NEXT:
            return
        keys = {choice.key: choice.command for choice in move.choices}
        wanted = next((keys[key] for key in ("i", "space", "s", "h") if key in keys), move.choices[0].command)
        session = _give(session, wanted)


def _try(session: Session, command: cmd.Command) -> Session:
    """The session after a command, or as it was where the table refuses."""
    answer = perform(session, command)
    return session if isinstance(answer, Refusal) else answer[0]


def _give(session: Session, command: cmd.Command) -> Session:
    answer = perform(session, command)
    if isinstance(answer, Refusal):
        raise PitbossError(answer.reason)
    return answer[0]
