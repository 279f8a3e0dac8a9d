/* Regret: how much longer the selected plan takes than the best of all that were tried, over the programs of a file and the
 * examples of their tasks, and over single ops. All ways are tried; the best three then meet the selected plan again and again,
 * run by run, so that whatever else the machine does meets both alike.
 *
 *   regret --programs FILE --tasks DIR [--profile FILE] [--lanes 1,4,20] [--only N] [--rounds N] [--rows FILE] [--ops]
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_case.h"
#include "context.h"
#include "profile.h"
#include "program_files.h"
#include "regret_ways.h"
#include "selector.h"
#include "stopwatch.h"
#include "task_file.h"

enum { MOST_ROWS = 20000, MOST_ROUNDS = 101, CONTENDERS = 3 };

typedef struct settings {
    const char *programs, *tasks, *profile, *rows;
    uint32_t lanes[16];
    int lane_counts, only, rounds, ops;
    double seconds; /* for all ways of one program together, about */
} settings;

typedef struct row {
    char name[40], selected[64], best[64];
    uint32_t lanes;
    double regret, selected_ns, predicted_ns, device_ns; /* device: the first OpenCL device for everything */
} row;

typedef struct bench {
    settings set;
    arcl_context *context;
    row *rows;
    int count;
    FILE *file;
} bench;

/* ---- one program ---- */

/* Several runs at once where one is too short for the clock, after one that warms up: the way before was another. */
static double time_of(arcl_context *c, const arcl_program *p, const arcl_batch *b, const run_plan *plan, int runs) {
    arcl_error error;
    double before = 0;
    for (int i = -1; i < runs; i++) {
        if (i == 0) before = stopwatch_now();
        arcl_result *result;
        if (run_many(c, 1, &p, &b, plan, &result, &error)) {
            fprintf(stderr, "regret: %s\n", error.message);
            exit(1);
        }
        arcl_result_free(result);
    }
    return (stopwatch_now() - before) * 1e9 / runs;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, int count, double q) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count ? values[(int)(q * (count - 1) + 0.5)] : NAN;
}

/* How long each way takes, roughly: the best of a few runs. */
static void screen(bench *b, const arcl_program *p, const arcl_batch *batch, const regret_ways *ways, double *ns) {
    double best = INFINITY;
    for (int w = 0; w < ways->count; w++) {
        ns[w] = time_of(b->context, p, batch, &ways->way[w].plan, 1);
        for (int i = 0; i < 2 && ns[w] < 2 * best; i++)
            ns[w] = fmin(ns[w], time_of(b->context, p, batch, &ways->way[w].plan, 1));
        best = fmin(best, ns[w]);
    }
}

/* The selected plan against another, again and again, one right after the other, so that both meet the same machine: the
 * median of the ratios of their times. *ns is what the selected one takes. */
static double duel(bench *b, const arcl_program *p, const arcl_batch *batch, const run_plan *selected,
                   const run_plan *other, double *ns) {
    double ratio[MOST_ROUNDS], took[MOST_ROUNDS], start = stopwatch_now();
    double one = time_of(b->context, p, batch, selected, 1);
    int runs = one < 50e3 ? (int)(50e3 / (one + 1)) + 1 : 1, rounds = 0;
    while (rounds < b->set.rounds && (rounds < 5 || stopwatch_now() - start < b->set.seconds)) {
        int first = rounds % 2; /* they take turns at being the first */
        double x = time_of(b->context, p, batch, first ? selected : other, runs);
        double y = time_of(b->context, p, batch, first ? other : selected, runs);
        took[rounds] = first ? x : y;
        ratio[rounds] = first ? x / y : y / x;
        rounds++;
    }
    *ns = quantile(took, rounds, 0.5);
    return quantile(ratio, rounds, 0.5);
}

/* The contender that is next best by the screening, and not the selected plan itself; -1: there is none any more. */
static int next_contender(const regret_ways *ways, const double *ns, const char *done, int same) {
    int best = -1;
    for (int w = 0; w < ways->count; w++)
        if (!done[w] && w != same && (best < 0 || ns[w] < ns[best])) best = w;
    return best;
}

