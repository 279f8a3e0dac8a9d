/* From a definition to a program: evaluates its statements one after the other, then packs up the steps. */
#include "compile/compiler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cl/lane.h"
#include "keep/cache.h"
#include "language/normal.h"
#include "plan/selector.h"
#include "rewrite/charges.h"
#include "run/context.h"

static const value *evaluate(compiler *c, const value **variable, const expression *e);

static const value *evaluate_items(compiler *c, const value **variable, const expression *e, int from,
                                   const value **item) {
    for (int i = from; i < e->count; i++)
        if (!(item[i - from] = evaluate(c, variable, e->item[i]))) return NULL;
    return item[0];
}

static const value *evaluate_call(compiler *c, const value **variable, const expression *e) {
    const value *arg[8] = {NULL}, *f = evaluate(c, variable, e->item[0]), *result = NULL;
    int count = e->count - 1, possible = count > 0 && count <= 8;
    if (!f) return NULL;
    if (possible && !evaluate_items(c, variable, e, 1, arg)) return NULL;
    c->at = e->at;
    safe_call begun;
    if (c->safe) begun = safe_begin(c);
    if (possible)
        result = call(c, f, count, arg);
    else
        reject(c, "a call with %d arguments", count);
    return c->safe ? safe_finish(c, result, f, begun) : result;
}

static const value *evaluate_tuple(compiler *c, const value **variable, const expression *e) {
    const value **item = pool_get(c->memory, (size_t)(e->count + 1u) * sizeof *item);
    if (!item) {
        reject_fatal(c, "out of memory");
        return NULL;
    }
    if (e->count && !evaluate_items(c, variable, e, 0, item)) return NULL;
    c->at = e->at;
    const value *made = NULL;
    for (int i = 0; i < e->count && !made; i++)
        if (is_dead(item[i])) made = item[i];
    if (!c->safe) return made ? made : make_tuple(c, 0, e->count, item);
    safe_call begun = safe_begin(c);
    return safe_finish(c, made ? made : make_tuple(c, 0, e->count, item), NULL, begun);
}

static const value *evaluate(compiler *c, const value **variable, const expression *e) {
    c->at = e->at;
    switch (e->kind) {
    case E_INT: return make_const(c, e->number, T_INT);
    case E_BOOL: return make_const(c, e->number, T_BOOL);
    case E_PAIR: return make_const(c, (int64_t)e->number * (1 << 24) + e->second, T_IJ);
    case E_OP: return make_op(c, e->number);
    case E_NAME: return variable[e->number];
    case E_TUPLE: return evaluate_tuple(c, variable, e);
    case E_UNKNOWN: return safe_nothing(c); /* only the safe policy gets that far */
    default: return evaluate_call(c, variable, e);
    }
}

static type_code parameter_type(char name) {
    switch (name) {
    case 'I': return T_GRID;
    case 'S': return type_tuple(type_tuple(T_GRID));
    default: return 0;
    }
}

