/* Common subexpressions, by value numbering: steps that have become equal since they were made, because others took the
 * place of what they read, are made one: a program that makes them twice by itself and once in a battery, where equal
 * steps are shared (merge.c), would not always take the same words.
 */
#include "program/step_table.h"
#include "rewrite/passes.h"

typedef struct unifier {
    program_graph *p;
    step_table table;
    uint32_t *moved, *scope_moved; /* where steps and scopes have gone */
    int kept;
} unifier;

static void unify_step(unifier *u, graph_step *s, uint32_t *at) {
    program_graph *p = u->p;
    uint32_t none = 0, *slot;
    for (int a = 0; a < s->args; a++) s->arg[a] = u->moved[s->arg[a]];
    if (s->parent)
        s->parent = p->scopes[s->scope].parent = u->scope_moved[s->parent];
    else
        s->scope = u->scope_moved[s->scope];
    slot = s->kind == STEP_LOOP ? &none : step_table_find(&u->table, p->steps, s); /* its rounds are its own */
    if (*slot) {
        *at = *slot - 1;
        if (s->parent) u->scope_moved[s->scope] = p->steps[*at].scope;
        return;
    }
    if (s != &p->steps[u->kept]) p->steps[u->kept] = *s;
    *at = (uint32_t)u->kept++;
    *slot = *at + 1;
}

int unify_steps(pool *memory, program_graph *p) {
    unifier u = {.p = p,
                 .moved = pool_take(memory, (size_t)p->count * sizeof *u.moved),
                 .scope_moved = pool_take(memory, (size_t)p->scope_count * sizeof *u.scope_moved)};
    if (!u.moved || !u.scope_moved || !step_table_make(&u.table, memory, (uint32_t)p->count)) return 0;
    for (int i = 0; i < p->scope_count; i++) u.scope_moved[i] = (uint32_t)i;
    for (int i = 0; i < p->count; i++) unify_step(&u, &p->steps[i], &u.moved[i]);
    if (u.kept == p->count) return 1;
    p->count = u.kept;
    renumber_steps(p, u.moved);
    return 1;
}
