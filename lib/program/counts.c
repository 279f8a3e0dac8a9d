#include "program/counts.h"

#include "program/execute.h"

void counts_add_steps(op_count *counts, const program_graph *p, const step_counter *steps) {
    for (int i = 0; i < p->count; i++) {
        op_count *c = &counts[step_main_kernel(&p->steps[i])];
        c->lanes += steps[i].lanes;
        c->words += steps[i].words;
        c->failures += steps[i].failures;
    }
}
