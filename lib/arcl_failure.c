/* Where lanes have failed, for users. The definition is compiled again, with notes of what its steps were made for, and
 * the lane run again (lib/run/failure_find.c): what no one asks for costs nothing.
 *
 * Under the safe policy a call that fails does not end its lane, and its steps do not tell. But up to the first such
 * call the program does what it does under the strict policy, and there that call ends the lane. */
#include "arcl_failure.h"

#include <stdio.h>
#include <string.h>

#include "arcl_program.h"
#include "base/error.h"
#include "language/normal.h"
#include "program/step_words.h"
#include "run/context.h"
#include "run/failure_find.h"
#include "run/result.h"

/* ---- telling ---- */

static void add_text(char *text, size_t size, const char *more) {
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

static void describe_level(const arcl_failure_level *l, char *text, size_t size) {
    char one[96];
    if (l->kind == ARCL_LEVEL_PAIR)
        snprintf(one, sizeof one, " for elements %u and %u,", l->index, l->other);
    else if (l->kind == ARCL_LEVEL_ROUND)
        snprintf(one, sizeof one, " in round %u,", l->index);
    else
        snprintf(one, sizeof one, " for element %u of %u,", l->index, l->count);
    add_text(text, size, one);
}

/* "EMPTY in first, for element 2 of 5: an element of an empty container", with the place. */
static void describe(const arcl_source *source, const char *what, const char *meaning, arcl_failure *f) {
    char text[600];
    arcl_error message;
    snprintf(text, sizeof text, "%s in %s,", arcl_lane_status_name(f->status), what);
    for (int i = 0; i < f->depth; i++) describe_level(&f->level[i], text, sizeof text);
    text[strlen(text) - 1] = ':';
    add_text(text, sizeof text, " ");
    add_text(text, sizeof text, meaning);
    syntax_message(source, f->position, text, &message);
    memcpy(f->message, message.message, sizeof f->message);
}

static void locate(const arcl_source *source, uint32_t at, arcl_failure *f) {
    uint32_t start = at;
    while (start > 0 && source->text[start - 1] != '\n') start--;
    f->position = at;
    f->line = source_line(source, start);
    f->column = at - start + 1;
}

static void tell(const arcl_source *source, const program_graph *p, const lane_failure *found, arcl_failure *f) {
    static const arcl_level_kind kinds[STEP_KINDS] = {[STEP_CROSS] = ARCL_LEVEL_PAIR, [STEP_LOOP] = ARCL_LEVEL_ROUND};
    const step_note *note = &p->notes[found->step];
    f->status = found->status;
    if (f->status == ARCL_OK) return;
    f->step = found->step;
    for (f->depth = 0; f->depth < found->depth; f->depth++) {
        const failure_level *l = &found->level[f->depth];
        f->level[f->depth] = (arcl_failure_level){kinds[l->kind], l->index, l->other, l->count};
    }
    if (note->callable >= 0) snprintf(f->op, sizeof f->op, "%s", callable_name(note->callable));
    locate(source, note->at, f);
    const char *words = *f->op ? f->op : step_words(&p->steps[found->step]);
    describe(source, *words ? words : "the result", arcl_lane_status_meaning(f->status), f);
}

/* ---- finding ---- */

static arcl_status find_in(const failure_inquiry *q, const definition *d, int is_normal,
                           const arcl_compile_options *options, arcl_failure *failure, arcl_error *error) {
    arcl_program *program;
    lane_failure found;
    program_text text = {q->source, d, is_normal, 1};
    PROPAGATE(program_compile_text(q->context, &text, options, &program, error));
    arcl_status status = failure_find(q->context, program->graph, q->batch, q->lane, &found, error);
    if (status == ARCL_SUCCESS) tell(q->source, program->graph, &found, failure);
    arcl_program_free(program);
    return status;
}

/* ---- calls that fail under the safe policy ---- */

/* The first statements of a normal form, whose values nobody needs: what may fail is run all the same. */
static const definition *prefix(pool *memory, const definition *d, int count) {
    definition *made = pool_get(memory, sizeof *made);
    statement *all = pool_get(memory, (size_t)(count + 1) * sizeof *all);
    expression *nothing = pool_get(memory, sizeof *nothing);
    const statement *s = d->first;
    if (!made || !all || !nothing) return NULL;
    *made = *d;
    made->first = all;
    for (int i = 0; i < count; i++, s = s->next) all[i] = (statement){&all[i + 1], s->target, s->value};
    nothing->kind = E_INT;
    all[count] = (statement){NULL, -1, nothing};
    return made;
}

static int has_unknown(const expression *e) {
    for (int i = 0; i < e->count; i++)
        if (e->item[i]->kind == E_UNKNOWN) return 1;
    return e->kind == E_UNKNOWN;
}

typedef struct safe_search {
    const failure_inquiry *q;
    pool *memory;
    const definition *normal;
    arcl_compile_options options;
} safe_search;

/* Whether so many statements are accepted: those after one that is not are not, either. */
static arcl_status try_prefix(const safe_search *s, int count, int run, arcl_failure *failure, arcl_error *error) {
    const definition *d = prefix(s->memory, s->normal, count);
    arcl_program *program;
    if (!d) return NO_MEMORY(error);
    if (run) return find_in(s->q, d, 1, &s->options, failure, error);
    program_text text = {s->q->source, d, 1, 0};
    PROPAGATE(program_compile_text(s->q->context, &text, &s->options, &program, error));
    arcl_program_free(program);
    return ARCL_SUCCESS;
}

/* A call that cannot be right is one whose failure no lane is needed for. */
static void tell_impossible(const safe_search *s, int index, arcl_failure *f) {
    const statement *at = s->normal->first;
    arcl_error why = {"a name that stands for nothing"};
    for (int i = 0; i < index; i++) at = at->next;
    const expression *e = at->value, *callee = e->kind == E_CALL ? e->item[0] : e;
    f->status = ARCL_LANE_TYPE;
    if (callee->kind == E_OP) snprintf(f->op, sizeof f->op, "%s", callable_name(callee->number));
    locate(s->q->source, e->at, f);
    if (has_unknown(e) || try_prefix(s, index + 1, 0, NULL, &why) == ARCL_SUCCESS)
        describe(s->q->source, *f->op ? f->op : "this call", why.message, f);
    else
        memcpy(f->message, why.message, sizeof f->message);
}

static arcl_status find_safe(const safe_search *s, arcl_failure *failure, arcl_error *error) {
    int known = 0, all = 0, accepted = 0;
    for (const statement *at = s->normal->first; at && at->target >= 0; at = at->next) {
        if (known == all && !has_unknown(at->value)) known++;
        all++;
    }
    for (int next = known, refused = known + 1; refused - accepted > 1; next = (accepted + refused) / 2) {
        arcl_status status = try_prefix(s, next, 0, NULL, NULL);
        if (status == ARCL_NO_MEMORY) return NO_MEMORY(error);
        *(status == ARCL_SUCCESS ? &accepted : &refused) = next;
    }
    PROPAGATE(try_prefix(s, accepted, 1, failure, error));
    if (failure->status == ARCL_OK && accepted < all) tell_impossible(s, accepted, failure);
    return ARCL_SUCCESS;
}

/* The first call that has failed in a lane that went on. */
static arcl_status find_mishap(const failure_inquiry *q, arcl_failure *failure, arcl_error *error) {
    safe_search s = {q, context_pool_take(q->context), NULL, {0}};
    if (!s.memory) return NO_MEMORY(error);
    if (q->options) s.options = *q->options;
    s.options.policy = ARCL_STRICT;
    s.options.grid_result = s.options.counts_only = 0;
    s.normal = normal_form(s.memory, q->definition);
    arcl_status status = s.normal ? find_safe(&s, failure, error) : NO_MEMORY(error);
    context_pool_give(q->context, s.memory);
    return status;
}

/* ---- for users ---- */

arcl_status failure_inquire(const failure_inquiry *q, arcl_failure *failure, arcl_error *error) {
    PROPAGATE(find_in(q, q->definition, 0, q->options, failure, error));
    int goes_on = q->options && q->options->policy == ARCL_SAFE && failure->status == ARCL_OK;
    return goes_on ? find_mishap(q, failure, error) : ARCL_SUCCESS;
}

arcl_status arcl_result_failure(arcl_context *context, const arcl_result *result, uint32_t lane, arcl_definition from,
                                const arcl_compile_options *options, const arcl_batch *batch, arcl_failure *failure,
                                arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(from.source);
    NEED(batch);
    NEED(failure);
    *failure = (arcl_failure){.status = ARCL_OK};
    failure_inquiry q = {context, from.source, NULL, options, batch, lane};
    int safe = options && options->policy == ARCL_SAFE;
    arcl_status status = source_definition(from.source, from.index, &q.definition, error);
    if (status != ARCL_SUCCESS && !(safe && q.definition && q.definition->unknown_names)) return status;
    if (lane >= batch->lanes || (result && lane >= result->lanes))
        return error_set(error, ARCL_INVALID, "there is no lane %u", lane);
    if (result && arcl_result_status(result, lane) == ARCL_OK && !arcl_result_failures(result, lane))
        return error_settle(error, ARCL_SUCCESS);
    PROPAGATE(failure_inquire(&q, failure, error));
    if (!result || safe || failure->status == arcl_result_status(result, lane))
        return error_settle(error, ARCL_SUCCESS);
    *failure = (arcl_failure){.status = ARCL_OK};
    return error_set(error, ARCL_INVALID,
                     "the result is not that of this definition on this batch, with these options");
}
