"""From a rulebook, a game and the choices of a house to `Rules`.

Layers are laid over each other, later ones winning parameter by parameter: engine defaults, the book's base, each game
from the root of `extends` down, then the side-wager modules on offer. Choices outside what the book allows are
refused with the clause that refuses them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NoReturn

from pitboss.formats.names import nearest
from pitboss.money import MoneyError, parse_money
from pitboss.rulebooks.model.book import Game, Layer, Option, Rulebook, SideModule
from pitboss.rulebooks.model.engine_defaults import ENGINE_DEFAULTS, REQUIRED
from pitboss.rulebooks.model.frozen import FrozenDict
from pitboss.rulebooks.model.parameters import FIELDS
from pitboss.rulebooks.model.rules import Bonus, Rules, SideWager, Source, SuperBonus
from pitboss.rulebooks.model.side_terms import SIDE_DEFAULTS, words_of
from pitboss.rulebooks.reading.contradictions import contradictions
from pitboss.rulebooks.reading.side_wagers import NOT_WITH, POSTED
from pitboss.rulebooks.reading.values import Case, RulebookError, pick_case, read_plain

INFINITE = 0
"""The value of `decks` for an infinite deck: an analyst's idealisation, allowed for every game and never dealt."""

ENGINE = "engine"
"""The layer of what no book says."""


def resolve(book: Rulebook, game_name: str, choices: Mapping[str, Any]) -> Rules:
    """The `Rules` of `game_name` with the options, readings and side wagers in `choices`."""
    game = book.game(game_name)
    wanted = dict(choices)
    side_names = _names(wanted.pop("side_wagers", ()))
    readings = _readings(book, game, wanted.pop("readings", {}) or {})
    modules = _modules(book, game, side_names)
    known = book.options_of(game)
    as_read = {f"reading.{name}": value for name, value in readings.items()}
    options = _options(book, game, known, wanted, modules, as_read)

    context: dict[str, Any] = {**options, **as_read}
    context["side_wagers"] = frozenset(side_names)
    context["game"] = game.id
    values, sources, matters = _overlay(book, book.lineage(game), modules, context)
    for name in ("decks", "card_source"):
        if name in options:
            values[name] = options[name]
            sources[name] = Source(_option_clauses(known[name], options[name], context), "option")
    if "dealer_stands_soft" not in values:
        values["dealer_stands_soft"] = 18 if values["dealer_hits_soft_17"] else 17
        sources["dealer_stands_soft"] = sources["dealer_hits_soft_17"]
    context["deck_cards"] = values["deck_cards"]
    rules = Rules(
        **values,
        book=book.id,
        game=f"{book.namespace}/{game.id}",
        name=game.name,
        options=FrozenDict(options),
        readings=FrozenDict(readings),
        chosen=FrozenDict(_choose_options(book, game, known, options, modules, as_read)),
        chosen_readings=FrozenDict(_choose_readings(book, game, readings)),
        side_wagers=tuple(_side_wager(book, game, module, context) for module in modules),
        bonuses=_bonuses(book.lineage(game)),
        super_bonus_sums=_super_bonus(book.lineage(game)),
        sources=FrozenDict(sources),
        matters=FrozenDict(matters),
        ladder=book.ladder,
        bodies=book.bodies,
        authority=book.authority,
        notices=book.notices,
        disputes=book.disputes,
    )
    for problem in contradictions(rules):
        raise RulebookError(f"{book.file}: games.{game.id}: {problem}")
    return rules


# ---------------------------------------------------------------------- choices


def _readings(book: Rulebook, game: Game, wanted: Any) -> dict[str, str]:
    if not isinstance(wanted, Mapping):
        raise RulebookError(f"readings must be a table of names and values, not {read_plain(wanted)}")
    known = book.readings_of(game)
    for name, value in wanted.items():
        if name not in known:
            hint = nearest(name, known, f"`pitboss rules {book.namespace}/{game.id} --readings` lists them")
            raise RulebookError(f"{book.namespace}/{game.id} has no reading '{name}'; {hint}")
        allowed = (known[name].default, *known[name].alternatives)
        if value not in allowed:
            raise RulebookError(
                f"reading {name} cannot be {read_plain(value)}: {', '.join(allowed)} ({', '.join(known[name].clauses)})"
            )
    return {name: wanted.get(name, reading.default) for name, reading in known.items()}


def _names(wanted: Any) -> tuple[str, ...]:
    if not isinstance(wanted, (list, tuple)) or not all(isinstance(name, str) for name in wanted):
        raise RulebookError(f"side_wagers must be a list of names, not {read_plain(wanted)}")
    return tuple(wanted)


