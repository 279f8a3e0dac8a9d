/* Containers of anything, equality and choice: ops whose types follow from their arguments. */
#include "cl/word.h"
#include "compile/compiler.h"

/* Argument i as data of a container type, or a message. */
static const value *container_argument(compiler *c, int op, const value *const *arg, int i) {
    const value *v = as_container(c, arg[i]);
    return v ? v : reject_argument(c, op, i, arg[i], "a container");
}

/* Values that the compiler keeps apart, in a list of bounded size. */
typedef struct static_items {
    const value *item[MAX_STATIC];
    int count;
} static_items;

static void add_static(compiler *c, static_items *items, const value *v) {
    if (static_fits(c, items->count + 1)) items->item[items->count++] = v;
}

static const value *data1(compiler *c, unsigned kernel, uint64_t imm, type_code t, const value *a) {
    return make_data(c, emit_kernel1(c, kernel, imm, a->step), t);
}

static const value *data2(compiler *c, unsigned kernel, uint64_t imm, type_code t, const value *a, const value *b) {
    return make_data(c, emit_kernel2(c, kernel, imm, a->step, b->step), t);
}

/* ---- equality ---- */

/* An ij and a cell. */
static int never_equal(type_code a, type_code b) { return (a == T_IJ && b == T_CELL) || (a == T_CELL && b == T_IJ); }

/* What an empty value of the type is: T_SET, T_TUPLE, or 0 if none is empty. */
static unsigned empty_kind(type_code t) {
    unsigned head = type_head(t);
    return head == T_GRID || head == T_IJ ? T_TUPLE : head == T_SET || head == T_TUPLE ? head : 0;
}

/* Values of different types are equal at most where both are empty, sets or tuples. */
static int may_both_be_empty(const compiler *c, const value *a, const value *b) {
    if (a->type == T_IJ && ij_is_whole(c, a)) return 0;
    if (b->type == T_IJ && ij_is_whole(c, b)) return 0;
    return empty_kind(a->type) && empty_kind(a->type) == empty_kind(b->type);
}

static const value *equal_data(compiler *c, const value *a, const value *b) {
    type_code t = type_unify(a->type, b->type);
    unsigned x = type_head(a->type), y = type_head(b->type);
    int mixed_atoms = never_equal(a->type, b->type);
    if (t && !mixed_atoms) {
        a = convert_to(c, a, t);
        b = convert_to(c, b, t);
        if (a && b) return data2(c, KERNEL_equality, t, T_BOOL, a, b);
    }
    if (c->failed) return NULL;
    if (!may_both_be_empty(c, a, b)) return make_const(c, 0, T_BOOL);
    if (x == T_IJ) a = as_container(c, a);
    if (y == T_IJ) b = as_container(c, b);
    return a && b ? data2(c, KERNEL_both_empty, 0, T_BOOL, a, b) : NULL;
}

/* Whether v is one of the items. */
static const value *equal_to_some(compiler *c, const value *v, const value *items) {
    const value *found = make_const(c, 0, T_BOOL);
    for (int i = 0; i < items->count && found; i++)
        found = call_two(c, OP_either, found, call_two(c, OP_equality, v, items->part[i]));
    return found;
}

/* Tuples are equal where all their items are, sets where each has those of the other: data among them is known only
 * lane by lane. */
static const value *equal_items(compiler *c, const value *a, const value *b) {
    const value *equal = make_const(c, a->is_set == b->is_set && (a->is_set || a->count == b->count), T_BOOL);
    int64_t known;
    for (int i = 0; i < a->count && equal && !(step_is_const(c, equal->step, &known) && !known); i++) {
        const value *item =
            a->is_set ? equal_to_some(c, a->part[i], b) : call_two(c, OP_equality, a->part[i], b->part[i]);
        equal = call_two(c, OP_both, equal, item);
    }
    for (int i = 0; a->is_set && i < b->count && equal; i++)
        equal = call_two(c, OP_both, equal, equal_to_some(c, b->part[i], a));
    return equal;
}

