/* Tests of scores: fingerprints against a plain model of their definition (docs/scoring.md), comparisons against a
 * plain model of theirs, on the host with any threads and chunks, on every OpenCL device that is ready, and with a
 * cache. */
#include <inttypes.h>

#include "ops/type.h"
#include "support/evaluation.h"

#include "greatest.h"

#define MOST_DEVICES 8

/* ---- the model ---- */

static uint64_t fold(uint64_t h, uint64_t w) {
    const uint64_t factor = 0xd6e8feb86659fd93u;
    h ^= w;
    h = (h ^ h >> 32) * factor;
    h = (h ^ h >> 32) * factor;
    return h ^ h >> 32;
}

/* Words that follow each other. */
typedef struct run {
    uint64_t word[2048];
    size_t words;
} run;

static uint64_t fold_run(uint64_t h, const run *r) {
    size_t chained = r->words >= 8 ? r->words / 4 * 4 : 0;
    uint64_t chain[4] = {h, h + 1, h + 2, h + 3};
    for (size_t i = 0; i < chained; i++) chain[i % 4] = fold(chain[i % 4], r->word[i]);
    if (chained) h = fold(fold(fold(chain[0], chain[1]), chain[2]), chain[3]);
    for (size_t i = chained; i < r->words; i++) h = fold(h, r->word[i]);
    return h;
}

static int64_t int_or(arcl_value v, int64_t none) { return arcl_value_kind(v) == ARCL_NONE ? none : arcl_value_int(v); }

static uint64_t model_ij(arcl_value v) {
    if (arcl_value_count(v) == 0) return (uint64_t)(-((int64_t)1 << 47) - (1 << 23));
    int64_t i = int_or(arcl_value_item(v, 0), -(1 << 23)), j = int_or(arcl_value_item(v, 1), -(1 << 23));
    return (uint64_t)(i * (1 << 24) + j);
}

static uint64_t model_location(arcl_value v) {
    int is_cell = arcl_value_kind(arcl_value_item(v, 1)) == ARCL_TUPLE;
    int64_t colour = is_cell ? int_or(arcl_value_item(v, 0), -32767) : 32767;
    return ((uint64_t)colour << 48) + model_ij(is_cell ? arcl_value_item(v, 1) : v);
}

static int is_ragged(arcl_value v) {
    for (uint32_t i = 0; i < arcl_value_count(v); i++) {
        arcl_value row = arcl_value_item(v, i);
        if (arcl_value_count(row) != arcl_value_count(arcl_value_item(v, 0))) return 1;
        for (uint32_t j = 0; j < arcl_value_count(row); j++) {
            int64_t cell = int_or(arcl_value_item(row, j), 0);
            if (cell < -127 || cell > 127) return 1;
        }
    }
    return 0;
}

/* The word of a value without parts. */
static uint64_t model_word(arcl_value v) {
    switch (type_head(v.type)) {
    case T_IJ: return model_ij(v);
    case T_CELL:
    case T_MIX: return model_location(v);
    default: return (uint64_t)int_or(v, INT32_MIN);
    }
}

static int has_parts(arcl_value v) {
    unsigned head = type_head(v.type);
    return head == T_GRID || head == T_SET || head == T_TUPLE || head == T_RECORD;
}

static uint64_t model_rows(arcl_value v, uint64_t h) {
    for (uint32_t i = 0; i < arcl_value_count(v); i++) {
        arcl_value row = arcl_value_item(v, i);
        run r = {.words = 0};
        for (uint32_t j = 0; j < arcl_value_count(row); j++)
            r.word[r.words++] = (uint64_t)int_or(arcl_value_item(row, j), INT32_MIN);
        h = fold_run(fold(h, arcl_value_count(row)), &r);
    }
    return h;
}

