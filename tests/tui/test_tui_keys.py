"""What a key does and what it must not do, the sheets it opens, and the smallest window."""

from __future__ import annotations

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot
from tui_pilot import press, run, screen_of, sheet_text, table_text
from tui_tools import EACH_GAME, Knows, side_wagers, sit_down

from pitboss.money import Money
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Phase
from pitboss.tui.felt.widgets import Picture
from pitboss.tui.screens.drill_sheet import DrillScreen
from pitboss.tui.screens.help_sheets import ReviewScreen, ShoeScreen, TrainerScreen
from pitboss.tui.screens.lobby import LobbyScreen
from pitboss.tui.screens.modals import KEYS_HELP, CutScreen, KeysScreen
from pitboss.tui.session.moves import MoveKind

# ---------------------------------------------------------------------- keys that were meant, and those that were not


def test_capital_letters_are_the_same_keys() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 2h 8c Th")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space", "H")
        assert cmd.Hit in {type(step.command) for step in table.session.round.steps}
        await press(pilot, "K")
        assert isinstance(pilot.app.screen, KeysScreen)
        await press(pilot, "K", "S")

    run(table, play)
    assert table.session.state.phase is Phase.SETTLED

    async def choose(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        await press(pilot, "R")
        assert lobby.table.robots == 3
        await press(pilot, "Q")

    run(None, choose)


HARMLESS = [
    ("star/blackjack", "Ts Ad 9h 5c 5d", [], cmd.Insure),
    ("melbourne/blackjack", "As Ad Kh", [], cmd.TakeEvenMoney),
    ("rws/blackjack", "Ts 9d 6h", [], cmd.Surrender),
    ("melbourne/pontoon", "9s Kd 7h", [], cmd.Surrender),
    ("melbourne/pontoon", "6s 7d 5h 2c", ["d"], cmd.Forfeit),
    ("star/switch", "Ts 9s 7d 6h Th 9c 9c", [], cmd.Switch),
]


@pytest.mark.parametrize(("game", "cards", "first", "kind"), HARMLESS, ids=lambda value: str(value))
def test_enter_alone_never_takes_what_was_not_chosen(
    game: str, cards: str, first: list[str], kind: type[cmd.Command]
) -> None:
    table = sit_down(game, cards=cards)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space", *first)
        ask = screen_of(pilot).ask
        assert ask is not None
        assert kind in {type(choice.command) for choice in ask.choices}
        before = len(table.session.round.steps)
        await press(pilot, "enter", "enter", "enter")
        after = {type(step.command) for step in table.session.round.steps[before:]}
        assert after <= {cmd.Proceed, cmd.NextRound, cmd.PlaceBet}

    run(table, play)


def test_enter_bets_and_does_not_sit_out_and_a_turn_waits_for_a_choice() -> None:
    table = sit_down("melbourne/blackjack", robots=1, cards="Ts 9s 7d 6h Th 9c 9c")

    async def play(pilot: Pilot[None]) -> None:
        screen = screen_of(pilot)
        assert screen.buttons[0].key == "o"
        bar = screen.query_one("#bar", Picture).canvas
        styles = [run for y in range(bar.height) for run in bar.runs(y)]
        assert [run.text.strip() for run in styles if run.style == "action.on"] == ["bet"]
        await press(pilot, "enter")
        assert table.session.state.phase is Phase.BETTING
        await press(pilot, "space")
        for _ in range(10):
            assert screen.ask is not None
            if screen.ask.kind is MoveKind.TURN:
                break
            await press(pilot, "space")
        steps = len(table.session.round.steps)
        await press(pilot, "enter")
        assert "Press the key of your choice" in table_text(pilot, "bar")
        assert len(table.session.round.steps) == steps
        await press(pilot, "left")
        assert screen.buttons[screen.chosen].key == "q"
        await press(pilot, "right", "enter")
        assert len(table.session.round.steps) > steps

    run(table, play)


def test_control_c_says_how_to_leave_and_leaves_nothing() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 2h 8c")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "ctrl+c")
        assert "Press Q: the session is saved" in table_text(pilot, "bar")
        await press(pilot, "k", "ctrl+c")
        assert "Q at the table leaves" in sheet_text(pilot)
        await press(pilot, "escape")
        screen_of(pilot)

    run(table, play)

    async def choose(pilot: Pilot[None]) -> None:
        await press(pilot, "ctrl+c")
        assert "Press Q to leave" in pilot.app.screen.query_one("#lobby-bar", Picture).canvas.text()

    run(None, choose)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 48)], ids=str)
def test_the_keys_sheet_fits(size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "k")
        shown = sheet_text(pilot)
        assert "more" not in shown
        for keys, text in KEYS_HELP:
            assert f"{keys:<10}{text}" in shown

    run(sit_down("star/blackjack", cards="Ts 7d 2h 8c"), play, size=size)


