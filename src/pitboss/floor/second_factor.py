"""The second factor: codes that change every half minute (TOTP, RFC 6238), computed from a secret that two sides share.

Time is an argument. A code is good for its own half minute and the ones beside it, because clocks differ; which of them
it was good for is given back, so that whoever keeps it can see to it that no code is used twice.
"""

from __future__ import annotations

import base64
import hmac

SECRET_BYTES = 20
STEP_MS = 30_000
DIGITS = 6
STEPS_BESIDE = 1
"""How many half minutes the clock of a telephone may be off."""


def compute_code(secret: bytes, step: int) -> str:
    """The code of a half minute, counted from 1970."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    at = digest[-1] & 15
    number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def find_step(secret: bytes, code: str, at_ms: int, used: int) -> int | None:
    """The half minute that a code is good for now; none if it is wrong, too old, or not after the last one `used`."""
    now = at_ms // STEP_MS
    found = None
    for step in range(now - STEPS_BESIDE, now + STEPS_BESIDE + 1):
        same = hmac.compare_digest(compute_code(secret, step).encode(), code.encode())
        if same and step > used:
            found = step
    return found


def write_secret(secret: bytes) -> str:
    """A secret as people type it into their telephone."""
    return base64.b32encode(secret).decode().rstrip("=")
