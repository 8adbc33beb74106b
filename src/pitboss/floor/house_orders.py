"""What the floor decides about more than one table: exclusions, orders that hold elsewhere too, notices, disputes.

The scope of an exclusion, or of an order about a person, is the one that the power of the book has: one table, or every
table of the game; out of the casino is a power of its own. `hear_table` gives what follows on the floor from what was
decided at a table.
"""

from __future__ import annotations

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import HouseState, InboxNotice, find_exclusion
from pitboss.floor.live_table import AnyTableCommand, BuyIn, LiveTable
from pitboss.floor.telling.table_news import INBOXES, PersonalOrder, SpanningOrder, TableNews
from pitboss.rulebooks import RulebookError, Rules, load_book, rules_for
from pitboss.table.authority import authorise
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker
from pitboss.table.orders.roles import power_for

TOLD_MS = 24 * 60 * 60 * 1000
"""How long a notice stands for having been told before."""
OUT_OF_CASINO = "exclude-from-casino"
MOST_FILES_TOLD = 5
"""Files that a notice names; the rest are counted."""


def check_role(house: HouseState, by: Asker, book: str) -> None:
    """Refuse somebody who does not hold the role in which they ask, by this book."""
    if by == HOUSE:
        return
    person = house.people.get(by.name)
    if person is None or (by.role, book) not in person.roles:
        raise Refused(f"{by.name} is no {by.role} {f'by the book {book}' if book else 'of the floor'}")


def find_rules(game: str) -> Rules:
    """The rules of a game, for what its book says about people."""
    try:
        return rules_for(game)
    except RulebookError as error:
        raise Refused(str(error)) from None


# ---------------------------------------------------------------------- exclusions


def exclude(
    house: HouseState, command: hm.Exclude, by: Asker, table: hm.TableFacts | None
) -> tuple[hm.HouseEvent, ...]:
    """Somebody may not play any more, as far as the book's power reaches."""
    rules = find_rules(command.game)
    check_role(house, by, rules.book)
    power = rules.authority.get(OUT_OF_CASINO) if command.casino else power_for(rules, "bar", None)
    if power is None:
        raise Refused(f"the book of {command.game} has no rule by which anybody could do this")
    clauses = authorise(rules, by.role, power.id, reason=command.reason, given=("player",))
    one_table = power.scope == "table"
    if one_table and (table is None or table.book != rules.book):
        raise Refused("by this book somebody is excluded from one table: name one of its tables", clauses)
    if not one_table and command.table:
        raise Refused("by this book the exclusion holds at every table: name none", clauses)
    excluded = hm.PersonExcluded(
        name=command.name, game=command.game, book=rules.book, table=command.table, casino=command.casino,
        reason=command.reason, clauses=clauses,
    )  # fmt: skip
    bar = od.Bar(role=by.role, person=by.name, reason=command.reason, player=command.name)
    game = "" if command.casino else command.game
    return excluded, give_order(house, bar, by, game, command.table)


def readmit(house: HouseState, command: hm.Readmit, by: Asker) -> tuple[hm.HouseEvent, ...]:
    """Whoever may exclude by a book may end what was ordered by it."""
    rules = find_rules(command.game)
    check_role(house, by, rules.book)
    shut = [item for item in house.people[command.name].exclusions if item.book == rules.book]
    if not shut:
        raise Refused(f"nothing keeps {command.name} from playing by this book")
    clauses: dict[str, None] = {}
    for casino in {item.casino for item in shut}:
        power = rules.authority.get(OUT_OF_CASINO) if casino else power_for(rules, "bar", None)
        assert power is not None, "an exclusion rests on no power of its book"
        clauses.update(
            dict.fromkeys(authorise(rules, by.role, power.id, reason=command.reason, given=("player",)))
        )  # fmt: skip
    ended: list[hm.HouseEvent] = [
        hm.PersonReadmitted(name=command.name, book=rules.book, reason=command.reason, clauses=tuple(clauses))
    ]
    lift = od.Lift(role=by.role, person=by.name, reason=command.reason, player=command.name)
    for game, table in dict.fromkeys(("" if item.casino else item.game, item.table) for item in shut):
        ended.append(give_order(house, lift, by, game, table, len(ended)))
    return tuple(ended)


