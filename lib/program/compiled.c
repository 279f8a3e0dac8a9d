#include "program/compiled.h"

#include <stdlib.h>

arcl_program *program_of(program_graph *graph) {
    arcl_program *p = graph ? calloc(1, sizeof *p) : NULL;
    if (p)
        p->graph = graph;
    else
        graph_free(graph);
    return p;
}

void arcl_program_free(arcl_program *p) {
    if (!p) return;
    graph_free(p->graph);
    if (p->plans) p->plans->forget(p->plans);
    free(p->identity);
    free(p);
}

arcl_program *program_copy(const arcl_program *p) {
    arcl_program *made = program_of(graph_copy(p->graph));
    if (made && p->identity && !(made->identity = program_identity_copy(p->identity))) {
        arcl_program_free(made);
        return NULL;
    }
    return made;
}

int arcl_program_steps(const arcl_program *p) { return p ? p->graph->count : 0; }
int arcl_program_parameters(const arcl_program *p) { return p ? p->graph->parameters : 0; }

char *arcl_program_parameter_type(const arcl_program *p, int index, char *buf, size_t size) {
    int there = p && index >= 0 && index < p->graph->parameters;
    return type_text(there ? p->graph->parameter[index] : T_NEVER, buf, size);
}

char *arcl_program_result_type(const arcl_program *p, char *buf, size_t size) {
    type_code t = p ? p->graph->result_type[0] : T_NEVER;
    return type_text(p && p->graph->triples ? type_as_triples(t) : t, buf, size);
}
