#include "commands/search/search_offers.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "data/session.h"

void search_offers_put(const search_job *job, found_task *const *found, byte_list *offers) {
    for (int i = 0; i < job->tasks.count; i++)
        if (found[i] && found_task_is_solved(found[i])) bytes_put_text(offers, found[i]->programs[0].text);
}

/* Adds a program to the donors, and its key to theirs, unless it is there. */
static arcl_status take(search_job *job, arcl_context *context, const char *text, arcl_key *keys, arcl_error *error) {
    arcl_source *source;
    arcl_dialect dialect = arcl_tree_dialect(job->donors[0].tree);
    arcl_status status =
        arcl_source_parse_dialect(context, text, strlen(text), "what was found", dialect, &source, error);
    if (status) return status;
    status = search_job_add_donor(job, context, source, 0, error);
    arcl_source_free(source);
    if (status) return status;
    int last = job->donor_count - 1;
    status = arcl_tree_key(context, job->donors[last].tree, &keys[last], error);
    for (int i = 0; i < last && !status; i++)
        if (keys[i].high == keys[last].high && keys[i].low == keys[last].low) {
            arcl_tree_free(job->donors[last].tree);
            job->donor_count--;
            break;
        }
    return status;
}

static arcl_status take_all(search_job *job, arcl_context *context, const byte_list *offers, arcl_error *error) {
    arcl_key *keys = allocation_get((size_t)(job->donor_count + job->tasks.count), sizeof *keys);
    arcl_status status = ARCL_SUCCESS;
    byte_reader from = {.at = offers->bytes, .end = offers->bytes + offers->length};
    for (int i = 0; i < job->donor_count && !status; i++)
        status = arcl_tree_key(context, job->donors[i].tree, &keys[i], error);
    while (!status && from.at < from.end) status = take(job, context, bytes_get_text(&from), keys, error);
    free(keys);
    return status;
}

int search_offers_take(search_job *job, const byte_list *offers, int *added) {
    arcl_context *context;
    arcl_error error;
    int before = job->donor_count;
    *added = 0;
    if (!offers->length) return CLI_DONE;
    int status = session_open(job->options, &context);
    if (status) return status;
    if (take_all(job, context, offers, &error)) {
        allocation_check(&error);
        message_error("%s", error.message);
        status = CLI_BAD;
    } else {
        job->round++;
        *added = job->donor_count - before;
        if (search_job_identify(job, context)) status = CLI_BAD;
    }
    return session_close(job->options, context, status);
}
