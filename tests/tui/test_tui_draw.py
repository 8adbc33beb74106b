"""The picture of the table at every size: all boxes, all cards that may be seen and no other, with colour or not."""

from __future__ import annotations

import re
from functools import cache

import pytest
from rich.color import Color
from tui_tools import EACH_GAME, GAMES, cut, side_wagers, sit_down

from pitboss.cards import parse_card
from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.table import open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Phase, State
from pitboss.tui.felt.canvas import Canvas, TextRun
from pitboss.tui.felt.card_faces import HUGE, LARGE, MEDIUM, SMALL, chips, fan, name, paint
from pitboss.tui.felt.draw import draw_table
from pitboss.tui.felt.palette import DARK, DRAWN, LIGHT, MONO, Palette, palette
from pitboss.tui.felt.scene import list_places, scene_of, short_names
from pitboss.tui.screens.panels import BarText, Button, draw_bar, log_panel, top_line
from pitboss.tui.session.moves import MoveKind
from pitboss.tui.session.player_log import Line, address, amount_text, spoken, write_suits

SIZES = ((60, 13), (80, 17), (100, 24), (116, 43), (200, 60))
CARD = re.compile(r"(10|[A2-9JQK])([♠♥♦♣♡♢])|[♠♥♦♣♡♢](10|[A2-9JQK])")


@cache
def some_states(game: str) -> tuple[State, ...]:
    """A few moments of a session: betting, boxes in turn, settled."""
    shared = rules_for(game).sharers_max > 1
    table = sit_down(game, robots=3, sharers=1 if shared else 0, sides=side_wagers(game), seed="5", bankroll=5000)
    found = [table.session.state]
    while table.session.tally.rounds < 3:
        ask = table.go_on()
        found.append(table.session.state)
        if ask.kind is MoveKind.CUT:
            cut(table, ask)
        elif ask.kind is MoveKind.BETS:
            table.bet(table.session.setup.box, Money(35))
            for side in table.session.rules.side_wagers:
                table.bet(table.session.setup.box, Money(5), side.id)
            table.deal()
        else:
            table.do(ask.choices[min(2, len(ask.choices) - 1)].command)
    return tuple(found)


@pytest.mark.parametrize("game", EACH_GAME)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_box_and_every_open_card_is_in_the_picture_and_nothing_else(game: str, size: tuple[int, int]) -> None:
    for state in some_states(game):
        for mono in (False, True):
            picture = draw_table(scene_of(state, "guest", "1"), *size, mono=mono)
            text = picture.text()
            assert {region.what[1] for region in picture.regions if region.what[0] == "box"} == {
                str(area) for area in range(1, state.rules.boxes_max + 1)
            }
            open_cards = {*state.dealer, *(card for box in state.boxes for hand in box.hands for card in hand.cards)}
            ranks = {name(card)[:-1] for card in open_cards}
            seen = {found[1] or found[3] for found in CARD.finditer(text)}
            assert seen <= ranks
            last = [hand.cards[-1] for box in state.boxes for hand in box.hands]
            assert {name(card)[:-1] for card in last if card[0] != "T"} <= seen | {"T"}


@pytest.mark.parametrize("game", EACH_GAME)
def test_every_style_of_a_picture_is_in_every_palette(game: str) -> None:
    used = set()
    for state in some_states(game):
        for size in SIZES:
            picture = draw_table(scene_of(state, "guest", "1"), *size)
            used |= {run.style for y in range(size[1]) for run in picture.runs(y)}
    for styles in (DARK, LIGHT, MONO):
        assert used <= set(styles)
        assert set(styles) == set(DARK)


def test_without_colour_no_style_has_one() -> None:
    assert all(style.color is None and style.bgcolor is None for style in palette(dark=True, colour=False).values())


def _luminance(colour: Color | None) -> float:
    assert colour is not None
    parts = [part / 255 for part in colour.get_truecolor()]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("styles", [DARK, LIGHT], ids=["dark", "light"])
