/* Tests of lib/profile/sizes.h: how much a program does per lane, estimated and looked at. */
#include "profile/sizes.h"

#include "greatest.h"
#include "program/compiled.h"
#include "program/execute.h"
#include "support/evaluation.h"

/* A program and lanes to look at. */
typedef struct looked {
    arcl_context *c;
    arcl_program *p;
    arcl_batch *b;
} looked;

static looked look_at(const char *types, const char *body, const char *lanes) {
    looked l;
    if (arcl_context_create(&(arcl_options){.threads = 1, .profile = ""}, &l.c, NULL) ||
        body_compile(l.c, types, body, 0, &l.p, NULL) || arcl_batch_create(l.c, types, &l.b, NULL) ||
        lanes_read(l.b, lanes, NULL))
        abort();
    return l;
}

static void looked_free(looked *l) {
    arcl_batch_free(l->b);
    arcl_program_free(l->p);
    arcl_context_free(l->c);
}

/* With lists as long as the estimate takes them to be, it goes over as many lanes as a look at them shows. */
static const char *const bodies[] = {
    "apply(increment, a)", "b = apply(double, a); papply(add, a, b)", "prapply(multiply, a, a)",
    "sfilter(a, even)",    "b = order(a, invert); size(b)",
};

TEST lanes_are_as_seen(const char *body) {
    looked l = look_at("[int]", body, "[1,2,3,4,5,6,7,8,9,10]; [0,2,4,6,8,1,3,5,7,9]");
    program_sizes *estimated = sizes_estimate(l.p->graph), *seen = sizes_sample(l.c, l.p->graph, l.b, 2);
    ASSERT(estimated && seen);
    ASSERT_EQ(0u, estimated->sampled);
    ASSERT_EQ(2u, seen->sampled);
    ASSERT_EQ(seen->count, estimated->count);
    for (int i = 0; i < seen->count; i++) {
        const launch_size *e = &estimated->launch[i], *s = &seen->launch[i];
        ASSERT_EQ(s->kernel, e->kernel);
        ASSERT_EQ(s->step, e->step);
        if (s->step == SIZES_NO_STEP || s->shared) continue;
        ASSERT_EQ_FMT(s->lanes, e->lanes, "%g");
        if (l.p->graph->steps[s->step].kind != STEP_KERNEL) ASSERT_EQ_FMT(s->elements, e->elements, "%g");
    }
    sizes_free(estimated);
    sizes_free(seen);
    looked_free(&l);
    PASS();
}

/* The first lanes of a batch are those of its first task, which may be unlike all others. */
TEST lanes_are_from_all_over(void) {
    looked l = look_at("[int] int", "apply(rbind(add, b), a)",
                       "[1] 1; [1] 1; [1,2,3] 1; [1,2,3] 1; [1,2,3,4,5,6,7,8] 1; [] 1");
    program_sizes *seen = sizes_sample(l.c, l.p->graph, l.b, 3);
    ASSERT(seen);
    for (int i = 0; i < seen->count; i++)
        if (seen->launch[i].kernel == KERNEL_add_int) ASSERT_EQ_FMT((1 + 3 + 8) / 3.0, seen->launch[i].lanes, "%g");
    sizes_free(seen);
    looked_free(&l);
    PASS();
}

TEST looking_leaves_no_trace(void) {
    looked l = look_at("grid", "rot90(a)", "[[1,2],[3,4]]; [[5,6,7]]");
    arcl_report_enable(l.c, 1);
    program_sizes *seen = sizes_sample(l.c, l.p->graph, l.b, 2);
    ASSERT(seen);
    for (int i = 0; i < arcl_report_count(l.c); i++) ASSERT_EQ(0u, arcl_report_get(l.c, i).launches);
    ASSERT(seen->input_bytes > 0 && seen->result_bytes > 0 && seen->words > 0);
    sizes_free(seen);
    looked_free(&l);
    PASS();
}

static double elements_of(const looked *l, unsigned kernel) {
    program_sizes *seen = sizes_sample(l->c, l->p->graph, l->b, 1);
    double found = -1;
    for (int i = 0; seen && i < seen->count; i++)
        if (seen->launch[i].kernel == kernel) found = seen->launch[i].elements;
    sizes_free(seen);
    return found;
}

/* However large the grid is. */
TEST what_is_cut_out_counts(void) {
    looked small = look_at("grid", "crop(a, (0, 0), (2, 2))", "[[1,2,3],[4,5,6],[7,8,9]]"),
           large = look_at("grid", "crop(a, (0, 0), (2, 2))",
                           "[[1,2,3,4,5,6,7,8,9,0,1,2],[4,5,6,7,8,9,0,1,2,3,4,5],[7,8,9,0,1,2,3,4,5,6,7,8]]"),
           turned = look_at("grid", "rot90(a)", "[[1,2,3],[4,5,6],[7,8,9]]");
    ASSERT(elements_of(&small, KERNEL_crop) > 0);
    ASSERT_EQ_FMT(elements_of(&small, KERNEL_crop), elements_of(&large, KERNEL_crop), "%g");
    ASSERT(elements_of(&turned, KERNEL_rot90) > elements_of(&small, KERNEL_crop));
    looked_free(&small);
    looked_free(&large);
    looked_free(&turned);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) RUN_TESTp(lanes_are_as_seen, bodies[i]);
    RUN_TEST(lanes_are_from_all_over);
    RUN_TEST(looking_leaves_no_trace);
    RUN_TEST(what_is_cut_out_counts);
    GREATEST_MAIN_END();
}
