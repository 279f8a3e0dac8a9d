/* Mutation from inside: what is known of the parents, and a mutant that is being made.
 *
 *   mutator.c    mutators for users; which edits are made
 *   edits.c      each edit
 *   donors.c     what parents have: lines by type, constants and ops by where they stand
 */
#ifndef ARCL_MUTATOR_INSIDE_H
#define ARCL_MUTATOR_INSIDE_H
#include "tree/tree.h"

#define MAX_ARITY 4
#define DRAFT_LINES 512 /* that a mutant may have meanwhile */

typedef struct parent {
    arcl_tree *tree;
    arcl_type type[ARCL_PARENT_LINES]; /* of its lines, functions by their arity alone */
} parent;

/* ---- donors.c ---- */

typedef struct donor_line {
    int32_t parent, line;
} donor_line;

typedef struct lines_of_type {
    arcl_type type; /* 0: a free place */
    donor_line *at;
    int count;
    uint32_t room;
} lines_of_type;

typedef struct seen_operands { /* as often as they were seen */
    arcl_operand *at;
    int count;
    uint32_t room;
} seen_operands;

typedef struct donors {
    lines_of_type *types;
    int type_slots, type_count;
    seen_operands *seen; /* of op `op`, argument `slot`: seen[op * MAX_ARITY + slot] */
    int ops;
} donors;

int donors_start(donors *d, int ops); /* 0 when there is no memory, as below; donors_end frees what there is */
int donors_add(donors *d, int number, const parent *p);
void donors_end(donors *d);
const lines_of_type *donors_find(const donors *d, arcl_type type); /* NULL: there are none */

/* ---- mutator.c ---- */

struct arcl_mutator {
    arcl_context *context;
    arcl_dialect dialect;
    uint32_t rate; /* of 2^32 */
    int always;    /* the rate is 1 */
    unsigned allowed;
    const arcl_compile_options *compile;
    parent **parents;
    int count;
    uint32_t room;
    donors donors;
    unsigned char *frozen; /* of each op: its calls stay as they are */
    int *by_arity[MAX_ARITY + 1], arity_count[MAX_ARITY + 1];
    arcl_type parameter[128]; /* by letter, where the name gives the type; else by number: */
    arcl_type given[MAX_PARAMETERS];
};

/* A mutant that is being made. */
typedef struct draft {
    const arcl_mutator *mutator;
    int parent; /* whose mutant it is */
    arcl_tree *tree;
    arcl_type type[DRAFT_LINES];
    uint64_t *random;
    int no_memory;
} draft;

/* Where an operand stands: of a line, the callee first, as in arcl_tree; line -1: the result. */
typedef struct place {
    int line, item;
} place;

/* ---- edits.c ---- */
/* Makes that edit there: 1, or 0 if it cannot be made. */
int edit_make(draft *d, arcl_edit edit, place at);
arcl_type draft_type(const draft *d, arcl_operand o); /* 0: it has none */
int draft_is_frozen(const draft *d, int line);

#endif
