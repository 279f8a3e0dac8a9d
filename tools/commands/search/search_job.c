#include "commands/search/search_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "commands/search/found_files.h"
#include "data/checksum.h"
#include "data/program_files.h"
#include "data/session.h"

/* What a search remembers decides what it finds, so it is the same however many there are: where memory is short, there
 * are fewer side by side. */
#define SEARCH_MEMORY ((uint64_t)128 << 20)
#define CONTEXT_MEMORY ((uint64_t)128 << 20)

/* ---- tasks ---- */

/* Returns 0, or -1 after a message. */
static int check_task(const arc_task *task) {
    if (!found_files_can_name(task->id))
        message_error("search: \"%.200s\" cannot be the name of a folder; ids of tasks are letters, digits, _, - and .",
                      task->id);
    else if (found_task_train(task) + found_task_tests(task) > ARCL_SEARCH_INPUTS)
        message_error("search: task %s has %d inputs; a search takes at most %d", task->id,
                      found_task_train(task) + found_task_tests(task), ARCL_SEARCH_INPUTS);
    else if (!found_task_train(task))
        message_error("search: task %s has no train example with an output, so that nothing can be right", task->id);
    else
        return 0;
    return -1;
}

static int load_tasks(search_job *job, arcl_context *context) {
    const cli_options *options = job->options;
    if (task_set_load(context, options->tasks.texts, options->tasks.count, &job->tasks)) return -1;
    if (options->solutions && task_set_add_solutions(&job->tasks, options->solutions)) return -1;
    for (int i = 0; i < job->tasks.count; i++)
        if (check_task(job->tasks.tasks[i])) return -1;
    return 0;
}

/* ---- donors ---- */

/* Those of --solvers, and the arguments that follow it. Free them. */
static char **solver_paths(const cli_options *options, int *count) {
    char **paths = allocation_get((size_t)(options->solvers.count + options->count), sizeof *paths);
    *count = 0;
    for (int i = 0; i < options->solvers.count; i++) paths[(*count)++] = (char *)(uintptr_t)options->solvers.texts[i];
    for (int i = 0; i < options->count; i++) paths[(*count)++] = options->arguments[i];
    return paths;
}

/* The tree of a program as a search takes it: of the input alone, and in the dialect of the first. */
static arcl_status make_donor(const search_job *job, arcl_context *context, const arcl_source *source, int index,
                              arcl_tree **donor, arcl_error *error) {
    arcl_tree *whole;
    arcl_status status = arcl_tree_from_source(context, source, index, &whole, error);
    if (status) return status;
    arcl_operand result = arcl_tree_result(whole);
    if (job->donor_count && arcl_tree_dialect(whole) != arcl_tree_dialect(job->donors[0].tree)) {
        char name[128];
        snprintf(error->message, sizeof error->message, "%s is in another dialect than the first solver",
                 arcl_source_name(source, index, name, sizeof name));
        status = ARCL_INVALID;
    } else if (strcmp(arcl_tree_parameters(whole), "I") == 0) {
        *donor = whole;
        return ARCL_SUCCESS;
    } else
        status = arcl_tree_create(arcl_tree_dialect(whole), "I", donor, error);
    if (!status && result.kind == ARCL_OPERAND_LINE) {
        status = arcl_tree_graft(*donor, 0, whole, result.number, &result, error);
        if (!status) status = arcl_tree_set_result(*donor, result, error);
        if (status) arcl_tree_free(*donor);
    }
    arcl_tree_free(whole);
    return status;
}

arcl_status search_job_add_donor(search_job *job, arcl_context *context, const arcl_source *source, int index,
                                 arcl_error *error) {
    arcl_tree *tree;
    arcl_status status = make_donor(job, context, source, index, &tree, error);
    if (status) return status;
    job->donors = allocation_resize(job->donors, (size_t)job->donor_count + 1, sizeof *job->donors);
    job->donors[job->donor_count++] = (search_donor){tree, -1};
    return ARCL_SUCCESS;
}

