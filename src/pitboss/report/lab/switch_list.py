"""Everything about a game that can be switched in the lab: the house's choices, readings, and rules beyond the book."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pitboss.cards import deck
from pitboss.money import Odds
from pitboss.odds.what_if.changes import others
from pitboss.odds.what_if.table_choice import TableChoice
from pitboss.odds.what_if.vary import DECIDING, Value, VaryError, alternatives
from pitboss.play.packed import Packed, pack
from pitboss.report.lab.lab_answers import MeterName, RuleStep, RuleSwitch, SwitchChoice, SwitchesAnswer
from pitboss.rulebooks import Rulebook, RulebookError, Rules
from pitboss.rulebooks.house_choices import HouseChoices, as_typed
from pitboss.rulebooks.model.parameters import DESCRIBED
from pitboss.rulebooks.model.rules import readable


def list_switches(choice: TableChoice) -> SwitchesAnswer:
    """The switches of a game as somebody has set them."""
    book, rules = choice.resolve_rules()
    choices = choice.house_choices()
    plain = choices.resolve(choice.game)[1]
    offered, _ = choices.each_side_wager(rules.game)
    meters = [
        MeterName(wager, meter)
        for wager in offered
        for side in choices.with_only(wager).resolve(rules.game)[1].side_wagers
        for meter in side.meters
    ]
    switches = [
        *_list_options(book, plain, choices), *_list_readings(book, plain, choices), *_list_changes(choice, plain)
    ]  # fmt: skip
    return SwitchesAnswer(
        game=rules.game,
        name=rules.name,
        book=book.id,
        book_name=book.name,
        boxes=rules.boxes_per_area,
        deck=list(deck(rules.deck_cards)),
        decks=rules.decks,
        switches=switches,
        side_wagers=list(offered),
        meters=meters,
    )


def _list_options(book: Rulebook, rules: Rules, choices: HouseChoices) -> Iterator[RuleSwitch]:
    default = book.rules(rules.game)
    for name, option in book.options_of(book.game(rules.game)).items():
        if len(option.choices) < 2:
            continue
        values = [
            SwitchChoice(as_typed(item), readable(item), _why_not(book, rules, choices, name, item))
            for item in option.choices
        ]
        yield RuleSwitch(
            "option", name, option.text, as_typed(rules.options[name]), as_typed(default.options[name]),
            _decides(book, rules, choices, name), values, list(option.clauses),
        )  # fmt: skip


def _why_not(book: Rulebook, rules: Rules, choices: HouseChoices, name: str, item: object) -> str:
    try:
        book.rules(rules.game, **{**choices.keywords(), name: item})
    except RulebookError as error:
        return str(error)
    return ""


def _list_readings(book: Rulebook, rules: Rules, choices: HouseChoices) -> Iterator[RuleSwitch]:
    for name, reading in book.readings_of(book.game(rules.game)).items():
        if not reading.alternatives:
            continue
        values = [SwitchChoice(text, text, "") for text in (reading.default, *reading.alternatives)]
        yield RuleSwitch(
            "reading", name, reading.text, rules.readings[name], reading.default,
            _decides(book, rules, choices, name), values, list(reading.clauses),
        )  # fmt: skip


def _decides(book: Rulebook, rules: Rules, choices: HouseChoices, name: str) -> bool:
    """Another value would change how the main wager is played or paid."""
    return any(pack(other.rules) != pack(rules) for other in others(book, rules, choices, name))


def _list_changes(choice: TableChoice, plain: Rules) -> Iterator[RuleSwitch]:
    """Rules that play turns on, each with the values that are worth a try."""
    for name in sorted(DECIDING, key=lambda item: list(DESCRIBED).index(item)):
        if name in plain.options:
            continue
        try:
            found = alternatives(plain, name)
        except VaryError:
            continue
        shown = [SwitchChoice(_type(name, value), readable(value), "") for value in found]
        shown = [item for item in shown if item.value]
        if shown:
            own = SwitchChoice("", readable(getattr(plain, name)), "")
            now, clauses = choice.changes.get(name, ""), list(plain.cite(name).clauses)
            yield RuleSwitch("change", name, DESCRIBED[name].text, now, "", True, [own, *shown], clauses)


def _type(name: str, value: Value) -> str:
    """A value as it is typed and read back; nothing where it cannot be."""
    if name == "decks" and value == 0:
        return "inf"
    if isinstance(value, tuple) and not isinstance(value, Odds):
        return "".join(map(str, value)) if all(len(str(item)) == 1 for item in value) else ",".join(map(str, value))
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else readable(value)


def list_rule_steps(choice: TableChoice, *, beyond: bool) -> list[tuple[RuleStep, TableChoice]]:
    """Every single change of the rules that changes play; `beyond`: those that no book has, too."""
    book, rules = choice.resolve_rules()
    choices = choice.house_choices()
    plain = choices.resolve(choice.game)[1]
    found: list[tuple[RuleStep, TableChoice]] = []
    for name in (*plain.options, *plain.readings):
        kind = "reading" if name in plain.readings else "option"
        for other in others(book, plain, choices, name):
            if kind == "reading":
                table = replace(choice, readings={**choice.readings, name: other.after})
            else:
                table = replace(choice, options={**choice.options, name: other.after})
            found.append((RuleStep(kind, name, other.before, other.after, other.clauses, other.text), table))
    if beyond:
        found += list(_steps_beyond(choice, plain))
    seen = {pack(rules)}
    kept = []
    for step, table in found:
        changed = _pack_choice(table)
        if changed is not None and changed not in seen:
            seen.add(changed)
            kept.append((step, table))
    return kept


def _steps_beyond(choice: TableChoice, plain: Rules) -> Iterator[tuple[RuleStep, TableChoice]]:
    for switch in _list_changes(choice, plain):
        for value in switch.choices:
            if value.value not in ("", switch.value):
                table = replace(choice, changes={**choice.changes, switch.name: value.value})
                before = choice.changes.get(switch.name, switch.choices[0].words)
                yield RuleStep("change", switch.name, before, value.words, tuple(switch.clauses), switch.text), table


def _pack_choice(table: TableChoice) -> Packed | None:
    """How a table is played; none if there can be no such table."""
    try:
        return pack(table.resolve_rules()[1])
    except (RulebookError, VaryError):
        return None
