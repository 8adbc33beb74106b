"""The program on a terminal: what somebody sees who sits before one of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios


def on_a_terminal(columns: int, *arguments: str, rows: int = 50, keys: bool = False, **settings: str) -> list[str]:
    """What the program prints on a terminal of that width, without colours; with `keys` it reads from there too."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    source = "import sys; from pitboss.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", source, *arguments],
        stdout=its,
        stdin=its if keys else subprocess.DEVNULL,
        env={**environment, "TERM": "xterm", **settings},
    )
    os.close(its)
    chunks = []
    while chunk := _read(ours):
        chunks.append(chunk)
    os.close(ours)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", b"".join(chunks).decode())
    return [line.rstrip() for line in text.replace("\r", "").splitlines()]


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other side is closed
        return b""
