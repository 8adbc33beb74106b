"""The mistakes a user can make, told apart from the mistakes of the program.

Every room may raise these and no room needs to know who catches them. The command line shows a
`PitbossError` as one line without a traceback; any other exception is a defect and shows itself
in full. So a message here is a sentence for a person: what was asked, why not, what is allowed.
"""

from __future__ import annotations


class PitbossError(Exception):
    """Something asked for cannot be done as asked; the message is the one line the user sees."""


class CheckFailed(PitbossError):
    """What was to be checked was read without trouble, and is not as it should be."""
