/* Tests of lib/plan/cost.h and lib/plan/choose.h, with synthetic profiles: what programs are predicted to cost, and
 * where they would run. */
#include "plan/choose.h"

#include <math.h>
#include <stdlib.h>

#include "greatest.h"
#include "plan/shapes.h"
#include "program/compiled.h"
#include "support/evaluation.h"
#include "support/synthetic_profile.h"

static arcl_context *context;
static arcl_profile *profile;
static pool memory;

/* A program with its estimated sizes. */
typedef struct subject {
    arcl_program *program;
    program_sizes *sizes;
} subject;

static subject subject_of(const char *types, const char *body) {
    subject s = {0};
    arcl_error error;
    if (body_compile(context, types, body, 0, &s.program, &error)) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    s.sizes = sizes_estimate(s.program->graph);
    if (!s.sizes) abort();
    return s;
}

static void subject_free(subject *s) {
    sizes_free(s->sizes);
    arcl_program_free(s->program);
}

static choice choose_for(const subject *s, uint32_t usable, uint32_t lanes) {
    choice c;
    choice_request request = {.profile = profile,
                              .usable = usable,
                              .input_on = 1,
                              .program = s->program->graph,
                              .sizes = s->sizes,
                              .lanes = lanes};
    pool_reset(&memory);
    if (choose(&request, &memory, &c, NULL)) abort();
    return c;
}

