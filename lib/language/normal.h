/* The normal form of a definition: what is left of it when names, the order of independent statements and the spelling
 * of constants no longer count. It is a tree like the one that was parsed, and what the compiler compiles: two
 * definitions with the same normal form are the same program, down to the steps.
 *
 *   - Every call and every tuple is a statement of its own, once, and its items are variables, parameters, ops and
 *     numbers.
 *   - Statements come in the order in which the result needs them, items from left to right. Those that the result does
 *     not need, but which may fail, follow, in an order that depends on nothing but what they say.
 *   - What nobody uses and cannot fail is gone: functions, tuples, and calls of ops that accept anything.
 *   - identity(x) is x, astuple(a, b) is (a, b), and a pair of numbers is a constant.
 */
#ifndef ARCL_NORMAL_H
#define ARCL_NORMAL_H
#include "language/syntax.h"

/* The normal form of a definition that was parsed, in the pool's memory; NULL when there is none. What it holds of the
 * definition (its name, positions for messages) stays the source's. */
const definition *normal_form(pool *memory, const definition *d);

/* A normal form in which values that are used once stand where they are used, as far as lines of text can be nested. */
const definition *normal_inline(pool *memory, const definition *normal);

#endif
