/* Joins two files by the names of their benchmarks. Reads any file in google-benchmark's layout. */
#include "commands/bench/bench_compare.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/number_text.h"
#include "cli/options.h"

typedef struct compared {
    const char *name;
    double before, after; /* nanoseconds */
} compared;

/* The benchmarks by name. Borrows from the file's JSON; NULL after a message. */
static json_t *load(const char *path, json_t **file) {
    json_error_t error;
    *file = json_load_file(path, 0, &error);
    if (!*file) {
        message_error("%s: %s", path, error.text);
        return NULL;
    }
    json_t *list = json_object_get(*file, "benchmarks"), *names, *one;
    if (!json_is_array(list)) {
        message_error("%s: expected {\"benchmarks\": [..]}, which `arcl bench --json` writes", path);
        return NULL;
    }
    names = json_object();
    size_t i;
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        if (name) json_object_set(names, name, one);
    }
    return names;
}

/* Nanoseconds, or 0 if there is no such time. */
static double time_of(const json_t *one) {
    static const struct {
        const char *name;
        double nanoseconds;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const char *unit = json_string_value(json_object_get(one, "time_unit"));
    double value = json_number_value(json_object_get(one, "real_time"));
    for (size_t i = 0; unit && value > 0 && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].name) == 0) return value * units[i].nanoseconds;
    return 0;
}

static int by_ratio(const void *a, const void *b) {
    const compared *x = a, *y = b;
    double left = x->after * y->before, right = y->after * x->before;
    return left == right ? strcmp(x->name, y->name) : left > right ? 1 : -1;
}

static void print_rows(compared *rows, size_t count) {
    char before[32], after[32];
    double logarithms = 0;
    qsort(rows, count, sizeof *rows, by_ratio);
    printf("%-32s %11s %11s %8s\n", "benchmark", "before", "after", "ratio");
    for (size_t i = 0; i < count; i++) {
        message_put_clean(stdout, rows[i].name);
        printf("%*s %11s %11s %8.3f\n", (int)(strlen(rows[i].name) < 32 ? 32 - strlen(rows[i].name) : 0), "",
               time_text(rows[i].before, before, sizeof before), time_text(rows[i].after, after, sizeof after),
               rows[i].after / rows[i].before);
        logarithms += log(rows[i].after / rows[i].before);
    }
    printf("%-32s %11s %11s %8.3f\n", "geometric mean", "", "", exp(logarithms / (double)count));
}

/* Below 1 is faster, so the list begins with what has become faster. */
static int join(const char *a, const char *b, json_t *before, json_t *after) {
    compared *rows = allocation_get(json_object_size(before) + 1, sizeof *rows);
    size_t count = 0;
    const char *name;
    json_t *one;
    json_object_foreach(before, name, one) {
        compared row = {name, time_of(one), time_of(json_object_get(after, name))};
        if (row.before > 0 && row.after > 0) rows[count++] = row;
    }
    if (count) print_rows(rows, count);
    size_t only_a = json_object_size(before) - count, only_b = json_object_size(after) - count;
    if (!count)
        message_error("%s and %s have no benchmark in common", a, b);
    else if (only_a || only_b)
        message_note("not compared: %zu only in %s, %zu only in %s", only_a, a, only_b, b);
    free(rows);
    return count ? CLI_DONE : CLI_BAD;
}

int bench_compare(const char *a, const char *b) {
    json_t *files[2] = {NULL, NULL}, *after = NULL, *before = load(a, &files[0]);
    if (before) after = load(b, &files[1]);
    int status = before && after ? join(a, b, before, after) : CLI_BAD;
    json_decref(before);
    json_decref(after);
    for (int i = 0; i < 2; i++) json_decref(files[i]);
    return status;
}
