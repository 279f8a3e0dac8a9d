/* What a graph that keeps failures apart has besides its steps (cl/apart.h): sets of programs, and who is charged for a
 * scope's lanes. */
#ifndef ARCL_LIB_APART_H
#define ARCL_LIB_APART_H
#include "program/graph.h"

/* Fills in the charges of all scopes from the steps' users, whose sets are there. The pool is needed only meanwhile. */
ARCL_CHECKED arcl_status apart_charges(pool *memory, program_graph *p, arcl_error *error);

/* Makes a graph of one program that keeps its failures apart. */
ARCL_CHECKED arcl_status apart_alone(pool *memory, program_graph *p, arcl_error *error);

#endif
