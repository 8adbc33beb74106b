"""What every state of a round is worth in a full shoe: what the correction of estimates subtracts.

Before a card is drawn its distribution is known, so a card's luck is the value of the state it leads to less the mean
of that value over the cards that are left. Whatever the values are, that has mean zero; the nearer they are to the
truth, the less luck is left in an estimate. Here they are those of a shoe that no card leaves, solved once over the
tables that the kernel plays from; a split within a split is left out, and suits are taken at their average.

A context is what is known of the dealer's hand: the up card, or up card and hole card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.bonuses import MIXED, ONE_SUIT, SPADES
from pitboss.play.dealer import NO_CARD, dealer_looks, has_hole_card, natural_needs
from pitboss.play.doubling import double_is_free
from pitboss.play.naturals import makes_natural, may_become_natural, natural_may_fail, natural_paid_now
from pitboss.play.packed import Packed
from pitboss.play.settlement import busted_double_returns, dealer_natural_loss
from pitboss.play.splitting import split_is_free
from pitboss.play.surrender import surrender_before_turns, surrender_costs
from pitboss.sim.unfold.areas import AreaLuck, find_exchanges, no_areas, value_areas
from pitboss.sim.unfold.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_STAND, DO_SURRENDER, POINTS, WIDTH, PlayTables

RANK_COUNT = len(POINTS)
FIRST_FINAL = 64
"""The dealer's finished hands are numbered from here, those that still draw below."""
OWN, OTHER, FREE = range(3)
"""Roles of a hand: it holds the original wager, one that a split added, or a token."""
SUIT_SHARES = {MIXED: 60 / 64, ONE_SUIT: 3 / 64, SPADES: 1 / 64}
"""Of three cards of a shoe without end."""

Floats = NDArray[np.float64]


class CountTags(NamedTuple):
    """A count that a kernel keeps beside the game, to sort its rounds by."""

    tags: NDArray[np.int64]
    """By code of the card, times `multiple`."""
    multiple: int
    """What tags are multiplied by, so that halves are whole."""
    running: int
    """1: rounds are sorted by the running count, and not by the true count."""
    start: int
    """The count of a new shoe, times `multiple`."""


NO_TAGS = CountTags(np.zeros(64, np.int64), 1, 0, 0)


class LuckTables(NamedTuple):
    """Values of the states of a round, in parts of the wager; empty where nothing is corrected."""

    whole: Floats
    """[rank] -> cards of a full shoe."""
    first: Floats
    """[first card]"""
    up: Floats
    """[first card, up card]"""
    second: Floats
    """[up card, first card, second card]"""
    dealt: Floats
    """[context, first card, second card]"""
    hand: Floats
    """[role, context, state]; of a pair that would be split, what it is worth unsplit."""
    half: Floats
    """[role, context, rank] -> a hand of a split that waits for its second card."""
    doubled: Floats
    """[role, context, class] -> a hand doubled, with its card."""
    ends: Floats
    """[dealer state or final, final] -> chance."""
    contexts_ends: Floats
    """[context, final] -> chance."""
    tagged: CountTags
    """The count that rounds are sorted by."""
    area: AreaLuck
    """Where two boxes may exchange their second cards."""


def no_luck() -> LuckTables:
    """The tables of a plan that corrects nothing."""
    line, table, cube = np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0, 0))
    return LuckTables(line, line, table, cube, cube, cube, cube, cube, table, table, NO_TAGS, no_areas())


class _Contexts(NamedTuple):
    """What can be known of the dealer's hand."""

    ups: NDArray[np.int64]
    rows: NDArray[np.int64]
    """Row of `ends`."""
    ended: NDArray[np.bool_]
    """The dealer has shown a natural, and nobody acts."""


