"""The kinds of streams that a floor record can ask."""

from __future__ import annotations

from pitboss.floor.jackpots.meters_kind import METERS_KIND
from pitboss.floor.promotions.promotion_kind import PROMOTION_KIND
from pitboss.floor.records.house_kind import HOUSE_KIND
from pitboss.floor.records.kind import Kind
from pitboss.floor.records.table_kind import TABLE_KIND
from pitboss.floor.sevens.version_kind import VERSION_KIND
from pitboss.floor.tournaments.tournament_kind import TOURNAMENT_KIND
from pitboss.floor.vouchers.voucher_kind import VOUCHERS_KIND

ALL_KINDS: tuple[Kind, ...] = (
    HOUSE_KIND,
    TABLE_KIND,
    METERS_KIND,
    TOURNAMENT_KIND,
    PROMOTION_KIND,
    VOUCHERS_KIND,
    VERSION_KIND,
)
KIND_BY_WORD: dict[str, Kind] = {kind.word: kind for kind in ALL_KINDS}


def find_kind(stream: str) -> Kind:
    """The kind of a stream, by its name in a record."""
    return KIND_BY_WORD[stream.partition(" ")[0]]
