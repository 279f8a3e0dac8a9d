/* Programs in parts on different devices give what they give in one piece, wherever they are cut. */
#include "greatest.h"
#include "plan/planned_run.h"
#include "program/split.h"
#include "run/device/run_mixed.h"
#include "support/evaluation.h"

typedef struct example {
    const char *types, *body, *lanes;
    uint32_t budget; /* 0: as usual */
} example;

#define SMALL_AND_LARGE "[[1]]; [[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]; [[1,2]]"

/* Values of every kind cross the cuts: grids, sets of sets, records, what differs by lane; lanes fail before and
 * after. */
static const example examples[] = {
    {"grid", "rot90(vmirror(hmirror(rot90(a))))", "[[1,2],[3,4]]; [[5]]; [[1,2,3]]", 0},
    {"grid", "o = objects(a, T, F, T); p = order(o, size); q = merge(p); fill(a, 3, q)",
     "[[0,1,0],[1,1,0],[0,0,2]]; [[0]]; [[1,0,1]]", 0},
    {"grid",
     "o = objects(a, T, F, T); f = first(o); m = mapply(lbind(shift, f), apply(ulcorner, o)); "
     "paint(canvas(0, shape(a)), m)",
     "[[0,1],[0,0]]; [[0,0],[0,0]]; [[3,0],[0,3]]", 0}, /* of the second lane, `first` fails */
    {"int int", "x = divide(a, b); y = astuple(x, a); z = add(y, y); multiply(z, z)", "6 3; 1 0; 7 2; 5 5", 0},
    {"grid int", "c = ofcolor(a, b); d = power(rbind(shift, (1, 1)), size(c)); e = d(c); combine(c, e)",
     "[[1,1],[0,1]] 1; [[1,1],[0,1]] 0; [[2]] 2", 0},
    {"grid", "w = width(a); x = branch(equality(w, 2), asindices(a), asobject(a)); y = normalize(x); size(y)",
     "[[1,2],[3,4]]; [[1,2,3]]", 0},
    /* What fails in all lanes alike: after and before a lane has used up its budget, twice, and by the budget that all
     * of it has together. */
    {"grid", "x = asindices(a); y = size(product(x, x)); z = first(repeat(1, 0)); add(y, z)", SMALL_AND_LARGE, 300},
    {"grid", "x = asindices(a); y = add(first(repeat(1, 0)), size(x)); add(y, size(product(x, x)))", SMALL_AND_LARGE,
     300},
    {"grid", "x = add(height(a), first(repeat(1, 0))); y = divide(1, 0); z = repeat(x, width(a)); add(y, size(z))",
     SMALL_AND_LARGE, 0},
    {"grid", "x = size(a); y = add(x, size(repeat(1, 160))); z = add(y, size(repeat(2, 160))); add(z, x)",
     SMALL_AND_LARGE, 300},
    {"grid", "x = size(a); y = add(x, size(repeat(1, 160))); z = add(y, size(repeat(1, 160))); add(z, x)",
     SMALL_AND_LARGE, 300},
};

static arcl_context *device_context(uint32_t budget) {
    arcl_context *c;
    arcl_options options = {.threads = 2, .device = "cl:0", .budget = budget};
    return arcl_context_create(&options, &c, NULL) ? NULL : c;
}

static void scores_write(const arcl_result *r, text *to) {
    char one[64];
    for (uint32_t n = 0; n < arcl_result_lanes(r); n++) {
        arcl_score s = arcl_result_score(r, n);
        snprintf(one, sizeof one, "; %llx %u %u", (unsigned long long)s.fingerprint, s.words, s.cells);
        text_add(to, one);
    }
}

/* The result of a program that was run by a plan, or of one that was run as a whole; an empty text says that something
 * went wrong. Scores come in one run with the values, and once more alone. */
static void run_by_plan(arcl_context *c, const arcl_program *p, const arcl_batch *b, const arcl_batch *expected,
                        const int *device, text *to) {
    mixed_plan parts;
    arcl_result *both, *alone;
    run_request request = {1, &p, &b, YIELD_BOTH, expected ? &expected : NULL};
    text_clear(to);
    if (device && mixed_plan_make(c, p->graph, device, &parts, NULL)) return;
    run_plan plan = {.kind = IN_PARTS, .workers = 2, .parts = &parts};
    if (!(device ? run_by_plans(c, &request, &plan, &both, NULL) : planned_run(c, &request, &both, NULL))) {
        result_write(both, to);
        scores_write(both, to);
        arcl_result_free(both);
    }
    request.yield = YIELD_SCORES;
    if (!(device ? run_by_plans(c, &request, &plan, &alone, NULL) : planned_run(c, &request, &alone, NULL))) {
        scores_write(alone, to);
        arcl_result_free(alone);
    }
    if (device) mixed_plan_free(&parts);
}

TEST cuts_do_not_show(const example *e) {
    arcl_context *c = device_context(e->budget);
    arcl_program *p;
    arcl_batch *b;
    text expected = {0}, found = {0};
    randomness random = {7};
    int device[256];
    if (!c) SKIPm("there is no OpenCL device");
    ASSERT_EQ(ARCL_SUCCESS, body_compile(c, e->types, e->body, 0, &p, NULL));
    ASSERT(p->graph->count < 256);
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(c, e->types, &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, e->lanes, NULL));
    const arcl_batch *compared =
        strcmp(e->types, "grid") == 0 ? b : NULL; /* with their own inputs, for want of better */
    run_by_plan(c, p, b, compared, NULL, &expected);
    ASSERT(expected.length > 0);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 256; i++) device[i] = random_below(&random, 2) ? 0 : MIXED_HOST;
        run_by_plan(c, p, b, compared, device, &found);
        ASSERT_STR_EQ(expected.at, found.at);
    }
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(c);
    text_free(&expected);
    text_free(&found);
    PASS();
}

TEST a_map_is_one_unit(void) {
    arcl_context *c;
    arcl_program *p;
    pool memory = {0};
    uint32_t cut[64];
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS,
              body_compile(c, "grid", "o = objects(a, T, F, T); m = apply(compose(double, size), o); maximum(m)", 0, &p,
                           NULL));
    int units = split_units(p->graph, &memory, cut);
    ASSERT_EQ(3, units);
    ASSERT_EQ((uint32_t)p->graph->count, cut[units]);
    pool_free(&memory);
    arcl_program_free(p);
    arcl_context_free(c);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(a_map_is_one_unit);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) RUN_TESTp(cuts_do_not_show, &examples[i]);
    GREATEST_MAIN_END();
}
