"""What playing costs: the loss that is expected of some hours, the luck around it, and the chance to be ahead.

For best play, for basic strategy, and for errors that are often seen: each is a chart, priced exactly. Over many rounds
a result is close to normal, from which the chance to be ahead is taken. How many rounds an hour has is no matter of
rules: the figures here are estimates, and are replaced by one's own where there are any.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.frames import Tabular
from pitboss.odds.analysis import analyse, analyse_from, full_shoe_of, price_charts
from pitboss.odds.charts.best_play import best_play_of
from pitboss.odds.charts.chart import UPS, Chart, ChartLine
from pitboss.odds.known_tables import find_known
from pitboss.odds.sides import PLAY_DECIDES, insurance_odds, side_odds
from pitboss.play.charts import NOTHING
from pitboss.play.packed import pack
from pitboss.rulebooks.model.rules import Rules

SECONDS_A_HAND = 8.6
"""A round takes about so long for each hand on the table, the dealer's among them."""
DEVICE_SAVES = 0.2
"""Share of an hour at a shoe that goes to shuffling, over the rest: a continuous device deals so much more."""
FEWEST_LIKE_NORMAL = 30
"""Below so many rounds a result is not close to normal."""


class CostError(PitbossError):
    """Hours or bets that cannot be played."""


class PlayCost(msgspec.Struct, frozen=True, kw_only=True):
    """What some hours cost with one way to play. Money, but for the edge."""

    play: str
    house_edge: float
    loss_per_hour: float
    loss: float
    """Over all the hours."""
    deviation: float
    """Standard deviation over all the hours."""
    ahead: float | None
    """The chance to be ahead in the end; none for too few rounds to tell."""