static int define_parameters(compiler *c, const definition *d, const arcl_compile_options *options,
                             const value **variable, arcl_program *p) {
    const char *const *types = options ? options->types : NULL;
    c->at = d->at;
    if (types && options->type_count != d->parameters) {
        reject(c, "the definition has %d parameters, %d types are given", d->parameters, options->type_count);
        return 0;
    }
    for (int i = 0; i < d->parameters; i++) {
        type_code t = types ? type_parse(types[i]) : parameter_type(d->parameter[i]);
        if (!types && d->parameter[i] == 'C') { /* what callers give there is nothing, and no input of ours */
            if (!(variable[i] = make_const(c, NONE, T_INT))) return 0;
            continue;
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

static const value *as_grid_result(compiler *c, const value *v) {
    char found[128];
    const value *drawn = as_signature(c, v, SIG_GRID);
    if (drawn) return make_data(c, emit_kernel1(c, KERNEL_require_rectangle, 0, drawn->step), T_GRID);
    if (c->safe) return make_data(c, dead_value(c)->step, T_GRID);
    return reject(c, "the definition returns %s, a grid is expected", describe(v, found, sizeof found));
}

/* Notes the result; of a choice, its sides. Returns the column that has, per lane, the number of the lane's own. */
static uint32_t add_result(compiler *c, arcl_program *p, const value *v, int as_grid) {
    if (c->failed) return 0;
    if (v->kind == V_CHOICE) {
        uint32_t branch[3] = {v->step, add_result(c, p, v->part[0], as_grid), add_result(c, p, v->part[1], as_grid)};
        return emit_kernel(c, KERNEL_branch, 0, 3, branch);
    }
    if (c->safe && (v->kind != V_DATA || is_dead(v))) v = dead_value(c); /* no lane has a result */
    if (v->kind != V_DATA)
        reject(c, "the definition returns a function");
    else if (p->results == MAX_RESULTS)
        reject(c, "the definition returns values of more than %d different types", MAX_RESULTS);
    else if (as_grid)
        v = as_grid_result(c, v);
    if (c->failed) return 0;
    p->result[p->results] = v->step;
    p->result_type[p->results] = v->type;
    return emit_const(c, p->results++);
}

/* Replaces steps by others that do less. Each pass finds what the one before has left. */
static int simplify(pool *memory, arcl_program *p) {
    if (!prune(memory, p) || !leave_unsorted(memory, p) || !unify_steps(memory, p)) return 0;
    if (!fuse(memory, p) || !unify_steps(memory, p) || !prune(memory, p)) return 0;
    halve_symmetric(p);
    if (!hoist(memory, p)) return 0;
    weigh_scopes(p);
    return 1;
}

static arcl_status pack(const compiler *c, arcl_program *p, arcl_error *error) {
    p->steps = malloc(c->count * sizeof *p->steps);
    p->scopes = malloc(c->scope_count * sizeof *p->scopes);
    if (!p->steps || !p->scopes) return NO_MEMORY(error);
    memcpy(p->steps, c->steps, c->count * sizeof *p->steps);
    memcpy(p->scopes, c->scopes, c->scope_count * sizeof *p->scopes);
    p->count = (int)c->count;
    p->scope_count = (int)c->scope_count;
    p->apart = c->safe ? APART_SAFE : TOGETHER;
    if (!simplify(c->memory, p)) return NO_MEMORY(error);
    if (c->safe) PROPAGATE(apart_alone(c->memory, p, error));
    return layout(c->memory, p, error);
}

/* Parameters typed by their names are inputs only where they are used: few programs look at the train pairs. */
static void drop_unused_parameters(arcl_program *p) {
    int number[MAX_PARAMETERS], used[MAX_PARAMETERS] = {0}, kept = 0;
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].kind == STEP_INPUT) used[p->steps[i].imm] = 1;
    for (int i = 0; i < p->parameters; i++) {
        number[i] = kept;
        if (used[i] || p->parameter[i] == T_GRID) p->parameter[kept++] = p->parameter[i];
    }
    p->parameters = kept;
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].kind == STEP_INPUT) p->steps[i].imm = (uint64_t)number[p->steps[i].imm];
}

/* What is compiled is the normal form, so that programs which have the same one are the same: steps, results, failures.
 * Under the safe policy it is what is written: every call that fails counts, and names may stand for nothing. */
static arcl_status compile(compiler *c, const definition *written, const arcl_compile_options *options, arcl_program *p,
                           arcl_error *error) {
    const definition *d = c->safe ? written : normal_form(c->memory, written);
    if (!d) return NO_MEMORY(error);
    const value **variable = pool_get(c->memory, (size_t)(d->variables + 1) * sizeof *variable);
    arcl_error unused;
    if (!error) c->error = &unused;
    if (!variable || !emit_start(c)) return NO_MEMORY(error);
    if (!define_parameters(c, d, options, variable, p)) return ARCL_INVALID;
    const value *result = evaluate_definition(c, d, variable);
    if (result) p->which = add_result(c, p, result, options && options->grid_result);
    if (!result || c->failed) return ARCL_INVALID;
    PROPAGATE(pack(c, p, error));
    if (!options || !options->types) drop_unused_parameters(p);
    return ARCL_SUCCESS;
}

