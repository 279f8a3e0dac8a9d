#include "language/kinds.h"

#define MOST_POWER 8
#define MOST_CALLS 20000 /* that functions may unfold to: f = fork(g, f, f), line after line, doubles with each */

typedef struct finder {
    pool *memory;
    arcl_dialect dialect;
    const definition *form;
    const statement **statement;
    kind *variable;
    kinds_observer observer;
    void *to;
    int calls_left;
} finder;

static const kind unknown = {.form = KIND_UNKNOWN};

static kind data(type_code t) { return (kind){.form = t ? KIND_DATA : KIND_UNKNOWN, .type = t}; }

static kind constant(type_code t, int32_t number) {
    return (kind){.form = KIND_DATA, .type = t, .is_number = 1, .number = number};
}

/* Of two values, one of which it is. */
static kind either_of(kind a, kind b) { return a.type == b.type ? data(a.type) : unknown; }

static int is_function(kind k) { return k.form == KIND_OP || k.form == KIND_MADE; }

/* ---- types ---- */

type_code kinds_pair(arcl_dialect dialect, type_code a, type_code b) {
    int first_is_int = a == T_INT || a == T_BOOL;
    if (!a || !b) return 0;
    if (first_is_int && (b == T_INT || b == T_BOOL)) return T_IJ;
    if (first_is_int && b == T_IJ && dialect == ARCL_ARC_DSL) return T_CELL;
    type_code both[] = {a, b};
    return a == b ? type_tuple(a) : type_record(both, 2);
}

static unsigned kind_of_container(type_code t) {
    return type_is_container(t) ? type_head(t) : t == T_GRID || t == T_IJ ? T_TUPLE : 0;
}

static type_code element_of(type_code t) {
    if (type_is_container(t)) return type_element(t);
    return t == T_GRID ? TYPE_INT_TUPLE : t == T_IJ ? T_INT : 0;
}

static type_code container(unsigned head, type_code element) { return head ? type_container(head, element) : 0; }

/* The element at one of the ends; index 0 or 1. Those of a cell depend on the dialect. */
static type_code end_of(arcl_dialect dialect, type_code t, int is_last) {
    if (t == T_CELL) return dialect == ARCL_ARC_DSL && is_last ? T_IJ : T_INT;
    if (type_head(t) == T_RECORD) return type_field(t, is_last ? type_fields(t) - 1 : 0);
    return element_of(t);
}

static type_code patch_of(type_code t) {
    type_code e = element_of(t);
    return type_is_container(t) && (e == T_IJ || e == T_CELL) ? type_set(e) : 0;
}

static int is_grid(type_code t) { return t == T_GRID || t == TYPE_ROWS; }

static type_code piece_of(type_code t) { return is_grid(t) ? T_GRID : patch_of(t); }

/* ---- calls of ops ---- */

static kind call(finder *f, kind function, int count, const kind *argument);
static kind item_kind(const finder *f, int s, int item);

/* A function, and what it is made of, that goes where its calls cannot be followed. */
static void lose(finder *f, kind function) {
    if (!is_function(function) || f->calls_left-- <= 0) return;
    if (function.form == KIND_OP) f->observer(f->to, function.statement, function.item, -1, NULL);
    if (function.form != KIND_MADE) return;
    for (int i = 1; i < f->statement[function.statement]->value->count; i++)
        lose(f, item_kind(f, function.statement, i));
}

static void lose_all(finder *f, int count, const kind *argument) {
    for (int i = 0; i < count; i++) lose(f, argument[i]);
}

/* What the letters of a signature stand for in one call. */
typedef struct letters {
    type_code a, b, d, k, inner; /* inner: the elements of a container of containers */
    unsigned head;               /* of the container that comes first */
} letters;

static void bind_container(letters *l, type_code t) {
    l->a = element_of(t);
    if (!l->head) l->head = kind_of_container(t);
}

static void bind_value(letters *l, unsigned code, type_code t) {
    switch (code) {
    case SIG_A: l->a = t; break;
    case SIG_B: l->b = t; break;
    case SIG_C_A:
    case SIG_SET_A:
    case SIG_TUPLE_A: bind_container(l, t); break;
    case SIG_C_B:
    case SIG_TUPLE_B: l->b = element_of(t); break;
    case SIG_CC_A:
        bind_container(l, t);
        l->inner = l->a;
        l->a = element_of(l->inner);
        break;
    default: break;
    }
}

static void bind_function(finder *f, letters *l, unsigned code, kind *function_at) {
    kind a[2] = {data(l->a), data(l->b)}, inner = data(l->inner), samples = data(T_GRID), function = *function_at;
    switch (code) {
    case SIG_FN_AB: l->b = call(f, function, 1, a).type; break;
    case SIG_FN_AC: l->b = element_of(call(f, function, 1, l->a ? a : &samples).type); break;
    case SIG_FN_KEY: function_at->type = l->k = call(f, function, 1, a).type; break;
    case SIG_FN_TEST: call(f, function, 1, a); break;
    case SIG_FN_CTEST: call(f, function, 1, &inner); break;
    case SIG_FN_ABD: l->d = call(f, function, 2, a).type; break;
    case SIG_FN_ABC: l->d = element_of(call(f, function, 2, a).type); break;
    default: lose(f, function);
    }
}