const value *rule_equality(compiler *c, int op, const value *const *arg) {
    (void)op;
    if (arg[0]->kind == V_DATA && arg[1]->kind == V_DATA) return equal_data(c, arg[0], arg[1]);
    if (arg[0]->kind == V_TUPLE && arg[1]->kind == V_TUPLE) return equal_items(c, arg[0], arg[1]);
    return make_const(c, same_value(arg[0], arg[1]), T_BOOL);
}

const value *rule_branch(compiler *c, int op, const value *const *arg) {
    const value *condition = as_truth(c, arg[0]);
    int64_t known;
    if (!condition) return reject_argument(c, op, 0, arg[0], "a bool");
    if (step_is_const(c, condition->step, &known)) return arg[known ? 1 : 2];
    if (arg[1]->kind == V_DATA && arg[2]->kind == V_DATA) {
        type_code t = type_merge(arg[1]->type, arg[2]->type);
        const value *yes = t ? convert_to(c, arg[1], t) : NULL, *no = yes ? convert_to(c, arg[2], t) : NULL;
        if (c->failed) return NULL;
        if (no) {
            uint32_t step[3] = {condition->step, yes->step, no->step};
            return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), t);
        }
    }
    return make_choice(c, condition->step, arg[1], arg[2]);
}

/* Where both are bools there is nothing to choose: the result is one. */
const value *rule_and_or(compiler *c, int op, const value *const *arg) {
    const value *branch[3] = {arg[0], op == OP_both ? arg[1] : arg[0], op == OP_both ? arg[0] : arg[1]};
    int bools = 1;
    for (int i = 0; i < 2; i++) bools &= arg[i]->kind == V_DATA && arg[i]->type == T_BOOL;
    return bools ? rule_plain(c, op, arg) : rule_branch(c, op, branch);
}

const value *rule_identity(compiler *c, int op, const value *const *arg) {
    (void)c;
    (void)op;
    return arg[0];
}

/* ---- membership ---- */

/* A value and a container brought to one element type; 0 if there is none, or if they can have nothing in common,
 * unless `mixing` a location with cells is what is to be done. */
static int bring_together(compiler *c, const value **v, const value **container, int mixing) {
    type_code element = type_element((*container)->type);
    if ((*v)->kind != V_DATA) return 0;
    type_code t = type_unify((*v)->type, element);
    if (!t || (!mixing && never_equal((*v)->type, element))) return 0;
    const value *a = convert_to(c, *v, t),
                *b = convert_to(c, *container, type_container(type_head((*container)->type), t));
    if (!a || !b) return 0;
    *v = a;
    *container = b;
    return 1;
}

/* Whether a value might equal an element though their types have nothing in common: if both are empty. */
static int may_meet_empty(const value *v, const value *container) {
    if (v->kind != V_DATA) return 0;
    unsigned kind = empty_kind(v->type);
    return kind && kind == empty_kind(type_element(container->type));
}

/* The elements that equal v, or those that do not, told one by one. */
static const value *filter_equal(compiler *c, const value *v, const value *container, int keep) {
    const value *same[2] = {make_op(c, OP_identity), v}, *equal = call_op(c, OP_matcher, 2, same);
    const value *given[2] = {container, equal};
    if (equal && !keep) given[1] = make_function(c, F_COMPOSE, 2, make_op(c, OP_flip), equal, NULL);
    return given[1] ? call_op(c, OP_sfilter, 2, given) : NULL;
}

static const value *contained_in_fields(compiler *c, const value *v, const value *record) {
    const value *found = make_const(c, 0, T_BOOL);
    for (int i = 0; i < field_count(c, record) && found; i++) {
        const value *field = field_of(c, record, i);
        const value *equal = field ? equal_data(c, v, field) : NULL;
        if (!equal) return NULL;
        found = data2(c, KERNEL_either, 0, T_BOOL, found, equal);
    }
    return found;
}

