/* How many mutants a second one core tries: mutated, dropped where they were there before, compiled, and scored on the
 * train examples of a task.
 *
 *     build/bench/mutation SOLVERS.py TASK.json [COUNT [GROUP [RATE [text]]]]
 *
 * The parents are all definitions of the file, in turn. Candidates count as `arcl search` counts them: every mutant is
 * one, also if it was there before or does not compile. GROUP programs are scored in one call. With
 * `text`, every mutant is written, parsed and compiled, whether or not it was there before, as one had to without
 * trees. */
#include <arcl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_GROUP 4096

static void stop(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static arcl_error error;
#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != ARCL_SUCCESS) stop(error.message);                                                               \
    } while (0)

static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What takes how long is asked for often, of a clock that is quick to read. */
static double now(void) { return seconds_of(CLOCK_MONOTONIC); }

/* ---- what there is ---- */

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *text = malloc(16 << 20);
    if (!file || !text) stop(path);
    *length = fread(text, 1, 16 << 20, file);
    fclose(file);
    return text;
}

static void add_grid(arcl_batch *batch, const json_t *grid) {
    static signed char cells[900];
    int h = (int)json_array_size(grid), w = (int)json_array_size(json_array_get(grid, 0));
    if (h < 1 || h > 30 || w < 1 || w > 30) stop("no grid of a task");
    for (int i = 0; i < h * w; i++)
        cells[i] =
            (signed char)json_integer_value(json_array_get(json_array_get(grid, (size_t)(i / w)), (size_t)(i % w)));
    MUST(arcl_batch_add_grid(batch, h, w, cells, &error));
}

static void read_task(const char *path, arcl_batch *inputs, arcl_batch *outputs) {
    json_t *task = json_load_file(path, 0, NULL), *pair;
    size_t i;
    json_array_foreach(json_object_get(task, "train"), i, pair) {
        add_grid(inputs, json_object_get(pair, "input"));
        add_grid(outputs, json_object_get(pair, "output"));
    }
    if (!arcl_batch_lanes(inputs)) stop("no task");
    json_decref(task);
}

/* A mutator of all programs of a file. */
static arcl_mutator *read_parents(arcl_context *context, const char *path, double rate) {
    size_t length;
    char *text = read_file(path, &length);
    arcl_source *source;
    arcl_mutator *mutator;
    MUST(arcl_source_parse(context, text, length, path, &source, &error));
    arcl_mutator_options options = {.dialect = arcl_source_dialect(source), .rate = rate};
    MUST(arcl_mutator_create(context, &options, &mutator, &error));
    for (int i = 0; i < arcl_source_count(source); i++) {
        arcl_tree *tree;
        if (arcl_tree_from_source(context, source, i, &tree, NULL) != ARCL_SUCCESS) continue;
        MUST(arcl_mutator_add(mutator, tree, &error));
        arcl_tree_free(tree);
    }
    arcl_source_free(source);
    free(text);
    if (!arcl_mutator_parents(mutator)) stop("no programs");
    return mutator;
}

/* ---- what was there before: keys, in a table that is large enough ---- */

typedef struct key_set {
    uint64_t *at, slots;
} key_set;

/* 1 if it is new. */
static int remember(key_set *s, arcl_key key) {
    uint64_t h = key.low, low = key.low | !key.low;
    while (s->at[h & (s->slots - 1)] && s->at[h & (s->slots - 1)] != low) h++;
    if (s->at[h & (s->slots - 1)]) return 0;
    s->at[h & (s->slots - 1)] = low;
    return 1;
}

/* ---- the loop ---- */

typedef struct tally {
    long candidates, repeats, rejected, scored, solved;
    double mutate, compile, score;
} tally;

static void score_group(arcl_context *context, int count, arcl_program **programs, const arcl_batch *inputs,
                        const arcl_batch *outputs, tally *t) {
    static const arcl_batch *in[MOST_GROUP], *out[MOST_GROUP];
    static arcl_result *results[MOST_GROUP];
    for (int i = 0; i < count; i++) {
        in[i] = inputs;
        out[i] = outputs;
    }
    MUST(arcl_score_many(context, count, (const arcl_program *const *)programs, in, out, 0, results, &error));
    for (int i = 0; i < count; i++) {
        uint32_t right = 0, lanes = arcl_result_lanes(results[i]);
        for (uint32_t lane = 0; lane < lanes; lane++) right += (uint32_t)arcl_result_score(results[i], lane).match;
        t->solved += right == lanes;
        arcl_result_free(results[i]);
        arcl_program_free(programs[i]);
    }
    t->scored += count;
}