def test_contrast_is_that_of_level_aa(styles: Palette) -> None:
    for name_of_style, style in styles.items():
        darker, lighter = sorted((_luminance(style.color), _luminance(style.bgcolor)))
        ratio = (lighter + 0.05) / (darker + 0.05)
        drawn = name_of_style in DRAWN or name_of_style.startswith(("chip.", "tray."))
        assert ratio >= (3 if drawn else 4.5), (name_of_style, round(ratio, 2))


def test_regions_lie_inside_the_picture_and_the_later_one_is_on_top() -> None:
    canvas = Canvas(10, 4)
    canvas.region(0, 0, 10, 4, "box", "1")
    canvas.region(2, 1, 3, 1, "spot", "1 perfect-pairs")
    assert canvas.at(0, 0) == ("box", "1")
    assert canvas.at(3, 1) == ("spot", "1 perfect-pairs")
    assert canvas.at(10, 0) is None


def test_what_falls_outside_a_canvas_is_not_seen() -> None:
    canvas = Canvas(4, 2, "felt")
    canvas.put(-1, 0, "abc", "text")
    canvas.put(3, 1, "xyz", "text")
    canvas.put(0, 5, "no", "text")
    assert canvas.text() == "bc\n   x"
    assert list(canvas.runs(0)) == [TextRun("bc", "text"), TextRun("  ", "felt")]


@pytest.mark.parametrize("size", [HUGE, LARGE, MEDIUM, SMALL])
@pytest.mark.parametrize("mono", [False, True])
def test_a_card_shows_its_rank_and_suit_and_fills_its_field(size: tuple[int, int, int], mono: bool) -> None:
    for card in ("As", "Th", "7d", "Kc"):
        canvas = Canvas(size[0] + 2, size[1] + 2)
        paint(canvas, 1, 1, parse_card(card), size, mono=mono)  # type: ignore[arg-type]
        text = canvas.text()
        assert name(card)[:-1] in text
        assert name(card, mono=mono)[-1] in text
        touched = {(x, y) for y in range(size[1] + 2) for x in range(size[0] + 2) if _style(canvas, x, y) != "felt"}
        assert touched == {(x, y) for y in range(1, size[1] + 1) for x in range(1, size[0] + 1)}


def _style(canvas: Canvas, x: int, y: int) -> str:
    for run in canvas.runs(y):
        if x < len(run.text):
            return run.style
        x -= len(run.text)
    raise IndexError


@pytest.mark.parametrize("count", range(1, 12))
@pytest.mark.parametrize("room", [4, 6, 9])
def test_a_hand_of_any_length_fits_its_room(count: int, room: int) -> None:
    cards = tuple("A23456789JQ"[index] + "shdc"[index % 4] for index in range(count))
    canvas = Canvas(7, room + 3)
    top = fan(canvas, 1, room + 1, room, cards, MEDIUM)
    assert top >= 1 or count > 2 * room
    if count <= 2 * room:
        for card in cards:
            assert name(card) in canvas.text()


def test_chips_make_the_amount() -> None:
    assert chips(Money(1631)) == (1000, 500, 100, 25, 5, 1)
    assert sum(chips(Money(387))) == 387


def test_the_top_line_and_the_bar_fit_any_width() -> None:
    session = sit_down("melbourne/premium-doubling").session
    for width in (40, 60, 80, 120):
        assert len(top_line(session, width).text()) <= width
        assert "bankroll 1,000" in top_line(session, width).text()
        buttons = [Button("h", "hit"), Button("space", "next round", "or leave")] * 3
        shown = draw_bar(BarText("What will you do?"), buttons, 0, width, 4, Money(25) if width >= 60 else None)
        assert shown.height == 4
        assert "What will you do?" in shown.text()


def test_the_log_shows_its_end_and_moves_back() -> None:
    lines = [Line(f"Line {number}.", ("1.1", "1.2")) for number in range(50)]
    assert "Line 49. [1.1]" in log_panel(lines, 40, 3).text()
    assert "Line 39." in log_panel(lines, 40, 3, back=10).text()
    assert log_panel(lines, 40, 3).at(5, 2) == ("line", "49")
    assert log_panel(lines, 40, 3, back=10).at(5, 2) == ("line", "39")


