/* A battery as the library sees it: programs by themselves, and the graphs that they were merged into. */
#ifndef ARCL_BATTERY_H
#define ARCL_BATTERY_H
#include "program/compiled.h"

/* Programs that run together. */
typedef struct battery_graph {
    arcl_program *program; /* of all of them */
    int first, count;      /* of the battery's `order` */
} battery_graph;

struct arcl_battery {
    int count;
    arcl_program **alone; /* NULL: rejected */
    int *order;           /* the others, graph by graph */
    int ordered;
    battery_graph *graphs;
    int graph_count;
    int parameters;
    type_code parameter[4];
    uint64_t steps_before, steps_after;
};

/* Which of the battery's parameters a program's parameter is. */
int battery_parameter(const arcl_battery *b, type_code type, int index);

#endif
