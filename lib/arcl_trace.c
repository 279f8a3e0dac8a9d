/* Tracing for users: every line of a definition as a program of its own, run on all lanes. A line that cannot be one,
 * though the definition can, makes a function. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arcl_failure.h"
#include "arcl_program.h"
#include "base/error.h"
#include "run/batch_lanes.h"
#include "run/context.h"
#include "trace_definition.h"

typedef struct traced_value {
    arcl_program *program; /* NULL: it has no value */
    arcl_batch *some;      /* those arguments that it takes; NULL: all */
    arcl_result *result;
    char type[128];
} traced_value;

typedef struct traced_line {
    arcl_trace_line told;
    const definition *definition;
    traced_value value, pairs;
    char element_type[128], mapped_type[128];
} traced_line;

struct arcl_trace {
    arcl_context *context;
    const arcl_source *source;
    const arcl_batch *batch;
    arcl_compile_options options; /* of what is returned; of the other lines: */
    arcl_compile_options line_options;
    pool *memory;
    traced_line *lines;
    int count;
};

/* ---- texts ---- */

static const char *line_text(arcl_trace *t, uint32_t at) {
    const char *text = t->source->text, *end = text + at, *from = text + at;
    while (from > text && from[-1] != '\n') from--;
    while (isspace((unsigned char)*from)) from++;
    while (*end && *end != '\n') end++;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    char *copy = pool_get(t->memory, (size_t)(end - from) + 1);
    if (copy) memcpy(copy, from, (size_t)(end - from));
    return copy;
}

/* The type of a container's elements: its text without the brackets. */
static void inner_type(const char *type, char *to, size_t size) {
    size_t length = strlen(type);
    to[0] = 0;
    if (length > 2 && strchr("{[", *type) && length - 2 < size) {
        memcpy(to, type + 1, length - 2);
        to[length - 2] = 0;
    }
}

/* ---- programs ---- */

/* The arguments that the program takes, if they are not all; 0 if the batch has not all of them. */
static arcl_status choose_arguments(const arcl_trace *t, traced_value *v, int *able, arcl_error *error) {
    const program_graph *p = v->program->graph;
    int argument[MAX_PARAMETERS] = {0}, all = p->parameters == t->batch->arguments;
    *able = 1;
    for (int i = 0; i < p->parameters; i++) {
        argument[i] = batch_find_argument(t->batch->type, t->batch->arguments, p->parameter[i], i);
        *able &= argument[i] >= 0;
        all &= argument[i] == i;
    }
    if (!*able || all) return ARCL_SUCCESS;
    PROPAGATE(batch_create_like(t->context, t->batch, &v->some, error));
    PROPAGATE(batch_append(v->some, t->batch, error));
    batch_keep_arguments(v->some, p->parameters, argument);
    return ARCL_SUCCESS;
}

static void drop_program(traced_value *v) {
    arcl_program_free(v->program);
    v->program = NULL;
}

/* A value that cannot be compiled has no program. */
static arcl_status compile_value(const arcl_trace *t, const definition *d, const arcl_compile_options *options,
                                 traced_value *v, int *able, arcl_error *error) {
    program_text text = {t->source, d, 0, 0};
    arcl_status status = program_compile_text(t->context, &text, options, &v->program, NULL);
    *able = 1;
    if (status == ARCL_NO_MEMORY) return NO_MEMORY(error);
    if (status != ARCL_SUCCESS) {
        v->program = NULL;
        return ARCL_SUCCESS;
    }
    arcl_program_result_type(v->program, v->type, sizeof v->type);
    PROPAGATE(choose_arguments(t, v, able, error));
    if (!*able) drop_program(v);
    return ARCL_SUCCESS;
}

