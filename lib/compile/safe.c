/* The safe policy: what a call in the program's text yields where it fails.
 *
 * A call is evaluated as always, and its steps fail as they do; but the column that comes of it *shelters* whoever
 * reads it: in the lanes where the call has failed it has the default instead, and the failure is counted. A step that
 * two calls have in common keeps its failures for both, because only the last step of a call is a shelter.
 *
 * A call that could not run in any lane, because its arguments are of the wrong types or too many, fails in all of
 * them. Its default is that of the op's declared result; where that leaves the type open, it is *nothing*: a value that
 * no op takes, so that calls with it fail in turn.
 */
#include <string.h>

#include "cl/word.h"
#include "compile/compiler.h"

/* ---- shelters ---- */

/* Kernels that fail only where an argument has. */
static int is_packing(const graph_step *s) {
    if (s->kind != STEP_KERNEL) return 0;
    return kernel_has(s->kernel_id, s->imm == PAIR_RECORD ? PACKS | PAIRS_UP : PACKS);
}

#define PACKED_DEPTH 4 /* how far into what is packed from packed values it is worth looking */

/* Whether the column has no failures that anybody could read. */
static int is_sheltered_to(const compiler *c, uint32_t step, int depth) {
    const graph_step *s = &c->steps[step];
    if (depth && is_packing(s)) {
        int sheltered = 1;
        for (int a = 0; a < s->args; a++) sheltered = sheltered && is_sheltered_to(c, s->arg[a], depth - 1);
        if (sheltered) return 1;
    }
    switch (s->kind) {
    case STEP_CONST:
    case STEP_INPUT:
    case STEP_EACH: /* lanes that have failed have no elements */
    case STEP_ZIP:
    case STEP_CROSS:
    case STEP_SECOND:
    case STEP_LOOP: return 1;
    default: return fails_meaning(s->fails) == FAILS_NOBODY && !(s->fails & FAILS_KEEP_EMPTY);
    }
}

int safe_is_sheltered(const compiler *c, uint32_t step) { return is_sheltered_to(c, step, PACKED_DEPTH); }

static uint32_t emit_shelter(compiler *c, uint32_t step, uint32_t call) {
    graph_step s = {.kind = STEP_KERNEL,
                    .kernel_id = KERNEL_shelter,
                    .scope = c->steps[step].scope,
                    .args = 1,
                    .arg = {step},
                    .imm = call,
                    .fails = FAILS_NOBODY};
    return emit(c, s);
}

/* The column with defaults where it has failed. The step that has just been made becomes the shelter itself; one that
 * others may know as it is gets another step behind it. */
static uint32_t shelter_column(compiler *c, uint32_t step, uint32_t first_new) {
    if (c->failed || safe_is_sheltered(c, step)) return step;
    if (step >= first_new && step + 1 == c->count && c->steps[step].kind != STEP_REPEAT) {
        graph_step s = emit_take_back(c);
        s.fails |= FAILS_NOBODY;
        return emit(c, s);
    }
    return emit_shelter(c, step, 0);
}

static const value *shelter_value(compiler *c, const value *v, uint32_t first_new) {
    if (!v || c->failed) return NULL;
    if (v->kind == V_DATA) {
        if (c->scopes[c->steps[v->step].scope].depth > 1) return v;
        return make_data(c, shelter_column(c, v->step, first_new), v->type);
    }
    if (v->kind != V_CHOICE && v->kind != V_TUPLE) return v; /* calling a function that has failed is what fails */
    const value *part[MAX_STATIC];
    if (!static_fits(c, v->count)) return NULL;
    for (int i = 0; i < v->count; i++)
        if (!(part[i] = shelter_value(c, v->part[i], c->count))) return NULL;
    value *sheltered = (value *)make_parts(c, v->kind, v->count, part);
    if (!sheltered) return NULL;
    sheltered->is_set = v->is_set;
    sheltered->step = v->kind == V_CHOICE ? shelter_column(c, v->step, c->count) : v->step;
    return c->failed ? NULL : sheltered;
}

