"""Rounds at thousands of tables in step, compiled: cards from their shoes, actions of agents, what the agents see.

The rounds are those of `play.round`, in rows or, as long as a box has one hand, looked up (`brief_rounds`); here is the
way from a row of integers to an observation, a mask and a reward, and from one round to the next.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.envs import compiled_rows as t
from pitboss.envs import fields as w
from pitboss.envs.brief_rounds import GOES_ON, LEAVES, OVER, deal_brief, lay_out_row, play_brief
from pitboss.envs.compiled_rows import Cards, Ended, EnvGame, Numbers, Shown, TablePlay, Tables, compiled
from pitboss.play._jit import register_all
from pitboss.play.bonuses import grade_of
from pitboss.play.hands import points_of, total
from pitboss.play.round import row as r
from pitboss.play.round.row import Area, Row, box_at, forget_cards, hand_at, layout_at, value_at
from pitboss.play.round.side_results import judge_side_wagers
from pitboss.play.round.step import advance_round, deal_round, settle_deal, step
from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.sim.kernels.compiling import INT64, compile_apart

register_all()

ACTIONS, FIELD_COUNT = len(w.Action), len(w.FIELDS)


# Rounds in rows -----------------------------------------------------------------------------------------


@compile_apart
def count_hole_card(row: Row) -> None:
    """A hole card that was not turned over in the round before is seen when the cards are collected."""
    if row[r.HOLE] != NO_CARD_CODE:
        row[value_at(row[r.HOLE])] += 1
        row[r.HOLE] = NO_CARD_CODE


@compile_apart
def ready_shoe(play: TablePlay, row: Row) -> None:
    """Begin a new shoe if it is time for one. A device that takes cards back late does so when it deals."""
    dealing = play.dealing
    if row[r.POSITION] >= dealing.cut and (dealing.returns_late == 0 or row[r.KNOWN] != 0):
        row[r.POSITION] = row[r.KNOWN] = 0
        forget_cards(row)


@compile_apart
def deal_row(play: TablePlay, area: Area, row: Row, cards: Cards) -> None:
    """Deal a round into the row."""
    dealing = play.dealing
    out = 0
    if row[r.POSITION] >= dealing.cut and dealing.returns_late != 0 and row[r.KNOWN] == 0:
        out = INT64(row[r.POSITION])
        forget_cards(row)
    deal_round(play.rules, area, row, cards)
    if out != 0:
        for place in range(row[r.POSITION] - out):
            cards.shoe[place], cards.shoe[out + place] = cards.shoe[out + place], cards.shoe[place]
        row[r.POSITION] -= out
    settle_deal(play.rules, area, row, cards)


# Seeing -------------------------------------------------------------------------------------------------


@compile_apart
def show_row(area: Area, row: Row, seen: Numbers) -> None:
    """What the agent at a table sees."""
    b, h = INT64(row[r.AT_BOX]), INT64(row[r.AT_HAND])
    at = hand_at(area, b, h)
    points = total(row[at + r.HARD], row[at + r.ACES])
    seen[w.STAGE] = row[r.AT_STAGE]
    seen[w.UP_CARD] = points_of(row[r.UP] & 15)
    seen[w.TOTAL], seen[w.SOFT] = points, int(points != row[at + r.HARD])
    seen[w.CARDS] = row[at + r.CARDS]
    seen[w.FIRST_CARD] = points_of(row[at + r.FIRST] & 15)
    seen[w.SECOND_CARD] = points_of(row[at + r.SECOND] & 15)
    seen[w.SUITED] = grade_of(row[at + r.SUITS])
    seen[w.DOUBLED], seen[w.FROM_SPLIT] = row[at + r.IS_DOUBLED], row[at + r.FROM_SPLIT]
    seen[w.HAND], seen[w.HANDS], seen[w.BOX] = h + 1, row[box_at(b) + r.BOX_HANDS], b + 1
    seen[w.INSURED] = int(row[box_at(b) + r.INSURANCE] != 0)
    if area.boxes == 2:
        other = hand_at(area, 1 - b, 0)
        seen[w.OTHER_TOTAL] = total(row[other + r.HARD], row[other + r.ACES])
        seen[w.OTHER_FIRST_CARD] = points_of(row[other + r.FIRST] & 15)
        seen[w.OTHER_SECOND_CARD] = points_of(row[other + r.SECOND] & 15)
    else:
        seen[w.OTHER_TOTAL] = seen[w.OTHER_FIRST_CARD] = seen[w.OTHER_SECOND_CARD] = 0
    for value in range(10):
        seen[w.SEEN + value] = row[r.SEEN + value]


@compile_apart
def show_bets(row: Row, seen: Numbers) -> None:
    """What the agent at a table sees before the deal: the cards that have been dealt from the shoe."""
    for field in range(w.SEEN):
        seen[field] = 0
    seen[w.STAGE] = w.BETS_STAGE
    for value in range(10):
        seen[w.SEEN + value] = row[r.SEEN + value]


@compile_apart
def show_mask(allowed: int, mask: NDArray[np.int8]) -> None:
    """Which actions are open at a table."""
    for action in range(mask.size):
        mask[action] = allowed >> action & 1


@compile_apart
def show_table(play: TablePlay, row: Row, note: Row, view: Numbers, seen: Numbers) -> None:
    """What the agent at a table sees."""
    mode = note[t.MODE]
    if mode == t.BRIEF:
        for field in range(FIELD_COUNT):
            seen[field] = view[field]
    elif mode == t.BETTING:
        show_bets(row, seen)
    else:
        show_row(play.areas[note[t.BET]], row, seen)
    if play.dealing.asks_bets != 0:
        seen[w.BET] = play.bets[note[t.BET]] if mode != t.BETTING else 0


# All tables ---------------------------------------------------------------------------------------------


@compile_apart
def begin_round(play: TablePlay, row: Row, note: Row, view: Numbers, cards: Cards) -> None:
    """The next round, from a new shoe if it is time for one."""
    count_hole_card(row)
    ready_shoe(play, row)
    ask_or_deal(play, row, note, view, cards)


@compile_apart
def ask_or_deal(play: TablePlay, row: Row, note: Row, view: Numbers, cards: Cards) -> None:
    """Ask for the bet, or deal."""
    if play.dealing.asks_bets != 0:
        note[t.MODE] = t.BETTING
        note[t.ALLOWED] = ((1 << play.bets.size) - 1) << ACTIONS
    else:
        deal_brief_or_row(play, row, note, view, cards)


@compile_apart
def deal_brief_or_row(play: TablePlay, row: Row, note: Row, view: Numbers, cards: Cards) -> None:
    """Deal a round: into the row, or looked up if the hand may be."""
    area = play.areas[note[t.BET]]
    if play.dealing.is_brief == 0:
        deal_row(play, area, row, cards)
    else:
        note[t.POSITION], note[t.KNOWN] = row[r.POSITION], row[r.KNOWN]
        for value in range(10):
            view[w.SEEN + value] = row[r.SEEN + value]
        if deal_brief(play, note, view, cards):
            note[t.MODE] = t.BRIEF
            return
        lay_out_row(area, row, note, view)
        settle_deal(play.rules, area, row, cards)
    note[t.MODE], note[t.ALLOWED] = t.IN_ROW, row[r.ALLOWED]


@compile_apart
def act_in_row(play: TablePlay, row: Row, note: Row, cards: Cards, action: int) -> None:
    """What an action that is open does to a round in its row."""
    if row[r.AT_STAGE] != r.OVER:
        step(play.rules, play.areas[note[t.BET]], row, action, cards)
    note[t.ALLOWED] = row[r.ALLOWED]


@compile_apart
def take_action(play: TablePlay, row: Row, note: Row, view: Numbers, cards: Cards, action: int) -> bool:
    """What an action that is open does, until something is to be decided; whether the round is over."""
    if note[t.MODE] == t.BETTING:
        note[t.BET] = action - ACTIONS
        deal_brief_or_row(play, row, note, view, cards)
        return False
    if note[t.MODE] == t.BRIEF:
        area = play.areas[note[t.BET]]
        does = play_brief(play, note, view, cards, action)
        if does == OVER:
            row[r.POSITION], row[r.KNOWN], row[r.HOLE] = note[t.POSITION], note[t.KNOWN], note[t.HOLE]
            row[r.NET] = note[t.NET]
            for value in range(10):
                row[r.SEEN + value] = view[w.SEEN + value]
            return True
        if does == GOES_ON:
            return False
        lay_out_row(area, row, note, view)
        note[t.MODE] = t.IN_ROW
        if does == LEAVES:
            advance_round(play.rules, area, row, cards)
            note[t.ALLOWED] = row[r.ALLOWED]
            return row[r.AT_STAGE] == r.OVER
    act_in_row(play, row, note, cards, action)
    return row[r.AT_STAGE] == r.OVER


@compiled
def deal_all(game: EnvGame, tables: Tables, shown: Shown, start: int, stop: int) -> None:
    """A round at tables `start` to `stop`, from the shoes as they are: the first, or the next of a table that waits."""
    play = game.play
    layout = layout_at(play.areas[0])
    for i in range(start, stop):
        row, note, view = tables.rows[i], tables.notes[i], tables.views[i]
        cards = Cards(tables.shoes[i], tables.chances[i], layout)
        count_hole_card(row)
        ask_or_deal(play, row, note, view, cards)
        show_table(play, row, note, view, shown.seen[i])
        show_mask(note[t.ALLOWED], shown.masks[i])


@compiled
def step_all(
    game: EnvGame, tables: Tables, shown: Shown, ended: Ended, actions: NDArray[np.int64], start: int, stop: int
) -> None:
    """One action at each of the tables. A round that ends is settled, and the next one is begun at once."""
    play = game.play
    layout, actions_there_are = layout_at(play.areas[0]), shown.masks.shape[1]
    for i in range(start, stop):
        row, note, view = tables.rows[i], tables.notes[i], tables.views[i]
        cards = Cards(tables.shoes[i], tables.chances[i], layout)
        action = INT64(actions[i])
        is_open = 0 <= action < actions_there_are and (note[t.ALLOWED] >> action & 1) != 0
        ended.refused[i] = not is_open
        ended.ended[i] = False
        ended.rewards[i] = 0.0
        if is_open and take_action(play, row, note, view, cards, action):
            ended.ended[i] = True
            area = play.areas[note[t.BET]]
            reward = row[r.NET] / area.unit * play.bets[note[t.BET]]
            if area.side_wagers != 0:
                judge_side_wagers(area, row, game.sides, ended.outcomes[i], cards)
                for wager in range(area.side_wagers):
                    reward += game.side_pays[wager, ended.outcomes[i, wager]]
            ended.rewards[i] = reward
            show_table(play, row, note, view, ended.finals[i])
            if play.dealing.waits != 0:
                note[t.ALLOWED] = 0
            else:
                begin_round(play, row, note, view, cards)
        show_table(play, row, note, view, shown.seen[i])
        show_mask(note[t.ALLOWED], shown.masks[i])