def test_side_wagers_have_short_names_of_their_own() -> None:
    for game in GAMES:
        rules = rules_for(game, side_wagers=side_wagers(game))
        shorts = short_names(rules)
        assert len(set(shorts.values())) == len(rules.side_wagers)
        assert all(len(short) <= 4 for short in shorts.values())


def test_a_shoe_of_a_new_table_is_empty_and_its_boxes_are_drawn() -> None:
    for game in GAMES:
        state = open_table(rules_for(game))
        text = draw_table(scene_of(state, "guest"), 80, 17).text()
        assert "empty" in text
        assert all(place in text for place in list_places(state.rules))


def test_a_natural_is_called_one_where_the_table_does() -> None:
    natural = sit_down("melbourne/blackjack", cards="As 7d Kh Tc")
    split = sit_down("melbourne/blackjack", cards="As 7d Ah Kc Ks Tc")
    for table, keys in ((natural, ()), (split, (cmd.Split(box="5", by="guest"),))):
        table.go_on()
        table.bet("5", Money(10))
        table.deal()
        for command in keys:
            table.go_on()
            assert table.do(command) is None
        table.go_on()
    assert "Blackjack" in draw_table(scene_of(natural.session.state, "guest"), 116, 43).text()
    assert [hand.points for hand in split.session.state.boxes[0].hands] == [21, 21]
    assert "Blackjack" not in draw_table(scene_of(split.session.state, "guest"), 116, 43).text()


def test_the_dealers_natural_is_one_of_two_cards() -> None:
    for cards, says in (("Ts Ad 9h Kc", "dealer has Blackjack"), ("Ts 7d 9h 7c 7h", "dealer 21")):
        table = sit_down("star/blackjack", cards=cards)
        table.go_on()
        table.bet(table.session.setup.box, Money(10))
        table.deal()
        while table.session.state.phase is not Phase.SETTLED:
            ask = table.go_on()
            table.do(next(choice for choice in ask.choices if choice.key in ("s", "space")).command)
        assert says in draw_table(scene_of(table.session.state, "guest"), 80, 17).text()


@pytest.mark.parametrize("game", GAMES)
def test_the_cloth_says_what_real_layouts_say_at_every_size(game: str) -> None:
    rules = rules_for(game)
    odds = rules.natural_odds
    pays = f"{rules.natural_name.upper()} PAYS {odds.win} TO {odds.stake}"
    draws = "hit soft 17" if rules.dealer_hits_soft_17 else "stand on all 17s"
    for size in SIZES:
        text = draw_table(scene_of(open_table(rules), "guest"), *size).text()
        assert pays in text
        if size[0] >= 80:
            assert f"Dealer must draw to 16 and {draws}" in text
            assert ("INSURANCE PAYS 2 TO 1" if rules.insurance_on_ace else "NO INSURANCE") in text
        else:
            assert draws.split()[-1] in text


def test_a_window_too_small_says_so() -> None:
    assert "larger" in draw_table(scene_of(open_table(rules_for("star/switch")), "guest"), 40, 8).text()


# ---------------------------------------------------------------------- words


def test_the_player_is_addressed() -> None:
    assert address("you, seated, stakes 20 on box 1", "you") == "you, seated, stake 20 on box 1"
    assert address("you is told; you has Th; your you's", "you") == "you are told; you have 10♥; your your"
    assert address("ann and you surrender on box 1", "you") == "ann and you surrender on box 1"
    assert address("max watches; maximus stakes", "max") == "you watch; maximus stakes"


def test_cards_are_signed_and_spelled_out() -> None:
    assert write_suits("box 1 is dealt Th 6c: 16") == "box 1 is dealt 10♥ 6♣: 16"
    assert spoken("Box 1 is dealt 10♥ 6♣: 16.") == "Box 1 is dealt ten of hearts, six of clubs: 16."


def test_amounts_are_grouped() -> None:
    assert [amount_text(Money(text)) for text in ("0", "-12.5", "1234567.25")] == ["0", "-12.5", "1,234,567.25"]
