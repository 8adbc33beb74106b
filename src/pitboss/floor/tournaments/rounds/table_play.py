"""A round at a tournament's table: the deal, decisions and settlement by the table engine, and the next round.

The engine is asked as at any table; nothing of the game is restated here. What a tournament adds stands around it:
wagers are counted before the deal, forms are revealed after the settlement, and who cannot go on is out.
"""

from __future__ import annotations

from pitboss.floor.ledger import from_grains
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.course.standings import count_staked_by, find_removal
from pitboss.floor.tournaments.format import AbsenceRule, WageringOrder
from pitboss.floor.tournaments.rounds.table_engine import TableEngine, find_open
from pitboss.floor.tournaments.rounds.undisclosed import count_form, find_played, refuse_unchecked
from pitboss.floor.tournaments.rounds.wagering import (
    count_wager,
    find_marker,
    keep_sides,
    list_still_to_wager,
    update_limits,
)
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import CountedWager, PlayTable, WentOut
from pitboss.money import ZERO, Money
from pitboss.table import Refusal, decide
from pitboss.table.draft import Refused
from pitboss.table.legal import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import DEALER, HOUSE, PLAYER, Asker
from pitboss.table.round.standing_orders import absent_needs_order
from pitboss.table.state import Pending, Phase, State
from pitboss.table.unattended import needs_shuffle


def load_cards(draft: TournamentDraft, command: tc.LoadCards) -> None:
    """Cards in a known order: nobody in person chooses them."""
    if draft.by.name:
        raise Refused("a machine shuffles at this table: nobody may choose its cards")
    table = find_open(draft, command.table)
    engine = TableEngine(draft, table)
    if engine.game.shoe.origin.seed:
        raise Refused("a shuffled shoe is in play at this table")
    answer = decide(engine.game, cmd.LoadShoe(cards=command.cards), HOUSE)
    if isinstance(answer, Refusal):
        raise Refused(answer.reason, answer.clauses)
    engine.game, engine.events = answer.state, list(answer.events)
    engine.keep()


# ---------------------------------------------------------------------- the deal


def deal_table(draft: TournamentDraft, command: tc.DealTable) -> None:
    """No more wagers: each is counted, and the round is dealt to those who have one."""
    table = find_open(draft, command.table)
    if table.over or table.table.phase is not Phase.BETTING:
        raise Refused(f"no wagers are open at table {table.name}")
    if waiting := list_still_to_wager(table):
        raise draft.refuse(f"{', '.join(waiting)} must wager first, or play a pass card", "wager")
    refuse_unchecked(draft, table)
    update_limits(draft, table.name)
    _charge_absent(draft, table.name)
    table = draft.state.in_play[table.name]
    opened: dict[str, CountedWager] = {
        key: count_wager(draft, table, key, wager.amount) for key, wager in table.wagers.items() if wager.amount
    }
    sides = {key: keep_sides(draft, key, table.wagers[key], main.amount) for key, main in opened.items()}
    back = {key: tuple([name for name in table.wagers[key].sides if name not in kept]) for key, kept in sides.items()}
    sealed = {
        key: count_form(
            draft, table, form, opened[key].amount if key in opened else ZERO, sum(sides.get(key, {}).values(), ZERO)
        )
        for key, form in table.forms.items()
    }
    boxes = map_boxes(table, deal_from_marker=draft.state.form.deal_from_marker)
    cited = [counted.clauses for counted in (*opened.values(), *sealed.values()) if counted.cure]
    ordered = draft.state.form.order is WageringOrder.MARKER
    matters = [
        *(("marker", "order") if ordered else ()),
        *(("deal_from_marker",) if draft.state.form.deal_from_marker else ()),
    ]
    clauses = dict.fromkeys((*draft.cite("wager", *matters), *(clause for group in cited for clause in group)))
    draft.emit(
        te.WagersCounted(
            table=table.name, boxes=boxes, open=opened, sealed=sealed,
            sides_back={key: names for key, names in back.items() if names}, clauses=tuple(clauses),
        )
    )  # fmt: skip
    _void_short_wagers(draft, table, opened)
    stakes = _list_stakes(draft, table, opened, sealed, sides)
    if stakes:
        _deal_stakes(draft, table.name, stakes)
    else:
        _begin_next(draft, draft.state.in_play[table.name])


def map_boxes(table: PlayTable, *, deal_from_marker: bool) -> tuple[tuple[str, str], ...]:
    """On which box each player is dealt: their place, counted from the marker if the deal begins there."""
    first = find_marker(table) if deal_from_marker else 0
    places = len(table.seats)
    return tuple(
        [
            (key, str((at - first) % places + 1))
            for at, key in enumerate(table.seats)
            if key and key in table.active
        ]
    )  # fmt: skip


