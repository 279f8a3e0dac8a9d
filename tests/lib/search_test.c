/* Tests of lib/search: tasks that each stage has to solve, from donors that do not solve them; and that the same search
 * finds the same, whatever runs it. */
#include "support/evaluation.h"

#include "arcl_search.h"

#include "greatest.h"

static arcl_context *context;

enum { MOST = 8 };
typedef struct donor_trees {
    arcl_tree *at[MOST];
    int count;
} donor_trees;

static donor_trees parse_donors(const char *body) {
    donor_trees d = {.count = 0};
    arcl_source *source;
    if (arcl_source_parse(context, body, strlen(body), "donors.py", &source, NULL)) abort();
    for (; d.count < arcl_source_count(source); d.count++)
        if (arcl_tree_from_source(context, source, d.count, &d.at[d.count], NULL)) abort();
    arcl_source_free(source);
    return d;
}

static void free_donors(donor_trees *d) {
    for (int i = 0; i < d->count; i++) arcl_tree_free(d->at[i]);
}

/* Tasks of 3 by 3 grids: two examples, one input to solve, and its output. */
typedef struct small_task {
    const signed char inputs[3][9], outputs[3][9];
} small_task;

static arcl_search *begin_with(arcl_context *in, const small_task *t, const donor_trees *d,
                               arcl_search_options options) {
    arcl_grid inputs[3], outputs[3];
    arcl_search *s;
    arcl_error error;
    for (int i = 0; i < 3; i++) {
        inputs[i] = (arcl_grid){3, 3, t->inputs[i]};
        outputs[i] = (arcl_grid){3, 3, t->outputs[i]};
    }
    arcl_search_task task = {2, 1, inputs, outputs};
    options.donors = (const arcl_tree *const *)d->at;
    options.donor_count = d->count;
    if (arcl_search_create(in, &task, &options, &s, &error)) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    return s;
}

static arcl_search *begin(arcl_context *in, const small_task *t, const donor_trees *d, unsigned stages) {
    return begin_with(in, t, d, (arcl_search_options){.stages = stages});
}

static const small_task turned = {
    {{1, 2, 3, 0, 0, 0, 0, 0, 0}, {4, 0, 0, 0, 5, 0, 0, 0, 6}, {7, 8, 0, 0, 0, 0, 0, 0, 0}},
    {{0, 0, 1, 0, 0, 2, 0, 0, 3}, {0, 0, 4, 0, 5, 0, 6, 0, 0}, {0, 0, 7, 0, 0, 8, 0, 0, 0}}};
/* Everything that is not black becomes red. */
static const small_task reddened = {
    {{1, 1, 1, 0, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 3, 0, 0, 0, 3}, {0, 8, 0, 8, 0, 0, 0, 0, 0}},
    {{2, 2, 2, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 2, 0, 0, 0, 2}, {0, 2, 0, 2, 0, 0, 0, 0, 0}}};
/* Ones become threes, twos become fours. */
static const small_task recoloured = {
    {{1, 2, 1, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 2, 0, 0, 0, 1}, {0, 2, 0, 1, 0, 0, 0, 0, 0}},
    {{3, 4, 3, 0, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 4, 0, 0, 0, 3}, {0, 4, 0, 3, 0, 0, 0, 0, 0}}};

static const char *const mirrors = "def one(I):\n    return vmirror(dmirror(I))\ndef two(I):\n    return hmirror(I)\n";

/* One of the attempts is the output that nobody has told it. */
static int is_solved(const arcl_search *s, const small_task *t) {
    arcl_grid attempt[ARCL_SEARCH_ATTEMPTS];
    int n = arcl_search_attempts(s, 0, attempt), solved = 0;
    for (int i = 0; i < n; i++)
        solved |= attempt[i].h == 3 && attempt[i].w == 3 && memcmp(attempt[i].cells, t->outputs[2], 9) == 0;
    return solved;
}

static int solves(const char *donors_text, const small_task *t, unsigned stages, uint64_t candidates) {
    donor_trees d = parse_donors(donors_text);
    arcl_search *s = begin(context, t, &d, stages);
    int done = arcl_search_run(s, candidates, NULL) == ARCL_SUCCESS && is_solved(s, t);
    arcl_search_free(s);
    free_donors(&d);
    return done;
}

