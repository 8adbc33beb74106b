"""What a player may know of the shoe: its seal in full, and how to check the shoes that were put away."""

from __future__ import annotations

from shlex import quote

from pitboss.tui.session.live_session import LiveSession


def shoe_lines(live: LiveSession) -> list[str]:
    """The shoe in play and its seal, then a command for each shoe that was put away."""
    shoe = live.session.state.shoe
    lines = []
    if shoe.origin.commitment:
        lines += [
            f"Shoe {shoe.origin.number}: {len(shoe.cards)} cards, {shoe.position} of them dealt or burnt. Its seal:",
            shoe.origin.commitment,
            "The seal is published before the cut and fixes the order of the cards. When the shoe is put away its seed "
            "is revealed, and a shoe file is saved that anybody can check.",
        ]
    else:
        lines.append("The cards in play were not shuffled here, so they have no seal.")
    for saved in live.shoes:
        lines += [
            "",
            f"Shoe {saved.number} was put away. To check it:",
            f"pitboss audit shoe {quote(saved.path)} --commitment {saved.seal}",
        ]
    return lines