def value_states(
    rules: Packed, tables: PlayTables, fresh: NDArray[np.uint8], count: CountTags, switches: NDArray[np.uint8]
) -> LuckTables:
    """The values of a game played from these tables; `switches`: what is exchanged, as a kernel looks it up."""
    whole = np.bincount(fresh & 15, minlength=RANK_COUNT).astype(float)
    shares = whole / whole.sum()
    ends = _dealer_ends(tables, shares)
    contexts = _contexts(rules, tables)
    chances = ends[contexts.rows]
    stand, doubled = _classes(rules, tables, contexts, chances, shares)
    hand = _hands(rules, tables, contexts, chances, shares, stand, doubled)
    half = _halves(tables, shares, hand)
    dealt = _deals(rules, tables, contexts, chances, hand, half)
    second = _without_hole_card(rules, dealt, shares)
    ups = np.ascontiguousarray(np.tensordot(second, shares, 1).T)
    first, area = ups @ shares, no_areas()
    if rules.switch:
        switched = _deals(rules, tables, contexts, chances, hand, half, switched=True)
        first, area = value_areas(
            find_exchanges(rules, switches), shares, second, switched, _without_hole_card(rules, switched, shares)
        )
    return LuckTables(whole, first, ups, second, dealt, hand, half, doubled, ends, chances, count, area)


def _without_hole_card(rules: Packed, dealt: Floats, shares: Floats) -> Floats:
    """What two cards are worth, by up card, first and second card, before a hole card is known."""
    second = np.zeros((RANK_COUNT,) * 3)
    for up in range(RANK_COUNT):
        seen = has_hole_card(rules) or dealer_looks(rules, up)
        known = RANK_COUNT * (1 + up)
        second[up] = np.tensordot(shares, dealt[known : known + RANK_COUNT], 1) if seen else dealt[up]
    return second


def _dealer_ends(tables: PlayTables, shares: Floats) -> Floats:
    """The chance of each final hand from each of the dealer's states."""
    moves = tables.dealer.reshape(-1, WIDTH)[:, :RANK_COUNT]
    ends = np.zeros((FIRST_FINAL + tables.final_total.size, tables.final_total.size))
    ends[FIRST_FINAL:] = np.eye(tables.final_total.size)
    while True:
        after = np.einsum("r,srf->sf", shares, ends[moves])
        if np.array_equal(after, ends[: len(moves)]):
            return ends
        ends[: len(moves)] = after


def _contexts(rules: Packed, tables: PlayTables) -> _Contexts:
    ranks = range(RANK_COUNT)
    moves = tables.dealer.reshape(-1, WIDTH)
    ups, rows, ended = list(ranks), [int(tables.dealer_start[up]) for up in ranks], [False] * RANK_COUNT
    if has_hole_card(rules) or any(dealer_looks(rules, up) for up in ranks):
        for up in ranks:
            for hole in ranks:
                ups.append(up)
                rows.append(int(moves[tables.dealer_start[up], hole]))
                ended.append(bool(dealer_looks(rules, up)) and bool(makes_natural(up, hole)))
    return _Contexts(np.array(ups), np.array(rows), np.array(ended))


def _classes(
    rules: Packed, tables: PlayTables, contexts: _Contexts, chances: Floats, shares: Floats
) -> tuple[Floats, Floats]:
    """What finished hands are worth, by role, context and class: not doubled, and doubled."""
    finals, kinds, unit = tables.final_total, len(tables.live), tables.unit
    words = np.zeros((2, 3, kinds, finals.size))
    pays = tables.pays.reshape(kinds, -1)
    free_double = bool(double_is_free(rules))
    for times, role, kind, final in np.ndindex(words.shape):
        stake = 0 if role == FREE else unit
        staked = stake + (0 if times == 0 or free_double else unit)
        natural = bool(finals[final] >= 100)
        if kind == 0:
            net = -float(stake if busted_double_returns(rules, natural) else staked)
        elif not tables.live[kind]:
            net = pay_of_sure_win(tables, kind) * (times + 1)
        else:
            pay = int(pays[kind, final])
            taken = unit if role == OTHER else 0
            if natural and pay < 0:
                net = -dealer_natural_loss(rules, unit, 0, staked, role == OWN, stake, taken)
            else:
                net = pay * (times + 1) if pay > 0 else -staked if pay < 0 else 0
        words[times, role, kind, final] = net
    worth = np.einsum("tkwf,cf->tkcw", words, chances)
    stand, doubled = worth[0], worth[1]
    lost = np.array([unit, unit, 0.0])[:, None, None]
    rescued = tables.rescue.reshape(kinds, WIDTH)[:, contexts.ups].T
    doubled = np.where(rescued[None] != 0, -lost, doubled)
    again = tables.redraws != 0
    if again.any():
        redrawn = tables.redrawn.reshape(kinds, WIDTH)[:, :RANK_COUNT]
        for _ in range(RANK_COUNT):
            doubled = np.where(again, np.einsum("r,kcwr->kcw", shares, doubled[:, :, redrawn]), doubled)
    return stand, np.ascontiguousarray(doubled)


