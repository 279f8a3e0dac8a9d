#include "profile/refine.h"

#include <stdlib.h>

#include "base/clock.h"

#define SHARE 0.01      /* of the time of runs that looking may take */
#define LEAST_NS 300.0  /* what is shorter cannot be told from the clock's own steps */
#define MOST_FACTOR 1e4 /* an entry that seems to be more wrong than that is corrected bit by bit */

double refine_budget(const refine *r) { return SHARE * r->run_ns - r->spent_ns; }

static evidence *evidence_of(refine *r, int device, int variant, unsigned kernel) {
    if (!r->seen[device]) r->seen[device] = calloc(PROFILE_VARIANTS, sizeof *r->seen[device]);
    return r->seen[device] ? &r->seen[device][variant][kernel] : NULL;
}

int refine_note(refine *r, arcl_profile *p, int device, int variant, unsigned kernel, double ratio) {
    evidence *e = evidence_of(r, device, variant, kernel);
    double factor;
    if (!e) return 0;
    evidence_add(e, ratio);
    if (!evidence_speaks(e, &factor)) return 0;
    if (factor > MOST_FACTOR) factor = MOST_FACTOR;
    if (factor < 1 / MOST_FACTOR) factor = 1 / MOST_FACTOR;
    p->device[device]->cost[variant][kernel].correction *= factor;
    evidence_clear(e); /* it was about the entry as it was */
    r->corrections++;
    return 1;
}

static int compare(refine *r, arcl_profile *p, int device, int variant, const kernel_sizes *sizes,
                   const measured_times *times) {
    int corrected = 0;
    for (unsigned k = 1; k < KERNEL_COUNT; k++) {
        double launches = (double)times->launches[k];
        if (!times->launches[k] || sizes[k].lanes <= 0) continue;
        cost_estimate one = profile_cost(p->device[device], variant, k, sizes[k].lanes / sizes[k].launches,
                                         sizes[k].elements / sizes[k].launches);
        double expected = one.ns * launches;
        if (!one.measured || (expected < LEAST_NS && times->ns[k] < LEAST_NS)) continue;
        corrected += refine_note(r, p, device, variant, k, (times->ns[k] + 1) / (expected + 1));
    }
    return corrected;
}

int refine_look(refine *r, arcl_profile *p, int device, const measured_device *m, const arcl_program *program,
                const arcl_batch *b, uint32_t lanes) {
    double before = clock_now();
    arcl_batch some = *b;
    kernel_sizes *sizes = calloc(KERNEL_COUNT, sizeof *sizes);
    measured_times *times = calloc(1, sizeof *times);
    int corrected = 0, variant = r->turn / p->devices % m->variants;
    if (batch_place((arcl_batch *)b, NULL) == ARCL_SUCCESS) {
        some = *b;
        some.lanes = some.placed_lanes = lanes;
        run_plan plan = measured_plan(m, variant, 1, lanes);
        program_sizes *seen = sizes && times ? sizes_sample(m->context, program->graph, &some, lanes) : NULL;
        if (seen && measure_runs(m, &plan, 1, program, &some, 0, 1, 1, times, NULL) == ARCL_SUCCESS) {
            kernel_sizes_sum(seen, lanes, sizes);
            corrected = compare(r, p, device, variant, sizes, times);
        }
        sizes_free(seen);
    }
    free(sizes);
    free(times);
    r->spent_ns += clock_now() - before;
    return corrected;
}

void refine_free(refine *r) {
    for (int i = 0; i < PROFILE_DEVICES; i++) free(r->seen[i]);
}