const value *rule_contained(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0], *container;
    if (arg[1]->kind == V_TUPLE) return equal_to_some(c, v, arg[1]);
    if (arg[1]->kind == V_DATA && (arg[1]->type == T_CELL || type_head(arg[1]->type) == T_RECORD) && v->kind == V_DATA)
        return contained_in_fields(c, v, arg[1]);
    if (!(container = container_argument(c, op, arg, 1))) return NULL;
    if (!bring_together(c, &v, &container, 0)) {
        if (c->failed || !may_meet_empty(v, container)) return c->failed ? NULL : make_const(c, 0, T_BOOL);
        return as_truth(c, filter_equal(c, v, container, 1));
    }
    return data2(c, KERNEL_contained, container->type, T_BOOL, v, container);
}

const value *rule_remove(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0], *container = container_argument(c, op, arg, 1);
    if (!container) return NULL;
    if (!bring_together(c, &v, &container, 0)) {
        if (c->failed) return NULL;
        return may_meet_empty(v, container) ? filter_equal(c, v, container, 0) : container;
    }
    return data2(c, KERNEL_remove, container->type, container->type, v, container);
}

const value *rule_other(compiler *c, int op, const value *const *arg) {
    const value *container = container_argument(c, op, arg, 0), *v = arg[1];
    if (!container) return NULL;
    if (!bring_together(c, &v, &container, 0)) {
        if (c->failed) return NULL;
        if (may_meet_empty(v, container)) container = filter_equal(c, v, container, 0);
        return container ? data1(c, KERNEL_first_list, 0, type_element(container->type), container) : NULL;
    }
    return data2(c, KERNEL_other, container->type, type_element(container->type), container, v);
}

const value *rule_insert(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0], *set;
    if (v->kind != V_DATA && arg[1]->kind == V_DATA) {
        if (type_head(arg[1]->type) != T_SET) return reject_argument(c, op, 1, arg[1], "a set");
        if (!fail_unless_empty(c, arg[1], type_set(T_NEVER))) return NULL;
    }
    if (arg[1]->kind == V_TUPLE || (v->kind != V_DATA && arg[1]->kind == V_DATA)) {
        static_items items = {.count = 0};
        for (int i = 0; arg[1]->kind == V_TUPLE && i < arg[1]->count; i++) add_static(c, &items, arg[1]->part[i]);
        add_static(c, &items, v);
        return make_tuple(c, 1, items.count, items.item);
    }
    if (!(set = container_argument(c, op, arg, 1))) return NULL;
    if (type_head(set->type) != T_SET) return reject_argument(c, op, 1, arg[1], "a set");
    if (v->kind != V_DATA) return reject_argument(c, op, 0, v, "a value");
    if (!bring_together(c, &v, &set, 1)) {
        if (c->failed) return NULL;
        set = require_empty(c, set, type_set(v->type));
    }
    return set ? data2(c, KERNEL_insert, type_set(type_to_sort(c, type_element(set->type))), set->type, v, set) : NULL;
}

/* ---- two containers ---- */

static const value *combine_static(compiler *c, const value *const *arg) {
    if (arg[0]->kind != V_TUPLE || arg[1]->kind != V_TUPLE) return make_union(c, arg[0]->is_set, 2, arg);
    static_items items = {.count = 0};
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < arg[a]->count; i++) add_static(c, &items, arg[a]->part[i]);
    return make_tuple(c, arg[0]->is_set, items.count, items.item);
}

/* Both containers with one element type; the second must be empty where there is none. */
static int unify_containers(compiler *c, const value **a, const value **b) {
    type_code t = type_unify(type_element((*a)->type), type_element((*b)->type));
    if (t) {
        const value *x = convert_to(c, *a, type_container(type_head((*a)->type), t));
        const value *y = convert_to(c, *b, type_container(type_head((*b)->type), t));
        if (x && y) {
            *a = x;
            *b = y;
            return 1;
        }
    }
    return 0;
}

