"""Who is ahead and who is out: pure functions on chips, elimination records and groups of players who are level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pitboss.floor.tournaments.format import StageKind, TournamentStage
from pitboss.floor.tournaments.tournament_state import EntryStatus, PlayTable, TableResult, TournamentState, WentOut
from pitboss.money import ZERO, Money
from pitboss.table.state import State

Groups = tuple[tuple[str, ...], ...]
"""Players, best first; whoever is level stands in one group."""


def group_by_chips(keys: Iterable[str], stacks: Mapping[str, int]) -> Groups:
    """Players by their chips, most first; in a group they keep the order in which they came."""
    found: dict[int, list[str]] = {}
    for key in keys:
        found.setdefault(stacks.get(key, 0), []).append(key)
    return tuple([tuple(found[chips]) for chips in sorted(found, reverse=True)])


def order_out(records: Iterable[WentOut]) -> tuple[str, ...]:
    """Those who are out, best first: out later, with more left, with the larger wager, with chips taken later."""
    best_first = sorted(
        records, key=lambda gone: (gone.round, gone.residual, gone.staked, gone.removal), reverse=True
    )  # fmt: skip
    return tuple([gone.key for gone in best_first])


def rank_after_play(table: PlayTable, stacks: Mapping[str, int]) -> Groups:
    """The groups of a table whose play has just ended: a play-off orders those who were level, and nobody else."""
    among = [key for key in table.seats if key and all(gone.key != key for gone in table.out)]
    if not table.play_off:
        return group_by_chips(among, stacks)
    own = group_by_chips([key for key in table.play_off if key in among], stacks)
    gone = order_out([left for left in table.out if left.key in table.play_off])
    split = (*own, *((key,) for key in gone))
    found: list[tuple[str, ...]] = []
    for group in table.ranking:
        if set(group) & set(table.play_off):
            found.extend(split)
        else:
            found.append(group)
    return tuple([group for group in found if group])


def find_level(groups: Groups, stage: TournamentStage, prizes: int) -> tuple[int, tuple[str, ...]]:
    """The first group whose order matters and is not known, and the place it stands at; an empty group if all is known.

    In a heat it matters who goes on; in a final every place for which there is a prize.
    """
    place = 1
    for group in groups:
        last = place + len(group) - 1
        if len(group) > 1:
            straddles = place <= stage.advance < last
            if straddles if stage.kind is not StageKind.FINAL else place <= max(prizes, 1):
                return place, group
        place = last + 1
    return 0, ()


def list_ranking(table: PlayTable, stacks: Mapping[str, Money]) -> tuple[tuple[str, Money], ...]:
    """Everybody at a table, best first, with their chips."""
    ranked = [key for group in table.ranking for key in group]
    others = order_out([gone for gone in table.out if gone.key not in ranked])
    return tuple([(key, stacks.get(key, ZERO)) for key in (*ranked, *others) if key in table.seats])


def choose_advancing(
    results: Iterable[TableResult], stage: TournamentStage, level: Iterable[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Who goes on from a stage; who is level for the last places among the next best, and how many places are left.

    Where nobody at a table has chips left, those who are placed best there go on. `level` is the order in which those
    who were level have played for it, best first. Where others go on by their chips, they also fill the places of
    tables at which too few have any left.
    """
    through: list[str] = []
    others: list[tuple[str, Money]] = []
    short = 0
    for result in results:
        alive = [item for item in result.ranking if item[1] > 0]
        best = (alive or result.ranking)[: stage.advance]
        through += [key for key, _ in best]
        short += stage.advance - len(best)
        others += alive[stage.advance :]
    places = stage.next_best
    if places:
        places += short
    order = {key: rank for rank, key in enumerate(level)}
    others.sort(key=lambda item: (-item[1], order.get(item[0], len(order))))
    if places == 0 or len(others) <= places:
        return (*through, *(key for key, _ in others[:places])), (), 0
    last = others[places - 1][1]
    tied = [key for key, chips in others if chips == last]
    above = [key for key, chips in others if chips > last]
    if others[places][1] == last and not order:
        return (*through, *above), tuple(tied), places - len(above)
    return (*through, *(key for key, _ in others[:places])), (), 0


def rank_final(results: Iterable[TableResult], prizes: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Everybody in a final, best first; and who is level for a place with a prize and has not played for it yet.

    A result of players who all have one before it is that of a play-off among them. Nobody is level without chips.
    """
    chips: dict[str, tuple[Money, int]] = {}
    played: dict[str, int] = {}
    tables = 0
    for result in results:
        if all(key in chips for key, _ in result.ranking):
            played.update({key: -at for at, (key, _) in enumerate(result.ranking)})
            continue
        tables += 1
        chips.update({key: (own, -at) for at, (key, own) in enumerate(result.ranking)})
    if tables == 1:
        return tuple(chips), ()
    order = sorted(chips, key=lambda key: (chips[key][0], played.get(key, 0), chips[key][1]), reverse=True)
    for key in order[:prizes]:
        group = tuple([other for other in order if chips[other][0] == chips[key][0]])
        if group[0] == key and chips[key][0] and len(group) > 1 and not set(group) <= played.keys():
            return tuple(order), group
    return tuple(order), ()


def count_staked_by(table: State, key: str) -> Money:
    """Everything that somebody has staked on main wagers in the round that is settled."""
    return sum(
        (item.stake for item in table.settlements if item.player == key and item.wager == "main"), ZERO
    )  # fmt: skip


def find_removal(table: State, key: str) -> int:
    """Where in the order of settlement somebody's last chips were taken; -1 if none were."""
    taken = [at for at, item in enumerate(table.settlements) if item.player == key and item.net < 0]
    return taken[-1] if taken else -1


def list_winners(state: TournamentState) -> tuple[str, ...]:
    """Who may win prizes, best first: staff stand in for nobody, and the next place moves up."""
    return tuple(
        [
            key
            for key in state.places
            if not state.entries[key].staff and state.entries[key].status is not EntryStatus.DISQUALIFIED
        ]
    )
