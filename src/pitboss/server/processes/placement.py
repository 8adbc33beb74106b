"""Which tables a process should take and which it should give away, from what everybody serves.

Each process decides for itself, on what it reads in the database; the database sees to it that no two take the same
stream. Everybody serves the same number of tables, give or take one. The stream of the floor itself counts for none and
stays where it is as long as its process lives.

As soon as there are streams that are no tables, everything is served where the floor itself is, and the other processes
stand by and pass on: what is decided at a table and what follows from it on such a stream are one transaction. Whoever
takes over takes the floor first, then these streams, and tables only when all of them are there to hear them.
"""

from __future__ import annotations

import msgspec

from pitboss.floor.served.kind_stream import is_of_kind, is_table_name
from pitboss.server.storage.leases import Directory
from pitboss.server.storage.rows import FLOOR


class Placement(msgspec.Struct, frozen=True):
    """What one process should do next."""

    take: tuple[str, ...] = ()
    """Streams that nobody serves."""
    surplus: int = 0
    """How many tables to give away, once they are between two rounds."""
    hand_over: tuple[str, ...] = ()
    """What to give away as soon as nothing of it is on its way to the disk."""
    gathers: bool = False
    """Everything is served by one process."""


def list_live(directory: Directory, now_ms: int) -> set[str]:
    """The processes that have been heard of."""
    return {row.owner for row in directory.processes.values() if row.until_ms > now_ms}


def list_tables(directory: Directory) -> list[str]:
    """Every table, by name."""
    return sorted(stream for stream in directory.leases if is_table_name(stream))


def find_owner(directory: Directory, stream: str, now_ms: int) -> str:
    """The live process that serves a stream; empty if there is none."""
    lease = directory.leases.get(stream)
    process = directory.processes.get(lease.owner) if lease is not None else None
    return process.owner if process is not None and process.until_ms > now_ms else ""


def choose_placement(directory: Directory, me: str, now_ms: int) -> Placement:
    """What a process should do.

    What is free goes to those who serve the fewest tables, one by one; what somebody still lacks then comes from those
    who serve the most. Everybody who reads the same comes to the same plan.
    """
    if any(is_of_kind(stream) for stream in directory.leases):
        return _gather(directory, me, now_ms)
    tables = list_tables(directory)
    counts = dict.fromkeys(sorted(list_live(directory, now_ms) | {me}), 0)
    free = []
    for stream in tables:
        owner = directory.leases[stream].owner
        if owner in counts:
            counts[owner] += 1
        else:
            free.append(stream)
    wanted = []
    if FLOOR not in directory.leases or directory.leases[FLOOR].owner not in counts:
        wanted.append(FLOOR)
    for stream in free:
        least = min(counts, key=lambda owner: (counts[owner], owner))
        counts[least] += 1
        if least == me:
            wanted.append(stream)
    surplus = 0
    for _ in range(sum(max(0, len(tables) // len(counts) - count) for count in counts.values())):
        most = max(counts, key=lambda owner: (counts[owner], owner))
        counts[most] -= 1
        surplus += most == me
    return Placement(tuple(wanted), surplus)


def _gather(directory: Directory, me: str, now_ms: int) -> Placement:
    """What a process should do where one serves everything."""
    live = list_live(directory, now_ms) | {me}
    owners = {stream: lease.owner for stream, lease in directory.leases.items()}
    holder = owners.get(FLOOR, "")
    if holder not in live:
        return Placement(take=(FLOOR,), gathers=True)
    if holder != me:
        mine = tuple(sorted(stream for stream, owner in owners.items() if owner == me))
        return Placement(hand_over=mine, gathers=True)
    own_kinds = sorted(stream for stream in owners if is_of_kind(stream))
    wanted = [stream for stream in own_kinds if owners[stream] not in live]
    if all(owners[stream] == me for stream in own_kinds):
        wanted += [stream for stream in list_tables(directory) if owners[stream] not in live]
    return Placement(tuple(wanted), gathers=True)
