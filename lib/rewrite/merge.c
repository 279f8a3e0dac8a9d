/* Merging is value numbering over compiled programs: a program's steps are entered one after the other, and a step that
 * is there already is used again, scopes included. Every step knows the set of programs that it belongs to.
 *
 * In a program by itself a failure stops its lane. Here it follows the data (cl/apart.h), so two things are added that
 * a strict program need not say: that failures of the steps of the batch's lanes are failures of the program, and, with
 * `guard` steps, that a failure in a scope below reaches the scope above even if nothing is made of the step that
 * failed (lib/rewrite/loose_ends.c).
 */
#include "rewrite/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/graph_check.h"
#include "program/mask_steps.h"
#include "program/step_table.h"
#include "rewrite/charges.h"
#include "rewrite/loose_ends.h"

typedef struct merger {
    pool *memory;
    program_graph *graph; /* its steps and scopes are in the pool until the end */
    uint32_t step_room, scope_room;
    uint64_t *users; /* per step: the programs that it belongs to */
    step_table table;
    /* the program that is being entered: */
    const merge_member *member;
    uint64_t self;         /* its bit */
    uint32_t *step_moved;  /* where each of its steps is */
    uint32_t *scope_moved; /* and each of its scopes */
    loose_ends ends;
} merger;

static void *grown(pool *memory, void *array, uint32_t used, uint32_t room, size_t size) {
    void *larger = pool_get(memory, room * size);
    if (larger && used) memcpy(larger, array, used * size);
    return larger;
}

static int make_room(merger *m) {
    program_graph *g = m->graph;
    if ((uint32_t)g->count == m->step_room) {
        m->step_room = m->step_room ? 2 * m->step_room : 256;
        g->steps = grown(m->memory, g->steps, (uint32_t)g->count, m->step_room, sizeof *g->steps);
        m->users = grown(m->memory, m->users, (uint32_t)g->count, m->step_room, sizeof *m->users);
    }
    if ((uint32_t)g->scope_count == m->scope_room) {
        m->scope_room = m->scope_room ? 2 * m->scope_room : 64;
        g->scopes = grown(m->memory, g->scopes, (uint32_t)g->scope_count, m->scope_room, sizeof *g->scopes);
    }
    if (!g->steps || !m->users || !g->scopes) return 0;
    return !step_table_is_full(&m->table, (uint32_t)g->count) ||
           step_table_grow(&m->table, m->memory, g->steps, (uint32_t)g->count);
}

/* Enters a step whose arguments and scopes are the graph's; -1 when there is no memory. The body of a loop runs
 * again and again, so a loop is nobody else's. */
static int64_t enter(merger *m, graph_step s) {
    program_graph *g = m->graph;
    if (!make_room(m)) return -1;
    uint32_t none = 0, *slot = s.kind == STEP_LOOP ? &none : step_table_find(&m->table, g->steps, &s);
    if (*slot) {
        m->users[*slot - 1] |= m->self;
        return *slot - 1;
    }
    if (s.parent) {
        s.scope = (uint32_t)g->scope_count++;
        g->scopes[s.scope] =
            (graph_scope){.parent = s.parent, .depth = g->scopes[s.parent].depth + 1, .opener = (uint32_t)g->count};
        if (s.kind == STEP_LOOP) s.imm = s.scope; /* until the layout says where it ends */
    }
    g->steps[g->count] = s;
    m->users[g->count] = m->self;
    *slot = (uint32_t)g->count + 1;
    return g->count++;
}

/* The column that argument `a` of step i is in the graph; guarded, where failures would be lost otherwise. */
static int64_t moved_argument(merger *m, uint32_t i, int a) {
    const graph_step *s = &m->member->program->steps[i];
    int64_t column = m->step_moved[s->arg[a]];
    if (m->graph->apart != APART_STRICT) return column;
    uint32_t loose;
    for (uint32_t from = 0; column >= 0 && loose_ends_next(&m->ends, i, a, &from, &loose);)
        column = enter(m, (graph_step){.kind = STEP_KERNEL,
                                       .kernel_id = KERNEL_guard,
                                       .scope = m->scope_moved[m->member->program->steps[s->arg[a]].scope],
                                       .args = 2,
                                       .arg = {(uint32_t)column, m->step_moved[loose]}});
    return column;
}

static int enter_step(merger *m, uint32_t i) {
    const graph_step *bounds = &m->member->program->steps[i];
    if (bounds->kind == STEP_KERNEL && bounds->kernel_id == KERNEL_mask_bounds) { /* lists have their own */
        m->step_moved[i] = m->step_moved[bounds->arg[0]];
        return 1;
    }
    graph_step s = step_without_masks(m->member->program, i); /* one step for all who share it */
    uint32_t scope = s.scope;
    for (int a = 0; a < s.args; a++) {
        int64_t column = moved_argument(m, i, a);
        if (column < 0) return 0;
        s.arg[a] = (uint32_t)column;
    }
    if (s.parent)
        s.parent = m->scope_moved[s.parent];
    else
        s.scope = m->scope_moved[s.scope];
    s.slot = 0;
    if (s.kind == STEP_INPUT) s.imm = (uint64_t)m->member->parameter[s.imm];
    if (m->graph->apart == APART_STRICT && scope <= SCOPE_LANES) s.fails |= FAILS_USERS;
    int64_t at = enter(m, s);
    if (at < 0) return 0;
    m->step_moved[i] = (uint32_t)at;
    if (s.parent) m->scope_moved[scope] = m->graph->steps[at].scope;
    return 1;
}