/* ---- calls that fail in all lanes ---- */

/* The type of a default where the arguments do not tell; 0: nothing. */
type_code safe_declared_type(unsigned code) {
    switch (code) {
    case SIG_INT:
    case SIG_NUM: return T_INT;
    case SIG_BOOL: return T_BOOL;
    case SIG_IJ: return T_IJ;
    case SIG_GRID:
    case SIG_PIECE:
    case SIG_ELEMENT: return T_GRID;
    case SIG_OBJECT: return TYPE_OBJECT;
    case SIG_PATCH:
    case SIG_INDICES: return TYPE_IJ_SET;
    case SIG_OBJECTS: return type_set(TYPE_OBJECT);
    case SIG_OBJECT_TUPLES: return type_tuple(type_tuple(T_CELL));
    case SIG_CELL_TUPLE: return type_tuple(T_CELL);
    case SIG_SAMPLES: return type_tuple(type_tuple(T_GRID));
    case SIG_INTS: return type_set(T_INT);
    case SIG_INT_TUPLE: return TYPE_INT_TUPLE;
    case SIG_GRIDS: return type_tuple(T_GRID);
    case SIG_C_A:
    case SIG_C_B:
    case SIG_SET_A:
    case SIG_SET_D:
    case SIG_SET_C_A:
    case SIG_PAIRS_SET: return type_set(T_NEVER);
    case SIG_TUPLE_A:
    case SIG_TUPLE_B:
    case SIG_TUPLE_D:
    case SIG_PAIRS_TUPLE: return type_tuple(T_NEVER);
    default: return 0;
    }
}

/* What a function yields, by the op that runs last. */
static type_code declared_result(compiler *c, const value *f) {
    if (f->kind == V_CHOICE) {
        type_code yes = may_unfold(c) ? declared_result(c, f->part[0]) : 0;
        return yes && yes == declared_result(c, f->part[1]) ? yes : 0;
    }
    if (f->kind != V_FUNCTION) return 0;
    if (f->form == F_OP) return safe_declared_type(op_rows[f->op].result);
    if (f->form == F_DEFINED) return 0;
    return f->form == F_MATCHER ? T_BOOL : declared_result(c, f->part[0]);
}

/* A default of the type in every lane, after a failure in every lane. Each such call counts. */
static const value *failed_call(compiler *c, type_code t) {
    uint32_t never = dead_value(c)->step, call = 0, made, before;
    if (c->failed) return NULL;
    do {
        before = c->count;
        made = emit_shelter(c, never, call++);
    } while (c->count == before && !c->failed);
    if (t && t != T_NEVER) return make_const(c, 0, t);
    return make_data(c, made, T_NEVER);
}

const value *safe_nothing(compiler *c) {
    if (c->triples) return make_const(c, 0, type_tuple(T_NEVER));
    const value *dead = dead_value(c);
    return dead ? make_data(c, emit_shelter(c, dead->step, 0), T_NEVER) : NULL;
}

/* Whether what has been tried can be forgotten; not where the compiler itself cannot go on. */
static int forget(compiler *c, uint32_t scope) {
    if (c->fatal) return 0;
    c->failed = 0;
    c->depth = 0;
    c->scope = scope;
    return 1;
}

/* In tokpidjin, what comes of calling what is no function, or with a wrong number of arguments. */
static const value *nothing_called(compiler *c) { return c->safe ? safe_nothing(c) : dead_value(c); }

/* In tokpidjin each call has been seen to, but for one of what is a function, or made of such, only in some lanes. */
static const value *nothing_if_failed(compiler *c, const value *v) {
    if (!c->safe || v->kind != V_CHOICE) return is_dead(v) ? nothing_called(c) : word_result(c, v);
    const value *yes = nothing_if_failed(c, v->part[0]), *no = yes ? nothing_if_failed(c, v->part[1]) : NULL;
    return no ? make_choice(c, v->step, yes, no) : NULL;
}

