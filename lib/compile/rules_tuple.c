/* Tuples where an op expects a grid or a patch. A tuple of pairs or of cells is no patch to ops that ask for its
 * height, its rows or its order: these take it for what it is, as they would take a grid. Other values go on to
 * rule_plain. The rules compute with the ops of the language, since such tuples are seldom. */
#include "cl/word.h"
#include "compile/compiler.h"

static const value *data1(compiler *c, unsigned kernel, uint64_t imm, type_code t, const value *a) {
    return a ? make_data(c, emit_kernel1(c, kernel, imm, a->step), t) : NULL;
}

static const value *make_int(compiler *c, int n) { return make_const(c, n, T_INT); }
static const value *make_empty(compiler *c) { return make_tuple(c, 0, 0, NULL); }

/* yes where the condition holds, else no. */
static const value *choose(compiler *c, const value *condition, const value *yes, const value *no) {
    const value *arg[3] = {condition, yes, no};
    return condition && yes && no ? call_op(c, OP_branch, 3, arg) : NULL;
}

/* What is wrong unless it is empty: then it is the empty tuple. */
static const value *empty_or_fail(compiler *c, const value *v) {
    v = as_container(c, v);
    return v ? fail_unless_empty(c, v, type_tuple(T_NEVER)) : dead_value(c);
}

static int is_list(const value *v) { return v->kind == V_DATA && (v->type == T_GRID || type_head(v->type) == T_TUPLE); }
static int is_tuple(const value *v) { return is_list(v) || has_fields(v); }
static int is_tuple_of_cells(const value *v) { return v->kind == V_DATA && v->type == type_tuple(T_CELL); }

/* ---- measures ---- */

/* The length of the first item, 0 if there is none. */
static const value *width_of(compiler *c, const value *v) {
    if (type_head(v->type) == T_RECORD) {
        const value *first = field_of(c, v, 0);
        return first && (is_tuple(first) || type_is_container(first->type)) ? call_one(c, OP_size, first)
                                                                            : dead_value(c);
    }
    if (type_head(v->type) != T_TUPLE) return call_one(c, OP_size, empty_or_fail(c, v));
    type_code e = type_element(v->type);
    if (type_is_container(e) || e == T_GRID) return data1(c, KERNEL_first_length, e == T_GRID, T_INT, v);
    int fields = e == T_CELL && c->triples   ? 3
                 : e == T_CELL || e == T_MIX ? 2
                 : type_head(e) == T_RECORD  ? type_fields(e)
                                             : 0;
    if (!fields) return call_one(c, OP_size, empty_or_fail(c, v));
    return call_two(c, OP_multiply, as_truth(c, v), make_int(c, fields));
}

static const value *square_of(compiler *c, const value *v) {
    const value *first = call_one(c, OP_first, v);
    if (!first) return NULL;
    if (!is_tuple(first) && !type_is_container(first->type)) return dead_value(c);
    return call_two(c, OP_equality, call_one(c, OP_size, v), call_one(c, OP_size, first));
}

static const value *hline_of(compiler *c, const value *v) {
    const value *size = call_one(c, OP_size, v), *width = call_one(c, OP_width, v);
    return call_two(c, OP_both, call_two(c, OP_equality, width, size), call_two(c, OP_equality, size, make_int(c, 1)));
}

static const value *center_of(compiler *c, const value *v) {
    const value *down = call_one(c, OP_halve, call_one(c, OP_size, v));
    const value *right = call_one(c, OP_halve, call_one(c, OP_width, v));
    return call_two(c, OP_astuple, call_two(c, OP_add, call_one(c, OP_uppermost, v), down),
                    call_two(c, OP_add, call_one(c, OP_leftmost, v), right));
}

/* Of locations, repeats count. Of cells at one place only one does, but the divisor is that of all: what repeats is not
 * supported. */
static const value *centerofmass_of(compiler *c, const value *v) {
    const value *pairs = is_tuple_of_cells(v) ? as_set(c, v) : convert_to(c, v, type_tuple(T_IJ));
    if (!pairs) return NULL;
    if (is_tuple_of_cells(v)) {
        const value *same = call_two(c, OP_equality, call_one(c, OP_size, v), call_one(c, OP_size, pairs));
        if (!same) return NULL;
        pairs = make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, pairs->step, same->step), pairs->type);
    }
    return data1(c, KERNEL_centerofmass, 0, T_IJ, pairs);
}

/* ---- mirrors ---- */

static const value *reversed(compiler *c, const value *v) {
    const value *item[15];
    if (v->type == T_GRID) return call_one(c, OP_hmirror, v);
    if (v->type == T_IJ) v = as_container(c, v);
    if (v && type_head(v->type) == T_TUPLE) return data1(c, KERNEL_reverse, 0, v->type, v);
    for (int i = 0, n = v ? field_count(c, v) : 0; i < n; i++)
        if (!(item[n - 1 - i] = field_of(c, v, i))) return NULL;
    return v ? make_tuple(c, 0, field_count(c, v), item) : NULL;
}

