/* Gives every step of a finished program its column, and every scope the lane maps that its steps look through. */
#include "graph.h"

static int opens_scope(const graph_step *s) {
    return s->kind == STEP_EACH || s->kind == STEP_ZIP || s->kind == STEP_CROSS || s->kind == STEP_WHEN ||
           s->kind == STEP_LOOP;
}

static void give_columns(arcl_program *p) {
    for (uint32_t i = 0; i < (uint32_t)p->count; i++) {
        graph_step *s = &p->steps[i];
        graph_scope *scope = &p->scopes[s->scope];
        switch (s->kind) {
        case STEP_CONST:
        case STEP_INPUT:
        case STEP_WHEN: break;
        case STEP_SECOND: s->slot = p->steps[s->arg[0]].slot + 1; break;
        case STEP_ZIP:
        case STEP_CROSS: /* its SECOND follows it */
            s->slot = scope->slots;
            scope->slots += 2;
            break;
        case STEP_REPEAT: p->steps[s->arg[1]].imm = i; /* fall through */
        default: s->slot = scope->slots++;
        }
        if (opens_scope(s)) scope->ranges = p->scopes[scope->parent].slots++;
        if (s->kind == STEP_LOOP) scope->left = p->scopes[scope->parent].slots++;
    }
}

/* Lanes of `scope` look at the column of a step. */
static void look_up(arcl_program *p, uint32_t scope, uint32_t step) {
    uint32_t owner = p->steps[step].scope;
    if (owner != scope && owner != SCOPE_SHARED)
        p->scopes[scope].maps |= (uint64_t)1 << (p->scopes[scope].depth - p->scopes[owner].depth - 1);
}

static void find_maps(arcl_program *p) {
    for (int i = 0; i < p->count; i++) {
        const graph_step *s = &p->steps[i];
        if (s->kind == STEP_KERNEL)
            for (int a = 0; a < s->args; a++) look_up(p, s->scope, s->arg[a]);
        else if (opens_scope(s) || s->kind == STEP_ALONG)
            for (int a = 0; a < s->args; a++) look_up(p, p->scopes[s->scope].parent, s->arg[a]);
    }
    /* Everybody needs the way to the budget. A map of several levels is made from that of the scope above, which comes
     * earlier in the list. */
    for (int i = p->scope_count - 1; i > SCOPE_LANES; i--) {
        graph_scope *scope = &p->scopes[i];
        scope->maps |= (uint64_t)1 << (scope->depth - 2);
        if (scope->parent != SCOPE_LANES) p->scopes[scope->parent].maps |= scope->maps >> 1;
    }
}

int layout(arcl_program *p) {
    for (int i = 0; i < p->scope_count; i++) {
        graph_scope *scope = &p->scopes[i];
        scope->maps = 0;
        scope->slots = scope->ranges = scope->left = 0;
        if (scope->depth >= MAX_SCOPE_DEPTH) return 0;
    }
    give_columns(p);
    find_maps(p);
    return 1;
}
