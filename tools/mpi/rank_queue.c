/* Rank 0's memory, in words of 64 bits:
 *   PLANNED  portions of the plan that were taken
 *   TAKEN    slots that are some rank's: it will run what is put there
 *   GIVEN    slots that are filled, or being filled
 *   FINISHED
 *   and the slots: the first unit, and below it how many; 0 before it is filled
 * A rank whose slot is not filled yet takes planned portions meanwhile. */
#include "mpi/rank_queue.h"

#include <mpi.h>
#include <stdlib.h>

#include "cli/allocation.h"

enum { PLANNED, TAKEN, GIVEN, FINISHED, STATE_WORDS };
enum { SLOTS = 1 << 16, LENGTH_BITS = 24 };
enum { OWNER = 0 };

struct rank_queue {
    const portion_list *plan;
    MPI_Win window;
    uint64_t *words; /* rank 0 has them */
    int is_planned;  /* there are planned portions left, for all that is known */
    int64_t slot;    /* that is this rank's; -1: none */
    uint64_t state[STATE_WORDS];
};

rank_queue *rank_queue_open(const portion_list *plan, int is_finished) {
    int rank;
    rank_queue *q = allocation_get(1, sizeof *q);
    *q = (rank_queue){.plan = plan, .is_planned = 1, .slot = -1};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Aint size = rank == OWNER ? (MPI_Aint)((STATE_WORDS + SLOTS) * sizeof *q->words) : 0;
    MPI_Win_allocate(size, sizeof *q->words, MPI_INFO_NULL, MPI_COMM_WORLD, &q->words, &q->window);
    if (rank == OWNER) {
        for (int i = 0; i < STATE_WORDS + SLOTS; i++) q->words[i] = 0;
        q->words[FINISHED] = (uint64_t)is_finished;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, q->window);
    return q;
}

void rank_queue_close(rank_queue *q) {
    MPI_Win_unlock_all(q->window);
    MPI_Win_free(&q->window);
    free(q);
}

/* ---- words ---- */

static uint64_t add(const rank_queue *q, int word, uint64_t more) {
    uint64_t before;
    MPI_Fetch_and_op(&more, &before, MPI_UINT64_T, OWNER, word, MPI_SUM, q->window);
    MPI_Win_flush(OWNER, q->window);
    return before;
}

static uint64_t look(const rank_queue *q, int word) {
    uint64_t value, none = 0;
    MPI_Fetch_and_op(&none, &value, MPI_UINT64_T, OWNER, word, MPI_NO_OP, q->window);
    MPI_Win_flush(OWNER, q->window);
    return value;
}

static void put(const rank_queue *q, int word, uint64_t value) {
    MPI_Accumulate(&value, 1, MPI_UINT64_T, OWNER, word, 1, MPI_UINT64_T, MPI_REPLACE, q->window);
    MPI_Win_flush(OWNER, q->window);
}

/* ---- taking and giving ---- */

static int take_slot(rank_queue *q, portion *units) {
    uint64_t value = look(q, STATE_WORDS + (int)q->slot);
    if (!value) return 0;
    units->first = value >> LENGTH_BITS;
    units->end = units->first + (value & ((1u << LENGTH_BITS) - 1));
    q->slot = -1;
    return 1;
}

static int take_planned(rank_queue *q, portion *units) {
    uint64_t number = add(q, PLANNED, 1);
    q->is_planned = number < q->plan->count;
    if (q->is_planned) *units = q->plan->list[number];
    return q->is_planned;
}

int rank_queue_take(rank_queue *q, portion *units) {
    uint64_t none[STATE_WORDS] = {0};
    MPI_Get_accumulate(none, STATE_WORDS, MPI_UINT64_T, q->state, STATE_WORDS, MPI_UINT64_T, OWNER, 0, STATE_WORDS,
                       MPI_UINT64_T, MPI_NO_OP, q->window);
    MPI_Win_flush(OWNER, q->window);
    if (q->state[FINISHED]) return 0;
    int is_given = q->state[GIVEN] > q->state[TAKEN];
    if (q->slot < 0 && q->state[TAKEN] < SLOTS && (is_given || !q->is_planned)) q->slot = (int64_t)add(q, TAKEN, 1);
    if (q->slot >= 0 && q->slot < SLOTS && take_slot(q, units)) return 1;
    return q->is_planned && take_planned(q, units);
}

int rank_queue_give(rank_queue *q, const portion_list *portions) {
    if (q->state[GIVEN] + portions->count > SLOTS / 2) return 0; /* as of a while ago: half of them are for surprises */
    for (size_t i = 0; i < portions->count; i++)
        if ((portions->list[i].end - portions->list[i].first) >> LENGTH_BITS) return 0;
    uint64_t first = add(q, GIVEN, portions->count);
    for (size_t i = 0; i < portions->count; i++) {
        portion p = portions->list[i];
        put(q, STATE_WORDS + (int)(first + i), p.first << LENGTH_BITS | (p.end - p.first));
    }
    return 1;
}

void rank_queue_finish(rank_queue *q) { put(q, FINISHED, 1); }

int rank_queue_is_finished(const rank_queue *q) { return q->state[FINISHED] != 0; }
