"""Fills the page of a game: prices the house's choices and the side wagers, and puts the figures into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitboss import __version__
from pitboss.formats.wording import decks_in_words, of_the_house, one_in, percent, short_fraction
from pitboss.odds.charts.best_play import best_play_of
from pitboss.odds.charts.chart import UPS
from pitboss.odds.edge import Edge
from pitboss.odds.sides import PLAYERS, BestPlay, Insurance, SideEdge, insurance_odds
from pitboss.odds.sides.both_players import Conditions, price_side_wager
from pitboss.odds.what_if.changes import Other, others
from pitboss.odds.what_if.vary import LAYER
from pitboss.play.packed import Packed, pack
from pitboss.report.games.game_answer import GameWorth, opening_rows
from pitboss.report.games.game_page import Figure, FigureTable, GamePage, HouseChoice, SideOffer
from pitboss.report.words import METHODS, PART_NAMES, end_in_words
from pitboss.rulebooks import Rules
from pitboss.rulebooks.house_choices import HouseChoices

Analyse = Callable[[Rules], Edge]
Say = Callable[[str], None]
"""Tells somebody who waits how far the work is."""


def fill_page(choices: HouseChoices, worth: GameWorth, analyse: Analyse, say: Say) -> GamePage:
    """Everything the page shows; each other choice of the house is one more analysis."""
    book, rules = worth.book, worth.rules
    offered, refused = choices.each_side_wager(rules.game)
    cached: dict[Packed, Edge] = {pack(rules): worth.edge}

    def once(other: Rules) -> Edge:
        packed = pack(other)
        if packed not in cached:
            cached[packed] = analyse(other)
        return cached[packed]

    def best_play(table: Rules) -> BestPlay:
        return best_play_of(once(table))

    tables = {wager: choices.with_only(wager).resolve(rules.game)[1] for wager in offered}
    changed = list(_list_choices(choices, worth))
    total = len(tables) + len(changed)
    wagers = []
    for number, (wager, table) in enumerate(tables.items(), 1):
        say(f"{number} of {total}, {wager}")
        wagers.append(price_side_wager(table, wager, Conditions(), best_play))
    priced = []
    for number, other in enumerate(changed, len(tables) + 1):
        say(f"{number} of {total}, {other.rule}={other.after}")
        priced.append(_price_choice(other, worth, once(other.rules)))
    edges = [edge for wager in wagers for edge in (wager.edge, wager.by_game) if edge is not None]
    return GamePage(
        rules=rules,
        book=", ".join(filter(None, (book.name, book.edition, book.jurisdiction))),
        summary=book.game(rules.game).summary,
        figures=list(_figures(worth)),
        method=f"{worth.edge.method}: {METHODS.get(worth.edge.method, worth.edge.method)}; first round of a fresh shoe",
        sheet=worth.sheet,
        tables=list(_tables(worth)),
        choices=priced,
        offers=[*(_offer(edge, rules) for edge in edges), *_insurance(rules)],
        not_offered=list(refused.items()),
        made_by=f"pitboss {__version__}, rules {rules.digest[:16]}",
    )


def _figures(worth: GameWorth) -> Iterator[Figure]:
    edge, rules = worth.edge, worth.rules
    unit = "of the two wagers" if rules.switch else "of the original wager"
    yield Figure("House edge", percent(edge.house_edge), f"{unit}, {of_the_house(edge.house_edge)}, with best play")
    yield Figure("By the chart below", percent(-edge.chart_expectation), f"which costs {percent(edge.chart_cost, 4)}")
    yield Figure("Standard deviation", f"{edge.standard_deviation:.4f}", f"of a round; variance {edge.variance:.4f}")
    yield Figure("Cards", str(rules.decks or "∞"), decks_in_words(rules.decks, rules.deck_cards))
    if edge.super_bonus is not None:
        bonus = edge.super_bonus
        note = f"of the edge above, for a wager of {bonus.stake}; won once in {1 / bonus.chance:,.0f} rounds"
        yield Figure("Super Bonus", percent(bonus.worth, 4), note)
    if edge.switch_rate is not None:
        yield Figure("Switch", percent(edge.switch_rate, 1), "of all rounds are better switched")
    if edge.error_bound:
        yield Figure("Error", f"{edge.error_bound:.2g}", "of a unit at most")


def _tables(worth: GameWorth) -> Iterator[FigureTable]:
    edge = worth.edge
    yield FigureTable(
        "The player's expectation by up card",
        ("", *UPS),
        [("best play", *(percent(edge.by_up_card[up], 2, sign=True) for up in UPS))],
    )
    parts = [(PART_NAMES.get(name, name), percent(value, sign=True)) for name, value in edge.parts.items() if value]
    yield FigureTable("Where the expectation comes from", ("part", "per unit"), parts)
    ends = sorted(edge.outcomes.items(), key=lambda item: -item[1])
    outcomes = [(end_in_words(name, worth.rules), percent(value)) for name, value in ends if value]
    yield FigureTable("How hands end", ("outcome", "per round"), outcomes, "Each hand of a split counts separately.")
    if edge.departures:
        rows = [(one.cards, one.up, one.action, one.chart, percent(one.gain)) for one in edge.departures[:20]]
        head = ("cards", "against", "best play", "chart", "worth")
        yield FigureTable("Opening hands where best play departs from the chart", head, rows)
    note = "Two cards against the up card, in per cent of the original wager, with best play."
    yield FigureTable("The player's expectation by opening hand", ("", *UPS), opening_rows(edge), note)


# ---------------------------------------------------------------------- the house's choices


def _list_choices(choices: HouseChoices, worth: GameWorth) -> Iterator[Other]:
    """Options and readings of the book that change the arithmetic of play, each value beside the rest as it is."""
    rules = worth.rules
    for name in (*rules.options, *rules.readings):
        for other in others(worth.book, rules, choices, name):
            if pack(other.rules) != pack(rules) and book_allows(other):
                yield other


def _price_choice(other: Other, worth: GameWorth, found: Edge) -> HouseChoice:
    label = f"reading: {other.rule}" if other.rule in worth.rules.readings else other.rule
    difference = found.house_edge - worth.edge.house_edge
    return HouseChoice(label, other.after, found.house_edge, difference, other.clauses, other.text)


def book_allows(other: Other) -> bool:
    """The change is one of the book's own, not of a parameter by itself."""
    return all(source.layer != LAYER for source in other.rules.sources.values())


