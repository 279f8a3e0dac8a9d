#include "commands/search/search_work.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

enum { MOST_PROGRAMS = 32 }; /* that are kept for a task */

/* ---- what the engine is given ---- */

typedef struct given {
    arcl_search_task task;
    arcl_grid *inputs, *outputs;
    const arcl_tree **donors;
} given;

static arcl_grid grid_of(const task_grid *grid) { return (arcl_grid){grid->h, grid->w, grid->cells}; }

/* Outputs of train examples, and no others. A task without a test is searched as if its first input were one. */
static void give_task(given *g, const arc_task *task) {
    size_t room = (size_t)task->count + 1;
    g->inputs = allocation_get(room, sizeof *g->inputs);
    g->outputs = allocation_get(room, sizeof *g->outputs);
    for (int i = 0; i < task->count; i++) {
        const task_example *e = &task->examples[i];
        if (strcmp(e->part, "test") == 0 || !e->output.cells) continue;
        g->inputs[g->task.train] = grid_of(&e->input);
        g->outputs[g->task.train++] = grid_of(&e->output);
    }
    for (int i = 0; i < task->count; i++)
        if (strcmp(task->examples[i].part, "test") == 0)
            g->inputs[g->task.train + g->task.test++] = grid_of(&task->examples[i].input);
    if (!g->task.test) g->inputs[g->task.train + g->task.test++] = g->inputs[0];
    g->task.inputs = g->inputs;
    g->task.outputs = g->outputs;
}

/* Returns how many there are. */
static int give_donors(given *g, const search_job *job, int task) {
    int count = 0;
    g->donors = allocation_get((size_t)job->donor_count, sizeof *g->donors);
    for (int i = 0; i < job->donor_count; i++)
        if (!job->options->leave_own_out || job->donors[i].own != task) g->donors[count++] = job->donors[i].tree;
    return count;
}

static void forget(given *g) {
    free(g->inputs);
    free(g->outputs);
    free(g->donors);
}

/* ---- what it gives ---- */

/* The words that programs ask for in the train examples, which search does not count. */
static arcl_status count_words(arcl_context *context, const given *g, arcl_program *const *programs, int count,
                               found_program *to, arcl_error *error) {
    arcl_batch *batch = NULL;
    const arcl_program **all = allocation_get((size_t)count, sizeof *all);
    const arcl_batch **batches = allocation_get((size_t)count, sizeof *batches);
    arcl_result **results = allocation_get((size_t)count, sizeof *results);
    arcl_status status = arcl_batch_create(context, "grid", &batch, error);
    if (status) batch = NULL;
    for (int i = 0; i < g->task.train && !status; i++)
        status = arcl_batch_add_grid(batch, g->inputs[i].h, g->inputs[i].w, g->inputs[i].cells, error);
    for (int i = 0; i < count; i++) {
        all[i] = programs[i];
        batches[i] = batch;
    }
    if (!status) status = arcl_score_many(context, count, all, batches, NULL, 0, results, error);
    for (int i = 0; i < count && !status; i++)
        for (int lane = 0; lane < g->task.train; lane++)
            to[i].words += arcl_result_score(results[i], (uint32_t)lane).words;
    for (int i = 0; i < count; i++) arcl_result_free(results[i]);
    arcl_batch_free(batch);
    free(all);
    free(batches);
    free(results);
    return status;
}

static arcl_status take_program(arcl_context *context, const arcl_search_answer *answer, found_task *found,
                                found_program *to, arcl_program **program, arcl_error *error) {
    arcl_compile_options options = {.grid_result = 1};
    char *text;
    arcl_status status =
        arcl_tree_format(context, answer->tree, "solve", arcl_tree_dialect(answer->tree), 0, &text, NULL, error);
    if (status) return status;
    *to = (found_program){.text = hoard_text(&found->memory, text),
                          .right = answer->examples,
                          .cells = answer->cells,
                          .calls = answer->calls,
                          .agreement = answer->agreeing,
                          .stage = arcl_search_stage_name(answer->stage)};
    arcl_text_free(text);
    return arcl_tree_compile(context, answer->tree, &options, program, error);
}

