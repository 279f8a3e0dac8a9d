/* From a definition to steps: evaluates its statements one after the other. */
#include "compile/compiler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cl/word.h"

static const value *evaluate_items(compiler *c, const value **variable, const expression *e, int from,
                                   const value **item) {
    for (int i = from; i < e->count; i++)
        if (!(item[i - from] = evaluate(c, variable, e->item[i]))) return NULL;
    return item[0];
}

typedef struct text_call {
    const value *f;
    int count;
    const value *const *arg;
} text_call;

/* The call on a side on which all in the function that it calls is a function, or is none: then it is () that comes of
 * it. */
static const value *call_on_side(compiler *c, const value *side, const void *arg) {
    const text_call *t = arg;
    (void)side;
    const value *doubtful = choice_to_call(c, t->f);
    if (doubtful) return run_sides(c, doubtful, call_on_side, t);
    uint32_t scope = c->scope;
    safe_call begun = safe_begin(c);
    const value *result = call(c, t->f, t->count, t->arg);
    if (result && !is_dead(result)) {
        c->error = begun.error;
        return result;
    }
    c->scope = scope;
    return safe_finish(c, result, t->f, begun);
}

/* Whether what is chosen may be no function, or one of another number of arguments, for which only a word has a
 * default. */
static int may_be_miscounted(compiler *c, const value *f, int count) {
    if (f->kind == V_CHOICE)
        return may_unfold(c) && (may_be_miscounted(c, f->part[0], count) || may_be_miscounted(c, f->part[1], count));
    if (f->kind != V_FUNCTION) return !is_dead(f);
    return f->form != F_OP && f->form != F_NOTHING && function_arity(f) != count;
}

/* The call on a side on which there is one function to call. */
static const value *call_of_side(compiler *c, const value *side, const void *arg) {
    const text_call *t = arg;
    if (side->kind == V_CHOICE) return run_sides(c, side, call_of_side, t);
    safe_call begun = safe_begin(c);
    return safe_finish(c, call(c, side, t->count, t->arg), side, begun);
}

#define MAX_CALL_ARGUMENTS 8

/* So many that nothing takes them are not even evaluated. */
static const value *call_if_possible(compiler *c, const value *f, int count, const value *const *arg) {
    if (count > 0 && count <= MAX_CALL_ARGUMENTS) return call(c, f, count, arg);
    return reject(c, "a call with %d arguments", count);
}

/* Where a call that fails has a result all the same. */
static const value *call_leniently(compiler *c, const value *f, int count, const value *const *arg) {
    const value *result;
    safe_call begun = safe_begin(c);
    int may_choose = c->safe && c->triples && count > 0 && count <= MAX_CALL_ARGUMENTS;
    if (may_choose && f->kind == V_FUNCTION && choice_to_call(c, f))
        result = call_on_side(c, f, &(text_call){f, count, arg});
    else if (may_choose && f->kind == V_CHOICE && may_be_miscounted(c, f, count))
        result = call_of_side(c, f, &(text_call){f, count, arg});
    else
        result = call_if_possible(c, f, count, arg);
    return safe_finish(c, result, f, begun);
}

/* Most expressions are names and ops, which need nothing of what a call needs. */
__attribute__((noinline)) static const value *evaluate_call(compiler *c, const value **variable, const expression *e) {
    const value *arg[MAX_CALL_ARGUMENTS], *f = evaluate(c, variable, e->item[0]);
    int count = e->count - 1;
    if (!f) return NULL;
    if (count > 0 && count <= MAX_CALL_ARGUMENTS && !evaluate_items(c, variable, e, 1, arg)) return NULL;
    c->at = e->at;
    c->written++;
    int lenient = (c->safe || c->triples) && !c->within; /* a function's calls are a part of the call of it */
    return lenient ? call_leniently(c, f, count, arg) : call_if_possible(c, f, count, arg);
}

__attribute__((noinline)) static const value *evaluate_tuple(compiler *c, const value **variable, const expression *e) {
    const value **item = pool_take(c->memory, (size_t)(e->count + 1u) * sizeof *item);
    if (!item) {
        reject_fatal(c, "out of memory");
        return NULL;
    }
    if (e->count && !evaluate_items(c, variable, e, 0, item)) return NULL;
    c->at = e->at;
    const value *made = NULL;
    for (int i = 0; i < e->count && !made; i++)
        if (is_dead(item[i])) made = item[i];
    if ((!c->safe && !c->triples) || c->within) return made ? made : make_tuple(c, 0, e->count, item);
    for (int i = 0; i < e->count; i++)
        if (!made && !(item[i] = word_item(c, item[i]))) return NULL;
    safe_call begun = safe_begin(c);
    return safe_finish(c, made ? made : make_tuple(c, 0, e->count, item), NULL, begun);
}

