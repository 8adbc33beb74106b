"""Who may do what at a table: the role that a power of the book asks for, what must be said, who must have been told.

A power is a table `[authority.NAME]` of the rulebook. The same act may have different names in different books, so a
command asks for several and the first that the book has is meant. Where a book has none of them it is silent: then
somebody above the lowest rung of the ladder decides, and there is no clause to cite.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.rulebooks.model.rules import Authority, Rules
from pitboss.table.draft import Refused


def name_role(role: str) -> str:
    """A role with its article."""
    return f"{'an' if role[:1] in 'aeiou' else 'a'} {role}"


def power_of(rules: Rules, *powers: str) -> Authority | None:
    """The first of `powers` that the book has."""
    return next((rules.authority[name] for name in powers if name in rules.authority), None)


def authorise(
    rules: Rules, role: str, *powers: str, reason: str = "", told: Iterable[str] = (), given: Iterable[str] = ()
) -> tuple[str, ...]:
    """The clauses under which `role` may act, or a refusal.

    `told` are the bodies that were told before, `given` names what else was stated of what the power needs.
    """
    power = power_of(rules, *powers)
    if power is None:
        return _silent(rules, role, powers)
    _high_enough(rules, role, power)
    stated = {*given, *(("reason",) if reason else ())}
    missing = [need for need in power.needs if need not in stated]
    if missing:
        raise Refused(f"{_does(power)} needs {', '.join(missing)}", power.clauses)
    unknowing = [body for body in power.notify_before if body not in told]
    if unknowing:
        raise Refused(f"{_does(power)}: {', '.join(unknowing)} must be told first", power.clauses)
    return power.clauses


def _does(power: Authority) -> str:
    return power.summary.rstrip(".").split(";")[0].split(":")[0]


def _high_enough(rules: Rules, role: str, power: Authority) -> None:
    if role == power.role:
        return
    if rules.rank(role) < 0:
        if rules.rank(power.role) < 0:
            raise Refused(f"the {power.role} does this, not {name_role(role)}", power.clauses)
        raise Refused(f"'{role}' is not a role of this book: {_rungs(rules)}", power.clauses)
    if rules.rank(power.role) < 0 or rules.rank(role) < rules.rank(power.role):
        raise Refused(f"{name_role(role)} may not do this: {power.role} or above ({_does(power)})", power.clauses)


def _silent(rules: Rules, role: str, powers: tuple[str, ...]) -> tuple[str, ...]:
    if rules.ladder and rules.rank(role) < 0:
        raise Refused(f"'{role}' is not a role of this book: {_rungs(rules)}")
    if len(rules.ladder) > 1 and rules.rank(role) == 0:
        above = rules.ladder[1].id
        raise Refused(
            f"{name_role(role)} may not do this: the book is silent on {powers[0]}, so {above} or above decides"
        )
    return ()


def _rungs(rules: Rules) -> str:
    return ", ".join(rung.id for rung in rules.ladder)