def _charge_absent(draft: TournamentDraft, name: str) -> None:
    """The minimum is taken for each round that somebody misses, for as many as the book allows."""
    table = draft.state.in_play[name]
    if draft.state.form.absence is AbsenceRule.DISQUALIFY:
        return
    most = int(draft.read("absence_rounds_max", 3))
    for key, rounds in table.absent.items():
        amount = min(table.minimum, from_grains(draft.state.stacks.get(key, 0)))
        if key in table.active and rounds < most and amount:
            draft.emit(te.AbsenceCharged(table=name, key=key, amount=amount, clauses=draft.cite("absent")))


def _void_short_wagers(draft: TournamentDraft, table: PlayTable, opened: dict[str, CountedWager]) -> None:
    """Whoever cannot make a wager up to the minimum has none, and is out."""
    for key, counted in opened.items():
        if counted.cure == "unable":
            draft.emit(te.WagerVoided(table=table.name, key=key, clauses=counted.clauses))
            residual = from_grains(draft.state.stacks.get(key, 0))
            gone = WentOut(key, table.round, residual, ZERO, -1, "unable")
            draft.emit(te.PlayerOut(table=table.name, out=gone, clauses=counted.clauses))


def _list_stakes(
    draft: TournamentDraft,
    table: PlayTable,
    opened: dict[str, CountedWager],
    sealed: dict[str, CountedWager],
    sides: dict[str, dict[str, Money]],
) -> dict[str, tuple[Money, dict[str, Money]]]:
    """What is played for each player: main wager and side wagers."""
    found: dict[str, tuple[Money, dict[str, Money]]] = {}
    for key in table.active:
        counted = opened.get(key)
        if counted is not None and counted.cure == "unable":
            continue
        main = counted.amount if counted is not None else ZERO
        if key in sealed:
            has = from_grains(draft.state.stacks.get(key, 0))
            main += find_played(sealed[key], main, table.minimum, has)
        if main:
            found[key] = (main, sides.get(key, {}))
    return found


def _deal_stakes(draft: TournamentDraft, name: str, stakes: dict[str, tuple[Money, dict[str, Money]]]) -> None:
    engine = TableEngine(draft, draft.state.in_play[name])
    boxes = dict(draft.state.in_play[name].boxes)
    engine.shuffle_if_due()
    for key, (main, sides) in sorted(stakes.items(), key=lambda item: int(boxes[item[0]])):
        by = Asker(PLAYER, key)
        engine.ask(cmd.PlaceBet(box=boxes[key], player=key, amount=main, seated=True), by)
        for wager, amount in sides.items():
            engine.ask(cmd.PlaceBet(box=boxes[key], player=key, amount=amount, wager=wager), by)
    while engine.game.phase is Phase.BETTING:
        engine.ask(cmd.Deal())
    engine.keep()


# ---------------------------------------------------------------------- decisions


def act_at_table(draft: TournamentDraft, command: tc.ActAtTable) -> None:
    """A player calls a decision on their own hand."""
    player = draft.name_player(command.player)
    table, key = draft.find_seat(player)
    if draft.state.dispute is not None:
        raise draft.refuse("a dispute is open: play waits until it is decided", "dispute")
    box = dict(table.boxes).get(key, "")
    game = table.table
    if not box or game.box_index(box) < 0:
        raise Refused(f"{player} has no hand in this round")
    engine = TableEngine(draft, table)
    engine.ask(_read_move(game, command, box, key), Asker(PLAYER, key))
    engine.keep()


def _read_move(game: State, command: tc.ActAtTable, box: str, key: str) -> cmd.Command:
    match command.move:
        case "hit":
            return cmd.Hit(box=box, by=key)
        case "stand":
            return cmd.Stand(box=box, by=key)
        case "split":
            return cmd.Split(box=box, by=key)
        case "surrender":
            return cmd.Surrender(box=box, by=key)
        case "even-money":
            return cmd.TakeEvenMoney(box=box, player=key, by=key)
        case "refuse-card":
            return od.RefuseCard(box=box, by=key)
        case "retract":
            return od.Retract(box=box, player=key, by=key)
        case "double":
            bettor = game.boxes[game.box_index(box)].bettor(key)
            stake = bettor.stake if bettor is not None else ZERO
            return cmd.Double(box=box, amounts=((key, command.amount or stake),), by=key)
    most = next(
        (item.amount for item in legal(game) if isinstance(item, cmd.Insure) and item.player == key), ZERO
    )  # fmt: skip
    return cmd.Insure(box=box, player=key, amount=command.amount or most, by=key)


def find_act_deadline(draft_at_ms: int, seconds: int, table: PlayTable) -> int:
    """When the time of whoever the table waits for is over."""
    return table.waits_since_ms + seconds * 1000 if seconds else draft_at_ms


