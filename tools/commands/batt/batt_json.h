/* What batteries of tokpidjin write as JSON (docs/file-formats.md). */
#ifndef ARCL_BATT_JSON_H
#define ARCL_BATT_JSON_H
#include "cli/json_writer.h"
#include "commands/batt/batt_lanes.h"

/* The keys "o" and "s" with the scores of a task: {id: score}, and {differ: {id: score}}. */
void batt_json_scores(json_writer *w, const batt *b, const batt_tally *tally);

/* The key "examples" with all that a battery appends for the only task of some lanes. */
void batt_json_examples(json_writer *w, const batt *b, const batt_lanes *lanes);

/* The key "rejected": programs that could not be compiled or run, with the reasons. */
void batt_json_rejected(json_writer *w, const batt *b);

#endif