#define STAGE(name) (1u << ARCL_SEARCH_##name)

TEST donors_are_tried_as_they_are(void) {
    ASSERT(solves(mirrors, &turned, STAGE(DONORS), 100));
    ASSERT_FALSE(solves("def two(I):\n    return hmirror(I)\n", &turned, STAGE(DONORS), 100));
    PASS();
}

TEST calls_are_put_together(void) {
    static const char *const apart = "def one(I):\n    return dmirror(I)\ndef two(I):\n    return vmirror(I)\n";
    ASSERT(solves(apart, &turned, STAGE(DONORS) | STAGE(VALUES), 1000));
    ASSERT_FALSE(solves(apart, &turned, STAGE(DONORS), 1000));
    PASS();
}

TEST outputs_are_undone(void) {
    static const char *const half = "def one(I):\n    return dmirror(I)\n";
    ASSERT(solves(half, &turned, STAGE(DONORS) | STAGE(GOALS), 100));
    ASSERT(solves(half, &recoloured, STAGE(DONORS) | STAGE(GOALS), 100));
    PASS();
}

TEST patches_that_outputs_imply_are_filled(void) {
    static const char *const patch = "def one(I):\n    return difference(asindices(I), ofcolor(I, 0))\n";
    ASSERT(solves(patch, &reddened, STAGE(DONORS) | STAGE(GOALS), 100));
    ASSERT_FALSE(solves(patch, &reddened, STAGE(DONORS), 100));
    PASS();
}

TEST pieces_are_stacked(void) {
    static const char *const parts = "def one(I):\n    return ofcolor(I, 1)\ndef two(I):\n    return ofcolor(I, 2)\n";
    ASSERT(solves(parts, &recoloured, STAGE(DONORS) | STAGE(STACKS), 100));
    ASSERT_FALSE(solves(parts, &recoloured, STAGE(DONORS), 100));
    PASS();
}

/* What fits the examples may yield something for the test that cannot be handed in: a colour above 9, or no rows. */
TEST attempts_can_be_handed_in(void) {
    donor_trees d = parse_donors("def one(I):\n    return replace(vmirror(dmirror(I)), 8, TEN)\n"
                                 "def two(I):\n    x = vmirror(dmirror(I))\n"
                                 "    return crop(x, ORIGIN, branch(contained(8, palette(I)), ORIGIN, shape(I)))\n");
    arcl_search *s = begin(context, &turned, &d, STAGE(DONORS));
    arcl_grid attempt[ARCL_SEARCH_ATTEMPTS];
    ASSERT_EQ(ARCL_SUCCESS, arcl_search_run(s, 100, NULL));
    int n = arcl_search_attempts(s, 0, attempt);
    ASSERT(n > 0); /* what both compute first */
    for (int i = 0; i < n; i++) {
        ASSERT(attempt[i].h > 0 && attempt[i].w > 0);
        for (int k = 0; k < attempt[i].h * attempt[i].w; k++)
            ASSERT(attempt[i].cells[k] >= 0 && attempt[i].cells[k] <= 9);
    }
    arcl_search_free(s);
    free_donors(&d);
    PASS();
}

/* A library says what calls there are, and what they cost, in place of the donors. */
TEST libraries_teach(void) {
    donor_trees d = parse_donors("def two(I):\n    return hmirror(I)\n"), others = parse_donors(mirrors);
    arcl_search_options options = {.stages = STAGE(DONORS) | STAGE(VALUES)};
    arcl_library *library;
    for (int taught = 0; taught < 2; taught++) {
        ASSERT_EQ(ARCL_SUCCESS,
                  arcl_library_learn(context, (const arcl_tree *const *)others.at, others.count, &library, NULL));
        options.library = taught ? library : NULL;
        arcl_search *s = begin_with(context, &turned, &d, options);
        arcl_library_free(library); /* what it has said is known */
        ASSERT_EQ(ARCL_SUCCESS, arcl_search_run(s, 1000, NULL));
        ASSERT_EQ(taught, is_solved(s, &turned));
        arcl_search_free(s);
    }
    free_donors(&others);
    free_donors(&d);
    PASS();
}

