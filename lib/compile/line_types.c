#include "compile/line_types.h"

#include "base/error.h"
#include "compile/compiler.h"

static compiler start(pool *memory, const definition *d, const arcl_compile_options *options) {
    return (compiler){.memory = memory,
                      .whole = d,
                      .safe = options && options->policy == ARCL_SAFE,
                      .triples = d->dialect == ARCL_TOKPIDJIN};
}

static line_type type_of(const value *v) {
    line_type t = {.form = LINE_FAILS, .callable = -1};
    if (!v || is_dead(v)) return t;
    t.form = v->kind == V_DATA ? LINE_DATA : v->kind == V_FUNCTION ? LINE_FUNCTION : LINE_OTHER;
    if (t.form == LINE_DATA) t.type = v->type;
    if (t.form != LINE_FUNCTION) return t;
    t.arity = function_arity(v);
    if (v->form == F_OP) t.callable = v->op;
    return t;
}

arcl_status line_types(pool *memory, const definition *d, const arcl_compile_options *options, line_type *types,
                       arcl_error *error) {
    compiler c = start(memory, d, options);
    program_graph inputs = {0};
    const value **variable = pool_take(memory, (size_t)(d->variables + 1) * sizeof *variable);
    if (!variable || !emit_start(&c)) return NO_MEMORY(error);
    if (!define_parameters(&c, d, options, variable, &inputs))
        return error_set(error, ARCL_INVALID, "%s",
                         c.fatal ? c.fatal
                                 : "parameters have types by their names, which are I, S and C, or by the options");
    for (const statement *s = d->first; s->target >= 0; s = s->next) {
        const value *v = evaluate(&c, variable, s->value);
        if (c.fatal) return error_set(error, ARCL_INVALID, "%s", c.fatal);
        if (c.failed) { /* what needs it fails too */
            c.failed = c.depth = c.within = 0;
            c.scope = SCOPE_LANES;
            v = dead_value(&c);
        }
        variable[s->target] = v;
        types[s->target - d->parameters] = type_of(v);
    }
    return ARCL_SUCCESS;
}

arcl_status call_type(pool *memory, arcl_dialect dialect, int callable, int count, const line_type *arguments,
                      line_type *result, arcl_error *error) {
    definition d = {.dialect = dialect};
    compiler c = start(memory, &d, NULL);
    const value *arg[8];
    *result = (line_type){.form = LINE_FAILS, .callable = -1};
    if (count < 1 || count > (int)(sizeof arg / sizeof *arg)) return ARCL_SUCCESS;
    if (!emit_start(&c)) return NO_MEMORY(error);
    for (int i = 0; i < count; i++) {
        const line_type *t = &arguments[i];
        graph_step input = {.kind = STEP_INPUT, .scope = SCOPE_LANES, .imm = (uint64_t)i};
        if (t->form == LINE_FAILS) return ARCL_SUCCESS;
        if (t->form == LINE_OTHER || (t->form == LINE_FUNCTION && t->callable < 0)) {
            result->form = LINE_OTHER;
            return ARCL_SUCCESS;
        }
        arg[i] = t->form == LINE_DATA ? make_data(&c, emit(&c, input), t->type) : make_op(&c, t->callable);
        if (!arg[i]) return NO_MEMORY(error);
    }
    const value *v = call(&c, make_op(&c, callable), count, arg);
    *result = type_of(c.failed ? NULL : v);
    return ARCL_SUCCESS;
}