static int can_be_reversed(type_code t) {
    return t == T_GRID || t == T_IJ || t == T_CELL || type_head(t) == T_TUPLE || type_head(t) == T_RECORD;
}

static const value *each_reversed(compiler *c, const value *v) {
    const value *element;
    uint32_t saved = c->scope;
    if (type_head(v->type) != T_TUPLE || !can_be_reversed(type_element(v->type))) return empty_or_fail(c, v);
    if (!open_over(c, STEP_EACH, 0, 1, &v, &element)) return NULL;
    uint32_t scope = c->scope;
    element = reversed(c, element);
    c->scope = saved;
    return element ? collect(c, element, scope, T_TUPLE) : NULL;
}

/* The colours and the locations of cells, or in the other order, as a pair of tuples; () of no cells. */
static const value *cell_columns(compiler *c, const value *cells, int op_a, int op_b) {
    if (!is_tuple_of_cells(cells)) return empty_or_fail(c, cells);
    const value *a = call_two(c, OP_apply, make_op(c, op_a), cells);
    const value *b = call_two(c, OP_apply, make_op(c, op_b), cells);
    return choose(c, as_truth(c, cells), call_two(c, OP_astuple, a, b), make_empty(c));
}

/* ---- patches ---- */

/* An empty tuple is its own result, a tuple; of others the op makes a set. */
static const value *set_or_empty(compiler *c, int op, const value *const *arg) {
    const value *made = rule_plain(c, op, arg);
    if (!made || item_of_tuple(c, arg[0], 0)) return made;
    value *choice = (value *)make_choice(c, as_truth(c, arg[0])->step, made, make_empty(c));
    if (choice) choice->one_patch = 1;
    return choice;
}

/* Pairs are what they are; what is empty is a set. */
static const value *toindices_of(compiler *c, const value *v) {
    if (v->type != type_tuple(T_IJ)) {
        const value *wide = call_two(c, OP_greater, call_one(c, OP_width, v), make_int(c, 1));
        const value *sound = call_two(c, OP_either, call_one(c, OP_flip, as_truth(c, v)), wide);
        if (!sound) return NULL;
        v = make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, v->step, sound->step), v->type);
    }
    return choose(c, as_truth(c, v), v, make_tuple(c, 1, 0, NULL));
}

/* The corner of a grid has as many items as its rows, of which two count. */
static const value *corner_of_rows(compiler *c, const value *rows) {
    const value *columns = as_container(c, call_one(c, OP_dmirror, rows)), *least[2];
    for (int i = 0; i < 2; i++) {
        if (!columns) return NULL;
        uint32_t column = emit_kernel2(c, KERNEL_nth, 0, columns->step, emit_const(c, i));
        if (!(least[i] = call_one(c, OP_minimum, make_data(c, column, TYPE_INT_TUPLE)))) return NULL;
    }
    return make_tuple(c, 0, 2, least);
}

static const value *subgrid_of(compiler *c, const value *v, const value *grid) {
    const value *corner = v->type == T_GRID ? corner_of_rows(c, v) : call_one(c, OP_ulcorner, v);
    const value *arg[3] = {grid, corner, call_one(c, OP_shape, v)};
    return arg[1] && arg[2] ? call_op(c, OP_crop, 3, arg) : NULL;
}

static const value *numcolors_of(compiler *c, const value *cells) {
    const value *object = as_set(c, cells);
    return call_two(c, OP_add, call_one(c, OP_numcolors, object),
                    call_one(c, OP_size, call_one(c, OP_toindices, object)));
}

/* Where no location occurs twice, the most frequent item of all is a colour. */
static const value *mostcolor_of(compiler *c, const value *cells) {
    const value *object = as_set(c, cells), *places = call_one(c, OP_size, call_one(c, OP_toindices, object));
    const value *apart = call_two(c, OP_equality, places, call_one(c, OP_size, cells));
    const value *most = call_one(c, OP_mostcolor, object);
    return apart && most ? make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, most->step, apart->step), T_INT)
                         : NULL;
}

/* ---- the rules ---- */

/* Where pieces are expected: a tuple that may be a grid is one. NULL: nothing special. */
static const value *piece_tuple(compiler *c, int op, const value *v) {
    switch (op) {
    case OP_width: return width_of(c, v);
    case OP_shape: return call_two(c, OP_astuple, call_one(c, OP_size, v), call_one(c, OP_width, v));
    case OP_portrait: return call_two(c, OP_greater, call_one(c, OP_size, v), call_one(c, OP_width, v));
    case OP_square: return square_of(c, v);
    case OP_hmirror: return reversed(c, v);
    case OP_vmirror: return each_reversed(c, v);
    case OP_dmirror: return cell_columns(c, v, OP_first, OP_last);
    case OP_cmirror: return cell_columns(c, is_tuple_of_cells(v) ? reversed(c, v) : v, OP_last, OP_first);
    case OP_numcolors: return is_tuple_of_cells(v) ? numcolors_of(c, v) : NULL;
    case OP_mostcolor: return is_tuple_of_cells(v) ? mostcolor_of(c, v) : NULL;
    default: return NULL;
    }
}

