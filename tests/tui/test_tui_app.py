"""The full-screen table by keys and mouse, through Textual's pilot: every game, every action, every sheet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot
from tui_pilot import press, run, screen_of, settle, sheet_text, table_text
from tui_tools import EACH_GAME, GAMES, Knows, Memory, side_wagers, sit_down

from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.rulebooks import Rules, games, load_book, parse_user_book
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Phase
from pitboss.tui.felt.canvas import Canvas
from pitboss.tui.felt.widgets import Picture
from pitboss.tui.screens.app import PlayApp
from pitboss.tui.screens.help_sheets import ClauseScreen, StepScreen
from pitboss.tui.screens.lobby import LeftSession, LobbyScreen, OfferedTable, TableOffer, offer_of
from pitboss.tui.screens.modals import AmountScreen, CutScreen, KeysScreen, SummaryScreen
from pitboss.tui.screens.table_screen import TableScreen
from pitboss.tui.session import journal
from pitboss.tui.session.live_session import LiveSession, resume_session
from pitboss.tui.session.moves import MoveKind
from pitboss.tui.session.robots import NoAdvisor
from pitboss.tui.session.setup import Policy


async def play_round(pilot: Pilot[None], prefer: Sequence[str] = ("s", "space", "h", "n", "b")) -> set[str]:
    """Play a round to its end by keys; the keys that were used."""
    used = set()
    if isinstance(pilot.app.screen, CutScreen):
        await press(pilot, "right", "enter")
    assert screen_of(pilot).ask is not None
    await press(pilot, "enter", "space")
    for _ in range(60):
        ask = screen_of(pilot).ask
        assert ask is not None
        if ask.kind in (MoveKind.NEXT, MoveKind.BETS):
            return used
        offered = [choice.key for choice in ask.choices]
        key = next((key for key in prefer if key in offered), offered[0])
        used.add(key)
        await press(pilot, key)
    raise AssertionError("the round does not end")


# ---------------------------------------------------------------------- every game, every action


@pytest.mark.parametrize("game", EACH_GAME)
def test_a_round_of_each_game_is_played_by_keys(game: str) -> None:
    keeper = Memory()
    table = sit_down(game, robots=2, sides=side_wagers(game), keeper=keeper)

    async def play(pilot: Pilot[None]) -> None:
        await play_round(pilot)
        assert "The round is over" in table_text(pilot, "bar")
        await press(pilot, "space")
        ask = screen_of(pilot).ask
        assert ask is not None
        assert ask.kind is MoveKind.BETS

    run(table, play)
    assert table.session.tally.rounds == 1
    assert list(keeper.records) == [1]
    assert journal.restore(keeper.journal).session == table.session


ACTIONS = [
    ("star/blackjack", "Ts 7d 2h 8c", "", ["h"], "hit", cmd.Hit),
    ("star/blackjack", "Ts 7d 9h Tc", "", ["s"], "stand", cmd.Stand),
    ("melbourne/blackjack", "6s 7d 5h Tc", "", ["d"], "double", cmd.Double),
    ("melbourne/free-bet", "6s 7d 5h Tc", "", ["d"], "free double", cmd.Double),
    ("melbourne/blackjack", "8s 7d 8h Tc 9c", "", ["p", "s", "s"], "split", cmd.Split),
    ("melbourne/free-bet", "8s 7d 8h Tc 9c", "", ["p", "s", "s"], "free split", cmd.Split),
    ("rws/blackjack", "Ts 9d 6h", "", ["r"], "surrender before any card", cmd.Surrender),
    ("perth/vegas", "Ts Kd 6h", "", ["r"], "surrender before the third card", cmd.Surrender),
    ("melbourne/vegas", "Ts Kd 6h", "", ["r"], "surrender in the pass of the table", cmd.Surrender),
    ("melbourne/pontoon", "9s Kd 7h", "", ["r"], "surrender in turn", cmd.Surrender),
    ("star/blackjack", "Ts Ad 9h 5c 5d", "", ["i", "s"], "insurance", cmd.Insure),
    ("melbourne/blackjack", "As Ad Kh", "", ["e"], "even money", cmd.TakeEvenMoney),
    ("star/switch", "Ts 9s 7d 6h Th 9c 9c", "", ["w", "s", "s"], "switch", cmd.Switch),
    ("melbourne/pontoon", "6s 7d 5h 2c", "", ["d", "t"], "a double taken back", cmd.Forfeit),
    ("melbourne/pontoon", "6s 7d 5h 2c", "", ["d", "space"], "a double left standing", cmd.Proceed),
    ("melbourne/blackjack", "Ts 7d 2h 9c", "", ["a"], "left to the dealer", cmd.PlayAbsent),
    ("melbourne/pontoon", "As 7d Kh", "pontoon-pandemonium", ["b"], "the button", cmd.DrawPrize),
]


QUICK_ACTIONS = ("double", "free split", "insurance", "switch", "a double taken back", "the button")


@pytest.mark.parametrize(
    ("game", "cards", "side", "keys", "name", "kind"),
    [pytest.param(*row, id=row[4], marks=() if row[4] in QUICK_ACTIONS else pytest.mark.slow) for row in ACTIONS],
)
def test_every_action_by_its_key(
    game: str, cards: str, side: str, keys: list[str], name: str, kind: type[cmd.Command]
) -> None:
    table = sit_down(game, cards=cards, sides=[side] if side else [])

    async def play(pilot: Pilot[None]) -> None:
        betting = ["enter", "tab", "enter", "space"] if side else ["enter", "space"]
        await press(pilot, *betting)
        await press(pilot, *keys)
        for _ in range(6):
            if table.session.state.phase is Phase.SETTLED:
                break
            ask = screen_of(pilot).ask
            assert ask is not None
            await press(pilot, ask.choices[-1].key if ask.choices[-1].key == "space" else "s")

    run(table, play)
    commands = [type(step.command) for step in table.session.round.steps]
    assert kind in commands
    assert table.session.state.phase is Phase.SETTLED


@pytest.mark.slow
def test_a_double_for_less_is_typed() -> None:
    table = sit_down("melbourne/blackjack", cards="6s 7d 5h Tc")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "up", "enter", "space", "f")
        assert isinstance(pilot.app.screen, AmountScreen)
        await press(pilot, "9", "9", "enter")
        assert "99 is too much: 25 is the most." in sheet_text(pilot)
        await press(pilot, "backspace", "backspace", "1", "0", "full_stop", "5", "enter")

    run(table, play)
    doubles = [step.command for step in table.session.round.steps if isinstance(step.command, cmd.Double)]
    assert doubles[0].amounts == (("guest", Money("10.5")),)


@pytest.mark.slow
def test_sharers_on_a_robots_box_are_asked_along() -> None:
    knows = Knows({cmd.Double: 1.0, cmd.Hit: 0.1, cmd.Stand: 0.0})
    table = sit_down("melbourne/blackjack", robots=1, policy=Policy.CHART, advisor=knows, cards="6s 7d 5h Tc")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "left", "enter", "space")
        ask = screen_of(pilot).ask
        assert ask is not None
        assert ask.kind is MoveKind.JOIN
        await press(pilot, "y")

    run(table, play)
    double = next(step.command for step in table.session.round.steps if isinstance(step.command, cmd.Double))
    assert {name for name, _ in double.amounts} == {"ann", "guest"}


@pytest.mark.slow
def test_several_boxes_and_robots_that_share() -> None:
    table = sit_down("melbourne/blackjack", robots=3, sharers=1)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        await press(pilot, "enter", "left", "left", "left", "enter", "right", "right", "right")
        assert {bet.box for bet in table.session.state.bets if bet.player == "guest"} == {"2", "5"}
        await press(pilot, "left", "left", "left", "backspace")
        assert {bet.box for bet in table.session.state.bets if bet.player == "guest"} == {"5"}
        await press(pilot, "space")
        shared = next(box for box in table.session.state.boxes if box.number == "5")
        assert {bettor.player for bettor in shared.bettors} == {"guest", "cleo"}

    run(table, play)


# ---------------------------------------------------------------------- refusals, sheets


def test_an_illegal_key_says_which_clause_refuses_it() -> None:
    table = sit_down("melbourne/blackjack", cards="Ts 7d 2h 8c")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "h")
        assert "No cards are dealt yet" in table_text(pilot, "bar")
        assert "[clause 7.3.1" in table_text(pilot, "bar")
        await press(pilot, "space")
        assert "no wager on a box yet" in table_text(pilot, "bar")
        await press(pilot, "enter", "space", "d")
        said = table_text(pilot, "bar")
        assert "may not double" in said
        assert "7.5.5(a)" in said
        before = table.session
        await press(pilot, "r", "w", "x")
        assert table.session is before

    run(table, play)


@pytest.mark.slow
def test_a_clause_is_opened_in_the_words_of_the_register() -> None:
    table = sit_down("melbourne/blackjack", cards="Ts 7d 2h 8c")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space", "c")
        assert isinstance(pilot.app.screen, ClauseScreen)
        assert "7.5.1" in sheet_text(pilot)
        assert "From Dealer's left" in sheet_text(pilot)
        await press(pilot, "left")
        assert "The dealer shows 7♦." in sheet_text(pilot)
        await press(pilot, "escape")
        screen_of(pilot)

    run(table, play)


def test_help_shows_the_worth_of_each_choice_and_the_last_cost() -> None:
    knows = Knows({cmd.Hit: -0.2, cmd.Stand: -0.5})
    table = sit_down("melbourne/blackjack", advisor=knows, cards="2s Td 5h 3c Th")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "question_mark")
        assert "nothing to decide" in sheet_text(pilot)
        await press(pilot, "escape", "enter", "space", "s", "space")
        assert isinstance(screen_of(pilot), TableScreen)
        await press(pilot, "question_mark")
        assert "cost 1.50; hit was better" in sheet_text(pilot)
        await press(pilot, "question_mark")

    run(table, play)

    table = sit_down("melbourne/blackjack", advisor=knows, cards="2s Td 5h 3c Th")

    async def ask(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space", "question_mark")
        rows = sheet_text(pilot).splitlines()
        hit = next(at for at, row in enumerate(rows) if " hit " in row)
        assert "-0.2000" in rows[hit]
        assert "best" in rows[hit]
        assert "stand" in rows[hit + 1]

    run(table, ask)


@pytest.mark.slow
def test_the_last_round_is_stepped_through_both_ways() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 9h Tc")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "v")
        assert "No round is settled yet" in table_text(pilot, "bar")
        await press(pilot, "enter", "space", "s", "v")
        screen = pilot.app.screen
        assert isinstance(screen, StepScreen)
        last = screen.at
        assert "you win 5 on 5" in sheet_text(pilot)
        await press(pilot, "left", "left", "left")
        assert screen.at == last - 3
        await press(pilot, "home")
        assert "Betting opens." in sheet_text(pilot)
        await press(pilot, "right", "end", "right")
        assert screen.at == last
        await press(pilot, "v")
        await press(pilot, "space", "v")
        assert isinstance(pilot.app.screen, StepScreen)

    run(table, play)


@pytest.mark.slow
def test_leaving_shows_the_summary_and_escape_stays() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 9h Tc", advisor=Knows({cmd.Stand: 0.5, cmd.Hit: -0.5}))

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space", "s", "q")
        assert isinstance(pilot.app.screen, SummaryScreen)
        assert "result +5: a bankroll of 1,000 is now 1,005" in sheet_text(pilot)
        await press(pilot, "escape")
        screen_of(pilot)
        await press(pilot, "k")
        assert isinstance(pilot.app.screen, KeysScreen)
        assert "surrender, insure, even money, switch" in sheet_text(pilot)
        await press(pilot, "k", "q", "enter")

    app = run(table, play)
    assert not app.is_running


@pytest.mark.slow
def test_the_player_cuts_or_declines() -> None:
    table = sit_down("melbourne/blackjack", robots=1)

    async def play(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, CutScreen)
        middle = screen.at
        await press(pilot, "right", "up", "left", "pagedown", "down")
        assert screen.question.least <= screen.at <= screen.question.most
        assert screen.at != middle
        await press(pilot, "enter")
        assert table.session.state.shoe.origin.cutter == "guest"

    run(table, play)

    declined = sit_down("melbourne/blackjack", robots=1)

    async def decline(pilot: Pilot[None]) -> None:
        await press(pilot, "n")
        assert declined.session.state.shoe.origin.cutter == "ann"

    run(declined, decline)


# ---------------------------------------------------------------------- sizes, colours, mouse


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 36), (160, 48), (230, 70)], ids=str)
def test_the_table_is_right_at_every_size(size: tuple[int, int]) -> None:
    table = sit_down("star/switch", robots=2, cards="Ts 5s 8s 9s 7d 6h Th 9c 3d 4c 2d 9d 8d")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space")
        screen = screen_of(pilot)
        assert screen.query_one("#felt").size.height >= 16
        regions = {picture.id: picture.region for picture in screen.query(Picture)}
        assert all(region.width and region.height for region in regions.values())
        assert sum(regions[part].height for part in ("top", "felt", "bar")) <= size[1]
        for key in ("hit", "stand", "leave"):
            assert key in table_text(pilot, "bar")

    run(table, play, size=size)


def test_a_window_resized_in_mid_hand_keeps_the_hand() -> None:
    table = sit_down("melbourne/blackjack", robots=2, cards="Ts 5s 8s 7d 6h Th 9c 3d 4c 2d 9d")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space")
        for width, height in ((160, 48), (80, 24), (40, 10), (100, 30), (80, 24)):
            await pilot.resize_terminal(width, height)
            await settle(pilot)
            asked = screen_of(pilot).ask
            assert asked is not None
            assert asked.kind is MoveKind.TURN
            shown = table_text(pilot, "felt")
            assert ("larger" in shown) == (width == 40)
        await press(pilot, "s")

    run(table, play)
    assert any(isinstance(step.command, cmd.Stand) for step in table.session.round.steps)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"light": True}, {"light": False}], ids=["light", "dark"])
def test_light_and_dark_have_their_own_felt(settings: dict[str, bool]) -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 9h Tc")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space")
        felt = screen_of(pilot).query_one("#felt", Picture)
        colours = {
            segment.style.bgcolor.name for segment in felt.render_line(5) if segment.style and segment.style.bgcolor
        }
        assert ("#cfe6d4" in colours) == settings["light"]

    run(table, play, **settings)


@pytest.mark.slow
def test_without_colour_nothing_is_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    table = sit_down("star/blackjack", cards="Th 7d 9h Tc")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space")
        for part in ("felt", "log", "bar", "top"):
            picture = screen_of(pilot).query_one(f"#{part}", Picture)
            for y in range(picture.size.height):
                for segment in picture.render_line(y):
                    assert segment.style is None or segment.style.color is None
        assert "♡" in table_text(pilot, "felt")

    run(table, play, colour=False)


def find(canvas: Canvas, kind: str, name: str) -> tuple[int, int]:
    region = next(region for region in canvas.regions if region.what == (kind, name))
    return region.x, region.y


@pytest.mark.slow
def test_everything_can_be_clicked() -> None:
    table = sit_down("perth/blackjack", sides=["perfect-pairs"], cards="Ts 7d 9h Tc 2s 2d")

    async def play(pilot: Pilot[None]) -> None:
        async def click(part: str, kind: str, name: str, button: int = 1) -> None:
            canvas = screen_of(pilot).query_one(f"#{part}", Picture).canvas
            await pilot.click(f"#{part}", offset=find(canvas, kind, name), button=button)
            await settle(pilot)

        await click("bar", "chip", "25")
        await click("felt", "box", "7")
        await click("felt", "spot", "7 perfect-pairs")
        assert [(bet.box, bet.wager, bet.amount) for bet in table.session.state.bets] == [
            ("7", "main", 25),
            ("7", "perfect-pairs", 25),
        ]
        await click("felt", "spot", "7 perfect-pairs", button=3)
        assert [bet.wager for bet in table.session.state.bets] == ["main"]
        await click("bar", "key", "space")
        await click("bar", "key", "s")
        assert table.session.state.phase is Phase.SETTLED
        last = str(len(table.session.lines) - 1)
        await click("log", "line", last)
        assert isinstance(pilot.app.screen, ClauseScreen)
        await pilot.press("escape")

    run(table, play)


# ---------------------------------------------------------------------- the lobby, and coming back


@pytest.mark.slow
def test_the_lobby_lists_every_game_with_its_edge_and_opens_the_chosen_table() -> None:
    async def play(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        text = lobby.query_one("#lobby", Picture).canvas.text()
        for name, (book, game) in games().items():
            assert load_book(book).games[game].name in text, name
        assert text.count("0.500 %") >= len(GAMES)
        for _ in range(GAMES.index("star/switch")):
            await press(pilot, "down")
        assert "exchange their second cards" in lobby.query_one("#lobby", Picture).canvas.text()
        await press(pilot, "d")
        assert "dealt from 6 decks only" in lobby.query_one("#lobby-bar", Picture).canvas.text()
        await press(pilot, "r", "r", "r", "1")
        assert lobby.table == OfferedTable("star/switch", side_wagers=("super-match",), robots=0)
        await press(pilot, "enter")
        cut = pilot.app.screen
        assert isinstance(cut, CutScreen)
        await press(pilot, "n")
        assert screen_of(pilot).live.session.rules.game == "star/switch"

    run(None, play, size=(160, 48))


@pytest.mark.slow
def test_the_lobby_gives_the_edge_of_the_decks_that_are_chosen() -> None:
    asked = []

    def edge_of(rules: Rules) -> float | None:
        asked.append((rules.game, rules.decks))
        return rules.decks / 1000

    async def play(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        await press(pilot, "down", "down", "down", "d")
        assert lobby.table == OfferedTable("rws/blackjack", decks=4)
        assert "house edge 0.400 %" in lobby.query_one("#lobby", Picture).canvas.text()
        await press(pilot, "1")
        assert "house edge 0.400 %" in lobby.query_one("#lobby", Picture).canvas.text()
        await press(pilot, "q")

    run(None, play, edge_of=edge_of)
    assert len(asked) == len(GAMES) + 1
    assert asked[-1] == ("rws/blackjack", 4)


def test_a_button_that_a_smaller_window_leaves_out_is_not_pressed() -> None:
    table = sit_down("melbourne/blackjack", cards="Ts 7d 2h 8c")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "space", "left")
        assert screen_of(pilot).buttons[screen_of(pilot).chosen].key == "q"
        await pilot.resize_terminal(30, 24)
        await settle(pilot)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, SummaryScreen)

    run(table, play)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=str)
def test_every_game_is_in_sight_at_once(size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        text = pilot.app.screen.query_one("#lobby", Picture).canvas.text()
        for name, (book, game) in games().items():
            assert load_book(book).games[game].name in text, name
        for _ in GAMES:
            bar = pilot.app.screen.query_one("#lobby-bar", Picture).canvas.text()
            assert all(button.label in bar for button in pilot.app.screen.buttons)
            await press(pilot, "down")

    run(None, play, size=size)


def test_a_name_that_is_too_long_for_a_narrow_list_goes_on_two_rows() -> None:
    async def play(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        while lobby.table.game != "melbourne/premium-doubling":
            await press(pilot, "down")
        rows = [row.partition("│")[0].split() for row in lobby.query_one("#lobby", Picture).canvas.text().splitlines()]
        at = rows.index(["Premium", "Doubling"])
        assert rows[at + 1][0] == "Blackjack"
        at = rows.index(["Crown", "Melbourne", "Blackjack"])
        assert rows[at + 1] == ["Rules"]

    run(None, play, size=(60, 20))


def test_the_lobby_says_why_a_choice_cannot_be() -> None:
    async def play(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        while lobby.table.game != "melbourne/blackjack":
            await press(pilot, "down")
        offered = [wager for wager, _ in lobby.offer.side_wagers]
        await press(pilot, str(offered.index("blackjack-jackpots") + 1), "d")
        shown = lobby.query_one("#lobby-bar", Picture).canvas.text()
        assert "cannot be offered" in shown
        assert lobby.table.decks is None
        await press(pilot, "q")

    app = run(None, play)
    assert app.live is None


def test_decks_step_over_what_the_book_does_not_allow() -> None:
    async def play(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        lobby.offers["melbourne/blackjack"] = TableOffer((4, 5, 6, 7, 8, 9), (("blackpot", "Blackpot"),))
        while lobby.table.game != "melbourne/blackjack":
            await press(pilot, "down")
        await press(pilot, "1", "d")
        assert lobby.table.decks == 4
        assert "cannot" not in lobby.query_one("#lobby-bar", Picture).canvas.text()

    run(None, play)


def test_a_side_wager_has_its_price_in_the_lobby() -> None:
    asked = []

    def side_edge_of(rules: Rules, wager: str) -> float | None:
        asked.append((rules.game, rules.decks, wager))
        return None if wager == "supernova" else 0.0409

    async def play(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        while lobby.table.game != "melbourne/blackjack":
            await press(pilot, "down")
        shown = lobby.query_one("#lobby", Picture).canvas.text()
        assert "Perfect Pairs 4.1 %" in shown
        assert "Supernova -" in shown
        assert ("melbourne/blackjack", 6, "blackjack-jackpots") in asked
        before = len(asked)
        await press(pilot, "d")
        assert ("melbourne/blackjack", 4, "perfect-pairs") in asked[before:]

    run(None, play, side_edge_of=side_edge_of)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 48)], ids=str)
def test_the_first_line_of_the_lobby_resumes_what_was_left(size: tuple[int, int]) -> None:
    table = sit_down("melbourne/pontoon", cards="Ts 7d 2h 8c")
    left = LeftSession("melbourne/pontoon", "Pontoon", "15 November, 23:04")

    async def play(pilot: Pilot[None]) -> None:
        shown = pilot.app.screen.query_one("#lobby", Picture).canvas.text()
        assert shown.splitlines()[0].strip().startswith("Resume Pontoon")
        assert "15 November, 23:04" in shown
        await press(pilot, "r", "enter")
        assert screen_of(pilot).live is table

    run(None, play, size=size, left=left, resume=lambda: table)

    async def choose(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        await press(pilot, "down")
        assert not lobby.resumes
        assert lobby.table.game == GAMES[0]
        await press(pilot, "down", "up", "up", "up")
        assert lobby.resumes
        await press(pilot, "pagedown")
        assert lobby.table.game == GAMES[4]

    run(None, choose, size=size, left=left, resume=lambda: table)


def test_a_session_that_cannot_be_resumed_says_why_in_the_lobby() -> None:
    def resume() -> LiveSession:
        raise PitbossError("one.jsonl: this session is being played in another window")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        assert "another window" in pilot.app.screen.query_one("#lobby-bar", Picture).canvas.text()
        assert isinstance(pilot.app.screen, LobbyScreen)

    app = run(None, play, left=LeftSession("star/blackjack", "Blackjack", "today"), resume=resume)
    assert app.live is None


def test_no_name_is_cut_at_160_columns() -> None:
    async def play(pilot: Pilot[None]) -> None:
        shown = pilot.app.screen.query_one("#lobby", Picture).canvas.text()
        for name, (book, game) in games().items():
            assert load_book(book).name in shown
            assert load_book(book).games[game].name in shown, name
        assert "…" not in shown

    run(None, play, size=(160, 48))


def test_a_book_of_the_players_own_is_in_the_lobby_too() -> None:
    text = (Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml").read_text("utf-8")
    book = parse_user_book(text, "las-vegas.toml")

    async def play(pilot: Pilot[None]) -> None:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        assert lobby.table.game == "las-vegas/blackjack"
        shown = lobby.query_one("#lobby", Picture).canvas.text()
        assert "│ las-vegas/blackjack" in shown
        await press(pilot, "d", "down")
        assert lobby.tables["las-vegas/blackjack"].decks in lobby.offers["las-vegas/blackjack"].decks
        assert lobby.table.game == "perth/blackjack"

    run(None, play, books=(book,))


def test_what_the_lobby_offers_is_what_the_books_allow() -> None:
    assert offer_of("melbourne/vegas").decks == (4,)
    assert ("super-match", "Super Match") in offer_of("star/switch").side_wagers


def test_a_session_killed_in_mid_round_comes_back_as_it_was() -> None:
    keeper = Memory()
    table = sit_down("melbourne/pontoon", robots=2, keeper=keeper)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "enter", "space")
        ask = screen_of(pilot).ask
        assert ask is not None
        if ask.kind is MoveKind.TURN:
            await press(pilot, "h")

    run(table, play)
    back = resume_session(journal.restore(keeper.journal), NoAdvisor(), keeper)
    assert back.session == table.session

    async def go_on(pilot: Pilot[None]) -> None:
        assert back.session.state.phase is not Phase.BETTING
        for _ in range(20):
            ask = screen_of(pilot).ask
            assert ask is not None
            if ask.kind is MoveKind.NEXT:
                return
            keys = [choice.key for choice in ask.choices]
            await press(pilot, "s" if "s" in keys else keys[-1])

    run(back, go_on)
    assert back.session.tally.rounds == 1
    assert back.session.state.shoe.cards == table.session.state.shoe.cards


@pytest.mark.slow
def test_what_happens_is_shown_step_by_step_and_a_key_catches_up() -> None:
    table = sit_down("star/blackjack", cards="Ts 7d 9h Tc")
    app = PlayApp(table, lambda chosen: table, lambda rules: None, pace=3600)

    async def main() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("enter", "space", "s")
            await pilot.pause()
            screen = screen_of(pilot)
            assert screen.motion.pending
            assert screen.motion.shown.phase is not Phase.SETTLED
            screen._tick()
            await pilot.press("space")
            await pilot.pause()
            assert not screen.motion.pending
            assert screen.motion.shown.phase is Phase.SETTLED
            await pilot.press("space")
            await pilot.pause()
            assert table.session.state.phase is Phase.BETTING

    asyncio.run(main())
