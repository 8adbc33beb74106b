"""Live tables: the machine deals, people play at random, and every chip is somewhere after every decision."""

from __future__ import annotations

import pytest
from floor_play import PLAYERS, DealtByHand, RandomTable, rules_with_sides
from speeds import few

from pitboss.floor import ledger as le
from pitboss.floor import live_decisions as ld
from pitboss.floor import live_table as lt
from pitboss.floor.dealing_machine import find_deadline, list_machine_moves
from pitboss.money import Money
from pitboss.rulebooks import games, rules_for
from pitboss.table import Phase, Refusal, decide
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import Asker


@pytest.mark.parametrize("game", few(games(), 5))
def test_every_chip_is_somewhere_and_the_log_folds_to_the_same_table(game: str) -> None:
    table = RandomTable(rules_with_sides(game), seed=7)
    for _ in range(250):
        table.step()
    assert table.live.table.round > 3, "hardly anything was played"
    text, at_ms = table.rows[0]
    granted = lt.fold_opening(lt.decode_row(text), at_ms)
    assert granted.transfers == table.granted[0].transfers
    for (text, at_ms), decided in zip(table.rows[1:], table.granted[1:], strict=True):
        granted = lt.fold_live(granted.live, lt.decode_row(text), at_ms)
        assert granted.transfers == decided.transfers
        assert granted.live == decided.live


@pytest.mark.parametrize("game", ["perth/blackjack", "star/blackjack", "melbourne/blackjack"])
def test_a_void_gives_stakes_back_and_takes_winnings_back(game: str) -> None:
    table = RandomTable(rules_for(game), seed=3)
    role = table.live.table.rules.ladder[-1].id
    voided = 0
    for _ in range(600):
        table.step()
        if table.live.table.phase in (Phase.TURNS, Phase.SETTLED) and table.chance.random() < 0.1:
            order = cmd.Void(role=role, person="eve", reason="a test")
            voided += table.ask_by(order, Asker(role, "eve"))
    assert voided > 3


@pytest.mark.parametrize("game", few(games(), 5))
def test_every_chip_is_somewhere_whatever_is_ordered(game: str) -> None:
    """Voids of this round and the last, winnings withheld, released and forfeit, duties on record."""
    table = RandomTable(rules_with_sides(game), seed=17)
    role = table.live.table.rules.ladder[-1].id
    given: dict[str, object] = {
        "role": role,
        "person": "eve",
        "reason": "a test",
        "told": ("inspector", "surveillance"),
    }
    done: dict[str, int] = {}
    for _ in range(500):
        table.step()
        if table.chance.random() < 0.15:
            player = table.chance.choice(PLAYERS)
            order = table.chance.choice(
                [
                    cmd.Void(**given),
                    cmd.Void(box="1", **given),
                    cmd.Void(player=player, **given),
                    od.Withhold(player=player, **given),
                    od.ReleaseWinnings(player=player, **given),
                    od.ForfeitWinnings(player=player, **given),
                    od.RequireRecord(**given),
                    od.Reconstruct(**given),
                ]
            )
            if table.ask_by(order, Asker(role, "eve")):
                done[type(order).__name__] = done.get(type(order).__name__, 0) + 1
    assert sum(done.values()) > 2, done


def test_nobody_stakes_more_than_lies_before_them() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    table.let_machine_deal()
    assert not table.ask(cmd.PlaceBet(box="1", player="ann", amount=Money("500.5")), "ann")
    assert table.refusals[-1].reason == "ann has 500 at the table, and this takes 500.5"
    assert table.ask(cmd.PlaceBet(box="1", player="ann", amount=Money(500)), "ann")
    assert table.live.purses["ann"] == 0


def test_nobody_brings_more_to_the_table_than_they_have() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    assert not table.ask(lt.BuyIn(player="ann", amount=Money(501)), "ann")
    assert table.refusals[-1].reason == "ann has 500, and this takes 501"


def test_a_wager_is_made_of_chips_that_the_table_has() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    table.let_machine_deal()
    assert not table.ask(cmd.PlaceBet(box="1", player="ann", amount=Money("10.25")), "ann")
    assert "smallest chip" in table.refusals[-1].reason


