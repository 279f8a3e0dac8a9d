/* Tests of lib/run/run_here.c: what is shown of every lane is what arcl_run yields, whatever the type, in any chunks;
 * lanes that fail say so, and a run ends when the visitor or the user wants it to. */
#include "support/evaluation.h"

#include "program/packed_value.h"
#include "run/batch.h"
#include "run/run_here.h"

#include "greatest.h"

#define MOST_WORDS 256

typedef struct shown {
    uint32_t lanes, most; /* how many there were, and may be before the run is ended */
    arcl_context *context;
    const arcl_result *wanted;
    int differ;
} shown;

static int is_same(arcl_value a, arcl_value b) {
    word of_a[MOST_WORDS] = {0}, of_b[MOST_WORDS] = {0};
    type_code type = type_as_cells(a.type);
    size_t words = packed_words(a.storage, type, a.word);
    if (type != type_as_cells(b.type) || words > MOST_WORDS || words != packed_words(b.storage, type, b.word)) return 0;
    packed_write(a.storage, type, a.word, of_a);
    packed_write(b.storage, type, b.word, of_b);
    value_clear_padding(of_a, type, of_a[0]);
    value_clear_padding(of_b, type, of_b[0]);
    return memcmp(of_a, of_b, words * sizeof *of_a) == 0;
}

static int visit(void *owner, uint32_t first, const here_lane *lanes, uint32_t count) {
    shown *s = owner;
    s->differ |= first != s->lanes;
    for (uint32_t n = 0; n < count; n++, s->lanes++) {
        arcl_value v = {s->context->arena, lanes[n].type, lanes[n].value, -1};
        s->differ |= lanes[n].status != arcl_result_status(s->wanted, s->lanes);
        if (lanes[n].status == ARCL_OK) s->differ |= !is_same(v, arcl_result_value(s->wanted, s->lanes));
    }
    return s->lanes < s->most;
}

static arcl_status show(arcl_context *c, const char *types, const char *body, const char *lanes, int cancel, shown *s) {
    arcl_program *p;
    arcl_batch *b;
    arcl_result *r;
    if (body_compile(c, types, body, 0, &p, NULL) || arcl_batch_create(c, types, &b, NULL) ||
        lanes_read(b, lanes, NULL) || arcl_run(c, p, b, &r, NULL) || batch_place(b, NULL))
        abort();
    here_run run = {.program = p, .lanes = arcl_batch_lanes(b), .visit = visit, .owner = s};
    s->context = c;
    s->wanted = r;
    for (int i = 0; i < b->arguments; i++) run.column[i] = b->placed[i];
    if (cancel) arcl_cancel(c);
    arcl_status status = run_here(c, &run, NULL);
    arcl_result_free(r);
    arcl_batch_free(b);
    arcl_program_free(p);
    return status;
}

static const struct {
    const char *types, *body, *lanes;
} cases[] = {
    {"int int", "add(a, b)", "1 2; 3 4; 5 6; 7 8"},
    {"grid", "vmirror(a)", "[[1,2,3]]; [[1],[2]]; [[5,6],[7,8]]"},
    {"grid", "objects(a, T, F, T)", "[[0,1,0],[0,0,2]]; [[0]]; [[3,0],[0,3]]"},
    {"grid {ij}", "fill(a, 5, b)", "[[0,1],[0,0]] [[0,1]]; [[0]] []; [[1,2]] [[0,0],[0,1]]"},
    {"grid", "first(objects(a, T, F, T))", "[[0,1],[0,0]]; [[0,0],[0,0]]; [[2,0],[0,0]]"},
    {"grid", "apply(color, fgpartition(a))", "[[0,1],[0,0]]; [[0,3],[0,4]]; [[2,0],[0,0]]"},
};
enum { CASES = sizeof cases / sizeof *cases };

TEST lanes_are_shown_as_runs_yield_them(int number, uint32_t chunk) {
    arcl_options options = {.threads = 1, .chunk = chunk};
    arcl_context *c;
    shown s = {.most = UINT32_MAX};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &c, NULL));
    ASSERT(runs_here(c));
    ASSERT_EQ(ARCL_SUCCESS, show(c, cases[number].types, cases[number].body, cases[number].lanes, 0, &s));
    ASSERT_FALSE(s.differ);
    ASSERT_EQ(number ? 3u : 4u, s.lanes);
    arcl_context_free(c);
    PASS();
}

TEST the_visitor_and_the_user_can_end_it(void) {
    arcl_options options = {.threads = 1, .chunk = 1};
    arcl_context *c;
    shown s = {.most = 2};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, show(c, cases[0].types, cases[0].body, cases[0].lanes, 0, &s));
    ASSERT_EQ(2u, s.lanes);
    s = (shown){.most = UINT32_MAX};
    ASSERT_EQ(ARCL_CANCELLED, show(c, cases[0].types, cases[0].body, cases[0].lanes, 1, &s));
    s = (shown){.most = UINT32_MAX}; /* only one call is cancelled */
    ASSERT_EQ(ARCL_SUCCESS, show(c, cases[0].types, cases[0].body, cases[0].lanes, 0, &s));
    ASSERT_EQ(4u, s.lanes);
    arcl_context_free(c);
    PASS();
}

/* More lanes than are shown at a time. */
TEST many_lanes_come_in_turn(void) {
    arcl_options options = {.threads = 1};
    arcl_context *c;
    text lanes = {0};
    shown s = {.most = UINT32_MAX};
    for (int n = 0; n < 3 * MOST_LANES_HERE; n++) {
        char one[32];
        snprintf(one, sizeof one, "%s%d", n ? "; " : "", n);
        text_add(&lanes, one);
    }
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, show(c, "int", "increment(a)", lanes.at, 0, &s));
    ASSERT_EQ(3u * MOST_LANES_HERE, s.lanes);
    ASSERT_FALSE(s.differ);
    arcl_context_free(c);
    free(lanes.at);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    for (int i = 0; i < CASES; i++) {
        RUN_TESTp(lanes_are_shown_as_runs_yield_them, i, 0);
        RUN_TESTp(lanes_are_shown_as_runs_yield_them, i, 1);
        RUN_TESTp(lanes_are_shown_as_runs_yield_them, i, 2);
    }
    RUN_TEST(the_visitor_and_the_user_can_end_it);
    RUN_TEST(many_lanes_come_in_turn);
    GREATEST_MAIN_END();
}