static uint64_t model_grid(arcl_value v, uint64_t h) {
    uint64_t rows = arcl_value_count(v), eight = 0;
    run r = {.words = 0};
    int n = 0;
    if (rows == 0) return fold(h, 0);
    int ragged = is_ragged(v);
    h = fold(h, rows << 16 | (ragged ? 0xffff : arcl_value_count(arcl_value_item(v, 0))));
    if (ragged) return model_rows(v, h);
    for (uint32_t i = 0; i < rows; i++) {
        arcl_value row = arcl_value_item(v, i);
        for (uint32_t j = 0; j < arcl_value_count(row); j++) {
            eight |= (uint64_t)(uint8_t)int_or(arcl_value_item(row, j), -128) << 8 * n;
            if (++n < 8) continue;
            r.word[r.words++] = eight;
            eight = 0;
            n = 0;
        }
    }
    h = fold_run(h, &r);
    return n ? fold(h, eight) : h;
}

static uint64_t model_value(arcl_value v, uint64_t h) {
    if (!has_parts(v)) return fold(h, model_word(v));
    if (type_head(v.type) == T_GRID) return model_grid(v, h);
    run r = {.words = 0};
    int parts = type_head(v.type) == T_RECORD;
    h = fold(h, arcl_value_count(v));
    for (uint32_t i = 0; i < arcl_value_count(v); i++) parts |= has_parts(arcl_value_item(v, i));
    for (uint32_t i = 0; i < arcl_value_count(v); i++)
        if (parts)
            h = model_value(arcl_value_item(v, i), h);
        else
            r.word[r.words++] = model_word(arcl_value_item(v, i));
    return fold_run(h, &r);
}

static uint64_t model_fingerprint(const arcl_result *r, uint32_t lane) {
    uint64_t h = fold(0, (uint64_t)arcl_result_status(r, lane));
    arcl_value v = arcl_result_value(r, lane);
    return arcl_result_status(r, lane) ? h : model_value(v, fold(h, v.type));
}

/* ---- where ---- */

static char devices[MOST_DEVICES][16];
static int device_count;

static void find_devices(void) {
    arcl_context *context;
    arcl_device_info info;
    if (arcl_context_create(NULL, &context, NULL)) abort();
    for (int i = 1; i < arcl_device_count(context) && device_count < MOST_DEVICES; i++)
        if (!arcl_device_get(context, i, &info, NULL) && info.state == ARCL_DEVICE_READY)
            memcpy(devices[device_count++], info.id, sizeof info.id);
    arcl_context_free(context);
}

/* The ways to run that must not make a difference. */
enum { HOST_WAYS = 4 };
static int option_count(void) { return HOST_WAYS + 3 * device_count + 1; }
static arcl_options options_at(int i) {
    static const arcl_options host[HOST_WAYS] = {
        {.threads = 1}, {.threads = 2}, {.threads = 2, .chunk = 1}, {.chunk = 3}};
    int of_devices = i - HOST_WAYS, cached = of_devices - 2 * device_count;
    if (i < HOST_WAYS) return host[i];
    if (cached == 0) return host[3];
    if (cached > 0) return (arcl_options){.device = devices[cached - 1]};
    return (arcl_options){.device = devices[of_devices / 2], .chunk = i % 2 ? 3 : 0};
}
static int is_cached(int i) { return i >= HOST_WAYS + 2 * device_count; }

static arcl_context *open_context(int i, uint32_t budget) {
    arcl_options options = options_at(i);
    arcl_context *context;
    options.budget = budget;
    if (arcl_context_create(&options, &context, NULL)) abort();
    if (is_cached(i) && arcl_cache_enable(context, NULL, NULL)) abort();
    return context;
}

/* A context for each, for all tests: a device builds its kernels anew in every context. */
static arcl_context *contexts[HOST_WAYS + 3 * MOST_DEVICES + 1];

static void open_contexts(void) {
    for (int i = 0; i < option_count(); i++) contexts[i] = open_context(i, 0);
}

static void close_contexts(void) {
    for (int i = 0; i < option_count(); i++) arcl_context_free(contexts[i]);
}

/* ---- values of every type ---- */

