/* Ops that take functions: each opens a scope whose lanes are the elements, runs the function's body there once, and
 * closes it. What an op then does with the results is a kernel over the lanes above (cl/segment.cl). */
#include "cl/word.h"
#include "compile/compiler.h"

static const value *data1(compiler *c, unsigned kernel, uint64_t imm, type_code t, uint32_t a) {
    return make_data(c, emit_kernel1(c, kernel, imm, a), t);
}

static const value *data2(compiler *c, unsigned kernel, uint64_t imm, type_code t, uint32_t a, uint32_t b) {
    return make_data(c, emit_kernel2(c, kernel, imm, a, b), t);
}

static const value *check_function(compiler *c, int op, int position, const value *f) {
    return f->kind == V_FUNCTION || f->kind == V_CHOICE ? f : reject_argument(c, op, position, f, "a function");
}

/* f over the elements of a container, in a scope of its own: the results, and the scope. */
typedef struct mapped {
    const value *container; /* V_DATA, or V_EACH */
    const value *element;   /* in the scope */
    const value *result;    /* likewise */
    uint32_t scope;
} mapped;

static unsigned kind_of(const value *container) {
    if (container->kind != V_DATA) return container->is_set ? T_SET : T_TUPLE;
    return type_head(container->type);
}

static int map_each(compiler *c, int op, const value *f, const value *container, int position, int lenient, mapped *m) {
    uint32_t saved = c->scope;
    const value *element = NULL;
    m->container = container->kind == V_EACH ? container : as_container(c, container);
    if (!m->container) return reject_argument(c, op, position, container, "a container") != NULL;
    if (!check_function(c, op, position ? 0 : 1, f)) return 0;
    if (!open_over(c, STEP_EACH, (uint64_t)lenient, 1, &m->container, &element)) return 0;
    m->scope = c->scope;
    m->element = element;
    m->result = call1(c, f, element);
    c->scope = saved;
    return m->result != NULL;
}

/* A function that fails for certain, or yields what cannot be merged, yields nothing to merge: its container is empty,
 * or the lane has failed. */
static const value *collect_nothing(compiler *c, uint32_t scope, unsigned kind) {
    uint32_t saved = c->scope;
    c->scope = scope;
    uint32_t dead = dead_value(c)->step;
    c->scope = saved;
    return make_data(c, emit_close(c, dead, scope, 0), type_container(kind, T_NEVER));
}

static const value *merge_value(compiler *c, const value *v) { return v ? call_op(c, OP_merge, 1, &v) : NULL; }

/* A container that is a constant is empty, whatever its type says. */
static const value *empty_if_known(compiler *c, const value *v) {
    int64_t known;
    if (!c->safe || !c->triples || !v || v->kind != V_DATA || !type_is_container(v->type)) return v;
    return step_is_const(c, v->step, &known) ? make_data(c, v->step, type_container(type_head(v->type), T_NEVER)) : v;
}

/* What is now a container and now none, as one that fails there; NULL: it is none, or may be one of several types. */
static const value *container_or_fail(compiler *c, const value *v) {
    const value *side[2];
    uint32_t scope[2], saved;
    if (v->kind != V_CHOICE || !c->safe || !c->triples) return as_container(c, v);
    for (int i = 0; i < 2; i++) {
        when_begin(c, v->step, i == 0, &saved);
        scope[i] = c->scope;
        side[i] = empty_if_known(c, container_or_fail(c, v->part[i]));
        if (!side[i]) side[i] = dead_value(c);
        when_end(c, saved);
    }
    int is_one = is_dead(side[0]) != is_dead(side[1]) || type_merge(side[0]->type, side[1]->type);
    if (c->failed || !is_one || (is_dead(side[0]) && is_dead(side[1]))) return NULL;
    return when_join(c, v->step, side[0], scope[0], side[1], scope[1]);
}

