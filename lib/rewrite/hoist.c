/* What a mapped function does alike every time that it is called. In
 *
 *     mapply(lambda o: sfilter(x1, lambda e: p(g(e), o)), x2)
 *
 * g does not depend on o, so it need not run for every e of every o. A scope that is opened over a container from further
 * above than its parent is opened there too; the steps that depend on nothing in between move to that one, and AGAIN
 * brings back what others need of them, element by element.
 *
 *     scope 2  o = each x2                        scope 2  o = each x2
 *     scope 3    e = each x1                      scope 3  f = each x1
 *     scope 3    t1 = g e                         scope 4    e = each x1
 *     scope 3    t2 = p t1 o                      scope 3  t3 = g f
 *                                                 scope 4    t1 = again t3
 *                                                 scope 4    t2 = p t1 o
 *
 * Steps keep their order, and what has failed comes back as failed, right behind the step: nobody closes the new scope, so
 * a function that is never called fails nobody. Scopes inside move as a whole or stay as a whole.
 */
#include <stdlib.h>

#include "compile/compiler.h"

enum fate {
    STAYS,
    MOVES,
    GOES_ALONG /* could move, but is less work than to bring it back: it is made wherever someone needs it */
};
enum { ABOVE = 1, BELOW = 2 };

typedef struct hoister {
    arcl_program *p;
    uint64_t number;         /* how many scopes have been opened so far, this one included */
    uint32_t scope, highest; /* that steps leave; where the new scope is opened */
    uint32_t *branch;        /* per scope: `scope` itself, the scope right inside it that this one is part of, or 0 */
    unsigned char *bound;    /* per branch: some step of it cannot move */
    unsigned char *fate;     /* per step */
    unsigned char *wanted;   /* per step: where its readers are, ABOVE or BELOW or both */
    uint32_t *above, *below; /* per step: where it has gone in the new program */
} hoister;

/* ---- from where to where ---- */

static int is_above(const arcl_program *p, uint32_t scope, uint32_t below) {
    while (p->scopes[below].depth > p->scopes[scope].depth) below = p->scopes[below].parent;
    return below == scope;
}

/* The scope furthest above in which this one can be opened. */
static uint32_t highest_of(const arcl_program *p, uint32_t scope) {
    const graph_step *opener = &p->steps[p->scopes[scope].opener];
    uint32_t parent = p->scopes[scope].parent, highest = SCOPE_LANES;
    if (opener->kind != STEP_EACH && opener->kind != STEP_ZIP && opener->kind != STEP_CROSS) return parent;
    for (int a = 0; a < opener->args; a++) {
        uint32_t from = p->steps[opener->arg[a]].scope;
        if (p->scopes[from].depth > p->scopes[highest].depth) highest = from;
    }
    for (uint32_t s = parent; s != highest; s = p->scopes[s].parent)
        if (p->steps[p->scopes[s].opener].kind == STEP_LOOP) return parent; /* every round would open it */
    return highest;
}

static void find_branches(hoister *h) {
    for (uint32_t i = 0; i < (uint32_t)h->p->scope_count; i++) {
        uint32_t parent = h->p->scopes[i].parent;
        h->bound[i] = 0;
        h->branch[i] = i < h->scope ? 0 : i == h->scope || parent == h->scope ? i : h->branch[parent];
    }
}

static uint32_t branch_of(const hoister *h, const graph_step *s) { return h->branch[s->scope]; }

/* ---- which steps ---- */

static int can_move(const hoister *h, const graph_step *s) {
    if (s->kind == STEP_LOOP || s->kind == STEP_REPEAT || h->bound[branch_of(h, s)]) return 0;
    for (int a = 0; a < s->args; a++) {
        const graph_step *from = &h->p->steps[s->arg[a]];
        if (s->arg[a] == h->p->scopes[h->scope].opener) continue;
        if (branch_of(h, from) ? h->fate[s->arg[a]] == STAYS : !is_above(h->p, from->scope, h->highest)) return 0;
    }
    return 1;
}

/* Whether a step takes longer than to bring its result back. */
static int is_work(const graph_step *s) {
    if (s->kind == STEP_SECOND || s->kind == STEP_ALONG) return 0;
    return s->kind != STEP_KERNEL || !kernel_has(s->kernel_id, CHEAP | FOLDS);
}

static int follows_work(const hoister *h, const graph_step *s) {
    if (s->scope != h->scope || is_work(s)) return 1;
    for (int a = 0; a < s->args; a++)
        if (h->fate[s->arg[a]] == MOVES) return 1;
    return 0;
}

/* Decides about every step; returns how many move. Where a scope inside turns out to have one that cannot, everything is
 * looked at again. */
static int find_fates(hoister *h) {
    int moves, again;
    do {
        moves = again = 0;
        for (int i = 0; i < h->p->count; i++) {
            const graph_step *s = &h->p->steps[i];
            uint32_t branch = branch_of(h, s);
            h->fate[i] = STAYS;
            if (!branch || (uint32_t)i == h->p->scopes[h->scope].opener) continue;
            if (can_move(h, s))
                h->fate[i] = follows_work(h, s) ? MOVES : GOES_ALONG;
            else if (branch != h->scope && !h->bound[branch])
                again = h->bound[branch] = 1;
            moves += h->fate[i] == MOVES;
        }
    } while (again);
    return moves;
}

/* What nobody reads is there because it may fail, which has to be known below. Returns how many steps the new program
 * may have. */
