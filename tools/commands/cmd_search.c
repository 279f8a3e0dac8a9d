/* arcl search: looks for a program for every task, many tasks side by side, and keeps what it finds in a folder from
 * which a later run goes on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/number_text.h"
#include "cli/options.h"
#include "cli/stopwatch.h"
#include "commands/search/found_files.h"
#include "commands/search/search_command.h"
#include "commands/search/search_crew.h"
#include "commands/search/search_files.h"
#include "commands/search/search_folder.h"
#include "commands/search/search_job.h"
#include "commands/search/search_offers.h"
#include "commands/search/search_portions.h"
#include "commands/search/search_totals.h"
#include "data/session.h"
#include "portions/portions_here.h"

typedef struct searching {
    const portion_engine *engine;
    cli_options options; /* with the folder of this round for `out` */
    const char *out;     /* that was asked for */
    char *round_path;    /* NULL: there are no rounds */
    search_job job;
    search_folder folder;
    found_task **found;  /* by task; NULL: nothing yet */
    found_task **before; /* of the round before; NULL: there was none */
    search_totals so_far;
    double begun;
    int is_lost; /* what was found could not be kept */
} searching;

/* ---- while it goes on ---- */

/* "12 solved, 340k/s; edits 7, enumeration 5" */
static void show_progress(const searching *s) {
    const search_totals *t = &s->so_far;
    char text[512], rate[32];
    double passed = stopwatch_now() - s->begun;
    size_t used;
    rate_text(passed > 0 ? (double)t->now / passed : 0, rate, sizeof rate);
    used = (size_t)snprintf(text, sizeof text, "tasks, %d solved, %s candidates/s", t->solved, rate);
    for (int i = 0; i < t->stage_count && used < sizeof text; i++)
        if (t->stages[i].solved)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, ", %s %d", t->stages[i].name, t->stages[i].solved);
    message_progress(text, (uint64_t)t->searched, (uint64_t)t->tasks);
}

static int keep(void *arg, found_task *found) {
    searching *s = arg;
    int task = task_set_find(&s->job.tasks, found->task->id);
    s->found[task] = found;
    search_totals_add(&s->so_far, found);
    show_progress(s);
    if (search_folder_keep(&s->folder, found)) s->is_lost = 1;
    return s->is_lost ? -1 : 0;
}

/* What is left to do, as numbers of tasks. Free them. */
static int *list_tasks(searching *s, int *count) {
    int *tasks = allocation_get((size_t)s->job.tasks.count, sizeof *tasks);
    *count = 0;
    for (int i = 0; i < s->job.tasks.count; i++) {
        if (!search_part_has(s->job.part, i)) continue;
        s->so_far.tasks++;
        if (s->found[i])
            search_totals_add(&s->so_far, s->found[i]);
        else
            tasks[(*count)++] = i;
    }
    return tasks;
}

/* Searches these tasks in all processes; the writer keeps what is found as it comes. */
static int search_in_portions(searching *s, int *tasks, int count) {
    search_portions portions = {.job = &s->job, .tasks = tasks, .count = count, .use = keep, .arg = s};
    portion_job job = search_portions_job(&portions);
    cli_options options = *s->job.options;
    int is_part;
    options.part = NULL; /* the tasks are those of the part, and the folder has a journal of its own */
    options.resume = 0;
    int status = s->engine->run(s->engine->self, &job, &options, &is_part);
    return portions.status > status ? portions.status : status;
}

/* What the round before has solved is not searched again. */
static void carry_over(searching *s) {
    for (int i = 0; s->before && i < s->job.tasks.count && !s->is_lost; i++) {
        if (!s->before[i] || !found_task_is_solved(s->before[i]) || s->found[i]) continue;
        s->found[i] = s->before[i];
        s->before[i] = NULL;
        if (search_folder_keep(&s->folder, s->found[i])) s->is_lost = 1;
    }
}

