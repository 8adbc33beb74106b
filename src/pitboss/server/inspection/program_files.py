"""The program's own files: their digest, which every round is stored with, and what has changed in them since."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import pitboss

KINDS = (".py", ".toml", ".csv", ".json")
"""Files that decide anything: code, rulebooks, registers, and numbers that were worked out beforehand."""


def read_program_files(package: Path = Path(pitboss.__file__).parent) -> dict[str, str]:
    """The SHA-256 of each file of the program, as it lies on the disk now."""
    found = {}
    for folder, _, names in os.walk(package):
        below = Path(folder).relative_to(package).as_posix()
        for name in names:
            if name.endswith(KINDS):
                with open(os.path.join(folder, name), "rb") as file:
                    found[f"{below}/{name}".removeprefix("./")] = hashlib.sha256(file.read()).hexdigest()
    return dict(sorted(found.items()))


def digest_files(files: Mapping[str, str]) -> str:
    """One digest over all of them."""
    digest = hashlib.sha256()
    for name, own in sorted(files.items()):
        digest.update(name.encode() + b"\0" + bytes.fromhex(own))
    return digest.hexdigest()


def list_changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """What happened to each file that is not as it was, a line each."""
    found = []
    for name in sorted({*before, *now}):
        if name not in now:
            found.append(f"{name} is gone")
        elif name not in before:
            found.append(f"{name} is new")
        elif before[name] != now[name]:
            found.append(f"{name} is another")
    return found
