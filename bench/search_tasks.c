/* What a search finds: every task of a folder, each without its own program among the donors, with so many candidates
 * or so many seconds a task. Prints a line for every task and a sum; an ablation is a mask of stages.
 *
 *     build/bench/search_tasks TASKS SOLVERS.py --candidates 1000000 [--seconds S] [--stages MASK]
 *                              [--every N] [--only "ID ID .."] [--programs] */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arcl.h"
#include "arcl_search.h"

typedef struct settings {
    const char *tasks, *solvers, *only;
    uint64_t candidates;
    double seconds;
    unsigned stages;
    int every, programs;
} settings;

typedef struct loaded_task {
    arcl_grid inputs[ARCL_SEARCH_INPUTS], outputs[ARCL_SEARCH_INPUTS];
    int train, test;
} loaded_task;

static void fail(const char *what) {
    fprintf(stderr, "search_tasks: %s\n", what);
    exit(1);
}

/* Of this process alone: how busy the machine is makes no difference. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- reading ---- */

static arcl_grid read_grid(const json_t *rows) {
    int h = (int)json_array_size(rows), w = (int)json_array_size(json_array_get(rows, 0));
    signed char *cells = malloc((size_t)(h * w) + 1);
    if (!cells) fail("no memory");
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            cells[i * w + j] =
                (signed char)json_integer_value(json_array_get(json_array_get(rows, (size_t)i), (size_t)j));
    return (arcl_grid){h, w, cells};
}

static loaded_task read_task(const char *path) {
    loaded_task t = {0};
    json_t *root = json_load_file(path, 0, NULL), *train = json_object_get(root, "train");
    json_t *test = json_object_get(root, "test"), *pair;
    size_t i;
    if (!root || json_array_size(train) + json_array_size(test) > ARCL_SEARCH_INPUTS) fail(path);
    json_array_foreach(train, i, pair) {
        t.inputs[t.train] = read_grid(json_object_get(pair, "input"));
        t.outputs[t.train++] = read_grid(json_object_get(pair, "output"));
    }
    json_array_foreach(test, i, pair) {
        t.inputs[t.train + t.test] = read_grid(json_object_get(pair, "input"));
        t.outputs[t.train + t.test++] = read_grid(json_object_get(pair, "output"));
    }
    json_decref(root);
    return t;
}

static char *read_text(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    if (!f) fail(path);
    char *text = malloc(1 << 24);
    if (!text) fail("no memory");
    *length = fread(text, 1, 1 << 24, f);
    fclose(f);
    return text;
}

/* ---- one task ---- */

typedef struct donors {
    arcl_tree **tree;
    char (*name)[64];
    int count;
} donors;

static void read_donors(arcl_context *context, const char *path, donors *d) {
    size_t length;
    char *text = read_text(path, &length);
    arcl_source *source;
    arcl_error error;
    if (arcl_source_parse(context, text, length, path, &source, &error)) fail(error.message);
    int count = arcl_source_count(source);
    d->tree = calloc((size_t)count + 1, sizeof *d->tree);
    d->name = calloc((size_t)count + 1, sizeof *d->name);
    if (!d->tree || !d->name) fail("no memory");
    for (int i = 0; i < count; i++) {
        arcl_source_name(source, i, d->name[d->count], sizeof *d->name);
        if (arcl_tree_from_source(context, source, i, &d->tree[d->count], &error))
            fprintf(stderr, "%s\n", error.message);
        else
            d->count++;
    }
    arcl_source_free(source);
    free(text);
}

typedef struct outcome {
    int solved, fits;         /* the test outputs; the train outputs */
    int rank;                 /* of the first answer that is right, from 1 on; 0: none is */
    const char *best, *right; /* the stages of the first answer and of that */
    double seconds;
    arcl_search_progress progress;
} outcome;

static int is_right(const arcl_search *s, const loaded_task *t) {
    for (int i = 0; i < t->test; i++) {
        arcl_grid attempt[ARCL_SEARCH_ATTEMPTS], want = t->outputs[t->train + i];
        int n = arcl_search_attempts(s, i, attempt), right = 0;
        for (int k = 0; k < n; k++)
            right |= attempt[k].h == want.h && attempt[k].w == want.w &&
                     memcmp(attempt[k].cells, want.cells, (size_t)(want.h * want.w)) == 0;
        if (!right) return 0;
    }
    return 1;
}

static int answer_is_right(const arcl_search_answer *a, const loaded_task *t) {
    for (int i = 0; i < t->test; i++) {
        arcl_grid have = a->outputs[t->train + i], want = t->outputs[t->train + i];
        if (have.h != want.h || have.w != want.w || memcmp(have.cells, want.cells, (size_t)(want.h * want.w))) return 0;
    }
    return 1;
}

static void find_right(const arcl_search *s, const loaded_task *t, outcome *o) {
    o->best = o->right = "-";
    for (int i = 0; i < arcl_search_answers(s) && !o->rank; i++) {
        arcl_search_answer a = arcl_search_answer_get(s, i);
        if (i == 0) o->best = arcl_search_stage_name(a.stage);
        if (!answer_is_right(&a, t)) continue;
        o->rank = i + 1;
        o->right = arcl_search_stage_name(a.stage);
    }
}

