/* The state of one run of a program over one chunk of lanes. All of it is in the arena, by offset, so that it is the
 * same on every device and no device needs to be asked before the next step can start:
 *
 *   | run_frame | records | steps | scopes | scope states | accounts, statuses | shared columns | columns .. | free ..
 *
 * lib/program/image.c lays it out. A scope's columns, statuses and lane maps are taken in one piece when it is opened,
 * and only then is it known, on the device alone, how many lanes it has. Memory is handed out by one cursor and never
 * given back while the run lasts; when it does not suffice, `overflow` is set, every later launch does nothing, and the
 * chunk is to be run again with fewer lanes.
 */
#ifndef ARCL_FRAME_H
#define ARCL_FRAME_H
#include "program.h"

typedef struct {
    uint cursor, limit; /* of the free words */
    uint overflow;      /* they did not suffice; who reads it while it is being set may take either answer */
    uint more;          /* some lane of the loop that ran last has rounds left */
    uint shared_spent;  /* by the steps of scope 0, which are nobody's own; at the beginning of a word: cl/record.h */
    uint budget;        /* words that a lane of the batch may ask for; one that has asked for more has failed */
    uint lanes;         /* of the batch that this chunk has */
    uint interleaved;   /* whether there are many work-items, of which neighbours take neighbouring lanes */
    uint slab;          /* words that a work-item takes at once to hand them out to its lanes */
    /* offsets of what the frame consists of: */
    uint steps, scopes, states;
    uint spent;    /* words asked for, per lane of the batch */
    uint counters; /* a step_counter per step; 0: nobody counts */
    uint inputs;   /* the offsets of the inputs' columns, a uint each */
    uint carried;  /* where the statuses and accounts are that the part of the program before this has left; 0: none */
    uint programs, outputs; /* how many there are, and the offset of a program_output each */
    uint storage;           /* offset of a word per lane: where the storage of what leaves it will be */
    /* of a part of a program that is not the last, in place of the result: */
    uint is_part;
    uint outs, out; /* how many columns it leaves, and the offset of their steps, a uint each */
    uint out_base;  /* what the offset of the packed piece will be where it goes */
    /* of what leaves the run (cl/packed.h): */
    uint packed;       /* where it begins */
    uint packed_words; /* that it has so far: from the beginning, all but the storage */
    /* of one program with results of one type, which nearly all are: */
    uint is_sole;
    uint sole_column, sole_rows; /* the offset of the results' column, and one of enum record_rows (cl/record.h) */
    uint lane_status;            /* offset of the statuses of the batch's lanes, unless they are kept apart */
    ulong sole_type;
    uint scores;   /* offset of a lane_score per lane; 0: none are wanted */
    uint expected; /* offset of the column of the grids to compare with; 0: nothing is expected */
    /* of a graph that keeps failures apart (cl/apart.h): */
    uint apart;     /* whether it does: one of enum apart_policy */
    uint sets;      /* offset of the sets of programs, a ulong each: bit n is program n */
    uint set_count; /* how many */
    uint charges;   /* offset of the scopes' charges */
    uint marks;     /* offset of a uint per step: whether a lane of its column has failed */
    uint failed;    /* offset of a byte per program and lane, then one per program for all lanes: how it failed */
    uint verdicts;  /* offset of a byte per program and lane: the status, when all is done */
    uint mishaps;   /* offset of a uint per program and lane, then one per program for all lanes: how many ops failed */
    /* on the host, whose results need not lie in the arena: */
    uint leaves;     /* whether what is packed goes elsewhere */
    ulong leaves_to; /* the address, once its size is known */
} run_frame;

typedef struct {
    uint count;        /* of lanes */
    uint columns;      /* offset; both in one word: cl/record.h */
    uint status, maps; /* likewise */
    uint failures;     /* how many of the lanes have failed; kept apart: not counted */
    uint tally;        /* of the lanes that scope_count has counted; scope_fill makes them */
} scope_state;

/* What the launches of a step have done, where somebody wants to know. */
typedef struct {
    uint lanes, words, failures, unused;
} step_counter;

/* What a lane is worth, as it leaves the device, three words; arcl_score in lib/arcl.h explains the fields. */
typedef struct lane_score {
    ulong fingerprint;
    uint words;
    uint cells;
    uchar status, compared, same_shape, match, usable;
    uchar unused[3];
} lane_score;

