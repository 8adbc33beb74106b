"""The buttons below the table: what the question offers, then what can always be done, as far as there is room."""

from __future__ import annotations

from pitboss.tui.help.review import find_settled_round
from pitboss.tui.screens.betting_hand import BettingHand
from pitboss.tui.screens.panels import Button, rows_of_buttons
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.session import Session

BAR_ROWS = 3
"""The bar is at least this high, so that the picture stays where it is when there is little to choose."""

ALWAYS = (
    Button("question_mark", "advice"),
    Button("c", "clauses"),
    Button("v", "last round"),
    Button("k", "keys"),
    Button("q", "leave"),
)
FEWER = tuple(button for button in ALWAYS if button.key != "v")
FEWEST = tuple(button for button in FEWER if button.key != "c")
"""What is there however little room there is."""


def list_buttons(session: Session, ask: Ask | None, hand: BettingHand, width: int) -> list[Button]:
    """What the player can do now; nothing but the usual while the table is busy."""
    usual = ALWAYS if find_settled_round(session) is not None else FEWER
    if ask is None:
        return list(usual)
    if ask.kind is MoveKind.BETS:
        found = hand.buttons(session, ask)
    else:
        found = [Button(choice.key, choice.name, choice.detail) for choice in ask.choices]
        if any(choice.most is not None for choice in ask.choices):
            found.append(Button("f", "for less"))
    if ask.kind is MoveKind.NEXT:
        found.append(Button("x", "review"))
    fits = (some for some in (usual, FEWER) if rows_of_buttons([*found, *some], width) < BAR_ROWS)
    return [*found, *next(fits, FEWEST)]
