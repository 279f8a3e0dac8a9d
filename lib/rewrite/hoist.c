/* Loop-invariant code motion: what a mapped function does alike every time that it is called. In
 *
 *     mapply(lambda o: sfilter(x1, lambda e: p(g(e), o)), x2)
 *
 * g does not depend on o, so it need not run for every e of every o. A scope that is opened over a container from
 * further above than its parent is opened there too; the steps that depend on nothing in between move to that one, and
 * AGAIN brings back what others need of them, element by element.
 *
 *     scope 2  o = each x2                        scope 2  o = each x2
 *     scope 3    e = each x1                      scope 3  f = each x1
 *     scope 3    t1 = g e                         scope 4    e = each x1
 *     scope 3    t2 = p t1 o                      scope 3  t3 = g f
 *                                                 scope 4    t1 = again t3
 *                                                 scope 4    t2 = p t1 o
 *
 * Steps keep their order, and what has failed comes back as failed, right behind the step: nobody closes the new scope,
 * so a function that is never called fails nobody. Scopes inside move as a whole or stay as a whole.
 */
#include <stdlib.h>

#include "rewrite/passes.h"
#include "rewrite/uses.h"

enum fate {
    STAYS,
    MOVES,
    GOES_ALONG /* could move, but is less work than to bring it back: it is made wherever someone needs it */
};
enum { ABOVE = 1, BELOW = 2 };

/* One scope after the other is looked at, from above. What its steps do concerns only it and the scopes inside, so
 * that the others are not touched: steps and scopes keep their numbers until the end, and new ones get those behind
 * them. New steps are copies, and each has its place right before the step that it is a copy of. */
typedef struct hoister {
    program_graph *p;
    uses uses; /* of the steps as they were: between steps of a scope that is to come, nothing has changed */
    int count, scope_count;  /* as they were */
    uint32_t *child, *aside; /* per scope: one that is right inside it, and another one inside the same; 0: none */
    uint32_t *copy;          /* per step: its copy; 0: none */
    uint32_t *opened;        /* per scope: the one that was opened for what leaves it; 0: none */
    /* the present one: */
    uint32_t scope, highest; /* that steps leave; where the new scope is opened */
    uint32_t *inside;        /* it and all scopes inside it, the branches one after the other */
    uint32_t inside_count;
    uint32_t *branch;      /* per scope: `scope` itself, the scope right inside it that this one is part of, or 0 */
    uint32_t *begin;       /* per branch: where it begins in `inside` */
    unsigned char *bound;  /* per branch: some step of it cannot move */
    unsigned char *fate;   /* per step */
    unsigned char *wanted; /* per step: where its readers are, ABOVE or BELOW or both */
    uint32_t *above;       /* per step: where to find it for those that move; 0: where it is */
    uint32_t *list;        /* of steps or scopes, for whoever needs one */
} hoister;

/* ---- from where to where ---- */

static int is_above(const program_graph *p, uint32_t scope, uint32_t below) {
    while (p->scopes[below].depth > p->scopes[scope].depth) below = p->scopes[below].parent;
    return below == scope;
}

/* The scope furthest above in which this one can be opened. */
static uint32_t highest_of(const program_graph *p, uint32_t scope) {
    const graph_step *opener = &p->steps[p->scopes[scope].opener];
    uint32_t parent = p->scopes[scope].parent, highest = SCOPE_LANES;
    if (opener->scope != scope) return parent; /* nobody needs it */
    if (opener->kind != STEP_EACH && opener->kind != STEP_ZIP && opener->kind != STEP_CROSS) return parent;
    for (int a = 0; a < opener->args; a++) {
        uint32_t from = p->steps[opener->arg[a]].scope;
        if (p->scopes[from].depth > p->scopes[highest].depth) highest = from;
    }
    for (uint32_t s = parent; s != highest; s = p->scopes[s].parent)
        if (p->steps[p->scopes[s].opener].kind == STEP_LOOP) return parent; /* every round would open it */
    return highest;
}

static uint32_t opener_of(const hoister *h) { return h->p->scopes[h->scope].opener; }

/* The branch that a step belongs to; 0: it is outside. */
static uint32_t branch_of(const hoister *h, uint32_t step) { return h->branch[h->p->steps[step].scope]; }

static void enter_scope(hoister *h, uint32_t scope) {
    uint32_t parent = h->p->scopes[scope].parent, is_branch = scope == h->scope || parent == h->scope;
    h->branch[scope] = is_branch ? scope : h->branch[parent];
    if (is_branch) h->begin[scope] = h->inside_count;
    h->inside[h->inside_count++] = scope;
    for (uint32_t i = h->uses.first_in[scope]; i; i = h->uses.next_in[i]) h->fate[i - 1] = MOVES;
}

