/* A tour through the library: everything that a program does with it, once. Where failing_calls.c is preloaded, as
 * api_allocation_test.py does, it is repeated with one allocation after the other failing: each call says that there is
 * no memory, or gives what it should, and what it had taken is given back. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <greatest.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arcl.h"
#include "support/synthetic_profile.h"

static char folder[] = "/tmp/arcl-tour-XXXXXX";

static const char text[] = "def a(I):\n    return rot90(I)\n"
                           "def b(I):\n    x = objects(I, T, F, T)\n    return paint(I, mapply(normalize, x))\n"
                           "def c(I):\n    return fill(I, TWO, f(I))\n"
                           "def d(S, I, C):\n    return last(first(S))\n";
static const signed char cells[] = {1, 2, 3, 4, 0, 6}, turned[] = {4, 1, 0, 2, 6, 3};

typedef struct tour {
    arcl_context *context;
    arcl_source *source, *again;
    arcl_program *program, *safe, *all[4];
    arcl_batch *batch, *sets, *submitted, *expected;
    arcl_result *result, *many[2], *scored, *of_battery[3], *taken;
    arcl_battery *battery;
    arcl_battery_text written;
    arcl_accumulator *accumulator;
    arcl_profile *profile, *loaded;
    arcl_plan *plan;
    arcl_tree *tree, *copy, *mutant;
    arcl_mutator *mutator;
    arcl_library *library, *read;
    arcl_program *of_tree;
    char *form, *of_copy;
    arcl_error error;
    const char *wrong; /* what is not as it should be; NULL: nothing */
} tour;

/* What an error may have in it from an earlier call. */
static const char stale[] = "out of memory, Error: no space left, long ago";

static void spoil(arcl_error *errors, size_t count) {
    for (size_t i = 0; i < count; i++) memcpy(errors[i].message, stale, sizeof stale);
}

/* A call that may fail for want of memory, or of a place to keep something, and for nothing else. */
static int fails(tour *t, arcl_status status) {
    if (status == ARCL_INVALID && !strstr(t->error.message, "memory") && !strstr(t->error.message, "Error") &&
        !strstr(t->error.message, "error") && !strstr(t->error.message, "space"))
        t->wrong = t->error.message;
    if (status == ARCL_DEVICE_FAILED) t->wrong = "a device failed";
    if (status == ARCL_SUCCESS && *t->error.message) t->wrong = "a call that succeeds has an error";
    if (status != ARCL_SUCCESS && strcmp(t->error.message, stale) == 0) t->wrong = "a call that fails has no error";
    return status != ARCL_SUCCESS;
}

#define TRY(call)                                                                                                      \
    if (spoil(&t->error, 1), fails(t, call)) return
#define EXPECT(condition)                                                                                              \
    if (!(condition)) {                                                                                                \
        t->wrong = #condition;                                                                                         \
        return;                                                                                                        \
    }

static int is_turned(const arcl_result *r, uint32_t lane) {
    int h, w;
    const signed char *got = arcl_result_grid(r, lane, &h, &w);
    return got && h == 3 && w == 2 && memcmp(got, turned, sizeof turned) == 0;
}

