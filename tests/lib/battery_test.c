/* A battery gives what each of its programs gives alone: values, statuses, scores, and how many ops have failed, with
 * either policy, whatever the chunks, the budget and the device. The programs are those of tests/vectors, as they are
 * and with random edits: wrong types, wrong numbers of arguments, names that do not exist, huge counts. */
#include "support/mutation.h"
#include "support/vector_programs.h"

#include "greatest.h"

enum { MOST_PROGRAMS = 2000, GRIDS = 14, LARGEST_SIDE = 9 };
#define SMALL_BUDGET (1u << 12)

/* ---- programs ---- */

static char *programs[MOST_PROGRAMS];
static int special_count; /* the first ones, which are in every battery */
static int program_count;

/* ---- edits ---- */

/* The program with one word replaced, or given twice as an argument. */
static void mutate(randomness *r, const char *program, text *to) {
    static const char *const others[] = {"1000000000", "-1",     "nothing", "I",    "T",        "(0, 0)",
                                         "first",      "ORIGIN", "65000",   "size", "identity", "()"};
    int first = 3; /* after def, the name and the parameter */
    const char *at = find_word(program, first + (int)random_below(r, (uint32_t)(count_words(program) - first)));
    const char *word = random_word(r, program, others, sizeof others / sizeof *others), *end = at;
    char part[4096];
    while (is_word(*end)) end++;
    if (random_below(r, 6) == 0)
        snprintf(part, sizeof part, "%.*s, %s%s", (int)(end - program), program, word, end);
    else
        snprintf(part, sizeof part, "%.*s%s%s", (int)(at - program), program, word, end);
    text_add(to, part);
    text_add(to, "\n");
}

/* `count` programs of which every other one has `edits` edits, as one source. The first yields its input. */
static void write_source(randomness *r, int count, int edits, text *to) {
    text_clear(to);
    for (int i = 0; i < count; i++) {
        const char *program = programs[i <= special_count ? (i + special_count - 1) % special_count
                                                          : (int)random_below(r, (uint32_t)program_count)];
        if (i == 0) program = "def same(I):\n    return I\n";
        text edited = {0}, next = {0};
        text_add(&edited, program);
        for (int n = 0; n < edits && i % 2; n++) {
            text_clear(&next);
            mutate(r, edited.at, &next);
            text swap = edited;
            edited = next;
            next = swap;
        }
        text_add(to, edited.at);
        text_add(to, "\n");
        text_free(&edited);
        text_free(&next);
    }
}

/* ---- running ---- */

static arcl_batch *random_grids(arcl_context *context) {
    randomness r = {3};
    signed char cells[LARGEST_SIDE * LARGEST_SIDE];
    arcl_batch *b;
    if (arcl_batch_create(context, "grid", &b, NULL)) abort();
    for (int n = 0; n < GRIDS; n++) {
        uint32_t h = 1 + random_below(&r, LARGEST_SIDE), w = 1 + random_below(&r, LARGEST_SIDE);
        uint32_t colours = 1 + random_below(&r, 4);
        for (uint32_t i = 0; i < h * w; i++) cells[i] = (signed char)(random_below(&r, 2) * random_below(&r, colours));
        if (arcl_batch_add_grid(b, (int)h, (int)w, cells, NULL)) abort();
    }
    return b;
}

static void outcome_write(const arcl_result *r, text *to) {
    char count[32];
    text_clear(to);
    result_write(r, to);
    for (uint32_t n = 0; n < arcl_result_lanes(r); n++) {
        snprintf(count, sizeof count, " %u", arcl_result_failures(r, n));
        text_add(to, count);
    }
}

typedef struct setting {
    const char *device;
    arcl_policy policy;
    int count, edits;
    uint32_t chunk, budget;
    int threads;
    int cached;
} setting;

/* ---- scores ---- */

/* As what is expected: the inputs, which are what program 0 yields, but that some are not known. */
static arcl_batch *some_inputs(arcl_context *context, const arcl_battery *battery, const arcl_batch *inputs) {
    arcl_result *same;
    arcl_batch *b;
    if (arcl_run(context, arcl_battery_program(battery, 0), inputs, &same, NULL)) abort();
    if (arcl_batch_create(context, "grid", &b, NULL)) abort();
    for (uint32_t n = 0; n < arcl_result_lanes(same); n++) {
        int h, w;
        const signed char *cells = arcl_result_grid(same, n, &h, &w);
        if (n % 5 == 4) h = w = 0;
        if (arcl_batch_add_grid(b, h, w, cells, NULL)) abort();
    }
    arcl_result_free(same);
    return b;
}