/* merge(collect(..)), without sorting the outer set first. */
static const value *collect_merged(compiler *c, int op, const value *result, uint32_t scope, unsigned kind) {
    uint32_t saved = c->scope;
    const value *inner = NULL;
    if (result->kind == V_CHOICE && result->one_patch) result = result->part[0]; /* what is merged may be of any kind */
    if (choice_is_above(c, result, scope)) {
        const value *yes = collect_merged(c, op, result->part[0], scope, kind);
        const value *no = yes ? collect_merged(c, op, result->part[1], scope, kind) : NULL;
        return no ? make_choice(c, result->step, yes, no) : NULL;
    }
    if (is_dead(result)) return collect_nothing(c, scope, kind);
    c->scope = scope;
    inner = container_or_fail(c, result);
    c->scope = saved;
    if (!inner) {
        char found[128];
        if (result->kind == V_DATA && c->safe && c->triples) return merge_value(c, collect(c, result, scope, kind));
        if (result->kind == V_DATA) return collect_nothing(c, scope, kind);
        return reject(c, "%s: the function yields %s, a container is expected", op_rows[op].name,
                      describe(result, found, sizeof found));
    }
    uint32_t lists = emit_close(c, inner->step, scope, 0);
    type_code element = type_element(inner->type);
    if (kind == T_TUPLE) return data1(c, KERNEL_merge_tuple, 0, type_tuple(element), lists);
    return data1(c, KERNEL_merge_set, type_to_sort(c, element), type_set(element), lists);
}

/* ---- apply and its kin ---- */

static const value *call_item(compiler *c, const value *item, const void *f) { return call1(c, f, item); }
static const value *item_called(compiler *c, const value *item, const void *arg) { return call1(c, item, arg); }

/* Whether the value has its fields in every lane. */
static int has_all_fields(const compiler *c, const value *v) {
    return has_fields(v) && (v->type != T_IJ || ij_is_whole(c, v));
}

static const value *apply_fields(compiler *c, const value *f, const value *v) {
    const value *item[15];
    int n = field_count(c, v);
    for (int i = 0; i < n; i++)
        if (!(item[i] = empty_if_known(c, call1(c, f, field_of(c, v, i))))) return NULL;
    return make_list(c, n, item);
}

/* A cell cannot be missing: where all elements yield such a one, the container has nothing for each. NULL: that is not
 * so here. */
static const value *cells_or_nothing(compiler *c, const mapped *m, const value *cells) {
    const value *cell = m->result;
    unsigned none = cell->kind == V_DATA && cell->type == T_CELL ? c->steps[cell->step].fails : 0;
    if (!(none & (FAILS_NONE_IS_SET | FAILS_NONE_IS_TUPLE)) || !is_in_text(c)) return NULL;
    uint32_t saved = c->scope;
    c->scope = m->scope;
    const value *there = is_there(c, cell);
    const value *nothing = make_const(c, 0, type_container(none & FAILS_NONE_IS_SET ? T_SET : T_TUPLE, T_NEVER));
    if (nothing) nothing = make_data(c, emit_localise(c, nothing->step), nothing->type);
    c->scope = saved;
    if (!there || !nothing) return NULL;
    const value *all = make_data(c, emit_close(c, there->step, m->scope, 0), type_tuple(T_BOOL));
    const value *some_there = call_two(c, OP_contained, make_const(c, 1, T_BOOL), all);
    const value *none_there = call_two(c, OP_both, as_truth(c, all), call_one(c, OP_flip, some_there));
    const value *empties = collect(c, nothing, m->scope, type_head(cells->type));
    return none_there && empties ? make_choice(c, none_there->step, empties, cells) : NULL;
}

const value *rule_apply(compiler *c, int op, const value *const *arg) {
    const value *v = arg[1];
    mapped m = {0};
    if (!check_function(c, op, 0, arg[0])) return NULL;
    if (v->kind >= V_TUPLE) return map_special(c, v, call_item, arg[0]);
    if (has_all_fields(c, v)) return apply_fields(c, arg[0], v);
    if (!map_each(c, op, arg[0], v, 1, 0, &m)) return NULL;
    const value *results = collect(c, m.result, m.scope, kind_of(m.container));
    const value *choice = c->safe && c->triples && results ? cells_or_nothing(c, &m, results) : NULL;
    return choice || c->failed ? choice : results;
}

