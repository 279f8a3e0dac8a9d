/* One line of a vector file: a program, its types, and lanes with what is expected of them. */
#ifndef ARCL_VECTOR_CASE_H
#define ARCL_VECTOR_CASE_H
#include <stddef.h>

#include "arcl.h"
#include "data/batt.h"
#include "data/json_node.h"
#include "data/session.h"

typedef enum vector_state {
    VECTOR_READY,
    VECTOR_MALFORMED, /* not JSON, or not of the form; its lanes are unknown */
    VECTOR_REJECTED   /* the program does not compile or its arguments do not fit: all its lanes failed */
} vector_state;

typedef struct vector_case {
    const char *text; /* of the line; not owned */
    size_t length;
    int line;
    hoard memory; /* of the nodes */
    json_node json;
    const char *id;
    json_node lanes;
    arcl_dialect dialect;
    arcl_policy policy;
    session_work work;     /* owned; its error also says why a case is not ready */
    arcl_source *source;   /* of a battery of tokpidjin; NULL: a program */
    batt battery;          /* its programs */
    unsigned char *passed; /* per lane */
    uint32_t failures;
    vector_state state;
} vector_case;

/* Finds the next line that is not blank: *at moves on behind it, *line counts lines from 1. Returns 0 at the end. */
int vector_case_next(const char **at, const char *end, int *line, vector_case *one);

/* Turns the text into a program and a batch, ready to run; of a battery, the source and a batch. */
void vector_case_prepare(arcl_context *context, vector_case *one);

/* A battery is compiled and run by itself: that takes the threads which prepare. Returns CLI_DONE, or another exit
 * status after a message. */
int vector_case_run_battery(arcl_context *context, vector_case *one);

/* Fills passed and failures from the result. */
void vector_case_judge(vector_case *one);

uint32_t vector_case_lanes(const vector_case *one);

/* What a lane expects, absent if that is an error, and what it got: a value, or null with *status not ARCL_OK. */
json_node vector_case_expected(const vector_case *one, uint32_t lane);
json_t *vector_case_got(const vector_case *one, uint32_t lane, arcl_lane_status *status);

void vector_case_free(vector_case *one);

#endif