TEST a_library_of_another_dialect_is_refused(void) {
    static const char program[] = "def solve_b(S, I, C):\n    x1 = mir_rot_t(I, R0)\n    return hconcat(I, x1)\n";
    donor_trees d = parse_donors(mirrors);
    arcl_grid grid = {3, 3, turned.inputs[0]}, two[2] = {grid, grid};
    arcl_search_task task = {1, 1, two, two};
    arcl_source *source;
    arcl_tree *tree;
    arcl_library *library;
    arcl_search *s;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS,
              arcl_source_parse_dialect(context, program, sizeof program - 1, "t.py", ARCL_TOKPIDJIN, &source, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_tree_from_source(context, source, 0, &tree, NULL));
    const arcl_tree *one = tree;
    ASSERT_EQ(ARCL_SUCCESS, arcl_library_learn(context, &one, 1, &library, NULL));
    arcl_search_options options = {
        .donors = (const arcl_tree *const *)d.at, .donor_count = d.count, .library = library};
    ASSERT_EQ(ARCL_INVALID, arcl_search_create(context, &task, &options, &s, &error));
    ASSERT_STR_EQ("the library is of another dialect than the donors", error.message);
    arcl_library_free(library);
    arcl_tree_free(tree);
    arcl_source_free(source);
    free_donors(&d);
    PASS();
}

/* ---- the same everywhere ---- */

static void write_answers(arcl_context *in, const arcl_search *s, text *to) {
    char line[128];
    arcl_search_progress p = arcl_search_progress_get(s);
    text_clear(to);
    snprintf(line, sizeof line, "%llu %llu\n", (unsigned long long)p.candidates, (unsigned long long)p.distinct);
    text_add(to, line);
    for (int i = 0; i < arcl_search_answers(s); i++) {
        arcl_search_answer a = arcl_search_answer_get(s, i);
        char *program;
        if (arcl_tree_format(in, a.tree, "p", ARCL_DIALECT_AUTO, 0, &program, NULL, NULL)) abort();
        snprintf(line, sizeof line, "%d %u %d %d\n", a.examples, a.cells, a.calls, a.agreeing);
        text_add(to, line);
        text_add(to, program);
        arcl_text_free(program);
    }
}

TEST threads_chunks_and_pauses_change_nothing(void) {
    static const arcl_options ways[] = {{.threads = 1}, {.threads = 2}, {.threads = 1, .chunk = 3}};
    static const char *const some =
        "def one(I):\n    return fill(I, 3, ofcolor(I, 1))\ndef two(I):\n    return vmirror(I)\n"
        "def three(I):\n    return underfill(I, 1, asindices(I))\n";
    text first = {0}, next = {0};
    donor_trees d = parse_donors(some);
    for (int way = 0; way < 4; way++) {
        arcl_context *in;
        ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&ways[way % 3], &in, NULL));
        arcl_search *s = begin(in, &recoloured, &d, 0);
        for (uint64_t n = 20000; way == 3 && n < 60000; n += 7000) ASSERT_EQ(ARCL_SUCCESS, arcl_search_run(s, n, NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_search_run(s, 60000, NULL));
        write_answers(in, s, way ? &next : &first);
        if (way) ASSERT_STR_EQ(first.at, next.at);
        arcl_search_free(s);
        arcl_context_free(in);
    }
    text_free(&first);
    text_free(&next);
    free_donors(&d);
    PASS();
}

/* Values that find no room are looked at, and forgotten: the search goes on, as far and to the same end everywhere. */
TEST memory_that_is_used_up_ends_nothing(void) {
    static const arcl_options ways[] = {{.threads = 1}, {.threads = 1, .chunk = 5}};
    static const char *const some =
        "def one(I):\n    return fill(I, 3, ofcolor(I, 1))\ndef two(I):\n    return vmirror(dmirror(I))\n"
        "def three(I):\n    return objects(I, T, F, T)\n";
    text written[3] = {{0}};
    donor_trees d = parse_donors(some);
    for (int way = 0; way < 3; way++) {
        arcl_context *in;
        ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&ways[way % 2], &in, NULL));
        arcl_search *s = begin_with(in, &recoloured, &d, (arcl_search_options){.memory = way < 2 ? 1 << 19 : 0});
        ASSERT_EQ(ARCL_SUCCESS, arcl_search_run(s, 60000, NULL));
        ASSERT(arcl_search_progress_get(s).candidates >= 60000);
        write_answers(in, s, &written[way]);
        arcl_search_free(s);
        arcl_context_free(in);
    }
    ASSERT_STR_EQ(written[0].at, written[1].at);
    ASSERT(strcmp(written[0].at, written[2].at) != 0); /* with more memory, other things are found */
    for (int way = 0; way < 3; way++) text_free(&written[way]);
    free_donors(&d);
    PASS();
}

