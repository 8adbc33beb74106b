"""Sessions as they are stored, each with a proof that only somebody with the floor's key can write.

Nothing in the log says who is signed in, so a session could be changed unseen, or made for somebody who never signed
in. A row whose proof is wrong is nobody's session, and the audit names it.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from pitboss.server.storage.vault import Vault

PLACE = "session"


class SessionRow(msgspec.Struct, frozen=True):
    """Somebody who is signed in: the hash of their token, and until when it is good."""

    token_hash: str
    person: str
    role: str
    began_ms: int
    until_ms: int
    seen_ms: int = 0
    """When it was last used, about to the minute."""
    proof: str = ""


def prove_session(session: SessionRow, vault: Vault) -> SessionRow:
    """The session with its proof."""
    return replace(session, proof=vault.prove(_write(session), PLACE))


def is_proven(session: SessionRow, vault: Vault) -> bool:
    """The session is as this floor has written it."""
    return vault.is_proof(session.proof, _write(session), PLACE)


def amend_session(session: SessionRow, vault: Vault, **changes: int) -> SessionRow:
    """The session with these changes and a proof of them; one that is not proven stays as it is."""
    return prove_session(replace(session, **changes), vault) if is_proven(session, vault) else session


def _write(session: SessionRow) -> bytes:
    return msgspec.json.encode(replace(session, proof=""))
