#define _GNU_SOURCE
#include "mpi/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/stopwatch.h"
#include "mpi/rank_pace.h"
#include "mpi/rank_queue.h"
#include "mpi/rank_report.h"
#include "portions/portions_here.h"

enum { WRITER = 0 };
enum { TAG_RECORD = 1, TAG_DONE = 2 };
enum { SENDS = 4 }; /* records of a rank that are on their way; it waits before it makes one more */

struct ranks {
    int rank, count;
    char speaker[32];
};

/* A record on its way: its head, then the bytes of the record. */
typedef struct message_head {
    uint64_t first, end, nanoseconds;
} message_head;

typedef struct outgoing {
    byte_list bytes;
    MPI_Request request;
} outgoing;

typedef struct running {
    const ranks *all;
    const portion_job *job;
    const cli_options *options;
    rank_queue *queue;
    double begun;
    outgoing sends[SENDS];
    int send;
    rank_work work;
    /* rank 0: */
    record_journal journal;
    byte_list incoming; /* that is being received, while the request is there */
    MPI_Request receiving;
    MPI_Status received; /* what it is */
    rank_row_list rows;
    int done;      /* ranks that have nothing more to send */
    uint64_t left; /* units whose records have not come */
} running;

/* ---- beginning and ending ---- */

static int cores_here(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

/* What mpirun has bound the rank to, which may be all. */
static int cores_allowed(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : cores_here();
}

static int share_of_cores(void) {
    MPI_Comm node;
    int ranks_here = 1, allowed = cores_allowed();
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks_here);
    MPI_Comm_free(&node);
    int share = cores_here() / ranks_here;
    if (share < 1) share = 1;
    return share < allowed ? share : allowed;
}

int ranks_begin(ranks **all, int *argc, char ***argv, cli_options *options) {
    int provided;
    interrupt_hold(); /* threads of MPI's are not to be interrupted */
    int failed = MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS;
    interrupt_release();
    if (failed) {
        message_error("MPI cannot be begun");
        return -1;
    }
    *all = allocation_get(1, sizeof **all);
    MPI_Comm_rank(MPI_COMM_WORLD, &(*all)->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &(*all)->count);
    if ((*all)->rank != WRITER) {
        snprintf((*all)->speaker, sizeof(*all)->speaker, "arcl rank %d", (*all)->rank);
        message_set_speaker((*all)->speaker);
        message_set_quiet(1);
    }
    int share = share_of_cores();
    if (!options->threads) options->threads = (uint64_t)share;
    return 0;
}

static int agree(void *self, int status) {
    (void)self;
    int worst;
    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

int ranks_end(ranks *all, int status) {
    status = agree(all, status);
    MPI_Finalize();
    free(all);
    return status;
}

/* In pieces, because a count of MPI's is an int. */
static void share(void *self, byte_list *bytes) {
    const ranks *all = self;
    uint64_t length = bytes->length;
    MPI_Bcast(&length, 1, MPI_UINT64_T, WRITER, MPI_COMM_WORLD);
    if (all->rank != WRITER) {
        bytes_free(bytes);
        bytes->bytes = allocation_get((size_t)length + 1, 1);
        bytes->length = bytes->room = (size_t)length;
    }
    for (uint64_t at = 0, piece; at < length; at += piece) {
        piece = length - at < INT_MAX / 2 ? length - at : INT_MAX / 2;
        MPI_Bcast(bytes->bytes + at, (int)piece, MPI_BYTE, WRITER, MPI_COMM_WORLD);
    }
}

/* Ends the job in all ranks: something has failed in this one. */
static _Noreturn void give_up(running *r, int status) {
    if (r->all->rank == WRITER) {
        record_journal_tell(&r->journal, r->job);
        record_journal_close(&r->journal);
    }
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, status);
    _Exit(status);
}

/* ---- records ---- */

static int receive_all(running *r);

static void keep_record(running *r, portion units, uint64_t nanoseconds, const unsigned char *record, size_t length) {
    if (record_journal_add(&r->journal, units, nanoseconds, record, length)) give_up(r, CLI_BAD);
    message_progress(r->job->what, r->journal.done, r->job->units);
    r->left -= units.end - units.first;
    if (r->left == 0) rank_queue_finish(r->queue);
}

/* Sends it on, when one that was sent before has arrived. */
static void send_record(running *r, int tag) {
    outgoing *o = &r->sends[r->send];
    r->send = (r->send + 1) % SENDS;
    r->work.bytes_sent += o->bytes.length;
    MPI_Isend(o->bytes.bytes, (int)o->bytes.length, MPI_BYTE, WRITER, tag, MPI_COMM_WORLD, &o->request);
}

/* Large records leave only while this rank is in MPI, and reading the queue need not count as that. */
static void let_records_go(running *r) {
    for (int i = 0; i < SENDS; i++) {
        int is_sent;
        MPI_Test(&r->sends[i].request, &is_sent, MPI_STATUS_IGNORE);
    }
}

