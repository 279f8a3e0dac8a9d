/* Making the compiler's values: columns, constants, functions, choices, tuples; and joining the sides of a choice. What
 * cannot be a value is rejected, with the place in the text that says so. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "cl/word.h"
#include "compile/compiler.h"

/* The place may be in another definition, which is used by the one that is compiled. */
static void add_caller(const compiler *c, char *text, size_t size) {
    const definition *d = c->whole;
    size_t used = strlen(text);
    if (!d->uses_defined || (c->at >= d->at && c->at < d->end)) return;
    snprintf(text + used, size - used, " (in what %.*s uses)", d->name_length > 60 ? 60 : (int)d->name_length, d->name);
}

const value *reject(compiler *c, const char *format, ...) {
    if (c->failed) return NULL;
    c->failed = 1;
    if (!c->error) return NULL; /* nobody will read it */
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_caller(c, text, sizeof text);
    syntax_message(c->src, c->at, text, c->error);
    return NULL;
}

void reject_fatal(compiler *c, const char *text) {
    if (c->failed) return;
    c->fatal = text;
    c->fatal_at = c->at;
    reject(c, "%s", text);
}

const value *reject_memory(compiler *c) {
    reject_fatal(c, "out of memory");
    return NULL;
}

int refuse_unfolding(compiler *c) {
    if (c->failed) return 0;
    reject_fatal(c, "the functions used here unfold to too many calls: a function that uses another one twice doubles "
                    "it, so call that one, give its result a name, and use the name twice");
    return 0;
}

static value *make(compiler *c, int kind) {
    if (!may_unfold(c)) return NULL;
    value *v = pool_take(c->memory, sizeof *v);
    if (v)
        *v = (value){.kind = (uint8_t)kind};
    else
        reject_memory(c);
    return v;
}

const value *make_data(compiler *c, uint32_t step, type_code t) {
    if (c->failed) return NULL;
    if (type_is_too_long(t)) return reject(c, "this value's type is nested too deeply");
    /* A column may be taken for several types; they are stored alike or it is never copied as a whole. */
    type_code *known = &c->steps[step].type;
    if (*known != t) *known = !*known || type_storage(*known) == type_storage(t) ? t : TYPE_VARIOUS;
    value *v = make(c, V_DATA);
    if (v) {
        v->step = step;
        v->type = t;
    }
    return v;
}

const value *make_const(compiler *c, int64_t number, type_code t) { return make_data(c, emit_const(c, number), t); }

const value *make_parts(compiler *c, int kind, int count, const value *const *part) {
    value *v = make(c, kind);
    if (!v) return NULL;
    v->count = (uint16_t)count;
    v->part = pool_take(c->memory, (size_t)(count ? count : 1) * sizeof *v->part);
    if (!v->part) return reject_memory(c);
    if (count) memcpy(v->part, part, (size_t)count * sizeof *v->part);
    return v;
}

const value *make_function(compiler *c, int form, int count, const value *a, const value *b, const value *d) {
    const value *part[3] = {a, b, d};
    value *v = (value *)make_parts(c, V_FUNCTION, count, part);
    if (v) v->form = (uint8_t)form;
    return v;
}

/* Every program has ops as values, and an op is the same value in all of them. */
static const value callables[CALLABLE_COUNT] = {
#define OP(name, ...) {.kind = V_FUNCTION, .form = F_OP, .op = OP_##name},
#include "ops/all_ops.def"
#undef OP
#define WORD(name, ...) {.kind = V_FUNCTION, .form = F_OP, .op = OP_COUNT + WORD_##name},
#include "ops/tokpidjin.def"
#undef WORD
};

const value *make_op(const compiler *c, int callable) { return c->failed ? NULL : &callables[callable]; }

const value *make_defined(compiler *c, const definition *body) {
    value *v = make(c, V_FUNCTION);
    if (!v) return NULL;
    v->form = F_DEFINED;
    v->body = body;
    return v;
}

