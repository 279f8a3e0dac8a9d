/* Calling: functions are taken apart here, ops become steps. */
#include <stdio.h>

#include "compile/compiler.h"

#define MAX_CALL_DEPTH 400

const value *reject_argument(compiler *c, int op, int position, const value *v, const char *expected) {
    char found[128];
    if (c->failed) return NULL;
    return reject(c, "%s: argument %d is %s, %s is expected", op_rows[op].name, position + 1,
                  describe(v, found, sizeof found), expected);
}

/* ---- plain ops: everything is in the op table ---- */

/* Of the others (num, patch, piece, element) it is as the argument is. */
static const type_code result_types[SIG_COUNT] = {
    [SIG_INT] = T_INT,
    [SIG_BOOL] = T_BOOL,
    [SIG_IJ] = T_IJ,
    [SIG_GRID] = T_GRID,
    [SIG_OBJECT] = TYPE_OBJECT,
    [SIG_INDICES] = TYPE_IJ_SET,
    [SIG_OBJECTS] = TYPE_OBJECT << 4 | T_SET,
    [SIG_OBJECT_TUPLES] = (type_code)T_CELL << 8 | T_TUPLE << 4 | T_TUPLE,
    [SIG_INTS] = (type_code)T_INT << 4 | T_SET,
    [SIG_INT_TUPLE] = TYPE_INT_TUPLE,
    [SIG_GRIDS] = (type_code)T_GRID << 4 | T_TUPLE,
};

static int is_open_code(unsigned code) {
    return code == SIG_NUM || code == SIG_PATCH || code == SIG_PIECE || code == SIG_ELEMENT;
}

const value *rule_plain(compiler *c, int op, const value *const *arg) {
    const op_row *row = &op_rows[op];
    const value *taken[4];
    uint32_t step[4];
    type_code chosen = 0;
    uint64_t imm = 0;
    int second = 0;
    for (int i = 0; i < row->arity; i++) {
        unsigned code = row->argument[i];
        taken[i] = as_signature(c, arg[i], code);
        if (!taken[i]) return reject_argument(c, op, i, arg[i], signature_description(code));
        step[i] = taken[i]->step;
        if (code == SIG_CELLS && type_head(taken[i]->type) == T_TUPLE) imm = 1; /* not sorted by colour */
        if (is_open_code(code)) {
            if (!chosen || taken[i]->type == T_IJ) chosen = taken[i]->type;
            if (taken[i]->type == T_IJ || type_is_container(taken[i]->type)) second = 1;
        }
    }
    for (int i = 0; i < row->arity && chosen == T_IJ; i++)
        if (row->argument[i] == SIG_NUM && taken[i]->type == T_INT) step[i] = emit_kernel1(c, KERNEL_splat, 0, step[i]);
    if (c->triples && kernel_has(row->kernel[second], KNOWS_DIALECT)) imm = 1;
    uint32_t made = emit_kernel(c, row->kernel[second], imm, row->arity, step);
    type_code result = result_types[row->result];
    return make_data(c, made, result ? result : chosen);
}

int side_of(const compiler *c, uint32_t condition) {
    for (uint32_t s = c->scope; s > SCOPE_LANES; s = c->scopes[s].parent) {
        const graph_step *opener = &c->steps[scope_opener(c, s)];
        if (opener->kind == STEP_WHEN && opener->arg[0] == condition) return opener->imm ? 0 : 1;
    }
    return -1;
}

/* How many functions that one is made of are looked at. */
#define MOST_LOOKED_AT 400

static int calls_last_part(unsigned form) { return form == F_COMPOSE || form == F_CHAIN || form == F_FORK; }

static int is_sound_within(const value *v, int *left) {
    if (!--*left || (v->kind == V_FUNCTION && (v->form == F_OP || v->form == F_DEFINED || v->form == F_NOTHING)))
        return 1;
    if (v->kind == V_CHOICE) return is_sound_within(v->part[0], left) && is_sound_within(v->part[1], left);
    if (v->kind != V_FUNCTION) return 0;
    int called = calls_last_part(v->form) ? v->count : 1, sound = 1;
    for (int i = 0; i < called && sound; i++) sound = is_sound_within(v->part[i], left);
    return sound;
}