static void visit_trees(tour *t) {
    arcl_key key, same;
    arcl_type types[8], given[1] = {arcl_type_parse("grid")}, result;
    arcl_operand I = {ARCL_OPERAND_PARAMETER, 0, 0}, turn = arcl_operand_op(ARCL_ARC_DSL, "rot90"), x;
    TRY(arcl_tree_from_source(t->context, t->source, 1, &t->tree, &t->error));
    TRY(arcl_tree_copy(t->tree, &t->copy, &t->error));
    TRY(arcl_tree_key(t->context, t->tree, &key, &t->error));
    TRY(arcl_tree_key(t->context, t->copy, &same, &t->error));
    EXPECT(key.high == same.high && key.low == same.low);
    for (int i = 0; i < 20; i++) TRY(arcl_tree_insert(t->copy, 0, &turn, &I, 1, &t->error));
    TRY(arcl_tree_graft(t->copy, 0, t->tree, 0, &x, &t->error));
    arcl_tree_prune(t->copy);
    EXPECT(arcl_tree_lines(t->copy) <= 8);
    TRY(arcl_tree_types(t->context, t->copy, NULL, types, &t->error));
    TRY(arcl_op_type(t->context, ARCL_ARC_DSL, turn.number, 1, given, &result, &t->error));
    EXPECT(result == given[0]);
    TRY(arcl_tree_compile(t->context, t->copy, NULL, &t->of_tree, &t->error));
    TRY(arcl_mutator_create(t->context, &(arcl_mutator_options){.dialect = ARCL_ARC_DSL}, &t->mutator, &t->error));
    TRY(arcl_mutator_add(t->mutator, t->copy, &t->error));
    TRY(arcl_mutator_add(t->mutator, t->tree, &t->error));
    for (uint64_t random = 0; random < 4; random++) {
        uint64_t changed = random;
        TRY(arcl_mutator_mutate(t->mutator, 0, &changed, &t->mutant, NULL, &t->error));
        arcl_tree_free(t->mutant);
        t->mutant = NULL;
    }
    size_t length;
    const arcl_tree *trees[1] = {t->tree};
    TRY(arcl_library_learn(t->context, trees, 1, &t->library, &t->error));
    TRY(arcl_library_write(t->context, t->library, &t->of_copy, &length, &t->error));
    TRY(arcl_library_read(t->context, t->of_copy, length, NULL, &t->read, &t->error));
    EXPECT(arcl_library_patterns(t->read) == arcl_library_patterns(t->library));
    arcl_text_free(t->of_copy);
    t->of_copy = NULL;
    for (int inlined = 0; inlined < 2; inlined++) {
        TRY(arcl_tree_format(t->context, t->copy, "b", ARCL_ARC_DSL, inlined, &t->of_copy, NULL, &t->error));
        arcl_text_free(t->of_copy);
        t->of_copy = NULL;
    }
}

static void visit_programs(tour *t) {
    size_t length;
    arcl_key key, same;
    TRY(arcl_source_parse_dialect(t->context, text, sizeof text - 1, "tour", ARCL_ARC_DSL, &t->source, &t->error));
    EXPECT(arcl_source_count(t->source) == 4);
    TRY(arcl_source_format(t->context, t->source, 1, 1, &t->form, &length, &t->error));
    TRY(arcl_source_key(t->context, t->source, 1, &key, &t->error));
    arcl_dialect dialect = arcl_source_dialect(t->source);
    TRY(arcl_source_parse_dialect(t->context, t->form, length, NULL, dialect, &t->again, &t->error));
    TRY(arcl_source_key(t->context, t->again, 0, &same, &t->error));
    EXPECT(key.high == same.high && key.low == same.low);
    TRY(arcl_program_compile(t->context, t->source, 0, NULL, &t->program, &t->error));
    arcl_compile_options options = {.grid_result = 1, .policy = ARCL_SAFE};
    TRY(arcl_program_compile(t->context, t->source, 2, &options, &t->safe, &t->error));
    arcl_error errors[4];
    spoil(errors, 4);
    arcl_source_compile(t->context, t->source, NULL, t->all, errors);
    for (int i = 0; i < 4; i++) {
        EXPECT(t->all[i] || strstr(errors[i].message, i == 2 ? "" : "out of memory"));
        EXPECT(!t->all[i] == !!*errors[i].message);
    }
}