/* Whether the input of an example is all that the program needs. */
static int is_of_input(const arcl_program *program) {
    char type[16];
    return arcl_program_parameters(program) == 1 &&
           strcmp(arcl_program_parameter_type(program, 0, type, sizeof type), "grid") == 0;
}

static arcl_status compile_text(arcl_context *context, const arcl_tree *mutant, const arcl_compile_options *options,
                                arcl_program **program) {
    char *text;
    size_t length;
    arcl_source *source;
    MUST(arcl_tree_format(context, mutant, "f", ARCL_DIALECT_AUTO, 0, &text, &length, &error));
    MUST(arcl_source_parse_dialect(context, text, length, NULL, arcl_tree_dialect(mutant), &source, &error));
    arcl_status status = arcl_program_compile(context, source, 0, options, program, NULL);
    arcl_source_free(source);
    arcl_text_free(text);
    return status;
}

/* A compiled mutant, or NULL: it was there before, or is none. */
static arcl_program *next_program(arcl_context *context, const arcl_mutator *mutator, uint64_t *random, key_set *keys,
                                  int by_text, tally *t) {
    static const arcl_compile_options options = {.grid_result = 1};
    arcl_tree *mutant;
    arcl_key key;
    arcl_program *program = NULL;
    double begun = now();
    MUST(arcl_mutator_mutate(mutator, (int)(t->candidates++ % arcl_mutator_parents(mutator)), random, &mutant, NULL,
                             &error));
    if (!by_text) MUST(arcl_tree_key(context, mutant, &key, &error));
    double mutated = now();
    t->mutate += mutated - begun;
    if (!by_text && !remember(keys, key))
        t->repeats++;
    else if (by_text ? compile_text(context, mutant, &options, &program)
                     : arcl_tree_compile(context, mutant, &options, &program, NULL))
        t->rejected++;
    if (program && !is_of_input(program)) {
        arcl_program_free(program);
        program = NULL;
        t->rejected++;
    }
    arcl_tree_free(mutant);
    t->compile += now() - mutated;
    return program;
}

int main(int argc, char **argv) {
    long count = argc > 3 ? atol(argv[3]) : 200000;
    int group = argc > 4 ? atoi(argv[4]) : 32, filled = 0;
    arcl_program *programs[MOST_GROUP];
    arcl_context *context;
    arcl_batch *inputs, *outputs;
    arcl_mutator *mutator;
    tally t = {0};
    key_set keys = {.slots = 1024};
    uint64_t random = 1;
    if (argc < 3 || count < 1 || count > 1 << 21 || group < 1 || group > MOST_GROUP)
        stop("usage: mutation SOLVERS.py TASK.json [COUNT [GROUP [RATE [text]]]]");
    while (keys.slots < 2 * (uint64_t)count) keys.slots *= 2; /* a larger one would be more pages to be cleared */
    if (!(keys.at = calloc(keys.slots, sizeof *keys.at))) stop("no memory");
    MUST(arcl_context_create(&(arcl_options){.threads = 1, .device = "host"}, &context, &error));
    MUST(arcl_batch_create(context, "grid", &inputs, &error));
    MUST(arcl_batch_create(context, "grid", &outputs, &error));
    read_task(argv[2], inputs, outputs);
    mutator = read_parents(context, argv[1], argc > 5 ? atof(argv[5]) : 0);
    double begun = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (t.candidates < count || filled) {
        arcl_program *program =
            t.candidates < count ? next_program(context, mutator, &random, &keys, argc > 6, &t) : NULL;
        if (program) programs[filled++] = program;
        if (!filled || (filled < group && t.candidates < count)) continue;
        double before = now();
        score_group(context, filled, programs, inputs, outputs, &t);
        t.score += now() - before;
        filled = 0;
    }
    double taken = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begun, each = 1e6 / (double)t.candidates;
    printf("%ld candidates in %.2f s of one core: %.0f a second\n", t.candidates, taken, (double)t.candidates / taken);
    printf("%ld repeats, %ld rejected, %ld scored, %ld solve all train examples\n", t.repeats, t.rejected, t.scored,
           t.solved);
    printf("us a candidate: mutate and key %.2f, compile %.2f, score %.2f\n", t.mutate * each, t.compile * each,
           t.score * each);
    arcl_mutator_free(mutator);
    arcl_batch_free(inputs);
    arcl_batch_free(outputs);
    arcl_context_free(context);
    free(keys.at);
    return 0;
}
