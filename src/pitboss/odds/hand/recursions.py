"""The recursions themselves: plain numbers in, plain numbers out, nothing about rules.

Each function runs as it stands on arrays of `Fraction` and is compiled by Numba for arrays of floats; so no literal
here has a point, no helper is called, and every result goes into an array that the caller made. What a hand may do and
what it is paid comes in as tables (`hand_tables`); an infinite deck is the same recursion with a `step` of nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.player_hands import Bools, Ints


class Rest(NamedTuple):
    """Cards by value index, their number, and what one card takes away: nothing, where the deck has no end."""

    values: Array
    left: Number
    step: Number


class HandCards(NamedTuple):
    """Hands: how many cards of each value they hold, how many in all, how many aces, what they grow into."""

    held: Ints
    cards: Ints
    aces: Ints
    after: Ints


class DealerTree(NamedTuple):
    """The dealer's hands as multisets (`Dealings`)."""

    parent: Ints
    rank: Ints
    nth: Ints
    size: Ints
    end_node: Ints
    end_place: Ints
    end_ways: Ints


class DealerWork(NamedTuple):
    """Work space, each with a column for every lane."""

    have: Array
    parts: Array
    """By number of cards drawn: one part of all cards that the last of them is drawn from."""
    products: Array
    distribution: Array


class Rights(NamedTuple):
    """What a hand may do, and its kind when it is finished. First index of some: the layer."""

    complete: Bools
    may_stand: Bools
    may_double: Bools
    draws: Bools
    goes_on: Bools
    redraws: Bools
    rescues: Bools
    kind: Ints
    kind_doubled: Ints


class Paid(NamedTuple):
    """What a hand is paid by kind and dealer's result.

    `gone[s]` is what s stakes over 21 cost, `forfeit` what a double taken back costs: first in general, then against a
    dealer's natural.
    """

    pay: Array
    pay_doubled: Array
    gone: Array
    forfeit: Array


class Choices(NamedTuple):
    """What every hand does, and which doubles are taken back, by layer, hand and up card."""

    decision: Ints
    given_up: Bools


class Worths(NamedTuple):
    """What every hand is worth, by layer, hand and up card; `acts` by action too."""

    value: Array
    drawing: Array
    doubled: Array
    acts: Array


class Drawn(NamedTuple):
    """Multisets of drawn cards and the number of orders of each."""

    counts: Ints
    ways: Array


class Products(NamedTuple):
    """`falling[v, k]`: product of the first k counts of value v as they are drawn; `taken[k]`: of the whole shoe."""

    falling: Array
    taken: Array
    rest: Rest
    partner: int
    """The value index of the card that makes the dealer's natural."""


class Reached(NamedTuple):
    """How often hands are reached: deciding, drawn to automatically, doubled, stood; and stakes that are bust."""

    acted: Array
    drawn: Array
    doubled: Array
    stood: Array
    bust: Array


STAND, HIT, DOUBLE = 0, 1, 2
"""Decisions as the recursions write them; -1 where a hand has none."""


LANES = 8
"""Hands that `dealer_rows` carries side by side, so that a compiler can work on them at once."""


