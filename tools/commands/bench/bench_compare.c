/* Joins two files by the names of their benchmarks. */
#include "commands/bench/bench_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/number_text.h"
#include "cli/options.h"
#include "commands/bench/bench_measure.h"
#include "commands/bench/rank_test.h"

#define SIGNIFICANT 0.01
enum { LEAST_REPETITIONS = 5 }; /* of fewer no difference is significant */

/* ---- reading ---- */

int bench_file_load(const char *path, bench_file *file) {
    json_error_t error;
    *file = (bench_file){path, json_load_file(path, 0, &error)};
    if (!file->content)
        message_error("%s: %s", path, error.text);
    else if (!json_is_array(json_object_get(file->content, "benchmarks"))) {
        message_error("%s: expected {\"benchmarks\": [..]}, which `arcl bench --json` writes", path);
        json_decref(file->content);
        file->content = NULL;
    }
    return file->content ? 0 : -1;
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

/* Which benchmark a row is a repetition of; NULL for sums of repetitions. */
static const char *repeated_name(const json_t *one) {
    const char *type = json_string_value(json_object_get(one, "run_type"));
    return type && strcmp(type, "aggregate") == 0 ? NULL : json_string_value(json_object_get(one, "name"));
}

/* The times of all repetitions by the names of the benchmarks. */
static json_t *times_by_name(const bench_file *file) {
    json_t *names = json_object(), *one;
    size_t i;
    json_array_foreach(json_object_get(file->content, "benchmarks"), i, one) {
        const char *name = repeated_name(one);
        if (!name) continue;
        json_t *times = json_object_get(names, name);
        if (!times) json_object_set_new(names, name, times = json_array());
        if (time_of(one) > 0) json_array_append_new(times, json_real(time_of(one)));
    }
    return names;
}

/* ---- comparing ---- */

typedef struct sample {
    double value[BENCH_MOST_REPETITIONS]; /* nanoseconds */
    int count;
    bench_summary sum;
} sample;

static void take_sample(sample *s, const json_t *times) {
    bench_times all = {.count = 0};
    s->count = 0;
    for (size_t i = 0; i < json_array_size(times) && s->count < BENCH_MOST_REPETITIONS; i++) {
        double value = json_real_value(json_array_get(times, i));
        s->value[s->count++] = value;
        all.repetition[all.count++].real = value;
    }
    s->sum = bench_sum_up(&all);
}

typedef struct compared {
    const char *name;
    double before, after, probability; /* the last: -1 if there are too few repetitions */
    int verdict;                       /* -1: faster, 1: slower, 0: neither is clear */
} compared;

/* Chance alone is not all that there is: two runs of a program find the machine in different states. So a change has to
 * be outside of what was stated as the spread, too. */
static compared compare(const char *name, const sample *before, const sample *after) {
    compared c = {name, before->sum.median, after->sum.median, -1, 0};
    if (before->count < LEAST_REPETITIONS || after->count < LEAST_REPETITIONS) return c;
    c.probability = rank_test(before->value, before->count, after->value, after->count);
    if (c.probability >= SIGNIFICANT) return c;
    if (c.after < before->sum.low && c.before > after->sum.high) c.verdict = -1;
    if (c.after > before->sum.high && c.before < after->sum.low) c.verdict = 1;
    return c;
}

/* ---- printing ---- */

static int by_ratio(const void *a, const void *b) {
    const compared *x = a, *y = b;
    double left = x->after * y->before, right = y->after * x->before;
    return left == right ? strcmp(x->name, y->name) : left > right ? 1 : -1;
}

static void print_row(const compared *c) {
    char before[32], after[32], chance[32] = "-";
    if (c->probability >= 0)
        snprintf(chance, sizeof chance, c->probability < 0.0001 ? "<0.0001" : "%.4f", c->probability);
    message_put_clean(stdout, c->name);
    printf("%*s %11s %11s %8.3f %8s%s%s\n", (int)(strlen(c->name) < 32 ? 32 - strlen(c->name) : 0), "",
           time_text(c->before, before, sizeof before), time_text(c->after, after, sizeof after), c->after / c->before,
           chance, c->verdict ? "  " : "",
           c->verdict < 0   ? "faster"
           : c->verdict > 0 ? "slower"
                            : "");
}

/* Below 1 is faster, so the list begins with what has become faster. */
static void print_rows(compared *rows, size_t count) {
    double logarithms = 0;
    size_t faster = 0, slower = 0, unknown = 0;
    qsort(rows, count, sizeof *rows, by_ratio);
    printf("%-32s %11s %11s %8s %8s\n", "benchmark", "before", "after", "ratio", "chance");
    for (size_t i = 0; i < count; i++) {
        print_row(&rows[i]);
        logarithms += log(rows[i].after / rows[i].before);
        faster += rows[i].verdict < 0;
        slower += rows[i].verdict > 0;
        unknown += rows[i].probability < 0;
    }
    printf("%-32s %11s %11s %8.3f\n", "geometric mean", "", "", exp(logarithms / (double)count));
    printf("%zu faster, %zu slower, %zu without a clear difference", faster, slower, count - faster - slower - unknown);
    if (unknown) printf(", %zu with too few repetitions to tell", unknown);
    putchar('\n');
}

static int join(const bench_file *a, const bench_file *b, json_t *before, json_t *after) {
    compared *rows = allocation_get(json_object_size(before) + 1, sizeof *rows);
    size_t count = 0;
    const char *name;
    json_t *times;
    json_object_foreach(before, name, times) {
        sample old, new;
        take_sample(&old, times);
        take_sample(&new, json_object_get(after, name));
        if (old.count && new.count) rows[count++] = compare(name, &old, &new);
    }
    if (count) print_rows(rows, count);
    size_t only_a = json_object_size(before) - count, only_b = json_object_size(after) - count;
    if (!count)
        message_error("%s and %s have no benchmark in common", a->name, b->name);
    else if (only_a || only_b)
        message_note("not compared: %zu only in %s, %zu only in %s", only_a, a->name, only_b, b->name);
    free(rows);
    return count ? CLI_DONE : CLI_BAD;
}

int bench_compare(const bench_file *before, const bench_file *after) {
    json_t *old = times_by_name(before), *new = times_by_name(after);
    int status = join(before, after, old, new);
    json_decref(old);
    json_decref(new);
    return status;
}
