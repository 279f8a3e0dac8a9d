/* A plan, explained: in words and tables, as JSON, as a graph. Shared by `arcl explain`'s files. */
#ifndef ARCL_EXPLAIN_H
#define ARCL_EXPLAIN_H
#include <stdio.h>

#include "arcl.h"

typedef struct explained {
    const char *program, *file; /* the program's name, and the file that it is in */
    const char *profile;        /* the file that was named, or NULL */
    const arcl_plan *plan;
} explained;

void explain_text(const explained *e, FILE *out);

/* These return 0, or -1 after a message. "-" is standard output. */
int explain_json(const explained *e, const char *path);
int explain_dot(const explained *e, const char *path);

/* "rot90", "merge [merge_set]": the op, and the kernel where that says more. Returns to. */
char *explain_op_text(const arcl_plan_op *op, char *to, size_t room);

/* "from 12,000 lanes on cl:0"; "" if it runs there in any case. Returns to. */
char *explain_flip_text(const arcl_plan *plan, const arcl_plan_op *op, char *to, size_t room);

/* "measured", "extrapolated" or "unmeasured". */
const char *explain_basis(const arcl_plan_op *op);

#endif
