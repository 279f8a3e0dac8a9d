#include "program/split.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/graph_check.h"
#include "program/mask_steps.h"

static int is_data(const graph_step *s) { return s->kind == STEP_CONST || s->kind == STEP_INPUT; }

/* ---- where to cut ---- */

/* The scope right below the batch's lanes that a scope belongs to; 0 for those lanes and what they share. */
static uint32_t top_scope(const program_graph *p, uint32_t scope) {
    if (p->scopes[scope].depth < 2) return 0;
    while (p->scopes[scope].depth > 2) scope = p->scopes[scope].parent;
    return scope;
}

static int can_be_carried(const graph_step *s) { return s->type && s->type != TYPE_VARIOUS; }

static void forbid(unsigned char *allowed, uint32_t first, uint32_t last) {
    if (last > first) memset(allowed + first + 1, 0, last - first);
}

int split_units(const program_graph *p, pool *memory, uint32_t *cut) {
    uint32_t count = (uint32_t)p->count;
    unsigned char *allowed = pool_get(memory, count + 1);
    uint32_t *last_use = pool_get(memory, count * sizeof *last_use);
    uint32_t *end = pool_get(memory, (size_t)p->scope_count * sizeof *end);
    int units = 0;
    if (!allowed || !last_use || !end) return -1;
    if (p->apart) { /* failures belong to columns, and no part leaves those of its columns to the next */
        cut[0] = 0;
        cut[1] = count;
        return 1;
    }
    memset(allowed, 1, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const graph_step *s = &p->steps[i];
        end[top_scope(p, s->scope)] = i;
        for (int a = 0; a < s->args; a++) {
            end[top_scope(p, p->steps[s->arg[a]].scope)] = i;
            last_use[s->arg[a]] = i;
        }
    }
    for (int i = 0; i < p->results; i++) last_use[p->result[i]] = count - 1;
    if (p->results > 1) last_use[p->which] = count - 1;
    for (int i = SCOPE_LANES + 1; i < p->scope_count; i++)
        if (p->scopes[i].depth == 2) forbid(allowed, p->scopes[i].opener, end[i]);
    for (uint32_t i = 0; i < count; i++)
        if (p->steps[i].scope == SCOPE_LANES && !is_data(&p->steps[i]) && !can_be_carried(&p->steps[i]))
            forbid(allowed, i, last_use[i]);
    for (uint32_t i = 0; i < count; i++) /* what is only data, or shared, goes with what comes after it */
        if (i == 0 || (allowed[i] && !is_data(&p->steps[i - 1]) && p->steps[i - 1].scope != SCOPE_SHARED))
            cut[units++] = i;
    cut[units] = count;
    return units;
}

int split_carried(const program_graph *p, uint32_t cut, uint32_t *column) {
    int carried = 0;
    for (uint32_t i = 0; i < cut; i++) {
        const graph_step *s = &p->steps[i];
        int wanted = 0;
        if (s->scope != SCOPE_LANES || is_data(s)) continue;
        for (uint32_t n = cut; n < (uint32_t)p->count && !wanted; n++)
            for (int a = 0; a < p->steps[n].args; a++) wanted |= p->steps[n].arg[a] == i;
        for (int n = 0; n < p->results; n++) wanted |= p->result[n] == i;
        wanted |= p->results > 1 && p->which == i;
        if (wanted) column[carried++] = i;
    }
    return carried;
}

/* ---- parts ---- */

typedef struct splitter {
    const program_graph *p;
    program_graph *part;
    uint32_t *moved; /* per step of p: its place in the part, + 1 */
} splitter;

static uint32_t add_step(splitter *s, uint32_t original, graph_step step) {
    s->part->steps[s->part->count] = step;
    s->moved[original] = (uint32_t)++s->part->count;
    return s->moved[original] - 1;
}

/* A step with what it reads: constants, parameters and what all lanes share are made again in each part. */
static uint32_t bring(splitter *s, uint32_t step) {
    if (s->moved[step]) return s->moved[step] - 1;
    graph_step copy = step_without_masks(s->p, step);
    for (int a = 0; a < copy.args; a++) copy.arg[a] = bring(s, copy.arg[a]);
    return add_step(s, step, copy);
}

static void bring_range(splitter *s, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++) {
        const graph_step *step = &s->p->steps[i];
        if (is_data(step) || step->scope == SCOPE_SHARED) continue; /* whoever reads it brings it */
        uint32_t at = bring(s, i);
        if (step->parent) s->part->scopes[step->scope].opener = at;
    }
}