static void visit_runs(tour *t) {
    TRY(arcl_batch_create(t->context, "grid", &t->batch, &t->error));
    TRY(arcl_batch_add_grid(t->batch, 2, 3, cells, &t->error));
    TRY(arcl_batch_add_grids(t->batch, 2, 2, 3, cells, 0, 3, &t->error));
    TRY(arcl_batch_create(t->context, "{ij}", &t->sets, &t->error));
    TRY(arcl_batch_open(t->sets, &t->error));
    for (int i = 3; i > 0; i--) {
        TRY(arcl_batch_open(t->sets, &t->error));
        TRY(arcl_batch_add_int(t->sets, i, &t->error));
        TRY(arcl_batch_add_int(t->sets, i, &t->error));
        TRY(arcl_batch_close(t->sets, &t->error));
    }
    TRY(arcl_batch_close(t->sets, &t->error));
    TRY(arcl_run(t->context, t->program, t->batch, &t->result, &t->error));
    for (uint32_t i = 0; i < 3; i++) EXPECT(is_turned(t->result, i));
    const arcl_program *programs[] = {t->program, t->safe};
    const arcl_batch *batches[] = {t->batch, t->batch};
    TRY(arcl_run_many(t->context, 2, programs, batches, t->many, &t->error));
    EXPECT(is_turned(t->many[0], 2) && arcl_result_failures(t->many[1], 2) > 0);
    TRY(arcl_batch_create(t->context, "grid", &t->expected, &t->error));
    for (int i = 0; i < 3; i++) TRY(arcl_batch_add_grid(t->expected, 3, 2, turned, &t->error));
    const arcl_batch *expected[] = {t->expected};
    TRY(arcl_score_many(t->context, 1, programs, batches, expected, 0, &t->scored, &t->error));
    EXPECT(arcl_result_score(t->scored, 2).match == 1);
}

static void visit_batteries(tour *t) {
    arcl_definition definitions[] = {{t->source, 0}, {t->source, 1}, {t->source, 2}};
    arcl_error errors[3];
    spoil(errors, 3);
    TRY(arcl_battery_compile(t->context, definitions, 3, NULL, &t->battery, errors, &t->error));
    EXPECT(arcl_battery_describe(t->battery).rejected == 1);
    EXPECT(!*errors[0].message && !*errors[1].message && strstr(errors[2].message, "'f'"));
    spoil(errors, 2);
    TRY(arcl_battery_score(t->context, t->battery, t->batch, t->expected, 1, t->of_battery, errors, &t->error));
    EXPECT((t->of_battery[0] && is_turned(t->of_battery[0], 1)) || strstr(errors[0].message, "memory"));
    EXPECT(!t->of_battery[0] == !!*errors[0].message && strstr(errors[2].message, "'f'"));
    spoil(errors, 3);
    TRY(arcl_battery_write(definitions, 3, &t->written, errors, &t->error));
    for (int i = 0; i < 3; i++) EXPECT(!*errors[i].message);
    EXPECT(t->written.rejected == 0 && strstr(t->written.text, "rot90(I)"));
}

static void visit_others(tour *t) {
    arcl_grid grids[] = {{2, 3, cells}, {3, 2, turned}};
    uint32_t matrix[4];
    TRY(arcl_similarity(t->context, "host", grids, 2, grids, 2, matrix, NULL, &t->error));
    EXPECT(matrix[0] == 6 && matrix[3] == 6);
    arcl_ticket ticket;
    TRY(arcl_accumulator_create(t->context, NULL, &t->accumulator, &t->error));
    TRY(arcl_batch_create(t->context, "grid", &t->submitted, &t->error));
    TRY(arcl_batch_add_grid(t->submitted, 2, 3, cells, &t->error));
    TRY(arcl_accumulator_submit(t->accumulator, t->program, t->submitted, &ticket, &t->error));
    t->submitted = NULL;
    arcl_accumulator_flush(t->accumulator);
    TRY(arcl_accumulator_take(t->accumulator, ticket, &t->taken, &t->error));
    EXPECT(is_turned(t->taken, 0));
}

static void visit_profiles(tour *t) {
    char path[64];
    snprintf(path, sizeof path, "%s/profile.json", folder);
    TRY(arcl_profile_create(&t->profile, &t->error));
    if (!synthetic_host(t->profile, t->context)) return;
    TRY(arcl_profile_add_case(t->profile, "host", "case", &t->error));
    TRY(arcl_profile_save(t->profile, path, &t->error));
    TRY(arcl_profile_load(path, &t->loaded, &t->error));
    EXPECT(arcl_profile_has_case(t->loaded, "host", "case"));
    TRY(arcl_plan_create(t->context, t->loaded, t->program, t->batch, 1000, &t->plan, &t->error));
    EXPECT(strcmp(arcl_plan_get(t->plan).device, "host") == 0);
    TRY(arcl_cache_flush(t->context, &t->error));
}

