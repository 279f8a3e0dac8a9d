/* Learning from runs: now and then a few lanes of a run are run once more, kernel by kernel, on one of the devices, and
 * what they take is compared with what the profile says. An entry that is wrong is corrected once enough evidence
 * speaks against it (evidence.h). All of it together takes at most a hundredth of the time of the runs themselves;
 * devices take turns, the ones that nobody uses as well, so that one that was measured badly gets another chance.
 */
#ifndef ARCL_REFINE_H
#define ARCL_REFINE_H
#include "profile/evidence.h"
#include "profile/profile_measure.h"

typedef struct refine {
    double run_ns, spent_ns;
    int runs;                                        /* so far: of several jobs, they take turns to be looked at */
    int turn;                                        /* of the devices */
    evidence (*seen[PROFILE_DEVICES])[KERNEL_COUNT]; /* per device, variant and kernel; NULL: nothing yet */
    int corrections;                                 /* made so far */
} refine;

/* What is left of the hundredth, in nanoseconds. */
double refine_budget(const refine *r);

/* A launch took `ratio` times as long as the profile says. 1 if that was the last straw: the entry has been
 * corrected. */
int refine_note(refine *r, arcl_profile *p, int device, int variant, unsigned kernel, double ratio);

/* Runs a few lanes of the batch on the device, compares, and counts the time it takes. Returns how many entries have
 * been corrected. Nothing that goes wrong here matters: the run itself is done. */
int refine_look(refine *r, arcl_profile *p, int device, const measured_device *m, const arcl_program *program,
                const arcl_batch *b, uint32_t lanes);
void refine_free(refine *r);

#endif
