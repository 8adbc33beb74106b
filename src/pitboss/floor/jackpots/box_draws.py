"""Draws of boxes by a jackpot system: fixed by a seed that is committed to before, and revealed after, like a shoe.

One series of draws has one seed. Each draw reads the stream of words that has its number: first whether it wins, then
which box. Whoever has the revealed seed and the draws that were made can check every one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.floor.jackpots.meter_messages import BoxDrawn
from pitboss.floor.jackpots.meter_state import DrawSeries
from pitboss.table.shoe.shuffle import commitment, draw_below, seed_and_salt, stream_words

MOST_ONE_IN = 60_000
"""The rarest prize that a draw can give."""


def seal_series(number: int, entropy: bytes) -> DrawSeries:
    """A new series of draws, with chance that nobody else knows."""
    seed, salt = seed_and_salt(entropy)
    return DrawSeries(number, commitment(seed, salt), seed, salt)


def draw_box(seed: bytes, number: int, one_in: int, boxes: tuple[str, ...]) -> str:
    """The box that the draw of this number picks; empty if it picks none."""
    words = stream_words(seed, number)
    return boxes[draw_below(len(boxes), words)] if draw_below(one_in, words) == 0 else ""


def check_series(series: DrawSeries) -> Iterator[str]:
    """What is wrong with a revealed series, a sentence each."""
    if commitment(series.seed, series.salt) != series.commitment:
        yield f"series {series.number}: seed and salt are not those that were committed to"
    for at, draw in enumerate(series.draws):
        if draw.number != at:
            yield f"series {series.number}: draw {at} is missing"
        elif draw_box(series.seed, draw.number, draw.one_in, draw.boxes) != draw.box:
            yield f"series {series.number}: draw {at} should have picked {_tell(series.seed, draw)}"


def _tell(seed: bytes, draw: BoxDrawn) -> str:
    box = draw_box(seed, draw.number, draw.one_in, draw.boxes)
    return f"box {box}" if box else "no box"