static const struct {
    const char *types, *body, *lanes, *has; /* the latter is among the results, so that it tests what it is for */
} values[] = {
    {"int", "add(a, 1)", "1; -7; 2147483647; 0", "LIMIT"},
    {"int", "greater(a, 1)", "1; 2", "true"},
    {"grid ij", "index(a, b)", "[[1,2]] [0,1]; [[1]] [3,3]", "null"},
    {"ij", "invert(a)", "[1,-2]; [0,0]; [-1,5]", "[-1,2]"},
    {"{ij}", "ulcorner(a)", "{[3,4]}; {[-1,-1],[2,-3]}; {}", "[-1,-3]"},
    {"grid", "asobject(a)", "[[1,2],[3,4]]; [[5]]; [[0,0,0]]", "{[5,[0,0]]}"},
    {"grid", "first(asobject(a))", "[[1,2],[3,4]]; [[5]]", "[5,[0,0]]"},
    {"grid", "insert(asindices(a), objects(a, T, F, T))", "[[1,0],[0,2]]; [[0]]", "{{[0,0]}}"},
    {"grid", "objects(a, T, F, T)", "[[1,0],[0,2]]; [[0]]; [[1,1,0,1]]", "{}"},
    {"grid", "apply(size, objects(a, T, F, T))", "[[1,0],[0,2]]; [[0]]; [[0,1,1,0,0,2]]", "{1,2}"},
    {"grid", "hsplit(a, 2)", "[[1,2],[3,4]]; [[1,2,3,4]]", "[[[1,2]],[[3,4]]]"},
    {"grid", "astuple(height(a), astuple(a, palette(a)))", "[[1,2],[3,4]]; [[5]]; [[1,2,3]]", "[1,[[[5]],{5}]]"},
    {"grid", "branch(equality(width(a), 2), a, palette(a))", "[[1,2],[3,4]]; [[5]]; [[1,2,3]]", "{5}"},
    {"grid", "vconcat(a, rot90(a))", "[[1,2],[3,4]]; [[5]]; [[1,2,3]]", "[[1,2,3],[1],[2],[3]]"},
    {"grid", "fill(a, 300, initset((0, 0)))", "[[1,2],[3,4]]; [[5]]", "[[300]]"},
    {"grid", "fill(a, -3, initset((0, 0)))", "[[1,2],[3,4]]; [[5]]", "[[-3]]"},
    {"grid", "divide(6, subtract(height(a), 2))", "[[1,2],[3,4]]; [[5]]; [[1],[2],[3]]", "DIVIDE"},
    {"grid", "first(ofcolor(a, 2))", "[[1,2],[3,4]]; [[5]]", "EMPTY"},
    {"grid", "upscale(a, 5)", "[[1,2],[3,4]]; [[5]]; [[1,2,3,4,5,6,7]]", "[[5,5,5,5,5],"},
    {"grid", "asindices(upscale(a, 4))", "[[1,2],[3,4]]; [[5]]; [[1,2,3,4,5]]", "[3,19]"},
    {"grid", "vconcat(upscale(a, 9), a)", "[[1,2],[3,4]]; [[5]]; [[1,2,3]]", "[5,5,5,5,5,5,5,5,5],[5]"},
    {"grid", "apply(lbind(apply, lbind(add, 1)), a)", "[[1,2],[3,4]]; [[5]]", "[[6]]"},
    {"grid", "add(1, divide(1, 0))", "[[1,2],[3,4]]; [[5]]", "DIVIDE; DIVIDE"},
};
enum { VALUES = sizeof values / sizeof *values };

typedef struct scored {
    arcl_program *program;
    arcl_batch *batch, *expected;
    arcl_result *result;
} scored;

static arcl_status score(scored *s, arcl_context *context, const char *types, const char *body, const char *lanes,
                         const char *expected, int outputs) {
    arcl_error error;
    *s = (scored){0};
    arcl_status status = body_compile(context, types, body, 0, &s->program, &error);
    if (!status) status = arcl_batch_create(context, types, &s->batch, &error);
    if (!status) status = lanes_read(s->batch, lanes, &error);
    if (!status && expected) status = arcl_batch_create(context, "grid", &s->expected, &error);
    if (!status && expected) status = lanes_read(s->expected, expected, &error);
    const arcl_program *program = s->program;
    const arcl_batch *batch = s->batch, *wanted = s->expected;
    if (!status) status = arcl_score_many(context, 1, &program, &batch, &wanted, outputs, &s->result, &error);
    if (status) fprintf(stderr, "%s\n", error.message);
    return status;
}