/* Which they are the writer knows, by its folder. */
static int *share_tasks(searching *s, int *count) {
    byte_list bytes = {0};
    if (s->engine->is_writer) {
        carry_over(s);
        int *tasks = list_tasks(s, count);
        bytes_put(&bytes, tasks, (size_t)*count * sizeof *tasks);
        free(tasks);
    }
    s->engine->share(s->engine->self, &bytes);
    *count = (int)(bytes.length / sizeof(int));
    return (int *)(void *)bytes.bytes;
}

/* Returns an exit status. The folder is open. */
static int search_tasks(searching *s) {
    int count, status = CLI_DONE;
    int *tasks = share_tasks(s, &count);
    if (s->so_far.searched) message_note("%d of %d tasks are finished already", s->so_far.searched, s->so_far.tasks);
    s->begun = stopwatch_now();
    if (count) {
        show_progress(s);
        status =
            s->engine->is_alone ? search_crew_run(&s->job, tasks, count, keep, s) : search_in_portions(s, tasks, count);
    }
    message_progress_end();
    free(tasks);
    if (!s->engine->is_writer) return status;
    if (status == CLI_DONE && !interrupt_has_come() && search_folder_finish(&s->folder)) {
        s->is_lost = 1;
        status = CLI_BAD;
    }
    return status;
}

/* ---- when it has ended ---- */

/* "007bbfb7 train 5/5 test 1/1 words 1234 calls 4 edits solve_007bbfb7/5/17/0123..cdef.py" */
static void print_task(const found_task *found) {
    hoard memory = {0};
    message_put_clean(stdout, found->task->id);
    if (found->program_count) {
        const found_program *best = found->programs;
        int tests = score_solved_tests(found->task);
        printf(" train %d/%d", best->right, found_task_train(found->task));
        if (tests) printf(" test %d/%d", found_task_tests_right(found), tests);
        printf(" words %llu calls %d %s %s\n", (unsigned long long)best->words, best->calls, best->stage,
               found_files_path(&memory, found, best));
    } else
        puts(" nothing found");
    hoard_free(&memory);
}

static int write_page(const searching *s) {
    const cli_options *options = s->job.options;
    arcl_context *context;
    int status = session_open(options, &context);
    if (status) return status;
    if (search_page_write(options->html, context, options->out, &s->job.tasks, s->found, &s->so_far)) status = CLI_BAD;
    arcl_context_free(context);
    return status;
}

static int write_files(const searching *s) {
    const cli_options *o = s->job.options;
    int status = CLI_DONE;
    if (o->submission && search_submission_write(o->submission, &s->job.tasks, s->found)) status = CLI_BAD;
    if (o->json && search_json_write(o->json, &s->job.tasks, s->found, &s->so_far)) status = CLI_BAD;
    if (o->html && status == CLI_DONE) status = write_page(s);
    return status;
}

static void print_end(const searching *s) {
    const cli_options *o = s->job.options;
    char rate[32];
    double each = s->so_far.seconds > 0 ? (double)s->so_far.now / s->so_far.seconds : 0;
    for (int i = 0; i < s->job.tasks.count && !o->quiet; i++)
        if (s->found[i]) print_task(s->found[i]);
    if (s->so_far.seconds > 0)
        message_note("%.1f s, %s candidates/s in each of %d thread%s", stopwatch_now() - s->begun,
                     rate_text(each, rate, sizeof rate), s->job.threads, s->job.threads == 1 ? "" : "s");
    if (interrupt_has_come()) message_note("interrupted: what was found is in %s, and --resume goes on", o->out);
    search_totals_print(&s->so_far, o->quiet);
}

/* ---- all of it ---- */

/* A search takes long: that a file cannot be written should be known before. */
static int can_write(const char *path) {
    struct stat info;
    file_output file;
    if (!path || strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode))) return 1;
    if (file_create(&file, path)) return 0;
    file_discard(&file);
    return 1;
}

