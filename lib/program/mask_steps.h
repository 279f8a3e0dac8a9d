/* Steps without masks: what lib/rewrite/mask_columns.c has chosen is taken back, step by step. For graphs whose steps
 * are shared with those of others, and for who wants to go on with words of results. */
#ifndef ARCL_MASK_STEPS_H
#define ARCL_MASK_STEPS_H
#include "program/graph.h"

/* What does the same with lists as that step of a program that has not been cut into parts. */
graph_step step_without_masks(const program_graph *p, uint32_t step);

/* All of them; the columns stay where they are. */
void graph_without_masks(program_graph *p);

#endif
