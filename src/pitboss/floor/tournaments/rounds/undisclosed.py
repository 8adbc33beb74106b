"""Undisclosed wagers: written on a form, checked by the supervisor, played unseen, announced after the round.

While a round is played the engine holds the whole of somebody's wager; what others see is the open part of it. A form
that breaks the rules and was not noticed counts as the book says, and one that says too little costs the minimum.
"""

from __future__ import annotations

from pitboss.floor.ledger import from_grains
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.rounds.wagering import check_turn
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import CountedWager, PlayTable, SealedForm
from pitboss.money import ZERO, Money, parse_money, show
from pitboss.table.messages.askers import PLAYER
from pitboss.table.state import Phase

MAIN = "main"
"""The type of wager that a form may name."""
INCOMPLETE = "incomplete"


def write_form(draft: TournamentDraft, command: tc.WriteForm) -> None:
    """A form is written in turn and handed to the supervisor; its writer is responsible for what it says."""
    player = draft.name_player(command.player)
    table, key = draft.find_seat(player)
    most = draft.state.form.undisclosed_wagers
    if not most:
        raise draft.refuse("the terms provide no undisclosed wagers", "undisclosed")
    check_turn(draft, table, key, form=True)
    if key in table.forms and table.forms[key].checked:
        raise draft.refuse("the form is with the supervisor, and checked", "form")
    if key not in table.forms and table.forms_used.get(key, 0) >= most:
        raise draft.refuse(f"{player} has made {most} undisclosed wagers, and no more are allowed", "undisclosed")
    amount = None if command.amount is None else parse_money(command.amount)
    if amount is not None and amount < 0:
        raise draft.refuse("a wager is not below zero", "form_limits")
    form = SealedForm(key=key, wager=command.wager, amount=amount)
    draft.emit(te.FormWritten(table=table.name, form=form, clauses=draft.cite("form", "undisclosed")))


def check_form(draft: TournamentDraft, command: tc.CheckForm) -> None:
    """The supervisor examines a form before the round; an indicator shows that there is one."""
    if draft.by.role == PLAYER:
        raise draft.refuse("the supervisor examines forms", "form_check")
    draft.check_staff("tournament-record-undisclosed")
    table, key = draft.find_seat(command.player)
    form = table.forms.get(key)
    if form is None:
        raise draft.refuse(f"{command.player} has written no form", "form_check")
    if form.checked:
        raise draft.refuse(f"the form of {command.player} is checked already", "form_check")
    if table.table.phase is not Phase.BETTING:
        raise draft.refuse("forms are examined before the round", "form_check")
    draft.emit(te.FormChecked(table=table.name, key=key, good=command.good, clauses=draft.cite("form_check")))


def count_form(
    draft: TournamentDraft, table: PlayTable, form: SealedForm, open_part: Money, sides: Money = ZERO
) -> CountedWager:
    """What an undisclosed wager counts as: what it breaks is cured as the book says."""
    low, high = table.minimum, max(table.maximum - open_part, ZERO)
    left = from_grains(draft.state.stacks.get(form.key, 0)) - open_part - sides
    placed = form.amount
    if placed is None or not placed or form.wager != MAIN:
        return CountedWager(ZERO, placed or ZERO, INCOMPLETE, draft.cite("form_incomplete"))
    if placed > left:
        return CountedWager(max(min(left, high), ZERO), placed, "beyond", draft.cite("form_beyond"))
    if placed > high:
        return CountedWager(high, placed, "over", draft.cite("form_over"))
    if placed < low:
        return CountedWager(min(low, left, high), placed, "under", draft.cite("form_under"))
    whole = placed - placed % low
    cure, matter = ("increment", "increment") if whole < placed else ("", "form_limits")
    return CountedWager(whole, placed, cure, draft.cite(matter))


def find_played(counted: CountedWager, open_part: Money, minimum: Money, has: Money) -> Money:
    """What the engine plays for a form: what counts, or the minimum where the hand needs some wager to be dealt."""
    if counted.cure != INCOMPLETE:
        return counted.amount
    return ZERO if open_part else min(minimum, has)


def reveal_forms(draft: TournamentDraft, name: str) -> None:
    """The round is over: the supervisor announces every form, and what was wrong with it is put right."""
    table = draft.state.in_play[name]
    if not table.forms:
        return
    corrected: dict[str, Money] = {}
    deducted: dict[str, Money] = {}
    matters = ["form_reveal"]
    cited: dict[str, None] = {}
    for key, form in table.forms.items():
        if form.counted is None:
            continue
        cited.update(dict.fromkeys(form.counted.clauses))
        if form.counted.cure != INCOMPLETE:
            continue
        now, before = draft.state.stacks.get(key, 0), table.opening.get(key, 0)
        if key not in table.wagers and now != before:
            corrected[key] = from_grains(before - now)
            now = before
        deducted[key] = min(table.minimum, from_grains(now))
    draft.emit(
        te.FormsRevealed(
            table=name, corrected=corrected, deducted=deducted,
            clauses=tuple(dict.fromkeys((*draft.cite(*matters), *cited))),
        )
    )  # fmt: skip


def inspect_form(draft: TournamentDraft, command: tc.InspectForm) -> None:
    """Another player looks at a form, after its round and before the next first card."""
    player = draft.name_player(command.player)
    table, _ = draft.find_seat(player)
    key = draft.state.find_key(command.of)
    if key not in table.read_forms:
        why = "its round is not over" if key in table.forms else "there is none, or the next round has been dealt"
        raise draft.refuse(f"the form of {command.of[:40]} cannot be examined: {why}", "form_inspect")
    draft.emit(te.FormInspected(table=table.name, key=key, by=player, clauses=draft.cite("form_inspect")))


def tell_form(form: SealedForm) -> str:
    """A form in words."""
    if form.amount is None:
        return f"{form.wager or 'no type'}, no amount"
    return f"{form.wager or 'no type'} {show(form.amount)}"


def refuse_unchecked(draft: TournamentDraft, table: PlayTable) -> None:
    """No round is dealt before all forms are examined."""
    for key, form in table.forms.items():
        if not form.checked:
            raise draft.refuse(f"the form of {key} has not been examined", "form_check")
