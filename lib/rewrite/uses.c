/* The uses of a step are a list that is linked both ways through its readers' arguments, so that a step is put in
 * the place of another in the time that its own arguments take, however many readers there are. */
#include "rewrite/uses.h"

#include "program/step_table.h"
#include "rewrite/passes.h"

static void link_use(uses *u, uint32_t step, uint32_t argument) {
    uint32_t column = u->p->steps[step].arg[argument], use = use_number(step, argument), next = u->first[column];
    u->next[use] = next;
    u->previous[use] = 0;
    if (next) u->previous[next] = use;
    u->first[column] = use;
    u->count[column]++;
}

static void unlink_use(uses *u, uint32_t step, uint32_t argument) {
    uint32_t column = u->p->steps[step].arg[argument], use = use_number(step, argument);
    uint32_t next = u->next[use], previous = u->previous[use];
    if (next) u->previous[next] = previous;
    *(previous ? &u->next[previous] : &u->first[column]) = next;
    u->count[column]--;
}

static void note_result(uses *u, uint32_t step) {
    u->count[step]++;
    u->is_result[step] = 1;
}

int uses_find(pool *memory, program_graph *p, uses *u) {
    size_t count = (size_t)p->count, scopes = (size_t)p->scope_count, all = 1 + MOST_ARGUMENTS * count;
    *u = (uses){.p = p,
                .count = pool_get(memory, count * sizeof *u->count),
                .is_result = pool_get(memory, count),
                .first = pool_get(memory, count * sizeof *u->first),
                .next = pool_take(memory, all * sizeof *u->next),
                .previous = pool_take(memory, all * sizeof *u->previous),
                .together = pool_get(memory, scopes * sizeof *u->together),
                .first_in = pool_get(memory, scopes * sizeof *u->first_in),
                .next_in = pool_take(memory, (1 + count) * sizeof *u->next_in)};
    if (!u->count || !u->is_result || !u->first || !u->next || !u->previous) return 0;
    if (!u->together || !u->first_in || !u->next_in) return 0;
    for (uint32_t i = (uint32_t)count; i-- > 0;) {
        const graph_step *s = &p->steps[i];
        for (uint32_t a = 0; a < s->args; a++) link_use(u, i, a);
        u->together[s->scope]++;
        u->next_in[i + 1] = u->first_in[s->scope];
        u->first_in[s->scope] = i + 1;
    }
    for (int i = 0; i < p->results; i++) note_result(u, p->result[i]);
    if (p->results > 1) note_result(u, p->which);
    return 1;
}

/* A step that is equal to this one reads what it reads: it is looked for where there are fewest readers. */
static int has_equal(const uses *u, uint32_t at) {
    const graph_step *s = &u->p->steps[at];
    uint32_t column = s->arg[0];
    for (uint32_t a = 1; a < s->args; a++)
        if (u->count[s->arg[a]] < u->count[column]) column = s->arg[a];
    for (uint32_t use = u->first[column]; use; use = u->next[use])
        if (use_reader(use) != at && steps_are_equal(&u->p->steps[use_reader(use)], s)) return 1;
    return 0;
}

void uses_replace(uses *u, uint32_t at, graph_step s) {
    graph_step *step = &u->p->steps[at];
    for (uint32_t a = 0; a < step->args; a++) unlink_use(u, at, a);
    u->together[step->scope]--;
    u->replaced = 1;
    *step = s;
    for (uint32_t a = 0; a < s.args; a++) link_use(u, at, a);
    u->together[s.scope]++;
    u->made_equal |= s.args && has_equal(u, at);
}

int uses_result(const uses *u) { return u->made_equal ? PASS_MADE_EQUAL : u->replaced ? PASS_REPLACED : PASS_DONE; }

void uses_forget(uses *u, uint32_t at) { uses_replace(u, at, (graph_step){.kind = STEP_CONST, .scope = SCOPE_SHARED}); }

int becomes_a_set(const uses *u, uint32_t container) {
    if (u->is_result[container]) return 0;
    for (uint32_t use = u->first[container]; use; use = u->next[use]) {
        const graph_step *s = &u->p->steps[use_reader(use)];
        if (s->kind != STEP_KERNEL || !kernel_has(s->kernel_id, MAKES_A_SET)) return 0;
    }
    return 1;
}