const value *make_choice(compiler *c, uint32_t condition, const value *yes, const value *no) {
    const value *part[2] = {yes, no};
    value *v = (value *)make_parts(c, V_CHOICE, 2, part);
    if (v) v->step = condition;
    return v;
}

const value *make_each(compiler *c, int is_set, uint32_t scope, const value *item) {
    value *v = (value *)make_parts(c, V_EACH, 1, &item);
    if (!v) return NULL;
    v->is_set = (uint8_t)is_set;
    v->scope = scope;
    v->step = scope_opener(c, scope);
    return v;
}

/* The items of sets that are all known, as those of one set, in which each is once; NULL if there are others, or too
 * many. */
static const value *unite_known_sets(compiler *c, int count, const value *const *part) {
    const value *item[MAX_STATIC];
    int items = 0;
    for (int i = 0; i < count; i++) {
        if (part[i]->kind != V_TUPLE || items + part[i]->count > MAX_STATIC) return NULL;
        for (int n = 0; n < part[i]->count; n++) item[items++] = part[i]->part[n];
    }
    return make_tuple(c, 1, items, item);
}

const value *make_union(compiler *c, int is_set, int count, const value *const *part) {
    const value *known = is_set ? unite_known_sets(c, count, part) : NULL;
    if (known || c->failed) return known;
    value *v = (value *)make_parts(c, V_UNION, count, part);
    if (v) v->is_set = (uint8_t)is_set;
    return v;
}

int static_fits(compiler *c, int count) {
    if (count > MAX_STATIC) reject(c, "a container of more than %d functions is not supported", MAX_STATIC);
    return count <= MAX_STATIC;
}

int is_int(const value *v) { return v->kind == V_DATA && (v->type == T_INT || v->type == T_BOOL); }

int has_fields(const value *v) {
    return v->kind == V_DATA && (v->type == T_IJ || v->type == T_CELL || type_head(v->type) == T_RECORD);
}

int field_count(const compiler *c, const value *v) {
    if (v->type == T_CELL) return c->triples ? 3 : 2;
    return v->type == T_IJ ? 2 : type_fields(v->type);
}

#define MOST_PACKED 15 /* items, as of a record; longer tuples are lists */

/* How many items the column's values are packed from, one by one, by steps known here; 0: it is made otherwise, or has
 * a default where an item has failed, which the item has not. */
static int packed_count(const compiler *c, uint32_t step) {
    int appended = 0;
    const graph_step *s = &c->steps[step];
    if (fails_meaning(s->fails) == FAILS_NOBODY) return 0;
    for (; s->kind == STEP_KERNEL && s->kernel_id == KERNEL_append; s = &c->steps[s->arg[0]])
        if (++appended > MOST_PACKED - 2) return 0;
    if (s->kind != STEP_KERNEL) return 0;
    switch (s->kernel_id) {
    case KERNEL_pack_two: return appended + 2;
    case KERNEL_pack_ij: return appended ? 0 : 2;
    case KERNEL_pack_cell: return appended || c->triples ? 0 : 2;
    case KERNEL_initset: return appended ? 0 : 1;
    default: return 0;
    }
}

static type_code item_type(type_code t, int index) {
    switch (type_head(t)) {
    case T_IJ: return T_INT;
    case T_CELL: return index ? T_IJ : T_INT;
    case T_RECORD: return type_field(t, index);
    case T_SET:
    case T_TUPLE: return type_element(t);
    default: return 0;
    }
}

/* An item of a value that is packed from so many: as it was before. Nothing needs to be packed for that. */
static const value *packed_item(compiler *c, const value *v, int count, int index) {
    const graph_step *s = &c->steps[v->step];
    type_code t = item_type(v->type, index);
    for (; count > 2 && index < count - 1; count--) s = &c->steps[s->arg[0]];
    return t ? make_data(c, s->arg[count > 2 ? 1 : index], t) : NULL;
}

