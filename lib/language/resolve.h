/* Names that a text defines itself, given their meaning when all of it is parsed: a definition may use another one that
 * comes later, or that another thread has parsed. */
#ifndef ARCL_RESOLVE_H
#define ARCL_RESOLVE_H
#include "language/syntax.h"

/* Replaces names in the source's definitions by what the source defines (E_DEFINED), and leaves out of its list what is
 * no program: constants, and definitions that others use, unless they are named as programs are. A definition that has
 * a name left that stands for nothing has failed, with a message. */
ARCL_CHECKED arcl_status resolve_names(struct arcl_source *src, const op_index *ops, arcl_error *error);

#endif