int is_sound(const value *f) {
    int left = MOST_LOOKED_AT;
    return is_sound_within(f, &left);
}

static const value *doubtful_choice(const compiler *c, const value *f, int *left) {
    const value *found = NULL;
    if (!--*left || (f->kind != V_CHOICE && f->kind != V_FUNCTION) || f->form == F_DEFINED) return NULL;
    if (f->kind == V_CHOICE && side_of(c, f->step) < 0 && c->steps[f->step].scope <= SCOPE_LANES) {
        int looked[2] = {*left, *left};
        if (is_sound_within(f->part[0], &looked[0]) != is_sound_within(f->part[1], &looked[1])) return f;
    }
    for (int i = 0; i < f->count && !found && *left > 1; i++) found = doubtful_choice(c, f->part[i], left);
    return found;
}

const value *choice_to_call(const compiler *c, const value *f) {
    int left = MOST_LOOKED_AT;
    return doubtful_choice(c, f, &left);
}

const value *run_sides(compiler *c, const value *choice, run_side *run, const void *arg) {
    int chosen = side_of(c, choice->step);
    if (chosen >= 0) return run(c, choice->part[chosen], arg);
    const value *side[2];
    uint32_t scope[2], saved;
    arcl_error first_error, *error = c->error;
    int depth = c->depth, refused = 0;
    for (int s = 0; s < 2; s++) {
        when_begin(c, choice->step, s == 0, &saved);
        scope[s] = c->scope;
        c->error = refused || !error ? error : &first_error;
        side[s] = run(c, choice->part[s], arg);
        c->error = error;
        if (c->failed && !c->fatal && !refused++) {
            c->failed = 0;
            c->depth = depth;
            side[s] = dead_value(c);
        }
        when_end(c, saved);
    }
    if (c->failed && error) *error = first_error;
    return c->failed ? NULL : when_join(c, choice->step, side[0], scope[0], side[1], scope[1]);
}

typedef struct op_call {
    int op, count, position;
    const value *const *arg;
} op_call;

static const value *run_op_side(compiler *c, const value *side, const void *arg) {
    const op_call *o = arg;
    const value *given[4];
    for (int i = 0; i < o->count; i++) given[i] = i == o->position ? side : o->arg[i];
    return call_op(c, o->op, o->count, given);
}

/* What is a set or, if empty, a tuple is one patch to an op that asks for a patch. */
static const value *without_choice(const op_row *row, int position, const value *v) {
    unsigned code = row->argument[position];
    int is_patch = code == SIG_PATCH || code == SIG_OBJECT || code == SIG_CELLS;
    return v->kind == V_CHOICE && v->one_patch && is_patch ? v->part[0] : v;
}

int takes_choice(int op, int position) {
    const op_row *row = &op_rows[op];
    if (row->family == FAMILY_function || op == OP_branch || op == OP_astuple) return 1;
    unsigned code = row->argument[position];
    return code >= SIG_FN && code <= SIG_FN_TEST;
}

static op_rule *const op_rules[OP_COUNT] = {
#define OP(name, family, parameters, arity, a, b, c, d, result, rule, ...) rule_##rule,
#include "ops/all_ops.def"
#undef OP
};

/* Whether an op may not look at an argument at all, so that it does not matter what is missing there. */
static int may_ignore(int op) {
    return op == OP_branch || op == OP_both || op == OP_either || op == OP_replace || op == OP_switch;
}

/* A call with choices among its arguments, or with some that have failed, or under the safe policy. */
static const value *call_doubtful(compiler *c, int op, int count, const value *const *given) {
    const value *arg[4] = {NULL}, *result = NULL;
    for (int i = 0; i < count; i++)
        arg[i] = op_rules[op] == rule_tupled ? given[i] : without_choice(&op_rows[op], i, given[i]);
    for (int i = 0; i < count && !result; i++)
        if (is_dead(arg[i])) result = arg[i];
    for (int i = 0; i < count && !result && !c->failed; i++)
        if (arg[i]->kind == V_CHOICE && !takes_choice(op, i))
            result = run_sides(c, arg[i], run_op_side, &(op_call){op, count, i, arg});
    if (!result && !c->failed) result = op_rules[op](c, op, arg);
    for (int i = 0; i < count && c->safe; i++)
        if (!is_kept(c, arg[i]) || !may_ignore(op)) result = safe_guard(c, result, arg[i]);
    return result;
}

