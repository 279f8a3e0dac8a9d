/* Files of tasks, of many tasks, of solutions and of grids, as the command reads them: each reader gets every input.
 */
#include "arcl.h"
#include "cli/messages.h"
#include "data/grid_file.h"
#include "data/json_file.h"
#include "data/task_batch.h"
#include "fuzz/fuzz_file.h"
#include "fuzz/fuzz_target.h"

/* Grids have cells, and all of them can be batches' lanes. */
static void look_at(arcl_context *context, const task_set *set) {
    for (int i = 0; i < set->count; i++) {
        const arc_task *task = set->tasks[i];
        arcl_batch *batch = NULL;
        arcl_error error;
        if (task_set_find(set, task->id) < 0) abort();
        if (task_batch_of(context, TASK_WITH_PAIRS, task, &batch, &error) == ARCL_SUCCESS &&
            arcl_batch_lanes(batch) != (uint32_t)task->count)
            abort();
        arcl_batch_free(batch);
        for (int n = 0; n < task->count; n++)
            for (int cell = 0; cell < task->examples[n].input.h * task->examples[n].input.w; cell++)
                if (task->examples[n].input.cells[cell] < 0 || task->examples[n].input.cells[cell] > 9) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static arcl_context *context;
    task_set set = {0};
    grid_file grids = {0};
    arcl_options options = {.threads = 1, .device = "host"};
    if (!context) {
        json_file_prepare();
        message_set_quiet(1);
        if (arcl_context_create(&options, &context, NULL)) abort();
    }
    const char *path = fuzz_file("input.json", data, size);
    if (task_set_load(context, &path, 1, &set) == 0) {
        look_at(context, &set);
        if (task_set_add_solutions(&set, path) == 0) look_at(context, &set);
    }
    task_set_free(&set);
    grid_file_load(path, &grids);
    grid_file_free(&grids);
    return 0;
}