def dealer_rows(
    order: Ints, ups: Ints, rest: Rest, held: Ints, cards: Ints, tree: DealerTree, work: DealerWork, unit: Number,
    rows: Array,
) -> None:  # fmt: skip
    """The distribution of the dealer's result for each hand of `order` and each up card, into `rows[h, up, result]`.

    `rest` are the cards before the hand and the up card left it.
    """
    shoe, left, step = rest.values, rest.left, rest.step
    have, parts, products, distribution = work.have, work.parts, work.products, work.distribution
    parents, ranks, nths, sizes = tree.parent, tree.rank, tree.nth, tree.size
    zero = unit - unit
    results = rows.shape[2]
    last = order.shape[0] - 1
    for start in range(0, order.shape[0], LANES):
        for lane in range(LANES):
            h = order[min(start + lane, last)]
            for value in range(10):
                have[value, lane] = shoe[value] - step * held[h, value]
            remaining = left - step * cards[h]
            parts[0, lane] = unit
            parts[1, lane] = unit
            for size in range(2, parts.shape[0]):
                many = remaining - step * (size - 1)
                if many > 0:
                    parts[size, lane] = unit / many
                else:
                    parts[size, lane] = zero
            products[0, lane] = unit
        for node in range(1, parents.shape[0]):
            parent = parents[node]
            rank = ranks[node]
            size = sizes[node]
            taken = step * nths[node]
            for lane in range(LANES):
                products[node, lane] = products[parent, lane] * ((have[rank, lane] - taken) * parts[size, lane])
        for place in range(distribution.shape[0]):
            for lane in range(LANES):
                distribution[place, lane] = zero
        for end in range(tree.end_node.shape[0]):
            place = tree.end_place[end]
            node = tree.end_node[end]
            ways = tree.end_ways[end]
            for lane in range(LANES):
                distribution[place, lane] += ways * products[node, lane]
        for lane in range(min(LANES, order.shape[0] - start)):
            h = order[start + lane]
            for place in range(ups.shape[0]):
                up = ups[place]
                if have[up, lane] <= 0:
                    continue
                other = unit
                for result in range(results):
                    rows[h, up, result] = distribution[up * results + result, lane] / have[up, lane]
                    other = other - rows[h, up, result]
                rows[h, up, results - 2] = other


def play_hands(
    order: Ints, ups: Ints, fixed: bool, cards: Rest, hands: HandCards, rows: Array, rights: Rights, paid: Paid,
    unit: Number, by: Choices, found: Worths,
) -> None:  # fmt: skip
    """Value of every hand of `order` against the up cards `ups`: by the best decision, or by those of `by` if `fixed`.

    The first index of the tables is the layer: how many aces of a hand are among its first two cards, where that
    matters.
    """
    shoe, left, step = cards.values, cards.left, cards.step
    held, after, complete = hands.held, hands.after, rights.complete
    pay, pay_doubled, gone, forfeit = paid.pay, paid.pay_doubled, paid.gone, paid.forfeit
    decision, given_up = by.decision, by.given_up
    value, drawing, doubled, acts = found.value, found.drawing, found.doubled, found.acts
    zero = unit - unit
    results = rows.shape[2]
    split_loss = gone[1, 0] != gone[1, 1] or gone[2, 0] != gone[2, 1]
    for place in range(order.shape[0]):
        h = order[place]
        for upward in range(ups.shape[0]):
            up = ups[upward]
            if shoe[up] - step * held[h, up] <= 0:
                continue
            rest = left - step * (hands.cards[h] + 1)
            stand = zero
            for result in range(results):
                stand = stand + pay[rights.kind[h], result] * rows[h, up, result]
            for layer in range(value.shape[0]):
                if hands.aces[h] < layer:
                    continue
                hit, auto, double, again = zero, zero, zero, zero
                for card in range(10):
                    many = shoe[card] - step * held[h, card]
                    if card == up:
                        many = many - step
                    if many <= 0:
                        continue
                    chance = many / rest
                    grown = after[h, card]
                    if grown >= 0:
                        hit = hit + chance * value[layer, grown, up]
                        auto = auto + chance * drawing[layer, grown, up]
                        double = double + chance * doubled[layer, grown, up]
                        continue
                    lost, lost_doubled = gone[1, 0], gone[2, 0]
                    if split_loss and (up == 0 or up == 9):
                        partner = 9 - up
                        tens = shoe[partner] - step * held[h, partner]
                        if card == partner:
                            tens = tens - step
                        natural = tens / (rest - step)
                        lost = lost + (gone[1, 1] - gone[1, 0]) * natural
                        lost_doubled = lost_doubled + (gone[2, 1] - gone[2, 0]) * natural
                    hit = hit + chance * lost
                    auto = auto + chance * lost
                    double = double + chance * lost_doubled
                again = double
                acts[layer, h, up, 0] = stand
                acts[layer, h, up, 1] = hit
                acts[layer, h, up, 2] = double
                if rights.redraws[layer, h]:
                    doubled[layer, h, up] = again
                else:
                    finished = zero
                    for result in range(results):
                        finished = finished + pay_doubled[rights.kind_doubled[layer, h], result] * rows[h, up, result]
                    if rights.rescues[layer, h]:
                        lost = forfeit[0] + (forfeit[1] - forfeit[0]) * rows[h, up, results - 1]
                        if not fixed:
                            given_up[layer, h, up] = lost > finished
                        if given_up[layer, h, up]:
                            finished = lost
                    doubled[layer, h, up] = finished
                if complete[h]:
                    chosen = 0
                elif rights.draws[layer, h]:
                    chosen = 3
                elif fixed:
                    chosen = decision[layer, h, up]
                else:
                    chosen = 1
                    best = hit
                    if rights.may_stand[h] and stand >= best:
                        chosen = 0
                        best = stand
                    if rights.may_double[layer, h] and double > best:
                        chosen = 2
                if chosen == 0:
                    value[layer, h, up] = stand
                elif chosen == 1:
                    value[layer, h, up] = hit
                elif chosen == 2:
                    value[layer, h, up] = double
                else:
                    value[layer, h, up] = auto
                    chosen = 1
                if not fixed:
                    decision[layer, h, up] = chosen
                if rights.goes_on[layer, h]:
                    drawing[layer, h, up] = auto
                else:
                    drawing[layer, h, up] = value[layer, h, up]