static int find_readers(hoister *h) {
    int room = h->p->count + 1;
    for (int i = 0; i < h->p->count; i++) h->wanted[i] = 0;
    for (int i = h->p->count - 1; i >= 0; i--) {
        const graph_step *s = &h->p->steps[i];
        if (!h->wanted[i]) h->wanted[i] = BELOW;
        unsigned char at = h->fate[i] == MOVES ? ABOVE : h->fate[i] == STAYS ? BELOW : h->wanted[i];
        for (int a = 0; a < s->args; a++) h->wanted[s->arg[a]] |= at;
        room += h->fate[i] != STAYS;
    }
    return room;
}

/* ---- moving ---- */

/* The new scope gets the number of the old one; that one and all behind it, the next. */
static uint32_t renumbered(const hoister *h, uint32_t scope) { return scope + (scope >= h->scope); }

static int insert_scope(hoister *h) {
    arcl_program *p = h->p;
    graph_scope *scopes = malloc((size_t)(p->scope_count + 1) * sizeof *scopes);
    if (!scopes) return 0;
    for (uint32_t i = 0; i < (uint32_t)p->scope_count; i++) {
        graph_scope *s = &scopes[renumbered(h, i)];
        *s = p->scopes[i];
        s->parent = s->parent == h->scope && !h->bound[i] ? h->scope : renumbered(h, s->parent);
    }
    scopes[h->scope] = p->scopes[h->scope];
    scopes[h->scope].parent = h->highest;
    free(p->scopes);
    p->scopes = scopes;
    p->scope_count++;
    for (int i = SCOPE_LANES + 1; i < p->scope_count; i++) scopes[i].depth = scopes[scopes[i].parent].depth + 1;
    return 1;
}

/* The step in the new program, ABOVE or BELOW. */
static graph_step moved_step(const hoister *h, const graph_step *s, int at) {
    graph_step moved = *s;
    for (int a = 0; a < s->args; a++) {
        int inside = branch_of(h, &h->p->steps[s->arg[a]]) != 0;
        moved.arg[a] = (inside && at == ABOVE ? h->above : h->below)[s->arg[a]];
    }
    moved.scope = s->scope == h->scope && at == ABOVE ? h->scope : renumbered(h, s->scope);
    if (s->parent) moved.parent = h->p->scopes[moved.scope].parent;
    if (s->kind == STEP_LOOP) moved.imm = moved.scope;
    if (moved.scope == h->scope && s->parent) moved.imm |= h->number << 32;
    return moved;
}

/* Appends a step; returns its number. */
static uint32_t add_step(arcl_program *p, graph_step *steps, graph_step s) {
    if (s.parent) p->scopes[s.scope].opener = (uint32_t)p->count;
    steps[p->count] = s;
    return (uint32_t)p->count++;
}

static void move_step(hoister *h, uint32_t i, const graph_step *s, int is_opener, graph_step *steps) {
    arcl_program *p = h->p;
    int fate = h->fate[i], wanted = h->wanted[i];
    if (is_opener || fate == MOVES || (fate == GOES_ALONG && wanted & ABOVE))
        h->above[i] = add_step(p, steps, moved_step(h, s, ABOVE));
    if (fate == MOVES && s->scope == h->scope && wanted & BELOW)
        h->below[i] = add_step(p, steps,
                               (graph_step){.kind = STEP_AGAIN,
                                            .scope = renumbered(h, h->scope),
                                            .args = 1,
                                            .arg = {h->above[i]},
                                            .type = s->type});
    else if (fate == STAYS || (fate == GOES_ALONG && wanted & BELOW))
        h->below[i] = add_step(p, steps, moved_step(h, s, BELOW));
}

static int move_steps(hoister *h, int room) {
    arcl_program *p = h->p;
    const graph_step *old = p->steps;
    uint32_t opener = p->scopes[h->scope].opener, count = (uint32_t)p->count;
    graph_step *steps = malloc((size_t)room * sizeof *steps);
    if (!steps || !insert_scope(h)) {
        free(steps);
        return 0;
    }
    p->count = 0;
    for (uint32_t i = 0; i < count; i++) move_step(h, i, &old[i], i == opener, steps);
    renumber_results(p, h->below);
    free(p->steps);
    p->steps = steps;
    return 1;
}

/* Returns how many scopes it has opened, or -1 when there is no memory. */
static int hoist_from(pool *memory, arcl_program *p, uint32_t scope, uint32_t highest, int before) {
    size_t count = (size_t)p->count, scopes = (size_t)p->scope_count;
    hoister h = {.p = p,
                 .number = (uint64_t)before + 1,
                 .scope = scope,
                 .highest = highest,
                 .branch = pool_get(memory, scopes * sizeof *h.branch),
                 .bound = pool_get(memory, scopes),
                 .fate = pool_get(memory, count),
                 .wanted = pool_get(memory, count),
                 .above = pool_get(memory, count * sizeof *h.above),
                 .below = pool_get(memory, count * sizeof *h.below)};
    if (!h.branch || !h.bound || !h.fate || !h.wanted || !h.above || !h.below) return -1;
    find_branches(&h);
    if (!find_fates(&h)) return 0;
    return move_steps(&h, find_readers(&h)) ? 1 : -1;
}

int hoist(pool *memory, arcl_program *p) {
    int opened = 0;
    for (uint32_t scope = SCOPE_LANES + 1; scope < (uint32_t)p->scope_count && p->count <= LARGE_PROGRAM; scope++) {
        if (p->steps[p->scopes[scope].opener].scope != scope) continue; /* nobody needs it */
        uint32_t highest = highest_of(p, scope);
        int more = highest == p->scopes[scope].parent ? 0 : hoist_from(memory, p, scope, highest, opened);
        if (more < 0) return 0;
        opened += more;
    }
    return 1;
}
