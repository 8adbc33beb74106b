"""Who takes which table: all come to the same plan, and in the end serve the same number, give or take one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.server.processes.notes import Drop, Tell
from pitboss.server.processes.placement import choose_placement, find_owner
from pitboss.server.processes.relay import Bundle
from pitboss.server.storage.leases import Directory, LeaseRow, ProcessRow

NOW = 10_000


def describe(owners: dict[str, str], live: list[str], dead: list[str]) -> Directory:
    processes = {
        name: ProcessRow(name, "", "", NOW + 1 if name in live else NOW) for name in (*live, *dead)
    }  # fmt: skip
    return Directory(processes, {stream: LeaseRow(stream, owner, 1, 0) for stream, owner in owners.items()})


@settings(deadline=None)
@given(st.lists(st.sampled_from(["", "a", "b", "c", "gone"]), max_size=30), st.integers(1, 3))
def test_everybody_ends_up_with_the_same_number_of_tables(owners: list[str], count: int) -> None:
    live = ["a", "b", "c"][:count]
    leases = {"floor": "gone", **{f"t{number}": owner for number, owner in enumerate(owners)}}
    for _ in range(40):
        plans = {name: choose_placement(describe(leases, live, ["gone"]), name, NOW) for name in live}
        taken = [stream for plan in plans.values() for stream in plan.take]
        assert len(taken) - taken.count("floor") == len(set(taken) - {"floor"}), "two processes want the same table"
        for name, plan in plans.items():
            own = [stream for stream, owner in leases.items() if owner == name and stream != "floor"]
            leases.update(dict.fromkeys(plan.take, name))
            leases.update(dict.fromkeys(own[: plan.surplus], ""))
        if not any(plan.take or plan.surplus for plan in plans.values()):
            break
    served = [sum(owner == name for stream, owner in leases.items() if stream != "floor") for name in live]
    assert sum(served) == len(owners)
    assert max(served) - min(served) <= 1
    assert leases["floor"] in live


def test_a_process_that_was_not_heard_of_serves_nothing() -> None:
    directory = describe({"t": "a", "u": "gone", "v": ""}, ["a"], ["gone"])
    assert [find_owner(directory, stream, NOW) for stream in ("t", "u", "v", "w")] == ["a", "", "", ""]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=40))
def test_what_goes_over_a_link_keeps_the_order_of_every_client(sent: list[tuple[int, int]]) -> None:
    texts = [f"text {number}".encode() for number in range(5)]
    bundle = Bundle()
    for client, text in sent:
        bundle.tell(client, texts[text])
    bundle.add(Drop(9))
    heard: dict[int, list[bytes]] = {}
    for note in bundle.notes:
        for client in note.numbers if isinstance(note, Tell) else ():
            heard.setdefault(client, []).append(note.text)
    for client in range(4):
        assert heard.get(client, []) == [texts[text] for number, text in sent if number == client]
    assert len(bundle.notes) <= len(sent) + 1


def test_the_same_message_for_many_crosses_a_link_once() -> None:
    bundle, text = Bundle(), b"the same for all"
    for client in range(50):
        bundle.tell(client, text)
        bundle.tell(client, b"private %d" % client)
    assert sum(isinstance(note, Tell) and note.text == text for note in bundle.notes) == 1
