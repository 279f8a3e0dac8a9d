#include "mpi/rank_loop.h"

#include <stdlib.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/stopwatch.h"
#include "mpi/rank_blocks.h"

#define LOOK_AFTER 0.001 /* seconds, between two looks at what others do */
#define SEND_AFTER 0.01  /* seconds, at least, between two messages of records */
enum { OTHERS = 16 };    /* that one rank shares what it has with, at most, at a time */

typedef struct loop {
    rank_records *records;
    const portion_job *job;
    rank_queue *queue;
    rank_blocks blocks;
    rank_given_list giving;
    double begun, looked;
} loop;

/* How long a piece should take: little in the beginning, when the whole job may be short; and little when others have
 * nothing to do. */
static double patience(const loop *l) {
    const double least = 0.0025, most = 0.2, part = 0.02;
    double seconds = part * (stopwatch_now() - l->begun);
    if (rank_queue_idle(l->queue) || seconds < least) return least;
    return seconds < most ? seconds : most;
}

/* Who says how large records are wants to see them. */
static double send_after(const loop *l, int has_own) {
    if (l->blocks.most) return 0;
    if (!has_own) return SEND_AFTER / 2;
    return patience(l) > SEND_AFTER ? patience(l) : SEND_AFTER;
}

/* Runs units and adds them to a record. Returns the seconds that it took; negative if it was interrupted. */
static double run_piece(loop *l, portion units, byte_list *record) {
    double start = stopwatch_now();
    int status = l->job->run(l->job->self, units, record);
    if (status && !interrupt_has_come()) rank_records_give_up(l->records, status);
    return interrupt_has_come() ? -1 : stopwatch_now() - start;
}

/* What there is no room for stays this rank's. */
static void give(loop *l) {
    rank_queue_give(l->queue, &l->giving);
    for (size_t i = 0; i < l->giving.count; i++) rank_blocks_put(&l->blocks, l->giving.list[i].block);
    l->giving.count = 0;
}

static int give_if_long(loop *l, const rank_block *block) {
    if (!rank_block_is_long(&l->blocks, block, rank_queue_usual_cost(l->queue))) return 0;
    rank_block_divide(&l->blocks, block, &l->giving);
    give(l);
    return 1;
}

static void run_own(loop *l) {
    rank_block block = rank_blocks_take(&l->blocks);
    int is_first = !block.tried;
    if (give_if_long(l, &block)) return;
    portion units = {block.units.first, block.units.first + rank_block_piece(&l->blocks, &block, patience(l))};
    double seconds = run_piece(l, units, rank_record_begin(l->records));
    if (seconds < 0) {
        rank_record_forget(l->records);
        return;
    }
    rank_record_end(l->records, units, seconds);
    if (is_first) rank_queue_note_cost(l->queue, seconds / (double)(units.end - units.first));
    rank_block_took(&block, units.end - units.first, seconds);
    if (!give_if_long(l, &block)) rank_blocks_put(&l->blocks, block);
}

/* What was given because it takes long: in pieces, into one record. After one that takes much longer than expected, the
 * rest is given back. */
static void run_taken(loop *l, portion units) {
    rank_block block = {.units = units};
    byte_list *record = rank_record_begin(l->records);
    double spent = 0;
    while (block.units.first < block.units.end) {
        uint64_t next = rank_block_long_piece(&l->blocks, &block, patience(l) / 2);
        double seconds = run_piece(l, (portion){block.units.first, block.units.first + next}, record);
        if (seconds < 0) {
            rank_record_forget(l->records);
            return;
        }
        spent += seconds;
        rank_block_took(&block, next, seconds);
        if (seconds <= patience(l)) continue;
        rank_block_scatter(&l->blocks, &block, &l->giving);
        break;
    }
    rank_record_end(l->records, (portion){units.first, block.units.first}, spent);
    give(l);
}

