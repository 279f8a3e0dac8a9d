/* Ints of which some are nan, as sets that compare in the same way.
 *
 * Nothing is above or below nan. So to Python's way to sort it is what a set is that has nothing in common with the
 * others, and ints are sets of all that are no greater: a chain, which goes up as they do. */
#include "cl/word.h"
#include "compile/compiler.h"

#define BELOW_ALL (-(1 << 24))

/* The ints up to this one; of none a set with that alone. */
static const value *ints_up_to(compiler *c, const value *key, const void *ints) {
    uint32_t none = emit_kernel2(c, KERNEL_equality, T_INT, key->step, emit_const(c, NONE));
    uint32_t step[3] = {none, emit_const(c, BELOW_ALL), key->step};
    const value *limit = make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
    const value *is_less = limit ? make_function(c, F_LBIND, 2, make_op(c, OP_greater), limit, NULL) : NULL;
    const value *less = is_less ? call_two(c, OP_sfilter, ints, is_less) : NULL;
    return less ? call_two(c, OP_insert, key, less) : NULL;
}

const value *ints_as_chain(compiler *c, const value *keys) {
    const value *ints = as_set(c, call_two(c, OP_remove, make_const(c, NONE, T_INT), keys));
    return ints ? map_each_of(c, keys, ints_up_to, ints) : NULL;
}
