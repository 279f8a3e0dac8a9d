/* Records on their way to rank 0, which adds them to the journal: several in a message, since most are small. */
#ifndef ARCL_RANK_RECORDS_H
#define ARCL_RANK_RECORDS_H
#include <mpi.h>
#include <sys/resource.h>

#include "mpi/rank_queue.h"
#include "mpi/rank_report.h"
#include "portions/record_journal.h"

enum { RANK_WRITER = 0, RANK_SENDS = 4 };

typedef struct rank_records {
    int rank, count;
    const portion_job *job;
    rank_queue *queue;
    rank_work work;
    struct {
        byte_list bytes;
        MPI_Request request; /* until it has arrived */
    } sends[RANK_SENDS];
    int send;            /* the message that is put together, */
    size_t start;        /* the record in it that is being made, */
    double last_sent;    /* and when the one before was sent */
    struct rusage begun; /* what the process had had before its first piece */
    /* rank 0: */
    record_journal journal;
    byte_list incoming; /* that is being received, while the request is there */
    MPI_Request receiving;
    MPI_Status received; /* what it is */
    rank_row_list rows;
    int done;      /* ranks that have nothing more to send */
    uint64_t left; /* units whose records have not come */
} rank_records;

void rank_records_start(rank_records *r, int rank, int count, const portion_job *job);
void rank_records_free(rank_records *r);

/* Begins a record, to which bytes are added; and ends it, or forgets it. */
byte_list *rank_record_begin(rank_records *r);
void rank_record_end(rank_records *r, portion units, double seconds);
void rank_record_forget(rank_records *r);

/* Lets what is ready go on its way, if enough has come together since the last time, or if it is not to wait any longer
 * than `seconds`. In rank 0, takes what has come. Returns whether there was something. */
int rank_records_move(rank_records *r, double seconds);

/* When all is run: the rest, and what each rank had to do. */
void rank_records_finish(rank_records *r);

/* Rank 0: if a signal has come, it is told how to go on, and the signal ends the job. */
void rank_records_look_for_signals(rank_records *r);

/* Ends the job in all ranks: something has failed in this one. */
_Noreturn void rank_records_give_up(rank_records *r, int status);

#endif
