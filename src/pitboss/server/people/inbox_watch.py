"""The inbox of the inspector and of surveillance, sent to them as it changes.

Whoever holds the role follows it over the WebSocket: first what is there, then every notice when it comes and when
somebody has confirmed it. A notice is sent whole under its number, so that one that comes twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import HouseState, InboxNotice
from pitboss.floor.telling.table_news import INBOXES
from pitboss.server.messages import Complaint, InboxNews, WatchInbox

READ_SENT = 100
"""How many notices that were read already are sent to whoever begins to follow an inbox."""

_ENCODE = msgspec.json.Encoder().encode


class InboxReader(Protocol):
    """A connection, as far as an inbox needs it; see `hub.Connection`."""

    person: str
    staff: bool

    def send(self, message: bytes) -> None:
        """Put an encoded message into the line."""


class InboxWatch:
    """Who follows which inbox."""

    def __init__(self, house: Callable[[], HouseState], roles: Callable[[str, str], tuple[str, ...]]) -> None:
        self.house = house
        self.roles = roles
        """The roles that a person holds by a book; by none, for the whole floor."""
        self.readers: dict[InboxReader, str] = {}

    def start(self, reader: InboxReader, message: WatchInbox) -> None:
        """Somebody follows their inbox from now on."""
        if message.role not in INBOXES or not self._may_read(reader, message.role):
            reader.send(_ENCODE(Complaint(f"you do not hold the role {message.role[:40]}: you have no such inbox")))
            return
        self.readers[reader] = message.role
        own = [notice for notice in self.house().notices.values() if notice.body == message.role]
        read = [notice for notice in own if notice.received_by]
        self._send(reader, message.role, [notice for notice in own if not notice.received_by] + read[-READ_SENT:])

    def start_over(self) -> None:
        """It is not known what was missed: everybody is told again."""
        for reader, role in list(self.readers.items()):
            self.start(reader, WatchInbox(role))

    def leave(self, reader: Any) -> None:
        """Somebody is gone."""
        self.readers.pop(reader, None)

    def hear(self, events: Iterable[hm.HouseEvent]) -> None:
        """Something has happened on the floor, and is stored."""
        if not self.readers:
            return
        house = self.house()
        numbers = [event.number for event in events if isinstance(event, hm.NoticeSent | hm.NoticeReceived)]
        changed = [house.notices[number] for number in numbers if number in house.notices]
        for reader, role in list(self.readers.items()):
            own = [notice for notice in changed if notice.body == role]
            if not self._may_read(reader, role):
                del self.readers[reader]
            elif own:
                self._send(reader, role, own)

    def _may_read(self, reader: InboxReader, role: str) -> bool:
        return bool(reader.person) and reader.staff and role in self.roles(reader.person, "")

    def _send(self, reader: InboxReader, role: str, notices: list[InboxNotice]) -> None:
        reader.send(_ENCODE(InboxNews(role, tuple(sorted(notices, key=lambda notice: notice.number)))))