def pay_of_sure_win(tables: PlayTables, kind: int) -> float:
    """What a hand that wins whatever the dealer has is paid; where suits set it, their mean."""
    pattern = int(tables.suits[kind])
    if not pattern:
        return float(tables.sure[kind])
    return sum(share * float(tables.suited[pattern * 3 + grade]) for grade, share in SUIT_SHARES.items())


def _hands(
    rules: Packed, tables: PlayTables, contexts: _Contexts, chances: Floats, shares: Floats, stand: Floats,
    doubled: Floats,
) -> Floats:  # fmt: skip
    """What hands in play are worth, by role, context and state."""
    act = tables.act.reshape(-1, WIDTH)[:, contexts.ups].T
    unsplit = tables.unsplit.astype(np.int64)
    act = np.where(act == DO_SPLIT, act[:, unsplit], act)
    standing = stand[:, :, tables.worth]
    surrendered = -(tables.unit // 2) * np.array([
        surrender_costs(rules, bool(final >= 100)) for final in tables.final_total
    ])  # fmt: skip
    given_up = (chances @ surrendered)[None, :, None]
    hands = np.where(act == DO_SURRENDER, given_up, standing)
    classes = tables.doubled.reshape(-1, WIDTH)[:, :RANK_COUNT]
    doubling = sum(shares[rank] * doubled[:, :, classes[:, rank]] for rank in range(RANK_COUNT))
    hands = np.where(act == DO_DOUBLE, doubling, hands)
    stopped = contexts.ended[:, None] & ~((act == DO_SURRENDER) & bool(surrender_before_turns(rules)))
    hands = np.where(stopped, standing, hands)
    hits = (act == DO_HIT) & ~stopped
    grow = tables.grow.reshape(-1, WIDTH)[:, :RANK_COUNT]
    assert np.isin(act, (DO_STAND, DO_HIT, DO_DOUBLE, DO_SURRENDER)).all()
    while True:
        grown = sum(shares[rank] * hands[:, :, grow[:, rank]] for rank in range(RANK_COUNT))
        after = np.where(hits, grown, hands)
        if np.array_equal(after, hands):
            return np.ascontiguousarray(hands)
        hands = after


def _halves(tables: PlayTables, shares: Floats, hand: Floats) -> Floats:
    """What a hand of a split that waits for its second card is worth, by role, context and rank."""
    own = tables.split_opening.reshape(-1, WIDTH)[:RANK_COUNT, :RANK_COUNT]
    other = tables.other_opening.reshape(-1, WIDTH)[:RANK_COUNT, :RANK_COUNT]
    return np.stack([hand[role][:, own if role == OWN else other] @ shares for role in (OWN, OTHER, FREE)])


def _deals(
    rules: Packed, tables: PlayTables, contexts: _Contexts, chances: Floats, hand: Floats, half: Floats, *,
    switched: bool = False,
) -> Floats:  # fmt: skip
    """What two cards are worth, by context, first and second card; `switched`: no two of them are a natural."""
    opening = tables.opening.reshape(-1, WIDTH)
    act = tables.act.reshape(-1, WIDTH)
    waits = np.array([
        tables.natural_pays[final] if total >= 100 or natural_may_fail(rules) else tables.natural_pay
        for final, total in enumerate(tables.final_total)
    ], float)  # fmt: skip
    dealt = np.zeros((len(contexts.ups), RANK_COUNT, RANK_COUNT))
    for one, two in np.ndindex(RANK_COUNT, RANK_COUNT):
        state = int(opening[one, two])
        if switched or not makes_natural(one, two):
            dealt[:, one, two] = hand[OWN][:, state]
            splits = (act[state, contexts.ups] == DO_SPLIT) & ~contexts.ended
            added = FREE if split_is_free(rules, POINTS[one]) else OTHER
            split = half[OWN][:, one] + half[added][:, two]
            dealt[:, one, two] = np.where(splits, split, dealt[:, one, two])
            continue
        for place, up in enumerate(contexts.ups):
            now = natural_paid_now(rules, may_become_natural(int(up))) or natural_needs(rules) == NO_CARD
            dealt[place, one, two] = tables.natural_pay if now else chances[place] @ waits
    return dealt