/* A number of the text that is a guest's is computed: as a constant it would stand for the guest. */
static const value *make_int(compiler *c, int64_t number) {
    if (!c->safe || !c->triples || !is_guests_number(number)) return make_const(c, number, T_INT);
    int64_t half = number / 2;
    return make_data(c, emit_kernel2(c, KERNEL_add_int, 0, emit_const(c, half), emit_const(c, number - half)), T_INT);
}

const value *evaluate(compiler *c, const value **variable, const expression *e) {
    c->at = e->at;
    if (e->kind == E_OP) return make_op(c, e->number); /* these two are most */
    if (e->kind == E_NAME) return variable[e->number];
    switch (e->kind) {
    case E_INT: return make_int(c, e->number);
    case E_BOOL: return make_const(c, e->number, T_BOOL);
    case E_PAIR: return make_const(c, (int64_t)e->number * (1 << 24) + e->second, T_IJ);
    case E_TUPLE: return evaluate_tuple(c, variable, e);
    case E_DEFINED: return make_defined(c, e->defined);
    case E_UNKNOWN: return safe_nothing(c); /* only the safe policy gets that far */
    default: return evaluate_call(c, variable, e);
    }
}

static type_code parameter_type(char name) {
    switch (name) {
    case 'I':
    case 'C': return T_GRID;
    case 'S': return type_tuple(type_tuple(T_GRID));
    default: return 0;
    }
}

static int is_absent(const arcl_compile_options *options) {
    if (!options || !options->types) return !(options && options->expected_input);
    return options->expected_absent;
}

int define_parameters(compiler *c, const definition *d, const arcl_compile_options *options, const value **variable,
                      program_graph *p) {
    const char *const *types = options ? options->types : NULL;
    c->at = d->at;
    if (types && options->type_count != d->parameters) {
        reject(c, "the definition has %d parameters, %d types are given", d->parameters, options->type_count);
        return 0;
    }
    for (int i = 0; i < d->parameters; i++) {
        type_code t = types ? type_as_cells(type_parse(types[i])) : parameter_type(d->parameter[i]);
        if (d->parameter[i] == 'C' && is_absent(options)) {
            /* what callers give there is nothing, and no input of ours */
            if (!(variable[i] = c->triples ? make_const(c, 0, T_GRID) : make_const(c, NONE, T_INT))) return 0;
            if (types && t) p->parameter[p->parameters++] = t; /* batches have it all the same */
            if (!types || t) continue;
        }
        if (!t) {
            if (types)
                reject(c, "'%s' is no type: int, bool, ij, cell, grid, {T}, [T] and (A,B) are", types[i]);
            else
                reject(c, "parameter %d has no known type: I (the input grid), S (the train pairs) and C (none) have",
                       i + 1);
            return 0;
        }
        graph_step s = {.kind = STEP_INPUT, .scope = SCOPE_LANES, .imm = (uint64_t)p->parameters};
        p->parameter[p->parameters++] = t;
        if (!(variable[i] = make_data(c, emit(c, s), t))) return 0;
    }
    return 1;
}

/* What the definition returns. */
static const value *evaluate_definition(compiler *c, const definition *d, const value **variable) {
    const value *result = NULL;
    uint32_t at = 0;
    for (const statement *s = d->first; s && !c->failed; s = s->next) {
        result = evaluate(c, variable, s->value);
        at = s->value->at;
        if (s->target >= 0) variable[s->target] = result;
    }
    c->at = at;
    return c->failed ? NULL : result;
}

const value *call_defined(compiler *c, const definition *body, int count, const value *const *arg) {
    if (count != body->parameters)
        return reject(c, "this definition takes %d argument%s, %d given", body->parameters,
                      body->parameters == 1 ? "" : "s", count);
    const value **variable = pool_take(c->memory, (size_t)(body->variables + 1) * sizeof *variable);
    if (!variable) return reject_memory(c);
    for (int i = 0; i < count; i++) variable[i] = arg[i];
    uint32_t at = c->at;
    c->within++;
    const value *result = evaluate_definition(c, body, variable);
    c->within--;
    if (!c->failed) c->at = at;
    return result;
}

