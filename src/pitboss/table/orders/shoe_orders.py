"""What people decide about the cards: order a shuffle, replace or verify cards, have them dealt face down, be shown a
burnt card, come to the table and leave it. Each power is the book's, and the wrong role is refused with its clause."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.cards import CARD_ID
from pitboss.play.shoe import returns_after_next_deal
from pitboss.table.authority import authorise, power_of
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import Asker
from pitboss.table.orders.voids import void
from pitboss.table.round.betting import parse_box
from pitboss.table.round.notices import show_notices
from pitboss.table.shoe.opening import IN_ROUND, between_rounds, by_dealer
from pitboss.table.shoe.shoe_folds import on_layout
from pitboss.table.shoe.shuffle import shuffle_cards
from pitboss.table.state import CardSource, Phase, ShoeStage

# ---------------------------------------------------------------------- who is at the table


def arrive(draft: Draft, command: cmd.Arrive) -> None:
    """A player comes to the table."""
    place = parse_box(draft.state, command.box)
    show_notices(draft, command.player)
    draft.emit(ev.PlayerArrived(player=command.player, area=place.area))


def leave(draft: Draft, command: cmd.Leave) -> None:
    """A player leaves the table."""
    state = draft.state
    if all(arrival.player != command.player for arrival in state.arrivals):
        raise Refused(f"{command.player} is not at the table")
    if any(bet.player == command.player for bet in state.bets) and state.phase is not Phase.SETTLED:
        raise Refused(f"{command.player} has a wager on the layout")
    draft.emit(ev.PlayerLeft(player=command.player))


# ---------------------------------------------------------------------- shuffles that somebody orders


def order_shuffle(draft: Draft, command: cmd.OrderShuffle) -> None:
    """A supervisor has the cards shuffled: before the next round, or at once where the book says so."""
    state, rules = draft.state, draft.state.rules
    if command.abnormal and "abnormal-sequence" not in rules.shuffle_triggers:
        raise draft.refuse(
            "this book has no shuffle for an abnormal sequence: order one without it", "shuffle_triggers"
        )
    powers = ("order-shuffle-abnormal",) if command.abnormal else ("order-shuffle", "order-hand-shuffle")
    at_device = power_of(rules, "order-hand-shuffle-at-device")
    device = state.shoe.source is CardSource.DEVICE
    alone = rules.device_shuffled_by_hand == "own-power"
    if at_device is not None and device and (alone or rules.rank(command.role) >= rules.rank(at_device.role)):
        powers = (at_device.id,)
    clauses = authorise(rules, command.role, *powers, reason=command.reason)
    why = "abnormal" if command.abnormal else "ordered"
    draft.emit(ev.ShuffleDue(why=why, role=command.role, reason=command.reason, clauses=clauses))
    voids = rules.abnormal_sequence == "void-then-shuffle"
    if command.abnormal and voids and state.phase in IN_ROUND:
        ordered = cmd.Void(role=command.role, clause=clauses[0], reason=command.reason)
        draft.emit(ev.Asked(command=ordered, by=Asker(command.role)))
        void(draft, ordered)


def riffle(draft: Draft, command: cmd.Riffle) -> None:
    """Pre-shuffled cards that are new at the table are mixed once more, because a player asked for it."""
    rules, shoe = draft.state.rules, draft.state.shoe
    power = power_of(rules, "approve-riffle")
    if power is None:
        raise Refused("this book has no riffle at a player's request")
    clauses = authorise(rules, command.role, power.id, given=("player",))
    if all(arrival.player != command.player for arrival in draft.state.arrivals):
        raise Refused(f"{command.player} is not at the table", clauses)
    if shoe.stage is not ShoeStage.STACK or shoe.origin.occasion not in ("start", "replaced"):
        raise Refused("a riffle is for new cards, before they are cut", clauses)
    order = shuffle_cards(shoe.cards, shoe.origin.seed, shoe.origin.mixes + 1)
    draft.emit(ev.Riffled(player=command.player, cards=order, role=command.role, clauses=clauses))


# ---------------------------------------------------------------------- new cards, lost cards


def replace_cards(draft: Draft, command: cmd.ReplaceCards) -> None:
    """New cards for old ones, when the book lets them be changed."""
    between_rounds(draft, "cards are replaced")
    clauses = _may_replace(draft, command)
    for card in command.cards:
        if card not in CARD_ID:
            raise Refused(f"'{card}' is not a card", clauses)
    _other_backs(draft, command)
    draft.emit(
        ev.CardsReplaced(
            cards=command.cards, role=command.role, reason=command.reason, backs=command.backs, clauses=clauses
        )
    )


def _other_backs(draft: Draft, command: cmd.ReplaceCards) -> None:
    """Refuse a new pack with the backs of the old one, where the book asks for another colour."""
    clauses, backs = draft.cite("new_backs"), draft.state.house.backs
    if not clauses or command.cards:
        return
    if command.backs and command.backs == backs:
        raise Refused(f"the new cards must have backs of another colour than {backs}", clauses)
    if not command.backs and draft.state.floor.on_record:
        raise Refused("the colour of the new cards' backs must be on record", clauses)


def _may_replace(draft: Draft, command: cmd.ReplaceCards) -> tuple[str, ...]:
    """The clauses by which cards may be replaced now, or a refusal."""
    state, rules = draft.state, draft.state.rules
    when = rules.card_change_when
    if command.found_by:
        if "between-hands-if-unfit" not in when:
            raise draft.refuse("this book asks nobody else's opinion of the cards", "card_change_when")
        authorise(rules, command.found_by, "find-cards-unfit", reason=command.reason)
        return authorise(rules, command.role, "replace-unfit-cards", reason=command.reason)
    clauses = authorise(rules, command.role, "replace-cards", "replace-cards-before-shuffle", reason=command.reason)
    device = state.shoe.source is CardSource.DEVICE
    if device and "after-any-round-of-a-device" in when:
        return clauses
    if not device and "after-cutting-card-round" in when and not state.shoe.fell:
        raise Refused("the cards of a shoe are replaced after the round in which the cut card came", clauses)
    if "before-a-shuffle" in when and not state.shoe.due:
        raise Refused(
            "cards are replaced before a shuffle; unfit ones at any time between rounds, if somebody has found them so",
            draft.cite("card_change_when"),
        )
    return clauses


def report_dropped_cards(draft: Draft, command: cmd.ReportDroppedCards) -> None:
    """The dealer says that cards were dropped."""
    by_dealer(draft, command.role, "report-dropped-cards")
    power = power_of(draft.state.rules, "report-dropped-cards")
    draft.emit(ev.CardsDropped(clauses=power.clauses if power is not None else ()))


def verify_dropped_cards(draft: Draft, command: cmd.VerifyDroppedCards) -> None:
    """Somebody above the dealer has counted the cards."""
    if not draft.state.shoe.dropped:
        raise Refused("nobody has said that cards were dropped")
    clauses = authorise(draft.state.rules, command.role, "verify-dropped-cards")
    shoe = draft.state.shoe
    count = shoe.left + len(shoe.burnt) + len(shoe.discards) + len(on_layout(draft.state))
    draft.emit(ev.CardsVerified(role=command.role, count=count, clauses=clauses))


def miss_feed(draft: Draft, command: cmd.MissFeed) -> None:
    """The discards are not put into the device after the coming initial deal: they wait for the next."""
    by_dealer(draft, command.role, "keep-discards-racked")
    if draft.state.shoe.source is not CardSource.DEVICE:
        raise draft.refuse("there is no device into which discards go", "discards_return")
    if not returns_after_next_deal(draft.state.rules, device=True):
        raise draft.refuse("discards do not wait for an initial deal in this game", "discards_return")
    between_rounds(draft, "what is missed after the deal is said")
    power = power_of(draft.state.rules, "keep-discards-racked")
    draft.emit(ev.FeedMissed(clauses=power.clauses if power is not None else draft.cite("discards_return")))


# ---------------------------------------------------------------------- burning and face-down cards


def show_burnt_card(draft: Draft, command: cmd.ShowBurntCard) -> None:
    """A player asks to see the burnt card, before it is gone for good."""
    state, shoe = draft.state, draft.state.shoe
    if state.rules.burn_shoe != "optional-shown-on-request" or shoe.source is CardSource.DEVICE:
        raise draft.refuse("burnt cards are not shown", "burn_shoe")
    if not shoe.burnt or shoe.rounds or state.phase is not Phase.BETTING:
        raise draft.refuse("a burnt card can be shown only before the first round of the shoe", "burn_shoe")
    if shoe.shown:
        raise draft.refuse(f"it was shown: {shoe.shown[0]}", "burn_shoe")
    draft.emit(ev.BurntCardShown(player=command.player, card=shoe.burnt[0], clauses=draft.cite("burn_shoe")))


def burn_each_round(draft: Draft, command: cmd.BurnEachRound) -> None:
    """Before the table opens: the first card of each round is burnt, or is not."""
    state, rules = draft.state, draft.state.rules
    if rules.burn_shoe != "optional-each-round":
        raise draft.refuse("the first card of each round is not burnt in this game", "burn_shoe")
    clauses = authorise(rules, command.role, "burn-each-round")
    if state.round > 1 or state.phase is not Phase.BETTING:
        raise Refused("this is decided before the table opens", clauses)
    house = replace(state.house, burn_each_round=command.on)
    draft.emit(ev.HouseSet(house=house, role=command.role, clauses=clauses))


def deal_face_down(draft: Draft, command: cmd.DealFaceDown) -> None:
    """Players' first two cards are dealt face down from now on, or face up again."""
    state, rules = draft.state, draft.state.rules
    if rules.face_down_first_two == "never":
        raise draft.refuse("all cards are dealt face up in this game", "face_down_first_two")
    if command.on and state.shoe.source is CardSource.KEYED:
        raise Refused("cards that lie face down cannot be keyed in as they are dealt")
    if command.on:
        given = tuple(f"{body}-approval" for body in command.approved)
        told = (*command.told, *command.approved)
        clauses = authorise(rules, command.role, "deal-face-down", told=told, given=given)
    else:
        clauses = authorise(rules, command.role, "deal-face-down", told=_all_bodies(draft), given=_all_needs(draft))
    between_rounds(draft, "how cards are dealt is decided")
    house = replace(state.house, face_down=command.on)
    draft.emit(ev.HouseSet(house=house, role=command.role, told=command.told, clauses=clauses))