const value *field_of(compiler *c, const value *v, int index) {
    int packed = packed_count(c, v->step);
    const value *item = packed ? packed_item(c, v, packed, index) : NULL;
    if (item || c->failed) return item;
    if (v->type == T_IJ)
        return make_data(c, emit_kernel1(c, index ? KERNEL_ij_last : KERNEL_ij_first, 0, v->step), T_INT);
    if (v->type != T_CELL)
        return make_data(c, emit_kernel1(c, KERNEL_field, (uint64_t)index, v->step), type_field(v->type, index));
    if (c->triples) {
        static const unsigned kernels[3] = {KERNEL_cell_row, KERNEL_cell_column, KERNEL_cell_first};
        return make_data(c, emit_kernel1(c, kernels[index], 0, v->step), T_INT);
    }
    return make_data(c, emit_kernel1(c, index ? KERNEL_cell_last : KERNEL_cell_first, 0, v->step),
                     index ? T_IJ : T_INT);
}

int function_arity(const value *f) {
    switch (f->form) {
    case F_OP: return op_rows[callable_op(f->op)].arity;
    case F_DEFINED: return f->body->parameters;
    case F_LBIND:
    case F_RBIND: {
        const value *inner = f->part[0];
        while (inner->kind == V_CHOICE) inner = inner->part[0];
        int arity = inner->kind == V_FUNCTION ? function_arity(inner) : 2;
        return arity > 1 ? arity - 1 : 3; /* of what is no function of 2 to 4 arguments, there is no right number */
    }
    default: return 1;
    }
}

char *describe(const value *v, char *buf, size_t size) {
    switch (v->kind) {
    case V_DATA: return type_text(v->type, buf, size);
    case V_FUNCTION: snprintf(buf, size, "a function"); break;
    case V_CHOICE: snprintf(buf, size, "a choice of values of different types"); break;
    default: snprintf(buf, size, "a container of functions");
    }
    return buf;
}

int may_be_same(const compiler *c, const value *a, const value *b) {
    int is_made = a->kind == V_FUNCTION && a->form != F_OP && a->form != F_DEFINED;
    return c->triples && is_made ? a == b : same_value(a, b);
}

int same_value(const value *a, const value *b) {
    if (a == b) return 1;
    if (a->kind != b->kind || a->form != b->form || a->op != b->op || a->count != b->count) return 0;
    if (a->kind == V_FUNCTION && a->form == F_DEFINED) return same_key(a->body->key, b->body->key);
    if (a->step != b->step || a->scope != b->scope || a->is_set != b->is_set) return 0;
    for (int i = 0; i < a->count; i++)
        if (!same_value(a->part[i], b->part[i])) return 0;
    return a->kind != V_DATA || a->type == b->type;
}

/* ---- tuples ---- */

static type_code joined_type(int count, const value *const *item) {
    type_code t = item[0]->type;
    for (int i = 1; i < count && t; i++) t = type_join(t, item[i]->type);
    return t;
}

static int is_data_or_choice(compiler *c, const value *v) {
    if (v->kind != V_CHOICE) return v->kind == V_DATA;
    return may_unfold(c) && is_data_or_choice(c, v->part[0]) && is_data_or_choice(c, v->part[1]);
}

typedef struct tuple_call {
    int is_set, count, position;
    const value *const *item;
} tuple_call;

static const value *make_tuple_side(compiler *c, const value *side, const void *arg) {
    const tuple_call *t = arg;
    const value **given = pool_take(c->memory, (size_t)t->count * sizeof *given);
    if (!given) return reject_memory(c);
    memcpy(given, t->item, (size_t)t->count * sizeof *given);
    given[t->position] = side;
    return make_tuple(c, t->is_set, t->count, given);
}

