/* Rows as text: see bench_table.h. */
#include "commands/bench/bench_table.h"

#include <string.h>

#include "cli/messages.h"
#include "cli/number_text.h"

double bench_row_cost(const bench_row *row) { return row->sum.median * 1e9 / row->lanes; }

char *bench_row_name(const bench_table *table, const bench_row *row, char *to, size_t room) {
    snprintf(to, room, "%s/%s/%u", row->op, table->devices[row->device].id, row->lanes);
    return to;
}

void bench_table_head(const bench_table *table) {
    const bench_machine *m = &table->machine;
    char least[32];
    message_put_clean(stdout, m->processor);
    printf(", %d thread%s", table->threads, table->threads == 1 ? "" : "s");
    if (m->megahertz > 0) printf(", %.0f MHz%s", m->megahertz, m->scaling ? " at the moment" : "");
    printf("; load %.2f %.2f %.2f\n", m->load[0], m->load[1], m->load[2]);
    for (int i = 0; i < table->device_count; i++) {
        if (strcmp(table->devices[i].id, "host") == 0) continue;
        printf("%s is ", table->devices[i].id);
        message_put_clean(stdout, table->devices[i].name);
        putchar('\n');
    }
    printf("%d repetition%s of %s or more in turn; grids of %d by %d\n\n", table->repetitions,
           table->repetitions == 1 ? "" : "s", time_text(table->seconds * 1e9, least, sizeof least), table->side,
           table->side);
    printf("%-14s %-9s %7s %10s %7s %10s %10s %8s %8s %8s %7s %9s %9s\n", "op", "device", "lanes", "per lane", "spread",
           "in kernels", "transfers", "lanes/s", "cells/s", "bytes/s", "runs", "compile", "first run");
}

/* What compiling took is said once for an op and device: it does not depend on the lanes. Nor does most of the first
 * run, which builds kernels. */
static int is_first(const bench_table *table, const bench_row *row) {
    return row == table->rows || row[-1].device != row->device || row[-1].op != row->op;
}

/* A part of a lane's cost; a device alone has transfers. */
static char *part_text(double seconds, uint32_t lanes, char *to, size_t room) {
    if (seconds > 0) return time_text(seconds * 1e9 / lanes, to, room);
    return strcpy(to, "-");
}

static char *per_second(uint64_t amount, const bench_row *row, char *to, size_t room) {
    if (amount) return rate_text((double)amount / row->sum.median, to, room);
    return strcpy(to, "-");
}

/* "<5%", "7%", "!23%" */
static void spread_text(double spread, char *to, size_t room) {
    if (spread <= BENCH_LEAST_SPREAD * 1.001)
        snprintf(to, room, "<%.0f%%", BENCH_LEAST_SPREAD * 100);
    else
        snprintf(to, room, "%s%s%.0f%%", spread > BENCH_LARGE_SPREAD ? "!" : "", spread >= 9.99 ? ">" : "",
                 spread < 9.99 ? spread * 100 : 999);
}

void bench_table_print(const bench_table *table, const bench_row *row) {
    enum { SIZE = 32 };
    char cost[SIZE], spread[SIZE], kernels[SIZE], transfers[SIZE], lanes[SIZE], cells[SIZE], bytes[SIZE], where[SIZE];
    const char *shape = row->times.shape && strcmp(row->times.shape, "team") == 0 ? " team" : "";
    snprintf(where, sizeof where, "%s%s", table->devices[row->device].id, shape);
    spread_text(row->sum.spread, spread, sizeof spread);
    printf("%-14s %-9s %7u %10s %7s %10s %10s %8s %8s %8s %7llu", row->op, where, row->lanes,
           time_text(bench_row_cost(row), cost, SIZE), spread, part_text(row->times.kernels, row->lanes, kernels, SIZE),
           part_text(row->times.transfers, row->lanes, transfers, SIZE), per_second(row->lanes, row, lanes, SIZE),
           per_second(row->amount.cells, row, cells, SIZE), per_second(row->amount.bytes, row, bytes, SIZE),
           (unsigned long long)row->sum.runs);
    if (is_first(table, row))
        printf(" %9s %9s", time_text(row->times.compile * 1e9, cost, SIZE),
               time_text(row->times.first * 1e9, kernels, SIZE));
    putchar('\n');
    fflush(stdout);
}

void bench_table_warn(const bench_table *table) {
    const bench_row *worst = NULL;
    size_t many = 0;
    char name[96];
    for (size_t i = 0; i < table->count; i++) {
        const bench_row *row = &table->rows[i];
        if (row->sum.spread <= BENCH_LARGE_SPREAD) continue;
        many++;
        if (!worst || row->sum.spread > worst->sum.spread) worst = row;
    }
    if (!many) return;
    message_note("%zu of %zu rows, marked with !, spread by more than %.0f %%, %s most: their times are to be taken "
                 "with care. %s",
                 many, table->count, BENCH_LARGE_SPREAD * 100, bench_row_name(table, worst, name, sizeof name),
                 table->machine.load[0] > 0.5 * table->machine.processors
                     ? "The machine is busy with other things: measure when it is not"
                     : "More --repetitions, or a longer --min-time, tell more");
}
