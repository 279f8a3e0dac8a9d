#include "rewrite/charges.h"

#include <stdlib.h>

#include "base/error.h"
#include "rewrite/passes.h"

uint32_t step_weight(const graph_step *s) { return s->kind != STEP_KERNEL || !kernel_has(s->kernel_id, FREE); }

void weigh_scopes(program_graph *p) {
    for (int i = 0; i < p->scope_count; i++) p->scopes[i].weight = SCOPE_WORDS;
    for (int i = 0; i < p->count; i++) p->scopes[p->steps[i].scope].weight += step_weight(&p->steps[i]);
}

typedef struct charger {
    program_graph *p;
    uint32_t *first, *next; /* per scope its first step, per step the next one of its scope, + 1 */
    uint32_t *words;        /* per set of programs, for the present scope */
    int room;
} charger;

static int add_charge(charger *c, graph_scope *scope, uint32_t users, uint32_t words) {
    program_graph *p = c->p;
    if (c->words[users]) { /* the scope has that charge already */
        c->words[users] += words;
        return 1;
    }
    if (p->charge_count == c->room) {
        int room = c->room ? 2 * c->room : 16;
        scope_charge *grown = realloc(p->charges, (size_t)room * sizeof *grown);
        if (!grown) return 0;
        p->charges = grown;
        c->room = room;
    }
    p->charges[p->charge_count++] = (scope_charge){.users = users};
    c->words[users] = words;
    scope->charges++;
    return 1;
}

/* Who opens the scope comes first: kernels charge what a scope costs besides its lanes to that one. */
static int charge_scope(charger *c, graph_scope *scope, uint32_t first) {
    program_graph *p = c->p;
    scope->charge = (uint32_t)p->charge_count;
    scope->charges = 0;
    if (!add_charge(c, scope, p->steps[scope->opener].users, SCOPE_WORDS)) return 0;
    for (uint32_t i = first; i; i = c->next[i - 1]) {
        const graph_step *s = &p->steps[i - 1];
        if (step_weight(s) && !add_charge(c, scope, s->users, step_weight(s))) return 0;
    }
    for (uint32_t i = 0; i < scope->charges; i++) {
        scope_charge *charge = &p->charges[scope->charge + i];
        charge->words = c->words[charge->users];
        c->words[charge->users] = 0;
    }
    return 1;
}

arcl_status apart_charges(pool *memory, program_graph *p, arcl_error *error) {
    charger c = {.p = p,
                 .first = pool_get(memory, (size_t)p->scope_count * sizeof *c.first),
                 .next = pool_get(memory, (size_t)p->count * sizeof *c.next),
                 .words = pool_get(memory, (size_t)p->set_count * sizeof *c.words)};
    if (!c.first || !c.next || !c.words) return NO_MEMORY(error);
    for (int i = p->count - 1; i >= 0; i--) {
        uint32_t *first = &c.first[p->steps[i].scope];
        c.next[i] = *first;
        *first = (uint32_t)i + 1;
    }
    for (int i = SCOPE_LANES + 1; i < p->scope_count; i++) /* one whose opener nobody uses has no steps at all */
        if (c.first[i] && !charge_scope(&c, &p->scopes[i], c.first[i])) return NO_MEMORY(error);
    return ARCL_SUCCESS;
}

arcl_status apart_alone(pool *memory, program_graph *p, arcl_error *error) {
    p->sets = malloc(sizeof *p->sets);
    if (!p->sets) return NO_MEMORY(error);
    p->sets[0] = 1;
    p->set_count = 1;
    return apart_charges(memory, p, error);
}