def mark_needed(
    start: Ints, ups: Ints, order: Ints, decision: Ints, complete: Bools, redraws: Bools, after: Ints, reached: Bools,
    needed: Bools,
) -> None:  # fmt: skip
    """Mark the hands at which play that begins with the hands of `start` can end, by these decisions.

    `start` holds layer and hand; `order` runs backwards; `reached[0]` are hands in play, `reached[1]` doubled ones.
    """
    for upward in range(ups.shape[0]):
        up = ups[upward]
        reached[:] = False
        for place in range(start.shape[0]):
            reached[0, start[place, 0], start[place, 1]] = True
        for place in range(order.shape[0] - 1, -1, -1):
            h = order[place]
            for layer in range(decision.shape[0]):
                if reached[1, layer, h]:
                    if redraws[layer, h]:
                        for card in range(10):
                            if after[h, card] >= 0:
                                reached[1, layer, after[h, card]] = True
                    else:
                        needed[h] = True
                if reached[0, layer, h]:
                    chosen = decision[layer, h, up]
                    if complete[h] or chosen == 0:
                        needed[h] = True
                    else:
                        for card in range(10):
                            if after[h, card] >= 0:
                                reached[chosen - 1, layer, after[h, card]] = True


def apart_chance(known: Drawn, one: Drawn, other: Drawn, products: Products, total: Array) -> None:
    """The chance that a hand of each list is dealt and the dealer's next card is the partner.

    The last two hands are taken to be independent once the first is known. Into `total[0]` goes the chance; into
    `total[1]` that of the first two, weighed by the cards of the second.
    """
    counts_m, ways_m = known.counts, known.ways
    counts_a, ways_a, counts_b, ways_b = one.counts, one.ways, other.counts, other.ways
    falling, taken, partner = products.falling, products.taken, products.partner
    shoe, left, step = products.rest.values, products.rest.left, products.rest.step
    for m in range(counts_m.shape[0]):
        before = 0
        for value in range(10):
            before += counts_m[m, value]
        weight = ways_m[m]
        for value in range(10):
            weight = weight * falling[value, counts_m[m, value]]
        if weight <= 0:
            continue
        chance_a = weight - weight
        weighed_a = weight - weight
        for a in range(counts_a.shape[0]):
            chance = ways_a[a]
            cards = 0
            for value in range(10):
                many = counts_a[a, value]
                cards += many
                if many > 0:
                    had = counts_m[m, value]
                    chance = chance * falling[value, had + many] / falling[value, had]
            if chance > 0:
                chance = chance * taken[before] / taken[before + cards]
                chance_a += chance
                weighed_a += chance * cards
        chance_b = weight - weight
        for b in range(counts_b.shape[0]):
            chance = ways_b[b]
            cards = 0
            for value in range(10):
                many = counts_b[b, value]
                cards += many
                if many > 0:
                    had = counts_m[m, value]
                    chance = chance * falling[value, had + many] / falling[value, had]
            rest = left - step * (before + cards)
            if chance > 0 and rest > 0:
                drawn = counts_m[m, partner] + counts_b[b, partner]
                chance_b += chance * taken[before] / taken[before + cards] * (shoe[partner] - step * drawn) / rest
        total[0] += weight / taken[before] * chance_a * chance_b
        total[1] += weight / taken[before] * weighed_a


