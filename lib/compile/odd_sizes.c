/* Words that measure grids and patches, in the tokpidjin dialect, given what is neither.
 *
 * The height of anything is how many items it has, and its width how many the first of these has. */
#include "cl/word.h"
#include "compile/odd.h"

static int has_length(type_code t) { return t && t != T_INT && t != T_BOOL && t != T_NEVER; }

/* Items, and items of the first one: 0 of what has no length, or no first. NULL where the compiler cannot say. */
static const value *rows_in(compiler *c, const value *v) {
    if (v->kind == V_FUNCTION || is_int(v)) return make_const(c, 0, T_INT);
    return call_one(c, OP_size, v);
}

static const value *columns_in(compiler *c, const value *v) {
    if (v->kind != V_DATA) return v->kind == V_FUNCTION || v->kind == V_TUPLE ? make_const(c, 0, T_INT) : NULL;
    type_code first = type_head(v->type) == T_TUPLE    ? type_element(v->type)
                      : type_head(v->type) == T_RECORD ? type_field(v->type, 0)
                                                       : 0;
    if (!has_length(first) && !may_have_guests(c, v)) return make_const(c, 0, T_INT);
    const value *row = call_one(c, OP_first, v);
    return row ? or_instead(c, STAND_IN_ZERO, call_word(c, OP_COUNT + WORD_size, 1, &row)) : NULL;
}

const value *odd_measure(compiler *c, int op, const value *v) {
    if (!c->safe || v->kind == V_CHOICE || as_signature(c, v, SIG_GRID) || c->failed) return NULL;
    const value *size[2] = {rows_in(c, v), columns_in(c, v)};
    if (!size[0] || !size[1]) return NULL;
    switch (op) {
    case OP_width: return size[1];
    case OP_shape: return make_tuple(c, 0, 2, size);
    case OP_portrait: return call_two(c, OP_greater, size[0], size[1]);
    default: /* what is empty has no first row to compare with */
        return call_two(c, OP_both, as_truth(c, size[0]), call_two(c, OP_equality, size[0], size[1]));
    }
}

/* What is no set of locations may have the box of the origin, and some locations twice. */
const value *odd_square(compiler *c, const value *v) {
    if (!c->safe || v->kind == V_CHOICE || (v->kind == V_DATA && (v->type == TYPE_IJ_SET || v->type == TYPE_OBJECT)))
        return NULL;
    const value *height = call_word(c, OP_COUNT + WORD_height_f, 1, &v);
    const value *width = height ? call_word(c, OP_COUNT + WORD_width_f, 1, &v) : NULL;
    const value *is_full = call_two(c, OP_equality, call_two(c, OP_multiply, height, width), call_one(c, OP_size, v));
    return call_two(c, OP_both, is_full, call_two(c, OP_equality, height, width));
}
