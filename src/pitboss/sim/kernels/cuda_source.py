"""The rounds of one box in CUDA C: the tables of `unfold.split_automaton`, played by as many threads as have room.

Every thread plays strands of a plan, one after the other, with the streams and the shuffle of `kernels.streams`; its
shoe lies in shared memory so that thread t only ever touches bank t. A round that goes its ordinary way costs a draw
and a look into one table for each card. What is rare (a new shoe, a split, a bonus by suit, the end of a box that has
split) makes a thread wait for the end of a small group of steps, where all that wait are served together. The source
holds no rule, and is plain enough for a C++ compiler: tests play it on a machine without a GPU.

A state that draws is numbered by the bytes of its row, and a card is four times its rank, so that their sum is where
the next state is looked up: a word with the number of the next state below, and above it the place where a hand that
this card ends is counted, or 0. So the way of an ordinary round has no branch that depends on a card.
"""

from __future__ import annotations

SOURCE = r"""
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define GOLDEN 0x9E3779B97F4A7C15ull
#define WAITS 0xFFFE0000u
#define IS_DONE 0xFFFF0000u
#define HALF_HISTOGRAM 8192
#define CARD(number) ((u32)shoe.cards[place_of(number, shoe.column)])

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

// Where a card of a shoe lies: four cards to a word, and a word of each thread beside that of the next.
__device__ __forceinline__ u32 place_of(u32 card, u32 column)
{
    return card * THREADS + column - (card & 3u) * (THREADS - 1u);
}

__device__ __forceinline__ u32 rank_of(u32 card)
{
    return (card & 63u) >> 2;
}

// A thread's shoe and the stream that its cards are drawn by. One card is always drawn ahead, before it is known where
// the one before it leads: `card`, the last of `pos` cards. `ahead` is the next number of the stream.
struct Shoe {
    u8 *cards;
    u32 column, pos, card, there, ahead, extra, extra_at;
    u64 counter, gamma;
};

__device__ __forceinline__ void take(Shoe &shoe, u64 m)
{
    u32 here = place_of(shoe.pos, shoe.column);
    shoe.there = place_of(shoe.pos + (u32)(m >> 32), shoe.column);
    u32 card = shoe.cards[shoe.there], other = shoe.cards[here];
    shoe.counter += shoe.gamma;
    shoe.ahead = (u32)(mix(shoe.counter) >> 32);
    shoe.cards[shoe.there] = (u8)other;
    shoe.cards[here] = (u8)card;
    shoe.card = card;
    shoe.pos++;
}

// Draw by a number that may have to be drawn again.
__device__ __forceinline__ void draw(Shoe &shoe)
{
    u32 left = SIZE - shoe.pos, reject = (0u - left) % left;
    u64 m = (u64)shoe.ahead * left;
    u32 extra = 0;
    for (; (u32)m < reject; extra++) {
        shoe.counter += shoe.gamma;
        m = (mix(shoe.counter) >> 32) * left;
    }
    take(shoe, m);
    if (extra) {
        shoe.extra = extra;
        shoe.extra_at = shoe.pos;
    }
}

// Put the card back that was drawn ahead, and the numbers that it took.
__device__ __forceinline__ void undo(Shoe &shoe)
{
    u32 numbers = 1 + (shoe.extra_at == shoe.pos ? shoe.extra : 0);
    u32 here = place_of(--shoe.pos, shoe.column);
    u8 card = shoe.cards[here];
    shoe.cards[here] = shoe.cards[shoe.there];
    shoe.cards[shoe.there] = card;
    shoe.counter -= numbers * shoe.gamma;
    shoe.ahead = (u32)(mix(shoe.counter) >> 32);
}

__device__ __forceinline__ u32 grade_of_suits(u32 suits)
{
    return suits & (suits - 1) ? 0 : suits == 1 ? 2 : 1;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) play_strands(
    u64 seed, const u64 *strands, const u32 *strand_rounds, u32 strand_count, const u8 *fresh,
    const u32 *move_given, const u8 *kinds, const u16 *values, const u32 *then, const u16 *by_suit, const u16 *halves,
    const u8 *marks, const u8 *opens, const u8 *charges, const u16 *losses, const u16 *starts, const u32 *split_places,
    const u32 *loss_places, const u8 *naturals, const int *nets,
    u64 *places_found, u64 *dealers_found, u64 *near_found, u64 *far_found, u64 *totals)
{
    SHARED_ROOM
    u8 *const places = (u8 *)room;
    u32 *const counts = (u32 *)(places + CELLS_AT);
    u32 *const dealers = counts + PLACES;
    u32 *const near = dealers + FINALS;
    u8 *const move = (u8 *)room + MOVES_AT;
    Shoe shoe = {};
    shoe.cards = (u8 *)room + SHOES_AT;
    const u32 thread = threadIdx.x;
    shoe.column = thread << 2;
    for (u32 i = thread; i < PLACES + FINALS + 2 * NEAR + 1; i += THREADS)
        counts[i] = 0;
    for (u32 i = thread; i < MOVES; i += THREADS)
        ((u32 *)move)[i] = move_given[i];
    __syncthreads();

    u64 cards = 0, shoes = 0;
    for (u32 strand = blockIdx.x * THREADS + thread; strand < strand_count; strand += gridDim.x * THREADS) {
        u64 start = mix(mix(seed + GOLDEN) ^ mix(strands[strand] * GOLDEN + 1));
        shoe.gamma = mix(start + GOLDEN) | 1;
        shoe.counter = start + shoe.gamma;
        shoe.ahead = (u32)(mix(shoe.counter) >> 32);
        u32 left = strand_rounds[strand];
        // There is no shoe yet, and it looks like one that is dealt.
        cards += BURN;
        cards -= CUT;
        shoe.pos = CUT;
        for (u32 i = 0; i < SIZE; i++)
            shoe.cards[place_of(i, shoe.column)] = fresh[i];
        u32 begin = 0, limit = 0, state = WAITS, cell = 0, beside = 0, hole = 0;
        bool drawn = false;
        Split box = {};
        while (state != IS_DONE) {
#pragma unroll
            for (int step = 0; step <= STEPS; step++) {
                u32 left_in_shoe = SIZE - shoe.pos;
                u64 m = (u64)shoe.ahead * left_in_shoe;
                bool again = (u32)m < left_in_shoe;
                // What may have to be drawn again is drawn once a group is done.
                if (state >= ENDS || again != (step == STEPS))
                    continue;
                u32 card = SUITS ? shoe.card & 63u : shoe.card;
                if (HOLES)
                    hole = shoe.pos - begin == 4 ? card : hole;
                u32 word = *(u32 *)(move + (state + card));
                if (step == STEPS)
                    draw(shoe);
                else
                    take(shoe, m);
                u32 ended = word >> 16;
                state = word & 0xFFFFu;
                if (HOLES && ended && !beside && state < ENDS)
                    state = *(u16 *)(move + (state + hole));
                cell = ended ? ended : cell;
                state = ended && beside ? RESULT : state;
                bool over = state >= FINALS_FROM && !beside;
                COUNT_IF(over, places + (cell + (state - FINALS_FROM)))
                left -= over;
                begin = over ? shoe.pos - 1 : begin;
                state = over ? shoe.pos > limit ? WAITS : START : state;
            }
            if (state < ENDS)
                continue;
            while (state >= ENDS && state < WAITS) {
                u32 pos = shoe.pos - 1, up = rank_of(CARD(begin + 1));
                if (state >= FINALS_FROM) {
                    u32 final = (state - FINALS_FROM) >> 2;
                    int net = 0;
                    for (u32 hand = 0; hand < box.over; hand++) {
                        u32 result = (u32)(box.results >> (16 * hand)) & 0xFFFFu;
                        u32 place = (result + (box.is_split ? RESULTS : 0)) * FINALS + final;
                        atomicAdd(&counts[place], 1u);
                        net += nets[place];
                    }
                    int alone = net;
                    if (box.is_split && naturals[final]) {
                        u32 place = loss_places[box.losses];
                        atomicAdd(&counts[place], 1u);
                        net += nets[place];
                    }
                    if (box.open & SUPER) {
                        atomicAdd(&counts[SUPER_PLACE], 1u);
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
                    state = WAITS;
                    break;
                }
                if (!beside) {
                    Split none = {};
                    box = none;
                    box.own = CARD(begin);
                    beside = 1;
                }
                u32 stop = (state - ENDS) >> 2, kind = state == RESULT ? HAND_OVER : kinds[stop];
                if (kind == DECLINES) {
                    box.declined = 1;
                    state = then[stop] & 0xFFFFu;
                    cell = then[stop] >> 16;
                    if (cell)
                        state = RESULT;
                    continue;
                }
                u32 second = CARD(box.is_split ? pos - 1 : begin + 2);
                if (kind == SPLITS) {
                    u32 rank = rank_of(box.own);
                    atomicAdd(&counts[split_places[box.is_split * 16 + rank]], 1u);
                    box.marked |= marks[rank] && box.own >> 6 == second >> 6;
                    box.is_split = 1;
                    box.stack = box.stack << 8 | second;
                    box.waiting++;
                } else {
                    u32 result = (cell - CELLS_AT) / (4 * FINALS);
                    if (kind == BY_SUIT) {
                        u32 third = CARD(pos - 1);
                        if (box.is_split)
                            second = CARD(pos - 2);
                        u32 grade = grade_of_suits(1u << (box.own >> 6) | 1u << (second >> 6) | 1u << (third >> 6));
                        result = by_suit[(values[stop] * 3 + box.is_split + box.marked) * 3 + grade];
                    }
                    box.open |= opens[result];
                    box.results |= (u64)result << (16 * box.over);
                    box.losses = losses[box.losses * CHARGES + charges[result]];
                    box.over++;
                    if (box.waiting == 0) {
                        state = starts[box.open * 16 + up];
                        if (HOLES && state < ENDS)
                            state = *(u16 *)(move + (state + hole));
                        if (!box.is_split && !(box.open & SUPER)) {
                            beside = 0;
                            cell = CELLS_AT + 4 * FINALS * result;
                            if (state < ENDS)
                                break;
                            COUNT_IF(true, places + (cell + (state - FINALS_FROM)))
                            left--;
                            begin = pos;
                            state = WAITS;
                        }
                        continue;
                    }
                    box.waiting--;
                    box.own = box.stack & 255u;
                    box.stack >>= 8;
                }
                state = halves[(((box.declined * 4 + box.over) * 4 + box.waiting) * 16 + up) * 16 + rank_of(box.own)];
            }
            if (state == WAITS) {
                u32 dealt = shoe.pos - drawn;
                state = START;
                if (left == 0 || dealt >= CUT) {
                    cards += dealt - BURN;
                    if (left == 0) {
                        state = IS_DONE;
                        continue;
                    }
                    shoes++;
                    if (drawn)
                        undo(shoe);
                    shoe.extra_at = shoe.pos = 0;
                    while (shoe.pos <= BURN)
                        draw(shoe);
                    drawn = true;
                    begin = BURN;
                }
                // Where the strand may end within this shoe, every round of it is looked at here.
                limit = left > CUT ? CUT : 0;
            }
        }
    }
    atomicAdd(&totals[CARDS], cards);
    atomicAdd(&totals[SHOES], shoes);
    __syncthreads();
    for (u32 i = thread; i < PLACES; i += THREADS)
        atomicAdd(&places_found[i], (u64)counts[i]);
    for (u32 i = thread; i < FINALS; i += THREADS)
        atomicAdd(&dealers_found[i], (u64)dealers[i]);
    for (u32 i = thread; i < 2 * NEAR + 1; i += THREADS)
        atomicAdd(&near_found[i], (u64)near[i]);
}
"""
"""Constants are defined by whoever compiles it, in front of it."""
