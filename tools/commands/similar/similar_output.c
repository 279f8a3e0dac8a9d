#include "commands/similar/similar_output.h"

#include <string.h>

#include "cli/json_text.h"
#include "cli/messages.h"

enum { NARROWEST = 8, WIDEST = 40 };

/* Text that came from a file, filled up to a width. */
static void put_padded(const char *text, int width) {
    message_put_clean(stdout, text);
    printf("%*s ", (int)strlen(text) < width ? width - (int)strlen(text) : 0, "");
}

void similar_table_fit(int *column, const char *name) {
    size_t length = strlen(name);
    if (*column < NARROWEST) *column = NARROWEST;
    if (length > (size_t)*column) *column = length < WIDEST ? (int)length : WIDEST;
}

void similar_print_head(const similar_table *t) {
    printf("%-*s %-*s %7s %s%5s  nearest grid\n", t->outputs, "outputs", t->expected, "expected", "nearest",
           t->with_own ? "    own " : "", "equal");
}

/* "solve_b1660b1e  b1660b1e  1.000  1.000  4/4  train[0] 16/16 from b1660b1e train[0]" */
void similar_print_entry(const similar_table *t, const similar_entry *e) {
    char equal[32];
    put_padded(e->output, t->outputs);
    put_padded(e->expected, t->expected);
    printf("%7.3f ", e->mean);
    if (t->with_own && e->own < 0)
        printf("%7s ", "-");
    else if (t->with_own)
        printf("%7.3f ", e->own);
    snprintf(equal, sizeof equal, "%u/%u", e->equal, e->grids);
    printf("%5s  ", equal);
    message_put_clean(stdout, e->nearest.expected);
    printf("%s%u/%u", *e->nearest.expected ? " " : "", e->nearest.cells, e->nearest.all);
    if (*e->nearest.output) {
        fputs(" from ", stdout);
        message_put_clean(stdout, e->nearest.output);
    }
    puts(e->nearest.same_shape ? "" : ", another shape");
}

void similar_print_totals(const similar_totals *t) {
    printf("compared %llu outputs with %llu expected grids", (unsigned long long)t->outputs,
           (unsigned long long)t->expected);
    if (t->compared)
        printf(" by %s on %s%s", t->report.variant, t->report.device,
               t->report.measured ? ", chosen by measured costs" : "");
    putchar('\n');
}

/* ---- JSON ---- */

void similar_json_begin(FILE *out) { fputs("{\"nearest\":[\n", out); }

static void put_json(FILE *out, json_t *json) {
    if (json) json_dumpf(json, out, JSON_COMPACT);
    json_decref(json);
}

void similar_json_entry(FILE *out, const similar_entry *e, int *written) {
    const similar_pair *n = &e->nearest;
    json_t *pair =
        json_pack("{so so sI sI sb}", "output", json_text(n->output), "expected", json_text(n->expected), "cells",
                  (json_int_t)n->cells, "all_cells", (json_int_t)n->all, "same_shape", n->same_shape);
    json_t *own = e->own < 0 ? json_null() : json_real(e->own);
    fputs((*written)++ ? ",\n" : "", out);
    put_json(out, json_pack("{so so sf so sI sI so}", "outputs", json_text(e->output), "expected",
                            json_text(e->expected), "mean", e->mean, "own", own, "equal", (json_int_t)e->equal, "grids",
                            (json_int_t)e->grids, "grid", pair));
}

void similar_json_end(FILE *out, const similar_totals *t, json_t *rejected, json_t *report) {
    fputs("],\n\"rejected\":", out);
    put_json(out, rejected);
    fprintf(out, ",\n\"outputs\":%llu,\"expected\":%llu,\n\"comparison\":", (unsigned long long)t->outputs,
            (unsigned long long)t->expected);
    put_json(out, t->compared
                      ? json_pack("{ss ss sb sI sI}", "variant", t->report.variant, "device", t->report.device,
                                  "measured", t->report.measured, "nanoseconds", (json_int_t)t->report.nanoseconds,
                                  "bytes_moved", (json_int_t)t->report.bytes_moved)
                      : json_null());
    if (report) {
        fputs(",\n\"report\":", out);
        put_json(out, report);
    }
    fputs("}\n", out);
}
