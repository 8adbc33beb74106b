"""Powers at the table: who may use them, what must be said and told first, and how long they last."""

from __future__ import annotations

from typing import Any

import floor_table
import pytest
from shoe_play import Table

from pitboss.money import Money
from pitboss.rulebooks import BOOKS, Rules
from pitboss.rulebooks.model.rules import Authority
from pitboss.table import FloorState, Limits, codec, open_table, results
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import parse_action, words
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.order_words import ORDER_VERBS
from pitboss.table.orders.roles import ACTS, rule
from pitboss.table.state import Phase
from pitboss.table.views import Observer, Viewer, view
from pitboss.table.working import WorkingDraft

RULES = {book: floor_table.rules_of(book) for book in BOOKS}
POWERS = [
    (book, act, name)
    for book in BOOKS
    for act in ACTS
    for name in dict.fromkeys(ACTS[act].powers)
    if name in RULES[book].authority
]


def given_in_full(power: Authority, role: str, **changes: Any) -> od.BurnFaced:
    """An order with everything that any power may ask for; what it orders does not matter here."""
    fields: dict[str, Any] = {"role": role, "person": "jones", "reason": "a reason", "told": power.notify_before}
    return od.BurnFaced(**{**fields, **changes})


def ruling(rules: Rules, act: str, power: Authority, order: cmd.Order) -> ru.Ruled:
    draft = WorkingDraft(open_table(rules))
    rule(draft, order, act, given=power.needs, box="1", player="ann", powers=(power.id,))
    (event,) = draft.events
    assert isinstance(event, ru.Ruled)
    return event


@pytest.mark.parametrize(("book", "act", "name"), POWERS)
def test_a_power_is_for_the_role_that_the_book_names_and_those_above(book: str, act: str, name: str) -> None:
    rules = RULES[book]
    power = rules.authority[name]
    for rung in rules.ladder:
        order = given_in_full(power, rung.id)
        if rules.rank(rung.id) >= rules.rank(power.role):
            event = ruling(rules, act, power, order)
            assert event.clauses == power.clauses
            assert (event.role, event.person, event.reason) == (rung.id, "jones", "a reason")
            assert (event.told, event.power) == (power.notify_before, name)
            assert event.to_tell == tuple(body for body in power.notify_after if body not in power.notify_before)
        else:
            with pytest.raises(Refused) as refused:
                ruling(rules, act, power, order)
            assert refused.value.clauses == power.clauses
            assert power.role in refused.value.reason
    with pytest.raises(Refused):
        ruling(rules, act, power, given_in_full(power, "cleaner"))


@pytest.mark.parametrize(
    ("book", "act", "name"), [item for item in POWERS if RULES[item[0]].authority[item[2]].notify_before]
)
def test_whoever_must_be_told_first_is_told_first(book: str, act: str, name: str) -> None:
    power = RULES[book].authority[name]
    with pytest.raises(Refused, match="told first") as refused:
        ruling(RULES[book], act, power, given_in_full(power, power.role, told=power.notify_before[1:]))
    assert refused.value.clauses == power.clauses


@pytest.mark.parametrize(("book", "act", "name"), [item for item in POWERS if ACTS[item[1]].reason])
def test_a_power_over_players_needs_a_reason(book: str, act: str, name: str) -> None:
    power = RULES[book].authority[name]
    with pytest.raises(Refused, match="reason"):
        ruling(RULES[book], act, power, given_in_full(power, power.role, reason=""))


def test_a_clause_that_gives_nobody_the_power_is_refused_with_those_that_do() -> None:
    table = dealt("star/blackjack")
    refusal = table.no(cmd.Void(role="gaming-manager", clause="10.5"))
    assert "17.8 (casino-supervisor)" in refusal.reason
    assert "19.4 (casino-supervisor)" in refusal.reason


def test_the_page_of_floor_actions_is_what_the_code_says() -> None:
    assert floor_table.PART.read() == floor_table.tables(), "run python tests/tools/floor_table.py"


