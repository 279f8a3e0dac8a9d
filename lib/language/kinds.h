/* What kinds of values a normal form computes with, as far as its text tells: by the signatures of ops alone, from the
 * parameters on, and through functions to where these are called. It serves the translation between dialects, which has
 * to know a grid from a patch and a cell from another tuple. The compiler's types are exact; here what is not plain is
 * unknown. */
#ifndef ARCL_KINDS_H
#define ARCL_KINDS_H
#include "language/syntax.h"
#include "ops/type.h"

/* What is known of a value. */
typedef struct kind {
    enum { KIND_UNKNOWN, KIND_DATA, KIND_OP, KIND_MADE } form;
    type_code type;      /* of data, and of what a key function yields; 0 is unknown, also as the type of elements */
    int statement, item; /* of functions: the statement that makes it, or the place where the op is named */
    int is_number;       /* data that is this constant */
    int32_t number;
} kind;

#define MAX_CALL 4 /* arguments that ops take at most */

/* Is told of every call of an op, whose name is item `item` of statement `statement`: also of those in functions, which
 * may be called several times, with different arguments. A count of -1 is for a function that goes where its calls
 * cannot be followed. Of a tuple of two, which is a statement of its own, it is told as item 2. */
typedef void (*kinds_observer)(void *to, int statement, int item, int count, const kind *argument);

/* Returns 0 when memory ran out, -1 if the functions unfold to too much, else 1. */
int kinds_find(pool *memory, const definition *normal, kinds_observer observer, void *to);

/* A tuple of two values of these types: what it is in a dialect. */
type_code kinds_pair(arcl_dialect dialect, type_code a, type_code b);

#endif
