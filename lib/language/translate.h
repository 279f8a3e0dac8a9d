/* Definitions in the words of the other dialect. */
#ifndef ARCL_TRANSLATE_H
#define ARCL_TRANSLATE_H
#include "language/syntax.h"

/* A normal form as a definition of the dialect, in the pool's memory. If the dialect has no words for it, or if the
 * text does not tell which ones, the status is ARCL_INVALID, with a message that names the line and the word. */
ARCL_CHECKED arcl_status translate_form(pool *memory, const struct arcl_source *src, const definition *normal,
                                        arcl_dialect dialect, const definition **made, arcl_error *error);

#endif
