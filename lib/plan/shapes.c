#include "plan/shapes.h"

#include <stdlib.h>
#include <string.h>

/* What teams save in the launches of a kernel together; where they save too little to be sure of it, nothing. */
static void add_gain(const profile_device *d, const launch_size *l, double lanes, double *gains) {
    double over = l->shared ? 1 : l->lanes * lanes, elements = l->shared ? 0 : l->elements * lanes;
    cost_estimate lane = profile_cost(d, PROFILE_LANE, l->kernel, over, elements);
    cost_estimate team = profile_cost(d, PROFILE_TEAM, l->kernel, over, elements);
    int is_better = profile_best_variant(d, l->kernel, over, elements) == PROFILE_TEAM;
    if (!team.measured || (!is_better && team.ns < lane.ns)) return;
    gains[l->kernel] += l->launches * (lane.measured ? lane.ns - team.ns : team.ns);
}

void shapes_choose(const profile_device *d, const program_sizes *s, double lanes, uchar *is_team) {
    double gains[KERNEL_COUNT] = {0};
    for (int i = 0; i < s->count; i++) add_gain(d, &s->launch[i], lanes, gains);
    for (unsigned k = 0; k < KERNEL_COUNT; k++) is_team[k] = gains[k] > 0;
}

/* A CPU runs lanes in any case, unless somebody has measured teams there. */
static int is_to_choose(const profile_device *d) {
    return d->shape == ARCL_SHAPE_AUTO && (d->variants > PROFILE_TEAM || strcmp(d->kind, "cpu") != 0);
}

shape_table *shapes_of_devices(const arcl_profile *p, const program_sizes *s, double lanes) {
    shape_table *shapes = NULL;
    for (int d = 1; d < p->devices; d++) {
        if (!is_to_choose(p->device[d])) continue;
        if (!shapes) shapes = calloc((size_t)p->devices, sizeof *shapes);
        if (!shapes) return NULL;
        shapes_choose(p->device[d], s, lanes, shapes[d]);
    }
    return shapes;
}