static int enter_program(merger *m, const merge_member *member, int number) {
    const program_graph *p = member->program;
    program_output *o = &m->graph->output[number];
    m->member = member;
    m->self = (uint64_t)1 << number;
    m->step_moved = pool_get(m->memory, (size_t)p->count * sizeof *m->step_moved);
    m->scope_moved = pool_get(m->memory, (size_t)p->scope_count * sizeof *m->scope_moved);
    if (!m->step_moved || !m->scope_moved || !loose_ends_find(m->memory, p, &m->ends)) return 0;
    m->scope_moved[SCOPE_LANES] = SCOPE_LANES;
    for (uint32_t i = 0; i < (uint32_t)p->count; i++)
        if (!enter_step(m, i)) return 0;
    o->results = (uint32_t)p->results;
    memcpy(o->type, p->result_type, sizeof o->type);
    m->graph->triples |= p->triples & 1 ? m->self : 0;
    for (int i = 0; i < p->results; i++) o->result[i] = m->step_moved[p->result[i]];
    if (p->results > 1) o->which = m->step_moved[p->which];
    return 1;
}

/* The sets of programs that have numbers, by what they are. */
typedef struct set_table {
    uint32_t *slot; /* number + 1 */
    uint32_t slots; /* a power of two, more than there are steps */
} set_table;

static uint32_t *find_set(const set_table *t, const uint64_t *sets, uint64_t set) {
    uint64_t h = set * 0x9e3779b97f4a7c15u;
    for (h ^= h >> 32;; h++) {
        uint32_t *slot = &t->slot[h & (t->slots - 1)];
        if (*slot == 0 || sets[*slot - 1] == set) return slot;
    }
}

/* Numbers the sets of programs that steps belong to. */
static int number_sets(merger *m) {
    program_graph *g = m->graph;
    set_table table = {.slots = 1};
    int room = 0;
    while (table.slots <= (uint32_t)g->count) table.slots *= 2;
    table.slot = pool_get(m->memory, table.slots * sizeof *table.slot);
    if (!table.slot) return 0;
    for (int i = 0; i < g->count; i++) {
        uint32_t *slot = find_set(&table, g->sets, m->users[i]);
        if (!*slot) {
            if (g->set_count == room) {
                room = room ? 2 * room : 16;
                uint64_t *larger = realloc(g->sets, (size_t)room * sizeof *larger);
                if (!larger) return 0;
                g->sets = larger;
            }
            g->sets[g->set_count] = m->users[i];
            *slot = (uint32_t)++g->set_count;
        }
        g->steps[i].users = *slot - 1;
    }
    return 1;
}

static void *owned(const void *array, size_t size) {
    void *copy = malloc(size + 1);
    return copy ? memcpy(copy, array, size) : NULL;
}

static int merge_all(merger *m, const merge_member *members, int count) {
    program_graph *g = m->graph;
    if (!make_room(m) || !step_table_grow(&m->table, m->memory, g->steps, 0)) return 0;
    g->scopes[SCOPE_LANES] = (graph_scope){.parent = SCOPE_SHARED, .depth = 1};
    g->scope_count = SCOPE_LANES + 1;
    for (int i = 0; i < count; i++)
        if (!enter_program(m, &members[i], i)) return 0;
    return number_sets(m);
}

arcl_status merge_programs(pool *memory, const merge_member *members, int count, int parameters,
                           const type_code *parameter, program_graph **graph, arcl_error *error) {
    program_graph *g = calloc(1, sizeof *g);
    merger m = {.memory = memory, .graph = g};
    *graph = NULL;
    if (!g) return NO_MEMORY(error);
    g->apart = members[0].program->apart == APART_SAFE ? APART_SAFE : APART_STRICT;
    g->programs = count;
    g->output = calloc((size_t)count, sizeof *g->output);
    g->parameters = parameters;
    memcpy(g->parameter, parameter, (size_t)parameters * sizeof *parameter);
    int done = g->output && merge_all(&m, members, count);
    g->steps = done ? owned(g->steps, (size_t)g->count * sizeof *g->steps) : NULL;
    g->scopes = done ? owned(g->scopes, (size_t)g->scope_count * sizeof *g->scopes) : NULL;
    arcl_status status = ARCL_SUCCESS;
    if (!g->steps || !g->scopes) status = NO_MEMORY(error);
    if (status == ARCL_SUCCESS && graph_assert(g)) status = apart_charges(memory, g, error);
    if (status == ARCL_SUCCESS) status = layout(memory, g, error);
    if (status == ARCL_SUCCESS)
        *graph = g;
    else
        graph_free(g);
    return status;
}