EXAMPLES = """
!r void
!r void 2 @17.8
!r void player ann because a device @8.8(a)
!r burn-faced
!r burn-faced 3
!r stray
!r stray burnt
!r surplus exposed
!r surplus unexposed
!r no-wager 3
!r check-device
!r foreign-card
!r foreign-card missing
!r missed-burn
!r restart-shoe
!r missed-cut
!r missed-shuffle
!r late-insurance
!r late-insurance ann bob
!r misdeal 1 3 dealer 1a 3
!r reconstruct
!r reconstruct 3 stand
!r reconstruct 3 2 no-switch @17.8
!r discard-hand 2
!r first-card now
!r first-card after
!r device-failed spare
!r device-failed none Ks 4d
!r stray-press 1 ann 25
!r panel-prize 1 ann 25.5
!r malfunction supernova
!r repaired supernova
!r unregistered supernova
!r forfeit-wagers bob because fraud
!r refuse-wager 1 ann
!r refuse-wager 1 ann buster
!r hold-to-minimum ann
!r hold-to-minimum ann further told inspector because he skips @5.11
!r one-box ann
!r one-box ann 2
!r lift ann by jones because it is over
!r bar ann
!r withhold ann
!r release-winnings ann
!r forfeit-winnings ann because it was a device
!r reserve ann 1 2
!r release 1 2
!r sharers 2
!r side-places blackpot 1
!r personal-limits ann 10 500
!r personal-limits ann 10 500 shown
!r announce-limits 25 500
!r announce-limits 25 500 600 because a feast @6.5
!r announce-limits 2 50 600 for buster
!r limits 5 100
!r limits 25 500 620
!r limits 25 500 620 all
!r limits 25 500 now shown because a feast @6.5.1
!r limits 25 500 agreed
!r limits 5 100 unit 5 per player
!r limits 1 50 620 for buster
!r dispute ann because of the count
!r ruling ann for
!r ruling ann against by lee because the count is right
!r vacate ann
!r defer-naturals on
!r defer-naturals off
!r permit resplit announced
!r permit insurance_on_ten off
!r permit-guest bob buster
!r permit-guest bob buster 2
!r require-leave on
!r require-leave off
!r main-bettors-only any-pairs shown
!r main-bettors-only any-pairs off
!r boxes 2
!r boxes 1 ann bob
!r two-hands on
!r two-hands off
!r give-up ann 2
!r check-cards
!r no-more-bets
!r correct-card 3 Td
!r dealer lee
!r tell inspector surveillance
!r absent 1b
!r on-record on
!r sign up
!r sign down
!r check-equipment supernova
!r confirm-prize 1 mystery
!r press 1 ann 20
!r announce-closing 600 because late
!r close-table
!r close-table 620 by jones told surveillance because late @19.8
1 refuse
1b retract ann
1 retract ann supernova
""".strip().splitlines()


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_order_reads_back_as_it_is_written(text: str) -> None:
    command = parse_action(text)
    assert words(command) == text
    assert codec.decode_command(codec.encode(command)) == command


def test_every_verb_of_the_floor_has_an_example() -> None:
    assert {text.split()[1] for text in EXAMPLES if text.startswith("!")} == set(ORDER_VERBS)


# ---------------------------------------------------------------------- tables


def table_with(game: str, limits: Limits | None = None, floor: FloorState | None = None, **choices: Any) -> Table:
    table = Table(game, **choices)
    table.state = open_table(table.state.rules, limits or Limits(Money(10), Money(500)), floor=floor)
    return table


def dealt(game: str, **choices: Any) -> Table:
    table = table_with(game, **choices)
    table.open()
    table.bet()
    table.do(cmd.Deal())
    return table


def play_round(table: Table, *players: str) -> None:
    """A round in which each of these has the minimum on a box of their own."""
    for box, player in enumerate(players, 1):
        table.bet(str(box), player, 10)
    table.round()


# ---------------------------------------------------------------------- held to the minimum


@pytest.mark.parametrize(
    ("game", "role", "clause"),
    [
        ("star/blackjack", "casino-supervisor", "5.10"),
        ("star/switch", "casino-supervisor", "5.11"),
        ("perth/blackjack", "table-games-manager", "3.8"),
        ("melbourne/blackjack", "assistant-casino-manager", "5.12"),
    ],
)
def test_a_player_who_skips_a_round_is_held_to_the_minimum_until_the_reshuffle(
    game: str, role: str, clause: str
) -> None:
    table = table_with(game, Limits(Money(20), Money(500)))
    table.open()
    order = od.HoldToMinimum(role=role, reason="waits for good cards", player="bob")
    assert "every round" in table.no(order).reason
    table.bet("1", "ann", 20)
    table.round()
    assert clause in table.do(order)[0].clauses
    refusal = table.no(cmd.PlaceBet(box="2", player="bob", amount=Money(21)))
    assert clause in refusal.clauses
    least = 10 if game == "star/switch" else 20
    table.bet("2", "bob", least)
    assert clause in table.no(cmd.PlaceBet(box="2", player="bob", amount=Money(1))).clauses
    table.bet("1", "ann", 100)
    table.round()
    table.do(od.MissedShuffle(role=role)) if game != "perth/blackjack" else table.do(cmd.RetireShoe(role=role))
    table.open(2)
    table.bet("2", "bob", 100)


