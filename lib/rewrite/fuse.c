/* Several steps that one kernel does better. mapply(lbind(shift, patch), offsets) would make a copy of the patch for every
 * offset, and throw them away once they are united:
 *
 *     scope 2  t2 = each offsets
 *     scope 2  t3 = shift patch t2
 *     scope 1  t4 = close t3
 *     scope 1  t5 = merge_set t4                  scope 1  t5 = stamp patch offsets
 *
 * Likewise the lines between all pairs of locations, of which most are none; grids that are taken apart into rows to be put
 * below each other; and distances between sets of one location.
 */
#include "rewrite/fuse.h"

#define NEAR_DIRECTION 1000 /* a shot into it from the origin cannot fail */

int fuser_start(pool *memory, arcl_program *p, fuser *f) {
    *f = (fuser){.p = p,
                 .readers = pool_get(memory, (size_t)p->count * sizeof *f->readers),
                 .together = pool_get(memory, (size_t)p->scope_count * sizeof *f->together),
                 .is_loose = pool_get(memory, (size_t)p->count)};
    if (!f->readers || !f->together || !f->is_loose) return 0;
    for (int i = 0; i < p->count; i++) {
        f->together[p->steps[i].scope]++;
        for (int a = 0; a < p->steps[i].args; a++) f->readers[p->steps[i].arg[a]]++;
    }
    for (int i = 0; i < p->results; i++) f->readers[p->result[i]]++;
    if (p->results > 1) f->readers[p->which]++;
    return 1;
}

int is_read_only_by(const fuser *f, uint32_t column, allowed_reader *allowed, uint32_t set) {
    const arcl_program *p = f->p;
    for (int i = 0; i < p->results; i++)
        if (p->result[i] == column) return 0;
    for (uint32_t i = column + 1; i < (uint32_t)p->count; i++)
        for (int a = 0; a < p->steps[i].args; a++)
            if (p->steps[i].arg[a] == column && !allowed(f, i, a, set)) return 0;
    return 1;
}

/* ---- copies of one patch ---- */

static int is_near(const graph_step *direction) {
    int64_t ij = (int64_t)direction->imm, i = (ij + (1 << 23)) >> 24, j = ij - i * (1 << 24);
    return direction->kind == STEP_CONST && i < NEAR_DIRECTION && i > -NEAR_DIRECTION && j < NEAR_DIRECTION &&
           j > -NEAR_DIRECTION;
}

/* Whether the patch that a step makes for every element is one that does not depend on it, moved by the element.
 * Neighbours, and what is shot into a known direction, are what they are for the origin, moved. */
static int is_moved_patch(const arcl_program *p, const graph_step *s) {
    uint32_t element = p->scopes[s->scope].opener;
    if (s->kind != STEP_KERNEL) return 0;
    if (s->kernel_id == KERNEL_shift) return s->arg[1] == element && p->steps[s->arg[0]].scope != s->scope;
    return kernel_has(s->kernel_id, EQUIVARIANT) && s->arg[0] == element &&
           (s->args == 1 || is_near(&p->steps[s->arg[1]]));
}

static void stamp(fuser *f, graph_step *merged) {
    arcl_program *p = f->p;
    uint32_t closing = merged->arg[0], making = p->steps[closing].arg[0], scope = p->steps[making].scope;
    uint32_t opener = p->scopes[scope].opener, offsets = p->steps[opener].arg[0];
    const graph_step made = p->steps[making];
    uint32_t patch = made.arg[0];
    forget(f, making);
    forget(f, closing);
    if (made.kernel_id != KERNEL_shift) { /* the number is the origin */
        patch = closing;
        p->steps[closing] = made;
        p->steps[closing].scope = SCOPE_SHARED;
        p->steps[closing].arg[0] = making;
    }
    merged->kernel_id = KERNEL_stamp;
    merged->args = 2;
    merged->arg[0] = patch;
    merged->arg[1] = offsets;
    if (--f->readers[opener] == 0 && f->together[scope] == 1) forget(f, opener);
}

static int can_be_stamped(const fuser *f, const graph_step *s) {
    const arcl_program *p = f->p;
    if (!is_kernel(s, KERNEL_merge_set) || ((s->imm & 15) != T_IJ && (s->imm & 15) != T_CELL)) return 0;
    const graph_step *lists = &p->steps[s->arg[0]];
    if (lists->kind != STEP_CLOSE || lists->imm || lists->scope != s->scope || f->readers[s->arg[0]] != 1) return 0;
    const graph_step *made = &p->steps[lists->arg[0]];
    const graph_step *opener = &p->steps[p->scopes[made->scope].opener];
    return opener->kind == STEP_EACH && !opener->imm && f->readers[lists->arg[0]] == 1 && is_moved_patch(p, made);
}

/* ---- lines between all locations ---- */

static int wants_a_set(const fuser *f, uint32_t reader, int argument, uint32_t set) {
    (void)argument, (void)set;
    return makes_a_set(&f->p->steps[reader]);
}

