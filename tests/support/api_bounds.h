/* What the tests of bounds share. They call every public function with what it is not meant for: indices out of range,
 * NULL for objects, texts and places, and NULL for all that is optional. By the rules at the head of arcl.h, a function
 * that returns a status refuses, the others give an empty answer. There is a test for each public header or two;
 * `have_all` makes the objects to call with, one of each kind. */
#ifndef TESTS_SUPPORT_API_BOUNDS_H
#define TESTS_SUPPORT_API_BOUNDS_H

#include <greatest.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "support/synthetic_profile.h"

static const int wrong[] = {-1, 1000, INT_MAX, INT_MIN};
enum { WRONG = sizeof wrong / sizeof *wrong };

static const char bounds_text[] = "def a(I):\n    return rot90(I)\ndef b(I):\n    return objects(I, T, F, F)\n"
                                  "def c(I):\n    return nothing(I)\n";
static const signed char cells[] = {1, 2, 3, 4, 5, 6};

static struct {
    arcl_context *context;
    arcl_source *source;
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
    arcl_profile *profile;
    arcl_plan *plan;
} have;

/* Refused with a sentence; and the same without a place for it. */
#define REFUSES(call)                                                                                                  \
    do {                                                                                                               \
        arcl_error why = {{0}}, *error = &why;                                                                         \
        ASSERT_EQm(#call, ARCL_INVALID, call);                                                                         \
        ASSERTm(#call, *why.message);                                                                                  \
        error = NULL;                                                                                                  \
        ASSERT_EQm(#call, ARCL_INVALID, call);                                                                         \
    } while (0)

#define ACCEPTS(call) ASSERT_EQm(#call, ARCL_SUCCESS, call)

static arcl_status have_all(void) {
    arcl_options options = {.threads = 2, .device = "host", .profile = ""};
    arcl_status status = arcl_context_create(&options, &have.context, NULL);
    if (!status)
        status = arcl_source_parse(have.context, bounds_text, sizeof bounds_text - 1, NULL, &have.source, NULL);
    if (!status) status = arcl_program_compile(have.context, have.source, 0, NULL, &have.program, NULL);
    if (!status) status = arcl_batch_create(have.context, "grid", &have.batch, NULL);
    if (!status) status = arcl_batch_add_grid(have.batch, 2, 3, cells, NULL);
    if (!status) status = arcl_run(have.context, have.program, have.batch, &have.result, NULL);
    if (!status) status = arcl_profile_create(&have.profile, NULL);
    if (!status) synthetic_host(have.profile, have.context);
    if (!status) synthetic_gpu(have.profile, "cl:0");
    if (!status) status = arcl_plan_create(have.context, have.profile, have.program, NULL, 10, &have.plan, NULL);
    return status;
}

static void have_no_more(void) {
    arcl_plan_free(have.plan);
    arcl_profile_free(have.profile);
    arcl_result_free(have.result);
    arcl_batch_free(have.batch);
    arcl_program_free(have.program);
    arcl_source_free(have.source);
    arcl_context_free(have.context);
}

#endif