const value *rule_mapply(compiler *c, int op, const value *const *arg) {
    mapped m = {0};
    if (arg[1]->kind != V_DATA || has_all_fields(c, arg[1])) return merge_value(c, rule_apply(c, OP_apply, arg));
    if (!map_each(c, op, arg[0], arg[1], 1, 0, &m)) return NULL;
    return collect_merged(c, op, m.result, m.scope, kind_of(m.container));
}

const value *rule_rapply(compiler *c, int op, const value *const *arg) {
    const value *data = arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL;
    if (data) return fail_unless_empty(c, data, type_container(type_head(data->type), T_NEVER));
    if (arg[0]->kind < V_TUPLE) return reject_argument(c, op, 0, arg[0], "a container of functions");
    return map_special(c, arg[0], item_called, arg[1]);
}

/* f over pairs of elements of two containers. */
static int map_pairs(compiler *c, int op, int kind, const value *const *arg, mapped *m) {
    uint32_t saved = c->scope;
    if (!check_function(c, op, 0, arg[0])) return 0;
    const value *pair[2], *element[2];
    for (int i = 0; i < 2; i++) {
        pair[i] = arg[i + 1]->kind == V_EACH ? arg[i + 1] : as_container(c, arg[i + 1]);
        if (!pair[i]) return reject_argument(c, op, i + 1, arg[i + 1], "a container") != NULL;
    }
    if (!open_over(c, kind, 0, 2, pair, element)) return 0;
    m->scope = c->scope;
    m->result = call2(c, arg[0], element[0], element[1]);
    c->scope = saved;
    return m->result != NULL;
}

/* papply over tuples that the compiler knows item by item. */
static const value *papply_static(compiler *c, const value *const *arg) {
    const value *item[MAX_STATIC];
    int n = arg[1]->count < arg[2]->count ? arg[1]->count : arg[2]->count;
    if (!static_fits(c, n)) return NULL;
    for (int i = 0; i < n; i++)
        if (!(item[i] = call2(c, arg[0], arg[1]->part[i], arg[2]->part[i]))) return NULL;
    return make_tuple(c, 0, n, item);
}

/* A record as a tuple of its items. */
static const value *as_items(compiler *c, const value *v) {
    const value *item[MAX_STATIC];
    if (!has_fields(v) || type_head(v->type) != T_RECORD) return v;
    for (int i = 0; i < field_count(c, v); i++)
        if (!(item[i] = field_of(c, v, i))) return NULL;
    return make_parts(c, V_TUPLE, field_count(c, v), item);
}

/* The results of papply as a tuple, to be merged or not. */
static const value *apply_in_step(compiler *c, int op, const value *const *arg, int merged) {
    mapped m = {0};
    const value *given[3] = {arg[0], as_items(c, arg[1]), as_items(c, arg[2])};
    if (!given[1] || !given[2]) return NULL;
    if (given[1]->kind == V_TUPLE && given[2]->kind == V_TUPLE) {
        const value *results = papply_static(c, given);
        return merged ? merge_value(c, results) : results;
    }
    if (!map_pairs(c, op, STEP_ZIP, arg, &m)) return NULL;
    return merged ? collect_merged(c, op, m.result, m.scope, T_TUPLE) : collect(c, m.result, m.scope, T_TUPLE);
}

const value *rule_papply(compiler *c, int op, const value *const *arg) { return apply_in_step(c, op, arg, 0); }

const value *rule_mpapply(compiler *c, int op, const value *const *arg) { return apply_in_step(c, op, arg, 1); }

/* The result is a set, so repeats in the containers only cost time: they are dropped first. */
const value *rule_prapply(compiler *c, int op, const value *const *arg) {
    mapped m = {0};
    const value *given[3] = {arg[0], arg[1], arg[2]};
    for (int i = 1; i < 3; i++) {
        const value *container = as_container(c, arg[i]);
        if (container) given[i] = as_set(c, container);
        if (c->failed) return NULL;
    }
    return map_pairs(c, op, STEP_CROSS, given, &m) ? collect(c, m.result, m.scope, T_SET) : NULL;
}