static type_code number_type(int count, const kind *argument) {
    int ints = 0;
    for (int i = 0; i < count; i++) {
        if (argument[i].type == T_IJ) return T_IJ;
        ints += argument[i].type == T_INT || argument[i].type == T_BOOL;
    }
    return ints == count ? T_INT : 0;
}

static type_code plain_result(unsigned code) {
    switch (code) {
    case SIG_BOOL: return T_BOOL;
    case SIG_INT: return T_INT;
    case SIG_IJ: return T_IJ;
    case SIG_CELL: return T_CELL;
    case SIG_GRID: return T_GRID;
    case SIG_GRIDS: return type_tuple(T_GRID);
    case SIG_SAMPLES: return type_tuple(type_tuple(T_GRID));
    case SIG_INDICES: return TYPE_IJ_SET;
    case SIG_INTS: return type_set(T_INT);
    case SIG_INT_TUPLE: return TYPE_INT_TUPLE;
    case SIG_CELL_TUPLE: return type_tuple(T_CELL);
    case SIG_OBJECT: return TYPE_OBJECT;
    case SIG_OBJECTS: return type_set(TYPE_OBJECT);
    case SIG_OBJECT_TUPLES: return type_tuple(type_tuple(T_CELL));
    default: return 0;
    }
}

static type_code result_type(const finder *f, const letters *l, unsigned code, int count, const kind *argument) {
    switch (code) {
    case SIG_A: return l->a;
    case SIG_K: return l->k;
    case SIG_C_A: return container(l->head, l->a);
    case SIG_C_B: return container(l->head, l->b);
    case SIG_SET_A: return type_set(l->a);
    case SIG_TUPLE_A: return type_tuple(l->a);
    case SIG_TUPLE_B: return type_tuple(l->b);
    case SIG_SET_D: return type_set(l->d);
    case SIG_TUPLE_D: return type_tuple(l->d);
    case SIG_SET_C_A: return type_set(l->inner);
    case SIG_PAIR_AB: return kinds_pair(f->dialect, l->a, l->b);
    case SIG_PAIRS_SET: return type_set(kinds_pair(f->dialect, l->a, l->b));
    case SIG_PAIRS_TUPLE: return type_tuple(kinds_pair(f->dialect, l->a, l->b));
    case SIG_NUM: return number_type(count, argument);
    case SIG_PATCH: return patch_of(argument[0].type);
    case SIG_PIECE:
    case SIG_ELEMENT: return piece_of(argument[0].type);
    default: return plain_result(code);
    }
}

static kind result_of_op(finder *f, int callable, int count, kind *argument) {
    int op = callable_op(callable);
    op_row row = callable_is_word(callable) ? word_signature(callable_word(callable)) : op_rows[op];
    letters l = {0};
    if (op == OP_identity && count == 1) return argument[0];
    if (count != row.arity || row.family == FAMILY_function) {
        lose_all(f, count, argument);
        return unknown;
    }
    if (op == OP_first || op == OP_last) return data(end_of(f->dialect, argument[0].type, op == OP_last));
    if (op == OP_get_nth || op == OP_second) {
        int is_last = op == OP_second || !argument[1].is_number || argument[1].number != 0;
        return data(type_head(argument[0].type) == T_RECORD ? 0 : end_of(f->dialect, argument[0].type, is_last));
    }
    if (op == OP_branch && !is_function(argument[1]) && !is_function(argument[2]))
        return either_of(argument[1], argument[2]);
    for (int i = 0; i < count; i++)
        if (!is_function(argument[i])) bind_value(&l, row.argument[i], argument[i].type);
    for (int i = 0; i < count; i++)
        if (is_function(argument[i])) bind_function(f, &l, row.argument[i], &argument[i]);
    return data(type_length(l.a) > 10 ? 0 : result_type(f, &l, row.result, count, argument));
}

/* ---- calls of functions ---- */

static kind item_kind(const finder *f, int s, int item) {
    const expression *e = f->statement[s]->value->item[item];
    switch (e->kind) {
    case E_INT: return constant(T_INT, e->number);
    case E_BOOL: return constant(T_BOOL, e->number);
    case E_PAIR: return data(T_IJ);
    case E_OP: return (kind){.form = KIND_OP, .statement = s, .item = item};
    case E_NAME: return f->variable[e->number];
    default: return unknown;
    }
}

/* As often as is said, or until nothing changes any more. */
static kind call_power(finder *f, kind function, kind times, kind value) {
    int n = times.is_number ? times.number : MOST_POWER;
    for (int i = 0; i < n && i < MOST_POWER; i++) {
        kind next = call(f, function, 1, &value);
        if (next.type == value.type) return data(value.type);
        value = data(times.is_number ? next.type : 0);
    }
    return n < MOST_POWER ? value : unknown;
}

