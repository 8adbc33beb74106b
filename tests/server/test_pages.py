"""The plain pages of the server, with forms and without scripts, as somebody meets them who comes in."""

from __future__ import annotations

import asyncio
import base64
import html
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from floor_server import FIRST_PASSWORD, PASSWORD, Served, serve

from pitboss.floor.second_factor import compute_code
from pitboss.server import reception


class Browser:
    """Opens pages, fills in forms and keeps cookies; it sends what browsers send."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.cookies: dict[str, str] = {}
        self.status, self.head, self.page = 0, "", ""

    async def open(self, path: str) -> str:
        return await self._send("GET", path, "")

    async def fill_in(self, path: str, **fields: str) -> str:
        """Send the form on the page, which must be there and have these fields."""
        assert f"action='{path}'" in self.page, self.page
        known = dict(re.findall(r"<input type='hidden' name='(\w+)' value='([^']*)'", self.page))
        for name in fields:
            assert f"name='{name}'" in self.page, name
        return await self._send("POST", path, urlencode({**{k: html.unescape(v) for k, v in known.items()}, **fields}))

    async def _send(self, method: str, path: str, body: str) -> str:
        host = self.served.address.split("//")[1]
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", "Accept: text/html",
                 f"Content-Length: {len(body)}", "Content-Type: application/x-www-form-urlencoded",
                 "Sec-Fetch-Site: same-origin"]  # fmt: skip
        if method == "POST":
            lines.append(f"Origin: {self.served.address}")
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        reader, writer = await asyncio.open_connection(*host.split(":"))
        writer.write("\r\n".join((*lines, "", body)).encode())
        head, _, page = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        self.head, self.page = head.decode().lower(), page.decode()
        self.status = int(self.head.split()[1])
        for name, value in re.findall(r"set-cookie: ([^=]+)=([^;]+)", head.decode(), re.IGNORECASE):
            self.cookies = {name: value}
        assert "text/html" in self.head
        assert "default-src 'self'" in self.head
        assert "<script" not in self.page
        assert " style=" not in self.page
        return html.unescape(re.sub(r"<[^>]+>", " ", self.page))


def show_code(served: Served, page: str, later: int = 0) -> str:
    [secret] = re.findall(r"<code>([A-Z2-7]{32})</code>", page)
    return compute_code(base64.b32decode(secret), served.floor.clock() // 30_000 + later)


def find_link(served: Served) -> str:
    said = next(line for line in served.said if "become its administrator" in line)
    return said.split(served.address)[1]


def test_a_stranger_with_the_printed_link_gets_through(tmp_path: Path, address: str) -> None:
    """Set a password, be told what was wrong with it, take office, get a second factor, and hold the role."""

    async def story(served: Served) -> None:
        browser, link = Browser(served), find_link(served)
        assert "Become the administrator" in await browser.open(link)
        assert "12 characters or more" in browser.page
        for password, why in (("short", "12 to 200 characters"), ("password12345", "easy to guess")):
            assert why in await browser.fill_in("/administrator", name="root", password=password)
            assert browser.status == 409
            assert "value='root'" in browser.page, "what was right need not be typed again"
        assert not browser.cookies
        office = await browser.fill_in("/administrator", name="root", password=PASSWORD)
        assert "You are the administrator of this floor, root" in office
        assert "Your role counts when you have a second factor" in office
        assert "href='/second-factor'" in browser.page
        assert "Get a second factor, root" in await browser.open("/second-factor")
        assert "name='password'" not in browser.page, "they have just given it"
        before = dict(browser.cookies)
        await browser.fill_in("/second-factor")
        code = show_code(served, browser.page)
        assert "this code is wrong" in await browser.fill_in("/second-factor/confirm", code="000000")
        recovery = await browser.fill_in("/second-factor/confirm", code=f" {code} ")
        assert len(re.findall(r"<li><code>[0-9a-f]{28}</code></li>", browser.page)) == 10, recovery
        assert browser.cookies != before, "the session goes on under another token"
        token = next(iter(browser.cookies.values()))
        assert (await served.floor.reception.find_visitor(token)).roles == {("administrator", "")}
        with pytest.raises(reception.SignedOut):
            await served.floor.reception.find_visitor(next(iter(before.values())))
        assert "not good any more" in await Browser(served)._send("POST", "/administrator", f"token={link[-43:]}")

    serve(tmp_path, story, database=address, second_factor=True)


def test_a_member_signs_in_chooses_a_password_and_comes_back_with_a_code(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        office = served.floor.reception
        await office.make_administrator(served.first_token, "root", PASSWORD)
        await office.add_member(reception.Asker("administrator", "root"), "dan", FIRST_PASSWORD, "hired")
        browser = Browser(served)
        for path in ("/second-factor", "/password"):
            assert "you are not signed in" in await browser.open(path)
            assert browser.status == 401
        await browser.open("/sign-in")
        assert "do not match" in await browser.fill_in("/sign-in", name="dan", password="wrong", code="")
        page = await browser.fill_in("/sign-in", name="dan", password=FIRST_PASSWORD, code="")
        assert "Choose a password, dan" in page
        assert "choose a password of your own first" in await browser.open("/second-factor")
        await browser.open("/password")
        assert "do not match" in await browser.fill_in("/password", current="wrong", password=PASSWORD)
        page = await browser.fill_in("/password", current=FIRST_PASSWORD, password=PASSWORD)
        assert "Your password is changed" in page
        assert "You are signed in, dan." in await browser.fill_in("/sign-in", name="dan", password=PASSWORD, code="")
        await browser.open("/second-factor")
        await browser.fill_in("/second-factor")
        secret = browser.page
        await browser.fill_in("/second-factor/confirm", code=show_code(served, secret))
        again = Browser(served)
        await again.open("/sign-in")
        page = await again.fill_in("/sign-in", name="dan", password=PASSWORD, code="")
        assert "a code of your second factor is needed" in page
        code = show_code(served, secret, later=1)
        assert "You are signed in, dan." in await again.fill_in("/sign-in", name="dan", password=PASSWORD, code=code)
        assert "has a second factor" in await _offer_again(again)
        assert any('"event":"sign-in refused","person":"dan"' in line for line in served.logged)

    serve(tmp_path, story, second_factor=True)


async def _offer_again(browser: Browser) -> str:
    await browser.open("/second-factor")
    return await browser.fill_in("/second-factor")


def test_a_link_that_is_not_good_any_more_says_so(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        browser = Browser(served)
        await browser.open("/administrator?token=made-up")
        page = await browser.fill_in("/administrator", name="eve", password=PASSWORD)
        assert "this link is not good any more" in page
        assert browser.status == 401
        assert "<b>" not in (await browser.open("/administrator?token=%3Cb%3E"))
        assert "&lt;b&gt;" in browser.page

    serve(tmp_path, story)


def test_every_form_that_people_are_led_to_opens(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        browser = Browser(served)
        for path in ("/sign-in", "/password", "/second-factor"):
            await browser.open(path)
            assert browser.status in (200, 401), path
            assert re.search(r"<link rel='stylesheet' href='/site/[0-9a-f]{16}/en/base/tokens.css'>", browser.page)

    serve(tmp_path, story)


def test_forms_of_another_site_are_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        body = urlencode({"name": "root", "password": PASSWORD, "token": served.first_token})
        reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rsplit(":", 1)[1]))
        lines = ["POST /administrator HTTP/1.1", "Host: x", "Origin: http://evil.example", "Connection: close",
                 "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]  # fmt: skip
        writer.write("\r\n".join((*lines, "", body)).encode())
        assert b" 403 " in await reader.read()
        writer.close()
        assert not served.floor.desk.house.people

    serve(tmp_path, story)
