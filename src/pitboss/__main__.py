"""`python -m pitboss` is the program `pitboss`."""

from __future__ import annotations

import sys

from pitboss.cli import main

if __name__ == "__main__":
    sys.exit(main())