/* Sees what others do. Returns whether that has led to something. */
static int look_around(loop *l, int has_own) {
    rank_given given;
    rank_queue_look(l->queue);
    l->looked = stopwatch_now();
    if (rank_queue_is_finished(l->queue)) return 0;
    if (rank_queue_take(l->queue, has_own ? rank_blocks_queues_before(&l->blocks) : RANK_QUEUES, &given)) {
        rank_queue_set_idle(l->queue, 0);
        if (!rank_queue_is_long(given.queue)) {
            rank_blocks_put(&l->blocks, given.block);
            return 1;
        }
        /* for nobody to wait while this rank is at something long */
        rank_blocks_give_all(&l->blocks, rank_queue_usual_cost(l->queue), &l->giving);
        give(l);
        run_taken(l, given.block.units);
        return 1;
    }
    int others = rank_queue_idle(l->queue);
    if (has_own && others > 0) {
        rank_blocks_share(&l->blocks, others < OTHERS ? others : OTHERS, &l->giving);
        give(l);
    }
    return 0;
}

/* The longer there is nothing, the less often it asks. */
static void wait_a_little(int times) {
    nanosleep(&(struct timespec){.tv_nsec = times < 20 ? 50000L * times : 1000000L}, NULL);
}

static void run_all(loop *l) {
    int times = 0;
    while (!rank_queue_is_finished(l->queue)) {
        double start = stopwatch_now();
        int has_own = rank_blocks_are_left(&l->blocks);
        int came = rank_records_move(l->records, send_after(l, has_own));
        int should_look = !rank_blocks_try(&l->blocks) && (!has_own || start - l->looked >= LOOK_AFTER);
        if (should_look && look_around(l, has_own)) {
            times = 0;
            continue;
        }
        if (rank_blocks_are_left(&l->blocks)) {
            run_own(l);
            times = 0;
        } else if (!came && !has_own) {
            rank_queue_set_idle(l->queue, 1);
            wait_a_little(++times);
            l->records->work.waiting += stopwatch_now() - start;
        }
        rank_records_look_for_signals(l->records);
    }
}

/* This rank's part of the units, from the end: what is added last comes first. Parts are equal, but for what makes each
 * begin with a program, if there are enough of them: nobody tries a program on what it takes longest for. */
static void take_share(loop *l, const portion_list *work, uint64_t rank, uint64_t count) {
    uint64_t all = 0, size = l->job->each;
    for (size_t i = 0; i < work->count; i++) all += work->list[i].end - work->list[i].first;
    if (all / size < count) size = 1;
    uint64_t first = all / size * rank / count * size, end = all / size * (rank + 1) / count * size, before = all;
    if (rank + 1 == count) end = all;
    for (size_t i = work->count; i-- > 0;) {
        portion units = work->list[i];
        before -= units.end - units.first; /* units before these */
        uint64_t from = first > before ? first - before : 0, to = end > before ? end - before : 0;
        if (to > units.end - units.first) to = units.end - units.first;
        if (from < to) rank_blocks_add(&l->blocks, (portion){units.first + from, units.first + to});
    }
}

void rank_loop_run(rank_records *records, const portion_list *work, uint64_t most) {
    loop l = {.records = records,
              .job = records->job,
              .queue = records->queue,
              .blocks = {.job = records->job, .most = most},
              .begun = stopwatch_now()};
    take_share(&l, work, (uint64_t)records->rank, (uint64_t)records->count);
    rank_queue_look(l.queue);
    run_all(&l);
    rank_blocks_free(&l.blocks);
    free(l.giving.list);
}

void rank_loop_run_alone(rank_records *records, const portion_list *work, uint64_t most) {
    loop l = {.records = records, .job = records->job};
    portion_list plan = portion_plan(records->job, most, work);
    for (size_t i = 0; i < plan.count; i++) {
        double seconds = run_piece(&l, plan.list[i], rank_record_begin(records));
        rank_records_look_for_signals(records);
        rank_record_end(records, plan.list[i], seconds);
        rank_records_move(records, 0);
    }
    portion_list_free(&plan);
}
