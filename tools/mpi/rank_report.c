#include "mpi/rank_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/allocation.h"

void rank_row_put(byte_list *message, int rank, const rank_work *work, const arcl_context *context) {
    rank_row row = {.rank = rank, .device = "host", .work = *work};
    int devices = context ? arcl_report_device_count(context) : 0;
    if (gethostname(row.node, sizeof row.node - 1)) row.node[0] = 0;
    for (int i = 0; i < devices; i++) {
        arcl_device_report d = arcl_report_device(context, i);
        snprintf(row.device, sizeof row.device, "%s", d.device);
        row.launches = d.launches;
        row.bytes_up = d.bytes_up;
        row.bytes_down = d.bytes_down;
        bytes_put(message, &row, sizeof row);
    }
    for (int i = 0; context && !devices && i < arcl_report_count(context); i++)
        row.launches += arcl_report_get(context, i).launches;
    if (!devices) bytes_put(message, &row, sizeof row);
}

void rank_rows_add(rank_row_list *list, const unsigned char *message, size_t length) {
    size_t more = length / sizeof *list->rows;
    list->rows = allocation_resize(list->rows, list->count + more, sizeof *list->rows);
    memcpy(list->rows + list->count, message, more * sizeof *list->rows);
    list->count += more;
}

void rank_rows_free(rank_row_list *list) {
    free(list->rows);
    *list = (rank_row_list){0};
}

static int by_rank(const void *a, const void *b) { return ((const rank_row *)a)->rank - ((const rank_row *)b)->rank; }

void rank_rows_print(rank_row_list *list, const char *units) {
    double most = 0, sum = 0;
    int ranks = 0;
    qsort(list->rows, list->count, sizeof *list->rows, by_rank);
    fprintf(stderr, "%5s %-16s %-16s %9s %12s %10s %10s %10s %10s %12s %14s %14s %14s\n", "rank", "node", "device",
            "portions", units, "running s", "waiting s", "user s", "system s", "launches", "bytes up", "bytes down",
            "bytes sent");
    for (size_t i = 0; i < list->count; i++) {
        const rank_row *row = &list->rows[i];
        const rank_work *w = &row->work;
        fprintf(stderr, "%5d %-16s %-16s %9llu %12llu %10.3f %10.3f %10.3f %10.3f %12llu %14llu %14llu %14llu\n",
                row->rank, row->node, row->device, (unsigned long long)w->portions, (unsigned long long)w->units,
                w->running, w->waiting, w->user, w->system, (unsigned long long)row->launches,
                (unsigned long long)row->bytes_up, (unsigned long long)row->bytes_down,
                (unsigned long long)w->bytes_sent);
        if (i && list->rows[i - 1].rank == row->rank) continue;
        ranks++;
        sum += w->running;
        if (w->running > most) most = w->running;
    }
    fprintf(stderr, "%d rank%s; the busiest ran %.2f times as long as the mean\n\n", ranks, ranks == 1 ? "" : "s",
            sum > 0 ? most * ranks / sum : 1);
}
