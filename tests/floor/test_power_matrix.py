"""Everybody against everything: each role of each book, the roles of the floor, players, guests and spectators ask for
every command of every table and of the floor, and only those get it whom the book names, or above.

What is expected is written here a second time: which powers an order rests on, and what holds where a book has none of
them; the role of each power and the ladders are those in `tests/stated`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from floor_simulation import KEY, SimulatedStore
from speeds import few

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.house import HOUSE_ROLES
from pitboss.money import Money
from pitboss.rulebooks import BOOKS as KNOWN_BOOKS
from pitboss.rulebooks import games, load_book, rules_for
from pitboss.server.desk import Desk
from pitboss.server.hub import Connection, Hub
from pitboss.server.live_stream import Answer
from pitboss.server.storage.vault import Vault
from pitboss.table import Limits, Phase
from pitboss.table.messages.askers import HOUSE, Asker
from stated import table as read_stated

PLAYERS = frozenset(
    (
        "arrive", "refuse-cut", "cut", "show-burnt-card", "nominate-box", "show-cards", "place-bet", "remove-bet",
        "insure", "even-money", "surrender", "hit", "stand", "double", "split", "switch", "forfeit", "leave-box",
        "refuse", "retract", "buy-in", "bring-tokens", "leave-table", "ready", "go-along", "press-button",
        "call-dispute",
    )
)  # fmt: skip
"""What is a player's own to ask for."""

DEALERS = frozenset(
    (
        "load-shoe", "bring-shoe", "key-card", "key-cut-card", "correct-card",
        "leave", "shuffle", "offer-cut", "place-cut-card", "settle-by-hand", "miss-feed", "deal", "prize",
        "proceed", "absent", "system-pick", "next-round", "misdeal", "burn-faced", "stray", "surplus", "no-wager",
        "missed-burn", "missed-cut", "missed-shuffle", "first-card", "discard-hand", "press", "stray-press",
        "panel-prize",
    )
)  # fmt: skip
"""What is done with hands, or by chance: nobody's where a machine deals."""

CLOCKS = frozenset({"expire-order", "restart-clock"})

BY_BOTH = frozenset({"load-manager", "pay-manager"})
"""Orders of a dealer which players carry out themselves where a machine deals."""

ORDERS = {
    "order-shuffle": "order-shuffle order-hand-shuffle order-hand-shuffle-at-device | above",
    "riffle": "approve-riffle | nobody",
    "burn-each-round": "burn-each-round | nobody",
    "deal-face-down": "deal-face-down | nobody",
    "replace-cards": "replace-cards replace-cards-before-shuffle | above",
    "report-dropped-cards": "report-dropped-cards | anybody",
    "verify-dropped-cards": "verify-dropped-cards | above",
    "retire-shoe": "| anybody",
    "void": (
        "void-round void-unrecoverable void-for-disruption invalidate-game refund-invalidated void-for-fraud "
        "void-for-device-failure void-device-failure end-round-device-failure void-foreign-card void-for-foreign-card "
        "void-wrong-cards order-shuffle-abnormal | above"
    ),
    "check-device": "check-device | nobody",
    "foreign-card": "void-foreign-card void-for-foreign-card void-wrong-cards | nobody",
    "restart-shoe": "restart-unburned-shoe | nobody",
    "late-insurance": "offer-late-insurance permit-late-insurance | nobody",
    "reconstruct": "reconstruct reconstruct-round reconstruct-deal | nobody",
    "device-failed": "transfer-to-spare-device | nobody",
    "malfunction": "withdraw-jackpot | nobody",
    "repaired": "check-jackpot-equipment | anybody",
    "unregistered": "offer-jackpot-retraction | nobody",
    "forfeit-wagers": "forfeit-for-fraud | nobody",
    "refuse-wager": "refuse-wager refuse-unpayable-wager | nobody",
    "hold-to-minimum": "hold-to-minimum restrict-to-minimum restrict-mid-shoe | nobody",
    "one-box": "hold-to-one-box restrict-to-one-box-minimum | nobody",
    "lift": "| anybody",
    "bar": "bar-from-game exclude-player | nobody",
    "withhold": "withhold-winnings | nobody",
    "release-winnings": "withhold-winnings | nobody",
    "forfeit-winnings": "withhold-winnings | nobody",
    "reserve": "reserve-boxes | nobody",
    "release": "reserve-boxes | nobody",
    "sharers": "restrict-sharers restrict-box-sharing permit-sharing | nobody",
    "side-places": "restrict-blackpot-places | nobody",
    "personal-limits": "personal-limits grant-personal-limits grant-special-limit | nobody",
    "announce-limits": "change-limits raise-minimum | above",
    "limits": "change-limits | above",
    "dispute": "| anybody",
    "ruling": "decide-dispute | above",
    "vacate": "vacate-idle-seat vacate-seat request-seat | nobody",
    "defer-naturals": "defer-natural-payment | nobody",
    "permit": "permit-resplit | nobody",
    "permit-guest": "permit-side-wager admit-supernova-sharer | nobody",
    "require-leave": "admit-supernova-sharer permit-side-wager | nobody",
    "main-bettors-only": "restrict-perfect-pairs restrict-any-pairs restrict-super-match | nobody",
    "boxes": "set-boxes-per-player permit-several-boxes | nobody",
    "two-hands": "require-two-hands | nobody",
    "give-up": "relinquish-box release-boxes | nobody",
    "direct-absent": "direct-absent-hand play-absent-hand | nobody",
    "announce-closing": "close-table | nobody",
    "close-table": "close-table | nobody",
    "on-record": "| above",
    "sign": "display-limits set-limits | anybody",
    "check-equipment": "check-jackpot-equipment | nobody",
    "confirm-prize": "verify-mystery-jackpot determine-suited-aces determine-supernova-prize | nobody",
    "check-cards": "check-cards | nobody",
    "no-more-bets": "close-betting close-bets call-no-more-bets | nobody",
    "dealer": "| anybody",
    "tell": "| anybody",
    "load-manager": "credit-bet-manager | nobody",
    "pay-manager": "cash-out-bet-manager | nobody",
    "confirm-order": "| anybody",
    "withdraw-order": "| anybody",
}
"""Orders: the powers that they rest on, the first of which a book has counts, and who gives them where it has none:
nobody, somebody above the lowest rung, anybody on the ladder."""