def walk(order: Ints, ups: Ints, cards: Rest, hands: HandCards, rights: Rights, decision: Ints, found: Reached) -> None:
    """How often each hand is reached by these decisions.

    `acted[layer, h, up]` comes with the chance of each opening hand and leaves with that of every hand that decides;
    `drawn` are hands the dealer draws to automatically, `doubled` and `stood` finished hands. `bust[s, up]` are s
    stakes that are bust: [s, up, 0] in all, [s, up, 1] those against a dealer's natural.
    """
    shoe, left, step = cards.values, cards.left, cards.step
    held, after, complete = hands.held, hands.after, rights.complete
    acted, drawn, doubled, stood, bust = found.acted, found.drawn, found.doubled, found.stood, found.bust
    for place in range(order.shape[0] - 1, -1, -1):
        h = order[place]
        for upward in range(ups.shape[0]):
            up = ups[upward]
            rest = left - step * (hands.cards[h] + 1)
            for layer in range(decision.shape[0]):
                mass, automatic, twice = acted[layer, h, up], drawn[layer, h, up], doubled[layer, h, up]
                target = 0
                if not rights.goes_on[layer, h]:
                    mass = mass + automatic
                    automatic = automatic - automatic
                    acted[layer, h, up] = mass
                if mass > 0:
                    if complete[h]:
                        stood[layer, h, up] += mass
                        mass = mass - mass
                    elif rights.draws[layer, h]:
                        automatic = automatic + mass
                        mass = mass - mass
                    else:
                        target = decision[layer, h, up]
                        if target == 0:
                            stood[layer, h, up] += mass
                            mass = mass - mass
                if rights.redraws[layer, h] and twice > 0:
                    doubled[layer, h, up] = twice - twice
                else:
                    twice = twice - twice
                if mass <= 0 and automatic <= 0 and twice <= 0:
                    continue
                for card in range(10):
                    many = shoe[card] - step * held[h, card]
                    if card == up:
                        many = many - step
                    if many <= 0:
                        continue
                    chance = many / rest
                    grown = after[h, card]
                    if grown >= 0:
                        drawn[layer, grown, up] += chance * automatic
                        doubled[layer, grown, up] += chance * twice
                        if target == 1:
                            acted[layer, grown, up] += chance * mass
                        elif target == 2:
                            doubled[layer, grown, up] += chance * mass
                        continue
                    single = chance * automatic
                    double = chance * twice
                    if target == 1:
                        single = single + chance * mass
                    elif target == 2:
                        double = double + chance * mass
                    natural = rest - rest
                    if up == 0 or up == 9:
                        natural = shoe[9 - up] - step * held[h, 9 - up]
                        if card == 9 - up:
                            natural = natural - step
                        natural = natural / (rest - step)
                    bust[1, up, 0] += single
                    bust[2, up, 0] += double
                    bust[1, up, 1] += single * natural
                    bust[2, up, 1] += double * natural
