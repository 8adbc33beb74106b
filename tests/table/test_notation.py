"""The words of records: a command and its words are each other's inverse, and bad words are told what was expected."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import (
    SUPERVISED,
    VERBS,
    NotationError,
    parse_action,
    parse_bet,
    parse_refused,
    parse_result,
    words,
)

names = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=12)
boxes = st.from_regex(r"[0-9]{1,3}[ab]?", fullmatch=True)
areas = st.from_regex(r"[0-9]{1,3}", fullmatch=True)
amounts = st.decimals(Decimal("0.01"), Decimal(10**9), places=2)
groups = st.lists(names, max_size=4, unique=True).map(tuple)
clauses = st.none() | st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,3}){0,4}(\([a-z]\))?", fullmatch=True)
roles = st.from_regex(r"[a-z]{1,10}(-[a-z]{1,10})?", fullmatch=True)
commands = st.one_of(
    st.builds(cmd.Hit, box=boxes),
    st.builds(cmd.Stand, box=boxes),
    st.builds(cmd.PlayAbsent, box=boxes),
    st.builds(cmd.Switch, area=areas),
    st.builds(
        cmd.Double, box=boxes, amounts=st.dictionaries(names, amounts, max_size=3).map(lambda d: tuple(d.items()))
    ),
    st.builds(cmd.Split, box=boxes, players=groups),
    st.builds(cmd.Surrender, box=boxes, players=groups),
    st.builds(cmd.Insure, box=boxes, player=names, amount=amounts),
    st.builds(cmd.DrawPrize, box=boxes, player=names, amount=amounts),
    st.builds(cmd.TakeEvenMoney, box=boxes, player=names),
    st.builds(cmd.Forfeit, box=boxes, player=names),
    st.builds(cmd.LeaveBox, box=boxes, player=names),
    st.builds(cmd.SystemPick, pick=st.sampled_from(("lucky", "mystery")), box=boxes),
    st.builds(cmd.Void, role=roles, clause=clauses, box=st.none() | boxes),
)


def without_who_asks(command: cmd.Command) -> dict[str, object]:
    return {name: getattr(command, name) for name in command.__struct_fields__ if name != "by"}


@given(commands)
def test_a_command_is_what_its_words_say(command: cmd.Command) -> None:
    read = parse_action(words(command))
    assert type(read) is type(command)
    assert without_who_asks(read) == without_who_asks(command)


@given(
    st.builds(
        cmd.PlaceBet, box=boxes, player=names, amount=amounts, wager=st.just("main") | roles, seated=st.booleans()
    )
)
def test_a_bet_is_what_its_words_say(bet: cmd.PlaceBet) -> None:
    assert parse_bet(words(bet)) == bet


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for parse in (parse_bet, parse_result, parse_action, parse_refused):
        complaint = complaint_about(text, parse)
        assert complaint is None or ("expected" in complaint and complaint.isprintable())


def complaint_about(text: str, parse: Callable[[str], object]) -> str | None:
    try:
        parse(text)
    except NotationError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "BOX VERB"),
        ("1", "BOX VERB"),
        ("x hit", "number of a box"),
        ("1 jump", "one of hit, stand"),
        ("1 hit hard", "nothing after the verb"),
        ("1 hit @7.5", "only refused"),
        ("1 double ann", "PLAYER=AMOUNT"),
        ("1 double ann=", "amount above zero"),
        ("1 double ann=0", "amount above zero"),
        ("1 double ann=5 ann=5", "each player once"),
        ("1 split ann ann", "each player once"),
        ("1 insure ann", "2 words after the verb"),
        ("1 insure ann -5", "amount above zero"),
        ("1 insure ann 1e3", "amount above zero"),
        ("1 insure ann １０", "amount above zero"),
        ("1 even-money", "1 word after the verb"),
        ("1a switch", "number of an area"),
        ("!", "!ROLE VERB"),
        ("!inspector", "!ROLE VERB"),
        ("!inspector voyd", "a verb such as void"),
        ("!inspector void 1 ann main 2", "!ROLE void [BOX"),
        ("!inspector void @", "number of a clause"),
        ("!inspector lucky 2", "!system lucky"),
        ("!system lucky", "1 word"),
        ("!system lucky 2 @7", "no clause"),
    ],
)
def test_a_wrong_action_is_told_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(text)
    assert expected in str(caught.value)
    assert "expected" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 ann", "BOX PLAYER AMOUNT"),
        ("1 ann 5 main main", "BOX PLAYER AMOUNT"),
        ("ann 1 5", "number of a box"),
        ("1 a=b 5", "name of a player"),
        ("1 ann 0", "amount above zero"),
        ("1 ann 5 Main", "id of a side wager"),
    ],
)
def test_a_wrong_bet_is_told_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(NotationError, match="expected") as caught:
        parse_bet(text)
    assert expected in str(caught.value)


def test_every_verb_shows_its_form_when_its_words_are_wrong() -> None:
    for verb, entry in VERBS.items():
        with pytest.raises(NotationError) as caught:
            parse_action(f"1 {verb} a=0 b=0 c=0")
        assert entry.form in str(caught.value)
    for verb, entry in SUPERVISED.items():
        assert verb in entry.form


def test_a_clause_may_hold_spaces() -> None:
    assert parse_refused("1 hit @1:Soft 21") == (cmd.Hit(box="1"), "1:Soft 21")
