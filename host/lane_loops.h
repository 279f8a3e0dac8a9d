/* The host's half of the kernel definers: each kernel becomes `void host_NAME(launch *)`, a loop over a chunk of lanes.
 *
 * Lanes run in order and append to the chunk's part of the arena, so upper bounds cost nothing: only the words that a
 * lane really used stay. Included by cl/lane.h; knows nothing of programs or threads.
 */
#ifndef ARCL_LANE_LOOPS_H
#define ARCL_LANE_LOOPS_H

/* One launch of one kernel over the lanes of one chunk. */
typedef struct launch {
    word *arena;
    uint count;
    const word *column[4]; /* an argument's value in lane n is column[row of n] */
    const uint *map[4];    /* row of lane n is map[n], or */
    uint mask[4];          /* n & mask where there is no map: all ones, or zero for a value shared by all lanes */
    ulong imm;
    word *out;
    uchar *status;    /* per lane; lanes that have failed before are passed over and yield 0 */
    uint failures;    /* how many statuses are set, kept up to date */
    uint cursor;      /* where the next result goes: words from the start of the arena */
    uint limit;       /* the end of the room there is */
    int overflow;     /* set when the room did not suffice: the chunk must be run again with fewer lanes */
    const uint *root; /* lane -> lane of the batch, whose budget it draws on; NULL for the identity */
    uint *spent;      /* words asked for so far, per lane of the batch */
    uint budget;
} launch;

/* In a build with AddressSanitizer a band behind what was handed out is poisoned, so that writing beyond it is found. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define GUARD_BYTES 256
static inline void guard_behind(const word *arena, uint at, uint words, uint limit) {
    uint room = limit - at - words;
    __asan_unpoison_memory_region(arena + at, (size_t)words * sizeof(word));
    __asan_poison_memory_region(arena + at + words,
                                room * sizeof(word) < GUARD_BYTES ? room * sizeof(word) : GUARD_BYTES);
}
#else
static inline void guard_behind(const word *arena, uint at, uint words, uint limit) {
    (void)arena;
    (void)at;
    (void)words;
    (void)limit;
}
#endif

static inline word lanes_argument(const launch *l, int a, uint n) {
    return l->column[a][l->map[a] ? l->map[a][n] : n & l->mask[a]];
}

static inline void lanes_fail(launch *l, uint n, int status) {
    l->status[n] = (uchar)status;
    l->failures++;
    l->out[n] = 0;
}

/* Makes room for `need` words for lane n; 0 if the lane or the launch cannot go on. */
static inline int lanes_reserve(launch *l, uint n, uint need) {
    if (need == 0) return 1;
    uint root = l->root ? l->root[n] : n;
    if (need > l->budget || l->spent[root] > l->budget - need) {
        l->spent[root] = l->budget;
        lanes_fail(l, n, LANE_BUDGET);
        return 0;
    }
    l->spent[root] += need;
    if (need > l->limit - l->cursor) {
        l->overflow = 1;
        return 0;
    }
    guard_behind(l->arena, l->cursor, need, l->limit);
    return 1;
}

/* The same text may be compiled more than once, for different processors. */
#ifdef ARCL_KERNELS_V3
#define HOST_KERNEL(name) host_v3_##name
#else
#define HOST_KERNEL(name) host_##name
#endif

#define LANES_BEGIN(name)                                                                                              \
    void HOST_KERNEL(name)(launch * l);                                                                                \
    void HOST_KERNEL(name)(launch * l) {                                                                               \
        lane k = {l->arena, l->imm, 0, 0};                                                                             \
        for (uint n = 0; n < l->count; n++) {                                                                          \
            if (l->failures && l->status[n]) {                                                                         \
                l->out[n] = 0;                                                                                         \
                continue;                                                                                              \
            }
#define LANES_END                                                                                                      \
    }                                                                                                                  \
    }

#define LANES_ATOM(call)                                                                                               \
    word result = call;                                                                                                \
    if (k.status) {                                                                                                    \
        lanes_fail(l, n, k.status);                                                                                    \
        k.status = 0;                                                                                                  \
    } else                                                                                                             \
        l->out[n] = result;

#define LANES_ALLOC(extent_call, write_call)                                                                           \
    uint need = extent_call;                                                                                           \
    word result = 0;                                                                                                   \
    if (!k.status) {                                                                                                   \
        if (!lanes_reserve(l, n, need)) {                                                                              \
            if (l->overflow) return;                                                                                   \
            continue;                                                                                                  \
        }                                                                                                              \
        uint at = l->cursor;                                                                                           \
        k.used = 0;                                                                                                    \
        result = write_call;                                                                                           \
    }                                                                                                                  \
    if (k.status) {                                                                                                    \
        lanes_fail(l, n, k.status);                                                                                    \
        k.status = 0;                                                                                                  \
    } else {                                                                                                           \
        l->cursor += k.used;                                                                                           \
        l->out[n] = result;                                                                                            \
    }

#define LANES_ARG(a, A) TYPE_##A arg##a = FROM_##A(&k, lanes_argument(l, a, n));

/* clang-format off */
#define ATOM1(name, A) \
    LANES_BEGIN(name) LANES_ARG(0, A) LANES_ATOM(name(&k, arg0)) LANES_END
#define ATOM2(name, A, B) \
    LANES_BEGIN(name) LANES_ARG(0, A) LANES_ARG(1, B) LANES_ATOM(name(&k, arg0, arg1)) LANES_END
#define ATOM3(name, A, B, C) \
    LANES_BEGIN(name) LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) \
    LANES_ATOM(name(&k, arg0, arg1, arg2)) LANES_END
#define ALLOC1(name, A) \
    LANES_BEGIN(name) LANES_ARG(0, A) \
    LANES_ALLOC(name##_extent(&k, arg0), name##_write(&k, arg0, at)) LANES_END
#define ALLOC2(name, A, B) \
    LANES_BEGIN(name) LANES_ARG(0, A) LANES_ARG(1, B) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1), name##_write(&k, arg0, arg1, at)) LANES_END
#define ALLOC3(name, A, B, C) \
    LANES_BEGIN(name) LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1, arg2), name##_write(&k, arg0, arg1, arg2, at)) LANES_END
#define ALLOC4(name, A, B, C, D) \
    LANES_BEGIN(name) LANES_ARG(0, A) LANES_ARG(1, B) LANES_ARG(2, C) LANES_ARG(3, D) \
    LANES_ALLOC(name##_extent(&k, arg0, arg1, arg2, arg3), name##_write(&k, arg0, arg1, arg2, arg3, at)) LANES_END
/* clang-format on */

#endif
