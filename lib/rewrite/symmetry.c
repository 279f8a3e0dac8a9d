/* Functions that do not care which of two elements comes first: prapply(connect, x, x) needs each pair of elements
 * only once, if what becomes of the results is a set. Finding that out is looking for the mirror image of every
 * step, which has the two elements exchanged: where each step has one in the scope, every other pair fails as its
 * mirror image does, and a column that is its own mirror image has nothing new to say there. */
#include "rewrite/passes.h"
#include "rewrite/uses.h"

#define MOST_STEPS 64 /* of a scope that is looked at: each is compared with all others */

typedef struct mirror {
    uses uses;
    uint32_t *image; /* per step, of the present scope */
    /* the present scope: */
    uint32_t scope;
    int count;
    uint32_t step[MOST_STEPS];
} mirror;

static uint32_t image_of(const mirror *m, uint32_t step) {
    return m->uses.p->steps[step].scope == m->scope ? m->image[step] : step;
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

/* Notes the steps of the scope, and which of them is the second element; 0 if there are too many. */
static int find_steps(mirror *m, uint32_t *second) {
    const uses *u = &m->uses;
    m->count = 0;
    *second = NO_STEP;
    if (u->together[m->scope] > MOST_STEPS) return 0;
    for (uint32_t i = u->first_in[m->scope]; i; i = u->next_in[i]) {
        if (u->p->steps[i - 1].kind == STEP_SECOND) *second = i - 1;
        m->image[i - 1] = NO_STEP;
        m->step[m->count++] = i - 1;
    }
    return 1;
}

/* Whether all steps of the scope have an image there. */
static int find_images(mirror *m) {
    const graph_step *steps = m->uses.p->steps;
    uint32_t opener = m->uses.p->scopes[m->scope].opener, second;
    if (!find_steps(m, &second)) return 0;
    for (int i = 0; i < m->count; i++) {
        const graph_step *s = &steps[m->step[i]];
        uint32_t *image = &m->image[m->step[i]];
        if (m->step[i] == opener)
            *image = second;
        else if (s->kind == STEP_SECOND)
            *image = opener;
        for (int other = 0; other < m->count && s->kind == STEP_KERNEL; other++)
            if (is_image(m, s, &steps[m->step[other]])) *image = m->step[other];
        if (*image == NO_STEP) return 0;
    }
    return 1;
}

/* Whether what leaves the scope of a step are lists that become sets, of a column that is its own image. */
static int leaves_as_a_set(const mirror *m, uint32_t step) {
    const uses *u = &m->uses;
    for (uint32_t use = u->first[step]; use; use = u->next[use]) {
        const graph_step *reader = &u->p->steps[use_reader(use)];
        if (reader->scope == m->scope) continue;
        if (reader->kind != STEP_CLOSE || reader->imm || m->image[step] != step) return 0;
        if (!becomes_a_set(u, use_reader(use))) return 0;
    }
    return 1;
}

static int is_symmetric(mirror *m, uint32_t scope) {
    m->scope = scope;
    if (!find_images(m)) return 0;
    for (int i = 0; i < m->count; i++)
        if (!leaves_as_a_set(m, m->step[i])) return 0;
    return 1;
}

static int is_over_one_container(const graph_step *s) { return s->kind == STEP_CROSS && s->arg[0] == s->arg[1]; }

static uint32_t first_candidate(const program_graph *p) {
    uint32_t i = 0;
    while (i < (uint32_t)p->count && !is_over_one_container(&p->steps[i])) i++;
    return i;
}

int halve_symmetric(pool *memory, program_graph *p) {
    mirror m;
    uint32_t i = first_candidate(p);
    if (i == (uint32_t)p->count) return 1; /* as most programs have none */
    m.image = pool_get(memory, (size_t)p->count * sizeof *m.image);
    if (!m.image || !uses_find(memory, p, &m.uses)) return 0;
    for (; i < (uint32_t)p->count; i++) {
        graph_step *s = &p->steps[i];
        if (is_over_one_container(s) && is_symmetric(&m, s->scope)) s->imm = 1;
    }
    return 1;
}
