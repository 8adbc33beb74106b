"""Switching: when the second cards of an area's two boxes may be exchanged."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.packed import AUTO_OFF, Packed
from pitboss.play.surrender import surrender_before_turns


@kernel
def hand_may_switch(rules: Packed, natural: bool, paid: bool) -> bool:
    """A hand as it was dealt may give its second card away and take another.

    `natural`: it is a natural; `paid`: one that is paid before boxes act, against this up card.
    """
    if rules.switch == 0:
        return False
    if not natural:
        return True
    return rules.switch_after_paid_natural != 0 if paid else rules.switch_waiting_natural != 0


@kernel
def is_played_before_switch(rules: Packed) -> bool:
    """A hand can draw or surrender before its area is asked whether it switches."""
    return rules.switch != 0 and (rules.auto_draw != AUTO_OFF or surrender_before_turns(rules))
