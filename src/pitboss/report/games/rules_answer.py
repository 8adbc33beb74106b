"""The rules of a game for people: every value with its clause and where it came from; readings, powers, differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pitboss.report.terminal_tables import print_facts, print_table
from pitboss.rulebooks import Rulebook, Rules, SideWager, readable
from pitboss.rulebooks.differences import Difference, turns_on
from pitboss.rulebooks.glance import at_a_glance
from pitboss.rulebooks.house_choices import HouseChoices, as_typed
from pitboss.rulebooks.model.book import Option
from pitboss.rulebooks.model.parameters import DESCRIBED
from pitboss.rulebooks.model.rules import Authority, Notice, SuperBonus
from pitboss.rulebooks.model.side_terms import SIDE_TERMS, terms_of

DESCRIBING = "what the book says, for information only"
"""The heading of parameters that only describe."""

# The whole of a game -----------------------------------------------------------------------------------


def print_rules(book: Rulebook, rules: Rules, choices: HouseChoices) -> None:
    """Everything but readings and powers, which are long and asked for by themselves."""
    hinges = turns_on(book, rules, choices.keywords())
    game = book.game(rules.game)
    print_facts(
        [
            ("game", f"{rules.game}, {rules.name}"),
            ("book", ", ".join(filter(None, (book.name, book.edition, book.jurisdiction)))),
            ("extends", f"{book.namespace}/{game.extends}" if game.extends else ""),
            ("clause", ", ".join(game.clauses)),
            ("summary", game.summary),
            ("digest", rules.digest),
        ]
    )
    glance = at_a_glance(rules, hinges)
    print_table("at a glance", ("", ""), glance.cells().items(), fixed=2, wide=("",))
    _print_options(book.options_of(game), rules, choices)
    groups: dict[str, list[tuple[str, ...]]] = {}
    for name, value in rules.values().items():
        source, described = rules.cite(name), DESCRIBED[name]
        row = (name, readable(value), ", ".join(source.clauses), source.layer, ", ".join(hinges.get(name, ())))
        groups.setdefault(DESCRIBING if described.describes else described.group, []).append(row)
    for group in sorted(groups, key=lambda group: group == DESCRIBING):
        head = ("parameter", "value", "clause", "from", "turns on")
        print_table(group, head, groups[group], fixed=2, wide=head[1:])
    _print_bonuses(rules)
    for side in rules.side_wagers:
        _print_side_wager(side)
    _print_other_wagers(book, rules, choices)


def _print_other_wagers(book: Rulebook, rules: Rules, choices: HouseChoices) -> None:
    """The side wagers of the book that are not on offer: those that could be, and why the others cannot."""
    possible, refused = [], []
    for name, module in book.side_wagers_of(book.game(rules.game)).items():
        if rules.side_wager(name) is not None:
            continue
        why = choices.why_not(rules.game, name)
        if why:
            refused.append((name, module.name, why))
        else:
            possible.append((name, module.name, ", ".join(module.clauses)))
    print_table("side wagers that can be offered with --side", ("wager", "name", "clause"), possible, wide=("clause",))
    head = ("wager", "name", "why not")
    print_table("side wagers that these choices rule out", head, refused, fixed=3, wide=head[2:])


def _print_options(options: dict[str, Option], rules: Rules, choices: HouseChoices) -> None:
    """The house's choices."""
    rows = [
        (
            name,
            as_typed(rules.options[name]),
            _list_allowed(option, choices.possible(rules.game, name)) or "an amount, or none",
            option.text,
            ", ".join(option.clauses),
        )
        for name, option in options.items()
    ]
    head = ("option", "chosen", "allowed", "about", "clause")
    print_table("options", head, rows, fixed=2, wide=head[2:])


def _list_allowed(option: Option, possible: Sequence[Any]) -> str:
    """The values that can be chosen as things are, then those that need another choice besides."""
    parts = [", ".join(map(as_typed, possible))]
    for case in option.allowed:
        others = [value for value in case.value if value not in possible]
        needs = " and ".join(f"{name} {' or '.join(map(as_typed, wanted))}" for name, wanted in case.when.items())
        if others:
            parts.append(f"{', '.join(map(as_typed, others))} with {needs}")
    return "; ".join(filter(None, parts))


def _print_bonuses(rules: Rules) -> None:
    """Bonus odds and the Super Bonus, where the game has them."""
    if rules.bonuses and rules.bonus_table != "none":
        rows = [(bonus.hand, str(bonus.odds), ", ".join(bonus.clauses)) for bonus in rules.bonuses]
        print_table("bonus hands", ("hand", "odds", "clause"), rows)
    if rules.super_bonus and rules.super_bonus_sums is not None:
        print_table("Super Bonus", ("original wager", "pays"), _super_bonus(rules.super_bonus_sums))


def _super_bonus(sums: SuperBonus) -> list[tuple[str, str]]:
    rows = [(f"{floor} or more", str(pays)) for floor, pays in sums.tiers]
    return [*rows, ("every other wager", str(sums.others)), ("clause", ", ".join(sums.clauses))]