def _modules(book: Rulebook, game: Game, names: tuple[str, ...]) -> tuple[SideModule, ...]:
    for name in names:
        if name not in book.side_wagers:
            raise RulebookError(f"{book.name} has no side wager '{name}'; {nearest(name, book.side_wagers)}")
    if len(set(names)) != len(names):
        raise RulebookError(f"a side wager is named twice: {', '.join(names)}")
    return tuple(module for name, module in book.side_wagers.items() if name in names)


def _options(
    book: Rulebook, game: Game, known: Mapping[str, Option], wanted: Mapping[str, Any],
    modules: tuple[SideModule, ...], as_read: Mapping[str, str],
) -> dict[str, Any]:  # fmt: skip
    """What holds of each choice; `as_read`: the readings, as a `when` names them."""
    if "decks" not in known:
        raise RulebookError(f"{book.file}: options: the book must say how many decks: add [options.decks]")
    for name in wanted:
        if name not in known:
            raise RulebookError(f"{book.namespace}/{game.id} has no option '{name}'{_elsewhere(book, name, known)}")
    offered = frozenset(module.id for module in modules)
    context: dict[str, Any] = {**as_read, "side_wagers": offered, "game": game.id}
    for name, option in known.items():
        if name in wanted:
            context[name] = _take_given(option, wanted[name])
    pending = [name for name in known if name not in wanted]
    while pending:
        ready = [name for name in pending if not _waits_for(known[name], pending, name)] or pending[:1]
        for name in ready:
            context[name] = _default(book, known[name], context, modules)
            pending.remove(name)
    for name, option in known.items():
        _check_allowed(book, game, option, context[name], context)
    return {name: context[name] for name in known}


def _choose_options(
    book: Rulebook, game: Game, known: Mapping[str, Option], options: Mapping[str, Any],
    modules: tuple[SideModule, ...], as_read: Mapping[str, str],
) -> dict[str, Any]:  # fmt: skip
    """The options that the number of decks alone does not give; decks for a device alone give the device too."""
    usual: dict[str, Any] = {}
    decks = {"decks": options["decks"] or "inf"}
    for given in (decks, {**decks, "card_source": "device"}):
        with contextlib.suppress(RulebookError):
            usual = _options(book, game, known, given, modules, as_read)
            break
    named = {name: value for name, value in options.items() if name != "decks" and value is not None}
    return {name: value for name, value in named.items() if usual.get(name) != value}


def _choose_readings(book: Rulebook, game: Game, readings: Mapping[str, str]) -> dict[str, str]:
    known = book.readings_of(game)
    return {name: value for name, value in readings.items() if value != known[name].default}


def _elsewhere(book: Rulebook, name: str, known: Mapping[str, Option]) -> str:
    """The games that have an option which this one lacks, and by which clause; else the nearest name."""
    having: dict[str, Option] = {}
    if name in book.options:
        having = dict.fromkeys(book.options[name].games or (), book.options[name])
    having.update({game.id: game.options[name] for game in book.games.values() if name in game.options})
    if not having:
        return f"; {nearest(name, known)}"
    clauses = dict.fromkeys(clause for option in having.values() for clause in option.clauses)
    cited = f" (clause {', '.join(clauses)})" if clauses else ""
    return f": that is for {', '.join(having)}{cited}; here there are {', '.join(known)}"


def _waits_for(option: Option, pending: list[str], name: str) -> bool:
    needed = {key for case in (*option.default, *option.allowed) for key in case.when}
    return any(other in needed for other in pending if other != name)


def _take_given(option: Option, value: Any) -> Any:
    if option.id == "decks" and value == "inf":
        return INFINITE
    if option.id == "decks" and value in ("0", INFINITE) and not isinstance(value, bool):
        raise RulebookError("decks cannot be 0: write a number of decks, or inf for an infinite deck")
    if not option.allowed:
        if value is None or value == "none":
            return None
        try:
            amount = parse_money(value if isinstance(value, (str, int, Decimal)) else str(value))
        except MoneyError as error:
            raise RulebookError(f"option {option.id}: {error}") from None
        if isinstance(value, bool) or amount <= 0:
            raise RulebookError(f"option {option.id} must be an amount above zero, or none")
        return str(amount)
    if isinstance(value, str):
        for choice in option.choices:
            if not isinstance(choice, str) and value.lower() == read_plain(choice):
                return choice
        if value.isdecimal() and any(type(choice) is int for choice in option.choices):
            return int(value)
    return value