# ---------------------------------------------------------------------- side wagers


def _offer(edge: SideEdge, rules: Rules) -> SideOffer:
    notes = ["favours the player"] if edge.favours_player else []
    if edge.decks != rules.decks:
        notes.append(f"at a table of {decks_in_words(edge.decks, rules.deck_cards)}")
    for meter in edge.meters:
        if meter.break_even is not None:
            notes.append(f"fair with {meter.meter} at {float(meter.break_even):,.0f}, the other meters at zero")
    if edge.entry_probability is not None:
        notes.append(f"also wins a tournament entry, {one_in(edge.entry_probability)}")
    return SideOffer(
        edge.name,
        PLAYERS[edge.player].split(":")[0].split(",")[0],
        float(edge.house_edge),
        short_fraction(edge.house_edge),
        float(edge.variance) ** 0.5,
        edge.outcomes[0].clauses,
        "; ".join(notes),
    )


def _insurance(rules: Rules) -> Iterator[SideOffer]:
    found = insurance_odds(rules)
    offers: tuple[tuple[Insurance | None, str], ...] = ((found.on_ace, "an ace"), (found.on_ten, "a ten"))
    for offer, up in offers:
        if offer is not None:
            yield SideOffer(
                f"Insurance against {up}",
                "any player",
                float(offer.house_edge),
                str(offer.house_edge),
                float(offer.variance) ** 0.5,
                offer.clauses,
                "knowing the up card only",
            )
