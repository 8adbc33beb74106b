"""A floor that is open: store, key, desk, hub and web put together, and run until somebody stops it."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import gc
import ipaddress
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa
import uvicorn

from pitboss.errors import PitbossError
from pitboss.floor import live_table as lt
from pitboss.floor.desks.full_layout import choose_side_wagers
from pitboss.floor.practice import AdviceQuestion
from pitboss.money import Money
from pitboss.rulebooks import games
from pitboss.rulebooks.model.rules import Rules
from pitboss.server.desk import Desk
from pitboss.server.hub import Hub
from pitboss.server.inspection.file_check import FileCheck
from pitboss.server.inspection.program_files import digest_files, read_program_files
from pitboss.server.lab.lab_desk import LabDesk
from pitboss.server.library.used_clauses import UsedClauses
from pitboss.server.logbook import Logbook
from pitboss.server.people.passwords import StolenPasswords
from pitboss.server.processes.links import Links
from pitboss.server.processes.placement import list_tables
from pitboss.server.processes.relay import Relay
from pitboss.server.processes.roster import Roster, run_at_once
from pitboss.server.reception import Reception
from pitboss.server.robots.coach import Coach
from pitboss.server.robots.robot_crew import PACE_S, RobotCrew, seat_robots
from pitboss.server.runner import Runner
from pitboss.server.site.edge_book import EdgeBook
from pitboss.server.steady_clock import SteadyClock, read_steady_ms, read_wall_ms
from pitboss.server.storage.rows import FLOOR
from pitboss.server.storage.store import LeaseLost, Store
from pitboss.server.storage.vault import Vault, load_key
from pitboss.server.web.bounds import Bounds
from pitboss.server.web.services import Services
from pitboss.server.web.socket_protocol import FloorSocketProtocol, make_http_protocol
from pitboss.server.web.tls import check_certificate
from pitboss.server.web.web_app import make_app
from pitboss.table import Limits
from pitboss.table.meters import default_meters

if TYPE_CHECKING:
    from pitboss.odds.advice.advise import Advice

HOST, PORT = "127.0.0.1", 8021
ANYWHERE = ("0.0.0.0", "::")
"""Addresses to listen on that nobody can dial."""
LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))
BANK = Money(100_000)
START_S = 0.1
"""How often a process that starts looks whether another one has opened the tables."""


class ServeError(PitbossError):
    """The floor cannot be opened."""


class TableWish(msgspec.Struct, frozen=True):
    """A table to open: its name, its game, and who deals."""

    name: str
    game: str
    kind: lt.TableKind = lt.TableKind.MACHINE


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a floor is opened with."""

    database: str
    """The address of the database, `sqlite:///...` or `postgresql+psycopg://...`."""
    key: Path
    """The file with the floor's key."""
    host: str = HOST
    port: int = PORT
    clocks: lt.Clocks = lt.Clocks()
    tables: tuple[TableWish, ...] | None = None
    """The tables to open where there are none yet; none: one of each game, and one of each to practise at."""
    bounds: Bounds = Bounds()
    robots: int = 0
    """Robots that fill seats at every table that a machine deals."""
    robot_pace_s: float = PACE_S
    second_factor: bool | None = None
    """Staff need a second factor; none: unless the floor listens on loopback alone."""
    lab: bool = True
    """Whether the floor has a lab; it begins no process until somebody asks it something."""
    link: str = ""
    """Where the other processes of a floor on PostgreSQL reach this one, as HOST or HOST:PORT; the host if empty."""
    stolen_passwords: Path | None = None
    """A file with the SHA-1 of passwords that are known and therefore refused."""
    tls_certificate: Path | None = None
    """The certificate with which the floor itself speaks TLS, and those above it."""
    tls_key: Path | None = None

    @property
    def scheme(self) -> str:
        """How the floor is spoken to."""
        return "http" if self.tls_certificate is None else "https"