static const value *as_grid_result(compiler *c, const value *v) {
    char found[128];
    const value *drawn = as_signature(c, v, SIG_GRID);
    if (drawn) return make_data(c, emit_kernel1(c, KERNEL_require_rectangle, 0, drawn->step), T_GRID);
    if (c->safe || c->triples) return make_data(c, dead_value(c)->step, T_GRID);
    return reject(c, "the definition returns %s, a grid is expected", describe(v, found, sizeof found));
}

/* What a result is turned into. */
enum result_form { AS_IT_IS, AS_GRID, AS_MATCH, AS_SCORE };

static enum result_form form_of(const definition *d, const arcl_compile_options *options) {
    int counts = options && options->types && options->counts_only;
    if (counts && d->info.kind == ARCL_BATTERY_DIFFER) return AS_SCORE;
    if (counts && d->info.kind == ARCL_BATTERY_RESULT) return AS_MATCH;
    return options && options->grid_result ? AS_GRID : AS_IT_IS;
}

/* Whether it is equal to the last parameter of the battery, C, whatever that is in its lines. */
static const value *as_match_result(compiler *c, const program_graph *p, const value *v) {
    uint64_t last = (uint64_t)p->parameters - 1;
    if (v->kind != V_DATA || is_dead(v)) return v;
    uint32_t input = emit(c, (graph_step){.kind = STEP_INPUT, .scope = SCOPE_LANES, .imm = last});
    const value *pair[2] = {v, make_data(c, input, p->parameter[last])};
    return pair[1] ? call_op(c, OP_equality, 2, pair) : NULL;
}

/* The same of a tuple that may have guests; it is none if it has less than two items, or a guest in front. */
static const value *int_in_front(compiler *c, const value *v) {
    uint32_t first = emit_kernel1(c, KERNEL_first_list, 0, v->step),
             size = emit_kernel1(c, KERNEL_size_list, 0, v->step);
    const value *number = value_without_guests(c, make_data(c, first, T_INT));
    uint32_t is_long = emit_kernel2(c, KERNEL_greater, 0, size, emit_const(c, 1));
    if (!number) return NULL;
    number = make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, number->step, is_long), T_INT);
    return or_instead(c, STAND_IN_MISSING_INT, number);
}

/* The int that a tuple begins with; none where there is no such thing. How long a tuple of ints is, only its lane
 * knows. */
static const value *as_score_result(compiler *c, const value *v) {
    const value *first = NULL;
    if (v->kind == V_DATA && v->type == TYPE_INT_TUPLE && may_have_guests(c, v)) return int_in_front(c, v);
    if (v->kind == V_TUPLE && v->count > 1) first = v->part[0];
    if (v->kind == V_DATA && v->type == TYPE_INT_TUPLE) return v;
    if (v->kind == V_DATA && !is_dead(v)) {
        unsigned head = type_head(v->type);
        if (head == T_IJ || (head == T_CELL && c->triples) || (head == T_RECORD && type_fields(v->type) > 1))
            first = field_of(c, v, 0);
    }
    if (first && may_be_guest(c, first)) first = or_instead(c, STAND_IN_MISSING_INT, value_without_guests(c, first));
    return first && first->kind == V_DATA && first->type == T_INT ? first : make_const(c, NONE, T_INT);
}

/* A tuple with a choice among its items, as a choice of tuples; any other value as it is. */
static const value *choice_outside(compiler *c, const value *v) {
    for (int i = 0; v->kind == V_TUPLE && i < v->count; i++) {
        const value *choice = v->part[i], *side[2];
        if (choice->kind != V_CHOICE) continue;
        for (int s = 0; s < 2; s++) {
            value *tuple = (value *)make_parts(c, V_TUPLE, v->count, v->part);
            if (!tuple) return NULL;
            tuple->is_set = v->is_set;
            tuple->part[i] = choice->part[s];
            side[s] = tuple;
        }
        return make_choice(c, choice->step, side[0], side[1]);
    }
    return v;
}

/* The side of a condition that a result is on, and the condition above. */
typedef struct result_side {
    const struct result_side *above;
    uint32_t condition;
    int side;
} result_side;

static uint32_t add_result(compiler *c, program_graph *p, const value *v, enum result_form form,
                           const result_side *above);

#define RESULTS_APART 4 /* so many may be of one type, which costs nothing */

static int result_of_type(const program_graph *p, type_code t) {
    for (int i = 0; i < p->results; i++)
        if (p->result_type[i] == t && type_head(t) != T_CELL && type_head(t) != T_RECORD) return i;
    return -1;
}

