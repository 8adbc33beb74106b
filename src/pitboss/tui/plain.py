"""The table line by line: for scripts, for pipes, and for those who listen to their terminal.

One line in, some lines out. A question names everything that may be answered; answers are words or the keys of the full
screen. Cards are spelled out. Nothing is drawn, nothing moves, and colour says nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from pitboss.errors import PitbossError
from pitboss.money import parse_money, show
from pitboss.rulebooks.registers import CLAUSE_LISTS, find, load_register
from pitboss.table import Refusal
from pitboss.table.messages import commands as cmd
from pitboss.tui.help.advice_sheet import farewell_lines, make_advice_sheet, summary_lines
from pitboss.tui.help.drills import Drill
from pitboss.tui.help.review import find_mistake, find_settled_round, review_lines
from pitboss.tui.help.shoe_sheet import shoe_lines
from pitboss.tui.help.weighing import weigh_next
from pitboss.tui.session.choices import KEYS, Choice, wish, with_amount
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.player_log import address, amount_text, cards_text, spoken
from pitboss.tui.session.session import list_moments

Ear = Callable[[], str | None]
"""The next line of the player's; none when there are no more."""
Voice = Callable[[str], None]
"""Says a line to the player."""

FAREWELL_SECONDS = 20
"""How long the last summary waits for what was to be expected."""

HELP = (
    "While betting: bet AMOUNT, bet BOX AMOUNT, either with a side wager after it; off, off BOX, off BOX WAGER; "
    "again; deal; sit out; burnt; rebuy once you are broke; retire to have the shoe put away.",
    "Cutting: cut, cut PLACE, no.",
    "Deciding: the words of the question or their first key; double AMOUNT and insure AMOUNT for less; "
    "box N after a word chooses a box; continue or an empty line declines.",
    "Always: table, advice, review, trainer, clauses, last, shoe, summary, help, quit.",
    "The session is saved: --resume resumes it.",
)

GO_ON = ("go", "next", "on", "keep", "let")
WORDS = dict.fromkeys(GO_ON, "space") | {"yes": "y", "no": "n", "press": "b", "button": "b"}
WORDS |= {name.split()[0]: key for key, name in KEYS.values()} | {"even-money": "e", "forfeit": "t", "absent": "a"}
"""The key that a word stands for."""