static void scored_free(scored *s) {
    arcl_result_free(s->result);
    arcl_batch_free(s->expected);
    arcl_batch_free(s->batch);
    arcl_program_free(s->program);
}

TEST fingerprints_are_the_model_s(int number) {
    text seen = {0};
    uint64_t first[8];
    for (int i = 0; i < option_count(); i++) {
        scored with, without;
        ASSERT_EQ(ARCL_SUCCESS,
                  score(&with, contexts[i], values[number].types, values[number].body, values[number].lanes, NULL, 1));
        ASSERT_EQ(ARCL_SUCCESS, score(&without, contexts[i], values[number].types, values[number].body,
                                      values[number].lanes, NULL, 0));
        text_clear(&seen);
        result_write(with.result, &seen);
        if (!strstr(seen.at, values[number].has)) ASSERT_STR_EQm(values[number].body, values[number].has, seen.at);
        for (uint32_t n = 0; n < arcl_result_lanes(with.result); n++) {
            arcl_score a = arcl_result_score(with.result, n), b = arcl_result_score(without.result, n);
            ASSERT_EQ_FMT(model_fingerprint(with.result, n), a.fingerprint, "%" PRIx64);
            ASSERT_EQ_FMT(a.fingerprint, b.fingerprint, "%" PRIx64);
            ASSERT_EQ(arcl_result_status(with.result, n), a.status);
            ASSERT_EQ(arcl_result_status(without.result, n), a.status);
            ASSERT_EQ_FMT(a.words, b.words, "%u");
            ASSERT_FALSE(a.compared || a.match || a.same_shape || a.cells);
            ASSERT_EQ(ARCL_NONE, arcl_value_kind(arcl_result_value(without.result, n)));
            uint64_t both = fold(a.fingerprint, a.words);
            if (i == 0) first[n] = both;
            ASSERT_EQ_FMT(first[n], both, "%" PRIx64);
        }
        scored_free(&with);
        scored_free(&without);
    }
    text_free(&seen);
    PASS();
}

/* Numbers that somebody may have written down. */
TEST fingerprints_stay_what_they_are(void) {
    static const uint64_t known[] = {0x53386988d4d964d4, 0x4b3e2461487720fb, 0x74e55a6560511f60, 0x7675c2ab9b4a82fc};
    scored s;
    ASSERT_EQ(ARCL_SUCCESS,
              score(&s, contexts[0], "grid", "cmirror(trim(a))",
                    "[[0,0,0],[0,1,0],[0,0,0]]; [[0]]; [[0,0,0,0],[0,1,2,0],[0,3,4,0],[0,0,0,0]]", NULL, 0));
    for (uint32_t n = 0; n < 3; n++) ASSERT_EQ_FMT(known[n], arcl_result_score(s.result, n).fingerprint, "%" PRIx64);
    scored_free(&s);
    ASSERT_EQ(ARCL_SUCCESS, score(&s, contexts[0], "int", "divide(1, a)", "0", NULL, 0));
    ASSERT_EQ_FMT(known[3], arcl_result_score(s.result, 0).fingerprint, "%" PRIx64);
    scored_free(&s);
    PASS();
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Grids that differ in one cell, in shape only, in how many zeros they end with, have different fingerprints. */
TEST different_grids_differ(void) {
    enum { MOST = 4096 };
    static uint64_t all[MOST];
    signed char cells[36] = {0};
    arcl_context *context = contexts[0];
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "identity(a)", 0, &program, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &batch, NULL));
    for (int h = 1; h <= 6; h++)
        for (int w = 1; w <= 6; w++)
            for (int n = -1; n < h * w; n++)
                for (signed char c = 1; c <= (n < 0 ? 1 : 3); c++) {
                    if (n >= 0) cells[n] = c;
                    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(batch, h, w, cells, NULL));
                    if (n >= 0) cells[n] = 0;
                }
    const arcl_program *p = program;
    const arcl_batch *b = batch;
    ASSERT_EQ(ARCL_SUCCESS, arcl_score_many(context, 1, &p, &b, NULL, 0, &result, NULL));
    uint32_t lanes = arcl_result_lanes(result);
    ASSERT(lanes > 1000 && lanes <= MOST);
    for (uint32_t n = 0; n < lanes; n++) all[n] = arcl_result_score(result, n).fingerprint;
    qsort(all, lanes, sizeof *all, by_number);
    for (uint32_t n = 1; n < lanes; n++) ASSERT(all[n] != all[n - 1]);
    arcl_result_free(result);
    arcl_batch_free(batch);
    arcl_program_free(program);
    PASS();
}

