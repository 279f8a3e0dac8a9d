/* Programs for users, and the whole way from a definition to a program on one page:
 *
 *     text --arcl_source_parse--> tree                     lib/language, from arcl_source.c
 *     tree --normal_form--> tree, one for all spellings    lib/language/normal.c
 *     tree --compile_steps--> steps                        lib/compile
 *     steps --simplify--> fewer steps                      lib/rewrite
 *     steps --apart_alone--> steps and who is charged      lib/rewrite/charges.c, under the safe policy
 *     steps --layout--> steps with columns                 lib/program/layout.c
 *
 * arcl_run.c has the way from there to results. */
#include <stdatomic.h>
#include <stdlib.h>

#include "arcl_program.h"
#include "base/error.h"
#include "compile/compiler.h"
#include "keep/cache.h"
#include "language/normal.h"
#include "program/compiled.h"
#include "program/graph_check.h"
#include "rewrite/charges.h"
#include "rewrite/passes.h"
#include "run/context.h"

/* Replaces steps by others that do less. Each pass finds what the one before has left. The compiler makes equal steps
 * once, so that some have only something to do when steps were replaced. */
static int simplify(pool *memory, program_graph *p) {
    static const struct {
        int (*run)(pool *, program_graph *);
        int after; /* what has to be said of one before */
    } passes[] = {{prune, PASS_DONE},
                  {leave_unsorted, PASS_DONE},
                  {unify_steps, PASS_MADE_EQUAL},
                  {fuse, PASS_DONE},
                  {unify_steps, PASS_MADE_EQUAL},
                  {prune, PASS_REPLACED},
                  {halve_symmetric, PASS_DONE},
                  {hoist, PASS_DONE}};
    int said = PASS_DONE;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (passes[i].after > said) continue;
        int result = passes[i].run(memory, p);
        if (result == PASS_NO_MEMORY || !graph_assert(p)) return 0;
        if (result > said) said = result;
    }
    weigh_scopes(p);
    return 1;
}

/* What is compiled is the normal form, so that programs which have the same one are the same: steps, results, failures.
 */
static arcl_status compile(pool *memory, const program_text *text, const arcl_compile_options *options,
                           program_graph *p, arcl_error *error) {
    const definition *d = text->is_normal ? text->definition : normal_form(memory, text->definition);
    if (!d) return NO_MEMORY(error);
    PROPAGATE(compile_steps(memory, text->source, d, options, text->notes, p, error));
    graph_assert(p);
    int is_safe = options && options->policy == ARCL_SAFE;
    if (!simplify(memory, p)) return NO_MEMORY(error);
    if (!options || !options->types) graph_drop_unused_parameters(p); /* few look at the train pairs */
    if (!is_safe && !choose_masks(memory, p)) return NO_MEMORY(error);
    graph_assert(p);
    if (text->notes && !graph_take_notes(p)) return NO_MEMORY(error);
    if (is_safe) PROPAGATE(apart_alone(memory, p, error));
    return layout(memory, p, error);
}

arcl_status program_compile_text(arcl_context *context, const program_text *text, const arcl_compile_options *options,
                                 arcl_program **program, arcl_error *error) {
    arcl_program *p = program_of(graph_create());
    pool *memory = context_pool_take(context);
    arcl_status status = p && memory ? compile(memory, text, options, p->graph, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    if (status == ARCL_SUCCESS)
        *program = p;
    else
        arcl_program_free(p);
    return status;
}

/* A program that is rejected is not kept: its message is about the text that it was written in. */
static arcl_status compile_cached(arcl_context *context, const arcl_source *source, const definition *d,
                                  const arcl_compile_options *options, arcl_program **program, arcl_error *error) {
    cache_wish wish;
    arcl_status status = cache_find_program(context, d, options, &wish, program, error);
    if (status == ARCL_SUCCESS && !*program) {
        status = program_compile_text(context, &(program_text){source, d, 0, 0}, options, program, error);
        if (status == ARCL_SUCCESS) cache_keep_program(context, &wish, *program);
    }
    cache_wish_end(&wish);
    return status;
}

arcl_status arcl_program_compile(arcl_context *context, const arcl_source *source, int index,
                                 const arcl_compile_options *options, arcl_program **program, arcl_error *error) {
    error_clear(error);
    const definition *d = NULL;
    int safe = options && options->policy == ARCL_SAFE;
    NEED(context);
    NEED(source);
    NEED(program);
    *program = NULL;
    for (int i = 0; options && options->types && i < options->type_count; i++) NEED(options->types[i]);
    arcl_status status = source_definition(source, index, &d, error);
    if (status != ARCL_SUCCESS && !(safe && d && d->unknown_names)) return status;
    int is_usual = !options || !(options->expected_absent || options->counts_only); /* what caches tell apart */
    if (context->cache && !safe && is_usual) return compile_cached(context, source, d, options, program, error);
    program_text text = {source, d, 0, 0};
    return error_settle(error, program_compile_text(context, &text, options, program, error));
}

/* ---- all definitions of a source ---- */

typedef struct compile_all {
    arcl_context *context;
    const arcl_source *source;
    const arcl_compile_options *options;
    arcl_program **programs;
    arcl_error *errors;
} compile_all;

static void compile_index(void *arg, uint32_t index) {
    const compile_all *a = arg;
    if (atomic_load(&a->context->cancelled)) {
        a->programs[index] = NULL;
        if (a->errors) error_set(&a->errors[index], ARCL_CANCELLED, "cancelled");
        return;
    }
    arcl_status status = arcl_program_compile(a->context, a->source, (int)index, a->options, &a->programs[index],
                                              a->errors ? &a->errors[index] : NULL);
    (void)status; /* programs[index] tells */
}

int arcl_source_compile(arcl_context *context, const arcl_source *source, const arcl_compile_options *options,
                        arcl_program **programs, arcl_error *errors) {
    compile_all a = {context, source, options, programs, errors};
    int rejected = 0;
    if (!context || !source || !programs) return 0;
    arcl_parallel(context, (uint32_t)source->count, compile_index, &a);
    context_take_cancel(context, NULL);
    for (int i = 0; i < source->count; i++) rejected += !programs[i];
    return rejected;
}