static void leave(tour *t) {
    arcl_accumulator_free(t->accumulator);
    arcl_batch_free(t->submitted);
    arcl_plan_free(t->plan);
    arcl_profile_free(t->profile);
    arcl_profile_free(t->loaded);
    arcl_battery_text_free(&t->written);
    for (int i = 0; i < 3; i++) arcl_result_free(t->of_battery[i]);
    arcl_battery_free(t->battery);
    arcl_result_free(t->taken);
    arcl_result_free(t->scored);
    arcl_result_free(t->result);
    for (int i = 0; i < 2; i++) arcl_result_free(t->many[i]);
    arcl_batch_free(t->batch);
    arcl_batch_free(t->sets);
    arcl_batch_free(t->expected);
    for (int i = 0; i < 4; i++) arcl_program_free(t->all[i]);
    arcl_program_free(t->program);
    arcl_program_free(t->safe);
    arcl_program_free(t->of_tree);
    arcl_tree_free(t->tree);
    arcl_tree_free(t->copy);
    arcl_tree_free(t->mutant);
    arcl_mutator_free(t->mutator);
    arcl_library_free(t->library);
    arcl_library_free(t->read);
    arcl_text_free(t->form);
    arcl_text_free(t->of_copy);
    arcl_source_free(t->source);
    arcl_source_free(t->again);
    arcl_context_free(t->context);
}

/* What is wrong, or NULL. */
static const char *take_tour(int threads, int *complete) {
    static char message[1100];
    tour all = {0}, *t = &all;
    char kept[64];
    snprintf(kept, sizeof kept, "%s/kept", folder);
    arcl_options options = {.threads = threads, .device = "host", .profile = "", .memory = 64 << 20};
    arcl_cache_options cache = {.directory = kept};
    int open = !fails(t, arcl_context_create(&options, &t->context, &t->error)) &&
               !fails(t, arcl_cache_enable(t->context, &cache, &t->error));
    if (open) visit_programs(t);
    if (t->safe && !t->wrong) visit_trees(t);
    if (t->safe && !t->wrong) visit_runs(t);
    if (t->scored && !t->wrong) visit_batteries(t);
    if (t->written.text && !t->wrong) visit_others(t);
    if (t->taken && !t->wrong) visit_profiles(t);
    *complete = t->plan != NULL && t->of_tree != NULL;
    snprintf(message, sizeof message, "%s", t->wrong ? t->wrong : "");
    leave(t);
    return t->wrong ? message : NULL;
}

TEST once(int threads) {
    int complete;
    const char *wrong = take_tour(threads, &complete);
    ASSERTm(wrong, !wrong);
    ASSERT(complete || getenv("FAIL_AT"));
    PASS();
}

/* $STRIDE: every how many. */
TEST every_allocation_fails(int threads) {
    long (*at)(const char *, long);
    void *found = dlsym(RTLD_DEFAULT, "failing_calls_at");
    if (!found) SKIPm("failing_calls.c is not preloaded");
    memcpy(&at, &found, sizeof at); /* C has no such conversion */
    long stride = getenv("STRIDE") ? atol(getenv("STRIDE")) : 1, n = 1;
    for (int complete = 0; !complete || n < 100; n += stride) {
        static char what[1200];
        at("memory", n);
        const char *wrong = take_tour(threads, &complete);
        long calls = at("memory", 0);
        snprintf(what, sizeof what, "allocation %ld: %s", n, wrong ? wrong : "");
        ASSERTm(what, !wrong);
        if (calls < n) break;
        complete = 0;
    }
    fprintf(stderr, "  %ld allocations\n", n);
    ASSERT(n > 100);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    char command[64];
    GREATEST_MAIN_BEGIN();
    unsetenv("LD_PRELOAD"); /* rm, below, is none of its business */
    if (!mkdtemp(folder)) return 1;
    RUN_TESTp(once, 1);
    RUN_TESTp(once, 2);
    RUN_TESTp(every_allocation_fails, 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) return 1;
    GREATEST_MAIN_END();
}