@pytest.mark.parametrize(
    ("game", "role", "clause"),
    [
        ("star/blackjack", "gaming-manager", "5.10"),
        ("star/switch", "gaming-manager", "5.11"),
        ("perth/blackjack", "table-games-manager", "3.8"),
    ],
)
@pytest.mark.parametrize("further", [False, True])
def test_nobody_is_held_to_the_minimum_where_a_device_deals(game: str, role: str, clause: str, further: bool) -> None:
    table = Table(game, card_source="device")
    order = od.HoldToMinimum(role=role, reason="skips rounds", player="bob", told=("inspector",), further=further)
    assert table.no(order).clauses == (clause,)


@pytest.mark.parametrize(("game", "clause"), [("star/blackjack", "5.11"), ("star/switch", "5.12")])
def test_a_gaming_manager_holds_a_player_to_the_minimum_for_further_shoes(game: str, clause: str) -> None:
    """The inspector is told before, and a new shoe does not end it."""
    table = table_with(game, Limits(Money(20), Money(500)))
    table.open()
    table.bet("1", "ann", 20)
    table.round()
    order = od.HoldToMinimum(role="gaming-manager", reason="skips rounds", player="bob", further=True)
    assert "inspector" in table.no(order).reason
    table.do(od.HoldToMinimum(role="gaming-manager", reason="skips", player="bob", further=True, told=("inspector",)))
    table.do(cmd.RetireShoe())
    table.open(2)
    assert clause in table.no(cmd.PlaceBet(box="2", player="bob", amount=Money(30))).clauses
    assert "above" in table.no(od.Lift(role="casino-supervisor", reason="he is sorry", player="bob")).reason
    table.do(od.Lift(role="gaming-manager", reason="he is sorry", player="bob"))
    table.bet("2", "bob", 30)


@pytest.mark.parametrize(
    ("game", "role"), [("star/blackjack", "casino-supervisor"), ("perth/blackjack", "table-games-manager")]
)
def test_nobody_is_held_to_the_minimum_at_a_device(game: str, role: str) -> None:
    table = table_with(game, card_source="device")
    table.open()
    play_round(table, "ann")
    table.no(od.HoldToMinimum(role=role, reason="skips", player="bob"))


def test_the_minimum_must_stand_on_a_sign() -> None:
    table = table_with("star/blackjack", Limits())
    table.open()
    play_round(table, "ann")
    assert "no minimum" in table.no(od.HoldToMinimum(role="casino-supervisor", reason="skips", player="bob")).reason


def test_one_area_at_its_minimum_counts_both_boxes() -> None:
    """Switch 5.13."""
    table = table_with("star/switch", Limits(Money(20), Money(500)))
    table.do(od.OneBox(role="gaming-manager", reason="play", player="ann", box="2", told=("inspector",)))
    assert "5.13" in table.no(cmd.PlaceBet(box="2", player="ann", amount=Money(11))).clauses
    assert "5.13" in table.no(cmd.PlaceBet(box="1", player="ann", amount=Money(10))).clauses
    table.bet("2", "ann", 10)


# ---------------------------------------------------------------------- seats


@pytest.mark.parametrize(
    ("game", "role", "clause", "boxes"),
    [
        ("star/blackjack", "casino-supervisor", "19.9", 9),
        ("star/switch", "casino-supervisor", "19.9", 5),
        ("melbourne/blackjack", "higher-duties-dealer", "32.9", 9),
    ],
)
def test_an_idle_seat_is_given_up_after_three_rounds_at_a_full_table(
    game: str, role: str, clause: str, boxes: int
) -> None:
    table = table_with(game)
    table.open()
    others = [f"p{box}" for box in range(1, boxes)]
    order = od.VacateSeat(role=role, reason="others wait", player="ann")
    table.arrive(ann=boxes)
    play_round(table, *others[: boxes - 2])
    assert "sat out 0 rounds" in table.no(order).reason, "a seat was free: the round does not count"
    table.arrive(**{others[-1]: boxes - 1})
    for number in range(3):
        assert f"sat out {number} rounds" in table.no(order).reason
        play_round(table, *others[: boxes - 2])
    assert clause in table.do(order)[-1].clauses
    assert all(arrival.player != "ann" for arrival in table.state.arrivals)


