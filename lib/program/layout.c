/* Gives every step of a finished program its column, and every scope the lane maps that its steps look through.
 *
 * A column whose last reader has run is given to the next step of its scope that needs one: most are read once, and
 * what is used again is still in the processor's caches. What CLOSE has turned into lists stays for good, because the
 * column is their storage.
 */
#include "base/error.h"
#include "program/graph.h"

#define FOREVER 0xffffffffu

typedef struct loop_range {
    uint32_t first, last; /* LOOP and REPEAT */
    uint32_t outer;       /* the loop that it is in, + 1 */
} loop_range;

typedef struct layouter {
    program_graph *p;
    uint32_t *last;     /* per step: where its column is read for the last time */
    uint32_t *expiring; /* per step: the first of those whose last reader it is, + 1 */
    uint32_t *next;     /* the next one in that list, or in the list of free columns, + 1 */
    uint32_t *free;     /* per scope: a step whose column is free, + 1 */
    loop_range *loops;
    uint32_t loop_count;
    uint32_t *inside; /* per step, if there are loops: the innermost one that it is in, + 1 */
} layouter;

static int opens_scope(const graph_step *s) { return s->parent != 0; }

static const graph_step *opener_of(const program_graph *p, uint32_t scope) {
    return &p->steps[p->scopes[scope].opener];
}

/* ---- how long columns live ---- */

static int has_loops(const program_graph *p) {
    for (int i = SCOPE_LANES + 1; i < p->scope_count; i++) {
        uint32_t opener = p->scopes[i].opener;
        if (opener < (uint32_t)p->count && p->steps[opener].kind == STEP_LOOP) return 1;
    }
    return 0;
}

static void find_loops(layouter *l) {
    program_graph *p = l->p;
    uint32_t present = 0;
    for (uint32_t i = 0; i < (uint32_t)p->count; i++)
        if (p->steps[i].kind == STEP_REPEAT) p->steps[p->steps[i].arg[1]].imm = i;
    for (uint32_t i = 0; i < (uint32_t)p->count; i++) {
        l->inside[i] = present;
        if (p->steps[i].kind == STEP_LOOP) {
            l->loops[l->loop_count++] = (loop_range){i, (uint32_t)p->steps[i].imm, present};
            present = l->loop_count;
        } else if (present && l->loops[present - 1].last == i)
            present = l->loops[present - 1].outer;
    }
}

/* What comes from before a loop is read again in its next round. */
static void read_at(layouter *l, uint32_t column, uint32_t reader) {
    uint32_t last = reader;
    for (uint32_t loop = l->loop_count ? l->inside[reader] : 0; loop && column < l->loops[loop - 1].first;
         loop = l->loops[loop - 1].outer)
        last = l->loops[loop - 1].last;
    if (l->last[column] < last) l->last[column] = last;
}

static void find_lifetimes(layouter *l) {
    program_graph *p = l->p;
    for (uint32_t i = 0; i < (uint32_t)p->count; i++) { /* who reads a column comes behind it */
        const graph_step *s = &p->steps[i];
        l->last[i] = i;
        for (int a = 0; a < s->args; a++) read_at(l, s->arg[a], i);
        switch (s->kind) {
        case STEP_CLOSE: l->last[s->arg[0]] = FOREVER; break;
        case STEP_ALONG: read_at(l, opener_of(p, s->scope)->arg[opener_of(p, s->scope)->args - 1], i); break;
        case STEP_ZIP: /* two columns side by side, the second of which is SECOND's */
        case STEP_CROSS:
        case STEP_SECOND: l->last[i] = FOREVER;
        }
    }
    for (int i = 0; i < p->results; i++) l->last[p->result[i]] = FOREVER;
    if (p->results > 1) l->last[p->which] = FOREVER;
    for (int i = 0; i < p->outs; i++) l->last[p->out[i]] = FOREVER;
    for (int i = 0; p->output && i < p->programs; i++) {
        for (uint32_t n = 0; n < p->output[i].results; n++) l->last[p->output[i].result[n]] = FOREVER;
        if (p->output[i].results > 1) l->last[p->output[i].which] = FOREVER;
    }
}

/* ---- columns ---- */

static void give_column(layouter *l, uint32_t step) {
    graph_step *s = &l->p->steps[step];
    uint32_t *found = &l->free[s->scope];
    if (*found) {
        s->slot = l->p->steps[*found - 1].slot;
        *found = l->next[*found - 1];
    } else
        s->slot = l->p->scopes[s->scope].slots++;
    if (l->last[step] == FOREVER) return;
    l->next[step] = l->expiring[l->last[step]];
    l->expiring[l->last[step]] = step + 1;
}