/* A tuple with a choice of data among its items is a choice of tuples; NULL if there is none. */
static const value *tuple_of_choice(compiler *c, int is_set, int count, const value *const *item) {
    int at = -1;
    for (int i = 0; i < count; i++) {
        if (!is_data_or_choice(c, item[i])) return NULL;
        if (item[i]->kind == V_CHOICE && at < 0) at = i;
    }
    return at < 0 ? NULL : run_sides(c, item[at], make_tuple_side, &(tuple_call){is_set, count, at, item});
}

/* Whether nothing was made for it that could have been made twice: ops, and tuples of ops and data. */
static int is_as_it_is(const value *v) {
    if (v->kind == V_FUNCTION) return v->form == F_OP;
    for (int i = 0; v->kind == V_TUPLE && i < v->count; i++)
        if (!is_as_it_is(v->part[i])) return 0;
    return v->kind == V_DATA || v->kind == V_TUPLE;
}

/* Such a thing is one element of a set, however often it is put in. */
static const value *tuple_of_functions(compiler *c, int is_set, int count, const value *const *item) {
    value *v = (value *)make_parts(c, V_TUPLE, count, item);
    if (!v || !is_set) return v;
    v->is_set = 1;
    v->count = 0;
    for (int i = 0, known; i < count; i++) {
        for (known = 0; known < v->count && !(is_as_it_is(item[i]) && same_value(v->part[known], item[i]));) known++;
        if (known == v->count) v->part[v->count++] = item[i];
    }
    return v;
}

const value *make_tuple(compiler *c, int is_set, int count, const value *const *item) {
    if (c->failed) return NULL;
    const value *choice = tuple_of_choice(c, is_set, count, item);
    if (choice || c->failed) return choice;
    if (count == 0) return make_const(c, 0, type_container(is_set ? T_SET : T_TUPLE, T_NEVER));
    for (int i = 0; i < count; i++)
        if (item[i]->kind != V_DATA) return tuple_of_functions(c, is_set, count, item);
    type_code t = joined_type(count, item);
    int has_guest = count == 2 && (may_be_guest(c, item[0]) || may_be_guest(c, item[1])); /* which no ij can have */
    if (count == 2 && !is_set && !has_guest && (t == T_INT || t == T_BOOL))
        return make_data(c, emit_kernel2(c, KERNEL_pack_ij, (uint64_t)c->triples, item[0]->step, item[1]->step), T_IJ);
    if (count == 2 && !is_set && !c->triples && item[0]->type == T_INT && item[1]->type == T_IJ)
        return make_data(c, emit_kernel2(c, KERNEL_pack_cell, 0, item[0]->step, item[1]->step), T_CELL);
    if (is_set && !t) { /* the members need a common type, even by conversion */
        t = item[0]->type;
        for (int i = 1; i < count && t; i++) t = type_unify(t, item[i]->type);
        if (!t) {
            const value *guests = set_of_guests(c, count, item);
            return guests || c->failed ? guests : reject(c, "the members of this set have no common type");
        }
        const value *converted[16];
        if (count > 16) return reject(c, "too many values of different types in one set");
        for (int i = 0; i < count; i++)
            if (!(converted[i] = convert_to(c, item[i], t))) return NULL;
        return make_tuple(c, 1, count, converted);
    }
    type_code whole = t ? type_tuple(t) : 0;
    if (!t) {
        type_code fields[15];
        for (int i = 0; i < count && count <= 15; i++) fields[i] = item[i]->type;
        whole = count <= 15 ? type_record(fields, count) : 0;
        if (!whole) return reject(c, "a tuple of so many values of different types is not supported");
    }
    uint32_t step = count == 1 ? emit_kernel1(c, KERNEL_initset, 0, item[0]->step)
                               : emit_kernel2(c, KERNEL_pack_two, 0, item[0]->step, item[1]->step);
    for (int i = 2; i < count; i++) step = emit_kernel2(c, KERNEL_append, 0, step, item[i]->step);
    if (is_set && count == 1) whole = type_set(t); /* one item is sorted */
    if (!is_set || count == 1) return make_data(c, step, whole);
    return as_set(c, make_data(c, step, whole));
}

