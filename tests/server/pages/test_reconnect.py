"""The server is killed in the middle of a hand: the page says so, comes back by itself, and the hand goes on."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from browser_floor import Visitors
from browser_play import answer, bet, call_deal, play_out, read_public, wait_for_phase
from playwright.sync_api import expect


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_server(folder: Path, port: int) -> subprocess.Popen[str]:
    """`pitboss serve` as a process of its own, once it is open."""
    command = [
        sys.executable, "-m", "pitboss", "serve", "--database", str(folder / "floor.db"), "--port", str(port),
        "--table", "t=perth/blackjack",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ})
    assert process.stdout is not None
    for line in process.stdout:
        if "is open at" in line:
            return process
    raise AssertionError("the server does not open")


def test_a_killed_server_comes_back_in_mid_hand(tmp_path: Path, visitors: Visitors) -> None:
    visitors.expected = ("ERR_CONNECTION_REFUSED", "WebSocket connection", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
    port = find_port()
    server = start_server(tmp_path, port)
    try:
        page = visitors.come(f"http://127.0.0.1:{port}")
        page.goto("/table/t")
        page.click("[data-act=sit]")
        page.locator("dialog input").wait_for()
        page.click("dialog button.main")
        page.wait_for_selector("[data-act=leave]")
        for _ in range(20):
            bet(page, "1")
            call_deal(page)
            if read_public(page, "phase") == "turns":
                break
            play_out(page)
            wait_for_phase(page, "betting")
        cards = read_public(page, "boxes[0].hands[0].cards")
        server.send_signal(signal.SIGKILL)
        server.wait(10)
        expect(page.locator("pb-shell .frozen")).to_be_visible()
        server = start_server(tmp_path, port)
        expect(page.locator("pb-shell .frozen")).to_be_hidden(timeout=15_000)
        assert read_public(page, "boxes[0].hands[0].cards") == cards
        answer(page, "s", "h")
        wait_for_phase(page, "turns", "settled", "betting")
    finally:
        server.kill()
        server.wait(10)
