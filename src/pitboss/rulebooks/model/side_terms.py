"""The terms of a side wager: every field a rulebook can set on one, with its type, its choices and what it means.

`SideTerms` is the one list, as `Parameters` is for the game: the loader checks side wagers against it, `SideWager`
carries a value for each term, and the numbers (S1 to S16) are those of the model that the books were read into. A
term that a side wager leaves out takes the value in `SIDE_DEFAULTS`. Some terms concern the wagers of a few judges
only; on any other wager they are refused.
"""

from __future__ import annotations

import typing
from typing import Annotated, Literal, NamedTuple

import msgspec

from pitboss.play.side_wagers.judges import JUDGES


class S(NamedTuple):
    """What a term is: its number, one line for people, the judges it is for (none: all), whether it only describes."""

    number: str
    text: str
    judges: tuple[str, ...] = ()
    describes: bool = False
    """Nothing is decided by it: it tells people what the book says, which the judge of the wager does anyway."""


METERED = ("blackjack-jackpots", "supernova")

Strings = tuple[str, ...]


class SideTerms(msgspec.Struct, frozen=True, kw_only=True):
    """A value for every term of a side wager."""

    hosts: Annotated[Strings, S("S1", "the games it may be offered at; * is all")]
    placed_by: Annotated[
        Literal[
            "own-main-wager",
            "box-has-main-wager",
            "table-has-main-wager",
            "controller",
            "controller-or-sharer-by-leave",
        ],
        S("S2", "whose main wager it needs"),
    ]
    outsiders: Annotated[Literal["no", "yes", "by-leave"], S("S2", "players without a main wager on the box")]
    restrictable_to_main: Annotated[bool, S("S3", "the house may keep it to players with a main wager on the box")]
    max_per_box: Annotated[int, S("S4", "most wagers of this kind on a box; 0: no limit")]
    one_per_main_wager: Annotated[bool, S("S4", "one for each main wager", describes=True)]
    preference: Annotated[
        Literal["main-bettors-then-order", "main-bettors-then-clockwise", "carried-first", "none"],
        S("S5", "who comes first when there is not room for all"),
    ]
    stake: Annotated[Literal["sign", "at-most-main-wager", "equal-in-meter-group"], S("S6", "what limits the stake")]
    window: Annotated[str, S("S7", "the cards that decide it", describes=True)]
    key: Annotated[str, S("S8", "what is looked at on those cards", describes=True)]
    settled: Annotated[
        Literal["interim", "when-known", "interim-then-final", "final", "box-finished"], S("S10", "when it is settled")
    ]
    before_naturals: Annotated[bool, S("S11", "it is settled before naturals are paid")]
    on_void: Annotated[
        Literal["stands-if-settled", "paid-stands", "acted-on", "returned"],
        S("S14", "what becomes of it in a void round"),
    ]
    device: Annotated[
        Literal["none", "button-and-meter", "meter-and-keypad", "meter-keypad-and-bet-manager"],
        S("S15", "the equipment it needs"),
    ]
    fallback: Annotated[
        Literal["none", "pays-20-per-unit", "from-records"], S("S16", "what winners get when the equipment fails")
    ]
    winning_stake: Annotated[
        Literal["returned", "kept"], S("S9", "the stake of a wager that wins a prize", ("pandemonium", *METERED))
    ]
    tiers_paid: Annotated[
        Literal["higher-only", "both"],
        S("S9", "what a super suit, which is a matching suit too, is paid", ("crown-suits",)),
    ]
    two_sevens_suits: Annotated[
        Literal["two-sevens", "three-cards"],
        S("S8", "the cards whose suits decide the odds of two sevens", ("magnificent-sevens",)),
    ]
    tokens_counted: Annotated[
        Literal["each-player", "whole-box"], S("S8", "whose tokens count on a shared box", ("pot-of-gold",))
    ]
    under_with_over: Annotated[
        Literal["both", "one-only", "combined-cap"],
        S(
            "S6",
            "Under 13 and Over 13 on one box: both, one of them, both up to the main wager",
            ("under-13", "over-13"),
        ),
    ]
    payout_cap: Annotated[
        Literal["each-payout", "each-wager"], S("S13", "what the greatest payout on the notice limits", ("blackpot",))
    ]
    second_win: Annotated[
        Literal["ends", "carries-again"], S("S10", "a carried wager that wins its round as well", ("blackpot",))
    ]
    carried_into_void: Annotated[
        Literal["returned", "carried-on"], S("S14", "a wager carried into a round that is void", ("blackpot",))
    ]
    fixed_prizes_off_meter: Annotated[bool, S("S9", "prizes at fixed odds come off the meter too", METERED)]
    second_prize_read: Annotated[
        Literal["after-reset", "before-reset"],
        S("S9", "when the meter is read for the second of several winners", METERED),
    ]
    shares_rounded: Annotated[
        Literal["payable-amount", "exact"], S("S9", "shares of a meter that chips cannot pay exactly", METERED)
    ]
    meter_rounded: Annotated[
        Literal["payable-amount", "whole-dollar"],
        S("S9", "up to what a meter is rounded before it is paid: to what chips can pay, or to a dollar", METERED),
    ]
    unregistered_retractable: Annotated[
        Literal["cards-seen-too", "before-cards-seen"],
        S("S15", "until when a wager that was not registered may be taken back", METERED),
    ]


def _describe_term() -> dict[str, S]:
    hints = typing.get_type_hints(SideTerms, include_extras=True)
    return {name: next(m for m in hint.__metadata__ if isinstance(m, S)) for name, hint in hints.items()}


SIDE_TERMS: dict[str, S] = _describe_term()
"""Number, text and judges of each term."""

SIDE_TYPES: dict[str, object] = typing.get_type_hints(SideTerms)
"""The plain type of each term."""

SIDE_DEFAULTS: dict[str, object] = {
    "hosts": ("*",),
    "placed_by": "own-main-wager",
    "outsiders": "no",
    "restrictable_to_main": False,
    "max_per_box": 0,
    "one_per_main_wager": False,
    "preference": "none",
    "stake": "sign",
    "before_naturals": True,
    "on_void": "returned",
    "device": "none",
    "fallback": "none",
    "winning_stake": "returned",
    "tiers_paid": "higher-only",
    "two_sevens_suits": "two-sevens",
    "tokens_counted": "each-player",
    "under_with_over": "both",
    "payout_cap": "each-payout",
    "second_win": "ends",
    "carried_into_void": "returned",
    "fixed_prizes_off_meter": False,
    "second_prize_read": "after-reset",
    "shares_rounded": "payable-amount",
    "meter_rounded": "payable-amount",
    "unregistered_retractable": "cards-seen-too",
}
"""What holds where a side wager leaves a term out; for the terms of `words_of`, the judge has the answer."""


def words_of(judge: str) -> dict[str, tuple[str, ...]]:
    """The terms that a wager has from its judge, with the words they may hold, the usual one first."""
    found = JUDGES[judge]
    return {"window": (found.window,), "key": (found.key,), "settled": found.settled}


def terms_of(judge: str) -> tuple[str, ...]:
    """The terms that concern the wagers of a judge."""
    return tuple(name for name, term in SIDE_TERMS.items() if not term.judges or judge in term.judges)
