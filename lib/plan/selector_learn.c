/* After a run: what it took is evidence for its plan, and now and then a few of its lanes are looked at more
 * closely. */
#include <math.h>

#include "plan/selector_state.h"

#define LOOK_LANES 64u /* at most */
/* No device is believed to take more times as long as the one that ran: the profile may be wrong. */
#define LOOK_CAUTION 20.0

/* How many lanes of a run may be looked at on a device, so that it stays within the budget: by what is predicted, but a
 * prediction that is far above what the run itself took is not believed. */
static uint32_t lanes_to_look_at(const struct selector *s, int device, const program_graph *p,
                                 const program_sizes *sizes, uint32_t lanes, double ns) {
    double budget = refine_budget(&s->refine);
    for (uint32_t n = lanes < LOOK_LANES ? lanes : LOOK_LANES; n; n /= 2) {
        double most = LOOK_CAUTION * ns * n / lanes;
        double host = cost_of_way(s->profile->device[0], sizes, p->count, n, n, 1).total;
        double there = cost_of_way(s->profile->device[device], sizes, p->count, n, n, 1).total;
        /* twice on the device, once on the host to see what there is to do */
        if (2 * fmin(there, most) + fmin(host, most) <= budget) return n;
    }
    return 0;
}

static void look_closer(arcl_context *c, struct selector *s, const arcl_program *p, const arcl_batch *b,
                        const program_sizes *sizes, double ns) {
    int device = s->refine.turn % s->profile->devices;
    int open = device == 0 || s->worker[device] >= 0;
    uint32_t lanes = open && s->usable >> device & 1 ? lanes_to_look_at(s, device, p->graph, sizes, b->lanes, ns) : 0;
    if (!open || !(s->usable >> device & 1)) s->refine.turn++;
    if (!lanes) return;
    measured_device m = measured_device_of(c, s->profile->device[device], device ? s->worker[device] : -1,
                                           device ? s->workers[device] : c->thread_count);
    refine_look(&s->refine, s->profile, device, &m, p, b, lanes);
    s->refine.turn++;
}

/* The arm that the job has run by; NULL: its plan is none of the selector's. */
static arm *arm_of(const job *j) {
    const program_plans *plans = (const program_plans *)j->program->plans;
    for (kept_plan *run = plans ? plans->first : NULL; run; run = run->next)
        for (int i = 0; i < run->arms; i++)
            if (j->plan == &run->arm[i].plan) return &run->arm[i];
    return NULL;
}

/* One job's part of the time that all have taken, by what was predicted. */
static double share_of(const job *jobs, int count, int which, double ns) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += jobs[i].plan->predicted;
    return sum > 0 ? ns * jobs[which].plan->predicted / sum : 0;
}

void selector_learn(arcl_context *c, const job *jobs, int count, double ns) {
    struct selector *s = c->selector;
    if (!s || !s->profile || c->options.frozen || c->worker[0].counting) return;
    s->refine.run_ns += ns;
    int which = (int)((unsigned)s->refine.runs++ % (unsigned)count);
    const job *j = &jobs[which];
    arm *ran = arm_of(j);
    if (!ran) return;
    /* Plans and their costs are about runs of one program whose outputs are wanted. */
    if (count == 1 && j->yield == YIELD_OUTPUTS) evidence_add(&ran->seen, ns / j->plan->predicted);
    look_closer(c, s, j->program, j->batch, ((const program_plans *)j->program->plans)->sizes,
                share_of(jobs, count, which, ns));
}
