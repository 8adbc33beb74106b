"""Which passwords are refused: those that anybody tries first, and those that were stolen somewhere.

There is no list of common passwords here but what such lists are made of: words, names, rows of keys, numbers and
years, one after another, repeated, with the usual signs in place of letters. A password is refused if too little is
left of it without them. Whoever runs the floor may add a file of stolen passwords, as SHA-1 hashes in order.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from pitboss.errors import PitbossError

PLACE_WORDS = (
    "pitboss", "blackjack", "pontoon", "casino", "dealer", "manager", "inspector", "surveillance", "floor", "player",
    "perth", "crown", "melbourne", "star", "sydney", "sentosa", "table", "chips", "jackpot", "administrator", "admin",
)  # fmt: skip
"""Words of this place."""
_COMMON = """
    password passwort passw pass letmein welcome login master secret changeme default access internet computer
    system server user guest test root hello whatever nothing iloveyou love lovely lover sweet honey baby angel
    princess queen king prince forever family mother father sister brother friend friends happy smile sunshine
    summer winter spring autumn monday friday sunday january february march april august september october
    november december flower butterfly rainbow cookie chocolate coffee banana orange apple cherry pepper ginger
    sugar cheese monkey dragon tiger lion eagle falcon wolf horse puppy kitty kitten dolphin panther spider
    turtle panda bear dog cat football baseball basketball soccer hockey tennis golf fishing hunter ranger
    player winner champion superman batman spiderman starwars startrek pokemon naruto matrix gandalf merlin
    phoenix shadow ghost ninja killer warrior soldier captain pirate marine police freedom america england
    london paris berlin germany australia canada mexico brasil india liverpool arsenal chelsea barcelona madrid
    yankees cowboys steelers lakers michael jordan robert daniel andrew joshua thomas matthew anthony william
    charlie george jessica jennifer michelle amanda nicole ashley samantha victoria alexander alexandra maria
    anna jesus christ heaven god blessed mustang ferrari porsche mercedes corvette harley toyota honda yamaha
    samsung google facebook youtube microsoft windows linux android diamond silver golden purple yellow green
    black white blue red music guitar metallica nirvana slipknot eminem money dollar business trustno
    unbelievable qwert abcdef abc xyz zaq xsw monster thunder lightning blink biteme buster bailey maggie peanut
    tigger snoopy mickey donald garfield scooby hannah taylor school student teacher college university number
    one two three four five six seven eight nine you for ever new old big super mega best very good bad cool hot
    real true life live world star moon sun sky fire water home house work office company account online mobile
    phone email mail web site united man men
"""
COMMON_WORDS = tuple(_COMMON.split())
"""Words that passwords are made of anywhere."""
KEY_ROWS = (
    "1234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "azertyuiop",
    "abcdefghijklmnopqrstuvwxyz",
)
"""What lies side by side."""
COLUMNS = (
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
    "q1w2e3r4t5y6u7i8o9p0",
    "1q2w3e4r5t6y7u8i9o0p",
    "qazwsxedcrfvtgbyhnujmikolp",
)
"""Rows of keys that are taken downwards or in turn."""
SHORTEST_RUN = 3
LEAST_OWN = 6
"""So many characters, most of them different, must be left when all that is taken out."""
_LOOKALIKES = str.maketrans("@4301$5!7", "aaeoissit")
_YEAR = re.compile(r"(?:19|20)\d\d")


class PasswordFileError(PitbossError):
    """A file of stolen passwords that cannot be read."""


def _list_runs() -> Iterator[str]:
    for row in (*KEY_ROWS, *COLUMNS):
        for text in (row, row[::-1]):
            for length in range(SHORTEST_RUN, len(text) + 1):
                for at in range(len(text) - length + 1):
                    yield text[at : at + length]


_WORDS = frozenset((*PLACE_WORDS, *COMMON_WORDS, *_list_runs()))


def is_easy(name: str, password: str) -> bool:
    """A password that is made of such words, of the person's own name, or of few characters again and again."""
    own = {part for part in re.split(r"\W+", name.lower()) if len(part) >= SHORTEST_RUN} | {name.lower()}
    left = _take_out(_YEAR.sub("", password.lower()), own)
    return len({sign for sign in left if sign.isalnum()}) < LEAST_OWN


def _take_out(text: str, own: set[str]) -> str:
    """The shortest that is left when such words are taken out."""
    known = _WORDS | own
    longest = max(map(len, known))
    left = [""] * (len(text) + 1)
    for at in reversed(range(len(text))):
        left[at] = text[at] + left[at + 1]
        for end in range(at + 2, min(at + longest, len(text)) + 1):
            part = text[at:end]
            if len(left[end]) < len(left[at]) and not known.isdisjoint((part, part.translate(_LOOKALIKES))):
                left[at] = left[end]
    return left[0]


class StolenPasswords:
    """A file of stolen passwords: SHA-1 in capitals, in order, one on each line, with a count behind a colon or not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.size = path.stat().st_size
            with path.open("rb") as file:
                first = file.readline()
        except OSError as error:
            raise PasswordFileError(f"{path}: cannot be read: {error.strerror}") from None
        if not re.match(rb"[0-9A-F]{40}[:\r\n]", first):
            raise PasswordFileError(f"{path}: is no list of SHA-1 hashes in capitals, one on each line")

    def __contains__(self, password: str) -> bool:
        """Look it up by halves: the file may be large."""
        wanted = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
        low, high = 0, self.size
        with self.path.open("rb") as file:
            while low < high:
                middle = (low + high) // 2
                file.seek(middle)
                if middle:
                    file.readline()
                line = file.readline()[:40]
                if not line or line > wanted:
                    high = middle
                elif line == wanted:
                    return True
                else:
                    low = middle + 1
            file.seek(0)
            return file.readline()[:40] == wanted