/* ---- filters ---- */

/* The condition's results as lists of bools. */
static int map_condition(compiler *c, int op, const value *const *arg, int lenient, mapped *m, uint32_t *lists) {
    uint32_t saved = c->scope;
    if (!map_each(c, op, arg[1], arg[0], 0, lenient, m)) return 0;
    c->scope = m->scope;
    const value *truth = as_truth(c, m->result);
    c->scope = saved;
    if (!truth) return reject(c, "%s: the condition does not yield a bool", op_rows[op].name) != NULL;
    *lists = emit_close(c, truth->step, m->scope, (uint64_t)lenient);
    return !c->failed;
}

/* The first item of a static container, from `from` on, for which the condition holds: which one is known only per
 * lane, so this is a chain of choices. An item is tried only in the lanes in which all before it were refused. */
static const value *extract_static(compiler *c, const value *tuple, const value *f, int from) {
    uint32_t saved, yes, no;
    int64_t known;
    if (from == tuple->count) return failed_value(c, LANE_EMPTY);
    const value *result = call1(c, f, tuple->part[from]), *truth = as_truth(c, result);
    if (!result) return NULL;
    if (!truth) return reject(c, "extract: the condition does not yield a bool");
    if (step_is_const(c, truth->step, &known)) return known ? tuple->part[from] : extract_static(c, tuple, f, from + 1);
    when_begin(c, truth->step, 1, &saved);
    yes = c->scope;
    when_end(c, saved);
    when_begin(c, truth->step, 0, &saved);
    no = c->scope;
    const value *rest = extract_static(c, tuple, f, from + 1);
    when_end(c, saved);
    return rest ? when_join(c, truth->step, tuple->part[from], yes, rest, no) : NULL;
}

/* A column that the functions of a container captured, for those that are kept, in a scope over the container of
 * these. */
static uint32_t keep_column(compiler *c, uint32_t column, uint32_t inner, const void *keep) {
    uint32_t scope = c->scope;
    c->scope = c->scopes[inner].parent;
    uint32_t kept = emit_kernel2(c, KERNEL_sfilter, 0, emit_close(c, column, inner, 0), *(const uint32_t *)keep);
    c->scope = scope;
    return emit(c, (graph_step){.kind = STEP_ALONG, .scope = scope, .args = 1, .arg = {kept}});
}

static const value *keep_functions(compiler *c, const mapped *m, uint32_t keep) {
    uint32_t saved = c->scope;
    uint32_t all = emit_close(c, scope_opener(c, m->scope), m->scope, 0);
    emit_open(c, STEP_EACH, 0, 1, emit_kernel2(c, KERNEL_sfilter, 0, all, keep), 0);
    uint32_t scope = c->scope;
    const value *element = lift_value(c, m->element, m->scope, keep_column, &keep);
    c->scope = saved;
    return element ? make_each(c, m->container->is_set, scope, element) : NULL;
}

/* Of several containers taken together, each is filtered. */
static const value *filter_union(compiler *c, int op, const value *const *arg) {
    const value *part[MAX_STATIC];
    if (!static_fits(c, arg[0]->count)) return NULL;
    for (int i = 0; i < arg[0]->count; i++) {
        const value *given[2] = {arg[0]->part[i], arg[1]};
        if (!(part[i] = rule_sfilter(c, op, given))) return NULL;
    }
    return make_union(c, arg[0]->is_set, arg[0]->count, part);
}

const value *rule_sfilter(compiler *c, int op, const value *const *arg) {
    mapped m = {0};
    uint32_t keep = 0;
    if (arg[0]->kind == V_UNION) return filter_union(c, op, arg);
    if (!map_condition(c, op, arg, 0, &m, &keep)) return NULL;
    if (m.container->kind == V_EACH) return keep_functions(c, &m, keep);
    return data2(c, KERNEL_sfilter, 0, m.container->type, m.container->step, keep);
}

const value *rule_mfilter(compiler *c, int op, const value *const *arg) {
    return merge_value(c, rule_sfilter(c, op, arg));
}