/* prapply(connect, a, b): most pairs are not in line, so that they cost less if none of them is made. */
static void draw_lines(fuser *f, uint32_t closing) {
    arcl_program *p = f->p;
    const graph_step lists = p->steps[closing], *line = &p->steps[lists.arg[0]];
    if (lists.kind != STEP_CLOSE || lists.imm || !is_kernel(line, KERNEL_connect)) return;
    uint32_t opening = p->scopes[line->scope].opener, making = lists.arg[0];
    uint32_t other = line->arg[line->arg[0] == opening];
    const graph_step opener = p->steps[opening], *second = &p->steps[other];
    if (opener.kind != STEP_CROSS || f->together[line->scope] != 3) return;
    if (f->readers[opening] != 2 || f->readers[other] != 1 || f->readers[making] != 1) return;
    if (line->arg[0] != opening && line->arg[1] != opening) return;
    if (second->kind != STEP_SECOND || second->arg[0] != opening) return;
    if (!is_read_only_by(f, closing, wants_a_set, closing)) return;
    forget(f, making);
    forget(f, other);
    forget(f, opening);
    graph_step *lines = &p->steps[closing];
    lines->kind = STEP_KERNEL;
    lines->kernel_id = KERNEL_lines;
    lines->imm = opener.arg[0] == opener.arg[1];
    lines->args = 2;
    lines->arg[0] = opener.arg[0];
    lines->arg[1] = opener.arg[1];
}

/* ---- grids below each other ---- */

/* merge of grids makes rows of each, puts these together, and then a grid of them where one is wanted. */
static void stack_grids(fuser *f, graph_step *s) {
    graph_step *steps = f->p->steps;
    if (!is_kernel(s, KERNEL_rows_grid)) return;
    graph_step *merged = &steps[s->arg[0]];
    if (!is_kernel(merged, KERNEL_merge_tuple) || f->readers[s->arg[0]] != 1) return;
    graph_step *lists = &steps[merged->arg[0]];
    if (lists->kind != STEP_CLOSE || lists->imm || f->readers[merged->arg[0]] != 1) return;
    graph_step *rows = &steps[lists->arg[0]];
    if (!is_kernel(rows, KERNEL_grid_rows) || steps[rows->arg[0]].scope != rows->scope) return;
    if (f->readers[lists->arg[0]] != 1) return;
    lists->arg[0] = rows->arg[0];
    lists->type = type_tuple(T_GRID);
    merged->kernel_id = KERNEL_stack;
    merged->type = s->type;
    s->kernel_id = KERNEL_identity;
}

/* ---- sets of one location ---- */

static int is_of_one(const graph_step *s) { return is_kernel(s, KERNEL_initset) && s->fails == FAILS_READERS; }

/* Between single locations, distances need no sets. */
static void measure_locations(fuser *f, graph_step *s) {
    if (!is_kernel(s, KERNEL_manhattan)) return;
    const graph_step *a = &f->p->steps[s->arg[0]], *b = &f->p->steps[s->arg[1]];
    if (!is_of_one(a) || !is_of_one(b)) return;
    s->kernel_id = KERNEL_manhattan_ij;
    s->arg[0] = a->arg[0];
    s->arg[1] = b->arg[0];
}

/* ---- numbers without their signs ---- */

static int is_sign_of(const fuser *f, uint32_t sign, uint32_t number) {
    const graph_step *s = &f->p->steps[sign];
    return (is_kernel(s, KERNEL_sign_int) || is_kernel(s, KERNEL_sign_ij)) && s->arg[0] == number &&
           s->fails == FAILS_READERS && f->readers[sign] == 1;
}

/* multiply(sign(x), x): the language has no other way to say it. */
static void take_absolute(fuser *f, graph_step *s) {
    if (!is_kernel(s, KERNEL_multiply_int) && !is_kernel(s, KERNEL_multiply_ij)) return;
    int first = is_sign_of(f, s->arg[0], s->arg[1]);
    if (!first && !is_sign_of(f, s->arg[1], s->arg[0])) return;
    s->kernel_id = s->kernel_id == KERNEL_multiply_int ? KERNEL_absolute_int : KERNEL_absolute_ij;
    forget(f, s->arg[!first]);
    s->arg[0] = s->arg[first];
    s->args = 1;
}

int fuse(pool *memory, arcl_program *p) {
    fuser f;
    if (p->count > LARGE_PROGRAM) return 1;
    if (!fuser_start(memory, p, &f)) return 0;
    for (uint32_t i = 0; i < (uint32_t)p->count; i++) {
        graph_step *s = &p->steps[i];
        measure_locations(&f, s);
        take_absolute(&f, s);
        stack_grids(&f, s);
        draw_lines(&f, i);
        if (can_be_stamped(&f, s)) stamp(&f, s);
    }
    return 1;
}
