/* Rank 0's memory, in words of 64 bits: the state, then the slots of each queue, which are used once. A slot is two
 * words: of its units the first, and below it how many, 0 before it is filled; and the units that were run before, and
 * below that the nanoseconds they took. A queue has the first words of all its slots, then the second. Of a queue,
 * slots before `taken` are some rank's, those before `given` are filled or being filled. */
#include "mpi/rank_queue.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/options.h"

enum { FINISHED, IDLE, COSTS, COST_SUM, QUEUES, STATE_WORDS = QUEUES + 2 * RANK_QUEUES };
enum { SLOTS = 1 << 16, LENGTH_BITS = 24, TIME_BITS = 40 };
enum { OWNER = 0 };
#define COST_UNIT 1024.0 /* of a doubling, in sums of logarithms */

struct rank_queue {
    MPI_Win window;
    uint64_t *words; /* rank 0 has them */
    int is_idle;
    int64_t reserved[RANK_QUEUES]; /* slots that nobody else takes; -1: none */
    uint64_t costs, cost_sum;      /* that the others have not been told of */
    uint64_t state[STATE_WORDS];
};

void rank_given_add(rank_given_list *list, rank_block block, int queue) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->list = allocation_resize(list->list, list->room, sizeof *list->list);
    }
    list->list[list->count++] = (rank_given){block, queue};
}

/* Some of Open MPI's ways to do one-sided operations refuse networks that they are chosen for. */
static void allocate(rank_queue *q, int rank, size_t words) {
    int size = (int)sizeof *q->words, failed;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int is_bad = MPI_Win_allocate((MPI_Aint)words * size, size, MPI_INFO_NULL, MPI_COMM_WORLD, &q->words, &q->window) !=
                 MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Allreduce(&is_bad, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!failed) return;
    if (rank == OWNER)
        message_error("MPI has no memory here that all ranks can change; with Open MPI, OMPI_MCA_osc=pt2pt in the "
                      "environment, or mpirun --mca osc pt2pt, makes it do without what it has tried");
    MPI_Abort(MPI_COMM_WORLD, CLI_BAD);
    _Exit(CLI_BAD);
}