static void scores_write(const arcl_result *r, text *to) {
    char line[160];
    text_clear(to);
    for (uint32_t n = 0; n < arcl_result_lanes(r); n++) {
        arcl_score s = arcl_result_score(r, n);
        snprintf(line, sizeof line, "%s %016llx words %u cells %u %d %d %d %d; ", arcl_lane_status_name(s.status),
                 (unsigned long long)s.fingerprint, s.words, s.cells, s.compared, s.same_shape, s.match, s.usable);
        text_add(to, line);
    }
}

typedef struct score_counts {
    int matches, failures;
} score_counts;

/* What both ways score for program i is the same; with outputs, these are too. */
static const char *compare_scores(arcl_context *c, const arcl_battery *battery, int i, const arcl_batch *batch,
                                  const arcl_batch *expected, int outputs, const arcl_result *got,
                                  score_counts *counts) {
    static text alone, together;
    arcl_result *single;
    const arcl_program *p = arcl_battery_program(battery, i);
    if (!p || !got) return p || got ? "not just the programs that were rejected have no scores" : NULL;
    if (arcl_score_many(c, 1, &p, &batch, &expected, outputs, &single, NULL)) return "a program is not scored alone";
    scores_write(single, &alone);
    scores_write(got, &together);
    int same = strcmp(alone.at, together.at) == 0;
    if (!same) fprintf(stderr, "program %d\nalone    %s\ntogether %s\n", i, alone.at, together.at);
    if (outputs) {
        outcome_write(single, &alone);
        outcome_write(got, &together);
        same &= strcmp(alone.at, together.at) == 0;
    }
    for (uint32_t n = 0; n < arcl_result_lanes(single); n++) {
        counts->matches += arcl_result_score(single, n).match;
        counts->failures += arcl_result_status(single, n) != ARCL_OK;
    }
    arcl_result_free(single);
    return same ? NULL : "a program's scores or outputs differ";
}

static const char *score_both_ways(arcl_context *c, const arcl_battery *battery, int count, const arcl_batch *batch,
                                   const arcl_batch *expected, int outputs, arcl_result **results,
                                   score_counts *counts) {
    const char *problem = NULL;
    arcl_error error = {{0}};
    if (arcl_battery_score(c, battery, batch, expected, outputs, results, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return "the battery is not scored";
    }
    for (int i = 0; i < count && !problem; i++)
        problem = compare_scores(c, battery, i, batch, expected, outputs, results[i], counts);
    for (int i = 0; i < count; i++) {
        arcl_result_free(results[i]);
        results[i] = NULL;
    }
    return problem;
}

/* ---- both ---- */

/* What both ways give for program i is the same. */
static const char *compare(arcl_context *c, const arcl_battery *battery, int i, const arcl_batch *batch,
                           const arcl_result *got) {
    static text alone, together;
    arcl_result *expected;
    const arcl_program *p = arcl_battery_program(battery, i);
    if (!p) return got ? "a program that was rejected has a result" : NULL;
    if (!got) return "a program has no result";
    if (arcl_run(c, p, batch, &expected, NULL)) return "a program does not run alone";
    outcome_write(expected, &alone);
    outcome_write(got, &together);
    arcl_result_free(expected);
    if (strcmp(alone.at, together.at) == 0) return NULL;
    fprintf(stderr, "program %d\nalone    %s\ntogether %s\n", i, alone.at, together.at);
    return "a program's result differs";
}

TEST is_as_alone(const setting *s) {
    arcl_context *c;
    arcl_options options = {.threads = s->threads, .chunk = s->chunk, .budget = s->budget, .device = s->device};
    arcl_compile_options compile = {.policy = s->policy};
    arcl_source *source;
    arcl_battery *battery;
    arcl_definition *definitions = calloc((size_t)s->count, sizeof *definitions);
    arcl_result **results = calloc((size_t)s->count, sizeof *results);
    arcl_error error = {{0}};
    randomness r = {(uint64_t)(s->count + s->edits)};
    text written = {0};
    ASSERT(definitions && results);
    if (arcl_context_create(&options, &c, &error)) SKIPm(error.message);
    if (s->cached) ASSERT_EQ(ARCL_SUCCESS, arcl_cache_enable(c, NULL, &error));
    write_source(&r, s->count, s->edits, &written);
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(c, written.at, written.length, "edited.py", &source, &error));
    int count = arcl_source_count(source); /* an edit can make one program use another, which is none then */
    ASSERT(count == s->count || count == s->count - 1);
    for (int i = 0; i < count; i++) definitions[i] = (arcl_definition){source, i};
    ASSERT_EQ(ARCL_SUCCESS, arcl_battery_compile(c, definitions, count, &compile, &battery, NULL, &error));
    arcl_source_free(source);
    arcl_battery_info info = arcl_battery_describe(battery);
    ASSERT_EQ(count, info.programs);
    ASSERT(info.rejected < count / 2 && (s->edits || info.rejected == 0));
    ASSERT(info.steps_after < info.steps_before);
    arcl_batch *batch = random_grids(c);
    ASSERT_EQ(ARCL_SUCCESS, arcl_battery_run(c, battery, batch, results, NULL, &error));
    for (int i = 0; i < count; i++) {
        const char *problem = compare(c, battery, i, batch, results[i]);
        ASSERTm(problem, !problem);
    }
    for (int i = 0; i < count; i++) arcl_result_free(results[i]);
    arcl_batch *expected = some_inputs(c, battery, batch);
    score_counts counts = {0, 0};
    for (int outputs = 0; outputs <= 1; outputs++) {
        const char *problem = score_both_ways(c, battery, count, batch, expected, outputs, results, &counts);
        ASSERTm(problem, !problem);
    }
    ASSERTm("nothing is as expected", counts.matches);
    ASSERTm("nothing fails", counts.failures || !s->edits);
    const char *problem = score_both_ways(c, battery, count, batch, NULL, 0, results, &counts);
    ASSERTm(problem, !problem);
    arcl_batch_free(expected);
    arcl_batch_free(batch);
    arcl_battery_free(battery);
    arcl_context_free(c);
    text_free(&written);
    free(definitions);
    free(results);
    PASS();
}

