"""A certificate of the floor's own, for a floor without a proxy that ends TLS."""

from __future__ import annotations

import ssl
from pathlib import Path

from pitboss.errors import PitbossError


class CertificateError(PitbossError):
    """A certificate with which nobody could be served."""


def check_certificate(certificate: Path | None, key: Path | None) -> None:
    """Refuse a certificate that cannot be used, in one line and before anybody connects."""
    if certificate is None:
        if key is not None:
            raise CertificateError(f"{key}: is the key of no certificate; name it with --tls-certificate")
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        raise CertificateError(f"{certificate}: is no certificate with its key ({error.reason or error})") from None
    except OSError as error:
        raise CertificateError(f"{error.filename or certificate}: cannot be read: {error.strerror}") from None
