/* A compiled program: a list of steps over columns, in the order in which they run.
 *
 * A step's result is a column: one word per lane of the step's scope. Scopes form a tree. Scope 0 has one lane, for what
 * is the same in all lanes; scope 1 has the lanes of the batch; every other scope is opened by a step and has lanes for
 * the elements of its parent's containers, or for those of its parent's lanes that chose one side of a condition. A step
 * may read columns of its own scope and of all scopes above it: those are viewed through the lane map.
 *
 *     mapply(f, objects(I, T, F, T))      scope 1  t1 = input 0
 *                                         scope 1  t2 = objects(t1, T, F, T)
 *                                         scope 2  t3 = each t2             lanes: every object of every grid
 *                                         scope 2  t4 = ...                 the body of f
 *                                         scope 1  t5 = close t4            as lists again: no copy, t4 is their storage
 *                                         scope 1  t6 = merge_set(t5)
 */
#ifndef ARCL_GRAPH_H
#define ARCL_GRAPH_H
#include <stdint.h>

#include "arcl.h"
#include "op_table.h"
#include "pool.h"
#include "type.h"

enum step_kind {
    STEP_CONST,  /* imm is the word; set up before the first step runs */
    STEP_INPUT,  /* imm is the parameter */
    STEP_KERNEL, /* kernel over args, with imm */
    /* Steps that open a scope; their column has the elements. */
    STEP_EACH,   /* of container arg 0; imm 1: a condition that may fail after its use (extract) */
    STEP_ZIP,    /* of containers arg 0 and arg 1 in step, as far as the shorter goes */
    STEP_CROSS,  /* every pair of elements of containers arg 0 and arg 1 */
    STEP_WHEN,   /* the lanes where arg 0 is true (imm 1) or false (imm 0); the column is unused */
    STEP_SECOND, /* the second container's elements of the ZIP or CROSS that is arg 0 */
    STEP_ALONG, /* per lane of an EACH, ZIP or CROSS scope, that element of list arg 0, of the scope above, which goes with
                  * the lane's element of the first (imm 0) or second (imm 1) container */
    /* Back to the scope above. */
    STEP_CLOSE,  /* the elements of column arg 0 as one list per lane of the scope above; imm as of EACH */
    STEP_JOIN,   /* per lane arg 1 where arg 0 is true, else arg 2; these are in the two WHEN scopes of arg 0 */
    STEP_SPREAD, /* arg 0, of a WHEN scope, in the scope above; 0 in the other lanes */
    /* arg 0 is the state, arg 1 how often the steps up to the matching REPEAT run on it. Opens a scope with the lanes
     * that are not done; its column is their state. */
    STEP_LOOP,
    STEP_REPEAT, /* arg 0: the new state in the loop's scope; arg 1: the LOOP. The column is the state in the scope above. */
    STEP_KINDS
};

typedef struct graph_step {
    uint8_t kind;
    uint8_t args;
    uint16_t kernel;
    uint16_t scope;  /* that the column belongs to */
    uint16_t parent; /* of a scope that the step opens; else 0 */
    uint32_t arg[4];
    uint64_t imm;
} graph_step;

typedef struct graph_scope {
    uint16_t parent;
    uint16_t depth;
    uint32_t opener; /* step */
    uint32_t weight; /* words that a lane of this scope takes at least: one per step, and what the scope itself keeps */
} graph_scope;

#define MAX_RESULTS 8
#define SCOPE_SHARED 0
#define SCOPE_LANES 1

struct arcl_program {
    graph_step *steps;
    int count;
    graph_scope *scopes;
    int scope_count;
    /* The result: a step, or one of several of different types, as step `which` says per lane. */
    int results;
    uint32_t result[MAX_RESULTS];
    type_code result_type[MAX_RESULTS];
    uint32_t which;
    int parameters;
    type_code parameter[4];
};

extern const char *const step_names[STEP_KINDS];

#endif
