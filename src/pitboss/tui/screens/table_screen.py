"""The screen on which a game is played: picture, log, bar; keys and mouse.

The screen shows states, not events: what a command led to is shown one step after another at a pace that the eye can
follow, and any key brings the table up to date at once. Nothing is decided here; a key is a choice that the table
offers, or a wish that the table answers with its clause.
"""

from __future__ import annotations

from functools import partial

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Container
from textual.screen import Screen
from textual.timer import Timer

from pitboss.money import Money, show
from pitboss.table import Refusal
from pitboss.table.messages import commands as cmd
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.draw import LEAST_HEIGHT, draw_table
from pitboss.tui.felt.palette import Palette
from pitboss.tui.felt.scene import scene_of
from pitboss.tui.felt.widgets import Picture
from pitboss.tui.help.review import TrainerWarning, find_mistake, find_settled_round
from pitboss.tui.help.weighing import weigh_next
from pitboss.tui.screens import panels
from pitboss.tui.screens.betting_hand import BettingHand
from pitboss.tui.screens.help_sheets import (
    ClauseScreen,
    HelpScreen,
    ReviewScreen,
    ShoeScreen,
    StepScreen,
    TrainerScreen,
)
from pitboss.tui.screens.modals import AllowedAmounts, AmountScreen, CutScreen, KeysScreen, SummaryScreen
from pitboss.tui.screens.panels import BarText, Button
from pitboss.tui.screens.slow_motion import SlowMotion
from pitboss.tui.screens.table_buttons import BAR_ROWS, list_buttons
from pitboss.tui.screens.typed_keys import HOW_TO_LEAVE, INTERRUPT, read_key
from pitboss.tui.session.choices import Choice, wish, with_amount
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.player_log import address
from pitboss.tui.session.session import perform

WEIGH_SECONDS = 0.5
"""How often it is asked whether a decision has been weighed."""

WIDE = 140
"""From this width on the log is beside the table."""

TALL = 32
"""From this height on the log has more rows."""

LOG_ROWS = 3

TRAINER_ON = "The trainer is on: it asks before a mistake. G turns it off."
TRAINER_OFF = "The trainer is off."