/* A call of a function that statement s makes, by compose and its kin. */
static kind call_made(finder *f, int s, int count, const kind *argument) {
    const expression *e = f->statement[s]->value;
    kind part[MAX_CALL + 1], inner[2];
    for (int i = 1; i < e->count; i++) part[i] = item_kind(f, s, i);
    switch (callable_op(e->item[0]->number)) {
    case OP_compose: inner[0] = call(f, part[2], count, argument); return call(f, part[1], 1, inner);
    case OP_chain:
        inner[0] = call(f, part[3], count, argument);
        inner[0] = call(f, part[2], 1, inner);
        return call(f, part[1], 1, inner);
    case OP_fork:
        inner[0] = call(f, part[2], count, argument);
        inner[1] = call(f, part[3], count, argument);
        return call(f, part[1], 2, inner);
    case OP_matcher: call(f, part[1], count, argument); return data(T_BOOL);
    case OP_power: return call_power(f, part[1], part[2], argument[0]);
    case OP_branch: return either_of(call(f, part[2], count, argument), call(f, part[3], count, argument));
    default: break;
    }
    kind all[MAX_CALL];
    int is_left = callable_op(e->item[0]->number) == OP_lbind;
    if (count == MAX_CALL) {
        lose(f, part[1]);
        return unknown;
    }
    for (int i = 0; i < count; i++) all[i + is_left] = argument[i];
    all[is_left ? 0 : count] = part[2];
    return call(f, part[1], count + 1, all);
}

static kind call_op(finder *f, kind function, int count, const kind *argument) {
    kind known[MAX_CALL];
    for (int i = 0; i < count; i++) known[i] = argument[i];
    int callable = f->statement[function.statement]->value->item[function.item]->number;
    kind result = result_of_op(f, callable, count, known);
    f->observer(f->to, function.statement, function.item, count, known);
    return result;
}

static kind call(finder *f, kind function, int count, const kind *argument) {
    if (!is_function(function) || count < 1 || count > MAX_CALL || f->calls_left-- <= 0) {
        lose_all(f, count, argument);
        lose(f, function);
        return unknown;
    }
    return function.form == KIND_OP ? call_op(f, function, count, argument)
                                    : call_made(f, function.statement, count, argument);
}

/* ---- statements ---- */

static int makes_a_function(const finder *f, int s) {
    const expression *e = f->statement[s]->value;
    int op = e->item[0]->kind == E_OP ? callable_op(e->item[0]->number) : -1;
    if (op < 0 || e->count != op_rows[op].arity + 1) return 0;
    return op_rows[op].family == FAMILY_function || (op == OP_branch && is_function(item_kind(f, s, 2)));
}

static kind tuple_kind(finder *f, int s) {
    const expression *e = f->statement[s]->value;
    type_code t[15];
    int is_same = 1;
    for (int i = 0; i < e->count; i++) lose(f, item_kind(f, s, i));
    if (e->count == 2) {
        kind both[] = {item_kind(f, s, 0), item_kind(f, s, 1)};
        f->observer(f->to, s, 2, 2, both);
    }
    if (e->count == 0 || e->count > 15) return unknown;
    for (int i = 0; i < e->count; i++) {
        t[i] = item_kind(f, s, i).type;
        is_same = is_same && t[i] == t[0];
        if (!t[i]) return unknown;
    }
    if (e->count == 2) return data(kinds_pair(f->dialect, t[0], t[1]));
    return data(is_same ? type_tuple(t[0]) : type_record(t, e->count));
}

static kind statement_kind(finder *f, int s) {
    const expression *e = f->statement[s]->value;
    kind argument[MAX_CALL];
    if (e->kind == E_TUPLE) return tuple_kind(f, s);
    if (e->kind != E_CALL) return unknown;
    if (makes_a_function(f, s)) return (kind){.form = KIND_MADE, .statement = s};
    if (e->count > MAX_CALL + 1) {
        for (int i = 0; i < e->count; i++) lose(f, item_kind(f, s, i));
        return unknown;
    }
    for (int i = 1; i < e->count; i++) argument[i - 1] = item_kind(f, s, i);
    return call(f, item_kind(f, s, 0), e->count - 1, argument);
}

static type_code parameter_type(char letter) {
    return letter == 'I' ? T_GRID : letter == 'S' ? type_tuple(type_tuple(T_GRID)) : 0;
}

int kinds_find(pool *memory, const definition *normal, kinds_observer observer, void *to) {
    finder f = {.memory = memory,
                .dialect = normal->dialect,
                .form = normal,
                .observer = observer,
                .to = to,
                .calls_left = MOST_CALLS};
    int count = 0;
    for (const statement *s = normal->first; s; s = s->next) count++;
    f.statement = pool_get(memory, (size_t)(count + 1) * sizeof *f.statement);
    f.variable = pool_get(memory, (size_t)(normal->variables + 1) * sizeof *f.variable);
    if (!f.statement || !f.variable) return 0;
    for (int i = 0; i < normal->parameters; i++) f.variable[i] = data(parameter_type(normal->parameter[i]));
    count = 0;
    for (const statement *s = normal->first; s; s = s->next, count++) {
        f.statement[count] = s;
        if (s->target >= 0) f.variable[s->target] = statement_kind(&f, count);
    }
    return f.calls_left < 0 ? -1 : 1;
}