static uint32_t extract_column(compiler *c, uint32_t column, uint32_t inner, const void *holds) {
    return emit_kernel2(c, KERNEL_extract, 0, emit_close(c, column, inner, 1), *(const uint32_t *)holds);
}

const value *rule_extract(compiler *c, int op, const value *const *arg) {
    mapped m = {0};
    uint32_t holds = 0;
    if (arg[0]->kind == V_TUPLE) return check_function(c, op, 1, arg[1]) ? extract_static(c, arg[0], arg[1], 0) : NULL;
    if (!map_condition(c, op, arg, 1, &m, &holds)) return NULL;
    if (m.container->kind == V_EACH) {
        extract_column(c, scope_opener(c, m.scope), m.scope, &holds); /* it fails where none holds, captured or not */
        return lift_value(c, m.element, m.scope, extract_column, &holds);
    }
    return data2(c, KERNEL_extract, 0, type_element(m.container->type), m.container->step, holds);
}

/* ---- keys ---- */

static const value *best_by_keys(compiler *c, int op, const value *const *arg, const mapped *m, const value *keys);
static const value *by_keys(compiler *c, int op, const value *const *arg, const mapped *m, const value *keys);

/* Cells of triples compare by row, column, colour, whatever the order of the words; so do those of a tuple. */
static const value *as_sort_key(compiler *c, const value *key) {
    if (!key || !c->triples || key->kind != V_DATA) return key;
    if (key->type == type_tuple(T_CELL)) return convert_to(c, key, type_tuple(TYPE_INT_TUPLE));
    return key->type == T_CELL ? as_container(c, key) : key;
}

/* One element needs no order: whatever its key is, it is the best. */
static const value *best_of_one(compiler *c, int op, const value *const *arg, const mapped *m) {
    const value *one = make_const(c, 1, T_INT),
                *more = call_two(c, OP_greater, call_one(c, OP_size, m->container), one);
    mapped alone = *m;
    if (!more) return NULL;
    uint32_t right = emit_kernel1(c, KERNEL_flip, 0, more->step);
    alone.container =
        make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, m->container->step, right), m->container->type);
    uint32_t saved = c->scope;
    c->scope = m->scope;
    const value *key = make_data(c, emit_localise(c, one->step), T_INT);
    c->scope = saved;
    return alone.container && key ? best_by_keys(c, op, arg, &alone, key) : NULL;
}

static int picks_elements(int op) { return op != OP_valmax && op != OP_valmin && op != OP_get_val_rank; }

/* Tuples that have no order, because of sets in them, compare by what they begin with, if no two begin alike. */
static const value *by_first_items(compiler *c, int op, const value *const *arg, const mapped *m, const value *keys) {
    mapped apart = *m;
    if (keys->kind != V_DATA || type_head(keys->type) != T_TUPLE) return NULL;
    uint32_t saved = c->scope;
    c->scope = m->scope;
    const value *first = call_one(c, OP_first, keys);
    c->scope = saved;
    if (!first) return NULL;
    const value *all = make_data(c, emit_close(c, first->step, m->scope, 0), type_tuple(first->type));
    const value *count = call_one(c, OP_size, as_set(c, all));
    const value *are_apart = call_two(c, OP_equality, count, call_one(c, OP_size, all));
    if (!are_apart) return NULL;
    apart.container = make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, m->container->step, are_apart->step),
                                m->container->type);
    return by_keys(c, op, arg, &apart, first);
}