/* Programs that cannot be donors are left out, and the first of them says why. */
static void add_donors(search_job *job, arcl_context *context, const program_list *programs) {
    int left_out = 0;
    arcl_error error, why;
    for (int i = 0; i < programs->count; i++) {
        const program_entry *entry = &programs->entries[i];
        if (search_job_add_donor(job, context, entry->source, entry->index, &error) == ARCL_SUCCESS) {
            job->donors[job->donor_count - 1].own = task_set_match(&job->tasks, entry->program);
            continue;
        }
        allocation_check(&error);
        if (!left_out++) why = error;
    }
    if (left_out)
        message_note("%d of %d solvers are left out, the first because of this: %s", left_out, programs->count,
                     why.message);
}

static int load_donors(search_job *job, arcl_context *context) {
    program_list programs;
    int count;
    char **paths = solver_paths(job->options, &count);
    program_list_load(context, job->options->dialect, paths, count, &programs);
    free(paths);
    int bad = programs.bad;
    if (!bad) add_donors(job, context, &programs);
    program_list_free(&programs);
    if (!bad && count && !job->donor_count) {
        message_error("search: there is no program in %s", job->options->solvers.texts[0]);
        return -1;
    }
    return bad ? -1 : 0;
}

/* ---- the library ---- */

/* Returns 0, or -1 after a message. */
static int load_library(search_job *job, arcl_context *context) {
    const char *path = job->options->library;
    char why[512];
    size_t length;
    arcl_error error;
    if (!path) return 0;
    char *text = file_read(path, &length, why, sizeof why);
    if (!text) {
        message_error("%s", why);
        return -1;
    }
    arcl_status status = arcl_library_read(context, text, length, file_shown_name(path), &job->library, &error);
    free(text);
    if (status == ARCL_SUCCESS && arcl_library_dialect(job->library) == arcl_tree_dialect(job->donors[0].tree))
        return 0;
    if (status == ARCL_SUCCESS)
        message_error("search: %s was learned in another dialect than that of the solvers", file_shown_name(path));
    else {
        allocation_check(&error);
        job->library = NULL;
        message_error("%s", error.message);
    }
    return -1;
}

/* What results depend on of it, if there is one. Returns 0, or -1 after a message. */
static int sum_library(const search_job *job, arcl_context *context, uint64_t *sum) {
    arcl_error error;
    char *text;
    size_t length;
    *sum = CHECKSUM_START;
    if (!job->library) return 0;
    if (arcl_library_write(context, job->library, &text, &length, &error)) {
        allocation_check(&error);
        message_error("%s", error.message);
        return -1;
    }
    *sum = checksum_add(*sum, text, length);
    arcl_text_free(text);
    return 0;
}

/* ---- which job it is ---- */

static uint64_t add_grid(uint64_t sum, const task_grid *grid) {
    sum = checksum_add(sum, &(int32_t[]){grid->h, grid->w}, 2 * sizeof(int32_t));
    return checksum_add(sum, grid->cells, grid->cells ? (size_t)grid->h * (size_t)grid->w : 0);
}

/* What searches see of the tasks: no outputs of tests. */
static uint64_t sum_tasks(const task_set *tasks) {
    uint64_t sum = CHECKSUM_START;
    for (int i = 0; i < tasks->count; i++) {
        const arc_task *task = tasks->tasks[i];
        sum = checksum_add(sum, task->id, strlen(task->id) + 1);
        for (int j = 0; j < task->count; j++) {
            const task_example *e = &task->examples[j];
            sum = checksum_add(sum, e->part, strlen(e->part) + 1);
            sum = add_grid(sum, &e->input);
            if (strcmp(e->part, "test") != 0) sum = add_grid(sum, &e->output);
        }
    }
    return sum;
}

/* Returns 0, or -1 after a message. */
static int sum_donors(const search_job *job, arcl_context *context, uint64_t *sum) {
    arcl_error error;
    *sum = CHECKSUM_START;
    for (int i = 0; i < job->donor_count; i++) {
        arcl_key key;
        if (arcl_tree_key(context, job->donors[i].tree, &key, &error)) {
            allocation_check(&error);
            message_error("%s", error.message);
            return -1;
        }
        *sum = checksum_add(*sum, &(uint64_t[]){key.high, key.low}, 2 * sizeof(uint64_t));
        *sum = checksum_add(*sum, &job->donors[i].own, job->options->leave_own_out ? sizeof job->donors[i].own : 0);
    }
    return 0;
}