#define WORDS_OF(type) ((uint)(sizeof(type) / sizeof(word)))

/* ---- what the two languages do differently ---- */

#ifdef OPENCL_TEXT
LANE uint bits_set(ulong v) { return (uint)popcount(v); }
LANE int highest_bit(ulong bits) { return 63 - (int)clz(bits); } /* of at least one */
LANE int lowest_bit(ulong bits) { return highest_bit(bits & (~bits + 1)); }
#else
LANE uint bits_set(ulong v) { return (uint)__builtin_popcountl(v); }
LANE int highest_bit(ulong bits) { return 63 - __builtin_clzl(bits); }
LANE int lowest_bit(ulong bits) { return __builtin_ctzl(bits); }
#endif

/* 64 bits of a bit set, from that one on; it may lie before bits[0]. */
LANE ulong bits_from(GLOBAL const ulong *bits, int first) {
    int shift = first & 63;
    GLOBAL const ulong *at = bits + (first >> 6);
    return (at[0] >> shift) | ((at[1] << 1) << (63 - shift));
}

#ifdef MANY_ITEMS
#ifdef ARCL_TEAM /* where a team does what else an item does */
#define ITEM ((uint)get_group_id(0))
#define ITEMS ((uint)get_num_groups(0))
#else
#define ITEM ((uint)get_global_id(0))
#define ITEMS ((uint)get_global_size(0))
#endif
LANE uint shared_read(GLOBAL uint *p) { return atomic_or((volatile GLOBAL uint *)p, 0); }
LANE void shared_set(GLOBAL uint *p, uint v) { atomic_xchg((volatile GLOBAL uint *)p, v); }
LANE uint shared_add(GLOBAL uint *p, uint v) { return atomic_add((volatile GLOBAL uint *)p, v); }
LANE int shared_swap(GLOBAL uint *p, uint old, uint v) {
    return atomic_cmpxchg((volatile GLOBAL uint *)p, old, v) == old;
}
#else
#define ITEM 0u
#define ITEMS 1u
LANE uint shared_read(GLOBAL const uint *p) { return *p; }
LANE void shared_set(GLOBAL uint *p, uint v) { *p = v; }
LANE uint shared_add(GLOBAL uint *p, uint v) {
    uint old = *p;
    *p += v;
    return old;
}
LANE int shared_swap(GLOBAL uint *p, uint old, uint v) {
    if (*p != old) return 0;
    *p = v;
    return 1;
}
#endif

/* In a build with AddressSanitizer a band behind what was handed out is poisoned, so that writing beyond it is
 * found. */
#if !defined(OPENCL_TEXT) && defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define GUARD_BYTES 256
LANE void guard_behind(const word *arena, uint at, uint words, uint limit) {
    uint room = limit - at - words;
    __asan_unpoison_memory_region(arena + at, (size_t)words * sizeof(word));
    __asan_poison_memory_region(arena + at + words,
                                room * sizeof(word) < GUARD_BYTES ? room * sizeof(word) : GUARD_BYTES);
}
#else
LANE void guard_behind(GLOBAL const word *arena, uint at, uint words, uint limit) {
    (void)arena, (void)at, (void)words, (void)limit;
}
#endif

/* ---- parts of the frame ---- */

LANE GLOBAL run_frame *frame_at(GLOBAL word *arena, uint at) { return (GLOBAL run_frame *)(arena + at); }
LANE GLOBAL const graph_step *step_at(GLOBAL word *arena, GLOBAL const run_frame *f, uint step) {
    return (GLOBAL const graph_step *)(arena + f->steps) + step;
}
LANE GLOBAL const graph_scope *scope_at(GLOBAL word *arena, GLOBAL const run_frame *f, uint scope) {
    return (GLOBAL const graph_scope *)(arena + f->scopes) + scope;
}
LANE GLOBAL scope_state *state_at(GLOBAL word *arena, GLOBAL const run_frame *f, uint scope) {
    return (GLOBAL scope_state *)(arena + f->states) + scope;
}
LANE GLOBAL word *column_at(GLOBAL word *arena, GLOBAL const scope_state *s, uint slot) {
    return arena + s->columns + slot * s->count;
}
LANE GLOBAL uchar *status_at(GLOBAL word *arena, GLOBAL const scope_state *s) {
    return (GLOBAL uchar *)(arena + s->status);
}

