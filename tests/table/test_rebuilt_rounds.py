"""Rebuilt rounds: the story of the round, corrected and told again, whatever was ruled in between."""

from __future__ import annotations

import random
import typing
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from misplay import boss, dealt_wrongly
from record_tools import give_all, open_shuffled

from pitboss.cards import Card
from pitboss.money import Money
from pitboss.table import Refusal, decide, legal, results
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders.rebuild import rebuild
from pitboss.table.round.dealing import places_of_deal
from pitboss.table.round.held_money import amount_withheld, list_prizes
from pitboss.table.round.standing_orders import area_of
from pitboss.table.round.turns import can_switch
from pitboss.table.state import Pending, Phase, State
from pitboss.table.working import WorkingDraft

GAMES = ("melbourne/blackjack", "melbourne/pontoon", "star/blackjack", "star/switch", "perth/blackjack")

DECISIONS = (cmd.Hit, cmd.Stand, cmd.Double, cmd.Split)
NO_RULING = (*typing.get_args(cmd.PlayerAction), cmd.Proceed, cmd.Insure)


def open_round(game: str, chance: random.Random) -> State:
    """A table at which cards are about to be dealt to several boxes, with side wagers and meters."""
    state = open_shuffled(game, chance)
    wanted: list[cmd.Command] = []
    for box, player in zip(range(1, chance.randint(2, 4) + 1), ("ann", "bob", "cat", "dan"), strict=False):
        wanted.append(cmd.PlaceBet(box=str(box), player=player, amount=Money(10 * box), seated=True))
        wanted.extend(
            cmd.PlaceBet(box=str(box), player=player, amount=Money(5), wager=side.id)
            for side in state.rules.side_wagers
            if chance.random() < 0.7
        )
    return give_all(state, wanted)


def some_ruling(state: State, chance: random.Random) -> cmd.Command:
    """Something that is ruled on the round, or taken back because of a ruling."""
    said = {"role": boss(state.rules.game), "reason": "because", "told": ("inspector", "surveillance")}
    box = chance.choice(state.boxes)
    wager = chance.choice([side.id for side in state.rules.side_wagers] or ["none"])
    clause = {"melbourne": "32.2.1", "star": "19.3.1"}.get(state.rules.game.split("/")[0])
    return chance.choice(
        (
            lambda: cmd.Void(**said, player=chance.choice(("ann", "bob", "cat")), clause=clause),
            lambda: cmd.Void(
                **said,
                box=box.number,
                player=box.controller,
                wager=chance.choice(("main", "insurance", wager)),
                clause=clause,
            ),
            lambda: od.Malfunction(**said, wager=wager),
            lambda: od.Unregistered(**said, wager=wager),
            lambda: od.Retract(box=box.number, player=box.controller, wager=wager),
            lambda: od.PanelPrize(**said, box=box.number, player=box.controller, amount=Money(20)),
            lambda: od.LateInsurance(**said, players=(box.controller,)),
            lambda: od.Bar(**said, player=box.controller),
            lambda: od.Withhold(**said, player=box.controller),
            lambda: od.LimitBoxes(**said, number=1),
            lambda: od.PressButton(**said, box=box.number, player=box.controller, amount=Money(20)),
            lambda: od.ConfirmPrize(**said, box=box.number, outcome=chance.choice(("minor", "mystery", "suited-aces"))),
            lambda: cmd.SystemPick(pick=chance.choice(("mystery", "lucky")), box=box.number),
            lambda: cmd.OrderShuffle(role=said["role"], reason="because"),
        )
    )()


def play_round(state: State, chance: random.Random) -> State:
    """A whole round with rulings among its decisions."""
    wrong = chance.random() < 0.3 and state.rules.hole_card == "none"
    command: cmd.Command = od.Misdeal(role="dealer", fell=dealt_wrongly(state, chance)) if wrong else cmd.Deal()
    for _ in range(200):
        answer = decide(state, command)
        state = state if isinstance(answer, Refusal) else answer.state
        if state.phase is Phase.SETTLED:
            break
        options = [option for option in legal(state) if not isinstance(option, cmd.PlayAbsent)]
        asked = not options or chance.random() < 0.3
        command = some_ruling(state, chance) if asked and state.boxes else chance.choice(options)
        if not options and state.trouble.halted:
            command = od.Reconstruct(role=boss(state.rules.game), reason="a misdeal")
    return state


