"""The rounds of one box in CUDA C: the tables of `unfold.split_automaton`, played by as many threads as there is room for.

Every thread plays strands of a plan, one after the other, with the streams and the shuffle of `kernels.streams`; its
shoe lies in shared memory so that thread t only ever touches bank t. A round that goes its ordinary way costs a draw
and a look into one table for each card. What is rare (a new shoe, a split, a bonus by suit, the end of a box that has
split) makes a thread wait for the end of a small group of steps, where all that wait are served together. The source
holds no rule, and is plain enough for a C++ compiler: tests play it on a machine without a GPU.
"""

from __future__ import annotations

NO_STOP = 0xFFFF
"""Where an ordinary hand would go on, of a stop that is not the end of one."""

SOURCE = r"""
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define GOLDEN 0x9E3779B97F4A7C15ull
#define WAITS_FOR_SHOE 0xFFFE0000u
#define IS_DONE 0xFFFF0000u
#define NO_STOP 0xFFFFu
#define HALF_HISTOGRAM 8192

enum { CARDS, SHOES, OUTSIDE, NET, NET_2, NET_3 };

struct Split {
    u32 is_split, over, waiting, declined, marked, open, losses, own, stack;
    u64 results;
};

__device__ __forceinline__ u64 mix(u64 z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

__device__ __forceinline__ u32 place_of(u32 card, u32 thread)
{
    return (card & ~3u) * THREADS + (thread << 2) + (card & 3u);
}

__device__ __forceinline__ u32 draw(u8 *shoe, u32 thread, u32 pos, u64 &counter, u64 gamma)
{
    u32 left = SIZE - pos;
    counter += gamma;
    u64 m = (mix(counter) >> 32) * left;
    if ((u32)m < left) {
        u32 reject = (0u - left) % left;
        while ((u32)m < reject) {
            counter += gamma;
            m = (mix(counter) >> 32) * left;
        }
    }
    u32 there = place_of(pos + (u32)(m >> 32), thread), here = place_of(pos, thread);
    u32 card = shoe[there];
    shoe[there] = shoe[here];
    shoe[here] = (u8)card;
    return card;
}

__device__ __forceinline__ u32 grade_of_suits(u32 suits)
{
    return suits & (suits - 1) ? 0 : suits == 1 ? 2 : 1;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) play_strands(
    u64 seed, const u64 *strands, const u32 *strand_rounds, u32 strand_count, const u8 *fresh,
    const u16 *move_given, const u32 *ends_given,
    const u8 *kinds, const u16 *values, const u16 *then, const u16 *by_suit, const u16 *halves, const u8 *marks,
    const u8 *opens, const u8 *charges, const u16 *losses, const u16 *starts, const u32 *split_places,
    const u32 *loss_places, const u8 *naturals, const int *nets,
    u64 *places_found, u64 *dealers_found, u64 *near_found, u64 *far_found, u64 *totals)
{
    SHARED_ROOM
    u32 *places = (u32 *)room;
    u32 *dealers = places + PLACES;
    u32 *near = dealers + FINALS;
    u32 *ends = near + 2 * NEAR + 1;
    u16 *move = (u16 *)(ends + STOPS);
    u8 *shoe = (u8 *)room + SHOES_AT;
    const u32 thread = threadIdx.x;
    for (u32 i = thread; i < PLACES + FINALS + 2 * NEAR + 1; i += THREADS)
        places[i] = 0;
    for (u32 i = thread; i < STOPS; i += THREADS)
        ends[i] = ends_given[i];
    for (u32 i = thread; i < MOVES; i += THREADS)
        move[i] = move_given[i];
    __syncthreads();

    u64 cards = 0, shoes = 0;
    for (u32 strand = blockIdx.x * THREADS + thread; strand < strand_count; strand += gridDim.x * THREADS) {
        u64 start = mix(mix(seed + GOLDEN) ^ mix(strands[strand] * GOLDEN + 1));
        const u64 gamma = mix(start + GOLDEN) | 1;
        u64 counter = start;
        u32 left = strand_rounds[strand];
        for (u32 i = 0; i < SIZE; i++)
            shoe[place_of(i, thread)] = fresh[i];
        u32 pos = BURN, begin = 0, state = WAITS_FOR_SHOE, cell = 0, beside = 0;
        Split box = {};
        while (state != IS_DONE) {
#pragma unroll
            for (int step = 0; step < STEPS; step++) {
                if (state >= ENDS)
                    continue;
                u32 card = draw(shoe, thread, pos, counter, gamma);
                pos++;
                state = move[state + (card & 15u)];
                if (state >= ENDS && !beside) {
                    if (state < FINALS_FROM) {
                        u32 end = ends[state - ENDS];
                        if (end >> 16 != NO_STOP) {
                            cell = end & 0xFFFFu;
                            state = end >> 16;
                            if (HOLES && state < ENDS)
                                state = move[state + (shoe[place_of(begin + 3, thread)] & 15u)];
                        }
                    }
                    if (state >= FINALS_FROM) {
                        atomicAdd(&places[cell + state - FINALS_FROM], 1u);
                        left--;
                        begin = pos;
                        state = left == 0 ? IS_DONE : pos >= CUT ? WAITS_FOR_SHOE : START;
                    }
                }
            }
            if (state < ENDS)
                continue;
            while (state >= ENDS && state < WAITS_FOR_SHOE) {
                u32 up = shoe[place_of(begin + 1, thread)] & 15u;
                if (state >= FINALS_FROM) {
                    u32 final = state - FINALS_FROM;
                    int net = 0;
                    for (u32 hand = 0; hand < box.over; hand++) {
                        u32 result = (u32)(box.results >> (16 * hand)) & 0xFFFFu;
                        u32 place = (result + (box.is_split ? RESULTS : 0)) * FINALS + final;
                        atomicAdd(&places[place], 1u);
                        net += nets[place];
                    }
                    int alone = net;
                    if (box.is_split && naturals[final]) {
                        u32 place = loss_places[box.losses];
                        atomicAdd(&places[place], 1u);
                        net += nets[place];
                    }
                    if (box.open & SUPER) {
                        atomicAdd(&places[SUPER_PLACE], 1u);
                        net += nets[SUPER_PLACE];
                    }
                    if (box.is_split)
                        atomicAdd(&dealers[final], 1u);
                    else
                        atomicAdd(&far_found[alone + HALF_HISTOGRAM], ~0ull);
                    if (-NEAR <= net && net <= NEAR) {
                        atomicAdd(&near[net + NEAR], 1u);
                    } else if (-HALF_HISTOGRAM <= net && net < HALF_HISTOGRAM) {
                        atomicAdd(&far_found[net + HALF_HISTOGRAM], 1ull);
                    } else {
                        u64 wide = (u64)(long long)net;
                        atomicAdd(&totals[OUTSIDE], 1ull);
                        atomicAdd(&totals[NET], wide);
                        atomicAdd(&totals[NET_2], wide * wide);
                        atomicAdd(&totals[NET_3], wide * wide * wide);
                    }
                    beside = 0;
                    left--;
                    begin = pos;
                    state = left == 0 ? IS_DONE : pos >= CUT ? WAITS_FOR_SHOE : START;
                    break;
                }
                if (!beside) {
                    Split none = {};
                    box = none;
                    box.own = shoe[place_of(begin, thread)];
                    beside = 1;
                }
                u32 stop = state - ENDS, kind = kinds[stop];
                if (kind == DECLINES) {
                    box.declined = 1;
                    state = then[stop];
                    continue;
                }
                u32 second = shoe[place_of(box.is_split ? pos - 1 : begin + 2, thread)];
                if (kind == SPLITS) {
                    u32 rank = box.own & 15u;
                    atomicAdd(&places[split_places[box.is_split * 16 + rank]], 1u);
                    box.marked |= marks[rank] && box.own >> 4 == second >> 4;
                    box.is_split = 1;
                    box.stack = box.stack << 8 | second;
                    box.waiting++;
                } else {
                    u32 result = values[stop];
                    if (kind == BY_SUIT) {
                        u32 third = shoe[place_of(pos - 1, thread)];
                        if (box.is_split)
                            second = shoe[place_of(pos - 2, thread)];
                        u32 grade = grade_of_suits(1u << (box.own >> 4) | 1u << (second >> 4) | 1u << (third >> 4));
                        result = by_suit[(result * 3 + box.is_split + box.marked) * 3 + grade];
                    }
                    box.open |= opens[result];
                    box.results |= (u64)result << (16 * box.over);
                    box.losses = losses[box.losses * CHARGES + charges[result]];
                    box.over++;
                    if (box.waiting == 0) {
                        state = starts[box.open * 16 + up];
                        if (HOLES && state < ENDS)
                            state = move[state + (shoe[place_of(begin + 3, thread)] & 15u)];
                        if (!box.is_split && !(box.open & SUPER)) {
                            beside = 0;
                            cell = result * FINALS;
                            if (state >= FINALS_FROM) {
                                atomicAdd(&places[cell + state - FINALS_FROM], 1u);
                                left--;
                                begin = pos;
                                state = left == 0 ? IS_DONE : pos >= CUT ? WAITS_FOR_SHOE : START;
                            }
                        }
                        continue;
                    }
                    box.waiting--;
                    box.own = box.stack & 255u;
                    box.stack >>= 8;
                }
                state = halves[(((box.declined * 4 + box.over) * 4 + box.waiting) * 16 + up) * 16 + (box.own & 15u)];
            }
            if (state == WAITS_FOR_SHOE || state == IS_DONE) {
                cards += pos - BURN;
                if (state == WAITS_FOR_SHOE) {
                    shoes++;
                    pos = 0;
                    for (int card = 0; card < BURN; card++, pos++)
                        draw(shoe, thread, pos, counter, gamma);
                    begin = pos;
                    state = START;
                }
            }
        }
    }
    atomicAdd(&totals[CARDS], cards);
    atomicAdd(&totals[SHOES], shoes);
    __syncthreads();
    for (u32 i = thread; i < PLACES; i += THREADS)
        atomicAdd(&places_found[i], (u64)places[i]);
    for (u32 i = thread; i < FINALS; i += THREADS)
        atomicAdd(&dealers_found[i], (u64)dealers[i]);
    for (u32 i = thread; i < 2 * NEAR + 1; i += THREADS)
        atomicAdd(&near_found[i], (u64)near[i]);
}
"""
"""Constants are defined by whoever compiles it, in front of it."""
