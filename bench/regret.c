/* Regret: how much longer the selected plan takes than the best of all that were tried, over the programs of a file and
 * the examples of their tasks, and over single ops. All ways are tried; the best three then meet the selected plan
 * again and again, run by run, so that whatever else the machine does meets both alike.
 *
 *   regret --programs FILE --tasks DIR [--profile FILE] [--lanes 1,4,20] [--only N] [--rounds N] [--rows FILE] [--ops]
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/messages.h"
#include "cli/stopwatch.h"
#include "commands/bench/bench_case.h"
#include "data/json_file.h"
#include "data/program_files.h"
#include "data/task_file.h"
#include "plan/selector.h"
#include "profile/profile.h"
#include "regret_ways.h"
#include "run/context.h"

#define LONG_RUN 0.02 /* seconds */

enum { MOST_ROWS = 20000, MOST_ROUNDS = 101, CONTENDERS = 3, LARGE_BATCH = 5000, SLICE = 20, MORE = 100 };

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

static void run_once(arcl_context *c, const arcl_program *p, const arcl_batch *b, const run_plan *plan) {
    arcl_error error;
    arcl_result *result;
    const run_request request = {1, &p, &b, YIELD_OUTPUTS, NULL};
    if (run_by_plans(c, &request, plan, &result, &error)) {
        fprintf(stderr, "regret: %s\n", error.message);
        exit(1);
    }
    arcl_result_free(result);
}

/* Several runs at once where one is too short for the clock, after one that warms up: the way before was another. A
 * long run needs no warming up. */
static double time_of(arcl_context *c, const arcl_program *p, const arcl_batch *b, const run_plan *plan, int runs) {
    double before = stopwatch_now();
    run_once(c, p, b, plan);
    double first = stopwatch_now() - before;
    if (first > LONG_RUN) return first * 1e9;
    before = stopwatch_now();
    for (int i = 0; i < runs; i++) run_once(c, p, b, plan);
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

/* What takes seconds is tried on a tenth of the lanes first: a way that is far behind there is not tried on all of
 * them. */
static void screen_part(bench *b, const arcl_program *p, const arcl_batch *part, const regret_ways *ways,
                        char *hopeless) {
    double best = INFINITY, ns[MOST_WAYS];
    for (int w = 0; w < ways->count; w++) {
        ns[w] = time_of(b->context, p, part, &ways->way[w].plan, 1);
        best = fmin(best, ns[w]);
    }
    for (int w = 0; w < ways->count; w++)
        hopeless[w] = ns[w] > LONG_RUN * 1e9 && ns[w] > 2 * best && ways->way[w].device != 1;
}

/* How long each way takes, roughly: the best of a few runs. */
static void screen(bench *b, const arcl_program *p, const arcl_batch *batch, const arcl_batch *part,
                   const regret_ways *ways, double *ns) {
    double best = INFINITY;
    char hopeless[MOST_WAYS] = {0};
    if (part) screen_part(b, p, part, ways, hopeless);
    for (int w = 0; w < ways->count; w++) {
        ns[w] = INFINITY;
        if (hopeless[w]) continue;
        ns[w] = time_of(b->context, p, batch, &ways->way[w].plan, 1);
        for (int i = 0; i < 2 && ns[w] < 2 * best; i++)
            ns[w] = fmin(ns[w], time_of(b->context, p, batch, &ways->way[w].plan, 1));
        best = fmin(best, ns[w]);
    }
}

/* The selected plan against another, again and again, one right after the other, so that both meet the same machine:
 * the median of the ratios of their times. *ns is what the selected one takes. */
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
        if (!done[w] && w != same && isfinite(ns[w]) && (best < 0 || ns[w] < ns[best])) best = w;
    return best;
}

