/* Tests of where lanes have failed (arcl_result_failure): the op, its place in the text, and for which elements. */
#include "greatest.h"
#include "support/evaluation.h"

static arcl_context *shared;

/* ---- one definition, and what is told of each lane ---- */

typedef struct told {
    arcl_compile_options options;
    const char *type[4];
    char types[128];
    arcl_source *source;
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
} told;

static arcl_status told_open(told *t, const char *types, const char *definition, const char *lanes, arcl_policy policy,
                             arcl_error *error) {
    *t = (told){.options = {.policy = policy}};
    snprintf(t->types, sizeof t->types, "%s", types);
    for (char *at = strtok(t->types, " "); at; at = strtok(NULL, " ")) t->type[t->options.type_count++] = at;
    t->options.types = t->type;
    t->options.grid_result = strstr(definition, "def grid") != NULL;
    arcl_status status = arcl_source_parse(shared, definition, strlen(definition), "t.py", &t->source, error);
    if (!status) status = arcl_program_compile(shared, t->source, 0, &t->options, &t->program, error);
    if (!status) status = arcl_batch_create(shared, types, &t->batch, error);
    if (!status) status = lanes_read(t->batch, lanes, error);
    return status ? status : arcl_run(shared, t->program, t->batch, &t->result, error);
}

static void told_close(told *t) {
    arcl_result_free(t->result);
    arcl_batch_free(t->batch);
    arcl_program_free(t->program);
    arcl_source_free(t->source);
}

/* "DIVIDE divide 2:9 [1/3]": status, op, line and column, and the elements: a pair has a comma, a round an r. */
static void write_failure(const arcl_failure *f, text *to) {
    char one[160];
    text_add(to, f->status == ARCL_OK ? "OK" : arcl_lane_status_name(f->status));
    if (f->status == ARCL_OK) return;
    snprintf(one, sizeof one, " %s %u:%u", *f->op ? f->op : "-", f->line, f->column);
    text_add(to, one);
    for (int i = 0; i < f->depth; i++) {
        const arcl_failure_level *l = &f->level[i];
        if (l->kind == ARCL_LEVEL_PAIR)
            snprintf(one, sizeof one, " [%u,%u/%u]", l->index, l->other, l->count);
        else if (l->kind == ARCL_LEVEL_ROUND)
            snprintf(one, sizeof one, " [r%u]", l->index);
        else
            snprintf(one, sizeof one, " [%u/%u]", l->index, l->count);
        text_add(to, one);
    }
}

TEST tells(const char *types, const char *definition, const char *lanes, arcl_policy policy, const char *expected) {
    told t;
    arcl_error error;
    text found = {0};
    text_add(&found, "");
    arcl_status status = told_open(&t, types, definition, lanes, policy, &error);
    if (status) FAILm(error.message);
    for (uint32_t lane = 0; lane < arcl_result_lanes(t.result); lane++) {
        arcl_failure f;
        if (arcl_result_failure(shared, t.result, lane, (arcl_definition){t.source, 0}, &t.options, t.batch, &f,
                                &error))
            FAILm(error.message);
        if (lane) text_add(&found, "; ");
        write_failure(&f, &found);
    }
    ASSERT_STR_EQ(expected, found.at);
    text_free(&found);
    told_close(&t);
    PASS();
}

TEST fails(const char *types, const char *definition, const char *lanes, const char *expected) {
    return tells(types, definition, lanes, ARCL_STRICT, expected);
}

TEST mishaps(const char *types, const char *definition, const char *lanes, const char *expected) {
    return tells(types, definition, lanes, ARCL_SAFE, expected);
}

SUITE(statuses) {
    RUN_TESTp(fails, "grid", "def f(a):\n    x = index(a, UNITY)\n    return add(1, x)\n", "[[1]]; [[1,2],[3,4]]",
              "TYPE add 3:12; OK");
    RUN_TESTp(fails, "[int]", "def f(a):\n    return first(a)\n", "[]; [4,5]", "EMPTY first 2:12; OK");
    RUN_TESTp(fails, "grid grid", "def f(a, b):\n    return hconcat(a, cellwise(a, b, 0))\n", "[[1,2]] [[1]]",
              "BOUNDS cellwise 2:23");
    RUN_TESTp(fails, "int int", "def f(a, b):\n    x = add(a, b)\n    y = divide(a, b)\n    return y\n", "1 0; 7 2",
              "DIVIDE divide 3:9; OK");
    RUN_TESTp(fails, "[[int]]", "def grid(a):\n    return a\n", "[[1,2],[3]]; [[1]]; [[1000]]",
              "SHAPE - 2:12; OK; LIMIT - 2:12");
    RUN_TESTp(fails, "int", "def f(a):\n    x = double(a)\n    return double(x)\n", "1073741824; 1; 536870912",
              "LIMIT double 2:9; OK; LIMIT double 3:12");
}

