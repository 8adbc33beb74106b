"""Raw rounds on a GPU: the tables of a plan packed for the CUDA kernel, and what it found as sums of the plan.

The kernel plays the same strands with the same streams and tables as the processors do, so its sums are the same whole
numbers. A launch plays so many blocks that every thread has a strand; what has been played is merged into the run as
blocks of the plan, which can be saved and resumed on any machine.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.errors import PitbossError
from pitboss.play.dealer import dealer_looks, has_hole_card
from pitboss.play.hands import ACE
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.boxes import SUPER
from pitboss.sim.kernels.cuda_source import SOURCE
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.plan import Plan, Prepared, SimError
from pitboss.sim.result import Sums, collect_sums
from pitboss.sim.run import Progress, Run
from pitboss.sim.unfold.automaton import RANK_COUNT
from pitboss.sim.unfold.split_automaton import (
    BY_SUIT,
    DECLINES,
    HAND_OVER,
    SPLITS,
    SplitAutomaton,
    unfold_splits,
)
from pitboss.sim.unfold.tables import WIDTH

MOST_THREADS_A_BLOCK = 1024
WARP = 32
ROW_BYTES = 4 * RANK_COUNT
CELLS_AT = 4
"""Where counts begin in the shared memory: a place of 0 is none."""
MOST_NUMBERS = 0xFFF0
"""Numbers of states and places of counts have 16 bits."""
STEPS = 4
"""Cards that a thread draws before those that wait for something rare are served."""
RESERVED_BYTES = 1024
"""Shared memory that CUDA keeps of every block for itself."""
TOO_LARGE = "this game and strategy have too many states for the tables of a GPU"
CUDA_WORDS = """
#define SHARED_ROOM extern __shared__ u32 room[];
#define COUNT_IF(condition, place) asm volatile( \\
    "{ .reg .pred p; setp.ne.u32 p, %0, 0; @p red.shared.add.u32 [%1], 1; }" \\
    :: "r"((u32)(condition)), "r"((u32)__cvta_generic_to_shared(place)) : "memory");
"""
LAUNCH_WAVES = 8
"""Strands that a thread plays in one launch: some tenths of a second, so that progress can be told."""


class DeviceTables(NamedTuple):
    """What the kernel is compiled with and handed."""

    automaton: SplitAutomaton
    fresh: NDArray[np.uint8]
    constants: dict[str, int]
    """By their names in the source, without those that depend on the device."""
    arrays: tuple[NDArray[np.generic], ...]
    """What is looked up, in the order of the kernel's arguments after the full shoe."""
    table_bytes: int
    """What tables and counts take of the shared memory."""


class DeviceSums(NamedTuple):
    """What a launch leaves, in the order of the kernel's last arguments."""

    places: NDArray[np.int64]
    dealers: NDArray[np.int64]
    """[final] -> how often, in rounds that split."""
    near: NDArray[np.int64]
    """[net] -> how often in rounds that split or won a Super Bonus, as far as it is small."""
    far: NDArray[np.int64]
    """[net] -> how often otherwise; less those that the places count with another net."""
    totals: NDArray[np.int64]
    """Cards, shoes, rounds outside the histogram, their nets, squares and cubes."""


def why_not_on_gpu(prepared: Prepared) -> str:
    """Why the rounds of a plan are not played on a GPU; empty where they are."""
    given, plan = prepared.given, prepared.plan
    shape, rules = given.shape, given.rules
    if given.form.valued:
        return "corrected rounds: add --raw"
    if shape.boxes > 1:
        return "two hands of a player" if rules.switch else "more boxes than one"
    if shape.sides:
        return "side wagers"
    if plan.schedule is not None:
        return "bets that follow a count"
    if plan.detail:
        return "results by opening hand"
    if plan.bankroll_units:
        return "bankrolls"
    if shape.burn_round:
        return "a card burnt before every round"
    if given.form.fed or shape.returns_late:
        return "a continuous device that is fed within a round"
    if dealer_looks(rules, ACE) and not has_hole_card(rules):
        return "a second card that the dealer draws to an ace before boxes act"
    return ""


