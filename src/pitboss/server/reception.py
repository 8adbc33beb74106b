"""Reception: who somebody is. Passwords, second factors, sessions by token, guests with chips, the first administrator.

A password is kept as its argon2 hash and a session as the hash of its token, so that neither can be read off the
database; the secret of a second factor lies in a row that is encrypted. Whoever has a second factor signs in with it.
Where the floor requires one, a session without it holds no role. The clock is handed in; chance for tokens comes from
the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from urllib.parse import quote

import argon2
import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house as ho
from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import Person
from pitboss.floor.second_factor import DIGITS, SECRET_BYTES, write_secret
from pitboss.money import Money
from pitboss.server.desk import Desk
from pitboss.server.live_stream import Answer, Done, NotDone, Reply
from pitboss.server.people.passwords import StolenPasswords, is_easy
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.session_rows import SessionRow, amend_session, is_proven, prove_session
from pitboss.server.storage.store import Store
from pitboss.table import Refusal
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker

SESSION_MS = 24 * 60 * 60 * 1000
IDLE_MS = 2 * 60 * 60 * 1000
"""How long a member's session lasts that nobody uses; a guest has nothing but their session."""
NOTE_USE_MS = 60_000
"""How often it is noted that a session is in use."""
FRESH_MS = 5 * 60 * 1000
"""For so long after signing in nobody is asked for their password once more."""
FIRST_PASSWORD_MS = 3 * 24 * 60 * 60 * 1000
"""How long a password that somebody else has chosen lets its owner in, where that is limited."""
GUEST_CHIPS = Money(1000)
LEAST_PASSWORD = 12
MOST_PASSWORD = 200
RECOVERY_CODES = 10
RECOVERY_BYTES = 14
"""Codes of 112 random bits need no slow hash."""
MOST_SESSIONS_KEPT = 10_000
ANSWER_S = 10
"""How long an answer of the floor is waited for."""


class SignedOut(PitbossError):
    """Nobody is signed in with this token, or name and password do not match."""


class Declined(PitbossError):
    """The floor has refused what was asked at reception."""


class Unavailable(PitbossError):
    """The floor cannot store anything now."""


class Visitor(msgspec.Struct, frozen=True):
    """Somebody who is signed in."""

    name: str
    roles: frozenset[tuple[str, str]] = frozenset()
    """Role and book; none as long as a second factor is wanting."""
    staff: bool = True
    """The session is good for what staff do."""
    must_change: bool = False
    """Somebody else has chosen the password: nothing is open to them until they have chosen another."""
    session: str = ""
    """By which the person knows this session among their own."""
    fresh: bool = False
    """They have signed in just now."""

    def may_act_as(self, role: str) -> bool:
        """The person holds this role by some book, or for the whole floor."""
        return any(held == role for held, _ in self.roles)


AskHouse = Callable[[Asker, str, hm.HouseCommand, Reply], None]


