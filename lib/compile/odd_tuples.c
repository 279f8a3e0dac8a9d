/* Words that join, repeat, reverse and halve grids, in the tokpidjin dialect, given other tuples or sets.
 *
 * To Python a grid is a tuple of rows, and these words take any: what is joined may be of different types, or have
 * functions in it, and which side is empty may be known only to the lane. */
#include "cl/word.h"
#include "compile/odd.h"

/* ---- rows side by side ---- */

/* The rows of any container that has tuples in it; NULL: it has none. */
static const value *tuples_in(compiler *c, const value *v) {
    const value *container = v->kind == V_DATA ? as_container(c, v) : NULL;
    return container && is_tuple_type(type_element(container->type)) ? as_tuple(c, container) : NULL;
}

static const value *sum_of(compiler *c, const value *a, const value *b) {
    if (is_int(a) && is_int(b)) return call_two(c, OP_add, a, b);
    const value *tuple[2] = {a->kind == V_DATA ? as_container(c, a) : NULL,
                             b->kind == V_DATA ? as_container(c, b) : NULL};
    int are_tuples = tuple[0] && tuple[1] && is_tuple_type(tuple[0]->type) && is_tuple_type(tuple[1]->type);
    return are_tuples ? call_two(c, OP_combine, tuple[0], tuple[1]) : NULL;
}

/* Of tuples of different things, the sums of these, whatever they are. */
static const value *sums_of_fields(compiler *c, const value *const *arg) {
    const value *item[MAX_STATIC];
    int count = field_count(c, arg[0]), other = field_count(c, arg[1]);
    if (other < count) count = other;
    for (int i = 0; i < count; i++) {
        const value *field[2] = {field_of(c, arg[0], i), field_of(c, arg[1], i)};
        if (!field[0] || !field[1] || !(item[i] = sum_of(c, field[0], field[1]))) return NULL;
    }
    return make_tuple(c, 0, count, item);
}

static int is_record(const value *v) { return v->kind == V_DATA && type_head(v->type) == T_RECORD; }

static const value *ints_in(compiler *c, const value *v) {
    const value *list = v->kind == V_DATA && type_head(v->type) != T_RECORD ? as_container(c, v) : NULL;
    int is_ints = list && (type_element(list->type) == T_INT || type_element(list->type) == T_BOOL);
    return is_ints ? as_tuple(c, list) : NULL;
}

/* Row by row, as many as both have, whatever they are rows of. */
const value *odd_rows_joined(compiler *c, const value *const *arg) {
    if (c->safe && is_record(arg[0]) && is_record(arg[1])) return sums_of_fields(c, arg);
    const value *sum[3] = {make_op(c, OP_add), ints_in(c, arg[0]), ints_in(c, arg[1])};
    if (c->safe && sum[1] && sum[2]) return call_op(c, OP_papply, 3, sum); /* which are added to each other */
    const value *rows[2] = {tuples_in(c, arg[0]), tuples_in(c, arg[1])};
    if (!rows[0] || !rows[1] || (is_grid(arg[0]) && is_grid(arg[1]))) return NULL;
    const value *grid[2] = {as_rows(c, rows[0]), as_rows(c, rows[1])};
    if (grid[0] && grid[1] && is_grid(grid[0]) && is_grid(grid[1])) return call_op(c, OP_hconcat, 2, grid);
    if (!type_unify(rows[0]->type, rows[1]->type)) return NULL; /* one has guests to the other */
    const value *given[3] = {make_op(c, OP_combine), rows[0], rows[1]};
    return c->failed ? NULL : call_op(c, OP_papply, 3, given);
}

/* ---- one after the other ---- */

/* A tuple that has functions in it, as one of guests; any other value as it is. */
static const value *as_guests_if_functions(compiler *c, const value *v) {
    const value *item[MAX_STATIC];
    if (!c->safe || v->kind != V_TUPLE || v->is_set || !static_fits(c, v->count)) return v;
    for (int i = 0; i < v->count; i++)
        if (!(item[i] = is_int(v->part[i]) ? v->part[i] : as_guest(c, v->part[i]))) return c->failed ? NULL : v;
    return make_list(c, v->count, item);
}

/* Two containers of what has no common type are one of guests, unless either is empty; NULL: these are not such. */
static const value *joined_apart(compiler *c, const value *const *arg) {
    const value *a = as_container(c, arg[0]), *b = a ? as_container(c, arg[1]) : NULL, *either[2] = {a, b};
    if (!c->safe || !b || type_unify(type_element(a->type), type_element(b->type))) return NULL;
    int is_mapped = !is_in_text(c);
    if (is_mapped && (!is_mapped_in_text(c) || may_lack(c, arg[0]) || may_lack(c, arg[1]))) return NULL;
    const value *some = as_truth(c, a), *more = as_truth(c, b), *guests[2] = {as_guests(c, a), as_guests(c, b)};
    const value *both = guests[0] && guests[1] ? call_op(c, OP_combine, 2, guests) : NULL;
    if (is_mapped) return both; /* elements of a container are of one type, whether one side is empty or not */
    if (!both && !c->failed) both = call_op(c, OP_combine, 2, either);
    const value *second = type_head(a->type) == T_SET ? distinct(c, b) : as_tuple(c, b);
    if (!some || !more || !both || !second) return NULL;
    const value *first = make_choice(c, more->step, both, a);
    return first ? make_choice(c, some->step, first, second) : NULL;
}

static int has_functions(const value *v) { return v->kind >= V_TUPLE; }