LANE uint status_words(uint count) { return count / 8 + 1; }
LANE uint map_words(uint count) { return count / 2 + 1; }

/* The map from a scope's lanes to those of the scope `level` levels above, which the layout has provided for. */
LANE uint maps_before(ulong maps, uint level) { return bits_set(maps & (((ulong)1 << (level - 1)) - 1)); }
LANE GLOBAL uint *map_at(GLOBAL word *arena, GLOBAL const graph_scope *scope, GLOBAL const scope_state *s, uint level) {
    return (GLOBAL uint *)(arena + s->maps + maps_before(scope->maps, level) * map_words(s->count));
}

/* The map from lanes to lanes of the batch; null in the scope of the batch itself and in the shared one. */
LANE GLOBAL uint *root_map_at(GLOBAL word *arena, GLOBAL const run_frame *f, uint scope) {
    GLOBAL const graph_scope *s = scope_at(arena, f, scope);
    return s->depth > 1 ? map_at(arena, s, state_at(arena, f, scope), s->depth - 1) : 0;
}

/* ---- views: a column as the lanes of some scope see it ---- */

typedef struct {
    GLOBAL const word *column; /* the value in lane n is column[row of n] */
    GLOBAL const uint *map;    /* row of lane n is map[n], or */
    uint mask;                 /* n & mask where there is no map: all ones, or zero for a value shared by all lanes */
} view;

LANE view view_of(GLOBAL word *arena, GLOBAL const run_frame *f, uint scope, uint step) {
    GLOBAL const graph_step *s = step_at(arena, f, step);
    view v = {0, 0, ~0u};
    if (s->kind == STEP_CONST)
        v.column = (GLOBAL const word *)&s->imm;
    else if (s->kind == STEP_INPUT)
        v.column = arena + ((GLOBAL const uint *)(arena + f->inputs))[s->imm];
    else
        v.column = column_at(arena, state_at(arena, f, s->scope), s->slot);
    if (s->scope == SCOPE_SHARED)
        v.mask = 0;
    else if (s->scope != scope) {
        GLOBAL const graph_scope *from = scope_at(arena, f, scope);
        v.map = map_at(arena, from, state_at(arena, f, scope), from->depth - scope_at(arena, f, s->scope)->depth);
    }
    return v;
}

LANE word view_at(view v, uint n) { return v.column[v.map ? v.map[n] : n & v.mask]; }

/* A field of the frame, asked for where that is written: a compiler would put it off until it is needed, and then such
 * fields would be waited for one after the other. */
#ifdef MANY_ITEMS
LANE uint soon(GLOBAL const uint *p) { return *(volatile GLOBAL const uint *)p; }
#else
LANE uint soon(GLOBAL const uint *p) { return *p; }
#endif

/* ---- memory and budgets ---- */

/* Up to so many words are added to the cursor without looking: no number of work-items that any device runs at once can
 * make it wrap around. */
#define SMALL_CLAIM (1u << 14)

/* Takes at least `need` words, and up to `wanted`; 0 and overflow if there are not so many. */
LANE int frame_claim(GLOBAL run_frame *f, uint need, uint wanted, uint *at, uint *end) {
    if (wanted <= need && need <= SMALL_CLAIM) {
        uint from = shared_read(&f->cursor);
        if (from <= f->limit) from = shared_add(&f->cursor, need);
        if (from <= f->limit && need <= f->limit - from) {
            *at = from;
            *end = from + need;
            return 1;
        }
        shared_set(&f->overflow, 1);
        return 0;
    }
    for (;;) {
        uint from = shared_read(&f->cursor), room = from < f->limit ? f->limit - from : 0;
        uint take = wanted > need ? wanted : need;
        if (need > room) {
            shared_set(&f->overflow, 1);
            return 0;
        }
        if (take > room) take = room;
        if (shared_swap(&f->cursor, from, from + take)) {
            *at = from;
            *end = from + take;
            return 1;
        }
    }
}

/* The next `count` of what a tally counts, of which there may be `most`. Work-items take theirs in any order. Who goes
 * beyond that notices, even if others have made the tally wrap around since: 0 and overflow. */
LANE int tally_take(GLOBAL run_frame *f, GLOBAL uint *tally, ulong count, uint most, uint *at) {
    uint old = count <= most ? shared_add(tally, (uint)count) : 0;
    *at = old;
    if (count <= most && old <= most && count <= most - old) return 1;
    shared_set(&f->overflow, 1);
    return 0;
}