/* What the op does with the keys. A choice that the lanes above have made is one between two results. */
static const value *by_keys(compiler *c, int op, const value *const *arg, const mapped *m, const value *keys) {
    if (choice_is_above(c, keys, m->scope)) {
        const value *condition = make_data(c, keys->step, T_BOOL);
        const value *yes = by_keys(c, op, arg, m, keys->part[0]),
                    *no = yes ? by_keys(c, op, arg, m, keys->part[1]) : NULL;
        const value *branch[3] = {condition, yes, no};
        return no ? call_op(c, OP_branch, 3, branch) : NULL;
    }
    uint32_t saved = c->scope;
    c->scope = m->scope;
    keys = settle(c, keys);
    if (op != OP_valmax && op != OP_valmin && op != OP_get_val_rank) keys = as_sort_key(c, keys);
    c->scope = saved;
    if (!keys) return NULL;
    int has_order = keys->kind == V_DATA && type_has_order(keys->type);
    if (!has_order && c->safe && c->triples && picks_elements(op)) {
        const value *first = by_first_items(c, op, arg, m, keys);
        return first || c->failed ? first : best_of_one(c, op, arg, m);
    }
    if (keys->kind != V_DATA) {
        char found[128];
        return reject(c, "%s: the keys are %s, ordered values are expected", op_rows[op].name,
                      describe(keys, found, sizeof found));
    }
    return best_by_keys(c, op, arg, m, keys);
}

/* f(0), if f takes an int at all. */
static const value *try_zero(compiler *c, const value *f) {
    arcl_error *error = c->error;
    int depth = c->depth;
    c->error = NULL;
    c->trying++;
    const value *result = call1(c, f, make_const(c, 0, T_INT));
    c->trying--;
    c->error = error;
    c->depth = depth;
    if (!c->failed) return result;
    c->failed = 0;
    return NULL;
}

static int is_never_empty(const compiler *c, uint32_t container) {
    const graph_step *s = &c->steps[container];
    if (c->failed) return 0;
    if (s->kind == STEP_KERNEL && s->kernel_id == KERNEL_setify) s = &c->steps[s->arg[0]];
    return s->kind == STEP_KERNEL && kernel_has(s->kernel_id, NEVER_EMPTY);
}

/* Whether the key of 0 can stand in for a key. In tokpidjin it is mostly a default, and then missing. */
static int is_key(const compiler *c, const value *zero, type_code t) {
    return zero && (!c->triples || (zero->kind == V_DATA && zero->type == t));
}

/* The key of 0, in tokpidjin, where a container is empty for certain, so that no other key is known; else NULL. */
static const value *key_of_none(compiler *c, const value *container, const value *f) {
    if (!c->triples || container->kind != V_DATA || !type_is_container(container->type)) return NULL;
    return type_element(container->type) == T_NEVER ? try_zero(c, f) : NULL;
}

/* valmax and valmin of an empty container are f(0). */
static const value *best_key(compiler *c, int op, const value *f, const mapped *m, uint32_t lists, type_code t,
                             uint64_t order) {
    uint32_t saved, empty_scope, full_scope;
    unsigned kernel = op == OP_valmax ? KERNEL_valmax : KERNEL_valmin;
    if (is_never_empty(c, m->container->step)) return data1(c, kernel, order, t, lists);
    uint32_t empty = emit_kernel1(c, KERNEL_is_empty, 0, m->container->step);
    when_begin(c, empty, 1, &saved);
    empty_scope = c->scope;
    const value *zero = try_zero(c, f);
    when_end(c, saved);
    if (!is_key(c, zero, t) || c->failed) return data1(c, kernel, order, t, lists);
    when_begin(c, empty, 0, &saved);
    full_scope = c->scope;
    const value *best = data1(c, kernel, order, t, lists);
    when_end(c, saved);
    return when_join(c, empty, zero, empty_scope, best, full_scope);
}

/* Whether some of the ints are none and others are not. */
static const value *are_mixed(compiler *c, uint32_t lists) {
    const value *keys = make_data(c, lists, TYPE_INT_TUPLE), *none = make_const(c, NONE, T_INT);
    const value *several = call_two(c, OP_greater, call_one(c, OP_size, as_set(c, keys)), make_const(c, 1, T_INT));
    const value *some_none = call_two(c, OP_contained, none, keys);
    return several && some_none ? call_two(c, OP_both, several, some_none) : NULL;
}

static uint32_t all_none_or_ints(compiler *c, uint32_t lists) {
    const value *is_right = call_one(c, OP_flip, are_mixed(c, lists));
    return is_right ? emit_kernel2(c, KERNEL_demand, LANE_TYPE, lists, is_right->step) : lists;
}

