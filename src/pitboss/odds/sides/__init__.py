"""What side wagers and insurance are worth, as exact fractions.

Each judge of the table has its way to be counted here; pay tables, options and readings come out of `Rules`, and the
judges' own code says which cards are which outcome. Wagers that the player's play decides are counted for a player who
plays for the wager, and for the game's best player, whose choices are handed in as an `BestPlay`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.odds.sides.counting import Pack, pack_of
from pitboss.odds.sides.dealer_busts import buster_odds, dealer_busts
from pitboss.odds.sides.first_cards import DEALS, dealt_odds, pandemonium_odds
from pitboss.odds.sides.free_tokens import pot_of_gold_odds
from pitboss.odds.sides.insurance import Insurance, InsuranceOdds, insurance_odds
from pitboss.odds.sides.meter_prizes import Meters, jackpot_odds
from pitboss.odds.sides.side_edge import PLAYERS, MeterWorth, Player, SideEdge, SideOutcome
from pitboss.odds.sides.third_card import BestPlay, SuperBonusOdds, blackpot_odds, sevens_odds, super_bonus_odds
from pitboss.rulebooks.model.rules import Rules, SideWager
from pitboss.rulebooks.reading.values import nearest

__all__ = [
    "PLAYERS",
    "PLAY_DECIDES",
    "BestPlay",
    "Insurance",
    "InsuranceOdds",
    "MeterWorth",
    "Pack",
    "Player",
    "SideEdge",
    "SideOutcome",
    "SideWagerError",
    "SuperBonusOdds",
    "dealer_busts",
    "insurance_odds",
    "pack_of",
    "side_odds",
    "super_bonus_odds",
]  # fmt: skip

PLAY_DECIDES = frozenset({"blackpot", "magnificent-sevens", "pot-of-gold"})
"""Judges whose outcome hangs on what the player does."""

METERED = frozenset({"blackjack-jackpots", "supernova"})


class SideWagerError(PitbossError):
    """A side wager that the table does not offer, or a question it has no answer to."""


def side_odds(
    rules: Rules,
    wager: str,
    *,
    best_play: BestPlay | None = None,
    meter: Money | int | Fraction | Meters | None = None,
    picks: Mapping[str, Fraction] | None = None,
    stake: Money | int = 1,
    entry: Money | int | Fraction = 0,
) -> SideEdge:
    """The worth of a side wager on offer at a table, per unit staked.

    `best_play` makes the figures those of the game's best player, where play decides. `meter` says where the prize
    meters stand (one number, or by name), `picks` how likely the system's own prizes are, `stake` the wager in
    money, which matters to meters and to a posted maximum, `entry` what a tournament entry is worth in money.
    """
    side = rules.side_wager(wager)
    if side is None:
        offered = [item.id for item in rules.side_wagers]
        hint = (
            nearest(wager, offered) if offered else "none is: name it among the side wagers when the rules are resolved"
        )
        raise SideWagerError(f"{wager} is not on offer at this table of {rules.game}; {hint}")
    if stake <= 0:
        raise SideWagerError(f"a stake must be above zero, not {stake}")
    if side.judge in METERED:
        return jackpot_odds(rules, side, meters=_meters(side, meter), picks=picks or {}, stake=stake)
    if meter is not None or picks:
        raise SideWagerError(f"{side.name} has no meter and no prize that a jackpot system picks")
    if side.judge == "blackpot":
        return blackpot_odds(rules, side, best_play=best_play, stake=stake)
    if side.judge == "magnificent-sevens":
        return sevens_odds(rules, side, best_play=best_play, entry=entry, stake=stake)
    if side.judge == "pot-of-gold":
        return pot_of_gold_odds(rules, side, best_play=best_play)
    if side.judge == "buster":
        return buster_odds(rules, side)
    if side.judge == "pandemonium":
        return pandemonium_odds(rules, side)
    assert side.judge in DEALS, f"no way to count {side.judge}"
    return dealt_odds(rules, side)


def _meters(side: SideWager, meter: Money | int | Fraction | Meters | None) -> Meters:
    if meter is None:
        return {}
    if isinstance(meter, Mapping):
        return meter
    if len(side.meters) != 1:
        raise SideWagerError(f"{side.name} has the meters {', '.join(side.meters)}: say which stands at {meter}")
    return {side.meters[0]: meter}
