"""What a picture of the table is drawn from: a view, the printed layout, and where the player's hand hovers."""

from __future__ import annotations

import msgspec

from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.round.dealing import hand_is_natural
from pitboss.table.round.finish import dealer_has_natural
from pitboss.table.state import CardSource, Carried, Limits, State
from pitboss.table.views import Observer, View, Viewer, view


class ShoeGauge(msgspec.Struct, frozen=True):
    """How the cards lie: how many there are, how many are gone, where the cut card is."""

    cards: int = 0
    dealt: int = 0
    cut: int = 0
    """The cut card lies before this card, counted from the first; 0: there is none."""


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A moment at the table as it is to be drawn."""

    view: View
    rules: Rules
    limits: Limits
    shoe: ShoeGauge = ShoeGauge()
    carried: tuple[Carried, ...] = ()
    cursor: str = ""
    """The box that the next chip goes to; nothing while cards are out."""
    spot: str = "main"
    """The wager that the next chip goes to."""
    switched: frozenset[str] = frozenset()
    """Boxes whose second cards were exchanged."""
    naturals: frozenset[str] = frozenset()
    """Boxes that were dealt a natural."""
    dealer_natural: bool = False

    @property
    def me(self) -> str:
        """The player who looks."""
        return self.view.observer.name


def scene_of(state: State, me: str, cursor: str = "", spot: str = "main") -> Scene:
    """The table as a player sees it."""
    shoe = state.shoe
    gauge = ShoeGauge(len(shoe.cards), shoe.position, shoe.cut_card or 0)
    if shoe.source is CardSource.DEVICE:
        gauge = ShoeGauge(len(shoe.cards), shoe.position)
    return Scene(
        view=view(state, Observer(Viewer.PLAYER, me)),
        rules=state.rules,
        limits=state.limits,
        shoe=gauge,
        carried=state.carried,
        cursor=cursor,
        spot=spot,
        switched=frozenset(box.number for box in state.boxes if box.switched),
        naturals=frozenset(box.number for box in state.boxes if any(hand_is_natural(box, hand) for hand in box.hands)),
        dealer_natural=dealer_has_natural(state),
    )


def list_places(rules: Rules) -> tuple[str, ...]:
    """The boxes of the layout, from the dealer's left: `1`, `2`; or `1a`, `1b`."""
    parts = ("",) if rules.boxes_per_area == 1 else ("a", "b")
    return tuple(f"{area}{part}" for area in range(1, rules.boxes_max + 1) for part in parts)


def area_of_box(box: str) -> str:
    """The playing area a box belongs to."""
    return box.rstrip("ab")


def list_stakes(scene: Scene, box: str) -> tuple[tuple[str, Money], ...]:
    """Main wagers on a box before the deal, by player, in the order they were placed."""
    found: dict[str, Money] = {}
    for bet in scene.view.bets:
        if bet.wager == "main" and bet.box in (box, area_of_box(box)):
            found[bet.player] = found.get(bet.player, Money(0)) + bet.amount
    return tuple(found.items())


def side_staked(scene: Scene, box: str) -> tuple[tuple[str, str, Money], ...]:
    """Side wagers on a box or its area: player, wager, amount; those still undecided once cards are out."""
    on_area = box in (area_of_box(box), f"{area_of_box(box)}a")
    if scene.view.boxes:
        return tuple(
            (side.player, side.wager, side.amount)
            for side in scene.view.sides
            if side.state and (side.box == box or (on_area and side.box == area_of_box(box)))
        )
    return tuple(
        (bet.player, bet.wager, bet.amount)
        for bet in scene.view.bets
        if bet.wager != "main" and (bet.box == box or (on_area and bet.box == area_of_box(box)))
    )


def list_carried(scene: Scene, box: str) -> tuple[tuple[str, Money], ...]:
    """Side wagers of the player's that stay on a box from the round before: wager and amount."""
    return tuple(
        (item.wager, item.amount)
        for item in scene.carried
        if item.player == scene.me and area_of_box(item.box) == area_of_box(box)
    )


def short_names(rules: Rules) -> dict[str, str]:
    """A few letters for each side wager on offer, all different: `PP`, `MS`."""
    found: dict[str, str] = {}
    for side in rules.side_wagers:
        words = side.name.replace("-", " ").split()
        for letters in range(1, max(map(len, words)) + 1):
            short = words[0][:letters] + "".join(word[0].upper() for word in words[1:])
            if len(short) > 1 and short not in found.values():
                found[side.id] = short
                break
        else:
            found[side.id] = side.id
    return found
