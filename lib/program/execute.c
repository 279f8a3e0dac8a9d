#include "program/execute.h"

/* The kernels that a step consists of; STEP_KERNEL's is its own. */
static const uint16_t launches_of[STEP_KINDS][3] = {
    [STEP_EACH] = {KERNEL_scope_count, KERNEL_scope_fill},
    [STEP_ZIP] = {KERNEL_scope_count, KERNEL_scope_fill},
    [STEP_CROSS] = {KERNEL_scope_count, KERNEL_scope_fill},
    [STEP_WHEN] = {KERNEL_scope_count, KERNEL_scope_fill},
    [STEP_LOOP] = {KERNEL_scope_count, KERNEL_scope_fill},
    [STEP_ALONG] = {KERNEL_scope_along},
    [STEP_AGAIN] = {KERNEL_scope_again},
    [STEP_CLOSE] = {KERNEL_scope_close},
    [STEP_JOIN] = {KERNEL_scope_join},
    [STEP_SPREAD] = {KERNEL_scope_join},
    [STEP_REPEAT] = {KERNEL_loop_end},
};

uint step_lanes_scope(const program_graph *p, const graph_step *s) {
    return s->parent || s->kind == STEP_ALONG || s->kind == STEP_AGAIN ? p->scopes[s->scope].parent : s->scope;
}

unsigned step_main_kernel(const graph_step *s) {
    const uint16_t *kernels = launches_of[s->kind];
    if (s->kind == STEP_KERNEL) return s->kernel_id;
    return kernels[1] ? kernels[1] : kernels[0];
}

int step_kernels(const graph_step *s, uint16_t *kernel) {
    int n = 0;
    if (s->kind == STEP_KERNEL) kernel[n++] = s->kernel_id;
    for (const uint16_t *k = launches_of[s->kind]; *k; k++) kernel[n++] = *k;
    if (s->kind == STEP_LOOP) kernel[n++] = KERNEL_loop_start;
    return n;
}

static int run_step(target *t, const program_graph *p, uint step) {
    const graph_step *s = &p->steps[step];
    if (s->kind == STEP_KERNEL) return t->launch(t, s->kernel_id, step, s->scope);
    for (const uint16_t *kernel = launches_of[s->kind]; *kernel; kernel++)
        if (!t->launch(t, *kernel, step, step_lanes_scope(p, s))) return 0;
    return 1;
}

/* Steps first .. last, where each LOOP goes with its REPEAT. */
static int run_steps(target *t, const program_graph *p, uint first, uint last);

static int run_loop(target *t, const program_graph *p, uint loop, uint repeat) {
    run_frame frame;
    uint rounds = t->first_rounds;
    if (!t->launch(t, KERNEL_loop_start, loop, step_lanes_scope(p, &p->steps[loop]))) return 0;
    do {
        for (uint i = 0; i < rounds; i++)
            if (!run_step(t, p, loop) || !run_steps(t, p, loop + 1, repeat) || !run_step(t, p, repeat)) return 0;
        if (!t->look(t, &frame)) return 0;
        if (rounds < t->most_rounds) rounds *= 2;
    } while (frame.more && !frame.overflow);
    return 1;
}

static int run_steps(target *t, const program_graph *p, uint first, uint last) {
    for (uint i = first; i < last; i++) {
        const graph_step *s = &p->steps[i];
        if (s->kind == STEP_LOOP) {
            if (!run_loop(t, p, i, (uint)s->imm)) return 0;
            i = (uint)s->imm;
        } else if (!run_step(t, p, i))
            return 0;
    }
    return 1;
}

static int pack(target *t) {
    if (t->make_room && !(t->launch(t, KERNEL_pack_count, 0, SCOPE_LANES) && t->make_room(t))) return 0;
    return t->launch(t, KERNEL_pack_fill, 0, SCOPE_LANES);
}

int starts_by_launch(const program_graph *p, int is_carried) { return p->apart || is_carried; }

int execute_launches(target *t, const program_graph *p, run_yield yield) {
    return (!starts_by_launch(p, t->is_carried) || t->launch(t, KERNEL_run_start, 0, SCOPE_LANES)) &&
           run_steps(t, p, 0, (uint)p->count) &&
           (!yields_scores(yield) || t->launch(t, KERNEL_score_lanes, 0, SCOPE_LANES)) &&
           (!yields_outputs(yield) || pack(t));
}

int execute(target *t, const program_graph *p, run_yield yield, run_frame *frame) {
    return execute_launches(t, p, yield) && t->look(t, frame);
}