static void measure(bench *b, const char *name, const arcl_program *p, const arcl_batch *batch) {
    static regret_ways ways;
    const run_plan *selected;
    arcl_error error;
    double ns[MOST_WAYS + 1];
    row *r = &b->rows[b->count++];
    if (selector_plan(b->context, p, batch, &selected, &error)) {
        fprintf(stderr, "regret: %s: %s\n", name, error.message);
        exit(1);
    }
    regret_ways_make(b->context, p, &ways);
    screen(b, p, batch, &ways, ns);
    *r = (row){.lanes = batch->lanes, .regret = 1, .predicted_ns = selected->predicted, .device_ns = INFINITY};
    snprintf(r->name, sizeof r->name, "%s", name);
    snprintf(r->selected, sizeof r->selected, "%s x%d, chunks of %u%s",
             selected->kind == ON_HOST    ? "host"
             : selected->kind == IN_PARTS ? "parts"
                                          : "device",
             selected->workers, selected->chunk, selected->kernels ? ", builds" : "");
    snprintf(r->best, sizeof r->best, "%s", r->selected);
    char done[MOST_WAYS] = {0};
    for (int i = 0, w; i < CONTENDERS && (w = next_contender(&ways, ns, done, regret_ways_find(&ways, selected))) >= 0;
         i++) {
        double ratio = duel(b, p, batch, selected, &ways.way[w].plan, &r->selected_ns);
        done[w] = 1;
        if (ratio <= r->regret) continue;
        r->regret = ratio;
        snprintf(r->best, sizeof r->best, "%s", ways.way[w].name);
    }
    for (int w = 0; w < ways.count; w++)
        if (ways.way[w].device == 1 && ways.way[w].plan.chunk == 0) r->device_ns = fmin(r->device_ns, ns[w]);
    if (b->file)
        fprintf(b->file, "%s\t%u\t%.4f\t%.0f\t%.0f\t%.0f\t%s\t%s\n", name, r->lanes, r->regret, r->selected_ns,
                r->predicted_ns, r->device_ns, r->selected, r->best);
    regret_ways_free(&ways);
}

/* ---- workloads ---- */

