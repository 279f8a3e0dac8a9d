#include "portions/portions_here.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/stopwatch.h"

typedef struct running {
    const portion_job *job;
    record_journal journal;
    byte_list record;
} running;

/* ---- what is asked for ---- */

/* "2/8". Returns 0 if it is none. */
static int read_part(const char *text, int *part, int *parts) {
    char rest;
    return sscanf(text, "%d/%d%c", part, parts, &rest) == 2 && *part >= 1 && *part <= *parts;
}

int portions_check_usage(const cli_options *options, const char *command) {
    int part, parts;
    if (options->resume && !options->journal.count)
        message_error("%s: --resume needs --journal FILE, which says what is done", command);
    else if (options->part && !options->journal.count)
        message_error("%s: --part needs --journal FILE, where its results go", command);
    else if (options->part && !read_part(options->part, &part, &parts))
        message_error("%s: --part %s: expected K/N, as in 2/8, with K from 1 to N", command, options->part);
    else if (options->part && (options->json || options->html || options->submission || options->top))
        message_error(
            "%s: --part writes its journal alone; a job with the journals of all parts, --journal A --journal "
            "B .. --resume, writes the other files",
            command);
    else
        return CLI_DONE;
    return CLI_BAD;
}

/* ---- running ---- */

/* A signal waits for the end of what runs. Then it is told how to go on, and the signal ends the command. */
static void look_for_signals(running *r) {
    if (!interrupt_has_come()) return;
    message_progress_end();
    record_journal_tell(&r->journal, r->job);
    record_journal_close(&r->journal);
    interrupt_defer_ends();
}

static int run_portion(running *r, portion units) {
    double start = stopwatch_now();
    r->record.length = 0;
    look_for_signals(r);
    int status = r->job->run(r->job->self, units, &r->record);
    look_for_signals(r);
    if (status) return status;
    uint64_t nanoseconds = (uint64_t)((stopwatch_now() - start) * 1e9);
    if (record_journal_put(&r->journal, units, nanoseconds, r->record.bytes, r->record.length) ||
        record_journal_write(&r->journal))
        return CLI_BAD;
    message_progress(r->job->what, r->journal.done, r->job->units);
    return CLI_DONE;
}

int portions_take(const portion_job *job, portion units, const unsigned char *bytes, size_t length) {
    if (job->take(job->self, units, bytes, length) == 0) return CLI_DONE;
    message_error("the record of %s %llu to %llu makes no sense", job->what, (unsigned long long)units.first,
                  (unsigned long long)units.end);
    return CLI_BAD;
}

/* Everything in order: what is known is read, what is not is run. */
static int run_all(running *r, const portion_list *plan) {
    size_t known = 0, next = 0, were_known = r->journal.count;
    int status = CLI_DONE;
    while (status == CLI_DONE && (known < were_known || next < plan->count)) {
        record_entry entry = known < were_known ? r->journal.entries[known] : (record_entry){0};
        if (known == were_known || (next < plan->count && plan->list[next].first < entry.units.first)) {
            portion units = plan->list[next++];
            status = run_portion(r, units);
            if (status == CLI_DONE) status = portions_take(r->job, units, r->record.bytes, r->record.length);
            continue;
        }
        const unsigned char *bytes = record_journal_read(&r->journal, &entry);
        status = bytes ? portions_take(r->job, entry.units, bytes, entry.length) : CLI_BAD;
        known++;
    }
    return status;
}

static int run_part(running *r, const portion_list *plan, const char *name) {
    int status = CLI_DONE;
    for (size_t i = 0; i < plan->count && status == CLI_DONE; i++) status = run_portion(r, plan->list[i]);
    if (status == CLI_DONE)
        message_note("part %s: %llu of %llu %s are in journal %s", name, (unsigned long long)r->journal.done,
                     (unsigned long long)r->job->units, r->job->what, r->journal.paths[0]);
    return status;
}

portion_list portions_to_do(const portion_job *job, const cli_options *options, const record_journal *j) {
    portion_list wanted = {0}, all = {0};
    int part, parts;
    if (options->part && read_part(options->part, &part, &parts))
        wanted = portion_part(job, part, parts);
    else
        portion_list_add(&wanted, (portion){0, job->units});
    for (size_t i = 0; i < wanted.count; i++) {
        size_t count;
        portion *gaps = record_journal_gaps(j, wanted.list[i], &count);
        for (size_t k = 0; k < count; k++) portion_list_add(&all, gaps[k]);
        free(gaps);
    }
    portion_list_free(&wanted);
    return all;
}

static int run_here(void *self, const portion_job *job, const cli_options *options, int *is_part) {
    (void)self;
    running r = {.job = job};
    portion_list work = {0}, plan = {0};
    int status = CLI_BAD;
    *is_part = options->part != NULL;
    if (record_journal_open(&r.journal, options->journal.texts, options->journal.count, job, options->resume))
        goto done;
    work = portions_to_do(job, options, &r.journal);
    plan = portion_plan(job, options->portion, &work);
    interrupt_defer();
    status = *is_part ? run_part(&r, &plan, options->part) : run_all(&r, &plan);
    look_for_signals(&r);
    interrupt_defer_ends();
    message_progress_end();
    if (status != CLI_DONE) record_journal_tell(&r.journal, job);
done:
    portion_list_free(&work);
    portion_list_free(&plan);
    bytes_free(&r.record);
    record_journal_close(&r.journal);
    return status;
}

static int agree_here(void *self, int status) {
    (void)self;
    return status;
}

static void share_here(void *self, byte_list *bytes) {
    (void)self;
    (void)bytes;
}

const portion_engine portions_here = {
    .is_writer = 1, .is_alone = 1, .agree = agree_here, .share = share_here, .run = run_here};