/* A work-item's account with the budgets of the batch's lanes. A budget is used up when `spent` is more than it. */
#ifdef MANY_ITEMS
/* Lanes of one scope that have the same lane of the batch are neighbours, and other work-items may have some of them:
 * what they ask for is added up here and booked in one piece when the next one's turn comes. Two work-items may notice
 * that a budget is used up only after both have gone on for a while, which pack.cl sees to. */
typedef struct {
    GLOBAL uint *spent; /* per lane of the batch */
    uint budget;
    uint payer; /* lane of the batch whose turn it is */
    uint room;  /* that it had left at the beginning */
    uint asked; /* since then; more than `room` if that did not suffice */
} account;

LANE account account_start(GLOBAL uint *spent, uint budget) {
    account a = {spent, budget, ~0u, 0, 0};
    return a;
}

LANE void account_book(account *a) {
    if (!a->asked) return;
    for (;;) {
        uint old = shared_read(&a->spent[a->payer]);
        int enough = old <= a->budget && a->asked <= a->budget - old;
        if (shared_swap(&a->spent[a->payer], old, enough ? old + a->asked : a->budget + 1)) break;
    }
    a->asked = 0;
}

/* Asks for words on behalf of a lane of the batch; 0 if its budget is used up. */
LANE int account_ask(account *a, uint payer, ulong words) {
    if (payer != a->payer) {
        account_book(a);
        uint spent = shared_read(&a->spent[payer]);
        a->payer = payer;
        a->room = spent <= a->budget ? a->budget - spent : 0;
    }
    if (a->asked > a->room || words > a->room - a->asked) {
        a->asked = a->budget + 1;
        return 0;
    }
    a->asked += (uint)words;
    return 1;
}
#else
/* What is asked for is booked at once. */
typedef struct {
    GLOBAL uint *spent; /* per lane of the batch */
    uint budget;
} account;

LANE account account_start(GLOBAL uint *spent, uint budget) {
    account a = {spent, budget};
    return a;
}
LANE void account_book(const account *a) { (void)a; }
LANE int account_ask(const account *a, uint payer, ulong words) {
    uint spent = a->spent[payer];
    int enough = spent <= a->budget && words <= a->budget - spent;
    a->spent[payer] = enough ? spent + (uint)words : a->budget + 1;
    return enough;
}
#endif

#ifdef MANY_ITEMS
/* Whether an account has the few words that have been booked on it at once; it had spent `old` before. What is too much
 * is given back, so that the account does not go beyond what says that its budget is used up. */
LANE int charge_stands(GLOBAL uint *spent, uint budget, uint old, uint words) {
    if (old <= budget && words <= budget - old) return 1;
    shared_add(spent, 0u - words);
    atomic_max((volatile GLOBAL uint *)spent, budget + 1);
    return 0;
}
#endif

/* Whether the run is over when a budget is used up: there is one lane, and all steps are on one account. */
LANE int ends_with_budget(GLOBAL const run_frame *f) { return f->lanes == 1 && f->set_count <= 1; }

/* Whether there is nothing left to do in a scope: the chunk is to be run again with fewer lanes, or its only lane has
 * used up its budget, so that whatever else happens in it does not count. What happens in scope 0 does, in every lane
 * alike. Like `overflow`, it may be answered either way while it is being decided. */
LANE int is_over(GLOBAL word *arena, GLOBAL const run_frame *f, uint scope) {
#ifdef ARCL_TEAM /* where asking takes longer than doing what does not count */
    return f->overflow != 0;
#endif
    return f->overflow ||
           (ends_with_budget(f) && scope != SCOPE_SHARED && shared_read((GLOBAL uint *)(arena + f->spent)) > f->budget);
}

/* ---- work-items and their lanes ---- */

typedef struct {
    uint first, last, stride;
} lane_range;

LANE lane_range lanes_of_item(uint count) {
    lane_range r = {ITEM, count, ITEMS};
    return r;
}

LANE void frame_count(GLOBAL word *arena, GLOBAL const run_frame *f, uint step, uint lanes, uint words, uint failures) {
    if (!f->counters) return;
    GLOBAL step_counter *c = (GLOBAL step_counter *)(arena + f->counters) + step;
    shared_add(&c->lanes, lanes);
    shared_add(&c->words, words);
    shared_add(&c->failures, failures);
}

#endif
