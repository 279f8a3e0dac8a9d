/* The file that Kaggle wants: for every test input two attempts. They are the best two different outputs, by the merit
 * of the programs that made them. While programs are scored only their merits and fingerprints are kept; the few that
 * are chosen in the end run once more, for their outputs. */
#ifndef ARCL_SUBMISSION_H
#define ARCL_SUBMISSION_H
#include "cli/files.h"
#include "commands/score/score_tally.h"
#include "data/program_files.h"
#include "data/task_file.h"

typedef struct submission {
    const task_set *tasks;
    file_output file;
    int *first;               /* of the task's test inputs among all */
    struct attempt *attempts; /* ATTEMPTS for each test input, the better one first */
} submission;

/* The tasks must outlive the submission. */
void submission_start(submission *s, const task_set *tasks);
/* Begins the file, so that one that cannot be written is known before everything is run. Returns 0, or -1 after a
 * message. Without submission_write, freeing it forgets the file. */
int submission_open(submission *s, const char *path);
void submission_free(submission *s);

/* Considers what a program did on task number `task`. */
void submission_add(submission *s, int task, const score_tally *tally);

/* How many of a task's test outputs, of those that are known, one of the two attempts has right. */
int submission_right(const submission *s, int task);

/* Runs the chosen programs and writes the file. Where there are too few outputs, the test input itself is the attempt.
 * Returns an exit status, after a message if that is not CLI_DONE. */
int submission_write(submission *s, arcl_context *context, const program_list *programs);

#endif