SUITE(fingerprints) {
    for (int i = 0; i < VALUES; i++) RUN_TESTp(fingerprints_are_the_model_s, i);
    RUN_TEST(fingerprints_stay_what_they_are);
    RUN_TEST(different_grids_differ);
}

/* ---- comparing ---- */

/* Adds a grid of up to side rows and columns, which differs from the one before in some cells, or in shape. */
static void add_grids(arcl_batch *batch, arcl_batch *expected, randomness *r, uint32_t side) {
    signed char cells[40 * 40], other[40 * 40];
    uint32_t h = 1 + random_below(r, side), w = 1 + random_below(r, side), kind = random_below(r, 5);
    for (uint32_t i = 0; i < h * w; i++) other[i] = cells[i] = (signed char)random_below(r, 10);
    if (random_below(r, 8) == 0) cells[random_below(r, h * w)] = random_below(r, 2) ? 10 : -1;
    if (kind == 1) other[random_below(r, h * w)] ^= 1;
    if (kind == 2)
        for (uint32_t i = 0; i < h * w; i++) other[i] = (signed char)random_below(r, 3);
    uint32_t oh = kind == 3 ? w : h, ow = kind == 3 ? h : w;
    if (kind == 4) oh = ow = 0;
    if (arcl_batch_add_grid(batch, (int)h, (int)w, cells, NULL)) abort();
    if (arcl_batch_add_grid(expected, (int)oh, (int)ow, other, NULL)) abort();
}

TEST comparisons_are_the_model_s(arcl_context *context) {
    enum { LANES = 400 };
    randomness r = {5};
    arcl_program *program[2];
    arcl_batch *batch, *expected;
    arcl_result *result[2], *wanted;
    int matches = 0, wrong = 0, shapes = 0, unusable = 0, unknown = 0, failed = 0;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "rot90(rot270(a))", 1, &program[0], NULL));
    /* of a grid of one row it fails */
    ASSERT_EQ(ARCL_SUCCESS,
              body_compile(context, "grid", "x = divide(1, decrement(height(a))); a", 1, &program[1], NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &batch, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &expected, NULL));
    for (int n = 0; n < LANES; n++) add_grids(batch, expected, &r, n % 4 ? 6 : 35);
    const arcl_program *programs[2] = {program[0], program[1]}, *identity;
    const arcl_batch *batches[2] = {batch, batch}, *grids[2] = {expected, expected};
    ASSERT_EQ(ARCL_SUCCESS, arcl_score_many(context, 2, programs, batches, grids, 1, result, NULL));
    identity = program[0];
    ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, identity, expected, &wanted, NULL));
    for (int p = 0; p < 2; p++)
        for (uint32_t n = 0; n < LANES; n++) {
            arcl_score s = arcl_result_score(result[p], n);
            int h, w, eh, ew, usable = 1;
            uint32_t cells = 0;
            const signed char *got = arcl_result_grid(result[p], n, &h, &w);
            const signed char *want = arcl_result_grid(wanted, n, &eh, &ew);
            int same = s.status == ARCL_OK && h == eh && w == ew;
            for (int i = 0; same && i < h * w; i++) cells += got[i] == want[i];
            for (int i = 0; i < h * w; i++) usable &= got[i] >= 0 && got[i] <= 9;
            usable = usable && s.status == ARCL_OK && h <= 30 && w <= 30;
            ASSERT_EQ(eh > 0, s.compared);
            ASSERT_EQ(same && eh > 0, s.same_shape);
            ASSERT_EQ_FMT(eh > 0 ? cells : 0, s.cells, "%u");
            ASSERT_EQ(same && eh > 0 && cells == (uint32_t)(eh * ew), s.match);
            ASSERT_EQ(usable, s.usable);
            failed += s.status != ARCL_OK;
            matches += s.match;
            unknown += !s.compared;
            unusable += !s.usable;
            shapes += s.compared && !s.same_shape;
            wrong += s.same_shape && !s.match;
        }
    ASSERT(matches > 50 && wrong > 50 && shapes > 50 && unusable > 50 && unknown > 50 && failed > 10);
    for (int p = 0; p < 2; p++) {
        arcl_result_free(result[p]);
        arcl_program_free(program[p]);
    }
    arcl_result_free(wanted);
    arcl_batch_free(batch);
    arcl_batch_free(expected);
    PASS();
}

