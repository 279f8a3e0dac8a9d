/* Types for users: of the lines of a tree, and of calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/line_types.h"
#include "run/context.h"
#include "tree/tree.h"

/* A function:  | 1 | callable + 1, or 0 | arity |  of 4, 52 and 8 bits. */
#define FORM(type) ((type) >> 60)
#define CALLABLE(type) ((int)((type) >> 8 & 0xffffff) - 1)

static arcl_type public_type(arcl_dialect dialect, line_type t) {
    switch (t.form) {
    case LINE_DATA: return dialect == ARCL_TOKPIDJIN ? type_as_triples(t.type) : t.type;
    case LINE_FUNCTION: return ARCL_TYPE_FUNCTION | (arcl_type)(t.callable + 1) << 8 | (arcl_type)t.arity;
    case LINE_OTHER: return ARCL_TYPE_OTHER;
    default: return ARCL_TYPE_FAILS;
    }
}

static line_type private_type(arcl_type t) {
    if (t == ARCL_TYPE_FAILS) return (line_type){.form = LINE_FAILS, .callable = -1};
    if (FORM(t) == 0) return (line_type){.form = LINE_DATA, .type = type_as_cells(t), .callable = -1};
    if (t & ARCL_TYPE_FUNCTION)
        return (line_type){.form = LINE_FUNCTION, .arity = arcl_type_arity(t), .callable = CALLABLE(t)};
    return (line_type){.form = LINE_OTHER, .callable = -1};
}

arcl_type arcl_type_of_op(arcl_dialect dialect, int op) {
    if (op < 0 || op >= dialect_count(dialect)) return ARCL_TYPE_FAILS;
    int callable = dialect_first(dialect) + op;
    return public_type(
        dialect,
        (line_type){.form = LINE_FUNCTION, .arity = op_rows[callable_op(callable)].arity, .callable = callable});
}

int arcl_type_arity(arcl_type t) { return FORM(t) == FORM(ARCL_TYPE_FUNCTION) ? (int)(t & 0xff) : 0; }

char *arcl_type_text(arcl_type t, char *buf, size_t size) {
    int arity = arcl_type_arity(t);
    if (t == ARCL_TYPE_FAILS)
        snprintf(buf, size, "fails");
    else if (arity)
        snprintf(buf, size, "function of %d", arity);
    else if (FORM(t))
        snprintf(buf, size, "other");
    else
        type_text(t, buf, size);
    return buf;
}

arcl_type arcl_type_parse(const char *text) { return text ? type_parse(text) : 0; }

/* ---- of lines ---- */

static arcl_status find_types(pool *memory, const arcl_tree *t, const arcl_compile_options *options, arcl_type *types,
                              arcl_error *error) {
    const definition *d = tree_definition(memory, t);
    line_type *found = pool_take(memory, (size_t)(t->lines + 1) * sizeof *found);
    if (!d || !found) return NO_MEMORY(error);
    PROPAGATE(line_types(memory, d, options, found, error));
    for (int i = 0; i < t->lines; i++) types[i] = public_type(t->dialect, found[i]);
    return ARCL_SUCCESS;
}

arcl_status arcl_tree_types(arcl_context *context, const arcl_tree *tree, const arcl_compile_options *options,
                            arcl_type *types, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(tree);
    if (tree->lines) NEED(types);
    for (int i = 0; options && options->types && i < options->type_count; i++) NEED(options->types[i]);
    pool *memory = context_pool_take(context);
    arcl_status status = memory ? find_types(memory, tree, options, types, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    return status;
}

/* ---- of calls ---- */

#define MOST_ARGUMENTS 4

typedef struct answer {
    uint32_t callable; /* + 1; 0: a free place */
    int32_t count;
    arcl_type argument[MOST_ARGUMENTS], result;
} answer;

typedef struct op_types {
    kept_answers kept;
    answer *at;
    uint32_t slots, count;
} op_types;

static void forget(kept_answers *kept) {
    op_types *o = (op_types *)kept;
    free(o->at);
    free(o);
}

static uint64_t hash_question(const answer *a) {
    uint64_t h = a->callable * 8u + (uint32_t)a->count;
    for (int i = 0; i < a->count; i++) {
        h = (h ^ a->argument[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static int is_asked(const answer *a, const answer *question) {
    return a->callable == question->callable && a->count == question->count &&
           memcmp(a->argument, question->argument, sizeof a->argument) == 0;
}

/* Where the question is answered, or would be. */
static answer *place_of(const op_types *o, const answer *question) {
    uint64_t h = hash_question(question);
    while (o->at[h & (o->slots - 1)].callable && !is_asked(&o->at[h & (o->slots - 1)], question)) h++;
    return &o->at[h & (o->slots - 1)];
}

static int grow(op_types *o) {
    op_types larger = *o;
    larger.slots = o->slots ? 2 * o->slots : 1024;
    larger.at = calloc(larger.slots, sizeof *larger.at);
    if (!larger.at) return 0;
    for (uint32_t i = 0; i < o->slots; i++)
        if (o->at[i].callable) *place_of(&larger, &o->at[i]) = o->at[i];
    free(o->at);
    *o = larger;
    return 1;
}

/* Under the context's lock. An answer that cannot be kept is found again the next time. */
static void keep(arcl_context *context, const answer *a) {
    if (!context->op_types) {
        op_types *made = calloc(1, sizeof *made);
        if (!made) return;
        made->kept.forget = forget;
        context->op_types = &made->kept;
    }
    op_types *o = (op_types *)context->op_types;
    if (2 * (o->count + 1) > o->slots && !grow(o)) return;
    answer *place = place_of(o, a);
    o->count += !place->callable;
    *place = *a;
}

static int find(const arcl_context *context, answer *question) {
    const op_types *o = (const op_types *)context->op_types;
    const answer *place = o && o->slots ? place_of(o, question) : NULL;
    if (!place || !place->callable) return 0;
    question->result = place->result;
    return 1;
}

static arcl_status answer_by_compiler(arcl_context *context, arcl_dialect dialect, answer *a, arcl_error *error) {
    line_type given[MOST_ARGUMENTS], result = {.form = LINE_FAILS};
    for (int i = 0; i < a->count; i++) given[i] = private_type(a->argument[i]);
    pool *memory = context_pool_take(context);
    if (!memory) return NO_MEMORY(error);
    arcl_status status = call_type(memory, dialect, (int)a->callable - 1, a->count, given, &result, error);
    context_pool_give(context, memory);
    a->result = public_type(dialect, result);
    return status;
}

arcl_status arcl_op_type(arcl_context *context, arcl_dialect dialect, int op, int count, const arcl_type *arguments,
                         arcl_type *result, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(result);
    if (count > 0) NEED(arguments);
    *result = ARCL_TYPE_FAILS;
    if (op < 0 || op >= dialect_count(dialect)) return error_set(error, ARCL_INVALID, "there is no op %d", op);
    if (count < 1 || count > MOST_ARGUMENTS) return ARCL_SUCCESS; /* no op takes that */
    answer a = {.callable = (uint32_t)(dialect_first(dialect) + op) + 1, .count = count};
    memcpy(a.argument, arguments, (size_t)count * sizeof *arguments);
    pthread_mutex_lock(&context->lock);
    int known = find(context, &a);
    pthread_mutex_unlock(&context->lock);
    if (!known) {
        PROPAGATE(answer_by_compiler(context, dialect, &a, error));
        pthread_mutex_lock(&context->lock);
        keep(context, &a);
        pthread_mutex_unlock(&context->lock);
    }
    *result = a.result;
    return ARCL_SUCCESS;
}
