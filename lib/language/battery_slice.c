/* Which statements of a battery a program consists of: those that its values are made of. A battery has hundreds of
 * programs, most of them small, so a slice takes time with its own size, not with the battery's. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/parser.h"

int slicer_start(slicer *s, pool *memory, const definition *battery) {
    size_t variables = (size_t)battery->variables + 1;
    *s = (slicer){.memory = memory,
                  .assigning = calloc(variables, sizeof *s->assigning),
                  .taken = calloc(variables, sizeof *s->taken),
                  .needed = calloc(variables, sizeof *s->needed)};
    if (!s->assigning || !s->taken || !s->needed) return 0;
    for (const statement *at = battery->first; at; at = at->next) s->assigning[at->target] = at;
    return 1;
}

void slicer_end(slicer *s) {
    free(s->assigning);
    free(s->taken);
    free(s->needed);
}

static void need(slicer *s, expression *e) {
    s->expressions++;
    if (e->kind == E_UNKNOWN && !s->unknown) s->unknown = e;
    if (e->kind == E_NAME && s->assigning[e->number] && s->taken[e->number] != s->slices) {
        s->taken[e->number] = s->slices;
        s->needed[s->count++] = s->assigning[e->number];
    }
    for (int i = 0; i < e->count; i++) need(s, e->item[i]);
}

/* Statements are assigned once, so the order of their targets is their own. */
static int compare_targets(const void *a, const void *b) {
    const statement *x = *(const statement *const *)a, *y = *(const statement *const *)b;
    return x->target - y->target;
}

static int add_statement(pool *memory, int target, expression *value, statement ***tail) {
    statement *s = pool_get(memory, sizeof *s);
    if (!s) return 0;
    s->target = target;
    s->value = value;
    **tail = s;
    *tail = &s->next;
    return 1;
}

arcl_status slice_statements(slicer *s, expression *values, definition *d, expression **unknown, arcl_error *error) {
    statement **tail = &d->first;
    int done = 1;
    s->slices++;
    s->count = 0;
    s->expressions = 0;
    s->unknown = NULL;
    need(s, values);
    for (int i = 0; i < s->count; i++) need(s, s->needed[i]->value);
    qsort(s->needed, (size_t)s->count, sizeof *s->needed, compare_targets);
    for (int i = 0; done && i < s->count; i++)
        done = add_statement(s->memory, s->needed[i]->target, s->needed[i]->value, &tail);
    if (done) done = add_statement(s->memory, -1, values->item[0], &tail);
    d->expressions = s->expressions;
    *unknown = s->unknown;
    return done ? ARCL_SUCCESS : NO_MEMORY(error);
}
