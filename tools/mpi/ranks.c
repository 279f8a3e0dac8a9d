#define _GNU_SOURCE
#include "mpi/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "mpi/rank_loop.h"
#include "mpi/rank_records.h"
#include "portions/portions_here.h"

struct ranks {
    int rank, count;
    char speaker[32];
};

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
    if ((*all)->rank != RANK_WRITER) {
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
    MPI_Bcast(&length, 1, MPI_UINT64_T, RANK_WRITER, MPI_COMM_WORLD);
    if (all->rank != RANK_WRITER) {
        bytes_free(bytes);
        bytes->bytes = allocation_get((size_t)length + 1, 1);
        bytes->length = bytes->room = (size_t)length;
    }
    for (uint64_t at = 0, piece; at < length; at += piece) {
        piece = length - at < INT_MAX / 2 ? length - at : INT_MAX / 2;
        MPI_Bcast(bytes->bytes + at, (int)piece, MPI_BYTE, RANK_WRITER, MPI_COMM_WORLD);
    }
}

/* ---- a job ---- */

static int take_all(rank_records *r) {
    int status = record_journal_order(&r->journal) ? CLI_BAD : CLI_DONE;
    for (size_t i = 0; i < r->journal.count && status == CLI_DONE; i++) {
        record_entry entry = r->journal.entries[i];
        const unsigned char *bytes = record_journal_read(&r->journal, &entry);
        rank_records_look_for_signals(r);
        status = bytes ? portions_take(r->job, entry.units, bytes, entry.length) : CLI_BAD;
    }
    return status;
}

/* What is to be done, which rank 0 knows. Free it. */
static portion_list share_work(void *self, rank_records *r, const cli_options *options) {
    byte_list bytes = {0};
    if (r->rank == RANK_WRITER) {
        portion_list to_do = portions_to_do(r->job, options, &r->journal);
        for (size_t i = 0; i < to_do.count; i++) r->left += to_do.list[i].end - to_do.list[i].first;
        bytes_put(&bytes, to_do.list, to_do.count * sizeof *to_do.list);
        portion_list_free(&to_do);
    }
    share(self, &bytes);
    return (portion_list){.count = bytes.length / sizeof(portion), .list = (portion *)(void *)bytes.bytes};
}

static void run_work(void *self, rank_records *r, const cli_options *options) {
    portion_list work = share_work(self, r, options);
    r->queue = rank_queue_open(r->rank == RANK_WRITER && r->left == 0);
    getrusage(RUSAGE_SELF, &r->begun);
    if (r->count > 1)
        rank_loop_run(r, &work, options->portion);
    else
        rank_loop_run_alone(r, &work, options->portion);
    rank_records_finish(r);
    rank_queue_close(r->queue);
    message_progress_end();
    portion_list_free(&work);
}

static int run(void *self, const portion_job *job, const cli_options *options, int *is_part) {
    const ranks *all = self;
    int is_writer = all->rank == RANK_WRITER, status = CLI_DONE;
    rank_records r;
    rank_records_start(&r, all->rank, all->count, job);
    *is_part = options->part != NULL;
    if (is_writer &&
        record_journal_open(&r.journal, options->journal.texts, options->journal.count, job, options->resume))
        status = CLI_BAD;
    status = agree(self, status);
    if (status == CLI_DONE) {
        if (is_writer) interrupt_defer();
        run_work(self, &r, options);
        if (is_writer && options->report) rank_rows_print(&r.rows, job->what);
        if (is_writer && !*is_part) status = take_all(&r);
        if (is_writer && status != CLI_DONE) record_journal_tell(&r.journal, job);
        rank_records_look_for_signals(&r);
        if (is_writer) interrupt_defer_ends();
    }
    if (is_writer) record_journal_close(&r.journal);
    rank_records_free(&r);
    return status;
}

portion_engine ranks_engine(ranks *all) {
    return (portion_engine){
        .self = all, .is_writer = all->rank == RANK_WRITER, .agree = agree, .share = share, .run = run};
}