int search_job_identify(search_job *job, arcl_context *context) {
    const cli_options *o = job->options;
    uint64_t donors, library;
    char text[512], round[32] = "";
    if (job->round > 1) snprintf(round, sizeof round, " round=%d", job->round);
    if (sum_donors(job, context, &donors) || sum_library(job, context, &library)) return -1;
    snprintf(text, sizeof text,
             "search arcl=%s tasks=%016" PRIx64 " solvers=%016" PRIx64 " library=%016" PRIx64 " leave-own-out=%d "
             "seed=%" PRIu64 " candidates=%" PRIu64 " seconds=%" PRIu64 " budget=%" PRIu64 " search-memory=%" PRIu64
             "%s",
             arcl_version(), sum_tasks(&job->tasks), donors, job->library ? library : 0, o->leave_own_out, o->seed,
             o->candidates, o->seconds, o->budget, job->search_memory, round);
    free(job->identity);
    job->identity = allocation_text(text);
    return 0;
}

/* ---- limits ---- */

/* "2/8" */
static int parse_part(const char *text, search_part *part) {
    char rest;
    *part = (search_part){1, 1};
    if (!text) return 0;
    if (sscanf(text, "%9d/%9d%c", &part->part, &part->of, &rest) == 2 && part->of >= 1 && part->part >= 1 &&
        part->part <= part->of)
        return 0;
    message_error("search: --part %s: expected a number, / and how many parts there are, as in 2/8", text);
    return -1;
}

static void share_memory(search_job *job, int cores) {
    uint64_t all = job->options->memory ? job->options->memory : ARCL_DEFAULT_MEMORY;
    uint64_t most = all / (SEARCH_MEMORY + CONTEXT_MEMORY);
    job->threads = cores;
    if (most < (uint64_t)cores) {
        job->threads = most ? (int)most : 1;
        if (job->threads < cores)
            message_note("search: %d at a time instead of %d, for want of memory; --memory %dM is enough for all",
                         job->threads, cores, (int)((SEARCH_MEMORY + CONTEXT_MEMORY) >> 20) * cores);
    }
    job->search_memory = most ? SEARCH_MEMORY : all / 2;
    job->context_memory = all / (uint64_t)job->threads - job->search_memory;
    if (job->context_memory > CONTEXT_MEMORY && !job->options->memory) job->context_memory = CONTEXT_MEMORY;
}

/* ---- all of it ---- */

static int check_usage(const cli_options *o) {
    if (!o->tasks.count)
        message_error("search: --tasks is missing: a directory of tasks, a task file, or one file of many tasks");
    else if (!o->out)
        message_error("search: --out is missing: the folder for what is found");
    else if (!o->candidates && !o->seconds)
        message_error(
            "search: how long? --candidates N tries so many programs for each task, --seconds N takes so long");
    else if (o->rounds && o->part)
        message_error("search: --rounds hands on what was found for all tasks, and --part has only some of them");
    else if (!o->solvers.count && o->count)
        message_error("search: %s: solvers are given by --solvers", o->arguments[0]);
    else if (!o->solvers.count)
        message_error("search: there is nothing to begin with: --solvers are programs for other tasks");
    else
        return 0;
    return -1;
}

int search_job_open(search_job *job, const cli_options *options) {
    arcl_context *context;
    *job = (search_job){.options = options, .round = 1};
    if (check_usage(options) || parse_part(options->part, &job->part)) return CLI_BAD;
    int status = session_open(options, &context);
    if (status) return status;
    share_memory(job, arcl_context_threads(context));
    if (load_tasks(job, context) || load_donors(job, context) || load_library(job, context) ||
        search_job_identify(job, context))
        status = CLI_BAD;
    return session_close(options, context, status);
}

void search_job_close(search_job *job) {
    for (int i = 0; i < job->donor_count; i++) arcl_tree_free(job->donors[i].tree);
    free(job->donors);
    arcl_library_free(job->library);
    free(job->identity);
    task_set_free(&job->tasks);
    *job = (search_job){0};
}