const value *safe_finish(compiler *c, const value *result, const value *f, safe_call begun) {
    c->error = begun.error;
    if (!result && !forget(c, begun.scope)) {
        c->failed = 0;
        return reject(c, "%s", c->fatal);
    }
    if (!result || is_dead(result))
        return c->triples ? nothing_called(c) : failed_call(c, f ? declared_result(c, f) : 0);
    if (c->triples) return f && !is_sound(f) ? nothing_if_failed(c, result) : result;
    return shelter_value(c, result, begun.first_new);
}

safe_call safe_begin(compiler *c) {
    safe_call begun = {c->error, c->scope, c->count};
    c->error = NULL; /* nobody will read it, and where a line is takes a while to find out */
    return begun;
}

/* ---- what a call computes and does not use ---- */

/* A mark for the columns that a search comes by, or 0. */
static uint32_t begin_search(compiler *c, uint32_t step) {
    if (step >= c->reached_room) {
        c->reached_room = c->room;
        c->reached = pool_get(c->memory, c->room * sizeof *c->reached);
        if (!c->reached) {
            reject_fatal(c, "out of memory");
            return 0;
        }
    }
    return c->reached[step] = ++c->searches;
}

/* Whether a column is made from another one. */
static int depends_on(compiler *c, uint32_t step, uint32_t on) {
    if (step <= on) return step == on;
    uint32_t mark = begin_search(c, step);
    if (!mark) return 1;
    for (uint32_t i = step; i > on; i--) {
        if (c->reached[i] != mark) continue;
        for (int a = 0; a < c->steps[i].args; a++) {
            uint32_t from = c->steps[i].arg[a];
            if (from == on) return 1;
            c->reached[from] = mark;
        }
    }
    return 0;
}

const value *safe_lowest(compiler *c) {
    graph_step s = {.kind = STEP_KERNEL, .kernel_id = KERNEL_shelter, .scope = c->scope, .args = 1};
    s.arg[0] = emit_const(c, NONE);
    s.fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(STAND_IN_MISSING_INT) | FAILS_NONE_IS_LOWEST | FAILS_NONE_IS_TRUE;
    return c->safe ? make_data(c, emit(c, s), T_INT) : make_const(c, NONE, T_INT);
}

int safe_has_lowest(compiler *c, uint32_t step) {
    uint32_t mark = c->safe ? begin_search(c, step) : 0;
    for (uint32_t i = step; mark && i > 0; i--) {
        if (c->reached[i] != mark) continue;
        if (c->steps[i].fails & FAILS_NONE_IS_LOWEST) return 1;
        for (int a = 0; a < c->steps[i].args; a++) c->reached[c->steps[i].arg[a]] = mark;
    }
    return 0;
}

static const value *guard_column(compiler *c, const value *v, uint32_t other) {
    if (!v || c->failed) return NULL;
    if (v->kind == V_CHOICE) {
        const value *yes = guard_column(c, v->part[0], other), *no = guard_column(c, v->part[1], other);
        return yes && no ? make_choice(c, v->step, yes, no) : NULL;
    }
    if (v->kind != V_DATA || depends_on(c, v->step, other)) return v;
    return make_data(c, emit_kernel2(c, KERNEL_guard, 0, v->step, other), v->type);
}

/* What is packed fails with what it is packed from, and need not be made to tell. */
static const value *guard_from(compiler *c, const value *v, uint32_t step, int depth) {
    const graph_step s = c->steps[step];
    if (!v || safe_is_sheltered(c, step)) return v;
    if (!depth || !is_packing(&s)) return guard_column(c, v, step);
    for (int a = 0; a < s.args; a++) v = guard_from(c, v, s.arg[a], depth - 1);
    return v;
}

const value *safe_guard(compiler *c, const value *result, const value *from) {
    if (!c->safe || !result || !from || c->failed) return result;
    if (from->kind == V_DATA && !is_dead(result)) return guard_from(c, result, from->step, PACKED_DEPTH);
    if ((from->kind == V_CHOICE || from->kind == V_TUPLE) && may_unfold(c))
        for (int i = 0; i < from->count; i++) result = safe_guard(c, result, from->part[i]);
    return result;
}
