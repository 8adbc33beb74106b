"""What the commands of the floor say where the libraries of the server are not installed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from pitboss.errors import PitbossError


@contextlib.contextmanager
def explain_missing_server() -> Iterator[None]:
    """Turn a library that is not there into one line that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pitboss"):
            raise
        raise PitbossError(f"{error.name} is not installed: the floor needs pitboss[server]") from None
