/* Stage a: what programs make of the inputs, line by line. What each line yields is a value for all stages, and held
 * against the goals. Applications that were made are remembered, so that of a program that was changed only what has
 * changed is run. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/growth.h"
#include "search/search_state.h"

typedef struct waiting_line { /* an application that is to be made */
    uint64_t key;
    uint32_t pattern, order;
    application application;
} waiting_line;

typedef struct round_of_lines {
    waiting_line *ready;
    uint32_t count, room;
    key_table pending;
    application *application;
    uint32_t *values; /* of all lines of all programs, one after the other: what is known of them */
} round_of_lines;

static uint64_t application_key(const search_state *s, uint32_t pattern_number, const uint32_t *argument) {
    uint64_t key = key_fold(1, pattern_number); /* 0 and 0 would be 0 again */
    for (int h = 0; h < s->patterns.at[pattern_number].holes; h++) key = key_fold(key, argument[h]);
    return key;
}

/* The value of an application, LINE_FAILED, or LINE_UNKNOWN if it was not made. */
static uint32_t find_done(const search_state *s, uint64_t key) {
    uint32_t found = key_table_find(&s->done_kept, key);
    return found == KEY_ABSENT && s->bank.lanes.trying ? key_table_find(&s->done_tried, key) : found;
}

/* The arguments of a line, whose lines before it have these values: LINE_FAILED if one of them has, LINE_UNKNOWN if one
 * is not known yet. */
static uint32_t take_arguments(const pattern *p, const program_line *l, const uint32_t *values, uint32_t *argument) {
    for (int h = 0; h < p->holes; h++) {
        argument[h] = l->argument[h] < 0 ? value_of_argument(l->argument[h]) : values[l->argument[h]];
        if (argument[h] >= LINE_FAILED) return argument[h];
    }
    return 0;
}

static arcl_status add_ready(round_of_lines *r, uint64_t key, uint32_t pattern_number, const uint32_t *argument,
                             arcl_error *error) {
    if (!ARRAY_HAS_ROOM(r->ready, r->count, r->room, 256)) return NO_MEMORY(error);
    waiting_line *w = &r->ready[r->count];
    *w = (waiting_line){.key = key, .pattern = pattern_number, .order = r->count};
    memcpy(w->application.argument, argument, sizeof w->application.argument);
    return key_table_put(&r->pending, key, r->count++, error);
}

/* Goes on with what is known of the lines of a program; what could be run next goes to the round, if there is one. */
static arcl_status look_at(const search_state *s, const program_lines *p, uint32_t *values, round_of_lines *r,
                           arcl_error *error) {
    for (int i = 0; i < p->lines; i++) {
        uint32_t argument[MAX_HOLES] = {0};
        const program_line *l = &p->line[i];
        if (values[i] != LINE_UNKNOWN) continue;
        values[i] =
            l->pattern == NO_PATTERN ? LINE_FAILED : take_arguments(&s->patterns.at[l->pattern], l, values, argument);
        if (values[i]) continue;
        uint64_t key = application_key(s, l->pattern, argument);
        values[i] = find_done(s, key);
        if (values[i] == LINE_UNKNOWN && r && key_table_find(&r->pending, key) == KEY_ABSENT)
            PROPAGATE(add_ready(r, key, l->pattern, argument, error));
    }
    return ARCL_SUCCESS;
}

static void take_known(const program_lines *p, uint32_t *values) {
    for (int i = 0; i < p->lines; i++) values[i] = p->line[i].value;
}

static int by_pattern(const void *a, const void *b) {
    const waiting_line *x = a, *y = b;
    if (x->pattern != y->pattern) return x->pattern < y->pattern ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static arcl_status run_ready(search_state *s, round_of_lines *r, arcl_error *error) {
    if (r->count) qsort(r->ready, r->count, sizeof *r->ready, by_pattern);
    for (uint32_t first = 0, last; first < r->count; first = last) {
        for (last = first; last < r->count && r->ready[last].pattern == r->ready[first].pattern; last++)
            r->application[last] = r->ready[last].application;
        PROPAGATE(apply_pattern(s, r->ready[first].pattern, r->application + first, last - first, error));
        for (uint32_t n = first; n < last; n++) {
            uint32_t value = r->application[n].result == NO_VALUE ? LINE_FAILED : r->application[n].result;
            PROPAGATE(
                key_table_put(s->bank.lanes.trying ? &s->done_tried : &s->done_kept, r->ready[n].key, value, error));
        }
    }
    return ARCL_SUCCESS;
}

static arcl_status run_round(search_state *s, const program_lines *programs, int count, round_of_lines *r,
                             arcl_error *error) {
    uint32_t *values = r->values;
    r->count = 0;
    key_table_clear(&r->pending);
    for (int n = 0; n < count; values += programs[n++].lines) PROPAGATE(look_at(s, &programs[n], values, r, error));
    free(r->application);
    r->application = malloc((r->count + 1) * sizeof *r->application);
    if (!r->application) return NO_MEMORY(error);
    return run_ready(s, r, error);
}

arcl_status programs_run(search_state *s, const program_lines *programs, int count, arcl_error *error) {
    round_of_lines r = {0};
    size_t lines = 1;
    for (int n = 0; n < count; n++) lines += (size_t)programs[n].lines;
    r.values = malloc(lines * sizeof *r.values);
    arcl_status status = r.values ? ARCL_SUCCESS : NO_MEMORY(error);
    lines = 0;
    for (int n = 0; n < count && r.values; lines += (size_t)programs[n++].lines)
        take_known(&programs[n], r.values + lines);
    do {
        if (status == ARCL_SUCCESS) status = run_round(s, programs, count, &r, error);
        s->candidates += s->stage == ARCL_SEARCH_DONORS ? r.count : 0;
    } while (status == ARCL_SUCCESS && r.count);
    key_table_free(&r.pending);
    free(r.ready);
    free(r.application);
    free(r.values);
    return status;
}

void program_values(const search_state *s, const program_lines *p, uint32_t *values) {
    take_known(p, values);
    arcl_status status = look_at(s, p, values, NULL, NULL);
    (void)status; /* without a round nothing is put anywhere */
    for (int i = 0; i < p->lines; i++)
        if (values[i] == LINE_FAILED || values[i] == LINE_UNKNOWN) values[i] = NO_VALUE;
}
