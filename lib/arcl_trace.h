/* Tracing: what every line of a definition makes of every lane, to be looked at. Each value is what the program
 * computes there. A line fails in a lane if something fails that it is made of, and does so where that is. arcl.h
 * includes this; its rules hold here too. */
#ifndef ARCL_TRACE_H
#define ARCL_TRACE_H

#include "arcl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arcl_trace arcl_trace;

typedef enum arcl_trace_kind {
    ARCL_TRACE_VALUE,    /* every lane has a value, or a failure */
    ARCL_TRACE_FUNCTION, /* it makes a function, or a container of functions: the text says which */
    ARCL_TRACE_UNUSED    /* it needs an input that the batch has not, because the program does not use it */
} arcl_trace_kind;

typedef struct arcl_trace_line { /* the texts live as long as the trace */
    const char *text;            /* "x2 = first(x1)" */
    uint32_t line;               /* of the source's text, from 1 on */
    arcl_trace_kind kind;
    int is_result;    /* it is what the definition returns */
    int same;         /* all lanes have the same value, or fail alike; with a single lane 0 */
    const char *type; /* of its value; "" if it has none */
    /* of a line that maps a function over a container, what this takes and what it yields; else "" */
    const char *element_type, *mapped_type;
} arcl_trace_line;

/* Compiles the definition as arcl_program_compile does, so that the batch is one for that program, and runs its lines.
 * The source must outlive the trace, as the batch must. One at a time. */
ARCL_API ARCL_CHECKED arcl_status arcl_trace_create(arcl_context *context, arcl_definition definition,
                                                    const arcl_compile_options *options, const arcl_batch *batch,
                                                    arcl_trace **trace, arcl_error *error);
ARCL_API void arcl_trace_free(arcl_trace *trace);
ARCL_API int arcl_trace_lines(const arcl_trace *trace);
ARCL_API arcl_trace_line arcl_trace_line_get(const arcl_trace *trace, int line);

/* As of the result of a run; the status of a line without a value is ARCL_LANE_STATUSES. */
ARCL_API arcl_lane_status arcl_trace_status(const arcl_trace *trace, int line, uint32_t lane);
ARCL_API arcl_value arcl_trace_value(const arcl_trace *trace, int line, uint32_t lane);

/* Of a line that maps a function over a container: (element, what the function yields for it), as many as there are,
 * those of a set in its order; the elements of two containers come as pairs. None where that is not known. */
ARCL_API arcl_value arcl_trace_elements(const arcl_trace *trace, int line, uint32_t lane);

/* Where the line has failed in a lane, as arcl_result_failure tells it. One at a time. */
ARCL_API ARCL_CHECKED arcl_status arcl_trace_failure(const arcl_trace *trace, int line, uint32_t lane,
                                                     arcl_failure *failure, arcl_error *error);

#ifdef __cplusplus
}
#endif

#endif
