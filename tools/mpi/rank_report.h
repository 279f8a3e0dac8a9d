/* What each rank had to do: rows of the report, one for each rank and device. */
#ifndef ARCL_RANK_REPORT_H
#define ARCL_RANK_REPORT_H
#include "arcl.h"
#include "portions/bytes.h"

typedef struct rank_work {
    uint64_t portions, units;
    double running, waiting; /* seconds: in portions, and for portions and for room to send */
    double user, system; /* seconds of processors that the process had, all threads together, and the kernel for it */
    uint64_t bytes_sent; /* to rank 0 */
} rank_work;

typedef struct rank_row {
    int rank;
    char node[64], device[64];
    rank_work work;
    uint64_t launches, bytes_up, bytes_down; /* between the host and the device; the host has none */
} rank_row;

typedef struct rank_row_list {
    rank_row *rows;
    size_t count;
} rank_row_list;

/* Adds the rows of this rank to a message; and those of a message to a list. */
void rank_row_put(byte_list *message, int rank, const rank_work *work, const arcl_context *context);
void rank_rows_add(rank_row_list *list, const unsigned char *message, size_t length);
void rank_rows_free(rank_row_list *list);

/* The table, and how even the ranks were, on standard error. */
void rank_rows_print(rank_row_list *list, const char *units);

#endif
