"""Hands of a box put together: every sum of nets comes as often as its parts do."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

from pitboss.odds.splits.net_lists import FLAGS, GONE, LIVE, list_nets, nothing_yet, put_together

RESULTS = np.array([0.7, 0.3])
NET = np.array([[1.0, -1.0], [2.0, 1.5338709677419355], [-1.0, -1.0]])
LIVE_CLASSES = np.array([True, False, False])
GONE_CLASSES = np.array([False, False, True])
CHANCES = np.array([[0.5, 0.2], [0.25, 0.2], [0.25, 0.6]])


def test_three_hands_come_to_every_sum_as_often_as_their_classes_meet() -> None:
    hand = list_nets(NET, LIVE_CLASSES, GONE_CLASSES, CHANCES)
    box = nothing_yet(RESULTS)
    for _ in range(3):
        box = put_together(box, hand)
    expected: dict[tuple[int, int, float], float] = defaultdict(float)
    for classes in itertools.product(range(3), repeat=3):
        flags = LIVE * bool(LIVE_CLASSES[list(classes)].any()) | GONE * bool(GONE_CLASSES[list(classes)].any())
        for result, chance in enumerate(RESULTS):
            net = round(sum(NET[one, result] for one in classes), 6)
            expected[result, flags, net] += chance * np.prod([CHANCES[one, result] for one in classes])
    found: dict[tuple[int, int, float], float] = defaultdict(float)
    for result, flags, place in itertools.product(range(len(RESULTS)), range(FLAGS), range(len(box.nets))):
        found[result, flags, round(float(box.nets[place]), 6)] += float(box.often[result, flags, place])
    assert {key: often for key, often in found.items() if often} == pytest.approx(expected)
    assert box.often.sum() == pytest.approx(1)
