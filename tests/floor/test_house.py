"""The floor's own stream: people, roles by book, second factors, exclusions by power, notices, chips at the cage."""

from __future__ import annotations

import pytest
from house_play import DAN, IVY, MIA, ROOT, STAFF, guest, member, play, refuse

from pitboss.floor import house as ho
from pitboss.floor import house_messages as hm
from pitboss.floor import house_state as hs
from pitboss.floor import ledger as le
from pitboss.floor.live_table import StreamError
from pitboss.floor.second_factor import compute_code, find_step, write_secret
from pitboss.money import Money
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import HOUSE, Asker

SECRET = b"12345678901234567890"


def test_roles_are_held_by_book() -> None:
    give = hm.GiveRole(name="tom", role="dealer", book="perth", reason="hired")
    house = play(member("tom"), (give, ROOT)).house
    assert house.people["tom"].roles == {("dealer", "perth")}
    for role, book, words in (
        ("gaming-manager", "perth", "is not a role of perth"),
        ("dealer", "vegas", "of the books"),
    ):
        assert words in refuse(house, hm.GiveRole(name="tom", role=role, book=book, reason="x"), ROOT)
    ended = play((hm.EndRole(name="tom", role="dealer", book="perth", reason="gone"), ROOT), house=house)
    assert not ended.house.people["tom"].roles


def test_only_the_administrator_gives_roles_and_says_why() -> None:
    house = play(member("tom")).house
    order = hm.GiveRole(name="tom", role="administrator", reason="x")
    assert refuse(house, order, Asker("player", "tom")) == "the administrator does this, not a player"
    assert refuse(house, order, DAN) == "the administrator does this, not a dealer"
    assert refuse(house, order, Asker("administrator", "tom")) == "tom is no administrator of the floor"
    assert refuse(house, hm.GiveRole(name="tom", role="administrator"), ROOT) == "the administrator must give a reason"


def test_the_role_that_a_book_calls_house_is_not_the_house_itself() -> None:
    """Resorts World's ladder has a role `house`; it runs tables, not the server."""
    house = play((hm.GiveRole(name="dan", role="house", book="rws"), HOUSE)).house
    order = hm.GiveRole(name="dan", role="administrator", reason="x")
    assert refuse(house, order, Asker("house", "dan")) == "the administrator does this, not a house"


def test_a_guest_holds_no_role() -> None:
    order = hm.GiveRole(name="gus", role="administrator", reason="x")
    assert refuse(play(guest("gus")).house, order, ROOT) == "a guest holds no role"


@pytest.mark.parametrize("name", ["dealer", "player", "gaming-manager", "two words", "a/b", "a:b", "", "x" * 41])
def test_names_that_mean_something_else_are_refused(name: str) -> None:
    refuse(hs.HouseState(), hm.AddPerson(name=name, kind=hm.PersonKind.GUEST), HOUSE)


def test_nobody_takes_the_name_of_another() -> None:
    assert "choose another name" in refuse(play(guest("gus")).house, *guest("gus"))


def test_chips_come_from_the_cage_and_go_back_to_it() -> None:
    house = play(guest("gus")).house
    issued = play((hm.IssueChips(name="gus", amount=Money(100), reason="a buy-in"), ROOT), house=house)
    assert issued.transfers == (le.Transfer(le.CAGE, "wallet:gus", 100_000_000),)
    redeem = hm.RedeemChips(name="gus", amount=Money("100.5"))
    assert refuse(house, redeem, HOUSE, 100_000_000) == "gus has 100, and this takes 100.5"
    assert "there is no table" in refuse(house, hm.FillFloat(table="t", amount=Money(5), reason="low"), ROOT)


# ---------------------------------------------------------------------- exclusions


def test_the_book_says_who_excludes_and_that_it_holds_at_every_table() -> None:
    house = play(guest("gus")).house
    order = hm.Exclude(name="gus", game="perth/blackjack", reason="signals")
    assert "table-games-manager or above" in refuse(house, order, DAN)
    assert refuse(house, order, Asker("casino-operator", "dan")) == "dan is no casino-operator by the book perth"
    one = hm.Exclude(name="gus", game="perth/blackjack", reason="signals", table="p1")
    assert "at every table" in refuse(house, one, MIA)
    given = play((order, MIA), house=house)
    assert isinstance(given.events[1], hm.OrderGiven)
    assert (given.events[1].number, given.events[1].game, given.events[1].table) == (1, "perth/blackjack", "")
    for table in ("p1", "p2"):
        assert hs.find_exclusion(given.house, "gus", "perth/blackjack", table) is not None
    assert hs.find_exclusion(given.house, "gus", "star/blackjack", "s1") is None
    casino = hm.Exclude(name="gus", game="perth/blackjack", reason="signals", casino=True)
    assert "no rule" in refuse(house, casino, MIA)