static arcl_status take_programs(arcl_context *context, const given *g, const arcl_search *search, found_task *found,
                                 arcl_error *error) {
    int count = arcl_search_answers(search);
    if (count > MOST_PROGRAMS) count = MOST_PROGRAMS;
    arcl_program *programs[MOST_PROGRAMS] = {0};
    arcl_status status = ARCL_SUCCESS;
    found->programs = hoard_get(&found->memory, (size_t)(count + 1) * sizeof *found->programs);
    for (int i = 0; i < count && !status; i++) {
        arcl_search_answer answer = arcl_search_answer_get(search, i);
        status = take_program(context, &answer, found, &found->programs[i], &programs[i], error);
    }
    found->program_count = count;
    if (!status && count) status = count_words(context, g, programs, count, found->programs, error);
    for (int i = 0; i < count; i++) arcl_program_free(programs[i]);
    return status;
}

static void take_stages(const arcl_search *search, found_task *found) {
    arcl_search_progress progress = arcl_search_progress_get(search);
    found->candidates = progress.candidates;
    found->distinct = progress.distinct;
    found->stages = hoard_get(&found->memory, ARCL_SEARCH_STAGE_COUNT * sizeof *found->stages);
    for (int i = 0; i < ARCL_SEARCH_STAGE_COUNT; i++)
        if (progress.stage[i].candidates || progress.stage[i].answers)
            found->stages[found->stage_count++] = (found_stage){progress.stage[i].name, progress.stage[i].candidates,
                                                                (uint64_t)progress.stage[i].answers};
}

static void take_attempts(const arcl_search *search, found_task *found) {
    _Static_assert((int)ARCL_SEARCH_ATTEMPTS == (int)ATTEMPTS, "a search hands in what a submission takes");
    for (int test = 0; test < found->test_count; test++) {
        arcl_grid grids[ARCL_SEARCH_ATTEMPTS];
        int count = arcl_search_attempts(search, test, grids);
        for (int i = 0; i < count; i++) {
            size_t cells = (size_t)(grids[i].h * grids[i].w);
            found->attempts[test][i] = (task_grid){grids[i].h, grids[i].w, hoard_get(&found->memory, cells)};
            memcpy(found->attempts[test][i].cells, grids[i].cells, cells);
        }
    }
}

/* ---- searching ---- */

/* A wish to end that came too late would end whatever is run next. */
static arcl_status use_up_wish(arcl_context *context, const given *g, arcl_error *error) {
    found_program ignored = {0};
    arcl_tree *tree;
    arcl_program *program = NULL;
    arcl_status status = arcl_tree_create(ARCL_ARC_DSL, "I", &tree, error);
    if (status) return status;
    status = arcl_tree_compile(context, tree, NULL, &program, error);
    if (!status) status = count_words(context, g, &program, 1, &ignored, error);
    arcl_program_free(status ? NULL : program);
    arcl_tree_free(tree);
    return status == ARCL_CANCELLED ? ARCL_SUCCESS : status;
}

static arcl_status run(const search_job *job, arcl_context *context, const given *g, arcl_search *search,
                       const search_watch *watch, arcl_error *error) {
    uint64_t candidates = job->options->candidates ? job->options->candidates : UINT64_MAX;
    watch->begins(watch->arg);
    arcl_status status = arcl_search_run(search, candidates, error);
    int ended = watch->ends(watch->arg);
    if (status == ARCL_CANCELLED) return ARCL_SUCCESS;
    return status || !ended ? status : use_up_wish(context, g, error);
}

arcl_status search_work_run(const search_job *job, arcl_context *context, int task, const search_watch *watch,
                            found_task **result, arcl_error *error) {
    given g = {0};
    arcl_search *search = NULL;
    found_task *found = found_task_create(job->tasks.tasks[task]);
    give_task(&g, found->task);
    arcl_search_options options = {.donor_count = give_donors(&g, job, task),
                                   .seed = job->options->seed,
                                   .memory = job->search_memory,
                                   .library = job->library};
    options.donors = g.donors;
    arcl_status status = arcl_search_create(context, &g.task, &options, &search, error);
    if (status)
        search = NULL;
    else
        status = run(job, context, &g, search, watch, error);
    if (!status) {
        take_stages(search, found);
        take_attempts(search, found);
        status = take_programs(context, &g, search, found, error);
    }
    if (status) {
        found_task_free(found);
        found = NULL;
    }
    arcl_search_free(search);
    forget(&g);
    *result = found;
    return status;
}