const value *call_op(compiler *c, int op, int count, const value *const *given) {
    const op_row *row = &op_rows[op];
    if (c->failed) return NULL;
    if (count != row->arity)
        return reject(c, "%s takes %d argument%s, %d given", row->name, row->arity, row->arity == 1 ? "" : "s", count);
    if (++c->depth > MAX_CALL_DEPTH) return reject(c, "functions are nested too deeply");
    int doubtful = c->safe;
    for (int i = 0; i < count; i++) doubtful |= given[i]->kind == V_CHOICE || is_dead(given[i]);
    const value *result = doubtful ? call_doubtful(c, op, count, given) : op_rules[op](c, op, given);
    c->depth--;
    return result;
}

const value *call_one(compiler *c, int op, const value *a) { return a ? call_op(c, op, 1, &a) : NULL; }

const value *call_two(compiler *c, int op, const value *a, const value *b) {
    const value *arg[2] = {a, b};
    return a && b ? call_op(c, op, 2, arg) : NULL;
}

/* ---- functions ---- */

typedef struct function_call {
    int count;
    const value *const *arg;
} function_call;

static const value *run_function_side(compiler *c, const value *side, const void *arg) {
    const function_call *f = arg;
    return call(c, side, f->count, f->arg);
}

/* Results of several types: the function as often as a lane says, up to so many times, and its count so far. */
#define MOST_UNROLLED 4

static const value *call_power_unrolled(compiler *c, const value *f, const value *count, const value *state,
                                        int times) {
    uint32_t saved, done_scope, more_scope;
    if (!state || times == MOST_UNROLLED) return state ? dead_value(c) : NULL;
    uint32_t done = emit_kernel2(c, KERNEL_equality, T_INT, count->step, emit_const(c, times));
    when_begin(c, done, 1, &saved);
    done_scope = c->scope;
    when_end(c, saved);
    when_begin(c, done, 0, &saved);
    more_scope = c->scope;
    const value *more = call_power_unrolled(c, f, count, call1(c, f, state), times + 1);
    when_end(c, saved);
    return more ? when_join(c, done, state, done_scope, more, more_scope) : NULL;
}

/* power with a count that is known only per lane: once for certain, then a loop whose lanes drop out one by one. */
static const value *call_power_loop(compiler *c, const value *f, const value *count, const value *x) {
    uint32_t saved = c->scope;
    uint32_t left = emit_kernel1(c, KERNEL_power_count, 0, count->step);
    const value *state = call1(c, f, x);
    if (!state) return NULL;
    if (state->kind != V_DATA && c->safe && c->triples) return call_power_unrolled(c, f, count, state, 1);
    if (state->kind != V_DATA) return reject(c, "power with a computed count needs a function that yields data");
    uint32_t opener = emit_open(c, STEP_LOOP, 0, 2, emit_localise(c, state->step), left);
    uint32_t inner = c->scope;
    const value *next = convert_to(c, call1(c, f, make_data(c, opener, state->type)), state->type);
    if (!next && !c->failed)
        reject(c, "power with a computed count needs a function whose result has the type of its argument");
    /* A loop that is open ends, though it may be on a side of a choice that comes to nothing. */
    int refused = c->failed && !c->fatal;
    if (refused) c->failed = 0;
    c->scope = inner;
    if (refused) next = dead_value(c);
    uint32_t body = c->failed ? 0 : emit_localise(c, next->step);
    c->scope = saved;
    graph_step s = {.kind = STEP_REPEAT, .scope = saved, .args = 2, .arg = {body, opener}};
    const value *made = make_data(c, emit(c, s), state->type);
    if (refused && c->safe && c->triples && !c->failed) return call_power_unrolled(c, f, count, state, 1);
    c->failed |= refused;
    return refused ? NULL : made;
}