const value *rule_combine(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind >= V_TUPLE && arg[1]->kind >= V_TUPLE) return combine_static(c, arg);
    const value *a = container_argument(c, op, arg, 0), *b = a ? container_argument(c, op, arg, 1) : NULL;
    if (!b) return NULL;
    if (!unify_containers(c, &a, &b)) {
        if (c->failed) return NULL;
        b = require_empty(c, b, a->type);
        return b ? data2(c, KERNEL_concat, 0, a->type, a, b) : NULL;
    }
    if (type_head(a->type) == T_TUPLE) return data2(c, KERNEL_concat, 0, a->type, a, b);
    b = as_set(c, b);
    return b ? data2(c, KERNEL_unite, type_set(type_to_sort(c, type_element(a->type))), a->type, a, b) : NULL;
}

/* Locations and cells. */
static int never_share(const value *a, const value *b) {
    return never_equal(type_element(a->type), type_element(b->type));
}

static const value *common_empties(compiler *c, const value *a, const value *b) {
    const value *bound = make_function(c, F_RBIND, 2, make_op(c, OP_contained), b, NULL), *given[2] = {a, bound};
    return bound ? call_op(c, OP_sfilter, 2, given) : NULL;
}

/* Of elements of types that have nothing in common, the empty ones may be equal. */
static const value *difference_apart(compiler *c, const value *a, const value *b) {
    unsigned kind = empty_kind(type_element(a->type));
    if (!kind || kind != empty_kind(type_element(b->type))) return a;
    const value *bound = make_function(c, F_RBIND, 2, make_op(c, OP_contained), b, NULL);
    const value *given[2] = {a, bound ? make_function(c, F_COMPOSE, 2, make_op(c, OP_flip), bound, NULL) : NULL};
    return given[1] ? call_op(c, OP_sfilter, 2, given) : NULL;
}

const value *rule_intersection(compiler *c, int op, const value *const *arg) {
    const value *a = container_argument(c, op, arg, 0), *b = a ? container_argument(c, op, arg, 1) : NULL;
    if (!b) return NULL;
    for (int i = 0; i < 2; i++)
        if (type_head((i ? b : a)->type) != T_SET) return reject_argument(c, op, i, arg[i], "a set");
    if (never_share(a, b)) return make_const(c, 0, a->type);
    if (!unify_containers(c, &a, &b)) {
        unsigned kind = empty_kind(type_element(a->type));
        if (!c->failed && kind && kind == empty_kind(type_element(b->type))) return common_empties(c, a, b);
        return c->failed ? NULL : make_const(c, 0, a->type);
    }
    return data2(c, KERNEL_intersection, b->type, a->type, a, b);
}

const value *rule_difference(compiler *c, int op, const value *const *arg) {
    const value *a = container_argument(c, op, arg, 0), *b = a ? container_argument(c, op, arg, 1) : NULL;
    if (!b) return NULL;
    /* Programs make the empty set this way: it fits wherever a container is expected. */
    if (a->step == b->step) return make_const(c, 0, type_container(type_head(a->type), T_NEVER));
    if (never_share(a, b)) return a;
    if (!unify_containers(c, &a, &b)) return c->failed ? NULL : difference_apart(c, a, b);
    return data2(c, KERNEL_difference, b->type, a->type, a, b);
}

/* Elements of two containers as one pair: the form in which kernels pack it, and its type. */
static int pair_form(const compiler *c, const value *of_a, const value *of_b, type_code *t) {
    type_code a = type_element(of_a->type), b = type_element(of_b->type);
    type_code fields[2] = {a, b}, joined = type_join(a, b);
    int has_guests = may_have_guests(c, of_a) || may_have_guests(c, of_b); /* which no ij can have */
    int ints = (joined == T_INT || joined == T_BOOL) && !has_guests;
    int cell = a == T_INT && b == T_IJ && !c->triples;
    *t = ints ? T_IJ : cell ? T_CELL : joined ? type_tuple(joined) : type_record(fields, 2);
    return *t == T_IJ ? PAIR_IJ : *t == T_CELL ? PAIR_CELL : PAIR_RECORD;
}