static arcl_status compile_mapping(const arcl_trace *t, int number, const definition *d, traced_line *line,
                                   arcl_error *error) {
    trace_mapping m;
    int able;
    if (!trace_mapping_make(t->memory, d, number, &m)) return NO_MEMORY(error);
    if (!m.pairs) return ARCL_SUCCESS;
    traced_value container = {0}, mapped = {0};
    arcl_status status = compile_value(t, m.pairs, &t->line_options, &line->pairs, &able, error);
    if (status == ARCL_SUCCESS) status = compile_value(t, m.container, &t->line_options, &container, &able, error);
    if (status == ARCL_SUCCESS) status = compile_value(t, m.mapped, &t->line_options, &mapped, &able, error);
    if (status == ARCL_SUCCESS && line->pairs.program && container.program && mapped.program) {
        inner_type(container.type, line->element_type, sizeof line->element_type);
        inner_type(mapped.type, line->mapped_type, sizeof line->mapped_type);
    }
    if (!*line->element_type || !*line->mapped_type) drop_program(&line->pairs);
    drop_program(&container);
    drop_program(&mapped);
    arcl_batch_free(container.some);
    arcl_batch_free(mapped.some);
    return status;
}

static arcl_status compile_line(arcl_trace *t, const definition *d, int number, const statement *s, arcl_error *error) {
    traced_line *line = &t->lines[number];
    int able;
    line->told.is_result = s->target < 0;
    line->told.line = source_line(t->source, s->value->at);
    line->told.text = line_text(t, s->value->at);
    /* what is returned fails where anything that is written does */
    line->definition = line->told.is_result ? d : trace_line_definition(t->memory, d, number);
    if (!line->told.text || !line->definition) return NO_MEMORY(error);
    PROPAGATE(compile_value(t, line->definition, line->told.is_result ? &t->options : &t->line_options, &line->value,
                            &able, error));
    line->told.kind = line->value.program ? ARCL_TRACE_VALUE : able ? ARCL_TRACE_FUNCTION : ARCL_TRACE_UNUSED;
    return line->value.program ? compile_mapping(t, number, d, line, error) : ARCL_SUCCESS;
}

static void close_value(traced_value *v) {
    arcl_result_free(v->result);
    arcl_batch_free(v->some);
    arcl_program_free(v->program);
}

/* ---- running ---- */

static arcl_status run_values(arcl_trace *t, arcl_error *error) {
    size_t most = 2 * (size_t)t->count, count = 0;
    traced_value **value = pool_get(t->memory, most * sizeof *value);
    const arcl_program **programs = pool_get(t->memory, most * sizeof *programs);
    const arcl_batch **batches = pool_get(t->memory, most * sizeof *batches);
    arcl_result **results = pool_get(t->memory, most * sizeof *results);
    if (!value || !programs || !batches || !results) return NO_MEMORY(error);
    for (int i = 0; i < t->count; i++) {
        traced_value *both[2] = {&t->lines[i].value, &t->lines[i].pairs};
        for (int n = 0; n < 2; n++)
            if (both[n]->program) value[count++] = both[n];
    }
    for (size_t i = 0; i < count; i++) {
        programs[i] = value[i]->program;
        batches[i] = value[i]->some ? value[i]->some : t->batch;
    }
    PROPAGATE(arcl_score_many(t->context, (int)count, programs, batches, NULL, 1, results, error));
    for (size_t i = 0; i < count; i++) value[i]->result = results[i];
    return ARCL_SUCCESS;
}

static int is_same(const arcl_result *r) {
    uint32_t lanes = arcl_result_lanes(r);
    uint64_t first = arcl_result_score(r, 0).fingerprint;
    for (uint32_t n = 1; n < lanes; n++)
        if (arcl_result_score(r, n).fingerprint != first) return 0;
    return lanes > 1;
}

/* Where no line is rejected, under the safe policy and in tokpidjin, one that makes a function fails in every lane. No
 * call has failed then. */
static arcl_status find_functions(arcl_trace *t, arcl_error *error) {
    arcl_failure f;
    for (int i = 0; i < t->count && t->batch->lanes; i++) {
        traced_line *line = &t->lines[i];
        if (!line->value.program || *line->value.type) continue;
        PROPAGATE(arcl_trace_failure(t, i, 0, &f, error));
        if (f.status == ARCL_OK || *f.op) continue;
        close_value(&line->value);
        line->value = (traced_value){0};
        line->told.kind = ARCL_TRACE_FUNCTION;
    }
    return ARCL_SUCCESS;
}

