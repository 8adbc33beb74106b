"""Days and times in files, as the milliseconds since 1970 in which the floor counts."""

from __future__ import annotations

import datetime
from typing import Any

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


LAST_MOMENT_MS = 4_102_444_800_000
"""The beginning of the year 2100: nothing on a floor is set for later."""


def is_moment(at_ms: int) -> bool:
    """A moment that somebody can set something for."""
    return 0 <= at_ms <= LAST_MOMENT_MS


def read_moment(value: datetime.date) -> int:
    """A day and time, or the beginning of a day, in milliseconds; without a zone it is read as UTC."""
    day = value if isinstance(value, datetime.datetime) else datetime.datetime.combine(value, datetime.time())
    aware = day if day.tzinfo is not None else day.replace(tzinfo=datetime.UTC)
    return (aware - EPOCH) // datetime.timedelta(milliseconds=1)


def make_plain(value: Any) -> Any:
    """Plain data of a file, in which days and times become milliseconds."""
    if isinstance(value, dict):
        return {name: make_plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [make_plain(item) for item in value]
    if isinstance(value, datetime.datetime | datetime.date):
        return read_moment(value)
    return value


def tell_time(at_ms: int) -> str:
    """`2026-03-02 18:05`, with seconds where there are any."""
    moment = EPOCH + datetime.timedelta(milliseconds=at_ms)
    return moment.strftime("%Y-%m-%d %H:%M:%S" if moment.second else "%Y-%m-%d %H:%M")
