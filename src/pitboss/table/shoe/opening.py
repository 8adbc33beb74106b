"""From the shuffle to the open shoe: when cards are shuffled, who cuts and where, where the cut card goes.

What a book leaves open is left open here: a cut that may be offered may be left out, and once it is offered somebody
must cut. A book that says nothing of the cut lets the dealer do without.
"""

from __future__ import annotations

from pitboss.cards import Card, decks
from pitboss.play.shoe import cut_card_range, cut_range
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.authority import authorise, power_of
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.shoe.devices import DEALER, FIRST, burn_on_opening, meet_cut_card
from pitboss.table.shoe.shuffle import EntropyError, commitment, seed_and_salt, shuffle_cards
from pitboss.table.state import CardSource, Origin, Phase, Reveal, ShoeStage, State

IN_ROUND = frozenset({Phase.DEALING, Phase.OFFERS, Phase.TURNS, Phase.SETTLING})
WHY_DUE = {
    "cut-card": "the cut card has come out",
    "ordered": "a supervisor ordered it",
    "abnormal": "the cards came in an abnormal sequence",
    "replaced": "the cards were replaced",
    "retired": "the last shoe was put away",
    "ran-out": "the cards ran out",
    "device-failed": "the device failed",
    "checked": "the cards were checked",
    "missed-cut": "the cut was forgotten",
    "missed-shuffle": "the shuffle was forgotten",
}


def tell_why_due(why: str) -> str:
    """Why the cards must be shuffled, in words."""
    return WHY_DUE.get(why, why.replace("-", " "))


def by_dealer(draft: Draft, role: str, *powers: str) -> None:
    """Somebody who may do what the dealer does."""
    rules = draft.state.rules
    if powers and power_of(rules, *powers) is not None:
        authorise(rules, role, *powers)
    elif rules.ladder and rules.rank(role) < 0:
        raise Refused(f"'{role}' is not a role of this book: {', '.join(rung.id for rung in rules.ladder)}")


def between_rounds(draft: Draft, what: str) -> None:
    """No card lies on the layout."""
    if draft.state.phase is not Phase.BETTING:
        raise Refused(f"{what} between rounds, once the cards are in the rack")


# ---------------------------------------------------------------------- shuffling


def why_due(state: State) -> str:
    """Why a shuffle is due before the next round, in words; nothing if none is."""
    due = state.shoe.due
    return tell_why_due(due[0]) if due else ""


def shuffle(draft: Draft, command: cmd.Shuffle) -> None:
    """A new order for the cards, and the hash of what decided it."""
    state, rules, shoe = draft.state, draft.state.rules, draft.state.shoe
    by_dealer(draft, command.role)
    _all_there(draft)
    mid_round = state.phase in IN_ROUND
    stopped = mid_round and shoe.stopped and bool(shoe.left)
    if stopped:
        cards, clauses = shoe.undealt, draft.cite("device_failure")
    elif mid_round:
        _runs_short(draft)
        cards, clauses = (*shoe.burnt, *shoe.discards), draft.cite("out_of_cards")
    else:
        between_rounds(draft, "cards are shuffled")
        _must_be_checked(draft)
        cards, clauses = _pack(draft), _occasion(draft)
    origin = _origin(draft, command.entropy)
    _retire(draft)
    in_shoe = mid_round and (stopped or shoe.source is not CardSource.DEVICE)
    source = CardSource.SHOE if in_shoe and rules.card_source == "device" else CardSource(rules.card_source)
    if source is CardSource.DEVICE:
        clauses = (*clauses, *draft.cite("shuffle_device"))
    order = shuffle_cards(cards, origin.seed)
    stage = ShoeStage.OPEN if source is CardSource.DEVICE and not mid_round else ShoeStage.STACK
    draft.emit(
        ev.Shuffled(
            source=source,
            origin=origin,
            cards=order,
            stage=stage,
            mid_round=mid_round,
            rack_stays=stopped,
            clauses=clauses,
        )
    )
    if stage is ShoeStage.OPEN:
        burn_on_opening(draft)


