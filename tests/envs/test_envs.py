"""Environments for agents: the checkers of Gymnasium and PettingZoo pass, compiled rounds are the table's rounds."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from pitboss import envs
from pitboss.cards import CARDS, decks
from pitboss.envs.env_choices import EnvError, areas_in
from pitboss.envs.fields import FIELDS, Action, Stage
from pitboss.envs.several import BoxesAtOnceEnv, BoxesEnv
from pitboss.envs.single import BoxEnv
from pitboss.envs.table_env import TableBoxEnv
from pitboss.envs.vector import VectorBoxEnv
from pitboss.errors import PitbossError
from pitboss.odds import evaluate, parse_chart
from pitboss.play.round.row import DEALT_FIRST, DEALT_SECOND, POSITION, UP, box_at
from pitboss.play.round.row import SEEN as ROW_SEEN
from pitboss.rulebooks import games, parse_user_book, rules_for

GAMES = tuple(games())
LAS_VEGAS = (Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml").read_text("utf-8")
HOUSE_BOOK = parse_user_book(LAS_VEGAS, "las-vegas.toml")
SIX_HANDS = parse_user_book(
    LAS_VEGAS.replace("split_max_hands = { value = 4", "split_max_hands = { value = 6"), "six.toml"
)
HOUSE_GAME = "las-vegas/blackjack"
"""A game whose dealer has a hole card."""
CHOICES: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in GAMES),
    ("star/blackjack", {"resplit": True, "insurance_on_ten": True}),
    ("star/switch", {"double_with_ace": True, "readings": {"switch_waiting_natural": "refused"}}),
    ("perth/blackjack", {"layout": 8}),
    ("melbourne/blackjack", {"auto_draw": True}),
    ("melbourne/pontoon", {"decks": 6}),
    ("melbourne/free-bet", {"readings": {"free_split_stake": "last-hand"}}),
    ("rws/blackjack", {"readings": {"insurance_settle_time": "early-check"}}),
    ("melbourne/blackjack", {"side_wagers": {"perfect-pairs": 5, "magnificent-sevens": 10}}),
    (HOUSE_GAME, {"own_books": [HOUSE_BOOK], "surrender": True}),
    (HOUSE_GAME, {"own_books": [SIX_HANDS]}),
]


def shoes(game: str, options: dict[str, Any], count: int, seed: int) -> list[list[str]]:
    """Shoes in random order; every fourth is rich in what is rare: pairs, sevens, aces and tens."""
    rules = BoxEnv(game, **options).chosen.rules
    fresh = list(decks(rules.decks, rules.deck_cards))
    chance = np.random.default_rng(seed)
    found = []
    for number in range(count):
        cards = [fresh[place] for place in chance.permutation(len(fresh))]
        if number % 4 == 0:
            liked = ("A", "K"), ("7",), ("8",), ("6", "7", "8"), ("A", "2"), ("9", "T", "J")
            ranks = liked[chance.integers(len(liked))]
            rich = [card for card in cards if card[0] in ranks][:12]
            rest = list(cards)
            for card in rich:
                rest.remove(card)
            cards = rich + rest
        found.append(cards)
    return found


def play_both(game: str, options: dict[str, Any], count: int, seed: int) -> set[int]:
    """Play the same cards and actions through the table and the kernels; the actions that were met."""
    dealt = shoes(game, options, count, seed)
    many = VectorBoxEnv(game, count, threads=1, **options)
    seen, info = many.reset(seed=seed, options={"cards": dealt})
    ones = [TableBoxEnv(game, **options) for _ in range(count)]
    for number, one in enumerate(ones):
        own, own_info = one.reset(seed=seed, options={"cards": dealt[number]})
        assert (own == seen[number]).all(), (number, envs.name_fields(own), envs.name_fields(seen[number]))
        assert (own_info["action_mask"] == info["action_mask"][number]).all(), (number, dealt[number][:20])
    chance = np.random.default_rng(seed)
    playing, met = set(range(count)), set()
    while playing:
        weights = info["action_mask"] * chance.random(info["action_mask"].shape)
        actions = weights.argmax(axis=1)
        seen, rewards, ended, _, info = many.step(actions)
        for number in sorted(playing):
            met.add(int(actions[number]))
            own, reward, over, truncated, own_info = ones[number].step(actions[number])
            shown = info["final_obs"] if over else seen
            where = (number, dealt[number][:20], Action(actions[number]).name)
            assert over == ended[number], where
            assert reward == pytest.approx(rewards[number], abs=1e-9), where
            assert (own == shown[number]).all(), (where, envs.name_fields(own), envs.name_fields(shown[number]))
            assert not truncated
            if over:
                playing.remove(number)
            else:
                assert (own_info["action_mask"] == info["action_mask"][number]).all(), where
    return met


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CHOICES, ids=str)
def test_compiled_rounds_are_the_tables_rounds(game: str, options: dict[str, Any]) -> None:
    assert {Action.HIT, Action.STAND} <= play_both(game, options, 24, 5)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CHOICES, ids=str)
def test_compiled_rounds_are_the_tables_rounds_in_many_more(game: str, options: dict[str, Any]) -> None:
    met = play_both(game, options, 400, 6)
    rules = BoxEnv(game, **options).chosen.rules
    for name in rules.actions:
        assert Action[name.upper().replace("-", "_")] in met


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_checker_passes(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(envs.env_id(game)).unwrapped, skip_render_check=True)


def test_gymnasiums_checker_passes_with_a_hole_card_and_with_side_wagers() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(BoxEnv(HOUSE_GAME, own_books=[SIX_HANDS]), skip_render_check=True)
        check_env(BoxEnv("melbourne/blackjack", side_wagers=["blackpot"]), skip_render_check=True)


@pytest.mark.parametrize("game", ["melbourne/pontoon", "star/switch", "rws/blackjack"])
@pytest.mark.parametrize("boxes", [1, 3])
def test_pettingzoos_test_passes(game: str, boxes: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(BoxesEnv(game, boxes), num_cycles=200)
        parallel_api_test(BoxesAtOnceEnv(game, boxes), num_cycles=200)


def test_the_checkers_pass_where_bets_are_chosen() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(BoxEnv("melbourne/pontoon", bets=(1, 5)), skip_render_check=True)
        check_env(TableBoxEnv("melbourne/pontoon", bets=(1, 5)), skip_render_check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(BoxesEnv("rws/blackjack", 2, bets=(1, 5)), num_cycles=100)
        parallel_api_test(BoxesAtOnceEnv("rws/blackjack", 2, bets=(1, 5)), num_cycles=100)


def play_alike(game: str, options: dict[str, Any], rounds: int, seed: int) -> set[int]:
    """Play the same seeds and actions at the table and compiled, round after round; the actions that were met."""
    one, told = BoxEnv(game, **options), TableBoxEnv(game, **options)
    chance, met = np.random.default_rng(seed), set()
    for number in range(rounds):
        given = seed if number in (0, 17) else None
        seen, info = one.reset(seed=given)
        own, own_info = told.reset(seed=given)
        over = False
        while not over:
            assert (seen == own).all(), (envs.name_fields(seen), envs.name_fields(own))
            assert (info["action_mask"] == own_info["action_mask"]).all()
            assert (one.action_masks() == told.action_masks()).all()
            if chance.random() < 0.03:
                break  # a round that is given up: the next one comes from a new shoe
            action = np.int64((info["action_mask"] * chance.random(info["action_mask"].shape)).argmax())
            if chance.random() < 0.05:
                action = np.int64(chance.integers(len(info["action_mask"])))
            met.add(int(action))
            seen, reward, over, _, info = one.step(action)
            own, own_reward, own_over, _, own_info = told.step(action)
            assert (reward, over) == (pytest.approx(own_reward, abs=1e-9), own_over)
            assert info.get("refused") == own_info.get("refused")
        if number % 7 == 0:
            assert (one.state.boxes, one.state.dealer) == (told.state.boxes, told.state.dealer)
            assert one.state.shoe.cards == told.state.shoe.cards
    return met


@pytest.mark.slow
@pytest.mark.parametrize("game", [*GAMES, HOUSE_GAME])
def test_one_compiled_box_is_the_tables_box(game: str) -> None:
    """Shoes dealt to their cut, rounds given up, refusals in words, bets of several sizes."""
    depth = 0.6 if game == "melbourne/vegas" else 0.7  # its shoe of four decks may not be cut so deep (4.2.5(b))
    options: dict[str, Any] = {"penetration": depth, "bets": (1, 4), "own_books": [HOUSE_BOOK] * (game == HOUSE_GAME)}
    assert {int(Action.HIT), len(Action), len(Action) + 1} <= play_alike(game, options, 150, 11)


def test_one_compiled_box_is_the_tables_box_for_a_few_rounds() -> None:
    assert play_alike("melbourne/pontoon", {}, 25, 4)
    assert play_alike("star/blackjack", {"bets": (1, 3), "penetration": 0.7}, 25, 4)


# Bets ---------------------------------------------------------------------------------------------------


def test_a_bet_is_chosen_before_the_deal_with_the_cards_of_the_shoe_in_sight() -> None:
    choices: Any = {"bets": (1, 10), "penetration": 0.7}
    one, many = BoxEnv("star/blackjack", **choices), VectorBoxEnv("star/blackjack", 2, **choices)
    cards = "Ts 6d 9h Td 8c As Kd Ks 5c"
    seen, info = one.reset(options={"cards": cards})
    rows, infos = many.reset(options={"cards": [cards] * 2})
    assert envs.name_fields(seen)["stage"] == Stage.BETS
    assert not seen[-11:].any()
    assert (rows == seen).all()
    assert (infos["action_mask"] == info["action_mask"]).all()
    assert info["action_mask"].tolist() == [0] * 10 + [1, 1]
    seen, reward, over, _, info = one.step(np.int64(11))
    rows, *_ = many.step(np.array([11, 10]))
    assert (reward, over, envs.name_fields(seen)["bet"]) == (0.0, False, 10)
    assert (rows[0] == seen).all()
    assert rows[1, -1] == 1
    *_, told = one.step(np.int64(10))
    assert told["refused"] == "action 10 is not open: the bet is placed"
    _, reward, over, _, _ = one.step(np.int64(Action.STAND))
    rows, rewards, ended, _, _ = many.step(np.array([Action.STAND] * 2))
    assert (reward, over) == (10.0, True)
    assert rewards.tolist() == [10.0, 1.0]
    assert ended.all()
    seen, _ = one.reset()
    assert (rows == seen).all()
    assert seen[-11:-1].sum() == 5


def test_the_super_bonus_is_worth_less_of_a_higher_bet() -> None:
    """Three suited sevens against a seven win 2:1, and $5,000 for any bet of $25 and more."""
    for bet in (1, 4):
        for make in (BoxEnv, TableBoxEnv):
            env = make("melbourne/pontoon", bets=(1, 4), stake=25)
            env.reset(options={"cards": "7h 7s 7h 7h"})
            env.step(np.int64(len(Action) + (1, 4).index(bet)))
            _, reward, over, _, _ = env.step(np.int64(Action.HIT))
            assert over
            assert reward == pytest.approx(200 + 2 * bet)


def test_agents_of_one_table_choose_their_bets_in_turn() -> None:
    env = BoxesEnv("rws/blackjack", 3, bets=(1, 2, 8))
    env.reset(seed=2)
    for number, agent in enumerate(("box_1", "box_2", "box_3")):
        assert env.agent_selection == agent
        assert env.observe(agent)["action_mask"].tolist() == [0] * 10 + [1] * 3
        env.step(10 + number)
    stakes = [box.bettors[0].stake for box in env.table.boxes]
    assert [stake / env.chosen.stake for stake in stakes] == [1, 2, 8]


def stand_early(masks: np.ndarray) -> np.ndarray:
    """Stand as soon as that is open, and take nothing that is offered: low totals of some games must draw first."""
    open_first = [masks[:, action] == 1 for action in (Action.STAND, Action.PROCEED)]
    return np.select(open_first, [Action.STAND, Action.PROCEED], Action.HIT)


def test_a_player_who_counts_can_use_it() -> None:
    """Bets by the count are higher where the shoe is richer in tens and aces."""
    tables = VectorBoxEnv("star/blackjack", 512, penetration=0.8, bets=(1, 8), threads=1)
    seen, info = tables.reset(seed=3)
    tags = np.array([-1, 1, 1, 1, 1, 1, 0, 0, 0, -1])
    stakes, rich = [], []
    for _ in range(300):
        asks = info["action_mask"][:, 10] == 1
        count = seen[:, -11:-1] @ tags
        seen, _, _, _, info = tables.step(np.where(asks, 10 + (count >= 12), stand_early(info["action_mask"])))
        assert not info["refused"].any()
        stakes.append(seen[asks, -1])
        rich.append(count[asks] >= 12)
    assert (np.concatenate(stakes) == np.where(np.concatenate(rich), 8, 1)).all()
    assert 0.02 < np.concatenate(rich).mean() < 0.4


@pytest.mark.parametrize(
    ("game", "choices"),
    [
        ("melbourne/pontoon", {}),
        ("star/switch", {}),
        ("star/blackjack", {}),
        ("melbourne/blackjack", {"side_wagers": ["perfect-pairs", "magnificent-sevens"]}),
        (HOUSE_GAME, {"own_books": [HOUSE_BOOK]}),
        ("perth/blackjack", {"card_source": "device", "readings": {"csm_recirculation": "mid-round"}}),
    ],
    ids=str,
)
def test_several_boxes_are_one_table(game: str, choices: dict[str, Any]) -> None:
    """The rewards of all agents are what the table has settled, and agents decide in its order."""
    env = BoxesEnv(game, 3, **choices)
    chance = np.random.default_rng(3)
    for seed in range(40):
        env.reset(seed=seed)
        rewards = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, cut, _ = env.last()
            rewards[agent] += reward
            mask = seen["action_mask"]
            env.step(None if over or cut else int((mask * chance.random(mask.shape)).argmax()))
        settled = sum(row.net for row in env.table.settlements)
        assert sum(rewards.values()) == pytest.approx(float(settled / env.chosen.stake))


# Hole cards ---------------------------------------------------------------------------------------------


def test_no_observation_tells_the_hole_card() -> None:
    """Two rounds that differ in nothing but the hole card look alike until it is turned over."""
    shown = []
    for hole in ("Ks", "5s"):
        one = BoxEnv(HOUSE_GAME, own_books=[HOUSE_BOOK])
        many = VectorBoxEnv(HOUSE_GAME, 1, own_books=[HOUSE_BOOK])
        cards = f"Ts 9d 8h {hole} 2c"
        seen, info = one.reset(options={"cards": cards})
        rows, infos = many.reset(options={"cards": [cards]})
        shown.append((seen.tolist(), info["action_mask"].tolist(), rows[0].tolist(), infos["action_mask"][0].tolist()))
    assert shown[0] == shown[1]
    assert sum(shown[0][0][-10:]) == 3


def test_a_dealers_natural_under_the_up_card_ends_the_round_before_anybody_acts() -> None:
    one = BoxEnv(HOUSE_GAME, own_books=[HOUSE_BOOK])
    seen, info = one.reset(options={"cards": "Ts Ad 8h Ks"})
    assert seen[0] == Stage.OFFERS
    _, reward, over, _, _ = one.step(np.int64(Action.INSURE))
    assert (reward, over) == (0.0, True)
    many = VectorBoxEnv(HOUSE_GAME, 2, own_books=[HOUSE_BOOK])
    many.reset(options={"cards": ["Ts Ad 8h Ks", "Ts Ad 8h 7s"]})
    _, rewards, ended, _, info = many.step(np.array([Action.INSURE, Action.INSURE]))
    assert ended.tolist() == [True, False]
    assert rewards[0] == 0.0
    assert info["action_mask"][1, Action.STAND] == 1


def test_a_hole_card_that_nobody_saw_counts_as_seen_in_the_next_round() -> None:
    choices: Any = {"own_books": [HOUSE_BOOK], "penetration": 0.7}
    one, many = BoxEnv(HOUSE_GAME, **choices), VectorBoxEnv(HOUSE_GAME, 1, **choices)
    one.reset(options={"cards": "Ts 6d 9h 5s Kc"})
    many.reset(options={"cards": ["Ts 6d 9h 5s Kc"]})
    final, _, over, _, _ = one.step(np.int64(Action.HIT))
    after, _, ended, _, info = many.step(np.array([Action.HIT]))
    assert (over, ended[0]) == (True, True)
    assert (final == info["final_obs"][0]).all()
    assert sum(final[-10:]) == 4
    seen, _ = one.reset()
    assert (seen == after[0]).all()
    assert sum(seen[-10:]) == 8


# Side wagers --------------------------------------------------------------------------------------------


def test_side_wagers_are_settled_in_the_reward_and_told() -> None:
    choices: Any = {"side_wagers": {"perfect-pairs": 5}, "stake": 25}
    cards = "8s 6d 8s Tc Td 9h"
    one, many = BoxEnv("melbourne/blackjack", **choices), VectorBoxEnv("melbourne/blackjack", 2, **choices)
    one.reset(options={"cards": cards})
    many.reset(options={"cards": [cards, "8s 6d 9s Tc Td 9h"]})
    _, reward, over, _, info = one.step(np.int64(Action.STAND))
    _, rewards, ended, _, infos = many.step(np.array([Action.STAND, Action.STAND]))
    told, many_told = info["side_wagers"]["perfect-pairs"], infos["side_wagers"]["perfect-pairs"]
    assert over
    assert ended.all()
    assert told["outcome"] == "perfect"
    assert many.side_outcomes["perfect-pairs"][many_told["outcome"][0]] == "perfect"
    assert many.side_outcomes["perfect-pairs"][many_told["outcome"][1]] == "loses"
    assert told["net"] == many_told["net"][0] == pytest.approx(rules_net("melbourne/blackjack", "perfect-pairs") / 5)
    assert many_told["net"][1] == pytest.approx(-0.2)
    assert (reward, rewards[0]) == (pytest.approx(1 + told["net"]), pytest.approx(1 + told["net"]))
    assert rewards[1] == pytest.approx(1 - 0.2)


def rules_net(game: str, wager: str) -> float:
    side = rules_for(game, side_wagers=[wager]).side_wagers[0]
    odds = side.odds["perfect"]
    return odds.win / odds.stake


def test_a_wager_that_is_carried_over_stays_in_play_for_the_next_round() -> None:
    """Three cards of 6-7-8 carry Blackpot to the next round, which the table and tables in step then pay alike."""
    choices: Any = {"side_wagers": ["blackpot"], "penetration": 0.7}
    first, second = "6s 9d 7h 8c Tc", "6h 9c 7d 8d Th"
    one, many = BoxEnv("melbourne/blackjack", **choices), VectorBoxEnv("melbourne/blackjack", 1, **choices)
    one.reset(options={"cards": f"{first} {second}"})
    seen, infos = many.reset(options={"cards": [f"{first} {second}"]})
    nets = []
    for round_number in range(2):
        if round_number:
            one.reset()
        over = False
        while not over:
            action = Action.HIT if infos["action_mask"][0, Action.HIT] and seen[0, 2] < 17 else Action.STAND
            if not infos["action_mask"][0, action]:
                action = Action.PROCEED
            _, reward, over, _, info = one.step(np.int64(action))
            seen, rewards, ended, _, infos = many.step(np.array([action]))
            assert ended[0] == over
        assert reward == pytest.approx(rewards[0])
        assert info["side_wagers"]["blackpot"]["net"] == pytest.approx(infos["side_wagers"]["blackpot"]["net"][0])
        names = many.side_outcomes["blackpot"]
        nets.append((names[infos["side_wagers"]["blackpot"]["outcome"][0]], info["side_wagers"]["blackpot"]["outcome"]))
    assert [name for name, _ in nets] == ["three-cards", "carried-three-cards"]
    assert "carried-three-cards" in nets[1][1]


def test_prizes_are_drawn_as_often_as_the_book_says() -> None:
    many = VectorBoxEnv("melbourne/pontoon", 4096, side_wagers=["pontoon-pandemonium"], threads=1)
    side = many.chosen.rules.side_wagers[0]
    many.reset(seed=4, options={"cards": ["As 6d Kh"] * 4096})
    won = many.step(np.zeros(4096, np.int64))[4]["side_wagers"]["pontoon-pandemonium"]["outcome"]
    tickets = np.array([times for times, _ in side.prizes])
    expected = 4096 * tickets / tickets.sum()
    counts = np.bincount(won, minlength=len(tickets) + 1)
    assert counts[0] == 0
    assert (np.abs(counts[1:] - expected) < 5 * np.sqrt(expected) + 1).all()
    one = BoxEnv("melbourne/pontoon", side_wagers=["pontoon-pandemonium"])
    one.reset(seed=4, options={"cards": "As 6d Kh"})
    told = one.step(np.int64(Action.PROCEED))[4]["side_wagers"]["pontoon-pandemonium"]
    assert told["outcome"] == "prize"
    assert told["net"] in {float(prize) for _, prize in side.prizes} | {float(prize - 1) for _, prize in side.prizes}


def test_meters_show_the_same_in_every_round() -> None:
    choices: Any = {"side_wagers": ["blackjack-jackpots"]}
    meters = dict.fromkeys(BoxEnv("melbourne/blackjack", **choices).chosen.meters, 5000)
    assert meters
    one = BoxEnv("melbourne/blackjack", meters=meters, **choices)
    many = VectorBoxEnv("melbourne/blackjack", 1, meters=meters, **choices)
    for _ in range(2):
        one.reset(options={"cards": "As As As 9c"})
        many.reset(options={"cards": ["As As As 9c"]})
        over = False
        while not over:
            action = one.action_masks().argmax()
            _, _, over, _, info = one.step(np.int64(action))
            infos = many.step(np.array([action]))[4]
        told, many_told = info["side_wagers"]["blackjack-jackpots"], infos["side_wagers"]["blackjack-jackpots"]
        assert told["net"] == pytest.approx(many_told["net"][0])
        assert told["net"] > 10


# Devices ------------------------------------------------------------------------------------------------


def play_device(game: str, tables: int, steps: int, **choices: Any) -> tuple[VectorBoxEnv, list[np.ndarray]]:
    """Agents that act at random at tables with a device, and the shoes of all tables after every step."""
    env = VectorBoxEnv(game, tables, threads=1, card_source="device", **choices)
    _, info = env.reset(seed=8)
    chance, shoes = np.random.default_rng(8), []
    for _ in range(steps):
        _, _, _, _, info = env.step((info["action_mask"] * chance.random(info["action_mask"].shape)).argmax(axis=1))
        shoes.append(env._tables.shoes.copy())
    return env, shoes


LATE_DEVICE = """
card_source = { value = "device", clause = "house rule 2" }
discards_return = { value = "after-next-initial-deal", clause = "house rule 2" }
"""


def test_a_device_that_takes_cards_back_late_deals_no_card_of_the_round_before() -> None:
    """With one card of each kind, no card of a round is in the initial deal of the next."""
    text = LAS_VEGAS.replace("default = 6\nallowed = [6, 8]", "default = 1\nallowed = [1]")
    for old, new in (
        ("[rules]\n", f"[rules]\n{LATE_DEVICE}\n"),
        ('hole_card = { value = "peek"', 'hole_card = { value = "none"'),
        ('"boxes-dealer-boxes-dealer"', '"boxes-dealer-boxes"'),
        ('insurance_settled = { value = "before-play"', 'insurance_settled = { value = "dealer-second-card"'),
    ):
        assert old in text
        text = text.replace(old, new)
    book = parse_user_book(text, "late.toml")
    env = VectorBoxEnv(HOUSE_GAME, 64, threads=1, own_books=[book])
    _, info = env.reset(seed=3)
    rows, shoes = env._tables.rows, env._tables.shoes
    before = [set(shoes[table, : rows[table, POSITION]].tolist()) for table in range(64)]
    repeated, rounds = 0, 0
    for _ in range(200):
        position = rows[:, POSITION].copy()
        lying = shoes.copy()
        _, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
        for table in np.flatnonzero(ended):
            dealt = {
                int(rows[table, UP]),
                *(int(rows[table, box_at(0) + place]) for place in (DEALT_FIRST, DEALT_SECOND)),
            }
            gone = before[table] | set(lying[table, : position[table]].tolist())
            repeated += len(dealt & gone)
            rounds += 1
            before[table] = dealt
    assert rounds > 1000
    assert repeated == 0


def test_a_device_fed_in_mid_round_keeps_all_its_cards() -> None:
    env, shoes = play_device("perth/blackjack", 256, 60, readings={"csm_recirculation": "mid-round"})
    full = np.sort(env._fresh)
    assert all((np.sort(shoe, axis=1) == full).all() for shoe in shoes[::10])
    area = areas_in(env.chosen)[0]
    assert area.feeds == len(full)
    rows = env._tables.rows
    seen, out = rows[:, ROW_SEEN : ROW_SEEN + 10].sum(axis=1), rows[:, POSITION]
    assert (seen == out).all()


def test_one_table_with_a_device_plays_on_and_repeats_a_seed() -> None:
    env = BoxEnv("perth/blackjack", card_source="device", readings={"csm_recirculation": "mid-round"})
    found = []
    for _ in range(2):
        seen, _ = env.reset(seed=6)
        rounds = [seen.tolist()]
        for _ in range(20):
            over = False
            while not over:
                _, _, over, _, _ = env.step(np.int64(env.action_masks().argmax()))
            rounds.append(env.reset()[0].tolist())
        found.append(rounds)
    assert found[0] == found[1]
    assert all(sum(seen[-10:]) <= 6 for seen in found[0][1:])


# Mistakes -----------------------------------------------------------------------------------------------


def test_an_action_that_is_not_open_changes_nothing_and_says_why() -> None:
    env = BoxEnv("star/blackjack")
    seen, info = env.reset(options={"cards": "Ts 6d 9h"})
    after, reward, over, _, told = env.step(np.int64(Action.SPLIT))
    assert (after == seen).all()
    assert (reward, over) == (0.0, False)
    assert "are not alike" in told["refused"]
    assert "clause" in told["refused"]
    assert (told["action_mask"] == info["action_mask"]).all()
    many = VectorBoxEnv("star/blackjack", 2)
    seen, _ = many.reset(options={"cards": ["Ts 6d 9h"] * 2})
    after, rewards, ended, _, told = many.step(np.array([Action.SPLIT, 99]))
    assert (after == seen).all()
    assert told["refused"].all()
    assert not ended.any()
    assert not rewards.any()


def test_an_action_that_comes_too_early_is_told_what_is_asked() -> None:
    env = BoxEnv("star/blackjack")
    env.reset(options={"cards": "Ts Ad 9h"})
    *_, told = env.step(np.int64(Action.HIT))
    assert told["refused"] == "HIT is not legal now; legal are PROCEED, INSURE"


def test_a_round_without_decisions_is_one_step_long() -> None:
    env = BoxEnv("star/blackjack")
    seen, info = env.reset(options={"cards": "As 6d Kh"})
    assert seen[0] == Stage.OVER
    assert info["action_mask"].tolist() == [1] + [0] * 9
    _, reward, over, _, _ = env.step(np.int64(Action.PROCEED))
    assert (reward, over) == (1.5, True)
    with pytest.raises(EnvError, match="reset"):
        env.step(np.int64(Action.PROCEED))


def test_a_shoe_is_dealt_to_its_cut() -> None:
    env = BoxEnv("star/blackjack", penetration=0.75)
    seen, _ = env.reset(seed=4)
    counts = [int(seen[-10:].sum())]
    for _ in range(150):
        over = False
        while not over:
            seen, _, over, _, _ = env.step(np.int64(env.action_masks().argmax()))
        seen, _ = env.reset()
        counts.append(int(seen[-10:].sum()))
    assert max(counts) >= 312
    assert counts.count(3) > 1
    assert sorted(set(counts[:40])) == counts[:40]


def test_tables_of_a_vector_deal_shoes_to_their_cut_and_do_not_depend_on_threads() -> None:
    found = []
    for threads in (1, 2):
        env = VectorBoxEnv("melbourne/pontoon", 512, penetration=0.7, threads=threads)
        seen, info = env.reset(seed=9)
        rows = []
        for _ in range(300):
            seen, rewards, _, _, info = env.step(info["action_mask"].argmax(axis=1))
            rows.extend((seen, rewards))
        env.close()
        found.append(rows)
    assert all((one == two).all() for one, two in zip(*found, strict=True))
    counts = np.stack(found[0][0::2])[:, :, -10:].sum(axis=2)
    assert counts.max() < 384
    assert (np.diff(counts, axis=0) < 0).any()


def test_means_of_tables_in_step_are_those_of_the_odds() -> None:
    """Standing as early as may be is a strategy too: what the vector environment pays for it is what the game pays."""
    env = VectorBoxEnv("star/blackjack", 4096, threads=1)
    _, info = env.reset(seed=2)
    rewards = []
    for _ in range(250):
        _, reward, ended, _, info = env.step(stand_early(info["action_mask"]))
        assert not info["refused"].any()
        rewards.append(reward[ended])
    paid = np.concatenate(rewards)
    hands = [*(f"hard {total}" for total in range(4, 22)), *(f"soft {total}" for total in range(12, 22))]
    chart = parse_chart("\n".join(f"{hand}  " + "S " * 10 for hand in hands), "stand")
    expected = float(evaluate(rules_for("star/blackjack"), chart))
    assert abs(paid.mean() - expected) < 4 * paid.std() / len(paid) ** 0.5


def test_ids_name_every_game_and_make_both_kinds() -> None:
    assert len(envs.IDS) == len(games())
    assert "pitboss/melbourne-pontoon-v0" in envs.IDS
    made = gymnasium.make_vec("pitboss/star-switch-v0", num_envs=3, vectorization_mode="vector_entry_point")
    assert isinstance(made, VectorBoxEnv)
    assert made.reset(seed=1)[0].shape == (3, len(FIELDS))
    assert gymnasium.make("pitboss/perth-blackjack-v0", layout=8).unwrapped.chosen.rules.options["layout"] == 8


def test_the_same_seed_deals_the_same_round_and_another_seed_another() -> None:
    env = BoxEnv("star/blackjack")
    first, again, other = (env.reset(seed=seed)[0] for seed in (7, 7, 8))
    assert (first == again).all()
    assert (first != other).any()
    many = VectorBoxEnv("star/blackjack", 64)
    first, again, other = (many.reset(seed=seed)[0] for seed in (7, 7, 8))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BoxEnv("star/nothing"), "there is no game"),
        (lambda: BoxEnv("star/blackjack", decks=5), "decks"),
        (lambda: BoxEnv("star/blackjack", bets=(0, 1)), "whole numbers of wagers from 1 to 1000"),
        (lambda: VectorBoxEnv("star/blackjack", 2, bets=(1.5,)), "whole numbers of wagers"),
        (lambda: BoxEnv("star/blackjack", bets=(1, 1)), "bets must be different"),
        (lambda: BoxEnv("star/blackjack", penetration=0.1), "penetration must be"),
        (lambda: BoxEnv("star/blackjack", stake=0), "stake"),
        (lambda: BoxEnv("star/blackjack").reset(options={"cards": "9x"}), "9x"),
        (lambda: BoxEnv("star/blackjack", decks=3).reset(options={"cards": "As " * 4}), "no further As"),
        (lambda: BoxesEnv("star/blackjack", 10), "boxes must be"),
        (lambda: VectorBoxEnv("star/blackjack", 0), "1 table or more"),
        (lambda: BoxEnv("star/blackjack", decks="inf"), "an infinite deck cannot be dealt from"),
        (lambda: BoxEnv("star/blackjack", side_wagers=["nothing"]), "no side wager 'nothing'"),
        (lambda: BoxEnv("melbourne/blackjack", side_wagers={"perfect-pairs": 0}), "must be above zero"),
        (lambda: BoxEnv("star/blackjack", meters={"grand": 5}), "there is no meter 'grand'"),
        (
            lambda: VectorBoxEnv(
                "rws/blackjack", 2, side_wagers=["under-13", "over-13"], readings={"under_over_both": "one-only"}
            ),
            "a box takes one of Under 13 and Over 13",
        ),
        (lambda: VectorBoxEnv("star/blackjack", 2).reset(options={"cards": ["As"]}), "each of 2 tables"),
        (lambda: VectorBoxEnv("star/blackjack", 2).step(np.array([1])), "2 actions"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(make: Any, words: str) -> None:
    with pytest.raises(PitbossError, match=words):
        make()


def test_nothing_of_this_is_imported_with_pitboss() -> None:
    source = "import sys, pitboss; sys.exit(str({'gymnasium', 'pettingzoo', 'numba'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "set()"


def test_the_table_is_told_in_words() -> None:
    env = BoxEnv("star/blackjack", render_mode="ansi")
    env.reset(options={"cards": "Ts 6d 9h"})
    assert env.render() == "dealer  6d\nbox 1   Ts 9h  19\nopen    HIT, STAND"
    assert set(CARDS) >= set(env.state.dealer)