def give_order(
    house: HouseState, order: SpanningOrder, by: Asker, game: str, table: str = "", nth: int = 1
) -> hm.OrderGiven:
    """An order for tables, under the next number but `nth`."""
    return hm.OrderGiven(number=len(house.orders) + nth, order=order, by=by, game=game, table=table)


# ---------------------------------------------------------------------- what follows from a table


def hear_table(house: HouseState, news: TableNews) -> tuple[hm.HouseEvent, ...]:
    """What follows on the floor from what was decided at a table: notices, orders that hold elsewhere, entries won."""
    due = house.heard.get(news.table, 0) + 1
    if news.number != due:
        raise Refused(f"the next news of {news.table} have the number {due}, not {news.number}")
    found: list[hm.HouseEvent] = [
        hm.NoticeSent(
            number=number, body=notice.body, table=news.table, book=news.book, text=notice.text, act=notice.act,
            clauses=notice.clauses, by=news.by,
        )
        for number, notice in enumerate(news.notices, len(house.notices) + 1)
    ]  # fmt: skip
    if news.order is not None and not isinstance(news.order, od.TellBodies):
        found += _hold_elsewhere(house, news, news.order)
    if news.dealer is not None:
        found.append(hm.DealerNamed(table=news.table, name=news.dealer))
    found += [
        hm.EntryWon(
            number=number, player=won.player, table=news.table, round=won.round, box=won.box, book=news.book,
            clauses=won.clauses,
        )
        for number, won in enumerate(news.entries, len(house.entries_won) + 1)
    ]  # fmt: skip
    return (*found, hm.TableHeard(table=news.table, number=news.number))


def _hold_elsewhere(house: HouseState, news: TableNews, order: PersonalOrder | od.Lift) -> list[hm.HouseEvent]:
    """An order about a person, for every table of the game; to lift one there must have been one."""
    if isinstance(order, od.Lift) and not _stands(house, news.game, order.player):
        return []
    found: list[hm.HouseEvent] = []
    person = house.people.get(order.player)
    if isinstance(order, od.Bar) and person is not None:
        found.append(
            hm.PersonExcluded(
                name=order.player, game=news.game, book=news.book, table="", casino=False, reason=order.reason,
                clauses=news.clauses,
            )
        )  # fmt: skip
    shut = [] if person is None else [item for item in person.exclusions if item.book == news.book]
    if isinstance(order, od.Lift) and shut and not any(item.casino for item in shut):
        found.append(
            hm.PersonReadmitted(name=order.player, book=news.book, reason=order.reason, clauses=news.clauses)
        )  # fmt: skip
    given = give_order(house, order, news.by, news.game)
    if given.number == news.heard + 1:
        given = msgspec.structs.replace(given, origin=news.table)
    return [*found, given]


def _stands(house: HouseState, game: str, player: str) -> bool:
    """The last order for the tables of a game about this person was not to lift another."""
    last = None
    for given in house.orders:
        if given.game == game and getattr(given.order, "player", "") == player:
            last = given.order
    return last is not None and not isinstance(last, od.Lift)


# ---------------------------------------------------------------------- notices


def send_notice(
    house: HouseState, command: hm.SendNotice, by: Asker, table: hm.TableFacts | None
) -> tuple[hm.HouseEvent, ...]:
    """Somebody tells the inspector or surveillance what is to be done at a table."""
    if table is None:
        raise Refused(f"there is no table {command.table[:40]}")
    check_role(house, by, table.book)
    if command.body not in INBOXES:
        raise Refused(f"'{command.body[:40]}' reads no notices here: {', '.join(INBOXES)}")
    return (
        hm.NoticeSent(
            number=len(house.notices) + 1, body=command.body, table=command.table, book=table.book,
            text=command.reason, act="", clauses=(), by=by,
        ),
    )  # fmt: skip