const value *rule_product(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind >= V_TUPLE || arg[1]->kind >= V_TUPLE) return product_special(c, arg[0], arg[1]);
    const value *a = container_argument(c, op, arg, 0), *b = a ? container_argument(c, op, arg, 1) : NULL;
    type_code t;
    if (!b) return NULL;
    a = as_set(c, a);
    b = as_set(c, b);
    if (!a || !b) return NULL;
    int form = pair_form(c, a, b, &t);
    if (!t) return reject(c, "product: the type of the pairs is too large");
    return data2(c, KERNEL_product, (uint64_t)form, type_set(t), a, b);
}

static const value *pair_static(compiler *c, const value *a, const value *b) {
    static_items items = {.count = 0};
    for (int i = 0; i < a->count && i < b->count; i++) {
        const value *two[2] = {a->part[i], b->part[i]}, *made = make_tuple(c, 0, 2, two);
        if (!made) return NULL;
        add_static(c, &items, made);
    }
    return make_tuple(c, 0, items.count, items.item);
}

/* pair with a container of functions: a container of pairs that have them. */
static const value *pair_each(compiler *c, int op, const value *const *arg) {
    const value *container[2], *element[2];
    uint32_t saved = c->scope;
    for (int i = 0; i < 2; i++) {
        container[i] = arg[i]->kind == V_EACH ? arg[i] : container_argument(c, op, arg, i);
        if (!container[i]) return NULL;
    }
    if (!open_over(c, STEP_ZIP, 0, 2, container, element)) return NULL;
    uint32_t scope = c->scope;
    const value *two = make_tuple(c, 0, 2, element);
    c->scope = saved;
    return two ? collect(c, two, scope, T_TUPLE) : NULL;
}

const value *rule_pair(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind == V_TUPLE && arg[1]->kind == V_TUPLE) return pair_static(c, arg[0], arg[1]);
    if (arg[0]->kind == V_EACH || arg[1]->kind == V_EACH) return pair_each(c, op, arg);
    const value *a = container_argument(c, op, arg, 0), *b = a ? container_argument(c, op, arg, 1) : NULL;
    type_code t;
    if (!b) return NULL;
    int form = pair_form(c, a, b, &t);
    if (!t) return reject(c, "pair: the type of the pairs is too large");
    return data2(c, KERNEL_pair, (uint64_t)form, type_tuple(t), a, b);
}

/* ---- one container ---- */

static const value *size_of_parts(compiler *c, const value *v) {
    const value *sum = make_const(c, 0, T_INT);
    for (int i = 0; i < v->count && sum; i++) sum = call_two(c, OP_add, sum, call_one(c, OP_size, v->part[i]));
    return sum;
}

const value *rule_size(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0];
    if (!is_countable(c, v)) return NULL;
    if (v->kind == V_UNION) return size_of_parts(c, v);
    if (v->kind == V_TUPLE) return make_const(c, v->count, T_INT);
    if (v->kind == V_EACH) return data1(c, KERNEL_size_list, 0, T_INT, make_data(c, lists_of(c, v), T_INT));
    if (v->kind == V_DATA) switch (type_head(v->type)) {
        case T_SET:
        case T_TUPLE: return data1(c, KERNEL_size_list, 0, T_INT, v);
        case T_GRID: return data1(c, KERNEL_height_grid, 0, T_INT, v);
        case T_IJ:
            if (!ij_is_whole(c, v)) return data1(c, KERNEL_size_list, 0, T_INT, as_container(c, v));
            return make_const(c, 2, T_INT);
        case T_CELL: return make_const(c, field_count(c, v), T_INT);
        case T_RECORD: return make_const(c, type_fields(v->type), T_INT);
        default: break;
        }
    return reject_argument(c, op, 0, v, "a container");
}