FLOOR = {
    "end-factor": "administrator", "give-role": "administrator", "end-role": "administrator",
    "issue-chips": "administrator", "redeem-chips": "administrator", "fill-float": "administrator",
    "require-second-person": "administrator", "open-table": "administrator", "rule-on-dispute": "administrator",
    "confirm-receipt": "inspector", "take-dispute-further": "player", "exclude": "book", "readmit": "book",
    "send-notice": "ladder", "seat-robot": "administrator", "remove-robot": "administrator",
    "end-sessions": "administrator",
}  # fmt: skip
"""Commands of the floor: a role of the floor, whoever excludes by a book, or anybody on the ladder of its table; people
end their own sessions, too."""

VALUES: dict[str, Any] = {
    "player": "ann", "players": ["ann"], "box": "1", "boxes": ["1"], "amount": "10", "wager": "main", "number": 1,
    "minimum": "10", "maximum": "100", "upheld": True, "option": "resplit", "bodies": ["inspector"], "name": "dan",
    "exposed": True, "cards": [], "missing": False, "outcome": "spare", "up": True, "fell": ["1"], "now": True,
    "area": "1", "entropy": "A" * 44, "at": 60, "from_back": 60, "pick": "lucky", "matter": "my ace",
    "reason": "a test", "role": "dealer", "by": "ann", "person": "", "clause": None, "told": [], "shown": True,
    "announced": True, "approved": [],
}  # fmt: skip
GRANTED = "granted"
WRONG_ROLE = re.compile(
    r"may not do this|is not a role of this book|not a player's to ask|the player's own|a machine deals|gives no orders"
    r"|no rule by which|do not hold the role|the clock does this|does this, not a|no \S+ by the book|of the floor$"
    r"|no notice \d+ to the|decides dispute|this book has no|is decided at this table|lets nobody"
)
"""How a refusal reads that is about who asks, or about a power that the book does not have."""


@cache
def list_ladder(book: str) -> tuple[str, ...]:
    return tuple(line.cells["role"] for line in read_stated("roles") if line.book == book)


def rank(book: str, role: str) -> int:
    """House and casino operator are one rank at Resorts World."""
    ladder = list_ladder(book)
    return ladder.index("house" if (book, role) == ("rws", "casino-operator") else role)


def may_give(book: str, tag: str, role: str) -> bool:
    """Whether the books, as they are typed in `tests/stated`, let a role of the ladder give an order."""
    powers, _, silent = ORDERS[tag].partition("|")
    stated = {line.cells["power"]: line.cells["role"] for line in read_stated("powers") if line.book == book}
    found = [stated[power] for power in powers.split() if power in stated]
    if found:
        return rank(book, role) >= rank(book, found[0])
    return {"nobody": False, "above": rank(book, role) > 0, "anybody": True}[silent.strip()]