@pytest.mark.parametrize("game", EACH_GAME)
def test_a_round_of_each_game_is_shown_at_sixty_by_twenty(game: str) -> None:
    table = sit_down(game, robots=2, sides=side_wagers(game))

    async def play(pilot: Pilot[None]) -> None:
        if isinstance(pilot.app.screen, CutScreen):
            assert "N declines" in sheet_text(pilot)
            await press(pilot, "enter")
        for _ in range(30):
            screen = screen_of(pilot)
            felt, bar = table_text(pilot, "felt"), table_text(pilot, "bar")
            assert "Make the window larger" not in felt
            assert all(button.label in bar for button in screen.buttons)
            assert screen.query_one("#log", Picture).size.height >= 1
            ask = screen.ask
            assert ask is not None
            if ask.kind is MoveKind.NEXT:
                return
            keys = [choice.key for choice in ask.choices]
            await press(pilot, *(("enter", "space") if ask.kind is MoveKind.BETS else (keys[-1],)))
        raise AssertionError("the round does not end")

    run(table, play, size=(60, 20))


# ---------------------------------------------------------------------- amounts


def test_the_amounts_dialog_takes_only_what_can_be_meant_and_says_the_signs_maximum() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 2h 8c")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "m")
        assert "The sign says 5 to 500. You have 995." in sheet_text(pilot)
        await press(pilot, "enter")
        assert "above 0" in sheet_text(pilot)
        await press(pilot, "0", "0", "full_stop", "full_stop", "2", "5", "7")
        assert "> 0.25█" in sheet_text(pilot)
        await press(pilot, "enter")
        assert "the smallest chip is 0.5" in sheet_text(pilot)
        await press(pilot, *["backspace"] * 4, "4", "9", "6", "enter")
        assert "496 is too much: 495 is the most." in sheet_text(pilot)
        await press(pilot, "backspace", "5", "enter")
        assert "500 so far" in table_text(pilot, "bar")
        await press(pilot, "m", "1", "enter")
        assert "1 is too much: 0 is the most." in sheet_text(pilot)

    run(table, play)


# ---------------------------------------------------------------------- broke, the shoe, review, trainer


def test_whoever_is_broke_buys_in_again_by_a_key() -> None:
    table = sit_down("star/blackjack", cards="Ts 9d 8h Tc", bankroll=5)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space", "s", "space")
        if isinstance(pilot.app.screen, CutScreen):
            await press(pilot, "enter")
        assert "You have 0 left, and the minimum is 5. Buy in again?" in table_text(pilot, "bar")
        assert "B  buy in 5" in table_text(pilot, "bar")
        await press(pilot, "enter")
        assert "you have 0 left" in table_text(pilot, "bar").lower()
        await press(pilot, "b")
        assert "Place your bets" in table_text(pilot, "bar")

    run(table, play)
    assert table.session.bankroll == Money(5)


def test_the_whole_seal_is_shown_and_the_shoe_can_be_put_away() -> None:
    table = sit_down("star/blackjack")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "z")
        assert isinstance(pilot.app.screen, ShoeScreen)
        shown = "".join(row.strip(" │") for row in sheet_text(pilot).splitlines())
        assert table.session.state.shoe.origin.commitment in shown
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, CutScreen)
        await press(pilot, "enter", "z")
        assert "pitboss audit shoe" in sheet_text(pilot)

    run(table, play, size=(60, 20))
    assert [shoe.number for shoe in table.shoes] == [1]
    assert any("before the next round: the last shoe was put away" in line.text for line in table.session.lines)


def test_the_review_shows_every_decision_of_the_round_in_units_and_money() -> None:
    knows = Knows({cmd.Hit: -0.2, cmd.Stand: -0.5})
    table = sit_down("melbourne/blackjack", advisor=knows, cards="2s Td 5h 3c Th")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "x")
        assert "nothing to look back on" in table_text(pilot, "bar")
        await press(pilot, "enter", "space", "h", "s", "x")
        assert isinstance(pilot.app.screen, ReviewScreen)
        shown = sheet_text(pilot)
        assert "2 decisions, 1 of them a mistake: 1.50 given away." in shown
        assert "2♠ 5♥ against 10♦: you chose to hit on box 5." in shown
        assert "hit    -0.2000     -1.00  best, yours" in shown
        assert "stand  -0.5000     -2.50  yours, cost 1.50" in shown
        await press(pilot, "x")
        screen_of(pilot)

    run(table, play)


def test_an_offer_that_was_declined_is_reviewed_for_its_hand_and_wager() -> None:
    knows = Knows({cmd.Proceed: -0.7, cmd.Surrender: -0.5, cmd.Stand: -0.7})
    table = sit_down("rws/blackjack", advisor=knows, cards="Ts 9d 6h Th")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "up", "enter", "space")
        assert "last round" not in table_text(pilot, "bar")
        assert "space  continue  " in table_text(pilot, "bar")
        await press(pilot, "space", "s")
        assert "last round" in table_text(pilot, "bar")
        await press(pilot, "x")
        shown = sheet_text(pilot)
        assert "10♠ 6♥ against 9♦: you chose to continue." in shown
        assert "continuing  -0.7000    -17.50  yours, cost 5.00" in shown

    run(table, play, size=(60, 20))


