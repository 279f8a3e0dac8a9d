/* What a search finds: every task of a folder, each without its own program among the donors, with so many candidates
 * or so much time a task. Prints a line for every task, and sums: of all, of the tasks that the search was made with,
 * and of those that were kept aside meanwhile, which are those whose id has an MD5 that is divisible by four. */
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arcl.h"
#include "arcl_search.h"
#include "data/md5.h"

static const char usage[] =
    "search_tasks TASKS SOLVERS.py [options]\n"
    "  --seconds S      a task: of the processor, that the searching thread has had (its own clock, so that a busy\n"
    "                   machine makes no difference, but for its caches), reading donors and learning included\n"
    "  --candidates N   a task, if they come first; without --seconds 1000000\n"
    "  --part K/N       every Nth task, from the Kth on\n"
    "  --every N        every Nth of the tasks that are left\n"
    "  --only \"ID ..\"  only these\n"
    "  --aside N        1: only those that were kept aside; 0: only the others\n"
    "  --stages MASK    1 donors, 2 edits, 4 values, 8 goals, 16 stacks; 0: all\n"
    "  --seed N         of the edits\n"
    "  --memory BYTES   of a search\n"
    "  --library FILE   what arcl learn has written, instead of what the donors teach\n"
    "  --programs N     the best answers, as programs\n";

typedef struct settings {
    const char *tasks, *solvers, *only, *library;
    uint64_t candidates, seed, memory;
    double seconds;
    unsigned stages;
    int every, programs, part, parts, aside;
} settings;

typedef struct loaded_task {
    arcl_grid inputs[ARCL_SEARCH_INPUTS], outputs[ARCL_SEARCH_INPUTS];
    int train, test;
} loaded_task;

static void fail(const char *what) {
    fprintf(stderr, "search_tasks: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
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

static void print_programs(arcl_context *context, const arcl_search *s, const loaded_task *t, int count) {
    for (int i = 0; i < arcl_search_answers(s) && i < count; i++) {
        arcl_search_answer a = arcl_search_answer_get(s, i);
        char *text;
        if (arcl_tree_format(context, a.tree, "found", ARCL_DIALECT_AUTO, 0, &text, NULL, NULL)) continue;
        printf("# %d examples, %u cells, %s, %d agree, %s\n%s", a.examples, a.cells, arcl_search_stage_name(a.stage),
               a.agreeing, answer_is_right(&a, t) ? "right" : "wrong", text);
        arcl_text_free(text);
    }
}

#define STEP 10000 /* candidates between two looks at the clock */

static outcome run_task(arcl_context *context, const settings *o, const loaded_task *t, const arcl_library *library,
                        const arcl_tree *const *trees, int count) {
    arcl_search_task task = {t->train, t->test, t->inputs, t->outputs};
    arcl_search_options options = {.donors = trees,
                                   .donor_count = count,
                                   .stages = o->stages,
                                   .seed = o->seed,
                                   .memory = o->memory,
                                   .library = library};
    arcl_search *search;
    arcl_error error;
    outcome result = {0};
    double begun = now();
    if (arcl_search_create(context, &task, &options, &search, &error)) fail(error.message);
    for (uint64_t n = 0; n < o->candidates && (!o->seconds || now() - begun < o->seconds);) {
        uint64_t step = o->seconds ? STEP : o->candidates;
        n = n + step < o->candidates ? n + step : o->candidates;
        if (arcl_search_run(search, n, &error)) fail(error.message);
        if (arcl_search_progress_get(search).is_over) break;
        if (n < arcl_search_progress_get(search).candidates) n = arcl_search_progress_get(search).candidates;
    }
    result.seconds = now() - begun;
    result.progress = arcl_search_progress_get(search);
    result.solved = is_right(search, t);
    result.fits = result.progress.solved > 0;
    find_right(search, t, &result);
    print_programs(context, search, t, o->programs);
    arcl_search_free(search);
    return result;
}

/* ---- all of them ---- */

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static int is_aside(const char *id) {
    char digits[MD5_DIGITS + 1];
    md5_text(id, strlen(id), digits);
    return strchr("048c", digits[MD5_DIGITS - 1]) != NULL;
}

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
        if (o->aside >= 0 && is_aside(id[i]) != o->aside) continue;
        int number = n++;
        if (number % o->every == 0 && number / o->every % o->parts == o->part) memmove(id[kept++], id[i], sizeof *id);
    }
    return kept;
}

/* ---- sums ---- */

typedef struct sums {
    int tasks, solved, fitting;
    double seconds;
    uint64_t candidates;
    double rate[1000][ARCL_SEARCH_STAGE_COUNT]; /* candidates a second, of each task */
    int by[ARCL_SEARCH_STAGE_COUNT];            /* solved by a program of that stage */
} sums;

static void add_outcome(sums *s, const outcome *o) {
    for (int k = 0; k < ARCL_SEARCH_STAGE_COUNT; k++) {
        double seconds = o->progress.stage[k].seconds;
        s->rate[s->tasks][k] = seconds > 0 ? (double)o->progress.stage[k].candidates / seconds : 0;
        s->by[k] += o->solved && strcmp(o->right, o->progress.stage[k].name) == 0;
    }
    s->tasks++;
    s->solved += o->solved;
    s->fitting += o->fits;
    s->seconds += o->seconds;
    s->candidates += o->progress.candidates;
}