class Matrix:
    """A floor with one table, and somebody in every role; what is asked is answered and taken back."""

    def __init__(self, game: str, kind: lt.TableKind = lt.TableKind.MACHINE) -> None:
        self.rules = rules_for(game)
        self.book = self.rules.book
        self.chance = random.Random(5)
        self.store = SimulatedStore(self.chance)
        self.desk = Desk(
            self.store, Vault(KEY), clock=lambda: self.now_ms, entropy=lambda: self.chance.randbytes(32), owner="one"
        )
        self.now_ms = 1_000_000
        self.desk.load()
        limits = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))
        self.desk.open_table("t", self.rules, kind=kind, limits=limits, clocks=lt.Clocks(), bank=Money(10_000))
        self.hub = Hub(self.desk, self.list_roles)
        self.people: dict[str, str] = {}
        for role, book in [*((role, self.book) for role in list_ladder(self.book)), *FLOOR_ROLES]:
            name = f"{role}-of-{book or 'floor'}"
            self.people[role] = name
            self.ask_floor(HOUSE, hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#"))
            self.ask_floor(HOUSE, hm.GiveRole(name=name, role=role, book=book))
        for name, kind, hashed in (("ann", "guest", ""), ("bob", "member", "#")):
            add = hm.AddPerson(name=name, kind=hm.PersonKind(kind), password_hash=hashed)
            self.ask_floor(HOUSE, add)
            self.ask_floor(HOUSE, hm.IssueChips(name=name, amount=Money(1000)))
            self.ask("player", name, {"type": "buy-in", "amount": "500"})
            self.ask("player", name, {"type": "ready"})
        assert self.ask("player", "ann", {"type": "call-dispute", "matter": "my ace"}) == GRANTED
        assert self.desk.store_line()

    def list_roles(self, person: str, book: str) -> tuple[str, ...]:
        return tuple(role for role, of in self.desk.house.people[person].roles if of == book)

    def go_to(self, phase: Phase) -> None:
        """Play until the table stands there."""
        for _ in range(400):
            if self.live.table.phase is phase:
                assert self.desk.store_line()
                return
            if self.live.table.phase is Phase.BETTING:
                for name, box in (("ann", "1"), ("bob", "2")):
                    self.ask("player", name, {"type": "place-bet", "box": box, "amount": "10"})
                    self.ask("player", name, {"type": "ready"})
            self.now_ms += 1_000
            self.desk.run_clocks()
        raise AssertionError(f"the table does not get to {phase}")

    @property
    def live(self) -> lt.LiveTable:
        state: lt.LiveTable = self.desk.slots["t"].now.state
        return state

    def ask(self, role: str, person: str, command: dict[str, Any]) -> str:
        """What a client hears who asks a table for something."""
        connection = Connection(person, lambda: None, lambda reason: None)
        self.now_ms += 1
        message = {"type": "ask", "id": str(self.now_ms), "table": "t", "command": command, "role": role}
        self.hub.hear(connection, msgspec.json.encode(message))
        self.desk.store_line()
        answer = msgspec.json.decode(connection.take_frame())[0]
        assert "this is not a command" not in answer.get("reason", ""), (command, answer)
        return GRANTED if answer["type"] == "acknowledged" else answer["reason"]

    def ask_floor(self, by: Asker, command: hm.HouseCommand) -> str:
        heard: list[Answer] = []
        self.now_ms += 1
        self.desk.ask_house(by, str(self.now_ms), command, heard.append)
        self.desk.store_line()
        return getattr(heard[0], "reason", GRANTED)

    def try_out(self, ask: Any) -> str:
        """Ask, and put everything back as it was."""
        slots = {name: (slot, slot.now, slot.durable, dict(slot.ids)) for name, slot in self.desk.slots.items()}
        entries = {stream: list(rows) for stream, rows in self.store.entries.items()}
        kept = (dict(self.desk.balances), dict(self.store.balances), self.now_ms)
        heard = ask()
        self.desk.balances, self.store.balances, self.now_ms = kept
        self.store.entries = entries
        self.desk.slots = {}
        for name, (slot, now, durable, ids) in slots.items():
            slot.now, slot.durable, slot.ids, slot.stopped = now, durable, ids, ""
            self.desk.slots[name] = slot
        return str(heard)


FLOOR_ROLES = (("administrator", ""), ("inspector", ""), ("surveillance", ""))
BOOKS = ("perth", "rws", "star", "star-switch", "melbourne")
GAMES = tuple(next(game for game in games() if rules_for(game).book == book) for book in BOOKS)
PHASES = (Phase.BETTING, Phase.TURNS, Phase.SETTLED)


@pytest.fixture(scope="module", params=few([(game, phase) for game in GAMES for phase in PHASES], 4), ids=str)
def matrix(request: pytest.FixtureRequest) -> Iterator[Matrix]:
    game, phase = request.param
    made = Matrix(game)
    made.go_to(phase)
    return made


def make_command(kind: type[Any]) -> dict[str, Any]:
    """A command of a kind, with everything said that it may say."""
    fields = {name: VALUES[name] for name in kind.__struct_fields__ if name in VALUES}
    if kind.__struct_config__.tag in ("void", "reconstruct", "limits"):
        fields = {name: value for name, value in fields.items() if name not in ("box", "player", "wager", "number")}
    if kind.__struct_config__.tag == "no-wager":
        fields["cards"] = 2
    if kind.__struct_config__.tag in ("key-card", "correct-card"):
        fields["card"] = "Th"
    return {"type": kind.__struct_config__.tag, **fields}


def test_every_book_role_and_kind_of_table_is_in_the_matrix() -> None:
    """A book, a rung of a ladder or a role of the floor that is added is asked for everything from then on."""
    assert set(BOOKS) == set(KNOWN_BOOKS) == {rules_for(game).book for game in games()}
    assert {role for role, _ in FLOOR_ROLES} == set(HOUSE_ROLES)
    for book in BOOKS:
        ladders = {rung.id for game in load_book(book).games for rung in load_book(book).rules(game).ladder}
        assert ladders <= {*list_ladder(book), "casino-operator"}, book
    assert set(lt.TableKind) == {lt.TableKind.MACHINE, lt.TableKind.PERSON, lt.TableKind.PRACTICE}


def test_every_command_is_in_the_matrix() -> None:
    sorted_out = [*PLAYERS, *DEALERS, *CLOCKS, *ORDERS]
    assert len(sorted_out) == len(set(sorted_out))
    assert set(sorted_out) == set(lt.KINDS)
    assert set(FLOOR) == {kind.__struct_config__.tag for kind in hm.FLOOR_COMMANDS}
    stated = {line.cells["power"] for line in read_stated("powers")}
    for tag, powers in ORDERS.items():
        known = [power for power in powers.partition("|")[0].split() if power in stated]
        assert known or not powers.partition("|")[0].split(), f"{tag} rests on no power that a book states"


def test_players_guests_and_spectators_get_what_is_a_players_and_nothing_else(matrix: Matrix) -> None:
    for tag, kind in lt.KINDS.items():
        command = make_command(kind)
        for name in ("ann", "bob"):
            heard = matrix.try_out(lambda name=name, command=command: matrix.ask("player", name, command))
            if tag in PLAYERS | BY_BOTH:
                assert not WRONG_ROLE.search(heard) or tag == "show-burnt-card", (tag, heard)
            else:
                assert heard == "this is not a player's to ask for", (tag, heard)
        for role in ("player", "dealer", *matrix.people):
            heard = matrix.try_out(lambda role=role, command=command: matrix.ask(role, "", command))
            assert heard.startswith("you do not hold the role"), (tag, heard)


def test_nobody_acts_in_a_role_that_they_do_not_hold(matrix: Matrix) -> None:
    for tag, kind in lt.KINDS.items():
        for person in ("ann", "bob", *matrix.people.values()):
            for role in (*matrix.people, "house", "system", "", "*"):
                if matrix.people.get(role) != person:
                    heard = matrix.ask(role, person, make_command(kind))
                    assert heard.startswith("you do not hold the role"), (tag, person, role, heard)


def test_roles_of_the_floor_give_no_orders_at_a_table(matrix: Matrix) -> None:
    for tag, kind in lt.KINDS.items():
        for role, _ in FLOOR_ROLES:
            heard = matrix.ask(role, matrix.people[role], make_command(kind))
            assert heard.startswith("you do not hold the role"), (tag, role, heard)


def test_a_role_of_the_book_gives_the_orders_that_its_book_lets_it(matrix: Matrix) -> None:
    for tag, kind in lt.KINDS.items():
        for role in list_ladder(matrix.book):
            person = matrix.people[role]
            heard = matrix.try_out(lambda r=role, p=person, k=kind: matrix.ask(r, p, make_command(k)))
            if tag in PLAYERS | DEALERS | CLOCKS:
                assert heard != GRANTED, (tag, role)
                assert WRONG_ROLE.search(heard), (tag, role, heard)
            elif may_give(matrix.book, tag, role):
                assert not re.search(r"may not do this|is not a role|gives no orders|no rule by which", heard), (
                    tag, role, heard,
                )  # fmt: skip
            else:
                assert heard != GRANTED, (tag, role)


HAPPENS_ELSEWHERE = frozenset(
    (
        "confirm-prize", "main-bettors-only", "malfunction", "permit-guest", "release", "side-places",
        "verify-dropped-cards",
    )
)  # fmt: skip
"""Orders for which something must have happened that has not happened here, and which say so first."""


@pytest.mark.parametrize("book", BOOKS)
def test_the_rung_below_is_refused_because_of_its_role(book: str) -> None:
    """The matrix bites: whoever stands one rung too low hears that it is their role, in one phase or another."""
    made = []
    for phase in PHASES:
        matrix = Matrix(GAMES[BOOKS.index(book)])
        matrix.go_to(phase)
        made.append(matrix)
    ladder = list_ladder(book)
    checked = 0
    for tag in ORDERS:
        able = [role for role in ladder if may_give(book, tag, role)]
        below = [role for role in ladder if role not in able]
        if not able or not below or tag in HAPPENS_ELSEWHERE:
            continue
        heard = [
            matrix.try_out(lambda m=matrix, r=below[-1], t=tag: m.ask(r, m.people[r], make_command(lt.KINDS[t])))
            for matrix in made
        ]
        assert any("may not do this" in words for words in heard), (tag, below[-1], heard)
        checked += 1
    assert checked >= {"rws": 3}.get(book, 15), checked


BY_HAND = frozenset(
    (
        "bring-shoe", "key-card", "key-cut-card", "deal", "proceed", "next-round", "absent", "prize", "system-pick",
        "miss-feed", "leave",
    )
)  # fmt: skip
"""What whoever deals a real shoe does."""
OF_A_MACHINE = frozenset(
    {"shuffle", "load-shoe", "settle-by-hand", "offer-cut", "place-cut-card", "riffle", "retire-shoe"}
)
"""What means nothing at a real shoe."""


@pytest.mark.parametrize("book", BOOKS)
def test_where_a_person_deals_what_hands_do_is_done_by_whoever_is_on(book: str) -> None:
    matrix = Matrix(GAMES[BOOKS.index(book)], lt.TableKind.PERSON)
    ladder = list_ladder(book)
    on = matrix.people[ladder[0]]
    for tag in BY_HAND | (PLAYERS & {"place-bet", "hit"}):
        heard = matrix.try_out(lambda t=tag: matrix.ask(ladder[0], on, make_command(lt.KINDS[t])))
        assert heard == "nobody deals at this table: a dealer comes on first", (tag, heard)
    assert matrix.ask(ladder[0], on, {"type": "dealer", "name": on}) == GRANTED
    for tag in (*BY_HAND, *OF_A_MACHINE, "buy-in", "leave-table", "ready", "go-along"):
        command = make_command(lt.KINDS[tag])
        for role in ladder:
            heard = matrix.try_out(lambda r=role, c=command: matrix.ask(r, matrix.people[r], c))
            if tag in OF_A_MACHINE:
                assert heard == "the cards of this table come out of a real shoe", (tag, role, heard)
            elif tag not in BY_HAND:
                assert heard == "this is the player's own to ask for", (tag, role, heard)
            elif role == ladder[0]:
                assert "deals at this table" not in heard, (tag, heard)
            else:
                assert heard == f"{on} deals at this table", (tag, role, heard)
        if tag in BY_HAND | OF_A_MACHINE:
            heard = matrix.try_out(lambda c=command: matrix.ask("player", "ann", c))
            assert heard == "this is not a player's to ask for", (tag, heard)
    assert matrix.ask(ladder[0], on, {"type": "bring-shoe"}) == GRANTED


@pytest.mark.parametrize("book", BOOKS)
def test_at_a_practice_table_everybody_may_what_they_may_where_a_machine_deals(book: str) -> None:
    game = GAMES[BOOKS.index(book)]
    made = [Matrix(game), Matrix(game, lt.TableKind.PRACTICE)]
    for matrix in made:
        matrix.go_to(Phase.BETTING)
    for tag, kind in lt.KINDS.items():
        command = make_command(kind)
        for role in (*list_ladder(book), "inspector", "player"):
            heard = [
                matrix.try_out(lambda m=matrix, r=role, c=command: m.ask(r, m.people.get(r, "bob"), c))
                for matrix in made
            ]
            assert (heard[0] == GRANTED) == (heard[1] == GRANTED), (tag, role, heard)


# ---------------------------------------------------------------------- the floor itself


def make_floor_command(tag: str, matrix: Matrix) -> hm.HouseCommand:
    casino = {"type": tag, "name": "ann", "reason": "a test", "game": matrix.rules.game, "role": "inspector"}
    fields: dict[str, Any] = {
        **casino, "table": "t", "amount": "10", "number": 1, "upheld": True, "above": "100", "body": "inspector",
        "minimum": "5", "maximum": "50", "bank": "1000",
    }  # fmt: skip
    if tag == "open-table":
        fields["name"] = "t2"
    if tag in ("give-role", "end-sessions"):
        fields["name"] = "bob"
    if tag == "exclude" and matrix.book != "melbourne":
        del fields["table"]
    kind = next(kind for kind in hm.FLOOR_COMMANDS if kind.__struct_config__.tag == tag)
    known = {name: value for name, value in fields.items() if name in (*kind.__struct_fields__, "type")}
    return hm.convert_house_command(known)


def test_the_floor_itself_answers_whom_it_should(matrix: Matrix) -> None:
    stated = {line.cells["power"]: line.cells["role"] for line in read_stated("powers") if line.book == matrix.book}
    shuts_out = next((stated[power] for power in ("bar-from-game", "exclude-player") if power in stated), None)
    everybody = [("player", "ann"), ("player", "bob"), *matrix.people.items()]
    for tag, who in FLOOR.items():
        command = make_floor_command(tag, matrix)
        for role, person in everybody:
            heard = matrix.try_out(lambda r=role, p=person, c=command: matrix.ask_floor(Asker(r, p), c))
            on_ladder = role in list_ladder(matrix.book)
            if who == "book":
                able = shuts_out is not None and on_ladder and rank(matrix.book, role) >= rank(matrix.book, shuts_out)
            else:
                able = on_ladder if who == "ladder" else role == who
            able = able or (tag, person) == ("end-sessions", "bob")
            if able and tag not in WAITS:
                assert heard == GRANTED, (tag, role, heard)
            else:
                assert heard != GRANTED, (tag, role)


@pytest.mark.parametrize("book", BOOKS)
def test_out_of_the_casino_is_a_power_of_its_own(book: str) -> None:
    """19.3.3 of both books of The Star; the others exclude from a game or a table only."""
    matrix = Matrix(GAMES[BOOKS.index(book)])
    stated = {line.cells["power"]: line.cells["role"] for line in read_stated("powers") if line.book == book}
    named = stated.get("exclude-from-casino")
    order = hm.Exclude(name="ann", game=matrix.rules.game, reason="a test", casino=True)
    for role, person in matrix.people.items():
        heard = matrix.try_out(lambda r=role, p=person: matrix.ask_floor(Asker(r, p), order))
        on_ladder = role in list_ladder(book)
        able = named is not None and on_ladder and rank(book, role) >= rank(book, named)
        assert (heard == GRANTED) == able, (role, heard)
    if named is not None:
        top = list_ladder(book)[-1]
        assert matrix.ask_floor(Asker(top, matrix.people[top]), order) == GRANTED
        bet = {"type": "place-bet", "box": "1", "amount": "10"}
        assert matrix.ask("player", "ann", bet) == "ann may not play here"


WAITS = frozenset({"end-factor", "end-role", "rule-on-dispute", "confirm-receipt",
                   "take-dispute-further", "readmit", "remove-robot"})  # fmt: skip
"""What needs something to have happened before: a factor, a role, chips, a dispute, a notice, an exclusion."""


def test_a_role_by_one_book_is_no_role_by_another() -> None:
    """Two books know a casino supervisor; whoever is one by the one book excludes nobody by the other."""
    matrix = Matrix(GAMES[BOOKS.index("rws")])
    by = Asker("casino-supervisor", matrix.people["casino-supervisor"])
    order = hm.Exclude(name="ann", game="star/blackjack", reason="a test", casino=True)
    assert matrix.ask_floor(by, order) == f"{by.name} is no casino-supervisor by the book star"