/* When everything is known from before. */
TEST cached_comparisons_run_nothing(arcl_context *context) {
    uint64_t before = arcl_report_cache(context).lane_misses;
    CHECK_CALL(comparisons_are_the_model_s(context));
    ASSERT_EQ(before, arcl_report_cache(context).lane_misses);
    PASS();
}

/* What a run without scores must not have, though the cache knows it. */
TEST plain_results_have_no_scores(arcl_context *context) {
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "rot90(a)", 0, &program, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &batch, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(batch, "[[1]]; [[2,3]]", NULL));
    for (int again = 0; again < 2; again++) {
        ASSERT_EQ(ARCL_SUCCESS, arcl_run(context, program, batch, &result, NULL));
        ASSERT_EQ(0, arcl_result_score(result, 1).fingerprint);
        ASSERT_EQ(0, arcl_result_score(result, 1).words);
        ASSERT_EQ(2, arcl_value_count(arcl_result_value(result, 1)));
        arcl_result_free(result);
    }
    arcl_batch_free(batch);
    arcl_program_free(program);
    PASS();
}

/* Rows that differ in length, cells that are no bytes, results that are no grids. */
TEST compares(const char *body, const char *lanes, const char *expected, const char *verdicts) {
    for (int i = 0; i < option_count(); i++) {
        scored s;
        text found = {0};
        ASSERT_EQ(ARCL_SUCCESS, score(&s, contexts[i], "grid", body, lanes, expected, i % 2));
        text_clear(&found);
        for (uint32_t n = 0; n < arcl_result_lanes(s.result); n++) {
            arcl_score one = arcl_result_score(s.result, n);
            char verdict[64];
            snprintf(verdict, sizeof verdict, "%s%s%s%s %u", n ? "; " : "", one.compared ? "" : "unknown ",
                     one.match        ? "match"
                     : one.same_shape ? "shape"
                                      : "other",
                     one.usable ? "" : " unusable", one.cells);
            text_add(&found, verdict);
        }
        ASSERT_STR_EQm(body, verdicts, found.at);
        text_free(&found);
        scored_free(&s);
    }
    PASS();
}

