/* In a program by itself a failure is the lane's: a step of a mapped function that fails, fails the element's lane, and
 * when next a column of that scope is closed, the lane above, whatever the column is made of. Here it is found out what
 * has to be said to get the same where failures follow the data: each step that may fail goes with the next column that
 * leaves its scope, unless a column that leaves it is made of the step.
 *
 * To be made of a step counts only within one scope, and through scopes that are opened over it: those have the status
 * of their lanes above even where they have no lanes. A step that is merely captured by functions mapped over other
 * containers is lost where these are empty.
 */
#include "rewrite/loose_ends.h"

typedef struct finder {
    const program_graph *p;
    unsigned char *covered; /* per step: its failure reaches the scope above */
    uint32_t *waiting;      /* covered steps whose arguments are not yet covered */
    uint32_t waiting_count;
    uint32_t *last,
        *previous; /* per scope the last step that may fail since something has left it; per step the one before
                                * in the same scope, + 1 */
    loose_ends *ends;
} finder;

/* The argument of a closing step that leaves a scope, or -1: a JOIN has two. */
static int leaving_argument(const graph_step *s, int side) {
    switch (s->kind) {
    case STEP_CLOSE:
    case STEP_SPREAD:
    case STEP_REPEAT: return side ? -1 : 0;
    case STEP_JOIN: return 1 + side;
    default: return -1;
    }
}

static int may_fail(const graph_step *s) {
    return s->kind == STEP_KERNEL || s->kind == STEP_AGAIN || s->kind == STEP_CLOSE || s->kind == STEP_JOIN ||
           s->kind == STEP_SPREAD || s->kind == STEP_REPEAT;
}

static void cover_step(finder *f, uint32_t step) {
    if (f->covered[step]) return;
    f->covered[step] = 1;
    f->waiting[f->waiting_count++] = step;
}

static void cover_arguments(finder *f, const graph_step *s, uint32_t scope) {
    for (int a = 0; a < s->args; a++)
        if (f->p->steps[s->arg[a]].scope == scope && s->arg[a] != f->p->scopes[scope].opener) cover_step(f, s->arg[a]);
}

/* Everything in the scope that the column is made of: its failures are the column's. What is covered already, is with
 * everything that it is made of. */
static void cover(finder *f, uint32_t column) {
    uint32_t scope = f->p->steps[column].scope;
    if (column != f->p->scopes[scope].opener) cover_step(f, column);
    while (f->waiting_count) {
        const graph_step *s = &f->p->steps[f->waiting[--f->waiting_count]];
        cover_arguments(f, s, scope);
        for (int side = 0; side < 2; side++) {
            int a = leaving_argument(s, side);
            if (a >= 0) cover_arguments(f, &f->p->steps[f->p->scopes[f->p->steps[s->arg[a]].scope].opener], scope);
        }
    }
}

/* All that may fail in the scope goes with the column or has gone before. */
static void find_for(finder *f, uint32_t closing, int side, uint32_t column) {
    uint32_t *last = &f->last[f->p->steps[column].scope];
    cover(f, column);
    for (; *last; *last = f->previous[*last - 1]) {
        uint32_t step = *last - 1;
        if (f->covered[step]) continue;
        f->ends->next[step] = f->ends->first[side][closing];
        f->ends->first[side][closing] = step + 1;
        cover(f, step);
    }
}

static void note_step(finder *f, uint32_t step) {
    const graph_step *s = &f->p->steps[step];
    if (!may_fail(s)) return;
    f->previous[step] = f->last[s->scope];
    f->last[s->scope] = step + 1;
}

int loose_ends_find(pool *memory, const program_graph *p, loose_ends *e) {
    size_t count = (size_t)p->count;
    finder f = {.p = p,
                .covered = pool_get(memory, count),
                .waiting = pool_get(memory, count * sizeof *f.waiting),
                .last = pool_get(memory, (size_t)p->scope_count * sizeof *f.last),
                .previous = pool_get(memory, count * sizeof *f.previous),
                .ends = e};
    e->program = p;
    e->next = pool_get(memory, count * sizeof *e->next);
    for (int side = 0; side < 2; side++) e->first[side] = pool_get(memory, count * sizeof *e->first[side]);
    if (!f.covered || !f.waiting || !f.last || !f.previous || !e->next || !e->first[0] || !e->first[1]) return 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            int a = leaving_argument(&p->steps[i], side);
            if (a >= 0) find_for(&f, i, side, p->steps[i].arg[a]);
        }
        note_step(&f, i);
    }
    return 1;
}

int loose_ends_next(const loose_ends *e, uint32_t step, int a, uint32_t *from, uint32_t *loose) {
    int side = leaving_argument(&e->program->steps[step], 1) == a;
    if (leaving_argument(&e->program->steps[step], side) != a) return 0;
    uint32_t next = *from ? e->next[*from - 1] : e->first[side][step];
    *from = next;
    *loose = next - 1;
    return next != 0;
}
