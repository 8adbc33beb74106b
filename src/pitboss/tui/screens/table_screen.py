"""The screen on which a game is played: picture, log, bar; keys and mouse.

The screen shows states, not events: what a command led to is shown one step after another at a pace that the eye can
follow, and any key brings the table up to date at once. Nothing is decided here; a key is a choice that the table
offers, or a wish that the table answers with its clause.
"""

from __future__ import annotations

from collections import deque

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.containers import Container
from textual.screen import Screen
from textual.timer import Timer

from pitboss.money import Money, show
from pitboss.table import Refusal, evolve
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.state import Phase, State
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.draw import draw_table
from pitboss.tui.felt.palette import Palette
from pitboss.tui.felt.scene import scene_of
from pitboss.tui.felt.widgets import Picture
from pitboss.tui.help.advice_sheet import weigh_next
from pitboss.tui.screens import panels
from pitboss.tui.screens.modals import (
    AmountScreen,
    ClauseScreen,
    CutScreen,
    HelpScreen,
    KeysScreen,
    StepScreen,
    SummaryScreen,
)
from pitboss.tui.screens.panels import BarText, Button
from pitboss.tui.session.choices import Choice, wish, with_amount
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.player_log import address

SHOWN_EVENTS = (
    ev.InitialDeal, ev.CardDrawn, ev.DealerDrew, ev.HandSplit, ev.Switched, ev.Doubled, ev.WagerSettled, ev.SideSettled,
    ev.BetPlaced, ev.CutCardPlaced, ev.CardsBurnt, ev.InsurancePlaced,
)  # fmt: skip
"""Events after which the eye gets a moment."""

WEIGH_SECONDS = 0.5
"""How often it is asked whether a decision has been weighed."""

WIDE = 140
"""From this width on the log stands beside the table."""

BAR_ROWS = 3
"""The bar is at least this high, so that the picture stays where it is when there is little to choose."""

