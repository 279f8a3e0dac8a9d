/* Words that move and turn patches, in the tokpidjin dialect, given what is none.
 *
 * Rows of ints are locations or cells by how many items they have, which only the lane knows; an offset by which
 * nothing moves may be anything, and what is not moved stays what it is. */
#include "cl/word.h"
#include "compile/odd.h"

/* ---- shifted ---- */

/* What an op of two arguments yields, or if it cannot be called with these, an empty set, as words for it do. */
static const value *try_op(compiler *c, int op, const value *const *arg) {
    int depth = c->depth;
    const value *result = call_op(c, op, 2, arg);
    if (result || c->fatal) return result;
    c->failed = 0;
    c->depth = depth;
    return empty_set(c);
}

static int is_set_patch(const value *v) {
    return v->kind == V_DATA && (v->type == TYPE_IJ_SET || v->type == TYPE_OBJECT || v->type == type_set(T_NEVER));
}

static int is_kept_true(const compiler *c, const value *v) {
    return is_kept(c, v) && c->steps[v->step].fails & FAILS_KEEP_TRUE;
}

/* What is shifted by () is what it was, whatever that is; what is false is no patch, and nothing then. */
static const value *shift_by_nothing(compiler *c, const value *v) {
    return is_kept_true(c, v) ? v : itself_or_empty(c, v);
}

/* Where an offset is (); 0: it never is, or what there is, is nothing of another kind. */
static uint32_t is_by_none(compiler *c, const value *offset) {
    if (may_lack(c, offset)) return emit_kernel2(c, KERNEL_equality, T_IJ, offset->step, emit_const(c, EMPTY_IJ));
    int is_tuple = offset->kind == V_DATA && (offset->type == T_GRID || type_head(offset->type) == T_TUPLE);
    return is_tuple && !is_kept(c, offset) ? emit_kernel1(c, KERNEL_flip, 0, as_truth(c, offset)->step) : 0;
}

/* A tuple that is no pair of ints, whatever it has in it. */
static int is_no_offset(const value *v) {
    if (v->kind != V_DATA || (v->type != T_GRID && type_head(v->type) != T_TUPLE)) return 0;
    return v->type == T_GRID || (type_element(v->type) != T_INT && type_element(v->type) != T_BOOL);
}

/* For each offset: an empty container is one of any kind then, and what cannot be moved is it. */
static const value *shift_each(compiler *c, const value *v, const value *offset, int is_by_nothing) {
    int has_length = v->kind == V_DATA && (v->type == T_GRID || type_is_container(v->type));
    if (is_by_nothing) return has_length ? as_seen(c, v) : has_fields(v) ? as_container(c, v) : NULL;
    const value *items = v->kind != V_DATA ? NULL : v->type == T_GRID ? v : as_container(c, v);
    type_code e = items && v->type != T_GRID ? type_element(items->type) : T_NEVER;
    int is_moved = !is_no_offset(offset) && ((e != T_INT && e != T_BOOL) || !may_lack(c, offset));
    uint32_t missing = items && !is_moved ? is_by_none(c, offset) : 0;
    if (!missing) return NULL;
    uint32_t step[3] = {missing, items->step, emit_const(c, 0)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), items->type);
}

const value *odd_shift(compiler *c, const value *const *arg, const value *offset) {
    int is_by_nothing = is_nothing(offset) && type_head(offset->type) == T_TUPLE;
    if (c->safe && is_by_nothing && arg[0]->kind == V_DATA && type_head(arg[0]->type) == T_SET &&
        !is_kept_true(c, arg[0]))
        return arg[0]; /* an empty set or not */
    if (!c->safe) return NULL;
    if (!is_in_text(c)) return shift_each(c, arg[0], offset, is_by_nothing);
    if (arg[0]->kind != V_DATA && arg[0]->kind != V_FUNCTION) return NULL;
    if (is_set_patch(arg[0]) && !is_kept_true(c, arg[0])) return NULL;
    if (is_by_nothing) return shift_by_nothing(c, arg[0]);
    uint32_t missing = is_by_none(c, offset);
    if (!missing) return NULL;
    const value *here = shift_by_nothing(c, arg[0]), *there = here ? try_op(c, OP_shift, arg) : NULL;
    return there ? make_choice(c, missing, here, there) : NULL;
}

/* What has colours has no uppermost location without, and the other way round: it stays where it is. Rows of three are
 * cells. */
const value *odd_normalize(compiler *c, const word_row *w, const value *v, const value *given) {
    if (c->safe && is_nothing(given)) return given;
    int is_places = given->kind == V_DATA && type_is_container(given->type) && type_element(given->type) == T_IJ;
    int may_be_rows = w == &word_rows[WORD_normalize_o] && given->kind == V_DATA && !is_places;
    const value *rows = may_be_rows ? as_rows(c, given) : NULL;
    if (c->safe && rows && rows->type == T_GRID) return call_one(c, OP_normalize, as_signature(c, rows, SIG_OBJECT));
    type_code e = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : T_NEVER;
    int is_other =
        (w == &word_rows[WORD_normalize_i] && e == T_CELL) || (w == &word_rows[WORD_normalize_o] && e == T_IJ);
    return is_other && c->safe ? as_set(c, v) : NULL;
}

