"""What became of replayed records: for people, and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from pitboss.errors import PitbossError
from pitboss.records import PlayedRound, RecordError, Replay, explain
from pitboss.records.settlement_table import SettlementTable, to_plain

OK, DIFFERS, MALFORMED = 0, 1, 2


class ToldReplay(Protocol):
    """A replayed record that tells itself, as floor records do."""

    @property
    def title(self) -> str: ...

    @property
    def differences(self) -> tuple[str, ...]: ...

    def explain(self) -> list[str]: ...

    def to_data(self) -> dict[str, Any]: ...


class ReplayedFile(NamedTuple):
    """What became of one file: its replay, or why it cannot be read."""

    file: str
    replayed: Replay | ToldReplay | None = None
    error: PitbossError | None = None

    @property
    def code(self) -> int:
        """The exit code this file alone would have."""
        if self.replayed is None:
            return MALFORMED
        return DIFFERS if self.replayed.differences else OK


# ---------------------------------------------------------------------- for people


def complaint_lines(outcome: ReplayedFile) -> list[str]:
    """Messages about a file for stderr: why it cannot be read, or what is odd about it."""
    if outcome.replayed is None:
        return [_one_line(f"pitboss: {outcome.error}")]
    notes = outcome.replayed.notes if isinstance(outcome.replayed, Replay) else ()
    return [_one_line(f"{outcome.file}: note: {note}") for note in notes]


def list_outcome_lines(outcome: ReplayedFile, *, in_words: bool) -> list[str]:
    """The rounds of a file that nothing was recorded of, or all of them in words; then what is not as recorded."""
    if outcome.replayed is None:
        return []
    lines: list[str] = []
    if in_words:
        lines += [f"{outcome.file}:", *_tell(outcome.replayed), ""]
    elif isinstance(outcome.replayed, Replay):
        for played in outcome.replayed.rounds:
            if played.recorded.results is None and played.settled:
                several = f", round {played.number}" if len(outcome.replayed.record.rounds) > 1 else ""
                lines += [f"{outcome.file}{several}:", str(SettlementTable(played.settlement))]
    return [*lines, *(_one_line(f"{outcome.file}: {difference}") for difference in outcome.replayed.differences)]


def _tell(replayed: Replay | ToldReplay) -> list[str]:
    return explain(replayed) if isinstance(replayed, Replay) else replayed.explain()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def summary_line(outcomes: Sequence[ReplayedFile]) -> str:
    """How many records there were, and how many of them are not right."""
    codes = [outcome.code for outcome in outcomes]
    records = f"{len(codes)} record{'s' * (len(codes) != 1)}"
    differing = codes.count(DIFFERS)
    words = ((DIFFERS, "differs" if differing == 1 else "differ"), (MALFORMED, "malformed"))
    faults = [f"{codes.count(code)} {word}" for code, word in words if code in codes]
    return f"{records}: {', '.join(faults) or 'all as recorded'}"


# ---------------------------------------------------------------------- for programs


def replay_data(outcomes: Sequence[ReplayedFile], *, in_words: bool) -> dict[str, Any]:
    """The answer for programs: the same keys for every record, and `floor` for one that spans tables."""
    return {"records": [_record_data(outcome, in_words=in_words) for outcome in outcomes]}


def _record_data(outcome: ReplayedFile, *, in_words: bool) -> dict[str, Any]:
    replayed, error = outcome.replayed, outcome.error
    rounds = replayed if isinstance(replayed, Replay) else None
    floor = None if isinstance(replayed, Replay) else replayed
    data: dict[str, Any] = {
        "file": outcome.file,
        "game": rounds.record.game if rounds is not None else None,
        "title": rounds.record.title if rounds is not None else floor.title if floor is not None else None,
        "as_recorded": outcome.code == OK,
        "error": None if error is None else _one_line(str(error)),
        "line": error.line if isinstance(error, RecordError) else None,
        "differences": list(replayed.differences) if replayed is not None else [],
        "rounds": [_round_data(played) for played in rounds.rounds] if rounds is not None else [],
        "explanation": _tell(replayed) if in_words and replayed is not None else [],
    }
    if floor is not None:
        data["floor"] = floor.to_data()
    return data


def _round_data(played: PlayedRound) -> dict[str, Any]:
    return {
        "round": played.number,
        "settled": played.settled,
        "void": played.state.void,
        "dealer": " ".join(played.state.dealer),
        "settlement": list(SettlementTable(played.settlement).rows()),
        "meters": {name: to_plain(meter.value) for name, meter in played.state.meters.items()},
    }