def test_a_wager_ends_the_idle_rounds() -> None:
    table = table_with("perth/blackjack")
    table.open()
    table.arrive(ann=2)
    order = od.VacateSeat(role="table-games-manager", reason="others wait", player="ann")
    for players in (("bob",), ("bob",), ("bob", "ann"), ("bob",), ("bob",)):
        play_round(table, *players)
    assert "sat out 2 rounds" in table.no(order).reason
    play_round(table, "bob")
    assert "8.3" in table.do(order)[-1].clauses, "in Perth the table need not be full"


def test_reserved_boxes_are_released() -> None:
    table = table_with("star/blackjack")
    table.bet("3", "bob", 10)
    table.do(od.Reserve(role="casino-supervisor", reason="a guest", player="ann", boxes=("1", "2")))
    assert len(table.state.bets) == 1
    assert table.no(cmd.PlaceBet(box="2", player="bob", amount=Money(10))).clauses == ("5.13",)
    table.do(od.Release(role="casino-supervisor", reason="she left", boxes=("2",)))
    table.bet("2", "bob", 10)
    assert table.no(cmd.PlaceBet(box="1", player="bob", amount=Money(10))).clauses == ("5.13",)


# ---------------------------------------------------------------------- side wagers


def test_a_guest_needs_leave_where_the_house_insists_on_it() -> None:
    """Melbourne 15.3.2: a side wager without the player's own main wager."""
    for leave, net in ((False, 0), (True, -5)):
        floor = FloorState(leave_required=True)
        table = table_with("melbourne/blackjack", floor=floor, side_wagers=["perfect-pairs"])
        table.do(cmd.LoadShoe(cards=("9h", "7c", "8h", "Td")))
        if leave:
            table.do(
                od.PermitGuest(role="assistant-casino-manager", reason="a guest", player="bob", wager="perfect-pairs")
            )
        table.bet()
        table.do(cmd.PlaceBet(box="1", player="bob", amount=Money(5), wager="perfect-pairs"))
        table.do(cmd.Deal())
        table.finish()
        assert results(table.state)["1", "bob", "perfect-pairs"] == net


def test_leave_is_only_for_what_needs_it() -> None:
    table = table_with("star/blackjack", side_wagers=["any-pairs"])
    order = od.PermitGuest(role="gaming-manager", reason="a guest", player="bob", wager="any-pairs")
    assert "needs no permission" in table.no(order).reason


def test_a_restriction_to_main_bettors_is_lifted_again() -> None:
    table = table_with("star/switch", side_wagers=["super-match"])
    order = od.MainBettorsOnly(
        role="gaming-manager", reason="disputes", wager="super-match", shown=True, told=("surveillance", "inspector")
    )
    table.do(order)
    assert table.state.floor.main_bettors_only["super-match"][0] == "15.3"
    table.do(
        od.MainBettorsOnly(
            role="gaming-manager", reason="over", wager="super-match", on=False, shown=True,
            told=("surveillance", "inspector"),
        )
    )  # fmt: skip
    assert not table.state.floor.main_bettors_only


# ---------------------------------------------------------------------- closing


@pytest.mark.parametrize(
    ("game", "role", "minutes", "clause"),
    [
        ("perth/blackjack", "table-games-manager", 10, "8.6"),
        ("star/blackjack", "casino-supervisor", 20, "19.8"),
        ("star/switch", "casino-supervisor", 20, "19.8"),
    ],
)
def test_a_table_with_players_closes_when_its_sign_has_stood_long_enough(
    game: str, role: str, minutes: int, clause: str
) -> None:
    table = table_with(game)
    table.open()
    play_round(table, "ann")
    said = {"role": role, "reason": "the night ends"}
    assert "announce" in table.no(od.CloseTable(**said, minute=600)).reason
    table.do(od.AnnounceClosing(**said, minute=600))
    assert f"{minutes - 1} minutes" in table.no(od.CloseTable(**said, minute=599 + minutes)).reason
    table.bet("1", "ann", 10)
    table.do(cmd.Deal())
    if table.state.phase is not Phase.SETTLED:
        assert "finished" in table.no(od.CloseTable(**said, minute=900)).reason
        table.finish()
    assert clause in table.do(od.CloseTable(**said, minute=600 + minutes))[-1].clauses
    table.do(cmd.NextRound())
    assert clause in table.no(cmd.PlaceBet(box="1", player="ann", amount=Money(10))).clauses
    assert "already" in table.no(od.CloseTable(**said, minute=900)).reason


