"""The games as plain rows, typed from the texts of the books and not from the rulebook files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

TENS = "TJQK"


@dataclass(frozen=True)
class Game:
    """What one game does differently from another. Defaults are those of Melbourne's ordinary Blackjack."""

    boxes: tuple[str, ...] = ("1",)

    natural_pays: Fraction = Fraction(3, 2)
    natural_paid_against: str = "23456789"
    """Up cards against which a natural is paid before anybody acts."""
    natural_always_wins: bool = False
    insure_naturals: bool = True
    insure_against: str = "A"
    even_money: bool = True
    even_money_returns_insurance: bool = False

    surrender_against: str = ""
    surrender_on_turn: bool = False
    """Only when called upon to act; else to the whole table, before any further card."""
    surrender_alone: bool = False
    """Sharers may keep their wagers."""
    surrender_is_final: bool = False
    """Half is lost there and then, whatever the dealer gets."""

    doubles: str = "hard 9-11"
    double_on: tuple[int, int] = (2, 2)
    """Fewest and most cards of a hand that may double."""
    double_for_less: bool = True
    double_free: bool = False
    double_fixes_aces: bool = False
    double_may_be_taken_back: bool = False

    hands: int = 3
    hands_of_aces: int = 2
    declining_bars_splits: bool = True
    split_free: bool = False

    must_draw_below: int = 0
    draws_for_player: str = "never"
    most_cards: int = 99
    absent_stands_on_soft: int = 17

    dealer_hits_soft_17: bool = False
    dealer_always_draws: bool = False
    dealer_22_stands_off: bool = False
    natural_takes_everything: bool = False

    all_21_win: bool = False
    five_cards_win: bool = False
    bonuses: bool = False


_MELBOURNE = Game()
_MELBOURNE_17 = replace(_MELBOURNE, dealer_hits_soft_17=True, absent_stands_on_soft=18)
_PONTOON = replace(
    _MELBOURNE_17,
    natural_paid_against="A23456789JQK",
    natural_always_wins=True,
    insure_naturals=False,
    even_money=False,
    surrender_against="JQKA",
    surrender_on_turn=True,
    doubles="any",
    double_on=(2, 99),
    double_fixes_aces=True,
    double_may_be_taken_back=True,
    all_21_win=True,
    bonuses=True,
)
_PERTH = Game(
    natural_paid_against="",
    double_for_less=False,
    hands_of_aces=3,
    declining_bars_splits=False,
    must_draw_below=12,
    absent_stands_on_soft=12,
    natural_takes_everything=True,
)
_RWS = Game(
    surrender_against="23456789TJQK",
    surrender_is_final=True,
    doubles="any",
    hands=4,
    declining_bars_splits=False,
    must_draw_below=12,
    absent_stands_on_soft=12,
    dealer_always_draws=True,
)
_STAR = Game(
    even_money_returns_insurance=True,
    doubles="9-11, ace one",
    double_fixes_aces=True,
    hands=2,
    declining_bars_splits=False,
    must_draw_below=12,
    absent_stands_on_soft=12,
)
_SWITCH = replace(
    _STAR,
    boxes=("1a", "1b"),
    natural_pays=Fraction(1),
    even_money=False,
    doubles="9-11, no ace",
    double_for_less=False,
    double_fixes_aces=False,
    dealer_hits_soft_17=True,
    dealer_22_stands_off=True,
)

GAMES: dict[str, Game] = {
    "perth/blackjack": _PERTH,
    "perth/vegas": replace(_PERTH, doubles="any", surrender_against="TJQKA", surrender_alone=True),
    "perth/plus": replace(
        _PERTH,
        natural_always_wins=True,
        insure_naturals=False,
        even_money=False,
        doubles="any",
        double_on=(2, 3),
        most_cards=5,
        all_21_win=True,
        five_cards_win=True,
        dealer_22_stands_off=True,
    ),
    "rws/blackjack": _RWS,
    "star/blackjack": _STAR,
    "star/switch": _SWITCH,
    "melbourne/blackjack": _MELBOURNE,
    "melbourne/pontoon": _PONTOON,
    "melbourne/vegas": replace(_MELBOURNE, doubles="any", surrender_against="TJQKA"),
    "melbourne/crown": _MELBOURNE_17,
    "melbourne/premier": replace(_MELBOURNE_17, doubles="any"),
    "melbourne/premium-doubling": replace(_MELBOURNE_17, doubles="any", double_on=(2, 99)),
    "melbourne/sports": replace(_MELBOURNE_17, natural_pays=Fraction(6, 5), even_money=False),
    "melbourne/six-to-five-pontoon": replace(_PONTOON, natural_pays=Fraction(6, 5)),
    "melbourne/plus": replace(
        _MELBOURNE,
        natural_paid_against="A23456789TJQK",
        natural_always_wins=True,
        insure_naturals=False,
        even_money=False,
        doubles="any",
        double_on=(2, 3),
        most_cards=5,
        all_21_win=True,
        five_cards_win=True,
        dealer_22_stands_off=True,
    ),
    "melbourne/spanish": _PONTOON,
    "melbourne/select": replace(
        _MELBOURNE, doubles="none", hands=1, hands_of_aces=1, draws_for_player="openings", dealer_hits_soft_17=True
    ),
    "melbourne/free-bet": replace(_MELBOURNE_17, double_free=True, split_free=True, dealer_22_stands_off=True),
}


def game(name: str, options: dict[str, object]) -> Game:
    """A game with the choices of its house."""
    found = GAMES[name]
    layout = options.get("layout", 1)
    if isinstance(layout, int) and layout >= 7:
        found = replace(found, dealer_hits_soft_17=True)
    if options.get("resplit"):
        found = replace(found, hands=3, hands_of_aces=3)
    if options.get("insurance_on_ten"):
        found = replace(found, insure_against="A" + TENS)
    if options.get("double_with_ace"):
        found = replace(found, doubles="9-11, ace one", double_fixes_aces=True)
    if options.get("auto_draw"):
        found = replace(found, draws_for_player="weak hands")
    return found