static void print_programs(arcl_context *context, const arcl_search *s) {
    for (int i = 0; i < arcl_search_answers(s) && i < 4; i++) {
        arcl_search_answer a = arcl_search_answer_get(s, i);
        char *text;
        if (arcl_tree_format(context, a.tree, "found", ARCL_DIALECT_AUTO, 0, &text, NULL, NULL)) continue;
        printf("# %d examples, %u cells, %s, %d agree\n%s", a.examples, a.cells, arcl_search_stage_name(a.stage),
               a.agreeing, text);
        arcl_text_free(text);
    }
}

static outcome run_task(arcl_context *context, const settings *o, const loaded_task *t, const arcl_tree *const *trees,
                        int count) {
    arcl_search_task task = {t->train, t->test, t->inputs, t->outputs};
    arcl_search_options options = {.donors = trees, .donor_count = count, .stages = o->stages};
    arcl_search *search;
    arcl_error error;
    outcome result = {0};
    double begun = now();
    if (arcl_search_create(context, &task, &options, &search, &error)) fail(error.message);
    for (uint64_t n = 0; n < o->candidates && (o->seconds <= 0 || now() - begun < o->seconds);) {
        uint64_t step = o->seconds > 0 ? o->candidates / 200 + 1 : o->candidates;
        n = n + step < o->candidates ? n + step : o->candidates;
        if (arcl_search_run(search, n, &error)) fail(error.message);
        if (arcl_search_progress_get(search).is_over) break;
    }
    result.seconds = now() - begun;
    result.progress = arcl_search_progress_get(search);
    result.solved = is_right(search, t);
    result.fits = result.progress.solved > 0;
    find_right(search, t, &result);
    if (o->programs) print_programs(context, search);
    arcl_search_free(search);
    return result;
}

/* ---- all of them ---- */

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static int list_tasks(const settings *o, char (*id)[16]) {
    DIR *dir = opendir(o->tasks);
    int count = 0, kept = 0;
    if (!dir) fail(o->tasks);
    for (const struct dirent *e; (e = readdir(dir)) && count < 1000;)
        if (strlen(e->d_name) == 13 && strcmp(e->d_name + 8, ".json") == 0)
            snprintf(id[count++], sizeof *id, "%.8s", e->d_name);
    closedir(dir);
    qsort(id, (size_t)count, sizeof *id, by_name);
    for (int i = 0, n = 0; i < count; i++) {
        if (o->only && !strstr(o->only, id[i])) continue;
        if (n++ % o->every == 0) memmove(id[kept++], id[i], sizeof *id);
    }
    return kept;
}

static void run_all(const settings *o) {
    static char id[1000][16];
    int count = list_tasks(o, id), solved = 0, fitting = 0;
    donors all = {0};
    arcl_options context_options = {.threads = 1};
    arcl_context *context;
    uint64_t candidates = 0;
    double seconds = 0;
    if (arcl_context_create(&context_options, &context, NULL)) fail("no context");
    read_donors(context, o->solvers, &all);
    const arcl_tree **trees = malloc((size_t)(all.count + 1) * sizeof *trees);
    if (!trees) fail("no memory");
    for (int i = 0; i < count; i++) {
        char path[1024];
        int others = 0;
        snprintf(path, sizeof path, "%.900s/%.8s.json", o->tasks, id[i]);
        for (int k = 0; k < all.count; k++)
            if (!strstr(all.name[k], id[i])) trees[others++] = all.tree[k];
        loaded_task t = read_task(path);
        outcome r = run_task(context, o, &t, trees, others);
        solved += r.solved;
        fitting += r.fits;
        seconds += r.seconds;
        candidates += r.progress.candidates;
        printf("%s %-7s best by %s, right at %d by %s;", id[i],
               r.solved ? "solved"
               : r.fits ? "WRONG"
                        : "-",
               r.best, r.rank, r.right);
        for (int k = 0; k < ARCL_SEARCH_STAGE_COUNT; k++)
            printf(" %s %llu:%d", r.progress.stage[k].name, (unsigned long long)r.progress.stage[k].candidates,
                   r.progress.stage[k].answers);
        printf("  %llu distinct, %.0f /s, %.2f s\n", (unsigned long long)r.progress.distinct,
               (double)r.progress.candidates / r.seconds, r.seconds);
        fflush(stdout);
        for (int k = 0; k < t.train + t.test; k++) {
            free((void *)t.inputs[k].cells);
            free((void *)t.outputs[k].cells);
        }
    }
    printf("%d of %d solved, %d fit the train examples; %.0f candidates/s, %.2f s a task\n", solved, count, fitting,
           (double)candidates / seconds, seconds / count);
    for (int k = 0; k < all.count; k++) arcl_tree_free(all.tree[k]);
    free(all.tree);
    free(all.name);
    free(trees);
    arcl_context_free(context);
}

int main(int argc, char **argv) {
    settings o = {.every = 1, .candidates = 1000000};
    if (argc < 3) fail("TASKS SOLVERS.py [options]");
    o.tasks = argv[1];
    o.solvers = argv[2];
    for (int i = 3; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--programs")) {
            o.programs = 1;
            continue;
        }
        if (!strcmp(argv[i], "--candidates")) o.candidates = strtoull(value, NULL, 10);
        if (!strcmp(argv[i], "--seconds")) o.seconds = strtod(value, NULL);
        if (!strcmp(argv[i], "--stages")) o.stages = (unsigned)strtoul(value, NULL, 0);
        if (!strcmp(argv[i], "--every")) o.every = atoi(value);
        if (!strcmp(argv[i], "--only")) o.only = value;
        i++;
    }
    if (o.every < 1) fail("--every must be at least 1");
    run_all(&o);
    return 0;
}