/* All that all lanes share, in its order: what fails there first, or is too much for one budget, fails them all. */
static void bring_shared(splitter *s) {
    for (uint32_t i = 0; i < (uint32_t)s->p->count; i++)
        if (s->p->steps[i].scope == SCOPE_SHARED && !is_data(&s->p->steps[i])) bring(s, i);
}

static void *copy_of(const void *from, size_t size) {
    void *copy = from ? malloc(size + 1) : NULL;
    return copy ? memcpy(copy, from, size) : NULL;
}

/* A graph that keeps failures apart is never cut: its only part has all that it has. */
static arcl_status note_apart(splitter *s, arcl_error *error) {
    const program_graph *p = s->p;
    program_graph *part = s->part;
    part->apart = p->apart;
    part->programs = p->programs;
    part->set_count = p->set_count;
    part->charge_count = p->charge_count;
    part->sets = copy_of(p->sets, (size_t)p->set_count * sizeof *p->sets);
    part->charges = copy_of(p->charges, (size_t)p->charge_count * sizeof *p->charges);
    part->output = copy_of(p->output, (size_t)p->programs * sizeof *p->output);
    if (!part->sets || (p->charges && !part->charges) || (p->output && !part->output)) return NO_MEMORY(error);
    for (int i = 0; p->output && i < p->programs; i++) {
        program_output *o = &part->output[i];
        for (uint32_t n = 0; n < o->results; n++) o->result[n] = bring(s, o->result[n]);
        if (o->results > 1) o->which = bring(s, o->which);
    }
    return ARCL_SUCCESS;
}

static arcl_status note_results(splitter *s, uint32_t last, uint32_t *columns, arcl_error *error) {
    const program_graph *p = s->p;
    program_graph *part = s->part;
    if (p->apart) PROPAGATE(note_apart(s, error));
    if (last == (uint32_t)p->count) {
        part->results = p->results;
        memcpy(part->result_type, p->result_type, sizeof part->result_type);
        part->triples = p->triples;
        for (int i = 0; i < p->results; i++) part->result[i] = bring(s, p->result[i]);
        if (p->results > 1) part->which = bring(s, p->which);
        return ARCL_SUCCESS;
    }
    part->is_part = 1;
    part->outs = split_carried(p, last, columns);
    part->out = malloc(((size_t)part->outs + 1) * sizeof *part->out);
    if (!part->out) return NO_MEMORY(error);
    for (int i = 0; i < part->outs; i++) part->out[i] = bring(s, columns[i]);
    return ARCL_SUCCESS;
}

static arcl_status fill_part(splitter *s, uint32_t first, uint32_t last, uint32_t *columns, pool *memory,
                             arcl_error *error) {
    const program_graph *p = s->p;
    program_graph *part = s->part;
    part->steps = malloc(((size_t)p->count + 1) * sizeof *part->steps);
    part->scopes = malloc((size_t)p->scope_count * sizeof *part->scopes);
    if (!part->steps || !part->scopes) return NO_MEMORY(error);
    memcpy(part->scopes, p->scopes, (size_t)p->scope_count * sizeof *part->scopes);
    part->scope_count = p->scope_count;
    part->programs = 1;
    part->parameters = p->parameters;
    memcpy(part->parameter, p->parameter, sizeof part->parameter);
    part->carried = split_carried(p, first, columns);
    for (int i = 0; i < part->carried; i++)
        add_step(s, columns[i],
                 (graph_step){.kind = STEP_INPUT,
                              .scope = SCOPE_LANES,
                              .imm = (uint64_t)(p->parameters + i),
                              .type = p->steps[columns[i]].type});
    if (first == 0) bring_shared(s);
    bring_range(s, first, last);
    PROPAGATE(note_results(s, last, columns, error));
    graph_assert(part);
    return layout(memory, part, error);
}

arcl_status split_part(const program_graph *p, uint32_t first, uint32_t last, pool *memory, program_graph **part,
                       arcl_error *error) {
    splitter s = {.p = p, .part = calloc(1, sizeof *s.part)};
    uint32_t *columns = pool_get(memory, (size_t)p->count * sizeof *columns);
    s.moved = pool_get(memory, (size_t)p->count * sizeof *s.moved);
    *part = NULL;
    if (!s.part) return NO_MEMORY(error);
    arcl_status status = columns && s.moved ? fill_part(&s, first, last, columns, memory, error) : NO_MEMORY(error);
    if (status != ARCL_SUCCESS) {
        graph_free(s.part);
        return status;
    }
    *part = s.part;
    return ARCL_SUCCESS;
}
