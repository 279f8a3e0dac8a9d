/* Ops by the names that users give. */
#ifndef ARCL_OP_NAME_H
#define ARCL_OP_NAME_H

/* The index of the op, or -1 after a message that names one like it. */
int op_name_find(const char *name);

#endif
