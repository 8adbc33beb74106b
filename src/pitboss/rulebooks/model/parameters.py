"""Every parameter a rulebook can set, with its type, its choices and what it means.

`Parameters` is the one list: the loader checks rulebooks against it, `Rules` carries a value for each field, the
command line prints it in this order, and the numbers (P1 to P104) are those of the parameter model that the books
were read into. A parameter that no layer of a book sets takes its engine default, without a clause:
the book is silent.
"""

from __future__ import annotations

import typing
from typing import Annotated, Literal, NamedTuple

import msgspec

from pitboss.money import Odds


class P(NamedTuple):
    """What a parameter is: its number in the model, its group, one line for people, and whether it only describes."""

    number: str
    group: str
    text: str
    describes: bool = False
    """Nothing is decided by it: it tells people what the book says on a matter that lies outside a table's cards and
    chips, or that is always so."""


CARDS = "cards and deal"
WAGERS = "wagers and limits"
NATURALS = "naturals"
OFFERS = "insurance, even money, surrender"
DRAW = "player's draws"
DOUBLE = "double"
SPLIT = "split"
SWITCH = "switch"
DEALER = "dealer"
SETTLE = "settlement"
TROUBLE = "irregularities"
FLOOR = "floor"

Strings = tuple[str, ...]
Ints = tuple[int, ...]


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value for every parameter of the model."""

    # ---------------------------------------------------------------- cards and deal
    deck_cards: Annotated[Literal[52, 48], P("P1", CARDS, "cards in one deck; 48 is without the tens")]
    decks: Annotated[int, P("P2", CARDS, "decks in play; an infinite deck is chosen as inf and kept as 0")]
    boxes_min: Annotated[int, P("P3", CARDS, "fewest boxes (playing areas) on a layout")]
    boxes_max: Annotated[int, P("P3", CARDS, "most boxes (playing areas) on a layout")]
    boxes_per_area: Annotated[Literal[1, 2], P("P4", CARDS, "boxes in one playing area: two on Switch")]
    card_source: Annotated[
        Literal["shoe", "shuffler-and-shoe", "device"],
        P("P5", CARDS, "where cards come from: shoe, shoe filled by a shuffling machine, continuous device"),
    ]
    face_down_first_two: Annotated[
        Literal["never", "manager-approval", "inspector-approval", "with-notice"],
        P("P6", CARDS, "whether players' first two cards may be dealt face down, and on whose word"),
    ]
    face_down_exposure: Annotated[
        Literal["after-initial-deal", "before-third-card"],
        P("P6", CARDS, "when cards dealt face down are shown, unless a side wager needs them at once"),
    ]
    cut_min_decks_from_end: Annotated[
        int, P("P7", CARDS, "a player's cut lies at least this many decks from either end")
    ]
    cut_card_min_half_decks: Annotated[
        int, P("P8", CARDS, "the dealer places the cutting card at least this many half decks from the back")
    ]
    cut_card_max_half_decks: Annotated[
        int | None, P("P8", CARDS, "and at most this many half decks from the back; none: half of the stack")
    ]
    cut_mandatory: Annotated[bool, P("P9", CARDS, "cards must be cut after a shuffle")]
    cut_new_cards: Annotated[
        bool, P("P9", CARDS, "cards that were replaced or ran out must be cut, even where others need not be")
    ]
    shuffler_cut: Annotated[bool, P("P9", CARDS, "cards that a shuffling machine mixed for a shoe are cut too")]
    cut_order: Annotated[Strings, P("P10", CARDS, "who is offered the cut, in order")]
    cutter_on_shared_box: Annotated[
        Literal["controlling-player", "not-stated"],
        P("P10", CARDS, "who is offered the cut when the cut card fell on a shared box"),
    ]
    cutter_of_ordered_shuffle: Annotated[
        Literal["far-right", "not-stated"], P("P10", CARDS, "who is offered the cut after a shuffle that was ordered")
    ]
    burn_shoe: Annotated[
        Literal["none", "first-card-unseen", "optional-each-round", "optional-shown-on-request"],
        P("P11", CARDS, "burning from a shoe"),
    ]
    burn_opens_round: Annotated[
        bool, P("P11", CARDS, "the burnt card is the first card of a round, which closes betting")
    ]
    burn_device: Annotated[
        Literal["none", "first-card-unseen", "face-value-of-first"], P("P12", CARDS, "burning from a shuffling device")
    ]
    burn_device_when: Annotated[
        Literal["on-loading", "each-round"], P("P12", CARDS, "how often the first card of a device is burnt")
    ]
    shuffle_triggers: Annotated[Strings, P("P13", CARDS, "what makes the dealer shuffle")]
    abnormal_sequence: Annotated[
        Literal["finish-then-shuffle", "void-then-shuffle"],
        P("P13", CARDS, "the round in which a shuffle for an abnormal sequence is ordered"),
    ]
    device_shuffled_by_hand: Annotated[
        Literal["any-shuffle-order", "own-power"],
        P(
            "P13",
            CARDS,
            "who has a device's cards shuffled by hand: whoever may order a shuffle, or who has that power alone",
        ),
    ]
    discards_return: Annotated[
        Literal["after-round", "after-next-initial-deal", "mid-round"],
        P("P14", CARDS, "when discards go back into a continuous device"),
    ]
    card_change_when: Annotated[Strings, P("P15", CARDS, "when cards may be replaced")]
    hole_card: Annotated[
        Literal["none", "peek", "no-peek"],
        P("P16", CARDS, "no hole card; a hole card checked under ace and ten; a hole card not checked"),
    ]
    deal_order: Annotated[
        Literal["boxes-dealer-boxes", "boxes-dealer-boxes-dealer"], P("P17", CARDS, "order of the initial deal")
    ]

    # ---------------------------------------------------------------- wagers, sharing, limits
    bets_close: Annotated[Literal["first-card", "call"], P("P19", WAGERS, "what closes betting")]
    media: Annotated[Strings, P("P20", WAGERS, "what may be staked")]
    oral_bets: Annotated[Literal["no", "with-money"], P("P21", WAGERS, "orally declared wagers")]
    sharers_max: Annotated[int, P("P22", WAGERS, "most players wagering on one box")]
    control_rule: Annotated[
        Literal["seated-highest-nearest", "nearest-dealer"], P("P23", WAGERS, "who calls the decisions of a box")
    ]
    control_tie: Annotated[
        Literal["nearest-dealer", "undefined"],
        P("P23", WAGERS, "who calls when some wagers tie for the highest, and nobody is seated"),
    ]
    controller_leaves: Annotated[
        Literal["next-in-line", "dealer-plays"],
        P("P23", WAGERS, "who calls when the controlling player of a shared box has left"),
    ]
    unequal_pair: Annotated[
        Literal["stand", "lower-counts"],
        P("P25", WAGERS, "unequal wagers on the two boxes of an area, seen after the first card"),
    ]
    limit_basis: Annotated[
        Literal["box", "box-or-player-by-sign", "player"], P("P26", WAGERS, "what the limits on the sign apply to")
    ]
    limit_fill_order: Annotated[
        Literal["controller-then-placed", "as-placed"], P("P27", WAGERS, "who has first claim on a box's maximum")
    ]
    under_minimum: Annotated[
        Literal["stands", "stands-once-with-warning"],
        P("P28", WAGERS, "a wager under the minimum, seen after the deal"),
    ]
    over_maximum: Annotated[Literal["capped", "stands"], P("P29", WAGERS, "a wager over the maximum")]
    odd_payment: Annotated[
        Literal["round-up", "exact"],
        P("P30", WAGERS, "a payment not possible in chips: up to what is, or to the cent"),
    ]
    several_boxes: Annotated[
        Literal[
            "operator-decides", "give-up-on-demand", "supervisor-decides", "supervisor-decides-but-shared", "not-stated"
        ],
        P("P31", WAGERS, "one player on several boxes; as a sharer of others' boxes perhaps on any number"),
    ]
    personal_limits: Annotated[
        Literal["no", "surveillance-told", "sign-at-table", "marker-caps-box"],
        P("P34", FLOOR, "personal limits for single players"),
    ]
    minimum_raise_notice_minutes: Annotated[int, P("P35", FLOOR, "notice before a minimum is raised")]
    minimum_raise_protects_seated: Annotated[
        bool, P("P36", FLOOR, "a minimum may be raised at once if players at the table keep the old one")
    ]
    close_notice_minutes: Annotated[int | None, P("P37", FLOOR, "minutes of notice before a table closes")]
    close_notice_rounds: Annotated[int | None, P("P37", FLOOR, "rounds of notice before a table closes")]
    midshoe_minimum_only: Annotated[
        Literal["no", "shoe-only", "shoe-only-told", "shoe-or-further-shoes"],
        P("P38", FLOOR, "players who skip rounds may be held to the minimum; `told`: once the inspector knows"),
    ]
    one_box_minimum_only: Annotated[bool, P("P39", FLOOR, "a player may be held to one box at its minimum")]
    idle_rounds: Annotated[int | None, P("P40", FLOOR, "rounds without a wager after which a seat may be lost")]
    idle_only_when_full: Annotated[bool, P("P40", FLOOR, "and only when all other places are taken")]

    # ---------------------------------------------------------------- values and naturals
    ace_choice: Annotated[
        Literal["automatic", "player"],
        P("P41", NATURALS, "an ace counts 11 unless over 21, or as the player chooses", describes=True),
    ]
    natural_name: Annotated[str, P("P42", NATURALS, "what the book calls a natural")]
    natural_excludes: Annotated[Strings, P("P43", NATURALS, "hands whose ace and ten are a plain 21", describes=True)]
    natural_odds: Annotated[Odds, P("P44", NATURALS, "odds of a winning natural")]
    natural_paid: Annotated[
        Literal["at-once", "at-once-unless-ten-or-ace", "final"],
        P("P45", NATURALS, "when a natural is paid"),
    ]
    natural_vs_natural: Annotated[
        Literal["stand-off", "win"], P("P46", NATURALS, "player's natural against the dealer's")
    ]
    natural_vs_push_total: Annotated[
        Literal["win", "stand-off", "not-applicable"],
        P("P47", NATURALS, "a natural against the dealer's push total"),
    ]
    dealer_natural_beats_21: Annotated[
        bool, P("P48", NATURALS, "a dealer's natural beats a player's 21 of other cards")
    ]
    natural_beats_drawn_21: Annotated[bool, P("P48", NATURALS, "a player's natural beats a dealer's 21 of other cards")]

    # ---------------------------------------------------------------- insurance, even money, surrender
    insurance_on_ace: Annotated[bool, P("P49", OFFERS, "insurance is offered against an ace")]
    insurance_on_ten: Annotated[bool, P("P50", OFFERS, "insurance is offered against a ten")]
    insurance_max: Annotated[Literal["half", "whole"], P("P51", OFFERS, "largest insurance, as a share of the wager")]
    insurance_odds_ace: Annotated[Odds, P("P52", OFFERS, "odds of insurance against an ace")]
    insurance_odds_ten: Annotated[Odds | None, P("P52", OFFERS, "odds of insurance against a ten")]
    insurance_with_natural: Annotated[bool, P("P53", OFFERS, "a player with a natural may insure")]
    insurance_per: Annotated[
        Literal["wager", "hand"], P("P54", OFFERS, "insurance is placed for each wager or each hand", describes=True)
    ]
    insurance_by: Annotated[
        Literal["each-player", "controlling-player"],
        P("P54", OFFERS, "who decides on insurance and even money on a shared box"),
    ]
    insurance_payable: Annotated[bool, P("P51", OFFERS, "insurance must win an amount that can be paid in chips")]
    insurance_late_until: Annotated[
        Literal["never", "dealer-second-card", "own-third-card"],
        P("P55", OFFERS, "until when a forgotten offer of insurance may be made good"),
    ]
    insurance_late_for: Annotated[
        Literal["hand-in-play", "any-player"],
        P("P55", OFFERS, "who may make good a forgotten insurance: hands in play, or lost ones too"),
    ]
    insurance_settled: Annotated[
        Literal["dealer-second-card", "before-play"], P("P52", OFFERS, "when insurance is decided")
    ]
    even_money: Annotated[
        Literal["on-request-against-ace", "no", "moot"], P("P56", OFFERS, "even money for a natural against an ace")
    ]
    even_money_insurance: Annotated[
        Literal["stands", "returned"],
        P("P57", OFFERS, "what happens to the insurance of a player who takes even money"),
    ]
    surrender_up_cards: Annotated[
        Strings, P("P58", OFFERS, "dealer's up cards (ranks) against which surrender is offered")
    ]
    surrender_when: Annotated[
        Literal["never", "before-third-card", "table-pass", "own-turn", "until-another-draws", "after-own-cards"],
        P("P59", OFFERS, "when surrender may be chosen"),
    ]
    surrender_vs_natural: Annotated[
        Literal["whole-stake-lost", "half-stake-lost", "not-applicable"],
        P("P60", OFFERS, "a surrendered wager against a dealer's natural"),
    ]
    surrender_below: Annotated[int, P("P61", OFFERS, "hands below this total may surrender")]
    surrender_sharers: Annotated[
        Literal["each-chooses", "bound-by-controller", "not-applicable"],
        P("P62", OFFERS, "the other players of a box when its controlling player surrenders"),
    ]
    surrender_settled: Annotated[
        Literal["at-once", "final", "not-applicable"], P("P60", OFFERS, "when a surrendered wager is taken")
    ]

    # ---------------------------------------------------------------- player's draws
    forced_draw_below: Annotated[int, P("P64", DRAW, "hands below this total must draw; 0: never")]
    auto_draw: Annotated[
        Literal["off", "optional", "compulsory"],
        P(
            "P65",
            DRAW,
            "the dealer draws for the player: to hands that cannot double or split; or to every weak opening",
        ),
    ]
    auto_draw_hard: Annotated[int, P("P65", DRAW, "automatic draws end at this hard total")]
    auto_draw_soft: Annotated[int, P("P65", DRAW, "automatic draws end at this soft total")]
    auto_draw_line: Annotated[
        Literal["player-chooses", "hand-stands"],
        P("P65", DRAW, "a hand that compulsory draws leave exactly at the line: the player chooses, or it stands"),
    ]
    auto_draw_spares: Annotated[
        Literal["doubles-of-the-game", "hard-9-11"],
        P("P65", DRAW, "hands that the optional draw leaves alone because they can double: by which doubling rule"),
    ]
    stand_on_21: Annotated[bool, P("P66", DRAW, "no card may be drawn to 21")]
    max_cards: Annotated[int | None, P("P67", DRAW, "no further card to a hand of this many cards")]
    absent_hard: Annotated[int, P("P68", DRAW, "an absent player's hand is drawn to this hard total")]
    absent_soft: Annotated[int, P("P68", DRAW, "and to this soft total")]
    actions: Annotated[Strings, P("P69", DRAW, "decisions a controlling player has")]

    # ---------------------------------------------------------------- double
    double_totals: Annotated[
        Literal["none", "hard-9-11", "9-11-ace-as-one", "9-11-no-ace", "any-below-21"],
        P("P70", DOUBLE, "totals that may double; any-below-21 is every hand but a natural or 21"),
    ]
    double_cards: Annotated[
        Literal["two", "two-or-three", "two-or-more"], P("P71", DOUBLE, "numbers of cards that may double")
    ]
    double_ace_as_one: Annotated[
        bool, P("P72", DOUBLE, "aces among the first two cards of a doubled hand count one for good")
    ]
    double_stake: Annotated[
        Literal["equal", "up-to-original", "token", "not-applicable"], P("P73", DOUBLE, "amount of a double")
    ]
    double_after_split: Annotated[bool, P("P74", DOUBLE, "split hands may double (never split aces)")]
    double_rescue: Annotated[bool, P("P75", DOUBLE, "the double may be taken back, giving up the original wager")]
    double_bonus: Annotated[bool, P("P76", DOUBLE, "doubled hands keep the bonus odds")]
    double_sharers: Annotated[
        Literal["each-chooses", "not-applicable"],
        P("P77", DOUBLE, "other players of a box when the controlling player doubles: each chooses, or none may"),
    ]
    double_exempt_from_forced_draw: Annotated[
        Literal["any-total", "only-11"],
        P("P64", DOUBLE, "doubled hands that take no more cards although under the forced draw"),
    ]

    # ---------------------------------------------------------------- split
    split_match: Annotated[Literal["value", "rank"], P("P78", SPLIT, "cards that may split: equal value or equal rank")]
    split_max_hands: Annotated[int, P("P79", SPLIT, "most hands of one box; 1: no split")]
    split_aces_max_hands: Annotated[int, P("P80", SPLIT, "most hands from aces; 2: no re-split")]
    split_aces_one_card: Annotated[bool, P("P80", SPLIT, "split aces take one card each")]
    split_stake: Annotated[
        Literal["equal", "token-except-tens", "not-applicable"], P("P81", SPLIT, "stake on a split hand")
    ]
    free_split_stake: Annotated[
        Literal["first-hand", "last-hand"],
        P("P81", SPLIT, "the hand on which the player's own stake stays when a token stands for the split"),
    ]
    split_sharers: Annotated[
        Literal["match-or-ride-first", "not-applicable"],
        P("P82", SPLIT, "other players of a box when it splits: they match or ride on the first hand, or only ride"),
    ]
    split_declined_bars: Annotated[bool, P("P79", SPLIT, "a split that was declined bars later splits of the box")]

    # ---------------------------------------------------------------- switch
    switch: Annotated[bool, P("P69", SWITCH, "the second cards of the two boxes of an area may be exchanged")]
    switch_after_paid_natural: Annotated[
        bool, P("P69", SWITCH, "a switch is possible after one box was paid a natural")
    ]
    switch_waiting_natural: Annotated[
        bool, P("P69", SWITCH, "a natural that waits for the dealer's card may be switched away")
    ]

    # ---------------------------------------------------------------- dealer, settlement
    player_21_wins: Annotated[bool, P("P83", SETTLE, "a player's 21 always wins")]
    winning_hands_first: Annotated[
        bool, P("P83", SETTLE, "always-winning hands are decided before ties and before the push total")
    ]
    split_hands_settle_as_main: Annotated[bool, P("P83", SETTLE, "hands that always win do so after a split too")]
    five_card_win: Annotated[
        Literal["none", "at-most-21", "below-21"], P("P84", SETTLE, "five cards that win whatever the dealer has")
    ]
    dealer_stands_hard: Annotated[int, P("P85", DEALER, "the dealer stands on this hard total or more")]
    dealer_stands_soft: Annotated[int, P("P85", DEALER, "the dealer stands on this soft total or more")]
    dealer_hits_soft_17: Annotated[bool, P("P86", DEALER, "the dealer draws on soft 17")]
    dealer_push_total: Annotated[int | None, P("P87", DEALER, "a dealer's total that pushes instead of busting")]
    dealer_bust_pays: Annotated[
        bool, P("P87", DEALER, "hands still in play win when the dealer goes over the push total or 21")
    ]
    dealer_skips_moot_cards: Annotated[bool, P("P88", DEALER, "the dealer takes no card that cannot change a result")]
    dealer_completes_for_side_wagers: Annotated[
        Literal["no", "whenever-live", "listed-cases"],
        P(
            "P88",
            DEALER,
            "the dealer completes the hand for a side wager on it: never; whenever one is live; or only when every "
            "hand is bust or a natural",
        ),
    ]
    dealer_natural_takes: Annotated[
        Literal["all", "busted-plus-one", "by-wager", "capped-at-original", "one-per-live-hand", "original"],
        P("P89", SETTLE, "what a dealer's natural takes from split and doubled wagers"),
    ]
    busted_double_lost: Annotated[
        bool, P("P89", SETTLE, "a doubled hand that busts has lost the double even if the dealer makes a natural")
    ]
    tie: Annotated[Literal["stand-off", "lose"], P("P90", SETTLE, "equal totals")]
    win_odds: Annotated[Odds, P("P91", SETTLE, "odds of every other winning hand")]
    bonus_table: Annotated[Literal["none", "pontoon"], P("P92", SETTLE, "bonus odds for named hands of 21")]
    super_bonus: Annotated[bool, P("P92", SETTLE, "suited 7-7-7 against a seven is paid the Super Bonus")]
    super_bonus_after_split: Annotated[
        Literal["never", "unless-suited-sevens-split"], P("P92", SETTLE, "split hands and the Super Bonus")
    ]
    player_21_paid: Annotated[Literal["at-once", "final"], P("P93", SETTLE, "when a hand that always wins is paid")]

    # ---------------------------------------------------------------- irregularities, authority
    stray_card: Annotated[
        Literal["next-card-refusable", "next-card-refusable-unless-forced", "next-card", "not-stated"],
        P("P94", TROUBLE, "a card dealt in error"),
    ]
    stray_refused_by: Annotated[
        Literal["hand", "player"], P("P94", TROUBLE, "who takes no more cards after refusing one dealt in error")
    ]
    dealer_surplus_card: Annotated[
        Literal["exposed-burned-unexposed-opens-next-round", "exposed-discarded", "not-stated"],
        P("P95", TROUBLE, "a surplus card on the dealer's completed hand"),
    ]
    reconstruct_until: Annotated[
        Literal["next-round", "interim-settlement-or-draw", "interim-settlement"],
        P("P96", TROUBLE, "until when a round is rebuilt: the next round, an interim settlement, or a further card"),
    ]
    dispute_reviewer: Annotated[
        Literal["senior", "any-casino-supervisor"], P("P101", TROUBLE, "who reviews the decision of a dispute")
    ]
    void_keeps: Annotated[
        Literal["interim-settlements", "interim-settlements-by-clause", "side-wagers-acted-on", "nothing"],
        P("P97", TROUBLE, "what stands when a round is void; by-clause: under the powers whose clause says so"),
    ]
    breach_voids: Annotated[
        Literal["all-wagers", "main-wagers"],
        P("P97", TROUBLE, "the wagers of a player who broke the rules that are void: all, or all but side wagers"),
    ]
    out_of_cards: Annotated[
        Literal["shuffle-discards", "not-stated"], P("P98", TROUBLE, "no card is left in mid-round")
    ]
    out_of_cards_device: Annotated[
        Literal["no-cut", "cut"],
        P("P98", TROUBLE, "no card is left in a device: the rack is fed in without a cut, or shuffled and cut"),
    ]
    foreign_card: Annotated[
        Literal["void-round-and-shoe", "void-round", "not-stated"], P("P99", TROUBLE, "a missing or foreign card")
    ]
    device_failure: Annotated[
        Literal["spare-or-withdraw", "manager-may-void", "void-if-unfinishable", "not-stated"],
        P("P100", TROUBLE, "a shuffling device that fails"),
    ]
    missed_burn: Annotated[
        Literal["card-stays", "results-stand-first-round-rebuilt", "not-stated"], P("P101", TROUBLE, "a burn forgotten")
    ]
    missed_cut: Annotated[Literal["finish-then-shuffle-and-cut", "not-stated"], P("P101", TROUBLE, "a cut forgotten")]
    missed_shuffle: Annotated[Literal["finish-then-shuffle", "not-stated"], P("P101", TROUBLE, "a shuffle forgotten")]
    no_wager_round: Annotated[
        Literal["void-cards-burned", "not-stated"], P("P101", TROUBLE, "a round dealt with no wager placed")
    ]
    undealt_box: Annotated[
        Literal["void-or-second-card", "not-stated"], P("P101", TROUBLE, "a wagered box without cards, or with one")
    ]


FIELDS: tuple[str, ...] = Parameters.__struct_fields__


def _describe_parameter() -> dict[str, P]:
    hints = typing.get_type_hints(Parameters, include_extras=True)
    return {name: next(m for m in hints[name].__metadata__ if isinstance(m, P)) for name in FIELDS}


def _types() -> dict[str, object]:
    return typing.get_type_hints(Parameters)


DESCRIBED: dict[str, P] = _describe_parameter()
"""Number, group and text of each parameter."""

TYPES: dict[str, object] = _types()
"""The plain type of each parameter."""


WORDS: dict[str, Strings] = {
    "natural_excludes": ("split", "switched"),
    "surrender_up_cards": tuple("23456789TJQKA"),
    "actions": ("hit", "stand", "double", "split", "surrender", "switch"),
}
"""The words that a list may hold, in the order in which it holds them; other lists are free."""
