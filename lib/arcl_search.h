/* Searching for programs: which one makes the outputs of a task from its inputs? arcl.h includes this; its rules hold
 * here too.
 *
 * A *search* is about one task. It tries candidates and keeps those that are right, or nearest to it, as *answers*,
 * which are trees (arcl_tree.h), each run as a whole before it is one. How far it goes is said in candidates, so that
 * it finds the same whatever it runs on: nothing depends on clocks, threads, devices or memory addresses.
 *
 *     arcl_search *s;   arcl_search_create(ctx, &task, &options, &s, &error);
 *                       arcl_search_run(s, 1000000, &error);
 *     arcl_grid tries[ARCL_SEARCH_ATTEMPTS];
 *     int n =           arcl_search_attempts(s, 0, tries);
 */
#ifndef ARCL_SEARCH_H
#define ARCL_SEARCH_H

#include "arcl.h"
#include "arcl_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arcl_search arcl_search;

/* The examples whose outputs are known, and inputs whose outputs are looked for. The grids are copied. */
typedef struct arcl_search_task {
    int train, test;          /* at least one each, ARCL_SEARCH_INPUTS in all at most */
    const arcl_grid *inputs;  /* train + test of them */
    const arcl_grid *outputs; /* train of them */
} arcl_search_task;
#define ARCL_SEARCH_INPUTS 32

/* What candidates come from. Each can be left out, to see what it is good for. */
#define ARCL_SEARCH_STAGES(X)                                                                                          \
    X(DONORS, donors, "programs of other tasks, and all that they compute on the way")                                 \
    X(EDITS, edits, "the best of them changed: other arguments, other calls, calls put in and taken out")              \
    X(VALUES, values, "calls that programs have, on all that is known of the inputs so far, cheapest first")           \
    X(GOALS, goals, "what outputs imply: patches to fill, what is mirrored, repeated, scaled, recoloured")             \
    X(STACKS, stacks, "pieces that are right as far as they go, one over the other")                                   \
    X(PROPOSALS, proposals, "candidates of the caller")

typedef enum arcl_search_stage {
#define X(upper, lower, meaning) ARCL_SEARCH_##upper,
    ARCL_SEARCH_STAGES(X)
#undef X
        ARCL_SEARCH_STAGE_COUNT
} arcl_search_stage;

/* "donors", and what it is; "" for none. */
ARCL_API const char *arcl_search_stage_name(arcl_search_stage stage);
ARCL_API const char *arcl_search_stage_meaning(arcl_search_stage stage);

typedef struct arcl_search_options {
    const arcl_tree *const
        *donors; /* programs to learn from: all of one dialect, of the parameter I. They are copied */
    int donor_count;
    uint64_t seed;
    uint64_t memory; /* bytes that values may take; 0: ARCL_SEARCH_MEMORY */
    unsigned stages; /* a bit 1u << stage for each that is wanted; 0: all */
    /* How often programs have which calls, ops and constants, by which candidates are put in order and answers believed
     * in; of the donors' dialect. NULL: what the donors teach. It is not needed any more when the search is made. */
    const arcl_library *library;
} arcl_search_options;
#define ARCL_SEARCH_MEMORY ((uint64_t)256 << 20)

/* The context must outlive it, and is used by nothing else while it runs. options may be NULL. */
ARCL_API ARCL_CHECKED arcl_status arcl_search_create(arcl_context *context, const arcl_search_task *task,
                                                     const arcl_search_options *options, arcl_search **search,
                                                     arcl_error *error);
ARCL_API void arcl_search_free(arcl_search *search);

/* Goes on until so many candidates were tried in all, or there is nothing left to try. A few more may be tried, since
 * they are run many at a time: the same number, whatever it is run on. After arcl_cancel it returns ARCL_CANCELLED, and
 * may be called again: nothing that was found is lost. One at a time, with runs. */
ARCL_API ARCL_CHECKED arcl_status arcl_search_run(arcl_search *search, uint64_t candidates, arcl_error *error);

typedef struct arcl_search_progress {
    uint64_t candidates; /* that were tried */
    uint64_t distinct;   /* of these, that did something no other did */
    int is_over;         /* there is nothing left to try */
    int solved;          /* answers with which all train examples are right */
    int examples;        /* right in the best answer, */
    uint32_t cells;      /* and cells */
    struct {
        const char *name;
        uint64_t candidates;
        int answers;    /* with which all train examples are right */
        double seconds; /* that the searching thread has had of the processor; of goals, what trying answers took */
    } stage[ARCL_SEARCH_STAGE_COUNT];
} arcl_search_progress;
ARCL_API arcl_search_progress arcl_search_progress_get(const arcl_search *search);

typedef struct arcl_search_answer { /* all of it lives until the search goes on */
    const arcl_tree *tree;
    int examples;   /* of the train examples that it has right, */
    uint32_t cells; /* and cells of outputs of the right shape */
    int calls;      /* that it consists of */
    int agreeing;   /* answers, with it, that have as many examples right and the same outputs for all test inputs */
    arcl_search_stage stage;
    const arcl_grid *outputs; /* for all inputs, those of train first; no cells where it has failed */
} arcl_search_answer;

/* The best, in the order in which they are believed in: by examples that are right, then by how simple they are. */
ARCL_API int arcl_search_answers(const arcl_search *search);
ARCL_API arcl_search_answer arcl_search_answer_get(const arcl_search *search, int index);

/* The outputs to hand in for a test input: different ones, of the best answers. Returns how many there are, at most
 * ARCL_SEARCH_ATTEMPTS. */
#define ARCL_SEARCH_ATTEMPTS 2
ARCL_API int arcl_search_attempts(const arcl_search *search, int test, arcl_grid *attempts);

/* Tries candidates of the caller's, as any others. scores, which may be NULL, has an entry for every tree. */
typedef struct arcl_search_score {
    int examples;         /* right; -1: it does not compile */
    uint32_t cells;       /* right */
    uint64_t fingerprint; /* of what it does with all inputs: equal for those that do the same */
} arcl_search_score;
ARCL_API ARCL_CHECKED arcl_status arcl_search_propose(arcl_search *search, const arcl_tree *const *trees, int count,
                                                      arcl_search_score *scores, arcl_error *error);

#ifdef __cplusplus
}
#endif
#endif