/* The element of each lane's container at its beginning or end, of a column that a function of a container captured. */
static uint32_t pick_column(compiler *c, uint32_t column, uint32_t inner, const void *kernel) {
    uint32_t saved = c->scope;
    c->scope = c->scopes[inner].parent;
    uint32_t lists = emit_close(c, column, inner, 0);
    c->scope = saved;
    return emit_kernel1(c, *(const unsigned *)kernel, 0, lists);
}

const value *rule_first_last(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0], *known = item_of_tuple(c, v, op == OP_last);
    int last = op == OP_last;
    unsigned kernel = last ? KERNEL_last_list : KERNEL_first_list;
    if (known || c->failed) return known;
    if (v->kind == V_EACH) return lift_value(c, v->part[0], v->scope, pick_column, &kernel);
    if (has_fields(v)) return field_of(c, v, last ? field_count(c, v) - 1 : 0);
    const value *container = container_argument(c, op, arg, 0);
    return container ? data1(c, kernel, 0, type_element(container->type), container) : NULL;
}

const value *rule_dedupe(compiler *c, int op, const value *const *arg) {
    if (arg[0]->kind >= V_TUPLE && !arg[0]->is_set) return distinct_functions(c, arg[0]);
    const value *a = container_argument(c, op, arg, 0);
    if (!a) return NULL;
    if (type_head(a->type) != T_TUPLE) return reject_argument(c, op, 0, arg[0], "a tuple");
    return data1(c, KERNEL_dedupe, type_element(a->type), a->type, a);
}

const value *rule_common(compiler *c, int op, const value *const *arg) {
    const value *a = container_argument(c, op, arg, 0);
    if (!a) return NULL;
    if (type_head(a->type) != T_TUPLE) return reject_argument(c, op, 0, arg[0], "a tuple");
    unsigned kernel = op == OP_mostcommon ? KERNEL_mostcommon : KERNEL_leastcommon;
    return data1(c, kernel, type_element(a->type), type_element(a->type), a);
}

const value *rule_repeat(compiler *c, int op, const value *const *arg) {
    const value *n = as_signature(c, arg[1], SIG_INT);
    int64_t known;
    if (!n) return reject_argument(c, op, 1, arg[1], "an int");
    if (arg[0]->kind == V_DATA) return data2(c, KERNEL_repeat, 0, type_tuple(arg[0]->type), arg[0], n);
    if (!step_is_const(c, n->step, &known))
        return reject(c, "repeat: a function can be repeated a known number of times only");
    static_items items = {.count = 0};
    for (int64_t i = 0; i < known && !c->failed; i++) add_static(c, &items, arg[0]);
    return make_tuple(c, 0, items.count, items.item);
}

/* The same of a tuple of containers of which some are empty by their type, or sets where others are tuples. */
static const value *merge_fields(compiler *c, const value *v) {
    const value *all = make_const(c, 0, type_tuple(T_NEVER));
    for (int i = 0; i < field_count(c, v) && all; i++) {
        const value *field = field_of(c, v, i), *part = field ? as_container(c, field) : NULL;
        if (!part || !type_unify(type_element(all->type), type_element(part->type))) return NULL;
        all = call_two(c, OP_combine, all, make_data(c, part->step, type_tuple(type_element(part->type))));
    }
    return all;
}

/* What is in no containers. In tokpidjin that is (), unless nothing is in a set. */
static const value *nothing_merged(compiler *c, const value *outer) {
    if (!c->safe || !c->triples || type_head(outer->type) != T_SET || !is_in_text(c))
        return fail_unless_empty(c, outer, type_container(type_head(outer->type), T_NEVER));
    const value *some = as_truth(c, outer), *none = make_const(c, 0, type_tuple(T_NEVER));
    const value *empty = make_const(c, 0, type_set(T_NEVER));
    return some && none && empty ? make_choice(c, some->step, none, empty) : NULL;
}

