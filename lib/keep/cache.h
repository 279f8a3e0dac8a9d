/* What a context keeps of its work: compiled programs and results. The rest of the library only asks whether there is a
 * cache, and if so goes through it. */
#ifndef ARCL_CACHE_H
#define ARCL_CACHE_H
#include "keep/program_cache.h"
#include "keep/result_cache.h"
#include "language/syntax.h"
#include "language/tree_text.h"
#include "run/run.h"

struct cache {
    program_cache programs;
    result_cache results;
    uint64_t lane_hits, lane_misses, nanoseconds_saved;
    _Atomic uint64_t nanoseconds_spent; /* by looking up, keeping, reading and writing */
};

/* Flushes and frees the context's cache, if it has one. */
void cache_close(arcl_context *context);

/* What a program is kept by, from looking for it until it has been compiled. End it in any case. */
typedef struct cache_wish {
    text_buffer key; /* options and normal form */
    size_t form;     /* where the normal form begins */
    int grid_result;
    int64_t started; /* when it was not found */
} cache_wish;
/* The program, if it was compiled before; else NULL, and what is compiled then should be kept. */
ARCL_CHECKED arcl_status cache_find_program(arcl_context *context, const definition *d,
                                            const arcl_compile_options *options, cache_wish *wish,
                                            arcl_program **program, arcl_error *error);
void cache_keep_program(arcl_context *context, const cache_wish *wish, arcl_program *program);
void cache_wish_end(cache_wish *wish);

/* As planned_run, for a context that has a cache: what is known is not run. */
ARCL_CHECKED arcl_status cache_run(arcl_context *context, const run_request *request, arcl_result **results,
                                   arcl_error *error);

#endif
