#include "commands/score/score_order.h"

#include <stdlib.h>

#include "cli/allocation.h"

/* Cells that differ from the one beside or below them: that many borders have objects, of which most programs that take
 * long are about. */
static int borders(const task_grid *grid) {
    int count = 0;
    for (int i = 0; i < grid->h; i++)
        for (int j = 0; j < grid->w; j++) {
            const signed char *cell = &grid->cells[i * grid->w + j];
            count += (j + 1 < grid->w && cell[0] != cell[1]) + (i + 1 < grid->h && cell[0] != cell[grid->w]);
        }
    return count;
}

typedef struct weighed {
    score_lane lane;
    int weight;
} weighed;

static int heaviest_first(const void *a, const void *b) {
    const weighed *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return x->lane.number < y->lane.number ? -1 : 1;
}

score_lane *score_order(const score_tasks *tasks) {
    weighed *all = allocation_get(tasks->lanes, sizeof *all);
    score_lane *order = allocation_get(tasks->lanes, sizeof *order);
    uint32_t count = 0;
    for (int i = 0; i < tasks->count; i++)
        for (int j = 0; j < tasks->tasks[i]->count; j++, count++) {
            const task_grid *input = &tasks->tasks[i]->examples[j].input;
            all[count] = (weighed){{i, j, count}, 2 * input->h * input->w + borders(input)};
        }
    if (count) qsort(all, count, sizeof *all, heaviest_first);
    for (uint32_t i = 0; i < count; i++) order[i] = all[i].lane;
    free(all);
    return order;
}