/* What kernels are told of keys: their type. None, which is no int to them, is the lowest where ints are bools. */
static uint64_t key_order(const compiler *c, const value *key) {
    unsigned compares = FAILS_NONE_IS_LOWEST | FAILS_NONE_IS_ALIKE;
    return key->type == T_INT && c->steps[key->step].fails & compares ? T_BOOL : key->type;
}

/* What is in a container, by ascending keys. Sets that are no chain have an order in tokpidjin all the same, that in
 * which Python's way to sort leaves them; downward, it is the same between two reversals. */
static const value *sorted(compiler *c, type_code key, uint64_t order, type_code t, uint32_t container, uint32_t keys) {
    if (type_head(key) != T_SET) return data2(c, KERNEL_order, order, t, container, keys);
    if (!c->triples) return data2(c, KERNEL_order_sets, order, t, container, keys);
    uint32_t from[2] = {emit_kernel1(c, KERNEL_reverse, 0, container), emit_kernel1(c, KERNEL_reverse, 0, keys)};
    return data1(c, KERNEL_reverse, 0, t, emit_kernel2(c, KERNEL_order_down_sets, order, from[0], from[1]));
}

/* What the op picks by lists of keys of a type. */
static const value *pick_by(compiler *c, int op, const value *const *arg, const mapped *m, uint32_t lists, type_code t,
                            uint64_t order) {
    uint32_t container = m->container->step;
    type_code element = type_element(m->container->type);
    switch (op) {
    case OP_get_arg_rank:
        return data2(c, type_head(t) == T_SET ? KERNEL_order_down_sets : KERNEL_order_down, order, type_tuple(element),
                     container, lists);
    case OP_get_val_rank: return sorted(c, t, order, type_tuple(t), lists, lists);
    case OP_order: return sorted(c, t, order, type_tuple(element), container, lists);
    case OP_argmax: return data2(c, KERNEL_argmax, order, element, container, lists);
    case OP_argmin: return data2(c, KERNEL_argmin, order, element, container, lists);
    default: return best_key(c, op, arg[1], m, lists, t, order);
    }
}

/* Keys of which some are nan, which is neither above nor below anything: as sets they are that to Python's way to
 * sort. */
static const value *pick_among_nan(compiler *c, int op, const value *const *arg, const mapped *m, uint32_t lists,
                                   uint64_t order) {
    uint32_t saved, mixed_scope, alike_scope;
    const value *mixed = are_mixed(c, lists);
    if (!mixed) return NULL;
    when_begin(c, mixed->step, 1, &saved);
    mixed_scope = c->scope;
    const value *sets = ints_as_chain(c, make_data(c, lists, TYPE_INT_TUPLE)), *among = NULL;
    if (sets) among = pick_by(c, op, arg, m, sets->step, type_set(T_INT), type_set(T_INT));
    when_end(c, saved);
    when_begin(c, mixed->step, 0, &saved);
    alike_scope = c->scope;
    const value *alike = pick_by(c, op, arg, m, lists, T_INT, order);
    when_end(c, saved);
    return among && alike ? when_join(c, mixed->step, among, mixed_scope, alike, alike_scope) : NULL;
}

static const value *best_by_keys(compiler *c, int op, const value *const *arg, const mapped *m, const value *keys) {
    unsigned nan = FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_TRUE, fails = c->steps[keys->step].fails;
    uint32_t lists = emit_close(c, keys->step, m->scope, 0);
    type_code t = keys->type;
    if (c->failed) return NULL;
    uint64_t order = key_order(c, keys);
    if (t == T_INT && (fails & nan) == nan && c->safe && c->triples && picks_elements(op))
        return pick_among_nan(c, op, arg, m, lists, order);
    if (t == T_INT && fails & FAILS_NONE_IS_ALIKE) lists = all_none_or_ints(c, lists);
    if (!type_has_order(t))
        return reject(c, "%s: keys that mix locations and cells, or have sets in them, are not supported",
                      op_rows[op].name);
    return pick_by(c, op, arg, m, lists, t, order);
}