def pack_tables(prepared: Prepared) -> DeviceTables:
    """The tables of a plan as the kernel takes them; an error says what it does not play."""
    if reason := why_not_on_gpu(prepared):
        raise SimError(f"a GPU plays no {reason}")
    given = prepared.given
    auto = unfold_splits(given.rules, given.tables, given.shape.super_bonus)
    if auto is None or abs(auto.nets).max() >= k.HALF_HISTOGRAM:
        raise SimError(TOO_LARGE)
    draws, ends = auto.ends_from, auto.ends_from * ROW_BYTES
    special = np.flatnonzero(auto.kinds != HAND_OVER)
    result = ends + 4 * len(special)
    finals_from = result + 4
    if max(finals_from, 4 * len(auto.nets)) + 4 * auto.finals + CELLS_AT > MOST_NUMBERS:
        raise SimError(TOO_LARGE)
    # A number for every state: of what draws, of stops that are not simply the end of a hand, of final hands.
    numbers = np.zeros(auto.finals_from + auto.finals, np.int64)
    numbers[:draws] = np.arange(draws) * ROW_BYTES
    numbers[draws + special] = ends + 4 * np.arange(len(special))
    numbers[auto.finals_from :] = finals_from + 4 * np.arange(auto.finals)
    over = np.flatnonzero(auto.kinds == HAND_OVER)
    numbers[draws + over] = (
        numbers[auto.then[over]] | (CELLS_AT + 4 * auto.finals * auto.values[over].astype(np.int64)) << 16
    )
    hands = auto.nets[: 2 * auto.results * auto.finals]
    near = 4 * int(abs(np.where(abs(hands) <= 8 * given.tables.unit, hands, 0)).max())
    words = CELLS_AT // 4 + len(auto.nets) + auto.finals + 2 * near + 1
    constants = {
        "SIZE": given.fresh.size, "CUT": given.shape.cut, "BURN": given.shape.burn, "START": auto.start * ROW_BYTES,
        "ENDS": ends, "RESULT": result, "FINALS_FROM": finals_from, "FINALS": auto.finals, "CELLS_AT": CELLS_AT,
        "MOVES": draws * RANK_COUNT, "RESULTS": auto.results, "PLACES": len(auto.nets), "NEAR": near,
        "SUPER": SUPER, "SUPER_PLACE": auto.super_place, "CHARGES": auto.charge_count, "HOLES": auto.holes,
        "SUITS": int(len(auto.by_suit) > 0), "MOVES_AT": -(-4 * words // 128) * 128,
        "HAND_OVER": HAND_OVER, "BY_SUIT": BY_SUIT, "SPLITS": SPLITS, "DECLINES": DECLINES,
    }  # fmt: skip
    arrays = (
        numbers[auto.move.reshape(-1, WIDTH)[:, :RANK_COUNT].reshape(-1)].astype(np.uint32),
        auto.kinds[special], auto.values[special], numbers[auto.then[special]].astype(np.uint32),
        auto.by_suit if len(auto.by_suit) else np.zeros(1, np.uint16), numbers[auto.halves].astype(np.uint16),
        auto.marks, auto.opens, auto.charges, auto.losses, numbers[auto.starts].astype(np.uint16),
        auto.split_places.astype(np.uint32), auto.loss_places.astype(np.uint32), auto.naturals.astype(np.uint8),
        auto.nets.astype(np.int32),
    )  # fmt: skip
    fresh = (given.fresh & 15) * 4 + (given.fresh >> 4) * 64 * constants["SUITS"]
    table_bytes = -(-(constants["MOVES_AT"] + 4 * constants["MOVES"]) // 128) * 128
    return DeviceTables(auto, fresh.astype(np.uint8), constants, arrays, table_bytes)


def empty_sums(tables: DeviceTables) -> DeviceSums:
    """Nothing found yet."""
    sizes = (len(tables.automaton.nets), tables.automaton.finals, 2 * tables.constants["NEAR"] + 1)
    return DeviceSums(*(np.zeros(size, np.int64) for size in (*sizes, 2 * k.HALF_HISTOGRAM, 6)))


def strands_of(plan: Plan, blocks: Iterable[int]) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """The strands of blocks: their numbers, and the rounds of each."""
    found = np.fromiter(blocks, np.int64)
    per_block = -(-plan.block_rounds // plan.per_strand)
    strand = np.arange(per_block)
    whole = np.minimum(plan.block_rounds, plan.rounds - found * plan.block_rounds)
    rounds = np.clip(whole[:, None] - strand * plan.per_strand, 0, plan.per_strand).reshape(-1)
    numbers = (found[:, None] * LANES + strand).reshape(-1)
    return numbers[rounds > 0].astype(np.uint64), rounds[rounds > 0].astype(np.uint32)


def sums_of_launch(prepared: Prepared, tables: DeviceTables, found: DeviceSums) -> Sums:
    """What a launch found as sums of the plan."""
    auto = tables.automaton
    kept = k.make_kept(prepared.given.shape)
    sums, histogram = kept.sums, kept.histogram
    sums += found.places @ auto.rows
    sums[k.NET : k.NET_3 + 1] = 0
    alone = found.places[: auto.results * auto.finals]
    np.add.at(histogram, auto.nets[: len(alone)] + k.HALF_HISTOGRAM, alone)
    middle, near = k.HALF_HISTOGRAM, tables.constants["NEAR"]
    histogram += found.far
    histogram[middle - near : middle + near + 1] += found.near
    finals = alone.reshape(auto.results, auto.finals).sum(axis=0) + found.dealers
    sums[k.ROUNDS] = finals.sum()
    sums[k.DEALER_BUSTS] = (finals * auto.busts).sum()
    sums[k.DEALER_NATURALS] = (finals * auto.naturals).sum()
    sums[[k.CARDS, k.SHOES, k.OUTSIDE, k.NET, k.NET_2, k.NET_3]] = found.totals
    return collect_sums(prepared, kept)


class Device:
    """A GPU with the kernel of one plan."""

    def __init__(self, prepared: Prepared, *, threads: int | None = None, steps: int = STEPS) -> None:
        self.prepared, self.tables = prepared, pack_tables(prepared)
        self.cupy = find_cupy()
        props = self.cupy.cuda.runtime.getDeviceProperties(0)
        self.processors = int(props["multiProcessorCount"])
        room = int(props["sharedMemPerMultiprocessor"]) - RESERVED_BYTES - self.tables.table_bytes
        shoe = -(-self.tables.fresh.size // 4) * 4
        most = min(MOST_THREADS_A_BLOCK, room // shoe // WARP * WARP)
        if most < WARP:
            raise SimError("this GPU has too little shared memory for the shoes of this game")
        self.threads = min(threads or most, most)
        self.shared = self.tables.table_bytes + self.threads * shoe
        constants = {**self.tables.constants, "THREADS": self.threads, "STEPS": steps}
        constants["SHOES_AT"] = self.tables.table_bytes
        defines = "".join(f"#define {name} {value}\n" for name, value in constants.items())
        module = self.cupy.RawModule(code=defines + CUDA_WORDS + SOURCE, options=("--std=c++14",))
        self.kernel = module.get_function("play_strands")
        self.kernel.max_dynamic_shared_size_bytes = self.shared
        self.given = [self.cupy.asarray(array) for array in (self.tables.fresh, *self.tables.arrays)]

    @property
    def blocks_at_once(self) -> int:
        """Blocks of the plan that one launch plays."""
        return max(self.processors * self.threads * LAUNCH_WAVES // LANES, 1)

    def play(self, blocks: Iterable[int]) -> Sums:
        """Play blocks of the plan in one launch."""
        cupy, plan = self.cupy, self.prepared.plan
        strands, rounds = strands_of(plan, blocks)
        found = [cupy.asarray(array) for array in empty_sums(self.tables)]
        grid = min(self.processors, -(-len(strands) // self.threads))
        arguments = (
            np.uint64(plan.seed), cupy.asarray(strands), cupy.asarray(rounds), np.uint32(len(strands)), *self.given,
            *found,
        )  # fmt: skip
        self.kernel((grid,), (self.threads,), arguments, shared_mem=self.shared)
        return sums_of_launch(self.prepared, self.tables, DeviceSums(*(array.get() for array in found)))


def find_cupy() -> Any:
    """CuPy, on a machine that has it and a GPU; otherwise an error of one line."""
    try:
        cupy = importlib.import_module("cupy")
    except ImportError:
        raise PitbossError("--gpu needs CuPy: install pitboss-blackjack[gpu]") from None
    try:
        count = int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:
        count = 0
    if count == 0:
        raise PitbossError("--gpu: this machine has no GPU that CUDA can use")
    return cupy


def on_gpu(run: Run, progress: Progress) -> None:
    """Play what is left of a run on a GPU until done or until `progress` says stop."""
    device = Device(run.prepared)
    left = run.left()
    for first in range(0, len(left), device.blocks_at_once):
        blocks = left[first : first + device.blocks_at_once]
        run.add_together(blocks, device.play(blocks))
        if not progress(run.sums):
            break