def test_help_gives_money_beside_units() -> None:
    knows = Knows({cmd.Hit: -0.2, cmd.Stand: -0.5})
    for size in ((60, 20), (160, 48)):
        table = sit_down("melbourne/blackjack", advisor=knows, cards="2s Td 5h 3c Th")

        async def play(pilot: Pilot[None]) -> None:
            await press(pilot, "up", "enter", "space", "question_mark")
            rows = sheet_text(pilot).splitlines()
            hit = next(row for row in rows if " hit " in row)
            assert "-0.2000     -5.00      best" in hit
            assert any("A unit is your wager of 25." in row for row in rows)

        run(table, play, size=size)


def test_the_trainer_asks_before_a_mistake_and_enter_thinks_again() -> None:
    knows = Knows({cmd.Hit: -0.2, cmd.Stand: -0.5})
    table = sit_down("melbourne/blackjack", advisor=knows, cards="2s Td 5h 3c Th 2d")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "g")
        assert "The trainer is on" in table_text(pilot, "bar")
        await press(pilot, "enter", "space", "h")
        screen_of(pilot)
        steps = len(table.session.round.steps)
        await press(pilot, "s")
        assert isinstance(pilot.app.screen, TrainerScreen)
        assert "stand is worth -0.5000 units, or -2.50." in sheet_text(pilot)
        assert "hit is worth -0.2000 units, or -1.00: 1.50 more." in sheet_text(pilot)
        await press(pilot, "enter")
        assert len(table.session.round.steps) == steps
        await press(pilot, "s", "s")
        assert len(table.session.round.steps) > steps
        assert table.session.state.phase is Phase.SETTLED
        await press(pilot, "g")
        assert "The trainer is off" in table_text(pilot, "bar")

    run(table, play)


# ---------------------------------------------------------------------- drills


def flat_text(pilot: Pilot[None]) -> str:
    """A sheet as one line, however its rows were folded."""
    return " ".join(" ".join(row.strip("│ ") for row in sheet_text(pilot).splitlines()).split())


def test_a_drill_in_hands_is_answered_by_keys() -> None:
    knows = Knows({cmd.Hit: 1.0, cmd.Stand: 0.0, cmd.Proceed: 1.0, cmd.Insure: 0.0})
    table = sit_down("star/blackjack", cards="Ts 7d 2h 8c", advisor=knows)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "j")
        assert isinstance(pilot.app.screen, DrillScreen)
        assert "What does basic strategy do?" in flat_text(pilot)
        assert "I insure space continue" in flat_text(pilot)
        await press(pilot, "x", "space")
        assert "Right." in flat_text(pilot)
        assert "1 of 1 right." in flat_text(pilot)
        await press(pilot, "enter")
        question = pilot.app.screen.question
        assert question is not None
        await press(pilot, next(key for key, _ in question.answers if key != question.right).upper())
        assert "Wrong." in flat_text(pilot)
        assert "1 of 2 right." in flat_text(pilot)
        await press(pilot, "escape")
        screen_of(pilot)

    run(table, play)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(60, 20), (160, 48)], ids=str)
def test_payouts_and_counts_are_typed(size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "t", "tab")
        drill = pilot.app.screen
        assert isinstance(drill, DrillScreen)
        assert "How much is paid?" in flat_text(pilot)
        assert drill.question is not None
        await press(pilot, *("full_stop" if char == "." else char for char in drill.question.right), "enter")
        assert "1 of 1 right." in flat_text(pilot)
        await press(pilot, "tab")
        groups = drill.question.shown
        for group in groups:
            assert group in flat_text(pilot)
            await press(pilot, "space")
        assert groups[0] not in flat_text(pilot)
        assert "running count" in flat_text(pilot)
        await press(pilot, "minus", "9", "9", "enter")
        assert "Wrong. The running count is" in flat_text(pilot)
        assert groups[0] in flat_text(pilot)
        await press(pilot, "tab")
        assert "is not known yet" in flat_text(pilot)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, LobbyScreen)

    run(None, play, size=size, seed="7")


# ---------------------------------------------------------------------- figures that come in late


def test_figures_that_come_in_while_a_screen_is_taken_down_do_no_harm() -> None:
    async def lobby(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, LobbyScreen)
        await screen.query("*").remove()
        screen._edge_known(screen.table.without_sides(), 0.25)
        assert screen.edges[screen.table.without_sides()] == 0.25

    run(None, lobby)

    async def sheet(pilot: Pilot[None]) -> None:
        await press(pilot, "k")
        keys = pilot.app.screen
        assert isinstance(keys, KeysScreen)
        await keys.query("*").remove()
        keys.repaint()
        await press(pilot, "escape")
        table = screen_of(pilot)
        await table.query("*").remove()
        table.repaint()

    run(sit_down("star/blackjack", cards="Ts 7d 2h 8c"), sheet)
