"""Two speeds of the suite: `make quick` takes a few cases of a long list, `make test` all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], every: int) -> list[Any]:
    """The cases of a parameter, all but each `every`th of them marked slow."""
    return [case if n % every == 0 else pytest.param(case, marks=pytest.mark.slow) for n, case in enumerate(cases)]