def test_who_asks_is_who_is_signed_in_whatever_the_command_says() -> None:
    ann = Asker("player", "ann")
    bet = lt.convert_command({"type": "place-bet", "box": "1", "player": "bob", "amount": "10"}, ann)
    assert bet == cmd.PlaceBet(box="1", player="ann", amount=Money(10))
    hit = lt.convert_command({"type": "hit", "box": "1", "by": "bob"}, ann)
    assert hit == cmd.Hit(box="1", by="ann")
    order = lt.convert_command(
        {"type": "bar", "player": "bob", "role": "casino-operator", "person": "eve", "reason": "x"},
        Asker("dealer", "dan"),
    )
    assert isinstance(order, od.Bar)
    assert (order.role, order.person) == ("dealer", "dan")


@pytest.mark.parametrize(
    "asked", [None, [], {}, {"type": 3}, {"type": "no-such"}, {"type": "hit"}, {"type": "hit", "box": 1}]
)
def test_what_is_no_command_is_told_so(asked: object) -> None:
    with pytest.raises(lt.StreamError):
        lt.convert_command(asked, Asker("player", "ann"))


@pytest.mark.parametrize(
    "command",
    [cmd.Deal(), cmd.Proceed(), cmd.NextRound(), cmd.Shuffle(entropy=b"x" * 32), cmd.LoadShoe(cards=("As",))],
)
def test_players_do_not_deal(command: cmd.Command) -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    assert not table.ask(command, "ann")
    assert "player" in table.refusals[-1].reason


def test_staff_choose_no_cards_and_no_prizes_where_a_machine_deals() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    for command in (cmd.Shuffle(entropy=b"x" * 32), cmd.LoadShoe(cards=("As",)), cmd.Hit(box="1")):
        assert not table.ask_by(command, Asker("casino-operator", "eve"))


def test_nobody_doubles_with_the_chips_of_somebody_who_has_not_agreed() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    assert table.ask(lt.GoAlong(player="bob", on=False), "bob")
    double = cmd.Double(box="1", amounts=(("ann", Money(10)), ("bob", Money(10))), by="ann")
    assert not table.ask(double, "ann")
    assert table.refusals[-1].reason == "bob has not said that they go along"


def test_nobody_leaves_with_a_wager_on_the_layout() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    table.let_machine_deal()
    table.ask(cmd.PlaceBet(box="1", player="ann", amount=Money(10)), "ann")
    assert not table.ask(lt.LeaveTable(player="ann"), "ann")
    assert table.ask(cmd.RemoveBet(box="1", player="ann"), "ann")
    assert table.ask(lt.LeaveTable(player="ann"), "ann")
    assert table.balances[le.wallet("ann"), le.Unit.CHIP] == le.to_grains(Money(1000))


def test_the_clock_deals_and_plays_for_those_who_do_not_act() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=2)
    while table.live.table.shoe.asked or not table.live.table.shoe.left:
        table.let_machine_deal()
        table.now_ms += 60_000
    table.ask(cmd.PlaceBet(box="1", player="ann", amount=Money(10)), "ann")
    table.let_machine_deal()
    assert table.live.table.phase is Phase.BETTING
    for _ in range(20):
        if table.live.table.round > 1:
            break
        deadline = find_deadline(table.live)
        assert deadline is not None
        assert not list(list_machine_moves(table.live, deadline - 1, table.entropy))
        table.now_ms = deadline
        table.let_machine_deal()
    assert table.live.table.round == 2


def test_a_table_waits_while_nobody_is_there() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=2)
    for player in PLAYERS:
        assert table.ask(lt.LeaveTable(player=player), player)
    assert find_deadline(table.live) is None
    assert not list(list_machine_moves(table.live, table.now_ms + 10**9, table.entropy))


def test_time_never_goes_back() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=2)
    table.now_ms = 5
    table.ask(lt.CallReady(player="ann"), "ann")
    assert table.live.at_ms == 1_000