def _all_bodies(draft: Draft) -> tuple[str, ...]:
    return tuple(body.id for body in draft.state.rules.bodies)


def _all_needs(draft: Draft) -> tuple[str, ...]:
    power = power_of(draft.state.rules, "deal-face-down")
    return power.needs if power is not None else ()


def nominate_box(draft: Draft, command: cmd.NominateBox) -> None:
    """A player names the box on which their cards are dealt face down."""
    state = draft.state
    if not state.house.face_down or state.rules.face_down_first_two != "manager-approval":
        raise draft.refuse(
            "no box is to be named: cards are not dealt face down to one box each", "face_down_first_two"
        )
    between_rounds(draft, "the box is named")
    parse_box(state, command.box)
    nominated = {**dict(state.house.nominated), command.player: command.box}
    house = replace(state.house, nominated=tuple(nominated.items()))
    draft.emit(ev.HouseSet(house=house, role="", clauses=draft.cite("face_down_first_two")))


def settle_by_hand(draft: Draft, command: cmd.SettleByHand) -> None:
    """The final settlement waits for somebody, or follows by itself."""
    if draft.state.house.settles_by_hand == command.on:
        raise Refused(f"this table is already {'' if command.on else 'not '}settled by hand")
    house = replace(draft.state.house, settles_by_hand=command.on)
    draft.emit(ev.HouseSet(house=house, role="dealer"))


def show_cards(draft: Draft, command: cmd.ShowCards) -> None:
    """Face-down cards are turned over."""
    index = draft.state.box_index(command.box)
    if index < 0 or not any(hand.face_down for hand in draft.state.boxes[index].hands):
        raise draft.refuse(f"no card lies face down on box {command.box}", "face_down_first_two")
    controller = draft.state.boxes[index].controller
    if command.by is not None and command.by != controller:
        raise draft.refuse(f"{controller} calls the decisions of box {command.box}", "controlling_player")
    draft.emit(ev.CardsShown(box=command.box, clauses=draft.cite("face_down_first_two")))
