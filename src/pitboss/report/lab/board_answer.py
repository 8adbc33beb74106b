"""A position on the board as it is shown: the table in words, each action with its worth in money, what is refused."""

from __future__ import annotations

from pitboss.errors import PitbossError
from pitboss.formats.wording import percent
from pitboss.money import Money, parse_stake
from pitboss.odds.advice.advise import Advice, advise
from pitboss.odds.advice.board_position import BoardPosition, Laid, lay_position, write_board_record
from pitboss.records.narrate.settlements import hand_words
from pitboss.report.lab.lab_answers import BoardAction, BoardAnswer, BoardBox, BoardHand, BoardRefusal, ShownNumber
from pitboss.rulebooks import Rules
from pitboss.table import Refusal, decide, legal_words
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Box, Phase

CARD_NAMES = {
    "A": "an ace", "2": "a two", "3": "a three", "4": "a four", "5": "a five", "6": "a six", "7": "a seven",
    "8": "an eight", "9": "a nine", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king",
}  # fmt: skip
INSURE, SWITCH, LEAVE = "insure", "switch", "leave"


def answer_board(rules: Rules, position: BoardPosition) -> BoardAnswer:
    """A position and what may be done in it."""
    parse_stake(position.stake)
    laid = lay_position(rules, position)
    advice = advise(laid.state, laid.left) if laid.waits_for_player else None
    return BoardAnswer(
        sentence=_say_where(laid, advice),
        due=laid.due,
        boxes=[_show_box(laid, box) for box in laid.state.boxes] or _show_named(position),
        dealer=list(laid.state.dealer) or position.up.split(),
        actions=[] if advice is None else _list_actions(laid, advice, Money(position.stake)),
        refused=[] if advice is None else _list_refused(laid, advice),
        natural=None if advice is None else ShownNumber(percent(advice.natural, 2), advice.natural),
        left=sum(laid.left.values()),
        error="" if advice is None or not advice.error_bound else f"{advice.error_bound:.2g} of the stake at most",
        record=_write_record(laid, rules),
    )


def _write_record(laid: Laid, rules: Rules) -> str:
    if laid.state.phase in (Phase.BETTING, Phase.DEALING) or laid.due not in ("", "dealer"):
        return ""
    try:
        return write_board_record(laid, f"A position of the lab: {rules.name}")
    except PitbossError:
        return ""


def _show_named(position: BoardPosition) -> list[BoardBox]:
    """The cards before all of the deal is there."""
    two = len(position.boxes) > 1
    return [
        BoardBox(f"1{'ab'[place]}" if two else "1", [BoardHand(text.split(), "", False)])
        for place, text in enumerate(position.boxes)
    ]


def _show_box(laid: Laid, box: Box) -> BoardBox:
    place = laid.state.boxes.index(box)
    turn = laid.state.turn if laid.state.phase is Phase.TURNS and not laid.due else None
    hands = [
        BoardHand(list(hand.cards), hand_words(hand), turn == (place, number)) for number, hand in enumerate(box.hands)
    ]
    return BoardBox(box.number, hands)


def _say_where(laid: Laid, advice: Advice | None) -> str:
    """Where play stands."""
    state = laid.state
    if laid.due == "dealer" and state.phase in (Phase.BETTING, Phase.DEALING):
        return "Give the dealer a card."
    if laid.due and laid.due != "dealer":
        return f"Box {laid.due} gets a card: which?"
    if advice is None:
        return "The hand is over: nothing is left to decide."
    against = CARD_NAMES[state.dealer[0][0]]
    box = next(box for box in state.boxes if box.number == advice.box)
    hand = box.hands[advice.hand - 1]
    where = f"Box {box.number}" if len(box.hands) == 1 else f"Box {box.number}, hand {advice.hand}"
    return f"{where}: {hand_words(hand)} against {against}."


def _list_actions(laid: Laid, advice: Advice, stake: Money) -> list[BoardAction]:
    """The actions with their worth, the best first; then what may be done and has no worth of its own."""
    may = legal_words(laid.state)
    commands: dict[str, str] = {}
    for word in may:
        parts = word.split()
        verb = parts[1] if len(parts) > 1 else parts[0]
        if len(parts) == 1 or parts[0] in (advice.box, advice.box.rstrip("ab")):
            commands.setdefault(verb, word)
    own = {name: worth for name, worth in advice.actions.items() if name not in (INSURE, SWITCH, LEAVE)}
    pairs = {name: worth for name, worth in advice.actions.items() if name in (SWITCH, LEAVE)}
    insurance = {name: worth for name, worth in advice.actions.items() if name == INSURE}
    shown = [
        *_rank("area", pairs, commands, stake, max(pairs, key=lambda name: pairs[name], default="")),
        *_rank("hand", own, commands, stake, max(own, key=lambda name: own[name], default="")),
        *_rank("insurance", insurance, commands, stake, INSURE if insurance.get(INSURE, 0.0) > 0 else ""),
    ]
    valued = {action.action for action in shown}
    rest = [
        BoardAction(verb, "play", word, None, None, None, False)
        for verb, word in commands.items()
        if verb not in valued and verb == "proceed"
    ]
    return [*shown, *rest]


def _rank(about: str, worths: dict[str, float], commands: dict[str, str], stake: Money, best: str) -> list[BoardAction]:
    most = max(worths.values(), default=0.0)
    money = float(stake)
    return [
        BoardAction(
            name,
            about,
            commands.get(name, ""),
            ShownNumber(percent(worth, 2, sign=True), worth),
            ShownNumber(show_sum(worth * money), worth * money),
            ShownNumber(show_sum((worth - most) * money), (worth - most) * money),
            name == best,
        )
        for name, worth in sorted(worths.items(), key=lambda item: -item[1])
    ]


def show_sum(amount: float) -> str:
    """A gain or loss as money: `+3.35`, `-0.04`; small sums get more digits, so that no difference looks like none."""
    digits = 2 if abs(amount) >= 0.1 or not amount else 4
    return f"{round(amount, digits) or 0.0:+,.{digits}f}"


def _list_refused(laid: Laid, advice: Advice) -> list[BoardRefusal]:
    """The usual actions that are not open, with the clause that closes them."""
    box, found = advice.box, []
    usual: dict[str, cmd.Command] = {
        "hit": cmd.Hit(box=box), "stand": cmd.Stand(box=box), "split": cmd.Split(box=box),
        "double": cmd.Double(box=box), "surrender": cmd.Surrender(box=box),
    }  # fmt: skip
    for name, command in usual.items():
        if name in advice.actions:
            continue
        answer = decide(laid.state, command)
        if isinstance(answer, Refusal):
            found.append(BoardRefusal(name, answer.reason, list(answer.clauses)))
    return found
