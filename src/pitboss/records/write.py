"""From a `Record` to its canonical text, and results into a text that has none.

A record has one canonical form: keys in a fixed order with their signs of equality aligned, lists folded where a line
would grow too long, one round at the top level and several as `[[round]]`. Reading it back gives the same record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal

from pitboss.cards import Card
from pitboss.formats.toml_places import Path, TextPlace, find_places
from pitboss.money import Money, show
from pitboss.records.model import FORMAT, Choice, Record, RecordError, Round
from pitboss.table.messages.notation import words
from pitboss.table.state import Limits, Meter, SideLimit

WIDTH = 110
KEY_WIDTH = 7


def write(record: Record) -> str:
    """The canonical text of a record."""
    blocks = ["\n".join(_table_lines(record))]
    if len(record.rounds) == 1:
        blocks.append("\n".join(_round_lines(record.rounds[0])))
    else:
        blocks += ["\n".join(["[[round]]", *_round_lines(played)]) for played in record.rounds]
    return "\n\n".join(blocks) + "\n"


def _table_lines(record: Record) -> Iterable[str]:
    yield _line("record", str(FORMAT))
    if record.title:
        yield _line("title", _string(record.title))
    if record.cites:
        yield _list("cites", record.cites)
    yield _line("game", _string(record.game))
    options = {name: _choice(value) for name, value in record.options.items()}
    if record.readings:
        options["readings"] = _inline({name: _string(value) for name, value in record.readings.items()})
    if options:
        yield _line("options", _inline(options))
    yield _list("side_wagers", record.side_wagers)
    if record.limits != Limits():
        yield _line("limits", _sign(record.limits))
    if record.places:
        yield _line("places", str(record.places))


def _round_lines(played: Round) -> Iterable[str]:
    if played.meters:
        yield _line("meters", _inline({name: _meter(meter) for name, meter in played.meters.items()}))
    yield _list("bets", _bet_lines(played))
    yield _line("cards", _string(" | ".join(" ".join(group) for group in played.deals)))
    yield _list("actions", [str(action) for action in played.actions])
    yield from outcome_lines(played)


def _bet_lines(played: Round) -> list[str]:
    """The bets, with what was ordered among them in its place."""
    lines = []
    for at in range(len(played.bets) + 1):
        lines += [str(order.action) for order in played.orders if order.at == at]
        lines += [words(bet) for bet in played.bets[at : at + 1]]
    return lines


def outcome_lines(played: Round) -> Iterable[str]:
    """What is recorded of a round's outcome: results, the dealer's hand, meters, void."""
    if played.results is not None:
        yield _list("results", [str(result) for result in played.results])
    if played.dealer is not None:
        yield _line("dealer", _string(_cards(played.dealer)))
    if played.meters_after:
        yield _line("meters_after", _inline({name: show(value) for name, value in played.meters_after.items()}))
    if played.void:
        yield _line("void", "true")


# ---------------------------------------------------------------------- single values


def _line(key: str, value: str) -> str:
    return f"{key:<{KEY_WIDTH}} = {value}"


def _list(key: str, items: Iterable[str]) -> str:
    """On one line, or folded: as many items to a line as fit."""
    strings = [_string(item) for item in items]
    whole = _line(key, f"[{', '.join(strings)}]")
    if len(whole) <= WIDTH:
        return whole
    lines: list[str] = []
    for string in strings:
        if lines and len(lines[-1]) + len(string) + 2 <= WIDTH:
            lines[-1] += f" {string},"
        else:
            lines.append(f"  {string},")
    return "\n".join([_line(key, "["), *lines, "]"])


def _inline(pairs: Mapping[str, str]) -> str:
    return f"{{ {', '.join(f'{name} = {value}' for name, value in pairs.items())} }}"


def _string(text: str) -> str:
    """A text in quotes. JSON's escapes are TOML's; TOML wants the delete character escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _choice(value: Choice) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    return show(value) if isinstance(value, Decimal) else str(value)


def _sign(limits: Limits) -> str:
    """What the sign at the table says."""
    amounts = {**_bounds(limits), "chip": limits.chip, "unit": limits.unit}
    words = {name: show(amount) for name, amount in amounts.items() if amount is not None}
    if limits.per:
        words["per"] = _string(limits.per)
    if limits.side:
        words["side"] = _inline({wager: _inline(_show_bounds(limit)) for wager, limit in limits.side.items()})
    return _inline(words)


def _bounds(limits: Limits | SideLimit) -> dict[str, Money | None]:
    return {"min": limits.minimum, "max": limits.maximum}


def _show_bounds(limit: SideLimit) -> dict[str, str]:
    words = {name: show(amount) for name, amount in _bounds(limit).items() if amount is not None}
    return {**words, "places": str(limit.places)} if limit.places else words


def _meter(meter: Meter) -> str:
    return _inline({"seed": show(meter.seed), "rate": show(meter.rate), "value": show(meter.value)})


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(cards)


# ---------------------------------------------------------------------- results into a text


def add_outcomes(text: str, outcomes: Mapping[int, Round], file: str = "record") -> str:
    """`text` with the outcome of rounds put behind what it says of them; nothing else in it changes.

    `outcomes` gives, for rounds by number from 0, a `Round` that holds only what is to be added.
    """
    found = find_places(text)
    for number in outcomes:
        header = found.get(("round", number))
        if header is not None and not text.startswith("[[", header.start):
            raise RecordError(file, header.line, "expected [[round]] tables: results cannot be written into this form")
    newline = "\r\n" if "\r\n" in text else "\n"
    for number in sorted(outcomes, reverse=True):
        path: Path = ("round", number) if ("round", number) in found else ()
        end = _end_of_round(found, path)
        line_end = text.find("\n", end)
        line_end = len(text) if line_end < 0 else line_end + 1
        head, tail = text[:line_end], text[line_end:]
        if head and not head.endswith("\n"):
            head += newline
        added = "\n".join(outcome_lines(outcomes[number])).replace("\n", newline)
        text = f"{head}{added}{newline}{tail}"
    return text


def _end_of_round(found: Mapping[Path, TextPlace], path: Path) -> int:
    """Where the last of bets, cards and actions of a round ends."""
    return max(found[(*path, key)].end for key in ("bets", "cards", "actions") if (*path, key) in found)
