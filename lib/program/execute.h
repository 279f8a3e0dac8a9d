/* Runs the steps of a program, one launch after the other, on whatever a target is: the host's kernels or a device's
 * queue. Knows the order of launches and nothing of how they are done. */
#ifndef ARCL_EXECUTE_H
#define ARCL_EXECUTE_H
#include "cl/frame.h"
#include "program/graph.h"

/* Where launches go. Every function returns 0 when the run cannot go on; the target knows why. */
typedef struct target {
    int (*launch)(struct target *t, unsigned kernel, uint step, uint scope);
    /* Waits for what was launched and gives the frame as it is now. */
    int (*look)(struct target *t, run_frame *frame);
    /* Rounds of a loop to launch before looking whether there are more: looking costs a device more than idle
     * rounds. */
    uint first_rounds, most_rounds;
    /* Called before outputs are packed, when it is known how much they take: whether they may be. NULL: they go into
     * the arena, and nobody needs to be asked. */
    int (*make_room)(struct target *t);
    int is_carried; /* a part before this one has left statuses and accounts */
} target;

/* What a run leaves behind: what it computed, or how that compares with what was expected, or both; or nothing, where
 * somebody looks at what it computed in the arena (lib/run/run_here.h). */
typedef enum run_yield { YIELD_OUTPUTS, YIELD_SCORES, YIELD_BOTH, YIELD_IN_PLACE } run_yield;
static inline int yields_scores(run_yield yield) { return yield == YIELD_SCORES || yield == YIELD_BOTH; }
static inline int yields_outputs(run_yield yield) { return yield == YIELD_OUTPUTS || yield == YIELD_BOTH; }

/* Of the kernels that a step consists of, the one that does the work; KERNEL_none for a step that is only data. */
unsigned step_main_kernel(const graph_step *s);

/* The kernels that a step is launched as, in the order of their launches but for loop_start, which comes last. Returns
 * how many there are: at most MOST_STEP_KERNELS. */
#define MOST_STEP_KERNELS 3
int step_kernels(const graph_step *s, uint16_t *kernel);

/* The scope whose lanes a step's launches go over: scopes are opened from above. */
uint step_lanes_scope(const program_graph *p, const graph_step *s);

/* Whether a run begins with run_start, because its image (lib/program/image.h) has not all that lanes begin with. */
int starts_by_launch(const program_graph *p, int is_carried);

/* From run_start to what makes the scores and packs the outputs; `frame` is the frame after it. 0 when the target could
 * not go on. */
int execute(target *t, const program_graph *p, run_yield yield, run_frame *frame);

/* The same without waiting for the last of them. */
int execute_launches(target *t, const program_graph *p, run_yield yield);

#endif