/* Until something else is found, all steps but the opener move. */
static void enter_scopes(hoister *h) {
    uint32_t waiting = 0;
    h->inside_count = 0;
    h->list[waiting++] = h->scope;
    while (waiting) {
        uint32_t scope = h->list[--waiting];
        enter_scope(h, scope);
        for (uint32_t s = h->child[scope]; s; s = h->aside[s]) h->list[waiting++] = s;
    }
    h->fate[opener_of(h)] = STAYS;
}

static void leave_scopes(hoister *h) {
    for (uint32_t n = 0; n < h->inside_count; n++) {
        uint32_t scope = h->inside[n];
        h->branch[scope] = h->bound[scope] = 0;
        for (uint32_t i = h->uses.first_in[scope]; i; i = h->uses.next_in[i]) h->fate[i - 1] = STAYS;
        for (uint32_t i = h->uses.first_in[scope]; i; i = h->uses.next_in[i]) h->above[i - 1] = 0;
    }
}

/* ---- which steps ---- */

/* Whether nothing but other steps inside could keep a step from moving. */
static int is_free(const hoister *h, const graph_step *s) {
    if (s->kind == STEP_LOOP || s->kind == STEP_REPEAT) return 0;
    for (int a = 0; a < s->args; a++)
        if (!branch_of(h, s->arg[a]) && !is_above(h->p, h->p->steps[s->arg[a]].scope, h->highest)) return 0;
    return 1;
}

static void hold(hoister *h, uint32_t step, uint32_t *held) {
    if (h->fate[step] == STAYS) return;
    h->fate[step] = STAYS;
    h->list[(*held)++] = step;
}

/* The step stays, and so does a scope inside as a whole if the step is there. */
static void hold_whole(hoister *h, uint32_t step, uint32_t *held) {
    uint32_t branch = branch_of(h, step);
    if (branch == h->scope) hold(h, step, held);
    if (branch == h->scope || h->bound[branch]) return;
    h->bound[branch] = 1;
    for (uint32_t n = h->begin[branch]; n < h->inside_count && h->branch[h->inside[n]] == branch; n++)
        for (uint32_t i = h->uses.first_in[h->inside[n]]; i; i = h->uses.next_in[i]) hold(h, i - 1, held);
}

/* A step that joins two scopes finds them where it is: if it stays, so do they. */
static void hold_joined(hoister *h, uint32_t step, uint32_t *held) {
    const graph_step *s = &h->p->steps[step];
    if (s->scope != h->scope || s->kind != STEP_JOIN) return;
    for (int a = 1; a <= 2; a++) hold_whole(h, s->arg[a], held);
}

static void hold_readers(hoister *h, uint32_t step, uint32_t *held) {
    for (uint32_t use = h->uses.first[step]; use; use = h->uses.next[use])
        if (branch_of(h, use_reader(use)) && h->fate[use_reader(use)] != STAYS) hold_whole(h, use_reader(use), held);
}

static void hold_what_must(hoister *h) {
    uint32_t held = 0;
    for (uint32_t n = 0; n < h->inside_count; n++)
        for (uint32_t i = h->uses.first_in[h->inside[n]]; i; i = h->uses.next_in[i])
            if (h->fate[i - 1] != STAYS && !is_free(h, &h->p->steps[i - 1])) hold_whole(h, i - 1, &held);
    while (held) {
        uint32_t step = h->list[--held];
        hold_readers(h, step, &held);
        hold_joined(h, step, &held);
    }
}

/* Whether a step takes longer than to bring its result back. */
static int is_work(const graph_step *s) {
    if (s->kind == STEP_SECOND || s->kind == STEP_ALONG) return 0;
    return s->kind != STEP_KERNEL || !kernel_has(s->kernel_id, CHEAP | FOLDS);
}

static int follows_work(const hoister *h, const graph_step *s) {
    if (is_work(s)) return 1;
    for (int a = 0; a < s->args; a++)
        if (h->fate[s->arg[a]] == MOVES) return 1;
    return 0;
}

/* Decides about every step; whether any moves. */
static int find_fates(hoister *h) {
    int moves = 0;
    hold_what_must(h);
    for (uint32_t n = 0; n < h->inside_count; n++)
        for (uint32_t i = h->uses.first_in[h->inside[n]]; i; i = h->uses.next_in[i]) {
            unsigned char *fate = &h->fate[i - 1];
            if (n == 0 && *fate == MOVES && !follows_work(h, &h->p->steps[i - 1])) *fate = GOES_ALONG;
            moves |= *fate == MOVES;
        }
    return moves;
}