SUITE(elements) {
    RUN_TESTp(fails, "[int]", "def f(a):\n    g = lbind(divide, 6)\n    return apply(g, a)\n",
              "[1,2]; [3,0,1]; [1,2,0]", "OK; DIVIDE divide 3:12 [1/3]; DIVIDE divide 3:12 [2/3]");
    RUN_TESTp(fails, "[[int]]", "def f(a):\n    g = lbind(apply, lbind(divide, 6))\n    return apply(g, a)\n",
              "[[1],[2,0]]; [[],[6],[0]]", "DIVIDE divide 3:12 [1/2] [1/2]; DIVIDE divide 3:12 [2/3] [0/1]");
    RUN_TESTp(fails, "[int] [int]", "def f(a, b):\n    return papply(divide, a, b)\n", "[4,6] [2,0]",
              "DIVIDE divide 2:12 [1/2]");
    RUN_TESTp(fails, "{int} {int}", "def f(a, b):\n    return prapply(divide, a, b)\n", "{4,6,8} {-1,0,2}",
              "DIVIDE divide 2:12 [0,1/9]");
    RUN_TESTp(fails, "[int]", "def f(a):\n    return extract(a, matcher(lbind(divide, 6), 6))\n",
              "[1,0]; [2,0]; [2,3]; []", "OK; DIVIDE divide 2:12 [1/2]; EMPTY extract 2:12; EMPTY extract 2:12");
    RUN_TESTp(fails, "[int]", "def f(a):\n    return sfilter(a, matcher(lbind(divide, 6), 6))\n", "[1,0]",
              "DIVIDE divide 2:12 [1/2]");
    RUN_TESTp(fails, "int int", "def f(a, b):\n    return power(compose(lbind(divide, 6), decrement), b)(a)\n",
              "7 1; 7 2; 1 1", "OK; DIVIDE divide 2:12 [r1]; DIVIDE divide 2:12");
    /* the inner function depends on nothing of the outer one, so that it is called once for all */
    RUN_TESTp(fails, "[int] [int]",
              "def f(a, b):\n    g = lbind(divide, 6)\n    h = lbind(apply, g)\n    k = fork(add, identity, "
              "compose(size, chain(h, lbind(rbind, b), identity)))\n    return apply(rbind(divide, 1), apply(g, b))\n",
              "[1] [0]", "DIVIDE divide 5:36 [0/1]");
}

/* Only the lanes that go one way can fail there; and the first failure is that of the text's normal form, which begins
 * with what the result needs. */
SUITE(which_one) {
    RUN_TESTp(fails, "int", "def f(a):\n    x = branch(positive(a), identity, lbind(divide, 6))\n    return x(a)\n",
              "1; 0; -2", "OK; DIVIDE divide 3:12; OK");
    RUN_TESTp(fails, "[int] int", "def f(a, b):\n    y = first(a)\n    x = divide(6, b)\n    return add(x, y)\n",
              "[] 0; [] 1; [1] 0", "DIVIDE divide 3:9; EMPTY first 2:9; DIVIDE divide 3:9");
    RUN_TESTp(fails, "int", "def f(a):\n    x = divide(1, 0)\n    y = divide(1, a)\n    return y\n", "0; 1",
              "DIVIDE divide 2:9; DIVIDE divide 2:9");
    /* what is written twice is done once, and has failed where it is written first */
    RUN_TESTp(fails, "[int]", "def f(a):\n    x = first(a)\n    y = first(a)\n    return add(y, x)\n", "[]",
              "EMPTY first 2:9");
}

SUITE(safe_policy) {
    RUN_TESTp(mishaps, "[int] int", "def f(a, b):\n    y = first(a)\n    x = divide(6, b)\n    return add(x, y)\n",
              "[] 0; [] 1; [1] 0; [1] 1", "DIVIDE divide 3:9; EMPTY first 2:9; DIVIDE divide 3:9; OK");
    RUN_TESTp(mishaps, "[int]", "def f(a):\n    x = first(a)\n    y = rot90(x)\n    return y\n", "[]; [1]",
              "EMPTY first 2:9; TYPE rot90 3:9");
    RUN_TESTp(mishaps, "int", "def f(a):\n    x = nosuchop(a)\n    return add(a, 1)\n", "1", "TYPE - 2:9");
}