static void free_columns(layouter *l, uint32_t reader) {
    for (uint32_t step = l->expiring[reader], next; step; step = next) {
        uint32_t *free = &l->free[l->p->steps[step - 1].scope];
        next = l->next[step - 1];
        l->next[step - 1] = *free;
        *free = step;
    }
}

static void give_columns(layouter *l) {
    program_graph *p = l->p;
    for (uint32_t i = 0; i < (uint32_t)p->count; i++) {
        graph_step *s = &p->steps[i];
        graph_scope *scope = &p->scopes[s->scope];
        if (opens_scope(s)) scope->ranges = p->scopes[scope->parent].slots++;
        switch (s->kind) {
        case STEP_CONST:
        case STEP_INPUT:
        case STEP_WHEN:
        case STEP_REPEAT: break; /* has it since its LOOP */
        case STEP_SECOND: s->slot = p->steps[s->arg[0]].slot + 1; break;
        case STEP_ZIP:
        case STEP_CROSS:
            s->slot = scope->slots;
            scope->slots += 2;
            break;
        case STEP_LOOP:
            scope->left = p->scopes[scope->parent].slots++;
            give_column(l, (uint32_t)s->imm);
            give_column(l, i);
            break;
        default: give_column(l, i);
        }
        free_columns(l, i);
    }
}

/* ---- maps ---- */

/* Lanes of `scope` look at a column of `owner`, the same scope or one above. */
static void look_up(program_graph *p, uint32_t scope, uint32_t owner) {
    if (owner != scope && owner != SCOPE_SHARED)
        p->scopes[scope].maps |= (uint64_t)1 << (p->scopes[scope].depth - p->scopes[owner].depth - 1);
}

static void find_maps(program_graph *p) {
    if (p->scope_count == SCOPE_LANES + 1) return; /* nothing is above */
    for (int i = 0; i < p->count; i++) {
        const graph_step *s = &p->steps[i];
        if (s->scope <= SCOPE_LANES) continue;
        if (s->kind == STEP_KERNEL)
            for (int a = 0; a < s->args; a++) look_up(p, s->scope, p->steps[s->arg[a]].scope);
        else if (opens_scope(s) || s->kind == STEP_ALONG)
            for (int a = 0; a < s->args; a++) look_up(p, p->scopes[s->scope].parent, p->steps[s->arg[a]].scope);
        else if (s->kind == STEP_AGAIN)
            look_up(p, p->scopes[s->scope].parent, p->scopes[p->steps[s->arg[0]].scope].parent);
    }
    /* Everybody needs the way to the budget. A map of several levels is made from that of the scope above, which comes
     * earlier in the list. */
    for (int i = p->scope_count - 1; i > SCOPE_LANES; i--) {
        graph_scope *scope = &p->scopes[i];
        scope->maps |= (uint64_t)1 << (scope->depth - 2);
        if (scope->parent != SCOPE_LANES) p->scopes[scope->parent].maps |= scope->maps >> 1;
    }
}

arcl_status layout(pool *memory, program_graph *p, arcl_error *error) {
    size_t count = (size_t)p->count, scopes = (size_t)p->scope_count;
    layouter l = {.p = p,
                  .last = pool_take(memory, count * sizeof *l.last),
                  .expiring = pool_get(memory, count * sizeof *l.expiring),
                  .next = pool_take(memory, count * sizeof *l.next),
                  .free = pool_get(memory, scopes * sizeof *l.free),
                  .loops = pool_take(memory, scopes * sizeof *l.loops),
                  .inside = pool_take(memory, count * sizeof *l.inside)};
    if (!l.last || !l.expiring || !l.next || !l.free || !l.loops || !l.inside) return NO_MEMORY(error);
    for (int i = 0; i < p->scope_count; i++) {
        graph_scope *scope = &p->scopes[i];
        scope->maps = 0;
        scope->slots = scope->ranges = scope->left = 0;
        if (scope->depth >= MAX_SCOPE_DEPTH) return error_set(error, ARCL_INVALID, "functions are nested too deeply");
    }
    if (has_loops(p)) find_loops(&l);
    find_lifetimes(&l);
    give_columns(&l);
    find_maps(p);
    return ARCL_SUCCESS;
}
