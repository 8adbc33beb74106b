"""What side wagers and insurance are worth: the answer for programs and for people."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pitboss.formats.wording import decks_in_words, of_the_house, one_in, percent, short_fraction, write_signed
from pitboss.odds.sides import PLAYERS, Insurance, InsuranceOdds, SideEdge, insurance_odds
from pitboss.odds.sides.both_players import SideWorth
from pitboss.report.terminal_tables import print_facts, print_table
from pitboss.rulebooks import Rules

INSURANCE = "insurance"

# ---------------------------------------------------------------------- data


def side_data(wager: SideWorth) -> dict[str, Any]:
    """A side wager for programs."""
    data = edge_data(wager.edge)
    data["players"] = {edge.player: edge_data(edge) for edge in (wager.edge, wager.by_game) if edge is not None}
    return {"options": dict(wager.rules.options), "readings": dict(wager.rules.readings), **data}


def edge_data(edge: SideEdge) -> dict[str, Any]:
    """One result for programs; exact numbers are texts `p/q`."""
    data: dict[str, Any] = {
        "game": edge.game,
        "decks": edge.decks or "inf",
        "wager": edge.wager,
        "name": edge.name,
        "house_edge": float(edge.house_edge),
        "house_edge_exact": str(edge.house_edge),
        "favours_player": edge.favours_player,
        "variance": float(edge.variance),
        "variance_exact": str(edge.variance),
        "method": edge.method,
        "error_bound": float(edge.error_bound),
        "strategy": PLAYERS[edge.player],
        "player": edge.player,
        "stake": str(edge.stake),
        "win_probability": float(edge.win_probability),
        "outcomes": [
            {
                "id": outcome.id,
                "probability": float(outcome.probability),
                "probability_exact": str(outcome.probability),
                "net": float(outcome.net),
                "net_exact": str(outcome.net),
                "clauses": list(outcome.clauses),
            }
            for outcome in edge.outcomes
        ],
        "notes": list(edge.notes),
    }
    if edge.fixed_part is not None:
        data["fixed_part"] = {"house_edge": float(-edge.fixed_part), "house_edge_exact": str(-edge.fixed_part)}
        data["meters"] = [
            {
                "meter": meter.meter,
                "value": _number(meter.value),
                "edge_per_unit_of_meter": float(meter.share),
                "edge_per_unit_of_meter_exact": str(meter.share),
                "break_even": _number(meter.break_even),
                "break_even_exact": None if meter.break_even is None else str(meter.break_even),
            }
            for meter in edge.meters
        ]
    if edge.entry_probability is not None:
        data["tournament_entry"] = {
            "probability": float(edge.entry_probability),
            "probability_exact": str(edge.entry_probability),
        }
    return data


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def insurance_data(found: InsuranceOdds) -> dict[str, Any]:
    """Insurance for programs."""
    first = found.on_ace or found.on_ten
    return {
        "game": found.game,
        "decks": found.decks or "inf",
        "wager": INSURANCE,
        "house_edge": None if first is None else float(first.house_edge),
        "house_edge_exact": None if first is None else str(first.house_edge),
        "variance": None if first is None else float(first.variance),
        "method": None if first is None else first.method,
        "error_bound": 0.0,
        "strategy": "insures knowing the up card only",
        "on_ace": _insurance(found.on_ace),
        "on_ten": _insurance(found.on_ten),
        "even_money": None
        if found.even_money is None
        else {
            "taken": float(found.even_money.taken),
            "left_to_the_dealer": float(found.even_money.left),
            "left_to_the_dealer_exact": str(found.even_money.left),
            "clauses": list(found.even_money.clauses),
        },
    }


def _insurance(found: Insurance | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "odds": str(found.odds),
        "house_edge": float(found.house_edge),
        "house_edge_exact": str(found.house_edge),
        "variance": float(found.variance),
        "win_probability_exact": str(found.wins),
        "clauses": list(found.clauses),
        "hands": [
            {
                "hand": hand.hand,
                "house_edge": float(-hand.expectation),
                "house_edge_exact": str(-hand.expectation),
                "allowed": hand.allowed,
            }
            for hand in found.hands
        ],
    }


# ---------------------------------------------------------------------- text


def print_side_wager(wager: SideWorth) -> None:
    """A side wager for people."""
    edge = wager.edge
    facts = [
        ("wager", f"{edge.name}, {edge.wager}"),
        ("table", f"{wager.rules.name}, {edge.game}, {decks_in_words(edge.decks, wager.rules.deck_cards)}"),
        *_edge_facts(edge),
        (
            "variance",
            f"{float(edge.variance):.4f} per unit staked, standard deviation {float(edge.variance) ** 0.5:.4f}",
        ),
        ("method", edge.method + _bound(edge)),
    ]
    print_facts([*facts, *(("note", note) for note in edge.notes)])
    _print_outcomes(edge)
    if edge.meters:
        head = ("meter", "stands at", "adds per 1,000", "break-even")
        print_table("Meters", head, _meters(edge), numbers=head[1:])
    if wager.by_game is not None:
        print()
        print_facts(_edge_facts(wager.by_game))
        _print_outcomes(wager.by_game)


def _edge_facts(edge: SideEdge) -> list[tuple[str, str]]:
    exact = short_fraction(edge.house_edge)
    worth = f"{percent(edge.house_edge)} of the stake{f', {exact}' if exact else ''}, {of_the_house(edge.house_edge)}"
    facts = [("player", PLAYERS[edge.player]), ("house edge", worth)]
    if edge.fixed_part is not None:
        facts.append(("fixed part", f"{percent(-edge.fixed_part)} house edge with every meter at zero"))
    if edge.entry_probability is not None:
        often = one_in(edge.entry_probability)
        facts.append(("entry", f"{often} wagers also wins a tournament entry; --entry AMOUNT counts its value"))
    return facts


def _bound(edge: SideEdge) -> str:
    return f"; off by {float(edge.error_bound):.4f} at most" if edge.error_bound else ""


def _print_outcomes(edge: SideEdge) -> None:
    head = ("outcome", "net", "chance", "how often", "exactly", "clauses")
    print_table("Outcomes", head, _outcomes(edge), fixed=4, numbers=head[1:4])


def _outcomes(edge: SideEdge) -> list[tuple[str, ...]]:
    return [
        (
            outcome.id,
            outcome.prize or write_signed(outcome.net),
            percent(outcome.probability, 4),
            one_in(outcome.probability),
            short_fraction(outcome.probability),
            ", ".join(outcome.clauses[:2]),
        )
        for outcome in edge.outcomes
    ]


def _meters(edge: SideEdge) -> list[tuple[str, ...]]:
    return [
        (
            meter.meter,
            "not told" if meter.value is None else f"{float(meter.value):,.2f}",
            percent(meter.share * 1000),
            "never" if meter.break_even is None else f"{float(meter.break_even):,.2f}",
        )
        for meter in edge.meters
    ]


def _hands(offer: Insurance) -> list[tuple[str, ...]]:
    """Hands that are alike to the wager, in one row."""
    needed = "T" if offer.up_card == "A" else "A"
    names = {"T": "ten-value cards", "A": "aces"}[needed]
    rows = {}
    for hand in offer.hands:
        label = f"{hand.hand.count(needed) or 'no'} {names}"
        rows[label] = (label, percent(hand.wins), percent(-hand.expectation), str(-hand.expectation))
    barred = [hand.hand for hand in offer.hands if not hand.allowed]
    return [*rows.values(), *((hand, "may not insure", "", "") for hand in barred)]


def print_insurance(rules: Rules) -> None:
    """Insurance and even money for people."""
    found = insurance_odds(rules)
    print_facts([("table", f"{rules.name}, {rules.game}, {decks_in_words(rules.decks, rules.deck_cards)}")])
    for offer, up in ((found.on_ace, "an ace"), (found.on_ten, "a ten")):
        if offer is None:
            continue
        facts = [
            ("insurance", f"against {up}, {offer.odds.win} to {offer.odds.stake} ({', '.join(offer.clauses[:2])})"),
            ("house edge", f"{percent(offer.house_edge)} of the stake, {offer.house_edge}, knowing the up card only"),
        ]
        print()
        print_facts(facts)
        head = ("hand", "wins", "house edge", "exactly")
        print_table("Knowing the player's hand too", head, _hands(offer), fixed=3, numbers=head[1:3])
    if found.even_money is not None:
        print()
        left = float(found.even_money.left)
        print_facts([("even money", f"1 for a natural that is worth {left:.4f} if left to the dealer's second card")])
    if found.on_ace is None and found.on_ten is None:
        print_facts([("insurance", "not offered")])
