/* What the lines of a definition are, and what a call yields, by evaluating them and forgetting the steps. */
#ifndef ARCL_LINE_TYPES_H
#define ARCL_LINE_TYPES_H
#include "language/syntax.h"
#include "ops/type.h"

typedef struct line_type {
    enum { LINE_FAILS, LINE_DATA, LINE_FUNCTION, LINE_OTHER } form;
    type_code type; /* of data */
    int arity;      /* of a function */
    int callable;   /* of a function that is an op or word; else -1 */
} line_type;

/* Of every line of the definition but the last, which returns one. ARCL_INVALID if a parameter has no type. */
ARCL_CHECKED arcl_status line_types(pool *memory, const definition *d, const arcl_compile_options *options,
                                    line_type *types, arcl_error *error);

/* Of a call with arguments that are data or callables; of any other, the result is LINE_OTHER. */
ARCL_CHECKED arcl_status call_type(pool *memory, arcl_dialect dialect, int callable, int count,
                                   const line_type *arguments, line_type *result, arcl_error *error);

#endif
