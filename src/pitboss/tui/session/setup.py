"""How a table is set up for a session: game and options, limits, meters, the player's money, the robots beside them.

A setup is a value that a journal can hold. `seats` and the checks here turn what was asked for on the command line
into one, or say in one line why it cannot be.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.money import Money, show
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.messages.notation import player_name
from pitboss.table.state import Limits, Meter

ME = "guest"
"""The player's name in records, unless they give one; on the screen they are always "you"."""
ROBOT_NAMES = ("ann", "bob", "cleo", "dan", "eve", "fay", "gus", "hal", "ida", "jon", "kit", "leo")
"""Names for robots, in the order in which they sit down."""

DEFAULT_LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))
DEFAULT_BANKROLL = Money(1000)


class SetupError(PitbossError):
    """A table that cannot be set up as asked."""


class Policy(enum.StrEnum):
    """How a robot plays."""

    CHART = "chart"
    """By the best chart of totals."""
    OPTIMUM = "optimum"
    """By the exact value of each choice for the cards that are left."""
    RANDOM = "random"
    """Anything legal."""


class Robot(msgspec.Struct, frozen=True):
    """A player that the program plays."""

    name: str
    policy: Policy
    box: str
    """The box, or playing area, of its wagers."""
    sharer: bool = False
    """It wagers on the player's box when the player does."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a session starts from, apart from the rules themselves."""

    game: str
    choices: dict[str, Any]
    """Options, readings and side wagers, as they were asked for."""
    limits: Limits = DEFAULT_LIMITS
    bankroll: Money = DEFAULT_BANKROLL
    seed: str
    robots: tuple[Robot, ...] = ()
    player: str = ME
    box: str = "1"
    """The player's own chair."""
    meters: dict[str, Meter] = {}


def seats(
    rules: Rules, robots: int, sharers: int, policies: Sequence[Policy], box: int | None = None
) -> tuple[str, tuple[Robot, ...]]:
    """The player's box and the robots around it: sharers on the player's box, the others spread over the layout."""
    own = (rules.boxes_max + 1) // 2 if box is None else box
    if not 1 <= own <= rules.boxes_max:
        raise SetupError(f"there is no box {own} at this table: they are numbered 1 to {rules.boxes_max}")
    if sharers > robots:
        raise SetupError(f"{sharers} robots cannot share your box when there are {robots} in all")
    if sharers >= rules.sharers_max:
        cited = ", ".join(rules.clauses("box_sharing", "sharers_max"))
        others = rules.sharers_max - 1
        raise SetupError(
            f"{others or 'no'} other player{'s' * (others != 1)} may share your box at this table (clause {cited})"
        )
    free = sorted(
        (area for area in range(1, rules.boxes_max + 1) if area != own), key=lambda area: (abs(area - own), area)
    )
    apart = robots - sharers
    if apart > len(free) or robots > len(ROBOT_NAMES):
        raise SetupError(f"there is no room for {robots} robots: beside yours the table has {len(free)} boxes")
    chosen = sorted(free[:apart])
    found = []
    for index in range(robots):
        policy = policies[index % len(policies)]
        sharing = index >= apart
        where = str(own) if sharing else str(chosen[index])
        found.append(Robot(ROBOT_NAMES[index], policy, where, sharing))
    return str(own), tuple(found)


def check_setup(setup: Setup, rules: Rules) -> Setup:
    """The setup, if a table can be opened with it."""
    player_name(setup.player)
    if setup.player in {robot.name for robot in setup.robots}:
        raise SetupError(f"a robot is called {setup.player}: choose another name")
    limits = setup.limits
    if setup.bankroll <= 0:
        raise SetupError(f"a bankroll must be above zero, not {show(setup.bankroll)}")
    for word, amount in (("minimum", limits.minimum), ("maximum", limits.maximum), ("smallest chip", limits.chip)):
        if amount is not None and amount <= 0:
            raise SetupError(f"the {word} must be above zero, not {show(amount)}")
    if limits.minimum is not None and limits.maximum is not None and limits.minimum > limits.maximum:
        raise SetupError(f"the minimum {show(limits.minimum)} is above the maximum {show(limits.maximum)}")
    least = limits.minimum or limits.chip or Money(1)
    if setup.bankroll < least:
        raise SetupError(f"a bankroll of {show(setup.bankroll)} does not reach the minimum of {show(least)}")
    if rules.decks == 0:
        raise SetupError("an infinite deck can be analysed but not dealt: choose a number of decks")
    return setup
