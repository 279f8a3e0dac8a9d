/* The journal of a job of portions: what is done of it, with results, in a file to which records are only ever added. A
 * job that ended early is taken up from it, by any number of processes. Records stay in the file, and here is only
 * where each of them is, so that memory does not grow with results (data/journal.h, of lines, gives all of them to its
 * reader). docs/file-formats.md describes the file. */
#ifndef ARCL_RECORD_JOURNAL_H
#define ARCL_RECORD_JOURNAL_H
#include <stdio.h>

#include "portions/portion_job.h"

/* Where a record is, and how long it took to make. */
typedef struct record_entry {
    portion units;
    uint64_t nanoseconds;
    uint64_t offset; /* of its bytes */
    uint32_t length;
    int file;
} record_entry;

typedef struct record_journal {
    const char **paths; /* NULL: a file that is gone with the process */
    int *files, file_count;
    uint64_t end;          /* of the first file, to which records are added */
    record_entry *entries; /* in order of their units, once record_journal_order was called */
    size_t count, room;
    uint64_t done; /* units */
    byte_list unwritten;
    byte_list scratch;
} record_journal;

/* Opens the journals of a job, of which there may be none: then records are kept in a temporary file. The first is made
 * if it is not there, and locked, so that no other job adds to it; the others are only read. One that is there already
 * is taken up if `resume`, and refused otherwise. What follows the last whole record of it is cut off. Returns 0, or
 * -1 after a message; close it in both cases. The paths must outlive the journal. */
int record_journal_open(record_journal *j, const char **paths, int count, const portion_job *job, int resume);
void record_journal_close(record_journal *j);

/* Puts a record to those that record_journal_write adds. Both return 0, or -1 after a message: then what was there
 * before is there as before. */
int record_journal_put(record_journal *j, portion units, uint64_t nanoseconds, const unsigned char *record,
                       size_t length);
int record_journal_write(record_journal *j);

/* Puts the entries in order. Returns 0, or -1 after a message if two of them have the same units. */
int record_journal_order(record_journal *j);

/* The bytes of a record, until the next is read; NULL after a message. */
const unsigned char *record_journal_read(record_journal *j, const record_entry *entry);

/* What is not done of the units within `of`, in order; free() it. Needs record_journal_order. */
portion *record_journal_gaps(const record_journal *j, portion of, size_t *count);

/* Says how far the job has come and how to go on, if there is a journal that stays. */
void record_journal_tell(const record_journal *j, const portion_job *job);

#endif
