/* Of each task, a record has the exit status of its search; the microseconds that it took; and the line of what was
 * found, if that is fine. */
#include "commands/search/search_portions.h"

#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"

/* ---- making records ---- */

typedef struct gathered {
    const search_portions *all;
    portion units;
    found_task **found; /* by unit */
} gathered;

static int gather(void *arg, found_task *found) {
    gathered *g = arg;
    const task_set *tasks = &g->all->job->tasks;
    for (uint64_t unit = g->units.first; unit < g->units.end; unit++)
        if (tasks->tasks[g->all->tasks[unit]] == found->task) g->found[unit - g->units.first] = found;
    return 0;
}

static void put_found(byte_list *record, const found_task *found, int status) {
    bytes_put_number(record, (uint64_t)(found ? CLI_DONE : status));
    if (!found) return;
    char *line = found_task_line(found);
    bytes_put_number(record, (uint64_t)(found->seconds * 1e6));
    bytes_put_text(record, line);
    free(line);
}

static int run(void *self, portion units, byte_list *record) {
    const search_portions *all = self;
    int count = (int)(units.end - units.first);
    gathered g = {.all = all, .units = units, .found = allocation_get((size_t)count, sizeof *g.found)};
    int status = search_crew_run(all->job, all->tasks + units.first, count, gather, &g);
    for (int i = 0; i < count; i++) {
        put_found(record, g.found[i], status ? status : CLI_BAD);
        found_task_free(g.found[i]);
    }
    free(g.found);
    return status == CLI_DEVICE || interrupt_has_come() ? CLI_DEVICE : CLI_DONE;
}

/* ---- taking them ---- */

static int use_found(search_portions *all, byte_reader *from, uint64_t unit) {
    int status = (int)bytes_get_number(from);
    if (status > all->status) all->status = status;
    if (status) return CLI_DONE;
    double seconds = (double)bytes_get_number(from) * 1e-6;
    uint64_t length = bytes_get_number(from);
    const char *line = (const char *)bytes_get(from, (size_t)length + 1);
    const task_set *tasks = &all->job->tasks;
    found_task *found = line ? found_task_read(tasks->tasks[all->tasks[unit]]->id, line, (size_t)length, tasks) : NULL;
    if (!found) return CLI_BAD;
    found->seconds = seconds;
    return all->use(all->arg, found) ? CLI_BAD : CLI_DONE;
}

static int arrived(void *self, portion units, const unsigned char *record, size_t length) {
    byte_reader from = {.at = record, .end = record + length};
    int status = CLI_DONE;
    for (; units.first < units.end && status == CLI_DONE; units.first++) status = use_found(self, &from, units.first);
    return status;
}

/* It is in its folder. */
static int take(void *self, portion units, const unsigned char *record, size_t length) {
    (void)self;
    (void)units;
    (void)record;
    (void)length;
    return 0;
}

static double cost(const void *self, portion units) {
    (void)self;
    return (double)(units.end - units.first);
}

portion_job search_portions_job(search_portions *all) {
    return (portion_job){.self = all,
                         .what = "tasks",
                         .units = (uint64_t)all->count,
                         .each = 1,
                         .usual = 1,
                         .together = (uint64_t)all->job->threads,
                         .kept_in = all->job->options->out,
                         .cost = cost,
                         .run = run,
                         .arrived = arrived,
                         .take = take};
}