/* The best of a static container, by choices: an item wins over those before it if its key is really better. */
static const value *best_static(compiler *c, int op, const value *const *arg) {
    const value *best = arg[0]->part[0], *key_of_best = call1(c, arg[1], best);
    for (int i = 1; i < arg[0]->count && key_of_best; i++) {
        const value *key = call1(c, arg[1], arg[0]->part[i]), *compare[2];
        if (!key) return NULL;
        compare[0] = op == OP_argmax ? key : key_of_best;
        compare[1] = op == OP_argmax ? key_of_best : key;
        const value *better = call_op(c, OP_greater, 2, compare);
        if (!better) return NULL;
        const value *choice[3] = {better, arg[0]->part[i], best}, *keys[3] = {better, key, key_of_best};
        best = call_op(c, OP_branch, 3, choice);
        key_of_best = call_op(c, OP_branch, 3, keys);
    }
    return key_of_best ? best : NULL;
}

const value *rule_keys(compiler *c, int op, const value *const *arg) {
    mapped m = {0};
    int picks = op == OP_argmax || op == OP_argmin;
    if (picks && arg[0]->kind == V_TUPLE && arg[0]->count) return best_static(c, op, arg);
    if (c->triples && is_record_of_two(arg[0]) && (picks || op == OP_order)) return record_by_keys(c, op, arg);
    if (picks && arg[0]->kind >= V_EACH) return best_function(c, op, arg[0], arg[1]);
    if (arg[0]->kind >= V_EACH) return reject_argument(c, op, 0, arg[0], "a container of data");
    const value *zero = op == OP_valmax || op == OP_valmin ? key_of_none(c, arg[0], arg[1]) : NULL;
    if (zero || c->failed) return zero;
    if (!map_each(c, op, arg[1], arg[0], 0, 0, &m)) return NULL;
    return by_keys(c, op, arg, &m, m.result);
}

/* ---- ranks ---- */

const value *order_by(compiler *c, int op, const value *const *arg, int f) {
    mapped m = {0};
    const value *given[2] = {arg[0], arg[f]};
    if (arg[0]->kind >= V_TUPLE) return reject_argument(c, op, 0, arg[0], "a container of data");
    if (!map_each(c, op, arg[f], arg[0], 0, 0, &m)) return NULL;
    return by_keys(c, op, given, &m, m.result);
}

const value *rank_is_outside(compiler *c, const value *tuple, const value *rank) {
    const value *size = call_one(c, OP_size, tuple), *from_end = call_two(c, OP_add, size, rank);
    const value *too_low = call_two(c, OP_greater, make_const(c, 0, T_INT), from_end);
    const value *too_high = call_one(c, OP_flip, call_two(c, OP_greater, size, rank));
    return too_low && too_high ? data2(c, KERNEL_either, 0, T_BOOL, too_low->step, too_high->step) : NULL;
}

const value *key_at_rank(compiler *c, int op, const value *const *arg, const value *rank) {
    const value *zero = key_of_none(c, arg[0], arg[1]);
    const value *all = zero || c->failed ? zero : order_by(c, op, arg, 1);
    if (zero || !all || all->kind != V_DATA) return all;
    type_code t = type_element(all->type);
    zero = try_zero(c, arg[1]);
    if (!is_key(c, zero, t)) return c->failed ? NULL : data2(c, KERNEL_nth, 0, t, all->step, rank->step);
    uint32_t saved, outside_scope, inside_scope;
    const value *outside = rank_is_outside(c, all, rank);
    if (!outside) return NULL;
    uint32_t condition = outside->step;
    when_begin(c, condition, 1, &saved);
    outside_scope = c->scope;
    zero = try_zero(c, arg[1]);
    when_end(c, saved);
    when_begin(c, condition, 0, &saved);
    inside_scope = c->scope;
    const value *key = data2(c, KERNEL_nth, 0, t, all->step, rank->step);
    when_end(c, saved);
    return zero && key ? when_join(c, condition, zero, outside_scope, key, inside_scope) : NULL;
}
