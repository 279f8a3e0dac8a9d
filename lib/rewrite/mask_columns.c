/* Which columns of locations are masks (cl/mask.h): those of kernels that can make them, if all who read them take
 * them. What only looks at the bounds of a patch gets a list of two locations instead, from one step for all that do.
 *
 *     t1 = ofcolor t0 5                   t1 = ofcolor_mask t0 5
 *     t2 = ofcolor t0 2                   t2 = ofcolor_mask t0 2
 *                                         t3 = mask_bounds t2
 *     t3 = ulcorner t2                    t4 = ulcorner t3
 *     t4 = intersection t1 t2             t5 = intersection_mask t1 t2
 *     t5 = fill t0 3 t4                   t6 = fill_mask t0 3 t5
 *
 * A parameter is there both ways, from the beginning. A result may be a mask: who looks at it sees the locations
 * (lib/run/value_parts.c). This is the last pass, so that no other has to know of masks.
 */
#include <stdlib.h>

#include "ops/mask_table.h"
#include "rewrite/passes.h"
#include "rewrite/uses.h"

enum { IS_READ = 1, NEEDS_LIST = 2, IS_MASK_COLUMN = 4, HAS_BOUNDS = 8 };

typedef struct masker {
    program_graph *p;
    unsigned char *about; /* per step, some of the above */
    int bounds;           /* how many have them */
} masker;

static const mask_row *row_of(const graph_step *s) {
    return &mask_table[s->kind == STEP_KERNEL ? s->kernel_id : KERNEL_none];
}

static int is_parameter(const program_graph *p, const graph_step *s) {
    return s->kind == STEP_INPUT && p->parameter[s->imm] == TYPE_IJ_SET;
}

/* What can be masks without being made of any. */
static int is_source(const program_graph *p, const graph_step *s) {
    return is_kernel(s, KERNEL_ofcolor) || is_parameter(p, s);
}

static int is_location_set(const program_graph *p, uint32_t step) {
    return p->steps[step].type == TYPE_IJ_SET || is_source(p, &p->steps[step]);
}

/* Whether a kernel that makes sets makes one of locations, from two of them. The immediate is the type of the second
 * one. */
static int unites_locations(const program_graph *p, const graph_step *s) {
    return s->imm == TYPE_IJ_SET && is_location_set(p, s->arg[0]) && is_location_set(p, s->arg[1]);
}

static int takes_mask(const program_graph *p, const graph_step *s, int argument) {
    const mask_row *row = row_of(s);
    if (row->asks >> argument & 1) return 1;
    return (row->takes >> argument & 1) && (!row->makes || unites_locations(p, s));
}

static void note_reader(masker *m, const graph_step *s) {
    for (int a = 0; a < s->args; a++) m->about[s->arg[a]] |= takes_mask(m->p, s, a) ? IS_READ : NEEDS_LIST;
}

/* totuple makes no step of its own. */
static void note_results(masker *m) {
    for (int i = 0; i < m->p->results; i++)
        m->about[m->p->result[i]] |= m->p->result_type[i] == TYPE_IJ_SET ? IS_READ : NEEDS_LIST;
}

static int is_mask_column(const masker *m, uint32_t step) { return m->about[step] & IS_MASK_COLUMN; }
static int is_wanted_as_mask(const masker *m, uint32_t step) {
    return (m->about[step] & (IS_READ | NEEDS_LIST)) == IS_READ;
}

static int reads_masks(const masker *m, const graph_step *s) {
    for (int a = 0; a < s->args; a++)
        if (is_mask_column(m, s->arg[a]) && (row_of(s)->takes >> a & 1)) return 1;
    return 0;
}

static void ask_for_bounds(masker *m, const graph_step *s) {
    for (int a = 0; a < s->args; a++) {
        if (!is_mask_column(m, s->arg[a]) || !(row_of(s)->asks >> a & 1)) continue;
        m->bounds += !(m->about[s->arg[a]] & HAS_BOUNDS);
        m->about[s->arg[a]] |= HAS_BOUNDS;
    }
}

/* Sources are masks or stay what they are; what reads masks has to take them, whatever becomes of its result. */
static void choose_for(masker *m, uint32_t i) {
    program_graph *p = m->p;
    graph_step *s = &p->steps[i];
    const mask_row *row = row_of(s);
    int reads = reads_masks(m, s), makes = (row->makes || is_parameter(p, s)) && (is_source(p, s) || reads);
    ask_for_bounds(m, s);
    if (makes && is_wanted_as_mask(m, i)) m->about[i] |= IS_MASK_COLUMN;
    if (s->kind == STEP_INPUT && is_mask_column(m, i)) {
        s->imm += (uint64_t)p->parameters;
        p->masked = 1;
    }
    if (s->kind != STEP_KERNEL || !(reads || is_mask_column(m, i))) return;
    if (makes && !is_mask_column(m, i)) s->imm |= RESULT_AS_LIST;
    s->kernel_id = row->twin;
}

/* ---- bounds ---- */

/* Puts a step for the bounds right behind each step that has some, and lets those that ask for them read it. */
static int add_bounds(masker *m, pool *memory) {
    program_graph *p = m->p;
    uint32_t *place = pool_get(memory, (size_t)p->count * sizeof *place), next = 0;
    graph_step *steps = malloc((size_t)(p->count + m->bounds) * sizeof *steps);
    if (!place || !steps) {
        free(steps);
        return 0;
    }
    for (int i = 0; i < p->count; i++) {
        graph_step *s = &steps[place[i] = next++];
        *s = p->steps[i];
        for (int a = 0; a < s->args; a++) {
            uint32_t from = s->arg[a];
            s->arg[a] = place[from] + ((m->about[from] & HAS_BOUNDS) && (row_of(s)->asks >> a & 1));
        }
        if (!(m->about[i] & HAS_BOUNDS)) continue;
        steps[next++] = (graph_step){.kind = STEP_KERNEL,
                                     .kernel_id = KERNEL_mask_bounds,
                                     .scope = s->scope,
                                     .slot = s->slot,
                                     .args = 1,
                                     .arg = {place[i]},
                                     .type = TYPE_IJ_SET,
                                     .users = s->users};
    }
    free(p->steps);
    p->steps = steps;
    p->count = (int)next;
    renumber_steps(p, place);
    return 1;
}

/* ---- all steps ---- */

/* The first source from there on; if there is none, as in most programs, how many steps there are. */
static int next_source(const program_graph *p, int i) {
    while (i < p->count && !is_source(p, &p->steps[i])) i++;
    return i;
}

int choose_masks(pool *memory, program_graph *p) {
    int first = next_source(p, 0);
    if (first == p->count) return PASS_DONE;
    masker m = {.p = p, .about = pool_get(memory, (size_t)p->count)};
    if (!m.about) return PASS_NO_MEMORY;
    for (int i = first + 1; i < p->count; i++) note_reader(&m, &p->steps[i]);
    note_results(&m);
    while (first < p->count && !is_wanted_as_mask(&m, (uint32_t)first)) first = next_source(p, first + 1);
    for (uint32_t i = (uint32_t)first; i < (uint32_t)p->count; i++) choose_for(&m, i);
    return m.bounds && !add_bounds(&m, memory) ? PASS_NO_MEMORY : PASS_DONE;
}
