"""The people of a rulebook file: roles, what each may do and whom it is told to, notices, the way of a dispute."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pitboss.formats.names import nearest
from pitboss.rulebooks.model.rules import Authority, DisputeStep, Notice, Role
from pitboss.rulebooks.reading.values import Reader, read_plain

SPANS = ("minutes", "rounds", "hours", "days")


def read_roles(reader: Reader, data: Mapping[str, Any]) -> tuple[tuple[Role, ...], tuple[Role, ...]]:
    """The ladder of the house, from the lowest, and the bodies outside it."""
    table = reader.table(data.get("roles", {}), "roles", known=("ladder", "bodies"))
    ladder = _roles(reader, table.get("ladder", []), "roles.ladder", set())
    return ladder, _roles(reader, table.get("bodies", []), "roles.bodies", {role.id for role in ladder})


def _roles(reader: Reader, value: Any, key: str, taken: Collection[str]) -> tuple[Role, ...]:
    roles: dict[str, Role] = {}
    for where, item in reader.rows(value, key, "{ id, name, clause }"):
        table = reader.table(item, where, known=("id", "name", "clause", "text", "level_with"), needed=("id", "name"))
        role = reader.name(table["id"], f"{where}.id")
        if role in roles or role in taken:
            reader.fail(f"{where}.id", f"'{role}' is listed twice: give each role and body an id of its own")
        clauses = reader.clauses(table.get("clause", []), f"{where}.clause")
        level = table.get("level_with")
        if level is not None and level not in tuple(roles):
            reader.fail(f"{where}.level_with", f"{read_plain(level)} is not a role named before this one")
        roles[role] = Role(role, reader.text(table["name"], f"{where}.name"), clauses, level or role)
    return tuple(roles.values())


def read_authority(reader: Reader, data: Mapping[str, Any], roles: Collection[str]) -> dict[str, Authority]:
    """Who may take which action. `roles` are those of the house and the bodies outside it."""
    found = {}
    for name, item in reader.table(data.get("authority", {}), "authority").items():
        key = f"authority.{name}"
        table = reader.table(
            item, key,
            known=(
                "summary", "role", "clause", "scope", "notify_before", "notify_after", "notify_one_of", "needs",
                "reading", "prizes",
            ),
            needed=("summary", "role", "clause"),
        )  # fmt: skip
        scope = table.get("scope", "table")
        if scope not in ("table", "floor"):
            reader.fail(f"{key}.scope", f"must be table or floor, not {read_plain(scope)}")
        found[name] = Authority(
            id=name,
            summary=reader.text(table["summary"], f"{key}.summary"),
            role=_role(reader, table["role"], f"{key}.role", roles),
            clauses=reader.clauses(table["clause"], f"{key}.clause"),
            scope=scope,
            notify_before=_read_told(reader, table.get("notify_before", []), f"{key}.notify_before", roles),
            notify_after=_read_told(reader, table.get("notify_after", []), f"{key}.notify_after", roles),
            notify_one_of=_read_told(reader, table.get("notify_one_of", []), f"{key}.notify_one_of", roles),
            needs=reader.texts(table.get("needs", []), f"{key}.needs"),
            reading=reader.flag(table.get("reading", False), f"{key}.reading"),
            prizes=reader.texts(table.get("prizes", []), f"{key}.prizes"),
        )
    return found


def _role(reader: Reader, value: Any, key: str, roles: Collection[str]) -> str:
    role = reader.text(value, key)
    if role not in roles:
        reader.fail(key, f"'{role}' is not a role or body of the book; {nearest(role, roles)}")
    return role


def _read_told(reader: Reader, value: Any, key: str, roles: Collection[str]) -> tuple[str, ...]:
    return tuple(_role(reader, body, key, roles) for body in reader.texts(value, key))


def read_notices(reader: Reader, data: Mapping[str, Any]) -> dict[str, Notice]:
    """How long something must be announced before it is done."""
    found = {}
    for name, item in reader.table(data.get("notices", {}), "notices").items():
        key = f"notices.{name}"
        table = reader.table(item, key, known=(*SPANS, "clause", "text", "option"), needed=("clause", "text"))
        for span in SPANS:
            length = table.get(span, 0)
            if not isinstance(length, int) or isinstance(length, bool) or length < 0:
                reader.fail(f"{key}.{span}", f"must be a whole number, not {read_plain(length)}")
        found[name] = Notice(
            id=name,
            text=reader.text(table["text"], f"{key}.text"),
            clauses=reader.clauses(table["clause"], f"{key}.clause"),
            option=reader.text(table["option"], f"{key}.option") if "option" in table else "",
            **{span: table.get(span) for span in SPANS},
        )
    return found


def read_disputes(reader: Reader, data: Mapping[str, Any], roles: Collection[str]) -> tuple[DisputeStep, ...]:
    """The steps of a dispute, the first first."""
    table = reader.table(data.get("disputes", {}), "disputes", known=("chain",))
    steps = []
    for key, item in reader.rows(table.get("chain", []), "disputes.chain", "{ role or body, clause, text }"):
        step = reader.table(item, key, known=("role", "body", "clause", "text"), needed=("clause", "text"))
        if ("role" in step) == ("body" in step):
            reader.fail(key, "needs a role or a body, one of the two")
        who = _role(reader, step.get("role", step.get("body")), key, roles)
        clauses = reader.clauses(step["clause"], f"{key}.clause")
        steps.append(DisputeStep(who, reader.text(step["text"], f"{key}.text"), clauses))
    return tuple(steps)
