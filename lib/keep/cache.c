/* The caches of a context: enabling them, what they report, and compiled programs. cached_run.c has running. */
#include "keep/cache.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_path.h"
#include "base/clock.h"
#include "base/error.h"
#include "language/normal.h"
#include "program/program_identity.h"
#include "run/context.h"

#define DEFAULT_PROGRAMS 10000
#define DEFAULT_MEMORY ((uint64_t)256 << 20)
#define DEFAULT_DISK ((uint64_t)1 << 30)

/* ---- enabling ---- */

static arcl_status choose_directory(const char *wanted, char **directory, arcl_error *error) {
    char path[PATH_MAX];
    if (!wanted) return ARCL_SUCCESS;
    if (!*wanted && !cache_path(path, sizeof path, "results"))
        return error_set(error, ARCL_INVALID,
                         "no place for results: neither XDG_CACHE_HOME nor HOME is set. Name a directory");
    *directory = strdup(*wanted ? wanted : path);
    return *directory ? ARCL_SUCCESS : NO_MEMORY(error);
}

arcl_status arcl_cache_enable(arcl_context *context, const arcl_cache_options *options, arcl_error *error) {
    error_clear(error);
    NEED(context);
    arcl_cache_options o = options ? *options : (arcl_cache_options){0};
    if (context->cache) return error_set(error, ARCL_INVALID, "the context has a cache already");
    struct cache *c = calloc(1, sizeof *c);
    if (!c) return NO_MEMORY(error);
    arcl_status status = choose_directory(o.directory, &c->results.store.directory, error);
    if (status != ARCL_SUCCESS) {
        free(c);
        return status;
    }
    program_cache_start(&c->programs, o.programs ? o.programs : DEFAULT_PROGRAMS);
    c->results.most_bytes = (size_t)(o.memory ? o.memory : DEFAULT_MEMORY);
    c->results.store.most_bytes = (o.disk ? o.disk : DEFAULT_DISK);
    context->cache = c;
    return ARCL_SUCCESS;
}

arcl_status arcl_cache_flush(arcl_context *context, arcl_error *error) {
    error_clear(error);
    NEED(context);
    struct cache *c = context->cache;
    int64_t start = clock_nanoseconds();
    int done = !c || result_cache_flush(&c->results);
    if (c) c->nanoseconds_spent += clock_since(start);
    return done ? ARCL_SUCCESS : error_set(error, ARCL_INVALID, "%s", c->results.store.notice);
}

void cache_close(arcl_context *context) {
    struct cache *c = context->cache;
    if (!c) return;
    result_cache_flush(&c->results);
    result_cache_end(&c->results);
    program_cache_end(&c->programs);
    free(c);
    context->cache = NULL;
}

const char *arcl_cache_notice(const arcl_context *context) {
    return context && context->cache ? context->cache->results.store.notice : "";
}

arcl_cache_report arcl_report_cache(const arcl_context *context) {
    const struct cache *c = context ? context->cache : NULL;
    if (!c) return (arcl_cache_report){0};
    return (arcl_cache_report){.enabled = 1,
                               .program_hits = c->programs.hits,
                               .program_misses = c->programs.misses,
                               .compile_nanoseconds_saved = c->programs.nanoseconds_saved,
                               .lane_hits = c->lane_hits,
                               .lane_misses = c->lane_misses,
                               .run_nanoseconds_saved = c->nanoseconds_saved,
                               .nanoseconds_spent = c->nanoseconds_spent,
                               .programs = c->programs.programs.count,
                               .sets = c->results.sets.count,
                               .bytes = c->results.sets.bytes,
                               .sections_read = c->results.store.sections_read,
                               .files_written = c->results.store.files_written,
                               .refused = c->results.store.files_refused};
}

/* ---- compiled programs ---- */

/* What a compiled program depends on: the options, and the normal form, which begins at *from. */
static int write_key(pool *memory, const definition *d, const arcl_compile_options *options, text_buffer *t,
                     size_t *from) {
    const definition *form = normal_form(memory, d);
    buffer_add_string(t, options && options->grid_result ? "result grid\ntypes" : "result any\ntypes");
    for (int i = 0; options && options->types && i < options->type_count; i++) {
        buffer_add_string(t, " ");
        buffer_add_string(t, options->types[i] ? options->types[i] : "?");
    }
    if (options && options->expected_input) buffer_add_string(t, " expected");
    buffer_add_string(t, options && options->types ? "\n" : " by name\n");
    *from = t->length;
    if (form) tree_write_key(t, form);
    return form && !t->failed;
}

arcl_status cache_find_program(arcl_context *context, const definition *d, const arcl_compile_options *options,
                               cache_wish *wish, arcl_program **program, arcl_error *error) {
    struct cache *c = context->cache;
    int64_t start = clock_nanoseconds();
    *wish = (cache_wish){.grid_result = options && options->grid_result};
    pool *memory = context_pool_take(context);
    int written = memory && write_key(memory, d, options, &wish->key, &wish->form);
    if (memory) context_pool_give(context, memory);
    *program = written ? program_cache_find(&c->programs, wish->key.at, wish->key.length) : NULL;
    wish->started = clock_nanoseconds();
    c->nanoseconds_spent += (uint64_t)(wish->started - start);
    return written ? ARCL_SUCCESS : NO_MEMORY(error);
}

void cache_keep_program(arcl_context *context, const cache_wish *wish, arcl_program *program) {
    struct cache *c = context->cache;
    int64_t compiled = clock_nanoseconds();
    program->identity = program_identity_make(program->graph, wish->grid_result, context->options.budget,
                                              wish->key.at + wish->form, wish->key.length - wish->form);
    program_cache_add(&c->programs, wish->key.at, wish->key.length, program, (uint64_t)(compiled - wish->started));
    c->nanoseconds_spent += clock_since(compiled);
}

void cache_wish_end(cache_wish *wish) { free(wish->key.at); }