def what_counts(state: State) -> dict[str, object]:
    """Money, wagers, cards and rulings of a round."""
    return {
        "results": {key: net for key, net in results(state).items() if net},
        "bets": state.bets,
        "boxes": state.boxes,
        "dealer": state.dealer,
        "sides": state.sides,
        "meters": state.meters,
        "floor": state.floor,
        "prizes": list_prizes(state),
        "withheld": [(held.player, amount_withheld(state, held)) for held in state.floor.withheld],
        "due": state.shoe.due,
        "commands": sorted(repr(deed.command) for deed in state.deeds),
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_round_told_again_with_its_rulings_is_the_same_round(game: str, seed: int) -> None:
    chance = random.Random(seed)
    end = play_round(open_round(game, chance), chance)
    if end.phase is not Phase.SETTLED or end.void or end.opening is None:
        return
    again = WorkingDraft(end)
    rebuild(again, end.deeds, (), as_it_fell=bool(end.trouble.misdealt))
    assert what_counts(again.state) == what_counts(end)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_a_corrected_round_is_the_corrected_story_told_straight(game: str, seed: int) -> None:
    """A decision was carried out wrongly; what was ruled before and after it stands in both tellings."""
    chance = random.Random(seed)
    opening = open_round(game, chance)
    asked: list[cmd.Command] = [cmd.Deal()]
    state = ask_all(opening, asked)
    wrong: cmd.Command | None = None
    meant: cmd.Command | None = None
    for _ in range(60):
        options = [option for option in legal(state) if not isinstance(option, cmd.PlayAbsent)]
        if not options:
            break
        command = some_ruling(state, chance) if chance.random() < 0.4 else chance.choice(options)
        answer = decide(state, command)
        if isinstance(answer, Refusal):
            continue
        after_error = wrong is not None and isinstance(command, NO_RULING)
        if answer.state.phase is Phase.SETTLED or after_error:
            break
        if isinstance(command, DECISIONS) and chance.random() < 0.5:
            wrong, meant = command, do_otherwise(state, command, chance)
        asked.append(command)
        state = answer.state
    if not isinstance(wrong, DECISIONS) or meant is None:
        return
    should = str(type(meant).__struct_config__.tag)
    rebuilt = decide(state, od.Reconstruct(role=boss(game), reason="an error", box=wrong.box, should=should))
    assert not isinstance(rebuilt, Refusal), rebuilt
    straight = opening
    for command in asked:
        if straight.phase is Phase.SETTLED:
            return  # What was ruled while the round was played would come after it here.
        straight = ask_all(straight, [meant if command is wrong else command])
    for name, value in what_counts(straight).items():
        assert what_counts(rebuilt.state)[name] == value, name


def ask_all(state: State, commands: list[cmd.Command]) -> State:
    """The table once all of this was asked in its order, as far as the round lasts."""
    for command in commands:
        answer = decide(state, command)
        assert not isinstance(answer, Refusal), (command, answer)
        state = answer.state
    return state


def do_otherwise(state: State, command: cmd.Command, chance: random.Random) -> cmd.Command | None:
    """What else the hand could have done."""
    assert isinstance(command, DECISIONS)
    others = [option for option in legal(state) if isinstance(option, DECISIONS) and type(option) is not type(command)]
    return type(chance.choice(others))(box=command.box) if others else None


# ---------------------------------------------------------------------- several decisions, misdeals, switches


class Told(NamedTuple):
    """A decision, with what whoever made it had before them."""

    box: str
    hand: int
    cards: tuple[Card, ...]
    command: cmd.Command


def play_boxes(state: State, chance: random.Random, most: int) -> tuple[State, list[Told]]:
    """Boxes decide at random, so often at most and never the whole round; each decision as it was made."""
    told: list[Told] = []
    while len(told) < most and state.phase is Phase.TURNS and state.turn is not None:
        options = [option for option in legal(state) if isinstance(option, (*DECISIONS, cmd.Switch, cmd.Proceed))]
        command = chance.choice(options)
        answer = decide(state, command)
        assert not isinstance(answer, Refusal), answer
        if answer.state.phase is Phase.SETTLED:
            break
        told.extend(let_pass(state, command))
        told.append(as_told(state, command))
        state = answer.state
    return state, told


def let_pass(state: State, command: cmd.Command) -> Iterator[Told]:
    """Switches that a decision lets pass, of its own area and of those before it."""
    own = area_of(command.box) if isinstance(command, DECISIONS) else 0
    own = int(command.area) - 1 if isinstance(command, cmd.Switch) else own
    for area in dict.fromkeys(box.area for box in state.boxes if box.area <= own):
        if can_switch(state, area):
            yield Told(str(area), 0, area_cards(state, area), cmd.Proceed())


def as_told(state: State, command: cmd.Command) -> Told:
    """A decision in the way the story has it: a switch, or its passing, is the area's."""
    assert state.turn is not None
    b, h = state.turn
    box = state.boxes[b]
    if isinstance(command, cmd.Switch):
        return Told(command.area, 0, area_cards(state, int(command.area)), command)
    if isinstance(command, cmd.Proceed):
        return Told(str(box.area), 0, area_cards(state, box.area), command)
    assert isinstance(command, DECISIONS)
    if command.box != box.number:
        b, h = state.box_index(command.box), 0
    return Told(command.box, h, state.boxes[b].hands[h].cards, command)


def area_cards(state: State, area: int) -> tuple[Card, ...]:
    return tuple(card for box in state.boxes if box.area == area for card in box.hands[0].cards)


def tell_straight(state: State, told: list[Told]) -> State:
    """The decisions once more, each box in the order of its own, as long as the hand that acts has what it had."""
    left = list(told)
    while state.phase is Phase.TURNS and state.turn is not None:
        b, h = state.turn
        box = state.boxes[b]
        own = next((item for item in left if item.box in (str(box.area), box.number)), None)
        whole_area = own is not None and own.box != box.number
        before = (0, area_cards(state, box.area)) if whole_area else (h, box.hands[h].cards)
        if own is None or (own.hand, own.cards) != before:
            return state
        left.remove(own)
        if isinstance(own.command, cmd.Proceed) and state.pending is Pending.NOTHING:
            continue
        answer = decide(state, own.command)
        if isinstance(answer, Refusal):
            return state
        state = answer.state
    return state


def past_offers(state: State) -> State:
    """The table once offers are closed, if any were open."""
    while state.phase is Phase.OFFERS:
        answer = decide(state, cmd.Proceed())
        if isinstance(answer, Refusal):
            return state
        state = answer.state
    return state


def same_round(rebuilt: State, straight: State) -> None:
    for name in ("results", "bets", "boxes", "dealer", "sides", "meters"):
        assert what_counts(rebuilt)[name] == what_counts(straight)[name], name
    assert (rebuilt.phase, rebuilt.turn, rebuilt.pending) == (straight.phase, straight.turn, straight.pending)
    assert rebuilt.shoe.position == straight.shoe.position


STORIES = ("star/blackjack", "star/switch", "perth/blackjack", "perth/vegas")
"""Games whose book rebuilds any decision of the round, not only the last."""


@pytest.mark.slow
@pytest.mark.parametrize("game", STORIES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_an_early_decision_is_corrected_and_later_ones_hold_where_nothing_changed_for_them(
    game: str, seed: int
) -> None:
    chance = random.Random(seed)
    dealt = past_offers(ask_all(open_round(game, chance), [cmd.Deal()]))
    state, told = play_boxes(dealt, chance, chance.randint(2, 9))
    wrong = chance.choice([item for item in told if isinstance(item.command, DECISIONS)] or [None])
    if wrong is None:
        return
    meant = chance.choice([kind for kind in DECISIONS if type(wrong.command) is not kind])
    own = [item for item in told if item.box == wrong.box]
    number = next(place for place, item in enumerate(own, 1) if item is wrong)
    should = str(meant.__struct_config__.tag)
    order = od.Reconstruct(role=boss(game), reason="an error", box=wrong.box, number=number, should=should)
    rebuilt = decide(state, order)
    later = {id(item) for item in own[number:]}
    story = [item._replace(command=meant(box=wrong.box)) if item is wrong else item for item in told]
    story = [item for item, old in zip(story, told, strict=True) if id(old) not in later]
    before = tell_straight(dealt, story[: next(at for at, item in enumerate(told) if item is wrong)])
    if isinstance(rebuilt, Refusal):
        assert "\n" not in str(rebuilt)
        assert rebuilt.clauses
        assert isinstance(decide(before, meant(box=wrong.box)), Refusal), rebuilt
        return
    same_round(rebuilt.state, tell_straight(dealt, story))


@pytest.mark.slow
@pytest.mark.parametrize("game", STORIES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_a_misdeal_that_was_played_on_is_rebuilt_and_decisions_hold_where_hands_are_the_same(
    game: str, seed: int
) -> None:
    chance = random.Random(seed)
    opening = open_round(game, chance)
    fell = ask_all(opening, [od.Misdeal(role="dealer", fell=exchange_two(opening, chance))])
    played = decide(fell, cmd.Proceed())
    if isinstance(played, Refusal):
        return
    state = past_offers(played.state)
    before_turns = state.phase is Phase.OFFERS
    state, told = play_boxes(state, chance, chance.randint(0, 5))
    rebuilt = decide(state, od.Reconstruct(role=boss(game), reason="a misdeal"))
    assert not isinstance(rebuilt, Refusal), rebuilt
    straight = ask_all(opening, [cmd.Deal()])
    same_up = straight.dealer[:1] == fell.dealer[:1]
    if not before_turns and same_up:
        straight = past_offers(straight)
    same_round(rebuilt.state, tell_straight(straight, told) if same_up else straight)


def exchange_two(state: State, chance: random.Random) -> tuple[str, ...]:
    """Two cards of the deal went to each other's places."""
    dealt = decide(state, cmd.Deal())
    assert not isinstance(dealt, Refusal)
    places = list(places_of_deal(dealt.state))
    one, other = chance.sample(range(len(places)), 2)
    while places[one] == places[other]:
        one, other = chance.sample(range(len(places)), 2)
    places[one], places[other] = places[other], places[one]
    return tuple(places)
