/* Runs a program over lanes whose arguments lie in the context's arena, on the calling thread, and shows what comes of
 * every lane where it lies: nothing is packed and no result is made. For those who keep values in the arena themselves
 * and run small programs over them by the million (lib/search); all others have run.h. */
#ifndef ARCL_RUN_HERE_H
#define ARCL_RUN_HERE_H
#include "program/compiled.h"
#include "run/context.h"

#define MOST_LANES_HERE 512 /* that are shown at a time */

typedef struct here_lane {
    arcl_lane_status status;
    type_code type;
    word value; /* whose references count from the arena; of a lane that has failed, a default */
} here_lane;

typedef struct here_run {
    const arcl_program *program;
    uint32_t lanes;
    uint column[4];      /* where the column of each argument is in the arena; references in it count from there, too */
    uint32_t lane_words; /* that a lane makes, about; 0: not known. It is known afterwards */
    /* Called for some lanes after the other, whose values are there until it returns. 0 ends the run: the visitor knows
     * why. */
    int (*visit)(void *owner, uint32_t first, const here_lane *lanes, uint32_t count);
    void *owner;
} here_run;

/* Whether that is where the context runs things: its options name no device. */
int runs_here(const arcl_context *c);

/* Nothing else may run in the context meanwhile. ARCL_CANCELLED if arcl_cancel was called; what was visited was
 * visited. A run that the visitor has ended succeeds. */
ARCL_CHECKED arcl_status run_here(arcl_context *c, here_run *r, arcl_error *error);

#endif
