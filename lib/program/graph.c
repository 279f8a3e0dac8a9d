#include "program/graph.h"

#include <stdlib.h>
#include <string.h>

program_graph *graph_create(void) {
    program_graph *g = calloc(1, sizeof *g);
    if (g) g->programs = 1;
    return g;
}

void graph_free(program_graph *g) {
    if (!g) return;
    free(g->steps);
    free(g->scopes);
    free(g->out);
    free(g->output);
    free(g->sets);
    free(g->charges);
    free(g->notes);
    free(g);
}

static void *copy_of(const void *from, size_t bytes, int *failed) {
    void *to = from ? malloc(bytes ? bytes : 1) : NULL;
    *failed |= from && !to;
    if (to && bytes) memcpy(to, from, bytes);
    return to;
}

/* Whatever graph_free frees has to be copied here. */
program_graph *graph_copy(const program_graph *g) {
    int failed = 0;
    program_graph *made = copy_of(g, sizeof *g, &failed);
    if (!made) return NULL;
    made->steps = copy_of(g->steps, (size_t)g->count * sizeof *g->steps, &failed);
    made->scopes = copy_of(g->scopes, (size_t)g->scope_count * sizeof *g->scopes, &failed);
    made->out = copy_of(g->out, (size_t)g->outs * sizeof *g->out, &failed);
    made->output = copy_of(g->output, g->output ? (size_t)g->programs * sizeof *g->output : 0, &failed);
    made->sets = copy_of(g->sets, (size_t)g->set_count * sizeof *g->sets, &failed);
    made->charges = copy_of(g->charges, (size_t)g->charge_count * sizeof *g->charges, &failed);
    made->notes = copy_of(g->notes, (size_t)g->count * sizeof *g->notes, &failed);
    if (!failed) return made;
    graph_free(made);
    return NULL;
}

int graph_take_notes(program_graph *g) {
    g->notes = malloc((size_t)g->count * sizeof *g->notes + 1);
    for (int i = 0; g->notes && i < g->count; i++) {
        graph_step *s = &g->steps[i];
        g->notes[i] = (step_note){s->slot, (int32_t)s->users - 1};
        s->slot = s->users = 0;
    }
    return g->notes != NULL;
}

void graph_drop_unused_parameters(program_graph *g) {
    int number[MAX_PARAMETERS], used[MAX_PARAMETERS] = {0}, kept = 0;
    while (kept < g->parameters && g->parameter[kept] == T_GRID) kept++;
    if (kept == g->parameters) return; /* as of most programs: grids stay */
    kept = 0;
    for (int i = 0; i < g->count; i++)
        if (g->steps[i].kind == STEP_INPUT) used[g->steps[i].imm] = 1;
    for (int i = 0; i < g->parameters; i++) {
        number[i] = kept;
        if (used[i] || g->parameter[i] == T_GRID) g->parameter[kept++] = g->parameter[i];
    }
    g->parameters = kept;
    for (int i = 0; i < g->count; i++)
        if (g->steps[i].kind == STEP_INPUT) g->steps[i].imm = (uint64_t)number[g->steps[i].imm];
}
