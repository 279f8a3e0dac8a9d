/* Where a lane of a definition fails that no source has as it is: one line of another, for example. */
#ifndef ARCL_FAILURE_H
#define ARCL_FAILURE_H
#include "language/syntax.h"

typedef struct failure_inquiry {
    arcl_context *context;
    const arcl_source *source; /* that positions are of */
    const definition *definition;
    const arcl_compile_options *options; /* NULL: none */
    const arcl_batch *batch;
    uint32_t lane;
} failure_inquiry;

/* As arcl_result_failure without a result. */
ARCL_CHECKED arcl_status failure_inquire(const failure_inquiry *q, arcl_failure *failure, arcl_error *error);

#endif
