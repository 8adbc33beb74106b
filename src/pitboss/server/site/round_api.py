"""Rounds that are over, to be stepped through on the felt: those of this floor, and any record that somebody sends.

Each step is the table as everybody sees it after it, and what happened in sentences. The decisions of a round at a
practice table are reviewed here for whoever made them.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from pitboss.errors import PitbossError
from pitboss.floor.practice import AdviceQuestion, check_advice
from pitboss.floor.telling.felt_words import Felt, find_felt
from pitboss.floor.telling.table_log import SPECTATOR, SaidLine, tell_table
from pitboss.money import ZERO, Money
from pitboss.odds.advice.advise import Advice
from pitboss.records import read as read_record
from pitboss.records import replay
from pitboss.records.replay import ReplayStep
from pitboss.server.storage.rows import RoundRow
from pitboss.server.stream_log import read_events
from pitboss.server.web.services import REFUSALS, Services, check_table, find_services, find_visitor, limit_rate
from pitboss.table import State as TableState
from pitboss.table import evolve
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.notation import words
from pitboss.table.shoe.shoe_views import count_unseen
from pitboss.table.state import Pending, Phase
from pitboss.table.views import Observer, View, Viewer, view

REPLAYS_PER_MINUTE = 120
MOST_STEPS = 400
LONGEST_RECORD = 20_000
WORTH_NAMING = 0.00005
"""Less than this, in units of the wager, is no difference."""


class RecordRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A record to be played through the table."""

    record: str


class ReplayedStep(msgspec.Struct, frozen=True):
    """One step of a round: what was asked, what happened, and the table after it."""

    round: int
    asked: str
    refusal: str
    clauses: tuple[str, ...]
    """Of the refusal."""
    said: list[SaidLine]
    table: View


class ReplayedRecord(msgspec.Struct, frozen=True):
    """A record as it plays."""

    game: str
    felt: Felt
    record: str
    steps: list[ReplayedStep]
    differences: tuple[str, ...]
    """What differs from what the record says."""


def _replay_record(text: str) -> ReplayedRecord:
    record = read_record(text, "this record")
    replayed = replay(record)
    steps: list[ReplayedStep] = []
    first: TableState | None = None
    for played in replayed.rounds:
        for step in played.steps:
            first = first or step.before
            if not step.tried and len(steps) < MOST_STEPS:
                steps.append(_describe_step(played.number, step))
    if first is None:
        raise PitbossError("nothing happens in this record: write at least a wager and cards")
    return ReplayedRecord(record.game, find_felt(first.rules, first.limits), text, steps, replayed.differences)


def _describe_step(number: int, step: ReplayStep) -> ReplayedStep:
    refusal = step.refusal
    return ReplayedStep(
        round=number,
        asked="" if step.command is None else words(step.command),
        refusal="" if refusal is None else refusal.reason,
        clauses=() if refusal is None else refusal.clauses,
        said=tell_table(step.before, step.events),
        table=view(step.after, SPECTATOR, ()),
    )


@post("/api/replay", summary="Play a record through the table, step by step", status_code=200, responses=REFUSALS)
async def replay_record(data: JSONBody[RecordRequest], state: State) -> ReplayedRecord:
    services = find_services(state)
    limit_rate(services, "replay", REPLAYS_PER_MINUTE)
    if len(data.record) > LONGEST_RECORD:
        raise HTTPException(f"a record here has at most {LONGEST_RECORD} characters", status_code=400)
    return await asyncio.to_thread(_replay_record, data.record)


async def _find_round(services: Services, name: str, number: int) -> RoundRow:
    check_table(services, name)
    row = None if number >= 2**53 else await asyncio.to_thread(services.store.read_round, name, number)
    if row is None:
        raise HTTPException(f"table {name} has no round {number} that is over", status_code=404)
    return row


@get("/api/tables/{name:str}/rounds/{number:int}/steps", summary="A round of a table, step by step", responses=REFUSALS)
async def step_through_round(name: FromPath[str], number: FromPath[int], state: State) -> ReplayedRecord:
    services = find_services(state)
    limit_rate(services, "replay", REPLAYS_PER_MINUTE)
    row = await _find_round(services, name, number)
    return await asyncio.to_thread(_replay_record, row.record)


# ---------------------------------------------------------------------- the review of a round at a practice table


class PricedAction(msgspec.Struct, frozen=True):
    """What an action was worth."""

    name: str
    units: float
    """In units of the wager."""
    money: str


class ReviewedChoice(msgspec.Struct, frozen=True):
    """One decision, and what it cost."""

    seq: int
    box: str
    cards: tuple[str, ...]
    dealer: str
    taken: str
    best: str
    cost: str
    """In money; 0.00 where nothing was better."""
    mistake: bool
    values: list[PricedAction]


class RoundReview(msgspec.Struct, frozen=True):
    """A round as its player played it: decisions with the worst first, and what was luck."""

    number: int
    net: Money
    sides: Money
    """Of it, what side wagers brought: their luck tells nothing of how the hands were played."""
    staked: Money
    """On main wagers, as they were placed."""
    expected: str | None
    """What these wagers bring on average with best play; none where it is not known."""
    cost: str
    """What the decisions cost together."""
    choices: list[ReviewedChoice]


class _Question(msgspec.Struct, frozen=True):
    seq: int
    command: cmd.Command
    state: TableState
    box: str


DECISIONS = (
    cmd.Hit, cmd.Stand, cmd.Double, cmd.Split, cmd.Surrender, cmd.Insure, cmd.TakeEvenMoney, cmd.Switch, cmd.Forfeit,
)  # fmt: skip


