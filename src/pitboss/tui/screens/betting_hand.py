"""Where the player's hand is while bets are placed: the box, the spot on it, and the chip that is picked up."""

from __future__ import annotations

from pitboss.money import ZERO, Money, show
from pitboss.table import Refusal
from pitboss.table.messages import commands as cmd
from pitboss.tui.screens import panels
from pitboss.tui.screens.modals import AllowedAmounts
from pitboss.tui.screens.panels import Button
from pitboss.tui.session.moves import Ask
from pitboss.tui.session.player_log import address, amount_text
from pitboss.tui.session.session import Session, perform


class BettingHand:
    """Box, spot and chip, moved by keys."""

    def __init__(self, session: Session) -> None:
        self.box = session.setup.box
        self.spot = "main"
        least = session.setup.limits.minimum or Money(1)
        self.chip = Money(next((value for value in panels.TRAY if value >= least), panels.TRAY[-1]))

    def move(self, session: Session, key: str) -> None:
        """To the next box, chip or spot."""
        step = -1 if key in ("left", "down") else 1
        if key in ("left", "right"):
            self.box = str((int(self.box) - 1 + step) % session.rules.boxes_max + 1)
        elif key in ("up", "down"):
            at = panels.TRAY.index(int(self.chip)) + step
            self.chip = Money(panels.TRAY[max(0, min(at, len(panels.TRAY) - 1))])
        else:
            spots = ["main", *(side.id for side in session.rules.side_wagers)]
            self.spot = spots[(spots.index(self.spot) + 1) % len(spots)]

    def buttons(self, session: Session, ask: Ask) -> list[Button]:
        """What can be done while betting."""
        found = [Button(choice.key, choice.name, choice.detail) for choice in ask.choices]
        if ask.rebuy is not None:
            return [Button("b", "buy in", amount_text(ask.rebuy)), *found]
        found += [Button("enter", "bet"), Button("left", "box"), Button("up", "chip"), Button("m", "amount")]
        if session.rules.side_wagers:
            found.append(Button("tab", "spot"))
        if any(bet.player == session.me for bet in session.state.bets):
            found.append(Button("backspace", "take off"))
        return found

    def lying(self, session: Session) -> Money:
        """What the player has on the spot already."""
        here = (session.me, self.box, self.spot)
        return sum((bet.amount for bet in session.state.bets if (bet.player, bet.box, bet.wager) == here), ZERO)

    def describe(self, session: Session) -> str:
        """Where the next chip goes."""
        side = session.rules.side_wager(self.spot)
        what = "main wager" if side is None else side.name
        place = "area" if session.rules.boxes_per_area == 2 else "box"
        if any(bet.player == session.me for bet in session.state.bets):
            lying = self.lying(session)
            has = f", {show(lying)} so far" if lying else ""
            return f"{place.capitalize()} {self.box}, {what}{has}."
        return f"Place your bets: {place} {self.box}, {what}."

    # ------------------------------------------------------------------ amounts

    def allow(self, session: Session) -> AllowedAmounts:
        """What can be typed for this spot: the sign's limits count for the main wager, the money for every one."""
        limits = session.setup.limits
        pair = session.rules.boxes_per_area if self.spot == "main" else 1
        most = session.available / pair
        says = f"You have {amount_text(session.available)}."
        if self.spot == "main" and limits.maximum is not None:
            most = min(most, limits.maximum / pair - self.lying(session))
            both = ", both boxes together" if pair == 2 else ""
            least = f"{show(limits.minimum)} to " if limits.minimum is not None else "at most "
            says = f"The sign says {least}{show(limits.maximum)}{both}. {says}"
        return AllowedAmounts(max(most, ZERO), says, limits.chip)

    def refuse(self, session: Session, amount: Money) -> str:
        """Why the table would not take an amount on this spot."""
        bet = cmd.PlaceBet(box=self.box, player=session.me, amount=amount, wager=self.spot)
        answer = perform(session, bet)
        return f"{_sentence(address(answer.reason, session.me))}." if isinstance(answer, Refusal) else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
