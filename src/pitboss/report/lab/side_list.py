"""The side wagers of a game as the lab shows them: edge, outcomes, each meter with the sum from which it is fair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pitboss.errors import PitbossError
from pitboss.formats.wording import decks_in_words, one_in, percent, short_fraction, write_signed
from pitboss.money import Money
from pitboss.odds.sides import PLAYERS, BestPlay, SideEdge, insurance_odds
from pitboss.odds.sides.both_players import Conditions, price_side_wager
from pitboss.odds.what_if.table_choice import TableChoice
from pitboss.report.lab.lab_answers import MeterShown, ShownNumber, SideOutcomeShown, SidesAnswer, SideShown
from pitboss.rulebooks import Rules


def answer_sides(
    choice: TableChoice, stake: Money, meters: Mapping[str, Money], best_play: Callable[[Rules], BestPlay]
) -> SidesAnswer:
    """Every side wager that the game can offer, priced by itself; `meters` by wager and name."""
    offered, refused = choice.house_choices().each_side_wager(choice.game)
    wagers: list[SideShown] = []
    for wager in offered:
        try:
            _, rules = choice.resolve_rules((wager,))
            side = rules.side_wager(wager)
            names = {} if side is None else {name: f"{wager}.{name}" for name in side.meters}
            known = {name: meters[key] for name, key in names.items() if key in meters}
            priced = price_side_wager(rules, wager, Conditions(meters=known or None, stake=stake), best_play)
        except PitbossError as error:
            refused[wager] = str(error)
            continue
        wagers += [_show_side(edge, rules) for edge in (priced.edge, priced.by_game) if edge is not None]
    wagers += _list_insurance(choice.resolve_rules()[1])
    return SidesAnswer(wagers, refused)


def _show_side(edge: SideEdge, rules: Rules) -> SideShown:
    notes = list(edge.notes)
    if edge.decks != rules.decks:
        notes.append(f"at a table of {decks_in_words(edge.decks, rules.deck_cards)}")
    if edge.entry_probability is not None:
        notes.append(f"also wins a tournament entry, {one_in(edge.entry_probability)}")
    deviation = float(edge.variance) ** 0.5
    return SideShown(
        id=edge.wager,
        name=edge.name,
        player=PLAYERS[edge.player],
        edge=_per_cent(float(edge.house_edge)),
        exact=short_fraction(edge.house_edge),
        deviation=ShownNumber(f"{deviation:.3f}", deviation),
        favours_player=edge.favours_player,
        outcomes=[
            SideOutcomeShown(
                outcome.id, outcome.prize or write_signed(outcome.net), _per_cent(float(outcome.probability)),
                one_in(outcome.probability), list(outcome.clauses),
            )
            for outcome in edge.outcomes
        ],
        meters=[
            MeterShown(
                meter.meter,
                "" if meter.value is None else f"{float(meter.value):,.2f}",
                _per_cent(float(meter.share * 1000), 3),
                None if meter.break_even is None else _show_sum(float(meter.break_even)),
            )
            for meter in edge.meters
        ],
        notes=notes,
        clauses=list(edge.outcomes[0].clauses) if edge.outcomes else [],
    )  # fmt: skip


def _per_cent(number: float, digits: int = 4) -> ShownNumber:
    return ShownNumber(percent(number, digits), number)


def _show_sum(amount: float) -> ShownNumber:
    return ShownNumber(f"{amount:,.2f}", amount)


def _list_insurance(rules: Rules) -> Iterator[SideShown]:
    found = insurance_odds(rules)
    for offer, up in ((found.on_ace, "an ace"), (found.on_ten, "a ten")):
        if offer is None:
            continue
        wins, deviation = float(offer.wins), float(offer.variance) ** 0.5
        yield SideShown(
            id="insurance",
            name=f"Insurance against {up}",
            player="a player who knows the up card only",
            edge=_per_cent(float(offer.house_edge)),
            exact=short_fraction(offer.house_edge),
            deviation=ShownNumber(f"{deviation:.3f}", deviation),
            favours_player=offer.house_edge < 0,
            outcomes=[
                SideOutcomeShown(
                    "wins", f"+{offer.odds.win}/{offer.odds.stake}", _per_cent(wins), one_in(offer.wins), []
                )
            ],
            meters=[],
            notes=[],
            clauses=list(offer.clauses),
        )
