/* Dead code elimination: drops steps whose result nobody uses, if leaving them out cannot be noticed. The language runs
 * everything that is written, so a step that may fail a lane stays. */
#include "rewrite/passes.h"

static int is_silent(const graph_step *s) {
    if (s->kind == STEP_KERNEL) return kernel_has(s->kernel_id, SILENT);
    return s->kind == STEP_CONST || s->kind == STEP_SECOND || s->kind == STEP_ALONG || s->kind == STEP_INPUT;
}

/* Whether leaving the step out could be noticed, though nobody uses its result. That a scope is opened is not: who
 * needs it says so. */
static int must_run(const program_graph *p, const graph_step *s) {
    if (!p->apart) return !s->parent && !is_silent(s);
    return fails_meaning(s->fails) != FAILS_READERS && s->scope <= SCOPE_LANES; /* elsewhere nothing is counted */
}

/* What a step needs: its arguments, and that the scope which it is in, or opens one in, is opened. */
static void mark_needs(const program_graph *p, const graph_step *s, unsigned char *used) {
    for (int i = 0; i < s->args; i++) used[s->arg[i]] = 1;
    uint32_t scope = s->parent ? s->parent : s->scope;
    if (scope > SCOPE_LANES) used[p->scopes[scope].opener] = 1;
}

void renumber_results(program_graph *p, const uint32_t *moved) {
    for (int i = 0; i < p->results; i++) p->result[i] = moved[p->result[i]];
    if (p->results > 1) p->which = moved[p->which];
}

void renumber_steps(program_graph *p, const uint32_t *moved) {
    renumber_results(p, moved);
    for (int i = 0; i < p->scope_count; i++)
        if (p->scopes[i].opener != NO_STEP) p->scopes[i].opener = moved[p->scopes[i].opener];
}

/* Moves the steps that stay together. Before the first that goes, nothing moves. */
static int compact(pool *memory, program_graph *p, const unsigned char *used) {
    int kept = 0;
    while (used[kept]) kept++;
    /* Where each has gone. A scope that nobody needs may name one that has gone for good, which is then 0. */
    uint32_t *moved = pool_get(memory, (size_t)p->count * sizeof *moved);
    if (!moved) return 0;
    for (int i = 0; i < kept; i++) moved[i] = (uint32_t)i;
    for (int i = kept + 1; i < p->count; i++) {
        if (!used[i]) continue;
        graph_step *s = &p->steps[kept];
        *s = p->steps[i];
        for (int a = 0; a < s->args; a++) s->arg[a] = moved[s->arg[a]];
        moved[i] = (uint32_t)kept++;
    }
    p->count = kept;
    renumber_steps(p, moved);
    return 1;
}

int prune(pool *memory, program_graph *p) {
    unsigned char *used = pool_get(memory, (size_t)p->count);
    if (!used) return 0;
    for (int i = 0; i < p->results; i++) used[p->result[i]] = 1;
    if (p->results > 1) used[p->which] = 1;
    int unused = 0;
    for (int i = p->count - 1; i >= 0; i--) {
        if (!used[i]) used[i] = (unsigned char)must_run(p, &p->steps[i]);
        if (used[i])
            mark_needs(p, &p->steps[i], used);
        else
            unused++;
    }
    return !unused || compact(memory, p, used);
}