static const setting settings[] = {
    {"host", ARCL_STRICT, 500, 0, 0, 0, 2, 0},
    {"host", ARCL_SAFE, 500, 0, 0, 0, 2, 0},
    {"host", ARCL_STRICT, 400, 1, 0, 0, 2, 0},
    {"host", ARCL_SAFE, 400, 1, 0, 0, 2, 0},
    {"host", ARCL_STRICT, 220, 3, 1, 0, 1, 0},
    {"host", ARCL_SAFE, 200, 3, 5, 0, 2, 0},
    {"host", ARCL_STRICT, 200, 1, 3, SMALL_BUDGET, 2, 0},
    {"host", ARCL_SAFE, 200, 1, 0, SMALL_BUDGET, 2, 0},
    {"cl:0", ARCL_STRICT, 100, 1, 0, 0, 2, 0},
    {"cl:0", ARCL_SAFE, 60, 1, 0, SMALL_BUDGET, 2, 0},
    {"host", ARCL_STRICT, 200, 1, 0, 0, 2, 1},
    {"host", ARCL_SAFE, 200, 1, 0, SMALL_BUDGET, 2, 1},
};

/* Programs on pairs and programs on grids are one battery: its batch has both. */
TEST a_batch_has_the_parameters_of_all_programs(void) {
    static const char both[] = "def solve_a(I):\n    return rot90(I)\n\ndef solve_b(S, I):\n    return first(S)\n";
    arcl_context *c;
    arcl_source *source;
    arcl_battery *battery;
    char type[64];
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(c, both, sizeof both - 1, "both.py", &source, NULL));
    arcl_definition definitions[] = {{source, 0}, {source, 1}};
    ASSERT_EQ(ARCL_SUCCESS, arcl_battery_compile(c, definitions, 2, NULL, &battery, NULL, NULL));
    ASSERT_EQ_FMT(2, arcl_battery_parameters(battery), "%d");
    ASSERT_STR_EQ("[[grid]]", arcl_battery_parameter_type(battery, 0, type, sizeof type));
    ASSERT_STR_EQ("grid", arcl_battery_parameter_type(battery, 1, type, sizeof type));
    ASSERT_STR_EQ("", arcl_battery_parameter_type(battery, 2, type, sizeof type));
    arcl_battery_free(battery);
    arcl_source_free(source);
    arcl_context_free(c);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    read_vector_programs(VECTORS "/fused.jsonl", programs, MOST_PROGRAMS, &program_count);
    special_count = program_count;
    read_vector_programs(VECTORS "/programs.jsonl", programs, MOST_PROGRAMS, &program_count);
    if (program_count < 100) {
        fprintf(stderr, "hardly any programs in " VECTORS "\n");
        return 1;
    }
    RUN_TEST(a_batch_has_the_parameters_of_all_programs);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) RUN_TESTp(is_as_alone, &settings[i]);
    for (int i = 0; i < program_count; i++) free(programs[i]);
    GREATEST_MAIN_END();
}