TEST cancelled_searches_go_on(void) {
    donor_trees d = parse_donors(mirrors);
    arcl_search *s = begin(context, &turned, &d, 0);
    arcl_cancel(context);
    ASSERT_EQ(ARCL_CANCELLED, arcl_search_run(s, 1000, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_search_run(s, 1000, NULL));
    ASSERT(is_solved(s, &turned));
    arcl_search_free(s);
    free_donors(&d);
    PASS();
}

TEST proposals_are_scored_and_kept(void) {
    donor_trees none = {.count = 0}, d = parse_donors(mirrors);
    arcl_search *s = begin(context, &turned, &none, STAGE(PROPOSALS));
    arcl_search_score scores[2], again[2];
    ASSERT_EQ(ARCL_SUCCESS, arcl_search_propose(s, (const arcl_tree *const *)d.at, 2, scores, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_search_propose(s, (const arcl_tree *const *)d.at, 2, again, NULL));
    ASSERT_EQ(2, scores[0].examples);
    ASSERT_EQ(18, (int)scores[0].cells);
    ASSERT_EQ(0, scores[1].examples);
    ASSERT(scores[0].fingerprint != scores[1].fingerprint);
    ASSERT_EQ(0, memcmp(scores, again, sizeof scores));
    ASSERT(is_solved(s, &turned));
    ASSERT_EQ(2, arcl_search_answer_get(s, 0).examples);
    ASSERT_EQ(ARCL_SEARCH_PROPOSALS, arcl_search_answer_get(s, 0).stage);
    arcl_search_free(s);
    free_donors(&d);
    PASS();
}

TEST what_is_no_task_is_refused(void) {
    arcl_error error;
    arcl_search *s;
    arcl_grid grids[40] = {{3, 3, turned.inputs[0]}};
    for (int i = 1; i < 40; i++) grids[i] = grids[0];
    arcl_search_task many = {32, 1, grids, grids}, no_test = {1, 0, grids, grids}, no_inputs = {1, 1, NULL, grids};
    ASSERT_EQ(ARCL_INVALID, arcl_search_create(context, &many, NULL, &s, &error));
    ASSERT_STR_EQ("a task of 32 examples and 1 inputs to solve", error.message);
    ASSERT_EQ(ARCL_INVALID, arcl_search_create(context, &no_test, NULL, &s, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_search_create(context, &no_inputs, NULL, &s, NULL));
    grids[1].h = 61;
    arcl_search_task large = {1, 1, grids, grids};
    ASSERT_EQ(ARCL_INVALID, arcl_search_create(context, &large, NULL, &s, &error));
    ASSERT_STR_EQ("a grid of 61 by 3 is none of a task", error.message);
    ASSERT_EQ(NULL, s);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(NULL, &context, NULL)) return 1;
    RUN_TEST(donors_are_tried_as_they_are);
    RUN_TEST(calls_are_put_together);
    RUN_TEST(outputs_are_undone);
    RUN_TEST(patches_that_outputs_imply_are_filled);
    RUN_TEST(pieces_are_stacked);
    RUN_TEST(attempts_can_be_handed_in);
    RUN_TEST(libraries_teach);
    RUN_TEST(a_library_of_another_dialect_is_refused);
    RUN_TEST(threads_chunks_and_pauses_change_nothing);
    RUN_TEST(memory_that_is_used_up_ends_nothing);
    RUN_TEST(cancelled_searches_go_on);
    RUN_TEST(proposals_are_scored_and_kept);
    RUN_TEST(what_is_no_task_is_refused);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