ALWAYS = (
    Button("question_mark", "advice"),
    Button("c", "clauses"),
    Button("v", "last round"),
    Button("k", "keys"),
    Button("q", "leave"),
)


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

    def __init__(self, live: LiveSession, *, pace: float = 0.12) -> None:
        super().__init__()
        self._bindings = BindingsMap()
        self.live = live
        self.pace = pace
        self.shown: State = live.session.state
        self.pending: deque[State] = deque()
        self.ask: Ask | None = None
        self.text = BarText("")
        self.chosen = 0
        self.cursor = live.session.setup.box
        self.spot = "main"
        self.chip = self._usual_chip()
        self.back = 0
        self.thinking = False
        self._timer: Timer | None = None

    def _usual_chip(self) -> Money:
        least = self.live.session.setup.limits.minimum or Money(1)
        return Money(next((value for value in panels.TRAY if value >= least), panels.TRAY[-1]))

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
        self._timer = self.set_interval(self.pace, self._tick, pause=True) if self.pace else None
        self.set_interval(WEIGH_SECONDS, self._weigh)
        self._proceed()

    def _weigh(self) -> None:
        """Take in what decisions have turned out to cost, without waiting for it."""
        weigh_next(self.live)

    def on_resize(self, event: events.Resize) -> None:
        """The log stands beside the table where there is room, else below it."""
        self.set_class(event.size.width >= WIDE, "wide")
        self.set_class(event.size.width < WIDE and event.size.height >= 32, "tall")
        self.set_class(event.size.width < WIDE and event.size.height >= 44, "taller")
        self._fit_bar()

    def _fit_bar(self) -> None:
        width = self.size.width or 80
        rows = min(panels.rows_of_buttons(self.buttons, width), 3)
        said = min(2, len(panels.fold_prompt(self.text, width, self._tray)))
        self.query_one("#bar").styles.height = max(BAR_ROWS, said + rows)

    def _palette(self) -> Palette:
        return self.app.felt_palette  # type: ignore[attr-defined, no-any-return]

    @property
    def mono(self) -> bool:
        """Nothing may depend on colour."""
        return self.app.no_color

    def _top(self, width: int, height: int) -> Canvas:
        return panels.top_line(self.live.session, width)

    def _felt(self, width: int, height: int) -> Canvas:
        betting = self.ask is not None and self.ask.kind is MoveKind.BETS and not self.pending
        scene = scene_of(self.shown, self.live.session.me, self.cursor if betting else "", self.spot)
        return draw_table(scene, width, height, mono=self.mono)

    def _log(self, width: int, height: int) -> Canvas:
        return panels.log_panel(self.live.session.lines, width, height, self.back)

    def _bar(self, width: int, height: int) -> Canvas:
        buttons = self.buttons
        return panels.draw_bar(self.text, buttons, min(self.chosen, len(buttons) - 1), width, height, self._tray)

    @property
    def _tray(self) -> Money | None:
        """The chip that is picked up, while chips are on show: not beside a refusal, which needs the room."""
        betting = self.ask is not None and self.ask.kind is MoveKind.BETS
        return self.chip if betting and self.text.tone != "bar.lose" else None

    def repaint(self) -> None:
        """Show everything as it is now."""
        self._fit_bar()
        for picture in self.query(Picture):
            picture.repaint()

    # ------------------------------------------------------------------ what can be done

    @property
    def buttons(self) -> list[Button]:
        """What the player can do now, as buttons."""
        if self.ask is None:
            return list(ALWAYS)
        if self.ask.kind is MoveKind.BETS:
            found = self._bet_buttons()
        else:
            found = [Button(choice.key, choice.name, choice.detail) for choice in self.ask.choices]
            if any(choice.most is not None for choice in self.ask.choices):
                found.append(Button("f", "for less"))
        if panels.rows_of_buttons([*found, *ALWAYS], self.size.width or 80) < BAR_ROWS:
            return [*found, *ALWAYS]
        return [*found, *(button for button in ALWAYS if button.key != "v")]

    def _bet_buttons(self) -> list[Button]:
        assert self.ask is not None
        found = [Button(choice.key, choice.name, choice.detail) for choice in self.ask.choices]
        found += [Button("enter", "bet"), Button("left", "box"), Button("up", "chip"), Button("m", "amount")]
        if self.live.session.rules.side_wagers:
            found.append(Button("tab", "spot"))
        if any(bet.player == self.live.session.me for bet in self.live.session.state.bets):
            found.append(Button("backspace", "take off"))
        return found

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
            self._queue(before, self.live.session.round.steps[-1].events if self.live.session.round.steps else ())
        return refusal

    def _queue(self, before: State, happened: tuple[ev.Event, ...]) -> None:
        if not self.pace:
            self.shown = self.live.session.state
            return
        state = before
        for event in happened:
            state = evolve(state, event)
            if isinstance(event, SHOWN_EVENTS):
                self.pending.append(state)
        self.pending.append(self.live.session.state)
        if self._timer is not None:
            self._timer.resume()

    def _tick(self) -> None:
        """Show the next state that waits."""
        if self.pending:
            self.shown = self.pending.popleft()
        if not self.pending and self._timer is not None:
            self._timer.pause()
        self.repaint()

    def _catch_up(self) -> None:
        """Show the table as it stands."""
        self.pending.clear()
        self.shown = self.live.session.state

    def _answer_asked(self, ask: Ask) -> None:
        self.ask = ask
        self.chosen = 0
        self.back = 0
        self.text = BarText(ask.prompt)
        if ask.kind is MoveKind.BETS:
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
        cited = f" [clause {', '.join(refusal.clauses)}]" if refusal.clauses else ""
        said = address(refusal.reason, self.live.session.me)
        self.text = BarText(f"{said[:1].upper()}{said[1:]}.{cited}", "bar.lose")
        self.repaint()

    # ------------------------------------------------------------------ keys

    def on_key(self, event: events.Key) -> None:
        """Any key first brings the table up to date; then it does what it stands for."""
        event.stop()
        event.prevent_default()
        late = bool(self.pending)
        self._catch_up()
        if self.thinking and event.key != "q":
            self.repaint()
            return
        if late and event.key == "space" and self.ask is not None and self.ask.kind is MoveKind.NEXT:
            self.repaint()
            return
        self.press(event.key)
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
        elif key == "v":
            if session.last is None and session.state.phase is not Phase.SETTLED:
                self.text = BarText("No round is settled yet: there is nothing to step through.", "bar.lose")
            else:
                self.app.push_screen(StepScreen(session, self._palette(), mono=self.mono))
        elif key == "q":
            self.app.push_screen(SummaryScreen(self.live, self._palette()), self._answer_left)
        else:
            return False
        return True

    def _answer_left(self, leave: bool | None) -> None:
        if leave:
            self.app.exit()

    def _press_choice(self, key: str) -> None:
        assert self.ask is not None
        choices = self.ask.choices
        if key in ("left", "right", "up", "down"):
            count = len(self.buttons)
            self.chosen = (self.chosen + (1 if key in ("right", "down") else -1)) % count
            return
        if key == "enter":
            buttons = self.buttons
            self.press(buttons[min(self.chosen, len(buttons) - 1)].key)
            return
        if key == "f" and any(choice.most is not None for choice in choices):
            self._for_less(next(choice for choice in choices if choice.most is not None))
            return
        choice = self._choice(key)
        if choice is not None:
            self._give(choice.command)
            return
        wanted = wish(self.live.session, key, self.cursor)
        if wanted is not None:
            self._answer(self._do(wanted))

    def _choice(self, key: str) -> Choice | None:
        """The choice of a key; of several with the same key the one that is highlighted, else the first."""
        assert self.ask is not None
        found = [choice for choice in self.ask.choices if choice.key == key]
        if 0 <= self.chosen < len(self.ask.choices) and self.ask.choices[self.chosen] in found:
            return self.ask.choices[self.chosen]
        return found[0] if found else None

    def _for_less(self, choice: Choice) -> None:
        most = choice.most or Money(0)

        def give(amount: Money | None) -> None:
            if amount is not None:
                self._give(with_amount(self.live.session, choice.command, amount))

        self.app.push_screen(AmountScreen(f"{choice.name.capitalize()} for how much?", most, self._palette()), give)

    # ------------------------------------------------------------------ betting

    def _press_bets(self, key: str) -> None:
        steps = {"left": -1, "right": 1, "up": 1, "down": -1}
        if key in ("left", "right"):
            boxes = self.live.session.rules.boxes_max
            self.cursor = str((int(self.cursor) - 1 + steps[key]) % boxes + 1)
            self._say_spot()
        elif key in ("up", "down"):
            at = panels.TRAY.index(int(self.chip)) + steps[key]
            self.chip = Money(panels.TRAY[max(0, min(at, len(panels.TRAY) - 1))])
        elif key == "enter":
            self._bet(self.chip)
        elif key == "backspace":
            self._answer(self._refresh(self.live.take_off(self.cursor, self.spot)))
        elif key == "tab":
            spots = ["main", *(side.id for side in self.live.session.rules.side_wagers)]
            self.spot = spots[(spots.index(self.spot) + 1) % len(spots)]
            self._say_spot()
        elif key == "m":
            self.app.push_screen(AmountScreen("Bet how much?", self.live.session.available, self._palette()), self._bet)
        elif key == "space":
            self._deal()
        elif key == "o" and self._choice("o") is not None:
            self._show_deal(self.live.deal(sit_out=True))
        elif key == "u" and (choice := self._choice("u")) is not None:
            self._give(choice.command)
        elif key == "n" and self._choice("n") is not None:
            self._answer(self._refresh(self.live.bet_again()))
        else:
            wanted = wish(self.live.session, key, self.cursor)
            if wanted is not None:
                self._answer(self._do(wanted))

    def _bet(self, amount: Money | None) -> None:
        if amount is not None:
            self._answer(self._refresh(self.live.bet(self.cursor, amount, self.spot)))

    def _refresh(self, refusal: Refusal | None) -> Refusal | None:
        self.shown = self.live.session.state
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
        """The cards are out; the steps that brought them are shown from the first wager of the round on."""
        if refusal is None:
            played = self.live.session.round
            happened = [event for step in played.steps for event in step.events]
            skip = next((at for at, event in enumerate(happened) if isinstance(event, ev.BetsClosed)), 0)
            self._queue(self._fold(played.opened, happened[:skip]), tuple(happened[skip:]))
        self._answer(refusal)

    @staticmethod
    def _fold(state: State, happened: list[ev.Event]) -> State:
        for event in happened:
            state = evolve(state, event)
        return state

    def _say_spot(self) -> None:
        """Say where the next chip goes."""
        session = self.live.session
        side = session.rules.side_wager(self.spot)
        what = "main wager" if side is None else side.name
        place = "area" if session.rules.boxes_per_area == 2 else "box"
        lying = sum(
            (
                bet.amount
                for bet in session.state.bets
                if (bet.player, bet.box, bet.wager) == (session.me, self.cursor, self.spot)
            ),
            Money(0),
        )
        if any(bet.player == session.me for bet in session.state.bets):
            has = f", {show(lying)} so far" if lying else ""
            self.text = BarText(f"{place.capitalize()} {self.cursor}, {what}{has}.")
        else:
            self.text = BarText(f"Place your bets: {place} {self.cursor}, {what}.")

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
            self.chip = Money(message.name)
        elif message.kind in ("box", "spot") and betting:
            self.cursor, _, wager = message.name.partition(" ")
            self.spot = wager or "main"
            self._say_spot()
            self.press("enter" if message.button == 1 else "backspace")
        self.repaint()

    def on_picture_wheel(self, message: Picture.Wheel) -> None:
        """The wheel moves the log."""
        self.back = max(0, self.back - message.rows)
        self.repaint()
