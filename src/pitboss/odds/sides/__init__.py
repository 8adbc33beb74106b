"""What side wagers and insurance are worth, as exact fractions.

What a judge looks at decides how it is counted here; which outcome the cards are, and what that pays, comes from
`play.side_wagers`. Wagers that the player's play decides are counted for a player who plays for the wager, and for the
game's best player, whose choices are handed in as a `BestPlay`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.money import Money
from pitboss.odds.sides.counting import Pack, pack_of
from pitboss.odds.sides.dealer_busts import buster_odds, dealer_busts
from pitboss.odds.sides.first_cards import price_dealt, price_drawn_prize
from pitboss.odds.sides.free_tokens import token_odds
from pitboss.odds.sides.insurance_edge import Insurance, InsuranceOdds, insurance_odds
from pitboss.odds.sides.meter_prizes import Meters, jackpot_odds
from pitboss.odds.sides.side_edge import PLAYERS, MeterWorth, Player, SideEdge, SideOutcome
from pitboss.odds.sides.third_card import BestPlay, SuperBonusOdds, price_carried, super_bonus_odds, third_card_odds
from pitboss.play.side_wagers.judges import BY_DEALER_HAND, BY_THIRD_CARD, BY_TOKENS, JUDGES, carrying_answer
from pitboss.play.side_wagers.side_payments import judge_terms
from pitboss.rulebooks.model.rules import Rules, SideWager

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

PLAY_DECIDES = frozenset(name for name, judge in JUDGES.items() if judge.looks_at in (BY_THIRD_CARD, BY_TOKENS))
"""Judges whose outcome hangs on what the player does."""


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
    pack: Pack | None = None,
) -> SideEdge:
    """The worth of a side wager on offer at a table, per unit staked.

    `best_play` makes the figures those of the game's best player, where play decides. `meter` says where the prize
    meters stand (one number, or by name), `picks` how likely the system's own prizes are, `stake` the wager in
    money, which matters to meters and to a posted maximum, `entry` what a tournament entry is worth in money. `pack` is
    a pack of cards that is not the table's own.
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
    judge, units, cards = JUDGES[side.judge], Fraction(stake), pack_of(rules) if pack is None else pack
    if side.meters:
        return jackpot_odds(rules, side, cards, units, meters=_meters(side, meter), picks=picks or {})
    if meter is not None or picks:
        raise SideWagerError(f"{side.name} has no meter and no prize that a jackpot system picks")
    if judge.looks_at == BY_THIRD_CARD:
        if carrying_answer(side.judge, judge_terms(side), 0):
            return price_carried(rules, side, cards, units, best_play=best_play)
        return third_card_odds(rules, side, cards, units, best_play=best_play, entry=entry)
    if judge.looks_at == BY_TOKENS:
        return token_odds(rules, side, cards, units, best_play=best_play)
    if judge.looks_at == BY_DEALER_HAND:
        return buster_odds(rules, side, cards, units)
    return price_drawn_prize(rules, side, cards) if side.prizes else price_dealt(rules, side, cards, units)


def _meters(side: SideWager, meter: Money | int | Fraction | Meters | None) -> Meters:
    if meter is None:
        return {}
    if isinstance(meter, Mapping):
        return meter
    if len(side.meters) != 1:
        raise SideWagerError(f"{side.name} has the meters {', '.join(side.meters)}: say which of them is {meter}")
    return {side.meters[0]: meter}
