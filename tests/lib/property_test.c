/* Results must not depend on how lanes are spread over threads, chunks and memory: a sample of the random programs of
 * tests/vectors runs on their inputs and on random grids with many settings, together and one by one, and every value
 * and status must come out the same. (cli_chunking_test.py does the like with the command and all vectors.) */
#include "support/evaluation.h"
#include "support/vector_programs.h"

#include "greatest.h"

enum { MOST_PROGRAMS = 200, EVERY = 11, RANDOM_GRIDS = 12, LARGEST_SIDE = 12 };
#define BUDGET (1u << 14)
#define MIB ((uint64_t)1 << 20)

typedef struct sample {
    char *program; /* its text */
    char *lanes;
} sample;

static sample samples[MOST_PROGRAMS];
static int sample_count;

/* ---- reading ---- */

static char *copy_of(const char *from, size_t n) {
    char *copy = malloc(n + 1);
    if (!copy) abort();
    memcpy(copy, from, n);
    copy[n] = 0;
    return copy;
}

static void random_grid(randomness *r, text *to) {
    uint32_t h = 1 + random_below(r, LARGEST_SIDE), w = 1 + random_below(r, LARGEST_SIDE),
             colours = 1 + random_below(r, 4);
    text_add(to, "; [");
    for (uint32_t i = 0; i < h; i++) {
        text_add(to, "[");
        for (uint32_t j = 0; j < w; j++) {
            static const char *const digits[] = {"0,", "1,", "5,", "8,"};
            text_add(to, digits[random_below(r, colours)]);
        }
        text_add(to, "],");
    }
    text_add(to, "]");
}

/* The inputs of the line's lanes, and some more. */
static char *lanes_of(const char *line, randomness *r) {
    text lanes = {0};
    text_clear(&lanes);
    while ((line = strstr(line, "\"in\":["))) {
        line += strlen("\"in\":[");
        const char *end = strstr(line, "]]]"); /* of the last row, of the grid and of "in" */
        if (!end) abort();
        char *grid = copy_of(line, (size_t)(end - line) + 2);
        text_add(&lanes, "; ");
        text_add(&lanes, grid);
        free(grid);
    }
    for (int i = 0; i < RANDOM_GRIDS; i++) random_grid(r, &lanes);
    return lanes.at;
}

static int read_samples(const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    randomness r = {2024};
    if (!file) return 0;
    for (int i = 0; getline(&line, &room, file) > 0 && sample_count < MOST_PROGRAMS; i++) {
        if (i % EVERY || !vector_takes_grid(line)) continue;
        samples[sample_count++] = (sample){vector_program(line), lanes_of(line, &r)};
    }
    free(line);
    fclose(file);
    return sample_count;
}

/* ---- running ---- */

typedef struct battery {
    arcl_context *context;
    arcl_program *program[MOST_PROGRAMS];
    arcl_batch *batch[MOST_PROGRAMS];
} battery;

static int open_battery(battery *b, arcl_options options) {
    static const char *const types[] = {"grid"};
    arcl_compile_options compile = {.types = types, .type_count = 1};
    arcl_error error = {{0}};
    arcl_status status = arcl_context_create(&options, &b->context, &error);
    for (int i = 0; i < sample_count && !status; i++) {
        arcl_source *source;
        status =
            arcl_source_parse(b->context, samples[i].program, strlen(samples[i].program), "sample.py", &source, &error);
        if (!status) status = arcl_program_compile(b->context, source, 0, &compile, &b->program[i], &error);
        arcl_source_free(source);
        if (!status) status = arcl_batch_create(b->context, "grid", &b->batch[i], &error);
        if (!status) status = lanes_read(b->batch[i], samples[i].lanes, &error);
    }
    if (status) printf("%s\n", error.message);
    return status == ARCL_SUCCESS;
}

static void close_battery(battery *b) {
    for (int i = 0; i < sample_count; i++) {
        arcl_program_free(b->program[i]);
        arcl_batch_free(b->batch[i]);
    }
    arcl_context_free(b->context);
}