/* Where what is moved is no object, or by what is no pair, each part of that has a default of its own. */
const value *odd_move(compiler *c, const value *const *arg) {
    int is_usual = arg[1]->kind == V_DATA && arg[1]->type == TYPE_OBJECT && arg[2]->kind == V_DATA &&
                   arg[2]->type == T_IJ && ij_is_whole(c, arg[2]) && !is_kept(c, arg[1]);
    if (!c->safe || is_usual) return NULL;
    const value *covered = call_word(c, OP_COUNT + WORD_cover, 2, arg);
    const value *moved[2] = {covered, covered ? call_word(c, OP_COUNT + WORD_shift, 2, arg + 1) : NULL};
    return moved[1] ? call_word(c, OP_COUNT + WORD_paint, 2, moved) : NULL;
}

/* ---- towards something ---- */

/* What is no patch has the box of the origin, and is never met: it goes on as far as that goes. */
static const value *gravitate_past(compiler *c, const value *const *arg) {
    const value *from = call_word(c, OP_COUNT + WORD_center, 1, &arg[0]);
    const value *to = call_word(c, OP_COUNT + WORD_center, 1, &arg[1]);
    if (!from || !to || from->kind != V_DATA || to->kind != V_DATA || from->type != T_IJ || to->type != T_IJ)
        return NULL;
    uint32_t column[2] = {emit_kernel1(c, KERNEL_ij_last, 0, from->step), emit_kernel1(c, KERNEL_ij_last, 0, to->step)};
    uint32_t step[3] = {emit_kernel2(c, KERNEL_greater, 0, column[1], column[0]), emit_const(c, 42),
                        emit_const(c, -42)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_IJ);
}

/* Of what is no patch there is a way past what it should meet; a patch for each element has a pair for it, or none. */
static const value *way_past(compiler *c, const value *const *arg, const value *somewhere) {
    const value *past = gravitate_past(c, arg);
    if (!past) return NULL;
    if (is_in_text(c) || is_no_patch(arg[0])) return make_choice(c, somewhere->step, past, arg[0]);
    uint32_t step[3] = {somewhere->step, or_instead(c, STAND_IN_MISSING_IJ, past)->step, emit_const(c, NO_PAIR)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_IJ);
}

/* NULL: these are no rows. */
static const value *are_rows_patches(compiler *c, const value *const *arg) {
    const value *are = NULL;
    for (int i = 0; i < 2; i++) {
        const value *is = rows_are_patch(c, arg[i]);
        are = are && is ? call_two(c, OP_both, are, is) : is ? is : are;
    }
    return are;
}

/* From nothing towards nothing it is the patch, too: an empty set is no pair to compute with. */
static const value *none_of_nothing(compiler *c, const value *const *arg, const value *some, const value *somewhere,
                                    const value *offset) {
    if (type_head(arg[0]->type) != T_SET) return offset;
    uint32_t any = emit_kernel2(c, KERNEL_either, 0, some->step, somewhere->step);
    uint32_t step[3] = {any, or_instead(c, STAND_IN_MISSING_IJ, offset)->step, emit_const(c, NO_PAIR)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_IJ);
}

/* Towards nothing the patch itself is the answer, if there is one; where that must be a pair, it is none. */
static const value *way_of_patches(compiler *c, const value *const *arg, const value *some, const value *somewhere) {
    const value *offset = call_two(c, OP_gravitate, arg[0], arg[1]);
    if (!offset) return NULL;
    uint32_t nowhere = emit_kernel2(c, KERNEL_both, 0, some->step, emit_kernel1(c, KERNEL_flip, 0, somewhere->step));
    if (is_in_text(c)) return make_choice(c, nowhere, arg[0], none_of_nothing(c, arg, some, somewhere, offset));
    if (c->steps[arg[1]->step].scope <= SCOPE_LANES) { /* of all elements alike */
        uint32_t saved = enter_scope_of(c, arg[1]), none = emit_kernel1(c, KERNEL_flip, 0, as_truth(c, arg[1])->step);
        c->scope = saved;
        return make_choice(c, none, arg[0], offset);
    }
    uint32_t step[3] = {nowhere, emit_const(c, NO_PAIR), or_instead(c, STAND_IN_MISSING_IJ, offset)->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_IJ);
}

const value *odd_gravitate(compiler *c, const value *const *arg) {
    if (!c->safe || arg[0]->kind == V_CHOICE || arg[1]->kind == V_CHOICE) return NULL;
    const value *some = as_truth(c, arg[0]), *somewhere = as_truth(c, arg[1]);
    if (!some || !somewhere) return NULL;
    if (is_no_patch(arg[0]) || is_no_patch(arg[1])) return way_past(c, arg, somewhere);
    const value *way = way_of_patches(c, arg, some, somewhere), *are_patches = are_rows_patches(c, arg);
    const value *past = way && are_patches && is_in_text(c) ? way_past(c, arg, somewhere) : NULL;
    return past ? make_choice(c, are_patches->step, way, past) : way;
}

