"""Passwords that are refused: what everybody tries first, and what was stolen elsewhere."""

from __future__ import annotations

import hashlib
import itertools
from pathlib import Path

import pytest
from floor_server import PASSWORD, Served, serve, take_office

from pitboss.server.client import Client, ClientError
from pitboss.server.people.passwords import (
    COMMON_WORDS,
    KEY_ROWS,
    PLACE_WORDS,
    PasswordFileError,
    StolenPasswords,
    is_easy,
)
from pitboss.server.reception import LEAST_PASSWORD

KNOWN = (
    "123456789012", "1234567890ab", "password1234", "passwordpassword", "Password2024!", "P@ssw0rd12345",
    "qwertyuiop123", "qwertyuiop[]", "1qaz2wsx3edc", "q1w2e3r4t5y6", "1q2w3e4r5t6y", "zxcvbnm123456", "asdfghjkl123",
    "iloveyou1234", "iloveyouforever", "letmein123456", "welcome12345", "administrator", "adminadminadmin",
    "changeme1234", "unbelievable", "basketball23", "football2015", "baseball1234", "sunshine2019", "princess1234",
    "superman1234", "liverpool123", "manunited123", "michaeljordan", "abcdefghijkl", "abcdefg12345", "aaaaaaaaaaaa",
    "111111111111", "abcabcabcabc", "qazwsxedcrfv", "654321654321", "098765432112", "monkeymonkey1", "dragon123456",
    "trustno1trustno1", "starwars1977", "metallica123", "alexander123", "qwerty123456", "qwertyqwerty",
    "1234qwerasdf", "1qazxsw23edc", "computer1234", "internet1234", "blink182blink", "thunder12345", "charlie12345",
    "masterkey123", "secretsecret", "summer2024!!",
)  # fmt: skip
"""Passwords of this length that stand in any list of common ones."""
ENDS = ("", "1", "12", "123", "1234", "12345", "123456", "!", "!!", "1!", "123!", "2019", "2024", "1985", "007", "99")
FINE = (
    PASSWORD, "a staple of my own", "long and fine velvet", "vixen quartz jumble", "kQ7#tR2v!mZx",
    "wombats drink oolong", "yet another password", "a phrase of my own", "another long password",
)  # fmt: skip


@pytest.mark.parametrize("password", KNOWN)
def test_a_common_password_is_refused(password: str) -> None:
    assert is_easy("mia", password)


@pytest.mark.slow
def test_three_thousand_and_more_that_are_made_like_them_are_refused() -> None:
    words = [*COMMON_WORDS, *PLACE_WORDS, *KEY_ROWS]
    made = {word + end for word in words for end in ENDS}
    made |= {first + second for first, second in itertools.product(words[:80], repeat=2)}
    made |= {word * times for word in words for times in (2, 3)} | {word.capitalize() + "2023!" for word in words}
    made |= {word.translate(str.maketrans("aeios", "@310$")) + end for word in words for end in ENDS}
    long = {password for password in made if len(password) >= LEAST_PASSWORD}
    assert len(long) > 3_000
    assert not [password for password in sorted(long) if not is_easy("mia", password)]


@pytest.mark.parametrize("name", ["wilhelmina", "Wilhelmina Voss", "w.voss-brandt"])
def test_ones_own_name_makes_no_password(name: str) -> None:
    for password in (f"{name}{name}", f"{name.upper()}2024", f"pitboss{name}1"):
        assert is_easy(name, password), password


@pytest.mark.parametrize("password", FINE)
def test_a_password_of_ones_own_is_taken(password: str) -> None:
    assert not is_easy("mia", password)


def write_list(path: Path, passwords: list[str], end: str = ":7\r\n") -> StolenPasswords:
    hashes = sorted(hashlib.sha1(text.encode()).hexdigest().upper() for text in passwords)
    path.write_bytes("".join(f"{text}{end}" for text in hashes).encode())
    return StolenPasswords(path)


@pytest.mark.parametrize("count", [1, 2, 3, 1000])
@pytest.mark.parametrize("end", [":7\r\n", "\n", ":123456\n"])
def test_every_stolen_password_of_a_file_is_found_and_no_other(tmp_path: Path, count: int, end: str) -> None:
    known = [f"stolen {number}" for number in range(count)]
    stolen = write_list(tmp_path / "stolen.txt", known, end)
    assert all(password in stolen for password in known)
    assert not any(f"mine {number}" in stolen for number in range(200))


def test_a_stolen_password_is_refused_where_there_is_a_list(tmp_path: Path) -> None:
    write_list(tmp_path / "stolen.txt", ["vixen quartz jumble", "other"])

    async def story(served: Served) -> None:
        root = await take_office(served)
        person = {"name": "dan", "password": "vixen quartz jumble", "reason": "hired"}
        with pytest.raises(ClientError, match="was stolen somewhere"):
            await root.post("/api/people", person)
        await root.post("/api/people", {**person, "password": "vixen quartz jungle"})
        await (await Client.enter(served.address, "dan", "vixen quartz jungle")).close()
        await root.close()

    serve(tmp_path, story, stolen_passwords=tmp_path / "stolen.txt")


@pytest.mark.parametrize("text", ["", "password\n", "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8\n"])
def test_a_file_that_is_no_such_list_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "list").write_text(text)
    with pytest.raises(PasswordFileError, match="is no list of SHA-1 hashes"):
        StolenPasswords(tmp_path / "list")
    with pytest.raises(PasswordFileError, match="cannot be read"):
        StolenPasswords(tmp_path / "nowhere")