/* `part` is a part of a large batch, or NULL. */
static void measure(bench *b, const char *name, const arcl_program *p, const arcl_batch *batch,
                    const arcl_batch *part) {
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
    screen(b, p, batch, part, &ways, ns);
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
    if (b->file) {
        fprintf(b->file, "%s\t%u\t%.4f\t%.0f\t%.0f\t%.0f\t%s\t%s\n", name, r->lanes, r->regret, r->selected_ns,
                r->predicted_ns, r->device_ns, r->selected, r->best);
        fflush(b->file); /* it may be watched, or interrupted */
    }
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

static void measure_program(bench *b, const program_entry *entry, const arc_task *task) {
    for (int n = 0; n < b->set.lane_counts; n++) {
        uint32_t lanes = b->set.lanes[n];
        arcl_program *program;
        if (program_entry_compile(b->context, entry, 1, &program, NULL)) return;
        arcl_batch *batch = lanes_of(b, task, lanes),
                   *part = lanes < LARGE_BATCH ? NULL : lanes_of(b, task, lanes / 10);
        measure(b, entry->name, program, batch, part);
        arcl_batch_free(batch);
        arcl_batch_free(part);
        arcl_program_free(program);
    }
}

/* Some programs from the first on; whether there are more. */
static int measure_programs(bench *b, int first) {
    program_list programs;
    task_set tasks = {0};
    char *paths[1] = {(char *)b->set.programs};
    program_list_load(b->context, NULL, paths, 1, &programs);
    if (programs.bad || task_set_load(b->context, &b->set.tasks, 1, &tasks)) exit(2);
    int end = first + SLICE * b->set.only, more = end < programs.count;
    for (int i = first; i < programs.count && i < end; i += b->set.only) {
        int task = task_set_match(&tasks, programs.entries[i].name);
        message_progress("programs", (uint64_t)i, (uint64_t)programs.count);
        if (task >= 0) measure_program(b, &programs.entries[i], tasks.tasks[task]);
    }
    task_set_free(&tasks);
    program_list_free(&programs);
    return more;
}

static int measure_ops(bench *b, int first) {
    int end = first + SLICE * b->set.only;
    for (int i = first; i < arcl_op_count() && i < end; i += b->set.only) {
        message_progress("ops", (uint64_t)i, (uint64_t)arcl_op_count());
        for (int n = 0; n < b->set.lane_counts; n++) {
            bench_case one;
            arcl_program *program;
            arcl_batch *batch;
            if (bench_case_make(i, &one) || bench_case_compile(b->context, &one, &program, NULL)) continue;
            if (bench_inputs_make(b->context, one.count, one.kinds, b->set.lanes[n], 10, &batch, NULL, NULL)) exit(1);
            measure(b, one.op, program, batch, NULL);
            arcl_batch_free(batch);
            arcl_program_free(program);
        }
    }
    return end < arcl_op_count();
}

/* ---- slices ---- */

typedef int slice_of(bench *b, int first);

static void open_context(bench *b) {
    arcl_options options = {.profile = b->set.profile, .frozen = 1};
    arcl_error error;
    if (arcl_context_create(&options, &b->context, &error) || !selector_profile(b->context, &error)) {
        fprintf(stderr, "regret: %s\n", error.message);
        exit(2);
    }
    selector_open_all(b->context);
    if (*arcl_profile_notice(b->context)) fprintf(stderr, "regret: %s\n", arcl_profile_notice(b->context));
}

/* In the child: what was measured goes to the parent. */
static int run_slice(bench *b, slice_of *measure_slice, int first, int out) {
    b->count = 0;
    open_context(b);
    int more = measure_slice(b, first);
    message_progress_end();
    arcl_context_free(b->context);
    const char *bytes = (const char *)b->rows;
    for (size_t left = (size_t)b->count * sizeof *b->rows; left;) {
        ssize_t written = write(out, bytes, left);
        if (written <= 0) return 1;
        bytes += written;
        left -= (size_t)written;
    }
    return more ? MORE : 0;
}

static void take_rows(bench *b, int in) {
    char *bytes = (char *)&b->rows[b->count];
    size_t got = 0, room = (size_t)(MOST_ROWS - b->count) * sizeof *b->rows;
    for (ssize_t n; (n = read(in, bytes + got, room - got)) > 0;) got += (size_t)n;
    b->count += (int)(got / sizeof *b->rows);
}

/* A process for every slice. PoCL 3.1 counts the users of a kernel on its pthread device wrongly, so that none is ever
 * given up; once there are 128 of them, its basic device loads kernels anew for every launch, which takes a hundred
 * times as long. */
static void measure_all(bench *b, slice_of *measure_slice) {
    for (int first = 0, more = 1; more; first += SLICE * b->set.only) {
        int ends[2], status;
        if (pipe(ends)) exit(1);
        pid_t child = fork();
        if (child < 0) exit(1);
        if (child == 0) {
            close(ends[0]);
            exit(run_slice(b, measure_slice, first, ends[1]));
        }
        close(ends[1]);
        take_rows(b, ends[0]);
        close(ends[0]);
        if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) exit(1);
        more = WEXITSTATUS(status) == MORE;
        if (WEXITSTATUS(status) && !more) exit(WEXITSTATUS(status));
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
    if (!b.rows) return 1;
    json_file_prepare();
    if (b.set.rows && !(b.file = fopen(b.set.rows, "w"))) {
        perror(b.set.rows);
        return 2;
    }
    if (b.set.programs) measure_all(&b, measure_programs);
    if (b.set.ops) measure_all(&b, measure_ops);
    print_all(&b);
    if (b.file) fclose(b.file);
    free(b.rows);
    return 0;
}
