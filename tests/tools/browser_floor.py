"""A served floor beside a browser: the floor runs in a thread with a loop of its own, the browser in the test's."""

from __future__ import annotations

import asyncio
import functools
import shutil
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from floor_server import Served, open_floor, take_office
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, sync_playwright

from pitboss.server.client import Client, call

T = TypeVar("T")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE_MS = 8_000
LAPTOP, PHONE, WALL = (1366, 768), (390, 844), (3840, 2160)


def find_chromium() -> str | None:
    """Chromium as Debian installs it."""
    return next(
        (path for path in ("/usr/bin/chromium", shutil.which("chromium")) if path and Path(path).exists()), None
    )


class ThreadedFloor:
    """A floor in a thread of its own; `run` has something done in its loop."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder, self.options = folder, options
        self._ready = threading.Event()
        self._over: asyncio.Event | None = None
        self._failure: BaseException | None = None
        self.admin: Client | None = None
        """The administrator, once somebody has taken office."""
        self.thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> ThreadedFloor:
        self.thread.start()
        self._ready.wait(60)
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self._end)
        self.thread.join(30)

    def _end(self) -> None:
        assert self._over is not None
        self._over.set()

    def _work(self) -> None:
        async def serve() -> None:
            self.loop, self._over = asyncio.get_running_loop(), asyncio.Event()
            async with open_floor(self.folder, **self.options) as served:
                self.served: Served = served
                self.address = served.address
                self._ready.set()
                await self._over.wait()

        try:
            asyncio.run(serve())
        except BaseException as failure:
            self._failure = failure
            self._ready.set()

    def run(self, story: Callable[[Served], Awaitable[T]]) -> T:
        """Have a coroutine done where the floor lives."""

        async def tell() -> T:
            return await story(self.served)

        return asyncio.run_coroutine_threadsafe(tell(), self.loop).result(60)

    def take_office(self) -> Client:
        """The administrator, as a client; use it inside `run` alone."""
        if self.admin is None:
            self.admin = self.run(take_office)
        return self.admin

    def enter(self, name: str, password: str = "") -> str:
        """The token of a session: of a guest, or of a member with a password."""

        async def come_in(served: Served) -> str:
            if password:
                return (await call(served.address, "POST", "/api/sessions", {"name": name, "password": password}))[1]
            return (await call(served.address, "POST", "/api/guests", {"name": name}))[1]

        return self.run(come_in)


class Visitors:
    """Opens pages for people, each in a browser context of their own, and notes what goes wrong on them."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.wrong: list[str] = []
        self.expected: tuple[str, ...] = ()
        """Parts of messages of the console that a test brings about itself."""

    def come(self, address: str, *, token: str = "", size: tuple[int, int] = LAPTOP, theme: str = "night",
             **options: Any) -> Page:  # fmt: skip
        """A page of somebody with an own context; `token` is their session. Nothing is opened yet."""
        width, height = size
        context = self.browser.new_context(
            base_url=address, viewport={"width": width, "height": height}, reduced_motion="reduce",
            color_scheme="dark" if theme == "night" else "light", **options,
        )  # fmt: skip
        context.set_default_timeout(PATIENCE_MS)
        if token:
            context.add_cookies([{"name": "pitboss_session", "value": token, "url": address}])
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()

    def list_wrong(self) -> list[str]:
        """What went wrong on any page and was not expected: errors, and what the Content-Security-Policy refused."""
        return [line for line in self.wrong if not any(part in line for part in self.expected)]


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    path = find_chromium()
    assert path is not None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@functools.cache
def why_no_browser() -> str:
    """Why there is no browser to test with; empty where there is one."""
    if find_chromium() is None:
        return "there is no Chromium on this machine (Debian: chromium)"
    try:
        with open_browser():
            return ""
    except Error as error:
        return f"Chromium does not start: {error.message.splitlines()[0]}"
