"""Every table that the rules allow, as far as one choice, one reading or one changed rule away from each game.

A variant is a game with choices of the house, readings of its book, side wagers on offer, and parameters set to what
no book says, as a rulebook of somebody's own could set them. Tests that cross rules with executors take their cases
from here, so that a new game, option, reading or value of a parameter is crossed without anybody asking for it.
"""

from __future__ import annotations

import functools
import itertools
import random
import typing
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from pitboss.odds.what_if.vary import DECIDING, VaryError, alternatives, vary
from pitboss.play.packed import pack
from pitboss.rulebooks import Rulebook, RulebookError, Rules, find_game, games, parse_user_book, rules_for
from pitboss.rulebooks.model.parameters import DESCRIBED, TYPES
from pitboss.rulebooks.reading.contradictions import contradictions

ROOT = Path(__file__).resolve().parents[2]
HOUSE_BOOK = parse_user_book((ROOT / "examples" / "las-vegas.toml").read_text("utf-8"), "las-vegas.toml")
HOUSE_GAME = "las-vegas/blackjack"
"""A rulebook of somebody's own: its dealer has a hole card, as no game of the books."""
ALL_GAMES = (*games(), HOUSE_GAME)

Chosen = tuple[tuple[str, Any], ...]


class Variant(NamedTuple):
    """One table: a game and what is chosen, read and changed there."""

    game: str
    options: Chosen = ()
    readings: Chosen = ()
    side_wagers: tuple[str, ...] = ()
    changes: Chosen = ()
    """Parameters and the values they are set to, whatever the book says."""

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in (*self.options, *self.readings, *self.changes)]
        return " ".join((self.game, *words, *(f"+{wager}" for wager in self.side_wagers))).replace("'", "")

    @property
    def choices(self) -> dict[str, Any]:
        """What `rules_for` and everything that calls it takes."""
        return {**dict(self.options), "readings": dict(self.readings), "side_wagers": list(self.side_wagers)}

    @property
    def books(self) -> list[Rulebook]:
        """The books in which the game is found, changes made."""
        return [ChangedBook(find_game(self.game, [HOUSE_BOOK])[0], self.changes)]  # type: ignore[list-item]

    @property
    def rules(self) -> Rules:
        """What holds at this table."""
        return rules_for(self.game, self.books, **self.choices)


class ChangedBook:
    """A book whose games have some parameters changed: what `own_books` takes in place of a book on file."""

    def __init__(self, book: Rulebook, changes: Chosen) -> None:
        self.book = book
        self.namespace = book.namespace
        self.games = book.games
        self.changes = changes

    def rules(self, game: str, **choices: Any) -> Rules:
        """The resolved rules, then the changes, one after the other."""
        rules = self.book.rules(game, **choices)
        for name, value in self.changes:
            rules = changed(rules, name, value)
        for problem in contradictions(rules):
            raise RulebookError(problem)
        return rules


NOT_ALONE = ("switch", "actions")
"""Parameters that say together what a player may do, so that rules contradict each other while one is changed."""


def changed(rules: Rules, name: str, value: Any) -> Rules:
    """The rules with one parameter changed; what changes what a game is worth changes what goes with it."""
    if getattr(rules, name) == value:
        return rules
    if name in DECIDING and name not in NOT_ALONE:
        return vary(rules, name, value)
    return msgspec.structs.replace(rules, **{name: value})


def is_possible(variant: Variant) -> bool:
    """The book allows the choices, and the rules do not contradict each other."""
    try:
        variant.rules  # noqa: B018 (asked for the refusal)
    except (RulebookError, VaryError):
        return False
    return True


# ---------------------------------------------------------------------- what each book leaves open

SOME_DECKS = 3
"""Of the numbers of decks that a book allows: the fewest, the most, and one between."""
AMOUNTS = ("500", "30")
"""Of the amounts of money that a house may post: what bites for few payments, and what bites for most."""


