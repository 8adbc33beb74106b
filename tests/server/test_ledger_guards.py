"""What the database itself refuses about money: rows that nobody's program should write."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from floor_desk import KEY, Bench

from pitboss.floor.ledger import NEVER_NEGATIVE, Unit
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.store import Store

REFUSED = (sa.exc.IntegrityError, sa.exc.DataError)


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    made.open("t", "perth/blackjack", ("ann", "bob"))
    assert made.desk.store_line()
    yield made
    made.store.close()


@contextlib.contextmanager
def refuse(bench: Bench) -> Iterator[sa.Connection]:
    """Rows that are written here are refused, at once or when they are committed, and nothing of them is there."""
    before = bench.store.read_balances()
    connection = bench.store.engine.connect()
    try:
        with pytest.raises(REFUSED):  # noqa: PT012 - the commit may be what refuses
            connection.begin()
            yield connection
            connection.commit()
    finally:
        connection.close()
    assert bench.store.read_balances() == before


def change(connection: sa.Connection, name: str, by: int, unit: str = "chip") -> None:
    account = schema.account
    done = connection.execute(
        account.update().where(account.c.name == name, account.c.unit == unit).values(balance=account.c.balance + by)
    )
    assert done.rowcount == 1


def add(connection: sa.Connection, name: str, balance: int, unit: str = "chip", guarded: int = 0) -> None:
    values = {"name": name, "unit": unit, "guarded": guarded, "balance": balance}
    connection.execute(schema.account.insert().values(**values))


def move(connection: sa.Connection, **changed: object) -> None:
    """One more transfer of a row that is there, with something changed."""
    values = {
        "stream": "t", "seq": 1, "n": 99, "debit": "cage:", "credit": "float:t", "unit": "chip", "amount": 5,
        "clauses": "",
    }  # fmt: skip
    connection.execute(schema.transfer.insert().values(**{**values, **changed}))


@pytest.mark.parametrize("by", [1, -1])
def test_one_account_cannot_change_alone(bench: Bench, by: int) -> None:
    for name in ("cage:", "float:t", "purse:t/ann"):
        with refuse(bench) as connection:
            change(connection, name, by)


def test_several_accounts_change_together_only_if_they_come_to_zero(bench: Bench) -> None:
    with refuse(bench) as connection:
        change(connection, "cage:", -3)
        change(connection, "float:t", 2)
    with bench.store.engine.begin() as connection:
        change(connection, "cage:", -3)
        change(connection, "float:t", 3)
    with bench.store.engine.begin() as connection:
        change(connection, "cage:", 3)
        change(connection, "float:t", -3)


def test_one_unit_does_not_make_up_for_another(bench: Bench) -> None:
    with refuse(bench) as connection:
        add(connection, "cage:", -5, "play")
        add(connection, "tray:", 5, "token")
    for unit in Unit:
        with refuse(bench) as connection:
            add(connection, "somewhere", 5, unit.value)


def test_an_account_does_not_appear_or_go_with_money_in_it(bench: Bench) -> None:
    with refuse(bench) as connection:
        add(connection, "wallet:eve", 1_000_000, guarded=1)
    with refuse(bench) as connection:
        connection.execute(schema.account.delete().where(schema.account.c.name == "wallet:ann"))
    with refuse(bench) as connection:
        connection.execute(schema.account.update().where(schema.account.c.name == "cage:").values(unit="play"))


@pytest.mark.parametrize("kind", NEVER_NEGATIVE)
@pytest.mark.parametrize("guarded", [0, 1])
def test_what_players_own_is_never_below_zero_whatever_else_balances(bench: Bench, kind: str, guarded: int) -> None:
    with refuse(bench) as connection:
        add(connection, "float:x", 5)
        add(connection, f"{kind}x", -5, guarded=guarded)
    with refuse(bench) as connection:
        add(connection, f"{kind}x", 0, guarded=guarded)
        change(connection, f"{kind}x", -5)
        change(connection, "cage:", 5)


@pytest.mark.parametrize(
    "changed",
    [{"amount": 0}, {"amount": -5}, {"credit": "cage:"}, {"seq": 10**6}, {"stream": "nowhere"}, {"n": 0}],
    ids=str,
)
def test_a_transfer_moves_something_from_one_account_to_another_and_follows_from_a_row(
    bench: Bench, changed: dict[str, object]
) -> None:
    with refuse(bench) as connection:
        move(connection, **changed)


def test_a_group_that_does_not_balance_is_not_stored_at_all(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the program itself errs: the commit fails, and everything goes back."""
    rows = bench.store.find_head("t")

    def lose_a_grain(*arguments: object) -> dict[tuple[str, Unit], int]:
        return {("cage:", Unit.CHIP): -1}

    with monkeypatch.context() as patched:
        patched.setattr("pitboss.server.storage.store.add_up_changes", lose_a_grain)
        bench.ask("t", "ann", {"type": "buy-in", "amount": "100"})
        assert not bench.desk.store_line()
    assert bench.store.find_head("t") == rows
    bench.do("t", "ann", {"type": "buy-in", "amount": "100"})
    assert audit_floor(bench.address, KEY).found == []


def test_a_database_from_before_is_guarded_from_now_on(address: str) -> None:
    """The migration takes what is there as it stands."""
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        for number, step in enumerate(schema.MIGRATIONS[: schema.MIGRATIONS.index(schema.guard_ledger)], 1):
            step(connection)
            connection.execute(schema.version_table.insert().values(version=number))
        add(connection, "cage:", -7)
        add(connection, "wallet:ann", 7, guarded=1)
    engine.dispose()
    store = Store(address)
    with pytest.raises(REFUSED), store.engine.begin() as connection:
        change(connection, "wallet:ann", 1)
    with store.engine.begin() as connection:
        change(connection, "wallet:ann", -7)
        change(connection, "cage:", 7)
    store.close()


def test_the_audit_names_a_sum_that_somebody_has_changed(tmp_path: object) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/floor.db")
    bench.open("t", "perth/blackjack", ("ann",))
    assert bench.desk.store_line()
    for statement, named in (
        ("UPDATE unit_total SET total = 1 WHERE unit = 'chip'", "unit_total chip"),
        ("DELETE FROM zero", "unit_total zero"),
    ):  # fmt: skip
        raw = sa.create_engine(bench.address)
        with raw.begin() as connection:
            connection.exec_driver_sql(statement)
        raw.dispose()
        found = audit_floor(bench.address, KEY).found
        assert any(line.startswith(named) for line in found), found
