"""Sessions as they are stored, each with a proof that only somebody with the floor's key can write.

Nothing in the log says who is signed in, so a session could be changed unseen, or made for somebody who never signed
in. A row whose proof is wrong is nobody's session, and the audit names it.
"""

from __future__ import annotations

import hmac

import msgspec
from msgspec.structs import replace

from pitboss.server.storage.vault import Vault


class SessionRow(msgspec.Struct, frozen=True):
    """Somebody who is signed in: the hash of their token, and until when it is good."""

    token_hash: str
    person: str
    role: str
    began_ms: int
    until_ms: int
    proof: str = ""


def prove_session(session: SessionRow, vault: Vault) -> SessionRow:
    """The session with its proof."""
    return replace(session, proof=_prove(session, vault))


def is_proven(session: SessionRow, vault: Vault) -> bool:
    """The session is as this floor has written it."""
    return hmac.compare_digest(session.proof.encode(), _prove(session, vault).encode())


def _prove(session: SessionRow, vault: Vault) -> str:
    told = (session.token_hash, session.person, session.role, session.began_ms, session.until_ms)
    return vault.prove(msgspec.json.encode(told), "session")
