/* Turns "reads" around into "is read by", which is what the planner's methods need. */
#include "plan/planner_view.h"

/* Adds every reader of every value at the value's end, or only counts them there. A unit that reads a value again finds
 * itself as its latest reader. */
static void add_readers(const planner_problem *p, uint32_t *end, uint32_t *latest, uint32_t *reader) {
    for (int value = 0; value <= p->units; value++) latest[value] = PLANNER_INPUT;
    for (uint32_t u = 0; u < (uint32_t)p->units; u++) {
        for (uint32_t i = 0; i < p->unit[u].uses; i++) {
            int value = planner_value_of(p, p->use[p->unit[u].first_use + i]);
            if (latest[value] == u) continue;
            latest[value] = u;
            if (reader) reader[end[value]] = u;
            end[value]++;
        }
    }
}

int planner_view_make(pool *memory, const planner_problem *p, planner_view *v) {
    size_t values = (size_t)p->units + 1, uses = 0;
    for (int u = 0; u < p->units; u++) uses += p->unit[u].uses;
    *v = (planner_view){.problem = p,
                        .first_reader = pool_get(memory, (values + 1) * sizeof *v->first_reader),
                        .reader = pool_get(memory, uses * sizeof *v->reader),
                        .is_result = pool_get(memory, values)};
    uint32_t *latest = pool_get(memory, values * sizeof *latest);
    if (!v->first_reader || !v->reader || !v->is_result || !latest) return 0;

    /* The ends begin as beginnings and, once every reader is there, are the beginnings of the next values. */
    uint32_t *end = v->first_reader + 1, sum = 0;
    add_readers(p, end, latest, NULL);
    for (size_t value = 0; value < values; value++) {
        uint32_t count = end[value];
        end[value] = sum;
        sum += count;
    }
    add_readers(p, end, latest, v->reader);
    for (int i = 0; i < p->results; i++) v->is_result[p->result[i]] = 1;
    return 1;
}