def read_address(text: str) -> str:
    """The address of a database: a file, or what SQLAlchemy takes; PostgreSQL is reached by psycopg.

    At another machine PostgreSQL proves who it is, unless the address says otherwise (`sslmode`).
    """
    if "://" not in text:
        return f"sqlite:///{text}"
    if not text.startswith("postgresql://"):
        return text
    address = f"postgresql+psycopg://{text.removeprefix('postgresql://')}"
    try:
        url = sa.make_url(address)
    except (sa.exc.ArgumentError, ValueError):
        raise ServeError("this is not the address of a database, such as postgresql://user@host/name") from None
    host = url.host or ""
    if host and not is_loopback(host) and "sslmode" not in url.query:
        address += f"{'&' if url.query else '?'}sslmode=verify-full"
    return address


def is_loopback(host: str) -> bool:
    """Only this machine can reach what listens on this address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def find_key_file(database: str) -> Path:
    """Where the key of a floor lies unless somebody says otherwise: beside the file of its database."""
    return Path(database).with_suffix(".key") if "://" not in database else Path("floor.key")


class _WebServer(uvicorn.Server):
    """Leaves signals to whoever runs it: a floor has more to close than its sockets."""

    def __init__(self, config: uvicorn.Config, let_go: Callable[[], None]) -> None:
        super().__init__(config)
        self.let_go = let_go

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Questions that take long are given up first: whoever asked has an answer, and nobody is waited for."""
        self.let_go()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Floor:
    """An open floor."""

    def __init__(
        self, settings: Settings, log: Callable[[str], None], logbook: Logbook | None = None, address: str = ""
    ) -> None:
        self.settings = settings
        self.log = log
        self.clock = SteadyClock()
        self.logbook = logbook or Logbook()
        self.logbook.clock = read_wall_ms
        self._server: uvicorn.Server | None = None
        self._lock = _lock_database(settings.database)
        owner = f"{socket.gethostname()} {os.getpid()} {secrets.token_hex(8)}"
        self.store = Store(settings.database, owner)
        if self._lock is not None:
            self.store.free_all()
        key = load_key(settings.key, make=self.store.is_empty())
        self.desk = Desk(
            self.store, Vault(key), clock=self.clock, entropy=lambda: os.urandom(32), owner=owner,
            code_digest=digest_files(read_program_files()), shared=self.store.kind != "sqlite", steady=read_steady_ms,
        )  # fmt: skip
        self.desk.set_clock = self.clock.start_at
        self.roster: Roster | None = None
        self.relay: Relay | None = None
        self.links: Links | None = None
        if self.desk.shared:
            self.roster = self._join(key, address)
        else:
            self.desk.load()
            if not self.desk.tables and not self._open_tables(self._choose_tables()):
                raise ServeError("the tables could not be stored")
        required = settings.second_factor
        if required is None:
            required = not is_loopback(settings.host)
        stolen = None if settings.stolen_passwords is None else StolenPasswords(settings.stolen_passwords)
        self.hub = Hub(self.desk, self._list_roles_by)
        self.hub.logbook = self.logbook
        self.desk.warn = self.logbook.warn
        self.reception = Reception(self.desk, self.store, second_factor=required, stolen=stolen)
        if self.roster is not None and self.links is not None:
            self.relay = Relay(self.hub, self.roster, self.links.post)
            self.relay.cut = self.links.cut
            self.reception = Reception(
                self.desk, self.store, self.relay.ask_house, self._follow, second_factor=required, stolen=stolen
            )
        self.files = FileCheck(self.reception.ask_house, self.clock)
        self.coach = Coach()
        self.lab = LabDesk() if settings.lab else None
        self.edges = EdgeBook(self.coach.find_edge)
        self._thinking: set[asyncio.Task[None]] = set()
        self.hub.advise = self._advise
        ask_house = self.desk.ask_house if self.relay is None else self.relay.ask_house
        self.crew = RobotCrew(self.hub, self.coach, ask_house, settings.robot_pace_s)
        if settings.robots and FLOOR in self.desk.slots:
            seat_robots(self.desk, settings.robots)

    def _list_roles_by(self, name: str, book: str) -> tuple[str, ...]:
        return self.reception.list_roles_by(name, book)

    async def _follow(self) -> None:
        assert self.roster is not None
        if FLOOR not in self.desk.slots:
            await self.roster.follow(asyncio.to_thread)

    def _join(self, key: bytes, address: str) -> Roster:
        """Become one of the processes that serve the floor; the one with the floor itself opens the first tables."""
        host, _, port = self.settings.link.partition(":")
        host = host or self.settings.host
        listener = listen(host, int(port or 0))
        reached = f"{socket.gethostname() if host in ANYWHERE else host}:{listener.getsockname()[1]}"
        roster = Roster(self.desk, self.store, address, reached, self._complain)
        self.links = Links(key, listener, lambda owner: self._find_link(roster, owner))
        first = self._choose_tables() if self.store.is_empty() else []
        while True:
            run_at_once(roster.look())
            known = list_tables(roster.directory)
            if self.desk.tables or any(self.store.find_head(name) for name in known):
                return roster
            if FLOOR not in self.desk.slots or known or not self._open_tables(first or self._choose_tables()):
                time.sleep(START_S)

    @staticmethod
    def _find_link(roster: Roster, owner: str) -> str:
        process = roster.directory.processes.get(owner)
        return process.link if process is not None else ""

    def _choose_tables(self) -> list[tuple[TableWish, Rules]]:
        """The tables to open on a floor that has none, and their rules."""
        chosen = self.settings.tables
        if chosen is None:
            served = [TableWish(game.replace("/", "-"), game) for game in games()]
            lent = [TableWish(f"practice-{wish.name}", wish.game, lt.TableKind.PRACTICE) for wish in served]
            chosen = (*served, *lent)
        rules = {wish.game: choose_side_wagers(wish.game) for wish in chosen}
        return [(wish, rules[wish.game]) for wish in chosen]

    def _open_tables(self, chosen: list[tuple[TableWish, Rules]]) -> bool:
        """Open these tables, all or none."""
        try:
            for wish, rules in chosen:
                self.desk.open_table(
                    wish.name, rules, kind=wish.kind, limits=LIMITS, clocks=self.settings.clocks, bank=BANK,
                    meters=default_meters(rules),
                )  # fmt: skip
        except LeaseLost as lost:
            self.desk.go_back(lost)
            return False
        return self.desk.store_line()

    def _advise(self, question: AdviceQuestion, reply: Callable[[Advice | None], None]) -> bool:
        """Have a question answered while everything else goes on."""
        if self.coach.is_busy:
            return False

        async def think() -> None:
            reply(await self.coach.advise(question))

        task = asyncio.create_task(think())
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)
        return True

    async def serve(self, listener: socket.socket) -> None:
        """Serve until the process is told to stop."""
        runner = Runner(self.desk, self.store, roster=self.roster, complain=self._complain)
        runner.replaced = self.stop
        runner.tell_standing = self.hub.tell_standing
        runner.take_jump = self.clock.take_jump
        bounds = self.settings.bounds
        if self.relay is not None and self.links is not None:
            self.relay.look = self.desk.ready_to_move = runner.look_soon
            self.relay.floor_moved = runner.follow_floor
            await self.links.start(self.relay)
        loop = asyncio.get_running_loop()
        self.hub.streams.later = lambda work: loop.call_later(SHOW_S, work)
        services = Services(
            desk=self.desk, store=self.store, hub=self.hub, reception=self.reception, runner=runner,
            bounds=bounds, files=self.files, coach=self.coach, edges=self.edges, lab=self.lab,
            used_clauses=None if self.lab is None else UsedClauses(self.lab, self.store.read_rounds),
            logbook=self.logbook, relay=self.relay, roster=self.roster,
            secure=not is_loopback(self.settings.host),
        )  # fmt: skip
        config = uvicorn.Config(
            make_app(services),
            ws=FloorSocketProtocol,
            http=make_http_protocol(bounds.request_seconds),
            ws_max_size=4 * bounds.message_bytes,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            forwarded_allow_ips="127.0.0.1,::1",
            limit_concurrency=bounds.connections + bounds.idle_requests,
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=2,
            backlog=4096,
            ssl_certfile=self.settings.tls_certificate,
            ssl_keyfile=self.settings.tls_key,
        )
        host, port = listener.getsockname()[:2]
        address = f"{self.settings.scheme}://{host}:{port}"
        self.log(f"the floor is open at {address}")
        if self.settings.tls_certificate is None and not is_loopback(self.settings.host):
            self.log("others can reach it and it speaks no TLS: put a proxy before it that does, or name a certificate")
        self.logbook.info("open", address=address, database=self.store.kind, tables=len(self.desk.tables))
        token = self.reception.offer_administration()
        if token:
            self.log(f"become its administrator, once: {address}/administrator?token={token}")
        runner.start()
        crew = asyncio.create_task(self.crew.work())
        inspection = asyncio.create_task(self.files.work())
        try:
            self._server = _WebServer(config, self._give_up_questions)
            await self._server.serve(sockets=[listener])
        finally:
            crew.cancel()
            inspection.cancel()
            self.edges.close()
            self.coach.close()
            self._give_up_questions()
            for task in self._thinking:
                task.cancel()
            self.logbook.info("closed")
            await runner.stop()
            if self.links is not None:
                await self.links.stop()
            self.close()

    def _give_up_questions(self) -> None:
        if self.lab is not None:
            self.lab.close()

    def _complain(self, line: str) -> None:
        """Whoever watches the terminal hears it, and whoever reads the logbook."""
        self.log(line)
        self.logbook.error(line)

    def stop(self) -> None:
        """Have `serve` come to an end."""
        if self._server is not None:
            self._server.should_exit = True

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()
        if self._lock is not None:
            self._lock.close()