const value *rule_merge(compiler *c, int op, const value *const *arg) {
    int is_record = arg[0]->kind == V_DATA && type_head(arg[0]->type) == T_RECORD;
    const value *merged = c->safe && c->triples && is_record ? merge_fields(c, arg[0]) : NULL;
    if (merged || c->failed) return merged;
    const value *outer = container_argument(c, op, arg, 0);
    if (!outer) return NULL;
    type_code inner = type_element(outer->type);
    if (inner == T_IJ || (inner == T_CELL && c->triples))
        outer = convert_to(c, outer, type_container(type_head(outer->type), TYPE_INT_TUPLE));
    if (inner == T_GRID) outer = convert_to(c, outer, type_container(type_head(outer->type), TYPE_ROWS));
    if (inner == T_NEVER) return outer;
    if (!outer) return NULL;
    inner = type_element(outer->type);
    if (!type_is_container(inner)) return nothing_merged(c, outer);
    type_code element = type_element(inner);
    if (type_head(outer->type) == T_TUPLE) return data1(c, KERNEL_merge_tuple, 0, type_tuple(element), outer);
    return data1(c, KERNEL_merge_set, type_to_sort(c, element), type_set(element), outer);
}

/* Of anything else that has an order, in the lanes that have some; 0 in the others. */
static const value *extreme_of(compiler *c, int op, const value *a) {
    unsigned kernel = op == OP_maximum ? KERNEL_argmax : KERNEL_argmin;
    type_code e = type_element(a->type);
    if (!type_has_order(e))
        return reject(c, "%s: what mixes locations and cells, or has sets in it, is not supported", op_rows[op].name);
    if (item_of_tuple(c, a, 0)) return data2(c, kernel, e, e, a, a);
    uint32_t saved, some_scope, none_scope, some = emit_kernel1(c, KERNEL_truth_list, 0, a->step);
    when_begin(c, some, 1, &saved);
    some_scope = c->scope;
    const value *best = data2(c, kernel, e, e, a, a);
    when_end(c, saved);
    when_begin(c, some, 0, &saved);
    none_scope = c->scope;
    const value *zero = make_const(c, 0, T_INT);
    when_end(c, saved);
    return best && zero ? when_join(c, some, best, some_scope, zero, none_scope) : NULL;
}

const value *rule_extreme(compiler *c, int op, const value *const *arg) {
    const value *a = container_argument(c, op, arg, 0);
    if (!a) return NULL;
    if (!type_join(type_element(a->type), T_INT)) return extreme_of(c, op, a);
    return data1(c, op == OP_maximum ? KERNEL_maximum : KERNEL_minimum, 0, T_INT, a);
}

const value *rule_initset(compiler *c, int op, const value *const *arg) {
    (void)op;
    return make_tuple(c, 1, 1, arg);
}

/* A container of functions as a tuple. */
static const value *functions_as_tuple(compiler *c, int op, const value *v) {
    const value *part[MAX_STATIC];
    if (v->kind == V_TUPLE) return make_tuple(c, 0, v->count, v->part);
    if (v->kind == V_EACH) return make_each(c, 0, v->scope, v->part[0]);
    if (!static_fits(c, v->count)) return NULL;
    for (int i = 0; i < v->count; i++)
        if (!(part[i] = rule_totuple(c, op, &v->part[i]))) return NULL;
    return make_union(c, 0, v->count, part);
}

const value *rule_totuple(compiler *c, int op, const value *const *arg) {
    if (!is_countable(c, arg[0])) return NULL;
    if (arg[0]->kind >= V_TUPLE) return functions_as_tuple(c, op, arg[0]);
    const value *a = container_argument(c, op, arg, 0);
    return a ? make_data(c, a->step, type_tuple(type_element(a->type))) : NULL;
}

const value *rule_astuple(compiler *c, int op, const value *const *arg) {
    (void)op;
    return make_tuple(c, 0, 2, arg);
}