const value *make_list(compiler *c, int count, const value *const *item) {
    for (int i = 0; i < count; i++)
        if (item[i]->kind != V_DATA) return make_tuple(c, 0, count, item);
    type_code t = count == 2 ? joined_type(count, item) : 0;
    if (t != T_INT && t != T_BOOL) return make_tuple(c, 0, count, item);
    return make_data(c, emit_kernel2(c, KERNEL_pack_two, 0, item[0]->step, item[1]->step), type_tuple(t));
}

const value *item_of_tuple(compiler *c, const value *tuple, int last) {
    if (tuple->kind == V_TUPLE) return tuple->part[last ? tuple->count - 1 : 0];
    if (tuple->kind != V_DATA || c->failed) return NULL;
    int packed = packed_count(c, tuple->step);
    return packed ? packed_item(c, tuple, packed, last ? packed - 1 : 0) : NULL;
}

/* ---- the two sides of a condition ---- */

uint32_t when_begin(compiler *c, uint32_t condition, int side, uint32_t *saved) {
    *saved = c->scope;
    return emit_open(c, STEP_WHEN, (uint64_t)side, 1, condition, 0);
}

void when_end(compiler *c, uint32_t saved) { c->scope = saved; }

/* Columns of a scope below another one that is left, as lists of that one. */
typedef struct lists_map {
    column_map *map;
    const void *arg;
    uint32_t left, outer; /* that scope, and the one above it */
} lists_map;

static uint32_t along_lists(compiler *c, uint32_t column, uint32_t inner, const void *arg) {
    const lists_map *l = arg;
    uint32_t scope = c->scope;
    c->scope = l->left;
    uint32_t lists = emit_close(c, column, inner, 0);
    c->scope = l->outer;
    lists = emit_localise(c, l->map(c, lists, l->left, l->arg));
    c->scope = scope;
    return emit(c, (graph_step){.kind = STEP_ALONG, .scope = scope, .args = 1, .arg = {lists}});
}

/* A container of functions that was made in a scope that is left, over lists that are not. */
static const value *lift_each(compiler *c, const value *v, uint32_t inner, column_map *map, const void *arg) {
    lists_map l = {map, arg, inner, c->scope};
    c->scope = inner;
    uint32_t lists = emit_localise(c, lists_of(c, v));
    c->scope = l.outer;
    lists = emit_localise(c, map(c, lists, inner, arg));
    if (c->failed) return NULL;
    emit_open(c, STEP_EACH, 0, 1, lists, 0);
    uint32_t scope = c->scope;
    const value *item = lift_value(c, v->part[0], v->scope, along_lists, &l);
    c->scope = l.outer;
    item = lift_value(c, item, inner, map, arg);
    return item ? make_each(c, v->is_set, scope, item) : NULL;
}

const value *lift_value(compiler *c, const value *v, uint32_t inner, column_map *map, const void *arg) {
    if (!v || c->failed) return NULL;
    if (v->kind == V_DATA) {
        if (c->steps[v->step].scope != inner) return v;
        return make_data(c, map(c, v->step, inner, arg), v->type);
    }
    uint32_t step = v->step;
    if (v->kind == V_CHOICE && c->steps[step].scope == inner) step = map(c, step, inner, arg);
    if (v->kind == V_EACH && c->scopes[v->scope].parent == inner)
        return c->safe && c->triples
                   ? lift_each(c, v, inner, map, arg)
                   : reject(c, "a container of functions made inside a mapped function is not supported here");
    const value *part[MAX_STATIC];
    int is_other = step != v->step;
    if (!static_fits(c, v->count)) return NULL;
    for (int i = 0; i < v->count; i++) {
        if (!(part[i] = lift_value(c, v->part[i], inner, map, arg))) return NULL;
        is_other |= part[i] != v->part[i];
    }
    if (!is_other) return v; /* it stays what it is: a function is equal to itself alone */
    value *lifted = (value *)make_parts(c, v->kind, v->count, part);
    if (!lifted) return NULL;
    const value **parts = lifted->part;
    *lifted = *v;
    lifted->step = step;
    lifted->part = parts;
    return lifted;
}

