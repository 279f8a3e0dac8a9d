#include "program/mask_steps.h"

#include "ops/mask_table.h"

graph_step step_without_masks(const program_graph *p, uint32_t step) {
    graph_step s = p->steps[step];
    if (s.kind == STEP_INPUT && s.imm >= (uint64_t)p->parameters) s.imm -= (uint64_t)p->parameters;
    if (s.kind != STEP_KERNEL) return s;
    if (s.kernel_id == KERNEL_mask_bounds) s.kernel_id = KERNEL_identity;
    if (!mask_table[s.kernel_id].stands_for) return s;
    s.kernel_id = mask_table[s.kernel_id].stands_for;
    s.imm &= ~(uint64_t)RESULT_AS_LIST;
    return s;
}

void graph_without_masks(program_graph *p) {
    for (uint32_t i = 0; i < (uint32_t)p->count; i++) p->steps[i] = step_without_masks(p, i);
    p->masked = 0;
}