static byte_list *next_record(running *r) {
    outgoing *o = &r->sends[r->send];
    double start = stopwatch_now();
    MPI_Wait(&o->request, MPI_STATUS_IGNORE);
    r->work.waiting += stopwatch_now() - start;
    o->bytes.length = 0;
    return &o->bytes;
}

/* Runs units and adds them to the record of a portion. */
static void run_piece(running *r, portion units, byte_list *record) {
    int status = r->job->run(r->job->self, units, record);
    if (status && !interrupt_has_come()) give_up(r, status);
}

/* How long a portion may take before what is left of it is given to others: little in the beginning, when the whole job
 * may be short. */
static double patience(const running *r) {
    double share = 0.03 * (stopwatch_now() - r->begun);
    return share < 0.005 ? 0.005 : share > 0.2 ? 0.2 : share;
}

/* Runs as much of a portion as it has patience for, piece by piece, since nobody knows what a program costs before it
 * has run. Returns where it ended. */
static uint64_t run_pieces(running *r, portion units, double start, byte_list *record) {
    rank_pace pace = rank_pace_start(r->job);
    while (units.first < units.end && !interrupt_has_come()) {
        uint64_t end = rank_pace_next(&pace, units, patience(r) / 2);
        double before = stopwatch_now();
        run_piece(r, (portion){units.first, end}, record);
        rank_pace_took(&pace, (portion){units.first, end}, stopwatch_now() - before);
        units.first = end;
        let_records_go(r);
        if (r->all->rank == WRITER) receive_all(r);
        if (units.first == units.end || stopwatch_now() - start < patience(r)) continue;
        portion_list rest = rank_pace_divide(&pace, units, patience(r) / 2, r->all->count);
        int given = rank_queue_give(r->queue, &rest);
        portion_list_free(&rest);
        if (given) break;
    }
    return units.first;
}

static void run_portion(running *r, portion units) {
    message_head head = {units.first, units.end, 0};
    byte_list *record = next_record(r);
    double start = stopwatch_now();
    bytes_put(record, &head, sizeof head);
    if (r->all->count == 1)
        run_piece(r, units, record);
    else
        head.end = run_pieces(r, units, start, record);
    if (interrupt_has_come()) return;
    head.nanoseconds = (uint64_t)((stopwatch_now() - start) * 1e9);
    memcpy(record->bytes, &head, sizeof head);
    r->work.running += (double)head.nanoseconds * 1e-9;
    r->work.portions++;
    r->work.units += head.end - head.first;
    if (r->all->rank == WRITER)
        keep_record(r, (portion){head.first, head.end}, head.nanoseconds, record->bytes + sizeof head,
                    record->length - sizeof head);
    else
        send_record(r, TAG_RECORD);
}

/* ---- rank 0 ---- */

/* A signal waits for the end of what runs. Then it is told how to go on, and the signal ends the job. */
static void look_for_signals(running *r) {
    if (!interrupt_has_come()) return;
    message_progress_end();
    record_journal_tell(&r->journal, r->job);
    record_journal_close(&r->journal);
    interrupt_defer_ends();
}

/* Begins to receive a message, if there is one. Its sender may be at work and go on sending only later: that is not
 * waited for. */
static void begin_to_receive(running *r) {
    int found, length;
    MPI_Message message;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &r->received);
    if (!found) return;
    MPI_Get_count(&r->received, MPI_BYTE, &length);
    r->incoming.length = (size_t)length;
    if (r->incoming.length > r->incoming.room) {
        r->incoming.room = r->incoming.length;
        r->incoming.bytes = allocation_resize(r->incoming.bytes, r->incoming.room, 1);
    }
    MPI_Imrecv(r->incoming.bytes, length, MPI_BYTE, &message, &r->receiving);
}

static void use_message(running *r) {
    message_head head;
    if (r->received.MPI_TAG == TAG_DONE) {
        rank_rows_add(&r->rows, r->incoming.bytes, r->incoming.length);
        r->done++;
        return;
    }
    memcpy(&head, r->incoming.bytes, sizeof head);
    keep_record(r, (portion){head.first, head.end}, head.nanoseconds, r->incoming.bytes + sizeof head,
                r->incoming.length - sizeof head);
}

/* Takes everything that has come. Returns whether there was something. */
static int receive_all(running *r) {
    int is_there = 1, some = 0;
    while (is_there) {
        look_for_signals(r);
        if (r->receiving == MPI_REQUEST_NULL) begin_to_receive(r);
        if (r->receiving == MPI_REQUEST_NULL) break;
        MPI_Test(&r->receiving, &is_there, MPI_STATUS_IGNORE);
        if (is_there) use_message(r);
        some |= is_there;
    }
    return some;
}