/* Where patches are expected. */
static const value *patch_tuple(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0];
    switch (op) {
    case OP_hline: return hline_of(c, v);
    case OP_vline: return call_two(c, OP_equality, call_one(c, OP_width, v), make_int(c, 1));
    case OP_center: return center_of(c, v);
    case OP_centerofmass: return type_is_rows(v->type) || is_tuple_of_cells(v) ? centerofmass_of(c, v) : NULL;
    case OP_toindices: return type_is_rows(v->type) ? toindices_of(c, v) : NULL;
    case OP_delta: return type_is_rows(v->type) ? fail_unless_empty(c, as_container(c, v), TYPE_IJ_SET) : NULL;
    case OP_box:
    case OP_normalize:
    case OP_shift: return set_or_empty(c, op, arg);
    case OP_subgrid: return subgrid_of(c, v, arg[1]);
    default: return NULL;
    }
}

/* Ops that go by the centers, or the shape, of what they also take for a patch. */
static int is_unsupported(int op, const value *const *arg) {
    if (op == OP_occurrences) return is_list(arg[1]);
    if (op != OP_position && op != OP_gravitate) return 0;
    for (int i = 0; i < 2; i++)
        if (is_list(arg[i]) && (op == OP_gravitate || type_is_rows(arg[i]->type))) return 1;
    return 0;
}

static int takes_pieces(int op) {
    return op_rows[op].argument[0] == SIG_PIECE || op_rows[op].argument[0] == SIG_ELEMENT;
}

/* Locations, where the first of each pair is taken for a colour. */
static const value *as_colours(compiler *c, const value *v) {
    int is_locations = v->kind == V_DATA && v->type == TYPE_IJ_SET;
    return is_locations ? data1(c, KERNEL_row_colours, 0, TYPE_OBJECT, v) : v;
}

const value *rule_tupled(compiler *c, int op, const value *const *arg) {
    const value *given[2] = {arg[0], op_rows[op].arity > 1 ? arg[1] : NULL}, *made = NULL;
    if (c->triples) return rule_plain(c, op, arg); /* there tuples of pairs or cells are patches everywhere */
    if (is_unsupported(op, arg)) return dead_value(c);
    if (takes_pieces(op) && is_tuple(arg[0]) && !type_is_rows(arg[0]->type)) made = piece_tuple(c, op, arg[0]);
    if (op_rows[op].argument[0] == SIG_PATCH && is_list(arg[0])) made = patch_tuple(c, op, arg);
    if (made || c->failed) return made;
    if (op_rows[op].argument[0] == SIG_ELEMENT && op != OP_upscale) given[0] = as_colours(c, arg[0]);
    return given[0] ? rule_plain(c, op, given) : NULL;
}

/* A tuple of cells has the value among its colours, or among its locations. */
static const value *count_in_cells(compiler *c, const value *cells, const value *v) {
    const value *colour = call_two(c, OP_matcher, make_op(c, OP_first), v);
    const value *place = call_two(c, OP_matcher, make_op(c, OP_last), v);
    return call_two(c, OP_add, call_one(c, OP_size, call_two(c, OP_sfilter, cells, colour)),
                    call_one(c, OP_size, call_two(c, OP_sfilter, cells, place)));
}

/* A value of another type that is only compared with colours or sizes equals none of them. What else the op looks at,
 * it looks at. */
static const value *compared_to_nothing(compiler *c, int op, const value *const *arg) {
    const value *given[3] = {arg[0], make_int(c, 0), make_int(c, 0)};
    const value *made = rule_plain(c, op, given);
    if (!made) return NULL;
    if (op == OP_replace) return as_signature(c, arg[0], SIG_GRID);
    return make_const(c, 0, made->type);
}

const value *rule_colorcount(compiler *c, int op, const value *const *arg) {
    if (is_tuple_of_cells(arg[0])) return count_in_cells(c, arg[0], arg[1]);
    const value *given[2] = {as_colours(c, arg[0]), arg[1]};
    if (!given[0]) return NULL;
    return is_int(arg[1]) ? rule_plain(c, op, given) : compared_to_nothing(c, op, given);
}

const value *rule_compared(compiler *c, int op, const value *const *arg) {
    return is_int(arg[1]) ? rule_plain(c, op, arg) : compared_to_nothing(c, op, arg);
}

/* ---- tuples of any value ---- */

const value *rule_vec(compiler *c, int op, const value *const *arg) {
    const value *zero = make_int(c, 0), *two[2] = {op == OP_toivec ? arg[0] : zero, op == OP_toivec ? zero : arg[0]};
    if (is_int(arg[0]) || arg[0]->kind != V_DATA) return rule_plain(c, op, arg);
    return make_tuple(c, 0, 2, two);
}

const value *rule_canvas(compiler *c, int op, const value *const *arg) {
    const value *dims = as_signature(c, arg[1], SIG_IJ_LONG);
    if (is_int(arg[0]) || arg[0]->kind != V_DATA || !dims) return rule_plain(c, op, arg);
    const value *row = call_two(c, OP_repeat, arg[0], field_of(c, dims, 1));
    return call_two(c, OP_repeat, row, field_of(c, dims, 0));
}