def _default(book: Rulebook, option: Option, context: Mapping[str, Any], modules: tuple[SideModule, ...]) -> Any:
    """The book's default, or the first choice that the side wagers on offer can be played with: most decks first."""

    def complain(problem: str) -> NoReturn:
        raise RulebookError(f"{book.file}: options.{option.id}.default: {problem}")

    allowed = _list_allowed(option, context)
    allowed = [value for value in allowed if all(_fits(module, option.id, value) for module in modules)] or allowed
    case = pick_case(option.default, context, complain)
    if case is None and context.get("decks") == INFINITE:
        case = _largest(option.default, context)
    if case is not None and (not option.allowed or any(_same(case.value, value) for value in allowed)):
        return None if case.value == "none" and not option.allowed else case.value
    if allowed:
        return max(allowed) if option.id == "decks" else allowed[0]
    return None


def _fits(module: SideModule, option: str, value: Any) -> bool:
    return all(value in case.value[option] for case in module.requires if option in case.value and not case.when)


def _same(left: Any, right: Any) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def _list_allowed(option: Option, context: Mapping[str, Any]) -> list[Any]:
    """What may be chosen now: the union of the cases that hold, numbers in their order."""
    holding = (case for case in option.allowed if _whatever_decks(case, context).holds(context))
    values = list({(type(value), value): value for case in holding for value in case.value}.values())
    return sorted(values) if all(type(value) is int for value in values) else values


def _whatever_decks(case: Case, context: Mapping[str, Any]) -> Case:
    """With an infinite deck, a case without its condition on the number of decks."""
    if context.get("decks") != INFINITE:
        return case
    return case._replace(when={key: wanted for key, wanted in case.when.items() if key != "decks"})


def _largest(cases: tuple[Case, ...], context: Mapping[str, Any]) -> Case | None:
    """With an infinite deck, the case for the most decks: the last whose other conditions hold."""
    return next((case for case in reversed(cases) if _whatever_decks(case, context).holds(context)), None)


def _check_allowed(book: Rulebook, game: Game, option: Option, value: Any, context: Mapping[str, Any]) -> None:
    if not option.allowed or (option.id == "decks" and value == INFINITE):
        return
    allowed = _list_allowed(option, context)
    if any(_same(value, choice) for choice in allowed) or (value is None and not allowed):
        return
    open_now = [case for case in option.allowed if _whatever_decks(case, context).holds(context)]
    elsewhere = [case for case in option.allowed if any(_same(value, choice) for choice in case.value)]
    clauses = dict.fromkeys(clause for case in (*open_now, *elsewhere) for clause in case.clauses or option.clauses)
    cited = f" (clause {', '.join(clauses)})" if clauses else ""
    would_do = ", ".join(map(read_plain, allowed)) or "nothing with the other choices made"
    needs = "".join(f"; {read_plain(value)} needs {_in_words(case.when)}" for case in elsewhere)
    raise RulebookError(
        f"{book.namespace}/{game.id}: {option.id} cannot be {read_plain(value)}{cited}: allowed: {would_do}{needs}"
    )


def _in_words(when: Mapping[str, tuple[Any, ...]]) -> str:
    return " and ".join(f"{name} {' or '.join(map(read_plain, wanted))}" for name, wanted in when.items())


def _option_clauses(option: Option, value: Any, context: Mapping[str, Any]) -> tuple[str, ...]:
    for case in option.allowed:
        if case.holds(context) and value in case.value:
            return case.clauses or option.clauses
    return option.clauses


# ---------------------------------------------------------------------- layers


def _overlay(
    book: Rulebook, lineage: tuple[Game, ...], modules: tuple[SideModule, ...], context: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Source], dict[str, tuple[str, ...]]]:
    values: dict[str, Any] = dict(ENGINE_DEFAULTS)
    sources = {name: Source((), ENGINE) for name in FIELDS}
    matters: dict[str, tuple[str, ...]] = {}
    for layer in (book.base, *(game.layer for game in lineage)):
        for name, case in _holding(book, layer, context).items():
            values[name] = case.value
            sources[name] = Source(case.clauses, layer.name)
        matters.update(_matters(book, layer.name, layer.matters, context))
    set_by: dict[str, tuple[str, Case]] = {}
    for module in modules:
        for name, case in _holding(book, module.layer, context).items():
            if name in set_by and set_by[name][1].value != case.value:
                other, earlier = set_by[name]
                raise RulebookError(
                    f"side wagers {other} and {module.id} cannot be offered together: {name} is "
                    f"{read_plain(earlier.value)} by {', '.join(earlier.clauses)} and {read_plain(case.value)} by "
                    f"{', '.join(case.clauses)}"
                )
            set_by[name] = (module.id, case)
            values[name] = case.value
            sources[name] = Source(case.clauses, module.layer.name)
    for name in REQUIRED:
        if name not in values and name != "decks":
            raise RulebookError(f"{book.file}: rules.{name}: every book must state this; add it with its clause")
    return values, sources, matters