def carry_on(draft: TournamentDraft, command: tc.CarryOn) -> None:
    """The dealer goes on: offers pass, and the hand of somebody who does not act is played by the book."""
    table = find_open(draft, command.table)
    game = table.table
    deadline = find_act_deadline(draft.now.at_ms, draft.state.form.decision_seconds, table)
    if not draft.by.name and draft.by != HOUSE and draft.now.at_ms < deadline and game.phase is not Phase.SETTLING:
        raise Refused("whoever the table waits for still has time")
    engine = TableEngine(draft, table)
    if game.phase is not Phase.TURNS or game.turn is None or game.pending is not Pending.NOTHING:
        engine.ask(cmd.Proceed())
        engine.keep()
        return
    box = game.boxes[game.turn[0]].number
    engine.shuffle_if_due()
    tries: list[cmd.Command] = [cmd.PlayAbsent(box=box)]
    if (power := absent_needs_order(game)) is not None:
        tries.append(od.DirectAbsent(role=power.role, box=box, reason="the player's time is over"))
    if not any(engine.try_out(wanted) for wanted in (*tries, cmd.Stand(box=box), cmd.Hit(box=box))):
        raise Refused(f"the hand on box {box} cannot be played for its player now")
    engine.keep()


# ---------------------------------------------------------------------- the next round


def begin_next_round(draft: TournamentDraft, command: tc.BeginNextRound) -> None:
    """The cards go away; the session goes on, or is over."""
    table = find_open(draft, command.table)
    if table.table.phase is not Phase.SETTLED:
        raise Refused(f"the round at table {table.name} is not settled")
    _begin_next(draft, table)


def _begin_next(draft: TournamentDraft, table: PlayTable) -> None:
    settled = table.table
    engine = TableEngine(draft, table)
    if settled.phase is Phase.SETTLED:
        answer = decide(engine.game, cmd.NextRound(), DEALER)
        if isinstance(answer, Refusal):
            raise Refused(answer.reason, answer.clauses)
        engine.game, engine.events = answer.state, list(answer.events)
        engine.keep()
    leave_round(draft, table, settled)


def leave_round(draft: TournamentDraft, table: PlayTable, settled: State) -> None:
    """What follows from the end of a round: limits, who is out, and whether the session is over."""
    name = table.name
    fresh = draft.state.in_play[name].table
    played_out = settled.phase is Phase.SETTLED and needs_shuffle(fresh)
    stage = draft.state.now_playing
    shoes = table.shoes + played_out
    minutes = (draft.now.at_ms - table.started_ms) // 60_000
    if table.play_off:
        over = _is_order_known(draft, table) if not table.one_shoe else shoes >= 1
    else:
        over = (
            (0 < stage.rounds <= table.round) or (0 < stage.shoes <= shoes) or (0 < stage.minutes <= minutes)
        )  # fmt: skip
    draft.emit(
        te.RoundBegun(
            table=name, round=table.round + 1, shoes=shoes, dealt=settled.phase is Phase.SETTLED,
            clauses=draft.cite(*(("pass_card",) if any(made.passes for made in table.wagers.values()) else ())),
        )
    )  # fmt: skip
    if not over:
        update_limits(draft, name)
    _put_out(draft, name, table.round, settled, over=over)
    left = draft.state.in_play[name].active
    why = "its time is over" if over else "one player is left" if len(left) <= 1 else ""
    if table.play_off and over:
        why = "the order is known" if not table.one_shoe else "the shoe of the play-off is played out"
    if why:
        draft.emit(te.PlayEnded(table=name, why=why, clauses=draft.cite("play_off" if table.play_off else "session")))


def _is_order_known(draft: TournamentDraft, table: PlayTable) -> bool:
    """A count after the round: those who were level are no longer all level."""
    return len({draft.state.stacks.get(key, 0) for key in table.active}) > 1


def _name_order(gone: WentOut, together: list[WentOut]) -> list[str]:
    """What decides the places of players who go out in one round: the matters to cite."""
    others = [other for other in together if other.key != gone.key]
    if not others:
        return []
    level = [item for item in others if item.residual == gone.residual]
    if not level:
        return ["out_residual"]
    return ["out_residual", "out_removal" if any(item.staked == gone.staked for item in level) else "out_wager"]


def _put_out(draft: TournamentDraft, name: str, number: int, settled: State, *, over: bool) -> None:
    """Who cannot wager the minimum of the next round is out; at the end of a session, who has no chips."""
    table = draft.state.in_play[name]
    found: list[WentOut] = []
    for key in table.active:
        residual = from_grains(draft.state.stacks.get(key, 0))
        if residual > 0 and (over or residual >= table.minimum):
            continue
        found.append(WentOut(key, number, residual, count_staked_by(settled, key), find_removal(settled, key), "short"))
    for gone in found:
        draft.emit(te.PlayerOut(table=name, out=gone, clauses=draft.cite("short", *_name_order(gone, found))))