arcl_status compile_definition(arcl_context *context, const arcl_source *source, const definition *d,
                               const arcl_compile_options *options, arcl_program **program, arcl_error *error) {
    arcl_program *p = calloc(1, sizeof *p);
    if (!p) return NO_MEMORY(error);
    p->programs = 1;
    pool *memory = context_pool_take(context);
    compiler c = {.memory = memory, .src = source, .error = error, .safe = options && options->policy == ARCL_SAFE};
    arcl_status status = memory ? compile(&c, d, options, p, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    if (status != ARCL_SUCCESS) {
        arcl_program_free(p);
        return status;
    }
    *program = p;
    return ARCL_SUCCESS;
}

arcl_status arcl_program_compile(arcl_context *context, const arcl_source *source, int index,
                                 const arcl_compile_options *options, arcl_program **program, arcl_error *error) {
    const definition *d = NULL;
    int safe = options && options->policy == ARCL_SAFE;
    *program = NULL;
    arcl_status status = source_definition(source, index, &d, error);
    if (status != ARCL_SUCCESS && !(safe && d && d->unknown_names)) return status;
    if (context->cache && !safe) return cache_compile(context, source, d, options, program, error);
    return compile_definition(context, source, d, options, program, error);
}

typedef struct compile_all {
    arcl_context *context;
    const arcl_source *source;
    const arcl_compile_options *options;
    arcl_program **programs;
    arcl_error *errors;
} compile_all;

static void compile_index(void *arg, uint32_t index) {
    const compile_all *a = arg;
    arcl_status status = arcl_program_compile(a->context, a->source, (int)index, a->options, &a->programs[index],
                                              a->errors ? &a->errors[index] : NULL);
    (void)status; /* programs[index] tells */
}

int arcl_source_compile(arcl_context *context, const arcl_source *source, const arcl_compile_options *options,
                        arcl_program **programs, arcl_error *errors) {
    compile_all a = {context, source, options, programs, errors};
    int rejected = 0;
    arcl_parallel(context, (uint32_t)source->count, compile_index, &a);
    for (int i = 0; i < source->count; i++) rejected += !programs[i];
    return rejected;
}

void arcl_program_free(arcl_program *p) {
    if (!p) return;
    free(p->steps);
    free(p->scopes);
    free(p->out);
    selector_forget(p->plans);
    free(p->identity);
    free(p->output);
    free(p->sets);
    free(p->charges);
    free(p);
}

static void *copy_of(const void *from, size_t bytes, int *failed) {
    void *to = from ? malloc(bytes ? bytes : 1) : NULL;
    *failed |= from && !to;
    if (to && bytes) memcpy(to, from, bytes);
    return to;
}

/* Whatever arcl_program_free frees has to be copied here. */
arcl_program *program_copy(const arcl_program *p) {
    int failed = 0;
    arcl_program *made = copy_of(p, sizeof *p, &failed);
    if (!made) return NULL;
    made->steps = copy_of(p->steps, (size_t)p->count * sizeof *p->steps, &failed);
    made->scopes = copy_of(p->scopes, (size_t)p->scope_count * sizeof *p->scopes, &failed);
    made->out = copy_of(p->out, (size_t)p->outs * sizeof *p->out, &failed);
    made->output = copy_of(p->output, p->output ? (size_t)p->programs * sizeof *p->output : 0, &failed);
    made->sets = copy_of(p->sets, (size_t)p->set_count * sizeof *p->sets, &failed);
    made->charges = copy_of(p->charges, (size_t)p->charge_count * sizeof *p->charges, &failed);
    made->plans = NULL; /* they are made when it runs */
    made->identity = p->identity ? program_identity_copy(p->identity) : NULL;
    failed |= p->identity && !made->identity;
    if (!failed) return made;
    arcl_program_free(made);
    return NULL;
}

int arcl_program_steps(const arcl_program *p) { return p->count; }
int arcl_program_parameters(const arcl_program *p) { return p->parameters; }

char *arcl_program_parameter_type(const arcl_program *p, int index, char *buf, size_t size) {
    return type_text(index >= 0 && index < p->parameters ? p->parameter[index] : T_NEVER, buf, size);
}

char *arcl_program_result_type(const arcl_program *p, char *buf, size_t size) {
    return type_text(p->result_type[0], buf, size);
}