def confirm_receipt(house: HouseState, command: hm.ConfirmReceipt, by: Asker) -> tuple[hm.HouseEvent, ...]:
    """Whom a notice was sent to has read it; a table that waits for them hears of it."""
    notice = house.notices.get(command.number)
    if notice is None or notice.body != by.role:
        raise Refused(f"there is no notice {command.number} to the {by.role}")
    check_role(house, by, "")
    if notice.received_by:
        raise Refused(f"{notice.received_by} has confirmed receipt of notice {command.number}")
    received = hm.NoticeReceived(number=command.number, by=by, approved=command.approved)
    if not notice.act or any(_waits_too(other, notice) for other in house.notices.values()):
        return (received,)
    dealer = load_book(notice.book).rules(next(iter(load_book(notice.book).games))).ladder[0].id
    reason = f"{by.name} ({by.role}) has confirmed receipt of notice {command.number}"
    tell = od.TellBodies(role=dealer, reason=reason, bodies=(notice.body,))
    return received, give_order(house, tell, by, "", notice.table)


def _waits_too(other: InboxNotice, notice: InboxNotice) -> bool:
    """Another notice of the same table to the same body is not read yet."""
    same = (other.body, other.table) == (notice.body, notice.table)
    return same and bool(other.act) and other.number != notice.number and not other.received_by


def check_told(house: HouseState, table: str, command: object, at_ms: int) -> None:
    """Refuse an order that says somebody was told or approves, where there is no notice of it on record."""
    recent = [item for item in house.notices.values() if item.table == table and at_ms - item.at_ms <= TOLD_MS]
    for body in getattr(command, "told", ()):
        if body in INBOXES and not any(item.body == body and not item.act for item in recent):
            raise Refused(f"{body} has no notice about this table: send one first")
    for body in getattr(command, "approved", ()):
        if body in INBOXES and not any(item.body == body and item.approved for item in recent):
            raise Refused(f"{body} has approved no notice about this table")
    if isinstance(command, od.TellBodies) and any(body in INBOXES for body in command.bodies):
        raise Refused("whoever is told confirms it in their own inbox")


def check_with_floor(house: HouseState, live: LiveTable, command: AnyTableCommand, by: Asker, at_ms: int) -> None:
    """Refuse what the floor knows better than one table: who is shut out, who was told, and who deals where."""
    if by.role == PLAYER:
        if isinstance(command, BuyIn | cmd.PlaceBet):
            check_admitted(house, live, by.name)
        return
    check_told(house, live.name, command, at_ms)
    if isinstance(command, od.ChangeDealer):
        check_dealer(house, live.table.rules, command.name, live.name)


def check_admitted(house: HouseState, live: LiveTable, name: str) -> None:
    """Refuse somebody who is shut out of the game, the table or the casino."""
    shut = find_exclusion(house, name, live.table.rules.game, live.name)
    if shut is not None:
        raise Refused(f"{name} may not play here", shut.clauses)


def check_dealer(house: HouseState, rules: Rules, name: str, table: str) -> None:
    """Refuse a dealer who holds no role by the book of a table, or deals at another one."""
    person = house.people.get(name)
    if not name:
        return
    if person is None or not any(rules.rank(role) >= 0 and book == rules.book for role, book in person.roles):
        raise Refused(f"{name[:40]} deals by no role of this book")
    deals_at = [other for other, dealer in house.dealers.items() if dealer == name and other != table]
    if deals_at:
        raise Refused(f"{name} deals at {', '.join(deals_at)}: somebody else comes on there first")


# ---------------------------------------------------------------------- the program's own files


