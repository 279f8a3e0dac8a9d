/* Tests of tracing (arcl_trace_create and its kin): values, failures and elements of lines, by the API. */
#include "support/evaluation.h"

#include "greatest.h"

static const char definition[] = "def f(I):\n    x1 = objects(I, T, F, T)\n    x2 = fork(recolor, size, identity)\n"
                                 "    x3 = mapply(x2, x1)\n    x4 = argmax(x1, size)\n    x5 = height(I)\n"
                                 "    x5 = double(x5)\n    return paint(I, x3)\n";

typedef struct traced {
    arcl_context *context;
    arcl_source *source;
    arcl_batch *batch;
    arcl_trace *trace;
} traced;

static arcl_status open_trace(traced *t, const char *source, const char *lanes, arcl_error *error) {
    arcl_compile_options options = {.grid_result = 1};
    *t = (traced){0};
    arcl_status status = arcl_context_create(NULL, &t->context, error);
    if (!status) status = arcl_source_parse(t->context, source, strlen(source), "t.py", &t->source, error);
    if (!status) status = arcl_batch_create(t->context, "grid", &t->batch, error);
    if (!status) status = lanes_read(t->batch, lanes, error);
    if (!status)
        status = arcl_trace_create(t->context, (arcl_definition){t->source, 0}, &options, t->batch, &t->trace, error);
    return status;
}

static void close_trace(traced *t) {
    arcl_trace_free(t->trace);
    arcl_batch_free(t->batch);
    arcl_source_free(t->source);
    arcl_context_free(t->context);
}

/* A line's value in every lane, or its status. */
static const char *line_values(const traced *t, int line) {
    static text out;
    text_clear(&out);
    for (uint32_t lane = 0; lane < arcl_batch_lanes(t->batch); lane++) {
        arcl_lane_status status = arcl_trace_status(t->trace, line, lane);
        if (lane) text_add(&out, "; ");
        if (status == ARCL_OK)
            value_write(arcl_trace_value(t->trace, line, lane), &out);
        else
            text_add(&out, arcl_lane_status_name(status));
    }
    return out.at;
}

TEST every_line_has_its_value(void) {
    traced t;
    arcl_error error;
    arcl_failure f;
    text pairs = {0};
    ASSERT_EQ(ARCL_SUCCESS, open_trace(&t, definition, "[[0,3],[0,0]]; [[0,0],[0,0]]", &error));
    ASSERT_EQ(7, arcl_trace_lines(t.trace));
    ASSERT_STR_EQ("{{[3,[0,1]]}}; {}", line_values(&t, 0));
    ASSERT_EQ(ARCL_TRACE_FUNCTION, arcl_trace_line_get(t.trace, 1).kind);
    ASSERT_EQ(ARCL_LANE_STATUSES, arcl_trace_status(t.trace, 1, 0));
    ASSERT_STR_EQ("{[1,[0,1]]}; {}", line_values(&t, 2));
    ASSERT_STR_EQ("{[3,[0,1]]}; EMPTY", line_values(&t, 3));
    ASSERT_STR_EQ("2; 2", line_values(&t, 4));
    ASSERT_STR_EQ("4; 4", line_values(&t, 5));
    ASSERT_STR_EQ("[[0,1],[0,0]]; EMPTY", line_values(&t, 6)); /* the language runs everything that is written */
    ASSERT(!arcl_trace_line_get(t.trace, 0).same && arcl_trace_line_get(t.trace, 4).same);
    ASSERT_STR_EQ("x3 = mapply(x2, x1)", arcl_trace_line_get(t.trace, 2).text);
    ASSERT_EQ_FMT(4u, arcl_trace_line_get(t.trace, 2).line, "%u");
    ASSERT(arcl_trace_line_get(t.trace, 6).is_result && !arcl_trace_line_get(t.trace, 5).is_result);
    value_write(arcl_trace_elements(t.trace, 2, 0), &pairs);
    ASSERT_STR_EQ("{[{[3,[0,1]]},{[1,[0,1]]}]}", pairs.at);
    ASSERT_STR_EQ("{cell}", arcl_trace_line_get(t.trace, 3).element_type);
    ASSERT_STR_EQ("int", arcl_trace_line_get(t.trace, 3).mapped_type);
    ASSERT_EQ(ARCL_SUCCESS, arcl_trace_failure(t.trace, 6, 1, &f, &error));
    ASSERT_EQ(ARCL_LANE_EMPTY, f.status);
    ASSERT_STR_EQ("argmax", f.op);
    ASSERT_EQ_FMT(5u, f.line, "%u");
    ASSERT_EQ(ARCL_SUCCESS, arcl_trace_failure(t.trace, 6, 0, &f, &error));
    ASSERT_EQ(ARCL_OK, f.status);
    text_free(&pairs);
    close_trace(&t);
    PASS();
}