static arcl_status fill(arcl_trace *t, const definition *d, arcl_error *error) {
    int number = 0;
    for (const statement *s = d->first; s; s = s->next) t->count++;
    t->lines = calloc((size_t)t->count + 1, sizeof *t->lines);
    if (!t->lines) return NO_MEMORY(error);
    for (const statement *s = d->first; s; s = s->next) PROPAGATE(compile_line(t, d, number++, s, error));
    PROPAGATE(run_values(t, error));
    PROPAGATE(find_functions(t, error));
    for (int i = 0; i < t->count; i++) {
        traced_line *line = &t->lines[i];
        line->told.same = line->value.result && is_same(line->value.result);
        line->told.type = line->value.type;
        line->told.element_type = line->element_type;
        line->told.mapped_type = line->mapped_type;
    }
    return ARCL_SUCCESS;
}

/* ---- for users ---- */

void arcl_trace_free(arcl_trace *t) {
    if (!t) return;
    for (int i = 0; t->lines && i < t->count; i++) {
        close_value(&t->lines[i].value);
        close_value(&t->lines[i].pairs);
    }
    if (t->memory) context_pool_give(t->context, t->memory);
    free(t->lines);
    free(t);
}

arcl_status arcl_trace_create(arcl_context *context, arcl_definition from, const arcl_compile_options *options,
                              const arcl_batch *batch, arcl_trace **trace, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(from.source);
    NEED(batch);
    NEED(trace);
    *trace = NULL;
    const definition *d = NULL;
    arcl_program *whole = NULL; /* what is wrong with it is said as ever */
    PROPAGATE(arcl_program_compile(context, from.source, from.index, options, &whole, error));
    arcl_program_free(whole);
    arcl_status status = source_definition(from.source, from.index, &d, NULL);
    arcl_trace *t = calloc(1, sizeof *t);
    if (!t) return NO_MEMORY(error);
    *t = (arcl_trace){.context = context, .source = from.source, .batch = batch, .memory = context_pool_take(context)};
    if (options) t->options = t->line_options = *options;
    t->line_options.grid_result = t->line_options.counts_only = 0;
    status = t->memory && d ? fill(t, d, error) : NO_MEMORY(error);
    if (status == ARCL_SUCCESS)
        *trace = t;
    else
        arcl_trace_free(t);
    return error_settle(error, status);
}

static const traced_line *line_at(const arcl_trace *t, int line) {
    return t && line >= 0 && line < t->count ? &t->lines[line] : NULL;
}

int arcl_trace_lines(const arcl_trace *t) { return t ? t->count : 0; }

arcl_trace_line arcl_trace_line_get(const arcl_trace *t, int line) {
    const traced_line *l = line_at(t, line);
    arcl_trace_line none = {.text = "", .type = "", .element_type = "", .mapped_type = ""};
    return l ? l->told : none;
}

arcl_lane_status arcl_trace_status(const arcl_trace *t, int line, uint32_t lane) {
    const traced_line *l = line_at(t, line);
    return arcl_result_status(l ? l->value.result : NULL, lane);
}

arcl_value arcl_trace_value(const arcl_trace *t, int line, uint32_t lane) {
    const traced_line *l = line_at(t, line);
    return arcl_result_value(l ? l->value.result : NULL, lane);
}

arcl_value arcl_trace_elements(const arcl_trace *t, int line, uint32_t lane) {
    const traced_line *l = line_at(t, line);
    int known = l && arcl_result_status(l->pairs.result, lane) == ARCL_OK;
    return arcl_result_value(known ? l->pairs.result : NULL, lane);
}

arcl_status arcl_trace_failure(const arcl_trace *t, int line, uint32_t lane, arcl_failure *failure, arcl_error *error) {
    error_clear(error);
    NEED(t);
    NEED(failure);
    *failure = (arcl_failure){.status = ARCL_OK};
    const traced_line *l = line_at(t, line);
    if (!l || lane >= t->batch->lanes)
        return error_set(error, ARCL_INVALID, "there is no line %d or lane %u", line, lane);
    if (!l->value.result ||
        (arcl_result_status(l->value.result, lane) == ARCL_OK && !arcl_result_failures(l->value.result, lane)))
        return ARCL_SUCCESS;
    failure_inquiry q = {t->context, t->source, l->definition, l->told.is_result ? &t->options : &t->line_options,
                         t->batch,   lane};
    return error_settle(error, failure_inquire(&q, failure, error));
}
