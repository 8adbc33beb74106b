"""Every option and every reading of every game, and every value of a parameter, crossed with every executor.

On tiny shoes the table pays what the odds say, in fractions. On fixed seeds the simulator and the environments come to
the table's money round by round, side wagers included. What an executor refuses is on one list, which the documentation
prints, and is refused in one line.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NamedTuple

import pytest
from crossing import (
    side_wagers_against_simulator,
    table_against_environment,
    table_against_odds,
    table_against_simulator,
)
from refusals import REFUSALS, Refusal, refusal_of
from side_crossing import insurance_against_odds, side_wager_against_odds
from speeds import few
from variants import (
    ALL_GAMES,
    BOUND_TOGETHER,
    CHANGED_GAMES,
    CHOICES_TOGETHER,
    READINGS_TOGETHER,
    ROOT,
    TRIED_WITH,
    Variant,
    combinations,
    distinct,
    hands_of,
    mixtures,
    one_choice_away,
    one_rule_away,
    read_together,
    round_of,
    side_wagers_of,
    some_rules_away,
    with_side_wagers,
)

from pitboss.envs.table_env import TableBoxEnv
from pitboss.errors import PitbossError
from pitboss.money import Odds
from pitboss.rulebooks import BOOKS, games
from pitboss.sim.witness import witness


class Crossing(NamedTuple):
    """An executor, what holds the table against it, and which of many tables differ for that."""

    executor: str
    compare: Callable[[Variant, bool], str]
    tables: Callable[[Iterable[Variant]], list[Variant]]


def without_side_wagers(variants: Iterable[Variant]) -> list[Variant]:
    """Tables whose hands differ."""
    return distinct(variants, hands_of)


def with_some_side_wagers(variants: Iterable[Variant]) -> list[Variant]:
    """Tables whose hands or side wagers differ, with side wagers on offer."""
    return distinct(with_side_wagers(variants), round_of)


SIDE_WAGERS = "side wagers simulated"
CROSSINGS = {
    "odds": Crossing("odds", table_against_odds, without_side_wagers),
    "simulator": Crossing("simulator", table_against_simulator, without_side_wagers),
    SIDE_WAGERS: Crossing("simulator", side_wagers_against_simulator, with_some_side_wagers),
    "environments": Crossing("environments", table_against_environment, with_some_side_wagers),
}
ALL_THOROUGH = "PITBOSS_FUZZ" in os.environ
"""Whether every table is played as thoroughly as the games as they stand."""
SAMPLE = ("star/blackjack", "perth/vegas", "melbourne/pontoon", "star/switch")


def problem_of(name: str, variant: Variant, *, thorough: bool = False) -> str:
    """What is wrong between the table and an executor; empty if nothing is."""
    executor, compare, _ = CROSSINGS[name]
    expected = refusal_of(executor, variant.rules)
    try:
        wrong = compare(variant, thorough)
    except PitbossError as refused:
        if expected is None:
            return f"it is refused and not on the list: {refused}"
        as_listed = expected.words in str(refused) and "\n" not in str(refused)
        return "" if as_listed else f"the refusal is not the one listed: {refused}"
    return wrong if expected is None else f"it is played, and on the list of refusals: {expected.what}"


def assert_played(name: str, variants: Iterable[Variant], *, thorough: bool = ALL_THOROUGH) -> None:
    """No variant is there with which the table and an executor differ; else a line for each.

    A game as its book has it is played by everybody, and for longer; what is one choice away only with `PITBOSS_FUZZ`.
    """
    found = {
        variant: problem_of(name, variant, thorough=thorough or variant == Variant(variant.game))
        for variant in variants
    }
    wrong = "\n".join(f"{variant}: {problem}" for variant, problem in found.items() if problem)
    assert not wrong, f"{name}:\n{wrong}"


@pytest.mark.parametrize("name", few(CROSSINGS, 3))
def test_a_sample_of_all_tables_is_played_as_the_table_plays_it(name: str) -> None:
    some = chain.from_iterable([*one_choice_away(game)][place::19] for place, game in enumerate(SAMPLE))
    assert_played(name, CROSSINGS[name].tables(some)[:5])


@pytest.mark.slow
@pytest.mark.parametrize("game", ALL_GAMES)
@pytest.mark.parametrize("name", CROSSINGS)
def test_every_option_and_reading_is_played_as_the_table_plays_it(name: str, game: str) -> None:
    tables = CROSSINGS[name].tables(one_choice_away(game))
    if name == SIDE_WAGERS:
        tables += [variant for variant in CHOICES_TOGETHER if variant.game == game]
    assert_played(name, tables)


WITHOUT_SIDE_WAGERS = [name for name in CROSSINGS if name != SIDE_WAGERS]


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(CHANGED_GAMES)), ids=lambda place: CHANGED_GAMES[place].game)
@pytest.mark.parametrize("name", WITHOUT_SIDE_WAGERS)
def test_every_value_of_a_parameter_is_played_as_the_table_plays_it(name: str, place: int) -> None:
    assert_played(name, without_side_wagers(some_rules_away(place)))


@pytest.mark.slow
def test_every_value_is_tried_with_two_games_where_two_can_have_it() -> None:
    able = Counter(variant.changes for base in CHANGED_GAMES for variant in one_rule_away(base))
    tried = Counter(variant.changes for place in range(len(CHANGED_GAMES)) for variant in some_rules_away(place))
    assert tried == {changes: min(games, TRIED_WITH) for changes, games in able.items()}


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(BOUND_TOGETHER)), ids=lambda place: "+".join(BOUND_TOGETHER[place][1]))
@pytest.mark.parametrize("name", WITHOUT_SIDE_WAGERS)
def test_parameters_that_go_together_are_played_as_the_table_plays_them(name: str, place: int) -> None:
    assert_played(name, without_side_wagers(combinations(place)))


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(READINGS_TOGETHER)), ids=lambda place: READINGS_TOGETHER[place][0])
@pytest.mark.parametrize("name", WITHOUT_SIDE_WAGERS)
def test_readings_that_go_together_are_played_as_the_table_plays_them(name: str, place: int) -> None:
    assert_played(name, without_side_wagers(read_together(place)))


@pytest.mark.slow
@pytest.mark.parametrize("name", CROSSINGS)
def test_rules_mixed_at_random_are_played_as_the_table_plays_them(name: str) -> None:
    assert_played(name, mixtures(40, seed=1))


RULES_THAT_MEET: tuple[tuple[str, Variant], ...] = (
    ("odds", Variant("star/switch", changes=(("even_money", "on-request-against-ace"),))),
    ("odds", Variant("star/switch", changes=(("stand_on_21", False),))),
    ("simulator", Variant("melbourne/pontoon", changes=(("double_bonus", True),))),
    ("simulator", Variant("melbourne/pontoon", changes=(("double_stake", "token"),))),
    ("environments", Variant("star/switch", changes=(("surrender_when", "until-another-draws"),))),
)
"""Tables at which one rule has to mind another: even money or 21 and a switch, a bonus or a token and a double that may
be taken back, a surrender and the other box of an area."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant"), RULES_THAT_MEET, ids=lambda given: str(given).replace(" ", "-"))
def test_rules_that_meet_are_played_as_the_table_plays_them(name: str, variant: Variant) -> None:
    assert_played(name, [variant], thorough=True)


