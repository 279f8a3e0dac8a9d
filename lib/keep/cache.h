/* What a context keeps of its work: compiled programs and results. The rest of the library only asks whether there is a
 * cache, and if so goes through it. */
#ifndef ARCL_CACHE_H
#define ARCL_CACHE_H
#include "compile/compiler.h"
#include "keep/program_cache.h"
#include "keep/result_cache.h"

struct score_wish;

struct cache {
    program_cache programs;
    result_cache results;
    uint64_t lane_hits, lane_misses, nanoseconds_saved;
    _Atomic uint64_t nanoseconds_spent; /* by looking up, keeping, reading and writing */
};

uint64_t cache_clock(void); /* nanoseconds */

/* Flushes and frees the context's cache, if it has one. */
void cache_close(arcl_context *context);

/* As compile_definition, and as run_scored, for a context that has a cache. */
ARCL_CHECKED arcl_status cache_compile(arcl_context *context, const struct arcl_source *source, const definition *d,
                                       const arcl_compile_options *options, arcl_program **program, arcl_error *error);
ARCL_CHECKED arcl_status cache_run_many(arcl_context *context, int count, const arcl_program *const *programs,
                                        const arcl_batch *const *batches, const struct score_wish *wish,
                                        arcl_result **results, arcl_error *error);

#endif