static unsigned char wanted_by(const hoister *h, uint32_t reader) {
    if (h->fate[reader] == GOES_ALONG) return h->wanted[reader];
    return h->fate[reader] == MOVES ? ABOVE : BELOW;
}

/* Puts the scope's own steps into the list, and finds out where each is wanted. What nobody reads is there because
 * it may fail, which has to be known below. Returns how many steps there are. */
static uint32_t find_readers(hoister *h) {
    uint32_t count = 0;
    for (uint32_t i = h->uses.first_in[h->scope]; i; i = h->uses.next_in[i]) h->list[count++] = i - 1;
    for (uint32_t n = count; n-- > 0;) {
        unsigned char *wanted = &h->wanted[h->list[n]];
        *wanted = 0;
        for (uint32_t use = h->uses.first[h->list[n]]; use; use = h->uses.next[use])
            *wanted |= wanted_by(h, use_reader(use));
        if (!*wanted) *wanted = BELOW;
    }
    return count;
}

/* ---- moving ---- */

static void read_above(const hoister *h, graph_step *s) {
    for (int a = 0; a < s->args; a++)
        if (h->above[s->arg[a]]) s->arg[a] = h->above[s->arg[a]];
}

static uint32_t copy_step(hoister *h, uint32_t step) {
    uint32_t copy = (uint32_t)h->p->count++;
    h->p->steps[copy] = h->p->steps[step];
    h->copy[step] = copy;
    return copy;
}

static void open_above(hoister *h, uint64_t number) {
    program_graph *p = h->p;
    uint32_t scope = (uint32_t)p->scope_count++, opener = copy_step(h, opener_of(h));
    h->opened[h->scope] = scope;
    h->above[opener_of(h)] = opener;
    p->steps[opener].scope = scope;
    p->steps[opener].imm |= number << 32;
    p->scopes[scope] = p->scopes[h->scope];
    p->scopes[scope].opener = opener;
    p->scopes[scope].parent = h->highest;
    p->scopes[scope].depth = p->scopes[h->highest].depth + 1;
}

/* A step that is wanted below too stays there: as what brings the result back, or, if that is more work, as it is. */
static void move_step(hoister *h, uint32_t step) {
    int fate = h->fate[step], wanted = h->wanted[step];
    if (fate == STAYS || (fate == GOES_ALONG && !(wanted & ABOVE))) return;
    uint32_t moved = wanted & BELOW ? copy_step(h, step) : step;
    graph_step *steps = h->p->steps;
    h->above[step] = moved;
    steps[moved].scope = h->opened[h->scope];
    read_above(h, &steps[moved]);
    if (moved != step && fate == MOVES)
        steps[step] = (graph_step){.kind = STEP_AGAIN,
                                   .scope = h->scope,
                                   .slot = steps[moved].slot,
                                   .args = 1,
                                   .arg = {moved},
                                   .type = steps[moved].type,
                                   .users = steps[moved].users};
}

static void move_scope(hoister *h, uint32_t scope) {
    graph_scope *s = &h->p->scopes[scope];
    if (s->parent == h->scope) s->parent = h->opened[h->scope];
    s->depth = h->p->scopes[s->parent].depth + 1;
    for (uint32_t i = h->uses.first_in[scope]; i; i = h->uses.next_in[i]) read_above(h, &h->p->steps[i - 1]);
}

static void move_steps(hoister *h, uint64_t number) {
    uint32_t own = find_readers(h);
    open_above(h, number);
    for (uint32_t n = 0; n < own; n++) move_step(h, h->list[n]);
    for (uint32_t n = 1; n < h->inside_count; n++)
        if (!h->bound[h->branch[h->inside[n]]]) move_scope(h, h->inside[n]);
}

/* Returns whether it has opened a scope; `number` is which one that would be. */
static int hoist_from(hoister *h, uint32_t scope, uint64_t number) {
    h->scope = scope;
    h->highest = highest_of(h->p, scope);
    if (h->highest == h->p->scopes[scope].parent) return 0;
    enter_scopes(h);
    int moves = find_fates(h);
    if (moves) move_steps(h, number);
    leave_scopes(h);
    return moves;
}

/* ---- everything to its place ---- */

/* Where each of so many goes, if copies come right before what they are copies of. */
static void find_places(uint32_t *place, const uint32_t *copy, int count) {
    uint32_t next = 0;
    for (int i = 0; i < count; i++) {
        if (copy[i]) place[copy[i]] = next++;
        place[i] = next++;
    }
}