def _all_there(draft: Draft) -> None:
    if draft.state.shoe.dropped:
        power = power_of(draft.state.rules, "verify-dropped-cards")
        clauses = power.clauses if power is not None else ()
        raise Refused("cards were dropped: somebody must verify first that all are there", clauses)


def _must_be_checked(draft: Draft) -> None:
    """New cards are checked before they are shuffled for the first time, where that must be on record."""
    state, power = draft.state, power_of(draft.state.rules, "check-cards")
    new = state.shoe.source is CardSource.STACKED or "replaced" in state.shoe.due
    if power is not None and new and state.floor.on_record and not state.floor.cards_checked:
        raise Refused("nobody has checked the cards: !dealer check-cards", power.clauses)


def _runs_short(draft: Draft) -> None:
    shoe = draft.state.shoe
    if draft.state.rules.out_of_cards == "not-stated":
        raise draft.refuse("this book has no rule for cards that run out: declare the round void", "void")
    if shoe.left or shoe.source is CardSource.STACKED or shoe.stage is not ShoeStage.OPEN:
        raise draft.refuse("a round is being played, and the cards have not run out", "shuffle_triggers")
    if not shoe.discards and not shoe.burnt:
        raise draft.refuse("no card is left and the rack is empty: the round cannot be finished", "out_of_cards")


def _pack(draft: Draft) -> tuple[Card, ...]:
    """The cards of the table: a new pack, or all of the old one."""
    rules, shoe = draft.state.rules, draft.state.shoe
    if not rules.decks:
        raise Refused("an infinite deck cannot be shuffled")
    if shoe.source is CardSource.STACKED or "replaced" in shoe.due:
        return decks(rules.decks, rules.deck_cards)
    return (*shoe.undealt, *shoe.burnt, *shoe.discards)


def _occasion(draft: Draft) -> tuple[str, ...]:
    """The clauses by which the cards are shuffled now; refuses if nothing calls for it."""
    shoe = draft.state.shoe
    if shoe.source is CardSource.STACKED:
        return draft.cite("shuffle_start")
    if not shoe.due:
        raise draft.refuse("no shuffle is due", "shuffle_triggers")
    return shoe.due_clauses


def _origin(draft: Draft, entropy: bytes) -> Origin:
    shoe = draft.state.shoe
    try:
        seed, salt = seed_and_salt(entropy)
    except EntropyError as error:
        raise Refused(str(error)) from error
    revealed = draft.state.revealed
    if seed == shoe.origin.seed or (revealed is not None and seed == revealed.seed):
        raise Refused("this entropy was used for the previous shoe: use new entropy")
    occasion = "replaced" if "replaced" in shoe.due else next(iter(shoe.due), "start")
    if draft.state.phase in IN_ROUND:
        occasion = "device-failed" if shoe.stopped else "ran-out"
    return Origin(shoe.origin.number + 1, commitment(seed, salt), seed, salt, occasion=occasion)


def _retire(draft: Draft) -> None:
    """The shoe that is put away reveals its seed."""
    origin = draft.state.shoe.origin
    if origin.seed:
        reveal = Reveal(origin.number, origin.commitment, origin.seed, origin.salt)
        draft.emit(ev.ShoeRetired(reveal=reveal))


def retire_shoe(draft: Draft, command: cmd.RetireShoe) -> None:
    """No card of this shoe will be dealt any more."""
    by_dealer(draft, command.role)
    between_rounds(draft, "a shoe is put away")
    if not draft.state.shoe.origin.seed:
        raise Refused("there is no shuffled shoe to put away")
    _retire(draft)
    draft.emit(ev.ShuffleDue(why="retired", role=command.role, clauses=draft.cite("shuffle_start")))


# ---------------------------------------------------------------------- cutting