@pytest.mark.parametrize(
    ("game", "role"),
    [
        ("perth/blackjack", "table-games-manager"),
        ("star/blackjack", "casino-supervisor"),
        ("melbourne/blackjack", "higher-duties-dealer"),
    ],
)
def test_an_empty_table_closes_without_notice(game: str, role: str) -> None:
    table = table_with(game)
    table.open()
    table.arrive(ann=1)
    said = {"role": role, "reason": "nobody plays"}
    table.no(od.CloseTable(**said))
    table.do(cmd.Leave(player="ann"))
    table.do(od.CloseTable(**said))
    assert table.state.floor.closed


def test_three_rounds_are_dealt_after_the_notice_and_no_more() -> None:
    """Melbourne 32.8."""
    table = table_with("melbourne/blackjack")
    table.open()
    said = {"role": "higher-duties-dealer", "reason": "the night ends"}
    table.bet("1", "ann", 10)
    table.do(cmd.Deal())
    table.do(od.AnnounceClosing(**said))
    if table.state.phase is not Phase.SETTLED:
        table.finish()
    table.do(cmd.NextRound())
    for left in (3, 2, 1):
        assert f"{left} more rounds" in table.no(od.CloseTable(**said)).reason
        play_round(table, "ann")
    table.bet("1", "ann", 10)
    assert table.no(cmd.Deal()).clauses == ("32.8", "23.5.3")
    table.do(od.CloseTable(**said))
    assert table.state.bets == ()


# ---------------------------------------------------------------------- the rest


def test_an_option_is_permitted_between_rounds_only() -> None:
    """Star 12.5: all players are advised before play starts."""
    table = dealt("star/blackjack")
    order = od.Permit(role="gaming-manager", reason="asked for", option="resplit", announced=True)
    assert "between rounds" in table.no(order).reason
    table.finish()
    table.do(order)
    assert table.state.rules.split_max_hands == 3
    assert "already" in table.no(order).reason
    table.do(od.Permit(role="gaming-manager", reason="over", option="resplit", on=False, announced=True))
    assert table.state.rules.split_max_hands == 2


def test_what_is_not_a_matter_of_leave_cannot_be_permitted() -> None:
    table = table_with("star/blackjack")
    refusal = table.no(od.Permit(role="gaming-manager", reason="why not", option="decks"))
    assert "resplit, insurance_on_ten" in refusal.reason


@pytest.mark.parametrize("game", ["perth/blackjack", "rws/blackjack"])
def test_a_book_without_a_power_gives_it_to_nobody(game: str) -> None:
    table = table_with(game, Limits(Money(10), Money(100)))
    top = table.state.rules.ladder[-1].id
    said: dict[str, Any] = {"role": top, "reason": "a wish"}
    for order in (
        od.Reserve(**said, player="ann", boxes=("1",)),
        od.OneBox(**said, player="ann"),
        od.DeferNaturals(**said),
        od.Withhold(**said, player="ann"),
        od.CheckDevice(**said),
        od.RestartShoe(**said),
    ):
        table.no(order)


def test_withheld_winnings_are_on_record_and_kept() -> None:
    table = table_with("melbourne/blackjack")
    event = table.do(od.Withhold(role="assistant-casino-manager", reason="a device", player="ann", person="lee"))[0]
    assert isinstance(event, ru.Ruled)
    assert (event.person, event.player, event.clauses[0]) == ("lee", "ann", "32.2.3")
    for _ in range(2):
        table.do(cmd.LoadShoe(cards=("Th", "6c", "9s", "Kd", "Ts")))
        table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(20)))
        table.do(cmd.Deal())
        table.do(cmd.Stand(box="1"))
        table.do(cmd.NextRound())
    held = (("ann", Money(40)),)
    seen = {viewer: view(table.state, Observer(viewer, name)).withheld for viewer, name in OBSERVERS}
    assert seen == {Viewer.PLAYER: held, Viewer.SUPERVISOR: held, Viewer.DEALER: held, Viewer.SPECTATOR: ()}
    assert view(table.state, Observer(Viewer.PLAYER, "bob")).withheld == ()
    decided = table.do(od.ReleaseWinnings(role="assistant-casino-manager", reason="nothing found", player="ann"))[-1]
    assert isinstance(decided, ru.WinningsDecided)
    assert (decided.amount, decided.released) == (Money(40), True)
    assert table.state.floor.withheld == ()


OBSERVERS = ((Viewer.PLAYER, "ann"), (Viewer.SUPERVISOR, ""), (Viewer.DEALER, ""), (Viewer.SPECTATOR, ""))
