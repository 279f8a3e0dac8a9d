/* The JSON file of `arcl score`: written as the outcomes come, because --all-pairs can make it large. */
#ifndef ARCL_SCORE_JSON_H
#define ARCL_SCORE_JSON_H
#include "cli/json_writer.h"
#include "commands/score/score_output.h"
#include "commands/score/score_solved.h"
#include "commands/score/score_times.h"

void score_json_begin(json_writer *w);

/* One without tasks has no tallies. behaviours[i] is the place of tally i in the ranking of its task. */
void score_json_program(json_writer *w, const score_outcome *outcome, const score_tally *tallies,
                        const int *behaviours);

/* What follows when there are no more programs: the tasks one after the other, then the end. `report` may be NULL and
 * is taken. */
void score_json_tasks(json_writer *w);
void score_json_ranking(json_writer *w, const arc_task *task, const score_ranking *ranking,
                        const program_list *programs);
void score_json_end(json_writer *w, const score_solved *solved, const score_totals *totals, const score_times *times,
                    json_t *report);

/* The part of the end that is about everything: totals, seconds, the report. */
void score_json_totals(json_writer *w, const score_totals *totals, const score_times *times, json_t *report);

#endif