# ---------------------------------------------------------------------- rules broken on purpose


OTHER_TABLE = Variant("star/blackjack", changes=(("natural_odds", Odds(6, 5)),))


def test_rules_that_a_simulator_does_not_share_with_the_table_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossing.witness", lambda *asked: witness(*asked[:3], OTHER_TABLE.books))
    assert "simulator" in table_against_simulator(Variant("star/blackjack"), False)


def test_rules_that_an_environment_does_not_share_with_the_table_show(monkeypatch: pytest.MonkeyPatch) -> None:
    def other_table(game: str, **choices: Any) -> TableBoxEnv:
        return TableBoxEnv(game, **{**choices, "own_books": OTHER_TABLE.books})

    monkeypatch.setattr("crossing.TableBoxEnv", other_table)
    assert "environment" in table_against_environment(Variant("star/blackjack"), True)


# ---------------------------------------------------------------------- side wagers and insurance


def assert_side_wagers_paid(games: Iterable[str]) -> None:
    """Every side wager of these games, on all its terms, is paid by the table what the odds say."""
    known: set[object] = set()
    found = []
    together = [variant for variant in CHOICES_TOGETHER if variant.game in games]
    for variant in chain(*(with_side_wagers(one_choice_away(game), share=1) for game in games), together):
        rules = variant.rules
        for wager, terms in zip(variant.side_wagers, side_wagers_of(rules), strict=True):
            key = (terms, rules.decks, rules.deck_cards)
            if key not in known and (wrong := side_wager_against_odds(variant, wager)):
                found.append(f"{variant}: {wager}: {wrong}")
            known.add(key)
    wrong = "\n".join(found)
    assert not wrong, wrong


def test_side_wagers_pay_what_the_odds_say_in_a_few_games() -> None:
    assert_side_wagers_paid(["star/blackjack"])


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_side_wagers_pay_what_the_odds_say_on_all_terms(book: str) -> None:
    assert_side_wagers_paid([name for name, (of, _) in games().items() if of == book])


@pytest.mark.slow
@pytest.mark.parametrize("game", ALL_GAMES)
def test_insurance_pays_what_the_odds_say(game: str) -> None:
    found = {variant: insurance_against_odds(variant) for variant in distinct(one_choice_away(game), hands_of)}
    assert not {variant: wrong for variant, wrong in found.items() if wrong}


# ---------------------------------------------------------------------- refusals


@pytest.mark.parametrize("row", REFUSALS, ids=lambda row: f"{row.executor}: {row.what}")
def test_what_is_on_the_list_is_refused_in_one_line(row: Refusal) -> None:
    assert row.holds(row.example.rules)
    assert not problem_of(row.executor, row.example)


def test_the_documentation_lists_all_refusals_and_no_others() -> None:
    page = (ROOT / "docs" / "refusals.md").read_text("utf-8")
    listed = [line for line in page.splitlines() if line.startswith(tuple(f"| {name} |" for name in CROSSINGS))]
    assert listed == [f"| {row.executor} | {row.what} | {row.words} |" for row in REFUSALS]