def is_cut(state: State) -> bool:
    """Cards of this source are cut after a shuffle."""
    shoe, rules = state.shoe, state.rules
    if shoe.source is CardSource.DEVICE:
        return shoe.stage is ShoeStage.STACK
    return rules.shuffler_cut or shoe.source is not CardSource.SHUFFLER


def must_be_cut(state: State) -> str:
    """The matter by which a shuffled stack may not go uncut into the shoe; nothing if it may."""
    if state.shoe.origin.occasion == "device-failed":
        return "device_failure"
    if state.rules.cut_new_cards and state.shoe.origin.occasion in ("replaced", "ran-out"):
        return "cut_new_cards"
    return "cut_mandatory" if state.rules.cut_mandatory else ""


def first_cutter(state: State) -> tuple[str, str]:
    """The player who is offered the cut first, and the matter by which; nobody if nobody is at the table."""
    shoe, arrivals = state.shoe, state.arrivals
    if not arrivals:
        return "", "cut_last"
    occasion = shoe.origin.occasion
    if occasion in ("start", "retired"):
        return arrivals[0].player, "cut_first_arrival"
    far_right = max(arrivals, key=lambda arrival: arrival.area).player
    if occasion == "replaced":
        return far_right, "cut_replaced"
    if occasion == "cut-card" and shoe.fell == FIRST:
        return far_right, "cut_first_card"
    if occasion == "cut-card" and shoe.fell == DEALER:
        return far_right, "cut_dealer_hand"
    if any(arrival.player == shoe.fell_to for arrival in arrivals):
        return shoe.fell_to, "cut_box"
    unstated = {
        "ordered": state.rules.cutter_of_ordered_shuffle == "not-stated",
        "cut-card": not shoe.fell_to and state.rules.cutter_on_shared_box == "not-stated",
    }
    if unstated.get(occasion, False):
        return min(arrivals, key=lambda arrival: arrival.area).player, "cut_order"
    return far_right, "cut_order"


def clockwise(state: State, first: str) -> tuple[str, ...]:
    """Everybody at the table, from `first` on clockwise: by rising number of the box, and round again."""
    order = [arrival.player for arrival in sorted(state.arrivals, key=lambda arrival: arrival.area)]
    at = order.index(first) if first in order else 0
    return (*order[at:], *order[:at])


def offer_cut(draft: Draft, command: cmd.OfferCut) -> None:
    """The stack is offered to be cut."""
    state = draft.state
    by_dealer(draft, command.role, "offer-cut")
    _stack_waits(draft)
    if state.shoe.offered:
        raise draft.refuse("the cut has already been offered", "cut_order")
    first, matter = first_cutter(state)
    players = clockwise(state, first) if first else ()
    draft.emit(ev.CutOffered(players=players, clauses=draft.cite(matter, "cut_order")))


def _stack_waits(draft: Draft) -> None:
    _all_there(draft)
    if draft.state.shoe.stage is not ShoeStage.STACK:
        raise draft.refuse("there is no shuffled stack to be cut", "cut_order")
    if not is_cut(draft.state):
        raise draft.refuse("these cards are not cut", "cut_none")


def refuse_cut(draft: Draft, command: cmd.RefuseCut) -> None:
    """The player does not cut: the next one clockwise is asked."""
    shoe = draft.state.shoe
    if not shoe.asked or shoe.asked[0] != command.player:
        asked = f"{shoe.asked[0]} is asked" if shoe.asked else "nobody is asked"
        raise draft.refuse(f"the cut is not offered to {command.player}: {asked}", "cut_order")
    draft.emit(ev.CutRefused(player=command.player, clauses=draft.cite("cut_refused")))