/* The inputs of a task in turn, with the colours 1 to 9 permuted. */
static arcl_batch *lanes_of(bench *b, const arc_task *task, uint32_t lanes) {
    arcl_batch *batch;
    signed char cells[30 * 30], colour[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    uint32_t random = 12345;
    if (arcl_batch_create(b->context, "grid", &batch, NULL)) exit(1);
    for (uint32_t n = 0; n < lanes; n++) {
        const task_grid *g = &task->examples[n % (uint32_t)task->count].input;
        for (int i = 9; i > 1; i--) {
            random = random * 1664525u + 1013904223u;
            int j = 1 + (int)(random >> 8) % i;
            signed char other = colour[i];
            colour[i] = colour[j];
            colour[j] = other;
        }
        for (int i = 0; i < g->h * g->w; i++) cells[i] = colour[(int)g->cells[i]];
        if (arcl_batch_add_grid(batch, g->h, g->w, cells, NULL)) exit(1);
    }
    return batch;
}

static void measure_programs(bench *b) {
    program_list programs;
    task_set tasks = {0};
    char *paths[1] = {(char *)b->set.programs};
    program_list_load(b->context, paths, 1, &programs);
    if (programs.bad || task_set_load(b->context, b->set.tasks, &tasks)) exit(2);
    for (int i = 0; i < programs.count; i += b->set.only)
        for (int n = 0; n < b->set.lane_counts; n++) {
            int task = task_set_match(&tasks, programs.entries[i].name);
            arcl_program *program;
            if (task < 0 || program_entry_compile(b->context, &programs.entries[i], 1, &program, NULL)) continue;
            arcl_batch *batch = lanes_of(b, tasks.tasks[task], b->set.lanes[n]);
            measure(b, programs.entries[i].name, program, batch);
            arcl_batch_free(batch);
            arcl_program_free(program);
        }
    task_set_free(&tasks);
    program_list_free(&programs);
}

static void measure_ops(bench *b) {
    for (int i = 0; i < arcl_op_count(); i += b->set.only)
        for (int n = 0; n < b->set.lane_counts; n++) {
            bench_case one;
            arcl_program *program;
            arcl_batch *batch;
            if (bench_case_make(i, &one) || bench_case_compile(b->context, &one, &program, NULL)) continue;
            if (bench_inputs_make(b->context, one.count, one.kinds, b->set.lanes[n], 10, &batch, NULL)) exit(1);
            measure(b, one.op, program, batch);
            arcl_batch_free(batch);
            arcl_program_free(program);
        }
}

/* ---- the result ---- */

static void print_lanes(const bench *b, uint32_t lanes) {
    double *regret = malloc((size_t)b->count * sizeof *regret), *faster = malloc((size_t)b->count * sizeof *faster),
           *error = malloc((size_t)b->count * sizeof *error);
    int n = 0;
    for (int i = 0; i < b->count; i++) {
        const row *r = &b->rows[i];
        if (lanes && r->lanes != lanes) continue;
        regret[n] = r->regret;
        faster[n] = r->device_ns / r->selected_ns;
        error[n++] = r->predicted_ns / r->selected_ns;
    }
    char label[16] = "all";
    if (lanes) snprintf(label, sizeof label, "%u", lanes);
    double least_error = quantile(error, n, 0.05), middle_error = quantile(error, n, 0.5);
    printf("%6s %6d   %6.3f %6.3f %6.3f %8.2f   %9.2f %9.2f   %7.2f %7.2f %7.2f\n", label, n, quantile(regret, n, 0.5),
           quantile(regret, n, 0.95), quantile(regret, n, 0.99), quantile(regret, n, 1), quantile(faster, n, 0.05),
           quantile(faster, n, 0.5), least_error, middle_error, quantile(error, n, 0.95));
    free(regret);
    free(faster);
    free(error);
}

static void print_all(const bench *b) {
    printf("%6s %6s   %6s %6s %6s %8s   %9s %9s   %s\n", "", "", "regret", "", "", "", "faster than cl:0", "",
           "predicted over taken");
    printf("%6s %6s   %6s %6s %6s %8s   %9s %9s   %7s %7s %7s\n", "lanes", "runs", "median", "95%", "99%", "most", "5%",
           "median", "5%", "median", "95%");
    for (int n = 0; n < b->set.lane_counts; n++) print_lanes(b, b->set.lanes[n]);
    print_lanes(b, 0);
}

static void parse_lanes(const char *text, settings *s) {
    for (s->lane_counts = 0; *text && s->lane_counts < 16; text += *text == ',')
        s->lanes[s->lane_counts++] = (uint32_t)strtoul(text, (char **)&text, 10);
}

static settings parse(int argc, char **argv) {
    settings s = {.only = 1, .rounds = 31, .seconds = 0.1};
    static const struct option options[] = {
        {"programs", 1, NULL, 'p'}, {"tasks", 1, NULL, 't'},  {"profile", 1, NULL, 'f'}, {"lanes", 1, NULL, 'l'},
        {"only", 1, NULL, 'n'},     {"rounds", 1, NULL, 'r'}, {"rows", 1, NULL, 'o'},    {"ops", 0, NULL, 'a'},
        {"seconds", 1, NULL, 's'},  {NULL, 0, NULL, 0}};
    parse_lanes("1,4,20,100,1000,10000", &s);
    for (int code; (code = getopt_long(argc, argv, "", options, NULL)) != -1;) switch (code) {
        case 'p': s.programs = optarg; break;
        case 't': s.tasks = optarg; break;
        case 'f': s.profile = optarg; break;
        case 'l': parse_lanes(optarg, &s); break;
        case 'n': s.only = atoi(optarg) > 0 ? atoi(optarg) : 1; break;
        case 'r': s.rounds = atoi(optarg) < MOST_ROUNDS ? atoi(optarg) : MOST_ROUNDS; break;
        case 's': s.seconds = atof(optarg); break;
        case 'o': s.rows = optarg; break;
        case 'a': s.ops = 1; break;
        default: exit(2);
        }
    if (!s.ops && (!s.programs || !s.tasks)) {
        fprintf(stderr, "usage: regret --programs FILE --tasks DIR [--profile FILE] [--lanes 1,4,20] [--only N] "
                        "[--rounds N] [--seconds S] [--rows FILE] [--ops]\n");
        exit(2);
    }
    return s;
}

int main(int argc, char **argv) {
    bench b = {.set = parse(argc, argv), .rows = calloc(MOST_ROWS, sizeof *b.rows)};
    arcl_options options = {.profile = b.set.profile, .frozen = 1};
    arcl_error error;
    if (!b.rows || arcl_context_create(&options, &b.context, &error) || !selector_profile(b.context, &error)) {
        fprintf(stderr, "regret: %s\n", error.message);
        return 2;
    }
    selector_open_all(b.context);
    if (*arcl_profile_notice(b.context)) fprintf(stderr, "regret: %s\n", arcl_profile_notice(b.context));
    b.file = b.set.rows ? fopen(b.set.rows, "w") : NULL;
    if (b.set.programs) measure_programs(&b);
    if (b.set.ops) measure_ops(&b);
    print_all(&b);
    if (b.file) fclose(b.file);
    free(b.rows);
    arcl_context_free(b.context);
    return 0;
}
