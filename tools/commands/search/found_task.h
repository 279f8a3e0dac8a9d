/* What a search has found for one task: programs, the two attempts at each test input, and where they came from. It can
 * be written as a line of JSON and read again, so that a task that is finished need not be searched again. Knows
 * nothing of how programs are found. */
#ifndef ARCL_FOUND_TASK_H
#define ARCL_FOUND_TASK_H
#include "cli/json_writer.h"
#include "data/attempts.h"
#include "data/task_file.h"

typedef struct found_program {
    const char *text;  /* its normal form, as the definition `solve` */
    int right;         /* train examples */
    uint64_t cells;    /* that are right in train examples */
    uint64_t words;    /* that it asked for in train examples */
    int calls;         /* that its text has */
    int agreement;     /* programs that make the same of the test inputs */
    const char *stage; /* of the search, that found it */
} found_program;

typedef struct found_stage {
    const char *name;
    uint64_t candidates, answers;
} found_stage;

typedef struct found_task {
    const arc_task *task;
    uint64_t candidates, distinct; /* that were tried, and how many behaved differently */
    found_program *programs;       /* the best first */
    found_stage *stages;
    task_grid (*attempts)[ATTEMPTS]; /* for each test input; without cells: none */
    int program_count, stage_count, test_count;
    int is_finished; /* else it was ended early, and what was found until then is here */
    double seconds;  /* that it took; 0 if it was not searched now */
    hoard memory;    /* of all that */
} found_task;

/* Of a task for which nothing has been found. Free it. */
found_task *found_task_create(const arc_task *task);
void found_task_free(found_task *found);

/* Examples of a task that a search is given: train examples with an output; and test examples. */
int found_task_train(const arc_task *task);
int found_task_tests(const arc_task *task);

/* Whether the best program has all train examples right. */
int found_task_is_solved(const found_task *found);

/* How many test outputs that the task has one of the two attempts has right. */
int found_task_tests_right(const found_task *found);

/* The members of an object, without its brackets. */
void found_task_write(json_writer *w, const found_task *found);
/* A line with them. Free it. */
char *found_task_line(const found_task *found);

/* Reads such a line of one of the tasks. NULL after a message, which begins with `where`. */
found_task *found_task_read(const char *where, const char *line, size_t length, const task_set *tasks);

#endif
