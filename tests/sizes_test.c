/* Tests of lib/sizes.h: how much a program does per lane, estimated and looked at. */
#include "sizes.h"

#include "evaluation.h"
#include "execute.h"
#include "greatest.h"

/* With lists as long as the estimate takes them to be, it goes over as many lanes as a look at them shows. */
static const char *const bodies[] = {
    "apply(increment, a)", "b = apply(double, a); papply(add, a, b)", "prapply(multiply, a, a)",
    "sfilter(a, even)",    "b = order(a, invert); size(b)",
};

TEST lanes_are_as_seen(const char *body) {
    arcl_context *c;
    arcl_program *p;
    arcl_batch *b;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&(arcl_options){.threads = 1, .profile = ""}, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(c, "[int]", body, 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(c, "[int]", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, "[1,2,3,4,5,6,7,8,9,10]; [0,2,4,6,8,1,3,5,7,9]", NULL));
    program_sizes *estimated = sizes_estimate(p), *seen = sizes_sample(c, p, b, 2);
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
        if (p->steps[s->step].kind != STEP_KERNEL) ASSERT_EQ_FMT(s->elements, e->elements, "%g");
    }
    sizes_free(estimated);
    sizes_free(seen);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(c);
    PASS();
}

/* The first lanes of a batch are those of its first task, which may be unlike all others. */
TEST lanes_are_from_all_over(void) {
    arcl_context *c;
    arcl_program *p;
    arcl_batch *b;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&(arcl_options){.threads = 1, .profile = ""}, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(c, "[int] int", "apply(rbind(add, b), a)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(c, "[int] int", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, "[1] 1; [1] 1; [1,2,3] 1; [1,2,3] 1; [1,2,3,4,5,6,7,8] 1; [] 1", NULL));
    program_sizes *seen = sizes_sample(c, p, b, 3);
    ASSERT(seen);
    for (int i = 0; i < seen->count; i++)
        if (seen->launch[i].kernel == KERNEL_add_int) ASSERT_EQ_FMT((1 + 3 + 8) / 3.0, seen->launch[i].lanes, "%g");
    sizes_free(seen);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(c);
    PASS();
}

TEST looking_leaves_no_trace(void) {
    arcl_context *c;
    arcl_program *p;
    arcl_batch *b;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&(arcl_options){.threads = 1, .profile = ""}, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(c, "grid", "rot90(a)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(c, "grid", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(b, "[[1,2],[3,4]]; [[5,6,7]]", NULL));
    arcl_report_enable(c, 1);
    program_sizes *seen = sizes_sample(c, p, b, 2);
    ASSERT(seen);
    for (int i = 0; i < arcl_report_count(c); i++) ASSERT_EQ(0u, arcl_report_get(c, i).launches);
    ASSERT(seen->input_bytes > 0 && seen->result_bytes > 0 && seen->words > 0);
    sizes_free(seen);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(c);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) RUN_TESTp(lanes_are_as_seen, bodies[i]);
    RUN_TEST(lanes_are_from_all_over);
    RUN_TEST(looking_leaves_no_trace);
    GREATEST_MAIN_END();
}