/* All results as text, a line per program. */
static int run_battery(battery *b, int together, text *to) {
    arcl_result *results[MOST_PROGRAMS] = {NULL};
    arcl_error error = {{0}};
    arcl_status status = ARCL_SUCCESS;
    if (together)
        status = arcl_run_many(b->context, sample_count, (const arcl_program *const *)b->program,
                               (const arcl_batch *const *)b->batch, results, &error);
    for (int i = 0; i < sample_count; i++) {
        if (!together && !status) status = arcl_run(b->context, b->program[i], b->batch[i], &results[i], &error);
        if (!status) result_write(results[i], to);
        text_add(to, "\n");
        arcl_result_free(results[i]);
    }
    if (status) printf("%s\n", error.message);
    return status == ARCL_SUCCESS;
}

static text expected;

TEST gives_the_same(arcl_options options) {
    battery b = {0};
    text got = {0};
    options.budget = BUDGET;
    ASSERT(open_battery(&b, options));
    for (int together = 0; together < 2; together++) {
        text_clear(&got);
        ASSERT(run_battery(&b, together, &got));
        if (strcmp(expected.at, got.at) != 0) {
            size_t at = 0, line = 0;
            for (; expected.at[at] == got.at[at]; at++) line += got.at[at] == '\n';
            printf("\n%s%d threads, chunks of %u, %llu bytes\n", samples[line].program, options.threads, options.chunk,
                   (unsigned long long)options.memory);
            FAILm("another value or status");
        }
    }
    text_free(&got);
    close_battery(&b);
    PASS();
}

static int count_of(const char *word) {
    int n = 0;
    for (const char *at = expected.at; (at = strstr(at, word)); at++) n++;
    return n;
}

TEST the_sample_is_worth_it(void) {
    ASSERT(sample_count > 100);
    ASSERT(expected.length > 100000);
    ASSERT(count_of("EMPTY") > 10);
    ASSERT(count_of("DIVIDE") > 10);
    ASSERT(count_of("BUDGET") > 0);
    PASS();
}

SUITE(settings) {
    static const int threads[] = {1, 2, 3, 8};
    static const uint32_t chunks[] = {1, 2, 5, 64, 1000};
    for (int t = 0; t < 4; t++)
        for (int c = 0; c < 5; c++)
            RUN_TESTp(gives_the_same, ((arcl_options){.threads = threads[t], .chunk = chunks[c]}));
}

/* Little memory: chunks must be cut, and large lanes must wait for the room of all threads. */
SUITE(memory_limits) {
    RUN_TESTp(gives_the_same, ((arcl_options){.threads = 1, .memory = 1 * MIB, .chunk = 1000}));
    RUN_TESTp(gives_the_same, ((arcl_options){.threads = 3, .memory = 3 * MIB, .chunk = 64}));
    RUN_TESTp(gives_the_same, ((arcl_options){.threads = 8, .memory = 8 * MIB}));
    RUN_TESTp(gives_the_same, ((arcl_options){.threads = 2, .memory = 100 * MIB}));
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    battery first = {0};
    if (!read_samples(VECTORS "/programs.jsonl")) {
        fprintf(stderr, "no programs in " VECTORS "/programs.jsonl\n");
        return EXIT_FAILURE;
    }
    if (!open_battery(&first, (arcl_options){.threads = 1, .budget = BUDGET})) return EXIT_FAILURE;
    text_clear(&expected);
    if (!run_battery(&first, 0, &expected)) return EXIT_FAILURE;
    close_battery(&first);
    RUN_TEST(the_sample_is_worth_it);
    RUN_SUITE(settings);
    RUN_SUITE(memory_limits);
    for (int i = 0; i < sample_count; i++) {
        free(samples[i].program);
        free(samples[i].lanes);
    }
    text_free(&expected);
    GREATEST_MAIN_END();
}
