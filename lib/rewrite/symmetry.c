/* Functions that do not care which of two elements comes first: prapply(connect, x, x) needs each pair of elements only
 * once, if what becomes of the results is a set. Finding that out is looking for the mirror image of every step, which has
 * the two elements exchanged: where each step has one in the scope, every other pair fails as its mirror image does, and a
 * column that is its own mirror image has nothing new to say there. */
#include "rewrite/fuse.h"

#define MOST_STEPS 64 /* of a scope that is looked at */

typedef struct mirror {
    const arcl_program *p;
    uint32_t scope;
    int count;
    uint32_t step[MOST_STEPS], image[MOST_STEPS]; /* of the scope */
} mirror;

/* Where a step of the scope is in the lists; -1: it is of another scope. */
static int place_of(const mirror *m, uint32_t step) {
    for (int i = 0; i < m->count; i++)
        if (m->step[i] == step) return i;
    return -1;
}

static uint32_t image_of(const mirror *m, uint32_t step) {
    int place = place_of(m, step);
    return place < 0 ? step : m->image[place];
}

static int is_image(const mirror *m, const graph_step *s, const graph_step *other) {
    if (other->kind != STEP_KERNEL || other->kernel_id != s->kernel_id || other->imm != s->imm) return 0;
    if (kernel_has(s->kernel_id, COMMUTES) && other->arg[0] == image_of(m, s->arg[1]) &&
        other->arg[1] == image_of(m, s->arg[0]))
        return 1;
    for (int a = 0; a < s->args; a++)
        if (other->arg[a] != image_of(m, s->arg[a])) return 0;
    return 1;
}

/* Notes the steps of the scope and their images; whether all of them have one. */
static int find_images(mirror *m) {
    const graph_step *steps = m->p->steps;
    uint32_t opener = m->p->scopes[m->scope].opener, second = NO_STEP;
    for (uint32_t i = opener; i < (uint32_t)m->p->count; i++) {
        if (steps[i].scope != m->scope) continue;
        if (m->count == MOST_STEPS) return 0;
        if (steps[i].kind == STEP_SECOND) second = i;
        m->image[m->count] = NO_STEP;
        m->step[m->count++] = i;
    }
    for (int i = 0; i < m->count; i++) {
        const graph_step *s = &steps[m->step[i]];
        if (m->step[i] == opener)
            m->image[i] = second;
        else if (s->kind == STEP_SECOND)
            m->image[i] = opener;
        for (int other = 0; other < m->count && s->kind == STEP_KERNEL; other++)
            if (is_image(m, s, &steps[m->step[other]])) m->image[i] = m->step[other];
        if (m->image[i] == NO_STEP) return 0;
    }
    return 1;
}

/* Whether nobody else sees the lists than steps to which repeats and order are nothing. */
static int becomes_a_set(const arcl_program *p, uint32_t lists) {
    for (int i = 0; i < p->results; i++)
        if (p->result[i] == lists) return 0;
    for (int i = 0; i < p->count; i++)
        for (int a = 0; a < p->steps[i].args; a++)
            if (p->steps[i].arg[a] == lists && !makes_a_set(&p->steps[i])) return 0;
    return 1;
}

static int is_symmetric(const arcl_program *p, uint32_t scope) {
    mirror m = {.p = p, .scope = scope};
    if (!find_images(&m)) return 0;
    for (int i = 0; i < p->count; i++) {
        const graph_step *s = &p->steps[i];
        for (int a = 0; a < s->args && s->scope != scope; a++) {
            if (place_of(&m, s->arg[a]) < 0) continue;
            if (s->kind != STEP_CLOSE || s->imm || image_of(&m, s->arg[a]) != s->arg[a]) return 0;
            if (!becomes_a_set(p, (uint32_t)i)) return 0;
        }
    }
    return 1;
}

void halve_symmetric(arcl_program *p) {
    for (int i = 0; i < p->count && p->count <= LARGE_PROGRAM; i++) {
        graph_step *s = &p->steps[i];
        if (s->kind == STEP_CROSS && s->arg[0] == s->arg[1] && is_symmetric(p, s->scope)) s->imm = 1;
    }
}