/* Where a lane is on these sides, the result is that one. */
static uint32_t add_to_result(compiler *c, program_graph *p, int number, const value *v, const result_side *sides) {
    uint32_t here = emit_const(c, 1);
    for (; sides; sides = sides->above) {
        uint32_t is = sides->side ? emit_kernel1(c, KERNEL_flip, 0, sides->condition) : sides->condition;
        here = emit_kernel2(c, KERNEL_both, 0, here, is);
    }
    if (!(v = word_result(c, v))) return 0;
    uint32_t step[3] = {here, v->step, p->result[number]};
    p->result[number] = emit_kernel(c, KERNEL_branch, 0, 3, step);
    return emit_const(c, number);
}

/* Of a condition that is known here one side is left. */
static uint32_t add_sides(compiler *c, program_graph *p, const value *v, enum result_form form,
                          const result_side *above) {
    uint32_t branch[3] = {v->step};
    for (const result_side *s = above; s; s = s->above)
        if (s->condition == v->step) return add_result(c, p, v->part[s->side], form, above);
    for (int side = 0; side < 2; side++)
        branch[side + 1] = add_result(c, p, v->part[side], form, &(result_side){above, v->step, side});
    return emit_kernel(c, KERNEL_branch, 0, 3, branch);
}

/* Notes the result; of a choice, its sides. Returns the column that has, per lane, the number of the lane's own. */
static uint32_t add_result(compiler *c, program_graph *p, const value *v, enum result_form form,
                           const result_side *above) {
    if (c->failed || !(v = choice_outside(c, v))) return 0;
    if (v->kind == V_CHOICE) return add_sides(c, p, v, form, above);
    if (form == AS_SCORE) v = as_score_result(c, v);
    if (form == AS_MATCH) v = as_match_result(c, p, v);
    if (form == AS_IT_IS && v) v = with_guests(c, v);
    if (!v) return 0;
    if ((c->safe || c->triples) && (v->kind != V_DATA || is_dead(v))) v = dead_value(c); /* no lane has a result */
    if (v->kind != V_DATA)
        reject(c, "the definition returns a function");
    else if (c->safe && c->triples && p->results >= RESULTS_APART && result_of_type(p, v->type) >= 0)
        return add_to_result(c, p, result_of_type(p, v->type), v, above);
    else if (p->results == MAX_RESULTS)
        reject(c, "the definition returns values of more than %d different types", MAX_RESULTS);
    else if (form == AS_GRID)
        v = as_grid_result(c, v);
    v = c->failed ? NULL : word_result(c, v);
    if (!v) return 0;
    p->result[p->results] = v->step;
    p->result_type[p->results] = v->type;
    return emit_const(c, p->results++);
}

static arcl_status hand_over(const compiler *c, program_graph *p, arcl_error *error) {
    p->steps = malloc(c->count * sizeof *p->steps);
    p->scopes = malloc(c->scope_count * sizeof *p->scopes);
    if (!p->steps || !p->scopes) return NO_MEMORY(error);
    memcpy(p->steps, c->steps, c->count * sizeof *p->steps);
    memcpy(p->scopes, c->scopes, c->scope_count * sizeof *p->scopes);
    p->count = (int)c->count;
    p->scope_count = (int)c->scope_count;
    p->apart = c->safe ? APART_SAFE : TOGETHER;
    p->triples = (uint64_t)c->triples;
    return ARCL_SUCCESS;
}

arcl_status compile_steps(pool *memory, const arcl_source *source, const definition *d,
                          const arcl_compile_options *options, int notes, program_graph *p, arcl_error *error) {
    compiler c = {.memory = memory,
                  .src = source,
                  .whole = d,
                  .error = error,
                  .notes = notes,
                  .safe = options && options->policy == ARCL_SAFE,
                  .triples = d->dialect == ARCL_TOKPIDJIN};
    const value **variable = pool_take(memory, (size_t)(d->variables + 1) * sizeof *variable);
    if (!variable || !emit_start(&c)) return NO_MEMORY(error);
    if (!define_parameters(&c, d, options, variable, p)) return ARCL_INVALID;
    const value *result = evaluate_definition(&c, d, variable);
    if (result) p->which = add_result(&c, p, result, form_of(d, options), NULL);
    if (result && !c.failed) return hand_over(&c, p, error);
    if (c.fatal) syntax_message(source, c.fatal_at, c.fatal, error); /* whatever has been tried meanwhile */
    return ARCL_INVALID;
}