TEST what_is_expected_fits_the_batch(arcl_context *context) {
    arcl_program *program;
    arcl_batch *batch, *one, *numbers;
    arcl_result *result;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "identity(a)", 0, &program, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &batch, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &one, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "int", &numbers, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(batch, "[[1]]; [[2]]", NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(one, "[[1]]", NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(numbers, "1; 2", NULL));
    const arcl_program *p = program;
    const arcl_batch *b = batch, *few = one, *other = numbers;
    ASSERT_EQ(ARCL_INVALID, arcl_score_many(context, 1, &p, &b, &few, 0, &result, &error));
    ASSERT_STR_EQ("the batch has 2 lanes, but 1 grids are expected", error.message);
    ASSERT_EQ(ARCL_INVALID, arcl_score_many(context, 1, &p, &b, &other, 0, &result, &error));
    ASSERT_STR_EQ("what is expected is a batch of one grid per lane", error.message);
    arcl_batch_free(batch);
    arcl_batch_free(one);
    arcl_batch_free(numbers);
    arcl_program_free(program);
    PASS();
}

SUITE(comparisons) {
    for (int i = 0; i < option_count(); i++) RUN_TESTp(comparisons_are_the_model_s, contexts[i]);
    for (int i = 0; i < option_count(); i++)
        if (is_cached(i)) RUN_TESTp(cached_comparisons_run_nothing, contexts[i]);
    RUN_TESTp(compares, "vconcat(a, rot90(a))", "[[1,2]]; [[1,2]]; [[1,2]]; [[7]]",
              "[[1,2],[1,2],[2,2]]; [[1,2]]; [[1],[2]]; [[7],[7]]",
              "other unusable 0; other unusable 0; other unusable 0; match 2");
    RUN_TESTp(compares, "fill(a, 300, ofcolor(a, 1))", "[[1,2]]; [[1,2]]; [[2,2]]", "[[3,2]]; [[44,1]]; [[2,2]]",
              "shape unusable 1; shape unusable 0; match 2");
    RUN_TESTp(compares, "height(a)", "[[1,2]]; [[1]]", "[[1]]; []", "other unusable 0; unknown other unusable 0");
    RUN_TESTp(compares, "divide(height(a), 0)", "[[1,2]]; [[1]]", "[[1]]; []",
              "other unusable 0; unknown other unusable 0");
    for (int i = 0; i < option_count(); i++) {
        RUN_TESTp(what_is_expected_fits_the_batch, contexts[i]);
        RUN_TESTp(plain_results_have_no_scores, contexts[i]);
    }
}

/* ---- words ---- */

/* Where a budget refuses words, the same lanes have asked for the same everywhere. */
TEST words_are_the_same_everywhere(const char *body, uint32_t budget) {
    enum { LANES = 60 };
    uint32_t words[LANES], over = 0;
    for (int i = 0; i < option_count(); i++) {
        arcl_context *context = open_context(i, budget);
        scored s;
        text lanes = {0};
        randomness r = {3};
        text_clear(&lanes);
        for (int n = 0; n < LANES; n++) {
            text_add(&lanes, "[[1");
            for (uint32_t w = random_below(&r, 12); w; w--) text_add(&lanes, random_below(&r, 2) ? ",0" : ",1");
            text_add(&lanes, "]];");
        }
        if (is_cached(i)) { /* a run without scores keeps what scores need */
            ASSERT(strlen(evaluate_in(context, "grid", body, lanes.at)) > LANES);
            ASSERT_EQ(0, arcl_report_cache(context).lane_hits);
        }
        ASSERT_EQ(ARCL_SUCCESS, score(&s, context, "grid", body, lanes.at, NULL, 0));
        if (is_cached(i)) ASSERT_EQ(LANES, arcl_report_cache(context).lane_hits);
        for (uint32_t n = 0; n < LANES; n++) {
            arcl_score one = arcl_result_score(s.result, n);
            if (i == 0) words[n] = one.words;
            if (i == 0) over += one.words > budget;
            ASSERT_EQ_FMT(words[n], one.words, "%u");
            ASSERT_EQ(one.words > budget, one.status == ARCL_LANE_BUDGET);
        }
        text_free(&lanes);
        scored_free(&s);
        arcl_context_free(context);
    }
    ASSERT(budget > 100000 ? over == 0 : over > 5 && over < LANES);
    PASS();
}

SUITE(words) {
    static const char map[] = "f = compose(neighbors, increment); mapply(f, mapply(f, ofcolor(a, 0)))";
    static const char rounds[] = "power(increment, width(a))(0)";
    RUN_TESTp(words_are_the_same_everywhere, map, 1000000);
    RUN_TESTp(words_are_the_same_everywhere, map, 600);
    RUN_TESTp(words_are_the_same_everywhere, rounds, 1000000);
    RUN_TESTp(words_are_the_same_everywhere, rounds, 20000); /* a round costs thousands */
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    find_devices();
    if (!device_count) puts("no OpenCL device is ready: only the host is tested");
    open_contexts();
    RUN_SUITE(fingerprints);
    RUN_SUITE(comparisons);
    RUN_SUITE(words);
    close_contexts();
    GREATEST_MAIN_END();
}