def test_a_refusal_says_what_is_legal() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=2)
    answer = ld.decide_live(table.live, ld.Asking(cmd.Deal(), ld.MACHINE, 0))
    assert isinstance(answer, Refusal)
    assert isinstance(decide(table.live.table, cmd.Deal()), Refusal)


def test_where_a_person_deals_it_is_whoever_is_on() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1, kind=lt.TableKind.PERSON)
    dan, eve = Asker("dealer", "dan"), Asker("dealer", "eve")
    assert table.ask_by(od.ChangeDealer(role="dealer", person="dan", name="dan"), dan)
    for other in (eve, Asker("table-games-manager", "mia")):
        assert not table.ask_by(cmd.BringShoe(role=other.role), other)
        assert table.refusals[-1].reason == "dan deals at this table"
    assert table.ask_by(cmd.BringShoe(), dan)
    assert table.ask_by(
        od.ChangeDealer(role="table-games-manager", person="mia", name=""), Asker("table-games-manager", "mia")
    )
    assert not table.ask_by(cmd.BringShoe(), dan)
    assert table.refusals[-1].reason == "nobody deals at this table: a dealer comes on first"
    assert not table.ask_by(cmd.BringShoe(), Asker("inspector", "ivy"))
    assert table.refusals[-1].reason == "an inspector gives no orders at this table"


@pytest.mark.parametrize("game", few(games(), 5))
def test_a_person_deals_and_every_chip_is_somewhere(game: str) -> None:
    """Cards are keyed in, now and then a wrong one, which is corrected; no clock plays for the dealer."""
    table = DealtByHand(rules_with_sides(game), seed=11)
    for _ in range(600):
        table.step()
        assert find_deadline(table.live) is None
    assert table.live.table.round > 3, "hardly anything was played"
    assert table.corrected > 0, "nothing was corrected"
    granted = lt.fold_opening(lt.decode_row(table.rows[0][0]), table.rows[0][1])
    for (text, at_ms), decided in zip(table.rows[1:], table.granted[1:], strict=True):
        granted = lt.fold_live(granted.live, lt.decode_row(text), at_ms)
        assert (granted.transfers, granted.live) == (decided.transfers, decided.live)


@pytest.mark.parametrize(
    "command",
    [
        cmd.Shuffle(entropy=b"e" * 32), cmd.LoadShoe(cards=("Ah",)), cmd.SettleByHand(on=False),
        lt.BuyIn(player="ann", amount=Money(5)), lt.LeaveTable(player="ann"),
    ],
)  # fmt: skip
def test_a_dealer_neither_chooses_the_cards_nor_reaches_into_a_purse(command: lt.AnyTableCommand) -> None:
    table = DealtByHand(rules_for("perth/blackjack"), seed=1)
    assert not table.ask_by(command, table.dan)
    assert "real shoe" in table.refusals[-1].reason or "player's own" in table.refusals[-1].reason


def test_a_double_that_waits_for_its_card_is_paid_for_beforehand() -> None:
    """Somebody without the chips for it is refused when they ask, not when the card is keyed in."""
    table = DealtByHand(rules_for("perth/blackjack"), seed=1, cards=("6h", "7c", "5s", "Td", "Td", "Td"))
    rest = table.live.purses["ann"]
    assert table.ask(cmd.PlaceBet(box="1", player="ann", amount=le.from_grains(rest)), "ann")
    assert table.ask_by(cmd.Deal(), table.dan)
    while table.live.table.shoe.out:
        table.key()
    assert not table.ask(cmd.Double(box="1"), "ann")
    assert table.refusals[-1].reason.startswith("ann has 0 at the table")
    assert not table.live.table.shoe.out


def test_the_minute_of_a_sign_is_that_of_the_clock() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=1)
    mia = Asker("table-games-manager", "mia")
    for at_ms, minute in ((6_000_000, 100), (6_000_001, 101)):
        table.now_ms = at_ms
        announced = od.AnnounceLimits(
            role=mia.role, person="mia", reason="busy", minimum=Money(10), maximum=Money(100), minute=7
        )
        assert table.ask_by(announced, mia)
        sign = table.live.table.floor.limit_sign
        assert sign is not None
        assert sign.minute == minute, "a sign that goes up within a minute counts from the next"