def one_choice_away(game: str) -> Iterator[Variant]:
    """The game as it stands, then with each value of each option, then with each other way to read a clause."""
    book, found = find_game(game, [HOUSE_BOOK])
    yield Variant(game)
    for name, option in book.options_of(found).items():
        values = option.choices or AMOUNTS
        if name == "decks":
            values = tuple(dict.fromkeys((values[0], values[len(values) // 2], values[-1])))[:SOME_DECKS]
        for value in values:
            yield from _with_what_it_needs(Variant(game, options=((name, value),)))
    for name, reading in book.readings_of(found).items():
        for value in reading.alternatives:
            yield Variant(game, readings=((name, value),))


def _with_what_it_needs(variant: Variant) -> Iterator[Variant]:
    """The variant; or, where the book ties its option to another one, to a side wager or to a reading, with those."""
    if is_possible(variant):
        yield variant
        return
    book, found = find_game(variant.game, [HOUSE_BOOK])
    others = [
        ((name, value),)
        for name, option in book.options_of(found).items()
        for value in option.choices
        if name != variant.options[0][0]
    ]
    wagers = [(), *((wager,) for wager in book.side_wagers_of(found))]
    for offered, more in itertools.product(wagers, [(), *others]):
        fuller = variant._replace(options=(*variant.options, *more), side_wagers=offered)
        if is_possible(fuller):
            yield fuller
            return
    readings = [(name, word) for name, reading in book.readings_of(found).items() for word in reading.alternatives]
    for offered, read in itertools.product(wagers, readings):
        fuller = variant._replace(readings=(read,), side_wagers=offered)
        if is_possible(fuller):
            yield fuller
            return
    raise AssertionError(f"no table of the book has {variant}")


def wager_sets(variant: Variant) -> list[tuple[str, ...]]:
    """Every side wager that may be offered at a table once, as many together as may be offered together."""
    book, found = find_game(variant.game, [HOUSE_BOOK])
    sets: list[tuple[str, ...]] = []
    for wager in book.side_wagers_of(found):
        for place, offered in enumerate(sets):
            if is_possible(variant._replace(side_wagers=(*offered, wager))):
                sets[place] = (*offered, wager)
                break
        else:
            if is_possible(variant._replace(side_wagers=(wager,))):
                sets.append((wager,))
    return sets


SHARE = 4


def with_side_wagers(variants: Iterable[Variant], share: int = SHARE) -> Iterator[Variant]:
    """The variants that differ, with side wagers on offer: those whose terms a choice changes, or else one in turn.

    A game as it stands offers all that it can. A choice that changes nothing but the terms of side wagers is tried at
    one of `share` games of its book, since the terms are the same in all.
    """
    hands_known: set[Any] = set()
    terms_known: set[Any] = set()
    for turn, variant in enumerate(variants):
        offered = [variant._replace(side_wagers=wagers) for wagers in wager_sets(variant)]
        terms = [dict(zip(table.side_wagers, side_wagers_of(table.rules), strict=True)) for table in offered]
        fresh = [tuple(wager for wager in of_table if of_table[wager] not in terms_known) for of_table in terms]
        hands = (hands_of(variant.rules), variant.rules.decks)
        if turn == 0:
            yield from offered or [variant]
        elif hands not in hands_known or (turn + ALL_GAMES.index(variant.game)) % share == 0:
            some = [variant._replace(side_wagers=wagers) for wagers in fresh if wagers]
            if not some and hands not in hands_known:
                wagers = offered[turn % len(offered)].side_wagers if offered else ()
                some = [variant._replace(side_wagers=wagers[turn % len(wagers) :][:1] if wagers else ())]
            yield from filter(is_possible, some)
        hands_known.add(hands)
        terms_known.update(term for of_table in terms for term in of_table.values())


# ---------------------------------------------------------------------- what no book says

ROUND_GROUPS = frozenset(
    DESCRIBED[name].group
    for name in ("natural_paid", "even_money", "stand_on_21", "tie", "dealer_push_total", "switch")
) | {DESCRIBED["double_totals"].group, DESCRIBED["split_match"].group}
ROUND_CARDS = (
    "deck_cards", "hole_card", "card_source", "discards_return", "burn_shoe", "burn_device", "burn_device_when",
)  # fmt: skip
SEVERAL_PEOPLE = frozenset({
    "insurance_by", "insurance_late_until", "surrender_sharers", "double_sharers", "split_sharers", "natural_name",
    "absent_hard", "absent_soft",
})  # fmt: skip
"""Parameters of these groups that only concern several players of one box, absent ones, or words."""
ROUND_PARAMETERS = tuple(
    name
    for name, about in DESCRIBED.items()
    if name in ROUND_CARDS or (about.group in ROUND_GROUPS and not about.describes and name not in SEVERAL_PEOPLE)
)
"""The parameters that a round of one player on a box can depend on."""

NUMBERS: Mapping[str, tuple[Any, ...]] = {
    "surrender_below": (16, 22),
    "auto_draw_hard": (14,),
    "auto_draw_soft": (19,),
    "split_max_hands": (1, 2, 3, 4, 6),
    "split_aces_max_hands": (2, 3, 4, 6),
}
"""Values of parameters that can be any number, beside those that `vary` tries."""

CHANGED_GAMES: tuple[Variant, ...] = (
    Variant("star/blackjack"),
    Variant(HOUSE_GAME, options=(("surrender", True),)),
    Variant("melbourne/pontoon"),
    Variant("star/switch"),
    Variant("melbourne/vegas"),
    Variant("melbourne/free-bet"),
    Variant("perth/plus"),
)
"""Games that have, between them, everything that a parameter can change."""


def values_of(rules: Rules, name: str) -> tuple[Any, ...]:
    """The other values of a parameter that the game could be played with."""
    kind = TYPES[name]
    if name in NUMBERS:
        values = NUMBERS[name]
    elif name in DECIDING:
        try:
            return alternatives(rules, name)
        except VaryError:
            return ()
    elif kind is bool:
        values = (False, True)
    elif typing.get_origin(kind) is Literal:
        values = typing.get_args(kind)
    else:
        return ()
    return tuple(value for value in values if value != getattr(rules, name))


def one_rule_away(base: Variant) -> Iterator[Variant]:
    """The game with each parameter of a round set to each other value that makes rules a table could run."""
    rules = base.rules
    for name in ROUND_PARAMETERS:
        for value in values_of(rules, name):
            variant = base._replace(changes=((name, value),))
            if is_possible(variant):
                yield variant


TRIED_WITH = 2
"""Games with which a value of a parameter is tried; more would find more, and take longer."""


def some_rules_away(place: int) -> list[Variant]:
    """Those changes of one parameter whose turn it is to be tried with this game."""
    return [variant for variant in _every_rule_away()[place] if place in _places_to_try(variant.changes)]


@functools.cache
def _every_rule_away() -> tuple[tuple[Variant, ...], ...]:
    return tuple(tuple(one_rule_away(base)) for base in CHANGED_GAMES)


@functools.cache
def _places_to_try(changes: Chosen) -> frozenset[int]:
    """The games with which a change is tried, of all that it can be made to.

    Names decide, so that a parameter, value or game that comes or goes leaves the others where they are.
    """
    able = [place for place, variants in enumerate(_every_rule_away()) if any(v.changes == changes for v in variants)]
    turns = {place: zlib.crc32(str(CHANGED_GAMES[place]._replace(changes=changes)).encode()) for place in able}
    return frozenset(sorted(able, key=turns.__getitem__)[:TRIED_WITH])


BOUND_TOGETHER: tuple[tuple[str, dict[str, tuple[Any, ...]]], ...] = (
    ("melbourne/vegas", {
        "surrender_when": ("before-third-card", "table-pass", "own-turn", "until-another-draws", "after-own-cards"),
        "surrender_settled": ("at-once", "final"),
        "surrender_vs_natural": ("whole-stake-lost", "half-stake-lost"),
    }),
    (HOUSE_GAME, {
        "surrender_when": ("before-third-card", "own-turn"),
        "surrender_settled": ("at-once", "final"),
        "surrender_vs_natural": ("whole-stake-lost", "half-stake-lost"),
        "hole_card": ("peek", "no-peek"),
    }),
    ("star/blackjack", {
        "natural_paid": ("at-once", "at-once-unless-ten-or-ace", "final"),
        "natural_vs_natural": ("stand-off", "win"),
        "natural_beats_drawn_21": (True, False),
        "dealer_push_total": (None, 22),
    }),
    (HOUSE_GAME, {
        "hole_card": ("peek", "no-peek"),
        "dealer_natural_takes": ("all", "busted-plus-one", "by-wager", "capped-at-original", "one-per-live-hand",
                                 "original"),
        "busted_double_lost": (True, False),
    }),
    ("melbourne/free-bet", {
        "dealer_natural_takes": ("all", "busted-plus-one", "by-wager", "capped-at-original", "one-per-live-hand",
                                 "original"),
        "busted_double_lost": (True, False),
    }),
    ("perth/plus", {
        "player_21_wins": (True, False),
        "five_card_win": ("none", "at-most-21", "below-21"),
        "player_21_paid": ("at-once", "final"),
        "winning_hands_first": (True, False),
        "split_hands_settle_as_main": (True, False),
    }),
    (HOUSE_GAME, {
        "even_money": ("on-request-against-ace", "no"),
        "even_money_insurance": ("stands", "returned"),
        "natural_paid": ("at-once", "at-once-unless-ten-or-ace", "final"),
        "insurance_settled": ("dealer-second-card", "before-play"),
    }),
    ("melbourne/vegas", {
        "forced_draw_below": (0, 12),
        "double_exempt_from_forced_draw": ("any-total", "only-11"),
        "double_cards": ("two", "two-or-more"),
        "max_cards": (None, 5),
    }),
    ("star/blackjack", {
        "split_aces_one_card": (True, False),
        "split_aces_max_hands": (2, 4),
        "split_max_hands": (2, 4),
        "split_declined_bars": (True, False),
    }),
    ("melbourne/blackjack", {
        "auto_draw": ("optional", "compulsory"),
        "auto_draw_line": ("player-chooses", "hand-stands"),
        "auto_draw_spares": ("doubles-of-the-game", "hard-9-11"),
    }),
    ("star/switch", {
        "natural_paid": ("at-once", "at-once-unless-ten-or-ace", "final"),
        "switch_after_paid_natural": (True, False),
        "natural_vs_push_total": ("win", "stand-off"),
    }),
)  # fmt: skip
"""Games, and parameters that answer the same question together: every combination of their values is crossed."""


def combinations(place: int) -> Iterator[Variant]:
    """Every combination of parameters that are bound together."""
    game, parameters = BOUND_TOGETHER[place]
    options: Chosen = (("surrender", True),) if game == HOUSE_GAME else ()
    for values in itertools.product(*parameters.values()):
        variant = Variant(game, options, changes=tuple(zip(parameters, values, strict=True)))
        if is_possible(variant):
            yield variant


def mixtures(count: int, seed: int) -> Iterator[Variant]:
    """Games with three parameters changed at random."""
    chance = random.Random(seed)
    made = 0
    while made < count:
        base = chance.choice(CHANGED_GAMES)
        rules = base.rules
        names = chance.sample([name for name in ROUND_PARAMETERS if values_of(rules, name)], 3)
        variant = base._replace(changes=tuple((name, chance.choice(values_of(rules, name))) for name in names))
        if is_possible(variant):
            made += 1
            yield variant


CHOICES_TOGETHER: tuple[Variant, ...] = tuple(
    Variant(
        game, (("blackpot_max", amount),), (("blackpot_cap", cap), ("blackpot_after_second_win", after)), ("blackpot",)
    )
    for game in ("melbourne/blackjack", "melbourne/pontoon")
    for amount in AMOUNTS
    for cap in ("each-payout", "each-wager")
    for after in ("ends", "carries-again")
)
"""Options and readings that answer the same question together."""


READINGS_TOGETHER: tuple[tuple[str, dict[str, tuple[str, ...]]], ...] = (
    ("perth/plus", {
        "plus_win_limbs_first": ("yes", "no"),
        "blackjack_pay_time": ("final", "at-once-unless-ten-or-ace"),
        "plus_split_uses_6_1": ("yes", "no"),
        "plus_dealer_23_wins": ("yes", "no"),
    }),
    ("star/blackjack", {
        "drawn_21_against_dealer_natural": ("loses", "stand-off"),
        "natural_against_drawn_21": ("wins", "stand-off"),
    }),
    ("star/switch", {
        "drawn_21_against_dealer_natural": ("loses", "stand-off"),
        "natural_against_drawn_21": ("wins", "stand-off"),
    }),
)  # fmt: skip
"""Games, and readings that settle the same hands together: every combination of them is crossed."""


def read_together(place: int) -> list[Variant]:
    """Every combination of readings that settle the same hands."""
    game, readings = READINGS_TOGETHER[place]
    return [
        Variant(game, readings=tuple(zip(readings, words, strict=True)))
        for words in itertools.product(*readings.values())
    ]


# ---------------------------------------------------------------------- the same table twice


def side_wagers_of(rules: Rules) -> tuple[Any, ...]:
    """What side wagers on offer can depend on: their terms, clauses apart."""
    return tuple(
        msgspec.json.encode({**msgspec.structs.asdict(side), "clauses": None}, order="sorted")
        for side in rules.side_wagers
    )


def hands_of(rules: Rules) -> tuple[Any, ...]:
    """What a round without side wagers can depend on: rules with an equal one are the same game."""
    values = tuple(getattr(rules, name) for name in ROUND_PARAMETERS)
    return (pack(rules)._replace(decks=1), values, rules.bonuses, rules.super_bonus_sums)


def round_of(rules: Rules) -> tuple[Any, ...]:
    """What a round with side wagers can depend on."""
    return (*hands_of(rules), rules.decks, side_wagers_of(rules))


def distinct(variants: Iterable[Variant], key: Callable[[Rules], Any]) -> list[Variant]:
    """The first of the variants of each game that are the same by `key`."""
    found: dict[Any, Variant] = {}
    for variant in variants:
        found.setdefault(key(variant.rules), variant)
    return list(found.values())
