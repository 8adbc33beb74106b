"""Exchanging the second cards of an area's two boxes in a kernel, where its player does that."""

from __future__ import annotations

from pitboss.play._jit import register_all
from pitboss.play.naturals import makes_natural, may_become_natural, natural_paid_now
from pitboss.play.switching import hand_may_switch
from pitboss.sim.kernels.arguments import Given, Scratch
from pitboss.sim.kernels.compiling import part

register_all()


@part
def wants_exchange(given: Given, a_one: int, a_two: int, b_one: int, b_two: int, up: int) -> bool:
    """The player of an area with these ranks may exchange second cards, and does."""
    paid_now = natural_paid_now(given.rules, may_become_natural(up))
    first, second = makes_natural(a_one, a_two), makes_natural(b_one, b_two)
    if not (hand_may_switch(given.rules, first, paid_now) and hand_may_switch(given.rules, second, paid_now)):
        return False
    key = ((min(a_one, 9) * 10 + min(a_two, 9)) * 10 + min(b_one, 9)) * 10 + min(b_two, 9)
    return bool(given.schedule.switches[key * 10 + min(up, 9)] != 0)


@part
def exchange(given: Given, scratch: Scratch, b: int, up: int) -> bool:
    """Exchange the second cards of the area that begins with box `b`, if its player does."""
    codes = scratch.codes
    if not wants_exchange(given, codes[b, 0] & 15, codes[b, 1] & 15, codes[b + 1, 0] & 15, codes[b + 1, 1] & 15, up):
        return False
    swap = codes[b, 1]
    codes[b, 1] = codes[b + 1, 1]
    codes[b + 1, 1] = swap
    return True
