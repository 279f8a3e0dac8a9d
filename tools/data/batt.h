/* Batteries of tokpidjin, def batt(task_id, S, I, C, log_path): compiled as one, run on lanes, and what they yield. */
#ifndef ARCL_BATT_H
#define ARCL_BATT_H
#include "arcl.h"
#include "data/json_node.h"
#include "data/session.h"

/* What programs are compiled for: all with C given; or for tasks, results with C absent and differs with both. For
 * scores, there is left of a result whether it is equal to the expected output, and of a differ its score. */
typedef enum batt_purpose { BATT_ALL_GIVEN, BATT_FOR_VALUES, BATT_FOR_SCORES } batt_purpose;

/* The expected output is no business of results; differs are run with and without. */
typedef enum batt_c { BATT_ABSENT, BATT_GIVEN } batt_c;

typedef struct batt {
    int count; /* of its programs: what the text appends, in its order */
    arcl_definition *definitions;
    arcl_definition_info *infos;
    batt_purpose purpose;
    int compiled; /* programs of the battery: differs may be there twice */
    arcl_battery *battery;
    session_work *works; /* of each of these, the result or the error alone */
    int *place[2];       /* of each program, its place among them with C absent and with C given; -1: none */
    int *key, *group;    /* of each program, the first of the same kind with the same id and differ; with that differ */
} batt;

/* Whether a source has such a battery. */
int batt_is_in(const arcl_source *source);

/* The appends of a source, which must outlive the battery; other definitions in it are left out. */
batt batt_of(const arcl_source *source);
void batt_free(batt *b);

/* Compiles for parameters of these types, under the safe policy: no call fails, as the fork has it. A program that is
 * rejected has an error and no result. Returns 0, or -1 with the reason in error. Not for threads of arcl_parallel. */
int batt_compile(arcl_context *context, batt *b, batt_purpose purpose, const char *const *types, int count,
                 arcl_error *error);

/* Runs all programs. Returns CLI_DONE, or another exit status after a message. */
int batt_start(arcl_context *context, batt *b, const arcl_batch *batch);

/* The result of a program; NULL if there is none. And why there is none; NULL if there is one. */
const arcl_result *batt_result(const batt *b, int program, batt_c c);
const char *batt_rejection(const batt *b, int program);

/* Whether a program has a value in a lane. */
int batt_has_value(const batt *b, int program, batt_c c, uint32_t lane);

/* What a lane has appended to the list of a kind: [[n, mutated, id, value], ..] or [[n, id, differ, value], ..], a new
 * reference. */
json_t *batt_list_json(const batt *b, arcl_definition_kind kind, batt_c c, uint32_t lane);

/* {"o": [..], "s": [..]} of a lane, with C given, a new reference; and whether it is equal to such a value, as Python
 * has it. */
json_t *batt_lane_json(const batt *b, uint32_t lane);
int batt_lane_equal(const batt *b, uint32_t lane, json_node expected);

#endif