/* A battery's own batch may have more arguments than the definition takes. */
TEST other_arguments_are_passed_over(void) {
    static const char definition[] = "def f(I):\n    x = asobject(I)\n    return color(remove((0, 0), x))\n";
    arcl_source *source;
    arcl_batch *batch;
    arcl_failure f;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(shared, definition, sizeof definition - 1, "t.py", &source, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(shared, "[[grid]] grid", &batch, &error));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(batch, "[] []", &error));
    ASSERT_EQ(ARCL_SUCCESS,
              arcl_result_failure(shared, NULL, 0, (arcl_definition){source, 0}, NULL, batch, &f, &error));
    ASSERT(f.status != ARCL_OK);
    ASSERT(f.line == 2 || f.line == 3);
    arcl_batch_free(batch);
    arcl_source_free(source);
    PASS();
}

TEST budget_names_what_used_it_up(void) {
    static const char definition[] = "def f(I):\n    x = asindices(I)\n    y = product(x, x)\n    z = product(y, y)\n"
                                     "    return size(z)\n";
    arcl_options options = {.budget = 100000};
    arcl_context *small;
    arcl_source *source;
    arcl_batch *batch;
    arcl_failure f;
    arcl_error error;
    signed char cells[100] = {0};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &small, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(small, definition, sizeof definition - 1, "t.py", &source, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(small, "grid", &batch, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(batch, 10, 10, cells, &error));
    for (int policy = ARCL_STRICT; policy <= ARCL_SAFE; policy++) {
        arcl_compile_options how = {.policy = (arcl_policy)policy};
        ASSERT_EQ(ARCL_SUCCESS,
                  arcl_result_failure(small, NULL, 0, (arcl_definition){source, 0}, &how, batch, &f, &error));
        ASSERT_EQ(ARCL_LANE_BUDGET, f.status);
        ASSERT_STR_EQ("product", f.op);
        ASSERT_EQ_FMT(4u, f.line, "%u");
    }
    arcl_batch_free(batch);
    arcl_source_free(source);
    arcl_context_free(small);
    PASS();
}

TEST the_message_has_a_caret(void) {
    told t;
    arcl_error error;
    arcl_failure f;
    ASSERT_EQ(ARCL_SUCCESS,
              told_open(&t, "[[int]]", "def f(a):\n    return apply(first, a)\n", "[[1],[],[2]]", ARCL_STRICT, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_result_failure(shared, t.result, 0, (arcl_definition){t.source, 0}, &t.options,
                                                t.batch, &f, &error));
    ASSERT_STR_EQ("t.py:2:12: EMPTY in first, for element 1 of 3: an element of an empty container\n"
                  "        return apply(first, a)\n"
                  "               ^",
                  f.message);
    told_close(&t);
    PASS();
}

TEST what_does_not_belong_together_is_refused(void) {
    told t, other;
    arcl_error error;
    arcl_failure f;
    ASSERT_EQ(ARCL_SUCCESS, told_open(&t, "[int]", "def f(a):\n    return first(a)\n", "[]; [1]", ARCL_STRICT, &error));
    ASSERT_EQ(ARCL_SUCCESS, told_open(&other, "[int]", "def f(a):\n    return size(a)\n", "[]", ARCL_STRICT, &error));
    arcl_definition one = {t.source, 0}, none = {t.source, 1}, two = {other.source, 0}, nothing = {NULL, 0};
    ASSERT_EQ(ARCL_INVALID, arcl_result_failure(shared, t.result, 0, two, &t.options, t.batch, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_result_failure(shared, t.result, 2, one, &t.options, t.batch, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_result_failure(shared, t.result, 0, none, &t.options, t.batch, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_result_failure(shared, t.result, 0, nothing, &t.options, t.batch, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_result_failure(NULL, t.result, 0, one, &t.options, t.batch, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_result_failure(shared, t.result, 0, one, &t.options, NULL, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_result_failure(shared, t.result, 0, one, &t.options, t.batch, NULL, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_result_failure(shared, t.result, 1, one, &t.options, t.batch, &f, &error));
    ASSERT_EQ(ARCL_OK, f.status);
    told_close(&other);
    told_close(&t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(NULL, &shared, NULL)) abort();
    RUN_SUITE(statuses);
    RUN_SUITE(elements);
    RUN_SUITE(which_one);
    RUN_SUITE(safe_policy);
    RUN_TEST(other_arguments_are_passed_over);
    RUN_TEST(budget_names_what_used_it_up);
    RUN_TEST(the_message_has_a_caret);
    RUN_TEST(what_does_not_belong_together_is_refused);
    arcl_context_free(shared);
    GREATEST_MAIN_END();
}
