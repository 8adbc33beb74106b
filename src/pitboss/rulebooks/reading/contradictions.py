"""Combinations of values that no table could run, whatever their clauses: a rulebook that holds one is refused."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.play.side_wagers.judges import BY_FOUR_CARDS, JUDGES
from pitboss.rulebooks.model.rules import Rules


def contradictions(rules: Rules) -> Iterator[str]:
    """What is wrong with the rules of a game, a line each."""
    yield from _layout_and_deal(rules)
    yield from _actions(rules)
    yield from _surrender(rules)
    yield from _dealer(rules)
    if rules.insurance_on_ten and rules.insurance_odds_ten is None:
        yield "insurance_on_ten is true: say insurance_odds_ten"
    if rules.bonus_table != "none" and not rules.bonuses:
        yield "bonus_table has no rows: write [[games.NAME.bonuses]]"
    if rules.super_bonus and rules.super_bonus_sums is None:
        yield "super_bonus is true: write its sums in [games.NAME.super_bonus]"
    for side in rules.side_wagers:
        if JUDGES[side.judge].looks_at == BY_FOUR_CARDS and rules.boxes_per_area != 2:
            yield f"{side.name} looks at the cards of two boxes, and an area has one: boxes_per_area must be 2"


def _layout_and_deal(rules: Rules) -> Iterator[str]:
    if rules.boxes_max < rules.boxes_min:
        yield f"boxes_max {rules.boxes_max} must not be below boxes_min {rules.boxes_min}"
    if (rules.hole_card == "none") == (rules.deal_order == "boxes-dealer-boxes-dealer"):
        yield f"hole_card {rules.hole_card} does not go with deal_order {rules.deal_order}"


def _actions(rules: Rules) -> Iterator[str]:
    for name in ("hit", "stand"):
        if name not in rules.actions:
            yield f"actions must have {name}"
    possible = {
        "double": (rules.double_totals != "none", f"double_totals is {rules.double_totals}"),
        "split": (rules.split_max_hands > 1, f"split_max_hands is {rules.split_max_hands}"),
        "surrender": (rules.surrender_when != "never", f"surrender_when is {rules.surrender_when}"),
        "switch": (rules.switch, f"switch is {str(rules.switch).lower()}"),
    }
    for name, (open_, said) in possible.items():
        if open_ != (name in rules.actions):
            yield f"actions {'must not have' if name in rules.actions else 'must have'} {name}: {said}"
    if rules.split_aces_max_hands > max(rules.split_max_hands, 2):
        yield f"split_aces_max_hands {rules.split_aces_max_hands} is above split_max_hands {rules.split_max_hands}"
    if rules.switch and rules.boxes_per_area != 2:
        yield "switch needs boxes_per_area = 2"
    if rules.switch and rules.switch_after_paid_natural and rules.natural_paid != "final":
        yield "switch_after_paid_natural is true: what is paid at once has gone, so natural_paid must be final"


def _surrender(rules: Rules) -> Iterator[str]:
    if rules.surrender_when == "never":
        return
    if not rules.surrender_up_cards:
        yield "surrender is offered: surrender_up_cards must name a card"
    for name in ("surrender_vs_natural", "surrender_settled"):
        if getattr(rules, name) == "not-applicable":
            yield f"surrender is offered: say {name}"
    looked = rules.hole_card == "peek" and rules.surrender_when == "own-turn"
    if rules.surrender_settled == "at-once" and rules.surrender_vs_natural == "whole-stake-lost" and not looked:
        yield (
            "surrender_settled is at-once: half is taken and the rest goes back before a dealer's natural is seen, "
            "so surrender_vs_natural must be half-stake-lost"
        )


def _dealer(rules: Rules) -> Iterator[str]:
    if rules.dealer_hits_soft_17 and rules.dealer_stands_soft < 18:
        yield f"dealer_hits_soft_17 is true, but dealer_stands_soft is {rules.dealer_stands_soft}"
    if (rules.dealer_push_total is None) != (rules.natural_vs_push_total == "not-applicable"):
        yield (
            f"dealer_push_total is {rules.dealer_push_total or 'none'}, "
            f"but natural_vs_push_total is {rules.natural_vs_push_total}"
        )