def _print_side_wager(side: SideWager) -> None:
    """A side wager on offer: its terms, then its pay table."""
    terms = terms_of(side.judge)
    decide = (*(name for name in terms if not SIDE_TERMS[name].describes), "max_payout", "meters")
    introduced = ", ".join(side.clauses["introduced"])
    _print_terms(f"side wager {side.id}: {side.name} ({introduced})", side, decide)
    _print_terms(f"{side.id}: {DESCRIBING}", side, [name for name in terms if SIDE_TERMS[name].describes])
    pays = [(outcome, str(odds), ", ".join(side.cite(outcome, "pays"))) for outcome, odds in side.odds.items()]
    pays += [
        (f"{count} of the prizes", f"{prize} per unit", ", ".join(side.cite("pays"))) for count, prize in side.prizes
    ]
    print_table(f"{side.id} pays", ("outcome", "odds", "clause"), pays, fixed=2, wide=("clause",))


def _print_terms(title: str, side: SideWager, terms: Iterable[str]) -> None:
    """Terms of a side wager, each with its clauses."""
    rows = [(name, readable(getattr(side, name)), ", ".join(side.clauses.get(name, ()))) for name in terms]
    print_table(title, ("term", "value", "clause"), rows, fixed=2, wide=("value", "clause"))


# Readings and powers ------------------------------------------------------------------------------------


def print_readings(book: Rulebook, rules: Rules) -> None:
    """Each ambiguous clause: what it is about, the reading in force, the other readings."""
    rows = [
        (name, rules.readings[name], ", ".join(_others(item.default, item.alternatives, rules.readings[name])),
         item.text, ", ".join(item.clauses))
        for name, item in book.readings_of(book.game(rules.game)).items()
    ]  # fmt: skip
    head = ("reading", "in force", "could be", "about", "clause")
    print_table(f"readings of {rules.game}", head, rows, fixed=3, wide=head[1:])


def _others(default: str, alternatives: tuple[str, ...], chosen: str) -> list[str]:
    return [value for value in (default, *alternatives) if value != chosen]


def print_authority(rules: Rules) -> None:
    """Roles, powers, notices, and the way of a dispute."""
    names = {role.id: role.name for role in (*rules.ladder, *rules.bodies)}
    ladder = [(role.id, role.name, ", ".join(role.clauses)) for role in reversed(rules.ladder)]
    print_table(f"roles of {rules.game}, the highest first", ("role", "name", "clause"), ladder, wide=("clause",))
    if rules.bodies:
        bodies = [(body.id, body.name, ", ".join(body.clauses)) for body in rules.bodies]
        print_table("bodies outside the house", ("body", "name", "clause"), bodies)
    powers = [
        (
            power.id,
            power.role + (" (our reading)" if power.reading else ""),
            power.summary,
            _tell_rule(power),
            ", ".join(power.needs),
            power.scope,
            ", ".join(power.clauses),
        )
        for power in rules.authority.values()
    ]
    head = ("action", "role or above", "what it is", "tells", "needs", "scope", "clause")
    print_table("who may do what", head, powers, fixed=2, wide=head[1:5])
    notices = [(item.id, _span(item), item.text, ", ".join(item.clauses)) for item in rules.notices.values()]
    print_table("notices", ("notice", "ahead", "of what", "clause"), notices, wide=("of what",))
    steps = [
        (str(number), names[step.who], step.text, ", ".join(step.clauses))
        for number, step in enumerate(rules.disputes, 1)
    ]
    print_table("disputes", ("step", "who", "what happens", "clause"), steps, wide=("who", "what happens"))


def _tell_rule(power: Authority) -> str:
    told = [f"{body} before" for body in power.notify_before] + [f"{body} after" for body in power.notify_after]
    if power.notify_one_of:
        told.append(f"{' or '.join(power.notify_one_of)} after")
    return ", ".join(told)


def _span(notice: Notice) -> str:
    spans = {"minutes": notice.minutes, "rounds": notice.rounds, "hours": notice.hours, "days": notice.days}
    return ", ".join(f"{length} {unit}" for unit, length in spans.items() if length) or "at once"


# Two games ----------------------------------------------------------------------------------------------


def print_difference(found: Difference) -> None:
    """How the game differs from the other one, each side with its clause."""
    game, other = found.game, found.other
    head = ("parameter", other.game, game.game, "clause", "instead of")
    rows = [
        (
            name,
            readable(theirs),
            readable(ours),
            ", ".join(game.cite(name).clauses),
            ", ".join(other.cite(name).clauses),
        )
        for name, (ours, theirs) in found.values.items()
    ]
    print_table(f"{game.game} differs from {other.game} in {len(rows)} values", head, rows, fixed=3, wide=head[1:])
    if found.bonuses:
        odds = [(hand, readable(theirs), readable(ours)) for hand, (ours, theirs) in found.bonuses.items()]
        print_table("bonus hands", ("hand", other.game, game.game), odds, fixed=3)
    if found.super_bonus is not None:
        print_table(
            "Super Bonus", (other.game, game.game), [tuple("yes" if sums else "no" for sums in found.super_bonus[::-1])]
        )
    if found.options:
        options = [(name, as_typed(theirs), as_typed(ours)) for name, (ours, theirs) in found.options.items()]
        print_table("options", ("option", other.game, game.game), options, fixed=3)
    if any(found.side_wagers):
        ours, theirs = (", ".join(names) or "none" for names in found.side_wagers)
        print_table(
            "side wagers that only one of them has",
            (other.game, game.game),
            [(theirs, ours)],
            fixed=2,
            wide=(other.game, game.game),
        )
    if found.restated:
        restated = [
            (name, readable(getattr(game, name)), ", ".join(mine.clauses), ", ".join(its.clauses))
            for name, (mine, its) in found.restated.items()
        ]
        columns = ("parameter", "value of both", "clause", "instead of")
        print_table("the same value under another clause", columns, restated, fixed=2, wide=columns[1:])