def report_files(house: HouseState, command: hm.ReportFiles, by: Asker) -> tuple[hm.HouseEvent, ...]:
    """The check is on record, and the inspector hears of what they have not been told yet."""
    if by != HOUSE:
        check_role(house, by, "")
    checked = hm.FilesChecked(digest=command.digest, changes=command.changes, by=by)
    text = _tell_of_files(house.files, checked)
    if not text:
        return (checked,)
    notice = hm.NoticeSent(
        number=len(house.notices) + 1, body="inspector", table="", book="", text=text, act="", clauses=(), by=by
    )
    return checked, notice


def _tell_of_files(last: hm.FilesChecked | None, now: hm.FilesChecked) -> str:
    """What the inspector is to hear; empty if there is nothing new."""
    if now.changes and (last is None or (now.digest, now.changes) != (last.digest, last.changes)):
        more = len(now.changes) - MOST_FILES_TOLD
        named = "; ".join(now.changes[:MOST_FILES_TOLD]) + (f"; and {more} more" if more > 0 else "")
        return f"the files of the program have changed since it began ({now.digest[:12]}): {named}"
    if last is not None and now.digest != last.digest:
        return f"another program decides now: its files have the digest {now.digest[:12]}, before {last.digest[:12]}"
    return ""


# ---------------------------------------------------------------------- disputes


def take_dispute_further(
    house: HouseState, command: hm.TakeDisputeFurther, by: Asker, table: hm.TableFacts | None
) -> tuple[hm.HouseEvent, ...]:
    """A player goes on to the next step of the book's chain, once the step before has decided."""
    disputes = () if table is None else table.disputes
    own = next((item for item in reversed(disputes) if item.player == by.name), None)
    if table is None or own is None:
        raise Refused(f"{by.name} has disputed nothing at {command.table[:40]}")
    rules = find_rules(table.game)
    taken = [
        item for item in house.disputes.values()
        if (item.player, item.table, item.matter) == (by.name, table.name, own.matter)
    ]  # fmt: skip
    if not own.rulings or any(item.upheld is None for item in taken):
        raise Refused("this waits for a decision first")
    step = len(own.rulings) + len(taken)
    if step >= len(rules.disputes):
        raise Refused("the book names nobody further")
    further = rules.disputes[step]
    if not taken and step == 1 and "review-dispute" in rules.authority:
        raise Refused(f"the {further.who} reviews it at the table first", further.clauses)
    number = len(house.disputes) + 1
    found: list[hm.HouseEvent] = [
        hm.DisputeTaken(
            number=number, player=by.name, table=table.name, book=rules.book, matter=own.matter, who=further.who,
            step=step, clauses=further.clauses,
        )
    ]  # fmt: skip
    if further.who in INBOXES:
        found.append(
            hm.NoticeSent(
                number=len(house.notices) + 1, body=further.who, table=table.name, book=rules.book,
                text=f"dispute {number} of {by.name}: {own.matter}", act="", clauses=further.clauses, by=by,
            )
        )  # fmt: skip
    return tuple(found)


def rule_on_taken(
    house: HouseState, command: hm.RuleOnTakenDispute, by: Asker, administrator: str
) -> tuple[hm.HouseEvent, ...]:
    """Whoever the dispute was taken to decides; for somebody who is not on the floor the administrator records it."""
    dispute = house.disputes.get(command.number)
    if dispute is None:
        raise Refused(f"there is no dispute {command.number}")
    if dispute.upheld is not None:
        raise Refused(f"dispute {command.number} is decided", dispute.clauses)
    decides = dispute.who if dispute.who in INBOXES else administrator
    if by.role != decides:
        raise Refused(
            f"the {dispute.who} decides dispute {command.number}, on record by the {decides}", dispute.clauses
        )
    check_role(house, by, "")
    return (
        hm.DisputeRuled(
            number=command.number, upheld=command.upheld, reason=command.reason, by=by, clauses=dispute.clauses
        ),
    )