TEST what_is_not_there_is_answered(void) {
    traced t;
    arcl_error error;
    arcl_failure f;
    arcl_trace *none;
    ASSERT_EQ(ARCL_SUCCESS, open_trace(&t, definition, "[[0,3],[0,0]]", &error));
    arcl_definition one = {t.source, 0}, other = {t.source, 1};
    ASSERT_EQ(0, arcl_trace_lines(NULL));
    ASSERT_STR_EQ("", arcl_trace_line_get(t.trace, 7).text);
    ASSERT_STR_EQ("", arcl_trace_line_get(NULL, 0).text);
    ASSERT_EQ(ARCL_LANE_STATUSES, arcl_trace_status(t.trace, 0, 1));
    ASSERT_EQ(ARCL_LANE_STATUSES, arcl_trace_status(t.trace, -1, 0));
    ASSERT_EQ(ARCL_NONE, arcl_value_kind(arcl_trace_value(t.trace, 9, 0)));
    ASSERT_EQ(ARCL_NONE, arcl_value_kind(arcl_trace_elements(t.trace, 0, 0)));
    ASSERT_EQ(ARCL_INVALID, arcl_trace_failure(t.trace, 7, 0, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_trace_failure(NULL, 0, 0, &f, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_trace_create(t.context, other, NULL, t.batch, &none, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_trace_create(NULL, one, NULL, t.batch, &none, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_trace_create(t.context, one, NULL, NULL, &none, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_trace_create(t.context, one, NULL, t.batch, NULL, &error));
    arcl_trace_free(NULL);
    close_trace(&t);
    PASS();
}

/* The train pairs are an input only of lines that look at them. */
TEST lines_take_the_inputs_that_they_need(void) {
    static const char source[] = "def f(S, I, C):\n    x1 = size(S)\n    x2 = height(I)\n    return add(x1, x2)\n";
    arcl_context *context;
    arcl_source *parsed;
    arcl_batch *batch;
    arcl_trace *trace;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &context, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(context, source, sizeof source - 1, "t.py", &parsed, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "[[grid]] grid", &batch, &error));
    ASSERT_EQ(ARCL_SUCCESS, lanes_read(batch, "[[[[1]],[[2]]]] [[3],[4]]", &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_trace_create(context, (arcl_definition){parsed, 0}, NULL, batch, &trace, &error));
    ASSERT_EQ(1, arcl_value_int(arcl_trace_value(trace, 0, 0)));
    ASSERT_EQ(2, arcl_value_int(arcl_trace_value(trace, 1, 0)));
    ASSERT_EQ(3, arcl_value_int(arcl_trace_value(trace, 2, 0)));
    arcl_trace_free(trace);
    arcl_batch_free(batch);
    arcl_source_free(parsed);
    arcl_context_free(context);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(every_line_has_its_value);
    RUN_TEST(what_is_not_there_is_answered);
    RUN_TEST(lines_take_the_inputs_that_they_need);
    GREATEST_MAIN_END();
}