const value *rule_sizefilter(compiler *c, int op, const value *const *arg) {
    const value *a = container_argument(c, op, arg, 0), *n = a ? as_signature(c, arg[1], SIG_INT) : NULL;
    if (!a) return NULL;
    if (!n) n = make_const(c, -1, T_INT); /* what is no int is the size of nothing */
    type_code element = type_element(a->type);
    if (element == T_IJ) {
        a = convert_to(c, a, type_container(type_head(a->type), TYPE_INT_TUPLE));
        element = TYPE_INT_TUPLE;
    }
    if (!a || (element != T_GRID && element != T_NEVER && !type_is_container(element)))
        return reject_argument(c, op, 0, arg[0], "a container of containers");
    unsigned kernel = element == T_GRID ? KERNEL_sizefilter_grid : KERNEL_sizefilter_list;
    if (op == OP_sizefilter_tuple) return data2(c, kernel, 0, type_tuple(element), a, n);
    return as_set(c, data2(c, kernel, 0, a->type, a, n));
}

/* The height of a tuple that is no grid is its length. */
const value *rule_height(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0];
    type_code t = v->kind == V_DATA ? v->type : T_NEVER;
    if (!type_is_rows(t) && type_head(t) != T_SET) return rule_size(c, op, arg);
    v = as_signature(c, v, SIG_PIECE);
    if (!v) return reject_argument(c, op, 0, arg[0], signature_description(op_rows[op].argument[0]));
    return data1(c, op_rows[op].kernel[v->type != T_GRID], 0, T_INT, v);
}

/* Whether the first element, if there is one, is no tuple for certain: then it has no colour. */
static int has_no_cells(const value *v) {
    type_code e = v->kind == V_DATA && type_is_container(v->type) ? type_element(v->type) : 0;
    return v->kind == V_DATA &&
           (v->type == T_IJ || v->type == T_CELL || e == T_INT || e == T_BOOL || type_head(e) == T_SET);
}

/* In tokpidjin, the third int of the first row; none if there is no row. Locations have no third. */
static const value *color_of_rows(compiler *c, const value *rows) {
    uint32_t saved, some_scope, none_scope, some = emit_kernel1(c, KERNEL_truth_list, 0, rows->step);
    const value *third = make_const(c, 2, T_INT);
    when_begin(c, some, 1, &saved);
    some_scope = c->scope;
    const value *row = type_element(rows->type) == T_IJ ? NULL : call_op(c, OP_first, 1, &rows);
    const value *colour = row ? data2(c, KERNEL_nth, 0, T_INT, row, third) : make_const(c, 0, T_INT);
    when_end(c, saved);
    when_begin(c, some, 0, &saved);
    none_scope = c->scope;
    const value *none = make_const(c, NONE, T_INT);
    when_end(c, saved);
    return colour && none ? when_join(c, some, colour, some_scope, none, none_scope) : NULL;
}

/* The colour of a tuple of cells is that of its first, in the tuple's own order. */
const value *rule_color(compiler *c, int op, const value *const *arg) {
    const value *v = arg[0];
    if (v->kind == V_DATA && v->type == type_tuple(T_CELL) && c->triples) return data1(c, KERNEL_color, 0, T_INT, v);
    if (c->triples && has_no_cells(v)) return safe_lowest(c);
    if (v->kind == V_DATA && v->type == type_tuple(T_CELL))
        return data1(c, KERNEL_cell_first, 0, T_INT, data1(c, KERNEL_first_list, 0, T_CELL, v));
    type_code e = v->kind != V_DATA ? 0 : v->type == T_GRID ? TYPE_INT_TUPLE : type_element(v->type);
    if (c->triples && (e == T_IJ || e == TYPE_INT_TUPLE) && (v->type == T_GRID || type_is_container(v->type)))
        return color_of_rows(c, as_container(c, v));
    if (e && (v->type == T_GRID || type_is_container(v->type)) &&
        (e == T_IJ || e == T_GRID || type_head(e) == T_TUPLE)) {
        const value *first = call_op(c, OP_first, 1, &v);
        return first ? call_op(c, OP_first, 1, &first) : NULL;
    }
    const value *object = as_signature(c, v, SIG_OBJECT);
    if (!object) return reject_argument(c, op, 0, v, signature_description(SIG_OBJECT));
    return data1(c, KERNEL_color, 0, T_INT, object);
}
