/* What `arcl score` prints and writes: a line per program, the JSON file, the last line. */
#ifndef ARCL_SCORE_OUTPUT_H
#define ARCL_SCORE_OUTPUT_H
#include "files.h"
#include "score_job.h"

typedef struct score_totals {
    uint64_t tasks_right, tasks, examples_right, examples, errors;
} score_totals;

/* Adds a judged job that has a target to the totals and prints its line if `print`. */
void score_output_job(const score_job *job, int all_pairs, int print, score_totals *totals);

void score_output_totals(const score_totals *totals);

/* Seconds spent in the phases of scoring. */
typedef struct score_times {
    double load, compile, run;
} score_times;

/* The JSON file is written as the jobs come, because --all-pairs can make it large. `report` may be NULL and is taken. */
void score_json_begin(FILE *out);
void score_json_job(FILE *out, const score_job *job, int *written);
void score_json_end(FILE *out, const score_totals *totals, const score_times *times, json_t *report);

#endif
