"""What is wrong with a JSON file, in plain words: where, what was expected and what is there."""

from __future__ import annotations

import re

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "object": "a table",
    "array": "a list",
    "null": "nothing",
}
EXPECTED = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
LENGTH = re.compile(r"Expected `array` of (?:at (?:least|most) )?length (\d+)")
MISSING = re.compile(r"missing required field `([^`]+)`")
UNKNOWN = re.compile(r"contains unknown field `([^`]+)`")
INVALID = re.compile(r"Invalid (?:enum )?value '?([^'`]*)'?(?: - at|$)")
PLACE = re.compile(r" - at `\$?\.?([^`]*)`")


def tell_fault(error: Exception) -> str:
    """The complaint of the JSON reader as a sentence for people."""
    text = str(error)
    place = PLACE.search(text)
    where = f"{place[1]}: " if place is not None and place[1] else ""
    if (found := MISSING.search(text)) is not None:
        return f"{where}'{found[1]}' is missing"
    if (found := UNKNOWN.search(text)) is not None:
        return f"{where}'{found[1]}' is not known here"
    if (found := INVALID.search(text)) is not None:
        return f"{where}'{found[1]}' is not one of its values"
    if (found := LENGTH.search(text)) is not None:
        return f"{where}must be a list of {found[1]}"
    if (found := EXPECTED.search(text)) is not None:
        wanted = " or ".join(KINDS.get(kind.strip(), kind.strip()) for kind in found[1].split("|"))
        return f"{where}must be {wanted}, not {KINDS.get(found[2], found[2])}"
    return f"{where}this is not JSON that can be read"
