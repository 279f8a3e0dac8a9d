/* What a search is about, read and checked once: tasks, programs to begin with, the limits. All searches of tasks share
 * it and none changes it. */
#ifndef ARCL_SEARCH_JOB_H
#define ARCL_SEARCH_JOB_H
#include "arcl.h"
#include "cli/options.h"
#include "commands/search/search_folder.h"
#include "data/task_file.h"

/* A program to begin with. */
typedef struct search_donor {
    arcl_tree *tree;
    int own; /* the task that it is named after; -1: none that is here */
} search_donor;

typedef struct search_job {
    const cli_options *options;
    task_set tasks;
    search_donor *donors;
    int donor_count;
    arcl_library *library; /* NULL: what the donors teach */
    search_part part;
    int threads;             /* searches side by side */
    uint64_t context_memory; /* bytes that running may use in each of them, */
    uint64_t search_memory;  /* and that it may remember */
    int round;               /* from 1 on */
    char *identity;          /* one line with all that results depend on */
} search_job;

/* Returns CLI_DONE, or another exit status after a message. Close it in both cases. */
int search_job_open(search_job *job, const cli_options *options);
void search_job_close(search_job *job);

/* Adds a program to the donors, which is named after no task. */
arcl_status search_job_add_donor(search_job *job, arcl_context *context, const arcl_source *source, int index,
                                 arcl_error *error);
/* Says anew what results depend on, when donors were added. Returns 0, or -1 after a message. */
int search_job_identify(search_job *job, arcl_context *context);

#endif