def cut(draft: Draft, command: cmd.Cut) -> None:
    """Somebody cuts."""
    _stack_waits(draft)
    clauses = _cutter(draft, command.by)
    least, most = cut_range(draft.state.rules, len(draft.state.shoe.cards))
    if not least <= command.at <= most:
        raise draft.refuse(
            f"the cut must be {least} to {most} cards from the front, not {command.at}", "cut_min_decks_from_end"
        )
    draft.emit(ev.CardsCut(by=command.by, at=command.at, clauses=(*clauses, *draft.cite("cut_turned"))))
    if draft.state.shoe.source is CardSource.DEVICE:
        draft.emit(ev.DeviceLoaded(clauses=draft.cite("shuffle_device")))


def _cutter(draft: Draft, by: str) -> tuple[str, ...]:
    """The clauses by which `by` may cut, or a refusal."""
    shoe, rules = draft.state.shoe, draft.state.rules
    if shoe.offered and shoe.asked:
        if by == shoe.asked[0]:
            return draft.cite("cut_order")
        if rules.rank(by) < 0 or not _role_may_cut_first(rules):
            raise draft.refuse(f"the cut is offered to {shoe.asked[0]}", "cut_order")
    if rules.ladder and rules.rank(by) < 0:
        role = rules.cut_order[-1] if rules.cut_order else rules.ladder[min(1, len(rules.ladder) - 1)].id
        words = "no player accepted the cut" if shoe.offered else "the cut is not offered yet"
        raise draft.refuse(f"{words}: {role} or above cuts" if shoe.offered else words, "cut_last", "cut_order")
    if not shoe.offered and rules.cut_order and not _role_may_cut_first(rules):
        raise draft.refuse("the cut must be offered to the players first", "cut_order")
    return authorise(rules, by, "cut-for-players", "cut-cards") if rules.ladder else ()


def _role_may_cut_first(rules: Rules) -> bool:
    """The book lets somebody of the house cut without asking the players."""
    return "cut-cards" in rules.authority


def place_cut_card(draft: Draft, command: cmd.PlaceCutCard) -> None:
    """The dealer places the cut card and fills the shoe; what is burnt is burnt."""
    by_dealer(draft, command.role, "place-cutting-card")
    _all_there(draft)
    shoe = draft.state.shoe
    if shoe.source in (CardSource.STACKED, CardSource.DEVICE) or shoe.stage is ShoeStage.OPEN:
        raise draft.refuse("there is no stack into which a cut card could be placed", "cut_card_placed", "cut_none")
    if shoe.stage is ShoeStage.STACK and is_cut(draft.state):
        if shoe.offered:
            raise draft.refuse("the cut was offered: somebody must cut first", "cut_last", "cut_order")
        if matter := must_be_cut(draft.state):
            raise draft.refuse("the cards must be cut first", matter)
    least, most = cut_card_range(draft.state.rules, len(shoe.cards))
    if not least <= command.from_back <= most:
        raise draft.refuse(
            f"the cut card must be {least} to {most} cards from the back, not {command.from_back}", "cut_card_placed",
            "cut_card_min_half_decks",
        )  # fmt: skip
    draft.emit(ev.CutCardPlaced(from_back=command.from_back, clauses=draft.cite("cut_card_placed")))
    if draft.state.phase not in IN_ROUND:
        burn_on_opening(draft)


# ---------------------------------------------------------------------- ready to deal


def ready_to_deal(draft: Draft) -> bool:
    """The next round may be dealt; False if the cut card comes out first, so that nothing is dealt."""
    shoe = draft.state.shoe
    _all_there(draft)
    if shoe.due:
        raise Refused(f"the cards must be shuffled first: {why_due(draft.state)}", shoe.due_clauses)
    if shoe.stage is not ShoeStage.OPEN:
        why = must_be_cut(draft.state) if shoe.stage is ShoeStage.STACK else ""
        what = "cut" if why else "put into the shoe"
        raise draft.refuse(f"the cards must be {what} first", why or "cut_mandatory", "cut_card_placed")
    meet_cut_card(draft, FIRST)
    return not draft.state.shoe.fell
