/* A compiled program as every device reads it: steps over columns, in the order in which they run, and the tree of
 * scopes that their lanes belong to. lib/program/graph.h tells what a program is; lib/program/layout.c fills in what is
 * marked as layout.
 */
#ifndef ARCL_PROGRAM_H
#define ARCL_PROGRAM_H
#include "lane_types.h"

enum step_kind {
    STEP_CONST,  /* imm is the word, and the column */
    STEP_INPUT,  /* imm is the number of the input: a parameter, or what follows them */
    STEP_KERNEL, /* kernel_id over args, with imm */
    /* Steps that open a scope; their column has the elements. The upper half of imm is not 0 where lib/rewrite/hoist.c
     * has opened it: that is nobody else's. */
    STEP_EACH,   /* of container arg 0; imm not 0: a condition that may fail after its use (extract) */
    STEP_ZIP,    /* of containers arg 0 and arg 1 in step, as far as the shorter goes */
    STEP_CROSS,  /* every pair of elements of containers arg 0 and arg 1; imm 1: of one container, none and its
                 * reverse */
    STEP_WHEN,   /* the lanes where arg 0 is true (imm 1) or false (imm 0); there is no column */
    STEP_SECOND, /* the second container's elements of the ZIP or CROSS that is arg 0 */
    STEP_ALONG,  /* per lane of an EACH, ZIP or CROSS scope, that element of list arg 0, of the scope above, which goes
                 * with the lane's element of the first (imm 0) or second (imm 1) container */
    STEP_AGAIN,  /* per lane of such a scope, what column arg 0 has for the same element: it is of a scope that a like
                 * step has opened further above */
    /* Back to the scope above. */
    STEP_CLOSE,  /* the elements of column arg 0 as one list per lane of the scope above; imm as of EACH */
    STEP_JOIN,   /* per lane arg 1 where arg 0 is true, else arg 2; these are in the two WHEN scopes of arg 0 */
    STEP_SPREAD, /* arg 0, of a WHEN scope, in the scope above; 0 in the other lanes */
    /* arg 0 is the state, arg 1 how often the steps up to the matching REPEAT run on it. Opens a scope with the lanes
     * that are not done; its column is their state. */
    STEP_LOOP,
    STEP_REPEAT, /* arg 0: the new state in the loop's scope; arg 1: the LOOP. The column is the state in the scope
                  * above. */
    STEP_KINDS
};

/* Whether statuses belong to a scope's lanes or, kept apart, to each column's; and whether failed ops yield
 * defaults. */
enum apart_policy { TOGETHER, APART_STRICT, APART_SAFE };

enum failure_meaning {
    FAILS_READERS, /* nothing: only who reads the column has failed */
    FAILS_USERS,   /* they have failed */
    FAILS_NOBODY   /* they have had a mishap, and the column has a default instead */
};

/* What stands in a column where there is no value. */
enum stand_in {
    STAND_IN_NONE, /* nothing does */
    STAND_IN_ZERO, /* which is also false, and what is empty */
    STAND_IN_MISSING_INT,
    STAND_IN_MISSING_IJ,
    STAND_IN_NO_PAIR /* for an ij, only where something is empty */
};

/* A step's `fails` is made of a failure_meaning; the stand-in that is its default, where none is 0; and the stand-in
 * for what it cannot make because something is empty, which then is no failure. */
#define FAILS_DEFAULT(stand_in) ((uint)(stand_in) << 2)
#define FAILS_EMPTY(stand_in) ((uint)(stand_in) << 4)
/* Of a step that fails nobody: where it cannot make a value because something is empty, its readers have failed all the
 * same. Statuses kept apart tell that from other failures by a set that has LANE_OK alone. */
#define FAILS_KEEP_EMPTY (1u << 7)
#define EMPTY_KEPT 1u
LANE uint fails_meaning(uint fails) { return fails & 3; }
LANE uint fails_default(uint fails) { return fails >> 2 & 3; }
LANE uint fails_empty(uint fails) { return fails >> 4 & 7; }

typedef struct {
    uchar kind;
    uchar args;
    ushort kernel_id;
    uint scope;  /* that the column belongs to */
    uint slot;   /* layout: which of the scope's columns it is */
    uint parent; /* of a scope that the step opens; else 0 */
    uint arg[4];
    ulong imm;
    ulong type; /* of the column's values, where the compiler has said so; else 0 */
    /* of a graph that keeps failures apart (cl/apart.h): */
    uint users; /* the number of the set of programs that the step belongs to */
    uint fails; /* what a failure of the step means to its users, and what its column has then: see above */
} graph_step;

typedef struct {
    uint parent;
    uint depth;
    uint opener; /* step */
    uint weight; /* words that a lane of this scope takes at least: one per step, and what the scope itself keeps */
    /* layout: */
    ulong maps;  /* bit n: lanes have a map to the scope n + 1 levels above */
    uint slots;  /* columns of the scope */
    uint ranges; /* column of the scope above: where the lanes of each of its lanes are, as | first:32 | count:32 | */
    uint left;   /* of a loop, column of the scope above: rounds to go */
    /* of a graph that keeps failures apart, in place of the weight: what a lane takes, by who is charged for it */
    uint charge, charges; /* the first and how many */
    uint unused;
} graph_scope;

typedef struct {
    uint users; /* the number of a set of programs */
    uint words;
} scope_charge;

#define MAX_RESULTS 8

/* The result of a program: a step, or one of several of different types, as step `which` says per lane. */
typedef struct {
    uint results, which;
    uint result[MAX_RESULTS];
    ulong type[MAX_RESULTS];
} program_output;

#define MAX_PROGRAMS 64 /* of one graph: a set of them is a word */

#define SCOPE_SHARED 0
#define SCOPE_LANES 1
#define MAX_SCOPE_DEPTH 64

#endif