class TableScreen(Screen[None]):
    """One table."""

    DEFAULT_CSS = """
    TableScreen { layout: vertical; }
    #top { height: 1; }
    #middle { layout: vertical; height: 1fr; }
    #log { height: 3; }
    #bar { height: 3; }
    TableScreen.tall #log { height: 5; }
    TableScreen.taller #log { height: 20%; }
    TableScreen.wide #middle { layout: horizontal; }
    TableScreen.wide #log { width: 44; height: 1fr; }
    """

    def __init__(self, live: LiveSession, *, pace: float = 0.12, trainer: bool = False) -> None:
        super().__init__()
        self._bindings = BindingsMap()
        self.live = live
        self.motion = SlowMotion(live.session.state, pace=pace)
        self.ask: Ask | None = None
        self.text = BarText("")
        self.chosen = 0
        self.hand = BettingHand(live.session)
        self.trainer = trainer
        self.back = 0
        self.thinking = False
        self._timer: Timer | None = None

    # ------------------------------------------------------------------ layout

    def compose(self) -> ComposeResult:
        """The widgets, from top to bottom."""
        yield Picture(self._top, self._palette, id="top")
        with Container(id="middle"):
            yield Picture(self._felt, self._palette, id="felt")
            yield Picture(self._log, self._palette, id="log")
        yield Picture(self._bar, self._palette, id="bar")

    def on_mount(self) -> None:
        """Play begins."""
        self._timer = self.set_interval(self.motion.pace, self._tick, pause=True) if self.motion.pace else None
        self.set_interval(WEIGH_SECONDS, self._weigh)
        self._proceed()

    def _weigh(self) -> None:
        """Take in what decisions have turned out to cost, without waiting for it."""
        weigh_next(self.live)

    def on_resize(self, event: events.Resize) -> None:
        """The log is beside the table where there is room, otherwise below it."""
        self.set_class(event.size.width >= WIDE, "wide")
        self.set_class(event.size.width < WIDE and event.size.height >= TALL, "tall")
        self.set_class(event.size.width < WIDE and event.size.height >= 44, "taller")
        self._fit_bar()

    def _fit_bar(self) -> None:
        """The bar takes the rows it needs, the log what the smallest picture leaves; where there is room, its own."""
        width, height = self.size.width or 80, self.size.height or 24
        rows = min(panels.rows_of_buttons(self.buttons, width), 3)
        said = min(2, len(panels.fold_prompt(self.text, width, self._tray)))
        bar = max(BAR_ROWS, said + rows)
        small = width < WIDE and height < TALL
        for widget in self.query("#bar"):
            widget.styles.height = bar
        for log in self.query("#log"):
            log.styles.height = max(1, min(LOG_ROWS, height - 1 - bar - LEAST_HEIGHT)) if small else None

    def _palette(self) -> Palette:
        return self.app.felt_palette  # type: ignore[attr-defined, no-any-return]

    @property
    def mono(self) -> bool:
        """Nothing may depend on colour."""
        return self.app.no_color

    def _top(self, width: int, height: int) -> Canvas:
        return panels.top_line(self.live.session, width)

    def _felt(self, width: int, height: int) -> Canvas:
        betting = self.ask is not None and self.ask.kind is MoveKind.BETS and not self.motion.pending
        scene = scene_of(self.motion.shown, self.live.session.me, self.hand.box if betting else "", self.hand.spot)
        return draw_table(scene, width, height, mono=self.mono)

    def _log(self, width: int, height: int) -> Canvas:
        return panels.log_panel(self.live.session.lines, width, height, self.back)

    def _bar(self, width: int, height: int) -> Canvas:
        buttons = self.buttons
        return panels.draw_bar(self.text, buttons, self._focus(buttons), width, height, self._tray)

    @property
    def _tray(self) -> Money | None:
        """The chip that is picked up, while chips are on show: not beside a refusal, which needs the room."""
        betting = self.ask is not None and self.ask.kind is MoveKind.BETS and self.ask.rebuy is None
        return self.hand.chip if betting and self.text.tone != "bar.lose" else None

    def repaint(self) -> None:
        """Show everything as it is now."""
        self._fit_bar()
        for picture in self.query(Picture):
            picture.repaint()

    # ------------------------------------------------------------------ what can be done

    @property
    def buttons(self) -> list[Button]:
        """What the player can do now, as buttons."""
        return list_buttons(self.live.session, self.ask, self.hand, self.size.width or 80)

    def _focus(self, buttons: list[Button]) -> int:
        """The place of the button that Enter presses; -1 where Enter presses none."""
        if self.ask is not None and self.ask.kind is MoveKind.BETS:
            return next((at for at, button in enumerate(buttons) if button.key == "enter"), -1)
        return min(self.chosen, len(buttons) - 1)

    # ------------------------------------------------------------------ going on

    def _proceed(self) -> None:
        """Let things happen until the player is asked, thinking in the background where it takes time."""
        self.ask = None
        while not self.thinking:
            if self.live.may_take_long:
                self.thinking = True
                self._think()
                return
            move = self.live.move()
            if isinstance(move, Ask):
                self._answer_asked(move)
                return
            self._do(move)

    @work(thread=True, exclusive=True)
    def _think(self) -> None:
        """Ask for the next move away from the screen: a robot may have to work out what its choices are worth."""
        move = self.live.move()
        self.app.call_from_thread(self._thought, move)

    def _thought(self, move: cmd.Command | Ask) -> None:
        self.thinking = False
        if isinstance(move, Ask):
            self._answer_asked(move)
            return
        self._do(move)
        self.repaint()
        self._proceed()

    def _do(self, command: cmd.Command) -> Refusal | None:
        """Give a command and queue what it led to for the eye."""
        before = self.live.session.state
        refusal = self.live.do(command)
        if refusal is None:
            steps = self.live.session.round.steps
            self.motion.queue(before, steps[-1].events if steps else (), self.live.session.state)
            self._resume_timer()
        return refusal

    def _tick(self) -> None:
        """Show the next state that waits."""
        if not self.motion.step() and self._timer is not None:
            self._timer.pause()
        self.repaint()

    def _resume_timer(self) -> None:
        if self._timer is not None and self.motion.pending:
            self._timer.resume()

    def _catch_up(self) -> None:
        """Show the table as it stands."""
        self.motion.show(self.live.session.state)

    def _answer_asked(self, ask: Ask) -> None:
        self.ask = ask
        self.chosen = ask.resting_place
        self.back = 0
        self.text = BarText(ask.prompt)
        if ask.kind is MoveKind.BETS and ask.rebuy is None:
            self._say_spot()
        self.repaint()
        if ask.kind is MoveKind.CUT and ask.cut is not None:
            self.app.push_screen(CutScreen(ask.cut, self._palette()), self._cut)

    def _cut(self, at: int | None) -> None:
        me = self.live.session.me
        self._give(cmd.RefuseCut(player=me) if at is None else cmd.Cut(by=me, at=at))

    def _give(self, command: cmd.Command) -> None:
        """A command of the player's."""
        self._answer(self._do(command))

    def _answer(self, refusal: Refusal | None) -> None:
        """Go on, or say why not."""
        if refusal is None:
            self._proceed()
        else:
            self._refuse(refusal)

    def _refuse(self, refusal: Refusal) -> None:
        cited = f" [clause {refusal.clauses[0]}]" if refusal.clauses else ""
        said = address(refusal.reason, self.live.session.me)
        self.text = BarText(f"{said[:1].upper()}{said[1:]}.{cited}", "bar.lose")
        self.repaint()

    # ------------------------------------------------------------------ keys

    def on_key(self, event: events.Key) -> None:
        """Any key first brings the table up to date; then it does what it stands for."""
        key = read_key(event)
        late = bool(self.motion.pending)
        self._catch_up()
        if self.thinking and key not in ("q", INTERRUPT):
            self.repaint()
            return
        if late and key in ("space", "enter") and self.ask is not None and self.ask.kind is MoveKind.NEXT:
            self.repaint()
            return
        self.press(key)
        self.repaint()

    def press(self, key: str) -> None:
        """What a key does."""
        if self._press_always(key) or self.ask is None:
            return
        if key in ("pageup", "pagedown"):
            self.back = max(0, self.back + (3 if key == "pageup" else -3))
        elif self.ask.kind is MoveKind.BETS:
            self._press_bets(key)
        else:
            self._press_choice(key)

    def _press_always(self, key: str) -> bool:
        session = self.live.session
        if key == "question_mark":
            self.app.push_screen(HelpScreen(self.live, self.ask, self._palette()))
        elif key == "c":
            self.app.push_screen(ClauseScreen(session, self._palette()))
        elif key == "k":
            self.app.push_screen(KeysScreen(self._palette()))
        elif key in ("v", "x"):
            if find_settled_round(session) is None:
                self.text = BarText("No round is settled yet: there is nothing to look back on.", "bar.lose")
            elif key == "v":
                self.app.push_screen(StepScreen(session, self._palette(), mono=self.mono))
            else:
                self.app.push_screen(ReviewScreen(self.live, self._palette()))
        elif key == "z":
            self.app.push_screen(ShoeScreen(self.live, self._palette()), self._put_away)
        elif key == "j":
            self.app.push_screen(self.app.make_drill(session.rules))  # type: ignore[attr-defined]
        elif key == "g":
            self.trainer = not self.trainer
            self.text = BarText(TRAINER_ON if self.trainer else TRAINER_OFF)
        elif key == INTERRUPT:
            self.text = BarText(HOW_TO_LEAVE, "bar.lose")
        elif key == "q":
            self.app.push_screen(SummaryScreen(self.live, self._palette()), self._answer_left)
        else:
            return False
        return True

    def _answer_left(self, leave: bool | None) -> None:
        if leave:
            self.app.exit()

    def _put_away(self, wanted: bool | None) -> None:
        """The dealer puts the shoe away, if the table lets that be done now."""
        if wanted:
            self._answer(self._refresh(self.live.do(cmd.RetireShoe())))

    def _press_choice(self, key: str) -> None:
        assert self.ask is not None
        choices = self.ask.choices
        if key in ("left", "right", "up", "down"):
            count, forward = len(self.buttons), key in ("right", "down")
            begun = self.chosen if self.chosen >= 0 or forward else 0
            self.chosen = (begun + (1 if forward else -1)) % count
            return
        if key == "enter":
            buttons = self.buttons
            at = self._focus(buttons)
            if at < 0:
                self.text = BarText("Press the key of your choice, or choose with ← → first.")
            else:
                self.press(buttons[at].key)
            return
        if key == "f" and any(choice.most is not None for choice in choices):
            self._for_less(next(choice for choice in choices if choice.most is not None))
            return
        choice = self._choice(key)
        if choice is not None:
            self._choose(choice)
            return
        wanted = wish(self.live.session, key, self.hand.box)
        if wanted is not None:
            self._answer(self._do(wanted))

    def _choice(self, key: str) -> Choice | None:
        """The choice of a key; of several with the same key the one that is highlighted, else the first."""
        assert self.ask is not None
        found = [choice for choice in self.ask.choices if choice.key == key]
        if 0 <= self.chosen < len(self.ask.choices) and self.ask.choices[self.chosen] in found:
            return self.ask.choices[self.chosen]
        return found[0] if found else None

    def _choose(self, choice: Choice) -> None:
        """Do what was chosen; with the trainer on, a mistake is asked about first."""
        assert self.ask is not None
        if not self.trainer or self.ask.kind is MoveKind.NEXT:
            self._give(choice.command)
            return
        self.thinking = True
        self.text = BarText("The trainer looks at your choice...")
        self._ask_trainer(self.ask, choice)

    @work(thread=True, exclusive=True)
    def _ask_trainer(self, ask: Ask, choice: Choice) -> None:
        """Price the choice away from the screen."""
        warning = find_mistake(self.live, ask, choice, None)
        self.app.call_from_thread(self._hear_trainer, choice, warning)

    def _hear_trainer(self, choice: Choice, warning: TrainerWarning | None) -> None:
        self.thinking = False
        assert self.ask is not None
        self.text = BarText(self.ask.prompt)
        if warning is None:
            self._give(choice.command)
            return

        def give(sure: bool | None) -> None:
            if sure:
                self._give(choice.command)

        self.repaint()
        self.app.push_screen(TrainerScreen(warning, choice.key, self._palette()), give)

    def _for_less(self, choice: Choice) -> None:
        session = self.live.session
        most = choice.most or Money(0)

        def give(amount: Money | None) -> None:
            if amount is not None:
                self._give(with_amount(session, choice.command, amount))

        def refuse(amount: Money) -> str:
            answer = perform(session, with_amount(session, choice.command, amount))
            return address(answer.reason, session.me) if isinstance(answer, Refusal) else ""

        allowed = AllowedAmounts(most, f"Up to {show(most)}.", session.setup.limits.chip)
        question = f"{choice.name.capitalize()} for how much?"
        self.app.push_screen(AmountScreen(question, allowed, refuse, self._palette()), give)

    # ------------------------------------------------------------------ betting

    def _press_bets(self, key: str) -> None:
        session = self.live.session
        if key in ("left", "right", "up", "down", "tab"):
            self.hand.move(session, key)
            self._say_spot()
        elif key == "b" and self.ask is not None and self.ask.rebuy is not None:
            self.live.rebuy(self.ask.rebuy)
            self._proceed()
        elif key == "enter":
            self._bet(self.hand.chip)
        elif key == "backspace":
            self._answer(self._refresh(self.live.take_off(self.hand.box, self.hand.spot)))
        elif key == "m":
            refuse = partial(self.hand.refuse, session)
            allowed = self.hand.allow(session)
            self.app.push_screen(AmountScreen("Bet how much?", allowed, refuse, self._palette()), self._bet)
        elif key == "space":
            self._deal()
        elif key == "o" and self._choice("o") is not None:
            self._show_deal(self.live.deal(sit_out=True))
        elif key == "u" and (choice := self._choice("u")) is not None:
            self._give(choice.command)
        elif key == "n" and self._choice("n") is not None:
            self._answer(self._refresh(self.live.bet_again()))
        else:
            wanted = wish(session, key, self.hand.box)
            if wanted is not None:
                self._answer(self._do(wanted))

    def _bet(self, amount: Money | None) -> None:
        if amount is not None:
            self._answer(self._refresh(self.live.bet(self.hand.box, amount, self.hand.spot)))

    def _refresh(self, refusal: Refusal | None) -> Refusal | None:
        self.motion.shown = self.live.session.state
        return refusal

    def _deal(self) -> None:
        """Deal; with nothing on the table, the wagers of the last round are placed first."""
        session = self.live.session
        if not any(bet.player == session.me for bet in session.state.bets) and self._choice("n") is not None:
            refusal = self.live.bet_again()
            if refusal is not None:
                self._refuse(refusal)
                return
        self._show_deal(self.live.deal())

    def _show_deal(self, refusal: Refusal | None) -> None:
        """The cards are out: show how they came."""
        if refusal is None:
            self.motion.queue_deal(self.live.session.round, self.live.session.state)
            self._resume_timer()
        self._answer(refusal)

    def _say_spot(self) -> None:
        """Say where the next chip goes."""
        self.text = BarText(self.hand.describe(self.live.session))

    # ------------------------------------------------------------------ mouse

    def on_picture_clicked(self, message: Picture.Clicked) -> None:
        """A click stands for a key, a chip, a box, a spot or a line of the log."""
        self._catch_up()
        betting = self.ask is not None and self.ask.kind is MoveKind.BETS
        if message.kind == "key":
            self.press(message.name)
        elif message.kind == "line":
            self.app.push_screen(ClauseScreen(self.live.session, self._palette(), int(message.name)))
        elif message.kind == "chip" and betting:
            self.hand.chip = Money(message.name)
        elif message.kind in ("box", "spot") and betting:
            self.hand.box, _, wager = message.name.partition(" ")
            self.hand.spot = wager or "main"
            self._say_spot()
            self.press("enter" if message.button == 1 else "backspace")
        self.repaint()

    def on_picture_wheel(self, message: Picture.Wheel) -> None:
        """The wheel moves the log."""
        self.back = max(0, self.back - message.rows)
        self.repaint()
