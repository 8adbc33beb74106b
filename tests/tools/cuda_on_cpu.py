"""The CUDA kernel played without a GPU: its source compiled by a C++ compiler, with one thread in one block."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from pitboss.sim.gpu import STEPS, DeviceSums, empty_sums, pack_tables, strands_of, sums_of_launch
from pitboss.sim.kernels.cuda_source import SOURCE
from pitboss.sim.plan import Prepared
from pitboss.sim.result import Sums

COMPILER = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
WORDS_OF_CUDA = """
#define __device__
#define __forceinline__ inline
#define __global__
#define __launch_bounds__(threads, blocks)
#define __syncthreads()
#define atomicAdd(place, value) (*(place) += (value))
#define COUNT_IF(condition, place) if (condition) ++*(unsigned int *)(place);
#define SHARED_ROOM static unsigned int room[1 << 16];
static struct { unsigned int x; } threadIdx, blockIdx, gridDim = {1};
"""


def play_without_gpu(prepared: Prepared, blocks: Iterable[int], folder: Path) -> Sums:
    """What the kernel finds for blocks of a plan, compiled in `folder`."""
    assert COMPILER is not None
    tables = pack_tables(prepared)
    constants = {**tables.constants, "THREADS": 1, "STEPS": STEPS, "SHOES_AT": tables.table_bytes}
    defines = "".join(f"#define {name} {value}\n" for name, value in constants.items())
    source, library = folder / "kernel.cpp", folder / "kernel.so"
    source.write_text(defines + WORDS_OF_CUDA + SOURCE)
    options = ["-O1", "-w", "-shared", "-fPIC", "-o", str(library)]
    subprocess.run([COMPILER, *options, str(source)], check=True)
    strands, rounds = strands_of(prepared.plan, blocks)
    found = empty_sums(tables)
    arrays = [strands, rounds, len(strands), tables.fresh, *tables.arrays, *found]
    handed = [
        ctypes.c_uint32(value)
        if isinstance(value, int)
        else np.ascontiguousarray(value).ctypes.data_as(ctypes.c_void_p)
        for value in arrays
    ]
    ctypes.CDLL(str(library)).play_strands(ctypes.c_uint64(prepared.plan.seed), *handed)
    return sums_of_launch(prepared, tables, DeviceSums(*found))