class SessionCost(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What some hours at a table cost."""

    game: str
    name: str
    decks: int
    bet: float
    hours: float
    players: int
    rounds_per_hour: float
    rounds: float
    plays: tuple[PlayCost, ...]
    """Ways to play the game, the cheapest first."""
    sides: tuple[PlayCost, ...]
    """Side wagers, beside the game and not in its figures."""
    side_bet: float

    def rows(self) -> list[dict[str, object]]:
        """A row for each way to play and each side wager."""
        return [{"game": self.game, **msgspec.structs.asdict(one)} for one in (*self.plays, *self.sides)]

    def __repr__(self) -> str:
        best = self.plays[0]
        return f"<SessionCost {self.game}: {best.loss_per_hour:.2f} an hour at {self.bet:g} a round, {best.play}>"


def rounds_of_an_hour(players: int, *, device: bool) -> float:
    """About how many rounds an hour has, with so many boxes in play."""
    rounds = 3600 / (SECONDS_A_HAND * (players + 1))
    return rounds * (1 + DEVICE_SAVES) if device else rounds


def cost_of_an_hour(rules: Rules, bet: float, rounds_per_hour: float) -> float | None:
    """What an hour of best play is expected to cost, looked up; none for a table that has to be worked out first."""
    known = find_known(rules)
    return None if known is None else known.edges["main"] * bet * rounds_per_hour


def session_cost(
    rules: Rules,
    *,
    bet: float = 25.0,
    hours: float = 1.0,
    players: int = 5,
    rounds_per_hour: float | None = None,
    side_bet: float = 5.0,
) -> SessionCost:
    """What some hours at a table cost; side wagers are those that the rules have on offer."""
    if bet <= 0 or side_bet <= 0:
        raise CostError(f"a bet must be above zero, not {min(bet, side_bet):g}")
    if not 0 < hours <= 100_000:
        raise CostError(f"hours must be above 0 and at most 100,000, not {hours:g}")
    if not 1 <= players <= rules.boxes_max:
        raise CostError(f"players must be from 1 to {rules.boxes_max}, not {players}")
    if rounds_per_hour is not None and not 0 < rounds_per_hour <= 10_000:
        raise CostError(f"rounds an hour must be above 0 and at most 10,000, not {rounds_per_hour:g}")
    pace = rounds_per_hour or rounds_of_an_hour(players, device=rules.card_source == "device")
    rounds = pace * hours

    def cost(play: str, edge: float, variance: float, amount: float) -> PlayCost:
        deviation = amount * math.sqrt(variance * rounds)
        loss = edge * amount * rounds
        ahead = 0.5 * math.erfc(loss / deviation / math.sqrt(2)) if rounds >= FEWEST_LIKE_NORMAL and deviation else None
        return PlayCost(
            play=play, house_edge=edge, loss_per_hour=edge * amount * pace, loss=loss, deviation=deviation, ahead=ahead
        )

    plays = [cost(name, edge, variance, bet) for name, (edge, variance) in _price_plays(rules).items()]
    sides = [cost(name, edge, variance, side_bet) for name, (edge, variance) in _price_sides(rules).items()]
    return SessionCost(
        game=rules.game, name=rules.name, decks=rules.decks, bet=bet, hours=hours, players=players,
        rounds_per_hour=pace, rounds=rounds, plays=tuple(sorted(plays, key=lambda one: one.house_edge)),
        sides=tuple(sides), side_bet=side_bet,
    )  # fmt: skip


def _price_plays(rules: Rules) -> dict[str, tuple[float, float]]:
    """House edge and variance of each way to play."""
    return _price_ways(_ByDigest(rules.digest, rules))


class _ByDigest:
    """Rules told apart by their digest, so that what they are worth is worked out once."""

    def __init__(self, digest: str, rules: Rules) -> None:
        self.digest, self.rules = digest, rules

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByDigest) and other.digest == self.digest


@functools.lru_cache(maxsize=64)
def _price_ways(table: _ByDigest) -> dict[str, tuple[float, float]]:
    rules = table.rules
    shoe = full_shoe_of(pack(rules))
    edge = analyse_from(rules, shoe)
    found = {"best play": (edge.house_edge, edge.variance)}
    charts = {name: change(edge.strategy) for name, change in ERRORS.items()}
    errors = {name: chart for name, chart in charts.items() if chart.rows != edge.strategy.rows}
    basic, *worths = price_charts(rules, [edge.strategy, *errors.values()], shoe)
    found["basic strategy"] = (-basic.expectation, basic.variance)
    insured = _insurance(rules)
    if insured is not None:
        found["always insures"] = (-basic.expectation + insured, basic.variance)
    return found | {name: (-worth.expectation, worth.variance) for name, worth in zip(errors, worths, strict=True)}


def _insurance(rules: Rules) -> float | None:
    """What insuring half the wager against every ace costs for each unit of the wager."""
    on_ace = insurance_odds(rules).on_ace
    if on_ace is None:
        return None
    aces = 4 / rules.deck_cards
    return aces / 2 * float(on_ace.house_edge)


def _price_sides(rules: Rules) -> dict[str, tuple[float, float]]:
    """House edge and variance of the side wagers on offer, for the game's best player."""
    if not rules.side_wagers:
        return {}
    best = best_play_of(analyse(rules)) if any(side.judge in PLAY_DECIDES for side in rules.side_wagers) else None
    found = {}
    for side in rules.side_wagers:
        worth = side_odds(rules, side.id, best_play=best)
        found[side.id] = (float(worth.house_edge), float(worth.variance))
    return found


# Common errors -----------------------------------------------------------------------------------------


def _recode(chart: Chart, codes: Mapping[str, str]) -> Chart:
    return Chart({line: tuple(codes.get(code, code) for code in said) for line, said in chart.rows.items()})


def _never_doubles(chart: Chart) -> Chart:
    return _recode(chart, {"D": "H", "Ds": "S", "Pd": "P"})


def _never_splits(chart: Chart) -> Chart:
    return _recode(chart, {"P": NOTHING, "Pd": "D", "Rp": "R"})


def _never_busts(chart: Chart) -> Chart:
    """Stands on every hard total that one card could take over 21."""
    return _replace_lines(chart, lambda line: "S" if line.kind == "hard" and line.total >= 12 else None)


def _copies_the_dealer(chart: Chart) -> Chart:
    """Draws to 17, and never doubles, splits or surrenders."""

    def code(line: ChartLine) -> str | None:
        if line.kind == "pair":
            return NOTHING
        return None if line.kind == "rescue" else "H" if line.total < 17 else "S"

    return _replace_lines(chart, code)


def _replace_lines(chart: Chart, code: Callable[[ChartLine], str | None]) -> Chart:
    """The chart with whole lines of one code."""
    rows: dict[ChartLine, Sequence[str]] = {}
    for line, said in chart.rows.items():
        found = code(line)
        rows[line] = said if found is None else (found,) * len(UPS)
    return Chart({line: tuple(said) for line, said in rows.items()})


ERRORS: Mapping[str, Callable[[Chart], Chart]] = {
    "never doubles": _never_doubles,
    "never splits": _never_splits,
    "never risks a bust": _never_busts,
    "plays as the dealer": _copies_the_dealer,
}
"""Common errors, as changes of the game's basic strategy."""
