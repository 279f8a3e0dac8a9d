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

enum { TRIES = 4, FOR_TRIES = 64 }; /* where there are fewer examples, none of them comes before its turn */

uint32_t score_order_tries(uint32_t lanes) { return lanes < FOR_TRIES ? 0 : TRIES; }

/* Where a try would stand by its weight: behind four tenths of all, behind three, and so on. */
static uint32_t place_of_try(uint32_t number, uint32_t lanes) {
    return (uint32_t)((uint64_t)lanes * (TRIES - number) / 10);
}

/* Writes these lanes in their order, but the tries before all others. */
static void put_tries_first(const weighed *all, uint32_t count, score_lane *order) {
    uint32_t tries = score_order_tries(count), next = tries;
    for (uint32_t i = 0; i < tries; i++) order[i] = all[place_of_try(i, count)].lane;
    for (uint32_t i = 0, left = tries; i < count; i++)
        if (left && i == place_of_try(left - 1, count))
            left--;
        else
            order[next++] = all[i].lane;
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
    put_tries_first(all, count, order);
    free(all);
    return order;
}
