"""Environments for agents: the checkers of Gymnasium and PettingZoo pass, compiled rounds are the table's rounds."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from pitboss import envs
from pitboss.cards import CARDS, decks
from pitboss.envs.env_choices import EnvError
from pitboss.envs.fields import FIELDS, Action, Stage
from pitboss.envs.several import BoxesEnv
from pitboss.envs.single import BoxEnv
from pitboss.envs.vector import VectorBoxEnv
from pitboss.errors import PitbossError
from pitboss.odds import evaluate, parse_chart
from pitboss.rulebooks import games, rules_for

GAMES = tuple(games())
CHOICES: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in GAMES),
    ("star/blackjack", {"resplit": True, "insurance_on_ten": True}),
    ("star/switch", {"double_with_ace": True, "readings": {"switch_waiting_natural": "refused"}}),
    ("perth/blackjack", {"layout": 8}),
    ("melbourne/blackjack", {"auto_draw": True}),
    ("melbourne/pontoon", {"decks": 6}),
    ("melbourne/free-bet", {"readings": {"free_split_stake": "last-hand"}}),
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
    ones = [BoxEnv(game, **options) for _ in range(count)]
    for number, one in enumerate(ones):
        own, own_info = one.reset(seed=seed, options={"cards": dealt[number]})
        assert (own == seen[number]).all(), (number, envs.named(own), envs.named(seen[number]))
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
            assert (own == shown[number]).all(), (where, envs.named(own), envs.named(shown[number]))
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


@pytest.mark.parametrize("game", ["melbourne/pontoon", "star/switch", "rws/blackjack"])
@pytest.mark.parametrize("boxes", [1, 3])
def test_pettingzoos_test_passes(game: str, boxes: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(BoxesEnv(game, boxes), num_cycles=200)


@pytest.mark.parametrize("game", ["melbourne/pontoon", "star/switch", "star/blackjack"])
def test_several_boxes_are_one_table(game: str) -> None:
    """The rewards of all agents are what the table has settled, and agents decide in its order."""
    env = BoxesEnv(game, 3)
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
    assert told["refused"] == "HIT is not asked now, but PROCEED, INSURE"


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
    """Always standing is a strategy too: what the vector environment pays for it is what the game pays."""
    env = VectorBoxEnv("star/blackjack", 4096, threads=1)
    _, info = env.reset(seed=2)
    rewards = []
    for _ in range(250):
        mask = info["action_mask"]
        _, reward, ended, _, info = env.step(np.where(mask[:, Action.STAND] == 1, Action.STAND, Action.PROCEED))
        rewards.append(reward[ended])
    paid = np.concatenate(rewards)
    chart = parse_chart("\n".join(f"hard {total}  " + "S " * 10 for total in range(4, 22)), "stand")
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
        (lambda: BoxEnv("star/blackjack", penetration=0.1), "penetration must be"),
        (lambda: BoxEnv("star/blackjack", stake=0), "stake"),
        (lambda: BoxEnv("star/blackjack").reset(options={"cards": "9x"}), "9x"),
        (lambda: BoxEnv("star/blackjack", decks=3).reset(options={"cards": "As " * 4}), "no further As"),
        (lambda: BoxesEnv("star/blackjack", 10), "boxes must be"),
        (lambda: VectorBoxEnv("star/blackjack", 0), "1 table or more"),
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
