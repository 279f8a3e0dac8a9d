/* Steps in the language's words. */
#ifndef ARCL_STEP_WORDS_H
#define ARCL_STEP_WORDS_H
#include "program/graph.h"

/* An op, or "for each element"; "" for a kernel that is no op. */
const char *step_words(const graph_step *s);

#endif