const value *failed_value(compiler *c, int status) {
    graph_step s = {
        .kind = STEP_KERNEL, .kernel_id = KERNEL_always_fail, .scope = c->scope, .args = 1, .imm = (uint64_t)status};
    s.arg[0] = emit_const(c, 0);
    return make_data(c, emit(c, s), T_NEVER);
}

const value *dead_value(compiler *c) { return failed_value(c, LANE_TYPE); }

const value *settle(compiler *c, const value *v) {
    uint32_t saved, yes_scope, no_scope;
    if (!v || v->kind != V_CHOICE) return v;
    const value *yes = settle(c, v->part[0]), *no = settle(c, v->part[1]);
    if (!yes || !no || yes->kind != V_DATA || no->kind != V_DATA) return v;
    when_begin(c, v->step, 1, &saved);
    yes_scope = c->scope;
    if (!type_merge(yes->type, no->type)) yes = dead_value(c);
    when_end(c, saved);
    when_begin(c, v->step, 0, &saved);
    no_scope = c->scope;
    when_end(c, saved);
    return when_join(c, v->step, yes, yes_scope, no, no_scope);
}

static uint32_t spread(compiler *c, uint32_t column, uint32_t inner, const void *arg) {
    (void)inner;
    (void)arg;
    return emit(c, (graph_step){.kind = STEP_SPREAD, .scope = c->scope, .args = 1, .arg = {column}});
}

static uint32_t convert_in(compiler *c, uint32_t scope, const value *v, type_code t) {
    uint32_t saved = c->scope;
    c->scope = scope;
    v = convert_to(c, v, t);
    uint32_t column = v ? emit_localise(c, v->step) : 0;
    c->scope = saved;
    return column;
}

/* What is known of none in a column of ints from either side, as far as they agree; a known number is not none. */
static unsigned none_of_both(const compiler *c, const value *yes, const value *no) {
    unsigned known = FAILS_NONE_IS_TUPLE | FAILS_NONE_IS_LOWEST | FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_TRUE;
    unsigned of_yes = c->steps[yes->step].fails & (known | FAILS_NONE_IS_SET);
    unsigned of_no = c->steps[no->step].fails & (known | FAILS_NONE_IS_SET);
    int64_t number;
    if (step_is_const(c, yes->step, &number) && number != NONE) return of_no;
    if (step_is_const(c, no->step, &number) && number != NONE) return of_yes;
    return of_yes == of_no ? of_yes : 0;
}

const value *when_join(compiler *c, uint32_t condition, const value *yes, uint32_t yes_scope, const value *no,
                       uint32_t no_scope) {
    if (c->failed) return NULL;
    if (yes->kind == V_DATA && no->kind == V_DATA && !is_kept(c, yes) && !is_kept(c, no)) {
        type_code t = type_merge(yes->type, no->type);
        if (t) {
            uint32_t a = convert_in(c, yes_scope, yes, t), b = convert_in(c, no_scope, no, t);
            graph_step s = {.kind = STEP_JOIN, .scope = c->scope, .args = 3, .arg = {condition, a, b}};
            if (t == T_INT && c->safe) s.fails = none_of_both(c, yes, no);
            return make_data(c, emit(c, s), t);
        }
    }
    yes = lift_value(c, yes, yes_scope, spread, NULL);
    no = lift_value(c, no, no_scope, spread, NULL);
    return yes && no ? make_choice(c, condition, yes, no) : NULL;
}