def _lock_database(address: str) -> IO[str] | None:
    """One process serves a database in a file; the lock is gone with the process, however it ends."""
    url = sa.make_url(address)
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    path = Path(f"{url.database}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = path.open("w")
    except OSError as error:
        raise ServeError(f"{path}: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        raise ServeError(
            f"{url.database}: another process serves this database; with SQLite one may, with PostgreSQL any number"
        ) from None
    return handle


def listen(host: str, port: int) -> socket.socket:
    """The socket on which the floor is reached; port 0 takes any."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise ServeError(f"{host}:{port} cannot be listened on: {error.strerror}") from None
    listener.listen(4096)
    return listener


SHOW_S = 0.04
"""For so long it is gathered what a crowd is shown of a tournament, a promotion or meters."""
YOUNG_OBJECTS = 1_000_000
"""How many new objects the collector lets be before it looks for cycles: states are trees that need none, and a look
at a whole floor takes longer than an acknowledgement may."""


def run_floor(settings: Settings, log: Callable[[str], None], logbook: Logbook) -> None:
    """Open a floor and serve it until the process is told to stop."""
    check_certificate(settings.tls_certificate, settings.tls_key)
    listener = listen(settings.host, settings.port)
    host, port = listener.getsockname()[:2]
    floor = Floor(settings, log, logbook, f"{settings.scheme}://{host}:{port}")
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 50, 50)
    loop_factory: Any = None
    if sys.platform != "win32":
        import uvloop

        loop_factory = uvloop.new_event_loop
    with logbook.take_over_logging(), asyncio.Runner(loop_factory=loop_factory) as runner:
        for number in (signal.SIGINT, signal.SIGTERM):
            runner.get_loop().add_signal_handler(number, floor.stop)
        runner.run(floor.serve(listener))
