#include "trace_definition.h"

/* ---- what a line needs ---- */

static void mark_names(const expression *e, unsigned char *needed) {
    if (e->kind == E_NAME) needed[e->number] = 1;
    for (int i = 0; i < e->count; i++) mark_names(e->item[i], needed);
}

/* The statements before `line` that `value` needs, and a return of it. */
static const definition *returning(pool *memory, const definition *d, int line, expression *value) {
    definition *made = pool_get(memory, sizeof *made);
    statement *all = pool_get(memory, (size_t)(line + 1) * sizeof *all);
    const statement **before = pool_get(memory, (size_t)(line + 1) * sizeof *before), *s = d->first;
    unsigned char *needed = pool_get(memory, (size_t)d->variables + 1);
    int count = 0;
    if (!made || !all || !before || !needed || !value) return NULL;
    for (int i = 0; i < line; i++, s = s->next) before[i] = s;
    mark_names(value, needed);
    for (int i = line - 1; i >= 0; i--) { /* a name means what it was given last */
        if (before[i]->target < 0 || !needed[before[i]->target]) {
            before[i] = NULL;
            continue;
        }
        needed[before[i]->target] = 0;
        mark_names(before[i]->value, needed);
    }
    for (int i = 0; i < line; i++)
        if (before[i]) {
            all[count] = (statement){&all[count + 1], before[i]->target, before[i]->value};
            count++;
        }
    all[count] = (statement){NULL, -1, value};
    *made = *d;
    made->first = all;
    made->expressions = d->expressions + 32; /* room for what value is made of besides */
    return made;
}

static const statement *statement_of(const definition *d, int line) {
    const statement *s = d->first;
    while (line-- > 0) s = s->next;
    return s;
}

const definition *trace_line_definition(pool *memory, const definition *d, int line) {
    return returning(memory, d, line, statement_of(d, line)->value);
}

/* ---- mapped functions ---- */

static expression *make_op(pool *memory, int op, uint32_t at) {
    expression *e = pool_get(memory, sizeof *e);
    if (e) *e = (expression){.kind = E_OP, .at = at, .number = op};
    return e;
}

/* A call of the op with up to three arguments. */
static expression *make_call(pool *memory, int op, uint32_t at, expression *a, expression *b, expression *c) {
    expression *e = pool_get(memory, sizeof *e), **item = pool_get(memory, 4 * sizeof *item);
    if (!e || !item || !a || !b) return NULL;
    expression *const all[4] = {make_op(memory, op, at), a, b, c};
    *e = (expression){.kind = E_CALL, .count = (uint16_t)(c ? 4 : 3), .at = at, .item = item};
    for (int i = 0; i < e->count; i++) item[i] = all[i];
    return all[0] ? e : NULL;
}

/* How ops take a function and what it is mapped over; 0: they do not. */
enum mapping_form { MAPS_NOTHING, FUNCTION_FIRST, FUNCTION_LAST, PAIR_BY_PAIR, EACH_WITH_EACH };

static enum mapping_form form_of(const expression *e) {
    if (e->kind != E_CALL || e->item[0]->kind != E_OP) return MAPS_NOTHING;
    int op = callable_op(e->item[0]->number);
    if (e->count != op_rows[op].arity + 1) return MAPS_NOTHING;
    switch (op) {
    case OP_apply:
    case OP_mapply: return FUNCTION_FIRST;
    case OP_sfilter:
    case OP_mfilter:
    case OP_extract:
    case OP_argmax:
    case OP_argmin:
    case OP_valmax:
    case OP_valmin:
    case OP_order: return FUNCTION_LAST;
    case OP_papply:
    case OP_mpapply: return PAIR_BY_PAIR;
    case OP_prapply: return EACH_WITH_EACH;
    default: return MAPS_NOTHING;
    }
}

int trace_mapping_make(pool *memory, const definition *d, int line, trace_mapping *made) {
    const expression *e = statement_of(d, line)->value;
    enum mapping_form form = form_of(e);
    *made = (trace_mapping){0};
    if (form == MAPS_NOTHING) return 1;
    expression *f = e->item[form == FUNCTION_LAST ? 2 : 1], *over = e->item[form == FUNCTION_LAST ? 1 : 2];
    if (form == PAIR_BY_PAIR || form == EACH_WITH_EACH) {
        int pairing = form == PAIR_BY_PAIR ? OP_pair : OP_product;
        over = make_call(memory, pairing, e->at, e->item[2], e->item[3], NULL);
        f = make_call(memory, OP_fork, e->at, f, make_op(memory, OP_first, e->at), make_op(memory, OP_last, e->at));
    }
    expression *both =
        make_call(memory, OP_fork, e->at, make_op(memory, OP_astuple, e->at), make_op(memory, OP_identity, e->at), f);
    made->container = returning(memory, d, line, over);
    made->mapped = returning(memory, d, line, make_call(memory, OP_apply, e->at, f, over, NULL));
    made->pairs = returning(memory, d, line, make_call(memory, OP_apply, e->at, both, over, NULL));
    return made->container && made->mapped && made->pairs;
}