/* ---- turned ---- */

/* What no number tells to turn is anything; what is no grid, the word for that turn may take for one. */
const value *odd_turn(compiler *c, const value *const *arg) {
    static const int by_number[7] = {WORD_hmirror_t, WORD_dmirror_t, WORD_vmirror_t, WORD_cmirror_t,
                                     WORD_rot90,     WORD_rot180,    WORD_rot270};
    int64_t number;
    if (!may_be_int(arg[1])) return arg[0];
    if (arg[1]->kind != V_DATA || !step_is_const(c, arg[1]->step, &number)) return NULL;
    if (number < 0 || number > 6) return arg[0];
    if (arg[0]->kind != V_DATA) return NULL;
    if (!type_is_rows(arg[0]->type)) return call_word(c, OP_COUNT + by_number[number], 1, arg);
    const value *rows = number == 1 || number == 2 ? as_rows(c, arg[0]) : NULL;
    return rows && rows->type == T_GRID ? call_one(c, number == 1 ? OP_dmirror : OP_vmirror, rows) : NULL;
}

int is_no_mirror(const compiler *c, const value *v) {
    int64_t number;
    return c->safe && is_int(v) && step_is_const(c, v->step, &number) && (number < 0 || number > 3);
}

/* By what is none of the numbers, a missing one too, nothing is turned. */
const value *odd_mirror(compiler *c, const word_row *w, const value *const *given) {
    if (!c->safe || given[1]->kind == V_CHOICE) return NULL;
    if (!is_int(given[1]) || is_no_mirror(c, given[1])) return given[0];
    if (!is_in_text(c) || !(c->steps[given[1]->step].fails & (FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_LOWEST))) return NULL;
    const value *none = call_two(c, OP_equality, given[1], make_const(c, NONE, T_INT));
    const value *number[3] = {none, make_const(c, 9, T_INT), given[1]};
    const value *turned[2] = {given[0], none ? call_op(c, OP_branch, 3, number) : NULL};
    const value *made = turned[1] ? call_word(c, OP_COUNT + (int)(w - word_rows), 2, turned) : NULL;
    return made ? make_choice(c, none->step, given[0], made) : NULL;
}

/* ---- rows ---- */

/* A patch of rows has cells if they are of three ints. How many there are, only the lane knows. */
const value *odd_moved_rows(compiler *c, const word_row *w, const value *const *given) {
    const value *rows = c->safe && given[0]->kind == V_DATA ? as_rows(c, given[0]) : NULL;
    if (!rows || !is_grid(rows) || type_element(given[0]->type) == T_NEVER || given[0]->type == T_IJ) return NULL;
    if (type_is_container(given[0]->type) && type_element(given[0]->type) != TYPE_INT_TUPLE) return NULL;
    const value *width = call_one(c, OP_width, rows);
    const value *is_three = width ? call_two(c, OP_equality, width, make_const(c, 3, T_INT)) : NULL;
    const value *patch[2] = {as_signature(c, rows, SIG_OBJECT), rows_as_patch(c, rows, ROWS_OF_TWO)}, *moved[2];
    for (int i = 0; i < 2; i++) {
        const value *arg[4] = {patch[i], op_rows[w->op].arity > 1 ? given[1] : NULL};
        if (!is_three || !patch[i]) return NULL;
        moved[i] = call_word(c, OP_COUNT + (int)(w - word_rows), op_rows[w->op].arity, arg);
        if (!moved[i]) return NULL;
    }
    if (is_in_text(c) || moved[0]->kind != V_DATA || moved[1]->kind != V_DATA)
        return make_choice(c, is_three->step, moved[0], moved[1]);
    /* Elements of a container are of one type. */
    for (int i = 0; i < 2; i++)
        if (!(moved[i] = convert_to(c, moved[i], TYPE_MIX_SET))) return NULL;
    uint32_t step[3] = {is_three->step, moved[0]->step, moved[1]->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), TYPE_MIX_SET);
}

/* What is shifted by () stays what it is. */
const value *odd_shifted_rows(compiler *c, const word_row *w, const value *const *given) {
    const value *offset = given[1];
    int is_by_nothing = offset->kind == V_DATA && offset->type == type_tuple(T_NEVER);
    if (offset->kind == V_CHOICE) return NULL; /* its sides come one by one */
    if (is_by_nothing && !is_in_text(c)) return NULL;
    const value *moved = odd_moved_rows(c, w, given);
    if (!moved || !is_in_text(c) || (!is_by_nothing && !may_lack(c, offset))) return moved;
    const value *stays = itself_or_empty(c, given[0]);
    if (is_by_nothing || !stays) return stays;
    uint32_t missing = emit_kernel2(c, KERNEL_equality, T_IJ, offset->step, emit_const(c, EMPTY_IJ));
    return make_choice(c, missing, stays, moved);
}

const value *odd_mirrored_rows(compiler *c, const word_row *w, const value *const *given) {
    return w->manner == MANNER_PATCH || w->manner == MANNER_INDICES ? odd_moved_rows(c, w, given) : NULL;
}