class LineTable:
    """A session played in lines."""

    def __init__(self, live: LiveSession, hear: Ear, say: Voice, *, trainer: bool = False) -> None:
        self.live = live
        self.trainer = trainer
        self.asked_about: Choice | None = None
        """The choice that the trainer has asked about: made once more, it counts."""
        self.hear = hear
        self.say = say
        self.kept = live.session.lines[-1:] if live.session.lines else ()

    def play(self) -> None:
        """Play until the player leaves or the input ends."""
        session = self.live.session
        limits = session.setup.limits
        self.say(f"{session.rules.name} ({session.rules.game}), {session.rules.decks} decks.")
        if limits.minimum is not None and limits.maximum is not None:
            self.say(f"Wagers from {show(limits.minimum)} to {show(limits.maximum)}.")
        self.say(f"You have {amount_text(session.bankroll)}.")
        while True:
            ask = self.live.go_on()
            self.tell_news()
            self.question(ask)
            line = self._hear_line()
            if line is None or line.strip().lower() in ("quit", "q", "leave"):
                break
            self.answer(ask, line.strip())
        self.farewell()

    def _hear_line(self) -> str | None:
        """The next line; the first Ctrl-C says how to leave, the second leaves."""
        try:
            return self.hear()
        except KeyboardInterrupt:
            self.say("Type quit to leave: the session is saved.")
            return self.hear()

    def farewell(self) -> None:
        """The summary of the session."""
        while weigh_next(self.live, None):
            pass
        for line in farewell_lines(self.live, FAREWELL_SECONDS):
            self.say(spoken(line))

    def tell_news(self) -> None:
        """What has happened since the last question."""
        lines = self.live.session.lines
        last = self.kept[-1] if self.kept else None
        at = max((place for place, line in enumerate(lines) if line is last), default=-1)
        for line in lines[at + 1 :]:
            cited = f" [{line.clauses[0]}]" if line.clauses else ""
            self.say(f"{spoken(line.text)}{cited}")
        self.kept = lines[-1:]

    # ------------------------------------------------------------------ asking

    def question(self, ask: Ask) -> None:
        """What is asked, and what may be answered."""
        session = self.live.session
        if ask.kind is MoveKind.BETS:
            sides = ", ".join(side.id for side in session.rules.side_wagers)
            offered = f" Side wagers: {sides}." if sides else ""
            self.say(
                f"{ask.prompt} You have {amount_text(session.available)}; your box is {session.setup.box}.{offered}"
            )
            words = ["bet", *(["off"] if self._mine() else []), *self._bet_words(ask)]
            if ask.rebuy is not None:
                words[0] = f"rebuy {amount_text(ask.rebuy)}"
            self.say(f"You may: {', '.join(words)}, help, quit.")
        elif ask.kind is MoveKind.CUT and ask.cut is not None:
            cut = ask.cut
            self.say(f"{ask.prompt} {cut.cards} cards; the cut may lie {cut.least} to {cut.most} from the front.")
            self.say("You may: cut, cut PLACE, no, help, quit.")
        else:
            self.say(spoken(ask.prompt))
            self.say(f"You may: {', '.join(self._choice_words(ask))}, advice, help, quit.")

    def _mine(self) -> bool:
        return any(bet.player == self.live.session.me for bet in self.live.session.state.bets)

    def _bet_words(self, ask: Ask) -> list[str]:
        names = {"space": "deal", "n": "again", "o": "sit out", "u": "burnt"}
        return [names[choice.key] for choice in ask.choices]

    def _choice_words(self, ask: Ask) -> list[str]:
        return [f"{choice.name} {choice.detail}".strip() for choice in ask.choices]

    # ------------------------------------------------------------------ answering

    def answer(self, ask: Ask, line: str) -> None:
        """Do what a line says, or say why not."""
        words = line.lower().split()
        if words and self._always(ask, words):
            return
        try:
            if ask.kind is MoveKind.BETS:
                refusal = self._bets(ask, words)
            elif ask.kind is MoveKind.CUT:
                refusal = self._cut(ask, words)
            else:
                refusal = self._choose(ask, words)
        except PitbossError as error:
            self.say(f"No: {error}.")
            return
        if refusal is not None:
            cited = f" (clause {refusal.clauses[0]})" if refusal.clauses else ""
            self.say(f"No: {spoken(address(refusal.reason, self.live.session.me))}{cited}.")

    def _always(self, ask: Ask, words: list[str]) -> bool:
        word = words[0]
        if word == "help":
            said = list(HELP)
        elif word in ("advice", "?"):
            said = make_advice_sheet(self.live, ask).lines()
        elif word in ("clause", "clauses", "c"):
            said = self._clauses(words[1:])
        elif word == "table":
            said = self._table()
        elif word == "last":
            said = self._last()
        elif word == "review":
            said = review_lines(self.live, None)
        elif word == "trainer":
            self.trainer = not self.trainer
            said = [f"The trainer is {'on: it asks before a mistake' if self.trainer else 'off'}."]
        elif word == "shoe":
            said = shoe_lines(self.live)
        elif word == "summary":
            said = summary_lines(self.live)
        else:
            return False
        for line in said:
            self.say(spoken(line))
        return True

    def _bets(self, ask: Ask, words: list[str]) -> Refusal | None:
        session = self.live.session
        if words and words[0] == "rebuy" and ask.rebuy is not None:
            self.live.rebuy(ask.rebuy)
            return None
        if words and words[0] == "retire":
            return self.live.do(cmd.RetireShoe())
        if not words or words[0] in ("deal", "space", "go"):
            if not self._mine():
                refusal = self.live.bet_again()
                if refusal is not None:
                    return refusal
            return self.live.deal()
        if words[0] in ("sit", "o"):
            return self.live.deal(sit_out=True)
        if words[0] in ("burnt", "u"):
            return self.live.do(cmd.ShowBurntCard(player=session.me))
        if words[0] in ("again", "n", "same"):
            return self.live.bet_again()
        if words[0] in ("bet", "b") and len(words) in (2, 3, 4):
            wager = "main" if len(words) == 2 or words[-1][:1].isdigit() else words.pop()
            box = words[1] if len(words) > 2 else session.setup.box
            return self.live.bet(box, parse_money(words[-1]), wager)
        if words[0] in ("off", "x") and len(words) <= 3:
            box = words[1] if len(words) > 1 else session.setup.box
            return self.live.take_off(box, words[2] if len(words) == 3 else "main")
        wanted = wish(session, WORDS.get(words[0], words[0]), session.setup.box)
        return self.live.do(wanted) if wanted is not None else self._not_understood(words)

    def _cut(self, ask: Ask, words: list[str]) -> Refusal | None:
        me, cut = self.live.session.me, ask.cut
        assert cut is not None
        if words and words[0] in ("no", "n"):
            return self.live.do(cmd.RefuseCut(player=me))
        if not words or words[0] == "cut":
            place = words[1] if len(words) > 1 else str((cut.least + cut.most) // 2)
            if not place.isdigit():
                return Refusal(f"'{place}' is not a number of cards", ())
            return self.live.do(cmd.Cut(by=me, at=int(place)))
        return self._not_understood(words)

    def _choose(self, ask: Ask, words: list[str]) -> Refusal | None:
        key = WORDS.get(words[0], words[0]) if words else "space"
        box = words[words.index("box") + 1] if "box" in words[:-1] else ""
        amounts = [word for at, word in enumerate(words[1:], 1) if words[at - 1] != "box" and word[:1].isdigit()]
        choice = self._choice(ask, key, box)
        if choice is not None:
            if self._trainer_asks(ask, choice):
                return None
            return self.live.do(self._with_amount(choice, amounts))
        wanted = wish(self.live.session, key, ask.box)
        return self.live.do(wanted) if wanted is not None else self._not_understood(words)

    def _trainer_asks(self, ask: Ask, choice: Choice) -> bool:
        """With the trainer on, a mistake is asked about once."""
        warning = find_mistake(self.live, ask, choice, None) if self.trainer and choice != self.asked_about else None
        self.asked_about = choice if warning is not None else None
        if warning is None:
            return False
        self.say(f"The trainer asks: are you sure? {warning.chosen} {warning.better} Say it again to do it anyway.")
        return True

    def _choice(self, ask: Ask, key: str, box: str) -> Choice | None:
        for choice in ask.choices:
            if choice.key == key and box in ("", getattr(choice.command, "box", "")):
                return choice
        return None

    def _with_amount(self, choice: Choice, amounts: list[str]) -> cmd.Command:
        if not amounts:
            return choice.command
        return with_amount(self.live.session, choice.command, parse_money(amounts[0]))

    def _not_understood(self, words: list[str]) -> Refusal:
        return Refusal(f"'{' '.join(words)}' is not one of the answers; help lists them", ())

    # ------------------------------------------------------------------ looking

    def _clauses(self, named: list[str]) -> list[str]:
        """The register's summary of a clause, or of those behind the last line that has any."""
        session = self.live.session
        last = next((line.clauses for line in reversed(session.lines) if line.clauses), ())
        wanted = (" ".join(named),) if named else last
        if session.rules.book not in CLAUSE_LISTS:
            return ["The register of this book is not part of the program."]
        found = [row for clause in wanted for row in find(load_register(session.rules.book), clause)]
        return [f"{row.clause}: {row.summary}" for row in found] or ["There is no such clause."]

    def _table(self) -> list[str]:
        """The layout in sentences."""
        state = self.live.session.state
        said = [f"The dealer has {cards_text(state.dealer)}."] if state.dealer else ["No cards are dealt."]
        for box in state.boxes:
            for number, hand in enumerate(box.hands, 1):
                which = f", hand {number}" if len(box.hands) > 1 else ""
                stakes = " and ".join(f"{self._name(s.player)} {show(s.money or s.base_token)}" for s in hand.stakes)
                said.append(f"Box {box.number}{which}: {cards_text(hand.cards)}, {hand.points}; {stakes}.")
        if not state.boxes:
            said += [f"Box {bet.box}: {self._name(bet.player)} {show(bet.amount)} {bet.wager}." for bet in state.bets]
        said += [f"The meter {name} shows {show(meter.value)}." for name, meter in state.meters.items()]
        return said

    def _name(self, player: str) -> str:
        return "you" if player == self.live.session.me else player

    def _last(self) -> list[str]:
        """The last settled round from its first wager on."""
        session = self.live.session
        played = find_settled_round(session)
        if played is None:
            return ["No round is settled yet."]
        return [line.text for _, said in list_moments(played, session.me) for line in said]


class LineDrill:
    """A drill held in lines."""

    def __init__(self, drill: Drill, hear: Ear, say: Voice) -> None:
        self.drill = drill
        self.hear = hear
        self.say = say

    def hold(self) -> None:
        """Ask until the player leaves or the input ends."""
        self.say(f"Drill: {self.drill.kind}, {self.drill.rules.name}. Type quit to leave.")
        while True:
            question = self.drill.ask()
            for text in question.shown:
                self.say(spoken(text))
            names = ", ".join(name for _, name in question.answers)
            self.say(f"{question.asks} You may: {names}." if names else question.asks)
            line = self.hear()
            if line is None or line.strip().lower() in ("quit", "q", "leave"):
                self.say(f"{self.drill.right} of {self.drill.asked} right.")
                return
            given = line.strip().lower()
            by_name = {name: key for key, name in question.answers}
            self.say(spoken(self.drill.answer(question, by_name.get(given, given))))