static void place_scopes(const program_graph *p, graph_scope *scopes, const uint32_t *scope_place) {
    for (int i = 0; i < p->scope_count; i++) {
        graph_scope *s = &scopes[scope_place[i]];
        *s = p->scopes[i];
        s->parent = scope_place[s->parent];
    }
}

static void place_steps(const program_graph *p, graph_step *steps, const graph_scope *scopes, const uint32_t *place,
                        const uint32_t *scope_place) {
    for (int i = 0; i < p->count; i++) {
        graph_step *s = &steps[place[i]];
        *s = p->steps[i];
        s->scope = scope_place[s->scope];
        if (s->parent) s->parent = scopes[s->scope].parent;
        if (s->kind == STEP_LOOP) s->imm = s->scope;
        for (int a = 0; a < s->args; a++) s->arg[a] = place[s->arg[a]];
    }
}

static int place_all(hoister *h, pool *memory) {
    program_graph *p = h->p;
    uint32_t *place = pool_get(memory, (size_t)p->count * sizeof *place);
    uint32_t *scope_place = pool_get(memory, (size_t)p->scope_count * sizeof *scope_place);
    graph_step *steps = malloc((size_t)p->count * sizeof *steps);
    graph_scope *scopes = malloc((size_t)p->scope_count * sizeof *scopes);
    if (!place || !scope_place || !steps || !scopes) {
        free(steps);
        free(scopes);
        return 0;
    }
    find_places(place, h->copy, h->count);
    find_places(scope_place, h->opened, h->scope_count);
    place_scopes(p, scopes, scope_place);
    place_steps(p, steps, scopes, place, scope_place);
    free(p->steps);
    free(p->scopes);
    p->steps = steps;
    p->scopes = scopes;
    renumber_steps(p, place);
    return 1;
}

/* ---- all scopes ---- */

/* Every step may get a copy, and every scope another one above. */
static int make_room(program_graph *p) {
    graph_step *steps = realloc(p->steps, 2 * (size_t)p->count * sizeof *steps);
    if (steps) p->steps = steps;
    graph_scope *scopes = realloc(p->scopes, 2 * (size_t)p->scope_count * sizeof *scopes);
    if (scopes) p->scopes = scopes;
    return steps && scopes;
}

static int hoister_start(hoister *h, pool *memory, program_graph *p) {
    size_t count = (size_t)p->count, steps = 2 * count, before = (size_t)p->scope_count, scopes = 2 * before;
    *h = (hoister){.p = p,
                   .count = p->count,
                   .scope_count = p->scope_count,
                   .child = pool_get(memory, before * sizeof *h->child),
                   .aside = pool_get(memory, before * sizeof *h->aside),
                   .copy = pool_get(memory, count * sizeof *h->copy),
                   .opened = pool_get(memory, before * sizeof *h->opened),
                   .inside = pool_get(memory, before * sizeof *h->inside),
                   .branch = pool_get(memory, scopes * sizeof *h->branch),
                   .begin = pool_get(memory, before * sizeof *h->begin),
                   .bound = pool_get(memory, before),
                   .fate = pool_get(memory, steps),
                   .wanted = pool_get(memory, count),
                   .above = pool_get(memory, steps * sizeof *h->above),
                   .list = pool_get(memory, (count + before) * sizeof *h->list)};
    if (!h->child || !h->aside || !h->copy || !h->opened || !h->inside || !h->branch || !h->begin || !h->bound)
        return 0;
    if (!h->fate || !h->wanted || !h->above || !h->list || !uses_find(memory, p, &h->uses)) return 0;
    for (uint32_t i = (uint32_t)before; i-- > SCOPE_LANES + 1;) {
        h->aside[i] = h->child[p->scopes[i].parent];
        h->child[p->scopes[i].parent] = i;
    }
    return make_room(p);
}

static int has_candidates(const program_graph *p) {
    for (uint32_t scope = SCOPE_LANES + 1; scope < (uint32_t)p->scope_count; scope++)
        if (highest_of(p, scope) != p->scopes[scope].parent) return 1;
    return 0;
}

int hoist(pool *memory, program_graph *p) {
    hoister h;
    uint64_t opened = 0;
    if (!has_candidates(p)) return 1; /* as in most programs */
    if (!hoister_start(&h, memory, p)) return 0;
    for (uint32_t scope = SCOPE_LANES + 1; scope < (uint32_t)h.scope_count; scope++)
        opened += (uint64_t)hoist_from(&h, scope, opened + 1);
    return opened == 0 || place_all(&h, memory);
}