def _holding(book: Rulebook, layer: Layer, context: Mapping[str, Any]) -> dict[str, Case]:
    found = {}
    for name, cases in layer.parameters.items():

        def complain(problem: str, name: str = name) -> NoReturn:
            raise RulebookError(f"{book.file}: {layer.name}: {name}: {problem}")

        case = pick_case(cases, context, complain)
        if case is not None:
            found[name] = case
    return found


def _matters(
    book: Rulebook, layer: str, matters: Mapping[str, tuple[Case, ...]], context: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """The clauses of each matter of a layer that holds."""
    found = {}
    for name, cases in matters.items():

        def complain(problem: str, name: str = name) -> NoReturn:
            raise RulebookError(f"{book.file}: {layer}: clauses.{name}: {problem}")

        case = pick_case(cases, context, complain)
        if case is not None:
            found[name] = case.clauses
    return found


# ---------------------------------------------------------------------- bonuses and side wagers


def _bonuses(lineage: tuple[Game, ...]) -> tuple[Bonus, ...]:
    rows: dict[str, Bonus] = {}
    for game in lineage:
        rows.update({bonus.hand: bonus for bonus in game.bonuses})
    return tuple(rows.values())


def _super_bonus(lineage: tuple[Game, ...]) -> SuperBonus | None:
    return next((game.super_bonus for game in reversed(lineage) if game.super_bonus is not None), None)


def _check_requirement(module: SideModule, requirement: Case, context: Mapping[str, Any]) -> None:
    """The table is what the side wager needs, else it is refused."""
    cited = f"(clause {', '.join(requirement.clauses)})"
    for name, fitting in requirement.value.items():
        if name == NOT_WITH:
            for other in sorted(context["side_wagers"].intersection(fitting)):
                words = f"{module.name} cannot be offered together with {other} {cited}"
                raise RulebookError(words, requirement.clauses)
        elif name == POSTED:
            option = module.max_payout_option or ""
            if context.get(option) is None:
                missing = f"without its greatest payout {cited}: give {option}"
                raise RulebookError(f"{module.name} cannot be offered {missing}", requirement.clauses)
        elif context.get(name) not in fitting and not (name == "decks" and context[name] == INFINITE):
            raise RulebookError(
                f"{module.name} cannot be offered with {name} {context.get(name)} {cited}: "
                f"it needs {' or '.join(map(str, fitting))}",
                requirement.clauses,
            )


def _side_wager(book: Rulebook, game: Game, module: SideModule, context: Mapping[str, Any]) -> SideWager:
    def complain(problem: str) -> NoReturn:
        raise RulebookError(f"{book.file}: side_wagers.{module.id}: {problem}")

    terms: dict[str, Any] = dict(SIDE_DEFAULTS)
    terms.update({term: words[0] for term, words in words_of(module.judge).items()})
    clauses = {"introduced": module.clauses}
    clauses.update(_matters(book, f"side_wagers.{module.id}", module.matters, context))
    for term, cases in module.terms.items():
        case = pick_case(cases, context, complain)
        if case is not None:
            terms[term] = case.value
            if case.clauses:
                clauses.setdefault(term, case.clauses)
    hosts = terms["hosts"]
    if "*" not in hosts and game.id not in hosts:
        cited = ", ".join(clauses.get("hosts", clauses["introduced"]))
        raise RulebookError(
            f"{module.name} cannot be offered at {game.name} (clause {cited}): its games are {', '.join(hosts)}"
        )
    for requirement in module.requires:
        if requirement.holds(context):
            _check_requirement(module, requirement, context)
    pays = next((case for case in module.pays if case.holds(context)), None)
    if pays is None and context["decks"] == INFINITE:
        pays = _largest(module.pays, context)
    if pays is None:
        cited = ", ".join(dict.fromkeys(clause for case in module.pays for clause in case.clauses))
        raise RulebookError(f"{module.name} has no pay table for these decks and options (clause {cited})")
    odds, prizes = pays.value
    clauses["pays"] = pays.clauses
    cap = context.get(module.max_payout_option or "")
    return SideWager(
        id=module.id, name=module.name, judge=module.judge, **terms,
        max_payout=None if cap is None else parse_money(cap),
        meters=module.meters, odds=odds, prizes=prizes, clauses=FrozenDict(clauses),
    )  # fmt: skip