@post(
    "/api/tables/{name:str}/rounds/{number:int}/review",
    summary="What my decisions in a round at a practice table were worth",
    status_code=200,
    responses=REFUSALS,
)
async def review_own_round(
    name: FromPath[str], number: FromPath[int], request: Request[Any, Any, Any]
) -> RoundReview:  # fmt: skip
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    row = await _find_round(services, name, number)
    stream = services.desk.slots.get(name)
    if stream is None:
        raise HTTPException("another process serves this table: ask there", status_code=503)
    try:
        check_advice(stream.durable.state, visitor.name)
    except Refused as refused:
        cited = f" ({', '.join(refused.clauses)})" if refused.clauses else ""
        raise HTTPException(f"{refused.reason}{cited}", status_code=409) from None
    limit_rate(services, f"advice {visitor.name}", services.bounds.advice_per_minute)
    questions, last = await asyncio.to_thread(_list_questions, services, row, visitor.name)
    choices = []
    for question in questions:
        seen = view(question.state, Observer(Viewer.PLAYER, visitor.name))
        left = dict(count_unseen(question.state))
        advice = await services.coach.advise(AdviceQuestion(seen, left, question.state.rules, question.box))
        if advice is not None:
            choices.append(_review(question, advice, visitor.name))
    choices.sort(key=lambda choice: -float(choice.cost))
    edge = None if last is None else services.edges.look_up(last.rules)[0]
    return _sum_up(number, last, visitor.name, choices, edge)


def _list_questions(services: Services, row: RoundRow, player: str) -> tuple[list[_Question], TableState | None]:
    """The player's decisions in a round, each with the table before it; and the table when the round was settled."""
    found: list[_Question] = []
    last: TableState | None = None
    rows = read_events(
        services.store, services.desk.vault, row.stream, row.first_seq - 1, row.last_seq - row.first_seq + 1
    )
    for entry, before, events in rows:
        if before is not None:
            last = before
        asked = events[0].command if events and isinstance(events[0], ev.Asked) else None
        if before is None or not isinstance(asked, DECISIONS):
            continue
        if player not in (getattr(asked, "player", None), getattr(asked, "by", None)):
            continue
        box = f"{asked.area}a" if isinstance(asked, cmd.Switch) else asked.box
        found.append(_Question(entry.seq, asked, _pass_what_is_open(before, asked, box, events), box))
    end = next(read_events(services.store, services.desk.vault, row.stream, row.last_seq, 1), None)
    return found, last if end is None else end[1]


def _pass_what_is_open(state: TableState, asked: cmd.Command, box: str, events: tuple[Any, ...]) -> TableState:
    """The table as it was decided on: an offer that passed because of the decision is over."""
    if isinstance(asked, cmd.Insure | cmd.TakeEvenMoney | cmd.Switch | cmd.Forfeit | cmd.Surrender):
        return state
    for event in events:
        on_turn = state.turn is not None and state.boxes[state.turn[0]].number == box
        if on_turn and state.phase is Phase.TURNS and state.pending is Pending.NOTHING:
            break
        state = evolve(state, event)
    return state


def _review(question: _Question, advice: Advice, player: str) -> ReviewedChoice:
    state, command = question.state, question.command
    taken = str(type(command).__struct_config__.tag)
    values = dict(advice.actions)
    if isinstance(command, cmd.Insure):
        values = {"insure": values.get("insure", 0.0), "no insurance": 0.0}
    elif isinstance(command, cmd.Switch):
        values = {name: values[name] for name in ("switch", "leave") if name in values}
    else:
        values = {name: value for name, value in values.items() if name not in ("insure", "switch", "leave")}
    best = max(values, key=lambda name: values[name], default=taken)
    lost = max(0.0, values[best] - values[taken]) if taken in values else 0.0
    box = state.boxes[state.box_index(question.box)]
    bettor = box.bettor(player)
    unit = float(bettor.stake) if bettor is not None else 1.0
    at = state.turn[1] if state.turn is not None and state.boxes[state.turn[0]].number == question.box else 0
    return ReviewedChoice(
        seq=question.seq,
        box=question.box,
        cards=box.hands[at].cards if box.hands else (),
        dealer=state.dealer[0] if state.dealer else "",
        taken=taken,
        best=taken if lost <= WORTH_NAMING else best,
        cost=f"{lost * unit:.2f}",
        mistake=lost > WORTH_NAMING,
        values=sorted(
            (PricedAction(name, value, f"{value * unit:+.2f}") for name, value in values.items()),
            key=lambda priced: -priced.units,
        ),
    )


def _sum_up(
    number: int, last: TableState | None, player: str, choices: list[ReviewedChoice], edge: float | None
) -> RoundReview:
    cost = sum(float(choice.cost) for choice in choices)
    if last is None:
        return RoundReview(number, ZERO, ZERO, ZERO, None, f"{cost:.2f}", choices)
    own = [settled for settled in last.settlements if settled.player == player]
    placed = [bettor.placed for box in last.boxes for bettor in box.bettors if bettor.player == player]
    staked = sum(placed, ZERO)
    net = sum((item.net for item in own), ZERO)
    sides = sum((item.net for item in own if last.rules.side_wager(item.wager) is not None), ZERO)
    expected = None if edge is None else f"{-float(staked) * edge:+.4f}"
    return RoundReview(number, net, sides, staked, expected, f"{cost:.2f}", choices)


ROUND_HANDLERS: tuple[Any, ...] = (replay_record, step_through_round, review_own_round)