static const value *call_power(compiler *c, const value *f, const value *x) {
    const value *count = f->part[1];
    int64_t n;
    if (count->kind != V_DATA) return reject_argument(c, OP_power, 1, count, "an int");
    if (!step_is_const(c, count->step, &n) || n > 1000) return call_power_loop(c, f->part[0], count, x);
    if (n < 1) return reject(c, "power: the count is %d, 1 or more is expected", (int)n);
    while (n-- && x) x = call1(c, f->part[0], x);
    return x;
}

static const value *call_bound(compiler *c, const value *f, int count, const value *const *arg) {
    const value *all[5];
    if (count > 3) return reject(c, "a bound function takes at most 3 arguments, %d given", count);
    int shift = f->form == F_LBIND;
    for (int i = 0; i < count; i++) all[i + shift] = arg[i];
    all[shift ? 0 : count] = f->part[1];
    return call(c, f->part[0], count + 1, all);
}

static const value *equal_values(compiler *c, const value *a, const value *b) {
    const value *arg[2] = {a, b};
    unsigned fails = a->kind == V_DATA ? c->steps[a->step].fails : 0;
    if (c->safe && (is_kept(c, a) || fails & (FAILS_NONE_IS_SET | FAILS_NONE_IS_TUPLE)))
        return call_word(c, OP_COUNT + WORD_equality, 2, arg); /* which sees what is nothing */
    return call_op(c, OP_equality, 2, arg);
}

const value *call1(compiler *c, const value *f, const value *a) { return a ? call(c, f, 1, &a) : NULL; }

const value *call2(compiler *c, const value *f, const value *a, const value *b) {
    const value *arg[2] = {a, b};
    return a && b ? call(c, f, 2, arg) : NULL;
}

static const value *call_callable(compiler *c, int callable, int count, const value *const *arg) {
    uint32_t caller = c->calling;
    c->calling = (uint32_t)callable + 1;
    const value *result =
        callable_is_word(callable) ? call_word(c, callable, count, arg) : call_op(c, callable, count, arg);
    c->calling = caller;
    return result;
}

/* Whatever is no op by itself. */
__attribute__((noinline)) static const value *call_made(compiler *c, const value *f, int count,
                                                        const value *const *arg) {
    if (f->kind == V_CHOICE) return run_sides(c, f, run_function_side, &(function_call){count, arg});
    if (is_dead(f)) return f;
    const value *sides = f->kind == V_DATA && may_be_guest(c, f) ? guest_or_int(c, f) : NULL;
    if (sides) return run_sides(c, sides, run_function_side, &(function_call){count, arg});
    if (f->kind != V_FUNCTION) {
        char found[128];
        return reject(c, "%s is called like a function", describe(f, found, sizeof found));
    }
    if (f->form == F_NOTHING) return safe_nothing(c);
    if (count != function_arity(f))
        return reject(c, "this function takes %d argument%s, %d given", function_arity(f),
                      function_arity(f) == 1 ? "" : "s", count);
    if (++c->depth > MAX_CALL_DEPTH) return reject(c, "functions are nested too deeply");
    const value *result = NULL;
    switch (f->form) {
    case F_DEFINED: result = call_defined(c, f->body, count, arg); break;
    case F_COMPOSE: result = call1(c, f->part[0], call1(c, f->part[1], arg[0])); break;
    case F_CHAIN: result = call1(c, f->part[0], call1(c, f->part[1], call1(c, f->part[2], arg[0]))); break;
    case F_MATCHER:
        result = call1(c, f->part[0], arg[0]);
        if (result) result = equal_values(c, result, f->part[1]);
        break;
    case F_FORK: {
        const value *a = call1(c, f->part[1], arg[0]), *b = a ? call1(c, f->part[2], arg[0]) : NULL;
        result = call2(c, f->part[0], a, b);
        break;
    }
    case F_POWER: {
        uint32_t caller = c->calling;
        c->calling = OP_power + 1u;
        result = call_power(c, f, arg[0]);
        c->calling = caller;
        break;
    }
    default: result = call_bound(c, f, count, arg); break;
    }
    c->depth--;
    return result;
}

const value *call(compiler *c, const value *f, int count, const value *const *arg) {
    if (!f || !may_unfold(c)) return NULL;
    int is_op = f->kind == V_FUNCTION && f->form == F_OP;
    return is_op ? call_callable(c, f->op, count, arg) : call_made(c, f, count, arg);
}
