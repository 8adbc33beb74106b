"""How Hypothesis looks for counterexamples: the same examples in every run, so that a failure is a change of ours.

`PITBOSS_FUZZ=1 make test` draws new ones each time; what it finds belongs into the tests as a record.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.register_profile("fuzz", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fuzz" if "PITBOSS_FUZZ" in os.environ else "steady")
