/* What is said of a name that stands for nothing: what may have been meant, or what to write instead. */
#ifndef ARCL_UNKNOWN_NAME_H
#define ARCL_UNKNOWN_NAME_H
#include "language/syntax.h"

/* Whether a name is one of the dialect's. */
int dialect_knows(const op_index *ops, arcl_dialect dialect, const char *name, uint32_t length);

/* e is E_UNKNOWN. */
void unknown_name_message(const struct arcl_source *src, const op_index *ops, const expression *e, arcl_error *message);

#endif