def hash_token(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def write_link(secret: bytes, name: str) -> str:
    """A secret as a link, which telephones read from a picture."""
    return (
        f"otpauth://totp/pitboss:{quote(name)}?secret={write_secret(secret)}&issuer=pitboss&digits={DIGITS}&period=30"
    )


def name_session(token_hash: str) -> str:
    """By which a person knows a session of theirs; nobody signs in with it."""
    return token_hash[:12]


def is_alive(session: SessionRow, person: Person, now_ms: int) -> bool:
    """The session has not run out, was not ended, and is in use."""
    idle = person.kind is hm.PersonKind.MEMBER and now_ms - max(session.seen_ms, session.began_ms) > IDLE_MS
    return session.until_ms > now_ms and session.began_ms >= person.signed_out_ms and not idle


async def wait_for_answer(ask: Callable[[Reply], None]) -> Answer:
    """Ask, and wait until the answer comes."""
    future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def reply(answer: Answer) -> None:
        if not future.done():
            future.set_result(answer)

    ask(reply)
    return await future


async def _stay() -> None:
    """Where one process serves everything, the floor is known as it is."""


class Reception:
    """Signs people in and out.

    Where several processes serve the floor, `ask` finds the one that serves the floor itself, and `follow` reads on in
    its log.
    """

    def __init__(
        self, desk: Desk, store: Store, ask: AskHouse | None = None, follow: Callable[[], Awaitable[None]] = _stay, *,
        second_factor: bool = False, stolen: StolenPasswords | None = None,
    ) -> None:  # fmt: skip
        self.desk = desk
        self.store = store
        self._ask = ask or desk.ask_house
        self._follow = follow
        self.second_factor = second_factor
        """Staff need a second factor, and everybody a password of their own choice."""
        self.stolen = stolen
        self.hasher = argon2.PasswordHasher()
        self._nobody = self.hasher.hash(secrets.token_hex(16))
        """Checked for names that nobody has, so that an answer takes as long."""
        self._sessions: dict[str, SessionRow] = {}
        self._first_token = ""

    async def ask_house(self, by: Asker, command_id: str, command: hm.HouseCommand) -> Answer:
        """Ask something of the floor and wait for its answer."""
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = await wait_for_answer(lambda reply: self._ask(by, command_id, command, reply))
        except TimeoutError:
            raise Unavailable("the floor does not answer: ask again with the same id") from None
        if isinstance(answer, Done):
            await self._follow()
        return answer

    async def must(self, by: Asker, command: hm.HouseCommand) -> None:
        """Have the floor do something, or raise why it does not."""
        answer = await self.ask_house(by, secrets.token_hex(16), command)
        if isinstance(answer, Refusal):
            raise Declined(answer.why)
        if isinstance(answer, NotDone):
            raise Unavailable(answer.reason)
        assert isinstance(answer, Done)

    # ------------------------------------------------------------------ coming in

    async def admit_guest(self, name: str) -> str:
        """A guest comes in, with play chips; the token of their session."""
        name = name or f"guest-{secrets.token_hex(4)}"
        await self.must(HOUSE, hm.AddPerson(name=name, kind=hm.PersonKind.GUEST))
        await self.must(HOUSE, hm.IssueChips(name=name, amount=GUEST_CHIPS))
        return await self.begin_session(name)

    async def add_member(self, by: Asker, name: str, password: str, reason: str = "") -> None:
        """Somebody gets an account."""
        hashed = await self.hash(name, password)
        await self.must(
            by, hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash=hashed, reason=reason)
        )  # fmt: skip

    async def change_password(self, by: Asker, name: str, password: str, reason: str = "") -> None:
        """Somebody gets a new password."""
        await self.must(by, hm.SetPassword(name=name, password_hash=await self.hash(name, password), reason=reason))

    async def hash(self, name: str, password: str) -> str:
        """The argon2 hash of a password that is long enough and not among the first that anybody tries."""
        if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
            raise Declined(f"a password has {LEAST_PASSWORD} to {MOST_PASSWORD} characters")
        if is_easy(name, password):
            raise Declined("this password is easy to guess: choose one that is not made of common words or your name")
        if self.stolen is not None and await asyncio.to_thread(self.stolen.__contains__, password):
            raise Declined("this password was stolen somewhere and is known: choose another")
        return await asyncio.to_thread(self.hasher.hash, password)

    async def sign_in(
        self, name: str, password: str, code: str = "", before_code: Callable[[], None] = lambda: None
    ) -> str:
        """The token of a new session; `code` is of the second factor, or a recovery code.

        `before_code` is called when the password is right and the code is looked at: it may refuse.
        """
        await self._follow()
        person = await self.check_password(name, password)
        if self._is_first_over(person):
            raise SignedOut("this password was for the first days only: have the administrator choose another")
        if person.factor is not None and person.factor.since_ms:
            before_code()
            await self._take_code(name, code)
        return await self.begin_session(name)

    async def check_password(self, name: str, password: str) -> Person:
        """The person, if this is their password; whoever has none takes as long to be refused."""
        person = self.desk.house.people.get(name)
        kept = person.password_hash if person is not None and person.password_hash else self._nobody
        good = len(password) <= MOST_PASSWORD and await asyncio.to_thread(self._verify, kept, password)
        if not good or person is None or not person.password_hash:
            raise SignedOut("name and password do not match")
        return person

    async def _take_code(self, name: str, code: str) -> None:
        if not code:
            raise SignedOut("a code of your second factor is needed, too")
        own = len(code) == DIGITS and code.isdecimal()
        command = hm.UseFactor(name=name, code=code) if own else hm.UseRecovery(name=name, code_hash=hash_token(code))
        try:
            await self.must(HOUSE, command)
        except Declined as error:
            raise SignedOut(str(error)) from None

    # ------------------------------------------------------------------ second factors

    async def offer_factor(self, name: str) -> tuple[str, str]:
        """The secret of a new second factor, as a text and as a link; it counts once a code of it is shown."""
        secret = secrets.token_bytes(SECRET_BYTES)
        await self.must(Asker(PLAYER, name), hm.OfferFactor(name=name, secret=secret))
        return write_secret(secret), write_link(secret, name)

    async def confirm_factor(self, name: str, code: str) -> list[str]:
        """The first code is shown: the recovery codes, which are told this once."""
        recovery = [secrets.token_hex(RECOVERY_BYTES) for _ in range(RECOVERY_CODES)]
        hashed = tuple(hash_token(text) for text in recovery)
        await self.must(Asker(PLAYER, name), hm.ConfirmFactor(name=name, code=code, recovery=hashed))
        return recovery

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self.hasher.verify(kept, password)
        except argon2.exceptions.VerificationError:
            return False

    async def begin_session(self, name: str) -> str:
        """The token of a new session of somebody who has proven who they are."""
        token, now = secrets.token_urlsafe(32), max(self.desk.clock(), self.desk.house.at_ms)
        session = prove_session(SessionRow(hash_token(token), name, "", now, now + SESSION_MS, now), self.desk.vault)
        await asyncio.to_thread(self.store.add_session, session)
        self._keep(session)
        return token

    def _keep(self, session: SessionRow) -> None:
        """Remember a session; where other processes could end it, it is looked up each time."""
        if self.desk.shared:
            return
        if len(self._sessions) >= MOST_SESSIONS_KEPT:
            self._sessions.clear()
        self._sessions[session.token_hash] = session

    # ------------------------------------------------------------------ being known

    async def find_visitor(self, token: str, *, used: bool = True) -> Visitor:
        """Who is signed in with this token; `used`: they have just done something."""
        hashed = hash_token(token)
        session = self._sessions.get(hashed)
        if session is None:
            session = await asyncio.to_thread(self.store.find_session, hashed)
            if session is None or not is_proven(session, self.desk.vault):
                raise SignedOut("you are not signed in")
            self._keep(session)
        if session.person not in self.desk.house.people:
            await self._follow()
        now, person = self.desk.clock(), self.desk.house.people.get(session.person)
        if person is None or not is_alive(session, person, now):
            raise SignedOut("your session is over: sign in again")
        if used and now - session.seen_ms >= NOTE_USE_MS:
            await self._note_use(session, now)
        factor = person.factor
        proven = factor is not None and 0 < factor.since_ms <= session.began_ms
        must_change = self.second_factor and bool(person.first_password_ms)
        staff = (proven or not self.second_factor) and not must_change
        return Visitor(
            person.name, person.roles if staff else frozenset(), staff, must_change, name_session(hashed),
            now - session.began_ms < FRESH_MS,
        )  # fmt: skip

    async def _note_use(self, session: SessionRow, now: int) -> None:
        with contextlib.suppress(StoreError):
            seen = await self._amend(session, seen_ms=now)
            if seen is not None and seen.until_ms > now:
                self._keep(seen)

    def _is_first_over(self, person: Person) -> bool:
        first = person.first_password_ms
        return self.second_factor and bool(first) and self.desk.clock() - first > FIRST_PASSWORD_MS

    async def list_sessions(self, name: str) -> list[SessionRow]:
        """Everywhere that somebody is signed in, the newest first."""
        now, person = self.desk.clock(), self.desk.house.people[name]
        rows = await asyncio.to_thread(self.store.list_sessions, name, now)
        return [row for row in rows if is_alive(row, person, now)]

    async def end_session(self, name: str, session: str) -> None:
        """End one session of somebody's own."""
        for row in await self.list_sessions(name):
            if name_session(row.token_hash) == session:
                await self._end(row)
                return
        raise Declined(f"you have no session {session[:40]}")

    async def prove(self, visitor: Visitor, password: str) -> None:
        """Ask for the password once more, unless somebody has signed in just now, or has none."""
        person = self.desk.house.people[visitor.name]
        if person.password_hash and not visitor.fresh:
            await self.check_password(visitor.name, password)

    async def sign_out(self, token: str) -> str:
        """End a session; whose it was, if it was somebody's."""
        hashed = hash_token(token)
        session = self._sessions.pop(hashed, None) or await asyncio.to_thread(self.store.find_session, hashed)
        if session is None:
            return ""
        await self._end(session)
        return session.person

    async def _end(self, session: SessionRow) -> None:
        try:
            await self._amend(session, until_ms=self.desk.clock())
        finally:
            self._sessions.pop(session.token_hash, None)

    async def _amend(self, session: SessionRow, **changes: int) -> SessionRow | None:
        """Change a session as it is stored now: somebody who uses it does not undo that it was ended."""
        vault = self.desk.vault
        return await asyncio.to_thread(
            self.store.change_session, session.token_hash, lambda row: amend_session(row, vault, **changes)
        )

    def list_roles_by(self, name: str, book: str) -> tuple[str, ...]:
        """The roles that a person holds by a book; none without a second factor where one is required."""
        person = self.desk.house.people.get(name)
        if person is None or (self.second_factor and (person.factor is None or not person.factor.since_ms)):
            return ()
        return tuple(role for role, of in person.roles if of == book)

    # ------------------------------------------------------------------ the first administrator

    def offer_administration(self) -> str:
        """A one-time token by which somebody becomes the administrator; empty if there is one already."""
        if self._has_administrator():
            return ""
        self._first_token = secrets.token_urlsafe(32)
        return self._first_token

    def _has_administrator(self) -> bool:
        return any((ho.ADMINISTRATOR, "") in person.roles for person in self.desk.house.people.values())

    async def make_administrator(self, offered: str, name: str, password: str) -> str:
        """The first administrator takes office; the token of their session."""
        if not self._first_token or not hmac.compare_digest(offered.encode(), self._first_token.encode()):
            raise SignedOut("this link is not good any more")
        await self._follow()
        if self._has_administrator():
            raise SignedOut("this link is not good any more")
        await self.add_member(HOUSE, name, password)
        await self.must(HOUSE, hm.GiveRole(name=name, role=ho.ADMINISTRATOR, reason="the first administrator"))
        self._first_token = ""
        return await self.begin_session(name)