/* A container that has functions in it as ints, of which those stand for functions; NULL: it cannot be. */
static const value *functions_as_guests(compiler *c, const value *v) {
    if (v->kind != V_TUPLE) return NULL;
    const value *ints = v->is_set ? set_of_guests(c, v->count, v->part) : as_guests_if_functions(c, v);
    return ints && ints->kind == V_DATA ? ints : NULL;
}

/* Functions and data, which is known only to be some or none: where there is none, the functions are all there is. What
 * comes of it is of the first one's kind. */
static const value *joined_with_functions(compiler *c, const value *const *arg) {
    int last = has_functions(arg[1]);
    const value *functions = arg[last], *data = as_container(c, arg[!last]), *joined[2];
    if (!c->safe || !data || has_functions(arg[0]) == last || !is_in_text(c)) return NULL;
    const value *alone = last ? of_kind(c, functions, type_head(data->type)) : functions, *some = as_truth(c, data);
    if (!alone || !some) return NULL;
    if (type_element(data->type) == T_NEVER) return alone;
    int is_never_empty = item_of_tuple(c, data, 0) != NULL;
    joined[last] = functions_as_guests(c, functions);
    joined[!last] = joined[last] ? as_guests(c, data) : NULL;
    const value *both = joined[!last] ? call_op(c, OP_combine, 2, joined) : NULL;
    if (!both && !c->failed) both = dead_value(c);
    return both && !is_never_empty ? make_choice(c, some->step, both, alone) : both;
}

/* Tuples one after the other; where both are grids, or may be, that is the op's. */
const value *odd_tuples_joined(compiler *c, const value *const *given) {
    if (!is_of_kind(given[0], T_TUPLE) || !is_of_kind(given[1], T_TUPLE)) return NULL;
    const value *with_functions = joined_with_functions(c, given);
    if (with_functions || c->failed) return with_functions;
    const value *arg[2] = {as_guests_if_functions(c, given[0]), as_guests_if_functions(c, given[1])};
    if (!arg[0] || !arg[1] || (given[0]->kind == V_TUPLE && given[1]->kind == V_TUPLE)) return NULL;
    if (c->safe && is_int(arg[0]) && is_int(arg[1])) return call_op(c, OP_add, 2, arg); /* as Python joins these */
    for (int i = 0; i < 2; i++)
        if (arg[i]->kind != V_DATA || !is_tuple_type(arg[i]->type)) return NULL;
    if (type_is_rows(arg[0]->type) && type_is_rows(arg[1]->type)) return NULL;
    const value *apart = joined_apart(c, arg);
    return apart || c->failed ? apart : call_op(c, OP_combine, 2, arg);
}

const value *odd_joined(compiler *c, const value *const *given) {
    const value *with_functions = joined_with_functions(c, given);
    return with_functions || c->failed ? with_functions : joined_apart(c, given);
}

/* ---- items ---- */

/* Each item so many times. */
const value *odd_repeated(compiler *c, const value *const *arg) {
    const value *rows = arg[0]->kind == V_DATA && !is_grid(arg[0]) ? as_rows(c, arg[0]) : NULL;
    const value *container = rows && !is_grid(rows) && c->safe ? as_tuple(c, as_container(c, arg[0])) : NULL;
    if (!container || !is_int(arg[1])) return NULL;
    const value *given[2] = {make_function(c, F_RBIND, 2, make_op(c, OP_repeat), arg[1], NULL), container};
    return given[0] ? call_op(c, OP_mapply, 2, given) : NULL;
}

static const value *reversed_fields(compiler *c, const value *record) {
    const value *item[15];
    int count = field_count(c, record);
    for (int i = 0; i < count; i++)
        if (!(item[i] = field_of(c, record, count - 1 - i))) return NULL;
    return make_tuple(c, 0, count, item);
}

/* A tuple that is no grid, from its end on. */
const value *odd_reversed(compiler *c, const value *v) {
    if (!c->safe || v->kind != V_DATA || !is_tuple_type(v->type) || type_is_rows(v->type)) return NULL;
    if (type_head(v->type) == T_RECORD) return reversed_fields(c, v);
    const value *list = as_container(c, v);
    return list ? make_data(c, emit_kernel1(c, KERNEL_reverse, 0, list->step), list->type) : NULL;
}

/* The items of a tuple that is no grid, from a place on and before another. */
static const value *items_between(compiler *c, const value *list, const value *from, const value *to) {
    const value *line[3] = {from, to, make_const(c, 1, T_INT)}, *places = call_op(c, OP_interval, 3, line);
    const value *pick[2] = {make_function(c, F_LBIND, 2, make_op(c, OP_COUNT + WORD_get_nth_t), list, NULL), places};
    return pick[0] && places ? call_op(c, OP_apply, 2, pick) : NULL;
}

const value *odd_half(compiler *c, int op, const value *v) {
    if (!c->safe || v->kind != V_DATA || !is_tuple_type(v->type) || type_is_rows(v->type)) return NULL;
    const value *list = as_container(c, v), *size = call_one(c, OP_size, list), *half = call_one(c, OP_halve, size);
    if (!half) return NULL;
    if (op == OP_tophalf) return items_between(c, list, make_const(c, 0, T_INT), half);
    return items_between(c, list, call_two(c, OP_subtract, size, half), size);
}

/* What is no tuple has no item at a place of a tuple, and that is nan. */
const value *odd_nth(compiler *c, const word_row *w, const value *v) {
    int is_none = is_int(v) || v->kind == V_FUNCTION || (v->kind != V_CHOICE && !is_of_kind(v, T_TUPLE));
    return c->safe && is_none && w->manner == MANNER_ONLY_TUPLE ? make_const(c, NONE, T_INT) : NULL;
}