/* Until all ranks are done. Looks again after a while, because a signal has to be seen too. */
static void receive_rest(running *r) {
    double start = stopwatch_now();
    while (r->done < r->all->count - 1)
        if (!receive_all(r)) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    r->work.waiting += stopwatch_now() - start;
}

static int take_all(running *r) {
    int status = record_journal_order(&r->journal) ? CLI_BAD : CLI_DONE;
    for (size_t i = 0; i < r->journal.count && status == CLI_DONE; i++) {
        record_entry entry = r->journal.entries[i];
        const unsigned char *bytes = record_journal_read(&r->journal, &entry);
        look_for_signals(r);
        status = bytes ? portions_take(r->job, entry.units, bytes, entry.length) : CLI_BAD;
    }
    return status;
}

/* ---- all ranks ---- */

static void run_portions(running *r) {
    portion units;
    double start = stopwatch_now();
    for (int idle = 0; !rank_queue_is_finished(r->queue);) {
        if (r->all->rank == WRITER && receive_all(r)) idle = 0;
        let_records_go(r);
        if (rank_queue_take(r->queue, &units)) {
            r->work.waiting += stopwatch_now() - start;
            run_portion(r, units);
            start = stopwatch_now();
            idle = 0;
        } else if (idle++) /* the longer there is nothing, the less often it asks */
            nanosleep(&(struct timespec){.tv_nsec = idle < 20 ? 50000L * idle : 1000000L}, NULL);
        if (r->all->rank == WRITER) look_for_signals(r);
    }
    r->work.waiting += stopwatch_now() - start;
}

static void finish_rank(running *r) {
    if (r->all->rank != WRITER) {
        byte_list *message = next_record(r);
        rank_row_put(message, r->all->rank, &r->work, r->job->context);
        send_record(r, TAG_DONE);
        for (int i = 0; i < SENDS; i++) MPI_Wait(&r->sends[i].request, MPI_STATUS_IGNORE);
        return;
    }
    receive_rest(r);
    r->incoming.length = 0;
    rank_row_put(&r->incoming, r->all->rank, &r->work, r->job->context);
    rank_rows_add(&r->rows, r->incoming.bytes, r->incoming.length);
}

/* Everyone plans the same, from what rank 0 says is to be done. */
static portion_list make_plan(running *r) {
    byte_list bytes = {0};
    if (r->all->rank == WRITER) {
        portion_list to_do = portions_to_do(r->job, r->options, &r->journal);
        for (size_t i = 0; i < to_do.count; i++) r->left += to_do.list[i].end - to_do.list[i].first;
        bytes_put(&bytes, to_do.list, to_do.count * sizeof *to_do.list);
        portion_list_free(&to_do);
    }
    share((void *)(uintptr_t)r->all, &bytes);
    portion_list work = {.count = bytes.length / sizeof *work.list, .list = (portion *)(void *)bytes.bytes};
    portion_list plan =
        portion_plan(r->job, &(portion_sizes){.workers = r->all->count, .units = r->options->portion}, &work);
    bytes_free(&bytes);
    return plan;
}

static int run(void *self, const portion_job *job, const cli_options *options, int *is_part) {
    const ranks *all = self;
    int is_writer = all->rank == WRITER, status = CLI_DONE;
    running r = {.all = all, .job = job, .options = options, .receiving = MPI_REQUEST_NULL};
    portion_list plan = {0};
    *is_part = options->part != NULL;
    for (int i = 0; i < SENDS; i++) r.sends[i].request = MPI_REQUEST_NULL;
    if (is_writer &&
        record_journal_open(&r.journal, options->journal.texts, options->journal.count, job, options->resume))
        status = CLI_BAD;
    status = agree(self, status);
    if (status == CLI_DONE) {
        if (is_writer) interrupt_defer();
        plan = make_plan(&r);
        r.begun = stopwatch_now();
        r.queue = rank_queue_open(&plan, is_writer && r.left == 0);
        run_portions(&r);
        finish_rank(&r);
        rank_queue_close(r.queue);
        message_progress_end();
        if (is_writer && options->report) rank_rows_print(&r.rows, job->what);
        if (is_writer && !*is_part) status = take_all(&r);
        if (is_writer && status != CLI_DONE) record_journal_tell(&r.journal, job);
        if (is_writer) look_for_signals(&r);
        if (is_writer) interrupt_defer_ends();
    }
    if (is_writer) record_journal_close(&r.journal);
    for (int i = 0; i < SENDS; i++) bytes_free(&r.sends[i].bytes);
    bytes_free(&r.incoming);
    rank_rows_free(&r.rows);
    portion_list_free(&plan);
    return status;
}

portion_engine ranks_engine(ranks *all) {
    return (portion_engine){.self = all, .is_writer = all->rank == WRITER, .agree = agree, .share = share, .run = run};
}
