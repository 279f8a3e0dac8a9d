/* Which statements of a battery a program consists of: those that its values are made of. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/syntax.h"

typedef struct slicer {
    const statement **assigning; /* per variable, the statement that makes it; NULL: a parameter, or found already */
    const statement **needed;    /* statements found */
    int count;
    const expression *unknown; /* a name that stands for nothing */
} slicer;

static void need(slicer *s, const expression *e) {
    if (e->kind == E_UNKNOWN && !s->unknown) s->unknown = e;
    if (e->kind == E_NAME && s->assigning[e->number]) {
        s->needed[s->count++] = s->assigning[e->number];
        s->assigning[e->number] = NULL;
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

arcl_status slice_statements(pool *memory, const definition *battery, const expression *values, statement **first,
                             const expression **unknown, arcl_error *error) {
    size_t variables = (size_t)battery->variables + 1;
    slicer s = {.assigning = calloc(variables, sizeof *s.assigning), .needed = calloc(variables, sizeof *s.needed)};
    statement **tail = first;
    int done = s.assigning && s.needed;
    for (const statement *at = battery->first; done && at; at = at->next) s.assigning[at->target] = at;
    if (done) need(&s, values);
    for (int i = 0; done && i < s.count; i++) need(&s, s.needed[i]->value);
    if (done) qsort(s.needed, (size_t)s.count, sizeof *s.needed, compare_targets);
    for (int i = 0; done && i < s.count; i++)
        done = add_statement(memory, s.needed[i]->target, s.needed[i]->value, &tail);
    if (done) done = add_statement(memory, -1, values->item[0], &tail);
    *unknown = s.unknown;
    free(s.assigning);
    free(s.needed);
    return done ? ARCL_SUCCESS : NO_MEMORY(error);
}