rank_queue *rank_queue_open(int is_finished) {
    int rank;
    rank_queue *q = allocation_get(1, sizeof *q);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    size_t words = rank == OWNER ? STATE_WORDS + (size_t)RANK_QUEUES * SLOTS * 2 : 0;
    allocate(q, rank, words);
    for (size_t i = 0; i < words; i++) q->words[i] = 0;
    if (rank == OWNER) q->words[FINISHED] = (uint64_t)is_finished;
    for (int i = 0; i < RANK_QUEUES; i++) q->reserved[i] = -1;
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

static int given_word(int queue) { return QUEUES + 2 * queue; }
static int taken_word(int queue) { return QUEUES + 2 * queue + 1; }
static int slot_units(int queue, uint64_t slot) { return STATE_WORDS + 2 * queue * SLOTS + (int)slot; }
static int slot_known(int queue, uint64_t slot) { return slot_units(queue, slot) + SLOTS; }

static uint64_t add(const rank_queue *q, int word, uint64_t more) {
    uint64_t before;
    MPI_Fetch_and_op(&more, &before, MPI_UINT64_T, OWNER, word, MPI_SUM, q->window);
    MPI_Win_flush(OWNER, q->window);
    return before;
}

static uint64_t look_at(const rank_queue *q, int word) {
    uint64_t value, none = 0;
    MPI_Fetch_and_op(&none, &value, MPI_UINT64_T, OWNER, word, MPI_NO_OP, q->window);
    MPI_Win_flush(OWNER, q->window);
    return value;
}

static void put(const rank_queue *q, int word, const uint64_t *values, int count) {
    if (count) MPI_Accumulate(values, count, MPI_UINT64_T, OWNER, word, count, MPI_UINT64_T, MPI_REPLACE, q->window);
    MPI_Win_flush(OWNER, q->window);
}

void rank_queue_look(rank_queue *q) {
    if (q->costs) add(q, COST_SUM, q->cost_sum);
    if (q->costs) add(q, COSTS, q->costs);
    q->costs = q->cost_sum = 0;
    uint64_t none[STATE_WORDS] = {0};
    MPI_Get_accumulate(none, STATE_WORDS, MPI_UINT64_T, q->state, STATE_WORDS, MPI_UINT64_T, OWNER, 0, STATE_WORDS,
                       MPI_UINT64_T, MPI_NO_OP, q->window);
    MPI_Win_flush(OWNER, q->window);
}

/* ---- taking and giving ---- */

static uint64_t units_word(const rank_block *b) {
    return b->units.first << LENGTH_BITS | (b->units.end - b->units.first);
}

static uint64_t known_word(const rank_block *b) {
    uint64_t most = (UINT64_C(1) << TIME_BITS) - 1, time = b->seconds < 1000 ? (uint64_t)(b->seconds * 1e9) : most;
    return b->tried << TIME_BITS | time;
}

/* Its giver has said that there will be something, and is about to write it. */
static rank_block wait_for_slot(const rank_queue *q, int queue, uint64_t slot) {
    uint64_t value;
    do value = look_at(q, slot_units(queue, slot));
    while (!value);
    uint64_t known = look_at(q, slot_known(queue, slot)), first = value >> LENGTH_BITS;
    return (rank_block){.units = {first, first + (value & ((1u << LENGTH_BITS) - 1))},
                        .tried = known >> TIME_BITS,
                        .seconds = (double)(known & ((UINT64_C(1) << TIME_BITS) - 1)) * 1e-9};
}

/* Reserves the next slot of a queue, or has one already. Two may go for the last one that is given: who is late has a
 * slot that somebody will fill later. (Comparing and swapping would not need that, but fails in Open MPI 4.1 between
 * processes that read each other's memory.) */
static void reserve(rank_queue *q, int i) {
    if (q->reserved[i] < 0 && q->state[given_word(i)] > q->state[taken_word(i)])
        q->reserved[i] = (int64_t)add(q, taken_word(i), 1);
}

int rank_queue_take(rank_queue *q, int queues, rank_given *given) {
    for (int i = 0; i < RANK_QUEUES; i++) {
        if (i < queues) reserve(q, i);
        if (q->reserved[i] < 0 || q->reserved[i] >= SLOTS || (uint64_t)q->reserved[i] >= q->state[given_word(i)])
            continue;
        *given = (rank_given){wait_for_slot(q, i, (uint64_t)q->reserved[i]), i};
        q->reserved[i] = -1;
        return 1;
    }
    return 0;
}

/* Whether a slot cannot say it. */
static int is_too_large(const rank_block *b) { return (b->units.end - b->units.first) >> LENGTH_BITS != 0; }

static int can_go(const rank_given *g, int queue) { return g->queue == queue && !is_too_large(&g->block); }

/* Gives what is for one queue: three waits, however much it is. */
static void give_to(rank_queue *q, int queue, rank_given_list *list) {
    uint64_t count = 0, first;
    for (size_t i = 0; i < list->count; i++) count += (uint64_t)can_go(&list->list[i], queue);
    if (!count) return;
    first = add(q, given_word(queue), count);
    count = first >= SLOTS ? 0 : first + count > SLOTS ? SLOTS - first : count;
    uint64_t *units = allocation_get(2 * count + 1, sizeof *units), *known = units + count;
    for (size_t i = 0, slot = 0; i < list->count && slot < count; i++) {
        rank_given *g = &list->list[i];
        if (!can_go(g, queue)) continue;
        units[slot] = units_word(&g->block);
        known[slot++] = known_word(&g->block);
        g->block.units.end = g->block.units.first;
    }
    put(q, slot_known(queue, first), known, (int)count);
    put(q, slot_units(queue, first), units, (int)count); /* last: then the slots are filled */
    free(units);
}

void rank_queue_give(rank_queue *q, rank_given_list *list) {
    size_t left = 0;
    for (int queue = 0; queue < RANK_QUEUES; queue++) give_to(q, queue, list);
    for (size_t i = 0; i < list->count; i++)
        if (list->list[i].block.units.first < list->list[i].block.units.end) list->list[left++] = list->list[i];
    list->count = left;
}

/* ---- what all should know ---- */

void rank_queue_set_idle(rank_queue *q, int is_idle) {
    if (q->is_idle != is_idle) add(q, IDLE, is_idle ? 1 : (uint64_t)-1);
    q->is_idle = is_idle;
}

int rank_queue_idle(const rank_queue *q) { return (int)q->state[IDLE] - q->is_idle; }

void rank_queue_note_cost(rank_queue *q, double seconds) {
    q->cost_sum += (uint64_t)(log2(seconds < 1e-9 ? 1 : seconds * 1e9) * COST_UNIT);
    q->costs++;
}

double rank_queue_usual_cost(const rank_queue *q) {
    if (!q->state[COSTS]) return 0;
    return exp2((double)q->state[COST_SUM] / (double)q->state[COSTS] / COST_UNIT) * 1e-9;
}

void rank_queue_finish(rank_queue *q) { put(q, FINISHED, &(uint64_t){1}, 1); }

int rank_queue_is_finished(const rank_queue *q) { return q->state[FINISHED] != 0; }