def test_who_is_shut_out_of_the_casino_plays_nowhere_until_the_same_book_lets_them() -> None:
    star = Asker("gaming-manager", "mia")
    order = hm.Exclude(name="gus", game="star/blackjack", reason="a device", casino=True)
    house = play(guest("gus"), (order, star)).house
    assert house.people["gus"].exclusions[0].clauses == ("19.3.3", "19.3")
    assert hs.find_exclusion(house, "gus", "melbourne/pontoon", "any") is not None
    assert "by this book" in refuse(house, hm.Readmit(name="gus", game="perth/blackjack", reason="over"), MIA)
    back = play((hm.Readmit(name="gus", game="star/blackjack", reason="over"), star), house=house)
    assert hs.find_exclusion(back.house, "gus", "melbourne/pontoon", "any") is None
    assert [type(given.order) for given in back.house.orders] == [od.Bar, od.Lift]


def test_an_exclusion_needs_a_reason() -> None:
    order = hm.Exclude(name="gus", game="perth/blackjack", reason="")
    assert "must give a reason" in refuse(play(guest("gus")).house, order, MIA)


# ---------------------------------------------------------------------- second factors


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924"), (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)  # fmt: skip
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    """RFC 6238, appendix B, the last six digits of SHA-1."""
    assert compute_code(SECRET, seconds // 30) == code
    assert find_step(SECRET, code, seconds * 1000, 0) == seconds // 30


def test_a_code_is_good_for_the_half_minutes_beside_it_and_never_again() -> None:
    code = compute_code(SECRET, 100)
    assert [find_step(SECRET, code, step * 30_000, 0) for step in (98, 99, 100, 101, 102)] == [
        None,
        100,
        100,
        100,
        None,
    ]
    assert find_step(SECRET, code, 100 * 30_000, 100) is None
    assert find_step(SECRET, "28708é", 100 * 30_000, 0) is None


def test_a_secret_is_written_as_telephones_read_it() -> None:
    assert write_secret(SECRET) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


def test_a_second_factor_counts_once_a_code_was_shown_and_takes_each_code_once() -> None:
    mia, now = Asker("player", "mia"), 3_000_000
    house = play((hm.OfferFactor(name="mia", secret=SECRET), mia)).house
    code = compute_code(SECRET, 100)
    assert "not confirmed" in refuse(house, hm.UseFactor(name="mia", code=code), HOUSE, at_ms=now)
    assert "its owner's own" in refuse(house, hm.ConfirmFactor(name="mia", code=code, recovery=()), DAN, at_ms=now)
    assert "wrong" in refuse(house, hm.ConfirmFactor(name="mia", code="000000", recovery=()), mia, at_ms=now)
    house = play((hm.ConfirmFactor(name="mia", code=code, recovery=("a", "b")), mia), house=house, at_ms=now).house
    factor = house.people["mia"].factor
    assert factor is not None
    assert (factor.since_ms, factor.used) == (now, 100)
    assert "was used" in refuse(house, hm.UseFactor(name="mia", code=code), HOUSE, at_ms=now)
    later = hm.UseFactor(name="mia", code=compute_code(SECRET, 101))
    house = play((later, HOUSE), house=house, at_ms=now).house
    assert "was used" in refuse(house, later, HOUSE, at_ms=now)
    house = play((hm.UseRecovery(name="mia", code_hash="a"), HOUSE), house=house).house
    assert "was used" in refuse(house, hm.UseRecovery(name="mia", code_hash="a"), HOUSE)
    assert "ends it first" in refuse(house, hm.OfferFactor(name="mia", secret=b"x"), mia)
    assert "the administrator does this" in refuse(house, hm.EndFactor(name="mia", reason="lost"), mia)
    house = play((hm.EndFactor(name="mia", reason="lost"), ROOT), house=house).house
    assert house.people["mia"].factor is None
    assert "a guest has no second factor" in refuse(
        play(guest("gus")).house, hm.OfferFactor(name="gus", secret=b"x"), Asker("player", "gus")
    )


# ---------------------------------------------------------------------- what is set, and what is no command


def test_the_amount_that_needs_a_second_person_is_kept_by_the_floor() -> None:
    house = play((hm.RequireSecondPerson(above=Money(100), minutes=5, reason="policy"), ROOT)).house
    assert house.second_person == hs.SecondPerson(100_000_000, 300_000)
    off = hm.RequireSecondPerson(above=None, reason="policy")
    assert play((off, ROOT), house=house).house.second_person is None
    assert "the administrator does this" in refuse(house, off, MIA)
    assert "1 to" in refuse(house, hm.RequireSecondPerson(above=Money(1), minutes=0, reason="policy"), ROOT)


def test_the_inspector_reads_only_what_was_sent_to_them() -> None:
    house = play().house
    assert refuse(house, hm.ConfirmReceipt(number=1), IVY) == "there is no notice 1 to the inspector"


@pytest.mark.parametrize("asked", [None, {}, {"type": "fire-everybody"}, {"type": "give-role", "name": 3}])
def test_what_is_no_command_of_the_floor_is_told_so(asked: object) -> None:
    with pytest.raises(StreamError):
        hm.convert_house_command(asked)


@pytest.mark.parametrize("kind", hm.RECEPTION_COMMANDS)
def test_what_belongs_to_reception_is_no_command_of_the_floor(kind: type[hm.HouseCommand]) -> None:
    with pytest.raises(StreamError):
        hm.convert_house_command({"type": kind.__struct_config__.tag, "name": "mia"})


def test_everybody_of_the_house_holds_a_role_that_exists() -> None:
    for _, role, book in STAFF:
        assert role in (ho.list_roles(book) if book else ho.HOUSE_ROLES)
