/* Ops by the names that users give. */
#ifndef ARCL_OP_NAME_H
#define ARCL_OP_NAME_H
#include "arcl.h"

/* The index of the op among those of a dialect, or -1 after a message that names one like it. */
int op_name_find(arcl_dialect dialect, const char *name);

/* The dialect that has an op of that name: arc-dsl, unless only the other has it. */
arcl_dialect op_name_dialect(const char *name);

#endif