static int open_folder(searching *s) {
    s->found = allocation_get((size_t)s->job.tasks.count, sizeof *s->found);
    s->folder = (search_folder){.path = s->job.options->out,
                                .job = s->job.identity,
                                .tasks = &s->job.tasks,
                                .found = s->found,
                                .part = s->job.part};
    return search_folder_open(&s->folder, s->job.options->resume);
}

static int can_write_all(const cli_options *o) {
    return can_write(o->submission) && can_write(o->json) && can_write(o->html);
}

static void forget(const searching *s, found_task **found) {
    for (int i = 0; found && i < s->job.tasks.count; i++) found_task_free(found[i]);
    free(found);
}

/* ---- rounds ---- */

/* The folder of a round is in the one that was asked for, which is made here. */
static int name_round(searching *s) {
    size_t size = strlen(s->out) + 32;
    if (!s->options.rounds) return CLI_DONE;
    free(s->round_path);
    s->round_path = allocation_get(size, 1);
    snprintf(s->round_path, size, "%s/round-%d", s->out, s->job.round);
    s->options.out = s->round_path;
    if (!s->engine->is_writer || mkdir(s->out, 0777) == 0 || errno == EEXIST) return CLI_DONE;
    message_error("%s: cannot make this folder: %s", s->out, strerror(errno));
    return CLI_BAD;
}

static int search_round(searching *s) {
    int status = name_round(s);
    if (status == CLI_DONE && s->engine->is_writer && open_folder(s)) {
        forget(s, s->found); /* of which nothing is to be written */
        s->found = NULL;
        status = CLI_BAD;
    }
    status = s->engine->agree(s->engine->self, status);
    if (status == CLI_DONE) status = s->engine->agree(s->engine->self, search_tasks(s));
    return status;
}

/* Hands on what was found, in all processes. *more says whether anything of it is new: without that, another round
 * would find the same again. */
static int begin_round(searching *s, int *more) {
    byte_list offers = {0};
    if (s->engine->is_writer && !interrupt_has_come()) search_offers_put(&s->job, s->found, &offers);
    s->engine->share(s->engine->self, &offers);
    int status = s->engine->agree(s->engine->self, search_offers_take(&s->job, &offers, more));
    bytes_free(&offers);
    if (!*more || status || !s->engine->is_writer) return status;
    message_note("round %d: %d more programs to begin with", s->job.round, *more);
    search_folder_close(&s->folder);
    forget(s, s->before);
    s->before = s->found;
    s->found = NULL;
    s->so_far = (search_totals){0};
    return status;
}

static int search_rounds(searching *s) {
    int status, more = 1;
    while ((status = search_round(s)) == CLI_DONE && more && s->job.round < (int)s->options.rounds)
        if ((status = begin_round(s, &more)) || !more) break;
    return status;
}

static int search_and_write(searching *s) {
    int status = search_rounds(s);
    if (!s->engine->is_writer || !s->found) return status;
    int written = s->is_lost || status == CLI_DEVICE ? status : write_files(s);
    print_end(s);
    return status == CLI_DONE ? written : status;
}

/* What is the same in all processes is said by the writer alone. */
int search_command(const cli_options *options, const portion_engine *engine) {
    searching s = {.engine = engine, .options = *options, .out = options->out};
    message_set_mute(!engine->is_writer);
    int status = search_job_open(&s.job, &s.options);
    message_set_mute(0);
    status = engine->agree(engine->self, status);
    if (status == CLI_DONE) {
        if (engine->is_writer) interrupt_defer();
        status = engine->agree(engine->self, engine->is_writer && !can_write_all(options) ? CLI_BAD : CLI_DONE);
        if (status == CLI_DONE) status = search_and_write(&s);
    }
    forget(&s, s.found);
    forget(&s, s.before);
    search_folder_close(&s.folder);
    search_job_close(&s.job);
    free(s.round_path);
    fflush(stdout);
    if (engine->is_writer) interrupt_defer_ends();
    return status;
}

int cmd_search(const cli_options *options) { return search_command(options, &portions_here); }
