"""Nobody sees a card before it is theirs to see: not in an event, not in a document, not in the store."""

from __future__ import annotations

import msgspec
import pytest
from floor_play import PLAYERS, RandomTable, rules_with_sides
from speeds import few

from pitboss.floor import documents as do
from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.telling.table_log import tell_table, write_signs
from pitboss.floor.visibility import RULES, SECRET, holds_secret, visible
from pitboss.money import Money
from pitboss.rulebooks import games, rules_for
from pitboss.table import Refusal, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import Asker
from pitboss.table.orders.rulings import EVENTS
from pitboss.table.views import Observer, Viewer

OBSERVERS = (
    Observer(Viewer.SPECTATOR),
    Observer(Viewer.DEALER),
    Observer(Viewer.SUPERVISOR),
    *(Observer(Viewer.PLAYER, player) for player in PLAYERS),
)


def test_for_every_kind_of_event_it_is_said_who_sees_it() -> None:
    assert set(RULES) == {*EVENTS, *lt.OWN_EVENTS}
    assert {*RULES, *hm.HOUSE_EVENTS} >= SECRET


def test_what_the_floor_keeps_for_itself_is_shown_at_no_table() -> None:
    event = hm.PasswordChanged(name="ann", password_hash="secret")
    assert visible(event, None, Observer(Viewer.SUPERVISOR)) is None


@pytest.mark.parametrize("game", few(games(), 3))
def test_what_is_sent_does_not_change_when_the_cards_to_come_do(game: str) -> None:
    """Every byte that leaves is the same whatever lies in the shoe: so nothing in it can tell."""
    table = RandomTable(rules_with_sides(game), seed=11)
    for _ in range(120):
        table.step()
    for before, granted in zip(table.granted, table.granted[1:], strict=False):
        live = granted.live
        shoe = live.table.shoe
        other = msgspec.structs.replace(shoe, cards=shoe.cards[: shoe.position] + tuple(reversed(shoe.undealt)))
        changed = msgspec.structs.replace(live, table=msgspec.structs.replace(live.table, shoe=other))
        for player in PLAYERS:
            assert do.describe_private(live, player, legal(live.table)) == do.describe_private(
                changed, player, legal(changed.table)
            )
        assert do.describe_public(live) == do.describe_public(changed)
        sent = msgspec.json.encode(do.list_visible(before.live.table, granted.events, OBSERVERS[0]))
        for secret in (shoe.origin.seed, shoe.origin.salt):
            assert not secret or msgspec.json.encode(secret) not in sent


@pytest.mark.parametrize("game", games())
def test_a_row_with_cards_to_come_is_secret(game: str) -> None:
    table = RandomTable(rules_with_sides(game), seed=5)
    for _ in range(60):
        table.step()
    for granted in table.granted:
        seed = granted.live.table.shoe.origin.seed
        if not holds_secret(granted.events) and seed:
            assert msgspec.json.encode(seed) not in lt.encode_row(granted.events)
            kinds = {type(event) for event in granted.events}
            assert not kinds & {ev.Shuffled, ev.Riffled, ev.DiscardsFed}


@pytest.mark.parametrize("game", games())
def test_patches_add_up_to_the_document(game: str) -> None:
    table = RandomTable(rules_with_sides(game), seed=13)
    for _ in range(80):
        table.step()
    document = msgspec.to_builtins(do.describe_public(table.granted[0].live))
    last = do.describe_public(table.granted[0].live)
    for granted in table.granted[1:]:
        now = do.describe_public(granted.live)
        document.update(msgspec.to_builtins(do.find_changes(last, now)))
        last = now
        assert document == msgspec.to_builtins(now)


ASKED = lt.OrderAsked(
    number=1, order=cmd.Void(role="casino-operator", person="mia", reason="signals"),
    by=Asker("casino-operator", "mia"), amount=Money(10), until_ms=5,
)  # fmt: skip


@pytest.mark.parametrize(
    "event",
    [
        ASKED, lt.OrderConfirmed(number=1, by=Asker("casino-operator", "max")), lt.OrderPassedOn(number=1),
        lt.OrderDropped(number=1, why="withdrawn", reason="no signals"),
    ],
)  # fmt: skip
def test_what_waits_for_a_second_person_is_for_staff_alone(event: lt.TableEvent) -> None:
    state = RandomTable(rules_with_sides("perth/blackjack"), seed=1).live.table
    assert visible(event, state, Observer(Viewer.SUPERVISOR, "mia")) == event
    for observer in (Observer(Viewer.SPECTATOR), Observer(Viewer.PLAYER, "ann")):
        assert visible(event, state, observer) is None


@pytest.mark.parametrize("game", few(games(), 3))
def test_what_is_said_of_a_round_does_not_change_when_hidden_cards_do(game: str) -> None:
    """The log in sentences is the same whatever lies in the shoe, and whatever card the dealer has turned down."""
    table = RandomTable(rules_with_sides(game), seed=5)
    for _ in range(120):
        table.step()
    said = 0
    for before, granted in zip(table.granted, table.granted[1:], strict=False):
        state = before.live.table
        shoe = msgspec.structs.replace(
            state.shoe, cards=state.shoe.cards[: state.shoe.position] + tuple(reversed(state.shoe.undealt))
        )
        changed = msgspec.structs.replace(state, shoe=shoe)
        lines = tell_table(state, granted.events)
        assert tell_table(changed, granted.events) == lines
        said += len(lines)
        deals = [event for event in granted.events if isinstance(event, ev.InitialDeal)]
        for deal in deals:
            if len(deal.cards) % 2 == 0:
                down = write_signs(deal.cards[-1])
                dealer = [line.text for line in lines if line.text.startswith("The dealer shows")]
                assert all(down not in text or deal.cards[-1] in deal.cards[:-1] for text in dealer)
    assert said > 50


def test_cards_that_lie_face_down_are_in_no_sentence() -> None:
    """Dealt face down, the cards of a box are told to nobody before they are shown; what is drawn to them shows."""
    state = open_table(rules_for("perth/blackjack"))
    commands = (
        cmd.DealFaceDown(role="table-games-manager"),
        cmd.LoadShoe(cards=("7h", "Tc", "5s", "2d", "Kd", "9c", "4h")),
        cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True),
        cmd.Deal(),
        cmd.Hit(box="1"),
    )
    told = []
    for command in commands:
        answer = decide(state, command)
        assert not isinstance(answer, Refusal), answer
        told += [line.text for line in tell_table(state, answer.events)]
        state = answer.state
    text = " ".join(told)
    assert "The cards are dealt face down." in text
    assert "7♥" not in text
    assert "5♠" not in text
    assert "12" not in text.replace("12 to", "")
