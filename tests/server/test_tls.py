"""A floor with a certificate of its own, and under names of its own."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from floor_server import Served, serve

from pitboss.cli import main
from pitboss.server.client import Client, ClientError, call
from pitboss.server.serving import ServeError, is_loopback, read_address
from pitboss.server.web.bounds import Bounds
from pitboss.server.web.tls import CertificateError, check_certificate


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "floor.pem", folder / "floor-key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return certificate, secret


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_a_floor_with_a_certificate_speaks_tls_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = make_certificate(tmp_path)

    async def story(served: Served) -> None:
        assert f"the floor is open at {served.address}" in served.said
        with pytest.raises(ClientError, match="certificate verify failed"):
            await call(served.address, "GET", "/healthz")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        client = await Client.enter(served.address, "ann")
        table = await client.watch("t")
        await table.ask({"type": "buy-in", "amount": "100"})
        assert table.private["chips"] == "100"
        await client.close()
        host, port = "127.0.0.1", int(served.address.rsplit(":", 1)[1])
        trusting = ssl.create_default_context(cafile=str(certificate))
        answer = await _send(host, port, trusting)
        assert "strict-transport-security: max-age=63072000" in answer
        assert "set-cookie: __host-pitboss_session=" in answer
        assert "; secure" in answer
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await _send(host, port, old)
        with pytest.raises((ConnectionError, AssertionError)):
            assert await _send(host, port, None)

    serve(tmp_path, story, tls_certificate=certificate, tls_key=key)


async def _send(host: str, port: int, context: ssl.SSLContext | None) -> str:
    reader, writer = await asyncio.open_connection(host, port, ssl=context)
    head = f"POST /api/guests HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: 2\r\nConnection: close\r\n\r\n{{}}".encode())
    try:
        return (await reader.read()).decode().lower()
    finally:
        writer.close()


def test_a_certificate_that_cannot_be_used_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, key = make_certificate(tmp_path)
    check_certificate(certificate, key)
    check_certificate(None, None)
    (tmp_path / "empty.pem").write_text("nothing")
    for wrong, why in (
        ((certificate, None), "is no certificate with its key"), ((tmp_path / "empty.pem", key), "is no certificate"),
        ((tmp_path / "nowhere.pem", key), "cannot be read"), ((None, key), "is the key of no certificate"),
    ):  # fmt: skip
        with pytest.raises(CertificateError, match=why):
            check_certificate(*wrong)
    arguments = ["serve", "--port", "0", "--database", str(tmp_path / "x.db"), "--tls-certificate", "nowhere.pem"]
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("pitboss: nowhere.pem: cannot be read")


def test_a_floor_that_others_reach_without_tls_says_so(tmp_path: Path) -> None:
    said: list[bool] = []

    async def story(served: Served) -> None:
        said.append(any("speaks no TLS" in line for line in served.said))

    for number, host in enumerate(("0.0.0.0", "127.0.0.1")):
        (tmp_path / str(number)).mkdir()
        serve(tmp_path / str(number), story, host=host)
        assert said[-1] is not is_loopback(host)


def test_a_floor_with_names_answers_to_no_other(tmp_path: Path) -> None:
    """A name that somebody else points at the floor makes no page of theirs its own."""
    upgrade = (
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )

    async def ask(served: Served, path: str, host: str, more: str = "Connection: close\r\n") -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rsplit(":", 1)[1]))
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{more}\r\n".encode())
        answer = await reader.readline()
        writer.close()
        return answer

    async def story(served: Served) -> None:
        with pytest.raises(ClientError, match="this floor has another name"):
            await call(served.address, "GET", "/api/tables")
        assert b" 421 " in await ask(served, "/api/tables", "evil.example")
        assert b" 403 " in await ask(served, "/ws", "evil.example", upgrade)
        assert b" 200 " in await ask(served, "/api/tables", "floor.example")
        assert b" 101 " in await ask(served, "/ws", "floor.example", upgrade)

    serve(tmp_path, story, bounds=Bounds(host_names=("floor.example",)))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("floor.db", "sqlite:///floor.db"),
        ("postgresql:///floor", "postgresql+psycopg:///floor"),
        ("postgresql://me@localhost/floor", "postgresql+psycopg://me@localhost/floor"),
        ("postgresql://me@/floor?host=/run/pg", "postgresql+psycopg://me@/floor?host=/run/pg"),
        ("postgresql://me@10.0.0.5/floor", "postgresql+psycopg://me@10.0.0.5/floor?sslmode=verify-full"),
        ("postgresql://me@db/floor?a=b", "postgresql+psycopg://me@db/floor?a=b&sslmode=verify-full"),
        ("postgresql://me@db/floor?sslmode=disable", "postgresql+psycopg://me@db/floor?sslmode=disable"),
    ],
)
def test_a_database_at_another_machine_proves_who_it_is_unless_somebody_says_otherwise(typed: str, read: str) -> None:
    assert read_address(typed) == read


def test_what_is_no_address_of_a_database_is_refused_in_one_line() -> None:
    with pytest.raises(ServeError, match="is not the address of a database"):
        read_address("postgresql://me@db:port/floor")
