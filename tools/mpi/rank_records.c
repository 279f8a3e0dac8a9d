#include "mpi/rank_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/stopwatch.h"

enum { TAG_RECORDS = 1, TAG_DONE = 2 };
enum { ENOUGH = 1 << 18 }; /* bytes of a message that are not kept waiting */

/* Before the bytes of each record of a message. */
typedef struct message_head {
    uint64_t first, end, nanoseconds, length;
} message_head;

static double seconds_between(struct timeval from, struct timeval to) {
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_usec - from.tv_usec) * 1e-6;
}

void rank_records_start(rank_records *r, int rank, int count, const portion_job *job) {
    *r = (rank_records){.rank = rank, .count = count, .job = job, .receiving = MPI_REQUEST_NULL};
    for (int i = 0; i < RANK_SENDS; i++) r->sends[i].request = MPI_REQUEST_NULL;
    r->last_sent = stopwatch_now();
}

void rank_records_free(rank_records *r) {
    for (int i = 0; i < RANK_SENDS; i++) bytes_free(&r->sends[i].bytes);
    bytes_free(&r->incoming);
    rank_rows_free(&r->rows);
}

_Noreturn void rank_records_give_up(rank_records *r, int status) {
    if (r->rank == RANK_WRITER) {
        record_journal_tell(&r->journal, r->job);
        record_journal_close(&r->journal);
    }
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, status);
    _Exit(status);
}

void rank_records_look_for_signals(rank_records *r) {
    if (r->rank != RANK_WRITER || !interrupt_has_come()) return;
    message_progress_end();
    record_journal_tell(&r->journal, r->job);
    record_journal_close(&r->journal);
    interrupt_defer_ends();
}

/* ---- rank 0 keeps them ---- */

static void keep(rank_records *r, const unsigned char *bytes, size_t length) {
    message_head head;
    for (const unsigned char *end = bytes + length; bytes < end; bytes += head.length) {
        memcpy(&head, bytes, sizeof head);
        bytes += sizeof head;
        int status = r->job->arrived
                         ? r->job->arrived(r->job->self, (portion){head.first, head.end}, bytes, head.length)
                         : CLI_DONE;
        if (status) rank_records_give_up(r, status);
        if (record_journal_put(&r->journal, (portion){head.first, head.end}, head.nanoseconds, bytes, head.length))
            rank_records_give_up(r, CLI_BAD);
        r->left -= head.end - head.first;
    }
    if (record_journal_write(&r->journal)) rank_records_give_up(r, CLI_BAD);
    if (!r->job->arrived) message_progress(r->job->what, r->journal.done, r->job->units);
    if (r->left == 0) rank_queue_finish(r->queue);
}

/* ---- making and sending ---- */

byte_list *rank_record_begin(rank_records *r) {
    byte_list *bytes = &r->sends[r->send].bytes;
    double start = stopwatch_now();
    MPI_Wait(&r->sends[r->send].request, MPI_STATUS_IGNORE); /* it was sent a few messages ago */
    r->work.waiting += stopwatch_now() - start;
    r->start = bytes->length;
    bytes_put(bytes, &(message_head){0}, sizeof(message_head));
    return bytes;
}

void rank_record_end(rank_records *r, portion units, double seconds) {
    byte_list *bytes = &r->sends[r->send].bytes;
    message_head head = {units.first, units.end, (uint64_t)(seconds * 1e9), bytes->length - r->start - sizeof head};
    memcpy(bytes->bytes + r->start, &head, sizeof head);
    r->work.running += seconds;
    r->work.portions++;
    r->work.units += units.end - units.first;
}

void rank_record_forget(rank_records *r) { r->sends[r->send].bytes.length = r->start; }

/* Sends what is there, and begins another message, of which the bytes may still be on their way: then nothing is put to
 * it before they have arrived. */
static void send(rank_records *r, int tag) {
    byte_list *bytes = &r->sends[r->send].bytes;
    r->work.bytes_sent += bytes->length;
    MPI_Isend(bytes->bytes, (int)bytes->length, MPI_BYTE, RANK_WRITER, tag, MPI_COMM_WORLD, &r->sends[r->send].request);
    r->send = (r->send + 1) % RANK_SENDS;
    double start = stopwatch_now();
    MPI_Wait(&r->sends[r->send].request, MPI_STATUS_IGNORE);
    r->last_sent = stopwatch_now();
    r->work.waiting += r->last_sent - start;
    r->sends[r->send].bytes.length = 0;
}

static void send_on(rank_records *r, double seconds) {
    byte_list *bytes = &r->sends[r->send].bytes;
    if (!bytes->length || (bytes->length < ENOUGH && stopwatch_now() - r->last_sent < seconds)) return;
    if (r->rank != RANK_WRITER) {
        send(r, TAG_RECORDS);
        return;
    }
    keep(r, bytes->bytes, bytes->length);
    bytes->length = 0;
    r->last_sent = stopwatch_now();
}

/* Large messages leave only while this rank is in MPI, and reading the queue need not count as that. */
static void let_go(rank_records *r) {
    for (int i = 0; i < RANK_SENDS; i++) {
        int is_sent;
        MPI_Test(&r->sends[i].request, &is_sent, MPI_STATUS_IGNORE);
    }
}

/* ---- receiving ---- */

/* Begins to receive a message, if there is one. Its sender may be at work and go on sending only later: that is not
 * waited for. */
static void begin_to_receive(rank_records *r) {
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

static void use_message(rank_records *r) {
    if (r->received.MPI_TAG == TAG_DONE) {
        rank_rows_add(&r->rows, r->incoming.bytes, r->incoming.length);
        r->done++;
    } else
        keep(r, r->incoming.bytes, r->incoming.length);
}

/* Takes everything that has come. Returns whether there was something. */
static int receive_all(rank_records *r) {
    int is_there = 1, some = 0;
    while (is_there) {
        rank_records_look_for_signals(r);
        if (r->receiving == MPI_REQUEST_NULL) begin_to_receive(r);
        if (r->receiving == MPI_REQUEST_NULL) break;
        MPI_Test(&r->receiving, &is_there, MPI_STATUS_IGNORE);
        if (is_there) use_message(r);
        some |= is_there;
    }
    return some;
}

int rank_records_move(rank_records *r, double seconds) {
    send_on(r, seconds);
    let_go(r);
    return r->rank == RANK_WRITER && receive_all(r);
}

/* ---- the end ---- */

/* Until all ranks are done. Looks again after a while, because a signal has to be seen too. */
static void receive_rest(rank_records *r) {
    double start = stopwatch_now();
    while (r->done < r->count - 1)
        if (!receive_all(r)) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    r->work.waiting += stopwatch_now() - start;
}

void rank_records_finish(rank_records *r) {
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    r->work.user = seconds_between(r->begun.ru_utime, now.ru_utime);
    r->work.system = seconds_between(r->begun.ru_stime, now.ru_stime);
    if (r->rank != RANK_WRITER) {
        rank_row_put(&r->sends[r->send].bytes, r->rank, &r->work, r->job->context);
        send(r, TAG_DONE);
        for (int i = 0; i < RANK_SENDS; i++) MPI_Wait(&r->sends[i].request, MPI_STATUS_IGNORE);
        return;
    }
    receive_rest(r);
    r->incoming.length = 0;
    rank_row_put(&r->incoming, r->rank, &r->work, r->job->context);
    rank_rows_add(&r->rows, r->incoming.bytes, r->incoming.length);
}