static int by_rate(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_sums(const char *what, const sums *s) {
    double rate[1000];
    if (!s->tasks) return;
    printf("%s: %d of %d solved by two attempts, %d have all train examples right; %.2f s a task, %.0f candidates/s\n",
           what, s->solved, s->tasks, s->fitting, s->seconds / s->tasks, (double)s->candidates / s->seconds);
    for (int k = 0; k < ARCL_SEARCH_STAGE_COUNT; k++) {
        for (int i = 0; i < s->tasks; i++) rate[i] = s->rate[i][k];
        qsort(rate, (size_t)s->tasks, sizeof *rate, by_rate);
        if (rate[s->tasks - 1] > 0 || s->by[k])
            printf(
                "    %-9s solved %d; candidates/s in the median task %.0f (a tenth of the tasks have less than %.0f)\n",
                arcl_search_stage_name((arcl_search_stage)k), s->by[k], rate[s->tasks / 2], rate[s->tasks / 10]);
    }
}

static void print_outcome(const char *id, const outcome *r) {
    const char *how = r->solved ? "solved" : r->fits ? "WRONG" : "-";
    printf("%s %-7s best by %s, right at %d by %s;", id, how, r->best, r->rank, r->right);
    for (int k = 0; k < ARCL_SEARCH_STAGE_COUNT; k++)
        if (r->progress.stage[k].candidates || r->progress.stage[k].answers)
            printf(" %s %llu:%d in %.2f s", r->progress.stage[k].name,
                   (unsigned long long)r->progress.stage[k].candidates, r->progress.stage[k].answers,
                   r->progress.stage[k].seconds);
    printf("; %llu distinct, %.0f /s, %.2f s\n", (unsigned long long)r->progress.distinct,
           (double)r->progress.candidates / r->seconds, r->seconds);
    fflush(stdout);
}

static arcl_library *read_library(arcl_context *context, const char *path) {
    arcl_library *library;
    arcl_error error;
    size_t length;
    char *text = read_text(path, &length);
    if (arcl_library_read(context, text, length, path, &library, &error)) fail(error.message);
    free(text);
    return library;
}

static void run_all(const settings *o) {
    static char id[1000][16];
    static sums all, made_with, aside;
    int count = list_tasks(o, id);
    donors given = {0};
    arcl_options context_options = {.threads = 1};
    arcl_context *context;
    if (arcl_context_create(&context_options, &context, NULL)) fail("no context");
    read_donors(context, o->solvers, &given);
    arcl_library *library = o->library ? read_library(context, o->library) : NULL;
    const arcl_tree **trees = malloc((size_t)(given.count + 1) * sizeof *trees);
    if (!trees) fail("no memory");
    for (int i = 0; i < count; i++) {
        char path[1024];
        int others = 0;
        snprintf(path, sizeof path, "%.900s/%.8s.json", o->tasks, id[i]);
        for (int k = 0; k < given.count; k++)
            if (!strstr(given.name[k], id[i])) trees[others++] = given.tree[k];
        loaded_task t = read_task(path);
        outcome r = run_task(context, o, &t, library, trees, others);
        add_outcome(&all, &r);
        add_outcome(is_aside(id[i]) ? &aside : &made_with, &r);
        print_outcome(id[i], &r);
        for (int k = 0; k < t.train + t.test; k++) {
            free((void *)t.inputs[k].cells);
            free((void *)t.outputs[k].cells);
        }
    }
    print_sums("made with", &made_with);
    print_sums("kept aside", &aside);
    print_sums("all", &all);
    for (int k = 0; k < given.count; k++) arcl_tree_free(given.tree[k]);
    free(given.tree);
    free(given.name);
    free(trees);
    arcl_library_free(library);
    arcl_context_free(context);
}

/* ---- the command line ---- */

static void set_part(settings *o, const char *value) {
    if (sscanf(value, "%d/%d", &o->part, &o->parts) != 2 || o->part < 1 || o->part > o->parts) fail("--part K/N");
    o->part--;
}

static int set_option(settings *o, const char *name, const char *value) {
    if (!strcmp(name, "--candidates"))
        o->candidates = strtoull(value, NULL, 10);
    else if (!strcmp(name, "--seconds"))
        o->seconds = strtod(value, NULL);
    else if (!strcmp(name, "--stages"))
        o->stages = (unsigned)strtoul(value, NULL, 0);
    else if (!strcmp(name, "--every"))
        o->every = atoi(value);
    else if (!strcmp(name, "--only"))
        o->only = value;
    else if (!strcmp(name, "--aside"))
        o->aside = atoi(value);
    else if (!strcmp(name, "--seed"))
        o->seed = strtoull(value, NULL, 10);
    else if (!strcmp(name, "--memory"))
        o->memory = strtoull(value, NULL, 10);
    else if (!strcmp(name, "--library"))
        o->library = value;
    else if (!strcmp(name, "--programs"))
        o->programs = atoi(value);
    else if (!strcmp(name, "--part"))
        set_part(o, value);
    else
        return 0;
    return 1;
}

int main(int argc, char **argv) {
    settings o = {.every = 1, .parts = 1, .aside = -1};
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc < 3) fail(usage);
    o.tasks = argv[1];
    o.solvers = argv[2];
    for (int i = 3; i < argc; i++) {
        if (i + 1 == argc || !set_option(&o, argv[i], argv[i + 1]))
            fail(usage);
        else
            i++;
    }
    if (!o.candidates) o.candidates = o.seconds > 0 ? UINT64_MAX : 1000000;
    if (o.every < 1) fail("--every must be at least 1");
    run_all(&o);
    return 0;
}