static int is_close(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

/* This machine's host and a GPU; what running takes besides ops does little. */
static arcl_profile *make_profile(void) {
    static const unsigned small[] = {KERNEL_pack_count, KERNEL_pack_fill};
    arcl_profile *p;
    if (arcl_profile_create(&p, NULL) || !synthetic_host(p, context) || !synthetic_gpu(p, "cl:0")) abort();
    p->device[0]->chunk_words = 0;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        p->device[0]->cost[0][small[i]] = synthetic_kernel(20, 0.2, 0.02);
    return p;
}

static const char chain[] = "rot90(vmirror(hmirror(rot90(vmirror(hmirror(rot90(a)))))))";

/* ---- costs ---- */

TEST parts_add_up(void) {
    subject s =
        subject_of("grid", "o = objects(a, T, F, T); paint(a, mapply(lbind(shift, first(o)), apply(ulcorner, o)))");
    for (int d = 0; d < 2; d++)
        for (uint32_t lanes = 1; lanes < 1000000; lanes *= 7) {
            cost_way w = cost_best_way(profile->device[d], s.sizes, s.program->graph->count, lanes);
            ASSERT(is_close(w.total, w.parts.fixed + w.parts.queue + w.parts.execution + w.parts.transfer));
            ASSERT(w.chunk >= 1 && w.chunk <= lanes);
            ASSERT(d || w.parts.transfer == 0);
            ASSERT_EQ(0, w.parts.unmeasured);
        }
    subject_free(&s);
    PASS();
}

/* Whatever steps a program is cut into, together they cost what it costs. */
TEST steps_add_up(void) {
    subject s = subject_of("grid", chain);
    uint32_t count = (uint32_t)s.program->graph->count;
    cost_parts all = cost_of_steps(profile->device[1], s.sizes, 0, count, 0, 100);
    for (uint32_t cut = 0; cut <= count; cut++) {
        cost_parts a = cost_of_steps(profile->device[1], s.sizes, 0, cut, 0, 100);
        cost_parts b = cost_of_steps(profile->device[1], s.sizes, cut, count, 0, 100);
        ASSERT(is_close(all.queue, a.queue + b.queue) && is_close(all.execution, a.execution + b.execution));
    }
    ASSERT_EQ_FMT(7 * profile->device[1]->overhead[OVERHEAD_launch], all.queue, "%g");
    cost_parts whole = cost_of_steps(profile->device[1], s.sizes, 0, count, 1, 100);
    ASSERT_EQ_FMT(all.queue + profile->device[1]->overhead[OVERHEAD_launch], whole.queue, "%g"); /* pack_fill */
    double steps = cost_of_steps(profile->device[0], s.sizes, 0, count, 0, 100).execution;
    double host = cost_of_steps(profile->device[0], s.sizes, 0, count, 1, 100).execution, packing = 0;
    for (int i = s.sizes->count - 2; i < s.sizes->count; i++)
        packing += cost_of_launch(profile->device[0], &s.sizes->launch[i], 100).one.ns;
    ASSERT_EQ(KERNEL_pack_count, s.sizes->launch[s.sizes->count - 2].kernel); /* which the host alone has */
    ASSERT(is_close(steps + packing, host) && packing > 0);
    subject_free(&s);
    PASS();
}

TEST more_lanes_cost_more(void) {
    subject s = subject_of("grid", "merge(objects(a, T, F, T))");
    for (int d = 0; d < 2; d++)
        for (uint32_t lanes = 1; lanes < 1000000; lanes *= 3) {
            double one = cost_best_way(profile->device[d], s.sizes, s.program->graph->count, lanes).total;
            double two = cost_best_way(profile->device[d], s.sizes, s.program->graph->count, 2 * lanes).total;
            ASSERT(two > one && two < 2.5 * one);
        }
    subject_free(&s);
    PASS();
}

TEST no_way_is_much_better_than_the_best(void) {
    subject s = subject_of("grid", chain);
    profile_device *host = profile->device[0];
    host->identity.compute_units = 4;
    host->workers = 4;
    host->overhead[OVERHEAD_speedup] = 3.5;
    host->overhead[OVERHEAD_wake] = 20000;
    for (uint32_t lanes = 1; lanes < 300000; lanes *= 5) {
        cost_way best = cost_best_way(host, s.sizes, s.program->graph->count, lanes);
        for (uint32_t chunk = 1; chunk <= lanes; chunk += 1 + chunk / 7)
            for (int workers = 1; workers <= 4; workers += 3) {
                cost_way way = cost_of_way(host, s.sizes, s.program->graph->count, lanes, chunk, workers);
                ASSERT(best.total <= way.total * 1.05); /* not all of these are tried */
            }
        ASSERT(best.serial >= best.total * (1 - 1e-9));
        /* A few lanes are not worth waking anybody; many are. */
        if (lanes <= 5) ASSERT_EQ(1, best.workers);
        if (lanes >= 10000) ASSERT_EQ(4, best.workers);
    }
    host->identity.compute_units = 1;
    host->workers = 1;
    host->overhead[OVERHEAD_speedup] = 1;
    host->overhead[OVERHEAD_wake] = 0;
    subject_free(&s);
    PASS();
}

/* One of two chunks is as long as both if there are two workers and the other is idle. */
TEST workers_cannot_share_a_chunk(void) {
    subject s = subject_of("grid", chain);
    profile_device *host = profile->device[0];
    host->overhead[OVERHEAD_speedup] = 4;
    double one = cost_of_way(host, s.sizes, s.program->graph->count, 1000, 1000, 1).total;
    double four = cost_of_way(host, s.sizes, s.program->graph->count, 1000, 1000, 4).total;
    double shared = cost_of_way(host, s.sizes, s.program->graph->count, 1000, 250, 4).total;
    ASSERT(four > 0.99 * one);
    ASSERT(shared > 0.25 * one && shared < 0.4 * one); /* they do not end at the same time */
    host->overhead[OVERHEAD_speedup] = 1;
    subject_free(&s);
    PASS();
}

TEST caches_limit_chunks(void) {
    subject s = subject_of("grid", chain);
    profile_device *host = profile->device[0];
    host->chunk_words = 100 * s.sizes->words;
    ASSERT(cost_best_way(host, s.sizes, s.program->graph->count, 10000).chunk <= 100);
    host->chunk_words = 0.5 * s.sizes->words; /* not even one lane: it runs all the same */
    ASSERT_EQ(1u, cost_best_way(host, s.sizes, s.program->graph->count, 10000).chunk);
    host->chunk_words = 0;
    subject_free(&s);
    PASS();
}

TEST the_best_variant_is_taken(void) {
    profile_device *host = profile->device[0];
    host->variants = 2;
    host->cost[1][KERNEL_rot90] = synthetic_kernel(5000, 1, 0.1); /* slow to start, then ten times as fast */
    ASSERT_EQ(0, profile_best_variant(host, KERNEL_rot90, 10, 100));
    ASSERT_EQ(1, profile_best_variant(host, KERNEL_rot90, 1000, 10000));
    ASSERT_EQ(0, profile_best_variant(host, KERNEL_vmirror_grid, 1000, 10000)); /* not measured */
    host->cost[1][KERNEL_rot90] = synthetic_kernel(0, 8.7, 0);                  /* of 10: clear enough for a build */
    ASSERT_EQ(1, profile_best_variant(host, KERNEL_rot90, 1000, 0));
    memset(host->cost[1], 0, sizeof host->cost[1]);
    host->variants = 1;
    PASS();
}

TEST what_lies_beyond_is_marked(void) {
    const profile_device *d = profile->device[0];
    ASSERT(!profile_cost(d, 0, KERNEL_rot90, 1000, 0).extrapolated);
    ASSERT(profile_cost(d, 0, KERNEL_rot90, 1e8, 0).extrapolated);
    ASSERT(profile_cost(d, 0, KERNEL_rot90, 10, 1e11).extrapolated);
    ASSERT(!profile_cost(d, 0, KERNEL_none, 10, 10).measured);
    PASS();
}

/* ---- shapes ---- */

/* Teams are slow where there are many lanes, lanes where there are few. */
static profile_device *with_teams(void) {
    profile_device *gpu = profile->device[1];
    synthetic_teams(gpu, 0, 2, 0);
    for (unsigned k = 1; k < KERNEL_COUNT; k++)
        if (kernel_has(k, TEAM)) gpu->cost[PROFILE_LANE][k] = synthetic_kernel(10000, 0.5, 0);
    return gpu;
}

static void without_teams(profile_device *gpu) {
    memset(gpu->cost[PROFILE_TEAM], 0, sizeof gpu->cost[PROFILE_TEAM]);
    synthetic_costs(gpu, 0, 10.0 / 50, 1.0 / 50);
    gpu->shape = ARCL_SHAPE_AUTO;
}

TEST shapes_are_chosen_by_kernel_and_lanes(void) {
    subject s = subject_of("grid", "paint(rot90(a), merge(objects(a, T, F, T)))");
    profile_device *gpu = with_teams();
    uchar few[KERNEL_COUNT], many[KERNEL_COUNT];
    gpu->cost[PROFILE_TEAM][KERNEL_objects] = synthetic_kernel(0, 0.01, 0); /* always better */
    shapes_choose(gpu, s.sizes, 1000, few);
    shapes_choose(gpu, s.sizes, 100000, many);
    ASSERT_EQ(1, few[KERNEL_rot90]);
    ASSERT_EQ(0, many[KERNEL_rot90]);
    ASSERT_EQ(1, few[KERNEL_objects]);
    ASSERT_EQ(1, many[KERNEL_objects]);
    for (unsigned k = 0; k < KERNEL_COUNT; k++) ASSERT(kernel_has(k, TEAM) || (!few[k] && !many[k]));
    without_teams(gpu);
    subject_free(&s);
    PASS();
}

/* What is predicted is what the shape costs in which the kernel runs. */
TEST costs_are_those_of_the_better_shape(void) {
    const profile_device *gpu = with_teams();
    ASSERT_EQ(PROFILE_TEAM, profile_best_variant(gpu, KERNEL_rot90, 1000, 0));
    ASSERT_EQ(PROFILE_LANE, profile_best_variant(gpu, KERNEL_rot90, 100000, 0));
    ASSERT_EQ(PROFILE_LANE, profile_best_variant(gpu, KERNEL_rot90, 6400, 0)); /* too near to be sure */
    ASSERT_EQ(PROFILE_LANE, profile_best_variant(gpu, KERNEL_rot90, 5600, 0)); /* 0.875 is no more for a shape */
    ASSERT_EQ(PROFILE_TEAM, profile_best_variant(gpu, KERNEL_rot90, 5200, 0));
    ASSERT_EQ(PROFILE_LANE, profile_best_variant(gpu, KERNEL_identity, 10, 0));
    without_teams(profile->device[1]);
    PASS();
}

TEST a_shape_that_is_wanted_is_taken(void) {
    profile_device *gpu = with_teams();
    gpu->shape = ARCL_SHAPE_TEAM;
    ASSERT_EQ(PROFILE_TEAM, profile_best_variant(gpu, KERNEL_rot90, 100000, 0));
    ASSERT_EQ(PROFILE_LANE, profile_best_variant(gpu, KERNEL_identity, 100000, 0)); /* which has no other */
    gpu->shape = ARCL_SHAPE_LANE;
    ASSERT_EQ(PROFILE_LANE, profile_best_variant(gpu, KERNEL_rot90, 10, 0));
    subject s = subject_of("grid", "rot90(a)");
    ASSERT_EQ(NULL, shapes_of_devices(profile, s.sizes, 10)); /* there is nothing to choose */
    without_teams(gpu);
    shape_table *shapes = shapes_of_devices(profile, s.sizes, 10);
    ASSERT(shapes && !shapes[1][KERNEL_rot90]); /* a GPU that nobody has measured teams on: it runs what is known */
    free(shapes);
    subject_free(&s);
    PASS();
}

/* ---- choices ---- */

TEST small_batches_stay_and_large_ones_go(const char *body) {
    subject s = subject_of("grid", body);
    int before = 0;
    for (uint32_t lanes = 1; lanes <= 1000000; lanes *= 2) {
        choice c = choose_for(&s, 3, lanes);
        ASSERT(!c.unit_device);
        ASSERT(c.device >= before); /* once gone, it does not come back */
        before = c.device;
        ASSERT(c.predicted <= c.way[0].total && c.predicted <= c.way[1].total);
    }
    ASSERT_EQ(1, before);
    ASSERT_EQ(0, choose_for(&s, 3, 1).device);
    subject_free(&s);
    PASS();
}

TEST only_usable_devices_are_chosen(void) {
    subject s = subject_of("grid", chain);
    ASSERT_EQ(0, choose_for(&s, 1, 1000000).device);
    ASSERT_EQ(1, choose_for(&s, 3, 1000000).device);
    ASSERT_EQ(0, choose_for(&s, 1, 1000000).units); /* and nothing is cut for one device */
    subject_free(&s);
    PASS();
}

/* A kernel that only the host has measured, in the middle: the rest goes to the device if that is worth two moves. */
TEST what_a_device_cannot_do_stays(void) {
    subject s = subject_of("grid", "b = rot90(a); c = objects(b, T, F, T); d = backdrop(merge(c)); e = fill(b, 3, d); "
                                   "rot90(rot90(e))");
    profile_device *gpu = profile->device[1];
    kernel_cost kept = gpu->cost[0][KERNEL_fill];
    gpu->cost[0][KERNEL_fill].launch.count = 0;
    choice few = choose_for(&s, 3, 10), many = choose_for(&s, 3, 1000000);
    ASSERT(!few.able[1] && !many.able[1]);
    ASSERT(!few.unit_device && few.device == 0);
    ASSERT(many.unit_device);
    ASSERT(many.predicted < many.way[0].total);
    int on_host = 0;
    for (int u = 0; u < many.units; u++) {
        int has_fill = 0;
        for (uint32_t i = many.cut[u]; i < many.cut[u + 1]; i++)
            has_fill |=
                s.program->graph->steps[i].kind == STEP_KERNEL && s.program->graph->steps[i].kernel_id == KERNEL_fill;
        if (has_fill) ASSERT_EQ(0, many.unit_device[u]);
        on_host += many.unit_device[u] == 0;
    }
    ASSERT_EQ(1, on_host);
    gpu->cost[0][KERNEL_fill] = kept;
    subject_free(&s);
    PASS();
}

TEST nothing_measured_runs_on_the_host(void) {
    subject s = subject_of("grid", chain);
    profile_device *gpu = profile->device[1], *kept = malloc(sizeof *kept);
    ASSERT(kept);
    *kept = *gpu;
    memset(gpu->cost, 0, sizeof gpu->cost);
    choice c = choose_for(&s, 3, 1000000);
    ASSERT(!c.able[1] && !c.unit_device && c.device == 0);
    ASSERT(c.way[1].parts.unmeasured > 0);
    *gpu = *kept;
    free(kept);
    subject_free(&s);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(&(arcl_options){.threads = 1, .profile = ""}, &context, NULL)) return 1;
    profile = make_profile();
    RUN_TEST(parts_add_up);
    RUN_TEST(steps_add_up);
    RUN_TEST(more_lanes_cost_more);
    RUN_TEST(no_way_is_much_better_than_the_best);
    RUN_TEST(workers_cannot_share_a_chunk);
    RUN_TEST(caches_limit_chunks);
    RUN_TEST(the_best_variant_is_taken);
    RUN_TEST(what_lies_beyond_is_marked);
    RUN_TEST(shapes_are_chosen_by_kernel_and_lanes);
    RUN_TEST(costs_are_those_of_the_better_shape);
    RUN_TEST(a_shape_that_is_wanted_is_taken);
    RUN_TESTp(small_batches_stay_and_large_ones_go, chain);
    RUN_TESTp(small_batches_stay_and_large_ones_go, "o = objects(a, T, F, T); paint(a, mapply(lbind(recolor, 3), o))");
    RUN_TEST(only_usable_devices_are_chosen);
    RUN_TEST(what_a_device_cannot_do_stays);
    RUN_TEST(nothing_measured_runs_on_the_host);
    pool_free(&memory);
    arcl_profile_free(profile);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
