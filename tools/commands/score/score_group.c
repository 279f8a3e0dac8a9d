/* What runs together is decided here; what a program is compiled to and how a battery runs is the library's business.
 * Prints nothing about programs: score_output.c does. */
#include "commands/score/score_group.h"

#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/stopwatch.h"

/* Jobs of one target, and what they were compiled to. */
typedef struct job_battery {
    score_job **jobs;
    int count;
    arcl_battery *battery;
} job_battery;

typedef struct group {
    arcl_context *context;
    score_job **order; /* all jobs: those of batteries one after the other, and at the end those that run alone */
    score_job **alone;
    int alone_count;
    job_battery *batteries;
    int battery_count;
} group;

/* ---- which jobs make a battery ---- */

static int compare_targets(const void *x, const void *y) {
    const score_job *a = *(score_job *const *)x, *b = *(score_job *const *)y;
    int first_a = a->target ? a->target->of.first : -1, first_b = b->target ? b->target->of.first : -1;
    return first_a != first_b ? first_a - first_b : a->number - b->number;
}

/* A target that only one job has is no reason for a battery. */
static void divide(group *g, score_job *jobs, int count, int as_batteries) {
    score_job **sorted = allocation_get((size_t)count, sizeof *sorted);
    int placed = 0, alone = count;
    for (int i = 0; i < count; i++) sorted[i] = &jobs[i];
    if (as_batteries) qsort(sorted, (size_t)count, sizeof *sorted, compare_targets);
    for (int i = 0, n; i < count; i += n) {
        n = 1;
        while (as_batteries && sorted[i]->target && i + n < count && sorted[i + n]->target == sorted[i]->target) n++;
        if (n == 1) {
            g->order[--alone] = sorted[i];
            continue;
        }
        g->batteries[g->battery_count++] = (job_battery){&g->order[placed], n, NULL};
        for (int k = 0; k < n; k++) g->order[placed++] = sorted[i + k];
    }
    g->alone = &g->order[alone];
    g->alone_count = count - alone;
    free(sorted);
}

/* ---- compiling ---- */

static void compile_alone(void *arg, uint32_t index) {
    group *g = arg;
    score_job_compile(g->context, g->alone[index]);
}

/* Returns 0, or -1 after a message. */
static int compile_battery(arcl_context *context, job_battery *b) {
    size_t n = (size_t)b->count;
    arcl_definition *definitions = allocation_get(n, sizeof *definitions);
    arcl_error *errors = allocation_get(n, sizeof *errors), error;
    arcl_compile_options options = {.grid_result = 1, .policy = b->jobs[0]->program->policy};
    for (int i = 0; i < b->count; i++)
        definitions[i] = (arcl_definition){b->jobs[i]->program->source, b->jobs[i]->program->index};
    int failed = arcl_battery_compile(context, definitions, b->count, &options, &b->battery, errors, &error) != 0;
    if (failed) message_error("%s", error.message);
    for (int i = 0; i < b->count && !failed; i++) {
        allocation_check(&errors[i]);
        const arcl_program *program = arcl_battery_program(b->battery, i);
        score_job *job = b->jobs[i];
        job->work.error = errors[i];
        job->rejected = !program || program_entry_check(job->program, program, &job->work.error);
    }
    free(definitions);
    free(errors);
    return failed ? -1 : 0;
}

static int compile(group *g) {
    arcl_parallel(g->context, (uint32_t)g->alone_count, compile_alone, g);
    for (int i = 0; i < g->battery_count; i++)
        if (compile_battery(g->context, &g->batteries[i])) return CLI_BAD;
    return CLI_DONE;
}

/* ---- batches ---- */

static int prepare(arcl_context *context, score_job *job, int form) {
    job->work.batch = score_target_batch(context, job->target, form);
    job->work.expected = job->target->expected;
    return job->work.batch ? CLI_DONE : CLI_BAD;
}

static int can_run(const score_job *job) { return job->target && !job->rejected; }

/* Whatever it shares its battery with, a program that can run has the input for a parameter. */
static int battery_form(const arcl_battery *battery) {
    return arcl_battery_parameters(battery) > 1 ? TASK_WITH_PAIRS : TASK_INPUT;
}

static int prepare_all(group *g) {
    int status = CLI_DONE;
    for (int i = 0; i < g->alone_count && !status; i++)
        if (can_run(g->alone[i])) status = prepare(g->context, g->alone[i], task_form_of(g->alone[i]->work.program));
    for (int i = 0; i < g->battery_count; i++)
        for (int k = 0; k < g->batteries[i].count && !status; k++)
            if (can_run(g->batteries[i].jobs[k]))
                status = prepare(g->context, g->batteries[i].jobs[k], battery_form(g->batteries[i].battery));
    return status;
}

/* ---- running ---- */

static int run_alone(group *g) {
    session_work **works = allocation_get((size_t)g->alone_count + 1, sizeof *works);
    int ready = 0;
    for (int i = 0; i < g->alone_count; i++)
        if (can_run(g->alone[i])) works[ready++] = &g->alone[i]->work;
    int status = session_run(g->context, ready, works);
    free(works);
    return status;
}

/* A program that is rejected although it compiles gives a result that nobody wants. */
static int run_battery(arcl_context *context, const job_battery *b) {
    size_t n = (size_t)b->count;
    session_work **works = allocation_get(n, sizeof *works);
    const session_work *any = NULL;
    for (int i = 0; i < b->count; i++) {
        works[i] = &b->jobs[i]->work;
        if (can_run(b->jobs[i])) any = works[i];
    }
    int status = any ? session_run_battery(context, b->battery, any->batch, any->expected, 0, works) : CLI_DONE;
    free(works);
    return status;
}

static int run(group *g) {
    int status = run_alone(g);
    for (int i = 0; i < g->battery_count && !status; i++) status = run_battery(g->context, &g->batteries[i]);
    return status;
}

/* ---- all of it ---- */

static int run_phases(group *g, score_times *times) {
    double start = stopwatch_now();
    int status = compile(g);
    double compiled = stopwatch_now();
    if (!status) status = prepare_all(g);
    double prepared = stopwatch_now(), planned = arcl_report_runs(g->context).planning;
    if (!status) status = run(g);
    double planning = (arcl_report_runs(g->context).planning - planned) * 1e-9;
    times->compile += compiled - start;
    times->read += prepared - compiled;
    times->plan += planning;
    times->run += stopwatch_now() - prepared - planning;
    return status;
}

int score_group_run(arcl_context *context, score_job *jobs, int count, int as_batteries, score_times *times) {
    group g = {.context = context};
    g.order = allocation_get((size_t)count, sizeof *g.order);
    g.batteries = allocation_get((size_t)count, sizeof *g.batteries);
    divide(&g, jobs, count, as_batteries);
    int status = run_phases(&g, times);
    for (int i = 0; i < g.battery_count; i++) arcl_battery_free(g.batteries[i].battery);
    free(g.batteries);
    free(g.order);
    return status;
}
