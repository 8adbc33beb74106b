"""Random streams for kernels: counter-based, one for each strand of a plan, and a draw from a shoe without reshuffling
it.

A stream is SplitMix64: the n-th number is a mix of `key + n * gamma`, so a strand can start anywhere and strands share
nothing. Each has a key and an odd gamma of its own, mixed from the seed and the strand's number. `draw_from_shoe` takes
the next card of a shoe by one step of Fisher-Yates with rejection, so that every order of the cards left is equally
likely.
"""

from __future__ import annotations

from numba import njit

from pitboss.sim.kernels.compiling import INT64, UINT64, Codes

U64 = UINT64
GOLDEN = U64(0x9E3779B97F4A7C15)
_A = U64(0xBF58476D1CE4E5B9)
_B = U64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32, _ONE = U64(30), U64(27), U64(31), U64(32), U64(1)
_LOW = U64(0xFFFFFFFF)


@njit(cache=True)
def mix(z: int) -> int:
    """The finaliser of SplitMix64: a bijection of 64 bits."""
    z = (z ^ (z >> _S30)) * _A
    z = (z ^ (z >> _S27)) * _B
    return z ^ (z >> _S31)


@njit(cache=True)
def open_stream(seed: int, strand: int) -> tuple[int, int]:
    """Start and increment of the stream of one strand."""
    key = mix(U64(seed) + GOLDEN)
    start = mix(key ^ mix(U64(strand) * GOLDEN + _ONE))
    gamma = mix(start + GOLDEN) | _ONE
    return start, gamma


@njit(cache=True)
def below(count: int, ctr: int, gamma: int) -> tuple[int, int]:
    """A whole number from 0 to `count - 1`, each equally likely, and the counter after it."""
    ctr = ctr + gamma
    k = U64(count)
    m = (mix(ctr) >> _S32) * k
    if (m & _LOW) < k:
        reject = (U64(0x100000000) - k) % k
        while (m & _LOW) < reject:
            ctr = ctr + gamma
            m = (mix(ctr) >> _S32) * k
    return INT64(m >> _S32), ctr


@njit(cache=True)
def draw_from_shoe(shoe: Codes, pos: int, ctr: int, gamma: int) -> tuple[int, int]:
    """The next card of `shoe`, of which `pos` cards are dealt, and the counter after it."""
    j, ctr = below(shoe.size - pos, ctr, gamma)
    here, there = U64(pos), U64(j + pos)
    card = shoe[there]
    shoe[there] = shoe[here]
    shoe[here] = card
    return INT64(card), ctr
