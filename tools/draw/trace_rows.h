/* A trace as rows of panels, line by line: what the terminal, pictures and pages of `arcl trace` draw. */
#ifndef ARCL_TRACE_ROWS_H
#define ARCL_TRACE_ROWS_H
#include "data/task_run.h"
#include "draw/panel.h"

typedef enum trace_row_kind {
    TRACE_ROW_LINE,   /* the first row of a line; its caption is the line */
    TRACE_ROW_MORE,   /* more of its values, or what was mapped: the caption says */
    TRACE_ROW_FAILURE /* no panels: the caption is where the line has failed, as a message of several lines */
} trace_row_kind;

typedef struct trace_row {
    trace_row_kind kind;
    int is_same; /* all examples have this value */
    panel_row row;
} trace_row;

typedef struct trace_rows {
    trace_row *rows;
    int count, room;
    hoard memory;
} trace_rows;

/* All rows of the trace of a program that was run. Free them. */
void trace_rows_make(const arcl_trace *trace, const task_run *run, trace_rows *made);
void trace_rows_free(trace_rows *rows);

#endif
