/* Cuts a program into parts that run one after the other, each as a program of its own, perhaps on different
 * devices. */
#ifndef ARCL_SPLIT_H
#define ARCL_SPLIT_H
#include "program/graph.h"

/* The places where a program can be cut: its steps from cut[i] to cut[i + 1] stay together and are called a unit.
 * Nothing but columns of the batch's lanes crosses a cut: a scope below them is opened and closed within one unit.
 * `cut` has room for p->count + 1 entries. Returns the number of units; -1 when there is no memory. */
int split_units(const program_graph *p, pool *memory, uint32_t *cut);

/* The columns that are made before step `cut` and read from there on, or are the result, into `column`, which has room
 * for p->count. Returns how many. The parameters are not among them. */
int split_carried(const program_graph *p, uint32_t cut, uint32_t *column);

/* Steps first .. last as a program: its inputs are the program's parameters, then the columns that are carried over the
 * cut before it; if it is not the last part, it has no result but the columns that are carried over the cut after
 * it. What all lanes share is made in the first part, all of it, so that its failures are known there, and again in
 * each part that reads it. */
ARCL_CHECKED arcl_status split_part(const program_graph *p, uint32_t first, uint32_t last, pool *memory,
                                    program_graph **part, arcl_error *error);

#endif
